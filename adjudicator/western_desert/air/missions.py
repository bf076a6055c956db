"""May an air unit fly this mission: who, when, how far, over what, and what it flew before (WD 16.B, 17.A, 18, 20, 24).

:func:`mission_problems` judges one order for one air unit. What it must know of the target stands in :class:`Target`,
what of the air unit and its day in :class:`Flier`; both are facts, found by the caller. Limits that bind several
flights together are told by the functions at the end. Cargo and the ground under a drop are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    AIRLIFT,
    BOMBING,
    CANAL,
    CARRYING,
    DEFENSIVE_SUPPORT,
    DROP,
    ESCORT,
    FERRY,
    GROUND_SUPPORT,
    HARASS,
    INTERCEPT,
    PORT,
    RAIL,
    REACTIONS,
    SCRAMBLE,
    STRATEGIC,
    SUPPRESS,
    TACTICAL_PORT,
    TRANSFER,
    Craft,
    Flight,
    reach,
)

RULES = {
    INTERCEPT: "WD 20.A",
    SCRAMBLE: "WD 20.B",
    ESCORT: "WD 20.C",
    TRANSFER: "WD 20.D",
    AIRLIFT: "WD 20.E.1",
    FERRY: "WD 20.E.1",
    DROP: "WD 20.E.2",
    PORT: "WD 20.F.1.a",
    CANAL: "WD 20.F.1.b",
    AIR_UNITS: "WD 20.F.2.a",
    AIRBASE: "WD 20.F.2.b",
    GROUND_SUPPORT: "WD 20.F.2.c",
    DEFENSIVE_SUPPORT: "WD 20.F.2.d",
    HARASS: "WD 20.F.2.e",
    RAIL: "WD 20.F.2.f",
    TACTICAL_PORT: "WD 20.F.2.g",
    SUPPRESS: "WD 33.I",
}
"""The rule of each mission."""
WORDS = {
    INTERCEPT: "interception",
    SCRAMBLE: "a scramble",
    ESCORT: "an escort",
    TRANSFER: "a transfer",
    AIRLIFT: "a transport mission",
    FERRY: "a transport mission to stay",
    DROP: "an air drop",
    PORT: "strategic port bombing",
    CANAL: "bombing of the Suez Canal",
    AIR_UNITS: "bombing of air units",
    AIRBASE: "airbase bombing",
    GROUND_SUPPORT: "ground support",
    DEFENSIVE_SUPPORT: "defensive support",
    HARASS: "harassment",
    RAIL: "rail bombing",
    TACTICAL_PORT: "tactical port bombing",
    SUPPRESS: "suppression of antiaircraft",
}
FAR_RULES = {
    **dict.fromkeys(BOMBING, "WD 24.B.bomb"),
    **dict.fromkeys(CARRYING, "WD 24.B.transport"),
    ESCORT: "WD 24.B.escort",
}
"""The missions that may be flown at extended range, with the rule that says so."""
BY_NIGHT = (*STRATEGIC, *CARRYING, TRANSFER)
"""What any air unit may fly at night (WD 24.E.missions); night fighters may intercept, too."""
ON_TOW = (TRANSFER, *CARRYING)
"""What a pair may fly: of the others none is open to a glider (WD 24.C)."""
NIGHT_RULE = "WD 24.E.missions"
SURPRISE_RULE = "WD 28.B.3.air"
AIR_STEP, REACTION_STEP = "air_movement", "interceptor_movement"
STEP_WORDS = {AIR_STEP: "the phasing player's air movement step", REACTION_STEP: "the interceptor movement step"}


class Moment(NamedTuple):
    """The step of the air phase, whether the flier's owner is phasing, and whether it is the surprise turn."""

    step: str
    phasing: bool
    surprise: bool = False


class Leg(NamedTuple):
    """A transfer flown in this air phase: its hexes, and whether the base it ended at bars a further one (WD 20.D)."""

    distance: int
    barred: bool = False


