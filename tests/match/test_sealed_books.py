"""A game with two sealed books: each is sealed, kept, opened, recovered by itself, and the topic decides which it is.

So that both are asked for in ground combat, ``retreat`` stands here in the book of the side that flies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.queries import ODDS
from adjudicator.match.doctor import State, examine
from adjudicator.match.draft import read_draft
from adjudicator.match.folder import FolderError
from adjudicator.match.games import EDITIONS, Edition, table
from adjudicator.match.match import Match
from adjudicator.match.plan import quietly, scene_of
from adjudicator.match.recovery import copy_path, missing_books, recover
from adjudicator.match.rulesets import RulesError
from adjudicator.match.sheets import layout_of
from adjudicator.match.upgrading import must_fit
from adjudicator.protocol.books import Book
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.log import write_turn
from adjudicator.protocol.own import OwnBooks, seal
from adjudicator.shifting_sands.orders import CARD_TOPICS
from adjudicator.shifting_sands.orders import TOPICS as SANDS_TOPICS
from adjudicator.western_desert.game import WesternDesert, WesternDesertTable
from tests.match.conftest import entropy
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms, Wish

SYSTEM = "western-desert"
SHEET, AIR = ("supply", "patrol", "losses"), ("escorts", "retreat", "jettison")
BOOKS = {"sheet": SHEET, "air": AIR}
LOSSES = """  - type: standing
    topic: losses
    sealed: yes
    rules:
      - order: it-12art
        never: it-4cn
"""
RETREAT = """  - type: standing
    topic: retreat
    sealed: yes
    rules:
      - order: it-63l
        prefer: N
"""
SUPPLY = "  - {type: standing, topic: supply, sealed: yes, rules: auto}\n"
ATTACK = """orders:
  - {{type: section, name: movement}}
  - {{type: move, units: {units}, to: {start}}}
  - {{type: section, name: air}}
  - {{type: section, name: combat}}
  - {{type: attack, hex: {hex}, with: {units}, supply: "supply-allied-1:1"}}
