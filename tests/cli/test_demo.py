"""The bundled example: from keys to audit, the same in every run, whatever the dice would bring."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.cli import demo
from tests.cli.conftest import Result, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The demo, played once."""
    out = tmp_path_factory.mktemp("demo") / "OUT"
    return out, good("demo", out)


def test_it_shows_every_command_with_its_answer(played: tuple[Path, Result]) -> None:
    told = played[1].out
    typed = [line for line in told.splitlines() if line.startswith(("alice$ adjudicator ", "bob$ adjudicator "))]
    commands = {line.split()[2] for line in typed}
    assert commands == {
        "keygen",
        "new",
        "accept",
        "receive",
        "open",
        "status",
        "template",
        "check",
        "moves",
        "try",
        "sign",
        "report",
        "explain",
        "verify",
        "export",
    }
    assert "[y/N] y" in told
    assert len(typed) > 40


def test_the_planted_error_is_shown_with_line_rule_and_mend(played: tuple[Path, Result]) -> None:
    told = played[1].out
    (line,) = [line for line in told.splitlines() if line.startswith("p1.yaml:") and "error[" in line]
    assert "error[WD 6.mp]: 7th Royal Tank Regiment needs 10 of 6 MP" in line
    assert "the nearest it can reach is" in line
    number = int(line.split(":")[1])
    mended = (played[0] / "bob" / "p1.yaml").read_text(encoding="utf-8").splitlines()
    assert mended[number - 2 : number] == ["    unit: 7 RTR", "    to: 19/0727"]
    assert told.index(line) < told.index("5 orders: 5 legal, 0 illegal; 0 problems")


def test_what_it_leaves(played: tuple[Path, Result]) -> None:
    out = played[0]
    logs = sorted(out.rglob("log.jsonl"))
    assert [log.relative_to(out).as_posix() for log in logs] == ["alice/compass/log.jsonl", "bob/compass/log.jsonl"]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    for log in logs:
        good("verify", log.parent)
        reports = sorted(path.name for path in (log.parent / "reports").iterdir())
        assert "0006-axis.md" in reports or "0006-allied.md" in reports
    for suffix in ("vmod", "vsav"):
        (file,) = out.rglob(f"*.{suffix}")
        assert zipfile.ZipFile(file).testzip() is None
    states = [(log.parent / "state" / "events" / "0010.json").read_bytes() for log in logs]
    assert states[0] == states[1]


def test_tampering_is_shown(played: tuple[Path, Result]) -> None:
    told = played[1].out
    assert "message 4: error[E_SIG]" in told
    assert "message 10: error[E_SIG]" in told
    assert "Everything holds." in told


def test_any_changed_character_of_its_log_is_found(played: tuple[Path, Result], tmp_path: Path) -> None:
    data = (played[0] / "bob" / "compass" / "log.jsonl").read_bytes()
    step = len(data) // 12
    for at in range(step, len(data), step):
        changed = data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]
        (tmp_path / "log.jsonl").write_bytes(changed)
        assert_clear(cli("verify", tmp_path), r"error\[E_[A-Z]+\]", 1)


def test_it_is_the_same_in_every_run_and_cleans_up_after_itself(played: tuple[Path, Result], tmp_path: Path) -> None:
    again = tmp_path / "OUT"
    shutil.copytree(played[0], again)
    result = good("demo", again)
    assert result.out.replace(str(again), "") == played[1].out.replace(str(played[0]), "")
    assert tree_of(again) == tree_of(played[0])


def test_it_never_writes_over_something_else(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert_clear(cli("demo", tmp_path), "something else in this folder", 2)
    assert_clear(cli("demo", tmp_path / "mine.txt"), "this is a file", 2)
    (tmp_path / demo.MARK).write_text("", encoding="utf-8")
    assert_clear(cli("demo", tmp_path), "something else in this folder", 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([demo.MARK, "mine.txt"])


@pytest.mark.parametrize("seed", ["s1", "s2"])
def test_its_orders_stand_whatever_the_dice(seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data change the name of the game and with it all dice: no outcome may break the example."""
    monkeypatch.setattr(demo, "SEED", seed)
    told = good("demo", tmp_path / "OUT").out
    assert told.count("0 illegal; 0 problems") in (4, 5)


def test_a_step_that_goes_wrong_fails_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.cli.story.begin", lambda stage: stage.type("alice", "status nowhere"))
    assert_clear(cli("demo", tmp_path / "OUT"), "no such folder", 1)


def test_an_installation_without_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = replace(demo.SHOWS["western-desert"], example=Path("nowhere"))
    monkeypatch.setitem(demo.SHOWS, "western-desert", nowhere)
    assert_clear(cli("demo", tmp_path / "OUT"), "example is missing")
