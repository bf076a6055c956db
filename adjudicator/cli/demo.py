"""``demo``: a bundled example, played between two players on two make-believe computers, in this process.

Every command is run through the same command line that players use, and printed as they would type it. Keys, secrets
and entropy come from a fixed seed, so that each run gives the same game; nobody should ever play with them.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, TextIO, cast

import typer

from adjudicator.cli.common import WRONG, Fail, say

SEED = "compass demo"
MARK = "demo.txt"
ABOUT = "Made by `adjudicator demo`. The keys in here come from a fixed seed: never play with them.\n"
PARTS = ("alice", "bob", "exported", MARK)
WIDTH = 100


@dataclass(frozen=True)
class Show:
    """What is played of a game: its turn files, the name of the game folders, and the module that tells the story."""

    example: Path
    game: str
    story: str


SHOWS = {
    "western-desert": Show(Path("western-desert") / "compass-demo", "compass", "adjudicator.cli.story"),
    "shifting-sands": Show(Path("shifting-sands") / "first-rounds", "sands", "adjudicator.cli.story_sands"),
}


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(demo)


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the two players' files go.")] = Path("demo"),
    system: Annotated[
        str, typer.Option("--system", metavar="SYSTEM", help="The game, as shifting-sands.")
    ] = "western-desert",
) -> None:
    """Play a bundled example.

    Two players go from making their keys to auditing each other's dice; every command that they would type is
    shown with its answer. The results stay in DIR.
    """
    from adjudicator.cli import chance

    show = SHOWS.get(system)
    if show is None:
        raise Fail(f"error[usage]: --system {system}: there is no example; choose one of: {', '.join(sorted(SHOWS))}")
    _fresh(folder)
    with chance.fixed(SEED):
        import_module(show.story).play(Stage(folder, folder.resolve(), show))


def _fresh(folder: Path) -> None:
    """An empty folder; what an earlier demo left in it is removed. Raises Fail for anything else."""
    if folder.exists() and not folder.is_dir():
        raise Fail(f"{folder}: error[file]: this is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / MARK).is_file() or any(path.name not in PARTS for path in folder.iterdir()):
            raise Fail(f"{folder}: error[file]: there is something else in this folder; name an empty or a new one")
        for name in PARTS:
            _remove(folder / name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(ABOUT, encoding="utf-8", newline="\n")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def examples(system: str = "western-desert") -> Path:
    """The bundled turn files, in an installed program and in a checkout alike. Raises Fail where they are missing."""
    here, example = Path(__file__).resolve(), SHOWS[system].example
    for root in (here.parents[1] / "_turnfiles", here.parents[2] / "turnfiles"):
        if (root / example).is_dir():
            return root / example
    raise Fail("error[demo]: the bundled example is missing from this installation; install the program anew")


class _Typed:
    """A standard input that shows what is typed."""

    def __init__(self, answer: str) -> None:
        self._lines = answer.splitlines(keepends=True)

    def isatty(self) -> bool:
        """As if at a terminal."""
        return True

    def readline(self) -> str:
        """The next line, "" where nothing more is typed."""
        line = self._lines.pop(0) if self._lines else ""
        sys.stdout.write(line)
        return line


@dataclass
class Stage:
    """The two computers under one folder (``name`` as the player gave it), and the mail between them."""

    name: Path
    root: Path
    show: Show

    @property
    def game(self) -> str:
        """The name of both game folders."""
        return self.show.game

    def tell(self, text: str) -> None:
        """A line of the narrator."""
        say()
        say(f"# {text}")

    def title(self, text: str) -> None:
        """A heading."""
        say()
        say(f"===== {text} ".ljust(WIDTH, "="))

    def home(self, player: str) -> Path:
        """A player's computer."""
        path = self.root / player
        path.mkdir(exist_ok=True)
        return path

    def _examples(self) -> Path:
        return examples(next(system for system, show in SHOWS.items() if show is self.show))

    def type(self, player: str, command: str, wanted: int = 0, answer: str = "") -> None:
        """One command as a player types it, with its answer. Raises Fail for an unexpected exit code."""
        from adjudicator.cli.main import STOPPED, run

        say()
        say(f"{player}$ adjudicator {command}")
        with self._at(player, answer):
            code = run(shlex.split(command))
        if code == STOPPED:
            raise KeyboardInterrupt
        if code != wanted:
            raise Fail(f"error[demo]: `{command}` ended with exit code {code}, not {wanted}", code=WRONG)

    def works(self, player: str, command: str) -> bool:
        """Whether a command would do, tried without being shown: what the dice have left decides how the story goes."""
        from adjudicator.cli.main import run

        with self._at(player, ""), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return run(shlex.split(command)) == 0

    @contextlib.contextmanager
    def _at(self, player: str, answer: str) -> Iterator[None]:
        before = sys.stdin
        sys.stdin = cast(TextIO, _Typed(answer))
        try:
            with contextlib.chdir(self.home(player)), contextlib.redirect_stderr(sys.stdout):
                yield
        finally:
            sys.stdin = before

    def mail(self, sender: str, receiver: str, pattern: str) -> str:
        """Mail a file of the sender's outbox; returns its name at the receiver's."""
        (file,) = sorted((self.home(sender) / self.game / "outbox").glob(pattern))
        shutil.copy(file, self.home(receiver) / file.name)
        say()
        say(f"# {sender} mails {file.name} to {receiver}")
        return file.name

    def read(self, example: str) -> str:
        """A turn file of the bundled example."""
        return (self._examples() / example).read_text(encoding="utf-8")

    def write(self, player: str, file: str, example: str, blanks: Mapping[str, str] | None = None) -> None:
        """The player fills a template in: its head stays, the example's orders take the place of the empty list.

        ``blanks`` are words of the example that stand for what only the game at hand tells.
        """
        path = self.home(player) / file
        orders = self.read(example)
        for blank, word in (blanks or {}).items():
            orders = orders.replace(blank, word)
        head = path.read_text(encoding="utf-8").partition("\norders:")[0]
        path.write_text(f"{head}\n{orders}", encoding="utf-8", newline="\n")
        say()
        say(f"# {player} fills {file} in, in an editor; the orders now read:")
        for line in orders.rstrip("\n").split("\n"):
            say(f"    {line}")
