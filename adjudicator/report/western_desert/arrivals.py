"""Divisions broken down and assembled, and what the order of battle brings: counters that come, go and change."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import list_units, ranked, the
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, rule
from adjudicator.report.words import capital

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


ITEMS: dict[str, Telling] = {
    "broken-down": _broken_down_item,
    "assembled": _assembled_item,
}
