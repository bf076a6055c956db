"""Attacks on decks and hidden hands (rows 24 to 26, 31, 57, 71 to 79, 96, 98)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnDecks
from adjudicator.turnfile.nodes import Tree
from tests.protocol.card_game import layout_of, toy_pack
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.forge.case import Case
from tests.protocol.toy_game import A, B, key_of, secret_of
from tests.protocol.twelve import attack, played, turns

OPS: list[Tree] = [{"type": "ops", "card": "1.0"}]


def deck_cases() -> Iterator[Case]:
    """Rows 24 to 26, 31, 71 to 79, 96, 98."""
    yield from _uses()
    yield from _false_decks()
    yield from _transfers()
    yield from _shows()
    yield from _draws()


def decks_of(table: CardTable, side: str) -> OwnDecks:
    """The faces that a side's program knows."""
    return OwnDecks.of(table.verifier, side, table.secrets[side])


def _uses() -> Iterator[Case]:
    table = played(2)
    faces = decks_of(table, A)
    hidden = faces.opening("axis-ops", "1.1", "ops")
    order = [{"type": "ops", "card": "1.1"}]
    case = Case.at("24", "card-never-drawn", table)
    yield case.add("E_DECK", table.changed([], change={"orders": order, "cards": [hidden]}))
    own: Any = table.body(OPS)["cards"]
    case = Case.at("25", "card-swapped", table)
    for name, cards in (
        ("another-card", [faces.opening("axis-ops", "1.6", "ops")]),
        ("another-attribute", [faces.opening("axis-ops", "1.0", "rp")]),
        ("handle-changed", [{**own[0], "card": "1.6"}]),
        ("not-opened", None),
        ("surplus", [*own, faces.opening("axis-ops", "1.6", "name")]),
        ("no-such-card", [{**own[0], "card": "1.99"}]),
        ("no-such-epoch", [{**own[0], "card": "2.0"}]),
        ("path", [{**own[0], "path": own[0]["path"][:-1]}]),
        ("others", [{**own[0], "others": own[0]["others"][:1]}]),
    ):
        case.add("E_DECK", table.changed(OPS, change={"cards": cards}), name)
    other = decks_of(table, B).opening("allies-ops", "1.0", "ops")
    yield case.add("E_DECK", table.changed(OPS, change={"cards": [other]}), "deck-of-the-other-side")
    case = Case.at("71", "lie-about-an-opened-value", table)
    yield case.add("E_DECK", table.changed(OPS, change={"cards": [{**own[0], "value": "4"}]}))
    case = Case.at("73", "handle-twice", table)
    yield case.add("E_DECK", table.changed(OPS, change={"orders": OPS + OPS, "cards": own}), "two-orders").add(
        "E_DECK", table.changed(OPS, change={"cards": own * 2}), "two-openings"
    )
    row = {"deck": "axis-ops", "epoch": "2", "n": "1", "root": own[0]["salt"], "from": ["1.0"], "zone": "hand"}
    case = Case.at("31", "deck-root-no-rule-asked-for", table)
    yield case.add("E_DECK", table.changed(change={"decks": [row]})).add(
        "E_DECK", table.changed(change={"decks": [{**row, "deck": "allies-ops"}]})
    )


Cards = tuple[Mapping[str, str], ...]


def false_layout(change: Mapping[int, Mapping[str, str]]) -> Layout:
    """The deck of axis with some of its cards forged: what a cheat commits to."""
    layout = layout_of(toy_pack())
    form = layout.decks["axis-ops"]
    cards = tuple({**card, **change.get(at, {})} for at, card in enumerate(form.cards))
    forged = DeckForm(form.side, form.attributes, cards, form.additions)
    return Layout(layout.books, {**layout.decks, "axis-ops": forged})


