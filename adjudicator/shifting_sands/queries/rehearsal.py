"""The round of a side up to its combats: card, markers and moves as drafted, no combat fought."""

from __future__ import annotations

from adjudicator.engine.borrowed import Borrowed
from adjudicator.engine.core import Ctx, Proc
from adjudicator.engine.driver import Game, Step, Waits
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.turn import before_combats


class Rehearsal(Borrowed[State]):
    """A table whose game stops before the combats of a side's round."""

    def __init__(self, table: Game[State], side: str) -> None:
        super().__init__(table)
        self._side = side

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        """The step of the game; a stop before the combats of the side."""
        if not self._done and state.step == "round" and state.active == self._side:
            return self.last("round", _acting)
        return super().next_step(state)


def _acting(ctx: Ctx[State]) -> Proc[None]:
    yield from before_combats(ctx, ctx.state.active)
