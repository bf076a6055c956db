"""Naval transport as functions: dangers of voyages, status numbers, tables, repair of Malta (WD 26, 28.D)."""

from __future__ import annotations

import pytest

from adjudicator.western_desert.bases import PORT, damage, port_row
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.sea import malta
from adjudicator.western_desert.sea.tables import sea_tables
from adjudicator.western_desert.sea.voyages import (
    EASTERN,
    PAST_MALTA,
    RUN,
    Item,
    Landfall,
    danger,
    landfall,
    limit2,
    port_problems,
    route_problems,
    sea_problems,
    status_for,
    turned_problems,
)
from adjudicator.western_desert.state import State, turn_number
from adjudicator.western_desert.world import first_state

DIE_AND_STEPS = [(1, 2, 0), (4, 2, 0), (5, 2, 1), (6, 2, 1), (5, 1, 0)]


@pytest.fixture
def state() -> State:
    new = first_state(build.real_world())
    new.turn, new.player, new.phase = turn_number("Jul I 41"), "axis", "movement"
    return new


def at(state: State, place: str) -> int:
    return build.find_hex(state.board, place)


@pytest.mark.parametrize(
    ("origin", "to", "expected"),
    [
        ("", "Tripoli", PAST_MALTA),
        ("", "Bardia", EASTERN),
        ("", "Syracuse", ""),
        ("Syracuse", "Tobruk", PAST_MALTA),
        ("Tripoli", "Syracuse", PAST_MALTA),
        ("Candia", "Derna", PAST_MALTA),
        ("Valletta", "Tripoli", PAST_MALTA),
        ("Syracuse", "Candia", ""),
        ("Tripoli", "Benghazi", ""),
        ("Tripoli", "Bardia", EASTERN),
        ("Rhodes", "Tobruk", EASTERN),
        ("Catania", "Haifa", EASTERN),
    ],
)
def test_the_danger_of_axis_voyages_hangs_on_their_ends(state: State, origin: str, to: str, expected: str) -> None:
    """WD 26.C, 26.D, ruling TWO-MAPS."""
    assert danger(state, "axis", at(state, origin) if origin else None, at(state, to)) == expected


@pytest.mark.parametrize(
    ("origin", "to", "expected"),
    [("", "Valletta", RUN), ("Valletta", "Suez", RUN), ("Alexandria", "Tobruk", ""), ("", "Suez", "")],
)
def test_allied_voyages_are_in_danger_to_and_from_malta_alone(
    state: State, origin: str, to: str, expected: str
) -> None:
    """WD 28.D.ship."""
    assert danger(state, "allied", at(state, origin) if origin else None, at(state, to)) == expected


def test_who_holds_the_islands_makes_the_status(state: State) -> None:
    """WD 26.C.axis-malta, 26.D.status, ruling MALTA-CONTROL: all cities of an island."""
    state.malta = 6
    assert (status_for(state, PAST_MALTA), status_for(state, EASTERN), status_for(state, RUN)) == (6, 3, 6)
    state.control[at(state, "Larnaca")] = "axis"
    assert status_for(state, EASTERN) == 5
    state.control[at(state, "Alexandria")] = "axis"
    assert status_for(state, EASTERN) == 12
    state.control[at(state, "Valletta")] = "axis"
    assert (status_for(state, PAST_MALTA), status_for(state, RUN)) == (15, 6)


@pytest.mark.parametrize(("die", "steps", "left"), DIE_AND_STEPS)
def test_an_affected_counter_loses_steps(state: State, die: int, steps: int, left: int) -> None:
    """WD chart.shipping-results, ruling SHIP-ROW-6."""
    end = landfall(state.world, Item("supply", "s", 4 * steps, steps), die)
    assert end == Landfall("arrives" if left else "lost", left)


@pytest.mark.parametrize(
    ("die", "unit", "point"), [(1, "pool", "lost"), (3, "turned_back", "turned_back"), (4, "arrives", "arrives")]
)
def test_units_go_to_the_pool_and_points_are_lost(state: State, die: int, unit: str, point: str) -> None:
    """WD 26.C.result."""
    assert landfall(state.world, Item("unit", "u", 2), die).result == unit
    assert landfall(state.world, Item("rp", "p", 2), die).result == point


