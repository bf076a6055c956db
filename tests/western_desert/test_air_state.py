"""Air units in the position: bases, flights, take-offs, harassment; what the events of an air phase do (WD 16)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import book_of, flight_of, home_late, in_the_air, towed, waits_for
from adjudicator.western_desert.air.facts import on_the_ground, patrols_of, stands_at
from adjudicator.western_desert.air.landing import AFTER_COMBAT, AIR_RETURN, NEXT_AIR_PHASE
from adjudicator.western_desert.air.missions import Leg
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import Air, State
from tests.western_desert.ground import start

HURRI, BLEN, WELL = "air-hurri-1-1", "air-blen-4-1", "air-well-1c-1"
ME, JU_52, GLIDER = "air-me-109f-4", "air-ju-52-1", "air-dfs-230-special-1"


def at(state: State, name: str) -> int:
    """The hex of a place."""
    return next(place.hex for place in state.board.places.values() if place.name == name)


@pytest.fixture
def ctx() -> Ctx[State]:
    """The air phase of the Allied player, his air units at Cairo, those of the Axis at Tobruk."""
    state = start()
    state.phase = state.step = "air"
    for aid in (HURRI, BLEN, WELL):
        state.air[aid] = Air(at(state, "Cairo"))
    for aid in (ME, JU_52, GLIDER):
        state.air[aid] = Air(at(state, "Tobruk"))
    return Ctx(state, apply)


def fly(ctx: Ctx[State], aid: str, mission: str, over: str, base: str = "Cairo", **more: Tree) -> None:
    """An air unit takes off."""
    name = ctx.state.board.name
    data: dict[str, Tree] = {"base": name(at(ctx.state, base)), "over": name(at(ctx.state, over)), "distance": "9"}
    data |= more
    ctx.emit("flight", "WD 18", (), "public", air=aid, mission=mission, **data)


def same(state: State) -> State:
    """The state of its position, and of a copy, which must be equal to it."""
    tree = position(state)
    assert position(state.copy()) == tree
    back = restore(state.world, tree)
    assert position(back) == tree
    assert (back.air, back.take_offs, back.harassing) == (state.air, state.take_offs, state.harassing)
    return back


def test_a_flight_leaves_its_base_and_the_book_is_read_off_the_position(ctx: Ctx[State]) -> None:
    fly(ctx, BLEN, air.GROUND_SUPPORT, "Tobruk", extended="yes")
    fly(ctx, HURRI, air.ESCORT, "Tobruk")
    state = same(ctx.state)
    assert in_the_air(state) == [BLEN, HURRI]
    flight = flight_of(state, BLEN)
    assert (flight.base, flight.target, flight.extended) == (at(state, "Cairo"), at(state, "Tobruk"), True)
    book = book_of(state)
    assert [one.id for one in book.flights] == [BLEN, HURRI]
    assert book.used == {at(state, "Cairo"): 2}
    assert on_the_ground(state, "allied", book) == [WELL]
    assert (waits_for(state, BLEN), waits_for(state, HURRI)) == (AFTER_COMBAT, AIR_RETURN)
    assert home_late(state, BLEN)
    assert not home_late(state, HURRI)
    with pytest.raises(KeyError):
        flight_of(state, WELL)


def test_a_transfer_and_the_mission_after_it(ctx: Ctx[State]) -> None:
    fly(ctx, BLEN, air.TRANSFER, "Suez", barred="yes")
    state = same(ctx.state)
    assert stands_at(state, BLEN, book_of(state)) == at(state, "Suez")
    assert book_of(state).legs == {BLEN: (Leg(9, True),)}
    fly(ctx, BLEN, air.HARASS, "Tobruk", base="Suez")
    state = same(ctx.state)
    assert state.air[BLEN].hex == at(state, "Suez")
    assert book_of(state).used == {at(state, "Cairo"): 1, at(state, "Suez"): 1}


def test_a_patrol_attack_is_spent_and_may_turn_a_flight_back(ctx: Ctx[State]) -> None:
    fly(ctx, BLEN, air.HARASS, "Derna")
    where = ctx.state.board.name(at(ctx.state, "Tobruk"))
    assert ME in patrols_of(ctx.state, "axis", book_of(ctx.state))
    ctx.emit("patrol-attack", "WD 19", fighter=ME, air=BLEN, hex=where, result="turned_back")
    state = same(ctx.state)
    assert patrols_of(state, "axis", book_of(state))[ME].attacks == 1
    assert (flight_of(state, BLEN).fate, flight_of(state, BLEN).target) == (air.TURNED_BACK, at(state, "Tobruk"))
    ctx.emit("phase", "WD 4.A", turn="Dec I 40", player="allied", phase="combat")
    assert (ctx.state.take_offs, ctx.state.air[ME].patrolled) == ({}, False)
    assert [line for line in faults(ctx.state) if "air-" in line] == [
        f"{BLEN} is still in the air on harass in the phase combat"
    ]


def test_a_glider_shares_what_befalls_its_tow(ctx: Ctx[State]) -> None:
    fly(ctx, JU_52, air.FERRY, "Derna", "Tobruk", tow=GLIDER, cargo=["it-62"])
    state = same(ctx.state)
    assert towed(state) == {GLIDER: JU_52}
    assert [unit.sortie.cargo for unit in state.air.values() if unit.sortie] == [("it-62",)]
    ctx.emit("air-landed", "WD 18.return", air=JU_52, base=state.board.name(at(state, "Derna")), state="inoperative")
    assert [ctx.state.air[aid] for aid in (JU_52, GLIDER)] == [Air(at(state, "Derna"), operative=False)] * 2
    fly(ctx, JU_52, air.FERRY, "Derna", "Tobruk", tow=GLIDER)
    before = ctx.state.copy()
    ctx.emit("air-hit", "WD 21.B.1", air=JU_52, hex=state.board.name(at(state, "Derna")), fate="eliminated")
    assert {aid: ctx.state.boxes[aid].box for aid in (JU_52, GLIDER)} == {JU_52: "air_pool", GLIDER: "air_pool"}
    assert not [line for line in faults(ctx.state, before) if "air-" in line]
    del ctx.state.boxes[GLIDER]
    assert f"{GLIDER} was at" in "\n".join(faults(ctx.state, before))


def test_jettisoned_bombs_make_an_escort(ctx: Ctx[State]) -> None:
    fly(ctx, HURRI, air.HARASS, "Tobruk")
    ctx.emit("jettisoned", "WD 24.A.jettison", air=[HURRI])
    assert flight_of(same(ctx.state), HURRI).flies_as == air.ESCORT


def test_harassment_weighs_on_the_player_turn_that_follows(ctx: Ctx[State]) -> None:
    h = at(ctx.state, "Tobruk")
    ctx.emit("harassment", "WD 20.F.2.e", hex=ctx.state.board.name(h), points="4")
    assert (same(ctx.state).harassing, ctx.state.harassed) == ({h: 4}, {})
    for player, weighs in (("axis", {h: 4}), ("allied", {})):
        ctx.emit("phase", "WD 4.B", turn="Dec I 40", player=player, phase="initial")
        assert (ctx.state.harassed, ctx.state.harassing) == (weighs, {})


def test_support_stays_over_its_hex_in_the_enemys_turn(ctx: Ctx[State]) -> None:
    fly(ctx, BLEN, air.DEFENSIVE_SUPPORT, "Tobruk")
    ctx.emit("phase", "WD 4.B", turn="Dec I 40", player="axis", phase="initial")
    assert waits_for(ctx.state, BLEN) == NEXT_AIR_PHASE
    assert not [line for line in faults(ctx.state) if "air-" in line]


def test_what_cannot_be_is_told(ctx: Ctx[State]) -> None:
    fly(ctx, JU_52, air.FERRY, "Derna", "Tobruk", tow=GLIDER)
    fly(ctx, GLIDER, air.TRANSFER, "Derna", "Tobruk")
    near = hexes.within(at(ctx.state, "Tobruk"), 9)
    ctx.state.air[BLEN] = Air(next(h for h in near if h not in ctx.state.board.land))
    told = "\n".join(faults(ctx.state))
    assert f"{GLIDER} is on tow and elsewhere" in told
    assert f"the base of {BLEN} lies at sea" in told
