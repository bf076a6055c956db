"""Fixtures that are runs of the rules: what happens on the dice of their seed. ``python -m tests.report.runs --write``
makes them again; read the difference, then make the golden reports again.

Each run is several stretches of one fixture, one after the other, on one state of the whole war: what they bring is
written down.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import yaml

from adjudicator.engine.core import Ctx, Event, Proc, Tree
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import orders_of
from adjudicator.protocol.dice import roll
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.control import emit_flips
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.operation import muster
from adjudicator.western_desert.victory.territory import cities
from tests.report.support import FIXTURES
from tests.western_desert import garrison_lists, operations
from tests.western_desert.endings import campaign

SEQ = 9
Row = dict[str, Any]
Stretch = Callable[[State, bytes], tuple[State, list[Event]]]


def at(turn: str, player: str, phase: str) -> Row:
    """The cursor of a stretch."""
    return {"kind": "phase", "turn": turn, "player": player, "phase": phase, "rule": "WD 4.A"}


def initial(side: str, *orders: Mapping[str, Tree]) -> Stretch:
    """An initial phase."""
    return _driven(lambda ctx: initial_phase(ctx, side, orders_of(orders), (SEQ,)))


def movement(side: str, *orders: Mapping[str, Tree]) -> Stretch:
    """A movement phase."""
    return _driven(lambda ctx: movement_phase(ctx, side, orders_of(orders), (SEQ,)))


def taken(side: str, region: str, count: int | None = None) -> Stretch:
    """Cities of a region change hands."""

    def run(state: State, seed: bytes) -> tuple[State, list[Event]]:
        ctx: Ctx[State] = Ctx(state, apply)
        emit_flips(ctx, dict.fromkeys(cities(state.world, region)[:count], side))
        return state, ctx.events

    return run


def over(state: State, seed: bytes) -> tuple[State, list[Event]]:
    """The rest of the player turn, with nothing more to do in it."""
    told = Message(SEQ, state.player, ())
    run = play(campaign(), Checkpoint(state, SEQ - 1, SEQ - 1, ()), [told], Opened({SEQ: seed}, roll))
    return run.state, run.events


def operation_due(state: State, seed: bytes) -> tuple[State, list[Event]]:
    """An Axis player turn on which a special operation is due."""
    told = operations.due(state, SEQ)
    run = play(campaign(), Checkpoint(state, SEQ - 1, SEQ - 1, ()), [told], Opened({SEQ: seed}, roll))
    return run.state, run.events


def landing(state: State, seed: bytes) -> tuple[State, list[Event]]:
    """The first wave of a landing that was announced, and the second one beside it."""
    ctx: Ctx[State] = Ctx(state, apply)
    units: list[Tree] = [
        {"unit": uid, "pool": "italian", "hex": operations.GOZO} for uid in (operations.SAN_MARCO, operations.FRIULI)
    ]
    ctx.emit("special-announced", "WD 27.A.announce", (SEQ,), side="axis", places=["Malta"], units=units)
    muster(ctx, "axis", (SEQ,))
    first: Row = {"type": "seaborne", "units": [operations.SAN_MARCO]}
    drive(movement_phase(ctx, "axis", orders_of([first]), (SEQ,)), _open(seed))
    ctx.emit("phase", "WD 4.A.5", (), turn=operations.LANDING, player="axis", phase="exploitation")
    second: Row = {"type": "land_second_wave", "units": [operations.FRIULI], "steps": "2"}
    drive(movement_phase(ctx, "axis", orders_of([second]), (SEQ,)), _open(seed))
    return state, ctx.events


def off_the_map(state: State, seed: bytes) -> tuple[State, list[Event]]:
    """Garrisons that go on the list and are shown again (WD 33.C)."""
    state.world = replace(state.world, switches={"options": "33.C"}, cache={})
    return state, garrison_lists.happened(state)


def _open(seed: bytes) -> Opened:
    return Opened({0: seed}, roll)


def _driven(proc: Callable[[Ctx[State]], Proc[None]]) -> Stretch:
    def run(state: State, seed: bytes) -> tuple[State, list[Event]]:
        ctx: Ctx[State] = Ctx(state, apply)
        drive(proc(ctx), Opened({0: seed}, roll))
        return state, ctx.events

    return run


def plans(turn: int, seq: int) -> Row:
    """A book of plans that was sealed in an earlier turn."""
    return {"kind": "plans", "side": "axis", "turn": turn_name(turn), "message": str(seq), "rule": "WD 27.A"}


FORCES = (operations.PARA, operations.PARA_2, operations.JU, operations.JU_2)
BOMBERS = ("air-sm-79-1", "air-sm-79-2", "air-sm-79-3")

RUNS: dict[str, tuple[str, str, str, list[Row], list[Row | Stretch]]] = {
    "theatre": (
        "A raid on Derna, pressure on Vichy France, the invasion of the Levant: the theatre, step by step.",
        "allied",
        "raid 2",
        [{"kind": "deploy-air", "air": air, "hex": "18/4117"} for air in BOMBERS],
        [
            at("Nov I 41", "allied", "initial"),
            initial("allied", {"type": "raid", "at": "18/4117"}),
            at("Jun I 42", "axis", "initial"),
            initial("axis", {"type": "vichy_roll"}),
            at("Jun I 42", "allied", "movement"),
            movement("allied", {"type": "invade_levant"}),
        ],
    ),
    "operation": (
        "A special operation against Cyprus: announced, mustered on Rhodes, one regiment drops, one stays behind.",
        "axis",
        "operation 1",
        [
            *(plans(turn, seq) for turn, seq in operations.BOOKS),
            {"kind": "deploy-works", "what": "airfield", "side": "axis", "hex": operations.RHODES},
            *({"kind": "deploy-box", "unit": uid, "box": "special_pool_1941"} for uid in FORCES),
        ],
        [at(operations.DUE, "axis", "initial"), operation_due],
    ),
    "landing": (
        "The seaborne invasion of Malta: two waves and supply, past the Malta table.",
        "axis",
        "landing 1",
        [
            {"kind": "deploy-box", "unit": "it-sm", "box": "special_pool_1942"},
            {"kind": "deploy-box", "unit": "it-20fri", "box": "special_pool_1942"},
        ],
        [at(operations.LANDING, "axis", "movement"), landing],
    ),
    "garrisons": (
        "Garrisons of the Delta go off the map; an enemy comes near, and they are shown.",
        "allied",
        "garrisons 1",
        [{"kind": "deploy", "unit": uid, "hex": where} for uid, where in garrison_lists.PLACES.items()],
        [at("Mar I 41", "allied", "movement"), off_the_map],
    ),
    "victory": (
        "A period ends and another begins, the Axis takes a city in Egypt, Malta, and at last the whole Delta.",
        "axis",
        "victory 1",
        [],
        [
            at("Jan II 41", "axis", "exploitation"),
            over,
            taken("axis", "egypt", 1),
            taken("axis", "malta"),
            taken("allied", "malta"),
            taken("axis", "delta"),
        ],
    ),
}


def seed_of(words: str) -> bytes:
    """The seed of a run."""
    return hashlib.sha256(words.encode()).digest()


def made(name: str) -> Row:
    """A fixture as it is written down."""
    _, author, words, earlier, stretches = RUNS[name]
    seed, state = seed_of(words), campaign().start()
    first = [stretch for stretch in stretches[:1] if isinstance(stretch, dict)]
    before: list[Row] = [{"rule": "WD 30", **row} for row in earlier] + first
    for row in before:
        apply(state, _event(row))
    happened: list[Row] = []
    for stretch in stretches[len(first) :]:
        if isinstance(stretch, dict):
            apply(state, _event(stretch))
            happened.append(stretch)
            continue
        state, events = stretch(state, seed)
        happened += [{"kind": event.kind, **event.data, "rule": event.rule} for event in events]
    other = "axis" if author == "allied" else "allied"
    head = {"title": f"{name.capitalize()} by mail", "seq": SEQ, "author": author, "opener": other}
    head |= {"link": 5, "own_link": 4, "orders": 1}
    return {**head, "id": "7e" * 32, "seed": seed.hex(), "earlier": before, "events": happened}


def _event(row: Row) -> Event:
    data = {key: value for key, value in row.items() if key not in ("kind", "rule")}
    return Event(kind=row["kind"], rule=row["rule"], on=SEQ, by=(SEQ,), data=data)


def write() -> None:
    """Write all fixtures that are runs."""
    for name in RUNS:
        text = yaml.safe_dump(made(name), allow_unicode=True, sort_keys=False, width=10_000, default_flow_style=None)
        (FIXTURES / f"{name}.yaml").write_text(f"# {RUNS[name][0]}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit("write --write to make the fixtures again")
    write()
