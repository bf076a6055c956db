"""What a position holds that a card can change, told flat: units, spaces, points, and what the rules allow from now on.

Tests compare two positions by :func:`changes`: whatever a card does beyond what its row says shows there.
"""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.core import Order
from adjudicator.shifting_sands.access import attack_entry, entry
from adjudicator.shifting_sands.activation import marker_problems
from adjudicator.shifting_sands.cards import NO_POINTS
from adjudicator.shifting_sands.designate import flank_event, rommel_problems
from adjudicator.shifting_sands.drawing import hand_size
from adjudicator.shifting_sands.events.carry_out import siege_active
from adjudicator.shifting_sands.events.limits import confined
from adjudicator.shifting_sands.events.playable import t_cards
from adjudicator.shifting_sands.fire import Combat, drm_of, rommel_shift
from adjudicator.shifting_sands.redeploy import port_problem, rd_problems
from adjudicator.shifting_sands.relocate import doomed
from adjudicator.shifting_sands.replacement import bans, income, of_card, pool_of, said
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import Ops, State
from adjudicator.shifting_sands.supply import Trace, serves, supply_of_counter
from adjudicator.shifting_sands.victory import by_spaces

Value = str | frozenset[str]
SIDES = ("axis", "allied")
PROBES = {
    "GE": "ge-15-pz", "IT": "it-17", "BR": "br-70", "AUS": "aus-7", "US": "us-1", "FF_US": "ff-dma",
    "FF_BR": "ff-inf-bg-1", "VF": "vf-inf-bg-1", "IR": "ir-inf-bg-1", "EG": "eg-inf-bg-1",
}  # fmt: skip
"""A unit of each nation whose rights are asked about."""
FIGHTS = (
    ("IT", "Halfaya"), ("IT", "Kassala"), ("GE", "Halfaya"), ("BR", "Tobruk"), ("BR", "Tunis"), ("US", "Tobruk"),
    ("US", "Tunis"), ("FF_US", "Tunis"),
)  # fmt: skip
STACKS = (
    ("BR", "Egypt"), ("BR", "Libya"), ("BR", "Tunisia"), ("BR", "East Africa"), ("AUS", "Egypt"), ("US", "Tunisia"),
    ("US", "Libya"), ("US", "Egypt"), ("FF_US", "Tunisia"), ("GE", "Libya"),
)  # fmt: skip
GATES = (
    ("GE", "Tunis"), ("BR", "Tunis"), ("BR", "Oran"), ("BR", "Algiers"), ("BR", "Damascus"), ("GE", "Damascus"),
    ("BR", "Siwa"), ("FF_BR", "Siwa"), ("IR", "Damascus"), ("IR", "Jerusalem"), ("VF", "Mosul"), ("VF", "Jerusalem"),
    ("IR", "Sinai"), ("EG", "Jerusalem"),
)  # fmt: skip
SUPPLIED = (("BR", "Khartoum"), ("BR", "Jerusalem"), ("BR", "Constantine"), ("BR", "Cairo"))
SEA = {"GE": ("Tripoli", "Tunis", "Bizerte", "Sicily Box", "Malta"), "BR": ("Casablanca", "Oran", "Algiers", "Tunis")}


def changes(before: State, after: State, rights: bool = True) -> dict[str, str]:
    """What differs, each with its value afterwards, lists by what came and went. ``rights``: also what units may do."""
    return differences(facts(before, rights), facts(after, rights))


def _told(old: Value, new: Value) -> str:
    if isinstance(old, frozenset) and isinstance(new, frozenset):
        return " ".join([*(f"+{one}" for one in sorted(new - old)), *(f"-{one}" for one in sorted(old - new))])
    return str(new)


def facts(state: State, rights: bool = True) -> dict[str, Value]:
    """Everything, by a short name."""
    return {**dict(_board(state)), **dict(_notes(state)), **(law(state) if rights else dict(_law(state)))}


def law(state: State) -> dict[str, Value]:
    """What the rules allow from now on, nothing of what lies on the map."""
    return {**dict(_law(state)), **dict(_probed(state))}


def differences(old: dict[str, Value], new: dict[str, Value]) -> dict[str, str]:
    """What differs, by name."""
    return {key: _told(old.get(key, "-"), new.get(key, "-")) for key in {**old, **new} if old.get(key) != new.get(key)}


def _board(state: State) -> Iterator[tuple[str, Value]]:
    for uid, piece in state.pieces.items():
        yield uid, f"{piece.at} reduced" if piece.reduced else piece.at
    for name in state.world.spaces:
        yield f"control {name}", state.owner(name) or "nobody"
    yield "vp", str(state.vp)
    yield from ((f"rp {pool}", points) for pool, points in state.rp.items() if points != "0")
    yield from ((f"marker {place}", marker) for place, marker in state.markers.items())


