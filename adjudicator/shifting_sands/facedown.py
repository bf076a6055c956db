"""The strategy decks as they travel between two players: face down, each card under a handle (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from adjudicator.engine.core import Ctx, Event, Order, Problem, Tree, texts_of
from adjudicator.engine.driver import Waits
from adjudicator.engine.facedown import Change, Deck, Done, Face, Use
from adjudicator.engine.queries import Reply
from adjudicator.engine.schema import Field, changed
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.cards import ATTRIBUTES, NAME, OPS, RP, ascending, face_of, is_handle, played_openly
from adjudicator.shifting_sands.drawing import (
    TAKE,
    WINTERS,
    added,
    begun_with,
    deck_of,
    hand_size,
    may_take_any,
    newest,
    of_year,
    resort,
    takes_later,
    word_of,
)
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.orders import ANY, CARD_TOPICS, CLAUSES_AT_MOST, EACH, NO_CLAUSE, TYPES, card_parts
from adjudicator.shifting_sands.phases import REPLACEMENT, discards_and_takes
from adjudicator.shifting_sands.position import first_state
from adjudicator.shifting_sands.standing import clauses, names
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import World, rows, text

HAND, DRAW, DISCARD, FACE_UP, REMOVED = "hand", "draw", "discard", "face-up", "removed"
YEARS = ("1941", "1942")
CARD_ZONES = {"combat-card": FACE_UP, "card-gone": DISCARD}
"""Where an event lays a combat card, unless it says otherwise."""
STANDING = "standing"
CARD_KINDS = ("card", "cards")
USED_FOR = {"ops": OPS, "rd": OPS, "rp": RP}


class Additions(Mapping[str, tuple[Face, ...]]):
    """What rules add to a deck at a shuffle, by word (:func:`~adjudicator.shifting_sands.drawing.word_of`)."""

    def __init__(self, state: State, side: str) -> None:
        self._state, self._side = state, side

    def __getitem__(self, word: str) -> tuple[Face, ...]:
        cards = added(self._state, self._side, word)
        if any(text(self._state.world.cards.get(card, {}), "side") != self._side for card in cards):
            raise KeyError(word)
        return tuple(face_of(self._state.world.cards[card]) for card in cards)

    def __iter__(self) -> Iterator[str]:
        """The words that hold all cards that can ever come in: the years, and what lies open at the start."""
        years = {text(row, "year") for row in rows(self._state.world.scenario, "years")}
        yield from (year for year in YEARS if year not in years and of_year(self._state, self._side, year))
        lying = [text(row, "card") for row in rows(self._state.world.scenario, "discarded")]
        yield from (word_of([card]) for card in lying if text(self._state.world.cards[card], "side") == self._side)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class StrategyDecks:
    """Both strategy decks of a scenario."""

    def __init__(self, world: World) -> None:
        self._world = world

    def start(self) -> State:
        """The state before set-up, with all cards face down."""
        state = first_state(self._world)
        state.hidden = True
        return state

    def decks(self) -> Mapping[str, Deck]:
        """Both decks: those of the scenario's years, and what comes later."""
        state = self.start()
        return {deck_of(side): self._deck(state, side) for side in SIDES}

    def _deck(self, state: State, side: str) -> Deck:
        cards = tuple(face_of(self._world.cards[card]) for card in begun_with(state, side))
        return Deck(side, ATTRIBUTES, cards, Additions(state, side))

    # -- what a message owes -----------------------------------------------------------------------------------

    def uses(self, state: State, side: str, orders: Sequence[Order]) -> list[Use]:
        """The face-down cards that orders name. What is no handle is a card that everybody knows, or is void."""
        return [use for order in orders for use in self._uses(state, side, order)]

    def _uses(self, state: State, side: str, order: Order) -> Iterator[Use]:
        later = order.type == TAKE and takes_later(state, side)  # it lies in the pile that this message shuffles
        for card in _cards_of(order):
            if later or not is_handle(card):
                continue
            zones = (DRAW, DISCARD) if order.type == TAKE else (HAND, FACE_UP)
            yield Use(deck_of(side), card, opened_by(state, side, order), zones)

    def changes(self, state: State, side: str, orders: Sequence[Order]) -> list[Change]:
        """The hand that is dealt anew, then the shuffle of a replacement message."""
        found, shuffle = list[Change](), shuffle_due(state, side, orders)
        kept = kept_of(state, side, orders) if side in state.resorting else []
        if kept:
            down = tuple(card for card in kept if is_handle(card))
            found.append(Change(deck_of(side), down, HAND, word_of(kept)))
        return [*found, shuffle] if shuffle is not None else found

    # -- sealed clauses ----------------------------------------------------------------------------------------

    part_topics = CARD_TOPICS

    def parts(self, side: str, order: Order) -> Mapping[str, Tree]:
        """A sealed order for combat cards, clause by clause: when, and what it plays, each in a topic of its own, so
        that no more is opened than is read (pbem-decisions 5, PROTOCOL 6)."""
        if not is_sealed(order) or not _cards_of(order):
            return {}
        found: dict[str, Tree] = {"cards": EACH, **dict.fromkeys(CARD_TOPICS, NO_CLAUSE)}
        for number, clause in clauses(order.data.get("rules", [])):
            when, plays = card_parts(number)
            found[when] = {name: value for name, value in clause.items() if name != "play"} or {"at": ANY}
            found[plays] = [{"deck": deck_of(side), "card": card} for card in names(clause.get("play"))] or NO_CLAUSE
        return found

    # -- what events do ----------------------------------------------------------------------------------------

    def done(self, event: Event) -> list[Done]:
        """What an event does to the decks."""
        side = str(event.data.get("side", ""))
        deck, card = deck_of(side), str(event.data.get("card", ""))
        cards = tuple(c for c in texts_of(event.data.get("cards")) if is_handle(c))
        if event.kind == "draw":
            label = str(event.data.get("label", ""))
            return [Done("draw", deck, (card,)) if label else Done("move", deck, (card,), HAND)]
        if event.kind == "cards-seen":
            picked = [Done("pick", deck, (one,), label=label) for one, label in _labels(event)]
            return picked or [Done("show", deck, cards)]
        if event.kind in ("action", "taken") and is_handle(card):
            return [Done("move", deck, (card,), DISCARD if event.kind == "action" else HAND)]
        if event.kind == "card-removed":
            return [Done("move", deck, cards, REMOVED)]
        if event.kind == "discard":
            picked = [Done("pick", deck, (one,), label=label) for one, label in _labels(event)]
            return [*picked, Done("move", deck, cards, DISCARD)]
        if event.kind in CARD_ZONES:
            return _moved(event, deck, card)
        if event.kind == "put-down":
            return [Done("move", deck, cards, DISCARD)]
        if event.kind in ("merge", "resorted") and event.data.get("pile" if event.kind == "merge" else "hand"):
            return [Done("change", deck)]
        return []

    # -- what its owner sees -----------------------------------------------------------------------------------

    def seen(self, state: State, side: str, faces: Mapping[str, str]) -> State:
        """The state with a side's own cards by id."""
        found = state.copy()
        for zone in (found.hands, found.discards, found.piles, found.face_up, found.used):
            zone[side] = [faces.get(card, card) for card in zone.get(side, [])]
        found.piles[side] = list(state.piles.get(side, []))
        self.name(found, side, faces)
        return found

    def name(self, state: State, side: str, faces: Mapping[str, str]) -> None:
        """Let a state know what the own cards of a side are called, by handle."""
        state.faces = {**state.faces, side: dict(faces)}

    def hand(
        self, state: State, side: str, faces: Mapping[str, str], waits: Waits, spoken: Callable[[str], str]
    ) -> Reply:
        """The hand of a side for its owner; loaded when it is wanted."""
        from adjudicator.shifting_sands.hand import hand_reply

        return hand_reply(state, self.seen(state, side, faces), side, waits, spoken)

    def laid(self, state: State, side: str, order: Order, faces: Mapping[str, Face]) -> Order:
        """An order with handles in place of the ids of own cards, and what its message will open of them."""
        kind, attr = TYPES.get(order.type), opened_by(state, side, order)
        if kind is None or not _cards_of(order) or is_sealed(order):
            return order
        zones, shown = _zones(state, side, order, faces), dict(order.shown)

        def lay(_at: str, field: Field, name: str) -> str:
            card = _handle(name, zones, faces) if field.kind in CARD_KINDS else name
            if attr and field.kind in CARD_KINDS and card in faces:
                shown[card] = {attr: faces[card][attr]}
            return card

        return replace(order, data=changed(kind.fields, order.data, lay), shown=shown)


