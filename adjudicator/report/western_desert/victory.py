"""Victory (WD 31): points gained and lost, what a period has earned, captures, and how the game is decided."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.names import people
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, rule
from adjudicator.report.words import capital
from adjudicator.western_desert.victory.territory import CONDITIONS, PRICED
from adjudicator.western_desert.victory.words import OF_RULE, PEOPLE, level_words

NAMED = {condition.id: (condition.side, OF_RULE[condition.rule]) for condition in CONDITIONS}


def vp_item(scene: Scene, event: Event) -> Item:
    """Points gained or lost, why, and the total."""
    change = get(event, "vp")
    signed = change if change.startswith("-") else f"+{change}"
    words = f"{capital(people(get(event, 'side')))}: {signed} victory points ({get(event, 'why')})"
    return item(strong(words), f"; {get(event, 'total')} in all", rule(event.rule), ".")


def period_item(scene: Scene, event: Event) -> Item:
    """A period begins; conditions that stand count for it already."""
    standing = [f"{PEOPLE[NAMED[c][0]]} {NAMED[c][1]}" for c in items(event, "met")]
    words = f"Territory is checked after {get(event, 'last')}"
    found = f"; what stands now counts: {', '.join(standing)}" if standing else ""
    return item(words, found, rule(event.rule), ".")


def held_item(scene: Scene, event: Event) -> Item:
    """A condition is met for the first time in a period."""
    side, what = get(event, "side"), NAMED[f"{get(event, 'side')}/{get(event, 'what')}"][1]
    words = f"{capital(people(side))}: {get(event, 'points')} victory points are earned for {what}"
    return item(strong(words), f", due after {get(event, 'until')}", rule(event.rule), ".")


def conquest_item(scene: Scene, event: Event) -> Item:
    """A region with a price is captured; with the switch ``capture_vp`` also that it is lost again."""
    verb = "captured" if get(event, "held") == "yes" else "no longer held"
    return item(strong(f"{capital(PRICED[get(event, 'region')])} is {verb}"), rule(event.rule), ".")


def decided_item(scene: Scene, event: Event) -> Item:
    """The end of the game."""
    totals = f": the Allies {get(event, 'allied')}, the Axis {get(event, 'axis')} victory points"
    return item(strong(f"The game ends with {level_words(get(event, 'level'))}"), totals, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "vp": vp_item,
    "period": period_item,
    "held": held_item,
    "conquest": conquest_item,
    "decided": decided_item,
}
