"""Sealed standing orders and the other fields of the protocol, between two folders and in random games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.queries import ODDS
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.due import due
from adjudicator.match.folder import FolderError
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.match.plan import quietly, scene_of
from adjudicator.match.proof import Proof, Proved
from adjudicator.match.recovery import recover
from adjudicator.protocol.compose import Extras, compose_body, compose_lost, sign_body
from adjudicator.protocol.log import read_line, read_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.secret import Secret
from adjudicator.report.chapter import Events
from tests.docs.pages import ROOT
from tests.match.conftest import entropy
from tests.shifting_sands.rounds import ALLIED, AXIS, HIGHEST, SYSTEM, example, own_highest

SIDES = (AXIS, ALLIED)
SEALED = b"orders:\n  - {type: standing, topic: cards, rules: none, sealed: yes}\n"
OPEN = b"orders:\n  - {type: standing, topic: cards, rules: none}\n"


def begin(root: Path, system: str = SYSTEM, scenario: str = "campaign") -> Path:
    """A game between two folders, before message 1."""
    alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
    bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
    offer = make_game(root / AXIS, system, scenario, alice, "Sealed")
    genesis = accept_offer(root / ALLIED, offer.read_bytes(), bob)
    receive_genesis(root / AXIS, read_turn(genesis.read_bytes()))
    return root


def take(root: Path, side: str, message: Message) -> Message:
    """Let a folder take a message in."""
    received = Match.load(root / side).receive(message)
    assert received.verdict.ok, received.verdict.show()
    return message


def send(root: Path, text: bytes = b"", **fields: Any) -> Message:
    """The next message: a turn file, a bare one, or one with fields of the protocol; both folders have it then."""
    side = SIDES[(Match.load(root / AXIS).verifier.head) % 2]
    match = Match.load(root / side)
    other = SIDES[1 - SIDES.index(side)]
    if not fields:
        result = match.check(read_draft(text) if text else Draft())
        assert result.legal, result.problems
        return take(root, other, match.sign(result, entropy=entropy(f"{side} {match.verifier.next_seq}")))
    extras = Extras(own=match.own_books(), **fields)
    body = compose_body(match.verifier, side, match.secret(), [], bytes(32), extras=extras)
    message = take(root, side, sign_body(body, match.key()))
    return take(root, other, message)


def attack(root: Path) -> bytes:
    """The first round of the bundled example, in which the Axis side attacks."""
    match = Match.load(root / AXIS)
    match.look()
    assert match.verifier.last is not None
    state = match.table.restore(match.verifier.last.resolution.position)
    return example("01-axis-round").replace(HIGHEST, own_highest(match, state)).encode()


def proved(root: Path) -> None:
    """Both logs are the same and hold from nothing."""
    logs = [(root / side / "log.jsonl").read_bytes() for side in SIDES]
    assert logs[0] == logs[1]
    steps = list(Proof(logs[0]).steps())
    assert all(isinstance(step, Proved) for step in steps), steps[-1]


def kinds(root: Path, seq: int) -> list[str]:
    """What happened on the seed of a message."""
    return [str(event["kind"]) for event in Match.load(root / AXIS).events(seq) or ()]


def test_a_sealed_order_settles_what_an_open_one_does(tmp_path: Path) -> None:
    """No stop for the defender's cards: the combat is fought on the attacker's dice, and the next message opens it."""
    root = begin(tmp_path)
    send(root)
    message = send(root, SEALED)
    assert message.body["orders"] == [] and list(message.body["sealed"]) == ["sheet"]
    assert b"cards" not in message.canonical, "nothing of it can be read"
    send(root, attack(root))
    answer = send(root)
    opened: Any = answer.body["open"]
    assert [(row["topic"], row.get("rules")) for row in opened if row["topic"] == "cards"] == [("cards", "none")]
    assert {"designate", "fire", "winner"} <= set(kinds(root, 3))
    proved(root)
    position: Any = Match.load(root / AXIS).verifier.last
    books = position.resolution.position["books"]
    assert [row["book"] for row in books] == ["sheet"] and books[0]["opened"]


def test_what_was_sealed_before_stays_in_a_new_book(tmp_path: Path) -> None:
    root = begin(tmp_path)
    send(root)
    send(root, SEALED)
    send(root)
    send(root, SEALED.replace(b"cards", b"flip"))
    own = list(Match.load(root / ALLIED).own_books())
    assert [dict(book.rules) for book in own] == [{"cards": "none"}, {"cards": "none", "flip": "none"}]


def test_the_newer_of_an_open_and_a_sealed_order_holds(tmp_path: Path) -> None:
    """Here the open one is newer: nothing is demanded."""
    root = begin(tmp_path)
    send(root)
    send(root, SEALED)
    send(root)
    send(root, OPEN)
    send(root, attack(root))
    answer = send(root)
    opened: Any = answer.body.get("open", [])
    assert "cards" not in [row["topic"] for row in opened]
    assert "fire" in kinds(root, 5)
    proved(root)


def test_an_open_order_is_not_undone_by_sealing_another_topic(tmp_path: Path) -> None:
    """What was sealed before the open order is older than it, so it does not go into the new book (docs)."""
    root = begin(tmp_path)
    flip = SEALED.replace(b"cards", b"flip")
    hold = b"orders:\n  - {type: standing, topic: hold, rules: never, sealed: yes}\n"
    texts = (b"", SEALED + hold.removeprefix(b"orders:\n"), b"", OPEN.replace(b"none", b"ask"), b"", flip)
    for text in texts:
        send(root, text)
    own = list(Match.load(root / ALLIED).own_books())
    cards, held, flips = ({"cards": "none"}, {"hold": "never"}, {"flip": "none"})
    assert [dict(book.rules) for book in own] == [cards | held, held | flips]
    send(root, attack(root))
    send(root)
    assert "designate" in kinds(root, 7) and "fire" not in kinds(root, 7), "the open order stops for cards"
    send(root)
    send(root, SEALED)
    proved(root)
    last = list(Match.load(root / ALLIED).own_books())[-1]
    assert (last.seq, dict(last.rules)) == (10, cards | held | flips), "sealed anew it is the newer one"
    written = [(str(number), text) for number, text in enumerate((SEALED, flip, texts[1]))]
    (root / ALLIED / "private" / "books.json").unlink()
    assert recover(Match.load(root / ALLIED), written).found == [2, 6, 10]


IDLE = b"orders:\n  - {type: section, name: round}\n  - {type: end_round}\n"
HELD = """orders:
  - {type: standing, topic: cards, rules: none, sealed: yes}
  - {type: standing, topic: losses, rules: auto, sealed: yes}
  - {type: standing, topic: hold, rules: always, sealed: yes}
