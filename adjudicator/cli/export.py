"""VASSAL: ``export vmod`` and ``export save``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import PUBLIC, WRONG, Fail, GameFolder, Json, playing, print_json, say, viewer_of

if TYPE_CHECKING:
    from adjudicator.match.match import Match

Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    group = typer.Typer(help="Files for VASSAL.")
    group.callback()(_root)
    group.command("vmod")(vmod)
    group.command("save")(save)
    app.add_typer(group, name="export")


def _root() -> None:
    """Files for VASSAL.

    The module of the game, and the position as a save of it.
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
        side = viewer_of(match, viewer)
        export_save(_pack(match), position, output, None if side == PUBLIC else side, title)
    _done(f"position after message {seq}", output, as_json)


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
