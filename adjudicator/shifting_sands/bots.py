"""Lawful orders of chance, picked from what the rules list: the material of players that are programs.

Every order here comes out of a listing (cards in hand, spaces that may be activated, the reach of a unit, what may be
attacked, the ways to take losses, to retreat, to advance), so that `check` must find it lawful.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Ctx, Tree
from adjudicator.shifting_sands import bot_cards
from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.activation import ATTACK, MOVE, act, action_problems, mark, markable, marker_problems
from adjudicator.shifting_sands.advance import advances
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.bot_events import event_rows
from adjudicator.shifting_sands.bot_upkeep import mission_rows, order_of, place_rows, rd_rows, replacement_rows
from adjudicator.shifting_sands.capture import captures, flip_choices, restorable
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.designate import attack_problems, attackable
from adjudicator.shifting_sands.events import withdrawals
from adjudicator.shifting_sands.fight import opening_of
from adjudicator.shifting_sands.fire import DEFENDER, Combat, fighters
from adjudicator.shifting_sands.losses import Outcome, fulfilments, listing
from adjudicator.shifting_sands.movement import reach, walk
from adjudicator.shifting_sands.nations import group_of
from adjudicator.shifting_sands.orders import FATES, RETREAT_KEYS, WITHDRAW_KEYS
from adjudicator.shifting_sands.prospects import both_fires, numbers_of, under_way
from adjudicator.shifting_sands.relocate import relocations
from adjudicator.shifting_sands.retreat import holders, ways_back
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.wishes import PREFER

Row = dict[str, Tree]
CARD_SHARE, NO_ACTION_SHARE, MARK_AGAIN, MOVE_SHARE = 0.8, 0.05, 0.85, 0.7
OTHER_SHARE, OTHER_USES = 0.35, ("rd", "rp")
ATTACK_SHARE, MORE_ATTACKS, FLANK_SHARE, ROMMEL_SHARE = 0.8, 0.6, 0.5, 0.5
ASK_SHARE = 0.15
BOUND_SHARE, END_SHARE, SAY_SHARE, WAIT_SHARE, AHEAD_SHARE, ADVANCE_SHARE = 0.3, 0.3, 0.5, 0.25, 0.15, 0.7
CONDITION_SHARE = 0.25
DISTANCES = (1, 2)
TOPICS = ("losses", "hold", "retreat", "relocate")


def orders(
    state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
) -> list[Row]:
    """Orders for the choice that is waited for; a part of the round gets its section, any other choice an answer.

    ``written`` are the orders of the message so far.
    """
    makers: dict[str, Callable[[State, str, Chance], list[Row]]] = {
        "orders": round_orders,
        "react": reaction_orders,
        "cards": bot_cards.asked_rows,
        "followup": lambda state, side, chance: followup_orders(state, side, chance, written),
        "replacement": replacement_rows,
        "setup": lambda _state, _side, _chance: [],
    }
    maker = makers.get(ask.key.split("/")[0])
    if maker is not None:
        return into(maker(bot_cards.without(state, side, written), side, chance), written)
    atoms = list(ask.atoms())
    row = answer(state, ask, chance.pick(atoms)) if atoms else None
    return [row] if row is not None else []


def into(rows: list[Row], written: Sequence[Mapping[str, Tree]]) -> list[Row]:
    """A section as it may stand behind what is written: a name has one section, and only a reaction may go on in it."""
    heads = [row.get("name") for row in written if row.get("type") == "section"]
    if not rows or rows[0]["name"] not in heads:
        return rows
    return rows[1:] if rows[0]["name"] == heads[-1] == "reaction" else []


def answer(state: State, ask: Ask[Any], value: Any) -> Row | None:
    """The order ``answer`` that gives a listed value to a choice within a combat."""
    row: Row = {"type": "answer", "to": ask.key}
    kind, last = ask.key.split("/")[0], ask.key.split("/")[-1]
    if isinstance(value, Outcome):
        return {**row, "units": [*listing(value)]} if value.steps else None
    if kind == "hold":
        return {**row, "unit": value} if value else {**row, "say": "no"}
    if kind in ("replace", "relocate"):
        plain = kind == "replace" or value in state.world.spaces or value == "@replacement"
        return {**row, ("unit" if kind == "replace" else "place"): value} if plain else None
    if kind in ("captured", "overstack", "withdraw") or (kind == "retreat" and last == "order"):
        return {**row, "units": list(value)} if value else None
    return {**row, "path": list(value)} if kind == "retreat" else None


class Trial:
    """A copy of the position in which the orders picked so far are carried out, as far as they need no dice."""

    def __init__(self, state: State, side: str) -> None:
        self.side = side
        self.ctx: Ctx[State] = Ctx(state.copy(), apply)

    @property
    def state(self) -> State:
        """The position after the orders picked so far."""
        return self.ctx.state


# --- the round --------------------------------------------------------------------------------------------------


def round_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``round``: an action, markers, moves, attacks with what is bound to them."""
    trial = Trial(state, side)
    rows: list[Row] = [{"type": "section", "name": "round"}]
    rows += place_rows(trial.ctx, side, chance)
    if chance.likely(NO_ACTION_SHARE):
        return rows
    played = event_rows(trial.ctx, side, chance)
    rows += played or _action(trial, chance)
    if played and withdrawals.pending(trial.state)[0]:
        return rows
    rows += mission_rows(trial.state, side, chance)
    rows += rd_rows(trial.ctx, side, chance)
    rows += _markers(trial, chance)
    rows += _moves(trial, chance)
    rows += attack_orders(trial.state, side, chance)
    return rows


