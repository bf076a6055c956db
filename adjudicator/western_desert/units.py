"""Counters as the rules read them: figures, class, capabilities, size (WD 3.A, 3.E, 3.F, 10, 11; unit identification).

A counter with a cadre has a second face; :attr:`Unit.back`. Half regimental equivalents are whole ints (``re2``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

CAPABILITIES = ("none", "neutral", "half", "full")
SIZE_RE2 = {"battalion": 1, "brigade": 2, "regiment": 2, "cadre": 2, "headquarters": 2, "none": 0}
ITALIAN_DIVISION_RE2 = 4
OTHER_DIVISION_RE2 = 6
NO_ZOC_TYPES = frozenset({"antiaircraft", "construction_engineer"})
COUNTER_TYPES = frozenset({"transport_counter", "position_aa"})
COMPONENTS = ("brigade", "regiment", "battalion")
EVERY = "all"
GROUND_SIDES = ("axis", "allied", "vichy")


@dataclass(frozen=True, slots=True)
class Unit:
    """One face of a ground counter.

    ``attack``, ``defense`` and ``movement`` are printed. ``re2`` is the size in half REs. ``giver`` supports the units
    stacked with it (WD 11). ``aeca``, ``aecd``, ``atec`` are ``none``, ``neutral``, ``half`` or ``full`` (WD 10.B).
    ``back`` is the cadre face. ``division_re2`` is the size of the division behind a cadre. ``dotted`` is the face of a
    component that came out of a division without its headquarters, supported by itself (WD 15.B). ``forms`` names the
    component sets of the breakdown chart that a division may have, empty where the chart alone says it; ``own`` is the
    set, by form, that takes components of the division's own designation only (WD 15.C.1). ``hq_of`` is the type of
    division of a headquarters, ``belongs`` the divisional identification of a regiment that shows one.
    """

    id: str
    side: str
    nat: str
    type: str
    size: str
    attack: Fraction
    defense: Fraction
    movement: int
    name: str = ""
    short: str = ""
    re2: int = 2
    division_re2: int = 0
    motorized: bool = False
    artillery: bool = False
    cavalry: bool = False
    supported: bool = True
    giver: bool = False
    heavy: bool = False
    airborne: bool = False
    assault: bool = False
    aa: Fraction = Fraction(0)
    aeca: str = "none"
    aecd: str = "none"
    atec: str = "none"
    designation: str = ""
    hq_of: str = ""
    belongs: str = ""
    aa_type: str = ""
    armored: bool = False
    replaceable: bool = True
    forms: tuple[str, ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    back: Unit | None = None
    dotted: Unit | None = None

    @property
    def division(self) -> bool:
        """WD 3.A.1: a division, not its headquarters nor its cadre (WD 3.A.2)."""
        return self.size == "division"

    @property
    def counter(self) -> bool:
        """A counter without a unit size: transport, position AA. It never counts against stacking (WD 6.C, 22.A.3).

        WD 6.C.stack.
        """
        return self.type in COUNTER_TYPES

    @property
    def has_zoc(self) -> bool:
        """WD 5: divisions, brigades, regiments, cadres, but no antiaircraft, artillery or construction engineers.

        WD 5.who, 5.exempt, 5.small, 14.D.
        """
        if self.size not in ("division", "brigade", "regiment", "cadre"):
            return False
        if self.size in ("brigade", "regiment"):
            return not self.artillery and self.type not in NO_ZOC_TYPES
        return True

    @property
    def german_motorized(self) -> bool:
        """The class that leaves zones of control and overruns cheaply (WD chart.zoc-costs)."""
        return self.nat == "german" and self.motorized

    @property
    def figures(self) -> str:
        """The printed figures as players write them: ``3-2-10``, ``2-8``."""
        attack, defense = number(self.attack), number(self.defense)
        return f"{attack}-{self.movement}" if attack == defense else f"{attack}-{defense}-{self.movement}"


def number(value: Fraction | int) -> str:
    """A number as the reports write it: ``7``, ``3 1/2``, ``1/4``."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"


def cadre_of(unit: Unit, strength: Fraction, movement: int | None = None) -> Unit:
    """The back of a division (WD 9.E, ruling CADRE-STATS): one strength, else as the division; no longer a giver.

    Heavy equipment stays only where the type has it (ruling HEAVY-CADRE); the caller's ``unit.heavy`` of a type that
    has none by itself must come in as False.

    WD 11.not-givers.
    """
    return replace(
        unit,
        size="cadre",
        attack=strength,
        defense=strength,
        movement=unit.movement if movement is None else movement,
        re2=SIZE_RE2["cadre"],
        division_re2=unit.re2,
        supported=True,
        giver=False,
        back=None,
        forms=(),
    )


