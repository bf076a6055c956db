"""Face-down decks between the rules of a game and the protocol (PROTOCOL 6): forms, uses, what events do, own faces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudicator.engine.core import Event, Order, Problem, Tree
from adjudicator.engine.facedown import Deck, Done, Face, FaceDown
from adjudicator.engine.game import Table
from adjudicator.protocol.desk import Desk
from adjudicator.protocol.forms import handle, rows
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.own import OwnDecks
from adjudicator.protocol.piles import Handle, Owed, PileFault, Transfer, Use, handle_text
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier

if TYPE_CHECKING:
    from adjudicator.match.match import Match

Faces = Mapping[str, Face]
"""The own cards by their handles."""
NO_FACES: Faces = {}


class OwnFaces(dict[str, Face]):
    """The same, with what it takes to know the cards of a shuffle before it is signed."""

    def __init__(self, decks: OwnDecks, names: Iterable[str]) -> None:
        super().__init__((card, face) for deck in names for card, face in decks.faces(deck).items())
        self.decks = decks


_CARD = re.compile(r"\bcard ([1-9]\d{0,3}\.\d{1,4})\b")


def forms_of(table: Table) -> dict[str, DeckForm]:
    """The decks of a game as the protocol fixes them."""
    decks: Mapping[str, Deck] = table.facedown.decks() if table.facedown is not None else {}
    return {name: DeckForm(deck.side, deck.attributes, deck.cards, deck.additions) for name, deck in decks.items()}


def first_state(table: Table) -> Any:
    """The state before set-up of a game between two players."""
    return table.start() if table.facedown is None else table.facedown.start()


def shown_in(body: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What a message opens of the cards that its orders name."""
    found: dict[str, dict[str, str]] = {}
    for row in rows(body.get("cards")):
        found.setdefault(str(row["card"]), {})[str(row["attr"])] = str(row["value"])
    return found


def seen_in(table: Table, body: Mapping[str, Any]) -> list[str]:
    """The cards by title that a message shows because the other side has looked into the hand (PROTOCOL 6)."""
    return [table.spoken(str(row["value"])) for row in rows(body.get("show")) if row["attr"] == "name"]


def with_shown(orders: Iterable[Order], shown: Mapping[str, Mapping[str, str]]) -> tuple[Order, ...]:
    """Orders with what their message opens of cards."""
    return tuple(replace(order, shown=shown) for order in orders) if shown else tuple(orders)


def owed_by(facedown: FaceDown, state: Any, side: str, asked: bool, orders: Sequence[Order]) -> Owed:
    """What a message owes by its orders, and by the state before it."""
    uses = tuple(Use(*use) for use in facedown.uses(state, side, orders))
    changes = facedown.changes(state, side, orders) if asked else ()
    return Owed(uses, tuple(Transfer(*change) for change in changes))


def carry_out(facedown: FaceDown, desk: Desk, events: Iterable[Event]) -> None:
    """Do with the decks of the desk what the events of a message have done. Raises PileFault where they disagree."""
    for event in events:
        picked: list[Handle] = []
        for done in facedown.done(event):
            _do(desk, done, picked)


def _do(desk: Desk, done: Done, picked: list[Handle]) -> None:
    """``picked`` are the cards that the event has picked so far: it picks none twice, but any that another shows."""
    if done.verb == "change":
        desk.transfer(done.deck)
        return
    for text in done.cards:
        if done.verb == "draw":
            _same(done, text, handle_text(desk.draw(done.deck)))
        elif done.verb == "pick":
            picked.append(desk.pick_card(done.deck, done.label, picked))
            _same(done, text, handle_text(picked[-1]))
        else:
            card = handle(text)
            if card is None:
                raise PileFault(f"{done.deck}: {text!r} is no handle")
            if done.verb == "show":
                desk.demand_show(done.deck, card)
            else:
                desk.move(done.deck, card, done.zone)


def _same(done: Done, wanted: str, found: str) -> None:
    if wanted != found:
        raise PileFault(f"{done.deck}: the rules {done.verb} {wanted}, the protocol {found}")


# --- own cards -----------------------------------------------------------------------------------------------------


def deck_rows(layout: Layout, side: str, secret: Secret) -> dict[str, Any]:
    """What genesis says of the decks of a player; nothing in a game without any."""
    if not layout.decks_of(side):
        return {}
    return {"decks": OwnDecks(layout, side, secret, secret.cid).genesis()}


def own_faces(verifier: Verifier, side: str, secret: Secret) -> Faces:
    """The faces of a side's cards, by handle; those of handles that have ended too, for reports of what was. None for a
    kit: it has not the key that they come from."""
    if isinstance(secret, Kit):
        return NO_FACES
    mine = verifier.layout.decks_of(side) if verifier.piles else {}
    return OwnFaces(OwnDecks.of(verifier, side, secret), mine) if mine else NO_FACES


def faces_of(match: Match) -> Faces:
    """The faces of the cards of this folder's player; none where his secret is not here, or cards lie open."""
    if not match.me or match.table.facedown is None or match.trouble():
        return NO_FACES
    return own_faces(match.verifier, match.me, match.secret())


