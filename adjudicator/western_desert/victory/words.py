"""Victory in words, for `status` and reports: the tally and what it comes from, what a period has brought, the end."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.units import number
from adjudicator.western_desert.victory.running import FINAL, final_items
from adjudicator.western_desert.victory.territory import CONDITIONS, Condition, period_of

PEOPLE = {"allied": "the Allies", "axis": "the Axis"}
OF_RULE = {
    "WD 31.D.cyrenaica": "Cyrenaica",
    "WD 31.D.egypt": "a city in Egypt",
    "WD 31.D.libya": "a city in Libya outside Cyrenaica",
    "WD chart.vp.capture": "captures",
    "WD 20.F.1.b": "hits on the Suez Canal",
    "WD 28.B.2": "garrisons that are short",
    "WD 29.C.missing": "withdrawals from the pool",
    "WD 32.A.aus": "Australians cut off",
    FINAL: "pools and points at the end",
    "WD 31": "units, as the scenario says",
}
"""What points come from, by the rule of their events; another rule says itself."""


def points_text(halves: int) -> str:
    """Points with their sign: ``+10``, ``-1 1/2``."""
    sign = "-" if halves < 0 else "+"
    return f"{sign}{number(Fraction(abs(halves), 2))}"


def total_text(halves: int) -> str:
    """A total: ``12``, ``-1 1/2``."""
    return points_text(halves).removeprefix("+")


def victory_lines(state: State) -> list[str]:
    """How the game was decided, the tally of both sides, what is due at the next check, what would count at the end."""
    if not state.vp2 and not state.tally and not state.met and not state.level:
        return []
    tallies = "; ".join(f"{PEOPLE[side]} {_tally(state, side)}" for side in ("allied", "axis"))
    lines = [f"Decided (WD 31): {level_words(state.level)}."] if state.level else []
    lines.append(f"Victory points (WD 31): {tallies}.")
    return lines if state.level else [*lines, *_due(state), *_at_end(state)]


def level_words(level: str) -> str:
    """``an Allied decisive victory``, ``a draw``."""
    side, _, name = level.partition(" ")
    return f"an {side.capitalize() if side == 'allied' else 'Axis'} {name} victory" if name else "a draw"


def _tally(state: State, side: str) -> str:
    parts = [
        f"{points_text(halves)} {OF_RULE.get(rule, rule)}"
        for (who, rule), halves in sorted(state.tally.items())
        if who == side and halves
    ]
    return total_text(state.vp2.get(side, 0)) + (f" ({', '.join(parts)})" if parts else "")


def _due(state: State) -> list[str]:
    """What has been earned in the period and is paid for at its end (WD 31.D)."""
    period = period_of(state.world, state.turn)
    if period is None:
        return []
    found = [_condition(state, condition) for condition in CONDITIONS if condition.id in state.met]
    after = turn_name(period.last)
    return [f"Earned already for the check after {after} (WD 31.D): {'; '.join(found)}."] if found else []


def _condition(state: State, condition: Condition) -> str:
    points = points_text(2 * condition.points(state.world))
    return f"{PEOPLE[condition.side]} {points} {OF_RULE[condition.rule]}"


def _at_end(state: State) -> list[str]:
    """What pools and points would count if the game were over now (WD chart.vp.end)."""
    said = []
    for side in ("allied", "axis"):
        items = final_items(state, side)
        if items:
            total = total_text(sum(item.vp2 for item in items))
            parts = ", ".join(f"{points_text(i.vp2)} {total_text(i.halves)} {i.what}" for i in items)
            said.append(f"{PEOPLE[side]} {total} ({parts})")
    return [f"At the end, as it stands (WD chart.vp.end): {'; '.join(said)}."] if said else []
