"""The conformance cases of combat: every case of the forms built here passes, whatever file it stands in."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.western_desert.cases.core import Case, cases_of, run_case

FOLDER = Path(__file__).parents[1] / "cases" / "western-desert"
FILES = ("combat", "armor-antitank", "losses-retreats", "definitions", "tables")
SKIPPED = {
    "SW-107": "table vichy",
    "SW-108": "table raid",
}
"""Cases that wait for a later issue, with what is missing. Anything else must pass."""


def _cases() -> list[Case]:
    found = []
    for name in FILES:
        tree = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
        found += cases_of(tree)
    return found


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    result = run_case(case)
    if case.id in SKIPPED:
        assert result.status == "skipped"
        assert SKIPPED[case.id] in result.lines[0]
    else:
        assert result.status == "passed", result.lines


def test_the_table_of_skips_names_no_case_that_is_gone() -> None:
    assert SKIPPED.keys() <= {case.id for case in _cases()}
