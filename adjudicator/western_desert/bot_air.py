"""Flights of chance (see bots.py): missions picked from what lies in range, kept where the rules find them lawful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    CANAL,
    DEFENSIVE_SUPPORT,
    ESCORT,
    GROUND_SUPPORT,
    HARASS,
    PORT,
    RAIL,
    SUPPRESS,
    SUPPRESSION,
    TACTICAL_PORT,
    Craft,
    craft_of,
)
from adjudicator.western_desert.air.facts import CANAL_PORTS, AirBook, base_hexes, side_air
from adjudicator.western_desert.air.missions import BY_NIGHT
from adjudicator.western_desert.air.orders import MISSION_OF, NONE
from adjudicator.western_desert.air.plans import Plan, judged, lift_of, plans_of
from adjudicator.western_desert.air.repair import repair_problems
from adjudicator.western_desert.air.staging import OPTION as STAGING
from adjudicator.western_desert.air.staging import SIDE as STAGING_SIDE
from adjudicator.western_desert.air.staging import Stage, in_europe, island_bases, stage_problems, trial
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.sea.malta import besieged
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.theatre.forces import entering, may_drop
from adjudicator.western_desert.theatre.special import SIDE

Row = dict[str, Tree]
TRIES, LIFT_SHARE = 4, 0.7
REPAIR_SHARE = 0.4
FLY_SHARE, PAIR_SHARE, NIGHT_SHARE, FAR_SHARE = 0.6, 0.35, 0.15, 0.15
CONDITION_SHARE, LAND_SHARE, TOGETHER_SHARE, TOW_SHARE, DROP_SHARE = 0.1, 0.2, 0.4, 0.6, 0.7
SUPPRESS_SHARE, STAGE_SHARE = 0.7, 0.5
BOMBS = {
    PORT: "bomb_port",
    TACTICAL_PORT: "bomb_port",
    CANAL: "bomb_canal",
    AIRBASE: "bomb_airbase",
    AIR_UNITS: "bomb_air",
    RAIL: "bomb_rail",
    SUPPRESS: "aa_suppress",
    HARASS: "harass",
    GROUND_SUPPORT: "ground_support",
    DEFENSIVE_SUPPORT: "defensive_support",
}
PORTS = (PORT, TACTICAL_PORT)
TOGETHER = ("bomb_port", "bomb_canal", "bomb_airbase", "bomb_air", "bomb_rail", "aa_suppress")
FAR = (*TOGETHER, "harass", "ground_support", "defensive_support", "escort", "air_transport", "air_drop")


def flying_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``air``: some of the operative air units, each on a mission that it may fly."""
    section = _Section(state, side, chance)
    able = [aid for aid in side_air(state, side) if state.air[aid].operative and aid not in state.still]
    lifting = [aid for aid in able if _may_lift(state, side, aid) and chance.likely(LIFT_SHARE)]
    for aid in dict.fromkeys([*lifting, *chance.some(able)]):
        if aid not in section.busy and (aid in lifting or chance.likely(FLY_SHARE)):
            section.fly(aid)
    section.stage()
    return [{"type": "section", "name": "air"}, *section.rows]


def _may_lift(state: State, side: str, aid: str) -> bool:
    """Whether a transport stands where airborne units wait."""
    there = state.friends_at(state.air[aid].hex, side) if craft_of(state.world, aid).transport else []
    return any(state.unit(uid).airborne and may_drop(state, side, uid) for uid in there)


