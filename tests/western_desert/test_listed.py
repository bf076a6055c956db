"""Garrisons that are kept off the map, an optional rule: who may be, what their list says, when they are shown
(WD 33.C, 33.C.pool; rulings LIST-PUBLIC, LIST-STEP, LIST-NEAR, LIST-POOL)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ctx, Order, Proof, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.hexes import distance
from adjudicator.western_desert.leaving import candidates
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.orderbook import Place, place_of
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import LISTED, State
from adjudicator.western_desert.theatre import garrisons, listed
from adjudicator.western_desert.theatre.displaying import came_near, look_around, show_by_orders
from adjudicator.western_desert.theatre.invading import invade_problems
from adjudicator.western_desert.theatre.phase import check_garrisons
from tests.western_desert.surprise import table
from tests.western_desert.turns import AIR, COMBAT, MOVEMENT, NO_EXPLOITATION, Turns, order_of

CAIRO, SUEZ, ALEXANDRIA, HAIFA, FAR, NEAR = "19/3127", "19/3725", "19/2423", "19/4312", "19/1126", "19/1927"
CAVALRY, ENEMY, SECOND = "br-22", "ge-8mg", "nz-4"
SEQ = 7
SECTIONS = (MOVEMENT, AIR, COMBAT, NO_EXPLOITATION)


def game(player: str = "allied", *places: tuple[str, str]) -> Turns:
    """A game with the option; units where they are wanted."""
    found = Turns(player=player, options="33.C")
    for uid, where in places:
        found.at(uid, where)
    return found


def hidden(player: str = "axis", *more: tuple[str, str], where: str = CAIRO) -> Turns:
    """A brigade of the Delta is on the list since message 7."""
    found = game(player, (CAVALRY, where), *more)
    found.state.enlist(CAVALRY, "delta", SEQ)
    return found


def moved(state: State, side: str, *rows: dict[str, Tree]) -> Ctx[State]:
    """A movement phase of these orders."""
    state.player, state.phase, state.step = side, "movement", "movement"
    ctx: Ctx[State] = Ctx(state, apply)
    drive(movement_phase(ctx, side, [order_of(n, row) for n, row in enumerate(rows)], (SEQ,)), Assume())
    return ctx


def kinds(ctx: Ctx[State]) -> list[str]:
    return [event.kind for event in ctx.events]


def codes(problems: Sequence[Any]) -> list[str]:
    return [problem.code for problem in problems]


# --- going on the list --------------------------------------------------------------------------------------------


def test_a_garrison_leaves_the_map() -> None:
    """WD 33.C: it is on the list from then on, and the position keeps that."""
    state = game("allied", (CAVALRY, CAIRO)).state
    ctx = moved(state, "allied", {"type": "list_garrison", "unit": CAVALRY})
    assert kinds(ctx) == ["garrison-listed"] and CAVALRY not in state.pieces
    (one,) = state.theatre.listed
    assert (one.unit, one.area, state.board.name(one.hex), one.seq) == (CAVALRY, "delta", CAIRO, SEQ)
    assert place_of(state, CAVALRY) == Place.LIST and state.boxes[CAVALRY].box == LISTED
    assert restore(state.world, position(state)).theatre == state.theatre


@pytest.mark.parametrize(
    ("where", "enemy", "code"),
    [(CAIRO, FAR, ""), (CAIRO, NEAR, "enemy_near"), ("19/1326", "19/0325", "area"), (HAIFA, NEAR, "")],
)
def test_no_enemy_is_within_five_hexes_of_the_area(where: str, enemy: str, code: str) -> None:
    """WD 33.C: of any hex of the area, not of the unit; and only units in the four areas."""
    found = game("allied", (CAVALRY, where), (ENEMY, enemy))
    for uid in [u for u in found.state.side_units("axis") if u != ENEMY]:
        found.state.take_off(uid, "spare")
    assert codes(listed.list_problems(found.state, "allied", CAVALRY)) == ([code] if code else [])


def test_who_may_not_be_listed() -> None:
    state = game("allied", (CAVALRY, CAIRO)).state
    assert codes(listed.list_problems(state, "axis", CAVALRY)) == ["moment"]
    assert codes(listed.list_problems(state, "allied", ENEMY)) == ["unit"]
    state.pieces[CAVALRY].gs = False
    assert codes(listed.list_problems(state, "allied", CAVALRY)) == ["supply"]
    state.pieces[CAVALRY].gs, state.surprise = True, True
    assert codes(listed.list_problems(state, "allied", CAVALRY)) == ["moment"]
    state.surprise, state.phase = False, "exploitation"
    assert codes(listed.list_problems(state, "allied", CAVALRY)) == ["moment"]
    state.surprise, state.world = False, replace(state.world, switches={}, cache={})
    assert codes(listed.list_problems(state, "allied", CAVALRY)) == ["option"]


# --- what the list says -------------------------------------------------------------------------------------------


def told(seq: int, where: str) -> tuple[int, dict[str, str]]:
    return seq, {CAVALRY: where}


@pytest.mark.parametrize(
    ("books", "there"),
    [
        ([], CAIRO),
        ([told(9, SUEZ)], SUEZ),
        ([told(9, "19/3126"), told(13, SUEZ)], SUEZ),
        ([told(SEQ, SUEZ)], CAIRO),
        ([told(9, HAIFA)], CAIRO),
        ([told(9, "nowhere")], CAIRO),
        ([told(9, "19/3126"), (13, {})], "19/3126"),
    ],
)
def test_the_list_counts_step_by_step(books: list[tuple[int, dict[str, str]]], there: str) -> None:
    """Ruling LIST-STEP: what could not be gone in a movement phase, or left the area, is no step; nor is a book of
    before the unit was listed."""
    state = hidden().state
    (one,) = state.theatre.listed
    assert state.board.name(listed.place_by(state, one, books)) == there


def test_a_step_is_no_longer_than_a_movement_phase() -> None:
    state = hidden(where=ALEXANDRIA).state
    (one,) = state.theatre.listed
    reach = listed.cheapest(state, one, one.hex)
    limit = 2 * state.world.units[CAVALRY].movement
    assert max(reach.values()) <= limit and all(h in listed.area_hexes(state.world, "delta") for h in reach)
    far = [h for h in listed.area_hexes(state.world, "delta") if h not in reach]
    assert far and codes(listed.step_problems(state, one, one.hex, far[0])) == ["too_far"]
    assert codes(listed.step_problems(state, one, one.hex, state.board.find(HAIFA))) == ["area"]


def test_a_full_hex_sends_them_next_to_it() -> None:
    state = hidden().state
    sized = (uid for uid in state.side_units("allied") if not state.unit(uid).counter)
    others = [uid for uid in sized if not state.unit(uid).artillery]
    for uid in others[:8]:
        state.shift(uid, state.board.find(CAIRO))
    (spot,) = listed.spots(state, "delta", ())
    assert spot.moved and state.board.name(spot.hex) != CAIRO
    assert distance(spot.hex, state.board.find(CAIRO)) == 1


# --- shown --------------------------------------------------------------------------------------------------------


def test_they_are_shown_before_the_enemy_goes_on() -> None:
    """WD 33.C, ruling LIST-NEAR: the way leads through the hex where they turn out to be; the unit halts before it."""
    found = hidden("axis", (ENEMY, "19/2126"), where="19/2425")
    state = found.state
    for uid in [u for u in state.side_units("allied") if u != CAVALRY]:
        state.take_off(uid, "spare")
    path: list[Tree] = ["19/2226", "19/2326", "19/2425", "19/2525"]
    ctx = moved(state, "axis", {"type": "move", "unit": ENEMY, "path": path})
    assert kinds(ctx)[:2] == ["garrison-shown", "told"] and state.hex_of(CAVALRY) == state.board.find("19/2425")
    assert state.board.name(state.hex_of(ENEMY)) == "19/2326"


def test_nobody_is_shown_to_who_stays_away() -> None:
    found = hidden("axis", (ENEMY, "19/0825"))
    ctx = moved(found.state, "axis", {"type": "move", "unit": ENEMY, "to": "19/0925"})
    assert "garrison-shown" not in kinds(ctx) and found.state.theatre.listed


def test_who_comes_by_any_other_way_is_seen_too() -> None:
    """Landed from the sea, from the air, or brought near by a retreat in one's own turn."""
    found = hidden("axis")
    found.at(ENEMY, NEAR)
    ctx: Ctx[State] = Ctx(found.state, apply)
    drive(look_around(ctx), Assume())
    assert kinds(ctx) == ["garrison-shown"]
    other = hidden("allied")
    ctx = Ctx(other.state, apply)
    drive(came_near(ctx, [other.state.board.find(NEAR)]), Assume())
    assert kinds(ctx) == ["garrison-due"] and other.state.theatre.due == {"delta"}


