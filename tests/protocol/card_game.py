"""The toy game of the vectors: attacks with stops, books and decks, hidden plans, raids. A resolver at a desk.

A turn belongs to one side, axis the odd ones. `attack {hex, loss}`: the defender may react (book `sheet`, topic
`react`, else a stop), a die plus -1 for a reaction decides: 5 and more the defender loses a step, below 1 the
attacker. `ops {card}` shows what a card is worth and discards it, `raid` takes a random card of the other hand,
`intel` looks at two, `take {card}`, `discard {cards}`, `reshuffle {add}`, `lucky` draws as many cards as a die says,
`execute {unit, hex}` carries out a sealed plan, `recon {unit}` sees what the other side planned and since when.
Whoever's turn it was draws a card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from adjudicator.protocol.desk import Desk
from adjudicator.protocol.forms import handle, rows
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.piles import DISCARD, DRAW, HAND, Owed, Pile, Transfer, Use, handle_text
from adjudicator.protocol.resolve import Resolution
from adjudicator.turnfile.nodes import Tree
from tests.protocol.toy_game import event, vectors

SIDES = ("axis", "allies")
STEPS = ("attack", "ops", "raid", "intel", "execute", "lucky", "recon")
Event = dict[str, Tree]


def toy_pack() -> dict[str, Any]:
    """The data of the game, as the vectors have it."""
    pack: dict[str, Any] = json.loads(vectors()["game"]["pack"])
    return pack


def layout_of(pack: Mapping[str, Any]) -> Layout:
    """Books and decks of the pack; cards of year 2 are added by a reshuffle."""
    decks = {}
    for deck in pack["decks"]:
        cards = [card for card in deck["cards"] if card["year"] == "1"]
        more = [card for card in deck["cards"] if card["year"] == "2"]
        form = DeckForm(deck["side"], tuple(deck["attributes"]), tuple(cards), {"2": tuple(more)})
        decks[deck["deck"]] = form
    return Layout({book["book"]: tuple(book["topics"]) for book in pack["books"]}, decks)


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


@dataclass
class State:
    """Everything public that is not on the desk; `agenda` holds orders not yet reached, `answers` those on file."""

    units: dict[str, int]
    phase: str = "setup"
    turn: int = 0
    player: str = ""
    waits: tuple[str, str] | None = ("setup/axis", "axis")
    agenda: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    rehand: list[str] = field(default_factory=list)
    winner: str = ""


class Stop(Exception):
    """A choice that is not on file."""

    def __init__(self, key: str, side: str) -> None:
        super().__init__(key)
        self.key, self.side = key, side


class CardGame:
    """The resolver. `faults` are mistakes an engine could make, by name, for tests that must see them halt."""

    def __init__(self, faults: frozenset[str] = frozenset(), decks: bool = True, gift: str = "") -> None:
        self.pack = toy_pack()
        if not decks:
            self.pack["decks"] = []
        self.layout, self.gift = layout_of(self.pack), gift
        self.faults = faults
        self.state = State({unit["unit"]: int(unit["steps"]) for unit in self.pack["units"]})
        self.calls: list[int] = []

    def again(self) -> CardGame:
        return CardGame(self.faults, bool(self.pack["decks"]), self.gift)

    def resolve_at(self, desk: Desk, bodies: Sequence[Mapping[str, Tree]]) -> Resolution:
        self.calls.append(desk.n)
        run = Run(self, deepcopy(self.state), desk, bodies[desk.n] if desk.n else {})
        run.play()
        resolution = Resolution(run.events, run.position(), over=run.state.phase == "over")
        self.state = run.state
        return resolution

    def owed(self, seq: int, body: Mapping[str, Tree], piles: Mapping[str, Pile]) -> Owed:
        side, state = str(body["side"]), self.state
        deck = f"{side}-ops"
        if self.gift and seq == 1:
            return Owed((self._gift(deck, body),))
        orders = rows(body.get("orders")) if self.asked_for_turn(seq, side) else []
        uses = [use for order in orders for use in uses_of(deck, order)]
        used = {use.card for use in uses}
        gone = {use.card for use in uses if use.attr == ""}
        pile, transfers = piles[deck], []
        if side in state.rehand:
            kept = [card for card in map(handle_text, pile.zone(HAND)) if card not in used]
            transfers = [Transfer(deck, tuple(kept), HAND)] if kept else []
        else:
            adds = next((str(o.get("add", "")) for o in orders if o["type"] == "reshuffle"), None)
            taken = used - gone
            if adds is None and self._refills(side, pile, taken):
                adds = ""
            if adds is not None:
                old = sorted({*pile.zone(DRAW, DISCARD), *(c for c in map(handle, gone) if c and c in pile.cards)})
                cards = tuple(text for text in map(handle_text, old) if text not in taken)
                more = pile.form.additions.get(adds, ())
                transfers = [Transfer(deck, cards, DRAW, adds if more else "")] if cards or more else []
        return Owed(tuple(uses), tuple(transfers))

    def _gift(self, deck: str, body: Mapping[str, Tree]) -> Use:
        """The card that the scenario gives side axis by name: a forced take in message 1."""
        takes = [order for order in rows(body.get("orders")) if order["type"] == "take"]
        return Use(deck, str(takes[0].get("card")) if takes else "", "name", (DRAW,), self.gift)

    def _refills(self, side: str, pile: Pile, taken: set[str]) -> bool:
        """Whether the owner was stopped for want of cards to draw, and has a discard to refill from."""
        return self.state.waits == (f"refill/{side}", side) and bool(pile.zone(DISCARD))

    def asked_for_turn(self, seq: int, side: str) -> bool:
        return seq > 2 and self.state.waits == (f"turn/{self.state.turn}", side)


def uses_of(deck: str, order: Mapping[str, Tree]) -> list[Use]:
    """The cards an order names, as far as it is well formed."""
    card = order.get("card")
    if order["type"] == "ops" and isinstance(card, str):
        return [Use(deck, card, "ops")]
    if order["type"] == "take" and isinstance(card, str):
        return [Use(deck, card, "name", (DRAW, DISCARD))]
    if order["type"] == "discard" and isinstance(cards := order.get("cards"), list):
        return [Use(deck, card) for card in cards if isinstance(card, str)]
    return []


class Run:
    """One resolution."""

    def __init__(self, game: CardGame, state: State, desk: Desk, body: Mapping[str, Tree]) -> None:
        self.game, self.state, self.desk, self.body = game, state, desk, body
        self.n, self.events, self.deck = desk.n, list[Event](), f"{desk.author}-ops"
        self.orders = rows(body.get("orders"))

    def tell(self, kind: str, by: list[int], /, **more: str) -> None:
        self.events.append(event(kind, self.n, by, **more))

    # -- the order of PROTOCOL 4.7 ---------------------------------------------------------------------------

    def play(self) -> None:
        desk, state, side = self.desk, self.state, self.desk.author
        if desk.lost:
            return
        if self.n == 0:
            self.tell("weather", [], die=str(desk.dice.roll("setup/weather", 6)[0]))
        elif state.phase == "over":
            self.tell("final", [self.n], side=side)
        elif desk.end:
            self.end()
        elif self.n <= 2:
            self.setup(side)
        else:
            self.public()
            self.draw_due(side)
            if state.waits and state.waits[1] == side:
                self.asked(side)
            else:
                self.void_all()

    def end(self) -> None:
        state, side = self.state, self.desk.author
        state.phase, state.waits = "over", None
        state.agenda.clear()
        if self.desk.end == "resign":
            state.winner = other(side)
            self.tell("resign", [self.n], side=side)
        else:
            self.tell("draw-agreed", [self.n - 1, self.n])

    def setup(self, side: str) -> None:
        given = bool(self.game.gift) and self.n == 1
        if given:
            self.cards(side)
        self.orders = [order for order in self.orders if not (given and order["type"] == "take")]
        self.void_all()
        self.state.due[side] = next((int(one["hand"]) for one in self.game.pack["decks"] if one["side"] == side), 0)
        self.draw_due(side)
        if self.n == 1:
            self.state.waits = ("setup/allies", "allies")
        else:
            self.state.phase, self.state.player = "play", "axis"
            self.state.turn, self.state.waits = 1, ("turn/1", "axis")

    def public(self) -> None:
        """Shown cards, proofs of age, discards, takes, transfers."""
        desk, side = self.desk, self.desk.author
        for row in desk.shown:
            card = handle(row["card"])
            assert card is not None
            self.tell("shown", [self.n], card=str(row["card"]), value=str(row["value"]))
            if desk.piles[str(row["deck"])].cards[card].zone == "raided":
                desk.move(str(row["deck"]), card, DISCARD)
        for row in desk.history:
            self.tell("history", [int(str(row["seq"])), self.n], side=side, topic=str(row["topic"]))
        if self.state.waits == (f"turn/{self.state.turn}", side):
            self.cards(side)
        if any(row["deck"] == self.deck for row in desk.transfers):
            row = desk.transfer(self.deck)
            more = {"deck": self.deck, "epoch": str(row["epoch"]), "n": str(row["n"]), "zone": str(row["zone"])}
            self.tell("transfer", [self.n], **more)
        if side in self.state.rehand:
            self.state.rehand.remove(side)

    def cards(self, side: str) -> None:
        for order in self.orders:
            for use in uses_of(self.deck, order):
                card = handle(use.card)
                assert card is not None
                if order["type"] in ("take", "discard"):
                    self.desk.move(self.deck, card, HAND if order["type"] == "take" else DISCARD)
                    self.tell(str(order["type"]), [self.n], card=use.card, side=side)

    def draw_due(self, side: str) -> None:
        while self.state.due.get(side, 0):
            if not self.desk.piles[f"{side}-ops"].zone(DRAW):
                return
            card = self.desk.draw(f"{side}-ops")
            self.state.due[side] -= 1
            self.tell("draw", [], card=handle_text(card), side=side)
        self.state.due.pop(side, None)

    # -- orders and answers ----------------------------------------------------------------------------------

    def asked(self, side: str) -> None:
        state = self.state
        assert state.waits is not None
        if state.waits[0].startswith("turn/"):
            state.agenda = []
            for number, order in enumerate(self.orders, 1):
                if order["type"] in (*STEPS, *self.game.faults):
                    state.agenda.append({**order, "no": str(number), "seq": str(self.n)})
                elif order["type"] not in ("take", "discard", "reshuffle"):
                    self.void("toy 1")
        else:
            self.read_answers()
        try:
            while state.agenda:
                self.step(state.agenda[0])
                state.agenda.pop(0)
        except Stop as stop:
            state.waits = (stop.key, stop.side)
            return
        self.end_turn()

    def read_answers(self) -> None:
        for order in self.orders:
            to, value = order.get("to"), order.get("value")
            if order["type"] == "answer" and isinstance(to, str) and isinstance(value, str):
                self.state.answers.setdefault(to, (self.n, value))
            else:
                self.void("toy 2")

    def end_turn(self) -> None:
        state = self.state
        state.answers.clear()
        if self.game.pack["decks"]:
            state.due[state.player] = state.due.get(state.player, 0) + 1
        if state.player == self.desk.author:
            self.draw_due(state.player)
        state.turn += 1
        state.player = other(state.player)
        state.waits = (f"turn/{state.turn}", state.player)
        if not any(steps for unit, steps in state.units.items() if unit.startswith(state.player)):
            state.phase, state.waits, state.winner = "over", None, other(state.player)

    def step(self, order: dict[str, Any]) -> None:
        kind = str(order["type"])
        if kind in self.game.faults:
            return self.fault(kind)
        if kind == "attack":
            return self.attack(order)
        step: Callable[[dict[str, Any]], None] = getattr(self, kind)
        return step(order)

    def attack(self, order: dict[str, Any]) -> None:
        where, side, seq = order.get("hex"), self.state.player, int(order["seq"])
        fought = any(e["kind"] == "combat" and e["hex"] == where for e in self.events)
        if not isinstance(where, str) or not where.isalnum() or (fought and "loser" not in order):
            return self.void("toy 3", seq)
        if "loser" not in order:
            value, by = self.react(where, seq)
            mod = -1 if value == "yes" else 0
            self.tell("react", [seq, by], hex=where, side=other(side), value=value)
            die = self.desk.dice.roll(f"combat/{where.lower()}/crt", 6)[0]
            loser = other(side) if die + mod >= 5 else side if die + mod < 1 else ""
            self.tell("combat", [seq, by], hex=where, die=str(die), mod=str(mod), loser=loser)
            order["loser"], order["by"] = loser, str(by)
        if order["loser"]:
            self.loss(order, where)
        return None

    def react(self, where: str, seq: int) -> tuple[str, int]:
        """Whether the defender reacts, and the message that says so."""
        side, key = other(self.state.player), f"react/{where}"
        topic = self.desk.topic(side, "sheet", "react")
        if topic is not None and topic.rules is not None and topic.rules != "ask":
            return ("yes" if topic.rules == "yes" else "no"), topic.seq
        return self.answer(key, side, {"yes", "no"}, "no")

    def answer(self, key: str, side: str, lawful: set[str], default: str) -> tuple[str, int]:
        """An answer on file, the default where the side was asked and kept silent; else a stop."""
        if key in self.state.answers:
            seq, value = self.state.answers[key]
            return (value if value in lawful else default), seq
        if self.state.waits == (key, side) and self.desk.author == side:
            return default, self.n
        raise Stop(key, side)

    def loss(self, order: dict[str, Any], where: str) -> None:
        side, by = str(order["loser"]), [int(order["seq"]), int(order["by"])]
        alive = sorted(unit for unit, steps in self.state.units.items() if unit.startswith(side) and steps)
        if len(alive) > 1:
            unit, seq = self.choose(side, where, alive, order)
            by.append(seq)
        elif alive:
            unit = alive[0]
        else:
            return
        self.state.units[unit] -= 1
        self.tell("loss", by, hex=where, unit=unit)

    def choose(self, side: str, where: str, alive: list[str], order: dict[str, Any]) -> tuple[str, int]:
        if side == self.state.player:
            named = str(order.get("loss"))
            return (named if named in alive else alive[0]), int(order["seq"])
        topic = self.desk.topic(side, "sheet", "losses")
        if topic is not None and topic.rules is not None:
            wished = topic.rules if isinstance(topic.rules, list) else []
            return next((str(unit) for unit in wished if unit in alive), alive[0]), topic.seq
        return self.answer(f"loss/{where}/{side}", side, {*alive}, alive[0])

    def ops(self, order: dict[str, Any]) -> None:
        deck, card = f"{self.state.player}-ops", handle(order.get("card"))
        pile = self.desk.piles[deck]
        if card is None or card not in pile.cards or pile.cards[card].zone != HAND:
            return self.void("toy 4", int(order["seq"]))
        self.desk.move(deck, card, DISCARD)
        worth = pile.cards[card].opened["ops"]
        return self.tell(
            "ops", [int(order["seq"])], card=str(order["card"]), ops=worth, side=self.state.player
        )

    def raid(self, order: dict[str, Any]) -> None:
        victim = other(self.state.player)
        deck, seq = f"{victim}-ops", int(order["seq"])
        if not self.desk.piles[deck].zone(HAND):
            return self.void("toy 5", seq)
        card = self.desk.pick_card(deck, f"raid/{self.state.turn}/{victim}/1")
        self.desk.move(deck, card, "raided")
        return self.tell("raid", [seq], card=handle_text(card), side=self.state.player)

    def intel(self, order: dict[str, Any]) -> None:
        victim, seen = other(self.state.player), list[tuple[int, int]]()
        deck = f"{victim}-ops"
        for number in (1, 2):
            if len(seen) == len(self.desk.piles[deck].zone(HAND)):
                break
            seen.append(self.desk.pick_card(deck, f"intel/{self.state.turn}/{victim}/{number}", seen))
            self.tell("intel", [int(order["seq"])], card=handle_text(seen[-1]), side=self.state.player)
        if seen and victim not in self.state.rehand:
            self.state.rehand.append(victim)

    def lucky(self, order: dict[str, Any]) -> None:
        """A die says how many cards the player draws: only the dice know whether the pile is long enough."""
        side = self.state.player
        if "die" not in order:
            order["die"] = str(self.desk.dice.roll(f"lucky/{self.state.turn}/{order['no']}", 6)[0])
            self.state.due[side] = self.state.due.get(side, 0) + int(order["die"])
        if self.desk.author != side:
            raise Stop(f"refill/{side}", side)
        self.draw_due(side)
        if self.state.due.get(side) and self.desk.piles[f"{side}-ops"].zone(DISCARD):
            raise Stop(f"refill/{side}", side)
        self.state.due.pop(side, None)

    def execute(self, order: dict[str, Any]) -> None:
        """A plan counts when every book `plans` since it was made says the same of the unit (PROTOCOL 5, history)."""
        unit, seq = order.get("unit"), int(order["seq"])
        brought = {int(str(row["seq"])): row.get("rules") for row in self.desk.history if row["topic"] == unit}
        plan = next(iter(brought.values()), None)
        older = self.desk.older.get((self.state.player, "plans"), ())
        first = int(str(plan.get("first", 0))) if isinstance(plan, dict) else 0
        needed = {one.seq for one in older if one.seq >= first > 0}
        good = isinstance(plan, dict) and all(rules == plan for rules in brought.values())
        if not good or {*brought} != needed or len(needed) < 2:
            return self.void("toy 6", seq)
        assert isinstance(plan, dict)
        if plan.get("hex") != order.get("hex") or plan.get("turn") != str(self.state.turn):
            return self.void("toy 7", seq)
        return self.tell("executed", [seq], unit=str(unit))

    def recon(self, order: dict[str, Any]) -> None:
        """A unit of the other side is seen: what its book `plans` says of it, with all books before (garrisons)."""
        unit, side, seq = order.get("unit"), other(self.state.player), int(order["seq"])
        if unit not in self.game.layout.books["plans"]:
            return self.void("toy 8", seq)
        seen = self.desk.display(side, "plans", str(unit))
        if seen is None:
            return self.void("toy 9", seq)
        old = str(sum(topic.rules == seen[-1].rules for topic in seen))
        return self.tell("seen", [seq, *(topic.seq for topic in seen)], unit=str(unit), same=old)

    def fault(self, kind: str) -> None:
        if kind == "label-twice":
            self.desk.dice.roll("combat/1/crt", 6)
            self.desk.dice.roll("combat/1/crt", 6)
        if kind == "bad-label":
            self.desk.dice.roll("Combat / one", 6)
        if kind == "future":
            self.tell("peek", [self.n + 1])
        if kind == "crash":
            raise ZeroDivisionError("no such chart")
        if kind == "early-draw":
            self.desk.draw(f"{other(self.desk.author)}-ops")
        if kind == "draw-by-hand":
            self.desk.dice.pick(f"deck/{other(self.desk.author)}-ops/1/draw/9", 3)
        if kind == "swallow":
            try:
                self.desk.topic(self.desk.opener, "sheet", "supply")
            except Exception:
                self.tell("swallowed", [self.n])

    def void(self, rule: str, seq: int = 0) -> None:
        self.tell("void", [seq or self.n], rule=rule)

    def void_all(self) -> None:
        for _ in self.orders:
            self.void("toy 0")

    # -- position --------------------------------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        state = self.state
        found: dict[str, Any] = {
            "agenda": [dict(order) for order in state.agenda],
            "books": self.desk.books_position(),
            "decks": self.desk.decks_position(),
            "due": [{"draws": str(draws), "side": side} for side, draws in sorted(state.due.items()) if draws],
            "phase": state.phase,
            "rehand": sorted(state.rehand),
            "shows": self.desk.shows_position(),
            "turn": str(state.turn),
            "units": [{"steps": str(steps), "unit": unit} for unit, steps in sorted(state.units.items())],
        }
        if state.player:
            found["player"] = state.player
        if state.waits:
            found["waits"] = {"key": state.waits[0], "side": state.waits[1]}
        if state.winner:
            found["winner"] = state.winner
        return found
