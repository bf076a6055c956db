"""A whole game gives the same bytes whatever order Python's sets and hashes take (DESIGN: rules are pure)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.match.games import systems


def play(folder: Path, seed: str, system: str) -> dict[str, bytes]:
    """Every file that the demo of a game leaves when it runs under one PYTHONHASHSEED, and what it prints."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator", "demo", "out", "--system", system],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode()[-2000:] + done.stderr.decode()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {"printed": done.stdout} | {name: files[name].read_bytes() for name in sorted(files)}


@pytest.mark.parametrize("system", systems())
def test_a_game_is_the_same_under_any_hash_seed(system: str, tmp_path: Path) -> None:
    first, second = play(tmp_path / "a", "0", system), play(tmp_path / "b", "1", system)
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert [name for name in first if name.endswith("log.jsonl")] != []
