"""Warnings about lawful orders that their author may not mean so: attacks below the table or without the supply that is
in reach, and orders that can do nothing as things stand. They change nothing and are made for `check` and `sign` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from adjudicator.engine.core import Order, Problem, texts_of
from adjudicator.western_desert.air.clause_remarks import AIR_TOPICS, air_decides, air_named, air_says_nothing
from adjudicator.western_desert.attack_supply import SupplyPlan, Wish, plan_supply
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.combat_orders import AttackOrder
from adjudicator.western_desert.losses import has_cadre
from adjudicator.western_desert.odds import DIE, Odds
from adjudicator.western_desert.orders import ANY
from adjudicator.western_desert.results import Duties, battle_of, duties
from adjudicator.western_desert.retreat import stands
from adjudicator.western_desert.standing import Clause, clauses, hex_in
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import counters_in_reach
from adjudicator.western_desert.units import number
from adjudicator.western_desert.words import names, supply_name

LOW = "add strength, or set min_odds: 1:3 to call it off"
NOW = "as things stand"
OUT = "leave it out"


# --- one attack -------------------------------------------------------------------------------------------------


def attack_remarks(state: State, plan: AttackOrder, supply: SupplyPlan, found: Odds, clause: str) -> list[Problem]:
    """What is odd about an attack at its moment. ``clause`` is the condition that calls it off, or ""."""
    if clause:
        return [Problem("called_off", "WD 9.B.6", f"{NOW} the attack is called off: {clause}", "mind the condition")]
    said = list(_unsupplied(state, plan, supply))
    if found.column == "none":
        ratio = f"{number(found.attack_total)} against {number(found.defense_total)}"
        text = f"{ratio} is below 1:3: all attackers are eliminated without a die (ruling ODDS-LOW)"
        said.append(Problem("odds_low", "WD 9.A.3", text, LOW, field="with"))
    return said


def _unsupplied(state: State, plan: AttackOrder, supply: SupplyPlan) -> Iterator[Problem]:
    """Attackers that fight with half their strength or less though a counter could serve them (WD 12.C)."""
    side = state.world.units[plan.units[0]].side
    near = dict.fromkeys(sid for uid in plan.units for sid in counters_in_reach(state, side, state.hex_of(uid)))
    best = plan_supply(state, side, plan.units, [Wish(sid, max(1, state.supply[sid].steps)) for sid in near])
    more = sorted(best.supplied - supply.supplied)
    if more:
        re2 = sum(state.unit(uid).re2 for uid in more)
        where = ", ".join(_counter(state, draw.counter) for draw in best.draws)
        text = (
            f"{names(state, more)} ({number(Fraction(re2, 2))} RE) attack without attack supply, at half strength or "
            f"less, though {where} is in reach"
        )
        wanted = ", ".join(f"{draw.counter}:{max(1, draw.steps)}" for draw in best.draws)
        yield Problem("no_attack_supply", "WD 12.C", text, f"write supply: {wanted}", field="supply")
    elif supply.short:
        text = f"{NOW} the counters named do not serve {names(state, supply.short)}, which attack without attack supply"
        yield Problem("no_attack_supply", "WD 12.C", text, "name a counter with steps left in reach", field="supply")


def _counter(state: State, sid: str) -> str:
    return f"{supply_name(state, sid)} in {state.board.feature_names(state.supply[sid].hex)}"


# --- what no result of an attack can ask ------------------------------------------------------------------------


def idle_choices(state: State, attack: Attack, found: Odds, order: Order) -> list[Problem]:
    """Losses, retreats and advances told ahead that no result of the attack asks for. ``order`` is the attack itself
    or one that stands behind it."""
    asked = outcomes(state, found)
    said: list[Problem] = []
    at_odds = f"no result of the attack, {found.ratio_text()},"
    wants_losses = order.type == "losses" or _first(order, "losses", "never")
    if wants_losses and not any(_own_choice(attack, duty) for duty in asked):
        said.append(_idle("WD 9.C", f"{at_odds} leaves the attacker a choice of losses", wants_losses))
    wants_retreat = order.type == "retreat" or (order.type == "attack" and _first(order, "retreat"))
    if wants_retreat and not any(_own_retreat(state, attack, duty) for duty in asked):
        said.append(_idle("WD 9.F.1", f"{at_odds} drives an attacker back", wants_retreat))
    wants_advance = order.type == "advance" or (order.type == "attack" and _first(order, "advance"))
    if wants_advance and not any(_clears(attack, duty) for duty in asked):
        said.append(_idle("WD 9.F.2", f"{at_odds} clears the hex, so nobody can advance", wants_advance))
    return said


def outcomes(state: State, found: Odds) -> list[Duties]:
    """What each result that the dice can give would ask of the two sides."""
    battle = battle_of(state, found)
    results = [found.settled] if found.settled else sorted({found.result(die) for die in DIE})
    return [duties(state, battle, result) for result in results]


def _first(order: Order, *fields: str) -> str:
    return next((name for name in fields if name in order.data), "")


def _idle(rule: str, text: str, field: str | bool) -> Problem:
    return Problem("idle", rule, text, OUT, field=field if isinstance(field, str) else "")


def _own_choice(attack: Attack, duty: Duties) -> bool:
    return duty.choice is not None and duty.choice.side == attack.side and not duty.choice.forced


def _own_retreat(state: State, attack: Attack, duty: Duties) -> bool:
    """Whether some attacker may have to retreat: by the result, as a survivor, or as a cadre that stays."""
    able = [uid for uid in attack.units if not stands(state, uid)]
    hit = {*duty.eliminated, *duty.retreat} & set(able)
    if any(uid in duty.retreat or has_cadre(state.unit(uid)) for uid in hit):
        return True
    return duty.survivors and duty.choice is not None and duty.choice.side == attack.side and bool(able)


def _clears(attack: Attack, duty: Duties) -> bool:
    """Whether the result takes every defender away; an exchange does where the defender is the weaker side."""
    if duty.result in ("DE", "DR", "DH", "auto"):
        return True
    return duty.weaker == "defender"


def idle_answers(state: State, orders: Sequence[Order]) -> Iterator[tuple[Order, Problem]]:
    """Answers in the section ``combat`` to choices of attacks that it does not order, and second words on one hex."""
    targets = {hex_in(state, order.text("hex")) for order in orders if order.type == "attack"}
    labels = {state.board.label(h) for h in targets if h is not None}
    spoken: set[str] = set()
    for order in orders:
        if order.type == "answer" and order.text("to").split("/")[1:2] not in ([label] for label in labels):
            text = f"the choice {order.text('to')} is about a hex that no attack of the section is made on"
            yield order, Problem("idle", "WD 9.C", text, OUT, field="to")
        if order.type == "losses" or (order.type == "attack" and _first(order, "losses", "never")):
            where = order.text("hex")
            if where in spoken:
                text = f"losses in the attack on {where} are told twice; what is told first holds"
                yield order, Problem("idle", "WD 9.C", text, OUT)
            spoken.add(where)


# --- standing orders --------------------------------------------------------------------------------------------


def standing_remarks(state: State, order: Order) -> list[Problem]:
    """Clauses of a standing order that say nothing, that none gets as far as, or whose units have left the game."""
    said: list[Problem] = []
    topic, final = order.text("topic"), 0
    for n, clause in clauses(order.data.get("rules", [])):
        path = f"rules[{n - 1}]"
        if final:
            said.append(_clause(path, f"clause {n} is never reached: clause {final} decides in every case"))
        elif _says_nothing(topic, clause):
            said.append(_clause(path, f"clause {n} names nothing to be done"))
        elif _decides(topic, clause):
            final = n
        for name in ("unit", "order", "never"):
            for i, uid in enumerate(texts_of(clause.get(name))):
                if uid in state.gone:
                    said.append(_clause(f"{path}.{name}[{i}]", f"clause {n}: {state.off_map(uid)}"))
        if topic in AIR_TOPICS:
            said += [_clause(f"{path}.{at}", f"clause {n}: {what}") for at, what in air_named(state, topic, clause)]
    return said


def _says_nothing(topic: str, clause: Clause) -> bool:
    if topic in AIR_TOPICS:
        return air_says_nothing(topic, clause)
    return topic != "supply" and not clause.keys() & {"order", "never", "prefer", "split"}


def _clause(path: str, text: str) -> Problem:
    return Problem("idle", "WD 9.C", f"standing order: {text}", OUT, field=path)


def _decides(topic: str, clause: Clause) -> bool:
    """True for a clause that settles every choice of its topic, so that none behind it is read."""
    if topic in AIR_TOPICS:
        return air_decides(topic, clause)
    if topic == "retreat":
        return False
    named = texts_of(clause.get("counter" if topic == "supply" else "stack"))
    return not named or ANY in named
