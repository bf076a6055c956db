"""The data packs: ``pack list``, ``pack show``, ``pack check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Json, leave, print_json, say

if TYPE_CHECKING:
    from adjudicator.packs.load import Pack
    from adjudicator.packs.summary import Datum

SystemOrFolder = Annotated[
    str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert, or a folder.", show_default=False)
]
System = Annotated[str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    group = typer.Typer(help="The data packs: maps, counters, charts, scenarios, each datum with its source.")
    group.callback()(_root)
    group.command("list")(list_packs)
    group.command("show")(show)
    group.command("check")(check)
    app.add_typer(group, name="pack")


def _root() -> None:
    """The data packs.

    Maps, counters, charts and scenarios, each datum with its source.
    """


def list_packs(as_json: Json = False) -> None:
    """The packs this program carries."""
    from adjudicator.packs import load_pack, systems

    rows: list[dict[str, Any]] = []
    for system in systems():
        pack = load_pack(system)
        scenarios = [str(row["id"]) for row in pack.rows("scenarios")]
        rows.append({"system": system, "title": pack.title, "version": pack.version, "scenarios": scenarios})
    if as_json:
        print_json({"ok": True, "packs": rows})
        return
    for row in rows:
        say(f"{row['system']}: {row['title']}, version {row['version']}; scenarios: {', '.join(row['scenarios'])}")


def show(
    system: System,
    doubtful: Annotated[bool, typer.Option("--doubtful", help="List all that is not from the rulebook.")] = False,
    as_json: Json = False,
) -> None:
    """What a pack holds, by source."""
    from adjudicator.packs import load_pack
    from adjudicator.packs.summary import doubtful as doubts

    pack = load_pack(system)
    if doubtful:
        _show_doubtful(pack, doubts(pack.tree), as_json)
    else:
        _show_parts(pack, as_json)


def _show_doubtful(pack: Pack, data: list[Datum], as_json: bool) -> None:
    assumptions = pack.rows("assumptions")
    if as_json:
        rows = [{"part": datum.part, **datum.row} for datum in data]
        print_json({"ok": True, "system": pack.system, "doubtful": rows, "assumptions": assumptions})
        return
    say(f"{pack.title}, version {pack.version}: {len(data)} records are not from the rulebook.")
    for datum in data:
        say(f"{datum.part}: {datum.line}")
    say(f"Assumptions ({len(assumptions)}), each with what to look at in the printed game:")
    for row in assumptions:
        say(f"  {row.get('id')}: {row.get('what')}; because {row.get('why')}; look at {row.get('look')}")


def _show_parts(pack: Pack, as_json: bool) -> None:
    from adjudicator.match.games import game
    from adjudicator.packs.summary import by_source
    from adjudicator.protocol.rules import pack_digest

    parts, digest = by_source(pack.tree), pack_digest(pack.tree)
    if as_json:
        head = {"system": pack.system, "title": pack.title, "version": pack.version, "digest": digest}
        print_json({"ok": True, **head, "parts": {part: dict(counts) for part, counts in parts.items()}})
        return
    say(f"{pack.title} ({pack.system}), data version {pack.version}, rules version {game(pack.system).version}")
    say(f"digest {digest}")
    for row in pack.rows("scenarios"):
        say(f"scenario {row['id']}: {row.get('title')}, {row.get('start')} to {row.get('end')}. {row.get('about', '')}")
    say("Records by part and source:")
    for part, counts in parts.items():
        told = ", ".join(f"{count} {source}" for source, count in sorted(counts.items()))
        say(f"  {part}: {sum(counts.values())} ({told})")
    say(f"  assumptions: {len(pack.rows('assumptions'))}; list them with --doubtful")


def check(system: SystemOrFolder, as_json: Json = False) -> None:
    """Find all faults of a pack at once.

    SYSTEM is a game, or the folder of a pack of your own.
    """
    from adjudicator.packs import check_pack

    folder = _folder(system)
    system = folder.name
    faults = [f"{folder / fault.file}{str(fault).removeprefix(fault.file)}" for fault in check_pack(folder)]
    faults += _stale(folder) if not faults else []
    if as_json:
        print_json({"ok": not faults, "system": system, "faults": faults})
    else:
        for fault in faults:
            say(fault)
        say(f"{system}: {len(faults)} fault{'s' if len(faults) != 1 else ''}")
    leave(WRONG if faults else 0)


def _folder(system: str) -> Path:
    """The folder of a game's pack, or the one that was named."""
    from adjudicator.packs import pack_folder

    folder = Path(system)
    return folder if (folder / "pack.yaml").is_file() else pack_folder(system)


def _stale(folder: Path) -> list[str]:
    """The compiled file must be what the data files compile to."""
    from adjudicator.packs import compile_pack
    from adjudicator.packs.load import canonical_json

    target = folder / "pack.json"
    if target.is_file() and target.read_bytes() == canonical_json(compile_pack(folder)):
        return []
    text = "the compiled pack is not what the files compile to; run scripts/build_pack.py"
    return [f"{target}:1:1: error[pack.stale]: {text}"]
