"""The attack table of PROTOCOL 15 as far as sections 3 and 4 go; the number of the row stands in each docstring."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from adjudicator.protocol import sshsig
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.edwards import ORDER
from adjudicator.protocol.genesis import check_genesis, complete_offer, make_offer, same_offer
from adjudicator.protocol.keys import SigningKey, public_line
from adjudicator.protocol.log import read_line, read_turn, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.verdicts import CODES, Kind, ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.reader import ReadError
from tests.protocol.toy_game import (
    TERMS,
    A,
    B,
    Table,
    ToyGame,
    attack,
    code,
    key_of,
    known,
    order,
    secret_of,
    toy_genesis,
    vectors,
)


@pytest.fixture
def table() -> Table:
    """A game in which messages 1 to 4 are played; 5 (axis, alice) is due."""
    return Table().start()


def refused(genesis: dict[str, Tree]) -> str:
    """The code for which a genesis is refused."""
    with pytest.raises(ProtocolError) as caught:
        check_genesis(genesis)
    return caught.value.code


def changed_genesis(**fields: Any) -> dict[str, Tree]:
    return {**toy_genesis().body, **fields}


def changed_player(which: str, **fields: Any) -> dict[str, Tree]:
    genesis: Any = toy_genesis().body
    players = {**genesis["players"], which: {**genesis["players"][which], **fields}}
    return changed_genesis(players=players)


def test_orders_changed_after_signing(table: Table) -> None:
    """1."""
    message = table.next(attack("1203"))
    assert code(table, Message.of({**message.body, "orders": attack("1204")}, message.sig)) == "E_SIG"


def test_any_character_of_the_signature_changed(table: Table) -> None:
    """2."""
    message = table.next(attack("1203"))
    lines = message.sig.split("\n")
    for line in range(1, len(lines) - 2):
        for at in range(0, len(lines[line]), 9):
            new = "A" if lines[line][at] != "A" else "B"
            sig = "\n".join([*lines[:line], lines[line][:at] + new + lines[line][at + 1 :], *lines[line + 1 :]])
            assert code(table, Message.of(message.body, sig)) == "E_SIG"
    assert code(table, message) == "OK"


def test_opponent_signs_in_my_name(table: Table) -> None:
    """3."""
    verdict = table.receive(table.sign(table.body(attack("1203")), "bob"))
    assert verdict.code == "E_SIG" and "another key" in verdict.text


def test_second_body_and_same_file_again(table: Table) -> None:
    """4, 5."""
    first, second = table.next(attack("1203")), table.next(attack("1204"))
    assert [code(table, first), code(table, second), code(table, first)] == ["OK", "E_FORK", "DUPLICATE"]
    assert table.verifier.forks == [second]
    assert table.verifier.proves_fork(first, second) and table.verifier.proves_fork(second, first)
    assert not table.verifier.proves_fork(first, first)
    table.play([], [])
    assert code(table, second) == "E_FORK" and code(table, first) == "DUPLICATE"


def test_prev_of_another_history(table: Table) -> None:
    """6."""
    assert code(table, table.changed(prev=table.verifier.id(2))) == "E_PREV"


def test_replay_into_another_game(table: Table) -> None:
    """7."""
    other = Table(links=65).start(0)
    assert code(other, table.sent[0]) == "E_GAME"


def test_gap_is_kept_until_it_is_filled(table: Table) -> None:
    """8."""
    late = Table().start(4)
    late.play([], [], [])
    five, six, seven = late.sent[4:7]
    assert code(table, seven) == "E_GAP" and code(table, six) == "E_GAP" and code(table, seven) == "E_GAP"
    assert {message.id for message in table.verifier.waiting} == {six.id, seven.id}
    assert code(table, five) == "OK"
    assert [verdict.code for verdict in table.verifier.retry()] == ["OK", "OK"]
    assert table.verifier.head_id == seven.id and table.verifier.waiting == []


def test_same_side_twice(table: Table) -> None:
    """9."""
    table.play(attack("1203"))
    body = {**table.body(), "side": A}
    assert code(table, sign_body(body, key_of("alice"))) == "E_AUTHOR"


def test_links_off_the_chain_skipped_old(table: Table) -> None:
    """10 - 12."""
    secret = secret_of("alice")
    for number, index in (("3", 4), ("4", 4), ("3", 2), ("2", 2)):
        assert code(table, table.changed(link=number, reveal=secret.link(index).hex())) == "E_REVEAL"
    assert code(table, table.changed(reveal=known("nothing").hex())) == "E_REVEAL"


def test_other_dice_or_state_other_rules(table: Table) -> None:
    """13, 14."""
    assert code(table, table.changed(state=known("other").hex())) == "E_STATE"
    assert code(table, table.changed(state=table.verifier.digest(2))) == "E_STATE"
    assert code(table, table.changed(rules=known("other").hex())) == "E_RULES"


def test_attack_listed_twice(table: Table) -> None:
    """15: second void, one roll, message stands."""
    assert code(table, table.next(attack("1203", "1203"))) == "OK"
    table.play([])
    assert table.verifier.last is not None
    kinds = [event["kind"] for event in table.verifier.last.resolution.events]
    assert kinds == ["combat", "void"]


@pytest.mark.parametrize(
    ("kind", "halt"), [("twice", "E_LABEL"), ("crash", "HALT"), ("future", "HALT"), ("number", "HALT")]
)
def test_engine_faults_halt_and_never_reject(table: Table, kind: str, halt: str) -> None:
    """16, 46: message and seed stand; the answer is kept until a program can resolve it."""
    bad = table.play(order(kind))
    with pytest.raises(ProtocolError) as caught:
        table.next()
    assert caught.value.code == halt and caught.value.verdict.seq == 5
    assert table.verifier.head == 5 and table.verifier.head_id == bad.id
    link = secret_of("bob").link(3)
    answer = sign_body({**bad_answer(table), "link": "3", "reveal": link.hex()}, key_of("bob"))
    verdict = table.verifier.receive(answer)
    assert (verdict.code, verdict.kind, verdict.seq) == (halt, Kind.HALT, 5)
    assert table.verifier.failed is not None and table.verifier.failed.seq == 5
    assert table.verifier.waiting == [answer] and table.verifier.head == 5
    assert table.game.calls.count(5) == 1, "a half-run engine is not asked again"


def bad_answer(table: Table) -> dict[str, Tree]:
    """A body for message 6 written by a program that could resolve 5, in some way."""
    body = {**table.verifier.body(4), "seq": "6", "prev": table.verifier.head_id, "orders": []}
    return {**body, "state": known("resolved").hex(), "entropy": known("more").hex()}


def test_keys_that_must_not_serve() -> None:
    """17."""
    mixed = vectors()["bad_keys"][0][0]
    for raw in [*vectors()["small_order_keys"], mixed, vectors()["bad_keys"][1][0]]:
        assert refused(changed_player("b", key=public_line(bytes.fromhex(raw)))) == "E_KEY"
    for line in ("ssh-rsa AAAA", key_of("bob").public + " bob", key_of("bob").public[:-4], "ssh-ed25519 AAAA", ""):
        assert refused(changed_player("b", key=line)) == "E_KEY"


@pytest.mark.parametrize("name", ["side", "key", "cid", "anchor"])
def test_anchor_cid_key_or_side_copied(name: str) -> None:
    """18."""
    players: Any = toy_genesis().body["players"]
    assert refused(changed_player("b", **{name: players["a"][name]})) == "E_KEY"


def test_signature_with_s_plus_l(table: Table) -> None:
    """27."""
    message = table.next(attack("1203"))
    blob = sshsig.unarmor(message.sig)
    s = int.from_bytes(blob[-32:], "little") + ORDER
    twin = sshsig.armor(blob[:-32] + s.to_bytes(32, "little"))
    assert code(table, Message.of(message.body, twin)) == "E_SIG"


def test_foreign_namespace_and_hash(table: Table) -> None:
    """30."""
    message = table.next()
    blob = sshsig.unarmor(message.sig)
    for old, new in ((b"pbem1", b"pbem2"), (b"sha512", b"sha256"), (b"\0\0\0\1\0\0\0\x33", b"\0\0\0\2\0\0\0\x33")):
        assert old in blob
        assert code(table, Message.of(message.body, sshsig.armor(blob.replace(old, new, 1)))) == "E_SIG"
    for junk in ("", "x", sshsig.armor(b""), sshsig.armor(blob + b"\0"), sshsig.armor(blob[:-1]), message.sig[:-9]):
        assert code(table, Message.of(message.body, junk)) == "E_SIG"


def test_signature_in_other_lines_is_the_same_message(table: Table) -> None:
    """Re-wrapping does no harm; base64 that is not canonical does."""
    message = table.next()
    inner = base64.b64encode(sshsig.unarmor(message.sig)).decode()
    rewrapped = f"  {sshsig.BEGIN}\r\n{inner[:33]}\r\n  {inner[33:]}\r\n{sshsig.END}"
    assert sshsig.tidy(rewrapped) == message.sig
    assert code(table, Message.of(message.body, rewrapped)) == "OK"


@pytest.mark.parametrize("name", ["retract", "amend", "orders2"])
def test_unknown_fields(table: Table, name: str) -> None:
    """29."""
    verdict = table.receive(table.changed(**{name: "1"}))
    assert verdict.code == "E_FIELD" and name in verdict.text


@pytest.mark.parametrize(
    "name", ["game", "seq", "prev", "side", "rules", "link", "reveal", "state", "entropy", "orders", "pbem"]
)
def test_missing_and_malformed_fields(table: Table, name: str) -> None:
    """67."""
    values: list[Any] = [None, "", "x" * 64, "07", "-1", "1.5", "1" * 10, ["1"], {"a": "1"}, "A" * 64, "0", "²"]
    for value in values:
        expected = {"pbem": "E_VERSION"}.get(name, "E_AUTHOR" if name == "side" and value == "x" * 64 else "E_FIELD")
        assert code(table, table.changed(**{name: value})) == expected


@pytest.mark.parametrize(
    "orders", ["x", {"type": "x"}, ["x"], [{"hex": "1"}], [{"type": ["x"]}], [{"type": "A b"}], [[]]]
)
def test_malformed_orders(table: Table, orders: Tree) -> None:
    """67."""
    verdict = table.receive(table.changed(orders=orders))
    assert verdict.code == "E_FIELD" and "order" in verdict.text


def test_numbers_have_no_canonical_form(table: Table) -> None:
    """67: a number in the body."""
    bad: Any
    for bad in (1, 1.5, True, None, b"x"):
        with pytest.raises(ProtocolError, match="E_CANON"):
            Message.of({**table.body(), "note": bad}, "")


def test_odd_but_well_formed_orders_are_void(table: Table) -> None:
    """67."""
    odd: list[Tree] = [{"type": "dance"}, {"type": "attack", "hex": ["1", {"a": {}}]}, {"type": "attack", "x": "{}"}]
    assert code(table, table.next(odd)) == "OK"
    table.play([])
    assert table.verifier.last is not None
    assert [event["kind"] for event in table.verifier.last.resolution.events] == ["void"] * 3


def test_orders_before_message_3_are_void() -> None:
    """47, as the toy's rules have it."""
    table = Table()
    table.play(attack("1203"), attack("1203"), [])
    assert table.verifier.last is not None and table.verifier.last.resolution.events == []


