"""May an attack be made? One legality for listing, checking and running (WD 9, 9.B, 9.G, 10.E, 12.C, 28.B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.advance import plan_problems
from adjudicator.western_desert.air.drops import bound_problems, left_out_problems
from adjudicator.western_desert.air.support import supported
from adjudicator.western_desert.armor import declare_problems
from adjudicator.western_desert.attack_supply import plan_supply
from adjudicator.western_desert.battle import Attack, charts_of, defenders, may_fire, switch
from adjudicator.western_desert.capture import captured_number
from adjudicator.western_desert.combat_charts import words
from adjudicator.western_desert.combat_orders import AttackOrder
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.sites import held_problems
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import printed_total
from adjudicator.western_desert.units import number


def phase_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Only the phasing player attacks and sets the order of the attacks, in his combat phase (WD 4.B, 9.B.6, 4.C)."""
    if state.phase != "combat":
        text = f"{order.type}: combat is in the combat phase, this is the {state.phase} phase"
        return [Problem("phase", "WD 4.C", text, "put the order into the section combat")]
    if side != state.player:
        text = f"the {state.player} player attacks in this phase and decides the order of the attacks"
        return [Problem("attacker_decides", "WD 9.B.6", text, "leave the order out")]
    return []


# --- one unit, one hex ------------------------------------------------------------------------------------------


def unit_problems(state: State, side: str, uid: str, h: int) -> list[Problem]:
    """What keeps a unit from attacking a hex, other units apart (WD 9, 9.B.1, 9.H.2, 28.B.3)."""
    if uid not in state.pieces or state.world.units[uid].side != side:
        return [_absent(state, side, uid)]
    unit, origin = state.unit(uid), state.hex_of(uid)
    name = unit.short or uid
    problems = []
    if state.pieces[uid].attacked:
        text = f"{name} has attacked in this phase; a unit attacks once"
        problems.append(Problem("unit_attacks_twice", "WD 9.B.1", text, "take it out of this attack", field="with"))
    if origin != h and not hexes.adjacent(origin, h):
        away = hexes.distance(origin, h)
        text = f"{name} in {state.board.name(origin)} is {away} hexes from {state.board.name(h)}, one is the limit"
        problems.append(Problem("not_adjacent", "WD 9", text, "attack from an adjacent hex", field="with"))
    elif not may_fire(state, unit, origin, h):
        problems.append(_prohibited(state, uid, origin, h))
    problems += [replace(problem, field="with") for problem in held_problems(state, uid, "attack")]
    problems += bound_problems(state, uid, h)
    if uid in state.still:
        text = f"{name} came back from Greece in this player turn; it may not move or attack in it"
        problems.append(Problem("greece", "WD 29.C.1.placing", text, "take it out of this attack", field="with"))
    force = state.world.scenario.get("attack_force")
    if state.surprise and isinstance(force, list) and not state.in_force(uid):
        text = f"{name} is not in the attack force; in the surprise turn only its units attack"
        problems.append(Problem("attack_force", "WD 28.B.3", text, "take it out of this attack", field="with"))
    return problems


def _absent(state: State, side: str, uid: str) -> Problem:
    if uid not in state.world.units:
        return Problem("no_unit", "WD 9", f"there is no unit {uid}", "name one of your units", field="with")
    unit = state.world.units[uid]
    if unit.side != side:
        text = f"{unit.short or uid} belongs to the {unit.side} side"
        return Problem("not_yours", "WD 9", text, "name one of your units", field="with")
    return Problem("not_there", "WD 9", state.off_map(uid), "take it out of this attack", field="with")


def _prohibited(state: State, uid: str, origin: int, h: int) -> Problem:
    name = state.unit(uid).short or uid
    side = charts_of(state).side(state.board.crossing(origin, h)) if origin != h else None
    if side is not None and side.fire != "all":
        text = f"{name} may not attack across {words(side.kind)} into {state.board.name(h)}; only artillery may"
        return Problem("prohibited_terrain", side.rule, text, "take it out of this attack", field="with")
    text = f"{name} may not attack into prohibited terrain: {words(state.board.terrain(h))} in {state.board.name(h)}"
    return Problem("prohibited_terrain", "WD 9.prohibited", text, "take it out of this attack", field="with")


