"""A game folder killed at every write is still whole: old or new, never half, and the game goes on."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis, resend_offer
from adjudicator.protocol.log import read_line, read_turn
from tests.match.conftest import ALLIED, AXIS, Game, entropy

WRITES_AT_MOST = 60


class Killed(BaseException):
    """The process dies here."""


class Killer:
    """Dies at the n-th write: before the fsync or the rename of a file. After that nothing more is written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self.left, self.dead = at, False
        for module, name in ((os, "fsync"), (os, "replace"), (os, "open"), (Path, "unlink")):
            monkeypatch.setattr(module, name, self.wrap(getattr(module, name), counts=name in ("fsync", "replace")))

    def wrap(self, real: Callable[..., Any], counts: bool) -> Callable[..., Any]:
        """The same call, until the process is dead."""

        def call(*words: Any, **more: Any) -> Any:
            if self.dead:
                raise OSError("the process is dead")
            if counts:
                self.left -= 1
                if self.left == 0:
                    self.dead = True
                    raise Killed
            return real(*words, **more)

        return call


def killed_at_each(work: Callable[[Path], object], start: Path, tmp_path: Path) -> Iterator[Path]:
    """Copies of a folder in which the work was killed at its first, second, .. write; ends when it is never killed."""
    for at in range(1, WRITES_AT_MOST):
        root = tmp_path / f"killed-{at}"
        if start.exists():
            shutil.copytree(start, root)
        with pytest.MonkeyPatch.context() as patch:
            killer = Killer(patch, at)
            with contextlib.suppress(Killed):
                work(root)
        if not killer.dead:
            assert at > 3, "the work wrote nothing"
            return
        yield root
    raise AssertionError(f"more than {WRITES_AT_MOST} writes")


def journal_bodies(root: Path) -> dict[str, set[str]]:
    """The ids of the messages that the journal holds, by seq."""
    found: dict[str, set[str]] = {}
    for line in Folder(root).journal.read_bytes().splitlines():
        message = read_line(line)
        found.setdefault(message.text("seq") or "0", set()).add(message.id)
    return found


def test_sign(game: Game, tmp_path: Path) -> None:
    orders = game.example("1-movement.yaml")
    start = game.folder(ALLIED)

    def work(root: Path) -> None:
        match = Match.load(root)
        match.sign(match.check(read_draft(orders)), entropy=entropy("first try"))

    for root in killed_at_each(work, start, tmp_path / "sign"):
        match = Match.load(root)
        assert match.verifier.head in (3, 4)
        if match.verifier.head == 3:
            match.sign(match.check(read_draft(orders)), entropy=entropy("second try"))
        assert {seq: len(ids) for seq, ids in journal_bodies(root).items()}["4"] == 1
        file = match.resend(4)
        assert read_turn(file.read_bytes()).id == match.verifier.head_id
        other = game.copy(AXIS, root.with_name(f"{root.name}-axis"))
        assert other.receive(read_turn(file.read_bytes())).verdict.ok
        assert Match.load(root).verifier.head == 4


def test_receive(game: Game, tmp_path: Path) -> None:
    signed = game.sign(ALLIED, "1-movement.yaml")
    start = game.folder(AXIS)

    for root in killed_at_each(lambda root: Match.load(root).receive(signed), start, tmp_path / "receive"):
        match = Match.load(root)
        assert match.verifier.head in (3, 4)
        again = match.receive(signed)
        assert again.verdict.code == ("OK" if match.verifier.head == 4 and again.verdict.ok else "DUPLICATE")
        assert match.verifier.head == 4
        assert match.look() is not None
        whole = Match.load(root)
        assert whole.verifier.digest(3) == match.verifier.digest(3)
        reply = whole.sign(whole.check(Draft()), entropy=entropy("reply"))
        other = game.copy(ALLIED, root.with_name(f"{root.name}-allied"))
        assert other.receive(reply).verdict.ok
        assert other.verifier.digest(4) == whole.verifier.digest(4)


def test_new_and_accept(tmp_path: Path) -> None:
    alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
    bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))

    def propose(root: Path) -> Path:
        return make_game(root, "western-desert", "compass", alice, "Compass")

    for root in killed_at_each(propose, tmp_path / "nothing", tmp_path / "new"):
        if Folder(root).about.exists():
            assert resend_offer(root).read_bytes() == Folder(root).offer.read_bytes()
        else:
            propose(root)
    offer = propose(tmp_path / "alice").read_bytes()
    for root in killed_at_each(lambda root: accept_offer(root, offer, bob), tmp_path / "nothing", tmp_path / "accept"):
        if not Folder(root).about.exists():
            accept_offer(root, offer, bob)
        match = Match.load(root)
        genesis = read_turn(match.resend(0).read_bytes())
        taken = Path(shutil.copytree(tmp_path / "alice", root.with_name(f"{root.name}-alice")))
        assert receive_genesis(taken, genesis).verifier.game_id == match.verifier.game_id


def test_genesis(tmp_path: Path) -> None:
    alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
    offer = make_game(tmp_path / "alice", "western-desert", "compass", alice, "Compass")
    bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
    genesis = read_turn(accept_offer(tmp_path / "bob", offer.read_bytes(), bob).read_bytes())
    for root in killed_at_each(lambda root: receive_genesis(root, genesis), tmp_path / "alice", tmp_path / "genesis"):
        if not Folder(root).begun():
            receive_genesis(root, genesis)
        match = Match.load(root)
        first = match.sign(match.check(Draft()), entropy=entropy("one"))
        other = Match.load(Path(shutil.copytree(tmp_path / "bob", root.with_name(f"{root.name}-bob"))))
        assert other.receive(first).verdict.ok