class Flier(NamedTuple):
    """An air unit at a base of its own and what it may still do in this air phase.

    ``legs`` are the transfers that it has flown, ``flown`` the other mission. ``capacity`` are the take-offs left at
    its base, None where that is counted elsewhere. ``still`` is the rule that keeps it on the ground in this player
    turn. ``raided``: its base is the target hex of enemy air units. ``tow`` is the glider that it is to tow.
    """

    craft: Craft
    operative: bool = True
    legs: tuple[Leg, ...] = ()
    flown: str = ""
    capacity: int | None = None
    still: str = ""
    raided: bool = False
    tow: Craft | None = None

    @property
    def name(self) -> str:
        """As the player knows it."""
        return self.craft.name or self.craft.id


class Wish(NamedTuple):
    """What an order asks: the mission, the hexes of the way to the target, by night, at extended range."""

    mission: str
    distance: int
    night: bool = False
    extended: bool = False


class Target(NamedTuple):
    """The target hex as the flier's side sees it.

    ``own`` it controls the hex; ``own_base``, ``enemy_base`` an airbase of that side is there; ``port``, ``canal`` (a
    port of the Suez Canal), ``rail`` are there; ``enemy_air`` enemy air units stand at the base; ``enemy_units``
    enemy ground units are there. ``friends`` other air units of its own fly a mission to the hex, ``enemies`` those of
    the enemy, at the same time of day; ``otherwise`` enemies do at the other. ``closed`` the way enters land that is
    closed to the side (WD 28.C). ``guns`` the enemy has antiaircraft there (WD 22.A).
    """

    name: str = "the target hex"
    own: bool = False
    own_base: bool = False
    enemy_base: bool = False
    port: bool = False
    canal: bool = False
    rail: bool = False
    enemy_air: bool = False
    enemy_units: bool = False
    friends: bool = False
    enemies: bool = False
    otherwise: bool = False
    closed: bool = False
    guns: bool = False


def mission_problems(flier: Flier, wish: Wish, target: Target, moment: Moment) -> list[Problem]:
    """Everything that keeps an air unit from flying a mission; empty where it may (WD 16 to 20, 24).

    Raises KeyError for a mission that is none.
    """
    rule = RULES[wish.mission]
    found = [*_state(flier), *_step(wish, moment), *_who(flier, wish, rule)]
    found += [*_night(flier, wish), *_extended(flier, wish), *history_problems(flier, wish)]
    if found:
        return found
    return [*_range(flier, wish, rule), *_closed(flier, target), *_target(flier, wish, target, rule)]


# --- the air unit -----------------------------------------------------------------------------------------------


def _state(flier: Flier) -> list[Problem]:
    """WD 16.B.1, 17.A, 24.C: operative, free to fly, not a glider alone, with a take-off left at its base."""
    found = []
    if not flier.operative:
        text = f"{flier.name} is inoperative: it flies no mission and stays at its base until it is repaired"
        found.append(Problem("inoperative", "WD 16.B.1", text, "send another air unit, and repair this one (WD 23)"))
    if flier.still:
        text = f"{flier.name} came in this player turn and flies no mission before the next"
        found.append(Problem("arrived", flier.still, text, "send another air unit"))
    if flier.capacity is not None and flier.capacity < 1:
        text = f"no take-off is left at the base of {flier.name} in this air phase"
        found.append(Problem("capacity", "WD 17.A", text, "send an air unit from another base, or fewer from this"))
    return found + _tow(flier)


