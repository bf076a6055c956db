"""Captured supply: Axis units that take Benghazi or Tobruk restore reduced units in Libya (SS 13.9).

It may be used only at the moment of capture, so its order stands directly after the move, advance or retreat that took
the town. Who says nothing restores as many as allowed (pbem D9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.choices import When
from adjudicator.shifting_sands.standing import BY_DEFAULT, clauses, names
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import place_name

TOWNS = {"Benghazi": (1, "SS 13.91"), "Tobruk": (2, "SS 13.92")}
CAPTOR = "axis"
LIBYA = "Libya"
Units = tuple[str, ...]


def captures(side: str, changed: Sequence[str]) -> list[str]:
    """The towns among spaces just taken by units of a side that give captured supply (SS 13.91, 13.93, ruling A60)."""
    return [name for name in changed if name in TOWNS] if side == CAPTOR else []


def restorable(state: State) -> list[str]:
    """Reduced Axis units in Libya that may be restored; never those with a black dot (SS 13.9, faq.rules.29)."""
    return [
        uid
        for uid in state.side_units(CAPTOR)
        if state.pieces[uid].reduced
        and not state.counter(uid).dot
        and state.world.in_region(state.pieces[uid].at, LIBYA)
    ]


def flip_problems(state: State, side: str, town: str, units: Sequence[str]) -> list[Problem]:
    """Why these units may not be restored by the capture of a town (SS 13.91, 13.92)."""
    number, rule = TOWNS.get(town, (0, "SS 13.91"))
    if side != CAPTOR or not number:
        said = "supply is captured by Axis units that take Benghazi or Tobruk, at that moment"
        return [Problem("captured", rule, said, "leave the order out", field="units")]
    if len(units) > number or len(set(units)) != len(units):
        said = f"{town} restores {number} unit{'s' if number > 1 else ''}, {len(units)} are named"
        return [Problem("captured", rule, said, f"name {number}, each once", field="units")]
    able = restorable(state)
    return [_unfit(state, uid, rule, able) for uid in units if uid not in able]


def _unfit(state: State, uid: str, rule: str, able: Sequence[str]) -> Problem:
    piece = state.pieces.get(uid)
    if piece is None or state.counter(uid).side != CAPTOR:
        why = "is no Axis unit in play"
    elif state.counter(uid).dot:
        rule, why = "SS 15.43", "has a black dot: it never takes replacements, captured supply neither"
    elif not state.world.in_region(piece.at, LIBYA):
        why = f"is in {place_name(piece.at)}, not in Libya"
    else:
        why = "is at full strength"
    return Problem("captured", rule, f"{uid} {why}", "may recover: " + (", ".join(able) or "nobody"), field="units")


def flip_default(state: State, town: str) -> Units:
    """As many as allowed: divisions first, the highest gain in CF, then by id (pbem D9)."""

    def rank(uid: str) -> tuple[bool, int, str]:
        unit = state.counter(uid)
        return not unit.division, unit.cf[1] - unit.cf[0], uid

    return tuple(sorted(restorable(state), key=rank)[: TOWNS[town][0]])


def flip_choices(state: State, town: str) -> list[Units]:
    """Every lawful choice, the empty one first."""
    able, number = restorable(state), TOWNS[town][0]
    return [chosen for size in range(number + 1) for chosen in combinations(able, size)]


def flip_key(state: State, town: str, combat: int = 0) -> str:
    """The key of the choice: with the number of the combat where a retreat takes the town."""
    slug = state.world.spaces[town].slug
    return f"captured/{combat}/{slug}" if combat else f"captured/{slug}"


def _units_of(state: State, town: str, order: Order) -> Units:
    """The units that an order, or an answer by key, names."""
    by_default = order.type == "answer" and order.text("say") == "default"
    return flip_default(state, town) if by_default else tuple(order.texts("units"))


def flip_ask(state: State, town: str, part: str, when: When, after: int, combat: int = 0) -> Ask[Units]:
    """Which units the capture of a town restores; a stop only where an Axis retreat took it in the other's round."""
    key = flip_key(state, town, combat)

    def find(orders: Sequence[Order]) -> Units | None:
        found = section(orders, part)
        for order in found.orders if found else ():
            if order.type == "captured_supply":
                return _units_of(state, town, order)
        answer = next((o for o in orders if o.type == "answer" and o.text("to") == key), None)
        return _units_of(state, town, answer) if answer else None

    return Ask(
        key, CAPTOR, TOWNS[town][1], "flip", find, lambda units: flip_problems(state, CAPTOR, town, units),
        lambda: flip_choices(state, town), lambda: flip_default(state, town), _clause(state, town),
        stop=when.stop, after=after, askable=when.askable,
    )


def _clause(state: State, town: str) -> Callable[[Tree], tuple[Units, str] | None]:
    def clause(rules: Tree) -> tuple[Units, str] | None:
        if rules == "none":
            return (), "flip: none"
        if rules == "default":
            return flip_default(state, town), BY_DEFAULT
        for number, row in clauses(rules):
            able = [uid for uid in names(row.get("units")) if uid in restorable(state)][: TOWNS[town][0]]
            if able:
                return tuple(able), f"flip {number}: {', '.join(able)}"
        return None

    return clause


def capture(
    ctx: Ctx[State], town: str, order: Order | None, by: Sequence[int], when: When | None = None, combat: int = 0
) -> Proc[None]:
    """Settle the captured supply of one town. ``order`` is the order that stands directly after the capture, or the
    answer to it.

    ``when`` tells how the Axis player is asked where he is not the one who acts: in the section ``reaction`` of a
    combat.
    """
    state = ctx.state
    problems = flip_problems(state, CAPTOR, town, _units_of(state, town, order)) if order else []
    if order and problems:
        ctx.void(order, problems, by)
        order = None
    if not restorable(state):
        return
    if order:
        answer: Answer[Units] = Answer(_units_of(state, town, order), "order", "", tuple(by))
    else:
        how, part = (when, "reaction") if when is not None else (When(), "")
        answer = yield from ctx.ask(flip_ask(state, town, part, how, ctx.on, combat))
    for uid in answer.value:
        restore(ctx, town, uid, (*by, *answer.by), order, answer)


def restore(
    ctx: Ctx[State], town: str, uid: str, by: Sequence[int], order: Order | None, answer: Answer[Units]
) -> None:
    """Turn one unit to its full side."""
    index = str(order.index) if order else ""
    ctx.emit(
        "flipped", TOWNS[town][1], by, order=index, unit=uid, at=ctx.state.pieces[uid].at, town=town,
        choice=answer.source, clause=answer.clause,
    )
