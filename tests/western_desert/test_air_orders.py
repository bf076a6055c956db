"""Orders of the section air: form, flights, ways, and the check against the position before the phase (WD 16 to 20)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.schema import shape_problems
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.orders import AIR_ORDERS, AIR_TYPES, MISSION_OF, OTHERWISE
from adjudicator.western_desert.air.plans import checked, plans_of, route
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.gate import known
from adjudicator.western_desert.names import books_of
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.state import Air, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import orders

HURRI, HURRI_2, BLEN, WELL = "air-hurri-1-1", "air-hurri-1-2", "air-blen-4-1", "air-well-1c-1"
ME, JU_52, GLIDER = "air-me-109f-4", "air-ju-52-1", "air-dfs-230-special-1"
Row = Mapping[str, object]


def at(state: State, name: str) -> int:
    """The hex of a place."""
    return next(place.hex for place in state.board.places.values() if place.name == name)


@pytest.fixture
def state() -> State:
    """The Allied air phase: his air units at Matruh, those of the Axis at Tobruk."""
    found = start()
    found.phase = found.step = "air"
    found.airfields[at(found, "Matruh")] = "allied"
    for aid in (HURRI, HURRI_2, BLEN, WELL):
        found.air[aid] = Air(at(found, "Matruh"))
    for aid in (ME, JU_52, GLIDER):
        found.air[aid] = Air(at(found, "Tobruk"))
    return found


def row(state: State, kind: str, who: object, where: str, **more: object) -> Row:
    """An order for air units to a place."""
    return {"type": kind, "air": who, "hex": state.board.name(at(state, where)), **more}


def codes(state: State, *rows: Row, side: str = "allied") -> list[list[str]]:
    """What is wrong with each order, by code."""
    read = orders(*rows)
    assert [problem for order in read if order.type in AIR_TYPES for problem in shape_problems(AIR_TYPES, order)] == []
    return [[problem.code for problem in problems] for _order, problems, _plans in checked(state, side, read)]


def test_every_mission_has_an_order_and_every_order_a_form() -> None:
    assert set(air.MISSIONS) == {*MISSION_OF.values(), *OTHERWISE.values()}
    assert {kind.name for kind in AIR_ORDERS} == set(MISSION_OF)
    assert all(TYPES[name].built for name in AIR_TYPES)
    order = Order(0, "harass", {"air": BLEN})
    assert [problem.code for problem in shape_problems(AIR_TYPES, order)] == ["missing"]


def test_air_units_go_by_the_names_that_players_use(state: State) -> None:
    book = books_of({"air": list(state.world.air.values())}, {})["air"]
    assert book.find("Hurri 1 1") == [HURRI]
    assert known(state.world, "air", HURRI)
    assert not known(state.world, "air", "hurri")


def test_an_order_is_one_flight_for_each_air_unit(state: State) -> None:
    data: dict[str, Tree] = {"air": [BLEN, WELL], "hex": state.board.name(at(state, "Bardia")), "by": "tactical"}
    made = plans_of(state, Order(3, "bomb_port", {**data, "night": "yes", "if_back": [HURRI]}))
    assert [(plan.air, plan.mission, plan.night, plan.conditional) for plan in made] == [
        (BLEN, air.TACTICAL_PORT, True, True),
        (WELL, air.TACTICAL_PORT, True, True),
    ]


def test_the_default_way_goes_around_patrol_zones_where_that_fits(state: State) -> None:
    (plan,) = plans_of(state, orders(row(state, "bomb_port", BLEN, "Derna"))[0])
    start_hex, book = at(state, "Matruh"), book_of(state)
    way = route(state, plan, start_hex, book)
    zone = set(hexes.within(at(state, "Tobruk"), 3))
    assert way.problems == ()
    assert not zone & set(way.path)
    via = plan._replace(air=WELL, via=(at(state, "Tobruk"),))
    assert at(state, "Tobruk") in route(state, via, start_hex, book).path


def test_a_path_is_taken_as_it_is_given(state: State) -> None:
    name, begin = state.board.name, at(state, "Matruh")
    step = hexes.neighbours(begin)[3]
    good = {"type": "harass", "air": BLEN, "hex": name(step), "path": [name(step)]}
    far = {**good, "path": [name(hexes.neighbours(step)[3])]}
    short = {**good, "hex": name(at(state, "Bardia"))}
    (plan,) = plans_of(state, orders(good)[0])
    assert route(state, plan, begin, book_of(state)).path == (step,)
    assert codes(state, far) == [["path"]]
    assert codes(state, short) == [["path"]]


def test_take_offs_are_counted_over_the_section(state: State) -> None:
    base = at(state, "Matruh")
    state.base_hits[base] = base_capacity(state, base) - 2
    rows = [row(state, "harass", aid, "Sidi Barrani") for aid in (BLEN, WELL, HURRI)]
    assert codes(state, *rows[:2], row(state, "escort", HURRI, "Sidi Barrani")) == [[], [], ["capacity"]]
    both = row(state, "harass", [BLEN, WELL], "Sidi Barrani")
    assert codes(state, both, row(state, "escort", HURRI, "Sidi Barrani")) == [[], ["capacity"]]


def test_a_transfer_may_be_followed_by_a_mission_and_a_mission_by_none(state: State) -> None:
    transfer, harass = row(state, "transfer", BLEN, "Sidi Barrani"), row(state, "harass", BLEN, "Bardia")
    state.control[at(state, "Sidi Barrani")] = "allied"
    assert codes(state, transfer, harass) == [[], []]
    assert codes(state, harass, transfer) == [[], ["flown"]]


def test_an_escort_may_stand_before_those_it_escorts(state: State) -> None:
    escort, harass = row(state, "escort", HURRI, "Sidi Barrani"), row(state, "harass", BLEN, "Sidi Barrani")
    assert codes(state, escort, harass) == [[], []]
    assert codes(state, escort) == [["no_friends"]]


def test_an_order_that_is_void_is_no_company_for_an_escort(state: State) -> None:
    escort, harass = row(state, "escort", HURRI, "Sidi Barrani"), row(state, "harass", "air-blen-4-2", "Sidi Barrani")
    assert codes(state, escort, harass) == [["no_friends"], ["not_in_play"]]


def test_a_transfer_leads_to_another_base(state: State) -> None:
    """An order that stands there twice would cost a second take-off and go nowhere."""
    transfer = row(state, "transfer", BLEN, "Alexandria")
    state.airfields[at(state, "Alexandria")] = "allied"
    assert codes(state, transfer, transfer) == [[], ["there"]]
    assert codes(state, row(state, "transfer", BLEN, "Matruh")) == [["there"]]


def test_flights_by_night_are_judged_after_those_by_day(state: State) -> None:
    """As they are flown: the bomber that transfers by night can't bomb by day from the base that it comes to."""
    state.airfields[at(state, "Alexandria")] = "allied"
    transfer = row(state, "transfer", BLEN, "Alexandria", night="yes")
    assert codes(state, transfer, row(state, "harass", BLEN, "Sidi Barrani")) == [["flown"], []]


