"""The module, saves and logs of Shifting Sands, judged as the engine would."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import load_pack, pack_folder
from adjudicator.shifting_sands.apply import APPLY
from adjudicator.vassal import ExportError, export_events, export_save, export_vmod, import_log
from adjudicator.vassal.archive import read_archive
from adjudicator.vassal.reader import ReadModule, ReadSave, parse_xml, read_module, read_save
from adjudicator.vassal.registry import FILE_NAME, load_registry
from adjudicator.vassal.shifting_sands import ShiftingSands
from adjudicator.vassal.ss_board import HALF
from adjudicator.vassal.ss_boardart import NAME, SLIM
from adjudicator.vassal.ss_signs import USERS
from adjudicator.vassal.ss_words import TELLERS
from adjudicator.vassal.svg import NS, text_width
from tests.shifting_sands.rounds import Rounds, first_rounds, table
from tests.vassal.playback import Table
from tests.vassal.structure import module_problems, read_entries, save_problems

Tree = Mapping[str, Any]
MAP = "Shifting Sands"
NORTH_AFRICA = ("Libya", "Egypt", "Tunisia", "Algeria", "Morocco")
FAR = 2.0
"""Degrees from which on two spaces lie on the board in the order that they have on the earth."""
Spot = tuple[int, int]
Frame = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def pack() -> Tree:
    return load_pack("shifting-sands").tree


@pytest.fixture(scope="module")
def game(pack: Tree) -> ShiftingSands:
    return ShiftingSands(pack)


@pytest.fixture(scope="module")
def vmod(pack: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vmod") / "sands.vmod"
    export_vmod(pack, out)
    return out


@pytest.fixture(scope="module")
def module(vmod: Path) -> ReadModule:
    return read_module(vmod)


@pytest.fixture(scope="module")
def rounds() -> Rounds:
    """The bundled example as far as it goes."""
    return first_rounds()


def _save(pack: Tree, position: Tree, folder: Path, viewer: str | None = None) -> ReadSave:
    export_save(pack, position, folder / "x.vsav", viewer, "a position")
    return read_save(folder / "x.vsav")


# --- the module ------------------------------------------------------------------------------


def test_the_module_is_sound(module: ReadModule) -> None:
    assert module_problems(module) == []


def test_the_line_on_a_map_without_hexes_counts_none(module: ReadModule) -> None:
    lines = [one for one in module.root.iter() if str(one.tag).endswith(".LOS_Thread")]
    assert lines
    assert {(one.get("threadName"), one.get("drawRange")) for one in lines} == {("Line", "false")}


def test_every_set_up_is_sound_and_has_all_units_of_its_scenario(
    module: ReadModule, pack: Tree, tmp_path: Path
) -> None:
    assert sorted(module.setups()) == ["Campaign", "Operation Sonnenblume"]
    for scenario in pack["scenarios"]:
        (tmp_path / "x.vsav").write_bytes(module.entries[f"{scenario['id']}.vsav"])
        save = read_entries(read_archive(tmp_path / "x.vsav"))
        assert save_problems(save, module) == []
        assert {row["unit"] for row in scenario["units"]} <= set(save.pieces)


def _turned(tree: Any) -> Any:
    """A tree with the keys of every mapping the other way round."""
    if isinstance(tree, Mapping):
        return {key: _turned(value) for key, value in reversed(list(tree.items()))}
    return [_turned(value) for value in tree] if isinstance(tree, list) else tree


def test_two_exports_are_the_same_bytes_in_whatever_order_the_pack_has_its_keys(
    vmod: Path, pack: Tree, tmp_path: Path
) -> None:
    export_vmod(_turned(pack), tmp_path / "x.vmod")
    assert (tmp_path / "x.vmod").read_bytes() == vmod.read_bytes()


def test_every_counter_keeps_its_number(game: ShiftingSands) -> None:
    """Run python -m adjudicator.vassal.registry shifting-sands --write when this fails."""
    registry = load_registry(pack_folder("shifting-sands") / FILE_NAME)
    assert registry.missing(game.piece_keys()) == []


def test_the_kept_board_was_drawn_from_this_pack(game: ShiftingSands) -> None:
    kept = (pack_folder("shifting-sands") / "art" / "drawn-from.txt").read_text(encoding="utf-8").strip()
    assert kept == game.drawn_from(), "run python scripts/draw_board.py shifting-sands and keep the picture"


def test_a_missing_picture_is_told(pack: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    art = tmp_path / "shifting-sands" / "art"
    art.mkdir(parents=True)
    for name in ("board.yaml", "style.yaml", "places.json"):
        (art / name).write_bytes((pack_folder("shifting-sands") / "art" / name).read_bytes())
    monkeypatch.setattr("adjudicator.vassal.shifting_sands.pack_folder", lambda system: tmp_path / system)
    with pytest.raises(ExportError, match=r"map\.png is missing"):
        export_vmod(pack, tmp_path / "a.vmod")
    (art / "places.json").unlink()
    with pytest.raises(ExportError, match="board of shifting-sands cannot be read"):
        export_vmod(pack, tmp_path / "a.vmod")


# --- the board -------------------------------------------------------------------------------


def test_every_space_has_its_place(game: ShiftingSands, pack: Tree) -> None:
    """Run scripts/sands_places.py when this fails."""
    assert set(game.layout.spaces) == {row["name"] for row in pack["spaces"]}


def test_no_space_covers_another(game: ShiftingSands) -> None:
    spots = sorted(game.layout.spaces.items())
    near = [
        (one, two)
        for i, (one, (x, y)) in enumerate(spots)
        for two, (u, v) in spots[i + 1 :]
        if abs(x - u) < 2 * HALF + 20 and abs(y - v) < 2 * HALF + 20
    ]
    assert near == []


def _links(game: ShiftingSands, pack: Tree) -> list[tuple[str, str, Spot, Spot]]:
    return [(row["a"], row["b"], game.layout.pixel(row["a"]), game.layout.pixel(row["b"])) for row in pack["links"]]


def _crosses(one: Spot, two: Spot, box: Frame) -> bool:
    """Whether a stretch from one point to another touches a rectangle (left, top, right, low)."""
    low, high = 0.0, 1.0
    for start, end, least, most in ((one[0], two[0], box[0], box[2]), (one[1], two[1], box[1], box[3])):
        if start == end:
            if not least <= start <= most:
                return False
            continue
        near, far = sorted(((least - start) / (end - start), (most - start) / (end - start)))
        low, high = max(low, near), min(high, far)
    return low <= high


def _square(at: Spot, room: int = 0) -> Frame:
    x, y = at
    return x - HALF - room, y - HALF - room, x + HALF + room, y + HALF + room


def _name_box(name: str, at: Spot) -> Frame:
    """Where a name stands: the measure of texts is rather too wide, and the letters are condensed."""
    half, y = text_width(name, NAME, bold=True) * SLIM / 2, at[1] + HALF
    return at[0] - half, y + 4, at[0] + half, y + 21


def _meet(one: Frame, two: Frame) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_no_line_runs_over_a_space_that_it_does_not_join(game: ShiftingSands, pack: Tree) -> None:
    """Nor so close to one that it seems to join it."""
    over = [
        (a, b, name)
        for a, b, one, two in _links(game, pack)
        for name, at in game.layout.spaces.items()
        if name not in (a, b) and _crosses(one, two, _square(at, 5))
    ]
    assert over == []


def test_every_line_shows_between_its_spaces_and_their_names(game: ShiftingSands, pack: Tree) -> None:
    """A line downward comes out below the name and is seen for a while before the next space."""
    short = []
    for a, b, one, two in _links(game, pack):
        (upper, _), (lower, _) = sorted(((one, a), (two, b)), key=lambda pair: pair[0][1])
        if abs(upper[0] - lower[0]) < 50 and lower[1] - upper[1] - 2 * HALF - 22 < 24:
            short.append((a, b, lower[1] - upper[1]))
    assert short == []


def test_names_lie_clear_of_each_other_and_of_spaces(game: ShiftingSands) -> None:
    boxes = {name: _name_box(name, at) for name, at in game.layout.spaces.items()}
    names = sorted(boxes)
    twice = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if _meet(boxes[a], boxes[b])]
    covered = [
        (a, b) for a in names for b in names if a != b and _meet(boxes[a], _square(game.layout.pixel(b)))
    ]  # fmt: skip
    assert (twice, covered) == ([], [])


def test_insets_show_east_africa_and_the_near_east(game: ShiftingSands, pack: Tree) -> None:
    """Each panel shows the spaces of its areas, on land from west to east and from north to south as on the earth."""
    panels = {panel.name: panel for panel in game.layout.panels}
    assert set(panels) == {"North Africa", "Near East", "East Africa"}
    for row in pack["spaces"]:
        inside = [name for name, panel in panels.items() if panel.holds(*game.layout.pixel(row["name"]))]
        if row["area"] != "Off-map":
            wanted = row["area"] if row["area"] in panels else "North Africa"
            assert inside == [wanted], row["name"]


def test_spaces_far_apart_on_the_earth_lie_so_on_the_board(game: ShiftingSands, pack: Tree) -> None:
    for area in ("Near East", "East Africa", ""):
        rows = [row for row in pack["spaces"] if (row["area"] == area if area else row["area"] in NORTH_AFRICA)]
        spots = [(float(r["lon"]), -float(r["lat"]), *game.layout.pixel(r["name"]), r["name"]) for r in rows]
        wrong = [
            (a[4], b[4])
            for a in spots
            for b in spots
            if (b[0] - a[0] > FAR and a[2] > b[2]) or (b[1] - a[1] > FAR and a[3] > b[3])
        ]
        assert wrong == []


def test_every_supply_source_is_told_on_the_board_and_every_restriction(game: ShiftingSands, pack: Tree) -> None:
    """A plate for each user of a source, in the key two more; words along dotted lines that are long enough."""
    texts = Counter(str(element.text) for element in parse_xml(game.whole_map()).iter(f"{{{NS}}}text"))
    users = Counter(USERS[source["user"]][1] for row in pack["spaces"] for source in row["sources"])
    assert sum(users.values()) == 22
    users.update(("ALLIED", "AXIS"))
    assert {word: texts[word] for word in users} == users
    assert texts["Allied only, whole move, RD stops, attack -1"] == 2, "the Nile, with its halo"
    assert texts["Allied only"] == 2 + 1, "Aden, with its halo, and the key"
    assert texts["battlegroups only"] > 6
    assert texts["LRDG only"] > 4


def test_a_border_runs_between_spaces_of_different_regions(game: ShiftingSands, pack: Tree) -> None:
    """Every line from a region to another of the same panel crosses a border, no line within a region does."""
    region = {row["name"]: row["region"] for row in pack["spaces"] if row["area"] != "Off-map"}
    wrong = []
    for a, b, one, two in _links(game, pack):
        same = any(panel.holds(*one) and panel.holds(*two) for panel in game.layout.panels)
        if same and a in region and b in region:
            crossed = any(_cut(one, two, p, q) for line in game.layout.borders for p, q in pairwise(line))
            if crossed != (region[a] != region[b]):
                wrong.append((a, b))
    assert wrong == []


def _cut(a: Spot, b: Spot, c: tuple[float, float], d: tuple[float, float]) -> bool:
    """Whether two stretches cross."""

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


def test_spaces_lie_on_land_and_boxes_anywhere(game: ShiftingSands, pack: Tree) -> None:
    from adjudicator.vassal.shore import Shore

    shore = Shore(game.layout.land, (), frozenset())
    dry = [row["name"] for row in pack["spaces"] if row["area"] != "Off-map" and row["terrain"] != "box"]
    assert [name for name in dry if not shore.holds(*game.layout.pixel(name))] == []


def test_a_point_is_in_its_space_or_beside_all(game: ShiftingSands) -> None:
    for name, (x, y) in game.layout.spaces.items():
        assert game.place_at(MAP, x + HALF, y - HALF) == name
        assert game.place_at("Axis hand", x, y) is None
    assert game.place_at(MAP, 20, 3200) is None


def test_a_piece_in_a_space_is_named_by_it(module: ReadModule, game: ShiftingSands, pack: Tree) -> None:
    """The engine looks for the first zone that holds the point and takes the nearest of its regions."""
    zones = [(_path(zone.get("path", "")), _regions(zone)) for zone in module.elements("mapgrid.Zone")]
    for row in pack["spaces"]:
        x, y = game.layout.pixel(row["name"])
        regions = next(regions for (left, top, right, low), regions in zones if left <= x < right and top <= y < low)
        assert min(regions, key=lambda r: math.hypot(r[1] - x, r[2] - y)) == (row["name"], x, y)


def _regions(zone: Any) -> list[tuple[str, int, int]]:
    found = zone.iter("VASSAL.build.module.map.boardPicker.board.Region")
    return [(str(row.get("name")), int(row.get("originx")), int(row.get("originy"))) for row in found]


def _path(text: str) -> tuple[int, int, int, int]:
    spots = [tuple(map(int, spot.split(","))) for spot in text.split(";")]
    return min(x for x, _ in spots), min(y for _, y in spots), max(x for x, _ in spots), max(y for _, y in spots)


def test_the_board_names_every_space_and_says_that_it_is_a_reconstruction(game: ShiftingSands, pack: Tree) -> None:
    texts = {element.text for element in parse_xml(game.whole_map()).iter(f"{{{NS}}}text")}
    assert {row["name"] for row in pack["spaces"]} <= texts
    assert {*game.layout.turns, "Axis reserve", "Allied permanently eliminated"} <= texts
    assert any(str(text).startswith("A reconstruction") for text in texts)


# --- positions -------------------------------------------------------------------------------


def test_a_position_in_full(pack: Tree, game: ShiftingSands, module: ReadModule, tmp_path: Path) -> None:
    position: dict[str, Any] = {
        "turn": "Fall 1941", "phase": "action", "round": "3", "active": "allied", "vp": "12",
        "units": [
            {"id": "it-62", "at": "Bardia", "step": "reduced", "supply": "oos", "moved": "yes", "retreated": "yes"},
            {"id": "br-7-arm", "at": "@reserve", "supply": "limited", "fought": "yes"},
        ],
        "control": [{"side": "allied", "spaces": ["Bardia", "Cairo"]}],
        "markers": [{"space": "Bardia", "marker": "attack"}],
        "ops": {"available": "4", "source": "card", "spent": "1"},
        "rp": [{"pool": "GE", "points": "2.5"}],
        "history": [{"side": "axis", "round": "2", "use": "rd"}],
        "attacked": ["Tobruk", "Tobruk"],
        "combat": {"number": "1", "side": "axis", "target": "Tobruk", "flank": "success"},
        "rommel": "Tobruk",
        "events": [{"event": "Compass", "turn": "Fall 1940"}],
    }  # fmt: skip
    save = _save(pack, position, tmp_path)
    assert save_problems(save, module) == []
    spots = {name: (piece.basic.x, piece.basic.y) for name, piece in save.pieces.items()}
    assert spots["it-62"] == spots["control-allied.bardia"] == spots["attack.bardia"] == game.layout.pixel("Bardia")
    assert save.pieces["it-62"].layers() == {"Step": 2, "Supply": 4, "Deed": 5}
    assert save.pieces["br-7-arm"].layers() == {"Step": 1, "Supply": 3, "Deed": 4}
    assert "control-allied.cairo" not in save.pieces, "Cairo is printed Allied"
    record = game.layout.track("record")
    assert [spots[name] for name in ("vp", "ops", "rp-ge")] == [record.centre(n) for n in (12, 3, 2)]
    assert spots["action-axis.2"] == game.layout.track("axis-actions").centre(1)
    assert save.pieces["action-axis.2"].layers() == {"Step": 2}
    assert save.pieces["combat.tobruk"].layers() == {"Step": 3}
    assert save.pieces["round"].layers() == {"Step": 2}
    assert {"attacked.tobruk", "rommel.tobruk"} <= set(save.pieces)
    assert "Compass" in save.notes["NOTES"]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"units": [{"id": "it-999", "at": "Bardia"}]}, "unit 'it-999' is not in the pack"),
        ({"units": [{"id": "it-62", "at": "Paris"}]}, "'Paris' is no space"),
        ({"units": [{"id": "it-62", "at": "@moon"}]}, "'moon' is no box of the axis side"),
        ({"control": [{"side": "vichy", "spaces": ["Bardia"]}]}, "'vichy' is no side"),
        ({"markers": [{"space": "Bardia", "marker": "stop"}]}, "neither move nor attack"),
        ({"rommel": "Paris"}, "'Paris' is no space"),
        ({"vp": "many"}, "'many' is no number"),
        ({"vp": "99"}, "99 is not on the track"),
        ({"rp": [{"pool": "XX", "points": "1"}]}, "'XX' is no pool"),
    ],
)
def test_a_position_that_does_not_fit_is_told(position: Tree, said: str, pack: Tree, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=said):
        export_save(pack, position, tmp_path / "x.vsav", None, "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("viewer", [None, "axis", "allied"])
def test_what_another_side_alone_may_see_is_not_in_the_file(viewer: str | None, pack: Tree, tmp_path: Path) -> None:
    units = [
        {"id": "it-62", "at": "Bardia", "visibility": "axis"},
        {"id": "br-7-arm", "at": "Cairo", "visibility": "allied"},
        {"id": "br-50", "at": "Cairo"},
    ]
    _save(pack, {"units": units}, tmp_path, viewer)
    text = "\n".join(read_save(tmp_path / "x.vsav").commands)
    seen = {unit for unit in ("it-62", "br-7-arm", "br-50") if f"+/{unit}/" in text}
    assert seen == {"br-50", *({"it-62"} if viewer == "axis" else {"br-7-arm"} if viewer else set())}


def test_units_that_a_position_does_not_name_are_not_in_play(pack: Tree, game: ShiftingSands, tmp_path: Path) -> None:
    save = _save(pack, {"units": [{"id": "it-62", "at": "Bardia"}]}, tmp_path)
    away = {row["id"] for row in pack["counters"]} - {"it-62"}
    boxes = {box.side: box for box in game.layout.boxes if box.id == "unplaced"}
    for unit in away:
        box, basic = boxes[save.pieces[unit].marks()["Side"].lower()], save.pieces[unit].basic
        assert box.x < basic.x < box.x + box.width and box.y < basic.y < box.y + box.height, unit


def test_no_stack_in_a_box_is_so_high_that_it_leans_over_its_neighbours(
    module: ReadModule, game: ShiftingSands, pack: Tree, tmp_path: Path
) -> None:
    cells = {cell for box in game.layout.boxes for cell in game.layout.cells(box)}
    for file in module.setups().values():
        (tmp_path / "x.vsav").write_bytes(module.entries[file])
        save = read_entries(read_archive(tmp_path / "x.vsav"))
        high = [stack.id for stack in save.stacks.values() if (stack.x, stack.y) in cells and len(stack.pieces) > 5]
        assert high == [], file


# --- logs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seq", range(2, 12))
def test_a_log_of_a_message_ends_in_the_save(
    seq: int, rounds: Rounds, pack: Tree, module: ReadModule, tmp_path: Path
) -> None:
    state, events = rounds.before(seq), rounds.events(seq)
    export_events(pack, table(), state, events, tmp_path / "x.vlog", None, "a log")
    log = read_save(tmp_path / "x.vlog")
    assert save_problems(log, module) == []
    assert len(log.steps) >= len([event for event in events if event.kind in ("move", "fire", "retreat", "advance")])
    played = Table(log)
    for step in log.steps:
        played.step(step)
        assert any(command.startswith("LOG\tCHAT") for command in step), "a step without a word"
    final = Table(_save(pack, table().position(state), tmp_path))
    assert played.picture() == final.picture()
    assert played.turn == final.turn


def test_units_that_moved_are_marked_with_their_way(
    rounds: Rounds, pack: Tree, game: ShiftingSands, tmp_path: Path
) -> None:
    events = rounds.events(6)
    until = max(i for i, event in enumerate(events) if event.kind == "move")
    export_events(pack, table(), rounds.before(6), events[: until + 1], tmp_path / "x.vlog", None, "a log")
    log = read_save(tmp_path / "x.vlog")
    played = Table(log)
    for step in log.steps:
        played.step(step)
    event = events[until]
    signs = played.signs(str(event.data["unit"]))
    way = ";".join(f"{x},{y}" for x, y in (game.layout.pixel(str(space)) for space in event.data["path"]))
    assert signs["markmoved"] == "true"
    assert f"Map0;{len(event.data['path'])};{way};" in signs["footprint"]


def test_every_kind_of_event_has_words(pack: Tree) -> None:
    assert set(APPLY) == set(TELLERS)


def test_every_event_is_said_in_a_line(rounds: Rounds, game: ShiftingSands) -> None:
    words = game.words()
    for event in rounds.run().events:
        said = words(event)
        assert said and "\n" not in said and "++" not in said, event


# --- plans -----------------------------------------------------------------------------------


def test_markers_and_moves_on_the_map_come_back_as_orders(rounds: Rounds, pack: Tree, tmp_path: Path) -> None:
    export_events(pack, table(), rounds.before(6), rounds.events(6), tmp_path / "x.vlog", None, "a log")
    draft = import_log(pack, tmp_path / "x.vlog", "allied")
    assert "name: round\n" in draft
    assert "- type: move_marker\n    space: Mersa Matruh\n" in draft
    assert "- type: move\n    unit: IND 4\n    to: Sofafi\n" in draft
    assert "type: move\n" not in import_log(pack, tmp_path / "x.vlog", "axis")
