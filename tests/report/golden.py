"""The golden reports: what each fixture must read like. ``python -m tests.report.golden --write`` makes them again.

Read the difference before it is committed: a golden report is what players get.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.report.support import GOLDEN, fixture, names, report

FORMS = {"text": "txt", "markdown": "md"}


def path(name: str, form: str) -> Path:
    """Where the golden report of a fixture lies."""
    return GOLDEN / f"{name}.{FORMS[form]}"


def write() -> None:
    """Write all golden reports as the program tells them now."""
    GOLDEN.mkdir(exist_ok=True)
    for name in names():
        for form in FORMS:
            path(name, form).write_text(report(fixture(name), form=form), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit("write --write to make the golden reports again")
    write()
