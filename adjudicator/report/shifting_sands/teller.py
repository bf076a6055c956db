"""The story of one message of Shifting Sands: action, movement, combats, then where both sides stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Waits
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Block, Document, Heading, Item, bullets, para
from adjudicator.report.fields import get
from adjudicator.report.games import Told
from adjudicator.report.shifting_sands import (
    action,
    aftermath,
    battle,
    cards,
    common,
    events,
    ground,
    losses,
    moves,
    setup,
    upkeep,
)
from adjudicator.report.shifting_sands.names import people, side_word, verb
from adjudicator.report.shifting_sands.reckoning import prospect_item
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.shifting_sands.situation import boxes_blocks, situation_blocks
from adjudicator.report.shifting_sands.summary import summary_blocks
from adjudicator.report.words import capital, joined
from adjudicator.shifting_sands.exchange import sequence_of
from adjudicator.shifting_sands.fight import Fight
from adjudicator.shifting_sands.played import forced_retreat
from adjudicator.shifting_sands.prospects import both_fires, under_way
from adjudicator.shifting_sands.retreat import can_hold
from adjudicator.shifting_sands.state import State, other, turn_name
from adjudicator.shifting_sands.words import PHASES

WORDS: dict[str, Telling] = {
    **common.ITEMS,
    **setup.ITEMS,
    **action.ITEMS,
    **ground.ITEMS,
    **moves.ITEMS,
    **battle.ITEMS,
    **cards.ITEMS,
    **losses.ITEMS,
    **aftermath.ITEMS,
    **upkeep.ITEMS,
    **events.ITEMS,
}
SIDE_NOTES = ("standing", "void", "rules", "rules-later")
REASONS = ("why", "clause")
ACTION, MOVEMENT, COMBAT, COURSE, UPKEEP = "action", "movement", "combat", "course", "upkeep"
PART_OF = {
    "action": ACTION,
    "marker": ACTION,
    "card-removed": COURSE,
    "move": MOVEMENT,
    "designate": COMBAT,
    "end-round": COURSE,
    "round": COURSE,
    "turn": COURSE,
    "put-down": UPKEEP,
    "phase": UPKEEP,
}
"""Which part of a message an event opens; one that is not listed goes on with the part before it."""


@dataclass
class Part:
    """One part of a message: what it is, and its events."""

    kind: str
    events: list[Event] = field(default_factory=list)


def parts_of(before: State, events: Sequence[Event]) -> list[Part]:
    """The parts of a message; a combat under way goes on, and every designation opens another."""
    first = ACTION if before.phase == ACTION else UPKEEP
    found = [Part(COMBAT if before.fight is not None else first)]
    for event in events:
        kind = PART_OF.get(event.kind, found[-1].kind)
        if kind != found[-1].kind or (event.kind == "designate" and found[-1].events):
            found.append(Part(kind))
        found[-1].events.append(event)
    return [part for part in found if part.events]


class ShiftingSandsTeller:
    """The words of Shifting Sands."""

    def side(self, side: str) -> str:
        """A side as adjective."""
        return side_word(side)

    def people(self, side: str) -> str:
        """A side as noun."""
        return people(side)

    def headline(self, chapter: Chapter, before: Any) -> str:
        """``Campaign: Summer 1940, action round 1, the Axis action``; the set-up up to the first action."""
        if before.phase == "setup":
            return f"{chapter.scenario}: the set-up"
        return f"{chapter.scenario}: {_moment(before)}{_combats(before, chapter.events)}"

    def story(self, table: Table, chapter: Chapter, before: Any) -> Document:
        """What happened, part by part, and where it left both sides."""
        chapter = _spoken(table, chapter)
        scene = Scene(table, chapter, before, WORDS)
        if before.phase == "setup":
            return [*setup.setup_blocks(scene, chapter.events), *_next_blocks(scene)]
        if all(event.kind in SIDE_NOTES for event in chapter.events):
            return _nothing_blocks(scene)
        blocks = summary_blocks(before, chapter.events)
        lost, cut = (_units_of(chapter.events, kind) for kind in ("eliminated", "reduced"))
        for part in parts_of(before, chapter.events):
            blocks += _part_blocks(scene, part)
        blocks += [*_next_blocks(scene), *situation_blocks(scene)]
        return [*blocks, *boxes_blocks(scene, lost, cut)]

    def lines(self, table: Table, chapter: Chapter, before: Any) -> Iterator[Told]:
        """The events one by one."""
        chapter = _spoken(table, chapter)
        scene = Scene(table, chapter, before, WORDS)
        for event in chapter.events:
            told = scene.tell(event)
            scene.apply(event)
            yield Told(event, told, tuple(_behind(scene, event)))

    def kinds(self) -> frozenset[str]:
        """The kinds of event that have words."""
        return frozenset(WORDS)


def _behind(scene: Scene, event: Event) -> list[Item]:
    """What lies behind an event that has just happened: of a designation both fires as they would be."""
    combat = under_way(scene.state) if event.kind == "designate" else None
    if combat is None:
        return []
    fires = both_fires(scene.state, combat)
    return [prospect_item(scene.state, fire, combat.side_of(role)) for role, fire in fires.items()]


def _spoken(table: Table, chapter: Chapter) -> Chapter:
    """The chapter with names in place of the ids in the reasons that the rules gave."""
    events = []
    for event in chapter.events:
        reasons = {name: table.spoken(get(event, name)) for name in REASONS if name in event.data}
        events.append(event._replace(data={**event.data, **reasons}) if reasons else event)
    return replace(chapter, events=tuple(events))


def _moment(state: State) -> str:
    turn = turn_name(state.turn)
    if state.phase != "action":
        return f"{turn}, the {PHASES.get(state.phase, state.phase)}"
    return f"{turn}, action round {state.round}, the {side_word(state.active)} action"


def _combats(state: State, events: Sequence[Event]) -> str:
    """``: the combats for Kassala and Gallabat``; the one under way, and those that begin, where dice fall."""
    fought = [state.fight.combat.target] if state.fight is not None else []
    fought += [get(event, "target") for event in events if event.kind == "winner"]
    targets = list(dict.fromkeys(fought))
    word = "the combat for" if len(targets) == 1 else "the combats for"
    return f": {word} {joined(targets)}" if targets else ""


def _units_of(events: Sequence[Event], kind: str) -> list[str]:
    return [get(event, "unit") for event in events if event.kind == kind]


def _nothing_blocks(scene: Scene) -> list[Block]:
    """A message in which nothing happens on the map: a bare opening, or standing orders alone."""
    told = scene.tell_all(scene.chapter.events)
    return [*bullets(told), para("Nothing happens on the map; both sides stand as they stood before this message.")]


def _part_blocks(scene: Scene, part: Part) -> list[Block]:
    if part.kind == COMBAT:
        return battle.combat_blocks(scene, part.events)
    if part.kind == MOVEMENT:
        return [Heading(2, f"Movement of {people(scene.state.active)}"), *moves.movement_blocks(scene, part.events)]
    if part.kind == ACTION:
        return [Heading(2, f"The action of {people(scene.state.active)}"), *action.action_blocks(scene, part.events)]
    if part.kind == UPKEEP:
        return upkeep.upkeep_blocks(scene, part.events)
    return _course_blocks(scene, part.events)


def _course_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """The end of an action, and whose turn it is: told by what comes next."""
    ended = [scene.tell(event).line for event in events if event.kind == "end-round"]
    for event in events:
        scene.apply(event)
    return [para(*ended)] if ended else []


def _next_blocks(scene: Scene) -> list[Block]:
    """What comes next, and who is asked."""
    state = scene.state
    if state.phase == "setup":
        return []
    if state.fight is not None:
        return [para(_asked(state, scene.chapter.events))]
    step = scene.table.next_step(state)
    if isinstance(step, Waits) and step.why == "over":
        return [para("The game is over.")]
    if isinstance(step, Waits):
        rest = "this version does not play it, so the game rests here"
        return [para(f"Next: {_moment(state)}; {rest}.")]
    return [para(f"Next: {_moment(state)}.")]


def _asked(state: State, events: Sequence[Event]) -> str:
    """Who is asked inside a combat: the defender before the fire, then whoever has a choice left."""
    fight = state.fight
    if fight is None:
        return ""
    sides = {"attacker": fight.combat.attacker, "defender": other(fight.combat.attacker)}
    attacker, defender = people(sides["attacker"]), people(sides["defender"])
    if not fight.inflicted:
        asked = verb(sides["defender"], "answers")
        return f"{capital(defender)} {asked} now: combat cards, losses, retreat; then the dice are rolled."
    if not fight.decided:
        side = sides[_hit(state, fight, events)]
        return f"Next: {people(side)} {verb(side, 'says', 'say')} who takes the losses, then the combat goes on."
    if _beaten(state, fight, events):
        retreat = "holding the space or the retreat" if can_hold(state, fight.combat) else "the retreat"
        retreat = "the retreat" if forced_retreat(state.world, fight.combat.cards) else retreat
        topic = "the places of the overrun units" if fight.overrun else retreat
        return f"Next: {defender} {verb(sides['defender'], 'decides')} on {topic}."
    return f"Next: {attacker} {verb(sides['attacker'], 'decides')} on advances and the next attack."


def _hit(state: State, fight: Fight, events: Sequence[Event]) -> str:
    """The role whose losses are open: those of fire at once fall on the defender first (exchange.py)."""
    hit = ["defender" if role == "attacker" else "attacker" for role, _number in fight.inflicted]
    settled = {get(event, "role") for event in events if event.kind == "losses"}
    if sequence_of(state, fight.combat) is not None:
        return hit[-1]
    return next((role for role in hit if role not in settled), hit[-1])


def _beaten(state: State, fight: Fight, events: Sequence[Event]) -> bool:
    """Defenders that still stand in a space they have lost, and have not held it."""
    held = any(event.kind == "hold" for event in events)
    beaten = bool(fight.retreat) or fight.overrun
    return beaten and not held and bool(state.enemies(fight.combat.target, fight.combat.attacker))


TELLER = ShiftingSandsTeller()
