"""A work followed through the initial phases of its owner, as cases of the form works ask (WD 14.A.fort)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Ctx, Order, Proc
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.forts import supply_work
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import PHASES, State, turn_name, turn_number

PLAYERS = ("allied", "axis")


@dataclass
class Wait:
    """Whose work, supplied or not in the initial phases that follow, and when its engineer leaves, if it does.

    ``done`` is the moment at which the work was finished, as cases write it; "" where it was not.
    """

    side: str
    started: str
    supplied: Sequence[bool] = field(default_factory=list)
    left: str = ""
    done: str = ""

    @property
    def turn(self) -> int:
        """The game turn in which the work was begun."""
        return _moment(self.started)[0]

    @property
    def player(self) -> str:
        """The player turn in which it was begun."""
        return PLAYERS[_moment(self.started)[1]]


def _moment(text: str) -> tuple[int, int, int]:
    """``Mar I 41 axis combat`` as turn, player turn and phase, in the order of time."""
    *turn, player, phase = text.split()
    return turn_number(" ".join(turn)), PLAYERS.index(player), PHASES.index(phase)


def follow(ctx: Ctx[State], wait: Wait, h: int) -> Proc[None]:
    """Play the own initial phases, one a game turn, with the supply given; the engineer leaves in between."""
    state = ctx.state
    (site,) = (site for (at, _what), site in state.sites.items() if at == h)
    first, gone = site.turn, not wait.left
    for count, supplied in enumerate(wait.supplied, 1):
        now = (first + count, PLAYERS.index(wait.side), PHASES.index("initial"))
        if not gone and _moment(wait.left) < now:
            yield from _leave(ctx, wait, site.unit)
            gone = True
        _open(ctx, now)
        if site.unit in state.pieces:
            state.pieces[site.unit].gs = supplied
        begun = len(ctx.events)
        supply_work(ctx, wait.side, ())
        if any(event.kind == "work-done" for event in ctx.events[begun:]):
            wait.done = f"{turn_name(state.turn)} {wait.side} initial"
    if not gone:
        yield from _leave(ctx, wait, site.unit)


def _open(ctx: Ctx[State], moment: tuple[int, int, int]) -> None:
    turn, player, phase = moment
    ctx.emit("phase", "WD 4.A", turn=turn_name(turn), player=PLAYERS[player], phase=PHASES[phase])


def _leave(ctx: Ctx[State], wait: Wait, uid: str) -> Proc[None]:
    """The engineer goes to an adjacent hex: in its own movement phase by an order, at any other moment by a retreat."""
    state, moment = ctx.state, _moment(wait.left)
    _open(ctx, moment)
    h = state.hex_of(uid)
    to = next(n for n in state.board.open_neighbours(h) if not state.units_at(n))
    name = state.board.name
    if PLAYERS[moment[1]] == wait.side and PHASES[moment[2]] == "movement":
        yield from movement_phase(ctx, wait.side, [Order(0, "move", {"unit": uid, "to": name(to)})], ())
        return
    ctx.emit("retreat", "WD 9.F.1", (), "public", unit=uid, path=[name(to)], **{"from": name(h)})
    settle(ctx, (h, to))