def _tow(flier: Flier) -> list[Problem]:
    """WD 24.C: a glider is towed, by one air unit of type T."""
    if flier.craft.glider:
        text = f"{flier.name} is a glider transport, which can't fly by itself"
        return [Problem("glider", "WD 24.C", text, "name it as the tow of a transport of type T")]
    if flier.tow is None:
        return []
    name = flier.tow.name or flier.tow.id
    if not flier.tow.glider:
        return [Problem("tow", "WD 24.C", f"{name} is no glider transport", "tow an air unit of type GT")]
    if not flier.craft.transport:
        text = f"{flier.name} is of type {flier.craft.type}; only transports of type T tow gliders"
        return [Problem("tow", "WD 24.C", text, f"let a transport tow {name}")]
    return []


def _step(wish: Wish, moment: Moment) -> list[Problem]:
    """WD 18.steps, 16.C.1, 16.C.2: interception and scrambling by the side that is not phasing, in a step of its own;
    WD 28.B.3.air: nothing but Allied ground support in the surprise turn."""
    step = REACTION_STEP if wish.mission in REACTIONS else AIR_STEP
    what = WORDS[wish.mission]
    if moment.step != step or moment.phasing != (step == AIR_STEP):
        text = f"{what} is flown in {STEP_WORDS[step]}"
        return [Problem("step", "WD 18.steps", text, "order it in that step, or leave it out")]
    if moment.surprise and wish.mission != GROUND_SUPPORT:
        text = f"in the surprise turn only Allied ground support is flown, not {what}"
        return [Problem("surprise", SURPRISE_RULE, text, "wait for the turn that follows")]
    return []


def _who(flier: Flier, wish: Wish, rule: str) -> list[Problem]:
    """The types of a mission: fighters, transports, those with a bombing strength (WD 20, 16.A)."""
    craft, what = flier.craft, WORDS[wish.mission]
    if wish.mission in (*REACTIONS, ESCORT) and not craft.fighter:
        text = f"{flier.name} is of type {craft.type}; {what} is flown by fighters"
        return [Problem("type", rule, text, "send a fighter")]
    if wish.mission in CARRYING and not craft.transport and not craft.glider:
        text = f"{flier.name} is of type {craft.type}; {what} is flown by transports"
        return [Problem("type", rule, text, "send a transport")]
    if flier.tow and wish.mission not in ON_TOW:
        return [Problem("tow", "WD 24.C", f"a glider on tow flies no {what}", "leave the glider at its base")]
    return _bombs(flier, wish, rule) if wish.mission in BOMBING else []


def _bombs(flier: Flier, wish: Wish, rule: str) -> list[Problem]:
    """WD 20.F, 20.F.1, 20.F.2: the mission needs a strength of its kind; WD 20.F.1.b: the canal is for the Axis."""
    found = []
    kind = "strategic" if wish.mission in STRATEGIC else "tactical"
    if not Flight(flier.craft, wish.mission).strength:
        text = f"{flier.name} has a {kind} bombing strength of 0; {WORDS[wish.mission]} takes more"
        found.append(Problem("strength", rule, text, f"send an air unit with a {kind} bombing strength"))
    if wish.mission == CANAL and flier.craft.side != "axis":
        text = "only Axis air units bomb the Suez Canal"
        found.append(Problem("side", rule, text, "leave the order out"))
    return found


def _night(flier: Flier, wish: Wish) -> list[Problem]:
    """WD 24.E.missions: strategic bombing, transport and transfer for all, interception for night fighters."""
    if not wish.night or wish.mission in BY_NIGHT or (wish.mission == INTERCEPT and flier.craft.night):
        return []
    if wish.mission == INTERCEPT:
        text = f"{flier.name} is no night fighter; only those intercept at night"
        return [Problem("night", NIGHT_RULE, text, "send a fighter of type NF")]
    text = f"{WORDS[wish.mission]} is not flown at night"
    return [Problem("night", NIGHT_RULE, text, "fly it by day, or strategic bombing, transport or transfer at night")]


