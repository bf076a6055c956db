"""Whole games over the rules alone, on dice of chance, with cards for operations, redeployment and points only.

``python -m tests.shifting_sands.campaigns [FIRST [LAST [SCENARIO [OPTIONS]]]]`` plays the games of these numbers,
1 to 100 of the campaign if nothing is said, and looks at every position for what must hold. Exit 1: some did not.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.engine.game import message_of
from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.shifting_sands.invariants import disagreements
from adjudicator.shifting_sands.state import State, turn_name
from tests.shifting_sands.support import Seeds

SYSTEM = "shifting-sands"
MESSAGES_AT_MOST = 4000
EXPECTED = ("bound",)
"""Codes of orders that are void in sound play: what was said before binds."""


@dataclass
class Played:
    """A game played to its end. ``faults`` is what did not hold, with the message after which it was seen."""

    number: int
    faults: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    state: State | None = None

    def line(self) -> str:
        """The game in a line."""
        if self.state is None or self.faults:
            return f"{self.number}: {'; '.join(self.faults[:3]) or 'not begun'}"
        uses = ", ".join(f"{count} {use}" for use, count in sorted(self.uses.items()))
        won = f"{self.state.winner} with {self.state.vp} VP in {turn_name(self.state.turn)}"
        return f"{self.number}: {won}, {self.messages} messages, {self.kinds['fire']} fires, {uses}"


def campaign(number: int, scenario: str = "campaign", options: str = "", player: str = "random") -> Played:
    """Play one game of programs to its end; every position between two messages is looked at."""
    switches = {"options": options} if options else {}
    table = game(SYSTEM).table(load_pack(SYSTEM).tree, scenario, switches)
    chance, dice = Chance(Random(f"campaign {number}").random), Seeds(MESSAGES_AT_MOST, f"campaign {number}")
    done, point, messages = Played(number), Checkpoint(table.start()), list[Message]()
    before: State | None = None
    seq = 0
    while done.messages < MESSAGES_AT_MOST:
        run: Run[Any] = play(table, point, messages, dice)
        _watch(done, table, run, before)
        if done.faults or run.waits.why != "decision" or run.ask is None:
            break
        before, point, side = run.state.copy(), run.checkpoint, run.waits.side
        done.faults += disagreements(run.state, side, run.ask, chance)
        write = table.simple_orders if player == "simple" else table.bot_orders
        rows = write(run.state, side, run.ask, chance)
        seq = _next(max(seq, point.at), side)
        messages = [m for m in messages if m.seq >= point.since or m.seq in point.answered]
        messages.append(message_of(seq, side, rows))
        done.messages += 1
    if done.state is None or done.state.phase != "over":
        done.faults.append("the game did not come to its end")
    return done


def _next(seq: int, side: str) -> int:
    """The next message of a side: the Axis writes the odd ones."""
    return seq + 1 if ((seq + 1) % 2 == 1) == (side == "axis") else seq + 2


def _watch(done: Played, table: Any, run: Run[Any], before: State | None) -> None:
    """Take down what happened and what is wrong."""
    done.state = run.state
    kept = run.events[: run.kept] if run.waits.why == "decision" else run.events
    done.kinds.update(event.kind for event in kept)
    done.uses.update(str(event.data["use"]) for event in kept if event.kind == "action")
    wrong = [problem for problem in run.problems if not problem.depends and problem.code not in EXPECTED]
    done.faults += [*table.faults(run.state, before), *(f"{p.rule}: {p.text}" for p in wrong)]


def main(words: list[str]) -> int:
    """Play the games asked for, a line each; returns the exit code."""
    first, last = (int(words[0]) if words else 1), (int(words[1]) if len(words) > 1 else 100)
    found = []
    for number in range(first, last + 1):
        found.append(campaign(number, *words[2:4]))
        print(found[-1].line(), flush=True)
    failed = [done for done in found if done.faults]
    won = Counter(done.state.winner for done in found if done.state is not None and not done.faults)
    print(f"{len(found)} games, {len(failed)} failed; won by " + ", ".join(f"{s} {n}" for s, n in sorted(won.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
