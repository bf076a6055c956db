"""A pytest plugin for rule_coverage.py: how each test ended, and what code of the program it entered, as JSON.

    python -m pytest -p rule_trace --rule-trace FILE tests/...
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from types import CodeType

import pytest

PROGRAM = str(Path(__file__).resolve().parent.parent / "adjudicator")
RANK = ("passed", "skipped", "failed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The file to write."""
    parser.addoption("--rule-trace", metavar="FILE", help="write outcomes and calls of each test to FILE")


def pytest_configure(config: pytest.Config) -> None:
    """Trace only where a file is named."""
    path = config.getoption("--rule-trace")
    if path:
        config.pluginmanager.register(Tracer(Path(str(path))), "rule-tracer")


def base(nodeid: str) -> str:
    """A test without its parameters."""
    return nodeid.partition("[")[0]


class Tracer:
    """Notes outcomes and calls; a test with parameters is one test, and its worst outcome counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[str, str] = {}
        self.calls: dict[str, set[tuple[str, int]]] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Fixtures and the test itself."""
        found = self.calls.setdefault(base(item.nodeid), set())

        profile = Profile(subcalls=False, builtins=False)
        before = sys.getprofile()
        profile.enable()
        yield
        profile.disable()
        sys.setprofile(before)
        codes = [row.code for row in profile.getstats() if isinstance(row.code, CodeType)]
        found |= {(code.co_filename, code.co_firstlineno) for code in codes if code.co_filename.startswith(PROGRAM)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """How a part of a test ended."""
        name = base(report.nodeid)
        worst = max(self.outcomes.get(name, RANK[0]), report.outcome, key=RANK.index)
        self.outcomes[name] = worst

    def pytest_sessionfinish(self) -> None:
        """Write everything."""
        rows = {
            name: {"outcome": outcome, "calls": sorted(map(list, self.calls.get(name, ())))}
            for name, outcome in sorted(self.outcomes.items())
        }
        self.path.write_text(json.dumps(rows), encoding="utf-8", newline="\n")
