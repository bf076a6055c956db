"""What the commands share: printing, reading files, opening a game folder, options that many commands have."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.engine.core import Problem
    from adjudicator.match.match import Match

WRONG, UNUSABLE = 1, 2
PUBLIC = "public"
PASS_PHRASE = "ADJUDICATOR_PASS_PHRASE"
MAX_MAIL = 4 * 1024 * 1024
LINES_QUOTED = 30
HINT_TEMPLATE = "make one with `template`"

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for other programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="A word to the other player.")]
Armor = Annotated[bool, typer.Option("--armor", help="Also write it as base64 lines for the body of a mail.")]
GameFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The game folder.", show_default=False)]
Game = Annotated[
    Path | None,
    typer.Option("--game", metavar="DIR", help="The game folder; else the one the file lies in.", show_default=False),
]


class Fail(Exception):
    """Something is wrong with what the player gave; ``lines`` say what, why and how to mend."""

    def __init__(self, *lines: str, code: int = UNUSABLE) -> None:
        super().__init__(lines[0] if lines else "")
        self.lines = list(lines)
        self.code = code


def say(text: str = "") -> None:
    """Print a line."""
    typer.echo(text)


def print_json(tree: Mapping[str, Any]) -> None:
    """Print a result for other programs."""
    typer.echo(json.dumps(tree, ensure_ascii=False, indent=1))


def leave(code: int) -> None:
    """End the command with an exit code unless it is 0."""
    if code:
        raise typer.Exit(code)


def read_bytes(path: Path, limit: int = MAX_MAIL) -> bytes:
    """The bytes of a file that a player names; ``-`` is the standard input. Raises Fail or OSError."""
    if str(path) == "-":
        data = sys.stdin.buffer.read(limit + 1)
    elif path.is_dir():
        raise Fail(f"{path}: error[file]: this is a folder; name a file in it")
    else:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    if len(data) > limit:
        raise Fail(f"{path}: error[file]: the file has more than {limit:,} bytes; a turn file has at most 262,144")
    return data


def write_result(path: Path, data: bytes) -> None:
    """Write a result where the player wants it, whole or not at all. Raises Fail for a folder."""
    from adjudicator.match.files import write_whole

    if path.is_dir():
        raise Fail(f"{path}: error[file]: this is a folder; name the file to write, as {path / 'result'}")
    write_whole(path, data)


def in_lines(path: Path) -> Path:
    """Write a file to mail as armored text beside it, for mailers that mangle or drop attachments."""
    from adjudicator.match.files import write_whole
    from adjudicator.turnfile.armor import armor

    text = path.with_suffix(".txt")
    write_whole(text, armor(path.read_bytes()).encode())
    return text


def problem_line(file: Path | str, problem: Problem, severity: str = "error") -> str:
    """`FILE:LINE:COL: error[RULE]: what is wrong; how to mend`."""
    line, column = problem.place or (1, 1)
    text = f"{problem.text}; {problem.hint}" if problem.hint else problem.text
    return f"{file}:{line}:{column}: {severity}[{problem.rule or problem.code}]: {text}"


def graded(problems: Sequence[Problem], severity: str = "error") -> list[tuple[Problem, str]]:
    """Problems with their severity: one without a mend that explains the one before it is a note."""
    found: list[tuple[Problem, str]] = []
    for problem in problems:
        before = found[-1][0] if found else None
        explains = before is not None and (before.order, before.code) == (problem.order, problem.code)
        found.append((problem, "note" if explains and not problem.hint else severity))
    return found


def problem_lines(file: Path, problems: Sequence[Problem], severity: str = "error") -> list[str]:
    """Problems, one a line."""
    return [problem_line(file, problem, grade) for problem, grade in graded(problems, severity)]


def problem_tree(problem: Problem, severity: str) -> dict[str, Any]:
    """A problem for other programs."""
    line, column = problem.place or (1, 1)
    tree: dict[str, Any] = {
        "severity": severity,
        "line": line,
        "column": column,
        "rule": problem.rule,
        "code": problem.code,
        "text": problem.text,
        "mend": problem.hint,
    }
    if problem.order is not None:
        tree["order"] = problem.order
    if problem.depends:
        tree["depends"] = problem.depends
    return tree


def game_of(file: Path, game: Path | None) -> Path:
    """The game folder of a turn file. Raises FolderError where there is none."""
    from adjudicator.match.folder import locate

    return game if game is not None else locate(file)


@contextmanager
def playing(root: Path) -> Iterator[Match]:
    """A game folder, locked against other programs while the command works on it."""
    from adjudicator.match.files import lock
    from adjudicator.match.folder import Folder
    from adjudicator.match.match import Match

    ask_for_pass_phrases()
    Folder(root).require()
    with lock(Folder(root).private):
        yield Match.load(root)


def must_be_mine(match: Match) -> None:
    """Refuse what only the side to write may do. Raises Fail."""
    if match.verifier.closed:
        raise Fail("error[E_END]: the game is over; nothing more is signed", code=WRONG)
    if not match.me:
        raise Fail(f"error[folder]: {match.folder.root} belongs to no player: it has no `side` in game.yaml")
    if not match.my_turn:
        seq, side = match.verifier.next_seq, player_side(match.verifier.next_side)
        text = f"error[E_AUTHOR]: it is not your turn: message {seq} is {side}'s; wait for it and `receive` it"
        again = f", or send your message {seq - 1} again with `resend`" if seq - 1 in match.own_messages() else ""
        raise Fail(text + again, code=WRONG)
    if match.refusal():
        raise Fail(f"error[folder]: {match.refusal()}")


def viewer_of(match: Match, viewer: str) -> str:
    """Whom a report or save is for: who is named, else the folder's player, else the public. Raises Fail."""
    known = (*match.table.sides, PUBLIC)
    if viewer and viewer.lower() not in known:
        raise Fail(f"error[usage]: --for {viewer}: there is no such side; choose one of: {', '.join(known)}")
    return viewer.lower() or match.me or PUBLIC


