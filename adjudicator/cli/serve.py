"""Bare openings without a person: ``serve`` (PROTOCOL 8)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.common import WRONG, Fail, GameFolder, playing, say

INBOX = Annotated[
    Path | None, typer.Option("--inbox", metavar="FOLDER", help="Where the other side's files come.")
]


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(serve)


def serve(
    folder: GameFolder,
    inbox: INBOX = None,
    head: Annotated[
        int | None, typer.Option("--head", metavar="SEQ", help="You confirm: this is the newest message there is.")
    ] = None,
    outbox: Annotated[
        Path | None, typer.Option("--outbox", metavar="FOLDER", help="Also put the files to mail there.")
    ] = None,
    every: Annotated[float, typer.Option("--every", metavar="SECONDS", help="How often it looks.", min=1)] = 30,
    once: Annotated[bool, typer.Option("--once", help="Look once, then end.")] = False,
    make_kit: Annotated[
        int | None,
        typer.Option("--make-kit", metavar="LINK", help="Write a folder that opens links up to LINK, without secret."),
    ] = None,
    end: Annotated[
        Path | None, typer.Option("--end", metavar="KIT", help="Take the log of a kit home; this folder signs again.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where the kit goes.")] = None,
) -> None:
    """Open the other side's dice unattended.

    Takes in what comes into a folder and signs bare messages that decide nothing.
    What needs you waits for you. Never start it on an old copy of the game.
    """
    if make_kit is not None:
        _make_kit(folder, make_kit, output or folder.with_name(f"{folder.name}-kit"))
    elif end is not None:
        _end_kit(folder, end)
    else:
        _serve(folder, inbox, head, outbox, None if once else every)


def _serve(folder: Path, inbox: Path | None, head: int | None, outbox: Path | None, every: float | None) -> None:
    from adjudicator.cli import chance
    from adjudicator.cli.common import ask_for_pass_phrases
    from adjudicator.match.serving import ServeError, Server

    ask_for_pass_phrases()
    if inbox is None or not inbox.is_dir():
        raise Fail("error[usage]: there is no folder to look into; name it with --inbox FOLDER")
    if head is None:
        raise Fail("error[serve]: nobody has confirmed the newest message; look at `status`, then say --head SEQ")
    try:
        server = Server(folder, inbox, head, outbox)
        while True:
            for line in server.round(chance.random):
                say(line)
            if every is None:
                return
            if not _slept(every):
                say("stopped; nothing is half done")
                return
    except ServeError as error:
        raise Fail(f"error[serve]: {error}", code=WRONG) from None


def _slept(seconds: float) -> bool:
    """Wait; False where a person has stopped it meanwhile."""
    try:
        time.sleep(seconds)
    except KeyboardInterrupt:
        return False
    return True


def _make_kit(folder: Path, top: int, output: Path) -> None:
    from adjudicator.match.serving import ServeError, make_kit

    with playing(folder) as match:
        try:
            made = make_kit(match, top, output)
        except ServeError as error:
            raise Fail(f"error[serve]: {error}", code=WRONG) from None
        head = match.verifier.head
    say(f"Kit: {made}. It holds your signing key and the links up to {top}, not your secret: who has it can open so "
        "far and sign for you.")
    say(f"From now on it signs for you, and {folder} does not, until `adjudicator serve {folder} --end {made}`.")
    say(f"There: `adjudicator serve {made} --inbox FOLDER --head {head}`")


def _end_kit(folder: Path, kit: Path) -> None:
    from adjudicator.match.proof import find_log
    from adjudicator.match.serving import ServeError, end_kit

    log = find_log(kit)
    with playing(folder) as match:
        try:
            head = end_kit(match, log)
        except ServeError as error:
            raise Fail(f"error[serve]: {error}", code=WRONG) from None
    say(f"Taken home: messages up to {head}. {folder} signs again; remove {kit}.")
