"""The state of a game: pieces, control, supply counters, the cursor. Changed by events only (see apply.py).

Movement is counted in half movement points (``spent2``), so that supply's halving stays exact (ruling HALF-MP).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudicator.western_desert.board import Board
from adjudicator.western_desert.theatre.record import Listed, Theatre
from adjudicator.western_desert.units import Unit, division_re2

ENEMY = {"axis": "allied", "allied": "axis"}
PHASES = ("setup", "initial", "movement", "air", "combat", "exploitation", "victory")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
FIRST_MONTH = 11
VICHY = "vichy"
AIR_POOL, WITHDRAWN = "air_pool", "withdrawn"
"""The box of air units that were eliminated (WD 29.B)."""
BREAKDOWN, ASSEMBLED = "breakdown", "assembled"
"""Boxes of the breakdown charts: a division that is broken down, the components of one that is whole (WD 15.B)."""
LOST_WORDS = {"permanent": "lost for good", "eliminated": "eliminated"}
"""What is said of a unit out of play, by the reason kept of it; a reason that isn't here says it itself."""
LAST_TURN = 52
ELIMINATED, PERMANENT = "eliminated", "permanent"
"""Why a ground unit is out of play: in the replacement pool, or lost for good."""
MALTA_POOL, MALTA = "33.B", "Malta"
"""The option by which who is lost on Malta has a pool of his own, and the region."""
LISTED = "garrison_list"
"""The box of garrisons that are kept off the map (WD 33.C)."""
CADRE = "cadre"
"""The face of a division that is reduced to its cadre, as positions and events name it."""
WRECK = "it-sangiorgio"
"""The San Giorgio, wrecked in Tobruk harbor: antiaircraft that bars nobody's way and can't be attacked (WD 22.A.4)."""


def turn_name(number: int) -> str:
    """``Dec I 40`` for turn 1 up to ``Jan II 43`` for turn 52 (WD chart.turn)."""
    month = FIRST_MONTH + (number - 1) // 2
    return f"{MONTHS[month % 12]} {'I' if number % 2 else 'II'} {40 + month // 12}"


def turn_number(name: str) -> int:
    """The turn of ``Mar I 41``. Raises ValueError for a text that is no game turn."""
    for number in range(1, LAST_TURN + 1):
        if turn_name(number) == name:
            return number
    raise ValueError(f"{name} is no game turn between Dec I 40 and Jan II 43")


@dataclass(slots=True)
class Piece:
    """A ground unit on the map.

    ``gs`` is general supply for the player turn (WD 12.B). ``spent2`` half MPs spent in the phase; ``entered`` hexes
    entered in it; ``means`` how it has moved: "", ``normal``, ``admin``, ``rail`` (its last hex was entered by rail),
    ``minimum``, ``carried``. ``rail`` counts rail hexes of the phase. ``carrier`` is the transport counter that a
    unit moves with in the phase (WD 6.C). ``admin`` that it has moved administratively in the player turn, which binds
    it to the road for all of it (WD 6.B.1). ``attacked``, ``defended``, ``retreated`` hold for the combat phase
    (WD 9.B.1). ``dot`` is the support of a component whose division was broken down without its headquarters (WD 15.B);
    ``re2`` the size in half REs of a division whose components make another size than the counter says (WD 3.E).
    ``acted`` is true for a unit that has moved or attacked in the player turn, where option 33.D asks.
    """

    hex: int
    cadre: bool = False
    dot: bool = False
    re2: int = 0
    gs: bool = True
    spent2: int = 0
    entered: int = 0
    means: str = ""
    rail: int = 0
    start: int = -1
    attacked: bool = False
    defended: bool = False
    retreated: bool = False
    dropped: bool = False
    disrupted: bool = False
    seaborne: bool = False
    carrier: str = ""
    admin: bool = False
    acted: bool = False


@dataclass(frozen=True, slots=True)
class Boxed:
    """A counter off the map: its box, such as ``breakdown`` or ``europe``; ``of`` is the unit whose place it has there
    (the division that it is a part of, the unit that it was withdrawn for). ``cadre`` is its face."""

    box: str
    of: str = ""
    cadre: bool = False


@dataclass(slots=True)
class Supply:
    """A supply counter: hex, owner, steps (1 or 2). ``drawn2`` half REs of attack supply already paid and unused."""

    hex: int
    side: str
    steps: int
    drawn2: int = 0


