"""The page of the command line, made from the help texts of the program itself (see make_pages.py)."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator

from adjudicator.cli.main import FAMILIES, PROGRAM, command_of, run

INTRODUCTION = """\
Exit codes: 0 done, 1 wrong for the game (illegal orders, a message or log that does not hold), 2 unusable (arguments,
files, folders). What is wrong is one line a problem, `FILE:LINE:COL: error[RULE]: what is wrong; why, in numbers; how
to mend`; problems of a turn file and results go to the standard output, all else to the error output. `--json` gives
the same for other programs. Nothing is changed by a command that ends with 1 or 2, but that `receive` keeps a refused
file in `kept/`. With `ADJUDICATOR_DEBUG=1` a fault of the program shows where it happened."""
GROUPS = ("pack", "case", "export")


def cli_page(made: str) -> str:
    """All commands with their help, in the order of the program's own list."""
    return "\n".join(["# Command line", "", made, "", INTRODUCTION, *_sections()]) + "\n"


def _sections() -> Iterator[str]:
    for path in commands():
        title = " ".join(path)
        yield from ("", f"## {title}", "", "```", help_text(path), "```")


def commands() -> list[tuple[str, ...]]:
    """Every command as typed, groups by their commands."""
    found: list[tuple[str, ...]] = []
    for names in FAMILIES.values():
        for name in names:
            inner = getattr(command_of().commands[name], "commands", None)
            found += [(name, each) for each in inner] if inner else [(name,)]
    return found


def help_text(path: tuple[str, ...]) -> str:
    """What ``--help`` of a command prints, at a fixed width."""
    out, before = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with contextlib.redirect_stdout(out):
            run([*path, "--help"])
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    lines = (line.rstrip() for line in out.getvalue().replace("\r", "").splitlines())
    return "\n".join(lines).strip().replace(f"Usage: {PROGRAM} ", f"{PROGRAM} ", 1)
