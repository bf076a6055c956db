"""Overruns, supply on the move, work on railroads: what a movement phase has besides marches."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import bare_list, counter_name, hex_words, list_units, people, ranked, the
from adjudicator.report.western_desert.roads import way_words
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, records, rule
from adjudicator.report.words import capital, counted, figure, joined, third


def _overrun_item(scene: Scene, event: Event) -> Item:
    """Who overruns whom, at what odds, and what each unit pays whether it advances or not."""
    state, units = scene.state, ranked(scene.state, items(event, "units"))
    verb = "overrun" if len(units) > 1 else third("overrun")
    held = f", held by {list_units(state, ranked(state, items(event, 'defenders')))}"
    start = f"{capital(list_units(state, units))} {verb} {scene.place(scene.find(get(event, 'hex')))}{held}"
    strength, against = (figure(Fraction(get(event, key, "0"))) for key in ("strength", "against"))
    odds = f": {strength} against {against}, {get(event, 'odds')}:1; "
    return item(start, odds, _prices(scene, event), rule(event.rule), ".")


def _prices(scene: Scene, event: Event) -> str:
    """``4 MP each (1 clear, 3 overrun), 6 left``; units that pay alike together."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for row in records(event, "costs"):
        key = (str(row.get("mp", "")), str(row.get("cost", "")), str(row.get("left", "")))
        groups.setdefault(key, []).append(str(row.get("unit", "")))
    parts = []
    for (points, what, left), payers in groups.items():
        who = f"{bare_list(scene.state, payers)} " if len(groups) > 1 else ""
        each = " each" if len(payers) > 1 else ""
        parts.append(f"{who}{points} MP{each} ({what}), {left} left")
    return "; ".join(parts)


def _supply_moved_item(scene: Scene, event: Event) -> Item:
    """A supply counter on its way, with its price in supply movement points."""
    path, origin = tuple(scene.find(text) for text in items(event, "path")), scene.find(get(event, "from"))
    way = way_words(scene.board, origin, path, tuple(step == "rail" for step in items(event, "steps")))
    start, end = hex_words(scene.board, origin), scene.place(path[-1])
    cost = f" ({get(event, 'cost')})" if get(event, "cost") not in ("", "nothing") else ""
    words = f"{capital(counter_name(scene.state, get(event, 'counter')))} goes from {start} {way} to {end}"
    return item(f"{words}: {get(event, 'smp')} SMP{cost}, {get(event, 'left')} left this turn", rule(event.rule), ".")


def _supply_merged_item(scene: Scene, event: Event) -> Item:
    named = joined([counter_name(scene.state, sid) for sid in items(event, "counters")])
    where = scene.place(scene.find(get(event, "hex")))
    return item(f"{capital(named)} merge in {where} into one counter of two steps", rule(event.rule), ".")


def _supply_split_item(scene: Scene, event: Event) -> Item:
    named, new = counter_name(scene.state, get(event, "counter")), counter_name(scene.state, get(event, "new"))
    where = scene.place(scene.find(get(event, "hex")))
    return item(f"{capital(named)} is split in {where}; the second step is {new}", rule(event.rule), ".")


def _supply_destroyed_item(scene: Scene, event: Event) -> Item:
    side, counters = get(event, "side"), items(event, "counters")
    steps = sum(scene.state.supply[sid].steps for sid in counters if sid in scene.state.supply)
    verb = "destroy" if side == "allied" else "destroys"
    named = joined([counter_name(scene.state, sid) for sid in counters])
    return item(f"{capital(people(side))} {verb} {named}, {counted(steps, 'step')} of supply", rule(event.rule), ".")


def _rail_work_item(scene: Scene, event: Event) -> Item:
    """A railroad broken or repaired by a unit, or broken by bombs (WD 20.F.2.f)."""
    verb = "breaks" if event.kind == "rail-broken" else "repairs"
    verb = "repair" if get(event, "divisional") else verb
    where = scene.place(scene.find(get(event, "hex")))
    if not get(event, "unit"):
        return item(strong(f"Bombs break the railroad in {where}"), rule(event.rule), ".")
    named = the(scene.state, get(event, "unit"))
    who = capital(f"the divisional engineers of {named}" if get(event, "divisional") else named)
    paid = f": {get(event, 'mp')} MP, {get(event, 'left')} left" if get(event, "mp") else ""
    return item(strong(f"{who} {verb} the railroad in {where}"), paid, rule(event.rule), ".")


def _rail_extended_item(scene: Scene, event: Event) -> Item:
    where = scene.place(scene.find(get(event, "hex")))
    if not get(event, "order"):
        start = scene.place(scene.find(get(event, "from")))
        return item(strong(f"The road from {start} to {where} is a railroad now"), rule(event.rule), ".")
    return item(strong(f"The railroad is built on to {where}"), ", and serves there at once", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "overrun": _overrun_item,
    "supply-moved": _supply_moved_item,
    "supply-merged": _supply_merged_item,
    "supply-split": _supply_split_item,
    "supply-destroyed": _supply_destroyed_item,
    "rail-broken": _rail_work_item,
    "rail-repaired": _rail_work_item,
    "rail-extended": _rail_extended_item,
}
