"""What missions and patrols must know, read off positions on the real map (WD 16 to 20)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Flight, craft_of
from adjudicator.western_desert.air.facts import (
    AirBook,
    bases_from,
    fighters,
    flier_of,
    is_airbase,
    leg_to,
    on_the_ground,
    open_sky,
    own_base,
    patrols_of,
    side_air,
    stands_at,
    target_of,
)
from adjudicator.western_desert.air.missions import AIR_STEP, Leg, Moment, Wish, mission_problems
from adjudicator.western_desert.air.patrol import quiet_path
from adjudicator.western_desert.state import Air, State
from tests.western_desert.ground import start

HURRI, BLEN, WELL = "air-hurri-1-1", "air-blen-4-1", "air-well-1c-1"
ME, JU_52, GLIDER = "air-me-109f-4", "air-ju-52-1", "air-dfs-230-special-1"
TOBRUK, DERNA, CAIRO, SUEZ = "Tobruk", "Derna", "Cairo", "Suez"
BEYROUTH = "Beyrouth"
OWN = Moment(AIR_STEP, phasing=True)


def at(state: State, name: str) -> int:
    """The hex of a place."""
    return next(place.hex for place in state.board.places.values() if place.name == name)


@pytest.fixture
def state() -> State:
    """The set-up of Compass with Allied air units at Cairo and Axis ones at Tobruk."""
    found = start()
    for aid, base in ((HURRI, CAIRO), (BLEN, CAIRO), (WELL, CAIRO), (ME, TOBRUK), (JU_52, TOBRUK), (GLIDER, TOBRUK)):
        found.air[aid] = Air(at(found, base))
    return found


def flight(state: State, aid: str, mission: str, place: str, **more: object) -> Flight:
    """An air unit on a mission to a place."""
    return replace(Flight(craft_of(state.world, aid), mission, target=at(state, place)), **more)  # type: ignore[arg-type]


def test_who_is_where(state: State) -> None:
    """WD 17: at bases, or flying; a glider flies with its tow (WD 24.C)."""
    assert side_air(state, "allied") == [BLEN, HURRI, WELL]
    book = AirBook((flight(state, BLEN, air.PORT, TOBRUK),))
    assert on_the_ground(state, "allied", book) == [HURRI, WELL]
    tow = AirBook((flight(state, JU_52, air.TRANSFER, DERNA, tow=craft_of(state.world, GLIDER)),))
    assert on_the_ground(state, "axis", tow) == [ME] and tow.last(GLIDER) is tow.flights[0]


def test_bases_and_their_owners(state: State) -> None:
    """WD 17, 17.A, 17.C: cities and airfields, of whoever holds the hex; hits don't keep anybody from landing."""
    tobruk = at(state, TOBRUK)
    assert is_airbase(state, tobruk) and own_base(state, tobruk, "axis") and not own_base(state, tobruk, "allied")
    state.base_hits[tobruk] = 9
    assert own_base(state, tobruk, "axis")
    assert not is_airbase(state, at(state, CAIRO) + 64 * 40)
    near = bases_from(state, "axis", tobruk)
    assert near[0].distance == 0 and near[0].id == state.board.name(tobruk)
    assert near == sorted(near, key=lambda base: (base.distance, base.id))
    assert state.board.name(at(state, CAIRO)) not in [base.id for base in near]


def test_a_target_is_what_the_side_sees(state: State) -> None:
    """WD 20: Tobruk is a port and a base of the Axis with air units; the Axis sees its own."""
    book, tobruk = AirBook(), at(state, TOBRUK)
    seen = target_of(state, "allied", tobruk, book)
    assert (seen.own, seen.own_base, seen.enemy_base, seen.port, seen.enemy_air) == (False, False, True, True, True)
    assert seen.enemy_units and not seen.canal and not seen.closed and seen.name.startswith("Tobruk")
    mine = target_of(state, "axis", tobruk, book)
    assert (mine.own, mine.own_base, mine.enemy_base, mine.enemy_air, mine.enemy_units) == (
        True,
        True,
        False,
        False,
        False,
    )
    suez = target_of(state, "axis", at(state, SUEZ), book)
    assert suez.canal and suez.port and suez.rail and not seen.rail
    assert not target_of(state, "axis", at(state, CAIRO), book).canal


def test_who_else_flies_there(state: State) -> None:
    """WD 20.A, 20.C, 24.E: company and enemies at the same time of day; escorts are none, nor is who turned back."""
    tobruk = at(state, TOBRUK)
    book = AirBook((flight(state, BLEN, air.PORT, TOBRUK), flight(state, HURRI, air.ESCORT, TOBRUK)))
    assert target_of(state, "allied", tobruk, book).friends
    assert not target_of(state, "allied", tobruk, book, flier=BLEN).friends
    seen = target_of(state, "axis", tobruk, book)
    assert seen.enemies and not seen.otherwise
    dark = AirBook((flight(state, WELL, air.PORT, TOBRUK, night=True),))
    assert (
        target_of(state, "axis", tobruk, dark).otherwise and target_of(state, "axis", tobruk, dark, night=True).enemies
    )
    gone = AirBook((flight(state, BLEN, air.PORT, TOBRUK, fate=air.TURNED_BACK),))
    assert not target_of(state, "axis", tobruk, gone).enemies
    assert flier_of(state, ME, book).raided and not flier_of(state, ME, gone).raided
    assert not flier_of(state, ME, dark).raided


