"""Breaking divisions down and assembling them (WD 15) on the counters of the game."""

from __future__ import annotations

from itertools import product

import pytest

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.packs import load_pack
from adjudicator.western_desert.component_sets import SUPPORTED, sets_of
from adjudicator.western_desert.divisions import assemblies, breakdowns, divisions_of
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import State
from adjudicator.western_desert.world import first_state
from tests.western_desert.ground import cites, compass, kinds, run

HERE, BESIDE = "19/1225", "19/1226"
ARMOR = ("br-7-sg", "br-4-arm-a", "br-7-arm-a")
AUSTRALIANS = ("au-6-hq", "au-16", "au-17", "au-19")
INDIANS = ("in-4-hq", "in-5", "in-7", "in-11")


def stood(*units: str, side: str = "allied", phase: str = "movement", at: str = HERE) -> State:
    """Units in one hex, their side to move."""
    state = first_state(compass())
    state.player, state.phase, state.step = side, phase, phase
    for uid in units:
        state.place(uid, state.board.find(at))
    return state


def assemble(into: str, index: int = 0, **more: Tree) -> Order:
    return Order(index, "assemble", {"into": into, **more})


def break_down(uid: str, index: int = 0, **more: Tree) -> Order:
    return Order(index, "break_down", {"unit": uid, **more})


def whole(into: str = "au-6-xx", *units: str) -> State:
    """A division that was assembled of its components."""
    state = stood(*(units or AUSTRALIANS))
    ctx = run(state, [assemble(into)])
    assert not ctx.problems
    return ctx.state


# --- there and back ---------------------------------------------------------------------------------------------


def test_components_and_division_change_places_and_come_back() -> None:
    state = whole("br-7-arm-xx", *ARMOR)
    assert state.units_at(state.board.find(HERE)) == ["br-7-arm-xx"]
    assert sorted(state.boxes) == sorted(ARMOR)
    assert {kept.of for kept in state.boxes.values()} == {"br-7-arm-xx"}
    assert state.unit("br-7-arm-xx").re2 == 6
    state = run(state, [break_down("br-7-arm-xx")]).state
    assert state.units_at(state.board.find(HERE)) == sorted(ARMOR)
    assert {uid: kept.box for uid, kept in state.boxes.items()} == {"br-7-arm-xx": "breakdown"}


def test_a_division_is_assembled_of_named_units_or_of_the_weakest_beside_its_headquarters() -> None:
    state = stood(*AUSTRALIANS, "au-18")
    named = run(state.copy(), [assemble("au-6-xx", units=["au-6-hq", "au-16", "au-17", "au-18"])]).state
    assert named.parts_of("au-6-xx") == ["au-16", "au-17", "au-18", "au-6-hq"]
    chosen = run(state, [assemble("au-6-xx")]).state
    assert len(chosen.parts_of("au-6-xx")) == 4
    assert chosen.unit("au-6-xx").figures == "7-8"


def test_the_size_of_a_division_is_that_of_its_components() -> None:
    state = whole("br-7-arm-xx", "br-7-arm-hq", "br-4-arm-b", "br-7-mot")
    assert state.unit("br-7-arm-xx").re2 == 4
    assert state.copy().unit("br-7-arm-xx").re2 == 4
    state.flip("br-7-arm-xx")
    assert (state.unit("br-7-arm-xx").re2, state.unit("br-7-arm-xx").division_re2) == (2, 4)


def test_antiaircraft_units_do_as_divisions_do() -> None:
    bits = ("br-haa-1", "br-haa-2", "br-haa-3", "br-laa-1")
    state = whole("br-1-aax", *bits)
    assert state.parts_of("br-1-aax") == sorted(bits)


def test_support_without_the_headquarters_is_kept_by_the_components_until_they_are_together_again() -> None:
    state = whole()
    ctx = run(state, [break_down("au-6-xx", into=SUPPORTED), Order(1, "move", {"unit": "au-16", "to": BESIDE})])
    state = ctx.state
    assert not ctx.problems
    assert "au-6-hq" in state.boxes
    assert all(state.unit(uid).supported for uid in ("au-16", "au-17", "au-19"))
    assert cites(run(state.copy(), [assemble("au-6-xx", units=["au-16", "au-17", "au-19"])]).problems) == [
        "WD 15.A.assemble"
    ]
    _reset(state)
    back = [Order(0, "move", {"unit": "au-16", "to": HERE}), assemble("au-6-xx", 1, units=["au-16", "au-17", "au-19"])]
    state = run(state, back).state
    assert state.parts_of("au-6-xx") == sorted(AUSTRALIANS)


