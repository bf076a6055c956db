"""Axis shipping to ports of the Levant that Vichy France has granted, and what Vichy forces may use (WD 28.C.1, 26.D).

With it the Free French replacement point, which hangs on control of the Levant (WD 29.B.3).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.match.games import table as table_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_sea import ports_of
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.control import emit_flips
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.landing import landing_problems, reinforce
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.orderbook import area_hexes, rows_of
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.sea.convoys import plan_ship
from adjudicator.western_desert.state import Depot, State, Supply, turn_number
from adjudicator.western_desert.theatre.holding import open_railroad, railroad
from adjudicator.western_desert.theatre.invading import invade
from tests.western_desert.ground import start
from tests.western_desert.sorties import at

LEVANT = "Levant"
WAITS = "it-132"


def granted(grant: str = "full", turn: str = "Jul I 41") -> State:
    """The Axis movement phase with what Vichy France has granted; a supply counter lies in Tripoli."""
    state = start()
    state.turn, state.player, state.phase, state.step = turn_number(turn), "axis", "movement", "movement"
    state.theatre = replace(state.theatre, grant=grant)
    state.supply["S"] = Supply(at(state, "Tripoli"), "axis", 1)
    return state


def problems(state: State, to: str = "Beyrouth", **more: Tree) -> list[tuple[str, str]]:
    data: dict[str, Tree] = {"counter": "S", "to": state.board.name(at(state, to)), **more}
    return [(p.code, p.rule) for p in plan_ship(Field(state, "axis"), "axis", Order(0, "ship", data)).problems]


def test_the_full_grant_opens_the_ports() -> None:
    assert problems(granted()) == []
    assert problems(granted(), "Tripoli (Lebanon)") == []
    assert problems(granted("air")) == [("neutral", "WD 28.C")]
    assert problems(granted("")) == [("neutral", "WD 28.C")]


def test_the_eastern_mediterranean_still_waits_for_its_date() -> None:
    assert problems(granted(turn="May I 41")) == [("before_jun_i_41", "WD 26.D")]


def test_what_is_shipped_there_passes_the_eastern_mediterranean() -> None:
    state = granted()
    ctx: Ctx[State] = Ctx(state, apply)
    order = Order(0, "ship", {"counter": "S", "to": state.board.name(at(state, "Beyrouth"))})
    drive(movement_phase(ctx, "axis", [order], (1,)), Assume())
    (voyage,) = [event for event in ctx.events if event.kind == "voyage"]
    assert (voyage.data["danger"], voyage.data["result"], voyage.rule) == ("eastern", "arrives", "WD 26.D.status")
    assert state.supply["S"].hex == at(state, "Beyrouth")
    assert state.owner(at(state, "Beyrouth")) == "vichy"


def test_vichy_at_war_grants_nothing_by_itself() -> None:
    state = granted("")
    state.player = "allied"
    invade(Ctx(state, apply), "allied", ())
    state.player, state.taken = "axis", {}
    assert problems(state) == [("no_grant", "WD 28.C.1.effect")]
    state.theatre = replace(state.theatre, grant="full")
    assert problems(state) == []


def test_vichy_units_are_shipped_in_the_levant_alone() -> None:
    state = granted("full")
    invade(Ctx(state, apply), "allied", ())
    state.player, state.taken = "axis", {}
    uid = next(u for u in sorted(state.pieces) if state.world.units[u].nat == "vichy" and state.unit(u).movement >= 4)
    state.shift(uid, at(state, "Beyrouth"))
    state.pieces[uid].start = at(state, "Beyrouth")
    told = {"counter": "", "unit": uid}
    assert problems(state, "Tripoli (Lebanon)", **told) == []
    assert ("vichy_bound", "WD 28.C.invade") in problems(state, "Tripoli", **told)


@pytest.mark.parametrize(("grant", "codes"), [("full", []), ("", ["neutral"])])
def test_what_comes_from_europe_may_land_there(grant: str, codes: list[str]) -> None:
    state = granted(grant)
    state.phase = state.step = "initial"
    state.put_by(WAITS, "europe")
    beyrouth = at(state, "Beyrouth")
    assert beyrouth in area_hexes(state, "europe")
    assert [p.code for p in landing_problems(state, "axis", WAITS, beyrouth)][:1] == codes
    if not codes:
        ctx: Ctx[State] = Ctx(state, apply)
        order = Order(0, "reinforce", {"units": [WAITS], "at": state.board.name(beyrouth)})
        drive(reinforce(ctx, "axis", order, (1,)), Assume())
        assert state.hex_of(WAITS) == beyrouth


def test_nothing_goes_there_unasked() -> None:
    state = granted()
    state.phase = state.step = "initial"
    for h in area_hexes(state, "europe"):
        if not state.board.in_region(h, LEVANT):
            state.control[h] = state.taken[h] = "allied"
    state.depots["supply-axis-late"] = Depot("europe", "axis", 1)
    drive(initial_phase(Ctx(state, apply), "axis", [], ()), Assume())
    assert "supply-axis-late" in state.depots


def test_the_programs_ship_there() -> None:
    assert at(granted(), "Beyrouth") in ports_of(granted(), "axis")
    assert at(granted("air"), "Beyrouth") not in ports_of(granted("air"), "axis")


# --- the Free French point --------------------------------------------------------------------------------------


def levant(state: State) -> list[int]:
    return [h for h, info in state.board.land.items() if info.cities and state.board.in_region(h, LEVANT)]


def test_the_free_french_point_comes_six_turns_after_the_levant_is_gained() -> None:
    """WD 29.B.3."""
    state = start()
    state.turn, state.player, state.phase = turn_number("Jul I 41"), "allied", "movement"
    first, *others = levant(state)
    ctx: Ctx[State] = Ctx(state, apply)
    emit_flips(ctx, dict.fromkeys(others, "allied"))
    assert not state.theatre.held
    emit_flips(ctx, {first: "allied"})
    assert state.theatre.held == state.turn
    assert position(restore(state.world, position(state))) == position(state)
    for turn, due in (("Sep II 41", 0), ("Oct I 41", 1), ("Oct II 41", 0)):
        state.turn = turn_number(turn)
        found = [row for row in rows_of(state, "replacement") if row.get("nat") == "free_french"]
        assert len(found) == due, turn
    state.turn = turn_number("Oct I 41")
    state.phase = state.step = "initial"
    drive(initial_phase(Ctx(state, apply), "allied", [], ()), Assume())
    assert state.points["free_french_non_armor"] == 8


def test_the_road_up_the_coast_is_a_railroad_from_the_36th_turn_on() -> None:
    """WD 33.E."""
    state = start()
    state.world = replace(state.world, switches={"options": "33.E"}, cache={})
    state.theatre = replace(state.theatre, held=turn_number("May I 41"))
    line = railroad(state)
    assert [state.board.feature_names(h) for h in (state.board.unbuilt[line][0], state.board.unbuilt[line][-1])] == [
        "Haifa (19/4312)",
        "Tripoli (Lebanon) (19/4404)",
    ]
    for turn, built in (("Oct II 42", False), ("Nov I 42", True)):
        state.turn = turn_number(turn)
        open_railroad(Ctx(state, apply), "axis", ())
        assert line not in state.built
        open_railroad(Ctx(state, apply), "allied", ())
        assert (line in state.built) is built, turn


def test_losing_a_city_of_the_levant_ends_the_count() -> None:
    state = start()
    state.turn, state.player, state.phase = turn_number("Jul I 41"), "allied", "movement"
    cities = levant(state)
    ctx: Ctx[State] = Ctx(state, apply)
    emit_flips(ctx, dict.fromkeys(cities, "allied"))
    emit_flips(ctx, {cities[0]: "axis"})
    assert state.theatre.held == 0
    state.turn = turn_number("Aug I 41")
    emit_flips(ctx, {cities[0]: "allied"})
    assert state.theatre.held == state.turn
    assert [event.data["gained"] for event in ctx.events if event.kind == "levant"] == ["Jul I 41", "no", "Aug I 41"]


def test_crusader_begins_with_the_levant_gained() -> None:
    rules = table_of("western-desert", "crusader", ())
    (told,) = [e for e in play(rules, Checkpoint(rules.start()), [], Assume()).events if e.kind == "levant"]
    state = start()
    apply(state, told)
    assert (state.theatre.held, state.theatre.invaded) == (turn_number("Jul I 41"), turn_number("Jun I 41"))
