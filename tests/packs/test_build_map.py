"""map.yaml and the shore are what the scripts make of the geography. Runs only where the map libraries are there."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

from tests.packs.support import FOLDER, ROOT, facts, grid

for library in ("numpy", "scipy", "pyproj", "shapely"):
    pytest.importorskip(library, reason="building maps needs the extra adjudicator[maps]")

SCRIPT = ROOT / "scripts" / "build_map.py"


@pytest.mark.parametrize("seed", ["0", "1"])
def test_map_is_fresh(seed: str) -> None:
    """Run scripts/build_map.py when this fails."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"],
        env={"PYTHONHASHSEED": seed, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_shore_is_fresh() -> None:
    """Run scripts/build_shore.py when this fails, then scripts/draw_board.py."""
    script = str(ROOT / "scripts" / "build_shore.py")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_shore_moved_by_a_hex_is_another_one() -> None:
    sys.path.insert(0, str(SCRIPT.parent))
    build_shore = importlib.import_module("build_shore")
    kept = json.loads((FOLDER / "art" / "shore.json").read_text(encoding="utf-8"))
    moved = {**kept, "land": [[[x + 66, y] for x, y in ring] for ring in kept["land"]]}
    assert build_shore.alike(kept, kept)
    assert not build_shore.alike(moved, kept)
    assert not build_shore.alike({**kept, "sea": kept["sea"][1:]}, kept)


def test_anchors_fall_on_their_hexes() -> None:
    """georeference.yaml: a thin-plate spline makes every anchor exact."""
    sys.path.insert(0, str(SCRIPT.parent))
    names = ("build_map", "map_grid", "map_projection")
    build_map, map_grid, projection = (importlib.import_module(name) for name in names)
    reference = build_map.read(FOLDER / "georeference.yaml")
    control = build_map.read(FOLDER / "geography.yaml")["control_points"]
    earth, sheets = projection.Georeference(reference, control), map_grid.Sheets.full()
    for anchor in [*reference["anchors"], *control]:
        found = sheets.name(map_grid.at(earth.point(anchor["lat"], anchor["lon"])))
        assert found == grid().canonical(anchor["hex"]), anchor["name"]
    assert facts()["tobruk"]["hex"] in {anchor["hex"] for anchor in reference["anchors"]}
