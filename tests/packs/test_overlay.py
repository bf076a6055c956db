"""Overlays: corrections of every part laid over the pack, their faults with file and line, the text that travels."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import files as pack_files
from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import SOURCES
from adjudicator.packs.files import read_pack
from adjudicator.packs.load import canonical_json
from adjudicator.packs.overlay import MAX_BYTES, Overlaid, lay, read_overlay, template_of
from tests.packs.support import FOLDER, ROOT, pack

NAME = "mine.yaml"
HEAD = "overlay: western-desert\n"
PARTS = {
    "counters": "- {id: br-150, attack: 3, defense: 3}",
    "air": "- {id: air-glad-1, defense: 3}",
    "types": "- {slug: cavalry, heavy: no}",
    "hexes": "- {hex: 19/0926, terrain: rough}",
    "sides": "- {a: 19/0827, b: 19/0927, kind: wadi}",
    "lines": "- {a: 19/0927, b: 19/0928, kind: road}",
    "places": "- {name: Gambut, hex: 18/5120}",
    "charts": "- {chart: ground_crt, die: 6, column: '1:1', result: HX}",
    "events": "- {id: smp-41-10-1-allied, points: 40}",
    "areas": "- {area: malta, title: the island}",
    "scenarios": "- {scenario: compass, unit: br-22, hex: 19/1126}",
}


PARSED = pickle.dumps(read_pack(FOLDER))
"""The files of the pack, read once for all tests of this module; each gets a copy of its own."""


def laid(text: str, head: str = HEAD) -> Overlaid:
    return lay(pickle.loads(PARSED), read_overlay((head + text).encode(), NAME))


def tree(text: str) -> dict[str, Any]:
    found = laid(text)
    assert found.tree is not None, [str(fault) for fault in found.faults]
    return found.tree


def one(rows: list[dict[str, Any]], **wanted: str) -> dict[str, Any]:
    (row,) = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    return row


@pytest.mark.parametrize("part", sorted(PARTS))
def test_each_part_can_be_corrected(part: str) -> None:
    text = f"{part}:\n{PARTS[part]}\n"
    found = laid(text)
    assert found.tree is not None, [str(fault) for fault in found.faults]
    assert canonical_json(found.tree) != pack().data
    assert found.tree["overlay"]["corrections"] == found.corrections
    assert {row["part"] for row in found.corrections} == {part}
    assert laid(found.text, head="").tree == found.tree


def test_corrected_values() -> None:
    made = tree("".join(f"{part}:\n{text}\n" for part, text in PARTS.items()))
    assert one(made["counters"], id="br-150")["attack"] == "3"
    assert one(made["air"], id="air-glad-1")["defense"] == "3"
    assert one(made["counters"], id="br-5cav")["caps"]["heavy"] == "no", "capabilities are worked out anew"
    assert one(made["hexes"], hex="19/0926")["terrain"] == "rough"
    assert one(made["sides"], a="19/0827", b="19/0927")["kind"] == "wadi"
    assert one(made["lines"], a="19/0927", b="19/0928")["kind"] == "road"
    assert "Gambut" in one(made["hexes"], hex="18/5120")["places"]
    assert "Gambut" not in one(made["hexes"], hex="18/5119")["places"]
    assert one(made["charts"]["ground_crt"], die="6", column="1:1")["result"] == "HX"
    assert one(made["events"], id="smp-41-10-1-allied")["points"] == "40"
    assert one(one(made["scenarios"], id="compass")["deploy"], unit="br-22")["hex"] == "19/1126"
    assert one(one(made["scenarios"], id="campaign")["deploy"], unit="br-22")["hex"] == "19/1126"


def test_the_owner_is_the_source_of_what_he_corrects() -> None:
    made = tree("".join(f"{part}:\n{text}\n" for part, text in PARTS.items()))
    assert one(made["counters"], id="br-150")["source"] == "owner"
    assert one(made["hexes"], hex="19/0926")["source"] == "owner"
    assert one(made["charts"]["ground_crt"], die="6", column="1:1")["source"] == "owner"
    assert "ruling" not in one(made["charts"]["ground_crt"], die="6", column="1:1")
    assert "owner" not in SOURCES


def test_what_is_as_it_was_does_not_travel() -> None:
    text = "counters:\n- {id: br-150, attack: 3, defense: 2, movement: 8}\n- {id: br-69, attack: 2}\n"
    assert laid(text).text == "overlay: western-desert\ncounters:\n- {id: br-150, attack: 3}\n"
    assert laid("title: Mine\n" + text).text.startswith("overlay: western-desert\ntitle: Mine\n")


def test_order_of_records_is_kept_and_none_matters() -> None:
    one_way = tree("counters:\n- {id: br-150, attack: 3}\nair:\n- {id: air-glad-1, defense: 3}\n")
    other = tree("air:\n- {id: air-glad-1, defense: 3}\ncounters:\n- {id: br-150, attack: 3}\n")
    assert {k: v for k, v in one_way.items() if k != "overlay"} == {k: v for k, v in other.items() if k != "overlay"}


# --- the map --------------------------------------------------------------------------------------------------------


def test_land_becomes_sea_and_sea_land() -> None:
    made = tree("hexes:\n- {hex: 18/4717, terrain: clear, country: Libya, region: [Cyrenaica], control: axis}\n")
    assert "18/4717" not in made["sea"]
    new = one(made["hexes"], hex="18/4717")
    assert (new["terrain"], new["coast"], new["source"]) == ("clear", "yes", "owner")
    made = tree("hexes:\n- {hex: 18/3301, terrain: sea}\n")
    assert "18/3301" in made["sea"]
    assert not [row for row in made["hexes"] if row["hex"] == "18/3301"]


def test_coasts_follow_from_the_sea() -> None:
    base = {row["hex"] for row in pack().rows("hexes") if row.get("coast") == "yes"}
    made = tree("hexes:\n- {hex: 18/4717, terrain: clear, country: Libya, region: [Cyrenaica], control: axis}\n")
    coast = {row["hex"] for row in made["hexes"] if row.get("coast") == "yes"}
    assert coast - base == {"18/4717"}


def test_a_side_is_taken_away() -> None:
    made = tree("sides:\n- {a: 19/0326, b: 19/0426, kind: none}\n")
    assert not [row for row in made["sides"] if (row["a"], row["b"]) == ("19/0326", "19/0426")]


def test_a_road_is_cut_and_a_railway_becomes_a_road() -> None:
    made = tree("lines:\n- {a: 18/0222, b: 18/0223, kind: none}\n- {a: 19/1225, b: 19/1326, kind: road}\n")
    assert not [row for row in made["lines"] if {row["a"], row["b"]} == {"18/0222", "18/0223"}]
    assert one(made["lines"], a="19/1225", b="19/1326")["kind"] == "road"


def test_a_port_goes_along_with_its_city() -> None:
    made = tree("places:\n- {name: Rosetta, hex: 19/2522}\n")
    new, old = one(made["hexes"], hex="19/2522"), one(made["hexes"], hex="19/2621")
    assert new["port"] == "minor" and [city["name"] for city in new["cities"]] == ["Rosetta"]
    assert "port" not in old and not old["cities"]


def test_places_come_and_go() -> None:
    new = "- {name: Knightsbridge, hex: 18/4620, class: place, country: Libya}\n"
    made = tree("places:\n- {name: Bir Hacheim, remove: yes}\n" + new)
    names = {row["name"] for row in made["places"]}
    assert "Knightsbridge" in names and "Bir Hacheim" not in names


# --- lists ----------------------------------------------------------------------------------------------------------


def test_events_come_and_go() -> None:
    made = tree(
        "events:\n- {id: withdraw-42-08-2-in-3mot, remove: yes}\n"
        "- {id: mine-1, turn: Sep II 42, side: allied, kind: smp, points: 70, source: owner, confidence: exact}\n"
    )
    assert one(made["events"], id="mine-1")["points"] == "70"
    assert not [row for row in made["events"] if row["id"] == "withdraw-42-08-2-in-3mot"]


def test_set_ups() -> None:
    made = one(
        tree(
            "scenarios:\n"
            "- {scenario: compass, supply: supply-allied-1, steps: 1}\n"
            "- {scenario: compass, airfield: 19/1225, side: allied}\n"
            "- {scenario: compass, airfield: 18/5019, remove: yes}\n"
            "- {scenario: compass, unit: air-cr-42-1, hex: 18/4819}\n"
            "- {scenario: compass, unit: air-ba-65-1, hex: 18/4819}\n"
            "- {scenario: compass, fortress: 19/0325, state: unimproved}\n"
            "- {scenario: compass, smp: axis, points: 15}\n"
            "- {scenario: compass, malta_status: 7}\n"
            "- {scenario: compass, unit: it-12art, box: fifth_army}\n"
            "- {scenario: compass, unit: vi-cons, remove: yes}\n"
            "- {scenario: enter-rommel, unit: vi-cons, remove: yes}\n"
            "- {scenario: crusader, unit: vi-cons, remove: yes}\n"
        )["scenarios"],
        id="compass",
    )
    assert one(made["supply"], id="supply-allied-1")["steps"] == "1"
    assert {row["hex"] for row in made["airfields"]} >= {"19/1225"}
    assert "18/5019" not in {row["hex"] for row in made["airfields"]}
    assert one(made["fortresses"], hex="19/0325")["state"] == "unimproved"
    assert one(made["smp"], side="axis")["points"] == "15"
    assert made["malta_status"] == "7"
    assert one(made["boxes"], unit="it-12art")["box"] == "fifth_army"
    assert not [row for row in made["deploy"] if row["unit"] in ("it-12art", "vi-cons")]


def test_rows_of_lists_among_the_charts() -> None:
    made = tree("charts:\n- {chart: terrain, row: 2, mot_or_art: 3}\n")
    assert one(made["charts"]["terrain"], terrain="rough")["mot_or_art"] == "3"


# --- faults ---------------------------------------------------------------------------------------------------------

WRONG = {
    "counters:\n- {id: br-9999, attack: 3}\n": (3, "missing", "the record has no"),
    "counters:\n- {id: br-9999}\n": (3, "address", "br-9999 is not in counters"),
    "counters:\n- {attack: 3}\n": (3, "missing", "the record has no id"),
    "counters:\n- {id: br-150, attack: many}\n": (3, "number", "attack many is no whole number"),
    "counters:\n- {id: br-150, type: camels}\n": (3, "type", "type camels is not in types.yaml"),
    "counters: br-150\n": (2, "part", "counters must be a list"),
    "counters:\n- br-150\n": (3, "part", "this is no record"),
    "unicorns:\n- {id: x}\n": (2, "part", "has no part unicorns"),
    "hexes:\n- {hex: 18/9999, terrain: rough}\n": (3, "hex", "18/9999 is no hex"),
    "hexes:\n- {hex: 19/0926, terrain: lava}\n": (3, "word", "terrain lava is unknown"),
    "hexes:\n- {hex: 18/4717, terrain: clear}\n": (3, "missing", "the record has no country"),
    "sides:\n- {a: 19/0827, b: 19/1027, kind: wadi}\n": (3, "apart", "do not touch"),
    "sides:\n- {a: 19/0827, b: 19/0927, kind: hedge}\n": (3, "word", "kind hedge is unknown"),
    "sides:\n- {a: 19/0827, b: 19/0927, kind: escarpment}\n": (3, "low", "has no lower side"),
    "lines:\n- {a: 19/0827, b: 19/0927, kind: canal}\n": (3, "word", "kind canal is unknown"),
    "lines:\n- {a: 18/4818, b: 18/4817, kind: road}\n": (3, "sea", "is sea"),
    "charts:\n- {chart: ground, die: 6, column: '1:1', result: HX}\n": (3, "address", "there is no chart ground"),
    "charts:\n- {chart: ground_crt, die: 16, column: '1:1', result: HX}\n": (3, "address", "has no cell die 16"),
    "charts:\n- {chart: ground_crt, die: 6, column: '1:1', result: QQ}\n": (3, "cell", "QQ is no result"),
    "charts:\n- {chart: terrain, row: 99, other: 1}\n": (3, "address", "has rows 1 to 7"),
    "charts:\n- {chart: terrain, row: 2, speed: 1}\n": (3, "address", "has no speed"),
    "events:\n- {id: withdraw-42-08-2-in-3mot, turn: Jan I 41}\n": (3, "event", "can't leave"),
    "events:\n- {id: reinforce-41-04-1-br-23, area: moon}\n": (3, "area", "there is no area moon"),
    "places:\n- {name: Gambut, hex: 19/1929}\n": (3, "reach", "can't be entered by units"),
    "scenarios:\n- {scenario: alamein, malta_status: 7}\n": (3, "address", "there is no scenario alamein"),
    "scenarios:\n- {scenario: campaign, malta_status: 7}\n": (3, "address", "takes its set-up from compass"),
    "scenarios:\n- {scenario: compass, moon: 7}\n": (3, "address", "has no field moon"),
    "scenarios:\n- {scenario: compass, malta_status: 77}\n": (0, "number", "is not from 0 to 15"),
    "scenarios:\n- {scenario: compass, unit: br-22, hex: 19/1120}\n": (3, "sea", "which is sea"),
    "scenarios:\n- {scenario: compass, unit: br-22, hex: 18/3535}\n": (3, "supply", "has no supply line"),
    "scenarios:\n- {scenario: compass, unit: nobody, hex: 19/1126}\n": (3, "unit", "there is no counter nobody"),
    "scenarios:\n- {scenario: compass, unit: nobody, remove: yes}\n": (3, "address", "nobody is not in compass"),
    "counters:\n- {id: br-150, attack: 2}\n": (1, "nothing", "as the pack has it already"),
    "": (1, "nothing", "as the pack has it already"),
}


@pytest.mark.parametrize("text", sorted(WRONG))
def test_faults_name_the_line_of_the_overlay(text: str) -> None:
    line, code, said = WRONG[text]
    found = laid(text)
    assert found.tree is None
    fits = [fault for fault in found.faults if fault.code == code and said in fault.text]
    here = [fault for fault in fits if not line or (fault.file, fault.line) == (NAME, line)]
    assert here, [str(fault) for fault in found.faults][:10]


def test_an_overlay_for_another_game() -> None:
    assert laid("", head="overlay: chess\n").faults[0].code == "head"
    assert laid("counters:\n- {id: br-150, attack: 3}\n", head="").faults[0].code == "head"


BAD = {
    b"overlay: &a western-desert\ncounters: *a\n": "anchors, aliases, tags",
    b"overlay: !!python/name:os.system x\n": "anchors, aliases, tags",
    b"a: " + b"[" * 40 + b"]" * 40: "deep nesting",
    b"- a list\n": "must be a mapping",
    b"": "must be a mapping",
    b"overlay: western-desert\noverlay: western-desert\n": "stands twice",
    b"overlay: [\n": "mend the YAML",
    b"overlay: \xff\n": "not UTF-8",
    b"overlay: a\x00b\n": "control character",
    b"x" * (MAX_BYTES + 1): "too many",
}


@pytest.mark.parametrize("data", sorted(BAD), ids=lambda data: repr(data[:20]))
def test_files_that_are_no_overlay(data: bytes) -> None:
    """The file may come from the other player: nothing is built of what is too big, too deep or refers to itself."""
    with pytest.raises(PackError, match=BAD[data]) as caught:
        read_overlay(data, NAME)
    assert str(caught.value).startswith(f"{NAME}:")


# --- template -------------------------------------------------------------------------------------------------------


def test_template_holds_the_doubtful_data_and_corrects_nothing() -> None:
    text = template_of(read_pack(FOLDER))
    found = laid(text, head="")
    assert [fault.code for fault in found.faults] == ["nothing"]
    assert found.corrections == []
    doubtful = [row["id"] for row in pack().rows("counters") if row["source"] != "rulebook"]
    assert all(f"- {{id: {unit}, " in text for unit in doubtful)
    assert "{chart: malta, roll: 11, status: 5, result: X}" in text
    assert "{hex: 18/4818, " in text and "{id: air-ju-87b-1, " in text
    assert "{id: br-7-arm-a, " not in text, "a rating that the rulebook prints is not doubtful"


def test_template_line_corrected_in_place() -> None:
    text = template_of(read_pack(FOLDER))
    old = "- {id: br-150, attack: 2, defense: 2, movement: 8, supported: no}"
    assert text.count(old) == 1
    found = laid(text.replace(old, old.replace("attack: 2", "attack: 3")), head="")
    assert found.text == "overlay: western-desert\ncounters:\n- {id: br-150, attack: 3}\n"


def test_shifting_sands_can_be_corrected_too() -> None:
    folder = ROOT / "module" / "shifting-sands"
    text = "overlay: shifting-sands\nunits:\n- {id: nz-2, cf_full: 5}\n"
    found = lay(read_pack(folder), read_overlay(text.encode(), NAME))
    assert found.tree is not None, [str(fault) for fault in found.faults]
    assert [row["after"] for row in found.corrections] == ["5"]


@pytest.mark.parametrize("seed", ["0", "3"])
def test_an_overlay_does_not_depend_on_hash_seeds(seed: str) -> None:
    text = "".join(f"{part}:\n{line}\n" for part, line in PARTS.items())
    code = (
        "import sys, hashlib; from tests.packs.test_overlay import tree, canonical_json;"
        "print(hashlib.sha256(canonical_json(tree(sys.stdin.read()))).hexdigest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, env=env, input=text, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == hashlib.sha256(canonical_json(tree(text))).hexdigest()


def test_files_of_the_pack_are_left_alone(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in FOLDER.rglob("*.yaml")}
    laid("counters:\n- {id: br-150, attack: 3}\n")
    assert {path: path.read_bytes() for path in FOLDER.rglob("*.yaml")} == before
    assert pack_files.read_pack(FOLDER).files["counters.yaml"] == read_pack(FOLDER).files["counters.yaml"]
