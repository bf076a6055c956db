"""Shifting Sands as a VASSAL module: from the compiled pack and the art folder to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.packs import pack_folder
from adjudicator.vassal import ExportError, ss_pieces
from adjudicator.vassal.board import BoardError, Box
from adjudicator.vassal.countersheet import counter_sheet
from adjudicator.vassal.furniture import free_die, rectangle, track_zone, unit_inventories
from adjudicator.vassal.items import PositionError
from adjudicator.vassal.logfile import Step
from adjudicator.vassal.markerpieces import marker_key
from adjudicator.vassal.model import (
    AtStart,
    Board,
    Chart,
    Map,
    Module,
    RegionGrid,
    Save,
    Setup,
    TurnLevel,
    TurnTracker,
    Zone,
)
from adjudicator.vassal.plans import Names
from adjudicator.vassal.registry import FILE_NAME, Registry, RegistryError, load_registry
from adjudicator.vassal.ss_board import HALF, Pile, SandsLayout, load_sands
from adjudicator.vassal.ss_cards import ALONE, decks, hands
from adjudicator.vassal.ss_counters import SandsStyle, load_sands_style
from adjudicator.vassal.ss_position import SandsReader, notes_of, tracker_state
from adjudicator.vassal.ss_words import SandsWords
from adjudicator.vassal.steps import LogStep

if TYPE_CHECKING:
    from adjudicator.vassal.ss_boardart import SandsArt

SIDES = ("Axis", "Allied", ALONE)
LAYERS = ("Control", "Terrain", "Unit", "Marker")
HELP_FILE = "help.html"
CARD_FIRST = "play_card or auto_op comes first: it pays for the markers"


class ShiftingSands:
    """One pack's module. Nothing is read before it is needed: a save needs no pictures."""

    def __init__(self, pack: Mapping[str, Any]) -> None:
        self.pack = pack
        self.folder = pack_folder(str(pack["system"]))

    @cached_property
    def layout(self) -> SandsLayout:
        """Where spaces, tracks and boxes lie."""
        try:
            return load_sands(self.folder / "art")
        except BoardError as error:
            raise ExportError(f"the board of {self.pack['system']} cannot be read: {error}") from error

    @cached_property
    def style(self) -> SandsStyle:
        """Colours and markers."""
        try:
            return load_sands_style(self.folder / "art" / "style.yaml")
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
        return ss_pieces.piece_keys(self.pack, self.style)

    def module(self, *, pictures: bool = True) -> Module:
        """The module; without pictures, zones, charts and set-ups it is enough to write saves."""
        title = str(self.pack["title"])
        module = Module(
            name=title,
            version=f"{self.layout.version}.{self.pack['version']}",
            description=f"{title}, made from the adjudicator's data pack, a reconstruction",
            sides=SIDES,
            prototypes=ss_pieces.prototypes(self.layout),
            pieces=ss_pieces.pieces(self.pack, self.style, self.registry),
            palette=ss_pieces.palette(self.pack, self.style),
            maps=(self._map(zones=pictures), *hands(self.style)),
            next_gpid=self.registry.next,
            tracker=self._tracker(),
        )
        return self._complete(module) if pictures else module

    def _complete(self, module: Module) -> Module:
        from adjudicator.vassal.ss_charts import chart_pages, help_page

        charts, files = chart_pages(self.pack)
        pictures: dict[str, bytes | Path] = dict(ss_pieces.pictures(self.pack, self.style))
        picture = self.folder / "art" / self.layout.image
        if not picture.is_file():
            raise ExportError(f"the board picture {self.layout.image} is missing; scripts/draw_board.py draws it")
        pictures[f"images/{self.layout.image}"] = picture
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
        board = Board(layout.board, layout.image, layout.width, layout.height, tuple(self._zones()) if zones else ())
        summary = "$LocationName$   CF $sum(CF)$"
        return Map(
            layout.map, (board,), "", LAYERS, overview_scale=layout.overview_scale, summary=summary,
            decks=decks(self.pack, layout),
        )  # fmt: skip

    def _zones(self) -> list[Zone]:
        """Boxes, tracks and spaces off the map first, then the panels: the first zone that holds a point names it."""
        boxes: tuple[Box | Pile, ...] = (*self.layout.boxes, *self.layout.piles)
        zones = [Zone(b.name, rectangle(b.x, b.y, b.width, b.height), None, "$name$") for b in boxes]
        zones += [track_zone(track) for track in self.layout.tracks]
        for panel in self.layout.panels:
            spots = [(name, *at) for name, at in self.layout.spaces.items() if panel.holds(*at)]
            path = rectangle(panel.x, panel.y, panel.width, panel.height)
            zones.append(Zone(panel.name, path, RegionGrid(tuple(sorted(spots)))))
        return zones + self._loose()

    def _loose(self) -> list[Zone]:
        """A zone for each space that no panel shows."""
        loose = {n: at for n, at in self.layout.spaces.items() if not any(p.holds(*at) for p in self.layout.panels)}
        return [
            Zone(name, rectangle(x - HALF, y - HALF, 2 * HALF, 2 * HALF), RegionGrid(((name, x, y),)))
            for name, (x, y) in sorted(loose.items())
        ]

    def _tracker(self) -> TurnTracker:
        sides = TurnLevel("Side", "Side", SIDES[:2])
        rounds = TurnLevel("Round", "Round", self.layout.rounds, (sides,))
        phases = TurnLevel("Phase", "Phase", self.layout.phases, (rounds,))
        turns = TurnLevel("Game turn", "GameTurn", self.layout.turns, (phases,))
        return TurnTracker("Turn", turns, "$level1$, $level2$ phase, round $level3$, $level4$")

    def _at_start(self) -> tuple[AtStart, ...]:
        """The markers every game has, each at the beginning of its track."""
        stacks: list[AtStart] = []
        for marker, track_id in ss_pieces.AT_START.items():
            track = self.layout.track(track_id)
            x, y = track.centre(0)
            stacks.append(AtStart(f"{track.name}: {marker}", track.board, x, y, marker_key(marker)))
        return tuple(stacks)

    # --- positions -------------------------------------------------------------------------

    def save(self, position: Mapping[str, Any], viewer: str | None, title: str) -> Save:
        """A position as a save. Raises ExportError for one that does not fit the pack."""
        return Save(
            title, self._placements(position, viewer), tracker_state(self.layout, position),
            notes=notes_of(position, title),
        )  # fmt: skip

    def _placements(self, position: Mapping[str, Any], viewer: str | None) -> Any:
        try:
            return SandsReader(self.layout, self.pack, self.style, viewer).placements(position)
        except (PositionError, BoardError) as error:
            raise ExportError(f"this position cannot be shown: {error}") from error

    def log(
        self, position: Mapping[str, Any], steps: Iterable[LogStep], viewer: str | None, title: str
    ) -> tuple[Save, Iterator[Step]]:
        """A position and what follows it. The steps are made one by one, as they are asked for."""
        start = self.save(position, viewer, title)

        def made() -> Iterator[Step]:
            """The steps, one at a time."""
            for step in steps:
                placements = self._placements(step.after, viewer)
                save = Save(title, placements, tracker_state(self.layout, step.after))
                paths = {unit: tuple(map(self.layout.pixel, path)) for unit, path in step.paths.items()}
                yield Step(step.lines, save, paths, step.clear)

        return start, made()

    def place_at(self, map_name: str, x: int, y: int) -> str | None:
        """The space at a point of a map; None beside the spaces of the main map."""
        return self.layout.space_at(x, y) if map_name == self.layout.map else None

    def names(self, side: str) -> Names:
        """How a side's orders name its units: by what players say where that is one unit's, else by id."""
        rows = {str(row["id"]): row for row in self.pack["counters"]}
        said = Counter(str(row["short"]) for row in rows.values())
        units = {key: s if said[s := str(row["short"])] == 1 else key for key, row in rows.items()}
        own = {key: self.style.side_of(str(row["nation"])) == side for key, row in rows.items()}
        joined = {frozenset((str(row["a"]), str(row["b"]))) for row in self.pack["links"]}
        return Names(
            units, own, lambda one, two: frozenset((one, two)) in joined, section="round", together=False,
            with_start=True, remark=CARD_FIRST,
        )  # fmt: skip

    def words(self) -> SandsWords:
        """Says events in a line of chat each."""
        return SandsWords(self.pack)

    def _setups(self) -> tuple[Setup, ...]:
        setups = [
            Setup(str(s["title"]), f"{s['id']}.vsav", self.save(scenario_position(s, self.pack), None, str(s["title"])))
            for s in self.pack["scenarios"]
        ]
        return (*setups, Setup("Empty map", "", None))

    # --- pictures --------------------------------------------------------------------------

    def boards(self) -> dict[str, bytes]:
        """The board drawn as SVG, by the name of its picture."""
        return {self.layout.image: self.whole_map()}

    def whole_map(self) -> bytes:
        """The board as one SVG."""
        from adjudicator.vassal import svg

        return svg.to_bytes(self._art().document())

    def drawn_from(self) -> str:
        """The number of what the board is drawn from."""
        from adjudicator.vassal.ss_boardart import drawn_from

        return drawn_from(self.pack, self.folder / "art")

    def _art(self) -> SandsArt:
        from adjudicator.vassal.ss_boardart import SandsArt

        return SandsArt(self.layout, self.pack)

    def counter_sheet(self) -> bytes:
        """Every counter and marker, front and back."""
        found = ss_pieces.pictures(self.pack, self.style)
        return counter_sheet(ss_pieces.panels(self.pack, self.style, found), found, self.style.size)


