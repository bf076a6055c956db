"""Runner of the form score (CASE-FORMS 6): victory points, levels, the end of the game.

The facts of a case are played on the real map with the campaign's periods: ground changes hands turn by turn, and what
play notices of it is compared. Other modules add facts of their own chapters with :func:`facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered, as_number
from adjudicator.engine.core import Ctx
from adjudicator.packs import load_pack
from adjudicator.western_desert.air.bombing import canal_points
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.state import ENEMY, State, World, turn_number
from adjudicator.western_desert.victory.levels import level
from adjudicator.western_desert.victory.points import Count, final_points, garrison_points
from adjudicator.western_desert.victory.running import FINAL, open_period, turn_over, watch
from adjudicator.western_desert.victory.tally import change_vp
from adjudicator.western_desert.victory.territory import EGYPT, LIBYA, Period, cities, period_of
from adjudicator.western_desert.world import world_from_pack

Facts = Callable[[Case, Ctx[State], Found], None]
_facts: dict[str, Facts] = {}
SCENARIO = "campaign"
OF_CITY = {"egypt": EGYPT, "libya_outside_cyrenaica": LIBYA}
SIZES = {"full_city": "full", "dot_city": "dot", "reference_city": "ref"}
CITIES = "cities"


def facts(key: str) -> Callable[[Facts], Facts]:
    """Register what a key of ``given`` brings: points by events, or values of its own."""

    def register(function: Facts) -> Facts:
        _facts[key] = function
        return function

    return register


@cache
def campaign() -> World:
    """The whole war, with its periods. Shared by all cases: never change it."""
    return world_from_pack(load_pack("western-desert").tree, SCENARIO)


@form("score")
def run_score(case: Case) -> Found:
    """Victory points by the facts that the case tells, one after the other."""
    given = case.given
    state = State(replace(campaign(), switches=case.switches), phase="movement", player="allied")
    state.turn = turn_number(str(given.get("turn", "Dec II 40")))
    state.vp2 = {side: int(2 * (as_number(n) or 0)) for side, n in as_record(given.get("tally")).items()}
    before = dict(state.vp2)
    ctx, found = context(state), Found()
    unknown = [key for key in given if key not in _facts and key not in PLAIN]
    if unknown:
        raise NotBuilt(f"the facts {', '.join(unknown)} of the form score are not built in this version")
    for key in given:
        if key in _facts:
            _facts[key](case, ctx, found)
    found.values |= {
        "vp": {side: Fraction(state.vp2.get(side, 0), 2) for side in ENEMY},
        "change": {side: Fraction(state.vp2.get(side, 0) - before.get(side, 0), 2) for side in ENEMY},
        "game_over": bool(state.level),
        "level": state.level,
    }
    return found


PLAIN = ("turn", "player", "tally", "checks", "held", CITIES)
"""Keys that others read."""


def _give(ctx: Ctx[State], side: str, places: tuple[int, ...]) -> None:
    """Ground changes hands, and play takes notice."""
    ctx.state.control.update(dict.fromkeys(places, side))
    watch(ctx)


# --- what happens at once ---------------------------------------------------------------------------------------


@facts("events")
def _events(case: Case, ctx: Ctx[State], found: Found) -> None:
    for row in as_records(case.given.get("events")):
        world, kind, n = ctx.state.world, str(row["event"]), int(str(row.get("n", 1)))
        if kind == "canal_hit":
            change_vp(ctx, "axis", 2 * canal_points(world, n), "WD 20.F.1.b", (), "hits on the Suez Canal")
        elif kind == "capture":
            _give(ctx, str(row["player"]), cities(world, str(row["of"])))
        else:
            short = int(str(row.get("re", 0))) + int(str(row.get("hq", 0)))
            change_vp(ctx, "allied", 2 * garrison_points(world, short), "WD 28.B.2", (), "a garrison is short")


@facts("holds_all")
def _holds_all(case: Case, ctx: Ctx[State], found: Found) -> None:
    row = as_record(case.given["holds_all"])
    _give(ctx, str(row["player"]), cities(ctx.state.world, str(row["region"])))


@facts("holds_all_but_one")
def _holds_all_but_one(case: Case, ctx: Ctx[State], found: Found) -> None:
    row = as_record(case.given["holds_all_but_one"])
    _give(ctx, str(row["player"]), cities(ctx.state.world, str(row["region"]))[1:])


@facts("at_end")
def _at_end(case: Case, ctx: Ctx[State], found: Found) -> None:
    told, side = as_record(case.given["at_end"]), str(case.given.get("player", "allied"))
    number = {key: as_number(value) or Fraction(0) for key, value in told.items()}
    count = Count(
        pool2=int(2 * number.get("pool_re", 0)),
        scrapped2=int(2 * number.get("scrapped_re", 0)),
        ground_rp=int(number.get("ground_rp", 0)),
        air_pool=int(number.get("air_pool", 0)),
        air_rp=int(number.get("air_rp", 0)),
    )
    for item in final_points(ctx.state.world, side, count):
        change_vp(ctx, side, item.vp2, FINAL, (), item.what)


# --- periods ----------------------------------------------------------------------------------------------------


@facts("check")
def _check(case: Case, ctx: Ctx[State], found: Found) -> None:
    found.values["award"] = _period(case, ctx, str(case.given["check"]))


@facts("checks")
def _checks(case: Case, ctx: Ctx[State], found: Found) -> None:
    found.values["awards"] = Ordered([_period(case, ctx, turn) for turn in as_texts(case.given["checks"])])


def _period(case: Case, ctx: Ctx[State], check: str) -> dict[str, Fraction]:
    """Play a period through to its check; what it pays each side."""
    state = ctx.state
    period = period_of(state.world, turn_number(check))
    if period is None:
        raise ValueError(f"no period ends with {check}")
    before = dict(state.vp2)
    state.turn, state.control = period.first, _standing(case, ctx, period.first - 1)
    open_period(ctx)
    for turn in range(period.first, period.last + 1):
        state.turn = turn
        for holds in _at(case, ctx, turn, period):
            state.control = {}
            for side, places in holds:
                _give(ctx, side, places)
        turn_over(ctx, last=True)
    return {side: Fraction(state.vp2.get(side, 0) - before.get(side, 0), 2) for side in ENEMY}


Holds = list[tuple[str, tuple[int, ...]]]


def _standing(case: Case, ctx: Ctx[State], turn: int) -> dict[int, str]:
    """Who holds what at the end of a turn, before a period begins."""
    rows = [row for row in as_records(case.given.get("held")) if _spans(row, turn) and _spans(row, turn + 1)]
    return {h: str(row["player"]) for row in rows for h in _places(ctx, row)}


def _at(case: Case, ctx: Ctx[State], turn: int, period: Period) -> Iterator[Holds]:
    """The holdings of a turn; what is told of cities at once comes in the last turn, a side after the other."""
    rows = [row for row in as_records(case.given.get("held")) if _spans(row, turn)]
    yield [(str(row["player"]), _places(ctx, row)) for row in rows]
    told = as_record(case.given.get(CITIES))
    if told and turn == period.last:
        all_of = cities(ctx.state.world, str(told["region"]))
        missing = {who: int(str(told["total"])) - int(str(n)) for who, n in as_record(told["most_at_once"]).items()}
        for side, rest in missing.items():
            yield [(side, all_of[rest:])]


def _spans(row: Record, turn: int) -> bool:
    first, last = str(row.get("at") or row["from"]), str(row.get("at") or row["to"])
    return turn_number(first) <= turn <= turn_number(last)


def _places(ctx: Ctx[State], row: Record) -> tuple[int, ...]:
    """All cities of the region, or one of the kind told."""
    world = ctx.state.world
    if "region" in row:
        return cities(world, str(row["region"]))
    within = [h for h in cities(world, OF_CITY[str(row["city"])]) if h not in cities(world, "cyrenaica")]
    size = SIZES.get(str(row.get("kind")), "")
    return (next(h for h in within if not size or any(c.size == size for c in world.board.land[h].cities)),)


# --- tables -----------------------------------------------------------------------------------------------------


@table("victory_level", "level")
def _level(asked: Asked) -> Asked:
    allied, axis = (as_number(value) or Fraction(0) for value in asked)
    return (level(campaign(), allied, axis),)