def _action(trial: Trial, chance: Chance) -> list[Row]:
    hand = trial.state.hands.get(trial.side, [])
    row: Row = {"type": "auto_op"}
    if hand and chance.likely(CARD_SHARE):
        card: Row = {"type": "play_card", "card": chance.pick(hand), "use": "ops"}
        other: Row = {**card, "use": chance.pick(OTHER_USES)} if chance.likely(OTHER_SHARE) else card
        row = card if action_problems(trial.state, trial.side, order_of(other)) else other
    act(trial.ctx, trial.side, order_of(row), ())
    return [row]


def _markers(trial: Trial, chance: Chance) -> list[Row]:
    """Move and Attack markers as long as the points reach; rather to attack where there is an enemy.

    A marker takes points and its space and changes nothing else, so what is listed once is only crossed off.
    """
    rows: list[Row] = []
    options = markable(trial.state, trial.side)
    beside = {place for place in options if _beside_enemy(trial.state, trial.side, place)}
    while options and chance.likely(MARK_AGAIN):
        near = [place for place in options if place in beside]
        place = chance.pick(near if near and chance.likely(0.5) else list(options))
        markers = [m for m in options.pop(place) if not marker_problems(trial.state, trial.side, place, m)]
        if not markers:
            continue
        marker = ATTACK if ATTACK in markers and place in near and chance.likely(0.7) else chance.pick(markers)
        row: Row = {"type": "move_marker" if marker == MOVE else "attack_marker", "space": place}
        mark(trial.ctx, trial.side, order_of(row), ())
        rows.append(row)
    return rows


def _beside_enemy(state: State, side: str, place: str) -> bool:
    return any(hostile(state, name, side) for name in state.world.neighbours(place))


def _moves(trial: Trial, chance: Chance) -> list[Row]:
    """Moves of activated units to spaces of their reach that have room; nobody ends too many."""
    state, rows = trial.state, list[Row]()
    units = [uid for place in sorted(state.markers) for uid in state.friends(place, trial.side)]
    for uid in chance.mixed([u for u in units if state.markers[state.pieces[u].at] == MOVE]):
        ends = reach(state, trial.side, uid) if chance.likely(MOVE_SHARE) else {}
        nation = state.counter(uid).nation
        able = [path for end, path in ends.items() if room(state, end, trial.side, nation) > 0]
        if not able:
            continue
        row: Row = {"type": "move", "unit": uid, "path": [*chance.pick(able)]}
        rows.append(row)
        for _town in captures(trial.side, walk(trial.ctx, trial.side, order_of(row), ())):
            rows += _captured(state, _town, chance)
    return rows


