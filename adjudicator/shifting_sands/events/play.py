"""A card played as an event, from the order to the end of its round (SS 6.12, 7.5)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Tree
from adjudicator.shifting_sands.activation import ACTIVATION
from adjudicator.shifting_sands.events import mandates
from adjudicator.shifting_sands.events.carry_out import Play, carry_out
from adjudicator.shifting_sands.events.placing import sort_wishes
from adjudicator.shifting_sands.events.playable import event_problems, row_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text

EVENT, T_EVENT = "event", "t_event"


def play_event(
    ctx: Ctx[State], side: str, order: Order, wishes: Sequence[Order], by: Sequence[int]
) -> Proc[None]:
    """Play a card as an event if that is lawful, with the places for the units that it brings (SS 7.12, 7.51)."""
    problems = event_problems(ctx.state, side, order)
    if problems:
        ctx.void(order, problems, by)
        for wish in wishes:
            ctx.void(wish, [_not_played(wish)], by)
        return
    row = row_of(ctx.state, order)
    play = Play(side, text(row, "name"), row, order, tuple(by))
    play.wishes = sort_wishes(ctx, side, play.name, wishes, by)
    announce(ctx, play)
    yield from carry_out(ctx, play)


def _not_played(wish: Order) -> Problem:
    said = f"{wish.text('unit')} does not come: the event it stands with is not played"
    return Problem("event", "SS 7.53", said, "mend the order event, or leave it out", field="unit")


def announce(ctx: Ctx[State], play: Play) -> None:
    """The action of the round, what is discarded with it at once, and that the event is played (SS 10.322,
    faq.cards.33)."""
    card, index = play.order.text("card"), str(play.order.index)
    data: dict[str, Tree] = {"card": card, "name": play.name, **points(play.row)}
    data["leaves"] = "yes" if text(play.row, "asterisk") == "yes" else ""
    told = {key: value for key, value in data.items() if value}
    ctx.emit("action", "SS 7.51", play.by, "public", order=index, side=play.side, use="event", **told)
    partners: list[Tree] = [*play.order.texts("with_cards")]
    if partners:
        names: list[Tree] = [text(row_of(ctx.state, play.order, str(card)), "name") for card in partners]
        ctx.emit("discard", "SS 10.322", play.by, "public", side=play.side, cards=partners, names=names, order=index)
    kind = text(play.row, "reinforcement_class")
    more: dict[str, Tree] = {"class": kind} if kind else {}
    ctx.emit("event", "SS 7.51", play.by, "public", event=play.name, side=play.side, **more)


def points(row: Record) -> dict[str, Tree]:
    """The operations points that come with an event: those of a square, which serve the new units as well, or the
    markers of an activation (SS 7.13, faq.rules.33, faq.rules.34)."""
    markers = [text(effect, "markers") for effect in rows(row, "effects") if text(effect, "do") == "activate"]
    if markers:
        return {"ops": markers[0], "source": ACTIVATION}
    if text(row, "square") != "yes":
        return {}
    return {"ops": text(row, "ops"), "source": T_EVENT if text(row, "t_card") == "yes" else EVENT}


def end_of_part(ctx: Ctx[State], side: str) -> None:
    """A card with an asterisk leaves the game when the action round of its event is over (SS 7.52, 7.52.event,
    3.asterisk)."""
    card = ctx.state.leaving
    if card:
        ctx.emit("card-removed", "SS 7.52", side=side, cards=[card])


def end_of_actions(ctx: Ctx[State]) -> None:
    """After the sixth round, before attrition: mandates that were not obeyed, points of the end of the turn."""
    mandates.judge(ctx)
    mandates.points_at_end(ctx)
