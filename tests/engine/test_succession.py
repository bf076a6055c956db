"""Rules that change in the course of a game: which rules a step goes by, and where it passes from one to others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from adjudicator.engine.core import Ctx, Event, Order, Proc, Roll
from adjudicator.engine.dice import NotOpened
from adjudicator.engine.driver import Checkpoint, Game, Message, Run, Step, Waits, play
from adjudicator.protocol.dice import roll as labelled
from tests.engine.toy import ROUNDS, Duel, DuelGame, loss_ask, other, strike_ask


class Duels(DuelGame):
    """The toy with a rule that can differ: from which number on a strike hits. Every loss is a stop."""

    def __init__(self, hits_from: int) -> None:
        super().__init__(stop=True)
        self.hits_from = hits_from

    def next_step(self, state: Duel) -> tuple[str, Step[Duel]] | Waits:
        if state.round > ROUNDS or not all(state.men.values()):
            return Waits("over")
        return "round", self._round

    def _round(self, ctx: Ctx[Duel]) -> Proc[None]:
        state = ctx.state
        victim = other(state.striker)
        answer = yield from ctx.ask(strike_ask(state))
        for number in range(len(answer.value)):
            (die,) = yield from ctx.roll(Roll(f"round/{state.round}/strike/{number}", "strike", assume=(1,)))
            ctx.emit("strike", "T 1", answer.by, die=str(die), number=str(number))
            if die >= self.hits_from and state.men[victim]:
                choice = yield from ctx.ask(loss_ask(state, victim, number, True))
                ctx.emit("lost", "T 2", choice.by, side=victim, man=choice.value)
        ctx.emit("round", "T 3", number=str(state.round + 1), striker=victim)


@dataclass
class Change:
    """Old rules up to a message, new ones from it on."""

    old: Duels
    new: Duels
    start: int
    carried: int = 0

    def game_at(self, seq: int) -> Game[Duel]:
        return self.new if seq >= self.start else self.old

    def carry(self, state: Duel, old: Game[Duel], new: Game[Duel]) -> Duel:
        self.carried += 1
        return new.copy(state)

    def alike(self, one: Duel, old: Game[Duel], two: Duel, new: Game[Duel]) -> bool:
        return one == two


def dice(salt: int, upto: int):  # type: ignore[no-untyped-def]
    """Dice of a game, open up to a message."""

    def known(seq: int, roll: Roll) -> tuple[int, ...]:
        if seq > upto:
            raise NotOpened(roll.label)
        return labelled(bytes([salt, seq]) * 16, roll.label, roll.faces, roll.count)

    return known


STRIKE = Message(3, "red", (Order(0, "strike", {"targets": ["x"] * 6}),))
BARE = [Message(4, "blue"), Message(5, "red"), Message(6, "blue"), Message(7, "red")]


def run(change: Change, salt: int, messages: list[Message], upto: int) -> Run[Duel]:
    return play(change.old, Checkpoint(Duel()), messages, dice(salt, upto), succession=change)


def hits(events: list[Event], on: int) -> list[tuple[int, bool]]:
    """The strikes on the dice of a message that something follows, and whether it was a loss, at once or at a stop."""
    found = []
    for event, after in pairwise(events):
        if event.kind == "strike" and event.on == on:
            found.append((int(str(event.data["die"])), after.kind == "lost"))
    return found


@pytest.mark.parametrize(("old", "new"), [(3, 5), (5, 3), (4, 6), (2, 4)])
def test_a_step_in_progress_goes_on_by_the_new_rules_or_is_finished_by_the_old_ones(old: int, new: int) -> None:
    """By the new ones where they tell its beginning the same, else by the old ones; what happened is never retold."""
    seen = set()
    for salt in range(60):
        change = Change(Duels(old), Duels(new), start=4)
        before = run(change, salt, [STRIKE], 3)
        if not before.waits.key.startswith("losses"):
            continue  # no strike hit: the step is over on the dice of message 3
        told = [event for event in before.events if event.on == 3]
        values = [int(str(event.data["die"])) for event in told if event.kind == "strike"]
        same = all((die >= old) == (die >= new) for die in values)
        after = run(change, salt, [STRIKE, *BARE], 4)
        assert [event for event in after.events if event.on == 3] == told
        assert after.finished.get(4) == (None if same else "round")
        bound = new if same else old
        for die, lost in hits(after.events, 4):
            assert lost == (die >= bound), (salt, same)
        seen.add(same)
    assert seen == {True, False}


def test_a_step_that_begins_with_the_new_rules_knows_no_others() -> None:
    """Message 3 itself is the first by them: nothing of the step has happened before."""
    for salt in range(20):
        change = Change(Duels(2), Duels(5), start=3)
        whole = run(change, salt, [STRIKE, *BARE], 7)
        alone = play(Duels(5), Checkpoint(Duel()), [STRIKE, *BARE], dice(salt, 7))
        assert whole.events == alone.events and whole.waits == alone.waits
        assert not whole.finished and whole.game is change.new


def test_between_two_steps_the_state_passes_over() -> None:
    """A round without a strike is over on its own message; the next one goes by the new rules."""
    quiet = Message(3, "red", (Order(0, "strike", {"targets": []}),))
    change = Change(Duels(2), Duels(5), start=4)
    found = run(change, 1, [quiet, Message(4, "blue", (Order(0, "strike", {"targets": ["x"] * 6}),)), *BARE[1:]], 7)
    assert found.game is change.new and change.carried >= 1
    assert all(lost == (die >= 5) for die, lost in hits(found.events, 4))


def test_running_on_from_any_checkpoint_comes_to_the_same() -> None:
    """The run as a whole, and resolved message after message from the newest checkpoint, as `match` does it."""
    for salt in range(20):
        change = Change(Duels(3), Duels(4), start=5)
        whole = run(change, salt, [STRIKE, *BARE], 7)
        point, events = Checkpoint(Duel()), []
        for upto in range(3, 8):
            messages = [message for message in [STRIKE, *BARE] if message.seq <= upto]
            game = change.game_at(point.at)
            part = play(game, point, messages, dice(salt, upto), succession=change)
            events += [event for event in part.events if event.on == upto]
            point = part.checkpoint
        assert events == [event for event in whole.events if event.on >= 3]
