"""Ports in cases (CASE-FORMS 6): the tables of ports, airbases and naval transport, and the form port."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, Ordered
from adjudicator.engine.core import Problem
from adjudicator.western_desert.bases import PORT, capacity, damage
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, form
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.sea import malta
from adjudicator.western_desert.sea.tables import SeaTables, sea_tables
from adjudicator.western_desert.sea.voyages import (
    COUNTER,
    EMBARK_SMP2,
    POINT,
    POINT_RE2,
    STEP_RE2,
    UNIT,
    Item,
    limit2,
    port_capacity2,
    port_problems,
    transport_re2,
)
from adjudicator.western_desert.state import State, other

FIRST_PORT = "Tobruk"
POSITION = "position_aa"


@table("airbases")
def _airbases(asked: Asked) -> Asked:
    return (charts_of(build.real_world()).airbases[str(asked[0])],)


@table("ports")
def _ports(asked: Asked) -> Asked:
    row = charts_of(build.real_world()).ports[_port_type(asked)]
    return row.capacity, row.max_hits


@table("port_types")
def _port_types(asked: Asked) -> Asked:
    return (_port_type(asked),)


def _port_type(asked: Asked) -> str:
    board = build.real_world().board
    return board.land[build.find_hex(board, str(asked[0]))].port


def _tables() -> SeaTables:
    return sea_tables(build.real_world())


@table("malta")
def _malta(asked: Asked) -> Asked:
    status, roll = (int(str(cell)) for cell in asked)
    return ("X" if _tables().affected(status, roll) else "none",)


@table("shipping_results")
def _shipping_results(asked: Asked) -> Asked:
    die = int(str(asked[0]))
    return -_tables().steps_lost(die), _tables().result(die)


# --- cargo ------------------------------------------------------------------------------------------------------


def item_of(case: Case, record: Record, name: str) -> Item:
    """An item of a case's cargo, with its size for transport (WD 12.D, 22.A.3, 29.B.ship)."""
    kind = str(record.get("kind", UNIT))
    if kind == COUNTER:
        steps = int(str(record.get("steps", 1)))
        return Item(COUNTER, name, STEP_RE2 * steps, steps)
    if kind == POINT:
        return Item(POINT, name, POINT_RE2)
    if kind == POSITION:
        record = {"type": POSITION, "aa": record.get("aa", 0)}
    more = {} if "t" in record or "re" in record or "aa" in record else {"re": 1}
    return Item(UNIT, name, transport_re2(build.unit_from_record(case, {**more, **record, "id": name})[0]))


def cargo_of(case: Case) -> list[Item]:
    """The cargo of a case in its order."""
    return [item_of(case, record, f"item-{n}") for n, record in enumerate(as_records(case.given.get("items")))]


def re_of(items: list[Item]) -> Ordered:
    """The sizes of items in REs."""
    return Ordered([Fraction(item.re2, 2) for item in items])


# --- the form port ----------------------------------------------------------------------------------------------


@form("port")
def run_port(case: Case) -> Found:
    """Capacity and damage of a port (WD 26.A), what uses it in one player turn, and the works on Malta (WD 28.D)."""
    board = build.real_world().board
    h = build.find_hex(board, str(case.given.get("port", FIRST_PORT)))
    side = str(case.given.get("player", "allied"))
    state = build.new_state(board, side, "movement", side)
    state.malta = _number(case, "status")
    _damaged(case, state, h)
    found = Found()
    works = malta.Works(state.malta, state.port_hits[h], _number(case, "airbase_hits"), _points(case))
    found.verdicts = [_mend(works, record) for record in case.orders]
    state.malta, state.port_hits[h] = works.status, works.port
    found.values = {"hits": works.port, "status": works.status, "airbase_hits": works.airbases}
    found.values["capacity"] = capacity(state, h, PORT)
    if "items" in case.given:
        _used(case, state, h, side, found)
    return found


def _number(case: Case, key: str) -> int:
    return int(str(case.given.get(key, 0)))


def _points(case: Case) -> int:
    return _number(case, "points") + _number(case, "supply_steps")


def _damaged(case: Case, state: State, h: int) -> None:
    """Hits before, and those now made as far as they count; on Malta they raise the status unless the port is chosen
    (WD 28.D.bomb)."""
    state.port_hits[h] = _number(case, "hits")
    hits = _number(case, "inflict")
    if "status" in case.given and case.given.get("hits_on", malta.STATUS) == malta.STATUS:
        state.malta = malta.bombed(state.world, state.malta, hits)
    else:
        state.port_hits[h] += min(hits, damage(state, h, PORT).room)


def _mend(works: malta.Works, record: Record) -> list[Problem]:
    what, points = str(record.get("what", "")), int(str(record.get("points", 1)))
    problems = malta.repair_problems(works, what, points)
    if not problems:
        works.mend(what, points)
    return problems


def _used(case: Case, state: State, h: int, side: str, found: Found) -> None:
    """What the cargo uses, in and out, and whether it may."""
    given, items = case.given, cargo_of(case)
    if given.get("held_at_start") is False:
        state.taken[h] = other(side)
    if given.get("held_now") is False:
        state.control[h] = other(side)
    arriving = "arriving" in given
    state.shipped2 = int(2 * Fraction(str(given.get("limit_used", 0))))
    total2 = sum(item.re2 for item in items)
    problems = port_problems(state, side, h, total2)
    if not arriving:
        state.shipped2 += min(total2, limit2(state, side))
    state.used2[h] = total2
    found.verdicts = [problems]
    found.values["used"] = Fraction(total2, 2)
    found.values["left"] = Fraction(port_capacity2(state, h), 2)
    found.values["item_re"] = re_of(items)
    found.values["limit_used"] = Fraction(state.shipped2, 2)
    found.values["smp"] = Fraction(EMBARK_SMP2 * sum(item.steps for item in items), 2)
