"""What all tests share: hypothesis without deadlines (no test is timed), repeatable where CI runs.

``pytest --hypothesis-profile long tests/western_desert/test_turn_properties.py`` looks for an hour where the usual run
looks for seconds; so do the files ``test_properties_*.py`` beside it.

Nothing here waits for the disk: a test that means a loss of power ends the process (tests/cli/strike.py), which loses
nothing that was written. What is started as a program of its own syncs as ever, and so does all with
``ADJUDICATOR_SYNC=1``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from _typeshed import HasFileno

settings.register_profile("house", deadline=None, database=None, derandomize="CI" in os.environ, print_blob=True)
settings.register_profile("long", settings.get_profile("house"), max_examples=12000, derandomize=False)
settings.load_profile("house")


def synced(fd: int | HasFileno) -> None:
    """In place of ``os.fsync``: the file must be open, as for the real one."""
    os.fstat(fd if isinstance(fd, int) else fd.fileno())


if not os.environ.get("ADJUDICATOR_SYNC"):
    os.fsync = synced


LONG = (
    "tests/rules/",
    "tests/portability/",
    "tests/cli/test_upgrade",
    "tests/western_desert/test_coverage_of_play",
    "tests/play/",
    "tests/match/test_sealed_topics",
    "tests/docs/test_console",
    "tests/cli/test_crash_at_every_step",
    "tests/western_desert/test_campaign",
)
"""Files whose tests take longest. Begun first, none is left to a single worker at the end."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first; else in the order that there was."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
