"""Counters, cards, set-ups and tables of Shifting Sands agree with what is told of them, and with one another."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from adjudicator.packs.files import read_pack
from adjudicator.packs.reading import records
from adjudicator.packs.shifting_sands.check_places import members
from adjudicator.packs.shifting_sands.graph import Position, graph_of
from tests.packs.shifting_sands import (
    FOLDER,
    Row,
    card,
    cards,
    control,
    counters,
    effects,
    facts,
    pack,
    spaces,
    standing,
    torch,
)

SIDES = ("axis", "allied")
YEARS = {"1940": (1, 14), "1941": (15, 34), "1942": (35, 55)}


def kinds() -> Counter[str]:
    """How many counters there are of each kind."""
    return Counter(row["kind"] for row in counters().values())


def by_number(side: str, number: str) -> Row:
    return next(row for row in cards(side) if row["number"] == number)


# ---- counters


@pytest.mark.parametrize("fact", facts()["figures"], ids=lambda fact: fact[0])
def test_known_figures(fact: list[str]) -> None:
    """SS 2.22, ruling A07."""
    unit = counters()[fact[0]]
    for key, value in zip(("cf_full", "cf_reduced", "lf", "mf"), fact[1:5], strict=True):
        assert value in ("", unit[key]), key


def test_known_figures_are_marked_as_such() -> None:
    for uid, full, _, loss, movement, _ in facts()["figures"]:
        for value, key in ((full, "cf_source"), (loss, "lf_source"), (movement, "mf_source")):
            assert not value or counters()[uid][key] in ("rulebook", "public"), (uid, key)


def test_strength_of_the_example_of_play() -> None:
    """The 27th, a German armor battlegroup and the 21st Panzer fight with 8."""
    assert sum(int(counters()[uid]["cf_full"]) for uid in ("it-27", "ge-arm-bg-1", "ge-21-pz")) == 8
    assert counters()["br-arm-bg-1"]["cf_full"] in ("0", "1", "2")


@pytest.mark.parametrize("fact", facts()["how_many"], ids=lambda fact: fact[0])
def test_known_counts(fact: list[str]) -> None:
    assert kinds()[fact[0]] == int(fact[1])


@pytest.mark.parametrize("fact", facts()["at_start"], ids=lambda fact: fact[0])
def test_known_counts_at_the_start(fact: list[str]) -> None:
    used = Counter(counters()[row["unit"]]["kind"] for row in pack().scenario("campaign")["units"])
    assert used[fact[0]] == int(fact[1])


def test_only_one_black_dot_is_known() -> None:
    """19.11."""
    assert [uid for uid, row in counters().items() if row.get("dot") == "yes"] == facts()["dots"]


def test_reduced_counters_are_no_stronger() -> None:
    assert all(int(row["cf_reduced"]) <= int(row["cf_full"]) for row in counters().values())


def test_each_upgrade_is_stronger() -> None:
    """7.54."""
    chain = [counters()[uid] for uid in ("br-7-arm", "br-7-arm-u1", "br-7-arm-u2")]
    assert all(int(a["cf_full"]) < int(b["cf_full"]) for a, b in pairwise(chain))
    assert [row.get("upgrade_of") for row in chain] == [None, "BR 7 Arm", "BR 7 Arm"]


def by_cards(gone: list[Row]) -> Counter[str]:
    """Counters that the cards bring, without those out of the game."""
    out = {(row["side"], row["card"]) for row in gone}
    found: Counter[str] = Counter()
    for row, effect in effects("place"):
        if (row["side"], row["id"]) not in out:
            found[effect["unit"]] += int(effect["count"])
    found.update(effect["to"] for row, effect in effects("upgrade") if (row["side"], row["id"]) not in out)
    return found


def set_up(scenario: str) -> Counter[str]:
    return Counter(counters()[row["unit"]]["kind"] for row in pack().scenario(scenario)["units"])


def at_torch() -> Counter[str]:
    found: Counter[str] = Counter()
    for row in torch()["units"]:
        found[row["kind"]] += int(row["count"])
    return found


def test_campaign_torch_cards_and_options_use_every_counter_once() -> None:
    optional = Counter(r["kind"] for r in counters().values() if r.get("option") in ("19.12", "19.13"))
    assert set_up("campaign") + at_torch() + by_cards([]) + optional == kinds()


def test_sonnenblume_never_needs_more_counters_than_there_are() -> None:
    need = set_up("sonnenblume") + at_torch() + by_cards(pack().scenario("sonnenblume")["removed"])
    assert {kind: n for kind, n in need.items() if n > kinds()[kind]} == {}


# ---- cards


@pytest.mark.parametrize("side", SIDES)
def test_numbers_and_years(side: str) -> None:
    """2.3: 14, 20 and 21 cards, in this order."""
    numbers = {year: sorted(int(r["number"]) for r in cards(side) if r["year"] == year) for year in YEARS}
    assert numbers == {year: list(range(first, last + 1)) for year, (first, last) in YEARS.items()}


@pytest.mark.parametrize("fact", facts()["cards"], ids="-".join)
def test_known_numbers(fact: list[str]) -> None:
    assert by_number(fact[0], fact[1])["name"].startswith(fact[2])


@pytest.mark.parametrize("fact", facts()["card_brings"], ids="-".join)
def test_known_arrivals(fact: list[str]) -> None:
    side, number, kind, count = fact
    brought = [e for e in by_number(side, number)["effects"] if e.get("unit") == kind]
    assert [e["count"] for e in brought] == [count]


@pytest.mark.parametrize("fact", facts()["ops"], ids=lambda fact: fact[0])
def test_known_operations(fact: list[str]) -> None:
    assert card(fact[0])["ops"] == fact[1]
    assert all(card(name)["square"] == "yes" for name in facts()["square"])


def test_operations_pools_and_classes() -> None:
    pools = {"axis": {"GE", "IT"}, "allied": {"BR", "CW", "A"}}
    classes = {"axis": {"GE", "IT", "T"}, "allied": {"BR", "CW", "T"}}
    for row in cards():
        assert 2 <= int(row["ops"]) <= 5, row["id"]
        assert {entry["pool"] for entry in row["rp"]} <= pools[row["side"]], row["id"]
        assert {row[key] for key in ("reinforcement_class",) if key in row} <= classes[row["side"]], row["id"]
        assert (row["kind"] == "reinforcement") == ("reinforcement_class" in row), row["id"]


def test_torch_cards() -> None:
    """10.53."""
    for row in cards():
        is_t = row.get("reinforcement_class") == "T"
        assert (row["t_card"] == "yes") == is_t, row["id"]
        if is_t:
            assert (row["square"], row["year"]) == ("yes", "1942"), row["id"]
            assert {"played": "Torch"} in row["conditions"], row["id"]


def test_combat_cards() -> None:
    fighting = {row["id"] for row, _ in effects("combat")}
    assert fighting == {row["id"] for row in cards() if row["kind"] == "combat"}
    assert fighting == {row["id"] for row in cards() if "after_combat" in row}


def test_every_effect_and_place_set_is_used() -> None:
    from adjudicator.packs.shifting_sands.vocabulary import EFFECTS

    assert {effect["do"] for row in cards() for effect in row["effects"]} == set(EFFECTS)
    sets = {row["name"]: row for row in pack().rows("places")}
    used = {effect["where"] for _, effect in effects("place")}
    used |= {part["include"] for row in sets.values() for part in row["any"] if "include" in part}
    assert used == set(sets)


def test_bans_on_replacement_points() -> None:
    """7.44."""
    found = {row["name"]: effect for row, effect in effects("rp_ban")}
    assert set(found) == {fact["event"] for fact in facts()["bans"]}
    for fact in facts()["bans"]:
        effect = found[fact["event"]]
        assert sorted(effect["lifted_by"]) == fact["lifted_by"], fact
        assert effect.get("unless_played", []) == fact["unless"], fact
        assert effect["side"] == "axis"


def test_ban_and_lifting_card_agree() -> None:
    lifted = {(name, row["name"]) for row, effect in effects("rp_ban") for name in effect["lifted_by"]}
    assert lifted == {(row["name"], effect["reason"]) for row, effect in effects("lift_ban")}


def test_german_points_for_others() -> None:
    """15.12."""
    found = [[row["name"], nation] for row, effect in effects("rp_pool") for nation in effect["nations"]]
    assert sorted(found) == sorted(facts()["german_points"])
    assert {effect["pool"] for _, effect in effects("rp_pool")} == {"GE"}


def test_releases() -> None:
    """10.42, 10.43."""
    found = [[row["name"], nation] for row, effect in effects("release") for nation in effect["nations"]]
    assert sorted(found) == sorted(facts()["releases"])


def test_demands_leave_a_round() -> None:
    """Ruling A83: the Axis moves first, so an Allied demand in round 6 could not be met."""
    victims = {row["name"]: effect["side"] for row, effect in effects("mandate")}
    assert victims == {"Orders from Rome": "axis", "London Calling": "allied"}
    assert {"round_max": "5"} in card("Orders from Rome")["conditions"]


def test_points_have_an_end() -> None:
    """A card that comes back moves the marker once a game."""
    assert all(e.get("once_per_game") == "yes" or row["asterisk"] == "yes" for row, e in effects("vp"))


def test_uprising_takes_not_both_ends_of_the_canal() -> None:
    """16.2, ruling A42."""
    placed = [effect for effect in card("Egyptian Uprising")["effects"] if effect["do"] == "place"]
    assert [effect["not_together"] for effect in placed] == [[["Port Said", "Suez"]]]


def test_minor_nations_can_be_rebuilt() -> None:
    """15.15: Allied points stand on cards that stay in the deck."""
    lasting = [row for row in cards("allied") if row["asterisk"] == "no"]
    assert sum(any(entry["pool"] == "A" for entry in row["rp"]) for row in lasting) >= 2


def test_red_names_are_the_prerequisites() -> None:
    """7.511."""
    asked = {c[key] for r in cards() for c in r["conditions"] for key in ("played", "played_this_turn") if key in c}
    asked |= {c["then_played"] for row in cards() for c in row["conditions"] if "then_played" in c}
    assert {row["name"] for row in cards() if row["red_name"] == "yes"} == asked


def test_units_that_a_card_asks_for_come_into_play() -> None:
    asked = {u for r in cards() for c in r["conditions"] if "units_at" in c for u in c["units_at"]["counters"]}
    assert asked == {"IT 20", "IT 80", "IT 185", "GE Ramcke BG"}
    assert all(by_cards([])[kind] for kind in asked)


def test_options_and_switches_of_cards_are_known() -> None:
    options = {row["id"] for row in pack().rows("options")}
    names = {row["switch"]["name"] for row in pack().rows("rulings") if "switch" in row}
    for row in cards():
        for switch in row.get("switches", []):
            assert switch.get("option") in options or switch.get("name") in names, row["id"]
    assert card("Balbo")["switches"][0]["option"] == "19.22"


def places(name: str, played: tuple[str, ...] = (), year: str = "1941", **turned: str) -> set[str]:
    """A place set in the position of the start, with events played and spaces turned (``port_said="axis"``)."""
    files = read_pack(FOLDER)
    own = control()
    own.update({space: side for space in own for key, side in turned.items() if space.lower().replace(" ", "_") == key})
    sets = {str(row["name"]): row for row in records(files.rows("cards.yaml", "places"))}
    return members(sets, name, Position(graph_of(files), own, frozenset(played), year))


def test_where_divisions_arrive() -> None:
    """7.532 and its exceptions."""
    ends, off_map = {"Port Said", "Suez"}, {"India", "Persia", "South Africa"}
    assert places("axis_division") == {"Tripoli"}
    assert places("axis_division", ("Torch",)) == {"Tripoli", "Tunis"}
    assert places("allied_division") == ends
    assert places("allied_division", suez="axis") == places("allied_division", port_said="axis") == ends | off_map
    assert places("t_division", suez="axis") == {"Casablanca", "Oran", "Algiers"}
    assert places("ind_division") == ends | {"India"}
    assert places("sa_division") == {"South Africa"}
    assert places("sa_division", addis_ababa="allied") == ends | {"South Africa"}
    assert places("aus6_division", year="1940") == {"Jerusalem"}
    assert places("aus6_division") == ends
    assert places("it_afr") == {"Addis Ababa"}
    assert "Sicily Box" in places("sicily_or_axis_port") and "Tripoli" in places("axis_port")


def test_where_battlegroups_arrive() -> None:
    """7.531 and its exceptions."""
    assert places("reserve") == {"reserve"} and places("replacement") == {"replacement"}
    assert places("lrdg") == {"Deep Desert"}
    assert places("lrdg", mersa_matruh="axis") == {"Cairo", "reserve"}
    assert places("eg_uprising") == set(facts()["egyptian_vp"])


# ---- set-ups


def test_turns_hands_and_victory() -> None:
    campaign, sonnenblume = (pack().scenario(name) for name in ("campaign", "sonnenblume"))
    keys = ("turn", "last_turn", "vp", "hand")
    assert [campaign[key] for key in keys] == ["Summer 1940", "Spring 1943", "10", "7"]
    assert [sonnenblume[key] for key in keys] == ["Spring 1941", "Spring 1942", "5", "8"]
    assert (campaign["victory"]["axis_at_least"], sonnenblume["victory"]["axis_at_least"]) == ("5", "7")
    assert pack().tree["victory"] == {"axis_at_least": "14", "allied_at_most": "3", "source": "rulebook"}
    assert [row["cards"] for row in pack().rows("hands")] == ["7", "8", "9", "10"]


def test_points_at_the_start() -> None:
    """4.12, 18.2, 18.3: ten, and five after three spaces and two events."""
    for name in ("campaign", "sonnenblume"):
        setup = pack().scenario(name)
        held = sum(spaces()[s].get("vp") == "yes" and side == "axis" for s, side in control(setup).items())
        played = {row["event"] for row in setup["events"]}
        moved = sum(int(effect["delta"]) for row, effect in effects("vp") if row["name"] in played)
        assert held + moved == int(setup["vp"]), name


def test_cards_of_sonnenblume() -> None:
    """18.1, 18.2, 18.3."""
    setup = pack().scenario("sonnenblume")
    for side in SIDES:
        gone = [row["card"] for row in setup["removed"] if row["side"] == side]
        assert gone == [by_number(side, number)["id"] for number in facts()["removed_at_sonnenblume"][side]]
        assert all(row["asterisk"] == "yes" for row in cards(side) if row["id"] in gone)
    assert [row["event"] for row in setup["events"]] == facts()["played_at_sonnenblume"]
    assert {row["card"] for row in setup["discarded"]} == {"italian-fleet-5", "mediterranean-fleet-10"}
    assert all(card(name)["asterisk"] == "no" for name in ("Italian Fleet", "Mediterranean Fleet"))
    taken = {(row["side"], row["card"]) for row in setup["may_take"]}
    assert taken == {("axis", "balkan-campaign-15"), ("allied", "commonwealth-reinforcements-1st-south-african-30")}


def test_what_removed_cards_bring_is_set_up() -> None:
    setup = pack().scenario("sonnenblume")
    gone = {row["card"] for row in setup["removed"]}
    brought = {effect["unit"] for row, effect in effects("place") if row["id"] in gone}
    assert brought <= set(set_up("sonnenblume"))


@pytest.mark.parametrize("scenario", ["campaign", "sonnenblume"])
def test_stacks(scenario: str) -> None:
    """8.1, 3: three units, one side, in a space of that side."""
    setup = pack().scenario(scenario)
    own = control(setup)
    for name, stack in standing(setup).items():
        sides = {side_of(unit) for unit in stack if unit["nation"] not in ("VF", "IR")}
        assert len(stack) <= 3 and len(sides) <= 1, name
        assert sides <= {own[name]}, name


def test_torch_stacks() -> None:
    held: Counter[str] = Counter()
    own = control(torch())
    nations = {row["kind"]: row for row in counters().values()}
    for row in torch()["units"]:
        if not row["at"].startswith("@"):
            held[row["at"]] += int(row["count"])
            assert own[row["at"]] == side_of(nations[row["kind"]]), row
    assert max(held.values()) <= 3


def side_of(unit: Row) -> str:
    return "axis" if unit["nation"] in ("GE", "IT", "VF", "IR", "EG") else "allied"


def test_the_neutrals_stand_alike_in_both_scenarios() -> None:
    """18.0."""
    found = [
        {(r["unit"], r["at"]) for r in pack().scenario(name)["units"] if r["unit"][:3] in ("vf-", "ir-")}
        for name in ("campaign", "sonnenblume")
    ]
    assert found[0] == found[1] and len(found[0]) == 14


# ---- tables


def fire(which: str) -> dict[str, Row]:
    rows = pack().tree["tables"]["fire"]
    return {t["table"]: t for row in rows if row["id"] == which for t in row["tables"]}


@pytest.mark.parametrize("which", ["pog", "btb"])
@pytest.mark.parametrize("table", ["division", "battlegroup"])
def test_fire_tables_rise(which: str, table: str) -> None:
    found = fire(which)[table]
    cells = [[int(cell) for cell in row["cells"]] for row in found["rows"]]
    assert [row["row"] for row in found["rows"]] == list("123456")
    assert all(len(row) == len(found["columns"]) and row == sorted(row) for row in cells)
    assert all(a <= b for upper, lower in pairwise(cells) for a, b in zip(upper, lower, strict=True))
    assert found["strength_zero"] == found["columns"][0]
    assert all(set(row["bold"]) <= set(found["columns"]) for row in found["rows"])


@pytest.mark.parametrize("which", ["pog", "btb"])
def test_known_cells(which: str) -> None:
    division = fire(which)["division"]
    for column, die, result, _ in facts()["cells"]:
        row = division["rows"][int(die) - 1]
        assert row["cells"][division["columns"].index(column)] == result
    assert "12-14" in division["rows"][3]["bold"]
    assert "6-8" not in division["rows"][1]["bold"]
    group = fire(which)["battlegroup"]
    assert group["rows"][5]["cells"][group["columns"].index(counters()["br-arm-bg-1"]["cf_full"])] == "1"


@pytest.mark.parametrize("which", ["pog", "btb"])
def test_bold_is_five_and_more(which: str) -> None:
    """Ruling A02."""
    division, group = fire(which)["division"], fire(which)["battlegroup"]
    for row in division["rows"]:
        high = [c for c, cell in zip(division["columns"], row["cells"], strict=True) if int(cell) >= 5]
        assert row["bold"] == high, row["row"]
    assert all(row["bold"] == [] for row in group["rows"])


def test_defaults_are_those_of_the_rulings() -> None:
    """A01, A03, A05."""
    tables = pack().tree["tables"]
    assert (tables["fire_default"], tables["lrdg_default"]) == ("pog", "mild")
    switches = {r["switch"]["name"]: r["switch"] for r in pack().rows("rulings") if "switch" in r}
    assert switches["tables_fire"]["values"] == [row["id"] for row in tables["fire"]]
    assert switches["tables_lrdg"]["values"] == [row["id"] for row in tables["lrdg"]]
    assert all(row["switch"]["default"] in row["switch"]["values"] for row in pack().rows("rulings") if "switch" in row)


def test_lrdg_tables() -> None:
    """11.73 to 11.75: a raid on 6 takes a card."""
    for row in pack().tree["tables"]["lrdg"]:
        assert [line["die"] for line in row["rows"]] == list("123456")
        assert row["rows"][5]["raid"] == "card"


def test_terrain_and_modifiers() -> None:
    """11.26, 11.27, 11.53, 11.65, 14.3."""
    rows = {row["terrain"]: row for row in pack().tree["tables"]["terrain"]}
    for name in ("marsh", "mountain"):
        keys = ("attacker_shift", "flank", "overrun", "hold", "stops_advance")
        assert [rows[name][key] for key in keys] == ["-1", "no", "no", "yes", "yes"]
    assert [rows["fort"][key] for key in ("flank", "overrun", "hold", "adds_cf")] == ["no", "no", "no", "yes"]
    drms = {row["name"]: row for row in pack().tree["tables"]["drm"]}
    ends = {card["name"]: e["nations"] for card in cards() for e in card["effects"] if e["do"] == "end_drm"}
    assert (drms["italians"]["drm"], drms["italians"]["nations"]) == ("-1", ends["Balbo"])
    assert (drms["americans"]["drm"], drms["americans"]["nations"]) == ("-1", ends["Patton"])
    assert (drms["nile"]["side"], drms["nile"]["link"]) == ("attacker", ["Aswan", "Khartoum"])
