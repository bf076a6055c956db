"""Plans made on the map: the moves a player recorded in a log, as a draft of a turn file.

Players push counters about in VASSAL, record it, and have the program write the orders they meant. Moves of units
between places become orders, and so do markers that stand for an order (their mark `Order`); what else was done is
told in comments. The draft is to be checked and completed. A place is a hex or a space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from adjudicator.vassal.reader import ReadError, ReadPiece, ReadSave, read_piece, read_stack
from adjudicator.vassal.sequence import TAB, decode

Point = tuple[int, int]
Place = tuple[str, int, int]
PlaceAt = Callable[[str, int, int], str | None]
NOWHERE: Place = ("null", 0, 0)


@dataclass(frozen=True, slots=True)
class Hop:
    """One push of a counter. A place beside the map is None; `order` is the type that a marker stands for."""

    unit: str
    start: str | None
    end: str | None
    order: str = ""


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """Units that went the same way one after the other: where they began, where they were put one after the other."""

    units: tuple[str, ...]
    start: str
    stops: tuple[str, ...]


@dataclass(slots=True)
class Tabletop:
    """Where pieces and stacks are while a log is read."""

    places: dict[str, Place] = field(default_factory=dict)
    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, save: ReadSave) -> Tabletop:
        """The position a log begins with."""
        top = cls()
        for piece in save.pieces.values():
            basic = piece.basic
            top.places[piece.id] = (basic.map, basic.x, basic.y)
            top._name(piece)
        top.stacks = {stack.id: stack.pieces for stack in save.stacks.values()}
        return top

    def moved(self, command: str) -> Iterator[tuple[str, Place, Place]]:
        """Carries out a command and gives each piece that it puts elsewhere: id, from, to."""
        tokens = decode(command[2:], "/")
        if command.startswith("M/") and len(tokens) >= 4:
            yield from self._move(tokens[0], _place(tokens[1:4]))
        elif command.startswith("+/") and len(tokens) >= 3:
            yield from self._add(tokens[0], tokens[1], tokens[2])
        elif command.startswith("D/") and len(tokens) >= 2 and tokens[0] in self.stacks:
            stack = read_stack(tokens[0], tokens[1])
            self.stacks[tokens[0]] = stack.pieces
            yield from self._move(tokens[0], (stack.map, stack.x, stack.y))
        elif command.startswith("-/"):
            start = self.places.pop(command[2:], None)
            if start is not None and command[2:] in self.orders:
                yield command[2:], start, NOWHERE

    def _name(self, piece: ReadPiece) -> None:
        marks = piece.marks()
        self.names[piece.id] = marks.get("CounterId") or piece.id
        if marks.get("Order"):
            self.orders[piece.id] = marks["Order"]

    def _move(self, name: str, to: Place) -> Iterator[tuple[str, Place, Place]]:
        """A stack takes its pieces along."""
        for member in self.stacks.get(name, (name,)):
            start = self.places.get(member)
            self.places[member] = to
            if start is not None and start != to:
                yield member, start, to
        if name not in self.stacks:
            self.stacks = {key: tuple(m for m in ids if m != name) for key, ids in self.stacks.items()}

    def _add(self, name: str, type_text: str, state: str) -> Iterator[tuple[str, Place, Place]]:
        if type_text == "stack":
            stack = read_stack(name, state)
            self.stacks[name] = stack.pieces
            yield from self._move(name, (stack.map, stack.x, stack.y))
        elif not type_text.startswith("deck;"):
            piece = read_piece(name, type_text, state)
            self.places[name] = (piece.basic.map, piece.basic.x, piece.basic.y)
            self._name(piece)
            if name in self.orders:
                yield name, NOWHERE, self.places[name]


def _place(tokens: Iterable[str]) -> Place:
    map_name, x, y = tokens
    try:
        return map_name, int(x), int(y)
    except ValueError as error:
        raise ReadError(f"a move to {x!r}, {y!r} is to no point") from error


def hops(save: ReadSave, place_at: PlaceAt) -> list[Hop]:
    """Every push of a counter in a log, in order, those inside one place left out; one taken back is not there.

    Raises ReadError for commands that cannot be understood.
    """
    top = Tabletop.of(save)
    found: list[Hop] = []
    for step in save.steps:
        undone = any(command.startswith("UNDO" + TAB) for command in step)
        for command in step:
            for piece, start, end in top.moved(command.removeprefix("LOG" + TAB)):
                order = top.orders.get(piece, "")
                hop = Hop(top.names.get(piece, piece), place_at(*start), place_at(*end), order)
                removed = bool(order) and hop.end is None and not undone
                if removed:
                    found.append(hop)
                elif hop.start != hop.end:
                    _take(found, hop)
    return found


def _take(found: list[Hop], hop: Hop) -> None:
    """Adds a push, or takes back the unit's last one if this undoes it."""
    last = next((h for h in reversed(found) if h.unit == hop.unit), None)
    if last is not None and (last.start, last.end) == (hop.end, hop.start):
        del found[len(found) - 1 - found[::-1].index(last)]
    else:
        found.append(hop)


