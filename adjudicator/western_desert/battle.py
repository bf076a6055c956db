"""One attack as the rules see it, and what the terrain between and under the two sides does to it (WD 9, 9.H)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.combat_charts import CombatCharts, Effect, combat_charts
from adjudicator.western_desert.graph import SOUTH_AFRICAN, graph_for, home_of
from adjudicator.western_desert.state import VICHY, State, other
from adjudicator.western_desert.units import Unit

CITY_FEATURES = {"full": "full_city", "dot": "dot_city", "ref": "reference_city"}


@dataclass(frozen=True)
class Attack:
    """Who attacks which hex, and with what help.

    ``units`` are sorted ids. ``supplied`` are those in attack supply (WD 12.C). ``ground_support`` and
    ``defensive_support`` are the air points that reach the combat (WD 20.F.2). ``declare`` holds the owners' choices
    for half capable units, by unit and category (WD 10.E).
    """

    side: str
    hex: int
    units: tuple[str, ...]
    supplied: frozenset[str] = frozenset()
    ground_support: Fraction = Fraction(0)
    defensive_support: Fraction = Fraction(0)
    declare: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def enemy(self) -> str:
        """The side attacked."""
        return other(self.side)


class Approach(NamedTuple):
    """How one attacker comes at the hex: the hexside it attacks over, and whether it faces the hex terrain at all."""

    side: Effect | None
    over_mountain: bool


def charts_of(state: State) -> CombatCharts:
    """The charts of combat of a game."""
    return combat_charts(state.world)


def switch(state: State, name: str, default: str) -> str:
    """A house-rule switch of the game, or the value of its ruling."""
    return state.world.switches.get(name, default)


def switch_on(state: State, name: str, default: bool) -> bool:
    """A house-rule switch that is true or false."""
    return switch(state, name, "true" if default else "false") in ("true", "yes")


def hex_effect(state: State, h: int) -> Effect:
    """The terrain of the hex. A full hex city works as a feature on clear ground (WD 9.H.3).

    WD 9.H.1.clear, 9.H.1.rough, 9.H.1.mountain, 9.H.1.swamp.
    """
    terrain = state.board.terrain(h)
    return charts_of(state).terrain["clear" if terrain == "full_city" else terrain]


def features(state: State, h: int) -> tuple[Effect, ...]:
    """Cities, fortress and fort of a hex, each kind once (WD 9.H.3; an unimproved fortress is a fort, 14.A).

    WD 9.H.3.ref-city, 9.H.3.dot-city, 9.H.3.full-city, 9.H.3.fortress, 9.H.3.fort.
    """
    info = state.board.info(h)
    kinds = [CITY_FEATURES[city.size] for city in info.cities if city.size in CITY_FEATURES] if info else []
    if state.board.terrain(h) == "full_city":
        kinds.append("full_city")
    fortress = state.fortress(h)
    if fortress:
        kinds.append("fortress" if fortress == "improved" else "unimproved_fortress")
    if h in state.forts:
        kinds.append("fort")
    table = charts_of(state).features
    return tuple(table[kind] for kind in sorted(set(kinds)))


def halving_features(state: State, h: int) -> tuple[Effect, ...]:
    """The features that count for strengths: city and fortress together by ruling CITY-FORTRESS."""
    found = features(state, h)
    if switch_on(state, "city_fortress_cumulative", True):
        return found
    kinds = {effect.kind for effect in found}
    return tuple(e for e in found if not (e.kind == "fortress" and "full_city" in kinds))


def engineers_double(state: State, h: int) -> bool:
    """True where assault engineers are supported and doubled: full hex city or improved fortress (WD 14.B)."""
    return any(effect.kind in ("full_city", "fortress") for effect in features(state, h))


def approach(state: State, origin: int, target: int) -> Approach:
    """How an attack from ``origin`` comes at ``target``; from within the hex itself nothing is crossed."""
    side = charts_of(state).side(state.board.crossing(origin, target)) if origin != target else None
    return Approach(side, side is not None and side.as_hex == "mountain")


def may_fire(state: State, unit: Unit, origin: int, target: int) -> bool:
    """True where the terrain lets the unit attack from one hex into another (WD 9, prohibited terrain; 9.H.2).

    WD 9.prohibited, 9.H.2.impassable.
    """
    charts = charts_of(state)
    terrain = charts.terrain.get(state.board.terrain(target))
    if terrain is None or terrain.closed:
        return False
    side = charts.side(state.board.crossing(origin, target)) if origin != target else None
    return side is None or side.fire == "all" or unit.artillery


OUTSIDE = {VICHY: "it lies outside the Levant", SOUTH_AFRICAN: "it lies outside Egypt and Libya"}


def closed_to(state: State, origin: int, target: int, uid: str) -> str:
    """Why a unit may not go from a hex into its neighbour, apart from enemies; "" where it may (WD 6, 28.C)."""
    board = state.board
    if board.info(target) is None:
        return "it is sea or off the map"
    if not board.passable(origin, target):
        return "prohibited terrain lies between or in it"
    if graph_for(state, uid).closed(target):
        return OUTSIDE.get(home_of(state, uid), "it is neutral ground")
    return ""


def defenders(state: State, attack: Attack) -> tuple[str, ...]:
    """The units that defend in the hex: all enemy units there save those that retreated into it in this phase and
    share only the result (WD 9.B.1, 9.B.2, ruling RETREAT-ATTACKED)."""
    here = state.enemies_at(attack.hex, attack.side)
    if switch(state, "retreated_units", "share_result") == "defend":
        return tuple(here)
    return tuple(uid for uid in here if not state.pieces[uid].retreated)


def sharing(state: State, attack: Attack) -> tuple[str, ...]:
    """The units that retreated into the hex: they add nothing and share an adverse result (RETREAT-ATTACKED)."""
    counted = set(defenders(state, attack))
    return tuple(uid for uid in state.enemies_at(attack.hex, attack.side) if uid not in counted)
