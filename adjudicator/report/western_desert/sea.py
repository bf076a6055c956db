"""The war at sea: items on their way past Malta or through the eastern Mediterranean, and Malta (WD 26, 28.D)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, Words, item, strong
from adjudicator.report.western_desert.names import counter_name, the
from adjudicator.report.western_desert.scene import Scene, Telling, get, rule
from adjudicator.report.words import capital, counted, one
from adjudicator.western_desert.pool import rp_words
from adjudicator.western_desert.sea.voyages import COUNTER, EASTERN, PAST_MALTA, POINT, RUN, TUNISIA

DANGERS = {
    PAST_MALTA: "the Malta table at status {}",
    EASTERN: "the Malta table at the status {} of map 19",
    RUN: "the run to Malta at status {}",
    TUNISIA: "the Malta table, its status 5 higher, at {}",
}
RESULTS = {
    "arrives": "arrives",
    "turned_back": "turned back",
    "lost": "lost",
    "pool": "sunk; it goes into the replacement pool",
}


def _who(scene: Scene, event: Event) -> str:
    """A unit, a supply counter, or a replacement point."""
    name, what = get(event, "item"), get(event, "what")
    if what == COUNTER:
        return counter_name(scene.state, name)
    return one(f"{rp_words(name)} replacement point") if what == POINT else the(scene.state, name)


def _where(scene: Scene, event: Event, field: str) -> str:
    return "Tunisia" if get(event, field) == TUNISIA else scene.place(scene.find(get(event, field)))


def _way(scene: Scene, event: Event) -> str:
    start = f" from {_where(scene, event, 'from')}" if get(event, "from") else ""
    return f"{start} to {_where(scene, event, 'to')}"


def _danger(event: Event) -> str:
    return DANGERS[get(event, "danger")].format(get(event, "status"))


def _roll_item(scene: Scene, event: Event) -> Item:
    """The Malta table for an item (WD 26.C, 26.D)."""
    affected = get(event, "result") == "X"
    start = f"{capital(_who(scene, event))}{_way(scene, event)}: {_danger(event)}, "
    outcome = "affected" if affected else "it passes"
    return item(start, *scene.die(event), f" = {get(event, 'roll')}: ", strong(outcome), rule(event.rule), ".")


def _voyage_item(scene: Scene, event: Event) -> Item:
    """What came of an item at sea."""
    start, words = f"{capital(_who(scene, event))}{_way(scene, event)}", list[Words]()
    if get(event, "die"):
        table = _danger(event) if get(event, "danger") == RUN else "shipping results"
        modifier = f", modified by {get(event, 'modifier')}" if get(event, "modifier") else ""
        words = [f", {table}: ", *scene.die(event), modifier]
    result = RESULTS[get(event, "result")]
    if get(event, "fate") == "permanent":
        result = "sunk, and lost for good"
    lost = int(get(event, "steps") or "0") - int(get(event, "left") or "0") if get(event, "what") == COUNTER else 0
    if lost and get(event, "result") == "arrives":
        result = f"arrives with {counted(lost, 'step')} lost"
    return item(start, *words, ": ", strong(result), rule(event.rule), ".")


def _status_item(scene: Scene, event: Event) -> Item:
    """The status of Malta, as it is set and as it changes."""
    was, now = get(event, "was"), get(event, "status")
    words = f"The status of Malta goes from {was} to {now}" if was else f"The status of Malta is {now}"
    why = f" ({get(event, 'why')})" if get(event, "why") else ""
    return item(strong(words), why, rule(event.rule), ".")


def _shipped_item(scene: Scene, event: Event) -> Item:
    """A unit or supply counter in the port it was shipped to (WD 26.B.2)."""
    unit = get(event, "unit")
    name = the(scene.state, unit) if unit else counter_name(scene.state, get(event, "counter"))
    points = f", {get(event, 'spent')} MP spent, {get(event, 'left')} left" if unit else ""
    return item(strong(f"{capital(name)} is shipped{_way(scene, event)}"), points, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "malta-roll": _roll_item,
    "voyage": _voyage_item,
    "malta-status": _status_item,
    "shipped": _shipped_item,
}