@dataclass(frozen=True, slots=True)
class Depot:
    """A supply counter off the map: its box, owner and steps."""

    box: str
    side: str
    steps: int


@dataclass(frozen=True, slots=True)
class Sortie:
    """An air unit over a hex (WD 16.B.2, 18): its mission there, one of ``air.craft.MISSIONS``, and how it flies it.

    ``over`` is its target hex, or the hex where it was turned back. ``number`` tells the order in which those who are
    in the air took off. ``tow`` is the glider behind it, ``cargo`` the ground units aboard, which lie at its base until
    they are set down. ``fate`` is what befell it (``turned_back``, ``aborted``), "" for nothing.

    What its order says of later steps: ``land`` are the bases where it would land, the one liked best first,
    ``targets`` the air units that it would bomb at a base, ``hits`` what a hit on Valletta counts against, "" for the
    status of Malta (WD 28.D.bomb). ``party`` is the same for those who make one bombing attack
    or carry together: the id of the first of them.
    """

    mission: str
    over: int
    number: int = 0
    night: bool = False
    extended: bool = False
    jettisoned: bool = False
    tow: str = ""
    cargo: tuple[str, ...] = ()
    fate: str = ""
    land: tuple[int, ...] = ()
    targets: tuple[str, ...] = ()
    hits: str = ""
    party: str = ""


@dataclass(slots=True)
class Air:
    """An air unit: at its base, or over a hex with the base that it took off from (WD 17, 18).

    Of the air phase alone: ``legs`` are the transfers flown, each with its hexes and whether the base it ended at bars
    a further one (WD 20.D.chain); ``patrolled`` that it has made its patrol attack (WD 19.once). Of the player turn:
    ``stayed`` that it did not get away when the enemy entered its base, which it tries once (WD 17.B).
    """

    hex: int
    operative: bool = True
    sortie: Sortie | None = None
    legs: tuple[tuple[int, bool], ...] = ()
    patrolled: bool = False
    stayed: bool = False


@dataclass(slots=True)
class Site:
    """A work under way in a hex (WD 14.A.fort, 33.D): whose, begun on which game turn, by which construction engineer.

    ``unit`` is "" for a work of divisional engineers, which belongs to no unit.
    """

    side: str
    turn: int
    unit: str = ""


@dataclass
class World:
    """What never changes in a game: board, counters, charts, places. ``charts`` are the pack's tables by name.

    ``events`` is the order of battle, turn by turn, ``areas`` are those where it brings units in. ``cache`` keeps what
    rules have worked out from the rest (compiled charts, graphs of movement); a world made of another begins its own.
    """

    board: Board
    units: dict[str, Unit]
    charts: Mapping[str, object] = field(default_factory=dict)
    air: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    scenario: Mapping[str, object] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[Mapping[str, object]] = ()
    areas: Sequence[Mapping[str, object]] = ()
    cache: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.cache = {}  # ``replace`` would hand on what was worked out from what it replaces

    def plays(self, option: str) -> bool:
        """True where an optional rule is played (WD 32, 33); by default none is."""
        return option in self.switches.get("options", "").split()


