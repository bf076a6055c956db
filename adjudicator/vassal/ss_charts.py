"""Shifting Sands: the pack's tables, units, cards and assumptions as pages of the module, and its help page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from adjudicator.vassal.charts import TABLE, chart_page, cross_table, help_document, list_table

Row = Mapping[str, Any]


def chart_pages(pack: Row) -> tuple[list[tuple[str, str]], dict[str, bytes]]:
    """Name and file of each chart, and the files."""
    charts: list[tuple[str, str]] = []
    files: dict[str, bytes] = {}
    for name, rule, body in _pages(pack):
        file = f"chart-{name.lower().replace(' ', '-').replace(',', '').replace(':', '')}.html"
        charts.append((name, file))
        files[file] = chart_page(name, rule, body)
    return charts, files


def _pages(pack: Row) -> Iterable[tuple[str, str, str]]:
    tables = pack["tables"]
    for found in tables["fire"]:
        in_use = "in use" if found["id"] == tables["fire_default"] else "in use with the switch tables_fire"
        for table in found["tables"]:
            name = f"Fire table, {table['table']}: {found['id']}"
            yield name, f"SS 11.27; {in_use}; {_source(found)}", _fire(table)
    yield "Column shifts", "SS 11.27", list_table([_flat(row) for row in tables["shifts"]])
    yield "Die modifiers", "SS 11.26", list_table([_flat(row) for row in tables["drm"]])
    yield "Terrain", "SS 11.27", list_table([_flat(row) for row in tables["terrain"]])
    yield "Flank attack", "SS 11.3", list_table([_flat(tables["flank"])])
    for found in tables["lrdg"]:
        yield f"LRDG: {found['id']}", f"SS 11.7; {_source(found)}", list_table([_flat(row) for row in found["rows"]])
    yield "Spaces", "SS 2.1", list_table([_space(row) for row in pack["spaces"]])
    yield "Units", "SS 2.2", list_table([_unit(row) for row in pack["counters"]])
    for side in ("axis", "allied"):
        rows = [_card(row) for row in pack["cards"] if row["side"] == side]
        yield f"Cards, {side.capitalize()}", "SS 2.3", list_table(rows)
    yield "Victory", "SS 16", list_table([_flat(pack["victory"])])
    assumed = [{key: row[key] for key in ("what", "why", "look")} for row in pack["assumptions"]]
    yield "What is assumed", "", list_table(assumed)


def _source(row: Row) -> str:
    more = f" ({row['from']})" if row.get("from") else ""
    return f"source: {row.get('source', 'none')}{more}"


def _fire(table: Row) -> str:
    """A fire table: columns of strength, rows of the die; bold results in brackets of stars."""
    cells = [
        {"strength": column, "die": row["row"], "result": f"{result} *" if column in row["bold"] else result}
        for row in table["rows"]
        for column, result in zip(table["columns"], row["cells"], strict=True)
    ]
    starred = any("*" in str(cell["result"]) for cell in cells)
    note = "<p>* printed bold</p>" if starred else ""
    return cross_table(cells, "strength", "die", "result") + note


def _flat(row: Row) -> dict[str, Any]:
    """A row whose nested values are lines of text."""
    return {key: _said(value) for key, value in row.items() if key != "source"} | (
        {"from": row["source"]} if row.get("source") else {}
    )


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(item)}" for key, item in sorted(value.items()))
    if isinstance(value, list | tuple):
        return "; ".join(_said(item) for item in value)
    return str(value)


def _space(row: Row) -> dict[str, str]:
    supply = [f"{s['user']} ({_said(s['conditions'])})" if s["conditions"] else str(s["user"]) for s in row["sources"]]
    return {
        "space": str(row["name"]), "region": str(row["region"]), "terrain": str(row["terrain"]),
        "control at the start": str(row.get("control", "")), "fort": str(row.get("fort", "")),
        "port": str(row.get("port", "")), "victory": str(row.get("vp", "")), "supply source for": "; ".join(supply),
        "known": str(row["confidence"]),
    }  # fmt: skip


def _unit(row: Row) -> dict[str, str]:
    return {
        "unit": str(row["short"]), "full name": str(row["name"]), "CF": f"{row['cf_full']} / {row['cf_reduced']}",
        "LF": str(row["lf"]), "MF": str(row["mf"]), "size": str(row["size"]), "type": str(row["type"]),
        "known": str(row["confidence"]),
    }  # fmt: skip


def card_flags(row: Row) -> list[str]:
    """What else is printed on a card, in words (SS 2.3)."""
    words = {
        "square": "event and operations", "asterisk": "leaves the game", "red_name": "other events need it",
        "t_card": "Torch card",
    }  # fmt: skip
    return [said for key, said in words.items() if row.get(key) == "yes"]


def card_points(row: Row) -> str:
    """The replacement points of a card by pool: GE 1, IT 2."""
    return ", ".join(f"{point['pool']} {point['points']}" for point in row["rp"])


def card_effects(row: Row) -> list[str]:
    """The effects of a card in the words of the pack, a line each; conditions come first."""
    lines = [f"if {_said(condition)}" for condition in row["conditions"]]
    for effect in row["effects"]:
        more = ", ".join(f"{key} {_said(value)}" for key, value in sorted(effect.items()) if key != "do")
        lines.append(f"{effect['do']}: {more}".rstrip(": ").replace("_", " "))
    return lines


def _card(row: Row) -> dict[str, str]:
    return {
        "number": str(row["number"]), "name": str(row["name"]), "year": str(row["year"]), "OPS": str(row["ops"]),
        "RP": card_points(row), "kind": str(row["kind"]), "printed": "; ".join(card_flags(row)),
        "effect": " / ".join(card_effects(row)), "effect known": str(row["known"]),
    }  # fmt: skip


def help_page(pack: Row) -> bytes:
    """What this module is for, how its map and counters are read, and what of it is reconstructed."""
    title = escape(str(pack["title"]))
    assumed = "".join(
        f"<li>{escape(str(row['what']))}. <i>{escape(str(row['why']))}</i></li>" for row in pack["assumptions"]
    )
    return help_document(f"""<h2>{title}</h2>
