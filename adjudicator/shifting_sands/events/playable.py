"""May a card be played as an event now: :func:`event_problems` is the one legality (SS 7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.activation import action_problems, in_a_row
from adjudicator.shifting_sands.cards import NAME, is_handle, known
from adjudicator.shifting_sands.conditions import holds
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.replacement import bans
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text

ORDER = "event"
RULE = "SS 7.51"


def row_of(state: State, order: Order, card: str = "") -> Record:
    """The card of an order, as far as its name is known; an empty row for none."""
    return state.world.cards.get(known(state, order, card or order.text("card"), NAME), {})


def event_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why a card may not be played as an event now (SS 7.12, 7.51)."""
    found = action_problems(state, side, order)
    if found:
        return found
    row = row_of(state, order)
    if not row:
        said = f"nobody knows what {order.text('card')} is"
        return [Problem("hand", "SS 7.5", said, "name the card by its name", field="card")]
    return barred(state, side, row) or _with_cards(state, side, order, row) or _bonus(state, side, order, row)


def barred(state: State, side: str, row: Record) -> list[Problem]:
    """What keeps a card from being an event now, whatever is written with it (SS 3.combat-card, 7.61)."""
    name = text(row, "name")
    if text(row, "kind") == "combat":
        said = f"{name} is a combat card: it is played in a combat"
        return [Problem("combat", "SS 7.61", said, "play it for something else", field="card")]
    return [*_class(state, side, row), *_conditions(state, row)]


def _class(state: State, side: str, row: Record) -> list[Problem]:
    """Reinforcements: one of a class in a turn, a T not before its event; a card without a class is no reinforcement
    (SS 7.53, 3.torch-card, faq.cards.21, faq.cards.22)."""
    name, kind = text(row, "name"), text(row, "reinforcement_class")
    if text(row, "t_card") == "yes" and not t_cards(state, side):
        said = f"{name} has a T: such events are played after Torch only"
        return [Problem("torch", "SS 7.53", said, "play it for something else", field="card")]
    if kind and kind in state.reinforced.get(side, []):
        said = f"a {kind} reinforcement event was played in this turn; there is one a turn"
        return [Problem("class", "SS 7.53", said, "play it in another turn", field="card")]
    return []


def t_cards(state: State, side: str) -> bool:
    """True once cards with a T are events for a side (SS 7.53, 3.torch-card)."""
    return any(text(effect, "side") in ("both", side) for _name, effect in in_force(state, "t_cards"))


def conditions_of(state: State, row: Record) -> Iterator[Record]:
    """The conditions of a card, with those that a house rule or an option in use adds."""
    yield from rows(row, "conditions")
    for switch in rows(row, "switches"):
        name = text(switch, "name")
        on = state.world.switch(name, "") == text(switch, "value") if name else False
        if on or state.world.option(text(switch, "option")):
            yield from rows(switch, "adds")


def _conditions(state: State, row: Record) -> list[Problem]:
    """What the card asks for, and events that exclude it (SS 7.521, 7.522, 10.321, 10.323, faq.cards.19,
    errata.card.A45)."""
    found = []
    for condition in conditions_of(state, row):
        if not holds(state, condition):
            rule = text(condition, "rule")
            said = f"{text(row, 'name')} may not be played as an event: {in_words(condition)}"
            found.append(Problem("condition", f"SS {rule}" if rule else RULE, said, "play it for something else",
                                 field="card"))
    return found


def in_words(condition: Record) -> str:
    """What a condition asks for, for a reader."""
    return "; ".join(_words(key, condition) for key in condition if key not in ("rule", "then_played", "from"))


