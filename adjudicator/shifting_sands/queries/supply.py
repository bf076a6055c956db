"""``supply``: the status of a unit, its line and source, or what keeps it from one (SS 13.2 to 13.6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from adjudicator.engine.core import Order
from adjudicator.engine.counting import counted
from adjudicator.engine.queries import Reply
from adjudicator.shifting_sands.access import crossing, entry
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, Supplied, Trace, supply, supply_of_counter
from adjudicator.shifting_sands.words import in_supply, joined, moment, place_name, short_name, side_name, unit_name
from adjudicator.shifting_sands.world import Counter


def supply_reply(state: State, side: str, asked: Order) -> Reply:
    """The supply of a unit, of each own unit in a space or as if it stood there, or of all units of the side."""
    uid = asked.text("unit")
    if uid and (uid not in state.pieces or not state.on_map(uid)):
        where = place_name(state.pieces[uid].at) if uid in state.pieces else "not in play"
        return Reply([f"{unit_name(state, uid)} is not on the map ({where})."], {"unit": uid, "on_map": False})
    if uid:
        return _unit(state, uid)
    return _space(state, side, asked.text("space")) if asked.text("space") else _all(state, side)


def _unit(state: State, uid: str) -> Reply:
    found, piece = supply(state, uid), state.pieces[uid]
    unit = state.counter(uid)
    lines = [f"{short_name(state, uid)} ({unit_name(state, uid)}) in {piece.at}. {moment(state)}."]
    if piece.supply:
        lines.append(f"Activated in this round: it counts as {in_supply(piece.supply)} (SS 13.11).")
    tree: dict[str, Any] = {"unit": uid, "frozen": piece.supply, **_tree(state, unit, piece.at, found)}
    return Reply([*lines, *_lines(state, tree, found)], tree)


def _space(state: State, side: str, place: str) -> Reply:
    """Every nationality on a side traces for itself: units that stand there, else one unit of each nation in play."""
    units = [state.counter(uid) for uid in state.friends(place, side)]
    if not units:
        on_map = [state.counter(uid) for uid in state.side_units(side) if state.on_map(uid)]
        units = list({(unit.nation, unit.size): unit for unit in on_map}.values())
    lines, rows = [f"{place}, for {side_name(side)} units. {moment(state)}."], list[dict[str, Any]]()
    for unit in units:
        found = supply_of_counter(state, unit, place)
        tree = {"unit": unit.id, **_tree(state, unit, place, found)}
        rows.append(tree)
        lines += [f"A unit like {unit.short} would be {in_supply(found.status)}: {_how(found)}."]
    return Reply(lines, {"space": place, "side": side, "units": rows})


def _all(state: State, side: str) -> Reply:
    rows = []
    lines = [f"Supply of the {side_name(side)} units. {moment(state)}."]
    for uid in [uid for uid in state.side_units(side) if state.on_map(uid)]:
        found, piece = supply(state, uid), state.pieces[uid]
        row = {"unit": uid, "space": piece.at, "status": found.status, "distance": found.distance, "how": found.how}
        rows.append(row)
        lines.append(f"  {short_name(state, uid):14} {piece.at:20} {in_supply(found.status)}: {_how(found)}")
    out = sum(row["status"] == OUT for row in rows)
    return Reply([*lines, f"{counted(len(rows), 'unit')}, {out} out of supply."], {"side": side, "units": rows})


# --- the line ---------------------------------------------------------------------------------------------------


def _tree(state: State, unit: Counter, place: str, found: Supplied) -> dict[str, Any]:
    trace = Trace(state, unit)
    tree: dict[str, Any] = {"space": place, "status": found.status, "distance": found.distance, "how": found.how}
    tree["rule"] = found.rule
    tree["line"] = _line(trace, place) if found.distance is not None else []
    sources = sources_of(state, unit)
    tree["sources"] = [{"space": name, "owner": state.owner(name)} for name in sources]
    tree["lost"] = [] if tree["line"] else _to_take(state, unit, place, sources)
    return tree


def _how(found: Supplied) -> str:
    far = f", {counted(found.distance, 'space')} away" if found.distance is not None else ""
    return f"{found.how}{far} ({found.rule})"


def _lines(state: State, tree: dict[str, Any], found: Supplied) -> list[str]:
    lines = [f"As lines are now: {in_supply(found.status)}, {_how(found)}."]
    if tree["line"]:
        lines.append(f"Line: {', '.join(tree['line'])}.")
        return lines
    if not tree["sources"]:
        return [*lines, "No space is a source for it now (SS 13.2 to 13.4)."]
    lines.append(f"Its sources: {joined([_source(row) for row in tree['sources']])} (SS 13.2 to 13.4).")
    if tree["lost"]:
        lines.append(f"A line by land would need {joined([_held(state, name) for name in tree['lost']])}.")
    return lines


def _source(row: dict[str, Any]) -> str:
    return f"{row['space']} ({side_name(row['owner'])})" if row["owner"] else str(row["space"])


def _held(state: State, name: str) -> str:
    owner = state.owner(name)
    return f"{name}, held by the {side_name(owner)} side" if owner else f"{name}, which nobody holds"


def sources_of(state: State, unit: Counter) -> list[str]:
    """The spaces that are or would be sources of a unit if its side held them, by name (SS 13.2 to 13.4)."""
    spaces = sorted(state.world.spaces)
    return [name for name in spaces if Trace(state, unit, frozenset([name])).serves(name)]


def _line(trace: Trace, place: str) -> list[str]:
    """A shortest line by land from a space to a source; ties go by name."""
    ways = _ways(trace, place, trace.mine)
    ends = [way for name, way in ways.items() if trace.serves(name)]
    return min(ends, key=lambda way: (len(way), way), default=[])


def _to_take(state: State, unit: Counter, place: str, sources: Iterable[str]) -> list[str]:
    """The spaces of the enemy or of nobody on the land way to a source that needs the fewest of them."""
    trace = Trace(state, unit)
    ways = _ways(trace, place, lambda _name: True)
    needs = [[name for name in ways[end][1:] if not trace.mine(name)] for end in sources if end in ways]
    return min(needs, key=lambda need: (len(need), need), default=[])


def _ways(trace: Trace, start: str, held: Callable[[str], bool]) -> dict[str, list[str]]:
    """Shortest ways by land over spaces that are ``held``, by the steps of :meth:`Trace.reached`."""
    found = {start: [start]}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there, link in sorted(trace.state.world.links.get(here, {}).items()):
            if there in found or not held(there) or crossing(link, trace.unit, here, there):
                continue
            if entry(trace.state, trace.unit, there) is None:
                found[there] = [*found[here], there]
                queue.append(there)
    return found
