"""Designating a combat (SS 11.1, 11.22, 11.274, 11.3): who may attack what with whom."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.access import attack_entry, crossing, hostile
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.fire import Combat, rommel_came, rommel_shift, terrain_row
from adjudicator.shifting_sands.nations import group_of
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.supply import status
from adjudicator.shifting_sands.world import Record, text

NO_ROMMEL_REGIONS = ("near_east", "East Africa")
HISTORICAL_ROMMEL = "19.21"


def designated(state: State, side: str, order: Order, number: int) -> Combat:
    """The combat an order names; its legality is `attack_problems` (SS 11.22).

    Rules: SS 3.active.
    """
    units, target = tuple(order.texts("units")), order.text("target")
    defenders = tuple(uid for uid in state.units_in(target) if state.counter(uid).side != side)
    return Combat(
        target=target,
        attacker=side,
        attackers=units,
        defenders=defenders,
        origins=origins_of(state, units),
        rommel=order.text("rommel") == "yes",
        number=number,
        statuses={uid: status(state, uid) for uid in (*units, *defenders) if uid in state.pieces},
    )


def origins_of(state: State, units: Sequence[str]) -> tuple[str, ...]:
    """The spaces that units attack from, by name."""
    return tuple(sorted({state.pieces[uid].at for uid in units if uid in state.pieces and state.on_map(uid)}))


def attack_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Every reason why an attack may not be made (SS 11.1, 11.22)."""
    units, target = order.texts("units"), order.text("target")
    found = _target_problems(state, side, order, target)
    if found:
        return found
    found = [p for uid in units for p in unit_problems(state, side, uid, target)]
    if len(set(units)) != len(units):
        found.append(Problem("twice", "SS 11.14", "a unit is named twice", "name each unit once", field="units"))
    if found or not units:
        return found or [Problem("units", "SS 11.1", "no attacking unit is named", "name units", field="units")]
    found += _nation_problems(state, units)
    if order.text("flank") == "yes":
        found += flank_problems(state, units, target)
    elif order.text("ask"):
        said = "cards are asked for after the die of a flank attack, and none is tried"
        found.append(Problem("ask", "PROTOCOL 9.2", said, "order the cards below the attack", field="ask"))
    if order.text("rommel") == "yes":
        found += rommel_problems(state, side, units, target)
    return found


def again_problems(before: Sequence[Order], order: Order) -> list[Problem]:
    """What is wrong with an attack beside those ordered before it, whatever the dice say (SS 11.14, 11.274).

    Rule: SS faq.rules.8.
    """
    found: list[Problem] = []
    for other in before:
        both = [uid for uid in order.texts("units") if uid in other.texts("units")]
        if both:
            said = f"{', '.join(both)} takes part in the attack on {other.text('target')} already; a unit attacks once"
            found.append(Problem("fought", "SS 11.14", said, "take it out of one of the two", field="units"))
        if order.text("rommel") == other.text("rommel") == "yes":
            said = f"Rommel takes part in the attack on {other.text('target')} already; it is one combat a round"
            found.append(Problem("rommel", "SS 11.274", said, "rommel: no", field="rommel"))
    return found


def _target_problems(state: State, side: str, order: Order, target: str) -> list[Problem]:
    """What is wrong with the space attacked: one, with enemies that may be attacked (SS 10.422, 11.12)."""
    if isinstance(order.data.get("target"), list) or target not in state.world.spaces:
        return [Problem("target", "SS 11.12", "a combat has one defending space", "write one target", field="target")]
    if state.enemies(target, side) and not hostile(state, target, side):
        said = f"the units in {target} are neutral and not released: they may not be attacked"
        return [Problem("neutral", "SS 10.422", said, "leave the order out", field="target")]
    if not hostile(state, target, side) and target != "Malta":
        hint = "an empty space is taken by movement"
        return [Problem("nobody", "SS 11.22", f"no enemy unit to attack stands in {target}", hint, field="target")]
    return []


def unit_problems(state: State, side: str, uid: str, target: str) -> list[Problem]:
    """Why one unit may not attack a space (SS 11.1, 11.14, 11.17, 9.16, 11.13).

    Rules: SS faq.rules.32.
    """
    piece = state.pieces.get(uid)
    if piece is None or state.counter(uid).side != side or not state.on_map(uid):
        return [Problem("unit", "SS 11.1", f"{uid} is not one of your units on the map", "leave it out", field="units")]
    if piece.fought:
        said = f"{uid} has taken part in an attack of this round"
        return [Problem("fought", "SS 11.14", said, "attack without it", field="units")]
    if piece.moved and not piece.joined:
        said = f"{uid} has moved: it attacks only as armor that ended its move under an Attack marker"
        return [Problem("moved", "SS 9.16", said, "attack without it", field="units")]
    if not state.active_unit(uid):
        return [Problem("neutral", "SS 10.41", f"{uid} is not released yet", "attack without it", field="units")]
    if state.markers.get(piece.at) != ATTACK:
        hint = f"order attack_marker for {piece.at}"
        return [Problem("marker", "SS 11.1", f"{piece.at} is not activated for combat", hint, field="units")]
    return _way_problems(state, uid, piece.at, target)