def _words(key: str, c: Record) -> str:
    value = c.get(key)
    if key in ("played", "not_played"):
        return f"{value} must {'not ' if key == 'not_played' else ''}have been played"
    if key == "played_this_turn":
        return f"{value} must have been played in this turn"
    if key == "if_played" and "then_played" in c:
        return f"{text(c, 'then_played')} must have been played, since {value} was"
    if key == "controls" and isinstance(value, dict):
        return f"{text(value, 'space')} must be under {text(value, 'side')} control"
    if key == "units_at" and isinstance(value, dict):
        names = value.get("counters")
        return f"{', '.join(names) if isinstance(names, list) else ''} must stand in {text(value, 'space')}"
    if key == "not":
        return f"it must not be so that {' and '.join(in_words(part) for part in rows(c, 'not'))}"
    if key == "any_of":
        return f"one of: {' or '.join(in_words(part) for part in rows(c, 'any_of'))}"
    return _timed(key, value)


def _timed(key: str, value: object) -> str:
    told = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return {
        "turn_min": f"not before {told}",
        "turn_max": f"not after {told}",
        "round_max": f"not after round {told}",
        "option": f"optional rule {told} must be in use",
    }.get(key, f"{key.replace('_', ' ')} {told}")


# --- what is played with it ---------------------------------------------------------------------------------------


def partners(state: State, row: Record) -> dict[str, str]:
    """The cards that must be played from the hand together with this one now, each with its rule (SS 10.322,
    faq.cards.34)."""
    asked = (c for c in conditions_of(state, row) if "with_card" in c)
    return {text(c, "with_card"): text(c, "rule", "10.322") for c in asked if state.played(text(c, "if_played"))}


def _with_cards(state: State, side: str, order: Order, row: Record) -> list[Problem]:
    """Cards played together come from the hand, none from the table (SS 10.322, faq.cards.34)."""
    hand, wanted = state.hands.get(side, []), partners(state, row)
    given = order.texts("with_cards")
    names = {text(row_of(state, order, card), "name"): card for card in given}
    found = [
        Problem("with", f"SS {rule}", f"{name} must be played from the hand together with {text(row, 'name')}",
                f"with_cards: {name}", field="with_cards" if given else "card")
        for name, rule in wanted.items()
        if name not in names or names[name] not in hand
    ]
    extra = [card for name, card in names.items() if name not in wanted]
    if extra:
        said = f"{', '.join(extra)} is not played together with {text(row, 'name')} now"
        found.append(Problem("with", RULE, said, "leave it out", field="with_cards"))
    return found


def points_now(state: State, side: str, row: Record, do: str) -> list[Record]:
    """The effects that give points now and count as a round for them, unless the last round was one (SS 7.33, 7.43,
    faq.cards.35)."""
    use = {"rp_now": "rp", "rd_points": "rd"}[do]
    return [] if in_a_row(state, side, use) else [e for e in rows(row, "effects") if text(e, "do") == do]


def bonus_barred(state: State, side: str) -> bool:
    """Whether a ban on replacement points bars those of an event as well (ruling A52)."""
    return bool(bans(state, side)) and state.world.switch("battleship_convoys_under_ban", "allowed") == "barred"


def _bonus(state: State, side: str, order: Order, row: Record) -> list[Problem]:
    """Replacement points of the event: not after a round for them, and only where it gives any (SS 7.43)."""
    if order.text("take_rp") != "yes":
        return []
    if not any(text(effect, "do") == "rp_now" for effect in rows(row, "effects")):
        said = f"{text(row, 'name')} gives no replacement points"
        return [Problem("points", RULE, said, "leave take_rp: out", field="take_rp")]
    if bonus_barred(state, side):
        said = f"no replacement points are to be had since {', '.join(bans(state, side))}"
        return [Problem("ban", "SS 7.44", said, "take_rp: no", field="take_rp")]
    if not points_now(state, side, row, "rp_now"):
        said = "a card was played for replacement points in the last action round"
        return [Problem("in-a-row", "SS 7.43", said, "take_rp: no", field="take_rp")]
    return []


def plain(card: str) -> str:
    """A card as a reader knows it: a handle tells nothing."""
    return "" if is_handle(card) else card
