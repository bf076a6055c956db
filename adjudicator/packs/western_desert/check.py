"""Finds every fault of a pack of Western Desert at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record
from adjudicator.packs.western_desert.check_beside import check_beside
from adjudicator.packs.western_desert.check_counters import CounterCheck
from adjudicator.packs.western_desert.check_dates import DateCheck
from adjudicator.packs.western_desert.check_events import EventCheck
from adjudicator.packs.western_desert.check_land import LandCheck
from adjudicator.packs.western_desert.check_map import MapCheck
from adjudicator.packs.western_desert.check_printed import PrintedCheck
from adjudicator.packs.western_desert.check_scenarios import ScenarioCheck
from adjudicator.packs.western_desert.check_setup import SetupCheck
from adjudicator.packs.western_desert.check_start import StartCheck
from adjudicator.packs.western_desert.check_units import UnitCheck
from adjudicator.packs.western_desert.compile import compile_files
from adjudicator.packs.western_desert.printed import Printed, read_printed
from adjudicator.packs.western_desert.scenario_shapes import check_scenario_shape
from adjudicator.packs.western_desert.shapes import check_shapes

_BROKEN: Final = (KeyError, IndexError, ValueError, TypeError, AttributeError)
"""What a check stumbles over where a record is not of its shape, which is a fault already."""


def check_files(files: PackFiles) -> list[Fault]:
    """All faults of a pack that has been read already."""
    faults = Faults()
    check_shapes(files, faults)
    for scenario in files.scenarios:
        check_scenario_shape(scenario, faults)
    printed = read_printed(files, faults)
    board = MapCheck(files, faults)
    seen: dict[str, Record] = {}
    steps: list[Callable[[], None]] = [
        board.run,
        LandCheck(files, board, printed, faults).run,
        UnitCheck(files, faults).run,
        *(_scenario(files, scenario, board, printed, faults, seen) for scenario in files.scenarios),
        lambda: CounterCheck(files, printed, faults).run(),
        PrintedCheck(files, printed, faults).run,
        lambda: DateCheck(files, faults).run(),
        lambda: check_beside(files, faults),
        lambda: _compiled(files, faults),
    ]
    for step in steps:
        _guarded(step, faults)
    return faults.found


def _guarded(step: Callable[[], None], faults: Faults) -> None:
    """One group of checks; where it stumbles, a fault found before or after says why, else there is one."""
    try:
        step()
    except _BROKEN as error:
        if not faults.found:
            faults.at(
                "pack.yaml", 1, "compile", f"the pack can't be checked to its end ({error!r}); correct its records"
            )


def _scenario(
    files: PackFiles, scenario: Record, board: MapCheck, printed: Printed, faults: Faults, seen: dict[str, Record]
) -> Callable[[], None]:
    def run() -> None:
        faults.unique(seen, str(scenario.get("id")), scenario, "scenario")
        SetupCheck(files, scenario, board, printed, faults).run()
        ScenarioCheck(files, scenario, board, faults).run()

    return run


def _compiled(files: PackFiles, faults: Faults) -> None:
    """The last checks rest on the compiled tree; a record that the compiler can't take is a fault already."""
    tree = compile_files(files)
    EventCheck(files, tree, faults).run()
    for scenario in files.scenarios:
        if "deploy" in scenario:
            StartCheck(files, tree, scenario, faults).run()
