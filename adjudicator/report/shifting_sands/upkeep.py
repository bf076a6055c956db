"""What is outside movement and combat: redeployment, replacement points, the end of a turn (SS 5, 12, 15)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, bullets, item, strong
from adjudicator.report.fields import get, records, rule, texts, word
from adjudicator.report.shifting_sands.names import people, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, counted, joined
from adjudicator.shifting_sands.state import DRAW, turn_name
from adjudicator.shifting_sands.words import card_name, place_name, points, unit_name

POOLS = {"GE": "German", "IT": "Italian", "BR": "British", "CW": "Commonwealth", "A": "Allied", "US": "American"}
WAYS = {"land": "by land", "sea": "by sea", "from_reserve": "out of the reserve box", "lrdg": "over the desert"}
UNTOLD = ("phase", "turn", "round")


def upkeep_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """The end of a turn: attrition, victory points, replacements, cards; the scene stands after it."""
    told: list[Item] = []
    for event in events:
        if event.kind not in UNTOLD:
            told.append(scene.tell(event))
        scene.apply(event)
    return [Heading(2, "The end of the turn"), *bullets(told)] if told else []


def _phase_item(scene: Scene, event: Event) -> Item:
    return item(f"{capital(get(event, 'phase'))} phase", rule(event.rule), ".")


def _rd_item(scene: Scene, event: Event) -> Item:
    """A unit redeployed, with its price."""
    state, uid, mode = scene.state, get(event, "unit"), get(event, "mode")
    for name in (get(event, "from"), get(event, "to")):
        if not name.startswith("@"):
            scene.touch(name)
    start, end = place_name(get(event, "from")), place_name(get(event, "to"))
    way = f" {WAYS[mode]}" if mode in WAYS and mode != "from_reserve" else ""
    paid = f": {points(int(get(event, 'cost')))}"
    left = f", {get(event, 'left')} left" if get(event, "left") else ""
    said = f"The {unit_name(state, uid)} redeploys{way} from {start} to {end}{paid}{left}"
    return item(said, rule(event.rule), ".")


RESULTS = {
    "none": "nothing comes of it",
    "lose_step": "it loses a step",
    "lose_two_steps": "it is lost",
    "card": "an Axis card is lost",
}


def _mission_item(scene: Scene, event: Event) -> Item:
    """A mission of the LRDG, with its die."""
    spy = get(event, "mission") == "intelligence"
    what = "gathers intelligence" if spy else "raids"
    result = get(event, "result")
    came = f"it sees {counted(int(result), 'card')}" if spy else RESULTS.get(result, result)
    who = unit_name(scene.state, get(event, "unit"))
    said = f"The {who} in {get(event, 'at')} {what}: {came}, by a {get(event, 'die')}"
    return item(said, rule(event.rule), ".")


def _seen_item(scene: Scene, event: Event) -> Item:
    cards = joined([card_name(scene.state, card, get(event, "side")) for card in texts(event.data.get("cards"))])
    return item(f"Cards seen in the hand of {people(get(event, 'side'))}: {cards}", rule(event.rule), ".")


def _pools(event: Event) -> str:
    rows = ((word(row, "points"), word(row, "pool")) for row in records(event, "pools"))
    return joined([f"{number} {POOLS.get(pool, pool)}" for number, pool in rows])


def _rp_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    said = f"{capital(people(side))} {verb(side, 'marks')} replacement points: {_pools(event)}"
    return item(said, rule(event.rule), ".")


def _lost_item(scene: Scene, event: Event) -> Item:
    return item(f"Replacement points not spent are lost: {_pools(event)}", rule(event.rule), ".")


def _paid(event: Event) -> str:
    pool = POOLS.get(get(event, "pool"), get(event, "pool"))
    return f" for {get(event, 'cost')} {pool}, {get(event, 'left')} left"


def _restored_item(scene: Scene, event: Event) -> Item:
    uid, at = get(event, "unit"), get(event, "at")
    said = f"The {unit_name(scene.state, uid)} in {place_name(at)} is at full strength again{_paid(event)}"
    return item(said, rule(event.rule), ".")


def _recreated_item(scene: Scene, event: Event) -> Item:
    uid, to = get(event, "unit"), get(event, "to")
    if not to.startswith("@"):
        scene.touch(to)
    step = ", at reduced strength" if get(event, "step") == "reduced" else ""
    said = f"The {unit_name(scene.state, uid)} comes back in {place_name(to)}{step}{_paid(event)}"
    return item(said, rule(event.rule), ".")


def _arrived_item(scene: Scene, event: Event) -> Item:
    """A unit that comes into play; it is named by its counter, since it was nowhere before."""
    to = get(event, "to")
    if not to.startswith("@"):
        scene.touch(to)
    step = ", at reduced strength" if get(event, "step") == "reduced" else ""
    said = f"The {unit_name(scene.state, get(event, 'unit'))} comes into play in {place_name(to)}{step}"
    return item(said, rule(event.rule), ".")


def _swapped_item(scene: Scene, event: Event) -> Item:
    start, end = get(event, "from"), get(event, "to")
    scene.touch(end)
    said = f"The {unit_name(scene.state, get(event, 'unit'))} makes room and goes from {start} to {end}"
    return item(said, rule(event.rule), ".")


def _discard_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    cards = joined([card_name(scene.state, card, get(event, "side")) for card in texts(event.data.get("cards"))])
    return item(f"{capital(people(side))} {verb(side, 'discards')} {cards}", rule(event.rule), ".")


def _taken_item(scene: Scene, event: Event) -> Item:
    side = get(event, "side")
    name = card_name(scene.state, get(event, "name") or get(event, "card"), side)
    whose = "its" if side == "axis" else "their"
    return item(f"{capital(people(side))} {verb(side, 'takes')} {name} into {whose} hand", rule(event.rule), ".")


def _resorted_item(scene: Scene, event: Event) -> Item:
    """A hand that was looked into gets new places: nobody can follow a card that was seen."""
    many = counted(len(texts(event.data.get("cards"))), "card")
    said = f"{capital(many)} in the hand of {people(get(event, 'side'))} are dealt anew"
    return item(said, rule(event.rule), ".")


def _merge_item(scene: Scene, event: Event) -> Item:
    side, new = get(event, "side"), len(texts(event.data.get("new")))
    back = counted(len(texts(event.data.get("cards"))), "discarded card")
    more = f", with {counted(new, 'new card')}" if new else ""
    said = f"{capital(people(side))} {verb(side, 'shuffles')} {back} into the draw pile{more}"
    return item(said, rule(event.rule), ".")


def _victory_item(scene: Scene, event: Event) -> Item:
    if get(event, "winner") == DRAW:
        said = f"Both sides have won: a draw, with {get(event, 'vp')} victory points"
        return item(strong(said), rule(event.rule), f", in {turn_name(scene.state.turn)}.")
    how = "an automatic victory" if get(event, "how") == "automatic" else "a victory by points"
    winner = capital(people(get(event, "winner")))
    said = f"{winner} {verb(get(event, 'winner'), 'wins')} the game: {how}, with {get(event, 'vp')} victory points"
    return item(strong(said), rule(event.rule), f", in {turn_name(scene.state.turn)}.")


ITEMS: dict[str, Telling] = {
    "phase": _phase_item,
    "rd": _rd_item,
    "mission": _mission_item,
    "cards-seen": _seen_item,
    "rp": _rp_item,
    "rp-lost": _lost_item,
    "restored": _restored_item,
    "recreated": _recreated_item,
    "arrived": _arrived_item,
    "swapped": _swapped_item,
    "discard": _discard_item,
    "taken": _taken_item,
    "resorted": _resorted_item,
    "merge": _merge_item,
    "victory": _victory_item,
}
