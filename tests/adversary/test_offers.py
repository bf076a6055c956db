"""Offers and geneses that are not what they seem: other seats, other first side, local dice, second ones, odd texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.folder import Folder
from adjudicator.match.offers import OFFER_FILE
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.genesis import complete_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_offer, write_offer, write_turn
from adjudicator.protocol.rules import rules_hash
from adjudicator.protocol.secret import Secret
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Body = dict[str, Any]
Change = Callable[[Body], None]


def seat(side: str) -> Change:
    def change(body: Body) -> None:
        body["players"]["a"]["side"] = side

    return change


def field(name: str, value: Any) -> Change:
    def change(body: Body) -> None:
        body[name] = value

    return change


def switched(switches: Any) -> Change:
    def change(body: Body) -> None:
        body["switches"] = switches
        if isinstance(switches, dict):
            body["rules"] = rules_hash(body["system"], int(body["version"]), body["pack"], switches)

    return change


OFFERS: dict[str, tuple[Change, str]] = {
    "the other seat": (seat("allied"), "E_FIELD|E_KEY"),
    "a seat of nobody": (seat("neutral"), "E_FIELD"),
    "a seat with a line break": (seat("axis\nallied"), "E_FIELD"),
    "the other side first": (field("first", "axis"), "E_FIELD"),
    "dice of nobody": (field("dice", "mine"), "E_FIELD"),
    "an unknown game": (field("system", "chess"), "E_RULES|no game"),
    "an unknown scenario": (field("scenario", "tea"), "scenario"),
    "a scenario that is a list": (field("scenario", ["compass"]), "E_FIELD"),
    "an unknown switch": (switched({"free_lunch": "yes"}), "free_lunch"),
    "a switch of lists": (switched({"overstack": [["eliminate"]]}), "overstack"),
    "switches as a list": (switched([]), "E_FIELD"),
    "other rules": (field("rules", "0" * 64), "E_RULES"),
    "another version": (field("version", "2"), "E_RULES"),
    "another pack": (field("pack", "0" * 64), "E_RULES|other data"),
    "a field more": (field("referee", "me"), "E_FIELD"),
    "a player more": (lambda body: body["players"].update(c=body["players"]["a"]), "E_FIELD"),
    "a title of two lines": (field("title", "Compass\nGenesis accepted"), "E_FIELD.*one line"),
    "a title without end": (field("title", "Compass " * 1000), "E_FIELD.*one line"),
    "a name of two lines": (lambda body: body["players"]["a"].update(name="Alice\nBob"), "E_FIELD.*one line"),
    "few links": (lambda body: body["players"]["a"].update(links="1"), "E_KEY"),
}


@pytest.fixture
def offered(tmp_path: Path) -> Path:
    """The folder of a player who has made an offer."""
    good("new", "western-desert", "compass", tmp_path / "alice", "--name", "Alice", "--title", "Compass")
    return tmp_path / "alice"


@pytest.mark.parametrize("name", OFFERS)
def test_an_offer_that_is_not_what_it_seems(name: str, offered: Path, tmp_path: Path) -> None:
    change, pattern = OFFERS[name]
    body: Body = read_offer((offered / "outbox" / OFFER_FILE).read_bytes())
    change(body)
    file = tmp_path / "offer.turn"
    file.write_bytes(write_offer(body))
    assert_clear(cli("accept", file, tmp_path / "bob", "--name", "Bob"), pattern)
    assert not (tmp_path / "bob" / "game.yaml").exists()
    assert not (tmp_path / "bob" / "log.jsonl").exists()


def test_a_name_that_the_other_would_refuse_is_not_signed(offered: Path, tmp_path: Path) -> None:
    offer = offered / "outbox" / OFFER_FILE
    assert_clear(cli("accept", offer, tmp_path / "bob", "--name", "Bob\nBobby"), "one line", 1)
    assert_clear(cli("new", "western-desert", "compass", tmp_path / "al", "--name", "x" * 200), "one line", 1)
    assert_clear(
        cli("new", "western-desert", "compass", tmp_path / "al", "--name", "Al", "--title", "a\nb"), "one line", 1
    )
    for name in ("bob", "al"):
        assert not (tmp_path / name / "game.yaml").exists()


def completed(offer: Body, change: Change = lambda _body: None) -> bytes:
    """A genesis on an offer, changed before it is signed, past everything that `accept` looks at."""
    key = SigningKey.from_seed(b"c" * 32)
    secret = Secret.fresh(key.public, 4096)
    genesis: Body = complete_offer(offer, secret.player("Carol", ALLIED))
    change(genesis)
    return write_turn(sign_body(genesis, key))


OTHER = SigningKey.from_seed(b"d" * 32)
GENESES: dict[str, tuple[Change, str]] = {
    "other switches": (switched({"overstack": "eliminate"}), "E_GAME"),
    "another title": (field("title", "Another"), "E_GAME"),
    "the other side first": (field("first", "axis"), "E_GAME"),
    "local dice": (field("dice", "local"), "E_GAME"),
    "another key of mine": (lambda body: body["players"]["a"].update(key=OTHER.public), "E_GAME"),
    "a seat of nobody": (lambda body: body["players"]["b"].update(side="neutral"), "E_FIELD"),
    "no second player": (lambda body: body["players"].pop("b"), "E_FIELD"),
    "more links of mine": (lambda body: body["players"]["a"].update(links="128"), "E_GAME"),
    "my own anchor": (lambda body: body["players"]["b"].update(anchor=body["players"]["a"]["anchor"]), "E_KEY"),
    "my own cid": (lambda body: body["players"]["b"].update(cid=body["players"]["a"]["cid"]), "E_KEY"),
}


@pytest.mark.parametrize("name", GENESES)
def test_a_genesis_that_is_not_the_offer(name: str, offered: Path, tmp_path: Path) -> None:
    change, pattern = GENESES[name]
    file = tmp_path / "genesis.turn"
    offer = read_offer((offered / "outbox" / OFFER_FILE).read_bytes())
    file.write_bytes(completed(offer, change))
    assert_clear(cli("receive", offered, file), pattern, 1)
    assert not Folder(offered).begun()


def test_a_genesis_of_another_game_is_no_proof(movement: Pair, tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "dora", "--name", "Dora")
    good("accept", tmp_path / "dora" / "outbox" / OFFER_FILE, tmp_path / "emil", "--name", "Emil")
    before = tree_of(movement.root)
    for side in (AXIS, ALLIED):
        assert_clear(cli("receive", movement.folder(side), tmp_path / "emil" / "outbox" / "genesis.turn"), "E_GAME", 1)
    after = {name: data for name, data in tree_of(movement.root).items() if "/kept/" not in name}
    assert after == before


def test_a_second_genesis_on_one_offer(movement: Pair, tmp_path: Path) -> None:
    offer = read_offer((movement.folder(AXIS) / "outbox" / OFFER_FILE).read_bytes())
    file = tmp_path / "second.turn"
    file.write_bytes(completed(offer))
    assert_clear(cli("receive", movement.folder(AXIS), file), "E_FORK.*by another key", 1)
    forged = completed(offer).replace(b"name: Carol", b"name: Dora")
    file.write_bytes(forged)
    assert_clear(cli("receive", movement.folder(AXIS), file), "E_SIG", 1)
