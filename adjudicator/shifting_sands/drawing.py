"""Draw piles and hands: what is drawn, shuffled in, taken by name, dealt anew (SS 5.1, 7.7, 18.3, 19.42, PROTOCOL 6).

Where cards lie open they go by their ids; where they lie face down a shuffle gives every card of the pile a new handle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.shifting_sands.cards import NAME, ascending, called, dealt, is_handle, known
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.named import BARBAROSSA, ROMMEL, SIEGE
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import rows, text

HAND_BY_YEAR = {1940: 7, 1941: 8, 1942: 9, 1943: 10}
WINTERS = {"Winter 1941": ("1941", "SS 7.71"), "Winter 1942": ("1942", "SS 7.72"), "Winter 1943": ("", "SS 7.73")}
"""The turns before which a deck is shuffled anew, with the year of the cards that come in, and the rule."""
TAKE = "take"
BUT, PLUS = "-but-", "+"
BY_SEASON = {"Winter 1941": ("axis", ROMMEL, "SS 7.74"), "Winter 1942": ("axis", SIEGE, "SS 7.74")}
OPTION = "19.42"
ANY_CARD = "19.41"


def deck_of(side: str) -> str:
    """The deck of a side (PROTOCOL 6)."""
    return f"{side}-strategy"


def begun_with(state: State, side: str) -> list[str]:
    """The cards of a side's draw pile at the start, in the order of the pack (SS 4.3, 18.1, 18.3)."""
    scenario = state.world.scenario
    apart = {text(row, "card") for name in ("discarded", "removed") for row in rows(scenario, name)}
    years = {text(row, "year") for row in rows(scenario, "years")}
    return [card for year in sorted(years) for card in of_year(state, side, year) if card not in apart]


def of_year(state: State, side: str, year: str) -> list[str]:
    """The cards of a side that come into play with a year, in the order of the pack."""
    found = state.world.cards.items()
    return [card for card, row in found if year and (text(row, "side"), text(row, "year")) == (side, year)]


# --- drawing -------------------------------------------------------------------------------------------------------


def size_of(turn: int) -> int:
    """The largest hand of a turn (SS 5.12)."""
    return HAND_BY_YEAR[int(turn_name(turn).split()[1])]


def hand_size(state: State, side: str) -> int:
    """How many cards a side holds in the turn to come: by its year, fewer where an event of this turn says so, whatever
    was played after it (SS 5.12, faq.cards.31)."""
    less = (effect for name, effect in in_force(state, "hand_limit") if state.events[name] == state.turn)
    limits = (int(text(effect, "value")) for effect in less if text(effect, "side") == side)
    return min([size_of(state.turn + 1), *limits])


def force_discard(ctx: Ctx[State], side: str) -> None:
    """A hand over its limit is kept, and nothing is drawn; under the switch ``hand_force_discard`` the cards of the
    fewest operations points go, or the first of those that lie face down (SS 5.12, ruling A47)."""
    state, hand = ctx.state, ctx.state.hands[side]
    over = len(hand) - hand_size(state, side)
    if over > 0 and state.world.switch("hand_force_discard", "off") == "on":
        cards = state.world.cards
        down = [card for card in ascending(hand) if is_handle(card)]
        open_ = sorted((c for c in hand if not is_handle(c)), key=lambda card: (int(text(cards[card], "ops")), card))
        gone: list[Tree] = [*[*down, *open_][:over]]
        ctx.emit("discard", "SS 5.12", (), "public", side=side, cards=gone)


def draw_hand(ctx: Ctx[State], side: str, size: int) -> Proc[None]:
    """Draw up to a full hand, card by card, each a pick out of what is left; a pile that can't fill it goes to hand
    whole, without dice (SS 3.draw-pile, 5.12, 5.13)."""
    state = ctx.state
    if size - len(state.hands[side]) > len(state.piles[side]):
        for card in list(state.piles[side]):
            ctx.emit("draw", "SS 5.13", side=side, card=card)
    while len(state.hands[side]) < size and state.piles[side]:
        yield from _draw(ctx, side)


def _draw(ctx: Ctx[State], side: str) -> Proc[None]:
    pile = ctx.state.piles[side]
    epoch, drawn = ctx.state.epochs.get(side, (1, 0))
    epoch = int(pile[0].partition(".")[0]) if is_handle(pile[0]) else epoch
    label, faces = f"deck/{deck_of(side)}/{epoch}/draw/{drawn + 1}", len(pile)
    if faces == 1:
        ctx.emit("draw", "SS 5.12", side=side, card=pile[0], label=label)
        return
    (at,) = yield from ctx.roll(Roll(label, "draw", faces=faces, who=side, picks=True))
    ctx.emit("draw", "SS 5.12", side=side, card=pile[at - 1], label=label, die=str(at), faces=str(faces), pick="yes")


