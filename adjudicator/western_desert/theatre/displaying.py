"""Garrisons on the written list come onto the map: when an Axis ground unit comes near, or when their player shows them
(WD 33.C; PROTOCOL 5, Hidden garrisons).

In the Axis player turn the list is opened at once, with the message that opens the dice. In the Allied one its player
answers with a message that opens it, before the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
AFTER_REACTION = "reaction"
"""The step that may run on the dice of a message of the Allied player, in the Axis player turn."""


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
    they can't be read, before the message that opens them: all goes on as if nobody were there."""
    state = ctx.state
    since = books_since(state, area)
    if all(seq < since for _turn, seq in state.theatre.lists):
        place(ctx, area, spots(state, area, ()), by, "forced", "no list was sealed since they left the map")
        return True
    stop = state.step == AFTER_REACTION
    answer: Answer[list[Tree] | None] = yield from asked(ctx, _opening(area, since, stop, ctx.on))
    if answer.source == "order":
        _place_proved(ctx, area, answer.proofs, answer.by)
    elif answer.value is not None or stop:
        books = _books(state, answer.value or ())
        place(ctx, area, spots(state, area, books), (*by, *answer.by), answer.source, answer.clause)
    else:
        return False
    return True


def _opening(area: str, since: int, stop: bool, on: int) -> Ask[list[Tree] | None]:
    """What opens the list of an area in the Axis player turn: its books; or, on the dice of a message of its own
    player, which don't open them, his next message (PROTOCOL 5)."""
    return Ask(
        key=key_of(area),
        side=SIDE,
        rule=RULE,
        topic=area,
        find=lambda orders: [] if _says(orders, area) else None,
        problems=lambda _value: [],
        atoms=lambda: (),
        default=lambda: None,
        clause=lambda rules: (rules, "the list") if isinstance(rules, list) else None,
        stop=stop,
        after=on,
        forced=False,
        history=since,
    )


def _books(state: State, rows: Iterable[Tree]) -> list[Book]:
    """What the books say that were opened, oldest first."""
    told = [row for row in rows if isinstance(row, dict)]
    found = [(int(str(row["seq"])), read_topic(state, row.get("rules", ""))) for row in told]
    return sorted(found, key=lambda book: book[0])


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
        areas = order.texts("areas")
        problems = [p for area in areas for p in show_problems(ctx.state, side, area)]
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


def _place_proved(ctx: Ctx[State], area: str, proofs: Sequence[Proof], by: By) -> None:
    """Place the units of an area by the topics that a message brings; what it doesn't bring says nothing."""
    told = sorted((p for p in proofs if (p.book, p.topic) == (BOOK, area)), key=lambda proof: proof.seq)
    books = [(proof.seq, read_topic(ctx.state, proof.rules)) for proof in told]
    place(ctx, area, spots(ctx.state, area, books), by, "order")


def show_due(ctx: Ctx[State]) -> Proc[None]:
    """At the end of the Allied player turn: what has to be shown is, by a message of its player that opens it."""
    state = ctx.state
    for area in sorted(state.theatre.due) if state.player == SIDE else ():
        if not in_area(state, area):
            continue
        ask = Ask[bool](
            key=key_of(area),
            side=SIDE,
            rule=RULE,
            topic="orders",
            find=lambda orders, area=area: _says(orders, area) or None,  # type: ignore[misc]
            problems=lambda _value: [],
            atoms=lambda: (),
            default=lambda: False,
            stop=True,
            forced=False,
            after=ctx.on,
        )
        answer: Answer[bool] = yield from asked(ctx, ask)
        _place_proved(ctx, area, answer.proofs, answer.by or (ctx.on,))


def _says(orders: Sequence[Order], area: str) -> bool:
    return any(order.type == SHOWN and area in order.texts("areas") for order in orders)


def seal_lists(ctx: Ctx[State], side: str, by: By) -> None:
    """Note the message that begins an Allied player turn: its book holds the list as it stands now (WD 33.C)."""
    state = ctx.state
    if side == SIDE and not state.surprise and by and state.theatre.listed:
        ctx.emit("lists", RULE, by, side=side, turn=turn_name(state.turn), message=str(max(by)))
