"""What is odd about clauses of standing orders on the air war: no clause behind it is read, nothing comes of it, who it
names can't do that, or is out of play."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.core import texts_of
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.orders import (
    AIR_CLAUSES,
    ANYTHING,
    ESCAPES,
    ESCORTING,
    INTERCEPTS,
    JETTISONS,
    PATROL,
    SCRAMBLES,
)
from adjudicator.western_desert.standing import Clause
from adjudicator.western_desert.state import State

AIR_TOPICS = tuple(AIR_CLAUSES)
NARROWING = {
    ESCAPES: ("air", "base"),
    SCRAMBLES: ("air", "base"),
    JETTISONS: ("air", "hex"),
    ESCORTING: ("air", "hex"),
    PATROL: ("air", "attack", "spare", "within", "hold_until"),
}
"""The fields by which a clause is not for every choice of its topic; after one on interception others are read, too."""
FIGHTERS = (PATROL, INTERCEPTS, SCRAMBLES, JETTISONS, ESCORTING)
"""The topics on what only fighters do (WD 19, 20.A, 20.B, 20.C, 24.A.jettison)."""


def air_decides(topic: str, clause: Clause) -> bool:
    """Whether a clause settles every choice of its topic, so that none behind it is read."""
    if topic not in NARROWING or any(_narrow(clause, field) for field in NARROWING[topic]):
        return False
    if topic == ESCORTING:
        return "join" in clause and "targets" in clause
    return topic != PATROL or clause.get("min_chance") == "6"


def _narrow(clause: Clause, field: str) -> bool:
    named = texts_of(clause.get(field))
    return bool(named) and ANYTHING not in named


def air_says_nothing(topic: str, clause: Clause) -> bool:
    """Whether nothing ever comes of a clause."""
    return topic == ESCORTING and not clause.keys() & {"join", "targets"}


def air_named(state: State, topic: str, clause: Clause) -> Iterator[tuple[str, str]]:
    """What is odd about the air units that a clause names, with the place of each in it."""
    for i, aid in enumerate(texts_of(clause.get("air"))):
        if aid == ANYTHING:
            continue
        craft = craft_of(state.world, aid)
        name = craft.name or aid
        if aid in state.boxes:
            yield f"air[{i}]", f"{name} is not in play"
        elif topic in FIGHTERS and not craft.fighter:
            yield f"air[{i}]", f"{name} is of type {craft.type}; this is for fighters"
    for i, aid in enumerate(texts_of(clause.get("targets"))):
        if aid in state.boxes and aid in state.world.air:
            yield f"targets[{i}]", f"{craft_of(state.world, aid).name or aid} is not in play"
