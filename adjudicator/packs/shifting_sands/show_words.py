"""The words of conditions, place sets and effects as an owner of the cards reads them who types his own in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.shifting_sands.vocabulary import (
    CONDITIONS,
    EFFECTS,
    PLACES,
    PLAYED,
    READ_IN,
    RECORDS,
    REQUIRED,
    STATE,
    WORDS,
    Form,
)
from adjudicator.packs.telling import Part, Row, fitting

NAMES: Final = {
    "space": "spaces", "region": "regions", "event": "cards", "place_set": "places", "unit": "counters",
    "setup": "setups", "option": "options",
}  # fmt: skip
"""Values that are names of the pack, and the part that lists them."""
PLAIN: Final = {
    "number": "a whole number",
    "rule": "a rule of the rulebook, as 7.532k",
    "rp": "points by pool, as {GE: 1, IT: 2}",
    "spaces": "a list of spaces",
    "spaces_or_placed": "a list of spaces, or placed: those that the event has placed into",
}


def vocabulary(_tree: Mapping[str, Any], words: list[str]) -> Part:
    """Every condition, member of a place set and effect with its keys, and what each key may hold.

    Raises:
        PackError: for words that fit nothing.
    """
    rows = fitting(list(_rows()), words)
    if not rows:
        raise PackError(f"nothing among vocabulary fits {' '.join(words)}; leave words out, or list all without any")
    return rows, [f"{row['what']} {row['id']}: {row['keys']}" for row in rows]


def _rows() -> Iterator[Row]:
    told: list[str] = []
    for kind in (STATE, PLAYED, REQUIRED):
        for form in CONDITIONS[kind]:
            first = next(iter(form))
            if f"{first} {len(form)}" not in told:
                told.append(f"{first} {len(form)}")
                yield _row("condition", first, f"{_keys(form)}, read {READ_IN[kind]}")
    for form in PLACES:
        yield _row("place", next(iter(form)), _keys(form))
    for name, form in EFFECTS.items():
        yield _row("effect", name, _keys({"do": f"={name}", **form}))
    for name, form in RECORDS.items():
        yield _row("value", name, _keys(form))
    for name, listed in WORDS.items():
        yield _row("value", name, ", ".join(listed))
    for name, part in NAMES.items():
        yield _row("value", name, f"a name of the pack; `pack show shifting-sands {part}` lists them")
    for name, said in PLAIN.items():
        yield _row("value", name, said)


def _row(what: str, name: str, keys: str) -> Row:
    return {"what": what, "id": name, "keys": keys}


def _keys(form: Form) -> str:
    """A form as a record; a key with ``?`` may be left out."""
    parts = [f"{key}{'?' * spec.endswith('?')}: {spec.rstrip('?').removeprefix('=')}" for key, spec in form.items()]
    return f"{{{', '.join(parts)}}}".replace(f"[{REQUIRED}]", "[condition]")
