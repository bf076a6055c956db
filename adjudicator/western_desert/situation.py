"""What a player must keep in mind, for `status`: the moment, supply, contact, supply counters."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.words import joined, may_act, moment, out_of_supply, short_name, side_name, supply_name


def situation(state: State, side: str) -> list[str]:
    """Lines for one side; for a folder without a side those of the phasing player."""
    side = side if side in ENEMY else state.player
    lines = [f"It is {moment(state)}.", *_surprise(state, side)]
    if side in ENEMY:
        lines += [*_out_of_supply(state, side), *_counters(state, side), *_contact(state, side)]
    return lines


def _surprise(state: State, side: str) -> list[str]:
    if not state.surprise:
        return []
    if side != state.player:
        return [f"Only the {side_name(state.player)} attack force may act; you are not asked (WD 28.B.3)."]
    force = [short_name(state, uid) for uid in state.side_units(side) if may_act(state, uid)]
    return [f"Only the attack force may move and attack (WD 28.B.3): {joined(force)}."]


def _out_of_supply(state: State, side: str) -> list[str]:
    out = out_of_supply(state, side)
    if not out:
        return ["All your units are in general supply."]
    stacks: dict[int, list[str]] = {}
    for uid in out:
        stacks.setdefault(state.hex_of(uid), []).append(short_name(state, uid))
    said = [f"{joined(who)} in {_where(state, h)}" for h, who in sorted(stacks.items())]
    return [f"Out of general supply (WD 12.B): {'; '.join(said)}."]


def _counters(state: State, side: str) -> list[str]:
    own = [(sid, counter) for sid, counter in sorted(state.supply.items()) if counter.side == side]
    said = [
        f"{supply_name(state, sid)} in {_where(state, counter.hex)}, {counter.steps} step"
        f"{'' if counter.steps == 1 else 's'}"
        for sid, counter in own
    ]
    return [f"Supply for attacks (WD 12.C): {'; '.join(said)}."] if said else ["You have no supply counter on the map."]


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
