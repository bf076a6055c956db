"""Events of a case: the cards invented for it, what stands before it, the orders ``event`` and ``withdraw``."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.core import Answer, Ask, Order, Problem, Roll
from adjudicator.shifting_sands.cases.board import card_id
from adjudicator.shifting_sands.cases.core import Record, as_number, as_record, as_records, as_text, as_texts
from adjudicator.shifting_sands.cases.rounds import hold_card
from adjudicator.shifting_sands.cases.session import Session, engine_order, run
from adjudicator.shifting_sands.drawing import hand_size
from adjudicator.shifting_sands.events import withdrawals
from adjudicator.shifting_sands.events.carry_out import Play, carry_out, siege_active
from adjudicator.shifting_sands.events.mandates import DONE, OPEN, VOID, obeyed
from adjudicator.shifting_sands.events.play import play_event
from adjudicator.shifting_sands.events.playable import row_of
from adjudicator.shifting_sands.replacement import bans
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import text

PLACE = "place"


def event(session: Session, record: Record) -> list[Problem]:
    """Play a card as an event, with the places of the units it brings."""
    side, state = session.side(record), session.state
    if "active" not in session.case.given:
        state.active = side
    hold_card(session, side, record)
    plain = {key: value for key, value in record.items() if key not in ("place", "with_cards")}
    order = engine_order(session, plain)
    partners = [card_id(state.world, side, name) for name in as_texts(record.get("with_cards"))]
    order = replace(order, data={**order.data, "with_cards": [*partners]} if partners else order.data)
    places = as_record(record.get("place"))
    wishes = [Order(n, PLACE, {"unit": str(unit), "to": as_text(to)}) for n, (unit, to) in enumerate(places.items(), 1)]
    seen, before = len(session.ctx.problems), state.copy()
    run(play_event(session.ctx, side, order, wishes, ()), _default)
    problems = session.ctx.problems[seen:]
    if not problems:
        _facts(session, before, order)
    return list(problems)


def _default(request: Ask[object] | Roll) -> Answer[object] | tuple[int, ...]:
    """What the other side gives up goes by default."""
    if isinstance(request, Roll):
        return request.assume
    return Answer(request.default(), "default")


def _facts(session: Session, before: State, order: Order) -> None:
    """What a card has done: units by place and kind, its class, whether it bars replacement points."""
    state, row = session.state, row_of(session.state, order)
    session.fact("reinforcement_class", text(row, "reinforcement_class") or None)
    session.fact("rp_ban_effect", text(row, "name") in bans(state, "axis"))
    placed: dict[str, list[str]] = {}
    added: dict[str, dict[str, int]] = {}
    for uid, piece in sorted(state.pieces.items()):
        if uid in before.pieces and before.pieces[uid].at == piece.at:
            continue
        unit = state.counter(uid)
        placed.setdefault(piece.at, []).append(unit.kind or uid)
        box = added.setdefault(f"{unit.side} {piece.at.removeprefix('@')}", {})
        box[unit.kind or uid] = box.get(unit.kind or uid, 0) + 1
    session.merge("placed", placed)
    session.fact("added", {name: added.get(name, {}) for name in as_record(_wanted(session, "added"))})
    session.merge("stacks", {place: [f"{state.counter(u).kind}/{state.step_of(u)}" for u in state.units_in(place)]
                             for place in placed})


def _wanted(session: Session, name: str) -> object:
    return as_record(session.case.expect.get("facts")).get(name)


def withdraw(session: Session, record: Record) -> None:
    """Whom the event in play may take (SS faq.cards.24)."""
    state, told = session.state, as_record(session.case.given.get("withdraw"))
    effect = _removal(session, "remove_divisions")
    if "eligible" in told:
        effect = {**effect, "nations": as_texts(told.get("eligible")), "count": as_text(told.get("divisions"))}
    session.choices["withdraw"] = list(withdrawals.divisions(state, effect).able)


def withdraw_group(session: Session, record: Record) -> None:
    """The battlegroup that the event in play takes goes, or the point for it (SS faq.cards.25)."""
    name = as_text(session.case.given.get("event_in_play"))
    row = {"name": name, "effects": [_removal(session, "remove_bg")]}
    run(carry_out(session.ctx, Play("axis", name, row, Order(0, "event", {}), ())), _default)


def _removal(session: Session, do: str) -> Record:
    name = as_text(session.case.given.get("event_in_play"))
    return next(effect for event, effect in session.state.world.effects(do) if event == name)


def mandate(session: Session, record: Record) -> None:
    """Whether a mandate is obeyed."""
    session.fact("satisfied", session.state.mandates.get(as_text(record.get("event"))) == DONE)


def siege(session: Session, record: Record) -> None:
    """Whether the siege of Malta is on."""
    session.fact("siege_active", siege_active(session.state))


def hand_limit(session: Session, record: Record) -> None:
    """The hand to which a side draws; the case stands in the turn that it draws for, its events in the one before."""
    state = session.state.copy()
    state.turn -= 1
    session.fact("hand_limit", hand_size(state, session.side(record)))


def stand(session: Session) -> None:
    """What cases tell of the turn so far: classes of reinforcements, mandates, attacks made."""
    given, state = session.case.given, session.state
    for side, kinds in as_record(given.get("reinforcements_this_turn")).items():
        state.reinforced[str(side)] = as_texts(kinds)
    told = as_records(given.get("mandates"))
    rounds = {as_text(row.get("event")): as_number(row.get("played_in_round")) for row in told}
    for name, effect in state.world.lasting("mandate"):
        if name in rounds or (name in as_texts(given.get("events_this_turn"))):
            done = any(_obeys(state, effect, row, rounds.get(name, 0)) for row in as_records(given.get("attacks_made")))
            state.mandates[name] = DONE if done else OPEN


def _obeys(state: State, effect: Record, row: Record, played: int) -> bool:
    """An attack of a later round of its side: the Axis moves first in a round (SS faq.cards.18)."""
    side = as_text(row.get("side"))
    later = as_number(row.get("round")) > played if side == "axis" else as_number(row.get("round")) >= played
    return later and obeyed(state, effect, side, as_text(row.get("region")), row.get("with_division") is True)


def cancelled(session: Session) -> None:
    """The events that have been cancelled."""
    found = [name for name, status in session.state.mandates.items() if status == VOID]
    session.fact("cancelled", found)
