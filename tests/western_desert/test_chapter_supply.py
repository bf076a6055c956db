"""Supply, clause by clause: what the other tests of supply leave out (WD 12)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.dice import Assume
from adjudicator.western_desert.apply import apply, mp_text
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import lone, new_state, set_line, strip_board
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.overrun import reckon
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import islands, on_lines, reason, would_be_supplied
from tests.western_desert.ground import compass
from tests.western_desert.skirmish import ALLIED, AXIS, fight, fixed, orders, position, stock, told, unit

HANDLING = ("supply_destroy", "supply_split", "supply_merge")


def front(*strengths: int) -> State:
    """Attackers in A, one defender in T, a counter of two steps with the attackers."""
    attackers = [unit(f"a{n}", ALLIED, strength) for n, strength in enumerate(strengths, 1)]
    state = position({"A": attackers, "T": [unit("d", AXIS)]})
    stock(state, "s", "A", steps=2)
    return state


# --- handling supply in the combat phase ------------------------------------------------------------------------


def test_supply_is_destroyed_split_and_merged_between_attacks() -> None:
    """WD 12.D.destroy: at any time of the own player turn; WD 12.D.merge: in the own player turn."""
    state = front(12)
    section = orders(
        {"type": "supply_split", "counter": "s"},
        {"type": "attack", "hex": "T", "with": "a1", "supply": "s:1"},
        {"type": "supply_destroy", "counter": "supply-allied-split-1"},
    )
    ctx = fight(state, section, fixed(4))
    assert not ctx.problems
    kinds = [event.kind for event in ctx.events if event.kind.startswith("supply") or event.kind == "attack"]
    assert kinds == ["supply-split", "supply-used", "attack", "supply-destroyed", "supply-spent"]
    assert not ctx.state.supply


def test_what_is_paid_of_a_step_is_kept_when_counters_merge() -> None:
    """WD 12.D.merge, ruling STEP-SPLIT: the REs left over serve a later attack of the phase."""
    state = position({"A": [unit("a1", ALLIED, 12), unit("a2", ALLIED, 12)], "T": [unit("d", AXIS)], "C": []})
    build.put(state, unit("e", AXIS), state.board.find("B"))
    stock(state, "s", "A", steps=2)
    stock(state, "t", "A")
    section = orders(
        {"type": "attack", "hex": "T", "with": "a1", "supply": "s:1"},
        {"type": "supply_merge", "counters": "s, t"},
        {"type": "attack", "hex": "B", "with": "a2", "supply": "s:1"},
    )
    ctx = fight(state, section, fixed(4, 4))
    assert [event.data["steps"] for event in told(ctx, "supply-used")] == ["1", "0"]
    assert ctx.state.supply["s"].steps == 2


def test_two_counters_merge_only_if_each_has_one_step() -> None:
    """WD 12.D.merge: a counter whose steps are spent in this phase is none of one step."""
    state = front(12)
    stock(state, "t", "A", steps=2)
    section = orders(
        {"type": "attack", "hex": "T", "with": "a1", "supply": "s:2"}, {"type": "supply_merge", "counters": "s, t"}
    )
    ctx = fight(state, section, fixed(4))
    assert [(p.order, p.rule) for p in ctx.problems] == [(1, "WD 12.D.merge")]


@pytest.mark.parametrize("kind", HANDLING)
def test_the_other_side_handles_no_supply(kind: str) -> None:
    """WD 12.D.merge, WD 12.D.destroy: only in one's own player turn."""
    state = front(12)
    state.player = AXIS
    named = {"counters": "s, s"} if kind == "supply_merge" else {"counter": "s"}
    ctx = fight(state, orders({"type": kind, **named}), fixed())
    assert ctx.problems
    assert ctx.state.supply["s"].steps == 2


# --- islands ----------------------------------------------------------------------------------------------------


