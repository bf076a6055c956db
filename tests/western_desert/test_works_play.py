"""Works over several player turns, through the driver: forts, fortresses, ports, airbases (WD 14.A, 17, 26.A)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.engine.core import Roll
from adjudicator.western_desert.bases import base_capacity, port_capacity
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.sites import FORT, FORTRESS
from adjudicator.western_desert.state import Supply
from tests.western_desert.ground import settled
from tests.western_desert.turns import AIR, COMBAT, MOVEMENT, NO_EXPLOITATION, Turns

Row = Mapping[str, Any]
ENGINEER, TOBRUK, MATRUH, DERNA = "br-const1", "18/4818", "19/1225", "18/4117"
BUILD: Row = {"type": "build_fort", "unit": ENGINEER}
FEED: Row = {"type": "general_supply", "counter": "supply-allied-1"}
IMPROVE: Row = {"type": "improve_fortress", "unit": ENGINEER}


def at_matruh(**more: str) -> Turns:
    """The Allied engineer in Matruh, before the Allied turn."""
    game = Turns(**more)
    game.at(ENGINEER, MATRUH)
    return game


def in_tobruk() -> Turns:
    """The Axis garrison of Tobruk is gone, an Allied column stands outside."""
    game = Turns()
    for uid in list(game.state.units_at(game.state.board.find(TOBRUK))):
        game.state.take_off(uid, "eliminated")
    for uid in ("br-16", ENGINEER):
        game.at(uid, "18/4819")
    game.state.control[game.state.board.find(TOBRUK)] = "axis"
    game.state.unimproved.clear()
    return game


def site(game: Turns, where: str, what: str = FORT) -> Any:
    return game.state.sites.get((game.state.board.find(where), what))


def has_fort(game: Turns, where: str = MATRUH) -> bool:
    return game.state.board.find(where) in game.state.forts


# --- forts ------------------------------------------------------------------------------------------------------


def test_a_fort_is_begun_and_stands_a_game_turn_later() -> None:
    game = at_matruh()
    game.play(BUILD)
    assert (site(game, MATRUH).unit, site(game, MATRUH).turn, has_fort(game)) == (ENGINEER, game.state.turn, False)
    game.play()
    assert site(game, MATRUH) is not None and not has_fort(game)
    game.play()
    assert has_fort(game) and site(game, MATRUH) is None
    assert game.state.forts[game.state.board.find(MATRUH)] == "allied"
    assert [row["what"] for row in game.told("work-done")] == [FORT]


def test_an_axis_fort_stands_in_the_axis_initial_phase() -> None:
    game = Turns(player="axis")
    game.at("it-10cons", "19/0326")
    game.play({"type": "build_fort", "unit": "it-10cons"})
    game.play()
    assert not has_fort(game, "19/0326")
    game.play()
    assert game.state.forts[game.state.board.find("19/0326")] == "axis"


def besieged(game: Turns) -> list[str]:
    """Axis units take the place of all others around Matruh."""
    state = game.state
    around = state.board.open_neighbours(state.board.find(MATRUH))
    units = [uid for uid in state.side_units("axis") if state.unit(uid).has_zoc][: len(around)]
    for uid, h in zip(units, around, strict=True):
        for other in [u for u in state.units_at(h) if u not in units]:
            state.take_off(other, "eliminated")
        state.shift(uid, h)
    settled(state)
    return units


def test_out_of_supply_the_fort_waits_another_turn() -> None:
    game = at_matruh()
    game.play(BUILD)
    game.play()
    units = besieged(game)
    game.play()
    (late,) = game.told("work-delayed")
    assert (late["unit"], late["begun"]) == (ENGINEER, "Mar I 41")
    assert site(game, MATRUH) is not None and not has_fort(game)
    for uid in units:
        game.state.take_off(uid, "eliminated")
    settled(game.state)
    game.play()
    game.play()
    assert has_fort(game)


def test_the_engineer_that_leaves_loses_the_fort() -> None:
    game = at_matruh()
    game.play(BUILD, moves=[{"type": "move", "unit": ENGINEER, "to": "19/1326"}])
    assert [row["why"] for row in game.told("work-lost")] == ["its engineers have left the hex"]
    assert site(game, MATRUH) is None
    game.play()
    game.play()
    assert not has_fort(game)


def test_leaving_and_coming_back_in_one_phase_loses_it_too() -> None:
    game = at_matruh()
    game.play(BUILD, moves=[{"type": "move", "unit": ENGINEER, "path": ["19/1326", MATRUH]}])
    assert game.state.board.name(game.state.hex_of(ENGINEER)) == MATRUH
    assert len(game.told("work-lost")) == 1 and site(game, MATRUH) is None


def test_other_work_beside_the_fort_goes_on() -> None:
    game = at_matruh()
    game.state.broken.add(game.state.board.find(MATRUH))
    game.play(BUILD, moves=[{"type": "repair", "unit": ENGINEER, "what": "rail"}])
    assert not game.state.broken and site(game, MATRUH) is not None


@pytest.mark.parametrize(("result", "force"), [("DR", ["it-62"]), ("DE", ["it-62", "it-63"])])
def test_the_half_built_fort_of_an_engineer_that_is_driven_out_is_lost(result: str, force: list[str]) -> None:
    for die in range(1, 7):
        game = Turns()
        game.at(ENGINEER, "19/0530")
        game.play(BUILD)
        for uid in ("it-62", "it-63"):
            game.at(uid, "19/0429")
        attack = {"type": "attack", "hex": "19/0530", "with": force}
        game.play(MOVEMENT, AIR, COMBAT, attack, NO_EXPLOITATION, dice=lambda _seq, roll, die=die: dice_of(roll, die))
        if [row["result"] for row in game.told("result")] != [result]:
            continue
        assert len(game.told("work-lost")) == 1 and site(game, "19/0530") is None
        game.play()
        assert not has_fort(game, "19/0530")
        return
    raise AssertionError(f"no die gives {result}")


def dice_of(roll: Roll, die: int) -> tuple[int, ...]:
    return (die,) * roll.count


def test_a_fort_that_stands_counts_in_the_combat_that_comes() -> None:
    game = at_matruh()
    game.at("it-62", "19/1125")
    attack = Attack("axis", game.state.board.find(MATRUH), ("it-62",))
    before = odds(game.state, attack).drm
    game.play(BUILD)
    assert odds(game.state, attack).drm == before
    game.play()
    game.play()
    assert odds(game.state, attack).drm == before - 1


# --- fortresses -------------------------------------------------------------------------------------------------


def test_a_captured_fortress_is_unimproved_until_an_engineer_has_improved_it() -> None:
    game = in_tobruk()
    tobruk = game.state.board.find(TOBRUK)
    assert game.state.fortress(tobruk) == "improved"
    game.play(moves=[{"type": "move", "units": ["br-16", ENGINEER], "to": TOBRUK}])
    assert (game.state.owner(tobruk), game.state.fortress(tobruk)) == ("allied", "unimproved")
    game.state.supply["supply-allied-1"] = Supply(tobruk, "allied", 2)
    game.play()
    game.play(FEED, IMPROVE)
    assert site(game, TOBRUK, FORTRESS).unit == ENGINEER and game.state.fortress(tobruk) == "unimproved"
    game.play()
    game.play(FEED)
    assert game.state.fortress(tobruk) == "improved" and not game.state.sites


def test_a_fort_and_an_airfield_go_over_to_who_takes_the_hex() -> None:
    game = Turns()
    h = game.state.board.find("18/4819")
    game.state.forts[h] = "axis"
    game.state.airfields[h] = "axis"
    game.state.base_hits[h] = 1
    for uid in list(game.state.units_at(h)):
        game.state.take_off(uid, "eliminated")
    game.at("br-16", "18/4820")
    game.state.control[h] = "axis"
    game.state.taken.clear()
    game.play(moves=[{"type": "move", "unit": "br-16", "to": "18/4819"}])
    assert (game.state.forts[h], game.state.airfields[h], game.state.base_hits[h]) == ("allied", "allied", 1)
    assert base_capacity(game.state, h) == 2


# --- ports and airbases -----------------------------------------------------------------------------------------


def test_a_port_is_demolished_left_to_the_enemy_and_repaired_by_him() -> None:
    game = Turns(player="axis")
    derna = game.state.board.find(DERNA)
    game.at("it-10cons", DERNA)
    game.play(moves=[{"type": "demolish_port", "unit": "it-10cons"}])
    assert game.state.port_hits[derna] == 2 and port_capacity(game.state, derna) == 0
    for uid in list(game.state.units_at(derna)):
        game.state.take_off(uid, "eliminated")
    game.at(ENGINEER, DERNA)
    game.state.supply["supply-allied-1"] = Supply(derna, "allied", 1)
    game.play(FEED, moves=[{"type": "repair", "unit": ENGINEER, "what": "port"}])
    assert game.state.port_hits[derna] == 1 and port_capacity(game.state, derna) == 1
    assert [(row["hits"], row["after"]) for row in game.told("port-repaired")] == [("1", "1")]


def test_an_airfield_is_built_by_two_damaged_and_repaired() -> None:
    game = at_matruh()
    h = game.state.board.find(MATRUH)
    before = base_capacity(game.state, h)
    game.at("br-const2", MATRUH)
    build = {"type": "build_airfield", "units": [ENGINEER, "br-const2"]}
    game.play(moves=[build])
    (done,) = game.told("work-done")
    assert [(row["unit"], row["mp"], row["left"]) for row in done["costs"]] == [
        (ENGINEER, "4", "0"),
        ("br-const2", "2", "2"),
    ]
    assert base_capacity(game.state, h) == before + 3
    game.play()
    game.at("br-16", MATRUH)
    game.play(moves=[{"type": "damage_airbase", "unit": "br-16", "hits": "3"}])
    assert base_capacity(game.state, h) == before
    game.play()
    game.play(moves=[{"type": "repair", "unit": ENGINEER, "what": "airbase"}])
    assert (game.state.base_hits[h], base_capacity(game.state, h)) == (1, before + 2)


# --- divisional engineers (WD 33.D) -----------------------------------------------------------------------------


def task(what: str) -> Row:
    return {"type": "div_engineers", "unit": "in-4-hq", "what": what}


def test_divisional_engineers_build_a_fort_in_two_turns() -> None:
    game = Turns(options="33.D")
    game.at("in-4-hq", "19/1326")
    game.play(moves=[task("start_fort")])
    assert site(game, "19/1326").unit == "" and game.state.divisional == ""
    game.play()
    game.play(moves=[task("finish_fort")])
    assert has_fort(game, "19/1326") and not game.state.sites


def test_a_begun_fort_is_lost_where_no_division_stays() -> None:
    game = Turns(options="33.D")
    game.at("in-4-hq", "19/1327")
    game.play(moves=[task("start_fort")])
    game.play()
    game.play(moves=[{"type": "move", "unit": "in-4-hq", "to": "19/1326"}])
    assert [row["why"] for row in game.told("work-lost")] == ["no division is left in the hex"]


def test_who_lends_his_engineers_neither_moves_nor_attacks_nor_works_again() -> None:
    game = Turns(options="33.D")
    for uid in ("in-4-hq", "in-11"):
        game.at(uid, "19/1327")
    go = {"type": "move", "unit": "in-4-hq", "to": "19/1326"}
    game.play(moves=[task("start_fort"), go, task("start_airfield")])
    codes = [row["code"] for row in game.told("void")]
    assert codes == ["divisional", "once"]
    game.play()
    game.play(moves=[go, task("finish_fort")])
    assert "moved" in [row["code"] for row in game.told("void")]
