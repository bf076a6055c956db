"""Garrisons on the written list come onto the map: when an Axis ground unit comes near, or when their player shows them
(WD 33.C; PROTOCOL 5, Hidden garrisons).

In the Axis player turn the list is opened at once, with the message that opens the dice. In the Allied one its player
answers with a message that opens it, before the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Proof, Tree
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.listed import (
    AREAS,
    BOOK,
    OPTION,
    RULE,
    SIDE,
    Book,
    Spot,
    areas_kept,
    books_of,
    books_since,
    in_area,
    read_topic,
    seen_from,
    spots,
    watched,
)

By = tuple[int, ...]
SHOWN = "display_garrison"
"""The order that opens the list of an area; the program writes it, with the proofs."""
KEY = "garrison"


def key_of(area: str) -> str:
    """The key of the choice that opens the list of an area."""
    return f"{KEY}/{area}"


# --- an Axis unit comes near --------------------------------------------------------------------------------------


def came_near(ctx: Ctx[State], path: Iterable[int], by: By = ()) -> Proc[bool]:
    """An Axis unit goes, or is about to go, by these hexes: areas within five of them are shown (WD 33.C).
    True if any was."""
    state = ctx.state
    shown = False
    for area in seen_from(state, path):
        if state.player == SIDE:
            note_due(ctx, area, by)
            continue
        shown |= yield from _opened(ctx, area, by)
    return shown


def look_around(ctx: Ctx[State], by: By = ()) -> Proc[None]:
    """Show every area that an Axis unit is near to, however it came there."""
    state = ctx.state
    for area in areas_kept(state) if state.theatre.listed else ():
        near = watched(state, area)
        if near:
            yield from came_near(ctx, [state.hex_of(near[0])], by)


def unread_near(state: State) -> str:
    """The key of a list that an Axis unit is near to in the Axis player turn, which could not be read yet; "" for none.
    Orders after it hang on it (PROTOCOL 4.8)."""
    mine = state.player != SIDE and bool(state.theatre.listed)
    return next((key_of(area) for area in areas_kept(state) if watched(state, area)), "") if mine else ""


def note_due(ctx: Ctx[State], area: str, by: By) -> None:
    """In the Allied player turn an Axis unit has come near: the area is shown before the turn is over."""
    if area not in ctx.state.theatre.due:
        ctx.emit("garrison-due", RULE, by, side=SIDE, area=area)


def _opened(ctx: Ctx[State], area: str, by: By) -> Proc[bool]:
    """The list of an area is opened, out of the books that were sealed since its units were listed. Returns False where
    they can't be read, before the message that opens them: all goes on as if nobody were there. On the dice of a
    message of their own player his next message opens them; play waits until one does (ruling LIST-PROOF)."""
    state = ctx.state
    if not books_of(state, area):
        place(ctx, area, spots(state, area, ()), by, "forced", "no list was sealed since they left the map")
        return True
    answer = yield from asked(ctx, _opening(area, books_since(state, area), ctx.on))
    while answer.source == "order" and not _placed(ctx, [area], answer):
        answer = yield from asked(ctx, _opening(area, books_since(state, area), ctx.on))
    if answer.source != "order" and answer.value is not None:
        books = _books(state, area, answer.value)
        place(ctx, area, spots(state, area, books), (*by, *answer.by), answer.source, answer.clause)
    return answer.value is not None


def _opening(area: str, since: int, on: int) -> Ask[list[Tree] | None]:
    """What opens the list of an area in the Axis player turn (PROTOCOL 5): its books, or the message that brings
    them."""
    return Ask(
        key=key_of(area),
        side=SIDE,
        rule=RULE,
        topic=area,
        find=lambda _orders: [],
        problems=lambda _value: [],
        atoms=lambda: (),
        default=lambda: None,
        clause=lambda rules: (rules, "the list") if isinstance(rules, list) else None,
        after=on,
        forced=False,
        history=since,
    )


def _books(state: State, area: str, rows: Iterable[Tree]) -> list[Book]:
    """What the lists of an area say that were opened, oldest first."""
    told = {int(str(row["seq"])): row.get("rules", "") for row in rows if isinstance(row, dict)}
    return [(seq, read_topic(told[seq])) for seq in books_of(state, area) if seq in told]


def place(ctx: Ctx[State], area: str, found: Sequence[Spot], by: By, choice: str, clause: str = "") -> None:
    """Place the units of an area on the map (WD 33.C)."""
    state = ctx.state
    kept = {one.unit: one for one in in_area(state, area)}
    rows: list[Tree] = []
    for spot in found:
        one = kept[spot.unit]
        row = {"unit": spot.unit, "hex": state.board.name(spot.hex), "step": "cadre" if one.cadre else ""}
        row |= {"dot": "yes" if one.dot else "", "moved": "yes" if spot.moved else ""}
        rows.append({name: value for name, value in row.items() if value})
    ctx.emit("garrison-shown", RULE, by, side=SIDE, area=area, units=rows, choice=choice, clause=clause)
    settle(ctx, sorted({spot.hex for spot in found}), by=by)


# --- their player shows them --------------------------------------------------------------------------------------


def show_by_orders(ctx: Ctx[State], side: str, orders: Sequence[Order], proofs: Sequence[Proof], by: By) -> None:
    """Carry out the orders that show areas in the initial phase."""
    for order in orders:
        areas = order.texts("areas") or [""]
        problems = [p for area in areas for p in show_problems(ctx.state, side, area)]
        problems = problems or [_unproved(area) for area in areas if not _proved(ctx.state, area, proofs)]
        if problems:
            ctx.void(order, problems, by)
            continue
        for area in dict.fromkeys(areas):
            _place_proved(ctx, area, proofs, by)


def show_problems(state: State, side: str, area: str) -> list[Problem]:
    """What keeps a player from showing the garrisons of an area."""
    if side != SIDE:
        return [Problem("side", RULE, "only the Allied player has such a list", "leave the order out")]
    if area not in AREAS:
        return [Problem("area", RULE, f"there is no area {area}", f"the areas are {', '.join(AREAS)}", field="areas")]
    if not state.world.plays(OPTION) or not in_area(state, area):
        text = f"no unit of the area {area} is on the list"
        kept = ", ".join(areas_kept(state)) or "none"
        return [Problem("empty", RULE, text, f"with units: {kept}", field="areas")]
    return []


def _proved(state: State, area: str, proofs: Sequence[Proof]) -> bool:
    """Whether a message brings all that the lists say of an area, since its units were listed: whoever could leave a
    book out would choose afterwards where they are (ruling LIST-PROOF)."""
    return set(books_of(state, area)) <= {p.seq for p in proofs if (p.book, p.topic) == (BOOK, area)}


def _unproved(area: str) -> Problem:
    text = f"the message does not bring all the lists of the area {area}, since its units left the map"
    return Problem("unproved", "PROTOCOL 5", text, "leave the order out: the program writes it, with the lists")


def _place_proved(ctx: Ctx[State], area: str, proofs: Sequence[Proof], by: By) -> None:
    """Place the units of an area by the lists that a message brings."""
    told: list[Tree] = [
        {"seq": str(p.seq), "rules": p.rules} for p in proofs if (p.book, p.topic) == (BOOK, area)
    ]
    place(ctx, area, spots(ctx.state, area, _books(ctx.state, area, told)), by, "order")


def _placed(ctx: Ctx[State], areas: Sequence[str], answer: Answer[list[Tree] | None]) -> bool:
    """Place the units of areas by the message that ended a stop; False where it leaves anything out of the first."""
    state = ctx.state
    proved = [area for area in areas if _proved(state, area, answer.proofs)]
    for order in answer.message if areas[0] not in proved else ():
        if order.type == SHOWN:
            ctx.void(order, [_unproved(areas[0])], (ctx.on,))
    for area in proved:
        _place_proved(ctx, area, answer.proofs, answer.by or (ctx.on,))
    return areas[0] in proved


def show_due(ctx: Ctx[State]) -> Proc[None]:
    """At the end of the Allied player turn: what has to be shown is, by a message of its player that opens it. Play
    waits until one does."""
    state = ctx.state
    while due := sorted(area for area in state.theatre.due if in_area(state, area)) if state.player == SIDE else []:
        ask = replace(_opening(due[0], 0, ctx.on), stop=True, history=None)
        answer = yield from asked(ctx, ask)
        _placed(ctx, due, answer)


def seal_lists(ctx: Ctx[State], side: str, by: By) -> None:
    """Note the message that begins an Allied player turn: its book holds the list as it stands now (WD 33.C)."""
    state = ctx.state
    if side == SIDE and not state.surprise and by and state.theatre.listed:
        ctx.emit("lists", RULE, by, side=side, turn=turn_name(state.turn), message=str(max(by)))
