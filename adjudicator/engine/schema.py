"""Order types and their fields: what a turn file may say. Feeds checks, templates and the JSON Schemas.

A field's kind tells how its text is read: a name (``unit``, ``hex``, ``space``, ``place``, ``counter``, ``card``) or a
list of such names (``units``, ``hexes``, ``spaces`` ...), ``word`` (one of ``words``), ``number``, ``text``, ``any``.
``all`` allows the word ``all`` in a list of units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from adjudicator.engine.core import Order, Problem

LISTS = ("units", "hexes", "counters", "spaces", "cards")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an order type. ``about`` is one line for people."""

    kind: str
    about: str
    required: bool = False
    words: tuple[str, ...] = ()
    all: bool = False


@dataclass(frozen=True, slots=True)
class OrderType:
    """One order type: the section it stands in ("" = any), its rule, what it does, its fields.

    ``one_of`` names fields of which at least one must be there. ``built`` is False for an order whose rules this
    version does not have; it is refused by name.
    """

    name: str
    section: str
    rule: str
    about: str
    fields: Mapping[str, Field]
    one_of: tuple[str, ...] = ()
    built: bool = True


Types = Mapping[str, OrderType]


def close(word: str, words: Sequence[str], listed: Sequence[str] = ()) -> str:
    """A hint with the nearest known words; where none is near with all of them, or with those to be ``listed``."""
    near = get_close_matches(word.lower(), words, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    return "known: " + ", ".join(listed or words)


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
    problems = [_unknown(kind, name) for name in order.data if name not in kind.fields]
    problems += [p for name, field in kind.fields.items() for p in _field_problems(kind, order, name, field)]
    if kind.one_of and not any(name in order.data for name in kind.one_of):
        names = " or ".join(kind.one_of)
        problems.append(Problem("missing", kind.rule, f"{order.type} needs {names}", f"add a line {kind.one_of[0]}:"))
    return problems


def _unknown(kind: OrderType, name: str) -> Problem:
    hint = close(name, sorted(kind.fields))
    return Problem("field", kind.rule, f"{kind.name} has no field {name!r}", hint, field=name)


def _field_problems(kind: OrderType, order: Order, name: str, field: Field) -> list[Problem]:
    value = order.data.get(name)
    if value is None or value in ("", []):
        if field.required or (value is not None and field.kind != "any"):
            text = f"{order.type} needs a value for {name} ({field.about})"
            return [Problem("missing", kind.rule, text, f"write {name}: ...", field=name)]
        return []
    if field.kind == "any":
        return []
    if field.kind in LISTS:
        return [] if _is_texts(value) else [_form(kind, name, "a list, or one line with commas")]
    if not isinstance(value, str):
        return [_form(kind, name, "one value, not a list or mapping")]
    if field.kind == "word" and value not in field.words:
        text = f"{name}: {value!r} is not one of {', '.join(field.words)}"
        return [Problem("word", kind.rule, text, close(value, field.words), field=name)]
    if field.kind == "number" and not (value.isascii() and value.isdigit()):
        return [_form(kind, name, "a whole number")]
    return []


def _is_texts(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _form(kind: OrderType, name: str, wanted: str) -> Problem:
    return Problem("form", kind.rule, f"{kind.name}: {name} must be {wanted}", f"write {name}: ...", field=name)
