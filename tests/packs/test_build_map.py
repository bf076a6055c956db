"""map.yaml is what scripts/build_map.py makes of the geography. Runs only where the map libraries are installed."""

from __future__ import annotations

import importlib
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
