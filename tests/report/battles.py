"""Battles of chance on the real map, for tests that want many events of every kind."""

from __future__ import annotations

from random import Random

from adjudicator.engine.core import Ctx, Event, Order, Tree
from adjudicator.engine.dice import Local
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.state import State
from tests.western_desert.ground import scattered


def fought(seed: int) -> tuple[State, list[Event]]:
    """A combat phase on a random position of the real map, every listed attack ordered, dice of chance."""
    random = Random(seed)
    state = scattered(seed, 40)
    state.phase = state.step = "combat"
    before = state.copy()
    orders: list[Order] = []
    busy: set[str] = set()
    for h, units in attack_options(state, state.player).items():
        free = [uid for uid in units if uid not in busy]
        if free and any(state.unit(uid).attack for uid in free):
            busy.update(free)
            data: dict[str, Tree] = {"hex": state.board.name(h), "with": list(free), "advance": "all"}
            orders.append(Order(len(orders), "attack", data))
    ctx: Ctx[State] = Ctx(state, apply, on=6)
    drive(combat_phase(ctx, state.player, orders, (6,)), Local(random.randrange))
    return before, ctx.events
