"""The forms of combat: importing this module registers their runners (CASE-FORMS 6)."""

from __future__ import annotations

from adjudicator.western_desert.cases import clashes, combat_tables, falling_back

__all__ = ["clashes", "combat_tables", "falling_back"]