def write_reports(match: Match, seqs: Sequence[int]) -> list[Path]:
    """Write the narrative of messages under reports/."""
    from adjudicator.report import write_reports as write

    return [path for seq in seqs for path in write(match, seq)]


def ask(question: str) -> bool:
    """A yes or no from the player. Raises Fail where nobody can answer."""
    typer.echo(f"{question} [y/N] ", nl=False)
    try:
        answer = sys.stdin.readline()
    except KeyboardInterrupt:
        say()
        raise
    if not answer or not sys.stdin.isatty():
        say()
    if not answer:
        raise Fail("error[stopped]: there is nobody to answer; add --yes to go on without asking")
    return answer.strip().lower() in ("y", "yes")


def quoted(text: str) -> str:
    """What a player wrote, so that none of its lines looks like one of this program."""
    lines = text.split("\n")
    more = [f"    | ... and {counted(len(lines) - LINES_QUOTED, 'more line')}"] if len(lines) > LINES_QUOTED else []
    return "\n".join([lines[0], *(f"    | {line}" for line in lines[1:LINES_QUOTED]), *more])


def pass_phrase(path: Path) -> bytes:
    """The pass phrase of a key, out of the environment or from the player. Raises Fail where nobody can answer."""
    import os
    from getpass import getpass

    given = os.environ.get(PASS_PHRASE)
    if given is not None:
        return given.encode()
    if not sys.stdin.isatty():
        text = f"the key has a pass phrase and there is nobody to ask for it; set {PASS_PHRASE}, or use another key"
        raise Fail(f"{path}: error[key]: {text}")
    return getpass(f"Pass phrase of {path}: ").encode()


def ask_for_pass_phrases() -> None:
    """From now on in this process the player is asked for the pass phrases of keys."""
    from adjudicator.match import keyring

    keyring.ask = pass_phrase


def player_side(side: str) -> str:
    """A side as people write it."""
    return side[:1].upper() + side[1:]
