"""``odds``: an attack as the program would work it out, its chances, and what it costs both sides (WD 9).

The figures are those of :func:`odds.odds`. For losses the attack is fought by :func:`combat.fight` once for every way
the dice can fall, with the choices that standing orders, the draft's words or the defaults make. Of sealed standing
orders those count that whoever asks may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from adjudicator.engine.borrowed import OneStep
from adjudicator.engine.branches import TooMany, branches
from adjudicator.engine.core import Ctx, Event, Order, Problem, Proc, Roll, Tree
from adjudicator.engine.counting import counted
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.driver import Checkpoint, Game, Message, play
from adjudicator.engine.queries import Reply, Scene, percent
from adjudicator.engine.tolls import Toll, amount, expected
from adjudicator.western_desert.attack_check import (
    attack_options,
    attack_problems,
    order_problems,
    plan_of,
    target_problems,
)
from adjudicator.western_desert.attack_supply import SupplyPlan, plan_supply
from adjudicator.western_desert.battle import Attack, defenders, sharing
from adjudicator.western_desert.combat import advance, fight
from adjudicator.western_desert.combat_charts import MILDNESS, RESULT_NAMES
from adjudicator.western_desert.combat_orders import AttackOrder, read_attack
from adjudicator.western_desert.odds import Odds, odds
from adjudicator.western_desert.queries.armor import armor_lines, armor_tree
from adjudicator.western_desert.queries.stage import in_combat
from adjudicator.western_desert.remarks import attack_remarks
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.strength import ZERO, Share
from adjudicator.western_desert.units import number
from adjudicator.western_desert.words import joined, moment, names, short_name, supply_name

RUNS_AT_MOST = 400
SILENCES = 40
SIDES_OF = ("attackers", "defenders")
MEASURES = ("strength", "re")


def odds_reply(table: Game[State], scene: Scene, asked: Order) -> Reply:
    """The attack with its figures, chances and losses."""
    order = _attack_order(asked)
    state = in_combat(scene.state, _attacker(scene, order))
    if not order.texts("with"):
        order = _with_all(state, order)
        if not order.texts("with"):
            return Reply(problems=_nobody(state, state.board.find(order.text("hex"))))
    plan, problems = read_attack(state, order)
    if plan is None:
        return Reply(problems=problems)
    side = state.player
    problems += order_problems(state, side, plan)
    supply = plan_supply(state, side, plan.units, plan.wishes)
    attack = replace(plan_of(state, plan, side), supplied=supply.supplied)
    if attack_problems(state, attack):
        return Reply(problems=problems)
    found = odds(state, attack)
    tolls = tolls_of(table, scene, state, plan, attack, found)
    remarks = attack_remarks(state, plan, supply, found, "")
    lines = _lines(scene, state, supply, found, tolls, remarks)
    return Reply(lines, _tree(state, found, tolls, remarks), reasons=problems)


def _attacker(scene: Scene, order: Order) -> str:
    """The side of the first unit named; an attack of the other side may be asked for, too."""
    named = order.texts("with")
    unit = scene.state.world.units.get(named[0]) if named else None
    return unit.side if unit is not None and unit.side in ENEMY else scene.side


def _attack_order(asked: Order) -> Order:
    data: dict[str, Tree] = {name: value for name, value in asked.data.items() if name != "subject"}
    return Order(0, "attack", {"hex": asked.text("subject"), **data})


def _with_all(state: State, order: Order) -> Order:
    """The attack by all units that may make it; unchanged where there are none."""
    able = attack_options(state, state.player).get(state.board.find(order.text("hex")), ())
    return replace(order, data={**order.data, "with": [*able]}) if able else order


def _nobody(state: State, h: int) -> list[Problem]:
    """Why there is no attack on a hex at all."""
    where, side = state.board.feature_names(h), state.player
    text = f"no {side} unit stands where it may attack {where}"
    hint = "name attackers to hear why each may not, or a draft that moves them there"
    return target_problems(state, side, h) or [Problem("no_units", "WD 9", text, hint, field="with")]


# --- every way the dice can fall --------------------------------------------------------------------------------


def tolls_of(
    table: Game[State], scene: Scene, state: State, plan: AttackOrder, attack: Attack, found: Odds
) -> dict[str, Toll]:
    """Each result with its exact chance and losses; without losses where the dice can fall in too many ways."""
    seq = max((message.seq for message in scene.messages), default=scene.at) + 2
    spoken = Message(seq, attack.side, (plan.order,))
    silent = [Message(seq + n, attack.side if n % 2 == 0 else ENEMY[attack.side]) for n in range(1, SILENCES)]
    messages = [*scene.messages, spoken, *silent]  # who wants to be asked is taken to say nothing
    start = Checkpoint(state, seq, 0, (*scene.answered, seq))

    def attacking(ctx: Ctx[State]) -> Proc[None]:
        yield from fight(ctx, attack, (seq,), "0")
        yield from advance(ctx, attack, plan.advance, plan.advance_all, (seq,))

    def once(dice: DiceSource) -> tuple[State, list[Event]]:
        run = play(OneStep(table, "combat", attacking), start, messages, dice, books=scene.books)
        return run.state, run.events

    tolls: dict[str, Toll] = {}
    try:
        for branch in branches(once, RUNS_AT_MOST, _counts):
            _count(tolls, state, attack, branch.chance, *branch.result)
    except TooMany:
        return {result: Toll(chance) for result, chance in found.chances().items()}
    return {result: tolls[result] for result in (*MILDNESS, "auto") if result in tolls}


def _counts(roll: Roll) -> bool:
    """Only the combat results table: dice for captured supply decide about no unit and no hex."""
    return roll.kind == "combat"


def _count(
    tolls: dict[str, Toll], before: State, attack: Attack, chance: Fraction, after: State, events: Sequence[Event]
) -> None:
    last = next(event for event in reversed(events) if event.kind == "result")
    toll = tolls.setdefault(str(last.data["result"]), Toll())
    toll.count(chance)
    if "die" in last.data:
        toll.faces.add(int(str(last.data["die"])))
    stood = (*defenders(before, attack), *sharing(before, attack))
    for role, units in zip(SIDES_OF, (attack.units, stood), strict=True):
        for measure in MEASURES:
            toll.lose(role, measure, loss(before, after, units, role == "attackers", measure), chance)
    toll.cleared += chance * (not after.enemy_in(attack.hex, attack.side))


def loss(before: State, after: State, units: Sequence[str], attacking: bool, measure: str) -> Fraction:
    """What units have lost between two states: printed strength (attack of attackers, defense of others) or REs."""
    return sum((worth(before, uid, attacking, measure) - worth(after, uid, attacking, measure) for uid in units), ZERO)


def worth(state: State, uid: str, attacking: bool, measure: str) -> Fraction:
    """Strength or REs of a unit as it lies there; 0 where it is gone."""
    if uid not in state.pieces:
        return ZERO
    unit = state.unit(uid)
    return Fraction(unit.re2, 2) if measure == "re" else unit.attack if attacking else unit.defense


# --- for programs -----------------------------------------------------------------------------------------------


def _tree(state: State, found: Odds, tolls: dict[str, Toll], remarks: Sequence[Problem]) -> dict[str, Any]:
    results = [
        {
            "result": result,
            "means": RESULT_NAMES[result],
            "chance": str(toll.chance),
            "percent": percent(toll.chance),
            "dice": sorted(toll.faces),
            "cleared": str(toll.cleared / toll.chance),
            "loses": {role: {m: str(toll.mean(role, m)) for m in MEASURES} for role in SIDES_OF if toll.lost},
        }
        for result, toll in tolls.items()
    ]
    worked_out = all(toll.lost for toll in tolls.values())
    return {
        "hex": state.board.name(found.attack.hex),
        "side": found.attack.side,
        "with": list(found.attack.units),
        "defenders": list(defenders(state, found.attack)),
        **found.as_data(),
        "armor_choices": armor_tree(state, found),
        "results": results,
        "expected": _sums(tolls) if worked_out else None,
        "cleared": str(sum((toll.cleared for toll in tolls.values()), ZERO)) if worked_out else None,
        "remarks": [{"rule": r.rule, "text": r.text, "mend": r.hint} for r in remarks],
    }


def _sums(tolls: dict[str, Toll]) -> dict[str, dict[str, str]]:
    """The losses to be expected over all results, exact, by role and measure."""
    return {role: {m: str(expected(tolls, role, m)) for m in MEASURES} for role in SIDES_OF}


# --- for people -------------------------------------------------------------------------------------------------


def _lines(
    scene: Scene,
    state: State,
    supply: SupplyPlan,
    found: Odds,
    tolls: dict[str, Toll],
    remarks: Sequence[Problem],
) -> list[str]:
    attack = found.attack
    lines = [
        f"Attack on {state.board.feature_names(attack.hex)}, held by {names(state, defenders(state, attack))}. "
        f"{moment(scene.state)}."
    ]
    if scene.state.phase != "combat" or scene.state.player != attack.side:
        lines.append("As if its combats came now, all units where they stand.")
    lines.append(_supply_line(state, supply, attack))
    lines += _side_lines(state, f"Attack strength {number(found.attack_total)}:", found.attackers)
    lines += _side_lines(state, f"Defense strength {number(found.defense_total)}:", found.defenders)
    if found.sharing:
        lines.append(f"  {names(state, found.sharing)} retreated there: no strength, a share in the result (WD 9.B.1).")
    lines.append(f"Odds (WD 9.A.3): {found.ratio_text()}.")
    lines += armor_lines(state, found)
    lines += [_die_line(found), *_result_lines(found, tolls)]
    return [*lines, *(f"Mind: {r.text} ({r.rule}); {r.hint}." for r in remarks)]


def _supply_line(state: State, supply: SupplyPlan, attack: Attack) -> str:
    if not supply.draws:
        return "Attack supply: none (`--supply COUNTER:STEPS`)."
    said = [f"{supply_name(state, draw.counter)}, {counted(draw.steps, 'step')}" for draw in supply.draws]
    without = [uid for uid in attack.units if uid not in supply.supplied and state.unit(uid).attack]
    rest = f"; without it {names(state, without)}" if without else " for all attackers"
    return f"Attack supply (WD 12.C): {joined(said)}{rest}."


def _side_lines(state: State, title: str, shares: Sequence[Share]) -> list[str]:
    return [title, *(f"  {share_words(state, share)}" for share in sorted(shares, key=lambda s: (-s.value, s.unit)))]


def share_words(state: State, share: Share) -> str:
    """``5 Ind X 2 x 1/2 unsupported (WD 11) = 1``."""
    name = short_name(state, share.unit)
    instead = "" if share.base == share.printed else f" instead of {number(share.printed)}"
    base = f"{number(share.base)}{instead}"
    factors = [f" x {number(m.factor)} {m.what} ({m.rule})" for m in share.modifiers if m.factor != 1]
    notes = [f"; {m.what} ({m.rule})" for m in share.modifiers if m.factor == 1]
    result = f" = {number(share.value)}" if factors else ""
    return f"{name}: {base}{''.join(factors)}{result}{''.join(notes)}"


def _die_line(found: Odds) -> str:
    if found.settled:
        return f"No die: {RESULT_NAMES[found.settled]} (WD {'9.G.defense' if found.settled == 'auto' else '9.A.3'})."
    parts = [f"{m.die:+d} {m.what} ({m.rule})" for m in found.die_modifiers]
    return f"Die modifiers: {', '.join(parts)}; in all {found.drm:+d}." if parts else "Die modifiers: none."


def _result_lines(found: Odds, tolls: dict[str, Toll]) -> list[str]:
    """A row for each result, then what is to be expected."""
    worked_out = all(toll.lost for toll in tolls.values())
    head = f"  {'result':34} {'die':9} {'chance':14}"
    if worked_out:
        head += f" {'attackers lose':18} {'defenders lose':18} hex cleared"
    lines = [head.rstrip()]
    for result, toll in tolls.items():
        name = f"{result}, {RESULT_NAMES[result]}" if result != "auto" else RESULT_NAMES[result]
        faces = _faces(sorted(toll.faces))
        row = f"  {name:34} {faces:9} {f'{toll.chance} {percent(toll.chance)}':14}"
        if worked_out:
            lost = "".join(f" {_losses(toll, role):18}" for role in SIDES_OF)
            row += f"{lost} {percent(toll.cleared / toll.chance)}"
        lines.append(row.rstrip())
    if not worked_out:
        return [*lines, "Losses are not worked out: the dice can fall in too many ways."]
    cleared = sum((toll.cleared for toll in tolls.values()), ZERO)
    said = [f"{role} {_pair(*(expected(tolls, role, m) for m in MEASURES))}" for role in SIDES_OF]
    return [*lines, f"To be expected: {'; '.join(said)}; the hex is cleared with {cleared} ({percent(cleared)})."]


def _losses(toll: Toll, role: str) -> str:
    return _pair(toll.mean(role, "strength"), toll.mean(role, "re"))


def _pair(strength: Fraction, re: Fraction) -> str:
    return f"{amount(strength)} str, {amount(re)} RE"


def _faces(faces: Sequence[int]) -> str:
    if len(faces) > 2 and faces == list(range(faces[0], faces[-1] + 1)):
        return f"{faces[0]}-{faces[-1]}"
    return ", ".join(map(str, faces))
