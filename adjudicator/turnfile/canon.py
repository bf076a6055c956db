"""Canonical bytes (PROTOCOL 3.2): what is signed, hashed and kept in the log.

canon(tree) is RFC 8785 JSON of objects, arrays and strings. Keys are ASCII (their grammar), so sorting
by code point is the order RFC 8785 asks for, and only LF, `"` and `\\` are ever escaped.
"""

from __future__ import annotations

import json
import re

from adjudicator.turnfile.nodes import Tree, TreeView
from adjudicator.turnfile.whitelist import first_foreign

MAX_BYTES = 262_144
"""Largest turn file and largest canonical body, in bytes."""

BODY_DEPTH = 15
"""Nested containers in a body, itself the first."""

FILE_DEPTH = 16
"""Nested containers in a turn file."""

MAX_DEPTH = 200
"""Nested containers in anything else (packs, events, positions): the protocol sets no limit, the program does."""

KEY = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
"""Grammar of the keys of every mapping (PROTOCOL 3.1)."""

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False)


class CanonError(ValueError):
    """A tree or a log line that has no canonical bytes (E_CANON).

    `path` names the value inside the tree (`orders[3].unit`), `text` says what is wrong, `hint` how to mend.
    """

    code = "E_CANON"

    def __init__(self, path: str, text: str, hint: str = "") -> None:
        super().__init__(f"{path or 'the whole'}: {text}" + (f"; {hint}" if hint else ""))
        self.path, self.text, self.hint = path, text, hint


def canon(tree: TreeView) -> bytes:
    """Canonical bytes of a tree.

    Checks shape, keys and characters, no limits of size or depth (packs, events and positions have none).
    Raises CanonError.
    """
    if not _clean(tree, 1, MAX_DEPTH):
        _explain(tree, "", 1, MAX_DEPTH)
    return _ENCODER.encode(tree).encode("utf-8")


def canon_body(tree: TreeView) -> bytes:
    """Canonical bytes of a message body or genesis: mapping, depth and size are checked too."""
    if not isinstance(tree, dict):
        raise CanonError("", "a body must be a mapping", "write `key: value` lines")
    if not _clean(tree, 1, BODY_DEPTH):
        _explain(tree, "", 1, BODY_DEPTH)
    data = _ENCODER.encode(tree).encode("utf-8")
    if len(data) > MAX_BYTES:
        raise CanonError(
            "", f"the canonical body has {len(data):,} bytes, {MAX_BYTES:,} are allowed", "shorten notes and orders"
        )
    return data


def is_key(text: str) -> bool:
    """Whether `text` may be the key of a mapping."""
    return KEY.match(text) is not None


def _clean(tree: object, depth: int, limit: int) -> bool:
    """Whether `tree` is text, lists and mappings of allowed keys and characters, at most `limit` deep."""
    if isinstance(tree, str):
        return first_foreign(tree) < 0
    if depth > limit:
        return False
    if isinstance(tree, dict):
        for key, value in tree.items():
            if not (isinstance(key, str) and KEY.match(key) and _clean(value, depth + 1, limit)):
                return False
        return True
    return isinstance(tree, list | tuple) and all(_clean(value, depth + 1, limit) for value in tree)


def _explain(tree: object, path: str, depth: int, limit: int) -> None:
    """Raise CanonError for the first fault that `_clean` saw; slower, because it keeps the path."""
    if isinstance(tree, str):
        _explain_text(tree, path)
    elif depth > limit:
        raise CanonError(path, f"more than {limit} containers inside one another", "flatten this value")
    elif isinstance(tree, dict):
        for key, value in tree.items():
            if not isinstance(key, str) or not is_key(key):
                raise CanonError(path, f"{key!r} can't be a key", "use a-z, 0-9 and _, a letter first, at most 64")
            _explain(value, f"{path}.{key}" if path else key, depth + 1, limit)
    elif isinstance(tree, list | tuple):
        for index, value in enumerate(tree):
            _explain(value, f"{path}[{index}]", depth + 1, limit)
    else:
        raise CanonError(path, f"{type(tree).__name__} {tree!r} is not text, list or mapping", "write it as text")


def _explain_text(text: str, path: str) -> None:
    at = first_foreign(text)
    if at >= 0:
        raise CanonError(path, f"character U+{ord(text[at]):04X} is not allowed", "replace it by a plain character")


def parse(data: bytes, max_depth: int = MAX_DEPTH) -> Tree:
    """The tree of canonical bytes; anything else than exactly canon(tree) raises CanonError."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise CanonError("", f"byte {error.start + 1} is not UTF-8", "take an unharmed copy of the file") from None
    except (ValueError, RecursionError) as error:
        raise CanonError("", f"not canonical JSON ({error})", "take an unharmed copy of the file") from None
    if not _clean(value, 1, max_depth):
        _explain(value, "", 1, max_depth)
    if _ENCODER.encode(value).encode("utf-8") != data:
        raise CanonError("", "JSON, but not in canonical form", "the log is written by the program, never by hand")
    tree: Tree = value
    return tree


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not text, list or mapping")
