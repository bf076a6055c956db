"""Standing orders for combat: the form of their clauses, and what is wrong with them (pbem-decisions C2 to C4).

    topic losses:   stack   the hexes where the stack fought, or any
                    order   units given up first, in turn, until the loss is met
                    never   units spared while others suffice
    topic retreat:  stack   as above
                    unit    the units the clause is for, or any
                    order   units in the order in which they retreat
                    prefer  hexes, bearings (N NE SE S SW NW), terrains, toward_supply; the first that is lawful
                    split   no = follow the unit of the stack that went before, where that is lawful

Clauses are read in order; the first that fits and has something to say decides. None is ever unlawful when it is
used: losses are filled up to the need, and only hexes of the best class are chosen from.
"""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.state import State

Clause = Mapping[str, Tree]
ANY = "any"
TOWARD_SUPPLY = "toward_supply"
KEYS = {
    "losses": ("stack", "hex", "order", "never"),
    "retreat": ("stack", "hex", "unit", "units", "order", "prefer", "split"),
}
UNIT_KEYS = ("unit", "units", "order", "never")
HEX_KEYS = ("stack", "hex")
RULES = {"losses": "WD 9.C", "retreat": "WD 9.F.1"}


def texts(tree: Tree | None) -> list[str]:
    """A list of texts, or one text with commas."""
    if isinstance(tree, str):
        return [part.strip() for part in tree.split(",") if part.strip()]
    return [item for item in tree if isinstance(item, str)] if isinstance(tree, list) else []


def hex_in(state: State, text: str) -> int | None:
    """The hex of a text, or None."""
    try:
        return state.board.find(text)
    except hexes.HexError:
        return None


def clauses(rules: Tree) -> list[tuple[int, Clause]]:
    """The clauses of a standing order, numbered from 1."""
    found = rules if isinstance(rules, list) else [rules]
    return [(n, clause) for n, clause in enumerate(found, 1) if isinstance(clause, dict)]


def about(state: State, clause: Clause, h: int) -> bool:
    """True where a clause speaks of a stack that fought in the hex."""
    named = texts(clause.get("stack")) or texts(clause.get("hex"))
    return not named or ANY in named or any(hex_in(state, text) == h for text in named)


def of_unit(clause: Clause, uid: str) -> bool:
    """True where a clause speaks of the unit."""
    named = texts(clause.get("unit")) or texts(clause.get("units"))
    return not named or ANY in named or uid in named


def known_wish(state: State, wish: str) -> bool:
    """True for a word that ``prefer`` understands: hex, bearing, terrain, ``toward_supply``."""
    if wish == TOWARD_SUPPLY or wish.upper() in hexes.DIRECTIONS or wish in combat_charts(state.world).terrain:
        return True
    return hex_in(state, wish) is not None


# --- checking ---------------------------------------------------------------------------------------------------


def standing_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with a standing order on losses or retreats; other topics are not judged here."""
    topic = order.text("topic")
    if topic not in KEYS:
        return []
    rules = order.data.get("rules", [])
    rows = rules if isinstance(rules, list) else [rules]
    problems: list[Problem] = []
    for n, row in enumerate(rows, 1):
        if isinstance(row, dict):
            problems += _clause_problems(state, side, topic, n, row)
        else:
            text = f"clause {n} is no list of keys and values but {row!r}"
            problems.append(_problem(topic, text, f"write it with {', '.join(KEYS[topic])}"))
    return problems


def _problem(topic: str, text: str, hint: str) -> Problem:
    return Problem("standing", RULES[topic], f"standing order for {topic}: {text}", hint, field="rules")


def _clause_problems(state: State, side: str, topic: str, n: int, clause: Clause) -> list[Problem]:
    problems = [
        _problem(topic, f"clause {n} has no key {key!r}", f"use {', '.join(KEYS[topic])}")
        for key in clause
        if key not in KEYS[topic]
    ]
    for key in UNIT_KEYS:
        problems += _unit_problems(state, side, topic, n, key, texts(clause.get(key)))
    for key in HEX_KEYS:
        for text in texts(clause.get(key)):
            if text != ANY and hex_in(state, text) is None:
                problems.append(_problem(topic, f"clause {n}: {text} is no hex", "write 19/0726, or any"))
    for wish in texts(clause.get("prefer")):
        if not known_wish(state, wish):
            hint = "use hexes, N NE SE S SW NW, a terrain such as rough, or toward_supply"
            problems.append(_problem(topic, f"clause {n}: prefer {wish} is not understood", hint))
    if "split" in clause and clause["split"] not in ("no", "allowed"):
        problems.append(_problem(topic, f"clause {n}: split {clause['split']!r}", "use no or allowed"))
    return problems


def _unit_problems(state: State, side: str, topic: str, n: int, key: str, named: list[str]) -> list[Problem]:
    problems = []
    for uid in named:
        if uid == ANY:
            continue
        unit = state.world.units.get(uid)
        if unit is None:
            problems.append(_problem(topic, f"clause {n}: {key} names {uid}, which is no unit", "name units by id"))
        elif unit.side != side:
            said = f"clause {n}: {key} names {unit.short or uid}, a unit of the {unit.side} side"
            problems.append(_problem(topic, said, "name your own units"))
    return problems