def scenario_position(scenario: Mapping[str, Any], pack: Mapping[str, Any]) -> dict[str, Any]:
    """A scenario's set-up as a position, before the hands are drawn."""
    control: dict[str, list[str]] = {}
    for row in scenario.get("control", ()):
        control.setdefault(str(row["side"]), []).append(str(row["space"]))
    return {
        "units": [{**row, "id": row["unit"]} for row in scenario["units"]],
        "turn": scenario["turn"],
        "phase": "setup",
        "active": "axis",
        "vp": scenario["vp"],
        "control": [{"side": side, "spaces": spaces} for side, spaces in sorted(control.items())],
        "events": scenario.get("events", ()),
        "cards": [row for side in ("axis", "allied") for row in _piles(scenario, pack, side)],
    }


def _piles(scenario: Mapping[str, Any], pack: Mapping[str, Any], side: str) -> Iterator[dict[str, Any]]:
    """A side's draw pile, discards and removed cards (SS 4.3, 18.1, 18.3)."""
    mine = [str(row["id"]) for row in pack["cards"] if row["side"] == side]
    years = {str(row["year"]) for row in scenario["years"]}
    of_years = {str(row["id"]) for row in pack["cards"] if row["year"] in years}
    apart: set[str] = set()
    for zone, part in (("discards", "discarded"), ("removed", "removed")):
        cards = [card for card in mine if card in {str(row["card"]) for row in scenario.get(part, ())}]
        apart |= set(cards)
        yield {"zone": zone, "side": side, "cards": cards}
    yield {"zone": "piles", "side": side, "cards": [card for card in mine if card in of_years - apart]}