def test_an_indian_division_may_take_one_british_brigade() -> None:
    state = stood("in-4-hq", "in-5", "in-11", "br-16", "br-14")
    mixed: list[Tree] = ["in-4-hq", "in-5", "in-11", "br-16"]
    assert not run(state.copy(), [assemble("in-4-xx", units=mixed)]).problems
    mixed = ["in-4-hq", "in-5", "br-14", "br-16"]
    assert cites(run(state, [assemble("in-4-xx", units=mixed)]).problems) == ["WD 28.B.1"]


def test_supply_is_inherited_and_one_component_out_of_supply_is_enough() -> None:
    state = stood(*AUSTRALIANS)
    state.pieces["au-17"].gs = False
    state = run(state, [assemble("au-6-xx")]).state
    assert not state.pieces["au-6-xx"].gs
    state = run(state, [break_down("au-6-xx")]).state
    assert not any(state.pieces[uid].gs for uid in AUSTRALIANS)


# --- what is not lawful -----------------------------------------------------------------------------------------


def test_first_and_last_in_the_phase() -> None:
    state = whole()
    state.place("in-5", state.board.find(HERE))
    march = Order(0, "move", {"unit": "in-5", "to": BESIDE})
    assert cites(run(state.copy(), [march, break_down("au-6-xx", 1)]).problems) == ["WD 15.A.break"]
    state = stood(*AUSTRALIANS, "in-5")
    late = [assemble("au-6-xx"), Order(1, "move", {"unit": "in-5", "to": BESIDE})]
    assert "WD 15.A.assemble" in cites(run(state, late).problems)


def test_stacks_may_be_too_high_in_the_phase_and_not_at_its_end() -> None:
    others = ("in-5", "in-7", "in-11", "br-16", "br-22")
    state = whole()
    for uid in others:
        state.place(uid, state.board.find(HERE))
    ctx = run(state.copy(), [break_down("au-6-xx")])
    assert ("WD 8", 0) in {(problem.rule, problem.order) for problem in ctx.problems}
    away = [Order(n, "move", {"unit": uid, "to": BESIDE}) for n, uid in enumerate(("in-5", "in-7", "in-11"), 1)]
    assert not run(state, [break_down("au-6-xx"), *away]).problems


@pytest.mark.parametrize(
    ("into", "units", "rule"),
    [
        ("br-7-arm-xx", ("br-2-sg", "br-4-arm-a", "br-7-arm-a"), "WD 15.C.1"),
        ("ge-21-xx", ("ge-15-hq", "ge-5pz", "ge-104m"), "WD 15.C.1"),
        ("ge-21-xx", ("ge-5pz", "ge-104m"), "WD 15.B"),
        ("ge-21-xx", ("ge-21-hq", "ge-5pz", "ge-382"), "WD 15.C.1"),
        ("ge-21-xx", ("ge-21-hq", "ge-5pz", "ge-361m"), "WD 15.C.2.subst"),
        ("au-6-xx", ("au-6-hq", "au-16", "au-17", "nz-4"), "WD 28.B.1"),
        ("au-6-xx", ("au-6-hq", "au-16", "au-17"), "WD 15.B"),
        ("it-62", ("it-10bers",), "WD 15.B"),
        ("br-16", ("br-22",), "WD 15.B"),
    ],
)
def test_wrong_components_are_refused_by_their_rule(into: str, units: tuple[str, ...], rule: str) -> None:
    side = compass().units[into].side
    ctx = run(stood(*units, side=side), [assemble(into, units=list(units))])
    assert rule in cites(ctx.problems)
    assert all(uid in ctx.state.pieces for uid in units)


def test_a_division_on_the_map_or_in_the_pool_is_no_counter_to_assemble() -> None:
    state = stood(*AUSTRALIANS)
    state.place("au-6-xx", state.board.find("19/1326"))
    assert "WD 15.B.box" in cites(run(state, [assemble("au-6-xx")]).problems)
    state = stood(*AUSTRALIANS)
    state.gone["au-6-xx"] = "eliminated"
    assert "WD 15.B.box" in cites(run(state, [assemble("au-6-xx")]).problems)


