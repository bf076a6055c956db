"""What a turn file to fill in says of events: which cards may be played as one now, why others not (template.py)."""

from __future__ import annotations

from adjudicator.shifting_sands.events import withdrawals
from adjudicator.shifting_sands.hand import event_faults, gives
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.stops import comment, wrapped
from adjudicator.shifting_sands.words import card_name, short_name, shorts
from adjudicator.shifting_sands.world import text


def hand_lines(state: State, side: str, card: str) -> list[str]:
    """Whether a card may be played as an event now; if not, why."""
    row = state.world.cards.get(card, {})
    if not row or text(row, "kind") == "combat":
        return []
    problems = event_faults(state, side, card)
    if problems:
        return _note(f"not as an event now: {problems[0].text} ({problems[0].rule})")
    return _note(f"as an event: {'; '.join(gives(state, side, row)) or 'it may be played'}")


def _note(words: str) -> list[str]:
    return wrapped(words, "#      ", "#        ")


def event_lines(state: State, side: str) -> list[str]:
    """How an event is played, with a card that may be."""
    hand = state.hands.get(side, [])
    able = [c for c in hand if c in state.world.cards and not event_faults(state, side, c)]
    card = card_name(state, able[0]) if able else "CARD"
    return [
        "  # Or as an event (SS 7.5): units that it brings come in where orders place say, else at the first place.",
        "  # - type: event",
        f"  #   card: {card}",
        "  # - type: place",
        "  #   unit: UNIT",
        "  #   to: SPACE",
    ]


def withdrawal_lines(state: State) -> list[str]:
    """The stop at which a player says whom an event of the enemy takes (pbem D8)."""
    name, needs = withdrawals.pending(state)
    lines = comment(0, f"{name}: units of yours go (SS faq.cards.23). Who goes by default stands first.")
    lines += comment(0, "A standing order for the topic withdraw settles it without this stop the next time.")
    for need in needs:
        lines += comment(0, f"{need.count} of {shorts(state, need.able) or 'nobody'}.")
    rows_ = [line for uid in withdrawals.default(needs) for line in _withdraw(state, uid)]
    return [*lines, "orders:", "  - type: section", "    name: reaction", *rows_]


def _withdraw(state: State, uid: str) -> list[str]:
    return ["  - type: withdraw", f"    unit: {short_name(state, uid)}"]
