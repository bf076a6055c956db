"""Fire and losses of a combat, at once or in sequence after a flank attack was tried (SS 11.27 to 11.34, 11.4)."""

from __future__ import annotations

from adjudicator.engine.core import Answer, Ctx, Proc, Roll, Tree
from adjudicator.shifting_sands.choices import loss_choice
from adjudicator.shifting_sands.course import Course, settle
from adjudicator.shifting_sands.fire import (
    ATTACKER,
    DEFENDER,
    DIVISION,
    Combat,
    fighters,
    fire_of,
    fort_of,
    loss_number,
)
from adjudicator.shifting_sands.labels import combat_label
from adjudicator.shifting_sands.losses import REPLACEMENT, Outcome, fulfilments
from adjudicator.shifting_sands.played import fires_first
from adjudicator.shifting_sands.state import State

OPPONENT = {ATTACKER: DEFENDER, DEFENDER: ATTACKER}
SEQUENCES = {
    "success": (ATTACKER, DEFENDER),
    "failure": (DEFENDER, ATTACKER),
}
"""Who fires first after a flank attack was tried (SS 11.341, 11.342)."""


def sequence_of(state: State, found: Combat) -> tuple[str, str] | None:
    """Who fires first: whose card says so, else as the flank attack fell out; None where both fire at once.

    Rules: SS faq.rules.3, faq.rules.4.
    """
    first = set(fires_first(state.world, found.cards))
    if len(first) == 1:
        (role,) = first
        return role, OPPONENT[role]
    return SEQUENCES.get(found.flank)


def exchange(ctx: Ctx[State], course: Course) -> Proc[None]:
    """Fire and losses. Where a loss number is known already, that side's fire is over.

    Rules: SS 11.281, 11.34, 11.341, 11.342, 11.474.
    """
    sequence = sequence_of(ctx.state, course.combat)
    if sequence is None:
        yield from _shoot(ctx, course, ATTACKER)
        yield from _shoot(ctx, course, DEFENDER)
        yield from _suffer(ctx, course, DEFENDER)
        yield from _suffer(ctx, course, ATTACKER)
        return
    for role in sequence:
        yield from _shoot(ctx, course, role)
        yield from _suffer(ctx, course, OPPONENT[role])


def _shoot(ctx: Ctx[State], course: Course, role: str) -> Proc[None]:
    """One side's fire: strength and table as they are now, modifiers as fixed before (ruling A11)."""
    if role in course.numbers:
        return
    state, found = ctx.state, course.combat
    if not _may_fire(state, found, role):
        course.numbers[role] = 0
        return
    recompute = state.world.switch("flank_recompute_drm", "off") == "on"
    fire = fire_of(state, found, role, None if recompute else course.drms.get(role))
    label, side = combat_label(state, found.target, f"fire-{role}"), found.side_of(role)
    (die,) = yield from ctx.roll(Roll(label, role, who=side, assume=(1,)))
    row = fire.row(die)
    number, bold = loss_number(state, fire.table, fire.column, row)
    course.numbers[role] = number
    course.bold = course.bold or (role == ATTACKER and bold and fire.table == DIVISION)
    data: dict[str, Tree] = {**fire.as_data(), "side": side, "die": str(die), "row": str(row), "label": label}
    data |= {"number": str(number), "bold": "yes" if bold else "", "target": found.target, "combat": str(found.number)}
    ctx.emit("fire", "SS 11.28", course.by, **data)  # type: ignore[arg-type]


def _may_fire(state: State, found: Combat, role: str) -> bool:
    """Nobody left, nobody fires; a fort by itself fires where only units stand that retreated before (ruling A32)."""
    if fighters(state, found, role):
        return True
    return role == DEFENDER and bool(fort_of(state, found)) and bool(defending(state, found))


def defending(state: State, found: Combat) -> list[str]:
    """All units of the defender in the space, those that retreated before included."""
    return state.friends(found.target, found.side_of(DEFENDER))


def _suffer(ctx: Ctx[State], course: Course, role: str) -> Proc[None]:
    """A side takes the losses inflicted on it (SS 11.4, 11.41); who had retreated before dies first (SS 11.57).

    Whose factors a card leaves out takes his losses all the same (SS faq.cards.20).
    """
    state, number = ctx.state, course.numbers[OPPONENT[role]]
    if role == DEFENDER and number >= 1:
        for uid in [u for u in defending(state, course.combat) if state.pieces[u].retreated]:
            ctx.emit(
                "eliminated", "SS 11.57", course.by, unit=uid, to=REPLACEMENT, why="retreated before",
                **{"from": course.combat.target},
            )
    units = fighters(state, course.combat, role)
    if not units:
        return
    outcomes = fulfilments(state, units, number)
    choice = loss_choice(state, course.combat, role, outcomes, course.when(role, "losses"))
    answer: Answer[Outcome] = yield from settle(ctx, course, role, choice)
    lose(ctx, course, role, number, answer)


def lose(ctx: Ctx[State], course: Course, role: str, number: int, answer: Answer[Outcome]) -> None:
    """Carry out one way to take losses."""
    outcome, by = answer.value, (*course.by, *answer.by)
    ctx.emit(
        "losses", "SS 11.43", by, combat=str(course.combat.number), target=course.combat.target, role=role,
        side=course.combat.side_of(role), number=str(number), absorbed=str(outcome.absorbed),
        steps=list(outcome.steps), choice=answer.source, clause=answer.clause,
    )
    replaced, ends = dict(outcome.replaced), outcome.end_map
    for uid, end in outcome.ends:
        if uid in replaced.values():
            continue
        if end.startswith("@"):
            remove(ctx, course, role, uid, end, by, replaced.get(uid, ""))
        elif not ctx.state.pieces[uid].reduced:
            ctx.emit("reduced", "SS 11.42", by, unit=uid, at=ctx.state.pieces[uid].at)
    for bg in replaced.values():
        if ends[bg].startswith("@"):
            remove(ctx, course, role, bg, ends[bg], by)
        elif ends[bg] == "reduced" and not ctx.state.pieces[bg].reduced:
            ctx.emit("reduced", "SS 11.42", by, unit=bg, at=ctx.state.pieces[bg].at)


def remove(
    ctx: Ctx[State], course: Course, role: str, uid: str, to: str, by: tuple[int, ...], bg: str = "", rule: str = ""
) -> None:
    """Take a unit off the map; a battlegroup takes a division's place at once and fights on there (SS 11.44).

    Rule: SS 11.421.
    """
    where = ctx.state.pieces[uid].at
    if role == DEFENDER and ctx.state.counter(uid).division:
        course.lost_divisions.append(uid)
    rule = rule or ("SS 11.421" if to == REPLACEMENT else "SS 11.44")
    ctx.emit("eliminated", rule, by, unit=uid, to=to, **{"from": where})
    if bg:
        substitute(ctx, course, role, uid, bg, where, by)


def substitute(
    ctx: Ctx[State], course: Course, role: str, uid: str, bg: str, where: str, by: tuple[int, ...]
) -> None:
    """Put a battlegroup out of the reserve into the place of a lost division (SS 11.44).

    An attacker's has the supply that the division was activated with, a defender's is judged anew (SS 11.444).
    """
    attacks = role == ATTACKER
    status = course.combat.statuses.get(uid, "") if attacks else ""
    ctx.emit(
        "replaced", "SS 11.44", by, unit=bg, at=where, division=uid, fought="yes" if attacks else "", supply=status
    )
    course.combat = course.combat.joined_by(role, bg, status)
