"""Air phases of chance, held against a second look at the printed counters and charts (air_umpire.py): every take-off,
way, patrol die, shot, burst, bomb, landing and escape, and the fate of all cargo (WD 16 to 25)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Event
from tests.western_desert.air_umpire import air_faults
from tests.western_desert.phases import PHASES, phases

SPOILT = {
    "patrol-attack": ("attack", "defense"),
    "air-shot": ("differential", "modifier", "roll", "used"),
    "aa-fire": ("strength", "column", "modifier", "used"),
    "bombing": ("strength", "used"),
    "harassment": ("points",),
    "attack": ("ground_support", "defensive_support"),
}
"""Figures that the umpire works out for himself, by event."""


@pytest.mark.parametrize("name", PHASES)
def test_what_the_events_tell_of_the_air_is_what_the_umpire_finds(name: str) -> None:
    for phase in phases(name):
        assert air_faults(phase.before, phase.events) == [], phase.rows


def test_the_umpire_sees_a_figure_that_is_one_too_high() -> None:
    seen: set[tuple[str, str]] = set()
    for phase in phases("air", "reaction", "combat"):
        for at, event in enumerate(phase.events):
            for field in SPOILT.get(event.kind, ()):
                if (event.kind, field) not in seen and event.data.get(field):
                    spoilt = [*phase.events[:at], raised(event, field), *phase.events[at + 1 :]]
                    assert air_faults(phase.before, spoilt), (event, field)
                    seen.add((event.kind, field))
    assert {kind for kind, _field in seen} >= {"patrol-attack", "air-shot"}


def raised(event: Event, field: str) -> Event:
    """The event with one more in a field."""
    text = str(event.data[field])
    number = text if "/" not in text else text.partition("/")[0]
    return event._replace(data={**event.data, field: str(int(number) + 1)})
