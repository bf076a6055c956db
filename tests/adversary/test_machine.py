"""Careless players and broken machines: swapped, old, torn and half lost folders, full disks, two programs at once.

Every command either does its work or says in one line what is wrong and how to mend; nothing signed is ever lost, and
nothing is signed twice.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.files import lock
from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.protocol.log import read_line
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]
Harm = Callable[[Path, Pair], object]
WRITES_AT_MOST = 60


@pytest.fixture
def combat(stage: Stage) -> Pair:
    """The game where the Allied combat orders are due: message 6."""
    return stage("combat")


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def swap(name: str) -> Harm:
    """Put a file or folder of the other player into a folder."""

    def harm(folder: Path, pair: Pair) -> None:
        mine, other = folder / name, pair.folder(AXIS) / name
        if mine.is_dir():
            shutil.rmtree(mine)
            shutil.copytree(other, mine)
        else:
            shutil.copy(other, mine)

    return harm


def edit(name: str, change: Callable[[bytes], bytes]) -> Harm:
    return lambda folder, _pair: rewrite(folder / name, change)


def remove(name: str) -> Harm:
    def harm(folder: Path, _pair: Pair) -> None:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return harm


# --- what is mended without a word ------------------------------------------------------------------------------

MENDED: dict[str, Harm] = {
    "log of an old backup": edit("log.jsonl", lambda data: b"".join(data.splitlines(keepends=True)[:3])),
    "log empty": edit("log.jsonl", lambda _data: b""),
    "log gone": remove("log.jsonl"),
    "log with CR LF": edit("log.jsonl", lambda data: data.replace(b"\n", b"\r\n")),
    "journal with CR LF": edit("private/journal.jsonl", lambda data: data.replace(b"\n", b"\r\n")),
    "journal gone": remove("private/journal.jsonl"),
    "kept state gone": remove("private/verified.json"),
    "kept state no JSON": edit("private/verified.json", lambda _data: b"\xff\x00"),
    "kept state changed": edit("private/verified.json", lambda data: data.replace(b'"hex":"19/0', b'"hex":"19/1', 1)),
    "kept state of the other player": swap("private/verified.json"),
    "state of the other player": swap("state"),
    "state gone": remove("state"),
    "events changed": edit("state/events/0004.json", lambda data: data[: len(data) // 2]),
    "outbox gone": remove("outbox"),
    "reports gone": remove("reports"),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_mended_without_a_word(name: str, combat: Pair) -> None:
    folder = combat.folder(ALLIED)
    story = good("report", folder, "4").out
    MENDED[name](folder, combat)
    assert "you owe message 6" in good("status", folder).out
    assert good("report", folder, "4").out == story
    good("sign", combat.orders("2-combat.yaml"), "--yes")
    combat.deliver(ALLIED)
    combat.bare(AXIS)
    for side in (AXIS, ALLIED):
        good("verify", combat.folder(side), "--brief")
    assert len(Folder(folder).lines()) == len(Folder(folder).journal.read_bytes().splitlines()) == 8


# --- what is told -----------------------------------------------------------------------------------------------

TOLD: dict[str, tuple[Harm, str, bool]] = {
    "private of the other player": (swap("private"), "not that of allied.*private", True),
    "secret of the other player": (swap("private/secret.yaml"), "not that of allied.*private", True),
    "secret gone": (remove("private/secret.yaml"), "secret.yaml: no such file.*backup", True),
    "secret damaged": (edit("private/secret.yaml", lambda data: data[:40]), "secret.*damaged.*backup|no secret", True),
    "private gone": (remove("private"), "secret.yaml: no such file.*backup", True),
    "key of the other player": (swap("private/key"), "another one than the key of allied.*bring", True),
    "key gone": (remove("private/key"), "key: no such file.*game.yaml", True),
    "key no key": (edit("private/key", lambda _data: b"hello"), "no OpenSSH private key", True),
    "log torn": (edit("log.jsonl", lambda data: data[:-20]), "torn.*made again from", False),
    "log garbled": (edit("log.jsonl", lambda data: data.replace(b"orders", b"Orders", 1)), "log.jsonl", False),
    "log of the other game": (edit("log.jsonl", lambda data: data.splitlines(keepends=True)[-1]), "no genesis", False),
    "journal garbled": (edit("private/journal.jsonl", lambda _data: b"x\n"), "journal.jsonl.*backup", False),
    "side changed": (edit("game.yaml", lambda data: data.replace(b": allied", b": axis")), "not your turn", True),
    "side of nobody": (edit("game.yaml", lambda data: data.replace(b": allied", b": us")), "side is 'us'", False),
    "side a list": (edit("game.yaml", lambda data: data.replace(b"side: allied", b"side:\n  - a")), "side is", False),
    "game.yaml no YAML": (edit("game.yaml", lambda _data: b"\t{["), "game.yaml", False),
    "game.yaml gone": (remove("game.yaml"), "no such file, but the secrets|neither its folder", False),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told(name: str, combat: Pair) -> None:
    harm, pattern, can_look = TOLD[name]
    orders = combat.orders("2-combat.yaml")
    harm(combat.folder(ALLIED), combat)
    before = {path: data for path, data in tree_of(combat.root).items() if "state/" not in path}
    assert_clear(cli("sign", orders, "--yes"), pattern)
    looked = cli("status", combat.folder(ALLIED))
    assert (looked.code == 0) == can_look, looked.all
    if not can_look:
        assert_clear(looked, pattern)
    else:
        good("report", combat.folder(ALLIED), "4")
    kept = ("state/", "private/verified.json", "private/lock", "reports/")
    after = {path: data for path, data in tree_of(combat.root).items() if not any(part in path for part in kept)}
    assert after == {path: data for path, data in before.items() if not any(part in path for part in kept)}


def test_a_torn_log_is_made_again_as_it_is_told(combat: Pair) -> None:
    folder = combat.folder(ALLIED)
    rewrite(folder / "log.jsonl", lambda data: data[:-20])
    (folder / "log.jsonl").rename(folder / "log.old")
    assert "you owe message 6" in good("status", folder).out
    assert len(Folder(folder).lines()) == 6


def test_an_older_log_and_journal_of_two_copies_sign_nothing_new(combat: Pair) -> None:
    """Two copies of one folder: what one has signed, the other learns from the answer and signs nothing against it."""
    copy = Path(shutil.copytree(combat.folder(ALLIED), combat.root / "copy"))
    good("sign", combat.orders("2-combat.yaml"), "--yes")
    combat.deliver(ALLIED)
    good("open", combat.folder(AXIS), "--yes")
    result = good("receive", copy, combat.newest(AXIS))
    assert "E_GAP" in result.out
    assert_clear(cli("open", copy, "--yes"), "signed elsewhere")
    good("receive", copy, combat.folder(ALLIED) / "outbox" / "compass-0006-allied.turn")
    assert "The log has 8 messages" in good("status", copy).out
    good("verify", copy, "--brief")


def test_a_moved_folder_goes_on(combat: Pair) -> None:
    moved = Pair(combat.root.rename(combat.root.with_name("moved")))
    good("sign", moved.orders("2-combat.yaml"), "--yes")
    moved.deliver(ALLIED)


def test_another_clock_changes_nothing(combat: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(time, "time", lambda: -1e9)
    for path in combat.folder(ALLIED).rglob("*"):
        os.utime(path, (1, 1))
    good("sign", combat.orders("2-combat.yaml"), "--yes")
    combat.deliver(ALLIED)


# --- mail -------------------------------------------------------------------------------------------------------


def test_files_that_are_no_answer(combat: Pair, tmp_path: Path) -> None:
    folder, own = combat.folder(ALLIED), combat.newest(ALLIED)
    before = tree_of(combat.root)
    for said in ("DUPLICATE", "DUPLICATE"):
        assert said in good("receive", folder, own).out
    mail = tmp_path / "mail"
    turn = own.read_text(encoding="utf-8")
    mails = {
        "quoted": "On Monday Bob wrote:\n" + "".join(f"> {line}\n" for line in turn.splitlines()),
        "twice quoted": "".join(f"> > {line}\n" for line in turn.splitlines()),
        "saved": f"From: Bob <bob@example.org>\nTo: Alice\nSubject: turn\n\nHello,\n\n{turn}\n-- \nBob\n",
    }
    for text in mails.values():
        mail.write_text(text, encoding="utf-8")
        assert "DUPLICATE" in good("receive", folder, mail).out
    mail.write_text("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nYm9keQ==\n--x--\n", "utf-8")
    assert_clear(cli("receive", folder, mail), "E_CANON", 1)
    assert tree_of(combat.root) == before
    crlf = tmp_path / "crlf.turn"
    crlf.write_bytes(turn.replace("\n", "\r\n").encode())
    assert "DUPLICATE" in good("receive", folder, crlf).out


def test_an_edited_file_and_the_true_one_after_it(combat: Pair, tmp_path: Path) -> None:
    good("sign", combat.orders("2-combat.yaml"), "--yes")
    file = combat.newest(ALLIED)
    true = file.read_bytes()
    rewrite(file, lambda data: data.replace(b"19/0726", b"19/0526", 1))
    assert_clear(cli("receive", combat.folder(AXIS), file), "E_SIG", 1)
    good("resend", combat.folder(ALLIED))
    assert file.read_bytes() == true
    good("receive", combat.folder(AXIS), file)


def test_a_note_does_not_speak_for_the_program(combat: Pair) -> None:
    note = "hello\nMessage 6 of Allied accepted: signature, link, chain and state hold.\nNext: you owe nothing."
    good("sign", combat.orders("2-combat.yaml"), "--yes", "--note", note)
    lines = combat.deliver(ALLIED).out.splitlines()
    assert sum(line.startswith("Message 6 of Allied accepted") for line in lines) == 1
    assert sum(line.startswith("Next: ") for line in lines) == 1
    assert "    | Next: you owe nothing." in lines


def test_signing_twice(combat: Pair) -> None:
    file = combat.orders("2-combat.yaml")
    good("sign", file, "--yes")
    before = tree_of(combat.root)
    for command in (("sign", file, "--yes"), ("open", combat.folder(ALLIED), "--yes")):
        assert_clear(cli(*command), "not your turn.*resend", 1)
    assert tree_of(combat.root) == before


# --- the machine ------------------------------------------------------------------------------------------------


def test_two_programs_at_once(combat: Pair) -> None:
    file, folder = combat.orders("2-combat.yaml"), combat.folder(ALLIED)
    commands = (("sign", file, "--yes"), ("status", folder), ("receive", folder, combat.newest(AXIS)), ("check", file))
    with lock(Folder(folder).private):
        for command in commands:
            assert_clear(cli(*command), "another adjudicator is working", 2)
    good("sign", file, "--yes")


class FullDisk:
    """From the n-th write on no file can be written, for want of space or of rights."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int, number: int) -> None:
        self.left, self.number, self.met = at, number, False
        for name in ("fsync", "replace"):
            patch.setattr(os, name, self._wrap(getattr(os, name)))

    def _wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            self.left -= 1
            if self.left <= 0:
                self.met = True
                raise OSError(self.number, os.strerror(self.number))
            return real(*words, **more)

        return call


