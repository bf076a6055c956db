"""What `audit` says of restores, forks, lost chains, replaced turns, other keys and chains, in both games."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from adjudicator.cli.audit import ODDITIES
from adjudicator.match.match import Match
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import read_line, write_turn
from adjudicator.protocol.message import Message
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good
from tests.docs.pages import ROOT

GAMES = {"western-desert": "compass", "shifting-sands": "campaign"}
OTHER = {AXIS: ALLIED, ALLIED: AXIS}
Start = Callable[[], Pair]
NO_DECKS = pytest.mark.parametrize("begun", ["western-desert"], indirect=True)
"""With the secret the hand is lost: a chain can be lost in games without decks alone."""


@pytest.fixture(scope="module", params=GAMES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each system after messages 1 to 3; the Allied player owes message 4."""
    pair = Pair(tmp_path_factory.mktemp("oddities") / "game")
    with chance.fixed("oddities"):
        good("new", request.param, GAMES[request.param], pair.folder(AXIS), "--name", "Alice", "--title", "Odd")
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        for side in (AXIS, ALLIED, AXIS):
            pair.bare(side)
    return pair.root


@pytest.fixture
def start(begun: Path, tmp_path: Path) -> Start:
    """A copy of it."""
    return lambda: Pair(Path(shutil.copytree(begun, tmp_path / "game")))


def told(pair: Pair, found: dict[str, list[int]], sides: tuple[str, ...] = (AXIS, ALLIED)) -> str:
    """`audit` of folders counts just these messages, each with its sentence, and says nothing of the others."""
    said = ""
    for side in sides:
        tree = good("audit", pair.folder(side), "--json").json
        assert {name: tree[name] for name in ODDITIES if tree[name]} == found
        assert tree["meaning"] == {name: ODDITIES[name][1] for name in found}
        said = " ".join(good("audit", pair.folder(side)).out.split())
        for name, (title, meaning) in ODDITIES.items():
            seqs = found.get(name, [])
            where = f" (message{'s' * (len(seqs) > 1)} {', '.join(map(str, seqs))})" if seqs else ""
            assert f"{title}: {len(seqs)}{where}" in said
            assert (meaning in said) == bool(seqs)
    return said


def by_hand(pair: Pair, side: str, message: Message, path: Path, **changes: Any) -> Path:
    """The turn file of a changed body, signed by its author."""
    path.write_bytes(write_turn(sign_body({**message.body, **changes}, Match.load(pair.folder(side)).key())))
    return path


def written(pair: Pair, side: str) -> Message:
    """The message that a side signs next, its folder as it was before."""
    kept = shutil.copytree(pair.folder(side), pair.root / "kept")
    good("open", pair.folder(side), "--yes")
    match = Match.load(pair.folder(side))
    message = read_line(match.lines[match.verifier.head])
    shutil.rmtree(pair.folder(side))
    kept.rename(pair.folder(side))
    return message


def test_a_game_without_any(start: Start) -> None:
    said = told(start(), {})
    assert "a loud one of a single game nothing" in said


def test_a_log_brought_back(start: Start, tmp_path: Path) -> None:
    pair = start()
    words = tmp_path / "words.txt"
    words.write_text(good("doctor", pair.folder(ALLIED), "--words").out, encoding="utf-8")
    good("head", pair.folder(AXIS))
    statement = next((pair.folder(AXIS) / "outbox").glob("*head*"))
    shutil.rmtree(pair.folder(ALLIED))
    log = pair.folder(AXIS) / "log.jsonl"
    good("import", pair.folder(ALLIED), log, "--head", statement, "--words", words)
    pair.bare(ALLIED)
    assert "nobody can prove but the one who lost his" in told(pair, {"restored": [4]})


