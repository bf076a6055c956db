"""The public position as a tree of texts, and back (PROTOCOL 4.7, docs/state-format.md). Absent means default."""

from __future__ import annotations

from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.cards import ascending
from adjudicator.shifting_sands.fight import fight_of, planned_of
from adjudicator.shifting_sands.state import Ops, Piece, State, turn_name, turn_number
from adjudicator.shifting_sands.world import Record, World, rows, text, texts

FORMAT = "1"
ZONES = ("hands", "piles", "discards", "face_up", "removed")
Row = dict[str, Tree]


def first_state(world: World) -> State:
    """The state before set-up: printed control, nothing placed."""
    state = State(world)
    state.control = {name: space.control for name, space in world.spaces.items() if space.control}
    return state


def position(state: State) -> Row:
    """Everything public that rules may read, in one fixed form; two equal states give equal bytes."""
    tree: Row = {
        "format": FORMAT,
        "turn": turn_name(state.turn),
        "round": str(state.round),
        "active": state.active,
        "phase": state.phase,
        "step": state.step,
        "units": [_piece_row(uid, state.pieces[uid]) for uid in sorted(state.pieces)],
        "control": _control_rows(state),
        "markers": [{"space": name, "marker": state.markers[name]} for name in sorted(state.markers)],
        "ops": _ops_row(state.ops),
        "vp": str(state.vp),
        "rp": [{"pool": pool, "points": state.rp[pool]} for pool in sorted(state.rp)],
        "events": [{"event": name, "turn": turn_name(turn)} for name, turn in state.events.items()],
        "fresh": [*state.fresh],
        "history": _history_rows(state.history),
        "last_history": _history_rows(state.last_history),
        "released": [*sorted(state.released)],
        "rommel": state.rommel,
        "combats": str(state.combats) if state.combats else "",
        "attacked": [*state.attacked],
        "ordered": [planned.row() for planned in state.ordered],
        "combat": state.fight.row() if state.fight else {},
        "rd": str(state.rd_left) if state.rd_left is not None else "",
        "company": str(state.german_company) if state.german_company else "",
        "missions": str(state.missions) if state.missions else "",
        "winner": state.winner,
        "charter": state.charter,
        "awarded": str(state.awarded) if state.awarded else "",
        "landed": [*state.landed],
        "hidden": "yes" if state.hidden else "",
        "resorting": [{"side": side, "card": card} for side, card in sorted(state.resorting.items())],
        "uprising": [*sorted(state.uprising)],
        "reinforced": [{"side": side, "classes": [*kinds]} for side, kinds in sorted(state.reinforced.items())],
        "scored": [*state.scored],
        "mandates": [{"event": name, "status": status} for name, status in state.mandates.items()],
        "upgrades": [{"unit": old, "to": new} for old, new in sorted(state.upgrades.items())],
        "delayed": [{"unit": uid, "event": name} for uid, name in sorted(state.delayed.items())],
        "arrived": [{"unit": uid, "round": str(number)} for uid, number in sorted(state.arrived.items())],
        "leaving": state.leaving,
        "drawn": [
            {"side": side, "epoch": str(epoch), "drawn": str(drawn)}
            for side, (epoch, drawn) in sorted(state.epochs.items())
        ],
        "used": _zone_rows("used", state.used),
        "opened": [
            {"side": side, "card": card, "name": names[card]}
            for side, names in sorted(state.opened.items())
            for card in ascending(names)
        ],
        "cards": [row for zone in ZONES for row in _zone_rows(zone, getattr(state, zone))],
    }
    return {key: value for key, value in tree.items() if value not in ("", [], {})}


def _clean(row: dict[str, str]) -> Row:
    return {key: value for key, value in row.items() if value}


def _yes(flag: bool) -> str:
    return "yes" if flag else ""


def _piece_row(uid: str, piece: Piece) -> Row:
    return _clean(
        {
            "id": uid,
            "at": piece.at,
            "step": "reduced" if piece.reduced else "",
            "start": piece.start if piece.start != piece.at else "",
            "moved": _yes(piece.moved),
            "joined": _yes(piece.joined),
            "fought": _yes(piece.fought),
            "retreated": _yes(piece.retreated),
            "supply": piece.supply,
            "redeployed": _yes(piece.redeployed),
        }
    )


def _ops_row(ops: Ops) -> Row:
    if not ops.source:
        return {}
    return {"available": str(ops.available), "source": ops.source, "spent": str(ops.spent)}


def _control_rows(state: State) -> list[Tree]:
    by_side: dict[str, list[Tree]] = {}
    for name in sorted(state.control):
        space = state.world.spaces.get(name)
        if space is None or space.control != state.control[name]:
            by_side.setdefault(state.control[name], []).append(name)
    return [{"side": side, "spaces": by_side[side]} for side in sorted(by_side)]


