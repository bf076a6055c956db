"""Is a case one of its form: fields, vocabularies and orders that it has, and fields that its runner does not read.

What is wrong with a case is said with its place; a runner never sees it. A field that a form has and its runner does
not read yet skips the case by name: an answer that leaves a fact aside would be none (CASE-FORMS 7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from adjudicator.engine.casecheck import as_number
from adjudicator.western_desert.cases.vocabulary import FORMS, RECORDS, WORDS

Fields = Mapping[str, str]
NARRATIVE = "narrative"
SPECIAL = ("disrupted", "dropped", "seaborne", "declare", "distance", "arrived", "special", "adjacent_enemy")
UNREAD: Mapping[str, tuple[str, ...]] = {
    "move": SPECIAL,
    "overrun": SPECIAL,
    "supply_counter": SPECIAL,
    "figures": ("disrupted", "dropped", "seaborne", "declare", "distance", "adjacent_enemy"),
    "combat": ("distance", "arrived", "special", "adjacent_enemy"),
    "attacks": ("declare", "distance", "arrived", "special", "adjacent_enemy"),
    "losses": ("distance", "arrived", "special", "adjacent_enemy"),
    "retreat": ("distance", "arrived", "special", "adjacent_enemy"),
    "control": ("disrupted", "distance", "arrived", "special", "adjacent_enemy"),
    "zoc": ("disrupted", "distance", "arrived", "special", "adjacent_enemy"),
    "supply": ("disrupted", "dropped", "seaborne", "declare"),
}
"""Fields of units that would change an answer and that the runner of a form does not read."""
_FLAGS = {True: "yes", False: "no"}


@cache
def fields_of(text: str) -> Fields:
    """The fields of a record or section, each with its type; ``!`` taken off."""
    parts = (part.partition(":") for part in text.split(";"))
    return {name.strip().rstrip("!"): " ".join(kind.split()) for name, _colon, kind in parts if name.strip()}


@cache
def needed(text: str) -> tuple[str, ...]:
    """The fields that a section must have."""
    names = (part.partition(":")[0].strip() for part in text.split(";"))
    return tuple(name.rstrip("!") for name in names if name.endswith("!"))


# --- what is wrong ----------------------------------------------------------------------------------------------


def faults(form: str, given: object, orders: object, expect: object, dice: object) -> list[str]:
    """What keeps a case from being one of its form; empty for a sound one and for forms without fields."""
    if form == NARRATIVE or form not in FORMS:
        return []
    told, results, kinds, rolls = FORMS[form]
    found = [*_section("given", given, told), *_section("expect", expect, results)]
    for index, order in enumerate(orders if isinstance(orders, list) else []):
        where = f"orders[{index}]"
        found += _value(where, order, "order")
        kind = order.get("order") if isinstance(order, dict) else None
        if kind not in kinds.split():
            found.append(f"{where}: {kind} is no order of the form {form}")
    for kind in dice if isinstance(dice, dict) else ():
        if kind not in rolls.split():
            found.append(f"dice: {kind} is no roll of the form {form}")
    found += _value("dice", dice, "map of list of int") if dice is not None else []
    return found


def _section(where: str, value: object, text: str) -> Iterator[str]:
    record = value if isinstance(value, dict) else {}
    known = fields_of(text)
    yield from (f"{where}: {name} is missing" for name in needed(text) if name not in record)
    yield from _fields(where, record, known, "form")


def _fields(where: str, record: Mapping[object, object], known: Fields, what: str) -> Iterator[str]:
    for name, value in record.items():
        if str(name) not in known:
            yield f"{where}: the {what} has no field {name}"
        else:
            yield from _value(f"{where}.{name}", value, known[str(name)])


def _value(where: str, value: object, kind: str) -> list[str]:
    """What is wrong with a value of a type; alternatives are tried in turn."""
    kinds = kind.split(" or ")
    if len(kinds) > 1:
        tried = [_value(where, value, one) for one in kinds]
        return [] if [] in tried else min(tried, key=len)
    if kind.startswith("list of "):
        if not isinstance(value, list):
            return [f"{where}: {value!r} is no list"]
        return [text for i, item in enumerate(value) for text in _value(f"{where}[{i}]", item, kind[8:])]
    if kind.startswith("map of "):
        if not isinstance(value, dict):
            return [f"{where}: {value!r} is no map"]
        return [text for name, item in value.items() for text in _value(f"{where}.{name}", item, kind[7:])]
    if kind in RECORDS:
        if not isinstance(value, dict):
            return [f"{where}: {value!r} is no {kind}"]
        return list(_fields(where, value, fields_of(RECORDS[kind]), kind))
    return [] if _fits(value, kind) else [f"{where}: {value!r} is no {kind}"]


def _fits(value: object, kind: str) -> bool:
    """Whether a plain value is a number, a flag or a word of its type."""
    if kind == "any":
        return True
    if kind == "text":
        return not isinstance(value, (list, dict)) and value is not None
    if isinstance(value, (list, dict)) or value is None:
        return False
    if kind in ("int", "num"):
        number = as_number(value)
        return number is not None and (kind == "num" or number.denominator == 1)
    if kind == "bool":
        return isinstance(value, bool) or str(value).lower() in ("true", "false", "yes", "no")
    words = kind.removeprefix("one of ") if kind.startswith("one of ") else WORDS.get(kind, kind)
    return (_FLAGS[value] if isinstance(value, bool) else str(value)) in words.split()


# --- what is not read -------------------------------------------------------------------------------------------


def unread(form: str, given: object) -> str:
    """The first field of a case that would count and is not read in this version, with its place; "" for none."""
    return next(_marked("given", given, UNREAD.get(form, ())), "")


def _marked(where: str, value: object, names: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _marked(f"{where}[{index}]", item, names)
    elif isinstance(value, dict):
        unit = "t" in value or "printed" in value or "size" in value or "figures" in value
        yield from (f"{where}.{name}" for name in names if unit and name in value)
        for name, item in value.items():
            yield from _marked(f"{where}.{name}", item, names)
