"""After the fire: winner, overrun, holding, retreat, what the attacker may follow (SS 11.282 on, 11.47, 11.5)."""

from __future__ import annotations

from adjudicator.engine.core import Answer, Ctx, Order, Proc
from adjudicator.shifting_sands.advance import CLEARED, ONE, TWO, Opening
from adjudicator.shifting_sands.capture import capture, captures, flip_key
from adjudicator.shifting_sands.choices import (
    crowd_choice,
    hold_choice,
    order_choice,
    relocate_choice,
    replace_choice,
    retreat_choice,
)
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.course import Course, settle
from adjudicator.shifting_sands.exchange import defending, remove, substitute
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, may_overrun, shut, terrain_of
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, replacements
from adjudicator.shifting_sands.played import forced_retreat, stands_fast
from adjudicator.shifting_sands.relocate import doomed, may_trace, poor_morale, relocations
from adjudicator.shifting_sands.retreat import Path, holders, ways_back
from adjudicator.shifting_sands.stacking import excess, room
from adjudicator.shifting_sands.state import State


def judge(state: State, course: Course) -> None:
    """Find winner, distance of the retreat and overrun from the loss numbers (SS 11.282, 11.47, 11.52).

    Rules: SS 11.474, ex.2, faq.rules.11.
    A card may force a retreat, whoever wins and in place of an overrun, or cancel one that is no overrun; the first
    goes before the second (SS faq.rules.3, ruling A44).
    """
    mine, theirs = course.numbers.get(ATTACKER, 0), course.numbers.get(DEFENDER, 0)
    course.winner = ATTACKER if mine > theirs else DEFENDER if theirs > mine else ""
    won, cards = course.winner == ATTACKER, course.combat.cards
    course.distance = (1 if course.difference == 1 else 2) if won else 0
    course.overrun = course.overrun or (won and course.bold and may_overrun(state, course.combat))
    course.forced = forced_retreat(state.world, cards)
    if course.forced:
        course.distance, course.overrun = course.forced, False
    elif won and not course.overrun and stands_fast(state.world, cards):
        course.distance = 0


def aftermath(ctx: Ctx[State], course: Course) -> Proc[None]:
    """What becomes of the defenders that survived (SS 11.283)."""
    if course.forced:
        yield from _retreat(ctx, course)
    elif course.winner != ATTACKER:
        return
    elif course.overrun:
        yield from _overrun(ctx, course)
    elif course.distance and defending(ctx.state, course.combat):
        held = yield from _hold(ctx, course)
        if not held:
            yield from _retreat(ctx, course)


def way_open(state: State, course: Course) -> Opening:
    """What may be followed (SS 11.61, 11.284, rulings A30, A84): whoever won, if no defender is left."""
    found, terrain = course.combat, terrain_of(state, course.combat)
    if defending(state, found) or shut(state, found):
        return Opening("", found.target)
    if not course.paths:
        return Opening(CLEARED, found.target, terrain=terrain)
    return Opening(ONE if course.distance == 1 else TWO, found.target, tuple(course.paths), terrain)


# --- overrun ------------------------------------------------------------------------------------------------------


