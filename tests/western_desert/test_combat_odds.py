"""Odds, columns, die, exact chances (WD 9.A)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.combat_charts import MILDNESS, ChartFault, combat_charts
from adjudicator.western_desert.odds import at_least, odds, odds_column
from adjudicator.western_desert.state import World
from tests.western_desert.skirmish import ALLIED, AXIS, position, random_position, unit

CHARTS = combat_charts(build.real_world())


def test_text_example_of_odds() -> None:
    assert odds_column(CHARTS, Fraction(34), Fraction(9)) == "3:1"


@given(st.fractions(min_value=Fraction(1, 8), max_value=60), st.fractions(min_value=Fraction(1, 8), max_value=60))
def test_a_column_is_the_highest_whose_ratio_is_reached(attack: Fraction, defense: Fraction) -> None:
    column = odds_column(CHARTS, attack, defense)
    reached = [name for name, least in CHARTS.columns if attack >= least * defense]
    assert column == (reached[-1] if reached else "none")
    assert all(at_least(CHARTS, column, name) for name in reached)


@given(st.integers(0, 400))
def test_chances_are_exact_and_complete(seed: int) -> None:
    state = random_position(seed)
    for uid in state.side_units(ALLIED):
        found = odds(state, Attack(ALLIED, state.hex_of(uid), (uid,)))
        if found.column == "auto":
            continue
        chances = found.chances()
        assert sum(chances.values()) == 1
        assert all(
            chance == Fraction(sum(found.result(d) == r for d in range(1, 7)), 6) or found.settled
            for r, chance in chances.items()
        )
        if not found.settled:
            mildest = min(MILDNESS.index(result) for result in chances)
            assert MILDNESS.index(found.result(found.mildest_die())) == mildest


def test_odds_below_the_table_by_each_switch() -> None:
    state = position({"A": [unit("a", ALLIED, 1)], "T": [unit("d", AXIS, 8)]})
    attack = Attack(ALLIED, state.board.find("T"), ("a",))
    assert (odds(state, attack).column, odds(state, attack).settled) == ("none", "AE")
    state.world.switches = {"odds_below_1_3": "use_1_3"}
    assert (odds(state, attack).column, odds(state, attack).settled) == ("1:3", "")


def test_a_unit_that_retreated_in_adds_nothing_by_default_and_defends_by_the_switch() -> None:
    state = position({"A": [unit("a", ALLIED, 6)], "T": [unit("d", AXIS, 2), unit("r", AXIS, 2)]})
    state.pieces["r"].retreated = True
    attack = Attack(ALLIED, state.board.find("T"), ("a",))
    found = odds(state, attack)
    assert found.defense_total == 2
    assert found.sharing == ("r",)
    state.world.switches = {"retreated_units": "defend"}
    assert odds(state, attack).defense_total == 4
    assert not odds(state, attack).sharing


def test_all_figures_are_texts() -> None:
    state = position({"A": [unit("a", ALLIED, 6, supported=False, aeca="full")], "T": [unit("d", AXIS, 2)]})
    data = odds(state, Attack(ALLIED, state.board.find("T"), ("a",))).as_data()
    assert (data["strength"], data["against"], data["column"], data["drm"]) == ("3/2", "2", "1:2", "3")

    def texts(value: object) -> bool:
        if isinstance(value, dict):
            return all(isinstance(k, str) and texts(v) for k, v in value.items())
        return all(texts(v) for v in value) if isinstance(value, list) else isinstance(value, str)

    assert texts(data)


def test_a_pack_without_a_chart_is_refused_by_name() -> None:
    charts = {name: rows for name, rows in build.real_world().charts.items() if name != "aec"}
    with pytest.raises(ChartFault, match="aec"):
        combat_charts(World(build.mini_board(), {}, charts))
