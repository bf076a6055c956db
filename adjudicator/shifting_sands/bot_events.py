"""Events of chance: a card of the hand that may be played as one, with places for some of what it brings (bots.py)."""

from __future__ import annotations

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Roll, Tree
from adjudicator.shifting_sands.cards import is_handle
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.events.placing import apart_of, brought, open_places
from adjudicator.shifting_sands.events.play import play_event
from adjudicator.shifting_sands.events.playable import event_problems, partners, points_now
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text

Row = dict[str, Tree]
EVENT_SHARE, PLACE_SHARE, TAKE_SHARE = 0.45, 0.7, 0.5


def event_rows(ctx: Ctx[State], side: str, chance: Chance) -> list[Row]:
    """An event with its placements, carried out on the copy of ``ctx``; nothing where none may be played."""
    if not chance.likely(EVENT_SHARE):
        return []
    able = able_rows(ctx.state, side)
    return play_row(ctx, side, chance.pick(able), chance) if able else []


def able_rows(state: State, side: str) -> list[Row]:
    """Every card of the hand that may be played as an event now, as its order."""
    return [row for card in state.hands.get(side, []) for row in _row(state, side, card)]


def play_row(ctx: Ctx[State], side: str, row: Row, chance: Chance) -> list[Row]:
    """An event with places for some of what it brings, carried out on the copy of ``ctx``."""
    card = ctx.state.world.cards[str(row["card"])]
    if points_now(ctx.state, side, card, "rp_now") and chance.likely(TAKE_SHARE):
        row = {**row, "take_rp": chance.pick(("yes", "no"))}
    places = _places(ctx.state, card, chance)
    run(play_event(ctx, side, _order(row, 0), [_order(place, n) for n, place in enumerate(places, 1)], ()))
    return [row, *places]


def _order(row: Row, index: int) -> Order:
    return Order(index, str(row["type"]), {name: value for name, value in row.items() if name != "type"})


def _row(state: State, side: str, card: str) -> list[Row]:
    """A card as an event, with those that must go with it; none where that is unlawful."""
    if is_handle(card):
        return []
    wanted = partners(state, state.world.cards[card])
    more = [c for c in state.hands[side] if text(state.world.cards.get(c, {}), "name") in wanted]
    row: Row = {"type": "event", "card": card}
    if more:
        row = {**row, "with_cards": [*more]}
    return [] if event_problems(state, side, _order(row, 0)) else [row]


def _places(state: State, card: Record, chance: Chance) -> list[Row]:
    """Places for units that the card brings, each another one; from the first unit on that gets none no more, since who
    is not placed by order takes the first place himself."""
    found: list[Row] = []
    taken: list[str] = []
    for effect in rows(card, "effects"):
        if text(effect, "do") != "place" or not hold(state, rows(effect, "if")):
            continue
        for uid in brought(state, effect):
            able = open_places(state, uid, text(effect, "where"), taken, apart_of(effect))
            able = [place for place in able if place.startswith("@reserve") or place not in taken]
            able = [place for place in able if place != "@replacement"]
            if not able or not chance.likely(PLACE_SHARE):
                return found
            place = chance.pick(able)
            taken.append(place)
            found.append({"type": "place", "unit": uid, "to": place})
    return found


def run(proc: Proc[None]) -> None:
    """Run an event to its end: the other side's choices go by default."""
    answer: object = None
    while True:
        try:
            request: Ask[object] | Roll = proc.send(answer)
        except StopIteration:
            return
        answer = request.assume if isinstance(request, Roll) else Answer(request.default(), "default")
