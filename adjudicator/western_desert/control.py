"""Zones of control and who controls what (WD 3.G, 5, 14.A.fortress; ruling CONTROL-MOMENT: at once, step by step)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from adjudicator.engine.core import Ctx, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.sites import settle_sites
from adjudicator.western_desert.state import ENEMY, WRECK, State
from adjudicator.western_desert.theatre.holding import watch_levant
from adjudicator.western_desert.victory.running import watch

Flips = dict[int, str]


def zone_makers(state: State, h: int, side: str) -> list[str]:
    """Ids of the enemy units whose zone of control reaches into the hex (WD 5); none of a unit that was dropped in
    this player turn (WD 25.B)."""
    found = []
    for n in hexes.neighbours(h):
        if h not in state.board.open_neighbours(n):
            continue
        for uid in state.enemies_at(n, side):
            if state.unit(uid).has_zoc and not state.pieces[uid].dropped:
                found.append(uid)
    return sorted(found)


def zone_names(state: State, h: int, side: str) -> str:
    """Whose zone reaches into the hex, in words: one name, or the first and how many more."""
    names = [state.unit(uid).short or uid for uid in zone_makers(state, h, side)]
    if not names:
        return "an enemy"
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def holder(state: State, h: int) -> str:
    """The side whose units, or uncontested zone of control, hold a hex now; "" where neither decides (WD 3.G)."""
    units = state.world.units
    sides = {units[uid].side for uid in state.at.get(h, ()) if not units[uid].counter} & ENEMY.keys()
    if sides:
        return sides.pop() if len(sides) == 1 else ""
    zones = [side for side in ENEMY if state.ezoc(h, ENEMY[side])]
    return zones[0] if len(zones) == 1 else ""


def around(state: State, centres: Iterable[int]) -> list[int]:
    """The land hexes at and around some hexes: all that a unit can affect by coming or going."""
    found = {n for h in centres for n in (h, *hexes.neighbours(h))}
    return sorted(h for h in found if h in state.board.land)


def settle(ctx: Ctx[State], centres: Iterable[int], rule: str = "WD 3.G", by: Iterable[int] = ()) -> None:
    """Make the control events that the position demands at and around the given hexes; neutral ground is exempt. Works
    that the position has cost their builders are lost."""
    state = ctx.state
    graph = graph_of(state)
    flips: Flips = {}
    for h in around(state, centres):
        side = holder(state, h)
        if side and side != state.owner(h) and not graph.closed(h):
            flips[h] = side
    emit_flips(ctx, flips, rule, by)
    settle_sites(ctx, by)


def emit_flips(ctx: Ctx[State], flips: Flips, rule: str = "WD 3.G", by: Iterable[int] = ()) -> None:
    """Control events, one a side. A fortress taken from the other player becomes unimproved (WD 14.A.fortress); a fort
    stays and serves its new owner, or goes with the switch ``fort_on_capture`` (ruling FORT-OWNER).

    WD 14.A.fortress.capture.
    """
    state = ctx.state
    razed = state.world.switches.get("fort_on_capture") == "remove"
    for side in sorted(set(flips.values())):
        taken = sorted(h for h in flips if flips[h] == side)
        fallen = [h for h in taken if state.fortress(h) == "improved" and state.owner(h) not in ("", side)]
        name = state.board.name
        fortresses: list[Tree] = [name(h) for h in fallen]
        forts: list[Tree] = [name(h) for h in taken if razed and h in state.forts and state.owner(h) not in ("", side)]
        ctx.emit("control", rule, by, side=side, hexes=[name(h) for h in taken], fortresses=fortresses, forts=forts)
        _sink(ctx, side, taken, by)
    if any(state.board.land[h].cities for h in flips):
        watch(ctx, tuple(by))
        watch_levant(ctx, tuple(by))


def _sink(ctx: Ctx[State], side: str, taken: Container[int], by: Iterable[int]) -> None:
    """The San Giorgio is destroyed at once when the enemy captures its harbor, by entering it or by his zones (WD
    22.A.4, 17.C)."""
    state, wreck = ctx.state, ctx.state.pieces.get(WRECK)
    if wreck is not None and wreck.hex in taken and state.world.units[WRECK].side == ENEMY[side]:
        lost: dict[str, Tree] = {"unit": WRECK, "hex": state.board.name(wreck.hex), "step": "", "fate": "permanent"}
        why = f"{state.board.feature_names(wreck.hex)} is captured"
        ctx.emit("eliminated", "WD 22.A.4", by, "public", **lost, why=why)


def region_holder(state: State, region: str) -> str:
    """The side that controls all cities of a region, and so the region (WD 3.G.region, ruling DOT-NAMES); else ""."""
    board = state.board
    owners = {state.owner(h) for h, info in board.land.items() if info.cities and board.in_region(h, region)}
    return owners.pop() if len(owners) == 1 else ""


def holds_a_city(state: State, region: str, side: str) -> bool:
    """Whether a side controls any city of a region, as the rule of garrisons counts it (WD 28.B.2)."""
    board = state.board
    return any(info.cities and board.in_region(h, region) and state.owner(h) == side for h, info in board.land.items())


def path_flips(state: State, uid: str, path: Sequence[int]) -> list[Flips]:
    """Who gains which hexes at each step of a unit's way, its zone of control moving with it.

    The position is that before the move. Nothing but the unit moves, so all other zones stay as they are.
    """
    unit, piece = state.unit(uid), state.pieces[uid]
    walker = _Walker(state, uid, unit.side, unit.has_zoc and not piece.dropped, not unit.counter)
    steps: list[Flips] = []
    last = piece.hex
    for h in path:
        steps.append(walker.step(last, h))
        last = h
    return steps


class _Walker:
    """The position while one unit is on its way."""

    def __init__(self, state: State, uid: str, side: str, zone: bool, occupies: bool) -> None:
        self.state, self.uid, self.side, self.enemy = state, uid, side, ENEMY.get(side, "")
        self.zone, self.occupies = zone, occupies
        self.graph = graph_of(state)
        own = state.zones.get(side, {})
        overlay, zones = state.overlay_zoc.get(self.enemy), state.zones.get(self.enemy, {})
        self.threat: Container[int] = zones.keys() | overlay if overlay else zones
        self.left = frozenset(state.board.open_neighbours(state.pieces[uid].hex)) if zone else frozenset()
        self.own = own
        self.owners: Flips = {}

    def step(self, last: int, h: int) -> Flips:
        state, side = self.state, self.side
        reach = state.board.open_neighbours(h) if self.zone else ()
        flips: Flips = {}
        owners, control, threat = self.owners, state.control, self.threat
        for n in {last, h, *hexes.neighbours(last), *hexes.neighbours(h)}:
            owner = owners.get(n) or control.get(n, "")
            if owner == side and n not in threat:
                continue
            new = self._holder(n, n == h, n in reach)
            if new and new != owner and n in state.board.land and not self.graph.closed(n):
                flips[n] = new
        self.owners.update(flips)
        return flips

    def _holder(self, n: int, here: bool, reached: bool) -> str:
        units = self.state.world.units
        sides = {units[u].side for u in self.state.at.get(n, ()) if u != self.uid and not units[u].counter}
        if here and self.occupies:
            sides.add(self.side)
        sides &= ENEMY.keys()
        if sides:
            return sides.pop() if len(sides) == 1 else ""
        own = reached or self.own.get(n, 0) > (1 if n in self.left else 0)
        own = own or n in self.state.overlay_zoc.get(self.side, ())
        enemy = self.state.ezoc(n, self.side)
        if own != enemy:
            return self.side if own else self.enemy
        return ""
