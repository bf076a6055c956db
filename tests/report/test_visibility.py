"""No report of one side holds what only the other may know (PROTOCOL 4.7, `see`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.support import chapter, fixture, report

SECRETS = (
    {"kind": "void", "order": "7", "type": "raid", "code": "x", "why": "the frogmen stay at home", "see": "axis"},
    {"kind": "unbuilt", "what": "garrison", "why": "the false minefield at Mersa", "see": "nobody"},
)


@pytest.fixture
def secretive() -> dict[str, Any]:
    """A message with events for one side and for nobody, and a unit that only the Axis knows of."""
    tree = fixture("quiet")
    hidden = {"kind": "deploy", "unit": "it-10bers", "hex": "19/1126", "see": "axis"}
    tree["earlier"] = [hidden, *tree["earlier"]]
    move = {"kind": "phase", "turn": "Dec I 40", "player": "allied", "phase": "movement"}
    march = {"kind": "move", "unit": "br-4-arm-a", "from": "19/1127", "path": ["19/1027"], "mp": "1", "spent": "1"}
    tree["events"] = [*tree["events"], move, march, *SECRETS]
    return tree


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_axis_reads_its_own_events(secretive: dict[str, Any], form: str) -> None:
    told = report(secretive, "axis", form)
    assert "frogmen" in told
    assert "10th Bersaglieri" in told
    assert "minefield" not in told


@pytest.mark.parametrize("viewer", ["allied", "public"])
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_nobody_else_does(secretive: dict[str, Any], viewer: str, form: str) -> None:
    told = report(secretive, viewer, form)
    assert "4th Armoured Brigade" in told
    assert not any(word in told for word in ("frogmen", "minefield", "Bersaglieri"))


def test_a_chapter_holds_only_what_its_viewer_may_know(secretive: dict[str, Any]) -> None:
    for viewer in ("axis", "allied", "public"):
        assert {event.see for event in chapter(secretive, viewer).events} <= {"public", viewer}
