"""Where reinforcements and re-created divisions may come in: the sets of spaces of the pack (SS 7.53, 15.41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudicator.shifting_sands.access import entry
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.losses import REPLACEMENT, RESERVE
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, Record, Space, rows, text, texts

BOXES = {"reserve": RESERVE, "replacement": REPLACEMENT}
BY_NATION = {"IND": "ind_division", "SA": "sa_division", "US": "t_division", "FF_US": "corps_franc"}
"""The sets for divisions that no card of the pack places, by nation (SS 7.532)."""
BY_KIND = {"BR 78": "t_division"}
"""The same for single divisions: the British 78th lands with Torch itself (SS 10.52)."""


def set_of(state: State, unit: Counter) -> str:
    """The set of spaces into which a division of this kind comes, as the card that brings it says (SS 7.532)."""
    for _name, effect in state.world.effects("place"):
        if text(effect, "unit") == unit.kind and unit.division:
            return text(effect, "where")
    return BY_KIND.get(unit.kind) or BY_NATION.get(unit.nation, f"{unit.side}_division")


def members(state: State, name: str, side: str) -> dict[str, str]:
    """The places of a set as things stand, each with the rule that has it in, whatever stands there."""
    found: dict[str, str] = {}
    row = state.world.places.get(name, {})
    for part in rows(row, "any"):
        if hold(state, rows(part, "if")):
            for space in _of_part(state, part, side):
                found.setdefault(space, f"SS {text(row, 'rule')}")
    return found


def _of_part(state: State, part: Record, side: str) -> Iterator[str]:
    if text(part, "include"):
        yield from members(state, text(part, "include"), side)
    yield from (name for name in texts(part, "spaces") if name in state.world.spaces)
    if text(part, "box"):
        yield BOXES[text(part, "box")]
    select = part.get("select")
    if isinstance(select, Mapping):
        yield from (name for name, space in state.world.spaces.items() if _selected(state, space, select))


def _selected(state: State, space: Space, select: Record) -> bool:
    """Whether a space has all the values that a set asks for."""
    asked = {
        "terrain": lambda: space.terrain in texts(select, "terrain"),
        "region": lambda: any(state.world.in_region(space.name, region) for region in texts(select, "region")),
        "control": lambda: state.owner(space.name) == text(select, "control"),
        "port": lambda: space.port == (text(select, "port") == "yes"),
        "vp": lambda: space.vp == (text(select, "vp") == "yes"),
        "occupied": lambda: bool(state.units_in(space.name)) == (text(select, "occupied") == "yes"),
    }
    return all(asked[key]() for key in select)


def open_to(state: State, unit: Counter, name: str) -> list[str]:
    """The places of a set where a unit may come in now: its side controls them, it may stand there, there is room."""
    found, owner = members(state, name, unit.side), owner_of(state, name, unit.side)
    return sorted(place for place in found if fits(state, unit, place, owner))


def owner_of(state: State, name: str, side: str) -> str:
    """Who must control the spaces of a set: the side itself, but for a set that asks for the other side's, as that of
    the Egyptian uprising does (SS 7.531b)."""
    asked = (part.get("select") for part in rows(state.world.places.get(name, {}), "any"))
    named = (text(select, "control") for select in asked if isinstance(select, Mapping))
    return next((owner for owner in named if owner), side)


def fits(state: State, unit: Counter, name: str, owner: str = "") -> bool:
    """Whether a unit may come in at a place: own, open to it, not full (SS 8.1). Boxes take everybody."""
    return not misfit(state, unit, name, owner)


def misfit(state: State, unit: Counter, name: str, owner: str = "") -> str:
    """Why a unit may not come in at a place, whatever brings it; "" where it may (SS 7.532, faq.cards.11).

    ``owner`` is who must control it; "" for the unit's own side.
    """
    if name in BOXES.values():
        return ""
    space = state.world.spaces.get(name)
    if space is None:
        return f"{name} is no place for reinforcements"
    owner = owner or unit.side
    if not space.box and state.owner(name) != owner:
        return f"{name} is not controlled by the {owner} side"
    closed = entry(state, unit, name)
    if closed is not None:
        return closed.text
    return "" if room(state, name, unit.side, unit.nation) > 0 else f"{name} is full"
