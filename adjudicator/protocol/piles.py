"""Face-down decks as everybody sees them: handles with their zones and what of their faces was opened (PROTOCOL 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.protocol.decks import opening_root
from adjudicator.protocol.fields import is_slug
from adjudicator.protocol.forms import Row, handle, rows, texts
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

DRAW, HAND, DISCARD = "draw", "hand", "discard"
Handle = tuple[int, int]


class PileFault(Exception):
    """A game moves cards as the rules of decks never allow: a fault of the engine, it halts."""

    code = "HALT"


def handle_text(card: Handle) -> str:
    """`epoch.pos`."""
    return f"{card[0]}.{card[1]}"


@dataclass
class Card:
    """A face-down card: its zone and its opened attributes."""

    zone: str
    opened: dict[str, str] = field(default_factory=dict)


@dataclass
class Pile:
    """One deck. `sizes` and `roots` are those of its epochs, `drawn` counts draws within the newest one.

    `shows` are the handles whose names the owner must open in his next message.
    """

    deck: str
    side: str
    cid0: bytes
    form: DeckForm
    sizes: list[int]
    roots: list[str]
    cards: dict[Handle, Card]
    drawn: int = 0
    shows: list[Handle] = field(default_factory=list)

    @property
    def epoch(self) -> int:
        """The newest epoch."""
        return len(self.roots)

    def zone(self, *zones: str) -> list[Handle]:
        """The handles in these zones, ascending."""
        return sorted(card for card, at in self.cards.items() if at.zone in zones)

    def copy(self) -> Pile:
        """An independent copy."""
        cards = {card: Card(at.zone, dict(at.opened)) for card, at in self.cards.items()}
        parts = list(self.sizes), list(self.roots), cards
        return Pile(self.deck, self.side, self.cid0, self.form, *parts, self.drawn, list(self.shows))

    def move(self, card: Handle, zone: str) -> None:
        """Put a card into another zone. PileFault for a handle that is not there."""
        if card not in self.cards or not is_slug(zone):
            raise PileFault(f"{self.deck}: {handle_text(card)} can't go to {zone!r}")
        self.cards[card].zone = zone

    def check_opening(self, row: Row) -> None:
        """Raise E_DECK unless the opening of an attribute fits the root, and a name is one that can lie there."""
        card = handle(row["card"])
        if card is None or card not in self.cards:
            raise _deck(f"{row['card']} is no card of {self.deck}")
        size, root = self.sizes[card[0] - 1], self.roots[card[0] - 1]
        if opening_root(self.cid0, size, self.form.attributes, row) != root:
            raise _deck(f"{row['attr']} of {self.deck} {row['card']} is not what its root commits to")
        if row["attr"] == self.form.attributes[0]:
            self._check_name(card, str(row["value"]))

    def _check_name(self, card: Handle, name: str) -> None:
        if name not in self.form.names():
            raise _deck(f"{self.deck} has no card {name!r}")
        for other, at in self.cards.items():
            if other != card and at.opened.get(self.form.attributes[0]) == name:
                raise _deck(f"{name} of {self.deck} lies open as {handle_text(other)} already")

    def open(self, row: Row) -> None:
        """Make an opening that was checked public."""
        card = handle(row["card"])
        assert card is not None
        self.cards[card].opened[str(row["attr"])] = str(row["value"])

    def transfer(self, row: Row) -> None:
        """Begin a new epoch over the cards of a transfer that was checked; their old handles end."""
        for text in texts(row["from"]):
            card = handle(text)
            if card not in self.cards:
                raise PileFault(f"{self.deck}: {text} is not there at its transfer")
            del self.cards[card]
        zone, size = str(row["zone"]), int(str(row["n"]))
        if zone == DRAW and self.zone(DRAW):
            raise PileFault(f"{self.deck}: zone draw would hold two epochs")
        self.sizes.append(size)
        self.roots.append(str(row["root"]))
        self.cards.update({(self.epoch, pos): Card(zone) for pos in range(size)})
        self.drawn = 0 if zone == DRAW else self.drawn

    def position(self) -> dict[str, Tree]:
        """The deck as it stands in the public position."""
        cards: list[Tree] = []
        for card in sorted(self.cards):
            at = self.cards[card]
            row: dict[str, Tree] = {"card": handle_text(card), "zone": at.zone}
            if at.opened:
                row["open"] = [{"attr": attr, "value": at.opened[attr]} for attr in sorted(at.opened)]
            cards.append(row)
        return {"deck": self.deck, "epoch": str(self.epoch), "root": self.roots[-1], "cards": cards}

    def to_tree(self) -> dict[str, Tree]:
        """All that is known of the deck, for a checkpoint."""
        return {
            **self.position(),
            "sizes": [str(size) for size in self.sizes],
            "roots": list(self.roots),
            "drawn": str(self.drawn),
            "shows": [handle_text(card) for card in self.shows],
        }

    def restore(self, tree: Mapping[str, Tree]) -> None:
        """Take over what `to_tree` gave. ValueError when it is damaged."""
        self.sizes = [int(text) for text in texts(tree["sizes"])]
        self.roots = texts(tree["roots"])
        self.drawn = int(str(tree["drawn"]))
        self.shows = [_handle(text) for text in texts(tree["shows"])]
        self.cards = {}
        for row in rows(tree["cards"]):
            opened = {str(one["attr"]): str(one["value"]) for one in rows(row.get("open"))}
            self.cards[_handle(row["card"])] = Card(str(row["zone"]), opened)


def _handle(text: Tree) -> Handle:
    card = handle(text)
    if card is None:
        raise ValueError(f"{text!r} is no handle")
    return card


def _deck(text: str) -> ProtocolError:
    return ProtocolError("E_DECK", text)


def first_piles(layout: Layout, players: Iterable[tuple[str, bytes, Tree | None]]) -> dict[str, Pile]:
    """The decks of genesis: for each player (side, cid, `decks`) exactly those of the layout. Raises E_DECK."""
    piles: dict[str, Pile] = {}
    for side, cid, decks in players:
        named = rows(decks)
        if [row["deck"] for row in named] != sorted({str(row["deck"]) for row in named}):
            raise _deck(f"the decks of {side} in genesis must each stand there once, by id")
        if {row["deck"] for row in named} != set(layout.decks_of(side)):
            wanted = ", ".join(layout.decks_of(side)) or "no decks"
            raise _deck(f"{side} has {wanted} in this game, genesis names {len(named)} deck(s)")
        for row in named:
            form = layout.decks[str(row["deck"])]
            size = int(str(row["n"]))
            if size != len(form.cards):
                raise _deck(f"{row['deck']} has {len(form.cards)} cards in this scenario, genesis says {size}")
            cards = {(1, pos): Card(DRAW) for pos in range(size)}
            piles[str(row["deck"])] = Pile(str(row["deck"]), side, cid, form, [size], [str(row["root"])], cards)
    return piles


class Use(NamedTuple):
    """A card an order names: deck, handle as text, the attribute to be opened ("" for none), zones it may lie in.

    `value` is what the attribute must be where a rule fixes it ("" for anything lawful), as for a card that a
    scenario gives by name.
    """

    deck: str
    card: str
    attr: str = ""
    zones: tuple[str, ...] = (HAND,)
    value: str = ""


class Transfer(NamedTuple):
    """A transfer that a message owes: deck, the handles, the zone of the new cards, what a rule adds."""

    deck: str
    cards: tuple[str, ...]
    zone: str
    add: str = ""


class Owed(NamedTuple):
    """What a message must bring by its own orders and public state: openings for card uses, transfers."""

    uses: tuple[Use, ...] = ()
    transfers: tuple[Transfer, ...] = ()


NOTHING_OWED = Owed()


def check_uses(piles: Mapping[str, Pile], side: str, uses: Sequence[Use], cards: Tree | None) -> None:
    """Raise E_DECK unless `cards` opens exactly what the orders need, of cards their author may use, none twice."""
    used: set[tuple[str, str]] = set()
    for use in uses:
        pile = _own(piles, side, use.deck)
        card = handle(use.card)
        if card is None or card not in pile.cards or pile.cards[card].zone not in use.zones:
            raise _deck(f"{use.card} of {use.deck} is not in {' or '.join(use.zones)}")
        if (use.deck, use.card) in used:
            raise _deck(f"{use.card} of {use.deck} is used twice in one message")
        used.add((use.deck, use.card))
    _check_exactly(piles, side, [(use.deck, use.card, use.attr) for use in uses if use.attr], rows(cards), "cards")
    fixed = {(use.deck, use.card, use.attr): use.value for use in uses if use.value}
    for row in rows(cards):
        value = fixed.get((str(row["deck"]), str(row["card"]), str(row["attr"])), row["value"])
        if row["value"] != value:
            raise _deck(f"{row['card']} of {row['deck']} is {row['value']}, it must be {value}")


def check_shows(piles: Mapping[str, Pile], side: str, show: Tree | None) -> None:
    """Raise E_DECK unless `show` opens the names of exactly the cards that the other side picked (PROTOCOL 6)."""
    owed = [
        (pile.deck, handle_text(card), pile.form.attributes[0])
        for pile in piles.values()
        if pile.side == side
        for card in pile.shows
    ]
    _check_exactly(piles, side, owed, rows(show), "show")


def _own(piles: Mapping[str, Pile], side: str, deck: str) -> Pile:
    pile = piles.get(deck)
    if pile is None or pile.side != side:
        raise _deck(f"{deck} is no deck of {side}")
    return pile


def _check_exactly(
    piles: Mapping[str, Pile], side: str, owed: list[tuple[str, str, str]], given: list[Row], name: str
) -> None:
    opened: set[tuple[str, str, str]] = set()
    names: set[tuple[str, str]] = set()
    for row in given:
        pile = _own(piles, side, str(row["deck"]))
        which = str(row["deck"]), str(row["card"]), str(row["attr"])
        if which in opened or which not in owed:
            raise _deck(f"`{name}` opens {which[2]} of {which[0]} {which[1]}, which is not owed")
        opened.add(which)
        pile.check_opening(row)
        if which[2] == pile.form.attributes[0]:
            if (which[0], str(row["value"])) in names:
                raise _deck(f"{row['value']} of {which[0]} is opened twice")
            names.add((which[0], str(row["value"])))
    missing = [which for which in owed if which not in opened]
    if missing:
        raise _deck(f"`{name}` must open {missing[0][2]} of {missing[0][0]} {missing[0][1]}")


def check_transfers(
    piles: Mapping[str, Pile], side: str, owed: Sequence[Transfer], decks: Tree | None
) -> None:
    """Raise E_DECK unless `decks` holds exactly the transfers the message owes, each over exactly its cards.

    Those of one deck stand in the order in which the rules owe them.
    """
    waiting, made = list(owed), Counter[str]()
    for row in rows(decks):
        pile = _own(piles, side, str(row["deck"]))
        transfer = next((one for one in waiting if one.deck == pile.deck), None)
        if transfer is None:
            raise _deck(f"no rule asks for a transfer of {pile.deck}")
        waiting.remove(transfer)
        made[pile.deck] += 1
        epoch = pile.epoch + made[pile.deck]
        if row["epoch"] != str(epoch):
            raise _deck(f"the new epoch of {pile.deck} is {epoch}, not {row['epoch']}")
        if texts(row["from"]) != list(transfer.cards) or row["zone"] != transfer.zone:
            raise _deck(f"the transfer of {pile.deck} to {transfer.zone} takes {', '.join(transfer.cards)}")
        if row.get("add", "") != transfer.add:
            raise _deck(f"the transfer of {pile.deck} adds {transfer.add or 'nothing'}")
        size = len(transfer.cards) + len(pile.form.additions.get(transfer.add, ()))
        if row["n"] != str(size):
            raise _deck(f"the new epoch of {pile.deck} has {size} cards, not {row['n']}")
    if waiting:
        raise _deck(f"the transfer of {waiting[0].deck} is missing")
