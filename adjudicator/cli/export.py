"""VASSAL: ``export vmod``, ``export save``, ``export log`` and ``import-log``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import (
    PUBLIC,
    WRONG,
    Fail,
    GameFolder,
    Json,
    playing,
    print_json,
    say,
    viewer_of,
    write_result,
)

if TYPE_CHECKING:
    from adjudicator.match.match import Match

Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    group = typer.Typer(help="Files for VASSAL.")
    group.callback()(_root)
    group.command("vmod")(vmod)
    group.command("save")(save)
    group.command("log")(log)
    app.add_typer(group, name="export")
    app.command("import-log")(import_log)


def _root() -> None:
    """Files for VASSAL.

    The module of the game, and for it positions as saves and messages as logs to step through.
    """


def vmod(folder: GameFolder, output: Output, as_json: Json = False) -> None:
    """Write the VASSAL module of the game."""
    from adjudicator.vassal import export_vmod

    _file(output, ".vmod")
    with playing(folder) as match:
        export_vmod(_pack(match), output)
    _done("module", output, as_json)


def save(
    folder: GameFolder,
    output: Output,
    viewer: Annotated[str, typer.Option("--for", metavar="SIDE", help="As this side, or the public, may see it.")] = "",
    as_json: Json = False,
) -> None:
    """Write the newest position as a VASSAL save."""
    from adjudicator.match.due import position_of
    from adjudicator.vassal import export_save

    _file(output, ".vsav")
    with playing(folder) as match:
        position = position_of(match)
        if position is None:
            raise Fail("error[export]: nothing is set up yet; the set-up is opened by message 1", code=WRONG)
        seq = match.verifier.resolved
        title = f"{match.verifier.genesis.body['title']}, after message {seq}"
        shown = {**position, "scenario": _scenario(match)}
        export_save(_pack(match), shown, output, _viewer(match, viewer), title)
    _done(f"position after message {seq}", output, as_json)


def log(
    folder: GameFolder,
    output: Output,
    seq: Annotated[int | None, typer.Argument(metavar="SEQ", help="Message; else the newest resolved.")] = None,
    viewer: Annotated[str, typer.Option("--for", metavar="SIDE", help="As this side, or the public, may see it.")] = "",
    as_json: Json = False,
) -> None:
    """Write a message as a VASSAL log.

    To be stepped through: each move, attack and retreat is a step, with its words in the chat.
    """
    from adjudicator.report.chapter import chapter_of
    from adjudicator.vassal import export_events

    _file(output, ".vlog")
    with playing(folder) as match:
        match.look_or_halt()
        side = viewer_of(match, viewer)
        chapter, before = chapter_of(match, seq, side)
        if chapter.seq == 0 or before.phase == "setup":
            raise Fail("error[export]: the set-up is no log; `export save` shows the position after it", code=WRONG)
        title = f"{match.verifier.genesis.body['title']}, message {chapter.seq}"
        viewer_side = _viewer(match, viewer)
        scenario = _scenario(match)
        pack, table = match.rules_at(chapter.seq).pack.tree, match.table_at(chapter.seq)
        export_events(pack, table, before, chapter.events, output, viewer_side, title, scenario)
    _done(f"log of message {chapter.seq}", output, as_json)


def import_log(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A log recorded in VASSAL.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the turn file there.")
    ] = None,
    game: Annotated[
        Path | None, typer.Option("--game", metavar="DIR", help="The game folder; else this one.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Make a turn file out of moves recorded in VASSAL.

    Push your counters about in the module while VASSAL records a log: each way becomes a move order, and what can
    be none is told in comments. The file is a draft, to be checked and completed.
    """
    from adjudicator.match.plan import folder_of, quietly
    from adjudicator.vassal import ImportFault
    from adjudicator.vassal import import_log as read_log

    match = quietly(folder_of(game))
    if not match.me:
        raise Fail("error[usage]: this folder belongs to no player; --game DIR names the folder of one")
    if not file.is_file():
        raise Fail(f"{file}: error[file]: there is no such file; look at the name")
    try:
        text = read_log(_pack(match), file, match.me)
    except ImportFault as fault:
        raise Fail(f"error[import]: {fault}; record it with the module that `export vmod` writes") from None
    if output is not None:
        if output.exists() and not output.is_dir() and not force:
            raise Fail(f"{output}: error[file]: there is a file of that name; choose another, or add --force")
        write_result(output, text.encode())
    if as_json:
        print_json({"ok": True, "file": str(output) if output else None, "text": text})
    elif output is None:
        say(text.rstrip("\n"))
    else:
        say(f"Turn file: {output}")
        say(f"Next: complete it, then `adjudicator check {output} --game {match.folder.root}`.")


def _viewer(match: Match, viewer: str) -> str | None:
    """Whom a save or log is for; None for the public."""
    side = viewer_of(match, viewer)
    return None if side == PUBLIC else side


def _scenario(match: Match) -> str:
    """The scenario, whose airfields, boxes and status of Malta the position itself does not hold."""
    return str(match.verifier.genesis.body["scenario"])


def _file(output: Path, suffix: str) -> None:
    if output.is_dir():
        raise Fail(f"{output}: error[file]: this is a folder; name the file to write, as {output / ('game' + suffix)}")
    if not output.parent.is_dir():
        raise Fail(f"{output}: error[file]: there is no folder {output.parent}; make it first")


def _pack(match: Match) -> dict[str, object]:
    return match.pack.tree


def _done(what: str, output: Path, as_json: bool) -> None:
    if as_json:
        print_json({"ok": True, "file": str(output)})
        return
    say(f"VASSAL {what}: {output}")