def target_problems(state: State, side: str, h: int) -> list[Problem]:
    """What keeps a hex from being attacked at all (WD 9, 9.B.1, 9.B.2, 9.B.4)."""
    where = state.board.feature_names(h)
    here = state.enemies_at(h, side)
    if not here:
        return [Problem("no_enemy", "WD 9", f"no enemy unit stands in {where}", "attack an occupied hex", field="hex")]
    again = [uid for uid in here if state.pieces[uid].defended and not state.pieces[uid].retreated]
    if again:
        names = ", ".join(state.unit(uid).short or uid for uid in again)
        twice = f"{names} in {where} has been attacked in this phase; a unit is attacked once"
        once = f"{where} has been attacked in this phase; units of a stack attack one hex together or different hexes"
        hint = "join the units to the first attack"
        return [
            Problem("unit_attacked_twice", "WD 9.B.1", twice, hint, field="hex"),
            Problem("hex_attacked_twice", "WD 9.B.4", once, hint, field="hex"),
        ]
    if not defenders(state, Attack(side, h, ())):
        text = f"all units in {where} retreated there in this phase; a unit is attacked once in a phase"
        return [Problem("only_retreated", "WD 9.B.1", text, "attack another hex", field="hex")]
    return []


def shielded(state: State, side: str, h: int) -> bool:
    """True where units that retreated into the hex shield it, by the switch of ruling RETREAT-ATTACKED."""
    if switch(state, "retreated_units", "share_result") != "shield":
        return False
    return any(state.pieces[uid].retreated for uid in state.enemies_at(h, side))


# --- a whole attack ---------------------------------------------------------------------------------------------


def attack_problems(state: State, attack: Attack) -> list[Problem]:
    """Everything that is wrong with an attack as things stand now."""
    problems = target_problems(state, attack.side, attack.hex)
    for uid in attack.units:
        problems += unit_problems(state, attack.side, uid, attack.hex)
    if problems:
        return problems
    return left_out_problems(state, attack) + _zero_problems(state, attack) + _declare_problems(state, attack)


def _zero_problems(state: State, attack: Attack) -> list[Problem]:
    """Units without attack strength may join an attack but not make one (WD 9.G, 9.G.attack)."""
    if printed_total(state, attack.units, attacking=True) > 0:
        return []
    names = ", ".join(state.unit(uid).short or uid for uid in attack.units)
    text = f"{names}: attack strength 0 in all; units of strength 0 may join an attack but not attack by themselves"
    return [Problem("zero_attack", "WD 9.G.attack", text, "add a unit with an attack strength", field="with")]


def _declare_problems(state: State, attack: Attack) -> list[Problem]:
    against = defenders(state, attack)
    units = [uid for uid in sorted(attack.declare) if uid in attack.units or uid in against]
    return [
        Problem(
            "only_half_capable_units",
            "WD 10.E",
            f"{state.unit(uid).short or uid} is not half capable in {category.upper()}; only such units have a choice",
            "leave it out",
            field="neutral",
        )
        for uid, category in declare_problems(state, attack, units)
    ]


def low_problems(state: State, attack: Attack) -> list[Problem]:
    """Odds below 1:3, where the switch of ruling ODDS-LOW forbids such an attack. Odds that sink below while the phase
    runs call the attack off."""
    if switch(state, "odds_below_1_3", "ae") != "forbid":
        return []
    found = odds(state, attack)
    if found.column != "none":
        return []
    ratio = f"{number(found.attack_total)} against {number(found.defense_total)}"
    hint = "add strength or leave the attack out"
    return [Problem("odds_low", "WD 9.A.3", f"{ratio} is below 1:3", hint, field="with")]


# --- a section --------------------------------------------------------------------------------------------------


def plan_of(state: State, plan: AttackOrder, side: str) -> Attack:
    """The attack of an order with the air support over its hex, before supply is traced (WD 20.F.2.c, 20.F.2.d)."""
    return supported(state, Attack(side, plan.hex, plan.units, declare=plan.declare))


