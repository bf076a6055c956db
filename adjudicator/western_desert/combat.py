"""The combat phase (WD 4.A.4, 9): the attacks of the phasing player in his order, each carried out at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.advance import advancing, cleared, plan_problems
from adjudicator.western_desert.air.drops import DUTY_RULE, duties_left
from adjudicator.western_desert.air.homecoming import land_after_combat
from adjudicator.western_desert.air.support import idle_support, supported
from adjudicator.western_desert.air.supporting import met
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.attack_check import (
    attack_problems,
    joint_problems,
    low_problems,
    order_problems,
    phase_problems,
    plan_of,
    shielded,
)
from adjudicator.western_desert.attack_supply import SupplyPlan, plan_supply
from adjudicator.western_desert.battle import Attack, closed_to
from adjudicator.western_desert.combat_charts import RESULT_NAMES, RESULT_RULES
from adjudicator.western_desert.combat_orders import AttackOrder, read_attack, stranger_problems
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.entering import driven_out, entered
from adjudicator.western_desert.odds import Odds, at_least, odds
from adjudicator.western_desert.orders import misplaced
from adjudicator.western_desert.remarks import attack_remarks, idle_choices
from adjudicator.western_desert.results import battle_of, carry_out
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State
from adjudicator.western_desert.stores import STORES, early_problems, handle_supply
from adjudicator.western_desert.words import short_name

QUIET = ("losses", "retreat", "answer", "standing", "pass")
ROLLS_AT_MOST = 50
Seqs = tuple[int, ...]


@dataclass
class _Phase:
    """What a combat phase knows of itself while it runs: nothing here outlives the step."""

    side: str
    by: Seqs
    plans: dict[int, AttackOrder] = field(default_factory=dict)
    last: Attack | None = None
    orders: Sequence[Order] = ()


def combat_phase(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Seqs) -> Proc[None]:
    """Run the section ``combat``: first refuse what no die can make lawful, then attack after attack (WD 9.B.6)."""
    phase = _Phase(side, tuple(sorted(set(by))))
    fit = phase.orders = _refuse(ctx, phase, orders)
    _remark_support(ctx, phase)
    for order in fit:
        if order.type == "attack":
            yield from _attack(ctx, phase, order)
        elif order.type == "advance":
            yield from _advance_order(ctx, phase, order)
        elif order.type in STORES:
            handle_supply(ctx, side, order, phase.by)
    yield from _forced(ctx, phase)
    yield from land_after_combat(ctx)
    lapse(ctx, phase.by)


# --- before the first die ---------------------------------------------------------------------------------------


def _refuse(ctx: Ctx[State], phase: _Phase, orders: Sequence[Order]) -> list[Order]:
    """Void what is wrong whatever the dice say, so that `check` can call it illegal; returns the other orders."""
    plans: dict[int, AttackOrder] = {}
    fit: list[Order] = []
    for order, problems, plan in checked(ctx.state, phase.side, orders):
        if problems:
            ctx.void(order, problems, phase.by)
        else:
            fit.append(order)
            if plan is not None:
                plans[order.index] = plan
    phase.plans = plans
    return fit


def _remark_support(ctx: Ctx[State], phase: _Phase) -> None:
    """Warn of ground support over hexes that nobody is to attack."""
    if ctx.remarks is not None:
        attacked = {plan.hex for plan in phase.plans.values()} | duties_left(ctx.state, phase.side).keys()
        seq = max(phase.by, default=ctx.on)
        ctx.remarks += [replace(said, seq=seq) for said in idle_support(ctx.state, phase.side, attacked)]


def checked(state: State, side: str, orders: Sequence[Order]) -> list[tuple[Order, list[Problem], AttackOrder | None]]:
    """Every order of the section with what is wrong with it in the position before the phase. Pure."""
    made: list[AttackOrder] = []
    found: list[tuple[Order, list[Problem], AttackOrder | None]] = []
    for order in orders:
        plan, problems = None, phase_problems(state, side, order)
        if not problems and order.type == "attack":
            plan, problems = read_attack(state, order)
            if plan is not None:
                problems += order_problems(state, side, plan) + joint_problems(state, plan, made)
                if not problems:
                    made.append(plan)
        elif not problems:
            problems = _other_problems(state, side, order, made)
        found.append((order, problems, plan))
    return found


def _other_problems(state: State, side: str, order: Order, made: Sequence[AttackOrder]) -> list[Problem]:
    if order.type in ("losses", "advance"):
        return _about_attack(state, side, order, made)
    if order.type == "retreat":
        return _retreat_problems(state, side, order, made)
    if order.type in STORES:
        return early_problems(state, side, order)
    if order.type in QUIET:
        return []
    return [misplaced(order, "combat")]


def _retreat_problems(state: State, side: str, order: Order, made: Sequence[AttackOrder]) -> list[Problem]:
    """A retreat told ahead of a unit that attacks, to where a retreat can lead: one hex away, then hex by hex."""
    attackers = {uid for plan in made for uid in plan.units}
    named = order.texts("unit") or order.texts("units")
    idle = [uid for uid in named if uid not in attackers]
    if idle or not named:
        who = ", ".join(short_name(state, uid) for uid in idle) or "nobody"
        text = f"{who} is in no attack ordered before, so no result can make it retreat"
        return [Problem("idle_unit", "WD 9.F.1", text, "put the line after the attack, or leave it out")]
    field = "path" if "path" in order.data else "to"
    ends = [h for h in (hex_in(state, name) for name in order.texts(field)) if h is not None]
    starts = sorted({state.hex_of(uid) for uid in named})
    far = [h for h in starts if not any(hexes.adjacent(h, n) for n in (ends[:1] if field == "path" else ends))]
    if far:
        wanted = ", ".join(order.texts(field))
        text = f"a retreat from {state.board.name(far[0])} goes one hex; {wanted} is not next to it"
        uid = next(uid for uid in named if state.hex_of(uid) == far[0])
        open_to = (n for n in hexes.neighbours(far[0]) if not closed_to(state, far[0], n, uid))
        near = [n for n in open_to if not state.enemy_in(n, side)]
        around = ", ".join(state.board.name(n) for n in near)
        return [Problem("retreat_hex", "WD 9.F.1", text, f"choose from {around}", field=field)]
    for i, (a, b) in enumerate(pairwise(ends if field == "path" else ()), 1):
        if not hexes.adjacent(a, b):
            text = f"{state.board.name(b)} is not next to {state.board.name(a)}: a retreat goes hex by hex"
            return [Problem("retreat_hex", "WD 9.F.1", text, "name hex after hex", field=f"path[{i}]")]
    return []


def _about_attack(state: State, side: str, order: Order, made: Sequence[AttackOrder]) -> list[Problem]:
    """Losses and advances speak of an attack ordered before; an advance of the last one before it (WD 9.F.2)."""
    name = "hex" if order.type == "losses" else "to"
    h = hex_in(state, order.text(name))
    plan = next((p for p in reversed(made) if p.hex == h), None)
    where = order.text(name) or "no hex"
    if plan is None:
        text = f"{order.type}: no attack on {where} is ordered before"
        rule = "WD 9.C" if order.type == "losses" else "WD 9.F.2"
        return [Problem("no_attack", rule, text, "put the line after the attack on that hex", field=name)]
    if order.type == "losses":
        return stranger_problems(state, order, plan.units, ("units", "never"))
    if plan is not made[-1]:
        text = f"the advance into {where} stands after another attack; it must be made at once, before any other attack"
        return [Problem("late_advance", "WD 9.F.2", text, "put it right after its attack", field=name)]
    return plan_problems(state, plan_of(state, plan, side), sorted({*plan.advance, *order.texts("units")}))


# --- one attack -------------------------------------------------------------------------------------------------


def _attack(ctx: Ctx[State], phase: _Phase, order: Order) -> Proc[None]:
    """One attack at its moment: its conditions, its legality, its supply, the fight, the advance."""
    state, plan = ctx.state, phase.plans[order.index]
    phase.last = None
    if shielded(state, phase.side, plan.hex):
        _skip(ctx, phase, plan, "WD 9.B.1", "units that retreated there shield the hex")
        return
    supply = plan_supply(state, phase.side, plan.units, plan.wishes)
    attack = replace(plan_of(state, plan, phase.side), supplied=supply.supplied)
    problems = attack_problems(state, attack)
    if problems:
        ctx.void(order, problems, phase.by)
        return
    found = odds(state, attack)
    clause = skip_clause(state, attack, plan, supply, found)
    ctx.remark(order, lambda: attack_remarks(state, plan, supply, found, clause), phase.by)
    _remark_choices(ctx, phase, attack, found, order)
    if clause:
        _skip(ctx, phase, plan, "WD 9.B.6", clause)
        return
    _pay(ctx, supply, plan, phase.by)
    yield from fight(ctx, attack, phase.by, str(order.index))
    phase.last = attack
    yield from advance(ctx, attack, plan.advance, plan.advance_all, phase.by)


def _remark_choices(ctx: Ctx[State], phase: _Phase, attack: Attack, found: Odds, order: Order) -> None:
    """Warn of what is told ahead, with the attack or behind it, for results that it can't have."""
    state = ctx.state
    for other in phase.orders:
        about = hex_in(state, other.text("to" if other.type == "advance" else "hex")) == attack.hex
        about = about and other.type in ("losses", "advance")
        driven = other.type == "retreat" and {*other.texts("unit"), *other.texts("units")} <= {*attack.units}
        if other is order or about or driven:
            ctx.remark(other, partial(idle_choices, state, attack, found, other), phase.by)


