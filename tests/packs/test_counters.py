"""Counters, air units and types against what the rulebook prints."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import yaml

from adjudicator.packs.western_desert.units import capabilities
from tests.packs.support import FOLDER, ROOT, facts, figures, pack


def counters() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in pack().rows("counters")}


@pytest.mark.parametrize("fact", facts()["printed"], ids=lambda f: f"{f['nat']}-{f['type']}-{f['figures']}")
def test_printed_counter(fact: dict[str, Any]) -> None:
    found = [
        row
        for row in counters().values()
        if fact["nat"] in ("any", row["nat"])
        and (row["size"], row["type"], figures(row)) == (fact["size"], fact["type"], fact["figures"])
    ]
    assert len(found) >= int(fact["least"])


@pytest.mark.parametrize("fact", facts()["air"], ids=lambda f: str(f["model"]))
def test_printed_air_unit(fact: dict[str, Any]) -> None:
    found = [row for row in pack().rows("air") if row["model"] == fact["model"]]
    assert found
    for row in found:
        assert row["attack"] + row["type"] + row["defense"] == fact["figures"]
        assert row["movement"] == fact.get("movement", row["movement"])


def test_480_counters() -> None:
    markers = sum(int(row["count"]) for row in pack().rows("markers"))
    assert len(counters()) + len(pack().rows("air")) + markers == 480


def test_ids_and_short_names_are_unique() -> None:
    rows = [*pack().rows("counters"), *pack().rows("air")]
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["short"].lower() for row in rows}) == len(rows)


def test_names_players_use() -> None:
    short = {row["short"]: row["id"] for row in pack().rows("counters")}
    assert short["7 Arm X"] == "br-7-arm-a"
    assert short["4 Ind HQ"] == "in-4-hq"
    assert short["21 Pz XX"] == "ge-21-xx"
    assert "Cirene" in counters()["it-63"]["aliases"]


def test_regimental_equivalents() -> None:
    """WD 3.E, chart.unit-size: battalion 1/2; brigade, regiment, headquarters 1; Italian divisions 2; others 2 or 3."""
    for row in counters().values():
        if row["size"] == "battalion":
            assert row["re"] == "1/2", row["id"]
        elif row["size"] in ("brigade", "regiment", "headquarters"):
            assert row["re"] == "1", row["id"]
        elif row["size"] == "division":
            assert row["re"] in (("2",) if row["nat"] == "italian" else ("2", "3")), row["id"]


def test_division_size_is_that_of_its_components() -> None:
    """WD 3.E.division: the sum of the components, headquarters left out."""
    size = {"brigade": 2, "regiment": 2, "battalion": 1}
    for row in counters().values():
        forms = {form["form"]: form for form in row.get("components", [])}
        for name, form in forms.items():
            halves = sum(int(part["n"]) * size[part["size"]] for part in form["parts"])
            told = row["re_with_hq"] if name == "headquarters" and "re_with_hq" in row else row["re"]
            if row["size"] == "division":
                assert halves == 2 * int(told), (row["id"], name)


def test_supported_units() -> None:
    """WD 11: divisions, artillery (support groups too) and headquarters are supported."""
    for row in counters().values():
        if row["size"] in ("division", "headquarters") or row["type"] in ("artillery", "support_group"):
            assert row["supported"] == "yes", row["id"]


def test_every_division_can_be_put_together() -> None:
    """WD 15.B: for each form, enough counters of equal or greater strength and movement are there."""
    for row in counters().values():
        for form in row.get("components", []):
            for part in form["parts"]:
                fit = [c for c in counters().values() if _fits(c, part, row)]
                assert len(fit) >= int(part["n"]), (row["id"], part)


def _fits(counter: dict[str, Any], part: dict[str, Any], division: dict[str, Any]) -> bool:
    same = (counter["type"], counter["size"]) == (part["type"], part["size"])
    nations = {division["nat"]} | ({"british", "indian"} if division["nat"] in ("british", "indian") else set())
    strong = all(int(counter[key]) >= int(part[key]) for key in ("attack", "defense", "movement"))
    return same and strong and counter["nat"] in nations


def test_headquarters_for_every_division_that_needs_one() -> None:
    held = {(row["nat"], row["designation"]) for row in counters().values() if row["size"] == "headquarters"}
    for row in counters().values():
        if any(form["hq"] == "yes" for form in row.get("components", [])):
            assert (row["nat"], row["designation"]) in held, row["id"]


def test_cadres() -> None:
    """WD 9.E and the designer's examples: an 8 point division drops to 3."""
    for row in counters().values():
        if "cadre" in row:
            assert row["size"] == "division"
            assert int(row["cadre"]) < int(row["defense"])
        if row["nat"] != "italian" and row["size"] == "division" and row["attack"] == "8":
            assert row["cadre"] == "3", row["id"]


