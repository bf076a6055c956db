"""Finds every fault of a data pack at once (``adjudicator pack check``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from adjudicator.packs.check_map import MapCheck
from adjudicator.packs.check_scenarios import ScenarioCheck
from adjudicator.packs.check_units import UnitCheck
from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.reading import Record
from adjudicator.packs.shifting_sands.check import check_files as check_shifting_sands


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


def _western_desert(files: PackFiles) -> list[Fault]:
    faults = Faults()
    board = MapCheck(files, faults)
    board.run()
    UnitCheck(files, faults).run()
    seen: dict[str, Record] = {}
    for scenario in files.scenarios:
        ScenarioCheck(files, scenario, board, faults).run()
        faults.unique(seen, str(scenario.get("id")), scenario, "scenario")
    return faults.found


def _unreadable(text: str) -> Fault:
    file, line, column, rest = text.split(":", 3)
    return Fault(file, int(line), int(column), "file", rest.removeprefix(" error: "))


_CHECKS: Final[dict[str, Callable[[PackFiles], list[Fault]]]] = {
    "western-desert": _western_desert,
    "shifting-sands": check_shifting_sands,
}
