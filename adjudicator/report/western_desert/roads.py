"""The way a unit took, in words: which road or railway, through which places, where across country."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.report.western_desert.names import hex_words
from adjudicator.report.words import joined
from adjudicator.western_desert.board import Board

_NUMBERED = re.compile(r"^(Via Balbia)\b.*$")
_ASIDE = re.compile(r" \(.*\)$")
_KIND = re.compile(r"^(.*\b(?:road|railway|track)\b)")
OPEN_COUNTRY = ""


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of a way on one road or railway, or across country (``road`` empty). ``hexes`` are those entered."""

    road: str
    hexes: tuple[int, ...]


def road_words(name: str) -> str:
    """A line of the map as people speak of it: ``the coast road``, ``the Via Balbia``, ``the Cairo - Suez road``."""
    name = _ASIDE.sub("", name)
    numbered = _NUMBERED.match(name)
    if numbered:
        return f"the {numbered.group(1)}"
    kind = _KIND.match(name)
    if kind:
        return f"the {kind.group(1)}"
    return f"the {name} road"


def rail_words(name: str) -> str:
    """A railway as people speak of it."""
    words = road_words(name)
    if "railway" in words:
        return words
    return f"{words.removesuffix(' road')} railway"


def line_choices(board: Board, a: int, b: int, rail: bool) -> list[str]:
    """The roads, or the railways, that join two neighbours; "the road" where the line has no name."""
    pairs = board.rails if rail else board.roads
    if (a, b) not in pairs:
        return []
    parts = [part.strip() for part in board.line_names.get((a, b), "").split(";") if part.strip()]
    if rail:
        return [rail_words(part) for part in parts if "railway" in part] or [rail_words(p) for p in parts] or ["rail"]
    roads = [part for part in parts if "railway" not in part] or parts
    return [road_words(part) for part in roads] or ["the road"]


def legs(board: Board, start: int, path: Sequence[int], rail: Sequence[bool] = ()) -> list[Leg]:
    """The legs of a way; on a stretch with several names the one that goes on is taken."""
    found: list[Leg] = []
    options: list[list[str]] = []
    last = start
    for index, h in enumerate(path):
        ridden = index < len(rail) and rail[index]
        options.append(line_choices(board, last, h, ridden))
        last = h
    for index, h in enumerate(path):
        name = _road_at(options, index, found[-1].road if found else "")
        if found and found[-1].road == name:
            found[-1] = Leg(name, (*found[-1].hexes, h))
        else:
            found.append(Leg(name, (h,)))
    return found


def _road_at(options: Sequence[Sequence[str]], index: int, before: str) -> str:
    here = options[index]
    if not here:
        return OPEN_COUNTRY
    if before in here:
        return before
    return max(here, key=lambda name: (_lasts(options, index, name), -here.index(name)))


def _lasts(options: Sequence[Sequence[str]], index: int, name: str) -> int:
    count = 0
    while index + count < len(options) and name in options[index + count]:
        count += 1
    return count


def way_words(board: Board, start: int, path: Sequence[int], rail: Sequence[bool] = ()) -> str:
    """The way without its end: ``by the coast road through 19/1125, 19/1025 and Maktila, then across 19/0925``."""
    parts = []
    found = legs(board, start, path, rail)
    for number, leg in enumerate(found):
        through = leg.hexes[:-1] if number == len(found) - 1 else leg.hexes
        parts.append(_leg_words(board, leg, through, ridden=leg.road.endswith(("railway", "rail"))))
    words = [part for part in parts if part]
    return ", then ".join(words)


def _leg_words(board: Board, leg: Leg, through: Sequence[int], ridden: bool) -> str:
    shown = joined([hex_words(board, h) for h in through])
    if leg.road == OPEN_COUNTRY:
        return f"across country by {shown}" if shown else "across country"
    by = "on" if ridden else "along"
    return f"{by} {leg.road} through {shown}" if shown else f"{by} {leg.road}"
