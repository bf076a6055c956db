"""Airbases in the air war and the repair of air units (WD 17, 23)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.packs.load import load_pack
from adjudicator.western_desert.air.airbase import (
    ESCAPED,
    REMAINS,
    Escape,
    escape,
    escape_problems,
    escapes_on,
    havens,
    lost_with_base,
    may_try,
    take_off_problems,
    take_offs_left,
)
from adjudicator.western_desert.air.craft import ELIMINATED, Craft, craft_of
from adjudicator.western_desert.air.landing import Base
from adjudicator.western_desert.air.repair import nation_of, repair_problems, repaired_up_to
from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.state import World, turn_number
from adjudicator.western_desert.world import world_from_pack

WORLD = world_from_pack(load_pack("western-desert").tree, "compass")
CRAFT = Craft("cr-42", "F", "axis", "italian", name="CR.42", movement=7)


@pytest.mark.parametrize(("capacity", "used", "left"), [(3, 0, 3), (3, 2, 1), (3, 3, 0), (1, 3, 0), (0, 0, 0)])
def test_take_offs_are_counted_by_base_and_phase(capacity: int, used: int, left: int) -> None:
    """WD 17.A, ruling CAPACITY-WHO; bombs may leave less than has been used."""
    assert take_offs_left(capacity, used) == left
    problems = take_off_problems("CR.42", "Derna", capacity, used)
    assert [problem.rule for problem in problems] == ([] if left else ["WD 17.A"])
    assert all(f"capacity of {capacity}, and {used} took off" in problem.text for problem in problems)


def test_who_may_try_to_escape() -> None:
    """WD 17.B, 16.B.1, ruling ESCAPE-MISSIONS."""
    assert may_try(True) and not may_try(False)
    assert escape_problems("CR.42", True, entered=True) == []
    assert [p.code for p in escape_problems("CR.42", False, entered=True)] == ["inoperative"]
    assert [p.code for p in escape_problems("CR.42", True, entered=False)] == ["no_enemy"]


def test_what_an_escape_comes_to() -> None:
    """WD 17.B, 17.B.fly, chart.escape: 1 to 3 escapes, within three times the rating; none there: lost."""
    near, edge, beyond = Base("near", 2), Base("edge", 21), Base("beyond", 22)
    assert havens(CRAFT, [beyond, edge, near]) == [edge, near]
    assert escapes_on(WORLD) == (1, 2, 3) and escapes_on(WORLD) is escapes_on(WORLD)
    for die in (1, 2, 3):
        assert escape(WORLD, CRAFT, die, [beyond, edge, near]) == Escape(ESCAPED, "edge")
        assert escape(WORLD, CRAFT, die, [beyond]) == Escape(ELIMINATED)
    for die in (4, 5, 6):
        assert escape(WORLD, CRAFT, die, [near]) == Escape(REMAINS) == escape(WORLD, CRAFT, die, [])


def test_the_switch_kills_who_fails_to_escape() -> None:
    """WD 17.B, ruling ESCAPE-CHART: the chart against the text."""
    world = replace(WORLD, switches={"escape_failure": "eliminated"}, cache={})
    near = [Base("near", 2)]
    assert escape(world, CRAFT, 4, near) == Escape(ELIMINATED)
    assert escape(world, CRAFT, 3, near) == Escape(ESCAPED, "near")


def test_a_pack_without_the_whole_chart_is_told() -> None:
    world = World(WORLD.board, {}, {"air_escape": [{"die": "1", "result": "escapes"}]})
    with pytest.raises(ChartMissing, match="each roll of a die"):
        escapes_on(world)


def test_who_is_lost_with_the_base() -> None:
    """WD 17.B.capture, 17.C, ruling ESCAPE-CHART: who stayed, tried or not, once the enemy controls the hex."""
    outcomes = {"a": Escape(ESCAPED, "near"), "b": Escape(REMAINS), "c": Escape(ELIMINATED)}
    assert lost_with_base(["a", "b", "c", "never-tried"], outcomes, enemy_controls=True) == ["b", "never-tried"]
    assert lost_with_base(["a", "b", "c", "never-tried"], outcomes, enemy_controls=False) == []


@pytest.mark.parametrize(
    ("nation", "turn", "most"),
    [
        ("italian", "Dec I 40", 2),
        ("italian", "Jan II 43", 2),
        ("german", "Mar I 41", 3),
        ("allied", "Jun II 41", 2),
        ("allied", "Jul I 41", 3),
        ("allied", "Jun II 42", 3),
        ("allied", "Jul I 42", 4),
    ],
)
def test_what_repairs(nation: str, turn: str, most: int) -> None:
    """WD 23, chart.repair: the Allied number rises with the dates of the order of battle."""
    assert repaired_up_to(WORLD, nation, turn_number(turn)) == most


def test_every_air_unit_has_a_line_of_the_chart() -> None:
    """WD 23."""
    for aid in sorted(WORLD.air):
        assert repaired_up_to(WORLD, nation_of(craft_of(WORLD, aid)), 1) in (2, 3)
    with pytest.raises(ChartMissing, match="no row for vichy on turn 3"):
        repaired_up_to(WORLD, "vichy", 3)


def test_what_keeps_from_an_attempt() -> None:
    """WD 23, 28.A.3.turn."""

    def rules(
        craft: Craft = CRAFT, operative: bool = False, turn: int = 2, phase: str = "initial", own: bool = True
    ) -> list[str]:
        return [problem.rule for problem in repair_problems(craft, operative, turn, phase, own)]

    assert rules() == []
    assert rules(operative=True) == ["WD 23"]
    assert rules(phase="movement") == ["WD 23"] == rules(own=False)
    assert rules(turn=1) == ["WD 28.A.3.turn"]
    assert rules(replace(CRAFT, nat="german"), turn=1) == []
