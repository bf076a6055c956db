"""Western Desert in words (adjudicator.report.games.Teller)."""

from __future__ import annotations

from adjudicator.report.western_desert.teller import TELLER

__all__ = ["TELLER"]
