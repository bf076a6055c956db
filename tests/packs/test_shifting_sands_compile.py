"""pack.json of Shifting Sands is what the compiler makes of the files, and fit to be hashed and read."""

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

from adjudicator.packs import PackError, compile_pack, load_pack, pack_folder, systems
from adjudicator.packs.load import canonical_json
from adjudicator.packs.summary import doubtful
from tests.packs.shifting_sands import FOLDER, ROOT, counters, lines, pack, spaces

KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
SLUG = re.compile(r"[a-z][a-z0-9-]{0,63}")
SOURCES = {"rulebook", "public", "sibling", "history", "inferred"}
CONFIDENCE = {"exact", "partly exact", "reported", "inferred"}


def test_pack_json_is_fresh() -> None:
    """Run scripts/build_pack.py shifting-sands when this fails."""
    assert (FOLDER / "pack.json").read_bytes() == canonical_json(compile_pack(FOLDER))


@pytest.mark.parametrize("seed", ["0", "77"])
def test_build_script_agrees_whatever_the_hash_seed(seed: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "build_pack.py"), "shifting-sands", "--check"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_tree_of_strings_with_fixed_keys() -> None:
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


def test_names_are_values_and_never_keys() -> None:
    keys: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            keys.update(value)
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(item)

    walk(pack().tree)
    slugs = {row["slug"].replace("-", "_") for row in spaces().values()}
    ids = {uid.replace("-", "_") for uid in counters()}
    assert not keys & (slugs | ids | set(spaces()))


def test_everything_is_there() -> None:
    assert len(spaces()) == 113
    assert sum(map(len, lines().values())) == 2 * 185
    assert len(pack().rows("cards")) == 110
    assert len(counters()) == 178
    assert [row["id"] for row in pack().rows("scenarios")] == ["campaign", "sonnenblume"]
    assert [row["id"] for row in pack().rows("setups")] == ["torch"]
    assert [row["id"] for row in pack().rows("rulings")] == [f"A{n:02d}" for n in range(1, 88)]


def test_ids_are_slugs() -> None:
    ids = [row["id"] for key in ("counters", "cards", "scenarios", "setups") for row in pack().rows(key)]
    ids += [row["slug"] for row in spaces().values()]
    assert all(SLUG.fullmatch(word) for word in ids)
    for key in ("counters", "cards"):
        rows = [row["id"] for row in pack().rows(key)]
        assert len(rows) == len(set(rows)), key


@pytest.mark.parametrize("key", ["spaces", "links", "counters", "cards"])
def test_each_record_says_where_it_is_from(key: str) -> None:
    for row in pack().rows(key):
        assert row["source"] in SOURCES, row
        assert row["confidence"] in CONFIDENCE, row
        assert all(value in SOURCES for name, value in row.items() if name.endswith("_source")), row


def test_confidence_follows_the_sources() -> None:
    assert spaces()["Buerat"]["confidence"] == "exact"
    assert spaces()["Tripoli"]["confidence"] == "partly exact"
    assert spaces()["Sidi Suleiman"]["confidence"] == "partly exact"
    assert spaces()["Zuara"]["confidence"] == "inferred"
    assert counters()["br-7-arm"]["confidence"] == "exact"
    assert counters()["br-8-arm"]["confidence"] == "inferred"


def test_doubtful_data_are_told_field_by_field() -> None:
    """``pack show --doubtful``: also a record of which one field only is not from the rulebook."""
    doubts = {datum.row.get("name"): datum for datum in doubtful(pack().tree) if datum.part in ("cards", "spaces")}
    assert doubts["Tripoli"].parts == ["terrain inferred"]
    assert doubts["Tripoli"].line.endswith("[rulebook, partly exact, terrain inferred]")
    assert "effect inferred" in doubts["Compass"].parts
    assert "Buerat" not in doubts


def test_counters_are_numbered_within_their_kind() -> None:
    group = [uid for uid, row in counters().items() if row["kind"] == "IT inf BG"]
    assert sorted(group) == sorted(f"it-inf-bg-{n}" for n in range(1, 12))
    assert counters()["it-17"]["name"] == "Italian 17th Division"
    assert counters()["br-inf-bg-3"]["name"] == "British infantry battlegroup 3"
    assert counters()["br-inf-bg-3"]["short"] == "BR inf BG 3"
    assert {"br-7-arm", "br-7-arm-u1", "br-7-arm-u2", "br-lrdg", "ff-inf-bg-1", "ff-us-inf-bg-6"} <= set(counters())


def test_spoken_names_are_told_apart() -> None:
    for key in ("name", "short"):
        words = [row[key].lower() for row in counters().values()]
        assert len(words) == len(set(words)), key


@pytest.mark.parametrize("scenario", ["campaign", "sonnenblume"])
def test_set_ups_use_the_lowest_numbers(scenario: str) -> None:
    used = [row["unit"] for row in pack().scenario(scenario)["units"]]
    assert len(used) == len(set(used))
    assert set(used) <= set(counters())
    for kind in {counters()[uid]["kind"] for uid in used}:
        numbered = [uid for uid in used if re.search(r"bg-\d+$", uid) and counters()[uid]["kind"] == kind]
        numbers = sorted(int(uid.rpartition("-")[2]) for uid in numbered)
        assert numbers == list(range(1, len(numbers) + 1)), kind


def test_boxes_are_written_as_positions_do() -> None:
    places = {row["at"] for name in ("campaign", "sonnenblume") for row in pack().scenario(name)["units"]}
    assert {place for place in places if place not in spaces()} == {"@reserve", "@replacement", "@eliminated"}


def test_points_are_lists() -> None:
    for row in pack().rows("cards"):
        assert all(set(entry) == {"pool", "points"} for entry in row["rp"]), row["id"]


def test_ends_of_a_line_stand_in_order() -> None:
    assert all(row["a"] < row["b"] for row in pack().rows("links"))


def test_loading_reads_no_yaml() -> None:
    code = "import sys; from adjudicator.packs import load_pack as load; load('shifting-sands')"
    code += "; print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_both_systems_are_found() -> None:
    assert {"shifting-sands", "western-desert"} <= set(systems())
    assert pack_folder("shifting-sands") == FOLDER
    assert load_pack("shifting-sands").title == "Shifting Sands"


def test_unknown_system_in_pack_yaml(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(FOLDER, folder)
    text = (folder / "pack.yaml").read_text(encoding="utf-8")
    (folder / "pack.yaml").write_text(text.replace("system: shifting-sands", "system: sands"), encoding="utf-8")
    with pytest.raises(PackError, match=r"pack\.yaml:\d+:1: error: the system sands .* western-desert"):
        compile_pack(folder)


def test_pack_json_is_canonical() -> None:
    data = (FOLDER / "pack.json").read_bytes()
    assert canonical_json(json.loads(data)) == data


def test_a_card_is_of_the_deck_it_is_in() -> None:
    """SS errata.counters: Von Arnim Takes Command and Compass are Allied events, whatever their markers look like."""
    compiled: Any = compile_pack(FOLDER)
    sides = {row["name"]: row["side"] for row in compiled["cards"]}
    assert {sides[name] for name in ("Von Arnim Takes Command", "Compass")} == {"allied"}
    assert {sides[name] for name in ("London Calling", "Balbo", "Siege of Malta", "Plan Orient")} == {"axis"}
