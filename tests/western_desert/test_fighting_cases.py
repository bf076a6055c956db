"""The conformance cases of combat: every case of the forms built here passes, whatever file it stands in."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.western_desert.cases.core import Case, cases_of, run_case

FOLDER = Path(__file__).parents[1] / "cases" / "western-desert"
FILES = ("combat", "armor-antitank", "losses-retreats", "definitions", "tables")


def _cases() -> list[Case]:
    found = []
    for name in FILES:
        tree = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
        found += cases_of(tree)
    return found


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    result = run_case(case)
    assert result.status == "passed", result.lines
