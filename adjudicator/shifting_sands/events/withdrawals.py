"""Units that an event takes off the map; their owner says which, at a stop (SS faq.cards.23 to 26, pbem D8)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from adjudicator.engine.core import Ask, Order, Problem
from adjudicator.engine.sections import section
from adjudicator.shifting_sands import standing
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, RESERVE, replacements
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import Record, text, texts

ORDER, TOPIC, SECTION = "withdraw", "withdraw", "reaction"
RULE = "SS faq.cards.23"
PLACES = {"map": "", "reserve": RESERVE, "replacement": REPLACEMENT}


@dataclass(frozen=True, slots=True)
class Need:
    """So many of these units must go, in the order of the default: who goes first stands first."""

    count: int
    able: tuple[str, ...]


def rank(state: State, uid: str) -> tuple[bool, bool, int, str]:
    """The order of the default: off the map first, reduced before full, then the lowest combat factor, then by id."""
    piece = state.pieces[uid]
    region = state.world.spaces[piece.at].region if piece.at in state.world.spaces else ""
    return (bool(region) and not _far(state, piece.at), not piece.reduced, state.cf(uid), uid)


def _far(state: State, place: str) -> bool:
    """A space that no enemy stands beside is no front."""
    side = "allied"
    return not any(state.enemies(name, side) for name in state.world.neighbours(place))


def divisions(state: State, effect: Record) -> Need:
    """The divisions that an effect may take: those on the map of its nations and types, full or reduced, fewer if there
    are fewer (SS faq.cards.23, faq.cards.24)."""
    nations, types = texts(effect, "nations"), texts(effect, "types")
    able = [
        uid
        for uid in state.side_units(text(effect, "side"))
        if state.counter(uid).division
        and state.on_map(uid)
        and ("any" in nations or state.counter(uid).nation in nations)
        and state.counter(uid).type in types
    ]
    able.sort(key=lambda uid: rank(state, uid))
    return Need(min(int(text(effect, "count")), len(able)), tuple(able))


def battlegroup(state: State, effect: Record) -> Need:
    """The battlegroups of which one goes: those of the first place that has any (SS faq.cards.25)."""
    kind = text(effect, "unit")
    units = [uid for uid in sorted(state.pieces) if fits_kind(state, uid, kind)]
    for place in texts(effect, "from"):
        here = [uid for uid in units if _at(state, uid, place)]
        if here:
            here.sort(key=lambda uid: rank(state, uid))
            return Need(1, tuple(here))
    return Need(0, ())


def _at(state: State, uid: str, place: str) -> bool:
    return state.on_map(uid) if place == "map" else state.pieces[uid].at == PLACES[place]


def fits_kind(state: State, uid: str, kind: str) -> bool:
    """Whether a unit is of a kind of counter; one without a name fits by nation, size and type."""
    unit = state.counter(uid)
    if unit.kind:
        return unit.kind == kind
    return kind == f"{unit.nation} {unit.type[:3]} BG" and not unit.division


def need_of(state: State, effect: Record) -> Need:
    """Whom an effect takes."""
    return divisions(state, effect) if text(effect, "do") == "remove_divisions" else battlegroup(state, effect)


def default(needs: Sequence[Need]) -> tuple[str, ...]:
    """Who goes where the owner says nothing."""
    return tuple(uid for need in needs for uid in need.able[: need.count])


def open_choice(needs: Sequence[Need]) -> bool:
    """Whether there is anything to choose."""
    return any(0 < need.count < len(need.able) for need in needs)


def problems_of(needs: Sequence[Need], units: Sequence[str]) -> list[Problem]:
    """Why units named do not settle what an event takes."""
    twice = [uid for uid, times in Tally(units).items() if times > 1]
    if twice:
        return [Problem("twice", RULE, f"{', '.join(twice)} is named twice", "name each unit once", field="unit")]
    strays = [uid for uid in units if not any(uid in need.able for need in needs)]
    if strays:
        able = ", ".join(uid for need in needs for uid in need.able)
        said = f"{', '.join(strays)} is not among those that may be withdrawn"
        return [Problem("unit", RULE, said, f"one of: {able}", field="unit")]
    for need in needs:
        named = [uid for uid in units if uid in need.able]
        if len(named) != need.count:
            said = f"{need.count} of {', '.join(need.able)} must be withdrawn, {len(named)} are named"
            return [Problem("count", RULE, said, "one order withdraw for each unit", field="unit")]
    return []


def ask(state: State, side: str, name: str, needs: Sequence[Need]) -> Ask[tuple[str, ...]]:
    """The owner says who goes: by standing order, else at a stop."""
    key = f"withdraw/{turn_name(state.turn).lower().replace(' ', '-')}/{state.round}"
    return Ask(
        key, side, RULE, TOPIC, lambda orders: _named(orders, key, lambda: default(needs)),
        lambda units: problems_of(needs, units), lambda: ways(needs), lambda: default(needs),
        lambda rules: standing.withdraw(state, name, ways(needs), rules), stop=True,
    )


def ways(needs: Sequence[Need]) -> list[tuple[str, ...]]:
    """Every way to settle it."""
    parts = [list(combinations(need.able, need.count)) for need in needs]
    return [tuple(uid for part in chosen for uid in part) for chosen in product(*parts)]


def _named(
    orders: Sequence[Order], key: str, usual: Callable[[], tuple[str, ...]]
) -> tuple[str, ...] | None:
    found = section(orders, SECTION)
    units = tuple(order.text("unit") for order in (found.orders if found else ()) if order.type == ORDER)
    for order in orders:
        if order.type == "answer" and order.text("to") == key:
            return usual() if order.text("say") == "default" else tuple(order.texts("units"))
    return units or None


def substitute(state: State, uid: str, leaving: Sequence[str] = ()) -> str:
    """The battlegroup of the reserve that takes a withdrawn division's place, the own nation first; "" for none. Never
    one that is ``leaving`` by the same event (SS faq.cards.26)."""
    return next(iter(replacements(state, uid, leaving)), "")


def end_of(effect: Record) -> str:
    """Where what is taken goes: out of the game, or into the replacement box."""
    return ELIMINATED if text(effect, "permanent") == "yes" else REPLACEMENT


def pending(state: State) -> tuple[str, list[Need]]:
    """The event of this part of the round that takes units, and whom it may take; "" for none."""
    for name in state.fresh:
        found = (*state.world.lasting("remove_divisions"), *state.world.lasting("remove_bg"))
        effects = [effect for event, effect in found if event == name]
        if effects:
            return name, [need_of(state, effect) for effect in effects]
    return "", []
