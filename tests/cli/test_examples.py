"""The signed example games of ``turnfiles/`` keep verifying, and today's program still writes them byte for byte."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from adjudicator.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "make_examples.py"))


@pytest.mark.parametrize("system", sorted(SCRIPT["EXAMPLES"]))
def test_the_kept_log_verifies(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(SCRIPT["kept"](system))]) == 0
    assert "Everything holds." in capsys.readouterr().out


@pytest.mark.parametrize("system", sorted(SCRIPT["EXAMPLES"]))
def test_the_kept_log_is_what_is_played_today(system: str) -> None:
    """Where this fails on purpose: ``python scripts/make_examples.py``, and say in the commit why."""
    assert SCRIPT["played"](system) == SCRIPT["kept"](system).read_bytes()