def fill_hand(
    ctx: Ctx[State], side: str, size: int, winter: tuple[str, str] | None, but: str = "",
    then: Callable[[], None] = lambda: None,
) -> Proc[None]:
    """Shuffle in what the season asks for, then fill the hand, with the discards once the pile is empty (SS 5.12, 5.13,
    7.71, 7.72, 7.73, sop.A). ``winter`` is one of :data:`WINTERS`; ``but`` the card that was taken by name; ``then`` is
    done when the deck has been shuffled (ruling A46)."""
    if winter is not None:
        merge(ctx, side, [*ctx.state.piles[side], *ctx.state.discards.get(side, [])], winter[0], but, winter[1])
    then()
    yield from draw_hand(ctx, side, size)
    if len(ctx.state.hands[side]) < size and ctx.state.discards.get(side):
        merge(ctx, side, ctx.state.discards[side], "", "", "SS 5.13")
        yield from draw_hand(ctx, side, size)


def merge(ctx: Ctx[State], side: str, cards: Sequence[str], year: str, but: str, rule: str) -> None:
    """Shuffle cards, with those of a year, into a new draw pile (SS 5.13, 7.71, 7.72, 7.73)."""
    new = [card for card in of_year(ctx.state, side, year) if card != but]
    whole: list[str] = [*ascending(cards), *new]
    pile = dealt(newest(ctx.state, side) + 1, len(whole)) if ctx.state.hidden else whole
    discards: list[Tree] = [card for card in cards if card in ctx.state.discards.get(side, [])]
    data: dict[str, Tree] = {"cards": discards, "new": [*new], "pile": [*pile]}
    ctx.emit("merge", rule, (), "public", side=side, **data)


def newest(state: State, side: str) -> int:
    """The newest epoch of a side's cards."""
    return state.epochs.get(side, (1, 0))[0]


# --- taking a card by name -----------------------------------------------------------------------------------------


def offered(state: State, side: str) -> dict[str, str]:
    """The cards that a side may take into its hand now, each with its rule (SS 7.74, 18.3, 19.41, 19.42)."""
    if may_take_any(state, side):
        years = {text(row, "year") for row in rows(state.world.scenario, "years")} | set(_years_by(state.turn + 1))
        return {card: f"SS {ANY_CARD}" for year in sorted(years) for card in of_year(state, side, year)}
    if state.phase == "setup":
        found = {text(row, "card"): "SS 18.3" for row in rows(state.world.scenario, "may_take")}
        names = [BARBAROSSA] if found and state.world.option(OPTION) else []
    else:
        season = turn_name(state.turn + 1)
        who, name, rule = BY_SEASON.get(season, ("", "", ""))
        found = dict.fromkeys(_named(state, who, name), rule)
        names = [BARBAROSSA] if season == "Winter 1941" and state.world.option(OPTION) else []
    found |= {card: f"SS {OPTION}" for name in names for card in _named(state, "allied", name)}
    return {card: rule for card, rule in found.items() if text(state.world.cards[card], "side") == side}


def may_take_any(state: State, side: str) -> bool:
    """Whether a side may take one card of its deck, whichever it likes, and need not show which (SS 19.41)."""
    who = BY_SEASON.get(turn_name(state.turn + 1), ("", "", ""))[0]
    return who == side and state.phase != "setup" and state.world.option(ANY_CARD)


def takes_later(state: State, side: str) -> bool:
    """Whether such a card is taken out of the pile as it is shuffled anew: its new handle does not even tell whether it
    comes with the new year (pbem-decisions 6, ruling A87)."""
    return state.hidden and may_take_any(state, side)


def _years_by(turn: int) -> Iterator[str]:
    """The years whose cards have come in up to a turn."""
    seasons = {turn_name(number) for number in range(1, turn + 1)}
    return (year for season, (year, _rule) in WINTERS.items() if year and season in seasons)


def _named(state: State, side: str, name: str) -> Iterator[str]:
    cards = state.world.cards.items()
    return (card for card, row in cards if (text(row, "side"), text(row, "name")) == (side, name))


def take_problems(state: State, side: str, order: Order, taken: Iterable[str]) -> list[Problem]:
    """Why a card may not be taken; ``taken`` are those of the same message."""
    card = order.text("card")
    if may_take_any(state, side):
        return _take_any_problems(state, side, card, taken)
    name, able = known(state, order, card, NAME), offered(state, side)
    hint = f"card: {' or '.join(able)}" if able else "leave the order out"
    if name not in able:
        return [Problem("take", "SS 7.74", f"{name or called(card)} may not be taken now", hint, field="card")]
    if name in taken:
        return [Problem("twice", able[name], f"{name} is taken already", "leave one of the two out", field="card")]
    return _room_problems(state, side, able[name]) or _gone_problems(state, side, card, able[name])