def laid_down(table: Table, state: Any, side: str, orders: Sequence[Order], faces: Faces) -> list[Order]:
    """Orders with handles in place of the ids of own cards, as they are signed."""
    if table.facedown is None or not faces:
        return list(orders)
    laid = [table.facedown.laid(state, side, order, faces) for order in orders]
    owed = owed_by(table.facedown, state, side, True, laid) if isinstance(faces, OwnFaces) else Owed()
    later = faces.decks.to_come(owed) if isinstance(faces, OwnFaces) and owed.transfers else NO_FACES
    return [table.facedown.laid(state, side, order, later) for order in laid] if later else laid


def used_twice(table: Table, state: Any, side: str, orders: Sequence[Order]) -> list[Problem]:
    """Cards that a message would use twice: it can't be signed (E_DECK)."""
    found: list[Problem] = []
    used: set[tuple[str, str]] = set()
    for order in orders if table.facedown is not None else ():
        for use in table.facedown.uses(state, side, [order]) if table.facedown is not None else ():
            if (use.deck, use.card) in used:
                said = "a card that another order of this message uses"
                hint = "name each card once"
                found.append(Problem("card", "PROTOCOL 6", said, hint, order.place(), order.index))
            used.add((use.deck, use.card))
    return found


def in_own_words(table: Table, problem: Problem, faces: Faces) -> Problem:
    """A problem with an own card by name where the rules speak of it by its handle, for its owner alone."""

    def said(text: str) -> str:
        named = _CARD.sub(lambda found: faces[found[1]]["name"] if found[1] in faces else found[0], text)
        return text if named == text else table.spoken(named)

    return replace(problem, text=said(problem.text), hint=said(problem.hint)) if faces else problem


def as_seen(table: Table, state: Any, side: str, faces: Faces) -> Any:
    """A state as a side sees it, with its own cards by id."""
    if table.facedown is None or not faces:
        return state
    return table.facedown.seen(state, side, names_of(faces))


def names_of(faces: Faces) -> dict[str, str]:
    """The ids of own cards by their handles."""
    return {card: face["name"] for card, face in faces.items()}


def told_of(table: Table, state: Any, side: str, faces: Faces) -> Any:
    """A state that knows the names of a side's own cards where it speaks of their handles, for his report."""
    if table.facedown is not None and faces:
        table.facedown.name(state, side, names_of(faces))
    return state


# --- cards in sealed orders ------------------------------------------------------------------------------------------


def in_parts(
    table: Table, verifier: Verifier, side: str, secret: Callable[[], Secret], orders: Sequence[Order]
) -> list[Order]:
    """Orders with those that seal rules for face-down cards in parts, each card with the opening of its name: whoever
    reads the part can check it against the deck (PROTOCOL 6). A card that has no handle any more is left out."""
    found: list[Order] = []
    for order in orders:
        parts = table.facedown.parts(side, order) if table.facedown is not None and verifier.piles else {}
        shown = _Shown(verifier, side, secret()) if parts else None
        rows = {topic: shown.filled(rules) if shown is not None else rules for topic, rules in parts.items()}
        more = [replace(order, data={**order.data, "topic": topic, "rules": rules}) for topic, rules in rows.items()]
        found += more or [order]
    return found


class _Shown:
    """The openings of a player's own cards, by name."""

    def __init__(self, verifier: Verifier, side: str, secret: Secret) -> None:
        self._decks, self._piles = OwnDecks.of(verifier, side, secret), verifier.piles

    def filled(self, rules: Tree) -> Tree:
        """Rules with openings in place of cards."""
        if not isinstance(rules, list):
            return rules
        return [opened for row in rules if isinstance(row, dict) for opened in self._opened(row)]

    def _opened(self, row: Mapping[str, Tree]) -> list[Tree]:
        pile = self._piles[str(row["deck"])]
        attr = pile.form.attributes[0]
        for card in map(handle_text, sorted(pile.cards)):
            if row["card"] in (card, self._decks.face(pile.deck, card)[attr]):
                return [self._decks.opening(pile.deck, card, attr)]
        return []


def cards_shown(desk: Desk, side: str, rules: Any) -> Any:
    """Sealed rules as they are read: of the cards that they open those that fit their deck; their names are public."""
    if not isinstance(rules, list) or not any(isinstance(row, dict) and "leaf_salt" in row for row in rules):
        return rules
    kept = [row for row in rules if isinstance(row, dict) and _fits(desk, side, row)]
    return [{name: row[name] for name in ("card", "value")} for row in kept]


def _fits(desk: Desk, side: str, row: dict[str, Any]) -> bool:
    """Whether an opening is true; then it is public. Anything may stand in what another program has sealed."""
    pile = desk.piles.get(row["deck"]) if isinstance(row.get("deck"), str) else None
    if pile is None or pile.side != side or row.get("attr") != pile.form.attributes[0]:
        return False
    try:
        pile.check_opening(row)
    except (ProtocolError, ValueError, KeyError, TypeError, IndexError):
        return False
    pile.open(row)
    return True
