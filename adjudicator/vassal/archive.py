"""Zip archives: written whole and reproducibly, read without trust."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from adjudicator.match.files import sync_folder

# Earliest time a zip can carry; a fixed one keeps two exports of one state byte-equal.
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
# Pictures that are compressed already gain nothing by deflating.
STORED_SUFFIXES = (".png", ".jpg", ".gif", ".vsav", ".vlog")

MAX_ENTRIES = 20_000
MAX_ENTRY_BYTES = 64 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024


class ArchiveError(ValueError):
    """A file that is no archive this program will read; the message says why."""


def write_archive(out: Path, entries: Iterable[tuple[str, bytes | Path]]) -> None:
    """Writes a zip of these entries, in this order. Readers see the old file or the new."""
    with atomic_file(out) as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED) as archive:
        _write_entries(archive, entries)


def archive_bytes(entries: Iterable[tuple[str, bytes | Path]]) -> bytes:
    """The same zip in memory, for an archive inside an archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write_entries(archive, entries)
    return buffer.getvalue()


def _write_entries(archive: zipfile.ZipFile, entries: Iterable[tuple[str, bytes | Path]]) -> None:
    for name, content in entries:
        info = zipfile.ZipInfo(name, FIXED_TIME)
        info.create_system = 3
        info.external_attr = 0o644 << 16
        stored = name.lower().endswith(STORED_SUFFIXES)
        info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        data = content.read_bytes() if isinstance(content, Path) else content
        archive.writestr(info, data, compresslevel=None if stored else 6)


@contextlib.contextmanager
def atomic_file(out: Path) -> Iterator[BinaryIO]:
    """A binary file that takes its name only when it is complete and on disk.

    Raises OSError when the folder cannot be written.
    """
    number, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    temporary = Path(name)
    try:
        with os.fdopen(number, "w+b") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        temporary.chmod(0o644)
        temporary.replace(out)
        sync_folder(out.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_archive(path: Path, wanted: Iterable[str] | None = None) -> Mapping[str, bytes]:
    """The entries of a zip by name: all, or those wanted that are there.

    Nothing is unpacked to disk. Raises ArchiveError for what is not a sound zip, has too many or
    too large entries, the same name twice, or a name that leads out of the archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            _refuse_unsafe(infos)
            names = None if wanted is None else set(wanted)
            return {i.filename: _read_entry(archive, i) for i in infos if names is None or i.filename in names}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ArchiveError(f"{path.name}: not a readable zip archive ({error})") from error


def _refuse_unsafe(infos: list[zipfile.ZipInfo]) -> None:
    """Looks at the directory of a zip before anything is unpacked."""
    if len(infos) > MAX_ENTRIES:
        raise ArchiveError(f"{len(infos)} entries, more than {MAX_ENTRIES}")
    total = sum(info.file_size for info in infos)
    if total > MAX_TOTAL_BYTES:
        raise ArchiveError(f"{total} bytes unpacked, more than {MAX_TOTAL_BYTES}")
    seen: set[str] = set()
    for info in infos:
        parts = info.filename.replace("\\", "/").split("/")
        if info.filename.startswith("/") or ".." in parts or ":" in parts[0]:
            raise ArchiveError(f"entry {info.filename!r} leads out of the archive")
        if info.filename in seen:
            raise ArchiveError(f"entry {info.filename!r} is there twice")
        if info.file_size > MAX_ENTRY_BYTES:
            raise ArchiveError(f"entry {info.filename!r} has {info.file_size} bytes, more than {MAX_ENTRY_BYTES}")
        seen.add(info.filename)


def _read_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """One entry; the directory's size is a claim, so reading stops at the limit."""
    with archive.open(info) as stream:
        data = stream.read(MAX_ENTRY_BYTES + 1)
    if len(data) > MAX_ENTRY_BYTES:
        raise ArchiveError(f"entry {info.filename!r} is larger than it says")
    return data
