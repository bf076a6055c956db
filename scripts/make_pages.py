"""Writes the pages that are made from data or code, so that they can't disagree with it. ``--check`` only compares.

Made are ``docs/rulings.md`` from the rulings of both games, for each game ``docs/orders-GAME.md`` and
``turnfiles/GAME/schema.json`` from its order types, ``docs/cli.md`` from the help of the program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from cli_page import cli_page
from order_pages import Game, orders_page, schema

from adjudicator.shifting_sands import orders as shifting_sands
from adjudicator.shifting_sands import switches as sands_switches
from adjudicator.western_desert import orders as western_desert
from adjudicator.western_desert import switches as desert_switches

ROOT = Path(__file__).resolve().parent.parent
MADE = "<!-- Made by scripts/make_pages.py; change the source, not this page. -->"
WEIGHTS = {"high": "much hangs on these", "medium": "something hangs on these", "low": "little hangs on these"}
NAMES = {"western-desert": "Western Desert", "shifting-sands": "Shifting Sands"}
OPTIONS = {"western-desert": desert_switches.OPTIONS_BUILT, "shifting-sands": sands_switches.OPTIONS_BUILT}


def rulings_page() -> str:
    """All rulings of both games, where they are weighed those with most weight first, each with its switch."""
    rulings = (line for game in NAMES for line in (*_rulings(game), *_options(game)))
    return "\n".join(["# Rulings", "", MADE, "", *_rulings_head(), *rulings]) + "\n"


def _rulings_head() -> Iterator[str]:
    yield "Where a rulebook is silent, damaged, or says two things, the program plays by a numbered ruling. A ruling"
    yield "with a *switch* can be set otherwise when a game is offered (`new --switch NAME=VALUE`); the switches stand"
    yield "in the genesis both players sign, and in the hash every message carries. The source is `rulings.yaml` in the"
    yield "folder of each game in `module/`. Optional rules of a rulebook are agreed on in the same way, all of them in"
    yield "one switch: `--switch options='33.D 33.H'`."


def _options(game: str) -> Iterator[str]:
    """The optional rules of a game, and which of them the program has."""
    rows = yaml.load((ROOT / "module" / game / "rulings.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)["options"]
    yield from ("", f"## {NAMES[game]}: optional rules", "", "| rule | what it does | |", "|---|---|---|")
    for row in rows:
        state = "in use unless left out" if row["default"] == "yes" else "by agreement"
        built = state if row["id"] in OPTIONS[game] else "not built in this version"
        yield f"| {row['id']} | {_cell(row['about'])} | {built} |"


def _rulings(game: str) -> Iterator[str]:
    rows = yaml.safe_load((ROOT / "module" / game / "rulings.yaml").read_text(encoding="utf-8"))["rulings"]
    for weight in [*WEIGHTS, None]:
        found = [row for row in rows if row.get("weight") == weight]
        if found:
            title = f"{NAMES[game]}: {WEIGHTS[weight]}" if weight else NAMES[game]
            yield from ("", f"## {title}", "", "| no. | ruling | rules | name, switch |", "|---|---|---|---|")
            yield from (f"| {row['n']} | {_ruling(row)} | {', '.join(row['rules'])} | {_name(row)} |" for row in found)


def _ruling(row: dict[str, Any]) -> str:
    about = f"*{row['about'][:1].upper()}{row['about'][1:]}.* " if "about" in row else ""
    return _cell(about + row["ruling"])


def _name(row: dict[str, Any]) -> str:
    if "switch" not in row:
        return f"`{row['id']}`"
    switch = row["switch"]
    values = [_text(value) for value in switch["values"]]
    default = _text(switch["default"])
    others = ", ".join(f"`{value}`" for value in values if value != default)
    return f"`{row['id']}`; switch `{switch['name']}` = `{default}`, or {others}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


GAMES = {
    "western-desert": Game(
        "Western Desert", western_desert.TYPES, western_desert.SECTIONS, "Units, hexes and places"
    ),
    "shifting-sands": Game(
        "Shifting Sands", shifting_sands.TYPES, shifting_sands.SECTIONS, "Units, spaces and cards"
    ),
}

PAGES: dict[str, Callable[[], str]] = {
    "docs/rulings.md": rulings_page,
    **{f"docs/orders-{slug}.md": partial(orders_page, game, MADE) for slug, game in GAMES.items()},
    **{f"turnfiles/{slug}/schema.json": partial(schema, game) for slug, game in GAMES.items()},
    "docs/cli.md": lambda: cli_page(MADE),
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` name those that are not current; 1 if any is not."""
    stale = []
    for name, make in PAGES.items():
        path, text = ROOT / name, make()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    for name in stale:
        print(f"{name}: {'not current; run scripts/make_pages.py' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
