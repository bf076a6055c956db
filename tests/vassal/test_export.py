"""Two exports of one state are the same bytes, in any process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import pack_folder
from adjudicator.vassal import ExportError, export_vmod

SCRIPT = """
import sys
from pathlib import Path
from adjudicator.packs import load_pack
from adjudicator.vassal import export_save, export_vmod
from adjudicator.vassal.western_desert import scenario_position
pack = load_pack("western-desert").tree
export_vmod(pack, Path(sys.argv[1]) / "a.vmod")
export_save(pack, scenario_position(pack["scenarios"][0]), Path(sys.argv[1]) / "a.vsav", None, "Compass: the start")
"""


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_exports_do_not_depend_on_the_process(seed: str, tmp_path: Path, vmod: Path, vsav: Path) -> None:
    environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], check=True, env=environment)
    assert (tmp_path / "a.vmod").read_bytes() == vmod.read_bytes()
    assert (tmp_path / "a.vsav").read_bytes() == vsav.read_bytes()


def test_the_pack_s_order_of_keys_does_not_matter(pack: Mapping[str, Any], tmp_path: Path, vmod: Path) -> None:
    turned = dict(reversed(list(pack.items())))
    export_vmod(turned, tmp_path / "a.vmod")
    assert (tmp_path / "a.vmod").read_bytes() == vmod.read_bytes()


def test_a_missing_picture_is_told(pack: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    art = tmp_path / "western-desert" / "art"
    art.mkdir(parents=True)
    for name in ("board.yaml", "style.yaml"):
        (art / name).write_bytes((pack_folder("western-desert") / "art" / name).read_bytes())
    monkeypatch.setattr("adjudicator.vassal.western_desert.pack_folder", lambda system: tmp_path / system)
    with pytest.raises(ExportError, match=r"sheet-18\.png is missing"):
        export_vmod(pack, tmp_path / "a.vmod")
    (art / "style.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(ExportError, match="style of western-desert cannot be read"):
        export_vmod(pack, tmp_path / "a.vmod")
    assert not (tmp_path / "a.vmod").exists()


def test_importing_the_exporter_is_cheap() -> None:
    code = "import sys, adjudicator.vassal; sys.exit(any(m in sys.modules for m in ('lxml', 'yaml', 'zipfile')))"
    root = str(Path(__file__).resolve().parents[2])
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": root}, check=False).returncode == 0
