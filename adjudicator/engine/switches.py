"""House-rule switches: those that the rulings of a pack offer, and which of them a version of the rules reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Row = Mapping[str, object]


class BadSwitch(ValueError):
    """A switch that cannot be set so; the text says how."""


def check(pack: Row, switches: Mapping[str, str], built: Sequence[str]) -> None:
    """Raise :class:`BadSwitch` for a switch that is unknown, not built, without that value, or at its default."""
    offered = {str(row.get("name", "")): row for row in _offered(pack)}
    for name, value in switches.items():
        row = offered.get(name)
        if row is None:
            raise BadSwitch(f"there is no switch {name}; known: {', '.join(built)}")
        if name not in built:
            raise BadSwitch(f"the switch {name} belongs to a rule that this version has not; leave it out")
        values = _texts(row.get("values"))
        if value not in values:
            raise BadSwitch(f"the switch {name} has no value {value}; choose one of: {', '.join(values)}")
        if value == row.get("default"):
            raise BadSwitch(f"{name}={value} is how it is played anyway; leave it out")


def _offered(pack: Row) -> list[Row]:
    rulings = pack.get("rulings")
    rows = rulings if isinstance(rulings, list) else []
    found = [row.get("switch") for row in rows if isinstance(row, dict)]
    return [switch for switch in found if isinstance(switch, dict)]


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
