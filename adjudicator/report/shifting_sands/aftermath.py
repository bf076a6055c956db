"""What comes of a combat: holding, retreats, overruns, advances (SS 11.47, 11.5, 11.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import by_choice, get, items, rule
from adjudicator.report.shifting_sands.names import list_units, the, where
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, choose, joined, third

KINDS = ("retreat", "advance", "relocate")
RETREAT_DEFAULT = "full before limited supply, then the nearest source"
RELOCATE_DEFAULT = "the first place that is open"


@dataclass(frozen=True)
class Way:
    """A way that units took in an aftermath, and why that way."""

    kind: str
    path: tuple[str, ...]
    why: str
    rule: str


def run_items(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """Units that retreat, advance or are relocated one after the other, those with one way together."""
    groups: dict[Way, list[str]] = {}
    for event in events:
        groups.setdefault(way_of(scene, event), []).append(get(event, "unit"))
        scene.apply(event)
    return [_way_item(scene, way, units) for way, units in groups.items()]


def way_of(scene: Scene, event: Event) -> Way:
    """The way an event tells, on the state before it."""
    path = items(event, "path") or [scene.state.pieces[get(event, "unit")].at, get(event, "to")]
    scene.touch(*path)
    default = RETREAT_DEFAULT if event.kind == "retreat" else RELOCATE_DEFAULT
    why = (by_choice(event, default) or "as ordered") if event.kind != "advance" else ""
    return Way(event.kind, tuple(path), why, event.rule)


def _way_item(scene: Scene, way: Way, units: Sequence[str]) -> Item:
    start, *between, end = way.path
    by = f" by {joined(between)}" if between else ""
    said = f"{capital(list_units(scene.state, units))} {_verb(way, units)} from {start}{by} to {where(end)}"
    return item(said, f" ({way.why})" if way.why else "", rule(way.rule), ".")


def _verb(way: Way, units: Sequence[str]) -> str:
    verbs = {
        "retreat": ("fall back", "retreat", "draw off"),
        "advance": ("advance", "move up", "push on"),
        "relocate": ("flee",),
    }
    chosen = choose(verbs[way.kind], *units, way.kind)
    return chosen if len(units) > 1 else third(chosen)


def _lone_way(scene: Scene, event: Event) -> Item:
    return _way_item(scene, way_of(scene, event), [get(event, "unit")])


def _hold_item(scene: Scene, event: Event) -> Item:
    """A unit pays a step so that nobody retreats."""
    who, at = the(scene.state, get(event, "unit")), get(event, "at")
    scene.touch(at)
    chosen = by_choice(event) or "as ordered"
    start = f"{capital(who)} pays one more step, and "
    return item(start, strong(f"{at} is held"), f" ({chosen})", rule(event.rule), ".")


def _overrun_item(scene: Scene, event: Event) -> Item:
    """The space is overrun: who must leave it."""
    units, at = items(event, "units"), get(event, "target")
    scene.touch(at)
    if not units:
        return item(f"{at} is ", strong("overrun"), "; nobody is left to flee", rule(event.rule), ".")
    must = f"; {list_units(scene.state, units)} must be relocated"
    return item(f"{at} is ", strong("overrun"), must, rule(event.rule), ".")


def _stays_item(scene: Scene, event: Event) -> Item:
    """A unit that was to advance and does not."""
    uid = get(event, "unit")
    known = uid in scene.state.pieces
    who = the(scene.state, uid) if known else uid
    return item(f"{capital(who)} does not advance: {get(event, 'why')}", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "hold": _hold_item,
    "overrun": _overrun_item,
    "retreat": _lone_way,
    "relocate": _lone_way,
    "advance": _lone_way,
    "stays": _stays_item,
}
