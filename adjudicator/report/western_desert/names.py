"""How reports speak of sides, units, counters, hexes and roads of Western Desert."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import atan2, degrees, sqrt

from adjudicator.report.words import counted, figure, joined
from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit
from adjudicator.western_desert.world import text

ADJECTIVES = {"axis": "Axis", "allied": "Allied", "vichy": "Vichy"}
NOUNS = {"axis": "the Axis", "allied": "the Allies", "vichy": "Vichy"}
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
NEAR = 3
_DIVISION = re.compile(r"^(\d+(?:st|nd|rd|th)) Infantry Division (\S.*)$")
_ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th) (.+)$")
_ASIDE = re.compile(r" \((?:[a-z0-9]|ex )[^)]*\)$")
_CAPTURED = re.compile(r"^supply-([a-z]+)-(captured|split|arrived)-(\d+)$")
_COUNTRY = re.compile(r" \(([A-Z][^)]*)\)$")
_ALIKE = re.compile(r"(Brigade|Division|Regiment|Battalion|battalion|regiment|artillery|Rifles|Spahis|d'Afrique)$")
_ARE_PLURAL = ("Rifles", "Spahis", "d'Afrique", "Fusiliers", "squadrons")
_NO_ARTICLE = ("Position", "Transport", "Raggruppamento", "Selbyforce")
_SIZES = ("division", "headquarters", "brigade", "regiment", "cadre", "battalion", "none")


def side_word(side: str) -> str:
    """A side as adjective: ``Allied``."""
    return ADJECTIVES.get(side, side.capitalize())


def people(side: str) -> str:
    """A side as noun: ``the Allies``."""
    return NOUNS.get(side, side)


def has(side: str) -> str:
    """``have`` for the Allies, ``has`` for the others."""
    return "have" if side == "allied" else "has"


# --- units ------------------------------------------------------------------------------------------------------


def spoken_name(name: str) -> str:
    """The name of a counter as people say it: ``62nd Infantry Division Marmarica`` is the 62nd Marmarica Division."""
    name = _ASIDE.sub("", name)
    return _DIVISION.sub(r"\1 \2 Division", name)


def spoken(state: State, uid: str) -> str:
    """A unit as people say it, its cadre as such; the id where the counter has no name."""
    unit = state.world.units.get(uid)
    if unit is None:
        return uid
    name = spoken_name(unit.name or unit.short or uid)
    piece = state.pieces.get(uid)
    return f"{name} (cadre)" if piece is not None and piece.cadre else name


def article(name: str) -> str:
    """``the`` in front of a name that takes it."""
    return name if name.startswith(_NO_ARTICLE) else f"the {name}"


def the(state: State, uid: str) -> str:
    """``the 7th Armoured Brigade``."""
    return article(spoken(state, uid))


def rank_key(state: State, uid: str) -> tuple[int, Fraction, str]:
    """Order in which units of a stack are named: the great ones and the strong ones first."""
    unit = state.world.units[uid]
    return _SIZES.index(unit.size) if unit.size in _SIZES else len(_SIZES), -(unit.attack + unit.defense), uid


def ranked(state: State, units: Iterable[str]) -> list[str]:
    """Units in the order in which they are named."""
    return sorted(set(units), key=lambda uid: rank_key(state, uid))


def names(state: State, units: Iterable[str]) -> list[str]:
    """Units in the order in which they are named, like ones together: ``4th and 7th Armoured Brigades``."""
    groups: dict[str, list[str]] = {}
    for name in (spoken(state, uid) for uid in ranked(state, units)):
        found = _ORDINAL.match(name)
        key = found.group(2) if found and _ALIKE.search(found.group(2)) else name
        groups.setdefault(key, []).append(name)
    return [_together(key, members) for key, members in groups.items()]


def _together(kind: str, members: Sequence[str]) -> str:
    if len(members) == 1 or kind == members[0]:
        return members[0]
    ordinals = [member.removesuffix(f" {kind}") for member in sorted(members, key=_number)]
    plural = kind if kind.endswith((*_ARE_PLURAL, "artillery")) else f"{kind}s"
    return f"{joined(ordinals)} {plural}"


def _number(name: str) -> int:
    found = _ORDINAL.match(name)
    return int(found.group(1)) if found else 0


def list_units(state: State, units: Iterable[str]) -> str:
    """``the 4th and 7th Armoured Brigades and the 7th Support Group``."""
    return joined([article(name) for name in names(state, units)])


def bare_list(state: State, units: Iterable[str]) -> str:
    """The same without articles, for lists and tables."""
    return ", ".join(names(state, units))


def res(units: Iterable[Unit]) -> str:
    """The size of some units: ``4 1/2 REs``."""
    total = Fraction(sum(unit.re2 for unit in units), 2)
    return f"{figure(total)} RE{'' if total <= 1 else 's'}"


def counter_name(state: State, sid: str) -> str:
    """A supply counter as players say it; one made in play (captured, split off) has no name in the pack."""
    for row in _supply_rows(state):
        if text(row, "id") == sid:
            return text(row, "name") or sid
    captured = _CAPTURED.match(sid)
    return f"{captured.group(2)} supply {captured.group(3)} of {people(captured.group(1))}" if captured else sid


def _supply_rows(state: State) -> list[dict[str, object]]:
    rows = state.world.scenario.get("supply")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def air_name(state: State, aid: str) -> str:
    """An air unit as players say it."""
    return text(state.world.air.get(aid, {}), "name") or aid


# --- hexes ------------------------------------------------------------------------------------------------------


def place_names(board: Board, h: int) -> list[str]:
    """The names of the places in a hex, the cities first."""
    info = board.info(h)
    if info is None:
        return []
    return list(dict.fromkeys([city.name for city in info.cities] + list(info.places)))


def hex_words(board: Board, h: int) -> str:
    """``Tobruk (18/4818)``, or the bare number where nothing is named."""
    found = place_names(board, h)
    return f"{_place(found[0])} ({board.name(h)})" if found else board.name(h)


def _place(name: str) -> str:
    """``Homs (Syria)`` is spoken of as Homs in Syria."""
    return _COUNTRY.sub(r" in \1", name)


def where(board: Board, h: int) -> str:
    """A hex so that one can find it: with its place, or with the nearest place within three hexes."""
    if place_names(board, h):
        return hex_words(board, h)
    near = nearest_place(board, h)
    return f"{board.name(h)} ({near})" if near else board.name(h)


def nearest_place(board: Board, h: int) -> str:
    """``south of Sidi Barrani``, ``two hexes west of Matruh``; "" where no place lies within three hexes."""
    for radius in range(1, NEAR + 1):
        ring = [n for n in hexes.within(h, radius) if hexes.distance(h, n) == radius and place_names(board, n)]
        cities = [n for n in ring if (info := board.info(n)) is not None and info.cities]
        if ring:
            other = min(cities or ring)
            far = "" if radius == 1 else f"{counted(radius, 'hex', 'hexes')} "
            return f"{far}{bearing(other, h)} of {_place(place_names(board, other)[0])}"
    return ""


def bearing(origin: int, h: int) -> str:
    """The direction in which a hex lies, seen from another: one of eight."""
    (ax, ay), (bx, by) = _centre(origin), _centre(h)
    angle = degrees(atan2((bx - ax) * sqrt(3) / 2, -(by - ay))) % 360
    return COMPASS[int((angle + 22.5) // 45) % 8]


def _centre(h: int) -> tuple[float, float]:
    column = hexes.column(h)
    return float(column), hexes.row(h) + (0.5 if column % 2 == 0 else 0.0)


def hex_list(board: Board, found: Iterable[int]) -> str:
    """Some hexes: those with a name first, then the bare numbers."""
    ordered = sorted(found)
    named = [hex_words(board, h) for h in ordered if place_names(board, h)]
    bare = [board.name(h) for h in ordered if not place_names(board, h)]
    return joined(named + bare)


def is_plural(state: State, units: Sequence[str]) -> bool:
    """True where a verb stands in the plural: several units, or one like the Northumberland Fusiliers."""
    return len(units) > 1 or spoken(state, units[0]).endswith(_ARE_PLURAL)
