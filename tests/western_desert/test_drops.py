"""Air transport and air drops (WD 20.E, 24.B, 24.C, 25): cargo, room, the hex of a drop, fates, the duty to attack."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.air.craft import (
    ABORTED,
    AIRLIFT,
    DROP,
    ELIMINATED,
    FERRY,
    TURNED_BACK,
    UNHURT,
    Craft,
    Flight,
    craft_of,
)
from adjudicator.western_desert.air.drops import (
    Cargo,
    Delivery,
    DropSite,
    by_glider,
    cargo_of,
    carriers_of,
    delivery,
    disrupted_on,
    disruption,
    disruption_label,
    disrupts,
    droppable,
    duty_problems,
    expended,
    holds_of,
    lift_problems,
    lost_with,
    must_attack,
    room,
    site_of,
    stow,
    towing_problems,
)
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.state import State, World
from tests.western_desert.ground import start

GLIDER = Craft("G", "GT", defense=1)
SITE = DropSite("T", "clear")
PARA, LANDER, DIVISION, POSITION = "it-186p", "it-125al", "it-185", "paa-axis-10"


def transport(aid: str, mission: str = DROP, tow: bool = False, **more: object) -> Flight:
    """A transport, with a glider on its tow or not."""
    glider = replace(GLIDER, id=f"G{aid}") if tow else None
    return Flight(Craft(aid, "T", defense=2, movement=12), mission, tow=glider, **more)  # type: ignore[arg-type]


def unit(uid: str, re: str = "1", **more: bool) -> Cargo:
    """A unit without heavy equipment; for drops an airborne one."""
    return Cargo(uid, uid, Fraction(re), **{"airborne": True, **more})


def codes(*args: object) -> list[str]:
    """What is wrong with transports and cargo, by code."""
    return [problem.code for problem in lift_problems(*args)]  # type: ignore[arg-type]


# --- cargo ------------------------------------------------------------------------------------------------------


def test_counters_as_cargo() -> None:
    """WD 20.E, 3.F, 22.A.3, 25: heavy equipment, size, airborne or not, and where the unit is."""
    state = start()
    base = next(iter(sorted(state.pieces.values(), key=lambda piece: piece.hex))).hex
    for uid in (PARA, LANDER, DIVISION, POSITION):
        state.place(uid, base)
    cargo = {uid: cargo_of(state, uid, base) for uid in (PARA, LANDER, DIVISION, POSITION)}
    assert [(c.re, c.heavy, c.airborne, c.air_landing) for c in cargo.values()] == [
        (1, False, True, False),
        (1, False, True, True),
        (2, True, True, False),
        (Fraction(3, 2), True, False, False),
    ]
    assert cargo[PARA].at_base and not cargo_of(state, PARA, base + 1).at_base


@pytest.mark.parametrize(
    ("cargo", "mission", "code", "rule"),
    [
        (unit("U", heavy=True), AIRLIFT, "heavy", "WD 20.E"),
        (unit("U", heavy=True), DROP, "heavy", "WD 20.E"),
        (unit("U", at_base=False), FERRY, "not_at_base", "WD 20.E"),
        (unit("U", airborne=False), DROP, "not_airborne", "WD 25"),
    ],
)
def test_what_is_not_carried(cargo: Cargo, mission: str, code: str, rule: str) -> None:
    """WD 20.E, 25; an airborne unit with heavy equipment is no exception (ruling AIRBORNE-HEAVY)."""
    flights = [transport("T1", mission), transport("T2", mission)]
    found = lift_problems(flights, [cargo], SITE)
    assert [(problem.code, problem.rule) for problem in found] == [(code, rule)] and found[0].hint


def test_others_than_airborne_units_fly_but_are_not_dropped() -> None:
    assert codes([transport("T1", AIRLIFT)], [unit("U", airborne=False)]) == []


# --- room -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mission", "extended", "res"),
    [(AIRLIFT, False, "1"), (FERRY, False, "1"), (DROP, False, "1/2"), (AIRLIFT, True, "1/2"), (DROP, True, "1/4")],
)
def test_room(mission: str, extended: bool, res: str) -> None:
    """WD 20.E.1, 20.E.2, 24.B.transport, 24.C, ruling TRANSPORT-EXT."""
    assert room(mission, extended) == Fraction(res)
    assert [hold.room for hold in holds_of([transport("T", mission, tow=True, extended=extended)])] == 2 * [
        Fraction(res)
    ]


@pytest.mark.parametrize(
    ("flights", "cargo", "rules"),
    [
        ([transport("T1", AIRLIFT)], [unit("U", "1/2"), unit("V", "1/2")], []),
        ([transport("T1", AIRLIFT)], [unit("U"), unit("V", "1/2")], ["WD 20.E.1"]),
        ([transport("T1", AIRLIFT, tow=True)], [unit("U"), unit("V")], []),
        ([transport("T1"), transport("T2")], [unit("U")], []),
        ([transport("T1")], [unit("U")], ["WD 20.E.2"]),
        ([transport("T1", tow=True)], [unit("U")], []),
        ([transport("T1", AIRLIFT, extended=True)], [unit("U")], ["WD 24.B.transport"]),
        ([transport("T1", tow=True), transport("T2", tow=True)], [unit("U", air_landing=True)], []),
        ([transport("T1", tow=True), transport("T2")], [unit("U", air_landing=True)], ["WD 25.D"]),
        ([transport("T1", AIRLIFT)], [unit("U", air_landing=True)], []),
        (
            [transport("T1", tow=True), transport("T2", tow=True)],
            [unit("P", "1"), unit("L", "1", air_landing=True)],
            [],
        ),
        (
            [transport("T1", tow=True), transport("T2", tow=True)],
            [unit("P", "3/2"), unit("L", "1", air_landing=True)],
            ["WD 20.E.2"],
        ),
        ([transport("T1")], [unit("P", "1"), unit("L", "1", air_landing=True)], ["WD 25.D", "WD 20.E.2"]),
    ],
)
def test_what_fits(flights: list[Flight], cargo: list[Cargo], rules: list[str]) -> None:
    """WD 20.E.1, 20.E.2, 24.B.transport, 24.C, 25.D."""
    assert [problem.rule for problem in lift_problems(flights, cargo, SITE)] == rules


def test_transports_that_carry_together_fly_together() -> None:
    """WD 20.E.fate: one mission, base, hex, and time of day."""
    one = transport("T1", target=1, base=2)
    for other in (
        transport("T2", AIRLIFT, target=1, base=2),
        transport("T2", target=3, base=2),
        transport("T2", target=1, base=3),
        transport("T2", target=1, base=2, night=True),
    ):
        assert "lift_mixed" in codes([one, other], [unit("U", "1/2")], SITE)
    assert codes([one, transport("T2", target=1, base=2)], [unit("U")], SITE) == []


def test_each_transport_tows_one_glider() -> None:
    """WD 24.C."""
    ju = Craft("J", "T")
    assert towing_problems([ju], [GLIDER]) == [] == towing_problems([ju], [])
    assert [problem.rule for problem in towing_problems([ju], [GLIDER, GLIDER])] == ["WD 24.C"]


def test_a_unit_rides_in_one_hold_where_it_can() -> None:
    """WD 20.E: so that what befalls the other transport doesn't touch it."""
    flights = [transport("T1", AIRLIFT), transport("T2", AIRLIFT)]
    stowage = stow(flights, [unit("U", "1/2"), unit("V", "1")])
    assert [[hold.craft for hold in stowage.holds[uid]] for uid in ("U", "V")] == [["T1"], ["T2"]]
    assert [f.id for f in carriers_of(stowage, "V", flights)] == ["T2"]


