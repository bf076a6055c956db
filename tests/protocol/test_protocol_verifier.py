"""The verifier: order of checks, what it knows, resolving once, checkpoints, the end of a game."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.protocol.compose import compose_body
from adjudicator.protocol.dice import Dice, Rolled, pick, roll, shuffle
from adjudicator.protocol.labels import LabelError, is_label
from adjudicator.protocol.log import LazyBodies, read_log, read_turn, split_log, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import EngineFault, Resolution, check_resolution
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon, parse
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.reader import ReadError
from tests.protocol.toy_game import A, B, Table, ToyGame, attack, code, known, order, secret_of, toy_genesis


def replay(messages: list[Message]) -> Verifier:
    verifier = Verifier(toy_genesis(), ToyGame())
    for message in messages:
        verdict = verifier.receive(message)
        assert verdict.ok, verdict.show()
    return verifier


def test_what_a_verifier_knows() -> None:
    table = Table().start()
    verifier = table.verifier
    assert (verifier.head, verifier.next_seq, verifier.next_side, verifier.resolved) == (4, 5, A, 3)
    assert verifier.game_id == verifier.id(0) == toy_genesis().id and verifier.genesis == toy_genesis()
    assert verifier.head_id == verifier.id(4) == table.sent[3].id
    assert (verifier.next_link(A), verifier.next_link(B)) == (3, 3)
    assert verifier.body(2) == table.sent[1].body and len(verifier.bodies) == 5
    assert verifier.key(A) == secret_of("alice").key and verifier.player(B).name == "bob"
    assert verifier.digest(-1) == verifier.game_id and verifier.digest(3) == table.sent[3].body["state"]
    assert verifier.last is not None and verifier.last.n == 3 and verifier.last.seed == verifier.seed(3)
    assert verifier.failed is None and not verifier.over and not verifier.closed
    for wrong in (-1, 5, 99):
        with pytest.raises(IndexError):
            verifier.id(wrong)
    for wrong in (-2, 4):
        with pytest.raises(IndexError):
            verifier.digest(wrong)
    with pytest.raises(IndexError):
        verifier.seed(4)
    with pytest.raises(KeyError):
        verifier.key("romans")


def test_seeds_of_the_past_are_those_of_the_resolutions() -> None:
    table, seen = Table(), {}
    for number in range(6):
        table.play(attack("1203") if number > 1 else [])
        assert table.verifier.last is not None
        seen[table.verifier.last.n] = table.verifier.last.seed
    assert {n: table.verifier.seed(n) for n in seen} == seen and len(set(seen.values())) == 6


def test_the_game_is_asked_once_for_each_message_in_order() -> None:
    table = Table().start(6)
    for _ in range(2):
        table.verifier.open_head(secret_of("alice").link(4))
        table.verifier.check(table.changed(state=known("other").hex()))
    table.play([])
    assert table.game.calls == list(range(7))


def test_open_head_shows_the_dice_to_their_opener_only() -> None:
    table = Table().start()
    peeked = table.verifier.open_head(secret_of("alice").link(3))
    assert peeked.n == table.verifier.resolved == 4 and table.verifier.head == 4
    for wrong in (secret_of("alice").link(2), secret_of("bob").link(3), known("x")):
        with pytest.raises(ProtocolError, match="E_REVEAL"):
            table.verifier.open_head(wrong)
    answer = table.play([])
    assert answer.body["state"] == peeked.digest and table.verifier.digest(4) == peeked.digest


def test_check_takes_nothing_in() -> None:
    table = Table().start()
    message, head = table.next(attack("1203")), table.verifier.head
    assert table.verifier.check(message).ok and table.verifier.head == head
    gap = Table().start(5).next()
    assert table.verifier.check(gap).code == "E_GAP" and table.verifier.waiting == []
    assert table.verifier.check(message).ok


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"pbem": "2", "extra": "x", "game": "0" * 64}, "E_VERSION"),
        ({"extra": "x", "game": "0" * 64}, "E_FIELD"),
        ({"game": "0" * 64, "side": B}, "E_GAME"),
        ({"side": B, "prev": "0" * 64}, "E_AUTHOR"),
        ({"replaces": "x", "prev": "0" * 64}, "E_FIELD"),
        ({"prev": "0" * 64, "rules": "0" * 64}, "E_PREV"),
        ({"rules": "0" * 64, "entropy": "x"}, "E_RULES"),
        ({"entropy": "x", "link": "9"}, "E_FIELD"),
        ({"link": "9", "orders": "x"}, "E_REVEAL"),
        ({"orders": "x", "state": "0" * 64}, "E_FIELD"),
        ({"final": {"books": [], "decks": []}, "state": "0" * 64}, "E_END"),
        ({"final": {}, "state": "0" * 64}, "E_FIELD"),
        ({"state": "0" * 64}, "E_STATE"),
    ],
)
def test_check_order(fields: dict[str, Any], expected: str) -> None:
    """Of two faults the earlier one in the order of PROTOCOL 4.8 is named."""
    table = Table().start()
    assert code(table, table.changed(**fields)) == expected


def test_signature_comes_before_what_the_body_claims() -> None:
    table = Table().start()
    forged = table.sign({**table.body(), "prev": "0" * 64, "state": "0" * 64}, "bob")
    assert code(table, forged) == "E_SIG"
    old = table.sent[2]
    assert code(table, Message.of({**old.body, "note": "forged"}, old.sig)) == "E_SIG", "no fork without a signature"


def test_verdicts_name_message_code_and_way_out() -> None:
    table = Table().start()
    verdict = table.receive(table.changed(state=known("other").hex()))
    assert verdict.seq == 5 and verdict.id
    shown = verdict.show()
    assert shown.startswith("message 5: error[E_STATE]: ") and known("other").hex()[:12] in shown
    assert "`dispute DIR 4`" in shown


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["1203", "1304", "dance", "1203"]), max_size=4), max_size=5), st.booleans())
def test_checkpoints_change_nothing(turns: list[list[str]], peek: bool) -> None:
    """A verifier restored at any point goes on exactly like one that never stopped."""
    table = Table().start(2)
    table.play(*[attack(*hexes) for hexes in turns])
    verifier = table.verifier
    if peek:
        verifier.open_head(secret_of(table.name(verifier.next_seq)).link(verifier.next_link(verifier.next_side)))
    state = parse(canon(verifier.export()))
    assert isinstance(state, dict)
    lines = [write_line(message) for message in (toy_genesis(), *table.sent)]
    again = Verifier.restore(state, toy_genesis(), LazyBodies(lines), table.game)
    assert again.export() == verifier.export() and again.resolved == verifier.resolved
    table.verifier = again
    for hexes in (["1203"], [], ["1304", "1304"]):
        table.play(attack(*hexes))
    whole = replay(table.sent)
    assert whole.export() == table.verifier.export()
    assert table.game.calls == list(range(table.verifier.head))


def test_checkpoints_that_do_not_fit() -> None:
    table = Table().start()
    state = table.verifier.export()
    bodies = list(table.verifier.bodies)

    def restore(state: Any, bodies: Any = bodies, genesis: Message | None = None) -> None:
        Verifier.restore(state, genesis or toy_genesis(), bodies, ToyGame())

    restore(state)
    restore(state, [*bodies, {"more": "x"}])
    last: Any = state["last"]
    damaged: list[Any] = [
        {},
        {**state, "format": "other"},
        {**state, "ids": []},
        {**state, "ids": "x"},
        {**state, "digests": []},
        {**state, "digests": ["x"]},
        {**state, "last": {**last, "n": "2"}},
        {**state, "last": {**last, "seed": "x"}},
        {**state, "replaced": "-1"},
        {**state, "waiting": "x"},
        {**state, "forks": ["x"]},
        {key: value for key, value in state.items() if key != "last"},
    ]
    for bad in damaged:
        with pytest.raises(ValueError, match="checkpoint"):
            restore(bad)
    with pytest.raises(ValueError, match="another log"):
        restore(state, bodies, toy_genesis(65))
    with pytest.raises(ValueError, match="another log"):
        restore(state, bodies[:-1])
    with pytest.raises(ValueError, match="another message 4"):
        restore(state, [*bodies[:-1], {**bodies[-1], "note": "x"}])


def test_checkpoint_keeps_forks_and_what_waits() -> None:
    table, later = Table().start(), Table().start(4)
    later.play([], [])
    fork = table.next(attack("1204"))
    table.play(attack("1203"))
    table.receive(fork)
    waits = Table().start(4)
    waits.play([], [], [])
    table.receive(waits.sent[6])
    again = Verifier.restore(table.verifier.export(), toy_genesis(), list(table.verifier.bodies), ToyGame())
    assert [one.id for one in again.forks] == [fork.id]
    assert [one.id for one in again.waiting] == [waits.sent[6].id]


def test_a_repaired_program_goes_on_after_a_halt() -> None:
    """The message stands for ever, with its seed: only the program changes (PROTOCOL 4.8)."""
    table = Table().start()
    table.play(order("crash"))
    state, bodies = table.verifier.export(), list(table.verifier.bodies)
    with pytest.raises(ProtocolError, match="HALT"):
        table.next()
    assert table.verifier.export() == state, "a halt changes nothing"

    class Repaired(ToyGame):
        def _order(self, order: dict[str, Tree], *rest: Any) -> list[dict[str, Tree]]:
            return super()._order({"type": "repaired"} if order["type"] == "crash" else order, *rest)

    table.verifier = Verifier.restore(state, toy_genesis(), bodies, Repaired())
    table.play([], attack("1203"))
    assert table.verifier.head == 7


def test_end_of_a_game() -> None:
    """86 - 88 as far as built: `final` closes the log, before and after it there is nothing."""
    table = Table().start()
    assert code(table, table.changed(final={"books": [], "decks": []})) == "E_END"
    table.play(order("win"))
    closing = table.body()
    assert closing["final"] == {"books": [], "decks": []} and table.verifier.over and not table.verifier.closed
    open_end = {key: value for key, value in closing.items() if key != "final"}
    assert code(table, table.sign(open_end)) == "E_END"
    assert code(table, table.sign({**closing, "orders": attack("1203")})) == "E_END"
    assert code(table, table.sign({**closing, "final": {"books": ["x"], "decks": []}})) == "E_FIELD"
    for name, value in (("sealed", {}), ("decks", []), ("end", "resign")):
        assert code(table, table.sign({**closing, name: value})) == "E_END", "nothing new"
    table.play([], [])
    assert table.verifier.closed and table.verifier.over_at == 5 and table.verifier.head == 7
    with pytest.raises(ProtocolError, match="E_END"):
        table.next()
    extra = {
        **closing,
        "seq": "8",
        "prev": table.verifier.head_id,
        "link": "4",
        "reveal": secret_of("bob").link(4).hex(),
    }
    assert code(table, table.sign(extra)) == "E_END"
    del extra["final"]
    assert code(table, table.sign(extra)) == "E_END", "nothing at all follows"
    assert replay(table.sent).closed


def test_genesis_as_a_message() -> None:
    table = Table().start()
    assert code(table, toy_genesis()) == "DUPLICATE"
    assert code(table, toy_genesis(65)) == "E_GAME"


def test_composing_refuses_what_is_not_due() -> None:
    table = Table().start()
    verifier, alice, bob = table.verifier, secret_of("alice"), secret_of("bob")
    with pytest.raises(ProtocolError, match="E_AUTHOR"):
        compose_body(verifier, B, bob, [], bytes(32))
    with pytest.raises(ProtocolError, match=r"E_REVEAL.*another game"):
        compose_body(verifier, A, bob, [], bytes(32))
    with pytest.raises(ValueError, match="entropy"):
        compose_body(verifier, A, alice, [], bytes(31))
    body = compose_body(verifier, A, alice, [], bytes(32), note="good luck")
    assert body["note"] == "good luck" and verifier.check(table.sign(body)).ok


@pytest.mark.parametrize(
    "event",
    [
        {"on": "5", "by": []},
        {"kind": "x", "by": []},
        {"kind": "x", "on": "4", "by": []},
        {"kind": "x", "on": "5"},
        {"kind": "x", "on": "5", "by": "5"},
        {"kind": "x", "on": "5", "by": ["6"]},
        {"kind": "x", "on": "5", "by": ["05"]},
        {"kind": "x", "on": "5", "by": ["x"]},
        {"kind": "x", "on": "5", "by": [["5"]]},
        {"kind": "x", "on": "5", "by": [], "die": 6},
        {"kind": "x", "on": "5", "by": [], "Die": "6"},
        {"kind": "x", "on": "5", "by": [], "text": "a\tb"},
    ],
)
def test_i1_and_the_form_of_events(event: Any) -> None:
    good: dict[str, Tree] = {"kind": "x", "on": "5", "by": ["0", "5"]}
    check_resolution(5, Resolution([good], {"turn": "1"}))
    with pytest.raises(EngineFault):
        check_resolution(5, Resolution([good, event], {"turn": "1"}))
    with pytest.raises(EngineFault, match="I2"):
        check_resolution(5, Resolution([good], {"turn": "1"}), resolved=5)


def test_i1_over_whole_games() -> None:
    """90: whole games verified from nothing."""
    for game in range(3):
        table = Table().start(2)
        for number in range(12):
            table.play(attack(*[f"{int(known(f'{game} {number}')[at]):04d}" for at in range(number % 4)]))
        verifier = replay(table.sent)
        assert verifier.export() == table.verifier.export()


def test_logs_and_files() -> None:
    table = Table().start()
    messages = [toy_genesis(), *table.sent]
    data = b"".join(write_line(message) for message in messages)
    assert read_log(data) == messages and [read_turn(write_turn(one)) for one in messages] == messages
    assert read_log(b"") == []
    bodies = LazyBodies(split_log(data))
    assert [bodies[at] for at in range(-5, 0)] == list(bodies) == [one.body for one in messages]
    assert bodies[1:3] == [messages[1].body, messages[2].body]
    for torn in (data[:-1], data + b"\n", data[:-30] + b"\n"):
        with pytest.raises(ProtocolError, match="E_CANON"):
            read_log(torn)
    broken = data.replace(b'"seq":"3"', b'"seq": "3"')
    with pytest.raises(ProtocolError) as caught:
        read_log(broken)
    assert caught.value.verdict.seq == 3 and "line 4" in caught.value.verdict.text


def test_bodies_handed_to_the_game_are_read_only() -> None:
    table = Table().start()
    bodies: Any = table.verifier.bodies
    assert bodies[-1] == table.sent[-1].body and bodies[1:3] == [table.sent[0].body, table.sent[1].body]
    with pytest.raises(TypeError):
        bodies[0] = {}
    with pytest.raises(IndexError):
        bodies[5]
    assert not hasattr(bodies, "append")


MUTATIONS = st.lists(
    st.tuples(st.sampled_from(["flip", "drop", "insert", "swap", "copy"]), st.integers(0, 10**6), st.integers(0, 255)),
    min_size=1,
    max_size=3,
)


def mutated(data: bytes, changes: list[tuple[str, int, int]]) -> bytes:
    for what, where, value in changes:
        at = where % (len(data) or 1)
        if what == "flip":
            data = data[:at] + bytes([value]) + data[at + 1 :]
        elif what == "drop":
            data = data[:at] + data[at + 1 + value % 40 :]
        elif what == "insert":
            data = data[:at] + bytes([value]) + data[at:]
        elif what == "swap":
            data = data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]
        else:
            data = data[:at] + data[at : at + value] + data[at:]
    return data


FUZZED = Table().start()
FUZZ_FILE = write_turn(FUZZED.next(attack("1203", "1304"), note="good luck"))
FUZZ_ID = read_turn(FUZZ_FILE).id


def test_three_thousand_mutations() -> None:
    """89."""
    source = Random(89)
    kinds = ["flip", "drop", "insert", "swap", "copy"]
    for _ in range(3000):
        count = source.randint(1, 3)
        check_mutated([(source.choice(kinds), source.randrange(10**6), source.randrange(256)) for _ in range(count)])


@settings(max_examples=200, deadline=None)
@given(MUTATIONS)
def test_mutated_files_never_make_another_message(changes: list[tuple[str, int, int]]) -> None:
    """89, with the smallest mutation shown when it fails."""
    check_mutated(changes)


def check_mutated(changes: list[tuple[str, int, int]]) -> None:
    """A mutated file is refused, or is still the very same message (YAML comments and spaces are not signed)."""
    try:
        message = read_turn(mutated(FUZZ_FILE, changes))
    except ReadError:
        return
    verdict = FUZZED.verifier.check(message)
    assert not verdict.ok or message.id == FUZZ_ID
    assert verdict.code not in ("E_FORK", "HALT", "E_LABEL")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4), MUTATIONS)
def test_mutated_logs_are_refused(which: int, changes: list[tuple[str, int, int]]) -> None:
    """No change of a log verifies, whichever line it hits."""
    lines = [write_line(message) for message in (toy_genesis(), *FUZZED.sent)]
    before = list(lines)
    lines[which] = mutated(lines[which], changes)
    try:
        messages = read_log(b"".join(lines))
        verifier = Verifier(messages[0], ToyGame()) if messages else None
        verdicts = [verifier.receive(message) for message in messages[1:]] if verifier else []
    except ProtocolError:
        return
    unchanged = [write_line(message) for message in messages] == before
    assert unchanged or not all(verdict.ok for verdict in verdicts) or len(messages) < len(before)


def test_dice_by_label() -> None:
    dice = Dice(known("seed"))
    first = dice.roll("combat/18.4818/crt", 6, 2)
    assert first == roll(known("seed"), "combat/18.4818/crt", 6, 2) and len(first) == 2
    assert dice.pick("raid/1/axis/1", 1) == 0 and dice.pick("x", 300) == pick(known("seed"), "x", 300)
    assert dice.shuffle("deck", 5) == shuffle(known("seed"), "deck", 5)
    assert dice.rolled[0] == Rolled("combat/18.4818/crt", "roll", 6, first)
    for again in (dice.roll, dice.pick, dice.shuffle):
        with pytest.raises(LabelError, match="second time"):
            again("combat/18.4818/crt", 6)
    for faces in (0, 1, 2**32):
        with pytest.raises(ValueError, match="faces"):
            roll(known("seed"), "x", faces)


@pytest.mark.parametrize("text", ["", "/", "a/", "/a", "A", "a b", "a//b", "-a", ".a", "é", "a" * 201, "a\n", "a/#2"])
def test_labels_off_the_grammar(text: str) -> None:
    """32."""
    assert not is_label(text)
    with pytest.raises(LabelError):
        Dice(known("seed")).roll(text, 6)


def test_labels_of_the_grammar() -> None:
    for text in ("combat/18.4818/crt", "setup/axis/air-cr-42-1/disarray", "a", "7", "a#2/b_c", "a" * 200):
        assert is_label(text)


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(2, 2000), st.integers(1, 40))
def test_rolls_stay_on_the_die(seed: bytes, faces: int, count: int) -> None:
    values = roll(seed, "combat/x/crt", faces, count)
    assert len(values) == count and all(1 <= value <= faces for value in values)
    assert values[: count // 2] == roll(seed, "combat/x/crt", faces, count // 2), "more dice shift none"
    assert sorted(shuffle(seed, "deck", count)) == list(range(count))


def test_events_survive_json() -> None:
    table = Table().start()
    assert table.verifier.last is not None
    events = [dict(event) for event in table.verifier.last.resolution.events]
    assert json.loads(canon(events)) == events


def test_a_fork_is_not_excused_by_an_upgrade_that_came_later() -> None:
    """A body is judged by the log before it: what its author offers in the other one does not make it unlawful."""
    lasting: Tree = {"rules": known("third rules").hex(), "from": "9"}
    for later in (lasting, None):
        table = Table().start(5)
        offer: Tree = {"rules": known("new rules").hex(), "from": "8"}
        assert table.receive(table.changed(upgrade=offer)).ok
        first = table.changed(upgrade=offer)
        body: dict[str, Tree] = {**first.body, "entropy": known("again").hex()}
        body["replaces"] = {"id": first.id, "code": "E_RULES"}
        del body["upgrade"]
        second = table.sign({**body, **({"upgrade": later} if later else {})})
        assert table.receive(second).ok
        assert code(table, first) == "E_FORK"
        assert table.verifier.proves_fork(first, second)


def test_what_only_says_it_is_a_genesis_is_judged_as_one() -> None:
    table = Table().start()
    genesis = toy_genesis().body
    assert code(table, table.changed(type="genesis")) == "E_FIELD"
    assert code(table, Message.of({**genesis, "pbem": "2"}, "")) == "E_VERSION"
    assert code(table, Message.of({"type": "genesis", "pbem": "1"}, "")) == "E_FIELD"
    assert code(table, Message.of({**genesis, "title": "another"}, "")) == "E_GAME"
    assert code(table, toy_genesis()) == "DUPLICATE"


def test_entropy_that_was_used_before_is_no_fault() -> None:
    """What is fresh the author sees to; two messages have two ids all the same, and no verifier may ask for more."""
    table = Table().start()
    used = str(table.sent[-2].body["entropy"])
    assert code(table, table.changed(attack("1203"), entropy=used)) == "OK"
    assert len({table.verifier.id(seq) for seq in range(6)}) == 6
