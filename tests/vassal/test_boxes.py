"""Boxes beside the map: no stack leans over its box or over another; and where the map opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

import pytest

from adjudicator.vassal.board import Box
from adjudicator.vassal.boxes import DEEP, fill
from adjudicator.vassal.buildmap import LEAN
from adjudicator.vassal.model import Placement, Point
from adjudicator.vassal.savefile import Writer
from adjudicator.vassal.wd_front import front
from adjudicator.vassal.western_desert import WesternDesert, scenario_position

Tree = Mapping[str, Any]
SIZE, BAND = 56, 22
Rectangle = tuple[int, int, int, int]


def _stacks(placements: Iterable[Placement]) -> dict[Point, int]:
    found: dict[Point, int] = {}
    for placement in placements:
        spot = placement.x, placement.y
        found[spot] = found.get(spot, 0) + 1
    return found


def _covered(spot: Point, height: int) -> Rectangle:
    """What a stack covers: left, top, right and bottom."""
    x, y = spot[0] - SIZE // 2, spot[1] - SIZE // 2
    return x, y - LEAN[1] * (height - 1), x + SIZE + LEAN[0] * (height - 1), y + SIZE


def _in_boxes(game: WesternDesert, placements: Iterable[Placement]) -> Iterator[tuple[Box, list[Rectangle]]]:
    stacks = _stacks(placements)
    for box in game.layout.boxes:
        left = game.layout.board(box.board).x + box.x
        inside = {s for s in stacks if left <= s[0] < left + box.width and box.y <= s[1] < box.y + box.height}
        yield box, [_covered(spot, stacks[spot]) for spot in sorted(inside)]


def _crowd(pack: Tree, count: int) -> Tree:
    """So many counters of one side in its pool."""
    own = [row["id"] for row in pack["counters"] if row["side"] == "axis"][:count]
    assert len(own) == count
    return {"units": [{"id": unit, "box": "replacement_pool" if n % 2 else "dead"} for n, unit in enumerate(own)]}


@pytest.mark.parametrize("scenario", [0, 1, 2, 3, "crowd"])
def test_stacks_in_boxes_lean_over_nothing(scenario: int | str, pack: Tree, game: WesternDesert) -> None:
    position = _crowd(pack, 30) if isinstance(scenario, str) else scenario_position(pack["scenarios"][scenario])
    filled = 0
    for box, stacks in _in_boxes(game, game.save(position, None, "").placements):
        left = game.layout.board(box.board).x + box.x
        for x, y, right, bottom in stacks:
            assert left <= x < right <= left + box.width, box.name
            assert box.y + BAND <= y < bottom <= box.y + box.height, box.name
        for one, two in combinations(stacks, 2):
            across = min(one[2], two[2]) - max(one[0], two[0])
            down = min(one[3], two[3]) - max(one[1], two[1])
            assert across <= 0 or down <= 0, box.name
        filled += len(stacks)
    assert filled


def test_two_words_for_one_box_share_its_cells(pack: Tree, game: WesternDesert) -> None:
    crowd = game.save(_crowd(pack, 30), None, "").placements
    assert max(_stacks(crowd).values()) == DEEP


@pytest.mark.parametrize("count", [0, 1, 4, 5, 9, 40, 41, 97])
def test_cells_are_filled_evenly_and_in_order(count: int) -> None:
    placed = fill(10, [(0, n) for n in range(count)])
    assert [n for _, n in placed] == list(range(count))
    heights = [sum(cell == c for c, _ in placed) for cell in range(10)]
    assert max(heights) == (min(count, DEEP) if count <= 10 * DEEP else -(-count // 10))


def test_what_has_a_cell_of_its_own_keeps_it() -> None:
    placed = fill(4, [(0, "a"), (2, "b"), *((9, f"c{n}") for n in range(6))])
    assert {item: cell for cell, item in placed}["b"] == 2
    assert [cell for cell, item in placed if item.startswith("c")] == [3, 3, 3, 3, 1, 1]
    full = fill(2, [(0, "a"), *((1, n) for n in range(9))])
    assert [cell for cell, _ in full] == [0, *[1] * 9]


# --- where the map opens -------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "near"), [(0, "19/0626"), (2, "18/5121"), (3, "18/2630")])
def test_the_map_opens_where_the_sides_face_each_other(
    scenario: int, near: str, pack: Tree, game: WesternDesert
) -> None:
    save = game.save(scenario_position(pack["scenarios"][scenario]), None, "")
    assert save.view is not None
    x, y = game.layout.pixel(near)
    assert abs(save.view[0] - x) < 6 * game.layout.dx, pack["scenarios"][scenario]["id"]
    assert abs(save.view[1] - y) < 4 * game.layout.dy
    commands = Writer(game.module(pictures=False)).position_commands(save)
    assert [c for c in commands if c.startswith("GlobalProperty")] == [
        f"GlobalProperty\t;View{axis};{value};Module" for axis, value in zip("XY", save.view, strict=True)
    ]


def test_a_front_of_one_side_of_none_and_of_units_off_the_map(pack: Tree, game: WesternDesert) -> None:
    def shown(*units: tuple[str, str]) -> Point | None:
        rows = [{"id": unit, "hex" if "/" in place else "box": place} for unit, place in units]
        return front(game.layout, pack, game.save({"units": rows}, None, "").placements)

    assert shown() is None
    assert shown(("br-7-sg", "greece")) is None
    assert shown(("br-7-sg", "19/0626")) == game.layout.pixel("19/0626")
    lone = shown(("br-7-sg", "19/0626"), ("ge-104a", "greece"))
    assert lone == game.layout.pixel("19/0626")


def test_an_empty_map_opens_at_the_first_scenario(pack: Tree, game: WesternDesert) -> None:
    camera = game.module(pictures=False).maps[0].camera
    assert camera is not None
    assert camera.at == game.save(scenario_position(pack["scenarios"][0]), None, "").view
