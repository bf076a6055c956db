"""Strategy cards as the rules see them: open under their id, or face down under a handle ``epoch.pos`` (PROTOCOL 6).

Where cards lie face down, what an order needs to know of one its message opens (:attr:`Order.shown`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from adjudicator.engine.core import Order
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, World, rows, text

NAME, OPS, RP = "name", "ops", "rp"
ATTRIBUTES = (NAME, OPS, RP)
HANDLE = re.compile(r"[1-9]\d{0,3}\.(0|[1-9]\d{0,3})")
NO_POINTS = "none"


def face_of(card: Record) -> dict[str, str]:
    """What a deck commits to of a card: its id, operations points, replacement points."""
    return {NAME: text(card, "id"), OPS: text(card, "ops"), RP: points_text(card.get("rp"))}


def points_text(rp: object) -> str:
    """Replacement points in a line: ``BR 1, CW 1``."""
    if isinstance(rp, Mapping):
        told = [f"{pool} {points}" for pool, points in rp.items()]
    else:
        told = [f"{text(row, 'pool')} {text(row, 'points')}" for row in rows({"rp": rp}, "rp")]
    return ", ".join(sorted(told)) or NO_POINTS


def points_in(line: str) -> dict[str, str]:
    """The points of such a line, by pool."""
    pairs = (part.split() for part in line.split(", ")) if line not in ("", NO_POINTS) else ()
    return dict(pairs)


def known(state: State, order: Order, card: str, attr: str) -> str:
    """An attribute of a card that an order names; "" where nobody has opened it. Whose name is open is known whole."""
    row = state.world.cards.get(card)
    if row is not None:
        return face_of(row)[attr]
    shown = order.shown.get(card, {})
    named = state.world.cards.get(shown.get(NAME, ""))
    return shown.get(attr, "") or (face_of(named)[attr] if named is not None else "")


def played_openly(world: World) -> bool:
    """Whether a card used for points shows its name as well (ruling A45, switch ``cards_show_played``)."""
    return world.switch("cards_show_played", "value") == "name"


def is_handle(card: str) -> bool:
    """True for a card that lies face down."""
    return HANDLE.fullmatch(card) is not None


def not_held(state: State, side: str, cards: Iterable[str]) -> list[str]:
    """Cards by id that a side does not hold, in a game in which a card of its hand goes by its handle, or lies open: to
    name one in advance would tell the other side that it is not there (PROTOCOL 6)."""
    held = {*state.hands.get(side, []), *state.face_up.get(side, [])}
    return [card for card in cards if state.hidden and not is_handle(card) and card not in held]


def called(card: str) -> str:
    """A card in the texts of rules: ``card 1.5`` where it lies face down; its owner's program puts the name there."""
    return f"card {card}" if is_handle(card) else card


def ascending(cards: Iterable[str]) -> list[str]:
    """Handles by epoch, then position; open cards behind them in the order given (PROTOCOL 6)."""
    listed = list(cards)
    down = sorted((card for card in listed if is_handle(card)), key=_at)
    return [*down, *(card for card in listed if not is_handle(card))]


def _at(card: str) -> tuple[int, int]:
    epoch, _, pos = card.partition(".")
    return int(epoch), int(pos)


def epoch_of(card: str) -> int:
    """The epoch of a handle."""
    return _at(card)[0]


def dealt(epoch: int, size: int) -> list[str]:
    """The handles of a new epoch."""
    return [f"{epoch}.{pos}" for pos in range(size)]
