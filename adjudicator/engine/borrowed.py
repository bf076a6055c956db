"""Games that borrow the states of another and play a part of it only: for questions that look ahead."""

from __future__ import annotations

from typing import Generic, TypeVar

from adjudicator.engine.core import Ctx, Event, Proc
from adjudicator.engine.driver import Game, Step, Waits

S = TypeVar("S")
ASKED = Waits("asked")


class Borrowed(Generic[S]):
    """The steps of another game, up to a moment of its own: a subclass plays its last step with ``last``."""

    def __init__(self, game: Game[S]) -> None:
        self.sides = game.sides
        self._game = game
        self._done = False

    def apply(self, state: S, event: Event) -> None:
        """Change the state by one event."""
        self._game.apply(state, event)

    def copy(self, state: S) -> S:
        """An independent working copy."""
        return self._game.copy(state)

    def next_step(self, state: S) -> tuple[str, Step[S]] | Waits:
        """The step of the borrowed game; a stop once the last step has run."""
        return ASKED if self._done else self._game.next_step(state)

    def last(self, name: str, body: Step[S]) -> tuple[str, Step[S]]:
        """A step behind which nothing is played."""

        def run(ctx: Ctx[S]) -> Proc[None]:
            yield from body(ctx)
            self._done = True

        return name, run


class OneStep(Borrowed[S]):
    """A game of one step, after which nobody is asked for more."""

    def __init__(self, game: Game[S], name: str, body: Step[S]) -> None:
        super().__init__(game)
        self._name, self._body = name, body

    def next_step(self, state: S) -> tuple[str, Step[S]] | Waits:
        """The step, then nothing."""
        return ASKED if self._done else self.last(self._name, self._body)
