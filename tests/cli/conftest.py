"""A command line in process, and two players' folders at the points of a game where tests begin."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

import pytest

from adjudicator.cli import chance
from adjudicator.cli.demo import examples
from adjudicator.cli.main import run

AXIS, ALLIED = "axis", "allied"


@dataclass(frozen=True)
class Result:
    """What a command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The standard output as JSON."""
        return json.loads(self.out)

    @property
    def all(self) -> str:
        """Both outputs."""
        return self.out + self.err


def cli(*words: object, answer: str = "") -> Result:
    """Run one command line in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = cast(TextIO, io.TextIOWrapper(io.BytesIO(answer.encode()), encoding="utf-8"))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([str(word) for word in words])
    finally:
        sys.stdin = before
    return Result(code, out.getvalue(), err.getvalue())


def good(*words: object, answer: str = "") -> Result:
    """Run a command line that must end with 0."""
    result = cli(*words, answer=answer)
    assert result.code == 0, f"{words}: {result.all}"
    return result


@dataclass(frozen=True)
class Pair:
    """Two players' game folders side by side, and the mail between them."""

    root: Path

    def folder(self, side: str) -> Path:
        """The game folder of a side."""
        return self.root / side

    def newest(self, side: str) -> Path:
        """The newest file in a side's outbox."""
        return sorted((self.folder(side) / "outbox").glob("*-[0-9]*.turn"))[-1]

    def bare(self, side: str) -> None:
        """A side opens, the other takes it in."""
        good("open", self.folder(side), "--yes")
        self.deliver(side)

    def deliver(self, side: str) -> Result:
        """The other side takes in the newest file of a side."""
        return good("receive", self.folder(ALLIED if side == AXIS else AXIS), self.newest(side))

    def orders(self, name: str) -> Path:
        """A bundled turn file, as the Allied player's own file."""
        return Path(shutil.copy(examples() / name, self.folder(ALLIED) / name))

    def turn(self, name: str) -> None:
        """The Allied player signs a bundled turn file, the Axis player takes it in and opens its dice."""
        good("sign", self.orders(name), "--yes")
        self.deliver(ALLIED)
        self.bare(AXIS)

    def write(self, text: str, name: str = "orders.yaml") -> Path:
        """A turn file of the Allied player."""
        path = self.folder(ALLIED) / name
        path.write_text(text, encoding="utf-8")
        return path


def begin(root: Path) -> Pair:
    """Offer, genesis, and the genesis taken in."""
    pair = Pair(root)
    good("new", "western-desert", "compass", pair.folder(AXIS), "--name", "Alice", "--title", "Compass")
    good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
    good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
    return pair


def set_up(pair: Pair) -> None:
    """Messages 1 to 3."""
    pair.bare(AXIS)
    pair.bare(ALLIED)
    pair.bare(AXIS)


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A game at its points, made once: ``genesis``, ``movement`` (Allied P1 due), ``combat`` (P2 due), ``done``."""
    root = tmp_path_factory.mktemp("stages")
    kept: dict[str, Path] = {}
    with chance.fixed("tests"):
        pair = begin(root / "game")
        steps: Sequence[tuple[str, Callable[[], None]]] = (
            ("genesis", lambda: None),
            ("movement", lambda: set_up(pair)),
            ("combat", lambda: pair.turn("1-movement.yaml")),
            ("done", lambda: pair.turn("2-combat.yaml")),
        )
        for name, step in steps:
            step()
            kept[name] = Path(shutil.copytree(pair.root, root / name))
    return kept


@pytest.fixture
def stage(stages: dict[str, Path], tmp_path: Path) -> Callable[[str], Pair]:
    """A copy of the game at a point, for one test."""

    def copy(name: str) -> Pair:
        return Pair(Path(shutil.copytree(stages[name], tmp_path / name)))

    return copy


@pytest.fixture
def movement(stage: Callable[[str], Pair]) -> Pair:
    """The game where the Allied player's first movement orders are due."""
    return stage("movement")


@pytest.fixture(autouse=True)
def _fixed_chance() -> Iterator[None]:
    with chance.fixed("one test"):
        yield


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below a folder, to see that nothing was changed."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
