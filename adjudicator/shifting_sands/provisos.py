"""Attacks that are ordered ahead under a condition (pbem-decisions 2): only if a combat before is won, if no enemy
stands in a space, if own units do. One whose condition fails is not fought, and its markers go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.engine.core import Ctx, Order, Problem, whole_number
from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.designate import origins_of
from adjudicator.shifting_sands.fire import ATTACKER
from adjudicator.shifting_sands.groups import Group
from adjudicator.shifting_sands.state import State

RULE = "SS 11.22"
WON, VACATED, OCCUPIED = "if_won", "if_vacated", "if_occupied"
PROVISOS = (WON, VACATED, OCCUPIED)


def conditional(order: Order) -> bool:
    """Whether an attack is ordered under a condition."""
    return any(name in order.data for name in PROVISOS)


def provisos_of(order: Order) -> tuple[str, ...]:
    """The conditions of an attack, one text each: ``won 1``, ``vacated Halfaya``, ``occupied Bardia``."""
    return tuple(f"{name.removeprefix('if_')} {text}" for name in PROVISOS for text in order.texts(name))


def proviso_words(provisos: Iterable[str]) -> str:
    """Conditions for people: ``only if combat 1 is won and no enemy stands in Halfaya``; "" for none."""
    told = []
    for proviso in provisos:
        kind, _, what = proviso.partition(" ")
        vacated, occupied = f"no enemy stands in {what}", f"own units stand in {what}"
        told.append({"won": f"combat {what} is won", "vacated": vacated}.get(kind, occupied))
    return f"only if {' and '.join(told)}" if told else ""


def proviso_problems(order: Order, number: int) -> list[Problem]:
    """A condition on a combat that does not come before."""
    wanted = order.text(WON)
    if not wanted or 1 <= (whole_number(wanted) or 0) < number:
        return []
    said = f"this is combat {number} of the round: combat {wanted} is not fought before it"
    hint = f"name a combat before it, 1 to {number - 1}" if number > 1 else f"leave {WON}: out"
    return [Problem("proviso", RULE, said, hint, field=WON)]


def unmet(state: State, side: str, order: Order, won: Mapping[int, bool]) -> str:
    """Why an attack under a condition is not fought; "" where it is."""
    wanted = whole_number(order.text(WON))
    if wanted is not None and not won.get(wanted):
        return f"combat {wanted} was not won"
    for name in order.texts(VACATED):
        if hostile(state, name, side):
            return f"the enemy stands in {name}"
    empty = (name for name in order.texts(OCCUPIED) if not _own(state, name, side))
    return next((f"no own unit stands in {name}" for name in empty), "")


def _own(state: State, name: str, side: str) -> bool:
    return any(state.active_unit(uid) for uid in state.friends(name, side))


def has_won(ctx: Ctx[State], number: int) -> bool:
    """Whether the attacker won a combat of the round that has just been fought."""
    found = (event for event in reversed(ctx.events) if event.kind == "winner")
    last = next(found, None)
    return last is not None and last.data.get("combat") == str(number) and last.data.get("winner") == ATTACKER


def call_off(ctx: Ctx[State], number: int, group: Group, why: str, later: Sequence[Group]) -> None:
    """An attack is not fought: Attack markers go from where no attack that follows is made (pbem-decisions 2)."""
    order, state = group.attack, ctx.state
    ctx.emit(
        "called-off", RULE, group.by, order=str(order.index), number=str(number), target=order.text("target"),
        units=[*order.texts("units")], why=why,
    )
    kept = {place for one in later for place in origins_of(state, one.attack.texts("units"))}
    for place in origins_of(state, order.texts("units")):
        if state.markers.get(place) == ATTACK and place not in kept:
            ctx.emit("marker-gone", "SS 11.1", group.by, space=place)
