"""Charts against the figures of the rulebook that its examples use, and their damaged cells."""

from __future__ import annotations

from typing import Any

from tests.packs.support import pack


def cell(chart: str, **inputs: str) -> dict[str, Any]:
    found = [row for row in pack().chart(chart) if all(row[key] == value for key, value in inputs.items())]
    assert len(found) == 1, (chart, inputs)
    return found[0]


def test_ground_table_climbs_with_the_odds() -> None:
    """A better column is never worse on the same die; the result order is that of the table's diagonals."""
    order = ("AE", "AH", "AR", "NE", "EX", "HX", "DR", "DH", "DE")
    columns = [row["column"] for row in pack().chart("odds_columns")]
    for die in range(-1, 9):
        line = [cell("ground_crt", die=str(die), column=column)["result"] for column in columns]
        assert set(line) <= set(order)
        assert line[0] in ("AE", "AR", "NE", "HX")
        assert line[-1] in ("HX", "DR", "DH", "DE")
    assert len(pack().chart("ground_crt")) == 100


def test_ground_table_of_the_examples() -> None:
    assert cell("ground_crt", column="4:1", die="8")["result"] == "DE"
    assert cell("ground_crt", column="7:1", die="-1")["result"] == "HX"
    assert cell("ground_crt", column="1:1", die="6")["ruling"] == "CRT-ORDER"


def test_malta_examples() -> None:
    """WD 26.C: at status 4 an 8 is hit, a 5 is not, a 10 is."""
    found = [cell("malta", roll=roll, status="4")["result"] for roll in ("8", "5", "10")]
    assert found == ["X", "none", "X"]


def test_malta_chances_fall_without_a_step() -> None:
    """The reason of the ruling MALTA-HOLES: X chances of 36 by status."""
    ways = {str(n): 6 - abs(7 - n) for n in range(2, 13)}
    columns = [str(n) for n in range(12)] + ["12+"]
    chances = [
        sum(ways[row["roll"]] for row in pack().chart("malta") if row["status"] == c and row["result"] == "X")
        for c in columns
    ]
    assert chances == [32, 29, 25, 21, 18, 15, 12, 10, 9, 8, 7, 6, 4]


def test_damaged_cells_say_so() -> None:
    lost = [row for row in pack().chart("malta") if row.get("ruling") == "MALTA-HOLES"]
    assert len(lost) == 25
    assert all(row["source"] == "inferred" for row in lost)
    assert cell("malta", roll="11", status="0")["source"] == "rulebook"
    assert cell("shipping_results", die="6")["ruling"] == "SHIP-ROW-6"
    assert cell("air_combat", roll="12", difference="7 or more")["source"] == "inferred"


def test_air_and_antiaircraft_examples() -> None:
    """WD 21: +2 with a 5 aborts, -2 with a 6 nothing, +2 with a 3 kills, -4 with an 8 nothing."""
    wanted = (("2", "5", "A"), ("-2", "6", "none"), ("2", "3", "K"), ("-4 to -3", "8", "none"))
    for difference, roll, result in wanted:
        assert cell("air_combat", difference=difference, roll=roll)["result"] == result
    assert cell("antiaircraft", strength="3-4", roll="5")["result"] == "R"
    assert len(pack().chart("air_combat")) == 120
    assert len(pack().chart("antiaircraft")) == 88


def test_terrain() -> None:
    rows = {row["terrain"]: row for row in pack().chart("terrain")}
    assert [rows["rough"][key] for key in ("mot_or_art", "other", "cavalry", "die")] == ["2", "2", "1", "-1"]
    assert [rows["swamp"][key] for key in ("mot_or_art", "other", "cavalry", "die")] == ["6", "3", "2", "-2"]
    assert rows["salt_marsh"]["closed"] == "yes"
    kinds = {row["kind"]: row for row in pack().chart("hexsides")}
    assert {row["kind"] for row in pack().rows("sides")} <= set(kinds)
    assert {k for k, row in kinds.items() if row["closed"] == "yes"} == {"impassable", "sebkha", "sea", "lake"}
    assert kinds["major_river"]["surcharge"] == "2"
    assert kinds["escarpment"]["only_up"] == "yes"


def test_rail_rates() -> None:
    rows = [(r["from"], r["to"], r["hexes"]) for r in pack().chart("rail")]
    assert rows == [("9", "10", "5"), ("7", "8", "6"), ("6", "6", "8"), ("1", "5", "10"), ("0", "0", "0")]


def test_every_chart_has_a_source_and_a_rule() -> None:
    sources = {row["name"]: row for row in pack().rows("chart_sources")}
    assert set(sources) == set(pack().tree["charts"])
    assert all(row["source"] == "rulebook" and row["rule"] for row in sources.values())


def test_rulings_are_numbered() -> None:
    rulings = pack().rows("rulings")
    assert [row["n"] for row in rulings] == [str(n) for n in range(1, len(rulings) + 1)]
    assert len(rulings) == 151
    switches = {row["switch"]["name"]: row["switch"]["default"] for row in rulings if "switch" in row}
    assert switches["odds_below_1_3"] == "ae"
    assert switches["exchange_basis"] == "printed"
