"""Charts: what names a row stands first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.vassal.charts import chart_pages

FIRST = {
    "terrain": "terrain",
    "hexsides": "kind",
    "features": "feature",
    "ground-results": "result",
    "supply-limits": "what",
    "shipping-results": "die",
    "greece": "die",
    "aec": "from",
    "rail": "from",
    "breakdowns": "division",
    "victory-points": "for",
}


@pytest.fixture(scope="module")
def pages(pack: Mapping[str, Any]) -> dict[str, bytes]:
    return chart_pages(pack)[1]


@pytest.mark.parametrize("name", FIRST)
def test_what_names_a_row_is_its_first_column(name: str, pages: Mapping[str, bytes]) -> None:
    heads = re.findall("<th>([^<]*)</th>", pages[f"chart-{name}.html"].decode())
    assert heads[0] == FIRST[name]


def test_all_columns_are_there_and_the_ends_of_a_range_stand_together(pages: Mapping[str, bytes]) -> None:
    assert re.findall("<th>([^<]*)</th>", pages["chart-rail.html"].decode()) == ["from", "to", "hexes"]
    heads = re.findall("<th>([^<]*)</th>", pages["chart-terrain.html"].decode())
    assert sorted(heads[1:]) == sorted(
        ["cavalry", "halves", "mot or art", "other", "die", "aec", "build", "closed", "drop", "strength"]
    )
