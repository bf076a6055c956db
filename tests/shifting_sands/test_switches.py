"""House rules of Shifting Sands: those offered as built are those that the rules read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.shifting_sands import switches
from adjudicator.shifting_sands.switches import BUILT, OPTIONS_BUILT, BadSwitch, check_switches

RULES = Path(__file__).resolve().parents[2] / "adjudicator" / "shifting_sands"
READS = re.compile(r'world\.switch\("(\w+)"')
OPTION = re.compile(r'"(19\.\d+)"')
PACK = load_pack("shifting-sands").tree
RULINGS = [row["switch"] for row in PACK["rulings"] if "switch" in row]


def sources() -> list[str]:
    """The rules as text, without the module under test and the runner of cases."""
    paths = (path for path in RULES.rglob("*.py") if path.name != "switches.py" and path.parent.name != "cases")
    return [path.read_text("utf-8") for path in paths]


def of_cards() -> list[Mapping[str, object]]:
    """What cards hang on: switches and options that add conditions, conditions of effects."""
    found = [switch for card in PACK["cards"] for switch in card.get("switches", [])]
    effects = [effect for card in PACK["cards"] for effect in card["effects"]]
    return [*found, *(c for effect in effects for key in ("if", "unless") for c in effect.get(key, []))]


def test_the_rules_read_what_is_offered_as_built() -> None:
    read = {name for text in sources() for name in READS.findall(text)}
    assert read | {str(row["name"]) for row in of_cards() if "name" in row} == set(BUILT)


def test_the_optional_rules_that_are_built_stand_in_the_rules() -> None:
    read = {name for text in sources() for name in OPTION.findall(text)}
    assert read | {str(row["option"]) for row in of_cards() if "option" in row} == set(OPTIONS_BUILT)


def test_every_switch_that_is_built_is_offered_by_a_ruling() -> None:
    assert set(BUILT) <= {switch["name"] for switch in RULINGS}
    for switch in RULINGS:
        if switch["name"] in BUILT:
            other = next(value for value in switch["values"] if value != switch["default"])
            check_switches(PACK, {switch["name"]: other})


def test_a_switch_of_a_rule_that_is_not_built_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is left; a version that lacks one says so."""
    assert {switch["name"] for switch in RULINGS} == set(BUILT)
    monkeypatch.setattr(switches, "BUILT", tuple(name for name in BUILT if name != "tables_fire"))
    monkeypatch.setattr(switches, "OPTIONS_BUILT", tuple(rule for rule in OPTIONS_BUILT if rule != "19.41"))
    with pytest.raises(BadSwitch, match="belongs to a rule that this version has not"):
        check_switches(PACK, {"tables_fire": "btb"})
    with pytest.raises(BadSwitch, match=r"the optional rule 19\.41 belongs to rules that this version has not"):
        check_switches(PACK, {"options": "19.41"})


@pytest.mark.parametrize("value", ["none", "19.22", "19.11 19.22", "19.5 19.6"])
def test_optional_rules_that_may_be_chosen(value: str) -> None:
    check_switches(PACK, {"options": value})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("19.7", "there is no optional rule 19.7; known: 19.11"),
        ("19.22 19.11", "name each rule once, in order"),
        ("19.22 19.22", "name each rule once, in order"),
        ("19.11", "is how it is played anyway"),
        ("", "write options=none"),
    ],
)
def test_optional_rules_that_are_refused(value: str, said: str) -> None:
    with pytest.raises(BadSwitch, match=re.escape(said)):
        check_switches(PACK, {"options": value})


def test_a_game_with_a_wrong_switch_is_not_made() -> None:
    rules = game("shifting-sands")
    with pytest.raises(ValueError, match="there is no switch tea"):
        rules.table(PACK, "campaign", {"tea": "yes"})


def test_a_switch_reaches_the_rules() -> None:
    table = game("shifting-sands").table(PACK, "campaign", {"tables_fire": "btb"})
    assert table.start().world.switch("tables_fire", "pog") == "btb"
