"""Wheel and source archive carry everything; the installed program needs no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("adjudicator", "module", "turnfiles", "tests", "scripts", "docs", ".ci")
FILES = ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml", ".gitignore")
LITTER = shutil.ignore_patterns("__pycache__", "*.pyc")

pytestmark = pytest.mark.xdist_group("packaging")


def data_files(folder: Path) -> set[str]:
    """Names of all files below a folder."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name for name in found if "__pycache__" not in name}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout that can be thrown away."""
    copy = tmp_path_factory.mktemp("checkout") / "clone"
    for name in PARTS:
        shutil.copytree(ROOT / name, copy / name, ignore=LITTER)
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def archives(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive of the checkout, and the wheel built from that archive alone; no network is used."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(out)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(out / "unpacked", filter="data")
    (source,) = (out / "unpacked").iterdir()
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", str(out), str(source)], check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def program(checkout: Path, archives: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console command of a fresh environment with the wheel in it, after the checkout is gone.

    What the program depends on is lent from the environment of the tests by its path; an editable install there is
    not followed, since path files of such a folder aren't read.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(home)
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "python")]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(archives[1])]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    shutil.rmtree(checkout)
    return folder / "adjudicator"


def run(program: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program in a folder, with nothing of the test's own paths."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV"))}
    return subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_source_archive_is_the_project(archives: tuple[Path, Path]) -> None:
    with tarfile.open(archives[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {f"{part}/{name}" for part in PARTS for name in data_files(ROOT / part)}
    assert (wanted | set(FILES)) - names == set()


def test_the_wheel_carries_program_and_data(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[1]) as archive:
        names = set(archive.namelist())
    wanted = {f"adjudicator/{name}" for name in data_files(ROOT / "adjudicator")}
    wanted |= {f"adjudicator/_module/{name}" for name in data_files(ROOT / "module")}
    wanted |= {f"adjudicator/_turnfiles/{name}" for name in data_files(ROOT / "turnfiles")}
    assert wanted - names == set()
    assert [name for name in names if not name.startswith(("adjudicator/", "adjudicator-"))] == []
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_installed_program_is_what_runs(program: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [program.with_name("python"), "-I", "-c", "import adjudicator; print(adjudicator.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert str(program.parent.parent) in done.stdout
    assert run(program, tmp_path, "--version").stdout.startswith("adjudicator ")


def test_it_knows_its_packs_and_cases(program: Path, tmp_path: Path) -> None:
    listed = run(program, tmp_path, "pack", "list")
    assert listed.returncode == 0, listed.stderr
    assert "western-desert" in listed.stdout
    shutil.copy(ROOT / "tests/cases/western-desert/zoc-control.yaml", tmp_path / "zoc.yaml")
    cases = run(program, tmp_path, "case", "run", "zoc.yaml")
    assert cases.returncode == 0, cases.stdout + cases.stderr
    assert cases.stdout.rstrip().split("\n")[-1].split()[1].rstrip(",") == "passed"


def test_a_whole_game_can_be_played(program: Path, tmp_path: Path) -> None:
    demo = run(program, tmp_path, "demo", "played")
    assert demo.returncode == 0, demo.stdout[-2000:] + demo.stderr
    logs = sorted((tmp_path / "played").rglob("log.jsonl"))
    assert len(logs) == 2
    assert logs[0].read_bytes() == logs[1].read_bytes()
    for log in logs:
        verified = run(program, tmp_path, "verify", str(log.parent))
        assert verified.returncode == 0, verified.stdout + verified.stderr
