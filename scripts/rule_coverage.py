"""Proves that each rule of a list stands in the program and is held: by a function that cites it, by cases or tests.

    python scripts/rule_coverage.py [--game western-desert]

The lists are ``tests/rules/GAME.yaml``. An entry names functions (``module:function``, ``module:Class.method``), ids of
cases and tests (``tests/file.py::test``). It is held when

* each function exists, stands in the program outside the runners of cases, and cites the rule in its docstring;
* each case named exists, passes (a skip is no pass) and has the rule among its own rules;
* each test named exists where pytest looks, is not marked to be skipped, cites the rule, and passes when it is run;
* there is a case or a test, and each of the functions is called by one of them: all are run, and calls are noted.

An entry that ``waits`` for what is not built is counted and named. It is a fault if it is held already: by what it
names, by a case it names that passes, or because all cases about it pass.

Besides, no case and no text of the program may cite a rule of the chapters listed that is not on the list, and each
ruling about rules on it needs a passing case that assumes it or a test that names it; the rules must read its switch.
Exit 0: all hold. 1: some don't, each named with what it lacks. 2: there is no such list, or it can't be read.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from cProfile import Profile
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests" / "rules"
PROGRAM = "adjudicator"
_PART = r"(?:\.[A-Za-z0-9][\w-]*)"
_ID = rf"(?:(?:chart|errata|ex|faq|sop|torch){_PART}+|\d+{_PART}*)"
_NEXT = r"(?:, | and | or | to |; )"
SKIPS = ("skip", "xfail")
Call = tuple[str, int]
OK = "passed"


class BadListError(Exception):
    """The list can't be read; the text says where and why."""


class Fault(NamedTuple):
    """What is wrong with an entry of the list."""

    entry: str
    text: str

    def __str__(self) -> str:
        return f"{self.entry}: {self.text}"


@dataclass(frozen=True)
class Entry:
    """One rule of the list: its title in our words, what has it, what holds it. ``waits`` says for what it waits that
    is not built."""

    id: str
    title: str = ""
    code: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    waits: str = ""


@dataclass(frozen=True)
class Listing:
    """The list of one game. ``mark`` stands before its rules (``WD``); ``chapters`` are those that must be complete;
    ``cites`` and ``assumes`` are the keys of a case with its rules and its rulings; ``rulings`` are tests by ruling,
    for those that no case assumes; ``switches`` says for what switches of rulings wait; ``joined`` that numbers have
    no dots between levels: 7.5, 7.53, 7.531a."""

    game: str
    mark: str
    runner: str
    cases: str
    cites: str
    sources: tuple[str, ...]
    chapters: tuple[str, ...]
    entries: tuple[Entry, ...]
    rulings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    assumes: str = "assumes"
    joined: bool = False

    @cached_property
    def ids(self) -> frozenset[str]:
        """The rules on the list."""
        return frozenset(entry.id for entry in self.entries)

    def claimed(self, rule: str) -> bool:
        """Whether a rule belongs to a chapter of the list, or is a chart on it."""
        return rule.split(".", 1)[0] in self.chapters or rule in self.ids

    def known(self, rule: str) -> bool:
        """A rule on the list, or a group of rules on it."""
        return self.among(rule, self.ids)

    def among(self, rule: str, ids: Iterable[str]) -> bool:
        """Whether a rule is one of those, or a group of them (``9.B`` for ``9.B.1``; joined, ``7.5`` for ``7.53``)."""
        group = rule if self.joined and "." in rule and rule[0].isdigit() else rule + "."
        return any(other == rule or other.startswith(group) for other in ids)


# --- reading the list -------------------------------------------------------------------------------------------


