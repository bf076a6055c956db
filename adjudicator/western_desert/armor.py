"""Armor and antitank effects (WD 10): proportions by REs, neutral units and their cap, the bars of terrain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from adjudicator.western_desert.battle import Attack, approach, charts_of, features, hex_effect
from adjudicator.western_desert.combat_charts import words
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

CATEGORIES = ("aeca", "aecd", "atec")
NEUTRAL_CAP = 2
CAPABLE_FROM = Fraction(1, 2)


class Member(NamedTuple):
    """One unit in a proportion: its half REs, its value in the category (WD 10.B), and what its owner has declared."""

    unit: str
    re2: int
    value: str
    declared: str = ""


class Proportion(NamedTuple):
    """A proportion of capable REs (WD 10.C).

    ``capable`` counts half capable REs by half, ``counted`` all REs that are not neutral, ``over_cap`` the neutral REs
    beyond twice the capable ones, which count as without capability (WD 10.F). ``declared`` are the half capable units
    taken as neutral (WD 10.E).
    """

    capable: Fraction
    counted: Fraction
    over_cap: Fraction = Fraction(0)
    declared: tuple[str, ...] = ()

    @property
    def share(self) -> Fraction:
        """Capable by counted REs; 0 where all are neutral (ruling AEC-EMPTY)."""
        return self.capable / self.counted if self.counted else Fraction(0)


class ArmorEffects(NamedTuple):
    """The three modifiers of a combat with their proportions, and why one of them does not count."""

    aeca: int
    aecd: int
    atec: int
    attack: Proportion
    defense: Proportion
    antitank: Proportion
    notes: tuple[str, ...] = ()


# --- proportions ------------------------------------------------------------------------------------------------


def proportion(members: Sequence[Member], neutral: frozenset[str] = frozenset()) -> Proportion:
    """The proportion with the half capable units in ``neutral`` taken as neutral (WD 10.B to 10.F).

    WD 10.B.full, 10.B.half, 10.B.neutral, 10.B.none.
    """
    capable2 = rest2 = neutral2 = 0
    half4 = 0
    for member in members:
        if member.value == "full":
            capable2 += member.re2
        elif member.value == "half" and member.unit not in neutral:
            half4 += member.re2
        elif member.value in ("half", "neutral"):
            neutral2 += member.re2
        else:
            rest2 += member.re2
    capable = Fraction(2 * capable2 + half4, 4)
    room = NEUTRAL_CAP * capable
    over = max(Fraction(0), Fraction(neutral2, 2) - room)
    counted = Fraction(capable2 + half4 + rest2, 2) + over
    return Proportion(capable, counted, over, tuple(sorted(neutral)))


def choices(members: Sequence[Member]) -> list[frozenset[str]]:
    """Every different way to declare half capable units neutral, explicit declarations kept (WD 10.E).

    Units of one size are alike, so the first ids of each size stand for all.
    """
    fixed = frozenset(m.unit for m in members if m.value == "half" and m.declared == "neutral")
    by_size: dict[int, list[str]] = {}
    for member in sorted(members, key=lambda m: m.unit):
        if member.value == "half" and not member.declared:
            by_size.setdefault(member.re2, []).append(member.unit)
    sizes = sorted(by_size)
    found = []
    for counts in product(*(range(len(by_size[size]) + 1) for size in sizes)):
        picked = [uid for size, n in zip(sizes, counts, strict=True) for uid in by_size[size][:n]]
        found.append(fixed | frozenset(picked))
    return found


def best_proportion(members: Sequence[Member], worth: Callable[[Fraction], int]) -> Proportion:
    """The choice with the best modifier (ruling AEC-AUTO); among those the fewest units declared neutral, then the
    highest proportion. ``worth`` is the size of the modifier of a proportion."""
    found = [proportion(members, neutral) for neutral in choices(members)]
    return min(found, key=lambda p: (-worth(p.share), len(p.declared), -p.share, p.declared))


def greatest_share(members: Sequence[Member]) -> Fraction:
    """The highest proportion the owner can reach; it decides what he is capable of (WD 10.C.3, AEC-AUTO)."""
    free = [Member(m.unit, m.re2, m.value) for m in members]
    return max(proportion(free, neutral).share for neutral in choices(free))


def capability(unit: Unit, category: str) -> str:
    """``none``, ``neutral``, ``half`` or ``full`` of a unit in a category (WD 10.A, 10.B)."""
    return {"aeca": unit.aeca, "aecd": unit.aecd, "atec": unit.atec}[category]


def members_of(
    state: State, units: Sequence[str], category: str, declare: Mapping[str, Mapping[str, str]]
) -> list[Member]:
    """The units of one side in a category. Counters without REs count nothing."""
    return [
        Member(uid, state.unit(uid).re2, capability(state.unit(uid), category), declare.get(uid, {}).get(category, ""))
        for uid in units
    ]


# --- a combat ---------------------------------------------------------------------------------------------------


def armor_effects(state: State, attack: Attack, defending: Sequence[str]) -> ArmorEffects:
    """The armor and antitank modifiers of an attack, each side at its best where it has declared nothing.

    WD 10.C.2.bar, 10.C.3.
    """
    charts = charts_of(state)
    attackers = members_of(state, attack.units, "aeca", attack.declare)
    capable = greatest_share(attackers) >= CAPABLE_FROM if attackers else False
    bars = aec_bars(state, attack.hex)
    in_use = [_over_mountain(state, attack, member) for member in attackers]
    aeca = best_proportion(in_use, lambda share: charts.armor("aeca", share))
    aecd = best_proportion(
        members_of(state, defending, "aecd", attack.declare), lambda share: -charts.armor("aecd", share)
    )
    atec = best_proportion(
        members_of(state, defending, "atec", attack.declare), lambda share: -charts.armor("atec", share)
    )
    all_mountain = bool(attack.units) and all(_mountain(state, attack, uid) for uid in attack.units)
    notes = _notes(bars, capable, all_mountain)
    return ArmorEffects(
        aeca=0 if bars else charts.armor("aeca", aeca.share),
        aecd=0 if bars or all_mountain or capable else charts.armor("aecd", aecd.share),
        atec=charts.armor("atec", atec.share) if capable else 0,
        attack=aeca,
        defense=aecd,
        antitank=atec,
        notes=notes,
    )


def aec_bars(state: State, h: int) -> tuple[str, ...]:
    """The terrain in a hex that bars AECA and AECD (WD 10.G); empty where armor effects work."""
    effects = (hex_effect(state, h), *features(state, h))
    return tuple(words(effect.kind) for effect in effects if not effect.aec)


def _mountain(state: State, attack: Attack, uid: str) -> bool:
    return approach(state, state.hex_of(uid), attack.hex).over_mountain


def _over_mountain(state: State, attack: Attack, member: Member) -> Member:
    """REs that come over a mountain hexside count as without AECA (ruling MIXED-SIDES)."""
    if _mountain(state, attack, member.unit):
        return Member(member.unit, member.re2, "none")
    return member


def _notes(bars: tuple[str, ...], capable: bool, all_mountain: bool) -> tuple[str, ...]:
    notes = []
    if bars:
        notes.append(f"no AECA and AECD in {', '.join(bars)}")
    if all_mountain:
        notes.append("no AECA and AECD over mountain hexsides")
    notes.append(
        "attacker capable of half AECA: AECD barred, ATEC counts"
        if capable
        else "attacker not capable of half AECA: no ATEC"
    )
    return tuple(notes)


def declare_problems(state: State, attack: Attack, units: Sequence[str]) -> list[tuple[str, str]]:
    """Units that are declared though they are not half capable in the category: (unit, category) (WD 10.E)."""
    return [
        (uid, category)
        for uid in units
        for category in sorted(attack.declare.get(uid, {}))
        if category not in CATEGORIES or capability(state.unit(uid), category) != "half"
    ]
