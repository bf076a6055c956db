"""docs/state-format.md says what events and position of Shifting Sands really are: kinds, fields, functions, keys."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace

from adjudicator.shifting_sands import apply as changes
from adjudicator.shifting_sands import fight as fights
from adjudicator.shifting_sands import position as positions
from adjudicator.shifting_sands.fight import Fight, Planned
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.played import PlayedCard
from adjudicator.shifting_sands.state import Ops, State
from tests.report.test_shifting_sands_words import FIELDS
from tests.report.test_state_format import codes, table_rows
from tests.shifting_sands.rounds import FIRST_ROUNDS, first_rounds

READERS = ("get", "listed", "text", "texts", "planned_of")


def page() -> dict[str, tuple[str, set[str]]]:
    """Kind, function and fields of the table of events."""
    rows = table_rows("Events of Shifting Sands")
    return {kind.strip("`"): (function.strip("`"), codes(fields)) for kind, function, fields in rows}


def test_every_kind_stands_on_the_page_with_the_function_that_applies_it() -> None:
    found = {kind: function for kind, (function, _fields) in page().items()}
    assert found == {kind: function.__name__ for kind, function in changes.APPLY.items()}


def fields_read(source: str) -> set[str]:
    """The field names that a function asks an event for."""
    return {
        str(arg.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in READERS
        for arg in node.args[1:2]
        if isinstance(arg, ast.Constant)
    }


def test_apply_reads_documented_fields_only() -> None:
    for kind, function in changes.APPLY.items():
        assert fields_read(inspect.getsource(function)) <= page()[kind][1], kind


def test_the_combat_under_way_reads_documented_fields_only() -> None:
    for kind, function in fights._CHANGES.items():
        assert fields_read(inspect.getsource(function)) <= page()[kind][1], kind


def test_events_of_played_rounds_have_documented_fields_only() -> None:
    for salt in ("s0", "s6", "s13", "s15", "s20"):
        for seq in range(len(FIRST_ROUNDS) + 3):
            for event in first_rounds(salt).events(seq):
                given = {name for name, value in event.data.items() if value not in ("", [], {})}
                assert given <= page()[event.kind][1], event


def test_events_made_up_for_tests_have_documented_fields_only() -> None:
    for kind, data in FIELDS.items():
        assert set(data) <= page()[kind][1], kind


def rich_state() -> State:
    """A state in which nothing has its default, so that every key of the position is written."""
    state = first_rounds("s6").before(8).copy()
    state.phase = state.step = "round"
    piece = state.pieces["it-62"]
    piece.start, piece.reduced, piece.supply = "Bardia", True, "limited"
    piece.moved = piece.joined = piece.fought = piece.retreated = True
    state.control["Bardia"], state.markers["Tobruk"] = "allied", "move"
    state.ops, state.rp = Ops(3, "card", 2), {"IT": "1/2"}
    state.events, state.fresh, state.released = {"Balbo": 1}, ["Balbo"], {"VF"}
    state.history, state.last_history = {"axis": {1: "ops"}}, {"allied": {6: "auto"}}
    state.rommel, state.combats, state.attacked = "Halfaya", 1, ["Halfaya"]
    state.ordered = (Planned(1, "Halfaya", ("it-62",)),)
    combat = Combat("Halfaya", "axis", ("it-62",), ("br-inf-bg-5",), ("Bardia",), "success", rommel=True)
    combat = replace(combat, cards=(PlayedCard("attacker", "1.5", "air-support-9"),))
    state.fight = Fight(
        combat, True, (("attacker", 3),), True, "attacker", 2, True, (("Halfaya", "Sidi Barrani", "Mersa Matruh"),)
    )
    state.face_up, state.used = {"axis": ["1.5"]}, {"axis": ["1.5"]}
    state.opened = {"axis": {"1.5": "air-support-9"}}
    piece.redeployed = True
    state.rd_left, state.german_company, state.missions = 2, 1, 1
    state.winner, state.charter, state.awarded = "axis", "BR", 1
    state.landed, state.uprising = ["Tobruk"], {"Cairo"}
    state.hidden, state.resorting = True, {"axis": "resort"}
    state.reinforced, state.scored, state.leaving = {"axis": ["GE"]}, ["Italian Fleet"], "balbo-4"
    state.mandates, state.delayed = {"Orders from Rome": "open"}, {"ge-15-pz": "Afrika Korps"}
    state.upgrades, state.arrived = {"br-7-arm": "br-7-arm-u1"}, {"ge-21-pz": 3}
    return state


def test_every_key_of_the_position_stands_on_the_page() -> None:
    tree = positions.position(rich_state())
    found: dict[str, set[str]] = {}
    for keys, what in table_rows("The position of Shifting Sands"):
        for key in codes(keys):
            found[key] = codes(what)
    assert set(tree) == set(found)
    for key, value in tree.items():
        first = value[0] if isinstance(value, list) else value
        if isinstance(first, dict):
            assert set(first) <= found[key], key


def test_a_rich_position_is_read_back_the_same() -> None:
    state = rich_state()
    tree = positions.position(state)
    again = positions.restore(state.world, tree)
    assert positions.position(again) == tree
    assert again.fight == state.fight
    assert again.ordered == state.ordered


def test_positions_of_played_rounds_are_read_back_the_same() -> None:
    for seq in range(3, len(FIRST_ROUNDS) + 4):
        state = first_rounds("s13").before(seq)
        tree = positions.position(state)
        assert positions.position(positions.restore(state.world, tree)) == tree


def test_the_page_names_the_form() -> None:
    assert positions.position(rich_state())["format"] == positions.FORMAT == "1"
