"""Orders of chance told in the other ways that an order may be told: by path instead of end, in the plural, with all
that may be said beside (see bots.py). What would be unlawful so told stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.eligible import carry_problems
from adjudicator.western_desert.haul import reach
from adjudicator.western_desert.hexes import DIRECTIONS, neighbours
from adjudicator.western_desert.initial import need_of
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.orders import NONE, TOWARD_SUPPLY, TYPES
from adjudicator.western_desert.reach import FOOT, ROAD
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import on_lines

Row = dict[str, Tree]
Lawful = Callable[[Sequence[Row]], bool]
SECTION_SHARE, ROW_SHARE, WORD_SHARE, AHEAD_SHARE, PLURAL_SHARE = 0.4, 0.5, 0.25, 0.3, 0.4
PLURALS = ("general_supply", "supply_split", "supply_destroy", "supply_move", "ship")
WORKS = (
    "break_rail",
    "repair",
    "build_airfield",
    "damage_airbase",
    "demolish_port",
    "div_engineers",
    "build_fort",
    "improve_fortress",
)
WISHES = (*DIRECTIONS, "rough", "clear", TOWARD_SUPPLY)


def retold(state: State, side: str, rows: list[Row], chance: Chance, lawful: Lawful) -> list[Row]:
    """The rows, some of them told otherwise, if they are lawful so."""
    if not chance.likely(SECTION_SHARE):
        return rows
    found = [_otherwise(state, side, row, chance) if chance.likely(ROW_SHARE) else row for row in rows]
    return found if found == rows or lawful(found) else rows


def told_opening(state: State, side: str, row: Row, chance: Chance) -> Row:
    """An order of the initial phase, now and then told otherwise; none of it can become unlawful by that."""
    return _otherwise(state, side, row, chance) if chance.likely(ROW_SHARE) else row


def in_plural(row: Row, chance: Chance) -> Row:
    """An order for one counter as an order for several."""
    told = dict(row)
    if row["type"] in PLURALS and "counter" in told and chance.likely(PLURAL_SHARE):
        told["counters"] = [told.pop("counter")]
    return told


def _otherwise(state: State, side: str, row: Row, chance: Chance) -> Row:
    teller = TELLERS.get(str(row["type"]))
    return in_plural(row if teller is None else teller(state, side, row, chance), chance)


def _move(state: State, side: str, row: Row, chance: Chance) -> Row:
    told = dict(row)
    if "unit" in told and chance.likely(0.5):
        told["units"] = [told.pop("unit")]
    return {**told, "mode": "normal"} if "mode" not in told else told


def _work(state: State, side: str, row: Row, chance: Chance) -> Row:
    """Where the work is done, for units that have not moved; in the plural where that can be."""
    uid, fields = str(row["unit"]), TYPES[str(row["type"])].fields
    told: Row = {**row, "hex": state.board.name(state.hex_of(uid))} if uid in state.pieces else dict(row)
    if "units" in fields and chance.likely(PLURAL_SHARE):
        told["units"] = [told.pop("unit")]
    return told


def _haul(state: State, side: str, row: Row, chance: Chance) -> Row:
    """The way of a counter hex by hex, or by one means only."""
    sid = str(row["counter"])
    by = chance.pick(("", FOOT, ROAD, "rail"))
    ends = reach(Field(state, side), sid, by) if sid in state.supply else {}
    to = state.board.find(str(row["to"]))
    if to not in ends:
        return dict(row)
    told: Row = {**row, "by": by} if by else dict(row)
    if chance.likely(0.5):
        del told["to"]
        told["path"] = [state.board.name(h) for h in ends[to][1]]
    return told


def _overrun(state: State, side: str, row: Row, chance: Chance) -> Row:
    """By road, or with a transport counter that takes one of them up."""
    units = [str(uid) for uid in row["units"]]
    if units[0] not in state.pieces:
        return dict(row)
    beside = state.friends_at(state.hex_of(units[0]), side)
    trucks = [uid for uid in beside if state.unit(uid).type == "transport_counter" and uid not in units]
    loads = [(uid, truck) for truck in trucks for uid in units if not carry_problems(state, side, [uid], truck)]
    if not loads:
        return {**row, "by": ROAD}
    uid, truck = chance.pick(loads)
    return {**row, "transport": truck, "carried": [uid]}


def _attack(state: State, side: str, row: Row, chance: Chance) -> Row:
    """Everything that an attack may say beside hex and units."""
    told, force = dict(row), [str(uid) for uid in row["with"]]
    half = [uid for uid in force if uid in state.pieces and state.unit(uid).aeca == "half"]
    extra: tuple[tuple[str, Tree], ...] = (
        ("losses", list(chance.some(force, least=1))),
        ("never", list(chance.some(force, least=1, most=2))),
        ("retreat", list(chance.some(WISHES, least=1, most=3))),
        ("neutral", list(chance.some(half, least=1)) if half and chance.likely(0.5) else NONE),
        ("if_unsupplied", "attack"),
    )
    for name, value in extra:
        if name not in told and chance.likely(WORD_SHARE):
            told[name] = value
    return told


def _losses(state: State, side: str, row: Row, chance: Chance) -> Row:
    units = [str(uid) for uid in row["units"]]
    return {**row, "never": list(chance.some(units, least=1, most=1))}


def _retreat(state: State, side: str, row: Row, chance: Chance) -> Row:
    told = dict(row)
    told["units"] = [told.pop("unit")]
    return {**told, "path": [told.pop("to")]} if chance.likely(0.5) else told


TELLERS: dict[str, Callable[[State, str, Row, Chance], Row]] = {
    "move": _move,
    **dict.fromkeys(WORKS, _work),
    "supply_move": _haul,
    "overrun": _overrun,
    "attack": _attack,
    "losses": _losses,
    "retreat": _retreat,
}


def retold_combat(state: State, side: str, rows: list[Row], chance: Chance) -> list[Row]:
    """The section ``combat`` told otherwise, and answers ahead to what may be asked of the attackers."""

    def lawful(found: Sequence[Row]) -> bool:
        orders = orders_of(row for row in found if row["type"] != "section")
        return not any(problems for _order, problems, _plan in checked(state, side, orders))

    end = next((i for i, row in enumerate(rows) if i and row["type"] == "section"), len(rows))
    ahead = [row for fight in rows if fight["type"] == "attack" for row in _ahead(state, fight, chance)]
    return [*retold(state, side, rows[:end], chance, lawful), *ahead, *rows[end:]]


def _ahead(state: State, fight: Row, chance: Chance) -> Iterator[Row]:
    """The answer to where an attacker retreats, if it must."""
    uid, h = str(chance.pick(list(fight["with"]))), state.board.find(str(fight["hex"]))
    ends = [n for n in neighbours(state.hex_of(uid)) if n in state.board.land]
    if ends and chance.likely(AHEAD_SHARE / 2):
        path: list[Tree] = [state.board.name(chance.pick(ends))]
        yield {"type": "answer", "to": f"retreat/{state.board.label(h)}/{uid}", "path": path}


def supply_answers(state: State, side: str, rows: Sequence[Row], chance: Chance) -> list[Row]:
    """Answers ahead for the own counters that no order of the initial phase speaks of (WD 12.B.2)."""
    named = str(rows)
    supplied = on_lines(state, side)
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side and f"'{sid}'" not in named]
    return [
        {
            "type": "answer",
            "to": f"supply/{state.board.label(state.supply[sid].hex)}/{sid}",
            "use": chance.pick(("yes", "no")),
        }
        for sid in own
        if need_of(state, sid, supplied).units and chance.likely(AHEAD_SHARE)
    ]
