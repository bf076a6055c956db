"""Runner of the form overrun (CASE-FORMS 6): one overrun, odds and cost, through the order of the game."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt, as_number
from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.clashes import owners, place_units, states_of, stock
from adjudicator.western_desert.cases.core import Case, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.movement import overrun
from adjudicator.western_desert.mover import Field, mover_of
from adjudicator.western_desert.overrun import Overrun, bill_of, plan_overrun, reckon
from adjudicator.western_desert.state import State, other
from adjudicator.western_desert.units import Unit

STAND_IN = "stand-in"
HALVES = 2


@form("overrun")
def run_overrun(case: Case) -> Found:
    """One overrun, odds and cost."""
    given = case.given
    sides = owners(case, as_records(given.get("overrunners")), as_records(given.get("target")))
    state, target = _position(case, sides)
    ids = _overrunners(case, state, sides[0])
    if "odds" in given:
        _stand_in(state, sides[0], target, ids, int(str(given["odds"])))
    before = states_of(state, state.enemies_at(target, sides[0]))
    ctx = context(state)
    order = _order(case, state, target, ids)
    support = as_number(given.get("defensive_support")) or Fraction(0)
    made = plan_overrun(Field(state, sides[0]), sides[0], order, support)
    if made.reckoning is None:
        _reckon(state, sides[0], target, ids, support, made)
    values = _figures(made) | {"moved": [], "after": before, "supply": {"captured": 0, "eliminated": 0}}
    if not made.problems:
        drive(overrun(ctx, made), dice_of(case))
        values |= _outcome(ctx, ids, target, before)
    return Found(values, [made.problems])


def _position(case: Case, sides: tuple[str, str]) -> tuple[State, int]:
    """S and T side by side; everything else is clear and belongs to the overrunners."""
    given = case.given
    board = build.mini_board()
    target = build.CENTRE
    start = hexes.neighbours(target)[0]
    board.names[start] = "S"
    build.set_hex(board, target, str(given.get("terrain", "clear")), as_texts(given.get("features")))
    build.set_side(board, start, target, str(given.get("hexside", "")))
    build.set_line(board, str(given.get("line", "")), start, target)
    state = build.new_state(board, sides[0], "movement", sides[0])
    set_moment(state, given)
    state.player = sides[0]
    state.control[target] = sides[1]
    build.set_features(state, target, as_texts(given.get("features")), sides[1])
    place_units(case, state, as_records(given.get("target")), sides[1], target)
    stock(state, target, sides[1], given.get("supply"))
    for key, reach in as_record(given.get("ezoc")).items():
        if reach == "third":
            state.overlay_zoc.setdefault(sides[1], set()).add({"start": start, "target": target}[key])
    harassed = as_number(given.get("harassed"))
    if harassed:
        state.harassed[start] = int(harassed)
    return state, target


def _overrunners(case: Case, state: State, side: str) -> list[str]:
    """All of them in S, whatever one letter a case gives the hex; with several letters each in its own."""
    ids: list[str] = []
    used = case.given.get("mp_used")
    records = as_records(case.given.get("overrunners"))
    start = hexes.neighbours(build.CENTRE)[0]
    letters = list(dict.fromkeys(str(record.get("hex", "S")) for record in records))
    places = {letter: hexes.neighbours(build.CENTRE)[n] for n, letter in enumerate(letters[:6])}
    for record in records:
        full = {**build.full_record(case, record), **({"mp_used": used} if used is not None else {})}
        h = places.get(str(record.get("hex", "S")), start)
        for uid in build.put_all(case, state, [full], h, side):
            build.mp_used(case, full, state, uid)
            ids.append(uid)
    return ids


def _stand_in(state: State, side: str, target: int, ids: list[str], odds: int) -> None:
    """A target against which the overrunners have just these odds."""
    unit = Unit(STAND_IN, other(side), "", "infantry", "brigade", Fraction(0), Fraction(1), 8)
    build.put(state, unit, target)
    found = reckon(state, side, target, ids)
    state.world.units[STAND_IN] = Unit(
        STAND_IN, other(side), "", "infantry", "brigade", Fraction(0), found.strength / odds, 8
    )


def _order(case: Case, state: State, target: int, ids: list[str]) -> Order:
    """The one order of a case; without any, all overrun and stay."""
    if len(case.orders) > 1 or (case.orders and case.orders[0].get("order") != "overrun"):
        raise NotBuilt("several orders in one case of the form overrun")
    record = case.orders[0] if case.orders else {}
    units: list[Tree] = list(as_texts(record.get("units")) or ids)
    data: dict[str, Tree] = {"units": units, "hex": state.board.name(target)}
    if "advance" in record:
        data["advance"] = list(as_texts(record["advance"]))
    if record.get("by") == "road":
        data["by"] = "road"
    return Order(0, "overrun", data)


def _reckon(state: State, side: str, target: int, ids: list[str], support: Fraction, made: Overrun) -> None:
    """Odds and prices of an overrun that is unlawful before they are asked for; cases may ask for them all the same."""
    units = [uid for uid in ids if uid in made.order.texts("units")]
    made.reckoning = reckon(state, side, target, units, support)
    fld, odds = Field(state, side), made.reckoning.odds
    bills = (bill_of(fld, mover_of(state, uid), target, odds) for uid in units if state.unit(uid).movement)
    made.bills = [bill for bill in bills if bill is not None]


def _figures(made: Overrun) -> dict[str, object]:
    found = made.reckoning
    values: dict[str, object] = {}
    if found is not None:
        values |= {"strength": found.strength, "defense": found.defense, "odds": found.odds}
    if made.bills:
        dearest = max(made.bills, key=lambda bill: bill.cost2)
        values |= {
            "mp": Fraction(dearest.cost2, HALVES),
            "zoc_mp": Fraction(dearest.zone2, HALVES),
            "mp_each": {uid: Fraction(bill.cost2, HALVES) for bill in made.bills for uid in bill.mover.ids},
            "mp_left": min(Fraction(bill.mover.left2 - bill.cost2, HALVES) for bill in made.bills),
        }
    return values


def _outcome(ctx: Ctx[State], ids: list[str], target: int, before: dict[str, str]) -> dict[str, object]:
    state = ctx.state
    captured = [event.data for event in ctx.events if event.kind == "captured"]
    return {
        "moved": [uid for uid in ids if state.hex_of(uid) == target],
        "after": {uid: "eliminated" if uid in state.gone else side for uid, side in before.items()},
        "supply": {key: sum(int(str(data[key])) for data in captured) for key in ("captured", "eliminated")},
    }
