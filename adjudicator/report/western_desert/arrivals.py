"""Divisions broken down and assembled, and what the order of battle brings: counters that come, go and change."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import air_name, counter_name, list_units, people, ranked, the
from adjudicator.report.western_desert.scene import Scene, Telling, by_choice, get, items, rule
from adjudicator.report.words import capital, counted, faces_words
from adjudicator.western_desert.air.words import air_names
from adjudicator.western_desert.orderbook import area_title
from adjudicator.western_desert.pool import rp_words
from adjudicator.western_desert.words import joined

RAID_FACES = (5, 6)
FORMS = {
    "headquarters": "its headquarters and components",
    "supported": "supported components; its headquarters stays in the box",
    "support_group": "its support group and brigades",
    "parts": "its components",
}


def _broken_down_item(scene: Scene, event: Event) -> Item:
    state, where = scene.state, scene.place(scene.find(get(event, "hex")))
    parts = list_units(state, ranked(state, items(event, "units")))
    into = FORMS.get(get(event, "form"), "its components")
    start = f"{capital(the(state, get(event, 'unit')))} breaks down in {where} into {into}"
    return item(strong(start), f": {parts}", rule(event.rule), ".")


def _assembled_item(scene: Scene, event: Event) -> Item:
    state, where = scene.state, scene.place(scene.find(get(event, "hex")))
    parts = list_units(state, ranked(state, items(event, "units")))
    start = f"{capital(the(state, get(event, 'unit')))} is assembled in {where}"
    return item(strong(start), f" of {parts}", rule(event.rule), ".")


def _name(scene: Scene, uid: str) -> str:
    """A ground or air unit with its article."""
    return the(scene.state, uid) if uid in scene.state.world.units else air_name(scene.state, uid)


def _list(scene: Scene, ids: Sequence[str]) -> str:
    """Ground units, or air units."""
    state = scene.state
    if any(uid in state.world.air for uid in ids):
        return ", ".join(air_name(state, aid) for aid in ids)
    return list_units(state, ranked(state, ids))


def _box(scene: Scene, event: Event) -> str:
    return area_title(scene.state.world, get(event, "box"))


def _by(event: Event) -> str:
    """How it came that this happens, where nobody ordered it."""
    said = by_choice(event)
    return f" ({said})" if said else ""


def _hex(scene: Scene, event: Event) -> str:
    return scene.place(scene.find(get(event, "hex")))


def _due_item(scene: Scene, event: Event) -> Item:
    """A counter that comes into the box of its area."""
    cadre = " as a cadre" if get(event, "step") == "cadre" else ""
    of = f", part of {_name(scene, get(event, 'of'))}" if get(event, "of") else ""
    words = f"{capital(_name(scene, get(event, 'unit')))} comes{cadre}: {_box(scene, event)}{of}"
    return item(words, rule(event.rule), ".")


def _due_supply_item(scene: Scene, event: Event) -> Item:
    steps = counted(int(get(event, "steps", "0")), "step")
    words = f"{capital(counter_name(scene.state, get(event, 'counter')))} with {steps} comes: {_box(scene, event)}"
    return item(words, rule(event.rule), ".")


def _landed_item(scene: Scene, event: Event) -> Item:
    words = f"{capital(_name(scene, get(event, 'unit')))} is placed in {_hex(scene, event)}"
    drawn = (", drawn from the Fifth Army: ", *scene.die(event)) if get(event, "die") else ()
    return item(strong(words), *drawn, _by(event), rule(event.rule), ".")


def _supply_landed_item(scene: Scene, event: Event) -> Item:
    steps = counted(int(get(event, "steps", "0")), "step")
    name = capital(counter_name(scene.state, get(event, "counter")))
    return item(f"{name} with {steps} lands in {_hex(scene, event)}", _by(event), rule(event.rule), ".")


def _points_item(scene: Scene, event: Event) -> Item:
    """Replacement points that come, go, or are forfeited."""
    where = {"hand": "at hand", "afar": "still to be shipped", "owed": "owed of the next to come"}[get(event, "where")]
    change, left = get(event, "points"), get(event, "left") or "0"
    signed = change if change.startswith("-") else f"+{change}"
    words = f"{capital(people(get(event, 'side')))}: {signed} {rp_words(get(event, 'rp'))} replacement points"
    return item(f"{words} ({get(event, 'why')}); {left} {where}", rule(event.rule), ".")


def _points_landed_item(scene: Scene, event: Event) -> Item:
    what = f"{get(event, 'points')} {rp_words(get(event, 'rp'))} replacement points"
    return item(f"{capital(what)} land in {_hex(scene, event)} and are at hand", rule(event.rule), ".")


def _replaced_item(scene: Scene, event: Event) -> Item:
    form = " as a cadre" if get(event, "step") == "cadre" else ""
    words = f"{capital(_name(scene, get(event, 'unit')))} is replaced{form} in {_hex(scene, event)}"
    return item(strong(words), f" for {get(event, 'cost')} replacement points", rule(event.rule), ".")


def _rebuilt_item(scene: Scene, event: Event) -> Item:
    words = f"{capital(_name(scene, get(event, 'unit')))} is rebuilt in {_hex(scene, event)}"
    cost = f" for {get(event, 'cost')} replacement points"
    return item(strong(words), f"{cost} and is a full division again", rule(event.rule), ".")


def _scrapped_item(scene: Scene, event: Event) -> Item:
    units = ranked(scene.state, items(event, "units"))
    verb = "are" if len(units) > 1 else "is"
    return item(f"{capital(list_units(scene.state, units))} {verb} scrapped", rule(event.rule), ".")


def _pool_lost_item(scene: Scene, event: Event) -> Item:
    """What lay in the pool of Malta, when the island is lost."""
    ground = [uid for uid in items(event, "units") if uid in scene.state.world.units]
    flying = [aid for aid in items(event, "units") if aid not in ground]
    said = [list_units(scene.state, ranked(scene.state, ground))] if ground else []
    said += [air_names(scene.state.world, flying)] if flying else []
    said += ["the replacement points there"] if items(event, "rp") else []
    return item(f"With Malta its replacement pool is lost for good: {joined(said)}", rule(event.rule), ".")


def _withdrawn_item(scene: Scene, event: Event) -> Item:
    """A unit that leaves play, perhaps in the place of another."""
    where = f" from {_hex(scene, event)}" if get(event, "hex") else ""
    for_ = f" in place of {_name(scene, get(event, 'of'))}" if get(event, "of") else ""
    to = " to Greece" if get(event, "box") == "greece" else ""
    pool = ", out of the replacement pool" if get(event, "place") == "pool" else ""
    start = f"{capital(_name(scene, get(event, 'unit')))} is withdrawn{to}{where}{for_}"
    return item(strong(start), pool, _by(event), rule(event.rule), ".")


def _supply_withdrawn_item(scene: Scene, event: Event) -> Item:
    steps = counted(int(get(event, "steps", "0")), "step")
    name, box = counter_name(scene.state, get(event, "counter")), get(event, "box").capitalize()
    return item(f"{capital(steps)} of {name} {'go' if steps[0] != '1' else 'goes'} to {box}", rule(event.rule), ".")


def _converted_item(scene: Scene, event: Event) -> Item:
    where = f" in {_hex(scene, event)}" if get(event, "hex") else ""
    into, units = _list(scene, items(event, "into")), items(event, "units")
    verb = "become" if len(units) > 1 else "becomes"
    start = f"{capital(_list(scene, units))} {verb} {into}{where}"
    return item(strong(start), _by(event), rule(event.rule), ".")


def _greece_item(scene: Scene, event: Event) -> Item:
    """A unit back from Greece, by its die or lost for its heavy equipment."""
    name, result = capital(_name(scene, get(event, "unit"))), get(event, "result")
    if not get(event, "die"):
        return item(f"{name} has heavy equipment and is lost in Greece: ", strong(result), rule(event.rule), ".")
    return item(f"{name} comes back from Greece: ", *scene.die(event), ": ", strong(result), rule(event.rule), ".")


def _pressure_item(scene: Scene, event: Event) -> Item:
    """The dice of pressure on Vichy France, and what is granted now."""
    grants = {"": "nothing is granted", "air": "Axis air units are admitted", "full": "the Axis is admitted"}
    change = f" {get(event, 'drm')}" if get(event, "drm") else ""
    result = {"none": "no effect", "air": "Air", "full": "Full"}[get(event, "result")]
    start = "Vichy France is pressed: "
    after = f"; {grants[get(event, 'grant')]}"
    return item(start, *scene.die(event), f"{change}: ", strong(result), after, rule(event.rule), ".")


def _invasion_item(scene: Scene, event: Event) -> Item:
    """The Levant is invaded, and to whom its forces go."""
    who, held = people(get(event, "side")), people(get(event, "held"))
    words = strong(f"{capital(who)} invade the Levant")
    return item(words, f"; {held} control the Vichy forces", rule(event.rule), ".")


def _raid_item(scene: Scene, event: Event) -> Item:
    """The die of a raid on an airbase, and what comes of it."""
    result = {"none": "no effect", "nobody": "no operative air unit is there", "inoperative": "a hit"}[
        get(event, "result")
    ]
    needed = f"; {faces_words(RAID_FACES)} makes an air unit inoperative: "
    start = f"The airbase in {_hex(scene, event)} is raided: "
    return item(start, *scene.die(event), needed, strong(result), rule(event.rule), ".")


def _raided_item(scene: Scene, event: Event) -> Item:
    """The air unit that a raid has hit, drawn where there was more than one."""
    drawn = (", drawn: ", *scene.die(event)) if get(event, "die") else ()
    name = air_name(scene.state, get(event, "air"))
    return item(strong(f"{name} becomes inoperative in {_hex(scene, event)}"), *drawn, rule(event.rule), ".")


def _told_item(scene: Scene, event: Event) -> Item:
    drawn = (": ", *scene.die(event)) if get(event, "die") else ()
    return item(f"{capital(get(event, 'why'))}", *drawn, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "broken-down": _broken_down_item,
    "assembled": _assembled_item,
    "due": _due_item,
    "due-supply": _due_supply_item,
    "landed": _landed_item,
    "supply-landed": _supply_landed_item,
    "points": _points_item,
    "points-landed": _points_landed_item,
    "replaced": _replaced_item,
    "rebuilt": _rebuilt_item,
    "scrapped": _scrapped_item,
    "pool-lost": _pool_lost_item,
    "withdrawn": _withdrawn_item,
    "supply-withdrawn": _supply_withdrawn_item,
    "converted": _converted_item,
    "greece": _greece_item,
    "pressure": _pressure_item,
    "invasion": _invasion_item,
    "raid": _raid_item,
    "raided": _raided_item,
    "told": _told_item,
}
