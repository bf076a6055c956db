"""Which fighters intercept or scramble where no order says so: by standing clauses, else by default (pbem A2, A3).

All of it speaks of what both sides see: the flights over their target hexes and who stands where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from adjudicator.engine.core import Order, Tree, texts_of, whole_number
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import ESCORT, INTERCEPT, REACTIONS, SCRAMBLE, Craft, Flight, craft_of
from adjudicator.western_desert.air.facts import AirBook, bases_from, fighters
from adjudicator.western_desert.air.orders import FLY_OFF, INTERCEPTS, RATIOS, SCRAMBLES, STAY
from adjudicator.western_desert.air.places import against, cited, for_air, over
from adjudicator.western_desert.air.plans import Plan, judged
from adjudicator.western_desert.air.policies import POINTS_PER_RE
from adjudicator.western_desert.air.shots import differential
from adjudicator.western_desert.standing import Clause, clauses, hex_in
from adjudicator.western_desert.state import ENEMY, State

UNORDERED = -1
"""The index of the orders that nobody wrote."""
Plans = tuple[Plan, ...]


class Raid(NamedTuple):
    """A hex to which enemy air units fly by day, or by night, and who they are (WD 16.B.2, 20.A, 24.E).

    ``worth`` is what they bring: bombing strength and cargo, in points.
    """

    hex: int
    night: bool
    flights: tuple[Flight, ...]
    worth: Fraction

    @property
    def escorts(self) -> int:
        """How many of them are escorts."""
        return sum(flight.mission == ESCORT for flight in self.flights)

    @property
    def enough(self) -> int:
        """Interceptors that suffice: one for each escort and one more (pbem A2)."""
        return self.escorts + 1


def raids(state: State, side: str) -> list[Raid]:
    """What the enemies of a side fly in this air phase, hex by hex, the most valuable first; none of those turned back
    (ruling INTERCEPT-WHAT)."""
    found: dict[tuple[int, bool], list[Flight]] = {}
    for flight in book_of(state).now():
        if flight.craft.side == ENEMY[side] and flight.mission not in REACTIONS and not flight.fate:
            found.setdefault((flight.target, flight.night), []).append(flight)
    listed = [Raid(h, night, tuple(there), _worth(state, there)) for (h, night), there in found.items()]
    return sorted(listed, key=lambda raid: (-raid.worth, raid.night, raid.hex))


def _worth(state: State, flights: Iterable[Flight]) -> Fraction:
    sorties = {flight.id: state.air[flight.id].sortie for flight in flights}
    cargo = {uid for sortie in sorties.values() if sortie is not None for uid in sortie.cargo}
    res = sum((Fraction(state.unit(uid).re2, 2) for uid in cargo), Fraction(0))
    return sum((flight.strength for flight in flights), POINTS_PER_RE * res)


# --- who may ----------------------------------------------------------------------------------------------------


class Watch:
    """The fighters of a side at their bases, and what those who are sent use up: they are judged one after the other on
    what is left (WD 17.A)."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side = state, side
        self.book: AirBook = book_of(state)
        self.at: dict[str, int] = {craft.id: h for craft, h in fighters(state, side, self.book)}
        self.plans: list[Plan] = []
        self.raids = raids(state, side)
        self.raided = {raid.hex for raid in self.raids}

    def left(self, base: int) -> int:
        """Operative fighters that are at a base yet."""
        return sum(h == base for h in self.at.values())

    def craft(self, aid: str) -> Craft:
        """A fighter by id."""
        return craft_of(self.state.world, aid)

    def near(self, raid: Raid) -> list[str]:
        """The fighters whose interception range covers a raid, the nearest first, of equal ones the strongest."""
        away = {aid: hexes.distance(h, raid.hex) for aid, h in self.at.items()}
        able = [aid for aid in away if away[aid] <= self.craft(aid).interception]
        return sorted(able, key=lambda aid: (away[aid], -self.craft(aid).attack, aid))

    def judge(self, plan: Plan) -> AirBook | None:
        """The book with one more flight; None where it would be unlawful."""
        problems, after = judged(self.state, self.side, plan, self.book)
        return None if problems else after

    def send(self, plan: Plan) -> bool:
        """Let a fighter fly, if that is lawful."""
        after = self.judge(plan)
        if after is None:
            return False
        self.book = after
        self.plans.append(plan)
        del self.at[plan.air]
        return True


def interception(raid: Raid, aid: str) -> Plan:
    """The flight of a fighter to a raid (WD 20.A)."""
    return Plan(Order(UNORDERED, INTERCEPT, {}), aid, INTERCEPT, raid.hex, night=raid.night)


def scrambling(aid: str, h: int) -> Plan:
    """The flight of a fighter from a base under attack to another (WD 20.B)."""
    return Plan(Order(UNORDERED, SCRAMBLE, {}), aid, SCRAMBLE, h)


def may_intercept(state: State, side: str) -> bool:
    """Whether a fighter of a side may intercept anywhere: range, take-offs, time of day (WD 20.A; PROTOCOL 9.1)."""
    watch = Watch(state, side)
    return any(watch.judge(interception(raid, aid)) for raid in watch.raids for aid in watch.near(raid))


