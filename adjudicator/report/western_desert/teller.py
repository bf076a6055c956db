"""The story of one message of Western Desert: phase by phase, then where both sides stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Waits
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Block, Document, Heading, Item, bullets, item, para
from adjudicator.report.games import Told
from adjudicator.report.western_desert import (
    airphase,
    arrivals,
    battle,
    common,
    dogfights,
    engineers,
    flights,
    moves,
    sea,
    setup,
    special,
    supply,
    victory,
    works,
)
from adjudicator.report.western_desert.control import Ground, told_singly
from adjudicator.report.western_desert.names import people, side_word
from adjudicator.report.western_desert.odds import chance_words, reckoning
from adjudicator.report.western_desert.scene import Scene, Telling, get, rule
from adjudicator.report.western_desert.sectors import sectors_of
from adjudicator.report.western_desert.situation import losses_blocks, situation_blocks
from adjudicator.report.western_desert.summary import summary_blocks
from adjudicator.report.words import capital
from adjudicator.western_desert.state import State, turn_name

SYSTEM = "western-desert"
PHASES = {
    "initial": "Initial phase",
    "movement": "Movement phase",
    "air": "Air phase",
    "combat": "Combat phase",
    "exploitation": "Exploitation phase",
    "setup": "Set-up",
    "victory": "Reckoning of victory",
}


MODULES = (common, supply, moves, works, engineers, arrivals, special, sea, battle, setup, flights, dogfights, victory)
WORDS: dict[str, Telling] = {kind: telling for module in MODULES for kind, telling in module.ITEMS.items()}
SIDE_NOTES = ("standing", "void", "rules", "rules-later")


@dataclass
class Part:
    """One phase of a message: the event that opened it (None where it goes on) and the events in it."""

    opened: Event | None
    events: list[Event] = field(default_factory=list)


def parts_of(events: Sequence[Event]) -> list[Part]:
    """The phases of a message. What comes before the first phase event goes on with the phase of the message before."""
    found = [Part(None)]
    for event in events:
        if event.kind == "phase":
            found.append(Part(event))
        else:
            found[-1].events.append(event)
    return [part for part in found if part.events or part.opened is not None]


class WesternDesertTeller:
    """The words of Western Desert."""

    def side(self, side: str) -> str:
        """A side as adjective."""
        return side_word(side)

    def people(self, side: str) -> str:
        """A side as noun."""
        return people(side)

    def headline(self, chapter: Chapter, before: Any) -> str:
        """``Dec I 40, the Allied surprise turn``; for genesis the set-up."""
        if chapter.seq == 0:
            return setup.setup_headline(chapter.scenario)
        if before.phase == "setup":
            return setup.setup_headline(chapter.scenario, before.player)
        return f"{chapter.scenario}: {turn_words(before)}"

    def story(self, table: Table, chapter: Chapter, before: Any) -> Document:
        """What happened, phase by phase, and where it left both sides."""
        scene = Scene(table, chapter, before, sectors_of(before.board, SYSTEM), WORDS)
        if all(event.kind in SIDE_NOTES for event in chapter.events):
            return _nothing_blocks(scene)
        if before.phase == "setup":
            return self._set_up(scene)
        blocks = summary_blocks(before, chapter.events)
        lost = _units_of(chapter.events, "eliminated")
        reduced = _units_of(chapter.events, "reduced")
        parts = parts_of(chapter.events)
        for part in parts:
            blocks += _part_blocks(scene, part, part is parts[-1])
        blocks += situation_blocks(scene) + airphase.air_situation(scene.state, chapter.events)
        return [*blocks, *losses_blocks(scene, lost, reduced)]

    def lines(self, table: Table, chapter: Chapter, before: Any) -> Iterator[Told]:
        """The events one by one."""
        scene = Scene(table, chapter, before, sectors_of(before.board, SYSTEM), WORDS)
        for event in chapter.events:
            if event.kind == "phase":
                scene.apply(event)
                scene.open_phase()
                yield Told(event, _phase_item(scene, event))
            else:
                yield Told(event, scene.tell(event), tuple(_behind(scene, event)))
                scene.apply(event)

    def kinds(self) -> frozenset[str]:
        """The kinds of event that have words."""
        return frozenset({"phase", *WORDS})

    def _set_up(self, scene: Scene) -> list[Block]:
        events = list(scene.chapter.events)
        at = next((n for n, event in enumerate(events) if event.kind == "phase"), len(events))
        blocks = setup.setup_blocks(scene, events[:at])
        for part in parts_of(events[at:]):
            blocks += _part_blocks(scene, part, last=True)
        return blocks


def _phase_item(scene: Scene, event: Event) -> Item:
    """A phase that begins, by itself."""
    title = PHASES.get(scene.state.phase, capital(scene.state.phase))
    return item(capital(f"{turn_words(scene.state)}: the {title.lower()} begins"), rule(event.rule), ".")


def _behind(scene: Scene, event: Event) -> list[Item]:
    """What lies behind an event: the reckoning of an attack, the chances of a result."""
    if event.kind == "attack":
        return reckoning(scene, event)
    if event.kind == "result" and get(event, "die"):
        return [item(*chance_words(scene.state, event))]
    return []


def _nothing_blocks(scene: Scene) -> list[Block]:
    """A message in which nothing happens on the map: a bare opening, or standing orders alone."""
    told = [scene.tell(event) for event in scene.chapter.events]
    return [*bullets(told), para("Nothing happens on the map; both sides stand as they stood before this message.")]


def turn_words(state: State) -> str:
    """``Dec I 40, the Allied surprise turn``."""
    kind = "surprise turn" if state.surprise else "player turn"
    return f"{turn_name(state.turn)}, the {side_word(state.player)} {kind}"


def _units_of(events: Sequence[Event], kind: str) -> list[str]:
    return [get(event, "unit") for event in events if event.kind == kind]


def _part_blocks(scene: Scene, part: Part, last: bool) -> list[Block]:
    """A phase with its heading. The last one, only opened, waits for its player and is told in a line."""
    was = turn_words(scene.state)
    if part.opened is not None:
        scene.apply(part.opened)
    if last and not part.events:
        return _opened_blocks(scene, was)
    title = PHASES.get(scene.state.phase, capital(scene.state.phase))
    scene.open_phase()
    ground = Ground()
    whose = "" if scene.state.phase == "victory" else f" of {people(scene.state.player)}"
    blocks: list[Block] = [Heading(2, f"{title}{whose}")]
    blocks += _phase_blocks(scene, part.events, ground)
    return [*blocks, *ground.blocks(scene)]


def _opened_blocks(scene: Scene, was: str) -> list[Block]:
    """The phase that is next, and whether this version plays it."""
    state = scene.state
    if state.level:
        return [para("The game is over.")]
    now = turn_words(state)
    phase = PHASES.get(state.phase, state.phase).lower()
    turn = f"{now}: " if now != was else ""
    step = scene.table.next_step(state)
    unbuilt = isinstance(step, Waits) and step.why == "unbuilt"
    comes = "this version does not play it, so the game rests here" if unbuilt else "it waits for orders"
    return [para(capital(f"{turn}the {phase} of {people(state.player)} is next; {comes}."))]


def _phase_blocks(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    if scene.state.phase in ("movement", "exploitation"):
        return moves.movement_blocks(scene, events, ground)
    if scene.state.phase == "combat":
        return battle.combat_blocks(scene, events, ground)
    if scene.state.phase == "air":
        return airphase.air_blocks(scene, events, ground)
    return bullets(told_singly(scene, events, ground)) or [para("Nothing happens.")]


TELLER = WesternDesertTeller()
