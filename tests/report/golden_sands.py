"""The golden reports of Shifting Sands: what rounds played with fixed dice must read like.

``python -m tests.report.golden_sands --write`` makes them again. Read the difference before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.report.sands import report
from tests.shifting_sands.rounds import first_rounds

FOLDER = Path(__file__).parent / "golden-shifting-sands"
STORIES = (
    ("set-up", "s6", 0, "text"),
    ("hand", "s6", 1, "text"),
    ("attack", "s6", 3, "text"),
    ("fire", "s6", 4, "markdown"),
    ("advance", "s6", 5, "text"),
    ("march", "s6", 6, "text"),
    ("two-attacks", "s6", 7, "text"),
    ("two-combats", "s6", 8, "text"),
    ("overrun", "s6", 11, "text"),
    ("losses-wait", "s13", 11, "text"),
    ("replacement", "s15", 12, "text"),
)
"""Name, salt of the dice, message, form."""
SUFFIX = {"text": "txt", "markdown": "md"}


def path(name: str, form: str) -> Path:
    """Where a golden report lies."""
    return FOLDER / f"{name}.{SUFFIX[form]}"


def told(salt: str, seq: int, form: str) -> str:
    """A report as the program tells it now."""
    return report(first_rounds(salt), seq, form, note="Fuori la guarnigione!" if seq == 3 else "")


def write() -> None:
    """Write all golden reports."""
    FOLDER.mkdir(exist_ok=True)
    for name, salt, seq, form in STORIES:
        path(name, form).write_text(told(salt, seq, form), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit("write --write to make the golden reports again")
    write()
