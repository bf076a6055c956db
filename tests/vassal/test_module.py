"""The exported module as the engine would judge it, and planted faults, each of its own kind, that must be found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.vassal.archive import archive_bytes, read_archive, write_archive
from adjudicator.vassal.buildfile import boards_by_content
from adjudicator.vassal.reader import ReadError, ReadModule, ReadSave, read_module, read_stream
from adjudicator.vassal.savefile import deobfuscate
from adjudicator.vassal.western_desert import WesternDesert
from tests.vassal.structure import module_problems, read_entries, save_problems, tile_problems


def test_the_module_is_sound(module: ReadModule) -> None:
    assert module_problems(module) == []
    assert tile_problems(module) == []


def test_the_save_is_sound(save: ReadSave, module: ReadModule) -> None:
    assert save_problems(save, module) == []


def test_every_set_up_is_sound(module: ReadModule, tmp_path: Path) -> None:
    setups = module.setups()
    assert setups
    for file in setups.values():
        (tmp_path / file).write_bytes(module.entries[file])
        entries = read_archive(tmp_path / file)
        assert entries["moduledata"] == module.entries["moduledata"]
        assert save_problems(read_entries(entries), module) == []


def test_sides_and_observer(module: ReadModule) -> None:
    assert module.sides == ["Allied", "Axis", "Solitaire"]


def test_every_button_of_the_tool_bar_says_what_it_opens(module: ReadModule) -> None:
    """The engine labels a button from its attribute `text`; without it the button carries the engine's own words."""
    buttons = [
        element
        for kind in ("DiceButton", "ChartWindow", "Inventory", "PieceWindow")
        for element in module.root.iter(f"VASSAL.build.module.{kind}")
    ]
    assert len(buttons) == 5
    assert [element.get("text") for element in buttons] == [element.get("name") for element in buttons]
    assert not [element.tag for element in buttons if (element.text or "").strip()]


def test_a_chart_names_no_character_set(module: ReadModule) -> None:
    """The engine shows an empty page for one that does."""
    charts = [element.get("fileName", "") for element in module.root.iter("VASSAL.build.widget.HtmlChart")]
    assert charts
    for name in charts:
        page = module.entries[name].decode()
        assert "<table" in page, name
        assert "charset" not in page.lower(), name


def test_the_chart_takes_most_of_its_window(module: ReadModule) -> None:
    """The engine puts the chart left of the divider and the list of charts right of it."""
    (window,) = module.root.iter("VASSAL.build.module.ChartWindow")
    (pages,) = window
    assert int(pages.get("divider", "0")) >= int(pages.get("width", "0")) * 0.6 > 0


def test_no_side_is_taken_in_a_save(save: ReadSave) -> None:
    assert save.roster == []


def test_every_counter_of_the_pack_is_in_the_palette(
    module: ReadModule, pack: Mapping[str, list[Mapping[str, str]]]
) -> None:
    ids = {piece.marks().get("CounterId") for piece in module.slots.values()}
    assert {row["id"] for row in (*pack["counters"], *pack["air"])} <= ids


Change = Callable[[str], str]


def _swap(old: str, new: str, count: int = 1) -> Change:
    def change(xml: str) -> str:
        assert old in xml
        return xml.replace(old, new, count)

    return change


def _regex(pattern: str, new: str) -> Change:
    def change(xml: str) -> str:
        changed, times = re.subn(pattern, new, xml, count=1)
        assert times == 1
        return changed

    return change


