"""What Windows lacks, taken away here: ``fcntl``, folders that can be opened, file modes; and names it can't have.

None of this is a run on Windows.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.match.files import FolderBusy, lock, write_whole
from tests.cli.conftest import cli, good

fcntl = pytest.importorskip("fcntl", reason="the real system is played by its own tests")
DEVICES = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(10))}
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]')


class Locking:
    """Stands in for ``msvcrt``: what holds a file until it is closed is the lock of this system."""

    LK_NBLCK = 2

    def locking(self, handle: int, kind: int, count: int) -> None:
        """Take the byte, or OSError."""
        assert (kind, count) == (self.LK_NBLCK, 1)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.fixture
def bare_system(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A system without ``fcntl`` that opens no folders."""
    plain, calls = os.open, SimpleNamespace(folders=0)

    def files_only(path: Any, *rest: Any, **options: Any) -> int:
        if isinstance(path, str | os.PathLike) and Path(path).is_dir():
            calls.folders += 1
            raise PermissionError(13, "Permission denied", str(path))
        return plain(path, *rest, **options)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Locking())
    monkeypatch.setattr(os, "open", files_only)
    yield calls


def test_the_lock_holds_without_fcntl(bare_system: SimpleNamespace, tmp_path: Path) -> None:
    with lock(tmp_path), pytest.raises(FolderBusy), lock(tmp_path):
        raise AssertionError("two programs hold one folder")
    with lock(tmp_path):
        pass


def test_files_are_whole_where_no_folder_can_be_synced(bare_system: SimpleNamespace, tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"old\n")
    write_whole(tmp_path / "a", b"new\n")
    assert (tmp_path / "a").read_bytes() == b"new\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert bare_system.folders == 2


@pytest.mark.parametrize("system", ["western-desert", "shifting-sands"])
def test_a_game_is_played_on_such_a_system(bare_system: SimpleNamespace, system: str, tmp_path: Path) -> None:
    """The same game as elsewhere, and every name in its folders is one that Windows can have."""
    good("demo", tmp_path / "game", "--system", system)
    assert bare_system.folders > 0
    names = [path.relative_to(tmp_path) for path in (tmp_path / "game").rglob("*")]
    assert [name for name in names if any(bad_name(part) for part in name.parts)] == []
    assert len({name.as_posix().lower() for name in names}) == len(names)


def bad_name(name: str) -> bool:
    """Whether Windows refuses the name of a file or folder."""
    return bool(FORBIDDEN.search(name)) or name.partition(".")[0].lower() in DEVICES or name[-1] in " ."


def test_the_clone_has_names_for_every_system() -> None:
    root = Path(__file__).resolve().parents[2]
    folders = [root / name for name in ("adjudicator", "module", "turnfiles", "tests", "docs", "scripts")]
    names = [
        path.relative_to(root) for folder in folders for path in folder.rglob("*") if "__pycache__" not in str(path)
    ]
    assert [name for name in names if any(bad_name(part) for part in name.parts)] == []
    assert max(len(name.as_posix()) for name in names) < 200


def test_a_turn_file_with_windows_line_ends_is_the_same(tmp_path: Path) -> None:
    """CR LF, as Notepad writes it: the same words about the same file."""
    text = "orders:\n  - {type: section, name: movement}\n  - {type: nonsense}\n"
    told = []
    for name, data in (("lf", text.encode()), ("crlf", text.replace("\n", "\r\n").encode())):
        (tmp_path / "t.yaml").write_bytes(data)
        told.append((name, cli("check", tmp_path / "t.yaml").all))
    assert told[0][1] == told[1][1]
    assert told[0][1] != ""
