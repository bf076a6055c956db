"""The odds of one attack: strengths, ratio, column, die modifiers, results (WD 9.A). Used by check, preview, run,
report and the cases alike."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Tree
from adjudicator.western_desert.air.bombing import support_counted
from adjudicator.western_desert.armor import ArmorEffects, Proportion, armor_effects
from adjudicator.western_desert.battle import (
    Attack,
    approach,
    charts_of,
    defenders,
    features,
    hex_effect,
    sharing,
    switch,
)
from adjudicator.western_desert.combat_charts import MILDNESS, CombatCharts, words
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import (
    ONE,
    ZERO,
    Modifier,
    Share,
    attack_shares,
    defense_shares,
    printed_total,
    total,
)
from adjudicator.western_desert.units import number

DIE = (1, 2, 3, 4, 5, 6)


class DieModifier(NamedTuple):
    """One modifier of the die: what, how much, by which rule."""

    what: str
    die: int
    rule: str


class Odds(NamedTuple):
    """Everything that decides an attack before the die (WD 9.A).

    ``column`` is ``none`` below the table, ``auto`` where defenders without strength fall without a die (WD 9.G).
    ``ground_counted`` and ``defensive_counted`` are the air points after their cap (WD 20.F.2).
    """

    attack: Attack
    attackers: tuple[Share, ...]
    defenders: tuple[Share, ...]
    sharing: tuple[str, ...]
    ground_counted: Fraction
    defensive_counted: Fraction
    column: str
    armor: ArmorEffects
    die_modifiers: tuple[DieModifier, ...]
    charts: CombatCharts
    below: str = "ae"

    @property
    def attack_total(self) -> Fraction:
        """Attack strength after all effects, air included."""
        return total(self.attackers) + self.ground_counted

    @property
    def defense_total(self) -> Fraction:
        """Defense strength after all effects, air included."""
        return total(self.defenders) + self.defensive_counted

    @property
    def drm(self) -> int:
        """Sum of the die modifiers."""
        return sum(modifier.die for modifier in self.die_modifiers)

    @property
    def settled(self) -> str:
        """The result that comes without a die, or ""."""
        if self.column == "auto":
            return "auto"
        return "AE" if self.column == "none" else ""

    def result(self, die: int) -> str:
        """The result of a die as rolled (WD 9.A.4)."""
        return self.settled or self.charts.result(self.column, die + self.drm)

    def die_used(self, die: int) -> int:
        """The die after modifiers, read within the table."""
        return self.charts.clamp(die + self.drm)

    def mildest_die(self, no_effect: bool = True) -> int:
        """The die with which the least happens; `check` goes on with it. ``no_effect`` False passes over NE."""
        if self.settled:
            return 1
        dice = [die for die in DIE if no_effect or self.result(die) != "NE"] or list(DIE)
        return min(dice, key=lambda die: (MILDNESS.index(self.result(die)), die))

    def ratio_text(self) -> str:
        """The two totals and the column, for people: ``6 to 2, column 3:1``."""
        column = {"none": "below the table", "auto": "no defense"}.get(self.column, f"column {self.column}")
        return f"{number(self.attack_total)} to {number(self.defense_total)}, {column}"

    def chances(self) -> dict[str, Fraction]:
        """The exact chance of each result, from the mildest to the worst."""
        if self.settled:
            return {self.settled: ONE}
        found: dict[str, Fraction] = {}
        for die in DIE:
            result = self.result(die)
            found[result] = found.get(result, ZERO) + Fraction(1, len(DIE))
        return {result: found[result] for result in MILDNESS if result in found}

    def as_data(self) -> dict[str, Tree]:
        """All figures as texts, for the event and the report."""
        return {
            "strength": str(self.attack_total),
            "against": str(self.defense_total),
            "column": self.column,
            "drm": str(self.drm),
            "attackers": [share_tree(share) for share in self.attackers],
            "defending": [share_tree(share) for share in self.defenders],
            "sharing": list(self.sharing),
            "supplied": [*sorted(self.attack.supplied)],
            "ground_support": _unless_zero(self.ground_counted),
            "defensive_support": _unless_zero(self.defensive_counted),
            "die_modifiers": [{"what": m.what, "die": _signed(m.die), "rule": m.rule} for m in self.die_modifiers],
            "armor": _armor_tree(self.armor),
        }


# --- columns ----------------------------------------------------------------------------------------------------


def odds_column(charts: CombatCharts, attack: Fraction, defense: Fraction) -> str:
    """The column of two totals, as exact fractions (WD 9.A.3). ``auto`` where there is no defense at all.

    WD 9.G.defense.
    """
    return charts.column(attack / defense) if defense else "auto"


def at_least(charts: CombatCharts, column: str, wanted: str) -> bool:
    """True where a column is as good as the one wanted (``2:1``). Raises ValueError for an unknown column."""
    return column == "auto" or charts.rank(column) >= charts.rank(wanted)


# --- one attack -------------------------------------------------------------------------------------------------


def odds(state: State, attack: Attack) -> Odds:
    """Strengths, column and modifiers of an attack as things stand now. Pure; the attack need not be lawful."""
    charts = charts_of(state)
    against = defenders(state, attack)
    shares = attack_shares(state, attack)
    defending = defense_shares(state, attack.hex, against)
    ground = support_counted(attack.ground_support, printed_total(state, attack.units, attacking=True))
    defensive = support_counted(attack.defensive_support, printed_total(state, against, attacking=False))
    armor = armor_effects(state, attack, against)
    below = switch(state, "odds_below_1_3", "ae")
    column = odds_column(charts, total(shares) + ground, total(defending) + defensive)
    if column == "none" and below == "use_1_3":
        column = charts.columns[0][0]
    return Odds(
        attack=attack,
        attackers=tuple(shares),
        defenders=tuple(defending),
        sharing=sharing(state, attack),
        ground_counted=ground,
        defensive_counted=defensive,
        column=column,
        armor=armor,
        die_modifiers=(*terrain_die(state, attack), *armor_die(armor)),
        charts=charts,
        below=below,
    )


def terrain_die(state: State, attack: Attack) -> tuple[DieModifier, ...]:
    """Terrain on the die: the hex if at least one attacker faces it (ruling MIXED-SIDES), and its features.

    WD 9.H.additive, 9.H.1.rough.
    """
    effects = list(features(state, attack.hex))
    if any(not approach(state, state.hex_of(uid), attack.hex).over_mountain for uid in attack.units):
        effects.insert(0, hex_effect(state, attack.hex))
    return tuple(DieModifier(words(effect.kind), effect.die, effect.rule) for effect in effects if effect.die)


def armor_die(armor: ArmorEffects) -> tuple[DieModifier, ...]:
    """Armor and antitank effects on the die; both sides' add together (WD 10.D)."""
    found = (
        DieModifier(f"AECA {armor.attack.share}", armor.aeca, "WD 10.C.1"),
        DieModifier(f"AECD {armor.defense.share}", armor.aecd, "WD 10.C.2"),
        DieModifier(f"ATEC {armor.antitank.share}", armor.atec, "WD 10.C.3"),
    )
    return tuple(modifier for modifier in found if modifier.die)


