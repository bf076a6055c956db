"""One thing is told as one: no output says ``1 rolls``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.counting import counted
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good

GOLDEN = Path(__file__).parents[1] / "report" / "golden"
NAMED = "".join(rf"(?<!{word}\s)" for word in ("message", "messages", "link", "line", "to", r"No\."))
ONE = re.compile(rf"(?<![\w.,:/#-]){NAMED}1 (?:more |other )?([a-z]+s)\b")
"""A one before a noun in the plural; numbers of messages, links, lines and air units count nothing."""
SINGULAR = {"is", "has", "was", "does", "needs", "lies", "this", "its", "less", "across", "plus", "minus", "as", "pass"}


def wrong(text: str) -> list[str]:
    """The plurals of one in a text."""
    return [found.group() for found in ONE.finditer(text) if found.group(1) not in SINGULAR]


@pytest.mark.parametrize("name", ["genesis", "movement", "combat", "done"])
def test_what_the_commands_say(name: str, stage: Callable[[str], Pair]) -> None:
    pair = stage(name)
    for side in (AXIS, ALLIED):
        folder = pair.folder(side)
        for command in ("status", "doctor", "audit", "verify", "template", "report", "dispute"):
            result = cli(command, folder)
            assert wrong(result.all) == [], f"{command} {side}"


def test_what_a_game_of_one_line_says(stage: Callable[[str], Pair]) -> None:
    folder = stage("genesis").folder(ALLIED)
    assert "The log is whole: 1 line, each one message" in good("verify", folder).out
    assert "The log has 1 message," in good("status", folder).out


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_golden_reports(path: Path) -> None:
    assert wrong(path.read_text("utf-8")) == []


def test_counts() -> None:
    assert [counted(count, "roll") for count in (0, 1, 2, 1200)] == ["0 rolls", "1 roll", "2 rolls", "1,200 rolls"]
    assert [counted(count, "die", "dice") for count in (1, 3)] == ["1 die", "3 dice"]
    assert [counted(count, "point") for count in ("1/2", "1", "1 1/2", "2")] == [
        "1/2 point", "1 point", "1 1/2 points", "2 points"
    ]
    assert wrong("It has 1 rolls and 1 more steps; message 1 names 1 unit.") == ["1 rolls", "1 more steps"]
