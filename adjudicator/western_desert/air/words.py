"""Air units and their missions in words, for reports, read-backs, situations and templates (WD 16.A, 20)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Craft, craft_of
from adjudicator.western_desert.state import World
from adjudicator.western_desert.words import joined

MISSION_WORDS = {
    air.INTERCEPT: "to intercept over {at}",
    air.SCRAMBLE: "to {at}, out of the way of the bombs",
    air.ESCORT: "as escort to {at}",
    air.TRANSFER: "over to the base of {at}",
    air.AIRLIFT: "to carry {cargo} to {at}",
    air.FERRY: "to carry {cargo} to {at} and stay there",
    air.DROP: "to drop {cargo} on {at}",
    air.PORT: "to bomb the port of {at}",
    air.TACTICAL_PORT: "to bomb the port of {at} with tactical strength",
    air.CANAL: "to bomb the Suez Canal at {at}",
    air.AIRBASE: "to bomb the airbase of {at}",
    air.AIR_UNITS: "to bomb the air units at {at}",
    air.RAIL: "to bomb the railroad in {at}",
    air.SUPPRESS: "to suppress the antiaircraft of {at}",
    air.HARASS: "to harass whoever leaves {at}",
    air.GROUND_SUPPORT: "to support the attack on {at}",
    air.DEFENSIVE_SUPPORT: "to support the defence of {at}",
}
"""What a flight is for, behind a verb of flying; ``at`` is the target hex, ``cargo`` what is carried."""
MALTA_WORDS = ", for the status of Malta"
"""Behind the purpose of those whose hits on Valletta raise the status of Malta (WD 28.D.bomb)."""
FATE_WORDS = {
    air.UNHURT: "no effect",
    air.TURNED_BACK: "turned back",
    air.ABORTED: "aborted",
    air.ELIMINATED: "eliminated",
}
_NUMBERED = re.compile(r"^(.+) No\. (\d+)$")


def air_names(world: World, ids: Iterable[str]) -> str:
    """Air units as people list them, those of one kind together: ``Blen 4 Nos. 1 and 2 and Hurri 1 No. 3``."""
    groups: dict[str, list[str]] = {}
    for aid in ids:
        name = craft_of(world, aid).name or aid if aid in world.air else aid
        found = _NUMBERED.match(name)
        groups.setdefault(found.group(1) if found else name, []).extend([found.group(2)] if found else [])
    return joined([_together(kind, numbers) for kind, numbers in groups.items()])


def _together(kind: str, numbers: list[str]) -> str:
    if len(numbers) < 2:
        return f"{kind} No. {numbers[0]}" if numbers else kind
    ordered = [str(number) for number in sorted(int(one) for one in numbers)]
    return f"{kind} Nos. {joined(ordered)}"


def mission_words(mission: str, at: str, cargo: str = "") -> str:
    """What a flight is for: ``to bomb the port of Tobruk (18/4818)``."""
    return MISSION_WORDS[mission].format(at=at, cargo=cargo or "nothing")


def figures(craft: Craft) -> str:
    """The printed figures of an air unit: type, air attack and defense, tactical and strategic bombing, movement (WD
    chart.air-counter)."""
    return f"{craft.type} {craft.attack}-{craft.defense}, {craft.tactical}/{craft.strategic}, {craft.movement}"
