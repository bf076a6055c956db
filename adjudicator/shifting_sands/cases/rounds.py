"""Orders of a case outside combat: action, markers, movement, captured supply, the end of a round, what happens now."""

from __future__ import annotations

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.activation import (
    IN_A_ROW,
    act,
    action_problems,
    activation_cost,
    mark,
    marker_of,
    marker_problems,
    rounds_over,
)
from adjudicator.shifting_sands.arrival import unmarked
from adjudicator.shifting_sands.capture import TOWNS, flip_problems
from adjudicator.shifting_sands.cases.bout import enter
from adjudicator.shifting_sands.cases.combats import play_on, unsettled
from adjudicator.shifting_sands.cases.core import Record, as_record, as_text, as_texts
from adjudicator.shifting_sands.cases.outcome import combat_facts
from adjudicator.shifting_sands.cases.session import Session, engine_order
from adjudicator.shifting_sands.control import release, take
from adjudicator.shifting_sands.movement import end_problems, finish, left_after, move_problems, walk
from adjudicator.shifting_sands.replacement import bans
from adjudicator.shifting_sands.stacking import excess, overstacked
from adjudicator.shifting_sands.state import ROUNDS

NAMELESS = "?"


def play_card(session: Session, record: Record) -> list[Problem]:
    """Play a card for OPS, RD or RP, or take the automatic operation."""
    side = session.side(record)
    if "active" not in session.case.given:
        session.state.active = side
    hold_card(session, side, record)
    card = {} if "card" in record else {"card": NAMELESS}
    order = engine_order(session, record, **(card if record.get("type") == "play_card" else {}))
    problems = action_problems(session.state, side, order)
    session.fact("ban", bans(session.state, side))
    session.fact("next_phase", "attrition" if rounds_over(session.state) else "action")
    if problems:
        return problems
    if order.text("card") == NAMELESS and order.text("use") in IN_A_ROW:
        session.state.history.setdefault(side, {})[session.state.round] = order.text("use")
        return []
    if order.text("card") == NAMELESS:
        raise NotBuilt("a card of no name and value")
    act(session.ctx, side, order, ())
    session.fact("ops", session.state.ops.available)
    session.fact("rp", dict(session.state.rp))
    if session.state.rd_left is not None:
        session.fact("available", session.state.rd_left)
    return []


def hold_card(session: Session, side: str, record: Record) -> None:
    """A card is in hand unless the case tells what is; without a name it is some card of the hand."""
    deck = as_record(as_record(session.case.given.get("deck")).get(side))
    told = "hand" in deck or "hand_contains" in deck or side in as_record(session.case.given.get("hands"))
    if record.get("type") not in ("play_card", "event") or (told and "card" in record):
        return
    if as_text(deck.get("hand")) == "0":
        return
    card = engine_order(session, record).text("card") if "card" in record else NAMELESS
    if card not in session.state.hands[side]:
        session.state.hands[side].append(card)


def marker(session: Session, record: Record) -> list[Problem]:
    """Place a marker; facts tell the cost of all markers of the round, this one included."""
    side, order = session.side(record), engine_order(session, record)
    space = order.text("space")
    problems = marker_problems(session.state, side, space, marker_of(order))
    ops = session.state.ops
    if session.state.friends(space, side) and ops.source:
        cost = activation_cost(session.state, space, side, marker_of(order)).points
        session.costs[space] = cost
        session.fact("cost", sum(session.costs.values()))
        session.fact("costs", dict(session.costs))
        session.fact("available", ops.available)
    if not problems:
        mark(session.ctx, side, order, ())
        session.fact("remaining", ops.available - ops.spent)
        session.fact("ops_spent", ops.spent)
        session.fact("markers", len(session.state.markers))
    return problems


def move(session: Session, record: Record) -> list[Problem]:
    """Move one unit; stacking is judged by ``end_movement``."""
    side, order = session.side(record), engine_order(session, record)
    uid, path = order.text("unit"), order.texts("path")
    problems = move_problems(session.state, side, uid, path)
    if problems:
        return problems
    taken = walk(session.ctx, side, order, ())
    session.fact("mf_left", left_after(session.state, session.state.counter(uid), path))
    session.captured, session.captor = next((name for name in taken if name in TOWNS), ""), side
    return []


def end_movement(session: Session, record: Record) -> list[Problem]:
    """The end of movement: overstacks are refused, or settled by the units named (SS 8.2)."""
    side = session.side(record)
    order = engine_order(session, record)
    problems = end_problems(session.state, side, order)
    session.fact("excess", sum(excess(session.state, place, side) for place in overstacked(session.state, side)))
    if not problems:
        finish(session.ctx, side, order, [], ())
    return problems


def captured_supply(session: Session, record: Record) -> list[Problem]:
    """Restore units by the capture that has just happened (SS 13.9)."""
    units, town = as_texts(record.get("units")), session.captured
    problems = flip_problems(session.state, session.captor or session.side(record), town, units)
    if not problems:
        session.captured = ""
        for uid in units:
            session.ctx.emit("flipped", TOWNS[town][1], unit=uid, at=session.state.pieces[uid].at, town=town)
    return problems


def end_round(session: Session, record: Record) -> list[Problem]:
    """The action round is over for both sides."""
    play_on(session)
    problems = [*unsettled(session), *unmarked(session.state)]
    if problems:
        return problems
    state = session.state
    if state.ops.source:
        session.fact("wasted", state.ops.available - state.ops.spent)
    session.ctx.emit("end-round", "SS 6.14", side=state.active, round=str(state.round))
    if state.round < ROUNDS:
        session.ctx.emit("round", "SS 6.14", round=str(state.round + 1), active=state.active)
    combat_facts(session)
    session.bout, session.costs = None, {}
    return []


def assume(session: Session, record: Record) -> list[Problem]:
    """Something happens now: an event, a change of control, a combat."""
    for key in record:
        if key not in ("type", "event", "control", "combat"):
            raise NotBuilt(f"assume {key}")
    if "event" in record:
        name = as_text(record.get("event"))
        session.ctx.emit("event", "SS 7.51", event=name)
        effects = [effect for event, effect in session.state.world.effects("release") if event == name]
        release(session.ctx, [nation for effect in effects for nation in as_texts(effect.get("nations"))], "SS 10.42")
    for space, side in as_record(record.get("control")).items():
        take(session.ctx, as_text(side), [str(space)], "SS 3.control")
    if "combat" in record:
        session.bout = enter(session.ctx, as_record(record.get("combat")), session.case.dice)
    return []
