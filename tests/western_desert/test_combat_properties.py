"""What holds in every combat phase, on random positions, orders and dice."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Ctx, Order, Roll
from adjudicator.engine.dice import Assume
from adjudicator.western_desert import hexes
from adjudicator.western_desert.attack_check import attack_options, attack_problems
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.control import holder
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from tests.western_desert.skirmish import ALLIED, AXIS, chance, fight, random_orders, random_position

SEEDS = st.integers(0, 10**6)


def after(seed: int) -> tuple[State, Ctx[State]]:
    state = random_position(seed)
    return state, fight(state, random_orders(seed, state), chance(seed))


@given(SEEDS)
def test_a_section_found_legal_runs_without_a_void_whatever_the_dice(seed: int) -> None:
    state = random_position(seed)
    section = random_orders(seed, state)
    assert not [p for _order, problems, _plan in checked(state, ALLIED, section) for p in problems]
    for dice in (chance(seed), Assume("low"), Assume("high"), Assume()):
        assert not fight(state.copy(), section, dice).problems


@given(SEEDS)
def test_no_unit_is_lost_or_doubled(seed: int) -> None:
    before = set(random_position(seed).pieces)
    state, ctx = after(seed)
    assert set(state.pieces) | set(state.gone) == before
    assert not set(state.pieces) & set(state.gone)
    gone = [event.data["unit"] for event in ctx.events if event.kind == "eliminated"]
    assert sorted(map(str, gone)) == sorted(state.gone)
    assert sorted(uid for ids in state.at.values() for uid in ids) == sorted(state.pieces)


@given(SEEDS)
def test_stacking_holds_and_no_hex_is_shared_after_the_phase(seed: int) -> None:
    state, _ctx = after(seed)
    for h in state.at:
        sides = {state.world.units[uid].side for uid in state.units_at(h)}
        assert len(sides) == 1
        assert fits(state, h, sides.pop())


@given(SEEDS)
def test_nobody_fights_twice_and_retreats_end_away_from_the_fight(seed: int) -> None:
    state, ctx = after(seed)
    fought: set[str] = set()
    for event in ctx.events:
        if event.kind == "attack":
            named = {str(uid) for key in ("with", "defenders") for uid in event.data[key]}
            assert not named & fought
            fought |= named
            left: dict[str, str] = {}
        if event.kind == "retreat":
            uid, to = str(event.data["unit"]), "".join(map(str, event.data["path"]))
            first = left.setdefault(uid, str(event.data["from"]))
            assert to != first
            assert hexes.adjacent(state.board.find(str(event.data["from"])), state.board.find(to))


@given(SEEDS)
def test_advances_follow_at_once_into_cleared_hexes_by_attackers_only(seed: int) -> None:
    _state, ctx = after(seed)
    attackers: set[str] = set()
    target = ""
    for event in ctx.events:
        if event.kind == "attack":
            attackers, target = {str(uid) for uid in event.data["with"]}, str(event.data["hex"])
        if event.kind == "advance":
            assert event.data["unit"] in attackers
            assert event.data["to"] == target


@given(SEEDS)
def test_control_is_what_the_position_demands_wherever_something_happened(seed: int) -> None:
    state = random_position(seed)
    for h in state.board.land:
        state.control[h] = holder(state, h) or state.owner(h)
    fight(state, random_orders(seed, state), chance(seed))
    for h in state.board.land:
        assert holder(state, h) in ("", state.owner(h))


@given(SEEDS)
def test_steps_of_supply_are_spent_captured_or_still_there(seed: int) -> None:
    before = sum(counter.steps for counter in random_position(seed).supply.values())
    state, ctx = after(seed)
    spent = sum(int(str(e.data["steps"])) for e in ctx.events if e.kind == "supply-used")
    burnt = sum(int(str(e.data["eliminated"])) for e in ctx.events if e.kind == "captured")
    assert sum(counter.steps for counter in state.supply.values()) == before - spent - burnt
    assert all(counter.steps > 0 for counter in state.supply.values())


@given(SEEDS)
def test_the_same_again_gives_the_same_and_units_in_any_order(seed: int) -> None:
    state = random_position(seed)
    section = random_orders(seed, state)
    turned = [Order(o.index, o.type, {**o.data, "with": [*sorted(o.texts("with"))]}) for o in section]
    one = fight(state.copy(), section, chance(seed))
    two = fight(state.copy(), turned, chance(seed))
    assert [event.tree() for event in one.events] == [event.tree() for event in two.events]


@given(SEEDS)
def test_listed_attacks_are_those_that_the_check_allows(seed: int) -> None:
    state = random_position(seed)
    for side in (ALLIED, AXIS):
        options = attack_options(state, side)
        for uid in state.side_units(side):
            for h in [h for h in state.at if state.enemy_in(h, side)]:
                listed = uid in options.get(h, ())
                problems = attack_problems(state, Attack(side, h, (uid,)))
                alone = listed and state.unit(uid).attack > 0
                assert (not problems) == alone
                assert listed == (not [p for p in problems if p.code != "zero_attack"])


@given(SEEDS)
def test_each_roll_has_a_label_of_its_own_that_fits_one_form(seed: int) -> None:
    state = random_position(seed)
    state.board.names = {}
    dice, labels = chance(seed), []

    def source(seq: int, roll: Roll) -> tuple[int, ...]:
        labels.append(roll.label)
        return dice(seq, roll)

    fight(state, random_orders(seed, state), source)
    assert len(labels) == len(set(labels))
    for label in labels:
        assert sum(re.fullmatch(form, label) is not None for form in LABEL_FORMS) == 1