"""


def test_odds_of_an_own_attack_leave_own_sealed_orders_out(tmp_path: Path) -> None:
    """They are never read on the dice of one's own messages (PROTOCOL 5), and so not counted with."""
    root = begin(tmp_path)
    send(root)
    send(root, HELD.encode())
    send(root, IDLE)
    match = quietly(root / ALLIED)
    planned = scene_of(match, match.table.queries(), ODDS, ALLIED)
    assert planned.scene is not None
    books = planned.scene.books
    assert books.read(5, ALLIED, "hold", 0) == (2, "always", "")
    assert books.read(4, ALLIED, "hold", 0) is None and books.read(5, ALLIED, "flip", 0) is None
    assert books.read(5, AXIS, "hold", 0) is None and books.read(5, ALLIED, "hold", 3) is None


def test_lost_contents_are_named(tmp_path: Path) -> None:
    """Without private/books.json the demanded topic can't be opened; nothing is signed, and the file is named."""
    root = begin(tmp_path)
    send(root)
    send(root, SEALED)
    message = send(root, attack(root))
    assert message.body["seq"] == "3"
    kept = (root / ALLIED / "private" / "books.json").read_bytes()
    (root / ALLIED / "private" / "books.json").unlink()
    (root / ALLIED / "private" / "verified.json").unlink()
    with pytest.raises(FolderError, match=r"books\.json.*cards"):
        Match.load(root / ALLIED).check(Draft())
    (root / ALLIED / "private" / "books.json").write_bytes(b"{")
    with pytest.raises(FolderError, match=r"books\.json.*damaged"):
        Match.load(root / ALLIED).check(Draft())
    (root / ALLIED / "private" / "books.json").write_bytes(kept)
    send(root)
    proved(root)