def on_malta(switches: dict[str, str]) -> tuple[State, int]:
    world = replace(compass(), switches=switches, cache={})
    state = State(world, player=ALLIED, phase="initial", step="initial")
    h = state.board.places["Valletta"].hex
    state.place("br-malta-1" if "br-malta-1" in world.units else _allied(state), h)
    return state, h


def _allied(state: State) -> str:
    return next(uid for uid, one in sorted(state.world.units.items()) if one.side == ALLIED)


@pytest.mark.parametrize(("switches", "supplied"), [({}, False), ({"island_supply": "free"}, True)])
def test_islands_have_no_terminal_unless_the_house_rule_frees_them(switches: dict[str, str], supplied: bool) -> None:
    """WD 12.B.terminals, ruling ISLAND-SUPPLY."""
    state, h = on_malta(switches)
    assert bool(on_lines(state, ALLIED)) is supplied
    assert would_be_supplied(state, ALLIED, h) is supplied
    assert ("island" in reason(state, ALLIED, h)) is supplied


def test_islands_are_the_land_that_no_way_joins_to_a_terminal() -> None:
    """WD 12.B.terminals."""
    world = compass()
    found = {world.board.land[h].country for h in islands(world)}
    assert {"Malta", "Cyprus", "Crete", "Rhodes", "Sicily"} <= found
    assert not found & {"Egypt", "Libya", "Palestine", "Syria", "Lebanon", "Transjordan"}


# --- the case IX-12 ---------------------------------------------------------------------------------------------


def test_ix_12_who_is_cut_off_keeps_its_supply_until_the_next_check() -> None:
    """WD 12.B, 12.B.blocked, 13, 7.B: frozen for the Axis player turn, cut at the next Allied initial phase."""
    board, path = strip_board(8)
    for a, b in pairwise(path):
        set_line(board, "road", a, b)
    for h in set(board.land) - set(path):
        del board.land[h]
    board.land[path[0]] = board.land[path[0]]._replace(terminal=ALLIED)
    state = new_state(board, AXIS, "initial", ALLIED)
    build.put(state, unit("guard", ALLIED, size="battalion", re2=1, defense=Fraction(0)), path[3])
    build.put(state, unit("far", ALLIED), path[6])
    board.land[lone(path[3])] = board.land[path[1]]._replace(terminal="")
    board.forget()
    build.put(state, unit("pz", AXIS, 9, motorized=True, movement=10), lone(path[3]))
    check(state, AXIS)
    assert state.pieces["far"].gs
    state.phase = state.step = "movement"
    ctx = Ctx(state, apply)
    order = Order(0, "overrun", {"units": ["pz"], "hex": "P3", "advance": ["pz"]})
    drive(movement_phase(ctx, AXIS, [order], ()), Assume())
    assert not ctx.problems
    assert state.hex_of("pz") == path[3]
    assert state.pieces["far"].gs
    state.player, state.phase, state.step = ALLIED, "initial", "initial"
    check(state, ALLIED)
    assert not state.pieces["far"].gs


def check(state: State, side: str) -> None:
    """The initial phase of a side without orders."""
    drive(initial_phase(Ctx(state, apply), side, [], ()), Assume())


# --- supply and overruns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("switches", "defense"), [({}, 3), ({"overrun_defensive_air": "ignore"}, 2)])
def test_defensive_air_counts_against_an_overrun_unless_the_house_rule_ignores_it(
    switches: dict[str, str], defense: int
) -> None:
    """WD 13.odds, ruling OVERRUN-AIR: limited by the printed defense of 2."""
    state = front(12)
    state.world = replace(state.world, switches=switches)
    found = reckon(state, ALLIED, state.board.find("T"), ["a1"], Fraction(1))
    assert found.defense == defense


def test_half_points_are_written_as_decimals() -> None:
    """WD 12.B.effects, ruling HALF-MP."""
    assert [mp_text(points2) for points2 in (10, 5)] == ["5", "2.5"]
    assert Order(0, "pass", {}).text("unit") == ""
