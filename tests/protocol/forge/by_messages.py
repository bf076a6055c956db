"""Attacks on signature, order, chain, state, and on the one body per seq (rows 1 to 18, 27 to 34, 43 to 58)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.protocol import sshsig
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.edwards import ORDER
from adjudicator.protocol.genesis import complete_offer, make_offer
from adjudicator.protocol.keys import public_line
from adjudicator.protocol.log import write_offer
from adjudicator.protocol.message import Message
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.forge.case import Case
from tests.protocol.toy_game import TERMS, A, B, key_of, known, secret_of, vectors
from tests.protocol.twelve import answer, attack, played

ONE: list[Any] = [attack("1203", "axis-u1")]
TWO: list[Any] = [attack("1304", "axis-u1")]


def message_cases() -> Iterator[Case]:
    """Rows 1 to 18, 27, 29, 30, 33 to 34, 43 to 58."""
    yield from _signatures()
    yield from _order()
    yield from _chain_and_state()
    yield from _engine()
    yield from _keys()
    yield from _stops()
    yield from _offers()
    yield from _second_bodies()


def _signatures() -> Iterator[Case]:
    table = played(2)
    good = table.next(ONE)
    yield Case.at("01", "orders-changed-after-signing", table).add(
        "E_SIG", Message.of({**good.body, "orders": TWO}, good.sig)
    )
    flipped = good.sig.replace("AAAA", "AAAB", 1)
    tail = good.sig.split("\n")
    tail[3] = tail[3][:-1] + ("A" if tail[3][-1] != "A" else "B")
    case = Case.at("02", "one-character-of-the-signature", table)
    yield case.add("E_SIG", Message.of(good.body, flipped)).add("E_SIG", Message.of(good.body, "\n".join(tail)))
    yield Case.at("03", "opponent-signs-in-my-name", table).add("E_SIG", table.sign(table.body(ONE), key_of("bob")))
    blob = sshsig.unarmor(good.sig)
    twin = blob[:-32] + (int.from_bytes(blob[-32:], "little") + ORDER).to_bytes(32, "little")
    yield Case.at("27", "s-plus-l", table).add("E_SIG", Message.of(good.body, sshsig.armor(twin)))
    foreign = sshsig.armor(blob.replace(b"pbem1", b"pbem2", 1))
    yield Case.at("30", "foreign-namespace", table).add("E_SIG", Message.of(good.body, foreign))
    case = Case.at("29", "unknown-field", table)
    for name in ("retract", "amend", "wishes"):
        case.add("E_FIELD", table.changed(ONE, change={name: "1"}), name)
    yield case


def _order() -> Iterator[Case]:
    table = played(2)
    one, two = table.next(ONE), table.next(TWO)
    case = Case.at("04", "second-body-for-a-played-seq", table).add("OK", one, "first").add("E_FORK", two, "second")
    case.proof = ("1-first.turn", "2-second.turn", "yes")
    yield case.expect(forks="1", head="3")
    yield Case.at("05", "the-same-file-again", table).add("OK", one).add("DUPLICATE", one)
    case = Case.at("06", "prev-of-another-history", table)
    yield case.add("E_PREV", table.changed(ONE, change={"prev": table.verifier.id(1)}))
    other = CardTable(links=64)
    other.play()
    other.play()
    yield Case.at("07", "replay-into-another-game", table).add("E_GAME", other.next(ONE))
    later = played(3)
    four = later.next([answer("react/1203", "no"), answer("react/1304", "no")])
    case = Case.at("08", "a-message-overtakes-another", table)
    yield case.add("E_GAP", four).add("OK", later.sent[2]).expect(head="4")
    twice = {**later.body(), "side": A}
    yield Case.at("09", "same-side-twice", later).add("E_AUTHOR", sign_body(twice, key_of("alice")))


def _chain_and_state() -> Iterator[Case]:
    table, secret = played(2), secret_of("alice", 256)
    for rows, name, number, link in (
        ("10", "link-not-on-the-chain", "2", known("nothing").hex()),
        ("11", "link-skipped", "3", secret.link(3).hex()),
        ("12", "link-of-before", "2", secret.link(1).hex()),
    ):
        message = table.changed(ONE, change={"link": number, "reveal": link})
        yield Case.at(rows, name, table).add("E_REVEAL", message)
    wrong = known("other").hex()
    case = Case.at("13", "other-dice-or-state", table)
    yield case.add("E_STATE", table.changed(ONE, change={"state": wrong}))
    yield Case.at("14", "other-rules-hash", table).add("E_RULES", table.changed(ONE, change={"rules": wrong}))


def _engine() -> Iterator[Case]:
    table = played(5)
    case = Case.at("15", "one-attack-listed-twice", table)
    table.play([attack("1500", "allies-u1"), attack("1500", "allies-u1")])
    case.add("OK", table.sent[-1]).add("OK", table.next())
    yield case.expect(kinds="react combat void draw")
    for rows, fault, code in (
        ("16", "label-twice", "E_LABEL"),
        ("32", "bad-label", "E_LABEL"),
        ("46", "future", "HALT"),
        ("78", "early-draw", "HALT"),
        ("78", "draw-by-hand", "HALT"),
        ("28", "swallow", "E_SEAL"),
    ):
        table = played(2, faults=frozenset({fault}))
        bad = table.play([{"type": fault}])
        body = {**table.verifier.body(2), "seq": "4", "prev": bad.id, "state": known("resolved").hex(), "link": "2"}
        body = {**body, "reveal": secret_of("bob", 256).link(2).hex(), "entropy": known("more").hex()}
        del body["sealed"]
        case = Case.at(rows, f"engine-{fault}", played(2, faults=frozenset({fault})), f"faults {fault}")
        yield case.add("OK", bad).add(code, table.sign(body)).expect(head="3", resolved="2")


def _keys() -> Iterator[Case]:
    v = vectors()

    def genesis(**change: str) -> Message:
        body: Any = card_genesis().body
        b = {**body["players"]["b"], **change}
        return sign_body({**body, "players": {**body["players"], "b": b}}, key_of("bob"))

    case = Case("17", "keys-that-must-not-serve")
    for raw in [*v["small_order_keys"], v["bad_keys"][0][0], v["bad_keys"][1][0]]:
        case.add("E_KEY", genesis(key=public_line(bytes.fromhex(raw))))
    yield case
    players: Any = card_genesis().body["players"]
    case = Case("18", "anchor-or-cid-copied")
    for name in ("anchor", "cid", "key"):
        case.add("E_KEY", genesis(**{name: players["a"][name]}), name)
    yield case


def _stops() -> Iterator[Case]:
    table = played(3)
    case = Case.at("33", "silence-is-the-default", table)
    table.play()
    case.add("OK", table.sent[-1]).add("OK", table.next())
    yield case.expect(kinds="react combat", waits="react/1304")
    table = played(3)
    case = Case.at("34", "answer-equal-to-the-default", table)
    table.play([answer("react/1203", "no")])
    case.add("OK", table.sent[-1]).add("OK", table.next())
    yield case.expect(kinds="react combat", waits="loss/1203/allies")
    table = played(3)
    case = Case.at("43", "followup-over-a-bound-attack", table)
    table.play([attack("1203", "axis-u2"), answer("react/1203", "no"), answer("react/1304", "no")])
    case.add("OK", table.sent[-1])
    table.play([attack("9999", "axis-u1")])
    case.add("OK", table.sent[-1]).add("OK", table.next())
    yield case.expect(head="6")
    table = played(3)
    table.play()
    case = Case.at("44", "answer-of-the-side-not-asked", table)
    case.add("OK", table.play([answer("react/1304", "yes"), attack("1", "axis-u1")])).add("OK", table.next())
    yield case.expect(kinds="void void", waits="react/1304")
    table = CardTable()
    case = Case.at("47", "orders-in-messages-1-and-2", table)
    case.add("OK", table.play(ONE)).add("OK", table.play([{"type": "take", "card": "1.1"}])).add("OK", table.next())
    yield case.expect(kinds="void draw draw draw", waits="turn/1")
    yield _small_hand()


def _small_hand() -> Case:
    """The defender has thrown his hand away: the stop is raised all the same."""
    table = played(2)
    table.play([])
    table.play([{"type": "discard", "cards": ["1.0", "1.4", "1.5"]}])
    case = Case.at("45", "stop-with-a-small-hand", table)
    return case.add("OK", table.play(ONE)).add("OK", table.next()).expect(waits="react/1203")


def _offers() -> Iterator[Case]:
    offer = make_offer(TERMS, secret_of("alice").player("alice", A))
    first = sign_body(complete_offer(offer, secret_of("bob").player("bob", B)), key_of("bob"))
    other = complete_offer(offer, secret_of("bob", 65).player("bob", B))
    case = Case("48", "second-genesis-on-one-offer", "plain", [first])
    yield case.add("E_GAME", sign_body(other, key_of("bob"))).add("DUPLICATE", first)
    case = Case("49", "genesis-that-differs-from-the-offer", "plain", offer=write_offer(offer))
    changed = sign_body({**first.body, "title": "Another"}, key_of("bob"))
    yield case.add("OK", first).add("E_GAME", changed)


def _second_bodies() -> Iterator[Case]:
    table = played(2)
    first = table.next(ONE)
    second = table.next(TWO, replaces=(first.id, "E_STATE"))
    false = table.changed(ONE, change={"state": known("other").hex()})
    case = Case.at("50", "re-signed-after-an-answer", table).add("OK", table.play(ONE), "first")
    table.play([answer("react/1203", "no"), answer("react/1304", "no")])
    case.add("OK", table.sent[-1], "answer").add("E_FORK", second, "again")
    case.proof = ("1-first.turn", "3-again.turn", "yes")
    yield case
    table = played(2)
    case = Case.at("51", "honest-re-sign-after-a-true-reject", table).add("E_STATE", false, "rejected")
    mended = table.next(ONE, replaces=(false.id, "E_STATE"))
    case.add("OK", mended, "mended").add("E_STATE", false).expect(replaced="1", forks="0")
    case.proof = ("1-rejected.turn", "2-mended.turn", "no")
    yield case
    case = Case.at("52", "replaces-of-a-valid-body", table).add("OK", second, "shown").add("E_FORK", first, "hidden")
    case.proof = ("1-shown.turn", "2-hidden.turn", "yes")
    yield case
    case = Case.at("53", "replaces-for-a-transport-fault", table)
    for code in ("E_SIG", "E_CANON", "E_FORK"):
        case.add("E_FIELD", table.next(ONE, replaces=(first.id, code)), code.lower())
    yield case
    case = Case.at("56", "two-programs-one-journal", table).add("OK", table.next(ONE, note="from the desk"))
    yield case.add("E_FORK", table.next(ONE, note="from the laptop"))
    yield Case.at("57", "decks-of-like-name-on-both-sides", CardTable()).add("OK", played(2).sent[0]).add(
        "OK", played(2).sent[1]
    ).add("OK", played(3).sent[2]).expect(kinds="draw draw draw", head="3")
