"""What one try of a turn came to, for counting: each combat with result and losses, and what was taken and lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Game
from adjudicator.engine.queries import Clash, Tried
from adjudicator.western_desert.combat_charts import RESULT_NAMES
from adjudicator.western_desert.queries.odds import MEASURES, loss
from adjudicator.western_desert.state import ASSEMBLED, BREAKDOWN, ENEMY, State
from adjudicator.western_desert.strength import ZERO
from adjudicator.western_desert.words import short_name, side_name, supply_name

IDLE = {"void": "void", "skipped": "called off"}
COUNTED = ("overrun", "attack")
ENDING = ("phase", "void", "skipped", "move")
SAYS = {"strength": "strength", "re": "RE"}


def tried(table: Game[State], before: State, after: State, events: Sequence[Event]) -> Tried:
    """Count a turn. ``before`` is not changed."""
    return Tried(tuple(_clashes(table, table.copy(before), events)), _marks(before, after, events), _idle(events))


def _idle(events: Sequence[Event]) -> dict[tuple[int, int], str]:
    return {
        (max(event.by, default=event.on), int(str(event.data["order"]))): IDLE[event.kind]
        for event in events
        if event.kind in IDLE and event.data.get("order")
    }


def _clashes(table: Game[State], state: State, events: Sequence[Event]) -> Iterator[Clash]:
    """The combats in order; all that happens from an attack to the next phase or attack belongs to it."""
    begun: Event | None = None
    start, result = state, ""
    for event in events:
        if event.kind in COUNTED or event.kind in ENDING:
            if begun is not None:
                yield _clash(begun, start, state, result)
            begun, result = (event if event.kind in COUNTED else None), "overrun"
            start = state.copy() if begun is not None else start
        if event.kind == "result":
            result = str(event.data["result"])
        table.apply(state, event)
    if begun is not None:
        yield _clash(begun, start, state, result)


def _clash(begun: Event, before: State, after: State, result: str) -> Clash:
    side, where = str(begun.data["side"]), str(begun.data["hex"])
    name = before.board.feature_names(before.board.find(where))
    verb = "Overrun of" if begun.kind == "overrun" else "Attack on"
    losses = {
        who: {SAYS[measure]: _lost(before, after, who, who == side, measure) for measure in MEASURES}
        for who in (side, ENEMY[side])
    }
    means = RESULT_NAMES.get(result, result)
    return Clash(f"{before.phase}/{begun.kind}/{where}", f"{verb} {name}", f"{result}, {means}", losses)


def _lost(before: State, after: State, side: str, attacking: bool, measure: str) -> Fraction:
    changed = [
        uid
        for uid in before.side_units(side)
        if uid not in after.pieces or after.pieces[uid].cadre != before.pieces[uid].cadre
    ]
    return loss(before, after, changed, attacking, measure) if changed else ZERO


# --- what happened or did not -----------------------------------------------------------------------------------


def _marks(before: State, after: State, events: Sequence[Event]) -> dict[str, list[str]]:
    marks: dict[str, list[str]] = {"Taken": _taken(before, after)}
    for uid in _gone(before, after):
        side = side_name(before.world.units[uid].side)
        marks.setdefault(f"{side} units lost", []).append(short_name(before, uid))
    for uid in sorted(before.pieces.keys() & after.pieces.keys()):
        side = side_name(before.world.units[uid].side)
        if after.pieces[uid].cadre and not before.pieces[uid].cadre:
            marks.setdefault(f"{side} divisions reduced to a cadre", []).append(short_name(before, uid))
    for event in events:
        if event.kind == "captured":
            name = supply_name(before, str(event.data["counter"]))
            marks.setdefault("Supply captured", []).append(f"{name} by {side_name(str(event.data.get('side', '')))}")
    return {group: found for group, found in marks.items() if found}


def _gone(before: State, after: State) -> list[str]:
    """Units lost, a division that fell as a whole by its own name; none that was broken down, assembled, withdrawn or
    converted, for such a unit leaves the map unhurt (WD 15, 29.C, 29.D)."""
    kept = {uid: box for uid, box in before.boxes.items() if box.box in (ASSEMBLED, BREAKDOWN)}
    there = before.pieces.keys() | kept.keys()
    lost = {uid for uid in there & after.gone.keys() if after.gone[uid] != "converted"}
    for uid in before.pieces:
        parts = {part for part, box in kept.items() if box.box == ASSEMBLED and box.of == uid}
        if parts and parts <= lost and uid not in after.pieces:
            lost = (lost - parts) | {uid}
    return sorted(lost)


def _taken(before: State, after: State) -> list[str]:
    """Hexes that hold enemy units before and own ones after, and places that change hands."""
    found: dict[int, str] = {}
    for h in sorted(before.at):
        sides = {before.world.units[uid].side for uid in before.at[h]}
        now = {after.world.units[uid].side for uid in after.at.get(h, ())}
        for side in sorted(ENEMY):
            if ENEMY[side] in sides and side not in sides and now == {side}:
                found[h] = side
    for h in sorted(after.control):
        info = before.board.info(h)
        if after.owner(h) != before.owner(h) and info is not None and (info.cities or info.places):
            found.setdefault(h, after.owner(h))
    return [f"{before.board.feature_names(h)} by {side_name(found[h])}" for h in sorted(found)]
