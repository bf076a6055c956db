"""Compiles a pack folder to the tree of strings that rules, pictures and exports read, and that is hashed.

The tree holds lists and mappings with fixed keys only; ids, names and hexes are values (PROTOCOL 3.4). It depends on
nothing but the files: every list has a fixed order, every hex its canonical name. No map library is needed here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from adjudicator.packs.board import compile_map
from adjudicator.packs.charts import compile_charts
from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.reading import plain
from adjudicator.packs.scenarios import compile_scenarios
from adjudicator.packs.shifting_sands.compile import compile_files as compile_shifting_sands
from adjudicator.packs.units import compile_units

Tree = dict[str, Any]


def compile_pack(folder: Path) -> Tree:
    """The compiled tree of the pack in ``folder``.

    Raises:
        PackError: if a file can't be read. Faults of content are found by ``check_pack``, not here.
    """
    return compile_files(read_pack(folder))


def compile_files(files: PackFiles) -> Tree:
    """The compiled tree of a pack that has been read already."""
    return _COMPILERS[files.system](files)


def _western_desert(files: PackFiles) -> Tree:
    head = files.files["pack.yaml"]
    tree: Tree = {key: head[key] for key in ("system", "version", "title")}
    tree["sheets"] = plain(head["sheets"])
    tree["overlap"] = plain(head.get("overlap", {}))
    tree["players"] = plain(head["sides"])
    tree.update(compile_map(files))
    tree.update(compile_units(files))
    tree.update(compile_charts(files))
    tree["rulings"] = plain(files.rows("rulings.yaml", "rulings"))
    tree["scenarios"] = compile_scenarios(files, tree)
    tree["assumptions"] = plain(files.rows("assumptions.yaml", "assumptions"))
    tree["citations"] = plain(files.rows("sources.yaml", "sources"))
    return tree


_COMPILERS: Final[dict[str, Callable[[PackFiles], Tree]]] = {
    "western-desert": _western_desert,
    "shifting-sands": compile_shifting_sands,
}