def _captured(state: State, town: str, chance: Chance) -> list[Row]:
    """Captured supply, told directly behind the order that takes the town (SS 13.9)."""
    if not restorable(state) or not chance.likely(SAY_SHARE):
        return []
    units = chance.pick(flip_choices(state, town))
    return [{"type": "captured_supply", "units": [*units]}] if units else []


# --- attacks ----------------------------------------------------------------------------------------------------


def attack_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """Attacks on spaces that may be attacked, no unit in two of them, and perhaps that the round ends with them."""
    rows: list[Row] = []
    options, used = attackable(state, side), set[str]()
    share = ATTACK_SHARE
    for target in chance.mixed(list(options)):
        able = [uid for uid in options[target] if uid not in used]
        led = any(other.get("rommel") == "yes" for other in rows)
        row = _attack(state, side, target, able, not led, chance) if able and chance.likely(share) else None
        if row is not None:
            row |= _condition(state, side, target, rows, chance)
            used.update(_units(row))
            spent = [str(other["card"]) for other in rows if other["type"] == "combat_card"]
            cards = bot_cards.attack_rows(state, side, row, _units(row), spent, chance)
            rows += [row, *cards, *_bound(state, side, target, _units(row), chance)]
            share = MORE_ATTACKS
    if rows and chance.likely(END_SHARE):
        rows.append({"type": "end_round"})
    return rows


def _condition(state: State, side: str, target: str, before: Sequence[Row], chance: Chance) -> Row:
    """A condition of an attack that does not stand first in the round."""
    attacks = [row for row in before if row["type"] == "attack"]
    if state.fight is not None or not attacks or not chance.likely(CONDITION_SHARE):
        return {}
    own = sorted(place for place in state.at if place in state.world.spaces and state.friends(place, side))
    conditions: list[Row] = [
        {"if_won": str(1 + chance.below(len(attacks)))}, {"if_vacated": [chance.pick(attacks)["target"]]},
        {"if_occupied": [chance.pick(own)]},
    ]
    return chance.pick(conditions)


def _units(row: Row) -> list[str]:
    units = row["units"]
    return [uid for uid in units if isinstance(uid, str)] if isinstance(units, list) else []


def _attack(
    state: State, side: str, target: str, able: Sequence[str], rommel: bool, chance: Chance
) -> Row | None:
    """One attack; units of several nationalities only where they may fight together (SS 11.18).

    ``rommel`` is False where he takes part in an attack of the same list.
    """
    force = chance.some(able, least=1)
    row: Row = {"type": "attack", "units": [*force], "target": target}
    if attack_problems(state, side, order_of(row)):
        nation = group_of(state.counter(force[0]).nation)
        row["units"] = [uid for uid in force if group_of(state.counter(uid).nation) == nation]
    for name, share in (("flank", FLANK_SHARE), ("rommel", ROMMEL_SHARE if rommel else 0.0)):
        if chance.likely(share) and not attack_problems(state, side, order_of({**row, name: "yes"})):
            row[name] = "yes"
    if row.get("flank") and chance.likely(ASK_SHARE):
        row["ask"] = "cards"
    return None if attack_problems(state, side, order_of(row)) else row


def _bound(state: State, side: str, target: str, units: Sequence[str], chance: Chance) -> list[Row]:
    """Losses and advances bound to an attack before its dice."""
    rows: list[Row] = []
    if chance.likely(BOUND_SHARE):
        losses: Row = {"type": "losses", chance.pick(("first", "keep")): [*chance.some(units, least=1)]}
        rows.append({**losses, **_losses_keys(state, units, chance)})
    for uid in units if chance.likely(BOUND_SHARE) else ():
        path = [state.pieces[uid].at, target]
        row: Row = {"type": "advance", "unit": uid, "path": [*path]}
        if chance.likely(BOUND_SHARE):
            row["if"] = [*chance.some(FATES, least=1, most=2)]
        rows.append(row)
    return rows[:1] if chance.likely(0.5) else rows


# --- the defender's stop ----------------------------------------------------------------------------------------