def test_events_can_be_worked_out_again(tmp_path: Path) -> None:
    """The report needs no stored events: the openings stand in the log."""
    root = begin(tmp_path)
    for text in (b"", SEALED):
        send(root, text)
    send(root, attack(root))
    send(root)
    match = Match.load(root / ALLIED)
    match.look_or_halt()
    stored = [match.events(seq) for seq in range(4)]
    for seq in range(4):
        match.folder.events(seq).unlink()
    again = Events(match)
    assert [[event.tree() for event in again.of(seq)] for seq in range(4)] == stored


def test_resignation_and_final_openings(tmp_path: Path) -> None:
    root = begin(tmp_path)
    send(root)
    send(root, SEALED)
    send(root, end="resign")
    for _ in range(2):
        final: Any = send(root).body["final"]
    assert final["books"] == []
    log = [read_line(line).body for line in (root / AXIS / "log.jsonl").read_bytes().splitlines()]
    first: Any = log[4]["final"]
    assert [row["topics"] for row in first["books"]] == [[{"topic": "cards", "rules": "none"}]]
    for side in SIDES:
        match = Match.load(root / side)
        assert match.verifier.closed and "over" in due(match).text
    proved(root)


def test_orders_of_a_resignation_are_void(tmp_path: Path) -> None:
    root = begin(tmp_path)
    send(root)
    send(root)
    match = Match.load(root / AXIS)
    orders: list[Any] = [{"type": "section", "name": "round"}, {"type": "end_round"}]
    body = compose_body(match.verifier, AXIS, match.secret(), orders, bytes(32), extras=Extras(end="resign"))
    message = take(root, AXIS, sign_body(body, match.key()))
    take(root, ALLIED, message)
    send(root)
    assert kinds(root, 3) == ["void", "void"]
    proved(root)


def test_a_lost_chain_is_allowed_and_play_goes_on(tmp_path: Path) -> None:
    """The orders of the message whose dice can't be opened are said anew (PROTOCOL 7); in a game without decks, since
    a hand is lost with its secret."""
    root = begin(tmp_path, "western-desert", "compass")
    for _ in range(3):
        send(root)
    turn = (ROOT / "turnfiles" / "western-desert" / "compass-demo" / "1-movement.yaml").read_bytes()
    orders: Any = send(root, turn).body["orders"]
    match = Match.load(root / AXIS)
    match.folder.cache.unlink()
    anew = Secret.fresh(match.key().public, 64, entropy("new chain"))
    (root / AXIS / "private" / "secret.yaml").unlink()
    match = Match.load(root / AXIS)
    lost = sign_body(compose_lost(match.verifier, AXIS, anew, bytes(32)).body, match.key())
    for side in SIDES:
        take(root, side, lost)
    match = Match.load(root / ALLIED)
    extras = Extras(allow_lost=True)
    body = compose_body(match.verifier, ALLIED, match.secret(), orders, bytes(32), extras=extras)
    message = sign_body(body, match.key())
    for side in SIDES:
        take(root, side, message)
    match = Match.load(root / AXIS)
    anew.save(match.folder.secret)
    send(root)
    assert kinds(root, 4) == [] and kinds(root, 6).count("move") >= 4
    proved(root)


def test_the_last_link_of_a_chain_brings_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of 4,096 links outlasts any game; were it used up, the message would name the next one by itself."""
    root = begin(tmp_path)
    match = Match.load(root / AXIS)
    body: Any = match.sign(match.check(Draft()), entropy=entropy("first")).body
    assert "reanchor" not in body
    take(root, ALLIED, match.message(1))
    send(root)
    match = Match.load(root / AXIS)
    match.look()
    short = match.verifier.chain(AXIS)._replace(links=2)
    assert match.verifier.next_link(AXIS) == 2
    monkeypatch.setattr(match.verifier, "chain", lambda _side: short)
    found = match._new_chain(entropy("second"))
    assert found is not None and len(found[0]) == 16 and found[1] == 2
