"""The reports of played rounds of Shifting Sands, byte for byte, under any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.report import golden_sands
from tests.report.support import HERE


@pytest.mark.parametrize(("name", "salt", "seq", "form"), golden_sands.STORIES)
def test_the_report_reads_as_it_should(name: str, salt: str, seq: int, form: str) -> None:
    expected = golden_sands.path(name, form).read_text(encoding="utf-8")
    assert golden_sands.told(salt, seq, form) == expected


def test_no_golden_report_is_without_a_story() -> None:
    known = {golden_sands.path(name, form) for name, _salt, _seq, form in golden_sands.STORIES}
    assert set(golden_sands.FOLDER.iterdir()) == known


@pytest.mark.parametrize("seed", ["0", "77"])
def test_the_same_words_under_another_hash_seed(seed: str) -> None:
    code = (
        "from tests.report import golden_sands as golden\n"
        "for name, salt, seq, form in golden.STORIES:\n"
        "    assert golden.told(salt, seq, form) == golden.path(name, form).read_text(encoding='utf-8'), name\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", code], cwd=HERE.parents[1], env=environment, check=True)
