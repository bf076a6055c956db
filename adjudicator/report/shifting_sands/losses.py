"""Losses in words: the number to satisfy, who takes steps for it, who is lost and who replaces him (SS 11.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.engine.counting import counted as numbered
from adjudicator.report.document import Item, Words, item, strong
from adjudicator.report.fields import by_choice, get, items, rule
from adjudicator.report.shifting_sands.names import list_units, people, the, verb
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, joined, number_word
from adjudicator.shifting_sands.losses import ELIMINATED
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.words import figures

DEFAULT = "fewest divisions, then the cheapest to replace"


def loss_items(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """A run of losses; units with the same fate in one sentence. Applies the events."""
    found = []
    for _same, group in groupby(events, _fate):
        same = list(group)
        found.append(scene.tell(same[0]) if len(same) == 1 else _fate_item(scene, same))
        for event in same:
            scene.apply(event)
    return found


def _fate(event: Event) -> tuple[str, ...]:
    """What events have in common that are told together; losses and replacements stand alone."""
    alone = get(event, "unit") if event.kind in ("losses", "replaced") else ""
    return event.kind, event.rule, get(event, "to"), get(event, "why"), get(event, "clause"), alone


def _losses_item(scene: Scene, event: Event) -> Item:
    """The number to satisfy, the steps taken for it, and who chose."""
    side = _side_of(scene.state, get(event, "role"))
    number, absorbed, steps = get(event, "number"), get(event, "absorbed"), items(event, "steps")
    who = capital(people(side))
    if number == "0":
        return item(f"{who} {verb(side, 'loses', 'lose')} nothing", rule(event.rule), ".")
    must = f"{who} must satisfy {number}"
    if not steps:
        return item(f"{must}: no unit can, every loss factor is higher", rule("SS 11.42"), ".")
    chosen = by_choice(event, DEFAULT) or "as ordered"
    taken = joined([_steps_words(scene.state, uid, steps.count(uid)) for uid in dict.fromkeys(steps)])
    part = f"{absorbed} of {numbered(number, 'point')}" if absorbed != number else numbered(absorbed, "point")
    return item(f"{must}: {taken}, {part} ({chosen})", rule(event.rule), ".")


def _side_of(state: State, role: str) -> str:
    attacker = state.fight.combat.attacker if state.fight is not None else state.active
    return attacker if role == "attacker" else other(attacker)


def _steps_words(state: State, uid: str, count: int) -> str:
    factor = state.counter(uid).lf
    step = "a step" if count == 1 else f"{number_word(count)} steps"
    return f"{the(state, uid)} {step} of loss factor {factor}"


def _fate_item(scene: Scene, events: Sequence[Event]) -> Item:
    """Units reduced or eliminated for the same reason, told on the state before it."""
    event, state = events[0], scene.state
    units = [get(one, "unit") for one in events]
    is_are = "is" if len(units) == 1 else "are"
    scene.touch(*[state.pieces[uid].at for uid in units])
    start = f"{capital(list_units(state, units))} {is_are} "
    why = f": {get(event, 'why')}" if get(event, "why") else ""
    if event.kind == "reduced":
        return item(start, strong("reduced"), f" to {_backs(state, units)}{why}", rule(event.rule), ".")
    return item(start, strong(_end_words(event)), why, _chosen(event), rule(event.rule), ".")


def _backs(state: State, units: Sequence[str]) -> str:
    """The combat factor on the other side of each counter."""
    backs = sorted({str(state.counter(uid).cf[1]) for uid in units})
    return f"strength {joined(backs)}"


def _end_words(event: Event) -> str:
    return (
        "eliminated for good" if get(event, "to") == ELIMINATED else "eliminated, to be rebuilt in a replacement phase"
    )


def _chosen(event: Event) -> str:
    chosen = by_choice(event)
    return f" ({chosen})" if chosen else ""


def _replaced_item(scene: Scene, event: Event) -> Item:
    """A battlegroup out of the reserve box in the place of a lost division."""
    state, uid = scene.state, get(event, "unit")
    scene.touch(get(event, "at"))
    step = ", at reduced strength" if state.pieces[uid].reduced else ""
    words = (
        f"{capital(the(state, uid))} ({figures(state, uid)}{step}) comes out of the reserve box into {get(event, 'at')}"
    )
    told: list[Words] = [words, f" in place of {the(state, get(event, 'division'))}", rule(event.rule), "."]
    return item(*told)


def _flipped_item(scene: Scene, event: Event) -> Item:
    """A unit restored to its full side by captured supply."""
    state, uid = scene.state, get(event, "unit")
    full = state.counter(uid).cf[0]
    town = f" with supply captured in {get(event, 'town')}" if get(event, "town") else ""
    start = f"{capital(the(state, uid))} is "
    return item(start, strong("restored"), f" to strength {full}{town}", _chosen(event), rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "losses": _losses_item,
    "reduced": lambda scene, event: _fate_item(scene, [event]),
    "eliminated": lambda scene, event: _fate_item(scene, [event]),
    "replaced": _replaced_item,
    "flipped": _flipped_item,
}
