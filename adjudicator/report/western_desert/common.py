"""Events that may come in any phase: voids, supply spent and captured, units lost, standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, Words, item, strong
from adjudicator.report.upgrades import rules_item, rules_later_item
from adjudicator.report.western_desert.control import control_item
from adjudicator.report.western_desert.names import bare_list, counter_name, list_units, people, the
from adjudicator.report.western_desert.scene import Scene, Telling, by_choice, get, items, rule
from adjudicator.report.words import capital, chance, counted, figure, joined
from adjudicator.western_desert.air.words import air_names
from adjudicator.western_desert.charts import charts_of

SUPPLY_DEFAULT = "a step for 3 REs or more with an enemy within 7 hexes"
LOSSES = ("eliminated", "reduced")


def void_item(scene: Scene, event: Event) -> Item:
    """An order that was unlawful at its moment."""
    number = get(event, "order")
    entry = f"entry {int(number) + 1} of the orders" if number.isdigit() else "an order"
    side, kind = get(event, "side"), get(event, "type")
    whose = f" of {people(side)}" if side else ""
    named = f" ({kind})" if kind else ""
    return item(strong("Void: "), f"{entry}{whose}{named}: {get(event, 'why')}", rule(event.rule), ".")


def standing_item(scene: Scene, event: Event) -> Item:
    """A standing order was noted."""
    side, topic = get(event, "side"), get(event, "topic")
    words = f"{capital(people(side))} {'file' if side == 'allied' else 'files'} standing orders on {topic}"
    return item(words, ", in force for the dice of the messages after this one", rule(event.rule), ".")


def unbuilt_item(scene: Scene, event: Event) -> Item:
    """Something this version of the program does not play."""
    return item(f"Not played in this version: {get(event, 'why') or get(event, 'what')}", rule(event.rule), ".")


def skipped_item(scene: Scene, event: Event) -> Item:
    """An order that its own condition called off."""
    text, units = get(event, "hex"), items(event, "with")
    at = scene.place(scene.find(text)) if text else "the hex"
    if units and units[0] in scene.state.world.air:
        what = f"the flight of {air_names(scene.state.world, units)} to {at}"
        return item(strong("Called off: "), f"{what}: {get(event, 'clause')}", rule(event.rule), ".")
    what = f"the attack on {at}" if units else f"the advance into {at}"
    with_whom = f" by {bare_list(scene.state, units)}" if units else ""
    return item(strong("Called off: "), f"{what}{with_whom}: {get(event, 'clause')}", rule(event.rule), ".")


# --- supply -----------------------------------------------------------------------------------------------------


PURPOSES = {"general": "for general supply", "repair": "for the repair of Malta"}


def supply_used_item(scene: Scene, event: Event) -> Item:
    """A step of supply spent, for an attack or for general supply."""
    sid = get(event, "counter")
    counter = scene.state.supply.get(sid)
    at = f" in {scene.place(counter.hex)}" if counter else ""
    steps = get(event, "steps", "1")
    spends = f"spends {counted(int(steps), 'step')}" if steps != "0" else "gives from a step already paid"
    purpose = PURPOSES.get(get(event, "use"), "")
    words = " ".join(part for part in (f"{capital(counter_name(scene.state, sid))}{at} {spends}", purpose) if part)
    chosen = by_choice(event, SUPPLY_DEFAULT)
    return item(words, _served(scene, event), _rest(event), f" ({chosen})" if chosen else "", rule(event.rule), ".")


def _served(scene: Scene, event: Event) -> str:
    """Whom the supply serves: by size for attacks, by name for general supply."""
    size, units = get(event, "re"), items(event, "units")
    served = f" for {_res(size)}" if size else ""
    return f"{served} of {list_units(scene.state, units)}" if units else served


def _res(text: str) -> str:
    size = Fraction(text)
    return f"{figure(size)} RE{'' if size <= 1 else 's'}"


def _rest(event: Event) -> str:
    left, spare = get(event, "left"), get(event, "spare")
    parts = [f"{counted(int(left), 'step')} left"] if left.isdigit() else []
    parts += [f"{_res(spare)} of what is paid still unused"] if spare and Fraction(spare) else []
    return f"; {joined(parts)}" if parts else ""


def supply_spent_item(scene: Scene, event: Event) -> Item:
    """Counters that are used up."""
    counters = items(event, "counters")
    spent = capital(joined([counter_name(scene.state, sid) for sid in counters]))
    verbs = "are used up and leave" if len(counters) > 1 else "is used up and leaves"
    return item(f"{spent} {verbs} the map", rule(event.rule), ".")


def captured_item(scene: Scene, event: Event) -> Item:
    """Enemy supply fallen into the hands of those who entered its hex: a die a step."""
    name, side = counter_name(scene.state, get(event, "counter")), get(event, "side")
    uid, at = get(event, "unit"), scene.place(scene.find(get(event, "hex")))
    who = the(scene.state, uid) if uid else people(side)
    comes = "come" if not uid and side == "allied" else "comes"
    start = f"{capital(who)} {comes} upon {name} in {at}"
    if not items(event, "dice"):
        return item(start, ", which has no step left", rule(event.rule), ".")
    taken = int(get(event, "captured", "0"))
    lost = int(get(event, "eliminated") or get(event, "lost") or "0")
    least = charts_of(scene.state.world).limits["capture_from_die"]
    needed = f"; a {least} or more was needed for each step, {chance(range(least, 7))}; "
    outcome = strong(f"{counted(taken, 'step')} captured, {counted(lost, 'step')} destroyed")
    dice: tuple[Words, ...] = scene.die(event)
    return item(start, ": ", *dice, needed, outcome, rule(event.rule), ".")


# --- losses -----------------------------------------------------------------------------------------------------


def loss_items(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """Units lost or reduced one after the other, those with the same fate in one sentence. Applies the events."""
    found = []
    for _fate, group in groupby(events, _fate_of):
        same = list(group)
        found.append(_loss_item(scene, same))
        for event in same:
            scene.apply(event)
    return found


def _fate_of(event: Event) -> tuple[str, ...]:
    return (event.kind, event.rule, get(event, "hex"), get(event, "why"), get(event, "fate"))


def _loss_item(scene: Scene, events: Sequence[Event]) -> Item:
    """Losses of one kind in one hex, told on the state before them."""
    event, units = events[0], [get(event, "unit") for event in events]
    h = scene.find(get(event, "hex")) if get(event, "hex") else scene.state.hex_of(units[0])
    reduced = event.kind == "reduced"
    what = strong("reduced to cadre" if reduced else "eliminated")
    good = ", for good (WD 28.A.3)" if get(event, "fate") == "permanent" else ""
    why = f": {get(event, 'why')}" if get(event, "why") else ""
    start = f"{capital(list_units(scene.state, units))} {'are' if len(units) > 1 else 'is'} "
    after = f"{_figures(scene, units) if reduced else ''} in {scene.place(h)}{good}{why}"
    return item(start, what, after, rule(event.rule), ".")


def _figures(scene: Scene, units: Sequence[str]) -> str:
    """The figures that the cadres have now: `` (1-6)``."""
    backs = [scene.state.world.units[uid].back for uid in units]
    return f" ({joined([back.figures for back in backs if back is not None])})"


ITEMS: dict[str, Telling] = {
    "void": void_item,
    "standing": standing_item,
    "rules": rules_item,
    "rules-later": rules_later_item,
    "unbuilt": unbuilt_item,
    "skipped": skipped_item,
    "supply-used": supply_used_item,
    "supply-spent": supply_spent_item,
    "captured": captured_item,
    "eliminated": lambda scene, event: _loss_item(scene, [event]),
    "reduced": lambda scene, event: _loss_item(scene, [event]),
    "control": control_item,
}
