"""Data packs: what stands in ``module/`` is compiled to a tree of strings, checked and loaded here.

The compiler and the checker are imported from their modules (``adjudicator.packs.compile``,
``adjudicator.packs.check``): they need the YAML reader, which a player who only loads a pack does without.
"""

from __future__ import annotations

from adjudicator.packs.errors import PackError
from adjudicator.packs.hexes import Grid, Overlap, label
from adjudicator.packs.load import Pack, load_pack, pack_folder, systems

__all__ = ["Grid", "Overlap", "Pack", "PackError", "label", "load_pack", "pack_folder", "systems"]
