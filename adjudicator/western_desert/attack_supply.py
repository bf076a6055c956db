"""Attack supply of one attack: which counters pay for which units (WD 12.C, rulings STEP-SPLIT, ATTACK-SUPPLY-TIME).

A step serves 10 REs and may be spread over the attacks of one combat phase; what is left of it lapses at the end.
Units draw whole, from any of the counters named that they can trace to; the strongest attackers first (pbem C5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.western_desert.battle import charts_of, switch_on
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import counters_in_reach
from adjudicator.western_desert.theatre.forces import attack_supplied


class Wish(NamedTuple):
    """A counter named in an attack order: at most so many new steps, for these units only (empty = any)."""

    counter: str
    steps: int
    units: tuple[str, ...] = ()


class Draw(NamedTuple):
    """What an attack takes from one counter: new steps spent, half REs drawn and by whom, steps left and half REs left
    over."""

    counter: str
    steps: int
    re2: int
    left: int
    spare2: int
    units: tuple[str, ...] = ()


class SupplyPlan(NamedTuple):
    """The units in attack supply, what it costs, and the units that the steps named would serve but can't be brought
    to now, because a line is cut or a counter gone."""

    supplied: frozenset[str] = frozenset()
    draws: tuple[Draw, ...] = ()
    short: tuple[str, ...] = ()


def plan_supply(state: State, side: str, units: Sequence[str], wishes: Sequence[Wish]) -> SupplyPlan:
    """Who gets attack supply from the counters named, as lines and counters are now; who enters play with a special
    operation has it (WD 27.B.supply). Pure."""
    free = attack_supplied(state, units)
    if not wishes:
        return SupplyPlan(frozenset(free))
    wishes = _merged(wishes)
    usable = [w for w in wishes if w.counter in state.supply and state.supply[w.counter].side == side]
    asking = (uid for uid in units if uid not in free and _wants(state, uid))
    wanting = sorted(asking, key=lambda uid: (-state.unit(uid).attack, uid))
    ways = _ways(state, side, units, usable)
    accepted = _serve(state, wanting, ways, _capacity(state, usable, {w.counter: w.steps for w in usable}))
    per_step = 2 * charts_of(state).limits["re_per_step"]
    meant = {w.counter: per_step * w.steps for w in wishes}
    anywhere = {uid: tuple(w.counter for w in wishes if not w.units or uid in w.units) for uid in units}
    short = [uid for uid in _serve(state, wanting, anywhere, meant) if uid not in accepted]
    return SupplyPlan(frozenset(accepted) | free, _least_steps(state, accepted, ways, usable), tuple(sorted(short)))


def _merged(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """One wish a counter: steps added; units together, unless one of the wishes is for any unit."""
    found: dict[str, Wish] = {}
    for wish in wishes:
        old = found.get(wish.counter)
        if old is None:
            found[wish.counter] = wish
        else:
            units = tuple(sorted({*old.units, *wish.units})) if old.units and wish.units else ()
            found[wish.counter] = Wish(wish.counter, old.steps + wish.steps, units)
    return tuple(found.values())


def _serve(
    state: State, wanting: Sequence[str], ways: Mapping[str, tuple[str, ...]], capacity: Mapping[str, int]
) -> list[str]:
    """The units that get all their REs, the strongest attackers first (pbem C5)."""
    served: list[str] = []
    for uid in wanting:
        if _assign(state, [*served, uid], ways, capacity) is not None:
            served.append(uid)
    return served


def _wants(state: State, uid: str) -> bool:
    """Attack supply matters to units with an attack strength only."""
    unit = state.unit(uid)
    return unit.attack > 0 and unit.re2 > 0


def _ways(state: State, side: str, units: Sequence[str], wishes: Sequence[Wish]) -> dict[str, tuple[str, ...]]:
    """The named counters each unit can draw from, in the order named."""
    reach = {h: set(counters_in_reach(state, side, h)) for h in {state.hex_of(uid) for uid in units}}
    ways: dict[str, tuple[str, ...]] = {}
    for uid in units:
        near = reach[state.hex_of(uid)]
        open_to = [w.counter for w in wishes if w.counter in near and (not w.units or uid in w.units)]
        ways[uid] = tuple(dict.fromkeys(open_to))
    return ways


def _capacity(state: State, wishes: Sequence[Wish], steps: Mapping[str, int]) -> dict[str, int]:
    """Half REs each counter gives when so many new steps are spent (WD 12.C.capacity)."""
    per_step = 2 * charts_of(state).limits["re_per_step"]
    return {
        w.counter: _spare(state, w.counter) + per_step * min(steps[w.counter], state.supply[w.counter].steps)
        for w in wishes
    }


def _spare(state: State, counter: str) -> int:
    """Half REs already paid for in this phase and still unused."""
    return state.supply[counter].drawn2 if switch_on(state, "attack_step_split", True) else 0


def _assign(
    state: State, units: Sequence[str], ways: Mapping[str, tuple[str, ...]], capacity: Mapping[str, int]
) -> dict[str, list[str]] | None:
    """Each half RE of the units at a counter that has room, or None where that can't be done."""
    load: dict[str, list[str]] = {counter: [] for counter in capacity}

    def seat(uid: str, seen: set[str]) -> bool:
        for counter in ways[uid]:
            if counter in seen:
                continue
            seen.add(counter)
            if len(load[counter]) < capacity[counter]:
                load[counter].append(uid)
                return True
            for other in dict.fromkeys(load[counter]):
                if seat(other, seen):
                    load[counter][load[counter].index(other)] = uid
                    return True
        return False

    for uid in units:
        for _half in range(state.unit(uid).re2):
            if not seat(uid, set()):
                return None
    return load


def _least_steps(
    state: State, units: Sequence[str], ways: Mapping[str, tuple[str, ...]], wishes: Sequence[Wish]
) -> tuple[Draw, ...]:
    """Spend what is paid already first, then as few new steps as will do, of counters in the order named."""
    steps = {w.counter: min(w.steps, state.supply[w.counter].steps) for w in wishes}
    load = _assign(state, units, ways, _capacity(state, wishes, steps))
    for counter in [w.counter for w in reversed(wishes) for _step in range(steps[w.counter])]:
        fewer = {**steps, counter: steps[counter] - 1}
        saved = _assign(state, units, ways, _capacity(state, wishes, fewer))
        if saved is not None:
            steps, load = fewer, saved
    draws = []
    for counter, drawn in (load or {}).items():
        if drawn or steps[counter]:
            left = state.supply[counter].steps - steps[counter]
            room = _capacity(state, wishes, steps)[counter]
            served = tuple(sorted(set(drawn)))
            draws.append(Draw(counter, steps[counter], len(drawn), left, room - len(drawn), served))
    return tuple(draws)
