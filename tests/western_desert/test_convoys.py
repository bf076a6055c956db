"""Shipping from port to port in the movement phase (WD 26.B.2, 26.C, 28.D)."""

from __future__ import annotations

from random import Random

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.engine.dice import Assume, DiceSource
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_sea import ship_rows
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import State, Supply, turn_number
from adjudicator.western_desert.template import template
from adjudicator.western_desert.world import first_state
from tests.western_desert.ground import cites, compass, kinds
from tests.western_desert.skirmish import fixed

TRIPOLI, BENGHAZI, DERNA, SYRACUSE = "18/0222", "18/3122", "18/4117", "18/0704"
ALEXANDRIA, SUEZ, VALLETTA, TOBRUK = "19/2423", "19/3725", "18/0408", "18/4818"


def afloat(side: str = "axis", turn: str = "Jul I 41", **units: str) -> State:
    state = first_state(compass())
    state.player, state.phase, state.step, state.turn = side, "movement", "movement", turn_number(turn)
    state.malta = 4
    for uid, place in units.items():
        state.place(uid.replace("_", "-"), state.board.find(place))
    return state


def ship(to: str, index: int = 0, **data: Tree) -> Order:
    return Order(index, "ship", {**data, "to": to})


def phase(state: State, *orders: Order, dice: DiceSource | None = None) -> Ctx[State]:
    ctx = Ctx(state.copy(), apply)
    drive(movement_phase(ctx, state.player, orders, (1,)), dice or Assume())
    return ctx


def where(ctx: Ctx[State], uid: str) -> str:
    return ctx.state.board.name(ctx.state.hex_of(uid))


def test_a_unit_embarks_lands_and_goes_on() -> None:
    """WD 26.B.2, 26.B.2.cost: 2 MPs, and it may move before and after; ports and limit are used."""
    state = afloat(it_62=TRIPOLI)
    move = Order(1, "move", {"unit": "it-62", "path": ["18/3222"]})
    ctx = phase(state, ship(BENGHAZI, unit="it-62"), move)
    (event,) = kinds(ctx, "shipped")
    assert (event["spent"], where(ctx, "it-62")) == ("2", "18/3222")
    assert ctx.state.used2 == {state.board.find(TRIPOLI): 4, state.board.find(BENGHAZI): 4}
    assert (ctx.state.shipped2, ctx.state.voyages) == (4, 1)
    assert position(restore(state.world, position(ctx.state))) == position(ctx.state)


def test_a_unit_captures_what_lies_in_the_port_where_it_lands() -> None:
    """WD 12.D.capture: it enters the hex like any other."""
    state = afloat(it_62=TRIPOLI)
    state.supply["supply-allied-x"] = Supply(state.board.find(BENGHAZI), "allied", 1)
    ctx = phase(state, ship(BENGHAZI, unit="it-62"))
    assert [event["counter"] for event in kinds(ctx, "captured")] == ["supply-allied-x"]
    assert "supply-allied-x" not in ctx.state.supply and not [line for line in faults(ctx.state) if " lies in " in line]


def test_supply_goes_without_points() -> None:
    state = afloat()
    state.supply["supply-axis-1"] = Supply(state.board.find(TRIPOLI), "axis", 1)
    ctx = phase(state, ship(BENGHAZI, counter="supply-axis-1"))
    assert ctx.state.supply["supply-axis-1"].hex == state.board.find(BENGHAZI)
    assert (ctx.state.smp2, ctx.state.shipped2) == (0, 4)


@pytest.mark.parametrize(
    ("units", "order", "rule"),
    [
        ({"it-62": DERNA, "it-63": DERNA}, ship(BENGHAZI, units=["it-62", "it-63"]), "WD 26.A.1"),
        ({"it-62": TRIPOLI, "it-63": TRIPOLI}, ship(BENGHAZI, units=["it-62", "it-63"]), "WD 26.B.2"),
        ({"it-62": TRIPOLI, "it-63": BENGHAZI}, ship(DERNA, units=["it-62", "it-63"]), "WD 26.B.2"),
        ({"it-62": "18/0323"}, ship(BENGHAZI, unit="it-62"), "WD 26"),
        ({"it-62": TRIPOLI}, ship(SUEZ, unit="it-62"), "WD 26.A"),
        ({"it-62": TRIPOLI}, ship("18/0323", unit="it-62"), "WD 26"),
        ({}, ship(BENGHAZI), "WD 26.B.2"),
        ({"it-62": TRIPOLI}, ship("nowhere", unit="it-62"), "WD 2.B"),
    ],
)
def test_what_bars_a_voyage(units: dict[str, str], order: Order, rule: str) -> None:
    state = afloat(**units)
    ctx = phase(state, order)
    assert cites(ctx.problems)[0] == rule and not kinds(ctx, "shipped")
    assert ctx.state.used2 == {} and ctx.state.shipped2 == 0


