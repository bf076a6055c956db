"""Orders of a case outside the action: redeployment, replacements, and the phases at the end of a turn."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Answer, Ask, Problem, Roll
from adjudicator.shifting_sands.arrival import (
    arrival_places,
    arrive_early,
    come,
    is_t,
    place_problems,
    waiting,
)
from adjudicator.shifting_sands.attrition import attrition
from adjudicator.shifting_sands.cases.core import Record, as_text
from adjudicator.shifting_sands.cases.session import Session, engine_order, run
from adjudicator.shifting_sands.lrdg import come_to, mission_problems
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.rebuilding import carry_out, close_segment, open_segment, segment_problems
from adjudicator.shifting_sands.redeploy import points_of, rd_problems
from adjudicator.shifting_sands.redeploying import moment_problems, too_full
from adjudicator.shifting_sands.redeploying import redeploy as carry
from adjudicator.shifting_sands.replacement import STEPS, cost2, recreate_places
from adjudicator.shifting_sands.setup import draw_hand, set_out, take_named
from adjudicator.shifting_sands.state import turn_name
from adjudicator.shifting_sands.victory import automatic, determine
from adjudicator.shifting_sands.world import rows, text

ACTION, REPLACEMENT = "action", "replacement"


def redeploy(session: Session, record: Record) -> list[Problem]:
    """Redeploy one unit; a space that would be too full is found with the last order of the round."""
    side, order = session.side(record), engine_order(session, record)
    problems = moment_problems(session.state) if session.state.ops.source else []
    problems = problems or rd_problems(session.state, side, order) or [
        problem for found in too_full(session.state, side, [order]).values() for problem in found
    ]
    if problems:
        return problems
    cost = points_of(session.state.counter(order.text("unit")))
    session.costs["rd"] = session.costs.get("rd", 0) + cost
    session.fact("cost", session.costs["rd"])
    carry(session.ctx, side, order, ())
    if session.state.rd_left is not None:
        session.fact("remaining", session.state.rd_left)
    return []


def lrdg(session: Session, record: Record) -> list[Problem]:
    """A mission of the LRDG, by the die of the case."""
    state, order = session.state, engine_order(session, record)
    problems = mission_problems(state, session.side(record), order)
    if problems:
        return problems
    die = session.case.dice.get("lrdg")
    if die is None:
        raise NotBuilt("a mission without its die")
    run(come_to(session.ctx, order, die, "lrdg", ()), _any_card)
    _picked(session)
    session.fact("ops_spent", state.ops.spent)
    return []


def place_unit(session: Session, record: Record) -> list[Problem]:
    """A unit comes in, by the event in play if there is one."""
    state, order, event = session.state, engine_order(session, record), as_text(session.case.given.get("event_in_play"))
    uid = order.text("unit")
    if event and waiting(state, uid):
        session.choices["places"] = arrival_places(state, state.counter(uid), event)
    problems = place_problems(state, state.counter(uid).side, order, event)
    if problems:
        return problems
    if event:
        come(session.ctx, uid, order.text("to"), "full", "SS 7.53", (), marked=is_t(state, event))
    else:
        arrive_early(session.ctx, order, ())
    return []


def draw(session: Session, record: Record) -> list[Problem]:
    """The opening hand of Sonnenblume, with a card taken by name (SS 18.1, 18.3)."""
    state, side, scenario = session.state, session.side(record), session.state.world.scenario
    if session.case.given.get("board") != "sonnenblume":
        raise NotBuilt("state deck")
    if not any(state.piles.values()):
        set_out(session.ctx, scenario)
    named = [text(row, "card") for row in rows(scenario, "may_take") if text(row, "side") == side]
    wanted = as_text(record.get("take"))
    if wanted and wanted not in [text(state.world.cards[card], "name") for card in named]:
        return [Problem("take", "SS 18.3", f"{wanted} may not be taken", "leave it out", field="take")]
    if wanted:
        take_named(session.ctx, side)
    run(draw_hand(session.ctx, side, int(text(scenario, "hand"))), _any_card)
    session.fact("hand", len(state.hands[side]))
    return []


def hand(session: Session, record: Record) -> None:
    """How many cards a side holds."""
    session.fact("hand", len(session.state.hands[as_text(record.get("side"))]))


def _any_card(request: Ask[object] | Roll) -> Answer[object] | tuple[int, ...]:
    """Which card is picked is left to chance by the case: the first."""
    if isinstance(request, Roll):
        return request.assume
    raise NotBuilt(f"the choice {request.key}")


def _picked(session: Session) -> None:
    """The cards that a mission took or showed, and who knows their names (SS 11.73, 11.74, ruling A61)."""
    for event in session.ctx.events:
        cards = event.data.get("cards")
        if event.kind in ("cards-seen", "discard") and isinstance(cards, list):
            session.fact("cards_shown", len(cards))
            session.fact("allied_sees", "names" if all(card in session.state.world.cards for card in cards) else "")
            session.fact("card_seen_by", ["allied"] if event.see in ("public", "allied") else [])


def rebuild(session: Session, record: Record) -> list[Problem]:
    """Spend points in the replacement phase of one's own side."""
    state, order, kind = session.state, engine_order(session, record), as_text(record.get("type"))
    side = "allied" if kind == "rp_choice" else session.side(record)
    uid = order.text("unit")
    if kind == "recreate" and uid in state.pieces:
        session.choices["places"] = recreate_places(state, state.counter(uid))
    segment = as_text(session.case.given.get("segment"))
    if state.phase == ACTION and "phase" in session.case.given:
        said = "points are spent in the replacement phase"
        return [Problem("phase", "SS 15.1", said, "wait for it")]
    if segment and segment != side:
        return [Problem("segment", "SS 5.52", f"this is the replacement phase of the {segment} side", "wait")]
    problems = segment_problems(state, side, order)
    if problems:
        return problems
    if uid:
        steps = int(order.text("steps") or (STEPS if kind == "recreate" else 1))
        session.costs["rp"] = session.costs.get("rp", 0) + cost2(state.counter(uid), steps)
        session.fact("cost", Fraction(session.costs["rp"], 2))
    carry_out(session.ctx, side, order, ())
    return []


