"""Size of files and functions, docstrings, no stubs, no path of one machine (CONTRIBUTING)."""

from __future__ import annotations

import ast
import re
import subprocess
from itertools import chain

from tests.architecture.source import ROOT, Module, functions, is_protocol, length, modules, public

FILE_LIMIT = 600
FUNCTION_LIMIT = 60
MEDIAN_LIMIT = 12
DO_NOTHING = {"_nothing", "_root"}
"""Functions that rightly do nothing: events that only tell, and the roots of commands, which carry options only."""


def everything() -> tuple[Module, ...]:
    """Program, tests and scripts."""
    return tuple(chain(modules(), modules("tests"), modules("scripts")))


def test_no_file_is_too_long() -> None:
    assert [f"{m.path}: {m.lines()} lines" for m in everything() if m.lines() > FILE_LIMIT] == []


def test_no_function_is_too_long() -> None:
    long = [
        f"{m.path}:{f.lineno}: {f.name} has {length(f)} lines"
        for m in everything()
        for f in functions(m.tree)
        if length(f) > FUNCTION_LIMIT
    ]
    assert long == []


def test_functions_are_short_as_a_rule() -> None:
    lengths = sorted(length(f) for m in modules() for f in functions(m.tree))
    assert lengths[len(lengths) // 2] <= MEDIAN_LIMIT


def test_every_public_thing_says_what_it_is() -> None:
    silent = [
        f"{m.path}:{node.lineno}: {name}"
        for m in modules()
        for name, node in public(m.tree)
        if not ast.get_docstring(node)
    ]
    assert silent == []
    assert [m.path for m in modules() if m.text.strip() and not ast.get_docstring(m.tree)] == []


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does nothing but `pass`, `...` or raise NotImplementedError, and isn't an overload's form."""
    if any("overload" in ast.unparse(decorator) for decorator in function.decorator_list):
        return False
    body = [n for n in function.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return not body or all(isinstance(n, ast.Pass) or _not_implemented(n) for n in body)


def _not_implemented(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.dump(node.exc)


def protocol_methods(tree: ast.Module) -> set[int]:
    """Lines of the methods of protocol classes, which have no body by their nature."""
    return {
        inner.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and is_protocol(node)
        for inner in node.body
        if isinstance(inner, ast.FunctionDef)
    }


def test_there_is_no_stub() -> None:
    stubs = [
        f"{m.path}:{f.lineno}: {f.name}"
        for m in modules()
        for f in functions(m.tree)
        if is_stub(f) and f.lineno not in protocol_methods(m.tree) and f.name not in DO_NOTHING
    ]
    assert stubs == []


def test_no_unfinished_work_is_marked() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    found = [
        f"{m.path}:{number}: {line.strip()}"
        for m in chain(modules(), modules("scripts"))
        for number, line in enumerate(m.text.splitlines(), 1)
        if marks.search(line)
    ]
    assert found == []


def tracked_texts() -> list[tuple[str, str]]:
    """Path and text of every text file that belongs to the project; of all files where there is no git."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    names = listing.stdout.split("\0")[:-1] if listing.returncode == 0 else [m.path for m in everything()]
    texts = []
    for name in names:
        path = ROOT / name
        if path.is_file():
            data = path.read_bytes()
            if b"\0" not in data:
                texts.append((name, data.decode("utf-8")))
    return texts


HOME = re.compile("/(work|root|home|Users)/[a-z]|[A-Z]:.Users.")


def test_no_path_of_one_machine() -> None:
    """Nothing points at a folder that only the author's machine has."""
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in tracked_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if HOME.search(line)
    ]
    assert found == []
