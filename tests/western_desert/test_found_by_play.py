"""Faults that random play has found, each by itself (tests/play plays on)."""

from __future__ import annotations

import random

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import orders_of
from adjudicator.match.games import table
from adjudicator.western_desert import bot_air
from adjudicator.western_desert.air.plans import checked as air_checked
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.bot_reaction import reacting_orders
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.state import Air, Supply
from tests.western_desert.ground import run, settled, start
from tests.western_desert.phases import author, begun

FORCE, TARGET = ("br-4-arm-a", "br-7-arm-a", "in-5", "in-11", "br-16"), "19/0527"


def test_exploitation_written_before_the_dice_of_the_combats_hangs_on_them() -> None:
    state = start()
    target = state.board.find(TARGET)
    around = [n for n in neighbours(target) if n in state.board.land and not state.units_at(n)]
    for number, uid in enumerate(FORCE):
        state.shift(uid, around[number % len(around)])
    settled(state)
    state.phase = state.step = "combat"
    assert set(FORCE) <= set(attack_options(state, "allied")[target])
    rows: list[tuple[str, dict[str, Tree]]] = [
        ("section", {"name": "combat"}),
        ("attack", {"hex": TARGET, "with": list(FORCE)}),
        ("section", {"name": "exploitation"}),
        ("move", {"unit": FORCE[0], "to": state.board.name(around[1])}),
    ]
    orders = tuple(Order(index, kind, data) for index, (kind, data) in enumerate(rows))
    point = Checkpoint(state, 3, 3, ())
    run = play(table("western-desert", "compass"), point, [Message(4, "allied", orders)], Assume())
    assert run.hanging[(4, 3)] == "combat/19.0527/crt"


def test_a_counter_whose_path_is_the_hex_it_lies_in_goes_nowhere_and_is_told_so() -> None:
    """WD 12.D: the empty way left the event without an end, and applying it raised IndexError."""
    state = start()
    sid = "supply-allied-captured-1"
    state.supply[sid] = Supply(state.hex_of(FORCE[0]), "allied", 1)
    here = state.board.name(state.supply[sid].hex)
    ctx = run(state, [Order(0, "supply_move", {"counter": sid, "path": [here]})])
    assert [(problem.code, problem.rule) for problem in ctx.problems] == [("there", "WD 12.D")]


def test_an_attack_with_an_advance_of_a_unit_that_is_not_on_the_map_is_refused_by_name() -> None:
    """WD 9, 9.F.2: it raised KeyError, for the way of the advance was measured from where the unit is."""
    state = start()
    state.phase = state.step = "combat"
    lost = FORCE[0]
    state.take_off(lost, "eliminated")
    (target, able), *_others = attack_options(state, "allied").items() or [(state.board.find(TARGET), ())]
    row: dict[str, Tree] = {"hex": state.board.name(target), "with": [lost, *able], "advance": [lost]}
    found = [p for _order, problems, _plan in checked(state, "allied", [Order(0, "attack", row)]) for p in problems]
    assert [problem.code for problem in found] == ["not_there"]


def test_a_counter_may_lie_with_a_part_of_its_last_step_while_the_attacks_go_on() -> None:
    """Play that waits for a retreat sees it so, and nothing is wrong with that; in another phase it is (WD 12.C)."""
    state = start()
    state.phase = state.step = "combat"
    sid = "supply-allied-1"
    state.supply[sid] = Supply(state.board.find("19/1225"), "allied", 0, drawn2=18)
    assert not [line for line in faults(state) if line.startswith(sid)]
    state.phase = "exploitation"
    assert [line for line in faults(state) if line.startswith(sid)]


def test_what_hangs_on_others_leaves_its_take_off_to_nobody_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By night it is judged behind all flights by day, wherever it is written (ruling NIGHT-ORDER)."""
    monkeypatch.setattr(bot_air._Section, "_dressed", lambda self, row: row)
    state = start()
    one, other, first = "air-sm-79-1", "air-sm-79-2", "air-cr-42-1"
    derna, tobruk = (state.board.find(name) for name in ("18/4117", "18/4818"))
    state.air |= {one: Air(derna), other: Air(derna), first: Air(tobruk)}
    state.base_hits[derna] = base_capacity(state, derna) - 1
    state.player, state.phase, state.step = "axis", "air", "air"
    section = bot_air._Section(state, "axis", Chance(random.Random(1).random))
    section._keep({"type": "transfer", "air": [first], "hex": "18/3122"})
    section._keep({"type": "transfer", "air": [one], "hex": "18/3122", "night": "yes", "if_back": [first]})
    section._keep({"type": "transfer", "air": [other], "hex": "18/3122"})
    found = air_checked(state, "axis", orders_of(section.rows))
    assert [problems for _order, problems, _plans in found] == [[], []]


def test_programs_only_scramble_where_interceptions_are_decided() -> None:
    wrote = set()
    for seed in range(12):
        state = begun(seed, "reaction")
        if state is not None:
            chances = (Chance(random.Random(seed).random) for _ in range(2))
            rows = [reacting_orders(state, author(state), chance, n == 0) for n, chance in enumerate(chances)]
            assert {str(row["type"]) for row in rows[0]} <= {"section", "scramble"}
            wrote |= {str(row["type"]) for row in rows[1]}
    assert "intercept" in wrote
