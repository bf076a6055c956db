"""Pages of the module: the pack's tables as HTML, and the help page.

The engine shows HTML 3.2: plain tables with attributes, no style sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

Row = Mapping[str, Any]
ROW_FIGURES = ("die", "from", "to", "least")
HIDDEN = ("source", "ruling", "cites", "note", "confidence")
_BODY = '<body bgcolor="#fffdf5">'
# A chart is read as UTF-8 anyway, and naming a character set in it makes the engine's reader give up: an empty page.
_CHART_HEAD = f"<html>{_BODY}"
# A help page is opened by its address, and there its character set has to be named.
_HELP_HEAD = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head>{_BODY}'
TABLE = '<table border="1" cellspacing="0" cellpadding="4">'


def chart_pages(pack: Row) -> tuple[list[tuple[str, str]], dict[str, bytes]]:
    """Name and file of each chart, and the files. The order is that of the pack's list of charts."""
    charts: list[tuple[str, str]] = []
    files: dict[str, bytes] = {}
    for spec in pack.get("chart_sources", ()):
        rows = pack.get("charts", {}).get(spec["name"])
        if rows:
            file = f"chart-{str(spec['name']).replace('_', '-')}.html"
            charts.append((str(spec["title"]), file))
            files[file] = chart_page(str(spec["title"]), str(spec.get("rule", "")), _table(spec, rows))
    return charts, files


def chart_page(title: str, rule: str, body: str) -> bytes:
    """A chart as a page of the chart window."""
    under = f"<p><i>{escape(rule)}</i></p>" if rule else ""
    return f"{_CHART_HEAD}<h2>{escape(title)}</h2>{body}{under}</body></html>\n".encode()


def _table(spec: Row, rows: list[Row]) -> str:
    """A cross table where the chart has a heading on two edges, else a list with a column a key, by name."""
    across, down = spec.get("across"), spec.get("down")
    if across and down and all(across in row and down in row for row in rows):
        return cross_table(rows, str(across), str(down), str(spec.get("result", "result")))
    return list_table(rows)


def cross_table(rows: Sequence[Row], across: str, down: str, result: str) -> str:
    """A table with a heading on two edges."""
    columns = list(dict.fromkeys(str(row[across]) for row in rows))
    lines = list(dict.fromkeys(str(row[down]) for row in rows))
    cells = {(str(row[across]), str(row[down])): _result(row.get(result, "")) for row in rows}
    html = f"{TABLE}<tr><th>{escape(down)} \\ {escape(across)}</th>"
    html += "".join(f"<th>{escape(column)}</th>" for column in columns) + "</tr>"
    for line in lines:
        html += f"<tr><th>{escape(line)}</th>"
        html += "".join(f'<td align="center">{cells.get((column, line), "")}</td>' for column in columns) + "</tr>"
    return html + "</table>"


def _result(value: Any) -> str:
    """A result of a table; a dash where nothing happens, as tables have it."""
    return "&#8212;" if value == "none" else _cell(value)


def list_table(rows: Sequence[Row]) -> str:
    """A table with a column for each key and a line for each row."""
    keys = _columns(rows)
    html = TABLE + "<tr>" + "".join(f"<th>{escape(_words(key))}</th>" for key in keys) + "</tr>"
    for row in rows:
        html += "<tr>" + "".join(f"<td>{_cell(row.get(key, ''))}</td>" for key in keys) + "</tr>"
    return html + "</table>"


def _columns(rows: Sequence[Row]) -> list[str]:
    """The keys of a list in the order to show them: what names the rows, other words, figures.

    A row is named by what is different in every row: words where there are such, else a die or the end of a range.
    """
    keys = sorted({key for row in rows for key in row} - set(HIDDEN))
    figures = {key for key in keys if all(_is_figure(row.get(key, "")) for row in rows)}
    unlike = {key for key in keys if len({str(row.get(key, "")) for row in rows}) == len(rows)}
    unlike -= {key for row in rows for key, value in row.items() if isinstance(value, list | tuple | Mapping)}
    names = unlike - figures or unlike & set(ROW_FIGURES)
    order = {key: place for place, key in enumerate(ROW_FIGURES)}

    def rank(key: str) -> tuple[bool, bool, int, str]:
        return key not in names, key in figures, order.get(key, len(order)), key

    return sorted(keys, key=rank)


def _is_figure(value: Any) -> bool:
    """A number, a fraction, yes or no: what tells little until one knows which row it is in."""
    return isinstance(value, str) and (value in ("", "yes", "no", "none") or not any(c.isalpha() for c in value))


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{escape(_words(str(k)))} {_cell(v)}" for k, v in sorted(value.items()) if k not in HIDDEN)
    if isinstance(value, list | tuple):
        return "; ".join(_cell(item) for item in value)
    return escape(_words(str(value))) or "&nbsp;"


def _words(text: str) -> str:
    return text.replace("_", " ")


def help_document(body: str) -> bytes:
    """A help page of this body."""
    return f"{_HELP_HEAD}{body}</body></html>\n".encode()


def help_page(pack: Row) -> bytes:
    """What this module is for and how its counters are read."""
    title = escape(str(pack["title"]))
    body = f"""<h2>{title}</h2>
<p>This module shows games of {title} that are played by mail with the adjudicator. It is for looking, planning and
stepping through turns. The adjudicator decides what is legal and rolls the dice; the die button here is a toy.</p>
<h3>Files</h3>
<ul><li>A save shows one position. Open it with <b>File, Load game</b> and choose your side, or become an observer.</li>
<li>A log begins with a position; the <b>Step</b> button (Page Down) shows one order or event after the other.</li></ul>
<h3>Counters</h3>
<ul><li>Top: the size of the unit (XX division, X brigade, III regiment, II battalion), in brackets for a cadre. At the
left the antiaircraft strength: L light, H heavy.</li>
<li>Middle: the symbol of the type. A dot beside it: supported though its kind is not. Wheels: motorized.</li>
<li>Bottom: attack, defense, movement; one strength where attack and defense are equal.</li>
<li>Air units: attack, type and defense; tactical and strategic bombing strength, movement.</li>
<li>Signs on a counter: S out of general supply; A has attacked, R has retreated, D disrupted.</li></ul>
<h3>Keys</h3>
{TABLE}<tr><td>Ctrl F</td><td>flip to cadre or inoperative side</td></tr>
<tr><td>Ctrl U, Ctrl E</td><td>supply sign, combat sign</td></tr>
<tr><td>Ctrl L</td><td>write a note under the counter</td></tr>
<tr><td>Ctrl T, Ctrl M</td><td>movement trail, moved mark</td></tr>
<tr><td>Ctrl D</td><td>remove the counter</td></tr>
<tr><td>Ctrl Shift O</td><td>overview map</td></tr>
<tr><td>Ctrl Shift H</td><td>hide all counters</td></tr></table>
"""
    return help_document(body)