def test_what_hangs_on_others_uses_nothing_up(state: State) -> None:
    harass, again = row(state, "harass", BLEN, "Bardia"), row(state, "harass", WELL, "Bardia", if_back=[BLEN])
    assert codes(state, harass, again, row(state, "bomb_port", WELL, "Tobruk", unless_back=[BLEN])) == [[], [], []]


def test_who_may_not_be_ordered_about(state: State) -> None:
    assert codes(state, row(state, "harass", ME, "Bardia")) == [["side"]]
    assert codes(state, row(state, "harass", "air-blen-4-2", "Bardia")) == [["not_in_play"]]
    assert codes(state, row(state, "intercept", HURRI, "Bardia")) == [["type"]]
    assert codes(state, row(state, "harass", BLEN, "Bardia"), side="axis") == [["side"]]
    state.air[BLEN].operative = False
    assert codes(state, row(state, "harass", BLEN, "Bardia")) == [["inoperative"]]


def test_tow_and_cargo_start_at_the_base_of_the_transport(state: State) -> None:
    state.player = "axis"
    state.place("lw-1para", at(state, "Tobruk"))
    cargo = "lw-1para"
    away = next(uid for uid in state.side_units("axis") if state.hex_of(uid) != at(state, "Tobruk"))
    flown = row(state, "air_transport", JU_52, "Derna", cargo=[cargo], tow=GLIDER)
    assert codes(state, flown, side="axis") == [[]]
    assert codes(state, {**flown, "cargo": [away]}, side="axis") == [["cargo"]]
    state.air[GLIDER].hex = at(state, "Derna")
    assert codes(state, flown, side="axis") == [["tow"]]
    state.air[GLIDER] = Air(at(state, "Tobruk"), operative=False)
    assert codes(state, flown, side="axis") == [["inoperative"]]
