"""Whole games of Shifting Sands over the real protocol, with events, combat cards and hidden hands, to the openings at
the end.

``python -m tests.shifting_sands.whole_games [SCENARIO [SEED ...]]`` plays games of programs with simple aims, a line
each; without a seed until one goes to its last turn, the campaign through Torch. Exit 1: a log was not
verified, a deck not opened, or a card lay where it must not.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from adjudicator.match.facedown import names_of
from adjudicator.match.match import table_of
from adjudicator.match.play.players import player
from adjudicator.match.play.seats import Pairing, Seat, chance_of, seats_of
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.log import read_line, write_line
from adjudicator.protocol.message import Message
from adjudicator.protocol.piles import handle_text
from adjudicator.protocol.verifier import Verifier
from adjudicator.shifting_sands.cards import is_handle
from adjudicator.shifting_sands.invariants import faults
from adjudicator.shifting_sands.position import ZONES
from adjudicator.shifting_sands.state import LAST_TURN, State, turn_name
from adjudicator.shifting_sands.victory import last_turn

SYSTEM = "shifting-sands"
SEEDS = tuple(f"b{number}" for number in range(1, 25))
MESSAGES_AT_MOST = 1000
SAME = {"hands": "hand", "piles": "draw", "discards": "discard", "removed": "removed"}
"""The zones of the rules by those of the protocol."""


@dataclass(frozen=True)
class Whole:
    """A game that was played to its end: its log, its last state, what a program that knows the log alone says of it
    ("" where it verifies), the keys that each side opened of its deck at the end, and the epochs there were."""

    log: list[bytes]
    state: State
    fault: str
    opened: dict[str, int]
    epochs: dict[str, int]

    @property
    def far(self) -> bool:
        """Whether it went through Torch to the last turn of its scenario."""
        return self.state.turn == last_turn(self.state) and (self.state.turn < LAST_TURN or self.state.played("Torch"))

    def line(self, seed: str) -> str:
        """The game in a line."""
        state = self.state
        torch = turn_name(state.events["Torch"]) if state.played("Torch") else "never"
        won = f"{state.winner} with {state.vp} VP in {turn_name(state.turn)}, Torch {torch}"
        decks = ", ".join(f"{side} {self.opened.get(side)} of {n}" for side, n in sorted(self.epochs.items()))
        return f"{seed}: {won}, {len(self.log)} messages, epochs opened: {decks}; {self.fault or 'verified'}"


def whole(scenario: str, seed: str, name: str = "simple", messages: int = MESSAGES_AT_MOST) -> Whole:
    """Play one game to its end, or so many messages, each written as a turn file, checked, signed, received by both."""
    genesis, seats = seats_of(Pairing(SYSTEM, scenario, (), seed), lambda table: table)
    chance, writer, log = chance_of(SYSTEM, scenario, seed, "play"), player(name), [genesis]
    while not seats[0].verifier.closed and len(log) < messages:
        seat = next(one for one in seats if one.side == one.verifier.next_side)
        seat.look()
        stray = astray(seat)
        assert not stray, f"message {seat.verifier.head}: {'; '.join(stray)}"
        draft = writer.write(seat, chance)
        assert draft.result.problems == [], draft.text
        message = seat.sign(draft.result, draft.wild)
        for one in seats:
            verdict = one.verifier.receive(message)
            assert verdict.ok, verdict.show()
        log.append(message)
    return _whole(seats[0], log)


def astray(seat: Seat) -> list[str]:
    """What is wrong with where the cards of a seat lie: its owner knows each by name, and none lies twice or nowhere;
    what the rules say of a zone is what the protocol says of it."""
    side, run = seat.side, seat.resolver.last
    if run is None or run.state.phase == "setup":
        return []
    state: State = run.state
    names = names_of(seat.faces())
    lying = Counter(names.get(card, card) for zone in ZONES for card in getattr(state, zone).get(side, []))
    found = faults(state)
    found += [f"{card} lies {count} times" for card, count in sorted(lying.items()) if count > 1]
    found += [f"{card} is no card" for card in sorted(lying) if card not in state.world.cards]
    pile = seat.verifier.piles[f"{side}-strategy"]
    for zone, name in SAME.items():
        told = sorted(card for card in getattr(state, zone).get(side, []) if is_handle(card))
        if told != sorted(handle_text(card) for card in pile.zone(name)):
            found.append(f"{side} {name}: the rules say {told}, the protocol {pile.zone(name)}")
    return found


def _whole(seat: Seat, log: list[Message]) -> Whole:
    lines = [write_line(message).removesuffix(b"\n") for message in log]
    run = seat.resolver.last
    assert run is not None
    finals: list[Any] = [message.body.get("final") for message in log[-2:]]
    opened = {row["deck"].split("-")[0]: len(row["keys"]) for final in finals if final for row in final["decks"]}
    epochs = {pile.side: pile.epoch for pile in seat.verifier.piles.values()}
    return Whole(lines, run.state, verified(lines), opened, epochs)


def verified(lines: list[bytes]) -> str:
    """What a program says that reads a log from its beginning; "" where it takes it all."""
    genesis = read_line(lines[0])
    verifier = Verifier(genesis, MatchResolver.fresh(table_of(genesis)))
    for line in lines[1:]:
        verdict = verifier.receive(read_line(line))
        if not verdict.ok:
            return verdict.show()
    return ""


def main(words: list[str]) -> int:
    """Play the games asked for; returns the exit code."""
    scenario, seeds = (words[0] if words else "campaign"), words[1:]
    found = list[Whole]()
    for seed in seeds or SEEDS:
        found.append(whole(scenario, seed))
        print(found[-1].line(seed), flush=True)
        if not seeds and found[-1].far:
            break
    sound = not any(game.fault or game.opened != game.epochs for game in found)
    return 0 if sound and (seeds or found[-1].far) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
