"""The reports of the fixtures, byte for byte, in both forms and under any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.report import golden
from tests.report.support import GOLDEN, HERE, fixture, names, report


@pytest.mark.parametrize("form", sorted(golden.FORMS))
@pytest.mark.parametrize("name", names())
def test_the_report_reads_as_it_should(name: str, form: str) -> None:
    expected = golden.path(name, form).read_text(encoding="utf-8")
    assert report(fixture(name), form=form) == expected


def test_no_golden_report_is_without_a_fixture() -> None:
    known = {golden.path(name, form) for name in names() for form in golden.FORMS}
    assert set(GOLDEN.iterdir()) == known


@pytest.mark.parametrize("seed", ["0", "77"])
def test_the_same_words_under_another_hash_seed(seed: str) -> None:
    code = (
        "from tests.report import golden, support\n"
        "for name in support.names():\n"
        "    told = support.report(support.fixture(name))\n"
        "    assert told == golden.path(name, 'text').read_text(encoding='utf-8'), name\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", code], cwd=HERE.parents[1], env=environment, check=True)
