"""Answers to choices of the air war by their keys: whose they are, and what they must say (WD 17.B, 18.return, 21)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.western_desert.air.allocation import RULE_OF, SERIES_RULE
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.engagement import AT_FORCE, AT_SCREEN, PAST_SCREEN, SEQUENCE
from adjudicator.western_desert.air.orders import ALL, ESCAPES, INTERCEPTS, NONE, PATROL, SCRAMBLES, TOPIC_RULES
from adjudicator.western_desert.state import World

LAND = "land"
STEPS = (AT_SCREEN, PAST_SCREEN, AT_FORCE)
LISTED, PAIRED = ("jettison", "split"), ("engage", "join", "chase", "strike")
OF_ONE = (LAND, ESCAPES)
"""Choices about a single air unit, which its key names."""
AIR_KEY_FORMS = (
    *(f"{topic}/HEX" for topic in (*LISTED, *PAIRED)),
    f"{SEQUENCE}/HEX/STEP/AIR",
    *(f"{topic}/HEX/AIR" for topic in OF_ONE),
)
"""The forms of keys, for people; those of air combat at night end in ``/night``."""
FIELDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((*LISTED, SEQUENCE), ("airs",)),
    **dict.fromkeys(PAIRED, ("pairs",)),
    LAND: ("path",),
    ESCAPES: ("path", "use"),
}
"""What an answer says, by topic."""
ONES: Mapping[str, str] = {
    "jettison": "the fighters that drop their bombs, all or none",
    "split": "the interceptors that attack the escorts, all or none",
    SEQUENCE: "the air units in the order in which they fight",
    **dict.fromkeys(PAIRED, "rows of air: and at:, who attacks whom"),
    LAND: "the base",
    ESCAPES: "the base, or use: no",
}
RULES: Mapping[str, str] = {**RULE_OF, SEQUENCE: SERIES_RULE, LAND: "WD 18.return", ESCAPES: TOPIC_RULES[ESCAPES]}
UNASKED = {
    PATROL: f"patrol attacks are settled by standing orders on {PATROL}",
    "orders": "the orders of a phase stand in its section",
    INTERCEPTS: "interceptions are ordered in the section reaction",
    SCRAMBLES: "scrambles are ordered in the section reaction",
}
"""Choices that no answer settles, with what does."""
_COMBAT = re.compile(rf"({'|'.join((*LISTED, *PAIRED))})/([^/]+)(?:/night)?")
_SERIES = re.compile(rf"({SEQUENCE})/([^/]+)/(?:{'|'.join(STEPS)})/([^/]+?)(?:/night)?")
_ONE = re.compile(rf"({'|'.join(OF_ONE)})/([^/]+)/([^/]+)")


class Key(NamedTuple):
    """A key taken apart: its topic, the hex as in labels, the air unit that it names if it names one."""

    topic: str
    hex: str
    air: str = ""


def read_key(key: str) -> Key | None:
    """The key of a choice of the air war; None for any other text."""
    for form in (_COMBAT, _SERIES, _ONE):
        found = form.fullmatch(key)
        if found is not None:
            return Key(*found.groups())
    return None


def air_answer_problems(world: World, side: str, key: Key, order: Order) -> list[Problem]:
    """What is wrong with an answer to a choice of the air war, in whatever position it is given."""
    to, rule = order.text("to"), RULES[key.topic]
    if key.air and key.air not in world.air:
        said = f"there is no choice {to!r}: {key.air} is no air unit of this game"
        return [Problem("answer", rule, said, "write the key as `status` shows it", field="to")]
    wanted = FIELDS[key.topic]
    if not set(wanted) & order.data.keys():
        said = f"an answer to {to} says {wanted[0]}: {ONES[key.topic]}"
        return [Problem("answer", rule, said, f"add a line {wanted[0]}:", field="to")]
    if key.topic in OF_ONE and craft_of(world, key.air).side != side:
        said = f"the choice {to!r} is the {craft_of(world, key.air).side} side's"
        return [Problem("answer", rule, said, "leave the order out", field="to")]
    return [_not_of(world, rule, path, aid, own) for path, aid, own in _named(order) if _owner(world, aid, side) != own]


def _owner(world: World, aid: str, side: str) -> bool:
    return craft_of(world, aid).side == side


def _named(order: Order) -> Iterator[tuple[str, str, bool]]:
    """The air units that an answer names, with the place of each, and whether they are to be one's own."""
    for i, aid in enumerate(order.texts("airs")):
        if aid not in (ALL, NONE):
            yield f"airs[{i}]", aid, True
    rows: Tree = order.data.get("pairs", [])
    for i, row in enumerate(rows if isinstance(rows, list) else [rows]):
        if isinstance(row, dict):
            yield from ((f"pairs[{i}].{field}", str(row.get(field)), field == "air") for field in ("air", "at"))


def _not_of(world: World, rule: str, path: str, aid: str, own: bool) -> Problem:
    craft = craft_of(world, aid)
    hint = "name one of yours" if own else "name one of the enemy's"
    return Problem("side", rule, f"{path}: {craft.name or aid} belongs to the {craft.side} side", hint, field=path)
