"""Where every counter is if the order of battle is carried out as it stands, without a loss in battle.

The checker plays the events through to see that each of them can be carried out; set-ups of later scenarios are held
against it, and ``pack show`` tells from it what is in play at a date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from adjudicator.packs.western_desert.events import event_order
from adjudicator.packs.western_desert.turns import turn_number

Row = Mapping[str, Any]

PLAY, BOX, GREECE, OUT, POOL, SPECIAL, PART, GONE = (
    "play",
    "box",
    "greece",
    "out",
    "replacement_pool",
    "special_pool",
    "component",
    "converted",
)
"""In play on the map; in a box that is part of the game (Fifth Army, Tripolitania); sent to Greece; withdrawn; in the
replacement pool; special forces not used; part of a division that is whole; become another unit."""
HERE: Final = (PLAY, BOX)


@dataclass(slots=True)
class Roster:
    """All counters with their state. ``points`` counts the replacement points received: (nationality, kind) -> sum;
    ``spared`` are units that were withdrawn where another of their kind might have gone (WD 29.C)."""

    units: Mapping[str, Row]
    state: dict[str, str] = field(default_factory=dict)
    points: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    spared: set[str] = field(default_factory=set)
    _alike: dict[tuple[object, ...], list[str]] = field(default_factory=dict)

    def set_up(self, scenario: Row) -> None:
        """Place the units of a set-up."""
        for key in ("deploy", "air_deploy"):
            for row in _rows(scenario, key):
                self.state[str(row.get("unit"))] = PLAY
        for row in _rows(scenario, "boxes"):
            self.state[str(row.get("unit"))] = GREECE if row.get("box") == "greece" else BOX

    def apply(self, event: Row) -> None:
        """Carry an event out; nothing happens where it can't be."""
        kind = event.get("kind")
        if kind == "convert":
            self._convert(event)
        elif kind == "replacement":
            key = (str(event.get("nat")), str(event.get("rp")))
            self.points[key] = self.points.get(key, Fraction(0)) + fraction(event.get("points"))
        elif "unit" in event:
            unit = str(event["unit"])
            if kind == "withdraw" and self.like(unit, nation=event.get("to") != "greece"):
                self.spared.add(unit)
            after = self._after(kind, unit, event)
            if after:
                self.state[unit] = after

    def _after(self, kind: object, unit: str, event: Row) -> str:
        if kind == "return":
            table = event.get("area") == "greece_table"
            return POOL if table and is_heavy(self.units.get(unit, {})) else PLAY
        if kind == "withdraw":
            return GREECE if event.get("to") == "greece" else OUT
        return {"reinforce": PLAY, "special": SPECIAL, "component": PART}.get(str(kind), "")

    def _convert(self, event: Row) -> None:
        sources = [str(unit) for unit in _texts(event, "from")]
        found = {self.state.get(unit, "") for unit in sources}
        if not any(state in (PLAY, BOX, GREECE, POOL) for state in found):
            return
        for unit in sources:
            self.state[unit] = GONE
        for unit in _texts(event, "to"):
            self.state[str(unit)] = next((s for s in (POOL, GREECE) if s in found), PLAY)

    def like(self, unit: str, nation: bool = True) -> list[str]:
        """Other units in play that may go in place of one (WD 29.C): alike in nationality, size, type and strength."""
        if not self._alike:
            for other in sorted(self.units):
                for key in {kind_of(self.units[other], True), kind_of(self.units[other], False)}:
                    self._alike.setdefault(key, []).append(other)
        found = self._alike.get(kind_of(self.units.get(unit, {}), nation), [])
        return [other for other in found if other != unit and self.state.get(other) in HERE]


def replay(units: Mapping[str, Row], scenario: Row, events: Iterable[Row], until: Row | None = None) -> Roster:
    """The roster after a set-up and the events up to some turn.

    Args:
        units: all counters and air units by id.
        scenario: the set-up the events begin from.
        events: the dated events.
        until: side -> last turn whose events are carried out (``events_done`` of a scenario); all when ``None``.
    """
    roster = Roster(units)
    roster.set_up(scenario)
    for event in sorted(events, key=event_order):
        if until is None or is_done(event, until):
            roster.apply(event)
    return roster


def is_done(event: Row, until: Row) -> bool:
    """Whether an event lies not after the turn given for its side; one without a turn never does."""
    turn, last = turn_number(event.get("turn")), turn_number(until.get(str(event.get("side"))))
    return turn is not None and last is not None and turn <= last


def kind_of(unit: Row, nation: bool = True) -> tuple[object, ...]:
    """What must be the same for one unit to stand for another: of air units the model, of ground units more."""
    if "model" in unit:
        return unit.get("model"), unit.get("nat")
    keys = ("side", "size", "type", "hq_of", "attack", "defense", "aa", "aa_type")
    return (unit.get("nat") if nation else "", *(unit.get(key) for key in keys))


def is_heavy(unit: Row) -> bool:
    """Whether a unit has heavy equipment (WD 3.F); air units have none."""
    caps = unit.get("caps")
    return isinstance(caps, Mapping) and caps.get("heavy") == "yes"


def fraction(text: object) -> Fraction:
    """A number of a pack, as ``1/2``; 0 for a text that is none."""
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        return Fraction(0)


def _rows(tree: Row, key: str) -> list[Row]:
    found = tree.get(key)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def _texts(tree: Row, key: str) -> list[str]:
    found = tree.get(key)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
