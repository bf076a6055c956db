"""A turn file that is not signed yet: reading it, and turning its names into ids (DESIGN, Turn file)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adjudicator.engine.core import Order, Place, Problem, texts_of
from adjudicator.engine.game import ORDERS_AT_MOST, Table, too_many
from adjudicator.engine.schema import shape_problems
from adjudicator.turnfile.nodes import Mapping as Node
from adjudicator.turnfile.nodes import Pos, Scalar, tree
from adjudicator.turnfile.nodes import Sequence as ListNode
from adjudicator.turnfile.reader import ReadError, read

HEADER = ("game", "seq", "side", "title", "note", "orders")


@dataclass
class Draft:
    """What a turn file says: orders with their places, the header lines it has, and what is wrong with its form."""

    orders: list[Order] = field(default_factory=list)
    header: dict[str, tuple[str, Place]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)


def _place(pos: Pos) -> Place:
    return (pos.line, pos.col)


def read_draft(data: bytes) -> Draft:
    """Read an unsigned turn file. Faults of form are problems of the draft; nothing is raised."""
    draft = Draft()
    try:
        document = read(data)
    except ReadError as error:
        draft.problems = [Problem(p.code, p.code, p.text, p.hint, _place(p.pos)) for p in error.problems]
        return draft
    draft.warnings = [Problem(p.code, p.code, p.text, p.hint, _place(p.pos)) for p in document.warnings]
    _read_root(draft, document.root, data.decode("utf-8").replace("\r\n", "\n").split("\n"))
    return draft


def _read_root(draft: Draft, root: Node, lines: Sequence[str]) -> None:
    if "body" in root.keys():  # noqa: SIM118 - a node, not a dict
        text = "this file is signed already"
        draft.problems.append(Problem("signed", "file", text, "use `receive` for a signed turn", (1, 1)))
        return
    for name, pos, node in root.items:
        if name not in HEADER:
            known = ", ".join(HEADER)
            draft.problems.append(Problem("field", "file", f"unknown line {name!r}", f"known: {known}", _place(pos)))
        elif name == "orders":
            _read_orders(draft, node, lines)
        elif isinstance(node, Scalar):
            draft.header[name] = (node.text, _place(pos))
        else:
            text, hint = f"{name} must be one text", f"write {name}: ..."
            draft.problems.append(Problem("form", "file", text, hint, _place(pos)))
    if root.get("orders") is None:
        hint = "write `orders:` and below it a list, each order beginning with `- type:`; `template` makes one"
        draft.problems.append(Problem("missing", "file", "the file has no list `orders`", hint, (1, 1)))


def _read_orders(draft: Draft, node: Any, lines: Sequence[str]) -> None:
    if isinstance(node, Scalar) and not node.text:
        return
    if not isinstance(node, ListNode):
        hint = "begin each order with `- type:` two columns in"
        draft.problems.append(Problem("form", "file", "`orders` must be a list", hint, _place(node.pos)))
        return
    for index, item in enumerate(node.items):
        if not isinstance(item, Node):
            hint = "write `- type: move` and the other fields below it"
            draft.problems.append(Problem("form", "file", "an order must have fields", hint, _place(item.pos)))
            continue
        draft.orders.append(_order(index, item, lines))


def _order(index: int, node: Node, lines: Sequence[str]) -> Order:
    data = {name: tree(value) for name, _, value in node.items if name != "type"}
    places = {"": _place(node.items[0][1]) if node.items else _place(node.pos)}
    for name, pos, value in node.items:
        _note(places, lines, name, pos, value)
    kind = node.get("type")
    return Order(index, kind.text if isinstance(kind, Scalar) else "", data, places)


def _note(places: dict[str, Place], lines: Sequence[str], path: str, pos: Pos, node: Any) -> None:
    """Note where a value stands, and where each entry in it does, under the paths of :meth:`Order.place`."""
    places[path] = _place(node.pos if isinstance(node, Scalar) else pos)
    if isinstance(node, Scalar):
        if "," in node.text:
            places.update(_entries(lines, path, node))
    elif isinstance(node, ListNode):
        for i, item in enumerate(node.items):
            _note(places, lines, f"{path}[{i}]", item.pos, item)
    else:
        for name, key_pos, value in node.items:
            _note(places, lines, f"{path}.{name}", key_pos, value)


def _entries(lines: Sequence[str], path: str, node: Scalar) -> Iterator[tuple[str, Place]]:
    """Where the entries of a list with commas stand; one that is written otherwise than it reads is left out."""
    line, column = node.pos.line - 1, node.pos.col - 1
    for i, entry in enumerate(texts_of(node.text)):
        found = lines[line].find(entry, column)
        if found < 0 and line + 1 < len(lines):
            line += 1
            found = lines[line].find(entry)
        if found < 0:
            return
        column = found + len(entry)
        yield f"{path}[{i}]", (line + 1, found + 1)


@dataclass
class ResolvedOrders:
    """Orders with ids, faults of names and form, warnings, and the indices of orders that can't be run."""

    orders: list[Order] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    bad: set[int] = field(default_factory=set)


def resolve_orders(table: Table, state: Any, side: str, orders: Sequence[Order]) -> ResolvedOrders:
    """Orders with ids in place of names, and what is wrong or odd about each by itself."""
    found = ResolvedOrders()
    for order in orders[ORDERS_AT_MOST : ORDERS_AT_MOST + 1]:
        found.problems += _placed(order, [too_many(len(orders))])
        found.bad.update(unread.index for unread in orders[ORDERS_AT_MOST:])
    for order in orders[:ORDERS_AT_MOST]:
        resolved, faults = order, shape_problems(table.order_types, order)
        if not faults:
            resolved, faults = table.resolve(state, side, order)
        faults = faults or table.refusal(state, side, resolved)
        found.problems += _placed(order, faults)
        if faults:
            found.bad.add(order.index)
        else:
            found.warnings += _placed(order, table.remarks(state, side, resolved))
        found.orders.append(resolved)
    for order in twice(found.orders):
        found.problems += _placed(order, [_TWICE])
        found.bad.add(order.index)
    return found


_TWICE = Problem(
    "twice",
    "PROTOCOL 5",
    "the file holds another standing order on this topic; only one can be in force, the last one that is not sealed",
    "put all clauses into one order, the first that fits decides; or leave one away",
    field="topic",
)


def twice(orders: Sequence[Order]) -> list[Order]:
    """Standing orders, open or sealed, on a topic that an earlier one of the same file settles."""
    topics = [order.text("topic") for order in orders]
    return [
        order
        for at, order in enumerate(orders)
        if order.type == "standing"
        and any(other.type == "standing" and topics[at] == topics[i] for i, other in enumerate(orders[:at]))
    ]


def _placed(order: Order, problems: Sequence[Problem]) -> list[Problem]:
    return [replace(p, order=order.index, place=p.place or order.place(p.field)) for p in problems]


def body_orders(orders: Sequence[Order]) -> list[dict[str, Any]]:
    """Orders as they stand in a signed body."""
    return [{"type": order.type, **order.data} for order in orders]
