"""Ways of the form move that go on by ship (CASE-FORMS 6): a walk to a port, the voyage, a walk on (WD 26.B.2)."""

from __future__ import annotations

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert.cases.core import Case
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.walks import SHIP, Strip, problems_of
from adjudicator.western_desert.movement import movement_phase


def by_ship(strip: Strip) -> bool:
    """Whether a hex of the way is entered by ship."""
    return any(step.get("by") == SHIP for step in strip.steps)


def run_embarked(case: Case, strip: Strip) -> Found:
    """All parts of the way in one phase; the MPs are those spent at its end."""
    orders, ctx = _parts(strip), context(strip.state)
    drive(movement_phase(ctx, strip.side, orders, ()), dice_of(case))
    problems = [problem for found in problems_of(ctx, orders) for problem in found]
    return Found({"mp": max(strip.state.pieces[uid].spent2 for uid in strip.ids) / 2}, [problems])


def _parts(strip: Strip) -> list[Order]:
    """Orders for the hexes that are walked to, and for each voyage."""
    name, units, made = strip.state.board.name, [*strip.ids], list[Order]()
    way: list[tuple[str, str]] = []

    def walk_on() -> None:
        if way:
            path: list[Tree] = [h for h, _by in way]
            means: list[Tree] = [by for _h, by in way]
            made.append(Order(len(made), "move", {"units": [*units], "path": path, "by": means}))
            way.clear()

    for h, step in zip(strip.path[1:], strip.steps[1:], strict=True):
        if step.get("by") == SHIP:
            walk_on()
            made.append(Order(len(made), SHIP, {"units": [*units], "to": name(h)}))
        else:
            way.append((name(h), str(step.get("by", "foot"))))
    walk_on()
    return made
