"""What one side is told does not hang on the other's hidden hand: two games that differ in nothing else (pbem 7.4)."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.games import pack_of
from adjudicator.match.match import Match
from adjudicator.match.play.seats import Pairing
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.log import write_line, write_turn
from tests.cli.conftest import cli
from tests.match.hidden_worlds import (
    ALLIED,
    AXIS,
    Course,
    again,
    faces_of,
    fixed_dice,
    folder_of,
    never_seen,
    played,
    scouted,
    with_swap,
)

COMMITTED = re.compile(r"[0-9a-f]{12,}")
"""Ids, roots, salts, links, signatures in hex: all that hangs on a commitment."""
SIGNED = re.compile(r"-----BEGIN SSH SIGNATURE-----.*?-----END SSH SIGNATURE-----", re.DOTALL)
OWN = ("secret.yaml", "key", "books.json", "log.jsonl", "journal.jsonl", ".turn", ".sealed")
"""Files that hold commitments, signatures or own secrets; what they hold openly is in the messages."""

ROUND = "orders:\n  - type: section\n    name: round\n"


def _plain(data: str, root: Path) -> str:
    return COMMITTED.sub("#", SIGNED.sub("#", data).replace(str(root), "DIR"))


def _told(root: Path, words: Sequence[str]) -> str:
    """What a command says in a folder, without what hangs on commitments."""
    found = cli(*(word.replace("@", str(root)) for word in words))
    assert "Traceback" not in found.all and "[internal]" not in found.all, found.all
    return _plain(f"{found.code} {found.all}", root)


def _files(root: Path) -> dict[str, str]:
    paths = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.endswith(OWN)]
    return {path.relative_to(root).as_posix(): _plain(path.read_bytes().decode("latin-1"), root) for path in paths}


def _module(path: Path) -> dict[str, str]:
    """What a VASSAL file holds; nothing where there is none."""
    if not path.exists():
        return {}
    with zipfile.ZipFile(path) as archive:
        return {name: _plain(archive.read(name).decode("latin-1"), path) for name in archive.namelist()}


def _views(root: Path, viewer: str, drafts: Sequence[Path]) -> dict[str, object]:
    """Everything that a player can ask of his folder."""
    words = [
        ("status", "@"), ("status", "@", "--json"), ("template", "@"),
        ("report", "@"), ("report", "@", "--for", viewer),
        *(("check", str(draft), "--game", "@", "-v") for draft in drafts),
    ]
    found: dict[str, object] = {" ".join(line): _told(root, line) for line in words}
    for kind in ("save", "log"):
        out = root.with_name(f"{root.name}-{kind}.v{'sav' if kind == 'save' else 'log'}")
        out.unlink(missing_ok=True)
        found[kind] = _told(root, ("export", kind, "@", "-o", f"{out}", "--for", viewer)).replace(str(out), "OUT")
        found[f"{kind} file"] = _module(out)
    return found


def _asked(root: Path, course: Course, drafts: Sequence[Path]) -> dict[str, object]:
    """What the commands say that go through all messages: at the end of the game, since they take long."""
    seqs = [int(str(m.body["seq"])) for m in course.messages if m.body.get("show") or m.body.get("decks")]
    dice, dispute = root.with_name("dice.txt"), root.with_name("dispute.json")
    words = [
        ("hand", "@"), ("hand", "@", "--json"), ("doctor", "@"), ("head", "@"), ("audit", "@"),
        ("verify", "@", "--dice", f"{dice}"), ("dispute", "@", "-o", f"{dispute}"),
        *(("try", str(draft), "--game", "@", "--times", "2", "--seed", "x") for draft in drafts),
        *(("explain", str(seq), "--game", "@") for seq in seqs[-2:]),
        *(("explain", f"{seq}:1", "--game", "@") for seq in seqs[-1:]),
    ]
    found: dict[str, object] = {}
    for line in words:
        found[" ".join(line[:2])] = _told(root, line).replace(str(root.parent), "HERE")
    for file in (dice, dispute):
        found[file.name] = _plain(file.read_text(encoding="utf-8"), root)
    return found


def _both(course: Course, other: Course, viewer: str, root: Path, every: int) -> int:
    """Let a side go through both games message by message, and compare all that it is told. Gives how often."""
    drafts = [root / "cards.turn", root / "sealed.turn"]
    root.mkdir()
    drafts[0].write_bytes(f"{ROUND}  - type: play_card\n    card: Rommel\n    use: ops\n".encode())
    drafts[1].write_bytes(b"orders:\n  - type: standing\n    topic: cards\n    sealed: yes\n    rules: none\n")
    folders = [folder_of(course, viewer, root / "A" / "game"), folder_of(other, viewer, root / "B" / "game")]
    looked, matches = 0, [Match.load(folder.root) for folder in folders]
    for number, pair in enumerate(zip(course.messages, other.messages, strict=True), 1):
        looks = number % every == 0 or number == len(course.messages)
        if looks:
            assert _told(folders[0].root, ("status", "@")) == _told(folders[1].root, ("status", "@"))
        one, two = (_take(match, message, viewer, looks) for match, message in zip(matches, pair, strict=True))
        assert one == two
        if looks:
            looked, matches = looked + 1, [Match.load(folder.root) for folder in folders]
            here, there = (_views(folder.root, viewer, drafts) for folder in folders)
            assert here == there
            assert _files(folders[0].root) == _files(folders[1].root)
    drafts[0].write_bytes(f"{ROUND}  - type: auto_op\n  - {{type: lrdg, mission: raid}}\n".encode())
    drafts[1].write_bytes(b"orders: []\n")
    here, there = (_asked(folder.root, course, drafts) for folder in folders)
    assert here == there and _files(folders[0].root) == _files(folders[1].root)
    return looked


def _take(match: Match, message: Any, viewer: str, mailed: bool) -> str:
    """A message comes by mail, or is the player's own."""
    if message.body["side"] == viewer:
        match.look()
        match.seal(message)
        return ""
    if not mailed:
        return match.receive(message).verdict.show()
    file = match.folder.root.parent / "in.turn"
    file.write_bytes(write_turn(message))
    return _told(match.folder.root, ("receive", "@", str(file))).replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("scenario", "seed", "messages", "viewer"), [("campaign", "7", 29, ALLIED), ("sonnenblume", "3", 9, AXIS)]
)
def test_nothing_that_a_side_is_told_hangs_on_the_other_hand(
    scenario: str, seed: str, messages: int, viewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_dice(monkeypatch)
    same(played(Pairing("shifting-sands", scenario, seed=seed), messages), viewer, tmp_path)


def test_nor_where_cards_are_played_for_points_seen_and_discarded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same(scouted(monkeypatch), ALLIED, tmp_path)


def same(course: Course, viewer: str, tmp_path: Path) -> None:
    """Assert that a side is told the same where cards of the other side that nobody saw have changed places."""
    hidden = AXIS if viewer == ALLIED else ALLIED
    mine = course.seat(hidden).faces()
    with pytest.MonkeyPatch.context() as patch:
        with_swap(patch, hidden, never_seen(course, hidden))
        other = again(course)
        theirs = other.seat(hidden).faces()
    assert sum(mine[card] != theirs[card] for card in mine) > 4, "the hands are too much alike to show anything"
    assert _both(course, other, viewer, tmp_path / "worlds", len(course.messages) // 2) > 1


def test_no_card_is_named_before_its_owner_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the messages of a game a card stands by name from the moment its name is opened, and no sooner."""
    fixed_dice(monkeypatch)
    course = played(Pairing("shifting-sands", "campaign", seed="7"), 29)
    names = {name for side in (AXIS, ALLIED) for name in faces_of(course.seat(side).verifier.layout, side)}
    opened: set[str] = set()
    for message in course.messages:
        rows: list[Any] = [*message.body.get("cards", []), *message.body.get("show", [])]
        opened |= {str(row["value"]) for row in rows if row["attr"] == "name"}
        line = write_line(message).decode()
        assert not [name for name in names - opened if f'"{name}"' in line]
    assert opened


# --- the owner's own program ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def axis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the Axis player before his first action."""
    course = played(Pairing("shifting-sands", "campaign", seed="7"), 3)
    folder = folder_of(course, AXIS, tmp_path_factory.mktemp("own") / "game")
    lines = [course.genesis, *course.messages[:2]]
    folder.write_log([write_line(message).removesuffix(b"\n") for message in lines])
    Match.load(folder.root).look()
    return folder.root


def _cards(root: Path) -> tuple[list[str], list[str]]:
    """Names of the cards in hand, and of those in the draw pile."""
    match = Match.load(root)
    match.look()
    faces = {card: face["name"] for card, face in _faces(match).items()}
    assert match.resolver.stands is not None
    state = match.resolver.stands[0]
    return [faces[card] for card in state.hands[AXIS]], [faces[card] for card in state.piles[AXIS]]


def _faces(match: Match) -> Any:
    from adjudicator.match.facedown import faces_of as own

    return own(match)


def _check(root: Path, text: str) -> str:
    file = root.parent / "draft.turn"
    file.write_bytes(text.encode())
    found = cli("check", file, "--game", root)
    assert found.code == 1, found.all
    return found.all


def test_a_card_that_is_not_in_hand_is_refused_with_those_that_are_by_name(axis: Path) -> None:
    hand, pile = _cards(axis)
    said = _check(axis, f"{ROUND}  - type: play_card\n    card: {pile[0]}\n    use: ops\n")
    titles = {str(row["id"]): str(row["name"]) for row in pack_of("shifting-sands").rows("cards")}
    assert f"{titles[pile[0]]} is not in hand; in hand: {', '.join(titles[card] for card in hand)}" in said


@pytest.mark.parametrize("order", ["standing", "answer"])
def test_nobody_names_a_card_in_advance_that_he_does_not_hold(axis: Path, order: str) -> None:
    """In the open message the name would tell that it is not in hand; it could never be played so either."""
    _, pile = _cards(axis)
    written = {
        "standing": f"  - type: standing\n    topic: cards\n    rules:\n      - play: {pile[0]}\n",
        "answer": f"  - type: answer\n    to: react/1\n    cards: {pile[0]}\n",
    }
    assert "neither in hand nor face up before you" in _check(axis, f"orders:\n{written[order]}")


def test_a_kit_shows_no_cards_where_it_has_not_the_key_of_the_deck(axis: Path) -> None:
    """Its links open dice alone: names that it would reckon without K_game would be invented."""
    from adjudicator.match.facedown import own_faces

    match = Match.load(axis)
    chain = match.verifier.chain(AXIS)
    kit = Kit.of(match.secret(), chain.cid, chain.links, 20)
    assert own_faces(match.verifier, AXIS, match.secret()) and not own_faces(match.verifier, AXIS, kit)
