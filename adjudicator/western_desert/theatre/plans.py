"""Plans of special operations, sealed in the book `plans`: one topic for each unit of the pools (WD 27.A; PROTOCOL 5).

A topic holds the turn, the hex, and the turn on which it was planned, or nothing. The book is sealed in every Axis
initial phase, planned or not. What is due and not cancelled is carried out: the order that does it brings the topics
out of all books since the plan was made, and is void for a unit whose topics are not the same in each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Problem, Proof, Tree
from adjudicator.engine.driver import Waits
from adjudicator.engine.planning import NOTHING_PLANNED, Planning
from adjudicator.western_desert.air.drops import site_of, site_problems
from adjudicator.western_desert.graph import CRETE, NEUTRAL
from adjudicator.western_desert.hexes import HexError
from adjudicator.western_desert.history import first_forces
from adjudicator.western_desert.orderbook import Place, last_turn, place_of, short
from adjudicator.western_desert.state import LAST_TURN, State, World, turn_name, turn_number
from adjudicator.western_desert.theatre import special
from adjudicator.western_desert.theatre.forces import SEABORNE, pool_box, pool_on, pool_rows, used_1941, wave_of
from adjudicator.western_desert.theatre.special import MALTA, POOLS, RULE, SIDE, Plan
from adjudicator.western_desert.world import text

BOOK = "plans"
PLAN, CANCEL, CARRY_OUT = "plan_special", "cancel_special", "special_operation"
ANNOUNCE_RULE = "WD 27.A.announce"
INITIAL_KEY = "orders/initial"
NO_MESSAGE = 0
ROOM = 128
"""Bytes of a sealed copy that are kept for each topic."""


class Told(NamedTuple):
    """A plan as its topic tells it: turn and hex of the operation, and the turn on which it was planned."""

    turn: int
    hex: int
    planned: int


def topics_of(world: World) -> tuple[str, ...]:
    """The topics of the book: the units of the pools, in a scenario in which one may be planned for and enter play (WD
    27)."""
    kept = world.cache.get("special plans")
    if isinstance(kept, tuple):
        return kept
    begun = turn_number(text(world.scenario, "start", turn_name(1)))
    first = max(min(turn_number(special.DATES[pool][0]) for pool in POOLS), begun + special.LEAD)
    found = world.cache["special plans"] = tuple(sorted(pool_rows(world))) if last_turn(State(world)) >= first else ()
    return found


# --- topics -----------------------------------------------------------------------------------------------------


def read_plan(state: State, rules: Tree) -> Told | None:
    """The plan of a topic; None for an empty one and for one that can't be read."""
    if not isinstance(rules, Mapping):
        return None
    said = {name: value for name, value in rules.items() if isinstance(value, str)}
    try:
        h = state.board.find(said["hex"])
        return Told(turn_number(said["turn"]), h, turn_number(said["planned"]))
    except (KeyError, ValueError, HexError):
        return None


def topic_of(state: State, plan: Told) -> dict[str, Tree]:
    """A plan as its topic tells it."""
    return {"turn": turn_name(plan.turn), "hex": state.board.name(plan.hex), "planned": turn_name(plan.planned)}


def country_of(state: State, h: int) -> str:
    """The island or country of a hex; "" at sea."""
    info = state.board.info(h)
    return info.country if info is not None else ""


# --- what keeps a plan from being made, or from being carried out -------------------------------------------------


def new_plan_problems(state: State, uid: str, plan: Told, live: Told | None) -> list[Problem]:
    """What keeps an operation of a unit from being planned now (WD 27.A, 27.B)."""
    pool = pool_on(state.world, uid, plan.turn)
    before = None if live is None else Plan(pool, live.turn)
    wanted = Plan(pool, plan.turn, country_of(state, plan.hex))
    found = special.plan_problems(wanted, state.turn, before, used_1941(state), first_forces(state.world))
    return (found or target_problems(state, uid, plan.hex)) if pool else found


def target_problems(state: State, uid: str, h: int) -> list[Problem]:
    """What keeps a hex from being the invasion hex of a unit: by sea a hex of Malta, by air what may be dropped upon,
    in no country that stays neutral (WD 27.C, 20.E.2, 3.B)."""
    country = country_of(state, h)
    if not country:
        return [Problem("sea", RULE, f"{state.board.name(h)} is no land hex", "name a land hex", field="at")]
    if wave_of(state.world, uid) == SEABORNE and country != MALTA:
        text_ = f"{short(state.world, uid)} takes part in a seaborne invasion of Malta only"
        return [Problem("malta_only", "WD 27.C", text_, "name a hex of Malta", field="at")]
    if stays_neutral(state, h):
        text_ = f"{state.board.feature_names(h)}: {country} is neutral"
        return [Problem("neutral", "WD 3.B", text_, "name a hex of another country", field="at")]
    return [] if wave_of(state.world, uid) == SEABORNE else site_problems(site_of(state, h, SIDE))