# --- as texts ---------------------------------------------------------------------------------------------------


def share_tree(share: Share) -> dict[str, Tree]:
    """What one unit brings, as texts."""
    return {
        "unit": share.unit,
        "printed": str(share.printed),
        "value": str(share.value),
        "effects": [_modifier_tree(modifier) for modifier in share.modifiers],
    }


def _modifier_tree(modifier: Modifier) -> dict[str, Tree]:
    return {"what": modifier.what, "factor": str(modifier.factor), "rule": modifier.rule}


def _armor_tree(armor: ArmorEffects) -> dict[str, Tree]:
    parts = (
        ("aeca", armor.aeca, armor.attack),
        ("aecd", armor.aecd, armor.defense),
        ("atec", armor.atec, armor.antitank),
    )
    tree: dict[str, Tree] = {name: _proportion_tree(die, found) for name, die, found in parts}
    tree["notes"] = list(armor.notes)
    return tree


def _proportion_tree(die: int, found: Proportion) -> dict[str, Tree]:
    tree: dict[str, Tree] = {
        "die": _signed(die),
        "share": str(found.share),
        "capable": str(found.capable),
        "counted": str(found.counted),
    }
    if found.declared:
        tree["neutral"] = list(found.declared)
    return tree


def _signed(die: int) -> str:
    return f"+{die}" if die > 0 else str(die)


def _unless_zero(value: Fraction) -> str:
    return str(value) if value else ""
