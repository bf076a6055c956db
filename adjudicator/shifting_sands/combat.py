"""One combat from designation to its last advance (SS 11.2), with the defender's stop (PROTOCOL 9.2).

The parts stand in the order of the rulebook; a combat may be entered at any of them. Exchange of fire and losses stand
in exchange.py, what follows the winner in aftermath.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudicator.engine.core import Answer, Ctx, Order, Problem, Proc, Roll
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.advance import CLEARED, Opening, advance_problems, eligible_problems
from adjudicator.shifting_sands.aftermath import aftermath, judge, way_open
from adjudicator.shifting_sands.capture import capture, captures
from adjudicator.shifting_sands.card_stops import CARDS_TOPIC, attack_cards, defence_cards
from adjudicator.shifting_sands.choices import REACTION_TYPES, Orders, ahead_ask, followup_ask, reaction_ask
from adjudicator.shifting_sands.combat_cards import settle_cards
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.course import Course, binds, take_up
from adjudicator.shifting_sands.designate import attack_problems, designated, flank_bonus, flank_event, flank_need
from adjudicator.shifting_sands.events.mandates import obey
from adjudicator.shifting_sands.exchange import exchange
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, drm_of, fire_of
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.groups import Group, split
from adjudicator.shifting_sands.labels import combat_label
from adjudicator.shifting_sands.losses import RESERVE
from adjudicator.shifting_sands.played import stands_fast
from adjudicator.shifting_sands.retreat import can_hold, hold_problems
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.strays import keep_only, refuse_strays, topics_asked

REACTIONS = "the section reaction holds combat_card, losses, hold, retreat, relocate, captured_supply and wait"


def combat(ctx: Ctx[State], side: str, group: Group, number: int, bound: bool) -> Proc[Orders]:
    """Play one combat. Returns the orders that follow it where the attacker was asked for them."""
    if not sound(ctx, [group.attack], group.by):
        forsake(ctx, group)
        return ()
    problems = attack_problems(ctx.state, side, group.attack)
    if problems:
        ctx.void(group.attack, problems, group.by)
        forsake(ctx, group)
        return ()
    course = begin(ctx, side, group, number, bound)
    yield from fight(ctx, course)
    rest = yield from follow(ctx, course)
    close(ctx, course)
    return rest


def forsake(ctx: Ctx[State], group: Group) -> None:
    """What was to follow an attack that is void is void with it (SS 7.28)."""
    for order in group.follow:
        ctx.void(order, [Problem("attack", "SS 11.22", "the attack before it is void", "leave it out")], group.by)


def begin(ctx: Ctx[State], side: str, group: Group, number: int, bound: bool) -> Course:
    """Designate a lawful combat (SS 11.22)."""
    order = group.attack
    course = Course(designated(ctx.state, side, order, number), ctx.on, bound, group.by)
    course.flank_tried = order.text("flank") == "yes"
    course.asks_cards = order.text("ask") == CARDS_TOPIC
    course.hear(ATTACKER, sound(ctx, group.follow, group.by), group.by)
    for told in group.follow:
        if told.type == "combat_card" and told.text("if") and course.flank_tried:
            ctx.hang(told, combat_label(ctx.state, course.combat.target, "flank"), group.by)
        if told.type == "advance":
            ctx.hang(told, combat_label(ctx.state, course.combat.target, "fire-attacker"), group.by)
    announce(ctx, course, str(order.index))
    return course


def announce(ctx: Ctx[State], course: Course, index: str = "") -> None:
    """The event that a combat begins; from now on its units have fought."""
    found = course.combat
    ctx.emit(
        "designate", "SS 11.22", course.by, order=index, number=str(found.number), side=found.attacker,
        target=found.target, units=list(found.attackers), defenders=list(found.defenders), spaces=list(found.origins),
        flank="tried" if course.flank_tried else "", rommel="yes" if found.rommel else "",
        fires=[fire_of(ctx.state, found, role).as_data() for role in (ATTACKER, DEFENDER)],
    )
    obey(ctx, found.attacker, found.target, found.attackers, course.by)


def _flank(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The flank attack die (SS 11.3): success on four or more, one more for each further attacking space.

    Rules: SS 11.23, 11.33.
    """
    if not course.flank_tried:
        return
    found, state = course.combat, ctx.state
    event = flank_event(state, found.attacker)
    if event:
        course.combat = replace(found, flank="success")
        ctx.emit(
            "flank", "SS 11.33", course.by, result="success", why=event, target=found.target, number=str(found.number)
        )
        return
    bonus, need, label = flank_bonus(state, found), flank_need(state), combat_label(state, found.target, "flank")
    (die,) = yield from ctx.roll(Roll(label, "flank", who=found.attacker, assume=(1,)))
    result = "success" if die + bonus >= need else "failure"
    course.combat = replace(found, flank=result)
    ctx.emit(
        "flank", "SS 11.33", course.by, die=str(die), modifier=str(bonus), total=str(die + bonus), need=str(need),
        label=label, result=result, target=found.target, number=str(found.number),
    )


