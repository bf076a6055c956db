"""The other orders of an air section that bomb the guns a mission will meet (WD 33.I).

Counted are those that the air phase would carry out before it, as the section lists them; a mission that the section
does not list comes last. As in all odds of missions nobody is turned back on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adjudicator.engine.core import Order
from adjudicator.engine.queries import Scene
from adjudicator.engine.sections import section
from adjudicator.western_desert.air.bombing import ROLLED, parties
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import SUPPRESS, SUPPRESSION, Flight
from adjudicator.western_desert.air.facts import stands_at
from adjudicator.western_desert.air.plans import Plan, checked, condition
from adjudicator.western_desert.queries.chances import UNTOUCHED, Spread, guns_after
from adjudicator.western_desert.state import State

SECTION = "air"
BEFORE_IT = ("initial", "movement", "air")
"""The steps of a player turn in which its air section is still to come."""


def guns_before(scene: Scene, state: State, flights: Sequence[Flight]) -> Spread:
    """How often the guns of the target will have been hit, with the chance of each number, when a mission comes."""
    if not state.world.plays(SUPPRESSION):
        return UNTOUCHED
    plans = _plans_before(scene, state, {flight.id for flight in flights}, flights[0])
    bombers = [plan.flight(state, stands_at(state, plan.air, book_of(state))) for plan in plans]
    groups: dict[str, list[str]] = {}
    for plan in plans:
        if plan.party:
            groups.setdefault(plan.party, []).append(plan.air)
    return guns_after(state, parties(bombers, list(groups.values())))


def _plans_before(scene: Scene, state: State, asked: Collection[str], flight: Flight) -> list[Plan]:
    """The suppressions upon the same hex that are carried out before it: all by day before any by night, and before
    whoever rolls for no bombs."""
    found: list[Plan] = []
    listed = [plans for _order, faults, plans in checked(state, scene.side, air_orders(scene)) if not faults]
    own = next((number for number, plans in enumerate(listed) if any(plan.air in asked for plan in plans)), len(listed))
    for number, plans in enumerate(listed):
        earlier = number < own or flight.mission not in ROLLED
        for plan in plans if number != own else ():
            same = (plan.mission, plan.target) == (SUPPRESS, flight.target) and not condition(state, plan)
            if same and (plan.night < flight.night or (plan.night == flight.night and earlier)):
                found.append(plan)
    return found


def air_orders(scene: Scene) -> tuple[Order, ...]:
    """The orders of the coming air section of whoever asks, as far as they are given: those on file, else a draft's."""
    state = scene.state
    if state.player != scene.side or state.step not in BEFORE_IT:
        return ()
    own = [message for message in sorted(scene.messages, key=lambda one: one.seq) if message.side == scene.side]
    for message in own:
        found = section(message.orders, SECTION)
        if found is not None and (message.seq in scene.answered or message.seq > scene.at):
            return found.orders
    return ()
