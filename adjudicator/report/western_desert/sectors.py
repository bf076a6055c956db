"""The sectors under which reports group hexes; they stand in ``sectors.yaml`` beside the pack."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.packs.load import pack_folder
from adjudicator.report.chapter import ReportError
from adjudicator.turnfile.nodes import tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.world import rows, text, texts

FILE = "sectors.yaml"
ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Sectors:
    """Named sectors, in the order in which reports go through them, each with its anchor hexes."""

    anchors: tuple[tuple[str, tuple[int, ...]], ...]

    def of(self, h: int) -> str:
        """The sector of a hex: that of the nearest anchor, the first of equals."""
        best, name = 1 << 30, ELSEWHERE
        for sector, around in self.anchors:
            near = min((hexes.distance(h, anchor) for anchor in around), default=1 << 30)
            if near < best:
                best, name = near, sector
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """All sectors in order."""
        return tuple(name for name, _around in self.anchors)

    def rank(self, name: str) -> int:
        """Place of a sector in the order; the last for an unknown one."""
        names = self.names
        return names.index(name) if name in names else len(names)


def read_sectors(data: bytes, board: Board) -> Sectors:
    """The sectors of a file. Raises ReportError for a file of another form or an anchor that is nowhere."""
    try:
        tree = tree_map(read(data).root)
    except ReadError as error:
        raise ReportError(error.show(FILE)) from None
    found = []
    for row in rows(tree, "sectors"):
        name = text(row, "name")
        found.append((name, tuple(_anchor(board, name, anchor) for anchor in texts(row, "anchors"))))
    if not found:
        raise ReportError(f"{FILE}: there is no list `sectors`")
    return Sectors(tuple(found))


def _anchor(board: Board, sector: str, anchor: str) -> int:
    if anchor in board.places:
        return board.places[anchor].hex
    try:
        return board.find(anchor)
    except hexes.HexError:
        raise ReportError(f"{FILE}: sector {sector}: {anchor} is no place and no hex of the map") from None


def sectors_of(board: Board, system: str) -> Sectors:
    """The sectors of a game's pack. Raises ReportError where the file is missing or wrong."""
    path = pack_folder(system) / FILE
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}; the program is not whole, install it again") from None
    return read_sectors(data, board)
