"""A whole campaign of Shifting Sands as a VASSAL log: after every step the table shows what the state holds.

Programs play it by the rules alone; :mod:`tests.vassal.sands_facts` reads the table. `SANDS_CAMPAIGNS` plays more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import Table as Rules
from adjudicator.engine.game import message_of
from adjudicator.match.games import table as rules_of
from adjudicator.match.play.players import asked
from adjudicator.match.play.seats import bytes_of, chance_of
from adjudicator.match.resolver import author
from adjudicator.packs import load_pack
from adjudicator.protocol.dice import roll
from adjudicator.shifting_sands.apply import APPLY
from adjudicator.shifting_sands.state import State
from adjudicator.vassal import export_events, export_log, export_save
from adjudicator.vassal.reader import ReadSave, read_save
from adjudicator.vassal.shifting_sands import ShiftingSands
from adjudicator.vassal.steps import LogStep, log_steps
from tests.vassal.playback import Table
from tests.vassal.sands_facts import Board, expected

Tree = Mapping[str, Any]
SYSTEM, MESSAGES = "shifting-sands", 400
CAMPAIGNS = int(os.environ.get("SANDS_CAMPAIGNS", "1"))
EVERY = 1 if CAMPAIGNS > 1 else 12
"""Each so many messages one is exported by itself, as players do."""


@dataclass(frozen=True)
class Game:
    """A game that programs have played: its rules and all its events in order."""

    rules: Rules
    events: tuple[Event, ...]
    over: bool

    def of(self, seq: int) -> list[Event]:
        """The events on the dice of a message."""
        return [event for event in self.events if event.on == seq]


@cache
def game(seed: str, scenario: str = "campaign") -> Game:
    """Random lawful orders from the set-up to the end."""
    words = (SYSTEM, scenario, seed, "vassal")
    rules, chance, more = rules_of(SYSTEM, scenario, ()), chance_of(*words), bytes_of(*words)
    point: Checkpoint[Any] = Checkpoint(rules.start())
    seeds, messages, why = {0: more(32)}, [Message(0, "")][:0], ""
    for seq in range(1, MESSAGES):
        run = play(rules, point, [m for m in messages if m.seq >= point.at], Opened(seeds, roll))
        point, why = run.checkpoint, run.waits.why
        if why in ("over", "unbuilt"):
            break
        side = author(rules, seq)
        ask = asked(run, side)
        rows = rules.bot_orders(run.state, side, ask, chance) if ask is not None else []
        messages.append(message_of(seq, side, rows))
        seeds[seq] = more(32)
    whole = play(rules, Checkpoint(rules.start()), messages, Opened(seeds, roll))
    return Game(rules, tuple(whole.events), why == "over")


@pytest.fixture(scope="module")
def pack() -> Tree:
    return load_pack(SYSTEM).tree


@pytest.fixture(scope="module")
def sands(pack: Tree) -> ShiftingSands:
    return ShiftingSands(pack)


@pytest.fixture(scope="module")
def units(sands: ShiftingSands) -> dict[str, str]:
    """The side of each unit."""
    return {str(row["id"]): sands.style.side_of(str(row["nation"])) for row in sands.pack["counters"]}


def differences(seen: Tree, wanted: Tree) -> list[str]:
    """What is not as it should be, one line each."""
    found: list[str] = []
    for part in wanted:
        one, two = seen[part], wanted[part]
        if isinstance(two, dict):
            wrong = [key for key in sorted({*one, *two}, key=str) if one.get(key) != two.get(key)]
            found += [f"{part} {key}: {one.get(key)} for {two.get(key)}" for key in wrong]
        elif one != two:
            found.append(f"{part}: {one} for {two}")
    return found


def followed(log: ReadSave, states: list[State], sands: ShiftingSands, units: dict[str, str]) -> list[str]:
    """Steps through a log beside the states it should lead to; the faults of the first step that has any."""
    played = Table(log)
    assert len(log.steps) == len(states)
    for number, (step, state) in enumerate(zip(log.steps, states, strict=True)):
        played.step(step)
        wrong = differences(Board(played, sands.layout, units).facts(), expected(state, units))
        if wrong:
            return [f"step {number}: {step[-1]}", *wrong]
    return []


@pytest.mark.parametrize("number", range(CAMPAIGNS))
def test_after_every_step_of_a_campaign_the_table_shows_what_the_state_holds(
    number: int, sands: ShiftingSands, pack: Tree, units: dict[str, str], tmp_path: Path
) -> None:
    played, words = game(f"table-{number}"), sands.words()
    assert played.over
    rules, state, steps, states = played.rules, played.rules.start(), [], []
    for step in log_steps(rules, state, played.events, words, None, words.staging):
        steps.append(step)
        states.append(rules.copy(state))
        assert step.lines, f"a step without a word, after {len(steps)} steps"
    before = rules.position(rules.start())
    export_log(pack, before, steps, tmp_path / "x.vlog", None, "a campaign")
    log = read_save(tmp_path / "x.vlog")
    assert log.unknown == []
    assert followed(log, states, sands, units) == []
    export_save(pack, rules.position(state), tmp_path / "end.vsav", None, "the end")
    end = Table(read_save(tmp_path / "end.vsav"))
    assert differences(Board(end, sands.layout, units).facts(), expected(state, units)) == []


@pytest.mark.parametrize("number", range(CAMPAIGNS))
def test_the_log_of_a_message_begins_and_ends_as_the_state_does(
    number: int, sands: ShiftingSands, pack: Tree, units: dict[str, str], tmp_path: Path
) -> None:
    played = game(f"table-{number}")
    rules, state = played.rules, played.rules.start()
    last = max(event.on for event in played.events)
    for seq in range(last + 1):
        events, before = played.of(seq), rules.copy(state)
        if seq % EVERY and seq != last:
            for event in events:
                rules.apply(state, event)
            continue
        export_events(pack, rules, state, events, tmp_path / "x.vlog", None, f"message {seq}")
        log = read_save(tmp_path / "x.vlog")
        table = Table(log)
        assert differences(Board(table, sands.layout, units).facts(), expected(before, units)) == [], seq
        for step in log.steps:
            table.step(step)
        assert differences(Board(table, sands.layout, units).facts(), expected(state, units)) == [], seq


def _told(kind: str, **data: Any) -> Event:
    return Event(kind, "SS 0", data)


RARE = [
    _told("event", event="Torch"),
    _told("released", nations=["IR", "VF"]),
    _told("vp", to="-2", change="-1", why="in play"),
    _told("rp", side="allied", charter="BR", pools=[{"pool": "BR", "points": "1.5", "total": "1.5"},
                                                    {"pool": "US", "points": "0.5", "total": "0.5"}]),
    _told("action", side="axis", use="rd", card="", ops="4"),
    _told("rd", unit="it-62", mode="land", **{"from": "Bardia"}, path=["Bardia", "Gambut", "Tobruk"], to="Tobruk",
          cost="2", left="2", company="yes"),
    _told("mission", unit="br-lrdg", at="Cairo", mission="raid", die="2", result="lose_step", cost="1"),
    _told("mission", unit="br-lrdg", at="Cairo", mission="intelligence", die="5", result="2", cost="1"),
    _told("cards-seen", side="axis", cards=[]),
    _told("reduced", unit="it-63", at="Bardia"),
    _told("flipped", unit="it-63", at="Bardia", town="Bardia"),
    _told("reduced", unit="it-63", at="Bardia"),
    _told("restored", unit="it-63", at="Bardia", pool="BR", cost="0.5", left="1"),
    _told("eliminated", unit="it-63", **{"from": "Bardia"}, to="@replacement"),
    _told("recreated", unit="it-63", to="Tripoli", step="reduced", pool="BR", cost="1", left="0"),
    _told("eliminated", unit="it-61", **{"from": "Tobruk"}, to="@eliminated", why="out of supply"),
    _told("replaced", unit="it-arm-bg-1", at="Tobruk", division="it-61", fought="yes", supply="limited"),
    _told("retreat", unit="it-64", path=["Tobruk", "Gazala"]),
    _told("relocate", unit="it-64", to="Tripoli"),
    _told("thrown-back", unit="it-64", **{"from": "Tripoli"}, to="Zuara"),
    _told("arrived", unit="ge-999", to="Tripoli", step="reduced", mark="yes"),
    _told("swapped", unit="it-17", to="@reserve"),
    _told("control", side="allied", spaces=["Bardia", "Malta"]),
    _told("control", side="axis", spaces=["Bardia"]),
    _told("rp-lost", side="allied", pools=[{"pool": "US", "points": "0.5"}]),
    _told("phase", phase="attrition", step="attrition"),
    _told("phase", phase="victory", step="victory"),
    _told("phase", phase="replacement", step="replacement", active="allied"),
    _told("victory", winner="allied", how="automatic", vp="-2"),
    _told("victory", winner="draw", how="points", vp="-2"),
    _told("phase", phase="over", step="over"),
]  # fmt: skip
"""What a game of programs seldom comes to, one after the other; the rules would not let them follow each other so."""


def test_seldom_events_show_too(sands: ShiftingSands, pack: Tree, units: dict[str, str], tmp_path: Path) -> None:
    rules, words = rules_of(SYSTEM, "campaign", ()), sands.words()
    state = rules.start()
    for event in (event for event in game("table-0").events if event.on <= 2 and event.kind != "action"):
        rules.apply(state, event)
        if event.kind == "round":
            break
    before = rules.position(state)
    lines: list[str] = []
    steps: list[LogStep] = []
    states: list[State] = []
    for step in log_steps(rules, state, RARE, words, None, words.staging):
        lines += step.lines
        steps.append(step)
        states.append(rules.copy(state))
    export_log(pack, before, steps, tmp_path / "x.vlog", None, "seldom")
    assert followed(read_save(tmp_path / "x.vlog"), states, sands, units) == []
    wanted = (
        "IT 62 redeploys by land from Bardia to Tobruk (2 RD, 2 left; the battlegroup of the turn by SS 12.83)",
        "BR LRDG in Cairo raids (1 OPS), die 2: it loses a step",
        "BR LRDG in Cairo gathers intelligence (1 OPS), die 5: it sees 2 cards",
        "Allied replacement points: 1.5 British, 0.5 American; the Atlantic Charter's point is BR",
        "IT 63 in Bardia is at full strength again (0.5 British RP, 1 left)",
        "IT 63 comes back in Tripoli, reduced (1 British RP, 0 left)",
        "=== Replacement phase of the Allied player ===",
        "Allied automatic victory, with -2 victory points",
        "The game is over",
    )
    assert [line for line in wanted if line not in lines] == []


def test_the_campaigns_show_most_kinds_of_events() -> None:
    """What the campaign in this file does not show is what needs luck, choices or cards that are played as events."""
    seen = {event.kind for event in game("table-0").events}
    rare = {
        "cards-seen", "event", "flank", "flipped", "hold", "mission", "ordered", "overrun", "released", "relocate",
        "replaced", "rules", "rules-later", "thrown-back", "void", "stays", "advance", "retreat", "recreated", "merge",
        "arrived", "swapped", "restored", "eliminated", "control", "winner", "victory", "discard", "rp-lost", "reduced",
        "standing", "substituted", "resorted", "called-off", "scored", "cards-shown",
    }  # fmt: skip
    assert set(APPLY) - seen <= rare