def _overrun(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Survivors are relocated; divisions that could not get there are gone for good (SS 11.47, 11.471, 11.473)."""
    target = course.combat.target
    ctx.emit("overrun", "SS 11.47", course.by, target=target, units=list(defending(ctx.state, course.combat)))
    yield from _poor_morale(ctx, course)
    _cut_off(ctx, course)
    for uid in list(defending(ctx.state, course.combat)):
        places = relocations(ctx.state, uid, target)
        choice = relocate_choice(ctx.state, course.combat, uid, places, course.when(DEFENDER, "relocate"))
        answer: Answer[str] = yield from settle(ctx, course, DEFENDER, choice)
        by, to = (*course.by, *answer.by), answer.value
        if to.startswith("@"):
            remove(ctx, course, DEFENDER, uid, to, by, rule="SS 11.471")
        else:
            ctx.emit("relocate", "SS 11.47", by, unit=uid, to=to, choice=answer.source, clause=answer.clause)


def _cut_off(ctx: Ctx[State], course: Course) -> None:
    """Divisions lost by the fire of an overrun must have had a way to a place, else they are lost for good (11.471)."""
    state, target = ctx.state, course.combat.target
    for uid in course.lost_divisions:
        if state.pieces[uid].at == REPLACEMENT and not may_trace(state, state.counter(uid), target):
            ctx.emit("eliminated", "SS 11.471", course.by, unit=uid, to=ELIMINATED, why="no way to a place")


def _poor_morale(ctx: Ctx[State], course: Course) -> Proc[None]:
    """SS 11.473, faq.cards.36: Italian infantry divisions overrun without Germans beside them are lost for good.

    Those that the fire of the overrun destroyed as well.
    SS faq.rules.13.
    """
    state, combat = ctx.state, course.combat
    for uid in [u for u in course.lost_divisions if doomed(state, combat, u)]:
        if state.pieces[uid].at == REPLACEMENT:
            ctx.emit("eliminated", "SS 11.473", course.by, unit=uid, to=ELIMINATED, why=poor_morale(state))
    for uid in [u for u in defending(state, combat) if doomed(state, combat, u)]:
        yield from _dissolve(ctx, course, uid, ELIMINATED, "SS 11.473")


def _dissolve(
    ctx: Ctx[State], course: Course, uid: str, to: str, rule: str, by: tuple[int, ...] = ()
) -> Proc[None]:
    """Lose a division outside a loss number; a battlegroup takes its place if there is one (SS 11.44)."""
    where, by = ctx.state.pieces[uid].at, by or course.by
    bgs = replacements(ctx.state, uid)
    remove(ctx, course, DEFENDER, uid, to, by, rule=rule)
    if bgs:
        choice = replace_choice(ctx.state, course.combat, DEFENDER, uid, bgs, course.when(DEFENDER, "losses"))
        answer: Answer[str] = yield from settle(ctx, course, DEFENDER, choice)
        substitute(ctx, course, DEFENDER, uid, answer.value, where, (*by, *answer.by))


# --- hold and retreat ---------------------------------------------------------------------------------------------


def _hold(ctx: Ctx[State], course: Course) -> Proc[bool]:
    """The defender may cancel the retreat by one more step (SS 11.53)."""
    payers = holders(ctx.state, course.combat)
    if not payers:
        return False
    when = course.when(DEFENDER, "hold")
    choice = hold_choice(ctx.state, course.combat, payers, course.difference, when)
    answer: Answer[str] = yield from settle(ctx, course, DEFENDER, choice)
    if not answer.value:
        return False
    uid, by = answer.value, (*course.by, *answer.by)
    at, unit = course.combat.target, ctx.state.counter(uid)
    ctx.emit("hold", "SS 11.53", by, unit=uid, at=at, choice=answer.source, clause=answer.clause)
    if not ctx.state.pieces[uid].reduced:
        ctx.emit("reduced", "SS 11.53", by, unit=uid, at=at)
    elif unit.division:
        to = REPLACEMENT if replacements(ctx.state, uid) else ELIMINATED
        yield from _dissolve(ctx, course, uid, to, "SS 11.53", by)
    else:
        remove(ctx, course, DEFENDER, uid, REPLACEMENT, by, rule="SS 11.53")
    return True


def _retreat(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Every surviving defender retreats, one by one (SS 11.51, 11.52, 11.55g, 11.56, ruling A24)."""
    units = yield from _in_order(ctx, course)
    for uid in units:
        paths = ways_back(ctx.state, course.combat, uid, course.distance)
        if paths:
            yield from _walk_back(ctx, course, uid, paths)
        else:
            to = ELIMINATED if ctx.state.counter(uid).division else REPLACEMENT
            remove(ctx, course, DEFENDER, uid, to, course.by, rule="SS 11.56")
    yield from _thin_out(ctx, course)


def _thin_out(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Where retreats may end in a full space the owner loses the excess, divisions for good (SS 8.2, ruling A21)."""
    state, side = ctx.state, course.combat.side_of(DEFENDER)
    for place in dict.fromkeys(path[-1] for path in course.paths):
        units, over = state.friends(place, side), excess(state, place, side)
        if over:
            choice = crowd_choice(state, course.combat, place, list(units), over, course.when(DEFENDER, "losses"))
            answer: Answer[tuple[str, ...]] = yield from settle(ctx, course, DEFENDER, choice)
            for uid in answer.value:
                to = ELIMINATED if state.counter(uid).division else REPLACEMENT
                remove(ctx, course, DEFENDER, uid, to, (*course.by, *answer.by), rule="SS 8.2")


def _in_order(ctx: Ctx[State], course: Course) -> Proc[tuple[str, ...]]:
    """Who goes first; asked only where it can make a difference (ruling A24)."""
    units = tuple(defending(ctx.state, course.combat))
    if len(units) < 2 or not _order_matters(ctx.state, course, units):
        return units
    choice = order_choice(course.combat, units, course.when(DEFENDER, "retreat"))
    answer: Answer[tuple[str, ...]] = yield from settle(ctx, course, DEFENDER, choice)
    return answer.value


def _order_matters(state: State, course: Course, units: tuple[str, ...]) -> bool:
    """True where one unit's way can change another's: it takes the last room of a space, or turns one (11.55b to d)."""
    ends: dict[str, list[str]] = {}
    for uid in units:
        for path in ways_back(state, course.combat, uid, course.distance):
            if uid not in ends.setdefault(path[-1], []):
                ends[path[-1]].append(uid)
    side = course.combat.side_of(DEFENDER)
    return any(
        state.owner(end) != side
        or len(wanting) > min(room(state, end, side, state.counter(uid).nation) for uid in wanting)
        for end, wanting in ends.items()
    )


def _walk_back(ctx: Ctx[State], course: Course, uid: str, paths: list[Path]) -> Proc[None]:
    """One unit retreats; the end of its way becomes its side's (SS 11.55c, 11.59)."""
    choice = retreat_choice(ctx.state, course.combat, uid, paths, course.when(DEFENDER, "retreat"))
    answer: Answer[Path] = yield from settle(ctx, course, DEFENDER, choice)
    path, by = answer.value, (*course.by, *answer.by)
    course.paths.append(path)
    ctx.emit("retreat", "SS 11.55", by, unit=uid, path=list(path), choice=answer.source, clause=answer.clause)
    side = course.combat.side_of(DEFENDER)
    for town in captures(side, take(ctx, side, path[-1:], "SS 11.55c", by)):
        number = course.combat.number
        order = _flip_order(course, flip_key(ctx.state, town, number))
        yield from capture(ctx, town, order, by, course.when(DEFENDER, "flip"), number)


def _flip_order(course: Course, key: str) -> Order | None:
    """What the defender has said of captured supply in this combat, as an order or by the key."""
    told = course.given[DEFENDER]
    order = next((o for o in told if o.type == "captured_supply"), None)
    return order or next((o for o in told if o.type == "answer" and o.text("to") == key), None)