def _way_problems(state: State, uid: str, at: str, target: str) -> list[Problem]:
    """Why a unit may not attack from where it stands: lines and closed spaces (SS 11.12, 11.17)."""
    unit, link = state.counter(uid), state.world.link(at, target)
    if link is None and target != "Malta":
        return [Problem("far", "SS 11.12", f"{at} is not adjacent to {target}", "attack without it", field="units")]
    barred = attack_entry(state, unit, target)
    if barred is None and (line := crossing(link, unit, at, target)) is not None:
        rule = "SS 11.17" if line.rule == "SS 9.13" else line.rule
        barred = Problem("dotted", rule, f"{uid} may not attack: {line.text}", "attack without it")
    if barred is None:
        return []
    return [Problem(barred.code, barred.rule, barred.text, barred.hint, field="units")]


def _nation_problems(state: State, units: Sequence[str]) -> list[Problem]:
    """SS 11.18: nationalities fight together only if one attacking space holds units of all of them (ruling A12).

    Rule: SS faq.rules.32.
    """
    literal = state.world.switch("combat_nationality", "groups") == "literal"
    groups = {group_of(state.counter(uid).nation, literal) for uid in units}
    side = state.counter(units[0]).side
    for place in origins_of(state, units):
        if groups <= {group_of(state.counter(uid).nation, literal) for uid in state.friends(place, side)}:
            return []
    said = f"{', '.join(sorted(groups))} units attack together, and no attacking space holds all of these nationalities"
    return [Problem("nations", "SS 11.18", said, "attack with one nationality, or from a mixed space", field="units")]


def flank_problems(state: State, units: Sequence[str], target: str) -> list[Problem]:
    """Why a flank attack may not be tried (SS 11.31, 14.3)."""
    table, hint = flank_table(state), "flank: no"
    least = int(text(table, "min_units") or "2")
    if len(units) < least:
        said = f"a flank attack takes {least} units, {len(units)} attack"
        return [Problem("flank", "SS 11.31", said, hint, field="flank")]
    if not any(state.counter(uid).armor for uid in units):
        return [Problem("flank", "SS 11.31", "a flank attack takes an armor unit", hint, field="flank")]
    space = state.world.spaces[target]
    if flankable(state, target):
        return []
    if space.fort:
        return [Problem("flank", "SS 14.3", f"{target} is a fort: no flank attack", hint, field="flank")]
    return [Problem("flank", "SS 11.31", f"{target} is {space.terrain}: no flank attack", hint, field="flank")]


def flankable(state: State, target: str) -> bool:
    """No fort, marsh or mountain (SS 11.31)."""
    space = state.world.spaces[target]
    return not space.fort and text(terrain_row(state, space.terrain), "flank") == "yes"


def flank_table(state: State) -> Record:
    """What a flank attack needs and how its die is read (SS 11.3)."""
    table = state.world.tables.get("flank")
    return table if isinstance(table, dict) else {}


def flank_bonus(state: State, combat: Combat) -> int:
    """Each attacking space beyond the first adds to the die (SS 11.32, ex.flank)."""
    return (len(combat.origins) - 1) * int(text(flank_table(state), "plus_per_extra_attacking_space") or "1")


def flank_need(state: State) -> int:
    """The modified die from which on a flank attack succeeds (SS 11.33)."""
    return int(text(flank_table(state), "success_at") or "4")


def flank_event(state: State, side: str) -> str:
    """The event of this round by which all flank attacks of a side succeed without a die (ruling A71); "" for none."""
    return next((name for name, effect in in_force(state, "flank_auto") if text(effect, "side") == side), "")


def rommel_problems(state: State, side: str, units: Sequence[str], target: str) -> list[Problem]:
    """Why Rommel may not take part (SS 11.274, 19.21, faq.cards.1, faq.rules.8)."""
    rule = "SS 11.274"
    if side != "axis" or not rommel_came(state):
        said = "Rommel has not come to Africa"
    elif not rommel_shift(state):
        said = "Rommel has left"
    elif state.rommel:
        said = f"Rommel took part in the attack on {state.rommel} in this round"
    elif state.world.spaces[target].fort:
        said = f"{target} is a fort"
    elif any(state.world.in_region(place, r) for place in origins_of(state, units) for r in NO_ROMMEL_REGIONS):
        said = "an attacking space lies in the Near East or East Africa"
    elif _needs_germans(state) and not any(state.counter(uid).nation == "GE" for uid in units):
        rule, said = "SS 19.21", "in 1941 he takes part only in attacks with German units"
    else:
        return []
    return [Problem("rommel", rule, said, "rommel: no", field="rommel")]


def _needs_germans(state: State) -> bool:
    return state.world.option(HISTORICAL_ROMMEL) and turn_name(state.turn).endswith("1941")


def attackable(state: State, side: str) -> dict[str, list[str]]:
    """Every space that may be attacked now, with the units that may take part."""
    found: dict[str, list[str]] = {}
    for place, marker in sorted(state.markers.items()):
        for target in state.world.neighbours(place) if marker == ATTACK else ():
            if hostile(state, target, side):
                able = [u for u in state.friends(place, side) if not unit_problems(state, side, u, target)]
                if able:
                    found.setdefault(target, []).extend(able)
    return {target: found[target] for target in sorted(found)}
