"""The order of battle: every dated event is there and can be carried out; what the rulebook says of dates holds."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from adjudicator.packs.western_desert.events import KINDS, event_order
from adjudicator.packs.western_desert.roster import Roster, replay
from adjudicator.packs.western_desert.turns import LAST, turn_name, turn_number, turns_between
from tests.packs.support import ROOT, hexes, pack

LINES = {
    "reinforce": 206,
    "supply": 56,
    "withdraw": 58,
    "supply_withdraw": 1,
    "return": 27,
    "special": 34,
    "component": 6,
    "assemble": 27,
    "replacement": 115,
    "smp": 12,
    "malta_repair": 52,
}
"""Events of each kind but conversions, whose 31 records stand for 65 lines: one for each unit that goes or comes, but
for the 7th Armoured Brigade, which is upgraded only if it did not leave."""
CONVERSION_LINES = 65
DEPLOYED = 150
"""What is there before the first turn: units on the map and in boxes, supply steps, airfields, fortresses, railhead."""
TOTAL = 810


def events(**wanted: str) -> list[dict[str, Any]]:
    return [row for row in pack().rows("events") if all(row.get(key) == value for key, value in wanted.items())]


def one(**wanted: str) -> dict[str, Any]:
    (row,) = events(**wanted)
    return row


def units() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for key in ("counters", "air") for row in pack().rows(key)}


def at(turn: str) -> Roster:
    """Who is where after the events of a turn, nothing having been lost."""
    until = {"allied": turn, "axis": turn}
    return replay(units(), pack().scenario("campaign"), pack().rows("events"), until)


def test_all_810_dated_events_are_there() -> None:
    counts = Counter(row["kind"] for row in pack().rows("events"))
    conversions = [len(row["from"]) + len(row["to"]) for row in events(kind="convert")]
    start = pack().scenario("campaign")
    deployed = sum(len(start[key]) for key in ("deploy", "air_deploy", "boxes", "supply", "airfields", "fortresses"))
    assert {kind: counts[kind] for kind in LINES} == LINES
    assert (counts["convert"], sum(conversions) - 1) == (31, CONVERSION_LINES)
    assert deployed + 1 == DEPLOYED
    malta_status = 1
    assert DEPLOYED + malta_status + sum(LINES.values()) + CONVERSION_LINES == TOTAL


def test_events_are_whole() -> None:
    ids = [row["id"] for row in pack().rows("events")]
    assert len(ids) == len(set(ids)) == 625
    for row in pack().rows("events"):
        assert row["kind"] in KINDS
        assert row["source"] and row["confidence"] and row["cites"], row["id"]
        assert "after" in row or turn_number(row["turn"]), row["id"]


def test_events_stand_in_the_order_they_happen() -> None:
    rows = pack().rows("events")
    assert rows == sorted(rows, key=event_order)


def test_amounts_are_no_counters() -> None:
    """Supply, points and SMPs are events of their own kind: the units they name are none."""
    for row in pack().rows("events"):
        if row["kind"] in ("supply", "supply_withdraw", "replacement", "smp", "malta_repair"):
            assert "unit" not in row and ("steps" in row or "points" in row), row["id"]
        else:
            assert "unit" in row or "from" in row or row["id"].endswith("-supply"), row["id"]


def test_every_unit_of_an_event_is_a_counter() -> None:
    for row in pack().rows("events"):
        for unit in [row.get("unit"), row.get("of"), *row.get("from", [])]:
            assert unit is None or unit in units(), row["id"]


def test_every_counter_comes_into_play() -> None:
    """Each of the 422 units and air units is deployed, arrives, is converted to, put together, or a pool holds it."""
    start = pack().scenario("campaign")
    known = {row["unit"] for key in ("deploy", "air_deploy", "boxes") for row in start[key]}
    known |= {row["unit"] for row in pack().rows("events") if "unit" in row}
    known |= {unit for row in events(kind="convert") for unit in row["to"]}
    assert set(units()) - known == set()


# --- what the rulebook says of dates --------------------------------------------------------------------------------


def test_withdrawal_of_the_example() -> None:
    """29.C: on Apr I 41 a He 111H leaves; the German air point it may cost is that of Sep I 41."""
    assert one(kind="withdraw", unit="air-he-111h-1")["turn"] == "Apr I 41"
    first = min(events(kind="replacement", nat="german", rp="air"), key=event_order)
    assert (first["turn"], first["points"]) == ("Sep I 41", "1")


def test_conversions_of_the_rulebook() -> None:
    """29.D: Blen 1 to A-22 on Sep I 41; two cavalry brigades from Jan I 42 for a point, upgrades from Apr I 42."""
    assert one(kind="convert", id="convert-41-09-1-air-a-22-2")["from"] == ["air-blen-1-1"]
    cavalry = events(kind="convert", rule="WD 29.D.1")
    assert [(row["turn"], row["rp"], row["points"]) for row in cavalry] == [("Jan I 42", "armor", "1")] * 2
    upgrades = events(kind="convert", rule="WD 29.D.2")
    assert {(row["rp"], row["points"], row["optional"]) for row in upgrades} == {("armor", "1/2", "yes")}
    assert min(turn_number(row["turn"]) or 0 for row in upgrades) == turn_number("Apr I 42")
    for row in upgrades:
        (old,), (new,) = row["from"], row["to"]
        figures = [tuple(units()[unit][key] for key in ("attack", "defense", "movement")) for unit in (old, new)]
        assert figures[0] in (("3", "2", "10"), ("4", "3", "8")) and figures[1] == ("5", "3", "10")
        assert units()[old]["designation"] == units()[new]["designation"]


def test_greece_is_settled_on_jun_i_41() -> None:
    """29.C.1: all that was sent, and those deployed there, come back by the table on that turn."""
    back = {row["unit"] for row in events(kind="return", area="greece_table")}
    sent = {row["unit"] for row in events(kind="withdraw", to="greece")}
    there = {row["unit"] for row in pack().scenario("campaign")["boxes"] if row["box"] == "greece"}
    assert back == sent | there
    assert {row["turn"] for row in events(kind="return", area="greece_table")} == {"Jun I 41"}


def test_special_forces() -> None:
    """27.B: the German ones of 1941 not before Sep I 41, those of 1942 and the Italian ones in 1942."""
    pools = ("german_1941", "german_1942")
    first = {pool: {row["turn"] for row in events(kind="special", pool=pool)} for pool in pools}
    assert first == {"german_1941": {"Sep I 41"}, "german_1942": {"Jan I 42"}}
    both = [{row["unit"] for row in events(kind="special", pool=pool)} for pool in pools]
    assert both[0] & both[1], "27.B.1: a unit may be in both"
    italian = events(kind="special", pool="italian_1942")
    assert {row["turn"] for row in italian} == {"Jan I 42"}
    seaborne = [units()[row["unit"]] for row in italian if row["wave"] == "seaborne" and "unit" in row]
    assert sum(Fraction(unit["re"]) for unit in seaborne) > 4 and one(kind="special", steps="2")["wave"] == "seaborne"


def test_no_special_operations() -> None:
    """29.A.2: Italian divisions of both lists, and the German parachute brigade."""
    twice = [row for row in pack().rows("events") if "unless_special" in row]
    assert {row["unit"]: row["unless_special"] for row in twice} == {
        "it-185": "own",
        "it-80": "own",
        "lw-ram": "german_parachute",
    }


def test_free_french_point() -> None:
    """29.B.3: one point on the sixth turn after the Levant is won."""
    row = one(kind="replacement", nat="free_french")
    assert (row["after"], row["turns"], row["points"], row["rp"]) == ("levant", "6", "1", "non_armor")


def test_nothing_german_before_1941_but_air_units_in_sicily() -> None:
    germans = [row for row in events(kind="reinforce") if units()[row["unit"]]["nat"] == "german"]
    assert min(turn_number(row["turn"]) or 0 for row in germans) == turn_number("Jan I 41")
    assert {row["area"] for row in germans if row["unit"].startswith("air-")} == {"sicily"}


def test_jun_i_41_brings_german_air_units() -> None:
    """32.B names such reinforcements."""
    rows = events(kind="reinforce", turn="Jun I 41", area="sicily")
    assert any(units()[row["unit"]]["nat"] == "german" for row in rows)


def test_fifth_army_and_garrison() -> None:
    """28.A.1, 28.A.2: seven units to draw, and three; none of them is anywhere else in the order of battle."""
    boxes = Counter(row["box"] for row in pack().scenario("campaign")["boxes"])
    assert (boxes["fifth_army"], boxes["tripolitania_garrison"]) == (7, 3)


def test_malta() -> None:
    """28.D: repair points every turn; the number starts between 0 and 15."""
    assert [row["turn"] for row in events(kind="malta_repair")] == [turn_name(n) for n in range(1, LAST + 1)]
    assert 0 <= int(pack().scenario("campaign")["malta_status"]) <= 15


# --- areas ----------------------------------------------------------------------------------------------------------


def area(name: str) -> dict[str, Any]:
    (row,) = [row for row in pack().rows("areas") if row["area"] == name]
    return row


def test_areas_of_arrival() -> None:
    """29.A.1: the Suez Canal ports for Egypt, cities of Palestine and the Delta, Valletta, two edges of the map."""
    named = {place["name"]: place["hex"] for place in pack().rows("places")}
    assert area("egypt")["ground"] == sorted(named[name] for name in ("Port Said", "Ismailia", "Suez"))
    assert area("malta")["ground"] == [named["Valletta"]]
    assert named["Haifa"] in area("palestine")["ground"] and named["Cairo"] in area("delta")["ground"]
    assert all(name.startswith("19/51") for name in area("east_edge")["ground"])
    assert all(name.startswith("18/") and name.endswith("35") for name in area("south_edge")["ground"])
    assert named["Tripoli"] in area("europe")["ground"]


def test_areas_hold_land_hexes() -> None:
    for row in pack().rows("areas"):
        for name in row.get("ground", []):
            assert name in hexes(), (row["area"], name)


# --- one after the other --------------------------------------------------------------------------------------------


def test_who_is_in_play_when() -> None:
    state = at("Mar I 41").state
    assert state["nz-6"] == "greece" and state["in-5"] == "out" and state["br-22g"] == "play"
    assert state["br-22"] == "converted" and "ge-8pz" not in state
    state = at("Jun I 41").state
    assert state["nz-6"] == "play" and state["nz-2-hq"] == "replacement_pool" and state["in-5"] == "play"
    state = at("Oct II 42").state
    assert state["br-4-arm-b"] == "play" and state["au-16"] == "out" and state["ge-164-hq"] == "play"


def test_the_panzer_division_is_complete_in_march() -> None:
    """The simplification of the designer's notes: the 21st from the beginning."""
    assert one(kind="assemble", unit="ge-21-xx")["turn"] == "Mar I 41"


def test_turn_names() -> None:
    assert (turn_name(1), turn_name(8), turn_name(52)) == ("Dec I 40", "Mar II 41", "Jan II 43")
    assert turns_between("Dec II 40", "Jan I 41") == ["Dec II 40", "Jan I 41"]
    assert turn_number("Feb I 43") is None and turns_between("x", "Jan I 41") == []


@pytest.mark.parametrize("seed", ["0", "99"])
def test_replay_does_not_depend_on_hash_seeds(seed: str) -> None:
    code = (
        "from tests.packs.test_events import at; import hashlib, json;"
        "print(hashlib.sha256(json.dumps(list(at('Jan II 43').state.items())).encode()).hexdigest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    state = list(at("Jan II 43").state.items())
    assert done.stdout.strip() == hashlib.sha256(json.dumps(state).encode()).hexdigest()
