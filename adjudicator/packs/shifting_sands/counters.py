"""Compiles the counters of Shifting Sands: one record for each piece of cardboard, numbered within its kind."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.faults import number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.shifting_sands.confidence import confidence, sources_of

Tree = dict[str, Any]


def compile_counters(files: PackFiles) -> list[Tree]:
    """The counters in order of id."""
    found = [row for kind in records(files.rows("units.yaml", "units")) for row in _counters(kind)]
    return sorted(found, key=lambda row: str(row["id"]))


def counter_ids(kind: Record) -> list[str]:
    """The ids of all counters of a kind, lowest number first: ``it-inf-bg-1`` ..., a single one as it is."""
    count = how_many(kind)
    stem = str(kind.get("id", ""))
    return [stem] if count == 1 else [f"{stem}-{index}" for index in range(1, count + 1)]


def how_many(kind: Record) -> int:
    """How many counters of a kind there are."""
    count = kind.get("count", "1")
    return int(count) if number(count) else 1


def _counters(kind: Record) -> list[Tree]:
    ids = counter_ids(kind)
    return [_counter(kind, uid, str(index) if len(ids) > 1 else "") for index, uid in enumerate(ids, 1)]


def _counter(kind: Record, uid: str, index: str) -> Tree:
    compiled: Tree = {"aliases": [], **plain(kind)}
    compiled.pop("count", None)
    compiled["id"] = uid
    compiled["short"] = f"{kind.get('kind', '')} {index}".strip()
    compiled["name"] = f"{kind.get('name', '')} {index}".strip()
    compiled["confidence"] = confidence(sources_of(compiled))
    return compiled