def shuffle_due(state: State, side: str, orders: Sequence[Order]) -> Change | None:
    """What a replacement message of a side puts into a new draw pile, after its discards and what it takes: by winter
    everything, else the discards if the pile is too small (SS 5.13, 7.71 to 7.74). None for nothing, and in any other
    phase."""
    if state.step != REPLACEMENT or state.active != side:
        return None
    trial: Ctx[State] = Ctx(state.copy(), apply)
    if side in state.resorting:
        resort(trial, side, cards_named(orders))
    taken, _ = discards_and_takes(trial, side, orders, ())
    pile, discards = trial.state.piles[side], trial.state.discards.get(side, [])
    winter = WINTERS.get(turn_name(state.turn + 1))
    if winter is not None:
        return _change(side, [*pile, *discards], winter[0], taken)
    due = hand_size(state, side) - len(trial.state.hands[side])
    return _change(side, discards, "", "") if due > len(pile) and discards else None


def is_sealed(order: Order) -> bool:
    """True for a standing order whose content no message shows."""
    return order.type == STANDING and order.text("sealed") == "yes"


def is_part(order: Order) -> bool:
    """True for what only a book can say: a topic of a sealed clause, or that the clauses lie in such."""
    topic = order.text("topic")
    return is_sealed(order) and (topic in CARD_TOPICS or (topic == "cards" and order.data.get("rules") == EACH))


