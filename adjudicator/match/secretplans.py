"""Secret long-term plans of a match: where a player's own are kept, what goes into a message of them (PROTOCOL 5).

Nothing of them is in a message but the root of their book, until the order that carries one out brings its topics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudicator.engine.core import Order, Problem, Proof, Tree
from adjudicator.engine.driver import Message, Waits
from adjudicator.engine.game import Table, ordered
from adjudicator.engine.planning import NOTHING_PLANNED, Planning
from adjudicator.match.folder import FolderError
from adjudicator.match.sheets import WAY_OUT, is_secret
from adjudicator.protocol.books import filled
from adjudicator.protocol.desk import Wanted
from adjudicator.protocol.forms import rows
from adjudicator.protocol.own import OwnBooks
from adjudicator.protocol.verifier import Verifier

if TYPE_CHECKING:
    from adjudicator.match.match import Match

Kept = Callable[[Any], Mapping[str, Tree]]
"""Reads the plans that stand in a position, out of the player's own books."""


def nothing_kept(_state: Any) -> Mapping[str, Tree]:
    """For whoever has planned nothing."""
    return {}


def kept_plans(
    table: Table, verifier: Verifier, side: str, books: Callable[[], OwnBooks], state: Any
) -> Mapping[str, Tree]:
    """The plans of a side that stand in a position, by topic. Raises FolderError where they are not kept here."""
    seq = table.plans.since(state, side) if table.plans is not None else 0
    if table.plans is None or not seq:
        return {}
    book = table.plans.book_of(side)
    root = next((one.root for one in verifier.history.sealed if (one.side, one.book, one.seq) == (side, book, seq)), "")
    if not root:
        return {}
    found = books().find(book, seq, root)
    if found is None:
        raise FolderError(f"what you planned by message {seq} is not kept here; {WAY_OUT}")
    return found.rules


def planning_of(
    table: Table, waits: Waits, state: Any, side: str, orders: Sequence[Order], kept: Kept
) -> Planning:
    """What the orders of a turn file make of the plans of their author."""
    secret = [order for order in orders if is_secret(order, table.order_types)]
    if table.plans is None:
        return Planning(problems={order.index: [_no_plans(order)] for order in secret}) if secret else NOTHING_PLANNED
    return table.plans.planning(state, side, waits, secret, partial(kept, state))


def _no_plans(order: Order) -> Problem:
    text = f"{order.type}: this scenario has no plans that are kept secret"
    return Problem("no_plans", "PROTOCOL 5", text, "leave the order out")


def planned_message(seq: int, side: str, orders: Sequence[Order], planning: Planning) -> Message:
    """The message of open orders as its author's program will make it: with what carries out plans that are due."""
    return Message(seq, side, (*orders, *planning.orders), planning.proofs)


def planned_contents(table: Table, side: str, planning: Planning) -> dict[str, Mapping[str, Tree]]:
    """The new book of plans by name, for a message that ends a planning step."""
    if table.plans is None or planning.contents is None:
        return {}
    return {table.plans.book_of(side): filled(planning.contents)}


def wanted_proofs(planning: Planning) -> list[Wanted]:
    """What the field `history` of the message carries."""
    return [(proof.book, proof.seq, proof.topic) for proof in planning.proofs]


def proofs_in(body: Mapping[str, Any]) -> tuple[Proof, ...]:
    """What a signed message proves; the verifier has found that each topic fits its root."""
    return tuple(
        Proof(str(row["book"]), int(str(row["seq"])), str(row["topic"]), ordered(row.get("rules", "")))
        for row in rows(body.get("history"))
    )


def own_plans(match: Match, state: Any) -> list[str]:
    """The secret plans of this folder's player in words, out of his own book alone; none in any other folder."""
    table = match.table
    if table.plans is None or not match.me:
        return []
    sealed = match.verifier.history.in_force(match.me, match.my_next_seq).get(table.plans.book_of(match.me))
    if sealed is None:
        return []
    try:
        found = match.own_books().find(sealed.book, sealed.seq, sealed.root)
    except FolderError as error:
        return [f"Your secret plans can't be read: {error}"]
    if found is None:
        return [f"What you planned by message {sealed.seq} is not kept here; {WAY_OUT}."]
    return table.plans.told(state, match.me, found.rules)
