"""Positions and files that the benchmark measures on: a game folder, a crowded front, a long turn file."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Order
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.engine.game import Table
from adjudicator.match.games import game
from adjudicator.match.match import Match
from adjudicator.match.resolver import MatchResolver
from adjudicator.packs.load import load_pack
from adjudicator.protocol.dice import roll
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.hexes import distance, neighbours
from adjudicator.western_desert.mover import mover_of
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import ENEMY, State

SIDE = "allied"
FRONT = "19/0826"
REGULAR = 6
"""The message with the orders of the regular Dec I 40 turn, after an empty surprise turn."""

EMPTY_TURN = [{"type": "section", "name": name} for name in ("movement", "air", "combat")]
BEFORE_FIGHTS = (("section", {"name": "air"}), ("section", {"name": "combat"}))


class BenchError(Exception):
    """The position can't be made; the text says why."""


def make_folders(home: Path) -> Path:
    """Two game folders played up to the regular Dec I 40 turn; the Allied one, whose orders are due."""
    axis, allied = home / "axis", home / "allied"
    _command("new", "western-desert", "compass", str(axis), "--name", "Ann", "--title", "Bench")
    _command("accept", str(axis / "outbox/offer.turn"), str(allied), "--name", "Ben")
    _command("receive", str(axis), str(allied / "outbox/genesis.turn"))
    empty = home / "empty.yaml"
    empty.write_text(
        "orders:\n" + "".join(f"  - {{type: section, name: {name}}}\n" for name in ("movement", "air", "combat")),
        encoding="utf-8",
        newline="\n",
    )
    for seq in range(1, REGULAR):
        mine, other = (axis, allied) if seq % 2 else (allied, axis)
        side = "axis" if seq % 2 else "allied"
        _command(*(("sign", str(empty), "--game", str(mine), "--yes") if seq == 4 else ("open", str(mine))))
        _command("receive", str(other), str(mine / f"outbox/bench-{seq:04d}-{side}.turn"))
    return allied


def _command(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "adjudicator", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"adjudicator {' '.join(words)}: {done.stdout}{done.stderr}")


def regular_turn() -> tuple[Table, State]:
    """The table of the short game and the state before the orders of the regular Dec I 40 turn."""
    table = game("western-desert").table(load_pack("western-desert").tree, "compass", {})
    resolver = MatchResolver.fresh(table)
    bodies: list[dict[str, Any]] = [{"orders": EMPTY_TURN if seq == 4 else []} for seq in range(REGULAR)]
    for seq in range(REGULAR):
        resolver.resolve(seq, bodies, hashlib.sha256(bytes([seq])).digest())
    state = resolver.checkpoint.state
    assert isinstance(state, State)
    return table, state


def crowd(state: State, count: int) -> list[str]:
    """Bring more units of the side to the front, two to a hex, until so many can move; their ids."""
    front = state.board.find(FRONT)
    free = iter(sorted(_empty_hexes(state), key=lambda h: (distance(h, front), h)))
    waiting = [uid for uid, unit in sorted(state.world.units.items()) if unit.side == SIDE and unit.movement]
    waiting = [uid for uid in waiting if uid not in state.pieces]
    while len(movable(state)) < count and waiting:
        h = next(free)
        for uid in waiting[:2]:
            state.place(uid, h)
        waiting = waiting[2:]
    return movable(state)[:count]


def _empty_hexes(state: State) -> Iterator[int]:
    for h, info in state.board.land.items():
        open_ground = info.country.lower() == "egypt" and info.terrain == "clear"
        if open_ground and not state.units_at(h) and not any(state.enemies_at(n, SIDE) for n in neighbours(h)):
            yield h


def movable(state: State) -> list[str]:
    """Ids of the side's units that may move now."""
    return [uid for uid in state.side_units(SIDE) if state.unit(uid).movement and state.unit(uid).side == SIDE]


def list_moves(state: State, units: Sequence[str]) -> int:
    """List every hex that each unit can reach, with cost and way; how many there are."""
    searches = Searches(state, SIDE)
    found = 0
    for uid in units:
        if may_move(state, SIDE, uid):
            continue
        reach = searches.reach(mover_of(state, uid))
        found += sum(1 for h in reach if reach[h].path)
    return found