def test_points_that_are_gone_carry_nobody() -> None:
    """WD 26.B.2.cost, 6.A: 2 MPs, and those for leaving an enemy zone of control."""
    state = afloat(it_62=TRIPOLI)
    state.pieces["it-62"].spent2, state.pieces["it-62"].entered = 10, 1
    assert cites(phase(state, ship(BENGHAZI, unit="it-62")).problems) == ["WD 26.B.2.cost"]
    state.pieces["it-62"].spent2 = 6
    assert cites(phase(state, ship(BENGHAZI, unit="it-62")).problems) == []
    state.overlay_zoc["allied"] = {state.board.find(TRIPOLI)}
    assert cites(phase(state, ship(BENGHAZI, unit="it-62")).problems) == ["WD 26.B.2.cost"]
    state.pieces["it-62"].spent2, state.pieces["it-62"].admin = 0, True
    assert "WD 6.B.1" in cites(phase(state, ship(BENGHAZI, unit="it-62")).problems)


def test_between_sicily_and_africa_malta_watches() -> None:
    """WD 26.C: turned back, the unit has paid; sunk, it goes into the pool."""
    state = afloat(ge_5pz=TRIPOLI)
    ctx = phase(state, ship(SYRACUSE, unit="ge-5pz"), ship(BENGHAZI, 1, unit="ge-5pz"), dice=fixed(5, 5, 2))
    assert where(ctx, "ge-5pz") == TRIPOLI and ctx.state.pieces["ge-5pz"].spent2 == 4
    assert [problem.code for problem in ctx.problems] == ["turned_back"]
    assert (ctx.state.shipped2, ctx.state.voyages) == (2, 1)
    sunk = phase(state, ship(SYRACUSE, unit="ge-5pz"), dice=fixed(5, 5, 1))
    assert sunk.state.gone["ge-5pz"] == "eliminated" and "ge-5pz" not in sunk.state.pieces
    assert [line for line in faults(sunk.state) if "ge-5pz" in line] == []


def test_one_may_be_shipped_more_than_once() -> None:
    """Labels of dice are new for each voyage."""
    state = afloat(ge_5pz=SYRACUSE)
    orders = [ship(to, n, unit="ge-5pz") for n, to in enumerate((TRIPOLI, SYRACUSE, TRIPOLI))]
    ctx = phase(state, *orders, dice=fixed(2, 3, 2, 3, 2, 3))
    labels = [event["label"] for event in kinds(ctx, "malta-roll")]
    assert labels == ["malta/18.0222/ge-5pz/1", "malta/18.0704/ge-5pz/2", "malta/18.0222/ge-5pz/3"]
    assert where(ctx, "ge-5pz") == TRIPOLI and ctx.state.pieces["ge-5pz"].spent2 == 12


def test_allied_ships_run_to_malta_and_its_brigades_stay() -> None:
    """WD 28.D.ship, 28.D.brigades."""
    state = afloat("allied", br_1m=VALLETTA, br_2ch=VALLETTA)
    ctx = phase(state, ship(SUEZ, unit="br-1m"), ship(SUEZ, 1, unit="br-2ch"), dice=fixed(2))
    assert cites(ctx.problems) == ["WD 28.D.brigades"]
    assert (where(ctx, "br-1m"), where(ctx, "br-2ch")) == (VALLETTA, SUEZ)
    assert [event["result"] for event in kinds(ctx, "voyage")] == ["arrives"]


def test_ships_sail_in_the_movement_phase_alone() -> None:
    """WD 26.B.2, 28.A.3.turn."""
    state = afloat(it_62=TRIPOLI)
    state.phase = state.step = "exploitation"
    assert cites(phase(state, ship(BENGHAZI, unit="it-62")).problems) == ["WD 26.B.2"]
    assert cites(phase(afloat(turn="Dec I 40", it_62=TRIPOLI), ship(BENGHAZI, unit="it-62")).problems) == [
        "WD 28.A.3.turn"
    ]


def test_words_say_who_is_shipped_and_what_is_left() -> None:
    state = afloat(it_62=TRIPOLI)
    order = ship(BENGHAZI, unit="it-62")
    ctx = phase(state, order)
    said = sentence(ctx.state, order, ctx.events)
    assert "is shipped to" in said and said.endswith("2 MP spent")
    assert any("shipped from port to port" in line and line.endswith(": 1.") for line in situation(ctx.state, "axis"))
    assert "type: ship" in template(state, "axis", Waits("decision", "axis", "orders/movement")) and TYPES["ship"].built


def test_programs_ship_what_may_be_shipped() -> None:
    state = afloat(it_62=TRIPOLI)
    fld = Field(state, "axis")
    found = [
        row
        for seed in range(20)
        for row in ship_rows(fld, "axis", ["it-62"], [], lambda _uid, _h: True, Chance(Random(seed).random))
    ]
    assert found and all(not phase(state, Order(0, "ship", row)).problems for row in found)
    assert not ship_rows(fld, "axis", ["it-62"], [], lambda _uid, _h: False, Chance(Random(1).random))
