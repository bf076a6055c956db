"""The form pool as far as air units go (CASE-FORMS 6): withdrawals and conversions of models, in play or in the pool.

Air units in play stand at a base of their side; the order of battle holds what the orders need.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Order
from adjudicator.western_desert.air.changing import convert_air, withdraw_air
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts
from adjudicator.western_desert.cases.drive import context
from adjudicator.western_desert.cases.walks import problems_of, set_moment
from adjudicator.western_desert.converting import CONVERT
from adjudicator.western_desert.leaving import ORDER as WITHDRAW
from adjudicator.western_desert.state import AIR_POOL, Air, Boxed, Sortie, State, turn_name, turn_number
from adjudicator.western_desert.world import text

USUAL_TURN = "Jul II 42"
BASES = {"allied": "Cairo", "axis": "Tripoli"}
NATIONS = {"allied": "british", "axis": "german"}
EIGHTHS = 8


def run_air_pool(case: Case) -> Found:
    """Withdraw and convert air units as the initial phase does."""
    given = case.given
    side = str(given.get("player", "allied"))
    state = build.new_state(build.real_world().board, side, "initial")
    set_moment(state, {"turn": USUAL_TURN, **given})
    state.player = side
    state.points = {key: int(EIGHTHS * int(str(n))) for key, n in as_record(given.get("stock")).items()}
    _stand(case, state, side)
    orders = [_order(state, index, record) for index, record in enumerate(case.orders)]
    ctx = context(state)
    withdraw_air(ctx, side, [order for order in orders if order.type == WITHDRAW], ())
    convert_air(ctx, side, [order for order in orders if order.type == CONVERT], ())
    owed = [key for key, eighths in state.owed.items() if eighths]
    values: dict[str, object] = {
        "air_pool": [_model(state, aid) for aid, kept in sorted(state.boxes.items()) if kept.box == AIR_POOL],
        "in_play": [_model(state, aid) for aid in sorted(state.air)],
        "change": {who: Fraction(halves, 2) for who, halves in state.vp2.items()},
        "acts_this_turn": not any(aid in state.still for aid in state.air),
    }
    if owed:
        values["forfeits"] = _arrival(state, owed[0])
    return Found(values, problems_of(ctx, orders))


def _model(state: State, aid: str) -> str:
    return craft_of(state.world, aid).model


def _stand(case: Case, state: State, side: str) -> None:
    """Air units at their base and in the pool, and the entries that the orders need."""
    told = as_records(case.given.get("air"))
    pool = as_texts(case.given.get("air_pool"))
    air: dict[str, dict[str, object]] = {}
    base = build.find_hex(state.board, BASES[side])
    for n, record in enumerate(told):
        aid = str(record.get("id", f"air-{n}"))
        air[aid] = _craft(side, aid, str(record.get("name")), str(record.get("type", "B")))
        mission = str(record.get("mission", ""))
        sortie = Sortie(mission, base) if mission else None
        state.air[aid] = Air(base, record.get("state", "operative") == "operative", sortie)
    for n, model in enumerate(pool):
        air[f"pool-{n}"] = _craft(side, f"pool-{n}", model, "B")
        state.boxes[f"pool-{n}"] = Boxed(AIR_POOL)
    events = [_entry(state, side, n, record, air) for n, record in enumerate(case.orders)]
    state.world = replace(state.world, events=tuple(events), air=air)


def _craft(side: str, aid: str, model: str, kind: str) -> dict[str, object]:
    return {
        "id": aid,
        "side": side,
        "nat": NATIONS[side],
        "model": model,
        "name": model,
        "short": model,
        "type": kind,
        "attack": "2",
        "defense": "2",
        "movement": "10",
        "tactical": "2",
        "strategic": "2",
    }


def _entry(
    state: State, side: str, n: int, record: Record, air: dict[str, dict[str, object]]
) -> dict[str, object]:
    """What the order of battle asks for in this turn: a withdrawal of the model, a conversion of the unit."""
    kind = str(record["order"])
    common: dict[str, object] = {"id": f"{kind}-{n}", "kind": kind, "side": side, "turn": turn_name(state.turn)}
    if kind == WITHDRAW:
        return {**common, "unit": next(aid for aid, row in air.items() if row["model"] == str(record["what"]))}
    old, new = str(record["unit"]), f"{record['unit']}-new"
    air[new] = _craft(side, new, str(record["into"]), "A")
    return {**common, "from": [old], "to": [new]}


def _order(state: State, index: int, record: Record) -> Order:
    if str(record["order"]) == CONVERT:
        return Order(index, CONVERT, {"air": str(record["unit"])})
    offer = record.get("offer")
    first = next(aid for aid in sorted(state.world.air) if _model(state, aid) == str(record["what"]))
    return Order(index, WITHDRAW, {"air": [str(offer or first)]})


def _arrival(state: State, key: str) -> str:
    """The turn in which points of a kind that are given up would have come, as the order of battle has it."""
    rows = [row for row in build.real_world().events if row.get("kind") == "replacement" and "turn" in row]
    turns = [turn_number(text(row, "turn")) for row in rows if f"{text(row, 'nat')}_{text(row, 'rp')}" == key]
    later = sorted(turn for turn in turns if turn > state.turn)
    return turn_name(later[0]) if later else "next_arrival"
