"""docs/state-format.md says what events and position really are: kinds, fields, who applies them, keys."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import replace

from adjudicator.western_desert import apply as changes
from adjudicator.western_desert import position as positions
from adjudicator.western_desert.air.events import AIR_APPLY
from adjudicator.western_desert.state import Air, Boxed, Depot, Site, Sortie, State, Supply
from adjudicator.western_desert.theatre.record import Theatre
from adjudicator.western_desert.world import first_state
from tests.report.battles import fought
from tests.report.support import HERE, fixture, names, rows
from tests.western_desert.ground import compass

PAGE = (HERE.parents[1] / "docs" / "state-format.md").read_text(encoding="utf-8")
COMMON = {"kind", "rule", "on", "by", "see"}


def table_rows(title: str) -> Iterator[list[str]]:
    """The cells of the table below a heading."""
    part = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    for line in part.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def codes(text: str) -> set[str]:
    """Words in backticks."""
    return set(re.findall(r"`([a-z_]+)`", text))


def pages() -> dict[str, tuple[str, set[str]]]:
    """By kind of event the function that applies it and the fields, out of both tables; no kind stands in both."""
    found: dict[str, tuple[str, set[str]]] = {}
    for title in ("Events of Western Desert", "Events of the air phase of Western Desert"):
        for kind, function, fields in table_rows(title):
            assert kind.strip("`") not in found, kind
            found[kind.strip("`")] = (function.strip("`"), codes(fields))
    return found


def test_every_kind_stands_on_the_page_with_the_function_that_applies_it() -> None:
    page = {kind: function for kind, (function, _fields) in pages().items()}
    assert page == {kind: function.__name__ for kind, function in changes.APPLY.items()}


def test_the_events_of_the_air_phase_have_a_table_of_their_own() -> None:
    title = "Events of the air phase of Western Desert"
    assert {kind.strip("`") for kind, _function, _fields in table_rows(title)} == set(AIR_APPLY)


def test_apply_reads_documented_fields_only() -> None:
    """What a function of apply.py or air/events.py asks an event for stands in the row of each kind it applies."""
    for kind, function in changes.APPLY.items():
        assert fields_read(inspect.getsource(function)) <= pages()[kind][1], kind


def fields_read(source: str) -> set[str]:
    """The field names in calls of `_get` and `_list`, and in tests whether an event has a field."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_get", "_list"):
            found |= {str(arg.value) for arg in node.args[1:2] if isinstance(arg, ast.Constant)}
    return found


def test_events_of_the_fixtures_have_documented_fields_only() -> None:
    page = pages()
    for name in names():
        for row in rows(fixture(name), "events"):
            assert set(row) - COMMON <= page[row["kind"]][1], (name, row["kind"])


def test_events_of_battles_have_documented_fields_only() -> None:
    page = pages()
    for seed in range(40):
        for event in fought(seed)[1]:
            assert set(event.data) <= page[event.kind][1], event.kind


def rich_state() -> State:
    """A state in which nothing has its default, so that every key of the position is written."""
    state = first_state(compass())
    h, other = state.board.find("18/4818"), state.board.find("19/0325")
    state.player, state.surprise = "allied", True
    state.captured, state.split, state.smp2 = 1, 1, 3
    state.place("in-4-xx", h, cadre=True)
    piece = state.pieces["in-4-xx"]
    piece.gs, piece.spent2, piece.entered, piece.means, piece.rail, piece.start = False, 3, 1, "normal", 1, other
    piece.attacked = piece.defended = piece.retreated = piece.dropped = True
    piece.carrier, piece.admin = "transport-1", True
    piece.dot, piece.re2 = True, 4
    state.gone["it-62"] = "eliminated"
    state.boxes["br-7-sg"] = Boxed("assembled", "br-7-arm-xx", cadre=True)
    state.supply["supply-axis-3"] = Supply(h, "axis", 1, 3)
    sortie = Sortie("air_drop", other, 1, True, True, True, "air-dfs-230-1", ("it-62",), "turned_back")
    sortie = replace(sortie, land=(h,), targets=("air-cr-42-2",), hits="port", party="air-cr-42-1")
    state.air["air-cr-42-1"] = Air(h, False, sortie, ((5, True),), True)
    state.harassing[h], state.take_offs[h] = 2, 1
    state.boxes["nz-2-hq"], state.levant = Boxed("assembled", "nz-2-xx"), "open"
    state.control[h], state.taken[h], state.forts[h] = "allied", "axis", "axis"
    state.unimproved.add(h)
    state.depots["supply-axis-arrived-1"], state.arrived = Depot("europe", "axis", 2), 1
    state.points, state.afar, state.owed = {"british_armor": 4}, {"italian_armor": 8}, {"german_air": 8}
    state.vp2, state.converted = {"axis": -4}, ("convert-41-03-1-br-22g",)
    state.tally, state.level = {("axis", "WD 29.C.missing"): -4}, "draw"
    state.met, state.conquered = frozenset({"axis/egypt"}), frozenset({"malta"})
    state.used2, state.still = {h: 3}, frozenset({"au-16"})
    state.theatre = Theatre("axis", "air", 12, 23, 17, vichy_cities=frozenset({other}))
    state.malta, state.shipped2, state.voyages, state.turned = 8, 4, 1, frozenset({"ge-5pz"})
    state.broken.add(h)
    state.built["line"], state.harassed[h] = 1, 2
    piece.acted, state.divisional = True, "in-4-xx"
    state.airfields[h], state.port_hits[h], state.base_hits[h] = "axis", 2, 1
    state.sites[(h, "fort")] = Site("axis", 1, "it-10cons")
    return state


def test_every_key_of_the_position_stands_on_the_page() -> None:
    tree = positions.position(rich_state())
    page: dict[str, set[str]] = {}
    for keys, what in table_rows("The position of Western Desert"):
        for key in codes(keys):
            page[key] = codes(what)
    assert set(tree) == set(page)
    for key, value in tree.items():
        first = value[0] if isinstance(value, list) else value
        if isinstance(first, dict):
            assert set(first) <= page[key], key


def test_the_page_names_the_form() -> None:
    assert f"Form **{positions.FORMAT}**" in PAGE
    assert positions.position(rich_state())["format"] == positions.FORMAT
