"""Decks of a case: piles by number, discards, draws, cards taken by name, what may be looked at (SS 5.1, 7.7)."""

from __future__ import annotations

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.cases.core import Record, as_number, as_text
from adjudicator.shifting_sands.cases.session import INDEX, Session, drawn_by_chance, engine_order, run
from adjudicator.shifting_sands.drawing import (
    TAKE,
    WINTERS,
    begun_with,
    draw_hand,
    fill_hand,
    hand_size,
    take_cards,
    take_problems,
)
from adjudicator.shifting_sands.facedown import opened_by
from adjudicator.shifting_sands.phases import REPLACEMENT
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import rows, text

DRAW = "draw"


def draw(session: Session, record: Record) -> list[Problem]:
    """The draw of a side for the turn that stands, with a card taken by name."""
    state, side = session.state, session.side(record)
    set_out(session)
    took = _take(session, side, as_text(record.get("take")))
    if isinstance(took, list):
        return took
    setting_up = session.case.given.get("board") == "sonnenblume"
    held = len(state.hands[side])
    if setting_up:
        run(draw_hand(session.ctx, side, int(text(state.world.scenario, "hand"))), drawn_by_chance)
    else:
        size, winter = size_now(state, side), WINTERS.get(turn_name(state.turn))
        run(fill_hand(session.ctx, side, size, winter, took), drawn_by_chance)
    session.fact("drawn", len(state.hands[side]) - held)
    session.fact("hand", len(state.hands[side]))
    return []


def size_now(state: State, side: str) -> int:
    """The hand of the turn that stands, as the draw before it has it."""
    before = state.copy()
    before.turn -= 1
    before.events = {name: turn - 1 if turn == state.turn else turn for name, turn in state.events.items()}
    return hand_size(before, side)


def _take(session: Session, side: str, name: str) -> str | list[Problem]:
    """Take a card: its id where it comes with the new year, "" for none or another; or what is wrong with it."""
    state = session.state
    if not name:
        return ""
    order = engine_order(session, {"type": TAKE, "side": side, "card": name})
    turn, phase, step = state.turn, state.phase, state.step
    setting_up = session.case.given.get("board") == "sonnenblume"
    state.turn, state.phase = (turn, "setup") if setting_up else (turn - 1, REPLACEMENT)
    problems = take_problems(state, side, order, ())
    taken = "" if problems else take_cards(session.ctx, side, [order], ())
    state.turn, state.phase, state.step = turn, phase, step
    return problems or taken


def discard(session: Session, record: Record) -> list[Problem]:
    """Throw away so many cards of the hand, whichever they are, before the draw (SS 5.11)."""
    state, side, count = session.state, session.side(record), as_number(record.get("count")) or 0
    if session.case.given.get("phase") != DRAW:
        said = "cards are discarded immediately before those of the next turn are drawn"
        return [Problem("phase", "SS 5.11", said, "wait for the end of the turn")]
    if count > len(state.hands[side]):
        return [Problem("hand", "SS 5.11", f"there are {len(state.hands[side])} cards in hand", "discard fewer")]
    cards = list(state.hands[side][:count])
    session.ctx.emit("discard", "SS 5.11", (), "public", side=side, cards=[*cards])
    shown = opened_by(state, side, Order(INDEX, "discard", {"cards": [*cards]}))
    session.fact("opponent_sees", "names" if shown else "counts")
    return []


def look(session: Session, record: Record) -> list[Problem]:
    """Look through the other side's discards: nobody may (SS 5.11)."""
    if as_text(record.get("by")) == as_text(record.get("of")):
        raise NotBuilt("a look at one's own discards")
    said = "the discards of the other side lie face down"
    return [Problem("hidden", "SS 5.11", said, "leave it")]


def audit(session: Session, record: Record) -> None:
    """Whether a side's pile holds only cards of years that have come in (SS 7.11)."""
    state, side = session.state, as_text(record.get("side"))
    years = {text(row, "year") for row in rows(state.world.scenario, "years")}
    years |= {year for season, (year, _rule) in WINTERS.items() if year and _come(state, season)}
    wrong = [card for card in state.piles[side] if text(state.world.cards[card], "year") not in years]
    session.fact("consistent", not wrong)


def _come(state: State, season: str) -> bool:
    return any(turn_name(turn) == season for turn in range(1, state.turn + 1))


def hand(session: Session, record: Record) -> None:
    """How many cards a side holds."""
    session.fact("hand", len(session.state.hands[as_text(record.get("side"))]))


def set_out(session: Session) -> None:
    """The piles of a scenario's set-up, before anybody draws (SS 18.1, 18.3)."""
    state = session.state
    if session.case.given.get("board") != "sonnenblume" or any(state.piles.values()):
        return
    for side in ("axis", "allied"):
        out = {name: _cards(state, name, side) for name in ("discarded", "removed")}
        session.ctx.emit(
            "pile", "SS 4.3", (), "public", side=side, cards=[*begun_with(state, side)],
            discarded=[*out["discarded"]], removed=[*out["removed"]],
        )


def _cards(state: State, name: str, side: str) -> list[str]:
    listed = [text(row, "card") for row in rows(state.world.scenario, name)]
    return [card for card in listed if text(state.world.cards[card], "side") == side]
