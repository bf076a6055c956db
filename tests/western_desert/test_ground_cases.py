"""Every case of the ground chapters, through the runners: none fails, each that is skipped is so for a known reason.

A case that is skipped for another reason, or no longer, is a fault: the table below is what is still to build.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.western_desert.cases.core import Case, cases_of, run_case

FOLDER = Path(__file__).parents[1] / "cases" / "western-desert"

MISSING: dict[str, tuple[str, ...]] = {}
REASONS = {case: reason for reason, cases in MISSING.items() for case in cases}


def every_case() -> list[Case]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted(FOLDER.glob("*.yaml"))
    assert len(paths) >= 9
    return [case for path in paths for case in cases_of(yaml.load(path.read_text(encoding="utf-8"), Loader=loader))]


@pytest.mark.parametrize("case", every_case(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    result = run_case(case)
    assert result.status != "failed", f"{case.id}: " + "; ".join(result.lines)
    if result.status == "skipped":
        assert case.id in REASONS, f"{case.id} is skipped: {result.lines}"
        assert result.lines[0].startswith(REASONS[case.id])
        pytest.skip(result.lines[0])
    assert case.id not in REASONS, f"{case.id} passes now; take it off the table"