def phase(session: Session, record: Record) -> list[Problem]:
    """Run a phase of the end of a turn."""
    name = as_text(record.get("name"))
    played = PHASES.get(name)
    if played is None:
        raise NotBuilt(f"phase {name}")
    played(session)
    return []


def _attrition(session: Session) -> None:
    attrition(session.ctx)


def _victory(session: Session) -> None:
    session.fact("winner", determine(session.ctx) or None)
    if session.state.winner:
        session.ctx.emit("phase", "SS 16.1", phase="over", step="over")


def _replacement(session: Session) -> None:
    session.ctx.emit("phase", "SS 5.5", phase=REPLACEMENT, step=REPLACEMENT)
    for side in _segments(session):
        open_segment(session.ctx, side, ())


def _segments(session: Session) -> tuple[str, ...]:
    segment = as_text(session.case.given.get("segment"))
    return (segment,) if segment else SIDES


def _replacement_end(session: Session) -> None:
    lost = sum(close_segment(session.ctx, side, ()) for side in _segments(session))
    session.fact("lost", Fraction(lost, 2))


def _game_turn(session: Session) -> None:
    state = session.state
    session.ctx.emit("turn", "SS 5.6", turn=turn_name(state.turn + 1), phase="draw", step="round")


PHASES: dict[str, Callable[[Session], None]] = {
    "attrition": _attrition,
    "victory": _victory,
    "replacement": _replacement,
    "replacement_end": _replacement_end,
    "game_turn": _game_turn,
}


def winner(session: Session, record: Record) -> None:
    """Who has won: nobody outside the victory determination phase."""
    state = session.state
    found = automatic(state)[0] if state.phase == "victory" else ""
    session.fact("winner", state.winner or found or None)
