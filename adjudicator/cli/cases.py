"""Conformance cases: ``case run``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import UNUSABLE, WRONG, Fail, Json, leave, print_json, read_bytes, say

if TYPE_CHECKING:
    from adjudicator.engine.casecheck import CaseResult

MAX_CASES = 32 * 1024 * 1024


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    group = typer.Typer(help="Conformance cases.")
    group.command("run")(run)
    group.callback()(_root)
    app.add_typer(group, name="case")


def _root() -> None:
    """Conformance cases: positions with orders, dice and the expected result."""


def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files (YAML).")],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only this case; may be given again.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not name skipped cases.")] = False,
    as_json: Json = False,
) -> None:
    """Play cases through the rules of the game and compare with what they expect."""
    from adjudicator.cli.errors import describe

    results: list[tuple[Path, CaseResult]] = []
    faults: list[str] = []
    for file in files:
        try:
            results += [(file, result) for result in _run_file(file, only or [])]
        except (Fail, OSError) as refused:
            faults += describe(refused)[0]
    _check_only(only or [], results, faults)
    counts = {
        status: sum(result.status == status for _, result in results) for status in ("passed", "failed", "skipped")
    }
    if as_json:
        print_json({"ok": not counts["failed"] and not faults, **counts, "errors": faults, "cases": _trees(results)})
    else:
        for file, result in results:
            _show(file, result, quiet)
        for fault in faults:
            typer.echo(fault, err=True)
        say(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    leave(UNUSABLE if faults else WRONG if counts["failed"] else 0)


def _run_file(file: Path, only: list[str]) -> list[CaseResult]:
    tree = _load(file)
    for runner in _runners():
        if runner.is_case_file(tree):
            results: list[CaseResult] = runner.run_cases(tree, only)
            return results
    raise Fail(f"{file}: error[case]: this is no case file of a game that is built; see docs/cases.md for the form")


def _runners() -> Iterator[Any]:
    """The games that run cases: those with a package ``cases``."""
    from adjudicator.match.games import systems

    for system in systems():
        package = f"adjudicator.{system.replace('-', '_')}"
        if find_spec(package) is not None and find_spec(f"{package}.cases") is not None:
            yield import_module(f"{package}.cases.core")


def _load(file: Path) -> Any:
    import yaml

    data = read_bytes(file, MAX_CASES)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(data, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        said = " ".join(str(getattr(error, "problem", None) or error).split())
        raise Fail(
            f"{file}{where}: error[case]: not readable YAML ({said}); mend the line or take the file anew"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Fail(f"{file}: error[case]: not readable YAML ({error}); take the file anew") from None


def _check_only(only: list[str], results: list[tuple[Path, CaseResult]], faults: list[str]) -> None:
    found = {result.id for _, result in results}
    faults += [
        f"error[case]: there is no case {wanted} in these files; look at its id"
        for wanted in only
        if wanted not in found
    ]


def _show(file: Path, result: CaseResult, quiet: bool) -> None:
    if result.status == "passed" or (quiet and result.status == "skipped"):
        return
    if result.status == "skipped":
        say(f"skipped {result.id}: {'; '.join(result.lines)}")
        return
    say(f"failed {result.id} ({file})")
    for line in result.lines:
        say(f"    {line}")


def _trees(results: list[tuple[Path, CaseResult]]) -> list[dict[str, Any]]:
    return [
        {"id": result.id, "file": str(file), "status": result.status, "lines": list(result.lines)}
        for file, result in results
    ]
