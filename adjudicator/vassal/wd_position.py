"""Western Desert: from a position, a tree of plain text, to the pieces of a save.

The form is that of docs/state-format.md; every part may be missing. A position may also say what the rules do
not keep: `scenario` names the scenario whose airfields, boxes and Malta status hold as long as the position has
none of its own. Where a part is a mapping, its keys are the ids (units, supply, air) or hexes (forts) of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adjudicator.vassal.board import BoardError, BoardLayout, Box
from adjudicator.vassal.boxes import fill
from adjudicator.vassal.items import NO, YES, Item, PositionError, Row, rows_of, stacked
from adjudicator.vassal.markerpieces import STEP, marker_key
from adjudicator.vassal.model import Placement, Point
from adjudicator.vassal.wd_pieces import CONDITION, CONDITIONS, STATE, SUPPLY

SITE_LEVELS = ("fort", "fortress", "airfield")
BOX = "box:"
BOXES = {"malta": "allied_sea", "sicily": "europe", "europe_base": "europe", "garrison_list": "egypt"}
"""Boxes of a position that lie in another one of the module: what goes to Malta, air units that come to Sicily, and
garrisons off the map, which lie with the Allied reinforcements."""


class PositionReader:
    """Turns the rows of a position into placements on the main map."""

    def __init__(self, layout: BoardLayout, pack: Row, viewer: str | None) -> None:
        self.layout = layout
        self.viewer = (viewer or "").lower()
        self.ground: dict[str, Row] = {str(row["id"]): row for row in pack["counters"]}
        self.air: dict[str, Row] = {str(row["id"]): row for row in pack["air"]}
        self.scenarios: list[Row] = list(pack.get("scenarios", ()))
        self.unbuilt: list[Row] = list(pack.get("unbuilt", ()))
        self.start_control = {str(row["hex"]): str(row.get("control", "")) for row in pack["hexes"]}

    def placements(self, position: Row) -> tuple[Placement, ...]:
        """All pieces of the position, spot by spot, each stack bottom first."""
        position = self._with_scenario(position)
        parts = (self._units, self._supply, self._works, self._signs, self._tracks)
        items = [self._boxed(item) for part in parts for item in part(position)]
        placed: list[Placement] = []
        for place, group in stacked(items):
            placed += self._place(place, group)
        return tuple(placed)

    def _with_scenario(self, position: Row) -> Row:
        """The position with what only its scenario says. Units that entered play have left their box."""
        wanted = str(position.get("scenario", ""))
        scenario = next((s for s in self.scenarios if s["id"] == wanted), None)
        if scenario is None:
            return position
        known = {str(row.get("id")) for part in ("units", "air", "gone") for row in self._rows(position, part, "id")}
        boxes = [{**row, "id": row["unit"]} for row in scenario.get("boxes", ()) if row["unit"] not in known]
        kept = {part: scenario[part] for part in ("airfields", "malta_status") if scenario.get(part)}
        return {**kept, "boxes": boxes, "railhead": self._railhead(position, scenario), **position}

    def _railhead(self, position: Row, scenario: Row) -> str:
        """The end of the railroad built so far: the scenario's, or further along its line."""
        start = scenario.get("railhead") or {}
        end = str(start.get("hex", ""))
        for row in self._rows(position, "built", "name"):
            line = next((u for u in self.unbuilt if str(row.get("name")) in (u["name"], u.get("slug"))), None)
            hexes = int(str(row.get("hexes", row.get("value", "0"))))
            if line is not None and line["path"][0] == end and hexes < len(line["path"]):
                return str(line["path"][hexes])
        return end

    # --- rows ------------------------------------------------------------------------------

    def _rows(self, position: Row, part: str, key: str) -> Iterable[Row]:
        """The rows of a part that the viewer may see."""
        return rows_of(position, part, key, self.viewer)

    def _units(self, position: Row) -> Iterable[Item]:
        rows = [row for part in ("units", "boxes") for row in self._rows(position, part, "id")]
        rows += _aloft(list(self._rows(position, "air", "id")))
        rows += [self._gone(row) for row in self._rows(position, "gone", "id")]
        for row in rows:
            unit_id = str(row.get("id") or row.get("unit") or "")
            if unit_id in self.ground:
                yield self._ground_item(unit_id, row)
            elif unit_id in self.air:
                yield self._air_item(unit_id, row)
            else:
                raise PositionError(f"unit {unit_id!r} is not in the pack")

    def _gone(self, row: Row) -> Row:
        """A unit out of play: the box its fate names, else that of units not in play."""
        fate = str(row.get("why", row.get("value", ""))).lower().replace(" ", "_")
        known = any(fate in (box.id, *box.takes) for box in self.layout.boxes)
        return {**row, "box": fate if known else "out"}

    def _ground_item(self, unit_id: str, row: Row) -> Item:
        info = self.ground[unit_id]
        states = {SUPPLY: "2" if _out_of_supply(row) else "1", CONDITION: _condition(row)}
        if info.get("cadre"):
            states[STEP] = "2" if _is_cadre(row) else "1"
        sizes = ("none", "headquarters", "battalion", "regiment", "brigade", "division")
        size = str(info["size"])
        height = sizes.index(size) if size in sizes else 0
        rank = (2 + height, int(float(str(info["attack"]) or "0")), unit_id)
        return Item(unit_id, unit_id, _where(row), str(info["side"]), rank, states)

    def _air_item(self, unit_id: str, row: Row) -> Item:
        states = {STATE: "2" if _is_inoperative(row) else "1"}
        return Item(unit_id, unit_id, _where(row), str(self.air[unit_id]["side"]), (1, 0, unit_id), states)

    def _supply(self, position: Row) -> Iterable[Item]:
        rows = [row for part in ("supply", "depots") for row in self._rows(position, part, "id")]
        for n, row in enumerate(rows, 1):
            side = str(row.get("side", "")).lower()
            supply_id = str(row.get("id") or f"supply-{side}-{n}")
            if side not in ("allied", "axis"):
                raise PositionError(f"supply counter {supply_id!r} has no side")
            steps = str(row.get("steps", "1"))
            if steps == "0":
                continue
            if steps not in ("1", "2"):
                raise PositionError(f"supply counter {supply_id!r} has {steps} steps; it has 1 or 2")
            key = marker_key(f"supply-{side}")
            yield Item(supply_id, key, _where(row), side, (0, int(steps), supply_id), {STEP: steps})

    def _works(self, position: Row) -> Iterable[Item]:
        """Markers of works on hexes: forts, fortresses, airfields, and what is being built."""
        for row in self._rows(position, "forts", "hex"):
            yield self._on_hex(row, "fort", f"fort-{_side(row)}")
        for row in self._rows(position, "unimproved", "hex"):
            yield self._on_hex(row, "fortress", "fortress", {STEP: "2"})
        for row in self._rows(position, "fortresses", "hex"):
            if str(row.get("state", "improved")) == "unimproved":
                yield self._on_hex(row, "fortress", "fortress", {STEP: "2"})
        for row in self._rows(position, "airfields", "hex"):
            yield self._on_hex(row, "airfield", f"airfield-{_side(row)}")
        for row in self._rows(position, "works", "hex"):
            level = str(1 + SITE_LEVELS.index(str(row.get("what", "fort"))))
            item = self._on_hex(row, "work under way", f"site-{_side(row)}", {STEP: level})
            yield replace(item, id=f"{item.id}.{level}")

    def _signs(self, position: Row) -> Iterable[Item]:
        """Markers of what happened to hexes: control, rail breaks, attacks, hits, the railhead."""
        for row in self._rows(position, "control", "hex"):
            hexes = row.get("hexes") or [row.get("hex", "")]
            for hex_name in hexes:
                if self.start_control.get(str(hex_name)) != _side(row):
                    yield self._on_hex({"hex": hex_name}, "control", f"control-{_side(row)}")
        for row in self._rows(position, "broken", "hex"):
            yield self._on_hex(row, "break", "break")
        for row in self._rows(position, "attacks", "hex"):
            yield self._on_hex(row, "attack", "attack")
        for row in self._rows(position, "hits", "hex"):
            hits = str(row.get("hits", row.get("value", "1")))
            yield self._on_hex(row, "hit", "hit", {STEP: hits})
        for part, marker in (("port_hits", "port-hit"), ("airbase_hits", "airbase-hit")):
            for row in self._rows(position, part, "hex"):
                hits = str(row.get("hits", row.get("value", "1")))
                yield self._on_hex(row, "hit", marker, {STEP: hits})
        railhead = position.get("railhead")
        if railhead:
            row = railhead if isinstance(railhead, Mapping) else {"hex": railhead}
            yield self._on_hex(row, "railhead", "railhead")

    def _on_hex(self, row: Row, word: str, marker: str, states: Mapping[str, str] | None = None) -> Item:
        hex_name = self._canonical(str(row.get("hex", "")), f"{word} marker")
        item_id = f"{marker}.{hex_name.replace('/', '.')}"
        return Item(item_id, marker_key(marker), hex_name, "", (0, 0, item_id), states or {})

    def _tracks(self, position: Row) -> Iterable[Item]:
        turn = turn_index(self.layout, position)
        if turn is not None:
            yield Item("game-turn", marker_key("game-turn"), f"track:turn:{turn}", "", (9, 0, ""), {})
        malta = str(position.get("malta_status", ""))
        entries = self.layout.track("malta").entries
        if malta in entries:
            yield Item("malta-status", marker_key("malta-status"), f"track:malta:{malta}", "", (9, 0, ""), {})

    # --- places ----------------------------------------------------------------------------

    def _canonical(self, hex_name: str, what: str) -> str:
        try:
            name = self.layout.name(*self.layout.locate(hex_name))
        except BoardError as error:
            raise PositionError(f"{what}: {error}") from error
        return name or hex_name

    def _place(self, place: str, group: list[Item]) -> Iterable[Placement]:
        if place.startswith("track:"):
            _, track_id, entry = place.split(":")
            return [self._put(item, self._on_track(track_id, int(entry))) for item in group]
        if "/" in place:
            spot = self.layout.pixel(self._canonical(place, group[0].id))
            return [self._put(item, spot) for item in group]
        return self._in_box(place, group)

    def _on_track(self, track_id: str, index: int) -> Point:
        track = self.layout.track(track_id)
        x, y = track.centre(index)
        return self.layout.board(track.board).x + x, y

    def _boxed(self, item: Item) -> Item:
        """An item off the map with its box in place of the word for it: several words may mean one box."""
        if "/" in item.place or item.place.startswith("track:"):
            return item
        return replace(item, place=f"{BOX}{self._box(item.place, item).id}")

    def _in_box(self, place: str, group: list[Item]) -> Iterable[Placement]:
        """Units of one box: each kind of unit in its own cell, and what is too many for it in free ones."""
        box = next(box for box in self.layout.boxes if box.id == place.removeprefix(BOX))
        cells = self._cells(box)
        for cell, item in fill(len(cells), [(self._home(item, len(cells)), item) for item in group]):
            yield self._put(item, cells[cell])

    def _home(self, item: Item, cells: int) -> int:
        info = self.ground.get(item.piece) or self.air.get(item.piece) or {}
        return self.layout.cell_of.get(str(info.get("type", "")), cells)

    def _box(self, word: str, item: Item) -> Box:
        slug = word.lower().replace(" ", "_").replace("-", "_")
        slug = BOXES.get(slug, slug)
        takers = [box for box in self.layout.boxes if slug in (box.id, *box.takes)]
        for box in takers:
            if box.side in (item.side, ""):
                return box
        if takers:
            return takers[0]
        raise PositionError(f"{item.id}: {word!r} is neither a hex nor a box of the map")

    def _cells(self, box: Box) -> list[Point]:
        width, height, heading = self.layout.cell
        start = self.layout.board(box.board).x + box.x
        columns, rows = max(1, box.width // width), max(1, (box.height - heading) // height)
        return [
            (start + width // 2 + 2 + column * width, box.y + heading + height // 2 + row * height)
            for row in range(rows)
            for column in range(columns)
        ]

    def _put(self, item: Item, spot: Point) -> Placement:
        return Placement(item.id, item.piece, self.layout.map, spot[0], spot[1], item.states)


# --- words of a position -------------------------------------------------------------------


def _where(row: Row) -> str:
    """The hex or box of a row; a unit without either is not in play."""
    return str(row.get("hex") or row.get("box") or row.get("place") or row.get("gone") or "out")


def _aloft(rows: list[Row]) -> list[Row]:
    """The rows of air units, those in the air over the hex to which they have flown, a glider with its tow."""
    over = {str(row["tow"]): row["over"] for row in rows if row.get("tow") and row.get("over")}
    return [{**row, "hex": row.get("over") or over.get(str(row.get("id")), row.get("hex", ""))} for row in rows]


def _side(row: Row) -> str:
    side = str(row.get("side", "")).lower()
    if not side:
        raise PositionError(f"marker on {row.get('hex')!r} has no side")
    return side


def _says(row: Row, key: str, words: tuple[str, ...]) -> bool:
    return str(row.get(key, "")).lower() in words


def _is_cadre(row: Row) -> bool:
    return _says(row, "step", ("cadre", "reduced", "back")) or _says(row, "cadre", YES)


def _is_inoperative(row: Row) -> bool:
    inoperative = ("inoperative", "aborted")
    return (
        _says(row, "operative", NO)
        or _says(row, "inoperative", YES)
        or _says(row, "state", inoperative)
        or _says(row, "step", inoperative)
    )


def _out_of_supply(row: Row) -> bool:
    return (
        _says(row, "out", YES)
        or _says(row, "gs", NO)
        or _says(row, "general_supply", NO)
        or _says(row, "supplied", NO)
        or _says(row, "supply", ("no", "out", "none"))
    )


def _condition(row: Row) -> str:
    for level, word in enumerate(CONDITIONS[1:], 2):
        if _says(row, word, YES) or _says(row, "condition", (word,)):
            return str(level)
    return "1"


def turn_index(layout: BoardLayout, position: Row) -> int | None:
    """Which turn of the track the position names, by its name or number; None if it names none."""
    turn = str(position.get("turn", ""))
    if turn in layout.turns:
        return layout.turns.index(turn)
    if turn.isdigit() and 1 <= int(turn) <= len(layout.turns):
        return int(turn) - 1
    return None


def tracker_state(layout: BoardLayout, position: Row) -> tuple[int, ...]:
    """Turn, player turn and phase as the turn tracker counts them; what is not said is the first."""
    player = str(position.get("player", position.get("player_turn", ""))).lower()
    phase = str(position.get("phase", "")).lower()
    players = [name.lower() for name in layout.player_turns]
    phases = [name.lower() for name in layout.phases]
    return (
        turn_index(layout, position) or 0,
        players.index(player) if player in players else 0,
        phases.index(phase) if phase in phases else 0,
    )
