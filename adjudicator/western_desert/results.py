"""What a combat result asks of each side, and carrying it out: losses, then retreats (WD 9.C, 9.D, 9.E)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Proc, Tree
from adjudicator.western_desert.air.escaping import bases_fall
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.battle import Attack, defenders, sharing, switch, switch_on
from adjudicator.western_desert.choices import losses_ask, told
from adjudicator.western_desert.combat_charts import ATTACKER_RESULTS, EXCHANGES, RESULT_RULES
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.losses import (
    Duty,
    candidate,
    exchange_share,
    has_cadre,
    strength_of,
    weaker_side,
)
from adjudicator.western_desert.odds import Odds
from adjudicator.western_desert.retreat import stands
from adjudicator.western_desert.retreating import PUBLIC, lose, retreat_units
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import ZERO, printed_total

NOBODY: tuple[str, ...] = ()


class Battle(NamedTuple):
    """One combat after the strengths are known: who is affected on each side.

    ``sharing`` are units that retreated into the hex: they add nothing and share an adverse result. ``totals`` are
    the strengths as modified, which only the switch of ruling EXCHANGE-BASIS reads.
    """

    attack: Attack
    defenders: tuple[str, ...]
    sharing: tuple[str, ...]
    totals: tuple[Fraction, Fraction]
    by: tuple[int, ...] = ()


class Duties(NamedTuple):
    """What a result asks (WD 9.C).

    ``eliminated`` lose everything (cadres stay), ``retreat`` must go without losses of choice; ``choice`` is the loss
    that a side picks, and with ``survivors`` all it has left retreats. ``weaker`` and ``lost`` are for exchanges.
    """

    result: str
    eliminated: tuple[str, ...] = ()
    retreat: tuple[str, ...] = ()
    choice: Duty | None = None
    survivors: bool = False
    weaker: str = ""
    lost: Fraction = ZERO


def battle_of(state: State, found: Odds, by: Sequence[int] = ()) -> Battle:
    """The two sides of an attack whose odds are known."""
    attack = found.attack
    totals = (found.attack_total, found.defense_total)
    return Battle(attack, defenders(state, attack), sharing(state, attack), totals, tuple(sorted(set(by))))


# --- what is asked ----------------------------------------------------------------------------------------------


def duties(state: State, battle: Battle, result: str) -> Duties:
    """What a result asks of both sides, before anything is carried out. Pure; used by run, cases and previews.

    WD 9.C.AE-DE, 9.C.AR-DR, 9.C.NE.
    """
    affected = battle.attack.units if result in ATTACKER_RESULTS else (*battle.defenders, *battle.sharing)
    if result in ("AE", "DE", "auto"):
        return Duties(result, eliminated=tuple(sorted(affected)))
    if result in ("AR", "DR"):
        return Duties(result, retreat=tuple(sorted(affected)))
    if result in ("AH", "DH"):
        duty = half_duty(state, battle, result)
        return Duties(result, choice=duty, survivors=True, lost=duty.required)
    if result in EXCHANGES:
        return exchange_duties(state, battle, result)
    return Duties(result)


def half_duty(state: State, battle: Battle, result: str) -> Duty:
    """AH, DH: at least half of the printed strength of the side, of its owner's choice (WD 9.C.AH-DH)."""
    attacking = result == "AH"
    side = battle.attack.side if attacking else battle.attack.enemy
    counted = battle.attack.units if attacking else battle.defenders
    return _duty(state, battle, attacking, side, printed_total(state, counted, attacking) / 2, RESULT_RULES[result])


def _duty(state: State, battle: Battle, attacking: bool, side: str, required: Fraction, rule: str) -> Duty:
    counted = battle.attack.units if attacking else battle.defenders
    extra = NOBODY if attacking else battle.sharing
    candidates = [candidate(state, uid, attacking) for uid in sorted(counted)]
    candidates += [candidate(state, uid, attacking, counts=False) for uid in sorted(extra)]
    return Duty(side, required, rule, tuple(candidates))