def false_genesis(layout: Layout) -> Message:
    """A genesis whose deck of axis is that of a forged layout."""
    body: Any = card_genesis().body
    secret = secret_of("alice", 256)
    decks = OwnDecks(layout, A, secret, secret.cid).genesis()
    a = {**body["players"]["a"], "decks": decks}
    return sign_body({**body, "players": {**body["players"], "a": a}}, key_of("bob"))


@cache
def _false_faces(layout_of_change: tuple[tuple[int, str, str], ...]) -> tuple[Message, OwnDecks]:
    layout = false_layout({at: {attr: value} for at, attr, value in layout_of_change})
    secret = secret_of("alice", 256)
    return false_genesis(layout), OwnDecks(layout, A, secret, secret.cid)


def _false_decks() -> Iterator[Case]:
    # every card of axis is ax-01: two that are taken openly can't both be
    genesis, faces = _false_faces(tuple((at, "name", "ax-01") for at in range(8)))
    table = CardTable(genesis=genesis)
    table.play()
    table.play()
    pile = table.verifier.piles["axis-ops"]
    one, two = (f"{epoch}.{pos}" for epoch, pos in pile.zone("draw")[:2])
    takes = [{"type": "take", "card": one}, {"type": "take", "card": two}]
    cards = [faces.opening("axis-ops", card, "name") for card in (one, two)]
    case = Case.at("26", "second-copy-of-a-card", table)
    case.add("E_DECK", table.changed(change={"orders": takes, "cards": cards}), "both-at-once")
    first = table.changed(change={"orders": takes[:1], "cards": cards[:1]})
    assert table.receive(first).ok
    case.add("OK", first, "first")
    case.add("OK", table.play())
    later = table.changed(change={"orders": takes[1:], "cards": cards[1:]})
    yield case.add("E_DECK", later, "second").expect(head="4")
    # a name that no card of the deck has
    genesis, faces = _false_faces(((0, "name", "ax-99"),))
    table = CardTable(genesis=genesis)
    table.play()
    table.play()
    card = next(f"1.{pos}" for pos in range(8) if faces.face("axis-ops", f"1.{pos}")["name"] == "ax-99")
    where = table.verifier.piles["axis-ops"].cards[1, int(card[2:])].zone
    if where == "draw":
        change = {"orders": [{"type": "take", "card": card}], "cards": [faces.opening("axis-ops", card, "name")]}
        yield Case.at("26", "name-of-no-card", table).add("E_DECK", table.changed(change=change))
    # false worth from the start: shown at the final opening
    genesis, faces = _false_faces(((4, "ops", "9"),))
    table = CardTable(genesis=genesis)
    table.play()
    table.play(end="resign")
    case = Case.at("72", "deck-committed-with-false-worth", table)
    final = table.next()
    yield case.add("E_DECK", final, "final").expect(head="2", closed="no")


def _transfers() -> Iterator[Case]:
    table = played(6)
    turn = turns()[6]
    body: Any = table.body(**turn)
    row = body["decks"][0]
    case = Case.at("75", "transfer-that-leaves-one-out", table)
    for name, change in (
        ("one-less", {"from": row["from"][:-1], "n": "8"}),
        ("one-more", {"from": [*row["from"], "1.6"], "n": "10"}),
        ("twice", {"from": [*row["from"][:-1], row["from"][0]]}),
        ("other-zone", {"zone": "hand"}),
        ("other-epoch", {"epoch": "3"}),
        ("other-size", {"n": "8"}),
        ("other-cards-added", {"add": "3"}),
    ):
        case.add("E_DECK", table.changed(**turn, change={"decks": [{**row, **change}]}), name)
    yield case.add("E_DECK", table.changed(**turn, change={"decks": None}), "missing").add(
        "E_DECK", table.changed(**turn, change={"decks": [row, row]}), "same-twice"
    )
    # foreign cards under the root of a transfer: only the final opening can show it
    honest = played(6)
    false = honest.changed(**turn, change={"decks": [{**row, "root": row["root"][::-1]}]})
    case = Case.at("74", "foreign-cards-at-a-transfer", honest).add("OK", false, "transfer")
    assert honest.receive(false).ok
    case.add("OK", honest.play(end="resign"), "resignation")
    yield case.add("E_DECK", honest.next(), "final").expect(head="8", closed="no")
    yield _unforeseen()


