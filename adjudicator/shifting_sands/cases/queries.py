"""Queries of a case: they ask the rule functions and change nothing, but that a forced retreat is carried out."""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Ask
from adjudicator.shifting_sands.activation import activation_cost
from adjudicator.shifting_sands.aftermath import judge
from adjudicator.shifting_sands.cases.afterwards import hand, winner
from adjudicator.shifting_sands.cases.board import pack_names, pack_world
from adjudicator.shifting_sands.cases.bout import Bout
from adjudicator.shifting_sands.cases.combats import forced, kind, opposite, play_on
from adjudicator.shifting_sands.cases.core import CaseFault, Record, as_number, as_record, as_text, as_texts
from adjudicator.shifting_sands.cases.session import Session
from adjudicator.shifting_sands.designate import flank_bonus, flank_need
from adjudicator.shifting_sands.fire import (
    ATTACKER,
    DEFENDER,
    ROMMEL,
    SUPPLY,
    TERRAIN,
    Fire,
    NoCell,
    fighters,
    fire_of,
    fort_of,
    loss_number,
    may_overrun,
    shifted,
    terrain_of,
    terrain_shift,
)
from adjudicator.shifting_sands.losses import ELIMINATED, default, fulfilments
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.relocate import doomed, relocations
from adjudicator.shifting_sands.retreat import can_hold, holders, retreat_paths
from adjudicator.shifting_sands.stacking import excess
from adjudicator.shifting_sands.state import ROUNDS, State, turn_name, turn_number
from adjudicator.shifting_sands.supply import supply
from adjudicator.shifting_sands.world import text

POOLS = ("GE", "IT", "BR", "CW", "A", "US")
BOXES = {"reserve": "@reserve", "replacement": "@replacement", "eliminated": "@eliminated"}


def query(session: Session, record: Record) -> None:
    """Answer a query by facts and choices."""
    about = as_text(record.get("about"))
    answer = QUERIES.get(about)
    if answer is None:
        raise NotBuilt(f"query {about}")
    answer(session, record)


def _bout(session: Session) -> Bout:
    if session.bout is None:
        raise CaseFault("the query needs a combat")
    return session.bout


# --- combat -------------------------------------------------------------------------------------------------------


def _fire(session: Session, record: Record) -> None:
    bout, role = _bout(session), as_text(record.get("role"))
    state, combat = session.state, bout.course.combat
    fire = fire_of(state, combat, role, bout.course.drms.get(role))
    by_name = {shift.name: shift.value for shift in fire.shifts}
    session.facts |= {
        "table": fire.table,
        "strength": fire.strength,
        "shift": fire.shift,
        "net_shift": fire.shift,
        "terrain_shift": by_name.get(TERRAIN, 0),
        "oos_shift": by_name.get(SUPPLY, 0),
        "rommel_shift": by_name.get(ROMMEL, 0),
        "column": fire.column,
        "drm": fire.drm,
    }
    die = bout.dice.get(role)
    if die is not None:
        _with_die(session, bout, fire, die)


def _with_die(session: Session, bout: Bout, fire: Fire, die: int) -> None:
    """What the die given would do: row, loss number, bold, and the steps it costs."""
    state, row = session.state, fire.row(die)
    session.fact("row", row)
    try:
        number, bold = loss_number(state, fire.table, fire.column, row)
    except NoCell:
        return
    session.fact("loss_number", number)
    session.fact("bold", bold)
    units = fighters(state, bout.course.combat, opposite(fire.role))
    session.fact("steps_lost", len(default(state, fulfilments(state, units, number)).steps))


def _column(session: Session, record: Record) -> None:
    shifts = sum(as_number(value) for value in as_record(record.get("shifts")).values())
    column = shifted(session.state, as_text(record.get("table")), as_number(record.get("strength")), shifts)
    session.facts |= {"net_shift": shifts, "column": column}


def _strength(session: Session, record: Record) -> None:
    state, role = session.state, as_text(record.get("role"))
    if "unit" not in record:
        combat = _bout(session).course.combat
        session.fact("strength", fire_of(state, combat, role).strength)
        return
    uid = as_text(record.get("unit"))
    fort = state.world.spaces[state.pieces[uid].at].fort if role == DEFENDER else 0
    session.fact("strength", state.cf(uid) + fort)


