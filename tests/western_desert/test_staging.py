"""Air units that stage through Europe, an optional rule: who, from where, when, and what may follow (WD 33.F)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Order
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.facts import base_hexes
from adjudicator.western_desert.air.plans import checked
from adjudicator.western_desert.air.staging import BOX, Stage, in_europe, stage_problems
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import Air, State, turn_number
from tests.western_desert.sorties import GLIDER, JU_52, JU_87, air_phase
from tests.western_desert.turns import AIR, COMBAT, MOVEMENT, NO_EXPLOITATION, Turns

SECTION = {"type": "section", "name": "air"}
HOME = {"type": "stage", "air": [JU_87]}


@pytest.fixture
def state() -> State:
    """The Axis air phase of Jun I 41, a dive bomber at Sicily."""
    made = air_phase("axis")
    made.step, made.turn = "air", turn_number("Jun I 41")
    made.world = replace(made.world, switches={"options": "33.F"}, cache={})
    made.air[JU_87] = Air(island(made, "Sicily"))
    return made


def island(state: State, name: str) -> int:
    """The first Axis base of an island."""
    return next(h for h in base_hexes(state, "axis") if state.board.in_region(h, name))


def codes(state: State, stage: Stage, side: str = "axis") -> list[str]:
    """What is wrong with a staging."""
    return [problem.code for problem in stage_problems(state, side, stage, book_of(state))]


def test_from_an_island_base_to_europe(state: State) -> None:
    """WD 33.F."""
    assert not codes(state, Stage(JU_87))
    state.air[JU_87].hex = state.board.find("18/4818")
    assert codes(state, Stage(JU_87)) == ["island"]
    state.air[JU_87] = Air(island(state, "Sicily"), operative=False)
    assert codes(state, Stage(JU_87)) == ["inoperative"]
    assert codes(state, Stage("air-blen-4-1")) == ["side"]
    assert codes(state, Stage(JU_87), "allied") == ["side"]


def test_crete_and_rhodes_are_open_from_june(state: State) -> None:
    rhodes = island(state, "Rhodes")
    state.put_by(JU_87, BOX) if state.air.pop(JU_87) else None
    assert not codes(state, Stage(JU_87, rhodes))
    state.turn -= 1
    assert codes(state, Stage(JU_87, rhodes)) == ["date"]
    assert not codes(state, Stage(JU_87, island(state, "Sicily")))


def test_who_came_in_flies_no_mission_but_may_go_on(state: State) -> None:
    """WD 20.D.long: it is a transfer of three times the rating; the orders of one section follow each other."""
    name, rhodes = state.board.name, island(state, "Rhodes")
    rows = [
        Order(0, "stage", {"air": [JU_87]}),
        Order(1, "stage", {"air": [JU_87], "hex": name(rhodes)}),
        Order(2, "harass", {"air": [JU_87], "hex": "19/1003"}),
        Order(3, "stage", {"air": [JU_87]}),
    ]
    found = [[problem.code for problem in problems] for _order, problems, _plans in checked(state, "axis", rows)]
    assert found[0] == found[1] == found[3] == []
    assert "long_transfer" in found[2]
    assert not in_europe(state), "what is checked leaves the position alone"


def test_a_mission_before_bars_it(state: State) -> None:
    rows = [Order(0, "harass", {"air": [JU_87], "hex": "18/0203"}), Order(1, "stage", {"air": [JU_87]})]
    bad = [problems for _order, problems, _plans in checked(state, "axis", rows)]
    assert bad[0] or [problem.code for problem in bad[1]] == ["flown"]


def test_the_base_counts_a_take_off_and_europe_none(state: State) -> None:
    """WD 33.F: there is room for all in Europe."""
    game = Turns("Jun I 41", "axis", "33.F")
    h = island(game.state, "Sicily")
    game.state.air |= {JU_87: Air(h), JU_52: Air(h)}
    game.state.put_by("air-ju-88a-1", BOX)
    game.state.put_by("air-ju-88a-2", BOX)
    back = {"type": "stage", "air": ["air-ju-88a-1", "air-ju-88a-2"], "hex": game.state.board.name(h)}
    game.play({"type": "pass"}, MOVEMENT, SECTION, back, HOME, {**HOME, "air": [JU_52]}, COMBAT, NO_EXPLOITATION)
    assert [row["way"] for row in game.told("staged")] == ["in", "in", "out"]
    assert [row["code"] for row in game.told("void")] == ["capacity"]
    assert in_europe(game.state) == [JU_87]
    assert {game.state.air[aid].hex for aid in ("air-ju-88a-1", "air-ju-88a-2", JU_52)} == {h}


def test_who_comes_from_europe_is_met_over_its_base_alone() -> None:
    """Ruling STAGE-BACK: it enters the hex of its base; turned back there it lands like all who are."""
    game = Turns("Jun I 41", "axis", "33.F")
    board, gela, fighter = game.state.board, game.state.board.find("18/0304"), "air-hurri-1-1"
    near = next(h for h in sorted(board.land) if board.in_region(h, "Sicily") and hexes.distance(h, gela) == 2)
    game.state.control[near] = game.state.airfields[near] = "allied"
    game.state.air = {fighter: Air(near)}
    game.state.put_by(JU_87, BOX)
    back = {"type": "stage", "air": [JU_87], "hex": "18/0304"}
    rows = ({"type": "pass"}, MOVEMENT, SECTION, back, COMBAT, NO_EXPLOITATION)
    game.play(*rows, dice=lambda _seq, roll: (6,) * roll.count)
    (met,) = game.told("patrol-attack")
    assert (met["hex"], met["result"]) == ("18/0304", "turned_back")
    assert [row["base"] for row in game.told("air-landed") if row["air"] == JU_87] == ["18/0304"]
    assert game.state.air[JU_87].hex == gela and not in_europe(game.state)


def test_who_is_in_europe_is_kept_and_waited_for(state: State) -> None:
    """An air phase stops for a player whose air units are all there."""
    game = Turns("Jun I 41", "axis", "33.F")
    game.state.air = {}
    game.state.put_by(JU_87, BOX)
    again = restore(game.state.world, position(game.state))
    assert in_europe(again) == [JU_87]
    game.play({"type": "pass"}, MOVEMENT, AIR, COMBAT, NO_EXPLOITATION)
    assert in_europe(game.state) == [JU_87]


def test_a_glider_comes_on_the_tow_of_a_transport() -> None:
    """WD 24.C: both are there; by itself it flies nowhere."""
    game = Turns("Jun I 41", "axis", "33.F")
    h = island(game.state, "Sicily")
    game.state.put_by(JU_52, BOX)
    game.state.put_by(GLIDER, BOX)
    assert codes(game.state, Stage(GLIDER, h)) and codes(game.state, Stage(JU_52, h, tow="air-dfs-230-special-2"))
    back = {"type": "stage", "air": [JU_52], "tow": [GLIDER], "hex": game.state.board.name(h)}
    game.play({"type": "pass"}, MOVEMENT, SECTION, back, COMBAT, NO_EXPLOITATION)
    assert {game.state.air[aid].hex for aid in (JU_52, GLIDER)} == {h} and not in_europe(game.state)
