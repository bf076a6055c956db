"""Special operations in play: proof of a plan, muster, use, supply, loss, withdrawal (WD 27.A, 27.B, 29.A.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx, Event, Order, Proof, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Waits
from adjudicator.engine.planning import Planning
from adjudicator.match.games import table
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.arrivals import bring
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.state import AIR_POOL, WITHDRAWN, Air, State, turn_number
from adjudicator.western_desert.theatre import operation
from adjudicator.western_desert.theatre.forces import (
    always_supplied,
    attack_supplied,
    barred_reinforcement,
    planned_drop_problems,
    pool_box,
)
from adjudicator.western_desert.theatre.plans import (
    BOOK,
    CARRY_OUT,
    PLAN,
    WesternPlans,
    country_of,
    target_problems,
    topics_of,
)
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import GERMAN_1941, GERMAN_1942, ITALIAN, SIDE
from tests.western_desert.ground import start
from tests.western_desert.operations import (
    BOOKS,
    DUE,
    JU,
    NICOSIA,
    PARA,
    PARA_2,
    PLANNED,
    TOPIC,
    autumn,
    chance_rows,
    happened,
    world,
)
from tests.western_desert.surprise import Played

CATANIA = "18/0602"


def proofs(uid: str = PARA, topic: Tree = TOPIC, first: str = PLANNED) -> list[Proof]:
    """The topic of a unit out of all books since a turn."""
    return [Proof(BOOK, seq, uid, topic) for turn, seq in BOOKS if turn >= turn_number(first)]


def announced(state: State, given: list[Proof], *units: str) -> Ctx[State]:
    """An order that carries the plans of units out, with these proofs."""
    ctx: Ctx[State] = Ctx(state, apply)
    order = Order(0, CARRY_OUT, {"units": [*units]} if units else {"units": [PARA]})
    operation.announce(ctx, SIDE, [order], given, (40,))
    return ctx


def of_kind(ctx: Ctx[State], kind: str) -> list[Event]:
    return [event for event in ctx.events if event.kind == kind]


def entered(state: State, uid: str, h: str, turn: str, used: bool = True, pool: str = GERMAN_1941) -> None:
    """A unit is in an operation, on the map or at a base."""
    one = Operation(uid, pool, turn_number(turn), state.board.find(h), used)
    spent = state.theatre.spent | ({f"{pool}/{uid}"} if used else set())
    state.theatre = replace(state.theatre, operations=(*state.theatre.operations, one), spent=spent)
    if uid in state.world.air:
        state.boxes.pop(uid, None)
        state.air[uid] = Air(state.board.find(h))
    else:
        state.place(uid, state.board.find(h))


# --- proof --------------------------------------------------------------------------------------------------------


def test_a_plan_in_all_books_since_is_announced() -> None:
    """WD 27.A.announce: the island, and nothing of the hex."""
    ctx = announced(autumn(), proofs())
    (event,) = ctx.events
    assert event.kind == "special-announced" and event.data["places"] == ["Cyprus"]
    assert position(restore(ctx.state.world, position(ctx.state))) == position(ctx.state)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([], "unproved"),
        (proofs()[:-1], "unproved"),
        (proofs()[1:], "unproved"),
        ([*proofs()[:2], Proof(BOOK, proofs()[2].seq, PARA, ""), *proofs()[3:]], "unproved"),
        (proofs(uid=PARA_2), "unproved"),
        (proofs(topic="nonsense"), "unproved"),
        (proofs(topic={**TOPIC, "planned": "Jul I 41"}, first="Jul I 41"), "lead_time"),
        (proofs(topic={**TOPIC, "planned": "Jan I 41"}), "unproved"),
        (proofs(topic={**TOPIC, "turn": "Sep II 41"}), "turn"),
        (proofs(topic={**TOPIC, "hex": "19/1508"}), "sea"),
    ],
)
def test_anything_else_is_void(given: list[Proof], code: str) -> None:
    """A topic that is missing, was another one in between, is of another unit, too young, of a turn without a book."""
    ctx = announced(autumn(), given)
    assert [event.data["code"] for event in ctx.events] == [code]
    assert ctx.state.theatre.operations == ()


def test_a_unit_that_is_no_longer_in_the_pool_is_not_announced() -> None:
    state = autumn()
    state.boxes.pop(PARA)
    state.place(PARA, state.board.find(CATANIA))
    ctx = announced(state, proofs())
    assert [event.data["code"] for event in ctx.events] == ["not_in_pool"]


def test_forces_of_1942_wait_where_those_of_1941_were_used() -> None:
    """WD 27.B.1: till Apr I 42."""
    topic: Tree = {"hex": NICOSIA, "planned": "Oct I 41", "turn": "Feb I 42"}
    state = autumn("Feb I 42")
    sealed = tuple((turn, 10 + turn) for turn in range(turn_number("Oct I 41"), state.turn))
    state.theatre = replace(state.theatre, sealed=sealed, spent=frozenset([f"{GERMAN_1941}/{PARA_2}"]))
    state.put_by(PARA, pool_box(GERMAN_1942))
    given = [Proof(BOOK, seq, PARA, topic) for _turn, seq in sealed]
    assert [event.data["code"] for event in announced(state, given).events] == ["pool_dates"]
    state.theatre = replace(state.theatre, spent=frozenset())
    assert announced(state, given).events[0].kind == "special-announced"


# --- planning -----------------------------------------------------------------------------------------------------


def plan(
    state: State, *orders: Order, kept: dict[str, Tree] | None = None, key: str = "orders/initial"
) -> Planning:
    """What a turn file makes of the plans."""
    return WesternPlans(state.world).planning(state, SIDE, Waits("decision", SIDE, key), orders, lambda: kept or {})


def test_a_plan_goes_into_the_book_and_nowhere_else() -> None:
    """WD 27.A, 27.A.lead: written in an Axis initial phase, five turns ahead."""
    wish = Order(3, PLAN, {"units": [PARA], "air": [JU], "at": NICOSIA, "turn": DUE})
    made = plan(autumn(PLANNED), wish)
    assert made.contents == {PARA: TOPIC, JU: TOPIC} and made.orders == () and made.proofs == () and not made.problems
    late = plan(autumn("Jul I 41"), wish)
    assert [p.code for p in late.problems[3]] == ["lead_time", "lead_time"] and late.contents == {}
    moved = plan(autumn(PLANNED), wish, key="orders/movement")
    assert moved.contents is None and [p.code for p in moved.problems[3]] == ["moment"]


def test_a_second_plan_needs_the_first_one_cancelled() -> None:
    """WD 27.A.one, 27.A.cancel."""
    kept: dict[str, Tree] = {PARA: TOPIC}
    again = Order(0, PLAN, {"units": [PARA], "at": NICOSIA, "turn": "Oct I 41"})
    assert [p.code for p in plan(autumn("Jul I 41"), again, kept=kept).problems[0]] == ["one_plan"]
    cancel = Order(1, "cancel_special", {"units": [PARA]})
    made = plan(autumn("Jul I 41"), cancel, replace(again, index=2), kept=kept)
    assert made.contents == {PARA: {"hex": NICOSIA, "planned": "Jul I 41", "turn": "Oct I 41"}}
    assert [p.code for p in plan(autumn("Jul I 41"), cancel).problems[1]] == ["no_plan"]


def test_what_is_due_is_carried_out_with_the_topics_of_all_books_since() -> None:
    made = plan(autumn(), kept={PARA: TOPIC, PARA_2: {**TOPIC, "turn": "Sep II 41"}})
    (order,) = made.orders
    assert order.type == CARRY_OUT and order.data == {"units": [PARA]}
    assert list(made.proofs) == proofs() and list(made.contents or {}) == [PARA_2]


def test_only_a_scenario_with_time_for_it_has_the_book() -> None:
    """WD 27."""
    books = {name: table("western-desert", name, ()).books for name in ("compass", "campaign", "crusader")}
    assert [BOOK in books[name] for name in ("compass", "campaign", "crusader")] == [False, True, False]
    assert {PARA, JU, "it-4liv"} <= {*topics_of(world())}


# --- in play ------------------------------------------------------------------------------------------------------


def phase(state: State) -> Ctx[State]:
    """The initial phase, nobody orders anything and no die hurts."""
    ctx: Ctx[State] = Ctx(state, apply)
    drive(initial_phase(ctx, SIDE, [], (40,)), Assume())
    return ctx


def test_the_force_musters_at_the_base_next_to_its_hex() -> None:
    """WD 29.A.2.special; who was not used goes back to the pool."""
    state = autumn()
    both = [*proofs(), *proofs(JU)]
    ctx: Ctx[State] = Ctx(state, apply)
    order = Order(0, CARRY_OUT, {"units": [PARA], "air": [JU]})
    operation.announce(ctx, SIDE, [order], both, (40,))
    ctx = phase(state)
    assert state.hex_of(PARA) == state.air[JU].hex == state.board.find("19/1003"), "Rhodes"
    operation.stand_down(ctx)
    assert state.boxes[PARA].box == state.boxes[JU].box == pool_box(GERMAN_1941)
    assert state.theatre.operations == () and state.theatre.spent == frozenset()


def test_use_costs_once_and_loss_as_much_again() -> None:
    """WD 27.B, 27.B.1.cost."""
    state = autumn()
    entered(state, PARA, CATANIA, DUE, used=False)
    entered(state, JU, CATANIA, DUE, used=False)
    ctx: Ctx[State] = Ctx(state, apply)
    operation.use(ctx, [PARA, JU], ())
    operation.use(ctx, [PARA, JU], ())
    assert [event.data["vp"] for event in of_kind(ctx, "vp")] == ["-5"]
    remove(ctx, PARA, "WD 9.C", ())
    state.lose_air(JU)
    operation.count_losses(ctx)
    operation.count_losses(ctx)
    assert [event.data["vp"] for event in of_kind(ctx, "vp")] == ["-5", "-3", "-2"]
    assert state.gone[PARA] == "permanent", "not in the replacement pool (ruling SO-LOST)"
    assert state.boxes[JU].box == WITHDRAWN != AIR_POOL


def test_all_are_in_attack_supply_on_entry_and_airborne_ones_supplied_throughout() -> None:
    """WD 27.B.supply."""
    state = autumn("Sep II 41")
    entered(state, PARA, NICOSIA, "Sep II 41")
    entered(state, PARA_2, NICOSIA, DUE)
    entered(state, "it-4liv", NICOSIA, "Sep II 41", pool=ITALIAN)
    assert always_supplied(state) == {PARA, PARA_2}
    assert attack_supplied(state, [PARA, PARA_2, "it-4liv"]) == {PARA, "it-4liv"}


def test_they_are_withdrawn_on_the_fifth_turn_without_cost() -> None:
    """WD 27.B."""
    for turn, gone in (("Nov I 41", False), ("Nov II 41", True)):
        state = autumn(turn)
        entered(state, PARA, CATANIA, DUE)
        ctx = phase(state)
        assert (PARA not in state.pieces) is gone
        assert [event.data["why"] for event in of_kind(ctx, "special-over")] == ["over"] * gone
        assert not [event for event in of_kind(ctx, "vp") if event.rule == "WD 27.B"]


def test_over_the_new_year_a_unit_goes_back_to_the_forces_of_1942() -> None:
    state = autumn("Jan I 42")
    entered(state, PARA, CATANIA, "Dec I 41")
    phase(state)
    assert PARA in state.pieces, "the pool of 1942 does not take it from the map"
    state.turn = turn_number("Feb II 42")
    phase(state)
    assert state.boxes[PARA].box == pool_box(GERMAN_1942) and PARA_2 not in state.pieces


def test_only_what_was_planned_for_turn_and_hex_is_dropped() -> None:
    """WD 27.A."""
    state = autumn()
    target, other = state.board.find(NICOSIA), state.board.find("18/0408")
    entered(state, PARA, CATANIA, DUE, used=False)
    state.theatre = replace(
        state.theatre, operations=tuple(replace(one, hex=target) for one in state.theatre.operations)
    )
    assert planned_drop_problems(state, SIDE, PARA, target) == []
    assert [p.code for p in planned_drop_problems(state, SIDE, PARA, other)] == ["planned_hex"]
    assert [p.code for p in planned_drop_problems(state, SIDE, "lw-ram", target)] == ["unplanned"]
    state.turn += 1
    assert [p.code for p in planned_drop_problems(state, SIDE, PARA, target)] == ["unplanned"]
    assert planned_drop_problems(state, "allied", PARA, other) == []


def test_reinforcements_that_were_used_do_not_arrive() -> None:
    """WD 29.A.2.nospecial."""
    state = autumn("Aug I 42")
    assert barred_reinforcement(state, "lw-ram") == ""
    state.theatre = replace(state.theatre, spent=frozenset([f"{GERMAN_1941}/{PARA}"]))
    assert barred_reinforcement(state, "lw-ram") == "", "those of 1941 don't count"
    state.theatre = replace(state.theatre, spent=frozenset([f"{GERMAN_1942}/{JU}"]))
    assert barred_reinforcement(state, "lw-ram") == "", "an air unit is no parachute unit"
    state.theatre = replace(state.theatre, spent=frozenset([f"{GERMAN_1942}/{PARA}", f"{ITALIAN}/it-185"]))
    assert "1 Para" in barred_reinforcement(state, "lw-ram") and barred_reinforcement(state, "it-185")
    ctx: Ctx[State] = Ctx(state, apply)
    bring(ctx, SIDE, ())
    told = [event.data["unit"] for event in of_kind(ctx, "told") if "unit" in event.data]
    assert "lw-ram" not in state.boxes and told == ["lw-ram"]


def test_a_player_turn_with_an_operation() -> None:
    """Announced, mustered, dropped and paid for; who did not fly goes back (ruling SO-PARTIAL)."""
    events = happened()
    assert [event.data["places"] for event in events if event.kind == "special-announced"] == [["Cyprus"]]
    assert [event.data["hex"] for event in events if event.kind == "dropped"] == [NICOSIA]
    assert sum(int(str(e.data["vp"])) for e in events if e.kind == "vp" and e.rule == "WD 27.B") == -7
    assert [event.data["units"] for event in events if event.kind == "special-over"] == [[PARA_2]]


@pytest.mark.parametrize("at", ["19/0703", "18/3301"])
def test_no_operation_is_planned_into_a_neutral_country(at: str) -> None:
    """Turkey and Greece stay out of the war, so that a plan could not be carried out (WD 3.B); the Levant may not."""
    state = autumn(PLANNED)
    made = plan(state, Order(3, PLAN, {"unit": PARA, "at": at, "turn": DUE}))
    assert [problem.code for problem in made.problems[3]] == ["neutral"]
    fit = (h for h in sorted(state.board.land) if not target_problems(state, PARA, h))
    levant = next(h for h in fit if country_of(state, h) == "Syria")
    assert not plan(state, Order(3, PLAN, {"unit": PARA, "at": state.board.name(levant), "turn": DUE})).problems


def test_programs_plan_and_cancel_lawfully() -> None:
    """What they write is taken as it is written."""
    made = [Order(n, str(row["type"]), row) for n, row in enumerate(chance_rows())]
    kept: dict[str, Tree] = {PARA: TOPIC, JU: TOPIC}
    wished = [order for order in made if order.type in (PLAN, "cancel_special")]
    assert len(wished) > 20 and {order.type for order in wished} == {PLAN, "cancel_special"}
    for order in wished:
        found = [plan(autumn(PLANNED), order, kept=one).problems for one in (kept, {})]
        assert {} in found, order


@pytest.mark.parametrize(
    "row",
    [
        {"type": "plan_special", "unit": "it-libpara", "at": "19/0725", "turn": "Mar I 41"},
        {"type": "cancel_special", "unit": "it-libpara"},
    ],
)
def test_a_scenario_without_special_operations_refuses_plans(row: dict[str, str]) -> None:
    """WD 27: Compass ends before any pool is in play; a plan in it must not seem to be kept."""
    result = Played.begun().check_orders([row])
    assert [problem.code for problem in result.problems] == ["no_plans"]
    assert [verdict.verdict for verdict in result.verdicts] == ["illegal"]


def test_who_was_lost_in_1941_may_come_again_in_1942() -> None:
    """WD 27.B.1, note; nobody else who is lost for good comes back."""
    before = start()
    before.turn = turn_number("Apr I 42")
    for uid in ("lw-1para", "it-62"):
        if uid in before.pieces:
            before.take_off(uid, "permanent")
        before.gone[uid] = "permanent"
    state = before.copy()
    entered(state, "lw-1para", "19/0325", "Apr I 42", pool=GERMAN_1942)
    state.place("it-62", state.board.find("18/4117"))
    assert [fault for fault in faults(state, before) if "is back" in fault] == ["it-62 was permanent and is back"]


def test_who_was_lost_in_1941_lies_in_the_pool_of_1942() -> None:
    """From the turn on which the order of battle brings it; in the pool of 1941 it has no business (ruling SO-LOST)."""
    glider = "air-dfs-230-special-1"
    before = autumn("Jan I 42")
    for uid in (PARA, glider):
        before.boxes.pop(uid, None)
        before.gone[uid] = "permanent"
    ctx: Ctx[State] = Ctx(before.copy(), apply)
    bring(ctx, SIDE, ())
    assert {ctx.state.boxes[uid].box for uid in (PARA, glider)} == {pool_box(GERMAN_1942)}
    assert [fault for fault in faults(ctx.state, before) if "is back" in fault] == []
    ctx.state.put_by(PARA, pool_box(GERMAN_1941))
    assert [fault for fault in faults(ctx.state, before) if "is back" in fault] == [f"{PARA} was permanent and is back"]
