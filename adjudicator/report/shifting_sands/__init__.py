"""The words of Shifting Sands for reports."""

from __future__ import annotations

from adjudicator.report.shifting_sands.teller import TELLER

__all__ = ["TELLER"]