def sealed_card_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why clauses that name cards can't be sealed: too many, or a card that has no handle yet (PROTOCOL 6)."""
    rules = order.data.get("rules")
    if isinstance(rules, list) and len(rules) > CLAUSES_AT_MOST:
        said = f"a sealed order for cards has at most {CLAUSES_AT_MOST} clauses"
        return [Problem("sealed", "PROTOCOL 6", said, "put the first ones into it", field="rules")]
    own = set(state.faces.get(side, {}).values())
    strange = [card for card in cards_named([order]) if own and card not in own and not is_handle(card)]
    if strange:
        said = f"{', '.join(strange)} is not in your deck yet, so no book can show it"
        return [Problem("sealed", "PROTOCOL 6", said, "name cards of your hand or pile", field="rules")]
    return []


def show(ctx: Ctx[State], side: str, orders: Sequence[Order]) -> None:
    """The cards that open standing orders name are known to both sides from now on (PROTOCOL 6)."""
    for order in (order for order in orders if order.type == STANDING):
        cards = [card for card in _cards_of(order) if order.shown.get(card, {}).get(NAME)]
        held = [card for card in dict.fromkeys(cards) if card in ctx.state.hands.get(side, [])]
        if held:
            names: list[Tree] = [order.shown[card][NAME] for card in held]
            ctx.emit("cards-shown", "PROTOCOL 6", (), "public", side=side, cards=[*held], names=names)


def kept_of(state: State, side: str, orders: Sequence[Order]) -> list[str]:
    """The hand less what the orders of its owner use."""
    used = set(cards_named(orders))
    return [card for card in state.hands[side] if card not in used]


def cards_named(orders: Sequence[Order]) -> list[str]:
    """All cards that orders name."""
    return [card for order in orders for card in _cards_of(order)]


def _cards_of(order: Order) -> list[str]:
    """The cards that an order names, those of a standing order's clauses among them."""
    kind, found = TYPES.get(order.type), list[str]()

    def note(_at: str, field: Field, text: str) -> str:
        found.extend([text] if field.kind in CARD_KINDS else [])
        return text

    if kind is not None:
        changed(kind.fields, order.data, note)
    return found


def opened_by(state: State, side: str, order: Order) -> str:
    """What an order needs to be known of its cards; "" where they stay face down (PROTOCOL 6).

    Rules: SS 3.discard-pile, 5.11, 19.41.
    """
    if order.type == "play_card":
        return NAME if played_openly(state.world) else USED_FOR.get(order.text("use"), "")
    hidden = order.type == "discard" or (order.type == TAKE and may_take_any(state, side))
    return "" if hidden else NAME


def _zones(state: State, side: str, order: Order, faces: Mapping[str, Face]) -> list[str]:
    """Where the cards of an order may lie, by handle; those of a shuffle to come are known by their faces alone."""
    if order.type == TAKE and takes_later(state, side):
        return [card for card in faces if int(card.partition(".")[0]) > newest(state, side)]
    if order.type == TAKE:
        return [*state.piles.get(side, []), *state.discards.get(side, [])]
    return [*state.hands.get(side, []), *state.face_up.get(side, [])]


def _handle(card: str, zones: Sequence[str], faces: Mapping[str, Face]) -> str:
    """The handle of an own card in these zones; what is none of them stays as it is."""
    return next((handle for handle in zones if handle in faces and faces[handle][NAME] == card), card)


def _moved(event: Event, deck: str, card: str) -> list[Done]:
    """A combat card that was played from the hand, or goes to the discards or out of the game (SS 7.61 to 7.62)."""
    if not is_handle(card) or (event.kind == "combat-card" and event.data.get("source") != HAND):
        return []
    return [Done("move", deck, (card,), str(event.data.get("to", "")) or CARD_ZONES[event.kind])]


def _change(side: str, cards: Sequence[str], year: str, but: str) -> Change | None:
    down = tuple(card for card in ascending(cards) if is_handle(card))
    word = word_of(cards, year, but)
    return Change(deck_of(side), down, DRAW, word) if down or word else None


def _labels(event: Event) -> list[tuple[str, str]]:
    """The cards of an event that were picked at random, each with the label of its pick."""
    labels = texts_of(event.data.get("labels"))
    return list(zip(texts_of(event.data.get("cards")), labels, strict=False)) if labels else []


