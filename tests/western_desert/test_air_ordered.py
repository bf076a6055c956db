"""Written decisions in air combat (WD 21): followed where they are lawful, filled up by the defaults where not."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.air import allocation, policies
from adjudicator.western_desert.air.craft import ESCORT, INTERCEPT
from adjudicator.western_desert.air.ordered import Ordered
from adjudicator.western_desert.air.sky import Sky
from tests.western_desert.dogfights import bombers, by_shot, drawn, escorts, flight, fought, interceptors, sky, told
from tests.western_desert.test_air_properties import SEEDS, skies

IDS = st.sampled_from([f"{letter}{number}" for letter in "IEM" for number in range(6)])
WISHES = st.dictionaries(IDS, st.lists(IDS, max_size=3), max_size=6)
SETS = st.none() | st.frozensets(IDS, max_size=6)


@given(skies(), SEEDS, st.builds(Ordered, SETS, SETS, WISHES, WISHES, WISHES, WISHES, WISHES))
def test_whatever_is_written_comes_out_lawful(air: Sky, seed: int, orders: Ordered) -> None:
    outcome = fought(air, drawn(seed), orders, orders)
    if orders.screen is not None and outcome.sky.engaged:
        assert outcome.sky.attackers == set(orders.screen) & set(air.interceptors)


@given(skies(), SEEDS)
def test_nothing_written_is_the_default(air: Sky, seed: int) -> None:
    assert fought(air, drawn(seed), Ordered(), Ordered()) == fought(air, drawn(seed))


def test_orders_are_followed() -> None:
    air = sky(
        *interceptors("I1", "I2", "I3"), *escorts("E1", "E2"), *bombers("B1", "B2"), flight("M1", "7F5", tactical=2)
    )
    hunters = Ordered(screen=["I1"], engages={"I1": ["E9", "E2"]}, strikes={"I2": ["B2"], "I3": ["B2"]})
    hunters = replace(hunters, sequences={"B2": ["I3"]})
    flyers = Ordered(jettisons=[], joins={"E1": ["I1"]}, sequences={"I1": ["E2", "E1"]})
    shots = [row[:2] for row in told(fought(air, by_shot(), hunters, flyers))]
    assert shots[::2] == [("E2", "I1"), ("E1", "I1"), ("I3", "B2"), ("I2", "B2")]


def test_who_is_gone_is_replaced_by_the_default() -> None:
    """The interceptor meant for the bomber was stopped at the screen; the escort's target did not come."""
    air = sky(*interceptors("I1", "I2"), *escorts("E1"), *bombers("B1", "B2"))
    hunters = Ordered(screen=[], strikes={"I1": ["B1"], "I2": ["B9"]})
    outcome = fought(air, by_shot(E1_I1=2), hunters, Ordered(chases={"E1": ["I7", "I1"]}))
    assert [row[:2] for row in told(outcome)] == [("E1", "I1"), ("I2", "B1"), ("B1", "I2")]


def test_a_wish_that_would_leave_an_escort_alone_is_not_followed() -> None:
    air = replace(sky(*interceptors("I1", "I2", "I3"), *escorts("E1", "E2")), attackers=frozenset(["I1", "I2", "I3"]))
    all_at_one = Ordered(engages={aid: ["E1"] for aid in ("I1", "I2", "I3")})
    assert all_at_one.engage(air) == {"I1": "E1", "I2": "E1", "I3": "E2"}
    two_at_one = Ordered(engages={"I1": ["E2"], "I3": ["E2"]})
    assert two_at_one.engage(air) == {"I1": "E2", "I2": "E1", "I3": "E2"}
    few = replace(air, attackers=frozenset(["I1"]))
    assert allocation.engage_problems(few, two_at_one.engage(few)) == []


def test_pairs_that_stand_are_kept_by_the_defaults() -> None:
    air = sky(
        flight("I1", "3F3", INTERCEPT),
        flight("I2", "7F6", INTERCEPT),
        flight("E1", "5F5", ESCORT),
        *bombers("B1", "B2"),
    )
    assert policies.strike(air, {"I1": "B2"}) == {"I1": "B2", "I2": "B1"}
    assert policies.chase(air, {"E1": "I1"}) == {"E1": "I1"}
