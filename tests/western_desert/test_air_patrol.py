"""Patrol attacks: the zone, who may attack, the die, and the default way around zones (WD 19)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from adjudicator.engine.core import Problem
from adjudicator.packs.load import load_pack
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Craft, Flight
from adjudicator.western_desert.air.missions import AIR_STEP, REACTION_STEP, Moment
from adjudicator.western_desert.air.patrol import (
    Entry,
    Patrol,
    entered,
    patrol_problems,
    quiet_path,
    seen,
    turns_back_on,
    zones_of,
)
from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.state import World
from adjudicator.western_desert.world import world_from_pack

WORLD = world_from_pack(load_pack("western-desert").tree, "compass")
BASE = hexes.code(30, 12)
FIGHTER = Patrol(Craft("f", "F", name="Me 109E", attack=7, defense=5, movement=7), BASE)
NIGHT_FIGHTER = Patrol(Craft("nf", "NF", attack=6, movement=20), BASE)
TARGET = Flight(Craft("b", "B", name="Blen 4", defense=3, movement=20), air.PORT)
THEIRS = Moment(AIR_STEP, phasing=False)


def rules(patrol: Patrol, target: Flight = TARGET, entry: Entry = Entry(), moment: Moment = THEIRS) -> list[str]:  # noqa: B008
    """The rules that keep a fighter from an attack."""
    problems: list[Problem] = patrol_problems(patrol, target, entry, moment)
    assert all(problem.text and problem.hint for problem in problems)
    return [problem.rule for problem in problems]


def test_the_zone_is_half_the_rating_rounded_down() -> None:
    """WD 19: a rating of 7 covers three hexes around the base."""
    assert FIGHTER.radius == 3
    assert FIGHTER.covers(hexes.code(30, 15)) and not FIGHTER.covers(hexes.code(30, 16)) and FIGHTER.covers(BASE)


def test_only_operative_fighters_have_a_zone() -> None:
    """WD 19, 16.B.1."""
    assert FIGHTER.zone and not FIGHTER._replace(operative=False).zone
    assert not Patrol(TARGET.craft, BASE).zone and not Patrol(TARGET.craft, BASE).covers(BASE)


def test_who_may_attack_and_when() -> None:
    """WD 19, 19.when, 19.once, 19.per-hex, 16.B.1, 24.E.patrol, 28.B.3.air."""
    assert rules(FIGHTER) == []
    assert rules(Patrol(TARGET.craft, BASE)) == ["WD 19"]
    assert rules(FIGHTER._replace(operative=False)) == ["WD 16.B.1"]
    assert rules(FIGHTER._replace(attacks=1)) == ["WD 19.once"]
    assert rules(FIGHTER, entry=Entry(covered=False)) == ["WD 19"]
    assert rules(FIGHTER, entry=Entry(attacked=True)) == ["WD 19.per-hex"]
    assert rules(FIGHTER, replace(TARGET, fate=air.TURNED_BACK)) == ["WD 19.result"]
    assert rules(FIGHTER, moment=Moment(REACTION_STEP, phasing=False)) == ["WD 19.when"]
    assert rules(FIGHTER, moment=Moment("air_return", phasing=False)) == ["WD 19.when"]
    assert rules(FIGHTER, moment=Moment(AIR_STEP, phasing=True)) == ["WD 19.when"]
    assert rules(FIGHTER, moment=THEIRS._replace(surprise=True)) == ["WD 28.B.3.air"]


def test_at_night_only_night_fighters_patrol_and_by_day_they_do_too() -> None:
    """WD 24.E.patrol."""
    dark = replace(TARGET, night=True)
    assert rules(FIGHTER, dark) == ["WD 24.E.patrol"]
    assert rules(NIGHT_FIGHTER, dark) == [] == rules(NIGHT_FIGHTER)


@pytest.mark.parametrize(
    ("attack", "defense", "first"),
    [(3, 5, 6), (5, 5, 6), (5, 4, 5), (5, 3, 5), (7, 4, 5), (6, 3, 4), (8, 3, 4), (1, 0, 4), (0, 0, 6), (1, 1, 6)],
)
def test_what_turns_back(attack: int, defense: int, first: int) -> None:
    """WD 19.odds, chart.patrol, ruling PATROL-ZERO."""
    assert turns_back_on(WORLD, attack, defense) == tuple(range(first, 7))


def test_a_pack_without_the_chart_is_told() -> None:
    world = World(WORLD.board, {}, {"patrol": [{"ratio": "2 or more", "turn_back_from": "4"}]})
    with pytest.raises(ChartMissing, match="patrol has no row 1 or less"):
        turns_back_on(world, 1, 1)


def test_a_patrol_sees_no_mission_unless_the_house_rule_shows_it() -> None:
    """WD 19.when, 16.B.2, ruling MISSION-SEEN: model, type and tow."""
    tow = replace(TARGET, tow=Craft("gt", "GT"))
    assert seen(WORLD, TARGET)[1:] == ("B", False, "") and seen(WORLD, tow).towing
    shown = replace(WORLD, switches={"patrol_sees_mission": "true"}, cache={})
    assert seen(shown, TARGET).mission == air.PORT


def test_zones_are_those_of_fighters_that_can_still_attack() -> None:
    """WD 19.once, 24.E.patrol."""
    assert zones_of([FIGHTER], night=False) == set(hexes.within(BASE, 3))
    assert zones_of([FIGHTER], night=True) == set() == zones_of([FIGHTER._replace(attacks=1)], night=False)
    assert zones_of([NIGHT_FIGHTER], night=True) == set(hexes.within(BASE, 10))
    assert zones_of([FIGHTER._replace(operative=False), Patrol(TARGET.craft, BASE)], night=False) == set()


def best(start: int, goal: int, most: int, zones: set[int]) -> tuple[int, int] | None:
    """The fewest hexes of zones and the fewest hexes of all ways of at most so many hexes, each tried."""
    found = []
    ways = [(start, 0, 0)]
    while ways:
        here, met, length = ways.pop()
        if here == goal:
            found.append((met, length))
        if length < most:
            ways += [(h, met + (h in zones), length + 1) for h in hexes.neighbours(here)]
    return min(found, default=None)


@pytest.mark.parametrize(("most", "radius", "off"), list(product((2, 3, 4, 5, 6), (0, 1), (0, 1, 2))))
def test_the_default_way_is_the_best_of_all(most: int, radius: int, off: int) -> None:
    """WD 18, ruling AIR-PATH: fewest patrol zones first, then the shortest; compared with every way there is."""
    start, goal = hexes.code(30, 10), hexes.code(30, 13)
    zones = set(hexes.within(hexes.code(30 + off, 11), radius)) - {start}
    path = quiet_path(start, goal, most, zones)
    expected = best(start, goal, most, zones)
    if path is None:
        assert expected is None
        return
    assert (entered(path, zones), len(path)) == expected
    assert all(hexes.adjacent(a, b) for a, b in zip([start, *path], path, strict=False)) and path[-1] == goal


def test_closed_hexes_are_flown_around() -> None:
    """WD 28.C: the default way keeps off what is closed."""
    start, goal, shut = hexes.code(30, 10), hexes.code(30, 12), hexes.code(30, 11)
    assert quiet_path(start, goal, 4, set()) == [shut, goal]
    around = quiet_path(start, goal, 4, set(), hexes.all_hexes() - {shut})
    assert around is not None and len(around) == 3 and shut not in around
    assert quiet_path(start, goal, 2, set(), hexes.all_hexes() - {shut}) is None
    assert quiet_path(start, start, 4, {start}) == []


def test_a_way_across_both_maps_is_found_at_once() -> None:
    """The longest leg of a transfer, three times 35, through many zones."""
    zones = {h for u in range(10, 90, 10) for h in hexes.within(hexes.code(u, 10), 5)}
    path = quiet_path(hexes.code(2, 10), hexes.code(99, 10), 105, zones)
    assert path is not None and len(path) <= 105 and entered(path, zones) <= 65