def _flank(session: Session, record: Record) -> None:
    bonus, need = flank_bonus(session.state, _bout(session).course.combat), flank_need(session.state)
    session.facts |= {"drm": bonus, "success_on": [die for die in range(1, 7) if die + bonus >= need]}


def _terrain_effects(session: Session, record: Record) -> None:
    state, combat = session.state, _bout(session).course.combat
    terrain = terrain_of(state, combat)
    session.facts |= {
        "effective_terrain": terrain,
        "attacker_terrain_shift": terrain_shift(state, terrain),
        "fort": state.world.spaces[combat.target].fort,
        "fort_counts": fort_of(state, combat) > 0,
        "overrun_possible": may_overrun(state, combat),
        "retreat_cancellable": can_hold(state, combat),
    }
    if combat.flank in ("success", "failure"):
        session.fact("first_fire", ATTACKER if combat.flank == "success" else DEFENDER)


def _losses(session: Session, record: Record) -> None:
    bout, role = _bout(session), as_text(record.get("role"), DEFENDER)
    number = bout.course.numbers.get(opposite(role), 0)
    outcomes = fulfilments(session.state, fighters(session.state, bout.course.combat, role), number)
    session.facts |= {"absorbed": outcomes[0].absorbed, "unabsorbed": number - outcomes[0].absorbed}
    session.choices["losses"] = [dict(outcome.ends) for outcome in outcomes]


def _retreat(session: Session, record: Record) -> None:
    bout, uid, state = _bout(session), as_text(record.get("unit")), session.state
    if bout.proc is None:
        judge(state, bout.course)
    else:
        play_on(session)
    here = state.pieces[uid].at == bout.course.combat.target
    paths = retreat_paths(state, uid, bout.course.combat.target, bout.course.distance) if here else []
    session.choices["retreat"] = [list(path) for path in paths]
    if len(paths) > 1 or holders(state, bout.course.combat):
        return
    key = f"retreat/{bout.course.combat.number}/{uid}"
    session.upcoming = [record, *session.upcoming]
    reply = forced(session, ("losses", "hold", "retreat"))
    bout.run(session.ctx, lambda found: _other_unit(found, key), reply, onward=True)


def _other_unit(found: str, key: str) -> bool:
    return kind(found) == "retreat" and not found.endswith("/order") and found != key


def _relocate(session: Session, record: Record) -> None:
    bout, uid = _bout(session), as_text(record.get("unit"))
    state, combat = session.state, bout.course.combat
    if bout.proc is not None:
        play_on(session)
    lost = doomed(state, combat, uid) or state.pieces[uid].at.startswith("@")
    session.choices.setdefault("relocate", {})
    places = [ELIMINATED] if lost else relocations(state, uid, combat.target)
    session.choices["relocate"] = {**as_record(session.choices["relocate"]), uid: places}


# --- supply, activation, stacking ---------------------------------------------------------------------------------


def _supply(session: Session, record: Record) -> None:
    uid, state = as_text(record.get("unit")), session.state.copy()
    if uid not in state.pieces:
        raise CaseFault(f"there is no unit {uid}")
    state.imposed.pop(state.counter(uid).side, None)
    found = supply(state, uid)
    session.merge("supply", {uid: found.status})
    session.merge("distance", {uid: found.distance} if found.distance is not None else {})


def _activation_cost(session: Session, record: Record) -> None:
    space = as_text(record.get("space"))
    cost = activation_cost(session.state, space, session.side(record), as_text(record.get("marker")))
    session.fact("cost", cost.points)
    session.merge("costs", {space: cost.points})


def _stacking(session: Session, record: Record) -> None:
    state = session.state
    places = [place for place in state.at if place in state.world.spaces and not state.world.spaces[place].box]
    sizes = [len(state.friends(place, side)) for place in places for side in ("axis", "allied")]
    over = [place for place in places if excess(state, place, "axis") or excess(state, place, "allied")]
    session.facts |= {"max_stack": max(sizes, default=0), "violations": len(over)}


def _released(session: Session, record: Record) -> None:
    session.fact("released", sorted(session.state.released))


# --- the set-up ---------------------------------------------------------------------------------------------------


