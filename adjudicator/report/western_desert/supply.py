"""General supply in words: who fell out of it, who came back into it (WD 12.B)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.core import Event, Tree
from adjudicator.report.document import Item, item
from adjudicator.report.western_desert.names import list_units
from adjudicator.report.western_desert.scene import Scene, Telling, items, records, rule, texts, word
from adjudicator.report.words import capital


def supply_check_item(scene: Scene, event: Event) -> Item:
    """Who is out of general supply and why, stack by stack, and who came back into it."""
    below = [_stack_item(scene, row) for row in records(event, "reasons")] or _unexplained(scene, event)
    below += _back_items(scene, event)
    if not below:
        return item("General supply: every unit on the map is supplied", rule(event.rule), ".")
    return item("General supply", rule(event.rule), ":", below=below)


def _stack_item(scene: Scene, row: Mapping[str, Tree]) -> Item:
    """A stack that is out of supply."""
    state = scene.state
    units = [uid for uid in texts(row.get("units")) if uid in state.pieces]
    fresh = any(state.pieces[uid].gs for uid in units)
    many = len(units) > 1
    now = ("fall" if many else "falls") if fresh else ("stay" if many else "stays")
    h = scene.board.find(word(row, "hex"))
    if fresh:
        scene.touched.add(h)
    at = scene.place(h)
    why = f": {word(row, 'why')}" if word(row, "why") else ""
    return item(f"{capital(list_units(state, units))} in {at} {now} out of supply{why}.")


def _unexplained(scene: Scene, event: Event) -> list[Item]:
    """Units out of supply where the event gives no reasons."""
    state = scene.state
    out = [uid for uid in items(event, "out") if uid in state.pieces]
    found = []
    for h in sorted({state.hex_of(uid) for uid in out}):
        units = [uid for uid in out if state.hex_of(uid) == h]
        verb = "are" if len(units) > 1 else "is"
        found.append(item(f"{capital(list_units(state, units))} in {scene.place(h)} {verb} out of supply."))
    return found


def _back_items(scene: Scene, event: Event) -> list[Item]:
    """Units that were out of supply and are so no more."""
    state, out = scene.state, set(items(event, "out"))
    back = [uid for uid in sorted(state.pieces) if not state.pieces[uid].gs and uid not in out]
    found = []
    for h in sorted({state.hex_of(uid) for uid in back}):
        units = [uid for uid in back if state.hex_of(uid) == h]
        verb = "are" if len(units) > 1 else "is"
        found.append(item(f"{capital(list_units(state, units))} in {scene.place(h)} {verb} supplied again."))
    return found


ITEMS: dict[str, Telling] = {"supply-check": supply_check_item}
