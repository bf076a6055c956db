"""The parts of the pack of Shifting Sands as a player would read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.flow import flow
from adjudicator.packs.shifting_sands.show_words import vocabulary
from adjudicator.packs.telling import Part, Row, Tree, assumptions, fitting, rulings, source_of

SIDES: Final = {"axis": "Axis", "allied": "Allied", "": "neutral"}
CROSSING: Final = {"whole_move": "takes the whole move", "rd_stops": "redeployment stops behind it"}
ONLY: Final = {"allied": "Allied only", "battlegroups": "battlegroups only", "lrdg": "LRDG only"}
BOXES: Final = {"@reserve": "reserve box", "@replacement": "replacement box", "@eliminated": "permanently eliminated"}
FLAGS: Final = {
    "asterisk": "removed when played", "square": "also operations", "red_name": "needed by others", "t_card": "T card",
}  # fmt: skip
CHARTS: Final = {
    "fire": "fire tables", "shifts": "column shifts", "terrain": "terrain effects", "drm": "die modifiers",
    "flank": "flank attack", "die": "die of fire", "lrdg": "LRDG table",
}  # fmt: skip
SETS: Final = {"fire": "fire_default", "lrdg": "lrdg_default"}
"""Charts of which there are several sets, and the field that names the one in use."""


# --- the map -------------------------------------------------------------------------------------


def spaces(tree: Tree, words: list[str]) -> Part:
    """Spaces with all that the map shows of them, and the lines from each; those named by the words come alone."""
    said = " ".join(words).lower()
    named = [row for row in tree["spaces"] if said in map(str.lower, (row["name"], row["slug"], *row["aliases"]))]
    rows = named or _found(tree["spaces"], words, "spaces")
    return rows, [_space(row, tree) for row in rows]


def _space(row: Row, tree: Tree) -> str:
    has = [str(row["terrain"]).replace("_", " ")]
    has += [f"fort {row['fort']}"] if row["fort"] != "0" else []
    has += [word for key, word in (("port", "port"), ("vp", "VP")) if row.get(key) == "yes"]
    where = f"{row['region']} ({row['area']}), {SIDES[row.get('control', '')]} at the start, {row['lat']}, {row['lon']}"
    more = [f"supply for {_supply(source)}" for source in row["sources"]]
    more += [f"holds if attacked from {row['hold_from']} alone"] if "hold_from" in row else []
    more += ["west of Tripoli"] if row.get("west_of_tripoli") == "yes" else []
    more.append(f"lines to {_lines_of(row, tree) or 'nowhere'}")
    more += [f"note: {row['note']}"] if row.get("note") else []
    return f"{row['name']} ({row['slug']}): {', '.join(has)}; {where}; {'; '.join(more)} {_sources(row)}"


def _supply(source: Row) -> str:
    return f"{source['user']}{_if(source['conditions'])} ({source['rule']})"


def _lines_of(row: Row, tree: Tree) -> str:
    ends = []
    for line in tree["links"]:
        if row["name"] in (line["a"], line["b"]):
            other = line["b"] if line["a"] == row["name"] else line["a"]
            ends.append(f"{other} ({limits})" if (limits := _limits(line)) else other)
    return ", ".join(ends)


def _limits(line: Row) -> str:
    said = [ONLY[line["only"]]] if line.get("only") else []
    said += [words for key, words in CROSSING.items() if line.get(key) == "yes"]
    said += [f"attack {line['attack_drm']}"] if "attack_drm" in line else []
    return ", ".join(said)


def links(tree: Tree, words: list[str]) -> Part:
    """Lines between spaces, the dotted ones with what they restrict."""
    rows = _found(tree["links"], words, "links")
    return rows, [
        f"{row['a']} - {row['b']}: {'; '.join([_limits(row) or 'solid', *_why(row)])} {_sources(row)}" for row in rows
    ]


def _why(row: Row) -> list[str]:
    return [str(row["why"])] if row.get("why") else []


def regions(tree: Tree, words: list[str]) -> Part:
    """Regions, which rules name, with their spaces and what opens them."""
    rows = _found(tree["regions"], words, "regions")
    return rows, [_region(row, tree) for row in rows]


def _region(row: Row, tree: Tree) -> str:
    names = [space["name"] for space in tree["spaces"] if space["region"] == row["name"]]
    said = [f"closed{' to the ' + SIDES[row['closed_to']] + ' side' if 'closed_to' in row else ''} "
            f"until{_if(row['closed_until'], '')} ({row['rule']})"] if row.get("closed_until") else []  # fmt: skip
    group = f" ({row['group']})" if "group" in row else ""
    return f"{row['name']}{group}: {'; '.join([*said, ', '.join(names)])} {source_of(row)}"


def areas(tree: Tree, words: list[str]) -> Part:
    """Sheets and insets of the map with their spaces."""
    rows = _found(tree["areas"], words, "areas")
    lines = []
    for row in rows:
        names = [space["name"] for space in tree["spaces"] if space["area"] == row["name"]]
        lines.append(f"{row['name']} ({'inset' if row['inset'] == 'yes' else 'main map'}): {', '.join(names)}")
    return rows, lines


def boxes(tree: Tree, words: list[str]) -> Part:
    """Boxes: spaces off the map, and those for units, with what each set-up puts there."""
    rows: list[Row] = [row for row in tree["spaces"] if row["area"] == "Off-map"]
    rows += [{"name": name[1:], "title": title} for name, title in BOXES.items()]
    rows = _found(rows, words, "boxes")
    return rows, [_space(row, tree) if "area" in row else _box(row, tree) for row in rows]


def _box(row: Row, tree: Tree) -> str:
    held = []
    for scenario in tree["scenarios"]:
        units = [unit["unit"] for unit in scenario["units"] if unit["at"] == f"@{row['name']}"]
        held.append(f"{scenario['id']}: {_names(units, tree) or 'nobody'}")
    return f"{row['name']}: {row['title']} of each side; {'; '.join(held)}"


# --- counters and cards --------------------------------------------------------------------------


def counters(tree: Tree, words: list[str]) -> Part:
    """Units, both steps: combat, loss and movement factor."""
    rows = _found(tree["counters"], words, "counters")
    return rows, [_counter(row) for row in rows]


def _counter(row: Row) -> str:
    full, reduced = (f"{row[f'cf_{step}']}-{row['lf']}-{row['mf']}" for step in ("full", "reduced"))
    said = [f"{row['nation']} {row['type']} {row['size']}", f"full {full}, reduced {reduced} (CF-LF-MF)"]
    said += ["never takes replacements"] if row.get("dot") == "yes" else []
    said += [f"upgrade of {row['upgrade_of']}"] if "upgrade_of" in row else []
    said += [f"optional rule {row['option']}"] if "option" in row else []
    said += [f"note: {row['note']}"] if row.get("note") else []
    return f"{row['short']} ({row['id']}): {row['name']}; {'; '.join(said)} {_sources(row)}"


def cards(tree: Tree, words: list[str]) -> Part:
    """Cards: side, number, year, points; what they need and do."""
    rows = _found(tree["cards"], words, "cards")
    return rows, [_card(row) for row in rows]


def _card(row: Row) -> str:
    points = ", ".join(f"{entry['pool']} {entry['points']}" for entry in row.get("rp", [])) or "none"
    flags = [word for key, word in FLAGS.items() if row.get(key) == "yes"]
    kind = [row["kind"], *([row["reinforcement_class"]] if "reinforcement_class" in row else []), *flags]
    who = f"{SIDES[row['side']]} {row['number']}, {row['name']} ({row['id']})"
    head = f"{who}: {row['year']}, OPS {row['ops']}, RP {points}"
    said = [", ".join(kind), *([f"needs{_if(row['conditions'], '')}"] if row["conditions"] else [])]
    said += [flow(effect) for effect in row["effects"]]
    said += [f"afterwards {row['after_combat'].replace('_', ' ')}"] if "after_combat" in row else []
    return f"{head}; {'; '.join(said)} {_sources(row)}"


def places(tree: Tree, words: list[str]) -> Part:
    """Sets of spaces and boxes where reinforcements may be placed."""
    rows = _found(tree["places"], words, "places")
    lines = []
    for row in rows:
        parts = []
        for part in row["any"]:
            what = {key: value for key, value in part.items() if key != "if"}
            parts.append(flow(what) + _if(part.get("if", [])))
        lines.append(f"{row['name']} ({row['rule']}): {'; '.join(parts)}")
    return rows, lines


# --- tables --------------------------------------------------------------------------------------


def charts(tree: Tree, words: list[str]) -> Part:
    """The charts by name; one chart as a table, of several sets the one in use or the one named."""
    tables = tree["tables"]
    if not words:
        rows: list[Row] = [{"chart": name, "title": title} for name, title in CHARTS.items()]
        return rows, [f"{name}: {title}{_sets(name, tables)}" for name, title in CHARTS.items()]
    name = words[0].lower()
    if name not in CHARTS:
        raise PackError(f"there is no chart {name}; use one of: {', '.join(CHARTS)}")
    if name in SETS:
        return _one_set(name, words[1:], tables)
    rows = tables[name] if isinstance(tables[name], list) else [tables[name]]
    return rows, [f"{_fields(row)} {source_of(row)}" for row in rows]


def _sets(name: str, tables: Row) -> str:
    if name not in SETS:
        return ""
    ids = [f"{row['id']}{' (in use)' if row['id'] == tables[SETS[name]] else ''}" for row in tables[name]]
    return f", sets {', '.join(ids)}"


def _one_set(name: str, words: list[str], tables: Row) -> Part:
    wanted = words[0].lower() if words else tables[SETS[name]]
    known = {row["id"]: row for row in tables[name]}
    if wanted not in known:
        raise PackError(f"there is no set {wanted} of {CHARTS[name]}; use one of: {', '.join(known)}")
    row = known[wanted]
    head = f"{CHARTS[name]}, set {wanted}{' (in use)' if wanted == tables[SETS[name]] else ''}"
    if name == "lrdg":
        return [row], [f"{head} {source_of(row)}", *(_fields(line) for line in row["rows"])]
    lines = [f"{head}: {row['from']} {source_of(row)}"]
    for table in row["tables"]:
        lines += [f"{table['table']} table; * printed bold, strength 0 in column {table['strength_zero']}",
                  *_matrix(table)]  # fmt: skip
    return [row], lines


def _matrix(table: Row) -> list[str]:
    columns = table["columns"]
    lines = [f"{'die':>5}" + "".join(f"{column:>7}" for column in columns)]
    for row in table["rows"]:
        cells = [
            f"{cell}{'*' if column in row['bold'] else ' '}" for cell, column in zip(row["cells"], columns, strict=True)
        ]
        lines.append(f"{row['row']:>5}" + "".join(f"{cell:>7}" for cell in cells).rstrip())
    return lines


# --- set-ups -------------------------------------------------------------------------------------


def scenarios(tree: Tree, words: list[str]) -> Part:
    """The scenarios; one of them with its set-up, space by space."""
    if not words:
        return tree["scenarios"], [_scenario(row) for row in tree["scenarios"]]
    row = _named(tree["scenarios"], words, "scenario")
    lines = [_scenario(row), *_standing(((u["at"], u["unit"], u.get("step", "")) for u in row["units"]), tree)]
    lines += _control(row)
    lines += [f"  event played: {entry['event']}" for entry in row["events"]]
    names = {card["id"]: f"{SIDES[card['side']]} {card['number']} {card['name']}" for card in tree["cards"]}
    for key, title in (("removed", "removed"), ("discarded", "discarded"), ("may_take", "may be taken into the hand")):
        lines += [f"  card {title}: {names[entry['card']]}" for entry in row[key]]
    return [row], lines


def _scenario(row: Row) -> str:
    ends = f"Axis wins with {row['victory']['axis_at_least']} VP" if "victory" in row else ""
    return f"{row['id']}: {row['title']}, {row['start']} to {row['end']}, {row['vp']} VP, hands of {row['hand']}. " \
           f"{row['about']} {ends}".rstrip()  # fmt: skip


def setups(tree: Tree, words: list[str]) -> Part:
    """What an event puts on the map all at once, by kinds of units."""
    rows = [_named(tree["setups"], words, "set-up")] if words else tree["setups"]
    lines = []
    for row in rows:
        lines.append(f"{row['id']}: {row['title']} ({', '.join(row['rules'])})")
        lines += _standing(((u["at"], f"{u['count']} {u['kind']}", u.get("step", "")) for u in row["units"]), tree)
        lines += _control(row)
        lines += [f"  {entry['pool']} replacement points: {entry['points']}" for entry in row["rp"]]
    return rows, lines


def _standing(units: Iterable[tuple[str, str, str]], tree: Tree) -> list[str]:
    """Who stands where; the boxes are those of each unit's own side."""
    found: dict[str, list[str]] = {}
    for at, unit, step in units:
        name = _names([unit], tree) or unit
        found.setdefault(at, []).append(f"{name}, reduced" if step == "reduced" else name)
    return [f"  {BOXES.get(at, at)}: {'; '.join(names)}" for at, names in sorted(found.items())]


