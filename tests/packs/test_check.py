# ruff: noqa: E501
"""The checker finds planted faults, all at once, each with file and line, and none in the pack itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.packs.check import check_pack
from adjudicator.packs.faults import Fault
from tests.packs.support import FOLDER

SCENARIO = "scenarios/compass.yaml"

PLANTED = {
    # what: (file, text in the line, text to put there, fault)
    "hex off the sheets": ("map.yaml", "{hex: 18/0123,", "{hex: 18/9923,", "hex"),
    "hex twice": ("map.yaml", "{hex: 18/0130,", "{hex: 18/0129,", "twice"),
    "unknown terrain": ("map.yaml", "{hex: 18/0131, terrain: clear", "{hex: 18/0131, terrain: lava", "word"),
    "Libya without region": ("map.yaml", "{hex: 18/0132, terrain: clear, country: Libya, region: [Tripolitania],", "{hex: 18/0132, terrain: clear, country: Libya,", "region"),
    "inland coast": ("map.yaml", "{hex: 18/0133, terrain: clear,", "{hex: 18/0133, terrain: clear, coast: true,", "coast"),
    "port inland": ("map.yaml", "{hex: 18/0134, terrain: clear,", "{hex: 18/0134, terrain: clear, port: minor,", "port"),
    "hex without source": ("map.yaml", "{hex: 18/0228, terrain: clear, country: Libya, region: [Tripolitania], control: axis, places: [Mizda], source: history", "{hex: 18/0228, terrain: clear, country: Libya, region: [Tripolitania], control: axis, places: [Mizda], source: ''", "source"),
    "hexside with one hex only": ("map.yaml", "{a: 18/0125, b: 18/0225,", "{a: 18/0125, b: 18/0425,", "apart"),
    "escarpment without lower side": ("map.yaml", "{a: 18/0126, b: 18/0127, kind: escarpment, of: Jebel Nefusa, low: 18/0126,", "{a: 18/0126, b: 18/0127, kind: escarpment, of: Jebel Nefusa,", "low"),
    "unknown hexside": ("map.yaml", "{a: 18/0126, b: 18/0226, kind: escarpment", "{a: 18/0126, b: 18/0226, kind: hedge", "word"),
    "road into the sea": ("map.yaml", "- {a: 18/0123, b: 18/0222, of:", "- {a: 18/0221, b: 18/0222, of:", "sea"),
    "road over a sebkha": ("map.yaml", "- {a: 18/0222, b: 18/0223, of: [Tripoli - Garian - Mizda]", "- {a: 18/3425, b: 18/3525, of: [Tripoli - Garian - Mizda]", "line"),
    "road with a gap": ("map.yaml", "- {a: 19/0725, b: 19/0825, of:", "- {a: 19/0725, b: 19/0726, of:", "gap"),
    "border within a country": ("map.yaml", "- [19/0226, 19/0327]", "- [19/0226, 18/5121]", "border"),
    "place not in its hex": ("map.yaml", "{name: Bardia, hex: 19/0325,", "{name: Bardia, hex: 19/0225,", "place"),
    "place in a salt marsh": ("map.yaml", "{name: Qara, hex: ", "{name: Qara, hex: 19/1929, was: ", "reach"),
    "place twice": ("map.yaml", "{name: Fuka, ", "{name: El Daba, ", "twice"),
    "unit without type": ("counters.yaml", "aliases: [14 Infantry Brigade, 14 Inf], size: brigade, type: infantry,", "aliases: [14 Infantry Brigade, 14 Inf], size: brigade,", "missing"),
    "counter without source": ("counters.yaml", "aliases: [69 Infantry Brigade, 69 Inf], size: brigade, type: infantry, attack: 2, defense: 2, movement: 8, re: 1, supported: no, replaceable: yes, source: inferred,", "aliases: [69 Infantry Brigade, 69 Inf], size: brigade, type: infantry, attack: 2, defense: 2, movement: 8, re: 1, supported: no, replaceable: yes,", "source"),
    "assumption without reason": ("assumptions.yaml", "why: a graded desert road in nature", "why: ''", "missing"),
    "unknown unit type": ("counters.yaml", "type: cavalry, attack: 1, defense: 1, movement: 8, re: 1, supported: no, replaceable: yes, source: inferred, confidence: inferred, cites: [RB-29D1]}\n- {id: br-5cav", "type: camels, attack: 1, defense: 1, movement: 8, re: 1, supported: no, replaceable: yes, source: inferred, confidence: inferred, cites: [RB-29D1]}\n- {id: br-5cav", "type"),
    "counter twice": ("counters.yaml", "- {id: br-22, ", "- {id: br-23, ", "twice"),
    "bad number": ("counters.yaml", "- {id: br-150, ", "- {id: br-150, aa: many, ", "number"),
    "airborne with support mark": ("counters.yaml", "movement: 5, re: 1, supported: no, replaceable: yes, source: inferred, confidence: inferred, cites: [RB-27B1]}\n- {id: lw-2para", "movement: 5, re: 1, supported: yes, replaceable: yes, source: inferred, confidence: inferred, cites: [RB-27B1]}\n- {id: lw-2para", "airborne"),
    "479 counters": ("counters.yaml", "name: Hit marker, count: 11", "name: Hit marker, count: 10", "total"),
    "alias of another's name": ("counters.yaml", "aliases: [Layforce]", "aliases: [7 Arm X]", "alias"),
    "unit of another side": ("counters.yaml", "- {id: gk-1, side: allied, nat: greek", "- {id: gk-1, side: allied, nat: italian", "nation"),
    "unknown side": ("air.yaml", "- {id: air-glad-1, side: allied", "- {id: air-glad-1, side: allies", "word"),
    "short row in a chart": ("charts.yaml", "  - [5, H, H, H, H, H]", "  - [5, H, H, H, H]", "cells"),
    "unknown ruling": ("charts.yaml", "unit_or_rp: NE, ruling: SHIP-ROW-6", "unit_or_rp: NE, ruling: SHIP-ROW-7", "ruling"),
    "default that is no value": ("rulings.yaml", "values: [keep, remove], default: keep", "values: [keep, remove], default: burn", "switch"),
    "deployment on sea": (SCENARIO, "{unit: br-7-sg, hex: 19/1127", "{unit: br-7-sg, hex: 19/1120", "sea"),
    "deployment on a salt marsh": (SCENARIO, "{unit: br-4-arm-a, hex: 19/1127", "{unit: br-4-arm-a, hex: 19/1929", "terrain"),
    "four divisions in a hex": (SCENARIO, "\nair_deploy:\n", "\n- {unit: it-16, hex: 19/0725, source: inferred}\n- {unit: it-132, hex: 19/0725, source: inferred}\nair_deploy:\n", "stacking"),
    "unknown unit": (SCENARIO, "{unit: br-5cav,", "{unit: br-55cav,", "unit"),
    "unit twice": (SCENARIO, "{unit: br-6cav,", "{unit: br-4cav,", "twice"),
    "both sides in a hex": (SCENARIO, "{unit: it-63, hex: 19/0527", "{unit: it-63, hex: 19/1126", "sides"),
    "air unit off an airbase": (SCENARIO, "{unit: air-glad-1, hex: 19/1326", "{unit: air-glad-1, hex: 19/1627", "airbase"),
    "fortress where none is": (SCENARIO, "- {hex: 19/0325, place: Bardia, state", "- {hex: 19/0225, place: Bardia, state", "fortress"),
    "airfield in rough sea": (SCENARIO, "- {side: allied, hex: 19/1526", "- {side: allied, hex: 19/1520", "sea"),
    "supply of three steps": (SCENARIO, "place: Matruh, steps: 2", "place: Matruh, steps: 3", "steps"),
    "attack force not deployed": (SCENARIO, "- br-w-art\n", "- br-t-art\n", "attack-force"),
}  # fmt: skip

ELSEWHERE = ("gap", "stacking", "sides", "total")
"""Faults of several records, shown at another of them."""


def copied(folder: Path) -> Path:
    """A copy of the data files of the pack."""
    (folder / "scenarios").mkdir(parents=True)
    for path in FOLDER.glob("*.yaml"):
        shutil.copy(path, folder / path.name)
    for path in (FOLDER / "scenarios").glob("*.yaml"):
        shutil.copy(path, folder / "scenarios" / path.name)
    return folder


def plant(folder: Path, file: str, old: str, new: str) -> int:
    """Put a fault into a file; the number of its first line."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (file, old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, int], list[Fault]]:
    """All faults planted at once: their lines, and what the checker says."""
    folder = copied(tmp_path_factory.mktemp("pack") / "western-desert")
    lines = {}
    for what, (file, old, new, _) in PLANTED.items():
        lines[what] = plant(folder, file, old, new)
    return lines, check_pack(folder)


