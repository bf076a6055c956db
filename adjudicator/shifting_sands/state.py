"""The state of a game of Shifting Sands. Changed by events only (see apply.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudicator.shifting_sands.nations import ENEMY, NEUTRALS
from adjudicator.shifting_sands.world import Counter, World

if TYPE_CHECKING:
    from adjudicator.shifting_sands.fight import Fight, Planned

SEASONS = ("Winter", "Spring", "Summer", "Fall")
FIRST_SEASON = 2
LAST_TURN = 12
ROUNDS = 6
RESORT = "resort"
DRAW = "draw"
"""The winner of a game that both sides have won (ruling A48)."""


def turn_name(number: int) -> str:
    """``Summer 1940`` for turn 1 up to ``Spring 1943`` for turn 12; Winter opens a year."""
    season = FIRST_SEASON + number - 1
    return f"{SEASONS[season % 4]} {1940 + season // 4}"


def turn_slug(number: int) -> str:
    """A turn as keys and labels have it: ``summer-1940``."""
    return turn_name(number).lower().replace(" ", "-")


def turn_number(name: str) -> int:
    """The turn of ``Spring 1941``. Raises ValueError for a text that is no turn."""
    for number in range(1, LAST_TURN + 1):
        if turn_name(number) == name:
            return number
    raise ValueError(f"{name} is no turn between Summer 1940 and Spring 1943")


@dataclass(slots=True)
class Piece:
    """A unit: where it is (space or box), its step, and what it did in the action round.

    ``start`` is the space where it began the round. ``moved``: its movement is used up or given up; ``joined``: armor
    that moved into a space under an Attack marker (SS 9.16); ``fought``: took part in an attack; ``retreated``:
    retreated in this round (SS 11.57). ``supply`` is its status frozen at activation, "" before (ruling A25).
    ``redeployed``: was redeployed in the round (SS 12.3).
    """

    at: str
    reduced: bool = False
    start: str = ""
    moved: bool = False
    joined: bool = False
    fought: bool = False
    retreated: bool = False
    supply: str = ""
    redeployed: bool = False


@dataclass
class Ops:
    """Operations points of the round: how many, from what (``card``, ``automatic``, ``event``, ``t_event``), spent."""

    available: int = 0
    source: str = ""
    spent: int = 0


@dataclass
class State:
    """The whole public state.

    ``control`` has every space with an owner; ``markers`` the Move and Attack markers of the round; ``events`` the
    events played with the turn, in the order of their last play; ``fresh`` those of them that belong to the present
    part of the action round; ``history`` what each side did by round of this turn; ``released`` the neutral nations
    that are active (SS 10.41); ``attacked`` the spaces attacked in this part of the round, once for each combat;
    ``ordered`` the attacks last ordered together; ``fight`` the combat under way. ``imposed`` is a supply status given
    from outside by space, side or ``*``; no game sets it.

    ``hidden`` tells that cards lie face down: hands, piles and discards then hold handles, and ids only of cards that
    everybody knows (PROTOCOL 6); without it they lie open, as where a program plays both sides. ``resorting`` is what
    the Axis hand waits for, to be dealt anew with the next Axis message: a card to be added by id, or :data:`RESORT`
    alone after the Allies have seen some of it. ``epochs`` are the newest of each side, and how many cards were drawn
    from the pile as it lies.

    ``used`` are the combat cards of each side that were used in this action round (SS 7.614), ``opened`` the ids of
    cards that lie under a handle and are known to both sides, by side.

    ``rd_left`` are the points of redeployment left in the round; None where nobody counts them, outside a game.
    ``german_company`` counts the battlegroups that came to the Near East by SS 12.83 in this turn, ``missions`` those
    of the LRDG (SS 11.72). ``winner`` is the side that has won, once the game is over; ``charter`` is the pool of the
    Atlantic Charter's point in this replacement phase (SS 7.414). ``awarded`` are the victory points so far
    that no space has brought: of victory determination phases (SS 5.41) and of events. ``landed`` are the spaces where
    units of a card with a T came in in this round, each of which must get a marker (SS 10.53). ``uprising`` are
    the Axis spaces that only Egyptians took (ruling A65).

    ``reinforced`` are the classes of reinforcement events that each side played in this turn (SS 7.53), ``scored`` the
    events whose points come once in a game and have come, ``mandates`` the events of this turn that demand an attack,
    each ``open``, ``done`` or ``void``; ``upgrades`` the counters that lie no more, each with the stronger one in its
    stead (SS 7.54); ``delayed`` the units that found no place, with their event (ruling A53); ``arrived`` the units
    that came into play in this turn, with the round (ruling A33); ``leaving`` is a card with an asterisk that leaves
    the game after this part of the round (SS 7.52).
    """

    world: World
    turn: int = 1
    round: int = 1
    active: str = "axis"
    phase: str = "setup"
    step: str = "setup"
    pieces: dict[str, Piece] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    markers: dict[str, str] = field(default_factory=dict)
    ops: Ops = field(default_factory=Ops)
    vp: int = 0
    rp: dict[str, str] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    history: dict[str, dict[int, str]] = field(default_factory=dict)
    last_history: dict[str, dict[int, str]] = field(default_factory=dict)
    released: set[str] = field(default_factory=set)
    hands: dict[str, list[str]] = field(default_factory=dict)
    piles: dict[str, list[str]] = field(default_factory=dict)
    discards: dict[str, list[str]] = field(default_factory=dict)
    face_up: dict[str, list[str]] = field(default_factory=dict)
    removed: dict[str, list[str]] = field(default_factory=dict)
    used: dict[str, list[str]] = field(default_factory=dict)
    opened: dict[str, dict[str, str]] = field(default_factory=dict)
    rommel: str = ""
    combats: int = 0
    attacked: list[str] = field(default_factory=list)
    ordered: tuple[Planned, ...] = ()
    fight: Fight | None = None
    imposed: dict[str, str] = field(default_factory=dict)
    rd_left: int | None = None
    german_company: int = 0
    missions: int = 0
    winner: str = ""
    charter: str = ""
    epochs: dict[str, tuple[int, int]] = field(default_factory=dict)
    awarded: int = 0
    landed: list[str] = field(default_factory=list)
    hidden: bool = False
    resorting: dict[str, str] = field(default_factory=dict)
    faces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    uprising: set[str] = field(default_factory=set)
    reinforced: dict[str, list[str]] = field(default_factory=dict)
    scored: list[str] = field(default_factory=list)
    mandates: dict[str, str] = field(default_factory=dict)
    upgrades: dict[str, str] = field(default_factory=dict)
    delayed: dict[str, str] = field(default_factory=dict)
    arrived: dict[str, int] = field(default_factory=dict)
    leaving: str = ""
    at: dict[str, list[str]] = field(default_factory=dict)

    def counter(self, uid: str) -> Counter:
        """The printed counter of a unit."""
        return self.world.counters[uid]

    def cf(self, uid: str) -> int:
        """Combat factor of the step that lies up (SS 2.22, 3.cf)."""
        full, reduced = self.world.counters[uid].cf
        return reduced if self.pieces[uid].reduced else full

    def step_of(self, uid: str) -> str:
        """``full`` or ``reduced``."""
        return "reduced" if self.pieces[uid].reduced else "full"

    def units_in(self, place: str) -> list[str]:
        """Ids of the units in a space, in order of id."""
        return self.at.get(place, [])

    def in_box(self, box: str, side: str) -> list[str]:
        """Ids of a side's units in one of its boxes."""
        return [uid for uid in self.at.get(box, ()) if self.world.counters[uid].side == side]

    def friends(self, place: str, side: str) -> list[str]:
        """Ids of a side's units in a space."""
        return [uid for uid in self.at.get(place, ()) if self.world.counters[uid].side == side]

    def enemies(self, place: str, side: str) -> list[str]:
        """Ids of the enemy's units in a space."""
        return self.friends(place, ENEMY[side])

    def active_unit(self, uid: str) -> bool:
        """False for Vichy French and Iraqi units that are not released (SS 10.41)."""
        nation = self.world.counters[uid].nation
        return nation not in NEUTRALS or nation in self.released

    def played(self, event: str) -> bool:
        """True where an event of that name was played so far."""
        return event in self.events

    def owner(self, place: str) -> str:
        """Who controls a space."""
        return self.control.get(place, "")

    def side_units(self, side: str) -> Iterator[str]:
        """Ids of a side's units anywhere, in order of id."""
        return (uid for uid in sorted(self.pieces) if self.world.counters[uid].side == side)

    def on_map(self, uid: str) -> bool:
        """True for a unit in a space or in the Sicily Box."""
        return not self.pieces[uid].at.startswith("@")

    def place(self, uid: str, where: str, reduced: bool = False) -> None:
        """Put a unit somewhere for the first time."""
        self.pieces[uid] = Piece(where, reduced, start=where)
        self._index(uid, where, 1)

    def shift(self, uid: str, where: str) -> None:
        """Move a unit to another space or box."""
        piece = self.pieces[uid]
        self._index(uid, piece.at, -1)
        piece.at = where
        self._index(uid, where, 1)

    def lift(self, uid: str, where: str) -> None:
        """Take a counter off the map and out of the boxes for good."""
        del self.pieces[uid]
        self._index(uid, where, -1)

    def _index(self, uid: str, where: str, change: int) -> None:
        if change > 0:
            ids = self.at.setdefault(where, [])
            ids.append(uid)
            ids.sort()
            return
        self.at[where].remove(uid)
        if not self.at[where]:
            del self.at[where]

    def copy(self) -> State:
        """An independent working copy; what never changes is shared."""
        new = State(self.world, self.turn, self.round, self.active, self.phase, self.step)
        new.pieces = {uid: _copy_piece(piece) for uid, piece in self.pieces.items()}
        new.control, new.markers = dict(self.control), dict(self.markers)
        new.ops = Ops(self.ops.available, self.ops.source, self.ops.spent)
        new.vp, new.rp, new.events = self.vp, dict(self.rp), dict(self.events)
        new.history = {side: dict(found) for side, found in self.history.items()}
        new.last_history = {side: dict(found) for side, found in self.last_history.items()}
        new.released = set(self.released)
        for name in ("hands", "piles", "discards", "face_up", "removed", "used"):
            setattr(new, name, {side: list(cards) for side, cards in getattr(self, name).items()})
        new.opened = {side: dict(names) for side, names in self.opened.items()}
        new.fresh, new.attacked, new.ordered = list(self.fresh), list(self.attacked), self.ordered
        new.rommel, new.combats = self.rommel, self.combats
        new.fight, new.imposed = self.fight, dict(self.imposed)
        new.rd_left, new.german_company, new.missions = self.rd_left, self.german_company, self.missions
        new.winner, new.charter, new.epochs = self.winner, self.charter, dict(self.epochs)
        new.awarded, new.landed = self.awarded, list(self.landed)
        new.hidden, new.resorting, new.faces = self.hidden, dict(self.resorting), self.faces
        new.uprising = set(self.uprising)
        new.reinforced = {side: list(kinds) for side, kinds in self.reinforced.items()}
        new.scored, new.mandates, new.leaving = list(self.scored), dict(self.mandates), self.leaving
        new.upgrades, new.delayed, new.arrived = dict(self.upgrades), dict(self.delayed), dict(self.arrived)
        new.at = {place: list(ids) for place, ids in self.at.items()}
        return new


def _copy_piece(p: Piece) -> Piece:
    return Piece(p.at, p.reduced, p.start, p.moved, p.joined, p.fought, p.retreated, p.supply, p.redeployed)


def other(side: str) -> str:
    """The other side."""
    return ENEMY[side]
