"""Reads the program's source for the tests of this folder: modules, their imports, functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "adjudicator"


@dataclass(frozen=True)
class Module:
    """One source file: its path below the clone, its dotted name, its text and tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def house(self) -> str:
        """The package of the house it belongs to (``protocol``), or "" for the root."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""

    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n")


@cache
def modules(folder: str = PACKAGE) -> tuple[Module, ...]:
    """All modules below a folder of the clone, in the order of their paths."""
    return tuple(read(path) for path in sorted((ROOT / folder).rglob("*.py")))


def read(path: Path) -> Module:
    """One source file of the clone."""
    relative = path.relative_to(ROOT)
    parts = relative.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text(encoding="utf-8")
    return Module(relative.as_posix(), name, text, ast.parse(text, str(relative)))


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of each thing that a module imports, those inside functions included."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            yield from ((node.lineno, f"{base}.{name.name}") for name in node.names)


def absolute(module: Module, node: ast.ImportFrom) -> str:
    """The dotted name that a from-import starts at, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    package = module.name.split(".")
    if not module.path.endswith("__init__.py"):
        package = package[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions and methods, nested ones included."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def length(node: Function) -> int:
    """Lines of a function from its ``def`` to its end."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def is_protocol(node: ast.ClassDef) -> bool:
    """Whether a class declares a structural type."""
    return any("Protocol" in ast.unparse(base) for base in node.bases)


def public(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Public functions and classes of a module, and public methods, with their dotted names.

    Methods that a class inherits, or that a protocol of the module declares, are left out: what they mean stands there.
    """
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    declared = {f.name for node in classes if is_protocol(node) for f in functions(node)}
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
    for node in classes:
        known = set() if is_protocol(node) else declared
        if not node.name.startswith("_") and (not node.bases or is_protocol(node)):
            for f in (inner for inner in node.body if isinstance(inner, Function)):
                if not f.name.startswith("_") and f.name not in known:
                    yield f"{node.name}.{f.name}", f
