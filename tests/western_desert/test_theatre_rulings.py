"""Rulings about supply of newcomers, ports, voyages, withdrawals, engineers and special operations (WD 14, 26 to 33)
that no case assumes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx, Order, Roll, Tree
from adjudicator.western_desert.air.plans import checked
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.arrivals import bring, placed_since
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.divisional import divisional_problems
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.pool import replace_problems
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.sea.crossing import cross
from adjudicator.western_desert.sea.voyages import UNIT, Item
from adjudicator.western_desert.sites import FORT
from adjudicator.western_desert.state import AIR_POOL, WITHDRAWN, Boxed, Site, State, turn_number
from adjudicator.western_desert.theatre import operation
from adjudicator.western_desert.theatre.assault import FIRST, SECOND, landing_order_problems
from adjudicator.western_desert.theatre.forces import pool_box, pool_rows
from adjudicator.western_desert.theatre.plans import CANCEL, CARRY_OUT, PLAN, topics_of
from adjudicator.western_desert.theatre.special import GERMAN_1942, SIDE
from adjudicator.western_desert.theatre.tripolitania import BOX as GARRISON_BOX
from adjudicator.western_desert.works import plan_work
from tests.western_desert.ground import cites, kinds, start
from tests.western_desert.operations import (
    DUE,
    JU,
    JU_2,
    NICOSIA,
    PARA,
    PARA_2,
    PLANNED,
    RHODES,
    TOPIC,
    autumn,
    landing,
    world,
)
from tests.western_desert.skirmish import ALLIED, unit
from tests.western_desert.test_arrivals import began, comes, goes, order, phase, where
from tests.western_desert.test_sea import at
from tests.western_desert.test_special_landing import held
from tests.western_desert.test_special_play import CATANIA, entered, plan, proofs
from tests.western_desert.test_works import T, engineer, place, work

TRIPOLI, BENGHAZI, DERNA, VALLETTA, CAIRO = "18/0222", "18/3122", "18/4117", "18/0408", "19/3127"

# --- supply of those who come in (WD 29.A.supply) ----------------------------------------------------------------


def test_reinforcements_are_in_supply_where_others_are_not() -> None:
    """Ruling NEW-UNITS-SUPPLY: on Malta, which has no terminal."""
    ctx = phase(began(comes("br-1m", "malta"), units={"br-16": VALLETTA}))
    assert where(ctx, "br-1m") and ctx.state.pieces["br-1m"].gs
    assert not ctx.state.pieces["br-16"].gs


def test_replaced_units_are_in_supply_and_the_garrison_of_tripolitania_traces() -> None:
    """Ruling NEW-UNITS-SUPPLY: Tripoli is lost, and no line leads to it."""
    state = began(side="axis", turn="Feb I 41", units={"it-63": BENGHAZI, "br-16": TRIPOLI})
    state.control[state.board.find(TRIPOLI)] = "allied"
    state.boxes["it-libg"] = Boxed(GARRISON_BOX)
    state.boxes["it-17"] = Boxed("fifth_army")
    state.gone["it-62"], state.points["italian_non_armor"] = "eliminated", 24
    ctx = phase(state, order("replace", unit="it-62", at=BENGHAZI), order("tripolitania", 1))
    assert not ctx.problems and {"it-62", "it-63", "it-libg"} <= ctx.state.pieces.keys()
    assert [uid for uid in ("it-62", "it-63", "it-libg") if ctx.state.pieces[uid].gs] == ["it-62"]


def test_the_fifth_army_is_not_among_those_who_are_in_supply_on_entry() -> None:
    """Ruling NEW-UNITS-SUPPLY: it stands on a terminal, and is traced to it."""
    state = began(side="axis", turn="Dec II 40")
    state.boxes["it-17"] = Boxed("fifth_army")
    ctx = phase(state)
    assert where(ctx, "it-17") == TRIPOLI and placed_since(ctx, 0) == set()


# --- ports (WD 14.A.demolish) ------------------------------------------------------------------------------------


def at_derna(player: str, step: str) -> State:
    """Motorized engineers, and the headquarters of a division, in the port of Derna."""
    state = start()
    fast = replace(state.world.units["br-const1"], motorized=True)
    state.world = replace(
        state.world, units={**state.world.units, fast.id: fast}, switches={"options": "33.D"}, cache={}
    )
    for uid in ("br-const1", "in-4-hq"):
        state.shift(uid, state.board.find(DERNA))
    state.turn, state.player, state.phase, state.step = turn_number("Mar I 41"), player, step, step
    return state


@pytest.mark.parametrize("step", ["movement", "exploitation"])
def test_a_port_is_demolished_in_own_phases_only(step: str) -> None:
    """Ruling PORT-OWN-DEMO: not by engineers whose side is not phasing, and not by those of a division."""
    demolish = Order(0, "div_engineers", {"unit": "in-4-hq", "what": "demolish_port"})
    own, other = at_derna("allied", step), at_derna("axis", step)
    assert port_row(own, own.board.find(DERNA))
    for state, codes in ((own, ([], [])), (other, (["not_phasing", "no_points"], ["not_phasing"]))):
        engineers = plan_work(state, ALLIED, work("demolish_port", "br-const1"))
        assert [problem.code for problem in engineers.problems] == codes[0]
        assert bool(engineers.payers) is (state is own)
        assert [problem.code for problem in divisional_problems(state, ALLIED, demolish)] == codes[1]


# --- voyages over both maps (WD 26.C, 26.D) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "to", "statuses"),
    [
        ("", "Tripoli", ["6"]),
        ("", "Bardia", ["12"]),
        ("Catania", "Bardia", ["12"]),
        ("Tripoli", "Bardia", ["12"]),
        ("Haifa", "Tripoli", ["12"]),
        ("Tripoli", "Benghazi", []),
    ],
)
def test_a_voyage_over_both_maps_is_rolled_for_once(origin: str, to: str, statuses: list[str]) -> None:
    """Ruling TWO-MAPS: with the status of map 19 where an end lies there, of Malta else; in Africa not at all."""
    state = start()
    state.turn, state.player, state.malta = turn_number("Jul I 41"), "axis", 6
    state.control.update({at(state, "Larnaca"): "axis", at(state, "Alexandria"): "axis"})
    rolled: list[Roll] = []

    def safe(seq: int, roll: Roll) -> tuple[int, ...]:
        rolled.append(roll)
        return (3, 3) if roll.count == 2 else (6,)

    ctx: Ctx[State] = Ctx(state, apply)
    ends = at(state, origin) if origin else None, at(state, to)
    drive(cross(ctx, "axis", Item(UNIT, "it-62", 4), *ends), safe)
    assert [event["status"] for event in kinds(ctx, "malta-roll")] == statuses
    assert sum(roll.kind == "malta" for roll in rolled) == len(statuses)


# --- withdrawals (WD 29.C.missing) -------------------------------------------------------------------------------

SIXTH = ("au-6-hq", "au-16", "au-17", "au-19")


def with_division(cadre: bool) -> State:
    """The 6th Australian Division in Cairo, whole or as a cadre; one of its brigades is to be withdrawn."""
    state = began(goes("au-16"))
    state.place("au-6-xx", state.board.find(CAIRO), cadre=cadre)
    for uid in SIXTH:
        state.boxes[uid] = Boxed("assembled", "au-6-xx")
    return state


def test_who_is_withdrawn_comes_out_of_a_whole_division_and_not_out_of_a_cadre() -> None:
    """Ruling WITHDRAW-CADRE: the division breaks down for its brigade; a cadre stays as it is and does not serve."""
    whole = phase(with_division(cadre=False))
    assert whole.state.boxes["au-16"] == Boxed("withdrawn") and whole.state.boxes["au-6-xx"] == Boxed("breakdown")
    assert whole.state.units_at(whole.state.board.find(CAIRO)) == ["au-17", "au-19", "au-6-hq"]
    for orders in ([], [order("withdraw", what="au-16")], [order("withdraw", what="au-16", offer="au-17")]):
        ctx = phase(with_division(cadre=True), *orders)
        assert cites(ctx.problems) == ["WD 29.C"] * len(orders)
        assert [event["what"] for event in kinds(ctx, "told")] == ["withdrawal"]
        assert ctx.state.pieces["au-6-xx"].cadre and ctx.state.parts_of("au-6-xx") == sorted(SIXTH)


def test_a_cadre_is_not_withdrawn_for_a_division() -> None:
    """Ruling WITHDRAW-CADRE."""
    state = began(goes("au-6-xx"))
    state.place("au-6-xx", state.board.find(CAIRO), cadre=True)
    ctx = phase(state)
    assert "au-6-xx" in ctx.state.pieces and not kinds(ctx, "withdrawn")


# --- divisional engineers (WD 33.D) ------------------------------------------------------------------------------


def divisions(terrain: str = "clear", features: tuple[str, ...] = ()) -> State:
    """Two divisions in a hex, in a game with option 33.D."""
    return place(
        unit("xx", ALLIED, size="division", re2=4),
        unit("other", ALLIED, size="division", re2=4),
        terrain=terrain,
        features=features,
        options="33.D",
    )


def task(state: State, what: str, uid: str = "xx") -> list[str]:
    wanted = Order(0, "div_engineers", {"unit": uid, "what": what})
    return [problem.code for problem in divisional_problems(state, ALLIED, wanted)]


@pytest.mark.parametrize("what", ["start_fort", "start_airfield"])
def test_divisional_engineers_work_under_the_conditions_of_engineers(what: str) -> None:
    """Ruling DIV-ENG-SUPPLY: in general supply, on ground that engineers build on."""
    state = divisions()
    assert task(state, what) == []
    state.pieces["xx"].gs = False
    assert task(state, what) == ["supply"]
    assert task(divisions("mountain"), what) == ["terrain"]


@pytest.mark.parametrize(("switch", "codes"), [("false", []), ("true", ["supply"])])
def test_divisional_engineers_repair_out_of_supply_where_engineers_do(switch: str, codes: list[str]) -> None:
    """Ruling DIV-ENG-SUPPLY, with the switch of ENG-SUPPLY: what it asks of engineers it asks of a division."""
    state = divisions(features=("airfield",))
    state.world.switches = {"options": "33.D", "repair_needs_supply": switch}
    state.base_hits[T], state.pieces["xx"].gs = 1, False
    build.put(state, engineer("cons"), T)
    state.pieces["cons"].gs = False
    assert task(state, "repair_airbase") == codes
    assert [p.code for p in plan_work(state, ALLIED, work("repair", what="airbase")).problems] == codes


def test_any_division_in_the_hex_may_finish_what_another_began() -> None:
    """Ruling DIV-ENG-SUPPLY: the one that began it may be gone."""
    state = divisions()
    assert task(state, "finish_fort") == ["not_begun"]
    state.sites[(T, FORT)] = Site(ALLIED, state.turn - 1, "")
    state.take_off("xx", "eliminated")
    assert task(state, "finish_fort", "other") == []
    state.pieces["other"].gs = False
    assert task(state, "finish_fort", "other") == ["supply"]


# --- special operations (WD 27) ----------------------------------------------------------------------------------


def test_who_is_eliminated_in_a_special_operation_is_out_of_play() -> None:
    """Ruling SO-LOST: on land and in the air; the same unit outside of an operation goes into its pool."""
    state = autumn()
    entered(state, PARA, CATANIA, DUE)
    entered(state, JU, CATANIA, DUE)
    state.place(PARA_2, state.board.find(CATANIA))
    for uid in (PARA, PARA_2):
        remove(Ctx(state, apply), uid, "WD 9.C", ())
    state.lose_air(JU)
    assert (state.gone[PARA], state.gone[PARA_2]) == ("permanent", "eliminated")
    assert state.boxes[JU].box == WITHDRAWN != AIR_POOL
    assert [problem.code for problem in replace_problems(state, SIDE, PARA, None)] == ["pool_only"]


def test_who_was_withdrawn_in_1941_belongs_to_the_forces_of_1942_if_he_is_of_them() -> None:
    """Ruling SO-LOST."""
    state = autumn("Nov II 41")
    for uid in (PARA, PARA_2):
        entered(state, uid, CATANIA, DUE)
    operation.leave(Ctx(state, apply), SIDE, ())
    assert {state.boxes[uid].box for uid in (PARA, PARA_2)} == {WITHDRAWN}
    state.turn = turn_number("Jan I 42")
    bring(Ctx(state, apply), SIDE, ())
    assert [GERMAN_1942 in pool_rows(state.world)[uid] for uid in (PARA, PARA_2)] == [True, False]
    assert state.boxes[PARA].box == pool_box(GERMAN_1942) and state.boxes[PARA_2].box == WITHDRAWN


def test_a_plan_that_is_due_is_carried_out_and_lies_open_with_the_message_that_does_it() -> None:
    """Ruling SO-OPEN: left alone it is carried out, and every book since then is opened at it; cancelled it is not."""
    made = plan(autumn(), kept={PARA: TOPIC})
    assert [(one.type, one.data) for one in made.orders] == [(CARRY_OUT, {"units": [PARA]})]
    assert list(made.proofs) == proofs() and {proof.rules == TOPIC for proof in made.proofs} == {True}
    assert PARA not in (made.contents or {})
    early = plan(autumn("Aug II 41"), kept={PARA: TOPIC})
    assert early.orders == () and early.proofs == () and early.contents == {PARA: TOPIC}
    stopped = plan(autumn(), Order(0, CANCEL, {"units": [PARA]}), kept={PARA: TOPIC})
    assert stopped.orders == () and stopped.proofs == () and not stopped.problems


def test_an_announcement_names_the_island() -> None:
    """Ruling SO-OPEN."""
    ctx: Ctx[State] = Ctx(autumn(), apply)
    operation.announce(ctx, SIDE, [Order(0, CARRY_OUT, {"units": [PARA]})], proofs(), (40,))
    (event,) = ctx.events
    assert (event.kind, event.data["places"]) == ("special-announced", ["Cyprus"])


def mustered() -> State:
    """A regiment and its transports on Rhodes, in the air phase of their turn of entry, planned for Nicosia."""
    state = autumn()
    target = state.board.find(NICOSIA)
    for uid in (PARA, JU, JU_2):
        entered(state, uid, RHODES, DUE, used=False)
    bound = tuple(replace(one, hex=target) for one in state.theatre.operations)
    state.theatre = replace(state.theatre, operations=bound)
    state.place(PARA_2, state.board.find(RHODES))
    state.phase = state.step = "air"
    return state


@pytest.mark.parametrize(
    ("kind", "data", "codes"),
    [
        ("air_drop", {"air": [JU, JU_2], "cargo": [PARA], "hex": NICOSIA}, []),
        ("air_drop", {"air": [JU, JU_2], "cargo": [PARA], "hex": "19/3303"}, ["planned_hex"]),
        ("air_drop", {"air": [JU, JU_2], "cargo": [PARA_2], "hex": NICOSIA}, ["unplanned"]),
        ("air_transport", {"air": [JU, JU_2], "cargo": [PARA_2], "hex": "CRETE"}, ["planned_hex"]),
        ("transfer", {"air": [JU], "hex": "CRETE"}, ["planned_hex"]),
    ],
)
def test_who_enters_with_an_operation_goes_to_its_hex_and_nowhere_else(
    kind: str, data: dict[str, Tree], codes: list[str]
) -> None:
    """Ruling SO-DROP: neither the unit nor what carries it; and nobody drops without a plan."""
    state = mustered()
    base = next(h for h in sorted(state.board.land) if state.board.in_region(h, "Crete"))
    state.airfields[base] = SIDE
    said: dict[str, Tree] = {**data, "hex": state.board.name(base) if data["hex"] == "CRETE" else data["hex"]}
    ((_order, problems, _plans),) = checked(state, SIDE, [Order(0, kind, said)])
    assert list(dict.fromkeys(problem.code for problem in problems)) == codes


def test_transports_of_an_operation_are_not_sent_to_europe_on_their_turn_of_entry() -> None:
    """Ruling SO-DROP, with option 33.F."""
    state = mustered()
    state.world = replace(state.world, switches={"options": "33.F"}, cache={})
    ((_order, problems, _plans),) = checked(state, SIDE, [Order(0, "stage", {"air": [JU]})])
    assert [problem.code for problem in problems] == ["planned_hex"]
    state.turn += 1
    ((_order, problems, _plans),) = checked(state, SIDE, [Order(0, "stage", {"air": [JU]})])
    assert problems == []


def test_who_waits_for_his_operation_does_not_march() -> None:
    """Ruling SO-DROP."""
    state = mustered()
    state.phase = state.step = "movement"
    assert [problem.code for problem in may_move(state, SIDE, PARA)] == ["operation"]
    assert may_move(state, SIDE, PARA_2) == []


def test_each_unit_and_air_unit_has_a_plan_of_its_own() -> None:
    """Ruling SO-STEPS: one order writes a topic for each, and each is cancelled and carried out by itself."""
    wish = Order(0, PLAN, {"units": [PARA, PARA_2], "air": [JU], "at": NICOSIA, "turn": DUE})
    written = dict(plan(autumn(PLANNED), wish).contents or {})
    assert written == dict.fromkeys((PARA, PARA_2, JU), TOPIC)
    left = plan(autumn("Jul I 41"), Order(0, CANCEL, {"units": [PARA_2]}), kept=written)
    assert left.contents == {PARA: TOPIC, JU: TOPIC}
    (carried,) = plan(autumn(), kept={PARA: TOPIC, JU: TOPIC}).orders
    assert carried.data == {"units": [PARA], "air": [JU]}


def test_steps_of_supply_have_no_plan_and_come_with_the_second_wave() -> None:
    """Ruling SO-STEPS."""
    counters = {*world().units, *world().air}
    assert topics_of(world()) and set(topics_of(world())) <= counters
    assert any(row.get("steps") and row.get("kind") == "special" for row in world().events)
    assert "steps" in TYPES[SECOND].fields and "steps" not in TYPES[FIRST].fields
    state = held(landing("exploitation"))
    assert landing_order_problems(state, SIDE, Order(0, SECOND, {"steps": "2"})) == []
    early = landing_order_problems(held(landing()), SIDE, Order(0, SECOND, {"steps": "2"}))
    assert [problem.code for problem in early] == ["moment"]
