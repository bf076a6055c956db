"""Rules follow what the cards say: an overlay gives an event other effects, and these hold instead of the pack's."""

from __future__ import annotations

import ast
import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from adjudicator.packs import load_pack
from adjudicator.packs.files import read_pack
from adjudicator.packs.overlay import lay, read_overlay
from adjudicator.shifting_sands import named
from adjudicator.shifting_sands.access import entry
from adjudicator.shifting_sands.attrition import stand_ins
from adjudicator.shifting_sands.card_rules import card_problems
from adjudicator.shifting_sands.designate import rommel_problems
from adjudicator.shifting_sands.fire import Combat, drm_of
from adjudicator.shifting_sands.game import GAME
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.redeploy import port_problem, rd_problems
from adjudicator.shifting_sands.stacking import limit, room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import Trace, supply_of_counter
from adjudicator.shifting_sands.victory import by_spaces
from adjudicator.shifting_sands.world import Counter
from tests.packs.shifting_sands import FOLDER, card
from tests.shifting_sands.rounds import first_rounds
from tests.shifting_sands.support import ALLIED, AXIS, order

RULES = Path(named.__file__).parent
HARNESS = ("cases", "named.py")
"""What reads the cases of the suite, and the names that rules of the rulebook use."""


@cache
def files() -> bytes:
    """The data files of the pack."""
    return pickle.dumps(read_pack(FOLDER))


def typed(event: str, *effects: str, also: str = "") -> State:
    """The campaign a while on, over a pack in which an event does just this; the event was played."""
    lines = "".join(f"  - {{{effect}}}\n" for effect in effects)
    text = f"overlay: shifting-sands\ncards:\n- id: {card(event)['id']}\n  effects:\n{lines}{also}"
    found = lay(pickle.loads(files()), read_overlay(text.encode(), "mine.yaml"))
    assert found.tree is not None, [str(fault) for fault in found.faults]
    state = restore(GAME.table(found.tree, "campaign", {}).world, position(first_rounds().before(3)))
    state.events[event] = state.turn
    return state


def counter(nation: str, size: str = "battlegroup") -> Counter:
    """A unit of a nation that is nowhere."""
    return Counter(f"some-{nation}", nation, size, "infantry", (1, 1), 1, 3)


def at(state: State, nation: str, place: str, count: int) -> list[str]:
    """Battlegroups of a nation, moved into a space which they have to themselves."""
    for uid in list(state.units_in(place)):
        state.shift(uid, "@reserve")
    able = [u for u, one in sorted(state.world.counters.items()) if one.nation == nation and not one.division][:count]
    for uid in able:
        state.place(uid, place)
    state.control[place] = state.counter(able[0]).side
    return able


def test_higher_stacks_are_those_of_the_card() -> None:
    """SS 8.1: nations, number, region, and one space or all."""
    state = typed("Patton", "do: stacking, nations: [IT, GE], limit: 5, region: [Libya], spaces: all, rule: 8.1")
    at(state, "IT", "Tripoli", 5)
    at(state, "IT", "Benghazi", 5)
    assert [limit(state, place, AXIS) for place in ("Tripoli", "Benghazi")] == [5, 5]
    at(state, "GE", "Derna", 2)
    assert room(state, "Derna", AXIS, "GE") == 3
    one = typed("Patton", "do: stacking, nations: [IT], limit: 6, region: [Libya], spaces: 1, rule: 8.1")
    at(one, "IT", "Tripoli", 4)
    at(one, "IT", "Benghazi", 4)
    assert [limit(one, place, AXIS) for place in ("Benghazi", "Tripoli")] == [6, 3]
    assert room(one, "Derna", AXIS, "IT") <= 3
    nobody = typed("Montgomery", "do: source, spaces: [Benghazi, Tobruk], user: british_group, rule: 13.25")
    at(nobody, "BR", "Cairo", 4)
    assert limit(nobody, "Cairo", ALLIED) == 3


