"""The data packs: ``pack list``, ``pack show``, ``pack check``."""

from __future__ import annotations

import typer

from adjudicator.cli.common import Json, print_json, say


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    group = typer.Typer(help="The data packs.")
    group.callback()(_root)
    group.command("list")(list_packs)
    app.add_typer(group, name="pack")


def _root() -> None:
    """The data packs: maps, counters, charts and scenarios, each datum with its source."""


def list_packs(as_json: Json = False) -> None:
    """The packs this program carries."""
    from adjudicator.packs import load_pack, systems

    rows = []
    for system in systems():
        pack = load_pack(system)
        scenarios = [str(row["id"]) for row in pack.rows("scenarios")]
        rows.append({"system": system, "title": pack.title, "version": pack.version, "scenarios": scenarios})
    if as_json:
        print_json({"ok": True, "packs": rows})
        return
    for row in rows:
        say(f"{row['system']}: {row['title']}, version {row['version']}; scenarios: {', '.join(row['scenarios'])}")
