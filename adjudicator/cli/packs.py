"""The data packs: ``pack list``, ``pack show``, ``pack check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, Json, leave, print_json, read_bytes, say, write_result
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.packs.load import Pack
    from adjudicator.packs.overlay import Overlaid
    from adjudicator.packs.summary import Datum

SystemOrFolder = Annotated[
    str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert, or a folder.", show_default=False)
]
System = Annotated[str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert.", show_default=False)]
HERE = "./"
"""Before the name of an overlay that is called as a file of the pack is, so that faults tell the two apart."""
OverlayFile = Annotated[
    Path | None,
    typer.Option("--overlay", metavar="FILE", help="Your corrections, laid over the pack.", show_default=False),
]


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
    part: Annotated[str, typer.Argument(metavar="[PART]", help="A part, as counters.", show_default=False)] = "",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="What to show of it.", show_default=False)
    ] = None,
    doubtful: Annotated[bool, typer.Option("--doubtful", help="List all that is not from the rulebook.")] = False,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Draw the map as SVG.", show_default=False)
    ] = None,
    counter_file: Annotated[
        Path | None,
        typer.Option("--counter-sheet", metavar="FILE", help="Draw all counters as SVG.", show_default=False),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option("--overlay-template", metavar="FILE", help="Write doubtful data to correct.", show_default=False),
    ] = None,
    overlay: OverlayFile = None,
    as_json: Json = False,
) -> None:
    """What a pack holds, by source, or a part of it.

    Parts: counters, air, types, charts NAME, events TURN or UNIT, scenarios NAME, hexes PLACE [HOW FAR], places,
    rulings, assumptions and others; WORDS pick out records.
    """
    from adjudicator.packs import load_pack
    from adjudicator.packs.summary import doubtful as doubts

    pack = _over(system, overlay) if overlay is not None else load_pack(system)
    if map_file is not None:
        _draw(pack, map_file)
    if counter_file is not None:
        _draw_counters(pack, counter_file)
    if template is not None:
        _write_template(system, template)
    if doubtful:
        _show_doubtful(pack, doubts(pack.tree), as_json)
    elif part:
        _show_part(pack, part, words or [], as_json)
    elif map_file is None and template is None and counter_file is None:
        _show_parts(pack, as_json)
    elif as_json:
        files = {"map": map_file, "counters": counter_file, "template": template}
        print_json({"ok": True, **{key: str(file) for key, file in files.items() if file is not None}})


def _over(system: str, overlay: Path) -> Pack:
    """The pack with an overlay over it. Raises Fail where that has faults."""
    from adjudicator.packs.load import Pack, canonical_json

    laid = _lay(system, overlay)
    if laid.tree is None:
        raise Fail(*_shown(laid, system), code=WRONG)
    tree = laid.tree
    return Pack(tree["system"], tree["version"], tree["title"], tree, canonical_json(tree))


def _lay(system: str, overlay: Path) -> Overlaid:
    from adjudicator.packs.errors import PackError
    from adjudicator.packs.files import read_pack
    from adjudicator.packs.overlay import MAX_BYTES, lay, read_overlay

    folder = _folder(system)
    like_own = not overlay.is_absolute() and (folder / overlay).is_file()
    try:
        own = read_overlay(read_bytes(overlay, MAX_BYTES), f"{HERE}{overlay}" if like_own else str(overlay))
        return lay(read_pack(folder), own)
    except PackError as error:
        raise Fail(str(error).replace(" error: ", " error[pack.file]: ", 1)) from None


def _shown(laid: Overlaid, system: str) -> list[str]:
    """The faults with the names of their files as they lie on the disk."""
    folder = _folder(system)
    of_pack = {f.file for f in laid.faults if not f.file.startswith(HERE) and (folder / f.file).is_file()}
    places = {f.file: folder / f.file if f.file in of_pack else f.file for f in laid.faults}
    return [f"{places[f.file]}{str(f).removeprefix(f.file)}" for f in laid.faults]


def _show_part(pack: Pack, part: str, words: list[str], as_json: bool) -> None:
    from adjudicator.packs.show import show_part

    shown = show_part(pack.tree, part, words)
    if as_json:
        print_json({"ok": True, "system": pack.system, "part": part, "rows": shown.rows})
        return
    for text in shown.lines:
        say(text)


def _draw(pack: Pack, file: Path) -> None:
    """Write the whole map of a pack as one SVG, drawn as the boards of the VASSAL module are."""
    from adjudicator.vassal import adaptor

    write_result(file, adaptor(pack.tree).whole_map())
    say(f"Map: {file}")


def _draw_counters(pack: Pack, file: Path) -> None:
    """Write one sheet with every counter, front and back, as the VASSAL module shows them."""
    from adjudicator.vassal import adaptor

    write_result(file, adaptor(pack.tree).counter_sheet())
    say(f"Counters: {file}")


def _write_template(system: str, file: Path) -> None:
    from adjudicator.packs.files import read_pack
    from adjudicator.packs.overlay import template_of

    if file.exists():
        raise Fail(f"{file}: error[file]: there is a file of that name; name another, that one may hold corrections")
    write_result(file, template_of(read_pack(_folder(system))).encode())
    say(f"Overlay to correct: {file}. Then: adjudicator pack check {system} --overlay {file}")


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
    from adjudicator.packs.show import parts as parts_of
    from adjudicator.packs.summary import by_source
    from adjudicator.protocol.rules import pack_digest

    parts, digest = by_source(pack.tree), pack_digest(pack.tree)
    if as_json:
        head = {"system": pack.system, "title": pack.title, "version": pack.version, "digest": digest}
        print_json({"ok": True, **head, "parts": {part: dict(counts) for part, counts in parts.items()}})
        return
    say(f"{pack.title} ({pack.system}), data version {pack.version}, rules version {game(pack.system).version}")
    say(f"digest {digest}")
    for row in pack.tree.get("overlay", {}).get("corrections", []):
        say(f"corrected: {correction(row)}")
    for row in pack.rows("scenarios"):
        say(f"scenario {row['id']}: {row.get('title')}, {row.get('start')} to {row.get('end')}. {row.get('about', '')}")
    say("Records by part and source:")
    for part, counts in parts.items():
        told = ", ".join(f"{count} {source}" for source, count in sorted(counts.items()))
        say(f"  {part}: {sum(counts.values())} ({told})")
    say(f"  assumptions: {len(pack.rows('assumptions'))}; list them with --doubtful")
    say(f"Show a part: adjudicator pack show {pack.system} PART; parts: {', '.join(parts_of(pack.tree))}")


def correction(row: dict[str, Any]) -> str:
    """A correction of an overlay in one line."""
    change = f"{row['field']} {row['before'] or 'nothing'} -> {row['after']}" if row["field"] else row["after"]
    return f"{row['part']} {row['what']}: {change}"


def check(system: SystemOrFolder, overlay: OverlayFile = None, as_json: Json = False) -> None:
    """Find all faults of a pack at once, or of your corrections to it.

    SYSTEM is a game, or the folder of a pack of your own.
    """
    from adjudicator.packs import check_pack

    folder = _folder(system)
    name = folder.name
    if overlay is not None:
        laid = _lay(system, overlay)
        faults, done = _shown(laid, system), f"{counted(len(laid.corrections), 'correction')} of {overlay}: "
    else:
        found = check_pack(folder)
        faults = [f"{folder / fault.file}{str(fault).removeprefix(fault.file)}" for fault in found] or _stale(folder)
        done = ""
    if as_json:
        print_json({"ok": not faults, "system": name, "faults": faults})
    else:
        for text in faults:
            say(text)
        say(f"{name}: {done}{counted(len(faults), 'fault')}")
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