def test_modifiers_end_with_the_event_whose_card_ends_them() -> None:
    """SS 11.261, 11.262."""
    for event, effect, left in (
        ("Poor Morale", "do: end_drm, nations: [IT], rule: 11.261", 0),
        ("Poor Morale", "do: end_drm, nations: [US, FF_US], rule: 11.262", 1),
        ("Balbo", "do: nothing", 1),
    ):
        state = typed(event, effect)
        (uid,) = at(state, "IT", "Bardia", 1)
        combat = Combat("Halfaya", AXIS, (uid,), (), ("Bardia",))
        assert len([m for m in drm_of(state, combat, "attacker") if m.name == "italians"]) == left, event


def test_a_modifier_for_either_role_helps_both() -> None:
    state = typed("Command Friction",
                  "do: drm, side: axis, role: either, region: [Libya], value: 1, until: end_of_turn")
    (uid,), (foe,) = at(state, "IT", "Bardia", 1), at(state, "BR", "Halfaya", 1)
    assert any(m.name == "Command Friction" for m in drm_of(
        state, Combat("Tobruk", AXIS, (uid,), (), ("Bardia",)), "attacker"))
    assert any(m.name == "Command Friction" for m in drm_of(
        state, Combat("Bardia", ALLIED, (foe,), (uid,), ("Halfaya",)), "defender"))


def test_full_supply_is_given_where_and_to_whom_the_card_says() -> None:
    """SS 13.22, 13.23, 13.421: elsewhere it lasts three spaces."""
    plain, given = typed("Vulcan", "do: nothing"), typed(
        "Vulcan", "do: full_supply, region: [Egypt, Libya], side: axis, rule: 13.421")
    unit, towns = counter("IT"), ("Derna", "Gazala", "Tobruk")
    far = next(name for name in towns if supply_of_counter(plain, unit, name).status == "limited")
    assert supply_of_counter(given, counter("IT"), far).status == "full"
    east = typed("Ethiopian Campaign", "do: nothing")
    kept = typed("Battleaxe", "do: full_supply, region: [East Africa], side: allied, rule: 13.22")
    assert supply_of_counter(east, counter("BR"), "Nairobi").status == "limited"
    assert supply_of_counter(kept, counter("BR"), "Nairobi").status == "full"


def test_ports_open_for_supply_and_redeployment_as_the_card_says() -> None:
    """SS 13.54, 12.71, 12.72."""
    state = typed("Graziani", "do: supply_port, spaces: [Benghazi, Mersa Matruh], user: ge_it, rule: 13.54",
                  "do: rd_ports, side: axis, spaces: [Beirut], rule: 12.71")
    assert Trace(state, counter("IT"), frozenset({"Benghazi", "Mersa Matruh"})).port("Benghazi")
    assert Trace(state, counter("IT"), frozenset({"Mersa Matruh"})).port("Mersa Matruh")
    assert not Trace(state, counter("BR"), frozenset({"Benghazi"})).port("Benghazi")
    state.control["Beirut"] = AXIS
    assert port_problem(state, counter("IT"), "Beirut") is None
    del state.events["Graziani"]
    assert port_problem(state, counter("IT"), "Beirut") is not None
    assert not Trace(state, counter("IT"), frozenset({"Benghazi"})).port("Benghazi")


def test_lands_and_oases_open_with_the_event_that_says_so() -> None:
    """SS 9.21, 9.22, 10.421, 10.431."""
    state = typed("Graziani", "do: open, terrain: [oasis], side: axis, rule: 9.21",
                  "do: range, nations: [IR], region: [Egypt], combat_cards: no, rule: 10.421")
    assert entry(state, counter("IT", "division"), "Siwa") is None
    refused = entry(state, counter("BR"), "Siwa")
    assert refused is not None and "until Long Range Desert Group is played" in refused.text
    assert entry(state, counter("IR"), "Cairo") is None
    assert entry(state, counter("IR"), "Damascus") is not None and entry(state, counter("VF"), "Cairo") is not None