<p>This module shows games of {title} that are played by mail with the adjudicator. It is for looking, planning and
stepping through turns. The adjudicator decides what is legal and rolls the dice; the die button here is a toy.</p>
<h3>Files</h3>
<ul><li>A save shows one position. Open it with <b>File, Load game</b> and choose your side, or become an observer.</li>
<li>A log begins with a position; the <b>Step</b> button (Page Down) shows one order or event after the other.</li>
<li>The way back: record a log while you put Move and Attack markers on spaces and push your units along the lines;
<b>import-log</b> makes a turn file of it.</li></ul>
<h3>Map</h3>
<ul><li>The edge of a space tells who controls it at the start; a flag lies on it where that has changed.</li>
<li>A bastion is a fort with its combat factor, a star a space that counts for victory, an anchor a port.</li></ul>
<h3>Counters</h3>
<ul><li>Top: the nation, and XX for a division, BG for a battlegroup, in brackets when reduced.</li>
<li>Middle: the symbol of the type, infantry or armor. Bottom: combat, loss and movement factor.</li>
<li>Signs at the top right: supply as fixed by an activation: F full, L limited, S out of supply.</li>
<li>Signs at the lower right: M moved, J joins an attack, A fought, R retreated.</li></ul>
<h3>Cards</h3>
<ul><li>Draw, discard and removed piles lie beside the map. The adjudicator draws by dice out of the whole pile, so the
order of a pile means nothing.</li><li>Hands lie open in this version of the rules: anybody may look at them.</li></ul>
<h3>Keys</h3>
{TABLE}<tr><td>Ctrl F</td><td>flip to the reduced side; next face of a marker</td></tr>
<tr><td>Ctrl U, Ctrl E</td><td>supply sign, sign of what it did</td></tr>
<tr><td>Ctrl L</td><td>write a note under the counter</td></tr>
<tr><td>Ctrl T, Ctrl M</td><td>movement trail, moved mark</td></tr>
<tr><td>Ctrl D</td><td>remove the counter</td></tr>
<tr><td>Ctrl Shift O</td><td>overview map</td></tr>
<tr><td>Ctrl Shift H</td><td>hide all counters</td></tr></table>
<h3>What is reconstructed</h3>
<p>The printed map, counters and cards are not to be had. The data of this module agree with every fact that is known
and are no copy of the printed game. What had to be assumed, and why:</p><ul>{assumed}</ul>
""")
