"""The sessions of the pages are typed, and print what the pages show (``...`` stands for anything)."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Page, page, pages


@dataclass(frozen=True)
class Step:
    """A file to write, or a command with the lines it should print."""

    line: int
    words: tuple[str, ...]
    shown: tuple[str, ...]
    file: str = ""


def steps(found: Page) -> Iterator[Step]:
    """The steps of a page's session, in order."""
    for block in found.blocks():
        if block.mark == "file":
            yield Step(block.line, (), tuple(block.text.splitlines()), block.value)
        elif block.language == "console":
            yield from commands(block.text, block.line)


def commands(text: str, line: int) -> Iterator[Step]:
    """The commands of one block: a line that begins with ``$``, and what follows up to the next."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        first, *shown = part.splitlines()
        yield Step(line, tuple(shlex.split(first)), tuple(shown))


def expected(shown: tuple[str, ...]) -> re.Pattern[str]:
    """What is printed must match this: a line ``...`` is any lines, ``...`` within one is any text."""
    parts = []
    for line in shown:
        if line == "...":
            parts.append("(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("...")) + "\n")
    return re.compile("".join(parts))


def run(words: tuple[str, ...], folder: Path) -> str:
    """Run one command of the program in a folder; what it prints. Anything but exit code 0 or 1 fails."""
    assert words[0] == "adjudicator", f"only commands of the program can be tried: {words}"
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator", *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode in (0, 1), done.stdout
    return done.stdout


@pytest.mark.parametrize("found", [p for p in pages() if any(steps(p))], ids=lambda found: found.path)
def test_the_session_is_true(found: Page, tmp_path: Path) -> None:
    for step in steps(found):
        if step.file:
            (tmp_path / step.file).write_text("\n".join(step.shown) + "\n", encoding="utf-8")
            continue
        printed = run(step.words, tmp_path)
        what = f"{found.path}:{step.line}: {' '.join(step.words)}"
        assert expected(step.shown).fullmatch(printed), f"{what} printed:\n{printed}"


def test_the_readme_has_a_session() -> None:
    assert sum(1 for step in steps(page("README.md")) if step.words) >= 15


def test_the_two_commands_are_first_and_are_what_the_script_knows() -> None:
    """A person's first command sets up and plays, the second tests; CI runs the second from a clean clone."""
    (shell,) = page("README.md").blocks("sh")
    assert shell.text.splitlines() == ["python3 scripts/run.py demo", "python3 scripts/run.py test"]
    usage = subprocess.run([sys.executable, ROOT / "scripts/run.py"], capture_output=True, text=True)
    assert usage.returncode == 2
    assert "demo|test" in usage.stderr
    assert '"$python" scripts/run.py test' in (ROOT / ".ci/run").read_text(encoding="utf-8")


WORDS_IN_TEXT = re.compile(r"`adjudicator ([a-z-]+)[^`]*`|`(?:python3 )?scripts/([a-z_]+\.py)")


@pytest.mark.parametrize("found", pages(), ids=lambda found: found.path)
def test_commands_and_scripts_named_in_text_exist(found: Page) -> None:
    listed = subprocess.run([sys.executable, "-m", "adjudicator", "--help"], cwd=ROOT, capture_output=True, text=True)
    known = set(re.findall(r"^  ([a-z-]+)  ", listed.stdout, re.MULTILINE))
    unknown = [
        match[0]
        for match in WORDS_IN_TEXT.finditer(found.text)
        if (match[1] and match[1] not in known) or (match[2] and not (ROOT / "scripts" / match[2]).is_file())
    ]
    assert unknown == []
