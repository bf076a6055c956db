"""Text files are read and written alike on every system: with an encoding that is named, and line ends that stay."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

import pytest

from tests.architecture.source import ROOT, Module, modules

PLACE = {"read_text": 0, "write_text": 1, "open": -1}
"""Where the encoding may stand without its name; ``open`` must name it."""


def calls(module: Module) -> Iterator[tuple[ast.Call, str]]:
    """Calls that open, read or write a file, with the name of what is called. ``open`` of other things is left out."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("read_text", "write_text") or (name == "open" and is_file(node)):
                yield node, name


def mode(node: ast.Call) -> str:
    """The mode of a call of ``open``, as far as it is written down."""
    named = [word.value for word in node.keywords if word.arg == "mode"]
    given = [*node.args[0 if isinstance(node.func, ast.Attribute) else 1 :], *named]
    return next((str(one.value) for one in given if isinstance(one, ast.Constant)), "")


def is_file(node: ast.Call) -> bool:
    """Whether a call of ``open`` opens a file as text: the builtin, or a method that is given a mode."""
    plain = isinstance(node.func, ast.Name)
    return "b" not in mode(node) and (plain or (set(mode(node)) <= set("rwaxt+") and mode(node) != ""))


def careless(module: Module) -> Iterator[str]:
    """Places that leave encoding or line ends to the system. Tests may write what line ends they like."""
    for node, name in calls(module):
        named = {word.arg for word in node.keywords}
        where = f"{module.path}:{node.lineno}: {name}"
        if "encoding" not in named and len(node.args) <= (PLACE[name] if PLACE[name] >= 0 else 99):
            yield f"{where} names no encoding"
        writes = name == "write_text" or (name == "open" and set(mode(node)) & set("wax+"))
        if writes and "newline" not in named and not module.path.startswith("tests/"):
            yield f"{where} names no line ends"


def test_encoding_and_line_ends_are_named() -> None:
    everything = chain(modules(), modules("tests"), modules("scripts"))
    assert list(chain.from_iterable(map(careless, everything))) == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("p.read_text()", 1),
        ("p.read_text('utf-8', 'replace')", 0),
        ("p.write_text('x')", 2),
        ("p.write_text('x', encoding='utf-8')", 1),
        ("p.write_text('x', encoding='utf-8', newline='\\n')", 0),
        ("open('x')", 1),
        ("open('x', 'rb')", 0),
        ("p.open('w')", 2),
        ("p.open('rb')", 0),
        ("p.open(mode='w', encoding='utf-8')", 1),
        ("lines.open(here)", 0),
    ],
)
def test_the_rule_finds_what_is_careless(text: str, faults: int) -> None:
    assert len(list(careless(Module("adjudicator/x.py", "adjudicator.x", text, ast.parse(text))))) == faults


def test_git_keeps_files_to_the_byte() -> None:
    """A checkout on Windows must not get other line ends: packs and logs are hashed."""
    assert "* -text" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
