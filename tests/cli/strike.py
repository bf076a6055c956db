"""Commands in processes of their own, struck at one of the steps that the system sees: killed, stopped, or refused."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from adjudicator.cli import chance
from adjudicator.cli.main import main

DEAD = 99
STEPS = (
    (os, "fsync"), (os, "replace"), (os, "rename"), (os, "link"), (os, "unlink"), (Path, "write_bytes"), (typer, "echo")
)
"""Syncs, renames, links, removals and printed lines."""


def start(words: Sequence[object], prepare: Callable[[], None], told: Path | None = None) -> int:
    """Begin a command line in a process of its own, and give its number. What it prints goes into ``told``."""
    child = os.fork()
    if child:
        return child
    try:
        where = os.open(told or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(where, 1)
        os.dup2(where, 2)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - to its end
        sys.argv = ["adjudicator", *map(str, words)]
        prepare()
        main()
    except BaseException as error:
        os.write(2, f"Traceback: {error!r}\n".encode())
    os._exit(98)


def end(child: int) -> int:
    """Wait for the end of a process; its exit code, below 0 for the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def struck(words: Sequence[object], at: int, blow: Callable[[], None], told: Path | None = None) -> int:
    """Run a command that is struck just before its step number ``at``; its exit code."""

    def prepare() -> None:
        chance._source = os.urandom  # a second body would be another one
        strike(at, blow)

    return end(start(words, prepare, told))


def strike(at: int, blow: Callable[[], None]) -> None:
    """Let the step number ``at`` of this process, and no other, be struck."""
    left = [at]

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if not left[0]:
                blow()
            return real(*given, **named)

        return call

    for where, name in STEPS:
        setattr(where, name, wrap(getattr(where, name)))


def die() -> None:
    """As by a power cut: nothing of the process runs any more."""
    os._exit(DEAD)
