"""Compiles the decks of Shifting Sands: cards and the sets of places their effects put units into."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.shifting_sands.confidence import confidence, sources_of

Tree = dict[str, Any]


def compile_decks(files: PackFiles) -> Tree:
    """The keys ``cards`` and ``places`` of the compiled tree, in the order of the file."""
    data = files.files["cards.yaml"]
    return {
        "cards": [_card(row) for row in records(data.get("cards"))],
        "places": [plain(row) for row in records(data.get("places"))],
    }


def points(value: Any) -> list[Tree]:
    """Replacement points by pool as a list, since pools are values: ``{BR: 1}`` becomes ``[{pool: BR, points: 1}]``."""
    pools = value.items() if isinstance(value, dict) else ()
    return [{"pool": str(pool), "points": str(amount)} for pool, amount in pools]


def _card(row: Record) -> Tree:
    """A card, of the side in whose deck it is, whatever the colour of its marker (SS errata.counters)."""
    compiled: Tree = {"aliases": [], "conditions": [], "effects": [], **plain(row)}
    compiled["rp"] = points(row.get("rp"))
    compiled["effects"] = [_effect(effect) for effect in compiled["effects"]]
    compiled["confidence"] = confidence(sources_of(compiled))
    return compiled


def _effect(effect: Tree) -> Tree:
    return {**effect, "rp": points(effect["rp"])} if "rp" in effect else effect
