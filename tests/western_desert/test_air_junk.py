"""Orders of any form in the sections air and reaction, on positions of chance: nothing breaks, nothing is passed over
in silence, and what no assumed die finds fault with is void nowhere."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from adjudicator.engine.core import Order
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import Message, Run, play
from adjudicator.match.draft import resolve_orders
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.orders import AIR_TYPES
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.state import State
from tests.western_desert.air_umpire import air_faults
from tests.western_desert.phases import AT, ROUNDS, Phase, author, checkpoint, message, played
from tests.western_desert.surprise import Body, drafted, table
from tests.western_desert.test_turn_junk import Known, filled

SECTIONS = ("air", "reaction")
FLOWN = {name for name, kind in AIR_TYPES.items() if kind.section and name not in ("split", "targets")}
ELSEWHERE = ("Malta", "Tripoli", "Beirut", "19/9999", "18/0001", "0/0", "")


def known(phase: Phase, chance: Random) -> Known:
    """Names of the position: air units of both sides, in play and not, bases and target hexes, units at them."""
    state, side = phase.before, author(phase.before)
    board, air = state.board, sorted(state.air)
    own = [aid for aid in air if craft_of(state.world, aid).side == side]
    bases = [board.name(state.air[aid].hex) for aid in air]
    over = [board.name(unit.sortie.over) for unit in state.air.values() if unit.sortie]
    land = [board.name(h) for h in chance.sample(sorted(board.land), 6)]
    there = [uid for uid in sorted(state.pieces) if board.name(state.hex_of(uid)) in bases]
    return {
        "air": [*own * 2, *air, *chance.sample(sorted(state.world.air), 3)],
        "hex": [*bases, *over * 3, *land, *ELSEWHERE],
        "unit": there or sorted(state.pieces),
        "counter": sorted(state.supply) or ["supply-axis-9"],
        "number": ("0", "1", "2", "99999999999999999999"),
        "target": ("any", "weakest", "towing", *air[:9]),
        "model": ("any", "towing", "bombers", "F"),
        "mission": ("any", "harass", "transfer"),
    }


@cache
def junk(seed: int, section: str) -> tuple[Phase, list[Body]] | None:
    """A section with orders of chance and lawful ones among them, some twice; None where nobody is asked for it."""
    phase, chance = played(seed, section), Random(f"junk {seed} {section}")
    if phase is None:
        return None
    names = known(phase, chance)
    kinds = [name for name, kind in AIR_TYPES.items() if kind.section == section]
    rows = [dict(row) for row in phase.rows if row["type"] != "section"] * chance.choice((0, 1, 2))
    for _ in range(chance.randint(1, 10)):
        name = chance.choice([*kinds * 3, "pass", "answer", "standing", "air_repair", "intercept", "harass", "move"])
        rows.append({"type": name, **filled(chance, TYPES[name].fields, names)})
    chance.shuffle(rows)
    return phase, [{"type": "section", "name": section}, *rows]


def cases(section: str) -> list[tuple[int, Phase, list[Body]]]:
    """Such sections, with their seeds."""
    found = ((seed, junk(seed, section)) for seed in range(ROUNDS))
    return [(seed, *case) for seed, case in found if case is not None]


def read(state: State, rows: list[Body]) -> Message:
    """The orders of right form, with ids, as they would be signed after ``check``."""
    found = resolve_orders(table(), state, author(state), drafted(rows).orders)
    return Message(AT + 1, author(state), tuple(order for order in found.orders if order.index not in found.bad))


def ran(state: State, sent: Message, dice: int) -> Run[State]:
    return play(table(), checkpoint(state), [sent], Local(Random(f"dice {dice}").randrange))


@pytest.mark.parametrize("section", SECTIONS)
def test_junk_that_is_signed_unread_breaks_nothing(section: str) -> None:
    for seed, phase, rows in cases(section):
        done = ran(phase.before, message(phase.before, tuple(rows)), seed)
        assert air_faults(phase.before, done.events) == [], rows


@pytest.mark.parametrize("section", SECTIONS)
def test_what_no_assumed_die_finds_fault_with_is_void_nowhere(section: str) -> None:
    for seed, phase, rows in cases(section):
        sent = read(phase.before, rows)
        looks = [play(table(), checkpoint(phase.before), [sent], Assume(kind)) for kind in ("low", "", "high")]
        doubtful = {problem.order for run in looks for problem in run.problems}
        doubtful |= {index for run in looks for _seq, index in run.hanging}
        done = ran(phase.before, sent, seed)
        void = {int(str(event.data["order"])) for event in done.events if event.kind == "void"}
        assert void <= doubtful, (rows, [event for event in done.events if event.kind == "void"])
        assert all(problem.text and problem.hint for run in looks for problem in run.problems)
        assert air_faults(phase.before, done.events) == [], rows


@pytest.mark.parametrize("section", SECTIONS)
def test_no_order_of_a_flight_is_passed_over_in_silence(section: str) -> None:
    """It is flown, void, or skipped; where neither a clause nor a die has to do with it, what is not void is flown."""
    for seed, phase, rows in cases(section):
        sent = read(phase.before, rows)
        events = ran(phase.before, sent, seed).events
        told = {str(event.data["order"]) for event in events if event.kind in ("flight", "staged", "void", "skipped")}
        assert {str(order.index) for order in sent.orders if order.type in FLOWN} <= told, rows
        if not any(event.kind == "patrol-attack" and event.data["result"] for event in events):
            idle = [event for event in events if event.kind == "skipped" and event.data["order"]]
            assert conditional(sent.orders) or not idle, (rows, idle)


def conditional(orders: tuple[Order, ...]) -> bool:
    return any({"if_back", "unless_back"} & order.data.keys() for order in orders)
