"""Every roll of the air war of Western Desert: what `audit` makes of it, and the second program from the sources."""

from __future__ import annotations

from itertools import product

import pytest

from adjudicator.western_desert.air.tables import RESULTS
from tests.match import luck_again, luck_tables
from tests.match.test_luck_again import weigh

DICE = range(1, 7)
PAIRS = [["1", str(b)] for b in DICE] + [[str(a), "6"] for a in DICE] + [["4", "1"]]
"""Every sum that two dice make."""


def rows(*changes: int) -> list[dict[str, str]]:
    """Modifiers of a die."""
    return [{"what": "x", "die": f"{change:+d}", "rule": "WD 24.D"} for change in changes]


def test_every_roll_of_air_combat_and_antiaircraft() -> None:
    for differential, modifier, dice in product(range(-8, 10), (-1, 0, 1), PAIRS):
        shot = {"label": "air/19.0726/air-hurri-1-1/air-cr-42-1", "differential": str(differential)}
        weigh("wd", {"kind": "air-shot", **shot, "modifier": str(modifier), "dice": dice})
    for strength, modifier, dice in product(("1", "2", "5/2", "3", "11/3", "7", "16", "35/2"), (0, 1, 2), PAIRS):
        fire = {"label": "aa/19.0726/air-cr-42-1", "strength": strength, "modifier": str(modifier), "dice": dice}
        weigh("wd", {"kind": "aa-fire", **fire})
        weigh("wd", {"kind": "aa-fire", **fire, "label": "aa-support/19.0726/air-cr-42-1/movement"})


def test_every_roll_of_patrols_and_bombs() -> None:
    for attack, defense, die in product(range(10), range(10), DICE):
        patrol = {"label": "patrol/19.0726/air-hurri-1-1/air-sm-79-1", "attack": str(attack), "defense": str(defense)}
        weigh("wd", {"kind": "patrol-attack", **patrol, "die": str(die)})
    changes = ((), (1,), (-1,), (-1, -1), (1, -1))
    for strength, change, die in product(("2", "5/2", "19/4", "5", "8", "12", "15", "17", "40"), changes, DICE):
        bombs = {"label": "bomb/19.0726/air-sm-79-1", "strength": strength, "modifiers": rows(*change)}
        weigh("wd", {"kind": "bombing", **bombs, "die": str(die)})


def test_every_roll_for_oneself() -> None:
    for die, change in product(DICE, ((), (-1,), (1,), (-2, -1), (-2, -1, 1))):
        drop = {"label": "disruption/19.0726/lw-1para", "modifiers": rows(*change), "die": str(die)}
        weigh("wd", {"kind": "dropped", **drop})
    for die in DICE:
        weigh("wd", {"kind": "air-landed", "label": "crash/19.0726/air-sm-79-1", "die": str(die)})
        weigh("wd", {"kind": "air-escape", "label": "escape/19.0726/air-sm-79-1", "die": str(die)})


@pytest.mark.parametrize(
    ("air", "turn", "needs"),
    [
        ("air-cr-42-1", "Dec I 40", 2),
        ("air-cr-42-1", "Dec II 42", 2),
        ("air-me-109e-1", "Feb II 41", 3),
        ("air-hurri-1-1", "Jun II 41", 2),
        ("air-hurri-1-1", "Jul I 41", 3),
        ("air-p-40b-1", "Jun II 42", 3),
        ("air-p-40b-1", "Jul II 42", 4),
        ("air-p-40b-1", "Jan I 43", 4),
    ],
)
def test_repairs_by_nation_and_turn(air: str, turn: str, needs: int) -> None:
    for die in DICE:
        repair = {"label": f"repair/19.0726/{air}", "air": air, "turn": turn, "needs": str(needs), "die": str(die)}
        weigh("wd", {"kind": "air-repaired", **repair})


def test_strengths_below_a_table_and_beyond_it() -> None:
    """By hand: no column takes one point of bombs, unless the game plays so; 7 and more all stand in the last one."""
    bombs = {"label": "bomb/19.0726/x", "modifiers": rows()}
    assert luck_tables.by_face({}, {**bombs, "strength": "3/2"}) == [0] * 6
    switches = {"bomb_strength_1": "first_column"}
    assert luck_tables.by_face(switches, {**bombs, "strength": "3/2"}) == [0] * 4 + [1, 1]
    shot = {"label": "air/19.0726/x/y", "modifier": "0"}
    far = [luck_tables.outcomes({}, {**shot, "differential": str(n)}, [3, 4])[1] for n in (6, 7, 12, -5, -9)]
    assert far[1] == far[2] != far[0] and far[3] == far[4]
    assert sum(far[3]) / 36 == (1 * luck_tables.AIR_WORTH["A"] + 2 * luck_tables.AIR_WORTH["R"]) / 36


def test_the_fates_have_the_words_of_the_rules() -> None:
    assert set(luck_tables.AIR_WORTH) == set(RESULTS)


def side(label: str) -> str:
    """Whose roll the second program makes it; nobody wrote the event."""
    return luck_again.side_of(lambda n: str(n), ("axis", "allied"), {"label": label, "by": []}, luck_again.Told())


def test_whose_rolls_they_are() -> None:
    """By the first unit of the label; antiaircraft is fired by the other side than that of the air unit."""
    assert side("patrol/19.0726/air-hurri-1-1/air-sm-79-1") == side("air/19.0726/air-hurri-1-1/air-sm-79-1") == "allied"
    assert side("aa/19.0726/air-hurri-1-1") == side("aa-support/19.0726/air-hurri-1-1/movement") == "axis"
    assert side("disruption/19.0726/lw-1para") == side("bombed/19.0726/air-sm-79-1") == "axis"
