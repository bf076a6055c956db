"""Forts and improved fortresses: begun in the own initial phase, done in that of the next game turn (WD 14.A.fort)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.labor import elsewhere_problems, engineer_problems, supply_problems
from adjudicator.western_desert.sites import FORT, FORTRESS, RULES, SITES
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.works import ground_problems

By = tuple[int, ...]
DELAY = "WD 14.A.fort.delay"


def supply_work(ctx: Ctx[State], side: str, by: By) -> None:
    """Finish what was begun on an earlier game turn by engineers who are still there: in general supply it stands, out
    of it it waits another turn (WD 14.A.fort, 14.A.fort.delay)."""
    state = ctx.state
    if state.surprise:
        return
    for (h, what), site in sorted(state.sites.items()):
        if site.side != side or not site.unit or site.turn >= state.turn:
            continue
        where = {"what": what, "hex": state.board.name(h), "side": side, "unit": site.unit}
        if not state.pieces[site.unit].gs:
            ctx.emit("work-delayed", DELAY, by, **where, begun=turn_name(site.turn))
        elif place_problems(state, h, what):
            why = place_problems(state, h, what)[0].text
            ctx.emit("work-lost", RULES[what], by, **where, why=why)
        else:
            ctx.emit("work-done", RULES[what], by, **where, units=[site.unit])


def begin_works(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """Begin the forts and the improvements that orders of :data:`SITES` name."""
    state = ctx.state
    for order in orders:
        problems = begin_problems(state, side, order)
        if problems:
            ctx.void(order, problems, by)
            continue
        uid = order.text("unit")
        ctx.emit(
            "work-begun",
            RULES[SITES[order.type]],
            by,
            what=SITES[order.type],
            hex=state.board.name(state.hex_of(uid)),
            side=side,
            unit=uid,
            order=str(order.index),
        )


def begin_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What keeps a construction engineer from beginning a fort, or the improvement of a fortress, where it stands."""
    what, uid = SITES[order.type], order.text("unit")
    rule = RULES[what]
    found = builder_problems(state, side, uid, rule)
    if found:
        return found
    h = state.hex_of(uid)
    found = elsewhere_problems(state, uid, order, rule) + engineer_problems(state, uid, rule)
    found += supply_problems(state, uid, rule) + place_problems(state, h, what)
    other = state.sites.get((h, what))
    if other is not None:
        who = state.unit(other.unit).short or other.unit if other.unit else "divisional engineers"
        text = f"{who} have begun that work in {state.board.feature_names(h)} on {turn_name(other.turn)}"
        found.append(Problem("under_way", rule, text, "leave the order out"))
    return found


def builder_problems(state: State, side: str, uid: str, rule: str) -> list[Problem]:
    """Whose unit it is, and whether this is a turn in which one builds (WD 4.B, 28.B.3)."""
    if uid not in state.pieces:
        mend = "name a construction engineer of yours"
        return [Problem("unknown_unit", rule, state.off_map(uid), mend, field="unit")]
    name = state.unit(uid).short or uid
    found = []
    if state.unit(uid).side != side or state.player != side:
        text = f"{name} is {state.unit(uid).side}; works are begun by the phasing side, which is {state.player}"
        found.append(Problem("not_phasing", rule, text, "name a unit of your own in your player turn", field="unit"))
    if state.surprise:
        found.append(Problem("surprise", "WD 28.B.3", "nothing is built in the surprise turn", "leave the order out"))
    return found


def place_problems(state: State, h: int, what: str) -> list[Problem]:
    """What keeps a fort or an improved fortress from being built in a hex (WD 14.A.fort, 14.A.fortress)."""
    return _fort_problems(state, h) if what == FORT else _fortress_problems(state, h)


def _fort_problems(state: State, h: int) -> list[Problem]:
    rule, where = RULES[FORT], state.board.feature_names(h)
    found = ground_problems(state, h, "a fort", rule)
    if h in state.forts:
        found.append(Problem("there", rule, f"a fort stands in {where} already", "leave the order out"))
    if state.fortress(h):
        text = f"{where} is a fortress, {state.fortress(h)}; no fort is built there"
        hint = "improve_fortress" if state.fortress(h) == "unimproved" else "leave the order out"
        found.append(Problem("fortress", rule, text, hint))
    return found


def _fortress_problems(state: State, h: int) -> list[Problem]:
    rule, where = RULES[FORTRESS], state.board.feature_names(h)
    if state.fortress(h) == "unimproved":
        return []
    text = f"the fortress in {where} is improved" if state.fortress(h) else f"there is no fortress in {where}"
    return [Problem("fortress", rule, text, "leave the order out")]
