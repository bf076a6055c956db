"""The report of the set-up: order of battle, victory points, piles and the hands as they are drawn (SS 4, 5.12, 17)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, Words, bullets, item, para, strong
from adjudicator.report.fields import get, items, of_kind, rule
from adjudicator.report.shifting_sands.names import SIDES, people, the, unit_count, verb, where
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.shifting_sands.situation import situation_blocks
from adjudicator.report.words import capital, counted, joined
from adjudicator.shifting_sands.losses import RESERVE
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import bare_names, card_name, card_ops

FIELD = ("setup", "turn", "deploy", "control", "event", "vp", "pile")


def setup_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Tell what a message adds to the set-up. The scene stands after it when this returns."""
    placed = [event for event in events if event.kind in FIELD]
    rest = [event for event in events if event.kind not in (*FIELD, "draw")]
    blocks = _field_blocks(scene, placed) if of_kind(placed, "deploy") else bullets(scene.tell_all(placed))
    draws = of_kind(events, "draw")
    for side in SIDES:
        own = [event for event in draws if get(event, "side") == side]
        if own:
            blocks += _hand_blocks(scene, side, own)
    return [*blocks, *bullets(scene.tell_all(rest))]


def _field_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    for event in events:
        scene.apply(event)
    state = scene.state
    titles = [get(event, "title") for event in of_kind(events, "setup")]
    name = f"{titles[0] if titles else 'The scenario'} is on the map (SS 4, 17). Nobody has moved yet."
    return [para(name), *bullets(_side_items(state)), *situation_blocks(scene, everything=True)]


def _side_items(state: State) -> list[Item]:
    found = []
    for side in SIDES:
        everybody = [uid for uid in state.side_units(side) if state.on_map(uid)]
        units = [uid for uid in everybody if state.active_unit(uid)]
        idle = len(everybody) - len(units)
        reserve = state.in_box(RESERVE, side)
        pile = len(state.piles.get(side, []))
        parts = [f"{unit_count(state, units)} on the map"]
        parts += [f"{counted(idle, 'neutral battlegroup')} not released"] if idle else []
        parts += [f"{unit_count(state, reserve)} in the reserve box ({bare_names(state, reserve)})"] if reserve else []
        parts += [f"{counted(pile, 'card')} in the draw pile"] if pile else []
        found.append(item(f"{capital(people(side))}: {joined(parts)}."))
    return found


def _hand_blocks(scene: Scene, side: str, draws: Sequence[Event]) -> list[Block]:
    """The cards of a hand in the order drawn; where they lie face down, a player reads the names of his own alone."""
    blocks: list[Block] = [Heading(2, f"{capital(people(side))} {verb(side, 'draws')} a hand")]
    told = [item(*_draw_words(scene.state, event)) for event in draws]
    for event in draws:
        scene.apply(event)
    number = counted(len(draws), "card")
    left = len(scene.state.piles.get(side, []))
    lead = f"{capital(number)}, one roll a card over what is left of the pile; {left} stay in it"
    lie = "The cards lie face down: each player knows his own alone." if scene.state.hidden else "Hands lie open."
    return [*blocks, para(lead, rule(draws[0].rule), f". {lie}"), *bullets(told)]


# --- one event by itself ----------------------------------------------------------------------------------------


def _setup_item(scene: Scene, event: Event) -> Item:
    return item(f"{get(event, 'title')} is set up", rule(event.rule), ".")


def _deploy_item(scene: Scene, event: Event) -> Item:
    """A unit put on the map or into a box."""
    reduced = ", reduced" if get(event, "step") == "reduced" else ""
    who, at = capital(the(scene.state, get(event, "unit"))), where(get(event, "at"))
    return item(f"{who} is placed in {at}{reduced}", rule(event.rule), ".")


def _pile_item(scene: Scene, event: Event) -> Item:
    side, number = get(event, "side"), len(items(event, "cards"))
    return item(
        f"{capital(people(side))} {verb(side, 'has', 'have')} a draw pile of {number} cards", rule(event.rule), "."
    )


def _draw_words(state: State, event: Event) -> list[Words]:
    """A card drawn: its name and OPS, and the roll that chose it."""
    card, die, faces = get(event, "card"), get(event, "die"), get(event, "faces")
    rolled = f": {die} of {faces}" if die else ""
    ops = card_ops(state, card, get(event, "side"))
    value = f" ({ops} OPS)" if ops is not None else ""
    return [strong(card_name(state, card, get(event, "side"))), f"{value}{rolled}"]


def _draw_item(scene: Scene, event: Event) -> Item:
    return item(*_draw_words(scene.state, event), rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "setup": _setup_item,
    "deploy": _deploy_item,
    "pile": _pile_item,
    "draw": _draw_item,
}
