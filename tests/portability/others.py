"""Other Pythons on this machine that can run the program, and what a Python makes of the whole of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.portability.sameness import ZIPS

ROOT = Path(__file__).resolve().parents[2]
NAMED = "ADJUDICATOR_PYTHONS"
"""Paths of other Pythons that have what the program needs, as ``.ci/second-python`` prints them. None may fail then."""
NEEDED = "import sys, zlib, typer, lxml.etree, yaml, cryptography, pytest, hypothesis"
SHOW = "print(sys.version_info >= (3, 11), '.'.join(map(str, sys.version_info[:2])), zlib.ZLIB_RUNTIME_VERSION)"
HERE = "{}.{}".format(*sys.version_info)


@dataclass(frozen=True)
class Other:
    """A Python: its path, its version (``3.13``), the version of its zlib."""

    path: str
    version: str
    zlib: str


def clean_environment(**more: str) -> dict[str, str]:
    """This environment for a subprocess: the clone first on the path, a width of its own, no network of pytest."""
    before = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(part for part in (str(ROOT), before) if part)
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1", **more}


def look(path: str) -> Other | None:
    """A Python if it can run the program; None else."""
    command = [path, "-c", f"{NEEDED}; {SHOW}"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), cwd=ROOT, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    new, version, zlib = (ran.stdout.split() + [""] * 3)[:3]
    return Other(path, version, zlib) if ran.returncode == 0 and new == "True" else None


@cache
def others() -> tuple[Other, ...]:
    """The Pythons that are named, else those on the path; not the version that runs this.

    Raises AssertionError for a named one that can't run the program.
    """
    named = [path for path in os.environ.get(NAMED, "").split(os.pathsep) if path]
    found = {path: look(path) for path in named or on_path()}
    broken = [path for path in named if found[path] is None]
    assert not broken, f"{NAMED} names what can't run the program: {broken}"
    by_version = {other.version: other for other in found.values() if other is not None and other.version != HERE}
    return tuple(by_version[version] for version in sorted(by_version))


def on_path() -> list[str]:
    """Paths of programs ``python3.11`` to ``python3.19`` that there are."""
    return [path for minor in range(11, 20) if (path := shutil.which(f"python3.{minor}"))]


def everything(python: str, folder: Path, *options: str, **environment: str) -> dict[str, str]:
    """Every file that the program makes under a Python, with its SHA-256."""
    folder.mkdir()
    command = [python, "-m", "tests.portability.sameness", str(folder), *options]
    ran = subprocess.run(command, capture_output=True, text=True, env=clean_environment(**environment), cwd=ROOT)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    rows = (line.split(" ", 1) for line in ran.stdout.splitlines())
    return {name: digest for digest, name in rows}


def differences(one: dict[str, str], two: dict[str, str], same_zlib: bool = True) -> list[str]:
    """Names of files that are not the same in both. Another zlib may pack a zip otherwise, not its entries."""
    names = sorted(name for name in {*one, *two} if one.get(name) != two.get(name))
    return [name for name in names if same_zlib or not name.endswith(ZIPS)]
