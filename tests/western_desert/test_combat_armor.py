"""Armor and antitank effects (WD 10), the worked examples among them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.armor import Member, armor_effects, best_proportion, greatest_share, proportion
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.combat_charts import combat_charts
from tests.western_desert.skirmish import ALLIED, AXIS, position, unit

CHARTS = combat_charts(build.real_world())
VALUES = st.sampled_from(("full", "half", "neutral", "none"))
MEMBERS = st.lists(st.tuples(st.sampled_from((1, 2, 4, 6)), VALUES), max_size=7)


def members(rows: list[tuple[int, str]]) -> list[Member]:
    return [Member(f"u{i}", re2, value) for i, (re2, value) in enumerate(rows)]


def test_text_example_of_the_neutral_restriction() -> None:
    rows = [(2, "full"), (2, "neutral"), (2, "neutral"), (2, "neutral"), (2, "neutral")]
    found = proportion(members(rows))
    assert (found.share, found.over_cap) == (Fraction(1, 3), Fraction(2))


def test_text_examples_of_proportions() -> None:
    assert proportion(members([(2, "full"), (2, "none"), (2, "none"), (2, "neutral")])).share == Fraction(1, 3)
    assert proportion(members([(2, "half"), (2, "half"), (4, "none")])).share == Fraction(1, 4)


def test_all_neutral_is_no_proportion() -> None:
    assert proportion(members([(2, "neutral")])).share == 0
    assert proportion([]).share == 0


@given(MEMBERS)
def test_the_best_choice_is_the_best_of_all_choices(rows: list[tuple[int, str]]) -> None:
    group = members(rows)
    halves = [m.unit for m in group if m.value == "half"]
    every = [frozenset(c) for n in range(len(halves) + 1) for c in combinations(halves, n)]
    worth = {neutral: CHARTS.armor("aeca", proportion(group, neutral).share) for neutral in every}
    found = best_proportion(group, lambda share: CHARTS.armor("aeca", share))
    assert CHARTS.armor("aeca", found.share) == max(worth.values())
    fewest = min(len(neutral) for neutral in every if worth[neutral] == max(worth.values()))
    assert len(found.declared) == fewest
    assert greatest_share(group) == max(proportion(group, neutral).share for neutral in every)


@given(MEMBERS)
def test_a_proportion_lies_between_nothing_and_one(rows: list[tuple[int, str]]) -> None:
    found = proportion(members(rows))
    assert 0 <= found.share <= 1
    assert found.capable <= found.counted or found.counted == 0


def test_declared_choices_are_kept() -> None:
    group = [Member("a", 2, "full"), Member("b", 2, "half", "half")]
    assert best_proportion(group, lambda share: CHARTS.armor("aeca", share)).declared == ()
    group = [Member("a", 2, "half", "neutral"), Member("b", 2, "none")]
    assert best_proportion(group, lambda share: CHARTS.armor("aeca", share)).declared == ("a",)


def test_armor_over_a_mountain_side_counts_as_none_but_brings_antitank_into_play() -> None:
    board = build.mini_board()
    build.set_side(board, board.find("A"), board.find("T"), "mountain")
    tanks = [unit(uid, ALLIED, aeca="full") for uid in ("a", "b")]
    state = position({"A": [tanks[0]], "B": [tanks[1]], "T": [unit("d", AXIS, atec="full", aecd="full")]}, board)
    found = armor_effects(state, Attack(ALLIED, board.find("T"), ("a", "b")), ["d"])
    assert (found.aeca, found.aecd, found.atec) == (2, 0, -4)
    alone = armor_effects(state, Attack(ALLIED, board.find("T"), ("a",)), ["d"])
    assert (alone.aeca, alone.aecd, alone.atec) == (0, 0, -4)
