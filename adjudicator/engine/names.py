"""From the names players use to ids, before signing (PROTOCOL 4.2: the signed body carries ids only)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from adjudicator.engine.core import Order, Problem
from adjudicator.engine.schema import Field, OrderType, Types, changed

_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_ENDS = ("st", "nd", "rd", "th")
_words = re.compile(r"[0-9a-z]+").findall


def key(text: str) -> str:
    """The form in which names are compared: lower case, no punctuation, ``7th`` as ``7``, British spelling of armor."""
    plain = text.lower()
    if any(end in plain for end in _ENDS):
        plain = _ORDINAL.sub(r"\1", plain)
    return " ".join(_words(plain.replace("armour", "armor")))


def _capitals(name: str) -> int:
    return sum(letter.isupper() for letter in name)


@dataclass
class NameBook:
    """Names of one kind of thing: units, counters, hexes. ``what`` is the word used in messages."""

    what: str
    by_key: dict[str, list[str]] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    spelled: list[str] = field(default_factory=list)

    def add(self, ident: str, names: Iterable[str]) -> None:
        """Enter a thing with all names it goes by; its id is one of them."""
        self.ids.add(ident)
        names = (ident, *names)
        self.spelled += names
        for plain in {key(name): None for name in names}:
            found = self.by_key.setdefault(plain, []) if plain else [ident]
            if ident not in found:
                found.append(ident)

    def find(self, text: str) -> list[str]:
        """Ids that a name may mean: one if it is an id, all that share the name, none if nobody has it."""
        if text in self.ids:
            return [text]
        return sorted(self.by_key.get(key(text), []))

    def names(self, ident: str) -> list[str]:
        """All that an id may be called, in the form in which names are compared."""
        return [name for name, found in self.by_key.items() if ident in found]

    def near(self, text: str) -> list[str]:
        """Names that look like the text, for a hint, as players write them: of two spellings with more capitals."""
        found = dict.fromkeys(get_close_matches(key(text), list(self.by_key), n=3, cutoff=0.6), "")
        for name in self.spelled:
            plain = key(name)
            if plain in found and _capitals(name) >= _capitals(found[plain]):
                found[plain] = name
        return [name or plain for plain, name in found.items()]


@dataclass(frozen=True)
class Resolver:
    """Turns the fields of an order into ids. ``books`` by field kind; ``narrow`` picks among several candidates.

    ``describe`` names a candidate for the error that lists them.
    """

    types: Types
    books: Mapping[str, NameBook]
    narrow: Callable[[str, str, Sequence[str]], Sequence[str]]
    describe: Callable[[str, str], str]

    def order(self, order: Order) -> tuple[Order, list[Problem]]:
        """The order with ids, and a problem per name that cannot be resolved."""
        kind = self.types.get(order.type)
        if kind is None or not kind.built:
            return order, []
        problems: list[Problem] = []

        def read(path: str, spec: Field, text: str) -> str:
            return self._one(kind, path, spec, text, problems)

        data = changed(kind.fields, order.data, read)
        return Order(order.index, order.type, data, order.places), problems

    def _one(self, kind: OrderType, path: str, spec: Field, text: str, problems: list[Problem]) -> str:
        book = spec.book
        if book not in self.books:
            return text
        found = self.books[book].find(text)
        if len(found) > 1:
            found = list(self.narrow(kind.name, path, found)) or found
        if len(found) == 1:
            return found[0]
        problems.append(self._problem(path, book, text, found))
        return text

    def _problem(self, path: str, book: str, text: str, found: Sequence[str]) -> Problem:
        what = self.books[book].what
        if found:
            listed = "; ".join(self.describe(book, ident) for ident in found[:8])
            said = f"{text!r} may mean {len(found)} {what}{'es' if what.endswith('x') else 's'}: {listed}"
            return Problem("ambiguous", "names", said, "write the id", field=path)
        near = self.books[book].near(text)
        hint = "did you mean " + " or ".join(near) + "?" if near else "look up the names with `template` or `status`"
        return Problem("unknown", "names", f"there is no {what} {text!r}", hint, field=path)
