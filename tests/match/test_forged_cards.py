"""Forged turns about face-down cards, as they come by mail: each is refused with its code, and nothing is half-written.

A cheat holds his own key and secret: every forgery here is signed by the player whose turn it is, unless it says so.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.match import Match
from adjudicator.match.play.seats import Seat
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.decks import Epoch, deck_key
from adjudicator.protocol.log import write_line, write_turn
from adjudicator.protocol.own import OwnDecks
from adjudicator.protocol.piles import handle_text
from tests.cli.conftest import cli
from tests.match.hidden_worlds import SIDES, Course, folder_of, scouted
from tests.match.test_crash import killed_at_each

Body = dict[str, Any]
Change = Callable[[Body], object]


@dataclass
class Mail:
    """A course of play, and folders as the reader of a message has them, made once."""

    course: Course
    root: Path

    def find(self, wanted: Callable[[Body], bool]) -> int:
        """The first message of which something holds."""
        return next(i for i, m in enumerate(self.course.messages) if wanted(json.loads(json.dumps(m.body))))

    def body(self, at: int) -> Body:
        """A message to be forged."""
        found: Body = json.loads(json.dumps(self.course.messages[at].body))
        return found

    def author(self, at: int) -> Seat:
        """Who wrote a message."""
        return self.course.seat(self.body(at)["side"])

    def folder(self, at: int, side: str) -> Path:
        """A player's folder with all messages before one."""
        root = self.root / f"{side}-{at}"
        if not root.exists():
            folder = folder_of(self.course, side, root)
            lines = [self.course.genesis, *self.course.messages[:at]]
            folder.write_log([write_line(message).removesuffix(b"\n") for message in lines])
            Match.load(root)._save()
        return root

    def reader(self, at: int) -> Path:
        """The folder of who gets a message."""
        author = self.body(at)["side"]
        return self.folder(at, next(side for side in SIDES if side != author))

    def decks(self, at: int) -> OwnDecks:
        """The cards of an author as he has them before his message."""
        match = Match.load(self.folder(at, self.body(at)["side"]))
        return OwnDecks.of(match.verifier, match.me, match.secret())

    def refused(self, at: int, body: Body, seat: Seat | None = None) -> str:
        """The code by which a forgery is refused; the folder is as it was, but for the file kept as refused."""
        root = self.reader(at)
        file = self.root / "forged.turn"
        file.write_bytes(write_turn(sign_body(body, (seat or self.author(at)).key)))
        before = _files(root)
        found = cli("receive", root, file)
        after = _files(root)
        assert found.code == 1 and "Traceback" not in found.all and "[internal]" not in found.all, found.all
        assert {name: data for name, data in after.items() if name in before} == before
        assert all(name.startswith("kept/") for name in after.keys() - before.keys())
        return found.all.split("error[")[1].split("]")[0]


def _files(root: Path) -> dict[str, bytes]:
    names = [path for path in root.rglob("*") if path.is_file()]
    kept = [path for path in names if path.name not in ("lock", "verified.json")]
    return {str(path.relative_to(root)): path.read_bytes() for path in kept}


def _handles(root: Path, deck: str, zone: str) -> list[str]:
    """The handles in a zone, as everybody knows them."""
    return [f"{epoch}.{pos}" for epoch, pos in Match.load(root).verifier.piles[deck].zone(zone)]


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mail]:
    with pytest.MonkeyPatch.context() as patch:
        yield Mail(scouted(patch), tmp_path_factory.mktemp("mail"))


def _codes(mail: Mail, at: int, changes: dict[str, Change]) -> dict[str, str]:
    found = {}
    for name, change in changes.items():
        body = mail.body(at)
        change(body)
        found[name] = mail.refused(at, body)
    return found


