"""The round of a side up to its combats: card, markers and moves as drafted, no combat fought."""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Event, Proc
from adjudicator.engine.driver import Game, Step, Waits
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.turn import before_combats

ASKED = Waits("asked")


class Rehearsal:
    """A table whose game stops before the combats of a side's round."""

    def __init__(self, table: Game[State], side: str) -> None:
        self.sides = table.sides
        self._table, self._side = table, side
        self._moved = False

    def apply(self, state: State, event: Event) -> None:
        """Change the state by one event."""
        self._table.apply(state, event)

    def copy(self, state: State) -> State:
        """An independent working copy."""
        return self._table.copy(state)

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        """The step of the game; a stop before the combats of the side."""
        if self._moved:
            return ASKED
        if state.step == "round" and state.active == self._side:
            return "round", self._act
        return self._table.next_step(state)

    def _act(self, ctx: Ctx[State]) -> Proc[None]:
        yield from before_combats(ctx, ctx.state.active)
        self._moved = True
