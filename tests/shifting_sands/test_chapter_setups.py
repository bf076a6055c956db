"""Set-ups, options, errata and answers on the map and the counters (SS 17, 18, 19, errata, faq)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.engine.driver import Checkpoint, play
from adjudicator.packs import load_pack, pack_folder
from adjudicator.packs.files import read_pack
from adjudicator.packs.shifting_sands.scenarios import compile_scenarios
from adjudicator.shifting_sands.drawing import offered
from adjudicator.shifting_sands.nations import NATIONS
from adjudicator.shifting_sands.replacement import bans
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.victory import final, last_turn
from adjudicator.shifting_sands.world import text, world_from_pack
from tests.shifting_sands.boards import set_up
from tests.shifting_sands.support import ALLIED, AXIS, Seeds, message, run, table

RULES = Path(__file__).resolve().parents[2] / "adjudicator" / "shifting_sands"
PACK = load_pack("shifting-sands").tree
WORLD = world_from_pack(PACK, "campaign")


def stands(state: State, *places: str) -> dict[str, list[str]]:
    """What stands in some places, by kind; a star for reduced strength."""
    return {
        place: sorted(
            state.counter(uid).kind + ("*" if state.pieces[uid].reduced else "") for uid in state.units_in(place)
        )
        for place in places
    }


def box(state: State, name: str, side: str) -> dict[str, int]:
    """What lies in a box of a side, by kind."""
    return dict(Counter(state.counter(uid).kind for uid in state.in_box(name, side)))


def test_the_near_east_and_chad_at_the_start() -> None:
    """SS 17.allied.ne."""
    found = stands(set_up("campaign"), "Jerusalem", "Habbaniyah", "Basra", "Chad")
    assert found == {
        "Jerusalem": ["BR inf BG"], "Habbaniyah": ["BR inf BG*"], "Basra": ["IND inf BG*"], "Chad": ["FF inf BG"]
    }  # fmt: skip


def test_the_allies_of_sonnenblume() -> None:
    """SS 18.allied, 18.allied.control."""
    state = set_up("sonnenblume")
    assert stands(state, "Agedabia", "Alexandria", "Kassala", "Habbaniyah", "India") == {
        "Agedabia": ["BR 2 Arm"], "Alexandria": ["AUS 6", "AUS 7", "NZ 2"], "Kassala": ["BR inf BG", "IND 4", "IND 5"],
        "Habbaniyah": ["BR inf BG*"], "India": ["IND 10"],
    }  # fmt: skip
    assert box(state, "@replacement", ALLIED) == {"BR 7 Arm": 1}
    assert box(state, "@reserve", ALLIED) == {
        "BR arm BG": 2, "BR inf BG": 1, "IND inf BG": 3, "FF inf BG": 1, "AUS inf BG": 2, "NZ inf BG": 1,
        "POL inf BG": 1,
    }  # fmt: skip
    taken = [name for name, owner in state.control.items() if owner == ALLIED and WORLD.spaces[name].control == AXIS]
    assert len(taken) == 27 and {"Agedabia", "Bardia", "Jijiga", "Kismayu", "Cyrene"} <= set(taken)


def test_the_axis_of_sonnenblume() -> None:
    """SS 18.axis: two divisions at full strength, nine lost for good."""
    state = set_up("sonnenblume")
    assert stands(state, "Tripoli", "Buerat", "Giof el Matar", "Amba Alagi") == {
        "Tripoli": ["IT 102", "IT 132 Arm"], "Buerat": ["IT 17*"], "Giof el Matar": ["GE 21 Pz"],
        "Amba Alagi": ["IT GDS*", "IT inf BG"],
    }  # fmt: skip
    assert box(state, "@replacement", AXIS) == {"IT 60": 1, "IT arm BG": 1, "IT inf BG": 3}
    assert sum(box(state, "@eliminated", AXIS).values()) == 9 and not box(state, "@eliminated", ALLIED)


def test_cards_points_and_events_of_sonnenblume() -> None:
    """SS 18.1, 18.2 and 18.3: the game itself is begun; eight cards in hand, the removed ones in no pile."""
    found = run(table("sonnenblume").start(), [message(1, AXIS), message(2, ALLIED)], Seeds(2), 0)
    state = found.state
    assert (state.vp, state.turn) == (5, 4)
    played = ["Poor Morale", "Invasion of Greece", "Taranto Raid", "Compass", "Rommel", "Mediterranean Fleet"]
    assert list(state.events) == played
    assert bans(state, AXIS) == [], "Rommel came after the invasion of Greece (SS 7.44)"
    cards = state.world.cards
    numbers = {side: sorted(int(text(cards[c], "number")) for c in state.removed[side]) for side in (AXIS, ALLIED)}
    assert numbers == {AXIS: [2, 3, 7, 10, 13, 16, 18, 33], ALLIED: [2, 3, 5, 6, 7, 9, 13, 18, 29, 31]}
    for side, discard in ((AXIS, "Italian Fleet"), (ALLIED, "Mediterranean Fleet")):
        assert [text(state.world.cards[card], "name") for card in state.discards[side]] == [discard]
        assert len(state.hands[side]) == 8
        years = {text(state.world.cards[card], "year") for card in (*state.hands[side], *state.piles[side])}
        assert years == {"1940", "1941"}


def test_the_mountain_troops_are_an_option_in_use_by_default() -> None:
    """SS 19.11, rulings A57 and A58; the 6th British is none (SS faq.counters.2)."""
    assert WORLD.option("19.11") and not WORLD.option("19.13")
    assert not world_from_pack(PACK, "campaign", {"options": "none"}).option("19.11")
    placed = {row["unit"] for row in PACK["scenarios"][0]["units"]}
    assert "br-6" not in placed


def test_sonnenblume_lasts_five_turns() -> None:
    """SS 18.0: Spring 1941 to Spring 1942; the campaign ends with Spring 1943 (SS 16.1)."""
    state = set_up("sonnenblume")
    assert (turn_name(state.turn), turn_name(last_turn(state))) == ("Spring 1941", "Spring 1942")
    assert turn_name(last_turn(set_up("campaign"))) == "Spring 1943"


def test_sonnenblume_may_be_played_on() -> None:
    """SS 18.4, ruling A85: by agreement to the end of the campaign, and for its victory."""
    state = set_up("sonnenblume")
    state.vp = 6
    assert final(state) == ("allied", "SS 18.4")
    state.world = replace(state.world, switches={"scenario_played_on": "on"})
    assert turn_name(last_turn(state)) == "Spring 1943" and final(state) == ("axis", "SS 16.4")


def test_sonnenblume_begins_with_the_cards_it_names_in_hand() -> None:
    """SS 18.3, ruling A55: eight cards each, the Balkan Campaign and card 30 among them if they are taken; a fleet card
    is discarded."""
    game = table("sonnenblume")
    offers = {side: next(iter(offered(game.start(), side))) for side in (AXIS, ALLIED)}
    messages = [message(seq, side, {"type": "take", "card": offers[side]}) for seq, side in enumerate(offers, 1)]
    state = play(game, Checkpoint(game.start()), messages, Seeds(9)).state
    hands = {side: [text(state.world.cards[card], "name") for card in state.hands[side]] for side in (AXIS, ALLIED)}
    assert {side: len(cards) for side, cards in hands.items()} == {AXIS: 8, ALLIED: 8}
    assert "Balkan Campaign" in hands[AXIS] and "Commonwealth Reinforcements (1st South African)" in hands[ALLIED]
    assert state.discards == {AXIS: ["italian-fleet-5"], ALLIED: ["mediterranean-fleet-10"]}


def test_what_lands_with_torch() -> None:
    """SS torch.setup, torch.br, torch.us, faq.counters.5: the lists of the rulebook, with an armored battlegroup in
    Tebessa."""
    (torch,) = compile_scenarios(read_pack(pack_folder("shifting-sands")))["setups"]
    found: dict[str, list[str]] = {}
    for row in torch["units"]:
        star = "*" if row.get("step") == "reduced" else ""
        found.setdefault(row["at"], []).extend([row["kind"] + star] * int(row["count"]))
    west = {place: sorted(kinds) for place, kinds in found.items() if any(k[:2] in ("BR", "US", "FF") for k in kinds)}
    assert west == {
        "Algiers": ["BR 78*", "US 1 Arm*", "US 34"], "Bone": ["BR inf BG"],
        "Souk el Arba": ["BR arm BG", "BR inf BG", "FF_US inf BG"],
        "@reserve": ["FF_US inf BG"] * 2 + ["GE arm BG", "IT arm BG"] + ["US arm BG"] * 2 + ["US inf BG"] * 5,
        "Casablanca": ["US 3*", "US 9*", "US arm BG"], "Oran": ["US 1", "US arm BG", "US inf BG"],
        "Constantine": ["US inf BG"] * 2, "Tebessa": ["US arm BG", "US inf BG"], "Kasserine": ["FF_US inf BG"],
        "Le Sers": ["FF_US inf BG"], "Fondouk": ["FF_US inf BG"],
    }  # fmt: skip


def test_names_that_were_misprinted() -> None:
    """SS errata.card.X40, errata.map: as they should have been; the misprint is an alias."""
    world = world_from_pack(PACK, "campaign")
    names = " ".join(text(card, "name") for card in world.cards.values())
    assert "16th Pistoia, 136th Giovani Fascisti" in names and "Pistoria" not in names
    assert {"IT 16", "IT 136"} <= {one.kind for one in world.counters.values()}
    spaces = {row["name"]: row.get("aliases") or [] for row in PACK["spaces"]}
    assert {"Fondouk", "Matmata"} <= set(world.spaces) and not {"Fondoux", "Malmata"} & set(world.spaces)
    assert "Fondoux" in spaces["Fondouk"] and "Malmata" in spaces["Matmata"]


@pytest.mark.parametrize("name", ["Chad", "Oran", "Casablanca", "South Africa", "Persia", "India"])
def test_mountains_off_the_map(name: str) -> None:
    """SS faq.map.2, faq.map.4, faq.map.5, faq.map.6."""
    assert world_from_pack(PACK, "campaign").spaces[name].terrain == "mountain"


def test_bardia_is_libyan() -> None:
    """SS faq.map.7."""
    assert WORLD.in_region("Bardia", "Libya") and not WORLD.in_region("Bardia", "Egypt")


def test_every_name_that_the_rules_know_is_in_the_pack() -> None:
    """SS 12.83, 15.411, 15.413: a unit or an event of another spelling would be a rule that never comes to pass."""
    kinds = {one.kind for one in WORLD.counters.values()}
    events = {text(card, "name") for card in WORLD.cards.values()}
    unit_name = re.compile(rf'"((?:{"|".join(NATIONS)}) [A-Z0-9][^"]*)"')
    sources = [path.read_text("utf-8") for path in RULES.glob("*.py")]
    assert {name for source in sources for name in unit_name.findall(source)} <= kinds
    assert {name for source in sources for name in re.findall(r'played\("([^"]+)"\)', source)} <= events
    constants = {name for source in sources for name in re.findall(r'_EVENT = "([^"]+)"|_OPENS = "([^"]+)"', source)}
    assert {name for pair in constants for name in pair if name} <= events