@dataclass
class State:
    """The whole public state. ``at`` lists unit ids by hex; ``zones`` counts units that exert a ZOC into a hex.

    ``taken`` holds, for each hex that changed hands in this player turn, who controlled it when the turn began.
    ``captured`` and ``split`` number supply counters that were captured or made by splitting, so that each gets an id
    of its own. ``smp2`` are the half SMPs spent in this player turn (WD 12.D.smp). ``boxes`` holds who is off the
    map in a box; ``levant`` is "" while Lebanon and Syria are neutral, ``open`` once they are conquered (WD 28.C).
    ``forts`` and ``airfields`` give the side that holds them, ``port_hits`` and ``base_hits`` the hits on ports and
    airbases, ``sites`` what is being built, by hex and kind (``fort``, ``fortress``, ``airfield``).
    ``divisional`` is the unit whose divisional engineers have worked in this player turn (WD 33.D).

    What the order of battle brings (WD 29): ``depots`` are supply counters off the map, ``arrived`` numbers those that
    came. Replacement points by nationality and kind (``british_armor``), in eighths: ``points`` at hand, ``afar`` still
    to be shipped, ``owed`` forfeited from the next that arrive. ``vp2`` are half victory points gained and lost so far.
    ``tally`` holds what they come from, by side and rule (WD 31). ``met`` are conditions met in the current period
    (``axis/egypt``), ``conquered`` the regions whose capture has been paid for, ``level`` how the game was decided.
    ``converted`` are the conversions made, by entry of the order of battle. ``used2`` are the half REs that have used a
    port in the player turn, ``still`` units that may do nothing in it (WD 29.C.1).

    The sea: ``malta`` is the status of Malta (WD 26.C), ``shipped2`` the half REs shipped on the map in the player turn
    (WD 26.B.2), ``voyages`` the voyages they made, ``turned`` what was turned back in it (WD 26.C).

    ``reduced`` are divisions out of play that lie there as cadres (ruling CADRE-POOL), their components in the box.
    ``theatre`` is what the rules of the Levant, raids and special operations keep (WD 27, 28).

    Air war: ``take_offs`` counts by base who took off in the air phase (WD 17.A). ``harassed`` are the tactical points
    that weigh on ground units leaving a hex in this player turn, ``harassing`` those delivered in it, which do so in
    the next (WD 20.F.2.e).
    """

    world: World
    turn: int = 1
    surprise: bool = False
    player: str = ""
    phase: str = "setup"
    step: str = "setup"
    pieces: dict[str, Piece] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    reduced: frozenset[str] = frozenset()
    supply: dict[str, Supply] = field(default_factory=dict)
    air: dict[str, Air] = field(default_factory=dict)
    boxes: dict[str, Boxed] = field(default_factory=dict)
    levant: str = ""
    theatre: Theatre = field(default_factory=Theatre)
    depots: dict[str, Depot] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    afar: dict[str, int] = field(default_factory=dict)
    owed: dict[str, int] = field(default_factory=dict)
    vp2: dict[str, int] = field(default_factory=dict)
    tally: dict[tuple[str, str], int] = field(default_factory=dict)
    met: frozenset[str] = frozenset()
    conquered: frozenset[str] = frozenset()
    level: str = ""
    converted: tuple[str, ...] = ()
    used2: dict[int, int] = field(default_factory=dict)
    still: frozenset[str] = frozenset()
    arrived: int = 0
    malta: int = 0
    shipped2: int = 0
    voyages: int = 0
    turned: frozenset[str] = frozenset()
    control: dict[int, str] = field(default_factory=dict)
    taken: dict[int, str] = field(default_factory=dict)
    forts: dict[int, str] = field(default_factory=dict)
    unimproved: set[int] = field(default_factory=set)
    airfields: dict[int, str] = field(default_factory=dict)
    port_hits: dict[int, int] = field(default_factory=dict)
    base_hits: dict[int, int] = field(default_factory=dict)
    sites: dict[tuple[int, str], Site] = field(default_factory=dict)
    divisional: str = ""
    broken: set[int] = field(default_factory=set)
    built: dict[str, int] = field(default_factory=dict)
    harassed: dict[int, int] = field(default_factory=dict)
    harassing: dict[int, int] = field(default_factory=dict)
    take_offs: dict[int, int] = field(default_factory=dict)
    overlay_zoc: dict[str, set[int]] = field(default_factory=dict)
    captured: int = 0
    split: int = 0
    smp2: int = 0
    at: dict[int, list[str]] = field(default_factory=dict)
    zones: dict[str, dict[int, int]] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The printed map."""
        return self.world.board

    def unit(self, uid: str) -> Unit:
        """The face of a unit that lies up, on the map or out of play: the counter, or its cadre."""
        piece, unit = self.pieces.get(uid), self.world.units[uid]
        if piece is not None:
            return self.face(uid, piece)
        return unit if uid not in self.reduced else unit.back or unit

    def face(self, uid: str, piece: Piece) -> Unit:
        """The face of a unit that lies as a piece does."""
        unit = self.world.units[uid]
        if not (piece.cadre or piece.dot or piece.re2):
            return unit
        face = (unit.back if piece.cadre else unit.dotted if piece.dot else unit) or unit
        return self._sized(face, piece) if piece.re2 else face

    def _sized(self, face: Unit, piece: Piece) -> Unit:
        """A division, or its cadre, with the size of the components that it is made of (WD 3.E)."""
        key = ("sized", face.id, piece.cadre, piece.re2)
        found = self.world.cache.get(key)
        if not isinstance(found, Unit):
            found = replace(face, division_re2=piece.re2) if piece.cadre else replace(face, re2=piece.re2)
            self.world.cache[key] = found
        return found

    def hex_of(self, uid: str) -> int:
        """Where a unit is. Raises KeyError for a unit that is not on the map."""
        return self.pieces[uid].hex

    def units_at(self, h: int) -> list[str]:
        """Ids of all ground units in a hex, in order of id."""
        return self.at.get(h, [])

    def friends_at(self, h: int, side: str) -> list[str]:
        """Ids of a side's units in a hex."""
        return [uid for uid in self.at.get(h, ()) if self.world.units[uid].side == side]

    def enemies_at(self, h: int, side: str) -> list[str]:
        """Ids of the units in a hex that are enemies of a side; a wreck is none."""
        enemy = ENEMY.get(side)
        return [uid for uid in self.at.get(h, ()) if self.world.units[uid].side == enemy and uid != WRECK]

    def enemy_in(self, h: int, side: str) -> bool:
        """True where an enemy ground unit stands in the hex."""
        enemy = ENEMY.get(side)
        return any(self.world.units[uid].side == enemy and uid != WRECK for uid in self.at.get(h, ()))

    def ezoc(self, h: int, side: str) -> bool:
        """True where a zone of control of the enemy of ``side`` reaches into the hex (WD 5)."""
        enemy = ENEMY.get(side, "")
        return self.zones.get(enemy, {}).get(h, 0) > 0 or h in self.overlay_zoc.get(enemy, ())

    def supply_at(self, h: int, side: str) -> list[str]:
        """Ids of a side's supply counters in a hex, in order of id."""
        return sorted(sid for sid, counter in self.supply.items() if counter.hex == h and counter.side == side)

    def owner(self, h: int) -> str:
        """Who controls a hex (WD 3.G)."""
        return self.control.get(h, "")

    def owner_at_start(self, h: int) -> str:
        """Who controlled a hex when the player turn began (WD 6.B, 7.A)."""
        return self.taken.get(h, self.control.get(h, ""))

    def side_units(self, side: str) -> Iterator[str]:
        """Ids of a side's units on the map, in order of id."""
        return (uid for uid in sorted(self.pieces) if self.world.units[uid].side == side)

    def fortress(self, h: int) -> str:
        """``improved``, ``unimproved`` or "" for the fortress of a hex (WD 14.A)."""
        info = self.board.info(h)
        if info is None or not info.fortress:
            return ""
        return "unimproved" if h in self.unimproved else "improved"

    def copy(self) -> State:
        """An independent working copy; what never changes is shared."""
        new = State(self.world, self.turn, self.surprise, self.player, self.phase, self.step)
        new.pieces = {uid: _copy_piece(piece) for uid, piece in self.pieces.items()}
        new.gone, new.reduced = dict(self.gone), self.reduced
        new.supply = {sid: Supply(c.hex, c.side, c.steps, c.drawn2) for sid, c in self.supply.items()}
        new.air = {n: Air(a.hex, a.operative, a.sortie, a.legs, a.patrolled, a.stayed) for n, a in self.air.items()}
        new.harassing, new.take_offs = dict(self.harassing), dict(self.take_offs)
        new.boxes, new.levant, new.theatre = dict(self.boxes), self.levant, self.theatre
        new.depots, new.used2, new.vp2 = dict(self.depots), dict(self.used2), dict(self.vp2)
        new.tally, new.met, new.conquered, new.level = dict(self.tally), self.met, self.conquered, self.level
        new.points, new.afar, new.owed = dict(self.points), dict(self.afar), dict(self.owed)
        new.converted, new.still, new.arrived = self.converted, self.still, self.arrived
        new.malta, new.shipped2, new.voyages, new.turned = self.malta, self.shipped2, self.voyages, self.turned
        new.control, new.taken = dict(self.control), dict(self.taken)
        new.forts, new.unimproved, new.broken = dict(self.forts), set(self.unimproved), set(self.broken)
        new.airfields, new.divisional = dict(self.airfields), self.divisional
        new.port_hits, new.base_hits = dict(self.port_hits), dict(self.base_hits)
        new.sites = {key: Site(site.side, site.turn, site.unit) for key, site in self.sites.items()}
        new.built, new.harassed = dict(self.built), dict(self.harassed)
        new.overlay_zoc = {side: set(found) for side, found in self.overlay_zoc.items()}
        new.captured, new.split, new.smp2 = self.captured, self.split, self.smp2
        new.at = {h: list(ids) for h, ids in self.at.items()}
        new.zones = {side: dict(counts) for side, counts in self.zones.items()}
        return new

    def parts_of(self, uid: str) -> list[str]:
        """The components in the box of a division, in order of id (WD 15.B)."""
        return sorted(part for part, kept in self.boxes.items() if kept.of == uid and kept.box == ASSEMBLED)

    def in_force(self, uid: str) -> bool:
        """True for a unit of the attack force of the surprise turn, or a division made of such alone (WD 28.B.3)."""
        listed = self.world.scenario.get("attack_force")
        force = listed if isinstance(listed, list) else []
        parts = self.parts_of(uid)
        return uid in force or (bool(parts) and all(part in force for part in parts))

    # --- what apply.py uses -------------------------------------------------------------------------------------

    def place(self, uid: str, h: int, cadre: bool = False, dot: bool = False) -> None:
        """Put a unit on the map."""
        self._unlist(uid)
        self.reduced -= {uid}
        self.boxes.pop(uid, None)
        self.gone.pop(uid, None)
        self.pieces[uid] = Piece(h, cadre, dot, start=h)
        self._index(uid, h, 1)

    def measure(self, uid: str) -> None:
        """Note the size of a division by the components in its box, where that is not the printed one (WD 3.E)."""
        self.pieces[uid].re2 = self.measured(uid)

    def measured(self, uid: str) -> int:
        """The size that its components make of a division, in half REs; 0 where it is the printed one (WD 3.E)."""
        size = division_re2([self.world.units[part] for part in self.parts_of(uid)])
        return 0 if size == self.world.units[uid].re2 else size

    def bring_back(self, uid: str, h: int, cadre: bool = False, dot: bool = False) -> None:
        """Put a unit of the list of garrisons on the map, a division with the size that its components make (WD
        33.C)."""
        self.place(uid, h, cadre, dot)
        if self.parts_of(uid):
            self.measure(uid)

    def shift(self, uid: str, h: int) -> None:
        """Move a unit that is on the map to another hex."""
        piece = self.pieces[uid]
        self._index(uid, piece.hex, -1)
        piece.hex = h
        self._index(uid, h, 1)

    def take_off(self, uid: str, why: str) -> None:
        """Take a unit from the map."""
        self.mark(uid, self.pieces[uid].hex, why == ELIMINATED)
        self._index(uid, self.pieces[uid].hex, -1)
        del self.pieces[uid]
        self.gone[uid] = why

    def off_map(self, uid: str) -> str:
        """What is said of a unit that isn't on the map: that it is lost, in which box it is, or that there is none."""
        unit, kept = self.world.units.get(uid), self.boxes.get(uid)
        if unit is None:
            return f"there is no unit {uid or '?'} on the map"
        if uid in self.gone:
            return f"{unit.short or uid} is {LOST_WORDS.get(self.gone[uid], self.gone[uid])}"
        box = f" ({kept.box.replace('_', ' ')})" if kept is not None else ""
        return f"{unit.short or uid} is not on the map{box}"

    def put_by(self, uid: str, box: str, of: str = "", cadre: bool = False) -> None:
        """Lay a counter in a box, from wherever it is."""
        if uid in self.pieces:
            self._index(uid, self.pieces[uid].hex, -1)
            del self.pieces[uid]
        self._unlist(uid)
        self.reduced -= {uid}
        self.gone.pop(uid, None)
        self.boxes[uid] = Boxed(box, of, cadre)

    def enlist(self, uid: str, area: str, seq: int) -> None:
        """Take a unit from the map onto the written list of garrisons (WD 33.C)."""
        piece = self.pieces[uid]
        one = Listed(uid, area, piece.hex, seq, piece.cadre, piece.dot)
        self.put_by(uid, LISTED, cadre=piece.cadre)
        listed = tuple(sorted((*self.theatre.listed, one), key=lambda kept: kept.unit))
        self.theatre = replace(self.theatre, listed=listed)

    def _unlist(self, uid: str) -> None:
        if uid in self.boxes and self.boxes[uid].box == LISTED:
            self.theatre = self.theatre.unlisted(uid)

    def swear(self, side: str) -> None:
        """The Vichy forces are controlled by a side from now on: their units, aircraft and ground count as its own (WD
        28.C.invade, ruling VICHY-ACTS)."""
        theirs = [uid for uid in self.pieces if self.world.units[uid].side == VICHY]
        for uid in theirs:
            self._zone(uid, self.pieces[uid].hex, -1)
        self.world = _sworn(self.world, side)
        for uid in theirs:
            self._zone(uid, self.pieces[uid].hex, 1)
        for held in (self.control, self.taken, self.forts, self.airfields):
            held.update({h: side for h, owner in held.items() if owner == VICHY})

    def lose_air(self, aid: str) -> None:
        """Take an air unit out of play, into the pool from which air replacement points bring it back (WD 29.B); one of
        a special operation for good (ruling SO-LOST)."""
        self.mark(aid, self.air[aid].hex, self.theatre.operation(aid) is None)
        del self.air[aid]
        self.boxes[aid] = Boxed(AIR_POOL if self.theatre.operation(aid) is None else WITHDRAWN)

    def mark(self, uid: str, h: int, pooled: bool) -> None:
        """Note whether a unit that goes out of play goes into the pool of Malta: an Allied one that was, or was based,
        in a hex of the island (WD 33.B)."""
        if not self.world.plays(MALTA_POOL):
            return
        allied = self.world.units[uid].side == "allied" if uid in self.world.units else False
        allied = allied or self.world.air.get(uid, {}).get("side") == "allied"
        kept = self.theatre.malta_pool - {uid}
        there = pooled and allied and self.board.in_region(h, MALTA)
        self.theatre = replace(self.theatre, malta_pool=kept | {uid} if there else kept)

    def flip(self, uid: str, cadre: bool = True) -> None:
        """Turn a division to its cadre side (WD 9.E), or back (WD 29.B.cadre)."""
        self._zone(uid, self.pieces[uid].hex, -1)
        self.pieces[uid].cadre = cadre
        self._zone(uid, self.pieces[uid].hex, 1)

    def set_dropped(self, uid: str, dropped: bool) -> None:
        """A unit that was dropped exerts no ZOC in that player turn (WD 25.B)."""
        self._zone(uid, self.pieces[uid].hex, -1)
        self.pieces[uid].dropped = dropped
        self._zone(uid, self.pieces[uid].hex, 1)

    def _index(self, uid: str, h: int, change: int) -> None:
        if change > 0:
            ids = self.at.setdefault(h, [])
            ids.append(uid)
            ids.sort()
            if h in self.theatre.vichy_cities:
                self.hold_city(h)
        else:
            self.at[h].remove(uid)
            if not self.at[h]:
                del self.at[h]
        self._zone(uid, h, change)

    def hold_city(self, h: int) -> None:
        """Note whether the Axis holds a city by Vichy forces alone, after somebody came or took it (WD 31.C)."""
        axis = self.theatre.vichy == "axis" and self.control.get(h) == "axis"
        there = [self.world.units[uid] for uid in self.at.get(h, ()) if self.world.units[uid].side == "axis"]
        self.theatre = self.theatre.city(h, axis and bool(there) and all(unit.nat == VICHY for unit in there))

    def _zone(self, uid: str, h: int, change: int) -> None:
        unit = self.unit(uid)
        if not unit.has_zoc or self.pieces[uid].dropped:
            return
        counts = self.zones.setdefault(unit.side, {})
        for n in self.board.open_neighbours(h):
            counts[n] = counts.get(n, 0) + change
            if counts[n] == 0:
                del counts[n]


