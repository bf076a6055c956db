"""Contents of sealed books after a loss: out of a copy, the sealed copy, the turn files; or a clear error."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.doctor import State, examine
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.folder import FolderError
from adjudicator.match.keepsake import mark_backed_up
from adjudicator.match.match import Match
from adjudicator.match.recovery import copy_path, missing_books, recover
from tests.match.conftest import entropy
from tests.match.test_sealed_orders import SEALED, attack, begin, proved, send
from tests.shifting_sands.rounds import ALLIED, AXIS

SECOND = b"orders:\n  - {type: standing, topic: flip, rules: none, sealed: yes}\n"
THIRD = b"orders:\n  - {type: standing, topic: losses, sealed: yes, rules: [{first: BR inf BG 5}]}\n"
Found = Callable[[Path], list[tuple[str, bytes]]]


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A game in which Allied sealed three times, each time one topic more."""
    root = begin(tmp_path)
    for text in (SEALED, SECOND, THIRD):
        send(root)
        send(root, text)
    return root


def lose(root: Path) -> Path:
    """Allied loses what stands nowhere else; the copies remain in the mail."""
    folder = root / ALLIED
    (folder / "private" / "books.json").unlink()
    return folder


def copies(root: Path) -> list[tuple[str, bytes]]:
    """The sealed copies, one of them as a mail quotes it."""
    paths = sorted((root / ALLIED / "outbox").glob("*.sealed"))
    assert len(paths) == 3
    first, *others = [(path.name, path.read_bytes()) for path in paths]
    quoted = b"\r\n".join(b"> " + line for line in first[1].splitlines())
    return [(first[0], quoted), *others]


def drafts(root: Path) -> list[tuple[str, bytes]]:
    """The turn files as they were written, in any order."""
    return [("third", THIRD), ("first", SEALED), ("second", SECOND)]


def backup(root: Path) -> list[tuple[str, bytes]]:
    """A copy of the file itself."""
    return [("books.json", (root / ALLIED / "private" / "books.json").read_bytes())]


@pytest.mark.parametrize("source", [copies, drafts, backup])
def test_each_of_the_three_brings_everything_back(sealed: Path, source: Found) -> None:
    files = source(sealed)
    before = (sealed / ALLIED / "private" / "books.json").read_bytes()
    folder = lose(sealed)
    assert [one.seq for one in missing_books(Match.load(folder))] == [2, 4, 6]
    result = recover(Match.load(folder), [*files, ("other", b"orders: []\n")])
    assert (result.found, result.missing, result.idle) == ([2, 4, 6], [], ["other"])
    assert (folder / "private" / "books.json").read_bytes() == before
    send(sealed, attack(sealed))
    assert "open" in send(sealed).body
    proved(sealed)


def test_what_is_wrong_brings_nothing_back(sealed: Path) -> None:
    """Everything is held against the root: another text, a copy of another game, a damaged one."""
    files = copies(sealed)
    folder = lose(sealed)
    wrong = [
        ("text", SEALED.replace(b"none", b"ask")),
        ("cut", files[1][1][:-400]),
        ("bits", files[2][1].replace(b"A", b"B")),
        ("noise", bytes(range(256))),
        ("json", b'{"books":[],"format":"pbem1-books/1"}'),
    ]
    result = recover(Match.load(folder), wrong)
    assert (result.found, result.missing, len(result.idle)) == ([], [2, 4, 6], 5)
    assert recover(Match.load(folder), files[:1]).found == [2]
    assert [one.seq for one in missing_books(Match.load(folder))] == [4, 6]


def test_a_sealed_copy_tells_nobody_anything(sealed: Path) -> None:
    """All are of one length, none holds a word of it, another one's secret does not open it."""
    found = copies(sealed)
    assert len({len(data) for _, data in found[1:]}) == 1
    assert not any(word in data for _, data in found for word in (b"cards", b"flip", b"rules"))
    shutil.rmtree(sealed / ALLIED / "private")
    result = recover(Match.load(sealed / AXIS), found)
    assert (result.found, len(result.idle)) == ([], 3)


def test_a_copy_is_written_again_with_the_message(sealed: Path) -> None:
    match = Match.load(sealed / ALLIED)
    path = copy_path(match, 2)
    before = path.read_bytes()
    path.unlink()
    match.resend(2)
    assert path.read_bytes() == before
    Match.load(sealed / AXIS).resend(1)
    assert not list((sealed / AXIS / "outbox").glob("*.sealed"))


def test_a_new_book_does_not_lose_the_old_one_in_silence(sealed: Path) -> None:
    send(sealed)
    folder = lose(sealed)
    match = Match.load(folder)
    result = match.check(read_draft(SEALED))
    assert result.legal
    with pytest.raises(FolderError, match=r"message 6 is not kept here.*`recover`"):
        match.sign(result, entropy=entropy("anew"))


def test_nothing_is_signed_that_the_other_side_would_reject(sealed: Path) -> None:
    send(sealed, attack(sealed))
    folder = lose(sealed)
    head = Match.load(folder).verifier.head
    (folder / "private" / "verified.json").unlink()
    with pytest.raises(FolderError, match=r"books\.json.*contents are not here; `recover`"):
        Match.load(folder).check(Draft())
    assert Match.load(folder).verifier.head == head


def test_doctor_says_what_to_back_up(sealed: Path) -> None:
    def told(name: str) -> tuple[State, str]:
        one = next(one for one in examine(sealed / ALLIED) if one.name == name)
        return one.state, f"{one.text}; {one.mend}"

    state, text = told("sealed")
    assert state is State.GOOD and "3 messages" in text and "*.sealed" in text
    assert "the words don't give back what you sealed" in told("backup")[1]
    match = Match.load(sealed / ALLIED)
    mark_backed_up(match.folder)
    assert told("backup")[0] is State.GOOD
    send(sealed)
    send(sealed, SEALED)
    assert "not backed up since what you sealed changed" in told("backup")[1]
    lose(sealed)
    state, text = told("sealed")
    assert state is State.BAD and "message 2, 4, 6, 8 is not kept" in text and "`recover`" in text
    assert not any(one.name == "sealed" for one in examine(sealed / AXIS))
