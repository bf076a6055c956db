"""Actions and activation: cards for OPS, the automatic operation, Move and Attack markers (SS 6.12, 7.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.cards import NAME, OPS, RP, called, known, played_openly
from adjudicator.shifting_sands.effects import in_force, of_round
from adjudicator.shifting_sands.nations import SIDES, group_of
from adjudicator.shifting_sands.rebuilding import mark_card
from adjudicator.shifting_sands.replacement import bans
from adjudicator.shifting_sands.state import ROUNDS, State
from adjudicator.shifting_sands.supply import LIMITED, OUT, status
from adjudicator.shifting_sands.world import Record, text, texts

AUTOMATIC_OPS = 1
MOST_MARKERS = 5
ACTIVATION = "activation"
"""The source of points that an event gives for markers alone."""
MOVE, ATTACK = "move", "attack"
USE_RULES = {"ops": "SS 7.21", "rd": "SS 7.31", "rp": "SS 7.41"}
MARKERS = (MOVE, ATTACK)
IN_A_ROW = {"rd": ("SS 7.33", "redeployment"), "rp": ("SS 7.43", "replacement points")}
"""Uses of a card that may not follow one another in consecutive action rounds."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a marker costs: points, the groups that pay once, the units that pay singly, and each unit's status."""

    points: int
    groups: tuple[str, ...]
    singly: tuple[str, ...]
    statuses: tuple[tuple[str, str], ...]


def activation_cost(state: State, space: str, side: str, marker: str) -> Cost:
    """SS 7.22, 7.23, 7.24, 8.3, 13.611, 13.71 and ruling A35 for spaces of mixed supply.

    A marker costs one point for each group of nationalities; for combat every unit that is not fully supplied, for
    movement every unit that is out of supply, pays a point of its own instead.
    """
    units = [uid for uid in state.friends(space, side) if state.active_unit(uid)]
    found = tuple((uid, status(state, uid, activating=True)) for uid in units)
    apart = (OUT,) if marker == MOVE else (OUT, LIMITED)
    singly = tuple(uid for uid, known in found if known in apart)
    groups = sorted({group_of(state.counter(uid).nation) for uid in units if uid not in singly})
    return Cost(len(groups) + len(singly), tuple(groups), singly, found)


def paid(state: State, space: str, side: str, marker: str) -> Cost:
    """What a marker costs in this round: as ever, but by an event that activates spaces what it says."""
    cost = activation_cost(state, space, side, marker)
    scope = activating(state)
    return cost if scope is None else Cost(int(text(scope, "each_costs", "1")), (), (), cost.statuses)


def activating(state: State) -> Record | None:
    """The effect of the event by which spaces are activated in this round; None where points are spent as ever."""
    found = of_round(state, "activate") if state.ops.source == ACTIVATION else ()
    return next((effect for _name, effect in found), None)


def rounds_over(state: State) -> bool:
    """True once both sides have had all their action rounds of the turn (SS 5.2, 6.14)."""
    return all(len(state.history.get(side, {})) >= ROUNDS for side in SIDES)


