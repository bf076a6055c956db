"""A counter keeps its number for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.packs import pack_folder
from adjudicator.vassal.registry import FILE_NAME, Registry, RegistryError, load_registry, main, write_registry
from adjudicator.vassal.western_desert import WesternDesert


def test_every_counter_of_the_pack_has_a_number(game: WesternDesert) -> None:
    registry = load_registry(pack_folder("western-desert") / FILE_NAME)
    missing = registry.missing(game.piece_keys())
    assert not missing, "run python -m adjudicator.vassal.registry western-desert --write"


def test_the_command_reports_nothing_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["western-desert"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["western-desert", "--wrong"], ["no-such-game"]])
def test_wrong_arguments_are_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_new_counters_follow_and_old_ones_stay() -> None:
    old = Registry({"b": 1, "d": 2}, 5)
    new = old.extended(["d", "c", "a", "b"])
    assert new.numbers == {"b": 1, "d": 2, "a": 5, "c": 6}
    assert new.next == 7
    assert old.missing(["c", "b", "a"]) == ["a", "c"]


def test_a_registry_comes_back(tmp_path: Path) -> None:
    registry = Registry({"a": 2, "b": 1}, 3)
    write_registry(tmp_path / "r.yaml", registry)
    assert load_registry(tmp_path / "r.yaml") == registry
    assert load_registry(tmp_path / "none.yaml") == Registry({}, 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("next: 3\npieces: {a: 1, b: 1}", "same number"),
        ("next: 2\npieces: {a: 2}", "from 1 to 1"),
        ("pieces: {a: 1}", "not a registry"),
        ("next: x\npieces: {}", "not a registry"),
        ("[]", "not a registry"),
    ],
)
def test_an_unsound_registry_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "r.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RegistryError, match=fault):
        load_registry(tmp_path / "r.yaml")
