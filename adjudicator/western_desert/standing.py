"""Standing orders and answers: what is wrong with them, and reading their clauses (pbem-decisions I1, C2 to C4).

Clauses are read in order; the first that fits and has something to say decides. Their fields are those of
``orders.CLAUSES``. None is ever unlawful when it is used: losses are filled up to the need, and only hexes of the best
class are chosen from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from adjudicator.engine.core import Order, Problem, Tree, texts_of
from adjudicator.engine.schema import Field, changed
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.answers import AIR_KEY_FORMS, UNASKED, air_answer_problems, read_key
from adjudicator.western_desert.air.orders import TOPIC_RULES
from adjudicator.western_desert.gate import CAPTURED, form_problems
from adjudicator.western_desert.orders import ANY, TYPES
from adjudicator.western_desert.orders import TOWARD_SUPPLY as TOWARD_SUPPLY
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.world import rows, text

Clause = Mapping[str, Tree]
RULES = {"supply": "WD 12.B.2", "losses": "WD 9.C", "retreat": "WD 9.F.1", **TOPIC_RULES}
FREE = ("standing", "answer")
_FORMS = ("losses/HEX/SIDE", "retreat/HEX/order-SIDE", "retreat/HEX/UNIT", "supply/HEX/COUNTER", *AIR_KEY_FORMS)
KEY_FORMS = f"{', '.join(_FORMS)}, with the hex as 18.4818"
_KEY = re.compile(r"(losses|retreat|supply)/([^/]+)/([^/]+)(/[2-9])?")


# --- reading ----------------------------------------------------------------------------------------------------


def hex_in(state: State, name: str) -> int | None:
    """The hex of a text, or None."""
    try:
        return state.board.find(name)
    except hexes.HexError:
        return None


def clauses(rules: Tree) -> list[tuple[int, Clause]]:
    """The clauses of a standing order, numbered from 1."""
    found = rules if isinstance(rules, list) else [rules]
    return [(n, clause) for n, clause in enumerate(found, 1) if isinstance(clause, dict)]


def about(state: State, clause: Clause, h: int) -> bool:
    """True where a clause speaks of a stack that fought in the hex."""
    named = texts_of(clause.get("stack"))
    return not named or ANY in named or any(hex_in(state, name) == h for name in named)


def of_unit(clause: Clause, uid: str) -> bool:
    """True where a clause speaks of the unit."""
    named = texts_of(clause.get("unit"))
    return not named or ANY in named or uid in named


# --- checking ---------------------------------------------------------------------------------------------------


def refusal(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with a standing order or an answer, wherever the game stands; empty for all other orders."""
    if order.type == "standing":
        return standing_problems(state, side, order)
    if order.type == "answer":
        return form_problems(state.world, order) or _answer_problems(state, side, order)
    return []


def standing_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with a standing order: its form, what it names, and whose that is. Says the same in every
    position."""
    problems = form_problems(state.world, order)
    if problems:
        return problems
    rule = RULES[order.text("topic")]
    return [_not_yours(rule, path, whose) for path, whose in _others(state, side, order)]


def _not_yours(rule: str, path: str, whose: str) -> Problem:
    return Problem("standing", rule, f"standing order: {whose}", "name your own", field=path)


def _others(state: State, side: str, order: Order) -> list[tuple[str, str]]:
    """The names in an order that are not the side's, with the place of each."""
    found: list[tuple[str, str]] = []

    def judge(path: str, field: Field, name: str) -> str:
        owner = _owner(state, field.book, name)
        if owner and owner != side:
            unit = state.world.units.get(name)
            who = (unit.short if unit else "") or name
            found.append((path, f"{path} names {who}, which belongs to the {owner} side"))
        return name

    changed(TYPES[order.type].fields, order.data, judge)
    return found


def _owner(state: State, book: str, name: str) -> str:
    if book == "unit":
        return state.world.units[name].side
    if book == "air":
        return text(state.world.air[name], "side")
    if book != "counter":
        return ""
    if CAPTURED.fullmatch(name):
        return name.split("-")[1]
    return next((text(row, "side") for row in rows(state.world.scenario, "supply") if text(row, "id") == name), "")


def _answer_problems(state: State, side: str, order: Order) -> list[Problem]:
    """An answer to a choice that can never arise, or that is the other side's."""
    key = order.text("to")
    said = UNASKED.get(key.split("/")[0])
    if said is not None:
        return [Problem("answer", "WD 9.C", f"no answer settles {key!r}: {said}", "leave the order out", field="to")]
    flown = read_key(key)
    if flown is not None and _on_board(state, flown.hex):
        return air_answer_problems(state.world, side, flown, order)
    found = _KEY.fullmatch(key)
    if found is None or not _on_board(state, found[2]):
        return [_no_choice(key, f"there is no choice {key!r}; keys are {KEY_FORMS}")]
    topic, _hex, who, step = found.groups()
    if step and topic != "retreat":
        return [_no_choice(key, f"there is no choice {key!r}; only a retreat goes on step by step")]
    owner = _asked(state, topic, who)
    if not owner:
        return [_no_choice(key, f"there is no choice {key!r}: {who} names nobody; keys are {KEY_FORMS}")]
    if owner != side:
        return [_no_choice(key, f"the choice {key!r} is the {owner} side's")]
    wanted = {"losses": "units", "supply": "use"}.get(topic, "units" if who.startswith("order-") else "path")
    if wanted in order.data:
        return []
    return [Problem("answer", "WD 9.C", f"an answer to {key} says {wanted}:", f"add a line {wanted}:", field="to")]


def _no_choice(key: str, said: str) -> Problem:
    return Problem("answer", "WD 9.C", said, "leave the order out, or write the key as `status` shows it", field="to")


def _on_board(state: State, label: str) -> bool:
    h = hex_in(state, label.replace(".", "/", 1))
    named = {state.board.label(place) for place in state.board.names}
    return label in named or (h is not None and state.board.label(h) == label)


def _asked(state: State, topic: str, who: str) -> str:
    """The side that a key asks; "" where it asks nobody."""
    if topic == "losses":
        return who if who in ENEMY else ""
    if topic == "supply":
        return _owner(state, "counter", who)
    side = who.removeprefix("order-")
    if side in ENEMY:
        return side
    return state.world.units[who].side if who in state.world.units else ""