def _history_rows(history: dict[str, dict[int, str]]) -> list[Tree]:
    return [
        {"side": side, "round": str(number), "use": history[side][number]}
        for side in sorted(history)
        for number in sorted(history[side])
    ]


def _zone_rows(zone: str, cards: dict[str, list[str]]) -> list[Tree]:
    return [{"zone": zone, "side": side, "cards": list(cards[side])} for side in sorted(cards) if cards[side]]


def restore(world: World, tree: Record) -> State:
    """The state of a position. Raises ValueError for a position of another form."""
    if text(tree, "format") != FORMAT:
        raise ValueError(f"the position has form {text(tree, 'format') or 'none'}, this version reads {FORMAT}")
    state = first_state(world)
    state.turn, state.round = turn_number(text(tree, "turn")), int(text(tree, "round"))
    state.active, state.phase, state.step = text(tree, "active"), text(tree, "phase"), text(tree, "step")
    for row in rows(tree, "units"):
        _restore_piece(state, row)
    for row in rows(tree, "control"):
        state.control.update(dict.fromkeys(texts(row, "spaces"), text(row, "side")))
    state.markers = {text(row, "space"): text(row, "marker") for row in rows(tree, "markers")}
    _restore_rest(state, tree)
    return state


def _restore_events(state: State, tree: Record) -> None:
    state.reinforced = {text(row, "side"): texts(row, "classes") for row in rows(tree, "reinforced")}
    state.scored, state.leaving = texts(tree, "scored"), text(tree, "leaving")
    state.mandates = {text(row, "event"): text(row, "status") for row in rows(tree, "mandates")}
    state.upgrades = {text(row, "unit"): text(row, "to") for row in rows(tree, "upgrades")}
    state.delayed = {text(row, "unit"): text(row, "event") for row in rows(tree, "delayed")}
    state.arrived = {text(row, "unit"): int(text(row, "round")) for row in rows(tree, "arrived")}


def _restore_piece(state: State, row: Record) -> None:
    uid, at = text(row, "id"), text(row, "at")
    state.place(uid, at, text(row, "step") == "reduced")
    piece = state.pieces[uid]
    piece.start = text(row, "start") or at
    piece.moved, piece.joined = text(row, "moved") == "yes", text(row, "joined") == "yes"
    piece.fought, piece.retreated = text(row, "fought") == "yes", text(row, "retreated") == "yes"
    piece.supply, piece.redeployed = text(row, "supply"), text(row, "redeployed") == "yes"


def _restore_rest(state: State, tree: Record) -> None:
    ops = tree.get("ops")
    if isinstance(ops, dict):
        state.ops = Ops(int(text(ops, "available")), text(ops, "source"), int(text(ops, "spent", "0")))
    state.vp = int(text(tree, "vp", "0"))
    state.rp = {text(row, "pool"): text(row, "points") for row in rows(tree, "rp")}
    state.events = {text(row, "event"): turn_number(text(row, "turn")) for row in rows(tree, "events")}
    for name in ("history", "last_history"):
        found: dict[str, dict[int, str]] = {}
        for row in rows(tree, name):
            found.setdefault(text(row, "side"), {})[int(text(row, "round"))] = text(row, "use")
        setattr(state, name, found)
    state.released = set(texts(tree, "released"))
    state.fresh, state.attacked = texts(tree, "fresh"), texts(tree, "attacked")
    state.rommel, state.combats = text(tree, "rommel"), int(text(tree, "combats", "0"))
    state.ordered = planned_of(tree, "ordered")
    state.fight = fight_of(tree.get("combat"))
    state.rd_left = int(text(tree, "rd")) if text(tree, "rd") else None
    state.german_company, state.missions = int(text(tree, "company", "0")), int(text(tree, "missions", "0"))
    state.winner, state.charter = text(tree, "winner"), text(tree, "charter")
    state.hidden = text(tree, "hidden") == "yes"
    state.resorting = {text(row, "side"): text(row, "card") for row in rows(tree, "resorting")}
    state.awarded, state.landed = int(text(tree, "awarded", "0")), texts(tree, "landed")
    state.uprising = set(texts(tree, "uprising"))
    _restore_events(state, tree)
    state.epochs = {
        text(row, "side"): (int(text(row, "epoch")), int(text(row, "drawn"))) for row in rows(tree, "drawn")
    }
    state.used = {text(row, "side"): texts(row, "cards") for row in rows(tree, "used")}
    for row in rows(tree, "opened"):
        state.opened.setdefault(text(row, "side"), {})[text(row, "card")] = text(row, "name")
    for zone in ZONES:
        sides: dict[str, list[str]] = {"axis": [], "allied": []} if state.phase != "setup" else {}
        setattr(state, zone, sides)
    for row in rows(tree, "cards"):
        getattr(state, text(row, "zone"))[text(row, "side")] = texts(row, "cards")
