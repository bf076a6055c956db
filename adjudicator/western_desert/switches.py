"""House rules: the switches of the rulings, and the optional rules of chapter 33 under the switch ``options``."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import OPTIONS, BadSwitch, check, check_options
from adjudicator.western_desert.world import Record

__all__ = ["BUILT", "OPTIONS", "OPTIONS_BUILT", "BadSwitch", "check_switches"]

BUILT = (
    "aa_plus1_types",
    "ac_bomber_types",
    "air_target_pick",
    "airbase_capacity",
    "attack_step_split",
    "bomb_mods",
    "bomb_strength_1",
    "capture_vp",
    "city_fortress_cumulative",
    "escape_failure",
    "exchange_basis",
    "exchange_winner_cadres_retreat",
    "fort_on_capture",
    "island_supply",
    "mountain_side_move",
    "odds_below_1_3",
    "overrun_defensive_air",
    "overstack",
    "patrol_sees_mission",
    "rail_partial",
    "repair_needs_supply",
    "retreat_zoc_negated_by_friend",
    "retreated_units",
    "smp_zoc_per",
    "surprise_counts_as_dec_i",
    "vp_latch",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""

OPTIONS_BUILT = (
    "33.A",
    "33.D",
    "33.E",
    "33.H",
    "33.I",
)
"""Optional rules that the rules know, under the switch ``options``; none is in use unless it is named there."""


def check_switches(pack: Record, switches: Mapping[str, str]) -> None:
    """Raise BadSwitch for a switch or optional rule that is unknown, not built, without that value, or as it is."""
    check(pack, {name: value for name, value in switches.items() if name != OPTIONS}, BUILT)
    if OPTIONS in switches:
        check_options(pack, switches[OPTIONS], OPTIONS_BUILT)
