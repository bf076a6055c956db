"""Axis use of Tunisia, a historical option: what is sent there passes Malta more easily and enters the map at its
western edge in the next Axis player turn (WD 32.C).

Tunisia is no supply terminal; units and supply counters are sent there and nothing else, as many as there are (ruling
TUNISIA-SUPPLY).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.sea.sailing import sail
from adjudicator.western_desert.sea.voyages import (
    COUNTER,
    STEP_RE2,
    TUNISIA,
    UNIT,
    Item,
    transport_re2,
    turned_problems,
)
from adjudicator.western_desert.state import State

OPTION, RULE, ENTRY = "32.C", "WD 32.C", "WD 32.C.entry"
VIA = "via"
SIDE, EUROPE = "axis", "europe"
By = tuple[int, ...]


def send_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What keeps what an order names from being sent to Tunisia now (WD 32.C)."""
    if not state.world.plays(OPTION):
        text = "shipping to Tunisia belongs to option 32.C, which this game does not play"
        return [Problem("option", RULE, text, "leave via: out", field=VIA)]
    if side != SIDE:
        return [Problem("side", RULE, "the Axis player ships to Tunisia", "leave via: out", field=VIA)]
    found = [] if not order.text("at") else [_placed_later()]
    for key in ("rp", "air"):
        if order.texts(key) or order.text(key):
            text = "units and supply counters are sent to Tunisia, no replacement points and no air units"
            found.append(Problem("not_sent", RULE, text, "name them in an order of their own", field=key))
    return found + [problem for name in _named(order) for problem in _item_problems(state, name)]


def _placed_later() -> Problem:
    text = "what is sent to Tunisia enters the map in the next Axis player turn, and is placed then"
    return Problem("later", ENTRY, text, "leave at: out", field="at")


def _named(order: Order) -> list[str]:
    """The units and counters of an order, in its order."""
    names = [*(order.texts("units") or order.texts("unit")), *(order.texts("counters") or order.texts("counter"))]
    return list(dict.fromkeys(names))


def in_europe(state: State) -> list[str]:
    """The Axis units and supply counters that wait in Europe, in order of id."""
    units = [uid for uid, kept in sorted(state.boxes.items()) if kept.box == EUROPE and uid in state.world.units]
    return units + [sid for sid, depot in sorted(state.depots.items()) if depot.box == EUROPE]


def _item_problems(state: State, name: str) -> list[Problem]:
    waiting = in_europe(state)
    if name not in waiting:
        text = f"{short(state.world, name)} does not wait in Europe"
        there = ", ".join(short(state.world, one) for one in waiting) or "nothing"
        return [Problem("not_due", RULE, text, f"in Europe wait: {there}", field="units")]
    return turned_problems(state, [name])


def _items(state: State, names: Sequence[str]) -> Iterator[Item]:
    for name in names:
        if name in state.depots:
            steps = state.depots[name].steps
            yield Item(COUNTER, name, STEP_RE2 * steps, steps)
        else:
            yield Item(UNIT, name, transport_re2(state.world.units[name]))


def send(ctx: Ctx[State], side: str, order: Order, by: By) -> Proc[None]:
    """Ship what an order names to Tunisia: each by itself past Malta, whose status counts as five higher (WD 32.C)."""
    state = ctx.state
    for item in [*_items(state, _named(order))]:
        index = str(order.index)
        yield from sail(ctx, side, item, None, None, by, TUNISIA, choice="order", order=index, box=EUROPE)
