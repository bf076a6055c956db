"""The parts of the pack of Western Desert as a player would read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.telling import Part, Row, Tree, assumptions, fitting, plain, rulings, source_of
from adjudicator.packs.western_desert.hexes import Grid, Overlap
from adjudicator.packs.western_desert.turns import turn_number

DIRECTIONS: Final = ("north", "northeast", "southeast", "south", "southwest", "northwest")


def counters(tree: Tree, words: list[str]) -> Part:
    """Ground units: what the counter shows, what it can do, where it is known from."""
    rows = fitting(tree["counters"], words)
    return rows, [_counter(row) for row in rows]


def _counter(row: Row) -> str:
    same = row["attack"] == row["defense"]
    figures = "-".join([row["attack"]] + ([] if same else [row["defense"]]) + [row["movement"]])
    caps = row.get("caps", {})
    can = [key for key, value in caps.items() if value == "yes"]
    aec = [f"{key.upper()} {caps[key]}" for key in ("aeca", "aecd", "atec") if caps.get(key) not in (None, "none")]
    more = [f"cadre {row['cadre']}"] if "cadre" in row else []
    more += [f"AA {row['aa']} {row.get('aa_type', '')}"] if "aa" in row else []
    said = [figures, f"{row['nat']} {row['type']} {row['size']}", f"{row['re']} RE", *more, *can, *aec]
    return f"{row['short']} ({row['id']}): {row['name']}; {', '.join(said)} {source_of(row)}"


def air(tree: Tree, words: list[str]) -> Part:
    """Air units as they are printed: attack, type, defense; tactical, strategic, movement."""
    rows = fitting(tree["air"], words)
    return rows, [
        f"{row['short']} ({row['id']}): {row['attack']}{row['type']}{row['defense']}, tactical {row['tactical']}, "
        f"strategic {row['strategic']}, movement {row['movement']}; {row['nat']} {row['model']} {source_of(row)}"
        for row in rows
    ]


def types(tree: Tree, words: list[str]) -> Part:
    """Unit types with what each can do (unit identification chart)."""
    rows = fitting(tree["types"], words)
    quiet = ("slug", "name", "note", "source", "cites", "by_nat")
    lines = []
    for row in rows:
        said = [f"{key} {value}" for key, value in row.items() if key not in quiet and isinstance(value, str)]
        for special in row.get("by_nat", []):
            said.append(", ".join(f"{special['nat']} {k} {v}" for k, v in special.items() if k != "nat"))
        lines.append(f"{row['slug']}: {', '.join(said)}; {row.get('note', '')} {source_of(row)}")
    return rows, lines


def charts(tree: Tree, words: list[str]) -> Part:
    """The charts by name; one chart as a table."""
    sources = {str(row["name"]): row for row in tree["chart_sources"]}
    if not words:
        rows = list(sources.values())
        return rows, [f"{row['name']}: {row['title']} ({row['rule']})" for row in rows]
    name = "_".join(words).lower().replace("-", "_")
    if name not in sources:
        raise PackError(f"there is no chart {name}; use one of: {', '.join(sources)}")
    source, rows = sources[name], tree["charts"][name]
    head = [f"{source['title']} ({source['rule']}) [{source['source']}]"]
    head += [f"note: {source['note']}"] if "note" in source else []
    table = _matrix(source, rows) if "down" in source and "columns" in source else [plain(row) for row in rows]
    return rows, [*head, *table]


def _matrix(source: Row, rows: list[Row]) -> list[str]:
    """The cells as printed; those that a ruling fills bear a star."""
    down, across, result = source["down"], source["across"], source["result"]
    columns = [str(column) for column in source["columns"]]
    wide = [max(len(column), 7) + 2 for column in columns]
    lines = [f"{down:>8}" + "".join(f"{column:>{w}}" for column, w in zip(columns, wide, strict=True))]
    heads = list(dict.fromkeys(row[down] for row in rows))
    for head in heads:
        cells = {row[across]: row for row in rows if row[down] == head}
        texts = [_cell(cells[column], result) for column in columns]
        lines.append(f"{head:>8}" + "".join(f"{text:>{w}}" for text, w in zip(texts, wide, strict=True)))
    ruled = sorted({row["ruling"] for row in rows if "ruling" in row})
    return [*lines, *([f"* filled or kept by ruling {', '.join(ruled)}"] if ruled else [])]


def _cell(row: Row, result: str) -> str:
    text = "-" if row[result] == "none" else str(row[result])
    return f"{text}*" if "ruling" in row else text


def events(tree: Tree, words: list[str]) -> Part:
    """The order of battle: all of it, that of a turn, or all that names a unit."""
    said = " ".join(words)
    if turn_number(said) is not None:
        rows = [row for row in tree["events"] if row.get("turn") == said]
        return rows, [_event(row, tree) for row in rows]
    rows = fitting(tree["events"], words) if words else list(tree["events"])
    if not rows:
        raise PackError(f"no event is of {said}; write a turn as Mar I 41, a unit by its id, or a kind as withdraw")
    return rows, [_event(row, tree) for row in rows]


def _event(row: Row, tree: Tree) -> str:
    when = row.get("turn") or f"{row.get('turns')} turns after the Allies win the Levant"
    names = {str(unit["id"]): str(unit["short"]) for key in ("counters", "air") for unit in tree[key]}
    unit = names.get(str(row.get("unit")), "")
    area = {str(a["area"]): str(a["title"]) for a in tree["areas"]}.get(str(row.get("area")), "")
    pool = f"{row.get('nat')} {row.get('rp')}".replace("_", "-").replace("any ", "")
    text = {
        "reinforce": f"{unit} arrives{' as a cadre' if row.get('step') == 'cadre' else ''}: {area}",
        "supply": f"{row.get('steps')} steps of supply: {area}",
        "withdraw": f"{unit} leaves{' for Greece' if row.get('to') == 'greece' else ''}",
        "supply_withdraw": f"{row.get('steps')} steps of supply leave for Greece",
        "return": f"{unit} comes back: {area}",
        "convert": " and ".join(names.get(str(u), str(u)) for u in row.get("from", [])) + " becomes ",
        "special": f"special forces {row.get('pool')}: {unit or row.get('steps', '') + ' steps of supply'}",
        "component": f"{unit} is a part of {names.get(str(row.get('of')), '')}",
        "assemble": f"{unit} can be put together",
        "replacement": f"{row.get('points')} {pool} replacement points",
        "smp": f"{row.get('points')} SMPs a turn from now on",
        "malta_repair": f"{row.get('points')} Malta repair points",
    }[str(row["kind"])]
    if row["kind"] == "convert":
        text += " and ".join(names.get(str(u), str(u)) for u in row["to"])
        text += f" for {row['points']} {row['rp']} point" if "rp" in row else ""
    text += f", back {row['returns']}" if "returns" in row else ""
    text += f" ({row['note']})" if "note" in row else ""
    return f"{when}, {row['side']}: {text} {source_of(row)} {row['id']}"


def scenarios(tree: Tree, words: list[str]) -> Part:
    """The scenarios; one of them with its set-up, hex by hex."""
    known = {str(row["id"]): row for row in tree["scenarios"]}
    if not words:
        return list(known.values()), [_scenario_head(row) for row in known.values()]
    name = "-".join(words).lower()
    if name not in known:
        raise PackError(f"there is no scenario {name}; use one of: {', '.join(known)}")
    row = known[name]
    return [row], [_scenario_head(row), *_set_up(row, tree)]


def _scenario_head(row: Row) -> str:
    needs = f"; not to be played yet, the rules lack: {', '.join(row['needs'])}" if row.get("needs") else ""
    return f"{row['id']}: {row['title']}, {row['start']} to {row['end']}, {row['first']} first. {row['about']}{needs}"


def _set_up(row: Row, tree: Tree) -> list[str]:
    names = {str(unit["id"]): str(unit["short"]) for key in ("counters", "air") for unit in tree[key]}
    places = {str(place["hex"]): str(place["name"]) for place in tree["places"]}
    stacks: dict[str, list[str]] = {}
    for key in ("deploy", "air_deploy"):
        for entry in row.get(key, []):
            stacks.setdefault(str(entry["hex"]), []).append(names.get(str(entry["unit"]), str(entry["unit"])))
    for entry in row.get("supply", []):
        stacks.setdefault(str(entry["hex"]), []).append(f"{entry['side']} supply, {entry['steps']}")
    lines = [f"  {hex_} {places.get(hex_, '')}: {'; '.join(units)}" for hex_, units in sorted(stacks.items())]
    boxes: dict[str, list[str]] = {}
    for entry in row.get("boxes", []):
        boxes.setdefault(str(entry["box"]), []).append(names.get(str(entry["unit"]), str(entry["unit"])))
    lines += [f"  {box}: {'; '.join(units)}" for box, units in sorted(boxes.items())]
    changed = len(row.get("control", []))
    lines.append(f"  Malta status {row.get('malta_status')}; {changed} hexes are another's than the map says")
    return [*lines, *(f"  victory, {plain(entry)}" for entry in row.get("victory", []))]


def hexes(tree: Tree, words: list[str]) -> Part:
    """A hex or place and the hexes around it, each with its sides; a number at the end says how far around (1)."""
    land = {str(row["hex"]): row for row in tree["hexes"]}
    if not words:
        return list(land.values()), [plain(row) for row in land.values()]
    reach, words = (int(words[-1]), words[:-1]) if words[-1].isdigit() and len(words) > 1 else (1, words)
    grid, start = grid_of(tree), _find(tree, " ".join(words))
    ring, found = [start], [start]
    for _ in range(min(reach, 12)):
        ring = sorted({n for name in ring for n in grid.neighbours(name)} - set(found))
        found += ring
    rows = [land.get(name, {"hex": name, "terrain": "sea"}) for name in found]
    return rows, [_hex(row, tree, grid) for row in rows]


def _find(tree: Tree, text: str) -> str:
    """The hex of a hex name or of a place by any of its names."""
    known = grid_of(tree).canonical(text)
    if known is not None:
        return known
    for place in tree["places"]:
        if text.lower() in {str(name).lower() for name in (place["name"], place["slug"], *place["aliases"])}:
            return str(place["hex"])
    raise PackError(f"{text} is neither a hex nor a place of the map; write 18/4818 or Tobruk")


def _hex(row: Row, tree: Tree, grid: Grid) -> str:
    name = str(row["hex"])
    around = dict(zip([str(n) for n in grid.around(name)], DIRECTIONS, strict=False))
    said = [str(row[key]) for key in ("terrain", "country") if key in row] + [str(r) for r in row.get("regions", [])]
    said += [f"{city['name']} ({city['class']} city)" for city in row.get("cities", [])] + list(row.get("places", []))
    said += [f"{row['port']} port"] if "port" in row else []
    said += [f"{row['terminal']} supply terminal"] if "terminal" in row else []
    said += [key for key in ("fortress", "coast") if row.get(key) == "yes"]
    for side in tree["sides"]:
        if name in (side["a"], side["b"]):
            other = side["b"] if side["a"] == name else side["a"]
            low = f", {'lower' if side['low'] == name else 'upper'} side here" if "low" in side else ""
            said.append(f"{side['kind']} to the {around.get(other, '?')}{low}")
    for line in tree["lines"]:
        if name in (line["a"], line["b"]):
            said.append(f"{line['kind']} {around.get(line['b'] if line['a'] == name else line['a'], '?')}")
    return f"{name}: {', '.join(said)} {source_of(row)}".rstrip()


def grid_of(tree: Tree) -> Grid:
    """The grid of the sheets of a compiled pack."""
    sizes = tuple((int(s["sheet"]), int(s["columns"]), int(s["rows"])) for s in tree["sheets"])
    lap = tree["overlap"]
    keys = ("sheet", "column", "is_sheet", "is_column", "row_offset")
    return Grid(sizes, Overlap(*(int(lap[key]) for key in keys)) if lap else None)


PARTS: Final[dict[str, Callable[[Tree, list[str]], Part]]] = {
    "counters": counters,
    "air": air,
    "types": types,
    "charts": charts,
    "events": events,
    "scenarios": scenarios,
    "hexes": hexes,
    "rulings": rulings,
    "assumptions": assumptions,
}
"""Parts that are told in words of their own; the others are told field by field."""
