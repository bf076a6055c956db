"""Which fighter makes a patrol attack upon a flight that enters a hex: the choice, its standing rules, its default.

Never a mail: the standing order on ``patrol`` decides, else the default of pbem A1. Both speak of what is seen, the
model, the hex, a glider on tow, who flew before (ruling MISSION-SEEN). WD 19.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Ask, Problem, Tree, texts_of, whole_number
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import BOMBER, FIGHTER, TRANSPORT, Craft, Flight
from adjudicator.western_desert.air.facts import own_base, patrols_of
from adjudicator.western_desert.air.missions import AIR_STEP, Moment
from adjudicator.western_desert.air.orders import ANYTHING, PATROL, PATROL_RULE, TOWING
from adjudicator.western_desert.air.patrol import Entry, Patrol, patrol_problems, turns_back_on
from adjudicator.western_desert.air.places import for_air
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.standing import Clause, clauses, hex_in
from adjudicator.western_desert.state import ENEMY, State

NOBODY = ""
SURE, FAIR = 3, 2
"""Faces of the die that turn a target back: with 4 to 6, with 5 and 6."""
GROUPS = {"fighters": FIGHTER, "bombers": BOMBER, "transports": TRANSPORT}
FACES_OF = {"4-6": 3, "5-6": 2, "6": 1}


class Meeting(NamedTuple):
    """A flight that enters a hex, the fighters that may attack it there, by id, and what has flown in the phase.

    ``passed`` counts for each fighter the targets that it might have attacked and let pass.
    """

    flight: Flight
    hex: int
    able: Mapping[str, Patrol]
    seen: Sequence[Flight] = ()
    passed: Mapping[str, int] = {}


def able_fighters(state: State, flight: Flight, h: int) -> dict[str, Patrol]:
    """The fighters that may attack a flight in a hex that it enters (WD 19.when, 19.once, 24.E.patrol)."""
    side = ENEMY[flight.craft.side]
    moment = Moment(AIR_STEP, phasing=state.player == side, surprise=state.surprise)
    found = patrols_of(state, side, book_of(state))
    near = {aid: patrol for aid, patrol in found.items() if patrol.covers(h)}
    return {aid: patrol for aid, patrol in near.items() if not patrol_problems(patrol, flight, Entry(), moment)}


def faces(state: State, fighter: Craft, target: Flight) -> int:
    """On how many faces of the die a fighter turns a target back (WD 19.odds)."""
    return len(turns_back_on(state.world, fighter.attack, target.defense))


def patrol_ask(state: State, meeting: Meeting, key: str) -> Ask[str]:
    """Who attacks: the id of a fighter, or "" for nobody (WD 19; default pbem A1)."""
    return Ask(
        key=key,
        side=ENEMY[meeting.flight.craft.side],
        rule=PATROL_RULE,
        topic=PATROL,
        find=lambda _orders: None,
        problems=lambda chosen: _problems(meeting, chosen),
        atoms=lambda: [NOBODY, *sorted(meeting.able)],
        default=lambda: usual(state, meeting),
        clause=lambda rules: by_clauses(state, meeting, rules),
        forced=False,
    )


def _problems(meeting: Meeting, chosen: str) -> list[Problem]:
    if chosen == NOBODY or chosen in meeting.able:
        return []
    hint = f"choose from {', '.join(sorted(meeting.able)) or 'nobody'}"
    return [Problem("patrol", PATROL_RULE, f"{chosen} may not attack here", hint)]


# --- the default ------------------------------------------------------------------------------------------------


def usual(state: State, meeting: Meeting) -> str:
    """The fighter with the best chance: at 4 to 6; at 5 and 6 where nobody unused has more against the models seen; at
    6 only beside a base, port or stack of its side. Fighters are left alone once others have flown (pbem A1)."""
    flight = meeting.flight
    others = any(not one.craft.fighter for one in meeting.seen)
    if not meeting.able or (flight.craft.fighter and others):
        return NOBODY
    best = min(meeting.able, key=lambda aid: (-faces(state, meeting.able[aid].craft, flight), aid))
    chance = faces(state, meeting.able[best].craft, flight)
    if chance >= SURE or (chance == FAIR and not _better_to_come(state, meeting)):
        return best
    return best if chance < FAIR and _at_home(state, ENEMY[flight.craft.side], meeting.hex) else NOBODY


def _better_to_come(state: State, meeting: Meeting) -> bool:
    """Whether a fighter that has not attacked has 4 to 6 against a model that was seen in this phase."""
    side = ENEMY[meeting.flight.craft.side]
    unused = [one.craft for one in patrols_of(state, side, book_of(state)).values() if not one.attacks]
    if not unused or not meeting.seen:
        return False
    best, easiest = max(unused, key=lambda one: one.attack), min(meeting.seen, key=lambda one: one.defense)
    return faces(state, best, easiest) >= SURE


def _at_home(state: State, side: str, h: int) -> bool:
    near = [n for n in hexes.within(h, 1) if n in state.board.land]
    return any(
        state.friends_at(n, side) or own_base(state, n, side) or (state.owner(n) == side and port_row(state, n))
        for n in near
    )


# --- standing rules ---------------------------------------------------------------------------------------------


def by_clauses(state: State, meeting: Meeting, rules: Tree) -> tuple[str, str]:
    """The first clause that has a fighter for the target decides; where none has, nobody attacks (pbem A1)."""
    for n, clause in clauses(rules):
        ready = [aid for aid in sorted(meeting.able) if _fits(state, meeting, clause, aid)]
        if ready:
            best = min(ready, key=lambda aid: (-faces(state, meeting.able[aid].craft, meeting.flight), aid))
            return best, f"patrol clause {n}"
    return NOBODY, "no patrol clause fits"


def _fits(state: State, meeting: Meeting, clause: Clause, aid: str) -> bool:
    flight = meeting.flight
    wanted, spared = texts_of(clause.get("attack")) or [ANYTHING], texts_of(clause.get("spare"))
    least = FACES_OF.get(str(clause.get("min_chance", "5-6")), FAIR)
    held = whole_number(clause.get("hold_until")) or 0
    return (
        for_air(clause, aid)
        and any(speaks_of(word, flight) for word in wanted)
        and not any(speaks_of(word, flight) for word in spared)
        and faces(state, meeting.able[aid].craft, flight) >= least
        and meeting.passed.get(aid, 0) >= held
        and _near(state, clause, meeting.able[aid], meeting.hex)
    )


def _near(state: State, clause: Clause, patrol: Patrol, h: int) -> bool:
    most = whole_number(clause.get("within"))
    center = hex_in(state, str(clause["of"])) if "of" in clause else patrol.base
    return most is None or (center is not None and hexes.distance(center, h) <= most)


def speaks_of(word: str, flight: Flight) -> bool:
    """Whether a word of a clause means a flight: any, towing, a group of types, a type code or a model."""
    craft = flight.craft
    if word == TOWING:
        return flight.tow is not None
    return word in (ANYTHING, craft.plain, craft.type, craft.model) or GROUPS.get(word) == craft.category
