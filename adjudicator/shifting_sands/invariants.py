"""What must hold of every state between two choices, and that listing and checking agree: for those who watch play.

Each line says what is wrong. A sound game gives none; whoever finds one has found a fault of the rules.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask
from adjudicator.shifting_sands.access import entry
from adjudicator.shifting_sands.activation import MARKERS, MOST_MARKERS, markable, marker_problems
from adjudicator.shifting_sands.advance import advance_problems, advances
from adjudicator.shifting_sands.cards import epoch_of, is_handle
from adjudicator.shifting_sands.designate import attackable, unit_problems
from adjudicator.shifting_sands.drawing import HAND_BY_YEAR, WINTERS, of_year
from adjudicator.shifting_sands.events.placing import by_event
from adjudicator.shifting_sands.extras import may_have_come
from adjudicator.shifting_sands.fight import opening_of
from adjudicator.shifting_sands.fire import DEFENDER, fighters
from adjudicator.shifting_sands.movement import move_problems, reach
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.played import ends_apart
from adjudicator.shifting_sands.position import ZONES, first_state, position, restore
from adjudicator.shifting_sands.prospects import under_way
from adjudicator.shifting_sands.replacement import POOLS, half
from adjudicator.shifting_sands.retreat import path_problems, ways_back
from adjudicator.shifting_sands.stacking import overstacked
from adjudicator.shifting_sands.state import ROUNDS, State, turn_number
from adjudicator.shifting_sands.world import BOXES, rows, text

PHASES = ("action", "attrition", "victory", "replacement", "over")
"""The phases of a turn in their order; cards are drawn with the replacements (SS 5)."""
SAMPLE = 4
LONGEST = 6
Found = Iterator[str]


def faults(state: State, before: State | None = None) -> list[str]:
    """Everything that is wrong with a state; ``before`` is an earlier one of the same game."""
    if state.phase == "setup":
        return []
    checks: tuple[Callable[[State], Found], ...] = (
        _cursor, _index, _units, _ground, _stacks, _control, _points, _cards, _round_trip,
    )
    found = [line for check in checks for line in check(state)]
    return [*found, *(_drift(before, state) if before is not None and before.phase != "setup" else ())]


def _cursor(state: State) -> Found:
    if state.active not in SIDES or not 1 <= state.round <= ROUNDS:
        yield f"round {state.round} of {state.active}"
    if state.rd_left is not None and state.rd_left < 0:
        yield f"{state.rd_left} points of redeployment are left"
    for pool, points in state.rp.items():
        if pool not in POOLS or half(points) <= 0:
            yield f"{pool} has {points} replacement points"
    if state.ops.spent > state.ops.available or len(state.markers) > MOST_MARKERS:
        yield f"{state.ops.spent} of {state.ops.available} points spent on {len(state.markers)} markers"
    for side in SIDES:
        done = sorted(state.history.get(side, {}))
        acted = side == state.active or state.active == "allied" or state.phase != "action"
        last = state.round if acted else state.round - 1
        if done != list(range(1, len(done) + 1)) or len(done) > last:
            yield f"{side} has acted in the rounds {done} of {state.round}"


def _index(state: State) -> Found:
    """What is kept beside the units must be what the units say."""
    at: dict[str, list[str]] = {}
    for uid in sorted(state.pieces):
        at.setdefault(state.pieces[uid].at, []).append(uid)
    for place in sorted(at.keys() | state.at.keys()):
        if at.get(place) != state.at.get(place):
            yield f"{place}: the index has {state.at.get(place)}, the units say {at.get(place)}"


def _units(state: State) -> Found:
    """Each unit of the set-up in exactly one place, none made but by what may bring it."""
    begun = {text(row, "unit") for row in rows(state.world.scenario, "units")}
    for uid in sorted(state.pieces.keys() ^ begun):
        if uid in begun and uid not in state.upgrades:
            yield f"{uid} was lost from the game"
        elif uid not in begun and not may_have_come(state, uid) and not by_event(state, uid):
            yield f"{uid} was added to the game"
    for uid in sorted(state.pieces):
        piece = state.pieces[uid]
        if piece.at not in state.world.spaces and piece.at not in BOXES:
            yield f"{uid} is in {piece.at}, which is no place"
        if piece.reduced and piece.at in ("@replacement", "@eliminated"):
            yield f"{uid} is reduced in {piece.at}"
        if piece.joined and not (piece.moved and state.counter(uid).armor):
            yield f"{uid} joined an attack and is no armor that moved"


def _ground(state: State) -> Found:
    """No unit where none may be, none beside an enemy."""
    for place in sorted(name for name in state.at if name in state.world.spaces):
        here = state.at[place]
        if all(state.friends(place, side) for side in SIDES):
            yield f"{place} holds units of both sides: {', '.join(here)}"
        for uid in here:
            problem = entry(state, state.counter(uid), place)
            if problem is not None and not _began_there(state, uid, place):
                yield f"{uid} stands in {place}: {problem.text}"


def _began_there(state: State, uid: str, place: str) -> bool:
    """A unit may be set up where it could not go."""
    return any(text(row, "unit") == uid and text(row, "at") == place for row in rows(state.world.scenario, "units"))


def _stacks(state: State) -> Found:
    """Stacking is judged at the end of movement, and no choice is waited for within it (SS 8.2)."""
    for side in SIDES:
        for place in overstacked(state, side):
            yield f"{place} holds too many {side} units: {', '.join(state.friends(place, side))}"


def _control(state: State) -> Found:
    """A space with units that may fight is their side's (SS 3)."""
    for place in sorted(name for name in state.at if name in state.world.spaces):
        if state.world.spaces[place].box:
            continue
        for side in SIDES:
            active = [uid for uid in state.friends(place, side) if state.active_unit(uid)]
            if active and state.owner(place) != side:
                yield f"{place} holds {', '.join(active)} and is controlled by {state.owner(place) or 'nobody'}"
    for place in sorted(state.control):
        if state.control[place] not in SIDES or place not in state.world.spaces:
            yield f"{place} is controlled by {state.control[place]}"


