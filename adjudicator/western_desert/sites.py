"""Works under way: what is begun in one turn and stands in a later one, and how it is lost (WD 14.A.fort, 33.D)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.state import State

FORT, FORTRESS, AIRFIELD = "fort", "fortress", "airfield"
SITES = {"build_fort": FORT, "improve_fortress": FORTRESS}
"""What each order of the initial phase begins."""
RULES = {FORT: "WD 14.A.fort", FORTRESS: "WD 14.A.fortress", AIRFIELD: "WD 14.A.airfield"}
LEAVE, DIVISIONAL = "WD 14.A.fort.leave", "WD 33.D"


def misplaced_problems(order: Order) -> list[Problem]:
    """Forts and fortresses are begun in the initial phase; anywhere else the order says where it belongs."""
    rule = RULES[SITES[order.type]]
    text = f"{order.type}: such work is begun in the own initial phase, this is another one"
    return [Problem("phase", rule, text, "put the order before the first section, in the next player turn")]


def settle_sites(ctx: Ctx[State], by: Iterable[int] = (), moved: Collection[str] = ()) -> None:
    """Works whose engineer is gone, or has left the hex on its way (``moved``), are lost; those of divisional engineers
    where no division and no divisional headquarters of their side is left (WD 14.A.fort.leave, 33.D)."""
    state = ctx.state
    if not state.sites:
        return
    for h, what in sorted(state.sites):
        why = lost_why(state, h, what, moved)
        if why:
            site = state.sites[(h, what)]
            ctx.emit(
                "work-lost",
                LEAVE if site.unit else DIVISIONAL,
                by,
                what=what,
                hex=state.board.name(h),
                side=site.side,
                unit=site.unit,
                why=why,
            )


def remark_lost(ctx: Ctx[State], order: Order, begun: int, by: Iterable[int] = ()) -> None:
    """Warn of an order that has cost a work under way; ``begun`` counts the events before it."""
    name = ctx.state.board.feature_names
    for event in ctx.events[begun:] if ctx.remarks is not None else ():
        if event.kind == "work-lost":
            where = name(ctx.state.board.find(str(event.data["hex"])))
            text = f"the {event.data['what']} under way in {where} is lost: {event.data['why']}"
            problem = Problem("work_lost", event.rule, text, "leave the order out to go on with it")
            ctx.remark(order, partial(list, (problem,)), by)


def lost_why(state: State, h: int, what: str, moved: Collection[str] = ()) -> str:
    """Why a work is lost now; "" while it goes on."""
    site = state.sites[(h, what)]
    if not site.unit:
        return "" if divisions_at(state, h, site.side) else "no division is left in the hex"
    if site.unit not in state.pieces:
        return "its engineers are lost"
    return "its engineers have left the hex" if state.hex_of(site.unit) != h or site.unit in moved else ""


def divisions_at(state: State, h: int, side: str) -> list[str]:
    """A side's divisions and divisional headquarters in a hex: those with divisional engineers (WD 33.D)."""
    return [uid for uid in state.friends_at(h, side) if state.unit(uid).size in ("division", "headquarters")]


def held_problems(state: State, uid: str, verb: str) -> list[Problem]:
    """A unit whose divisional engineers have worked neither moves nor attacks in the player turn (WD 33.D)."""
    if not uid or state.divisional != uid:
        return []
    name = state.unit(uid).short or uid
    text = f"the divisional engineers of {name} have worked in this player turn; it may not {verb}"
    return [Problem("divisional", DIVISIONAL, text, "take it out of the order", field="unit")]
