"""What a turn file to fill in says of redeployment, the LRDG and the end of a turn (template.py)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.core import Order
from adjudicator.shifting_sands.activation import IN_A_ROW, in_a_row
from adjudicator.shifting_sands.cards import points_text
from adjudicator.shifting_sands.drawing import TAKE, hand_size, offered
from adjudicator.shifting_sands.events.placing import late_comers
from adjudicator.shifting_sands.extras import BRITISH_6TH, TOBRUK, expected, extra_of, replaceable
from adjudicator.shifting_sands.losses import REPLACEMENT, RESERVE
from adjudicator.shifting_sands.lrdg import SIDE as LRDG_SIDE
from adjudicator.shifting_sands.lrdg import unit_of
from adjudicator.shifting_sands.rebuilding import choice_problems
from adjudicator.shifting_sands.redeploy import land_ways
from adjudicator.shifting_sands.replacement import (
    POOLS_OF,
    bans,
    cost2,
    of_card,
    pool_of,
    rebuild_problems,
    recreate_places,
    said,
)
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.stops import comment, wrapped
from adjudicator.shifting_sands.supply import by_land
from adjudicator.shifting_sands.words import card_name, place_name, short_name, shorts

SETUP_RIGHT = "SS 18.3"


def setup_lines(state: State, side: str) -> list[str]:
    """The turn file of the set-up: a card that 18.3 gives is taken unless its owner strikes the order out; one of 19.42
    only if he wants it (pbem-decisions 4). His own program alone can name it, since it lies face down."""
    able = offered(state, side)
    taken = [card for card, rule in able.items() if rule == SETUP_RIGHT]
    lines = ["# Your hand is drawn on the dice of this message; no other orders belong into it (PROTOCOL 4.1)."]
    for card in taken:
        name = card_name(state, card)
        lines += note(0, f"{name} goes to your hand first (SS 18.3); strike the order out to decline it.")
    lines += ["orders:" if taken else "orders: []", *(line for card in taken for line in _take(state, card))]
    for card in able:
        if card not in taken:
            lines += note(2, f"{card_name(state, card)} may be taken too ({able[card]}). Default: it is not.")
            lines += [f"  #{line[1:]}" for line in _take(state, card)]
    return lines


def _take(state: State, card: str) -> list[str]:
    return [f"  - type: {TAKE}", f"    card: {card_name(state, card)}"]


def arrivals_lines(state: State, side: str) -> list[str]:
    """Divisions of optional rules that may come in before this round."""
    lines = []
    for uid in expected(state, side):
        extra = extra_of(state.counter(uid))
        if extra is None:
            continue
        lines += comment(2, f"The {short_name(state, uid)} may come in before this round ({extra.rule}). Default: not.")
        lines += ["  # - type: place", f"  #   unit: {short_name(state, uid)}", f"  #   to: {extra.places[0]}"]
        able = replaceable(state) if extra is BRITISH_6TH else []
        if able and not by_land(state, state.counter(uid), TOBRUK):
            lines += comment(2, f"Or in place of a division in {TOBRUK}, which is cut off: to: {TOBRUK}, replaces:")
            lines += comment(2, f"{shorts(state, able)}, replaced_to: {' or '.join(extra.places)}.")
    return lines


def uses(state: State, side: str) -> list[str]:
    """What a card may be played for besides operations, and what bars it now."""
    barred = [what for use, (_rule, what) in IN_A_ROW.items() if in_a_row(state, side, use)]
    lines = ["  # use: ops, or rd for redeployment (SS 12), or rp for replacement points (SS 7.4)."]
    lines += comment(2, f"Not in two rounds in a row, so not now: {', '.join(barred)}.") if barred else []
    banned = bans(state, side)
    return lines + (comment(2, f"No replacement points since {', '.join(banned)} (SS 7.44).") if banned else [])


def points_of_card(state: State, side: str, card: str) -> str:
    """The replacement points of a card: ``2 BR, 1 CW``."""
    return ", ".join(f"{said(halves)} {pool}" for pool, halves in sorted(_printed(state, side, card).items()))


def _printed(state: State, side: str, card: str) -> dict[str, int]:
    return of_card(state, side, points_text(state.world.cards.get(card, {}).get("rp")))


def redeployment(state: State, side: str) -> list[str]:
    """An example of a redeployment, with a real unit; and of a mission, where the LRDG is on the map."""
    unit, path = next(_examples(state, side), ("UNIT", ["SPACE", "SPACE"]))
    lines = [
        "",
        "  # With use: rd: a battlegroup costs 1 point, a division 3 (SS 12.2); over own spaces of any number, by sea",
        "  # between two ports, out of the reserve box or into it (to: '@reserve'). `to: SPACE` alone takes the",
        "  # shortest way by land, else by sea; `path` names every space, or the two ports.",
        "  # - type: rd",
        f"  #   unit: {unit}",
        f"  #   path: {', '.join(path)}",
    ]
    if side != LRDG_SIDE or not unit_of(state) or state.missions:
        return lines
    return [*lines, "", "  # The LRDG's mission of the turn, for a point (SS 11.7): raid or intelligence.", *_MISSION]


_MISSION = ("  # - type: lrdg", "  #   mission: raid")


def _examples(state: State, side: str) -> Iterator[tuple[str, list[str]]]:
    for uid in state.side_units(side):
        if state.on_map(uid) and state.active_unit(uid):
            path = next(iter(land_ways(state, uid).values()), None)
            if path:
                yield short_name(state, uid), path


def note(indent: int, words: str) -> list[str]:
    """A comment above the orders."""
    return wrapped(words, "#" + " " * (indent + 1), "#" + " " * (indent + 3))


# --- the replacement phase ----------------------------------------------------------------------------------------


def replacement_lines(state: State, side: str) -> list[str]:
    """The turn file of a replacement phase: points, who may take them, the hand."""
    points = [f"{state.rp[pool]} {pool}" for pool in POOLS_OF[side] if pool in state.rp]
    size = hand_size(state, side)
    return [
        "#",
        *note(0, f"Replacement points on the track: {', '.join(points) or 'none'}; what is left is lost (SS 15.1)."),
        *late_lines(state, side),
        *_able(state, side),
        *note(0, f"Your hand, filled up to {size} after your discards: {_hand(state, side)}."),
        "orders:",
        "  - type: section",
        "    name: replacement",
        "  # An empty section rebuilds nobody. Without the section: divisions before battlegroups, on the map before",
        "  # the box, the highest combat factor first, as far as the points reach.",
        *_rebuilding(state, side),
        "  - type: section",
        "    name: discard",
        "  # Default: no card is discarded.",
        "  # - type: discard",
        f"  #   cards: {next(iter(_cards(state, side)), 'CARD')}",
    ]


def late_lines(state: State, side: str) -> list[str]:
    """Units of an event that found no place and may come in now (ruling A53)."""
    lines = []
    for uid, able in late_comers(state, side).items():
        where = f"order place with to: {', '.join(able)}; default {able[0]}" if able else "no place is open yet"
        lines += note(0, f"The {short_name(state, uid)} waits for a place (SS 7.53): {where}.")
    return lines


def _cards(state: State, side: str) -> list[str]:
    return [card_name(state, card) for card in state.hands.get(side, [])]


def _hand(state: State, side: str) -> str:
    return ", ".join(_cards(state, side)) or "no card"


def _able(state: State, side: str) -> list[str]:
    """Each unit that lacks a step, with the price of one and where it would come back."""
    lines = []
    for uid in state.side_units(side):
        unit, piece = state.counter(uid), state.pieces[uid]
        pool = pool_of(state, unit)
        lost = piece.at == REPLACEMENT
        if unit.dot or not pool or not (lost or (piece.reduced and (state.on_map(uid) or piece.at == RESERVE))):
            continue
        where = f"to {', '.join(map(place_name, recreate_places(state, unit))) or 'nowhere'}" if lost else "reduced"
        price = f"{said(cost2(unit, 1))} {pool} a step"
        lines += note(2, f"{short_name(state, uid)} in {place_name(piece.at)}: {where}; {price}")
    return lines or ["#   No unit of yours lacks a step that points could bring back."]


def _lost(state: State, side: str) -> Iterator[tuple[str, str]]:
    """Units of the replacement box with a place where each comes back."""
    for uid in state.in_box(REPLACEMENT, side):
        unit = state.counter(uid)
        places = recreate_places(state, unit) if pool_of(state, unit) and not unit.dot else []
        if places:
            yield short_name(state, uid), places[0]


def _weak(state: State, side: str) -> Iterator[str]:
    """Units that may take a step as they stand, whatever it costs."""
    for uid in state.side_units(side):
        found = rebuild_problems(state, side, Order(0, "replace", {"unit": uid}))
        if all(problem.code == "points" for problem in found):
            yield short_name(state, uid)


def _written(place: str) -> str:
    return f"'{place}'" if place.startswith("@") else place


def _rebuilding(state: State, side: str) -> list[str]:
    lost, place = next(_lost(state, side), ("UNIT", RESERVE))
    lines = [
        "  # - type: replace               # a reduced unit in play takes a step",
        f"  #   unit: {next(_weak(state, side), 'UNIT')}",
        "  # - type: recreate              # a unit of the replacement box comes back at full strength; or steps: 1",
        f"  #   unit: {lost}",
        f"  #   to: {_written(place)}",
    ]
    charter = Order(0, "rp_choice", {"nation": "BR"})
    if choice_problems(state, side, charter):
        return lines
    return ["  # - type: rp_choice             # the point of the Atlantic Charter", "  #   nation: BR", *lines]
