"""``odds --overrun``: an overrun as the program would work it out: strengths, odds, what each unit pays (WD 13)."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.engine.queries import Reply
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.odds import share_tree
from adjudicator.western_desert.overrun import Overrun, plan_overrun
from adjudicator.western_desert.queries.odds import share_words
from adjudicator.western_desert.queries.stage import Staged, staged
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import Share
from adjudicator.western_desert.units import number
from adjudicator.western_desert.walk import parts_text
from adjudicator.western_desert.words import moment, names, short_name

FIELDS = ("advance",)


def overrun_reply(state: State, asked: Order) -> Reply:
    """The overrun of a hex by units with what they have left; no die is rolled, so there are no chances."""
    units = [uid for uid in asked.texts("with") if uid in state.pieces]
    if not units:
        return Reply(problems=[Problem("no_units", "WD 13", "none of the units is on the map", "name others")])
    stage = staged(state, units[0])
    side = state.world.units[units[0]].side
    data: dict[str, Tree] = {name: asked.data[name] for name in FIELDS if name in asked.data}
    order = Order(0, "overrun", {"units": [*asked.texts("with")], "hex": asked.text("subject"), **data})
    made = plan_overrun(Field(stage.state, side), side, order)
    if made.reckoning is None:
        return Reply(problems=made.problems)
    return Reply(_lines(stage, made), _tree(stage, made), reasons=made.problems)


def _tree(stage: Staged, made: Overrun) -> dict[str, Any]:
    found = made.reckoning
    assert found is not None
    return {
        "hex": stage.state.board.name(made.hex),
        "with": list(made.units),
        "defenders": list(made.targets),
        "strength": str(found.strength),
        "against": str(found.defense),
        "odds": found.odds,
        "needed": charts_of(stage.state.world).overrun_odds[0],
        "legal": not made.problems,
        "attackers": [share_tree(share) for share in found.attackers],
        "defending": [share_tree(share) for share in found.defenders],
        "costs": [
            {"units": list(b.mover.ids), "cost": mp_text(b.cost2), "left": mp_text(b.mover.left2)} for b in made.bills
        ],
        "note": stage.note,
    }


def _lines(stage: Staged, made: Overrun) -> list[str]:
    state, found = stage.state, made.reckoning
    assert found is not None
    where = state.board.feature_names(made.hex)
    lines = [f"Overrun of {where}, held by {names(state, made.targets)}. {moment(state)}."]
    lines += [f"{stage.note}."] if stage.note else []
    lines += [f"Overrun strength {number(found.strength)}:", *_shares(state, found.attackers)]
    lines += [f"Defense strength {number(found.defense)}:", *_shares(state, found.defenders)]
    needed, _most = charts_of(state.world).overrun_odds
    lines.append(f"Odds: {number(found.strength)} to {number(found.defense)} is {found.odds}:1, {needed}:1 is needed.")
    for bill in made.bills:
        who = ", ".join(short_name(state, uid) for uid in bill.mover.ids)
        paid = f"{mp_text(bill.cost2)} of {mp_text(bill.mover.left2)} MP"
        lines.append(f"  {who} pays {paid}: {parts_text(bill.parts)} (WD 13.cost)")
    if not made.problems:
        lines.append(f"It is lawful: all units in {where} are eliminated, without a die.")
    return lines


def _shares(state: State, shares: tuple[Share, ...]) -> list[str]:
    return [f"  {share_words(state, share)}" for share in sorted(shares, key=lambda s: (-s.value, s.unit))]