def _extended(flier: Flier, wish: Wish) -> list[Problem]:
    """WD 24.B: bombing, but not by fighters, transport, escort."""
    if not wish.extended:
        return []
    rule = FAR_RULES.get(wish.mission)
    if rule is None:
        text = f"{WORDS[wish.mission]} is not flown at extended range"
        return [Problem("extended", "WD 24.B", text, "leave extended out")]
    if wish.mission in BOMBING and flier.craft.fighter:
        text = f"{flier.name} is a fighter, which bombs within its rating only"
        return [Problem("extended", rule, text, "leave extended out, or send a bomber")]
    return []


def history_problems(flier: Flier, wish: Wish) -> list[Problem]:
    """WD 20.D, 20.D.long, 20.D.chain: what may follow a transfer; else one mission a unit (ruling NIGHT-ORDER)."""
    if flier.flown:
        text = f"{flier.name} has flown {WORDS.get(flier.flown, flier.flown)} in this air phase; an air unit flies one"
        return [Problem("flown", "WD 20", text, "send another air unit")]
    if not flier.legs:
        return []
    if wish.mission == TRANSFER:
        if flier.legs[-1].barred:
            text = f"{flier.name} came to a base within interception range of an enemy fighter; it flies no farther"
            return [Problem("barred", "WD 20.D.chain", text, "end its transfers there, or lead them over another base")]
        return []
    rating = flier.craft.movement
    if len(flier.legs) > 1 or flier.legs[0].distance > rating:
        text = f"{flier.name} transferred farther than once within its rating of {rating}; it flies no other mission"
        return [Problem("long_transfer", "WD 20.D.long", text, "leave the mission out, or transfer less far")]
    return []


# --- the target -------------------------------------------------------------------------------------------------


def _range(flier: Flier, wish: Wish, rule: str) -> list[Problem]:
    """WD 18: one MP for each hex entered, up to the rating as the mission changes it; twice that at extended range (WD
    24.B.bomb, 24.B.transport, 24.B.escort)."""
    most = reach(flier.craft, wish.mission, wish.extended)
    if wish.distance <= most:
        return []
    rule = FAR_RULES[wish.mission] if wish.extended else "WD 20.D.long" if wish.mission == TRANSFER else rule
    far = " at extended range" if wish.extended else ""
    text = f"{flier.name} reaches {most} hexes with {WORDS[wish.mission]}{far}; the way is {wish.distance}"
    hint = "choose a nearer target, or fly from another base"
    if _longer_would_do(flier, wish):
        hint = f"fly it at extended range ({FAR_RULES[wish.mission]})"
    return [Problem("range", rule, text, hint)]


def _longer_would_do(flier: Flier, wish: Wish) -> bool:
    """Whether the mission may be flown at extended range, and that reaches (WD 24.B)."""
    longer = wish._replace(extended=True)
    return not _extended(flier, longer) and wish.distance <= reach(flier.craft, wish.mission, extended=True)


def _closed(flier: Flier, target: Target) -> list[Problem]:
    """WD 28.C, ruling LEVANT-AIR: no air unit enters a hex of the neutral Levant, not even to fly over it; nor of other
    neutral ground (WD 3.B)."""
    if not target.closed:
        return []
    text = f"the way of {flier.name} to {target.name} enters neutral ground, which is closed to it"
    return [Problem("neutral", "WD 28.C", text, "fly around it, or choose another target")]


def _target(flier: Flier, wish: Wish, target: Target, rule: str) -> list[Problem]:
    """What the hex must be, or hold, for the mission (WD 20, 20.C)."""
    if wish.mission in BOMBING:
        return _bombed(wish, target, rule)
    if wish.mission == INTERCEPT:
        return _intercepted(wish, target)
    if wish.mission == SCRAMBLE:
        return _scrambled(flier, target)
    if wish.mission == ESCORT and not target.friends:
        text = f"no other air unit of yours flies a mission to {target.name}"
        return [Problem("no_friends", rule, text, "escort air units to their target hex")]
    if wish.mission in (TRANSFER, AIRLIFT, FERRY) and not target.own_base:
        return [Problem("no_base", rule, f"{target.name} is no airbase of yours", "name an airbase that you control")]
    return []


