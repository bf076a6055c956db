"""Where keys, secrets and entropy of commands come from: the system's source, or a fixed one for the demo.

The only way to the fixed source is :func:`fixed`, in this process: no option and no environment variable leads to it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_source: Callable[[int], bytes] = os.urandom


def random(count: int) -> bytes:
    """Fresh random bytes for keys, secrets and entropy."""
    return _source(count)


@contextmanager
def fixed(seed: str) -> Iterator[None]:
    """The same bytes in every run, for the bundled example only: anybody can know its keys."""
    global _source
    before, calls = _source, [0]

    def stream(count: int) -> bytes:
        calls[0] += 1
        return hashlib.shake_256(f"{seed}/{calls[0]}".encode()).digest(count)

    _source = stream
    try:
        yield
    finally:
        _source = before
