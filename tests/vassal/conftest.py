"""One export of the Western Desert module and of its first scenario, shared by the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import load_pack
from adjudicator.vassal import export_save, export_vmod
from adjudicator.vassal.reader import ReadModule, ReadSave, read_module, read_save
from adjudicator.vassal.western_desert import WesternDesert, scenario_position

Tree = Mapping[str, Any]


@pytest.fixture(scope="session")
def pack() -> Tree:
    return load_pack("western-desert").tree


@pytest.fixture(scope="session")
def game(pack: Tree) -> WesternDesert:
    return WesternDesert(pack)


@pytest.fixture(scope="session")
def compass(pack: Tree) -> dict[str, Any]:
    return scenario_position(pack["scenarios"][0])


@pytest.fixture(scope="session")
def vmod(pack: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vmod") / "western-desert.vmod"
    export_vmod(pack, out)
    return out


@pytest.fixture(scope="session")
def vsav(pack: Tree, compass: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("vsav") / "compass.vsav"
    export_save(pack, compass, out, None, "Compass: the start")
    return out


@pytest.fixture(scope="session")
def module(vmod: Path) -> ReadModule:
    return read_module(vmod)


@pytest.fixture(scope="session")
def save(vsav: Path) -> ReadSave:
    return read_save(vsav)