def reaction_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``reaction`` for the combat under way: losses, hold, retreats, relocations, or waits for them.

    A later combat is named by its number, since the message may speak of the one before as well.
    """
    rows: list[Row] = [{"type": "section", "name": "reaction"}]
    combat = under_way(state)
    if combat is None:
        return rows
    rows += bot_cards.reaction_rows(state, combat, chance)
    for topic in TOPICS:
        if chance.likely(WAIT_SHARE):
            rows.append({"type": "wait", "topic": topic})
    makers = (_losses, _hold, _retreats, _relocations)
    for maker in makers:
        if chance.likely(SAY_SHARE):
            rows += maker(state, combat, chance)
    if combat.number > 1 or chance.likely(SAY_SHARE):
        number = str(combat.number)
        rows = [rows[0], *(row if row["type"] == "answer" else {**row, "combat": number} for row in rows[1:])]
    if chance.likely(AHEAD_SHARE):
        own = [uid for uid in state.side_units(side) if state.on_map(uid)]
        ahead: Row = {"type": "losses", "first": [*chance.some(own, least=1, most=3)]}
        rows.append({**ahead, "combat": str(combat.number + 1)})
    return rows


def _losses(state: State, combat: Combat, chance: Chance) -> list[Row]:
    """Steps for one of the numbers that the attackers' fire can come to."""
    numbers = numbers_of(state, both_fires(state, combat)["attacker"])
    number = chance.pick(numbers)
    outcomes = fulfilments(state, fighters(state, combat, DEFENDER), number)
    steps = listing(chance.pick(outcomes))
    return [{"type": "losses", "steps": [*steps]}] if steps else []


def _hold(state: State, combat: Combat, chance: Chance) -> list[Row]:
    payers = holders(state, combat)
    return [{"type": "hold", "unit": chance.pick(payers)}] if payers else []


def _retreats(state: State, combat: Combat, chance: Chance) -> list[Row]:
    """A path of each length for some of the units."""
    rows: list[Row] = []
    for uid in chance.some(fighters(state, combat, DEFENDER)):
        for distance in DISTANCES:
            paths = ways_back(state, combat, uid, distance)
            if paths:
                path = chance.pick(paths)
                way: Row = {"path": [*path]} if chance.likely(0.7) else {"to": [path[-1]]}
                rows.append({"type": "retreat", "unit": uid, **way})
    return rows


def _relocations(state: State, combat: Combat, chance: Chance) -> list[Row]:
    rows: list[Row] = []
    for uid in chance.some(fighters(state, combat, DEFENDER)):
        places = [name for name in relocations(state, uid, combat.target) if name in state.world.spaces]
        if places:
            rows.append({"type": "relocate", "unit": uid, "to": chance.pick([*places, "@replacement"])})
    return rows


# --- what the attacker does next --------------------------------------------------------------------------------


def followup_orders(
    state: State, side: str, chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
) -> list[Row]:
    """The section ``followup``: advances, then more attacks, or the end. Who advances already is left alone."""
    rows: list[Row] = [{"type": "section", "name": "followup"}]
    trial, fight = Trial(state, side), state.fight
    if fight is not None:
        opening = opening_of(state, fight)
        going = {row.get("unit") for row in written if row.get("type") == "advance"}
        for uid in chance.mixed([u for u in fight.combat.attackers if state.on_map(u) and u not in going]):
            paths = advances(trial.state, opening, uid) if chance.likely(ADVANCE_SHARE) else []
            if paths:
                rows += _advance(trial, uid, chance.pick(paths), chance)
    return rows + attack_orders(trial.state, side, chance)


def _advance(trial: Trial, uid: str, path: Sequence[str], chance: Chance) -> list[Row]:
    rows: list[Row] = [{"type": "advance", "unit": uid, "path": [*path]}]
    trial.ctx.emit("advance", "SS 11.6", unit=uid, path=[*path])
    for town in captures(trial.side, take(trial.ctx, trial.side, path[1:], "SS 11.67")):
        rows += _captured(trial.state, town, chance)
    return rows


# --- standing orders --------------------------------------------------------------------------------------------


