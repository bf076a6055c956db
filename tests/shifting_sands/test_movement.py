"""Actions, markers, movement, stacking and control through a whole part of a round (SS 6 to 10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.activation import marker_problems
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.movement import left_after, reach
from adjudicator.shifting_sands.stacking import excess, limit, room
from adjudicator.shifting_sands.state import Ops, State
from tests.shifting_sands.support import AXIS, Row, by_mail, division, kinds, mini, script, section, unit, voids

LIBYA: Row = {"region": "Libya"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    "B": {**LIBYA, "control": "axis"},
    "C": {**LIBYA, "control": "allied"},
    "D": {**LIBYA, "control": "allied"},
}
LINKS = (("A", "B"), ("B", "C"), ("C", "D"), ("A", "C"))


def land(*units: Row, **more: object) -> State:
    """A row of spaces; the Axis part of a round, nothing chosen yet."""
    return mini(SPACES, LINKS, **{"units": list(units), "active": "axis", "round": 1, **more})


def played(state: State, *rows: Row) -> Run[State]:
    """A round of the Axis without combat."""
    _, found = by_mail(state, script({"orders": [section("round"), *rows]}))
    return found


def mark(space: str, kind: str = "move_marker") -> Row:
    """A marker order."""
    return {"type": kind, "space": space}


def move(uid: str, *path: str) -> Row:
    """A move order."""
    return {"type": "move", "unit": uid, "path": list(path)}


PAID: Row = {"ops": {"available": 3, "source": "card"}, "history": {"axis": {1: "ops"}}}
AUTO: Row = {"type": "auto_op"}


def test_the_automatic_operation_gives_one_point_and_an_unordered_round_takes_it() -> None:
    found = played(land(unit("a", "GE", "A")), AUTO, mark("A"), move("a", "A", "B"))
    assert found.state.pieces["a"].at == "B" and not voids(found.events)
    found = played(land(unit("a", "GE", "A")))
    assert kinds(found.events, "action")[0].data["clause"] == "nothing was ordered"


def test_a_card_is_played_once_for_its_points_and_discarded() -> None:
    state = land(unit("a", "GE", "A"))
    (card,) = state.hands[AXIS]
    found = played(state, {"type": "play_card", "card": card, "use": "ops"}, AUTO, mark("A"))
    assert voids(found.events) == ["SS 6.12: one action a round: it was chosen already"]
    assert found.state.discards[AXIS] == [card] and found.state.hands[AXIS] == []
    found = played(state, {"type": "play_card", "card": "minefields-8", "use": "ops"})
    assert voids(found.events)[0].startswith("SS 6.12A: minefields-8 is not in hand")
    found = played(state, {"type": "play_card", "card": card, "use": "rd"}, mark("A"))
    assert voids(found.events) == ["SS 7.21: there are no operations points in this round"]
    assert kinds(found.events, "action")[0].data["use"] == "rd" and found.state.discards[AXIS] == [card]


def test_markers_come_before_moves() -> None:
    state = land(unit("a", "GE", "A"), unit("b", "GE", "B"), **PAID)
    found = played(state, mark("A"), move("a", "A", "B"), mark("B"))
    assert [line[:8] for line in voids(found.events)] == ["SS 7.27:"]
    assert found.state.pieces["a"].at == "B"


def test_there_are_five_markers() -> None:
    names = [f"S{n}" for n in range(6)]
    units = [unit(f"u{n}", "GE", name) for n, name in enumerate(names)]
    state = mini({name: {**LIBYA, "control": "axis"} for name in names}, (), units=units, active="axis")
    state.ops = Ops(9, "event")
    state.markers = dict.fromkeys(names[:5], "move")
    assert [p.rule for p in marker_problems(state, AXIS, "S5", "move")] == ["SS 4.15"]


def test_a_marker_fixes_the_supply_of_the_space() -> None:
    state = land(unit("a", "GE", "B"), ops={"available": 3, "source": "card"}, history={"axis": {1: "ops"}})
    found = played(state, mark("B", "attack_marker"))
    assert kinds(found.events, "marker")[0].data["supply"] == [{"unit": "a", "status": "full"}]


def test_of_moves_into_a_space_too_full_the_last_is_refused() -> None:
    units = [unit(f"u{n}", "GE", "A") for n in range(3)]
    state = land(*units, unit("b", "GE", "B"), markers={"A": "move"}, ops={"available": 3, "source": "card"})
    state.history = {AXIS: {1: "ops"}}
    moves = [move(f"u{n}", "A", "B") for n in range(3)]
    found = played(state, *moves)
    assert [event.data["unit"] for event in kinds(found.events, "move")] == ["u0", "u1"]
    (line,) = voids(found.events)
    assert line.startswith("SS 8.2: B would hold 4 units at the end of movement, 3 may stack")


def test_a_space_may_be_too_full_where_the_excess_is_named() -> None:
    units = [unit("u0", "GE", "A"), division("big", "GE", "A"), *(unit(f"b{n}", "GE", "B") for n in range(2))]
    state = land(*units, markers={"A": "move"}, ops={"available": 3, "source": "card"}, history={"axis": {1: "ops"}})
    moves = [move("u0", "A", "B"), move("big", "A", "B")]
    for chosen, box in (("big", "@eliminated"), ("b0", "@replacement")):
        end: Row = {"type": "end_movement", "allow_overstack": "yes", "eliminate": chosen}
        found = played(state.copy(), *moves, end)
        assert not voids(found.events) and found.state.pieces[chosen].at == box
        assert len(found.state.units_in("B")) == 3
    short: Row = {"type": "end_movement", "allow_overstack": "yes", "eliminate": "b0, b1"}
    found = played(state.copy(), *moves, short)
    assert sorted(line[:7] for line in voids(found.events)) == ["SS 8.2:", "SS 8.2:"], "the end and the last move"
    assert len(found.state.units_in("B")) == 3 and not kinds(found.events, "eliminated")


def test_armor_that_joins_an_attack_has_no_move_left_and_may_fight() -> None:
    state = land(
        unit("tank", "GE", "A", type="armor", mf=6), unit("foot", "IT", "B"), markers={"A": "move", "B": "attack"},
        ops={"available": 3, "source": "card"}, history={"axis": {1: "ops"}},
    )  # fmt: skip
    found = played(state, move("tank", "A", "B"))
    assert found.events[0].data["joined"] == "yes"
    again = played(state, move("tank", "A", "B"), move("tank", "B", "A"))
    assert [line[:8] for line in voids(again.events)] == ["SS 9.16:"]


def test_the_nile_takes_the_whole_move_and_is_listed_round_about() -> None:
    spaces: dict[str, Row] = {
        "Khartoum": {"region": "East Africa", "control": "allied"},
        "Aswan": {"region": "Egypt", "control": "allied"},
        "K": {"region": "East Africa", "control": "allied"},
        "X": {"region": "Egypt", "control": "allied"},
    }
    links = (("K", "Khartoum"), ("Khartoum", "Aswan"), ("Aswan", "X"), ("K", "X"))
    units = [unit("b", "BR", "K", mf=4), unit("c", "BR", "Khartoum")]
    state = mini(spaces, links, units=units, markers={"K": "move", "Khartoum": "move"})
    assert reach(state, "allied", "b")["Aswan"] == ["K", "X", "Aswan"], "not over Khartoum, though that is no longer"
    assert sorted(reach(state, "allied", "c")) == ["Aswan", "K", "X"]
    assert left_after(state, state.counter("c"), ["Khartoum", "Aswan"]) == 0


@pytest.mark.parametrize(("switch", "ends"), [("off", ["A", "C", "D"]), ("on", ["A"])])
def test_an_empty_enemy_fort_may_be_entered_unless_the_switch_says_otherwise(switch: str, ends: list[str]) -> None:
    """SS 9.17, ruling A20."""
    spaces = {**SPACES, "C": {**SPACES["C"], "fort": 2}}
    state = mini(spaces, (("A", "B"), ("B", "C"), ("C", "D")), units=[unit("a", "GE", "B")], markers={"B": "move"})
    state.world = replace(state.world, switches={"fort_blocks_entry": switch})
    assert sorted(reach(state, AXIS, "a")) == ends


# --- stacking and control -------------------------------------------------------------------------------------------


def test_only_one_space_of_a_region_takes_a_fourth_unit() -> None:
    units = [unit(f"t{n}", "BR", "D") for n in range(4)] + [unit(f"s{n}", "AUS", "C") for n in range(3)]
    state = land(*units, events=["Montgomery"])
    assert (limit(state, "D", "allied"), excess(state, "D", "allied")) == (4, 0)
    assert room(state, "C", "allied", "BR") == 0, "D has the one fourth place of Libya"
    state.shift("t3", "@reserve")
    assert room(state, "C", "allied", "BR") == 1 and room(state, "C", "allied", "US") == 0
    assert room(state, "@reserve", "allied", "BR") > 50


def test_control_moves_victory_points_and_frees_the_neutrals() -> None:
    spaces: dict[str, Row] = {
        "Jerusalem": {"region": "Palestine", "control": "allied", "vp": True},
        "Baghdad": {"region": "Iraq", "control": "allied", "vp": True},
        "Mersa Matruh": {"region": "Egypt", "control": "allied", "vp": True},
        "Cairo": {"region": "Egypt", "control": "allied"},
        "Jalo": {"region": "Libya", "control": "allied", "terrain": "oasis"},
    }
    lrdg = unit("L", "BR", "Jalo", counter="BR LRDG")
    state = mini(spaces, (), units=[unit("i", "IR", "Baghdad"), lrdg], vp=5)
    ctx = Ctx(state, apply)
    assert take(ctx, AXIS, ["Jerusalem"], "SS 9") == ["Jerusalem"]
    assert (state.vp, state.released, state.owner("Baghdad")) == (7, {"IR", "VF"}, AXIS)
    assert take(ctx, AXIS, ["Jerusalem"], "SS 9") == []
    take(ctx, AXIS, ["Mersa Matruh"], "SS 9")
    assert state.pieces["L"].at == "Cairo" and kinds(ctx.events, "thrown-back")[0].rule == "SS 11.76"


@pytest.mark.parametrize("full", [True, False])
def test_the_lrdg_without_a_place_in_cairo_goes_to_the_box(full: bool) -> None:
    spaces: dict[str, Row] = {
        "Mersa Matruh": {"region": "Egypt", "control": "allied"},
        "Cairo": {"region": "Egypt", "control": "allied" if full else "axis"},
        "Jalo": {"region": "Libya", "control": "allied"},
    }
    crowd = [unit(f"c{n}", "BR", "Cairo") for n in range(3 if full else 0)]
    units = [unit("L", "BR", "Jalo", counter="BR LRDG"), *crowd]
    state = mini(spaces, (), units=units)
    take(Ctx(state, apply), AXIS, ["Mersa Matruh"], "SS 9")
    assert state.pieces["L"].at == "@replacement"