def test_genesis_differs_from_the_offer() -> None:
    """49."""
    offer = make_offer(TERMS, secret_of("alice").player("alice", A))
    honest = complete_offer(offer, secret_of("bob").player("bob", B))
    same_offer(offer, honest)
    players: Any = honest["players"]
    forged = {**players, "a": {**players["a"], "links": "65"}}
    for changed in ({"title": "other"}, {"dice": "local"}, {"first": B}, {"players": forged}, {"extra": "x"}):
        with pytest.raises(ProtocolError, match="E_GAME"):
            same_offer(offer, {**honest, **changed})


def test_resigning_after_an_answer_is_a_fork(table: Table) -> None:
    """50."""
    first = table.next(attack("1203"))
    second = table.next(attack("1204"), replaces=(first.id, "E_STATE"))
    assert code(table, first) == "OK"
    table.play([])
    assert code(table, second) == "E_FORK" and table.verifier.proves_fork(first, second)


def test_honest_resigning_after_a_true_reject(table: Table) -> None:
    """51: accepted, counted, no fork; the first is still rejected when it comes again."""
    false = table.changed(attack("1203"), state=known("other").hex())
    assert code(table, false) == "E_STATE"
    second = table.next(attack("1203"), replaces=(false.id, "E_STATE"))
    assert code(table, second) == "OK" and table.verifier.replaced == 1
    assert not table.verifier.proves_fork(false, second) and not table.verifier.proves_fork(second, false)
    assert code(table, false) == "E_STATE" and table.verifier.forks == []
    table.play([], [])
    assert code(table, false) == "E_STATE"


