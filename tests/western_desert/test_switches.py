"""House-rule switches: those offered as built are those that the rules read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.engine.switches import check_options
from adjudicator.packs.load import load_pack
from adjudicator.western_desert.switches import BUILT, OPTIONS, OPTIONS_BUILT, BadSwitch, check_switches

RULES = Path(__file__).resolve().parents[2] / "adjudicator" / "western_desert"
READS = re.compile(r'(?:switch(?:_on)?\(state|switches\.get\(), ?"(\w+)"|switches\.get\("(\w+)"')
OTHERS = ("switches.py", "narratives.py")
PACK = load_pack("western-desert").tree


def test_the_rules_read_what_is_offered_as_built() -> None:
    found = {name for path in RULES.rglob("*.py") for pair in READS.findall(path.read_text("utf-8")) for name in pair}
    assert found - {"", OPTIONS} == set(BUILT)


def test_the_optional_rules_that_are_built_are_those_that_the_rules_read() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in RULES.rglob("*.py") if path.name not in OTHERS)
    assert set(re.findall(r'"(3[23]\.[A-I])"', texts)) == set(OPTIONS_BUILT)
    assert set(OPTIONS_BUILT) <= {row["id"] for row in PACK["options"]}
    check_switches(PACK, {OPTIONS: " ".join(OPTIONS_BUILT)})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("33.Z", "there is no optional rule 33.Z; known: 32."),
        ("33.H 33.D", "name each rule once, in order"),
        ("33.D 33.D", "name each rule once, in order"),
        ("", "names no rule"),
        ("none", "is how it is played anyway"),
    ],
)
def test_optional_rules_that_are_refused(value: str, said: str) -> None:
    with pytest.raises(BadSwitch, match=re.escape(said)):
        check_switches(PACK, {OPTIONS: value})


def test_an_optional_rule_that_is_not_built_is_refused() -> None:
    with pytest.raises(BadSwitch, match="belongs to rules that this version has not"):
        check_options(PACK, "33.A", ())


def test_every_switch_that_is_built_is_offered_by_a_ruling() -> None:
    for row in PACK["rulings"]:
        if row.get("switch", {}).get("name") in BUILT:
            other = next(value for value in row["switch"]["values"] if value != row["switch"]["default"])
            check_switches(PACK, {row["switch"]["name"]: other})
    assert set(BUILT) <= {row["switch"]["name"] for row in PACK["rulings"] if "switch" in row}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("tea", "yes", "there is no switch tea; known: "),
        ("malta", "yes", "there is no switch"),
        ("odds_below_1_3", "perhaps", "has no value perhaps; choose one of: "),
        ("odds_below_1_3", "ae", "is how it is played anyway"),
    ],
)
def test_switches_that_are_refused(name: str, value: str, said: str) -> None:
    with pytest.raises(BadSwitch, match=re.escape(said)):
        check_switches(PACK, {name: value})


def test_a_switch_of_a_rule_that_is_not_built_is_refused() -> None:
    offered = [row["switch"] for row in PACK["rulings"] if "switch" in row]
    for switch in offered:
        if switch["name"] not in BUILT:
            with pytest.raises(BadSwitch, match="belongs to a rule that this version has not"):
                check_switches(PACK, {switch["name"]: switch["values"][-1]})
