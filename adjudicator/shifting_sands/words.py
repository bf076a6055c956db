"""Words for people: sides, moments, units, spaces, cards, supply. For template, read-back, situation and reports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adjudicator.engine.counting import counted
from adjudicator.shifting_sands.activation import Cost
from adjudicator.shifting_sands.cards import is_handle
from adjudicator.shifting_sands.state import ROUNDS, State, turn_name
from adjudicator.shifting_sands.world import World, text

SIDES = {"axis": "Axis", "allied": "Allied"}
PHASES = {
    "setup": "set-up",
    "action": "action phase",
    "attrition": "attrition phase",
    "victory": "victory determination phase",
    "replacement": "replacement phase",
    "draw": "draw strategy card phase",
    "over": "the game is over",
}
SUPPLY = {"full": "full supply", "limited": "limited supply", "oos": "out of supply"}
GROUPS = {"british": "British group", "german": "German group", "american": "American group", "italian": "Italians"}
BOXES = {
    "@reserve": "the reserve box",
    "@replacement": "the replacement box",
    "@eliminated": "the permanently eliminated",
    "@unplaced": "the units not yet in play",
}
_KIND = re.compile(r"^(?P<nation>.+?) (?P<number>\d+(?:st|nd|rd|th)) (?P<rest>.+Division|Division)$")
_GROUP = re.compile(r"^(?P<rest>.+ battlegroup) (?P<number>\d+)$")


def side_name(side: str) -> str:
    """A side as people write it."""
    return SIDES.get(side, side)


def moment(state: State) -> str:
    """Where the sequence of play stands: ``Summer 1940, action round 1 of 6: the Axis action``."""
    turn = turn_name(state.turn)
    if state.phase != "action":
        return f"{turn}: {PHASES.get(state.phase, state.phase)}"
    return f"{turn}, action round {state.round} of {ROUNDS}: the {side_name(state.active)} action"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def points(count: int) -> str:
    """``1 point``, ``3 points``."""
    return counted(count, "point")


# --- units ------------------------------------------------------------------------------------------------------


def unit_name(state: State, uid: str) -> str:
    """A unit by its full name; its id where the game has no such counter."""
    counter = state.world.counters.get(uid)
    return (counter.name or uid) if counter else uid


def short_name(state: State, uid: str) -> str:
    """A unit as players write it: ``IT 62``."""
    counter = state.world.counters.get(uid)
    return (counter.short or uid) if counter else uid


def shorts(state: State, ids: Iterable[str]) -> str:
    """Units as players write them, as a list in an order."""
    return ", ".join(short_name(state, uid) for uid in ids)


def figures(state: State, uid: str) -> str:
    """Combat, loss and movement factors of the side that lies up: ``2-2-3``."""
    counter = state.counter(uid)
    return f"{state.cf(uid)}-{counter.lf}-{counter.mf}"


def ranked(state: State, ids: Iterable[str]) -> list[str]:
    """Units in the order in which they are named: divisions first, then by nation and strength."""
    return sorted(set(ids), key=lambda uid: _rank(state, uid))


def _rank(state: State, uid: str) -> tuple[bool, str, bool, int, str]:
    counter = state.world.counters[uid]
    return not counter.division, counter.nation, not counter.armor, -counter.cf[0], uid


def grouped_names(state: State, ids: Iterable[str]) -> list[str]:
    """Like units together: ``Italian 62nd and 63rd Divisions``, ``British infantry battlegroups 3 and 4``."""
    groups: dict[tuple[str, str], list[str]] = {}
    for uid in ranked(state, ids):
        groups.setdefault(_kind(unit_name(state, uid)), []).append(unit_name(state, uid))
    return [_together(members) for members in groups.values()]


def _kind(name: str) -> tuple[str, str]:
    """What units must have in common to be named together; a name by itself where there is nothing."""
    division, group = _KIND.match(name), _GROUP.match(name)
    if division:
        return division["nation"], division["rest"]
    return (group["rest"], "") if group else (name, name)


def _together(members: Sequence[str]) -> str:
    if len(members) == 1:
        return members[0]
    division, group = _KIND.match(members[0]), _GROUP.match(members[0])
    if division:
        numbers = [found["number"] for name in members if (found := _KIND.match(name))]
        return f"{division['nation']} {joined(numbers)} {division['rest']}s"
    if group:
        numbers = [found["number"] for name in members if (found := _GROUP.match(name))]
        return f"{group['rest']}s {joined(numbers)}"
    return joined(list(members))


def names(state: State, ids: Iterable[str]) -> str:
    """``the Italian 62nd and 63rd Divisions and the Italian armor battlegroup 2``."""
    return joined([f"the {name}" for name in grouped_names(state, ids)])


def bare_names(state: State, ids: Iterable[str]) -> str:
    """The same without articles, for lists and tables."""
    return ", ".join(grouped_names(state, ids))


def capital(text_: str) -> str:
    """The first letter made large."""
    return text_[:1].upper() + text_[1:]


# --- spaces and cards -------------------------------------------------------------------------------------------


def space_note(state: State, name: str) -> str:
    """What a space is, as printed: ``clear, fort 1, port, VP``."""
    space = state.world.spaces[name]
    parts = [space.terrain.replace("_", " ")]
    parts += [f"fort {space.fort}"] if space.fort else []
    parts += ["port"] if space.port else []
    parts += ["VP"] if space.vp else []
    return ", ".join(parts)


def place_name(name: str) -> str:
    """A space or box in a sentence."""
    return BOXES.get(name, name)


def names_in(world: World) -> dict[str, str]:
    """What every id of a counter or card is called."""
    units = {uid: counter.short for uid, counter in world.counters.items()}
    return units | {card: text(row, "name", card) for card, row in world.cards.items()}


def card_name(state: State, card: str, side: str = "") -> str:
    """A card by name. One that lies face down by its handle, and by its name for whom the state knows as its owner."""
    if not is_handle(card):
        return text(state.world.cards.get(card, {}), "name") or card
    own = state.faces.get(side, {}).get(card, "")
    return f"{card_name(state, own)} (card {card})" if own else f"card {card}"


def card_ops(state: State, card: str, side: str = "") -> int | None:
    """The OPS value of a card; None for one that lies face down."""
    known = state.faces.get(side, {}).get(card, "") if is_handle(card) else card
    return int(text(state.world.cards.get(known, {}), "ops") or "0") if known else None


def cost_words(state: State, cost: Cost) -> str:
    """What a marker costs and for whom: ``2 points: 1 for Italians, 1 for IT 62 in limited supply``."""
    known = dict(cost.statuses)
    parts = [f"1 for {GROUPS.get(group, group)}" for group in cost.groups]
    parts += [f"1 for {short_name(state, uid)}, {in_supply(known.get(uid, ''))}" for uid in cost.singly]
    return f"{points(cost.points)}: {'; '.join(parts)}"


def in_supply(status: str) -> str:
    """``in limited supply``, ``out of supply``."""
    word = SUPPLY.get(status, status)
    return word if status == "oos" else f"in {word}"
