"""The files in a zip archive, as mailers and players pack what they attach. Nothing is unpacked to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from adjudicator.turnfile.hints import can_be_shown

MAX_FILES = 50
"""Files of an archive that are looked at."""
MAX_SIZE = 1024 * 1024
"""Bytes of a file that is looked at; a turn has at most 256 KiB, and a third more as armored lines."""

_FAULTS = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)


class ZipFault(ValueError):
    """An archive that can't be looked into; the text says why, and how to mend it."""


def is_zip(data: bytes) -> bool:
    """Whether bytes begin as a zip archive (word processors and VASSAL use them, too)."""
    return data.startswith(b"PK\x03\x04")


def members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file small enough to be a turn; nothing of an archive that is damaged.

    Raises ZipFault for a file behind a pass word.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist()[:MAX_FILES]:
                if entry.is_dir() or entry.file_size > MAX_SIZE:
                    continue
                if entry.flag_bits & 1:
                    raise ZipFault("the archive has a pass word; unpack it and name the file in it")
                with archive.open(entry) as stream:
                    content = stream.read(MAX_SIZE + 1)
                yield _shown(entry.filename), content
    except ZipFault:
        raise
    except _FAULTS:
        return


def _shown(name: str) -> str:
    return "".join(char if char == " " or can_be_shown(char) else "?" for char in name)[:80]
