"""Runner of the form calendar (CASE-FORMS 6): dates, turns, the order of phases. One function for each query."""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered
from adjudicator.western_desert.air.craft import Craft, Flight
from adjudicator.western_desert.air.steps import air_steps, passes
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.cases.core import Case, as_records, form
from adjudicator.western_desert.cases.scores import campaign
from adjudicator.western_desert.orderbook import area_hexes, free_french_turn
from adjudicator.western_desert.sea.tunisia import SIDE
from adjudicator.western_desert.sea.voyages import TUNISIA
from adjudicator.western_desert.sequence import FIRST_TURN, phases_of
from adjudicator.western_desert.setup import DEPLOYERS
from adjudicator.western_desert.state import LAST_TURN, State, turn_name, turn_number
from adjudicator.western_desert.theatre import holding, special
from adjudicator.western_desert.victory.territory import checks


@form("calendar")
def run_calendar(case: Case) -> Found:
    """Dates, turns, order of phases."""
    query = str(case.given.get("query"))
    answer = QUERIES.get(query)
    if answer is None:
        raise NotBuilt(f"query {query}: the rules that answer it are not built in this version")
    return Found(answer(case))


def _phases(case: Case) -> dict[str, object]:
    """All phases of a game turn, or those of one player."""
    number = turn_number(str(case.given["turn"])) if "turn" in case.given else FIRST_TURN + 1
    player = str(case.given.get("player", ""))
    found = [f"{who} {phase}" for who, phase in phases_of(number) if player in ("", who)]
    return {"phases": Ordered(found), "count": len(found)}


def _length(case: Case) -> dict[str, object]:
    return {"count": LAST_TURN}


def _checks(case: Case) -> dict[str, object]:
    """The turns after which territory is paid for."""
    turns = [turn_name(turn) for turn in checks(campaign())]
    return {"turns": Ordered(turns), "count": len(turns)}


def _air_steps(case: Case) -> dict[str, object]:
    return {"steps": Ordered([step.name for step in air_steps()]), "count": len(air_steps())}


def _mission_order(case: Case) -> dict[str, object]:
    """Missions as listed, in the order in which they are carried out."""
    told = as_records(case.given.get("missions"))
    flights = [Flight(Craft(str(row["id"]), "B"), "", night=row.get("night") is True) for row in told]
    return {"missions": Ordered([flight.id for flight in passes(flights)])}


def _withdrawal(case: Case) -> dict[str, object]:
    """When a unit that entered in a special operation on the turn of the case is removed."""
    gone = special.withdrawal_turn(turn_number(str(case.given["turn"])))
    return {"moment": f"{turn_name(gone)} {special.SIDE} initial"}


def _earliest(case: Case) -> dict[str, object]:
    """The soonest turn for which an operation may be planned on the turn of the case."""
    return {"turn": turn_name(turn_number(str(case.given["turn"])) + special.LEAD)}


def _levant_railroad(case: Case) -> dict[str, object]:
    """When the railroad of the Levant is there, if the Levant was gained on the turn of the case (WD 33.E)."""
    return {"turn": turn_name(holding.railroad_turn(turn_number(str(case.given["turn"]))))}


def _deployment(case: Case) -> dict[str, object]:
    """Who sets up, one after the other."""
    return {"players": Ordered(list(DEPLOYERS)), "count": len(DEPLOYERS)}


def _free_french(case: Case) -> dict[str, object]:
    """When the Free French point comes, when the Levant is gained on the turn of the case."""
    gained = turn_number(str(case.given["turn"]))
    return {"turn": turn_name(free_french_turn(gained, real_world()))}


def _tunisia_entry(case: Case) -> dict[str, object]:
    """When and where what was sent to Tunisia on the turn of the case comes in (WD 32.C.entry)."""
    board, world = real_world().board, real_world()
    places = [board.name(h) for h in area_hexes(State(world), TUNISIA)]
    return {"moment": f"{turn_name(turn_number(str(case.given['turn'])) + 1)} {SIDE} initial", "hexes": places}


QUERIES: dict[str, Callable[[Case], dict[str, object]]] = {
    "phases": _phases,
    "game_length": _length,
    "victory_checks": _checks,
    "air_steps": _air_steps,
    "mission_order": _mission_order,
    "special_withdrawal": _withdrawal,
    "earliest_operation": _earliest,
    "deployment": _deployment,
    "free_french_rp": _free_french,
    "levant_railroad": _levant_railroad,
    "tunisia_entry": _tunisia_entry,
}
