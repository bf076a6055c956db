"""A second, plain solver of losses and retreats, written from the rulebook and sharing no code with the program.

Everything is tried: every sequence of steps, every walk. It knows positions only as the small records below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

BRITISH = {"BR", "AUS", "IND", "NZ", "SA", "FF_BR", "GK", "POL"}
STAND_INS = {"IND": ["IND", "BR"], "FF_BR": [], "GK": [], "POL": []}


@dataclass(frozen=True)
class Man:
    """A unit: what losses and retreats need to know of it. ``place`` is a space or ``reserve``."""

    name: str
    nation: str
    division: bool
    armor: bool
    lf: int
    reduced: bool
    place: str


@dataclass
class Map:
    """A small map. ``dotted`` lines are for battlegroups; ``sources`` serve a side, wherever they are held by it."""

    lines: set[frozenset[str]]
    dotted: set[frozenset[str]]
    owner: dict[str, str]
    oases: set[str]
    ports: set[str]
    sources: dict[str, set[str]]
    units: dict[str, list[tuple[str, str]]]
    oases_open: bool
    near: dict[str, list[str]] = field(default_factory=dict)

    def neighbours(self, a: str) -> list[str]:
        """Spaces joined to one."""
        if not self.near:
            for line in self.lines:
                for end in line:
                    (other,) = line - {end}
                    self.near.setdefault(end, []).append(other)
        return self.near.get(a, [])


# --- losses (SS 11.42 to 11.45) -------------------------------------------------------------------------------------


def losses(fighting: list[Man], reserve: list[Man], number: int) -> set[tuple[tuple[str, ...], ...]]:
    """The fates in every best way to take a loss number; a fate tells what became of units, alike ones unnamed."""
    best: dict[int, set[tuple[tuple[str, ...], ...]]] = {}
    for taken, fate in _all_ways(tuple(fighting), tuple(reserve), number, ()):
        best.setdefault(taken, set()).add(fate)
    return best[max(best)]


Fates = tuple[tuple[str, ...], ...]


def _all_ways(
    fighting: tuple[Man, ...], reserve: tuple[Man, ...], left: int, lost: Fates
) -> Iterator[tuple[int, Fates]]:
    yield 0, tuple(sorted((*lost, *(_look(man) for man in fighting))))
    for man in fighting:
        if man.lf > left:
            continue
        others = tuple(other for other in fighting if other is not man)
        for new, rest, gone in _step(man, reserve):
            for taken, fate in _all_ways((*others, *new), rest, left - man.lf, (*lost, *gone)):
                yield taken + man.lf, fate


def _look(man: Man) -> tuple[str, ...]:
    """Reserve battlegroups that are alike count as one; all others by name."""
    name = "reserve" if man.place == "reserve" else man.name
    return name, _sort(man), "reduced" if man.reduced else "full"


def _sort(man: Man) -> str:
    return f"{man.nation} {'armor' if man.armor else 'infantry'} {man.lf}"


def _step(man: Man, reserve: tuple[Man, ...]) -> Iterator[tuple[tuple[Man, ...], tuple[Man, ...], Fates]]:
    if not man.reduced:
        flipped = Man(man.name, man.nation, man.division, man.armor, man.lf, True, man.place)
        yield (flipped,), reserve, ()
    elif not man.division:
        yield (), reserve, ((_look(man)[0], _sort(man), "box"),)
    else:
        fits = _stand_ins(man, reserve)
        if not fits:
            yield (), reserve, ((_look(man)[0], _sort(man), "gone"),)
        for bg in fits:
            rest = tuple(other for other in reserve if other is not bg)
            yield (bg,), rest, ((_look(man)[0], _sort(man), "box"),)


def _stand_ins(man: Man, reserve: tuple[Man, ...]) -> list[Man]:
    nations = STAND_INS.get(man.nation, [man.nation])
    able = [bg for bg in reserve if bg.nation in nations and bg.armor == man.armor and not bg.division]
    return [bg for bg in able if not bg.reduced] or able


# --- retreats (SS 11.55) --------------------------------------------------------------------------------------------


def retreats(board: Map, man: Man, side: str, spaces: int) -> set[tuple[str, ...]]:
    """Every path among which the owner may choose."""
    walks = [walk for walk in _walks(board, man, side, (man.place,), spaces) if _has_room(board, side, walk[-1])]
    supplied = [walk for walk in walks if _supplied(board, man, side, walk[-1])]
    kept = supplied or walks
    least = min((_foreign(board, side, walk) for walk in kept), default=0)
    return {walk for walk in kept if _foreign(board, side, walk) == least}


def _walks(board: Map, man: Man, side: str, walk: tuple[str, ...], left: int) -> Iterator[tuple[str, ...]]:
    if not left:
        yield walk
        return
    for there in board.neighbours(walk[-1]):
        enemy = any(owner != side for owner, _ in board.units.get(there, []))
        if there not in walk and not enemy and _passable(board, man, walk[-1], there):
            yield from _walks(board, man, side, (*walk, there), left - 1)


def _passable(board: Map, man: Man, a: str, b: str) -> bool:
    if frozenset((a, b)) in board.dotted and man.division:
        return False
    return b not in board.oases or (board.oases_open and not man.division)


def _has_room(board: Map, side: str, space: str) -> bool:
    return sum(1 for owner, _ in board.units.get(space, []) if owner == side) < 3


def _foreign(board: Map, side: str, walk: tuple[str, ...]) -> int:
    return sum(1 for space in walk[1:] if board.owner[space] != side)


def _supplied(board: Map, man: Man, side: str, end: str) -> bool:
    """Whether a line leads to a source, over land or over one stretch of sea, ``end`` counted as its own."""
    mine = {space for space, owner in board.owner.items() if owner == side} | {end}
    land = _tied(board, man, mine, end)
    if land & board.sources[side] & mine:
        return True
    ports = board.ports & mine
    if not land & ports:
        return False
    return any(_tied(board, man, mine, port) & board.sources[side] & mine for port in ports)


def _tied(board: Map, man: Man, mine: set[str], start: str) -> set[str]:
    found, edge = {start}, [start]
    while edge:
        here = edge.pop()
        for there in board.neighbours(here):
            if there in mine and there not in found and _passable(board, man, here, there):
                found.add(there)
                edge.append(there)
    return found
