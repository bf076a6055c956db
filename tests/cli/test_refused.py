"""A message that was refused: `status` and `doctor` tell of it as long as its number has no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.match import Match
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_turn
from adjudicator.protocol.message import Message
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]
Wrong = Callable[[Pair, Message], bytes]


def other_state(pair: Pair, message: Message) -> bytes:
    """The message with another state, signed as it ought to be."""
    return write_turn(sign_body({**message.body, "state": "0" * 64}, Match.load(pair.folder(AXIS)).key()))


def unsigned(pair: Pair, message: Message) -> bytes:
    """The message with a signature of something else."""
    other = sign_body({**message.body, "note": "other"}, Match.load(pair.folder(AXIS)).key())
    return write_turn(Message(message.body, other.sig, message.canonical, message.id))


@pytest.fixture
def answered(stage: Stage) -> tuple[Pair, Message]:
    """The Allied player has ordered, the Axis player has answered, and the answer has not come."""
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    pair.deliver(ALLIED)
    good("open", pair.folder(AXIS), "--yes")
    return pair, Match.load(pair.folder(AXIS)).message(5)


CASES: dict[str, tuple[Wrong, str, str]] = {
    "E_STATE": (other_state, "it was written on another state.*digest of message 4", "both run `dispute {root} 4`"),
    "E_SIG": (unsigned, "the signature does not fit", "ask for the same file once more"),
}


@pytest.mark.parametrize("by", ["receive", "serve"])
@pytest.mark.parametrize("code", CASES)
def test_it_is_told(code: str, by: str, answered: tuple[Pair, Message], tmp_path: Path) -> None:
    pair, message = answered
    wrong, why, mend = CASES[code]
    root, inbox = pair.folder(ALLIED), tmp_path / "inbox"
    inbox.mkdir()
    file = inbox / "answer.turn"
    file.write_bytes(wrong(pair, message))
    assert "Nothing is wrong" in good("doctor", root).out
    if by == "receive":
        assert_clear(cli("receive", root, file), code, 1)
    else:
        assert code in good("serve", root, "--inbox", inbox, "--head", 4, "--once").out
    if code == "E_STATE":
        good("dispute", root, 4)
    for _ in range(2):
        told = good("status", root)
        assert_told(told.out, f"Message 5 of Axis came and was refused: {code}, {why}")
        assert f"Next: message 5 of Axis is here, but refused: {mend.format(root=root)}" in told.out
        assert "owes message 5" not in told.out
        (row,) = good("status", root, "--json").json["refused"]
        assert (row["seq"], row["verdict"]) == (5, code)
        looked = cli("doctor", root)
        assert looked.code == 1 and "Something is wrong" in looked.out
        assert_told(looked.out, f"bad  refused: message 5 of Axis came and was refused: {code}.*{mend.split()[0]}")
        (root / "private" / "verified.json").unlink(missing_ok=True)  # the same from the log alone
    assert good("status", pair.folder(AXIS), "--json").json["refused"] == []
    pair.deliver(AXIS)
    assert "was refused" not in good("status", root).out
    assert "Nothing is wrong" in good("doctor", root).out


def assert_told(text: str, pattern: str) -> None:
    """A line of a text fits a pattern."""
    import re

    assert any(re.search(pattern, line) for line in text.splitlines()), text


def test_what_an_older_program_would_not_take_is_said_to_fit_now(answered: tuple[Pair, Message]) -> None:
    """A repaired program finds nothing against a file that was kept; junk beside it is passed over."""
    pair, _ = answered
    root = pair.folder(ALLIED)
    kept = root / "kept"
    kept.mkdir()
    (kept / "0123-answer.turn").write_bytes(pair.newest(AXIS).read_bytes())
    (kept / "junk").write_bytes(b"\x00 no message")
    (kept / "folder").mkdir()
    told = good("status", root).out
    assert "Next: message 5 of Axis is here, but refused: the program finds nothing against it any more" in told
    good("receive", root, kept / "0123-answer.turn")
    assert "was refused" not in good("status", root).out
