"""Ground that changes hands in a phase: the sum of all control events, told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Item, bullets, item
from adjudicator.report.western_desert.names import hex_list, hex_words, people
from adjudicator.report.western_desert.scene import Scene, get, items, rule
from adjudicator.report.words import capital, counted, joined


@dataclass
class Ground:
    """Who held each hex when the phase began, for every hex that an event gave to somebody."""

    before: dict[int, str] = field(default_factory=dict)
    fortresses: list[int] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    def note(self, scene: Scene, event: Event) -> None:
        """Remember a control event; it has not been applied yet."""
        for text in items(event, "hexes"):
            h = scene.find(text)
            self.before.setdefault(h, scene.state.owner(h))
        self.fortresses += [scene.board.find(text) for text in items(event, "fortresses")]
        if event.rule not in self.rules:
            self.rules.append(event.rule)

    def blocks(self, scene: Scene) -> list[Block]:
        """What changed hands in the phase, side by side."""
        return bullets([found for side in ("allied", "axis") for found in self._items(scene, side)])

    def _items(self, scene: Scene, side: str) -> list[Item]:
        state = scene.state
        gained = [h for h, owner in self.before.items() if owner != side and state.owner(h) == side]
        if not gained:
            return []
        verb = "gain" if side == "allied" else "gains"
        fallen = [hex_words(scene.board, h) for h in self.fortresses if state.owner(h) == side]
        walls = f"; the fortress of {joined(fallen)} is unimproved now" if fallen else ""
        walls += _taken_over(scene, gained)
        start = f"Ground: {people(side)} {verb} control of {counted(len(gained), 'hex', 'hexes')}: "
        return [item(capital(start), hex_list(scene.board, gained), walls, rule(self.rules[0]), ".")]


def told_singly(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Item]:
    """Each event by itself, ground that changes hands noted for later. Applies the events."""
    told = []
    for event in events:
        if event.kind == "control":
            ground.note(scene, event)
        else:
            told.append(scene.tell(event))
        scene.apply(event)
    return told


def _taken_over(scene: Scene, gained: Sequence[int]) -> str:
    """What stands in the hexes gained and serves its new owner now (WD 17.C, ruling FORT-OWNER)."""
    state = scene.state
    parts = []
    for what, held in (("fort", state.forts), ("airfield", state.airfields)):
        where = [hex_words(scene.board, h) for h in sorted(gained) if h in held]
        if where:
            parts.append(f"the {what}{'' if len(where) == 1 else 's'} in {joined(where)}")
    return f", with {joined(parts)}" if parts else ""


def control_item(scene: Scene, event: Event) -> Item:
    """One control event by itself."""
    side = get(event, "side")
    found = hex_list(scene.board, [scene.find(text) for text in items(event, "hexes")])
    return item(f"Control of {found} passes to {people(side)}", rule(event.rule), ".")
