"""What the victory point table pays for what (WD chart.vp), and the count at the end of the game (WD chart.vp.end)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.orderbook import ELIMINATED
from adjudicator.western_desert.state import AIR_POOL, State, World
from adjudicator.western_desert.world import rows, text

BOTH = "both"
GARRISON = "RE or headquarters missing from a garrison"
POOL, SCRAPPED = "RE in the replacement pool", "scrapped RE"
GROUND_RP, AIR_RP = "accumulated ground replacement point", "accumulated air replacement point"
AIR_UNITS = "air unit in the replacement pool"
STORE = "malta/"
"""What the keys of replacement points begin with that lie on Malta (WD 33.B)."""
OUT = {"replacement_pool": ELIMINATED, "scrapped": "scrapped"}
"""Boxes of a set-up that count at the end, with what is said of a ground unit in them."""
EIGHTHS = 8


def price(world: World, side: str, what: str) -> int:
    """The points that a side gains or loses for one of ``what`` (WD 31.C, chart.vp). Raises :class:`ChartMissing` for a
    pack that does not say."""
    for row in rows(world.charts, "victory_points"):
        if text(row, "for") == what and text(row, "side") in (side, BOTH):
            return int(text(row, "points"))
    raise ChartMissing(f"the chart victory_points has no row of the {side} side for {what}")


def garrison_points(world: World, short: int) -> int:
    """What missing REs and headquarters of a required garrison cost the Allies (WD 28.B.2, chart.vp)."""
    return short * price(world, "allied", GARRISON)


class Count(NamedTuple):
    """What is counted for a side at the end of the game: half REs in the pool and scrapped, whole ground replacement
    points, air units in the pool, whole air replacement points (WD chart.vp.end)."""

    pool2: int = 0
    scrapped2: int = 0
    ground_rp: int = 0
    air_pool: int = 0
    air_rp: int = 0

    def less(self, other: Count) -> Count:
        """What has come to it since another count."""
        return Count(*(mine - before for mine, before in zip(self, other, strict=True)))


class Final(NamedTuple):
    """One item of the count at the end: what it is of, how many halves of it, half victory points."""

    what: str
    halves: int
    vp2: int


def final_points(world: World, side: str, count: Count) -> list[Final]:
    """Half victory points for each item of the count (WD chart.vp.end); a half RE counts half."""
    told = (
        (POOL, count.pool2),
        (SCRAPPED, count.scrapped2),
        (GROUND_RP, 2 * count.ground_rp),
        (AIR_UNITS, 2 * count.air_pool),
        (AIR_RP, 2 * count.air_rp),
    )
    return [Final(what, halves, halves * price(world, side, what)) for what, halves in told if halves]


def count_of(state: State, side: str) -> Count:
    """What a side has in its pools and at hand. Points in Europe are not accumulated yet; parts of a point of one
    nationality and kind are none (WD 29.B, chart.vp.end)."""
    nations = {unit.nat for unit in state.world.units.values() if unit.side == side}
    nations |= {text(row, "nat") for row in state.world.air.values() if text(row, "side") == side}
    nations |= {"any"} if side == "allied" else set()
    have8 = [(key.removeprefix(STORE), have) for key, have in sorted(state.points.items())]
    own: dict[str, int] = {}
    for key, have in have8:
        if nation_of(key) in nations:
            own[key] = own.get(key, 0) + have // EIGHTHS
    return Count(
        pool2=sum(_sizes(state, side, ELIMINATED)),
        scrapped2=sum(_sizes(state, side, OUT["scrapped"])),
        ground_rp=sum(have for key, have in own.items() if not key.endswith("_air")),
        air_pool=sum(
            kept.box == AIR_POOL and text(state.world.air.get(aid, {}), "side") == side
            for aid, kept in state.boxes.items()
        ),
        air_rp=sum(have for key, have in own.items() if key.endswith("_air")),
    )


def nation_of(key: str) -> str:
    """The nationality of replacement points: that of ``british_non_armor`` is ``british``."""
    for kind in ("_non_armor", "_armor", "_air"):
        if key.endswith(kind):
            return key.removesuffix(kind)
    return key


def _sizes(state: State, side: str, why: str) -> Iterator[int]:
    units = state.world.units
    return (state.unit(uid).re2 for uid, said in state.gone.items() if said == why and units[uid].side == side)


def set_up_count(world: World, side: str) -> Count:
    """What lay in the pools of a side when the scenario began; scenarios count what came since."""
    sizes = dict.fromkeys(OUT, 0)
    air = 0
    for row in rows(world.scenario, "boxes"):
        uid, box = text(row, "unit"), text(row, "box")
        unit = world.units.get(uid)
        if unit is not None and unit.side == side and box in sizes:
            sizes[box] += unit.re2
        air += unit is None and box == AIR_POOL and text(world.air.get(uid, {}), "side") == side
    return Count(pool2=sizes["replacement_pool"], scrapped2=sizes["scrapped"], air_pool=air)