def test_company_in_the_near_east_is_that_of_the_card() -> None:
    """SS 12.83: so many of a kind a turn, where and beside whom."""
    state = typed("Graziani", "do: rd_company, unit: IT inf BG, per_turn: 2, region: [Syria], nations: [VF], units: "
                              "[GE 5 Mtn], rule: 12.83")
    state.released = {"VF", "IR"}
    beside = next(at_ for at_ in ("Damascus", "Palmyra", "Aleppo", "Beirut") if state.friends(at_, AXIS))
    uid = next(u for u in state.side_units(AXIS)
               if state.counter(u).nation == "IT" and not state.counter(u).division and not state.counter(u).armor)
    state.shift(uid, "@reserve")
    state.active, state.rd_left = AXIS, 5
    wanted = order(0, "rd", {"unit": uid, "to": beside})
    assert rd_problems(state, AXIS, wanted) == []
    state.german_company = 1
    assert rd_problems(state, AXIS, wanted) == []
    state.german_company = 2
    assert [p.code for p in rd_problems(state, AXIS, wanted)] == ["company"]
    state.german_company, state.events = 0, {}
    assert [p.code for p in rd_problems(state, AXIS, wanted)] == ["where"]


def test_rommel_the_egyptians_and_victory_follow_their_effects() -> None:
    """SS 11.274, 13.82, 16.3."""
    egyptians = "do: place, unit: EG inf BG, count: 2, where: reserve, step: full"
    state = typed("Kesselring", "do: rommel_shift, value: 1, rule: 11.274", "do: victory, variant: torch, rule: 16.3",
                  egyptians, also="- {id: egyptian-uprising-6, effects: [{do: nothing}]}\n")
    assert not any("has not come" in p.text for p in rommel_problems(state, AXIS, [], "Halfaya"))
    away = typed("Balbo", "do: nothing")
    assert any("has not come" in p.text for p in rommel_problems(away, AXIS, [], "Halfaya"))
    assert any(one.nation == "EG" for one in stand_ins(state, AXIS))
    assert not any(one.nation == "EG" for one in stand_ins(typed("Balbo", "do: nothing"), AXIS))
    state.control |= {"Tripoli": ALLIED, "Tunis": ALLIED, "Alexandria": ALLIED}
    assert by_spaces(state) == (ALLIED, "SS 16.3c")
    state.control["Tunis"] = AXIS
    assert by_spaces(state) == ("", "")


def test_a_combat_card_asks_for_what_was_played_and_its_house_rules() -> None:
    """SS 7.521, 11.25: both events of a condition belong together; a switch of a combat card adds to what it asks."""
    pair = "do: combat, role: either, drm: 1, requires: [{if_played: Rommel, then_played: Montgomery}]"
    name = card("Afrika Korps")["id"]
    state = typed("Afrika Korps", pair, also="  switches: [{option: 19.22, adds: [{not_played: Patton}]}]\n")
    (uid,) = at(state, "GE", "Bardia", 1)
    state.hands[AXIS] = [name]
    combat = Combat("Halfaya", AXIS, (uid,), (), ("Bardia",))

    def codes(*events: str) -> list[str]:
        state.events = dict.fromkeys(events, 1)
        return [problem.code for problem in card_problems(state, combat, "attacker", name, name)]

    assert codes() == codes("Rommel", "Montgomery") == []
    assert codes("Rommel") == ["requires"]
    state.world = replace(state.world, switches={"options": "19.22"})
    assert codes("Patton") == ["early"] and codes() == []


def names_in(path: Path) -> set[str]:
    """The names of cards that a module of the rules has as texts of their own."""
    names = {str(row["name"]) for row in load_pack("shifting-sands").rows("cards")}
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {str(n.value) for n in nodes if isinstance(n, ast.Constant)} & names


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES)))
def test_the_rules_name_no_card_but_those_of_the_rulebook(path: Path) -> None:
    found = names_in(path) if path.relative_to(RULES).parts[0] not in HARNESS else set()
    assert found <= SAID.get(path.name, set()), "let the rule follow an effect, or enter the name in named.py"


SAID = {"fire.py": {"Rommel"}, "prospects.py": {"Rommel"}}
"""Words that are no names of cards there: the column shift of Rommel Participating."""


def test_the_names_that_rules_use_are_cards() -> None:
    cards = {str(row["name"]) for row in load_pack("shifting-sands").rows("cards")}
    assert set(named.RULES) <= cards
    assert names_in(RULES / "named.py") == set(named.RULES)
