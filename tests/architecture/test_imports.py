"""Imports point downward only (docs/architecture.md)."""

from __future__ import annotations

import ast
import sys
from itertools import chain

import pytest

from tests.architecture.source import PACKAGE, ROOT, Module, imports, modules, read

BELOW: dict[str, set[str]] = {
    "turnfile": set(),
    "protocol": {"turnfile"},
    "packs": set(),
    "engine": set(),
    "western_desert": {"engine", "packs"},
    "shifting_sands": {"engine", "packs"},
    "match": {"engine", "packs", "protocol", "turnfile"},
    "report": {"match", "engine", "packs", "protocol", "turnfile"},
    "vassal": {"match", "engine", "packs"},
    "cli": {"report", "vassal", "match", "engine", "packs", "protocol", "turnfile"},
    "__main__": {"cli"},
    "": set(),
}
"""What each package of the house may import, beside itself and the version in the root. Games are reached by name only
through the registry of ``match``."""

GAMES = {"western_desert", "shifting_sands"}
GAME_AWARE = (
    "adjudicator/report/western_desert/",
    "adjudicator/report/shifting_sands/",
    "adjudicator/vassal/western_desert",
    "adjudicator/cli/cases.py",
)
"""Places above `match` that may import a game by name: its words for reports, its counters, its form of cases."""
REGISTRY = "adjudicator/match/games.py"
RUN_TIME = {"typer", "lxml", "cryptography", "yaml"}
"""Distributions that the program may import, as its packaging file lists them."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def wrong_imports(module: Module) -> list[str]:
    """The imports of a module that don't point downward."""
    allowed = BELOW[module.house] | {module.house, "__version__", ""}
    if module.path.startswith(GAME_AWARE):
        allowed |= GAMES
    return [
        f"{module.path}:{line}: {module.house or 'the root'} may not import {name}"
        for line, name in imports(module)
        if name.split(".")[0] == PACKAGE and (name + ".").split(".")[1] not in allowed
    ]


def test_imports_point_downward() -> None:
    assert list(chain.from_iterable(map(wrong_imports, modules()))) == []


def test_every_package_has_its_place() -> None:
    assert {module.house for module in modules()} <= set(BELOW)


def test_the_rule_finds_a_wrong_import() -> None:
    text = "def f() -> None:\n    from adjudicator.western_desert import game\n"
    wrong = Module("adjudicator/protocol/x.py", "adjudicator.protocol.x", text, ast.parse(text))
    assert wrong_imports(wrong) == [
        "adjudicator/protocol/x.py:2: protocol may not import adjudicator.western_desert.game"
    ]


def test_only_the_registry_names_a_game() -> None:
    """`match`, `protocol` and `engine` know no game: no name or text of theirs names a package or slug of one."""
    slugs = {name.replace("_", "-") for name in GAMES}
    named = [
        f"{module.path}: {word}"
        for module in modules()
        if module.house in {"match", "protocol", "engine", "turnfile"} and module.path != REGISTRY
        for word in sorted(GAMES | slugs)
        if any(word in text for text in names_and_texts(module))
    ]
    assert named == []
    assert "western-desert" in read(ROOT / REGISTRY).text


def names_and_texts(module: Module) -> list[str]:
    """Identifiers, imported names and texts of a module, without its docstrings."""
    docs = {ast.get_docstring(node, clean=False) for node in ast.walk(module.tree) if isinstance(node, Documented)}
    texts = [n.value for n in ast.walk(module.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = [n.id for n in ast.walk(module.tree) if isinstance(n, ast.Name)]
    return [text for text in texts if text not in docs] + names + [name for _, name in imports(module)]


def test_only_declared_distributions_are_imported() -> None:
    known = RUN_TIME | set(sys.stdlib_module_names) | {PACKAGE}
    foreign = [
        f"{module.path}:{line}: {name}"
        for module in modules()
        for line, name in imports(module)
        if name.split(".")[0] not in known
    ]
    assert foreign == []


PURE = {"engine", "packs", "western_desert", "shifting_sands"}
LOCAL_DICE = ("adjudicator/engine/dice.py", "secrets")
"""The one exception: fresh dice for trying a file out, made outside the rules and handed to them."""
IMPURE = {"datetime", "os", "random", "secrets", "socket", "subprocess", "tempfile", "threading", "time", "uuid"}


def test_rules_use_no_clock_randomness_or_input() -> None:
    """Rules are state, orders and dice in, events out; packs may read files and nothing else."""
    impure = [
        f"{module.path}:{line}: {name}"
        for module in modules()
        if module.house in PURE
        for line, name in imports(module)
        if (name.split(".")[0] in IMPURE and (module.path, name.split(".")[0]) != LOCAL_DICE)
        or (name.split(".")[0] in {"pathlib", "io"} and module.house != "packs")
    ]
    assert impure == []


@pytest.mark.parametrize("word", ["eval", "exec", "__import__"])
def test_no_code_is_made_at_run_time(word: str) -> None:
    calls = [
        f"{module.path}:{node.lineno}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == word
    ]
    assert calls == []
