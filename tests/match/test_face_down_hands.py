"""Hidden hands between two programs: no name of a card leaves its owner, none is used wrongly (PROTOCOL 6)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.match.facedown import carry_out
from adjudicator.match.games import pack_of
from adjudicator.match.play.loop import Playing, Settings
from adjudicator.match.play.seats import Pairing, Seat
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.decks import Epoch, deck_key
from adjudicator.protocol.desk import Desk, Shelf
from adjudicator.protocol.dice import Dice, pick
from adjudicator.protocol.log import read_line
from adjudicator.protocol.own import OwnDecks
from adjudicator.protocol.piles import Owed, Transfer, check_transfers, handle_text
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from tests.match.two_programs import prepared

SYSTEM, SIDES = "shifting-sands", ("axis", "allied")
CARDS = tuple(str(row["id"]) for row in pack_of(SYSTEM).rows("cards"))
Change = Callable[[dict[str, Any]], object]
MESSAGES = 60
"""Past the end of the first turn, with its discards and draws."""


@pytest.fixture(scope="module")
def game() -> Playing:
    """A game of programs of chance over two turns and more."""
    found = Playing(Settings(Pairing(SYSTEM, "campaign", seed="hands 7"), dict.fromkeys(SIDES, "random"), MESSAGES))
    found.run()
    return found


def test_no_message_and_no_state_names_a_card_that_lies_face_down(game: Playing) -> None:
    """But those that a message has opened: of events, of combat cards, of sealed rules, of what was taken by name."""
    opened = set[str]()
    for line in game.played.lines:
        body: dict[str, Any] = json.loads(json.dumps(read_line(line).body))
        clauses = [row["rules"] for row in body.get("open", []) if isinstance(row.get("rules"), list)]
        sealed = [row for rules in clauses for row in rules if isinstance(row, dict) and "attr" in row]
        rows = [*body.get("cards", []), *body.get("show", []), *sealed]
        opened |= {row["value"] for row in rows if row["attr"] == "name"}
        opened |= {row["card"] for row in body.get("orders", []) if row["type"] == "take"}
        assert not [card for card in CARDS if card.encode() in line and card not in opened]
    assert opened
    for seat in game.seats:
        kept = json.dumps({"verifier": seat.verifier.export(), "resolver": seat.resolver.export()})
        assert not [card for card in CARDS if card in kept and card not in opened]


def test_each_side_knows_its_own_hand_and_only_that(game: Playing) -> None:
    for seat in game.seats:
        faces, state = seat.faces(), seat.resolver.checkpoint.state
        own = [faces[card]["name"] for card in state.hands[seat.side]]
        assert len(own) == len(set(own)) and set(own) <= set(CARDS)
        seen = seat.seen(state)
        other = next(side for side in SIDES if side != seat.side)
        assert sorted(seen.hands[seat.side]) == sorted(own) and seen.hands[other] == state.hands[other]


def _with(game: Playing, wanted: Callable[[dict[str, Any]], bool]) -> tuple[Verifier, Seat, dict[str, Any]]:
    """A message of the game of which something holds, its author, and a program that knows all before it."""
    verifier = Verifier(game.genesis, MatchResolver.fresh(game.seats[0].table))
    for line in game.played.lines[1:]:
        message = read_line(line)
        body: dict[str, Any] = json.loads(json.dumps(message.body))
        if wanted(body):
            return verifier, next(seat for seat in game.seats if seat.side == body["side"]), body
        assert verifier.receive(message).ok
    raise AssertionError("no such message was written")


def _verdict(verifier: Verifier, seat: Seat, body: dict[str, Any]) -> str:
    return verifier.check(sign_body(body, seat.key)).code


def _plays(body: dict[str, Any]) -> bool:
    return any(row["type"] == "play_card" for row in body["orders"])


def test_the_message_as_it_was_is_taken(game: Playing) -> None:
    verifier, seat, body = _with(game, _plays)
    assert verifier.check(sign_body(body, seat.key)).ok
    assert {row["attr"] for row in body["cards"]} <= {"ops", "rp"}


def _tampered(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    changes: tuple[tuple[str, Change], ...] = (
        ("no opening", lambda b: b.pop("cards")),
        ("another value", lambda b: b["cards"][0].update(value="5" if b["cards"][0]["value"] != "5" else "4")),
        ("another card", lambda b: b["cards"][0].update(card="1.13" if b["cards"][0]["card"] != "1.13" else "1.12")),
        ("opened twice", lambda b: b["cards"].append(dict(b["cards"][0]))),
        ("used twice", lambda b: b["orders"].append({"type": "discard", "cards": b["cards"][0]["card"]})),
        ("a card that is not there", lambda b: b["orders"].append({"type": "discard", "cards": "7.3"})),
        ("the name of another", lambda b: b["cards"][0].update(attr="name", value=CARDS[0])),
        ("a shuffle that nothing asks for", lambda b: b.update(decks=[_shuffle(b)])),
    )
    for name, change in changes:
        found = json.loads(json.dumps(body))
        change(found)
        yield name, found


def _shuffle(body: dict[str, Any]) -> dict[str, Any]:
    deck = str(body["cards"][0]["deck"])
    return {"deck": deck, "epoch": "2", "n": "1", "root": "00" * 32, "from": ["1.0"], "zone": "draw"}


def test_no_card_is_opened_or_used_wrongly(game: Playing) -> None:
    verifier, seat, body = _with(game, _plays)
    assert {name: _verdict(verifier, seat, found) for name, found in _tampered(body)} == dict.fromkeys(
        [name for name, _ in _tampered(body)], "E_DECK"
    )


def test_a_shuffle_that_is_owed_is_made_over_its_own_cards(game: Playing) -> None:
    verifier, seat, body = _with(game, lambda found: [row["zone"] for row in found.get("decks", [])] == ["draw"])
    row = body["decks"][0]
    assert verifier.check(sign_body(body, seat.key)).ok
    changes: tuple[Change, ...] = (
        lambda b: b.pop("decks"),
        lambda b: b["decks"][0].update(**{"from": row["from"][1:]}),
        lambda b: b["decks"][0].update(n=str(int(row["n"]) + 1)),
        lambda b: b["decks"][0].update(add="1942"),
        lambda b: b["decks"][0].update(zone="hand"),
        lambda b: b["decks"][0].update(epoch="9"),
    )
    for change in changes:
        found = json.loads(json.dumps(body))
        change(found)
        assert _verdict(verifier, seat, found) == "E_DECK"


def test_a_raid_takes_a_card_of_a_hand_that_is_shown_whole_in_the_same_message(game: Playing) -> None:
    """ULTRA with its points for a raid: what is to be shown may still be picked, and is shown once."""
    seat = game.seats[0]
    piles = {deck: pile.copy() for deck, pile in seat.verifier.piles.items()}
    pile, facedown = piles["axis-strategy"], seat.table.facedown
    pile.shows.clear()
    hand, label, seed = pile.zone("hand"), "lrdg/raid/fall-1940/axis/1", bytes(32)
    assert facedown is not None and len(hand) > 1
    lost, seen = hand[pick(seed, label, len(hand))], [handle_text(card) for card in hand]
    layout = seat.verifier.layout
    desk = Desk(9, "allied", "axis", layout, Dice(seed), {}, (), {}, Shelf(), piles, lambda _wanted: None)
    taken: dict[str, Any] = {"side": "axis", "cards": [handle_text(lost)], "labels": [label]}
    shown = Event("cards-seen", "", {"side": "axis", "cards": [*seen]})
    carry_out(facedown, desk, [shown, Event("discard", "", taken)])
    assert pile.shows == hand and lost in pile.zone("discard") and len(pile.zone("hand")) == len(hand) - 1


def test_a_root_is_what_the_key_and_the_rules_make_it(game: Playing) -> None:
    """Genesis commits to the cards of 1940, in an order that only the owner's key gives."""
    players: Any = game.genesis.body["players"]
    for seat in game.seats:
        row = next(one for one in players.values() if one["side"] == seat.side)["decks"][0]
        form = seat.verifier.layout.decks[row["deck"]]
        key = deck_key(seat.secret.k_game, seat.secret.cid, row["deck"], 1)
        epoch = Epoch(seat.secret.cid, row["deck"], 1, key, form.attributes, form.cards)
        assert epoch.root() == row["root"] and len(form.cards) == 14


