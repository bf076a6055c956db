"""What the rows of each chart hold (Western Desert); the tables of cells are checked as tables."""

from __future__ import annotations

from typing import Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.shape import (
    Kind,
    Shape,
    check_record,
    check_rows,
    either,
    listed,
    share,
    source,
    text,
    texts,
    whole,
    word,
)

FLAG: Final = word("yes", "no")
DIE: Final = whole(1, 6)
MODIFIER: Final = whole(-6, 6)
PART: Final = share("0", "1", 4)
COST: Final = either(whole(0, 12), "closed")
HALVED: Final = word("none", "all", "mot_or_art", "all_but_artillery", "all_but_artillery_and_assault_engineers")
CLASS: Final = word("german_combat_motorized", "other")
_PARTS: Final = Shape(
    {"n": whole(1, 6), "figures": text, "type": text, "size": text}, {"aa_type": word("light", "heavy")}
)


def _row(may: dict[str, Kind] | None = None, **need: Kind) -> Shape:
    return Shape(
        {
            ("from" if key == "from_" else "for" if key == "for_" else "class" if key == "class_" else key): kind
            for key, kind in need.items()
        },
        {"ruling": text, "rule": text, "source": source, **(may or {})},
    )


ROWS: Final[dict[str, Shape]] = {
    "odds_columns": _row(column=text, least=share("0", "20", 4)),
    "ground_results": _row(
        result=text, affects=word("attacker", "defender", "both", "none"), losses=text, retreat=text
    ),
    "terrain": _row(
        terrain=text,
        mot_or_art=COST,
        other=COST,
        cavalry=COST,
        closed=FLAG,
        die=MODIFIER,
        strength=PART,
        halves=HALVED,
        aec=FLAG,
        build=FLAG,
        drop=FLAG,
    ),
    "hexsides": _row(
        {"as_hex": text},
        kind=text,
        surcharge=COST,
        closed=FLAG,
        strength=PART,
        halves=HALVED,
        only_up=FLAG,
        fire=word("all", "artillery"),
        aec=FLAG,
    ),
    "features": _row(feature=text, die=MODIFIER, strength=PART, halves=HALVED, aec=FLAG, city=FLAG),
    "zoc_costs": _row(class_=CLASS, leave=whole(0, 12), zone_to_zone=whole(0, 12)),
    "overrun_costs": _row(class_=CLASS, odds=whole(1, 99), mp=whole(0, 12)),
    "rail": _row(from_=whole(0, 20), to=whole(0, 20), hexes=whole(0, 50)),
    "misc_costs": _row(action=text, mp=whole(0, 20), per=text),
    "engineer_costs": _row(action=text, mp=whole(0, 20), per=text),
    "stacking": _row(what=word("units", "divisions", "artillery"), limit=whole(0, 20)),
    "aec": _row(from_=share("0", "1", 9), aeca=MODIFIER, aecd=MODIFIER, atec=MODIFIER),
    "supply": Shape(
        {"condition": text, "attack": PART}, {"defense": PART, "overrun": PART, "movement": PART, "ruling": text}
    ),
    "supply_limits": _row(what=text, value=whole(0, 99)),
    "patrol": _row(ratio=text, turn_back_from=DIE),
    "airbases": _row(kind=text, capacity=whole(0, 20)),
    "ports": _row(
        type=word("major", "standard", "minor"), capacity=whole(0, 40), max_hits=whole(0, 40), per_hit=share("1/2", "4")
    ),
    "port_exceptions": _row(place=text, per_hit=share("1/2", "4")),
    "shipping": _row(side=word("allied", "axis"), re=whole(0, 40)),
    "shipping_results": _row(die=DIE, supply=whole(-2, 0), unit_or_rp=word("E", "R", "NE")),
    "map_19_status": _row(allied_hold=text, status=whole(0, 15)),
    "malta_run": _row(what=text, value=whole(-6, 15)),
    "air_repair": _row(nation=word("allied", "german", "italian"), from_=text, up_to=DIE),
    "raid": _row(die=DIE, result=word("none", "inoperative", "eliminated")),
    "greece": _row(die=DIE, ground=word("eliminated", "intact"), air=word("eliminated", "inoperative", "intact")),
    "vichy": _row(from_=whole(2, 12), to=whole(2, 12), result=word("full", "air", "none")),
    "breakdowns": _row(
        side=word("allied", "axis"), division=text, form=text, hq=FLAG, re=whole(1, 4), parts=listed(_PARTS)
    ),
    "victory_levels": _row(level=text, from_=share("0", "9", 4)),
    "victory_points": _row(side=word("allied", "axis", "both"), when=text, for_=text, points=whole(-99, 99)),
}
TABLES: Final = ("ground_crt", "bombing", "air_combat", "antiaircraft", "air_escape", "malta")
_CELL: Final[dict[str, Kind]] = {"source": source}


