"""Air units and their flights: printed figures, categories, and what a mission makes of them (WD 16.A, 18, 24).

A :class:`Craft` is a counter; a :class:`Flight` is that counter in the air on a mission, with the glider on its tow.
Bombing strengths are exact fractions: thirds and halves are added before anything is dropped (ruling BOMB-UNDER-2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from adjudicator.western_desert.state import World
from adjudicator.western_desert.world import text

FIGHTER, BOMBER, TRANSPORT = "fighter", "bomber", "transport"
CATEGORIES = {
    "F": FIGHTER,
    "A": BOMBER,
    "B": BOMBER,
    "D": BOMBER,
    "HB": BOMBER,
    "T": TRANSPORT,
    "GT": TRANSPORT,
}
"""The category of each type code (WD chart.air-types); the prefix N changes none (WD 24.E)."""
NIGHT = "N"
FIGHTER_TYPES = frozenset(
    prefix + code for prefix in ("", NIGHT) for code, category in CATEGORIES.items() if category == FIGHTER
)
"""The codes of fighters, by day and night."""
GLIDER, DIVE_BOMBER, HEAVY_BOMBER = "GT", "D", "HB"

INTERCEPT, SCRAMBLE, ESCORT, TRANSFER = "intercept", "scramble", "escort", "transfer"
AIRLIFT, FERRY, DROP = "transport", "transport_and_stay", "air_drop"
PORT, CANAL = "bomb_port", "bomb_canal"
TACTICAL_PORT, AIR_UNITS, AIRBASE, RAIL = "bomb_port_tactical", "bomb_air", "bomb_airbase", "bomb_rail"
SUPPRESS, SUPPRESSION = "aa_suppress", "33.I"
"""The mission that bombs antiaircraft, and the optional rule that it belongs to."""
GROUND_SUPPORT, DEFENSIVE_SUPPORT, HARASS = "ground_support", "defensive_support", "harass"
STRATEGIC = (PORT, CANAL)
TACTICAL = (AIR_UNITS, AIRBASE, GROUND_SUPPORT, DEFENSIVE_SUPPORT, HARASS, RAIL, TACTICAL_PORT, SUPPRESS)
BOMBING = (*STRATEGIC, *TACTICAL)
CARRYING = (AIRLIFT, FERRY, DROP)
REACTIONS = (INTERCEPT, SCRAMBLE)
"""Missions of the interceptor movement step; all others are flown in the air movement step (WD 16.C, 18.steps)."""
MISSIONS = (*REACTIONS, ESCORT, TRANSFER, *CARRYING, *BOMBING)

UNHURT, TURNED_BACK, ABORTED, ELIMINATED = "", "turned_back", "aborted", "eliminated"
FATES = (UNHURT, TURNED_BACK, ABORTED, ELIMINATED)
FATE_OF = {"none": UNHURT, "R": TURNED_BACK, "A": ABORTED, "K": ELIMINATED}
"""What a result of air combat or antiaircraft fire does (WD 21.B.1)."""

LESS = 2
LEAST = 1
ONE_THIRD, ONE_HALF = Fraction(1, 3), Fraction(1, 2)
FAR = 2
"""How many times its range an air unit flies at extended range (WD 24.B)."""
LONG = 3
"""How many times its rating the leg of a long transfer, or an escape, may be (WD 20.D.long, 17.B.fly)."""


@dataclass(frozen=True, slots=True)
class Craft:
    """An air unit as printed (WD chart.air-counter). ``movement`` is in hexes; ``special`` marks the special forces."""

    id: str
    type: str
    side: str = ""
    nat: str = ""
    model: str = ""
    name: str = ""
    attack: int = 0
    defense: int = 0
    tactical: int = 0
    strategic: int = 0
    movement: int = 0
    special: bool = False

    @property
    def plain(self) -> str:
        """The type code without its night prefix: an NB is treated as a B (WD 24.E)."""
        return self.type.removeprefix(NIGHT)

    @property
    def category(self) -> str:
        """``fighter``, ``bomber`` or ``transport`` (WD 16.A, chart.air-types). Raises KeyError for another code."""
        return CATEGORIES[self.plain]

    @property
    def fighter(self) -> bool:
        """A fighter, by day or night (WD 16.A)."""
        return self.type in FIGHTER_TYPES

    @property
    def night(self) -> bool:
        """A night air unit: one with the prefix N (WD 24.E)."""
        return self.type.startswith(NIGHT)

    @property
    def glider(self) -> bool:
        """A glider transport, which can't fly by itself (WD 24.C)."""
        return self.type == GLIDER

    @property
    def transport(self) -> bool:
        """A transport that flies by itself and may tow a glider (WD 20.E, 24.C)."""
        return self.category == TRANSPORT and not self.glider

    @property
    def interception(self) -> int:
        """Hexes it may fly to intercept, and the radius of its patrol zone (WD 19, 20.A, ruling INTERCEPT-FRACTION)."""
        return self.movement // 2


