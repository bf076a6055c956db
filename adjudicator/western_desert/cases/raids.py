"""Runner of the form bomb, and the table of bombing (CASE-FORMS 6): WD 20.F, 24.D, 24.E."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, Ordered, as_number
from adjudicator.engine.core import Roll
from adjudicator.western_desert.air.bombing import (
    Bombed,
    Strike,
    aims,
    bomb,
    bomb_table,
    breaks_line,
    canal_points,
    harassed_mp,
    harassment,
    hit_on_ground,
    hits_that_count,
    points,
    strikes,
    support_counted,
)
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    CANAL,
    GROUND_SUPPORT,
    HARASS,
    PORT,
    RAIL,
    TACTICAL_PORT,
    Craft,
    Flight,
)
from adjudicator.western_desert.air.landing import OPERATIVE, landed
from adjudicator.western_desert.bases import PORT as HARBOUR
from adjudicator.western_desert.bases import capacity
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.aircraft import craft_from_record, flight_from_record
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, form
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.state import State

PLACE = "T"
SCRAMBLED = "scrambled"
OF_KIND = {
    "airbase": AIRBASE,
    "air_units": AIR_UNITS,
    "rail": RAIL,
    "canal": CANAL,
    "harass": HARASS,
    "ground_support": GROUND_SUPPORT,
}
"""The mission for each kind of target; a port is bombed with strategic strength where there is any."""


@table("bombing", "result")
def _bombing(asked: Asked) -> Asked:
    """Strength and modified die."""
    return (bomb_table(build.real_world()).result(Fraction(str(asked[0])), int(str(asked[1]))),)


@form("bomb")
def run_bomb(case: Case) -> Found:
    """Bombers over one target, what they deliver and roll, and what their hits do."""
    state, h = _place(case)
    flights = [_bomber(case, record, n) for n, record in enumerate(as_records(case.given.get("bombers")))]
    groups = [[flight.id for flight in flights]] if case.given.get("combined") is True else []
    found = strikes(bomb_table(build.real_world()), PLACE, flights, groups)
    rolled = _rolled(case, found)
    hits = int(str(case.given.get("hits", 0))) + sum(one.hit for one in rolled)
    values: dict[str, object] = {
        "strength": found[0].strength if found else points(flights),
        "points": _delivered(case, flights),
        "extra_mp": harassed_mp(harassment(flights)),
        "bomber_states": Ordered([landed(flight, None) for flight in flights]),
    }
    if case.dice is not None:
        values["used"] = Ordered([one.used for one in rolled if one.strike.column])
        values["result"] = Ordered([one.result for one in rolled])
    return Found(values | _on_air(case, hits) | _on_ground(case, state, h, hits))


def _bomber(case: Case, record: Record, number: int) -> Flight:
    """A bomber; where its strength is told without its kind, it has it of either."""
    given, kind = case.given, str(as_record(case.given.get("target")).get("kind"))
    told = {key: record["strength"] for key in ("tactical", "strategic") if "strength" in record}
    full: Record = {**told, **record}
    tactical = as_number(full.get("strategic", 0)) == 0
    mission = OF_KIND.get(kind, TACTICAL_PORT if tactical else PORT)
    plain = {key: value for key, value in full.items() if key != "mission"}
    return flight_from_record(plain, number, mission, given.get("night") is True, given.get("extended") is True)


def _delivered(case: Case, flights: list[Flight]) -> Fraction:
    """The points delivered, as far as the ground units that they support let them count."""
    printed = as_number(as_record(case.given.get("target")).get("printed"))
    delivered = points(flights)
    return delivered if printed is None else support_counted(delivered, printed)


def _rolled(case: Case, found: tuple[Strike, ...]) -> list[Bombed]:
    """The attacks with their dice; one that misses without a die has none."""
    if case.dice is None:
        return []
    chart = bomb_table(build.real_world())
    return [
        bomb(chart, strike, case.dice(0, Roll(strike.label, "bombing"))[0] if strike.column else 0) for strike in found
    ]


# --- the target -------------------------------------------------------------------------------------------------


def _place(case: Case) -> tuple[State, int]:
    """The place of the real map that is named, else a hex with a port and a railroad."""
    name = as_record(case.given.get("target")).get("name")
    if name is not None:
        board = build.real_world().board
        return build.new_state(board), build.find_hex(board, str(name))
    board = _harbour()
    return build.new_state(board, owner="allied"), build.CENTRE


def _harbour() -> Board:
    board = build.mini_board()
    build.set_hex(board, build.CENTRE, port="standard")
    build.set_line(board, "rail", build.CENTRE, neighbours(build.CENTRE)[0])
    return board


def _on_ground(case: Case, state: State, h: int, hits: int) -> dict[str, object]:
    """What hits do to the port, the railroad and the canal of the hex."""
    kind = as_record(case.given.get("target")).get("kind")
    if kind == "port":
        state.port_hits[h] = hits_that_count(state, h, HARBOUR, hits)
    canal = canal_points(build.real_world(), hits) if kind == "canal" else 0
    return {
        "rail": "broken" if kind == "rail" and hits and breaks_line(state, h) else "intact",
        "port_hits": state.port_hits.get(h, 0),
        "port_capacity": capacity(state, h, HARBOUR),
        "vp": {str(case.given.get("player", "axis")): canal},
    }


def _on_air(case: Case, hits: int) -> dict[str, object]:
    """What hits do to air units at the base, in the order of the attacker's list."""
    records = as_records(as_record(case.given.get("target")).get("air"))
    crafts = {str(r.get("id", n)): craft_from_record(r, n) for n, r in enumerate(records)}
    states = {aid: str(r.get("state", OPERATIVE)) for aid, r in zip(crafts, records, strict=True)}
    values: dict[str, object] = {"bombable": list(_there(crafts, states))}
    for _hit in range(hits):
        aimed = aims(build.real_world(), list(crafts), _there(crafts, states))
        if aimed:
            states[aimed[0]] = hit_on_ground(states[aimed[0]] == OPERATIVE)
            values.setdefault("hit", aimed[0])
    return {**values, "states": Ordered(list(states.values()))}


def _there(crafts: dict[str, Craft], states: dict[str, str]) -> dict[str, tuple[Craft, bool]]:
    """Those still at the base, each with whether it is operative."""
    there = [aid for aid, state in states.items() if state not in (SCRAMBLED, "eliminated")]
    return {aid: (crafts[aid], states[aid] == OPERATIVE) for aid in there}