def test_air_landing_units_get_the_gliders() -> None:
    """WD 25.D, 25.A.mod: whatever order the cargo is named in."""
    flights = [transport("T1", tow=True), transport("T2", tow=True)]
    stowage = stow(flights, [unit("P"), unit("L", air_landing=True)])
    assert [hold.craft for hold in stowage.holds["L"]] == ["GT1", "GT2"] and by_glider(stowage, "L")
    assert [hold.craft for hold in stowage.holds["P"]] == ["T1", "T2"] and not by_glider(stowage, "P")
    assert by_glider(stow([transport("T1", tow=True)], [unit("P")]), "P"), "a glider as part of its transport"


FLIGHTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=4)
SIZES = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=4)


@given(FLIGHTS, SIZES, st.sampled_from([AIRLIFT, FERRY, DROP]))
def test_nothing_is_lost_in_the_holds(lifts: list[tuple[bool, bool]], sizes: list[tuple[int, bool]], how: str) -> None:
    """WD 20.E: what found room and what did not is all there is; what is left over is so for want of room."""
    flights = [transport(f"T{n}", how, tow=tow, extended=far) for n, (tow, far) in enumerate(lifts)]
    cargo = [unit(f"U{n}", f"{half}/2", air_landing=glides) for n, (half, glides) in enumerate(sizes)]
    stowage = stow(flights, cargo)
    total = sum((hold.room for hold in holds_of(flights)), Fraction(0))
    stowed = sum((one.re - stowage.left[one.id] for one in cargo), Fraction(0))
    assert 0 <= stowed <= total
    others = [one for one in cargo if not (how == DROP and one.air_landing)]
    if any(stowage.left[one.id] for one in others):
        assert stowed == total
    for one in cargo:
        assert bool(stowage.holds[one.id]) is (stowage.left[one.id] < one.re)
        if how == DROP and one.air_landing:
            assert all(hold.glider for hold in stowage.holds[one.id])