def exchange_duties(state: State, battle: Battle, result: str) -> Duties:
    """EX, HX: the weaker side by printed strength is eliminated, the other loses as much or half of it."""
    attack = printed_total(state, battle.attack.units, attacking=True)
    defense = printed_total(state, battle.defenders, attacking=False)
    modified = switch(state, "exchange_basis", "printed") == "modified"
    weaker = weaker_side(*(battle.totals if modified else (attack, defense)))
    lost = attack if weaker == "attacker" else defense
    gone = battle.attack.units if weaker == "attacker" else (*battle.defenders, *battle.sharing)
    side = battle.attack.enemy if weaker == "attacker" else battle.attack.side
    winners = defense if weaker == "attacker" else attack
    required = min(exchange_share(result, lost), winners)
    duty = _duty(state, battle, weaker == "defender", side, required, RESULT_RULES[result])
    return Duties(result, eliminated=tuple(sorted(gone)), choice=duty, weaker=weaker, lost=lost)


def must_retreat(state: State, found: Duties) -> tuple[str, ...] | None:
    """The units that must retreat; None = all survivors of a choice of losses. Those that may not retreat and die
    instead are left out."""
    if found.survivors:
        return None
    cadres = [uid for uid in found.eliminated if has_cadre(state.unit(uid))]
    return tuple(sorted(uid for uid in (*cadres, *found.retreat) if not stands(state, uid)))


# --- carrying it out --------------------------------------------------------------------------------------------


def carry_out(ctx: Ctx[State], battle: Battle, result: str) -> Proc[None]:
    """Implement a combat result at once (WD 9.A.4): losses and retreats of both sides, in the order of WD 9.C."""
    found = duties(ctx.state, battle, result)
    attack = battle.attack
    hit = attack.side if result in ATTACKER_RESULTS or found.weaker == "attacker" else attack.enemy
    if found.eliminated:
        cadres = _eliminate(ctx, found.eliminated, RESULT_RULES[result], battle.by)
        yield from retreat_units(ctx, attack.hex, hit, cadres, hit == attack.side, battle.by)
    if found.retreat:
        yield from retreat_units(ctx, attack.hex, hit, found.retreat, hit == attack.side, battle.by)
    if found.choice is not None:
        yield from bases_fall(ctx, battle.by)
        yield from _losses_of_choice(ctx, battle, found.choice, found)
    yield from bases_fall(ctx, battle.by)


def _eliminate(ctx: Ctx[State], units: Sequence[str], rule: str, by: Sequence[int]) -> list[str]:
    """All units lose; returns the cadres that stay."""
    places = {ctx.state.hex_of(uid) for uid in units}
    cadres = [uid for uid in sorted(units) if lose(ctx, uid, rule, by)]
    settle(ctx, sorted(places), by=by)
    return cadres


def _losses_of_choice(ctx: Ctx[State], battle: Battle, duty: Duty, found: Duties) -> Proc[None]:
    state, attack = ctx.state, battle.attack
    answer = yield from asked(ctx, losses_ask(state, attack.hex, duty))
    chosen = tuple(sorted(set(answer.value)))
    by = tuple(sorted({*battle.by, *answer.by}))
    data: dict[str, Tree] = {
        "hex": state.board.name(attack.hex),
        "side": duty.side,
        "required": str(duty.required),
        "strength": str(strength_of(duty, chosen)),
        "units": list(chosen),
    }
    ctx.emit("losses", duty.rule, by, PUBLIC, **data, **told(answer))
    attacking = duty.side == attack.side
    cadres = _eliminate(ctx, chosen, duty.rule, by)
    if found.survivors:
        alive = [c.unit for c in duty.candidates if c.unit in state.pieces]
        yield from retreat_units(ctx, attack.hex, duty.side, alive, attacking, by)
    elif cadres and switch_on(state, "exchange_winner_cadres_retreat", False):
        yield from retreat_units(ctx, attack.hex, duty.side, cadres, attacking, by)
