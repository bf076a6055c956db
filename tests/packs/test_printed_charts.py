"""Every cell of every chart that the rulebook prints, against a copy made apart from the pack (printed-charts.yaml)."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.packs.support import FOLDER, pack

PRINTED: dict[str, Any] = yaml.load(
    (FOLDER / "printed-charts.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader
)
MATRICES = [name for name, value in PRINTED.items() if "across" in value]
ANSWERS = {"-": "none"}
RESULT = {"shipping_results": "", "greece": "", "raid": ""}
"""Charts whose columns are fields of one row, not cells of a matrix."""


def cells() -> list[tuple[str, str, str, str]]:
    """Chart, row, column and printed text of every cell."""
    found = []
    for name in MATRICES:
        across = [column.replace("_", " ") for column in PRINTED[name]["across"].split()]
        for line in PRINTED[name]["rows"]:
            head, *texts = line.split()
            assert len(texts) == len(across), (name, line)
            found += [(name, head, column, text) for column, text in zip(across, texts, strict=True)]
    return found


def in_pack(name: str, head: str, column: str) -> dict[str, Any]:
    source = next(row for row in pack().rows("chart_sources") if row["name"] == name)
    if name in RESULT:
        column = column.replace(" ", "_")
        (row,) = [row for row in pack().chart(name) if row["die"] == head]
        return {"result": row[column], **({"ruling": row["ruling"]} if "ruling" in row else {})}
    (row,) = [row for row in pack().chart(name) if (row[source["down"]], row[source["across"]]) == (head, column)]
    return row


@pytest.mark.parametrize("name", MATRICES)
def test_every_cell_of_a_table(name: str) -> None:
    for chart, head, column, text in cells():
        if chart == name:
            found = in_pack(chart, head, column)
            if text == "?":
                assert found["ruling"], (chart, head, column)
            else:
                assert found["result"] == ANSWERS.get(text, text), (chart, head, column)


@pytest.mark.parametrize("name", MATRICES)
def test_no_cell_more_than_printed(name: str) -> None:
    mine = sum(chart == name for chart, *_ in cells())
    width = len(PRINTED[name]["across"].split())
    assert len(pack().chart(name)) * (width if name in RESULT else 1) == mine


@pytest.mark.parametrize("name", sorted(PRINTED["lists"]))
def test_every_row_of_a_list(name: str) -> None:
    fact = PRINTED["lists"][name]
    keys, but = fact["keys"].split(), fact.get("but", [])
    rows = [row for row in pack().chart(fact.get("chart", name)) if row.get("result") not in but]
    found = [" ".join(row[key] for key in keys if key in row) for row in rows]
    printed = fact["rows"]
    if "only" in fact:
        found = found[: int(fact["only"])]
    elif name in ("features", "terrain_halves"):
        found = [line for line in found if line.split()[0] in {text.split()[0] for text in printed}]
    assert found == printed


def test_damaged_cells_are_those_of_the_copy() -> None:
    damaged = {(chart, head, column) for chart, head, column, text in cells() if text == "?"}
    filled = set()
    for name in MATRICES:
        if name not in RESULT:
            source = next(row for row in pack().rows("chart_sources") if row["name"] == name)
            filled |= {
                (name, row[source["down"]], row[source["across"]])
                for row in pack().chart(name)
                if row["source"] != "rulebook"
            }
    assert filled == {cell for cell in damaged if cell[0] not in RESULT}


def test_breakdowns() -> None:
    found = []
    for row in pack().chart("breakdowns"):
        parts = [f"{p['n']} {p['figures']} {p['type']} {p['size']}" for p in row["parts"]]
        head = "(hq) " if row["hq"] == "yes" else ""
        found.append(f"{row['side']} {row['division']} = {head}{' + '.join(parts)}")
    assert found == PRINTED["breakdowns"]


def test_the_antiaircraft_brigade_takes_three_heavy_and_one_light() -> None:
    (row,) = [row for row in pack().chart("breakdowns") if row["division"] == "0-2-8 antiaircraft"]
    assert [(part["n"], part["aa_type"]) for part in row["parts"]] == [("3", "heavy"), ("1", "light")]


def test_every_chart_of_the_pack_is_held_against_the_rulebook() -> None:
    held = {*MATRICES, "breakdowns", *(fact.get("chart", name) for name, fact in PRINTED["lists"].items())}
    assert set(pack().tree["charts"]) == held


def test_air_repair_begins_when_the_chart_says() -> None:
    rows = [(row["nation"], row["from"]) for row in pack().chart("air_repair")]
    assert rows[2:] == [("allied", "Dec I 40"), ("allied", "Jul I 41"), ("allied", "Jul I 42")]


def test_ruled_fill_of_the_malta_table() -> None:
    """Ruling MALTA-HOLES: X in both lost rows."""
    for row in pack().chart("malta"):
        if row["roll"] in ("11", "12"):
            assert row["result"] == "X"


def test_figures_of_the_modifiers() -> None:
    notes = {row["name"]: row.get("note", "") for row in pack().rows("chart_sources")}
    assert "-1 by night, +1 if all attackers are of type D, -1 if one is of type HB" in notes["bombing"]
    assert "-1 fighter against B or NB, +1 B or NB against fighter" in notes["air_combat"]
    assert "+1 at types B, NB, HB" in notes["antiaircraft"] and "+1 at night" in notes["antiaircraft"]
