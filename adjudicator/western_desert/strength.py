"""Strengths in combat, unit by unit, each effect with its rule (WD 9.A, 9.D, 9.H, 11, 12.B, 12.C, 14.B, 14.C).

Fractions are kept exactly (WD 3.D.1), effects multiply (WD 3.D.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.battle import (
    Attack,
    approach,
    charts_of,
    engineers_double,
    halving_features,
    hex_effect,
)
from adjudicator.western_desert.combat_charts import CombatCharts, words
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
EXCESS_TOTAL = ONE


class Modifier(NamedTuple):
    """One effect on a unit's strength: what, by which factor, by which rule."""

    what: str
    factor: Fraction
    rule: str


class Share(NamedTuple):
    """What one unit brings to a combat.

    ``printed`` is its attack or defense strength on the counter, ``base`` what the modifiers work on: the printed
    strength, or its part of the total of artillery in excess (``excess``).
    """

    unit: str
    printed: Fraction
    base: Fraction
    modifiers: tuple[Modifier, ...] = ()
    excess: bool = False

    @property
    def value(self) -> Fraction:
        """The strength that counts (WD 3.D.1, 3.D.2)."""
        value = self.base
        for modifier in self.modifiers:
            value *= modifier.factor
        return value


def total(shares: Iterable[Share]) -> Fraction:
    """Sum of the strengths that count."""
    return sum((share.value for share in shares), ZERO)


# --- single effects ---------------------------------------------------------------------------------------------


def support_modifier(unit: Unit, supported_here: bool, engineers: bool) -> list[Modifier]:
    """WD 11: halved without support. An assault engineer in city or fortress is supported and doubled (WD 14.B).

    WD 11.who.
    """
    if unit.assault and engineers:
        return [Modifier("assault engineers in city or fortress", Fraction(2), "WD 14.B")]
    if unit.supported or supported_here:
        return []
    return [Modifier("unsupported", HALF, "WD 11")]


def supply_condition(general: bool, attack_supply: bool) -> str:
    """The row of the supply summary (WD chart.supply, 12)."""
    if attack_supply:
        return "attack_supply"
    return "general_supply" if general else "out_of_general_supply"


_SUPPLY_WORDS = {"general_supply": "no attack supply", "out_of_general_supply": "out of general supply"}


def supply_modifier(charts: CombatCharts, column: str, condition: str) -> list[Modifier]:
    """WD 12.B, 12.C: share of ``attack``, ``defense`` or ``overrun`` strength in a supply condition."""
    factor = charts.supply_factor(column, condition)
    return [] if factor == 1 else [Modifier(_SUPPLY_WORDS[condition], factor, "WD 12.B.effects")]


def drop_modifiers(state: State, uid: str) -> list[Modifier]:
    """WD 25.A.effect: a disrupted unit is halved; WD 27.C.wave1: units of a seaborne wave attack at a quarter."""
    piece = state.pieces[uid]
    found = []
    if piece.disrupted:
        found.append(Modifier("disrupted by its drop", HALF, "WD 25.A.effect"))
    if piece.seaborne:
        found.append(Modifier("seaborne wave", Fraction(1, 4), "WD 27.C.wave1"))
    return found


def terrain_modifiers(state: State, unit: Unit, origin: int, target: int) -> list[Modifier]:
    """WD 9.H: what hexside, hex and features do to an attacker. Over a mountain hexside it attacks as into a mountain
    hex and the real hex terrain is ignored (WD 9.H.2.mountain).

    WD 9.H.2.river, 9.H.2.major-river, 9.H.2.wadi, 9.H.2.escarpment, 9.H.3.full-city, 9.H.3.fortress.
    """
    way = approach(state, origin, target)
    effects = [] if way.side is None else [(way.side, "across ")]
    if not way.over_mountain:
        effects.append((hex_effect(state, target), "into "))
    effects += [(effect, "into ") for effect in halving_features(state, target)]
    found = []
    for effect, preposition in effects:
        factor = effect.factor(unit)
        if factor != 1:
            up = "up " if effect.only_up else preposition
            found.append(Modifier(f"{up}{words(effect.kind)}", factor, effect.rule))
    return found


# --- artillery in excess (WD 14.C) ------------------------------------------------------------------------------


def keep_artillery(guns: Sequence[tuple[str, int, Fraction]], room2: int) -> frozenset[str]:
    """The artillery units that fight in full: the strongest set that fits into ``room2`` half REs (ART-EXCESS).

    ``guns`` are (id, half REs, strength that counts); whole units only; among equals the first ids.
    """
    best: dict[int, tuple[Fraction, int, tuple[str, ...]]] = {0: (ZERO, 0, ())}
    for uid, re2, value in sorted(guns):
        for used, (worth, number, ids) in list(best.items()):
            filled = used + re2
            if filled > room2:
                continue
            new = (worth + value, number + 1, (*ids, uid))
            if filled not in best or _stronger(new, best[filled]):
                best[filled] = new
    chosen = None
    for candidate in best.values():
        if chosen is None or _stronger(candidate, chosen):
            chosen = candidate
    return frozenset(chosen[2]) if chosen else frozenset()


def _stronger(a: tuple[Fraction, int, tuple[str, ...]], b: tuple[Fraction, int, tuple[str, ...]]) -> bool:
    return a[:2] > b[:2] or (a[:2] == b[:2] and a[2] < b[2])


