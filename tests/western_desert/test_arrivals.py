"""What the order of battle brings by land (WD 29, 26.A): arrivals, withdrawals, returns, conversions, the pool."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ask, Ctx, Event, Order, Tree
from adjudicator.engine.dice import Assume, DiceSource, Scripted
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_arrivals import arrival_rows, lawful
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.orderbook import area_hexes
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.stacking import stack_problems
from adjudicator.western_desert.state import Boxed, State, Supply, turn_number
from adjudicator.western_desert.template_arrivals import initial_hints
from adjudicator.western_desert.world import first_state
from tests.western_desert.ground import cites, compass, kinds
from tests.western_desert.skirmish import fixed

Entry = Mapping[str, Any]
SUEZ, PORT_SAID, ISMAILIA, CAIRO = "19/3725", "19/3420", "19/3523", "19/3127"
VALLETTA = "18/0408"


def began(
    *entries: Entry, side: str = "allied", turn: str = "Mar I 41", units: Mapping[str, str] | None = None
) -> State:
    """The initial phase of a turn, with an order of battle and units of its own."""
    state = first_state(replace(compass(), events=tuple({"side": side, "turn": turn, **row} for row in entries)))
    state.player, state.phase, state.step, state.turn = side, "initial", "initial", turn_number(turn)
    for uid, where in (units or {}).items():
        state.place(uid, state.board.find(where))
    return state


def phase(state: State, *orders: Order, dice: DiceSource | None = None) -> Ctx[State]:
    ctx = Ctx(state.copy(), apply)

    def reply(ask: Ask[Any]) -> Answer[Any]:
        said = ask.find(orders)
        return Answer(ask.default() if said is None else said, "order")

    drive(initial_phase(ctx, state.player, orders, (1,)), dice or Assume(), reply)
    return ctx


def order(kind: str, index: int = 0, **data: Tree) -> Order:
    return Order(index, kind, data)


def comes(unit: str, area: str = "egypt", **more: str) -> Entry:
    return {"id": f"r-{unit}", "kind": "reinforce", "unit": unit, "area": area, **more}


def where(ctx: Ctx[State], uid: str) -> str:
    return ctx.state.board.name(ctx.state.hex_of(uid)) if uid in ctx.state.pieces else ""


# --- arrivals ---------------------------------------------------------------------------------------------------


def test_what_nobody_places_comes_in_by_itself_and_is_in_supply() -> None:
    """WD 29.A, 29.A.supply."""
    ctx = phase(began(comes("au-18", "palestine"), comes("br-1-arm-a")))
    assert where(ctx, "br-1-arm-a") in (SUEZ, PORT_SAID, ISMAILIA)
    assert where(ctx, "au-18") in ("19/4312", "19/4315", "19/4317", "19/4514", "19/4518", "19/4615", "19/4616")
    assert all(ctx.state.pieces[uid].gs for uid in ("au-18", "br-1-arm-a"))
    assert [event["choice"] for event in kinds(ctx, "landed")] == ["default", "default"]


@pytest.mark.parametrize("taken", [0, 2])
def test_what_arrives_captures_the_supply_that_lies_there(taken: int) -> None:
    """WD 12.D.capture: a unit enters the hex where it lands, like one that walks."""
    state = began(comes("in-11"))
    state.supply["supply-axis-x"] = Supply(state.board.find(SUEZ), "axis", 2)
    ctx = phase(state, order("reinforce", unit="in-11", at=SUEZ), dice=fixed(*[6 if taken else 1] * 2))
    (event,) = kinds(ctx, "captured")
    assert (event["unit"], event["captured"], event["eliminated"]) == ("in-11", str(taken), str(2 - taken))
    assert "supply-axis-x" not in ctx.state.supply
    assert sum(counter.steps for counter in ctx.state.supply.values() if counter.side == "allied") == taken


def test_the_owner_places_it_or_keeps_it_waiting() -> None:
    """WD 29.A: for any number of turns."""
    state = began(comes("br-1-arm-a"), comes("br-3-arm-a"))
    ctx = phase(
        state, order("reinforce", unit="br-1-arm-a", at=SUEZ), order("reinforce", 1, unit="br-3-arm-a", delay="yes")
    )
    assert not ctx.problems
    assert where(ctx, "br-1-arm-a") == SUEZ
    assert ctx.state.boxes == {"br-3-arm-a": Boxed("egypt")}
    later = ctx.state
    later.turn = turn_number("Mar II 41")
    assert where(phase(later), "br-3-arm-a")


@pytest.mark.parametrize(
    ("entry", "at", "rule"),
    [
        (comes("br-1-arm-a"), CAIRO, "WD 29.A.1.egypt"),
        (comes("au-18", "palestine"), SUEZ, "WD 29.A.1.cities"),
        (comes("br-1m", "malta"), SUEZ, "WD 29.A.1.malta"),
        (comes("in-10", "east_edge"), SUEZ, "WD 29.A.1.edges"),
    ],
)
def test_places_are_those_of_the_area(entry: Entry, at: str, rule: str) -> None:
    ctx = phase(began(entry), order("reinforce", unit=entry["unit"], at=at))
    assert cites(ctx.problems) == [rule]


def test_the_east_edge_is_entered_where_it_is_held_and_the_south_edge_anywhere() -> None:
    """WD 29.A.1.edges."""
    state = began(comes("in-10", "east_edge"), comes("in-5", "south_edge"))
    east = next(h for h in area_hexes(state, "east_edge") if state.owner(h) == "allied")
    south = next(h for h in area_hexes(state, "south_edge") if state.owner(h) == "axis")
    both = [
        order("reinforce", n, unit=uid, at=state.board.name(h))
        for n, (uid, h) in enumerate((("in-10", east), ("in-5", south)))
    ]
    ctx = phase(state, *both)
    assert not ctx.problems and (ctx.state.hex_of("in-10"), ctx.state.hex_of("in-5")) == (east, south)
    state.control[east] = "axis"
    assert cites(phase(state, *both).problems) == ["WD 29.A.1.edges"]


def test_who_comes_by_sea_takes_room_in_the_port_and_nothing_else() -> None:
    """WD 26.B.1, 29.A.naval: no MPs, nothing of what a side may ship on the map; it may act in this player turn."""
    ctx = phase(began(comes("br-1-arm-a")), order("reinforce", unit="br-1-arm-a", at=SUEZ))
    state, piece = ctx.state, ctx.state.pieces["br-1-arm-a"]
    assert state.used2 == {state.board.find(SUEZ): 2}
    assert (state.shipped2, state.voyages, piece.spent2, piece.entered) == (0, 0, 0, 0)
    state.phase = state.step = "movement"
    assert may_move(state, "allied", "br-1-arm-a") == [] and "br-1-arm-a" not in state.still


def test_what_is_not_due_does_not_come() -> None:
    """WD 29."""
    ctx = phase(began(), order("reinforce", unit="br-1-arm-a", at=SUEZ))
    assert cites(ctx.problems) == ["WD 29"]


def test_ports_take_no_more_than_their_capacity_and_their_hits_count() -> None:
    units = ("br-1-arm-a", "br-3-arm-a", "br-2-sg", "nz-5", "nz-6")
    state = began(*(comes(uid) for uid in units))
    ctx = phase(state, order("reinforce", units=[*units], at=PORT_SAID))
    assert "WD 26.A.1" in cites(ctx.problems)
    ctx = phase(
        state, order("reinforce", units=[*units[:4]], at=PORT_SAID), order("reinforce", 1, unit=units[4], at=SUEZ)
    )
    assert not ctx.problems
    assert ctx.state.used2[ctx.state.board.find(PORT_SAID)] == 8
    state.port_hits[state.board.find(PORT_SAID)] = 1
    assert "WD 26.A.1" in cites(phase(state, order("reinforce", units=[*units[:4]], at=PORT_SAID)).problems)


def test_stacks_hold_at_the_end_of_the_phase() -> None:
    full = ("br-16", "br-14", "br-22", "in-5", "in-7", "in-11")
    state = began(comes("br-1-arm-a"), units=dict.fromkeys(full, SUEZ))
    assert cites(phase(state, order("reinforce", unit="br-1-arm-a", at=SUEZ)).problems) == ["WD 8.A"]
    assert where(phase(state), "br-1-arm-a") not in ("", SUEZ)


def test_a_port_that_is_not_held_takes_nothing() -> None:
    state = began(comes("br-1-arm-a"))
    state.taken[state.board.find(SUEZ)] = "axis"
    assert cites(phase(state, order("reinforce", unit="br-1-arm-a", at=SUEZ)).problems) == ["WD 26.A"]


def test_supply_lands_in_the_ports_of_egypt() -> None:
    """WD 29.A.1.egypt."""
    ctx = phase(began({"kind": "supply", "steps": "2", "area": "egypt"}))
    (landed,) = kinds(ctx, "supply-landed")
    counter = ctx.state.supply["supply-allied-arrived-1"]
    assert (landed["re"], counter.steps, counter.side) == ("4", 2, "allied")
    state = began({"kind": "supply", "steps": "2", "area": "egypt"})
    named = order("reinforce", counter="supply-allied-arrived-1", at=SUEZ)
    assert phase(state, named).state.supply["supply-allied-arrived-1"].hex == state.board.find(SUEZ)


def test_air_units_come_to_a_base_with_their_points() -> None:
    entries = (
        comes("air-hurri-1-4", "egypt"),
        {"id": "a1", "kind": "replacement", "nat": "any", "rp": "air", "points": "1"},
    )
    ctx = phase(began(*entries))
    assert ctx.state.board.in_region(ctx.state.air["air-hurri-1-4"].hex, "Delta")
    assert ctx.state.points == {"any_air": 8}


# --- withdrawals ------------------------------------------------------------------------------------------------


def goes(unit: str, to: str = "out", **more: str) -> Entry:
    return {"id": f"w-{unit}", "kind": "withdraw", "unit": unit, "to": to, **more}


def test_the_unit_itself_goes_or_who_is_offered_in_its_place() -> None:
    """WD 29.C; not of another nation (WD 28.B.1)."""
    state = began(goes("in-11"), units={"in-11": CAIRO, "in-7": CAIRO, "br-16": CAIRO, "in-5": CAIRO})
    assert phase(state).state.boxes["in-11"] == Boxed("withdrawn")
    ctx = phase(state, order("withdraw", what="in-11", offer="in-7"))
    assert ctx.state.boxes == {"in-7": Boxed("withdrawn", "in-11")}
    for other in ("br-16", "in-5", "in-10"):
        assert cites(phase(state, order("withdraw", what="in-11", offer=other)).problems) == ["WD 29.C"]


@pytest.mark.parametrize("to", ["out", "greece"])
def test_a_brigade_of_malta_goes_for_no_other_one(to: str) -> None:
    """It remains on Malta, by default and by order (WD 28.D.brigades); in the pool it is like any other."""
    row = goes("br-16", to)
    ctx = phase(began(row, units={"br-1m": VALLETTA}))
    assert "br-1m" in ctx.state.pieces and not kinds(ctx, "withdrawn")
    state = began(row, units={"br-1m": VALLETTA, "br-14": CAIRO})
    assert phase(state).state.boxes["br-14"] == Boxed("withdrawn" if to == "out" else "greece", "br-16")
    assert cites(phase(state, order("withdraw", what="br-16", offer="br-1m")).problems) == ["WD 28.D.brigades"]
    state = began(row)
    state.gone["br-1m"] = "eliminated"
    assert "br-1m" in phase(state).state.boxes


def test_to_greece_goes_whatever_nation() -> None:
    """WD 29.C.1."""
    state = began(goes("nz-6", "greece"), units={"nz-6": CAIRO, "au-16": CAIRO})
    assert phase(state, order("withdraw", what="nz-6", offer="au-16")).state.boxes["au-16"] == Boxed("greece", "nz-6")


def test_a_component_goes_out_of_its_division_which_breaks_down() -> None:
    state = began(goes("au-16"), units={"au-6-xx": CAIRO})
    for uid in ("au-6-hq", "au-16", "au-17", "au-19"):
        state.boxes[uid] = Boxed("assembled", "au-6-xx")
    ctx = phase(state)
    assert ctx.state.boxes == {"au-16": Boxed("withdrawn"), "au-6-xx": Boxed("breakdown")}
    assert ctx.state.units_at(state.board.find(CAIRO)) == ["au-17", "au-19", "au-6-hq"]


def test_one_of_the_pool_costs_points_of_both_kinds() -> None:
    state = began(goes("br-1-arm-a"))
    state.gone["br-1-arm-a"] = "eliminated"
    state.points["british_armor"] = 4
    ctx = phase(state)
    assert [e.data["vp"] for e in ctx.events if e.kind == "vp" and e.rule == "WD 29.C.missing"] == ["-2"]
    assert ctx.state.points == {} and ctx.state.owed == {"british_armor": 4}
    ctx.state.world = replace(
        ctx.state.world,
        events=(
            {
                "kind": "replacement",
                "nat": "british",
                "rp": "armor",
                "points": "1",
                "side": "allied",
                "turn": "Mar II 41",
            },
        ),
    )
    ctx.state.turn = turn_number("Mar II 41")
    later = phase(ctx.state).state
    assert later.owed == {} and later.points == {"british_armor": 4}


def test_nobody_there_is_told() -> None:
    assert "no unit of its kind" in str(kinds(phase(began(goes("in-5"))), "told")[0]["why"])


def test_supply_goes_from_where_its_owner_says() -> None:
    entry = {"id": "s", "kind": "supply_withdraw", "steps": "2", "to": "greece"}
    state = began(entry, {"kind": "supply", "turn": "Feb II 41", "steps": "2", "area": "egypt"})
    for n, at in enumerate((SUEZ, CAIRO), 1):
        apply(state, _deployed(f"supply-allied-{n}", at))
    ctx = phase(state, order("withdraw", counters=["supply-allied-2"]))
    assert {sid: counter.steps for sid, counter in ctx.state.supply.items()} == {"supply-allied-1": 2}


def _deployed(sid: str, at: str) -> Any:
    return Event("deploy-supply", "WD 30", {"counter": sid, "side": "allied", "hex": at, "steps": "2"})


# --- returns ----------------------------------------------------------------------------------------------------


def test_who_went_comes_back_also_in_the_place_of_another() -> None:
    state = began({"id": "b", "kind": "return", "unit": "in-5", "area": "egypt"}, turn="Apr II 41")
    state.boxes["in-7"] = Boxed("withdrawn", "in-5")
    assert where(phase(state), "in-7") in (SUEZ, PORT_SAID, ISMAILIA)


def test_greece_takes_heavy_equipment_and_rolls_for_the_others() -> None:
    """WD 29.C.1.return, 29.C.1.placing, chart.greece."""
    rows = [{"id": u, "kind": "return", "unit": u, "area": "greece_table"} for u in ("br-m-art", "nz-4", "nz-5")]
    state = began(*rows, turn="Jun I 41")
    for uid in ("br-m-art", "nz-4", "nz-5"):
        state.boxes[uid] = Boxed("greece")
    ctx = phase(state, dice=Scripted({"greece_ground": [4, 5]}))
    assert ctx.state.gone == {"br-m-art": "eliminated", "nz-4": "eliminated"}
    assert where(ctx, "nz-5") and ctx.state.still == {"br-m-art", "nz-4", "nz-5"}
    ctx.state.points["new_zealand_non_armor"] = 8
    assert "WD 29.C.1.placing" in cites(phase(_later(ctx.state), order("replace", unit="nz-4")).problems)


def _later(state: State) -> State:
    """The same phase once more, without an order of battle."""
    state.world = replace(state.world, events=())
    return state


# --- the pool ---------------------------------------------------------------------------------------------------


def test_a_division_goes_into_the_pool_in_its_components() -> None:
    """WD 29.B.pool."""
    state = began(units={"au-6-xx": CAIRO})
    parts = ("au-6-hq", "au-16", "au-17", "au-19")
    for uid in parts:
        state.boxes[uid] = Boxed("assembled", "au-6-xx")
    ctx = Ctx(state, apply)
    remove(ctx, "au-6-xx", "WD 9.C", ())
    assert state.gone == dict.fromkeys(parts, "eliminated")
    assert state.boxes == {"au-6-xx": Boxed("breakdown")}


def test_units_that_nothing_replaces_are_gone_for_good() -> None:
    """WD 29.B.pool."""
    state = began(units={"it-1cn": CAIRO}, side="axis", turn="Jan I 41")
    remove(Ctx(state, apply), "it-1cn", "WD 9.C", ())
    assert state.gone == {"it-1cn": "permanent"}


def pooled(*units: str, side: str = "allied", **points: int) -> State:
    state = began(side=side)
    state.gone = dict.fromkeys(units, "eliminated")
    state.points = dict(points)
    return state


def test_points_bring_units_of_their_nation_and_kind_back() -> None:
    state = pooled("in-5", "br-1-arm-a", indian_non_armor=8)
    ctx = phase(state, order("replace", unit="in-5", at=CAIRO), order("replace", 1, unit="br-1-arm-a", at=CAIRO))
    assert where(ctx, "in-5") == CAIRO and ctx.state.points == {}
    assert cites(ctx.problems) == ["WD 29.B.cost"]
    assert ctx.state.pieces["in-5"].gs


def test_an_italian_division_costs_three_points_and_appears_in_tripoli_or_benghazi() -> None:
    state = pooled("it-62", side="axis", italian_non_armor=24)
    assert cites(phase(state, order("replace", unit="it-62", at="18/4818")).problems) == ["WD 29.B.1"]
    ctx = phase(state, order("replace", unit="it-62"))
    assert where(ctx, "it-62") in ("18/0222", "18/3122") and ctx.state.points == {}


def test_free_french_come_back_in_palestine_or_the_levant() -> None:
    """WD 29.B.3; all other Allied units in the Delta or Palestine (WD 29.B.2)."""
    state = pooled("ff-1", "in-5", free_french_non_armor=8, indian_non_armor=8)
    assert cites(phase(state, order("replace", unit="ff-1", at=CAIRO)).problems) == ["WD 29.B.3"]
    haifa = "19/4312"
    ctx = phase(state, order("replace", unit="ff-1", at=haifa), order("replace", 1, unit="in-5", at=haifa))
    assert not ctx.problems and {where(ctx, "ff-1"), where(ctx, "in-5")} == {haifa}
    assert cites(phase(state, order("replace", unit="in-5", at="19/1225")).problems) == ["WD 29.B.2"]


def test_scrapping_brings_half_a_point_or_a_quarter() -> None:
    """WD 29.B.scrap."""
    ctx = phase(pooled("it-62", "it-63", side="axis"), order("scrap", units=["it-62", "it-63"]))
    assert ctx.state.points == {"italian_non_armor": 8}
    assert set(ctx.state.gone.values()) == {"scrapped"}
    ctx = phase(pooled("in-5"), order("scrap", units=["in-5"]))
    assert ctx.state.points == {"indian_non_armor": 4}


def test_a_cadre_is_rebuilt_in_supply_and_away_from_the_enemy() -> None:
    state = began()
    state.place("in-4-xx", state.board.find(CAIRO), cadre=True)
    state.points = {"indian_non_armor": 16}
    ctx = phase(state, order("rebuild", unit="in-4-xx"))
    assert not ctx.state.pieces["in-4-xx"].cadre and ctx.state.points == {}
    state.place("it-62", state.board.open_neighbours(state.board.find(CAIRO))[0])
    assert cites(phase(state, order("rebuild", unit="in-4-xx")).problems) == ["WD 29.B.cadre"]


def test_a_cadre_is_not_rebuilt_where_a_division_more_may_not_stack() -> None:
    """A cadre counts as no division, so three may stand beside it until then (WD 3.A.2, 8.B)."""
    state = began(side="axis", units=dict.fromkeys(("it-62", "it-63", "it-64"), "18/0222"))
    state.place("it-17", state.board.find("18/0222"), cadre=True)
    state.points = {"italian_non_armor": 80}
    ctx = phase(state, order("rebuild", unit="it-17"))
    assert cites(ctx.problems) == ["WD 8.A"] and ctx.state.pieces["it-17"].cadre
    assert ctx.state.points == state.points


def test_a_regiment_does_not_become_a_fourth_division() -> None:
    """The 136th Regiment becomes a division on Jun I 42 (WD 29.D, 8.B): it waits until there is room."""
    row = {"id": "c", "kind": "convert", "from": ["it-136r"], "to": ["it-136"]}
    there = dict.fromkeys(("it-62", "it-63", "it-64", "it-136r"), "18/0222")
    state = began(row, side="axis", turn="Jun I 42", units=there)
    assert "it-136r" in phase(state).state.pieces
    state.take_off("it-64", "eliminated")
    assert "it-136" in phase(state).state.pieces


def test_shipped_points_are_at_hand_in_egypt() -> None:
    """WD 29.B.ship."""
    row = {"id": "p", "kind": "replacement", "nat": "british", "rp": "armor", "points": "1", "area": "egypt"}
    ctx = phase(began(row))
    assert (ctx.state.points, ctx.state.afar) == ({"british_armor": 8}, {})


# --- conversions ------------------------------------------------------------------------------------------------


def becomes(one: Sequence[str], two: Sequence[str], **more: str) -> Entry:
    return {"id": f"c-{two[0]}", "kind": "convert", "from": list(one), "to": list(two), **more}


def test_what_the_order_of_battle_asks_for_is_made_as_soon_as_it_may_be() -> None:
    """WD 29.D."""
    state = began(becomes(["br-22"], ["br-22g"]), units={"br-22": CAIRO})
    state.place("it-62", state.board.open_neighbours(state.board.find(CAIRO))[0])
    ctx = phase(state)
    assert "br-22" in ctx.state.pieces
    ctx.state.take_off("it-62", "test")
    ctx.state.turn += 1
    later = phase(ctx.state)
    assert where(later, "br-22g") == CAIRO and later.state.gone["br-22"] == "converted"
    assert later.state.converted == ("c-br-22g",)


def test_one_unit_may_become_two_and_two_one() -> None:
    state = began(becomes(["br-7-sg"], ["br-7-arm-hq", "br-7-mot"]), units={"br-7-sg": CAIRO})
    assert phase(state).state.units_at(state.board.find(CAIRO)) == ["br-7-arm-hq", "br-7-mot"]
    state = began(becomes(["br-4rt", "br-7rt"], ["br-32-tk"], together="yes"), units={"br-4rt": CAIRO, "br-7rt": SUEZ})
    assert "br-32-tk" not in phase(state).state.pieces


def test_cavalry_becomes_armor_for_a_point_if_its_owner_wants_it() -> None:
    row = becomes(["br-6cav"], ["br-8-arm-a"], optional="yes", rp="armor", points="1", rule="WD 29.D.1")
    state = began(row, turn="Jan I 42", units={"br-6cav": CAIRO})
    assert "br-6cav" in phase(state).state.pieces
    assert cites(phase(state, order("convert", unit="br-6cav")).problems) == ["WD 29.D.1"]
    state.points["british_armor"] = 8
    ctx = phase(state, order("convert", unit="br-6cav"))
    assert where(ctx, "br-8-arm-a") == CAIRO and ctx.state.points == {}


# --- the whole of it --------------------------------------------------------------------------------------------


def test_the_surprise_turn_has_nothing_of_it() -> None:
    state = began(comes("br-1-arm-a", turn="Dec I 40"), turn="Dec I 40")
    state.surprise = True
    ctx = phase(state, order("reinforce", unit="br-1-arm-a"))
    assert cites(ctx.problems) == ["WD 28.B.3"] and not ctx.state.pieces


def test_a_position_keeps_what_is_off_the_map() -> None:
    row = {"id": "p", "kind": "replacement", "nat": "german", "rp": "armor", "points": "1/2", "area": "europe"}
    state = phase(
        began(
            row,
            comes("it-132", "europe", step="cadre"),
            {"kind": "supply", "steps": "1", "area": "europe"},
            side="axis",
        )
    ).state
    state.vp2["axis"] = -3
    back = restore(state.world, position(state))
    assert position(back) == position(state)
    assert (back.boxes, back.afar, back.depots, back.vp2) == (state.boxes, state.afar, state.depots, state.vp2)


def test_orders_are_read_back_and_hinted_at() -> None:
    state = began(comes("br-1-arm-a"), goes("in-5"), units={"in-5": CAIRO})
    state.points["british_armor"] = 8
    hints = "\n".join(initial_hints(state, "allied"))
    assert "1 Arm X" in hints and "type: withdraw" in hints and "1 British armor" in hints
    made = order("reinforce", unit="br-1-arm-a", at=SUEZ)
    ctx = phase(state, made)
    assert sentence(ctx.state, made, ctx.events) == "1st Armoured Brigade: in at Suez (19/3725)"
    made = order("withdraw", what="in-5")
    assert "is withdrawn" in sentence(ctx.state, made, [])


def test_orders_of_chance_are_lawful() -> None:
    whole = first_state(compass())
    whole.player, whole.phase, whole.step = "allied", "initial", "initial"
    for turn in ("Dec II 40", "Mar I 41", "Jun I 41", "Apr I 42"):
        whole.turn = turn_number(turn)
        for seed in range(4):
            chance = Chance(random.Random(seed).random)
            rows = lawful(whole, "allied", arrival_rows(whole, "allied", chance))
            orders = [Order(n, str(r["type"]), {k: v for k, v in r.items() if k != "type"}) for n, r in enumerate(rows)]
            assert not phase(whole, *orders).problems


FULL = dict.fromkeys(("it-62", "it-63", "it-64"), "18/0222")
"""Three divisions in Tripoli: no fourth may be there when a phase ends (WD 8.B)."""


@pytest.mark.parametrize(("die", "comes_in"), [(1, ""), (2, ""), (3, "it-12art")])
def test_a_unit_of_the_fifth_army_without_room_in_tripoli_stays_in_its_box(die: int, comes_in: str) -> None:
    """Others in the box have room, so one is drawn; the die decides who (WD 28.A.1, 8.B, ruling OVERSTACK-END)."""
    state = began(side="axis", turn="Dec II 40", units=FULL)
    for uid in ("it-17", "it-25", "it-12art"):
        state.boxes[uid] = Boxed("fifth_army")
    boxed_ = sorted(state.boxes)
    ctx = phase(state, dice=Scripted({"fifth_army": [boxed_.index(("it-17", "it-25", "it-12art")[die - 1]) + 1]}))
    assert [event["unit"] for event in kinds(ctx, "landed")] == ([comes_in] if comes_in else [])
    told = [event for event in kinds(ctx, "told") if event["what"] == "fifth_army"]
    assert [(event["label"], event["faces"]) for event in told] == ([] if comes_in else [("fifth-army/axis/draw", "3")])
    assert stack_problems(ctx.state, ctx.state.board.find("18/0222"), "axis") == []
    assert sorted(ctx.state.boxes) == [uid for uid in boxed_ if uid != comes_in]


def test_the_fifth_army_is_not_drawn_from_where_tripoli_has_room_for_nobody() -> None:
    state = began(side="axis", turn="Dec II 40", units=FULL)
    for uid in ("it-17", "it-25"):
        state.boxes[uid] = Boxed("fifth_army")
    ctx = phase(state, order("fifth_army"))
    assert cites(ctx.problems) == ["WD 8.A"] and not kinds(ctx, "landed")


def test_the_fifth_army_comes_one_by_one_to_tripoli_and_is_traced_to_its_supply() -> None:
    state = began(side="axis", turn="Dec II 40")
    for uid in ("it-17", "it-25", "it-27"):
        state.boxes[uid] = Boxed("fifth_army")
    ctx = phase(state, dice=Scripted({"fifth_army": [2]}))
    assert where(ctx, "it-25") == "18/0222" and sorted(ctx.state.boxes) == ["it-17", "it-27"]
    assert kinds(ctx, "landed")[0]["label"] == "fifth-army/axis/draw"
    assert not phase(state, order("fifth_army", draw="no")).state.pieces
    early = began(side="axis", turn="Dec I 40")
    early.boxes["it-17"] = Boxed("fifth_army")
    assert cites(phase(early, order("fifth_army")).problems) == ["WD 28.A.1"]
