"""House-rule switches: which the pack's rulings offer, and which of them this version of the rules reads."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.western_desert.world import Record, rows, text, texts

BUILT = (
    "attack_step_split",
    "city_fortress_cumulative",
    "exchange_basis",
    "exchange_winner_cadres_retreat",
    "fort_on_capture",
    "mountain_side_move",
    "odds_below_1_3",
    "overstack",
    "retreat_zoc_negated_by_friend",
    "retreated_units",
    "surprise_counts_as_dec_i",
)
"""The switches that the rules read; the others belong to rules that are not built. A test holds the list."""


class BadSwitch(ValueError):
    """A switch that cannot be set so; the text says how."""


def check_switches(pack: Record, switches: Mapping[str, str]) -> None:
    """Raise :class:`BadSwitch` for a switch that is unknown, not built, without that value, or at its default."""
    offered = {text(row, "name"): row for row in _offered(pack)}
    for name, value in switches.items():
        row = offered.get(name)
        if row is None:
            raise BadSwitch(f"there is no switch {name}; known: {', '.join(BUILT)}")
        if name not in BUILT:
            raise BadSwitch(f"the switch {name} belongs to a rule that this version has not; leave it out")
        values = texts(row, "values")
        if value not in values:
            raise BadSwitch(f"the switch {name} has no value {value}; choose one of: {', '.join(values)}")
        if value == text(row, "default"):
            raise BadSwitch(f"{name}={value} is how it is played anyway; leave it out")


def _offered(pack: Record) -> list[Record]:
    found = (row.get("switch") for row in rows(pack, "rulings"))
    return [switch for switch in found if isinstance(switch, dict)]
