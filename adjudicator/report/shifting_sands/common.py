"""Events that may come anywhere: voids, standing orders, answers that were not needed, the course of the rounds."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import get, rule
from adjudicator.report.shifting_sands.names import people, side_word, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.upgrades import rules_item, rules_later_item
from adjudicator.report.words import capital
from adjudicator.shifting_sands.words import PHASES


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
    words = f"{capital(people(side))} {verb(side, 'files')} standing orders on {topic}"
    return item(words, ", in force for the dice of the messages after this one", rule(event.rule), ".")


def played_item(scene: Scene, event: Event) -> Item:
    """An event in force."""
    return item(f"The event {get(event, 'event')} is in force", rule(event.rule), ".")


def end_round_item(scene: Scene, event: Event) -> Item:
    """A side's action is over."""
    return item(
        f"The {side_word(get(event, 'side'))} action of round {get(event, 'round')} is over", rule(event.rule), "."
    )


def round_item(scene: Scene, event: Event) -> Item:
    """The action that comes next."""
    words = f"Action round {get(event, 'round')}: the {side_word(get(event, 'active'))} action is next"
    return item(words, rule(event.rule), ".")


def turn_item(scene: Scene, event: Event) -> Item:
    """A turn, or a phase of it, begins."""
    phase = get(event, "phase")
    return item(f"{get(event, 'turn')}: the {PHASES.get(phase, phase)}", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "void": void_item,
    "standing": standing_item,
    "rules": rules_item,
    "rules-later": rules_later_item,
    "event": played_item,
    "end-round": end_round_item,
    "round": round_item,
    "turn": turn_item,
}
