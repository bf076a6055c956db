"""Hex names, the overlap of the sheets, neighbours (WD 2.B, 30)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.packs.western_desert.hexes import label
from tests.packs.support import facts, grid


def test_overlap_hexes_have_the_name_of_sheet_18() -> None:
    for row in facts()["overlap"]:
        assert grid().canonical(row["hex"]) == row["is"]
        assert grid().canonical(row["is"]) == row["is"]
    assert grid().canonical("19/0106") == "19/0106"


@pytest.mark.parametrize("text", ["18/0036", "18/5201", "19/5101x", "20/0101", "1818", "18/01", "18/0136", ""])
def test_no_hex(text: str) -> None:
    assert grid().canonical(text) is None


def test_even_columns_lie_lower() -> None:
    """The neighbours that the examples of the rules name (WD Tobruk display, 7.D, 9.H.2)."""
    assert set(grid().neighbours("18/4818")) >= {"18/4719", "18/4819", "18/4919", "18/4718", "18/4817", "18/4918"}
    assert grid().adjacent("19/0426", "19/0326")
    assert grid().adjacent("19/1225", "19/1126")
    assert not grid().adjacent("19/1225", "19/1124")
    expected = {"19/0529", "19/0531", "19/0429", "19/0430", "19/0629", "19/0630"}
    assert set(grid().neighbours("19/0530")) == expected


def test_neighbours_go_clockwise_from_the_north() -> None:
    around = grid().around("19/0530")
    assert around == ["19/0529", "19/0629", "19/0630", "19/0531", "19/0430", "19/0429"]


def test_the_sheets_join() -> None:
    assert grid().neighbours("18/5119") == ["18/5118", "19/0224", "19/0225", "18/5120", "18/5019", "18/5018"]
    assert set(grid().neighbours("19/0225")) >= {"18/5119", "18/5120"}
    assert grid().neighbours("18/5135") == ["18/5134", "18/5035", "18/5034"]


@given(st.sampled_from(grid().all_hexes()))
def test_neighbours_are_mutual(name: str) -> None:
    for other in grid().neighbours(name):
        assert name in grid().neighbours(other)
        assert grid().canonical(other) == other


def test_every_hex_once() -> None:
    names = grid().all_hexes()
    assert len(names) == len(set(names)) == 2 * 51 * 35 - 29


def test_label() -> None:
    assert label("18/4818") == "18.4818"
