"""The lists of rules are proved, and the proof can't be had with names alone (scripts/rule_coverage.py)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@cache
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("rule_coverage", ROOT / "scripts/rule_coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rule_coverage"] = module
    spec.loader.exec_module(module)
    return module


@cache
def ran(game: str) -> Any:
    """All cases of a game, run once for all tests."""
    return script().run_cases(script().load(game))


@cache
def outcomes(game: str) -> Any:
    """All tests of a list, run once for all tests of this file."""
    return script().run_tests(script().load(game))


def faults(listing: Any) -> list[str]:
    """What the proof says of a list."""
    return [str(fault) for fault in script().Proof(listing, ran(listing.game), outcomes(listing.game)).faults()]


def changed(rule: str, **more: Any) -> list[str]:
    """What the proof says when one entry of Western Desert's list is another."""
    listing = script().load("western-desert")
    entries = [replace(entry, **more) if entry.id == rule else entry for entry in listing.entries]
    assert any(entry.id == rule for entry in entries)
    said = faults(replace(listing, entries=tuple(entries)))
    return [line for line in said if line.startswith(f"{rule}: ")]


@pytest.mark.parametrize("game", script().games())
def test_every_rule_on_the_list_is_in_the_program_and_held(game: str) -> None:
    assert faults(script().load(game)) == []


FAULTY: dict[str, tuple[str, dict[str, Any], str]] = {
    "no title": ("5.who", {"title": ""}, "it has no title"),
    "no function": ("5.who", {"code": ()}, "no function has it"),
    "nothing holds it": ("5.who", {"cases": (), "tests": ()}, "no case and no test holds it"),
    "unbuilt": ("5.who", {"waits": "rule 5"}, "not built: rule 5"),
    "unknown module": ("5.who", {"code": ("adjudicator.western_desert.zones:zoc",)}, "No module named"),
    "unknown function": ("5.who", {"code": ("adjudicator.western_desert.units:zoc",)}, "there is no zoc"),
    "a constant": ("5.who", {"code": ("adjudicator.western_desert.units:NO_ZOC_TYPES",)}, "is no function"),
    "imported from elsewhere": ("5.who", {"code": ("adjudicator.western_desert.state:Board",)}, "comes from"),
    "a runner of cases": (
        "5.who",
        {"code": ("adjudicator.western_desert.cases.ground:run_zoc",)},
        "outside the runners",
    ),
    "a function that does not cite it": (
        "5.who",
        {"code": ("adjudicator.western_desert.units:Unit.figures",)},
        "the docstring of adjudicator.western_desert.units:Unit.figures does not cite WD 5.who",
    ),
    "unknown case": ("5.who", {"cases": ("ZC-999",)}, "there is no case ZC-999"),
    "a case about another rule": ("5.who", {"cases": ("CB-24",)}, "the case CB-24 is not about 5.who"),
    "cases that never come there": (
        "5.who",
        {"code": ("adjudicator.western_desert.haul:plan_haul",)},
        "none of its cases and tests calls adjudicator.western_desert.haul:plan_haul",
    ),
    "no such test file": ("5.who", {"tests": ("tests/western_desert/test_zones.py::test_zoc",)}, "there is no file"),
    "no such test": ("5.who", {"tests": ("tests/western_desert/test_haul.py::test_zoc",)}, "has no test test_zoc"),
    "no test at all": ("5.who", {"tests": ("tests/western_desert/ground.py::start",)}, "is no tests/.../test_file.py"),
    "a test about another rule": (
        "5.who",
        {
            "tests": (
                "tests/western_desert/test_chapter_sequence.py::test_a_game_turn_is_an_allied_and_then_an_axis_player_turn",
            )
        },
        "does not cite WD 5.who",
    ),
}


def test_a_case_that_is_skipped_holds_nothing() -> None:
    listing = script().load("western-desert")
    case = next(entry for entry in listing.entries if entry.id == "5.who").cases[0]
    skipped = ran(listing.game)[case]._replace(status="skipped", why="form narrative")
    proof = script().Proof(listing, {**ran(listing.game), case: skipped}, outcomes(listing.game))
    assert f"5.who: the case {case} is skipped: form narrative" in [str(fault) for fault in proof.faults()]


@pytest.mark.parametrize("what", FAULTY)
def test_what_is_only_named_proves_nothing(what: str) -> None:
    rule, change, said = FAULTY[what]
    assert any(said in line for line in changed(rule, **change)), changed(rule, **change)


def test_a_rule_that_is_left_out_is_missed_where_a_case_or_a_text_cites_it() -> None:
    listing = script().load("western-desert")
    entries = tuple(entry for entry in listing.entries if entry.id not in ("5.who", "9.H.1.swamp"))
    said = faults(replace(listing, entries=entries))
    assert any(line.startswith("5.who: ") and "the list has no such rule" in line for line in said)
    assert any(line.startswith("9.H.1.swamp: ") for line in said)


