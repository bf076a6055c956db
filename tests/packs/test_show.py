"""``pack show`` and ``pack check --overlay``: any part in words, the map as SVG, the overlay to correct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from tests.cli.conftest import cli, good
from tests.cli.test_bad_turns import assert_clear
from tests.packs.support import pack

WD = "western-desert"
SVG = "http://www.w3.org/2000/svg"


def shown(*words: object) -> str:
    return good("pack", "show", WD, *words).out


def test_overview_names_the_parts() -> None:
    text = shown()
    assert "events: 625 (" in text
    assert re.search(r"^Show a part: .*counters.*events.*hexes.*scenarios", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        (("counters", "7", "Arm", "X"), r"^7 Arm X \(br-7-arm-a\): .*3-2-10, british armor brigade.*\[rulebook"),
        (("counters", "br-44-xx"), r"8-8, .*3 RE, cadre 3"),
        (("air", "Ju", "87D"), r"2D3, tactical 6"),
        (("types", "panzer"), r"^panzer: .*aeca full"),
        (("charts",), r"^ground_crt: Ground combat results \(WD chart.ground-crt\)"),
        (("charts", "malta"), r"^ +11 +X +X\*.*\n.*\n\* filled or kept by ruling MALTA-HOLES"),
        (("charts", "terrain"), r"terrain rough, die -1, .*mot_or_art 2"),
        (("events", "Mar", "I", "41"), r"4 NZ X leaves for Greece, back Jun I 41 \[history, checked"),
        (("events", "Mar I 41"), r"^Mar I 41, axis: 5 Pz III arrives: Europe"),
        (("events", "po-carp"), r"^May I 42, allied: Carpathian X leaves"),
        (("events", "convert-42-01-1-br-8-arm-a"), r"6 Cav X becomes 8 Arm X for 1 armor point"),
        (("scenarios",), r"^crusader: .*Nov II 41 to Jan I 42.*the rules lack: control"),
        (("scenarios", "compass"), r"18/4818 Tobruk: .*61 Sirte XX"),
        (("hexes", "Tobruk"), r"^18/4818: .*Tobruk \(dot city\).*fortress.*escarpment to the south, lower side here"),
        (("hexes", "18/4818", "2"), r"^18/4619: "),
        (("hexes", "Tripoli (Lebanon)"), r"^19/4404: .*minor port"),
        (("places", "Bardia"), r"hex 19/0325"),
        (("rulings", "EXCHANGE-BASIS"), r"\[switch exchange_basis: printed, modified\]"),
        (("assumptions", "bardia"), r"^bardia-fortress: .*; look at 19/0325"),
        (("areas", "malta"), r"area malta"),
        (("markers",), r"airfield"),
        (("citations", "WW3"), r"generalstab"),
        (("lines", "19/1225"), r"kind rail"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_parts(words: tuple[str, ...], pattern: str) -> None:
    assert re.search(pattern, shown(*words), re.MULTILINE), shown(*words)[:2000]


def test_every_part_has_something_to_show() -> None:
    parts = shown().rstrip().splitlines()[-1].partition("parts: ")[2].split(", ")
    assert {"counters", "types", "charts", "events", "scenarios", "hexes", "rulings", "assumptions"} <= set(parts)
    for part in parts:
        assert shown(part), part
        assert good("pack", "show", WD, part, "--json").json["rows"], part


def test_each_event_has_words() -> None:
    assert len(shown("events").splitlines()) == len(pack().rows("events"))


def test_json_of_a_part() -> None:
    tree = good("pack", "show", WD, "events", "Mar I 41", "--json").json
    assert tree["part"] == "events" and all(row["turn"] == "Mar I 41" for row in tree["rows"])


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        (("nonsense",), "has no part nonsense; use one of: air, "),
        (("charts", "nonsense"), "there is no chart nonsense; use one of: "),
        (("scenarios", "nonsense"), "there is no scenario nonsense; use one of: campaign"),
        (("hexes", "nowhere"), "nowhere is neither a hex"),
        (("events", "nonsense"), "no event is of nonsense; write a turn as"),
        (("places", "nonsense"), "nothing among places fits nonsense"),
    ],
)
def test_words_that_are_none(words: tuple[str, ...], pattern: str) -> None:
    assert_clear(cli("pack", "show", WD, *words), pattern, 2)


def test_parts_of_the_other_game() -> None:
    assert "Tobruk" in good("pack", "show", "shifting-sands", "spaces", "Tobruk").out
    assert_clear(cli("pack", "show", "shifting-sands", "hexes"), "has no part hexes", 2)


def test_map_as_svg(tmp_path: Path) -> None:
    target = tmp_path / "map.svg"
    assert shown("--map", target) == f"Map: {target}\n"
    root = etree.fromstring(target.read_bytes())
    texts = ["".join(str(text) for text in node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Tobruk", "Cairo", "4818", "3127"} <= set(texts)
    assert_clear(cli("pack", "show", WD, "--map", tmp_path), "this is a folder", 2)


def test_map_and_counter_sheet_of_shifting_sands(tmp_path: Path) -> None:
    for option, words in (("--map", {"Tobruk", "Addis Ababa"}), ("--counter-sheet", {"Axis: German", "Markers"})):
        target = tmp_path / "x.svg"
        good = cli("pack", "show", "shifting-sands", option, target)
        assert good.code == 0 and str(target) in good.out
        texts = {str(node.text) for node in etree.fromstring(target.read_bytes()).iter(f"{{{SVG}}}text")}
        assert words <= texts


def test_counter_sheet_as_svg(tmp_path: Path) -> None:
    """Every ground and air unit stands on it, front and back."""
    target = tmp_path / "counters.svg"
    assert shown("--counter-sheet", target) == f"Counters: {target}\n"
    root = etree.fromstring(target.read_bytes())
    pictures = [node for node in root.iter(f"{{{SVG}}}g") if "scale" in node.get("transform", "")]
    tree = pack().tree
    backs = sum("cadre" in row for row in tree["counters"]) + len(tree["air"])
    assert len(pictures) > len(tree["counters"]) + len(tree["air"]) + backs
    texts = {"".join(str(text) for text in node.itertext()) for node in root.iter(f"{{{SVG}}}text")}
    assert {"Allied: British, ground units", "Axis: German, air units", "Markers"} <= texts


def test_template_is_written_once(tmp_path: Path) -> None:
    target = tmp_path / "mine.yaml"
    assert "pack check western-desert --overlay" in shown("--overlay-template", target)
    assert_clear(cli("pack", "show", WD, "--overlay-template", target), "there is a file of that name", 2)
    result = cli("pack", "check", WD, "--overlay", target)
    assert result.code == 1 and "as the pack has it already" in result.out


def test_overlay_over_the_command_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("overlay: western-desert\ncounters:\n- {id: br-150, attack: 3}\n", encoding="utf-8")
    assert good("pack", "check", WD, "--overlay", mine).out == f"{WD}: 1 correction of {mine}: 0 faults\n"
    assert "3-2-8, british infantry brigade" in shown("counters", "br-150", "--overlay", mine)
    text = shown("--overlay", mine)
    assert "corrected: counters br-150: attack 2 -> 3" in text
    digests = [re.search(r"^digest (\w{64})$", one, re.MULTILINE) for one in (text, shown())]
    assert digests[0] and digests[1] and digests[0][1] != digests[1][1]


def test_faults_of_an_overlay_name_its_lines(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("overlay: western-desert\ncounters:\n- {id: br-150, attack: many}\n", encoding="utf-8")
    result = cli("pack", "check", WD, "--overlay", mine)
    assert result.code == 1
    assert f"{mine}:3:3: error[pack.number]: attack many is no whole number; correct it" in result.out
    assert cli("pack", "check", WD, "--overlay", mine, "--json").json["faults"]
    assert cli("pack", "show", WD, "--overlay", mine).code == 1
    mine.write_text("overlay: [\n", encoding="utf-8")
    assert_clear(cli("pack", "check", WD, "--overlay", mine), rf"{re.escape(str(mine))}:\d+:\d+: error\[pack.file\]", 2)
    assert_clear(cli("pack", "check", WD, "--overlay", tmp_path / "gone.yaml"), "no such file", 2)
