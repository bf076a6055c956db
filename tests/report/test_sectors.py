"""Sectors: the file is right, every land hex has one, faults are named."""

from __future__ import annotations

import pytest

from adjudicator.report import ReportError
from adjudicator.report.western_desert.sectors import ELSEWHERE, read_sectors, sectors_of
from adjudicator.western_desert import hexes
from tests.report.support import SYSTEM
from tests.western_desert.ground import compass


@pytest.mark.parametrize(
    ("number", "sector"),
    [
        ("19/0726", "Sidi Barrani"),
        ("19/0527", "Sofafi"),
        ("19/0426", "Sollum and Bardia"),
        ("18/4818", "Tobruk"),
        ("19/1127", "Matruh"),
        ("19/3127", "the Delta"),
        ("18/0408", "Malta"),
        ("19/4707", "Syria and the Lebanon"),
    ],
)
def test_well_known_hexes(number: str, sector: str) -> None:
    assert sectors_of(compass().board, SYSTEM).of(hexes.parse(number)) == sector


def test_every_land_hex_has_a_sector_and_every_sector_hexes() -> None:
    sectors = sectors_of(compass().board, SYSTEM)
    found = {sectors.of(h) for h in compass().board.land}
    assert found == set(sectors.names)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"sectors:\n- {name: A, anchors: [Atlantis]}\n", "Atlantis is no place"),
        (b"places: []\n", "no list `sectors`"),
        (b"sectors: [\n", "sectors.yaml"),
    ],
)
def test_a_wrong_file_is_an_error(data: bytes, fault: str) -> None:
    with pytest.raises(ReportError, match=fault):
        read_sectors(data, compass().board)


def test_no_anchor_no_sector() -> None:
    board = compass().board
    assert read_sectors(b"sectors:\n- {name: A}\n", board).of(hexes.parse("18/4818")) == ELSEWHERE
    assert read_sectors(b"sectors:\n- {name: A}\n", board).rank("B") == 1