def test_where_his_books_cannot_be_read_play_waits_for_their_player() -> None:
    """An enemy lands from the air on the dice of the reaction: the list is opened by the next message of its player."""
    found = hidden("axis")
    found.state.theatre = replace(found.state.theatre, lists=((7, 9),))
    found.state.step = "reaction"
    near = [found.state.board.find(NEAR)]
    ctx: Ctx[State] = Ctx(found.state, apply)
    request = next(iter(came_near(ctx, near)))
    assert (request.key, request.side, request.history) == ("garrison/delta", "allied", SEQ + 1)
    order = Order(0, "display_garrison", {"areas": "delta"})
    assert request.find([order]) == []
    rows: list[Tree] = [{"hex": SUEZ, "unit": CAVALRY}]
    given: Answer[Any] = Answer([], "order", by=(13,), proofs=(Proof("garrisons", 9, "delta", rows),))
    drive(came_near(ctx, near), Assume(), lambda _ask: given)
    assert found.state.board.name(found.state.hex_of(CAVALRY)) == SUEZ


def test_in_ones_own_turn_play_waits_for_the_list() -> None:
    """Ruling LIST-NEAR: the turn ends with a message that opens it."""
    found = hidden("allied")
    found.state.theatre = replace(found.state.theatre, due=frozenset({"delta"}), lists=((7, 9),))
    found.state.theatre = replace(found.state.theatre, listed=(replace(found.state.theatre.listed[0], seq=1),))
    turn = Message(11, "allied", tuple(order_of(n, r) for n, r in enumerate(SECTIONS)))
    start = Checkpoint(found.state, at=9, since=9)
    run = play(table(), start, [turn], Assume())
    assert (run.waits.why, run.waits.side, run.waits.key) == ("decision", "allied", "garrison/delta")
    rows: list[Tree] = [{"hex": SUEZ, "unit": CAVALRY}]
    order = Order(0, "display_garrison", {"areas": "delta"})
    shown = Message(13, "allied", (order,), tuple(Proof("garrisons", seq, "delta", rows) for seq in (9, 11)))
    run = play(table(), start, [turn, shown], Assume())
    assert run.state.player == "axis" and run.state.board.name(run.state.hex_of(CAVALRY)) == SUEZ


