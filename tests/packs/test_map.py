"""The compiled map against everything known of the printed one (facts.yaml)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.packs.support import distance, distance_by, facts, grid, hexes, links, pack, sides


@pytest.mark.parametrize("fact", facts()["hexes"], ids=lambda fact: str(fact["hex"]))
def test_published_hex(fact: dict[str, Any]) -> None:
    name = grid().canonical(fact["hex"])
    assert name is not None
    row = hexes()[name]
    for key in ("terrain", "country", "port", "terminal", "fortress", "coast"):
        if key in fact:
            assert row.get(key) == fact[key], key
    if "city" in fact:
        assert fact["city"] in [city["class"] for city in row["cities"]]
    if "region" in fact:
        assert fact["region"] in row["regions"]
    _check_place(fact, name)
    _check_lines(fact, name)
    for kind in set(fact.get("sides", [])):
        found = [n for n in grid().neighbours(name) if _kind(name, n) == kind]
        assert len(found) >= fact["sides"].count(kind), kind


def _kind(one: str, other: str) -> str:
    row = sides().get(frozenset((one, other)))
    return str(row["kind"]) if row else ""


def _check_place(fact: dict[str, Any], name: str) -> None:
    if "name" in fact:
        places = {place["name"]: place["hex"] for place in pack().rows("places")}
        assert places[fact["name"]] == name


def _check_lines(fact: dict[str, Any], name: str) -> None:
    if "lines" not in fact:
        return
    if not fact["lines"]:
        assert name not in links("road")
    for kind in fact["lines"]:
        assert name in links(kind), kind
    assert len(links("road").get(name, set())) >= int(fact.get("junction", 0))


def test_land_by_reports() -> None:
    assert all(grid().canonical(name) in hexes() for name in facts()["land"])


def test_every_hex_is_land_or_sea() -> None:
    sea = set(pack().tree["sea"])
    assert not sea & set(hexes())
    assert sea | set(hexes()) == set(grid().all_hexes())


def test_tobruk_display() -> None:
    """WD chart.tobruk."""
    fact, sea = facts()["tobruk"], set(pack().tree["sea"])
    around = grid().neighbours(fact["hex"])
    assert sorted(n for n in around if n in hexes()) == fact["land"]
    assert sorted(n for n in around if n in sea) == sorted(fact["sea"])
    assert all(_kind(fact["hex"], name) != "sea" for name in fact["land"])


def test_malta_has_two_land_hexes() -> None:
    count = sum(row["country"] == "Malta" for row in hexes().values())
    assert count == int(facts()["malta_land"])


def test_escarpment_goes_up_from_halfaya() -> None:
    up = facts()["up"]
    side = sides()[frozenset((up["from"], up["into"]))]
    assert (side["kind"], side["low"]) == ("escarpment", up["from"])


def test_road_from_matruh() -> None:
    fact = facts()["road_to"]
    assert distance_by("road", fact["from"], fact["to"]) == int(fact["hexes"])


def test_south_of_the_coast_road() -> None:
    path = facts()["south"]["path"]
    kinds = [_kind(a, b) for a, b in pairwise(path)]
    assert kinds.count("escarpment") == int(facts()["south"]["escarpments"])
    assert set(kinds) <= {"", "escarpment"}
    assert all(hexes()[name]["terrain"] == "clear" for name in path)


def test_railways() -> None:
    for fact in facts()["rail"]:
        assert distance_by("rail", fact["from"], fact["to"]) is not None


def test_unbuilt_railway() -> None:
    fact = facts()["unbuilt"]
    line = next(row for row in pack().rows("unbuilt") if row["status"] == "unbuilt")
    assert line["path"][:2] == [fact["from"], fact["next"]]
    assert line["path"][-1] == fact["to"]
    assert distance_by("rail", fact["from"], fact["to"]) is None


def test_ports_as_listed() -> None:
    ports = {place["name"]: place for place in pack().rows("places") if "port" in place}
    for kind in ("major", "standard", "minor"):
        assert all(ports.pop(name)["port"] == kind for name in facts()["ports"][kind])
    for place in ports.values():
        assert place["port"] == "standard"
        assert place["country"] in facts()["ports"]["islands"]


def test_every_coastal_city_of_an_island_is_a_port() -> None:
    for row in hexes().values():
        if row["country"] in facts()["ports"]["islands"] and row["cities"] and row.get("coast") == "yes":
            assert "port" in row, row["hex"]


def test_terminals() -> None:
    places = {place["name"]: place["hex"] for place in pack().rows("places")}
    for side, names in facts()["terminals"].items():
        found = sorted(row["hex"] for row in hexes().values() if row.get("terminal") == side)
        assert found == sorted(places[name] for name in names)


@pytest.mark.parametrize("fact", facts()["fitted"], ids=lambda fact: str(fact["name"]))
def test_fitted_place(fact: dict[str, Any]) -> None:
    places = {place["name"]: place["hex"] for place in pack().rows("places")}
    fitted = grid().canonical(fact["hex"])
    assert fitted is not None
    assert distance(places[fact["name"]], fitted) <= int(fact.get("off", 1))


def test_cyrenaica_is_east_of_column_28() -> None:
    """WD 3.C.cyrenaica."""
    for name, row in hexes().items():
        if row["country"] == "Libya":
            east = name.startswith("19/") or int(name[3:5]) > 28
            assert row["regions"] == ["Cyrenaica" if east else "Tripolitania"], name


def test_delta_lies_between_its_cities() -> None:
    """WD 3.C.delta: bounded by the canal, one side of which each of its hexsides leaves outside."""
    delta = {name for name, row in hexes().items() if "Delta" in row["regions"]}
    named = {place["name"]: place["hex"] for place in pack().rows("places")}
    for name in ("Alexandria", "Cairo", "Port Said", "Ismailia", "Suez", "Rosetta", "Damietta", "Tanta"):
        assert named[name] in delta, name
    assert named["Matruh"] not in delta
    for one, other in ((a, b) for a, b in (sorted(pair) for pair in sides())):
        if _kind(one, other) == "canal":
            assert len({one, other} & delta) == 1, (one, other)


def test_fortresses_of_the_frontier() -> None:
    held = {row["hex"] for row in hexes().values() if row.get("fortress") == "yes"}
    assert held == {"18/4818", "19/0325"}


def test_names_resolve_to_libya_first() -> None:
    """WD 3.C.tripoli: a bare Tripoli or Homs is the Libyan one."""
    places = {place["name"]: place for place in pack().rows("places")}
    for name, other in (("Tripoli", "Lebanon"), ("Homs", "Syria")):
        assert places[name]["country"] == "Libya"
        assert f"{name}, Libya" in places[name]["aliases"]
        assert f"{name}, {other}" in places[f"{name} ({other})"]["aliases"]
        assert places[f"{name} ({other})"]["slug"] == f"{name.lower()}-{other.lower()}"


def test_coast_road_from_derna_to_alexandria_is_one_line() -> None:
    assert distance_by("road", "18/4117", "19/2423") is not None
    assert distance_by("rail", "19/1225", "19/2423") is not None


def test_escarpments_have_a_lower_side() -> None:
    for pair, row in sides().items():
        if row["kind"] in ("escarpment", "impassable"):
            assert row["low"] in pair


def test_every_record_has_a_source() -> None:
    allowed = {"rulebook", "public", "sibling", "history", "inferred"}
    for key in ("hexes", "sides", "lines", "places", "unbuilt"):
        assert all(row["source"] in allowed for row in pack().rows(key)), key
