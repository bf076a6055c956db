"""Runner of the form airdrop (CASE-FORMS 6): WD 20.E, 24.B, 24.C, 25."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import AIRLIFT, DROP, FERRY, GLIDER, Craft, Flight
from adjudicator.western_desert.air.drops import (
    LANDED,
    by_glider,
    cargo_of,
    carriers_of,
    delivery,
    disrupted_on,
    disruption,
    duty_problems,
    expended,
    lift_problems,
    must_attack,
    site_of,
    stow,
    towing_problems,
)
from adjudicator.western_desert.air.missions import AIR_STEP, Flier, Moment, Target, Wish, mission_problems
from adjudicator.western_desert.attack_check import attack_problems
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.capture import capture_supply
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.aircraft import flight_from_record
from adjudicator.western_desert.cases.clashes import owners
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.state import State, Supply

MISSION_OF = {"drop": DROP, "land_and_stay": FERRY, "unload_and_return": AIRLIFT}
COUNTER = "S1"
ENEMY_AT, GROUND_AT = "A", "B"
"""Where the enemy next to the drop hex stands, and a friendly unit that touches both."""


class _Lift:
    """The position of a case: cargo at its base, or in the drop hex; the transports with their gliders."""

    def __init__(self, case: Case) -> None:
        given, target = case.given, as_record(case.given.get("target"))
        self.case, self.mission = case, MISSION_OF[str(given["mode"])]
        self.down = given.get("dropped") is True or given.get("landed") is True
        enemies = [*as_records(target.get("enemy")), *as_records(given.get("enemy_next_to_target"))]
        self.side, self.enemy = owners(case, as_records(given.get("cargo")), enemies)
        self.state = self._position(target)
        self.cargo = self._cargo()
        self.flights, self.towing = self._transports()

    def _position(self, target: Record) -> State:
        board = build.mini_board()
        build.set_hex(board, build.CENTRE, str(target.get("terrain", "clear")))
        state = build.new_state(board, self.side, "combat" if self.down else "air", self.enemy)
        if target.get("ezoc") is True:
            state.overlay_zoc = {self.enemy: {build.CENTRE}}
        build.put_all(self.case, state, as_records(target.get("enemy")), build.CENTRE, self.enemy)
        given = self.case.given
        for key, name, side in (("enemy_next_to_target", ENEMY_AT, self.enemy), ("ground", GROUND_AT, self.side)):
            build.put_all(self.case, state, as_records(given.get(key)), board.find(name), side)
        if target.get("supply"):
            state.supply[COUNTER] = Supply(build.CENTRE, self.enemy, int(str(target["supply"])))
        return state

    def _cargo(self) -> list[str]:
        """The units carried: in the drop hex once they are down, else at the edge of the map, which is their base."""
        where = build.CENTRE if self.down else min(self.state.board.land)
        placed = build.put_all(self.case, self.state, as_records(self.case.given.get("cargo")), where, self.side)
        for uid in placed:
            self.state.set_dropped(uid, self.down and self.mission == DROP)
        return placed

    def _transports(self) -> tuple[list[Flight], list[Problem]]:
        """The transports, the first of which tow the gliders; what is wrong with the number of these."""
        given = self.case.given
        night, far = given.get("night") is True, given.get("extended") is True
        records = as_records(given.get("transports"))
        flights = [flight_from_record({"type": "T", **r}, n, self.mission, night, far) for n, r in enumerate(records)]
        gliders = [Craft(f"glider-{n + 1}", GLIDER, self.side) for n in range(int(str(given.get("gliders", 0))))]
        if gliders and not flights:
            flights = [Flight(Craft("tow", "T", self.side), self.mission, night, far)]
        towing = towing_problems([flight.craft for flight in flights], gliders)
        for n, glider in enumerate(gliders[: len(flights)]):
            flights[n] = replace(flights[n], tow=glider)
        return flights, towing

    def verdict(self) -> list[Problem]:
        """What is wrong with the mission: of each transport by itself, of the gliders, of the cargo."""
        given = self.case.given
        base = self.state.hex_of(self.cargo[0]) if self.cargo and given.get("cargo_at_base", True) is True else -1
        cargo = [cargo_of(self.state, uid, base) for uid in self.cargo]
        site = site_of(self.state, build.CENTRE, self.side) if self.mission == DROP else None
        alone = chain.from_iterable(map(self._flown, self.flights))
        return [*alone, *self.towing, *lift_problems(self.flights, cargo, site)]

    def _flown(self, flight: Flight) -> list[Problem]:
        wish = Wish(flight.mission, int(str(self.case.given.get("distance", 0))), flight.night, flight.extended)
        flier = Flier(flight.craft, tow=flight.tow)
        return mission_problems(flier, wish, Target(own_base=True), Moment(AIR_STEP, phasing=True))

    def values(self) -> dict[str, object]:
        """Disruption, duty, fate and glider, each as far as the case has what it hangs on."""
        given = self.case.given
        stowage = stow(self.flights, [cargo_of(self.state, uid, -1) for uid in self.cargo])
        uid = self.cargo[0] if self.cargo else ""
        glider = given.get("by_glider") is True or by_glider(stowage, uid)
        changes = disruption(site_of(self.state, build.CENTRE, self.side), given.get("night") is True, glider)
        values: dict[str, object] = {"disrupted_on": list(disrupted_on(changes))}
        if self.down and uid:
            values["must_attack"] = must_attack(self.state, uid)
        carriers = carriers_of(stowage, uid, self.flights)
        if carriers:
            came = delivery(carriers)
            values["cargo"] = "dropped" if came.outcome == LANDED else came.outcome
            values["lands_with"] = came.flight
        towing = [flight for flight in self.flights if flight.tow]
        if towing:
            values["glider"] = "expended" if expended(towing[0]) else "kept"
        return values

    def captured(self) -> dict[str, object]:
        """Whether the unit that is down rolls for enemy supply in its hex, and what of it is left."""
        if not self.down or COUNTER not in self.state.supply:
            return {}
        ctx = context(self.state)
        drive(capture_supply(ctx, self.cargo[0], build.CENTRE), dice_of(self.case))
        left = self.state.supply.get(COUNTER)
        rolled = any(event.kind == "captured" for event in ctx.events)
        return {"capture_roll": rolled, "supply_left": left.steps if left and left.side == self.enemy else 0}

    def ordered(self, order: Record) -> list[Problem]:
        """An attack by the units named upon the one hex with enemies, or none at all; with the duty of the dropped."""
        attacks = []
        if order["order"] == "attack":
            there = self.state.enemy_in(build.CENTRE, self.side)
            h = build.CENTRE if there else self.state.board.find(ENEMY_AT)
            attacks = [Attack(self.side, h, tuple(sorted(as_texts(order.get("units")))))]
        wrong = [problem for attack in attacks for problem in attack_problems(self.state, attack)]
        return [*wrong, *duty_problems(self.state, self.side, attacks)]


@form("airdrop")
def run_airdrop(case: Case) -> Found:
    """A transport mission or a drop, and the combat after it."""
    lift = _Lift(case)
    verdicts = [lift.ordered(order) for order in case.orders] if case.orders else [lift.verdict()]
    return Found({**lift.values(), **lift.captured()}, verdicts)
