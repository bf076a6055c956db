"""Order types and their fields: what a turn file may say. Feeds checks, templates and the JSON Schemas.

A field's kind tells how its text is read: a name (``unit``, ``air``, ``hex``, ``space``, ``place``, ``counter``,
``card``), a list of such names (:data:`LISTS`), ``rows`` (a list of mappings with fields of their own), ``word``
(one of ``words``), ``words`` (a list of them), ``number``, ``text``, ``any``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from adjudicator.engine.core import DIGITS, Order, Problem, Tree, texts_of, whole_number

SINGULAR = {
    "units": "unit",
    "hexes": "hex",
    "counters": "counter",
    "spaces": "space",
    "cards": "card",
    "wishes": "wish",
    "airs": "air",
    "models": "model",
    "targets": "target",
    "missions": "mission",
    "words": "word",
}
LISTS = tuple(SINGULAR)
SEALED = "yes: only its hash is sent now, and it is opened when a choice of its kind comes up"
"""What sealing a standing order means, for people."""
ROWS, WORDS = "rows", "words"
LISTED_AT_MOST = 30
"""How many known words a hint lists."""
Fields = Mapping[str, "Field"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an order type. ``about`` is one line for people.

    ``words`` are texts that a name or the whole of ``rows`` may be besides, or all that ``word``s may be; ``all``
    allows the word ``all`` in a list of units. For ``rows``: ``tables`` holds the fields of a row, picked by the text
    of the sibling field ``by`` (``tables[""]`` where there is none); a row may be written short as one text of the
    two fields in ``short``, ``A:B``, the second one a number that may be left out. What is not ``built`` is refused
    by name.
    """

    kind: str
    about: str
    required: bool = False
    words: tuple[str, ...] = ()
    all: bool = False
    tables: Mapping[str, Fields] = field(default_factory=dict)
    by: str = ""
    short: tuple[str, str] | tuple[()] = ()
    built: bool = True

    @property
    def book(self) -> str:
        """The kind of thing that the texts of a name or list of names stand for."""
        return SINGULAR.get(self.kind, self.kind)

    def free(self, text: str) -> bool:
        """True for a text that stands for itself where names are wanted."""
        return text in self.words or (self.all and text == "all")

    def row_fields(self, data: Mapping[str, Tree]) -> Fields:
        """The fields of a row of this field, in an order with such data."""
        key = data.get(self.by, "") if self.by else ""
        return self.tables.get(key, {}) if isinstance(key, str) else {}


class OrderType(NamedTuple):
    """One order type: the section it stands in ("" = any), its rule, what it does, its fields.

    ``one_of`` names fields of which at least one must be there. ``built`` is False for an order whose rules this
    version does not have; it is refused by name. ``secret`` orders are plans: they go into a sealed book, never into a
    message, and may stand anywhere in the file.
    """

    name: str
    section: str
    rule: str
    about: str
    fields: Fields
    one_of: tuple[str, ...] = ()
    built: bool = True
    secret: bool = False


Types = Mapping[str, OrderType]


def close(word: str, words: Sequence[str], listed: Sequence[str] = ()) -> str:
    """A hint with the nearest known words; where none is near with all of them, or with those to be ``listed``."""
    return _close(word, tuple(words), tuple(listed))


