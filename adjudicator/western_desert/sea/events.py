"""What the events of the war at sea do to the state (docs/state-format.md, Events of the war at sea)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.western_desert.state import BREAKDOWN, CADRE, State
from adjudicator.western_desert.units import fraction

TUNISIA = "tunisia"


def _voyage(state: State, event: Event) -> None:
    """An item has been shipped past a danger: it has used its ports and the limit, whatever came of it (WD 26.A.1,
    ruling CAPACITY-USED). What arrives has another event."""
    size2 = int(2 * fraction(_get(event, "re")))
    for name in (_get(event, "from"), _get(event, "to")):
        if name and name != TUNISIA:
            use_port(state, state.board.find(name), size2)
    if _get(event, "from"):
        count_voyage(state, size2)
    if _get(event, "result") == "turned_back":
        state.turned |= {_get(event, "item")}
    _ENDS[_get(event, "what")](state, event)
    if _get(event, "to") == TUNISIA and _get(event, "result") == "arrives":
        _to_tunisia(state, _get(event, "item"))


def _to_tunisia(state: State, name: str) -> None:
    """A unit or supply counter is in Tunisia, and enters the map in a later player turn (WD 32.C.entry)."""
    if name in state.depots:
        state.depots[name] = replace(state.depots[name], box=TUNISIA)
    else:
        state.boxes[name] = replace(state.boxes[name], box=TUNISIA)
    state.turned |= {name}


def _shipped(state: State, event: Event) -> None:
    """A unit or supply counter is in the port it was shipped to; one that passed no danger has used ports and limit
    now (WD 26.A.1, 26.B.2)."""
    origin, to = state.board.find(_get(event, "from")), state.board.find(_get(event, "to"))
    if _get(event, "re"):
        size2 = int(2 * fraction(_get(event, "re")))
        use_port(state, origin, size2)
        use_port(state, to, size2)
        count_voyage(state, size2)
    uid = _get(event, "unit")
    if not uid:
        state.supply[_get(event, "counter")].hex = to
        return
    state.shift(uid, to)
    _spend(state, uid, _get(event, "spent"))


def _spend(state: State, uid: str, spent: str) -> None:
    """The MPs that a unit has spent with embarking; a ride by rail before it is over (WD 26.B.2.cost, 7.A)."""
    piece = state.pieces[uid]
    piece.spent2, piece.means = int(2 * fraction(spent)), "normal"


def use_port(state: State, h: int, size2: int) -> None:
    """So many half REs have used a port in the player turn (WD 26.A.1)."""
    state.used2[h] = state.used2.get(h, 0) + size2


def count_voyage(state: State, size2: int) -> None:
    """A voyage on the map, against the limit (WD 26.B.2)."""
    state.shipped2 += size2
    state.voyages += 1


def _unit_end(state: State, event: Event) -> None:
    """A unit sunk goes into the pool, or is lost for good; a division in its components (WD 26.C.result)."""
    uid, spent = _get(event, "item"), _get(event, "spent")
    if spent:
        _spend(state, uid, spent)
    if _get(event, "result") not in ("pool", "lost"):
        return
    parts, why = _list(event, "units"), _get(event, "fate") or "eliminated"
    for part in parts:
        del state.boxes[part]
        state.gone[part] = why
    if parts:
        state.put_by(uid, BREAKDOWN)
    elif uid in state.pieces:
        state.take_off(uid, why)
    else:
        del state.boxes[uid]
        state.gone[uid] = why
    if _get(event, "pool") == CADRE:
        state.reduced |= {uid}


def _counter_end(state: State, event: Event) -> None:
    """A supply counter keeps the steps that are left (WD 26.C.result)."""
    sid, left = _get(event, "item"), int(_get(event, "left") or "0")
    if sid in state.depots:
        depot = state.depots.pop(sid)
        if left:
            state.depots[sid] = replace(depot, steps=left)
    elif left:
        state.supply[sid].steps = left
    else:
        del state.supply[sid]


def _point_end(state: State, event: Event) -> None:
    """Replacement points sunk are lost (WD 26.C.result)."""
    if _get(event, "result") != "lost":
        return
    rp = _get(event, "item")
    left = state.afar.pop(rp) - int(8 * fraction(_get(event, "points")))
    if left:
        state.afar[rp] = left


_ENDS: dict[str, Callable[[State, Event], None]] = {"unit": _unit_end, "supply": _counter_end, "rp": _point_end}


def _malta_status(state: State, event: Event) -> None:
    state.malta = int(_get(event, "status") or "0")


SEA_APPLY: dict[str, Callable[[State, Event], None]] = {
    "voyage": _voyage,
    "malta-status": _malta_status,
    "shipped": _shipped,
}