def _intercepted(wish: Wish, target: Target) -> list[Problem]:
    """WD 20.A, 24.E; ruling INTERCEPT-WHAT: missions of this air phase only."""
    if target.enemies:
        return []
    if target.otherwise:
        when, other = ("at night", "by day") if wish.night else ("by day", "at night")
        text = f"the enemy flies to {target.name} {other}; air units that fly {when} don't meet his"
        return [Problem("night", "WD 24.E", text, "intercept where the enemy flies at the same time")]
    text = f"no enemy air unit flies a mission of this air phase to {target.name}"
    return [Problem("no_enemies", RULES[INTERCEPT], text, "intercept in a target hex of enemy air units")]


def _scrambled(flier: Flier, target: Target) -> list[Problem]:
    """WD 20.B, 20.B.dest: from a base under attack to one that is not."""
    if not flier.raided:
        text = f"the base of {flier.name} is no target hex of enemy air units"
        return [Problem("not_raided", RULES[SCRAMBLE], text, "leave it at its base, or let it intercept")]
    if target.enemies or target.otherwise:
        text = f"{target.name} is a target hex of enemy air units"
        return [Problem("raided", "WD 20.B.dest", text, "scramble to a base that is none")]
    if not target.own_base:
        text = f"{target.name} is no airbase of yours"
        return [Problem("no_base", RULES[SCRAMBLE], text, "name an airbase that you control")]
    return []


def _bombed(wish: Wish, target: Target, rule: str) -> list[Problem]:
    """WD 20.F.own-hex, and what each bombing mission bombs (WD 20.F.1, 20.F.2)."""
    if wish.mission == DEFENSIVE_SUPPORT:
        return []
    if target.own:
        text = f"{target.name} is yours; only defensive support is flown over a hex of one's own"
        return [Problem("own_hex", "WD 20.F.own-hex", text, "bomb a hex that is not yours")]
    there, missing = {
        PORT: (target.port, "no port"),
        TACTICAL_PORT: (target.port, "no port"),
        CANAL: (target.canal, "no port of the Suez Canal"),
        AIR_UNITS: (target.enemy_air, "no enemy air unit at a base"),
        AIRBASE: (target.enemy_base, "no airbase of the enemy"),
        RAIL: (target.rail, "no railroad"),
        SUPPRESS: (target.guns, "no antiaircraft of the enemy"),
        GROUND_SUPPORT: (target.enemy_units, "no enemy ground unit"),
    }.get(wish.mission, (True, ""))
    if there:
        return []
    text = f"in {target.name} is {missing} for {WORDS[wish.mission]}"
    return [Problem("no_target", rule, text, "name a hex that has one")]


# --- several flights --------------------------------------------------------------------------------------------


def flying_to(flights: Iterable[Flight], h: int, night: bool) -> list[Flight]:
    """The flights of the air phase that are on a mission in a hex at a time of day, escorts too (WD 16.B.2, 24.E).

    Those turned back or worse are gone (ruling INTERCEPT-WHAT).
    """
    return [one for one in flights if one.target == h and one.night == night and not one.fate]


def lone_escorts(flights: Sequence[Flight]) -> list[Flight]:
    """Escorts to a hex that no other mission is flown to (WD 20.C): to be judged once all orders are read."""
    led = {(one.target, one.night) for one in flights if one.mission != ESCORT}
    return [one for one in flights if one.mission == ESCORT and (one.target, one.night) not in led]


def bars_chain(h: int, fighters: Iterable[tuple[Craft, int]]) -> bool:
    """True where a base lies within interception range of an enemy fighter (WD 20.D.chain).

    ``fighters`` are the operative enemy air units at bases, each with its hex; others than fighters bar nothing.
    """
    return any(craft.fighter and hexes.distance(at, h) <= craft.interception for craft, at in fighters)
