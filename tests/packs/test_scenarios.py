"""The set-ups of the scenarios (WD 28.A, 28.B.3, 30), and what each of them says of its span."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.packs.support import grid, hexes, pack

SCENARIOS = ("campaign", "compass", "enter-rommel", "crusader")
SPANS = {
    "campaign": ("Dec I 40", "Jan II 43", "allied", 52),
    "compass": ("Dec I 40", "Feb I 41", "allied", 5),
    "enter-rommel": ("Mar II 41", "Jun I 41", "axis", 6),
    "crusader": ("Nov II 41", "Jan I 42", "allied", 4),
}
every = pytest.mark.parametrize("scenario", SCENARIOS)


def compass() -> dict[str, Any]:
    return pack().scenario("compass")


def stacks(scenario: str = "compass") -> dict[str, list[dict[str, Any]]]:
    counters = {row["id"]: row for row in pack().rows("counters")}
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in pack().scenario(scenario)["deploy"]:
        found[entry["hex"]].append(counters[entry["unit"]])
    return found


def test_the_scenarios() -> None:
    assert {row["id"] for row in pack().rows("scenarios")} == set(SCENARIOS)


@every
def test_span(scenario: str) -> None:
    row, (start, end, first, turns) = pack().scenario(scenario), SPANS[scenario]
    assert (row["start"], row["end"], row["first"]) == (start, end, first)
    assert (row["turns"][0], row["turns"][-1], len(row["turns"])) == (start, end, turns)


def test_the_campaign_begins_as_compass() -> None:
    for key in ("deploy", "air_deploy", "boxes", "supply", "control", "attack_force", "opening", "malta_status"):
        assert pack().scenario("campaign")[key] == compass()[key], key


@every
def test_every_unit_stands_on_land(scenario: str) -> None:
    for name in stacks(scenario):
        assert name in hexes()
        assert hexes()[name]["terrain"] != "salt_marsh"


@every
def test_stacking(scenario: str) -> None:
    """WD 8.A: six units, three of them divisions, and two artillery units."""
    for name, stack in stacks(scenario).items():
        counted = [unit for unit in stack if unit["size"] != "none"]
        artillery = sum(unit["caps"]["artillery"] == "yes" for unit in counted)
        assert len(counted) - min(artillery, 2) <= 6, name
        assert sum(unit["size"] == "division" for unit in counted) <= 3, name
        assert len({unit["side"] for unit in stack}) == 1, name


def test_reported_stacks_of_the_frontier() -> None:
    """The Italian stacks that a report names, and the attack force before them (hexes by conversion)."""
    for name in ("19/0726", "19/0527", "19/0226"):
        assert {unit["side"] for unit in stacks()[name]} == {"axis"}
    assert any(entry["hex"] == "18/5019" for entry in compass()["air_deploy"])
    for name in ("19/1126", "19/1127"):
        assert {unit["side"] for unit in stacks()[name]} == {"allied"}


def test_attack_force() -> None:
    placed = {entry["unit"]: entry["hex"] for entry in compass()["deploy"]}
    assert {placed[unit] for unit in compass()["attack_force"]} == {"19/1126", "19/1127", "19/1225"}
    assert "in-4-hq" in compass()["attack_force"]


@every
def test_air_units_stand_on_airbases(scenario: str) -> None:
    """WD 17.A: cities, fortresses, airfields."""
    fields = {row["hex"] for row in pack().scenario(scenario)["airfields"]}
    for entry in pack().scenario(scenario)["air_deploy"]:
        row = hexes()[entry["hex"]]
        assert row["cities"] or row.get("fortress") or entry["hex"] in fields, entry


def test_control_of_egypt() -> None:
    """WD 30: Axis is what Italian units occupy or have in their zone of control; the rest of Egypt is Allied."""
    axis = {row["hex"] for row in compass()["control"] if row["side"] == "axis"}
    occupied = {n for n, stack in stacks().items() if stack[0]["side"] == "axis"}
    egypt = {n for n, row in hexes().items() if row["country"] == "Egypt"}
    assert occupied & egypt <= axis <= egypt
    for name in axis - occupied:
        near = [o for o in grid().neighbours(name) if o in occupied]
        assert any(unit["caps"]["zoc"] == "yes" for o in near for unit in stacks()[o]), name
    assert "19/0825" in axis
    assert not axis & {"19/1126", "19/1127", "19/0925"}
    assert all(hexes()[name]["control"] == "allied" for name in axis)


def test_boxes() -> None:
    """WD 28.A.1, 28.A.2."""
    boxes = defaultdict(list)
    for entry in compass()["boxes"]:
        boxes[entry["box"]].append(entry["unit"])
    assert len(boxes["fifth_army"]) == 7
    assert len(boxes["tripolitania_garrison"]) == 3
    assert "br-14" in boxes["greece"]


@every
def test_each_unit_once(scenario: str) -> None:
    row = pack().scenario(scenario)
    rows = [*row["deploy"], *row["air_deploy"], *row["boxes"]]
    units = [row["unit"] for row in rows]
    assert len(units) == len(set(units))


def test_fortresses_and_supply() -> None:
    assert {row["hex"]: row["state"] for row in compass()["fortresses"]} == {
        "18/4818": "improved",
        "19/0325": "improved",
    }
    assert {row["side"] for row in compass()["smp"]} == {"axis", "allied"}
    assert all(1 <= int(row["steps"]) <= 2 for row in compass()["supply"])


@every
def test_every_entry_has_a_source(scenario: str) -> None:
    for key in ("deploy", "air_deploy", "boxes", "supply", "smp", "fortresses", "airfields", "control", "victory"):
        assert all(row["source"] for row in pack().scenario(scenario)[key]), key


@every
def test_victory_of_the_span(scenario: str) -> None:
    """WD 31: periods of territory that fill the game, automatic victory, points upon occurrence and at the end."""
    rows = pack().scenario(scenario)["victory"]
    assert {"automatic", "period", "events", "final", "levels"} <= {row["kind"] for row in rows}
    periods = [row for row in rows if row["kind"] == "period"]
    assert (periods[0]["from"], periods[-1]["to"]) == SPANS[scenario][:2]


def test_checks_of_the_campaign() -> None:
    """WD 31.D: after each Jan II and Jul II turn; for the Axis player the first check counts as it is then."""
    periods = [row for row in pack().scenario("campaign")["victory"] if row["kind"] == "period"]
    assert [row["to"] for row in periods] == ["Jan II 41", "Jul II 41", "Jan II 42", "Jul II 42", "Jan II 43"]
    assert [row.get("axis_at_end", "no") for row in periods] == ["yes", "no", "no", "no", "no"]


def holder(scenario: str, name: str) -> str:
    changed = {row["hex"]: row["side"] for row in pack().scenario(scenario).get("control", [])}
    return str(changed.get(name, hexes()[name]["control"]))


def test_rommel_faces_the_allies_of_column_28() -> None:
    """Published for this game: the Allied player holds Libya from column 2800 on, and all of Egypt."""
    for name, row in hexes().items():
        if row["country"] in ("Libya", "Egypt"):
            east = row["country"] == "Egypt" or name.startswith("19/") or int(name[3:5]) >= 28
            assert holder("enter-rommel", name) == ("allied" if east else "axis"), name


def test_light_tanks_of_the_published_scenario() -> None:
    """Three light tank battalions within two hexes of 18/2530 (published for this game)."""
    placed = {row["unit"]: row["hex"] for row in pack().scenario("enter-rommel")["deploy"]}
    for unit in ("it-4l", "it-5l", "it-11l"):
        assert placed[unit] in {"18/2530", *grid().neighbours("18/2530")}


def test_crusader_holds_tobruk_and_giarabub_in_axis_libya() -> None:
    """Beyond what their units occupy the Allies hold only what lies beside them in Libya (WD 3.G)."""
    libya = [name for name, row in hexes().items() if row["country"] == "Libya"]
    held = {name for name in libya if holder("crusader", name) == "allied"}
    theirs = {name for name, stack in stacks("crusader").items() if stack[0]["side"] == "allied"}
    beside = {near for name in theirs for near in grid().neighbours(name)}
    assert {"18/4818", "19/0334"} <= held
    assert held <= theirs | beside
    assert theirs & set(libya) <= held
    assert not held & axis_hexes()
    assert {holder("crusader", n) for n, row in hexes().items() if row["country"] in ("Syria", "Lebanon")} == {"allied"}
    assert {holder("crusader", n) for n, row in hexes().items() if row["country"] == "Crete"} == {"axis"}


def axis_hexes() -> set[str]:
    return {name for name, stack in stacks("crusader").items() if stack[0]["side"] == "axis"}


def test_garrisons_of_crusader() -> None:
    """WD 28.B.2: Palestine 3 REs; the Levant in its first year 6 REs and two headquarters."""
    sizes = {"battalion": 1, "brigade": 2}
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, stack in stacks("crusader").items():
        found[hexes()[name]["country"]] += stack
    levant = found["Syria"] + found["Lebanon"]
    kinds = {row["slug"] for row in pack().rows("types") if row["garrison"] == "yes"}
    assert sum(sizes[u["size"]] for u in found["Palestine"] if u["type"] in kinds) >= 2 * 3
    assert sum(sizes[u["size"]] for u in levant if u["type"] in kinds) >= 2 * 6
    assert sum(u["size"] == "headquarters" for u in levant) == 2


@pytest.mark.parametrize("scenario", ["enter-rommel", "crusader"])
def test_assembled_divisions_have_their_parts_off_the_map(scenario: str) -> None:
    row = pack().scenario(scenario)
    parts = defaultdict(list)
    for entry in row["boxes"]:
        if entry["box"] == "assembled":
            parts[entry["of"]].append(entry["unit"])
    counters = {unit["id"]: unit for unit in pack().rows("counters")}
    placed = {entry["unit"] for entry in row["deploy"]}
    assert parts
    for division, units in parts.items():
        (form,) = [f for f in counters[division]["components"] if f["hq"] == "yes"]
        assert division in placed
        assert len(units) == 1 + sum(int(part["n"]) for part in form["parts"])
