"""Signing keys from files: pass phrases are asked for, files that others may read are told of (PROTOCOL 3.3)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from adjudicator.protocol.keys import KeyFileError, SigningKey

OTHERS = stat.S_IRWXG | stat.S_IRWXO
ask: Callable[[Path], bytes] | None = None
"""How a pass phrase is asked for; None where nobody can be asked. The command line sets it."""


def load_key(path: Path, strict: bool = False) -> SigningKey:
    """A key from its file. Raises KeyFileError or OSError; with ``strict`` also for one that others may read."""
    key = SigningKey.load(path, ask)
    if strict and readable_by_others(path):
        mode = stat.S_IMODE(path.stat().st_mode)
        raise KeyFileError(f"others on this computer may read it (mode {mode:04o}); run `chmod 600 {path}` first")
    return key


def readable_by_others(path: Path) -> bool:
    """Whether rights are too wide for a secret; False where the system knows no such rights."""
    return os.name == "posix" and bool(path.stat().st_mode & OTHERS)
