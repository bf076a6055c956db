"""The shore is nature's, yet every hex shows what it is to the rules; sheets join; names and counters can be read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import pack_folder
from adjudicator.vassal import export_save, svg
from adjudicator.vassal.board import BoardLayout, neighbours
from adjudicator.vassal.boardart import BoardArt, input_digest
from adjudicator.vassal.counters import air_counter
from adjudicator.vassal.reader import read_save
from adjudicator.vassal.shore import Shore, grid_of, load_shore
from adjudicator.vassal.western_desert import WesternDesert, scenario_position

Tree = Mapping[str, Any]
Picture = tuple[int, int, list[bytes], bytes]
ART = pack_folder("western-desert") / "art"


@pytest.fixture(scope="module")
def shore() -> Shore:
    found = load_shore(ART / "board.yaml")
    assert found is not None
    return found


def _between(layout: BoardLayout, one: str, two: str, part: float) -> tuple[float, float]:
    (x1, y1), (x2, y2) = layout.pixel(one), layout.pixel(two)
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part


def test_the_shore_fits_the_pack(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    """Run scripts/build_shore.py when this fails."""
    assert shore.fits(game.layout, map(str, pack["sea"]))


def test_the_middle_of_a_land_hex_is_land(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    assert [row["hex"] for row in pack["hexes"] if not shore.holds(*game.layout.pixel(str(row["hex"])))] == []


def test_the_middle_of_a_sea_hex_is_water(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    assert [name for name in pack["sea"] if shore.holds(*game.layout.pixel(str(name)))] == []


def test_roads_and_railroads_keep_to_the_land(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    ends = [(str(row["a"]), str(row["b"])) for row in pack["lines"]]
    wet = [ab for ab in ends if not all(shore.holds(*_between(game.layout, *ab, part)) for part in (0.25, 0.5, 0.75))]
    assert wet == []


def test_land_hexes_meet_on_land_unless_their_hexside_is_water(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    layout, land = game.layout, {game.layout.locate(str(row["hex"])) for row in pack["hexes"]}
    water = [row for row in pack["sides"] if row["kind"] in ("sea", "lake")]
    wet = {frozenset((layout.locate(str(row["a"])), layout.locate(str(row["b"])))) for row in water}
    apart = []
    for here in land:
        for there in neighbours(here):
            if there in land and frozenset((here, there)) not in wet:
                (x1, y1), (x2, y2) = layout.centre(*here), layout.centre(*there)
                if not shore.holds((x1 + x2) / 2, (y1 + y2) / 2):
                    apart.append((here, there))
    assert apart == []


def test_a_corrected_sea_is_drawn_without_the_kept_shore(shore: Shore, game: WesternDesert, pack: Tree) -> None:
    kept, other = pack["sea"][0], pack["sea"][1:]
    row = {**pack["hexes"][0], "hex": kept}
    assert BoardArt(game.layout, pack, shore).shore is shore
    art = BoardArt(game.layout, {**pack, "sea": other, "hexes": [*pack["hexes"], row]}, shore)
    assert art.shore is None
    drawn = [element.get("id") for element in art.draw().iter() if element.get("id")]
    assert "map-area" in drawn and "land-area" not in drawn


def test_a_shore_of_another_grid_does_not_fit(shore: Shore, game: WesternDesert) -> None:
    assert shore.grid == grid_of(game.layout)
    assert not Shore(shore.rings, (*shore.grid[:-1], 1), shore.sea).fits(game.layout, shore.sea)


def test_a_folder_without_a_shore_has_none(tmp_path: Path) -> None:
    assert load_shore(tmp_path / "board.yaml") is None


def test_the_digest_of_the_pictures_covers_the_shore(pack: Tree, tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_bytes((ART / "board.yaml").read_bytes())
    without = input_digest(pack, board)
    (tmp_path / "shore.json").write_bytes((ART / "shore.json").read_bytes())
    assert input_digest(pack, board) == input_digest(pack, ART / "board.yaml") != without


# --- sheets ----------------------------------------------------------------------------------


def _picture(path: Path) -> Picture:
    """Size, rows of palette indices and palette of a PNG as pngquant writes it."""
    data, parts, at = path.read_bytes(), dict[bytes, bytes](), 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        parts[kind] = parts.get(kind, b"") + body
        at += length + 12
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, colour) == (8, 3), "a picture with a palette, a byte a pixel"
    raw = zlib.decompress(parts[b"IDAT"])
    lines = [raw[y * (width + 1) : (y + 1) * (width + 1)] for y in range(height)]
    assert {line[0] for line in lines} == {0}, "unfiltered"
    return width, height, [line[1:] for line in lines], parts[b"PLTE"]


def _column(picture: Picture, x: int) -> list[bytes]:
    _, _, lines, palette = picture
    return [palette[3 * line[x] : 3 * line[x] + 3] for line in lines]


def _difference(one: list[bytes], two: list[bytes]) -> float:
    return sum(abs(a - b) for p, q in zip(one, two, strict=True) for a, b in zip(p, q, strict=True)) / len(one)


def test_the_sheets_join_without_a_seam(game: WesternDesert) -> None:
    """Across the seam the pictures change no more than between columns of pixels within them."""
    west, east = game.layout.boards
    assert west.x == 0 and west.x + west.width == east.x
    left, right = _picture(ART / west.image), _picture(ART / east.image)
    assert left[:2] == (west.width, game.layout.height) and right[:2] == (east.width, game.layout.height)
    seam = _difference(_column(left, -1), _column(right, 0))
    columns = [(left, x) for x in range(-60, -1)] + [(right, x) for x in range(60)]
    within = [_difference(_column(picture, x), _column(picture, x + 1)) for picture, x in columns]
    assert seam <= max(within)


# --- set-ups and counters --------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["campaign", "compass", "enter-rommel", "crusader"])
def test_every_unit_of_a_set_up_stands_on_its_hex_or_in_a_box(
    scenario: str, game: WesternDesert, pack: Tree, tmp_path: Path
) -> None:
    position = scenario_position(next(row for row in pack["scenarios"] if row["id"] == scenario))
    export_save(pack, position, tmp_path / "x.vsav", None, scenario)
    save = read_save(tmp_path / "x.vsav")
    boxes = [(box.board, box.x, box.y, box.width, box.height) for box in game.layout.boxes]
    for unit in position["units"]:
        basic = save.pieces[unit["id"]].basic
        if "hex" in unit:
            assert (basic.x, basic.y) == game.layout.pixel(unit["hex"]), unit
        else:
            spots = [(basic.x - game.layout.board(name).x - x, basic.y - y, w, h) for name, x, y, w, h in boxes]
            assert any(0 < x < w and 0 < y < h for x, y, w, h in spots), unit


def _light(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, two: str) -> float:
    dark, light = sorted((_light(one), _light(two)))
    return (light + 0.05) / (dark + 0.05)


def test_the_ink_of_every_counter_stands_out_from_its_paper(game: WesternDesert, pack: Tree) -> None:
    """3 to 1 is what large print needs."""
    rows = [*pack["counters"], *pack["air"]]
    for key in sorted({(str(r["nat"]), str(r.get("branch", "")), str(r["side"])) for r in rows}):
        colours = game.style.colours(*key)
        assert min(_contrast(colours.paper, ink) for ink in (colours.ink, colours.bold)) >= 3, key


def test_an_inoperative_air_unit_is_printed_in_black(game: WesternDesert, pack: Tree) -> None:
    rows = [row for row in pack["air"] if game.style.colours(str(row["nat"]), "", str(row["side"])).ink == "#ffffff"]
    assert rows
    for row in rows:
        faded = air_counter(game.style, row, operative=False)
        assert faded.count(b'fill="#ffffff"') == 2  # the veil and the word on the band


def _name_boxes(game: WesternDesert, pack: Tree, shore: Shore) -> dict[str, tuple[float, float, float, float]]:
    """Where the names of places stand on the drawn map."""
    names, ink, found = {str(row["name"]) for row in pack["places"]}, game.layout.colours["label"], {}
    for element in BoardArt(game.layout, pack, shore).draw().iter(f"{{{svg.NS}}}text"):
        if element.text in names and element.get("fill") == ink:
            size, x, y = (float(str(element.get(key))) for key in ("font-size", "x", "y"))
            width = svg.text_width(element.text, size, bold=element.get("font-weight") == "bold") * 0.9
            found[element.text] = (x - width / 2, y - 0.8 * size, x + width / 2, y + 0.2 * size)
    assert found.keys() == names
    return found


def test_no_name_of_a_place_covers_another_or_is_cut_by_the_seam(game: WesternDesert, pack: Tree, shore: Shore) -> None:
    boxes = _name_boxes(game, pack, shore)
    seam = game.layout.boards[1].x
    assert [name for name, box in boxes.items() if box[0] < seam < box[2]] == []
    pairs = [(a, b) for a in boxes for b in boxes if a < b]
    covered = [
        (a, b)
        for a, b in pairs
        if boxes[a][0] < boxes[b][2]
        and boxes[b][0] < boxes[a][2]
        and boxes[a][1] < boxes[b][3]
        and boxes[b][1] < boxes[a][3]
    ]
    assert covered == []
