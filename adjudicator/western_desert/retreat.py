"""Where a unit may retreat, and which of the ways is best (WD 9.F.1, 8.B; pbem C3, C4). Pure.

A hex belongs to the best class that it fits: 1 free of enemy ZOC and within stacking, 2 free of enemy ZOC but
over-stacked, 3 in an enemy ZOC. Only hexes of the best class that is there at all are lawful.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.battle import charts_of, closed_to, features, hex_effect, switch_on
from adjudicator.western_desert.losses import has_cadre
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import source_distance, would_be_supplied

FREE, CROWDED, ZONE = 1, 2, 3
LOOKS_AT_MOST = 500
CLASS_WORDS = {
    FREE: "free of enemy zones of control and within stacking",
    CROWDED: "free of enemy zones of control but over-stacked",
    ZONE: "in an enemy zone of control",
}
BEARINGS = hexes.DIRECTIONS


class Ways(NamedTuple):
    """The lawful hexes of one step of a retreat, their class (0 = none), and why each other neighbour is none."""

    hexes: tuple[int, ...]
    priority: int
    barred: tuple[tuple[int, str], ...] = ()


def ways(state: State, uid: str, origin: int, avoid: Iterable[int] = ()) -> Ways:
    """The hexes a unit may retreat to from ``origin`` (WD 9.F.1): the listing, and the legality.

    ``avoid`` are hexes it has left in this retreat; it must end away from the hex it fought in. Zones of
    enemies that it shared that hex with count, too (WD 25.C.retreat).
    """
    left = {*avoid, origin}
    by_class: dict[int, list[int]] = {FREE: [], CROWDED: [], ZONE: []}
    barred: list[tuple[int, str]] = []
    for n in hexes.neighbours(origin):
        why = _bar(state, uid, origin, n, left)
        if why:
            barred.append((n, why))
        else:
            by_class[class_of(state, uid, n)].append(n)
    for priority in (FREE, CROWDED, ZONE):
        if by_class[priority]:
            worse = [(n, CLASS_WORDS[c]) for c in (CROWDED, ZONE) if c > priority for n in by_class[c]]
            return Ways(tuple(by_class[priority]), priority, (*barred, *worse))
    return Ways((), 0, tuple(barred))


def _bar(state: State, uid: str, origin: int, n: int, left: set[int]) -> str:
    if n in left:
        return "it was left in this retreat"
    if state.enemy_in(n, state.unit(uid).side):
        return "enemy units hold it"
    return closed_to(state, origin, n, uid)


def class_of(state: State, uid: str, h: int) -> int:
    """The priority class of a hex for a retreating unit."""
    side = state.unit(uid).side
    if state.ezoc(h, side) and not _negated(state, h, side):
        return ZONE
    return FREE if fits(state, h, side, (uid,)) else CROWDED


def _negated(state: State, h: int, side: str) -> bool:
    """A friendly unit does not cancel the zone of control (ruling RETREAT-EZOC-FRIEND), unless the switch says so."""
    if not switch_on(state, "retreat_zoc_negated_by_friend", False):
        return False
    return any(not state.unit(uid).counter for uid in state.friends_at(h, side))


def stands(state: State, uid: str) -> str:
    """The rule by which a unit may not retreat at all and is eliminated instead; "" for others (WD 6.mr0)."""
    unit = state.unit(uid)
    if unit.type == "position_aa":
        return "WD 22.A.3"
    return "WD 6.mr0" if unit.movement == 0 else ""


def retreat_problems(state: State, uid: str, origin: int, to: int, avoid: Iterable[int] = ()) -> list[Problem]:
    """What is wrong with a retreat hex; empty for one that is listed."""
    found = ways(state, uid, origin, avoid)
    if to in found.hexes:
        return []
    name = state.board.name
    why = dict(found.barred).get(to, "it is not next to the unit")
    if to in dict(found.barred) and why in CLASS_WORDS.values():
        why = f"it is {why}, and hexes {CLASS_WORDS[found.priority]} are there"
    text = f"{state.unit(uid).name or uid} may not retreat from {name(origin)} to {name(to)}: {why}"
    lawful = ", ".join(name(h) for h in found.hexes)
    hint = f"choose {lawful}" if lawful else "it has no way out"
    return [Problem("retreat_hex", "WD 9.F.1", text, hint, field="to")]


# --- the default (pbem C3, C4) ----------------------------------------------------------------------------------


def order_of_retreat(state: State, units: Sequence[str], attacking: bool) -> tuple[str, ...]:
    """The strongest unit first, so that it gets the free place (pbem C3)."""

    def key(uid: str) -> tuple[Fraction, str]:
        unit = state.unit(uid)
        return (-(unit.attack if attacking else unit.defense), uid)

    return tuple(sorted(units, key=key))


def best_way(state: State, uid: str, origin: int, avoid: Iterable[int], options: Sequence[int]) -> int:
    """The default of a retreat: where the unit comes off best, then in general supply, toward its own source of
    supply, on the best defensive terrain, next to the fewest enemies; then the first in the numbering (pbem C3)."""
    left = (*avoid, origin)
    return min(options, key=lambda h: (_harm(state, uid, h, left), *_taste(state, uid, h)))


def _harm(state: State, uid: str, h: int, left: Sequence[int]) -> int:
    """What a unit suffers at best when it retreats over a hex: 0 nothing, 1 reduced, 2 lost."""
    return _suffers(state, uid, h, left, 0, iter(range(LOOKS_AT_MOST)))


def _suffers(state: State, uid: str, h: int, left: Sequence[int], before: int, looks: Iterator[int]) -> int:
    """The best of all ways on over crowded hexes, of which ``looks`` lets only so many be looked at."""
    harm = before
    if class_of(state, uid, h) == ZONE:
        harm += 1 if before == 0 and has_cadre(state.unit(uid)) else 2
    if harm >= 2 or next(looks, None) is None:
        return 2
    if fits(state, h, state.unit(uid).side, (uid,)):
        return harm
    onward = ways(state, uid, h, left)
    return min((_suffers(state, uid, n, (*left, h), harm, looks) for n in onward.hexes), default=2)


def _taste(state: State, uid: str, h: int) -> tuple[int, int, Fraction, int, int, int]:
    side = state.unit(uid).side
    strength, die = defensive_worth(state, h)
    enemies = sum(len(state.enemies_at(n, side)) for n in hexes.neighbours(h))
    supplied = 0 if would_be_supplied(state, side, h) else 1
    return supplied, source_distance(state, side, h), strength, die, enemies, h


def defensive_worth(state: State, h: int) -> tuple[Fraction, int]:
    """How good a hex is to defend: the share attackers fight with and the die modifier, both the lower the better."""
    effects = (hex_effect(state, h), *features(state, h))
    strength = Fraction(1)
    for effect in effects:
        strength *= effect.strength
    return strength, sum(effect.die for effect in effects)


# --- wishes -----------------------------------------------------------------------------------------------------


def wished(state: State, uid: str, origin: int, options: Sequence[int], wish: str) -> list[int]:
    """The options a wish speaks of: a hex, a bearing (``SE``), a terrain, or ``toward_supply``."""
    if wish == "toward_supply":
        side = state.unit(uid).side
        near = {h: source_distance(state, side, h) for h in options}
        return [h for h in options if near[h] == min(near.values())]
    if wish.upper() in BEARINGS:
        target = hexes.neighbours(origin)[BEARINGS.index(wish.upper())]
        return [h for h in options if h == target]
    if wish in charts_of(state).terrain:
        return [h for h in options if state.board.terrain(h) == wish]
    try:
        target = state.board.find(wish)
    except hexes.HexError:
        return []
    return [h for h in options if h == target]
