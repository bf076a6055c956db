"""What each event does to the state: the only place where a state of Shifting Sands changes (DESIGN, rule 4).

Kinds and fields are listed in docs/state-format.md. Spaces and boxes are written by name, cards and units by id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.core import Event
from adjudicator.shifting_sands import apply_cards
from adjudicator.shifting_sands.cards import ascending, epoch_of, is_handle
from adjudicator.shifting_sands.events.changes import CHANGES, noted
from adjudicator.shifting_sands.fight import fight_after, planned_of
from adjudicator.shifting_sands.state import RESORT, Ops, State, turn_number

AXIS = "axis"


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
    """Each space has one owner (SS 3.control)."""
    for space in listed(event, "spaces"):
        state.control[space] = get(event, "side")
        if get(event, "side") != AXIS:
            state.uprising.discard(space)


def _tread(state: State, uid: str, spaces: Sequence[str]) -> None:
    """What Egyptians take for the Axis is theirs alone until others come (SS 5.41a, ruling A65)."""
    unit = state.counter(uid)
    for name in spaces if unit.side == AXIS else ():
        if unit.nation != "EG":
            state.uprising.discard(name)
        elif state.owner(name) != AXIS:
            state.uprising.add(name)


def _vp(state: State, event: Event) -> None:
    state.vp = int(get(event, "to"))
    if event.rule != "SS 16.0" and get(event, "change"):
        state.awarded += int(get(event, "change"))


def _pile(state: State, event: Event) -> None:
    side = get(event, "side")
    state.piles[side] = listed(event, "cards")
    state.discards[side], state.removed[side] = listed(event, "discarded"), listed(event, "removed")
    for zone in (state.hands, state.face_up):
        zone.setdefault(side, [])


def _draw(state: State, event: Event) -> None:
    side, card = get(event, "side"), get(event, "card")
    state.piles[side].remove(card)
    _into_hand(state, side, card)
    epoch, drawn = state.epochs.get(side, (1, 0))
    state.epochs[side] = (epoch, drawn + bool(get(event, "label")))


def _into_hand(state: State, side: str, card: str) -> None:
    state.hands[side] = ascending([*state.hands.get(side, []), card]) if state.hidden else [*state.hands[side], card]


def _taken(state: State, event: Event) -> None:
    """A card is taken by name; one that comes with a new year is open until the hand is dealt anew (SS 7.74)."""
    side, card = get(event, "side"), get(event, "card")
    for zone in (state.piles, state.discards):
        if card in zone.get(side, []):
            zone[side].remove(card)
    _into_hand(state, side, card)
    if state.hidden and not is_handle(card):
        state.resorting[side] = RESORT


def _resorted(state: State, event: Event) -> None:
    side, gone = get(event, "side"), listed(event, "cards")
    state.hands[side] = ascending([card for card in state.hands[side] if card not in gone] + listed(event, "hand"))
    state.resorting.pop(side, None)
    if gone:
        state.epochs[side] = (epoch_of(listed(event, "hand")[0]), state.epochs.get(side, (1, 0))[1])


def _seen(state: State, event: Event) -> None:
    """Cards of a hand were seen by the other side: it is dealt anew with its owner's next message (SS 11.73)."""
    if state.hidden:
        state.resorting[get(event, "side")] = RESORT


def _turn(state: State, event: Event) -> None:
    """The cursor; a new game turn forgets what the last one counted (SS 5.6)."""
    turn = turn_number(get(event, "turn"))
    if turn != state.turn and state.phase != "setup":
        state.last_history, state.history = state.history, {}
        state.german_company = state.missions = 0
        for counted in (state.reinforced, state.mandates, state.arrived):
            counted.clear()
    state.turn = turn
    state.phase, state.step = get(event, "phase"), get(event, "step")


def _phase(state: State, event: Event) -> None:
    """The cursor within a turn, after the action phase (SS 5.3 to 5.6)."""
    state.phase, state.step = get(event, "phase"), get(event, "step")
    state.active = get(event, "active") or state.active
    state.charter = ""


def _victory(state: State, event: Event) -> None:
    state.winner = get(event, "winner")


def _rd(state: State, event: Event) -> None:
    """A unit is redeployed and its points are paid (SS 12)."""
    uid = get(event, "unit")
    state.shift(uid, get(event, "to"))
    _tread(state, uid, [get(event, "to")])
    state.pieces[uid].redeployed = True
    if state.rd_left is not None:
        state.rd_left -= int(get(event, "cost"))
    state.german_company += get(event, "company") == "yes"


def _rp(state: State, event: Event) -> None:
    for row in _rows(event, "pools"):
        state.rp[row["pool"]] = row["total"]
    state.charter = get(event, "charter") or state.charter


def _rp_lost(state: State, event: Event) -> None:
    for row in _rows(event, "pools"):
        state.rp.pop(row["pool"], None)


def _pay(state: State, event: Event) -> None:
    left = get(event, "left")
    state.rp[get(event, "pool")] = left
    if left == "0":
        del state.rp[get(event, "pool")]


def _restored(state: State, event: Event) -> None:
    """A reduced unit takes a step (SS 15.3)."""
    state.pieces[get(event, "unit")].reduced = False
    _pay(state, event)


def _recreated(state: State, event: Event) -> None:
    """A unit of the replacement box is back in play (SS 15.4)."""
    uid = get(event, "unit")
    state.shift(uid, get(event, "to"))
    state.pieces[uid].reduced = get(event, "step") == "reduced"
    _pay(state, event)


