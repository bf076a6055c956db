"""Runners of the forms fly, patrol and air_return (CASE-FORMS 6)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Problem, Roll
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.craft import (
    AIRBASE,
    LONG,
    REACTIONS,
    TRANSFER,
    TURNED_BACK,
    Craft,
    Flight,
)
from adjudicator.western_desert.air.landing import (
    NEXT_AIR_PHASE,
    OPERATIVE,
    Base,
    bases_in_range,
    blocks_new_mission,
    landed,
    lands_in,
    may_crash,
    next_own,
    supports,
)
from adjudicator.western_desert.air.missions import (
    AIR_STEP,
    REACTION_STEP,
    Flier,
    Leg,
    Moment,
    Target,
    Wish,
    mission_problems,
)
from adjudicator.western_desert.air.patrol import (
    Entry,
    Patrol,
    entered,
    patrol_problems,
    quiet_path,
    turns_back_on,
    zones_of,
)
from adjudicator.western_desert.air.staging import date_problems
from adjudicator.western_desert.cases.aircraft import craft_from_record, flight_from_record
from adjudicator.western_desert.cases.build import find_hex, real_world
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.sequence import PlayerTurn
from adjudicator.western_desert.state import turn_name, turn_number
from adjudicator.western_desert.theatre.vichy import may_fly

EUROPE = "Europe"
GREECE_RULE = "WD 29.C.1.placing"


class _Anywhere:
    """A sky without bounds: the hexes of a case lie on no sheet."""

    def __contains__(self, h: object) -> bool:
        return True


CANAL_PORTS = ("Port Said", "Ismailia", "Suez")
COLUMN = 50
"""A flight whose distance alone is told goes down a column; there is no other way as short."""

# --- fly --------------------------------------------------------------------------------------------------------


class _Day:
    """The fliers of a case through one air phase, what they have flown, and what the last one came to."""

    def __init__(self, case: Case) -> None:
        given = case.given
        records = as_records(given.get("air_units")) or [as_record(given.get("air_unit"))]
        self.case = case
        self.side = str(given.get("player", ""))
        self.night = given.get("night") is True
        self.flags = set(as_texts(given.get("flags")))
        self.start = {str(r.get("id", n)): self._flier(r, n) for n, r in enumerate(records)}
        self.fliers = dict(self.start)
        self.places = {str(r.get("id", n)): str(r.get("at", "")) for n, r in enumerate(records)}
        self.values: dict[str, object] = {}
        self.taken_off = 0

    def _flier(self, record: Record, number: int) -> Flier:
        tow = as_record(record.get("tows"))
        return Flier(
            craft_from_record(record, number, self.side),
            operative=str(record.get("state", "operative")) == "operative",
            flown=AIRBASE if "fate" in record else "",
            still=GREECE_RULE if record.get("arrived") == "greece" else "",
            raided="own_base_targeted" in self.flags,
            tow=craft_from_record({"type": "GT", **tow}) if tow else None,
        )

    def fly(self, order: Record) -> list[Problem]:
        """One order; where it is lawful the air unit has flown it."""
        if self.case.given.get("alternatives") is True:
            self.fliers = dict(self.start)
        name = str(order.get("unit", next(iter(self.fliers))))
        if "to" in order:
            return self._stage(name, str(order["to"]))
        flier, distance = self.fliers[name], int(str(order.get("distance", 0)))
        flown = int(str(order.get("path_length", distance)))
        wish = Wish(str(order["order"]), flown, self.night, order.get("extended") is True)
        reacts = wish.mission in REACTIONS
        moment = Moment(REACTION_STEP if reacts else AIR_STEP, phasing=not reacts)
        problems = mission_problems(flier, wish, self._target(wish), moment)
        self._note(flier, wish, distance)
        if not problems:
            self.taken_off += 1
            self.fliers[name] = self._after(flier, wish)
        return problems

    def _stage(self, name: str, to: str) -> list[Problem]:
        """A transfer by way of Europe (WD 33.F): the island base at the other end, and the date."""
        flier, here = self.fliers[name], self.places[name]
        island = here if to == EUROPE else to
        wish, moment = Wish(TRANSFER, 0, self.night), Moment(AIR_STEP, phasing=True)
        problems = mission_problems(flier, wish, Target(to, own_base=True), moment)
        problems += date_problems(island, turn_number(str(self.case.given["turn"])), island)
        if not problems:
            self.places[name] = to
            self.fliers[name] = flier._replace(legs=(*flier.legs, Leg(LONG * flier.craft.movement)))
        return problems

    def _after(self, flier: Flier, wish: Wish) -> Flier:
        if wish.mission != TRANSFER:
            return flier._replace(flown=wish.mission)
        return flier._replace(legs=(*flier.legs, Leg(wish.distance, "stop_in_interception_range" in self.flags)))

    def _target(self, wish: Wish) -> Target:
        """The target of the case: what it says nothing of is as the order needs it, but for flags."""
        given, flags = self.case.given, self.flags
        told = as_record(given.get("target"))
        own = bool(self.side) and told.get("controlled_by") == self.side
        day, dark = "enemy_mission_at_target" in flags, "enemy_night_mission_at_target" in flags
        raided = "destination_targeted" in flags
        port, canal = self._port(str(told.get("name", "")))
        return Target(
            own=own,
            own_base=True,
            enemy_base=not own,
            port=port,
            canal=canal,
            rail=True,
            enemy_air=not own,
            enemy_units=not own,
            friends="friendly_mission_at_target" in flags,
            enemies=raided or (dark if self.night else day),
            otherwise=day if self.night else dark,
            closed=self._closed(),
            guns=not own,
        )

    @staticmethod
    def _port(name: str) -> tuple[bool, bool]:
        """Whether a place has a port, and one of the canal; a nameless target has what the order needs."""
        if not name:
            return True, True
        board = real_world().board
        info = board.info(find_hex(board, name))
        return bool(info and info.port), name in CANAL_PORTS

    def _closed(self) -> bool:
        if self.case.given.get("over_region") != "levant":
            return False
        vichy = as_record(self.case.given.get("vichy"))
        return not may_fly(self.side, str(vichy.get("held_by", "none")), str(vichy.get("grant", "none")))

    def _note(self, flier: Flier, wish: Wish, distance: int) -> None:
        """What the last order makes of the figures, where it lands, and how many patrols it may meet."""
        flight = Flight(flier.craft, wish.mission, wish.night, wish.extended, tow=flier.tow)
        self.values = {
            "lands_in": lands_in(flight),
            "attack": flight.attack,
            "defense": flight.defense,
            "tactical": flight.tactical,
            "strategic": flight.strategic,
            "patrol_attacks": self._met(distance, wish.distance),
        }

    def _met(self, distance: int, most: int) -> int:
        """Zones across the middle of a straight line, and the default way around them."""
        if "patrol_zones_on_straight_line" not in self.flags:
            return 0
        start, goal, middle = (hexes.code(COLUMN, rows) for rows in (0, distance, distance // 2))
        zones = zones_of([Patrol(Craft("patrol", "F", movement=2), middle)], self.night)
        return entered(quiet_path(start, goal, most, zones, _Anywhere()) or (), zones)


@form("fly")
def run_fly(case: Case) -> Found:
    """Missions ordered one after the other (WD 16 to 20, 24)."""
    day = _Day(case)
    verdicts = [day.fly(order) for order in case.orders]
    return Found({**day.values, "capacity_used": day.taken_off}, verdicts)


# --- patrol -----------------------------------------------------------------------------------------------------


@form("patrol")
def run_patrol(case: Case) -> Found:
    """Patrol attacks upon one flight that enters hexes one after the other (WD 19)."""
    given = case.given
    records = as_records(given["fighters"])
    fighters = {str(r.get("id", n)): _patrol(r, n) for n, r in enumerate(records)}
    first = next(iter(fighters.values()))
    target = flight_from_record(as_record(given.get("target")), night=given.get("night") is True)
    found = Found({"zone": first.zone, "radius": first.radius})
    if "target" in given:
        found.values["defense"] = target.defense
        found.values["turn_back_on"] = list(turns_back_on(real_world(), first.craft.attack, target.defense))
        found.values["affects"] = "both" if target.tow else "tow"
    _attack_all(case, fighters, target, found)
    return found


def _patrol(record: Record, number: int) -> Patrol:
    return Patrol(
        craft_from_record(record, number),
        operative=str(record.get("state", "operative")) == "operative",
        attacks=int(str(record.get("attacks_made", 0))),
    )


def _attack_all(case: Case, fighters: dict[str, Patrol], target: Flight, found: Found) -> None:
    """The orders in turn; without dice nothing is known beyond the first roll, so the flight goes on."""
    moment = Moment(str(case.given.get("step", AIR_STEP)), phasing=False)
    met: set[str] = set()
    attacks = 0
    for order in case.orders:
        name, where = str(order["by"]), str(order.get("in", ""))
        problems = patrol_problems(fighters[name], target, Entry(attacked=where in met), moment)
        found.verdicts.append(problems)
        if problems:
            continue
        met.add(where)
        attacks += 1
        fighter = fighters[name]
        fighters[name] = fighter._replace(attacks=fighter.attacks + 1)
        if _roll(case, "patrol") in turns_back_on(real_world(), fighter.craft.attack, target.defense):
            target = replace(target, fate=TURNED_BACK)
            found.values["turned_back_in"] = where
    found.values["attacks"] = attacks
    found.values["target_state"] = target.fate or "flies_on"
    found.values["operative"] = landed(target, None) == OPERATIVE


def _roll(case: Case, kind: str) -> int:
    """A die of the case; 1 where it gives none."""
    return case.dice(0, Roll(kind, kind))[0] if case.dice else 1


# --- air_return -------------------------------------------------------------------------------------------------


@form("air_return")
def run_air_return(case: Case) -> Found:
    """When and where an air unit lands, and how it is then (WD 18.return, 20.F.2, 24.B.return, 24.E.crash)."""
    given = case.given
    record = as_record(given["air_unit"])
    flight = flight_from_record(record, 0, AIRBASE, given.get("night") is True, given.get("flew") == "extended")
    if record.get("state") == TURNED_BACK:
        flight = replace(flight, fate=TURNED_BACK)
    bases = [Base(str(b.get("id")), int(str(b.get("distance", 0)))) for b in as_records(given.get("bases"))]
    die = _roll(case, "crash") if may_crash(flight) else None
    return Found(
        {
            "crash_roll": may_crash(flight),
            "state": landed(flight, bases if "bases" in given else None, die),
            "may_land_at": [base.id for base in bases_in_range(flight, bases)],
            "returns": _moment_of(lands_in(flight), str(given.get("flown", ""))),
            "may_fly_again": not blocks_new_mission(flight),
            "effect": supports(flight, given.get("target_held_by", "own") == "own"),
        }
    )


def _moment_of(when: str, flown: str) -> str:
    """The moment of a return: that of the next own air phase by its date, where the case tells when it was flown."""
    if when != NEXT_AIR_PHASE or not flown:
        return when
    *date, player, phase = flown.split()
    back = next_own(PlayerTurn(turn_number(" ".join(date)), player))
    return f"{turn_name(back.turn)} {back.player} {phase}"
