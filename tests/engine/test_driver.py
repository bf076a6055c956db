"""The driver: choices on file, stops, standing orders, forced choices, and re-running from checkpoints (PROTOCOL 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Event, Order, Roll
from adjudicator.engine.dice import NotOpened
from adjudicator.engine.driver import Checkpoint, LabelTwice, Message, Run, Waits, play
from adjudicator.protocol.dice import roll as labelled
from tests.engine.toy import Duel, DuelGame

SEEDS = {seq: bytes([seq]) * 32 for seq in range(40)}


class Known:
    """Dice on fixed seeds, open up to a message."""

    def __init__(self, upto: int) -> None:
        self.upto = upto

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        if seq > self.upto:
            raise NotOpened(roll.label)
        return labelled(SEEDS[seq], roll.label, roll.faces, roll.count)


def order(index: int, kind: str, **data: object) -> Order:
    return Order(index, kind, data)  # type: ignore[arg-type]


def strike(seq: int, side: str, count: int, *more: Order) -> Message:
    return Message(seq, side, (order(0, "strike", targets=["x"] * count), *more))


def run(game: DuelGame, messages: list[Message], upto: int) -> Run[Duel]:
    return play(game, Checkpoint(Duel()), messages, Known(upto))


def kinds(result: Run[Duel], kind: str) -> list[Event]:
    return [event for event in result.events if event.kind == kind]


def test_waits_for_the_first_orders_and_then_for_the_opening() -> None:
    game = DuelGame()
    assert run(game, [], 0).waits == Waits("decision", "red", "orders/strike")
    assert run(game, [Message(1, "red"), Message(2, "blue")], 2).waits.why == "decision"
    waits = run(game, [strike(3, "red", 2)], 2).waits
    assert (waits.why, waits.side) == ("opening", "blue")


def test_messages_before_the_earliest_are_no_orders() -> None:
    result = run(DuelGame(), [strike(1, "red", 3)], 5)
    assert result.waits == Waits("decision", "red", "orders/strike")
    assert not result.events


def test_a_stop_moves_the_dice_to_the_answering_message() -> None:
    game = DuelGame(stop=True)
    result = run(game, [strike(3, "red", 8)], 3)
    assert result.waits.why == "decision" and result.waits.side == "blue"
    assert kinds(result, "strike")[-1].on == 3
    messages = [strike(3, "red", 8), Message(4, "blue", (order(0, "answer", to=result.waits.key, man="b2"),))]
    whole = run(game, messages, 4)
    after = [event for event in whole.events if event.on == 4]
    lost = kinds(whole, "lost")[0]
    assert (lost.data["man"], lost.on, lost.by) == ("b2", 4, (4,))
    assert after, "what follows the answer runs on its seed"
    for event in whole.events:
        assert all(seq <= event.on for seq in event.by), "I1"


def test_silence_at_a_stop_is_the_default_on_the_answering_seed() -> None:
    game = DuelGame(stop=True)
    messages = [strike(3, "red", 8), Message(4, "blue")]
    lost = kinds(run(game, messages, 4), "lost")[0]
    assert (lost.data["man"], lost.data["source"], lost.on) == ("b1", "default", 4)


def test_an_unlawful_answer_takes_the_default_and_says_why() -> None:
    game = DuelGame(stop=True)
    key = run(game, [strike(3, "red", 8)], 3).waits.key
    messages = [strike(3, "red", 8), Message(4, "blue", (order(0, "answer", to=key, man="zz"),))]
    lost = kinds(run(game, messages, 4), "lost")[0]
    assert (lost.data["man"], lost.data["source"]) == ("b1", "default")


def test_standing_orders_count_from_the_next_message_on() -> None:
    standing = order(1, "standing", topic="losses", rules=["b3"])
    early = [Message(4, "blue", (standing,)), strike(5, "red", 3)]
    lost = kinds(run(DuelGame(), early, 5), "lost")
    assert lost and lost[0].data["man"] == "b3" and lost[0].data["source"] == "standing" and lost[0].by == (4,)
    late = Message(5, "red", (order(0, "standing", topic="losses", rules=["r3"]),))
    own = [strike(3, "red", 0), strike(4, "blue", 3), late]
    lost = kinds(run(DuelGame(), own, 5), "lost")
    assert lost and lost[0].data["man"] == "r1", "sent after the strike, it can't act on it (R5)"


def test_a_forced_choice_is_taken_without_a_stop() -> None:
    game = DuelGame(stop=True)
    start = Checkpoint(Duel({"red": ["r1"], "blue": ["b1"]}))
    result = play(game, start, [strike(3, "red", 6)], Known(3))
    lost = kinds(result, "lost")
    assert lost and lost[0].data["source"] == "forced"
    assert result.waits == Waits("over")


def test_a_label_rolled_twice_is_a_fault_of_the_engine() -> None:
    class Twice(DuelGame):
        def next_step(self, state):  # type: ignore[no-untyped-def]
            def body(ctx):  # type: ignore[no-untyped-def]
                yield from ctx.roll(Roll("a/b", "x"))
                yield from ctx.roll(Roll("a/b", "x"))

            return "twice", body

    with pytest.raises(LabelTwice):
        play(Twice(), Checkpoint(Duel()), [], Known(0))


counts = st.lists(st.integers(0, 3), min_size=1, max_size=8)


@given(counts, st.booleans())
def test_rerunning_from_any_checkpoint_gives_the_same_events(sizes: list[int], stop: bool) -> None:
    game = DuelGame(stop)
    messages = [strike(3 + i, "red" if (3 + i) % 2 else "blue", n) for i, n in enumerate(sizes)]
    start, seen = Checkpoint(Duel()), []
    for upto in range(len(messages) + 3):
        part = play(game, start, [m for m in messages if m.seq <= upto], Known(upto))
        seen += [event for event in part.events if event.on == upto]
        start = part.checkpoint
    whole = run(game, messages, len(messages) + 2)
    assert [e.tree() for e in whole.events] == [e.tree() for e in seen]
