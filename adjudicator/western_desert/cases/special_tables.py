"""Runner of the form dice_table (CASE-FORMS 6), as far as tables are built: Greece and Italian disarray."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered
from adjudicator.engine.core import Event, Roll
from adjudicator.packs.load import load_pack
from adjudicator.western_desert import history
from adjudicator.western_desert.air.carrying_out import AA_KIND
from adjudicator.western_desert.balkans import from_greece, outcome
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.lookups import Asked, table, table_of_case
from adjudicator.western_desert.rolling import dice_per_roll
from adjudicator.western_desert.setup import DISARRAY_COUNTRY, disarray
from adjudicator.western_desert.state import Air, State, World, turn_name, turn_number
from adjudicator.western_desert.theatre import raids, vichy
from adjudicator.western_desert.theatre.phase import raid
from adjudicator.western_desert.world import world_from_pack

GREECE, DISARRAY = "greece", "italian_disarray"
RETURN = "Jun I 41"


@form("dice_table")
def run_dice_table(case: Case) -> Found:
    """Special tables that are rolled for units or events, item by item."""
    name, items = str(case.given.get("table")), as_records(case.given.get("items"))
    if name in OTHERS:
        return Found(OTHERS[name](case))
    if name not in (GREECE, DISARRAY):
        raise NotBuilt(f"the table {name} is not built in this version")
    state = build.new_state(build.real_world().board, "allied", "initial")
    ctx = context(state)
    if name == GREECE:
        _sent(case, state, items)
        drive(from_greece(ctx, "allied", ()), dice_of(case))
        results = _results(ctx.events)
    else:
        _based(state, items)
        drive(disarray(ctx), dice_of(case))
        results = ["operative" if state.air[_name(n)].operative else "inoperative" for n in range(len(items))]
    return Found({"results": Ordered([*results]), "inoperative": results.count("inoperative")})


def _raided(case: Case) -> dict[str, object]:
    """A raid on an Axis airbase in Libya at which the air units of the case are."""
    state = build.new_state(build.real_world().board, "allied", "initial")
    items = as_records(case.given.get("items"))
    _based(state, items)
    state.world = replace(state.world, air={aid: {**row, "side": "axis"} for aid, row in state.world.air.items()})
    for n, item in enumerate(items):
        state.air[_name(n)].operative = item.get("state") != "inoperative"
    before = [aid for aid, air in state.air.items() if air.operative]
    drive(raid(context(state), state.air[_name(0)].hex, ()), dice_of(case))
    return {"inoperative": sum(not state.air[aid].operative for aid in before)}


def _pressed(case: Case) -> dict[str, object]:
    """A roll of the Vichy table, and the grant that is in force after it."""
    told = str(case.given.get("grant_before", vichy.NO_GRANT))
    before = "" if told == vichy.NO_GRANT else told
    (roll,) = dice_of(case)(0, Roll("vichy", "vichy", count=2))
    return {"grant": vichy.better(before, vichy.outcome(build.real_world(), roll)) or vichy.NO_GRANT}


OTHERS = {"raid": _raided, "vichy": _pressed}


def _results(events: list[Event]) -> list[str]:
    return [str(event.data["result"]) for event in events if event.kind == "greece"]


def _name(n: int) -> str:
    return f"item-{n:02d}"


def _sent(case: Case, state: State, items: list[Record]) -> None:
    """The items in Greece, and the entries of the order of battle by which they come back."""
    rows, air = [], {}
    state.turn = turn_number(str(case.given.get("turn", RETURN)))
    for n, item in enumerate(items):
        uid = _name(n)
        if item.get("kind") == "air":
            air[uid] = {"id": uid}
        else:
            unit = build.make_unit(uid, {"type": "infantry", "size": "brigade", "supported": False}, "allied")
            state.world.units[uid] = replace(unit, heavy=item.get("heavy") is True)
        row = {"id": uid, "turn": turn_name(state.turn), "side": "allied", "kind": "return", "unit": uid}
        rows.append({**row, "area": "greece_table"})
        state.put_by(uid, GREECE)
    state.world = replace(state.world, events=tuple(rows), air=air)


def _based(state: State, items: list[Record]) -> None:
    """Italian air units where the items say, in Libya where they say nothing."""
    named = {_name(n): str(item.get("at", DISARRAY_COUNTRY)) for n, item in enumerate(items)}
    state.world = replace(state.world, air={name: {"id": name, "nat": "italian"} for name in named})
    land = sorted(state.board.land)
    for name, region in named.items():
        state.air[name] = Air(next(h for h in land if state.board.in_region(h, region)))


@table("greece")
def _greece(asked: tuple[object, ...]) -> tuple[object, ...]:
    """What the Campaign in Greece table says of a die, for a ground and an air unit."""
    world, die = build.real_world(), int(str(asked[0]))
    return outcome(world, die, "ground"), outcome(world, die, "air")


@table_of_case("withdrawals_to_greece", "due")
def _withdrawals(case: Case, asked: Asked) -> Asked:
    """How many units are to go to Greece on a turn, by the order of battle under the options of the case."""
    leaving = [row for row in _world(case).events if row.get("kind") == "withdraw" and row.get("to") == GREECE]
    return (sum(row.get("turn") == asked[0] for row in leaving),)


@table_of_case("dates", "turn")
def _dates(case: Case, asked: Asked) -> Asked:
    """When what hangs on the Balkan campaign happens, under the options of the case (WD 26.D, 27.B.1, 32.B)."""
    world = _world(case)
    dates = {"axis_holds_crete": history.fall_of_crete, "axis_shipping_map_19": history.fall_of_crete}
    dates["german_1941_special"] = history.first_forces
    return (dates[str(asked[0])](world),)


def _world(case: Case) -> World:
    return world_from_pack(load_pack("western-desert").tree, "campaign", case.switches)


@table("dice_per_roll", "dice")
def _dice_per_roll(asked: Asked) -> Asked:
    """Dice of a kind of roll as the game rolls it (WD 3.D.3)."""
    return (dice_per_roll(AA_KIND if asked[0] == "aa" else str(asked[0])),)


@table("vichy", "result")
def _vichy(asked: tuple[object, ...]) -> tuple[object, ...]:
    """What the Vichy table says of a roll and its modifier."""
    roll, change = (int(str(cell)) for cell in asked)
    return (vichy.outcome(build.real_world(), roll, change) or vichy.NO_GRANT,)


@table("raid", "result")
def _raid(asked: tuple[object, ...]) -> tuple[object, ...]:
    """What the table of raiding forces says of a die."""
    return (raids.INOPERATIVE if raids.succeeds(build.real_world(), int(str(asked[0]))) else "none",)