@cache
def fraction(text: str) -> Fraction:
    """A number written ``7``, ``3.5``, ``7/2`` or ``3 1/2``. Raises ValueError for anything else."""
    whole, _, rest = text.strip().partition(" ")
    return Fraction(whole) + Fraction(rest) if rest else Fraction(whole)


def _flag(row: Mapping[str, object], key: str) -> bool:
    return row.get(key) == "yes"


def unit_from_pack(row: Mapping[str, object]) -> Unit:
    """A counter of the compiled pack, which carries in ``caps`` what its type and nationality give it.

    WD chart.unit-id, chart.counter.
    """
    kind = caps if isinstance(caps := row.get("caps"), dict) else {}
    text = {key: value for key, value in row.items() if isinstance(value, str)}
    size, nat = text.get("size", "none"), text.get("nat", "")
    supported = size in ("division", "headquarters", "cadre") or text.get("supported") == "yes"
    artillery = _flag(kind, "artillery")
    heavy_type = _flag(kind, "heavy")
    unit = Unit(
        id=text["id"],
        side=text["side"],
        nat=nat,
        type=text["type"],
        size=size,
        attack=fraction(text.get("attack", "0")),
        defense=fraction(text.get("defense", "0")),
        movement=int(text.get("movement", "0")),
        name=text.get("name", ""),
        short=text.get("short", "") or text.get("name", ""),
        re2=int(2 * fraction(text["re"])) if text.get("re") else default_re2(size, nat),
        motorized=_flag(kind, "motorized"),
        artillery=artillery,
        cavalry=_flag(kind, "cavalry"),
        supported=supported or artillery,
        giver=size in ("division", "headquarters") or _flag(kind, "gives_support"),
        heavy=heavy_type if text.get("cadre") else heavy_type or heavy_by_support(size, supported or artillery),
        airborne=_flag(kind, "airborne"),
        assault=_flag(kind, "assault_engineer"),
        aa=fraction(text.get("aa", "0") or "0"),
        aeca=str(kind.get("aeca", "none")),
        aecd=str(kind.get("aecd", "none")),
        atec=str(kind.get("atec", "none")),
        designation=text.get("designation", ""),
        hq_of=text.get("hq_of", ""),
        belongs=text.get("belongs", ""),
        aa_type=text.get("aa_type", ""),
        armored=_flag(kind, "armored") and size != "headquarters",
        replaceable=text.get("replaceable", "yes") == "yes",
        forms=tuple(form["form"] for form in _forms(row)),
        own=tuple((form["form"], _own_part(form)) for form in _forms(row) if _own_part(form)),
    )
    return with_back(unit, text.get("cadre", ""), text.get("cadre_movement", ""))


def _forms(row: Mapping[str, object]) -> list[Mapping[str, str]]:
    """The component sets that a counter may have; their parts stand in the breakdown charts."""
    found = row.get("components")
    return [form for form in found if isinstance(form, dict)] if isinstance(found, list) else []


def _own_part(form: Mapping[str, str]) -> str:
    """The type of component that must be the division's own, ``all`` for every one of them (WD 15.C.1)."""
    return EVERY if form.get("only") else form.get("same_designation", "")


def with_back(unit: Unit, cadre: str, movement: str = "") -> Unit:
    """The unit with its cadre face, if it has one, and with the heavy equipment that support gives (WD 3.F)."""
    back = cadre_of(unit, fraction(cadre), int(movement) if movement else None) if cadre else None
    heavy = unit.heavy or heavy_by_support(unit.size, unit.supported)
    dotted = replace(unit, supported=True, heavy=True) if unit.size in COMPONENTS and not unit.supported else None
    same = heavy == unit.heavy and back is None and dotted is None
    return unit if same else replace(unit, heavy=heavy, back=back, dotted=dotted)


def heavy_by_support(size: str, supported: bool) -> bool:
    """Whether support gives a unit heavy equipment that its type has not (WD 3.F)."""
    return supported and size != "cadre"


def default_re2(size: str, nat: str) -> int:
    """Size in half REs where the counter's record gives none (WD 3.E, chart.unit-size)."""
    if size == "division":
        return ITALIAN_DIVISION_RE2 if nat in ("italian", "libyan") else OTHER_DIVISION_RE2
    return SIZE_RE2.get(size, 2)


def division_re2(parts: Iterable[Unit]) -> int:
    """Size of a division in half REs: its components without the headquarters; Italian ones always 2 RE (WD 3.E).

    WD 3.E.division.
    """
    known = [part for part in parts if part.size != "headquarters"]
    if known and all(part.nat in ("italian", "libyan") for part in known):
        return ITALIAN_DIVISION_RE2
    return sum(part.re2 for part in known)