def _points(state: State) -> Found:
    """The VP marker stands where the spaces that changed hands since the set-up put it (SS 16)."""
    start = first_state(state.world)
    for row in rows(state.world.scenario, "control"):
        start.control[text(row, "space")] = text(row, "side")
    spaces = [name for name, space in state.world.spaces.items() if space.vp]
    gained = sum((state.owner(name) == "axis") - (start.owner(name) == "axis") for name in spaces)
    wanted = int(text(state.world.scenario, "vp")) + gained + state.awarded
    if state.vp != wanted:
        yield f"the VP marker stands at {state.vp}, the spaces say {wanted}"


def _cards(state: State) -> Found:
    """Every card of the years that have come in exactly one zone of its own side, by id or by handle (SS 4.3)."""
    for side in SIDES:
        listed = Tally(chain.from_iterable(getattr(state, zone).get(side, []) for zone in ZONES))
        yield from (f"{card} is {count} times among the {side} cards" for card, count in listed.items() if count > 1)
        mine = {card for card, row in state.world.cards.items() if text(row, "side") == side}
        for card in sorted(card for card in listed if card not in mine and not (state.hidden and is_handle(card))):
            yield f"{card} is no {side} card"
        come = [card for year in _years_come(state, side) for card in of_year(state, side, year)]
        if not state.hidden:
            yield from (f"{card} of {side} is nowhere" for card in sorted(set(come) - listed.keys()))
        elif listed.total() != len(come):
            yield f"{side} has {listed.total()} cards in all its zones, {len(come)} have come in"
        if len({epoch_of(card) for card in state.piles.get(side, []) if is_handle(card)}) > 1:
            yield f"the draw pile of {side} holds cards of several epochs"
        if len(state.hands.get(side, [])) > max(HAND_BY_YEAR.values()):
            yield f"{side} holds {len(state.hands[side])} cards"


def _years_come(state: State, side: str) -> list[str]:
    """The years whose cards a side has: those of the scenario, and what winter brought (SS 7.71, 7.72). At the end of
    a turn the Axis draws before the Allies do.
    """
    ahead = side == "axis" and state.step == "replacement" and state.active != side
    begun = [text(row, "year") for row in rows(state.world.scenario, "years")]
    winters = {turn_number(season): year for season, (year, _rule) in WINTERS.items() if year}
    first = turn_number(text(state.world.scenario, "turn"))
    last = state.turn + ahead
    return [*begun, *(year for turn, year in winters.items() if first < turn <= last and year not in begun)]


def _round_trip(state: State) -> Found:
    """A position holds all of the state (PROTOCOL 4.7)."""
    tree = position(state)
    back = restore(state.world, tree)
    if position(back) != tree:
        yield "the position of a restored state is another one"
    for name in state.__dataclass_fields__:
        if name not in ("world", "fight") and _filled(getattr(back, name)) != _filled(getattr(state, name)):
            yield f"the position loses or changes {name}"


def _filled(value: Any) -> Any:
    """A value without parts that say nothing."""
    if not isinstance(value, dict):
        return value
    return {key: part for key, part in value.items() if part not in ({}, [], set(), "")}


def _moment(state: State) -> tuple[int, int, int, bool]:
    """Where a state stands in the sequence of play, as a figure that only grows (SS 5, 6.11)."""
    number = PHASES.index(state.phase)
    within = (state.round, state.active == "allied") if not number else (0, state.active == "allied")
    return (state.turn, number, *(within if state.phase in ("action", "replacement") else (0, False)))


