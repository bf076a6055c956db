"""Missions of the Long Range Desert Group: gathering intelligence, and raids (SS 11.7; rulings A05, A59, A61)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.shifting_sands.access import LRDG
from adjudicator.shifting_sands.control import MERSA_MATRUH
from adjudicator.shifting_sands.losses import REPLACEMENT
from adjudicator.shifting_sands.state import State, turn_slug
from adjudicator.shifting_sands.world import rows, text

ORDER = "lrdg"
RAID, INTELLIGENCE = "raid", "intelligence"
MISSIONS = (RAID, INTELLIGENCE)
SIDE, OTHER = "allied", "axis"
COST, FACES = 1, 6
STEP, TWO_STEPS, CARD = "lose_step", "lose_two_steps", "card"


def unit_of(state: State) -> str:
    """The LRDG, where it is on the map; "" where it is not."""
    found = (uid for uid in state.side_units(SIDE) if state.counter(uid).kind == LRDG and state.on_map(uid))
    return next(found, "")


def mission_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why the LRDG may not carry out a mission now (SS 11.72 to 11.741, 10.53)."""
    mission, uid = order.text("mission"), unit_of(state)
    if side != SIDE or not uid:
        said = "the LRDG is not on the map, or not yours"
        return [Problem("lrdg", "SS 11.72", said, "leave the order out")]
    if not state.ops.source or state.ops.source in ("t_event", "activation"):
        rule = "SS 10.53" if state.ops.source == "t_event" else "SS 11.72"
        said = "a mission needs operations points, and not those of a reinforcement with a T"
        return [Problem("ops", rule, said, "leave the order out")]
    if state.missions:
        return [Problem("again", "SS 11.72", "the LRDG has had its mission of this turn", "wait for the next turn")]
    if mission == INTELLIGENCE:
        found = _intelligence_problems(state, uid)
        if found:
            return found
    if order.text("free") == "yes" and not may_be_free(state, mission):
        said = "a raid costs nothing only while all victory point spaces of Libya are Allied"
        return [Problem("free", "SS 11.741", said, "leave free: out", field="free")]
    left = state.ops.available - state.ops.spent
    if price(state, order) > left:
        return [Problem("cost", "SS 11.72", f"a mission costs {COST} point, {left} are left", "leave a marker out")]
    return []


def _intelligence_problems(state: State, uid: str) -> list[Problem]:
    """Intelligence is gathered in an oasis, while Mersa Matruh is not Axis (SS 11.72, 11.73)."""
    at = state.pieces[uid].at
    if state.world.spaces[at].terrain != "oasis":
        return [Problem("oasis", "SS 11.72", f"{uid} is in {at}, which is no oasis", "mission: raid", field="mission")]
    if state.owner(MERSA_MATRUH) == OTHER:
        said = f"no intelligence is gathered while {MERSA_MATRUH} is Axis"
        return [Problem("matruh", "SS 11.73", said, "mission: raid", field="mission")]
    return []


def may_be_free(state: State, mission: str) -> bool:
    """Whether a raid costs no point: every victory point space of Libya is Allied (SS 11.741)."""
    libya = [name for name, space in state.world.spaces.items() if space.vp and state.world.in_region(name, "Libya")]
    return mission == RAID and bool(libya) and all(state.owner(name) == SIDE for name in libya)


def price(state: State, order: Order) -> int:
    """What a mission costs: nothing where it may be free, whether that is said or not (SS 11.741)."""
    return 0 if may_be_free(state, order.text("mission")) else COST


def outcome(state: State, mission: str, die: int) -> str:
    """The result of a die: of a raid a word, of intelligence the number of cards (ruling A05)."""
    wanted = state.world.switch("tables_lrdg", text(state.world.tables, "lrdg_default"))
    table = next(row for row in rows(state.world.tables, "lrdg") if text(row, "id") == wanted)
    row = next(row for row in rows(table, "rows") if text(row, "die") == str(die))
    return text(row, mission)


def missions(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> Proc[None]:
    """Carry out the mission ordered; a second one is void."""
    for order in orders:
        problems = mission_problems(ctx.state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            yield from carry_out(ctx, order, by)


def carry_out(ctx: Ctx[State], order: Order, by: Sequence[int]) -> Proc[None]:
    """Roll for a mission, and do what comes of it (SS 11.721)."""
    state, mission = ctx.state, order.text("mission")
    label = f"{ORDER}/{mission}/{turn_slug(state.turn)}"
    (die,) = yield from ctx.roll(Roll(label, ORDER, faces=FACES, who=SIDE, assume=(2,)))
    yield from come_to(ctx, order, die, label, by)


def come_to(ctx: Ctx[State], order: Order, die: int, label: str, by: Sequence[int]) -> Proc[None]:
    """What a die of a mission brings (SS 11.73, 11.74, 11.75)."""
    state, mission, uid = ctx.state, order.text("mission"), unit_of(ctx.state)
    result = outcome(state, mission, die)
    data: dict[str, Tree] = {"unit": uid, "at": state.pieces[uid].at, "die": str(die), "label": label}
    data |= {"cost": str(price(state, order)), "result": result, "order": str(order.index)}
    ctx.emit("mission", "SS 11.73" if mission == INTELLIGENCE else "SS 11.74", by, "public", mission=mission, **data)
    if mission == INTELLIGENCE:
        seen = yield from _picks(ctx, int(result), label)
        if seen:
            ctx.emit("cards-seen", "SS 11.73", by, "public", side=OTHER, cards=[*seen], labels=_labels(label, seen))
    elif result == CARD:
        for card in (yield from _picks(ctx, 1, label)):
            ctx.emit("discard", "SS 11.74", by, "public", side=OTHER, cards=[card], labels=_labels(label, [card]))
    else:
        _suffer(ctx, uid, result, by)


def _labels(label: str, cards: Sequence[str]) -> list[Tree]:
    """The label of each pick, in the order in which the cards were picked."""
    return [f"{label}/{OTHER}/{number}" for number in range(1, len(cards) + 1)]


def _picks(ctx: Ctx[State], count: int, label: str) -> Proc[list[str]]:
    """So many cards of the Axis hand at random, without putting one back (ruling A61)."""
    left, found = list(ctx.state.hands.get(OTHER, [])), list[str]()
    for number in range(1, min(count, len(left)) + 1):
        at = 1
        if len(left) > 1:
            roll = Roll(f"{label}/{OTHER}/{number}", "pick", faces=len(left), who=SIDE, picks=True)
            (at,) = yield from ctx.roll(roll)
        found.append(left.pop(at - 1))
    return found


def _suffer(ctx: Ctx[State], uid: str, result: str, by: Sequence[int]) -> None:
    """The steps that a raid costs; an LRDG that is eliminated may be rebuilt (SS 11.75)."""
    piece = ctx.state.pieces[uid]
    if result == STEP and not piece.reduced:
        ctx.emit("reduced", "SS 11.74", by, "public", unit=uid, at=piece.at)
    elif result in (STEP, TWO_STEPS):
        data: dict[str, Tree] = {"unit": uid, "to": REPLACEMENT, "why": "lost on its raid", "from": piece.at}
        ctx.emit("eliminated", "SS 11.75", by, "public", **data)
