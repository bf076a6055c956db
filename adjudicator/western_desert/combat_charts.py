"""The charts of combat, compiled once from the pack: result table, odds columns, terrain, armor effects, supply.

Values come from ``World.charts`` only. Addresses of rules stand here, because a chart row has none of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.state import World
from adjudicator.western_desert.units import Unit

ATTACKER_RESULTS = ("AE", "AH", "AR")
DEFENDER_RESULTS = ("DE", "DH", "DR")
EXCHANGES = ("EX", "HX")
RESULT_RULES = {
    "AE": "WD 9.C.AE-DE",
    "DE": "WD 9.C.AE-DE",
    "AH": "WD 9.C.AH-DH",
    "DH": "WD 9.C.AH-DH",
    "AR": "WD 9.C.AR-DR",
    "DR": "WD 9.C.AR-DR",
    "NE": "WD 9.C.NE",
    "HX": "WD 9.C.HX",
    "EX": "WD 9.C.EX",
    "auto": "WD 9.G.defense",
}
RESULT_NAMES = {
    "AE": "attacker eliminated",
    "DE": "defender eliminated",
    "AH": "attacker half eliminated",
    "DH": "defender half eliminated",
    "AR": "attacker retreats",
    "DR": "defender retreats",
    "NE": "no effect",
    "HX": "half exchange",
    "EX": "exchange",
    "auto": "defender eliminated without a die",
}
MILDNESS = ("NE", "DR", "AR", "HX", "EX", "DH", "AH", "DE", "AE")
"""Results from the least that happens to the most; `check` goes on with the mildest one of a column."""

TERRAIN_RULES = {
    "clear": "WD 9.H.1.clear",
    "sand": "WD 9.H.1.clear",
    "rough": "WD 9.H.1.rough",
    "mountain": "WD 9.H.1.mountain",
    "swamp": "WD 9.H.1.swamp",
    "salt_marsh": "WD 9.H.1.salt-marsh",
    "reference_city": "WD 9.H.3.ref-city",
    "dot_city": "WD 9.H.3.dot-city",
    "full_city": "WD 9.H.3.full-city",
    "fortress": "WD 9.H.3.fortress",
    "unimproved_fortress": "WD 9.H.3.fort",
    "fort": "WD 9.H.3.fort",
}
SIDE_RULES = {
    "river": "WD 9.H.2.river",
    "canal": "WD 9.H.2.river",
    "major_river": "WD 9.H.2.major-river",
    "wadi": "WD 9.H.2.wadi",
    "escarpment": "WD 9.H.2.escarpment",
    "mountain": "WD 9.H.2.mountain",
    "impassable": "WD 9.H.2.impassable",
    "sebkha": "WD 9.H.2.impassable",
    "sea": "WD 9.H.2.impassable",
    "lake": "WD 9.H.2.impassable",
}
WORDS = {
    "full_city": "full hex city",
    "dot_city": "dot city",
    "reference_city": "reference city",
    "unimproved_fortress": "unimproved fortress",
    "salt_marsh": "salt marsh",
    "major_river": "major river",
    "impassable": "impassable escarpment",
    "sea": "all-sea hexside",
    "lake": "lake hexside",
}


def words(kind: str) -> str:
    """A terrain, feature or hexside as people say it."""
    return WORDS.get(kind, kind.replace("_", " "))


class ChartFault(ValueError):
    """The pack lacks a chart, or a chart lacks a row or column, that combat needs."""


class Effect(NamedTuple):
    """What a terrain, feature or hexside does to an attack (WD chart.terrain).

    Attackers of the class ``halves`` fight with ``strength`` of theirs; ``die`` modifies the roll; ``aec`` False bars
    armor effects. ``fire`` tells who may attack across a hexside (``all`` or ``artillery``), ``closed`` that nobody
    may enter or cross, ``only_up`` that the effect is for those who climb, ``as_hex`` that the side stands for a hex
    of that terrain.
    """

    kind: str
    rule: str
    die: int = 0
    strength: Fraction = Fraction(1)
    halves: str = "none"
    aec: bool = True
    fire: str = "all"
    closed: bool = False
    only_up: bool = False
    as_hex: str = ""

    def factor(self, unit: Unit) -> Fraction:
        """The share of its strength that a unit attacks with."""
        return self.strength if _in_class(self.halves, unit) else Fraction(1)


def _in_class(halves: str, unit: Unit) -> bool:
    """True where the class of a chart row takes in the unit."""
    if halves == "all":
        return True
    if halves == "mot_or_art":
        return unit.motorized or unit.artillery
    if halves == "all_but_artillery":
        return not unit.artillery
    if halves == "all_but_artillery_and_assault_engineers":
        return not (unit.artillery or unit.assault)
    return False


class CombatCharts(NamedTuple):
    """All charts of combat. ``columns`` runs from the worst odds to the best; ``results`` is keyed by column, die."""

    columns: tuple[tuple[str, Fraction], ...]
    results: Mapping[tuple[str, int], str]
    dice: tuple[int, int]
    terrain: Mapping[str, Effect]
    sides: Mapping[str, Effect]
    features: Mapping[str, Effect]
    aec: tuple[tuple[Fraction, int, int, int], ...]
    supply: Mapping[str, Mapping[str, Fraction]]
    limits: Mapping[str, int]

    def column(self, ratio: Fraction) -> str:
        """The odds column of an exact ratio; ``none`` below the table (WD 9.A.3, rulings ODDS-1.5, ODDS-HIGH)."""
        fitting = [name for name, least in self.columns if ratio >= least]
        return fitting[-1] if fitting else "none"

    def rank(self, column: str) -> int:
        """Place of a column from the left; -1 for ``none``. Raises ValueError for an unknown name."""
        return -1 if column == "none" else [name for name, _least in self.columns].index(column)

    def clamp(self, die: int) -> int:
        """A modified die beyond the table is read as its last row (WD chart.ground-crt, note)."""
        return max(self.dice[0], min(self.dice[1], die))

    def result(self, column: str, die: int) -> str:
        """The result of a column and a modified die (WD 9.A.4)."""
        return self.results[(column, self.clamp(die))]

    def armor(self, category: str, share: Fraction) -> int:
        """The die modifier of a proportion in ``aeca``, ``aecd`` or ``atec`` (WD chart.aec, 10.C.1, 10.C.2)."""
        index = {"aeca": 1, "aecd": 2, "atec": 3}[category]
        band = [row for row in self.aec if share >= row[0]][-1]
        return int(band[index])

    def side(self, crossing: str) -> Effect | None:
        """The effect of a hexside as it is crossed; None where nothing is printed or it goes down."""
        if crossing == "escarpment_down":
            return None
        return self.sides.get("escarpment" if crossing == "escarpment_up" else crossing)

    def supply_factor(self, column: str, condition: str) -> Fraction:
        """Share of ``attack``, ``defense`` or ``overrun`` in a supply condition (WD chart.supply)."""
        return self.supply[condition][column]


Row = Mapping[str, object]


def combat_charts(world: World) -> CombatCharts:
    """The charts of combat of a game, compiled once. Raises :class:`ChartFault` for a faulty pack."""
    found = world.cache.get("combat_charts")
    if not isinstance(found, CombatCharts):
        found = world.cache["combat_charts"] = _compile(world.charts)
    return found


def _compile(charts: Mapping[str, object]) -> CombatCharts:
    cells = {(_text(r, "column"), int(_text(r, "die"))): _text(r, "result") for r in _rows(charts, "ground_crt")}
    dice = [die for _column, die in cells]
    return CombatCharts(
        columns=tuple((_text(r, "column"), Fraction(_text(r, "least"))) for r in _rows(charts, "odds_columns")),
        results=cells,
        dice=(min(dice), max(dice)),
        terrain={_text(r, "terrain"): _effect(r, "terrain", TERRAIN_RULES) for r in _rows(charts, "terrain")},
        sides={_text(r, "kind"): _effect(r, "kind", SIDE_RULES) for r in _rows(charts, "hexsides")},
        features={_text(r, "feature"): _effect(r, "feature", TERRAIN_RULES) for r in _rows(charts, "features")},
        aec=tuple(_band(r) for r in _rows(charts, "aec")),
        supply={_text(r, "condition"): _shares(r) for r in _rows(charts, "supply")},
        limits={_text(r, "what"): int(_text(r, "value")) for r in _rows(charts, "supply_limits")},
    )


def _effect(row: Row, key: str, rules: Mapping[str, str]) -> Effect:
    kind = _text(row, key)
    return Effect(
        kind=kind,
        rule=rules.get(kind, "WD chart.terrain"),
        die=int(_text(row, "die", "0")),
        strength=Fraction(_text(row, "strength", "1")),
        halves=_text(row, "halves", "none"),
        aec=_text(row, "aec", "yes") == "yes",
        fire=_text(row, "fire", "all"),
        closed=_text(row, "closed", "no") == "yes",
        only_up=_text(row, "only_up", "no") == "yes",
        as_hex=_text(row, "as_hex", ""),
    )


def _band(row: Row) -> tuple[Fraction, int, int, int]:
    return Fraction(_text(row, "from")), int(_text(row, "aeca")), int(_text(row, "aecd")), int(_text(row, "atec"))


def _shares(row: Row) -> dict[str, Fraction]:
    return {key: Fraction(_text(row, key)) for key in ("attack", "defense", "overrun", "movement") if key in row}


def _rows(charts: Mapping[str, object], name: str) -> Sequence[Row]:
    value = charts.get(name)
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    if not rows:
        raise ChartFault(f"the pack has no chart {name}, which combat needs")
    return rows


def _text(row: Row, key: str, default: str | None = None) -> str:
    value = row.get(key, default)
    if not isinstance(value, str):
        raise ChartFault(f"a chart row lacks {key}: {dict(row)}")
    return value
