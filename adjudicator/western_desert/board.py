"""The printed map as the rules read it: hexes, hexsides with direction, roads, railroads, places (WD 2.B, Map Legend).

What play changes (control, forts, breaks) is in the state. Cases build small boards of the same class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.western_desert import hexes

PROHIBITED_TERRAIN = frozenset({"salt_marsh", "sea", "lake"})
PROHIBITED_SIDES = frozenset({"impassable", "sebkha", "sea", "lake"})


class City(NamedTuple):
    """A city: its name and class, ``full``, ``dot`` or ``ref``."""

    name: str
    size: str


class HexInfo(NamedTuple):
    """What is printed in one land hex."""

    terrain: str = "clear"
    coast: bool = False
    country: str = ""
    regions: tuple[str, ...] = ()
    control: str = ""
    cities: tuple[City, ...] = ()
    port: str = ""
    fortress: bool = False
    terminal: str = ""
    places: tuple[str, ...] = ()


class Place(NamedTuple):
    """A named place: the name players use, the slug for labels, its hex."""

    name: str
    slug: str
    hex: int
    size: str = ""
    aliases: tuple[str, ...] = ()


@dataclass
class Board:
    """The printed map. ``land`` has the land hexes; anything else is sea or off the map.

    ``sides`` gives the hexside crossed from a hex into a neighbour, seen by the one who crosses (``escarpment_up``
    climbs). ``roads`` and ``rails`` hold joined pairs, both ways; a railroad is in ``roads`` too (WD 7). Railroads
    not built at the start are only in ``unbuilt``, in order of building.
    """

    land: dict[int, HexInfo] = field(default_factory=dict)
    sides: dict[tuple[int, int], str] = field(default_factory=dict)
    roads: set[tuple[int, int]] = field(default_factory=set)
    rails: set[tuple[int, int]] = field(default_factory=set)
    unbuilt: dict[str, tuple[int, ...]] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    line_names: dict[tuple[int, int], str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    _open: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _into: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def name(self, h: int) -> str:
        """The number of a hex, or its name on a small board."""
        return self.names.get(h) or hexes.name(h)

    def find(self, text: str) -> int:
        """The hex of a number or of a name on a small board. Raises :class:`hexes.HexError`."""
        for h, given in self.names.items():
            if given == text:
                return h
        return hexes.parse(text)

    def label(self, h: int) -> str:
        """A hex as segment of a label (PROTOCOL 4.6)."""
        return self.name(h).replace("/", ".").lower()

    def info(self, h: int) -> HexInfo | None:
        """The print of a land hex; None for sea and off the map."""
        return self.land.get(h)

    def terrain(self, h: int) -> str:
        """Terrain of the hex, ``sea`` where there is no land."""
        info = self.land.get(h)
        return info.terrain if info else "sea"

    def crossing(self, a: int, b: int) -> str:
        """Kind of the hexside crossed from a into b, "" where nothing is printed."""
        return self.sides.get((a, b), "")

    def passable(self, a: int, b: int) -> bool:
        """True where a unit may go from a into its neighbour b as far as terrain goes (WD 6, prohibited terrain).

        WD 6.prohibited, 9.H.1.salt-marsh.
        """
        return self.terrain(b) not in PROHIBITED_TERRAIN and self.sides.get((a, b), "") not in PROHIBITED_SIDES

    def open_neighbours(self, h: int) -> tuple[int, ...]:
        """Neighbours that units may enter from the hex; the reach of a zone of control (WD 5).

        WD 5.extent, 5.terrain, chart.tobruk.
        """
        found = self._open.get(h)
        if found is None:
            found = tuple(n for n in hexes.neighbours(h) if self.passable(h, n))
            self._open[h] = found
        return found

    def ways_in(self, h: int) -> tuple[int, ...]:
        """Land neighbours from which units may enter the hex as far as terrain goes."""
        found = self._into.get(h)
        if found is None:
            found = tuple(n for n in hexes.neighbours(h) if n in self.land and self.passable(n, h))
            self._into[h] = found
        return found

    def forget(self) -> None:
        """Drop what was worked out from the print; for boards that are still being drawn."""
        self._open.clear()
        self._into.clear()

    def has_road(self, h: int) -> bool:
        """True where a road or railroad touches the hex."""
        return any((h, n) in self.roads for n in hexes.neighbours(h))

    def in_region(self, h: int, region: str) -> bool:
        """True where the hex lies in a region or country of that name (any case) (WD 3.C.delta, 3.C.cyrenaica)."""
        info = self.land.get(h)
        if info is None:
            return False
        wanted = region.lower()
        return info.country.lower() == wanted or any(r.lower() == wanted for r in info.regions)

    def lies_in(self, h: int, region: str) -> bool:
        """Like :meth:`in_region`; a sea hex counts to the region whose coast comes next south of it in its column."""
        column = hexes.column(h)
        while h not in self.land and hexes.on_sheets(h):
            h += 1
        return hexes.column(h) == column and self.in_region(h, region)

    def feature_names(self, h: int) -> str:
        """The hex with the place in it, for people: ``Tobruk (18/4818)``."""
        info = self.land.get(h)
        names = [c.name for c in info.cities] or list(info.places) if info else []
        return f"{names[0]} ({self.name(h)})" if names else self.name(h)


Rows = Sequence[Mapping[str, object]]


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _list(row: Mapping[str, object], key: str) -> list[object]:
    value = row.get(key)
    return value if isinstance(value, list) else []


def _cities(row: Mapping[str, object]) -> tuple[City, ...]:
    return tuple(City(_text(c, "name"), _text(c, "class")) for c in _list(row, "cities") if isinstance(c, dict))


def _hex_info(row: Mapping[str, object]) -> HexInfo:
    """What is printed in a hex (WD chart.map-legend)."""
    return HexInfo(
        terrain=_text(row, "terrain") or "clear",
        coast=_text(row, "coast") == "yes",
        country=_text(row, "country"),
        regions=tuple(str(r) for r in _list(row, "regions")),
        control=_text(row, "control"),
        cities=_cities(row),
        port=_text(row, "port"),
        fortress=_text(row, "fortress") == "yes",
        terminal=_text(row, "terminal"),
        places=tuple(str(p) for p in _list(row, "places")),
    )


_RARE = ("cities", "places", "port", "fortress", "terminal")


def _print_hexes(board: Board, rows: Iterable[Mapping[str, object]]) -> None:
    """Print the land hexes. Most look like many others; those are read once and shared, since a map has 1,600."""
    known: dict[tuple[object, ...], HexInfo] = {}
    for row in rows:
        h = hexes.parse(_text(row, "hex"))
        if any(map(row.get, _RARE)):
            board.land[h] = _hex_info(row)
            continue
        look = (row.get("terrain"), row.get("coast"), row.get("country"), row.get("control"), *_list(row, "regions"))
        info = known.get(look)
        if info is None:
            info = known[look] = _hex_info(row)
        board.land[h] = info


def add_side(board: Board, a: int, b: int, kind: str, low: int | None = None) -> None:
    """Print a hexside between two hexes; an escarpment needs its lower hex (WD chart.map-legend)."""
    if kind == "escarpment":
        board.sides[(a, b)] = "escarpment_up" if low == a else "escarpment_down"
        board.sides[(b, a)] = "escarpment_up" if low == b else "escarpment_down"
    else:
        board.sides[(a, b)] = board.sides[(b, a)] = kind


def add_line(board: Board, kind: str, a: int, b: int, name: str = "") -> None:
    """Join two hexes by a road, or by a railroad, which is a road too (WD 7, 7.rail-as-road)."""
    for pair in ((a, b), (b, a)):
        board.roads.add(pair)
        if kind == "rail":
            board.rails.add(pair)
        if name:
            board.line_names.setdefault(pair, name)


def board_from_pack(pack: Mapping[str, object]) -> Board:
    """The board of a compiled pack. Raises :class:`hexes.HexError` for a pack that names an unknown hex."""
    board = Board()
    _print_hexes(board, _rows(pack, "hexes"))
    for row in _rows(pack, "sides"):
        low = _text(row, "low")
        a, b = hexes.parse(_text(row, "a")), hexes.parse(_text(row, "b"))
        add_side(board, a, b, _text(row, "kind"), hexes.parse(low) if low else None)
    for row in _rows(pack, "lines"):
        a, b = hexes.parse(_text(row, "a")), hexes.parse(_text(row, "b"))
        add_line(board, _text(row, "kind"), a, b, _text(row, "name"))
    for row in _rows(pack, "unbuilt"):
        board.unbuilt[_text(row, "name")] = tuple(hexes.parse(str(h)) for h in _list(row, "path"))
    for row in _rows(pack, "places"):
        place = _place(row)
        board.places[place.name] = place
    return board


def _place(row: Mapping[str, object]) -> Place:
    aliases = tuple(str(a) for a in _list(row, "aliases"))
    return Place(_text(row, "name"), _text(row, "slug"), hexes.parse(_text(row, "hex")), _text(row, "class"), aliases)


def _rows(pack: Mapping[str, object], key: str) -> Iterable[Mapping[str, object]]:
    return (row for row in _list(pack, key) if isinstance(row, dict))
