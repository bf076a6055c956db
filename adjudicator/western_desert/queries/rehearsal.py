"""The turn up to the moment that a question is about: its phases as they are, its combats not fought."""

from __future__ import annotations

from adjudicator.engine.borrowed import ASKED, Borrowed
from adjudicator.engine.core import Ctx, Proc
from adjudicator.engine.driver import Game, Step, Waits
from adjudicator.engine.queries import MISSION, MOVES, OVERRUN
from adjudicator.western_desert.state import State
from adjudicator.western_desert.turn import moving

MOVING = ("movement", "exploitation")
FIGHTING, FLYING = "combat", "air"


class Rehearsal(Borrowed[State]):
    """A table whose game stops within the player turn of a side.

    Asked for moves or an overrun it stops when the movement orders written so far are carried out, with what each unit
    has left; asked for a mission before the air phase of the side, for anything else before its combats.
    """

    def __init__(self, table: Game[State], question: str, side: str) -> None:
        super().__init__(table)
        self._question, self._side = question, side

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        """The step of the game; a stop at the moment asked for."""
        if state.player != self._side:
            return self._game.next_step(state)
        if self._done or state.step == (FLYING if self._question == MISSION else FIGHTING):
            return ASKED
        if self._question in (MOVES, OVERRUN) and state.step in MOVING:
            return self.last(state.step, _moving)
        return self._game.next_step(state)


def _moving(ctx: Ctx[State]) -> Proc[None]:
    yield from moving(ctx, ctx.state.step)
