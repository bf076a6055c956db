"""Checks conditions, place sets and effects word by word against the vocabulary and the names of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.shifting_sands.vocabulary import (
    ALL_POOLS,
    CONDITIONS,
    EFFECTS,
    PLACES,
    READ_IN,
    RECORDS,
    STATE,
    WORDS,
    Form,
)

_RULE: Final = re.compile(r"[0-9]+\.[0-9]+[a-z]?")


class Words:
    """The names of one pack, and the checks of everything that is written in its vocabulary."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.faults = faults
        self.names: dict[str, set[str]] = {
            "space": _column(files, "map.yaml", "spaces", "name"),
            "region": _column(files, "map.yaml", "regions", "name") | _column(files, "map.yaml", "regions", "group"),
            "event": _column(files, "cards.yaml", "cards", "name"),
            "place_set": _column(files, "cards.yaml", "places", "name"),
            "unit": _column(files, "units.yaml", "units", "kind"),
            "setup": _column(files, "setups.yaml", "setups", "id"),
            "option": _column(files, "rulings.yaml", "options", "id"),
        }
        for kind, words in WORDS.items():
            self.names[kind] = set(words)

    def conditions(self, row: Record, value: Any, kind: str = STATE) -> None:
        """A list of conditions that belongs to a record, of a kind that can be read there."""
        self._list(row, "conditions", kind, value)

    def place(self, row: Record) -> None:
        """A member of a place set."""
        self._one_of_forms(row, PLACES, "member of a place set")

    def effect(self, row: Record) -> None:
        """An effect of a card."""
        form = EFFECTS.get(str(row.get("do")))
        if form is None:
            self.faults.add(row, "effect", f"do {row.get('do')} is no effect; use one of: {', '.join(EFFECTS)}")
        else:
            self._form(row, {"do": f"={row['do']}", **form}, f"effect {row['do']}")

    def _one_of_forms(self, row: Record, forms: Iterable[Form], what: str) -> None:
        """The record fits one form: all keys it must have, none it may not."""
        forms = tuple(forms)
        form = _fitting(row, forms)
        if form is not None:
            self._form(row, form, what)
            return
        near = max(forms, key=lambda form: len(set(form) & set(row)))
        hint = f"use: {', '.join(near)}" if set(near) & set(row) else "`pack show shifting-sands vocabulary` lists them"
        self.faults.add(row, "form", f"{', '.join(row) or 'nothing'}: no {what} has these keys; {hint}")

    def _condition(self, row: Record, kind: str) -> None:
        """A condition can be read where it stands, and asks for something."""
        if _fitting(row, CONDITIONS[kind]) is None:
            other = next((one for one, forms in CONDITIONS.items() if _fitting(row, forms) is not None), "")
            if other:
                text = f"{', '.join(row)}: such a condition is read {READ_IN[other]}; move it there or take it out"
                self.faults.add(row, "elsewhere", text)
                return
        for key in [key for key, value in row.items() if value in ("", [], {})]:
            self.faults.add(row, "missing", f"{key} asks for nothing; say what, or take the condition out")
        self._one_of_forms(row, CONDITIONS[kind], "condition")

    def _form(self, row: Record, form: Form, what: str) -> None:
        for key, spec in form.items():
            if key in row:
                self._value(row, key, spec.removesuffix("?"), row[key])
            elif not spec.endswith("?"):
                self.faults.add(row, "missing", f"{what} has no {key}; add it")
        for key in row:
            if key not in form:
                self.faults.add(row, "key", f"{what} knows no {key}; use one of: {', '.join(form)}")

    def _value(self, row: Record, key: str, spec: str, value: Any) -> None:
        if spec.startswith("["):
            self._list(row, key, spec[1:-1], value)
        elif spec.startswith("="):
            self._word(row, key, tuple(spec[1:].split("|")), value)
        elif spec in (*CONDITIONS, "rp", "spaces", "spaces_or_placed", *RECORDS):
            self._tree(row, key, spec, value)
        elif spec == "number" or spec == "rule":
            fits = number(value) if spec == "number" else isinstance(value, str) and bool(_RULE.fullmatch(value))
            if not fits:
                wanted = "a whole number" if spec == "number" else "a rule such as 7.532k"
                self.faults.add(row, "number", f"{key} {value} is not {wanted}; correct it")
        else:
            self._name(row, key, spec, value)

    def _list(self, row: Record, key: str, spec: str, value: Any) -> None:
        if not isinstance(value, Rows):
            self.faults.add(row, "list", f"{key} must be a list; write it in brackets")
            return
        for item in value:
            self._value(row, key, spec, item)

    def _tree(self, row: Record, key: str, spec: str, value: Any) -> None:
        """Values that are lists or records of their own."""
        if spec == "spaces" or (spec == "spaces_or_placed" and value != "placed"):
            self._list(row, key, "space", value)
        elif spec == "spaces_or_placed":
            return
        elif not isinstance(value, Record):
            self.faults.add(row, "form", f"{key} must be a record; write it in braces")
        elif spec in CONDITIONS:
            self._condition(value, spec)
        elif spec == "rp":
            self.points(value, ALL_POOLS)
        else:
            self._form(value, RECORDS[spec], key)

    def points(self, value: Record, pools: tuple[str, ...]) -> None:
        """Replacement points by pool, each pool one of those given."""
        for pool, amount in value.items():
            if pool not in pools:
                self.faults.add(value, "word", f"pool {pool} is none of: {', '.join(pools)}; correct it")
            if not number(amount):
                self.faults.add(value, "number", f"{pool} {amount} is no whole number; correct it")

    def _word(self, row: Record, key: str, allowed: tuple[str, ...], value: Any) -> None:
        if value not in allowed:
            self.faults.add(row, "word", f"{key} {value} is unknown; use one of: {', '.join(allowed)}")

    def _name(self, row: Record, key: str, kind: str, value: Any) -> None:
        if not isinstance(value, str) or value not in self.names[kind]:
            what = kind.replace("_", " ")
            self.faults.add(row, "name", f"{key}: there is no {what} {value}; correct the name")


def _fitting(row: Record, forms: Iterable[Form]) -> Form | None:
    """The form whose keys a record has: all that it must have, none that it may not."""
    for form in forms:
        must = {key for key, spec in form.items() if not spec.endswith("?")}
        if must <= set(row) <= set(form):
            return form
    return None


def _column(files: PackFiles, file: str, key: str, column: str) -> set[str]:
    return {str(row[column]) for row in records(files.rows(file, key)) if column in row}
