"""An air phase to measure on: forty missions through thirty patrol zones, with the reaction and all that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bench_games import REGULAR, SIDE, BenchError, Turn, regular_turn

from adjudicator.engine.core import Order
from adjudicator.engine.driver import Checkpoint, Run
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import Craft, craft_of
from adjudicator.western_desert.air.facts import base_hexes
from adjudicator.western_desert.air.patrol import known_path
from adjudicator.western_desert.air.plans import judged, plans_of
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.state import ENEMY, Air, State

FRONT = "19/0526"
FIELDS = 14
"""Airfields that either side has near the front besides its own."""
KINDS = ("bomb_air", "bomb_airbase", "harass", "ground_support")
"""What is flown, in turn, as far as it is lawful."""


def afresh(turn: Turn) -> Run[Any]:
    """Adjudicate a turn, no way of a flight known beforehand."""
    known_path.cache_clear()
    return turn.run()


def air_phase(missions: int, zones: int) -> Turn:
    """So many missions over hexes near the front, and so many enemy fighters at the bases around it."""
    table, state = regular_turn()
    state.phase = state.step = "air"
    put_in(state, missions, zones)
    rows = [("section", {"name": "air"}), *flights(state, missions)]
    orders = tuple(Order(number, kind, data) for number, (kind, data) in enumerate(rows))
    made = Turn(table, Checkpoint(state, REGULAR - 1, REGULAR - 1, ()), orders, 0, 0)
    problems = made.run().problems
    if problems:
        raise BenchError(f"an order of the benchmark is unlawful: {problems[0].text}")
    return made


def put_in(state: State, missions: int, zones: int) -> None:
    """Air units for so many missions, and so many fighters of the enemy, at the bases around the front."""
    state.air.clear()
    front = state.board.find(FRONT)
    _spread(state, ENEMY[SIDE], front, lambda craft: craft.fighter, zones)
    _spread(state, SIDE, front, lambda craft: not (craft.transport or craft.glider), missions)


def flights(state: State, missions: int) -> list[tuple[str, dict[str, Any]]]:
    """So many lawful missions. Raises BenchError where the position has fewer."""
    rows = [(order.type, dict(order.data)) for order in _missions(state, missions)]
    if len(rows) < missions:
        raise BenchError(f"{len(rows)} of {missions} missions are lawful in this position")
    return rows


def _spread(state: State, side: str, front: int, wanted: Callable[[Craft], bool], count: int) -> None:
    """Put air units of a side at its bases, the nearest to the front first, as many to each as may take off there."""
    ids = [aid for aid in sorted(state.world.air) if craft_of(state.world, aid).side == side]
    crafts: list[Craft] = [craft_of(state.world, aid) for aid in ids]
    able = [craft.id for craft in sorted(crafts, key=lambda craft: -craft.movement) if wanted(craft)]
    able += _more(state, able, count - len(able))
    near = sorted(state.board.land, key=lambda h: (hexes.distance(h, front), h))
    near = [h for h in near if state.owner(h) == side and state.board.terrain(h) == "clear"]
    state.airfields.update(dict.fromkeys(near[:FIELDS], side))
    places = sorted(base_hexes(state, side), key=lambda h: (hexes.distance(h, front), h))
    seats = [h for h in places for _ in range(base_capacity(state, h))]
    for aid, h in zip(able[:count], seats, strict=False):
        state.air[aid] = Air(h)


def _more(state: State, able: list[str], count: int) -> list[str]:
    """Copies of air units, where the game has fewer of a kind than are to be measured."""
    copies = {f"{aid}-copy": {**state.world.air[aid], "id": f"{aid}-copy"} for aid in able[: max(0, count)]}
    state.world = replace(state.world, air={**state.world.air, **copies}, cache={})
    return list(copies)


def _missions(state: State, count: int) -> Iterator[Order]:
    """The section ``air``: each air unit flies the first mission that is lawful for it."""
    book, number = book_of(state), 1
    for aid in sorted(state.air):
        if craft_of(state.world, aid).side != SIDE or number > count:
            continue
        for order in _choices(state, aid, number):
            problems, after = judged(state, SIDE, plans_of(state, order)[0], book)
            if not problems:
                yield order
                book, number = after, number + 1
                break


def _choices(state: State, aid: str, number: int) -> Iterator[Order]:
    enemy = ENEMY[SIDE]
    held = {unit.hex for other, unit in state.air.items() if craft_of(state.world, other).side == enemy}
    ground = {state.hex_of(uid) for uid in state.side_units(enemy)}
    kinds = KINDS[number % len(KINDS) :] + KINDS[: number % len(KINDS)]
    if not craft_of(state.world, aid).tactical:
        kinds = ("transfer",)
        held = set(base_hexes(state, SIDE)) - {state.air[aid].hex}
    for kind in kinds:
        near = sorted(held if kind.startswith("bomb") or kind == "transfer" else ground)
        at = state.air[aid].hex
        for h in sorted(near, key=lambda h: (hexes.distance(h, at), h))[number % 3 :]:
            yield Order(number, kind, {"air": [aid], "hex": state.board.name(h)})
