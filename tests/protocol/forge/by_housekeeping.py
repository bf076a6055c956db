"""Attacks on keys, chains, rules, loss and restoring (rows 54, 55, 59 to 66)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.protocol import sshsig
from adjudicator.protocol.compose import compose_lost, head_statement, sign_body
from adjudicator.protocol.keys import public_line
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.tokens import head_digest, rekey_digest
from tests.protocol.card_table import CardTable
from tests.protocol.forge.case import Case
from tests.protocol.toy_game import A, B, Table, key_of, known, secret_of, vectors
from tests.protocol.twelve import answer, attack, played

ONE: list[Any] = [attack("1203", "axis-u1")]
REPLY = [answer("react/1203", "no"), answer("react/1304", "no")]


def house_cases() -> Iterator[Case]:
    """Rows 54, 55, 59 to 66."""
    yield from _restored()
    yield from _upgrades()
    yield from _chains()
    yield from _lost()
    yield _rekey()


def _restored() -> Iterator[Case]:
    table = played(3)
    before = table.next(REPLY, note="signed before the disk failed")
    seq, sig = head_statement(table.verifier, key_of("alice"))
    new = table.next(REPLY, restored=(seq, sig))
    case = Case.at("54", "truncated-import-with-head-statement", table)
    case.add("OK", new, "restored").add("DUPLICATE", before, "before").expect(restored="1", forks="0", head="4")
    case.proof = ("1-restored.turn", "2-before.turn", "no")
    yield case
    case = Case.at("55", "forged-head-statement", table)
    game = bytes.fromhex(table.verifier.game_id)
    own = sshsig.sign(head_digest(game, 3, bytes.fromhex(table.verifier.head_id)), key_of("bob"))
    case.add("E_HEAD", table.next(REPLY, restored=(3, own)), "by-himself")
    case.add("E_HEAD", table.next(REPLY, restored=(2, sig)), "of-another-head")
    old = sshsig.sign(head_digest(game, 1, bytes.fromhex(table.verifier.id(1))), key_of("alice"))
    case.add("E_HEAD", table.next(REPLY, restored=(1, old)), "of-long-ago")
    yield case.add("E_HEAD", table.next(REPLY, restored=(3, "x")), "no-signature")


def _upgrades() -> Iterator[Case]:
    table, new = played(2), known("new rules").hex()
    case = Case.at("59", "upgrade-reaching-back", table)
    for first in (1, 3, 4):
        case.add("E_RULES", table.next(ONE, upgrade=(new, first)), f"from-{first}")
    yield case
    case = Case.at("60", "upgrade-from-n-plus-2", table).add("OK", table.play([], upgrade=(new, 5)), "offered")
    case.add("E_RULES", table.changed(change={"rules": new}), "too-early")
    case.add("OK", table.play([], upgrade=(new, 5)), "accepted")
    case.add("E_RULES", table.changed(change={"rules": table.verifier.genesis.body["rules"]}), "old-rules")
    yield case.add("OK", table.next(), "new-rules").expect(head="5")
    table = played(2)
    case = Case.at("60", "upgrade-that-lapses", table).add("OK", table.play([], upgrade=(new, 5)), "offered")
    case.add("OK", table.play([]), "not-accepted")
    case.add("OK", table.play([], upgrade=(new, 7)), "offered-again")
    case.add("E_RULES", table.changed(change={"rules": new}), "not-in-force")
    yield case.add("OK", table.next(), "old-rules").expect(head="6")


def _chains() -> Iterator[Case]:
    table = Table(links=64)
    table.play(*[[] for _ in range(126)])
    body = {**table.verifier.body(125), "seq": "127", "link": "64", "prev": table.verifier.head_id}
    link = secret_of("alice").link(64)
    body = {**body, "reveal": link.hex(), "state": table.verifier.open_head(link).digest}
    cid = known("second chain")[:16]
    chain = Secret(known("alice game secret"), cid, 64, bytes(32), "")
    case = Case.at("61", "last-link-without-reanchor", table, "plain")
    case.add("E_REVEAL", sign_body(body, key_of("alice")), "without")
    reanchor: Any = {"cid": cid.hex(), "anchor": chain.anchor, "links": "64"}
    yield case.add("OK", sign_body({**body, "reanchor": reanchor}, key_of("alice")), "with").expect(head="127")
    cards = played(2)
    case = Case.at("62", "chain-used-before", cards)
    for name, side in (("own", A), ("of-the-other-side", B)):
        case.add("E_KEY", cards.next(ONE, reanchor=(cards.verifier.player(side).cid, 64)), name)
    fresh: Any = cards.body(ONE, reanchor=(cid, 64))
    anchor = cards.verifier.player(B).anchor.hex()
    for name, change in (("anchor", {"anchor": anchor}), ("short", {"links": "63"}), ("long", {"links": "65537"})):
        case.add("E_KEY", cards.sign({**fresh, "reanchor": {**fresh["reanchor"], **change}}), name)
    case.add("OK", cards.play(ONE, reanchor=(cid, 64)), "new-chain").add("OK", cards.play(REPLY))
    old = cards.changed(change={"link": "3", "reveal": secret_of("alice", 256).link(3).hex()})
    case.add("E_REVEAL", old, "old-chain").add("OK", cards.play(), "link-1-of-the-new").add("OK", cards.play())
    yield case.add("E_KEY", cards.next(reanchor=(cid, 64)), "the-same-again").expect(head="6")


def fresh_secret(name: str) -> Secret:
    """The secret of a player who lost his first one."""
    return Secret(known(f"{name} new secret"), known(f"{name} new cid")[:16], 64, bytes(32), key_of(name).public)


def lost_table() -> CardTable:
    """A game without decks in which bob has lost his chain while he owes the opening of message 3."""
    table = CardTable(decks=False)
    table.play(books={"sheet": {"react": "no"}})
    table.play(books={"sheet": {"react": "yes"}})
    table.play(ONE)
    return table


def _lost() -> Iterator[Case]:
    table = lost_table()
    lost = sign_body(compose_lost(table.verifier, B, fresh_secret("bob"), known("entropy")).body, key_of("bob"))
    start = Case.at("63", "lost-ignored-then-allowed", table, "books").add("OK", lost, "lost")
    assert table.receive(lost).ok
    table.secrets[B] = fresh_secret("bob")
    start.add("E_END", table.next(ONE), "ignored")
    start.add("E_FIELD", table.changed(ONE, change={"allow_lost": known("x").hex()}), "wrong-id")
    claim = table.next(end="claim")
    start.add("OK", table.play(ONE, allow_lost=True), "allowed")
    start.add("E_REVEAL", table.changed(change={"reveal": secret_of("bob", 256).link(2).hex()}), "old-chain")
    start.add("OK", table.play(), "new-chain").add("OK", table.next())
    yield start.expect(head="7", waits="turn/2")
    case = Case.at("64", "lost-then-claimed", lost_table(), "books").add("OK", lost, "lost").add("OK", claim, "claim")
    after = {**table.verifier.body(6), "prev": claim.id}
    yield case.add("E_END", table.sign(after), "after").expect(closed="yes", head="5")
    yield _lost_twice(table, lost.body)
    honest = played(3)
    body: Any = {key: lost.body[key] for key in ("pbem", "side", "lost", "reanchor", "entropy")}
    body = {**body, "game": honest.verifier.game_id, "seq": "4", "prev": honest.verifier.head_id}
    body = {**body, "rules": honest.verifier.rules, "state": known("x").hex()}
    case = Case.at("65", "lost-in-a-game-with-decks", honest).add("E_FIELD", honest.sign(body))
    yield case.add("E_FIELD", honest.sign({**body, "orders": []}), "with-orders")


def _lost_twice(table: CardTable, first: Any) -> Case:
    case = Case.at("65", "lost-a-second-time", table, "books")
    case.add("OK", table.play())
    secret = Secret(known("third"), known("third cid")[:16], 64, bytes(32), "")
    anew: Any = {**first, "seq": "8", "prev": table.verifier.head_id, "state": known("x").hex()}
    reanchor: Any = {"cid": secret.cid.hex(), "anchor": secret.anchor, "links": "64"}
    assert table.side == B
    case.add("E_FIELD", table.sign({**anew, "reanchor": reanchor}))
    case.add("E_FIELD", table.changed(change={"allow_lost": table.verifier.head_id}), "nothing-to-allow")
    return case.add("E_FIELD", table.next(end="claim"), "nothing-to-claim")


def _rekey() -> Case:
    table = played(2)
    game, new = bytes.fromhex(table.verifier.game_id), key_of("alice new")
    case = Case.at("66", "change-of-key", table)
    body: Any = table.body(ONE, rekey=new)
    good = body["rekey"]

    def rekeyed(**change: str) -> Any:
        return table.sign({**body, "rekey": {**good, **change}})

    elsewhere = sshsig.sign(rekey_digest(game, 5, A, new.public), new)
    case.add("E_KEY", rekeyed(proof=elsewhere), "proof-for-another-message")
    case.add("E_KEY", rekeyed(proof=sshsig.sign(rekey_digest(game, 3, A, new.public), key_of("alice"))), "old-signs")
    bob = key_of("bob")
    proof = sshsig.sign(rekey_digest(game, 3, A, bob.public), bob)
    case.add("E_KEY", rekeyed(key=bob.public, proof=proof), "opponents")
    small = public_line(bytes.fromhex(vectors()["small_order_keys"][0]))
    case.add("E_KEY", rekeyed(key=small), "small-order")
    before = table.sent[0]
    case.add("OK", table.play(ONE, rekey=new), "rekey").add("OK", table.play(REPLY))
    table.keys[A] = new
    case.add("E_SIG", table.sign(table.body(), key_of("alice")), "old-key")
    case.add("OK", table.play(), "new-key").add("DUPLICATE", before, "of-before-again")
    table.play()
    case.add("OK", table.sent[-1])
    again: Any = table.body()
    line = key_of("alice").public
    proof = sshsig.sign(rekey_digest(game, 7, A, line), key_of("alice"))
    case.add("E_KEY", table.sign({**again, "rekey": {"key": line, "proof": proof}}), "back-to-the-old")
    return case.expect(head="6")
