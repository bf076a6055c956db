"""Tables of combat for the form ``lookup``, and orders of combat for the form ``allowed`` (CASE-FORMS 6)."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt, as_number
from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert.armor import CATEGORIES
from adjudicator.western_desert.attack_check import phase_problems
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, as_texts
from adjudicator.western_desert.cases.lookups import Asked, permission, table
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.charts import rows
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.combat_charts import CombatCharts, combat_charts
from adjudicator.western_desert.odds import odds_column
from adjudicator.western_desert.state import State, other


def _charts() -> CombatCharts:
    return combat_charts(build.real_world())


def _number(value: object) -> Fraction:
    found = as_number(value)
    if found is None:
        raise NotBuilt(f"{value} is no number")
    return found


@table("ground_crt")
def _ground_crt(asked: Asked) -> Asked:
    return (_charts().result(str(asked[0]), int(str(asked[1]))),)


@table("odds_column")
def _odds_column(asked: Asked) -> Asked:
    return (odds_column(_charts(), _number(asked[0]), _number(asked[1])),)


@table("aec", *CATEGORIES)
def _aec(asked: Asked) -> Asked:
    return tuple(_charts().armor(category, _number(asked[0])) for category in CATEGORIES)


@table("overrun_costs")
def _overrun_costs(asked: Asked) -> Asked:
    costs = [
        (int(row["odds"]), int(row["mp"]))
        for row in rows(build.real_world().charts, "overrun_costs")
        if row["class"] == str(asked[0]) and int(row["odds"]) <= _number(asked[1])
    ]
    return (max(costs)[1] if costs else "none",)


# --- allowed ----------------------------------------------------------------------------------------------------


def _moment(case: Case) -> tuple[State, str]:
    """The moment of a case with one unit of the player next to one of the enemy."""
    given = case.given
    player = str(given.get("player", "allied"))
    board = build.mini_board()
    state = build.new_state(board, player, "combat", player)
    set_moment(state, {**given, "phase": given.get("phase", "combat")})
    if "attack_force" in given:
        state.world.scenario = {"attack_force": as_texts(given["attack_force"])}
    return state, player


@permission("attack")
def _may_attack(case: Case, record: Record, found: Found) -> list[Problem]:
    """One unit attacks one enemy unit next to it on clear ground; only moment and unit can make that unlawful."""
    state, player = _moment(case)
    by = str(record.get("by", player))
    named = as_texts(record.get("units")) or as_texts(record.get("unit")) or ["U"]
    records = as_records(case.given.get("units"))
    for number, uid in enumerate(named):
        plain = records[number] if number < len(records) else {"printed": 4}
        unit = build.unit_from_record(case, {**plain, "n": 1, "id": uid}, by)[0]
        build.put(state, unit, state.board.find("A"), plain)
    target = build.unit_from_record(case, {"printed": 2, "id": "enemy", "owner": other(by)})[0]
    build.put(state, target, state.board.find("T"))
    order = Order(0, "attack", {"hex": "T", "with": list(named)})
    return checked(state, by, [order])[0][1]


@permission("attack_order")
def _may_set_order(case: Case, record: Record, found: Found) -> list[Problem]:
    """The order of the attacks is the phasing player's (WD 9.B.6)."""
    state, player = _moment(case)
    return phase_problems(state, str(record.get("by", player)), Order(0, "attack_order", {}))