def stays_neutral(state: State, h: int) -> bool:
    """Whether a hex lies in a country that nobody ever enters: Crete and the Levant are open later (WD 3.B, 28.C)."""
    info = state.board.info(h)
    return info is not None and info.control == NEUTRAL and info.country != CRETE


def due_problems(state: State, uid: str, plan: Told) -> list[Problem]:
    """What keeps a plan from being carried out on this turn: its dates, and a unit that is not in the pool any more."""
    pool = pool_on(state.world, uid, plan.turn)
    wanted = Plan(pool, plan.turn, country_of(state, plan.hex))
    if not pool:
        return special.plan_problems(Plan("", plan.turn), state.turn, None, used_1941(state))
    if plan.turn != state.turn:
        text_ = f"the operation of {short(state.world, uid)} is planned for {turn_name(plan.turn)}"
        return [Problem("turn", RULE, text_, "leave it out", field="units")]
    if plan.turn < plan.planned + special.LEAD:
        text_ = f"it was planned on {turn_name(plan.planned)}, less than {special.LEAD} turns ahead"
        return [Problem("lead_time", "WD 27.A.lead", text_, "leave it out", field="units")]
    dated = special.date_problems(wanted, used_1941(state), first_forces(state.world))
    dated += special.italian_problems(wanted, plan.planned)
    return dated or target_problems(state, uid, plan.hex) or _gone_problems(state, uid, pool)


def _gone_problems(state: State, uid: str, pool: str) -> list[Problem]:
    """A unit that is in play, or lost, is not in the pool any more (WD 27.B)."""
    due = text(pool_rows(state.world)[uid][pool], "turn") == turn_name(state.turn)
    kept = state.boxes.get(uid)
    if (kept is not None and kept.box == pool_box(pool)) or (due and not in_play(state, uid)):
        return []
    text_ = f"{short(state.world, uid)} is not in the pool of special forces"
    return [Problem("not_in_pool", "WD 27.B", text_, "leave it out", field="units")]


def in_play(state: State, uid: str) -> bool:
    """Whether a unit of the pools is on the map, or waits to come in as a reinforcement."""
    return uid in state.air or place_of(state, uid) not in (Place.NOWHERE, Place.POOL)


# --- orders -----------------------------------------------------------------------------------------------------


def named(order: Order) -> list[str]:
    """The units and air units that an order speaks of, each once."""
    return list(dict.fromkeys([*(order.texts("units") or order.texts("unit")), *order.texts("air")]))


class Desk:
    """The plans of a side while the orders of a turn file are read, one after the other."""

    def __init__(self, state: State, kept: Mapping[str, Tree]) -> None:
        self.state = state
        read = {uid: read_plan(state, rules) for uid, rules in kept.items()}
        self.live = {uid: plan for uid, plan in read.items() if plan is not None and plan.turn >= state.turn}
        self.rules = {uid: kept[uid] for uid in self.live}

    def take(self, order: Order) -> list[Problem]:
        """Carry an order out, or say what is wrong with it."""
        return self._cancel(order) if order.type == CANCEL else self._plan(order)

    def _cancel(self, order: Order) -> list[Problem]:
        units, now = named(order), self.state.turn
        found = []
        for uid in units:
            live = self.live.get(uid)
            plan = None if live is None else Plan(pool_on(self.state.world, uid, live.turn), live.turn)
            found += _of_unit(self.state, uid, special.cancel_problems(now, plan))
        for uid in units if not found else ():
            del self.live[uid], self.rules[uid]
        return found

    def _plan(self, order: Order) -> list[Problem]:
        state = self.state
        try:
            plan = Told(turn_number(order.text("turn")), state.board.find(order.text("at")), state.turn)
        except HexError as fault:
            return [Problem("hex", RULE, str(fault), "name the invasion hex", field="at")]
        except ValueError as fault:
            return [Problem("turn", RULE, str(fault), f"write it as {turn_name(state.turn)}", field="turn")]
        found = [
            problem
            for uid in named(order)
            for problem in _of_unit(state, uid, new_plan_problems(state, uid, plan, self.live.get(uid)))
        ]
        for uid in named(order) if not found else ():
            self.live[uid], self.rules[uid] = plan, topic_of(state, plan)
        return found


def _of_unit(state: State, uid: str, problems: Sequence[Problem]) -> list[Problem]:
    """Problems that begin with the name of the unit they are about."""
    name = short(state.world, uid)
    return [p if name in p.text else replace(p, text=f"{name}: {p.text}") for p in problems]


