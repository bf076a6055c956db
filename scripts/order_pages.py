"""The page of a game's orders and the JSON Schema of its turn files, made from its order types (see make_pages.py)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudicator.engine.schema import LISTS, ROWS, WORDS, Field, Fields, OrderType, Types
from adjudicator.match.draft import HEADER

KINDS = {
    "unit": "a unit",
    "units": "units",
    "hex": "a hex",
    "hexes": "hexes",
    "counter": "a supply counter",
    "counters": "supply counters",
    "wishes": "hexes, bearings or terrains",
    "air": "an air unit",
    "airs": "air units",
    "models": "models or kinds of air units",
    "targets": "air units, models or kinds of them",
    "missions": "air missions",
    "rows": "a list of entries",
    "space": "a space",
    "spaces": "spaces",
    "place": "a space or box",
    "card": "a card",
    "cards": "cards",
    "number": "a whole number",
    "text": "text",
    "any": "see text",
}


@dataclass(frozen=True)
class Game:
    """What the pages say of a game: its title, its order types and the sections they stand in, what has names."""

    title: str
    types: Types
    sections: tuple[str, ...]
    named: str


def orders_page(game: Game, made: str) -> str:
    """Every order type of a game with its fields, by the section it stands in."""
    lines = [f"# Orders of {game.title}", "", made, "", *_orders_head(game)]
    for section, title in {"": "In any section", **{name: f"Section `{name}`" for name in game.sections}}.items():
        kinds = [kind for kind in game.types.values() if kind.built and kind.section == section]
        if kinds:
            lines += ["", f"## {title}", *(line for kind in kinds for line in _order(kind))]
    return "\n".join([*lines, *_unbuilt(game)]) + "\n"


def _orders_head(game: Game) -> Iterator[str]:
    yield f"How a turn file is written stands in [turn-files.md](turn-files.md). {game.named} may be named as"
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
            if fields:
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
    if field.kind in ("word", WORDS):
        listed = ", ".join(f"`{word}`" for word in field.words)
        return f"{listed} (a list)" if field.kind == WORDS else listed
    held = KINDS[field.kind] + (" (a list)" if field.kind in LISTS else "")
    words = [*field.words, *(["all"] if field.all else [])]
    return held + "".join(f", or `{word}`" for word in words)


def _unbuilt(game: Game) -> Iterator[str]:
    if all(kind.built for kind in game.types.values()):
        return
    yield from ("", "## Not built yet", "", "These are known by name and refused with a message that says so.", "")
    yield from ("| order | would be | rule |", "|---|---|---|")
    for kind in game.types.values():
        if not kind.built:
            yield f"| `{kind.name}` | {_cell(kind.about)} | {kind.rule} |"


def schema(game: Game) -> str:
    """The JSON Schema of an unsigned turn file, for editors that check while one types."""
    built = [kind for kind in game.types.values() if kind.built]
    order = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": [kind.name for kind in built], "description": "what is ordered"}},
        "allOf": [_case(kind) for kind in built],
    }
    header = {name: {"$ref": "#/$defs/text"} for name in HEADER if name != "orders"}
    tree = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Turn file of {game.title}",
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
        words: list[dict[str, Any]] = [{"enum": list(field.words)}] if field.words else []
        return {"anyOf": [row, {"type": "array", "items": row}, {"type": "null"}, *words]}
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


def _words(field: Field) -> list[str | bool | float]:
    """The words; a YAML editor reads a bare yes or no as true or false, and figures as numbers, so these are allowed
    beside them."""
    truths: dict[str, bool] = {"yes": True, "no": False}
    numbers = [json.loads(word) for word in field.words if re.fullmatch(r"\d+(\.\d+)?", word)]
    return [*field.words, *(truths[word] for word in field.words if word in truths), *numbers]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
