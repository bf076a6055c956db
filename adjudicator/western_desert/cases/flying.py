"""The forms of the air war: importing this module registers their runners (CASE-FORMS 6)."""

from __future__ import annotations

from adjudicator.western_desert.cases import (
    air_permits,
    airbases,
    airlifts,
    antiaircraft,
    dogfights,
    narratives,
    raids,
    sorties,
)

__all__ = ["air_permits", "airbases", "airlifts", "antiaircraft", "dogfights", "narratives", "raids", "sorties"]
