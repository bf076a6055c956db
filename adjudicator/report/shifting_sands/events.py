"""Cards played as events: what they bring, take, demand and change (SS 7.5)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import by_choice, get, rule, texts
from adjudicator.report.shifting_sands.names import people, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, joined
from adjudicator.shifting_sands.words import place_name, points, unit_name

USES = {"rd": "redeployment", "rp": "replacement points"}
STATUS = {
    "open": "{side} must attack with a division by the end of the turn",
    "done": "{side} {has} made the attack that it demands",
    "void": "it is cancelled",
    "failed": "{side} {has} not made the attack that it demands",
}


def event_item(scene: Scene, event: Event) -> Item:
    """An event that is played."""
    when = f" in {get(event, 'turn')}" if get(event, "turn") else ""
    kind = f", a reinforcement of class {get(event, 'class')}" if get(event, "class") else ""
    return item("Event: ", strong(f"{get(event, 'event')}"), f"{when}{kind}", rule(event.rule), ".")


def _counts_item(scene: Scene, event: Event) -> Item:
    use = USES.get(get(event, "use"), get(event, "use"))
    nations = joined(texts(event.data.get("nations")))
    only = f" for {nations} units" if nations else ""
    gives = f", {points(int(get(event, 'points')))}{only}" if get(event, "points") else ""
    return item(f"The round counts as one of {use} too{gives}", rule(event.rule), ".")


def _scored_item(scene: Scene, event: Event) -> Item:
    return item(f"The points of {get(event, 'event')} come once in a game only", rule(event.rule), ".")


def _mandate_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    words = STATUS.get(get(event, "status"), get(event, "status"))
    said = words.format(side=people(side), has=verb(side, "has", "have"))
    return item(f"{get(event, 'event')}: {said}", rule(event.rule), ".")


def _upgraded_item(scene: Scene, event: Event) -> Item:
    at = get(event, "at")
    where = f" in {place_name(at)}" if at else ", which is not in play yet"
    said = f"The {unit_name(scene.state, get(event, 'to'))} takes the place of the weaker counter{where}"
    return item(said, rule(event.rule), ".")


def _waits_item(scene: Scene, event: Event) -> Item:
    lost = get(event, "lost") == "yes"
    fate = "is lost" if lost else "waits for a later replacement phase"
    said = f"The {unit_name(scene.state, get(event, 'unit'))} finds no place and {fate}"
    return item(said, rule(event.rule), ".")


def _withdrawn_item(scene: Scene, event: Event) -> Item:
    start, end = get(event, "from"), get(event, "to")
    for name in (start, end):
        if name and not name.startswith("@"):
            scene.touch(name)
    where = "leaves the game" if end == "@eliminated" else f"goes to {place_name(end)}"
    who = unit_name(scene.state, get(event, "unit"))
    said = f"The {who} in {place_name(start)} {where}: {get(event, 'why')}{_chosen(event)}"
    return item(said, rule(event.rule), ".")


def _chosen(event: Event) -> str:
    chosen = by_choice(event)
    return f" ({chosen})" if chosen else ""


def _substituted_item(scene: Scene, event: Event) -> Item:
    at = get(event, "at")
    scene.touch(at)
    gone = unit_name(scene.state, get(event, "division"))
    said = f"The {unit_name(scene.state, get(event, 'unit'))} comes out of the reserve box into {at} for the {gone}"
    return item(said, rule(event.rule), ".")


def _card_removed_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    said = f"{capital(people(side))} {verb(side, 'takes', 'take')} the card of the event out of the game"
    return item(said, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "counts": _counts_item,
    "scored": _scored_item,
    "mandate": _mandate_item,
    "upgraded": _upgraded_item,
    "waits": _waits_item,
    "withdrawn": _withdrawn_item,
    "substituted": _substituted_item,
    "card-removed": _card_removed_item,
}
