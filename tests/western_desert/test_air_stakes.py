"""What rolls of the air war were worth, and that each of their labels has its form (PROTOCOL 4.6, 12)."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from adjudicator.engine.core import Event, Tree
from adjudicator.western_desert.air.stakes import air_stake
from adjudicator.western_desert.air.tables import air_tables, chances
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.stakes import stake_of
from tests.report.support import events, fixture, names
from tests.western_desert.ground import start

WORLD = start().world


def told(kind: str, **data: Tree) -> Event:
    """An event of the air war."""
    return Event(kind=kind, rule="WD 21", on=6, by=(6,), data=data)


def test_a_shot_is_worth_its_table_over_36_ways() -> None:
    shot = told("air-shot", differential="1", modifier="-1", dice=["6", "5"])
    found = stake_of(WORLD, shot, "allied")
    assert found is not None
    odds = chances(air_tables(WORLD).combat, 1, -1)
    mean = Fraction(odds.back, 4) + Fraction(odds.abort, 2) + odds.kill
    assert (found.what, found.side, found.mean) == ("air combat", "allied", mean / 36)


def test_dice_off_their_faces_are_refused() -> None:
    with pytest.raises(IndexError, match="not two of six faces"):
        air_stake(WORLD, told("air-shot", differential="0", dice=["7", "1"]), "axis")


def test_flak_reads_the_column_of_its_whole_points() -> None:
    def value(strength: str) -> Fraction:
        found = air_stake(WORLD, told("aa-fire", strength=strength, modifier="1", dice=["1", "1"]), "axis")
        assert found is not None
        return found.mean

    assert value("7/2") == value("3")
    assert value("3") < value("18")


@pytest.mark.parametrize(
    ("event", "mean"),
    [
        (told("patrol-attack", attack="4", defense="2", die="4"), Fraction(1, 2)),
        (told("dropped", die="2", modifiers=[{"what": "by night", "die": "-2"}]), Fraction(1, 2)),
        (told("air-landed", die="6", crash="yes"), Fraction(5, 6)),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else "",
)
def test_other_rolls(event: Event, mean: Fraction) -> None:
    found = stake_of(WORLD, event, "axis")
    assert found is not None
    assert found.mean == mean


def test_what_was_not_rolled_has_no_stake() -> None:
    assert stake_of(WORLD, told("air-landed", air="x"), "axis") is None
    assert stake_of(WORLD, told("bombing", strength="1"), "axis") is None
    assert stake_of(WORLD, told("air-bombed", die="3"), "axis") is None


def test_no_effect_that_is_rolled_again_counts_the_mean_of_the_rest() -> None:
    once = stake_of(WORLD, told("result", column="1:1", drm="0", die="4"), "axis")
    again = stake_of(WORLD, told("result", column="1:1", drm="0", die="4", shared="yes"), "axis")
    assert once is not None
    assert again is not None
    assert (once.value, again.value) == (Fraction(0), again.mean)


@pytest.mark.parametrize(
    "label",
    [
        "combat/18.4818/crt#2",
        "patrol/18.4818/air-me-109f-4/air-blen-4-1",
        "air/18.4818/air-me-109f-4/air-blen-4-1",
        "aa/18.4818/air-blen-4-1",
        "aa-support/18.4818/air-blen-4-1",
        "bomb/18.4818/air-blen-4-1",
        "disruption/18.4818/ge-para",
        "crash/19.0726/air-well-1c-1",
        "escape/19.0726/air-cr-42-1",
    ],
)
def test_every_label_fits_one_form(label: str) -> None:
    assert sum(re.fullmatch(form, label) is not None for form in LABEL_FORMS) == 1


@pytest.mark.parametrize("name", names())
def test_every_roll_of_the_golden_reports_has_its_form_and_can_be_counted(name: str) -> None:
    for event in events(fixture(name), "events"):
        label = event.data.get("label")
        if label:
            assert sum(re.fullmatch(form, str(label)) is not None for form in LABEL_FORMS) == 1, label
            found = stake_of(WORLD, event, "axis")
            assert found is None or 0 <= found.chance < 1
