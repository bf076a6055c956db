"""The conformance cases of Shifting Sands: every one passes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.match.games import systems
from adjudicator.shifting_sands.cases.core import Case, cases_of, is_case_file, run_case, run_cases

FILE = Path(__file__).parents[1] / "cases" / "shifting-sands" / "cases.yaml"


def _cases() -> list[Case]:
    return cases_of(yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))


CASES = _cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    result = run_case(case)
    assert result.status == "passed", result.lines


def _case(**changes: object) -> dict[str, object]:
    base: dict[str, object] = {
        "id": "made-up",
        "area": "mov",
        "rules": ["9.1"],
        "given": {
            "board": "mini",
            "map": {
                "spaces": {"P": {"control": "axis", "region": "Libya"}, "Q": {"control": "axis", "region": "Libya"}},
                "links": [{"a": "P", "b": "Q"}],
            },
            "units": [
                {"id": "A", "nation": "IT", "size": "battlegroup", "type": "infantry", "cf": [1, 1], "lf": 2, "mf": 3,
                 "step": "full", "at": "P"},
            ],
            "markers": {"P": "move"},
        },
        "orders": [{"type": "move", "unit": "A", "path": ["P", "Q"]}],
        "expect": {"result": "accept", "state": {"units": {"A": {"at": "Q"}}}},
    }
    return {**base, **changes}


def _status(case: dict[str, object]) -> tuple[str, str]:
    (result,) = run_cases({"cases": [case]})
    return result.status, " ".join(result.lines)


def test_a_case_that_holds_passes() -> None:
    assert _status(_case()) == ("passed", "")


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"result": "reject"}, "expected reject, accepted"),
        ({"result": "accept", "state": {"units": {"A": {"at": "P"}}}}, "unit A at: expected P, found Q"),
        ({"result": "accept", "state": {"control": {"Q": "allied"}}}, "control of Q: expected allied, found axis"),
        ({"result": "accept", "facts": {"mf_left": 1}}, "mf_left: expected 1, found 2"),
        ({"result": "accept", "facts": {"winner": "axis"}}, "winner: expected axis, found nothing"),
        ({"result": "accept", "choices": {"losses": []}}, "choices losses: expected [], found nothing"),
        ({"steps": [{"result": "accept", "facts": {"mf_left": 0}}]}, "order 1: mf_left: expected 0, found 2"),
    ],
)
def test_what_does_not_hold_fails_and_says_what_was_found(expect: dict[str, object], said: str) -> None:
    assert _status(_case(expect=expect)) == ("failed", said)


def test_a_refusal_must_cite_a_fitting_rule_and_stand_where_it_is_expected() -> None:
    orders = [{"type": "move", "unit": "A", "path": ["P", "R"]}]
    assert _status(_case(orders=orders, expect={"result": "reject"}))[0] == "passed"
    assert _status(_case(orders=orders, expect={"result": "reject", "cite_any": ["9.12"]}))[0] == "passed"
    status, said = _status(_case(orders=orders, expect={"result": "reject", "cite_any": ["9.14"]}))
    assert status == "failed" and "cites [SS 9.12]" in said
    two = [*orders, *orders]
    assert _status(_case(orders=two, expect={"result": "reject", "at": 1}))[0] == "passed"
    status, said = _status(_case(orders=two, expect={"result": "reject"}))
    assert status == "failed" and "expected order 2 to be refused, order 1 was" in said


@pytest.mark.parametrize(
    "changes",
    [
        {"orders": [{"type": "parley"}]},
        {"orders": [{"type": "query", "about": "the weather"}]},
        {"expect": {"result": "accept", "facts": {"morale": 3}}},
        {"expect": {"result": "accept", "state": {"weather": "fair"}}},
        {"expect": {"result": "accept", "choices": {"hands": []}}},
        {"expect": {"outcome": "accept"}},
        {"given": {"board": "mini", "weather": "fair"}},
        {"given": {"board": "globe"}},
    ],
)
def test_what_is_not_known_is_skipped_and_named_never_passed(changes: dict[str, object]) -> None:
    status, said = _status(_case(**changes))
    assert status == "skipped" and said


def test_choices_are_compared_whole() -> None:
    given = {
        "board": "mini",
        "map": {"spaces": {"A": {"control": "axis"}, "T": {"control": "allied"}}, "links": [{"a": "A", "b": "T"}]},
        "units": [
            {"id": "a", "nation": "GE", "size": "battlegroup", "type": "infantry", "cf": [1, 1], "lf": 2, "mf": 3,
             "step": "full", "at": "A"},
            {"id": "d", "nation": "BR", "size": "battlegroup", "type": "infantry", "cf": [1, 1], "lf": 2, "mf": 3,
             "step": "full", "at": "T"},
        ],
        "combat": {"stage": "losses", "target": "T", "attackers": ["a"], "defenders": ["d"],
                   "loss_numbers": {"by_attacker": 2}},
    }
    query = [{"type": "query", "about": "losses", "role": "defender"}]
    right = {"choices": {"losses": [{"d": "reduced"}]}}
    assert _status(_case(given=given, orders=query, expect=right))[0] == "passed"
    wrongs: list[list[dict[str, str]]] = [[{}], [], [{"d": "reduced"}, {"d": "@replacement"}], [{"d": "@replacement"}]]
    for wrong in wrongs:
        assert _status(_case(given=given, orders=query, expect={"choices": {"losses": wrong}}))[0] == "failed"


def test_files_of_cases_are_told_apart() -> None:
    assert is_case_file({"cases": [_case()]})
    assert not is_case_file({"cases": [{"id": "x", "form": "move", "given": {"board": "mini"}}]})
    assert not is_case_file({"cases": [{"id": "x"}]}) and not is_case_file([]) and not is_case_file("cases")
    assert "shifting-sands" in systems()
