"""Orders of work, one by one: who, where, with what points, and what the program says of the rest (WD 14.A, 17.D)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from adjudicator.engine.core import Ctx, Event, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bases import base_capacity, base_features, port_capacity, port_row, undamaged_base
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.forts import begin_works, supply_work
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import Site, State, turn_number
from adjudicator.western_desert.template import template
from adjudicator.western_desert.units import Unit
from adjudicator.western_desert.working import run_work
from tests.western_desert.ground import cites, compass, kinds, run, start
from tests.western_desert.skirmish import ALLIED, AXIS, unit
from tests.western_desert.surprise import Played

T, A = build.CENTRE, "A"


def engineer(uid: str, side: str = ALLIED, **more: Any) -> Unit:
    figures: dict[str, Any] = {"size": "regiment", "attack": Fraction(0), "defense": Fraction(1), "movement": 6, **more}
    return unit(uid, side, type="construction_engineer", **figures)


def place(*units: Unit, terrain: str = "clear", features: tuple[str, ...] = (), options: str = "") -> State:
    """Units in hex T of a small board, in their movement phase of Mar I 41."""
    board = build.mini_board()
    build.set_hex(board, T, terrain, features)
    state = build.new_state(board, units[0].side if units else ALLIED, "movement", units[0].side if units else ALLIED)
    state.turn = turn_number("Mar I 41")
    state.world.switches = {"options": options} if options else {}
    for one in units:
        build.put(state, one, T)
    build.set_features(state, T, features, units[0].side if units else ALLIED)
    return state


def work(kind: str, uid: str = "cons", index: int = 0, **more: Any) -> Order:
    who: dict[str, Tree] = {} if "units" in more else {"unit": uid}
    return Order(index, kind, {**who, **more})


def codes(ctx: Ctx[State]) -> list[str]:
    return [problem.code for problem in ctx.problems]


def begin(state: State, *orders: Order) -> Ctx[State]:
    state.phase = "initial"
    ctx = Ctx(state.copy(), apply)
    begin_works(ctx, state.player, orders, ())
    return ctx


# --- airfields --------------------------------------------------------------------------------------------------


def test_an_airfield_costs_six_points_and_is_the_owners() -> None:
    ctx = run(place(engineer("cons")), [work("build_airfield")])
    assert ctx.problems == [] and ctx.state.airfields == {T: ALLIED}
    assert ctx.state.pieces["cons"].spent2 == 12 and base_capacity(ctx.state, T) == 3


@pytest.mark.parametrize("terrain", ["mountain", "sand", "swamp", "full_city"])
def test_airfields_and_forts_stand_in_clear_and_rough_hexes_only(terrain: str) -> None:
    state = place(engineer("cons"), terrain=terrain)
    assert codes(run(state, [work("build_airfield")])) == ["terrain"]
    assert codes(begin(state, work("build_fort"))) == ["terrain"]


@pytest.mark.parametrize("feature", ["dot_city", "reference_city", "fort", "fortress"])
def test_other_features_do_not_hinder_an_airfield(feature: str) -> None:
    state = place(engineer("cons"), features=(feature,))
    assert run(state, [work("build_airfield")]).problems == []


def test_one_airfield_in_a_hex() -> None:
    ctx = run(place(engineer("a"), engineer("b")), [work("build_airfield", "a"), work("build_airfield", "b", 1)])
    assert codes(ctx) == ["there"] and len(kinds(ctx, "work-done")) == 1


def test_two_engineers_share_the_price_as_their_owner_splits_it() -> None:
    state = place(engineer("a", movement=4), engineer("b", movement=4))
    ctx = run(state, [work("build_airfield", units=["a", "b"], split="2, 4")])
    assert ctx.problems == [] and [ctx.state.pieces[uid].spent2 for uid in "ab"] == [4, 8]
    ctx = run(state, [work("build_airfield", units=["a", "b"])])
    assert [ctx.state.pieces[uid].spent2 for uid in "ab"] == [8, 4]


@pytest.mark.parametrize("split", ["2, 2", "5, 1", "6", "x, y", "-2, 8", "1e9, 5", "3.25, 2.75"])
def test_a_split_that_does_not_pay_is_refused(split: str) -> None:
    state = place(engineer("a", movement=4), engineer("b", movement=4))
    ctx = run(state, [work("build_airfield", units=["a", "b"], split=split)])
    assert codes(ctx) == ["split"] and not ctx.state.airfields


def test_three_engineers_are_one_too_many() -> None:
    state = place(*(engineer(uid, movement=4) for uid in "abc"))
    assert codes(run(state, [work("build_airfield", units=["a", "b", "c"])])) == ["two"]


def test_one_engineer_of_four_points_builds_none_alone_whatever_it_did_last_turn() -> None:
    ctx = run(place(engineer("cons", movement=4)), [work("build_airfield")])
    assert codes(ctx) == ["mp"] and "needs 6 MP for the work and has 4 left" in ctx.problems[0].text


def test_not_in_exploitation() -> None:
    state = place(engineer("cons", motorized=True))
    state.phase = "exploitation"
    assert codes(run(state, [work("build_airfield")])) == ["phase"]


@pytest.mark.parametrize(("movement", "hits"), [(2, 2), (3, 2), (4, 1), (6, 0)])
def test_airfields_in_parts(movement: int, hits: int) -> None:
    """WD 33.H."""
    state = place(engineer("cons", movement=movement), options="33.H")
    ctx = run(state, [work("build_airfield")])
    assert ctx.problems == [] and ctx.state.base_hits.get(T, 0) == hits
    assert base_capacity(ctx.state, T) == 3 - hits


def test_the_points_of_an_airfield_in_parts_may_be_named() -> None:
    state = place(engineer("cons"), options="33.H")
    ctx = run(state, [work("build_airfield", points="4"), work("repair", what="airbase", index=1)])
    assert ctx.problems == [] and ctx.state.pieces["cons"].spent2 == 12 and not ctx.state.base_hits
    assert codes(run(state, [work("build_airfield", points="3")])) == ["points"]
    assert codes(run(place(engineer("cons")), [work("build_airfield", points="4")])) == ["points"]


# --- forts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("features", "code"), [(("fort",), "there"), (("fortress",), "fortress"), (("unimproved_fortress",), "fortress")]
)
def test_no_fort_where_one_stands_or_a_fortress(features: tuple[str, ...], code: str) -> None:
    assert codes(begin(place(engineer("cons"), features=features), work("build_fort"))) == [code]


@pytest.mark.parametrize(("features", "code"), [((), "fortress"), (("fortress",), "fortress"), (("fort",), "fortress")])
def test_only_an_unimproved_fortress_is_improved(features: tuple[str, ...], code: str) -> None:
    assert codes(begin(place(engineer("cons"), features=features), work("improve_fortress"))) == [code]


def test_a_fortress_in_any_terrain_is_improved() -> None:
    state = place(engineer("cons"), terrain="mountain", features=("unimproved_fortress",))
    ctx = begin(state, work("improve_fortress"))
    assert ctx.problems == [] and (T, "fortress") in ctx.state.sites


def test_two_engineers_begin_one_fort() -> None:
    ctx = begin(place(engineer("a"), engineer("b")), work("build_fort", "a"), work("build_fort", "b", 1))
    assert codes(ctx) == ["under_way"] and ctx.state.sites[(T, "fort")].unit == "a"


def test_a_fort_that_stands_by_other_hands_ends_the_work() -> None:
    state = place(engineer("cons"))
    state.sites[(T, "fort")] = Site(ALLIED, state.turn - 1, "cons")
    state.forts[T] = ALLIED
    ctx = Ctx(state, apply)
    supply_work(ctx, ALLIED, ())
    assert [event.kind for event in ctx.events] == ["work-lost"] and not state.sites


def test_the_surprise_turn_builds_nothing() -> None:
    state = place(engineer("cons"))
    state.surprise = True
    assert cites(begin(state, work("build_fort")).problems) == ["WD 28.B.3"]


def test_orders_in_the_wrong_phase_say_where_they_belong() -> None:
    ctx = run(place(engineer("cons")), [work("build_fort"), work("improve_fortress", index=1)])
    assert cites(ctx.problems) == ["WD 14.A.fort", "WD 14.A.fortress"]
    assert "before the first section" in ctx.problems[0].hint


# --- hits -------------------------------------------------------------------------------------------------------


def test_hits_come_whole() -> None:
    state = start()
    state.turn = turn_number("Mar I 41")
    state.shift("br-const1", state.board.find("18/4117"))
    ctx = run(state, [work("demolish_port", "br-const1")])
    assert ctx.state.port_hits == {state.board.find("18/4117"): 1} and ctx.state.pieces["br-const1"].spent2 == 6


@pytest.mark.parametrize(("hits", "after"), [("", 4), ("3", 3), ("9", None), ("0", None), ("-1", None), ("x", None)])
def test_hits_may_be_named(hits: str, after: int | None) -> None:
    state = place(unit("inf", ALLIED), features=("airfield", "dot_city"))
    more: dict[str, Any] = {"hits": hits} if hits else {}
    ctx = run(state, [work("damage_airbase", "inf", **more)])
    assert ctx.state.base_hits.get(T) == (after if after is not None else (4 if hits == "9" else None))
    assert bool(ctx.problems) is (after is None and hits != "9")


def test_each_unit_pays_for_whole_hits_of_its_own() -> None:
    state = place(unit("a", ALLIED, movement=3), unit("b", ALLIED, movement=3), features=("airfield",))
    ctx = run(state, [work("damage_airbase", units=["a", "b"])])
    assert ctx.state.base_hits[T] == 2 and [ctx.state.pieces[uid].spent2 for uid in "ab"] == [4, 4]
    assert codes(run(state, [work("damage_airbase", units=["a", "b"], hits="3")])) == ["mp"]


def test_hits_beyond_the_most_are_ignored_and_said_to_be() -> None:
    state = start()
    derna = state.board.find("18/4117")
    state.turn = turn_number("Mar I 41")
    state.shift("br-const1", derna)
    state.port_hits[derna] = 4
    ctx = Ctx(state.copy(), apply, remarks=[])
    run_work(ctx, ALLIED, work("demolish_port", "br-const1"), ())
    assert ctx.problems == [] and ctx.events == []
    assert ctx.remarks is not None and [problem.rule for problem in ctx.remarks] == ["WD 26.A.2"]


@pytest.mark.parametrize("what", ["port", "airbase", "rail"])
def test_nothing_to_repair(what: str) -> None:
    assert run(place(engineer("cons")), [work("repair", what=what)]).problems
    state = place(engineer("cons"), features=("airfield",))
    assert "no hits" in run(state, [work("repair", what="airbase")]).problems[0].text
    state.base_hits[T] = 1
    assert "has 1 hit" in run(state, [work("repair", what="airbase", hits="2")]).problems[0].text


@pytest.mark.parametrize(("setting", "legal"), [("", True), ("true", False)])
def test_repairs_need_no_supply_unless_the_switch_asks(setting: str, legal: bool) -> None:
    state = place(engineer("cons"), features=("airfield",))
    state.world.switches = {"repair_needs_supply": setting} if setting else {}
    state.pieces["cons"].gs, state.base_hits[T] = False, 2
    ctx = run(state, [work("repair", what="airbase")])
    assert (ctx.problems == []) is legal
    assert ctx.state.base_hits[T] == (1 if legal else 2)


@pytest.mark.parametrize("kind", ["build_airfield", "demolish_port", "repair"])
def test_only_construction_engineers(kind: str) -> None:
    more: dict[str, Any] = {"what": "airbase"} if kind == "repair" else {}
    assaulters = unit("storm", ALLIED, type="assault_engineer", size="battalion", assault=True)
    for one, rules in ((unit("inf", ALLIED), 1), (assaulters, 2)):
        state = place(one, features=("airfield",))
        found = [rule for rule in cites(run(state, [work(kind, one.id, **more)]).problems) if "14" in rule]
        assert ("WD 14.B" in found) is (rules == 2)


@pytest.mark.parametrize("kind", ["damage_airbase", "demolish_port", "break_rail"])
def test_italians_destroy_nothing_on_the_first_turn(kind: str) -> None:
    state = place(engineer("cons", AXIS), features=("airfield",))
    state.turn = 1
    assert "WD 28.A.3.turn" in cites(run(state, [work(kind)]).problems)


def test_a_move_that_costs_a_fort_is_warned_of() -> None:
    state = place(engineer("cons"))
    state.sites[(T, "fort")] = Site(ALLIED, state.turn, "cons")
    ctx = Ctx(state, apply, remarks=[])
    drive(movement_phase(ctx, ALLIED, [Order(0, "move", {"unit": "cons", "to": A})], ()), Assume())
    assert ctx.problems == [] and ctx.remarks is not None
    assert [(problem.code, problem.rule) for problem in ctx.remarks] == [("work_lost", "WD 14.A.fort.leave")]


# --- bad faith --------------------------------------------------------------------------------------------------


def test_the_enemys_engineers_take_no_orders() -> None:
    state = place(engineer("cons"), features=("airfield",))
    state.player = AXIS
    for kind in ("build_airfield", "demolish_port", "damage_airbase"):
        assert cites(run(state, [work(kind)]).problems)[0] == "WD 4.B"
    assert codes(begin(state, work("build_fort"))) == ["not_phasing"]


@pytest.mark.parametrize("uid", ["", "nobody", "gone"])
def test_units_that_are_not_there_work_nowhere(uid: str) -> None:
    state = place(engineer("cons"))
    state.world.units["gone"] = engineer("gone")
    state.gone["gone"] = "eliminated"
    for order in (work("build_airfield", uid), work("repair", uid, what="port"), work("damage_airbase", uid)):
        assert len(run(state, [order]).problems) >= 1
    assert len(begin(state, work("build_fort", uid)).problems) == 1


def test_points_are_spent_once() -> None:
    state = place(engineer("cons"), features=("airfield",))
    state.base_hits[T] = 3
    repair = [work("repair", what="airbase", hits="2", index=n) for n in range(3)]
    ctx = run(state, repair)
    assert [problem.order for problem in ctx.problems] == [1, 2] and ctx.state.base_hits[T] == 1
    assert ctx.state.pieces["cons"].spent2 == 8
    move = Order(1, "move", {"unit": "cons", "path": ["A", "B", "T"]})
    ctx = run(state, [repair[0], move])
    assert {problem.rule for problem in ctx.problems} == {"WD 6.mp"}
    ctx = run(state, [replace(move, index=0), work("repair", what="airbase", index=1)])
    assert ctx.problems == [] and ctx.state.pieces["cons"].spent2 == 10 and ctx.state.base_hits[T] == 2


def test_a_unit_that_has_worked_has_no_guaranteed_hex() -> None:
    state = place(engineer("cons", movement=2), features=("airfield",))
    build.set_hex(state.board, state.board.find(A), "mountain")
    go = Order(1, "move", {"unit": "cons", "to": A})
    assert run(state, [go]).problems == []
    ctx = run(state, [work("damage_airbase"), go])
    assert {problem.order for problem in ctx.problems} == {1}
    ctx = run(state, [Order(0, "move", {"unit": "cons", "to": A}), work("damage_airbase", index=1)])
    assert cites(ctx.problems) == ["WD 6.min-hex"]


def test_work_where_the_unit_does_not_stand() -> None:
    state = place(engineer("cons"))
    assert codes(run(state, [work("build_airfield", hex=A)])) == ["elsewhere"]
    assert codes(begin(state, work("build_fort", hex=A))) == ["elsewhere"]


def test_units_of_two_hexes_do_not_work_together() -> None:
    state = place(engineer("a"), engineer("b"))
    state.shift("b", state.board.find(A))
    assert codes(run(state, [work("build_airfield", units=["a", "b"])])) == ["apart"]


def test_own_points_and_then_those_of_a_transport_counter_are_not_both_spent() -> None:
    truck = unit("truck", ALLIED, 0, type="transport_counter", size="none", movement=10, motorized=True, re2=0)
    state = place(engineer("cons"), truck, features=("airfield",))
    state.base_hits[T] = 3
    carried = Order(1, "move", {"units": ["cons"], "mode": "carried", "transport": "truck", "to": A})
    assert codes(run(state, [work("repair", what="airbase"), carried])) == ["carry_moved"]
    ctx = run(state, [work("repair", what="airbase", transport="truck"), carried])
    assert ctx.problems == []
    assert {ctx.state.pieces[uid].spent2 for uid in ("cons", "truck")} == {14}
    assert {ctx.state.pieces[uid].carrier for uid in ("cons", "truck")} == {"truck"}
    alone = Order(1, "move", {"unit": "truck", "to": A})
    assert codes(run(state, [work("repair", what="airbase", transport="truck"), alone])) == ["carried"]


def test_carried_engineers_work_in_exploitation_with_the_points_of_the_counter() -> None:
    truck = unit("truck", ALLIED, 0, type="transport_counter", size="none", movement=10, motorized=True, re2=0)
    state = place(engineer("cons"), truck, features=("airfield",))
    state.phase, state.base_hits[T] = "exploitation", 3
    assert "WD 4.A.5" in cites(run(state, [work("repair", what="airbase")]).problems)
    ctx = run(state, [work("repair", what="airbase", transport="truck")])
    assert ctx.problems == [] and not ctx.state.base_hits
    assert codes(run(state, [work("repair", what="airbase", transport="cons")])) == ["transport", "carry_start"][:1]


def test_divisional_engineers_belong_to_an_option() -> None:
    state = place(unit("xx", ALLIED, size="division"), features=("airfield",))
    order = Order(0, "div_engineers", {"unit": "xx", "what": "start_fort"})
    assert codes(run(state, [order])) == ["option"]


# --- airbases and ports as things on the map --------------------------------------------------------------------


def test_capacities_add_up_or_the_largest_counts() -> None:
    """WD 17.A, chart.airbase, ruling BASE-ADD."""
    state = place(features=("dot_city", "unimproved_fortress", "airfield"))
    assert base_features(state, T) == ["dot_city", "fortress", "airfield"] and undamaged_base(state, T) == 5
    state.world.switches = {"airbase_capacity": "max"}
    assert undamaged_base(state, T) == 3
    assert undamaged_base(place(terrain="full_city"), T) == 6
    assert undamaged_base(place(), T) == 0


@pytest.mark.parametrize(
    ("where", "hits", "left"), [("18/4818", 1, "7/2"), ("18/4818", 6, "1"), ("18/3122", 3, "2"), ("18/4117", 4, "0")]
)
def test_ports_lose_capacity_by_their_kind(where: str, hits: int, left: str) -> None:
    """WD 26.A.2, 26.A.2.a, 26.A.2.b."""
    state = start()
    h = state.board.find(where)
    state.port_hits[h] = hits
    assert port_capacity(state, h) == Fraction(left)
    desert = state.board.find("19/0530")
    assert port_row(state, desert) is None and port_capacity(state, desert) == 0


def test_the_set_up_has_its_airfields() -> None:
    state = Played.begun().state
    assert state.airfields[state.board.find("19/1326")] == ALLIED
    assert state.airfields[state.board.find("18/4819")] == AXIS
    assert all(state.owner(h) == side for h, side in state.airfields.items())
    assert len(compass().scenario["airfields"]) == len(state.airfields)  # type: ignore[arg-type]


# --- what players read ------------------------------------------------------------------------------------------


def told(state: State, order: Order) -> str:
    ctx = run(state, [order])
    assert ctx.problems == []
    return sentence(ctx.state, order, [event for event in ctx.events if event.data.get("order") == "0"])


def test_orders_are_read_back_with_place_and_price() -> None:
    state = place(engineer("cons"), engineer("two"), unit("inf", ALLIED), features=("airfield", "dot_city"))
    state.base_hits[T] = 2
    assert told(state, work("repair", what="airbase", hits="1")) == (
        "cons repairs 1 hit of the airbase in T (T), 2 MP, 4 left"
    )
    assert told(state, work("damage_airbase", "inf", hits="2")) == (
        "inf puts 2 hits on the airbase in T (T), 4 MP, 4 left"
    )
    bare = place(engineer("cons", movement=4), engineer("two", movement=4))
    assert told(bare, work("build_airfield", units=["cons", "two"])) == (
        "cons and two build an airfield in T (cons 4 MP, 0 left; two 2 MP, 2 left)"
    )
    ctx = begin(bare, work("build_fort"))
    assert sentence(ctx.state, work("build_fort"), ctx.events).startswith("cons begins a fort in T, done in the next")


def test_status_and_template_tell_of_works_and_damage() -> None:
    state = start()
    state.turn, h = turn_number("Mar I 41"), state.board.find("19/1225")
    state.shift("br-const1", h)
    state.sites[(h, "fort")] = Site(ALLIED, state.turn, "br-const1")
    state.airfields[h], state.base_hits[h] = ALLIED, 2
    state.broken.add(h)
    lines = "\n".join(situation(state, ALLIED))
    name = state.unit("br-const1").short
    assert f"Under way (WD 14.A): a fort begun on Mar I 41 ({name}) in Matruh (19/1225)." in lines
    assert "airbase with 2 hits" in lines and "Broken railroads of yours (WD 7.C): Matruh (19/1225)." in lines
    written = template(state, ALLIED, Waits("decision", ALLIED, "orders/movement"))
    assert "  # - type: repair\n  #   what: airbase\n" in written and "  #   what: rail\n" in written
    state.sites.clear()
    state.phase = "initial"
    written = template(state, ALLIED, Waits("decision", ALLIED, "orders/initial"))
    assert "  # - type: build_fort\n" in written


def test_an_event_of_bombing_may_make_hits_without_workers() -> None:
    state = place(features=("airfield",))
    apply(state, Event("airbase-hit", "WD 20.F.2.b", {"what": "airbase", "hex": "T", "hits": "2", "after": "2"}))
    assert state.base_hits == {T: 2}
    assert replace(state.world).plays("33.D") is False
