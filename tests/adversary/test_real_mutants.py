"""Mutants of real messages of both games (PROTOCOL 15, row 89): turn files, armored files, log lines, signed trees.

None is accepted as another message, none raises anything but a rejection.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from adjudicator.match.incoming import IncomingError, message_in
from adjudicator.match.match import table_of
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.protocol.log import read_line, read_log, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.armor import armor
from adjudicator.turnfile.nodes import Tree
from tests.adversary.duel import Duel
from tests.adversary.scenes import ATTACK, COMBAT, MOVES, bare
from tests.docs.pages import ROOT
from tests.protocol.mutants import changed_bytes, changed_tree

LOGS = {path.parts[-3]: path for path in sorted(ROOT.glob("turnfiles/*/*/log.jsonl"))}
SCENARIOS = {"western-desert": "compass", "shifting-sands": "campaign"}
SECTIONS = {"western-desert": ("movement", "air", "combat"), "shifting-sands": ("round",)}
CAUGHT = {"unread", "E_SIG", "E_FIELD"}
FORMS = {"turn": CAUGHT, "wrapped": CAUGHT, "line": CAUGHT, "armored": {"unread", "OK"}, "mailed": {"unread", "OK"}}
"""What is changed, and what must be seen. A file is changed before it is ``wrapped`` in armor, too: else its sum lets
nothing through but what mailers do, and that is harmless."""


def count() -> int:
    """How many mutants of each form and game."""
    return 4_000 if settings().max_examples >= 12_000 else 200


def written(message: Message, form: str) -> bytes:
    """A message as it is mailed or kept."""
    if form == "line":
        return write_line(message)
    data = write_turn(message)
    if form in ("armored", "wrapped"):
        return armor(data).encode()
    if form == "mailed":
        quoted = armor(data).replace("\n", "\r\n> ")
        head = "Subject: my turn\r\nContent-Type: text/plain\r\n\r\nHello,\r\n\r\n> "
        return f"{head}{quoted}\r\n-- \r\nBob\r\n".encode()
    return data


def changed(message: Message, form: str, source: Random) -> bytes:
    """A mutant of it."""
    if form == "wrapped":
        return armor(changed_bytes(write_turn(message), source)).encode()
    return changed_bytes(written(message, form), source)


def code_of(verifier: Verifier, message: Message, data: bytes, form: str) -> str:
    """What becomes of a mutant; one that is accepted must be the message itself."""
    try:
        found = read_line(data) if form == "line" else message_in(data, "m.turn")
    except IncomingError:
        return "unread"
    except ProtocolError as error:
        assert error.code == "E_CANON"
        return "unread"
    verdict = verifier.check(found)
    assert not verdict.ok or found.canonical == message.canonical
    assert verdict.kind not in (Kind.HALT, Kind.PROOF), verdict.show()
    return verdict.code


@pytest.mark.parametrize("system", LOGS)
def test_mutants_of_the_example_games(system: str) -> None:
    genesis, *messages = read_log(Path(LOGS[system]).read_bytes())
    verifier, source = Verifier(genesis, MatchResolver.fresh(table_of(genesis))), Random(f"mutants/{system}")
    codes = {form: Counter[str]() for form in FORMS}
    for message in messages:
        for form in FORMS:
            assert code_of(verifier, message, written(message, form), form) == "OK"
            for _ in range(count() // len(messages)):
                codes[form][code_of(verifier, message, changed(message, form, source), form)] += 1
        assert verifier.receive(message).ok
    for form, wanted in FORMS.items():
        assert wanted <= set(codes[form]), codes
        assert form not in ("armored", "mailed") or wanted == set(codes[form]), codes
        assert codes[form]["OK"] < count() / 10, "hardly a change does no harm"


def at_table(system: str) -> Duel:
    """A real game with orders in it; the next message is due."""
    duel = Duel(system, SCENARIOS[system], "mutants")
    bare(duel, 4)
    duel.look()
    attack = [*MOVES, COMBAT, ATTACK]
    duel.send(attack if system == "western-desert" else [{"type": "section", "name": "round"}])
    bare(duel, 6)
    duel.look()
    return duel


@pytest.mark.parametrize("system", SCENARIOS)
def test_mutants_signed_by_their_author(system: str) -> None:
    duel, source = at_table(system), Random(f"signed/{system}")
    rows: list[dict[str, Tree]] = [{"type": "section", "name": name} for name in SECTIONS[system]]
    seat = duel.seat
    body = compose_body(seat.verifier, seat.side, seat.secret, rows, seat.entropy(32))
    judge = next(other for other in duel.seats if other is not seat).verifier
    honest, codes, accepted = sign_body(body, seat.key), Counter[str](), list[Message]()
    others: list[Tree] = [value for key, value in judge.body(judge.head).items() if key != "sig"]
    for _ in range(count()):
        try:
            mutant = sign_body(changed_tree(body, source, others), seat.key)
        except ProtocolError as error:
            assert error.code == "E_CANON"
            codes["E_CANON"] += 1
            continue
        verdict = judge.check(mutant)
        assert verdict.ok or verdict.kind is Kind.REJECT, verdict.show()
        assert judge.failed is None and judge.head == int(honest.text("seq")) - 1
        codes[verdict.code] += 1
        accepted += [mutant] if verdict.ok and mutant.id != honest.id else []
    assert {"OK", "E_FIELD", "E_REVEAL", "E_PREV", "E_RULES", "E_STATE"} <= set(codes), codes
    assert max(codes.values()) < 0.9 * codes.total(), codes
    for mutant in accepted[:2]:
        again = at_table(system)
        assert all(one.verifier.receive(mutant).ok for one in again.seats)
        again.look()
        again.send([])
