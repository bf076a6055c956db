"""Where both sides stand after the message, sector by sector, and what the game has cost them so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from adjudicator.engine.counting import counted as numbered
from adjudicator.report.document import Block, Heading, Item, Table, bullets, item, para, strong
from adjudicator.report.western_desert.names import (
    air_name,
    bare_list,
    counter_name,
    has,
    hex_words,
    people,
    place_names,
    ranked,
    res,
    side_word,
    spoken,
    where,
)
from adjudicator.report.western_desert.scene import Scene
from adjudicator.report.words import capital, counted, figure, joined
from adjudicator.western_desert import hexes
from adjudicator.western_desert.damage import damage_words, site_words
from adjudicator.western_desert.landing import waiting
from adjudicator.western_desert.orderbook import area_title
from adjudicator.western_desert.pool import points_text, rp_words, spare8
from adjudicator.western_desert.state import ENEMY, State

SIDES = ("axis", "allied", "vichy")
CONTACT = 2
LOST = ("eliminated", "permanent")


def situation_blocks(scene: Scene, everything: bool = False) -> list[Block]:
    """Who stands where: in full where something happened or both sides are near, in one line elsewhere."""
    state = scene.state
    held = _held_hexes(state)
    by_sector: dict[str, list[int]] = {}
    for h in held:
        by_sector.setdefault(scene.sectors.of(h), []).append(h)
    loud = _loud_sectors(scene, held)
    ordered = sorted(by_sector, key=scene.sectors.rank)
    entries = [_sector_item(scene, name, by_sector[name]) for name in ordered if everything or name in loud]
    quiet = [name for name in ordered if not everything and name not in loud]
    blocks: list[Block] = [Heading(2, "Order of battle" if everything else "Where things stand"), *bullets(entries)]
    if quiet:
        blocks.append(para(_quiet_words(state, quiet, by_sector)))
    return blocks if everything else [*blocks, *_waiting_blocks(state)]


def _waiting_blocks(state: State) -> list[Block]:
    """Ground units and supplies that wait off the map to come in, and replacement points at hand (WD 29)."""
    entries = []
    for side in ("allied", "axis"):
        boxes: dict[str, list[str]] = {}
        for uid in waiting(state, side):
            boxes.setdefault(state.boxes[uid].box, []).append(spoken(state, uid))
        for sid, depot in sorted(state.depots.items()):
            if depot.side == side:
                boxes.setdefault(depot.box, []).append(f"{counter_name(state, sid)}, {counted(depot.steps, 'step')}")
        parts = [f"{area_title(state.world, box)}: {', '.join(who)}" for box, who in sorted(boxes.items())]
        spare = spare8(state, side).items()
        parts += [f"{numbered(points_text(have), f'{rp_words(key)} point')} at hand" for key, have in spare]
        if parts:
            entries.append(item(f"{capital(people(side))}: {'; '.join(parts)}."))
    return [Heading(2, "Off the map"), *bullets(entries)] if entries else []


def _held_hexes(state: State) -> list[int]:
    """Hexes with a ground unit, a supply counter, a fort, a work under way or damage in them."""
    found = {*state.at, *(counter.hex for counter in state.supply.values()), *state.forts}
    return sorted(found.union((h for h, _what in state.sites), state.port_hits, state.base_hits))


def _loud_sectors(scene: Scene, held: Sequence[int]) -> set[str]:
    """Sectors in which something happened, or in which enemies stand close to each other."""
    state = scene.state
    found = {scene.sectors.of(h) for h in scene.touched if h in state.board.land}
    for h in held:
        if _near_enemy(state, h):
            found.add(scene.sectors.of(h))
    return found


def _near_enemy(state: State, h: int) -> bool:
    sides = {state.world.units[uid].side for uid in state.units_at(h)}
    return any(state.enemy_in(n, side) for side in sides if side in ENEMY for n in hexes.within(h, CONTACT))


def _sector_item(scene: Scene, name: str, held: Sequence[int]) -> Item:
    ordered = sorted(held, key=lambda h: (hexes.column(h), hexes.row(h)))
    return item(strong(capital(name)), below=[_hex_item(scene, h) for h in ordered])


def _hex_item(scene: Scene, h: int) -> Item:
    state = scene.state
    parts = [_stack_words(state, h, side) for side in SIDES if state.friends_at(h, side)]
    for side in SIDES:
        parts += [_supply_words(state, sid, bool(state.units_at(h))) for sid in state.supply_at(h, side)]
    works = _works(state, h)
    return item(where(scene.board, h), works, ": ", "; ".join(parts) or "nobody")


def _stack_words(state: State, h: int, side: str) -> str:
    units = state.friends_at(h, side)
    size = sum(state.unit(uid).re2 for uid in units)
    measured = f", {res(state.unit(uid) for uid in units)}" if size else ""
    words = f"{side_word(side)}{measured}: {bare_list(state, units)}"
    out = [uid for uid in ranked(state, units) if not state.pieces[uid].gs]
    if out and len(out) == len(units):
        return f"{words} (out of general supply)"
    return f"{words} (out of general supply: {bare_list(state, out)})" if out else words


def _supply_words(state: State, sid: str, beside: bool) -> str:
    counter = state.supply[sid]
    steps = counted(counter.steps, "step")
    return f"{counter_name(state, sid)}, {steps}" + ("" if beside else ", unguarded")


def _works(state: State, h: int) -> str:
    fortress = state.fortress(h)
    words = [f"{fortress} fortress"] if fortress else []
    words += [f"{side_word(state.forts[h])} fort"] if h in state.forts else []
    words += [f"{side_word(state.airfields[h])} airfield"] if h in state.airfields else []
    words += [site_words(state, *key) for key in sorted(state.sites) if key[0] == h]
    words += damage_words(state, h)
    return f", {joined(words)}" if words else ""


def _quiet_words(state: State, quiet: Sequence[str], by_sector: dict[str, list[int]]) -> str:
    parts = []
    for name in quiet:
        units = [uid for h in by_sector[name] for uid in state.units_at(h)]
        counts = [(side, sum(state.world.units[uid].side == side for uid in units)) for side in SIDES]
        shown = [f"{number} {side_word(side)}" for side, number in counts if number]
        parts.append(f"{name} ({joined(shown) if shown else 'no unit'})")
    return f"All quiet, with units by number: {joined(parts)}."


# --- losses -----------------------------------------------------------------------------------------------------


def losses_blocks(scene: Scene, lost_now: Iterable[str], reduced_now: Iterable[str]) -> list[Block]:
    """The bill: what this message cost, and the game so far."""
    now, cut = set(lost_now), set(reduced_now)
    rows = [_losses_row(scene.state, side, now, cut) for side in ("allied", "axis")]
    head = ("Side", "Lost now", "Reduced now", "Lost in all", "REs lost in all", "Cadres left", "Supply on the map")
    blocks: list[Block] = [Heading(2, "Losses"), Table(head, tuple(rows), (1, 2, 3, 4, 5, 6))]
    return blocks + bullets([entry for side in ("allied", "axis") for entry in _lost_items(scene.state, side, now)])


def _losses_row(state: State, side: str, now: set[str], cut: set[str]) -> tuple[str, ...]:
    units = state.world.units
    gone = _lost(state, side)
    cadres = [uid for uid in state.side_units(side) if state.pieces[uid].cadre]
    size = Fraction(sum(units[uid].re2 for uid in gone), 2)
    steps = sum(counter.steps for counter in state.supply.values() if counter.side == side)
    return (
        capital(people(side)),
        str(sum(units[uid].side == side for uid in now)),
        str(sum(units[uid].side == side for uid in cut)),
        str(len(gone)),
        figure(size),
        str(len(cadres)),
        f"{steps} step{'' if steps == 1 else 's'}",
    )


def _lost(state: State, side: str) -> list[str]:
    """The units of a side that are lost, in the pool or for good; what was scrapped or converted is no loss."""
    return [uid for uid, why in state.gone.items() if why in LOST and state.world.units[uid].side == side]


def _lost_items(state: State, side: str, now: set[str]) -> list[Item]:
    gone = [*_lost(state, side), *(uid for uid in sorted(now) if uid not in state.gone and uid not in state.pieces)]
    gone = [uid for uid in gone if state.world.units[uid].side == side]
    if not gone:
        return []
    ordered = sorted(gone, key=lambda uid: (uid not in now, uid))
    new = [spoken(state, uid) for uid in ranked(state, [uid for uid in ordered if uid in now])]
    old = [spoken(state, uid) for uid in ranked(state, [uid for uid in ordered if uid not in now])]
    parts = ([f"now {joined(new)}"] if new else []) + ([f"earlier {joined(old)}"] if old else [])
    return [item(f"{capital(people(side))} {has(side)} lost: {'; '.join(parts)}.")]


# --- air units --------------------------------------------------------------------------------------------------


def air_rows(state: State, dice: dict[str, str]) -> list[tuple[str, ...]]:
    """Air units with base, type and state; ``dice`` are those of disarray."""
    rows: list[tuple[str, ...]] = []
    for aid in sorted(state.air, key=lambda a: (_air_side(state, a), state.air[a].hex, a)):
        unit = state.air[aid]
        found = state.world.air.get(aid, {})
        place = hex_words(state.board, unit.hex) if place_names(state.board, unit.hex) else where(state.board, unit.hex)
        name = air_name(state, aid)
        state_word = "operative" if unit.operative else "inoperative"
        rows.append(
            (side_word(_air_side(state, aid)), name, str(found.get("type", "")), place, dice.get(aid, "-"), state_word)
        )
    return rows


def _air_side(state: State, aid: str) -> str:
    return str(state.world.air.get(aid, {}).get("side", ""))
