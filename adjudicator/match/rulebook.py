"""From the address of a rule to what the program does for it: the functions that cite it, orders, rulings, switches.

The addresses stand in the docstrings of the rules, in the problems that a player is shown and in the events: what is
told here is read from there, so that it can't say otherwise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.match.games import game, pack_of, package_of, systems
from adjudicator.protocol.verdicts import CODES

PROTOCOL = "PROTOCOL"
HOUSE = ("protocol", "engine", "match")
LEFT_OUT = ("cases", "queries", "bots.py", "bot_ground.py", "invariants.py", "template.py")
"""Parts of a game that cite rules without playing by them: cases, questions, programs that play, what is printed."""

_ONE = r"(?:\d[\w-]*(?:\.[\w-]+)*|(?:chart|faq)\.[\w.-]*\w)"
_CITED = re.compile(rf"\b([A-Z]{{2}}|PROTOCOL) ({_ONE}(?:(?:, | and | to ){_ONE})*)")
_EACH = re.compile(_ONE)


class Place(NamedTuple):
    """A function or class that cites a rule: where it is, what it says of itself, the problem codes it gives."""

    module: str
    name: str
    line: int
    says: str
    codes: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass
class RuleFacts:
    """All that is known of an address. ``near`` are addresses below it, or above it where nothing cites it."""

    rule: str
    system: str = ""
    places: list[Place] = field(default_factory=list)
    orders: list[tuple[str, str]] = field(default_factory=list)
    rulings: list[Mapping[str, Any]] = field(default_factory=list)
    near: list[str] = field(default_factory=list)

    @property
    def known(self) -> bool:
        """True where anything speaks of it."""
        return bool(self.places or self.orders or self.rulings or self.near)


def cited(text: str) -> set[str]:
    """The addresses that a text cites: ``WD 9.F.1, 8.B`` cites two."""
    found = set()
    for match in _CITED.finditer(text):
        found |= {f"{match[1]} {one}" for one in _EACH.findall(match[2])}
    return found


def prefixes() -> dict[str, str]:
    """What begins the addresses of each game, by the rulings of its pack, to its slug."""
    found: dict[str, str] = {}
    for system in systems():
        for row in pack_of(system).rows("rulings"):
            for rule in row.get("rules", ()):
                found.setdefault(str(rule).partition(" ")[0], system)
    return found


def facts_of(rule: str, system: str) -> RuleFacts:
    """What the program does for a rule of a game, or of the protocol (``system`` "")."""
    found = RuleFacts(rule, system, _citing(rule, system))
    if system:
        types = game(system).order_types
        found.orders = [(name, kind.about) for name, kind in sorted(types.items()) if kind.rule == rule]
        found.rulings = [row for row in pack_of(system).rows("rulings") if rule in row.get("rules", ())]
    found.near = _near(rule, system, bool(found.places or found.orders or found.rulings))
    return found


def _near(rule: str, system: str, here: bool) -> list[str]:
    known = {name for _module, text in _sources(system) for name in cited(text)}
    if system:
        known |= {str(r) for row in pack_of(system).rows("rulings") for r in row.get("rules", ())}
    below = sorted(name for name in known if name.startswith(f"{rule}."))
    if below or here:
        return below
    above, _dot, _last = rule.rpartition(".")
    while above and above not in known:
        above, _dot, _last = above.rpartition(".")
    return [above] if above else []


def ruling_of(system: str, name: str) -> Mapping[str, Any] | None:
    """A ruling by its name, or by that of its switch."""
    for row in pack_of(system).rows("rulings"):
        switch = row.get("switch") or {}
        if name and name.lower() in (str(row["id"]).lower(), str(switch.get("name", "")).lower()):
            return row
    return None


def coded(system: str, code: str) -> list[tuple[str, Place]]:
    """The rules by which the program refuses an order with a problem of this code, with the places that do."""
    found = []
    for module, text in _sources(system):
        if f'"{code}"' in text:
            for place, rules in _places(module, ast.parse(text)):
                found += [(rule, place) for rule in sorted(rules) if f"{code}@{rule}" in place.codes]
    return found


def verdict_of(code: str) -> tuple[str, str, str] | None:
    """A verdict on a message by its code: class, meaning, way out (PROTOCOL 4.8)."""
    found = CODES.get(code.upper())
    return (found[0].value, found[1], found[2]) if found else None


# --- reading the source -----------------------------------------------------------------------------------------


def _citing(rule: str, system: str) -> list[Place]:
    """The places that cite a rule, in the order of the files; where no function does, the modules and tables."""
    short = rule.partition(" ")[2]
    found = [
        place
        for module, text in _sources(system)
        if short in text
        for place, rules in _places(module, ast.parse(text))
        if rule in rules
    ]
    return [place for place in found if place.name and not place.name.isupper()] or found


@cache
def _sources(system: str) -> tuple[tuple[str, str], ...]:
    """The modules that play by the rules of a game, or by the protocol, with their text."""
    return tuple((module, path.read_text(encoding="utf-8")) for module, path in _files(system))


def _files(system: str) -> Iterator[tuple[str, Path]]:
    packages = [package_of(system)] if system else [f"adjudicator.{name}" for name in HOUSE]
    for package in packages:
        root = Path(str(import_module(package).__file__)).parent
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).parts
            if not set(parts) & set(LEFT_OUT):
                yield ".".join((package.rpartition(".")[2], *path.relative_to(root).with_suffix("").parts)), path


def _places(module: str, tree: ast.Module) -> Iterator[tuple[Place, set[str]]]:
    """The functions and classes of a module with what each cites, in its docstring or in the problems and events it
    makes; one without a docstring goes with the words of its module. The module and its tables come last."""
    about = _first(ast.get_docstring(tree) or "")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            says = ast.get_docstring(node) or ""
            codes, events = _made(node) if isinstance(node, ast.FunctionDef) else ((), ())
            rules = cited(says) | {made.partition("@")[2] for made in (*codes, *events)}
            yield Place(module, node.name, node.lineno, _first(says) or about, codes, events), rules
    for top in tree.body:
        if isinstance(top, ast.Assign | ast.AnnAssign):
            target = top.targets[0] if isinstance(top, ast.Assign) else top.target
            texts = [n.value for n in ast.walk(top) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            yield Place(module, ast.unparse(target), top.lineno, about), {r for text in texts for r in cited(text)}
    yield Place(module, "", 1, about), cited(ast.get_docstring(tree) or "")


def _first(docstring: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(docstring.partition("\n\n")[0].split())


def _made(node: ast.FunctionDef) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Problems and events that a function makes, as ``code@rule`` and ``kind@rule``, where both are plain texts."""
    codes, events = [], []
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        texts = [arg.value for arg in call.args[:2] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if len(texts) != 2 or not cited(texts[1]):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name == "Problem":
            codes.append(f"{texts[0]}@{texts[1]}")
        elif name == "emit":
            events.append(f"{texts[0]}@{texts[1]}")
    return tuple(dict.fromkeys(codes)), tuple(dict.fromkeys(events))
