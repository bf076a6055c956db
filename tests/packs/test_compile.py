"""pack.json is what the compiler makes of the files, and is fit to be hashed (PROTOCOL 3.4)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import PackError, load_pack, pack_folder
from adjudicator.packs.compile import compile_pack
from adjudicator.packs.load import canonical_json
from tests.packs.support import FOLDER, ROOT, pack

KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
MAP_LIBRARIES = ("numpy", "scipy", "pyproj", "shapely")


def test_pack_json_is_fresh() -> None:
    """Run scripts/build_pack.py when this fails."""
    assert (FOLDER / "pack.json").read_bytes() == canonical_json(compile_pack(FOLDER))


def test_tree_of_strings() -> None:
    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                assert KEY.fullmatch(key), (path, key)
                walk(item, f"{path}.{key}")
        elif isinstance(value, list):
            for item in value:
                walk(item, path)
        else:
            assert isinstance(value, str), path

    walk(pack().tree, "")


def test_top_keys() -> None:
    wanted = {
        "system",
        "version",
        "title",
        "sheets",
        "hexes",
        "sea",
        "sides",
        "borders",
        "lines",
        "unbuilt",
        "places",
        "types",
        "counters",
        "air",
        "charts",
        "rulings",
        "scenarios",
        "assumptions",
    }
    assert wanted <= set(pack().tree)


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_compiling_does_not_depend_on_hash_seeds(seed: str) -> None:
    script = ROOT / "scripts" / "build_pack.py"
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, str(script), "--check"], env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_loading_needs_neither_yaml_nor_map_libraries() -> None:
    code = (
        "import sys; from adjudicator.packs import load_pack; load_pack('western-desert');"
        f"bad = [m for m in ('yaml', *{MAP_LIBRARIES!r}) if m in sys.modules]; sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_compiling_needs_no_map_libraries() -> None:
    code = (
        "import sys, pathlib; from adjudicator.packs.compile import compile_pack;"
        "compile_pack(pathlib.Path('module/western-desert'));"
        f"bad = [m for m in {MAP_LIBRARIES!r} if m in sys.modules]; sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_unknown_system_names_those_there_are() -> None:
    with pytest.raises(PackError, match="western-desert"):
        load_pack("eastern-desert")


def test_unknown_scenario_names_those_there_are() -> None:
    with pytest.raises(PackError, match="compass"):
        pack().scenario("crusader-1999")


def test_pack_is_found_inside_an_installed_wheel(tmp_path: Path) -> None:
    """A wheel carries module/ as adjudicator/_module; the checkout may be gone."""
    home = tmp_path / "site" / "adjudicator"
    shutil.copytree(ROOT / "adjudicator" / "packs", home / "packs", ignore=shutil.ignore_patterns("__pycache__"))
    (home / "__init__.py").write_text("", encoding="utf-8")
    (home / "_module" / "western-desert").mkdir(parents=True)
    data = {"system": "western-desert", "version": "1", "title": "found"}
    (home / "_module" / "western-desert" / "pack.json").write_text(json.dumps(data), encoding="utf-8")
    code = "from adjudicator.packs import load_pack; print(load_pack('western-desert').title)"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "found", done.stderr


def test_folder_of_the_checkout() -> None:
    assert pack_folder("western-desert") == FOLDER
