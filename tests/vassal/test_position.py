"""Positions become saves: every unit on its hex, in its stack, as it stands, and nothing the viewer may not see."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.vassal import ExportError, export_save
from adjudicator.vassal.reader import ReadModule, ReadSave, read_save
from adjudicator.vassal.western_desert import WesternDesert
from tests.vassal.structure import save_problems

Tree = Mapping[str, Any]


def _export(pack: Tree, position: Tree, folder: Path, viewer: str | None = None) -> ReadSave:
    export_save(pack, position, folder / "x.vsav", viewer, "test")
    return read_save(folder / "x.vsav")


def test_every_unit_of_the_scenario_stands_on_its_hex(save: ReadSave, game: WesternDesert, compass: Tree) -> None:
    rows = [row for row in compass["units"] if row.get("hex")]
    assert len(rows) > 100
    for row in rows:
        basic = save.pieces[row["id"]].basic
        assert (basic.map, (basic.x, basic.y)) == ("Western Desert", game.layout.pixel(row["hex"]))


def test_each_hex_has_one_stack_of_its_units(save: ReadSave, game: WesternDesert, compass: Tree) -> None:
    by_spot: dict[tuple[int, int], set[str]] = {}
    for part in ("units", "supply"):
        for row in compass[part]:
            if row.get("hex"):
                by_spot.setdefault(game.layout.pixel(row["hex"]), set()).add(row["id"])
    stacks = {(s.x, s.y): set(s.pieces) for s in save.stacks.values() if s.layer == 1}
    assert {spot: stacks[spot] for spot in by_spot} == by_spot


def test_units_in_boxes_are_in_their_boxes(save: ReadSave, game: WesternDesert, compass: Tree) -> None:
    boxes = {box.id: box for box in game.layout.boxes}
    for row in compass["units"]:
        if row.get("box"):
            box, basic = boxes[row["box"]], save.pieces[row["id"]].basic
            x = basic.x - game.layout.board(box.board).x
            assert box.x < x < box.x + box.width
            assert box.y < basic.y < box.y + box.height


def test_turn_and_title(save: ReadSave) -> None:
    assert save.metadata["description"] == "Compass: the start"
    assert save.trackers["TurnTracker0"].startswith("0|0;0;0;")
    assert save.notes["NOTES"].startswith("Compass: the start\nDec I 40, Allied player turn")


def test_a_later_turn_is_on_the_tracker_and_on_the_track(pack: Tree, game: WesternDesert, tmp_path: Path) -> None:
    save = _export(pack, {"turn": "Nov II 41", "player": "axis", "phase": "combat"}, tmp_path)
    assert save.trackers["TurnTracker0"].startswith("0|23;0;0;")
    assert "Nov II 41, Axis player turn, combat phase" in save.notes["NOTES"]
    marker = save.pieces["game-turn"].basic
    assert (marker.x, marker.y) == game.layout.track("turn").centre(23)


def test_steps_and_states(pack: Tree, tmp_path: Path, module: ReadModule) -> None:
    position = {
        "units": [
            {"id": "br-7-arm-xx", "hex": "19/1127", "step": "cadre"},
            {"id": "au-6-xx", "hex": "19/1127", "step": "full", "gs": "no", "attacked": "yes"},
            {"id": "au-16", "hex": "19/1127", "retreated": "yes"},
        ],
        "air": [{"id": "air-glad-1", "hex": "19/1326", "operative": "no"}, {"id": "air-glad-2", "hex": "19/1326"}],
        "supply": [{"id": "s1", "side": "axis", "hex": "19/0725", "steps": "2"}],
    }
    save = _export(pack, position, tmp_path)
    assert save_problems(save, module) == []
    layers = {key: piece.layers() for key, piece in save.pieces.items()}
    assert layers["br-7-arm-xx"] == {"Supply": 1, "Condition": 1, "Step": 2}
    assert layers["au-6-xx"] == {"Supply": 2, "Condition": 2, "Step": 1}
    assert layers["au-16"] == {"Supply": 1, "Condition": 3}
    assert layers["air-glad-1"] == {"State": 2}
    assert layers["air-glad-2"] == {"State": 1}
    assert layers["s1"] == {"Step": 2}


def test_works_and_markers(pack: Tree, tmp_path: Path, module: ReadModule, game: WesternDesert) -> None:
    position = {
        "forts": {"19/0826": "allied"},
        "unimproved": ["18/4818"],
        "airfields": [{"hex": "18/4819", "side": "axis"}],
        "control": [{"hex": "19/0725", "side": "axis"}, {"hex": "18/4818", "side": "axis"}],
        "broken": ["19/1526"],
        "hits": [{"hex": "18/3122", "hits": "3"}],
        "railhead": "19/1126",
        "malta_status": "8",
    }
    save = _export(pack, position, tmp_path)
    assert save_problems(save, module) == []
    assert {key for key in save.pieces if "." in key} == {
        "fort-allied.19.0826",
        "fortress.18.4818",
        "airfield-axis.18.4819",
        "control-axis.19.0725",
        "break.19.1526",
        "hit.18.3122",
        "railhead.19.1126",
    }
    assert save.pieces["hit.18.3122"].layers() == {"Step": 3}
    assert save.pieces["malta-status"].basic.x == game.layout.track("malta").centre(8)[0]


def test_works_under_way_and_damage(pack: Tree, tmp_path: Path, module: ReadModule) -> None:
    position = {
        "works": [
            {"hex": "18/4818", "what": "fortress", "side": "allied", "turn": "Mar I 41", "unit": "br-const1"},
            {"hex": "19/0326", "what": "fort", "side": "axis", "turn": "Mar I 41", "unit": "it-10cons"},
            {"hex": "19/0326", "what": "airfield", "side": "axis", "turn": "Mar I 41"},
        ],
        "port_hits": [{"hex": "18/4818", "hits": "6"}],
        "airbase_hits": [{"hex": "18/4818", "hits": "1"}],
    }
    save = _export(pack, position, tmp_path)
    assert save_problems(save, module) == []
    assert {key: piece.layers() for key, piece in save.pieces.items() if "." in key} == {
        "site-allied.18.4818.2": {"Step": 2},
        "site-axis.19.0326.1": {"Step": 1},
        "site-axis.19.0326.3": {"Step": 3},
        "port-hit.18.4818": {"Step": 6},
        "airbase-hit.18.4818": {"Step": 1},
    }


def test_the_rules_own_form_of_a_position(pack: Tree, tmp_path: Path, module: ReadModule, game: WesternDesert) -> None:
    position = {
        "format": "1",
        "scenario": "compass",
        "turn": "Dec I 40",
        "surprise": "yes",
        "player": "allied",
        "phase": "combat",
        "units": [
            {"id": "br-7-sg", "hex": "19/0726", "out": "yes", "attacked": "yes"},
            {"id": "it-17", "hex": "19/0325"},
        ],
        "gone": [{"id": "au-16", "why": "eliminated"}, {"id": "au-17", "why": "lost at sea"}],
        "supply": [{"id": "s1", "side": "allied", "hex": "19/1225", "steps": "0"}],
        "air": [{"id": "air-glad-1", "hex": "19/1326", "state": "inoperative"}],
        "control": [{"side": "allied", "hexes": ["18/4818", "19/1225"]}],
        "built": [{"name": "projected railway Matruh - Tobruk", "hexes": "2"}],
    }
    save = _export(pack, position, tmp_path)
    assert save_problems(save, module) == []
    assert save.pieces["br-7-sg"].layers() == {"Supply": 2, "Condition": 2}
    assert save.pieces["air-glad-1"].layers() == {"State": 2}
    assert "s1" not in save.pieces
    assert "control-allied.18.4818" in save.pieces
    assert "control-allied.19.1225" not in save.pieces
    assert "railhead.19.1026" in save.pieces
    assert save.pieces["it-17"].basic.x == game.layout.pixel("19/0325")[0]
    assert save.pieces["it-25"].basic.y > 2700
    assert "airfield-axis.18.5019" in save.pieces
    assert save.notes["NOTES"].endswith("Dec I 40, Allied surprise turn, combat phase")


def test_a_row_by_id_is_as_good_as_a_list(pack: Tree, tmp_path: Path) -> None:
    listed = _export(pack, {"units": [{"id": "au-16", "hex": "19/1127"}]}, tmp_path)
    named = _export(pack, {"units": {"au-16": {"hex": "19/1127"}}}, tmp_path)
    assert listed.commands == named.commands


def test_an_overlap_hex_is_the_same_under_either_name(pack: Tree, tmp_path: Path) -> None:
    units = [{"id": "au-16", "hex": "19/0125"}, {"id": "au-17", "hex": "18/5119"}]
    save = _export(pack, {"units": units}, tmp_path)
    assert [set(s.pieces) for s in save.stacks.values()] == [{"au-16", "au-17"}]


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (None, {"au-16"}),
        ("allied", {"au-16", "au-17"}),
        ("axis", {"au-16", "au-19"}),
    ],
)
def test_what_a_side_may_not_know_is_absent(pack: Tree, tmp_path: Path, viewer: str | None, seen: set[str]) -> None:
    units = [
        {"id": "au-16", "hex": "19/1127", "visibility": "public"},
        {"id": "au-17", "hex": "19/1127", "visibility": "allied"},
        {"id": "au-19", "hex": "19/1127", "visibility": "axis"},
        {"id": "au-20", "hex": "19/1127", "visibility": "nobody"},
    ]
    save = _export(pack, {"units": units}, tmp_path, viewer)
    assert set(save.pieces) == seen
    assert "au-20" not in "\n".join(save.commands)


def test_units_out_of_play_are_in_their_side_s_box(pack: Tree, tmp_path: Path, game: WesternDesert) -> None:
    units = [{"id": "au-16", "gone": "eliminated"}, {"id": "it-1-lib-xx"}]
    known = {row["id"] for row in pack["counters"]}
    axis = next(row["id"] for row in pack["counters"] if row["side"] == "axis")
    save = _export(pack, {"units": [u if u["id"] in known else {"id": axis} for u in units]}, tmp_path)
    boxes = {box.id: box for box in game.layout.boxes}
    for unit, box_id in (("au-16", "allied_pool"), (axis, "axis_out")):
        box, basic = boxes[box_id], save.pieces[unit].basic
        assert box.x < basic.x - game.layout.board(box.board).x < box.x + box.width


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ({"units": [{"id": "nobody", "hex": "19/1127"}]}, "unit 'nobody' is not in the pack"),
        ({"units": [{"id": "au-16", "hex": "20/1127"}]}, "au-16: '20/1127' is no hex"),
        ({"units": [{"id": "au-16", "hex": "Atlantis"}]}, "'Atlantis' is neither a hex nor a box"),
        ({"supply": [{"id": "s", "hex": "19/1127", "steps": "1"}]}, "supply counter 's' has no side"),
        ({"supply": [{"id": "s", "side": "axis", "hex": "19/1127", "steps": "3"}]}, "has 3 steps; it has 1 or 2"),
        ({"forts": [{"hex": "19/1127"}]}, "marker on '19/1127' has no side"),
        ({"units": [{"id": "au-16", "hex": "19/1127"}] * 2}, "au-16: placed twice"),
    ],
)
def test_a_position_that_does_not_fit_is_refused(pack: Tree, tmp_path: Path, position: Tree, fault: str) -> None:
    out = tmp_path / "x.vsav"
    out.write_bytes(b"before")
    with pytest.raises(ExportError, match=fault):
        export_save(pack, position, out, None, "x")
    assert out.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["x.vsav"]


def test_an_empty_position_is_a_save_too(pack: Tree, tmp_path: Path, module: ReadModule) -> None:
    save = _export(pack, {}, tmp_path)
    assert not save.pieces
    assert save_problems(save, module) == []


def test_another_game_has_no_module_yet(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no VASSAL module for chess"):
        export_save({"system": "chess"}, {}, tmp_path / "x.vsav", None, "x")


def test_awkward_titles(pack: Tree, tmp_path: Path) -> None:
    title = "Zug 3 <Achse> & \"Rommel\"; é \x1b\\"
    export_save(pack, {}, tmp_path / "x.vsav", None, title)
    save = read_save(tmp_path / "x.vsav")
    assert save.metadata["description"] == title.replace("\x1b", "")
    assert save.notes["NOTES"].split("\n")[0] == title.replace("\x1b", "")


def test_air_units_in_the_air_lie_over_their_target(pack: Tree, tmp_path: Path, game: WesternDesert) -> None:
    """Over land and sea, a glider with its tow; one that is lost lies in a box of its side, one that is home there."""
    tug, glider = "air-ju-52-special-1", "air-dfs-230-special-1"
    position = {
        "air": [
            {"id": tug, "hex": "18/4818", "over": "19/0222", "mission": "air_drop", "tow": glider},
            {"id": glider, "hex": "18/4818"},
            {"id": "air-glad-1", "hex": "19/1326", "state": "inoperative"},
        ],
        "boxes": [{"id": "air-blen-4-1", "box": "air_pool"}],
    }
    save = _export(pack, position, tmp_path)
    spots = {key: (piece.basic.x, piece.basic.y) for key, piece in save.pieces.items()}
    assert spots[tug] == spots[glider] == game.layout.pixel("19/0222")
    assert spots["air-glad-1"] == game.layout.pixel("19/1326")
    assert save.pieces["air-glad-1"].layers()["State"] == 2
    (box,) = (box for box in game.layout.boxes if box.side == "allied" and "air_pool" in (box.id, *box.takes))
    x = spots["air-blen-4-1"][0] - game.layout.board(box.board).x
    assert box.x < x < box.x + box.width


def test_garrisons_off_the_map_lie_with_the_reinforcements(pack: Tree, tmp_path: Path, game: WesternDesert) -> None:
    """WD 33.C: whoever is on the written list stands on no hex of any side's save."""
    position = {"units": [], "boxes": [{"id": "br-22", "box": "garrison_list"}], "turn": "Mar I 41"}
    box = next(box for box in game.layout.boxes if box.id == "allied_arrivals")
    for viewer in ("allied", "axis", None):
        basic = _export(pack, position, tmp_path, viewer).pieces["br-22"].basic
        assert box.x < basic.x - game.layout.board(box.board).x < box.x + box.width