def may_scramble(state: State, side: str) -> bool:
    """Whether a fighter of a side may leave a base under attack for another one (WD 20.B)."""
    watch = Watch(state, side)
    return any(watch.judge(plan) for aid in raided(watch) for plan in _refuges(watch, aid))


def raided(watch: Watch) -> list[str]:
    """The fighters at bases that enemy air units fly to, the strongest first."""
    hit = {raid.hex for raid in watch.raids if not raid.night}
    able = [aid for aid, h in watch.at.items() if h in hit]
    return sorted(able, key=lambda aid: (-watch.craft(aid).attack - watch.craft(aid).defense, aid))


def _refuges(watch: Watch, aid: str) -> Iterator[Plan]:
    """Scrambles to the bases within its rating that nobody raids, the nearest first, lawful or not."""
    for base in bases_from(watch.state, watch.side, watch.at[aid]):
        h = watch.state.board.find(base.id)
        if base.distance <= watch.craft(aid).movement and h not in watch.raided:
            yield scrambling(aid, h)


# --- interception -----------------------------------------------------------------------------------------------


def usual_interception(state: State, side: str) -> Plans:
    """The nearest fighters to the most valuable raid, one for each escort and one more. Those that have a differential
    of at least 0 at nobody there stay away (pbem A2)."""
    for raid in raids(state, side):
        watch = Watch(state, side)
        for aid in watch.near(raid):
            plan = interception(raid, aid)
            flight = plan.flight(state, watch.at[aid])
            if len(watch.plans) < raid.enough and any(differential(flight, other) >= 0 for other in raid.flights):
                watch.send(plan)
        if watch.plans:
            return tuple(watch.plans)
    return ()


def interception_by(state: State, side: str, rules: Tree) -> tuple[Plans, str]:
    """What the clauses on interception send, one clause after the other; only what they name is flown (pbem A2)."""
    watch, used = Watch(state, side), []
    for n, clause in clauses(rules):
        for raid in _named_first(state, clause, watch.raids):
            if _sent(watch, clause, raid):
                used.append(n)
    return tuple(watch.plans), cited(INTERCEPTS, used) if used else "no intercept clause fits"


def _named_first(state: State, clause: Clause, open_to: Sequence[Raid]) -> list[Raid]:
    """The raids that a clause is about: hexes in the order in which it names them, else the most valuable first."""
    fitting = [raid for raid in open_to if over(state, clause, raid.hex) and against(clause, raid.flights)]
    named = [hex_in(state, name) for name in texts_of(clause.get("hex"))]
    return sorted(fitting, key=lambda raid: named.index(raid.hex) if raid.hex in named else len(named))


def _sent(watch: Watch, clause: Clause, raid: Raid) -> int:
    """How many fighters a clause sends to a raid: none where it can't have as many as it wants for each escort."""
    keep, ratio = whole_number(clause.get("keep")) or 0, _ratio(clause)
    told = whole_number(clause.get("most"))
    least = ceil(ratio * raid.escorts)
    most = max(raid.enough, least) if told is None else told
    there = [plan.target == raid.hex and plan.night == raid.night for plan in watch.plans].count(True)
    trial = copy(watch)
    trial.at, trial.plans = dict(watch.at), []
    for aid in watch.near(raid):
        free = trial.left(trial.at[aid]) > keep and for_air(clause, aid)
        if free and there + len(trial.plans) < most:
            trial.send(interception(raid, aid))
    if not trial.plans or there + len(trial.plans) < least:
        return 0
    watch.book, watch.at = trial.book, trial.at
    watch.plans += trial.plans
    return len(trial.plans)


def _ratio(clause: Clause) -> Fraction:
    """Interceptors for each escort; 0 where a clause asks for none, or writes no number."""
    said = clause.get("min_ratio")
    return Fraction(said) if isinstance(said, str) and said in RATIOS else Fraction(0)


# --- scrambling -------------------------------------------------------------------------------------------------


def usual_scramble(state: State, side: str) -> Plans:
    """Fighters at bases under attack that do not intercept go to the nearest base that is not, as far as there are
    take-offs (pbem A3)."""
    watch = Watch(state, side)
    for aid in raided(watch):
        _go(watch, _refuges(watch, aid))
    return tuple(watch.plans)


def _go(watch: Watch, plans: Iterable[Plan]) -> None:
    for plan in plans:
        if watch.send(plan):
            return


def scramble_by(state: State, side: str, rules: Tree) -> tuple[Plans, str]:
    """What the clauses on scrambles say: for each fighter the first that is for it and its base; those that none is for
    stay (pbem A3)."""
    watch, used = Watch(state, side), []
    for aid in raided(watch):
        for n, clause in clauses(rules):
            if for_air(clause, aid) and over(state, clause, watch.at[aid], "base"):
                used.append(n)
                if clause.get("do", FLY_OFF) != STAY:
                    _go(watch, _wished(watch, clause, aid))
                break
    return tuple(watch.plans), cited(SCRAMBLES, used) if used else "no scramble clause fits"


def _wished(watch: Watch, clause: Clause, aid: str) -> Iterable[Plan]:
    """Scrambles to the bases that a clause names, in its order; without any, the nearest first."""
    named = [hex_in(watch.state, name) for name in texts_of(clause.get("to"))]
    return [scrambling(aid, h) for h in named if h is not None] if named else _refuges(watch, aid)
