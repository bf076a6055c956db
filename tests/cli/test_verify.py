"""`verify`: every step told, any change found and named with message and code, from the log alone."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.match.proof import Failed, Proof, Proved
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_line
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="session")
def log(stages: dict[str, Path]) -> bytes:
    """The log of a game of eight messages."""
    return (stages["done"] / AXIS / "log.jsonl").read_bytes()


def end_of(data: bytes) -> Failed | Proved:
    """The last step of a proof."""
    *_, last = Proof(data).steps()
    return last


def broken(data: bytes) -> tuple[int | None, str]:
    """Where a log breaks, and with which code."""
    last = end_of(data)
    assert isinstance(last, Failed), last
    assert last.text
    return last.seq, last.code


# --- what holds -------------------------------------------------------------------------------------------------


def test_it_says_step_by_step_what_it_proved(stage: Stage) -> None:
    pair = stage("done")
    before = tree_of(pair.root)
    told = good("verify", pair.folder(AXIS)).out
    numbers = [int(found) for found in re.findall(r"^ {2,3}(\d+)\. ", told, re.MULTILINE)]
    assert numbers == list(range(1, 11))
    for said in (
        "1. The log is whole: 8 lines",
        "2. Genesis (message 0) of Compass: Alice (axis) against Bob (allied)",
        "8. Message 6, allied, 2 orders",
        "signed by allied's key; answers message 5",
        "link 4 lies on the chain that axis fixed in genesis",
        "it opens the dice of message 6: seed ",
        "1 roll, ",
        "all rules run again",
        "the state after message 6 is the one axis signed: ",
        "10. Head: message 7 (",
        "the game is unfinished",
        "every die follows from two commitments",
    ):
        assert said in told, said
    assert told.endswith("Everything holds.\n")
    assert tree_of(pair.root) == before
    assert len(good("verify", pair.folder(AXIS), "--brief").out.splitlines()) == 12


def test_a_bare_log_is_enough(log: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_words: object, **_more: object) -> None:
        raise AssertionError("verify must not use the network")

    monkeypatch.setattr(socket, "socket", closed)
    (tmp_path / "somewhere.jsonl").write_bytes(log)
    good("verify", tmp_path / "somewhere.jsonl")
    (tmp_path / "log.jsonl").write_bytes(log)
    tree = good("verify", tmp_path, "--json").json
    assert (tree["ok"], len(tree["steps"]), tree["failed"]) == (True, 10, None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "somewhere.jsonl"]


def test_what_is_no_log(tmp_path: Path) -> None:
    assert_clear(cli("verify", tmp_path / "gone"), "no log.jsonl", 2)
    assert_clear(cli("verify", tmp_path), "no log.jsonl", 2)
    for text, pattern in (("", "empty"), ("hello\n", "E_CANON"), ("{}", "torn"), ("{}\n\n", "empty")):
        (tmp_path / "log.jsonl").write_text(text, encoding="utf-8")
        assert_clear(cli("verify", tmp_path), pattern, 1)


# --- what does not ----------------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(data=st.data())
def test_one_character_changed_anywhere(log: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(log) - 1), "at")
    new = data.draw(st.sampled_from('0123456789abcdefz"{}:,\n \t').map(ord).filter(lambda c: c != log[at]), "new")
    seq, code = broken(log[:at] + bytes([new]) + log[at + 1 :])
    line = log[:at].count(b"\n")
    assert code in ("E_CANON", "E_SIG", "E_FIELD", "E_VERSION", "E_GAME", "E_AUTHOR", "E_RULES", "E_KEY"), (seq, code)
    assert seq in (line, line + 1, None), (seq, line, code)


def test_the_command_names_message_and_code(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(log.replace(b"19/0626", b"19/0625", 1))
    result = cli("verify", tmp_path)
    assert_clear(result, r"message 4: error\[E_SIG\]", 1)
    assert "proved up to step 5, then it breaks" in result.err
    tree = json.loads(cli("verify", tmp_path, "--json").out)
    assert (tree["ok"], tree["failed"]["seq"], tree["failed"]["code"], len(tree["steps"])) == (False, 4, "E_SIG", 5)


def test_lines_moved_lost_and_doubled(log: bytes) -> None:
    lines = log.splitlines(keepends=True)
    assert broken(b"".join([*lines[:4], *lines[5:]])) == (4, "E_GAP")
    assert broken(b"".join([*lines[:3], lines[4], lines[3], *lines[5:]])) == (3, "E_GAP")
    assert broken(b"".join([*lines, lines[-1]])) == (8, "DUPLICATE")
    assert broken(b"".join(lines[1:])) == (0, "E_FIELD")
    assert broken(log[:-1])[1] == "E_CANON"
    torn = end_of(log[:-1])
    assert isinstance(torn, Failed)
    assert "made again from private/journal.jsonl" in torn.show()
    assert broken(log + b"{}\n") == (8, "E_CANON")
    assert broken(log.replace(b"\n", b"\r\n", 1)) == (0, "E_CANON")


def resigned(pair: Pair, seq: int, change: Change) -> bytes:
    """The log up to a message that its author himself signed with something wrong in it."""
    side = AXIS if seq % 2 else ALLIED
    match = Match.load(pair.folder(side))
    body = json.loads(json.dumps(match.verifier.body(seq)))
    change(body)
    lines = match.folder.log.read_bytes().splitlines(keepends=True)
    return b"".join([*lines[:seq], write_line(sign_body(body, match.key()))])


def put(field: str, value: Any) -> Change:
    """Set one field."""
    return lambda body: body.update({field: value})


WRONG: dict[str, tuple[int, Change, str, str]] = {
    "a state that was not": (7, put("state", "0" * 64), "E_STATE", "its digest of message 6 is 000000000000, ours "),
    "another history": (5, put("prev", "1" * 64), "E_PREV", "it answers 111111111111, our message 4 is "),
    "other rules": (5, put("rules", "2" * 64), "E_RULES", "its rules are 222222222222, "),
    "a link that is not on the chain": (7, put("reveal", "3" * 64), "E_REVEAL", "does not lead to link 3 of axis"),
    "a link skipped": (7, put("link", "5"), "E_REVEAL", "it opens link 5, it must open link 4"),
    "another game": (7, put("game", "4" * 64), "E_GAME", "it belongs to game 444444444444, this is "),
    "an unknown field": (7, put("retract", "4"), "E_FIELD", "retract"),
    "no entropy": (7, put("entropy", "low"), "E_FIELD", "64 small hex digits"),
    "orders of no form": (6, put("orders", "all out attack"), "E_FIELD", "orders"),
    "another protocol": (7, put("pbem", "2"), "E_VERSION", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_player_signs_wrongly_himself(name: str, stage: Stage) -> None:
    seq, change, code, text = WRONG[name]
    last = end_of(resigned(stage("done"), seq, change))
    assert isinstance(last, Failed)
    assert (last.seq, last.code) == (seq, code), last
    assert text in last.text, last.text
    assert last.mend


def test_two_names_of_games_that_begin_alike_are_shown_whole(stage: Stage) -> None:
    def other_end(body: Any) -> None:
        body["game"] = body["game"][:63] + ("0" if body["game"][63] != "0" else "1")

    last = end_of(resigned(stage("done"), 5, other_end))
    assert isinstance(last, Failed)
    ids = re.search(r"belongs to game ([0-9a-f]{64}), this is ([0-9a-f]{64})", last.text)
    assert ids is not None and ids[1] != ids[2]


def test_orders_changed_and_signed_anew_do_not_fit_what_follows(stage: Stage) -> None:
    """Who signs his own old turn anew changes its id, and with it the seed and all that answers it."""
    pair = stage("done")

    def milder(body: dict[str, Any]) -> None:
        body["orders"] = body["orders"][:1]

    lines = Folder(pair.folder(AXIS)).log.read_bytes().splitlines(keepends=True)
    assert broken(resigned(pair, 6, milder) + b"".join(lines[7:])) == (7, "E_PREV")


def test_signed_by_somebody_else(stage: Stage) -> None:
    pair = stage("done")
    allied, axis = (Match.load(pair.folder(side)) for side in (ALLIED, AXIS))
    body = allied.verifier.body(6)
    lines = allied.folder.log.read_bytes().splitlines(keepends=True)
    data = b"".join([*lines[:6], write_line(sign_body(dict(body), axis.key())), *lines[7:]])
    last = end_of(data)
    assert isinstance(last, Failed)
    assert (last.seq, last.code) == (6, "E_SIG")
    assert "another key" in last.text


def test_other_data_than_the_players_had(log: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.match.games import pack_of

    other = replace(pack_of("western-desert"), data=b"{}")
    monkeypatch.setattr("adjudicator.match.match.pack_of", lambda *_edition: other)
    monkeypatch.setattr("adjudicator.protocol.rules.pack_digest", lambda _tree: "5" * 64)
    last = end_of(log)
    assert isinstance(last, Failed)
    assert last.code == "E_RULES"
    assert "555555555555" in last.text


def test_edited_rules_show_as_another_state(log: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.western_desert.odds import Odds

    monkeypatch.setattr(Odds, "result", lambda _self, _die: "AE")
    last = end_of(log)
    assert isinstance(last, Failed)
    assert (last.seq, last.code) == (7, "E_STATE")


def test_a_program_that_fails_halts_and_blames_no_message(log: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.western_desert.odds import Odds

    def fails(_self: Odds, _die: int) -> str:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Odds, "result", fails)
    last = end_of(log)
    assert isinstance(last, Failed)
    assert last.code == "HALT"
    assert "both install a repaired program" in last.mend


def test_a_halt_while_playing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.western_desert.odds import Odds

    pair = stage("combat")
    good("sign", pair.orders("2-combat.yaml"), "--yes")

    def fails(_self: Odds, _die: int) -> str:
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as patch:
        patch.setattr(Odds, "result", fails)
        result = cli("receive", pair.folder(AXIS), pair.newest(ALLIED))
        assert "error[internal]" not in result.all
        assert "Traceback" not in result.all
        assert "HALT" in result.all or "could not resolve" in result.all
        assert "could not resolve" in cli("status", pair.folder(AXIS)).all
    assert "DUPLICATE" in good("receive", pair.folder(AXIS), pair.newest(ALLIED)).out
    assert "you owe message 7" in good("status", pair.folder(AXIS)).out
