"""The action of a round: the card or the automatic operation, then the markers and what they cost (SS 6.12, 7.2)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Item, bullets, item, para, strong
from adjudicator.report.fields import get, of_kind, records, rule, word
from adjudicator.report.shifting_sands.names import people, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, choose, counted, joined
from adjudicator.shifting_sands.words import card_name, in_supply, points, shorts

USES = {"rd": "redeployment", "rp": "replacement points"}
PURPOSES = {"move": "movement", "attack": "combat"}
OPENINGS = (
    "{side} {plays} {card} for its operations value",
    "{card} is the card of {side_low}, played for operations",
    "{side} {spends} {card} on operations",
)


def action_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Card and markers; the scene stands after them when this returns."""
    told: list[Item] = []
    lead: list[Block] = []
    for event in events:
        if event.kind == "action":
            lead.append(para(*_action_words(scene, event), rule(event.rule), "."))
        else:
            told.append(scene.tell(event))
        scene.apply(event)
    return [*lead, *bullets([*told, *_spare(scene, events)])]


def _action_words(scene: Scene, event: Event) -> list[str]:
    side, card, ops = get(event, "side"), get(event, "card"), int(get(event, "ops") or "0")
    if not card:
        why = f" ({get(event, 'clause')})" if get(event, "clause") else ""
        holds = verb(side, "keeps", "keep")
        return [
            f"{capital(people(side))} {holds} the cards and {verb(side, 'takes')} the automatic operation{why}: "
            f"{points(ops)}"
        ]
    left = len(scene.state.hands.get(side, [])) - 1
    kept = f"{counted(left, 'card')} {'is' if left == 1 else 'are'} left in hand"
    if get(event, "use") == "event":
        gives = f": {points(ops)}" if ops else ""
        name = get(event, "name") or card_name(scene.state, card)
        return [f"{capital(people(side))} {verb(side, 'plays')} {name} as an event{gives}; {kept}"]
    if get(event, "use") in USES:
        gives = f": {points(ops)}" if ops else ""
        what = f"{_named(scene, event)} for {USES[get(event, 'use')]}{gives}"
        return [f"{capital(people(side))} {verb(side, 'plays')} {what}; {kept}"]
    phrase = choose(OPENINGS, side, card, str(scene.state.round), str(scene.state.turn))
    words = phrase.format(
        side=capital(people(side)),
        side_low=people(side),
        card=_named(scene, event),
        plays=verb(side, "plays"),
        spends=verb(side, "spends"),
    )
    return [f"{words}: {points(ops)}; {kept}"]


def _named(scene: Scene, event: Event) -> str:
    """A card by its name where that is open to both, else as :func:`card_name` has it."""
    return card_name(scene.state, get(event, "name") or get(event, "card"), get(event, "side"))


def _spare(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """Points that nobody spent."""
    left = scene.state.ops.available - scene.state.ops.spent
    if not of_kind(events, "action") or left <= 0:
        return []
    return [item(f"{capital(counted(left, 'point'))} {'is' if left == 1 else 'are'} not spent.")]


def _action_item(scene: Scene, event: Event) -> Item:
    return item(*_action_words(scene, event), rule(event.rule), ".")


def _marker_item(scene: Scene, event: Event) -> Item:
    """A space activated: for what, at what price, and who there is not in full supply."""
    name, cost, left = get(event, "space"), int(get(event, "cost")), get(event, "left")
    scene.touch(name)
    purpose = strong(PURPOSES.get(get(event, "marker"), get(event, "marker")))
    paid = f": {points(cost)}, {left} left{_hampered(scene, event)}"
    return item(f"{name} is activated for ", purpose, paid, rule(event.rule), ".")


def _hampered(scene: Scene, event: Event) -> str:
    by_status: dict[str, list[str]] = {}
    for row in records(event, "supply"):
        if word(row, "status") != "full":
            by_status.setdefault(word(row, "status"), []).append(word(row, "unit"))
    parts = [f"{shorts(scene.state, units)} {in_supply(status)}" for status, units in by_status.items()]
    return f"; {joined(parts)}" if parts else ""


def _marker_gone_item(scene: Scene, event: Event) -> Item:
    return item(f"The marker on {get(event, 'space')} is taken off", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "action": _action_item,
    "marker": _marker_item,
    "marker-gone": _marker_gone_item,
}
