"""Finds every fault of a pack of Western Desert at once."""

from __future__ import annotations

from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record
from adjudicator.packs.western_desert.check_events import EventCheck
from adjudicator.packs.western_desert.check_map import MapCheck
from adjudicator.packs.western_desert.check_scenarios import ScenarioCheck
from adjudicator.packs.western_desert.check_start import StartCheck
from adjudicator.packs.western_desert.check_units import UnitCheck
from adjudicator.packs.western_desert.compile import compile_files


def check_files(files: PackFiles) -> list[Fault]:
    """All faults of a pack that has been read already."""
    faults = Faults()
    board = MapCheck(files, faults)
    board.run()
    UnitCheck(files, faults).run()
    seen: dict[str, Record] = {}
    for scenario in files.scenarios:
        ScenarioCheck(files, scenario, board, faults).run()
        faults.unique(seen, str(scenario.get("id")), scenario, "scenario")
    try:
        _compiled(files, faults)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        if not faults.found:
            faults.at("pack.yaml", 1, "compile", f"the pack can't be compiled ({error!r}); correct its records")
    return faults.found


def _compiled(files: PackFiles, faults: Faults) -> None:
    """The last checks rest on the compiled tree; a record that the compiler can't take is a fault already."""
    tree = compile_files(files)
    EventCheck(files, tree, faults).run()
    for scenario in files.scenarios:
        if "deploy" in scenario:
            StartCheck(files, tree, scenario, faults).run()
