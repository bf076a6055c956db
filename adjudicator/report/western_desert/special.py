"""Special operations: announced, used, over (WD 27), and garrisons on their list (WD 33.C). Of an announcement the
island or country is told, no hex."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import air_name, list_units, people, ranked, the
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, rule
from adjudicator.report.words import capital
from adjudicator.western_desert.theatre.listed import area_name

ENDS = {
    "unused": "go back to the pool of special forces, unused and without cost",
    "over": "are withdrawn, their special operation over",
    "lost": "are out of play; the loss costs what the use did",
}


def units_in_words(scene: Scene, event: Event) -> str:
    """Ground and air units of an operation."""
    state, uids = scene.state, items(event, "units")
    ground = [uid for uid in uids if uid in state.world.units]
    said = [list_units(state, ranked(state, ground))] if ground else []
    return ", ".join([*said, *(air_name(state, uid) for uid in uids if uid not in state.world.units)])


def _plans_item(scene: Scene, event: Event) -> Item:
    who = capital(people(get(event, "side")))
    start = f"{who} seal their plans of special operations, whether there are any or not"
    return item(start, rule(event.rule), ".")


def _announced_item(scene: Scene, event: Event) -> Item:
    places = " and ".join(items(event, "places"))
    words = f"{capital(people(get(event, 'side')))} announce a special operation: {places}"
    return item(strong(words), rule(event.rule), ".")


def _used_item(scene: Scene, event: Event) -> Item:
    steps = get(event, "steps")
    if steps:
        return item(f"Steps of supply that go to sea with the second wave: {steps}", rule(event.rule), ".")
    until = f"; they are withdrawn on {get(event, 'until')}" if get(event, "until") else ""
    return item(f"Used in their special operation: {units_in_words(scene, event)}{until}", rule(event.rule), ".")


def _landed_item(scene: Scene, event: Event) -> Item:
    where = scene.place(scene.find(get(event, "hex")))
    who = capital(the(scene.state, get(event, "unit")))
    return item(strong(f"{who} lands in {where} with the {get(event, 'wave')} wave"), rule(event.rule), ".")


def _over_item(scene: Scene, event: Event) -> Item:
    words = ENDS[get(event, "why")]
    one = {"go ": "goes ", "are ": "is ", "their ": "its "} if len(items(event, "units")) == 1 else {}
    for many, single in one.items():
        words = words.replace(many, single)
    return item(strong(f"{capital(units_in_words(scene, event))} {words}"), rule(event.rule), ".")


def _lists_item(scene: Scene, event: Event) -> Item:
    who = capital(people(get(event, "side")))
    return item(f"{who} seal the list of their garrisons, whether any has moved or not", rule(event.rule), ".")


def _listed_item(scene: Scene, event: Event) -> Item:
    state = scene.state
    where = scene.place(scene.find(get(event, "hex")))
    words = f"{list_units(state, ranked(state, items(event, 'units')))} in {where}"
    start = f"Off the map, onto the list of garrisons of {area_name(get(event, 'area'))}"
    return item(f"{start}: {words}", rule(event.rule), ".")


def _due_item(scene: Scene, event: Event) -> Item:
    words = f"The garrisons of {area_name(get(event, 'area'))} are shown before the turn is over: the enemy is near"
    return item(strong(words), rule(event.rule), ".")


def _shown_item(scene: Scene, event: Event) -> Item:
    state, by_hex = scene.state, dict[int, list[str]]()
    rows = event.data.get("units")
    for row in (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ():
        by_hex.setdefault(scene.find(str(row["hex"])), []).append(str(row["unit"]))
    stacks = [f"{list_units(state, ranked(state, ids))} in {scene.place(h)}" for h, ids in sorted(by_hex.items())]
    start = f"The garrisons of {area_name(get(event, 'area'))} are on the map"
    return item(strong(start), rule(event.rule), f": {'; '.join(stacks)}.")


ITEMS: dict[str, Telling] = {
    "plans": _plans_item,
    "special-announced": _announced_item,
    "special-used": _used_item,
    "special-landed": _landed_item,
    "special-over": _over_item,
    "lists": _lists_item,
    "garrison-listed": _listed_item,
    "garrison-due": _due_item,
    "garrison-shown": _shown_item,
}
