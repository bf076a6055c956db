"""Whole player turns of chance on the real position, every phase in one file: out of the rules' own listings."""

from __future__ import annotations

from random import Random
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Run, play
from adjudicator.western_desert.hexes import DIRECTIONS
from adjudicator.western_desert.state import State
from tests.western_desert.surprise import ALLIED, AXIS, Body, Played, table

TOPICS = ("losses", "retreat", "supply")
WISHES = (*DIRECTIONS, "rough", "clear", "toward_supply")
PHASES = ("orders/initial", "orders/movement", "orders/combat")


def chance_of(seed: object) -> Chance:
    """The same choices for the same seed."""
    return Chance(Random(str(seed)).random)


def standing(state: State, side: str, seed: object) -> list[Body]:
    """Up to three standing orders of chance, on a topic each."""
    chance = chance_of(f"standing {side} {seed}")
    found: list[Body] = [row for _ in range(chance.below(4)) for row in table().bot_standing(state, side, chance)]
    return list({str(row["topic"]): row for row in found}.values())


def turn(played: Played, seed: object) -> list[Body]:
    """One file for a whole player turn of the Allied player, by what is listed at each stop if no die hurts."""
    chance = chance_of(f"turn {seed}")
    rows: list[Body] = standing(played.state, ALLIED, seed) if chance.likely(0.5) else []
    while True:
        run = ahead(played, rows)
        if run.waits.key not in PHASES or run.waits.side != ALLIED or _there(rows, run.waits.key):
            return rows
        ask: Ask[Any] | None = run.ask
        assert ask is not None
        more: list[Body] = [*table().bot_orders(run.state, ALLIED, ask, chance)]
        if ask.key == "orders/combat":
            more = [_embellished(row, chance) for row in more]
        rows += more or ([{"type": "pass"}] if ask.key == "orders/initial" else [])


def _there(rows: list[Body], key: str) -> bool:
    """Whether the file has the phase already; it is the next player turn that asks for it again."""
    if key == "orders/initial":
        return bool(rows) and rows[-1]["type"] != "standing"
    return any(row["type"] == "section" and row["name"] == key.removeprefix("orders/") for row in rows)


def ahead(played: Played, rows: list[Body]) -> Run[State]:
    """How far a file goes if nothing happens by the dice."""
    messages = [*played.resolver.messages_up_to(len(played.bodies) - 1, played.bodies), played.message(rows)]
    return play(table(), played.resolver.checkpoint, messages, Assume())


def _embellished(row: Body, chance: Chance) -> Body:
    """What else an attack may say: losses, retreats, who is spared."""
    if row["type"] != "attack":
        return row
    more: Body = {}
    if chance.likely(0.3):
        more["losses"] = chance.some(row["with"], least=1)
    if chance.likely(0.3):
        more["never"] = chance.some(row["with"], least=1, most=2)
    if chance.likely(0.3):
        more["retreat"] = chance.some(WISHES, least=1, most=3)
    if chance.likely(0.2):
        more["neutral"] = "none"
    return {**row, **more}


def begun(seed: object) -> Played:
    """The game at the first orders, the Axis with standing orders of chance."""
    played = Played.begun()
    return Played.begun(standing(played.state, AXIS, seed))
