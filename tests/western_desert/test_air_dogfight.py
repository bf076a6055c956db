"""Air combat of an air phase over the real map: choices asked, dice by label, what the state learns (WD 16.C.3, 21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ask, Ctx
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import flight_of
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.dogfight import air_combats, loads
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, told
from tests.western_desert.test_air_movement import at

HURRI, HURRI_2 = "air-hurri-1-1", "air-hurri-1-2"
CR, CR_2, SM, SM_2 = "air-cr-42-1", "air-cr-42-2", "air-sm-79-1", "air-sm-79-2"
MISSIONS = dict.fromkeys((CR, CR_2), air.ESCORT) | dict.fromkeys((SM, SM_2), air.PORT)
MISSIONS |= dict.fromkeys((HURRI, HURRI_2), air.INTERCEPT)


@pytest.fixture
def state() -> State:
    """The Axis bombs Matruh; two Hurricanes intercept."""
    found = start()
    found.player, found.phase, found.step = "axis", "air", "reaction"
    found.airfields[at(found, "Matruh")] = "allied"
    fill(found, MISSIONS)
    return found


def fill(state: State, missions: Mapping[str, str], night: bool = False) -> None:
    """Put air units over Matruh, taken off in the order listed."""
    for number, (aid, mission) in enumerate(missions.items(), 1):
        home = "Tobruk" if craft_of(state.world, aid).side == "axis" else "Matruh"
        state.air[aid] = Air(at(state, home), sortie=Sortie(mission, at(state, "Matruh"), number, night=night))


def fought(state: State, *dice: int, said: Mapping[str, Any] | None = None) -> Ctx[State]:
    """All air combat, the choices answered as said by topic, else by default."""

    def reply(ask: Ask[Any]) -> Answer[Any]:
        topic = ask.key.split("/")[0]
        if said and topic in said:
            assert ask.problems(said[topic]) == []
            return Answer(said[topic], "order", "", (7,))
        return settled(ask)

    ctx: Ctx[State] = Ctx(state, apply)
    drive(air_combats(ctx), fixed(*dice), reply)
    return ctx


def test_the_rulebooks_example_die_by_die(state: State) -> None:
    """Two Hurri 1 against two SM.79 and their escort of two CR.42: five shots, an aborted escort, a lost bomber."""
    said = {"split": frozenset({HURRI}), "engage": {HURRI: CR}, "strike": {HURRI_2: SM}}
    said |= {"join": {}, "chase": {CR_2: HURRI_2}}
    ctx = fought(state, 1, 4, 2, 4, 3, 4, 1, 3, 3, 4, said=said)
    shots = [(str(e.data["air"]), str(e.data["target"]), str(e.data["result"])) for e in told(ctx, "air-shot")]
    assert shots == [
        (HURRI, CR, "A"),
        (CR, HURRI, "none"),
        (CR_2, HURRI_2, "none"),
        (HURRI_2, SM, "K"),
        (SM, HURRI_2, "none"),
    ]
    assert SM not in state.air and state.boxes[SM].box == "air_pool"
    assert flight_of(state, CR).fate == air.ABORTED
    assert flight_of(state, SM_2).fate == flight_of(state, HURRI).fate == air.UNHURT


def test_the_events_tell_who_met_whom_and_by_whose_choice(state: State) -> None:
    ctx = fought(state, *(6, 6) * 6, said={"split": frozenset({HURRI})})
    (begun,) = told(ctx, "air-combat")
    assert (begun.data["screen"], begun.data["force"]) == ([CR, CR_2], [SM, SM_2])
    (split,) = told(ctx, "split")
    assert (split.data["screen"], split.data["bypass"], split.data["choice"]) == ([HURRI], [HURRI_2], "order")
    assert split.by == (7,)
    steps = [(event.data["topic"], event.data["choice"]) for event in told(ctx, "engaged")]
    assert steps == [("engage", "default"), ("chase", "default"), ("strike", "default")]
    assert all(event.by == (7,) for event in told(ctx, "air-shot"))
    label = f"air/{state.board.label(at(state, 'Matruh'))}/{HURRI}/{CR}"
    assert label in [event.data["label"] for event in told(ctx, "air-shot")]


def test_fighters_that_drop_their_bombs_escort_from_then_on(state: State) -> None:
    for aid in (CR, CR_2):
        state.air[aid].sortie = Sortie(air.HARASS, at(state, "Matruh"), 1)
    ctx = fought(state, *(6, 6) * 8, said={"jettison": frozenset({CR})})
    (event,) = told(ctx, "jettisoned")
    assert event.data["air"] == [CR]
    assert flight_of(state, CR).flies_as == air.ESCORT and flight_of(state, CR_2).flies_as == air.HARASS


def test_nobody_fights_where_day_meets_night_or_support_of_an_earlier_turn(state: State) -> None:
    fill(state, {SM: air.PORT, SM_2: air.PORT}, night=True)
    for aid in (CR, CR_2):
        del state.air[aid]
    assert fought(state).events == []
    state.air.clear()
    fill(state, {SM: air.DEFENSIVE_SUPPORT, HURRI: air.INTERCEPT})
    state.player = "allied"
    assert fought(state).events == []


def test_a_transport_is_worth_the_regiments_aboard(state: State) -> None:
    state.air.clear()
    fill(state, {"air-ju-52-1": air.AIRLIFT, "air-ju-52-2": air.AIRLIFT})
    uid = next(uid for uid in state.side_units("axis") if state.unit(uid).re2 == 2)
    for aid in ("air-ju-52-1", "air-ju-52-2"):
        state.air[aid].sortie = Sortie(air.AIRLIFT, at(state, "Matruh"), 1, cargo=(uid,), party="air-ju-52-1")
    flights = [flight_of(state, aid) for aid in ("air-ju-52-1", "air-ju-52-2")]
    assert {str(share) for share in loads(state, flights).values()} == {"1/2"}
