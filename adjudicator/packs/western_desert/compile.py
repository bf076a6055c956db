"""Compiles the pack of Western Desert. The tree depends on nothing but the files: every list has a fixed order, every
hex its canonical name. No map library is needed here.
"""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import plain
from adjudicator.packs.western_desert.board import compile_map
from adjudicator.packs.western_desert.charts import compile_charts
from adjudicator.packs.western_desert.events import compile_events
from adjudicator.packs.western_desert.scenarios import compile_scenarios
from adjudicator.packs.western_desert.units import compile_units

Tree = dict[str, Any]


def compile_files(files: PackFiles) -> Tree:
    """The compiled tree of a pack that has been read already."""
    head = files.files["pack.yaml"]
    tree: Tree = {key: head[key] for key in ("system", "version", "title")}
    tree["sheets"] = plain(head["sheets"])
    tree["overlap"] = plain(head.get("overlap", {}))
    tree["players"] = plain(head["sides"])
    tree.update(compile_map(files))
    tree.update(compile_units(files))
    tree.update(compile_charts(files))
    tree.update(compile_events(files, tree))
    tree["options"] = plain(files.rows("rulings.yaml", "options"))
    tree["rulings"] = plain(files.rows("rulings.yaml", "rulings"))
    tree["scenarios"] = compile_scenarios(files, tree)
    tree["assumptions"] = plain(files.rows("assumptions.yaml", "assumptions"))
    tree["citations"] = plain(files.rows("sources.yaml", "sources"))
    return tree