def full_disks(start: Path, command: Callable[[Path], Result]) -> Iterator[tuple[Path, Result]]:
    """Copies of the players' folders in which a command met a full disk at its first, second, .. write."""
    for at in range(1, WRITES_AT_MOST):
        root = Path(shutil.copytree(start, start.with_name(f"full-{at}")))
        with pytest.MonkeyPatch.context() as patch:
            disk = FullDisk(patch, at, errno.ENOSPC if at % 2 else errno.EACCES)
            result = command(root)
        if not disk.met:
            assert at > 3, "nothing was written"
            return
        if result.code:  # the last sync is that of a folder, which not every system can do
            yield root, result
    raise AssertionError("too many writes")


def one_body(folder: Path, seq: str) -> None:
    """The journal holds one body of a message at most."""
    messages = [read_line(line) for line in Folder(folder).journal.read_bytes().splitlines()]
    assert len({message.id for message in messages if message.text("seq") == seq}) <= 1


def test_a_full_disk_while_signing(combat: Pair) -> None:
    file = combat.orders("2-combat.yaml")

    def sign(root: Path) -> Result:
        return cli("sign", file, "--game", root / ALLIED, "--yes")

    for root, result in full_disks(combat.root, sign):
        assert_clear(result, "no space|permission|denied", 2)
        pair = Pair(root)
        if Match.load(pair.folder(ALLIED)).verifier.head == 5:
            good("sign", file, "--game", pair.folder(ALLIED), "--yes")
        else:
            good("resend", pair.folder(ALLIED))
        one_body(pair.folder(ALLIED), "6")
        pair.deliver(ALLIED)


def test_a_full_disk_while_receiving(combat: Pair) -> None:
    good("sign", combat.orders("2-combat.yaml"), "--yes")
    mailed = combat.newest(ALLIED)

    def receive(root: Path) -> Result:
        return cli("receive", root / AXIS, mailed)

    for root, result in full_disks(combat.root, receive):
        assert_clear(result, "no space|permission|denied", 2)
        pair = Pair(root)
        again = good("receive", pair.folder(AXIS), mailed)
        assert "accepted" in again.out or "DUPLICATE" in again.out
        good("open", pair.folder(AXIS), "--yes")
        good("receive", pair.folder(ALLIED), pair.newest(AXIS))
        assert "Message 6" in good("report", pair.folder(AXIS), "6").out
