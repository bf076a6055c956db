# ruff: noqa: E501
"""The checker finds planted faults, one by one over the command line and all at once, each with file and line, and
none in the pack itself."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from adjudicator.packs import files as pack_files
from adjudicator.packs.check import check_pack
from adjudicator.packs.faults import Fault
from adjudicator.packs.reading import Record, read
from adjudicator.packs.western_desert import check_beside, printed
from tests.cli.conftest import cli
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
    "canal with a gap": ("map.yaml", "- {a: 19/3522, b: 19/3523, kind: canal", "- {a: 19/3522, b: 19/3523, kind: river", "canal"),
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
    "unknown result in a chart": ("charts.yaml", "  - [6, H, H, H, H, H]", "  - [6, H, H, H, H, Q]", "cell"),
    "control of nobody": ("map.yaml", "- {hex: 18/0334, terrain: clear, country: Libya, region: [Tripolitania], control: axis", "- {hex: 18/0334, terrain: clear, country: Libya, region: [Tripolitania], control: nobody", "word"),
    "city of no class": ("map.yaml", "cities: [{name: Garian, class: ref}]", "cities: [{name: Garian, class: town}]", "word"),
    "unbuilt railway with a gap": ("map.yaml", "path: [19/1225, 19/1126, ", "path: [19/1225, ", "gap"),
    "period with a hole": (SCENARIO, "kind: period, from: Dec I 40, to: Feb I 41", "kind: period, from: Dec I 40, to: Jan II 41", "victory"),
    "unit out of supply": (SCENARIO, "{unit: au-20, hex: 19/4317, place: Gaza", "{unit: au-20, hex: 18/3535, place: Gaza", "supply"),
    "Malta status beyond the table": (SCENARIO, "malta_status: 8", "malta_status: 18", "number"),
    "unknown box": (SCENARIO, "{unit: it-5art, box: fifth_army", "{unit: it-5art, box: sixth_army", "word"),
    "set-up of another date": ("scenarios/campaign.yaml", "setup: compass", "setup: crusader", "setup"),
    "turns that are none": ("scenarios/crusader.yaml", "end: Jan I 42", "end: Jan III 42", "turn"),
    "part of a division that is nowhere": ("scenarios/crusader.yaml", "{unit: ge-8pz, box: assembled, of: ge-15-xx", "{unit: ge-8pz, box: assembled, of: ge-164-xx", "assembled"),
    "unit not in the game yet": ("scenarios/enter-rommel.yaml", "\nair_deploy:\n", "\n- {unit: gk-1, hex: 19/2423, source: history}\nair_deploy:\n", "roster"),
    "unit in play left out": ("scenarios/enter-rommel.yaml", "- {unit: po-carp, hex: 19/2423, place: Alexandria, source: history, confidence: medium, hex_source: rulebook, cites: [HIST]}\n", "", "roster"),
    "control of no country": ("scenarios/crusader.yaml", "{side: axis, country: Crete", "{side: axis, country: Atlantis", "country"),
    "event of an unknown unit": ("events.yaml", "kind: withdraw, unit: po-carp,", "kind: withdraw, unit: po-carpathian,", "unit"),
    "event of an unknown kind": ("events.yaml", "{id: reinforce-42-08-2-gk-1, turn: Aug II 42, side: allied, kind: reinforce,", "{id: reinforce-42-08-2-gk-1, turn: Aug II 42, side: allied, kind: appear,", "word"),
    "event on no turn": ("events.yaml", "{id: reinforce-42-06-2-in-18, turn: Jun II 42,", "{id: reinforce-42-06-2-in-18, turn: June 42,", "turn"),
    "event without a source": ("events.yaml", "unit: in-17, area: east_edge, source: history,", "unit: in-17, area: east_edge,", "missing"),
    "event twice": ("events.yaml", "- {id: withdraw-42-09-2-in-9,", "- {id: withdraw-42-09-2-in-161,", "twice"),
    "unit comes that is there": ("events.yaml", "kind: reinforce, unit: br-23, area", "kind: reinforce, unit: br-16, area", "event"),
    "unit returns that never left": ("events.yaml", "{id: return-41-06-2-br-4cav, turn: Jun II 41, side: allied, kind: return, unit: br-4cav", "{id: return-41-06-2-br-4cav, turn: Jun II 41, side: allied, kind: return, unit: br-5cav", "event"),
    "unit leaves that is not there": ("events.yaml", "{id: withdraw-42-08-2-in-3mot, turn: Aug II 42,", "{id: withdraw-42-08-2-in-3mot, turn: Jan I 41,", "event"),
    "conversion of what is not there": ("events.yaml", "{id: convert-42-05-1-cz-200, turn: May I 42,", "{id: convert-42-05-1-cz-200, turn: Jan I 41,", "event"),
    "division before its parts": ("events.yaml", "{id: assemble-42-08-1-ge-164-xx, turn: Aug I 42,", "{id: assemble-42-08-1-ge-164-xx, turn: Jul I 42,", "event"),
    "air unit to the edge of the map": ("events.yaml", "unit: air-spit-5-3, area: egypt", "unit: air-spit-5-3, area: south_edge", "area"),
    "Italians come in Egypt": ("events.yaml", "unit: it-3sm, area: europe", "unit: it-3sm, area: egypt", "area"),
    "unit of the other side": ("events.yaml", "{id: reinforce-42-04-2-ge-288, turn: Apr II 42, side: axis,", "{id: reinforce-42-04-2-ge-288, turn: Apr II 42, side: allied,", "side"),
    "points of nothing": ("events.yaml", "{id: smp-41-10-1-allied, turn: Oct I 41, side: allied, kind: smp, points: 36,", "{id: smp-41-10-1-allied, turn: Oct I 41, side: allied, kind: smp, points: none,", "number"),
    "points for a nation without units": ("events.yaml", "kind: replacement, nat: south_african, rp: non_armor, points: 1, area: egypt, source: inferred, confidence: low, cites: [HIST]}\n- {id: malta-repair-41-11-1", "kind: replacement, nat: greek, rp: non_armor, points: 1, area: egypt, source: inferred, confidence: low, cites: [HIST]}\n- {id: malta-repair-41-11-1", "event"),
    "area without a port": ("events.yaml", "ports: [Port Said, Ismailia, Suez]", "ports: [Port Said, Ismailia, Suez, Port Taufiq]", "area"),
}  # fmt: skip

ELSEWHERE = ("gap", "stacking", "sides", "total", "victory", "roster", "canal")
"""Faults of several records, shown at another of them."""
ALONE = ("set-up of another date", "unit comes that is there", "conversion of what is not there")
"""Faults that hide others: what is not there to begin with can't be checked any further."""
TOGETHER = sorted(
    what for what, (_, old, new, _) in PLANTED.items() if what not in ALONE and old.count("\n") == new.count("\n")
)
"""Faults that can be planted at once, since none moves a line of another."""


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
    for what in TOGETHER:
        file, old, new, _ = PLANTED[what]
        lines[what] = plant(folder, file, old, new)
    return lines, check_pack(folder)


