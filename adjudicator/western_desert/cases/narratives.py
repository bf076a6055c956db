"""Runner of the form narrative (CASE-FORMS 6): a case in words is answered by a small play of what it tells.

The play gives back the words that the case expects where what they say came about, else what came about instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adjudicator.engine.casecheck import Found, NotBuilt
from adjudicator.western_desert.air.allocation import FLYING, INTERCEPTING
from adjudicator.western_desert.air.craft import AIRBASE, ESCORT, INTERCEPT, Craft, Flight
from adjudicator.western_desert.air.engagement import fight_all
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.sky import battles, sky_over
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.cases.core import Case, form

Play = Callable[[], str]
_plays: dict[str, Play] = {}
HEXES = (1, 2)
SEVEN = 7


def play(case: str) -> Callable[[Play], Play]:
    """Register the play of a case."""

    def register(function: Play) -> Play:
        _plays[case] = function
        return function

    return register


@form("narrative")
def run_narrative(case: Case) -> Found:
    """What a case tells in words, played."""
    if case.id not in _plays:
        raise NotBuilt(f"form narrative: what {case.id} tells is not played in this version")
    return Found({"text": _plays[case.id]()})


@play("AC-24")
def _hex_by_hex() -> str:
    """Air combats in two hexes: the hexes of all shots, in the order fired."""
    tables = air_tables(real_world())
    found = battles(flight for h in HEXES for flight in _raid(h))
    over = [sky_over(tables, f"H{battle.hex}", battle.flights) for battle in found]
    outcomes = fight_all(over, {FLYING: Defaults(), INTERCEPTING: Defaults()}, lambda _shot: SEVEN)
    places = [fired.shot.label.split("/")[1] for outcome in outcomes for fired in outcome.fired]
    if places == sorted(places) and set(places) == {f"H{h}" for h in HEXES}:
        return "All air combat of one hex is finished before the next hex is begun."
    return f"The shots are fired over {', '.join(places)}."


def _raid(h: int) -> Iterator[Flight]:
    """A bomber with an escort, and two interceptors, over a hex."""
    for mission, kind, count in ((INTERCEPT, "F", 2), (ESCORT, "F", 1), (AIRBASE, "B", 1)):
        for number in range(count):
            yield Flight(Craft(f"{mission}-{h}-{number}", kind, attack=4, defense=4), mission, target=h)
