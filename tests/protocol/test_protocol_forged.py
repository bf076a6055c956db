"""Every attack of PROTOCOL 15 as a folder of files: made anew, kept, and judged."""

from __future__ import annotations

import pytest

from tests.protocol.forge.case import FOLDER, Case, Told, check
from tests.protocol.forge.cases import all_cases
from tests.protocol.forge.rows import PROGRAMS, README, ROWS, exists, folders_of, page

CASES = all_cases()
FOLDERS = sorted(path for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder)
def test_attack(case: Case) -> None:
    """As made just now."""
    check(case)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_folder(folder: object) -> None:
    """As it lies in the folder, for a program that has only the files."""
    case = Case.load(FOLDER / str(getattr(folder, "name", folder)))
    check(case)


def test_every_row_of_the_table_is_there() -> None:
    """As a folder or, for what can't be a file, as a test of the real programs; and all that is named exists."""
    assert [row for row in ROWS if not folders_of(row, CASES) and row not in PROGRAMS] == [], "a row is shown nowhere"
    assert [row for row in ROWS if not folders_of(row, CASES)] == [95], "equal bytes everywhere are no file"
    assert {int(row) for case in CASES for row in case.rows.split("_")} | {*PROGRAMS} == {*ROWS}
    assert [name for names in PROGRAMS.values() for name in names if not exists(name)] == []
    assert README.read_bytes() == page(CASES), "run `python -m tests.protocol.forge`"


def test_bytes_that_are_no_text() -> None:
    """22: bad UTF-8, which no file of the project may hold."""
    case = next(case for case in CASES if case.folder.startswith("06-"))
    name, data, _ = case.files[0]
    for bad in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\0"):
        assert Told(case).take(name, data.replace(b"pbem", b"pb" + bad, 1)) == "E_CANON"


def test_folders_are_those_that_are_made() -> None:
    """`python -m tests.protocol.forge` writes them again."""
    made = {case.folder: case.files_of_folder() for case in CASES}
    assert len(made) == len(CASES), "two cases share a folder"
    kept = {path.name: {file.name: file.read_bytes() for file in path.iterdir()} for path in FOLDERS}
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []
