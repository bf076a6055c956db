"""Garrisons off the map between two folders (WD 33.C; PROTOCOL 5, Hidden garrisons): where they go is in no file of the
other side until an enemy comes near; then the list opens, book by book, and nothing else of it helps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.match.recovery import recover
from adjudicator.protocol.log import read_turn
from adjudicator.western_desert.theatre import listed
from tests.cli.conftest import good
from tests.match.autumn import ALLIED, AXIS, NOTHING, Autumn
from tests.match.conftest import entropy

FAR = 18
"""Hexes at which an enemy counts as near, here: so that one comes near within two turns."""
LIST = "  - {type: section, name: movement}\n  - {type: list_garrison, units: [2 Arm X, 5 Cav X]}\n"
LIST += "".join(f"  - {{type: section, name: {name}}}\n" for name in ("air", "combat"))
LIST += "  - {type: section, name: exploitation, say: none}\n"
MOVE = "  - {type: move_garrison, unit: 5 Cav X, to: 19/3323}\n"
AGAIN = "  - {type: move_garrison, unit: 5 Cav X, to: 19/3223}\n"
SHOW = "  - {type: show_garrison, area: delta}\n"
NEARER = NOTHING.replace("name: movement}\n", "name: movement}\n  - {type: move, unit: 39 AT II, to: 19/0725}\n")
SECRETS = (b"19/3323", b"19/3223", b"move_garrison")


@pytest.fixture(scope="module", autouse=True)
def _near() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listed, "NEAR", FAR)
        yield


class Hidden(Autumn):
    """The two folders, with the option."""

    def __init__(self, root: Path) -> None:
        self.root = root
        alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
        bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
        switches = {"options": "33.C"}
        offer = make_game(root / AXIS, "western-desert", "crusader", alice, "Hidden", switches=switches)
        genesis = accept_offer(root / ALLIED, offer.read_bytes(), bob)
        receive_genesis(root / AXIS, read_turn(genesis.read_bytes()))
        for _ in range(2):
            self.send()

    def allied_turn(self, orders: str = "", sections: str = NOTHING) -> Any:
        """The next Allied player turn in one message; the Axis player does nothing before it."""
        while self.position().get("player") != ALLIED:
            self.player_turn()
        return self.player_turn(orders, sections)

    def places(self) -> dict[str, str]:
        """Where ground units are, by the newest position."""
        units: Any = self.position()["units"]
        return {row["id"]: row["hex"] for row in units}


def _played(root: Path, first: str, second: str) -> Hidden:
    """Two units are listed; in the two Allied turns after that some of them may move in secret."""
    game = Hidden(root)
    game.allied_turn("", LIST)
    game.allied_turn(first)
    game.allied_turn(second)
    return game


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nobody of the list has moved."""
    return _played(tmp_path_factory.mktemp("plain"), "", "").root


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cavalry has gone two hexes, one in each turn."""
    return _played(tmp_path_factory.mktemp("moved"), MOVE, AGAIN).root


@pytest.fixture
def game(moved: Path, tmp_path: Path) -> Hidden:
    """A copy of the game in which the cavalry has moved."""
    found = Hidden.__new__(Hidden)
    found.root = tmp_path / "copy"
    shutil.copytree(moved, found.root)
    return found


def _open_files(root: Path) -> list[Path]:
    """The Axis folder whole, and of the Allied folder all but what is private."""
    found = sorted(path for path in root.rglob("*") if path.is_file())
    return [path for path in found if ALLIED not in path.parts or "private" not in path.relative_to(root).parts]


def _sizes(root: Path) -> list[int]:
    return [path.stat().st_size for path in _open_files(root) if path.suffix == ".sealed"]


def test_no_file_of_the_other_side_tells_where_they_go(plain: Path, moved: Path) -> None:
    files, others = _open_files(moved), _open_files(plain)
    assert [path.relative_to(moved) for path in files] == [path.relative_to(plain) for path in others]
    told = [(path.name, secret) for path in files for secret in SECRETS if secret in path.read_bytes()]
    usual = [(path.name, secret) for path in others for secret in SECRETS if secret in path.read_bytes()]
    assert told == usual, "the map names hexes; nothing more is told"
    assert _sizes(moved) == _sizes(plain) and _sizes(moved)
    assert SECRETS[1] in (moved / ALLIED / "private" / "books.json").read_bytes()


def test_messages_seal_as_much_whether_anybody_moves_or_not(plain: Path, moved: Path) -> None:
    head = Match.load(moved / AXIS).verifier.head
    for seq in range(1, head + 1):
        one, two = (Match.load(root / AXIS).verifier.body(seq) for root in (plain, moved))
        assert one.keys() == two.keys() and one["orders"] == two["orders"], seq
    bodies: list[Any] = [Match.load(plain / AXIS).verifier.body(seq) for seq in range(1, head + 1)]
    sealed = [body["seq"] for body in bodies if "garrisons" in (body.get("sealed") or {})]
    assert len(sealed) == 2, "the turns after that in which they were listed"


def test_their_player_alone_is_told_where_they_are(moved: Path) -> None:
    own, other = good("status", moved / ALLIED).out, good("status", moved / AXIS).out
    assert "5 Cav X in 19/3223" in own and "2 Arm X in Cairo" in own
    assert "19/3223" not in other and "19/3323" not in other


def test_an_enemy_that_comes_near_opens_the_list_at_once(game: Hidden) -> None:
    """Each book since they left the map is opened, of the one area; they stand where the last one has them."""
    game.axis_turn("", NEARER)
    message: Any = game.send()
    opened = [(row["book"], row["topic"]) for row in message.body["open"] if row["book"] == "garrisons"]
    assert opened == [("garrisons", "delta")] * 2
    assert game.places()["br-5cav"] == "19/3223" and game.places()["br-2-arm-a"] == "19/3127"
    (event,) = game.events("garrison-shown")
    assert event["choice"] == "standing" and "19/3223" in str(event["units"])
    assert game.places()["ge-39at"] == "19/0725"
    good("verify", game.root / AXIS)
    good("verify", game.root / ALLIED)


def test_a_list_that_is_kept_back_rejects_the_message(game: Hidden) -> None:
    """Without the topics that were asked for, or with one more, the answer is no message of this game (E_SEAL)."""
    game.axis_turn("", NEARER)
    match = game.load(ALLIED)
    books = game.root / ALLIED / "private" / "books.json"
    text = books.read_text(encoding="utf-8")
    books.write_text('{"books":[],"format":"' + text.split('"format":"')[1].split('"')[0] + '"}\n', encoding="utf-8")
    assert match.verifier.head
    with pytest.raises(Exception, match="not kept here"):
        game.load(ALLIED).check(read_draft(b"orders: []\n"))
        game.send()


def test_their_player_shows_an_area_and_proves_where_they_are(game: Hidden) -> None:
    """The order brings the topics of all books; the units move on the map in the same turn."""
    march = NOTHING.replace("movement}\n", "movement}\n  - {type: move, unit: 5 Cav X, to: 19/3323}\n")
    message = game.allied_turn(SHOW, march)
    assert [row["topic"] for row in message.body["history"]] == ["delta", "delta"]
    game.send()
    assert game.places()["br-5cav"] == "19/3323"
    assert [event["choice"] for event in game.events("garrison-shown")] == ["order"]


def test_what_was_listed_is_shown_where_it_was_if_nothing_was_sealed_since(tmp_path: Path) -> None:
    game = Hidden(tmp_path)
    game.allied_turn("", LIST)
    game.axis_turn("", NEARER)
    message: Any = game.send()
    assert "open" not in message.body
    assert game.places()["br-5cav"] == "19/3523"


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("  - {type: move_garrison, unit: 5 Cav X, to: Haifa}\n", "is not in the area delta"),
        ("  - {type: move_garrison, unit: 5 Cav X, to: 19/2426}\n", "does not get from 19/3223"),
        ("  - {type: move_garrison, unit: 4 Cav X, to: 19/3223}\n", "is not on the list"),
        (SHOW + AGAIN.replace("19/3223", "19/3323"), "is shown by this message"),
        ("  - {type: show_garrison, area: levant}\n", "no unit of the area levant is on the list"),
        ("  - {type: show_garrison, area: Egypt}\n", "area"),
        ("  - {type: plan_special, unit: 5 Cav X, at: Nicosia, turn: Jan I 42}\n", ""),
    ],
)
def test_what_the_list_does_not_allow_is_said(game: Hidden, orders: str, said: str) -> None:
    while game.position()["waits"]["key"] != "orders/initial" or game.position()["player"] != ALLIED:
        game.player_turn() if game.position()["player"] == AXIS else game.send()
    if game.turn != ALLIED:
        game.send()
    result = game.load(ALLIED).check(read_draft(f"orders:\n{orders}{NOTHING}".encode()))
    assert not result.legal and any(said in problem.text for problem in result.problems), result.problems


def test_a_lost_list_is_brought_back(game: Hidden) -> None:
    match = game.load(ALLIED)
    files = [(path.name, path.read_bytes()) for path in (game.root / ALLIED).rglob("*.sealed")]
    (game.root / ALLIED / "private" / "books.json").unlink()
    found = recover(game.load(ALLIED), files)
    assert len(found.found) == 2 and not found.missing and match.verifier.head
    good("status", game.root / ALLIED)


def test_what_is_checked_before_the_list_opens_takes_nobody_to_be_there(game: Hidden) -> None:
    """The orders behind the one that comes near hang on the list, and none is refused for it (PROTOCOL 4.8)."""
    while game.position().get("player") != AXIS or game.turn != AXIS:
        game.player_turn() if game.position()["player"] == ALLIED else game.send()
    more = NEARER.replace("19/0725}\n", "19/0725}\n  - {type: move, unit: 8 MG II, to: 19/0327}\n")
    result = game.load(AXIS).check(read_draft(f"orders:\n{more}".encode()))
    assert result.legal, result.problems
    told = {verdict.order.data.get("unit"): verdict.depends for verdict in result.verdicts}
    assert told["ge-8mg"] == "garrison/delta" != told["ge-39at"]


def test_whoever_seals_nothing_hides_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that leaves the books out has told of no move: its units stand where they left the map."""
    monkeypatch.setattr("adjudicator.match.match.planned_contents", lambda *_of: {})
    game = _played(tmp_path, "", "")
    game.axis_turn("", NEARER)
    message: Any = game.send()
    assert "open" not in message.body
    assert game.places()["br-5cav"] == "19/3523" and len(game.events("garrison-shown")) == 1
    good("verify", game.root / AXIS)


@pytest.mark.parametrize("areas", ["delta", "levant", "Egypt", "'delta, delta'", "''", "[delta, {a: b}]"])
@pytest.mark.parametrize("side", [ALLIED, AXIS])
def test_nobody_writes_the_order_that_opens_a_list(game: Hidden, side: str, areas: str) -> None:
    """Written by a player it says what is wrong with it, whoever he is, and shows nobody."""
    while (game.position().get("player"), game.turn) != (side, side):
        game.player_turn() if game.position()["player"] != side else game.send()
    order = f"  - {{type: display_garrison, areas: {areas}}}\n"
    result = game.load(side).check(read_draft(f"orders:\n{order}{NOTHING}".encode()))
    seen = result.run.events if result.run is not None else []
    assert result.problems and not any(event.kind == "garrison-shown" for event in seen)
