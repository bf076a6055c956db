"""The phasing player's air movement step: flights as listed, patrol attacks by rule and default (WD 16.C.1, 18, 19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ask, Ctx, Tree
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import book_of, flight_of
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.flying import air_movement
from adjudicator.western_desert.air.patrolling import Meeting, able_fighters, by_clauses, patrol_ask, speaks_of, usual
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.state import Air, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, orders, told

HURRI, BLEN, WELL, ME = "air-hurri-1-1", "air-blen-4-1", "air-well-1c-1", "air-me-109f-4"
Row = Mapping[str, object]


def at(state: State, name: str) -> int:
    """The hex of a place."""
    return next(place.hex for place in state.board.places.values() if place.name == name)


@pytest.fixture
def state() -> State:
    """The Allied air phase: his air units at Matruh, a fighter of the Axis at Tobruk."""
    found = start()
    found.phase = found.step = "air"
    found.airfields[at(found, "Matruh")] = "allied"
    for aid in (HURRI, BLEN, WELL):
        found.air[aid] = Air(at(found, "Matruh"))
    found.air[ME] = Air(at(found, "Tobruk"))
    return found


def row(state: State, kind: str, who: object, where: str, **more: object) -> Row:
    """An order for air units to a place."""
    return {"type": kind, "air": who, "hex": state.board.name(at(state, where)), **more}


def fly(state: State, *rows: Row, dice: tuple[int, ...] = (), rules: Tree | None = None) -> Ctx[State]:
    """Run the section; the Axis player answers by standing rules, else by default."""

    def reply(ask: Ask[Any]) -> Answer[Any]:
        found = None if rules is None else ask.clause(rules)
        return settled(ask) if found is None else Answer(found[0], "standing", found[1], (2,))

    ctx: Ctx[State] = Ctx(state, apply)
    drive(air_movement(ctx, "allied", orders(*rows), (3,)), fixed(*dice), reply)
    return ctx


def test_a_flight_far_from_patrols_reaches_its_target(state: State) -> None:
    ctx = fly(state, row(state, "harass", BLEN, "Sidi Barrani"))
    (event,) = ctx.events
    assert (event.kind, event.by, event.data["mission"]) == ("flight", (3,), "harass")
    assert event.data["path"][-1] == event.data["over"]  # type: ignore[index]
    assert book_of(state).used == {at(state, "Matruh"): 1}
    assert flight_of(state, BLEN).target == at(state, "Sidi Barrani")


@pytest.mark.parametrize(("die", "fate"), [(3, air.UNHURT), (6, air.TURNED_BACK)])
def test_the_default_attacks_where_the_chance_is_good(state: State, die: int, fate: str) -> None:
    ctx = fly(state, row(state, "harass", BLEN, "Tobruk"), dice=(die,))
    (attack,) = told(ctx, "patrol-attack")
    assert (attack.data["fighter"], attack.data["die"], attack.data["choice"]) == (ME, str(die), "default")
    assert attack.data["label"] == f"patrol/{str(attack.data['hex']).replace('/', '.')}/{ME}/{BLEN}"
    assert flight_of(state, BLEN).fate == fate
    assert (flight_of(state, BLEN).target == at(state, "Tobruk")) is (fate == air.UNHURT)
    assert state.air[ME].patrolled


def test_one_attack_a_phase_and_the_clause_of_the_order(state: State) -> None:
    again = row(state, "harass", WELL, "Tobruk", if_back=[BLEN])
    ctx = fly(state, row(state, "harass", BLEN, "Tobruk"), again, dice=(6,))
    assert [event.kind for event in ctx.events] == ["flight", "patrol-attack", "flight"]
    state.air[BLEN], state.air[WELL] = Air(at(state, "Matruh")), Air(at(state, "Matruh"))
    other = fly(state, row(state, "harass", BLEN, "Sidi Barrani"), again)
    assert [event.kind for event in other.events] == ["flight", "skipped"]
    assert told(other, "skipped")[0].data["clause"] == f"if_back {BLEN}: none of them was turned back"


def test_standing_rules_choose_the_target(state: State) -> None:
    harass = [row(state, "harass", BLEN, "Tobruk"), row(state, "harass", WELL, "Tobruk")]
    spared: Tree = [{"attack": "any", "spare": "Blen 4", "min_chance": "6"}]
    ctx = fly(state.copy(), *harass, dice=(1,), rules=spared)
    (attack,) = told(ctx, "patrol-attack")
    assert (attack.data["air"], attack.data["clause"], attack.by) == (WELL, "patrol clause 1", (2, 3))
    assert not told(fly(state.copy(), *harass, rules=[{"attack": "transports"}]), "patrol-attack")


def test_words_of_clauses_and_their_limits(state: State) -> None:
    flight = air.Flight(craft_of(state.world, BLEN), air.HARASS, target=at(state, "Tobruk"))
    for word in ("any", "B", "bombers", "Blen 4"):
        assert speaks_of(word, flight)
    for word in ("A", "towing", "fighters", "Blen 1"):
        assert not speaks_of(word, flight)
    h = at(state, "Tobruk")
    meeting = Meeting(flight, h, able_fighters(state, flight, h), (flight,))
    assert set(meeting.able) == {ME}
    assert usual(state, meeting) == ME
    assert by_clauses(state, meeting, [{"hold_until": "1"}])[0] == ""
    assert by_clauses(state, meeting._replace(passed={ME: 1}), [{"hold_until": "1"}])[0] == ME
    far: Tree = [{"of": state.board.name(at(state, "Derna")), "within": "2"}]
    assert by_clauses(state, meeting, far)[0] == ""
    ask = patrol_ask(state, meeting, "patrol/x")
    assert (ask.side, ask.atoms(), ask.problems(HURRI)[0].code, ask.problems("")) == ("axis", ["", ME], "patrol", [])


def test_fighters_are_left_alone_once_others_have_flown(state: State) -> None:
    flight = air.Flight(craft_of(state.world, HURRI), air.ESCORT, target=at(state, "Tobruk"))
    h = at(state, "Tobruk")
    meeting = Meeting(flight, h, able_fighters(state, flight, h), (flight,))
    bomber = air.Flight(craft_of(state.world, BLEN), air.HARASS)
    assert usual(state, meeting._replace(seen=(bomber, flight))) == ""
    assert usual(state, meeting) == ME


def test_nobody_patrols_in_the_surprise_turn(state: State) -> None:
    state.surprise = True
    flight = air.Flight(craft_of(state.world, BLEN), air.GROUND_SUPPORT)
    assert able_fighters(state, flight, at(state, "Tobruk")) == {}


def test_what_is_refused_flies_not(state: State) -> None:
    ctx = fly(state, row(state, "harass", ME, "Tobruk"))
    assert [event.kind for event in ctx.events] == ["void"]
    assert ctx.problems[0].rule == "WD 16.A"
