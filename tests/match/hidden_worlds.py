"""Two games with the same public course and other hidden hands: what one side is told must be the same in both.

The dice come from the number of the message alone, so that other commitments change none of them. In the second game
cards of the other side that nobody ever saw have changed places, wherever they lie.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.folder import Folder
from adjudicator.match.games import pack_of
from adjudicator.match.offers import _begin
from adjudicator.match.play.loop import Playing, Settings
from adjudicator.match.play.seats import Pairing, Seat, seats_of
from adjudicator.protocol import history, own
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.log import read_line
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import seal
from tests.match.two_programs import prepared

SYSTEM, AXIS, ALLIED = "shifting-sands", "axis", "allied"
SIDES = (AXIS, ALLIED)
Face = Mapping[str, str]
Swap = Mapping[str, str]
"""Which card lies where another one lay, by name, of one side."""


def fixed_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the seed of a message be its number and nothing else."""
    monkeypatch.setattr(history, "seed_of", lambda seq, *_: hashlib.sha256(f"seed 3 {seq}".encode()).digest())


class _Swapped(Mapping[str, tuple[Face, ...]]):
    def __init__(self, plain: Mapping[str, tuple[Face, ...]], turn: Any) -> None:
        self._plain, self._turn = plain, turn

    def __getitem__(self, word: str) -> tuple[Face, ...]:
        found: tuple[Face, ...] = self._turn(self._plain[word])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)


def _swapped(form: DeckForm, swap: Swap, faces: Mapping[str, Face]) -> DeckForm:
    def turn(cards: Sequence[Face]) -> tuple[Face, ...]:
        return tuple(faces[swap.get(card["name"], card["name"])] for card in cards)

    return form._replace(cards=turn(form.cards), additions=_Swapped(form.additions, turn))


def faces_of(layout: Layout, side: str) -> dict[str, Face]:
    """All cards of a side that can come into play, by name."""
    forms = layout.decks_of(side).values()
    cards = [card for form in forms for part in (form.cards, *form.additions.values()) for card in part]
    return {card["name"]: card for card in cards}


def with_swap(monkeypatch: pytest.MonkeyPatch, side: str, swap: Swap) -> None:
    """Let the program of a side lay its cards otherwise. Another one can't know."""
    plain = own.OwnDecks.__init__

    def init(self: Any, layout: Layout, who: str, *rest: Any, **more: Any) -> None:
        if who == side:
            faces = faces_of(layout, side)
            decks = {n: _swapped(f, swap, faces) if f.side == side else f for n, f in layout.decks.items()}
            layout = replace(layout, decks=decks)
        plain(self, layout, who, *rest, **more)

    monkeypatch.setattr(own.OwnDecks, "__init__", init)


@dataclass
class Course:
    """A game of programs: its messages, and its two seats at the end."""

    pairing: Pairing
    genesis: Message
    seats: tuple[Seat, Seat]
    messages: list[Message]

    def seat(self, side: str) -> Seat:
        """A player."""
        return next(seat for seat in self.seats if seat.side == side)

    def take(self, message: Message) -> None:
        """Let both players receive a message."""
        for seat in self.seats:
            verdict = seat.verifier.receive(message)
            assert verdict.ok, verdict.show()
        self.messages.append(message)

    def opened(self, side: str, attr: str) -> dict[str, str]:
        """What the game showed of the cards of a side, by handle."""
        rows = [row for m in self.messages for name in ("cards", "show") for row in _rows(m.body, name)]
        return {str(r["card"]): str(r["value"]) for r in rows if r["deck"].startswith(side) and r["attr"] == attr}