def load(game: str, folder: Path = LISTS) -> Listing:
    """The list of a game. Raises :class:`BadListError`."""
    path = folder / f"{game}.yaml"
    try:
        told = path.read_text(encoding="utf-8")
        tree = yaml.load(told, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as fault:
        raise BadListError(f"{path}: {fault.strerror}") from None
    except yaml.YAMLError as fault:
        raise BadListError(f"{path}: {fault}") from None
    twice = [rule for rule, count in Counter(re.findall(r"^  '?([^' ]+)'?:\s*$", told, re.M)).items() if count > 1]
    if twice:
        raise BadListError(f"{path}: {', '.join(twice)} stands there twice")
    return listing_of(tree, str(path))


def listing_of(tree: Any, where: str = "the list") -> Listing:
    """The list of a tree. Raises :class:`BadListError` for one of another form."""
    try:
        entries = tuple(_entry(str(rule), dict(row)) for rule, row in tree["rules"].items())
        return Listing(
            game=tree["game"],
            mark=tree["mark"],
            runner=tree["runner"],
            cases=tree["cases"],
            cites=tree["cites"],
            sources=tuple(tree["sources"]),
            chapters=tuple(map(str, tree["chapters"])),
            entries=entries,
            rulings={name: tuple(tests) for name, tests in tree.get("rulings", {}).items()},
            switches={str(name): str(what) for name, what in tree.get("switches", {}).items()},
            assumes=str(tree.get("assumes", "assumes")),
            joined=bool(tree.get("joined", False)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise BadListError(f"{where}: {type(fault).__name__} {fault}") from None


def _entry(rule: str, row: dict[str, Any]) -> Entry:
    strange = row.keys() - {"title", "code", "cases", "tests", "waits"}
    if strange:
        raise BadListError(f"{rule}: there is no field {', '.join(sorted(strange))}")
    texts = {key: tuple(map(str, row.get(key, ()))) for key in ("code", "cases", "tests")}
    return Entry(rule, str(row.get("title", "")), waits=str(row.get("waits", "")), **texts)


@cache
def cited(text: str, mark: str) -> frozenset[str]:
    """The rules that a text cites: ``WD 9.B.1, 9.B.2 and 9.F.1``."""
    plain = " ".join(text.split())
    lists = re.findall(rf"\b{mark} ({_ID}(?:{_NEXT}{_ID})*)", plain)
    return frozenset(rule for found in lists for rule in re.findall(_ID, found))


# --- functions --------------------------------------------------------------------------------------------------


def resolve(name: str) -> Any:
    """The function, method, property or class of ``module:name``. Raises LookupError with what is missing."""
    module_name, _, path = name.partition(":")
    if not path or not module_name.startswith(f"{PROGRAM}.") or ".cases" in module_name:
        raise LookupError(f"{name} is no module:function of the program outside the runners of cases")
    try:
        found: Any = import_module(module_name)
    except ImportError as fault:
        raise LookupError(f"{name}: {fault}") from None
    for part in path.split("."):
        space = vars(found) if hasattr(found, "__dict__") else {}
        if part not in space:
            raise LookupError(f"{name}: there is no {part}")
        found = space[part]
    if not codes_of(found):
        raise LookupError(f"{name} is no function, and no class with functions")
    if _module_of(found) not in ("", module_name):
        raise LookupError(f"{name} comes from {_module_of(found)}; name it there")
    return found


def _module_of(thing: Any) -> str:
    inner = _unwrapped(thing)
    return str(getattr(inner, "__module__", "") or "")


def _unwrapped(thing: Any) -> Any:
    for name in ("fget", "func", "__func__", "__wrapped__"):
        inner = getattr(thing, name, None)
        if inner is not None:
            return _unwrapped(inner)
    return thing


def codes_of(thing: Any) -> set[CodeType]:
    """What runs when a function is called: its code; for a class that of all its own functions and properties."""
    if isinstance(thing, type):
        return {code for part in vars(thing).values() if not isinstance(part, type) for code in codes_of(part)}
    code = getattr(_unwrapped(thing), "__code__", None)
    return {code} if isinstance(code, CodeType) else set()


def doc_of(thing: Any) -> str:
    """The docstring of a function, property or class."""
    return str(getattr(_unwrapped(thing), "__doc__", "") or getattr(thing, "__doc__", "") or "")


# --- cases ------------------------------------------------------------------------------------------------------


class Ran(NamedTuple):
    """A case that was run: its rules, how it ended, why, and what it called."""

    rules: frozenset[str]
    assumes: frozenset[str]
    status: str
    why: str
    called: frozenset[Call]


def calls_of(thing: Any) -> set[Call]:
    """Where the code of a function stands: file and first line."""
    return {(code.co_filename, code.co_firstlineno) for code in codes_of(thing)}


def run_cases(listing: Listing, root: Path = ROOT) -> dict[str, Ran]:
    """All cases of the game, each run while the calls are noted."""
    runner = import_module(listing.runner)
    found: dict[str, Ran] = {}
    for path in sorted((root / listing.cases).glob("*.yaml")):
        tree = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if "cases" not in tree:  # a table of another form that tests of its own read
            continue
        rows = {str(row["id"]): row for row in tree["cases"]}
        for case in runner.cases_of(tree):
            if case.id in found:
                raise BadListError(f"{path}: the case {case.id} is there twice")
            called: set[Call] = set()
            result = _traced(partial(runner.run_case, case), called)
            row = rows[case.id]
            rules, assumes = (frozenset(map(str, _dig(row, key))) for key in (listing.cites, listing.assumes))
            found[case.id] = Ran(rules, assumes, result.status, "; ".join(result.lines), frozenset(called))
    return found


def _dig(row: Any, path: str) -> Iterable[object]:
    for key in path.split("."):
        row = row.get(key, []) if isinstance(row, dict) else []
    return row if isinstance(row, list) else [row]


def _traced(call: Callable[[], Any], called: set[Call]) -> Any:
    """Run a function and note all code that is entered meanwhile."""
    before, profile = sys.getprofile(), Profile(subcalls=False, builtins=False)
    profile.enable()
    try:
        return call()
    finally:
        profile.disable()
        sys.setprofile(before)
        codes = [row.code for row in profile.getstats() if isinstance(row.code, CodeType)]
        called.update((code.co_filename, code.co_firstlineno) for code in codes)


# --- tests ------------------------------------------------------------------------------------------------------


class TestRan(NamedTuple):
    """A test that was run: how it ended, and what it called. One with parameters counts as one, at its worst."""

    status: str
    called: frozenset[Call]


def run_tests(listing: Listing, root: Path = ROOT) -> dict[str, TestRan]:
    """All tests of the list, run by pytest while the calls are noted. Raises :class:`BadListError` if it can't run."""
    named = {name for entry in listing.entries for name in entry.tests}
    named |= {name for tests in listing.rulings.values() for name in tests}
    known = [name for name in sorted(named) if _there(Suite(root), name)]
    if not known:
        return {}
    paths = [str(ROOT / "scripts"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with TemporaryDirectory() as folder:
        told = Path(folder) / "trace.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "rule_trace", "-p", "no:cacheprovider", "--rule-trace"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        done = subprocess.run([*command, str(told), *known], cwd=root, env=env, capture_output=True, text=True)
        if not told.exists():
            raise BadListError(f"pytest did not run the tests of the list: {(done.stdout + done.stderr)[-2000:]}")
        rows = json.loads(told.read_text(encoding="utf-8"))
    return {
        name: TestRan(row["outcome"], frozenset((file, line) for file, line in row["calls"]))
        for name, row in rows.items()
    }


def _there(suite: Suite, name: str) -> bool:
    try:
        return bool(suite.find(name))
    except LookupError:
        return False


@dataclass(frozen=True)
class Suite:
    """The tests of the project, read without running them."""

    root: Path
    _files: dict[str, dict[str, ast.FunctionDef]] = field(default_factory=dict)

    def find(self, name: str) -> ast.FunctionDef:
        """The function of ``tests/file.py::test``. Raises LookupError with what is missing."""
        path, _, function = name.partition("::")
        parts = Path(path).parts
        if not function or parts[:1] != ("tests",) or not parts[-1].startswith("test_") or ".." in parts:
            raise LookupError(f"{name} is no tests/.../test_file.py::test_function")
        if not function.startswith("test_") or function not in self._functions(path):
            raise LookupError(f"{path} has no test {function}")
        return self._functions(path)[function]

    def _functions(self, path: str) -> dict[str, ast.FunctionDef]:
        if path not in self._files:
            try:
                tree = ast.parse((self.root / path).read_text(encoding="utf-8"))
            except OSError:
                raise LookupError(f"there is no file {path}") from None
            marked = any(_skips(node.value) for node in tree.body if isinstance(node, ast.Assign))
            functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
            self._files[path] = {} if marked else {node.name: node for node in functions}
        return self._files[path]


def _skips(node: ast.AST) -> bool:
    """Whether a decorator, a module's mark or a statement takes a test out of the run."""
    names = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return any(name.startswith(SKIPS) for name in names)


def test_problem(suite: Suite, name: str, rule: str, mark: str) -> str:
    """What is wrong with a test that is to hold a rule, or ""."""
    try:
        node = suite.find(name)
    except LookupError as fault:
        return str(fault.args[0])
    if any(_skips(decorator) for decorator in node.decorator_list) or _gives_up(node):
        return f"{name} is marked to be skipped"
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if not any(rule in cited(text, mark) for text in texts):
        return f"{name} does not cite {mark} {rule}"
    if not any(isinstance(part, ast.Assert | ast.With) for part in ast.walk(node)):
        return f"{name} asserts nothing"
    return ""


test_problem.__test__ = False  # type: ignore[attr-defined]  # a name that pytest would take for a test


def _gives_up(node: ast.FunctionDef) -> bool:
    first = [part for part in node.body if not isinstance(part, ast.Expr) or isinstance(part.value, ast.Call)][:1]
    return any(isinstance(part, ast.Expr) and _skips(part.value) for part in first)


@cache
def _rulings(path: Path) -> list[Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return list(yaml.load(path.read_text(encoding="utf-8"), Loader=loader)["rulings"])


# --- the proof --------------------------------------------------------------------------------------------------


class Proof:
    """The evidence for one list, gathered once."""

    def __init__(
        self, listing: Listing, ran: Mapping[str, Ran], tested: Mapping[str, TestRan], root: Path = ROOT
    ) -> None:
        self.listing, self.ran, self.tested, self.root = listing, ran, tested, root
        self.suite = Suite(root)

    def faults(self) -> list[Fault]:
        """Everything that is wrong, entry by entry, then what is not on the list, then the rulings."""
        found = [Fault(entry.id, text) for entry in self.listing.entries for text in self.entry_faults(entry)]
        found += [Fault(rule, f"{where} cites it, the list has no such rule") for rule, where in self._strays()]
        missing = [c for c in self.listing.chapters if not any(i.split(".")[0] == c for i in self.listing.ids)]
        found += [Fault(chapter, "the list has no rule of this chapter") for chapter in missing]
        return found + list(self._ruling_faults())

    def entry_faults(self, entry: Entry) -> list[str]:
        """What an entry lacks."""
        if entry.waits:
            return self._waiting_faults(entry)
        said = [] if entry.title else ["it has no title"]
        if not entry.code:
            said.append("no function has it")
        if not entry.cases and not entry.tests:
            said.append("no case and no test holds it")
        called = self._called(entry)
        for name in entry.code:
            try:
                thing = resolve(name)
            except LookupError as fault:
                said.append(str(fault.args[0]))
                continue
            if entry.id not in cited(doc_of(thing), self.listing.mark):
                said.append(f"the docstring of {name} does not cite {self.listing.mark} {entry.id}")
            if not called & calls_of(thing):
                said.append(f"none of its cases and tests calls {name}")
        said += [text for name in entry.cases if (text := self._case_problem(entry.id, name))]
        said += [text for name in entry.tests if (text := self._test_problem(entry.id, name))]
        return said

    def _waiting_faults(self, entry: Entry) -> list[str]:
        about = [ran.status == OK for ran in self.ran.values() if entry.id in ran.rules]
        said = [] if entry.title else ["it has no title"]
        if (about and all(about)) or not self.entry_faults(replace(entry, waits="")):
            said.append(f"it waits for {entry.waits}, and is held already")
        for name in entry.cases:
            if name not in self.ran:
                said.append(f"there is no case {name}")
            elif self.ran[name].status == OK:
                said.append(f"it waits for {entry.waits}, and its case {name} passes")
        return said

    def _called(self, entry: Entry) -> set[Call]:
        ran = [self.ran[name].called for name in entry.cases if name in self.ran]
        return set().union(*ran, *(self.tested[name].called for name in entry.tests if name in self.tested))

    def _test_problem(self, rule: str, name: str) -> str:
        problem = test_problem(self.suite, name, rule, self.listing.mark)
        if problem:
            return problem
        status = self.tested[name].status if name in self.tested else "not run"
        return "" if status == OK else f"{name} is {status}"

    def _case_problem(self, rule: str, name: str) -> str:
        ran = self.ran.get(name)
        if ran is None:
            return f"there is no case {name}"
        if ran.status != OK:
            return f"the case {name} is {ran.status}: {ran.why}"
        return "" if rule in ran.rules else f"the case {name} is not about {rule}"

    # what cites rules that are not there

    def _strays(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for where, rules in (*self._case_citations(), *self._source_citations()):
            for rule in sorted(rules - seen):
                if self.listing.claimed(rule) and not self.listing.known(rule):
                    seen.add(rule)
                    yield rule, where

    def _case_citations(self) -> Iterator[tuple[str, frozenset[str]]]:
        for name, ran in self.ran.items():
            yield f"the case {name}", ran.rules

    def _source_citations(self) -> Iterator[tuple[str, frozenset[str]]]:
        for folder in self.listing.sources:
            for path in sorted((self.root / folder).rglob("*.py")):
                yield str(path.relative_to(self.root)), cited(path.read_text(encoding="utf-8"), self.listing.mark)

    # rulings

    def _ruling_faults(self) -> Iterator[Fault]:
        path = self.root / "module" / self.listing.game / "rulings.yaml"
        rows = _rulings(path) if path.exists() else []
        read = import_module(self.listing.runner.split(".cases")[0] + ".switches").BUILT
        for row in rows:
            rules = [rule for text in row["rules"] for rule in cited(text, self.listing.mark)]
            if not any(rule.split(".")[0] in self.listing.chapters for rule in rules):
                continue
            name, waits = str(row["id"]), self._waits(rules)
            yield from (Fault(f"ruling {name}", text) for text in self._ruling_problems(name, waits))
            switch = row.get("switch", {}).get("name")
            if switch in self.listing.switches:
                if switch in read:
                    yield Fault(f"ruling {name}", f"its switch {switch} waits, and is read already")
            elif switch and switch not in read and not waits:
                yield Fault(f"ruling {name}", f"the rules do not read its switch {switch}")

    def _waits(self, rules: Iterable[str]) -> bool:
        """Whether a ruling reaches into chapters that are not on the list, or rules that are not built."""
        waiting = {entry.id for entry in self.listing.entries if entry.waits}
        return any(not self.listing.known(rule) or self.listing.among(rule, waiting) for rule in rules)

    def _ruling_problems(self, name: str, waits: bool) -> Iterator[str]:
        tests = self.listing.rulings.get(name, ())
        held = any(ran.status == OK and name in ran.assumes for ran in self.ran.values())
        if not held and not tests and not waits:
            yield "no passing case assumes it and no test is named for it"
        for test in tests:
            try:
                if name not in ast.unparse(self.suite.find(test)):
                    yield f"{test} does not name it"
            except LookupError as fault:
                yield str(fault.args[0])


# --- the table --------------------------------------------------------------------------------------------------


def table(listing: Listing, faults: Iterable[Fault]) -> list[str]:
    """The list as lines: the rule, what has it, what holds it, whether that is proved."""
    wrong = {fault.entry for fault in faults}
    rows = [("rule", "about", "function", "held by", "")]
    for entry in listing.entries:
        code = ", ".join(name.rpartition(".")[2] for name in entry.code)
        more = len(entry.cases[3:]) + len(entry.tests[1:])
        by = ", ".join([*entry.cases[:3], *(name.rpartition("::")[2] for name in entry.tests[:1])])
        by += f" +{more}" if more else ""
        state = "FAULT" if entry.id in wrong else "waits" if entry.waits else "held"
        rows.append((entry.id, _cut(entry.title, 44), _cut(code, 44), _cut(by, 52), state))
    widths = [max(len(row[n]) for row in rows) for n in range(4)]
    return ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows]


def waiting(listing: Listing) -> list[str]:
    """The rules that wait, by what they wait for."""
    found: dict[str, list[str]] = {}
    for entry in listing.entries:
        if entry.waits:
            found.setdefault(entry.waits, []).append(entry.id)
    for switch, what in listing.switches.items():
        found.setdefault(what, []).append(f"switch {switch}")
    return [f"{len(ids)} wait for {what}: {', '.join(ids)}" for what, ids in sorted(found.items())]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def games(folder: Path = LISTS) -> list[str]:
    """The games that have a list."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def main(argv: list[str] | None = None) -> int:
    """Print the table of each list and its faults; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", action="append", help=f"one of {', '.join(games())}; absent = all")
    parser.add_argument("--quiet", action="store_true", help="faults only")
    args = parser.parse_args(argv)
    code = 0
    for game in args.game or games():
        try:
            listing = load(game)
            found = Proof(listing, run_cases(listing), run_tests(listing)).faults()
        except BadListError as wrong:
            print(f"error: {wrong}", file=sys.stderr)
            return 2
        if not args.quiet:
            print("\n".join(table(listing, found)))
        for line in (*waiting(listing), *(f"fault: {fault}" for fault in found)):
            print(line)
        waits = {entry.id for entry in listing.entries if entry.waits}
        held = len(listing.ids - waits - {fault.entry for fault in found})
        print(f"{game}: {held} of {len(listing.ids)} rules held, {len(waits)} wait, {len(found)} faults")
        code = max(code, 1 if found else 0)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
