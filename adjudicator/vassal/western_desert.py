"""Western Desert as a VASSAL module: from the compiled pack and the art folder to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.packs import pack_folder
from adjudicator.vassal import ExportError, wd_pieces
from adjudicator.vassal.board import (
    UV,
    BoardError,
    BoardLayout,
    BoardPart,
    Sheet,
    clip_columns,
    load_board,
    neighbours,
    outlines,
)
from adjudicator.vassal.counters import Style, load_style
from adjudicator.vassal.countersheet import counter_sheet
from adjudicator.vassal.furniture import free_die, rectangle, track_zone, unit_inventories
from adjudicator.vassal.items import PositionError
from adjudicator.vassal.logfile import Step
from adjudicator.vassal.markerpieces import marker_key
from adjudicator.vassal.model import (
    AtStart,
    Board,
    Camera,
    Chart,
    HexGrid,
    Map,
    Module,
    Point,
    Save,
    Setup,
    TurnLevel,
    TurnTracker,
    Zone,
)
from adjudicator.vassal.plans import Names
from adjudicator.vassal.registry import FILE_NAME, Registry, RegistryError, load_registry
from adjudicator.vassal.steps import LogStep
from adjudicator.vassal.wd_front import front
from adjudicator.vassal.wd_position import PositionReader, tracker_state
from adjudicator.vassal.wd_words import ChatWords

if TYPE_CHECKING:
    from adjudicator.vassal.boardart import BoardArt

SIDES = ("Allied", "Axis", "Solitaire")
LAYERS = ("Terrain", "Unit", "Marker")
HELP_FILE = "help.html"


class WesternDesert:
    """One pack's module. Nothing is read before it is needed: a save needs no pictures."""

    def __init__(self, pack: Mapping[str, Any]) -> None:
        self.pack = pack
        self.folder = pack_folder(str(pack["system"]))

    @cached_property
    def layout(self) -> BoardLayout:
        """Where hexes, tracks and boxes lie."""
        try:
            return load_board(self.folder / "art" / "board.yaml")
        except (OSError, BoardError) as error:
            raise ExportError(f"the board of {self.pack['system']} cannot be read: {error}") from error

    @cached_property
    def style(self) -> Style:
        """Colours and markers."""
        try:
            return load_style(self.folder / "art" / "style.yaml")
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ExportError(f"the style of {self.pack['system']} cannot be read: {error}") from error

    @cached_property
    def registry(self) -> Registry:
        """Numbers of all counters; one that has none yet (an overlay's) gets the next spare number."""
        try:
            return load_registry(self.folder / FILE_NAME).extended(self.piece_keys())
        except RegistryError as error:
            raise ExportError(str(error)) from error

    def piece_keys(self) -> list[str]:
        """The keys of all counters of the module."""
        return wd_pieces.piece_keys(self.pack, self.style)

    def module(self, *, pictures: bool = True) -> Module:
        """The module; without pictures, zones, charts and set-ups it is enough to write saves."""
        title = str(self.pack["title"])
        module = Module(
            name=title,
            version=f"{self.layout.version}.{self.pack['version']}",
            description=f"{title}, made from the adjudicator's data pack",
            sides=SIDES,
            prototypes=wd_pieces.prototypes(self.layout),
            pieces=wd_pieces.pieces(self.pack, self.style, self.registry),
            palette=wd_pieces.palette(self.pack, self.style),
            maps=(self._map(zones=pictures),),
            next_gpid=self.registry.next,
            tracker=self._tracker(),
        )
        return self._complete(module) if pictures else module

    def _complete(self, module: Module) -> Module:
        from dataclasses import replace

        from adjudicator.vassal.charts import chart_pages, help_page

        charts, files = chart_pages(self.pack)
        pictures: dict[str, bytes | Path] = dict(wd_pieces.pictures(self.pack, self.style))
        for part in self.layout.boards:
            picture = self.folder / "art" / part.image
            if not picture.is_file():
                raise ExportError(f"the board picture {part.image} is missing; scripts/draw_board.py draws it")
            pictures[f"images/{part.image}"] = picture
        return replace(
            module,
            at_start={self.layout.map: self._at_start()},
            charts=tuple(Chart(name, file) for name, file in charts),
            inventories=unit_inventories(),
            dice=free_die(),
            setups=self._setups(),
            help=(("About this module", HELP_FILE),),
            files={**pictures, **files, HELP_FILE: help_page(self.pack)},
        )

    # --- the map ---------------------------------------------------------------------------

    def _map(self, *, zones: bool) -> Map:
        layout = self.layout
        boards = tuple(
            Board(part.name, part.image, part.width, layout.height, tuple(self._zones(part.name)) if zones else ())
            for part in layout.boards
        )
        summary = "$LocationName$   attack $sum(Attack)$   defense $sum(Defense)$"
        camera = Camera("Front", "Show where the two sides face each other", self._opening())
        scale = layout.overview_scale
        return Map(layout.map, boards, "", LAYERS, overview_scale=scale, summary=summary, camera=camera)

    def _opening(self) -> Point:
        """Where an empty map opens: where the first scenario's sides face each other."""
        start = scenario_position(self.pack["scenarios"][0])
        found = PositionReader(self.layout, self.pack, None).placements(start)
        return front(self.layout, self.pack, found) or (0, 0)

    def _zones(self, board: str) -> list[Zone]:
        """Boxes and tracks first, then the sheets: the first zone that holds a point names it."""
        boxes = [box for box in self.layout.boxes if box.board == board]
        zones = [Zone(b.name, rectangle(b.x, b.y, b.width, b.height), None, "$name$") for b in boxes]
        for track in self.layout.tracks:
            if track.board == board:
                zones.append(track_zone(track))
        return zones + self._sheet_zones(board)

    def _sheet_zones(self, board: str) -> list[Zone]:
        """A zone for each sheet that names hexes of the board, each with its own numbering."""
        part = self.layout.board(board)
        zones: list[Zone] = []
        for sheet, hexes in self._hexes_by_sheet(part).items():
            loop = max(outlines(self.layout, hexes), key=len)
            path = tuple((x - part.x, y) for x, y in clip_columns(loop, part.x, part.x + part.width))
            x, y = self.layout.centre(sheet.u + 1, sheet.v + 1)
            name = f"{sheet.number}/$gridLocation$"
            grid = HexGrid(x - part.x, y, self.layout.dx, self.layout.dy, 1, 1, name)
            zones.append(Zone(f"Sheet {sheet.number}", path, grid))
        return zones

    def _hexes_by_sheet(self, part: BoardPart) -> dict[Sheet, set[UV]]:
        """The hexes a board shows, by the sheet that names them.

        A hex of the next board whose tip reaches over goes with its neighbour on this board, and where it has none
        with its own sheet, so that every spot of the picture snaps to the hex it shows.
        """
        inside: dict[UV, Sheet] = {}
        over: list[UV] = []
        for _, u, v in self.layout.hexes():
            x = self.layout.centre(u, v)[0] - part.x
            if 0 <= x < part.width:
                inside[(u, v)] = next(s for s in self.layout.sheets if s.holds(u, v))
            elif -self.layout.radius < x < part.width + self.layout.radius:
                over.append((u, v))
        groups: dict[Sheet, set[UV]] = {}
        for uv, sheet in inside.items():
            groups.setdefault(sheet, set()).add(uv)
        for uv in over:
            beside = [n for n in neighbours(uv) if n in inside]
            own = next(s for s in self.layout.sheets if s.holds(*uv))
            groups.setdefault(inside[beside[0]] if beside else own, set()).add(uv)
        return groups

    def _tracker(self) -> TurnTracker:
        phases = TurnLevel("Phase", "Phase", self.layout.phases)
        players = TurnLevel("Player turn", "PlayerTurn", self.layout.player_turns, (phases,))
        turns = TurnLevel("Game turn", "GameTurn", self.layout.turns, (players,))
        return TurnTracker("Turn", turns, "$level1$, $level2$ player turn, $level3$ phase")

    def _at_start(self) -> tuple[AtStart, ...]:
        """The markers every game has, each at the beginning of its track."""
        stacks: list[AtStart] = []
        for marker, track_id in wd_pieces.AT_START.items():
            track = self.layout.track(track_id)
            x, y = track.centre(0)
            stacks.append(AtStart(track.name, track.board, x, y, marker_key(marker)))
        return tuple(stacks)

    # --- positions -------------------------------------------------------------------------

    def save(self, position: Mapping[str, Any], viewer: str | None, title: str) -> Save:
        """A position as a save. Raises ExportError for one that does not fit the pack."""
        try:
            placements = PositionReader(self.layout, self.pack, viewer).placements(position)
        except PositionError as error:
            raise ExportError(f"this position cannot be shown: {error}") from error
        turn = tracker_state(self.layout, position)
        surprise = str(position.get("surprise", "")) == "yes"
        notes = f"{title}\n{self._turn_text(turn, surprise=surprise)}"
        return Save(title, placements, turn, notes, view=front(self.layout, self.pack, placements))

    def _turn_text(self, turn: tuple[int, ...], *, surprise: bool) -> str:
        names = (self.layout.turns, self.layout.player_turns, self.layout.phases)
        game_turn, player, phase = (entries[i] for entries, i in zip(names, turn, strict=True))
        kind = "surprise" if surprise else "player"
        return f"{game_turn}, {player} {kind} turn, {phase.lower()} phase"

    def log(
        self, position: Mapping[str, Any], steps: Iterable[LogStep], viewer: str | None, title: str
    ) -> tuple[Save, Iterator[Step]]:
        """A position and what follows it. The steps are made one by one, as they are asked for."""
        scenario = {"scenario": position["scenario"]} if "scenario" in position else {}
        start = self.save(position, viewer, title)
        reader = PositionReader(self.layout, self.pack, viewer)

        def made() -> Iterator[Step]:
            """The steps, one at a time."""
            for step in steps:
                after = {**scenario, **step.after}
                placements = reader.placements(after)
                yield Step(
                    step.lines,
                    Save(title, placements, tracker_state(self.layout, after)),
                    {unit: tuple(self.layout.pixel(h) for h in path) for unit, path in step.paths.items()},
                    step.clear,
                )

        return start, made()

    def place_at(self, map_name: str, x: int, y: int) -> str | None:
        """The hex at a point of a map; None beside the hexes of the main map."""
        return self.layout.hex_at(x, y) if map_name == self.layout.map else None

    def names(self, side: str) -> Names:
        """How a side's orders name its units: by what players say where that is one unit's, else by id."""
        rows = {str(row["id"]): row for row in self.pack["counters"]}
        said = Counter(str(row.get("short", "")) for row in rows.values())
        units = {key: s if said[s := str(row.get("short", ""))] == 1 and s else key for key, row in rows.items()}
        own = {key: str(row["side"]) == side for key, row in rows.items()}
        return Names(units, own, self._touch)

    def _touch(self, one: str, two: str) -> bool:
        return self.layout.locate(two) in neighbours(self.layout.locate(one))

    def words(self) -> ChatWords:
        """Says events in a line of chat each."""
        return ChatWords(self.pack)

    def boards(self) -> dict[str, bytes]:
        """Each board drawn as SVG, by the name of its picture."""
        from adjudicator.vassal import svg

        art = self._art()
        group = art.draw()
        return {part.image: svg.to_bytes(art.board(part.name, group)) for part in self.layout.boards}

    def whole_map(self) -> bytes:
        """Both sheets as one SVG."""
        from adjudicator.vassal import svg

        size = (self.layout.width, self.layout.height)
        document = svg.root(*size, (0, 0, *size))
        document.append(self._art().draw())
        return svg.to_bytes(document)

    def drawn_from(self) -> str:
        """The number of what the boards are drawn from."""
        from adjudicator.vassal.boardart import input_digest

        return input_digest(self.pack, self.folder / "art" / "board.yaml")

    def _art(self) -> BoardArt:
        from adjudicator.vassal.boardart import BoardArt
        from adjudicator.vassal.shore import load_shore

        return BoardArt(self.layout, self.pack, load_shore(self.folder / "art" / "board.yaml"))

    def counter_sheet(self) -> bytes:
        """Every counter and marker, front and back."""
        found = wd_pieces.pictures(self.pack, self.style)
        return counter_sheet(wd_pieces.panels(self.pack, found), found, self.style.size)

    def _setups(self) -> tuple[Setup, ...]:
        setups = [
            Setup(str(s["title"]), f"{s['id']}.vsav", self.save(scenario_position(s), None, str(s["title"])))
            for s in self.pack["scenarios"]
        ]
        return (*setups, Setup("Empty map", "", None))


def scenario_position(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """A scenario's set-up as a position."""
    units = [{**row, "id": row["unit"]} for part in ("deploy", "air_deploy", "boxes") for row in scenario.get(part, ())]
    keep = ("supply", "airfields", "fortresses", "forts", "control", "railhead", "malta_status", "hits")
    return {
        "units": units,
        "turn": scenario.get("start", ""),
        "player": scenario.get("first", ""),
        **{part: scenario[part] for part in keep if scenario.get(part)},
    }