def skip_clause(state: State, attack: Attack, plan: AttackOrder, supply: SupplyPlan, found: Odds) -> str:
    """The condition of the order by which the attack is called off, or "" (pbem C1, ruling ATTACK-SUPPLY-TIME)."""
    if low_problems(state, attack):
        return f"the odds have sunk below 1:3: {found.ratio_text()}"
    if plan.if_unsupplied == "skip" and supply.short:
        return f"if_unsupplied skip: {', '.join(supply.short)} would be without attack supply"
    if plan.min_odds and not at_least(found.charts, found.column, plan.min_odds):
        return f"min_odds {plan.min_odds}: the odds are {found.ratio_text()}"
    return ""


def _skip(ctx: Ctx[State], phase: _Phase, plan: AttackOrder, rule: str, clause: str) -> None:
    where = ctx.state.board.name(plan.hex)
    data: dict[str, Tree] = {"order": str(plan.order.index), "hex": where, "with": list(plan.units), "clause": clause}
    ctx.emit("skipped", rule, phase.by, PUBLIC, **data)


def _pay(ctx: Ctx[State], supply: SupplyPlan, plan: AttackOrder, by: Seqs) -> None:
    """Spend the steps of attack supply; what a step has left serves later attacks of the phase (STEP-SPLIT)."""
    for draw in supply.draws:
        ctx.emit(
            "supply-used",
            "WD 12.C",
            by,
            counter=draw.counter,
            use="attack",
            side=ctx.state.supply[draw.counter].side,
            units=list(draw.units),
            hex=ctx.state.board.name(plan.hex),
            steps=str(draw.steps),
            re=mp_text(draw.re2),
            left=str(draw.left),
            spare=mp_text(draw.spare2),
            order=str(plan.order.index),
        )


