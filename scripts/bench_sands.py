"""The action round of Shifting Sands that the benchmark adjudicates: card, markers, three combats (SS 6, 7, 11)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench_games import BenchError

from adjudicator.engine.chance import Chance
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.engine.game import Table, message_of
from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.protocol.dice import roll
from adjudicator.shifting_sands.designate import attackable
from adjudicator.shifting_sands.state import State

SIDE, OTHER = "axis", "allied"
ROUND = 3
MOST = 400


@dataclass(frozen=True)
class Round:
    """An action round to adjudicate: where it begins, the messages that play it, how many markers and combats."""

    table: Table
    start: Checkpoint[Any]
    messages: tuple[Message, ...]
    markers: int
    combats: int

    def run(self) -> Run[Any]:
        """Adjudicate it on opened dice, the defender leaving everything to the defaults."""
        seeds = {m.seq: hashlib.sha256(f"bench {m.seq}".encode()).digest() for m in self.messages}
        return play(self.table, self.start, self.messages, Opened(seeds, roll))


def busy_round(combats: int) -> Round:
    """A round with so many combats, in a position to which programs of chance have played."""
    table = game("shifting-sands").table(load_pack("shifting-sands").tree, "campaign", {})
    for number in range(MOST):
        found = _round(table, _position(table, f"bench {number}"), combats)
        if found is not None:
            return found
    raise BenchError(f"no position with {combats} combats was found")


def _position(table: Table, seed: str) -> Checkpoint[Any]:
    """The beginning of an Axis action round after some rounds of chance."""
    chance, point, seq = Chance(random.Random(seed).random), Checkpoint(table.start()), 0
    messages: list[Message] = []
    for _ in range(60):
        seeds = {n: hashlib.sha256(f"{seed} {n}".encode()).digest() for n in range(seq + 1)}
        run = play(table, point, messages, Opened(seeds, roll))
        state, side = run.state, run.waits.side
        ready = run.ask is None or (state.round >= ROUND and run.waits.key.startswith("orders/") and side == SIDE)
        point = run.checkpoint
        if ready or run.ask is None:
            return Checkpoint(run.state, seq, seq)
        seq += 1 if ((seq + 1) % 2 == 1) == (side == SIDE) else 2
        rows = table.bot_orders(state, side, run.ask, chance)
        messages = [m for m in messages if m.seq >= point.since] + [message_of(seq, side, rows)]
    return Checkpoint(run.state, seq, seq)


def _round(table: Table, start: Checkpoint[Any], combats: int) -> Round | None:
    """The round in a position, if so many spaces can be attacked there at once; nothing in it is unlawful."""
    state = start.state.copy()
    if not isinstance(state, State) or state.active != SIDE or state.step != "round":
        return None
    own = sorted(p for p in state.at if p in state.world.spaces and any(map(state.active_unit, state.friends(p, SIDE))))
    fights = _fights(state, own, combats)
    if len(fights) < combats:
        return None
    spaces = sorted({state.pieces[uid].at for units, _ in fights for uid in units})
    card = max(state.hands[SIDE], key=lambda name: int(str(state.world.cards[name]["ops"])), default="")
    rows: list[dict[str, Any]] = [{"type": "play_card", "card": card, "use": "ops"}]
    rows += [{"type": "attack_marker", "space": place} for place in spaces]
    rows += [{"type": "attack", "units": [*units], "target": to} for units, to in fights]
    first = start.at + (1 if start.at % 2 == 0 else 2)
    orders = [{"type": "section", "name": "round"}, *rows, {"type": "end_round"}]
    messages = [message_of(first, SIDE, orders)]
    messages += [Message(first + 1 + n, OTHER if n % 2 == 0 else SIDE, ()) for n in range(4 * combats)]
    found = Round(table, Checkpoint(state, start.at, start.at), tuple(messages), len(spaces), combats)
    run = found.run()
    fought = sum(event.kind == "combat-over" for event in run.events)
    return found if not run.problems and fought == combats else None


def _fights(state: State, own: Sequence[str], combats: int) -> list[tuple[list[str], str]]:
    """Attacks out of single spaces on spaces of their own, one after the other."""
    found: list[tuple[list[str], str]] = []
    taken: set[str] = set()
    for place in own:
        trial = state.copy()
        trial.markers = {place: "attack"}
        for target, units in sorted(attackable(trial, SIDE).items()):
            if target not in taken and units and len(found) < combats:
                taken.add(target)
                found.append((units, target))
                break
    return found