def check_chart_rows(files: PackFiles, faults: Faults) -> None:
    """Every chart is there, every row has its fields, every table its rows and columns once and in order."""
    top = files.files["charts.yaml"]
    known = {str(row.get("name")): row for row in records(top.get("charts"))}
    for name in (*ROWS, *TABLES):
        if name not in known:
            faults.at("charts.yaml", top.key_lines.get("charts", 1), "chart", f"there is no chart {name}; put it back")
    for name, chart in known.items():
        if name in TABLES:
            _table(faults, chart)
        elif name not in ROWS:
            faults.add(chart, "chart", f"{name} is no chart of the game; use one of: {', '.join((*ROWS, *TABLES))}")
        else:
            _list(faults, chart, ROWS[name])


def _list(faults: Faults, chart: Record, shape: Shape) -> None:
    check_rows(faults, chart, "rows", shape)
    first, seen = next(iter(shape.need)), set()
    if chart.get("name") in ("overrun_costs", "air_repair", "breakdowns", "victory_points"):
        return
    for row in records(chart.get("rows")):
        if row.get(first) in seen:
            faults.add(row, "twice", f"{first} {row.get(first)} stands twice in {chart['name']}; keep one")
        seen.add(str(row.get(first)))


def _table(faults: Faults, chart: Record) -> None:
    for key in ("values", "columns"):
        if not isinstance(chart.get(key), Rows) or not isinstance(chart.get("matrix"), Rows):
            faults.add(
                chart, "nesting", f"{chart.get('name')} needs the lists values, columns and matrix; put them back"
            )
            return
        texts()(faults, chart, key, chart[key])
    columns = [str(column) for column in chart["columns"]]
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        faults.add(chart, "twice", f"column {column} stands twice in {chart.get('name')}; keep one")
    heads = _heads(faults, chart)
    down, across = str(chart.get("down")), str(chart.get("across"))
    for cell in records(chart.get("cells")):
        shape = Shape({down: text, across: text, **_CELL}, {"ruling": text, "confidence": text})
        check_record(faults, cell, shape)
        if str(cell.get(down)) not in heads or str(cell.get(across)) not in columns:
            text_ = f"{chart.get('name')} has no cell {down} {cell.get(down)}, {across} {cell.get(across)}"
            faults.add(cell, "cell", f"{text_}; correct it")


def _heads(faults: Faults, chart: Record) -> list[str]:
    """The first of each row: whole numbers that follow one another."""
    heads: list[str] = []
    for index, line in enumerate(chart["matrix"]):
        place, head = chart["matrix"].lines[index], str(line[0]) if isinstance(line, list) and line else ""
        if not (head.lstrip("-").isascii() and head.lstrip("-").isdigit()):
            faults.at(
                chart.file, place, "nesting", f"this row of {chart.get('name')} begins with no number; correct it"
            )
        elif heads and int(head) != int(heads[-1]) + 1:
            text_ = f"row {head} of {chart.get('name')} follows on {heads[-1]}; each row stands once, in order"
            faults.at(chart.file, place, "order", text_)
        heads.append(head if head.lstrip("-").isdigit() else "0")
    return heads
