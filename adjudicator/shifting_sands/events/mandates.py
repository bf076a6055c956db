"""Events that demand an attack of a side, or else a victory point (Orders from Rome, London Calling; SS 7.522)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text, texts

OPEN, DONE, VOID, FAILED = "open", "done", "void", "failed"


def open_mandates(state: State) -> Iterator[tuple[str, Record]]:
    """The mandates that wait to be obeyed, each with its effect."""
    for name, effect in state.world.lasting("mandate"):
        if state.mandates.get(name) == OPEN:
            yield name, effect


def obeyed(state: State, effect: Record, side: str, region: str, division: bool) -> bool:
    """Whether an attack is the one that a mandate demands."""
    return side == text(effect, "side") and division and region in texts(effect, "region")


def obey(ctx: Ctx[State], side: str, target: str, units: Sequence[str], by: Sequence[int]) -> None:
    """An attack is made: what it obeys is done; one of before the event came does not count (SS faq.cards.18)."""
    state = ctx.state
    region, division = state.world.spaces[target].region, any(state.counter(uid).division for uid in units)
    for name, effect in list(open_mandates(state)):
        if name not in state.fresh and obeyed(state, effect, side, region, division):
            ctx.emit("mandate", "SS faq.cards.18", by, event=name, side=side, status=DONE)


def cancel(ctx: Ctx[State], by: Sequence[int]) -> None:
    """Mandates end as soon as what cancels them holds (SS 7.522)."""
    for name, effect in list(open_mandates(ctx.state)):
        terms = rows(effect, "cancelled_if")
        if terms and hold(ctx.state, terms):
            ctx.emit("mandate", "SS 7.522", by, event=name, side=text(effect, "side"), status=VOID)


def judge(ctx: Ctx[State]) -> None:
    """The end of the turn: who has not obeyed pays (SS 7.51)."""
    for name, effect in list(open_mandates(ctx.state)):
        ctx.emit("mandate", "SS 7.51", event=name, side=text(effect, "side"), status=FAILED)
        move = effect.get("else")
        change = int(text(move, "vp")) if isinstance(move, dict) else 0
        ctx.emit("vp", "SS 7.51", to=str(ctx.state.vp + change), change=str(change), why=f"{name} was not obeyed")


def points_at_end(ctx: Ctx[State]) -> None:
    """Victory points of events at the end of their turn, after round 6 and before attrition."""
    state = ctx.state
    for name, effect in state.world.lasting("vp"):
        if text(effect, "at") == "end_of_turn" and state.events.get(name) == state.turn:
            score(ctx, name, effect, ())


def score(ctx: Ctx[State], name: str, effect: Record, by: Sequence[int]) -> None:
    """Move the marker by an event, unless something keeps it from that or its points have come once (SS 19.3)."""
    state = ctx.state
    terms = rows(effect, "unless")
    once = text(effect, "once_per_game") == "yes"
    if (terms and hold(state, terms)) or (once and name in state.scored):
        return
    delta = int(text(effect, "delta"))
    ctx.emit("vp", "SS 7.51", by, to=str(state.vp + delta), change=str(delta), why=name)
    if once:
        ctx.emit("scored", "SS 7.51", by, event=name)
