"""scripts/run.py: makes the environment once, says what is wrong in one line, hands exit codes on."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with its environment in a folder of its own and no pip run."""
    spec = importlib.util.spec_from_file_location("run_script", ROOT / "scripts/run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / "venv/installed.txt")
    return module


class Pip:
    """Stands in for subprocess: remembers commands, ends them all with one exit code."""

    DEVNULL = -3

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.commands: list[list[str]] = []

    def run(self, command: list[Any], **_options: Any) -> SimpleNamespace:
        """Remember and end."""
        self.commands.append([str(word) for word in command])
        return SimpleNamespace(returncode=self.code)


def stand_in(script: ModuleType, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> Pip:
    """Replace pip and the making of environments."""
    pip = Pip(code)
    monkeypatch.setattr(script, "subprocess", pip)
    monkeypatch.setattr(script, "make_environment", lambda: (script.VENV.mkdir(exist_ok=True), ["pip"])[1])
    monkeypatch.setattr(script, "installer", lambda: ["pip"])
    return pip


def test_the_environment_is_made_once(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = stand_in(script, monkeypatch)
    script.set_up(["run"])
    assert pip.commands[0][-2:] == ["--editable", str(ROOT)]
    script.set_up(["run"])
    assert len(pip.commands) == 1
    script.set_up(["dev"])
    assert pip.commands[1][-1] == f"{ROOT}[dev]"
    script.set_up(["bench"])
    assert pip.commands[2][-1] == f"{ROOT}[bench,dev]"
    script.set_up(["run", "dev"])
    assert len(pip.commands) == 3
    assert script.installed() == {"run", "dev", "bench"}


def test_a_change_of_what_it_depends_on_makes_it_anew(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(script, monkeypatch)
    script.set_up(["dev"])
    monkeypatch.setattr(script, "fingerprint", lambda: "another Python")
    assert script.installed() == set()


def test_a_failing_pip_is_told_and_leaves_no_stamp(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(script, monkeypatch, code=1)
    assert script.main(["demo"]) == 2
    assert capsys.readouterr().err == "error: pip could not install what is needed; its message stands above\n"
    assert script.installed() == set()


@pytest.mark.parametrize("words", [[], ["play"], ["--help"]])
def test_unknown_words_show_the_usage(script: ModuleType, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(words) == 2
    assert "usage: python3 scripts/run.py demo|test" in capsys.readouterr().err


def test_an_old_python_is_told(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "OLDEST", (4, 0))
    assert script.main(["demo"]) == 2
    assert "Python 4.0 or newer is needed" in capsys.readouterr().err


def test_exit_codes_are_handed_on_and_no_test_is_a_failure(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = stand_in(script, monkeypatch)
    monkeypatch.setattr(script, "workers", lambda: 2)
    assert script.main(["test"]) == 0
    assert pip.commands[-1][-4:] == ["-n", "2", "--dist", "loadgroup"]
    assert script.main(["test", "-k", "zoc"]) == 0
    assert pip.commands[-1][-3:] == ["pytest", "-k", "zoc"]
    pip.code = 5
    assert script.main(["test"]) == 5
    assert "No test ran" in capsys.readouterr().err
    assert script.main(["lint"]) == 5
    assert pip.commands[-1][-1] == "check"


@pytest.mark.parametrize(("usable", "begun"), [(1, 2), (2, 2), (4, 4), (64, 8)])
def test_as_many_workers_as_processors(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, usable: int, begun: int
) -> None:
    monkeypatch.setattr(script.os, "sched_getaffinity", lambda _process: set(range(usable)), raising=False)
    assert script.workers() == begun
    monkeypatch.delattr(script.os, "sched_getaffinity")
    monkeypatch.setattr(script.os, "cpu_count", lambda: usable)
    assert script.workers() == begun