def action_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why a card or the automatic operation may not be played now (SS 4.14, 6.12A, 6.12B, 6.14)."""
    if side != state.active:
        said = f"this part of the round is {state.active}; only combat cards are played in the other side's part"
        return [Problem("turn", "SS 7.61", said, "wait for your part of the round")]
    if rounds_over(state):
        said = f"all {ROUNDS} action rounds are over, attrition follows"
        return [Problem("rounds", "SS 6.14", said, "leave the order out")]
    if state.ops.source or state.history.get(side, {}).get(state.round):
        return [Problem("action", "SS 6.12", "one action a round: it was chosen already", "leave one of the two out")]
    return [] if order.type == "auto_op" else _card_problems(state, side, order)


def _card_problems(state: State, side: str, order: Order) -> list[Problem]:
    """It is in hand (SS 6.12A), not for the same as in the round before (SS 7.33, 7.43), and no ban is in force."""
    card, use, hand = order.text("card"), order.text("use"), state.hands.get(side, [])
    if not hand:
        said = "there is no card in hand; without a card the automatic operation is the only action"
        return [Problem("hand", "SS 6.12B", said, "order auto_op", field="card")]
    if card not in hand:
        return [Problem("hand", "SS 6.12A", f"{called(card)} is not in hand", _held(hand), field="card")]
    if use in IN_A_ROW and in_a_row(state, side, use):
        rule, what = IN_A_ROW[use]
        said = f"a card was played for {what} in the last action round"
        return [Problem("in-a-row", rule, said, "play it for something else", field="use")]
    banned = bans(state, side) if use == "rp" else []
    if banned:
        said = f"no card may be played for replacement points since {', '.join(banned)}"
        return [Problem("ban", "SS 7.44", said, "play it for something else", field="use")]
    return []


def _held(hand: Sequence[str]) -> str:
    return f"in hand: {', '.join(map(called, hand))}"


def in_a_row(state: State, side: str, use: str) -> bool:
    """True where the side's last action round counts as one for such points (SS 7.33, 7.43)."""
    return use in state.history.get(side, {}).get(state.round - 1, "").split()


def marker_problems(state: State, side: str, space: str, marker: str) -> list[Problem]:
    """Why a space may not be activated now (SS 7.2, 10.41).

    Rules: SS 7.21, 7.25, 7.26, 7.27, 7.42, faq.rules.2.
    """
    if not state.ops.source:
        hint = "play a card with use: ops, or auto_op"
        return [Problem("no-ops", "SS 7.21", "there are no operations points in this round", hint)]
    if any(state.pieces[uid].moved or state.pieces[uid].fought for uid in state.side_units(side)):
        said = "movement has begun: every marker is placed before the first move"
        return [Problem("late", "SS 7.27", said, "put the markers before the moves")]
    if space in state.markers:
        said = f"{space} has a marker already: a space is activated once, for movement or for combat"
        return [Problem("marked", "SS 7.25", said, "leave one of the two out", field="space")]
    own = state.friends(space, side)
    if not own:
        said = f"no friendly unit stands in {space}; a fort is none"
        return [Problem("empty", "SS 7.26", said, "name a space that your units stand in", field="space")]
    if not any(state.active_unit(uid) for uid in own):
        said = f"the units in {space} are not released yet"
        return [Problem("neutral", "SS 10.41", said, "leave it out", field="space")]
    return (
        _barred(state, side, space, marker)
        or _out_of_scope(state, side, space)
        or _cost_problems(state, side, space, marker)
    )


def _out_of_scope(state: State, side: str, space: str) -> list[Problem]:
    """Spaces that an event may not activate: outside its regions, or of another supply (SS 7.51)."""
    scope = activating(state)
    if scope is None:
        return []
    if not any(state.world.in_region(space, region) for region in texts(scope, "region")):
        said = f"the event activates spaces of {', '.join(texts(scope, 'region'))} only"
        return [Problem("region", "SS 7.51", said, "choose another space", field="space")]
    able = texts(scope, "supply")
    bad = [uid for uid in state.friends(space, side) if status(state, uid, activating=True) not in able]
    if bad:
        said = f"{', '.join(bad)} is not in {' or '.join(able)} supply"
        return [Problem("supply", "SS 7.51", said, "choose another space", field="space")]
    return []


def _barred(state: State, side: str, space: str, marker: str) -> list[Problem]:
    """Where an event of this round forbids a marker, and whether one is left of the five (SS 4.15, 10.521)."""
    place = state.world.spaces.get(space)
    for name, effect in in_force(state, "no_markers"):
        west = text(effect, "west_of_tripoli") == "yes" and place is not None and place.west_of_tripoli
        if west and text(effect, "side") == side and text(effect, "marker") == marker:
            said = f"{space} lies west of Tripoli: no {marker} marker there in the round of {name}"
            return [Problem("barred", f"SS {text(effect, 'rule')}", said, "move there, attack later", field="space")]
    if len(state.markers) >= MOST_MARKERS:
        said = f"all {MOST_MARKERS} Move and Attack markers are in use"
        return [Problem("markers", "SS 4.15", said, "leave it out", field="space")]
    return []