def _take_any_problems(state: State, side: str, card: str, taken: Iterable[str]) -> list[Problem]:
    """Why no card may be taken, or not this one, where any may be (SS 19.41)."""
    rule = f"SS {ANY_CARD}"
    return _once_problems(taken) or _room_problems(state, side, rule) or _gone_problems(state, side, card, rule)


def _once_problems(taken: Iterable[str]) -> list[Problem]:
    if not list(taken):
        return []
    said = "one card is taken in a winter, and one was"
    return [Problem("twice", f"SS {ANY_CARD}", said, "leave one of the two out", field="card")]


def _room_problems(state: State, side: str, rule: str) -> list[Problem]:
    """The hand keeps its size, the card that is taken included (SS 7.74, 18.3, 19.41, 19.42)."""
    limit = int(text(state.world.scenario, "hand")) if state.phase == "setup" else hand_size(state, side)
    if len(state.hands.get(side, [])) < limit:
        return []
    said = f"a hand holds {limit} cards at most, one that is taken included"
    return [Problem("full", rule, said, "discard a card first", field="card")]


def _gone_problems(state: State, side: str, card: str, rule: str) -> list[Problem]:
    if card in (*state.piles.get(side, []), *state.discards.get(side, []), *_coming(state, side)):
        return []
    said = f"{card} is in neither pile nor discards, and does not come in"
    return [Problem("gone", rule, said, "take another card, or none", field="card")]


def _coming(state: State, side: str) -> list[str]:
    """The cards that come in with the next turn."""
    year = "" if state.phase == "setup" else WINTERS.get(turn_name(state.turn + 1), ("", ""))[0]
    return of_year(state, side, year)


def take_cards(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> str:
    """Take cards by name. Returns the one that comes with the new year, which is not shuffled in then; "" for none."""
    taken, coming = list[str](), _coming(ctx.state, side)
    for order in orders:
        problems = take_problems(ctx.state, side, order, taken)
        if problems:
            ctx.void(order, problems, by)
            continue
        card = order.text("card")
        name = known(ctx.state, order, card, NAME)
        rule = f"SS {ANY_CARD}" if may_take_any(ctx.state, side) else offered(ctx.state, side)[name]
        ctx.emit("taken", rule, by, "public", side=side, card=card, name=name, order=str(order.index))
        taken.append(name or card)
    return next((name for name in taken if name in coming), "")


def take_any(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Take one card by its handle in the pile that was just shuffled; nobody else learns its name (SS 19.41)."""
    rule, taken = f"SS {ANY_CARD}", list[str]()
    for order in orders:
        card = order.text("card")
        problems = _once_problems(taken) or _room_problems(ctx.state, side, rule)
        if not problems and card not in ctx.state.piles[side]:
            said = f"{called(card)} is not in the pile of the new year"
            problems = [Problem("gone", rule, said, "take another card, or none", field="card")]
        if problems:
            ctx.void(order, problems, by)
            continue
        ctx.emit("taken", rule, by, "public", side=side, card=card, order=str(order.index))
        taken.append(card)


# --- dealing a hand anew -------------------------------------------------------------------------------------------


def resort(ctx: Ctx[State], side: str, used: Iterable[str]) -> None:
    """The hand, less what its message uses, is dealt anew, so that nobody can follow a card that was seen."""
    state, gone = ctx.state, set(used)
    kept = [card for card in state.hands[side] if card not in gone]
    if state.hidden and kept:
        pile: list[Tree] = [*dealt(newest(state, side) + 1, len(kept))]
        ctx.emit("resorted", "SS 11.73", (), "public", side=side, cards=[*ascending(kept)], hand=pile)
    else:
        ctx.emit("resorted", "SS 11.73", (), "public", side=side)


def word_of(cards: Iterable[str], year: str = "", but: str = "") -> str:
    """What a new epoch adds, in the protocol's word: a year's cards less one, and open cards by id."""
    known_cards = [card for card in cards if not is_handle(card)]
    head = f"{year}{BUT}{but}" if but else year
    return PLUS.join([head, *known_cards]) if known_cards else head


def added(state: State, side: str, word: str) -> list[str]:
    """The cards behind such a word."""
    head, *more = word.split(PLUS)
    year, _, but = head.partition(BUT)
    return [*(card for card in of_year(state, side, year) if card != but), *more]