def planned_moves(found: Iterable[Hop]) -> list[PlannedMove]:
    """The ways of units: pushes of one unit that follow each other joined, then units that went the same way."""
    ways: list[tuple[str, str, list[str]]] = []
    for hop in found:
        if hop.start is None or hop.end is None or hop.order:
            continue
        if ways and ways[-1][0] == hop.unit and ways[-1][2][-1] == hop.start:
            ways[-1][2].append(hop.end)
        else:
            ways.append((hop.unit, hop.start, [hop.end]))
    moves: list[PlannedMove] = []
    for unit, start, stops in ways:
        if moves and (moves[-1].start, moves[-1].stops) == (start, tuple(stops)) and unit not in moves[-1].units:
            moves[-1] = PlannedMove((*moves[-1].units, unit), start, moves[-1].stops)
        else:
            moves.append(PlannedMove((unit,), start, tuple(stops)))
    return moves


@dataclass(frozen=True, slots=True)
class Names:
    """How the draft names units, which of them may be ordered about, which places touch, and the form of its orders.

    `section` opens them, `together`: one order may move several units, `with_start`: a path begins where the unit
    stands; `remark` is a comment on what comes first.
    """

    units: Mapping[str, str]
    own: Mapping[str, bool]
    touch: Callable[[str, str], bool]
    section: str = "movement"
    together: bool = True
    with_start: bool = False
    remark: str = ""


def draft_text(found: list[Hop], names: Names, source: str) -> str:
    """The turn file: a section of movement with an order for each way, and comments on what became no order."""
    lines = [f"# Made from {_comment(source)}: check it, complete it, sign it.", "orders:", "  - type: section"]
    lines.append(f"    name: {names.section}")
    lines += [f"  # {names.remark}"] if names.remark else []
    lines += _markers(found)
    left: list[str] = []
    for move in planned_moves(found):
        own = [unit for unit in move.units if names.own.get(unit)]
        left += [f"{unit}: {move.start} to {move.stops[-1]}" for unit in move.units if unit not in own]
        for units in [own] if names.together and own else [[unit] for unit in own]:
            lines += _order(units, move, names)
    off = "beside the map"
    pushes = [hop for hop in found if not hop.order and None in (hop.start, hop.end)]
    left += [f"{hop.unit}: {hop.start or off} to {hop.end or off}" for hop in pushes]
    if left:
        lines.append("# Moved in the log, but no order of yours:")
        lines += [f"#   {_comment(text)}" for text in left]
    return "\n".join(lines) + "\n"


def _markers(found: list[Hop]) -> list[str]:
    """An order for each marker that was put on a place, its last one if it was pushed on."""
    lines: list[str] = []
    ends = {hop.unit: hop for hop in found if hop.order and hop.end is not None}
    gone = {hop.unit for hop in found if hop.order and hop.end is None}
    for unit, hop in ends.items():
        lines += ["  # taken off the map again later"] if unit in gone else []
        lines += [f"  - type: {hop.order}", f"    space: {hop.end}"]
    return lines


def _order(units: list[str], move: PlannedMove, names: Names) -> list[str]:
    """One order: with its path where each stop touches the one before, else with its end."""
    way = (move.start, *move.stops)
    stepwise = len(move.stops) > 1 and all(names.touch(a, b) for a, b in pairwise(way))
    key = "unit" if len(units) == 1 else "units"
    lines = [f"  # from {move.start}", "  - type: move", f"    {key}: {', '.join(names.units[u] for u in units)}"]
    if stepwise:
        return [*lines, f"    path: {', '.join(way if names.with_start else move.stops)}"]
    if len(move.stops) > 1:
        lines[0] += f", set down in {', '.join(move.stops[:-1])}"
    return [*lines, f"    to: {move.stops[-1]}"]


def _comment(text: str) -> str:
    """Text of a stranger that may stand in a comment: one line, no control characters, not endless."""
    return "".join(c if c.isprintable() else " " for c in text)[:120]
