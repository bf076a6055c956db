"""Pictures: kept boards fit the pack, counters show what the pack says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.packs import pack_folder
from adjudicator.vassal.boardart import BoardArt, input_digest
from adjudicator.vassal.counters import air_ratings, designation_text, ground_counter, strength_text
from adjudicator.vassal.labels import Label, Obstacle, place
from adjudicator.vassal.markers import marker_levels, marker_picture
from adjudicator.vassal.reader import parse_xml
from adjudicator.vassal.svg import NS
from adjudicator.vassal.western_desert import WesternDesert

Tree = Mapping[str, Any]


def _texts(picture: bytes) -> list[str]:
    return [element.text or "" for element in parse_xml(picture).iter(f"{{{NS}}}text")]


def test_the_kept_boards_were_drawn_from_this_pack(pack: Tree) -> None:
    art = pack_folder("western-desert") / "art"
    kept = (art / "drawn-from.txt").read_text(encoding="utf-8").strip()
    assert kept == input_digest(pack, art / "board.yaml"), "run python scripts/draw_board.py and keep the pictures"


def test_boards_are_small_enough_to_keep() -> None:
    for path in (pack_folder("western-desert") / "art").glob("*.png"):
        assert path.stat().st_size < 3_000_000


def test_a_board_shows_every_hex_number_and_every_place(game: WesternDesert, pack: Tree) -> None:
    group = BoardArt(game.layout, pack).draw()
    texts = {element.text for element in group.iter(f"{{{NS}}}text")}
    assert {name[3:] for name, _, _ in game.layout.hexes()} <= texts
    assert {row["name"] for row in pack["places"]} <= texts
    assert set(game.layout.turns) <= texts


@pytest.mark.parametrize(
    ("unit", "texts"),
    [
        ("br-7-arm-xx", ["XX", "L1", "7", "8-7-10"]),
        ("br-7-sg", ["X", "L1", "7", "2-10"]),
        ("au-16", ["X", "16 Aus", "2-8"]),
    ],
)
def test_a_counter_shows_size_name_and_strengths(unit: str, texts: list[str], game: WesternDesert, pack: Tree) -> None:
    row = next(row for row in pack["counters"] if row["id"] == unit)
    assert _texts(ground_counter(game.style, row)) == texts


def test_the_back_shows_the_cadre(game: WesternDesert, pack: Tree) -> None:
    row = next(row for row in pack["counters"] if row["id"] == "br-7-arm-xx")
    assert _texts(ground_counter(game.style, row, cadre=True)) == ["(XX)", "L1", "7", "3-10"]


@pytest.mark.parametrize(
    ("nat", "branch", "paper"),
    [
        ("british", "", "tan"),
        ("indian", "", "white"),
        ("australian", "", "brown"),
        ("italian", "", "light gray-green"),
        ("german", "", "gray-green"),
        ("german", "luftwaffe", "light blue"),
        ("polish", "", "red"),
        ("vichy", "", "blue"),
    ],
)
def test_colours_are_those_the_rulebook_names(nat: str, branch: str, paper: str, game: WesternDesert) -> None:
    red, green, blue = _rgb(game.style.colours(nat, branch, "").paper)
    named = {
        "tan": red > green > blue > 120,
        "white": min(red, green, blue) == 255,
        "brown": 150 > red > green > blue,
        "light gray-green": green > red > blue and green > 200,
        "gray-green": green > red > blue and green < 180,
        "light blue": blue > green > red > 150,
        "red": red > 2 * green,
        "blue": blue > green > red,
    }
    assert named[paper]


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def test_nations_of_the_pack_have_colours(game: WesternDesert, pack: Tree) -> None:
    nations = {(str(r["nat"]), str(r.get("branch", ""))) for r in (*pack["counters"], *pack["air"])}
    for nat, branch in nations:
        assert (nat, branch) in game.style.known or (nat, "") in game.style.known


def test_strengths_are_written_as_the_rulebook_does() -> None:
    assert strength_text("8", "7", "10") == "8-7-10"
    assert strength_text("2", "2", "10") == "2-10"
    row = {"attack": "1", "type": "B", "defense": "3", "tactical": "3", "strategic": "5", "movement": "18"}
    assert air_ratings(row) == ("1B3", "3-5/18")
    assert air_ratings({**row, "strategic": "0"}) == ("1B3", "3/18")


def test_designations_tell_nations_of_one_colour_apart(game: WesternDesert) -> None:
    assert designation_text(game.style, {"nat": "new_zealand", "designation": "4"}) == "4 NZ"
    assert designation_text(game.style, {"nat": "vichy", "branch": "colonial", "designation": "22 Al"}) == "22 Al"
    assert designation_text(game.style, {"nat": "british", "designation": "7"}) == "7"


def test_every_marker_has_its_faces(game: WesternDesert) -> None:
    for spec in game.style.markers:
        for level in range(1, marker_levels(spec) + 1):
            assert marker_picture(game.style, spec, level).startswith(b"<svg")


def test_names_give_way_to_each_other() -> None:
    labels = [Label(name, 100, 100, 60, 12, 8, 1) for name in "abcd"]
    spots = place(labels, [Obstacle((90, 90, 110, 110), 5.0)], (0, 0, 400, 400))
    for i, one in enumerate(spots):
        for two in spots[i + 1 :]:
            assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