def _notes(state: State) -> Iterator[tuple[str, Value]]:
    for side in SIDES:
        for zone in ("hands", "discards", "face_up", "removed"):
            yield from ((card, zone.removesuffix("s")) for card in getattr(state, zone).get(side, []))
        yield f"{side} class", frozenset(state.reinforced.get(side, []))
        yield f"{side} round", state.history.get(side, {}).get(state.round, "")
    yield "released", frozenset(state.released)
    yield "scored", frozenset(state.scored)
    yield from ((f"mandate {name}", status) for name, status in state.mandates.items())
    yield from ((f"waits {uid}", event) for uid, event in state.delayed.items())
    yield "ops", f"{state.ops.available - state.ops.spent} {state.ops.source}".strip()
    yield "rd", str(state.rd_left or 0)
    yield "landed", frozenset(state.landed)
    yield "events", frozenset(state.events)


def _law(state: State) -> Iterator[tuple[str, Value]]:
    for side in SIDES:
        yield f"{side} no RP", frozenset(bans(state, side))
        yield f"{side} hand", str(hand_size(state, side))
        yield f"{side} income", frozenset("/".join(pools) for pools in income(state, side).values())
        yield f"{side} T", str(t_cards(state, side))
        yield f"{side} sure flank", flank_event(state, side)
        extra = of_card(state, side, NO_POINTS)
        yield f"{side} RP cards", " ".join(f"{pool} {said(points)}" for pool, points in extra.items() if points)
    for nation in ("VF", "IR", "EG"):
        yield f"rebuild {nation}", pool_of(state, state.counter(PROBES[nation])) or "nobody"
    yield "siege", str(siege_active(state))
    yield "Rommel", _rommel(state)


def _rommel(state: State) -> str:
    trial = standing(state, PROBES["GE"], "Sidi Barrani")
    barred = rommel_problems(trial, "axis", [PROBES["GE"]], "Halfaya")
    return "0" if barred else str(rommel_shift(state))


def standing(state: State, uid: str, at: str) -> State:
    """A copy in which a unit stands in a place."""
    trial = state.copy()
    if uid in trial.pieces:
        trial.shift(uid, at)
    else:
        trial.place(uid, at)
    return trial


def _probed(state: State) -> Iterator[tuple[str, Value]]:
    world = state.world
    for nation, uid in PROBES.items():
        unit = state.counter(uid)
        yield f"sources {nation}", frozenset(name for name in world.spaces if serves(state, unit, name))
    for nation, target in FIGHTS:
        uid, side = PROBES[nation], state.counter(PROBES[nation]).side
        fight = Combat(target, side, (uid,), ())
        drm = sum(m.value for m in drm_of(standing(state, uid, "Sidi Barrani"), fight, "attacker"))
        yield f"drm {nation} on {target}", str(drm)
    for nation, region in STACKS:
        side = state.counter(PROBES[nation]).side
        empty = [name for name in world.spaces if world.in_region(name, region) and not state.units_in(name)]
        yield f"stack {nation} in {region}", str(max(room(state, name, side, nation) for name in empty))
    for nation, name in GATES:
        unit = state.counter(PROBES[nation])
        shut = entry(state, unit, name) or attack_entry(state, unit, name)
        yield f"gate {nation} {name}", "shut" if shut else "open"
    for nation, name in SUPPLIED:
        yield f"supply {nation} {name}", supply_of_counter(state, state.counter(PROBES[nation]), name).status
    yield from _doors(state)


def _doors(state: State) -> Iterator[tuple[str, Value]]:
    for nation, ports in SEA.items():
        unit = state.counter(PROBES[nation])
        yield f"sea {nation}", frozenset(name for name in ports if port_problem(state, unit, name) is None)
    unit = state.counter(PROBES["BR"])
    yield "Benghazi port", str(state.owner("Benghazi") == "allied" and Trace(state, unit).port("Benghazi"))
    won = state.copy()
    won.control["Tripoli"] = "allied"
    yield "Tripoli wins", by_spaces(won)[1] or "no"
    marked = standing(state, PROBES["BR"], "Algiers")
    marked.ops, marked.active, marked.markers = Ops(5, "card"), "allied", {}
    barred = marker_problems(marked, "allied", "Algiers", "attack")
    yield "attack from Algiers", " ".join(p.rule for p in barred) or "yes"
    for nation in ("GE", "IT", "BR"):
        kept = confined(state, state.counter(PROBES[nation]), "Halfaya", "Bardia")
        yield f"leave Egypt {nation}", "no" if kept else "yes"
    group = standing(state, "ge-inf-bg-1", "@reserve")
    group.rd_left, group.ops, group.fresh = 3, Ops(), []
    order = Order(0, "rd", {"unit": "ge-inf-bg-1", "to": "Palmyra", "mode": "from_reserve"})
    yield "GE company", " ".join(p.rule for p in rd_problems(group, "axis", order)) or "yes"
    beaten = Combat("Bardia", "allied", (), ("it-62", "it-63"))
    yield "poor morale", str("it-62" in state.pieces and doomed(state, beaten, "it-62"))
