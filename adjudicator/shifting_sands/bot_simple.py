"""Orders with simple aims, for the player that is called simple: bring in what the cards bring, keep Torch for its day,
attack at good odds, go where points are to be had and stay in supply, leave nobody's points unguarded.

Like those of chance (bots.py), every order comes out of a listing and is rehearsed before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Ctx, Tree
from adjudicator.shifting_sands import bot_cards, named
from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.activation import ATTACK, MOVE, act, action_problems, mark, markable, marker_problems
from adjudicator.shifting_sands.advance import advances
from adjudicator.shifting_sands.bot_events import able_rows, play_row
from adjudicator.shifting_sands.bot_upkeep import (
    mission_rows,
    order_of,
    place_rows,
    rd_rows,
    rebuilding_rows,
    take_rows,
)
from adjudicator.shifting_sands.bots import Trial, into
from adjudicator.shifting_sands.designate import attack_problems, attackable
from adjudicator.shifting_sands.events import withdrawals
from adjudicator.shifting_sands.fight import opening_of
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat
from adjudicator.shifting_sands.losses import REPLACEMENT
from adjudicator.shifting_sands.movement import reach, walk
from adjudicator.shifting_sands.nations import ENEMY, group_of
from adjudicator.shifting_sands.played import card_title
from adjudicator.shifting_sands.prospects import both_fires, losses_by_die, would_be
from adjudicator.shifting_sands.relocate import links_from
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, supply
from adjudicator.shifting_sands.victory import EAST_AFRICA
from adjudicator.shifting_sands.world import text

Row = dict[str, Tree]
EVENT_SHARE, POINTS_SHARE = 0.6, 0.5
GOOD = Fraction(1)
"""How many more losses than the attacker the defender must have on the average for an attack to be made."""
HOLDING = {"axis": EAST_AFRICA}
"""Where a side only holds what it has: to the Italians there nothing comes from home."""
RUINS = 2
"""The units in the replacement box from which a card goes for points."""
FAR = 99


def simple_orders(
    state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
) -> list[Row]:
    """Orders for a part of the round or the turn; any other choice is left to the default."""
    makers: dict[str, Callable[[State, str, Chance], list[Row]]] = {
        "orders": _round, "cards": bot_cards.asked_rows, "followup": _after, "replacement": _upkeep,
    }
    maker = makers.get(ask.key.split("/")[0])
    return into(maker(bot_cards.without(state, side, written), side, chance), written) if maker is not None else []


def _round(state: State, side: str, chance: Chance) -> list[Row]:
    """A card, then markers for the best attacks and for moves towards what is to be won."""
    trial = Trial(state, side)
    rows: list[Row] = [{"type": "section", "name": "round"}, *place_rows(trial.ctx, side, chance)]
    played = _event(trial.ctx, side, chance)
    rows += played or _operation(trial, chance)
    if played and withdrawals.pending(trial.state)[0]:
        return rows
    rows += mission_rows(trial.state, side, chance)
    rows += rd_rows(trial.ctx, side, chance)
    rows += _attack_marks(trial) + _move_marks(trial)
    rows += _moves(trial)
    attacks = _attacks(trial.state, side)
    return [*rows, *attacks, {"type": "end_round"}] if attacks else rows


# --- cards ------------------------------------------------------------------------------------------------------


def _event(ctx: Ctx[State], side: str, chance: Chance) -> list[Row]:
    """Torch as soon as it may be played, else often an event of the hand."""
    able = able_rows(ctx.state, side)
    torch = [row for row in able if card_title(ctx.state.world, str(row["card"])) == named.TORCH]
    if torch:
        return play_row(ctx, side, torch[0], chance)
    return play_row(ctx, side, chance.pick(able), chance) if able and chance.likely(EVENT_SHARE) else []


def _operation(trial: Trial, chance: Chance) -> list[Row]:
    """The card with the most points, for replacements where many units lie ruined; the automatic operation without."""
    state, side = trial.state, trial.side
    hand = [card for card in state.hands.get(side, []) if card_title(state.world, card) != named.TORCH]
    card = max(hand, key=lambda card: int(text(state.world.cards[card], "ops")), default="")
    use = "rp" if len(state.in_box(REPLACEMENT, side)) >= RUINS and chance.likely(POINTS_SHARE) else "ops"
    told: list[Row] = [{"type": "play_card", "card": card, "use": one} for one in (use, "ops")] if card else []
    able = [row for row in told if not action_problems(state, side, order_of(row))]
    row: Row = able[0] if able else {"type": "auto_op"}
    act(trial.ctx, side, order_of(row), ())
    return [row]


# --- attacks ----------------------------------------------------------------------------------------------------


def gain(state: State, combat: Combat) -> Fraction:
    """How many steps the defender loses more than the attacker, on the average."""
    fires = both_fires(state, combat)
    mean = {role: _mean(number for number, _bold in losses_by_die(state, fires[role]).values()) for role in fires}
    return mean[ATTACKER] - mean[DEFENDER]


def _mean(numbers: Iterable[int]) -> Fraction:
    listed = list(numbers)
    return Fraction(sum(listed), len(listed))


def _best(state: State, side: str) -> list[tuple[Fraction, str, list[str]]]:
    """The lawful attacks of activated units that are worth it, the best one first: gain, target, units."""
    found = []
    for target, units in sorted(attackable(state, side).items()):
        for nation in sorted({group_of(state.counter(uid).nation) for uid in units}):
            force = [uid for uid in units if group_of(state.counter(uid).nation) == nation]
            row: Row = {"type": "attack", "units": [*force], "target": target}
            if not attack_problems(state, side, order_of(row)):
                found.append((gain(state, would_be(state, side, force, target)), target, force))
    return sorted((one for one in found if one[0] >= GOOD), key=lambda one: (-one[0], one[1:]))


def _attack_marks(trial: Trial) -> list[Row]:
    """Markers for the best attacks, as far as the points reach."""
    state, side, rows = trial.state, trial.side, list[Row]()
    dreamt = state.copy()
    able = [place for place, kinds in markable(state, side).items() if ATTACK in kinds]
    dreamt.markers = {place: ATTACK for place in able if not _holds(state, side, place)}
    for _gain, _target, units in _best(dreamt, side):
        for place in sorted({state.pieces[uid].at for uid in units} - state.markers.keys()):
            rows += _marked(trial, place, ATTACK)
    return rows


def _marked(trial: Trial, place: str, marker: str) -> list[Row]:
    """A marker, if it may be placed."""
    if marker_problems(trial.state, trial.side, place, marker):
        return []
    row: Row = {"type": "move_marker" if marker == MOVE else "attack_marker", "space": place}
    mark(trial.ctx, trial.side, order_of(row), ())
    return [row]


def _attacks(state: State, side: str) -> list[Row]:
    """The attacks that are still worth it; no unit in two of them, who wins goes in."""
    rows, used = list[Row](), set[str]()
    for _gain, target, units in _best(state, side):
        force = [uid for uid in units if uid not in used]
        if force == units:
            used.update(force)
            rows.append({"type": "attack", "units": [*force], "target": target})
    return rows


# --- moves ------------------------------------------------------------------------------------------------------


def distances(state: State, side: str) -> dict[str, int]:
    """How far every space is from the next space that is worth points and the enemy's, over any line."""
    enemy = ENEMY[side]
    aims = [name for name, space in state.world.spaces.items() if space.vp and state.owner(name) == enemy]
    return links_from(state, *aims)


