"""Finds every fault of a pack of Western Desert at once."""

from __future__ import annotations

from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record
from adjudicator.packs.western_desert.check_map import MapCheck
from adjudicator.packs.western_desert.check_scenarios import ScenarioCheck
from adjudicator.packs.western_desert.check_units import UnitCheck


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
    return faults.found
