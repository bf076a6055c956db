"""Bombing (WD 20.F, 24.D, 24.E): attacks and their dice, what hits do, points that count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.bombing import (
    BombTable,
    aims,
    bomb,
    bomb_table,
    breaks_line,
    canal_points,
    chance_of,
    die_modifiers,
    grouping_problems,
    harassed_mp,
    harassment,
    hit_on_ground,
    hits_that_count,
    points,
    strike_of,
    strikes,
    support_counted,
)
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    CANAL,
    DEFENSIVE_SUPPORT,
    ESCORT,
    GROUND_SUPPORT,
    HARASS,
    PORT,
    TACTICAL_PORT,
    TURNED_BACK,
    Craft,
    Flight,
)
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.state import State, World
from tests.western_desert.dogfights import HEX, flight

TABLE = bomb_table(real_world())


def table_with(**switches: str) -> BombTable:
    """The table under house rules."""
    return bomb_table(World(real_world().board, {}, real_world().charts, switches=switches))


def bomber(aid: str, strength: int, kind: str = "B", mission: str = PORT, **more: object) -> Flight:
    """A flight with that bombing strength of either kind."""
    return flight(aid, f"1{kind}3", mission, tactical=strength, strategic=strength, **more)


def at(state: State, name: str) -> int:
    """The hex of a place."""
    return build.find_hex(state.board, name)


# --- attacks ----------------------------------------------------------------------------------------------------


def test_bombers_attack_together_or_singly() -> None:
    """WD 20.F: some or all may combine; fractions are dropped from the sum only (ruling BOMB-UNDER-2)."""
    flights = [bomber("A", 4, extended=True), bomber("B", 5), bomber("C", 5, extended=True)]
    found = strikes(TABLE, HEX, flights, [["A", "C"]])
    assert [(s.bombers, str(s.strength), s.column) for s in found] == [(("A", "C"), "3", "2-4"), (("B",), "5", "5-8")]
    assert [s.label for s in found] == [f"bomb/{HEX}/A", f"bomb/{HEX}/B"]
    assert [s.strength for s in strikes(TABLE, HEX, flights)] == [Fraction(4, 3), 5, Fraction(5, 3)]


def test_who_was_stopped_delivers_nothing() -> None:
    """WD 21.B.1, 22.B, 24.A.jettison: turned back, aborted, eliminated, or without its bombs."""
    stopped = [replace(bomber(fate, 3), fate=fate) for fate in ("turned_back", "aborted", "eliminated")]
    fighter = flight("F", "5F5", AIR_UNITS, tactical=2, jettisoned=True)
    assert points([*stopped, fighter, bomber("B", 3)]) == 3
    assert [s.bombers for s in strikes(TABLE, HEX, [*stopped, bomber("B", 3)], [["turned_back", "B"]])] == [("B",)]
    assert strikes(TABLE, HEX, stopped, [["turned_back", "aborted"]]) == ()


def test_a_dive_bomber_gets_its_bonus_back_when_the_other_was_stopped() -> None:
    """WD 24.D: only who takes part in the attack counts."""
    dive, other = bomber("D", 4, "D"), bomber("B", 4)
    assert strikes(TABLE, HEX, [dive, other], [["B", "D"]])[0].modifier == 0
    assert strikes(TABLE, HEX, [dive, replace(other, fate=TURNED_BACK)], [["B", "D"]])[0].modifier == 1


def test_missions_that_roll_nothing_make_no_attack() -> None:
    quiet = [bomber(m, 4, mission=m) for m in (GROUND_SUPPORT, DEFENSIVE_SUPPORT, HARASS, ESCORT)]
    assert strikes(TABLE, HEX, quiet) == ()


def test_the_night_bombs_after_the_day() -> None:
    """Ruling NIGHT-ORDER."""
    flights = [bomber("N", 4, night=True), bomber("D", 4)]
    assert [s.bombers for s in strikes(TABLE, HEX, flights)] == [("D",), ("N",)]


def test_an_attack_needs_an_air_unit() -> None:
    with pytest.raises(ValueError, match="needs an air unit"):
        strike_of(TABLE, HEX, [])


@pytest.mark.parametrize(
    ("groups", "codes"),
    [
        ([["A", "B"]], []),
        ([["A"], ["B"]], []),
        ([["A", "X"]], ["group_who"]),
        ([["A", "E"]], ["group_who"]),
        ([["A", "B"], ["A"]], ["group_twice"]),
        ([["A", "T"]], ["group_target"]),
        ([["A", "N"]], ["group_target"]),
        ([["A", "O"]], ["group_target"]),
    ],
)
def test_groups_bomb_one_target(groups: list[list[str]], codes: list[str]) -> None:
    """WD 20.F, 24.E: each makes one attack, with others of its mission, hex and time of day."""
    flights = [
        *(bomber("A", 4), bomber("B", 4), bomber("T", 4, mission=TACTICAL_PORT), bomber("N", 4, night=True)),
        *(bomber("O", 4, target=7), bomber("E", 4, mission=ESCORT)),
    ]
    found = grouping_problems(flights, groups)
    assert [problem.code for problem in found] == codes
    assert all(problem.rule == "WD 20.F" and problem.hint for problem in found)


# --- the die ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kinds", "night", "chart", "text"),
    [
        ("D", False, 1, 1),
        ("DD", False, 1, 1),
        ("DB", False, 0, 0),
        ("D", True, 0, 1),
        ("B", True, -1, 0),
        ("NB", True, -1, 0),
        ("HB", False, -1, 0),
        ("HB", True, -2, 0),
        ("B", False, 0, 0),
    ],
)
def test_what_the_die_gets(kinds: str, night: bool, chart: int, text: int) -> None:
    """WD 24.D, chart.bombing, rulings BOMB-MODS and NIGHT-BOMB, with the switch of the former."""
    codes = [kinds] if kinds in ("NB", "HB") else list(kinds)
    party = [bomber(f"X{n}", 4, code, night=night) for n, code in enumerate(codes)]
    assert strike_of(TABLE, HEX, party).modifier == chart
    assert strike_of(table_with(bomb_mods="text"), HEX, party).modifier == text
    assert all(change.rule.startswith("WD ") for change in die_modifiers(TABLE, party))


def test_a_heavy_bomber_among_others_costs_the_die_too() -> None:
    """Ruling BOMB-MODS: if any takes part."""
    assert strike_of(TABLE, HEX, [bomber("A", 4), bomber("H", 4, "HB"), bomber("D", 4, "D")]).modifier == -1


def test_a_strength_under_two_misses_without_a_die() -> None:
    """Ruling BOMB-UNDER-2, with its switch: a strength of 1 in the first column, less than that in none."""
    lone = strike_of(TABLE, HEX, [flight("F", "5F5", AIR_UNITS)])
    assert lone.strength == 1 and (lone.column, chance_of(TABLE, lone)) == ("", 0)
    pair = strike_of(TABLE, HEX, [flight("F", "5F5", AIR_UNITS), flight("G", "5F5", AIR_UNITS)])
    assert pair.strength == 2 and (pair.column, chance_of(TABLE, pair)) == ("2-4", 2)
    other = table_with(bomb_strength_1="first_column")
    assert other.column(Fraction(3, 2)) == "2-4" and other.column(Fraction(2, 3)) == ""
    assert chance_of(other, strike_of(other, HEX, [flight("F", "5F5", AIR_UNITS)])) == 2


@given(st.integers(0, 40), st.integers(-3, 9), st.sampled_from(["B", "D", "HB", "NB"]), st.booleans())
def test_more_strength_and_higher_dice_never_do_less(strength: int, die: int, kind: str, night: bool) -> None:
    """WD 20.F.table."""
    less, more = (strike_of(TABLE, HEX, [bomber("X", s, kind, night=night)]) for s in (strength, strength + 1))
    hits = [bomb(TABLE, less, die).hit, bomb(TABLE, more, die).hit, bomb(TABLE, more, die + 1).hit]
    assert hits == sorted(hits)
    assert chance_of(TABLE, less) == sum(bomb(TABLE, less, face).hit for face in range(1, 7))


def test_a_pack_without_the_table_is_refused() -> None:
    with pytest.raises(ChartMissing):
        bomb_table(World(real_world().board, {}, {}))
    with pytest.raises(ChartMissing, match="Suez Canal"):
        canal_points(World(real_world().board, {}, {"victory_points": []}), 1)


# --- what hits do -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "before", "hits", "counted"),
    [("Tripoli", 0, 3, 3), ("Tripoli", 9, 3, 1), ("Tobruk", 4, 9, 2), ("Derna", 4, 1, 0), ("Cairo", 0, 2, 0)],
)
def test_hits_on_ports_count_up_to_the_most(place: str, before: int, hits: int, counted: int) -> None:
    """WD 20.F.1.a, 20.F.2.g, 26.A.2; no port, no hit."""
    state = build.new_state(real_world().board)
    state.port_hits[at(state, place)] = before
    assert hits_that_count(state, at(state, place), "port", hits) == counted


def test_an_airbase_without_capacity_takes_no_more_hits() -> None:
    """WD 20.F.2.b."""
    state = build.new_state(real_world().board)
    h = at(state, "Tobruk")
    most = hits_that_count(state, h, "airbase", 99)
    assert most > 0
    state.base_hits[h] = most
    assert hits_that_count(state, h, "airbase", 1) == 0


def test_the_canal_is_worth_a_point_a_hit() -> None:
    """WD 20.F.1.b."""
    assert canal_points(real_world(), 3) == 3
    assert CANAL in {s.mission for s in strikes(TABLE, HEX, [bomber("A", 5, mission=CANAL)])}


def test_two_hits_eliminate_an_air_unit_on_the_ground() -> None:
    """WD 20.F.2.a."""
    assert hit_on_ground(True) == "inoperative" and hit_on_ground(False) == "eliminated"


def there(*rows: tuple[str, str, bool]) -> Mapping[str, tuple[Craft, bool]]:
    """Air units at a base: id, figures, operative."""
    return {aid: (flight(aid, figures).craft, operative) for aid, figures, operative in rows}


def test_the_attacker_names_the_air_unit_bombed() -> None:
    """Ruling AIR-TARGET: the next on the list where one has gone, by default operative and most valuable first."""
    base = there(("F1", "5F5", True), ("F2", "7F6", True), ("F3", "9F9", False))
    assert aims(real_world(), ["S1", "F1", "F2"], base) == ("F1",)
    assert aims(real_world(), ["S1"], base) == ("F2",)
    assert aims(real_world(), [], there(("F3", "9F9", False), ("F1", "1F1", True))) == ("F1",)
    assert aims(real_world(), ["F1"], {}) == ()
    chance = World(real_world().board, {}, real_world().charts, switches={"air_target_pick": "random"})
    assert aims(chance, ["F2"], base) == ("F1", "F2", "F3")


def test_bombs_break_a_line_once() -> None:
    """WD 20.F.2.f, 7.C."""
    board = build.mini_board()
    build.set_line(board, "rail", build.CENTRE, hexes.neighbours(build.CENTRE)[0])
    state = build.new_state(board)
    assert breaks_line(state, build.CENTRE)
    assert not breaks_line(state, board.find("C"))
    state.broken.add(build.CENTRE)
    assert not breaks_line(state, build.CENTRE)


# --- points -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strengths", "extended", "mp"), [([3, 2], False, 2), ([1], False, 0), ([4, 4, 4], True, 2), ([5], True, 0)]
)
def test_harassment_counts_by_two(strengths: list[int], extended: bool, mp: int) -> None:
    """WD 20.F.2.e: the points of the hex together, thirds added first (ruling HARASS-SCOPE for what they do)."""
    flights = [bomber(f"A{n}", s, mission=HARASS, extended=extended) for n, s in enumerate(strengths)]
    assert harassed_mp(harassment(flights)) == mp


def test_support_counts_up_to_the_printed_strength() -> None:
    """WD 20.F.2.c, 20.F.2.d, ruling GS-CAP: printed values, whatever supply makes of them."""
    assert support_counted(Fraction(7, 2), Fraction(3)) == 3
    assert support_counted(Fraction(7, 2), Fraction(4)) == Fraction(7, 2)
    state = build.new_state(build.mini_board(), "allied", "combat", "axis")
    build.put(state, build.make_unit("d", {"printed": 3}, "axis"), build.CENTRE)
    build.put(state, build.make_unit("a", {"printed": 3}, "allied"), state.board.find("A"))
    attack = Attack("allied", build.CENTRE, ("a",), ground_support=Fraction(9), defensive_support=Fraction(1, 2))
    found = odds(state, attack)
    assert found.ground_counted == 3 and found.defensive_counted == Fraction(1, 2)


def test_fighters_bomb_air_units_with_one_more() -> None:
    """WD 20.F.2.a, 24.A: and with their printed strength elsewhere."""
    raid = flight("F", "5F5", AIR_UNITS, tactical=1)
    assert points([raid]) == 2 and points([replace(raid, mission=AIRBASE)]) == 1
