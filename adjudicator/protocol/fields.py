"""The forms of fields and the fields of a message body (PROTOCOL 3.1, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

REQUIRED = ("pbem", "game", "seq", "prev", "side", "rules", "link", "reveal", "state", "entropy", "orders")
"""Fields of every body."""

OPTIONAL = ("replaces", "note", "final")
"""Fields a body may carry in this version; `final` only when the game is over, and empty (PROTOCOL 7)."""

NOT_BUILT: dict[str, str] = {
    "sealed": "sealed books (PROTOCOL 5)",
    "open": "opened topics (PROTOCOL 5)",
    "history": "proof of age of sealed plans (PROTOCOL 5)",
    "decks": "face-down decks (PROTOCOL 6)",
    "cards": "openings of cards (PROTOCOL 6)",
    "show": "openings owed (PROTOCOL 6)",
    "rekey": "change of key (PROTOCOL 7)",
    "reanchor": "a new chain (PROTOCOL 7)",
    "upgrade": "change of rules within a game (PROTOCOL 7)",
    "lost": "loss of a chain (PROTOCOL 7)",
    "allow_lost": "consent to a lost chain (PROTOCOL 7)",
    "end": "resignation and draw (PROTOCOL 7)",
    "restored": "restoring from the other side's log (PROTOCOL 8)",
}
"""Fields the protocol knows and this version refuses, with what they are for.

To build one: move it to OPTIONAL, give its form a check in `checks`, and its place in the check order of
PROTOCOL 4.8 in `Verifier`.
"""

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
            if name in NOT_BUILT:
                raise refuse(f"{where}: `{name}`, {NOT_BUILT[name]}, is not built yet in this version")
            raise refuse(f"{where}: there is no field `{name}`")


def check_version(body: Mapping[str, Tree]) -> None:
    """Raise E_VERSION unless `pbem` is "1"."""
    if body.get("pbem") != "1":
        raise refuse(f"`pbem` is {body.get('pbem')!r}, this program speaks version 1", "E_VERSION")


def check_body(body: Mapping[str, Tree]) -> None:
    """Names and forms of the fields of a message, without entropy and orders (they come later, PROTOCOL 4.8)."""
    only(body, REQUIRED, OPTIONAL, "body")
    for name in ("game", "prev", "rules", "reveal", "state"):
        if not is_hash(body[name]):
            raise refuse(f"`{name}` must be 64 small hex digits")
    for name in ("seq", "link"):
        if not uint(body[name]):
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