def _cards(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The defender's stop; dice after it come from his answer (SS 11.25, PROTOCOL 5). Then the modifiers are fixed."""
    before = ctx.on
    answer: Answer[Orders] = yield from ctx.ask(ahead_ask(course.combat))
    if answer.source != "order":
        answer = yield from ctx.ask(reaction_ask(ctx.state, course.combat, course.after))
    for seq, late in answer.later:
        for order in late:
            ctx.void(order, [binds(answer.by)], (seq,))
    course.asked = answer.source == "order" or ctx.on != before
    by = answer.by or (ctx.on,)
    if answer.message:
        refuse_strays(ctx, answer.message, ("reaction",), by)
        course.waits |= set(topics_asked(ctx, answer.message, by))
    orders = keep_only(ctx, sound(ctx, answer.value, by), REACTION_TYPES, by, REACTIONS)
    defence_cards(ctx, course, orders, by, answer.clause)
    course.hear(DEFENDER, _sensible(ctx, course, orders, by), by if orders else answer.by)
    fix_modifiers(ctx.state, course)


def fix_modifiers(state: State, course: Course) -> None:
    """SS 11.26: die modifiers are found before the fire and stay, whatever the first fire of a flank attack does."""
    course.drms = {role: drm_of(state, course.combat, role) for role in (ATTACKER, DEFENDER)}


def _sensible(ctx: Ctx[State], course: Course, orders: Orders, by: tuple[int, ...]) -> Orders:
    """Reactions that no die can make lawful are void at once: holding clear terrain, units that are not there. The
    cards lie in the combat by then: they may have made a marsh of clear terrain (SS faq.rules.3)."""
    kept = []
    for order in orders:
        problems = reaction_problems(ctx.state, course, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            kept.append(order)
    return tuple(kept)


def reaction_problems(state: State, course: Course, order: Order) -> list[Problem]:
    """What is wrong with a reaction however the dice fall (SS 11.58)."""
    found, uid = course.combat, order.text("unit")
    if order.type == "hold" and not can_hold(state, found):
        return hold_problems(state, found, uid)
    if order.type not in ("hold", "retreat", "relocate"):
        return []
    if uid in found.defenders or uid in state.in_box(RESERVE, found.side_of(DEFENDER)):
        return []
    if uid in found.attackers:
        said = f"{uid} attacks: attacking units never retreat"
        return [Problem("attacker", "SS 11.58", said, "leave the order out", field="unit")]
    there = ", ".join(found.defenders)
    return [Problem("unit", "SS 11.11", f"{uid} does not defend {found.target}", f"there stand {there}", field="unit")]


def _winner(ctx: Ctx[State], course: Course) -> Proc[None]:
    """SS 11.282, 11.47, 11.52, 7.611: who has won, an overrun or not, how far to retreat, which cards are kept."""
    judge(ctx.state, course)
    stays = course.winner == ATTACKER and not course.distance and not course.overrun
    why = stands_fast(ctx.state.world, course.combat.cards) if stays else ""
    ctx.emit(
        "winner", "SS 11.282", course.by, winner=course.winner, difference=str(course.difference),
        retreat=str(course.distance), overrun="yes" if course.overrun else "", target=course.combat.target,
        combat=str(course.combat.number), forced="yes" if course.forced else "", why=why,
    )
    settle_cards(ctx, course)
    yield from ()


Part = Callable[[Ctx[State], Course], Proc[None]]
PARTS_OF_COMBAT: tuple[tuple[str, Part], ...] = (
    ("flank", _flank),
    ("attack", attack_cards),
    ("cards", _cards),
    ("exchange", exchange),
    ("winner", _winner),
    ("aftermath", aftermath),
)
"""SS 11.21: the parts of a combat after its designation and before the advance."""


def fight(ctx: Ctx[State], course: Course, first: str = "flank", last: str = "aftermath") -> Proc[None]:
    """Play a combat from one of its parts to another; after the last the attacker may advance (SS 11.21)."""
    names = [name for name, _ in PARTS_OF_COMBAT]
    for name, part in PARTS_OF_COMBAT[names.index(first) : names.index(last) + 1]:
        yield from part(ctx, course)
        if name == "aftermath":
            course.opening = way_open(ctx.state, course)


def follow(ctx: Ctx[State], course: Course) -> Proc[Orders]:
    """The attacker's advances, and what he does next where he is asked (SS 11.284, PROTOCOL 9.2)."""
    rest: Orders = ()
    if not course.bound:
        answer: Answer[Orders] = yield from ctx.ask(followup_ask(course.combat, course.after))
        mine, rest = split(answer.value)
        by = answer.by or course.by
        if answer.message:
            refuse_strays(ctx, answer.message, ("followup",), (ctx.on,))
            take_up(ctx, course, ATTACKER, sound(ctx, mine, by), by)
    yield from _advances(ctx, course)
    return rest


def _advances(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The advances of the attacker. Those bound to the attack come first and bind: a later one of the same unit is
    void, also where the unit stays because its condition is not met (PROTOCOL 5, 9.2)."""
    pending = [(order, course.said_in(ATTACKER, order) or course.by) for order in course.given[ATTACKER]]
    first: dict[str, tuple[int, ...]] = {}
    while pending:
        order, by = pending.pop(0)
        uid = order.text("unit")
        if order.type == "advance":
            flip = pending.pop(0)[0] if pending and pending[0][0].type == "captured_supply" else None
            if first.setdefault(uid, by) == by:
                yield from advance(ctx, course, order, flip, by)
            else:
                for late in (order, *([flip] if flip else [])):
                    ctx.void(late, [binds(first[uid])], by)
        elif order.type == "captured_supply":
            ctx.void(order, [_no_capture()], by)


def _no_capture() -> Problem:
    said = "captured supply is used at the moment of capture, directly after the advance that takes the town"
    return Problem("late", "SS 13.91", said, "put it after that advance", field="units")


def advance(ctx: Ctx[State], course: Course, order: Order, flip: Order | None, by: tuple[int, ...]) -> Proc[None]:
    """Advance one unit (SS 11.6), with the captured supply ordered for it."""
    taken = _advance(ctx, course, order, by)
    for town in captures(course.combat.attacker, taken):
        yield from capture(ctx, town, flip, by)
        flip = None
    if flip is not None:
        ctx.void(flip, [_no_capture()], by)


def _advance(ctx: Ctx[State], course: Course, order: Order, by: tuple[int, ...]) -> list[str]:
    """Returns what changed hands. Where the defender holds or the unit is lost it stays: no fault of the order.

    Rule: SS 11.67.
    """
    state, opening, uid = ctx.state, course.opening, order.text("unit")
    problems = eligible_problems(state, course.combat, uid)
    if problems or opening is None:
        early = Problem("early", "SS 11.284", "the combat is not over", "leave the order out")
        ctx.void(order, problems or [early], by)
        return []
    why = _stays(state, opening, order, "overrun" if course.overrun else "wiped_out")
    if why:
        ctx.emit("stays", "SS 11.61", by, order=str(order.index), unit=uid, why=why)
        return []
    path = order.texts("path")
    problems = advance_problems(state, opening, uid, path)
    if problems:
        ctx.void(order, problems, by)
        return []
    ctx.emit("advance", "SS 11.6", by, order=str(order.index), unit=uid, path=list(path))
    return take(ctx, course.combat.attacker, path[1:], "SS 11.67", by)


def _stays(state: State, opening: Opening, order: Order, cleared: str) -> str:
    """Why an advance does not take place though nothing is wrong with it; "" where it does.

    ``cleared`` tells how the space was, if nobody retreated from it.
    """
    if not opening.category:
        return "the space was not cleared"
    if not state.on_map(order.text("unit")):
        return "it did not survive"
    wanted = order.texts("if")
    fates = {opening.category, cleared} if opening.category == CLEARED else {opening.category}
    return f"the defender's fate is {' and '.join(sorted(fates))}" if wanted and not fates & set(wanted) else ""


def close(ctx: Ctx[State], course: Course) -> None:
    """The combat is resolved: Attack markers go where nobody is left to attack from (SS 11.1, 11.13)."""
    state, side = ctx.state, course.combat.attacker
    for place in course.combat.origins:
        idle = not any(_may_attack(state, uid) for uid in state.friends(place, side))
        if state.markers.get(place) == ATTACK and idle:
            ctx.emit("marker-gone", "SS 11.1", course.by, space=place)
    number, target = str(course.combat.number), course.combat.target
    ctx.emit("combat-over", "SS 11.2", course.by, number=number, target=target)


def _may_attack(state: State, uid: str) -> bool:
    piece = state.pieces[uid]
    return state.active_unit(uid) and not piece.fought and (piece.joined or not piece.moved)
