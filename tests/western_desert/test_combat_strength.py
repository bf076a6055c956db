"""Strengths, each effect with its rule (WD 9.A, 9.H, 11, 12, 14.B, 14.C)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.strength import (
    attack_shares,
    defense_shares,
    figures_of,
    keep_artillery,
    total,
)
from tests.western_desert.skirmish import ALLIED, AXIS, position, unit


def test_every_effect_is_told_with_its_rule() -> None:
    board = build.mini_board()
    build.set_hex(board, board.find("T"), "clear", ["fortress"])
    build.set_side(board, board.find("A"), board.find("T"), "river")
    state = position({"A": [unit("a", ALLIED, 8, supported=False)], "T": [unit("d", AXIS)]}, board)
    (share,) = attack_shares(state, Attack(ALLIED, board.find("T"), ("a",)))
    assert [(m.factor, m.rule) for m in share.modifiers] == [
        (Fraction(1, 2), "WD 11"),
        (Fraction(1, 2), "WD 12.B.effects"),
        (Fraction(1, 2), "WD 9.H.2.river"),
        (Fraction(1, 2), "WD 9.H.3.fortress"),
    ]
    assert share.value == Fraction(1, 2)


def test_text_example_of_artillery_in_excess() -> None:
    guns = [unit(f"g{i}", AXIS, type="artillery", artillery=True, giver=True, defense=Fraction(3)) for i in (1, 2, 3)]
    state = position({"T": [*guns, unit("m", AXIS, 2, motorized=True)]})
    shares = defense_shares(state, state.board.find("T"), ["g1", "g2", "g3", "m"])
    assert total(shares) == 6
    assert [share.unit for share in shares if share.excess] == ["g2", "g3"]
    assert any("excess" in m.what for m in shares[1].modifiers)


def test_the_total_of_excess_artillery_suffers_what_each_gun_suffers() -> None:
    guns = [unit(f"g{i}", ALLIED, type="artillery", artillery=True) for i in (1, 2)]
    state = position({"A": guns, "T": [unit("d", AXIS)]})
    attack = Attack(ALLIED, state.board.find("T"), ("g1", "g2"), supplied=frozenset(["g1"]))
    assert total(attack_shares(state, attack)) == Fraction(3, 4)


def test_assault_engineers_double_once_in_a_city_that_is_a_fortress() -> None:
    board = build.mini_board()
    build.set_hex(board, board.find("T"), "full_city", ["fortress"])
    engineers = unit("e", ALLIED, 1, assault=True, supported=False, size="battalion", re2=1)
    state = position({"A": [engineers, unit("i", ALLIED, 8)], "T": [unit("d", AXIS, assault=True)]}, board)
    attack = Attack(ALLIED, board.find("T"), ("e", "i"), frozenset(["e", "i"]))
    assert [share.value for share in attack_shares(state, attack)] == [2, 2]
    state.world.switches = {"city_fortress_cumulative": "false"}
    assert [share.value for share in attack_shares(state, attack)] == [2, 4]
    assert total(defense_shares(state, board.find("T"), ["d"])) == 4


def test_figures_of_one_unit() -> None:
    charts = combat_charts(build.real_world())
    found = figures_of(charts, unit("x", ALLIED, 8, cadre="3"), general=True)
    assert (found["attack"], found["defense"], found["overrun"]) == (4, 8, 8)
    assert (found["re"], found["is_division"]) == (3, True)
    assert figures_of(charts, unit("x", ALLIED, 8), general=False, attack_supply=True)["attack"] == 8


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 6)), max_size=7), st.integers(0, 12))
def test_the_strongest_artillery_that_fits_is_kept(guns: list[tuple[int, int]], room2: int) -> None:
    named = [(f"g{i}", re2, Fraction(worth, 2)) for i, (re2, worth) in enumerate(guns)]
    kept = keep_artillery(named, room2)
    sets = (c for n in range(len(named) + 1) for c in combinations(named, n))
    best = max(sum((w for _u, _r, w in c), Fraction(0)) for c in sets if sum(r for _u, r, _w in c) <= room2)
    assert sum(r for u, r, _w in named if u in kept) <= room2
    assert sum((w for u, _r, w in named if u in kept), Fraction(0)) == best
    assert kept == keep_artillery(named[::-1], room2)
