"""The bundled rounds of Shifting Sands, from keys to audit: the same in every run, sound whatever the dice bring."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.cli import demo
from tests.cli.conftest import Result, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear
from tests.shifting_sands.rounds import FIRST_ROUNDS, SYSTEM

pytestmark = pytest.mark.xdist_group("demo-sands")
WITH = ("--system", SYSTEM)
HOLDS = "0 illegal; 0 problems"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The demo, played once."""
    out = tmp_path_factory.mktemp("sands") / "OUT"
    return out, good("demo", out, *WITH)


def test_it_shows_every_command_with_its_answer(played: tuple[Path, Result]) -> None:
    told = played[1].out
    typed = [line for line in told.splitlines() if line.startswith(("alice$ adjudicator ", "bob$ adjudicator "))]
    commands = {line.split()[2] for line in typed}
    assert commands == {
        "keygen", "new", "accept", "receive", "open", "status", "template", "check", "sign", "report", "verify",
        "export",
    }  # fmt: skip
    assert told.count("[y/N] y") == told.count(HOLDS) == len(FIRST_ROUNDS)


def test_the_planted_error_is_shown_with_line_rule_and_mend(played: tuple[Path, Result]) -> None:
    told = played[1].out
    (line,) = [line for line in told.splitlines() if line.startswith("m06.yaml:") and "error[" in line]
    assert "error[SS 9.1]: Alexandria is not activated for movement; order move_marker for Alexandria" in line
    assert told.index(line) < told.index("7 orders: 7 legal, 0 illegal; 0 problems")


def test_it_tells_the_rounds(played: tuple[Path, Result]) -> None:
    told = " ".join(played[1].out.split())
    for words in (
        "It is Summer 1940, action round 1 of 6: the Axis action.",
        "you owe message 4 since message 3: your answer to the attack on Halfaya: combat cards, losses, ",
        "Campaign: Summer 1940, action round 1, the Axis action: the combat for Halfaya",
        "# Your fire: strength 1 on the battlegroup table, column 1; die as rolled; losses 0 0 0 1 1 1 for a die of",
        "# Halfaya may be held by one more step (SS 11.53), if a defending step remains. Default: no.",
        "action round 2, the Axis action: the combats for Kassala and Gallabat",
        "attack Sidi Suleiman with a flank attack, held by the Italian 1st and 2nd Libyan Divisions",
        "1 roll: combat/sidi-suleiman/flank ",
        "your action of round 3: card, markers, moves, attacks",
    ):
        assert words in told, words


def test_what_it_leaves(played: tuple[Path, Result]) -> None:
    out = played[0]
    logs = sorted(out.rglob("log.jsonl"))
    assert [log.relative_to(out).as_posix() for log in logs] == ["alice/sands/log.jsonl", "bob/sands/log.jsonl"]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert len(logs[0].read_bytes().splitlines()) == len(FIRST_ROUNDS) + 3
    for log in logs:
        assert "Everything holds." in good("verify", log.parent).out
        reports = sorted(path.name[:4] for path in (log.parent / "reports").iterdir())
        assert reports[:12] == [f"{n:04d}" for n in range(12)]


def test_tampering_is_shown(played: tuple[Path, Result]) -> None:
    told = played[1].out
    assert "error[E_SIG]" in told
    assert "Everything holds." in told


def test_it_is_the_same_in_every_run_and_cleans_up_after_itself(played: tuple[Path, Result], tmp_path: Path) -> None:
    again = tmp_path / "OUT"
    shutil.copytree(played[0], again)
    result = good("demo", again, *WITH)
    assert result.out.replace(str(again), "") == played[1].out.replace(str(played[0]), "")
    assert tree_of(again) == tree_of(played[0])


@pytest.mark.parametrize("seed", ["s1", "s2", "s3", "s4"])
def test_its_orders_stand_whatever_the_dice(seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data change the name of the game and with it all dice: no outcome may break the example."""
    monkeypatch.setattr(demo, "SEED", seed)
    assert good("demo", tmp_path / "OUT", *WITH).out.count(HOLDS) == len(FIRST_ROUNDS)


def test_a_game_without_an_example(tmp_path: Path) -> None:
    result = cli("demo", tmp_path / "OUT", "--system", "tea")
    assert_clear(result, "--system tea: there is no example; choose one of: shifting-sands, western-desert", 2)
    assert not (tmp_path / "OUT").exists()