BUILD_FAULTS: dict[str, tuple[Change, str]] = {
    "gpid twice": (_regex(r'gpid="2"', 'gpid="1"'), "gpid 1 is there twice"),
    "gpid not in the piece": (_regex(r'gpid="2"', 'gpid="90210"'), "its piece has gpid '2'"),
    "next id too low": (_regex(r'nextPieceSlotId="\d+"', 'nextPieceSlotId="3"'), "nextPieceSlotId"),
    "half pixel": (_regex(r'x0="(-?\d+)"', r'x0="\1.5"'), "no whole number"),
    "boolean": (_swap('snapTo="true"', 'snapTo="yes"'), "neither true nor false"),
    "colour": (_swap('circleColor="255,0,0"', 'circleColor="red"'), "no colour"),
    "attribute name": (_swap(' mapName="', ' mapname="'), "unknown attribute mapname"),
    "class name": (_swap("map.PieceMover", "map.PiecesMover"), "unknown class"),
    "child": (_swap("VASSAL.build.module.map.Flare", "VASSAL.build.module.NotesWindow"), "no child"),
    "mouse": (_regex(r"<VASSAL.build.module.map.KeyBufferer/>", ""), "KeyBufferer is missing"),
    "engine version": (_swap('VassalVersion="3.7.0"', 'VassalVersion="3.8.0"'), "newer than the engine"),
    "zeros": (_swap('IntegersAsStrings="true"', 'IntegersAsStrings="false"'), "lose their zero"),
    "image": (_swap('image="sheet-19-', 'image="sheet-20-'), "is not in the archive"),
    "image case": (_swap('image="sheet-19-', 'image="Sheet-19-'), "picture Sheet-19-"),
    "prototype": (_swap("prototype;Air unit", "prototype;Air units"), "no prototype 'Air units'"),
    "trait": (_swap("footprint;", "footprints;"), "unknown trait 'footprints'"),
    "board set-up": (_swap("BoardPicker\tMap 18", "BoardPicker\tMap 17"), "unknown board"),
    "prompt value": (_swap('autoReport="Always"', 'autoReport="Sometimes"'), "none of"),
    "key": (_swap('zoomInKey="61,715"', 'zoomInKeys="61,715"'), "unknown attribute zoomInKeys"),
    "set-up file": (_swap('file="compass.vsav"', 'file="compas.vsav"'), "file compas.vsav is not"),
    "zone": (_regex(r'path="\d+,\d+;', 'path="-400,1;'), "reaches beyond its board"),
    "at-start board": (_swap('owningBoard="Map 18"', 'owningBoard="Map"'), "lies on no board"),
    "layer names": (_swap(",+ (inoperative)", ",+ (inoperative),more"), "2 pictures and 3 names"),
    "destination": (_swap(";Z;Axis scrapped;", ";Z;Axis scraped;"), "which are not there"),
    "camera": (_swap('xPos="$ViewX$"', 'xPos="$VeiwX$"'), "the camera looks at 'VeiwX', which is no property"),
    "camera's button": (_swap("lookAtTheFront", "lookAtTheFrnot"), "nobody listens to 57348,0,look"),
    "empty end": (_regex(r"null;0;0;(\d+);0</VASSAL", r"null;0;0;\1;</VASSAL"), "trimmed"),
}