def test_cadres_and_italian_divisions_do_not_break_down() -> None:
    state = whole()
    state.flip("au-6-xx")
    assert cites(run(state, [break_down("au-6-xx")]).problems) == ["WD 15.A.break"]
    state = stood("it-62", side="axis")
    assert cites(run(state, [break_down("it-62")]).problems) == ["WD 15.B"]


def test_only_motorized_ones_in_exploitation() -> None:
    state = stood(*AUSTRALIANS, phase="exploitation")
    assert cites(run(state, [assemble("au-6-xx")]).problems) == ["WD 15.A.exploit"]
    state = stood(*ARMOR, phase="exploitation")
    assert not run(state, [assemble("br-7-arm-xx")]).problems


def test_in_the_surprise_turn_the_attack_force_alone() -> None:
    state = stood(*ARMOR)
    state.surprise = True
    ctx = run(state, [assemble("br-7-arm-xx")])
    assert not ctx.problems
    assert ctx.state.in_force("br-7-arm-xx")
    state = stood(*AUSTRALIANS)
    state.surprise = True
    assert cites(run(state, [assemble("au-6-xx")]).problems) == ["WD 28.B.3"]


# --- data and listing -------------------------------------------------------------------------------------------


def test_the_components_on_the_counters_are_those_of_the_charts() -> None:
    for row in load_pack("western-desert").tree["counters"]:
        unit = compass().units[row["id"]]
        sets = {found.form: found for found in sets_of(compass(), unit)}
        for form in row.get("components", ()):
            found = sets[form["form"]]
            asked = [part for part in form["parts"] for _ in range(int(part["n"]))]
            assert found.hq == (form["hq"] == "yes")
            assert [(p.type, p.size, p.aa_type) for p in found.parts] == [
                (part["type"], part["size"], part.get("aa_type", "")) for part in asked
            ]
            shown = [tuple(float(part[key]) for key in ("attack", "defense", "movement")) for part in asked]
            assert all(p.figures in (None, row) for p, row in zip(found.parts, shown, strict=True))


@pytest.mark.parametrize("side", ["allied", "axis"])
def test_every_division_with_components_is_listed_once_they_stand_together(side: str) -> None:
    for uid in divisions_of(compass(), side):
        unit = compass().units[uid]
        parts = [u for u, other in sorted(compass().units.items()) if other.nat == unit.nat and u != uid]
        state = stood(*parts, side=side)
        listed = {found[0]: found[2] for found in assemblies(state, side)}
        ctx = run(stood(*listed[uid], side=side), [assemble(uid, units=list(listed[uid]))])
        assert uid in ctx.state.pieces, uid
        assert uid in {name for name, _form in breakdowns(ctx.state, side)}


def test_a_position_keeps_boxes_dots_and_sizes() -> None:
    state = whole("br-7-arm-xx", "br-7-arm-hq", "br-4-arm-b", "br-7-mot")
    for uid in AUSTRALIANS:
        state.place(uid, state.board.find("19/1326"))
    state = run(state, [assemble("au-6-xx")]).state
    state = run(state, [break_down("au-6-xx", into=SUPPORTED)]).state
    back = restore(compass(), position(state))
    assert position(back) == position(state)
    for uid, name in product(state.pieces, ("re2", "supported")):
        assert getattr(back.unit(uid), name) == getattr(state.unit(uid), name)


def _reset(state: State) -> None:
    for piece in state.pieces.values():
        piece.spent2, piece.entered, piece.means, piece.start = 0, 0, "", piece.hex


def events_of(ctx: Ctx[State]) -> list[str]:
    return [event.kind for event in ctx.events]


def test_the_events_say_what_changed_places() -> None:
    ctx = run(stood(*ARMOR), [assemble("br-7-arm-xx")])
    (event,) = kinds(ctx, "assembled")
    assert (event["unit"], event["form"], event["hex"]) == ("br-7-arm-xx", "support_group", HERE)
    assert events_of(run(ctx.state, [break_down("br-7-arm-xx")]))[0] == "broken-down"


def test_what_is_no_set_does_not_come_out_of_the_box() -> None:
    """Listing and check agree on a division of which a component has been taken away."""
    state = whole()
    state.boxes.pop("au-16")
    assert cites(run(state, [break_down("au-6-xx")]).problems) == ["WD 15.B"]
    assert breakdowns(state, "allied") == []
