"""The map of Shifting Sands agrees with every fact of it that is told anywhere (shifting_sands_facts.yaml)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from tests.packs.shifting_sands import (
    FAR,
    Row,
    control,
    counters,
    distance,
    facts,
    lines,
    pack,
    regions,
    spaces,
    standing,
    torch,
)

NORTH_AFRICA = ("Libya", "Egypt", "Tunisia", "Algeria", "West Africa")
LONGEST = 380
"""Kilometers of a solid line in North Africa; only the Nile valley is longer."""


def within(region: str) -> list[str]:
    return [name for name, row in spaces().items() if row["region"] == region]


def ports(side: str, own: dict[str, str]) -> list[str]:
    """Ports a side may trace supply over at the start (13.54)."""
    shut = {"Mersa Matruh", "Benghazi", *(["Basra"] if side == "axis" else [])}
    return [n for n, row in spaces().items() if row.get("port") == "yes" and own[n] == side and n not in shut]


@pytest.mark.parametrize("fact", facts()["adjacent"], ids=lambda fact: "-".join(fact["spaces"]))
def test_adjacent(fact: Row) -> None:
    for one, other in pairwise(fact["spaces"]):
        assert lines()[one][other].get("only", "") == fact.get("only", "")


@pytest.mark.parametrize("fact", facts()["within"], ids=lambda fact: "-".join(fact["spaces"]))
def test_within_steps(fact: Row) -> None:
    one, other = fact["spaces"]
    assert distance(one, other, around=fact.get("around", [])) <= int(fact["steps"])


def test_terrain() -> None:
    """SS 2.1, ruling A06."""
    for terrain, names in facts()["terrain"].items():
        assert {name: spaces()[name]["terrain"] for name in names} == dict.fromkeys(names, terrain)
    assert all(spaces()[name]["fort"] == "0" for name in facts()["no_fort"])
    assert spaces()["Deep Desert"]["terrain"] == "deep_desert"
    assert spaces()["Jalo"]["terrain"] == "oasis"


def test_forts() -> None:
    """FAQ: Egypt, Libya and Tunisia have some, neither in marsh nor in mountains; 19.6: Vichy Syria has some."""
    forts = {name: row for name, row in spaces().items() if row["fort"] != "0"}
    for region in facts()["forts_in"]:
        mine = [row for row in forts.values() if row["region"] == region]
        assert mine and all(row["terrain"] == "clear" for row in mine), region
    assert any(row["region"] == "Syria" for row in forts.values())


def test_ports() -> None:
    """12.71, 12.72, 13.54 name these, and west of Libya no others."""
    found = {name for name, row in spaces().items() if row.get("port") == "yes"}
    assert set(facts()["ports"]) <= found
    west = {name for name in found if spaces()[name]["region"] in ("Tunisia", "Algeria", "West Africa")}
    assert west == set(facts()["ports_in_the_west"])


def test_victory_spaces() -> None:
    """16.5, and 4.12: the Axis begin with ten."""
    found = {name: row["control"] for name, row in spaces().items() if row.get("vp") == "yes"}
    assert found == {name: side for side, names in facts()["vp"].items() for name in names}
    assert len(facts()["vp"]["axis"]) == 10


def test_supply_sources() -> None:
    """13.2 to 13.44: these and no others, each with its rule."""
    found = [
        [name, source["user"], *([c["played"] for c in source["conditions"]] or [""]), source["rule"]]
        for name, row in spaces().items()
        for source in row["sources"]
    ]
    assert sorted(found) == sorted(facts()["sources"])
    egypt = {name for name in within("Egypt") if spaces()[name].get("vp") == "yes"}
    assert egypt == set(facts()["egyptian_vp"]) == {row[0] for row in found if row[1] == "eg"}


def test_control_at_the_start() -> None:
    """SS 2.1, ruling A06."""
    """FAQ: Bardia is Libyan and Axis, all of Egypt Allied."""
    assert (spaces()["Bardia"]["region"], spaces()["Bardia"]["control"]) == ("Libya", "axis")
    assert {spaces()[name]["control"] for name in within("Egypt")} == {"allied"}
    assert spaces()["Sidi Suleiman"]["region"] == "Egypt"


def test_regions() -> None:
    """10.44: Sinai is Egypt; 10.5: Oran and Casablanca are West Africa; off-map spaces."""
    assert {row["region"] for row in spaces().values()} <= set(regions())
    assert (spaces()["Sinai"]["region"], spaces()["Sinai"]["area"]) == ("Egypt", "Near East")
    assert {spaces()[name]["region"] for name in ("Oran", "Casablanca")} == {"West Africa"}
    assert spaces()["Algiers"]["region"] == "Algeria"
    assert {spaces()[name]["region"] for name in facts()["off_map"]} == {"Off-map"}
    assert {name for name, row in regions().items() if row.get("group") == "near_east"} == set(facts()["near_east"])


def test_closed_regions() -> None:
    """10.51 for both sides, 10.432 for the Allies."""
    both = {name for name, row in regions().items() if row.get("closed_until") and "closed_to" not in row}
    assert both == set(facts()["closed_until_torch"])
    assert all(regions()[name]["closed_until"] == [{"played": "Torch"}] for name in both)
    assert regions()["Syria"]["closed_to"] == "allied"
    (condition,) = regions()["Syria"]["closed_until"]
    assert {part["played"] for part in condition["any_of"]} == {"Exporter", "Torch", "Unternehmen Irak"}


def test_west_of_tripoli() -> None:
    """10.521: by longitude, and there are such spaces beside Tripoli."""
    tripoli = float(spaces()["Tripoli"]["lon"])
    west = {n for n, row in spaces().items() if row["region"] in NORTH_AFRICA and float(row["lon"]) < tripoli}
    assert west == {name for name, row in spaces().items() if row.get("west_of_tripoli") == "yes"}
    assert west & set(lines()["Tripoli"])


def test_nile_and_aden() -> None:
    """10.21, 11.263, 12.61 and 10.22, 11.54."""
    nile = lines()["Khartoum"]["Aswan"]
    assert (nile["only"], nile["whole_move"], nile["rd_stops"], nile["attack_drm"]) == ("allied", "yes", "yes", "-1")
    assert [row for row in pack().rows("links") if "whole_move" in row] == [nile]
    assert {name: row["hold_from"] for name, row in spaces().items() if "hold_from" in row} == {"Berbera": "Aden"}


def test_khartoum_is_entered_by_kassala_and_gallabat() -> None:
    """17.0, 18.0: it is a VP space without a garrison."""
    assert set(lines()["Khartoum"]) == {"Aswan", "Kassala", "Gallabat"}
    assert distance("Ghimbi", "Addis Ababa") == 1


def test_chad_touches_what_axis_battlegroups_may_enter() -> None:
    """FAQ: the Axis may attack it after the LRDG."""
    near = lines()["Chad"]
    assert any(spaces()[n]["terrain"] in ("oasis", "clear") and near[n]["only"] == "battlegroups" for n in near)


def test_el_alamein() -> None:
    """5.41: an Egyptian VP space is next to it, no Axis unit of a set-up is."""
    near = set(lines()["El Alamein"])
    assert near & set(facts()["egyptian_vp"])
    for scenario in ("campaign", "sonnenblume"):
        for name, stack in standing(pack().scenario(scenario)).items():
            axis = [unit["id"] for unit in stack if unit["nation"] in ("GE", "IT")]
            assert not (axis and name in near | {"El Alamein"}), axis


def test_the_map_hangs_together() -> None:
    apart = {name for name, near in lines().items() if not near}
    assert apart == {"Malta", "Sicily Box"}
    seen, ring = {"Tripoli"}, ["Tripoli"]
    while ring:
        ring = [other for name in ring for other in lines()[name] if other not in seen]
        seen.update(ring)
    assert seen == set(spaces()) - apart


def test_names_of_set_ups_and_rules_are_spaces() -> None:
    listed = {row["at"] for name in ("campaign", "sonnenblume") for row in pack().scenario(name)["units"]}
    listed |= {row["space"] for name in ("campaign", "sonnenblume") for row in pack().scenario(name)["control"]}
    listed |= {row["at"] for row in torch()["units"]} | {row["space"] for row in torch()["control"]}
    listed = {name for name in listed if not name.startswith("@")} | set(facts()["named_elsewhere"])
    assert listed <= set(spaces())
    assert len(listed) == 102


def test_misprinted_names_are_understood() -> None:
    """Map errata, ruling A09."""
    assert "Fondoux" in spaces()["Fondouk"]["aliases"]
    assert "Malmata" in spaces()["Matmata"]["aliases"]


def kilometers(one: str, other: str) -> float:
    a, b = spaces()[one], spaces()[other]
    north, south = math.radians(float(a["lat"])), math.radians(float(b["lat"]))
    east = math.radians(float(a["lon"]) - float(b["lon"]))
    angle = math.sin(north) * math.sin(south) + math.cos(north) * math.cos(south) * math.cos(east)
    return 6371 * math.acos(min(1.0, angle))


def test_lines_of_north_africa_are_short() -> None:
    far = [
        {row["a"], row["b"]}
        for row in pack().rows("links")
        if "only" not in row
        and all(spaces()[row[end]]["area"] in ("Libya", "Egypt", "Tunisia", "Algeria") for end in ("a", "b"))
        and kilometers(row["a"], row["b"]) > LONGEST
    ]
    assert far == [{"Cairo", "Aswan"}]


SYRIA = {name for name, row in spaces().items() if row["region"] == "Syria"}


def test_mosul_before_and_after_the_revolt() -> None:
    """10.422, FAQ on the Iraqi Revolt: then exactly Mosul is cut off among the Allied spaces of Iraq."""
    assert distance("Mosul", "Port Said", around=SYRIA) < FAR
    own = control()
    held = {name for name, stack in standing(pack().scenario("campaign")).items() if stack[0]["nation"] == "IR"}
    assert held == {"Baghdad", "Kirkuk", "Samawah"}
    own.update(dict.fromkeys(held, "axis"))
    cut = {n for n in within("Iraq") if own[n] == "allied" and not allied_line(n, own)}
    assert cut == {"Mosul"}
    assert own["Baghdad"] != spaces()["Baghdad"]["control"] == "allied", "ruling A80: the source of the IR is Allied"


def allied_line(name: str, own: dict[str, str]) -> bool:
    """Whether the Allies trace from a space to Port Said by land, or to a port."""
    goals = ["Port Said", *ports("allied", own)]
    return any(distance(name, goal, own, "allied") < FAR for goal in goals)


def test_supply_at_the_start_of_the_campaign() -> None:
    """17.0: Libya to Tripoli, East Africa to Addis Ababa, Allies to a source or a port."""
    own = control()
    for name, stack in standing(pack().scenario("campaign")).items():
        nation, region = stack[0]["nation"], spaces()[name]["region"]
        if nation == "IT":
            goal = "Addis Ababa" if region == "East Africa" else "Tripoli"
            assert distance(name, goal, own, "axis") < FAR, name
        elif nation not in ("VF", "IR") and name != "Chad":
            assert allied_line(name, own), name


def test_supply_at_sonnenblume() -> None:
    """18.0: Allied Libya reaches Port Said by land, the Axis front reaches Tripoli."""
    own = control(pack().scenario("sonnenblume"))
    for name in facts()["allied_at_sonnenblume"]:
        assert own[name] == "allied" and distance(name, "Port Said", own, "allied") < FAR, name
    for name in ("Tarhuna", "Buerat", "Giof el Matar", "El Agheila"):
        assert distance(name, "Tripoli", own, "axis") < FAR, name


def test_supply_and_front_at_torch() -> None:
    """Torch set-up: Allies to Oran or Casablanca, Axis to Tunis, and the two touch."""
    own = control(torch())
    west, east = facts()["allied_after_torch"], facts()["axis_after_torch"]
    assert {row["space"] for row in torch()["control"] if row["side"] == "allied"} == set(west)
    for name in west:
        assert min(distance(name, goal, own, "allied") for goal in ("Oran", "Casablanca")) < FAR, name
    for name in east:
        assert own[name] == "axis" and distance(name, "Tunis", own, "axis") < FAR, name
    assert any(other in east for name in west for other in lines()[name])


def test_corps_franc_finds_a_mountain() -> None:
    """7.532: an Allied mountain of Algeria or Tunisia after Torch."""
    own = control(torch())
    rough = [n for n in (*within("Algeria"), *within("Tunisia")) if spaces()[n]["terrain"] == "mountain"]
    assert any(own[name] == "allied" for name in rough)


@pytest.mark.parametrize("scenario", ["campaign", "sonnenblume"])
def test_no_victory_space_falls_in_the_first_move(scenario: str) -> None:
    """No VP space without a garrison can be entered by an enemy's first move from where he stands."""
    setup = pack().scenario(scenario)
    own, stacks = control(setup), standing(setup)
    taken = [
        (unit["id"], name, goal)
        for name, stack in stacks.items()
        for unit in stack
        if unit["nation"] not in ("VF", "IR")
        for goal in first_move(unit, name, stacks)
        if spaces()[goal].get("vp") == "yes" and own[goal] != side_of(unit)
    ]
    assert taken == []


