"""House rules: the switches of the rulings, and the optional rules of chapter 19 under the switch ``options``."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import OPTIONS, BadSwitch, check, check_options
from adjudicator.shifting_sands.world import Record

__all__ = ["BUILT", "OPTIONS", "OPTIONS_BUILT", "BadSwitch", "check_switches"]

BUILT = (
    "attrition_space_test",
    "battleship_convoys_under_ban",
    "cards_spitfires_needs_siege",
    "cards_mixed_oos",
    "cards_show_played",
    "combat_nationality",
    "deck_winter_discard",
    "elalamein_eg_control",
    "flank_recompute_drm",
    "fort_blocks_entry",
    "hand_force_discard",
    "iraq_pass_through",
    "minefields_no_advance",
    "overstack_orders",
    "overrun_same_theatre",
    "rd_arrival_ban",
    "reinforcement_no_space",
    "retreat_overstack",
    "scenario_played_on",
    "supply_attacker_frozen",
    "supply_benghazi_tobruk",
    "tables_fire",
    "tables_lrdg",
    "terrain_mountain_shift",
    "victory_both",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""

OPTIONS_BUILT = ("19.11", "19.12", "19.13", "19.21", "19.22", "19.3", "19.41", "19.42", "19.5", "19.6")
"""Optional rules that the rules know. 19.11 is in use unless ``options`` leaves it out."""


def check_switches(pack: Record, switches: Mapping[str, str]) -> None:
    """Raise BadSwitch for a switch or optional rule that is unknown, not built, without that value, or as it is."""
    check(pack, {name: value for name, value in switches.items() if name != OPTIONS}, BUILT)
    if OPTIONS in switches:
        check_options(pack, switches[OPTIONS], OPTIONS_BUILT)
