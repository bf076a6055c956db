"""Orders with names in place of ids, as players write them: the way back from what `check` resolves."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.engine.names import Resolver
from adjudicator.engine.schema import Field, changed

SHARE = 0.5


def spoken(resolver: Resolver, row: Mapping[str, Tree], chance: Chance) -> dict[str, Tree]:
    """An order in which some ids are written by a name of theirs; all stay where a name would not be clear."""
    kind = resolver.types.get(str(row.get("type", "")))
    if kind is None or not kind.built:
        return dict(row)

    def change(_path: str, spec: Field, text: str) -> str:
        book = resolver.books.get(spec.book)
        names = book.names(text) if book is not None and chance.likely(SHARE) else []
        return chance.pick(names) if names else text

    data = {key: value for key, value in row.items() if key != "type"}
    said = changed(kind.fields, data, change)
    plain = changed(kind.fields, data, lambda _path, _spec, text: text)
    read, problems = resolver.order(Order(0, kind.name, said))
    clear = not problems and dict(read.data) == plain
    return {"type": kind.name, **(said if clear else data)}