def _drift(before: State, state: State) -> Found:
    """What can only go one way in this version: time runs on, who is lost for good stays lost."""
    if _moment(state) < _moment(before):
        yield f"round {before.round} of {before.active} was followed by {state.round} of {state.active}"
    for uid in sorted(before.pieces.keys() & state.pieces.keys()):
        if before.pieces[uid].at == "@eliminated" != state.pieces[uid].at:
            yield f"{uid} was lost for good and is in {state.pieces[uid].at}"
        back = before.pieces[uid].at == "@replacement" and state.pieces[uid].at not in ("@replacement", "@eliminated")
        if back and before.turn == state.turn and state.phase not in ("replacement", "over"):
            yield f"{uid} came out of the replacement box to {state.pieces[uid].at}"


# --- listing and checking ---------------------------------------------------------------------------------------


def disagreements(state: State, side: str, ask: Ask[Any], chance: Chance) -> list[str]:
    """Orders of chance on which listing and checking disagree."""
    kind = ask.key.split("/")[0]
    checks: dict[str, Callable[[State, str, Chance], Found]] = {
        "orders": _markings, "react": _ways_back, "followup": _advances,
    }
    return list(checks[kind](state, side, chance)) if kind in checks else []


def _markings(state: State, side: str, chance: Chance) -> Found:
    """Before the round: markers as listed, and the reach and targets of units as if all were marked."""
    options = markable(state, side)
    for place in chance.some(sorted(state.world.spaces), least=SAMPLE, most=SAMPLE):
        for marker in MARKERS:
            if (marker in options.get(place, [])) == bool(marker_problems(state, side, place, marker)):
                yield f"{marker} marker in {place}: listed and checked differ"
    for uid in chance.some(_standing(state, side), least=SAMPLE, most=SAMPLE):
        yield from _marked(state, side, uid, chance)


def _standing(state: State, side: str) -> list[str]:
    return [uid for uid in state.side_units(side) if state.on_map(uid) and state.active_unit(uid)]


def _marked(state: State, side: str, uid: str, chance: Chance) -> Found:
    trial = state.copy()
    place = trial.pieces[uid].at
    trial.markers[place] = "move"
    ends = reach(trial, side, uid)
    for path in [_stroll(trial, place, chance) for _ in range(SAMPLE)]:
        lawful = not move_problems(trial, side, uid, path)
        if lawful and path[-1] != place and path[-1] not in ends:
            yield f"{uid} may walk {' - '.join(path)}, its end is not listed"
    for path in ends.values():
        if move_problems(trial, side, uid, path):
            yield f"{uid}: {' - '.join(path)} is listed and unlawful"
    trial.markers[place] = "attack"
    targets = attackable(trial, side)
    for name in (*trial.world.neighbours(place), place):
        fits = bool(trial.enemies(name, side)) and not unit_problems(trial, side, uid, name)
        fits = fits and any(trial.active_unit(enemy) for enemy in trial.enemies(name, side))
        if fits != (uid in targets.get(name, [])):
            yield f"{uid} against {name}: listed and checked differ"


def _stroll(state: State, start: str, chance: Chance) -> list[str]:
    """Any way over lines, lawful or not."""
    path = [start]
    for _ in range(1 + chance.below(LONGEST)):
        path.append(chance.pick(state.world.neighbours(path[-1]) or [start]))
    return path


def _ways_back(state: State, _side: str, chance: Chance) -> Found:
    """A way back is listed if and only if nothing is wrong with it (SS 11.55)."""
    combat = under_way(state)
    apart = combat is not None and ends_apart(state.world, combat.cards)
    for uid in fighters(state, combat, DEFENDER) if combat is not None else ():
        assert combat is not None
        for distance in (1, 2):
            paths = ways_back(state, combat, uid, distance)
            strolls = [tuple(_stroll(state, combat.target, chance)[: distance + 1]) for _ in range(SAMPLE)]
            for path in [*paths, *strolls] if paths else ():
                if (path in paths) == bool(path_problems(state, uid, paths, path, apart)):
                    yield f"{uid} back by {' - '.join(path)}: listed {path in paths}, checked otherwise"


def _advances(state: State, _side: str, chance: Chance) -> Found:
    """Every lawful advance ends where one is listed (SS 11.6)."""
    fight = state.fight
    if fight is None:
        return
    opening = opening_of(state, fight)
    for uid in [u for u in fight.combat.attackers if state.on_map(u)]:
        listed = advances(state, opening, uid)
        yield from _unlisted(state, opening, uid, listed, chance)
        for path in listed:
            if advance_problems(state, opening, uid, path):
                yield f"{uid}: advance {' - '.join(path)} is listed and unlawful"


def _unlisted(state: State, opening: Any, uid: str, listed: Sequence[Sequence[str]], chance: Chance) -> Found:
    ends = {path[-1] for path in listed}
    for path in [_stroll(state, state.pieces[uid].at, chance) for _ in range(SAMPLE)]:
        if path[-1] not in ends and path[-1] != path[0] and not advance_problems(state, opening, uid, path):
            yield f"{uid} may advance {' - '.join(path)}, its end is not listed"