def test_two_versions_of_a_turn(start: Start, tmp_path: Path) -> None:
    """The folder that has both tells it; the other folder and the bare log know of one alone."""
    pair = start()
    pair.bare(ALLIED)
    match = Match.load(pair.folder(ALLIED))
    second = by_hand(pair, ALLIED, read_line(match.lines[4]), tmp_path / "second.turn", note="again")
    assert cli("receive", pair.folder(AXIS), second).code == 1
    assert "an old copy of a folder does it as well" in told(pair, {"forked": [4]}, (AXIS,))
    told(pair, {}, (ALLIED,))
    assert good("audit", pair.folder(AXIS) / "log.jsonl", "--json").json["forked"] == [4]
    bare = Path(shutil.copy(pair.folder(AXIS) / "log.jsonl", tmp_path / "bare.jsonl"))
    assert good("audit", bare, "--json").json["forked"] == []


@NO_DECKS
@pytest.mark.parametrize("answer", ["allow", "claim"])
def test_a_lost_chain(answer: str, start: Start, tmp_path: Path) -> None:
    """The dice that were never opened are in no count; where they are made anew they count once."""
    pair = start()
    before = good("audit", pair.folder(AXIS), "--json").json
    (pair.folder(ALLIED) / "private" / "secret.yaml").unlink()
    good("lost", pair.folder(ALLIED), "--yes")
    pair.deliver(ALLIED)
    if answer == "claim":
        good("open", pair.folder(AXIS), "--claim", "--yes")
    else:
        (tmp_path / "anew.yaml").write_text("orders: []\n", encoding="utf-8")
        draft = Path(shutil.copy(tmp_path / "anew.yaml", pair.folder(AXIS)))
        good("sign", draft, "--allow-lost", "--yes")
    pair.deliver(AXIS)
    assert "can't be told from dice that were seen and not liked" in told(pair, {"lost": [4]})
    after = good("audit", pair.folder(AXIS), "--json").json
    assert after["both"]["rolls"] == before["both"]["rolls"]


def test_a_turn_that_replaces_another(start: Start, tmp_path: Path) -> None:
    """The first names another state and is rejected; the second says so. That there was a first, no log can show."""
    pair = start()
    message = written(pair, ALLIED)
    wrong = by_hand(pair, ALLIED, message, tmp_path / "1.turn", state="0" * 64)
    assert "E_STATE" in cli("receive", pair.folder(AXIS), wrong).all
    first = sign_body({**message.body, "state": "0" * 64}, Match.load(pair.folder(ALLIED)).key())
    excuse = {"id": first.id, "code": "E_STATE"}
    mended = by_hand(pair, ALLIED, message, tmp_path / "2.turn", replaces=excuse)
    good("receive", pair.folder(AXIS), mended)
    assert "it can't show that there was a first" in told(pair, {"replaced": [4]}, (AXIS,))
    assert "E_STATE" in cli("receive", pair.folder(AXIS), wrong).all
    told(pair, {"replaced": [4]}, (AXIS,))
    valid = by_hand(pair, ALLIED, message, tmp_path / "3.turn")
    assert "E_FORK" in cli("receive", pair.folder(AXIS), valid).all
    told(pair, {"replaced": [4], "forked": [4]}, (AXIS,))


def test_another_key_and_another_chain(start: Start) -> None:
    pair = start()
    good("new-key", pair.folder(ALLIED))
    pair.bare(ALLIED)
    good("new-chain", pair.folder(AXIS))
    for side in (AXIS, ALLIED, AXIS):
        pair.bare(side)
    said = told(pair, {"rekeyed": [4], "reanchored": [5]})
    assert "never who held it" in said and "before the orders that they serve" in said


def test_a_run_of_bad_luck() -> None:
    """Where there was one, the run is told with both chances, and with what they are worth."""
    had = 0
    for log in sorted(ROOT.glob("turnfiles/*/*/log.jsonl")):
        said = " ".join(good("audit", log).out.split())
        runs = [side["drought"] for side in good("audit", log, "--json").json["sides"] if side["drought"]]
        assert all(0 < run["chance"] <= run["somewhere"] <= 1 for run in runs)
        runs = [run for run in runs if run["rolls"] > 1]
        assert ("longest run without more than was to be expected: " in said) is bool(runs)
        assert ("that of such a run, or a longer one, somewhere in these rolls" in said) is bool(runs)
        assert "a long game has one" in said
        had += len(runs)
    assert had
