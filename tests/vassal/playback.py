"""Plays a log back on a table of pieces and stacks, as the engine carries its commands out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adjudicator.vassal.reader import ReadSave, read_piece, read_stack
from adjudicator.vassal.sequence import TAB, decode, unnest, unnest_states


@dataclass
class Counter:
    """A piece on the table: its types and states, where it lies, its stack."""

    types: list[str]
    states: list[str]
    map: str
    x: int
    y: int
    stack: str = ""
    pile: str = ""

    @property
    def layer(self) -> str:
        for type_text, state in zip(self.types, self.states, strict=True):
            if type_text.startswith("mark;") and "PieceLayer" in decode(type_text[5:], ","):
                return decode(state, ",")[decode(type_text[5:], ",").index("PieceLayer")]
        return ""


@dataclass
class Stack:
    """A stack on the table, bottom first."""

    map: str
    x: int
    y: int
    pieces: list[str] = field(default_factory=list)


class Table:
    """The table after the position and any number of steps."""

    def __init__(self, save: ReadSave) -> None:
        self.counters: dict[str, Counter] = {}
        self.stacks: dict[str, Stack] = {}
        self.piles: dict[str, Stack] = {}
        self.turn = save.trackers.get("TurnTracker0", "")
        self.chat: list[str] = []
        for command in save.commands:
            if command.startswith("+/"):
                self._add(command)

    def step(self, commands: list[str]) -> None:
        """Carries out one press of Step."""
        for command in commands:
            assert command.startswith("LOG" + TAB)
            self._carry_out(command[4:])
        on_map = {name: counter for name, counter in self.counters.items() if counter.map != "null"}
        loose = [name for name, counter in on_map.items() if not counter.stack and not counter.pile]
        assert not loose, f"pieces without a stack: {loose}"
        for name, counter in self.counters.items():
            stack = self.piles[counter.pile] if counter.pile else self.stacks[counter.stack]
            assert (stack.map, stack.x, stack.y) == (counter.map, counter.x, counter.y), name

    def _carry_out(self, command: str) -> None:
        kind = command[:2]
        if kind == "+/":
            self._add(command)
        elif kind == "-/":
            self._lift(command[2:])
            del self.counters[command[2:]]
        elif kind == "M/":
            self._move(decode(command[2:], "/"))
        elif kind == "D/":
            self._change(decode(command[2:], "/"))
        elif command.startswith("TURNTurnTracker0" + TAB):
            self.turn = decode(command, TAB)[1]
        elif command.startswith("CHAT"):
            self.chat.append(command[4:])
        else:
            raise AssertionError(f"the engine would drop {command!r}")

    def _add(self, command: str) -> None:
        name, type_text, state = decode(command[2:], "/")
        assert name not in self.counters
        assert name not in self.stacks
        if type_text.startswith("deck;"):
            self._pile(name, state)
            return
        if type_text != "stack":
            basic = read_piece(name, type_text, state).basic
            types = unnest(type_text)
            states = unnest_states(state, len(types))
            self.counters[name] = Counter(types, states, basic.map, basic.x, basic.y)
            return
        stack = read_stack(name, state)
        self.stacks[name] = Stack(stack.map, stack.x, stack.y)
        for member in stack.pieces:
            self._lift(member)
            self._put(member, name, len(self.stacks[name].pieces))

    def _lift(self, name: str) -> None:
        counter = self.counters[name]
        if counter.stack:
            self.stacks[counter.stack].pieces.remove(name)
            counter.stack = ""
        if counter.pile:
            self.piles[counter.pile].pieces.remove(name)
            counter.pile = ""

    def _pile(self, name: str, state: str) -> None:
        """A pile with its cards, or a new order of them."""
        fields = decode(state, ";")
        cards = decode(fields[4], ",") if len(fields) > 4 else []
        for card in cards:
            self._lift(card)
        self.piles[name] = Stack(fields[0], int(fields[1]), int(fields[2]), cards)
        for card in cards:
            self.counters[card].pile = name

    def _below(self, name: str) -> str:
        """What a piece lies on in its stack, null for none."""
        stack = self.counters[name].stack
        place = self.stacks[stack].pieces.index(name) if stack else 0
        return self.stacks[stack].pieces[place - 1] if place else "null"

    def _put(self, name: str, stack: str, place: int) -> None:
        self.stacks[stack].pieces.insert(place, name)
        self.counters[name].stack = stack

    def _move(self, tokens: list[str]) -> None:
        name, map_name, x, y, under, old_map, old_x, old_y, old_under, _player = tokens
        counter = self.counters[name]
        assert (counter.map, counter.x, counter.y) == (old_map, int(old_x), int(old_y)), name
        assert self._below(name) == old_under, f"{name}: undo would put it elsewhere into its stack"
        self._lift(name)
        counter.map, counter.x, counter.y = map_name, int(x), int(y)
        if under != "null":
            other = self.counters[under]
            assert (other.map, other.x, other.y, other.layer) == (map_name, int(x), int(y), counter.layer)
            stack = other.stack
            self._put(name, stack, self.stacks[stack].pieces.index(under) + 1)
            return
        for pile_name, pile in self.piles.items():
            if (pile.map, pile.x, pile.y) == (counter.map, counter.x, counter.y):
                pile.pieces.append(name)
                counter.pile = pile_name
                return
        for stack_name, stack_there in self.stacks.items():
            here = (stack_there.map, stack_there.x, stack_there.y) == (counter.map, counter.x, counter.y)
            if here and stack_there.pieces and self.counters[stack_there.pieces[0]].layer == counter.layer:
                self._put(name, stack_name, 0)
                return

    def _change(self, tokens: list[str]) -> None:
        """Only the traits that differ between the two states are set; the place must not."""
        name, new, old = tokens
        if name in self.piles:
            cards = decode(old, ";")[4] if self.piles[name].pieces else ""
            assert cards == ",".join(self.piles[name].pieces)
            self._pile(name, new)
            return
        counter = self.counters[name]
        count = len(counter.types)
        fresh, stale = unnest_states(new, count), unnest_states(old, count)
        assert len(fresh) == len(stale) == count
        assert fresh[-1] == stale[-1], "a change must not move a piece"
        for i in range(count - 1):
            if fresh[i] != stale[i]:
                assert counter.states[i] == stale[i], f"{name}: undo would bring back another state"
                counter.states[i] = fresh[i]
                self._see_trail(counter.types[i], fresh[i])

    def _see_trail(self, type_text: str, state: str) -> None:
        """The engine wipes a trail when it draws it unless its map goes by its number."""
        if type_text.startswith("footprint;"):
            _shown, start, count, *_ = decode(state, ";")
            assert count == "0" or re.fullmatch(r"Map\d+", start), f"a trail on {start!r} is never seen"

    # --- comparing -------------------------------------------------------------------------

    def picture(self) -> dict[str, tuple[object, ...]]:
        """Each piece's place, what lies under it, and its states but for moved marks and trails."""
        shown: dict[str, tuple[object, ...]] = {}
        for name, counter in self.counters.items():
            pieces = self.stacks[counter.stack].pieces if counter.stack else []
            pieces = self.piles[counter.pile].pieces if counter.pile else pieces
            below = tuple(pieces[: pieces.index(name)]) if pieces else ()
            pairs = zip(counter.types[:-1], counter.states[:-1], strict=True)
            states = tuple(s for t, s in pairs if not t.startswith(("markmoved;", "footprint;")))
            shown[name] = (counter.map, counter.x, counter.y, below, states)
        return shown

    def signs(self, name: str) -> dict[str, str]:
        """A piece's moved mark and trail."""
        counter = self.counters[name]
        pairs = zip(counter.types, counter.states, strict=True)
        return {t.partition(";")[0]: s for t, s in pairs if t.startswith(("markmoved;", "footprint;"))}
