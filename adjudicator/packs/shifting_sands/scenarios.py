"""Compiles the set-ups of Shifting Sands: scenarios with their counters by id, and what an event sets up in play."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from adjudicator.packs.faults import number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.shifting_sands.counters import counter_ids

Tree = dict[str, Any]

BOXES: Final = ("reserve", "replacement", "eliminated")
"""Boxes of the unit's own side; the compiled tree writes them with ``@``, as positions do."""
CARD_LISTS: Final = ("removed", "discarded", "may_take")


def compile_scenarios(files: PackFiles) -> Tree:
    """The keys ``scenarios`` (each counter by its id) and ``setups`` (kinds and how many) of the compiled tree.

    SS faq.counters.5, torch.br, torch.us, torch.setup.
    """
    kinds = {str(row.get("kind")): row for row in records(files.rows("units.yaml", "units"))}
    cards = {_number(row): str(row.get("id", "")) for row in records(files.rows("cards.yaml", "cards"))}
    return {
        "scenarios": [_scenario(row, kinds, cards) for row in files.scenarios],
        "setups": [_setup(row) for row in records(files.rows("setups.yaml", "setups"))],
    }


def where(place: str) -> str:
    """A place of a set-up as positions write it: ``reserve`` is ``@reserve``, a space is its name."""
    return f"@{place}" if place in BOXES else place


def times(row: Record) -> int:
    """How many counters of the kind a row of a set-up places."""
    count = row.get("count", "1")
    return int(count) if number(count) else 1


def _number(row: Record) -> tuple[str, str]:
    return str(row.get("side", "")), str(row.get("number", ""))


def _scenario(row: Record, kinds: dict[str, Record], cards: dict[tuple[str, str], str]) -> Tree:
    compiled: Tree = plain(row)
    compiled["start"], compiled["end"] = str(row.get("turn", "")), str(row.get("last_turn", ""))
    compiled["years"] = [{"year": str(year)} for year in row.get("years", [])]
    compiled["events"] = [{"event": str(event)} for event in row.get("events", [])]
    compiled["control"] = _control(row)
    compiled["units"] = _units(row, kinds)
    for key in CARD_LISTS:
        listed = records(row.get(key))
        compiled[key] = [{"side": str(r.get("side", "")), "card": cards.get(_number(r), "")} for r in listed]
    return compiled


def _control(row: Record) -> list[Tree]:
    return [
        {"side": str(entry.get("side", "")), "space": str(space), "source": str(entry.get("source", ""))}
        for entry in records(row.get("control"))
        for space in entry.get("spaces", [])
    ]


def _units(row: Record, kinds: dict[str, Record]) -> list[Tree]:
    """Each counter with its place; the counters of a kind are used from the lowest number on."""
    used: defaultdict[str, int] = defaultdict(int)
    found: list[Tree] = []
    for entry in records(row.get("units")):
        kind = str(entry.get("unit", ""))
        ids = counter_ids(kinds[kind]) if kind in kinds else []
        for _ in range(times(entry)):
            uid = ids[used[kind]] if used[kind] < len(ids) else ""
            used[kind] += 1
            found.append(_placed(entry, uid))
    return found


def _placed(entry: Record, uid: str) -> Tree:
    compiled = {"unit": uid, "at": where(str(entry.get("at", ""))), "source": str(entry.get("source", ""))}
    if "step" in entry:
        compiled["step"] = str(entry["step"])
    return compiled


def _setup(row: Record) -> Tree:
    """A set-up in play: its units are kinds, since which counters are free is known only then."""
    compiled: Tree = plain(row)
    compiled["control"] = _control(row)
    compiled["units"] = [
        {
            "kind": str(entry.get("unit", "")),
            "count": str(times(entry)),
            "at": where(str(entry.get("at", ""))),
            "step": str(entry.get("step", "full")),
            "source": str(entry.get("source", "")),
        }
        for entry in records(row.get("units"))
    ]
    return compiled
