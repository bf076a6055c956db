"""Overlays over the pack of Shifting Sands: every part, their faults, the template."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from adjudicator.packs.files import read_pack
from adjudicator.packs.load import canonical_json
from adjudicator.packs.overlay import Overlaid, lay, read_overlay, template_of
from tests.packs.shifting_sands import FOLDER, pack

NAME, HEAD = "mine.yaml", "overlay: shifting-sands\n"
PARSED = pickle.dumps(read_pack(FOLDER))
PARTS = {
    "spaces": "- {slug: gazala, terrain: mountain}",
    "links": "- {a: Tobruk, b: Gazala, remove: yes}",
    "regions": "- {name: Iraq, group: near_east, rule: 10.42}",
    "units": "- {id: nz-2, cf_full: 5}",
    "cards": "- {id: ultra-24, ops: 4}",
    "fire": "- {set: pog, table: division, row: 6, cells: [2, 3, 4, 4, 5, 5, 7, 7, 7, 8]}",
    "lrdg": "- {set: mild, die: 2, raid: lose_step}",
    "terrain": "- {terrain: oasis, flank: no}",
    "scenarios": "- {scenario: campaign, unit: IT 17, at: Tripoli, step: reduced}",
    "setups": "- {setup: torch, unit: US 34, at: Algiers, step: reduced}",
}


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
def test_each_part_can_be_corrected_and_travels(part: str) -> None:
    found = laid(f"{part}:\n{PARTS[part]}\n")
    assert found.tree is not None, [str(fault) for fault in found.faults]
    assert canonical_json(found.tree) != pack().data
    assert {row["part"] for row in found.corrections} == {part}
    assert laid(found.text, head="").tree == found.tree


def test_corrected_values() -> None:
    made = tree("".join(f"{part}:\n{text}\n" for part, text in PARTS.items()))
    space = one(made["spaces"], name="Gazala")
    assert (space["terrain"], space["terrain_source"]) == ("mountain", "owner")
    assert not any({row["a"], row["b"]} == {"Gazala", "Tobruk"} for row in made["links"])
    fire = one(made["tables"]["fire"], id="pog")
    assert one(one(fire["tables"], table="division")["rows"], row="6")["cells"][-1] == "8"
    assert fire["source"] == one(made["tables"]["lrdg"], id="mild")["source"] == "owner"
    assert one(made["tables"]["terrain"], terrain="oasis")["flank"] == "no"
    assert one(one(made["scenarios"], id="campaign")["units"], unit="it-17")["step"] == "reduced"


def test_a_dotted_line_becomes_solid_and_a_solid_one_dotted() -> None:
    made = tree("links:\n- {a: Jarabub, b: Siwa, only: solid}\n- {a: Amman, b: Rutbah, only: battlegroups}\n")
    ends = {frozenset((row["a"], row["b"])): row for row in made["links"]}
    assert "only" not in ends[frozenset(("Jarabub", "Siwa"))]
    assert ends[frozenset(("Amman", "Rutbah"))]["only"] == "battlegroups"
    text = laid("links:\n- {a: Siwa, b: Jarabub, only: solid}\n").text
    assert text.endswith("- {a: Jarabub, b: Siwa, only: solid}\n")
    assert laid("links:\n- {a: Sofafi, b: Siwa, only: solid}\n").tree is not None, "a new line"


def test_a_fort_and_a_port_that_the_pack_did_not_know() -> None:
    made = tree("spaces:\n- {slug: derna, fort: 1, port: yes, terrain: clear}\n")
    space = one(made["spaces"], name="Derna")
    assert (space["fort"], space["fort_source"], space["port"], space["port_source"]) == ("1", "owner", "yes", "owner")
    gone = one(tree("spaces:\n- {slug: bizerte, fort: 0}\n")["spaces"], name="Bizerte")
    assert gone["fort"] == "0" and "fort_source" not in gone


def test_units_of_a_set_up_come_and_go() -> None:
    text = (
        "scenarios:\n- {scenario: campaign, unit: IT 27, at: Tripoli, remove: yes}\n"
        "- {scenario: campaign, unit: IT 27, at: Misurata}\n- {scenario: campaign, hand: 8}\n"
    )
    campaign = one(tree(text)["scenarios"], id="campaign")
    assert [row["at"] for row in campaign["units"] if row["unit"] == "it-27"] == ["Misurata"]
    assert campaign["hand"] == "8"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hexes:\n- {hex: 18/4818}\n", "has no part hexes; use one of: spaces, links"),
        ("spaces:\n- {slug: gazala, terrain: lava}\n", "lava"),
        ("spaces:\n- {slug: gazalla, remove: yes}\n", "gazalla is not in spaces"),
        ("links:\n- {a: Tobruk, b: Paris, only: lrdg}\n", "Paris"),
        ("links:\n- {a: Tobruk}\n", "b"),
        ("links:\n- {a: Tobruk, b: Cairo, remove: yes}\n", "can't be removed"),
        ("units:\n- {id: nz-2, cf_full: many}\n", "many"),
        ("fire:\n- {set: pogg, table: division, row: 6, cells: []}\n", "has no set pogg; use one of: pog, btb"),
        ("fire:\n- {set: pog, table: corps, row: 6, cells: []}\n", "has no table corps, row 6"),
        ("fire:\n- {set: pog, table: division, row: 6, cells: [1]}\n", "cells"),
        ("fire:\n- {set: pog, table: division, row: 2, cells: [1, 1, 2, 2, 3, 4, 4, 4, 5, 5]}\n", "rulebook"),
        ("lrdg:\n- {set: mild, die: 7, raid: none}\n", "has no die 7"),
        ("lrdg:\n- {set: mild, die: 6, raids: none}\n", "has no raids"),
        ("scenarios:\n- {scenario: compass, unit: IT 17, at: Tripoli}\n", "no scenario compass; use one of: campaign"),
        ("scenarios:\n- {scenario: campaign, units: none}\n", "has no field units"),
        ("scenarios:\n- {scenario: campaign, unit: IT 17}\n", "at"),
        ("scenarios:\n- {scenario: campaign, unit: IT 17, at: Paris}\n", "Paris"),
        ("setups:\n- {setup: touch, unit: US 34, at: Algiers}\n", "no setup touch; use one of: torch"),
        ("links:\n- {a: Gazala, b: Tobruk, only: solid}\n", "as the pack has it already"),
        ("links: none\n", "links must be a list"),
    ],
)
def test_wrong_overlays_are_told_with_file_and_line(text: str, said: str) -> None:
    found = laid(text)
    assert found.tree is None
    shown = [str(fault) for fault in found.faults]
    assert any(said in fault and fault.startswith(NAME) for fault in shown), shown


def test_an_overlay_of_the_other_game_is_refused() -> None:
    found = lay(pickle.loads(PARSED), read_overlay(b"overlay: western-desert\n", NAME))
    assert "begin it with: overlay: shifting-sands" in str(found.faults[0])


def test_the_template_corrects_nothing_as_it_is_and_has_every_doubtful_line() -> None:
    text = template_of(read_pack(FOLDER))
    found = laid(text, head="")
    assert [fault.text for fault in found.faults if "as the pack has it already" not in str(fault)] == []
    assert found.corrections == []
    doubtful = [row for row in pack().rows("links") if row["source"] != "rulebook"]
    assert text.count("- {a: ") == len(doubtful)
    assert text.count("- {set: pog, table: ") == 12
    tobruk = "- {slug: tobruk, region: Libya, terrain: clear, control: axis, fort: 2, port: yes, vp: yes}  # Tobruk"
    assert tobruk in text


def test_a_line_of_the_template_corrected_in_place() -> None:
    text = template_of(read_pack(FOLDER))
    old = "- {a: Amman, b: Rutbah, only: solid}"
    old = old if text.count(old) == 1 else "- {a: Rutbah, b: Amman, only: solid}"
    assert text.count(old) == 1
    found = laid(text.replace(old, old.replace("only: solid", "only: battlegroups")), head="")
    assert found.text == f"overlay: shifting-sands\nlinks:\n{old.replace('solid', 'battlegroups')}\n"
