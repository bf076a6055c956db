"""Movement and transportation lines, clause by clause: what the other tests of movement leave out (WD 6, 7, 8)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.build import lone, put, set_hex, set_line, set_side
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.mover import Field, mover_of
from adjudicator.western_desert.overrun import plan_overrun
from adjudicator.western_desert.rail import most_hexes, rail_net
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State
from tests.western_desert.ground import cites, kinds, run
from tests.western_desert.test_movement_orders import moved, order, strip_state, transport, unit


def exploitation(state: State) -> State:
    """The same position in the exploitation phase, what belongs to the movement phase over."""
    state.phase = state.step = "exploitation"
    for piece in state.pieces.values():
        piece.spent2, piece.entered, piece.means, piece.carrier, piece.start = 0, 0, "", "", piece.hex
    return state


# --- what is paid -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("foreign", "leave", "across"), [(False, 2, 3), (True, 1, 2)])
def test_zones_cost_when_a_unit_leaves_them_and_nothing_when_it_enters(foreign: bool, leave: int, across: int) -> None:
    """WD 6.A, WD 6.A.zoc-to-zoc, chart.zoc-costs: German combat/motorized units pay less."""
    for zones, more in (([1], 0), ([0], leave), ([0, 1], across)):
        state, path = strip_state(3)
        state.player = "axis"
        state.control = dict.fromkeys(state.board.land, "axis")
        state.overlay_zoc["allied"] = {path[n] for n in zones}
        put(state, unit("walker", "axis", nat="german" if foreign else "italian", motorized=True), path[0])
        (event,) = kinds(run(state, [order(0, unit="walker", path="P1")]), "move")
        assert event["mp"] == str(1 + more), zones


def test_a_guaranteed_hex_needs_no_points_but_open_ground() -> None:
    """WD 6.min-hex: too few points at the start of the phase; not into or across prohibited terrain."""
    state, path = strip_state(3)
    set_hex(state.board, path[1], "mountain")
    put(state, unit("gun", movement=3, artillery=True), path[0])
    state.pieces["gun"].gs = False
    (event,) = kinds(run(state, [order(0, unit="gun", path="P1")]), "move")
    assert (event["means"], event["mp"], event["left"]) == ("minimum", "6", "0")
    set_side(state.board, path[0], path[1], "sebkha")
    assert cites(run(state, [order(0, unit="gun", path="P1")]).problems) == ["WD 6.prohibited"]


def test_a_guaranteed_hex_is_the_first_and_only_one() -> None:
    """WD 6.min-hex: a unit that has spent points in the phase has no claim to it."""
    state, path = strip_state(4)
    set_hex(state.board, path[2], "mountain")
    put(state, unit("gun", movement=3, artillery=True), path[0])
    ctx = run(state, [order(0, unit="gun", path="P1"), order(1, unit="gun", path="P2")])
    assert moved(ctx) == {"gun": "P1"}
    assert "WD 6.mp" in cites(ctx.problems)


# --- railroads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("switches", "cost", "most"), [({}, "3", 42), ({"rail_partial": "fraction"}, "2.5", 42)])
def test_a_ride_costs_whole_points_unless_the_house_rule_counts_fractions(
    switches: dict[str, str], cost: str, most: int
) -> None:
    """WD 7.A.rate, WD 7.A.entrain, ruling RAIL-PARTIAL: 8 hexes at 6 a point take 1 1/3, so 1 1/2."""
    state, path = strip_state(14, line="rail")
    state.world.switches = switches
    put(state, unit("rider"), path[0])
    (event,) = kinds(run(state, [order(0, unit="rider", to="P8", by="rail")]), "move")
    assert event["mp"] == cost
    field = Field(state, "allied")
    assert most_hexes(field.charts, 8, mover_of(state, "rider").left2) == most


def test_with_fractions_half_a_point_buys_rail_hexes() -> None:
    """WD 7.A.rate, ruling RAIL-PARTIAL: a rating of 7 out of supply, 3 1/2 points."""
    for switches, most in (({}, 12), ({"rail_partial": "fraction"}, 15)):
        state, path = strip_state(3, line="rail")
        state.world.switches = switches
        put(state, unit("rider", movement=7), path[0])
        state.pieces["rider"].gs = False
        assert most_hexes(Field(state, "allied").charts, 7, mover_of(state, "rider").left2) == most


def test_the_axis_rides_only_on_lines_to_a_full_hex_city_of_its_own() -> None:
    """WD 7.A.axis: the way to the city is barred by enemy units and enemy zones, wherever the unit goes."""
    state, path = strip_state(8, line="rail")
    state.player = "axis"
    state.control = dict.fromkeys(state.board.land, "axis")
    assert rail_net(state, "axis") == (frozenset(), False)
    set_hex(state.board, path[7], "full_city")
    state.world.cache.clear()
    assert rail_net(state, "axis").usable == frozenset(path)
    put(state, unit("foe", "allied"), lone(path[5]))
    assert rail_net(state, "axis").usable == frozenset(path[6:])
    state.control[path[7]] = "allied"
    assert not rail_net(state, "axis").has_city


def test_a_railroad_is_a_road_where_it_may_not_be_ridden() -> None:
    """WD 7.rail-as-road, WD 7.A.control, WD 7.B.anywhere: hexes taken in this player turn."""
    state, path = strip_state(6, line="rail")
    for h in path[1:]:
        set_hex(state.board, h, "sand")
        state.taken[h] = "axis"
    put(state, unit("rider", motorized=True), path[0])
    assert cites(run(state, [order(0, unit="rider", to="P5", by="rail")]).problems) == ["WD 7.A.control", "WD 7.A"]
    (event,) = kinds(run(state, [order(0, unit="rider", to="P5")]), "move")
    assert (event["mp"], event["means"]) == ("5", "normal")


def test_a_line_that_is_being_built_is_there_out_to_its_railhead_and_serves_at_once() -> None:
    """WD 7.D.operational, WD 7.D.use: as railroad and as road, not beyond."""
    state, path = strip_state(6)
    state.board.unbuilt["line"] = tuple(path)
    for built, far in ((0, 0), (2, 2), (5, 5)):
        state.built["line"] = built
        graph = graph_of(state)
        assert [(a, b) in graph.rails for a, b in pairwise(path)] == [n < far for n in range(5)]
        assert [(b, a) in graph.roads for a, b in pairwise(path)] == [n < far for n in range(5)]


def test_lines_lead_through_full_hex_cities_in_any_phase() -> None:
    """WD 7.city, WD 7.B.anywhere."""
    state, path = strip_state(4, line="road")
    set_hex(state.board, path[1], "full_city")
    set_hex(state.board, path[2], "rough")
    put(state, unit("truck", motorized=True), path[0])
    (event,) = kinds(run(exploitation(state), [order(0, unit="truck", to="P3")]), "move")
    assert event["mp"] == "3"


# --- administrative movement and transport counters -------------------------------------------------------------


def road_and_truck() -> tuple[State, list[int]]:
    """An infantry brigade that has moved administratively to P2, where a transport counter stands."""
    state, path = strip_state(8, line="road")
    put(state, unit("walker"), path[0])
    put(state, transport(), path[2])
    return run(state, [order(0, unit="walker", to="P2", mode="admin")]).state, path


def test_a_unit_that_moved_administratively_keeps_to_the_road_when_it_is_carried_on() -> None:
    """WD 6.B.1, WD 6.B.2: only by road that turn, only through hexes held since it began."""
    state, path = road_and_truck()
    assert state.pieces["walker"].admin
    exploitation(state)
    carried = {"unit": "walker", "mode": "carried", "transport": "truck"}
    assert moved(run(state, [order(0, **carried, to="P5")]))["walker"] == "P5"
    off = state.board.name(lone(path[2]))
    assert set(cites(run(state, [order(0, **carried, path=off)]).problems)) == {"WD 6.B.1"}
    state.taken[path[4]] = "axis"
    assert "WD 6.B.2" in cites(run(state, [order(0, **carried, path="P3, P4, P5")]).problems)
    assert set(Searches(state, "allied").reach(mover_of(state, "truck", "carried", ["walker"]))) == {
        path[0],
        path[1],
        path[3],
    }


def test_a_unit_that_moved_administratively_overruns_nobody() -> None:
    """WD 6.B.3: it does not come next to an enemy unit at any time."""
    state, path = road_and_truck()
    exploitation(state)
    put(state, unit("foe", "axis", defense=unit("x").defense / 20), path[3])
    made = Order(0, "overrun", {"hex": "P3", "carried": ["walker"], "units": ["walker"], "transport": "truck"})
    assert "WD 6.B.3" in cites(plan_overrun(Field(state, "allied"), "allied", made).problems)


def test_what_moved_administratively_is_free_again_next_turn() -> None:
    """WD 6.B.1: the whole turn, and no longer."""
    state, _path = road_and_truck()
    Ctx(state, apply).emit("phase", "WD 4", turn="Jan I 41", player="axis", phase="initial", surprise="")
    assert not state.pieces["walker"].admin


def test_administrative_movement_is_for_units_that_are_not_motorized_artillery_too() -> None:
    """WD 6.B: one and one half times the rating, the fraction dropped."""
    for artillery in (False, True):
        state, path = strip_state(14, line="road")
        put(state, unit("walker", movement=7, artillery=artillery), path[0])
        reach = Searches(state, "allied").reach(mover_of(state, "walker", "admin"))
        assert max(reach) == path[10]
    state, path = strip_state(14, line="road")
    put(state, unit("walker", motorized=True), path[0])
    assert "WD 6.B" in cites(run(state, [order(0, unit="walker", to="P1", mode="admin")]).problems)


@pytest.mark.parametrize("h", [0, 4])
def test_administrative_movement_is_never_next_to_an_enemy_zone_or_not(h: int) -> None:
    """WD 6.B.3: at the start and on the way, a battalion without a zone included."""
    state, path = strip_state(8, line="road")
    put(state, unit("walker"), path[0])
    put(state, unit("foe", "axis", size="battalion", re2=1), lone(path[h]))
    ctx = run(state, [order(0, unit="walker", path=["P1", "P2", "P3", "P4", "P5"], mode="admin")])
    assert cites(ctx.problems) == ["WD 6.B.3"]


def test_a_transport_counter_goes_alone_and_takes_no_place() -> None:
    """WD 6.C.stack, WD 8.A.free."""
    state, path = strip_state(4)
    for number in range(6):
        put(state, unit(f"u{number}"), path[2])
    put(state, transport(), path[0])
    ctx = run(state, [order(0, unit="truck", to="P2")])
    assert not ctx.problems
    assert moved(ctx)["truck"] == "P2"


def test_joined_hexes_only_are_a_line() -> None:
    """WD 7: a road in both hexes is no road between them."""
    state, path = strip_state(4)
    for h in path[:2]:
        set_line(state.board, "road", h, lone(h))
    set_hex(state.board, path[1], "mountain")
    put(state, unit("walker"), path[0])
    (event,) = kinds(run(state, [order(0, unit="walker", path="P1")]), "move")
    assert event["mp"] == "3"