def _control(row: Row) -> list[str]:
    held: dict[str, list[str]] = {}
    for entry in row["control"]:
        held.setdefault(entry["side"], []).append(entry["space"])
    return [f"  {SIDES[side]} control: {', '.join(names)}" for side, names in sorted(held.items())]


# --- words ---------------------------------------------------------------------------------------


def _found(rows: list[Row], words: list[str], part: str) -> list[Row]:
    found = fitting(rows, words)
    if words and not found:
        raise PackError(f"nothing among {part} fits {' '.join(words)}; leave words out, or list all without any")
    return found


def _named(rows: list[Row], words: list[str], what: str) -> Row:
    known, name = {str(row["id"]): row for row in rows}, "-".join(words).lower()
    if name not in known:
        raise PackError(f"there is no {what} {name}; use one of: {', '.join(known)}")
    return known[name]


def _names(units: list[str], tree: Tree) -> str:
    known = {str(row["id"]): str(row["short"]) for row in tree["counters"]}
    return ", ".join(known.get(unit, unit) for unit in units)


def _if(conditions: list[Row], word: str = ", if") -> str:
    """Conditions after a word; nothing where there are none."""
    return f"{word} {' and '.join(map(_condition, conditions))}" if conditions else ""


def _condition(row: Row) -> str:
    ((key, value),) = row.items() if len(row) == 1 else [("", row)]
    if key in ("played", "not_played"):
        return f"{value} {'was' if key == 'played' else 'was not'} played"
    if key == "any_of":
        return " or ".join(map(_condition, value))
    return flow(row)


def _fields(row: Row) -> str:
    return ", ".join(f"{key} {_value(value)}" for key, value in row.items() if key != "source")


def _value(value: Any) -> str:
    return value if isinstance(value, str) else flow(value)


def _sources(row: Row) -> str:
    """The source of a record, and those of its parts that have their own."""
    parts = [f"{key.removesuffix('_source')} {row[key]}" for key in sorted(row) if key.endswith("_source")]
    told = [str(row[key]) for key in ("source", "confidence") if row.get(key)]
    return f"[{', '.join([*told, *parts])}]"


PARTS: Final[dict[str, Callable[[Tree, list[str]], Part]]] = {
    "spaces": spaces,
    "links": links,
    "regions": regions,
    "areas": areas,
    "boxes": boxes,
    "counters": counters,
    "cards": cards,
    "places": places,
    "charts": charts,
    "scenarios": scenarios,
    "setups": setups,
    "rulings": rulings,
    "assumptions": assumptions,
    "vocabulary": vocabulary,
}
"""Parts that are told in words of their own; the others are told field by field."""