def _count(session: Session, record: Record) -> None:
    state = session.state
    if "counter" in record:
        if record.get("of") != "pack":
            raise NotBuilt("query count of a counter elsewhere than in the pack")
        kinds = [counter.kind for counter in pack_world().counters.values()]
        session.fact("count", kinds.count(as_text(record.get("counter"))))
        return
    nation = as_text(record.get("nation"))
    units = [state.counter(uid) for uid in state.pieces if state.counter(uid).nation == nation]
    small = [unit for unit in units if not unit.division]
    session.facts |= {
        "count": len(units),
        "divisions": len(units) - len(small),
        "battlegroups": len(small),
        "armor_bg": sum(unit.armor for unit in small),
        "infantry_bg": sum(not unit.armor for unit in small),
    }


def _unit(session: Session, record: Record) -> None:
    state, wanted = session.state, as_text(record.get("counter") or record.get("unit"))
    uid = next((u for u in sorted(state.pieces) if wanted in (u, state.counter(u).kind)), "")
    if not uid:
        raise CaseFault(f"there is no unit {wanted}")
    unit = state.counter(uid)
    session.facts |= {
        "at": state.pieces[uid].at,
        "step": state.step_of(uid),
        "cf": list(unit.cf),
        "lf": unit.lf,
        "mf": unit.mf,
    }


def _space(session: Session, record: Record) -> None:
    for name in as_texts(record.get("spaces")):
        space = session.state.world.spaces.get(name)
        if space is None:
            raise CaseFault(f"there is no space {name}")
        session.merge("terrain", {name: space.terrain})
        session.merge("region", {name: space.region})
        session.merge("fort", {name: space.fort})


def _space_name(session: Session, record: Record) -> None:
    session.fact("space", pack_names().get(as_text(record.get("text")).lower()))


def _stacks(session: Session, record: Record) -> None:
    state = session.state
    spaces = as_texts(record.get("spaces"))
    session.merge("stacks", {space: [_kind_step(state, uid) for uid in state.units_in(space)] for space in spaces})


def _kind_step(state: State, uid: str) -> str:
    return f"{state.counter(uid).kind}/{state.step_of(uid)}"


def _box(session: Session, record: Record) -> None:
    side, _, name = as_text(record.get("box")).partition(" ")
    if name not in BOXES:
        raise NotBuilt(f"query box {name}")
    found: dict[str, object] = {}
    for uid in session.state.in_box(BOXES[name], side):
        unit = session.state.counter(uid).kind
        found[unit] = as_number(found.get(unit)) + 1
    session.fact("counters", found)


def _vp(session: Session, record: Record) -> None:
    state = session.state
    spaces = [name for name, space in state.world.spaces.items() if space.vp and state.owner(name) == "axis"]
    session.facts |= {"vp": state.vp, "axis_vp_spaces": len(spaces)}


def _rp(session: Session, record: Record) -> None:
    state = session.state
    unused = () if state.played("Torch") else ("US",)
    session.fact("rp", {pool: None if pool in unused else as_number(state.rp.get(pool)) for pool in POOLS})


def _turns(session: Session, record: Record) -> None:
    scenario = session.state.world.scenario
    first, last = turn_number(text(scenario, "turn")), turn_number(text(scenario, "last_turn"))
    session.fact("turns", [turn_name(number) for number in range(first, last + 1)])


def _start(session: Session, record: Record) -> None:
    state = session.state
    session.facts |= {"turn": turn_name(state.turn), "vp": state.vp, "rounds": ROUNDS, "first_player": SIDES[0]}


QUERIES: dict[str, Callable[[Session, Record], None]] = {
    "winner": winner,
    "fire": _fire,
    "column": _column,
    "strength": _strength,
    "flank": _flank,
    "terrain_effects": _terrain_effects,
    "losses": _losses,
    "retreat": _retreat,
    "relocate": _relocate,
    "supply": _supply,
    "activation_cost": _activation_cost,
    "stacking": _stacking,
    "released": _released,
    "count": _count,
    "unit": _unit,
    "space": _space,
    "space_name": _space_name,
    "stacks": _stacks,
    "box": _box,
    "vp": _vp,
    "rp": _rp,
    "turns": _turns,
    "start": _start,
    "hand": hand,
}


def waiting(bout: Bout | None) -> str:
    """The key of the choice that a combat waits for; "" for none."""
    return bout.request.key if bout is not None and isinstance(bout.request, Ask) else ""