@dataclass(frozen=True, slots=True)
class Flight:
    """An air unit in the air. ``night`` is the time flown, ``base`` and ``target`` are hexes, ``tow`` is a glider.

    ``jettisoned``: a fighter that dropped its bombs and joined the escorts (WD 24.A.jettison). ``fate`` is what befell
    it in this air phase, one of :data:`FATES`.
    """

    craft: Craft
    mission: str
    night: bool = False
    extended: bool = False
    jettisoned: bool = False
    tow: Craft | None = None
    base: int = 0
    target: int = 0
    fate: str = UNHURT

    @property
    def id(self) -> str:
        """The id of the air unit; that of the one that tows, for a pair."""
        return self.craft.id

    @property
    def crew(self) -> tuple[Craft, ...]:
        """The air unit, and the glider on its tow: results hit both equally (WD 24.C.defense)."""
        return (self.craft,) if self.tow is None else (self.craft, self.tow)

    @property
    def flies_as(self) -> str:
        """Its mission now: a fighter without its bombs is treated as an escort (WD 24.A.jettison)."""
        return ESCORT if self.jettisoned else self.mission

    @property
    def bombing(self) -> bool:
        """On a bombing mission with its bombs aboard (WD 20.F)."""
        return self.flies_as in BOMBING

    @property
    def hampered(self) -> bool:
        """A fighter with bombs or at extended range, whose air strengths are reduced (WD 24.A, 24.B.escort)."""
        return self.craft.fighter and not self.jettisoned and (self.bombing or self.extended)

    @property
    def attack(self) -> int:
        """Air attack strength on this mission (WD 24.A, 24.B.escort)."""
        return reduced(self.craft.attack) if self.hampered else self.craft.attack

    @property
    def defense(self) -> int:
        """Air defense strength on this mission; a glider's is subtracted, not below 0 (WD 24.C.defense, ruling
        GLIDER-FLOOR)."""
        own = reduced(self.craft.defense) if self.hampered else self.craft.defense
        return max(0, own - self.tow.defense) if self.tow else own

    @property
    def tactical(self) -> Fraction:
        """Tactical bombing strength on this mission: a fighter gets 1 more against air units (WD 20.F.2.a)."""
        more = 1 if self.craft.fighter and self.mission == AIR_UNITS else 0
        return (self.craft.tactical + more) * self.load

    @property
    def strategic(self) -> Fraction:
        """Strategic bombing strength on this mission (WD 20.F.1)."""
        return self.craft.strategic * self.load

    @property
    def load(self) -> Fraction:
        """The share of its bombing strengths: a third at extended range, half for a day unit at night, none of its
        bombs left (WD 24.B.bomb, 24.E.half, 24.A.jettison)."""
        if self.jettisoned:
            return Fraction(0)
        far = ONE_THIRD if self.extended else Fraction(1)
        return far * (ONE_HALF if self.night and not self.craft.night else 1)

    @property
    def strength(self) -> Fraction:
        """The bombing strength that its mission uses; 0 on a mission that bombs nothing (WD 20.F.1, 20.F.2)."""
        if not self.bombing:
            return Fraction(0)
        return self.strategic if self.mission in STRATEGIC else self.tactical

    @property
    def reach(self) -> int:
        """Most hexes to its target, and back to base (WD 18, 18.return, 24.B.return); see :func:`reach`."""
        return reach(self.craft, self.mission, self.extended)


def reduced(strength: int) -> int:
    """An air strength less 2, but not brought below 1 (WD 24.A, 24.B.escort)."""
    return min(strength, max(LEAST, strength - LESS))


def reach(craft: Craft, mission: str, extended: bool = False) -> int:
    """Most hexes that an air unit may fly on a mission (WD 18, 20, 24.B; rulings INTERCEPT-FRACTION, TRANSPORT-EXT).

    A transfer is given the range of its long form (WD 20.D.long); whether another mission may follow is judged by
    the distance flown. Raises KeyError for an unknown mission.
    """
    if mission == INTERCEPT:
        return craft.interception
    times = {TRANSFER: LONG, FERRY: 2}.get(mission, 1) if mission in MISSIONS else None
    if times is None:
        raise KeyError(mission)
    return craft.movement * times * (FAR if extended else 1)


def worst(fates: Iterable[str]) -> str:
    """The most severe of several fates (WD 20.E.fate); "" of none."""
    return max(fates, key=FATES.index, default=UNHURT)


def craft_of(world: World, aid: str) -> Craft:
    """An air unit of the pack by id, read once. Raises KeyError for an unknown one."""
    key = ("craft", aid)
    found = world.cache.get(key)
    if not isinstance(found, Craft):
        found = world.cache[key] = craft_from_pack(world.air[aid])
    return found


def craft_from_pack(row: Mapping[str, object]) -> Craft:
    """An air unit of the compiled pack (WD chart.air-counter). Raises ValueError without its figures."""
    return Craft(
        id=text(row, "id"),
        type=text(row, "type"),
        side=text(row, "side"),
        nat=text(row, "nat"),
        model=text(row, "model"),
        name=text(row, "name"),
        attack=int(text(row, "attack")),
        defense=int(text(row, "defense")),
        tactical=int(text(row, "tactical")),
        strategic=int(text(row, "strategic")),
        movement=int(text(row, "movement")),
        special=text(row, "special") == "yes",
    )
