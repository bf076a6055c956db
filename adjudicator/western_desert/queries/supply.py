"""``supply``: is a unit or hex in general supply, by which line, who bars it, what would mend it (WD 12.A to 12.C).

The lines are those of :class:`supply.Net`; a mend is tried on a net with the change before it is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.core import Order
from adjudicator.engine.counting import counted
from adjudicator.engine.queries import Reply
from adjudicator.western_desert import hexes
from adjudicator.western_desert.control import zone_names
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import (
    Net,
    bar,
    barring,
    counters_in_reach,
    covered,
    end_of_line,
    line_to_terminal,
    net,
    reason,
)
from adjudicator.western_desert.words import joined, moment, names, short_name, supply_name

OPENED_AT_MOST = 12
MENDS_AT_MOST = 3


def supply_reply(state: State, side: str, asked: Order) -> Reply:
    """The supply of a unit, of a hex for the side that asks, or of all units of the side."""
    if asked.text("all"):
        return _all(state, side)
    uid = asked.text("unit")
    if uid and uid not in state.pieces:
        gone = state.gone.get(uid, "not on the map")
        line = f"{names(state, [uid])} is {gone}: nothing is traced to it."
        return Reply([line], {"unit": uid, "on_map": False})
    if uid:
        return _unit(state, uid)
    if asked.text("hex"):
        return _place(state, side, state.board.find(asked.text("hex")))
    return _all(state, side)


def _unit(state: State, uid: str) -> Reply:
    side, h = state.world.units[uid].side, state.hex_of(uid)
    tree: dict[str, Any] = {"unit": uid, "determined": state.pieces[uid].gs, **_tree(state, side, h)}
    lines = [f"{short_name(state, uid)} in {state.board.feature_names(h)}. {moment(state)}."]
    if state.phase != "initial":
        was = "in" if state.pieces[uid].gs else "out of"
        lines.append(f"For this player turn it is {was} general supply, as found in the initial phase (WD 12.B).")
    return Reply([*lines, *_lines(state, side, h, tree), *_general_counters(state, uid, tree)], tree)


def _place(state: State, side: str, h: int) -> Reply:
    if h not in state.board.land:
        where = state.board.name(h)
        return Reply([f"{where} is no land hex: no line is traced there."], {"hex": where, "supplied": False})
    tree = _tree(state, side, h)
    lines = [f"{state.board.feature_names(h)}, for a unit of the {side} side. {moment(state)}."]
    return Reply([*lines, *_lines(state, side, h, tree)], tree)


# --- one line ---------------------------------------------------------------------------------------------------


def _tree(state: State, side: str, h: int, mends: bool = True) -> dict[str, Any]:
    """What is known of the line from a hex, for programs; without ``mends`` not how it could be mended."""
    lines, name = net(state, side), state.board.name
    tree: dict[str, Any] = {"hex": name(h), "side": side, "supplied": h in lines.near, "limit": lines.limit}
    tree["why"] = reason(state, side, h)
    if h in lines.near:
        end = end_of_line(lines, h)
        tree["line"] = [name(n) for n in overland(lines, h, end)]
        tree["transport"] = [name(n) for n in line_to_terminal(lines, end)]
        tree["terminal"] = name(lines.lines[end])
    elif mends:
        tree |= _cut_tree(state, lines, h)
    tree["attack_supply"] = [_counter_tree(state, lines, sid, h) for sid in counters_in_reach(state, side, h)]
    return tree


def overland(lines: Net, h: int, end: int) -> list[int]:
    """The hexes of a shortest line from h to ``end``, both included: of several ways that with the lower hexes."""
    around, way = lines.around(h), [end]
    while way[-1] != h:
        here = way[-1]
        way.append(
            min(
                n
                for n in hexes.neighbours(here)
                if around.get(n) == around[here] - 1 and lines.board.passable(n, here)
            )
        )
    return way[::-1]


def _counter_tree(state: State, lines: Net, sid: str, h: int) -> dict[str, Any]:
    counter = state.supply[sid]
    return {
        "counter": sid,
        "name": supply_name(state, sid),
        "hex": state.board.name(counter.hex),
        "steps": counter.steps,
        "hexes": lines.around(h).get(counter.hex),
    }


def _lines(state: State, side: str, h: int, tree: Mapping[str, Any]) -> list[str]:
    if tree["supplied"]:
        steps = len(tree["line"]) - 1
        lines = [f"In general supply as lines are now: {tree['why']} (WD 12.B.1)."]
        if steps:
            lines.append(f"  overland, {_hexes(steps)} of {tree['limit']}: {_way(state, tree['line'])}")
        if len(tree["transport"]) > 1:
            rest = len(tree["transport"]) - 1
            lines.append(f"  transport line, {_hexes(rest)} to the terminal: {_way(state, tree['transport'])}")
    else:
        lines = [f"No line as things are now: {tree['why']} (WD 12.A, 12.B.1)."]
        lines += [f"  {said}" for said in tree["mend"]]
    return [*lines, _attack_line(state, tree["attack_supply"])]


def _way(state: State, way: Sequence[str]) -> str:
    """``19/0826, 19/0825, Matruh (19/1012)``; the names of places where a line begins and ends."""
    shown = [*way]
    for at in {0, len(way) - 1}:
        shown[at] = state.board.feature_names(state.board.find(way[at]))
    return ", ".join(shown)


def _attack_line(state: State, rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "No supply counter in reach for attack supply (WD 12.C)."
    said = [
        f"{row['name']} in {state.board.feature_names(state.board.find(row['hex']))}, "
        f"{_hexes(row['hexes'])} away, {counted(row['steps'], 'step')}"
        for row in rows
    ]
    return f"Attack supply in reach (WD 12.C): {'; '.join(said)}."


def _hexes(count: int) -> str:
    return counted(count, "hex", "hexes")


# --- what bars it, what would mend it ---------------------------------------------------------------------------


def _cut_tree(state: State, lines: Net, h: int) -> dict[str, Any]:
    """Where the line is barred and by whom, and mends that hold."""
    name = state.board.name
    barred = _barred(lines, h)
    tree: dict[str, Any] = {"barred": [{"hex": name(b), "why": bar(state, lines, b)} for b in barred], "mend": []}
    mends: list[str] = tree["mend"]
    if len(barred) > MENDS_AT_MOST:
        first = ", ".join(state.board.feature_names(b) for b in barred[:MENDS_AT_MOST])
        mends.append(f"{counted(len(barred), 'hex bars', 'hexes bar')} the shortest way, the first are {first}")
    elif barred:
        mends.append(f"would mend it: {joined([_opening(state, lines, b) for b in barred])}")
    near = nearest_supplied(lines, h)
    if near >= 0:
        away, where = hexes.distance(h, near), state.board.feature_names(near)
        mends.append(f"the nearest hex in supply is {where}, {_hexes(away)} from there")
    return tree


def _barred(lines: Net, h: int) -> list[int]:
    """The hexes to be opened, one after the other, on the shortest way there would be without enemies, until a line
    is there; none where that way would be too long anyhow, or more are needed than anybody will open."""
    found: list[int] = []
    trial = lines
    while h not in trial.near:
        if h not in lines.free.near or len(found) == OPENED_AT_MOST:
            return []
        blocked, _meets = barring(lines.board, trial, lines.free, h)
        if blocked < 0:
            return []
        found.append(blocked)
        trial = _opened(lines, found)
    return found


def _opened(lines: Net, barred: Sequence[int]) -> Net:
    """The lines with these hexes held by own units with a size (ruling LINE-FRIEND)."""
    ground = lines.ground
    held = ground._replace(friends=ground.friends | set(barred), enemies=ground.enemies - set(barred))
    return Net(lines.board, lines.graph, lines.limit, held)


def _opening(state: State, lines: Net, h: int) -> str:
    where = state.board.feature_names(h)
    if h in lines.ground.enemies:
        return f"taking {where} from {joined([short_name(state, u) for u in state.enemies_at(h, lines.ground.side)])}"
    return f"an own unit with a size in {where}, in the ZOC of {zone_names(state, h, lines.ground.side)} (WD 12.A)"


def nearest_supplied(lines: Net, h: int) -> int:
    """The hex in supply nearest to one, as the crow flies, where an own unit could stand; -1 where there is none."""
    fit = [n for n in lines.near if n not in lines.ground.enemies and not lines.neutral(n)]
    return min(fit, key=lambda n: (hexes.distance(h, n), lines.near[n], n), default=-1)


# --- counters for general supply --------------------------------------------------------------------------------


def _general_counters(state: State, uid: str, tree: dict[str, Any]) -> list[str]:
    """The counters a step of which would serve the unit (WD 12.B.2), where no line does."""
    side = state.world.units[uid].side
    serving = [
        sid for sid, c in sorted(state.supply.items()) if c.side == side and c.steps and uid in covered(state, sid)
    ]
    tree["general_counters"] = serving
    if tree["supplied"]:
        return []
    if not serving:
        return ["No supply counter can serve it either (WD 12.B.2)."]
    said = joined([f"{supply_name(state, sid)} ({sid}, {counted(state.supply[sid].steps, 'step')})" for sid in serving])
    return [f"A step of {said} would put it in general supply in an initial phase (WD 12.B.2)."]


def _all(state: State, side: str) -> Reply:
    """All units of a side by hex."""
    rows: list[dict[str, Any]] = []
    for h in sorted({state.hex_of(uid) for uid in state.side_units(side)}):
        units = state.friends_at(h, side)
        tree = _tree(state, side, h, mends=False)
        rows.append({"units": units, "determined": [uid for uid in units if state.pieces[uid].gs], **tree})
    lines = [f"Supply of the {side} units as lines are now. {moment(state)}."]
    for row in rows:
        mark = "in " if row["supplied"] else "OUT"
        who = ", ".join(short_name(state, uid) for uid in row["units"])
        where = state.board.feature_names(state.board.find(row["hex"]))
        said = f"  {mark}  {where}: {who}; {row['why']}"
        lines.append(said + _differs(state, row))
    out = sum(len(row["units"]) for row in rows if not row["supplied"])
    lines.append(f"{counted(sum(len(row['units']) for row in rows), 'unit')}, {out} without a line.")
    return Reply(lines, {"side": side, "hexes": rows})


def _differs(state: State, row: Mapping[str, Any]) -> str:
    """What the initial phase has found, where lines now say otherwise."""
    if state.phase == "initial":
        return ""
    in_now = bool(row["supplied"])
    other = [uid for uid in row["units"] if (uid in row["determined"]) != in_now]
    if not other:
        return ""
    who = joined([short_name(state, uid) for uid in other])
    return f" ({who} {'out of' if in_now else 'in'} general supply for this player turn)"
