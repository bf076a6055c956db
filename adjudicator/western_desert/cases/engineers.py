"""Runner of the form works (CASE-FORMS 6): engineers and other units build, repair, destroy.

Orders run through the phases of the game. A work that takes turns is followed from one own initial phase to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found, as_number
from adjudicator.engine.core import Ctx, Event, Order, Problem, Proc, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_points
from adjudicator.western_desert.bases import AIRBASE, PORT, capacity
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.railways import construction
from adjudicator.western_desert.cases.waiting import Wait, follow
from adjudicator.western_desert.cases.walks import set_moment, side_of
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.divisional import TASKS, run_divisional
from adjudicator.western_desert.forts import begin_works
from adjudicator.western_desert.labor import ENGINEERS, worker
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.mover import mover_of
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.sites import FORT, FORTRESS, SITES
from adjudicator.western_desert.state import State, turn_name, turn_number
from adjudicator.western_desert.works import airfield2

HALVES = 2
USUAL_TURN = "Mar I 41"  # no dated rule stands in the way
MOVING = ("movement", "exploitation")
WORK_EVENTS = ("rail-broken", "rail-repaired")
REPAIRS = ("rail-repaired", "port-repaired", "airbase-repaired")


@dataclass
class Scene:
    """The position of a case: who works where, with how many half MPs when it begins."""

    case: Case
    state: State
    hex: int
    side: str
    ids: list[str] = field(default_factory=list)
    available2: int = 0


@form("works")
def run_works(case: Case) -> Found:
    """Engineers and other units build, repair, destroy."""
    if "railhead" in case.given:
        return construction(case)
    scene = _scene(case)
    ctx = context(scene.state)
    if "started" in case.given:
        _started(ctx, scene)
    orders = [_order(scene, index, record) for index, record in enumerate(case.orders)]
    for order in orders:
        drive(_run(ctx, scene, order), dice_of(case))
    verdicts = [[problem for problem in ctx.problems if problem.order == order.index] for order in orders]
    needed2 = _needed2(scene, orders[0]) if orders else 0
    waited = _wait(ctx, scene, bool(orders))
    values = {"needed": Fraction(needed2, HALVES), "available": Fraction(scene.available2, HALVES)}
    return Found({**_values(ctx, scene, orders), **values, **_waited(ctx, scene, waited)}, verdicts)


# --- the position -----------------------------------------------------------------------------------------------


def _scene(case: Case) -> Scene:
    place, records = as_record(case.given.get("place")), as_records(case.given.get("units"))
    board, h = _place(place)
    side = side_of(case, records, str(case.given.get("player", "allied")))
    state = build.new_state(board, side, "movement", side)
    state.world = replace(state.world, switches=case.switches)
    state.turn = turn_number(USUAL_TURN)
    set_moment(state, case.given)
    scene = Scene(case, state, h, side)
    for record in records:
        for uid in build.put_all(case, state, [record], h, side):
            scene.ids.append(uid)
            _spend(scene, build.full_record(case, record), uid)
    build.set_features(state, h, as_texts(place.get("features")), side)
    for key, table in (("port_hits", state.port_hits), ("airbase_hits", state.base_hits)):
        hits = int(str(place.get(key, 0)))
        if hits:
            table[h] = hits
    if place.get("broken") is True:
        state.broken.add(h)
    scene.available2 = sum(worker(state, uid).left2 for uid in scene.ids)
    return scene


def _place(place: Record) -> tuple[Board, int]:
    if "name" in place:
        return _named(place)
    board, h = build.mini_board(), build.CENTRE
    build.set_hex(board, h, str(place.get("terrain", "clear")), as_texts(place.get("features")))
    build.set_line(board, str(place.get("line", "")), h, hexes.neighbours(h)[0])
    return board, h


def _named(place: Record) -> tuple[Board, int]:
    """A place of the real map; what the case says of it besides goes before the print."""
    real = build.real_world().board
    h, line = build.find_hex(real, str(place["name"])), str(place.get("line", ""))
    board = replace(
        real,
        land=dict(real.land),
        roads=set(real.roads),
        rails=set(real.rails),
        line_names=dict(real.line_names),
    )
    info = board.land[h]
    fortress = info.fortress or any("fortress" in feature for feature in as_texts(place.get("features")))
    board.land[h] = info._replace(terrain=str(place.get("terrain", info.terrain)), fortress=fortress)
    if line and not any((h, n) in (board.rails if line == "rail" else board.roads) for n in hexes.neighbours(h)):
        build.set_line(board, line, h, next(iter(board.open_neighbours(h))))
    return board, h


def _spend(scene: Scene, record: Record, uid: str) -> None:
    """``mp_left`` of a record: what is not left of the phase has been spent."""
    left = as_number(record.get("mp_left"))
    if left is not None:
        piece = scene.state.pieces[uid]
        piece.spent2 = max(0, mover_of(scene.state, uid).allowance2 - int(HALVES * left))
        piece.entered = 1 if piece.spent2 else 0
        piece.means = "normal" if piece.entered else ""


# --- orders -----------------------------------------------------------------------------------------------------


def _order(scene: Scene, index: int, record: Record) -> Order:
    """The order of the units named, else of those of the case who can do such work."""
    kind = str(record["order"])
    units = as_texts(record.get("units")) or as_texts(record.get("unit")) or _workers(scene, kind, record)
    fields = TYPES[kind].fields
    data: dict[str, Tree] = {"units": [*units]} if "units" in fields and len(units) > 1 else {"unit": units[0]}
    for name in ("what", "hits", "points"):
        if name in record and name in fields:
            data[name] = str(record[name])
    if kind == "div_engineers":
        data["what"] = _task(str(record.get("what", "")))
    return Order(index, kind, data)


def _workers(scene: Scene, kind: str, record: Record) -> list[str]:
    """Those fit for the work, or all where nobody is; work that one unit does goes to the first that can pay."""
    unit = scene.state.unit
    if kind == "damage_airbase":
        fit = [uid for uid in scene.ids if unit(uid).attack or unit(uid).defense]
    elif kind == "div_engineers":
        fit = [uid for uid in scene.ids if unit(uid).size in ("division", "headquarters")]
    else:
        fit = [uid for uid in scene.ids if kind == "break_rail" or unit(uid).type == ENGINEERS]
    fit = fit or scene.ids
    if kind in ("build_airfield", "demolish_port", "damage_airbase") or record.get("what") in (PORT, AIRBASE):
        return fit
    cost2 = _cost2(scene, kind, str(record.get("what", "")))
    return [next((uid for uid in fit if worker(scene.state, uid).left2 >= cost2), fit[0])]


def _task(text: str) -> str:
    """A task of divisional engineers as the order writes it: ``repair_port``, ``start_fort``."""
    if text in TASKS:
        return text
    verbs = {"build": "start", "hit": "demolish", "damage": "demolish", "complete": "finish", "begin": "start"}
    verb, _, what = text.partition("_")
    guess = f"{verbs.get(verb, verb)}_{what}" if what else f"repair_{verb}"
    return guess if guess in TASKS else text


def _run(ctx: Ctx[State], scene: Scene, order: Order) -> Proc[None]:
    """The order in the phase of the case, else in that of such orders."""
    state, given = ctx.state, scene.case.given
    phase = str(given.get("phase") or ("initial" if order.type in SITES else "movement"))
    state.phase = state.step = phase
    player = str(given.get("player", scene.side))
    if phase in MOVING:
        yield from movement_phase(ctx, player, [order], ())
    elif phase == "initial" and order.type in SITES:
        begin_works(ctx, player, [order], ())
    else:
        text = f"{order.type} is no order of the {phase} phase"
        ctx.void(order, [Problem("phase", TYPES[order.type].rule, text, "give it in its phase")])


# --- work that takes turns --------------------------------------------------------------------------------------


def _started(ctx: Ctx[State], scene: Scene) -> None:
    """Begin the work at the moment the case says, by the rules of the game; then the moment of the case is set."""
    state, given = ctx.state, scene.case.given
    what = FORTRESS if state.fortress(scene.hex) == "unimproved" else FORT
    wait = Wait(scene.side, str(given["started"]))
    now = (state.turn, state.player) if "turn" in given or "player" in given else (wait.turn, wait.player)
    state.turn, state.player = wait.turn, wait.player
    if any(state.unit(uid).type == ENGINEERS for uid in scene.ids):
        state.phase = "initial"
        kind = next(name for name, made in SITES.items() if made == what)
        begin_works(ctx, wait.player, [Order(-1, kind, {"unit": _workers(scene, kind, {})[0]})], ())
    else:
        state.phase = "movement"
        uid = _workers(scene, "div_engineers", {})[0]
        run_divisional(ctx, wait.player, Order(-1, "div_engineers", {"unit": uid, "what": f"start_{what}"}), ())
        now = now if now != (wait.turn, wait.player) else (wait.turn + 1, wait.player)
    if now != (wait.turn, wait.player):
        ctx.emit("phase", "WD 4.A", turn=turn_name(now[0]), player=now[1], phase="initial")
    state.step = state.phase


def _wait(ctx: Ctx[State], scene: Scene, ordered: bool) -> Wait | None:
    """Let the initial phases pass that the case speaks of; without any word of them, one after a work was started."""
    given = scene.case.given
    asked = {"supply_by_turn", "left"} & given.keys() or {"completes"} & scene.case.expect.keys()
    if not ctx.state.sites or not (asked or ("started" in given and not ordered)):
        return None
    supplied = [flag is True for flag in _flags(given.get("supply_by_turn"))]
    wait = Wait(scene.side, "", supplied or [True], str(given.get("left", "")))
    drive(follow(ctx, wait, scene.hex), dice_of(scene.case))
    return wait


def _flags(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else []


# --- the result -------------------------------------------------------------------------------------------------


def _cost2(scene: Scene, kind: str, what: str) -> int:
    charts = charts_of(scene.state.world)
    costs = {
        "build_airfield": airfield2(scene.state),
        "demolish_port": charts.engineer2["demolish_port"],
        "damage_airbase": charts.misc2["damage_airbase"],
        "break_rail": charts.misc2["break_rail"],
        "repair": charts.repair2.get(what, 0),
    }
    return costs.get(kind, 0)


def _needed2(scene: Scene, order: Order) -> int:
    """What the order would need: the price of a hit for each one named, else of one."""
    return _cost2(scene, order.type, order.text("what")) * int(order.text("hits", "1"))


def _values(ctx: Ctx[State], scene: Scene, orders: Sequence[Order]) -> dict[str, object]:
    state, h = ctx.state, scene.hex
    what = _subject(scene, orders)
    built = [str(event.data["what"]) for event in ctx.events if event.kind == "work-done"]
    return {
        "mp": Fraction(sum(_paid2(event) for event in ctx.events), HALVES),
        "removed": sum(int(str(e.data.get("hits") or "1")) for e in ctx.events if e.kind in REPAIRS),
        "hits": (state.port_hits if what == PORT else state.base_hits).get(h, 0),
        "capacity": capacity(state, h, what),
        "built": built[-1] if built else "none",
        "fort": _fort(state, h),
        "fortress": state.fortress(h),
    }


def _subject(scene: Scene, orders: Sequence[Order]) -> str:
    """Whether hits and capacity are those of the port or of the airbase: as the orders say, else as the place does."""
    words = [f"{order.type} {order.text('what')}" for order in orders]
    named = [what for word in words for what in (PORT, AIRBASE) if what in word]
    if named:
        return named[-1]
    return PORT if "port_hits" in as_record(scene.case.given.get("place")) else AIRBASE


def _paid2(event: Event) -> int:
    """Half MPs of a work; what carries a worker pays once."""
    if event.kind in WORK_EVENTS:
        return mp_points(str(event.data.get("mp") or "0"))
    rows = event.data.get("costs", [])
    costs = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return sum(mp_points(str(row["mp"])) for row in costs if row.get("transport", row["unit"]) == row["unit"])


def _fort(state: State, h: int) -> str:
    if (h, FORT) in state.sites or (h, FORTRESS) in state.sites:
        return "under_way"
    return "complete" if h in state.forts or state.fortress(h) == "improved" else "none"


def _waited(ctx: Ctx[State], scene: Scene, waited: Wait | None) -> dict[str, object]:
    if waited is None:
        return {}
    return {"completes": waited.done, "fort": _fort(ctx.state, scene.hex)}