def test_replaceable() -> None:
    """WD 29.B: Italian CCNN, frontier guards and Libyans are not replaced."""
    for row in counters().values():
        if row.get("branch") in ("ccnn", "gaf", "libyan"):
            assert row["replaceable"] == "no", row["id"]


def test_intrinsic_antiaircraft() -> None:
    """WD 22.A.1: divisions, headquarters, support groups have a light 1."""
    for row in counters().values():
        if row["size"] in ("division", "headquarters") or row["type"] == "support_group":
            assert (row["aa"], row["aa_type"]) == ("1", "light"), row["id"]


def test_malta_brigades_bear_an_m() -> None:
    """WD 28.D."""
    malta = [row for row in counters().values() if row["designation"].endswith(" M")]
    assert len(malta) >= 3
    assert all(row["nat"] == "british" and row["size"] == "brigade" for row in malta)


AEC = {
    "ge-21-xx": ("full", "full", "full"),
    "ge-104m": ("neutral", "neutral", "neutral"),
    "br-4-arm-a": ("full", "half", "half"),
    "br-1-tk": ("full", "half", "full"),
    "it-132": ("full", "half", "half"),
    "it-12art": ("neutral", "none", "none"),
    "br-7-sg": ("neutral", "neutral", "full"),
    "ge-605": ("none", "neutral", "full"),
    "br-16": ("none", "none", "none"),
    "it-9l": ("none", "none", "none"),
    "in-4-hq": ("none", "none", "none"),
    "ge-2mg": ("neutral", "neutral", "neutral"),
}


@pytest.mark.parametrize("unit", sorted(AEC))
def test_armor_and_antitank_values(unit: str) -> None:
    """WD 10.B, 10.C, 10.F, 10.G and the ruling DATA-MISSING."""
    caps = counters()[unit]["caps"]
    assert (caps["aeca"], caps["aecd"], caps["atec"]) == AEC[unit]


def test_zones_of_control() -> None:
    """WD 5: divisions, brigades, regiments, but antiaircraft, artillery, construction; no battalions."""
    zoc = {unit: counters()[unit]["caps"]["zoc"] for unit in counters()}
    for unit in ("br-16", "it-63", "ge-5pz", "br-1-tk", "it-30gaf"):
        assert zoc[unit] == "yes", unit
    for unit in ("br-7-sg", "br-w-art", "br-1-aax", "br-const1", "br-7rt", "in-4-hq", "transport-1", "paa-axis-10"):
        assert zoc[unit] == "no", unit


def test_classes() -> None:
    """WD 3.A.3, 3.A.4, 3.F, 11, 25."""
    caps = {unit: row["caps"] for unit, row in counters().items()}
    assert caps["br-7-sg"]["artillery"] == caps["br-7-sg"]["motorized"] == "yes"
    assert caps["br-haa-1"]["artillery"] == "no"
    assert caps["br-7-arm-hq"]["motorized"] == "yes"
    assert caps["in-4-hq"]["motorized"] == "no"
    assert caps["in-4-hq"]["heavy"] == "yes"
    assert caps["br-16"]["heavy"] == "no"
    assert caps["po-carp"]["heavy"] == "yes"
    assert caps["lw-1para"]["airborne"] == "yes"
    assert caps["lw-1para"]["heavy"] == "no"
    assert caps["it-libpara"]["airborne"] == "no"
    assert caps["it-63"]["gives_support"] == caps["in-4-hq"]["gives_support"] == "yes"
    assert caps["po-carp"]["gives_support"] == "no"
    assert caps["br-4cav"]["cavalry"] == "yes"


def test_every_type_is_used_and_known() -> None:
    used = Counter(row["type"] for row in counters().values())
    assert set(used) == {row["slug"] for row in pack().rows("types")}


CASES = ROOT / "tests" / "cases" / "western-desert" / "combat.yaml"
FLAGS = {
    "mot": "motorized",
    "arty": "artillery",
    "cav": "cavalry",
    "aslt": "assault_engineer",
    "giver": "gives_support",
    "airborne": "airborne",
}


def templates() -> dict[str, dict[str, str]]:
    data = yaml.load(CASES.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    found: dict[str, dict[str, str]] = data["templates"]
    return found


@pytest.mark.parametrize("name", sorted(templates()))
def test_types_agree_with_the_sample_units_of_the_cases(name: str) -> None:
    unit = templates()[name]
    kinds = {row["slug"]: row for row in pack().rows("types")}
    row = {"size": unit["size"], "nat": unit["nat"], "supported": "no"}
    if unit.get("mot") == "true":
        row["motorized"] = "yes"
    data = yaml.load((FOLDER / "types.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    caps = capabilities(row, kinds[unit["type"]], data["zoc_sizes"], data["support_sizes"])
    assert [caps[key] for key in ("aeca", "aecd", "atec")] == [unit.get(k, "none") for k in ("aeca", "aecd", "atec")]
    assert {flag: caps[key] for flag, key in FLAGS.items()} == {
        flag: "yes" if unit.get(flag) == "true" else "no" for flag in FLAGS
    }
