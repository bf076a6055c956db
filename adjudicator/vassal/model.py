"""What a VASSAL module and a save hold, without a word about any one game.

A game's adaptor builds these; `buildfile` and `savefile` write them; tests compare them with
what `reader` reads back. Coordinates are pixels of a board, or of a map where so said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.vassal.traits import Basic, Prototype, Trait

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HexGrid:
    """A grid of flat-topped hexes in vertical columns, numbered column then row.

    (x0, y0) is the centre of column `first_column`, row `first_row`. That column must be one
    of those that lie higher; its neighbours lie half a hex lower.
    """

    x0: int
    y0: int
    dx: int
    dy: int
    first_column: int
    first_row: int
    location_format: str = "$gridLocation$"


@dataclass(frozen=True, slots=True)
class RegionGrid:
    """Named points: any place of the zone belongs to the nearest."""

    regions: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of a board with its own way of naming places."""

    name: str
    path: tuple[Point, ...]
    grid: HexGrid | RegionGrid | None = None
    location_format: str = "$gridLocation$"


@dataclass(frozen=True, slots=True)
class Board:
    """A picture to play on. Its size is that of the picture; without a picture it is plain and of this colour."""

    name: str
    image: str
    width: int
    height: int
    zones: tuple[Zone, ...] = ()
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """A pile of cards. (x, y) is its middle on the board; `cards` are the keys of those it has in a new game."""

    id: str
    name: str
    board: str
    x: int
    y: int
    width: int
    height: int
    face_down: bool
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Camera:
    """A button that brings a place of its map into view; the map opens there. A save may name another place."""

    text: str
    tooltip: str
    at: Point


VIEW = ("ViewX", "ViewY")
"""Global properties of the place that the camera looks at, in map pixels."""


@dataclass(frozen=True, slots=True)
class Map:
    """A window of boards laid side by side, left to right.

    One with an `owner` is the hand of that side, or of several with commas between; others may look into it if it is
    `open`.
    """

    name: str
    boards: tuple[Board, ...]
    button: str = ""
    layers: tuple[str, ...] = ()
    layer_property: str = "PieceLayer"
    overview_scale: str = ""
    summary: str = "$LocationName$"
    background: str = "120,120,120"
    owner: str = ""
    open: bool = False
    decks: tuple[Deck, ...] = ()
    camera: Camera | None = None

    def board_x(self, board: str) -> int:
        """Where a board begins, in map pixels. Raises KeyError for a board it has not."""
        x = 0
        for item in self.boards:
            if item.name == board:
                return x
            x += item.width
        raise KeyError(board)


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of counter: the slot in the palette and every piece made from it.

    `traits` are outermost first and end before the basic piece.
    """

    key: str
    gpid: int
    name: str
    traits: tuple[Trait, ...]
    image: str = ""
    width: int = 56
    height: int = 56
    layer: str = ""
    stacks: bool = True

    def basic(self) -> Basic:
        """The innermost part of a piece of this kind."""
        return Basic(self.name, self.image, str(self.gpid))


@dataclass(frozen=True, slots=True)
class PrototypeDefinition:
    """Traits that many pieces share, outermost first."""

    name: str
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True)
class Palette:
    """A node of the counter palette: kind `tab`, `panel`, `box` or `list`."""

    kind: str
    name: str
    children: tuple[Palette, ...] = ()
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnLevel:
    """A list the turn tracker steps through, with the lists inside it."""

    name: str
    property: str
    values: tuple[str, ...]
    children: tuple[TurnLevel, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTracker:
    """The turn counter in the tool bar."""

    name: str
    level: TurnLevel
    format: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A page of the chart window: an HTML file or a picture."""

    name: str
    file: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """A tree of pieces by properties."""

    name: str
    group_by: tuple[str, ...]
    leaf: str
    include: str = ""


@dataclass(frozen=True, slots=True)
class Dice:
    """A dice button. It is the players' toy: the adjudicator rolls its own dice."""

    name: str
    count: int
    sides: int
    report: str


@dataclass(frozen=True, slots=True)
class AtStart:
    """A piece that a new game without a set-up file puts on a board."""

    name: str
    board: str
    x: int
    y: int
    piece: str


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece in a game: its kind, its lasting id, its place in map pixels, its states.

    Placements at one spot form one stack per visual layer, in the order given, bottom first. One with a `deck` is a
    card of that pile, which lies there in the same order.
    """

    id: str
    piece: str
    map: str
    x: int
    y: int
    states: Mapping[str, str] = field(default_factory=dict)
    deck: str = ""


@dataclass(frozen=True, slots=True)
class Save:
    """A position: what the save's comment says, the pieces, the turn and the notes.

    `turn` holds the index of each level of the tracker, outermost first; `view` is the place of the main map that the
    camera shows when the save is opened, in map pixels.
    """

    title: str
    placements: tuple[Placement, ...]
    turn: tuple[int, ...] = ()
    notes: str = ""
    public_notes: str = ""
    view: Point | None = None
    roster: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """A predefined set-up: a save in the module, or an empty table if there is none."""

    name: str
    file: str
    save: Save | None


@dataclass(frozen=True, slots=True)
class Module:
    """Everything a module holds. `files` are written as they are, by entry name."""

    name: str
    version: str
    description: str
    sides: tuple[str, ...]
    prototypes: tuple[PrototypeDefinition, ...]
    pieces: tuple[Piece, ...]
    palette: Palette
    maps: tuple[Map, ...]
    next_gpid: int
    tracker: TurnTracker | None = None
    at_start: Mapping[str, tuple[AtStart, ...]] = field(default_factory=dict)
    charts: tuple[Chart, ...] = ()
    inventories: tuple[Inventory, ...] = ()
    dice: tuple[Dice, ...] = ()
    setups: tuple[Setup, ...] = ()
    help: tuple[tuple[str, str], ...] = ()
    files: Mapping[str, bytes | Path] = field(default_factory=dict)

    def piece(self, key: str) -> Piece:
        """The kind of counter of this key. Raises KeyError."""
        for item in self.pieces:
            if item.key == key:
                return item
        raise KeyError(key)

    def map(self, name: str) -> Map:
        """The map of this name. Raises KeyError."""
        for item in self.maps:
            if item.name == name:
                return item
        raise KeyError(name)

    def map_id(self, name: str) -> str:
        """What the engine calls a map where its name will not do: by its place among all maps. Raises KeyError."""
        return f"Map{self.maps.index(self.map(name))}"


def expand(traits: tuple[Trait, ...], prototypes: Mapping[str, PrototypeDefinition]) -> tuple[Trait, ...]:
    """The traits with every prototype replaced by what it stands for, as a save needs them.

    Raises KeyError for a prototype that is not defined.
    """
    out: list[Trait] = []
    for trait in traits:
        if isinstance(trait, Prototype):
            out.extend(expand(prototypes[trait.name].traits, prototypes))
        else:
            out.append(trait)
    return tuple(out)
