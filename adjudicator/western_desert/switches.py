"""House rules: the switches of the rulings, and the optional rules of chapter 33 under the switch ``options``."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import OPTIONS, BadSwitch, check, check_options
from adjudicator.western_desert.setup import FREE
from adjudicator.western_desert.state import turn_name, turn_number
from adjudicator.western_desert.variants import GREECE, NO_EXPEDITION
from adjudicator.western_desert.world import Record, rows, text

__all__ = ["BUILT", "OPTIONS", "OPTIONS_BUILT", "BadSwitch", "check_switches"]

BUILT = (
    "aa_plus1_types",
    "ac_bomber_types",
    "air_target_pick",
    "airbase_capacity",
    "attack_step_split",
    "bomb_mods",
    "bomb_strength_1",
    "cadre_pool",
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
    "setup",
    "smp_zoc_per",
    "surprise_counts_as_dec_i",
    "vp_latch",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""

OPTIONS_BUILT = (
    "32.A",
    "32.B",
    "32.C",
    "33.A",
    "33.B",
    "33.C",
    "33.D",
    "33.E",
    "33.F",
    "33.G",
    "33.H",
    "33.I",
)
"""Optional rules that the rules know, under the switch ``options``; none is in use unless it is named there."""


def check_switches(pack: Record, switches: Mapping[str, str], scenario: str = "") -> None:
    """Raise BadSwitch for a switch or optional rule (WD 32, 33) that is unknown, not built, without that value, or as
    it is; or for one that the ``scenario`` has no room for."""
    check(pack, {name: value for name, value in switches.items() if name != OPTIONS}, BUILT)
    if switches.get("setup") == FREE:
        _check_setup(pack, scenario)
    if OPTIONS in switches:
        check_options(pack, switches[OPTIONS], OPTIONS_BUILT)
        if NO_EXPEDITION in switches[OPTIONS].split():
            _check_expedition(pack, scenario)


def _check_expedition(pack: Record, scenario: str) -> None:
    """No expedition to Greece can be agreed on where the set-up has it on its way already (WD 32.B)."""
    row = next((row for row in rows(pack, "scenarios") if row.get("id") == scenario), {})
    gone = [turn_number(text(event, "turn")) for event in rows(pack, "events") if event.get("to") == GREECE]
    if row and gone and turn_number(text(row, "start")) > min(gone):
        title, start = text(row, "title"), text(row, "start")
        said = f"{title} begins on {start}, and the force has gone to Greece on {turn_name(min(gone))}"
        raise BadSwitch(f"the optional rule {NO_EXPEDITION} does not go with this scenario: {said}; leave it out")


def _check_setup(pack: Record, scenario: str) -> None:
    """Free set-up goes by the areas of the scenario (WD 30)."""
    row = next((row for row in rows(pack, "scenarios") if row.get("id") == scenario), None)
    if row is not None and not row.get("setup_areas"):
        raise BadSwitch(f"setup={FREE}: {text(row, 'title')} is set up as it is listed; leave the switch out")