def _cost_problems(state: State, side: str, space: str, marker: str) -> list[Problem]:
    cost = paid(state, space, side, marker)
    left = state.ops.available - state.ops.spent
    owed = sum(paid(state, place, side, MOVE).points for place in state.landed if place not in (*state.markers, space))
    if cost.points <= left and owed and cost.points + owed > left:
        said = f"{owed} of {left} points are for the spaces where units came in, which must get a marker"
        return [Problem("landing", "SS 10.53", said, "mark those spaces first", field="space")]
    if cost.points <= left:
        return []
    parts = [f"1 for {group.capitalize()} units" for group in cost.groups] + [f"1 for {uid}" for uid in cost.singly]
    said = f"{space} costs {cost.points} ({', '.join(parts)}), {left} of {state.ops.available} points are left"
    return [Problem("cost", _cost_rule(marker, cost), said, "choose a cheaper space", field="space")]


def _cost_rule(marker: str, cost: Cost) -> str:
    """The rule that makes a marker dear: units that pay singly, else the nationalities."""
    if not cost.singly:
        return "SS 7.23"
    limited = any(known == LIMITED for uid, known in cost.statuses if uid in cost.singly)
    return "SS 13.611" if limited else "SS 13.71"


def markable(state: State, side: str) -> dict[str, list[str]]:
    """Every space that may be activated now, with the markers it may take."""
    places = sorted(place for place in state.at if not place.startswith("@") and state.friends(place, side))
    found = {place: [m for m in MARKERS if not marker_problems(state, side, place, m)] for place in places}
    return {place: markers for place, markers in found.items() if markers}


def activate(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Carry out the action and place the markers, in the order written (SS 6.12, 7.21 to 7.26)."""
    for order in orders:
        if order.type in ("play_card", "auto_op"):
            problems = action_problems(ctx.state, side, order)
        else:
            problems = marker_problems(ctx.state, side, order.text("space"), marker_of(order))
        if problems:
            ctx.void(order, problems, by)
        elif order.type in ("play_card", "auto_op"):
            act(ctx, side, order, by)
        else:
            mark(ctx, side, order, by)


def no_action(ctx: Ctx[State], side: str, by: Sequence[int]) -> None:
    """Who orders no action has taken the automatic operation and not used it (SS 6.12, ruling A37)."""
    if not ctx.state.history.get(side, {}).get(ctx.state.round):
        ctx.emit("action", "SS 6.12", by, side=side, use="auto", ops=str(AUTOMATIC_OPS), clause="nothing was ordered")


def marker_of(order: Order) -> str:
    """The marker that an order places."""
    return MOVE if order.type == "move_marker" else ATTACK


def act(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    """Play a card for operations, redeployment or replacement points, or take the automatic operation of one point
    (SS 6.12A, 6.12B, 7.12, 7.13, 3.ops, 3.rd)."""
    index = str(order.index)
    if order.type == "auto_op":
        ctx.emit("action", "SS 6.12B", by, order=index, side=side, use="auto", ops=str(AUTOMATIC_OPS))
        return
    card = order.text("card")
    ops = known(ctx.state, order, card, OPS)
    use = order.text("use")
    told = {} if use == "rp" else {"ops": ops}
    if played_openly(ctx.state.world):
        told["name"] = known(ctx.state, order, card, NAME)
    ctx.emit("action", USE_RULES[use], by, order=index, side=side, use=use, card=card, **told)
    if use == "rp":
        mark_card(ctx, side, known(ctx.state, order, card, RP), by, index)


def mark(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    """Place a marker and pay for it; the supply of the units there is fixed now (SS 13.11, ruling A25)."""
    space, marker = order.text("space"), marker_of(order)
    cost = paid(ctx.state, space, side, marker)
    statuses: list[Tree] = [{"unit": uid, "status": known} for uid, known in cost.statuses]
    left = ctx.state.ops.available - ctx.state.ops.spent - cost.points
    ctx.emit(
        "marker", "SS 7.25", by, order=str(order.index), side=side, space=space, marker=marker,
        cost=str(cost.points), left=str(left), supply=statuses,
    )
