"""The public position as a tree of texts, and back (PROTOCOL 4.7, docs/state-format.md). Absent means default."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from adjudicator.engine.core import Tree
from adjudicator.western_desert.apply import mp_points, mp_text
from adjudicator.western_desert.state import (
    Air,
    Depot,
    Piece,
    Site,
    Sortie,
    State,
    Supply,
    World,
    turn_name,
    turn_number,
)
from adjudicator.western_desert.theatre.record import Listed, Operation, Theatre
from adjudicator.western_desert.units import fraction, number
from adjudicator.western_desert.world import Record, first_state, rows, text, texts

FORMAT = "1"
Row = dict[str, Tree]


def position(state: State) -> Row:
    """Everything public that rules may read, in one fixed form; two equal states give equal bytes."""
    name = state.board.name
    tree: Row = {
        "format": FORMAT,
        "turn": turn_name(state.turn),
        "surprise": _yes(state.surprise),
        "player": state.player,
        "phase": state.phase,
        "step": state.step,
        "units": [_piece_row(state, uid) for uid in sorted(state.pieces)],
        "gone": [_gone_row(state, uid) for uid in sorted(state.gone)],
        "boxes": [_box_row(state, uid) for uid in sorted(state.boxes)],
        "supply": [_supply_row(state, sid) for sid in sorted(state.supply)],
        "air": [_air_row(state, aid) for aid in sorted(state.air)],
        "levant": state.levant,
        "theatre": _theatre_row(state),
        **_arrival_rows(state),
        "control": _control_rows(state),
        "taken": [{"hex": name(h), "owner": state.taken[h]} for h in sorted(state.taken)],
        "forts": [{"hex": name(h), "side": state.forts[h]} for h in sorted(state.forts)],
        "unimproved": [name(h) for h in sorted(state.unimproved)],
        "airfields": [{"hex": name(h), "side": state.airfields[h]} for h in sorted(state.airfields)],
        "works": [_site_row(state, *key) for key in sorted(state.sites)],
        "port_hits": [{"hex": name(h), "hits": str(state.port_hits[h])} for h in sorted(state.port_hits)],
        "airbase_hits": [{"hex": name(h), "hits": str(state.base_hits[h])} for h in sorted(state.base_hits)],
        "divisional": state.divisional,
        "broken": [name(h) for h in sorted(state.broken)],
        "built": [{"name": line, "hexes": str(state.built[line])} for line in sorted(state.built)],
        "harassed": _count_rows(state, state.harassed, "points"),
        "harassing": _count_rows(state, state.harassing, "points"),
        "take_offs": _count_rows(state, state.take_offs, "used"),
        "captured": str(state.captured) if state.captured else "",
        "split": str(state.split) if state.split else "",
        "smp": mp_text(state.smp2) if state.smp2 else "",
    }
    return {key: value for key, value in tree.items() if value not in ("", [], {})}


def _yes(flag: bool) -> str:
    return "yes" if flag else ""


def _clean(row: dict[str, str]) -> Row:
    return {key: value for key, value in row.items() if value}


def _piece_row(state: State, uid: str) -> Row:
    piece, name = state.pieces[uid], state.board.name
    return _clean(
        {
            "id": uid,
            "hex": name(piece.hex),
            "step": "cadre" if piece.cadre else "",
            "dot": _yes(piece.dot),
            "re": number(Fraction(piece.re2, 2)) if piece.re2 else "",
            "out": _yes(not piece.gs),
            "spent": mp_text(piece.spent2) if piece.spent2 else "",
            "entered": str(piece.entered) if piece.entered else "",
            "means": piece.means,
            "rail": str(piece.rail) if piece.rail else "",
            "start": name(piece.start) if piece.start != piece.hex else "",
            "attacked": _yes(piece.attacked),
            "defended": _yes(piece.defended),
            "retreated": _yes(piece.retreated),
            "dropped": _yes(piece.dropped),
            "disrupted": _yes(piece.disrupted),
            "seaborne": _yes(piece.seaborne),
            "carrier": piece.carrier,
            "admin": _yes(piece.admin),
            "acted": _yes(piece.acted),
        }
    )


def _gone_row(state: State, uid: str) -> Row:
    return _clean({"id": uid, "why": state.gone[uid], "step": "cadre" if uid in state.reduced else ""})


def _box_row(state: State, uid: str) -> Row:
    kept = state.boxes[uid]
    return _clean({"id": uid, "box": kept.box, "of": kept.of, "step": "cadre" if kept.cadre else ""})


def _arrival_rows(state: State) -> Row:
    """What the order of battle has brought and what is still off the map (WD 29)."""
    name = state.board.name
    depots: list[Tree] = [
        {"id": sid, "box": depot.box, "side": depot.side, "steps": str(depot.steps)}
        for sid, depot in sorted(state.depots.items())
    ]
    return {
        "depots": depots,
        "points": _eighths(state.points),
        "afar": _eighths(state.afar),
        "owed": _eighths(state.owed),
        **_victory_rows(state),
        "converted": list(state.converted),
        "used": [{"hex": name(h), "re": number(Fraction(half, 2))} for h, half in sorted(state.used2.items())],
        "still": [*sorted(state.still)],
        "arrived": str(state.arrived) if state.arrived else "",
        "malta": str(state.malta) if state.malta else "",
        "shipped": number(Fraction(state.shipped2, 2)) if state.shipped2 else "",
        "voyages": str(state.voyages) if state.voyages else "",
        "turned": [*sorted(state.turned)],
    }


def _victory_rows(state: State) -> Row:
    """The running tally, conditions met in the period, captures paid for, and how the game was decided (WD 31)."""
    tally: list[Tree] = [
        {"side": side, "rule": rule, "points": str(Fraction(half, 2))}
        for (side, rule), half in sorted(state.tally.items())
    ]
    return {
        "vp": [{"side": side, "points": str(Fraction(half, 2))} for side, half in sorted(state.vp2.items()) if half],
        "tally": tally,
        "met": [*sorted(state.met)],
        "conquered": [*sorted(state.conquered)],
        "level": state.level,
    }


def _restore_victory(state: State, tree: Record) -> None:
    state.vp2 = {text(row, "side"): int(2 * Fraction(text(row, "points"))) for row in rows(tree, "vp")}
    told = rows(tree, "tally")
    state.tally = {(text(r, "side"), text(r, "rule")): int(2 * Fraction(text(r, "points"))) for r in told}
    state.met, state.conquered = frozenset(texts(tree, "met")), frozenset(texts(tree, "conquered"))
    state.level = text(tree, "level")


def _theatre_row(state: State) -> Row:
    """What the rules of the theatre keep, nothing where nothing has happened (WD 28)."""
    kept = state.theatre
    dates = {"invaded": kept.invaded, "raided": kept.raided, "held": kept.held}
    row = _clean(
        {"vichy": kept.vichy, "grant": kept.grant, **{k: turn_name(n) if n else "" for k, n in dates.items()}}
    )
    sealed: list[Tree] = [{"turn": turn_name(turn), "message": str(seq)} for turn, seq in kept.sealed]
    operations: list[Tree] = [_clean(_operation(state, one)) for one in kept.operations]
    lists: dict[str, list[Tree]] = {"sealed": sealed, "operations": operations, "spent": [*sorted(kept.spent)]}
    lists["australians"] = [*sorted(kept.australians)]
    lists["malta_pool"] = [*sorted(kept.malta_pool)]
    lists["vichy_cities"] = [state.board.name(h) for h in sorted(kept.vichy_cities)]
    lists["listed"] = [_clean(_listed(state, one)) for one in kept.listed]
    lists["lists"] = [{"turn": turn_name(turn), "message": str(seq)} for turn, seq in kept.lists]
    lists["due"] = [*sorted(kept.due)]
    return {**row, **{key: found for key, found in lists.items() if found}}


def _listed(state: State, one: Listed) -> dict[str, str]:
    row = {"unit": one.unit, "area": one.area, "hex": state.board.name(one.hex), "message": str(one.seq)}
    return {**row, "step": "cadre" if one.cadre else "", "dot": _yes(one.dot)}


def _restored_listed(row: Record, find: Callable[[str], int]) -> Listed:
    h, seq = find(text(row, "hex")), int(text(row, "message"))
    return Listed(text(row, "unit"), text(row, "area"), h, seq, "step" in row, "dot" in row)


def _operation(state: State, one: Operation) -> dict[str, str]:
    row = {"unit": one.unit, "pool": one.pool, "turn": turn_name(one.turn), "hex": state.board.name(one.hex)}
    return {**row, "used": _yes(one.used), "second": _yes(one.second)}


def _restored_operation(row: Record, find: Callable[[str], int]) -> Operation:
    turn, h = turn_number(text(row, "turn")), find(text(row, "hex"))
    return Operation(text(row, "unit"), text(row, "pool"), turn, h, "used" in row, "second" in row)


def _restored_theatre(tree: Record, find: Callable[[str], int]) -> Theatre:
    row = tree.get("theatre")
    row = row if isinstance(row, dict) else {}
    kept = {key: value for key, value in row.items() if isinstance(value, str)}
    invaded, raided, held = (turn_number(kept[key]) if key in kept else 0 for key in ("invaded", "raided", "held"))
    sealed = tuple((turn_number(text(one, "turn")), int(text(one, "message"))) for one in rows(row, "sealed"))
    operations = tuple(_restored_operation(one, find) for one in rows(row, "operations"))
    spent = frozenset(texts(row, "spent"))
    vichy, grant = kept.get("vichy", ""), kept.get("grant", "")
    australians = frozenset(texts(row, "australians"))
    pool, cities = frozenset(texts(row, "malta_pool")), frozenset(map(find, texts(row, "vichy_cities")))
    return Theatre(
        vichy,
        grant,
        invaded,
        raided,
        held,
        sealed,
        operations,
        spent,
        australians,
        pool,
        cities,
        listed=tuple(_restored_listed(one, find) for one in rows(row, "listed")),
        lists=tuple((turn_number(text(one, "turn")), int(text(one, "message"))) for one in rows(row, "lists")),
        due=frozenset(texts(row, "due")),
    )


def _eighths(kept: dict[str, int]) -> list[Tree]:
    return [{"rp": rp, "points": number(Fraction(kept[rp], 8))} for rp in sorted(kept) if kept[rp]]


def _restore_arrivals(state: State, tree: Record, find: Callable[[str], int]) -> None:
    for row in rows(tree, "depots"):
        state.depots[text(row, "id")] = Depot(text(row, "box"), text(row, "side"), int(text(row, "steps")))
    for key in ("points", "afar", "owed"):
        kept = {text(row, "rp"): int(8 * fraction(text(row, "points"))) for row in rows(tree, key)}
        setattr(state, key, kept)
    _restore_victory(state, tree)
    state.used2 = {find(text(row, "hex")): int(2 * fraction(text(row, "re"))) for row in rows(tree, "used")}
    state.converted = tuple(texts(tree, "converted"))
    state.still, state.arrived = frozenset(texts(tree, "still")), int(text(tree, "arrived", "0"))
    state.malta, state.shipped2 = int(text(tree, "malta", "0")), int(2 * fraction(text(tree, "shipped", "0")))
    state.voyages, state.turned = int(text(tree, "voyages", "0")), frozenset(texts(tree, "turned"))


def _supply_row(state: State, sid: str) -> Row:
    counter = state.supply[sid]
    drawn = mp_text(counter.drawn2) if counter.drawn2 else ""
    row = {"id": sid, "hex": state.board.name(counter.hex), "side": counter.side, "steps": str(counter.steps)}
    return _clean({**row, "drawn": drawn})


def _count_rows(state: State, counts: dict[int, int], what: str) -> list[Tree]:
    return [{"hex": state.board.name(h), what: str(counts[h])} for h in sorted(counts)]


def _air_row(state: State, aid: str) -> Row:
    """An air unit at its base; what it flies and has done in the air phase is written where there is any."""
    air = state.air[aid]
    row = _clean({"id": aid, "hex": state.board.name(air.hex), "state": "" if air.operative else "inoperative"})
    row.update(_sortie_row(state, air.sortie) if air.sortie else {})
    legs: list[Tree] = [_clean({"distance": str(far), "barred": _yes(barred)}) for far, barred in air.legs]
    row |= {"legs": legs} if legs else {}
    return row | _clean({"patrolled": _yes(air.patrolled), "stayed": _yes(air.stayed)})


def _sortie_row(state: State, sortie: Sortie) -> Row:
    row = _clean(
        {
            "mission": sortie.mission,
            "over": state.board.name(sortie.over),
            "number": str(sortie.number),
            "night": _yes(sortie.night),
            "extended": _yes(sortie.extended),
            "jettisoned": _yes(sortie.jettisoned),
            "tow": sortie.tow,
            "fate": sortie.fate,
            "hits": sortie.hits,
            "party": sortie.party,
        }
    )
    land: list[Tree] = [state.board.name(h) for h in sortie.land]
    lists: dict[str, list[Tree]] = {"cargo": [*sortie.cargo], "land": land, "targets": [*sortie.targets]}
    return {**row, **{name: found for name, found in lists.items() if found}}


def _site_row(state: State, h: int, what: str) -> Row:
    site = state.sites[(h, what)]
    row = {"hex": state.board.name(h), "what": what, "side": site.side, "turn": turn_name(site.turn)}
    return _clean({**row, "unit": site.unit})


def _control_rows(state: State) -> list[Tree]:
    """Only the hexes whose owner differs from the print, by side."""
    by_side: dict[str, list[Tree]] = {}
    for h in sorted(state.control):
        info = state.board.info(h)
        if info is None or info.control != state.control[h]:
            by_side.setdefault(state.control[h], []).append(state.board.name(h))
    return [{"side": side, "hexes": by_side[side]} for side in sorted(by_side)]


def restore(world: World, tree: Record) -> State:
    """The state of a position. Raises ValueError for a position of another form."""
    if text(tree, "format") != FORMAT:
        raise ValueError(f"the position has form {text(tree, 'format') or 'none'}, this version reads {FORMAT}")
    state = first_state(world)
    state.turn, state.surprise = turn_number(text(tree, "turn")), text(tree, "surprise") == "yes"
    state.player, state.phase, state.step = text(tree, "player"), text(tree, "phase"), text(tree, "step")
    state.captured, state.split = int(text(tree, "captured", "0")), int(text(tree, "split", "0"))
    state.smp2 = mp_points(text(tree, "smp", "0"))
    find = state.board.find
    for row in rows(tree, "units"):
        _restore_piece(state, row, find)
    state.gone = {text(row, "id"): text(row, "why") for row in rows(tree, "gone")}
    state.reduced = frozenset(text(row, "id") for row in rows(tree, "gone") if text(row, "step") == "cadre")
    for row in rows(tree, "boxes"):
        state.put_by(text(row, "id"), text(row, "box"), text(row, "of"), text(row, "step") == "cadre")
    for row in rows(tree, "supply"):
        drawn2 = mp_points(text(row, "drawn", "0"))
        state.supply[text(row, "id")] = Supply(
            find(text(row, "hex")), text(row, "side"), int(text(row, "steps")), drawn2
        )
    for row in rows(tree, "air"):
        state.air[text(row, "id")] = _restored_air(row, find)
    state.levant, state.theatre = text(tree, "levant"), _restored_theatre(tree, find)
    _restore_ground(state, tree, find)
    if state.theatre.vichy:
        state.swear(state.theatre.vichy)
    _restore_arrivals(state, tree, find)
    return state


def _restored_air(row: Record, find: Callable[[str], int]) -> Air:
    legs = tuple((int(text(leg, "distance")), text(leg, "barred") == "yes") for leg in rows(row, "legs"))
    operative, sortie = text(row, "state") != "inoperative", _restored_sortie(row, find)
    patrolled, stayed = text(row, "patrolled") == "yes", text(row, "stayed") == "yes"
    return Air(find(text(row, "hex")), operative, sortie, legs, patrolled, stayed)


def _restored_sortie(row: Record, find: Callable[[str], int]) -> Sortie | None:
    if not text(row, "mission"):
        return None
    return Sortie(
        mission=text(row, "mission"),
        over=find(text(row, "over")),
        number=int(text(row, "number")),
        night=text(row, "night") == "yes",
        extended=text(row, "extended") == "yes",
        jettisoned=text(row, "jettisoned") == "yes",
        tow=text(row, "tow"),
        cargo=tuple(texts(row, "cargo")),
        fate=text(row, "fate"),
        land=tuple(find(h) for h in texts(row, "land")),
        targets=tuple(texts(row, "targets")),
        hits=text(row, "hits"),
        party=text(row, "party"),
    )


def _restore_piece(state: State, row: Record, find: Callable[[str], int]) -> None:
    uid, h = text(row, "id"), find(text(row, "hex"))
    state.place(uid, h, text(row, "step") == "cadre", text(row, "dot") == "yes")
    piece: Piece = state.pieces[uid]
    piece.gs, piece.re2 = text(row, "out") != "yes", int(2 * fraction(text(row, "re", "0")))
    piece.spent2 = mp_points(text(row, "spent", "0"))
    piece.entered, piece.rail = int(text(row, "entered", "0")), int(text(row, "rail", "0"))
    piece.means, piece.carrier = text(row, "means"), text(row, "carrier")
    piece.start = find(text(row, "start")) if text(row, "start") else h
    for flag in ("attacked", "defended", "retreated", "disrupted", "seaborne", "admin", "acted"):
        setattr(piece, flag, text(row, flag) == "yes")
    if text(row, "dropped") == "yes":
        state.set_dropped(uid, True)


def _restore_ground(state: State, tree: Record, find: Callable[[str], int]) -> None:
    for row in rows(tree, "control"):
        for h in texts(row, "hexes"):
            state.control[find(h)] = text(row, "side")
    state.taken = {find(text(row, "hex")): text(row, "owner") for row in rows(tree, "taken")}
    state.forts = {find(text(row, "hex")): text(row, "side") for row in rows(tree, "forts")}
    state.unimproved = {find(h) for h in texts(tree, "unimproved")}
    state.airfields = {find(text(row, "hex")): text(row, "side") for row in rows(tree, "airfields")}
    state.port_hits = {find(text(row, "hex")): int(text(row, "hits")) for row in rows(tree, "port_hits")}
    state.base_hits = {find(text(row, "hex")): int(text(row, "hits")) for row in rows(tree, "airbase_hits")}
    for row in rows(tree, "works"):
        site = Site(text(row, "side"), turn_number(text(row, "turn")), text(row, "unit"))
        state.sites[(find(text(row, "hex")), text(row, "what"))] = site
    state.divisional = text(tree, "divisional")
    state.broken = {find(h) for h in texts(tree, "broken")}
    state.built = {text(row, "name"): int(text(row, "hexes")) for row in rows(tree, "built")}
    state.harassed = {find(text(row, "hex")): int(text(row, "points")) for row in rows(tree, "harassed")}
    state.harassing = {find(text(row, "hex")): int(text(row, "points")) for row in rows(tree, "harassing")}
    state.take_offs = {find(text(row, "hex")): int(text(row, "used")) for row in rows(tree, "take_offs")}
