"""A preview that shares what lies before the first closed roll gives what whole runs give."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from adjudicator.engine.driver import Message
from adjudicator.match import preview
from adjudicator.match.draft import read_draft, resolve_orders
from adjudicator.match.games import game
from adjudicator.match.preview import PROFILES, PreviewDice
from adjudicator.match.resolver import MatchResolver
from adjudicator.packs.load import load_pack

MOVES = """
orders:
  - type: section
    name: movement
  - {type: move, unit: 16 Inf X, to: 19/0826}
  - {type: move, unit: 11 Ind X, to: 19/0826}
  - {type: move, unit: 5 Ind X, to: 19/0826}
  - {type: move, unit: 7 Arm X, to: 19/0601}
"""
ATTACK = """
  - {type: section, name: air}
  - type: section
    name: combat
  - {type: attack, hex: 19/0726, with: "16 Inf X, 11 Ind X, 5 Ind X", advance: all}
  - {type: attack, hex: 19/0725, with: 16 Inf X}
"""
NOTHING = """
  - {type: section, name: air}
  - type: section
    name: combat
"""


def begun() -> tuple[MatchResolver, list[Message]]:
    """The short game up to the first orders: messages 1 to 3, their dice opened."""
    table = game("western-desert").table(load_pack("western-desert").tree, "compass", {})
    resolver = MatchResolver.fresh(table)
    bodies: list[dict[str, Any]] = [{"orders": []} for _ in range(4)]
    for seq in range(4):
        resolver.resolve(seq, bodies, hashlib.sha256(bytes([seq])).digest())
    return resolver, resolver.messages_up_to(3, bodies)


@pytest.mark.parametrize("text", [MOVES, MOVES + NOTHING, MOVES + ATTACK])
def test_shared_and_whole_runs_agree(text: str) -> None:
    resolver, before = begun()
    state = resolver.run(before, PreviewDice(resolver.seeds, "assume")).state
    found = resolve_orders(resolver.table, state, "allied", read_draft(text.encode()).orders)
    messages = [*before, Message(4, "allied", tuple(order for order in found.orders if order.index not in found.bad))]
    shared = preview._runs(resolver, messages)
    for profile in PROFILES:
        whole = resolver.run(messages, PreviewDice(resolver.seeds, profile))
        part = shared[profile]
        assert [event.tree() for event in part.events] == [event.tree() for event in whole.events]
        assert resolver.table.position(part.state) == resolver.table.position(whole.state)
        assert (part.problems, part.rolls, part.waits) == (whole.problems, whole.rolls, whole.waits)
        assert (part.at, part.answered, part.step) == (whole.at, whole.answered, whole.step)
        assert (part.kept, part.kept_problems) == (whole.kept, whole.kept_problems)