# --- the drop ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "lawful"),
    [
        *(("clear", True), ("rough", True), ("sand", True), ("mountain", False), ("swamp", False)),
        *(("salt_marsh", False), ("full_city", False)),
    ],
)
def test_where_units_are_dropped(terrain: str, lawful: bool) -> None:
    """WD 20.E.2, to which rule 25 means to refer (ruling XREF); ruling CANAL-RIVER."""
    board = build.mini_board()
    build.set_hex(board, build.CENTRE, terrain)
    site = site_of(build.new_state(board), build.CENTRE, "axis")
    assert site.barred is not lawful
    assert codes([transport("T")], [unit("U", "1/2")], site) == ([] if lawful else ["drop_terrain"])
    assert codes([transport("T", AIRLIFT)], [unit("U")], site) == [], "an airbase may be in a city"


def test_the_sea_and_the_cities_of_the_map() -> None:
    """WD 20.E.2: Cairo and Alexandria fill their hexes, Tobruk doesn't; nothing is dropped into the sea."""
    state = build.new_state(real_world().board)
    board = state.board
    barred = {name: site_of(state, build.find_hex(board, name), "axis").barred for name in ("Cairo", "Tobruk")}
    assert barred == {"Cairo": True, "Tobruk": False}
    assert site_of(state, max(board.land) + 64 * 90, "axis").barred
    assert droppable(real_world()) == {"clear", "rough", "sand"}
    with pytest.raises(ChartMissing):
        droppable(World(board, {}, {}))


def test_enemies_and_their_zones_are_seen() -> None:
    """WD 20.E.2, 25.A.mod."""
    board = build.mini_board()
    state = build.new_state(board)
    build.put(state, build.make_unit("e", {"printed": 3}, "allied"), build.CENTRE)
    here, near = site_of(state, build.CENTRE, "axis"), site_of(state, board.find("A"), "axis")
    assert (here.enemy, near.enemy, near.ezoc) == (True, False, True)
    assert not here.barred and here.hard and near.hard
    assert not site_of(state, board.find("A"), "allied").hard


@pytest.mark.parametrize(
    ("site", "night", "glider", "rolls"),
    [
        (SITE, False, False, 1),
        (SITE._replace(terrain="rough"), False, False, 2),
        (SITE._replace(terrain="rough", ezoc=True, enemy=True), False, False, 2),
        (SITE, True, False, 3),
        (SITE._replace(enemy=True), True, False, 4),
        (SITE._replace(enemy=True), True, True, 3),
        (SITE, False, True, 0),
        (SITE._replace(ezoc=True), False, True, 1),
    ],
)
def test_disruption(site: DropSite, night: bool, glider: bool, rolls: int) -> None:
    """WD 25.A, 25.A.mod: 1 or less; -1 once, -2 by night, +1 by glider."""
    changes = disruption(site, night, glider)
    assert disrupted_on(changes) == tuple(range(1, rolls + 1))
    assert disrupts(rolls, changes) or not rolls
    assert not disrupts(rolls + 1, changes)
    assert {change.rule for change in changes} <= {"WD 25.A.mod"}
    assert disruption_label("19.0726", PARA) == "disruption/19.0726/it-186p"