class _Section:
    """The orders made so far; each new one is kept only where all are lawful with it."""

    def __init__(self, state: State, side: str, chance: Chance) -> None:
        self.state, self.side, self.chance = state, side, chance
        self.rows: list[Row] = []
        self.busy: set[str] = set()
        self.book, self.riding = book_of(state), set[str]()

    def fly(self, aid: str) -> None:
        """An order for an air unit, its mission and target of chance."""
        craft = craft_of(self.state.world, aid)
        makers = [self._carry if craft.transport else self._bomb] * 8
        makers += [self._transfer]
        makers += [self._escort] * 8 if craft.fighter and self.rows else []
        for _ in range(TRIES):
            if aid not in self.busy:
                self.chance.pick(makers)(craft)

    def stage(self) -> None:
        """Some of those at island bases fly to Europe, some of those there come in (WD 33.F)."""
        state, side = self.state, self.side
        if side != STAGING_SIDE or not state.world.plays(STAGING):
            return
        ends = island_bases(state, self._bases())
        home = [aid for aid in side_air(state, side) if state.air[aid].hex in ends and aid not in self.busy]
        for aid in [*home, *in_europe(state)] if ends else ():
            to = None if aid in home else self.chance.pick(ends)
            night = self.chance.likely(NIGHT_SHARE)
            gliders = [one for one in (home if aid in home else in_europe(state)) if craft_of(state.world, one).glider]
            tows = bool(gliders) and craft_of(state.world, aid).transport and self.chance.likely(TOW_SHARE)
            tow = gliders[0] if tows else ""
            row: Row = {"type": "stage", "air": [aid], **({"night": "yes"} if night else {})}
            row |= {**({"hex": state.board.name(to)} if to is not None else {}), **({"tow": [tow]} if tow else {})}
            made = Stage(aid, to, night, tow)
            free = not {aid, tow} & self.busy and not stage_problems(state, side, made, self.book)
            if free and self.chance.likely(STAGE_SHARE):
                self.rows.append(row)
                self.busy |= {aid, tow}
                self.book = trial(state, side, made, self.book)[1]

    def _keep(self, row: Row) -> None:
        """Take an order up with what may be said beside it, else as it is, else not at all."""
        for said in (self._dressed(row), row):
            plans = plans_of(self.state, *orders_of([said]))
            after = self._flown(plans)
            if after is not None:
                self.rows.append(said)
                self.busy |= set(_names(said, "air")) | set(_names(said, "tow"))
                self.riding |= set(_names(said, "cargo"))
                self.book = after  # of one that hangs on others too: by night it is judged behind all others
                return

    def _flown(self, plans: Sequence[Plan]) -> AirBook | None:
        """The phase with these flights as well; None where one of them would be unlawful."""
        book = self.book
        led = {(flight.target, flight.night) for flight in book.flights if flight.mission != ESCORT}
        for plan in plans:
            problems, book = judged(self.state, self.side, plan, book, led)
            if problems:
                return None
        return None if lift_of(self.state, self.side, plans, self.book, self.riding) else book

    def _dressed(self, row: Row) -> Row:
        """The order with some of its further fields."""
        chance, said = self.chance, dict(row)
        if MISSION_OF[str(row["type"])] in BY_NIGHT and chance.likely(NIGHT_SHARE):
            said["night"] = "yes"
        if row["type"] in FAR and chance.likely(FAR_SHARE):
            said["extended"] = "yes"
        if row["type"] != "transfer" and chance.likely(LAND_SHARE):
            said["land"] = [self.state.board.name(h) for h in chance.some(self._bases(), least=1, most=2)]
        if row["type"] in TOGETHER and len(_names(row, "air")) > 1 and chance.likely(TOGETHER_SHARE):
            said["together"] = "yes"
        flown = [aid for other in self.rows for aid in _names(other, "air")]
        if flown and chance.likely(CONDITION_SHARE):
            said[chance.pick(("if_back", "unless_back"))] = [chance.pick(flown)]
        return said

    def _bases(self) -> list[int]:
        return base_hexes(self.state, self.side)

    def _fellows(self, craft: Craft) -> list[Tree]:
        """The air unit, now and then with others of its kind from the same base."""
        state = self.state
        beside = [
            aid
            for aid in side_air(state, self.side)
            if aid != craft.id
            and aid not in self.busy
            and state.air[aid].operative
            and state.air[aid].hex == state.air[craft.id].hex
            and craft_of(state.world, aid).category == craft.category
            and not craft_of(state.world, aid).glider
        ]
        return [craft.id, *(self.chance.some(beside, most=2) if self.chance.likely(PAIR_SHARE) else ())]

    def _transfer(self, craft: Craft) -> None:
        ends = [h for h in self._bases() if h != self.state.air[craft.id].hex]
        if ends:
            end = self.chance.pick(ends)
            self._keep({"type": "transfer", "air": [craft.id], "hex": self.state.board.name(end)})

    def _escort(self, craft: Craft) -> None:
        """An escort to where others of the section go."""
        led = [row["hex"] for row in self.rows if row["type"] not in ("escort", "transfer")]
        if led:
            self._keep({"type": "escort", "air": self._fellows(craft), "hex": self.chance.pick(led)})

    def _bomb(self, craft: Craft) -> None:
        mission = self.chance.pick(tuple(one for one in BOMBS if one != SUPPRESS))
        if mission == GROUND_SUPPORT and self.state.world.plays(SUPPRESSION) and self.chance.likely(SUPPRESS_SHARE):
            mission = SUPPRESS
        base = self.state.air[craft.id].hex
        near = [h for h in targets(self.state, self.side, mission) if hexes.distance(base, h) <= 2 * craft.movement]
        if not near:
            return
        row: Row = {"type": BOMBS[mission], "air": self._fellows(craft)}
        row["hex"] = self.state.board.name(self.chance.pick(near))
        if mission == TACTICAL_PORT:
            row["by"] = "tactical"
        if besieged(self.state, self.side, self.state.board.find(str(row["hex"]))):
            row |= self.chance.pick([{}, {"hits": "port"}, {"hits": "status"}]) if mission in PORTS else {}
        if mission == AIR_UNITS:
            row |= self._victims(self.state.board.find(str(row["hex"])))
        self._keep(row)

    def _victims(self, h: int) -> Row:
        there = [aid for aid in side_air(self.state, ENEMY[self.side]) if self.state.air[aid].hex == h]
        return {"targets": [*self.chance.some(there, least=1, most=2)]} if there and self.chance.likely(0.5) else {}

    def _carry(self, craft: Craft) -> None:
        """Transport to another base, or a drop of airborne units on any land in range."""
        state, base = self.state, self.state.air[craft.id].hex
        here = [uid for uid in state.friends_at(base, self.side) if uid not in self.riding]
        light = [uid for uid in here if not (state.unit(uid).heavy or state.unit(uid).counter)]
        airborne = [uid for uid in light if state.unit(uid).airborne and may_drop(state, self.side, uid)]
        drop = bool(airborne) and self.chance.likely(DROP_SHARE)
        cargo = [self.chance.pick(airborne)] if drop else self.chance.some(light, least=1, most=2) if light else []
        planned = entering(state, cargo[0]) if drop and self.side == SIDE else None
        if planned is not None:
            ends = [planned.hex]
        elif drop:
            ends = [h for h in hexes.within(base, craft.movement) if h in state.board.land]
        else:
            ends = [h for h in self._bases() if h != base]
        if not cargo or not ends:
            return
        row: Row = {"type": "air_drop" if drop else "air_transport", **self._transports(craft, cargo, drop)}
        self._keep({**row, "cargo": [*cargo], "hex": state.board.name(self.chance.pick(ends))})

    def _transports(self, craft: Craft, cargo: Sequence[str], drop: bool) -> Row:
        """As many transports and gliders as the cargo wants, if they are there."""
        state = self.state
        res2 = sum(state.unit(uid).re2 for uid in cargo)
        holds = res2 if drop else (res2 + 1) // 2
        here = [aid for aid in side_air(state, self.side) if aid not in self.busy and state.air[aid].operative]
        crafts = [craft_of(state.world, aid) for aid in here if state.air[aid].hex == state.air[craft.id].hex]
        gliders = [one.id for one in crafts if one.glider]
        others = [one.id for one in crafts if one.transport and one.id != craft.id]
        tow = gliders[: (holds + 1) // 2] if self.chance.likely(TOW_SHARE) else []
        crew = [craft.id, *others][: max(1, len(tow), holds - len(tow))]
        return {"air": [*crew], **({"tow": [*tow[: len(crew)]]} if tow else {})}


def repair_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Now and then an order that names the air units to be repaired, or none (WD 23)."""
    sick = [aid for aid in side_air(state, side) if not state.air[aid].operative]
    able = [aid for aid in sick if not repair_problems(craft_of(state.world, aid), False, state.turn, "initial", True)]
    if state.surprise or not able or not chance.likely(REPAIR_SHARE):
        return []
    named: Tree = [*chance.some(able, least=1)] if chance.likely(0.8) else NONE
    return [{"type": "air_repair", "air": named}]


def _names(row: Row, field: str) -> list[str]:
    found = row.get(field, [])
    return [found] if isinstance(found, str) else [str(one) for one in found]


def targets(state: State, side: str, mission: str) -> list[int]:
    """Hexes that have what a mission bombs (WD 20.F)."""
    return sorted(set(_targets(state, side, mission)))


def _targets(state: State, side: str, mission: str) -> Iterator[int]:
    enemy = ENEMY[side]
    if mission == CANAL:
        yield from (place.hex for place in state.board.places.values() if place.slug in CANAL_PORTS)
    elif mission in PORTS:
        yield from (place.hex for place in state.board.places.values() if port_row(state, place.hex))
    elif mission == AIRBASE:
        yield from base_hexes(state, enemy)
    elif mission == AIR_UNITS:
        yield from (state.air[aid].hex for aid in side_air(state, enemy))
    elif mission == RAIL:
        graph = graph_of(state)
        yield from (h for h in state.board.land if graph.rail_neighbours(h) and state.owner(h) == enemy)
    else:
        whose = side if mission == DEFENSIVE_SUPPORT else enemy
        yield from (state.hex_of(uid) for uid in state.side_units(whose))
