"""Cutting the orders of a round into what comes before the combats, and one group per combat (SS 5.2, 11.21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Order

FOLLOW_TYPES = ("losses", "advance", "captured_supply")
"""What may follow a combat that was fought."""
BOUND_TYPES = ("combat_card", *FOLLOW_TYPES)
"""What may follow an attack as it is ordered."""


@dataclass(frozen=True, slots=True)
class Group:
    """One combat as ordered: the attack, the attacker's losses and advances bound to it, and the message it is from."""

    attack: Order
    follow: tuple[Order, ...]
    by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """The orders of a section: ``leading`` before the first attack, the combats, whether the list ends the round."""

    leading: tuple[Order, ...]
    combats: tuple[Group, ...]
    ended: bool


def grouped(orders: Sequence[Order], by: tuple[int, ...]) -> Groups:
    """Cut a list of orders. What follows an attack belongs to it up to the next one."""
    leading: list[Order] = []
    found: list[tuple[Order, list[Order]]] = []
    ended = False
    for order in orders:
        if order.type == "end_round":
            ended = True
        elif order.type == "attack":
            found.append((order, []))
        elif found:
            found[-1][1].append(order)
        else:
            leading.append(order)
    return Groups(tuple(leading), tuple(Group(attack, tuple(rest), by) for attack, rest in found), ended)


def split(orders: Sequence[Order]) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """What belongs to the combat just fought, and the orders after it."""
    for index, order in enumerate(orders):
        if order.type not in FOLLOW_TYPES:
            return tuple(orders[:index]), tuple(orders[index:])
    return tuple(orders), ()
