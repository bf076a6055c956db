"""`case run` and `pack`: what they print, and their exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.match.games import made
from tests.cli.conftest import cli, good
from tests.cli.test_bad_turns import assert_clear

CASES = Path(__file__).resolve().parents[1] / "cases" / "western-desert"
LAST = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
CASE = """\
cases:
- {id: T-1, area: zoc-control, form: FORM, rules: [5], given: {}, expect: {x: 1}}
"""


def last(text: str) -> tuple[int, int, int]:
    """The counts of the last line."""
    found = LAST.match(text.rstrip("\n").splitlines()[-1])
    assert found, text
    passed, failed, skipped = (int(number) for number in found.groups())
    return passed, failed, skipped


def test_cases_pass() -> None:
    result = good("case", "run", CASES / "zoc-control.yaml", CASES / "stacking.yaml")
    passed, failed, _ = last(result.out)
    assert passed > 20 and failed == 0
    tree = good("case", "run", CASES / "zoc-control.yaml", "--json").json
    assert tree["ok"] is True
    assert tree["passed"] == sum(case["status"] == "passed" for case in tree["cases"])


def test_a_failure_shows_expected_and_found(tmp_path: Path) -> None:
    text = (CASES / "stacking.yaml").read_text(encoding="utf-8")
    wrong = re.sub(r"verdict: legal", "verdict: illegal", text, count=1)
    assert wrong != text
    (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")
    result = cli("case", "run", tmp_path / "wrong.yaml")
    assert result.code == 1
    assert re.search(
        r"^failed \S+ \(.*wrong\.yaml\)\n    verdict: expected illegal, found legal", result.out, re.MULTILINE
    )
    assert last(result.out)[1] == 1


def test_what_is_not_built_is_skipped_by_name(tmp_path: Path) -> None:
    (tmp_path / "new.yaml").write_text(CASE.replace("FORM", "tea_time"), encoding="utf-8")
    result = good("case", "run", tmp_path / "new.yaml")
    assert "skipped T-1: form tea_time is not built yet" in result.out
    assert last(result.out) == (0, 0, 1)
    assert good("case", "run", tmp_path / "new.yaml", "-q").out == "0 passed, 0 failed, 1 skipped\n"


def test_only_some_cases() -> None:
    result = good("case", "run", CASES / "stacking.yaml", "--only", "ST-03")
    assert last(result.out) == (1, 0, 0)
    missing = cli("case", "run", CASES / "stacking.yaml", "--only", "XX-99")
    assert_clear(missing, "no case XX-99", 2)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("cases: [\n", "not readable YAML"),
        ("orders: []\n", "no case file"),
        ("hello\n", "no case file"),
        ("cases: [{id: a}]\n", "no case file"),
        ("!!python/object:os.system {}\n", "not readable YAML"),
    ],
)
def test_files_that_are_no_case_files(text: str, pattern: str, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    result = cli("case", "run", tmp_path / "bad.yaml", CASES / "stacking.yaml")
    assert_clear(result, pattern, 2)
    assert last(result.out)[0] > 5, "the other file is run all the same"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    result = cli("case", "run", tmp_path / "gone.yaml", tmp_path)
    assert_clear(result, "no such file", 2)
    assert "this is a folder" in result.err


def test_packs() -> None:
    listed = "western-desert: Western Desert, version 1; scenarios: campaign, compass, crusader, enter-rommel"
    assert listed in good("pack", "list").out
    shown = good("pack", "show", "western-desert").out
    assert re.search(r"^  counters: \d+ \(\d+ inferred, .*rulebook", shown, re.MULTILINE)
    assert re.search(r"^digest [0-9a-f]{64}$", shown, re.MULTILINE)
    doubts = good("pack", "show", "western-desert", "--doubtful").out
    assert "scenarios/compass/deploy: " in doubts
    assert "[rulebook" not in doubts
    assert re.search(r"^  sheet-rows: .*; look at ", doubts, re.MULTILINE)
    tree = good("pack", "show", "western-desert", "--doubtful", "--json").json
    assert {row["source"] for row in tree["doubtful"]} == {"public", "sibling", "history", "inferred"}
    assert good("pack", "show", "western-desert", "--json").json["parts"]["counters"]["rulebook"] > 0
    assert good("pack", "list", "--json").json["packs"]


def test_a_sound_pack_and_a_stale_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert good("pack", "check", "western-desert").out == "western-desert: 0 faults\n"
    monkeypatch.setattr("adjudicator.packs.compile_pack", lambda _folder: {})
    result = cli("pack", "check", "western-desert")
    assert_clear(result, "run scripts/build_pack.py", 1)
    assert cli("pack", "check", "western-desert", "--json").json["ok"] is False


def test_a_scenario_that_the_rules_cannot_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is refused by name before anything is written; its data can be read all the same."""
    monkeypatch.setattr("adjudicator.western_desert.game.WesternDesert.places", frozenset({"boxes"}))
    made.cache_clear()  # a table made before by another test was judged by the true words
    result = cli("new", "western-desert", "crusader", tmp_path / "game", "--name", "Alice")
    assert_clear(result, "crusader can't be played with this version yet.*control, levant; choose one of: campaign", 2)
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize("scenario", ["campaign", "compass", "enter-rommel", "crusader"])
def test_every_scenario_can_be_begun(scenario: str, tmp_path: Path) -> None:
    good("new", "western-desert", scenario, tmp_path / "game", "--name", "Alice")
    assert (tmp_path / "game" / "outbox" / "offer.turn").is_file()