def test_what_an_air_unit_may_still_do(state: State) -> None:
    """WD 17.A, 20.D, 29.C.1.placing: take-offs left at the base it stands at now, its transfers, its mission."""
    derna, tobruk = at(state, DERNA), at(state, TOBRUK)
    fresh = flier_of(state, ME, AirBook())
    assert fresh.operative and fresh.legs == () and not fresh.flown and not fresh.still
    leg = (Leg(6),)
    moved = AirBook((flight(state, ME, air.TRANSFER, DERNA),), {derna: 1}, {ME: leg})
    assert stands_at(state, ME, moved) == derna and stands_at(state, ME, AirBook()) == tobruk
    there = flier_of(state, ME, moved)
    assert (there.legs, there.flown) == (leg, "")
    assert there.capacity == (flier_of(state, ME, replace(moved, used={})).capacity or 0) - 1
    done = replace(moved, flights=(*moved.flights, flight(state, ME, air.ESCORT, TOBRUK)))
    assert flier_of(state, ME, done).flown == air.ESCORT and done.now() == [done.flights[1]]
    back = AirBook((flight(state, ME, air.TRANSFER, DERNA, fate=air.TURNED_BACK),))
    assert flier_of(state, ME, back).flown == air.TRANSFER
    state.still = frozenset({ME})
    assert flier_of(state, ME, AirBook()).still == "WD 29.C.1.placing"
    assert flier_of(state, JU_52, AirBook(), tow=GLIDER).tow == craft_of(state.world, GLIDER)


def test_fighters_on_the_ground_patrol_and_bar(state: State) -> None:
    """WD 19, 19.once, 20.D.chain."""
    tobruk = at(state, TOBRUK)
    assert [craft.id for craft, _h in fighters(state, "axis", AirBook())] == [ME]
    patrol = patrols_of(state, "axis", AirBook(attacks={ME: 1}))[ME]
    assert (patrol.base, patrol.radius, patrol.attacks) == (tobruk, 4, 1)
    assert leg_to(state, "allied", tobruk + 4, 20, AirBook()) == Leg(20, barred=True)
    assert leg_to(state, "allied", tobruk + 5, 20, AirBook()) == Leg(20)
    flying = AirBook((flight(state, ME, air.ESCORT, DERNA),))
    assert patrols_of(state, "axis", flying) == {} and leg_to(state, "allied", tobruk + 4, 20, flying) == Leg(20)
    state.air[ME].operative = False
    assert patrols_of(state, "axis", AirBook()) == {}


def test_the_neutral_levant_is_flown_around(state: State) -> None:
    """WD 28.C, ruling LEVANT-AIR: neither as a target nor on the way; once it is conquered it is open."""
    beyrouth = at(state, BEYROUTH)
    assert beyrouth not in open_sky(state, "air-sm-79-1") and at(state, TOBRUK) in open_sky(state, "air-sm-79-1")
    assert target_of(state, "axis", beyrouth, AirBook()).closed
    assert target_of(state, "axis", at(state, TOBRUK), AirBook(), path=[beyrouth]).closed
    north, south = beyrouth - 3, beyrouth + 6
    around = quiet_path(north, south, 40, set(), open_sky(state, "air-sm-79-1"))
    assert around is not None and len(around) >= hexes.distance(north, south)
    assert set(around[:-1]) <= open_sky(state, "air-sm-79-1")
    state.levant = "open"
    assert beyrouth in open_sky(state, "air-sm-79-1") and not target_of(state, "axis", beyrouth, AirBook()).closed


def test_facts_and_rules_together(state: State) -> None:
    """A day on the real map: Blenheims from Cairo bomb Tobruk, and nothing of their own (WD 20.F.own-hex)."""
    book, cairo, tobruk = AirBook(), at(state, CAIRO), at(state, TOBRUK)
    far = hexes.distance(cairo, tobruk)
    blen = flier_of(state, BLEN, book)
    assert far > blen.craft.movement
    wish = Wish(air.PORT, far, extended=True)
    assert mission_problems(blen, wish, target_of(state, "allied", tobruk, book), OWN) == []
    own = mission_problems(blen, Wish(air.PORT, 5), target_of(state, "allied", at(state, SUEZ), book), OWN)
    assert [problem.rule for problem in own] == ["WD 20.F.own-hex"]
    escort = mission_problems(
        flier_of(state, HURRI, book), Wish(air.ESCORT, 5), target_of(state, "allied", tobruk, book), OWN
    )
    assert [problem.rule for problem in escort] == ["WD 20.C"]