# --- fates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fates", "outcome"),
    [
        ((UNHURT, UNHURT), Delivery("landed", "T0")),
        ((UNHURT, TURNED_BACK), Delivery("turned_back", "T1")),
        ((TURNED_BACK, ABORTED), Delivery("turned_back", "T1")),
        ((ELIMINATED, TURNED_BACK), Delivery("eliminated", "T0")),
    ],
)
def test_the_worst_befalls_the_cargo(fates: tuple[str, ...], outcome: Delivery) -> None:
    """WD 20.E.fate."""
    assert delivery([transport(f"T{n}", fate=fate) for n, fate in enumerate(fates)]) == outcome


def test_cargo_has_a_transport() -> None:
    with pytest.raises(ValueError, match="empty"):
        delivery([])


def test_gliders_are_used_up_by_a_drop() -> None:
    """WD 24.C.expend, 24.C.defense: by no other mission, nor when turned back; they are lost with the tow."""
    assert expended(transport("T", tow=True))
    assert not expended(transport("T"))
    assert not expended(transport("T", AIRLIFT, tow=True))
    assert not expended(transport("T", tow=True, fate=TURNED_BACK))
    assert lost_with(transport("T", tow=True, fate=ELIMINATED)) == ("T", "GT")
    assert lost_with(transport("T", tow=True, fate=ABORTED)) == ()


def test_the_special_forces_of_the_pack_carry_a_regiment() -> None:
    """WD 24.C, 25.D, with the counters: two Ju 52 with gliders drop an air landing regiment."""
    world = real_world()
    tows = sorted(aid for aid in world.air if "ju-52" in aid)[:2]
    gliders = sorted(aid for aid in world.air if "dfs-230" in aid)[:2]
    pairs = zip(tows, gliders, strict=True)
    flights = [Flight(craft_of(world, tow), DROP, tow=craft_of(world, glider)) for tow, glider in pairs]
    assert codes(flights, [unit(LANDER, air_landing=True)], SITE) == []
    assert codes([replace(flight, tow=None) for flight in flights], [unit(LANDER, air_landing=True)], SITE) == [
        "gliders_only"
    ]


# --- combat -----------------------------------------------------------------------------------------------------


def dropped_on(enemy: bool) -> State:
    """A regiment that was dropped on T, an enemy battalion there or next to it."""
    state = build.new_state(build.mini_board(), "axis", "combat")
    build.put(state, build.make_unit("p", {"printed": 2}, "axis"), build.CENTRE, {"dropped": True})
    build.put(state, build.make_unit("e", {"printed": 1}, "allied"), build.CENTRE if enemy else state.board.find("A"))
    return state


def test_who_is_dropped_on_the_enemy_must_attack_him() -> None:
    """WD 25.C.must, 25.C."""
    state = dropped_on(enemy=True)
    assert must_attack(state, "p") and not must_attack(state, "e")
    assert [problem.rule for problem in duty_problems(state, "axis", [])] == ["WD 25.C.must"]
    assert duty_problems(state, "allied", []) == []
    assert len(duty_problems(state, "axis", [Attack("axis", state.board.find("A"), ("p",))])) == 1
    assert duty_problems(state, "axis", [Attack("axis", build.CENTRE, ("p",))]) == []


def test_who_is_dropped_beside_the_enemy_may_attack() -> None:
    """WD 25.C; a unit that was not dropped has no such duty."""
    state = dropped_on(enemy=False)
    assert not must_attack(state, "p") and duty_problems(state, "axis", []) == []
    state = dropped_on(enemy=True)
    state.set_dropped("p", False)
    assert not must_attack(state, "p")
