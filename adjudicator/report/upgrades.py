"""Other rules in the course of a game (PROTOCOL 7): told in the same words whatever the game."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import get, rule


def rules_item(scene: object, event: Event) -> Item:
    """Other rules hold from now on."""
    offered, accepted = get(event, "offered"), get(event, "accepted")
    words = f"other rules hold from this message on, offered in message {offered} and accepted in message {accepted}"
    return item(strong("Rules: "), f"{words} ({get(event, 'rules')[:12]})", rule(event.rule), ".")


def rules_later_item(scene: object, event: Event) -> Item:
    """A step that began before other rules did is finished by its own."""
    words = f"what began before (step {get(event, 'step')}) is finished by the rules it began with, since the new ones"
    more = " would have told its beginning otherwise, and that stands; they hold from the next step on"
    return item(strong("Rules: "), words, more, rule(event.rule), ".")
