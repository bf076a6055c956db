"""Corrections of the map: hexes and sea, hexsides, roads and railways, places."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.layer import Change, Layer, mark
from adjudicator.packs.reading import Record, Rows, plain, records
from adjudicator.packs.western_desert.board import canonical, pair

SEA: Final = "sea"
FLAGS: Final = ("coast", "fortress")
MOVES: Final = ("port", "terminal", "fortress")
"""What goes along when a city is moved to another hex."""
KINDS: Final = {"road": "roads", "rail": "railroads"}


def correct_hex(layer: Layer, name: str, entry: Record) -> None:
    """Terrain and all else of a hex; land can become sea and sea land."""
    if not layer.faults.need(entry, ("hex",)):
        return
    grid, data = layer.files.grid, layer.files.files["map.yaml"]
    hex_ = grid.canonical(str(entry["hex"]))
    if hex_ is None:
        layer.faults.add(entry, "hex", f"{entry['hex']} is no hex of these sheets; correct it (SHEET/CCRR)")
        return
    change = layer.change(name, entry, {"hex": hex_})
    row = _hex(layer, hex_)
    for key in FLAGS:
        if entry.get(key) == "yes":
            entry[key] = "true"
    if entry.get("terrain") == SEA:
        if row is not None:
            _remove(data["hexes"], row)
            _sea(layer).add(hex_)
            change.fields["terrain"] = (str(row.get("terrain")), SEA)
    elif row is not None:
        layer.merge(row, entry, change, ("hex", "coast"))
        if entry.get("fortress") == "no":
            row.pop("fortress", None)
    elif layer.faults.need(entry, ("terrain", "country", "control")):
        _sea(layer).discard(hex_)
        _add(data["hexes"], entry, {**entry, "hex": hex_})
        change.whole = "land"
    layer.keep(change)
    _coast_at_end(layer)


def correct_side(layer: Layer, name: str, entry: Record) -> None:
    """A hexside between two hexes; ``kind: none`` makes it an ordinary one."""
    if not layer.faults.need(entry, ("a", "b", "kind")):
        return
    data, grid = layer.files.files["map.yaml"], layer.files.grid
    key = pair(grid, entry["a"], entry["b"])
    change = layer.change(name, entry, {"a": key[0], "b": key[1]})
    row = _by_pair(layer, "hexsides").get(key)
    entry["kind"] = {"impassable": "impassable_escarpment"}.get(str(entry["kind"]), entry["kind"])
    if entry["kind"] == "none":
        if row is not None:
            _remove(data["hexsides"], row)
            change.fields["kind"] = (str(row.get("kind")), "none")
    elif row is not None:
        layer.merge(row, entry, change, ("a", "b"))
    else:
        _add(data["hexsides"], entry, {"of": "the printed map", **entry})
        change.fields.update({k: ("", plain(v)) for k, v in entry.items() if k not in ("a", "b")})
    layer.keep(change)
    _coast_at_end(layer)


def correct_line(layer: Layer, name: str, entry: Record) -> None:
    """A road or railway between two hexes; ``kind: none`` takes away whatever runs there."""
    if not layer.faults.need(entry, ("a", "b", "kind")):
        return
    if not layer.faults.one_of(entry, "kind", (*KINDS, "none")):
        return
    data, grid = layer.files.files["map.yaml"], layer.files.grid
    key, cut = pair(grid, entry["a"], entry["b"]), data.setdefault("cut", [])
    found = {kind: _by_pair(layer, k).get(key) for kind, k in KINDS.items()}
    here = {kind: row for kind, row in found.items() if row is not None}
    was = "rail" if "rail" in here else "road" if "road" in here else "none"
    change = layer.change(name, entry, {"a": key[0], "b": key[1]})
    if was != entry["kind"]:
        for kind, row in here.items():
            _remove(data[KINDS[kind]], row)
            del _by_pair(layer, KINDS[kind])[key]
            cut.extend(str(text) for text in row.get("of", []))
        if entry["kind"] != "none":
            of = Rows(entry.file, entry.line)
            of.append(f"{entry['kind']} of the printed map, {key[0]} to {key[1]}")
            _add(data[KINDS[str(entry["kind"])]], entry, {"a": key[0], "b": key[1], "of": of})
        change.fields["kind"] = (was, str(entry["kind"]))
    layer.keep(change)


def _by_pair(layer: Layer, key: str) -> dict[tuple[str, str], Record]:
    """The records of hexsides or lines by their two hexes, as the pack has them."""
    if key not in layer.state:
        rows = records(layer.files.files["map.yaml"][key])
        layer.state[key] = {pair(layer.files.grid, row.get("a"), row.get("b")): row for row in rows}
    found: dict[tuple[str, str], Record] = layer.state[key]
    return found


def correct_place(layer: Layer, name: str, entry: Record) -> None:
    """A place with its class and port; when it is moved, what hangs on it goes along."""
    if not layer.faults.need(entry, ("name",)):
        return
    data = layer.files.files["map.yaml"]
    row = next((r for r in records(data["places"]) if r.get("name") == entry["name"]), None)
    change = layer.change(name, entry, {"name": entry["name"]})
    if "hex" in entry:
        entry["hex"] = canonical(layer.files.grid, entry["hex"])
    if row is None:
        if layer.faults.need(entry, ("hex", "class", "country")):
            row = _add(data["places"], entry, dict(entry))
            change.whole = "added"
            _list_in_hex(layer, row, {})
    elif entry.get("remove") == "yes":
        _unlist(layer, row)
        _remove(data["places"], row)
        change.whole = "removed"
    else:
        along = _unlist(layer, row)
        layer.merge(row, entry, change, ("name",))
        _list_in_hex(layer, row, along)
    layer.keep(change)


def _unlist(layer: Layer, place: Record) -> dict[str, Any]:
    """Take a place out of its hex; what goes along with it."""
    hex_ = _hex(layer, canonical(layer.files.grid, place.get("hex")))
    if hex_ is None:
        return {}
    cities = [city for city in records(hex_.get("cities")) if city.get("name") == place["name"]]
    for city in cities:
        _remove(hex_["cities"], city)
    names = hex_.get("places")
    if isinstance(names, Rows) and place["name"] in names:
        index = names.index(place["name"])
        del names[index], names.lines[index]
    last = bool(cities) and not hex_["cities"]
    return {key: hex_.pop(key) for key in MOVES if last and key in hex_}


def _list_in_hex(layer: Layer, place: Record, along: dict[str, Any]) -> None:
    hex_ = _hex(layer, canonical(layer.files.grid, place.get("hex")))
    if hex_ is None:
        return
    key = "places" if place.get("class") == "place" else "cities"
    rows = hex_.setdefault(key, Rows(place.file, place.line))
    if key == "cities":
        city = Record(place.file, place.line, place.column)
        city.update({"name": place["name"], "class": place.get("class", "")})
        rows.append(city)
    else:
        rows.append(str(place["name"]))
    rows.lines.append(place.line)
    hex_.update(along)
    if "port" in place:
        hex_["port"] = place["port"]


def _hex(layer: Layer, name: str) -> Record | None:
    """The land hex of a name; the index is made once."""
    index = layer.state.get("hexes")
    rows = layer.files.files["map.yaml"]["hexes"]
    if index is None or len(index) != len(rows):
        index = layer.state["hexes"] = {canonical(layer.files.grid, row.get("hex")): row for row in records(rows)}
    found: Record | None = index.get(name)
    return found


def _sea(layer: Layer) -> set[str]:
    """The sea hexes as a set; they are written back when all corrections are laid."""
    if "sea" not in layer.state:
        rows = layer.files.files["map.yaml"]["sea"]
        names = [text for line in rows for text in (line if isinstance(line, list) else [line])]
        layer.state["sea"] = {canonical(layer.files.grid, text) for text in names}

        def finish() -> None:
            again = Rows(rows.file, rows.line)
            again.extend(sorted(layer.state["sea"]))
            again.lines = [rows.line] * len(again)
            layer.files.files["map.yaml"]["sea"] = again

        layer.at_end.append(finish)
    found: set[str] = layer.state["sea"]
    return found


def _coast_at_end(layer: Layer) -> None:
    """Coasts follow from sea hexes and sea hexsides; they are worked out anew once, after all corrections."""
    if layer.state.setdefault("coast", False):
        return
    layer.state["coast"] = True
    sea = _sea(layer)

    def finish() -> None:
        grid, data = layer.files.grid, layer.files.files["map.yaml"]
        wet = {
            name
            for row in records(data["hexsides"])
            if row.get("kind") == SEA
            for name in pair(grid, row.get("a"), row.get("b"))
        }
        for row in records(data["hexes"]):
            name = canonical(grid, row.get("hex"))
            if grid.parse(name) and (name in wet or any(other in sea for other in grid.neighbours(name))):
                row["coast"] = "true"
            else:
                row.pop("coast", None)

    layer.at_end.append(finish)


def _add(rows: Rows, entry: Record, fields: dict[str, Any]) -> Record:
    own = Record(entry.file, entry.line, entry.column)
    own.update(fields)
    mark(own, entry)
    rows.append(own)
    rows.lines.append(entry.line)
    return own


def _remove(rows: Any, row: Record) -> None:
    index = next(i for i, r in enumerate(rows) if r is row)
    del rows[index], rows.lines[index]


__all__ = ["Change", "correct_hex", "correct_line", "correct_place", "correct_side"]