def _sworn(world: World, side: str) -> World:
    """The world in which the Vichy forces are of a side; one for each side, kept with the world that it is made of."""
    key = ("sworn", side)
    found = world.cache.get(key)
    if not isinstance(found, World):
        units = {uid: _turned(unit, side) if unit.side == VICHY else unit for uid, unit in world.units.items()}
        air = {aid: {**row, "side": side} if row.get("side") == VICHY else row for aid, row in world.air.items()}
        found = world.cache[key] = replace(world, units=units, air=air, cache={})
    return found


def _turned(unit: Unit, side: str) -> Unit:
    """A unit with all its faces under another side."""
    back, dotted = (_turned(face, side) if face is not None else None for face in (unit.back, unit.dotted))
    return replace(unit, side=side, back=back, dotted=dotted)


def _copy_piece(p: Piece) -> Piece:
    """By place, which takes half the time of by name; the order is that of the fields."""
    return Piece(
        p.hex,
        p.cadre,
        p.dot,
        p.re2,
        p.gs,
        p.spent2,
        p.entered,
        p.means,
        p.rail,
        p.start,
        p.attacked,
        p.defended,
        p.retreated,
        p.dropped,
        p.disrupted,
        p.seaborne,
        p.carrier,
        p.admin,
        p.acted,
    )


def other(side: str) -> str:
    """The other side of the two players."""
    return ENEMY[side]


def sorted_ids(ids: Iterable[str]) -> list[str]:
    """Ids in the one order used everywhere."""
    return sorted(ids)