def side_of(unit: Row) -> str:
    return "axis" if unit["nation"] in ("GE", "IT", "VF", "IR", "EG") else "allied"


def first_move(unit: Row, start: str, stacks: dict[str, list[Row]]) -> set[str]:
    """Spaces that a unit reaches with its movement factor, enemy units and closed land aside."""
    seen, ring = {start}, [start]
    for step in range(int(unit["mf"])):
        near = [(o, row) for name in ring for o, row in lines()[name].items() if o not in seen]
        ring = sorted({o for o, row in near if enters(unit, row, o, stacks, step)})
        seen.update(ring)
        ring = [name for name in ring if "whole_move" not in lines()[name].get(start, {})]
    return seen - {start}


def enters(unit: Row, line: Row, goal: str, stacks: dict[str, list[Row]], step: int) -> bool:
    side, region = side_of(unit), regions()[spaces()[goal]["region"]]
    closed = region.get("closed_until") and region.get("closed_to", side) == side
    hard = spaces()[goal]["terrain"] in ("oasis", "deep_desert", "box")
    blocked = any(side_of(other) != side for other in stacks.get(goal, []))
    only: Any = line.get("only")
    shut = only == "lrdg" or (only == "allied" and side == "axis")
    shut = shut or (only == "battlegroups" and unit["size"] == "division")
    return not (closed or hard or blocked or shut or (line.get("whole_move") and step > 0))


def test_a_division_is_stopped_by_dotted_lines() -> None:
    """The tool above: a division may not go where a battlegroup may."""
    division, group = counters()["it-27"], counters()["it-inf-bg-1"]
    dotted = lines()["Murzuk"]["Buerat"]
    assert not enters(division, dotted, "Buerat", {}, 0)
    assert enters(group, dotted, "Buerat", {}, 0)
