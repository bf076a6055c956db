"""The unit types against every worked example of the rulebook that turns on what a type can do."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.packs.support import pack

VALUE = {"none": Fraction(0), "half": Fraction(1, 2), "full": Fraction(1)}


def unit(unit_id: str) -> dict[str, Any]:
    (row,) = [row for row in pack().rows("counters") if row["id"] == unit_id]
    return row


def regimental(row: dict[str, Any], cadre: bool = False) -> Fraction:
    """WD 3.E: a cadre is 1 RE."""
    return Fraction(1) if cadre else Fraction(row["re"])


def proportion(kind: str, units: Sequence[tuple[str, bool]]) -> Fraction:
    """WD 10.C and 10.F: capable REs to non-neutral REs, of neutral ones at most twice the capable left out."""
    capable = others = neutral = Fraction(0)
    for unit_id, cadre in units:
        row = unit(unit_id)
        value, size = row["caps"][kind], regimental(row, cadre)
        if value == "neutral":
            neutral += size
        else:
            capable += VALUE[value] * size
            others += (1 - VALUE[value]) * size
    counted = capable + others + max(Fraction(0), neutral - 2 * capable)
    return capable / counted if counted else Fraction(0)


def whole(*ids: str) -> list[tuple[str, bool]]:
    return [(unit_id, False) for unit_id in ids]


EXAMPLES = {
    "10.B.1 a panzer division is two REs of AECA": ("aeca", whole("ge-21-xx"), Fraction(1)),
    "10.C two infantry divisions and an armored one": (
        "aeca",
        whole("br-70-xx", "br-50-xx", "br-7-arm-xx"),
        Fraction(1, 3),
    ),
    "10.C example 1": ("aeca", whole("ge-5pz", "ge-125", "ge-382", "it-12art"), Fraction(1, 3)),
    "10.C example 2": ("aecd", [("it-132", True), ("it-133", True), ("it-16", False)], Fraction(1, 4)),
    "10.F example": ("aeca", whole("ge-8pz", "ge-104m", "ge-115m", "it-12art", "it-21art"), Fraction(1, 3)),
    "10.G an antitank battalion has full ATEC": ("atec", whole("ge-605"), Fraction(1)),
}


@pytest.mark.parametrize("what", sorted(EXAMPLES))
def test_armor_effects(what: str) -> None:
    kind, units, wanted = EXAMPLES[what]
    assert proportion(kind, units) == wanted


def test_british_armor_is_half_capable_in_defense() -> None:
    """10.B.2: one half of its one RE counts, the other half has none."""
    assert unit("br-7-arm-a")["caps"]["aecd"] == "half"
    assert regimental(unit("br-7-arm-a")) == 1


def test_a_motorized_division_is_neutral_for_antitank_effects() -> None:
    """10.B.3."""
    assert unit("ge-90-xx")["caps"]["atec"] == "neutral"
    assert regimental(unit("ge-90-xx")) == 3


def test_a_tank_brigade_attacks_a_fortress() -> None:
    """10.G: it is capable of a half or more, so the antitank battalion may answer."""
    assert VALUE[unit("br-1-tk")["caps"]["aeca"]] >= Fraction(1, 2)


def test_three_artillery_regiments_and_a_motorized_one() -> None:
    """14.C: one RE of others, so one regiment with 3, the motorized one with 2, two in excess with 1 together: 6."""
    guns = [unit(name) for name in ("it-12art", "it-21art", "it-22art")]
    escort = unit("it-10bers")
    assert [(g["attack"], g["defense"], g["movement"]) for g in guns] == [("2", "3", "6")] * 3
    assert all(g["caps"]["artillery"] == "yes" for g in guns)
    assert (escort["attack"], escort["movement"], escort["caps"]["artillery"]) == ("2", "10", "no")
    assert int(guns[0]["defense"]) + int(escort["defense"]) + 1 == 6


def test_two_artillery_regiments_alone() -> None:
    """14.C: no REs of others, so all are in excess; and they have no zone of control (WD 5)."""
    assert unit("it-22art")["caps"]["zoc"] == "no"


def test_substitution_of_a_stronger_brigade() -> None:
    """15.C.2: a 3-8 stands in for a 2-8 of the same type and size."""
    strong, weak = unit("br-22g"), unit("br-16")
    assert (strong["type"], strong["size"]) == (weak["type"], weak["size"])
    assert int(strong["attack"]) > int(weak["attack"])
    assert int(strong["movement"]) >= int(weak["movement"])


def test_an_italian_motorized_regiment_is_of_the_kind_of_a_german_one() -> None:
    """15.C.2: only its nationality keeps it out of a German motorized division."""
    italian, german = unit("it-10bers"), unit("ge-155m")
    assert (italian["type"], italian["size"]) == (german["type"], german["size"])
    assert italian["nat"] != german["nat"]


def test_a_cadre_after_losses() -> None:
    """9.E: of an 8 point division 8 points are lost when it becomes a cadre of 3, not 5."""
    row = unit("br-44-xx")
    assert (row["defense"], row["cadre"]) == ("8", "3")


def test_a_paratroop_regiment_may_be_carried_and_dropped() -> None:
    """20.E, 25, 3.F: no heavy equipment, airborne; the Libyan parachutists bear the name only."""
    assert unit("lw-1para")["caps"]["heavy"] == "no"
    assert unit("lw-1para")["caps"]["airborne"] == "yes"
    assert unit("it-libpara")["caps"]["airborne"] == "no"


def test_an_air_landing_regiment_needs_two_gliders() -> None:
    """25.D: one RE of half an RE a glider, and both pools of special forces hold two of them."""
    assert regimental(unit("it-125al")) == 1
    gliders = [row["id"] for row in pack().rows("air") if row["type"] == "GT"]
    assert len(gliders) == 2


def test_replacing_an_italian_division_costs_three_points() -> None:
    """29.B: two REs and one point more for a division; a British cadre is two points from whole."""
    assert regimental(unit("it-27")) + 1 == 3
    assert regimental(unit("br-50-xx")) - regimental(unit("br-50-xx"), cadre=True) == 2


def test_what_has_an_m_stays_on_malta() -> None:
    """28.D."""
    assert {row["id"] for row in pack().rows("counters") if row["designation"].endswith(" M")} >= {"br-1m", "br-2m"}


def test_a_headquarters_of_an_armored_division_is_no_armored_unit() -> None:
    """29.B: it is not replaced with armor points."""
    assert unit("br-7-arm-hq")["caps"]["armored"] == "no"


def test_position_antiaircraft_counts_half_an_re_a_point() -> None:
    """22.A.3: heavy equipment, no size, no strength."""
    row = unit("paa-allied-01")
    assert (row["size"], row["attack"], row["defense"], row["caps"]["heavy"]) == ("none", "0", "0", "yes")


def test_a_battalion_under_three_points_of_antiaircraft() -> None:
    """22.A: an antiaircraft brigade adds up its battalions."""
    brigade = unit("br-1-aax")
    kind = {"type": "antiaircraft", "size": "battalion", "nat": "british"}
    battalions = [row for row in pack().rows("counters") if all(row[key] == value for key, value in kind.items())]
    heavy, light = ({int(row["aa"]) for row in battalions if row["aa_type"] == t} for t in ("heavy", "light"))
    assert int(brigade["aa"]) == 3 * max(heavy) + max(light)
