"""Works of engineers in words: forts, airfields, ports and airbases damaged and repaired (WD 14.A, 17.D, 33.D)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import people, the
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, records, rule
from adjudicator.report.words import capital, counted, figure, joined
from adjudicator.western_desert.bases import capacity
from adjudicator.western_desert.sites import AIRFIELD, FORTRESS

THINGS = {"fort": "a fort", "fortress": "the improvement of the fortress", "airfield": "an airfield"}
DONE = {"fort": "A fort is finished", "fortress": "The fortress is improved", "airfield": "An airfield is built"}
BASES = {"port": "the port", "airbase": "the airbase"}


def _workers(scene: Scene, units: Sequence[str]) -> str:
    return joined([the(scene.state, uid) for uid in units])


def _prices(scene: Scene, event: Event) -> str:
    """``: 4 MP, 0 left``; of two workers each its part. What carries a worker pays the same and is left out."""
    workers = items(event, "units")
    rows = [row for row in records(event, "costs") if str(row.get("unit")) in workers]
    parts = [(str(row.get("unit")), f"{row.get('mp')} MP, {row.get('left')} left") for row in rows]
    if len(parts) < 2:
        return "".join(f": {price}" for _uid, price in parts)
    return ": " + "; ".join(f"{the(scene.state, uid)} {price}" for uid, price in parts)


def _by(scene: Scene, event: Event) -> str:
    """By whom; the engineers of a division are named so."""
    units = items(event, "units") or ([get(event, "unit")] if get(event, "unit") else [])
    if not units:
        return ""
    whose = "the divisional engineers of " if get(event, "divisional") else ""
    return f" by {whose}{_workers(scene, units)}"


def _begun_item(scene: Scene, event: Event) -> Item:
    place, what = scene.place(scene.find(get(event, "hex"))), get(event, "what")
    start = f"{capital(THINGS[what])} is begun in {place}{_by(scene, event)}"
    return item(strong(start), rule(event.rule), ".")


def _done_item(scene: Scene, event: Event) -> Item:
    h, what = scene.find(get(event, "hex")), get(event, "what")
    start = f"{DONE[what]} in {scene.place(h)}{_by(scene, event)}"
    hits = get(event, "hits")
    with_hits = f", with {counted(int(hits), 'hit')} still on it" if what == AIRFIELD and hits else ""
    return item(strong(start), with_hits, _prices(scene, event), rule(event.rule), ".")


def _delayed_item(scene: Scene, event: Event) -> Item:
    place, what = scene.place(scene.find(get(event, "hex"))), get(event, "what")
    words = f"{capital(THINGS[what])} in {place}, begun on {get(event, 'begun')}, waits another turn"
    return item(words, f": {the(scene.state, get(event, 'unit'))} is out of general supply", rule(event.rule), ".")


def _lost_item(scene: Scene, event: Event) -> Item:
    place, what = scene.place(scene.find(get(event, "hex"))), get(event, "what")
    goes = "comes to nothing" if what == FORTRESS else "is given up unfinished"
    words = f"{capital(THINGS[what])} under way in {place} {goes}"
    return item(strong(words), f": {get(event, 'why')}", rule(event.rule), ".")


def _hits_item(scene: Scene, event: Event) -> Item:
    """Hits made or repaired, how many there are now, what they leave of the capacity."""
    h, what, hits = scene.find(get(event, "hex")), get(event, "what"), int(get(event, "hits", "0"))
    verb = "put on" if event.kind.endswith("-hit") else "repaired at"
    start = f"{capital(counted(hits, 'hit'))} {'is' if hits == 1 else 'are'} {verb} {BASES[what]} of {scene.place(h)}"
    told = strong(f"{start}{_by(scene, event)}")
    return item(told, _prices(scene, event), _left(scene, event), rule(event.rule), ".")


def _left(scene: Scene, event: Event) -> str:
    """``; 3 hits now, capacity 1 RE``: as the position is after the event, which has not been applied yet."""
    state = scene.state.copy()
    what, h = get(event, "what"), scene.find(get(event, "hex"))
    (state.port_hits if what == "port" else state.base_hits)[h] = int(get(event, "after", "0"))
    room: Fraction = capacity(state, h, what)
    unit = "" if what == "airbase" else f" RE{'' if room <= 1 else 's'}"
    return f"; {counted(int(get(event, 'after', '0')), 'hit')} now, capacity {figure(room)}{unit}"


def _divisional_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    verb = "use" if side == "allied" else "uses"
    who = the(scene.state, get(event, "unit"))
    words = f"{capital(people(side))} {verb} divisional engineers: {who} neither moves nor attacks in this player turn"
    return item(words, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "work-begun": _begun_item,
    "work-done": _done_item,
    "work-delayed": _delayed_item,
    "work-lost": _lost_item,
    "port-hit": _hits_item,
    "port-repaired": _hits_item,
    "airbase-hit": _hits_item,
    "airbase-repaired": _hits_item,
    "div-engineers": _divisional_item,
}
