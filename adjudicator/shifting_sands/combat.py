"""One combat from designation to advance (SS 11.2), with the defender's stop (PROTOCOL 9.2).

The steps stand in the order of the rulebook. ``after`` bars what was said before the combat from answering its choices;
what the attacker bound to it in the same list is handed in with the group.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from adjudicator.engine.core import Answer, Ctx, Order, Proc, Roll, Tree
from adjudicator.shifting_sands.advance import CLEARED, ONE, TWO, Opening, advance_problems
from adjudicator.shifting_sands.choices import (
    Orders,
    followup_ask,
    hold_ask,
    loss_ask,
    reaction_ask,
    relocate_ask,
    retreat_ask,
)
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.designate import attack_problems, designated
from adjudicator.shifting_sands.fire import (
    DIVISION,
    Combat,
    Fire,
    Modifier,
    drm_of,
    fighters,
    fire_of,
    loss_number,
    terrain_row,
)
from adjudicator.shifting_sands.groups import FOLLOW_TYPES, Group
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, Outcome, fulfilments, replacements
from adjudicator.shifting_sands.retreat import holders, may_trace, relocations, retreat_paths
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.world import text

POOR_MORALE = "Poor Morale"


@dataclass
class Course:
    """What has happened so far in a combat: numbers inflicted, bold, who was hit, what the defender will wait for."""

    combat: Combat
    group: Group
    bound: bool
    after: int
    by: tuple[int, ...]
    numbers: dict[str, int] = field(default_factory=dict)
    bold: bool = False
    drms: dict[str, tuple[Modifier, ...]] = field(default_factory=dict)
    waits: frozenset[str] = frozenset()
    lost_divisions: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    relocated: bool = False

    @property
    def overrun_now(self) -> bool:
        """Bold fire on the division table by the attacker and a higher number than the defender's (SS 11.47)."""
        return self.bold and self.numbers.get("attacker", 0) > self.numbers.get("defender", 0)


def combat(ctx: Ctx[State], side: str, group: Group, bound: bool) -> Proc[Orders]:
    """Play one combat. Returns the orders that follow it where the attacker was asked for them."""
    problems = attack_problems(ctx.state, side, group.attack)
    if problems:
        ctx.void(group.attack, problems, group.by)
        return ()
    course = _designate(ctx, side, group, bound)
    yield from _flank(ctx, course)
    yield from _reaction(ctx, course)
    yield from _exchange(ctx, course)
    yield from _outcome(ctx, course)
    rest = yield from _follow(ctx, course)
    ctx.emit("combat-over", "SS 11.2", course.by, number=str(course.combat.number), target=course.combat.target)
    return rest


def _designate(ctx: Ctx[State], side: str, group: Group, bound: bool) -> Course:
    number = ctx.state.combats + 1
    found = designated(ctx.state, side, group.attack, number)
    spaces = sorted({ctx.state.pieces[uid].at for uid in found.attackers})
    ctx.emit(
        "designate", "SS 11.22", group.by, order=str(group.attack.index), number=str(number), side=side,
        target=found.target, units=list(found.attackers), defenders=list(found.defenders), spaces=list(spaces),
        flank="tried" if group.attack.text("flank") == "yes" else "", rommel="yes" if found.rommel else "",
    )
    return Course(found, group, bound, ctx.on, group.by)


def _label(ctx: Ctx[State], course: Course, what: str) -> str:
    """The label of a roll; a second combat against one space in the same round is numbered (PROTOCOL 4.6)."""
    target = course.combat.target
    times = sum(1 for e in ctx.events if e.kind == "designate" and e.data.get("target") == target)
    slug = ctx.state.world.spaces[target].slug
    return f"combat/{slug}/{what}" + (f"#{times}" if times > 1 else "")


