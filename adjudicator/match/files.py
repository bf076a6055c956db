"""Files that are whole or not there: temporary file in the same folder, fsync, rename (DESIGN, The game folder)."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from adjudicator.protocol.keys import sync_folder as sync_folder

PRIVATE = 0o600
PUBLIC = 0o644


def write_whole(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Replace a file in one step; a crash leaves the old or the new, never half.

    Raises FolderMoved for a file of a game folder that is locked here and is no longer where it was.
    """
    _still_there(path)
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


def write_json(path: Path, tree: object, mode: int = PUBLIC) -> None:
    """Write canonical JSON in one step."""
    data = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    write_whole(path, data, mode)


class FolderBusy(Exception):
    """Another program is working on this game folder."""


class FolderMoved(FolderBusy):
    """The game folder was renamed, removed, or put back from a copy while this program worked on it."""


_held: dict[str, int] = {}
"""The locks this process holds: the lock's file by its absolute name, and the open handle."""


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """One program at a time may write a game folder. Raises :class:`FolderBusy`. Released even by a crash.

    ``folder`` is the private part of the game folder. What a crash has left half written is removed: nobody else
    writes here while the lock is held.
    """
    folder.mkdir(0o700, parents=True, exist_ok=True)
    path = os.path.abspath(folder / "lock")  # noqa: PTH100 - no link is followed: it is the name that counts
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        if not _take(handle) or not _same(handle, path):
            raise FolderBusy(f"{folder.parent}: another adjudicator is working on this game; wait until it ends")
        _held[path] = handle
        _sweep(folder.parent)
        yield
    finally:
        if _held.get(path) == handle:
            del _held[path]
        os.close(handle)


def _same(handle: int, path: str) -> bool:
    """Whether the lock that is held is still the one at its name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))  # noqa: PTH116 - beside fstat
    except FileNotFoundError:
        return False


def _still_there(path: Path) -> None:
    """Nothing is written into a game folder that took the place of the one this program has read."""
    name = os.path.abspath(path)  # noqa: PTH100
    for held, handle in _held.items():
        root = os.path.dirname(os.path.dirname(held))  # noqa: PTH120
        if name.startswith(root + os.sep) and not _same(handle, held):
            raise FolderMoved(
                f"{root}: the folder was moved, removed or put back from a copy while the program worked on it; "
                "nothing more was written; look where it is now, and what `status` says there"
            )


def _sweep(root: Path) -> None:
    """Remove the temporary files of programs that were killed."""
    for part in ("", "private", "outbox", "rules", "state", "state/events", "reports", "kept"):
        with contextlib.suppress(OSError), os.scandir(root / part) as entries:
            names = [entry.path for entry in entries if entry.name.startswith(".") and entry.name.endswith(".tmp")]
            for name in names:
                with contextlib.suppress(OSError):
                    Path(name).unlink()


def _take(handle: int) -> bool:
    """Whether the lock is ours now. Raises OSError where the file system has no locks."""
    try:
        import fcntl
    except ImportError:
        return _take_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
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
