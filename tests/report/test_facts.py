"""Nothing that happened is left out: every unit, hex, number and rule of the events stands in the report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Event, Tree
from adjudicator.report.document import Document
from adjudicator.report.games import teller
from adjudicator.report.render import text
from adjudicator.report.western_desert.names import air_name, spoken
from adjudicator.report.words import figure
from adjudicator.western_desert.state import State
from tests.report.battles import fought
from tests.report.support import SYSTEM, chapter, document, events, fixture, names, state_before, table

SET_UP = {"setup", "deploy", "deploy-air", "deploy-supply", "deploy-works", "deploy-box", "levant", "disarray"}
UNITS = ("unit", "with", "defenders", "units", "air", "fighter", "target", "screen", "bypass", "interceptors", "force")
SILENT = {*SET_UP, "control", "phase", "air-step"}
"""Kinds that a report sums up: their rules are named once, not at every event."""


def flat(found: Document) -> str:
    """A report as one line."""
    return " ".join(text(found).split())


def named(state: State, uid: str) -> str:
    """The last words of a unit's name; its ordinal may stand in a list: ``4th and 7th Armoured Brigades``. Of an air
    unit the first: ``Blen 4 Nos. 1 and 2``."""
    if uid in state.world.air:
        return air_name(state, uid).partition(" No. ")[0]
    name = spoken(state, uid).removesuffix(" (cadre)")
    return name.split(" ", 1)[1] if name[0].isdigit() and " " in name else name


def _places(event: Event) -> tuple[str, ...]:
    """The fields with hexes that a report names: of a flight not each hex of its way."""
    return ("base", "over", "land") if event.kind == "flight" else ("hex", "to", "path", "base")


def missing(found: str, state: State, happened: list[Event]) -> list[str]:
    """Facts of the events that the report does not tell."""
    gone: list[str] = []
    for event in happened:
        units = [uid for key in UNITS for uid in listed(event.data.get(key))]
        gone += [f"{event.kind}: {uid}" for uid in units if named(state, uid) not in found]
        places = [h for key in _places(event) for h in listed(event.data.get(key))]
        gone += [f"{event.kind}: {h}" for h in places if h not in found]
        if event.kind not in SILENT and event.rule not in found:
            gone.append(f"{event.kind}: {event.rule}")
        forced = event.data.get("choice") == "forced"
        words: tuple[str, ...] = ("label", "why") if forced else ("label", "why", "clause")
        words = ("label",) if event.kind == "air-lost" else words
        gone += [f"{event.kind}: {key}" for key in words if str(event.data.get(key, "")) not in found]
        for key in ("strength", "against", "required"):
            if key in event.data and figure(str(event.data[key])) not in found:
                gone.append(f"{event.kind}: {key}")
    return gone


def listed(tree: Tree | None) -> list[str]:
    """A text or list of texts as list."""
    return [tree] if isinstance(tree, str) and tree else [t for t in tree or () if isinstance(t, str)]


@pytest.mark.parametrize("name", names())
def test_fixtures_are_told_in_full(name: str) -> None:
    tree = fixture(name)
    happened = [event for event in events(tree, "events") if event.kind not in ("supply-spent",)]
    assert missing(flat(document(tree)), state_before(tree), happened) == []


@pytest.mark.parametrize("seed", range(25))
def test_random_battles_are_told_in_full(seed: int) -> None:
    before, happened = fought(seed)
    tree = {**fixture("quiet"), "seq": "6", "events": []}
    told = replace(chapter(tree), events=tuple(happened))
    found = flat(teller(SYSTEM).story(table(), told, before.copy()))
    assert missing(found, before, happened) == []
    assert "None" not in found
    assert "Void" in found or not any(event.kind == "void" for event in happened)
