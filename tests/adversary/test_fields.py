"""Every field of a message of the real games, forged in turn and signed by its author: the verdict PROTOCOL 4.8 gives.

Nothing halts, nothing takes long, and what is accepted is the author's own business: orders, note, entropy.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from adjudicator.match.match import table_of
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.compose import compose_body, compose_lost, sign_body
from adjudicator.protocol.fields import LOST_REQUIRED, OPTIONAL, REQUIRED
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.protocol.verifier import Verifier
from tests.adversary.duel import Duel, Row
from tests.adversary.scenes import ATTACK, COMBAT, MOVES, bare

HASH = "ab" * 32
SECONDS = 10.0
FREE = ("orders", "note", "entropy")
"""What a message may say differently and still be accepted."""


def unopened(system: str) -> Duel:
    """A game at message 6, with orders given in 4 or 5; its next message is due, nobody has seen the dice of 6."""
    duel = Duel(system, {"western-desert": "compass", "shifting-sands": "campaign"}[system], "fields")
    bare(duel, 4)
    duel.look()
    duel.send([*MOVES, COMBAT, ATTACK] if system == "western-desert" else [{"type": "section", "name": "round"}])
    bare(duel, 6)
    return duel


def at_table(system: str) -> Duel:
    """The same, where the next writer has opened the dice.

    A new one each time: a message that is judged may open dice, and what is open is known to those that come after.
    """
    duel = unopened(system)
    duel.look()
    return duel


GAMES = ("western-desert", "shifting-sands")
NO_DECKS = ("western-desert",)
"""Games in which a chain can be lost: with it a hand would be."""


def honest(duel: Duel) -> Row:
    """The body that the seat to write next would sign."""
    return compose_body(duel.seat.verifier, duel.seat.side, duel.seat.secret, [], duel.seat.entropy(32))


def opponent(duel: Duel) -> Verifier:
    """The other side's program."""
    return next(seat for seat in duel.seats if seat is not duel.seat).verifier


def verdict_on(duel: Duel, body: Mapping[str, Any], key: SigningKey | None = None) -> str:
    """The code the other side gives; nothing may change by it, and it comes soon."""
    try:
        message = sign_body(dict(body), key or duel.seat.key)
    except ProtocolError as error:
        return error.code
    judge = opponent(duel)
    head, started = judge.head_id, time.perf_counter()
    verdict = judge.check(message)
    assert time.perf_counter() - started < SECONDS
    assert judge.head_id == head and judge.failed is None
    assert verdict.kind is not Kind.HALT, verdict.show()
    return verdict.code


VALUES: tuple[Any, ...] = (
    "", "0", "1", "01", "-1", "+6", "6.0", "1e3", "٣", "6 ", "999999999", "9999999999", HASH, HASH.upper(),
    HASH[:-1], "x" * 200_000, [], {}, [[]], [{}], ["x"], {"a": "b"}, [HASH], [{"a": []}], {"side": "axis"},
    {"seq": "1", "sig": ""},
    {"id": HASH, "code": "E_STATE"}, {"id": HASH, "code": "E_SIG"}, {"key": "", "proof": ""},
    {"cid": "ab" * 16, "anchor": HASH, "links": "64"}, {"cid": "ab" * 16, "anchor": HASH, "links": "65537"},
    {"rules": HASH, "from": "7"}, {"rules": HASH, "from": "0"}, {"sheet": HASH}, {"nothing": HASH},
    {"books": [], "decks": []}, "resign", "offer-draw", "accept-draw", "claim", "\n", "a\tb", "\u202e", "e\u0301", "😀",
    [{"book": "sheet", "seq": "1", "topic": "losses", "salt": HASH, "path": []}],
    [{"deck": "axis-a", "card": "1.0", "attr": "name", "value": "", "salt": HASH, "others": [], "leaf_salt": HASH,
      "path": []}],
    [{"deck": "axis-a", "epoch": "2", "n": "1", "root": HASH, "from": ["1.0"], "zone": "draw"}],
)  # fmt: skip


def lawful(name: str, value: Any, body: Row) -> bool:
    """Whether a field may have this value: it is what it was, or the author's own choice."""
    return (
        value == body.get(name)
        or (name == "orders" and value == [])
        or (name == "note" and isinstance(value, str))
        or (name == "entropy" and value == HASH)
        or (name in ("open", "history", "cards", "show", "decks") and value == [])
        or (name == "end" and value in ("resign", "offer-draw", "accept-draw"))
        or (name == "sealed" and value in ({}, {"sheet": HASH}))
        or (name == "replaces" and value == {"id": HASH, "code": "E_STATE"})
        or (name == "reanchor" and value == {"cid": "ab" * 16, "anchor": HASH, "links": "64"})
    )


