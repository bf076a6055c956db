"""Checks what every pack says beside its data: rulings with their house rules, assumptions, keys of sources."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records

SWITCH_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""What a house rule may be called: it is a key of the genesis (PROTOCOL 3.1)."""


def check_rulings(files: PackFiles, faults: Faults) -> None:
    """Each ruling once, with the rules it reads; each switch once, its default among its values."""
    seen: dict[str, Record] = {}
    switches: dict[str, Record] = {}
    for row in records(files.rows("rulings.yaml", "rulings")):
        if not faults.need(row, ("n", "id", "rules", "ruling")):
            continue
        faults.unique(seen, str(row["id"]), row, "ruling")
        switch = row.get("switch")
        if isinstance(switch, Record) and faults.need(switch, ("name", "values", "default")):
            faults.unique(switches, str(switch["name"]), switch, "switch")
            if not SWITCH_NAME.fullmatch(str(switch["name"])):
                text = f"{switch['name']} can't name a switch; use small letters, digits and _, a letter first"
                faults.add(switch, "switch", text)
            if switch["default"] not in switch["values"]:
                faults.add(switch, "switch", f"the default {switch['default']} is not among its values; correct one")


def check_options(files: PackFiles, faults: Faults) -> None:
    """Each optional rule once, with what it does and whether it is in use by default."""
    seen: dict[str, Record] = {}
    for row in records(files.rows("rulings.yaml", "options")):
        if faults.need(row, ("id", "about", "default")):
            faults.unique(seen, str(row["id"]), row, "option")
            faults.one_of(row, "default", ("yes", "no"))
            faults.source(row)


def check_assumptions(files: PackFiles, faults: Faults) -> None:
    """Each assumption once, with its reason."""
    seen: dict[str, Record] = {}
    for row in records(files.rows("assumptions.yaml", "assumptions")):
        if faults.need(row, ("id", "what", "why")):
            faults.unique(seen, str(row["id"]), row, "assumption")
