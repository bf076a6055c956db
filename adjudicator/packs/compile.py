"""Compiles a pack folder to the tree of strings that rules, pictures and exports read, and that is hashed.

The tree holds lists and mappings with fixed keys only; ids, names and hexes are values (PROTOCOL 3.4). What it holds is
the game's affair: its compiler is found by the ``system`` of pack.yaml.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.shifting_sands.compile import compile_files as shifting_sands
from adjudicator.packs.western_desert.compile import compile_files as western_desert

Tree = dict[str, Any]

_COMPILERS: Final[dict[str, Callable[[PackFiles], Tree]]] = {
    "western-desert": western_desert,
    "shifting-sands": shifting_sands,
}


def compile_pack(folder: Path) -> Tree:
    """The compiled tree of the pack in ``folder``.

    Raises:
        PackError: if a file can't be read. Faults of content are found by ``check_pack``, not here.
    """
    return compile_files(read_pack(folder))


def compile_files(files: PackFiles) -> Tree:
    """The compiled tree of a pack that has been read already."""
    return _COMPILERS[files.system](files)
