"""Orders of the form allowed about the theatre (CASE-FORMS 6, WD 27, 28): each judged alone at its moment."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.casecheck import Found, as_number
from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import deploying, hexes, history
from adjudicator.western_desert.air.facts import base_hexes, sky_of
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_texts
from adjudicator.western_desert.cases.lookups import permission
from adjudicator.western_desert.cases.walks import set_moment, set_vichy
from adjudicator.western_desert.fifth_army import tripoli
from adjudicator.western_desert.graph import LEVANT
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.sea.convoys import plan_ship
from adjudicator.western_desert.state import State, Supply, turn_number
from adjudicator.western_desert.theatre import delta, nations, raids, seaborne, special, tripolitania, vichy
from adjudicator.western_desert.theatre.invading import invade_problems

HARBORS = {"axis": "Tripoli, Libya", "allied": "Alexandria"}
NOT_DEPLOYED = "axis_not_deployed"
POOL_1941, RAIDED, INVADED = "pool_1941_used", "raid_made_this_month", "allies_invaded_levant"


def _start(case: Case, player: str, phase: str = "initial") -> State:
    """The real map at the moment of a case."""
    state = build.new_state(build.real_world().board, player, phase)
    set_moment(state, {"turn": "any", "player": player, "phase": phase, **case.given})
    return state


# --- special operations -----------------------------------------------------------------------------------------


def _live(case: Case) -> special.Plan | None:
    told = as_record(case.given.get("plan"))
    return special.Plan(str(told["pool"]), turn_number(str(told["operation"]))) if told else None


@permission("plan_special")
def _may_plan(case: Case, record: Record, found: Found) -> list[Problem]:
    """An operation of a unit of a pool on a turn, against a hex of an island or country."""
    state = _start(case, special.SIDE)
    plan = special.Plan(str(record.get("pool")), turn_number(str(record["operation"])), str(record.get("target", "")))
    used = POOL_1941 in as_texts(case.given.get("flags"))
    moment = special.moment_problems(special.SIDE, state.player, state.phase)
    return moment + special.plan_problems(plan, state.turn, _live(case), used, history.first_forces(state.world))


@permission("cancel_special")
def _may_cancel(case: Case, record: Record, found: Found) -> list[Problem]:
    """The plan of the case is given up."""
    state = _start(case, special.SIDE)
    moment = special.moment_problems(special.SIDE, state.player, state.phase)
    return moment + special.cancel_problems(state.turn, _live(case))


@permission("seaborne")
def _may_land(case: Case, record: Record, found: Found) -> list[Problem]:
    """The two waves of an invasion of Malta."""
    first, second = (int(2 * (as_number(record.get(key)) or 0)) for key in ("first_wave_re", "second_wave_re"))
    return seaborne.waves_problems(first, second, int(str(record.get("second_wave_steps", 0))))


@permission("land_second_wave")
def _may_follow(case: Case, record: Record, found: Found) -> list[Problem]:
    """The second wave, into the invasion hex as the case says who controls it."""
    owner = str(as_record(case.given.get("hex")).get("controlled_by", special.SIDE))
    return [*seaborne.second_wave_problems(owner), *_may_land(case, record, found)]


# --- the boxes of Libya -----------------------------------------------------------------------------------------


@permission("tripolitania")
def _may_release(case: Case, record: Record, found: Found) -> list[Problem]:
    """A unit lies in the box, an Allied one as far from Tripoli as the case says."""
    state = _start(case, tripolitania.SIDE)
    state.world.units["G"] = build.make_unit("G", {"printed": 1}, tripolitania.SIDE)
    state.put_by("G", tripolitania.BOX)
    far = int(str(as_record(case.given["enemy_distance"])["Tripoli"]))
    spot = next(h for h in sorted(state.board.land) if hexes.distance(h, tripoli(state)) == far)
    build.put(state, build.make_unit("E", {"printed": 1}, "allied"), spot)
    reach = max((hexes.distance(h, tripoli(state)) for h in tripolitania.spots(state)), default=0)
    found.values["radius"] = reach
    return tripolitania.release_problems(state, tripolitania.SIDE)


@permission("end_turn")
def _may_end(case: Case, record: Record, found: Found) -> list[Problem]:
    """The Allied player turn ends with so much position antiaircraft in cities of the Delta."""
    state = _start(case, delta.SIDE, "movement")
    state.world = replace(state.world, switches=case.switches, cache={})
    told = as_record(case.given.get("delta_aa"))
    for h in delta.cities(state):
        place = next(name for name in [*told, ""] if not name or build.find_hex(state.board, name) == h)
        points = as_number(told[place]) if place else delta.LEAST
        build.put(state, build.make_unit(f"AA{h}", {"type": delta.POSITION_AA, "aa": points}, delta.SIDE), h)
    return delta.end_problems(state)


@permission("invade_levant")
def _may_invade(case: Case, record: Record, found: Found) -> list[Problem]:
    """The Levant is invaded with some of the Free French that are in play."""
    state = _start(case, nations.SIDE, "movement")
    told = as_record(case.given.get("free_french"))
    in_play = [f"Free French {n}" for n in range(int(str(told.get("in_play", 0))))]
    taking_part = in_play[: int(str(told.get("in_invasion", 0)))]
    shares = nations.share_problems(in_play, taking_part) if nations.OPTION in case.options else []
    return invade_problems(state, nations.SIDE) + shares


@permission("raid")
def _may_raid(case: Case, record: Record, found: Found) -> list[Problem]:
    """A raid on some airbase."""
    state = _start(case, raids.SIDE)
    return raids.raid_problems(state.turn, state.player, state.phase, RAIDED in as_texts(case.given.get("flags")))


@permission("vichy_roll")
def _may_press(case: Case, record: Record, found: Found) -> list[Problem]:
    """Pressure on Vichy France, before or after an Allied invasion."""
    state = _start(case, vichy.SIDE)
    held_by = vichy.SIDE if INVADED in as_texts(case.given.get("flags")) else ""
    found.values["modifier"] = vichy.modifier(held_by)
    return vichy.roll_problems(state.turn, state.player, state.phase, held_by)


@permission("deploy")
def _may_deploy(case: Case, record: Record, found: Found) -> list[Problem]:
    """A player sets up, before or after the Axis player has."""
    state = _start(case, deploying.AXIS, "setup")
    waits = NOT_DEPLOYED in as_texts(case.given.get("flags"))
    state.player = deploying.AXIS if waits else "allied"
    return deploying.deploy_problems(state, str(case.given.get("player", deploying.AXIS)))


@permission("ship")
def _may_ship(case: Case, record: Record, found: Found) -> list[Problem]:
    """A supply counter of one step is shipped from a port of the player's own: Tripoli, or Alexandria."""
    player = str(case.given.get("player", vichy.SIDE))
    state = _start(case, player, "movement")
    set_vichy(state, as_record(case.given.get("vichy")), "")
    state.supply["S"] = Supply(build.find_hex(state.board, HARBORS[player]), player, 1)
    to = state.board.name(build.find_hex(state.board, str(record["to"])))
    return plan_ship(Field(state, player), player, Order(0, "ship", {"counter": "S", "to": to})).problems


@permission("air_base")
def _may_base(case: Case, record: Record, found: Found) -> list[Problem]:
    """An air unit is based at an airbase of the Levant."""
    state = _start(case, vichy.SIDE, "air")
    set_vichy(state, as_record(case.given.get("vichy")), "")
    bases = [h for h in base_hexes(state, state.player) if state.board.in_region(h, LEVANT)]
    if bases and not sky_of(state, state.player).closed(bases[0]):
        return []
    return [Problem("neutral", "WD 28.C.1.effect", "the Levant is closed to its air units", "base it elsewhere")]
