"""A game between two folders, up to the first orders, made through the match package alone."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.cli.demo import examples
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.protocol.log import read_turn
from adjudicator.protocol.message import Message

AXIS, ALLIED = "axis", "allied"


def entropy(seed: str) -> Callable[[int], bytes]:
    """The same bytes in every run, others at every call."""
    calls = [0]

    def stream(count: int) -> bytes:
        calls[0] += 1
        return hashlib.shake_256(f"{seed}/{calls[0]}".encode()).digest(count)

    return stream


@dataclass(frozen=True)
class Game:
    """Two folders side by side."""

    root: Path

    def folder(self, side: str) -> Path:
        """A side's game folder."""
        return self.root / side

    def load(self, side: str) -> Match:
        """A side's game."""
        return Match.load(self.folder(side))

    def copy(self, side: str, to: Path) -> Match:
        """A side's game in a copy of its folder."""
        return Match.load(Path(shutil.copytree(self.folder(side), to)))

    def example(self, name: str) -> bytes:
        """A bundled turn file."""
        return (examples() / name).read_bytes()

    def sign(self, side: str, name: str = "") -> Message:
        """Sign a bundled turn file, or a bare message."""
        match = self.load(side)
        draft = read_draft(self.example(name)) if name else Draft()
        result = match.check(draft)
        assert result.legal, result.problems
        return match.sign(result, entropy=entropy(f"{side} {match.verifier.next_seq}"))

    def send(self, side: str, name: str = "") -> None:
        """Sign, and let the other side take it in."""
        message = self.sign(side, name)
        received = self.load(ALLIED if side == AXIS else AXIS).receive(message)
        assert received.verdict.ok, received.verdict.show()


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of a game in which the Allied player's first orders are due."""
    root = tmp_path_factory.mktemp("started")
    game = Game(root)
    alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
    bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
    offer = make_game(game.folder(AXIS), "western-desert", "compass", alice, "Compass")
    genesis = accept_offer(game.folder(ALLIED), offer.read_bytes(), bob)
    receive_genesis(game.folder(AXIS), read_turn(genesis.read_bytes()))
    for side in (AXIS, ALLIED, AXIS):
        game.send(side)
    return root


@pytest.fixture
def game(started: Path, tmp_path: Path) -> Game:
    """A copy of it for one test."""
    return Game(Path(shutil.copytree(started, tmp_path / "game")))
