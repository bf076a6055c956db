"""The attrition phase: units and spaces that are out of supply (SS 5.3, 13.8; rulings A18, A19, A70, A80).

Everything is judged on the position at the beginning of the phase, for both sides at once.
"""

from __future__ import annotations

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.access import LRDG, entry
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT
from adjudicator.shifting_sands.nations import ENEMY, NATIONS, SIDES, side_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, supply, supply_of_counter
from adjudicator.shifting_sands.world import Counter, text

EGYPTIANS = "EG"


def starved(state: State) -> list[str]:
    """Units that are out of supply, of both sides, in order of id (SS 13.81, faq.rules.28).

    Rules: SS 3.oos.
    """
    return [uid for uid in sorted(state.pieces) if state.on_map(uid) and supply(state, uid).status == OUT]


def turning(state: State) -> dict[str, list[str]]:
    """Spaces that nobody of their owner's could hold in supply, by the side to which they turn (SS 13.82).

    Rule: SS faq.cards.8.
    """
    found: dict[str, list[str]] = {side: [] for side in SIDES}
    for name, space in sorted(state.world.spaces.items()):
        owner = state.owner(name)
        if owner in SIDES and not space.box and _tested(state, name, owner) and not _held(state, name, owner):
            found[ENEMY[owner]].append(name)
    return found


def _tested(state: State, name: str, owner: str) -> bool:
    """Not where nobody of the side may stand, nor where neutral units wait (SS 10.51; rulings A18, A19, A80)."""
    if any(not state.active_unit(uid) for uid in state.units_in(name)):
        return False
    return any(entry(state, unit, name) is None for unit in stand_ins(state, owner))


def _held(state: State, name: str, owner: str) -> bool:
    """Whether some unit of the side that may stand in a space would be in supply there (ruling A18)."""
    able = [unit for unit in stand_ins(state, owner) if entry(state, unit, name) is None]
    imposed = state.imposed.get(name) or state.imposed.get("*")
    if imposed:
        return imposed != OUT
    return any(supply_of_counter(state, unit, name).status != OUT for unit in able)


def stand_ins(state: State, side: str) -> list[Counter]:
    """A battlegroup of each nation of a side that is in the war, and the LRDG, as if they were in a space (SS 13.82).

    Egyptians are in it from their uprising on. By house rule a division stands for each nation (ruling A18).
    """
    size = "battlegroup" if state.world.switch("attrition_space_test", "most_favourable") != "division" else "division"
    nations = [n for n in NATIONS if side_of(n) == side and (n != EGYPTIANS or _risen(state))]
    found = [Counter(f"stand-in-{n}", n, size, "infantry", (1, 1), 1, 3) for n in nations]
    if side == "allied" and size == "battlegroup":
        found.append(Counter("stand-in-LRDG", "BR", size, "infantry", (1, 1), 1, 3, kind=LRDG))
    return found


def _risen(state: State) -> bool:
    """Whether an event was played that brings Egyptians."""
    counters = [unit for unit in state.world.counters.values() if unit.nation == EGYPTIANS]
    brought = [text(effect, "unit") for name, effect in state.world.effects("place") if state.played(name)]
    return any(kind in (unit.kind or unit.id) for unit in counters for kind in brought)


def attrition(ctx: Ctx[State]) -> None:
    """Eliminate who is out of supply, divisions for good, and turn spaces that nobody could hold (SS 5.3, 13.81, 13.82,
    sop.C)."""
    state = ctx.state
    gone, turned = starved(state), turning(state)
    for uid in gone:
        to = ELIMINATED if state.counter(uid).division else REPLACEMENT
        at = state.pieces[uid].at
        ctx.emit("eliminated", "SS 13.81", (), unit=uid, to=to, why="out of supply", **{"from": at})
    for side in SIDES:
        take(ctx, side, turned[side], "SS 13.82")
