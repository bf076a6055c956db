"""Carrying items past what threatens them: the dice of Malta, of the eastern Mediterranean, of the Allied runs.

WD 26.C, 26.D, 28.D.ship.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Proc, Roll, Tree
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.rolling import dice_per_roll
from adjudicator.western_desert.sea.tables import AFFECTED, sea_tables
from adjudicator.western_desert.sea.voyages import (
    ARRIVES,
    BACK,
    DANGER_RULES,
    POINT,
    RUN,
    TUNISIA,
    Item,
    Landfall,
    danger,
    landfall,
    status_for,
)
from adjudicator.western_desert.state import ENEMY, State

MALTA_KIND, SHIPPING_KIND, RUN_KIND = "malta", "shipping", "malta_run"
SAFE_ROLL, SAFE_DIE = (3, 3), (6,)
"""What `check` assumes: a pass of the Malta table, a die that gets through."""


class Passage(NamedTuple):
    """A crossing with its dice: what it passed at which status, and what came of the item. ``told`` are the fields of
    its event about the die that settled that, absent where the Malta table let it pass."""

    what: str
    status: int
    end: Landfall
    told: dict[str, Tree]

    @property
    def rule(self) -> str:
        """The paragraph of its danger."""
        return DANGER_RULES[self.what]


def cross(
    ctx: Ctx[State], side: str, item: Item, origin: int | None, to: int | None, what: str | None = None
) -> Proc[Passage]:
    """Roll for one item on its way (WD 26.C). ``what`` is its danger where the ports do not tell it, as in a landing on
    Malta (WD 27.C); ``to`` None is Tunisia (WD 32.C). The Allied player rolls against Axis shipping, the Axis player
    against Allied runs."""
    state = ctx.state
    if what is None:
        what = TUNISIA if to is None else danger(state, side, origin, to)
    if not what:
        return Passage(what, 0, Landfall(ARRIVES, item.steps), {})
    status, tail = status_for(state, what), _tail(state, item, origin, to)
    if what == RUN:
        return (yield from _run(ctx, side, item, status, tail))
    label = f"malta/{tail}"
    count = dice_per_roll(MALTA_KIND)
    dice = yield from ctx.roll(Roll(label, MALTA_KIND, count=count, assume=SAFE_ROLL, who=ENEMY[side]))
    affected = sea_tables(state.world).affected(status, sum(dice))
    result = AFFECTED if affected else "none"
    _tell(ctx, item, to, what, dice, side=side, status=str(status), label=label, result=result)
    if not affected:
        return Passage(what, status, Landfall(ARRIVES, item.steps), {})
    label = f"shipping/{tail}"
    (die,) = yield from ctx.roll(Roll(label, SHIPPING_KIND, assume=SAFE_DIE, who=ENEMY[side]))
    return Passage(what, status, landfall(state.world, item, die), {"die": str(die), "label": label})


def _tell(ctx: Ctx[State], item: Item, to: int | None, what: str, dice: Sequence[int], **told: Tree) -> None:
    data: dict[str, Tree] = {"item": item.name, "what": item.kind, "to": where(ctx.state, to), "danger": what}
    data |= {"dice": [str(die) for die in dice], "roll": str(sum(dice))}
    ctx.emit("malta-roll", DANGER_RULES[what], (), PUBLIC, **data, **told)


def where(state: State, to: int | None) -> str:
    """The port of destination, or Tunisia."""
    return TUNISIA if to is None else state.board.name(to)


def _tail(state: State, item: Item, origin: int | None, to: int | None) -> str:
    """The end of the labels of an item. Points of a kind are numbered, and so are voyages on the map, where an item may
    be shipped again."""
    tail = f"{TUNISIA if to is None else state.board.label(to)}/{item.name}"
    if item.kind == POINT:
        return f"{tail}/{item.steps if origin is None else state.voyages + 1}"
    return tail if origin is None else f"{tail}/{state.voyages + 1}"


def _run(ctx: Ctx[State], side: str, item: Item, status: int, tail: str) -> Proc[Passage]:
    """The die of an Allied shipment to or from Malta (WD 28.D.ship)."""
    tables, label = sea_tables(ctx.state.world), f"malta-run/{tail}"
    (die,) = yield from ctx.roll(Roll(label, RUN_KIND, assume=SAFE_DIE, who=ENEMY[side]))
    modifier = tables.run_modifier(status)
    told: dict[str, Tree] = {"die": str(die), "label": label, "modifier": str(modifier) if modifier else ""}
    through = tables.runs_through(status, die)
    return Passage(RUN, status, Landfall(ARRIVES if through else BACK, item.steps), told)
