"""What the second look at air phases says of air units that stage through Europe (WD 33.F)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.western_desert.air_umpire import AirUmpire

FROM_JUNE = 13
"""Jun I 41 as a game turn."""


def look_staged(umpire: AirUmpire, data: Mapping[str, Any]) -> None:
    """From an island base to Europe, or back: the islands, the dates, who is where (WD 33.F)."""
    from tests.western_desert.air_umpire import Flown

    aid, tow, h = str(data["air"]), str(data["tow"]), umpire.where(data)
    country, late = umpire.state.board.land[h].country, umpire.state.turn >= FROM_JUNE
    fits = (country == "Sicily" or (late and country in ("Crete", "Rhodes"))) and umpire._is_base(h)
    umpire.want(fits and umpire.state.owner(h) == str(data["side"]) == "axis", f"{aid} is staged over {data['hex']}")
    out, there = data["way"] == "out", [one for one in (aid, tow) if one and one not in umpire.state.air]
    umpire.want(bool(there) != out, f"{aid} is staged {data['way']} from where it is not")
    umpire.used[h] += out
    umpire.up.pop(aid, None)
    if not out:
        umpire.up[aid] = Flown(aid, "axis", "transfer", h, h, night=data.get("night") == "yes", tow=tow)
        umpire.legs |= {one: [3 * umpire.figure(aid, "movement")] for one in (aid, tow) if one}
