"""What each event does to the state: the only place where a state of Shifting Sands changes (DESIGN, rule 4).

Kinds and fields are listed in docs/state-format.md. Spaces and boxes are written by name, cards and units by id.
"""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.engine.core import Event
from adjudicator.shifting_sands.fight import fight_after, planned_of
from adjudicator.shifting_sands.state import Ops, State, turn_number


def get(event: Event, key: str, default: str = "") -> str:
    """A text field of an event."""
    value = event.data.get(key, default)
    return value if isinstance(value, str) else default


def listed(event: Event, key: str) -> list[str]:
    """A list of texts of an event."""
    value = event.data.get(key, [])
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _deploy(state: State, event: Event) -> None:
    state.place(get(event, "unit"), get(event, "at"), get(event, "step") == "reduced")


def _control(state: State, event: Event) -> None:
    for space in listed(event, "spaces"):
        state.control[space] = get(event, "side")


def _vp(state: State, event: Event) -> None:
    state.vp = int(get(event, "to"))


def _pile(state: State, event: Event) -> None:
    side = get(event, "side")
    state.piles[side] = listed(event, "cards")
    state.discards[side], state.removed[side] = listed(event, "discarded"), listed(event, "removed")
    for zone in (state.hands, state.face_up):
        zone.setdefault(side, [])


def _draw(state: State, event: Event) -> None:
    side, card = get(event, "side"), get(event, "card")
    state.piles[side].remove(card)
    state.hands.setdefault(side, []).append(card)


def _turn(state: State, event: Event) -> None:
    state.turn = turn_number(get(event, "turn"))
    state.phase, state.step = get(event, "phase"), get(event, "step")


def _round(state: State, event: Event) -> None:
    state.phase, state.step = "action", "round"
    state.round, state.active = int(get(event, "round")), get(event, "active")
    state.markers.clear()
    state.ops = Ops()
    state.rommel, state.combats = "", 0
    state.fresh.clear()
    state.attacked.clear()
    state.ordered = ()
    for piece in state.pieces.values():
        piece.start = piece.at
        piece.moved = piece.joined = piece.fought = piece.retreated = False
        piece.supply = ""


def _action(state: State, event: Event) -> None:
    side, use, card = get(event, "side"), get(event, "use"), get(event, "card")
    state.history.setdefault(side, {})[state.round] = use
    if use in ("ops", "auto"):
        state.ops = Ops(int(get(event, "ops")), "card" if card else "automatic")
    if card:
        state.hands[side].remove(card)
        state.discards.setdefault(side, []).append(card)


def _marker(state: State, event: Event) -> None:
    state.markers[get(event, "space")] = get(event, "marker")
    state.ops.spent += int(get(event, "cost"))
    for row in event.data.get("supply", []):
        if isinstance(row, dict):
            state.pieces[str(row["unit"])].supply = str(row["status"])


def _marker_gone(state: State, event: Event) -> None:
    state.markers.pop(get(event, "space"), None)


def _move(state: State, event: Event) -> None:
    uid, path = get(event, "unit"), listed(event, "path")
    state.shift(uid, path[-1])
    piece = state.pieces[uid]
    piece.moved = True
    piece.joined = get(event, "joined") == "yes"


def _ordered(state: State, event: Event) -> None:
    state.ordered = planned_of(event.data, "combats")


def _designate(state: State, event: Event) -> None:
    state.combats = int(get(event, "number"))
    state.attacked.append(get(event, "target"))
    for uid in listed(event, "units"):
        state.pieces[uid].fought = True
    if get(event, "rommel") == "yes":
        state.rommel = get(event, "target")


def _reduced(state: State, event: Event) -> None:
    state.pieces[get(event, "unit")].reduced = True


def _flipped(state: State, event: Event) -> None:
    state.pieces[get(event, "unit")].reduced = False


def _eliminated(state: State, event: Event) -> None:
    uid = get(event, "unit")
    state.shift(uid, get(event, "to"))
    state.pieces[uid].reduced = False


def _replaced(state: State, event: Event) -> None:
    """A battlegroup out of the reserve box takes a lost division's place (SS 11.44)."""
    uid = get(event, "unit")
    state.shift(uid, get(event, "at"))
    piece = state.pieces[uid]
    piece.start = piece.at
    piece.fought = get(event, "fought") == "yes"
    piece.supply = get(event, "supply")


def _retreat(state: State, event: Event) -> None:
    uid, path = get(event, "unit"), listed(event, "path")
    state.shift(uid, path[-1])
    state.pieces[uid].retreated = True


def _relocate(state: State, event: Event) -> None:
    """Relocating is a form of retreat (SS 11.52), so 11.57 holds for the unit as well."""
    state.shift(get(event, "unit"), get(event, "to"))
    state.pieces[get(event, "unit")].retreated = True


def _thrown_back(state: State, event: Event) -> None:
    state.shift(get(event, "unit"), get(event, "to"))


def _advance(state: State, event: Event) -> None:
    state.shift(get(event, "unit"), listed(event, "path")[-1])


def _event_played(state: State, event: Event) -> None:
    """The order of the events is that of their last play; those of a set-up may name an earlier turn (SS 18.2)."""
    name = get(event, "event")
    state.events.pop(name, None)
    state.events[name] = turn_number(get(event, "turn")) if get(event, "turn") else state.turn
    if name not in state.fresh:
        state.fresh.append(name)


def _released(state: State, event: Event) -> None:
    state.released.update(listed(event, "nations"))


def _nothing(state: State, event: Event) -> None:
    """Events that only tell: the state stays as it is."""


APPLY: dict[str, Callable[[State, Event], None]] = {
    "setup": _nothing,
    "deploy": _deploy,
    "control": _control,
    "vp": _vp,
    "pile": _pile,
    "draw": _draw,
    "turn": _turn,
    "round": _round,
    "action": _action,
    "marker": _marker,
    "marker-gone": _marker_gone,
    "move": _move,
    "ordered": _ordered,
    "designate": _designate,
    "flank": _nothing,
    "fire": _nothing,
    "losses": _nothing,
    "reduced": _reduced,
    "flipped": _flipped,
    "eliminated": _eliminated,
    "replaced": _replaced,
    "winner": _nothing,
    "hold": _nothing,
    "overrun": _nothing,
    "retreat": _retreat,
    "relocate": _relocate,
    "thrown-back": _thrown_back,
    "advance": _advance,
    "stays": _nothing,
    "combat-over": _nothing,
    "event": _event_played,
    "released": _released,
    "end-round": _nothing,
    "void": _nothing,
    "standing": _nothing,
    "rules": _nothing,
    "rules-later": _nothing,
}


def apply(state: State, event: Event) -> None:
    """Change the state by one event. Raises KeyError for a kind that is not declared: a fault of the rules."""
    APPLY[event.kind](state, event)
    state.fight = fight_after(state.fight, event)