def order_problems(state: State, side: str, plan: AttackOrder) -> list[Problem]:
    """What is wrong with one attack order as things stand, its supply and its advance included."""
    attack = plan_of(state, plan, side)
    problems = attack_problems(state, attack)
    if not problems:
        supplied = plan_supply(state, side, plan.units, plan.wishes).supplied
        problems += low_problems(state, replace(attack, supplied=supplied))
    problems += supply_problems(state, side, plan)
    return problems + plan_problems(state, attack, plan.advance)


def supply_problems(state: State, side: str, plan: AttackOrder) -> list[Problem]:
    """Counters named for attack supply that are not there, not yours, or have fewer steps (WD 12.C).

    What may yet be captured may be named; where it is not, the attack goes without (ruling ATTACK-SUPPLY-TIME).
    """
    problems = []
    for i, wish in enumerate(plan.wishes):
        counter, at = state.supply.get(wish.counter), f"supply[{i}]"
        captured = captured_number(wish.counter, side)
        if (counter is None or counter.side != side) and captured <= state.captured:
            text = f"{wish.counter} is no supply counter of the {side} side"
            own = ", ".join(sorted(sid for sid, c in state.supply.items() if c.side == side)) or "none"
            problems.append(Problem("no_counter", "WD 12.C", text, f"you have {own}", field=at))
        elif counter is not None and not captured and wish.steps > counter.steps + (1 if counter.drawn2 else 0):
            text = f"{wish.counter} has {counter.steps} steps, the attack names {wish.steps}"
            problems.append(Problem("too_many_steps", "WD 12.C.capacity", text, "name fewer steps", field=at))
        strange = [uid for uid in wish.units if uid not in plan.units]
        if strange:
            text = f"{', '.join(strange)} draws supply from {wish.counter} but is not in the attack"
            problems.append(Problem("supply_units", "WD 12.C", text, "name attacking units", field=f"{at}.units"))
    return problems


def joint_problems(state: State, plan: AttackOrder, before: Sequence[AttackOrder]) -> list[Problem]:
    """What is wrong with an attack beside the attacks ordered before it, whatever the dice say (WD 9.B.1, 9.B.4)."""
    problems = []
    for other in before:
        both = [uid for uid in plan.units if uid in other.units]
        if both:
            names = ", ".join(state.unit(uid).short or uid for uid in both)
            text = f"{names} attacks {state.board.name(other.hex)} in this phase already; a unit attacks once"
            hint = "take it out of one of the two attacks"
            problems.append(Problem("unit_attacks_twice", "WD 9.B.1", text, hint, field="with"))
        if other.hex == plan.hex:
            where = state.board.feature_names(plan.hex)
            twice = f"the units in {where} are attacked in this phase already; a unit is attacked once"
            once = f"two attacks on {where}; each hex attacked is one combat"
            hint = "join the units to the first attack"
            problems.append(Problem("unit_attacked_twice", "WD 9.B.1", twice, hint, field="hex"))
            problems.append(Problem("hex_attacked_twice", "WD 9.B.4", once, hint, field="hex"))
    return problems


# --- listing ----------------------------------------------------------------------------------------------------


def attack_options(state: State, side: str) -> dict[int, tuple[str, ...]]:
    """Which units may attack which hex now: the atoms of attacks. An attack is lawful when its hex is listed, its
    units are listed there, and the joint conditions hold (no unit twice, attack strength above 0)."""
    found: dict[int, list[str]] = {}
    targets: dict[int, bool] = {}
    for uid in state.side_units(side):
        origin = state.hex_of(uid)
        for h in (origin, *hexes.neighbours(origin)):
            if h not in state.at or not state.enemy_in(h, side):
                continue
            if h not in targets:
                targets[h] = not target_problems(state, side, h)
            if targets[h] and not unit_problems(state, side, uid, h):
                found.setdefault(h, []).append(uid)
    return {h: tuple(sorted(units)) for h, units in sorted(found.items())}
