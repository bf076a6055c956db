"""What each event does to the state: the only place where a state of Western Desert changes (DESIGN, rule 4).

Kinds and fields are listed in docs/state-format.md. Hexes are written by number, movement points as decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.western_desert.air.events import AIR_APPLY
from adjudicator.western_desert.sea.events import SEA_APPLY, use_port
from adjudicator.western_desert.state import (
    AIR_POOL,
    ASSEMBLED,
    BREAKDOWN,
    CADRE,
    Air,
    Depot,
    Piece,
    Site,
    State,
    Supply,
    turn_number,
)
from adjudicator.western_desert.theatre.events import THEATRE_APPLY, note_pool
from adjudicator.western_desert.units import fraction
from adjudicator.western_desert.victory.events import VICTORY_APPLY

OUT_OF_PLAY = {"replacement_pool": "eliminated", "scrapped": "scrapped", "removed": "permanent"}
"""Boxes whose ground units are out of play, with what is said of them; the eliminated are the replacement pool."""
DROP_OVER = "WD 25.B"  # zones that come back belong to the player turn that is over, see turn.py
WATCHED = "33.D"  # the option that asks whether a unit has moved or attacked in the player turn


def mp_text(points2: int) -> str:
    """Half movement points as text: 13 -> ``6.5``, 12 -> ``6``."""
    return f"{points2 // 2}.5" if points2 % 2 else str(points2 // 2)


def mp_points(text: str) -> int:
    """Half movement points of ``6.5``."""
    whole, _, half = text.partition(".")
    return 2 * int(whole) + (1 if half == "5" else 0)


def _deploy(state: State, event: Event) -> None:
    state.place(_get(event, "unit"), state.board.find(_get(event, "hex")), _get(event, "step") == "cadre")


def _deploy_air(state: State, event: Event) -> None:
    state.air[_get(event, "air")] = Air(state.board.find(_get(event, "hex")), _get(event, "state") != "inoperative")


def _deploy_supply(state: State, event: Event) -> None:
    counter = Supply(state.board.find(_get(event, "hex")), _get(event, "side"), int(_get(event, "steps")))
    state.supply[_get(event, "counter")] = counter


def _deploy_works(state: State, event: Event) -> None:
    h = state.board.find(_get(event, "hex"))
    if _get(event, "what") in ("fort", "airfield"):
        held = state.forts if _get(event, "what") == "fort" else state.airfields
        held[h] = _get(event, "side")
    elif _get(event, "state") == "unimproved":
        state.unimproved.add(h)
    else:
        state.unimproved.discard(h)


def _control(state: State, event: Event) -> None:
    side = _get(event, "side")
    for text in _list(event, "hexes"):
        h = state.board.find(text)
        if state.phase != "setup" and event.rule != DROP_OVER:
            state.taken.setdefault(h, state.owner(h))
        state.control[h] = side
        if state.theatre.vichy and state.board.land[h].cities:
            state.hold_city(h)
        for held in (state.forts, state.airfields):
            if h in held:
                held[h] = side
    for text in _list(event, "fortresses"):
        state.unimproved.add(state.board.find(text))
    for text in _list(event, "forts"):
        state.forts.pop(state.board.find(text), None)


def _deploy_box(state: State, event: Event) -> None:
    """A counter off the map; the components of a division that is whole say how large it is (WD 3.E, 15.B)."""
    uid, box, of = _get(event, "unit"), _get(event, "box"), _get(event, "of")
    if box in OUT_OF_PLAY and uid in state.world.units:
        state.gone[uid] = OUT_OF_PLAY[box]
        return
    state.put_by(uid, box, of, _get(event, "step") == "cadre")
    if of in state.pieces and box == ASSEMBLED:
        state.measure(of)


def _broken_down(state: State, event: Event) -> None:
    """The division goes into its box, its components come out of it as it stood (ruling BREAKDOWN-MP)."""
    uid, h = _get(event, "unit"), state.board.find(_get(event, "hex"))
    old = state.pieces.get(uid) or Piece(h)  # one of the list of garrisons leaves it (ruling LIST-PUBLIC)
    state.put_by(uid, BREAKDOWN)
    for part in _list(event, "units"):
        state.place(part, h, dot=_get(event, "form") == "supported")
        _inherit(state, part, (old,))


def _assembled(state: State, event: Event) -> None:
    """The components go into the box, the division comes out of it; what one of them may not, it may not."""
    uid, h, units = _get(event, "unit"), state.board.find(_get(event, "hex")), _list(event, "units")
    old = [state.pieces[part] for part in units]
    for part in units:
        state.put_by(part, ASSEMBLED, uid)
    state.place(uid, h)
    state.measure(uid)
    _inherit(state, uid, old)


def _inherit(state: State, uid: str, old: Sequence[Piece]) -> None:
    piece = state.pieces[uid]
    piece.gs, piece.acted = all(former.gs for former in old), any(former.acted for former in old)
    piece.admin, piece.acted = any(f.admin for f in old), any(f.acted for f in old)
    piece.disrupted, piece.seaborne = any(f.disrupted for f in old), any(f.seaborne for f in old)
    if any(former.dropped for former in old):
        state.set_dropped(uid, True)


def _due(state: State, event: Event) -> None:
    state.put_by(_get(event, "unit"), _get(event, "box"), _get(event, "of"), _get(event, "step") == "cadre")


def _due_supply(state: State, event: Event) -> None:
    depot = Depot(_get(event, "box"), _get(event, "side"), int(_get(event, "steps")))
    state.depots[_get(event, "counter")] = depot
    state.arrived += 1


def _landed(state: State, event: Event) -> None:
    h = state.board.find(_get(event, "hex"))
    if _get(event, "unit") in state.world.air:
        _based(state, event)
        return
    state.place(_get(event, "unit"), h, _get(event, "step") == "cadre")
    _use_port(state, h, _get(event, "re"))


def _based(state: State, event: Event) -> None:
    """An air unit comes out of its box, to a base (WD 29.A, 29.B)."""
    aid = _get(event, "unit")
    del state.boxes[aid]
    state.air[aid] = Air(state.board.find(_get(event, "hex")), _get(event, "step") != "inoperative")


def _supply_landed(state: State, event: Event) -> None:
    h, sid = state.board.find(_get(event, "hex")), _get(event, "counter")
    depot = state.depots.pop(sid)
    state.supply[sid] = Supply(h, depot.side, depot.steps)
    _use_port(state, h, _get(event, "re"))


def _use_port(state: State, h: int, size: str) -> None:
    if size:
        use_port(state, h, int(2 * fraction(size)))


def _points(state: State, event: Event) -> None:
    kept = {"hand": state.points, "afar": state.afar, "owed": state.owed}[_get(event, "where")]
    _keep(kept, _get(event, "rp"), int(8 * fraction(_get(event, "left", "0") or "0")))


def _keep(kept: dict[str, int], rp: str, eighths: int) -> None:
    if eighths:
        kept[rp] = eighths
    else:
        kept.pop(rp, None)


def _points_landed(state: State, event: Event) -> None:
    rp, eighths = _get(event, "rp"), int(8 * fraction(_get(event, "points")))
    _keep(state.afar, rp, state.afar.get(rp, 0) - eighths)
    _keep(state.points, rp, state.points.get(rp, 0) + eighths)
    _use_port(state, state.board.find(_get(event, "hex")), _get(event, "re"))


def _replaced(state: State, event: Event) -> None:
    if _get(event, "unit") in state.world.air:
        _based(state, event)
        return
    uid, cadre = _get(event, "unit"), _get(event, "step") == CADRE
    state.place(uid, state.board.find(_get(event, "hex")), cadre=cadre)
    if state.parts_of(uid):
        state.measure(uid)


def _rebuilt(state: State, event: Event) -> None:
    state.flip(_get(event, "unit"), cadre=False)


def _scrapped(state: State, event: Event) -> None:
    for uid in _list(event, "units"):
        state.gone[uid] = "scrapped"


def _withdrawn(state: State, event: Event) -> None:
    uid = _get(event, "unit")
    state.put_by(uid, _get(event, "box"), _get(event, "of"), uid in state.pieces and state.pieces[uid].cadre)
    state.air.pop(uid, None)


def _supply_withdrawn(state: State, event: Event) -> None:
    sid, left = _get(event, "counter"), int(_get(event, "left", "0") or "0")
    if sid in state.depots:
        depot = state.depots.pop(sid)
        if left:
            state.depots[sid] = Depot(depot.box, depot.side, left)
    elif left:
        state.supply[sid].steps = left
    else:
        del state.supply[sid]


def _converted(state: State, event: Event) -> None:
    """Units become others where they are: on the map, in a box, or in the pool."""
    where, box = _get(event, "hex"), _get(event, "box")
    moved = state.theatre.malta_pool & set(_list(event, "units"))
    based = [state.air.pop(uid) for uid in _list(event, "units") if uid in state.air]
    for uid in _list(event, "units"):
        state.boxes.pop(uid, None)
        if uid in state.pieces:
            state.take_off(uid, "converted")
        state.gone[uid] = "converted"
    for uid in _list(event, "into"):
        if where and uid in state.world.air:
            state.air[uid] = Air(state.board.find(where), all(old.operative for old in based))
        elif where:
            state.place(uid, state.board.find(where))
        elif box:
            state.put_by(uid, box)
        else:
            state.gone[uid] = "eliminated"
    if moved:
        kept = (state.theatre.malta_pool - moved) | set(_list(event, "into"))
        state.theatre = replace(state.theatre, malta_pool=kept)
    state.converted = (*state.converted, _get(event, "entry"))


def _greece(state: State, event: Event) -> None:
    """Back from Greece: into the pool, or waiting for a place; idle for this turn (WD 29.C.1.placing). An air unit that
    lies face down is inoperative."""
    uid, result = _get(event, "unit"), _get(event, "result")
    state.still |= {uid}
    if uid in state.world.units:
        if result == "eliminated":
            del state.boxes[uid]
            state.gone[uid] = result
        else:
            state.put_by(uid, "greece_table", cadre=state.boxes[uid].cadre)
    else:
        state.put_by(uid, AIR_POOL if result == "eliminated" else "greece_table", cadre=result == "inoperative")


def _phase(state: State, event: Event) -> None:
    state.turn = turn_number(_get(event, "turn"))
    state.surprise = _get(event, "surprise") == "yes"
    state.player = _get(event, "player")
    state.phase = _get(event, "phase")
    state.step = _get(event, "step") or state.phase
    if state.phase == "initial":
        state.taken.clear()
        state.used2.clear()
        state.smp2, state.still = 0, frozenset()
        state.shipped2, state.voyages, state.turned = 0, 0, frozenset()
        state.divisional = ""
        for air in state.air.values():
            air.stayed = False
        state.harassed, state.harassing = state.harassing, {}
        for uid, piece in state.pieces.items():
            piece.admin = False
            piece.acted = False
            piece.disrupted = piece.seaborne = False
            if piece.dropped:
                state.set_dropped(uid, False)
    _reset_pieces(state)
    note_pool(state)


def _reset_pieces(state: State) -> None:
    for piece in state.pieces.values():
        piece.spent2, piece.entered, piece.means, piece.rail, piece.carrier = 0, 0, "", 0, ""
        piece.start = piece.hex
        piece.attacked = piece.defended = piece.retreated = False
    for counter in state.supply.values():
        counter.drawn2 = 0
    state.take_offs.clear()
    for air in state.air.values():
        air.legs, air.patrolled = (), False


def _supply_check(state: State, event: Event) -> None:
    out = set(_list(event, "out"))
    for uid, piece in state.pieces.items():
        piece.gs = uid not in out


def _supply_used(state: State, event: Event) -> None:
    sid = _get(event, "counter")
    left = int(_get(event, "left", "0"))
    if "spare" in event.data:
        state.supply[sid].drawn2 = mp_points(_get(event, "spare"))
    state.supply[sid].steps = left


def _supply_spent(state: State, event: Event) -> None:
    """Counters leave: used up at the end of the combat phase (ruling STEP-SPLIT), or destroyed by their owner."""
    for sid in _list(event, "counters"):
        del state.supply[sid]


def _captured(state: State, event: Event) -> None:
    sid = _get(event, "counter")
    old = state.supply.pop(sid)
    steps = int(_get(event, "captured", "0"))
    if steps:
        state.captured += 1
        state.supply[_get(event, "new")] = Supply(old.hex, _get(event, "side"), steps)


def _move(state: State, event: Event) -> None:
    uid, path = _get(event, "unit"), _list(event, "path")
    piece = state.pieces[uid]
    if path:
        state.shift(uid, state.board.find(path[-1]))
    piece.spent2 = mp_points(_get(event, "spent"))
    piece.entered += len(path)
    piece.means = _get(event, "means")
    piece.rail = int(_get(event, "rail") or "0")
    piece.carrier = _get(event, "transport")
    piece.admin = piece.admin or piece.means == "admin"
    piece.acted = piece.acted or (bool(path) and state.world.plays(WATCHED))


def _overrun(state: State, event: Event) -> None:
    """Every overrunner has paid, whether it advances or not (WD 13.cost)."""
    rows = event.data.get("costs", [])
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict):
            piece = state.pieces[str(row["unit"])]
            piece.spent2 = mp_points(str(row["spent"]))
            piece.entered += 1
            piece.carrier = str(row.get("transport", ""))
            piece.means = "carried" if piece.carrier else "normal"
            piece.acted = state.world.plays(WATCHED)


def _supply_moved(state: State, event: Event) -> None:
    state.supply[_get(event, "counter")].hex = state.board.find(_list(event, "path")[-1])
    state.smp2 = mp_points(_get(event, "spent"))


def _supply_merged(state: State, event: Event) -> None:
    kept, gone = _list(event, "counters")
    other = state.supply.pop(gone)
    state.supply[kept].steps += other.steps
    state.supply[kept].drawn2 += other.drawn2


def _supply_split(state: State, event: Event) -> None:
    old = state.supply[_get(event, "counter")]
    old.steps -= 1
    state.split += 1
    state.supply[_get(event, "new")] = Supply(old.hex, old.side, 1)


def _pay(state: State, event: Event) -> None:
    """Who worked has paid, what carries it too, and is on no ride any more."""
    rows = event.data.get("costs", [])
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict):
            _charge(state, str(row["unit"]), str(row["spent"]), str(row.get("transport", "")))


def _charge(state: State, uid: str, spent: str, transport: str) -> None:
    piece = state.pieces[uid]
    piece.spent2 = mp_points(spent)
    piece.carrier = transport or piece.carrier
    piece.means = "carried" if piece.carrier else "normal"


def _work_begun(state: State, event: Event) -> None:
    site = Site(_get(event, "side"), state.turn, "" if _get(event, "divisional") else _get(event, "unit"))
    state.sites[(state.board.find(_get(event, "hex")), _get(event, "what"))] = site


def _work_done(state: State, event: Event) -> None:
    """A fort or airfield stands, a fortress is improved (WD 14.A)."""
    h, what, side = state.board.find(_get(event, "hex")), _get(event, "what"), _get(event, "side")
    state.sites.pop((h, what), None)
    if what == "fortress":
        state.unimproved.discard(h)
    elif what == "fort":
        state.forts[h] = side
    else:
        state.airfields[h] = side
        _set_hits(state.base_hits, h, state.base_hits.get(h, 0) + int(_get(event, "hits") or "0"))
    _pay(state, event)


def _work_lost(state: State, event: Event) -> None:
    del state.sites[(state.board.find(_get(event, "hex")), _get(event, "what"))]


def _hits(state: State, event: Event) -> None:
    """Hits on a port or airbase, made or repaired (WD 17.D, 26.A.2)."""
    table = state.port_hits if _get(event, "what") == "port" else state.base_hits
    _set_hits(table, state.board.find(_get(event, "hex")), int(_get(event, "after")))
    _pay(state, event)


def _set_hits(table: dict[int, int], h: int, hits: int) -> None:
    table.pop(h, None)
    if hits:
        table[h] = hits


def _div_engineers(state: State, event: Event) -> None:
    state.divisional = _get(event, "unit")


def _rail_work(state: State, event: Event) -> None:
    """The railroad of a hex is broken or repaired; who worked has paid and is on no ride any more (WD 7.C)."""
    h = state.board.find(_get(event, "hex"))
    if event.kind == "rail-broken":
        state.broken.add(h)
    else:
        state.broken.discard(h)
    for uid in _list(event, "units"):
        _charge(state, uid, _get(event, "spent"), _get(event, "transport"))


def _rail_extended(state: State, event: Event) -> None:
    state.built[_get(event, "line")] = int(_get(event, "built"))


def _halt(state: State, event: Event) -> None:
    """A unit that may not stay where it came to goes back along its way (WD 8.B, ruling OVERSTACK-END)."""
    uid, to = _get(event, "unit"), _get(event, "to")
    if to:
        state.shift(uid, state.board.find(to))
        state.pieces[uid].spent2 = mp_points(_get(event, "spent"))


def _attack(state: State, event: Event) -> None:
    for uid in _list(event, "with"):
        state.pieces[uid].attacked = True
        state.pieces[uid].acted = state.world.plays(WATCHED)
    for uid in _list(event, "defenders"):
        state.pieces[uid].defended = True


def _retreat(state: State, event: Event) -> None:
    uid, path = _get(event, "unit"), _list(event, "path")
    if path:
        state.shift(uid, state.board.find(path[-1]))
        state.pieces[uid].retreated = True


def _advance(state: State, event: Event) -> None:
    state.shift(_get(event, "unit"), state.board.find(_get(event, "to")))


def _reduced(state: State, event: Event) -> None:
    state.flip(_get(event, "unit"))


def _eliminated(state: State, event: Event) -> None:
    """Into the replacement pool, or lost for good; a division in its components, where it has any (WD 29.B.pool)."""
    uid, parts, why = _get(event, "unit"), _list(event, "units"), _get(event, "fate") or "eliminated"
    for part in parts:
        state.mark(part, state.hex_of(uid), why == "eliminated")
        del state.boxes[part]
        state.gone[part] = why
    if parts:
        state.put_by(uid, BREAKDOWN)
    else:
        state.take_off(uid, why)
    if _get(event, "pool") == CADRE:
        state.reduced |= {uid}


def _nothing(state: State, event: Event) -> None:
    """Events that only tell: the state stays as it is."""


APPLY: dict[str, Callable[[State, Event], None]] = {
    **AIR_APPLY,
    **SEA_APPLY,
    **THEATRE_APPLY,
    **VICTORY_APPLY,
    "setup": _nothing,
    "deploy": _deploy,
    "deploy-air": _deploy_air,
    "deploy-supply": _deploy_supply,
    "deploy-works": _deploy_works,
    "deploy-box": _deploy_box,
    "control": _control,
    "phase": _phase,
    "supply-check": _supply_check,
    "supply-used": _supply_used,
    "supply-spent": _supply_spent,
    "captured": _captured,
    "move": _move,
    "halt": _halt,
    "broken-down": _broken_down,
    "assembled": _assembled,
    "overrun": _overrun,
    "supply-moved": _supply_moved,
    "supply-merged": _supply_merged,
    "supply-split": _supply_split,
    "supply-destroyed": _supply_spent,
    "rail-broken": _rail_work,
    "rail-repaired": _rail_work,
    "rail-extended": _rail_extended,
    "work-begun": _work_begun,
    "work-done": _work_done,
    "work-delayed": _nothing,
    "work-lost": _work_lost,
    "port-hit": _hits,
    "port-repaired": _hits,
    "airbase-hit": _hits,
    "airbase-repaired": _hits,
    "div-engineers": _div_engineers,
    "attack": _attack,
    "result": _nothing,
    "due": _due,
    "due-supply": _due_supply,
    "landed": _landed,
    "supply-landed": _supply_landed,
    "points": _points,
    "points-landed": _points_landed,
    "malta-roll": _nothing,
    "replaced": _replaced,
    "rebuilt": _rebuilt,
    "scrapped": _scrapped,
    "withdrawn": _withdrawn,
    "supply-withdrawn": _supply_withdrawn,
    "converted": _converted,
    "greece": _greece,
    "told": _nothing,
    "reduced": _reduced,
    "eliminated": _eliminated,
    "retreat": _retreat,
    "advance": _advance,
    "stays": _nothing,
    "skipped": _nothing,
    "losses": _nothing,
    "void": _nothing,
    "standing": _nothing,
    "rules": _nothing,
    "rules-later": _nothing,
    "unbuilt": _nothing,
}


def apply(state: State, event: Event) -> None:
    """Change the state by one event. Raises KeyError for a kind that is not declared: a fault of the rules."""
    APPLY[event.kind](state, event)