def standing(state: State, side: str, chance: Chance, topic: str = "") -> list[Row]:
    """One standing order of chance."""
    makers: dict[str, Callable[[State, str, Chance], Tree]] = {
        "cards": bot_cards.standing_rules,
        "losses": _losses_rules,
        "hold": _hold_rules,
        "retreat": _retreat_rules,
        "relocate": _relocate_rules,
        "flip": _flip_rules,
        "withdraw": _withdraw_rules,
    }
    topic = topic or chance.pick(sorted(makers))
    return [{"type": "standing", "topic": topic, "rules": makers[topic](state, side, chance)}]


def _losses_rules(state: State, side: str, chance: Chance) -> Tree:
    own = [uid for uid in state.side_units(side) if state.on_map(uid)]
    if not own or chance.likely(0.3):
        return chance.pick(("default", "auto", "ask"))
    first, keep = chance.some(own, least=1, most=4), chance.some(own, most=2)
    return [{"first": [*first], **({"keep": [*keep]} if keep else {}), **_losses_keys(state, own, chance)}]


def _losses_keys(state: State, own: Sequence[str], chance: Chance) -> Row:
    """Keys by which losses go after the units that are named."""
    nations = sorted({state.counter(uid).nation for uid in own})
    groups = [uid for uid in own if not state.counter(uid).division] or list(own)
    keys: Row = {
        "prefer": [*chance.some(PREFER, least=1)], "nations": [*chance.some(nations, least=1)],
        "replace": [*chance.some(groups, least=1, most=3)],
    }
    return {name: value for name, value in keys.items() if chance.likely(0.3)}


def _retreat_rules(state: State, side: str, chance: Chance) -> Tree:
    if chance.likely(0.3):
        return chance.pick(("default", "auto", "ask"))
    own = sorted(name for name in state.world.spaces if state.owner(name) == side)
    units = [uid for uid in state.side_units(side) if state.on_map(uid)] or [""]
    keys: Row = {
        "prefer": [*chance.some(RETREAT_KEYS, least=1)], "near": [*chance.some(own, least=1, most=2)],
        "order": [*chance.some(units, least=1, most=3)], "unit": [*chance.some(units, least=1, most=9)],
    }
    more = {name: value for name, value in keys.items() if units[0] and chance.likely(0.3)}
    return [{"space": "any", "to": [*chance.some(own, least=1, most=5)], **more}]


def _hold_rules(state: State, side: str, chance: Chance) -> Tree:
    if chance.likely(0.6):
        return chance.pick(("always", "never", "default", "auto", "ask"))
    clause: Row = {"difference": str(1 + chance.below(2))} if chance.likely(0.5) else {"steps": str(chance.below(3))}
    own = [uid for uid in state.side_units(side) if state.on_map(uid)]
    return [{**clause, **({"unit": chance.pick(own)} if own and chance.likely(0.5) else {})}]


def _flip_rules(state: State, side: str, chance: Chance) -> Tree:
    own = [uid for uid in state.side_units(side) if state.on_map(uid)]
    if not own or chance.likely(0.4):
        return chance.pick(("none", "default", "auto", "ask"))
    return [{"units": [*chance.some(own, least=1, most=6)]}]


def _withdraw_rules(state: State, side: str, chance: Chance) -> Tree:
    own = [uid for uid in state.side_units(side) if state.on_map(uid)]
    if not own or chance.likely(0.4):
        return chance.pick(("default", "auto", "ask"))
    keys: Row = {"keep": [*chance.some(own, most=3)], "prefer": [*chance.some(WITHDRAW_KEYS, least=1)]}
    more = {name: value for name, value in keys.items() if value and chance.likely(0.5)}
    return [{"first": [*chance.some(own, least=1, most=4)], **more}]


def _relocate_rules(state: State, side: str, chance: Chance) -> Tree:
    if chance.likely(0.3):
        return chance.pick(("eliminate", "default", "auto", "ask"))
    own = sorted(name for name in state.world.spaces if state.owner(name) == side)
    return [{"to": [*chance.some([*own, "@replacement"], least=1, most=5)]}]
