"""Help, the page of the command line, exit codes of the program itself, and what a command drags in."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from adjudicator import __version__
from adjudicator.cli import errors
from adjudicator.cli.main import FAMILIES, STOPPED, command_of, run
from tests.cli.conftest import Pair, cli, good

ROOT = Path(__file__).resolve().parents[2]


def imported(*words: str) -> set[str]:
    """The modules a command line imports, in a process of its own."""
    code = (
        f"import sys; from adjudicator.cli.main import run; run({list(words)!r}); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    return set(done.stderr.split())


def test_the_registry_of_commands_is_true() -> None:
    for family, names in FAMILIES.items():
        app = typer.Typer()
        import_module(f"adjudicator.cli.{family}").add_to(app)
        found = [info.name or info.callback.__name__ for info in app.registered_commands if info.callback]
        assert (*found, *(group.name for group in app.registered_groups)) == names


def test_every_command_and_option_has_help() -> None:
    root = command_of()
    found = [*root.commands.values()]
    for command in found:
        found += getattr(command, "commands", {}).values()
    for command in found:
        assert command.help and re.match(r"[A-Z].*\.", command.help), command.name
        for parameter in command.params:
            assert parameter.help, f"{command.name}: {parameter.name} has no help"


def test_no_command_shows_help_and_is_unusable() -> None:
    result = cli()
    assert result.code == 2
    assert "Commands:" in result.out


def test_version() -> None:
    assert good("--version").out == f"adjudicator {__version__}\n"


def test_module_and_console_command_are_one() -> None:
    done = subprocess.run([sys.executable, "-m", "adjudicator", "--version"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"adjudicator {__version__}\n")


@pytest.mark.parametrize("words", [["--help"], ["check"], ["check", "--help"], ["nonsense"]])
def test_nothing_heavy_is_imported_for_help_and_slips(words: list[str]) -> None:
    found = imported(*words)
    heavy = {"rich", "pydantic", "yaml", "cryptography", "lxml", "adjudicator.western_desert.game"}
    assert heavy & found == set()


def test_a_check_needs_neither_signatures_nor_pictures(movement: Pair) -> None:
    file = movement.orders("1-movement.yaml")
    found = imported("check", str(file))
    assert "adjudicator.western_desert.game" in found
    assert {"rich", "pydantic", "cryptography", "lxml", "adjudicator.report"} & found == set()


def test_a_fault_of_the_program_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(system: str) -> None:
        raise RuntimeError(f"out of\nluck with {system}")

    monkeypatch.setattr("adjudicator.packs.load_pack", broken)
    result = cli("pack", "list")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "error[internal]: the program failed (RuntimeError: out of luck" in result.err
    assert "please report it" in result.err
    monkeypatch.setenv(errors.DEBUG, "1")
    assert "Traceback" in cli("pack", "list").err


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(system: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("adjudicator.packs.load_pack", stop)
    result = cli("pack", "list")
    assert result.code == STOPPED
    assert result.err.startswith("error[stopped]: the command was stopped; nothing is half done: ")


def test_errors_come_as_json_too() -> None:
    result = cli("status", "nowhere", "--json")
    assert result.code == 2
    assert result.json["ok"] is False
    assert "no such folder" in result.json["errors"][0]
    assert run(["status", "nowhere"]) == 2
