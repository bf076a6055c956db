"""What a player must keep in mind, for `status`: the moment, supply, contact, supply counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from adjudicator.engine.counting import counted
from adjudicator.western_desert.air.staging import in_europe
from adjudicator.western_desert.air.words import air_names
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.damage import damage_words, site_words
from adjudicator.western_desert.deploying import AIR, COUNTER, UNIT, Deployment
from adjudicator.western_desert.haul import smp2, smp_left2
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.landing import waiting
from adjudicator.western_desert.orderbook import area_title, missing, short
from adjudicator.western_desert.pool import points_text, pool_of, rp_words, spare8
from adjudicator.western_desert.sea.voyages import limit2
from adjudicator.western_desert.setup import DEPLOYERS
from adjudicator.western_desert.situation_air import air_lines
from adjudicator.western_desert.situation_coming import coming_lines
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.theatre.listed import area_name, areas_kept, in_area
from adjudicator.western_desert.theatre.malta_pool import in_pool
from adjudicator.western_desert.units import number
from adjudicator.western_desert.victory.words import victory_lines
from adjudicator.western_desert.words import (
    joined,
    may_act,
    moment,
    only_by_counters,
    out_of_supply,
    short_name,
    side_name,
    supply_name,
)

KINDS = {UNIT: "ground unit", AIR: "air unit", COUNTER: "supply counter"}


def situation(state: State, side: str) -> list[str]:
    """Lines for one side; for a folder without a side those of the phasing player."""
    side = side if side in ENEMY else state.player
    if state.phase == "setup":
        return [f"It is {moment(state)}.", *_deployment(state, side)]
    lines = [f"It is {moment(state)}.", *_surprise(state, side), *victory_lines(state)]
    if side in ENEMY:
        lines += [*_out_of_supply(state, side), *_counters(state, side), *_works(state, side), *_contact(state, side)]
        lines += air_lines(state, side)
        lines += [*_off_map(state, side), *_pool(state, side), *coming_lines(state, side)]
    return [*lines, *_ending(state)]


def _deployment(state: State, side: str) -> list[str]:
    """What a side has still to set up, or that it waits (WD 30)."""
    if side not in ENEMY or not state.player:
        return []
    if side != state.player:
        done = "You have set up" if side == DEPLOYERS[0] else "The Axis player sets up first, you see where"
        return [f"{done} (WD 30)."]
    kinds = Counter(thing.kind for thing in Deployment(state, side).open.values())
    said = [counted(kinds[kind], name) for kind, name in KINDS.items() if kinds[kind]]
    return [f"You set up {joined(said)} (WD 30); what no order places stands where it is listed."]


def _ending(state: State) -> list[str]:
    """Why the game does not go on, where it does not."""
    if state.phase == "victory":
        return []
    why = missing(state) if state.phase == "initial" else ""
    return [f"The game rests here: {why}."] if why else []


def _surprise(state: State, side: str) -> list[str]:
    if not state.surprise:
        return []
    if side != state.player:
        return [f"Only the {side_name(state.player)} attack force may act; you are not asked (WD 28.B.3)."]
    force = [short_name(state, uid) for uid in state.side_units(side) if may_act(state, uid)]
    return [f"Only the attack force may move and attack (WD 28.B.3): {joined(force)}."]


def _out_of_supply(state: State, side: str) -> list[str]:
    out, held = out_of_supply(state, side), only_by_counters(state, side)
    if not out and not held:
        return ["All your units are in general supply."]
    lines = [f"Out of general supply (WD 12.B): {_stacks(state, out)}."] if out else []
    if held:
        saved = "with a step of a supply counter in general supply, else not (`general_supply`, WD 12.B.2)"
        lines.append(f"No line of supply: {_stacks(state, held)}; {saved}.")
    return lines


def _stacks(state: State, uids: Sequence[str]) -> str:
    stacks: dict[int, list[str]] = {}
    for uid in uids:
        stacks.setdefault(state.hex_of(uid), []).append(short_name(state, uid))
    return "; ".join(f"{joined(who)} in {_where(state, h)}" for h, who in sorted(stacks.items()))


def _counters(state: State, side: str) -> list[str]:
    own = [(sid, counter) for sid, counter in sorted(state.supply.items()) if counter.side == side]
    said = [
        f"{supply_name(state, sid)} in {_where(state, counter.hex)}, {counted(counter.steps, 'step')}"
        for sid, counter in own
    ]
    lines = [f"Supply for attacks (WD 12.C): {'; '.join(said)}."] if said else []
    return [*lines, *_smp(state, side)] if said else ["You have no supply counter on the map."]


def _smp(state: State, side: str) -> list[str]:
    """Supply movement points, in the player turn they are for."""
    if side != state.player or state.surprise:
        return []
    whole, left = mp_text(smp2(state, side)), mp_text(smp_left2(state, side))
    return [f"Supply movement points (WD 12.D): {left} of {whole} left this turn."]


def _works(state: State, side: str) -> list[str]:
    """What the side is building, and what of its ports, airbases and railroads is damaged."""
    own = [key for key in sorted(state.sites) if state.sites[key].side == side]
    under_way = [f"{site_words(state, *key)} in {_where(state, key[0])}" for key in own]
    damaged = sorted(h for h in {*state.port_hits, *state.base_hits} if state.owner(h) == side)
    said = [f"{joined(damage_words(state, h))} in {_where(state, h)}" for h in damaged]
    broken = [_where(state, h) for h in sorted(state.broken) if state.owner(h) == side]
    lines = [f"Under way (WD 14.A): {'; '.join(under_way)}."] if under_way else []
    lines += [f"Damaged (WD 17.D, 26.A.2): {'; '.join(said)}."] if said else []
    return lines + ([f"Broken railroads of yours (WD 7.C): {', '.join(broken)}."] if broken else [])


def _off_map(state: State, side: str) -> list[str]:
    """What waits to come in, area by area, and what this version leaves out."""
    boxes: dict[str, list[str]] = {}
    for uid in waiting(state, side):
        boxes.setdefault(state.boxes[uid].box, []).append(short(state.world, uid))
    for sid, depot in sorted(state.depots.items()):
        if depot.side == side:
            boxes.setdefault(depot.box, []).append(f"{sid} ({counted(depot.steps, 'step')})")
    said = [f"{area_title(state.world, box)}: {', '.join(who)}" for box, who in sorted(boxes.items())]
    lines = [f"Off the map (WD 29.A): {'; '.join(said)}."] if said else []
    lines += [
        f"Garrisons off the map in {area_name(area)} (WD 33.C): "
        f"{', '.join(short(state.world, one.unit) for one in in_area(state, area))}."
        for area in areas_kept(state)
    ]
    away = in_europe(state) if side == "axis" else []
    lines += [f"In Europe, to come in by `stage` (WD 33.F): {air_names(state.world, away)}."] if away else []
    lines.append(f"The status of Malta is {state.malta} (WD 26.C).{_shipping(state, side)}")
    return lines


def _shipping(state: State, side: str) -> str:
    """What the phasing side may still ship from port to port (WD 26.B.2)."""
    if side != state.player:
        return ""
    left = number(Fraction(limit2(state, side), 2))
    return f" REs that may still be shipped from port to port in this player turn (WD 26.B.2): {left}."


def _pool(state: State, side: str) -> list[str]:
    """Replacement points and the replacement pool (WD 29.B)."""
    points = [f"{points_text(have)} {rp_words(key)}" for key, have in spare8(state, side).items()]
    cadre, island = " (cadre)", " (Malta)"
    pool = [
        f"{short(state.world, uid)}{cadre * (uid in state.reduced)}{island * in_pool(state, uid)}"
        for uid in pool_of(state, side)
    ]
    lines = [f"Replacement points at hand (WD 29.B): {joined(points)}."] if points else []
    return [*lines, f"Replacement pool: {joined(pool)}."] if pool else lines


def _contact(state: State, side: str) -> list[str]:
    lines = []
    for h, hexes in touching(state, side):
        who = joined([short_name(state, uid) for uid in state.enemies_at(h, side)])
        near = joined([_where(state, n) for n in hexes])
        lines.append(f"In contact: {who} in {_where(state, h)}, next to your units in {near}.")
    return lines or ["No enemy unit stands next to yours."]


def touching(state: State, side: str) -> Iterator[tuple[int, list[int]]]:
    """Each hex with enemy units next to own ones, with the own hexes, in order of hex."""
    for h in sorted(state.at):
        if state.enemies_at(h, side):
            own = [n for n in sorted(neighbours(h)) if state.friends_at(n, side)]
            if own:
                yield h, own


def _where(state: State, h: int) -> str:
    return state.board.feature_names(h)
