"""Air units come home: when, where, in what state (WD 16.C.5, 16.C.6, 18.return, 20.F.2, 24.E; pbem A10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ask, Ctx, Proc
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import flight_of
from adjudicator.western_desert.air.facts import base_hexes, own_base
from adjudicator.western_desert.air.homecoming import (
    fly_home,
    land_after_combat,
    land_ask,
    land_support,
    landing_places,
)
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, orders, told
from tests.western_desert.test_air_movement import BLEN, HURRI, ME, WELL, at

JU, DFS = "air-sm-82-special-1", "air-dfs-230-special-1"


@pytest.fixture
def state() -> State:
    """The Allied air phase, with airfields at Matruh and Sidi Barrani."""
    found = start()
    found.phase = found.step = "air"
    for name in ("Matruh", "Sidi Barrani"):
        found.airfields[at(found, name)] = found.control[at(found, name)] = "allied"
    return found


def up(state: State, aid: str, mission: str, over: str, base: str = "Matruh", **more: Any) -> None:
    """An air unit in the air."""
    number = 1 + sum(one.sortie is not None for one in state.air.values())
    state.air[aid] = Air(at(state, base), sortie=Sortie(mission, at(state, over), number, **more))


def run(state: State, proc: Any, *dice: int, said: Iterable[Any] = ()) -> Ctx[State]:
    """Run a step; ``said`` are orders that answer."""
    rows = list(said)

    def reply(ask: Ask[Any]) -> Answer[Any]:
        value = ask.find(orders(*rows))
        return settled(ask) if value is None or ask.problems(value) else Answer(value, "order", "", (4,))

    def steps(ctx: Ctx[State]) -> Proc[None]:
        yield from proc(ctx)

    ctx: Ctx[State] = Ctx(state, apply)
    drive(steps(ctx), fixed(*dice), reply)
    return ctx


def test_interceptors_land_before_the_others_and_support_stays(state: State) -> None:
    up(state, BLEN, air.HARASS, "Bardia")
    up(state, WELL, air.GROUND_SUPPORT, "Bardia")
    up(state, HURRI, air.DEFENSIVE_SUPPORT, "Sidi Barrani")
    up(state, ME, air.INTERCEPT, "Bardia", base="Bardia")
    ctx = run(state, fly_home)
    assert [(e.data["air"], e.data["base"]) for e in told(ctx, "air-landed")] == [
        (ME, state.board.name(at(state, "Bardia"))),
        (BLEN, state.board.name(at(state, "Matruh"))),
    ]
    assert state.air[BLEN].sortie is None and state.air[BLEN].operative
    assert state.air[WELL].sortie and state.air[HURRI].sortie
    assert [e.data["air"] for e in run(state, land_after_combat).events] == [WELL]
    assert [e.data["air"] for e in run(state, lambda c: land_support(c, "axis")).events] == []
    assert [e.data["air"] for e in run(state, lambda c: land_support(c, "allied")).events] == [HURRI]


def test_the_base_of_the_order_goes_before_its_own(state: State) -> None:
    wish = (at(state, "Tobruk"), at(state, "Sidi Barrani"))
    up(state, BLEN, air.HARASS, "Bardia", land=wish)
    (event,) = run(state, fly_home).events
    assert (event.kind, event.data["base"]) == ("air-landed", state.board.name(at(state, "Sidi Barrani")))
    assert (event.data["choice"], event.data["state"], event.rule) == ("order", "operative", "WD 18.return")


def test_an_answer_names_the_base(state: State) -> None:
    up(state, BLEN, air.HARASS, "Bardia")
    key = f"land/{state.board.label(at(state, 'Bardia'))}/{BLEN}"
    said = {"type": "answer", "to": key, "path": [state.board.name(at(state, "Sidi Barrani"))]}
    (event,) = run(state.copy(), fly_home, said=[said]).events
    assert (event.data["base"], event.by) == (state.board.name(at(state, "Sidi Barrani")), (4,))
    ask = land_ask(state, BLEN, landing_places(state, flight_of(state, BLEN)))
    problem = ask.problems(at(state, "Tobruk"))[0]
    assert (ask.key, problem.rule, ask.stop) == (key, "WD 18.return", False)


def test_a_lost_base_sends_it_to_the_nearest(state: State) -> None:
    """Ruling DS-BASE: any base in range, no roll to escape."""
    up(state, BLEN, air.DEFENSIVE_SUPPORT, "Sidi Barrani")
    state.control[at(state, "Matruh")] = "axis"
    (event,) = run(state, lambda c: land_support(c, "allied")).events
    assert event.data["base"] == state.board.name(at(state, "Sidi Barrani"))


def test_equal_distance_goes_to_the_larger_base(state: State) -> None:
    up(state, BLEN, air.HARASS, "Bardia")
    places = landing_places(state, flight_of(state, BLEN))
    far = [hexes.distance(at(state, "Bardia"), h) for h in places]
    assert far == sorted(far) and all(own_base(state, h, "allied") for h in places)
    assert set(base_hexes(state, "allied")) == {h for h in state.board.land if own_base(state, h, "allied")}


def test_without_a_base_in_range_it_is_lost(state: State) -> None:
    up(state, HURRI, air.HARASS, "Bardia")
    for h in base_hexes(state, "allied"):
        state.control[h] = "axis"
    (event,) = run(state, fly_home).events
    assert (event.kind, event.data["why"], event.data["side"]) == ("air-lost", "no_base", "allied")
    assert HURRI not in state.air and state.boxes[HURRI].box == "air_pool"


@pytest.mark.parametrize(("die", "operative"), [(5, True), (6, False)])
def test_a_day_air_unit_may_crash_at_night(state: State, die: int, operative: bool) -> None:
    up(state, BLEN, air.PORT, "Bardia", night=True)
    (event,) = run(state, fly_home, die).events
    assert event.data["label"] == f"crash/{state.board.label(at(state, 'Matruh'))}/{BLEN}"
    assert (event.data["die"], event.data["crash"]) == (str(die), "" if operative else "yes")
    assert event.rule == ("WD 18.return" if operative else "WD 24.E.crash")
    assert state.air[BLEN].operative is operative


@pytest.mark.parametrize(("fate", "end"), [("turned_back", "operative"), ("aborted", "inoperative")])
def test_what_befell_it_tells_its_state(state: State, fate: str, end: str) -> None:
    """WD 21.B.1; an air unit turned back on a support mission does not wait for the combat phase."""
    up(state, BLEN, air.GROUND_SUPPORT, "Bardia", fate=fate)
    (event,) = run(state, fly_home).events
    assert event.data["state"] == end
    assert state.air[BLEN].operative is (end == "operative")


def test_a_transfer_and_a_scramble_end_where_they_went(state: State) -> None:
    up(state, BLEN, air.TRANSFER, "Sidi Barrani", land=(at(state, "Matruh"),))
    up(state, ME, air.SCRAMBLE, "Bardia", base="Tobruk")
    found = [(e.data["air"], e.data["base"]) for e in run(state, fly_home).events]
    assert found == [
        (ME, state.board.name(at(state, "Bardia"))),
        (BLEN, state.board.name(at(state, "Sidi Barrani"))),
    ]


def test_a_glider_comes_home_with_its_tow(state: State) -> None:
    state.player = "axis"
    up(state, JU, air.DROP, "Bardia", base="Tobruk", tow=DFS, fate="aborted")
    state.air[DFS] = Air(at(state, "Tobruk"))
    run(state, fly_home)
    assert (state.air[DFS].hex, state.air[DFS].operative) == (at(state, "Tobruk"), False)