def test_replaces_of_a_valid_body_shown_later(table: Table) -> None:
    """52."""
    hidden = table.next(attack("1203"))
    second = table.next(attack("1204"), replaces=(hidden.id, "E_STATE"))
    assert code(table, second) == "OK"
    table.play([])
    assert code(table, hidden) == "E_FORK" and table.verifier.proves_fork(second, hidden)


def test_replaces_for_a_transport_fault(table: Table) -> None:
    """53, and malformed ones."""
    other = known("other").hex()
    for bad in ((other, "E_SIG"), (other, "E_CANON"), (other, "E_FORK"), (other, "OK"), ("x", "E_STATE")):
        assert code(table, table.next(replaces=bad)) == "E_FIELD"
    assert code(table, table.next(replaces=(table.verifier.id(4), "E_STATE"))) == "E_FIELD"
    for tree in ("x", {"id": other}, {"id": other, "code": "E_STATE", "why": "x"}, ["x"]):
        assert code(table, table.changed(replaces=tree)) == "E_FIELD"


def test_log_line_not_canonical(table: Table) -> None:
    """58."""
    line = write_line(table.sent[0])
    assert read_line(line) == table.sent[0]
    for bad in (
        b" " + line,
        line.replace(b'"body"', b'"body" ', 1),
        line[:-2],
        b'{"sig":"x"}',
        b"[]",
        b'{"body":[],"sig":""}',
    ):
        with pytest.raises(ProtocolError, match="E_CANON"):
            read_line(bad)


