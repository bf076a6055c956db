"""House rules: the switches of the rulings, and the optional rules of chapter 19 under the switch ``options``."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import BadSwitch, check
from adjudicator.shifting_sands.world import Record, rows, text

__all__ = ["BUILT", "OPTIONS", "OPTIONS_BUILT", "BadSwitch", "check_switches"]

BUILT = (
    "combat_nationality",
    "flank_recompute_drm",
    "fort_blocks_entry",
    "iraq_pass_through",
    "overrun_same_theatre",
    "retreat_overstack",
    "supply_attacker_frozen",
    "supply_benghazi_tobruk",
    "tables_fire",
    "terrain_mountain_shift",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""

OPTIONS, NONE = "options", "none"
OPTIONS_BUILT = ("19.11", "19.21", "19.22", "19.5", "19.6")
"""Optional rules that the rules know. 19.11 is in use unless ``options`` leaves it out."""


def check_switches(pack: Record, switches: Mapping[str, str]) -> None:
    """Raise BadSwitch for a switch or optional rule that is unknown, not built, without that value, or as it is."""
    check(pack, {name: value for name, value in switches.items() if name != OPTIONS}, BUILT)
    if OPTIONS in switches:
        _check_options(pack, switches[OPTIONS])


def _check_options(pack: Record, value: str) -> None:
    known = [text(row, "id") for row in rows(pack, OPTIONS)]
    wanted = [] if value == NONE else value.split()
    for rule in wanted:
        if rule not in known:
            raise BadSwitch(f"there is no optional rule {rule}; known: {', '.join(known)}")
        if rule not in OPTIONS_BUILT:
            raise BadSwitch(f"the optional rule {rule} belongs to rules that this version has not; leave it out")
    if not wanted and value != NONE:
        raise BadSwitch("options names no rule; write options=none to play without any")
    if wanted != [rule for rule in known if rule in wanted]:
        raise BadSwitch(f"options={value}: name each rule once, in order, with blanks between")
    if wanted == [text(row, "id") for row in rows(pack, OPTIONS) if text(row, "default") == "yes"]:
        raise BadSwitch(f"options={value} is how it is played anyway; leave it out")