def _forced(ctx: Ctx[State], phase: _Phase) -> Proc[None]:
    """Units that were dropped on enemy units and have not attacked them do so now by themselves, whatever the odds (WD
    25.C.must; pbem C9)."""
    state = ctx.state
    for h, units in duties_left(state, phase.side).items():
        attack = supported(state, Attack(phase.side, h, units))
        problems = attack_problems(state, attack)
        if problems:
            data: dict[str, Tree] = {"order": "", "hex": state.board.name(h), "with": [*units]}
            ctx.emit("skipped", problems[0].rule, phase.by, PUBLIC, **data, clause=problems[0].text)
        else:
            yield from fight(ctx, attack, phase.by)


def fight(ctx: Ctx[State], attack: Attack, by: Seqs, order: str = "") -> Proc[str]:
    """Resolve one lawful attack (WD 9.A): antiaircraft at defensive support, strengths, die, result, losses and
    retreats. Returns the result.

    ``order`` is the index of the order it is from; of an attack that nobody ordered it is "", and WD 25.C.must asks it.
    """
    state = ctx.state
    attack = yield from met(ctx, attack, by)
    found = odds(state, attack)
    battle = battle_of(state, found, by)
    data: dict[str, Tree] = {
        "hex": state.board.name(attack.hex),
        "side": attack.side,
        "with": list(attack.units),
        "defenders": list(battle.defenders),
        "order": order,
    }
    rule = "WD 9.A" if order else DUTY_RULE
    ctx.emit("attack", rule, by, PUBLIC, **data, **found.as_data())
    shared = any(state.hex_of(uid) == attack.hex for uid in attack.units)
    result = yield from roll_result(ctx, found, by, shared)
    yield from carry_out(ctx, battle, result)
    yield from _capture(ctx, attack, by)
    return result