def _arrived(state: State, event: Event) -> None:
    """A unit that was not in play comes in (SS 7.53, 19.1)."""
    uid, to = get(event, "unit"), get(event, "to")
    state.delayed.pop(uid, None)
    state.arrived[uid] = state.round
    state.place(uid, to, get(event, "step") == "reduced")
    if get(event, "mark") == "yes" and to not in state.landed:
        state.landed.append(to)


def _swapped(state: State, event: Event) -> None:
    """A division makes room for the one that comes (SS 19.13)."""
    state.shift(get(event, "unit"), get(event, "to"))


def _mission(state: State, event: Event) -> None:
    """The LRDG goes on its mission of the turn; the round is marked as one of the LRDG (SS 11.72, 11.721)."""
    state.missions += 1
    state.history.setdefault("allied", {})[state.round] = "lrdg"
    state.ops.spent += int(get(event, "cost"))


def _discard(state: State, event: Event) -> None:
    side = get(event, "side")
    for card in listed(event, "cards"):
        state.hands[side].remove(card)
        state.discards.setdefault(side, []).append(card)


def _merge(state: State, event: Event) -> None:
    """The discards go back into the draw pile, with the cards of a year; a new epoch begins (SS 5.13, 7.71)."""
    side = get(event, "side")
    state.piles[side], state.discards[side] = listed(event, "pile"), []
    state.epochs[side] = (state.epochs.get(side, (1, 0))[0] + 1, 0)


def _rows(event: Event, key: str) -> list[dict[str, str]]:
    """Rows of texts of an event."""
    value = event.data.get(key, [])
    found = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return [{name: text for name, text in row.items() if isinstance(text, str)} for row in found]


def _round(state: State, event: Event) -> None:
    """A part of an action round begins (SS 6.11, 6.14): the markers of the one before are gone (SS 2.24). With that of
    the Axis begins the whole round, for which cards count (SS 7.614)."""
    state.phase, state.step = "action", "round"
    state.round, state.active = int(get(event, "round")), get(event, "active")
    state.markers.clear()
    state.ops = Ops()
    state.rommel, state.combats, state.rd_left = "", 0, None
    state.fresh.clear()
    if state.active == "axis":
        state.used.clear()
    state.attacked.clear()
    state.landed.clear()
    state.leaving = ""
    state.ordered = ()
    for piece in state.pieces.values():
        piece.start = piece.at
        piece.moved = piece.joined = piece.fought = piece.retreated = piece.redeployed = False
        piece.supply = ""


def _action(state: State, event: Event) -> None:
    """The action of the round is noted, its points are there, its card is discarded (SS 6.13, 7.21, 7.32, 7.52)."""
    side, use, card = get(event, "side"), get(event, "use"), get(event, "card")
    state.history.setdefault(side, {})[state.round] = use
    if use in ("ops", "auto"):
        state.ops = Ops(int(get(event, "ops")), "card" if card else "automatic")
    if use == "event" and get(event, "ops"):
        state.ops = Ops(int(get(event, "ops")), get(event, "source"))
    state.leaving = card if get(event, "leaves") == "yes" else state.leaving
    if use == "rd":
        state.rd_left = int(get(event, "ops"))
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
    _tread(state, uid, path[1:])
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
    _tread(state, uid, path[-1:])
    state.pieces[uid].retreated = True


def _relocate(state: State, event: Event) -> None:
    """Relocating is a form of retreat (SS 11.52), so 11.57 holds for the unit as well."""
    state.shift(get(event, "unit"), get(event, "to"))
    _tread(state, get(event, "unit"), [get(event, "to")])
    state.pieces[get(event, "unit")].retreated = True


def _thrown_back(state: State, event: Event) -> None:
    state.shift(get(event, "unit"), get(event, "to"))


def _advance(state: State, event: Event) -> None:
    uid, path = get(event, "unit"), listed(event, "path")
    state.shift(uid, path[-1])
    _tread(state, uid, path[1:])


def _event_played(state: State, event: Event) -> None:
    """The order of the events is that of their last play; those of a set-up may name an earlier turn (SS 18.2)."""
    name = get(event, "event")
    state.events.pop(name, None)
    state.events[name] = turn_number(get(event, "turn")) if get(event, "turn") else state.turn
    if name not in state.fresh:
        state.fresh.append(name)
    noted(state, event)


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
    "called-off": _nothing,
    "combat-over": _nothing,
    "event": _event_played,
    "released": _released,
    "end-round": _nothing,
    "phase": _phase,
    "victory": _victory,
    "rd": _rd,
    "rp": _rp,
    "rp-lost": _rp_lost,
    "restored": _restored,
    "recreated": _recreated,
    "arrived": _arrived,
    "swapped": _swapped,
    "discard": _discard,
    "mission": _mission,
    "cards-seen": _seen,
    "taken": _taken,
    "resorted": _resorted,
    "merge": _merge,
    **apply_cards.APPLY,
    "card-kept": _nothing,
    "void": _nothing,
    "standing": _nothing,
    "rules": _nothing,
    "rules-later": _nothing,
    **CHANGES,
}


def apply(state: State, event: Event) -> None:
    """Change the state by one event. Raises KeyError for a kind that is not declared: a fault of the rules."""
    APPLY[event.kind](state, event)
    state.fight = fight_after(state.fight, event)
    if state.opened:
        apply_cards.forget(state)