def _wanted(state: State, side: str, uid: str, far: Mapping[str, int]) -> list[str]:
    """The path of a unit to the space of its reach that is nearest to an aim, in supply and with room; none for []."""
    start = state.pieces[uid].at
    ends = [(far.get(end, FAR), end, path) for end, path in reach(state, side, uid).items() if end != start]
    for distance, end, path in sorted(ends):
        if distance >= far.get(start, FAR):
            break
        fits = room(state, end, side, state.counter(uid).nation) > 0
        if fits and supply(state, uid, where=end, owned=path).status != OUT:
            return [*path]
    return []


def _holds(state: State, side: str, place: str) -> bool:
    return side in HOLDING and state.world.in_region(place, HOLDING[side])


def _guards(state: State, side: str, place: str) -> bool:
    """Whether the last unit must stay: points, a source of supply, or an enemy who would walk in."""
    space = state.world.spaces[place]
    return space.vp or bool(space.sources) or any(hostile(state, name, side) for name in state.world.neighbours(place))


def _goers(state: State, side: str, place: str) -> list[str]:
    """Who may leave a space."""
    if _holds(state, side, place):
        return []
    units = [uid for uid in state.friends(place, side) if state.active_unit(uid)]
    return units[1:] if _guards(state, side, place) else units


def _move_marks(trial: Trial) -> list[Row]:
    """Markers where most units come nearer to an aim."""
    state, side, rows = trial.state, trial.side, list[Row]()
    far, worth = distances(state, side), dict[str, int]()
    for place, kinds in markable(state, side).items():
        dreamt = state.copy()
        dreamt.markers[place] = MOVE
        goers = _goers(state, side, place) if MOVE in kinds else []
        worth[place] = sum(bool(_wanted(dreamt, side, uid, far)) for uid in goers)
    for place in sorted((one for one in worth if worth[one]), key=lambda one: (-worth[one], one)):
        rows += _marked(trial, place, MOVE)
    return rows


def _moves(trial: Trial) -> list[Row]:
    """The moves behind the markers."""
    state, side, rows = trial.state, trial.side, list[Row]()
    far = distances(state, side)
    for place in sorted(place for place, marker in state.markers.items() if marker == MOVE):
        for uid in _goers(state, side, place):
            path = _wanted(state, side, uid, far)
            if path:
                row: Row = {"type": "move", "unit": uid, "path": [*path]}
                walk(trial.ctx, side, order_of(row), ())
                rows.append(row)
    return rows


# --- after a combat, between the turns ----------------------------------------------------------------------------


def _after(state: State, side: str, _chance: Chance) -> list[Row]:
    """Who has won goes in, as many as there is room for; no second attack."""
    rows: list[Row] = [{"type": "section", "name": "followup"}]
    fight, trial = state.fight, Trial(state, side)
    for uid in fight.combat.attackers if fight is not None else ():
        assert fight is not None
        opening = opening_of(state, fight)
        paths = advances(trial.state, opening, uid) if uid in state.pieces and state.on_map(uid) else []
        way = next((path for path in paths if path[-1] == fight.combat.target), None)
        if way is not None and room(trial.state, way[-1], side, state.counter(uid).nation) > 0:
            rows.append({"type": "advance", "unit": uid, "path": [*way]})
            trial.ctx.emit("advance", "SS 11.6", unit=uid, path=[*way])
    return rows


def _upkeep(state: State, side: str, chance: Chance) -> list[Row]:
    """Good losses, throw away all cards but Torch for new ones, take what may be taken by name."""
    rows: list[Row] = [{"type": "section", "name": "replacement"}, *rebuilding_rows(state, side, chance)]
    hand = [card for card in state.hands.get(side, []) if card_title(state.world, card) != named.TORCH]
    told: list[Row] = [{"type": "discard", "cards": [*hand]}] if hand else []
    told += take_rows(state, side)
    return [*rows, {"type": "section", "name": "discard"}, *told] if told else rows
