"""Finds every fault of a pack of Shifting Sands at once."""

from __future__ import annotations

from typing import Final

from adjudicator.packs.check_notes import check_assumptions, check_options, check_rulings
from adjudicator.packs.faults import Fault, Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.shifting_sands.check_board import BoardCheck
from adjudicator.packs.shifting_sands.check_chains import ChainCheck
from adjudicator.packs.shifting_sands.check_counters import CounterCheck
from adjudicator.packs.shifting_sands.check_decks import DeckCheck
from adjudicator.packs.shifting_sands.check_places import PlaceCheck
from adjudicator.packs.shifting_sands.check_setups import SetupCheck
from adjudicator.packs.shifting_sands.check_tables import TableCheck
from adjudicator.packs.shifting_sands.graph import graph_of
from adjudicator.packs.shifting_sands.words import Words

LISTS: Final = {
    "pack.yaml": ("sides", "hands", "decks"),
    "map.yaml": ("areas", "regions", "spaces", "links"),
    "units.yaml": ("units",),
    "cards.yaml": ("places", "cards"),
    "tables.yaml": ("fire", "pinned", "shifts", "terrain", "drm", "lrdg"),
    "setups.yaml": ("setups",),
    "rulings.yaml": ("options", "rulings"),
    "assumptions.yaml": ("assumptions",),
    "sources.yaml": ("sources",),
}
"""The lists of records that each file holds."""


def check_files(files: PackFiles) -> list[Fault]:
    """All faults of a pack that has been read already."""
    faults = Faults()
    graph, words = graph_of(files), Words(files, faults)
    _lists(files, faults)
    _head(files, faults)
    BoardCheck(files, graph, words, faults).run()
    CounterCheck(files, faults).run()
    DeckCheck(files, words, faults).run()
    ChainCheck(files, faults).run()
    PlaceCheck(files, graph, faults).run()
    TableCheck(files, graph, words, faults).run()
    seen: dict[str, Record] = {}
    for row in files.scenarios:
        SetupCheck(files, row, graph, faults).scenario()
    for row in [*files.scenarios, *records(files.rows("setups.yaml", "setups"))]:
        SetupCheck(files, row, graph, faults).units()
        faults.unique(seen, str(row.get("id")), row, "set-up")
    check_options(files, faults)
    check_rulings(files, faults)
    check_assumptions(files, faults)
    return faults.found


def _lists(files: PackFiles, faults: Faults) -> None:
    """The lists that each file must have are there, with records in them."""
    for file, keys in LISTS.items():
        for key in keys:
            rows = files.files[file].get(key)
            if not isinstance(rows, Rows) or not all(isinstance(row, Record) for row in rows):
                text = f"{file} must have a list of records {key}; add it or correct its entries"
                faults.add(files.files[file], "list", text)
    for scenario in files.scenarios:
        if not isinstance(scenario.get("units"), Rows):
            faults.add(scenario, "list", "the scenario has no list of units; add it")


def _head(files: PackFiles, faults: Faults) -> None:
    """Name and version, hands of each year, decks one after the other, points for victory."""
    head = files.files["pack.yaml"]
    if not faults.need(head, ("version", "title", "sides", "hands", "decks", "victory", "box")):
        return
    for row in records(head["hands"]):
        if faults.need(row, ("year", "cards")) and not number(row["cards"]):
            faults.add(row, "number", f"cards {row['cards']} is no whole number; correct it")
        faults.source(row)
    after = 1
    for row in records(head["decks"]):
        faults.source(row)
        if not (faults.need(row, ("year", "first", "last")) and number(row["first"]) and number(row["last"])):
            faults.add(row, "number", "a deck needs the numbers of its first and its last card; correct them")
            continue
        if int(row["first"]) != after or int(row["last"]) < after:
            faults.add(row, "deck", f"the deck of {row['year']} begins with {row['first']}, not {after}; correct it")
        after = int(row["last"]) + 1
