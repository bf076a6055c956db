"""The sequence of play (WD 4, 28.B.3): the phases of a player turn in their order, and whose turn comes next.

The driver's steps (turn.py) go by this list. The air phase has steps of its own (WD 16.C, air/phase.py).
"""

from __future__ import annotations

from typing import NamedTuple

PHASES = ("initial", "movement", "air", "combat", "exploitation")
RULES = {
    "initial": "WD 4.A.1",
    "movement": "WD 4.A.2",
    "air": "WD 4.A.3",
    "combat": "WD 4.A.4",
    "exploitation": "WD 4.A.5",
}
PLAYERS = ("allied", "axis")
FIRST_TURN = 1
SURPRISE = "surprise"


class PlayerTurn(NamedTuple):
    """One player turn: its number, who is phasing (WD 4.B), and whether it is the surprise turn (WD 28.B.3)."""

    turn: int
    player: str
    surprise: bool = False

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in order (WD 4.A.1, 4.A.2, 4.A.3, 4.A.4, 4.A.5); the surprise turn has no exploitation."""
        return PHASES[:-1] if self.surprise else PHASES

    def after(self, phase: str) -> str:
        """The phase that is played after another one, "" after the last."""
        left = self.phases[self.phases.index(phase) + 1 :]
        return next(iter(left), "")

    def next(self) -> PlayerTurn:
        """The player turn that follows: Allied, then Axis, then the next game turn (WD 4); the Allied turn of Dec I 40
        after the surprise turn."""
        if self.surprise:
            return PlayerTurn(self.turn, self.player)
        if self.player == PLAYERS[0]:
            return PlayerTurn(self.turn, PLAYERS[1])
        return PlayerTurn(self.turn + 1, PLAYERS[0])


def game_turn(number: int) -> list[PlayerTurn]:
    """The player turns of a game turn in order; the first one begins with the surprise turn (WD 4, 28.B.3)."""
    first = [PlayerTurn(number, PLAYERS[0], surprise=True)] if number == FIRST_TURN else []
    return [*first, *(PlayerTurn(number, player) for player in PLAYERS)]


def phases_of(number: int) -> list[tuple[str, str]]:
    """All phases of a game turn as (player turn, phase), the surprise turn by its name."""
    return [(SURPRISE if one.surprise else one.player, phase) for one in game_turn(number) for phase in one.phases]
