"""Spaces that change hands, and the victory points they bring: told once for a part of the message."""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import get, items, rule
from adjudicator.report.shifting_sands.names import SIDES, people, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, joined, signed

KINDS = ("control", "vp")


@dataclass
class Ground:
    """Who held each space when the part began, for every space given to somebody; points by their events."""

    before: dict[str, str] = field(default_factory=dict)
    points: list[Event] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    started: int | None = None

    def note(self, scene: Scene, event: Event) -> None:
        """Remember an event of control or points; it has not been applied yet."""
        if event.kind == "vp":
            self.started = scene.state.vp if self.started is None else self.started
            self.points.append(event)
            return
        for name in items(event, "spaces"):
            self.before.setdefault(name, scene.state.owner(name))
            scene.stage(name)
        if event.rule not in self.rules:
            self.rules.append(event.rule)

    def items(self, scene: Scene) -> list[Item]:
        """What changed hands, side by side, and what it did to the points. The scene stands after the part."""
        found = [told for side in SIDES for told in self._gained(scene, side)]
        return [*found, *self._points(scene)]

    def _gained(self, scene: Scene, side: str) -> list[Item]:
        gained = [name for name, owner in self.before.items() if owner != side and scene.state.owner(name) == side]
        if not gained:
            return []
        words = f"Ground: {people(side)} {verb(side, 'gains')} {joined(gained)}"
        address = self.rules[0].removesuffix(".control") if self.rules else ""
        return [item(words, rule(address), ".")]

    def _points(self, scene: Scene) -> list[Item]:
        if not self.points or self.started is None:
            return []
        change = scene.state.vp - self.started
        why = joined([name for event in self.points for name in items(event, "spaces")])
        words = ("Victory points: ", f"{self.started} {signed(change)} = ", strong(str(scene.state.vp)))
        return [item(*words, f", for {why}" if why else "", rule(self.points[0].rule), ".")]


def control_item(scene: Scene, event: Event) -> Item:
    """One event of control by itself."""
    side, names = get(event, "side"), items(event, "spaces")
    return item(f"{capital(people(side))} {verb(side, 'gains')} control of {joined(names)}", rule(event.rule), ".")


def vp_item(scene: Scene, event: Event) -> Item:
    """Victory points by themselves."""
    if get(event, "why") == "start":
        return item("The victory point marker begins at ", strong(get(event, "to")), rule(event.rule), ".")
    names = items(event, "spaces")
    why = f", for {joined(names)}" if names else ""
    before = scene.state.vp
    words = f"{before} {signed(int(get(event, 'to')) - before)} = "
    return item("Victory points: ", words, strong(get(event, "to")), why, rule(event.rule), ".")


def released_item(scene: Scene, event: Event) -> Item:
    """Neutrals that become active."""
    words = {"VF": "the Vichy French", "IR": "the Iraqis"}
    who = joined([words.get(nation, nation) for nation in items(event, "nations")])
    return item(f"{capital(who)} fight for the Axis from now on", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {"control": control_item, "vp": vp_item, "released": released_item}
