"""Compiles unit types, counters and air units; works out what each counter can do from its type (chart.unit-id)."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records

Tree = dict[str, Any]

_AEC: Final = ("aeca", "aecd", "atec")
_PLAIN: Final = (
    "artillery",
    "cavalry",
    "airborne",
    "assault_engineer",
    "construction",
    "armored",
    "garrison",
)
_ARMORED_HQ: Final = ("armor", "panzer", "motorized")


def compile_units(files: PackFiles) -> Tree:
    """The keys ``types, counters, air, markers`` of the compiled tree; each counter carries its ``caps``."""
    data = files.files["types.yaml"]
    types = {str(row["slug"]): row for row in records(data.get("types"))}
    sizes = _Sizes(plain(data.get("zoc_sizes", [])), plain(data.get("support_sizes", [])))
    return {
        "types": [plain(row) for row in types.values()],
        "counters": sorted(
            (_counter(row, types, sizes) for row in files.rows("counters.yaml", "counters")), key=_by_id
        ),
        "air": sorted((plain(row) for row in files.rows("air.yaml", "air")), key=_by_id),
        "markers": plain(files.rows("counters.yaml", "markers")),
    }


class _Sizes:
    def __init__(self, zoc: list[str], support: list[str]) -> None:
        self.zoc, self.support = zoc, support


def _counter(row: Record, types: dict[str, Record], sizes: _Sizes) -> Tree:
    compiled: Tree = plain(row)
    kind = types.get(str(row.get("type")))
    if kind is not None:
        compiled["caps"] = capabilities(row, kind, sizes.zoc, sizes.support)
    return compiled


def capabilities(row: dict[str, Any], kind: dict[str, Any], zoc: list[str], support: list[str]) -> Tree:
    """What one counter can do, each ``yes`` or ``no``, and its armor and antitank values.

    Args:
        row: the counter; ``size``, ``nat``, ``supported`` and the symbols ``motorized``, ``hq_of`` are read.
        kind: the record of its type.
        zoc: sizes that have a zone of control unless their type denies it (WD 5).
        support: sizes that give support whatever their type (WD 11).

    Heavy equipment: by type, by the motorized symbol, or because the unit is supported (WD 3.F; a cadre is exempt
    from the last, which the rules see to when a division has become one).

    WD 3.A.3, 3.A.4, chart.unit-id.
    """
    size = row.get("size", "none")
    motorized = kind["motorized"] == "yes" or (
        kind["motorized"] == "symbol" and (row.get("motorized") == "yes" or row.get("hq_of") in _ARMORED_HQ)
    )
    caps: Tree = {key: kind[key] for key in _PLAIN}
    caps.update(_aec(row, kind, motorized))
    caps["motorized"] = _word(motorized)
    caps["heavy"] = _word(kind["heavy"] == "yes" or motorized or row.get("supported") == "yes")
    caps["zoc"] = _word(kind["zoc"] == "yes" and size in zoc)
    caps["gives_support"] = _word(kind["gives_support"] == "yes" or size in support)
    return caps


def _aec(row: dict[str, Any], kind: dict[str, Any], motorized: bool) -> Tree:
    values = {key: kind[key] for key in _AEC}
    if motorized:
        values.update({key: kind[f"motorized_{key}"] for key in _AEC if f"motorized_{key}" in kind})
    for special in kind.get("by_nat", []):
        if special["nat"] == row.get("nat"):
            values.update({key: special[key] for key in _AEC if key in special})
    return values


def _word(flag: bool) -> str:
    return "yes" if flag else "no"


def _by_id(row: Tree) -> str:
    return str(row.get("id", ""))
