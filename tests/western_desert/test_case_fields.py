"""Cases that are none of their form fail with the place of the fault; facts that nobody reads skip a case by name."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adjudicator.engine.casecheck import CaseResult
from adjudicator.western_desert.cases.core import cases_of, run_case
from adjudicator.western_desert.cases.fields import fields_of, needed
from adjudicator.western_desert.cases.vocabulary import FORMS, RECORDS, WORDS

TEMPLATES = {"inf": {"owner": "allied", "nat": "british", "type": "infantry", "size": "brigade", "att": 2, "def": 2}}
PATH = [{"terrain": "clear"}, {"terrain": "clear"}]


def ran(form: str = "move", **more: Any) -> CaseResult:
    """One case of a form, sound but for what is changed."""
    case = {"id": "X", "form": form, "rules": ["6"], "given": {"units": [{"t": "inf"}], "path": PATH}, "expect": {}}
    (found,) = cases_of({"templates": TEMPLATES, "cases": [{**case, **more}]})
    return run_case(found)


def test_a_sound_case_passes() -> None:
    assert ran(expect={"verdict": "legal", "mp": 1}).status == "passed"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"units": [{"t": "inf"}], "path": PATH, "weather": "dust"}, "given: the form has no field weather"),
        ({"units": [{"t": "inf", "speed": 8}], "path": PATH}, "given.units[0]: the unit has no field speed"),
        ({"units": [{"t": "inf"}], "path": [{"terrain": "lava"}]}, "given.path[0].terrain: 'lava' is no terrain"),
        ({"units": [{"t": "inf"}], "path": [{"by": "camel"}]}, "given.path[0].by: 'camel' is no one of foot"),
        ({"units": [{"t": "inf", "n": "many"}], "path": PATH}, "given.units[0].n: 'many' is no int"),
        ({"units": {"t": "inf"}, "path": PATH}, "given.units: {'t': 'inf'} is no list"),
        ({"path": PATH}, "given: units is missing"),
        ({"units": ["inf"], "path": PATH}, "given.units[0]: 'inf' is no unit"),
    ],
)
def test_a_position_of_another_form_fails_with_its_place(given: dict[str, Any], said: str) -> None:
    result = ran(given=given)
    assert result.status == "failed"
    assert any(line.startswith(said) for line in result.lines), result.lines


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"expect": {"glory": 1}}, "expect: the form has no field glory"),
        ({"orders": [{"order": "dance"}]}, "orders[0]: dance is no order of the form move"),
        ({"orders": [{"order": "move", "tempo": 3}]}, "orders[0]: the order has no field tempo"),
        ({"dice": {"combat": [1]}}, "dice: combat is no roll of the form move"),
        ({"dice": {"supply_capture": ["six"]}}, "dice.supply_capture[0]: 'six' is no int"),
    ],
)
def test_orders_dice_and_results_of_another_form_fail(more: dict[str, Any], said: str) -> None:
    result = ran(**more)
    assert result.status == "failed"
    assert result.lines[0].startswith(said), result.lines


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"given": {"units": [{"t": "inf", "dropped": True}], "path": PATH}}, "given.units[0].dropped is not read"),
        ({"given": {"units": [{"type": "camels"}], "path": PATH}}, "a unit of the type camels: the data of the game"),
        ({"form": "narrative"}, "form narrative: what X tells is not played"),
    ],
)
def test_what_is_not_read_or_not_built_skips_by_name(more: dict[str, Any], said: str) -> None:
    result = ran(**more)
    assert result.status == "skipped"
    assert result.lines[0].startswith(said), result.lines


def test_a_position_that_can_not_be_built_fails_and_stops_nobody() -> None:
    result = ran("combat", given={"attackers": [{"t": "inf", "hex": "Q"}], "defenders": [{"t": "inf"}]})
    assert result.status == "failed"
    assert "the position can't be built or played: HexError" in result.lines[0]


@pytest.mark.parametrize("word", ["yes", True])
def test_flags_and_words_are_read_as_yaml_has_them(word: object) -> None:
    path = [{"terrain": "clear"}, {"line": "rail", "by": "rail", "broken": word}]
    result = ran(given={"units": [{"t": "inf"}], "path": path}, rules=["7.C.effect"], expect={"verdict": "illegal"})
    assert result.status == "passed", result.lines


def test_every_type_of_the_vocabulary_is_known() -> None:
    plain = {"text", "int", "num", "bool", "any", "none", "survivors"}
    texts = [*RECORDS.values(), *(part for form in FORMS.values() for part in form[:2])]
    for kind in {kind for text in texts for kind in fields_of(text).values()}:
        for one in kind.split(" or "):
            inner = re.sub(r"^((list|map) of )+", "", one)
            assert inner in plain or inner in WORDS or inner in RECORDS or inner.startswith("one of "), kind
    assert needed(FORMS["move"][0]) == ("units", "path")
    assert len(FORMS) >= 30
