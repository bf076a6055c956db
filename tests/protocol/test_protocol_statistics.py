"""The script that rolls millions of labelled dice, with few of them: its sums are right and it runs."""

from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "dice_statistics.py"


def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("dice_statistics", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sums() -> None:
    module = script()
    assert module.chi_square([10, 10, 10, 10, 10, 10]) == 0
    assert module.chi_square([16, 4, 10, 10, 10, 10]) == pytest.approx(7.2)
    # quantiles of chi-square with five degrees of freedom, out of any table
    for quantile, chance in ((1.145, 0.95), (4.351, 0.5), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)):
        assert module.chance_of_more(quantile) == pytest.approx(chance, rel=2e-3)
    assert module.chance_of_more(740) < 1e-150


def test_a_short_run() -> None:
    ran = subprocess.run([sys.executable, str(SCRIPT), "--rolls", "6000"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "6,000 dice" in ran.stdout and "byte % 6" in ran.stdout


def test_the_control_is_biased_as_reckoned() -> None:
    """Of 256 values six faces can't have equal shares: 43 against 42."""
    module = script()
    shares = [43, 43, 43, 43, 42, 42]
    expected = module.chi_square([share * module.FULL // 256 for share in shares])
    assert math.isclose(expected, 732, rel_tol=0.01) and module.chance_of_more(expected) < 1e-150