def test_a_chapter_without_any_rule_is_missed() -> None:
    listing = script().load("western-desert")
    assert "99: the list has no rule of this chapter" in faults(replace(listing, chapters=(*listing.chapters, "99")))


def test_a_ruling_that_nothing_holds_is_named() -> None:
    listing = script().load("western-desert")
    said = faults(replace(listing, rulings={"LINE-COUNT": ("tests/western_desert/test_haul.py::test_nothing",)}))
    assert any(line.startswith("ruling LINE-COUNT: ") for line in said)


SKIPPED_TESTS: dict[str, str] = {
    "marked": '@pytest.mark.skip\ndef test_it() -> None:\n    """WD 5."""\n    assert True\n',
    "marked with a reason": '@pytest.mark.skipif(True, reason="")\ndef test_it():\n    """WD 5."""\n    assert 1\n',
    "expected to fail": '@pytest.mark.xfail\ndef test_it() -> None:\n    """WD 5."""\n    assert False\n',
    "gives up": 'def test_it() -> None:\n    """WD 5."""\n    pytest.skip()\n    assert True\n',
    "whole module": 'pytestmark = pytest.mark.skip\n\ndef test_it() -> None:\n    """WD 5."""\n    assert True\n',
    "asserts nothing": 'def test_it() -> None:\n    """WD 5."""\n',
}


@pytest.mark.parametrize("what", SKIPPED_TESTS)
def test_a_test_that_does_not_run_holds_nothing(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(f"import pytest\n\n\n{SKIPPED_TESTS[what]}", encoding="utf-8")
    assert script().test_problem(script().Suite(tmp_path), "tests/test_x.py::test_it", "5", "WD")


def test_a_test_that_runs_and_cites_the_rule_holds_it(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(
        'def test_it() -> None:\n    """WD 4, 5 and 6."""\n    assert 1\n', encoding="utf-8"
    )
    problem: Callable[..., str] = script().test_problem
    suite = script().Suite(tmp_path)
    assert [problem(suite, "tests/test_x.py::test_it", rule, "WD") == "" for rule in ("4", "5", "6", "7")] == [
        True,
        True,
        True,
        False,
    ]


def test_tests_are_run_and_their_worst_outcome_counts(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    lines = [
        "import pytest",
        "from adjudicator.western_desert.units import number",
        "@pytest.mark.parametrize('n', [1, 2])",
        "def test_half(n):\n    assert number(n) == '1'",
        "def test_whole():\n    assert number(2) == '2'",
        "def test_later(request):\n    request.applymarker(pytest.mark.skip)\n    getattr(pytest, 'skip')('not now')",
    ]
    (folder / "test_x.py").write_text("\n".join(lines), encoding="utf-8")
    names = tuple(f"tests/test_x.py::test_{name}" for name in ("half", "whole", "later", "absent"))
    listing = script().load("western-desert")
    entry = replace(listing.entries[0], id="5", tests=names)
    found = script().run_tests(replace(listing, entries=(entry,), rulings={}), tmp_path)
    assert [found[name].status for name in names[:3]] == ["failed", "passed", "skipped"]
    number = script().calls_of(script().resolve("adjudicator.western_desert.units:number"))
    assert [bool(found[name].called & number) for name in names[:3]] == [True, True, False]
    said = [str(fault) for fault in script().Proof(replace(listing, entries=(entry,)), {}, found, tmp_path).faults()]
    assert any("tests/test_x.py has no test test_absent" in line for line in said)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("a stack (WD 8.A, 8.B), and more", {"8.A", "8.B"}),
        (
            "as in combat (WD\n    9.H.2.major-river and 9.H; chart.ground-crt).",
            {"9.H.2.major-river", "9.H", "chart.ground-crt"},
        ),
        ("(WD 12.B.2; pbem I1)", {"12.B.2"}),
        ("SS 11.43, 8.A", set()),
        ("WD 9.A.3, rulings ODDS-1.5", {"9.A.3"}),
    ],
)
def test_citations_are_read(text: str, rules: set[str]) -> None:
    assert script().cited(text, "WD") == rules


def test_the_command_prints_a_table_and_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert script().main(["--game", "western-desert"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["rule", "about"]
    assert lines[-1].endswith("rules held, 0 faults")
    assert script().main(["--game", "chess"]) == 2
    assert "chess.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    "tree", [{}, {"rules": []}, {"rules": {"5": {"titel": "Zones"}}}, [], {"rules": {"5": "Zones"}}], ids=repr
)
def test_a_list_of_another_form_is_refused(tree: Any) -> None:
    with pytest.raises(script().BadListError):
        script().listing_of(tree)