@dataclass(frozen=True)
class Turn:
    """A player turn to adjudicate: its table, its beginning, its orders, and how many of each kind."""

    table: Table
    start: Checkpoint[Any]
    orders: tuple[Order, ...]
    moves: int
    attacks: int

    def run(self) -> Run[Any]:
        """Adjudicate it on opened dice; the other player leaves his reaction in the air to the default."""
        dice = Opened({seq: hashlib.sha256(b"bench").digest() for seq in (REGULAR, REGULAR + 1)}, roll)
        messages = [Message(REGULAR, SIDE, self.orders), Message(REGULAR + 1, ENEMY[SIDE], ())]
        return play(self.table, self.start, messages, dice)


Flights = Callable[[State], Sequence[tuple[str, dict[str, Any]]]]
"""The orders of the section ``air`` in a position."""


def full_turn(count: int, attacks: int, ready: Callable[[State], None], flights: Flights) -> Turn:
    """A turn of so many moves toward the enemy, some flights, and so many attacks, all lawful. ``ready`` puts the air
    units into the position."""
    table, state = regular_turn()
    units = crowd(state, count)
    ready(state)
    start = Checkpoint(state, REGULAR - 1, REGULAR - 1, ())
    moves = [("section", {"name": "movement"}), *_moves(state, units)]
    flown = [*moves, ("section", {"name": "air"}), *flights(_after(table, start, _orders(moves)))]
    fights = _attacks(_after(table, start, _orders(flown)), attacks)
    turn = Turn(table, start, _orders([*flown, ("section", {"name": "combat"}), *fights]), len(moves) - 1, len(fights))
    problems = turn.run().problems
    if problems:
        raise BenchError(f"an order of the benchmark is unlawful: {problems[0].text}")
    return turn


def _after(table: Table, start: Checkpoint[Any], moves: tuple[Order, ...]) -> State:
    """The state after these orders, before the next phase."""
    state = Turn(table, start, moves, 0, 0).run().state
    assert isinstance(state, State)
    return state


def _orders(rows: Sequence[tuple[str, dict[str, Any]]], first: int = 0) -> tuple[Order, ...]:
    return tuple(Order(first + index, kind, data) for index, (kind, data) in enumerate(rows))


def _moves(state: State, units: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """One move for each unit, toward the front as far as it stays out of crowded hexes."""
    front, searches = state.board.find("19/0726"), Searches(state, SIDE)
    crowded: dict[int, int] = {}
    for uid in units:
        here = state.hex_of(uid)
        reach = searches.reach(mover_of(state, uid))
        better = [h for h in reach if h != here and crowded.get(h, 0) < 2 and not state.units_at(h)]
        if better:
            target = min(better, key=lambda h: (distance(h, front), h))
            crowded[target] = crowded.get(target, 0) + 1
            yield "move", {"unit": uid, "to": state.board.name(target)}


def _attacks(state: State, count: int) -> list[tuple[str, dict[str, Any]]]:
    """At most so many attacks, each unit in one of them."""
    used: set[str] = set()
    rows: list[tuple[str, dict[str, Any]]] = []
    for h, able in sorted(attack_options(state, SIDE).items()):
        with_ = [uid for uid in able if uid not in used]
        if with_ and len(rows) < count:
            used.update(with_)
            rows.append(("attack", {"hex": state.board.name(h), "with": with_, "advance": "all"}))
    return rows


def long_file(folder: Path, count: int) -> str:
    """A turn file of so many lawful orders for a real game: units walk hex by hex, then attack."""
    match = Match.load(folder)
    match.look()
    state, table = match.resolver.checkpoint.state, match.table
    assert isinstance(state, State)
    start = Checkpoint(state, REGULAR - 1, REGULAR - 1, ())
    walks = [("section", {"name": "movement"}), *_steps(state, _moves(state, movable(state)))]
    fights = _attacks(_after(table, start, _orders(walks)), count // 10)
    rows = [*walks[: count - 1 - len(fights)], *BEFORE_FIGHTS, *fights]
    if len(rows) < count:
        raise BenchError(f"the units of this position make {len(rows)} orders, not {count}")
    return "orders:\n" + "".join(_as_yaml(kind, data) for kind, data in rows)


def _steps(state: State, moves: Iterator[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """Each move as single steps; hex by hex among the units, so that all begin before any ends."""
    searches, ways = Searches(state, SIDE), []
    for _, data in moves:
        way = searches.reach(mover_of(state, data["unit"]))[state.board.find(data["to"])].path
        ways.append([("move", {"unit": data["unit"], "to": state.board.name(h)}) for h in way])
    return [step for way in ways for step in way]


def _as_yaml(kind: str, data: dict[str, Any]) -> str:
    fields = {name: ", ".join(value) if isinstance(value, list) else value for name, value in data.items()}
    return f"  - type: {kind}\n" + "".join(f"    {name}: {value}\n" for name, value in fields.items())
