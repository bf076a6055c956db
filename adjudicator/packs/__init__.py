"""Data packs: what stands in ``module/`` is compiled to a tree of strings, checked and loaded here.

Loading needs nothing but JSON. Compiling and checking read YAML; they are imported when they are called.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.packs.errors import PackError
from adjudicator.packs.load import Pack, load_pack, pack_folder, systems

if TYPE_CHECKING:
    from adjudicator.packs.faults import Fault

__all__ = [
    "Pack",
    "PackError",
    "check_pack",
    "compile_pack",
    "load_pack",
    "pack_folder",
    "systems",
]


def compile_pack(folder: Path) -> dict[str, Any]:
    """The compiled tree of the pack in ``folder``; raises ``PackError`` if a file can't be read."""
    from adjudicator.packs.compile import compile_pack as work

    return work(folder)


def check_pack(folder: Path) -> list[Fault]:
    """All faults of the pack in ``folder`` at once, each with file and line; empty when it is sound."""
    from adjudicator.packs.check import check_pack as work

    return work(folder)