def test_an_order_shows_what_it_proves_and_no_more() -> None:
    state = hidden("allied").state
    ctx: Ctx[State] = Ctx(state, apply)
    rows: list[Tree] = [{"hex": SUEZ, "unit": CAVALRY}]
    proofs = [Proof("plans", 9, "delta", rows), Proof("garrisons", 9, "palestine", rows)]
    show_by_orders(ctx, "allied", [Order(0, "display_garrison", {"areas": "delta, levant"})], proofs, (9,))
    assert [event.data.get("code") for event in ctx.events] == ["empty"]
    show_by_orders(ctx, "allied", [Order(1, "display_garrison", {"areas": "delta"})], proofs, (9,))
    assert state.board.name(state.hex_of(CAVALRY)) == CAIRO and not state.theatre.listed


# --- what else the rules say of them --------------------------------------------------------------------------------


def test_they_count_for_the_garrison_and_may_be_withdrawn() -> None:
    """Ruling LIST-PUBLIC."""
    state = game("allied", (CAVALRY, HAIFA)).state
    before = garrisons.garrison_of(state, garrisons.PALESTINE)
    state.enlist(CAVALRY, "palestine", SEQ)
    assert garrisons.garrison_of(state, garrisons.PALESTINE) == before
    assert CAVALRY in candidates(state, {"unit": CAVALRY})
    state.put_by(CAVALRY, "withdrawn")
    assert not state.theatre.listed


def test_whoever_invades_the_levant_shows_what_is_near() -> None:
    state = game("allied", (CAVALRY, HAIFA)).state
    state.phase = state.step = "movement"
    assert not invade_problems(state, "allied")
    state.enlist(CAVALRY, "palestine", SEQ)
    assert codes(invade_problems(state, "allied")) == ["hidden"]


@pytest.mark.parametrize(("pool", "lost"), [(0, 6), (2, 6), (3, 4), (8, 2), (9, 0)])
def test_three_of_the_pool_stand_for_one(pool: int, lost: int) -> None:
    """WD 33.C.pool, ruling LIST-POOL: three REs of the garrison of Palestine are lacking."""
    state = game("allied").state
    gone = [uid for uid in state.side_units("allied") if state.board.in_region(state.hex_of(uid), garrisons.PALESTINE)]
    for uid in gone:
        state.take_off(uid, "spare")
    able = (uid for uid in state.side_units("allied") if garrisons.counts(state.unit(uid)))
    brigades = [uid for uid in able if state.unit(uid).re2 == 2]
    for uid in brigades[:pool]:
        state.take_off(uid, "eliminated")
    ctx: Ctx[State] = Ctx(state, apply)
    check_garrisons(ctx, "allied", ())
    assert state.vp2.get("allied", 0) == -lost
