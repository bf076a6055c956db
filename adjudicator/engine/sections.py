"""Cutting the list of orders into sections by phase (DESIGN, Turn file)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.engine.core import Order


class Section(NamedTuple):
    """One section: the order ``{type: section, name: N}`` that opens it (None before the first) and what follows."""

    name: str
    head: Order | None
    orders: tuple[Order, ...]


def sections(orders: Sequence[Order]) -> list[Section]:
    """All sections in order; orders before the first head stand in a section named ""."""
    found: list[tuple[str, Order | None, list[Order]]] = [("", None, [])]
    for order in orders:
        if order.type == "section":
            found.append((order.text("name"), order, []))
        else:
            found[-1][2].append(order)
    return [Section(name, head, tuple(body)) for name, head, body in found if head is not None or body]


def out_of_order(orders: Sequence[Order], names: Sequence[str]) -> list[tuple[Section, Section]]:
    """Sections that stand behind one of a later phase, each with the first such; ``names`` are the phases in order."""
    known = [found for found in sections(orders) if found.head is not None and found.name in names]
    rank = {name: at for at, name in enumerate(names)}
    pairs = []
    for at, late in enumerate(known):
        before = next((one for one in known[:at] if rank[one.name] > rank[late.name]), None)
        if before is not None:
            pairs.append((late, before))
    return pairs


def section(orders: Sequence[Order], name: str) -> Section | None:
    """The first section of that name; None where it is absent, which is a stop and not an empty phase."""
    return next((found for found in sections(orders) if found.name == name), None)
