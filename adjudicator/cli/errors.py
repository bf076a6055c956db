"""From exceptions to one clear line and an exit code (DESIGN, Command line). Loaded only when something went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from adjudicator.cli.common import UNUSABLE, WRONG, Fail, print_json

DEBUG = "ADJUDICATOR_DEBUG"


def report(error: Exception, args: Sequence[str]) -> int:
    """Print what is wrong on stderr (with ``--json`` also as JSON on stdout) and return the exit code."""
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    lines, code = describe(error)
    if "--json" in args:
        print_json({"ok": False, "errors": lines})
    for line in lines:
        print(line, file=sys.stderr)
    return code


def describe(error: Exception) -> tuple[list[str], int]:
    """The lines for a player, and the exit code: 1 wrong for the game, 2 unusable."""
    if isinstance(error, Fail):
        return error.lines, error.code
    if isinstance(error, typer.TyperException):
        return [_usage(error)], UNUSABLE
    if isinstance(error, typer.Abort):
        return ["error[stopped]: no answer; nothing was changed"], UNUSABLE
    known = _of_the_house(error)
    if known is not None:
        return known
    if isinstance(error, OSError):
        return [_system(error)], UNUSABLE
    return [_fault(error)], UNUSABLE


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "adjudicator") if context is not None else "adjudicator"
    text = " ".join(error.format_message().split()).rstrip(".")
    return f"error[usage]: {text[:1].lower()}{text[1:]}; see `{path} --help`"


def _of_the_house(error: Exception) -> tuple[list[str], int] | None:
    from adjudicator.match.files import FolderBusy
    from adjudicator.match.folder import FolderError
    from adjudicator.match.games import UnknownSystem, UnknownVersion
    from adjudicator.packs.errors import PackError
    from adjudicator.protocol.keys import KeyFileError
    from adjudicator.protocol.secret import SecretError
    from adjudicator.protocol.verdicts import ProtocolError
    from adjudicator.report import ReportError
    from adjudicator.vassal import ExportError

    if isinstance(error, ProtocolError):
        return [error.verdict.show()], WRONG
    if isinstance(error, (FolderError, FolderBusy)):
        return [f"error[folder]: {error}"], UNUSABLE
    if isinstance(error, ReportError):
        return [f"error[report]: {error}"], WRONG
    if isinstance(error, ExportError):
        return [f"error[export]: {error}"], UNUSABLE
    if isinstance(error, PackError):
        return [f"error[pack]: {error}"], UNUSABLE
    if isinstance(error, (UnknownSystem, UnknownVersion)):
        return [f"error[usage]: {error}"], UNUSABLE
    if isinstance(error, (KeyFileError, SecretError)):
        return [f"error[key]: {error}"], UNUSABLE
    return None


def _system(error: OSError) -> str:
    name = error.filename if isinstance(error.filename, str) else os.fspath(error.filename) if error.filename else ""
    where = f"{name}: " if name else ""
    mends = {
        PermissionError: "give yourself the right to read and write it, or use another place",
        FileNotFoundError: "look at the name; a relative name counts from the folder you are in",
        IsADirectoryError: "name a file, not a folder",
        NotADirectoryError: "a part of the name is a file, not a folder",
        FileExistsError: "choose another name, or remove it first",
    }
    mend = next(
        (text for kind, text in mends.items() if isinstance(error, kind)), "see whether the disk is full or away"
    )
    reason = (error.strerror or str(error)).lower()
    return f"{where}error[file]: {reason}; {mend}"


def _fault(error: Exception) -> str:
    text = " ".join(str(error).split())[:300]
    return (
        f"error[internal]: the program failed ({type(error).__name__}: {text}); please report it where you got the "
        f"program, with the command and its files; {DEBUG}=1 shows where it happened"
    )
