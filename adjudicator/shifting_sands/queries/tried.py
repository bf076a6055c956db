"""What one try of a round came to, for counting: each combat with its outcome and losses, what was taken and lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Game
from adjudicator.engine.queries import Clash, Tried
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.queries.odds import CF, UNITS, cf_lost, outcome, units_lost
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import short_name, side_name

BEGINS, ENDS = "designate", ("designate", "combat-over", "end-round")


def tried(table: Game[State], before: State, after: State, events: Sequence[Event]) -> Tried:
    """Count a round. ``before`` is not changed."""
    return Tried(tuple(_clashes(table, table.copy(before), events)), _marks(before, after), _idle(events))


def _idle(events: Sequence[Event]) -> dict[tuple[int, int], str]:
    kinds = {"void": "void", "stays": "not made"}
    return {
        (max(event.by, default=event.on), int(str(event.data["order"]))): kinds[event.kind]
        for event in events
        if event.kind in kinds and event.data.get("order")
    }


def _clashes(table: Game[State], state: State, events: Sequence[Event]) -> Iterator[Clash]:
    """The combats in order; one that is under way at the start or not over at the end counts as far as it went."""
    begun: tuple[str, str] | None = None
    if state.fight is not None:
        begun = (str(state.fight.combat.number), state.fight.combat.target)
    start, own = state.copy(), list[Event]()
    for event in events:
        if event.kind in ENDS and begun is not None:
            yield _clash(begun, start, state, own)
            begun = None
        if event.kind == BEGINS:
            begun, start, own = (str(event.data["number"]), str(event.data["target"])), state.copy(), []
        own.append(event)
        table.apply(state, event)
    if begun is not None:
        yield _clash(begun, start, state, own)


def _clash(begun: tuple[str, str], before: State, after: State, events: Sequence[Event]) -> Clash:
    number, target = begun
    fought = any(event.kind == "winner" for event in events)
    losses = {
        side: {CF: cf_lost(before, after, side), UNITS: units_lost(before, after, side)} for side in sorted(ENEMY)
    }
    return Clash(f"{number}/{target}", f"Attack on {target}", outcome(events) if fought else "not fought out", losses)


def _marks(before: State, after: State) -> dict[str, list[str]]:
    marks: dict[str, list[str]] = {}
    for place in sorted(after.control):
        if after.owner(place) != before.owner(place):
            marks.setdefault("Taken", []).append(f"{place} by {side_name(after.owner(place))}")
    for uid in sorted(before.pieces):
        side = side_name(before.counter(uid).side)
        if before.on_map(uid) and not after.on_map(uid):
            marks.setdefault(f"{side} units lost", []).append(short_name(before, uid))
        elif before.on_map(uid) and after.pieces[uid].reduced and not before.pieces[uid].reduced:
            marks.setdefault(f"{side} units reduced", []).append(short_name(before, uid))
    return marks
