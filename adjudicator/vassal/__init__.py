"""VASSAL modules, saves and logs of the games.

What is called from outside stands here; everything heavy is imported only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudicator.engine.core import Event
    from adjudicator.vassal.adaptor import Adaptor
    from adjudicator.vassal.steps import LogStep, Replay

Tree = Mapping[str, Any]

__all__ = [
    "GAMES",
    "ExportError",
    "ImportFault",
    "adaptor",
    "export_events",
    "export_log",
    "export_save",
    "export_vmod",
    "import_log",
]


class ExportError(ValueError):
    """An export that cannot be made; the message says why and what to do."""


class ImportFault(ValueError):
    """A log that no orders can be read from; the message says why."""


def _western_desert(pack: Tree) -> Adaptor:
    from adjudicator.vassal.western_desert import WesternDesert

    return WesternDesert(pack)


def _shifting_sands(pack: Tree) -> Adaptor:
    from adjudicator.vassal.shifting_sands import ShiftingSands

    return ShiftingSands(pack)


# The games that can be exported, by the system their pack names.
GAMES: dict[str, Callable[[Tree], Adaptor]] = {"shifting-sands": _shifting_sands, "western-desert": _western_desert}


def adaptor(pack_tree: Tree) -> Adaptor:
    """What makes modules, saves and logs of a compiled pack. Raises ExportError for a game without any."""
    system = str(pack_tree.get("system", ""))
    if system not in GAMES:
        raise ExportError(f"there is no VASSAL module for {system or 'a pack without a system'} yet")
    return GAMES[system](pack_tree)


def export_vmod(pack_tree: Tree, out: Path) -> None:
    """Writes the module of a game from its compiled pack.

    The same pack gives the same bytes. Raises ExportError for a pack that no module can be made of,
    OSError when the file cannot be written; the old file then stays as it was.
    """
    from adjudicator.vassal.archive import write_archive
    from adjudicator.vassal.buildfile import module_entries

    write_archive(out, module_entries(adaptor(pack_tree).module()))


def export_save(pack_tree: Tree, position_tree: Tree, out: Path, viewer: str | None, title: str) -> None:
    """Writes a position as a save of the game's module.

    `viewer` is the side the file is for: rows of the position that another side alone may see are
    left out. With None only what is public is written. The same position gives the same bytes.
    Raises ExportError for a position that names an unknown counter, hex or box, OSError when the file
    cannot be written; the old file then stays as it was.
    """
    from adjudicator.vassal.archive import write_archive
    from adjudicator.vassal.savefile import SaveError, Writer, save_entries

    game = adaptor(pack_tree)
    module = game.module(pictures=False)
    try:
        commands = Writer(module).position_commands(game.save(position_tree, viewer, title))
    except SaveError as error:
        raise ExportError(f"this position cannot be shown: {error}") from error
    write_archive(out, save_entries(module, title, commands))


def export_log(
    pack_tree: Tree, position_tree: Tree, steps: Iterable[LogStep], out: Path, viewer: str | None, title: str
) -> None:
    """Writes what happened after a position as a log to step through: one step per order or event.

    `steps` come from `adjudicator.vassal.steps.log_steps`, or are made by hand: lines of chat and the position
    after. The log ends in the same position as the save of the last one. Errors as for `export_save`.
    """
    from adjudicator.vassal.archive import write_archive
    from adjudicator.vassal.logfile import log_commands
    from adjudicator.vassal.savefile import SaveError, Writer, save_entries

    game = adaptor(pack_tree)
    module = game.module(pictures=False)
    try:
        start, made = game.log(position_tree, steps, viewer, title)
        commands = log_commands(Writer(module), start, made)
    except SaveError as error:
        raise ExportError(f"this log cannot be written: {error}") from error
    write_archive(out, save_entries(module, title, commands))


def export_events(
    pack_tree: Tree,
    table: Replay,
    state: Any,
    events: Iterable[Event],
    out: Path,
    viewer: str | None,
    title: str,
    scenario: str = "",
) -> None:
    """Writes the log of a message: `state` is that before its events, and is changed by them.

    `table` is the game's (engine.game.Table). With `scenario` the save shows what only that says, as airfields.
    """
    from adjudicator.vassal.steps import log_steps

    before = {**table.position(state), **({"scenario": scenario} if scenario else {})}
    words = adaptor(pack_tree).words()
    steps = log_steps(table, state, events, words, viewer, words.staging)
    export_log(pack_tree, before, steps, out, viewer, title)


def import_log(pack_tree: Tree, log: Path, side: str) -> str:
    """A draft of a turn file from the moves a player of this side recorded in a log of the module.

    The file may come from anybody: it is read within limits and nothing in it is carried out. Raises ImportFault
    for a file that is no log, or one of another module.
    """
    from adjudicator.vassal.plans import draft_text, hops
    from adjudicator.vassal.reader import ReadError, read_save

    game = adaptor(pack_tree)
    try:
        save = read_save(log)
        name = save.module_metadata.get("name", "")
        if name and name != str(pack_tree["title"]):
            raise ImportFault(f"{log.name}: a log of the module {name!r}, not of {pack_tree['title']!r}")
        found = hops(save, game.place_at)
    except ReadError as error:
        raise ImportFault(str(error)) from error
    return draft_text(found, game.names(side), log.name)
