"""Transport and drops in play: landing, disruption, the fate of cargo, gliders, what a dropped unit may and must (WD
20.E, 24.C, 25)."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Event
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.aboard import befall, bring_back, loaded, stowage_of
from adjudicator.western_desert.air.carrying_out import carry_out_missions
from adjudicator.western_desert.air.drops import duties_left
from adjudicator.western_desert.air.escaping import bases_fall
from adjudicator.western_desert.air.homecoming import fly_home
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.bots import combat_orders
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.sequence import PlayerTurn
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import Air, State, Supply
from adjudicator.western_desert.strength import attack_shares, defense_shares
from adjudicator.western_desert.turn import _next_player
from tests.western_desert.skirmish import fight, fixed, orders, told
from tests.western_desert.sorties import (
    GLIDER,
    GLIDER_2,
    HURRI,
    JU_52,
    JU_52_2,
    LANDER,
    ME,
    PARA,
    PARA_2,
    Script,
    air_phase,
    at,
    carry_out,
    empty,
    kinds,
    lay,
    over,
)

BASE = "Tobruk"


@pytest.fixture
def state() -> State:
    """The Axis air phase of Compass, two parachute regiments at Tobruk."""
    found = air_phase("axis")
    empty(found, BASE)
    for uid in (PARA, PARA_2, LANDER):
        lay(found, uid, BASE)
    return found


def changes(event: Event) -> list[str]:
    """What changes the die of a drop, row after row."""
    listed = event.data["modifiers"]
    return [str(row["die"]) for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []


def two(state: State, mission: str, place: str, cargo: tuple[str, ...], **more: str) -> None:
    """Two transports that carry together."""
    for aid, tow in ((JU_52, more.get("tow", "")), (JU_52_2, more.get("tow_2", ""))):
        over(state, aid, mission, place, base=BASE, cargo=cargo, party=JU_52, tow=tow, night=more.get("night") == "yes")


def test_transports_that_return_land_their_cargo(state: State) -> None:
    over(state, JU_52, air.AIRLIFT, "Derna", base=BASE, cargo=(PARA,))
    ctx = carry_out(state)
    (event,) = told(ctx, "unloaded")
    assert (event.data["units"], event.data["hex"], event.data["from"]) == ([PARA], "18/4117", "18/4818")
    assert event.data["air"] == [JU_52]
    assert state.hex_of(PARA) == at(state, "Derna") and not state.pieces[PARA].dropped
    assert loaded(state) == {}


def test_transports_that_stay_land_with_their_cargo(state: State) -> None:
    two(state, air.FERRY, "Benghazi", (PARA, PARA_2))
    assert kinds(carry_out(state)) == []
    assert loaded(state) == {PARA: [JU_52, JU_52_2], PARA_2: [JU_52, JU_52_2]}
    ctx: Ctx[State] = Ctx(state, apply)
    drive(fly_home(ctx), Script())
    assert kinds(ctx) == ["unloaded", "air-landed", "air-landed"]
    assert state.hex_of(PARA) == state.hex_of(PARA_2) == at(state, "Benghazi")
    assert state.air[JU_52].hex == at(state, "Benghazi")


@pytest.mark.parametrize("mission", [air.AIRLIFT, air.FERRY])
def test_cargo_that_is_landed_captures_supply(state: State, mission: str) -> None:
    """WD 12.D.capture: it enters the hex."""
    empty(state, "Derna")
    state.supply["supply-allied-x"] = Supply(at(state, "Derna"), "allied", 1)
    over(state, JU_52, mission, "Derna", base=BASE, cargo=(PARA,))
    carry_out(state)
    ctx: Ctx[State] = Ctx(state, apply)
    drive(fly_home(ctx), Script())
    assert [event.data["unit"] for event in told(ctx, "captured")] == [PARA]


def test_no_room_at_the_base_brings_cargo_back(state: State) -> None:
    derna = at(state, "Derna")
    for uid in sorted(uid for uid in state.side_units("axis") if state.unit(uid).re2):
        if not fits(state, derna, "axis", (PARA,)):
            break
        if uid not in (PARA, PARA_2, LANDER) and fits(state, derna, "axis", (uid,)):
            state.shift(uid, derna)
    over(state, JU_52, air.AIRLIFT, "Derna", base=BASE, cargo=(PARA,))
    ctx = carry_out(state)
    (event,) = told(ctx, "cargo-back")
    assert (event.rule, event.data["units"], event.data["hex"]) == ("WD 8.B", [PARA], "18/4818")
    assert state.hex_of(PARA) == at(state, BASE) and loaded(state) == {}


@pytest.mark.parametrize(("die", "disrupted"), [(1, "yes"), (2, "")])
def test_a_unit_drops_on_free_ground(state: State, die: int, disrupted: str) -> None:
    empty(state, "Alexandria")
    target = at(state, "Derna")
    empty(state, "Derna")
    state.control[target] = "allied"
    two(state, air.DROP, "Derna", (PARA,))
    modified = die + (1 if state.board.terrain(target) == "rough" else 0)
    script = Script(disruption=modified)
    ctx = carry_out(state, script)
    (event,) = told(ctx, "dropped")
    assert kinds(ctx, "control") == ["dropped"]
    assert (event.data["die"], event.data["used"], event.data["disrupted"]) == (str(modified), str(die), disrupted)
    assert event.data["label"] == f"disruption/18.4117/{PARA}" and event.data["air"] == [JU_52, JU_52_2]
    assert script.rolls[-1].who == "axis" and script.rolls[-1].kind == "disruption"
    piece = state.pieces[PARA]
    assert (piece.hex, piece.dropped, piece.disrupted) == (target, True, disrupted == "yes")
    assert state.owner(target) == "axis"


def test_a_dropped_unit_has_no_zone_and_holds_its_hex_alone(state: State) -> None:
    """WD 25.B."""
    zones = {side: dict(counts) for side, counts in state.zones.items()}
    two(state, air.DROP, "Alexandria", (PARA,))
    empty(state, "Alexandria")
    zones["allied"] = dict(state.zones["allied"])
    ctx = carry_out(state)
    (control,) = told(ctx, "control")
    assert control.data["hexes"] == [state.board.name(at(state, "Alexandria"))]
    left = {h for h in zones["axis"] if zones["axis"][h] != state.zones["axis"].get(h)}
    assert left <= set(state.board.open_neighbours(at(state, BASE)))
    assert set(state.zones["axis"]) <= set(zones["axis"])


def test_a_drop_on_enemies_shares_the_hex_and_takes_nothing(state: State) -> None:
    alexandria = at(state, "Alexandria")
    state.supply["supply-allied-x"] = Supply(alexandria, "allied", 1)
    two(state, air.DROP, "Alexandria", (PARA,), night="yes")
    script = Script({f"disruption/19.2423/{PARA}": 4})
    ctx = carry_out(state, script)
    (event,) = told(ctx, "dropped")
    assert changes(event) == ["-1", "-2"]
    assert (event.data["used"], event.data["disrupted"]) == ("1", "yes")
    assert state.owner(alexandria) == "allied" and not told(ctx, "captured")
    assert state.enemy_in(alexandria, "axis")


def test_supply_in_an_empty_hex_is_rolled_for(state: State) -> None:
    empty(state, "Alexandria")
    state.supply["supply-allied-x"] = Supply(at(state, "Alexandria"), "allied", 1)
    two(state, air.DROP, "Alexandria", (PARA,))
    assert [event.data["captured"] for event in told(carry_out(state), "captured")] == ["1"]


def test_gliders_are_used_up_by_a_drop_and_kept_otherwise(state: State) -> None:
    two(state, air.DROP, "Alexandria", (LANDER,), tow=GLIDER, tow_2=GLIDER_2)
    ctx = carry_out(state)
    assert [event.data["air"] for event in told(ctx, "glider-expended")] == [GLIDER, GLIDER_2]
    assert GLIDER not in state.air and state.gone[GLIDER] == "expended" and GLIDER not in state.boxes
    assert changes(told(ctx, "dropped")[0]) == ["-1", "+1"]
    assert position(restore(state.world, position(state))) == position(state)
    other = air_phase("axis")
    lay(other, PARA, "Benghazi")
    over(other, JU_52, air.AIRLIFT, "Derna", base="Benghazi", cargo=(PARA,), tow=GLIDER)
    assert not told(carry_out(other), "glider-expended") and GLIDER in other.air


def test_cargo_is_lost_with_its_transport(state: State) -> None:
    over(state, JU_52, air.AIRLIFT, "Derna", base=BASE, cargo=(PARA,), tow=GLIDER)
    ctx: Ctx[State] = Ctx(state, apply)
    befall(ctx, JU_52, air.ELIMINATED, at(state, "Derna"), "air-combat")
    assert kinds(ctx, "control") == ["air-hit", "eliminated"]
    assert told(ctx, "eliminated")[0].rule == "WD 20.E.fate"
    assert PARA not in state.pieces and not {JU_52, GLIDER} & state.air.keys()


def test_the_worst_result_of_several_transports_fits_all_of_the_cargo(state: State) -> None:
    two(state, air.DROP, "Alexandria", (PARA,))
    ctx = carry_out(state, Script({f"aa/19.2423/{JU_52_2}": 2}))
    hit = told(ctx, "air-hit")[0]
    assert hit.data["air"] == JU_52_2
    if hit.data["fate"] == air.ELIMINATED:
        assert PARA not in state.pieces
    else:
        assert told(ctx, "cargo-back")[0].data["air"] == [JU_52, JU_52_2]
    assert not told(ctx, "dropped")


@pytest.mark.parametrize("fate", [air.TURNED_BACK, air.ABORTED])
def test_cargo_of_a_transport_that_turns_back_is_at_its_base_again(state: State, fate: str) -> None:
    two(state, air.DROP, "Alexandria", (PARA,))
    ctx: Ctx[State] = Ctx(state, apply)
    befall(ctx, JU_52, fate, at(state, "Matruh"), "air-combat")
    bring_back(ctx)
    (event,) = told(ctx, "cargo-back")
    assert (event.rule, event.data["hex"], event.data["units"]) == ("WD 20.E.fate", "18/4818", [PARA])
    assert loaded(state) == {} and state.hex_of(PARA) == at(state, BASE)
    assert not told(carry_out(state), "dropped")


def test_of_a_party_only_those_are_lost_that_rode_in_the_lost_transport(state: State) -> None:
    for aid, uid in ((JU_52, PARA), (JU_52_2, PARA_2)):
        over(state, aid, air.AIRLIFT, "Derna", base=BASE, cargo=(uid,), party=JU_52)
    before = stowage_of(state, JU_52).holds
    ctx: Ctx[State] = Ctx(state, apply)
    befall(ctx, JU_52_2, air.ELIMINATED, at(state, "Derna"), "air-combat")
    assert PARA_2 not in state.pieces and stowage_of(state, JU_52).holds == {PARA: before[PARA]}
    assert told(carry_out(state), "unloaded")[0].data["units"] == [PARA]


# --- combat -----------------------------------------------------------------------------------------------------


def dropped_on_bardia(state: State, *units: str) -> int:
    """Units dropped on the enemy in Bardia; the combat phase begins."""
    bardia = at(state, "Bardia")
    empty(state, "Bardia")
    state.control[bardia] = "allied"
    state.shift("br-rnf", bardia)
    settle(Ctx(state, apply), (bardia, at(state, "Matruh")))
    for n, uid in enumerate(units):
        over(state, (JU_52, JU_52_2)[n], air.DROP, "Bardia", base=BASE, cargo=(uid,))
    carry_out(state)
    state.air.clear()
    state.phase = state.step = "combat"
    return bardia


def combat(state: State, *rows: Mapping[str, object], dice: tuple[int, ...] = ()) -> Ctx[State]:
    """Run the combat phase of the Axis."""
    return fight(state, orders(*rows), fixed(*dice), side="axis")


def test_who_was_dropped_on_the_enemy_attacks_him_by_himself(state: State) -> None:
    bardia = dropped_on_bardia(state, PARA)
    ctx = combat(state, dice=(1, 6, 6, 6))
    (attack,) = told(ctx, "attack")
    assert (attack.rule, attack.data["with"], attack.data["order"]) == ("WD 25.C.must", [PARA], "")
    results = [str(event.data["result"]) for event in told(ctx, "result")]
    assert "NE" not in results[-1:] and all(result == "NE" for result in results[:-1])
    assert len({state.world.units[uid].side for uid in state.units_at(bardia)}) < 2
    assert not duties_left(state, "axis")


def test_no_effect_is_rolled_again(state: State) -> None:
    """WD 25.C.NE."""
    bardia = dropped_on_bardia(state, PARA)
    found = odds(state, Attack("axis", bardia, (PARA,)))
    idle = next(die for die in range(1, 7) if found.result(die) == "NE")
    other = next(die for die in range(1, 7) if found.result(die) != "NE")
    ctx = combat(state, dice=(idle, other, 6, 6))
    assert [event.data["label"] for event in told(ctx, "result")][:2] == ["combat/19.0325/crt", "combat/19.0325/crt#2"]


def test_its_attack_elsewhere_is_refused_and_so_is_one_without_it(state: State) -> None:
    bardia = dropped_on_bardia(state, PARA)
    beside = next(h for h in state.board.open_neighbours(bardia) if not state.units_at(h))
    state.shift("br-22", beside)
    name = state.board.name
    (found,) = checked(state, "axis", orders({"type": "attack", "hex": name(beside), "with": [PARA]}))
    assert [problem.code for problem in found[1]] == ["must_attack"]
    state.take_off("br-22", "spare")
    lay(state, "it-61", state.board.name(beside))
    (found,) = checked(state, "axis", orders({"type": "attack", "hex": name(bardia), "with": ["it-61"]}))
    assert [problem.code for problem in found[1]] == ["joined"]
    (found,) = checked(state, "axis", orders({"type": "attack", "hex": name(bardia), "with": ["it-61", PARA]}))
    assert found[1] == []
    assert set(attack_options(state, "axis")[bardia]) >= {PARA, "it-61"}


def test_a_program_of_chance_attacks_with_all_who_were_dropped_there(state: State) -> None:
    bardia = dropped_on_bardia(state, PARA, PARA_2)
    chance = Chance(random.Random(1).random)
    forces = [row["with"] for _ in range(60) for row in combat_orders(state, "axis", chance) if "with" in row]
    assert len(forces) > 5 and all(set(force) >= {PARA, PARA_2} for force in forces)
    assert set(attack_options(state, "axis")) == {bardia}


def test_an_attack_called_off_does_not_free_it_from_its_duty(state: State) -> None:
    bardia = dropped_on_bardia(state, PARA)
    row = {"type": "attack", "hex": state.board.name(bardia), "with": [PARA], "min_odds": "6:1"}
    ctx = combat(state, row, dice=(6, 6, 6, 6))
    assert kinds(ctx)[:2] == ["skipped", "attack"]


def test_supply_in_the_hex_is_rolled_for_once_the_enemy_is_gone(state: State) -> None:
    bardia = dropped_on_bardia(state, PARA, PARA_2)
    state.supply["supply-allied-x"] = Supply(bardia, "allied", 1)
    found = odds(state, Attack("axis", bardia, (PARA, PARA_2)))
    die = next(die for die in range(6, 0, -1) if found.result(die) in ("DR", "DE"))
    ctx = combat(state, dice=(die, 6, 6))
    assert told(ctx, "captured")[0].data["unit"] == PARA
    assert state.owner(bardia) == "axis"


def test_disruption_and_missing_zones_end_with_the_player_turn(state: State) -> None:
    """WD 25.A.effect, 25.B."""
    empty(state, "Derna")
    derna = at(state, "Derna")
    two(state, air.DROP, "Derna", (PARA,))
    carry_out(state, Script(disruption=1))
    shares = attack_shares(state, Attack("axis", derna, (PARA,))), defense_shares(state, derna, [PARA])
    assert all(one.modifiers[-1].rule == "WD 25.A.effect" for (one,) in shares)
    assert state.pieces[PARA].disrupted and not [line for line in faults(state) if PARA in line or "step" in line]
    state.air.clear()
    beside = next(h for h in state.board.open_neighbours(derna) if not state.units_at(h))
    state.control[beside] = "allied"
    ctx: Ctx[State] = Ctx(state, apply)
    _next_player(ctx, PlayerTurn(state.turn, "axis", False).next())
    assert kinds(ctx, "unbuilt") == ["phase", "control"]
    piece = state.pieces[PARA]
    assert not piece.dropped and not piece.disrupted
    assert state.owner(beside) == state.owner_at_start(beside) == "axis"


def test_a_drop_on_an_airbase_drives_air_units_off_once(state: State) -> None:
    state.air[HURRI] = Air(at(state, "Matruh"))
    two(state, air.DROP, "Matruh", (PARA,))
    ctx = carry_out(state, Script(escape=6))
    assert [event.data["result"] for event in told(ctx, "air-escape")] == ["remains"]
    assert HURRI in state.air and state.enemy_in(at(state, "Matruh"), "axis")
    state.phase = state.step = "combat"
    for uid in state.enemies_at(at(state, "Matruh"), "axis"):
        state.take_off(uid, "spare")
    state.air.pop(JU_52), state.air.pop(JU_52_2)
    settle(ctx, (at(state, "Matruh"),))
    later: Ctx[State] = Ctx(state, apply)
    drive(bases_fall(later), Script())
    assert kinds(later) == ["air-lost"]


def test_cargo_lost_from_a_base_may_lose_it(state: State) -> None:
    base = at(state, BASE)
    for uid in (PARA_2, LANDER):
        state.take_off(uid, "spare")
    beside = next(h for h in state.board.open_neighbours(base) if not state.units_at(h))
    state.shift("br-22", beside)
    over(state, JU_52, air.AIRLIFT, "Derna", base=BASE, cargo=(PARA,))
    state.air[ME] = Air(base, operative=False)
    ctx: Ctx[State] = Ctx(state, apply)
    befall(ctx, JU_52, air.ELIMINATED, at(state, "Derna"), "air-combat")
    drive(carry_out_missions(ctx), Script())
    assert state.owner(base) == "allied"
    assert told(ctx, "air-lost")[0].data["air"] == ME
