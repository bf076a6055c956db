"""Compiles the map of Shifting Sands: regions, spaces and lines."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.shifting_sands.confidence import confidence, sources_of

Tree = dict[str, Any]


def compile_board(files: PackFiles) -> Tree:
    """The keys ``areas``, ``regions``, ``spaces`` and ``links`` of the compiled tree, in the order of the file."""
    data = files.files["map.yaml"]
    return {
        "areas": plain(data.get("areas", [])),
        "spaces": [_space(row) for row in records(data.get("spaces"))],
        "links": [_link(row) for row in records(data.get("links"))],
        "regions": plain(data.get("regions", [])),
    }


def _space(row: Record) -> Tree:
    compiled: Tree = {"fort": "0", "sources": [], "aliases": [], **plain(row)}
    compiled["confidence"] = confidence(sources_of(compiled))
    return compiled


def _link(row: Record) -> Tree:
    """A line; its ends in order of name, so that a pair is written in one way only."""
    compiled: Tree = plain(row)
    compiled["a"], compiled["b"] = sorted((str(row.get("a", "")), str(row.get("b", ""))))
    compiled["confidence"] = confidence(sources_of(compiled))
    return compiled
