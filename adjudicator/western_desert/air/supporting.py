"""Antiaircraft of attackers at defensive support, just before the attack or the overrun (WD 20.F.2.d.aa, 22.B.def)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.air.carrying_out import Battery, fire
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT
from adjudicator.western_desert.air.flak import AT_SUPPORT, aa_of_attack, bursts
from adjudicator.western_desert.air.support import supported, supporters
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.state import ENEMY, State

Seqs = tuple[int, ...]


def met(ctx: Ctx[State], attack: Attack, by: Seqs) -> Proc[Attack]:
    """The attack as it is resolved: its antiaircraft has fired at the defensive support, and what is left over the hex
    counts (WD 20.F.2.d.aa). Without air units there it is as it was."""
    yield from fire_at_support(ctx, attack.side, attack.hex, attack.units, by)
    return supported(ctx.state, attack) if ctx.state.air else attack


def fire_at_support(ctx: Ctx[State], side: str, h: int, units: Sequence[str], by: Seqs, when: str = "") -> Proc[None]:
    """All antiaircraft of attackers, divided by their hexes, fires once at each air unit that defends from above (WD
    22.B.def, ruling AA-ROUND). ``when`` sets the labels of an overrun apart from those of a combat; who was fired at in
    that phase already is fired at no more."""
    state = ctx.state
    targets = supporters(state, ENEMY[side], h, DEFENSIVE_SUPPORT)
    if not targets:
        return
    found = bursts(air_tables(state.world), state.board.label(h), aa_of_attack(state, units), targets, AT_SUPPORT)
    for burst in found:
        label = f"{burst.label}/{when}" if when else burst.label
        if (ctx.on, label) not in ctx.rolls:
            yield from fire(ctx, Battery(h, side, AT_SUPPORT, by), burst._replace(label=label))
