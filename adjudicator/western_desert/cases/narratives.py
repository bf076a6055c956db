"""Runner of the form narrative (CASE-FORMS 6): a case in words is answered by a small play of what it tells.

The play gives back the words that the case expects where what they say came about, else what came about instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from adjudicator.engine.casecheck import Found, NotBuilt
from adjudicator.engine.core import Answer, Ctx, Order
from adjudicator.engine.dice import Assume
from adjudicator.packs.load import load_pack
from adjudicator.western_desert.air.allocation import FLYING, INTERCEPTING
from adjudicator.western_desert.air.craft import AIRBASE, ESCORT, INTERCEPT, Craft, Flight
from adjudicator.western_desert.air.engagement import fight_all
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.sky import battles, sky_over
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.board import HexInfo
from adjudicator.western_desert.cases.build import lone, new_state, put, real_world, set_line, strip_board
from adjudicator.western_desert.cases.core import Case, form
from adjudicator.western_desert.cases.drive import context, drive
from adjudicator.western_desert.initial import USE, initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import State, Supply, turn_name
from adjudicator.western_desert.switches import OPTIONS, OPTIONS_BUILT, check_switches
from adjudicator.western_desert.theatre.listed import NEAR, OPTION
from adjudicator.western_desert.units import Unit

Play = Callable[[], str]
_plays: dict[str, Play] = {}
HEXES = (1, 2)
SEVEN = 7
ROAD, GUARDED = 14, 3


def play(case: str) -> Callable[[Play], Play]:
    """Register the play of a case."""

    def register(function: Play) -> Play:
        _plays[case] = function
        return function

    return register


@form("narrative")
def run_narrative(case: Case) -> Found:
    """What a case tells in words, played."""
    if case.id not in _plays:
        raise NotBuilt(f"form narrative: what {case.id} tells is not played in this version")
    return Found({"text": _plays[case.id]()})


@play("AC-24")
def _hex_by_hex() -> str:
    """Air combats in two hexes: the hexes of all shots, in the order fired."""
    tables = air_tables(real_world())
    found = battles(flight for h in HEXES for flight in _raid(h))
    over = [sky_over(tables, f"H{battle.hex}", battle.flights) for battle in found]
    outcomes = fight_all(over, {FLYING: Defaults(), INTERCEPTING: Defaults()}, lambda _shot: SEVEN)
    places = [fired.shot.label.split("/")[1] for outcome in outcomes for fired in outcome.fired]
    if places == sorted(places) and set(places) == {f"H{h}" for h in HEXES}:
        return "All air combat of one hex is finished before the next hex is begun."
    return f"The shots are fired over {', '.join(places)}."


def _raid(h: int) -> Iterator[Flight]:
    """A bomber with an escort, and two interceptors, over a hex."""
    for mission, kind, count in ((INTERCEPT, "F", 2), (ESCORT, "F", 1), (AIRBASE, "B", 1)):
        for number in range(count):
            yield Flight(Craft(f"{mission}-{h}-{number}", kind, attack=4, defense=4), mission, target=h)


@play("OP-19")
def _each_option_by_itself() -> str:
    """A game whose genesis names one optional rule: which of all that there are it plays."""
    agreed = {OPTIONS: "33.A"}
    check_switches(load_pack("western-desert").tree, agreed)
    world = replace(real_world(), switches=agreed, cache={})
    known = sorted({*OPTIONS_BUILT, "33.I"})
    played = [option for option in known if world.plays(option)]
    return f"Only {played[0]} is in force." if len(played) == 1 else f"In force: {', '.join(played) or 'none'}."


@play("IX-12")
def _the_road_is_cut() -> str:
    """The guard of a supply road is overrun: the supply of those beyond it, in that player turn and at the next check,
    with no counter and with one that serves them."""
    found = (_cut(counter=False), _cut(counter=True))
    if found == ((True, False), (True, True)):
        return (
            "During the rest of this Axis player turn they keep the supply status found in its initial phase. "
            "In the next Allied initial phase they are out of general supply unless a supply counter serves them."
        )
    return f"General supply in the Axis turn and at the next check, without and with a counter: {found}."


def _cut(counter: bool) -> tuple[bool, bool]:
    """Whether the unit beyond is in general supply all through the Axis player turn, and after the next check."""
    state, way = _guarded_road()
    if counter:
        state.supply["S"] = Supply(way[-1], "allied", 1)
    ctx = context(state)
    drive(initial_phase(ctx, "axis", (), ()), Assume())
    kept = [state.pieces["beyond"].gs]
    order = Order(0, "overrun", {"units": ["tanks"], "hex": state.board.name(way[GUARDED]), "advance": ["tanks"]})
    for phase in ("movement", "air", "combat", "exploitation"):
        _open(ctx, "axis", phase)
        if phase == "movement":
            drive(movement_phase(ctx, "axis", (order,), ()), Assume())
        kept.append(state.pieces["beyond"].gs and state.hex_of("tanks") == way[GUARDED])
    _open(ctx, "allied", "initial")
    drive(initial_phase(ctx, "allied", (), ()), Assume(), lambda _ask: Answer(USE, "order"))
    return all(kept), state.pieces["beyond"].gs


def _open(ctx: Ctx[State], player: str, phase: str) -> None:
    ctx.emit("phase", "WD 4.A", turn=turn_name(ctx.state.turn), player=player, phase=phase, surprise="")


def _guarded_road() -> tuple[State, list[int]]:
    """A road from an Allied terminal past a guard to a unit at its end; tanks stand beside the guard."""
    board, way = strip_board(ROAD)
    for a, b in pairwise(way):
        set_line(board, "road", a, b)
    beside = lone(way[GUARDED])
    board.land |= {way[0]: HexInfo(terminal="allied"), beside: HexInfo(terminal="axis")}
    board.forget()
    set_line(board, "road", beside, lone(way[GUARDED - 1]))
    state = new_state(board, "axis", "initial", "allied")
    state.control[beside] = "axis"
    for uid, side, h, strength in (
        ("guard", "allied", way[GUARDED], 1),
        ("beyond", "allied", way[-1], 3),
        ("tanks", "axis", beside, 20),
    ):
        points = Fraction(strength)
        unit = Unit(uid, side, "", "armor", "brigade", points, points, 10, motorized=True, supported=True, re2=2)
        put(state, unit, h)
    return state, way


@play("OP-15")
def _an_enemy_near_the_delta() -> str:
    """An Axis unit goes towards the Delta, where a unit is off the map: to six hexes from it, then to five."""
    board, way = strip_board(ROAD)
    board.land[way[-1]] = board.land[way[-1]]._replace(regions=("Delta",))
    board.forget()
    state = new_state(board, "axis", "movement", "allied")
    state.world = replace(state.world, switches={OPTIONS: OPTION}, cache={})
    put(state, Unit("hidden", "allied", "british", "infantry", "brigade", Fraction(3), Fraction(3), 8), way[-1])
    put(state, Unit("near", "axis", "german", "motorized", "regiment", Fraction(3), Fraction(3), 10), way[-3 - NEAR])
    state.enlist("hidden", "delta", 1)
    ctx, seen = context(state), list[bool]()
    for away in (NEAR + 1, NEAR):
        order = Order(0, "move", {"unit": "near", "to": board.name(way[-1 - away])})
        drive(movement_phase(ctx, "axis", (order,), ()), Assume())
        seen.append("hidden" in state.pieces)
    if seen == [False, True] and state.hex_of("hidden") == way[-1]:
        return "They are placed on the map."
    return f"On the map with the enemy at six and at five hexes: {seen}."