@lru_cache(maxsize=1000)
def _close(word: str, words: tuple[str, ...], listed: tuple[str, ...]) -> str:
    """Kept: a message may hold thousands of orders with the same fault."""
    near = get_close_matches(word.lower(), words, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    known = list(listed or words)
    more = len(known) - LISTED_AT_MOST
    return "known: " + ", ".join(known[:LISTED_AT_MOST]) + (f" and {more} more" if more > 0 else "")


def short_parts(text: str) -> tuple[str, str]:
    """A row written short: ``Allied supply 1:2`` as its name and its number; the number is "" where there is none."""
    name, colon, number = text.rpartition(":")
    return (name.strip(), number.strip()) if colon else (text.strip(), "")


# --- what is wrong with the form --------------------------------------------------------------------------------


def shape_problems(types: Types, order: Order) -> list[Problem]:
    """What is wrong with type and fields of an order before any rule is asked."""
    kind = types.get(order.type)
    if kind is None:
        built = sorted(name for name, known in types.items() if known.built)
        said = f"there is no order {order.type!r}" if order.type else "the order has no `type`"
        return [Problem("type", "orders", said, close(order.type, sorted(types), built))]
    if not kind.built:
        text = f"{order.type} is not built in this version ({kind.about})"
        return [Problem("unbuilt", kind.rule, text, "leave the order out")]
    problems = list(_fields_problems(kind, kind.name, kind.fields, order.data, ""))
    if kind.one_of and not any(name in order.data for name in kind.one_of):
        names = " or ".join(kind.one_of)
        problems.append(Problem("missing", kind.rule, f"{order.type} needs {names}", f"add a line {kind.one_of[0]}:"))
    return problems


def _fields_problems(
    kind: OrderType, what: str, fields: Fields, data: Mapping[str, Tree], path: str
) -> Iterator[Problem]:
    """The faults of an order, or of a row in it. ``what`` names it for people."""
    for name in data:
        if name not in fields:
            hint = close(name, sorted(fields))
            yield Problem("field", kind.rule, f"{what} has no field {name!r}", hint, field=path + name)
    for name, spec in fields.items():
        yield from _field_problems(kind, what, data, name, spec, path + name)


def _field_problems(
    kind: OrderType, what: str, data: Mapping[str, Tree], name: str, spec: Field, path: str
) -> Iterator[Problem]:
    value = data.get(name)
    if value is not None and not spec.built:
        text = f"{what}: {name} is not built in this version ({spec.about})"
        yield Problem("unbuilt", kind.rule, text, f"leave {name}: out", field=path)
    elif value is None or value in ("", [], {}):
        if spec.required or (value is not None and spec.kind not in ("any", ROWS)):
            text = f"{what} needs a value for {name} ({spec.about})"
            yield Problem("missing", kind.rule, text, f"write {name}: ...", field=path)
    elif spec.kind == ROWS and isinstance(value, str) and spec.words:
        if not spec.free(value):
            text = f"{what}: {name}: {value!r} is neither one of {', '.join(spec.words)} nor a list of clauses"
            yield Problem("word", kind.rule, text, close(value, spec.words), field=path)
    elif spec.kind == ROWS:
        for at, row in _rows(value, path):
            yield from _row_problems(kind, f"{what}: {_entry(at)}", spec, spec.row_fields(data), row, at)
    elif spec.kind in LISTS:
        if not _is_texts(value):
            yield _form(kind, what, name, "a list, or one line with commas", path)
        elif spec.kind == WORDS:
            yield from _word_problems(kind, what, name, spec, texts_of(value), path)
    elif spec.kind != "any":
        yield from _text_problems(kind, what, name, spec, value, path)


def _text_problems(
    kind: OrderType, what: str, name: str, spec: Field, value: Tree, path: str
) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield _form(kind, what, name, "one value, not a list or mapping", path)
    elif spec.kind == "word" and value not in spec.words:
        text = f"{what}: {name}: {value!r} is not one of {', '.join(spec.words)}"
        yield Problem("word", kind.rule, text, close(value, spec.words), field=path)
    elif spec.kind == "number" and whole_number(value) is None:
        yield _form(kind, what, name, f"a whole number of at most {DIGITS} digits", path)


def _word_problems(
    kind: OrderType, what: str, name: str, spec: Field, words: Sequence[str], path: str
) -> Iterator[Problem]:
    """The texts of a list of words that are none of them."""
    for number, word in enumerate(words):
        if word not in spec.words:
            text = f"{what}: {name}: {word!r} is not one of {', '.join(spec.words)}"
            yield Problem("word", kind.rule, text, close(word, spec.words), field=f"{path}[{number}]")


def _row_problems(
    kind: OrderType, what: str, spec: Field, fields: Fields, row: Tree, path: str
) -> Iterator[Problem]:
    if isinstance(row, dict):
        yield from _fields_problems(kind, what, fields, row, path + ".")
    elif not isinstance(row, str) or not spec.short:
        keys = " ".join(f"{name}:" for name in list(fields)[:3])
        yield Problem("form", kind.rule, f"{what} has no fields", f"write them below it, as {keys}", field=path)
    elif ":" in row and whole_number(short_parts(row)[1]) is None:
        first, second = spec.short
        text = f"{what}: {row!r} is not read as {first.upper()}:{second.upper()}"
        yield Problem("form", kind.rule, text, f"write the {second} as a whole number", field=path)


def _entry(path: str) -> str:
    """``rules[1]`` as people say it: ``rules, entry 2``."""
    name, bracket, number = path.rpartition("[")
    return f"{name}, entry {int(number.rstrip(']')) + 1}" if bracket else path


def _is_texts(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _form(kind: OrderType, what: str, name: str, wanted: str, path: str) -> Problem:
    return Problem("form", kind.rule, f"{what}: {name} must be {wanted}", f"write {name}: ...", field=path)


# --- the names in an order --------------------------------------------------------------------------------------

Change = Callable[[str, Field, str], str]


def changed(fields: Fields, data: Mapping[str, Tree], change: Change, path: str = "") -> dict[str, Tree]:
    """The data of an order of right form with every name in it, however deep, passed through ``change(path, field,
    text)``; names written with commas come out as a list. All else stays as it is."""
    found: dict[str, Tree] = {}
    for name, value in data.items():
        spec = fields.get(name)
        at = path + name
        if spec is None or value in ("", [], {}) or (spec.kind == ROWS and isinstance(value, str) and spec.words):
            found[name] = value
        elif spec.kind == ROWS:
            rows = [_changed_row(spec, spec.row_fields(data), row, change, place) for place, row in _rows(value, at)]
            found[name] = rows[0] if isinstance(value, dict) else rows
        elif spec.kind in LISTS:
            found[name] = _changed_list(spec, value, change, at)
        elif isinstance(value, str) and not spec.free(value):
            found[name] = change(at, spec, value)
        else:
            found[name] = value
    return found


def _changed_list(spec: Field, value: Tree, change: Change, path: str) -> Tree:
    if isinstance(value, str) and spec.free(value):
        return value
    texts = texts_of(value)
    return [text if spec.free(text) else change(f"{path}[{i}]", spec, text) for i, text in enumerate(texts)]


def _changed_row(spec: Field, fields: Fields, row: Tree, change: Change, path: str) -> Tree:
    if isinstance(row, dict):
        return changed(fields, row, change, path + ".")
    if not isinstance(row, str) or not spec.short:
        return row
    name, number = short_parts(row)
    name = change(path, fields[spec.short[0]], name)
    return f"{name}:{number}" if number else name


def _rows(value: Tree, path: str) -> list[tuple[str, Tree]]:
    """The rows of a field with the place of each: a list, one mapping by itself, or texts with commas."""
    if isinstance(value, dict):
        return [(path, value)]
    rows: Sequence[Tree] = value if isinstance(value, list) else texts_of(value)
    return [(f"{path}[{i}]", row) for i, row in enumerate(rows)]