@pytest.mark.parametrize("what", TOGETHER)
def test_planted_fault(what: str, found: tuple[dict[str, int], list[Fault]]) -> None:
    lines, faults = found
    file, _, _, code = PLANTED[what]
    here = [fault for fault in faults if (fault.file, fault.code) == (file, code)]
    if code not in ELSEWHERE:
        here = [fault for fault in here if fault.line == lines[what]]
    assert here, [str(fault) for fault in faults if fault.file == file][:20]


PARSED: dict[tuple[str, bytes], Record] = {}


def read_once(path: Path, shown: str) -> Record:
    """Files that stay as they are parsed once for all command lines of this module; nothing changes a record."""
    key = (shown, path.read_bytes() if path.is_file() else b"")
    if not key[1]:
        return read(path, shown)
    if key not in PARSED:
        PARSED[key] = read(path, shown)
    return PARSED[key]


@pytest.fixture(scope="module")
def sound_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the pack, in which one fault at a time is planted and taken out again."""
    return copied(tmp_path_factory.mktemp("one") / "western-desert")


@pytest.mark.parametrize("what", sorted(PLANTED))
def test_command_names_file_and_line(what: str, sound_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pack_files, check_beside, printed):
        monkeypatch.setattr(module, "read", read_once)
    file, old, new, code = PLANTED[what]
    path = sound_copy / file
    before = path.read_bytes()
    line = plant(sound_copy, file, old, new)
    try:
        result = cli("pack", "check", sound_copy)
    finally:
        path.write_bytes(before)
    assert result.code == 1
    place = r"\d+" if code in ELSEWHERE else str(line)
    wanted = rf"^{re.escape(str(path))}:{place}:\d+: error\[pack\.{code}\]: .+; .+"
    assert re.search(wanted, result.out, re.MULTILINE), result.out[:3000]
    assert re.search(r"^western-desert: \d+ faults?$", result.out, re.MULTILINE)


def test_enough_faults_are_planted() -> None:
    assert len(PLANTED) >= 25
    assert {file for file, *_ in PLANTED.values()} >= {
        "map.yaml",
        "counters.yaml",
        "air.yaml",
        "charts.yaml",
        "events.yaml",
        SCENARIO,
    }


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
