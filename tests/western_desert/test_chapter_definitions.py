"""Definitions and charts, clause by clause: what no case can show (WD 3, 10.A, 12, unit identification)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from adjudicator.engine.core import Ctx, Order, Roll
from adjudicator.engine.dice import Local
from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.western_desert.board import compile_map
from adjudicator.packs.western_desert.check_map import MapCheck
from adjudicator.packs.western_desert.check_units import NATIONS, UnitCheck
from adjudicator.western_desert import armor
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.battle import charts_of as combat_charts_of
from adjudicator.western_desert.board import board_from_pack
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.strength import lone_strength
from adjudicator.western_desert.units import SIZE_RE2, default_re2, unit_from_pack
from tests.packs.support import FOLDER, pack
from tests.western_desert.ground import cites, compass, scattered, start
from tests.western_desert.skirmish import random_orders, random_position

TERRAINS = {"clear", "rough", "mountain", "sand", "swamp", "salt_marsh", "full_city"}
WET = {"major_river", "river", "canal", "sea", "lake"}
SIDES = {*WET, "escarpment", "mountain", "impassable", "wadi", "sebkha", "border"}


def faults_of(check: type[UnitCheck] | type[MapCheck], files: PackFiles | None = None) -> list[str]:
    """The codes of what a check finds wrong with the pack, or with other files."""
    faults = Faults()
    check(files or read_pack(FOLDER), faults).run()
    return [fault.code for fault in faults.found]


def test_a_unit_is_a_ground_unit() -> None:
    """WD 3.A: an air unit is none, and no order of movement moves one."""
    state = start()
    air = sorted(state.world.air)[0]
    assert air not in state.world.units
    made = plan(Searches(state, "allied"), "allied", Order(0, "move", {"unit": air, "to": "19/0825"}))
    assert cites(made.problems) == ["WD 3.A"]


def test_nations_make_the_sides_and_vichy_is_neither() -> None:
    """WD 3.B, chart.colors."""
    assert {"british", "australian", "new_zealand", "south_african", "indian", "free_french", "polish", "czech"} <= set(
        NATIONS["allied"]
    )
    for unit in compass().units.values():
        assert unit.nat in NATIONS[unit.side], unit.id
    assert faults_of(UnitCheck) == []
    files = read_pack(FOLDER)
    row = next(row for row in files.rows("counters.yaml", "counters") if row["nat"] == "italian")
    row["nat"] = "polish"
    assert "nation" in faults_of(UnitCheck, files)
    assert {unit.side for unit in compass().units.values()} == {"allied", "axis", "vichy"}


@pytest.mark.parametrize("side", ["allied", "axis"])
def test_vichy_ground_is_closed_to_both_and_vichy_units_move_for_nobody(side: str) -> None:
    """WD 3.B: Vichy forces begin neutral."""
    state = start()
    state.player = side
    levant = [h for h in state.board.land if state.board.in_region(h, "Levant")]
    assert levant
    assert all(graph_of(state).closed(h) for h in levant)
    vichy = next(uid for uid, unit in sorted(state.world.units.items()) if unit.side == "vichy")
    state.place(vichy, levant[0])
    order = Order(0, "move", {"unit": vichy, "to": state.board.name(levant[1])})
    assert "WD 4.B" in cites(plan(Searches(state, side), side, order).problems)


def test_every_combat_takes_one_die_and_every_step_of_supply_one() -> None:
    """WD 3.D.3: two dice only where the rules name two, and none of the ground rules do."""
    rolls: list[Roll] = []
    for seed in range(60):
        state = random_position(seed)
        local = Local(Random(seed).randrange)

        def noted(seq: int, roll: Roll, local: Local = local) -> tuple[int, ...]:
            rolls.append(roll)
            return local(seq, roll)

        drive(combat_phase(Ctx(state, apply), state.player, random_orders(seed, state), (1,)), noted)
    assert {roll.kind for roll in rolls} >= {"combat"}
    assert all(roll.count == 1 for roll in rolls if roll.kind == "combat")
    assert all(roll.count in (1, 2) and roll.faces == 6 for roll in rolls)


def test_the_canal_runs_from_port_said_to_suez() -> None:
    """WD 3.C.suez-canal."""
    board = compass().board
    canal = {pair for pair, kind in board.sides.items() if kind == "canal"}
    beside = {h for pair in canal for h in pair}
    ends = [board.places[name].hex for name in ("Port Said", "Suez")]
    reached = {ends[0]}
    while more := {b for a, b in canal if a in reached} - reached:
        reached |= more
    assert reached == beside
    assert set(ends) <= beside
    files = read_pack(FOLDER)
    sides = files.files["map.yaml"]["hexsides"]
    gap = next(row for row in sides if row["kind"] == "canal")
    gap["kind"] = "river"
    assert faults_of(MapCheck) == []
    assert set(faults_of(MapCheck, files)) == {"canal"}


def test_a_bare_name_is_the_libyan_city() -> None:
    """WD 3.C.tripoli: the other Tripoli and the other Homs go by their country."""
    places = {str(row["name"]): row for row in compile_map(read_pack(FOLDER))["places"]}
    for name, country in (("Tripoli", "Lebanon"), ("Homs", "Syria")):
        assert (places[name]["country"], f"{name}, Libya" in places[name]["aliases"]) == ("Libya", True)
        assert f"{name}, {country}" in places[f"{name} ({country})"]["aliases"]


def test_a_unit_has_three_armor_and_antitank_capabilities() -> None:
    """WD 10.A: AECA in the attack, AECD and ATEC in the defense; each has one of four values (WD 10.B)."""
    assert armor.CATEGORIES == ("aeca", "aecd", "atec")
    for unit in compass().units.values():
        for category in armor.CATEGORIES:
            assert armor.capability(unit, category) in ("none", "neutral", "half", "full"), unit.id
    panzer = next(unit for unit in compass().units.values() if unit.nat == "german" and unit.type == "panzer")
    assert [armor.capability(panzer, name) for name in armor.CATEGORIES] == [panzer.aeca, panzer.aecd, panzer.atec]
    assert panzer.aeca == "full"


@pytest.mark.parametrize(
    ("general", "attack_supply", "attack", "defense"),
    [(True, False, 2, 4), (False, False, 1, 2), (True, True, 4, 4), (False, True, 4, 2)],
)
def test_supply_decides_what_strength_is_worth(general: bool, attack_supply: bool, attack: int, defense: int) -> None:
    """WD 12: general supply for all but attacks, attack supply for attacks, whatever the general supply."""
    state = start()
    unit = next(
        unit for unit in state.world.units.values() if unit.supported and unit.attack == unit.defense == Fraction(4)
    )
    charts = combat_charts_of(state)
    assert lone_strength(charts, unit, "attack", general, attack_supply) == attack
    assert lone_strength(charts, unit, "defense", general, attack_supply) == defense


def test_the_legend_names_what_the_map_shows() -> None:
    """WD chart.map-legend: the rules know each terrain and hexside of the legend, and the map has no other."""
    board, charts = board_from_pack(pack().tree), charts_of(compass())
    assert {info.terrain for info in board.land.values()} <= TERRAINS
    assert {terrain for terrain, _column in charts.terrain} >= TERRAINS
    kinds = {kind.removesuffix("_up").removesuffix("_down") for kind in board.sides.values()}
    assert kinds <= SIDES
    assert set(charts.sides) >= SIDES
    assert {city.size for info in board.land.values() for city in info.cities} == {"full", "dot", "ref"}


def test_counters_are_read_as_they_are_printed() -> None:
    """WD chart.counter, chart.unit-id: attack, defense, movement; the mark of support; the cadre on the back."""
    rows = {row["id"]: row for row in pack().rows("counters")}
    units = {uid: unit_from_pack(row) for uid, row in rows.items()}
    assert units == compass().units
    for uid, unit in units.items():
        row = rows[uid]
        printed = [str(row.get(key, "0")) for key in ("attack", "defense", "movement")]
        assert [str(unit.attack), str(unit.defense), str(unit.movement)] == printed, uid
        assert unit.supported == (row["supported"] == "yes" or unit.artillery), uid
        assert (unit.back is not None) == ("cadre" in row), uid
        if unit.back is not None:
            assert (str(unit.back.attack), unit.back.size, unit.back.giver) == (row["cadre"], "cadre", False), uid
        assert unit.motorized == (row["caps"]["motorized"] == "yes"), uid


def test_sizes_are_those_of_the_chart() -> None:
    """WD chart.unit-size: a battalion is half an RE, a Divisionsgruppe a cadre; counters without a size have none."""
    assert {unit.size for unit in compass().units.values()} <= {*SIZE_RE2, "division"}
    assert [default_re2(size, "german") for size in ("battalion", "regiment", "brigade", "none")] == [1, 2, 2, 0]
    assert all(unit.back.size == "cadre" for unit in compass().units.values() if unit.back)


def test_other_actions_cost_what_the_chart_says() -> None:
    """WD chart.misc: entraining 1, breaking a railroad 3."""
    charts = charts_of(compass())
    assert (charts.misc2["entrain"], charts.misc2["break_rail"]) == (2, 6)


def test_halves_are_kept() -> None:
    """WD 3.D.1: a rating of 7 out of supply is 3 1/2, a third halving is no rounding either."""
    charts = charts_of(compass())
    assert charts.movement(7, False) == 7
    state = scattered(3)
    unsupplied = [uid for uid in state.pieces if not state.pieces[uid].gs and state.unit(uid).movement]
    assert all(charts.movement(state.unit(uid).movement, False) == state.unit(uid).movement for uid in unsupplied)
