"""Reports of Shifting Sands for tests: of played rounds, and of events made up on a position of them."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.report import document_of
from adjudicator.report.document import Document
from adjudicator.report.games import teller
from adjudicator.report.render import markdown, text
from adjudicator.report.shifting_sands.scene import Scene
from adjudicator.report.shifting_sands.teller import WORDS
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.rounds import SYSTEM, Rounds, first_rounds, table


def document(rounds: Rounds, seq: int, note: str = "") -> Document:
    """The report of a message before it is given a form."""
    return document_of(table(rounds.scenario), rounds.chapter(seq, note), rounds.before(seq), teller(SYSTEM))


def report(rounds: Rounds, seq: int, form: str = "text", note: str = "") -> str:
    """The report of a message in a form."""
    found = document(rounds, seq, note)
    return markdown(found) if form == "markdown" else text(found)


def flat(told: str) -> str:
    """A report in one line, as line breaks fall anywhere."""
    return " ".join(told.split())


def told_events(rounds: Rounds, seq: int, events: list[Event]) -> str:
    """What a report would say of other events, on the state before a message."""
    chapter = replace(rounds.chapter(seq), events=tuple(events))
    return flat(text(document_of(table(rounds.scenario), chapter, rounds.before(seq), teller(SYSTEM))))


def scene(state: State, seq: int = 3) -> Scene:
    """A stage for single events."""
    return Scene(table(), first_rounds().chapter(seq), state, WORDS)
