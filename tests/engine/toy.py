"""A toy game for the driver: two sides duel in rounds; the struck side chooses whom to lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Ask, Ctx, Event, Order, Proc, Roll, Tree
from adjudicator.engine.driver import Step, Waits

ROUNDS = 4


@dataclass
class Duel:
    """The state: how many men each side has, who strikes next, in which round."""

    men: dict[str, list[str]] = field(default_factory=lambda: {"red": ["r1", "r2", "r3"], "blue": ["b1", "b2", "b3"]})
    round: int = 1
    striker: str = "red"


def other(side: str) -> str:
    return "blue" if side == "red" else "red"


def _find(orders: Sequence[Order]) -> tuple[str, ...] | None:
    return next((tuple(o.texts("targets")) for o in orders if o.type == "strike"), None)


def strike_ask(state: Duel) -> Ask[tuple[str, ...]]:
    return Ask(
        "orders/strike", state.striker, "T 1", "orders", _find, lambda _v: [], lambda: (), lambda: (),
        stop=True, fresh=True, forced=False, earliest=3,
    )


def loss_ask(state: Duel, side: str, number: int, stop: bool) -> Ask[str]:
    key = f"losses/{state.round}/{number}/{side}"

    def find(orders: Sequence[Order]) -> str | None:
        return next((o.text("man") for o in orders if o.type == "answer" and o.text("to") == key), None)

    def clause(rules: Tree) -> tuple[str, str] | None:
        wanted = rules if isinstance(rules, list) else []
        for man in wanted:
            if isinstance(man, str) and man in state.men[side]:
                return man, f"first {man}"
        return None

    return Ask(
        key, side, "T 2", "losses", find,
        lambda man: [] if man in state.men[side] else [_no_such(man)],
        lambda: list(state.men[side]), lambda: state.men[side][0], clause, stop=stop,
    )


def _no_such(man: str):  # type: ignore[no-untyped-def]
    from adjudicator.engine.core import Problem

    return Problem("man", "T 2", f"no man {man}")


def duel_round(ctx: Ctx[Duel], stop: bool) -> Proc[None]:
    state = ctx.state
    victim = other(state.striker)
    answer = yield from ctx.ask(strike_ask(state))
    for number in range(len(answer.value)):
        (die,) = yield from ctx.roll(Roll(f"round/{state.round}/strike/{number}", "strike", assume=(1,)))
        ctx.emit("strike", "T 1", answer.by, die=str(die), number=str(number))
        if die >= 3 and state.men[victim]:
            choice = yield from ctx.ask(loss_ask(state, victim, number, stop))
            ctx.emit("lost", "T 2", choice.by, side=victim, man=choice.value, source=choice.source)
    ctx.emit("round", "T 3", number=str(state.round + 1), striker=victim)


class DuelGame:
    """The toy as the driver sees it. ``stop`` makes every loss a stop."""

    sides = ("red", "blue")

    def __init__(self, stop: bool = False) -> None:
        self.stop = stop

    def apply(self, state: Duel, event: Event) -> None:
        if event.kind == "lost":
            state.men[str(event.data["side"])].remove(str(event.data["man"]))
        elif event.kind == "round":
            state.round, state.striker = int(str(event.data["number"])), str(event.data["striker"])

    def copy(self, state: Duel) -> Duel:
        return Duel({side: list(men) for side, men in state.men.items()}, state.round, state.striker)

    def next_step(self, state: Duel) -> tuple[str, Step[Duel]] | Waits:
        if state.round > ROUNDS or not all(state.men.values()):
            return Waits("over")
        return "round", lambda ctx: duel_round(ctx, self.stop)
