"""What is odd about an order that is sound by itself: words that can do nothing, told as warnings before signing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from adjudicator.engine.core import Order, Problem, Tree, texts_of
from adjudicator.shifting_sands.orders import ANY, CLAUSES, TYPES
from adjudicator.shifting_sands.standing import clauses, names
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import short_name

KEYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "react": ("react/COMBAT", ()),
    "followup": ("followup/COMBAT", ()),
    "losses": ("losses/COMBAT/attacker or losses/COMBAT/defender", ("units", "say")),
    "hold": ("hold/COMBAT", ("unit", "say")),
    "retreat": ("retreat/COMBAT/UNIT or retreat/COMBAT/order", ("path", "units", "say")),
    "relocate": ("relocate/COMBAT/UNIT", ("place", "say")),
    "replace": ("replace/COMBAT/UNIT", ("unit", "say")),
    "overstack": ("overstack/COMBAT/SPACE", ("units", "say")),
    "captured": ("captured/COMBAT/TOWN", ("units", "say")),
}
"""The forms of the keys of choices within a combat, and the fields of an answer to each."""
_FORMS = re.compile(
    r"(react|followup|hold)/\d+|losses/\d+/(attacker|defender)|(retreat|relocate|replace|overstack|captured)/\d+/[a-z0-9-]+"
)


def remarks(state: State, side: str, order: Order) -> list[Problem]:
    """Warnings about one order, whatever the dice bring."""
    found = list(_strangers(state, side, order))
    if order.type == "standing":
        found += _standing(state, side, order)
    elif order.type == "answer":
        found += _answer(order)
    elif order.type == "section" and order.text("name") != "reaction" and "ask" in order.data:
        said = f"the section {order.text('name')} asks for nothing: only a reaction does"
        found.append(Problem("ask", "SS 5.2", said, "leave ask: out", field="ask"))
    return found


def _foreign(state: State, side: str, data: Mapping[str, Tree], fields: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Units of the other side among the fields of an order or clause, with the field of each."""
    for name in fields:
        for uid in texts_of(data.get(name)):
            if uid in state.world.counters and state.counter(uid).side != side:
                yield name, uid


def _strangers(state: State, side: str, order: Order) -> Iterator[Problem]:
    """Units of the other side where only own ones can be meant; other orders are refused for them by their rules."""
    if order.type not in ("losses", "captured_supply", "wait"):
        return
    fields = (name for name, field in TYPES[order.type].fields.items() if field.book == "unit")
    for name, uid in _foreign(state, side, order.data, fields):
        said = f"{short_name(state, uid)} is not one of your units"
        yield Problem("stranger", TYPES[order.type].rule, said, "leave it out", field=name)


def _standing(state: State, side: str, order: Order) -> Iterator[Problem]:
    topic, rules = order.text("topic"), order.data.get("rules", [])
    open_ = 0
    for number, clause in clauses(rules):
        at = f"rules[{number - 1}]" if isinstance(rules, list) else "rules"
        fields = (name for name, field in CLAUSES[topic].items() if field.book == "unit")
        for name, uid in _foreign(state, side, clause, fields):
            said = f"{short_name(state, uid)} is not one of your units"
            yield Problem("stranger", "SS 11", said, "leave it out", field=f"{at}.{name}")
        if open_:
            said = f"clause {open_} decides wherever there is something to decide: this one is never reached"
            yield Problem("reached", "SS 11", said, f"put it above clause {open_}, or leave it out", field=at)
        elif _always(topic, clause):
            open_ = number


def _always(topic: str, clause: Mapping[str, Tree]) -> bool:
    """Whether a clause decides whatever comes, so that none behind it is reached."""
    if topic == "losses" or (topic == "withdraw" and not names(clause.get("event"))):
        return True
    if topic == "hold":
        at = names(clause.get("at"))
        return (not at or ANY in at) and not ("difference" in clause or "steps" in clause)
    space = names(clause.get("space"))
    return topic == "retreat" and (not space or ANY in space) and "unit" not in clause and (
        "prefer" in clause or "near" in clause
    )


def _answer(order: Order) -> Iterator[Problem]:
    """Keys that no choice has, and answers in the wrong field."""
    key = order.text("to")
    kind = key.split("/")[0]
    if not _FORMS.fullmatch(key):
        forms = KEYS[kind][0] if kind in KEYS else ", ".join(form for form, _fields in KEYS.values())
        said = f"no choice goes by the key {key}: this answers nothing"
        hint = f"write it as {forms}; `template` names the key of what you are asked"
        yield Problem("key", "SS 11", said, hint, field="to")
        return
    fields = KEYS[kind][1]
    said_in = [name for name in order.data if name != "to"]
    wrong = [name for name in said_in if name not in fields]
    if fields and (wrong or not said_in):
        said = f"{key} is not answered by {', '.join(wrong) or 'nothing'}"
        hint = f"answer it with {' or '.join(fields)}"
        yield Problem("field", "SS 11", said, hint, field=wrong[0] if wrong else "to")
