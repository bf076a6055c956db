"""`receive` and `accept` take the message out of saved mails and pasted text; `--armor` writes what survives them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def mail_with(*files: Path, text: str = "Hello,\n\nmy turn.\n") -> bytes:
    """A mail as a program saves it, with files attached."""
    found = EmailMessage()
    found["From"], found["Subject"] = "Alice <alice@example.org>", "Compass"
    found.set_content(text)
    for file in files:
        found.add_attachment(file.read_bytes(), "application", "octet-stream", filename=file.name)
    return found.as_bytes()


def saved(tmp_path: Path, data: bytes | str, name: str = "saved.eml") -> Path:
    """A file beside the game."""
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.fixture
def fresh(stage: Stage) -> Pair:
    """A game whose Allied player has signed message 4."""
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes", "--armor")
    return pair


def test_a_game_begins_and_goes_on_by_mail(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    told = good("new", "western-desert", "compass", a, "--name", "Alice", "--armor").out
    assert "outbox/offer.turn or " in told and "offer.txt" in told
    quoted = textwrap.indent((a / "outbox" / "offer.txt").read_text(encoding="utf-8"), "> ")
    told = good("accept", saved(tmp_path, f"Alice wrote:\n{quoted}\nok\n"), b, "--name", "Bob", "--armor").out
    assert "genesis.turn or " in told
    good("receive", a, saved(tmp_path, mail_with(b / "outbox" / "genesis.turn")))
    good("open", a, "--armor")
    text = next((a / "outbox").glob("*-0001-axis.txt")).read_text(encoding="utf-8")
    good("receive", b, "-", answer=f"From: a@b\nContent-Type: text/html\n\n<p>{text.replace(chr(10), '<br>')}</p>")


def test_an_offer_attached_is_accepted(tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "a", "--name", "Alice")
    offer = saved(tmp_path, mail_with(tmp_path / "a" / "outbox" / "offer.turn"))
    files = good("accept", offer, tmp_path / "b", "--name", "Bob", "--json").json["files"]
    assert [Path(file).name for file in files] == ["genesis.turn"]


def test_the_same_message_twice_in_one_mail(fresh: Pair, tmp_path: Path) -> None:
    turn = fresh.newest(ALLIED)
    text = turn.with_suffix(".txt").read_text(encoding="utf-8")
    told = good("receive", fresh.folder(AXIS), saved(tmp_path, mail_with(turn, text=text))).out
    assert told.startswith("Message 4 of Allied accepted")


def test_two_messages_in_one_mail(fresh: Pair, tmp_path: Path) -> None:
    before = tree_of(fresh.root)
    old = sorted((fresh.folder(ALLIED) / "outbox").glob("*-0002-*.turn"))[0]
    both = saved(tmp_path, mail_with(old, fresh.newest(ALLIED)))
    told = cli("receive", fresh.folder(AXIS), both)
    assert_clear(told, r"2 different turns \(message 2 of allied in the attachment .*0002.*; message 4 of allied", 1)
    assert tree_of(fresh.root) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:400], "cut off"),
        (lambda text: text.replace(text.splitlines()[3] + "\n", ""), "damaged"),
        (lambda text: text.replace("(", "(9"), "damaged"),
        (lambda text: "From: a\nSubject: b\n\nSee you\n", "no turn in this mail"),
        (lambda text: "From: a\nSubject: b\n\nbody:\n  pbem: 1\n\nSee you\n", "in the text of the mail"),
    ],
)
def test_what_the_mail_has_damaged(change: Callable[[str], str], said: str, fresh: Pair, tmp_path: Path) -> None:
    before = tree_of(fresh.root)
    text = fresh.newest(ALLIED).with_suffix(".txt").read_text(encoding="utf-8")
    assert_clear(cli("receive", fresh.folder(AXIS), saved(tmp_path, change(text))), said, 1)
    assert tree_of(fresh.root) == before
