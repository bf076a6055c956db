"""The return from Greece by the Campaign in Greece table (WD 29.C.1.return, 29.C.1.placing, chart.greece)."""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Proc, Roll
from adjudicator.western_desert.charts import rows as chart_rows
from adjudicator.western_desert.orderbook import ELIMINATED, rows_of
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.world import Record, text

By = tuple[int, ...]
TABLE = "greece_table"
RULE = "WD 29.C.1.return"


def returning(state: State, row: Record) -> str:
    """The unit that comes back for an entry: the one named, else the one that went in its place; "" for none."""
    name = text(row, "unit")
    gone = (uid for uid, kept in sorted(state.boxes.items()) if kept.box in ("greece", "withdrawn") and kept.of == name)
    stand_in = next(gone, "")
    if stand_in:
        return stand_in
    kept = state.boxes.get(name)
    return name if kept is not None and kept.box in ("greece", "withdrawn") and not kept.of else ""


def from_greece(ctx: Ctx[State], side: str, by: By) -> Proc[None]:
    """Units with heavy equipment are lost, the others roll; supplies that went there are lost anyhow (WD
    29.C.1.return)."""
    state = ctx.state
    for row in rows_of(state, "return"):
        uid = returning(state, row)
        if text(row, "area") != TABLE or not uid:
            continue
        unit = state.world.units.get(uid)
        if unit is not None and unit.heavy:
            _result(ctx, side, uid, ELIMINATED, by)
            continue
        kind = "greece_air" if unit is None else "greece_ground"
        label = f"greece/{side}/{uid}"
        (die,) = yield from ctx.roll(Roll(label, kind, who=side, assume=(6,)))
        _result(ctx, side, uid, outcome(state.world, die, "air" if unit is None else "ground"), by, str(die), label)


def outcome(world: World, die: int, column: str) -> str:
    """What the table says: ``eliminated``, ``inoperative`` or ``intact`` (WD chart.greece)."""
    return next(row[column] for row in chart_rows(world.charts, "greece") if int(row["die"]) == die)


def _result(ctx: Ctx[State], side: str, uid: str, result: str, by: By, die: str = "", label: str = "") -> None:
    ctx.emit("greece", RULE, by, unit=uid, side=side, result=result, die=die, label=label)
