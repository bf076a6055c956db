"""What the rules of the theatre keep of a game, part of its state (WD 27, 28). Changed by events only."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Operation:
    """A unit of the special forces that was announced: its pool, the game turn of its entry, its invasion hex; whether
    it has been used, which costs victory points and lasts until it is withdrawn (WD 27.A.announce, 27.B), and whether
    it came with the second wave of a landing (WD 27.C)."""

    unit: str
    pool: str
    turn: int
    hex: int
    used: bool = False
    second: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A unit on the written list of garrisons: its area, the hex where it left the map, the message of the order, its
    face (WD 33.C)."""

    unit: str
    area: str
    hex: int
    seq: int
    cadre: bool = False
    dot: bool = False


@dataclass(frozen=True, slots=True)
class Theatre:
    """``vichy`` is who controls the Vichy forces, "" while they are neutral; ``grant`` what Vichy France has granted
    the Axis, "" or ``air`` or ``full`` (WD 28.C). ``invaded`` is the game turn on which the Allied player invaded the
    Levant, ``raided`` that of his last raid, ``held`` the one since which he has controlled all of the Levant; 0 for
    never (WD 28.B, 29.B.3).

    ``sealed`` tells for each Axis initial phase the message that ended it, whose book holds the plans as they stood
    then (WD 27.A). ``operations`` are the special forces in play, ``spent`` all that were ever used, as ``pool/unit``.
    ``australians`` are the Australian units that have been in the replacement pool, where option 32.A asks for them.
    ``malta_pool`` are units that went into the pool of Malta (WD 33.B). ``vichy_cities`` are the hexes with cities that
    the Axis holds by Vichy forces alone, which captures nothing (ruling CAPTURE-REPEAT). ``listed`` are the garrisons
    that are kept off the map, ``lists`` the Allied initial phases, with their messages, whose books tell where they
    are, ``due`` the areas that must be shown before the Allied player turn is over (WD 33.C).
    """

    vichy: str = ""
    grant: str = ""
    invaded: int = 0
    raided: int = 0
    held: int = 0
    sealed: tuple[tuple[int, int], ...] = ()
    operations: tuple[Operation, ...] = ()
    spent: frozenset[str] = frozenset()
    australians: frozenset[str] = frozenset()
    malta_pool: frozenset[str] = frozenset()
    vichy_cities: frozenset[int] = frozenset()
    listed: tuple[Listed, ...] = ()
    lists: tuple[tuple[int, int], ...] = ()
    due: frozenset[str] = frozenset()

    def operation(self, uid: str) -> Operation | None:
        """The operation of a unit; None for one that is in none."""
        return next((one for one in self.operations if one.unit == uid), None)

    def without(self, uid: str) -> Theatre:
        """The same after the operation of a unit is over."""
        return replace(self, operations=tuple(one for one in self.operations if one.unit != uid))

    def unlisted(self, uid: str) -> Theatre:
        """The same after a unit is on the list no more; nothing is due of an area, nor told of it, without units."""
        listed = tuple(one for one in self.listed if one.unit != uid)
        due = self.due & {one.area for one in listed}
        return replace(self, listed=listed, due=due, lists=self.lists if listed else ())

    def city(self, h: int, by_vichy: bool) -> Theatre:
        """The same with a city that the Axis holds by Vichy forces alone, or that it doesn't."""
        return self if by_vichy == (h in self.vichy_cities) else replace(self, vichy_cities=self.vichy_cities ^ {h})

    def remembering(self, pool: Set[str]) -> Theatre:
        """The same with Australian units that are in the replacement pool (WD 32.A.aus)."""
        return self if pool <= self.australians else replace(self, australians=self.australians | pool)