@pytest.fixture
def scouted(monkeypatch: pytest.MonkeyPatch) -> Playing:
    """A game of programs in which the LRDG stands in an oasis from the beginning."""
    kept = next(row for row in pack_of(SYSTEM).rows("scenarios") if row["id"] == "campaign")["units"]
    units = [*kept, {"unit": "br-lrdg", "at": "Siwa", "source": "test"}]
    events = [{"event": "Long Range Desert Group", "turn": "Summer 1940", "source": "test"}]
    prepared(monkeypatch, SYSTEM, "campaign", units=units, events=events)
    found = Playing(Settings(Pairing(SYSTEM, "campaign", seed="scouts 2"), dict.fromkeys(SIDES, "random"), 130))
    found.run()
    return found


def test_what_the_lrdg_has_seen_is_shown_and_the_hand_dealt_anew(scouted: Playing) -> None:
    bodies = [json.loads(json.dumps(read_line(line).body)) for line in scouted.played.lines]
    shown = [body for body in bodies if "show" in body]
    again = [row for body in bodies for row in body.get("decks", []) if row["zone"] == "hand"]
    assert again and "axis" in {body["side"] for body in shown}
    assert all(row["attr"] == "name" and row["value"] in CARDS for body in shown for row in body["show"])
    kinds = scouted.played.tally.events
    assert kinds["cards-seen"] and kinds["resorted"]


def test_a_message_may_deal_a_hand_and_a_pile_anew(game: Playing) -> None:
    """A hand that was seen before a shuffle: PROTOCOL 6 has both in the message that shows it, an epoch each."""
    seat = game.seats[0]
    (deck,) = seat.verifier.layout.decks_of(seat.side)
    pile = seat.verifier.piles[deck].copy()
    hand, rest = ([handle_text(card) for card in pile.zone(*zones)] for zones in (("hand",), ("draw", "discard")))
    owed = Owed((), (Transfer(deck, tuple(hand), "hand"), Transfer(deck, tuple(rest), "draw")))
    rows: Any = OwnDecks.of(seat.verifier, seat.side, seat.secret).transfers(owed)
    assert [int(row["epoch"]) for row in rows] == [pile.epoch + 1, pile.epoch + 2]
    check_transfers({deck: pile}, seat.side, owed.transfers, rows)
    for wrong in (rows[::-1], rows[:1], rows[1:], [rows[0], {**rows[1], "epoch": rows[0]["epoch"]}]):
        with pytest.raises(ProtocolError, match="E_DECK"):
            check_transfers({deck: pile}, seat.side, owed.transfers, wrong)
    for row in rows:
        pile.transfer(row)
    assert {epoch for epoch, _ in pile.zone("hand")} == {pile.epoch - 1} and len(pile.zone("hand")) == len(hand)
    assert {epoch for epoch, _ in pile.zone("draw")} == {pile.epoch} and len(pile.zone("draw")) == len(rest)
