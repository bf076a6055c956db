"""Orders of chance for free set-up: some of what a player has, here and there in its areas (bots.py, WD 30)."""

from __future__ import annotations

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.deploying import AIR, COUNTER, ORDER, UNIT, Deployment, Listed
from adjudicator.western_desert.state import State

Row = dict[str, Tree]
FIELDS = {UNIT: "units", AIR: "air", COUNTER: "counters"}
FAR_SHARE, TWO_SHARE = 0.15, 0.3


def deploy_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Orders that the set-up finds lawful one after the other; what they leave stands where it is listed."""
    ctx: Ctx[State] = Ctx(state.copy(), apply)
    made = Deployment(ctx.state, side)
    rows: list[Row] = []
    for name in chance.some(list(made.open), least=1):
        if name in made.open:
            rows += _placed(ctx, made, made.open[name], chance)
    return rows


def _placed(ctx: Ctx[State], made: Deployment, thing: Listed, chance: Chance) -> list[Row]:
    """One order for a thing, now and then with another of its kind, or to where one like it is listed."""
    board = ctx.state.board
    ground = made.ground(thing)
    if chance.likely(FAR_SHARE):
        ground = [one.home for one in made.open.values() if one.kind == thing.kind and one.side == thing.side] or ground
    beside = [one.name for one in made.open.values() if one.kind == thing.kind and one.name != thing.name]
    named = [thing.name, *(chance.some(beside, most=1) if chance.likely(TWO_SHARE) else ())]
    if not ground:
        return []
    h = chance.pick(ground)
    row: Row = {"type": ORDER, "at": board.name(h), FIELDS[thing.kind]: [*named]}
    (order,), homes = orders_of([row]), dict(made.homes)
    if made.problems(order, named, h):
        made.homes = homes
        return []
    for name in named:
        made.place(ctx, name, h, ())
    return [row]