class WesternPlans:
    """The plans of the Axis player (theatre.secrets.SecretBook)."""

    book = BOOK
    types: tuple[str, ...] = (PLAN, CANCEL)

    def __init__(self, world: World) -> None:
        self.topics = topics_of(world)
        self.room = ROOM * len(self.topics)

    def since(self, state: State, side: str) -> int:
        """The message that ended the newest Axis initial phase before this one."""
        return max((seq for turn, seq in state.theatre.sealed if side == SIDE), default=NO_MESSAGE)

    def planning(
        self, state: State, side: str, waits: Waits, orders: Sequence[Order], kept: Callable[[], Mapping[str, Tree]]
    ) -> Planning:
        """What the orders of a turn file make of the plans; nothing where it begins no Axis player turn."""
        if not begins(state, side, waits):
            problems = {order.index: _moment(side) for order in orders}
            return Planning(problems=problems) if problems else NOTHING_PLANNED
        desk = Desk(state, kept())
        judged = {order.index: desk.take(order) for order in orders}
        due = {uid: plan for uid, plan in sorted(desk.live.items()) if plan.turn == state.turn}
        faults = {uid: due_problems(state, uid, plan) for uid, plan in due.items()}
        able = [uid for uid in due if not faults[uid]]
        return Planning(
            {uid: rules for uid, rules in desk.rules.items() if uid not in due},
            (carrying_out(state.world, able, after(orders)),) if able else (),
            tuple(proof for uid in able for proof in proofs_for(state, uid, due[uid], desk.rules[uid])),
            {index: problems for index, problems in judged.items() if problems},
            tuple(problem for problems in faults.values() for problem in problems),
        )

    def chance_orders(
        self, state: State, side: str, waits: Waits, chance: Chance, kept: Callable[[], Mapping[str, Tree]]
    ) -> list[dict[str, Tree]]:
        """Plans of chance; loaded when a program plays."""
        from adjudicator.western_desert.bot_special import plan_rows

        return plan_rows(state, chance, kept()) if begins(state, side, waits) else []

    def told(self, state: State, side: str, kept: Mapping[str, Tree]) -> list[str]:
        """The plans that stand, each with what is left to its turn."""
        desk = Desk(state, kept)
        by_plan: dict[Told, list[str]] = {}
        for uid, plan in desk.live.items():
            by_plan.setdefault(plan, []).append(uid)
        return [_line(state, plan, sorted(by_plan[plan])) for plan in sorted(by_plan)]

    def drafted(self, orders: Sequence[Order], kept: Mapping[str, Tree]) -> Iterable[Mapping[str, Tree]]:
        """The books that a turn file may have made: by the turn on which it was written, and by what was due then."""
        for turn in range(1, LAST_TURN + 1):
            yield _drafted(orders, kept, turn)


def _drafted(orders: Sequence[Order], kept: Mapping[str, Tree], turn: int) -> dict[str, Tree]:
    now = turn_name(turn)
    found: dict[str, Tree] = {
        uid: rules for uid, rules in kept.items() if isinstance(rules, dict) and rules.get("turn") != now
    }
    for order in orders:
        for uid in named(order):
            found.pop(uid, None)
            if order.type == PLAN:
                found[uid] = {"turn": order.text("turn"), "hex": order.text("at"), "planned": now}
    return found


def begins(state: State, side: str, waits: Waits) -> bool:
    """Whether the next message of a side begins an Axis player turn, in a scenario with special operations."""
    asked = (waits.why, waits.side, waits.key) == ("decision", side, INITIAL_KEY)
    return asked and side == SIDE and bool(topics_of(state.world))


def _moment(side: str) -> list[Problem]:
    if side != SIDE:
        return special.moment_problems(side, "", "")
    text_ = "special operations are planned and cancelled with the message that begins the Axis player turn"
    return [Problem("moment", RULE, text_, "put the order into that one")]


def after(orders: Sequence[Order]) -> int:
    """An index behind those of some orders."""
    return 1_000_000 + len(orders)


def carrying_out(world: World, units: Sequence[str], index: int) -> Order:
    """The order that carries out what is due."""
    data: dict[str, Tree] = {}
    for name, found in (
        ("units", [uid for uid in units if uid in world.units]),
        ("air", [uid for uid in units if uid in world.air]),
    ):
        if found:
            data[name] = [*found]
    return Order(index, CARRY_OUT, data)


def books_between(state: State, first: int) -> list[int]:
    """The messages whose books must hold a plan that was made on a turn: those of all Axis initial phases since."""
    return [seq for turn, seq in state.theatre.sealed if first <= turn < state.turn]


def proofs_for(state: State, uid: str, plan: Told, rules: Tree) -> Iterator[Proof]:
    """The topics that prove how old a plan is."""
    return (Proof(BOOK, seq, uid, rules) for seq in books_between(state, plan.planned))


def _line(state: State, plan: Told, units: Sequence[str]) -> str:
    """A plan in words, for its owner."""
    left = plan.turn - state.turn
    when = "now" if not left else f"in {left} turn{'s' if left > 1 else ''}"
    names = ", ".join(short(state.world, uid) for uid in units)
    where = f"{country_of(state, plan.hex)}, {state.board.feature_names(plan.hex)}"
    return f"Planned (WD 27.A, sealed; only you see this): {turn_name(plan.turn)}, {when}: {names} to {where}."