def _unforeseen() -> Case:
    """Draws that only a die knows run out of cards: the owner is asked, refills from his discard, and draws on."""
    table = played(2)
    lucky: list[Tree] = [{"type": "lucky"}] * 4
    table.play([{"type": "discard", "cards": ["1.0", "1.5"]}, *lucky])
    case = Case.at("96", "reshuffle-that-nobody-foresaw", played(2)).add("OK", table.sent[-1])
    stopped = table.play()
    case.add("OK", stopped)
    assert table.position()["waits"]["key"] == "refill/axis"
    case.add("E_DECK", table.changed(change={"decks": None}), "no-refill")
    case.add("OK", table.play(), "refill").add("OK", table.next())
    return case.expect(kinds="transfer draw draw", head="6")


def _shows() -> Iterator[Case]:
    table = played(6)
    turn = turns()[6]
    body: Any = table.body(**turn)
    faces = decks_of(table, A)
    case = Case.at("76", "raided-card-not-shown", table)
    case.add("E_DECK", table.changed(**turn, change={"show": None}), "not-shown")
    case.add("E_DECK", table.changed(**turn, change={"show": [faces.opening("axis-ops", "1.6", "name")]}), "another")
    case.add("E_DECK", table.changed(**turn, change={"show": [faces.opening("axis-ops", "1.7", "ops")]}), "its-worth")
    more = [*body["show"], faces.opening("axis-ops", "1.6", "name")]
    yield case.add("E_DECK", table.changed(**turn, change={"show": more}), "one-more")
    table = played(7)
    turn = turns()[7]
    rehand: Any = table.body(**turn)["decks"]
    case = Case.at("77", "intelligence-without-re-hand", table)
    case.add("E_DECK", table.changed(**turn, change={"decks": None}), "no-transfer")
    fewer = {**rehand[0], "from": rehand[0]["from"][:-1], "n": "3"}
    yield case.add("E_DECK", table.changed(**turn, change={"decks": [fewer]}), "one-kept-back")


def _draws() -> Iterator[Case]:
    table = played(4)
    case = Case.at("78", "draw-waits-for-its-owner", played(4)).add("OK", table.play())
    assert table.position()["due"] == [{"draws": "1", "side": "axis"}]
    table.play([attack("1500", "allies-u1")])
    yield case.add("OK", table.sent[-1]).expect(kinds="draw", head="6")
    table = played(2)
    case = Case.at("79", "chosen-card-is-usable", table)
    card = "1.1"
    case.add("OK", table.play([{"type": "take", "card": card}])).add("OK", table.play())
    case.add("OK", table.play([{"type": "ops", "card": card}])).add("OK", table.next())
    yield case.expect(kinds="ops draw", head="6")
    yield _gift()


def _gift() -> Case:
    """A card that the scenario gives by name is a forced take in message 1 (PROTOCOL 4.1)."""
    secret = secret_of("alice", 256)
    faces = OwnDecks(layout_of(toy_pack()), A, secret, secret.cid)
    cards = {faces.face("axis-ops", f"1.{pos}")["name"]: f"1.{pos}" for pos in range(8)}
    table = CardTable(gift="ax-03")
    case = Case.at("98", "forced-take-at-set-up", table, "gift ax-03")
    wrong, right = ([{"type": "take", "card": cards[name]}] for name in ("ax-04", "ax-03"))
    body = {"orders": wrong, "cards": [faces.opening("axis-ops", cards["ax-04"], "name")]}
    case.add("E_DECK", table.changed(right, change=body), "another-card")
    case.add("E_DECK", table.changed(right, change={"orders": [], "cards": None}), "not-taken")
    case.add("OK", table.play(right), "taken").add("OK", table.next())
    return case.expect(kinds="take draw draw draw", head="2")