def _flip(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def _uses(body: Body) -> bool:
    return any(order["type"] == "play_card" for order in body["orders"]) and len(body["cards"]) == 1


def test_an_opening_is_of_the_card_that_is_used_and_of_nothing_else(mail: Mail) -> None:
    at = mail.find(_uses)
    row, decks = mail.body(at)["cards"][0], mail.decks(at)
    deck, card, attr = row["deck"], row["card"], row["attr"]
    other = next(one for one in _handles(mail.reader(at), deck, "hand") if one != card)
    pile = _handles(mail.reader(at), deck, "draw")[0]

    def put(**fields: Any) -> Change:
        return lambda body: body["cards"][0].update(fields)

    def order(name: str) -> Change:
        def change(body: Body) -> None:
            next(one for one in body["orders"] if one["type"] == "play_card")["card"] = name
            if name.count(".") == 1:
                body["cards"] = [decks.opening(deck, name, attr)]

        return change

    def add(row: Body) -> Change:
        return lambda body: body["cards"].append(row)

    e_deck: dict[str, Change] = {
        "the opening of another card": lambda b: b.update(cards=[decks.opening(deck, other, attr)]),
        "the opening of another card under this handle": lambda b: b.update(
            cards=[{**decks.opening(deck, other, attr), "card": card}]
        ),
        "another attribute": lambda b: b.update(cards=[decks.opening(deck, card, "name")]),
        "an attribute as another": put(attr="rp" if attr == "ops" else "ops"),
        "an attribute that there is not": put(attr="year"),
        "the name as well": add(decks.opening(deck, card, "name")),
        "the name of a card in hand": add(decks.opening(deck, other, "name")),
        "the opening twice": add(row),
        "another value": put(value="5" if row["value"] != "5" else "4"),
        "another salt": put(salt=_flip(row["salt"])),
        "another salt of the leaf": put(leaf_salt=_flip(row["leaf_salt"])),
        "the others turned about": put(others=row["others"][::-1]),
        "one of the others left out": put(others=row["others"][:1]),
        "a shorter path": put(path=row["path"][:-1]),
        "a longer path": put(path=[*row["path"], row["path"][0]]),
        "no path": put(path=[]),
        "the deck of the other side": put(deck="allied-strategy" if deck[0:2] == "ax" else "axis-strategy"),
        "no opening": lambda b: b.pop("cards"),
        "a card of the draw pile": order(pile),
        "a shuffle": lambda b: b.update(
            decks=[{"deck": deck, "epoch": "2", "n": "1", "root": "00" * 32, "from": [other], "zone": "hand"}]
        ),
        "cards shown": lambda b: b.update(show=[decks.opening(deck, other, "name")]),
        "used twice": lambda b: b["orders"].append({"type": "discard", "cards": [card]}),
        "a handle that never was": lambda b: b["orders"].append({"type": "discard", "cards": ["9.3"]}),
    }
    assert _codes(mail, at, e_deck) == dict.fromkeys(e_deck, "E_DECK")
    e_field: dict[str, Change] = {
        name: put(card=text)
        for name, text in {
            "zeros": "01.3", "signs": "1.-3", "no handle": "rommel-18", "a list": ["1.3"], "too long": "1.30000000000",
        }.items()
    }
    assert _codes(mail, at, e_field) == dict.fromkeys(e_field, "E_FIELD")
    assert cli("status", mail.reader(at)).code == 0


def test_the_draws_and_picks_are_those_of_the_seeds(mail: Mail) -> None:
    """A card is shown that was not picked, one is withheld, the hand is dealt anew otherwise or not at all."""
    at = mail.find(lambda body: "show" in body and "decks" in body)
    row, dealt, decks = mail.body(at)["show"][0], mail.body(at)["decks"][0], mail.decks(at)
    shown = [one["card"] for one in mail.body(at)["show"]]
    own = [card for zone in ("hand", "draw") for card in _handles(mail.reader(at), row["deck"], zone)]
    other = next(card for card in own if card not in shown)

    def put(**fields: Any) -> Change:
        return lambda body: body["decks"][0].update(fields)

    changes: dict[str, Change] = {
        "no card shown": lambda b: b.pop("show"),
        "one card too few": lambda b: b.update(show=b["show"][1:]) if len(b["show"]) > 1 else b.pop("show"),
        "another card shown": lambda b: b.update(show=[decks.opening(row["deck"], other, "name"), *b["show"][1:]]),
        "one card too many": lambda b: b["show"].append(decks.opening(row["deck"], other, "name")),
        "another attribute shown": lambda b: b.update(show=[decks.opening(row["deck"], row["card"], "ops")]),
        "the same card twice": lambda b: b["show"].append(row),
        "the name of another": lambda b: b["show"][0].update(value="air-support-9"),
        "not dealt anew": lambda b: b.pop("decks"),
        "one card left out": put(**{"from": dealt["from"][1:]}),
        "a card twice": put(**{"from": [dealt["from"][0], *dealt["from"]]}),
        "another order": put(**{"from": dealt["from"][::-1]}),
        "a card more": put(n=str(int(dealt["n"]) + 1)),
        "into the pile": put(zone="draw"),
        "an old epoch": put(epoch="1"),
        "an epoch too far": put(epoch="4"),
        "with a year": put(add="1941"),
        "with cards of nobody": put(add="1941-but-+nothing"),
        "twice": lambda b: b["decks"].append(b["decks"][0]),
    }
    assert _codes(mail, at, changes) == dict.fromkeys(changes, "E_DECK")


def test_a_handle_that_has_ended_is_none(mail: Mail) -> None:
    dealt = mail.find(lambda body: "show" in body and "decks" in body)
    old, side = mail.body(dealt)["decks"][0]["from"][0], mail.body(dealt)["side"]
    at = next(at for at in range(dealt + 1, len(mail.course.messages)) if mail.body(at)["side"] == side)
    orders = [{"type": "section", "name": "round"}, {"type": "play_card", "card": old, "use": "ops"}]
    opening = mail.decks(at).opening(f"{side}-strategy", old, "ops")
    changes: dict[str, Change] = {"old": lambda b: b.update(orders=orders, cards=[opening])}
    assert _codes(mail, at, changes) == {"old": "E_DECK"}


def test_no_more_is_discarded_than_lies_in_the_hand(mail: Mail) -> None:
    at = mail.find(lambda body: any(order["type"] == "discard" for order in body["orders"]))
    deck = f"{mail.body(at)['side']}-strategy"
    hand, pile = (_handles(mail.reader(at), deck, zone) for zone in ("hand", "draw"))

    def discard(*cards: Any) -> Change:
        def change(body: Body) -> None:
            body["orders"] = [{"type": "section", "name": "discard"}, {"type": "discard", "cards": list(cards)}]

        return change

    changes = {
        "the same twice": discard(hand[0], hand[0]),
        "more than there are": discard(*hand, pile[0]),
        "out of the pile": discard(pile[0]),
        "never was": discard("7.7"),
    }
    assert _codes(mail, at, changes) == dict.fromkeys(changes, "E_DECK")


def test_another_hand_or_another_game_is_told(mail: Mail) -> None:
    at = mail.find(_uses)
    other = next(seat for seat in mail.course.seats if seat.side != mail.body(at)["side"])
    assert mail.refused(at, mail.body(at), other) == "E_SIG"
    changes: dict[str, Change] = {
        "another game": lambda b: b.update(game="ab" * 32),
        "the other side": lambda b: b.update(side=other.side),
    }
    assert _codes(mail, at, changes) == {"another game": "E_GAME", "the other side": "E_AUTHOR"}


def test_a_message_with_cards_is_taken_whole_or_not_at_all(mail: Mail, tmp_path: Path) -> None:
    at = mail.find(lambda body: "show" in body and "decks" in body)
    message = mail.course.messages[at]
    for root in killed_at_each(lambda root: Match.load(root).receive(message), mail.reader(at), tmp_path):
        match = Match.load(root)
        assert match.receive(message).verdict.code in ("OK", "DUPLICATE")
        assert match.verifier.head == at + 1 and match.verifier.piles == Match.load(root).verifier.piles


def test_the_final_openings_open_all_and_nothing_else(mail: Mail, tmp_path: Path) -> None:
    """After a resignation every key of every deck is opened, and fits; one leaf changed is told."""
    at = mail.find(lambda body: "show" in body and "decks" in body) + 1
    roots = {side: Path(shutil.copytree(mail.folder(at, side), tmp_path / side)) for side in SIDES}

    def closing(side: str, end: str = "") -> Body:
        match = Match.load(roots[side])
        match.look()
        extras = Extras(own=match.own_books(), end=end)
        body = compose_body(match.verifier, side, match.secret(), [], bytes(32), extras=extras)
        found: Body = json.loads(json.dumps(body))
        return found

    def deliver(body: Body) -> None:
        message = sign_body(body, mail.course.seat(body["side"]).key)
        for root in roots.values():
            assert Match.load(root).receive(message).verdict.ok

    first = mail.body(at)["side"]
    second = next(side for side in SIDES if side != first)
    deliver(closing(first, "resign"))
    body = closing(second)
    keys = body["final"]["decks"][0]["keys"]
    decks = body["final"]["decks"]

    def put(**fields: Any) -> Change:
        return lambda b: b["final"]["decks"][0].update(fields)

    changes: dict[str, Change] = {
        "another key": put(keys=[*keys[:-1], _flip(keys[-1])]),
        "a key left out": put(keys=keys[:-1]),
        "a key too many": put(keys=[*keys, keys[0]]),
        "no deck": lambda b: b["final"].update(decks=[]),
        "a deck twice": lambda b: b["final"].update(decks=[*decks, *decks]),
        "the deck of the other": put(deck=f"{first}-strategy"),
        "a use": lambda b: b.update(cards=[mail.decks(at).opening(f"{first}-strategy", "1.0", "ops")]),
    }
    found = {}
    for name, change in changes.items():
        forged = json.loads(json.dumps(body))
        change(forged)
        verdict = Match.load(roots[first]).receive(sign_body(forged, mail.course.seat(second).key)).verdict
        found[name] = verdict.code
    assert found == dict.fromkeys(changes, "E_DECK")
    withheld = {name: value for name, value in body.items() if name != "final"}
    verdict = Match.load(roots[first]).receive(sign_body(withheld, mail.course.seat(second).key)).verdict
    assert verdict.code == "E_END"
    deliver(body)
    deliver(closing(first))
    assert Match.load(roots[first]).verifier.closed


Cards = list[dict[str, str]]


def _dealt(mail: Mail, at: int) -> tuple[Cards, Callable[[Cards], str]]:
    """The cards of which a message makes a new epoch, and the root that other ones would have under its key."""
    row, decks, seat = mail.body(at)["decks"][0], mail.decks(at), mail.author(at)
    deck, number = row["deck"], int(row["epoch"])
    key = deck_key(seat.secret.k_game, seat.secret.cid, deck, number)
    names = seat.verifier.layout.decks[deck].attributes
    pile = Match.load(mail.folder(at, seat.side)).verifier.piles[deck]
    down = [text for text in map(handle_text, sorted(pile.cards)) if text in row["from"]]
    cards = [dict(decks.face(deck, card)) for card in down]
    return cards, lambda given: Epoch(seat.secret.cid, deck, number, key, names, tuple(given)).root()


def test_other_cards_at_a_shuffle_are_found_by_the_final_openings(mail: Mail, tmp_path: Path) -> None:
    """A root tells nothing of its cards: until the end a false one is taken in, and then it is certain to be found
    (PROTOCOL 6, final opening)."""
    at = mail.find(lambda body: "show" in body and "decks" in body)
    cards, root_of = _dealt(mail, at)
    best, worst = (pick(cards, key=lambda card: card["ops"]) for pick in (max, min))
    lists: dict[str, Cards] = {
        "as it was": cards,
        "a card twice": [best if card == worst else card for card in cards],
        "more points": [{**cards[0], "ops": "5" if cards[0]["ops"] != "5" else "4"}, *cards[1:]],
        "a card of the pile": [_elsewhere(mail, at, cards), *cards[1:]],
        "changed places": cards[::-1],
    }
    assert root_of(cards) == mail.body(at)["decks"][0]["root"]
    found = {name: _ended(mail, at, root_of(given), tmp_path / name) for name, given in lists.items()}
    assert found.pop("as it was") == "OK"
    assert found == dict.fromkeys(found, "E_DECK epoch 2")


def _elsewhere(mail: Mail, at: int, cards: Cards) -> dict[str, str]:
    """A card of the author's pile."""
    deck, decks = mail.body(at)["decks"][0]["deck"], mail.decks(at)
    return dict(decks.face(deck, _handles(mail.reader(at), deck, "draw")[0]))


def _ended(mail: Mail, at: int, root: str, folder: Path) -> str:
    """What the reader's program says at the end of the game of a message that commits to a root."""
    cheat = mail.body(at)["side"]
    reader = next(side for side in SIDES if side != cheat)
    roots = {side: Path(shutil.copytree(mail.folder(at, side), folder / side)) for side in SIDES}

    def deliver(body: Body) -> None:
        message = sign_body(body, mail.course.seat(body["side"]).key)
        assert [Match.load(one).receive(message).verdict.code for one in roots.values()] == ["OK", "OK"]

    def closing(side: str, end: str = "") -> Body:
        match = Match.load(roots[side])
        match.look()
        extras = Extras(own=match.own_books(), end=end)
        found: Body = json.loads(json.dumps(
            compose_body(match.verifier, side, match.secret(), [], bytes(32), extras=extras)
        ))
        return found

    body = mail.body(at)
    body["decks"][0]["root"] = root
    deliver(body)
    deliver(closing(reader, "resign"))
    last = sign_body(closing(cheat), mail.course.seat(cheat).key)
    verdict = Match.load(roots[reader]).receive(last).verdict
    told = "epoch 2 of" in verdict.show() and "is not what was committed" in verdict.show()
    return f"{verdict.code} epoch 2" if told else verdict.code