def _rows(body: Any, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = list(body.get(name, []))
    return found


def played(pairing: Pairing, messages: int, players: Mapping[str, str] | None = None) -> Course:
    """So many messages of programs of chance."""
    game = Playing(Settings(pairing, dict(players or dict.fromkeys(SIDES, "random")), messages))
    game.run()
    return Course(pairing, game.genesis, game.seats, [read_line(line) for line in game.played.lines[1:]])


def scouted(patch: pytest.MonkeyPatch) -> Course:
    """A game of one turn and a bit: the LRDG stands in an oasis, a card is played for points, in message 4 the hand of
    the Axis is spied out, in message 5 he shows what was seen and deals his hand anew, with 15 and 16 both discard."""
    row = next(row for row in pack_of(SYSTEM).rows("scenarios") if row["id"] == "campaign")
    units = [*row["units"], {"unit": "br-lrdg", "at": "Siwa", "source": "test"}]
    events = [{"event": "Long Range Desert Group", "turn": "Summer 1940", "source": "test"}]
    prepared(patch, SYSTEM, "campaign", units=units, events=events)
    fixed_dice(patch)
    pairing = Pairing(SYSTEM, "campaign", seed="scouts")
    genesis, seats = seats_of(pairing, lambda table: table)
    course = Course(pairing, genesis, seats, [])
    for seq in range(1, 21):
        seat = course.seat(SIDES[(seq + 1) % 2])
        seat.look()
        body = compose_body(seat.verifier, seat.side, seat.secret, _scouts(seat, seq), bytes(32))
        course.take(sign_body(body, seat.key))
    return course


def _scouts(seat: Seat, seq: int) -> list[Any]:
    assert seat.resolver.stands is not None
    hand = seat.resolver.stands[0].hands[seat.side] if seq > 2 else []
    played_for = {"type": "play_card", "use": "ops"}
    orders: dict[int, list[Any]] = {
        3: [{"type": "section", "name": "round"}, {**played_for, "card": hand[0]}] if hand else [],
        4: [{"type": "section", "name": "round"}, {"type": "auto_op"}, {"type": "lrdg", "mission": "intelligence"}],
        17: [{"type": "section", "name": "round"}, {**played_for, "card": hand[-1]}] if hand else [],
    }
    if seq in (15, 16):
        return [{"type": "section", "name": "discard"}, {"type": "discard", "cards": hand[:2]}]
    return orders.get(seq, [])


def never_seen(course: Course, side: str) -> Swap:
    """Cards that lie for one another: none whose name the game showed, and the same points where these were shown."""
    seat = course.seat(side)
    faces = {card: face["name"] for card, face in seat.faces().items()}
    known = {faces[card] for card in course.opened(side, "name")} | set(_named_openly(course))
    points = {faces[card] for attr in ("ops", "rp") for card in course.opened(side, attr)}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, face in sorted(faces_of(seat.verifier.layout, side).items()):
        if name not in known:
            key = (face["ops"], face["rp"]) if name in points else ("unseen",)
            groups.setdefault(key, []).append(name)
    return {a: b for names in groups.values() for a, b in zip(names, [*names[1:], names[0]], strict=True) if a != b}


def _named_openly(course: Course) -> Iterator[str]:
    """Cards that stand by name in an order or a transfer, as one taken out of a year's."""
    for message in course.messages:
        for row in _rows(message.body, "decks"):
            yield from str(row.get("add", "")).replace("+", " ").replace("-but-", " ").split()


def again(course: Course) -> Course:
    """The same orders once more, by programs with other cards."""
    genesis, seats = seats_of(course.pairing, lambda table: table)
    found = Course(course.pairing, genesis, seats, [])
    for message in course.messages:
        body: Any = json.loads(json.dumps(message.body))
        seat, before, seq = found.seat(body["side"]), course.seat(body["side"]), int(body["seq"])
        told = {book.book: book.rules for book in before.own if book.seq == seq and book.book in body.get("sealed", {})}
        seat.look()
        books = seal(seat.verifier, seat.side, seat.secret, told) if told else []
        seat.own.add(books)
        extras = Extras(books=books, own=seat.own)
        rows = body["orders"]
        entropy = bytes.fromhex(body["entropy"])
        new = sign_body(compose_body(seat.verifier, seat.side, seat.secret, rows, entropy, extras=extras), seat.key)
        found.take(new)
    return found


def folder_of(course: Course, side: str, root: Path) -> Folder:
    """A player's folder at the beginning of the game."""
    seat, folder = course.seat(side), Folder(root)
    folder.private.mkdir(parents=True)
    folder.private.chmod(0o700)
    seat.secret.save(folder.secret)
    seat.key.save(folder.private / "key")
    terms: Any = course.genesis.body
    folder.write_about(
        {"title": terms["title"], "system": terms["system"], "scenario": terms["scenario"], "side": side,
         "name": side, "key": "private/key", "switches": terms["switches"]}
    )
    seat.own.save(folder.books)
    folder.write_journal(course.genesis, anew=True)
    _begin(folder, course.genesis)
    return folder
