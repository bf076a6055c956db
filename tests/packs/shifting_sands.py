"""The compiled pack of Shifting Sands and the known facts of it, read once; a small graph of its own for the tests."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from adjudicator.packs import Pack, load_pack

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "module" / "shifting-sands"
FAR = 99
"""A distance that no two joined spaces have."""

Row = dict[str, Any]


@cache
def facts() -> Row:
    """What is known of the printed game; every scalar is its text."""
    text = (Path(__file__).parent / "shifting_sands_facts.yaml").read_text(encoding="utf-8")
    data: Row = yaml.load(text, Loader=yaml.BaseLoader)
    return data


@cache
def pack() -> Pack:
    """The compiled pack."""
    return load_pack("shifting-sands")


@cache
def spaces() -> dict[str, Row]:
    """Spaces by name."""
    return {row["name"]: row for row in pack().rows("spaces")}


@cache
def counters() -> dict[str, Row]:
    """Counters by id."""
    return {row["id"]: row for row in pack().rows("counters")}


@cache
def regions() -> dict[str, Row]:
    """Regions by name."""
    return {row["name"]: row for row in pack().rows("regions")}


@cache
def lines() -> dict[str, dict[str, Row]]:
    """Lines by both their ends."""
    found: dict[str, dict[str, Row]] = {name: {} for name in spaces()}
    for row in pack().rows("links"):
        found[row["a"]][row["b"]] = row
        found[row["b"]][row["a"]] = row
    return found


def cards(side: str = "") -> list[Row]:
    """The cards of a side, or all."""
    return [row for row in pack().rows("cards") if side in ("", row["side"])]


def card(name: str) -> Row:
    """A card by its name, the first of several."""
    return next(row for row in pack().rows("cards") if row["name"] == name)


def effects(do: str) -> list[tuple[Row, Row]]:
    """All effects of a kind, each with its card."""
    return [(row, effect) for row in cards() for effect in row["effects"] if effect["do"] == do]


def control(setup: Row | None = None) -> dict[str, str]:
    """Who controls each space: as printed, and as a set-up changes it."""
    found = {name: row["control"] for name, row in spaces().items()}
    for row in (setup or {}).get("control", []):
        found[row["space"]] = row["side"]
    return found


def standing(setup: Row) -> dict[str, list[Row]]:
    """The counters of a scenario by space."""
    found: dict[str, list[Row]] = {}
    for row in setup["units"]:
        if not row["at"].startswith("@"):
            found.setdefault(row["at"], []).append(counters()[row["unit"]])
    return found


def torch() -> Row:
    """What the Torch event sets up."""
    return next(row for row in pack().rows("setups") if row["id"] == "torch")


def distance(
    start: str, goal: str, own: Mapping[str, str] | None = None, side: str = "", around: Container[str] = ()
) -> int:
    """Steps by solid lines, through spaces of a side where control is given; ``FAR`` when no way leads there.

    Lines that only the Allies use are open to them when their control is asked for.
    """
    seen, ring, steps = {start}, [start], 0
    while ring:
        if goal in ring:
            return steps
        near = [(there, line) for here in ring for there, line in lines()[here].items() if there not in around]
        ring = sorted({there for there, line in near if there not in seen and _open(line, there, own, side)})
        seen.update(ring)
        steps += 1
    return FAR


def _open(line: Row, there: str, own: Mapping[str, str] | None, side: str) -> bool:
    free = "only" not in line or (line["only"] == "allied" and side == "allied" and own is not None)
    return free and (own is None or own[there] == side)