def test_last_link_without_reanchor() -> None:
    """61: the message that opens link N must carry `reanchor`, which is not built."""
    table = Table(links=64)
    table.play(*[[] for _ in range(126)])
    assert table.verifier.next_link(A) == 64
    with pytest.raises(ProtocolError, match="used up"):
        table.next()
    body = {**table.verifier.body(125), "seq": "127", "link": "64", "prev": table.verifier.head_id}
    body["reveal"] = secret_of("alice").link(64).hex()
    assert code(table, sign_body(body, key_of("alice"))) == "E_REVEAL"


def test_rules_and_links_of_genesis() -> None:
    """69, 70."""
    changes: list[dict[str, Any]] = [
        {"version": "2"},
        {"pack": pack_digest({"edited": "x"})},
        {"switches": {}},
        {"system": "toys"},
    ]
    for change in changes:
        assert refused(changed_genesis(**change)) == "E_RULES"
    for links in ("1", "63", "65537", "999999999"):
        assert refused(changed_player("a", links=links)) == "E_KEY"
    for links in ("064", "x", "-64", ""):
        assert refused(changed_player("a", links=links)) == "E_FIELD"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"pbem": "2"}, "E_VERSION"),
        ({"type": "turn"}, "E_FIELD"),
        ({"dice": "dice server"}, "E_FIELD"),
        ({"first": "romans"}, "E_FIELD"),
        ({"title": ""}, "E_FIELD"),
        ({"system": "Toy"}, "E_FIELD"),
        ({"version": "02"}, "E_FIELD"),
        ({"rules": "x"}, "E_FIELD"),
        ({"switches": "none"}, "E_FIELD"),
        ({"players": ["a", "b"]}, "E_FIELD"),
        ({"players": {"a": {}, "b": {}}}, "E_FIELD"),
        ({"players": {"a": {}}}, "E_FIELD"),
        ({"extra": "x"}, "E_FIELD"),
        ({"title": 5}, "E_CANON"),
    ],
)
def test_malformed_genesis(change: dict[str, Any], expected: str) -> None:
    assert refused(changed_genesis(**change)) == expected


def test_genesis_with_decks_in_a_game_without() -> None:
    """32 for genesis: decks no rule asks for; and malformed ones."""
    game: Any = vectors()["game"]
    message = read_line(canon({"body": json.loads(game["genesis"]), "sig": game["genesis_sig"]}))
    check_genesis(message.body)
    with pytest.raises(ProtocolError, match=r"E_DECK.*no decks"):
        Verifier(message, ToyGame())
    for decks in ("x", ["x"], [{"deck": "axis-ops", "epoch": "2", "n": "8", "root": "0" * 64}]):
        assert refused(changed_player("a", decks=decks)) == "E_FIELD"


def test_genesis_must_be_signed_by_b() -> None:
    genesis = toy_genesis()
    for sig in (sshsig.sign(genesis.canonical, key_of("alice")), "", toy_genesis(65).sig):
        with pytest.raises(ProtocolError, match="E_SIG"):
            Verifier(Message.of(genesis.body, sig), ToyGame())


def test_turn_file_frames(table: Table) -> None:
    message = table.next(attack("1203"))
    assert read_turn(write_turn(message)) == message
    text = write_turn(message).decode()
    for bad in (
        "orders: []\n",
        text + "extra: x\n",
        text.split("sig:")[0],
        "sig: x\n",
        "body: x\nsig: y\n",
        "body: {}\nsig: []\n",
    ):
        with pytest.raises(ReadError) as caught:
            read_turn(bad.encode())
        assert caught.value.code == "E_CANON"


def test_every_code_has_a_text_and_a_way_out() -> None:
    for name, (kind, meaning, way_out) in CODES.items():
        assert meaning and (way_out or kind is Kind.ACCEPTED), name


def test_key_files_of_strangers_do_not_sign(table: Table) -> None:
    stranger = SigningKey.generate()
    assert code(table, sign_body(table.body(), stranger)) == "E_SIG"
