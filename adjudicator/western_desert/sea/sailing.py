"""Items on their way: the dice of a voyage and the event that tells what comes of it (WD 26.C, 26.D, 28.D.ship)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from adjudicator.engine.core import Ctx, Proc, Tree
from adjudicator.western_desert.retreating import ELIMINATED, PERMANENT, PUBLIC, cadre_alone
from adjudicator.western_desert.sea.crossing import Passage, cross, where
from adjudicator.western_desert.sea.voyages import COUNTER, LOST, POINT, POOL, Item
from adjudicator.western_desert.state import CADRE, State
from adjudicator.western_desert.units import number


def sail(
    ctx: Ctx[State],
    side: str,
    item: Item,
    origin: int | None,
    to: int | None,
    by: Iterable[int],
    danger: str | None = None,
    **told: Tree,
) -> Proc[Passage]:
    """Ship one item: where it passes a danger, roll and tell what came of it; then ports and limit are used already.
    What arrives is still to be placed. ``danger`` as in :func:`crossing.cross`, ``told`` are more fields of the
    event."""
    state, name = ctx.state, ctx.state.board.name
    found = yield from cross(ctx, side, item, origin, to, danger)
    if not found.what:
        return found
    data: dict[str, Tree] = {
        "item": item.name,
        "what": item.kind,
        "side": side,
        "from": name(origin) if origin is not None else "",
        "to": where(state, to),
        "re": number(Fraction(item.re2, 2)),
        "danger": found.what,
        "status": str(found.status),
        **found.told,
        "result": found.end.result,
    }
    ctx.emit("voyage", found.rule, by, PUBLIC, **data, **_ended(state, item, found), **told)
    return found


def _ended(state: State, item: Item, found: Passage) -> dict[str, Tree]:
    """What is left of a counter; a unit that is sunk with its components, and whether it can be replaced (WD
    29.B.pool)."""
    if item.kind == COUNTER:
        return {"steps": str(item.steps), "left": str(found.end.steps) if found.end.steps else ""}
    if item.kind == POINT or found.end.result not in (POOL, LOST):
        return {}
    special = state.theatre.operation(item.name) is not None  # who is lost with an operation is out (SO-LOST)
    fate = ELIMINATED if state.world.units[item.name].replaceable and not special else PERMANENT
    if fate == ELIMINATED and cadre_alone(state, item.name):
        return {"units": [], "fate": "", "pool": CADRE}
    return {"units": [*state.parts_of(item.name)], "fate": fate if fate != ELIMINATED else ""}