@pytest.mark.parametrize("system", GAMES)
def test_every_value_in_every_field(system: str) -> None:
    duel = at_table(system)
    body = honest(duel)
    names = [*REQUIRED, *OPTIONAL, "lost", "type", "retract", "amend", "x"]
    for name in names:
        for value in VALUES:
            code = verdict_on(duel, {**body, name: value})
            assert (code == "OK") == lawful(name, value, body) or code == "E_CANON", (name, str(value)[:60], code)
            if code not in ("OK", "E_CANON"):
                assert code in expected(name, value), (name, str(value)[:60], code)


BY_FIELD = {
    "pbem": ["E_VERSION"], "game": ["E_GAME"], "side": ["E_AUTHOR"], "prev": ["E_PREV"], "rules": ["E_RULES"],
    "reveal": ["E_REVEAL"], "state": ["E_STATE"], "link": ["E_REVEAL"], "replaces": [], "open": ["E_SEAL"],
    "history": ["E_SEAL"], "sealed": ["E_SEAL"], "decks": ["E_DECK"], "cards": ["E_DECK"], "show": ["E_DECK"],
    "rekey": ["E_KEY"], "reanchor": ["E_KEY"], "upgrade": ["E_RULES"], "final": ["E_END"], "restored": ["E_HEAD"],
    "seq": ["E_AUTHOR", "E_FORK", "E_GAP", "E_REVEAL"],
}  # fmt: skip


def expected(name: str, value: Any) -> list[str]:
    """The codes a fault in a field may get: of form always, else the field's own."""
    return BY_FIELD.get(name, []) if name == "pbem" else ["E_FIELD", *BY_FIELD.get(name, [])]


@pytest.mark.parametrize("system", GAMES)
def test_a_missing_field_and_those_of_a_lost_chain(system: str) -> None:
    duel = at_table(system)
    body = honest(duel)
    for name in REQUIRED:
        code = verdict_on(duel, {key: value for key, value in body.items() if key != name})
        assert code == ("E_VERSION" if name == "pbem" else "E_FIELD"), (name, code)
    assert verdict_on(duel, body) == "OK"
    lost = {name: body[name] for name in LOST_REQUIRED if name in body} | {"lost": "1"}
    assert verdict_on(duel, lost) == "E_FIELD"
    lost["reanchor"] = {"cid": "ab" * 16, "anchor": HASH, "links": "64"}
    assert verdict_on(duel, lost) == "E_FIELD", "its author has opened the dice: his chain is not lost"


@pytest.mark.parametrize("system", GAMES)
def test_fields_of_other_messages_and_of_the_other_side(system: str) -> None:
    duel = at_table(system)
    body, judge = honest(duel), opponent(duel)
    wanted = {
        "seq": {"E_AUTHOR", "E_FORK"}, "prev": {"E_PREV"}, "side": {"E_AUTHOR"}, "link": {"E_REVEAL"},
        "reveal": {"E_REVEAL"}, "state": {"E_STATE"}, "orders": {"OK"}, "entropy": {"OK"},
    }
    for seq in range(1, judge.head + 1):
        for name, codes in wanted.items():
            other = judge.body(seq)[name]
            if other != body[name]:
                assert verdict_on(duel, {**body, name: other}) in codes, (seq, name)
        whole = {**body, **{key: judge.body(seq)[key] for key in ("prev", "link", "reveal", "state")}}
        assert verdict_on(duel, whole) == "E_PREV"
    other_seat = next(seat for seat in duel.seats if seat is not duel.seat)
    assert verdict_on(duel, body, other_seat.key) == "E_SIG"
    assert verdict_on(duel, {**body, "side": other_seat.side}, other_seat.key) == "E_AUTHOR"
    foreign = at_table(next(name for name in GAMES if name != system))
    assert verdict_on(duel, honest(foreign), foreign.seat.key) == "E_GAME"


ORDER: tuple[tuple[str, dict[str, Any]], ...] = (
    ("E_VERSION", {"pbem": "2"}), ("E_FIELD", {"x": "y"}), ("E_GAME", {"game": HASH}), ("E_AUTHOR", {"side": "nobody"}),
    ("E_FIELD", {"replaces": {"id": HASH, "code": "OK"}}), ("E_PREV", {"prev": HASH}), ("E_RULES", {"rules": HASH}),
    ("E_HEAD", {"restored": {"seq": "1", "sig": ""}}), ("E_FIELD", {"allow_lost": HASH}), ("E_FIELD", {"entropy": "x"}),
    ("E_REVEAL", {"link": "9"}), ("E_REVEAL", {"reveal": HASH}), ("E_FIELD", {"orders": "x"}),
    ("E_SEAL", {"open": [{"book": "sheet", "seq": "1", "topic": "losses", "salt": HASH, "path": []}]}),
    ("E_DECK", {"cards": VALUES[-2]}), ("E_SEAL", {"sealed": {"nothing": HASH}}),
    ("E_DECK", {"decks": VALUES[-1]}),
    ("E_KEY", {"reanchor": {"cid": "ab" * 16, "anchor": HASH, "links": "1"}}), ("E_KEY", {"rekey": VALUES[28]}),
    ("E_RULES", {"upgrade": {"rules": HASH, "from": "7"}}), ("E_END", {"final": {"books": [], "decks": []}}),
    ("E_STATE", {"state": HASH}),
)  # fmt: skip
"""Faults in the order in which they are looked for (PROTOCOL 4.8)."""