"""
SIDI_BARRANI = ATTACK.format(units="[7 Arm X, 4 Arm X, 7 SG, 7 RTR]", start="19/0825", hex="19/0725")
TUMMARS = ATTACK.format(units="[7 Arm X, 4 Arm X, 7 SG]", start="19/0727", hex="19/0726")
Opened = list[tuple[str, str, str]]


@pytest.fixture
def two_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WesternDesertTable, "books", BOOKS)


def begun(root: Path, *seals: str) -> TwoPrograms:
    """The game up to the Allied surprise turn, message 4; the Axis side seals these in its messages 1 and 3."""
    game = TwoPrograms(root, SYSTEM, "compass")
    for said in (seals[0], "", *seals[1:2], *[""] * (2 - len(seals))):
        game.send(f"orders:\n{said}" if said else "")
    return game


def falls(hex_: str, face: int) -> Wish:
    """The die of the attack on a hex shows a face."""
    return lambda die: die(f"combat/{hex_}/crt") == face


def openings(game: TwoPrograms) -> Opened:
    """Book, message and topic of what the next message opens; it is sent."""
    rows: Any = game.send().body.get("open", [])
    return sorted((row["book"], row["seq"], row["topic"]) for row in rows)


def own(game: TwoPrograms) -> dict[tuple[str, int], list[str]]:
    """The topics that have rules in the books that the Axis side keeps."""
    return {(book.book, book.seq): sorted(book.rules) for book in game.load(AXIS).own_books()}


# --- what the games say -------------------------------------------------------------------------------------------


def test_books_of_western_desert() -> None:
    """PROTOCOL 9.1; of ``sheet`` only ``special`` is not built."""
    books = layout_of(table(SYSTEM, "compass", ())).books
    assert books == {
        "sheet": ("supply", "escape", "patrol", "intercept", "scramble", "losses", "retreat"),
        "air": ("jettison", "escorts"),
    }


def test_the_book_of_shifting_sands() -> None:
    assert layout_of(table("shifting-sands", "campaign", ())).books == {"sheet": (*SANDS_TOPICS, *CARD_TOPICS)}


@pytest.mark.parametrize("system", [SYSTEM, "shifting-sands"])
def test_every_topic_stands_in_one_book(system: str) -> None:
    game = table(system, "compass" if system == SYSTEM else "campaign", ())
    topics = [topic for topics in game.books.values() for topic in topics if topic not in CARD_TOPICS]
    assert sorted(topics) == sorted(game.order_types["standing"].fields["topic"].words)


def test_a_topic_in_two_books_is_no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WesternDesertTable, "books", {"sheet": ("losses", "retreat"), "air": ("retreat",)})
    with pytest.raises(ValueError, match="the topic retreat stands in more than one book"):
        layout_of(table(SYSTEM, "compass", ()))


# --- sealing and opening ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("two_books")
def test_two_books_in_one_message(tmp_path: Path) -> None:
    """Both roots stand in the message; a retreat opens its topic out of its book, and nothing of the other."""
    game = begun(tmp_path, LOSSES + RETREAT)
    sealed: Any = game.load(AXIS).message(1).body["sealed"]
    assert sorted(sealed) == ["air", "sheet"] and len({*sealed.values()}) == 2
    assert own(game) == {("air", 1): ["retreat"], ("sheet", 1): ["losses"]}
    game.hidden(AXIS, ["it-12art", "it-63l"])
    game.send(TUMMARS, falls("19.0726", 3))
    assert openings(game) == [("air", "1", "retreat")]
    retreats = game.events("retreat", 4)
    assert retreats[0]["unit"] == "it-63l" and all("1" in event["by"] for event in retreats)
    assert b"it-12art" not in (game.root / ALLIED / "log.jsonl").read_bytes()
    game.proved()


@pytest.mark.usefixtures("two_books")
def test_one_book_after_the_other(tmp_path: Path) -> None:
    """The book of message 1 stays in force beside that of message 3; each is opened when its choice comes up."""
    game = begun(tmp_path, RETREAT, LOSSES)
    assert [list(game.load(AXIS).message(seq).body["sealed"]) for seq in (1, 3)] == [["air"], ["sheet"]]
    game.send(SIDI_BARRANI, falls("19.0725", 5))
    assert openings(game) == [("air", "1", "retreat"), ("sheet", "3", "losses")]
    (loss,) = game.events("losses", 4)
    assert loss["units"] == ["it-12art", "it-1lib"] and "3" in loss["by"]
    books: Any = game.load(AXIS).verifier.last
    rows = books.resolution.position["books"]
    assert [(row["book"], row["seq"], [one["topic"] for one in row["opened"]]) for row in rows] == [
        ("air", "1", ["retreat"]), ("sheet", "3", ["losses"])
    ]
    game.proved()


@pytest.mark.usefixtures("two_books")
def test_what_is_not_demanded_stays_closed(tmp_path: Path) -> None:
    game = begun(tmp_path, RETREAT, LOSSES)
    game.send(SIDI_BARRANI, falls("19.0725", 2))
    air, sheet = sorted(game.load(AXIS).own_books(), key=lambda book: book.book)
    for one in (air.opening("retreat"), sheet.opening("losses"), air.opening("jettison")):
        game.refuses({"open": [one]})
    assert openings(game) == []
    game.proved()


@pytest.mark.usefixtures("two_books")
def test_a_new_book_carries_on_its_own_topics_only(tmp_path: Path) -> None:
    game = begun(tmp_path, LOSSES + RETREAT, SUPPLY)
    assert list(game.load(AXIS).message(3).body["sealed"]) == ["sheet"]
    assert own(game) == {
        ("air", 1): ["retreat"], ("sheet", 1): ["losses"], ("sheet", 3): ["losses", "supply"],
    }
    game.send(SIDI_BARRANI, falls("19.0725", 5))
    assert openings(game) == [("air", "1", "retreat"), ("sheet", "3", "losses")]
    game.proved()


@pytest.mark.usefixtures("two_books")
def test_planning_knows_both_books(tmp_path: Path) -> None:
    game = begun(tmp_path, LOSSES + RETREAT, SUPPLY)
    match = quietly(game.root / AXIS)
    planned = scene_of(match, match.table.queries(), ODDS, AXIS)
    assert planned.scene is not None
    books = planned.scene.books
    found = {topic: told and told.seq for topic in (*SHEET, *AIR) for told in [books.read(4, AXIS, topic, 0)]}
    assert found == {**dict.fromkeys((*SHEET, *AIR)), "losses": 3, "supply": 3, "retreat": 1}
    assert books.read(4, AXIS, "retreat", 1) is None and books.read(5, AXIS, "retreat", 0) is None


# --- forgeries ----------------------------------------------------------------------------------------------------


def forged(game: TwoPrograms, name: str, topics: tuple[str, ...]) -> Book:
    """A book of message 1 with other topics than those of the layout."""
    match = game.load(AXIS)
    (book,) = seal(match.verifier, AXIS, match.secret(), {"air": {}})
    return book._replace(book=name, topics=topics, rules={"retreat": [{"order": ["it-63l"]}]})


def sealing(game: TwoPrograms, book: Book) -> bytes:
    """The file of message 1, signed, that seals a book."""
    match = game.load(AXIS)
    extras = Extras(books=[book], own=OwnBooks())
    body = compose_body(match.verifier, AXIS, match.secret(), [], bytes(32), extras=extras)
    return write_turn(sign_body(body, match.key()))


@pytest.mark.usefixtures("two_books")
def test_a_book_of_unknown_name_is_refused(tmp_path: Path) -> None:
    game = TwoPrograms(tmp_path, SYSTEM, "compass")
    root = forged(game, "diary", AIR).root()
    game.refuses({"sealed": {"diary": root}})
    game.refuses({"sealed": {"sheet": root, "diary": root}})


@pytest.mark.usefixtures("two_books")
@pytest.mark.parametrize("topics", [(*SHEET, *AIR), ("retreat",), ("retreat", "escorts", "jettison"), SHEET + AIR[1:]])
def test_a_book_with_other_topics_opens_nothing(tmp_path: Path, topics: tuple[str, ...]) -> None:
    """Its root tells nothing, so the message is taken; what is demanded out of it fits no place of the layout."""
    game = TwoPrograms(tmp_path, SYSTEM, "compass")
    book = forged(game, "air", topics)
    data = sealing(game, book)
    for side in (AXIS, ALLIED):
        game.deliver(data, side)
    match = game.load(AXIS)
    OwnBooks([book]).save(match.folder.books)
    for _ in (2, 3):
        game.send()
    game.send(TUMMARS, falls("19.0726", 3))
    (row,) = game.openings()
    assert (row["book"], row["topic"]) == ("air", "retreat")
    game.refuses({})
    honest = book._replace(topics=AIR).opening("retreat")
    game.refuses({"open": [honest]})
    game.refuses({"open": [{**row, "book": "sheet"}]})


@pytest.mark.usefixtures("two_books")
def test_a_topic_is_opened_out_of_its_own_book(tmp_path: Path) -> None:
    """The same rules in the other book, which was sealed in the same message, are no opening."""
    game = begun(tmp_path, LOSSES + RETREAT)
    game.send(TUMMARS, falls("19.0726", 3))
    (row,) = game.openings()
    books = {book.book: book for book in game.load(AXIS).own_books()}
    other = books["sheet"]._replace(rules={**books["sheet"].rules, "losses": row["rules"]})
    for wrong in (
        {**row, "book": "sheet"},
        {**row, "topic": "losses"},
        {**row, "book": "sheet", "topic": "losses"},
        {**other.opening("losses"), "topic": "retreat"},
        {**row, "book": "diary"},
    ):
        game.refuses({"open": [wrong]})
    assert openings(game) == [("air", "1", "retreat")]
    game.proved()


# --- after a loss -------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, two_books: None) -> TwoPrograms:
    """Both books in message 1, one of them anew in message 3."""
    return begun(tmp_path, LOSSES + RETREAT, SUPPLY)


def copies(game: TwoPrograms) -> list[tuple[str, bytes]]:
    paths = sorted((game.root / AXIS / "outbox").glob("*.sealed"))
    assert len(paths) == 2
    return [(path.name, path.read_bytes()) for path in paths]


def drafts(_game: TwoPrograms) -> list[tuple[str, bytes]]:
    return [(name, f"orders:\n{text}".encode()) for name, text in (("new", SUPPLY), ("old", LOSSES + RETREAT))]


def backup(game: TwoPrograms) -> list[tuple[str, bytes]]:
    return [("books.json", (game.root / AXIS / "private" / "books.json").read_bytes())]


def lose(game: TwoPrograms, *books: str) -> None:
    """The Axis side loses the contents of these books, or of all."""
    match = game.load(AXIS)
    left = [book for book in match.own_books() if books and book.book not in books]
    match.folder.books.unlink()
    if left:
        OwnBooks(left).save(match.folder.books)


@pytest.mark.parametrize("source", [copies, drafts, backup])
def test_each_source_brings_both_books_back(
    kept: TwoPrograms, source: Callable[[TwoPrograms], list[tuple[str, bytes]]]
) -> None:
    files, path = source(kept), kept.root / AXIS / "private" / "books.json"
    before = path.read_bytes()
    lose(kept)
    assert [(one.book, one.seq) for one in missing_books(kept.load(AXIS))] == [("air", 1), ("sheet", 1), ("sheet", 3)]
    result = recover(kept.load(AXIS), files)
    assert (result.found, result.missing, result.idle) == ([1, 3], [], [])
    assert path.read_bytes() == before
    kept.send(SIDI_BARRANI, falls("19.0725", 5))
    assert len(openings(kept)) == 2
    kept.proved()


def test_one_of_two_books_is_missing(kept: TwoPrograms) -> None:
    """The other goes on by itself; the sealed copy of the message is not made of half of it."""
    path = copy_path(kept.load(AXIS), 1)
    whole = path.read_bytes()
    path.unlink()
    lose(kept, "air")
    told = {one.name: one for one in examine(kept.root / AXIS)}["sealed"]
    assert told.state is State.BAD and "message 1 is not kept" in told.text
    kept.load(AXIS).resend(1)
    assert not path.exists()
    for _ in (4, 5):
        kept.send("orders:\n" + SUPPLY if kept.side == AXIS else "")
    assert own(kept)["sheet", 5] == ["losses", "supply"]
    kept.send()
    match = kept.load(AXIS)
    with pytest.raises(FolderError, match=r"message 1 is not kept here"):
        match.sign(match.check(read_draft(f"orders:\n{RETREAT}".encode())), entropy=entropy("anew"))
    result = recover(kept.load(AXIS), [("copy", whole)])
    assert (result.found, result.missing) == ([1], [])
    kept.load(AXIS).resend(1)
    assert path.read_bytes() == whole


def test_half_of_a_message_comes_back(kept: TwoPrograms) -> None:
    """A turn file that told of one book alone brings that one back; the message still lacks the other."""
    lose(kept)
    result = recover(kept.load(AXIS), [("retreat", f"orders:\n{RETREAT}".encode())])
    assert (result.found, result.missing) == ([1], [1, 3])
    result = recover(kept.load(AXIS), [("others", f"orders:\n{LOSSES}".encode())])
    assert (result.found, result.missing) == ([1], [3])
    assert [(one.book, one.seq) for one in missing_books(kept.load(AXIS))] == [("sheet", 3)]


def test_doctor_counts_messages(kept: TwoPrograms) -> None:
    told = {one.name: one for one in examine(kept.root / AXIS)}["sealed"]
    assert told.state is State.GOOD and "what you sealed in 2 messages is kept" in told.text


# --- other versions of the rules ----------------------------------------------------------------------------------


class Later(WesternDesert):
    """Version 2 of the rules, with other books."""

    version = 2

    def __init__(self, books: Mapping[str, tuple[str, ...]]) -> None:
        self._later = books

    def table(
        self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]
    ) -> WesternDesertTable:
        found = super().table(pack, scenario, switches)
        found.books = self._later
        return found


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Mapping[str, tuple[str, ...]]], None]]:
    """A program that plays a version 2 with other books beside version 1."""
    first = EDITIONS[SYSTEM][1]

    def plays(books: Mapping[str, tuple[str, ...]]) -> None:
        later = Later(books)
        monkeypatch.setitem(EDITIONS[SYSTEM], 2, Edition(lambda: later, first.pack, first.folder))

    yield plays


OTHERS: Sequence[Mapping[str, tuple[str, ...]]] = (
    {"sheet": (*SHEET, *AIR)},
    {"sheet": SHEET, "air": AIR[::-1]},
    {"sheet": (*SHEET, "special"), "air": AIR},
    {"sheet": SHEET, "air": AIR, "plans": ("raid",)},
    {"sheet": SHEET, "flight": AIR},
)


def test_an_old_game_goes_on_with_its_books(kept: TwoPrograms, program: Callable[..., None]) -> None:
    """Newer rules with other books: the old game is played and proved by its own, and can't pass over to them."""
    for books in OTHERS:
        program(books)
        match: Match = kept.load(AXIS)
        now = match.rules_at(match.verifier.next_seq)
        assert dict(match.verifier.layout.books) == BOOKS
        with pytest.raises(RulesError, match=r"other books or topics of sealed standing orders.*begin a new one"):
            must_fit(match, replace(now, version=2), 6)
    program({"air": AIR, "sheet": SHEET})
    must_fit(match, replace(now, version=2), 6)
    kept.send(SIDI_BARRANI, falls("19.0725", 5))
    assert openings(kept) == [("air", "1", "retreat"), ("sheet", "3", "losses")]
    kept.proved()
