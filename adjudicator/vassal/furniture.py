"""Parts of a module that all games have alike: zones' outlines, lists of units, the free die."""

from __future__ import annotations

from adjudicator.vassal.board import Track
from adjudicator.vassal.model import Dice, Inventory, Point, RegionGrid, Zone


def rectangle(x: int, y: int, width: int, height: int) -> tuple[Point, ...]:
    """A rectangle's corners, clockwise from the upper left."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def track_zone(track: Track) -> Zone:
    """The zone of a track: each of its cells is a place that a marker snaps to."""
    regions = tuple((entry, *track.centre(i)) for i, entry in enumerate(track.entries))
    rows = -(-len(track.entries) // track.columns)
    path = rectangle(track.x, track.y, track.columns * track.width, rows * track.height)
    return Zone(track.name, path, RegionGrid(regions), "$name$ $gridLocation$")


def unit_inventories() -> tuple[Inventory, ...]:
    """Two lists of the units in play: by nation and by place."""
    leaf = "$PieceName$   $Strength$   $LocationName$"
    units = '{Kind!="Marker"&&Kind!="Card"}'
    return (
        Inventory("Units by nation", ("Side", "Nation", "Kind"), leaf, units),
        Inventory("Units by place", ("CurrentZone", "LocationName"), leaf, units),
    )


def free_die() -> tuple[Dice, ...]:
    """A die to play with: the adjudicator rolls its own."""
    report = "** $PlayerName$ rolls a free die for fun, not for the game: $result$"
    return (Dice("Free die, not adjudicated", 1, 6, report),)
