"""House-rule switches: which the pack's rulings offer, and which of them this version of the rules reads."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import BadSwitch, check
from adjudicator.western_desert.world import Record

__all__ = ["BUILT", "BadSwitch", "check_switches"]

BUILT = (
    "attack_step_split",
    "city_fortress_cumulative",
    "exchange_basis",
    "exchange_winner_cadres_retreat",
    "fort_on_capture",
    "island_supply",
    "mountain_side_move",
    "odds_below_1_3",
    "overrun_defensive_air",
    "overstack",
    "rail_partial",
    "retreat_zoc_negated_by_friend",
    "retreated_units",
    "smp_zoc_per",
    "surprise_counts_as_dec_i",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""


def check_switches(pack: Record, switches: Mapping[str, str]) -> None:
    """Raise BadSwitch for a switch that is unknown, not built, without that value, or at its default."""
    check(pack, switches, BUILT)
