"""Ports in cases (CASE-FORMS 6): the tables of ports and airbases, and of the form port what hits do to a port."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered
from adjudicator.western_desert.bases import PORT, capacity, damage
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, form
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.landing import transport_re2
from adjudicator.western_desert.state import State

HITS_OF_A_PORT = ("port", "hits", "inflict", "player")
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


@form("port")
def run_port(case: Case) -> Found:
    """Capacity and damage of a port (WD 26.A.2), and the size of antiaircraft positions (WD 22.A.3); what else passes
    through a port, and Malta, are another rule."""
    records = as_records(case.given.get("items"))
    if records and case.given.keys() == {"items"} and all(record.get("kind") == POSITION for record in records):
        return Found({"item_re": Ordered([_size(case, record) for record in records])})
    _only(case, HITS_OF_A_PORT, "rule 26, naval transport")
    board = build.real_world().board
    h = build.find_hex(board, str(case.given.get("port", FIRST_PORT)))
    return _damaged(case, build.new_state(board, owner="allied"), h)


def _size(case: Case, record: Record) -> Fraction:
    """The size of an antiaircraft position for transport."""
    unit = build.unit_from_record(case, {"type": POSITION, "aa": record.get("aa", 0)})[0]
    return Fraction(transport_re2(unit), 2)


def _only(case: Case, known: tuple[str, ...], rule: str) -> None:
    more = sorted((case.given.keys() - set(known)) | {str(record.get("order")) for record in case.orders})
    if more:
        raise NotBuilt(f"{rule}, is not built in this version ({', '.join(more)})")


def _damaged(case: Case, state: State, h: int) -> Found:
    """Hits before, and those now made as far as they count."""
    state.port_hits[h] = int(str(case.given.get("hits", 0)))
    state.port_hits[h] += min(int(str(case.given.get("inflict", 0))), damage(state, h, PORT).room)
    return Found({"hits": state.port_hits[h], "capacity": capacity(state, h, PORT)})
