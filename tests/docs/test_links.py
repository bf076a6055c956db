"""Links of the pages lead somewhere; made pages are current."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.docs.pages import ROOT, Page, pages

NEEDED = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/cases.md",
    "docs/cli.md",
    "docs/dice-recipe.md",
    "docs/orders-western-desert.md",
    "docs/performance.md",
    "docs/planning.md",
    "docs/protocol.md",
    "docs/rulings.md",
    "docs/state-format.md",
    "docs/turn-files.md",
)


def broken(page: Page) -> list[str]:
    """The links of a page that lead to no file, or to no heading of one."""
    found = []
    for target in page.links():
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        path = ((ROOT / page.path).parent / name).resolve() if name else ROOT / page.path
        if not path.exists() or ROOT not in path.parents:
            found.append(f"{page.path}: {target}: no such file")
        elif anchor and path.suffix == ".md" and anchor not in Page("", path.read_text(encoding="utf-8")).anchors():
            found.append(f"{page.path}: {target}: no such heading")
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.path)
def test_links_lead_somewhere(page: Page) -> None:
    assert broken(page) == []


def test_a_broken_link_is_found() -> None:
    assert broken(Page("docs/x.md", "[a](nowhere.md), [b](cases.md#no-such-heading), [c](https://example.org)")) == [
        "docs/x.md: nowhere.md: no such file",
        "docs/x.md: cases.md#no-such-heading: no such heading",
    ]


def test_all_pages_are_there_and_can_be_reached() -> None:
    """Every page of the documentation is there, and linked from the README or from a page that it links."""
    assert [name for name in NEEDED if not (ROOT / name).is_file()] == []
    known, todo = {"README.md"}, ["README.md"]
    by_path = {page.path: page for page in pages()}
    while todo:
        current = by_path[todo.pop()]
        for target in current.links():
            path = ((ROOT / current.path).parent / target.partition("#")[0]).resolve()
            name = path.relative_to(ROOT).as_posix() if ROOT in path.parents else ""
            if name in by_path and name not in known:
                known.add(name)
                todo.append(name)
    assert sorted(set(by_path) - known) == []


def test_made_pages_are_current() -> None:
    command = [sys.executable, "scripts/make_pages.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
