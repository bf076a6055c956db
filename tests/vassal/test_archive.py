"""Archives are written whole and the same, and read with care."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from adjudicator.vassal import archive
from adjudicator.vassal.archive import ArchiveError, archive_bytes, atomic_file, read_archive, write_archive


def test_two_writes_are_the_same_bytes(tmp_path: Path) -> None:
    entries = [("a.txt", b"one"), ("b.png", b"two")]
    write_archive(tmp_path / "1.zip", entries)
    write_archive(tmp_path / "2.zip", entries)
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes() == archive_bytes(entries)
    assert read_archive(tmp_path / "1.zip") == dict(entries)


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    out = tmp_path / "x.zip"
    out.write_bytes(b"old")
    with pytest.raises(FileNotFoundError):
        write_archive(out, [("a", b"one"), ("b", tmp_path / "missing")])
    assert out.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"]


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), atomic_file(tmp_path / "x") as handle:
        handle.write(b"half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def _zip(path: Path, names: list[str], content: bytes = b"x") -> Path:
    with zipfile.ZipFile(path, "w") as handle:
        for name in names:
            handle.writestr(zipfile.ZipInfo(name), content)
    return path


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "C:/x", "..\\evil"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArchiveError, match="leads out"):
        read_archive(_zip(tmp_path / "x.zip", [name]))


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        path = _zip(tmp_path / "x.zip", ["a", "a"])
    with pytest.raises(ArchiveError, match="twice"):
        read_archive(path)


def test_limits_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _zip(tmp_path / "x.zip", ["a", "b"], b"x" * 100)
    monkeypatch.setattr(archive, "MAX_ENTRY_BYTES", 99)
    with pytest.raises(ArchiveError, match="more than 99"):
        read_archive(path)
    monkeypatch.setattr(archive, "MAX_ENTRY_BYTES", 1000)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 150)
    with pytest.raises(ArchiveError, match="more than 150"):
        read_archive(path)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1000)
    monkeypatch.setattr(archive, "MAX_ENTRIES", 1)
    with pytest.raises(ArchiveError, match="more than 1"):
        read_archive(path)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04 broken"])
def test_what_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"x\.zip"):
        read_archive(path)
