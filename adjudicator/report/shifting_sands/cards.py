"""Combat cards in words: played, kept, lost, put down (SS 7.6, 11.25)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.fields import get, items, rule
from adjudicator.report.shifting_sands.names import people, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, counted, joined
from adjudicator.shifting_sands.card_words import does
from adjudicator.shifting_sands.played import card_title


def _played_item(scene: Scene, event: Event) -> Item:
    """``The Allies play Minefields: the space counts as marsh.``"""
    side, name = get(event, "side"), get(event, "name")
    world = scene.state.world
    again = get(event, "source") == "table"
    done = verb(side, "uses", "use") if again else verb(side, "plays", "play")
    up = ", which lay face up" if again else ""
    clause = f" (by standing order, {get(event, 'clause')})" if get(event, "clause") else ""
    undone = "; the flank attack that succeeded is cancelled" if get(event, "flank") else ""
    said = f": {does(world.cards.get(name, {}))}{undone}"
    who = capital(people(side))
    return item(f"{who} {done} ", strong(card_title(world, name)), f"{up}{clause}{said}", rule(event.rule), ".")


def _kept_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    title = card_title(scene.state.world, get(event, "name"))
    return item(f"{title} stays face up before {people(side)}", rule(event.rule), ".")


def _gone_item(scene: Scene, event: Event) -> Item:
    title = card_title(scene.state.world, get(event, "name"))
    where = "is out of the game" if get(event, "to") == "removed" else "goes to the discards"
    return item(f"{title} of {people(get(event, 'side'))} {where}", rule(event.rule), ".")


def _put_down_item(scene: Scene, event: Event) -> Item:
    side, cards = get(event, "side"), items(event, "cards")
    who = capital(people(side))
    verb_ = verb(side, "discards", "discard")
    return item(f"{who} {verb_} {counted(len(cards), 'combat card')} that lay face up", rule(event.rule), ".")


def _shown_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    names = [card_title(scene.state.world, name) for name in items(event, "names")]
    why = f"a standing order names {'it' if len(names) == 1 else 'them'}"
    shows = f"{capital(people(side))} {verb(side, 'shows', 'show')}"
    return item(f"{shows} {joined(names)}: {why}", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "combat-card": _played_item,
    "card-kept": _kept_item,
    "card-gone": _gone_item,
    "put-down": _put_down_item,
    "cards-shown": _shown_item,
}
