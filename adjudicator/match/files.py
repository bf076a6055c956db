"""Files that are whole or not there: temporary file in the same folder, fsync, rename (DESIGN, The game folder)."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

PRIVATE = 0o600
PUBLIC = 0o644


def write_whole(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Replace a file in one step; a crash leaves the old or the new, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)  # noqa: PTH105 - Path.replace is the same call; kept beside os.open
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename last, where the system can sync folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_json(path: Path, tree: object, mode: int = PUBLIC) -> None:
    """Write canonical JSON in one step."""
    data = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    write_whole(path, data, mode)


class FolderBusy(Exception):
    """Another program is working on this game folder."""


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """One program at a time may write a game folder. Raises :class:`FolderBusy`. Released even by a crash."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        if not _take(handle):
            raise FolderBusy(f"{folder.parent}: another adjudicator is working on this game; wait until it ends")
        yield
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return _take_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _take_windows(handle: int) -> bool:
    import importlib

    msvcrt = importlib.import_module("msvcrt")
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
