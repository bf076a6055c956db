"""Reports of a real game between two folders: every message, kept whole in the folder, made again from the log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.match.folder import GENESIS_FILE
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.protocol.log import read_turn
from adjudicator.report import ReportError, dice_list, dice_text, narrative, write_reports
from adjudicator.report.chapter import Events

SURPRISE = b"""orders:
  - type: section
    name: movement
  - type: move
    units: 4 Arm X, 7 Arm X, 7 SG
    to: 19/0826
  - {type: section, name: air}
  - type: section
    name: combat
  - type: attack
    hex: 19/0726
    with: 4 Arm X, 7 Arm X, 7 SG
    supply: supply-allied-1:1
    advance: all
"""
EMPTY = b"orders: []\n"
STANDING = b"""orders:
  - type: standing
    topic: retreat
    rules:
      - stack: any
        prefer: SW
"""
LAST = 4


def chance(name: str) -> Callable[[int], bytes]:
    """Secrets of a seed, so that the game is the same every time."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{name}/{count}".encode()).digest(size)

    return draw


def player(name: str) -> Player:
    """A player with a key and secrets of his own."""
    return Player(name, key_seed=hashlib.sha256(name.encode()).digest(), links=64, random=chance(name))


def send(writer: Match, reader: Match, draft: bytes, note: str | None = None) -> None:
    """Check, sign and mail one message."""
    result = writer.check(read_draft(draft))
    assert result.problems == []
    message = writer.sign(result, note, chance(f"{writer.me}/{writer.verifier.head}"))
    assert reader.receive(message).verdict.ok


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A game up to the opening of the surprise turn: folders of the Axis and of the Allies."""
    root = tmp_path_factory.mktemp("game")
    offer = make_game(root / "axis", "western-desert", "compass", player("Mario"), "Compass by mail")
    accept_offer(root / "allied", offer.read_bytes(), player("Jock"))
    allied = Match.load(root / "allied")
    axis = receive_genesis(root / "axis", read_turn((root / "allied" / "outbox" / GENESIS_FILE).read_bytes()))
    send(axis, allied, EMPTY)
    send(allied, axis, EMPTY)
    send(axis, allied, STANDING)
    send(allied, axis, SURPRISE, "Good hunting.")
    send(axis, allied, EMPTY)
    return root / "axis", root / "allied"


def test_both_players_read_the_same_story(folders: tuple[Path, Path]) -> None:
    axis, allied = (Match.load(folder) for folder in folders)
    for seq in range(LAST + 1):
        assert narrative(axis, seq, None) == narrative(allied, seq, None)


def test_the_surprise_turn_is_told(folders: tuple[Path, Path]) -> None:
    told = " ".join(narrative(Match.load(folders[1]), LAST, "allied").split())
    for words in (
        "Dec I 40, the Allied surprise turn",
        "The Allied player writes: “Good hunting.”",
        "opened by the Axis with link 3",
        "the 4th and 7th Armoured Brigades and the 7th Support Group",
        "to 19/0826",
        "label combat/19.0726/crt, opened by the Axis, link 3",
        "column",
        "Where things stand",
        "Losses",
    ):
        assert words in told


def test_the_set_up_is_told(folders: tuple[Path, Path]) -> None:
    told = narrative(Match.load(folders[0]), 0, "axis")
    for words in ("Order of battle", "Italian disarray", "61st Sirte Division", "setup/axis/air-cr-42-1/disarray"):
        assert words in told


def test_every_die_of_the_game_is_that_of_its_seed(folders: tuple[Path, Path]) -> None:
    match = Match.load(folders[1])
    counts = [len(dice_list(match, seq)) for seq in range(LAST + 1)]
    assert counts[0] > 0
    assert counts[LAST] == 1
    assert all(die.agrees for seq in range(LAST + 1) for die in dice_list(match, seq))
    assert match.verifier.seed(LAST).hex() in dice_text(match, LAST)
    assert "`combat/19.0726/crt`" in dice_text(match, LAST, form="markdown")


def test_the_newest_message_is_the_default(folders: tuple[Path, Path]) -> None:
    match = Match.load(folders[1])
    assert narrative(match) == narrative(match, match.verifier.resolved)


def test_reports_are_kept_whole_in_the_folder(folders: tuple[Path, Path]) -> None:
    match = Match.load(folders[1])
    paths = write_reports(match, LAST)
    assert paths == [folders[1] / "reports" / "0004-allied.md"]
    assert paths[0].read_text(encoding="utf-8") == narrative(match, LAST, "allied", "markdown")
    assert [path.name for path in paths[0].parent.iterdir()] == ["0004-allied.md"]


def test_a_crash_while_writing_leaves_the_old_report(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match.load(folders[0])
    (path,) = write_reports(match, LAST)
    path.write_text("old", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk is full"):
        write_reports(match, LAST)
    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_lost_events_are_worked_out_again(folders: tuple[Path, Path]) -> None:
    match = Match.load(folders[1])
    before = [Events(match).of(seq) for seq in range(LAST + 1)]
    told = narrative(match, LAST)
    for path in (folders[1] / "state" / "events").iterdir():
        path.unlink()
    assert [Events(match).of(seq) for seq in range(LAST + 1)] == before
    assert narrative(match, LAST) == told


@pytest.mark.parametrize(
    ("seq", "viewer", "fault"),
    [
        (99, None, "there is no message 99"),
        (5, "allied", "dice of message 5 are not open yet"),
        (-1, None, "there is no message -1"),
        (4, "vichy", "no side 'vichy'.*axis, allied"),
    ],
)
def test_what_can_not_be_told_is_an_error_with_a_mend(
    folders: tuple[Path, Path], seq: int, viewer: str | None, fault: str
) -> None:
    with pytest.raises(ReportError, match=fault):
        narrative(Match.load(folders[0]), seq, viewer)
