"""What a roll could have brought, read from the sources of the pack: the half of `luck_again` that knows the tables.

Nothing of ours is imported here either. WORTH of the games says what is worth how much; the rest are the printed tables
(`module/*/*.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor
from pathlib import Path
from typing import Any

import yaml

MODULE = Path(__file__).parents[2] / "module"
GROUND_WORTH = {"AE": "-1", "AH": "-1/2", "AR": "-1/4", "NE": "0", "HX": "0", "EX": "0"}
GROUND_WORTH |= {"DR": "1/4", "DH": "1/2", "DE": "1"}
AIR_WORTH = {"none": Fraction(0), "R": Fraction(1, 4), "A": Fraction(1, 2), "K": Fraction(1)}
TWO_DICE = ("air", "aa", "aa-support", "vichy")
"""Rolls of which only the sum of two dice counts, by the first part of the label."""
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
Event = dict[str, Any]


def outcomes(switches: dict[str, str], event: Event, values: Sequence[int]) -> tuple[Fraction, list[Fraction]]:
    """What came, and what every way that the dice could have fallen would have been worth."""
    if event["label"].split("/")[0] in TWO_DICE:
        assert len(values) == 2, event
        by_sum = [Fraction()] * 2 + [_by_sum(event, total) for total in range(2, 13)]
        return by_sum[sum(values)], [by_sum[a + b] for a, b in product(range(1, 7), repeat=2)]
    faces = by_face(switches, event)
    came = sum((faces[die - 1] for die in values), Fraction())
    return came, [sum(way, Fraction()) for way in product(faces, repeat=len(values))]


def by_face(switches: dict[str, str], event: Event) -> list[Fraction]:
    """What each face is worth to who rolls, where every die counts by itself."""
    parts = event["label"].split("/")
    if parts[0] in BY_FACE:
        return [Fraction(BY_FACE[parts[0]](switches, event, die)) for die in range(1, 7)]
    if parts[-1].startswith("crt"):
        return _battle(event)
    if parts[-1].startswith("flank"):
        return [Fraction(die + int(event["modifier"]) >= int(event["need"])) for die in range(1, 7)]
    drm = sum(int(row["value"]) for row in event.get("drms", ()))
    return [_loss(switches, event, max(1, min(6, die + drm))) for die in range(1, 7)]


@cache
def sources(system: str, name: str) -> Any:
    """A file of the pack; every scalar as its text."""
    return yaml.load((MODULE / system / name).read_text(encoding="utf-8"), yaml.BaseLoader)


@cache
def chart_of(name: str) -> Any:
    """A chart of Western Desert."""
    (chart,) = (one for one in sources("western-desert", "charts.yaml")["charts"] if one["name"] == name)
    return chart


@cache
def counter(name: str) -> Any:
    """An air unit or another counter of Western Desert, by its id."""
    listed = sources("western-desert", "air.yaml")["air"] + sources("western-desert", "counters.yaml")["counters"]
    (found,) = (one for one in listed if one["id"] == name)
    return found


def _row(chart: Any, number: int) -> Any:
    """The row of a modified roll; beyond the ends of the table, the one at the end."""
    rows = {int(row[0]): row[1:] for row in chart["matrix"]}
    return rows[max(min(rows), min(max(rows), number))]


def _place(columns: Sequence[str], number: Fraction) -> int | None:
    """Which of the columns, from left to right, takes a number; those to the left of the table take it nowhere."""
    least = [int(str(re.match(r"-?\d+", column)[0])) for column in columns]  # type: ignore[index]
    reached = [n for n, start in enumerate(least) if start <= number]
    return reached[-1] if reached else 0 if columns[0].endswith("or less") else None


# --- the air war ------------------------------------------------------------------------------------------------


def _by_sum(event: Event, total: int) -> Fraction:
    """Air combat and antiaircraft fire: whole strength points pick the column of antiaircraft; pressure on Vichy."""
    if event["label"].startswith("vichy/"):
        used = max(2, total + int(event.get("drm") or 0))
        return Fraction(1) if used <= 3 else Fraction(1, 2) if used <= 5 else Fraction()
    air = event["label"].startswith("air/")
    chart = chart_of("air_combat" if air else "antiaircraft")
    column = _place(chart["columns"], Fraction(floor(Fraction(event["differential" if air else "strength"]))))
    return AIR_WORTH["none" if column is None else _row(chart, total + int(event["modifier"]))[column]]


def _patrol(_switches: dict[str, str], event: Event, die: int) -> bool:
    """Any attack is twice as much as a defense of 0, but none."""
    attack, defense = int(event["attack"]), int(event["defense"])
    most = "1 or less" if attack <= defense else "2 or more" if attack >= 2 * defense else "more than 1 and under 2"
    (least,) = (row["turn_back_from"] for row in chart_of("patrol")["rows"] if row["ratio"] == most)
    return die >= int(least)


def _bomb(switches: dict[str, str], event: Event, die: int) -> bool:
    chart, strength = chart_of("bombing"), floor(Fraction(event["strength"]))
    if strength == 1 and switches.get("bomb_strength_1") == "first_column":
        strength = 2
    column = _place(chart["columns"], Fraction(strength))
    return column is not None and _row(chart, die + _modifiers(event))[column] == "H"


def _modifiers(event: Event) -> int:
    return sum(int(row["die"]) for row in event.get("modifiers", ()))


def _repair(_switches: dict[str, str], event: Event, die: int) -> bool:
    """By the turn, whatever the event says is needed; all Allied nations are repaired alike."""
    nation = counter(event["air"])["nat"]
    rows = [row for row in chart_of("air_repair")["rows"] if row["nation"] == nation]
    rows = rows or [row for row in chart_of("air_repair")["rows"] if row["nation"] == "allied"]
    begun = [row["up_to"] for row in rows if _turn(row["from"]) <= _turn(event["turn"])]
    return die <= int(begun[-1])


def _turn(name: str) -> tuple[int, int, int]:
    month, half, year = name.split()
    return int(year), MONTHS.index(month), len(half)


BY_FACE: dict[str, Callable[[dict[str, str], Event, int], bool | int | Fraction]] = {
    "setup": lambda _switches, _event, die: die <= 3,
    "capture": lambda _switches, _event, die: die >= 5,
    "greece": lambda _switches, event, die: _greece(event, die),
    "raid": lambda _switches, _event, die: die >= 5,
    "patrol": _patrol,
    "bomb": _bomb,
    "disruption": lambda _switches, event, die: die + _modifiers(event) > 1,
    "crash": lambda _switches, _event, die: die != 6,
    "escape": lambda _switches, _event, die: _row(chart_of("air_escape"), die) == ["escapes"],
    "repair": _repair,
}
"""Rolls of one table each, by the first part of the label."""


# --- the war on the ground --------------------------------------------------------------------------------------


def _battle(event: Event) -> list[Fraction]:
    """Where both sides are in one hex, no effect brings the same roll once more: a value that comes out as itself."""
    chart, drm = chart_of("ground_crt"), int(event["drm"])
    column = chart["columns"].index(event["column"])
    results = [_row(chart, die + drm)[column] for die in range(1, 7)]
    worth = [Fraction(GROUND_WORTH[result]) for result in results]
    nothing = results.count("NE")
    if event.get("shared") and nothing < 6:
        once = sum(worth, Fraction()) / 6
        again = once / (1 - Fraction(nothing, 6))
        worth = [again if result == "NE" else value for result, value in zip(results, worth, strict=True)]
    return worth


def _greece(event: Event, die: int) -> Fraction:
    column = "air" if event["unit"].startswith("air-") else "ground"
    (row,) = (row for row in chart_of("greece")["rows"] if row["die"] == str(die))
    return {"intact": Fraction(1), "inoperative": Fraction(1, 2)}.get(row[column], Fraction(0))


def _loss(switches: dict[str, str], event: Event, row: int) -> Fraction:
    tables = sources("shifting-sands", "tables.yaml")
    wanted = switches.get("tables_fire", tables["fire_default"])
    (chosen,) = (one for one in tables["fire"] if one["id"] == wanted)
    (table,) = (one for one in chosen["tables"] if one["table"] == event["table"])
    (line,) = (one for one in table["rows"] if one["row"] == str(row))
    return Fraction(line["cells"][table["columns"].index(event["column"])])
