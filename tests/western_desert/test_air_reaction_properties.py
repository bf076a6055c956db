"""The interceptor movement step in positions of chance: whom play waits for, and what defaults and clauses send up, are
lawful as orders (WD 16.C.2, 17.A, 20.A, 20.B)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from adjudicator.engine.core import Tree
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import flight_of, in_the_air
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.defending import (
    Plans,
    interception_by,
    may_intercept,
    may_scramble,
    raids,
    scramble_by,
    usual_interception,
    usual_scramble,
)
from adjudicator.western_desert.air.facts import base_hexes, side_air
from adjudicator.western_desert.air.reacting import reactions
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import orders
from tests.western_desert.test_air_movement import at

SEEDS = range(40)
PLACES = ("Tobruk", "Derna", "Bardia", "Benghazi", "Sidi Barrani", "Matruh")
MISSIONS = (air.HARASS, air.AIRBASE, air.PORT, air.ESCORT, air.TRANSFER, air.DEFENSIVE_SUPPORT)


def position(seed: int) -> State:
    """An Allied air phase after the air movement step, with a few air units of both sides."""
    chance, state = Random(seed), start()
    state.phase, state.step = "air", "reaction"
    home = at(state, "Matruh")
    state.airfields[home] = "allied"
    state.air.clear()
    pool = sorted(state.world.air)
    for aid in chance.sample([one for one in pool if craft_of(state.world, one).side == "allied"], 8):
        mission, night = chance.choice(MISSIONS), chance.random() < 0.2
        fate = chance.choice((air.UNHURT, air.UNHURT, air.UNHURT, air.TURNED_BACK))
        where = at(state, chance.choice(PLACES[:4]))
        state.air[aid] = Air(home, sortie=Sortie(mission, where, 1 + len(in_the_air(state)), night=night, fate=fate))
    bases = [h for h in base_hexes(state, "axis") if state.board.land[h].country == "Libya"]
    bases += [at(state, name) for name in PLACES[:2]] * len(bases)
    found = [one for one in pool if craft_of(state.world, one).side == "axis"]
    found = [one for one in found if craft_of(state.world, one).fighter] + chance.sample(found, 4)
    for aid in chance.sample(sorted(set(found)), 14):
        state.air[aid] = Air(chance.choice(bases), operative=chance.random() < 0.85)
    for h in sorted(set(bases)):
        state.take_offs[h] = chance.choice((0, 0, 1, 2))
    state.surprise = seed % 13 == 0
    return state


def as_orders(state: State, plans: Plans) -> list[dict[str, object]]:
    """The orders that would have made those flights."""
    night = {True: {"night": "yes"}, False: {}}
    return [
        {"type": plan.mission, "air": [plan.air], "hex": state.board.name(plan.target), **night[plan.night]}
        for plan in plans
    ]


def lawful(state: State, rows: Sequence[dict[str, object]]) -> list[bool]:
    return [not problems for _order, problems, _plans in reactions(state, "axis", orders(*rows))]


CLAUSES: tuple[Tree, ...] = (
    [{}],
    [{"most": "2", "keep": "1"}, {"hex": "bases", "most": "9"}],
    [{"min_ratio": "2"}, {"missions": "transfer, harass", "most": "3"}],
)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_defaults_and_clauses_send_up_is_lawful_as_orders(seed: int) -> None:
    state = position(seed)
    ways = [usual_interception(state, "axis"), usual_scramble(state, "axis"), scramble_by(state, "axis", [{}])[0]]
    ways += [interception_by(state, "axis", rules)[0] for rules in CLAUSES]
    for plans in ways:
        assert all(lawful(state, as_orders(state, plans)))
        assert len({plan.air for plan in plans}) == len(plans)
        for h in {state.air[plan.air].hex for plan in plans}:
            flown = sum(state.air[plan.air].hex == h for plan in plans)
            assert state.take_offs.get(h, 0) + flown <= base_capacity(state, h)


@pytest.mark.parametrize("seed", SEEDS)
def test_play_waits_where_any_order_would_be_lawful_and_only_there(seed: int) -> None:
    """All fighters to all target hexes, all fighters to all bases, one by one."""
    state = position(seed)
    ours = side_air(state, "axis")
    targets = {(flight_of(state, aid).target, flight_of(state, aid).night) for aid in in_the_air(state)}
    to = [{"hex": state.board.name(h), **({"night": "yes"} if night else {})} for h, night in sorted(targets)]
    sent: list[dict[str, object]] = [{"type": "intercept", "air": [aid], **where} for aid, where in product(ours, to)]
    bases = [state.board.name(h) for h in base_hexes(state, "axis")]
    left: list[dict[str, object]] = [
        {"type": "scramble", "air": [aid], "hex": base}
        for aid, base in product(ours, bases)
        if state.air[aid].hex in {h for h, _night in targets}
    ]
    assert may_intercept(state, "axis") is any(lawful(state, [row])[0] for row in sent)
    assert may_scramble(state, "axis") is any(lawful(state, [row])[0] for row in left)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_default_goes_to_one_raid_with_enough(seed: int) -> None:
    state = position(seed)
    plans = usual_interception(state, "axis")
    found = {(plan.target, plan.night) for plan in plans}
    assert len(found) <= 1
    for raid in raids(state, "axis"):
        if (raid.hex, raid.night) in found:
            assert 1 <= len(plans) <= raid.escorts + 1
            assert not any(flight.fate for flight in raid.flights)