def with_excess(state: State, shares: Sequence[Share], rule: str) -> list[Share]:
    """WD 14.C: artillery REs beyond the other REs fight with a total of 1, shared evenly among the units in excess and
    modified like the strength of each (ruling ART-EXCESS) (WD 14.C.attack, 14.C.defense)."""
    units = {share.unit: state.unit(share.unit) for share in shares}
    room2 = sum(unit.re2 for unit in units.values() if not unit.artillery)
    guns = [(share.unit, units[share.unit].re2, share.value) for share in shares if units[share.unit].artillery]
    kept = keep_artillery(guns, room2)
    excess = [share for share in shares if units[share.unit].artillery and share.unit not in kept]
    if not excess:
        return list(shares)
    printed = sum((share.printed for share in excess), ZERO)
    part = min(EXCESS_TOTAL, printed) / len(excess)
    note = Modifier(f"artillery in excess, {len(excess)} units with a total of {min(EXCESS_TOTAL, printed)}", ONE, rule)
    in_excess = {share.unit for share in excess}
    return [
        share._replace(base=part, modifiers=(note, *share.modifiers), excess=True) if share.unit in in_excess else share
        for share in shares
    ]


# --- totals -----------------------------------------------------------------------------------------------------


def supported_in(state: State, units: Sequence[str], attacking: bool) -> frozenset[str]:
    """Who is supported among the units of a hex: all of them, where one gives support (WD 11). With the option an
    artillery battalion supports one unit, the strongest of those that need it (WD 33.A)."""
    givers = [uid for uid in units if state.unit(uid).giver]
    guns = [uid for uid in givers if state.unit(uid).artillery and state.unit(uid).size == "battalion"]
    if not givers or not state.world.plays("33.A") or len(guns) < len(givers):
        return frozenset(units if givers else ())
    needy = [uid for uid in units if not state.unit(uid).supported]
    return frozenset(sorted(needy, key=lambda uid: (-printed(state, uid, attacking), uid))[: len(guns)])


def attack_shares(state: State, attack: Attack, column: str = "attack") -> list[Share]:
    """What each attacker brings (WD 9.A.1), artillery in excess included; with column ``overrun``, to an overrun, for
    which supply counts otherwise (WD 13.odds, 11.attack, 11.not-givers)."""
    stacks: dict[int, list[str]] = {}
    for uid in attack.units:
        stacks.setdefault(state.hex_of(uid), []).append(uid)
    supported = {uid for stack in stacks.values() for uid in supported_in(state, stack, True)}
    shares = [_attack_share(state, attack, uid, uid in supported, column) for uid in attack.units]
    return with_excess(state, shares, "WD 14.C.attack")


def _attack_share(state: State, attack: Attack, uid: str, supported: bool, column: str) -> Share:
    unit, origin = state.unit(uid), state.hex_of(uid)
    condition = supply_condition(state.pieces[uid].gs, uid in attack.supplied)
    modifiers = (
        support_modifier(unit, supported, engineers_double(state, attack.hex))
        + supply_modifier(charts_of(state), column, condition)
        + terrain_modifiers(state, unit, origin, attack.hex)
        + drop_modifiers(state, uid)
    )
    return _share(uid, unit.attack, modifiers)


def _share(uid: str, strength: Fraction, modifiers: Sequence[Modifier]) -> Share:
    """A share; nothing halves a strength of 0, so nothing is told of it."""
    return Share(uid, strength, strength, tuple(modifiers) if strength else ())


def defense_shares(state: State, h: int, units: Sequence[str]) -> list[Share]:
    """What each defender brings (WD 9.A.2); support comes from the whole stack, artillery in excess included.

    WD 11.defense, 11.not-givers.
    """
    supported = supported_in(state, units, False)
    engineers = engineers_double(state, h)
    shares = []
    for uid in units:
        unit = state.unit(uid)
        condition = supply_condition(state.pieces[uid].gs, False)
        modifiers = support_modifier(unit, uid in supported, engineers) + supply_modifier(
            charts_of(state), "defense", condition
        )
        if state.pieces[uid].disrupted:
            modifiers.append(Modifier("disrupted by its drop", HALF, "WD 25.A.effect"))
        shares.append(_share(uid, unit.defense, modifiers))
    return with_excess(state, shares, "WD 14.C.defense")


# --- single units, for reports and figures ----------------------------------------------------------------------


def lone_strength(
    charts: CombatCharts, unit: Unit, column: str, general: bool, attack_supply: bool = False
) -> Fraction:
    """Strength of a unit by itself on plain ground: ``attack``, ``defense`` or ``overrun`` (WD chart.supply, 11)."""
    printed = unit.defense if column == "defense" else unit.attack
    condition = supply_condition(general, attack_supply and column == "attack")
    modifiers = support_modifier(unit, unit.giver, False) + supply_modifier(charts, column, condition)
    return Share(unit.id, printed, printed, tuple(modifiers)).value


def printed_total(state: State, units: Iterable[str], attacking: bool) -> Fraction:
    """Printed strength for losses and air support: attack strengths of attackers, defense strengths of defenders
    (WD 9.D, 9.D.air)."""
    return sum((printed(state, uid, attacking) for uid in units), ZERO)


def printed(state: State, uid: str, attacking: bool) -> Fraction:
    """The strength on the face of the counter that lies up (WD 9.D)."""
    unit = state.unit(uid)
    return unit.attack if attacking else unit.defense


def figures_of(
    charts: CombatCharts, unit: Unit, general: bool = True, attack_supply: bool = False
) -> dict[str, Fraction | bool]:
    """The derived figures of a unit judged alone: strengths, size, heavy equipment, division (WD 3, 11, 12)."""
    return {
        "attack": lone_strength(charts, unit, "attack", general, attack_supply),
        "defense": lone_strength(charts, unit, "defense", general),
        "overrun": lone_strength(charts, unit, "overrun", general),
        "re": Fraction(unit.re2, 2),
        "heavy": unit.heavy,
        "is_division": unit.division,
    }
