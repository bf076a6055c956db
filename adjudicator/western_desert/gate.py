"""The gate before the rules: anything in a signed order but known types, fields and ids is void (PROTOCOL 4.2).

Nothing here depends on what stands where: the same order is sound or not at every moment of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.engine.schema import Field, changed, shape_problems
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.orders import AGAINST, ANYTHING, LIKINGS, TARGETS
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.orders import TOWARD_SUPPLY, TYPES
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.world import rows, text

CAPTURED = re.compile(r"supply-(?:allied|axis)-(?:captured|split|arrived)-[1-9]\d*")
WHAT = {
    "unit": "unit",
    "hex": "hex",
    "counter": "supply counter",
    "air": "air unit",
    "wish": "hex, bearing or terrain",
    "model": "model or kind of air units",
    "target": "air unit, model or kind of them",
    "mission": "air mission",
}


def sound(ctx: Ctx[State], orders: Iterable[Order], by: Sequence[int]) -> list[Order]:
    """The orders that rules may read; every other one is voided with all its problems."""
    kept: list[Order] = []
    for order in orders:
        problems = form_problems(ctx.state.world, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            kept.append(order)
    return kept


def form_problems(world: World, order: Order) -> list[Problem]:
    """Faults of type and fields, else texts that stand for no id."""
    return shape_problems(TYPES, order) or id_problems(world, order)


def id_problems(world: World, order: Order) -> list[Problem]:
    """Fields, however deep, that hold no id of this game where one is wanted."""
    kind = TYPES[order.type]
    found: list[Problem] = []

    def judge(path: str, field: Field, name: str) -> str:
        if not known(world, field.book, name):
            said = f"{path}: {name!r} is no {WHAT[field.book]} of this game"
            found.append(Problem("id", kind.rule, said, "name it by its id", field=path))
        return name

    changed(kind.fields, order.data, judge)
    return found


def known(world: World, book: str, name: str) -> bool:
    """True for the id of a unit, air unit, hex, supply counter or wish, and for every text of another kind."""
    if book == "unit":
        return name in world.units
    if book == "air":
        return name in world.air
    if book == "hex":
        return _hex(world, name)
    if book == "counter":
        return any(text(row, "id") == name for row in rows(world.scenario, "supply")) or bool(CAPTURED.fullmatch(name))
    if book == "wish":
        return name in wish_words(world) or _hex(world, name)
    return _air_word(world, book, name)


def _air_word(world: World, book: str, name: str) -> bool:
    """True for a word on the air war of that kind, and for every text of another kind."""
    if book == "mission":
        return name in (*AGAINST, ANYTHING)
    if book == "model":
        return name in TARGETS or name in air_models(world)
    return book != "target" or name in (*TARGETS, *LIKINGS) or name in world.air or name in air_models(world)


def air_models(world: World) -> frozenset[str]:
    """The models of air units of the game, as printed (WD chart.air-counter)."""
    found = world.cache.get("air models")
    if not isinstance(found, frozenset):
        found = world.cache["air models"] = frozenset(text(row, "model") for row in world.air.values())
    return found


def wish_words(world: World) -> tuple[str, ...]:
    """What a retreat may wish for besides hexes: bearings, terrains, the own source of supply."""
    return (*hexes.DIRECTIONS, TOWARD_SUPPLY, *sorted(combat_charts(world).terrain))


def _hex(world: World, name: str) -> bool:
    try:
        return world.board.name(world.board.find(name)) == name
    except hexes.HexError:
        return False