def _flank(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The flank attack die (SS 11.3): success on four or more, one more for each further attacking space."""
    if course.group.attack.text("flank") != "yes":
        return
    extra = len({ctx.state.pieces[uid].at for uid in course.combat.attackers}) - 1
    table = ctx.state.world.tables.get("flank")
    need = int(text(table, "success_at")) if isinstance(table, dict) else 4
    label = _label(ctx, course, "flank")
    (die,) = yield from ctx.roll(Roll(label, "flank", who=course.combat.attacker, assume=(1,)))
    result = "success" if die + extra >= need else "failure"
    ctx.emit(
        "flank", "SS 11.33", course.by, die=str(die), modifier=str(extra), total=str(die + extra), need=str(need),
        label=label, result=result, target=course.combat.target, number=str(course.combat.number),
    )
    course.combat = replace(course.combat, flank=result)


def _reaction(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The defender's stop; dice after it come from his answer (SS 11.25, PROTOCOL 5)."""
    answer: Answer[Orders] = yield from ctx.ask(reaction_ask(ctx.state, course.combat, course.after))
    course.waits = frozenset(o.text("topic") for o in answer.value if o.type == "wait")
    course.drms = {role: drm_of(ctx.state, course.combat, role) for role in ("attacker", "defender")}


def _exchange(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Both fire at once, or in sequence after a flank attack was tried (SS 11.27, 11.34)."""
    flank = course.combat.flank
    if flank not in ("success", "failure"):
        yield from _shoot(ctx, course, "attacker")
        yield from _shoot(ctx, course, "defender")
        yield from _suffer(ctx, course, "defender")
        yield from _suffer(ctx, course, "attacker")
        return
    first, second = ("attacker", "defender") if flank == "success" else ("defender", "attacker")
    yield from _shoot(ctx, course, first)
    yield from _suffer(ctx, course, second)
    yield from _shoot(ctx, course, second)
    yield from _suffer(ctx, course, first)


def _shoot(ctx: Ctx[State], course: Course, role: str) -> Proc[None]:
    """One side's fire: strength and table as they are now, modifiers as fixed before (ruling A11)."""
    recompute = ctx.state.world.switch("flank_recompute_drm", "off") == "on"
    fire = fire_of(ctx.state, course.combat, role, None if recompute else course.drms[role])
    if not _may_fire(ctx.state, course.combat, role, fire):
        course.numbers[role] = 0
        return
    label = _label(ctx, course, f"fire-{role}")
    side = course.combat.attacker if role == "attacker" else other(course.combat.attacker)
    (die,) = yield from ctx.roll(Roll(label, role, who=side, assume=(1,)))
    row = fire.row(die)
    number, bold = loss_number(ctx.state, fire.table, fire.column, row)
    course.numbers[role] = number
    if role == "attacker":
        course.bold = bold and fire.table == DIVISION and _overrunnable(ctx.state, course.combat.target)
    data: dict[str, Tree] = {**fire.as_data(), "side": side, "die": str(die), "row": str(row), "label": label}
    data["number"], data["bold"] = str(number), "yes" if bold else ""
    ctx.emit("fire", "SS 11.28", course.by, target=course.combat.target, combat=str(course.combat.number), **data)  # type: ignore[arg-type]


def _may_fire(state: State, found: Combat, role: str, fire: Fire) -> bool:
    """Nobody left, nobody fires; a fort by itself fires where only units stand that retreated before (ruling A32)."""
    if fighters(state, found, role):
        return True
    return role == "defender" and bool(fire.fort) and bool(_defending(state, found))


def _defending(state: State, found: Combat) -> list[str]:
    side = other(found.attacker)
    return state.friends(found.target, side)


def _overrunnable(state: State, target: str) -> bool:
    space = state.world.spaces[target]
    return not space.fort and text(terrain_row(state, space.terrain), "overrun") == "yes"


def _suffer(ctx: Ctx[State], course: Course, role: str) -> Proc[None]:
    """A side takes the losses the other inflicted (SS 11.4); units that had retreated before die first (11.57)."""
    number = course.numbers["defender" if role == "attacker" else "attacker"]
    if role == "defender" and number >= 1:
        for uid in [u for u in _defending(ctx.state, course.combat) if ctx.state.pieces[u].retreated]:
            ctx.emit("eliminated", "SS 11.57", course.by, unit=uid, to=REPLACEMENT, why="retreated before")
    units = fighters(ctx.state, course.combat, role)
    if not units:
        return
    outcomes = fulfilments(ctx.state, units, number)
    given = tuple(o for o in course.group.follow if o.type == "losses") if role == "attacker" else ()
    stop = not course.bound if role == "attacker" else "losses" in course.waits
    ask = loss_ask(ctx.state, course.combat, role, outcomes, given, stop, course.after)
    if given and len(outcomes) > 1:
        answer = _given(ask.find(()), ask.problems, ask.default, course)
    else:
        answer = yield from ctx.ask(ask)
    _lose(ctx, course, role, number, answer)


def _given(value: Outcome | None, problems: object, default: object, course: Course) -> Answer[Outcome]:
    """Losses the attacker bound to the combat in the same list (PROTOCOL 5, on file)."""
    check = problems(value) if callable(problems) and value is not None else []
    if value is None or check:
        fallback: Outcome = default() if callable(default) else Outcome((), (), 0)
        return Answer(fallback, "default", check[0].text if check else "", course.by)
    return Answer(value, "order", "", course.by)


def _lose(ctx: Ctx[State], course: Course, role: str, number: int, answer: Answer[Outcome]) -> None:
    outcome = answer.value
    by = (*course.by, *answer.by)
    ctx.emit(
        "losses", "SS 11.43", by, combat=str(course.combat.number), role=role, number=str(number),
        absorbed=str(outcome.absorbed), steps=list(outcome.steps), choice=answer.source, clause=answer.clause,
    )
    replaced = dict(outcome.replaced)
    for uid, end in outcome.ends:
        if uid not in replaced.values() and end.startswith("@"):
            _eliminate(ctx, course, role, uid, end, by, replaced.get(uid))
    for uid, end in outcome.ends:
        if end == "reduced" and not ctx.state.pieces[uid].reduced:
            ctx.emit("reduced", "SS 11.42", by, unit=uid, at=ctx.state.pieces[uid].at)
        elif end.startswith("@") and uid in replaced.values():
            ctx.emit("eliminated", "SS 11.421", by, unit=uid, to=end, **{"from": course.combat.target})
    _join_replacements(course, role, replaced)


def _eliminate(
    ctx: Ctx[State], course: Course, role: str, uid: str, end: str, by: tuple[int, ...], bg: str | None
) -> None:
    """Take a unit off; in an overrun a lost division must be able to reach a place, else it is gone for good."""
    where = ctx.state.pieces[uid].at
    counter = ctx.state.counter(uid)
    status = course.combat.statuses.get(uid, "")
    rule = "SS 11.421" if end == REPLACEMENT else "SS 11.44"
    if role == "defender" and counter.division:
        course.lost_divisions.append(uid)
    ctx.emit("eliminated", rule, by, unit=uid, to=end, **{"from": where})
    if bg:
        fought = "yes" if role == "attacker" else ""
        ctx.emit("replaced", "SS 11.44", by, unit=bg, at=where, division=uid, fought=fought, supply=status)


def _join_replacements(course: Course, role: str, replaced: dict[str, str]) -> None:
    """A battlegroup that replaces a division fights on in its place (SS 11.44)."""
    if not replaced:
        return
    found = course.combat
    if role == "attacker":
        course.combat = replace(found, attackers=(*found.attackers, *replaced.values()))
    else:
        course.combat = replace(found, defenders=(*found.defenders, *replaced.values()))


def _outcome(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Winner, overrun or retreat, and what may be followed (SS 11.282 to 11.284)."""
    mine, theirs = course.numbers["attacker"], course.numbers["defender"]
    winner = "attacker" if mine > theirs else "defender" if theirs > mine else ""
    difference = abs(mine - theirs)
    distance = (1 if difference == 1 else 2) if winner == "attacker" else 0
    overrun = course.overrun_now
    ctx.emit(
        "winner", "SS 11.282", course.by, winner=winner, difference=str(difference), retreat=str(distance),
        overrun="yes" if overrun else "", target=course.combat.target, combat=str(course.combat.number),
    )
    if winner != "attacker":
        return
    course.survivors = _defending(ctx.state, course.combat)
    if overrun:
        yield from _overrun(ctx, course)
    elif course.survivors:
        held = yield from _hold(ctx, course)
        if not held:
            yield from _retreat(ctx, course, distance)


def _overrun(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Survivors are relocated; divisions that could not get there are gone for good (SS 11.47, 11.471, 11.473)."""
    target = course.combat.target
    ctx.emit("overrun", "SS 11.47", course.by, target=target, units=list(course.survivors))
    for uid in course.lost_divisions:
        if ctx.state.pieces[uid].at == REPLACEMENT and not may_trace(ctx.state, ctx.state.counter(uid), target):
            ctx.emit("eliminated", "SS 11.471", course.by, unit=uid, to=ELIMINATED, why="no way to a place")
    _poor_morale(ctx, course)
    for uid in _defending(ctx.state, course.combat):
        places = relocations(ctx.state, uid, target)
        ask = relocate_ask(course.combat, uid, places, "relocate" in course.waits, course.after)
        answer: Answer[str] = yield from ctx.ask(ask)
        by = (*course.by, *answer.by)
        if answer.value.startswith("@"):
            ctx.emit("eliminated", "SS 11.471", by, unit=uid, to=answer.value, clause=answer.clause, **{"from": target})
        else:
            ctx.emit("relocate", "SS 11.47", by, unit=uid, to=answer.value, choice=answer.source, clause=answer.clause)
    course.relocated = True


def _poor_morale(ctx: Ctx[State], course: Course) -> None:
    """SS 11.473: overrun Italian infantry divisions without Germans beside them are lost for good."""
    state, units = ctx.state, list(course.survivors)
    if not state.played(POOR_MORALE) or any(state.counter(uid).nation == "GE" for uid in units):
        return
    for uid in units:
        counter = state.counter(uid)
        if counter.nation == "IT" and counter.division and not counter.armor:
            _dissolve(ctx, course, uid)


def _dissolve(ctx: Ctx[State], course: Course, uid: str) -> None:
    choices = replacements(ctx.state, uid)
    ctx.emit("eliminated", "SS 11.473", course.by, unit=uid, to=ELIMINATED, **{"from": course.combat.target})
    if choices:
        at = course.combat.target
        ctx.emit("replaced", "SS 11.44", course.by, unit=choices[0], at=at, division=uid, fought="", supply="")


def _hold(ctx: Ctx[State], course: Course) -> Proc[bool]:
    """The defender may cancel the retreat by one more step (SS 11.53)."""
    payers = holders(ctx.state, course.combat, course.survivors)
    if not payers:
        return False
    answer: Answer[str] = yield from ctx.ask(hold_ask(course.combat, payers, "hold" in course.waits, course.after))
    if not answer.value:
        return False
    uid, by = answer.value, (*course.by, *answer.by)
    ctx.emit("hold", "SS 11.53", by, unit=uid, at=course.combat.target, choice=answer.source, clause=answer.clause)
    counter = ctx.state.counter(uid)
    if not ctx.state.pieces[uid].reduced:
        ctx.emit("reduced", "SS 11.53", by, unit=uid, at=course.combat.target)
    elif not counter.division:
        ctx.emit("eliminated", "SS 11.53", by, unit=uid, to=REPLACEMENT, **{"from": course.combat.target})
    else:
        _pay_with_division(ctx, course, uid, by)
    return True


def _pay_with_division(ctx: Ctx[State], course: Course, uid: str, by: tuple[int, ...]) -> None:
    choices = replacements(ctx.state, uid)
    end = REPLACEMENT if choices else ELIMINATED
    ctx.emit("eliminated", "SS 11.53", by, unit=uid, to=end, **{"from": course.combat.target})
    if choices:
        at = course.combat.target
        ctx.emit("replaced", "SS 11.44", by, unit=choices[0], at=at, division=uid, fought="", supply="")


def _retreat(ctx: Ctx[State], course: Course, distance: int) -> Proc[None]:
    """Every surviving defender retreats, one by one (SS 11.51, 11.52, ruling A24)."""
    target = course.combat.target
    for uid in course.survivors:
        paths = retreat_paths(ctx.state, uid, target, distance)
        if not paths:
            end = ELIMINATED if ctx.state.counter(uid).division else REPLACEMENT
            ctx.emit("eliminated", "SS 11.56", course.by, unit=uid, to=end, why="no retreat", **{"from": target})
            continue
        ask = retreat_ask(ctx.state, course.combat, uid, paths, "retreat" in course.waits, course.after)
        answer: Answer[tuple[str, ...]] = yield from ctx.ask(ask)
        path, by = answer.value, (*course.by, *answer.by)
        course.paths.append(path)
        ctx.emit(
            "retreat", "SS 11.55", by, unit=uid, path=list(path), choice=answer.source, clause=answer.clause
        )
        take(ctx, other(course.combat.attacker), path[-1:], "SS 11.55", by)


def _opening(ctx: Ctx[State], course: Course, distance: int) -> Opening:
    """What may be followed (SS 11.61 to 11.64, rulings A30, A84)."""
    target = course.combat.target
    if _defending(ctx.state, course.combat):
        return Opening("", target)
    if course.relocated or not course.paths:
        return Opening(CLEARED, target)
    return Opening(ONE if distance == 1 else TWO, target, tuple(course.paths))


def _follow(ctx: Ctx[State], course: Course) -> Proc[Orders]:
    """The attacker's advances, and what he does next where he was asked (SS 11.284, PROTOCOL 9.2)."""
    distance = 1 if course.numbers["attacker"] - course.numbers["defender"] == 1 else 2
    opening = _opening(ctx, course, distance)
    orders, by = course.group.follow, course.by
    if not course.bound:
        answer: Answer[Orders] = yield from ctx.ask(followup_ask(course.combat, course.after))
        orders, by = (*orders, *answer.value), answer.by or course.by
    own, rest = _split(orders)
    for order in own:
        if order.type == "advance":
            _advance(ctx, course, opening, order, by)
    return rest


def _split(orders: Orders) -> tuple[Orders, Orders]:
    """What belongs to the combat just fought, and the orders after it."""
    for index, order in enumerate(orders):
        if order.type not in FOLLOW_TYPES:
            return orders[:index], orders[index:]
    return orders, ()


def _advance(ctx: Ctx[State], course: Course, opening: Opening, order: Order, by: tuple[int, ...]) -> None:
    uid, path = order.text("unit"), order.texts("path")
    if uid not in course.combat.attackers or uid not in ctx.state.pieces or not ctx.state.on_map(uid):
        why = "it is not among the surviving attackers"
        ctx.emit("stays", "SS 11.61", by, order=str(order.index), unit=uid, why=why)
        return
    if not opening.category:
        ctx.emit("stays", "SS 11.61", by, order=str(order.index), unit=uid, why="the space was not cleared")
        return
    problems = advance_problems(ctx.state, opening, uid, path)
    if problems:
        ctx.void(order, problems, by)
        return
    ctx.emit("advance", "SS 11.6", by, order=str(order.index), unit=uid, path=list(path))
    take(ctx, course.combat.attacker, path[1:], "SS 11.67", by)