@pytest.mark.parametrize("system", GAMES)
def test_the_first_fault_gives_the_verdict(system: str) -> None:
    duel = at_table(system)
    body = honest(duel)
    for first, (code, _) in enumerate(ORDER):
        faulty: Row = dict(body)
        for _, change in reversed(ORDER[first:]):
            faulty |= change
        assert verdict_on(duel, faulty) == code, ORDER[first]


def genesis_changes(tree: Row) -> Iterator[tuple[str, Row]]:
    """Genesis with one field dropped, set, or swapped between the players."""
    for name in tree:
        yield f"{name} dropped", {key: value for key, value in tree.items() if key != name}
        for value in VALUES:
            yield f"{name} set", {**tree, name: value}
    a, b = tree["players"]["a"], tree["players"]["b"]
    decks = [{"deck": f"{b['side']}-a", "epoch": "1", "n": "1", "root": HASH}]
    yield "b has a deck", {**tree, "players": {"a": a, "b": {**b, "decks": decks}}}
    yield "players swapped", {**tree, "players": {"a": b, "b": a}}
    for name in a:
        yield f"b's {name} is a's", {**tree, "players": {"a": a, "b": {**b, name: a[name]}}}
        for value in VALUES:
            yield f"b's {name} set", {**tree, "players": {"a": a, "b": {**b, name: value}}}


@pytest.mark.parametrize("system", GAMES)
def test_every_field_of_genesis(system: str) -> None:
    duel = at_table(system)
    seen: set[str] = set()
    for told, tree in genesis_changes(dict(duel.genesis.body)):
        try:
            message = sign_body(tree, duel.seats[1].key)
            Verifier(message, MatchResolver.fresh(table_of(duel.genesis)))
        except ProtocolError as error:
            seen.add(error.code)
            assert error.verdict.kind in (Kind.REJECT, Kind.TRANSPORT), told
            continue
        assert message.id != duel.genesis.id or tree == duel.genesis.body, told
    assert seen >= {"E_CANON", "E_VERSION", "E_FIELD", "E_RULES", "E_KEY", "E_SIG", "E_DECK"}


def loss_of(duel: Duel) -> Row:
    """The body in which the seat to write next says that its chain is lost; its program knows nothing of the dice."""
    seat = duel.seat
    return compose_lost(seat.verifier, seat.side, Secret.fresh(seat.key.public, 64, bytes), bytes(32)).body


@pytest.mark.parametrize("system", NO_DECKS)
@pytest.mark.parametrize("spoilt", [{}, {"state": HASH}, {"prev": HASH}])
def test_a_loss_that_is_not_accepted_leaves_the_dice_to_be_opened(system: str, spoilt: Row) -> None:
    duel = unopened(system)
    judge, before = opponent(duel), opponent(duel).resolved
    loss = sign_body({**loss_of(duel), **spoilt}, duel.seat.key)
    assert duel.seat.verifier.resolved == before, "to write it opens nothing"
    verdict = judge.receive(loss) if spoilt else judge.check(loss)
    assert verdict.code == {"state": "E_STATE", "prev": "E_PREV"}.get(next(iter(spoilt), ""), "OK"), verdict.show()
    assert judge.resolved == before
    duel.look()
    assert judge.receive(sign_body(honest(duel), duel.seat.key)).ok
    assert judge.seed(judge.resolved) != b""


def test_no_chain_can_be_lost_in_a_game_with_decks() -> None:
    """The hand is lost with it: the message is refused, and the dice are still to be opened (PROTOCOL 6)."""
    duel = unopened("shifting-sands")
    judge, before = opponent(duel), opponent(duel).resolved
    assert judge.check(sign_body(loss_of(duel), duel.seat.key)).code == "E_FIELD"
    assert judge.resolved == before
    duel.look()
    assert judge.receive(sign_body(honest(duel), duel.seat.key)).ok


@pytest.mark.parametrize("system", NO_DECKS)
def test_a_loss_that_is_accepted_resolves_without_dice_on_both_sides(system: str) -> None:
    duel = unopened(system)
    head = duel.seat.verifier.head
    loss = sign_body(loss_of(duel), duel.seat.key)
    for seat in duel.seats:
        assert seat.verifier.receive(loss).ok
        assert seat.verifier.resolved == head and seat.verifier.seed(head) == b""
    assert len({seat.verifier.digest(head) for seat in duel.seats}) == 1
