"""Equal bytes on other Pythons, under PYTHONHASHSEED 0 to 9, with mappings in any order (PROTOCOL 15, rows 94, 95)."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.portability.others import HERE, NAMED, ROOT, Other, clean_environment, differences, everything, others
from tests.portability.sameness import KEPT, ZIPS

CHECKED = ("tests/protocol/test_protocol_vectors.py", "tests/protocol/test_protocol_forged.py")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Everything as this Python makes it, under PYTHONHASHSEED 0."""
    return everything(sys.executable, tmp_path_factory.mktemp("same") / "here", PYTHONHASHSEED="0")


def test_everything_is_there(here: dict[str, str]) -> None:
    """Both games with their reports, exports and answers: else the tests below would compare little."""
    for system in KEPT:
        assert f"{system}-verify.txt" in here
        assert len([name for name in here if name.startswith(system) and "/reports/" in name]) > 20
        assert len([name for name in here if name.startswith(system) and "/events/" in name]) > 20
        assert len([name for name in here if name.startswith(system) and name.endswith("log.jsonl")]) == 2
    assert {Path(name).suffix for name in here if "!" not in name} >= set(ZIPS)


def needed_others() -> tuple[Other, ...]:
    """Other Pythons; where there are none the test is skipped."""
    if not others():
        pytest.skip(f"no Python but {HERE} can run the program here; `.ci/second-python` makes one, {NAMED} names it")
    return others()


@pytest.mark.parametrize("seed", range(1, 8))
def test_a_hash_seed_changes_nothing(here: dict[str, str], seed: int, tmp_path: Path) -> None:
    assert differences(here, everything(sys.executable, tmp_path / "other", PYTHONHASHSEED=str(seed))) == []


@pytest.mark.parametrize("seed", [8, 9])
def test_the_order_of_mappings_changes_nothing(here: dict[str, str], seed: int, tmp_path: Path) -> None:
    """Packs, logs and checkpoints as if their keys stood in another order, with the last two hash seeds. Turn files
    alone keep the order in which fields were read; they are compared by the bytes that are signed."""
    found = everything(sys.executable, tmp_path / "other", "--shuffled", str(seed), PYTHONHASHSEED=str(seed))
    assert [name for name in differences(here, found) if not name.endswith(".turn")] == []
    assert [name for name in here if name.endswith(".turn!canonical")] != []


def test_another_python_writes_the_same(here: dict[str, str], tmp_path: Path) -> None:
    for other in needed_others():
        found = everything(other.path, tmp_path / other.version, PYTHONHASHSEED="random")
        same_zlib = other.zlib == zlib.ZLIB_RUNTIME_VERSION
        assert differences(here, found, same_zlib) == [], f"Python {other.version}, files in {tmp_path}"


def test_another_python_passes_vectors_and_forged_files() -> None:
    for other in needed_others():
        command = [other.path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *CHECKED]
        ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), cwd=ROOT)
        assert ran.returncode == 0, f"Python {other.version}\n{ran.stdout[-3000:]}{ran.stderr[-2000:]}"
        assert "[100%]" in ran.stdout
