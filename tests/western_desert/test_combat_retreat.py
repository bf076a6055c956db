"""Retreats: priorities, listing and checking, going on, what stands in the way (WD 9.F.1, 8.B, 6.mr0, 22.A.3)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Answer, Ask
from adjudicator.western_desert import hexes
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import settled
from adjudicator.western_desert.retreat import CROWDED, FREE, ZONE, best_way, class_of, retreat_problems, ways, wished
from adjudicator.western_desert.retreating import fate
from tests.western_desert.skirmish import (
    ALLIED,
    AXIS,
    fight,
    fixed,
    orders,
    position,
    random_position,
    stock,
    told,
    unit,
)


@given(st.integers(0, 2000))
def test_listed_equals_checked_and_only_the_best_class_is_listed(seed: int) -> None:
    state = random_position(seed)
    for uid in sorted(state.pieces):
        origin = state.hex_of(uid)
        found = ways(state, uid, origin)
        lawful = {n for n in hexes.neighbours(origin) if not retreat_problems(state, uid, origin, n)}
        assert lawful == set(found.hexes)
        assert all(class_of(state, uid, n) == found.priority for n in found.hexes)
        entered = [n for n in hexes.neighbours(origin) if n in state.board.land and state.board.passable(origin, n)]
        possible = [n for n in entered if not state.enemy_in(n, state.unit(uid).side)]
        assert bool(possible) == bool(found.hexes)
        assert all(class_of(state, uid, n) >= found.priority for n in possible)


def test_why_a_hex_is_none() -> None:
    board = build.mini_board()
    build.set_side(board, board.find("T"), board.find("B"), "sebkha")
    state = position({"T": [unit("d", AXIS)], "A": [unit("a", ALLIED)]}, board)
    origin = board.find("T")
    texts = {n: retreat_problems(state, "d", origin, board.find(n)) for n in "ABCF"}
    assert "enemy units hold it" in texts["A"][0].text
    assert "prohibited terrain" in texts["B"][0].text
    assert "in an enemy zone of control, and hexes free of enemy zones" in texts["F"][0].text
    assert "choose C, D, E" in texts["F"][0].hint
    assert texts["C"] == []


def test_the_default_avoids_the_way_that_kills() -> None:
    state = position({"T": [unit("d", AXIS)]})
    near, far = state.board.find("C"), state.board.find("D")
    for h in (near, far):
        for i in range(6):
            build.put(state, unit(f"f{h}{i}", AXIS), h)
    for n in hexes.neighbours(near):
        if n not in (far, state.board.find("T")):
            state.overlay_zoc.setdefault(ALLIED, set()).add(n)
    assert class_of(state, "d", near) == CROWDED
    assert best_way(state, "d", state.board.find("T"), (), (near, far)) == far


def test_wishes_name_hexes_bearings_terrains_and_supply() -> None:
    board = build.mini_board()
    build.set_hex(board, board.find("D"), "rough")
    state = position({"T": [unit("d", AXIS)]}, board)
    origin, options = board.find("T"), tuple(board.find(n) for n in "ABCD")
    assert wished(state, "d", origin, options, "SE") == [board.find("C")]
    assert wished(state, "d", origin, options, "rough") == [board.find("D")]
    assert wished(state, "d", origin, options, "B") == [board.find("B")]
    assert wished(state, "d", origin, options, "nowhere") == []
    assert wished(state, "d", origin, options, "toward_supply") == list(options)


def test_a_division_that_must_go_on_is_reduced_at_each_zone_it_enters() -> None:
    state = position({"A": [unit("a", ALLIED, 24)], "T": [unit("d", AXIS, 6, cadre="1")]})
    state.overlay_zoc[ALLIED] = set(state.board.land) - {state.board.find("T")}
    for name in "BCDEF":
        for i in range(6):
            build.put(state, unit(f"{name}{i}", AXIS, size="battalion"), state.board.find(name))
    state.pieces["a"].gs = True
    ctx = fight(state, orders({"type": "attack", "hex": "T", "with": "a"}), fixed(6))
    assert told(ctx, "result")[0].data["result"] == "DR"
    assert [e.kind for e in ctx.events if e.data.get("unit") == "d"] == ["retreat", "reduced", "eliminated"]
    assert told(ctx, "eliminated")[0].rule == "WD 9.F.1.zoc"


def test_italian_units_out_of_supply_are_lost_for_good_on_the_first_turn_only() -> None:
    """WD 28.A.3.loss; the surprise turn is of Dec I 40, unless the house says otherwise (ruling SURPRISE-SCOPE)."""
    state = position({"T": [unit("d", AXIS), unit("g", AXIS, nat="german")]})
    for uid in ("d", "g"):
        state.pieces[uid].gs = False
    assert (fate(state, "d"), fate(state, "g")) == ("permanent", "eliminated")
    state.pieces["d"].gs = True
    assert fate(state, "d") == "eliminated"
    state.pieces["d"].gs, state.surprise = False, True
    assert fate(state, "d") == "permanent"
    state.world.switches = {"surprise_counts_as_dec_i": "false"}
    assert fate(state, "d") == "eliminated"
    state.turn = 2
    assert fate(state, "d") == "eliminated"


def test_a_friend_cancels_the_zone_only_by_the_switch() -> None:
    state = position({"T": [unit("d", AXIS)], "B": [unit("f", AXIS)]})
    state.overlay_zoc[ALLIED] = {state.board.find("B")}
    assert class_of(state, "d", state.board.find("B")) == ZONE
    state.world.switches = {"retreat_zoc_negated_by_friend": "true"}
    assert class_of(state, "d", state.board.find("B")) == FREE


def test_a_retreat_takes_supply_found_on_the_way_and_control_of_what_it_enters() -> None:
    state = position({"A": [unit("a", ALLIED, 6)], "T": [unit("d", AXIS)]})
    state.control = dict.fromkeys(state.control, ALLIED)
    stock(state, "s1", "D", ALLIED, 2)
    there = state.board.find("D")

    def to_d(ask: Ask[Any]) -> Answer[Any]:
        return Answer(there, "order") if ask.topic == "retreat" else settled(ask)

    ctx = fight(state, orders({"type": "attack", "hex": "T", "with": "a"}), fixed(6, 6, 1), to_d)
    (taken,) = told(ctx, "captured")
    assert (taken.data["captured"], taken.data["eliminated"], taken.data["dice"]) == ("1", "1", ["6", "1"])
    assert taken.data["label"] == "capture/d/s1"
    assert [(c.side, c.steps, c.hex) for c in state.supply.values()] == [(AXIS, 1, there)]
    assert state.owner(there) == AXIS
