"""Logs: the position before, then one step per order or event, as the engine plays them back.

A step is made from the position after it: pieces that stand elsewhere move, those that are gone are removed, new ones
come, states change. So the end of a log is always the save of the position it ends in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudicator.vassal.model import Placement, Point, Save
from adjudicator.vassal.savefile import (
    Writer,
    change_command,
    chat_command,
    log_step,
    move_command,
    remove_command,
    stack_command,
    turn_command,
)
from adjudicator.vassal.traits import MarkMoved, Trail, trail_state

Spot = tuple[str, int, int, int]
MOVED, TRAIL = "moved", "trail"
NOWHERE = "null"


@dataclass(frozen=True, slots=True)
class Step:
    """One press of Step: lines of chat, the position after it, and the ways pieces took, in map pixels.

    `clear` takes all moved marks and trails off before.
    """

    lines: tuple[str, ...]
    after: Save
    paths: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    clear: bool = False


class LogWriter:
    """Follows a position through its steps and writes the commands that lead from each to the next."""

    def __init__(self, writer: Writer, start: Save) -> None:
        self._writer = writer
        self._turn = start.turn
        self._placed: dict[str, Placement] = {}
        self._spots: dict[Spot, list[str]] = {}
        self._signs: dict[str, dict[str, str]] = {}
        self._ways: dict[str, list[Point]] = {}
        self._piles: dict[str, list[str]] = {name: [] for name in writer.decks}
        self._stacks = 0
        self.commands = writer.position_commands(start)
        for placement in start.placements:
            self._placed[placement.id] = placement
            if self._stacks_up(placement):
                self._spots.setdefault(self._spot(placement), []).append(placement.id)
            elif placement.deck:
                self._piles[placement.deck].append(placement.id)

    def add(self, step: Step) -> None:
        """Appends a step. One in which nothing happens and nothing is said leaves no trace."""
        commands: list[str] = []
        if step.clear:
            commands += self._clear()
        commands += self._removals(step.after)
        commands += self._arrivals(step.after)
        commands += self._sorted(step.after)
        commands += self._changes(step.after, step.paths)
        if step.after.turn and step.after.turn != self._turn:
            self._turn = step.after.turn
            commands.append(turn_command(0, self._writer.tracker_text(step.after.turn)))
        commands += [chat_command(f"* {line}") for line in step.lines]
        if commands:
            self.commands.append(log_step(commands))

    # --- where pieces are ------------------------------------------------------------------

    def _spot(self, placement: Placement) -> Spot:
        layer = self._writer.layer_of(placement.piece, placement.map)
        return placement.map, placement.x, placement.y, layer

    def _stacks_up(self, placement: Placement) -> bool:
        return self._writer.stacks(placement.piece) and not placement.deck

    def _leave(self, piece_id: str) -> None:
        placement = self._placed[piece_id]
        if self._stacks_up(placement):
            spot = self._spot(placement)
            self._spots[spot].remove(piece_id)
            if not self._spots[spot]:
                del self._spots[spot]
        elif placement.deck:
            self._piles[placement.deck].remove(piece_id)

    def _removals(self, after: Save) -> list[str]:
        there = {placement.id for placement in after.placements}
        commands: list[str] = []
        for piece_id in [p for p in self._placed if p not in there]:
            self._leave(piece_id)
            del self._placed[piece_id]
            self._signs.pop(piece_id, None)
            self._ways.pop(piece_id, None)
            commands.append(remove_command(piece_id))
        return commands

    def _arrivals(self, after: Save) -> list[str]:
        """New pieces and pieces that stand elsewhere, spot by spot, each put on the one it lies on there."""
        coming: list[Placement] = []
        below: dict[str, str] = {}
        tops: dict[Spot, str] = {}
        for placement in after.placements:
            spot = self._spot(placement)
            if self._stacks_up(placement):
                if spot in tops:
                    below[placement.id] = tops[spot]
                tops[spot] = placement.id
            old = self._placed.get(placement.id)
            if old is None or (old.map, old.x, old.y) != (placement.map, placement.x, placement.y):
                coming.append(placement)
        commands: list[str] = []
        table = self._table() if coming else {}
        for placement in coming:
            if placement.id in self._placed:
                self._leave(placement.id)
        for placement in coming:
            commands += self._arrive(placement, below.get(placement.id), table)
        return commands

    def _table(self) -> dict[str, list[str]]:
        """The stack that each piece lies in, bottom first, to be followed move by move."""
        stacks = [list(stack) for stack in self._spots.values()]
        return {piece_id: stack for stack in stacks for piece_id in stack}

    def _lift(self, piece_id: str, table: dict[str, list[str]]) -> str:
        """Takes a piece off the table as it stands just now; says what it lay on, for undo puts it back there."""
        stack = table.get(piece_id, [piece_id])
        place = stack.index(piece_id)
        del stack[place]
        return stack[place - 1] if place else NOWHERE

    def _arrive(self, placement: Placement, below: str | None, table: dict[str, list[str]]) -> list[str]:
        """Adds or moves one piece; alone at its spot it gets a stack."""
        old = self._placed.get(placement.id)
        commands: list[str] = []
        if old is None:
            commands.append(self._writer.piece_command(replace(placement, map=NOWHERE, x=0, y=0)))
        start = (old.map, (old.x, old.y)) if old else (NOWHERE, (0, 0))
        spot = self._spot(placement)
        company = self._spots.get(spot, [])
        under = below if below in company else None
        to, left = (placement.x, placement.y), self._lift(placement.id, table)
        commands.append(move_command(placement.id, placement.map, to, *start, under=under or NOWHERE, left=left))
        if self._stacks_up(placement):
            if not company:
                self._stacks += 1
                name = f"stack.log.{self._stacks}"
                commands.append(stack_command(name, placement.map, to, (placement.id,), spot[3]))
            stack = table[under or company[0]] if company else []
            stack.insert(stack.index(under) + 1 if under else 0, placement.id)
            table[placement.id] = stack
            place = company.index(under) + 1 if under else 0
            self._spots.setdefault(spot, []).insert(place, placement.id)
        elif placement.deck:
            self._piles[placement.deck].append(placement.id)
        self._placed[placement.id] = replace(placement, states=old.states if old else placement.states)
        return commands

    def _sorted(self, after: Save) -> list[str]:
        """Piles whose cards lie in another order than they came in: they came one after the other onto the top."""
        wanted: dict[str, list[str]] = {name: [] for name in self._piles}
        for placement in after.placements:
            if placement.deck:
                wanted[placement.deck].append(placement.id)
        commands: list[str] = []
        for name, ids in wanted.items():
            if ids != self._piles[name]:
                texts = (self._writer.pile_text(name, ids), self._writer.pile_text(name, self._piles[name]))
                commands.append(change_command(name, *texts))
                self._piles[name] = ids
        return commands

    # --- how they stand --------------------------------------------------------------------

    def _changes(self, after: Save, paths: Mapping[str, tuple[Point, ...]]) -> list[str]:
        """Flips and signs of pieces that stayed or moved; those that moved are marked and leave a trail."""
        commands: list[str] = []
        for placement in after.placements:
            signs = self._signs.get(placement.id, {})
            path = paths.get(placement.id)
            if path:
                signs = self._moved(placement, path)
            elif placement.states == self._placed[placement.id].states:
                continue
            commands += self._change(placement.id, placement.states, signs)
        return commands

    def _moved(self, placement: Placement, path: Sequence[Point]) -> dict[str, str]:
        """The signs of a piece after it went this way: its mark, and a trail over all since the last clearing."""
        way = self._ways.setdefault(placement.id, [])
        way += path[1:] if way and way[-1] == path[0] else path
        kinds = {type(trait) for trait in self._writer.traits(placement.piece)}
        signs: dict[str, str] = {}
        if MarkMoved in kinds:
            signs[MOVED] = "true"
        if Trail in kinds:
            signs[TRAIL] = trail_state(self._writer.module.map_id(placement.map), way)
        return signs

    def _change(self, piece_id: str, states: Mapping[str, str], signs: Mapping[str, str]) -> list[str]:
        """A change of state where there is one. The place is the same in both texts: only moves move."""
        old = self._placed[piece_id]
        new = replace(old, states=states)
        before = self._writer.state_text(replace(old, states={**old.states, **self._signs.get(piece_id, {})}))
        now = self._writer.state_text(replace(new, states={**states, **signs}))
        self._placed[piece_id] = new
        if signs:
            self._signs[piece_id] = dict(signs)
        else:
            self._signs.pop(piece_id, None)
        return [change_command(piece_id, now, before)] if now != before else []

    def _clear(self) -> list[str]:
        """Takes every moved mark and trail off."""
        commands: list[str] = []
        for piece_id in sorted(self._signs):
            commands += self._change(piece_id, self._placed[piece_id].states, {})
        self._ways.clear()
        return commands


def log_commands(writer: Writer, start: Save, steps: Iterable[Step]) -> list[str]:
    """All commands of a log. One of a message in which nothing happened has a step that says so."""
    log = LogWriter(writer, start)
    begun = len(log.commands)
    for step in steps:
        log.add(step)
    if len(log.commands) == begun:
        log.add(Step((f"{start.title}: nothing happens on the map",), start))
    return log.commands
