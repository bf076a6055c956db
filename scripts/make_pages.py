"""Writes the pages that are made from data or code, so that they can't disagree with it. ``--check`` only compares.

Made are ``docs/rulings.md`` from the rulings of the data packs, ``docs/orders-western-desert.md`` and
``turnfiles/western-desert/schema.json`` from the order types of the game, ``docs/cli.md`` from the help of the program.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from cli_page import cli_page

from adjudicator.engine.schema import LISTS, ROWS, Field, Fields, OrderType
from adjudicator.match.draft import HEADER
from adjudicator.western_desert.orders import SECTIONS, TYPES

ROOT = Path(__file__).resolve().parent.parent
MADE = "<!-- Made by scripts/make_pages.py; change the source, not this page. -->"
WEIGHTS = {
    "high": "Much hangs on these",
    "medium": "Something hangs on these",
    "low": "Little hangs on these",
}
KINDS = {
    "unit": "a unit",
    "units": "units",
    "hex": "a hex",
    "hexes": "hexes",
    "counter": "a supply counter",
    "counters": "supply counters",
    "wishes": "hexes, bearings or terrains",
    "rows": "a list of entries",
    "number": "a whole number",
    "text": "text",
    "any": "see text",
}


def rulings_page() -> str:
    """All rulings of Western Desert, those with most weight first, each with its switch."""
    source = yaml.safe_load((ROOT / "module/western-desert/rulings.yaml").read_text(encoding="utf-8"))
    return "\n".join(["# Rulings of Western Desert", "", MADE, "", *_rulings(source["rulings"])]) + "\n"


def _rulings(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "Where the rulebook is silent, damaged, or says two things, the program plays by a numbered ruling. A ruling"
    yield "with a *switch* can be set otherwise when a game is offered; the switches stand in the genesis both players"
    yield "sign, and in the hash every message carries. `module/western-desert/rulings.yaml` is the source."
    for weight, title in WEIGHTS.items():
        yield from ("", f"## {title}", "", "| no. | ruling | rules | name, switch |", "|---|---|---|---|")
        for row in rows:
            if row["weight"] == weight:
                yield f"| {row['n']} | {_cell(row['ruling'])} | {', '.join(row['rules'])} | {_name(row)} |"


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


def orders_page() -> str:
    """Every order type of Western Desert with its fields, by the section it stands in."""
    lines = ["# Orders of Western Desert", "", MADE, "", *_orders_head()]
    for section, title in {"": "In any section", **{name: f"Section `{name}`" for name in SECTIONS}}.items():
        kinds = [kind for kind in TYPES.values() if kind.built and kind.section == section]
        if kinds:
            lines += ["", f"## {title}", *(line for kind in kinds for line in _order(kind))]
    return "\n".join([*lines, *_unbuilt()]) + "\n"


def _orders_head() -> Iterator[str]:
    yield "How a turn file is written stands in [turn-files.md](turn-files.md). Units, hexes and places may be named as"
    yield "players speak of them; `check` says what it understood, and a name that fits several things is an error that"
    yield "lists them. `a list` may be written with commas in one line, or as a YAML list."


def _order(kind: OrderType) -> Iterator[str]:
    yield from ("", f"### `{kind.name}`", "", f"{kind.about[:1].upper()}{kind.about[1:]} ({kind.rule}).")
    if kind.fields:
        yield from _table(kind.fields)
    if kind.one_of:
        yield from ("", "At least one of " + ", ".join(f"`{name}`" for name in kind.one_of) + " must be there.")
    for name, field in kind.fields.items():
        for topic, fields in field.tables.items():
            yield from ("", _row_head(name, field, topic), *_table(fields))


def _table(fields: Fields) -> Iterator[str]:
    yield from ("", "| field | holds | meaning |", "|---|---|---|")
    for name, field in fields.items():
        yield f"| `{name}`{' (needed)' if field.required else ''} | {_holds(field)} | {_cell(field.about)} |"


def _row_head(name: str, field: Field, topic: str) -> str:
    where = f" where `{field.by}` is `{topic}`" if topic else ""
    short = f", or `{':'.join(field.short).upper()}`" if field.short else ""
    return f"Each entry of `{name}`{where}{short}:"


def _holds(field: Field) -> str:
    if not field.built:
        return "not built yet"
    if field.kind == "word":
        return ", ".join(f"`{word}`" for word in field.words)
    held = KINDS[field.kind] + (" (a list)" if field.kind in LISTS else "")
    words = [*field.words, *(["all"] if field.all else [])]
    return held + "".join(f", or `{word}`" for word in words)


def _unbuilt() -> Iterator[str]:
    yield from ("", "## Not built yet", "", "These are known by name and refused with a message that says so.", "")
    yield from ("| order | would be | rule |", "|---|---|---|")
    for kind in TYPES.values():
        if not kind.built:
            yield f"| `{kind.name}` | {_cell(kind.about)} | {kind.rule} |"


def schema() -> str:
    """The JSON Schema of an unsigned turn file, for editors that check while one types."""
    built = [kind for kind in TYPES.values() if kind.built]
    order = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": [kind.name for kind in built], "description": "what is ordered"}},
        "allOf": [_case(kind) for kind in built],
    }
    header = {name: {"$ref": "#/$defs/text"} for name in HEADER if name != "orders"}
    tree = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Turn file of Western Desert",
        "description": "An unsigned turn file. `adjudicator check` is what decides; this helps an editor.",
        "type": "object",
        "required": ["orders"],
        "additionalProperties": False,
        "properties": {**header, "orders": {"type": ["array", "null"], "items": {"$ref": "#/$defs/order"}}},
        "$defs": {
            "text": {"type": ["string", "number", "boolean"], "description": "every value is read as its text"},
            "texts": {"anyOf": [{"$ref": "#/$defs/text"}, {"type": "array", "items": {"$ref": "#/$defs/text"}}]},
            "order": order,
        },
    }
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _case(kind: OrderType) -> dict[str, Any]:
    then: dict[str, Any] = {
        "description": f"{kind.about} ({kind.rule})",
        "properties": {"type": True, **_properties(kind.fields)},
        "additionalProperties": False,
        **_required(kind.fields),
    }
    if kind.one_of:
        then["anyOf"] = [{"required": [name]} for name in kind.one_of]
    picked = [
        {
            "if": {"properties": {field.by: {"const": topic}}, "required": [field.by]},
            "then": {"properties": {name: _rows(field, fields)}},
        }
        for name, field in kind.fields.items()
        for topic, fields in field.tables.items()
        if field.by
    ]
    if picked:
        then["allOf"] = picked
    return {"if": {"properties": {"type": {"const": kind.name}}}, "then": then}


def _properties(fields: Fields) -> dict[str, Any]:
    return {name: _value(field) for name, field in fields.items() if field.built}


def _required(fields: Fields) -> dict[str, Any]:
    names = [name for name, field in fields.items() if field.required]
    return {"required": names} if names else {}


def _rows(field: Field, fields: Fields) -> dict[str, Any]:
    """Entries with fields of their own: a list, one alone, or texts where they may be written short."""
    properties = _properties(fields)
    row: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    row |= _required(fields)
    if not field.short:
        return {"anyOf": [row, {"type": "array", "items": row}, {"type": "null"}]}
    text = {"$ref": "#/$defs/text"}
    return {"anyOf": [row, text, {"type": "array", "items": {"anyOf": [row, text]}}]}


def _value(field: Field) -> dict[str, Any]:
    about = {"description": field.about}
    if field.kind == "any" or (field.kind == ROWS and field.by):
        return about
    if field.kind == ROWS:
        return {**_rows(field, field.tables[""]), **about}
    if field.kind == "word":
        return {"enum": _words(field), **about}
    return {"$ref": "#/$defs/texts" if field.kind in LISTS else "#/$defs/text", **about}


def _words(field: Field) -> list[str | bool]:
    """The words; a YAML editor reads a bare yes or no as true or false, so these are allowed beside them."""
    truths: dict[str, bool] = {"yes": True, "no": False}
    return [*field.words, *(truths[word] for word in field.words if word in truths)]


PAGES: dict[str, Callable[[], str]] = {
    "docs/rulings.md": rulings_page,
    "docs/orders-western-desert.md": orders_page,
    "turnfiles/western-desert/schema.json": schema,
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
