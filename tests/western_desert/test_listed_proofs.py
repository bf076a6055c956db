"""Garrisons off the map, what their lists must prove and whom they hold (WD 33.C; PROTOCOL 5; rulings LIST-PUBLIC,
LIST-STEP, LIST-PROOF)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ctx, Order, Proof, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, Told, play
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.leaving import candidates, withdraw_unit
from adjudicator.western_desert.orderbook import Place, place_of
from adjudicator.western_desert.state import ASSEMBLED, State
from adjudicator.western_desert.theatre import garrisons, listed
from adjudicator.western_desert.theatre.displaying import came_near, show_by_orders
from adjudicator.western_desert.theatre.listbook import GarrisonList
from tests.western_desert.surprise import table
from tests.western_desert.test_listed import (
    CAIRO,
    CAVALRY,
    HAIFA,
    NEAR,
    SECTIONS,
    SEQ,
    SUEZ,
    codes,
    game,
    hidden,
    kinds,
    moved,
)
from tests.western_desert.turns import order_of

SHOWN = Order(0, "display_garrison", {"areas": "delta"})
DIVISION, ARMOR, MOTORIZED = "br-1-arm-xx", "br-2-arm-a", "br-22"
STEP = "19/3126"
"""On the way from Cairo to Suez."""


def proof(seq: int, where: str, topic: str = "delta") -> Proof:
    """What the list of a message says of the brigade."""
    rows: list[Tree] = [{"hex": where, "unit": CAVALRY}]
    return Proof("garrisons", seq, topic, rows)


LEVANT = proof(13, SUEZ, "levant")


def sealed(state: State, *seqs: int) -> State:
    """A state in which these messages have sealed lists."""
    state.theatre = replace(state.theatre, lists=tuple((7, seq) for seq in seqs))
    return state


def where(state: State) -> str:
    """The hex of the brigade."""
    return state.board.name(state.hex_of(CAVALRY))


# --- what must be proved ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("proofs", [(), (proof(9, STEP),), (proof(13, SUEZ),), (proof(9, STEP), LEVANT)])
def test_an_order_that_leaves_a_list_out_shows_nobody(proofs: Sequence[Proof]) -> None:
    """Ruling LIST-PROOF: whoever could leave one out would choose afterwards between the hexes of his lists."""
    state = sealed(hidden("allied").state, 9, 13)
    ctx: Ctx[State] = Ctx(state, apply)
    show_by_orders(ctx, "allied", [SHOWN], proofs, (17,))
    assert [event.data.get("code") for event in ctx.events] == ["unproved"] and state.theatre.listed
    show_by_orders(ctx, "allied", [SHOWN], [proof(9, STEP), proof(13, SUEZ)], (17,))
    assert where(state) == SUEZ


def test_a_book_of_another_moment_is_no_list() -> None:
    """Sealed in the midst of a turn, after the enemy was seen to come: neither shown by order nor opened at once."""
    state = sealed(hidden("allied").state, 9)
    ctx: Ctx[State] = Ctx(state, apply)
    show_by_orders(ctx, "allied", [SHOWN], [proof(9, STEP), proof(11, SUEZ)], (17,))
    assert where(state) == STEP
    other = sealed(hidden("axis").state, 9)
    ctx = Ctx(other, apply)
    rows: list[Tree] = [{"seq": "9", "rules": proof(9, STEP).rules}, {"seq": "11", "rules": proof(11, SUEZ).rules}]
    near = [other.board.find(NEAR)]
    drive(came_near(ctx, near), Assume(), lambda _ask: Answer(rows, "standing", "the list", (11,)))
    assert where(other) == STEP


def test_play_waits_until_the_lists_that_are_due_are_brought() -> None:
    """At the end of the own turn: silence, or a part of the lists, ends no stop."""
    state = sealed(hidden("allied").state, 9)
    state.theatre = replace(state.theatre, due=frozenset({"delta"}), listed=(replace(state.theatre.listed[0], seq=1),))
    start = Checkpoint(state, at=9, since=9)
    turn = Message(11, "allied", tuple(order_of(n, r) for n, r in enumerate(SECTIONS)))
    silent, bare = Message(13, "allied"), Message(15, "allied", (SHOWN,), (proof(9, STEP),))
    told = (proof(9, STEP), proof(11, SUEZ))
    run = play(table(), start, [turn, silent, bare], Assume())
    assert (run.waits.why, run.waits.key) == ("decision", "garrison/delta") and run.state.theatre.listed
    assert [event.data.get("code") for event in run.events if event.kind == "void"] == ["unproved"]
    run = play(table(), start, [turn, silent, bare, Message(17, "allied", (SHOWN,), told)], Assume())
    assert run.state.player == "axis" and where(run.state) == SUEZ


def test_one_message_opens_all_areas_that_are_due() -> None:
    found = hidden("allied", ("nz-4", HAIFA))
    state = found.state
    state.enlist("nz-4", "palestine", SEQ)
    state.theatre = replace(state.theatre, due=frozenset({"delta", "palestine"}), lists=((7, 9),))
    start = Checkpoint(state, at=9, since=9)
    turn = Message(11, "allied", tuple(order_of(n, r) for n, r in enumerate(SECTIONS)))
    order = Order(0, "display_garrison", {"areas": "delta, palestine"})
    both = (proof(9, STEP), proof(11, SUEZ), *(Proof("garrisons", seq, "palestine", []) for seq in (9, 11)))
    run = play(table(), start, [turn, Message(13, "allied", (order,), both)], Assume())
    assert run.state.player == "axis" and not run.state.theatre.listed and where(run.state) == SUEZ


class Unread:
    """Books that can't be read."""

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """None."""
        return None

    def display(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """None."""
        return None


def landing(state: State) -> Any:
    """A game whose only step is an Axis unit that comes near."""

    class Landing:
        sides = ("axis", "allied")
        apply = staticmethod(apply)

        @staticmethod
        def copy(one: State) -> State:
            return one.copy()

        @staticmethod
        def next_step(one: State) -> Any:
            return ("near", lambda ctx: came_near(ctx, [one.board.find(NEAR)]))

    return Landing()


@pytest.mark.parametrize("step", ["movement", "combat", "exploitation", "reaction"])
def test_on_the_dice_of_their_own_player_his_next_message_opens_them(step: str) -> None:
    """In any step of the Axis player turn that goes on by his answer, as in an advance after the losses he chose."""
    state = sealed(hidden("axis").state, 9)
    state.step = step
    start = Checkpoint(state, at=12, since=11)
    messages = [Message(11, "axis"), Message(12, "allied")]
    run = play(landing(state), start, messages, Assume(), books=Unread())
    assert (run.waits.why, run.waits.side, run.waits.key) == ("decision", "allied", "garrison/delta")


def test_before_their_player_opens_the_dice_nobody_is_seen() -> None:
    state = sealed(hidden("axis").state, 9)
    ctx: Ctx[State] = Ctx(state, apply)
    drive(came_near(ctx, [state.board.find(NEAR)]), Assume(), settled)
    assert not ctx.events and state.theatre.listed


# --- whom the list holds ------------------------------------------------------------------------------------------


def small_division(player: str = "allied", at: str = HAIFA) -> State:
    """A division of two brigades, which makes it smaller than its counter says."""
    found = game(player, (DIVISION, at))
    state = found.state
    for part in (ARMOR, MOTORIZED):
        state.put_by(part, ASSEMBLED, DIVISION)
    state.measure(DIVISION)
    return state


def test_a_division_is_as_big_on_the_list_as_on_the_map() -> None:
    state = small_division()
    before, size = garrisons.garrison_of(state, garrisons.PALESTINE), state.unit(DIVISION).re2
    assert size != state.world.units[DIVISION].re2
    state.enlist(DIVISION, "palestine", SEQ)
    (one,) = state.theatre.listed
    assert listed.face(state, one).re2 == size
    assert garrisons.garrison_of(state, garrisons.PALESTINE) == before
    state.bring_back(DIVISION, one.hex)
    assert state.unit(DIVISION).re2 == size


def test_a_component_of_a_division_on_the_list_is_withdrawn() -> None:
    """Ruling LIST-PUBLIC: a list is no way out of a withdrawal; the division breaks down where it left the map."""
    state = small_division()
    row: dict[str, Any] = {"unit": ARMOR}
    state.enlist(DIVISION, "palestine", SEQ)
    assert place_of(state, ARMOR) == Place.BOX and ARMOR in candidates(state, row)
    ctx: Ctx[State] = Ctx(state, apply)
    withdraw_unit(ctx, "allied", row, ARMOR, (), "default")
    assert kinds(ctx)[:2] == ["broken-down", "withdrawn"] and not state.theatre.listed
    assert state.hex_of(MOTORIZED) == state.board.find(HAIFA)
    assert not [said for said in faults(state) if DIVISION in said]


def test_a_cadre_needs_no_more_room_than_on_the_map() -> None:
    """Placed beside three divisions where a fourth would be too many."""
    state = game("allied", ("in-4-xx", CAIRO)).state
    state.pieces["in-4-xx"].cadre = True
    state.enlist("in-4-xx", "delta", SEQ)
    for uid in [uid for uid in state.side_units("allied") if state.hex_of(uid) == state.board.find(CAIRO)]:
        state.take_off(uid, "spare")
    for uid in ("nz-2-xx", "sa-1-xx", "sa-2-xx"):
        state.place(uid, state.board.find(CAIRO))
    (spot,) = listed.spots(state, "delta", ())
    assert not spot.moved


def test_who_carries_another_stays_on_the_map() -> None:
    transport = "transport-1"
    state = game("allied", (transport, CAIRO), (CAVALRY, CAIRO)).state
    state.pieces[CAVALRY].carrier = transport
    assert codes(listed.list_problems(state, "allied", transport)) == ["carrying"]
    ctx = moved(state, "allied", {"type": "list_garrison", "units": [transport, CAVALRY]})
    assert kinds(ctx)[0] == "void"


def test_moves_in_two_areas_are_found_again() -> None:
    """The books that a turn file may have made, for a player who has lost them."""
    book = GarrisonList(hidden("allied").state.world)
    orders = [
        order_of(0, {"type": "move_garrison", "unit": CAVALRY, "to": CAIRO}),
        order_of(1, {"type": "move_garrison", "unit": "nz-4", "to": HAIFA}),
    ]
    kept: dict[str, Tree] = {"delta": [{"hex": SUEZ, "unit": "br-5cav"}]}
    made = list(book.drafted(orders, kept))
    both: dict[str, Tree] = {
        "delta": [{"hex": CAIRO, "unit": CAVALRY}, {"hex": SUEZ, "unit": "br-5cav"}],
        "palestine": [{"hex": HAIFA, "unit": "nz-4"}],
    }
    assert both in made
    assert {**both, "delta": [{"hex": CAIRO, "unit": CAVALRY}]} in made, "one that was withdrawn is told no more"
