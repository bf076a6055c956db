"""The forms of fields and the fields of a message body (PROTOCOL 3.1, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

REQUIRED = ("pbem", "game", "seq", "prev", "side", "rules", "link", "reveal", "state", "entropy", "orders")
"""Fields of every body."""

OPTIONAL = (
    "sealed",
    "open",
    "history",
    "decks",
    "cards",
    "show",
    "rekey",
    "reanchor",
    "upgrade",
    "allow_lost",
    "replaces",
    "restored",
    "end",
    "final",
    "note",
)
"""Fields a body may carry (PROTOCOL 4.2)."""

LOST_REQUIRED = ("pbem", "game", "seq", "prev", "side", "rules", "state", "entropy", "lost", "reanchor")
"""Fields of a message whose author has lost his chain; beside them only a note (PROTOCOL 7)."""

_HEX64, _CID = re.compile(r"[0-9a-f]{64}\Z"), re.compile(r"[0-9a-f]{32}\Z")
_UINT = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")
_SLUG = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")
_ORDER_TYPE = re.compile(r"[a-z][a-z0-9_-]{0,63}\Z")


def is_hash(value: object) -> bool:
    """64 lower-case hex digits."""
    return isinstance(value, str) and _HEX64.match(value) is not None


def is_cid(value: object) -> bool:
    """32 lower-case hex digits."""
    return isinstance(value, str) and _CID.match(value) is not None


def is_slug(value: object) -> bool:
    """`[a-z][a-z0-9-]{0,63}`: sides, systems, topics, decks."""
    return isinstance(value, str) and _SLUG.match(value) is not None


def uint(value: object) -> int | None:
    """The number of a decimal integer: no sign, no leading zero, at most 9 digits; else None."""
    return int(value) if isinstance(value, str) and _UINT.match(value) else None


def is_order_type(value: object) -> bool:
    """`[a-z][a-z0-9_-]{0,63}`."""
    return isinstance(value, str) and _ORDER_TYPE.match(value) is not None


def refuse(text: str, code: str = "E_FIELD") -> ProtocolError:
    """The exception for a malformed field (to be raised by the caller)."""
    return ProtocolError(code, text)


def only(tree: Mapping[str, Tree], required: tuple[str, ...], optional: tuple[str, ...], where: str) -> None:
    """Raise E_FIELD unless `tree` has all required keys and no unknown one."""
    for name in required:
        if name not in tree:
            raise refuse(f"{where}: the field `{name}` is missing")
    for name in tree:
        if name not in required and name not in optional:
            raise refuse(f"{where}: there is no field `{name}`")


def check_version(body: Mapping[str, Tree]) -> None:
    """Raise E_VERSION unless `pbem` is "1"."""
    if body.get("pbem") != "1":
        raise refuse(f"`pbem` is {body.get('pbem')!r}, this program speaks version 1", "E_VERSION")


def check_body(body: Mapping[str, Tree]) -> None:
    """Names and forms of the fields of a message, without entropy and orders (they come later, PROTOCOL 4.8)."""
    if "lost" in body:
        only(body, LOST_REQUIRED, ("note",), "a message with `lost`")
    else:
        only(body, REQUIRED, OPTIONAL, "body")
    for name in ("game", "prev", "rules", "reveal", "state"):
        if name in body and not is_hash(body[name]):
            raise refuse(f"`{name}` must be 64 small hex digits")
    for name in ("seq", "link"):
        if name in body and not uint(body[name]):
            raise refuse(f"`{name}` must be a number from 1 without leading zero, at most 9 digits")
    if not is_slug(body["side"]):
        raise refuse("`side` must be a slug: small letters, digits and -")
    if "note" in body and not isinstance(body["note"], str):
        raise refuse("`note` must be a text")


def check_orders(orders: Tree) -> None:
    """Raise E_FIELD unless `orders` is a list of mappings, each with a `type`. What they mean is the game's."""
    if not isinstance(orders, list):
        raise refuse("`orders` must be a list")
    for number, order in enumerate(orders, 1):
        if not isinstance(order, dict):
            raise refuse(f"order {number} of {len(orders)} is no mapping")
        if not is_order_type(order.get("type")):
            raise refuse(f"order {number} of {len(orders)} has no `type` of small letters, digits, _ and -")
