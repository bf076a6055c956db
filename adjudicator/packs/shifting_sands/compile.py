"""Compiles the pack of Shifting Sands to a tree of strings; names, ids and pools are values, never keys."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import plain
from adjudicator.packs.shifting_sands.board import compile_board
from adjudicator.packs.shifting_sands.counters import compile_counters
from adjudicator.packs.shifting_sands.decks import compile_decks
from adjudicator.packs.shifting_sands.scenarios import compile_scenarios

Tree = dict[str, Any]


def compile_files(files: PackFiles) -> Tree:
    """The compiled tree of a pack that has been read already."""
    head = files.files["pack.yaml"]
    tree: Tree = {key: str(head.get(key, "")) for key in ("system", "version", "title")}
    tree["players"] = plain(head.get("sides", []))
    for key in ("hands", "decks", "victory", "box"):
        tree[key] = plain(head.get(key, []))
    tree.update(compile_board(files))
    tree["counters"] = compile_counters(files)
    tree.update(compile_decks(files))
    tree["tables"] = plain(files.files["tables.yaml"])
    tree.update(compile_scenarios(files))
    tree["options"] = plain(files.rows("rulings.yaml", "options"))
    tree["rulings"] = plain(files.rows("rulings.yaml", "rulings"))
    tree["assumptions"] = plain(files.rows("assumptions.yaml", "assumptions"))
    tree["citations"] = plain(files.rows("sources.yaml", "sources"))
    return tree