def _capture(ctx: Ctx[State], attack: Attack, by: Seqs) -> Proc[None]:
    """Who was dropped on the enemy and has driven him out captures what is in the hex (ruling CAPTURE-DROP)."""
    state = ctx.state
    here = [uid for uid in attack.units if uid in state.pieces and state.hex_of(uid) == attack.hex]
    here = [] if state.enemy_in(attack.hex, attack.side) else here
    for uid in here[:1]:
        yield from driven_out(ctx, uid, attack.hex, by)


def roll_result(ctx: Ctx[State], found: Odds, by: Seqs, shared: bool = False) -> Proc[str]:
    """The die and what it means; none is rolled below the table or against defenders without strength.

    Where both sides are in one hex (``shared``), no effect is rolled again until something else comes (WD 25.C.NE).

    WD 3.D.3.
    """
    if found.settled:
        _tell(ctx, found, found.settled, by)
        return found.settled
    attack = found.attack
    label = f"combat/{ctx.state.board.label(attack.hex)}/crt"
    result = "NE"
    for number in range(1, ROLLS_AT_MOST + 1):
        this = label if number == 1 else f"{label}#{number}"
        (die,) = yield from ctx.roll(Roll(this, "combat", assume=(found.mildest_die(not shared),), who=attack.side))
        result = found.result(die)
        _tell(ctx, found, result, by, this, die, shared)
        if result != "NE" or not shared:
            break
    return result


def _tell(
    ctx: Ctx[State],
    found: Odds,
    result: str,
    by: Seqs,
    label: str = "",
    die: int | None = None,
    shared: bool = False,
) -> None:
    rolled = {} if die is None else {"die": str(die), "used": str(found.die_used(die)), "drm": str(found.drm)}
    rolled |= {"shared": "yes"} if shared else {}
    ctx.emit(
        "result",
        RESULT_RULES[result] if die is None else "WD 9.A.4",
        by,
        hex=ctx.state.board.name(found.attack.hex),
        column=found.column,
        label=label,
        result=result,
        means=RESULT_NAMES[result],
        **rolled,
    )


# --- advances ---------------------------------------------------------------------------------------------------


def advance(ctx: Ctx[State], attack: Attack, units: Iterable[str], everyone: bool, by: Seqs) -> Proc[None]:
    """Advance at once into a cleared hex (WD 9.F.2): who was named, or everyone that fits."""
    state = ctx.state
    named = tuple(units)
    if not (named or everyone) or not cleared(state, attack):
        return
    goes, stays = advancing(state, attack, named, everyone)
    for uid, why in stays:
        ctx.emit("stays", "WD 9.F.2", by, unit=uid, hex=state.board.name(state.hex_of(uid)), why=why)
    for uid in goes:
        yield from _enter(ctx, uid, attack.hex, by)


def _enter(ctx: Ctx[State], uid: str, to: int, by: Seqs) -> Proc[None]:
    state, origin = ctx.state, ctx.state.hex_of(uid)
    if origin == to:
        return
    name = state.board.name
    data: dict[str, Tree] = {"unit": uid, "from": name(origin), "to": name(to)}
    ctx.emit("advance", "WD 9.F.2", by, PUBLIC, **data)
    settle(ctx, (origin, to), by=by)
    yield from entered(ctx, uid, to, by)


def _advance_order(ctx: Ctx[State], phase: _Phase, order: Order) -> Proc[None]:
    """An advance written as an order of its own, after its attack. Without a cleared hex it is only skipped."""
    state, attack = ctx.state, phase.last
    if attack is None or attack.hex != hex_in(state, order.text("to")) or not cleared(state, attack):
        clause = "the hex is not cleared" if attack is not None else "the attack was not made"
        ctx.emit("skipped", "WD 9.F.2", phase.by, order=str(order.index), hex=order.text("to"), clause=clause)
        return
    yield from advance(ctx, attack, order.texts("units"), False, phase.by)


# --- the end ----------------------------------------------------------------------------------------------------


def lapse(ctx: Ctx[State], by: Seqs) -> None:
    """At the end of the phase what is left of a paid step lapses, and counters without steps go (STEP-SPLIT)."""
    empty = sorted(sid for sid, counter in ctx.state.supply.items() if counter.steps == 0)
    if empty:
        ctx.emit("supply-spent", "WD 12.C", by, counters=list(empty))
