"""Finds every fault of a data pack at once (``adjudicator pack check``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import Fault
from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.shifting_sands.check import check_files as shifting_sands
from adjudicator.packs.western_desert.check import check_files as western_desert

_CHECKS: Final[dict[str, Callable[[PackFiles], list[Fault]]]] = {
    "western-desert": western_desert,
    "shifting-sands": shifting_sands,
}


def check_pack(folder: Path) -> list[Fault]:
    """All faults of the pack in ``folder``, in the order of files and lines; empty when it is sound.

    A file that can't be read is one fault; nothing else is checked then.
    """
    try:
        files = read_pack(folder)
    except PackError as err:
        return [_unreadable(str(err))]
    return sorted(set(check_files(files)))


def check_files(files: PackFiles) -> list[Fault]:
    """All faults of a pack that has been read already."""
    return _CHECKS[files.system](files)


def _unreadable(text: str) -> Fault:
    file, line, column, rest = text.split(":", 3)
    return Fault(file, int(line), int(column), "file", rest.removeprefix(" error: "))
