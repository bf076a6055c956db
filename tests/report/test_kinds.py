"""Every kind of event has words, and the fixtures tell every kind."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Event
from adjudicator.report.document import plain
from adjudicator.report.western_desert.scene import Scene
from adjudicator.report.western_desert.sectors import sectors_of
from adjudicator.report.western_desert.teller import TELLER, WORDS
from adjudicator.western_desert.apply import APPLY
from tests.report.support import SYSTEM, chapter, events, fixture, names, rows, state_before, table

BY_ITSELF = sorted(set(APPLY) - {"phase"})
"""``phase`` is told as the heading of a phase, never by itself."""


def test_every_kind_has_words() -> None:
    assert TELLER.kinds() == set(APPLY)


def test_the_fixtures_tell_every_kind() -> None:
    told = {row["kind"] for name in names() for row in rows(fixture(name), "events")}
    assert told == set(APPLY)


def first_of(kind: str) -> tuple[Scene, Event]:
    """The first event of a kind in any fixture, on the state before it."""
    for name in names():
        tree = fixture(name)
        state = state_before(tree)
        scene = Scene(table(), chapter(tree), state, sectors_of(state.board, SYSTEM), WORDS)
        for event in events(tree, "events"):
            if event.kind == kind:
                return scene, event
            scene.apply(event)
    raise AssertionError(f"no fixture has an event {kind}")


@pytest.mark.parametrize("kind", BY_ITSELF)
def test_each_kind_can_be_told_by_itself(kind: str) -> None:
    scene, event = first_of(kind)
    words = plain(scene.tell(event).line)
    assert len(words) > 20
    assert event.rule in words or kind in ("disarray", "supply-check")
    assert "None" not in words
    assert "  " not in words