def test_the_last_column_serves_all_statuses_above(state: State) -> None:
    """Ruling MALTA-COLUMNS; 1 lower at 12 and more for the Allied run (WD 28.D.ship)."""
    tables = sea_tables(state.world)
    for roll in range(2, 13):
        assert tables.affected(15, roll) == tables.affected(12, roll)
    assert [tables.runs_through(11, die) for die in (1, 2)] == [False, True]
    assert [tables.runs_through(12, die) for die in (2, 3)] == [False, True]


def test_routes_say_all_that_is_wrong_with_them(state: State) -> None:
    """WD 26, 26.A, 26.A.1, 26.B.2, 26.D, 28.A.3.turn."""

    def codes(origin: str, to: str, re2: int) -> list[str]:
        return [p.code for p in route_problems(state, "axis", at(state, origin), at(state, to), re2)]

    assert codes("Tripoli", "Benghazi", 6) == []
    assert codes("Tripoli", "Derna", 7) == ["port_capacity", "shipping_limit"]
    assert codes("Tripoli", "Tripoli", 2) == ["there"]
    assert codes("Tripoli", "Suez", 2) == ["port_control"]
    assert codes("El Agheila", "Tripoli", 2) == ["not_a_port"]
    state.shipped2 = 5
    assert limit2(state, "axis") == 1
    assert codes("Tripoli", "Benghazi", 2) == ["shipping_limit"]
    state.shipped2, state.turn = 0, 1
    assert codes("Tripoli", "Bardia", 2) == ["before_jun_i_41", "disarray"]
    state.used2[at(state, "Benghazi")] = 16
    assert codes("Benghazi", "Tripoli", 2) == ["port_capacity", "disarray"]


@pytest.mark.parametrize(
    ("places", "capacity", "most"),
    [
        (("Tripoli", "Alexandria", "Suez", "Benghazi", "Valletta"), 8, 10),
        (("Tobruk", "Beyrouth", "Tel Aviv", "Haifa", "Port Said", "Ismailia", "Larnaca", "Candia", "Syracuse"), 4, 6),
        (("Derna", "Bardia", "Rosetta", "Damietta", "Tripoli (Lebanon)"), 2, 4),
    ],
)
def test_ports_are_major_standard_or_minor(
    state: State, places: tuple[str, ...], capacity: int, most: int
) -> None:
    """WD 26.A.types, chart.ports: what they take in a player turn, and the hits that count."""
    for place in places:
        row = port_row(state, at(state, place))
        assert row is not None, place
        assert (row.capacity, row.max_hits, damage(state, at(state, place), PORT).most) == (capacity, most, most), place


def test_neutral_ports_are_closed(state: State) -> None:
    """WD 28.C."""
    assert [p.rule for p in sea_problems(state, "axis", None, at(state, "Beyrouth"))] == ["WD 28.C"]


def test_a_port_taken_in_the_player_turn_is_no_port_yet(state: State) -> None:
    """WD 26.A."""
    state.taken[at(state, "Tobruk")] = "allied"
    assert [p.code for p in port_problems(state, "axis", at(state, "Tobruk"), 2)] == ["port_control"]


def test_what_was_turned_back_waits_for_a_later_turn(state: State) -> None:
    """WD 26.C.result, ruling REINF-RETURN."""
    state.turned = frozenset({"it-62"})
    assert [p.code for p in turned_problems(state, ["it-62", "it-63"])] == ["turned_back"]


def test_bombing_ends_at_fifteen_and_repair_at_nothing(state: State) -> None:
    """WD 28.D.bomb, 28.D.repair, ruling MALTA-MIN."""
    assert malta.bombed(state.world, 14, 3) == 15
    works = malta.Works(status=1, port=3, airbases=4, points=5)
    lawful = [malta.repair_problems(works, what, 2) == [] for what in ("status", "port", "airbase")]
    assert lawful == [False, True, True]
    assert [p.code for p in malta.repair_problems(works, "status", 2)] == ["idle"]
    assert [p.code for p in malta.repair_problems(works, "roads", 1)] == ["what"]
    assert [p.code for p in malta.repair_problems(works, "port", 6)] == ["points"]
    works.mend("status", 1)
    works.mend("port", 2)
    works.mend("airbase", 1)
    assert (works.status, works.port, works.airbases, works.points) == (0, 0, 1, 1)


def test_ports_and_points_are_copied_with_the_state(state: State) -> None:
    state.malta, state.shipped2, state.voyages, state.turned = 7, 4, 2, frozenset({"a"})
    again = state.copy()
    assert (again.malta, again.shipped2, again.voyages, again.turned) == (7, 4, 2, frozenset({"a"}))
