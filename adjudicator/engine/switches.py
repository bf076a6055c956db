"""House-rule switches: those that the rulings of a pack offer, and which of them a version of the rules reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Row = Mapping[str, object]
OPTIONS, NONE = "options", "none"


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


def check_options(pack: Row, value: str, built: Sequence[str]) -> None:
    """Raise :class:`BadSwitch` for a list of optional rules that names one which the pack has not or which is not
    ``built``, that is out of order, or that is how it is played anyway."""
    offered = _rows(pack, OPTIONS)
    known = [str(row.get("id", "")) for row in offered]
    wanted = [] if value == NONE else value.split()
    for rule in wanted:
        if rule not in known:
            raise BadSwitch(f"there is no optional rule {rule}; known: {', '.join(known)}")
        if rule not in built:
            raise BadSwitch(f"the optional rule {rule} belongs to rules that this version has not; leave it out")
    if not wanted and value != NONE:
        raise BadSwitch("options names no rule; write options=none to play without any")
    if wanted != [rule for rule in known if rule in wanted]:
        raise BadSwitch(f"options={value}: name each rule once, in order, with blanks between")
    if wanted == [str(row.get("id", "")) for row in offered if row.get("default") == "yes"]:
        raise BadSwitch(f"options={value} is how it is played anyway; leave it out")


def _rows(pack: Row, key: str) -> list[Row]:
    rows = pack.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _offered(pack: Row) -> list[Row]:
    found = [row.get("switch") for row in _rows(pack, "rulings")]
    return [switch for switch in found if isinstance(switch, dict)]


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
