"""Orders of movement by hand: what is said of a fault, and the special ways to move (WD 6.B, 6.C, 7.A, 8.B, 28)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from adjudicator.engine.core import Answer, Ctx, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.capture import capture_supply
from adjudicator.western_desert.cases.build import lone, new_state, put, set_hex, set_line, set_side, strip_board
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.state import State, Supply, World
from adjudicator.western_desert.units import Unit, fraction
from tests.western_desert.ground import cites, kinds, run, start


def unit(uid: str, side: str = "allied", **more: object) -> Unit:
    base = Unit(
        uid, side, "british" if side == "allied" else "italian", "infantry", "brigade", fraction("2"), fraction("2"), 8
    )
    return replace(base, name=uid, short=uid, **more)  # type: ignore[arg-type]


def strip_state(length: int = 14, line: str = "") -> tuple[State, list[int]]:
    board, path = strip_board(length)
    for a, b in pairwise(path):
        set_line(board, line, a, b)
    return new_state(board, "allied", "movement", owner="allied"), path


def order(index: int, **data: Tree) -> Order:
    return Order(index, "move", data)


def moved(ctx: Ctx[State]) -> dict[str, str]:
    return {uid: ctx.state.board.name(piece.hex) for uid, piece in ctx.state.pieces.items()}


def texts(ctx: Ctx[State]) -> str:
    return "\n".join(f"[{p.rule}] {p.text}; {p.hint}" for p in ctx.problems)


# --- faults and their texts -------------------------------------------------------------------------------------


def test_too_many_points_are_counted_up_and_the_way_is_mended() -> None:
    state, path = strip_state()
    set_hex(state.board, path[2], "mountain")
    put(state, unit("enemy", "axis"), lone(path[0]))
    put(state, unit("walker"), path[0])
    ctx = run(state, [order(0, unit="walker", path="P1, P2, P3, P4")])
    assert ctx.problems == []
    ctx = run(state, [order(0, unit="walker", path="P1, P2, P3, P4, P5")])
    assert "walker needs 9 of 8 MP: 4 clear, 2 leaving the ZOC of enemy, 3 mountain" in texts(ctx)
    assert "it gets as far as P4 on this way" in texts(ctx)
    assert set(cites(ctx.problems)) == {"WD 6.mp", "WD 6.A"}
    assert moved(ctx)["walker"] == "P0"


def test_an_unreachable_hex_names_the_nearest_that_is_not() -> None:
    state, path = strip_state()
    put(state, unit("walker"), path[0])
    ctx = run(state, [order(0, unit="walker", to="P10")])
    assert "walker needs 10 of 8 MP: 10 clear" in texts(ctx)
    assert "the nearest it can reach is" in texts(ctx)
    assert "for 8 MP" in texts(ctx)


@pytest.mark.parametrize(
    ("data", "rule", "words"),
    [
        ({"unit": "walker", "to": "P3", "path": "P1, P2"}, "WD 6", "the path ends in P2, to: says P3"),
        ({"unit": "walker", "path": "P2"}, "WD 6", "P2 is no neighbour of P0"),
        ({"unit": "walker", "to": "18/9999"}, "WD 2.B", "18/9999 is no hex"),
        ({"unit": "walker", "to": "P0"}, "WD 6", "walker is in P0 already"),
        ({"unit": "walker"}, "WD 6", "does not say where to"),
        ({"to": "P1"}, "WD 6", "names no unit"),
        ({"unit": "nobody", "to": "P1"}, "WD 3.A", "no unit nobody on the map"),
        ({"unit": "foe", "to": "P1"}, "WD 4.B", "only the phasing side moves"),
        ({"unit": "walker", "to": "P5"}, "WD 8.B.coexist", "P5 is held by foe"),
        ({"unit": "walker", "path": "P1, P2, P3, P4, P5"}, "WD 8.B.coexist", "P5 is held by foe"),
        ({"unit": "post", "to": "P1"}, "WD 6.mr0", "rating of 0"),
        ({"unit": "walker", "to": "P2", "mode": "fast"}, "WD 6", "no mode fast"),
        ({"unit": "walker", "to": "P2", "by": "rail"}, "WD 7.A", "no ride leads walker to P2"),
        ({"unit": "walker", "path": "P1", "by": "road"}, "WD 7", "no road joins P0 and P1"),
        ({"unit": "walker", "to": "P1", "mode": "carried"}, "WD 6.C", "no transport counter"),
    ],
)
def test_faults_cite_their_rule_and_say_what_is_wrong(data: dict[str, Tree], rule: str, words: str) -> None:
    state, path = strip_state()
    put(state, unit("walker"), path[0])
    put(state, unit("post", movement=0, type="position_aa", size="none"), path[0])
    put(state, unit("foe", "axis", size="battalion"), path[5])
    ctx = run(state, [order(0, **data)])
    assert rule in cites(ctx.problems), texts(ctx)
    assert words in texts(ctx)
    assert [problem.order for problem in ctx.problems] == [0] * len(ctx.problems)
    assert len(kinds(ctx, "void")) == 1


# --- guaranteed hex, several orders, rail -----------------------------------------------------------------------


def test_the_guaranteed_hex_is_all_a_unit_gets() -> None:
    state, path = strip_state()
    set_hex(state.board, path[1], "mountain")
    put(state, unit("slow", movement=2), path[0], {"gs": False})
    ctx = run(state, [order(0, unit="slow", to="P1"), order(1, unit="slow", to="P2")])
    (event,) = kinds(ctx, "move")
    assert (event["means"], event["spent"], event["left"], event["mp"]) == ("minimum", "1", "0", "3")
    assert cites(ctx.problems) == ["WD 6.min-hex"]


def test_points_add_up_over_the_orders_of_a_phase() -> None:
    state, path = strip_state()
    put(state, unit("walker"), path[0])
    ctx = run(state, [order(0, unit="walker", to="P5"), order(1, unit="walker", to="P9")])
    assert moved(ctx)["walker"] == "P5"
    assert "it has spent 5 of 8 MP before" in texts(ctx)
    ctx = run(state, [order(0, unit="walker", to="P5"), order(1, unit="walker", to="P8")])
    assert moved(ctx)["walker"] == "P8"
    assert [event["spent"] for event in kinds(ctx, "move")] == ["5", "8"]


def test_a_ride_may_go_on_but_not_begin_again() -> None:
    state, path = strip_state(line="rail")
    put(state, unit("rider"), path[0])
    ctx = run(state, [order(0, unit="rider", to="P4", by="rail"), order(1, unit="rider", to="P6", by="rail")])
    assert [event["mp"] for event in kinds(ctx, "move")] == ["2", "0"]
    assert ctx.state.pieces["rider"].rail == 6
    ctx = run(
        state,
        [
            order(0, unit="rider", to="P4", by="rail"),
            order(1, unit="rider", to="P5", by="foot"),
            order(2, unit="rider", path="P6", by="rail"),
        ],
    )
    assert cites(ctx.problems) == ["WD 7.A.entrain"]


def test_a_given_way_takes_the_train_where_that_is_cheaper() -> None:
    state, path = strip_state(line="rail")
    put(state, unit("rider"), path[0])
    way: list[Tree] = [state.board.name(h) for h in path[1:11]]
    ctx = run(state, [order(0, unit="rider", path=way)])
    (event,) = kinds(ctx, "move")
    assert (event["means"], event["mp"], event["cost"]) == ("rail", "3", "1 entraining, 2 rail")
    ctx = run(state, [order(0, unit="rider", path=way, by="foot")])
    assert "rider needs 10 of 8 MP: 10 road" in texts(ctx)


def test_a_move_tells_by_which_road_it_went() -> None:
    state, path = strip_state(line="road")
    put(state, unit("walker"), path[0])
    (event,) = kinds(run(state, [order(0, unit="walker", to="P3")]), "move")
    assert (event["roads"], event["cost"], event["left"]) == (["the road"], "3 road", "5")


# --- administrative movement, transport counters ----------------------------------------------------------------


def test_administrative_movement_is_by_road_only_and_all_phase() -> None:
    state, path = strip_state(line="road")
    put(state, unit("walker"), path[0])
    ctx = run(state, [order(0, unit="walker", to="P12", mode="admin")])
    assert moved(ctx)["walker"] == "P12"
    ctx = run(state, [order(0, unit="walker", to="P3", mode="admin"), order(1, unit="walker", to="P4")])
    assert cites(ctx.problems) == ["WD 6.B.1"]
    ctx = run(state, [order(0, unit="walker", to="P3", mode="admin"), order(1, unit="walker", to="P12", mode="admin")])
    assert moved(ctx)["walker"] == "P12"
    put(state, unit("foe", "axis", size="battalion"), lone(path[6]))
    ctx = run(state, [order(0, unit="walker", to="P12", mode="admin")])
    assert "WD 6.B" in cites(ctx.problems)


def transport(uid: str = "truck") -> Unit:
    return unit(uid, type="transport_counter", size="none", movement=10, motorized=True, re2=0)


def test_a_transport_counter_and_its_unit_move_as_one() -> None:
    state, path = strip_state()
    put(state, unit("rider"), path[0])
    put(state, transport(), path[0])
    ctx = run(state, [order(0, unit="rider", to="P10", mode="carried", transport="truck")])
    assert moved(ctx) == {"rider": "P10", "truck": "P10"}
    orders = [order(0, unit="rider", to="P4", mode="carried", transport="truck"), order(1, unit="rider", to="P5")]
    assert cites(run(state, orders).problems) == ["WD 6.C.start"]
    orders = [order(0, unit="rider", to="P4", mode="carried", transport="truck"), order(1, unit="truck", to="P5")]
    assert cites(run(state, orders).problems) == ["WD 6.C.start"]
    again = order(1, unit="rider", to="P10", mode="carried", transport="truck")
    assert moved(run(state, [orders[0], again])) == {"rider": "P10", "truck": "P10"}


def test_a_transport_counter_carries_one_re_that_has_not_moved() -> None:
    state, path = strip_state()
    put(state, unit("one"), path[0])
    put(state, unit("two", size="battalion", re2=1), path[0])
    put(state, transport(), path[0])
    ctx = run(state, [order(0, units="one, two", to="P3", mode="carried", transport="truck")])
    assert "the units are 1 1/2 RE; a transport counter carries 1 RE" in texts(ctx)
    late = [order(0, unit="two", to="P1"), order(1, unit="two", to="P3", mode="carried", transport="truck")]
    assert "WD 6.C.start" in cites(run(state, late).problems)


@pytest.mark.parametrize(("kind", "rolls"), [("transport_counter", 0), ("position_aa", 0), ("infantry", 1)])
def test_only_a_unit_captures_supply(kind: str, rolls: int) -> None:
    """However it gets there, by a move, a retreat or an advance (WD 3.A, 6.C, 12.D.capture, 22.A.3)."""
    state, path = strip_state()
    size = "brigade" if kind == "infantry" else "none"
    put(state, unit("first", type=kind, size=size, movement=10, motorized=True, re2=0), path[0])
    state.supply["dump"] = Supply(path[2], "axis", 1)
    ctx = run(state, [order(0, unit="first", to="P2")])
    assert moved(ctx)["first"] == "P2" and len(kinds(ctx, "captured")) == rolls
    entered = Ctx(state.copy(), apply)
    entered.state.place("first", path[2])
    drive(capture_supply(entered, "first", path[2]), Assume(), lambda _ask: Answer(None, "forced"))
    assert len(kinds(entered, "captured")) == rolls and ("dump" in entered.state.supply) == (not rolls)


# --- control, fortresses, the end of the phase ------------------------------------------------------------------


def test_a_fortress_taken_is_unimproved_and_the_turn_remembers_its_owner() -> None:
    state, path = strip_state()
    set_hex(state.board, path[2], features=["fortress"])
    state.control[path[2]] = "axis"
    put(state, unit("walker"), path[0])
    ctx = run(state, [order(0, unit="walker", to="P4")])
    (event,) = [e for e in kinds(ctx, "control") if e["fortresses"]]
    assert event["fortresses"] == ["P2"]
    assert ctx.state.fortress(path[2]) == "unimproved"
    assert (ctx.state.owner(path[2]), ctx.state.owner_at_start(path[2])) == ("allied", "axis")


def test_the_last_to_arrive_in_a_full_hex_is_blamed_and_halted_a_hex_short() -> None:
    state, path = strip_state()
    for number in range(5):
        put(state, unit(f"there-{number}"), path[4])
    put(state, unit("first"), path[0])
    put(state, unit("last"), path[0])
    ctx = run(state, [order(0, unit="first", to="P4"), order(1, unit="last", to="P4")])
    assert [(p.order, p.rule) for p in ctx.problems] == [(1, "WD 8")]
    assert "holds 7 allied units" in texts(ctx)
    (halt,) = kinds(ctx, "halt")
    assert (halt["unit"], halt["to"], halt["spent"]) == ("last", "P3", "3")
    assert (moved(ctx)["first"], moved(ctx)["last"]) == ("P4", "P3")


def test_passing_through_a_full_hex_and_making_room_are_lawful() -> None:
    state, path = strip_state()
    for number in range(6):
        put(state, unit(f"there-{number}"), path[2])
    put(state, unit("walker"), path[0])
    assert run(state, [order(0, unit="walker", to="P4")]).problems == []
    assert run(state, [order(0, unit="walker", to="P2"), order(1, unit="there-0", to="P5")]).problems == []


def test_light_tanks_left_alone_are_a_fault_of_the_order_that_left_them() -> None:
    state, path = strip_state()
    state.player = "axis"
    state.control = dict.fromkeys(state.control, "axis")
    put(state, unit("tank", "axis", type="light_tank", size="battalion", motorized=True), path[0])
    put(state, unit("escort", "axis"), path[0])
    ctx = run(state, [order(0, unit="escort", to="P2")])
    assert [(p.order, p.rule) for p in ctx.problems] == [(0, "WD 28.A.4")]
    both = run(state, [order(0, unit="escort", to="P2"), order(1, unit="tank", to="P2")])
    assert both.problems == []


# --- phases and the surprise turn -------------------------------------------------------------------------------


def test_only_the_attack_force_moves_in_the_surprise_turn() -> None:
    state = start()
    state.surprise = True
    ctx = run(state, [order(0, unit="br-4-arm-a", to="19/0926"), order(1, unit="au-16", to="19/2424")])
    assert [(p.order, p.rule) for p in ctx.problems] == [(1, "WD 28.B.3")]


def test_neutral_ground_is_closed() -> None:
    state = start()
    ctx = run(state, [order(0, unit="br-4cav", to="19/4407")])
    assert ctx.problems[0].rule in ("WD 28.C", "WD 8.B.coexist")
    ctx = run(state, [order(0, unit="br-4cav", path="19/4311, 19/4310, 19/4309")])
    assert "WD 28.C" in cites(ctx.problems)


def test_a_way_by_rail_that_leaves_the_railroad_and_meets_it_again_rides_once() -> None:
    state, path = strip_state()
    for a, b in pairwise(path):
        if b != path[3]:
            set_line(state.board, "rail", a, b)
    put(state, unit("rider"), path[0])
    way: list[Tree] = [state.board.name(h) for h in path[1:10]]
    ctx = run(state, [order(0, unit="rider", path=way, by="rail")])
    (event,) = kinds(ctx, "move")
    assert (event["means"], event["rail"], event["unit"]) == ("rail", "6", "rider")


def test_the_railroad_is_built_out_to_its_railhead_only() -> None:
    """The example of WD 7.D: extended from Matruh to 19/1126, the line serves to there and not beyond."""
    state = start()
    assert cites(run(state, [order(0, unit="br-22", path="19/1126", by="rail")]).problems) == ["WD 7.D.use"]
    name = next(name for name, path in state.board.unbuilt.items() if path[0] == state.board.find("19/1225"))
    state.built[name] = 1
    ctx = run(state, [order(0, unit="br-22", path="19/1126", by="rail")])
    assert ctx.problems == []
    assert kinds(ctx, "move")[0]["mp"] == "2"
    too_far = order(0, unit="br-22", path="19/1126, 19/1026", by=["rail", "rail"])
    assert cites(run(state, [too_far]).problems) == ["WD 7.D.use"]


def test_a_world_is_never_changed() -> None:
    before = start()
    world: World = before.world
    boards = (dict(world.board.land), set(world.board.roads), dict(world.units))
    run(before, [order(0, unit="br-4-arm-a", to="19/0825")])
    assert boards == (world.board.land, world.board.roads, world.units)


# --- house rules ------------------------------------------------------------------------------------------------


def test_switch_mountain_side_move() -> None:
    for switches, mp in (({}, "3"), ({"mountain_side_move": "add"}, "4")):
        state, path = strip_state()
        set_side(state.board, path[0], path[1], "mountain")
        state.world.switches = switches
        put(state, unit("walker"), path[0])
        (event,) = kinds(run(state, [order(0, unit="walker", path="P1")]), "move")
        assert event["mp"] == mp


def test_switch_fort_on_capture() -> None:
    for switches, kept in (({}, True), ({"fort_on_capture": "remove"}, False)):
        state, path = strip_state()
        state.world.switches = switches
        state.control[path[1]], state.forts[path[1]] = "axis", "axis"
        put(state, unit("walker"), path[0])
        assert (path[1] in run(state, [order(0, unit="walker", path="P1")]).state.forts) is kept


def test_switch_overstack() -> None:
    for switches, left in (({}, 7), ({"overstack": "eliminate"}, 6)):
        state, path = strip_state()
        state.world.switches = switches
        for number in range(6):
            put(state, unit(f"there-{number}"), path[1])
        put(state, unit("late", defense=fraction("1")), path[0])
        ctx = run(state, [order(0, unit="late", path="P1")])
        assert len(ctx.state.pieces) == left
        assert cites(ctx.problems) == ["WD 8"]
