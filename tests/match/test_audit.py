"""What `audit` counts: stakes by the games' own tables, luck, droughts, and that fair dice come out as fair."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from lxml import etree

from adjudicator.cli.audit import ODDITIES
from adjudicator.engine.core import Event
from adjudicator.engine.stakes import Stake, stake
from adjudicator.match.audit import Audit, Share, Throw, audit, face_test, share_tree
from adjudicator.match.games import systems, table
from adjudicator.match.match import table_of
from adjudicator.protocol.dice import roll
from adjudicator.protocol.log import read_log
from adjudicator.report.luckplot import luck_plot
from tests.docs.pages import ROOT

GAMES = sorted(ROOT.glob("turnfiles/*/*/log.jsonl"))
FIRST = {"western-desert": "compass", "shifting-sands": "campaign"}


def told(system: str, kind: str, who: str = "axis", **data: Any) -> Stake | None:
    """The stake of an event of a game."""
    return table(system, FIRST[system]).stake(Event(kind, "", data), who)


# --- stakes -----------------------------------------------------------------------------------------------------


def test_values_mean_and_spread_are_exact() -> None:
    found = stake("x", "axis", [0, 0, 0, 0, 0, 1], [6])
    assert found == Stake("x", "axis", Fraction(1), Fraction(1, 6), Fraction(5, 36), Fraction(1, 6))
    assert found.good and found.luck == pytest.approx(5 / 6 / sqrt(5 / 36))
    two = stake("x", "axis", [0, 0, 0, 0, 1, 1], [5, 2])
    assert two is not None
    assert (two.value, two.mean, two.variance) == (Fraction(1), Fraction(2, 3), Fraction(4, 9))
    assert two.chance == 1 - Fraction(4, 9)
    assert stake("x", "axis", [1] * 6, [3]) is None
    assert stake("x", "axis", [1, 2], []) is None
    with pytest.raises(IndexError):
        stake("x", "axis", [1, 2], [3])


@pytest.mark.parametrize("column", ["1:3", "1:1", "3:1", "7:1"])
@pytest.mark.parametrize("drm", [-2, 0, 3])
def test_ground_combat_counts_by_the_chart(column: str, drm: int) -> None:
    from adjudicator.western_desert.combat_charts import combat_charts

    worth = {"AE": -1, "AH": -0.5, "AR": -0.25, "NE": 0, "HX": 0, "EX": 0, "DR": 0.25, "DH": 0.5, "DE": 1}
    game: Any = table("western-desert", "compass")
    charts = combat_charts(game.world)
    values = [worth[charts.result(column, die + drm)] for die in range(1, 7)]
    for die in range(1, 7):
        found = told("western-desert", "result", column=column, drm=str(drm), die=str(die))
        if len(set(values)) == 1:
            assert found is None
            continue
        assert found is not None
        assert float(found.value) == values[die - 1]
        assert float(found.mean) == pytest.approx(sum(values) / 6)
        assert found.chance == Fraction(sum(value > sum(values) / 6 for value in values), 6)


def test_disarray_and_captures() -> None:
    found = told("western-desert", "disarray", die="3")
    assert found is not None and found.good and found.chance == Fraction(1, 2)
    found = told("western-desert", "captured", dice=["5", "6", "4"])
    assert found is not None and (found.value, found.mean) == (Fraction(2), Fraction(1))
    assert told("western-desert", "captured", dice=[]) is None
    assert told("western-desert", "move", unit="x") is None
    game: Any = table("western-desert", "compass")
    for unit, worth in ((next(iter(game.world.units)), {0.0, 1.0}), (next(iter(game.world.air)), {0.0, 0.5, 1.0})):
        rolls = [told("western-desert", "greece", unit=unit, die=str(die)) for die in range(1, 7)]
        assert {float(roll.value) for roll in rolls if roll is not None} <= worth
        assert all(roll is not None for roll in rolls)
    assert told("western-desert", "greece", unit="x", result="eliminated", die="") is None


def test_fire_and_flank() -> None:
    fire: dict[str, Any] = {
        "role": "attacker", "table": "division", "strength": "5", "base": "5", "column": "5", "die": "5",
        "drms": [{"name": "italians", "value": "-1", "rule": "SS 11.261"}],
    }
    found = told("shifting-sands", "fire", **fire)
    assert found is not None and found.value == 4
    flank = told("shifting-sands", "flank", die="4", modifier="1", need="5")
    assert flank is not None and flank.good and flank.chance == Fraction(1, 2)
    assert told("shifting-sands", "flank", result="success", why="an event") is None
    assert told("shifting-sands", "draw", die="3", faces="14", card="x") is None


@pytest.mark.parametrize("system", systems())
def test_every_game_says_how_it_counts(system: str) -> None:
    assert all(":" in line or "value" in line for line in table(system, FIRST[system]).worth())


# --- a game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.parent.name)
def test_the_example_games(log: Any) -> None:
    messages = read_log(log.read_bytes())
    found = audit(table_of(messages[0]), messages, [4, 4])
    assert {throw.side for throw in found.throws} == set(found.sides)
    assert sum(len(found.share(side).throws) for side in found.sides) == len(found.share().throws)
    assert {name: seqs for name, seqs in found.oddities.items() if seqs} == {"forked": [4]}
    assert set(found.oddities) == set(ODDITIES)
    unweighed = {throw.label.split("/")[0] for throw in found.throws if throw.stake is None}
    assert unweighed <= {"deck"}
    picture = etree.fromstring(luck_plot(found))
    assert picture.tag.endswith("svg")
    assert all(name in "".join(map(str, picture.itertext())) for name in found.names.values())


def thrown(values: list[int], side: str = "axis") -> Audit:
    """A game of dice alone, each of which needs a five or six."""
    rolls = []
    for n, value in enumerate(values):
        found = stake("x", side, [0, 0, 0, 0, 1, 1], [value])
        rolls.append(Throw(n, f"x/{n}", side, 6, (value,), found))
    return Audit("t", ("axis", "allied"), {"axis": "A", "allied": "B"}, False, len(values), rolls)


def test_droughts() -> None:
    drought = thrown([5, 1, 2, 6, 3, 3, 4, 1, 6, 2]).share("axis").drought()
    assert drought is not None
    assert (drought.rolls, drought.first, drought.last) == (4, 4, 7)
    assert drought.chance == pytest.approx((2 / 3) ** 4)
    assert thrown([5, 6]).share("axis").drought() is None
    assert Share("axis", ()).drought() is None
    empty = share_tree(Share("axis", ()))
    assert (empty["dice"], empty["mean"], empty["luck"], empty["drought"]) == (0, None, 0, None)


def test_fair_dice_are_fair_and_bent_ones_are_seen() -> None:
    values = list(roll(b"s" * 32, "test/fair", 6, 6000))
    fair = thrown(values).share("axis")
    tested = face_test(fair)
    assert tested is not None and tested[2] > 0.001
    assert abs(fair.luck_z) < 3.5
    bent = thrown([6 if n % 4 == 0 else value for n, value in enumerate(values)]).share("axis")
    tested = face_test(bent)
    assert tested is not None and tested[2] < 1e-6
    assert bent.luck_z > 6
    assert face_test(thrown([1] * 29).share()) is None


def both(luck: list[int], other: list[int]) -> Audit:
    """Two sides with dice of their own."""
    one, two = thrown(luck), thrown(other, "allied")
    return Audit("t", one.sides, one.names, False, len(luck), [*one.throws, *two.throws])


def test_the_picture_names_its_axes_and_tells_the_sides_apart_without_colors() -> None:
    """One line whole with full dots, the other dashed with empty boxes; each with its name where it ends."""
    found = both([5, 1, 6, 2, 3], [1, 6, 2, 2, 5])
    picture = etree.fromstring(luck_plot(found))
    said = [str(text) for text in picture.itertext()]
    assert "luck, in standard deviations of one roll" in said
    assert "number of the message that the dice were rolled for" in said
    assert {"Axis", "Allied"} <= set(said)
    assert sum(text.startswith(("Axis (A): ", "Allied (B): ")) for text in said) == 2
    shapes = picture.findall("{*}path")
    lines = [shape for shape in shapes if shape.get("stroke-width") == "2.5"]
    assert len(lines) == 2 and len(shapes) == 6
    assert [line.get("stroke-dasharray") is None for line in lines] == [True, False]
    assert len(picture.findall("{*}circle")) == 5 + 1
    assert len([box for box in picture.findall("{*}rect") if box.get("fill") == "none"]) == 5 + 1


def test_names_at_the_ends_of_equal_lines_do_not_cover_each_other() -> None:
    for dice in ([5, 1, 6], [1, 1, 1], []):
        picture = etree.fromstring(luck_plot(both(dice, dice)))
        ends = [float(text.get("y", "")) for text in picture.findall("{*}text") if text.text in ("Axis", "Allied")]
        assert len(ends) == 2 and abs(ends[0] - ends[1]) >= 15


def test_rolls_of_one_message_are_one_step() -> None:
    found = thrown([5, 1, 1])
    found.throws = [replace(throw, seq=2) for throw in found.throws]
    picture = etree.fromstring(luck_plot(found))
    (dot, _) = picture.findall("{*}circle")
    (line, _) = [shape for shape in picture.findall("{*}path") if shape.get("stroke-width") == "2.5"]
    assert line.get("d", "").count("V") == 1 and f"V{dot.get('cy')}" in line.get("d", "")


def test_the_picture_of_no_dice_at_all() -> None:
    assert etree.fromstring(luck_plot(thrown([]))).tag.endswith("svg")
