"""Allied raiding forces against Axis airbases (WD 28.B.4, chart.raid). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.charts import rows
from adjudicator.western_desert.state import State, World, turn_name, turn_number

RULE = "WD 28.B.4"
SIDE, TARGET = "allied", "axis"
FIRST = "Nov I 41"
COUNTRIES = ("Egypt", "Libya")
TURNS_A_MONTH = 2
INOPERATIVE = "inoperative"


def month(turn: int) -> int:
    """The calendar month of a game turn, counted from that of the first one (ruling RAID-MONTH)."""
    return (turn - 1) // TURNS_A_MONTH


def raid_problems(turn: int, player: str, phase: str, raided: bool) -> list[Problem]:
    """When a raid may be made: in an Allied initial phase from November 1941 on, once a month (WD 28.B.4). ``raided``
    says that one was made in the month."""
    if (player, phase) != (SIDE, "initial"):
        text = "raids are made in the Allied initial phase"
        return [Problem("moment", RULE, text, "leave the order out")]
    if turn < turn_number(FIRST):
        text = f"raids are made from {FIRST} on; this is {turn_name(turn)}"
        return [Problem("early", RULE, text, "leave the order out")]
    if raided:
        return [Problem("month", RULE, "a raid was made in this month; one a month may be", "leave the order out")]
    return []


def base_problems(state: State, h: int) -> list[Problem]:
    """Whether a hex may be raided: an airbase that the Axis player controls, in Egypt or Libya (WD 28.B.4)."""
    board, where = state.board, state.board.feature_names(h)
    if not any(board.in_region(h, country) for country in COUNTRIES):
        text = f"{where} lies neither in Egypt nor in Libya"
    elif not is_airbase(state, h):
        text = f"{where} is no airbase"
    elif state.owner(h) != TARGET:
        text = f"{where} is no airbase of the Axis player"
    else:
        return []
    return [Problem("no_base", RULE, text, "name an Axis airbase in Egypt or Libya", field="at")]


def victims(state: State, h: int) -> list[str]:
    """The air units one of which a raid makes inoperative: the operative ones at the base, in order of id (WD
    28.B.4)."""
    based = (aid for aid, air in state.air.items() if air.hex == h and air.operative and air.sortie is None)
    return sorted(aid for aid in based if state.world.air.get(aid, {}).get("side") == TARGET)


def succeeds(world: World, die: int) -> bool:
    """What the table of raids says of a die (WD 28.B.4, chart.raid)."""
    return next(row["result"] for row in rows(world.charts, "raid") if int(row["die"]) == die) == INOPERATIVE


def drawn(units: Iterable[str], die: int) -> str:
    """The air unit that a die draws among those that may be hit."""
    return list(units)[die - 1]