@pytest.mark.parametrize("what", sorted(PLANTED))
def test_planted_fault(what: str, found: tuple[dict[str, int], list[Fault]]) -> None:
    lines, faults = found
    file, _, _, code = PLANTED[what]
    here = [fault for fault in faults if (fault.file, fault.code) == (file, code)]
    if code not in ELSEWHERE:
        here = [fault for fault in here if fault.line == lines[what]]
    assert here, [str(fault) for fault in faults if fault.file == file][:20]


def test_a_hex_left_out_is_named(found: tuple[dict[str, int], list[Fault]]) -> None:
    texts = [fault.text for fault in found[1] if fault.code == "gap"]
    assert any(text.startswith("18/0123 is neither land nor sea") for text in texts)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("rulings: [\n", 2),
        ("rulings: []\nrulings: []\n", 2),
        ("rulings:\n- {id: A, id: B}\n", 2),
        ("- a list\n", 1),
        ("", 1),
    ],
)
def test_file_that_cannot_be_read(tmp_path: Path, text: str, line: int) -> None:
    folder = copied(tmp_path / "western-desert")
    (folder / "rulings.yaml").write_text(text, encoding="utf-8")
    (fault,) = check_pack(folder)
    assert (fault.file, fault.line, fault.code) == ("rulings.yaml", line, "file")


def test_missing_file_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    folder = copied(tmp_path / "western-desert")
    (folder / "air.yaml").write_bytes(b"air: \xff\xfe\n")
    assert "UTF-8" in check_pack(folder)[0].text
    (folder / "air.yaml").unlink()
    assert "can't be read" in check_pack(folder)[0].text


def test_fault_line_reads_well(found: tuple[dict[str, int], list[Fault]]) -> None:
    for fault in found[1]:
        head = f"{fault.file}:{fault.line}:{fault.column}: error[pack.{fault.code}]: "
        assert str(fault).startswith(head)
        assert fault.text and not fault.text.endswith(".")


def test_the_pack_is_sound() -> None:
    assert check_pack(FOLDER) == []