@pytest.mark.parametrize("name", BUILD_FAULTS)
def test_a_fault_in_the_build_file_is_found(name: str, vmod: Path, tmp_path: Path) -> None:
    change, expected = BUILD_FAULTS[name]
    entries = dict(read_archive(vmod))
    entries["buildFile.xml"] = change(entries["buildFile.xml"].decode()).encode()
    write_archive(tmp_path / "x.vmod", entries.items())
    assert any(expected in problem for problem in module_problems(read_module(tmp_path / "x.vmod")))


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">%b</svg>'
PICTURE_FAULTS = {
    "rgba": (SVG % b'<rect fill="rgba(0,0,0,.5)"/>', "comes out black"),
    "alpha": (SVG % b'<rect fill="#11223344"/>', "comes out black"),
    "transparent": (SVG % b'<rect fill="transparent"/>', "comes out black"),
    "id": (SVG % b'<g id="a"/>', "too short"),
    "size": (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', "plain pixels"),
    "baseline": (SVG % b'<text dominant-baseline="middle"/>', "ignored"),
}


@pytest.mark.parametrize("name", PICTURE_FAULTS)
def test_a_fault_in_a_picture_is_found(name: str, vmod: Path, tmp_path: Path) -> None:
    picture, expected = PICTURE_FAULTS[name]
    entries = {**read_archive(vmod), "images/br-7-sg.svg": picture}
    write_archive(tmp_path / "x.vmod", entries.items())
    assert any(expected in problem for problem in module_problems(read_module(tmp_path / "x.vmod")))


def test_a_board_that_is_drawn_anew_under_its_old_name_is_found(vmod: Path, tmp_path: Path) -> None:
    entries = dict(read_archive(vmod))
    (board,) = (name for name in entries if name.startswith("images/sheet-19-"))
    write_archive(tmp_path / "x.vmod", {**entries, board: entries[board] + b"more"}.items())
    (problem,) = tile_problems(read_module(tmp_path / "x.vmod"))
    assert problem == f"board picture {board.removeprefix('images/')}: its name does not come from its content"


def test_a_board_that_is_drawn_anew_gets_a_new_name_and_the_same_picture_keeps_its_own(game: WesternDesert) -> None:
    drawn = game.module()
    (old,) = (board.image for board in drawn.maps[0].boards if board.name == "Map 19")
    anew = replace(drawn, files={**drawn.files, f"images/{old}": b"another picture"})
    shown = [{b.name: b.image for b in boards_by_content(m).maps[0].boards} for m in (drawn, drawn, anew)]
    assert shown[0] == shown[1]
    assert shown[0]["Map 18"] == shown[2]["Map 18"]
    assert shown[0]["Map 19"] != shown[2]["Map 19"]
    assert f"images/{shown[2]['Map 19']}" in boards_by_content(anew).files


def test_a_picture_without_use_and_a_file_without_use_are_found(vmod: Path, tmp_path: Path) -> None:
    entries = {**read_archive(vmod), "images/more.svg": SVG % b"", "more.html": b""}
    write_archive(tmp_path / "x.vmod", entries.items())
    problems = module_problems(read_module(tmp_path / "x.vmod"))
    assert problems == ["picture more.svg is never used", "file more.html is never used"]


SAVE_FAULTS: dict[str, tuple[Change, str]] = {
    "no set-up mark": (_swap("\x1bSETUP_STACK\t", ""), "SETUP_STACK"),
    "no end": (_swap("\x1bend_save", ""), "begin and end"),
    "mistyped command": (_swap("\x1bNOTES\t", "\x1bNOTE\t"), "unknown command"),
    "another map": (_swap("Western Desert;", "Western Dessert;"), "no map"),
    "unknown counter": (_regex(r"(Desert;\d+;\d+;)\d+;1;UniqueID", r"\g<1>99999;1;UniqueID"), "no counter has gpid"),
    "missing state": (_regex(r"\t(\\+)\t\\\\+\t", "\t"), "states"),
    "board": (_swap("Map 19\t1\t0", "Map 20\t1\t0"), "lays out other boards"),
    "level": (_regex(r"\t2(\\+\tWestern Desert)", r"\t7\1"), "no level '7'"),
    "tracker": (_swap("TURNTurnTracker0", "TURNTurnTracker4"), "no turn tracker"),
    "stack place": (_regex(r"(\.1/stack/Western Desert;)\d+", r"\g<1>1"), "not where its stack is"),
    "property": (_swap(";ViewX;", ";ViewZ;"), "no property 'ViewZ'"),
    "property of a map": (_swap(";Module\x1b", ";Module1\x1b"), "is not the module's"),
    "lost from stack": (_regex(r"(\.1/stack/Western Desert;\d+;\d+;)[^;]+;", r"\1"), "is in no stack"),
}


@pytest.mark.parametrize("name", SAVE_FAULTS)
def test_a_fault_in_a_save_is_found(name: str, vsav: Path, module: ReadModule) -> None:
    change, expected = SAVE_FAULTS[name]
    text = change(deobfuscate(read_archive(vsav)["savedGame"]))
    try:
        problems = save_problems(read_stream(text), module)
    except ReadError as error:
        problems = [str(error)]
    assert any(expected in problem for problem in problems), problems


def test_archives_in_memory_and_on_disk_are_the_same(vsav: Path) -> None:
    entries = read_archive(vsav)
    assert archive_bytes(entries.items()) == vsav.read_bytes()
