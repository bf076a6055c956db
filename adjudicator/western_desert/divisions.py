"""Breaking divisions down and assembling them: what is lawful (WD 15, 28.B.1; rulings AA-BREAKDOWN, BREAKDOWN-MP).

A division and its components are never on the map together: either the division counter lies in the box ``breakdown``,
or its components lie in the box ``assembled`` and say whose they are (WD 15.B).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert.component_sets import (
    HEADQUARTERS,
    MIXED,
    SUPPORT_GROUP,
    SUPPORTED,
    Part,
    PartSet,
    is_headquarters,
    is_own,
    matched,
    must_be_own,
    sets_of,
)
from adjudicator.western_desert.sites import held_problems
from adjudicator.western_desert.state import BREAKDOWN, State, World
from adjudicator.western_desert.units import Unit

BREAK, ASSEMBLE = "break_down", "assemble"
MOMENT_BREAK, MOMENT_ASSEMBLE = "WD 15.A.break", "WD 15.A.assemble"
EXPLOITATION = "exploitation"


@dataclass
class Division:
    """What an order comes to: the division, its hex, the components that come or go, the form, or problems."""

    order: Order
    unit: str = ""
    hex: int = -1
    units: list[str] = field(default_factory=list)
    form: str = ""
    problems: list[Problem] = field(default_factory=list)

    def fault(self, code: str, rule: str, text: str, hint: str = "", name: str = "") -> None:
        """Note what is wrong."""
        self.problems.append(Problem(code, rule, text, hint, field=name))


# --- breaking down ----------------------------------------------------------------------------------------------


def plan_break_down(state: State, side: str, order: Order, begun: bool) -> Division:
    """Judge one order ``break_down``. ``begun`` tells that the side has done something else in the phase already.

    WD 15.A.break.
    """
    made = Division(order, order.text("unit"))
    if not _owned(state, side, made, made.unit, "unit"):
        return made
    unit = state.unit(made.unit)
    name = unit.short or made.unit
    made.hex = state.hex_of(made.unit)
    if begun:
        text = f"{name} breaks down at the start of the phase, and units have moved or worked in it already"
        made.fault("only_at_phase_start", MOMENT_BREAK, text, "put break_down before all other orders of the section")
    _moment(state, made, unit, made.unit)
    if state.pieces[made.unit].cadre:
        made.fault("cadre", MOMENT_BREAK, f"{name} is a cadre; divisions break down", "leave the order out", "unit")
        return made
    sets = sets_of(state.world, state.world.units[made.unit])
    if not sets:
        text = f"{name} has no components in the breakdown charts"
        made.fault("no_components", "WD 15.B", text, "leave the order out", "unit")
        return made
    made.form = _form(state, made, sets, order.text("into"))
    parts = state.parts_of(made.unit)
    dotted = made.form == SUPPORTED
    made.units = [uid for uid in parts if not (dotted and state.world.units[uid].size == HEADQUARTERS)]
    if not parts:
        text = f"no components of {name} lie in its box; only what it was assembled from comes out of it"
        made.fault("no_components", "WD 15.B.box", text, "leave the order out", "unit")
    return made


def _form(state: State, made: Division, sets: Sequence[PartSet], wish: str) -> str:
    """The form a division breaks down into: what it is made of, with or without its headquarters."""
    parts = [state.world.units[uid] for uid in state.parts_of(made.unit)]
    name = state.unit(made.unit).short or made.unit
    forms = [found for found in sets if _made_of(found, parts)] if parts else list(sets)
    known = [found.form for found in forms]
    if known and (not wish or wish in known):
        return wish or known[0]
    if not known:
        text = f"what lies in the box of {name} is no set of its components"
        made.fault("form", "WD 15.B", text, "leave the order out", "unit")
    elif SUPPORT_GROUP in known:
        text = f"{name} is organized around its support group: it breaks down into that and its brigades, nothing else"
        made.fault("support_group_set_only", "WD 15.B.sg", text, "leave out into:", "into")
    else:
        text = f"{name} does not break down into {wish}; its sets are {', '.join(known)}"
        made.fault("form", "WD 15.B", text, "leave out into:", "into")
    return ""


def _made_of(found: PartSet, parts: Sequence[Unit]) -> bool:
    """Whether the components in the box are a set of this form (the headquarters stays in the box of a dotted one)."""
    headquarters = any(unit.size == HEADQUARTERS for unit in parts)
    body = [unit for unit in parts if unit.size != HEADQUARTERS]
    return headquarters == (found.hq or found.dotted) and matched(found.parts, body)


# --- assembling -------------------------------------------------------------------------------------------------


def plan_assemble(state: State, side: str, order: Order, last: bool) -> Division:
    """Judge one order ``assemble``. ``last`` tells that only orders of this kind follow in the phase.

    WD 15.A.assemble.
    """
    made = Division(order, order.text("into"))
    unit = state.world.units.get(made.unit)
    if unit is None or unit.side != side:
        named = (unit.short if unit is not None else "") or made.unit or "the order"
        text = f"{named} names no division of the {side} side"
        made.fault("unknown_unit", "WD 15.A", text, "name the division: into:", "into")
        return made
    name = unit.short or made.unit
    if not last:
        text = f"{name} is assembled at the end of the phase, and other orders of the section follow"
        made.fault("only_at_phase_end", MOMENT_ASSEMBLE, text, "put assemble behind all other orders of the section")
    _counter_free(state, made, unit)
    made.units = order.texts("units") or _chosen(state, side, order, unit)
    if not made.units:
        text = f"no hex holds the components of {name} with its {_key_part(state.world, unit)}"
        made.fault("components", MOMENT_ASSEMBLE, text, "name the components: units:", "units")
    known = [uid for uid in dict.fromkeys(made.units) if _owned(state, side, made, uid, "units")]
    if len(known) < len(made.units):
        return made
    _together(state, made)
    _nations(state, made, unit)
    _moment(state, made, unit, *known)
    made.form = _matching(state, made, unit, known)
    return made


def _counter_free(state: State, made: Division, unit: Unit) -> None:
    """The division counter must be in the charts: not on the map, not lost, not withdrawn (WD 15.B.box)."""
    name, kept = unit.short or unit.id, state.boxes.get(unit.id)
    if unit.id in state.pieces:
        where = state.board.feature_names(state.hex_of(unit.id))
        text = f"{name} is on the map, in {where}"
    elif unit.id in state.gone:
        text = f"{name} is {state.gone[unit.id]}"
    elif kept is not None and kept.box != BREAKDOWN:
        text = f"{name} is in the box {kept.box.replace('_', ' ')}"
    else:
        return
    made.fault("not_in_box", "WD 15.B.box", text, "assemble another division", "into")


def _together(state: State, made: Division) -> None:
    hexes = sorted({state.hex_of(uid) for uid in made.units})
    if len(hexes) > 1:
        where = ", ".join(state.board.name(h) for h in hexes)
        text = f"the components stand in {where}; they must be stacked in one hex"
        made.fault("not_stacked", MOMENT_ASSEMBLE, text, "bring them together first", "units")
    made.hex = hexes[0] if hexes else -1


def _nations(state: State, made: Division, division: Unit) -> None:
    """No nationality but the division's; one Indian brigade in a British division, and the other way round.

    WD 15.C.2.nation, 28.B.1.
    """
    foreign = [uid for uid in made.units if state.world.units[uid].nat != division.nat]
    guests = [uid for uid in foreign if _guest(state.world.units[uid], division)]
    strange = [uid for uid in foreign if uid not in guests]
    rule = "WD 28.B.1" if division.side == "allied" else "WD 15.C.2.nation"
    name = division.short or division.id
    if strange:
        who = ", ".join(_short(state.world, uid) for uid in strange)
        text = f"{name} is {_nation(division.nat)}; {who} may not be part of it"
        made.fault("nationality", rule, text, "name units of its own nationality", "units")
    elif len(guests) > 1:
        who = ", ".join(_short(state.world, uid) for uid in guests)
        text = f"{name} may include one {_nation(MIXED[division.nat])} brigade; {who} are {len(guests)}"
        made.fault("nationality", rule, text, "name one of them at most", "units")


def _guest(unit: Unit, division: Unit) -> bool:
    return MIXED.get(division.nat) == unit.nat and unit.size == "brigade" and division.division


def _nation(nat: str) -> str:
    return nat.replace("_", " ").title()


def _matching(state: State, made: Division, division: Unit, ids: Sequence[str]) -> str:
    """The form that the units make up; where they make up none, what the nearest one lacks."""
    sets = sets_of(state.world, division)
    if not sets:
        text = f"{division.short or division.id} has no components in the breakdown charts"
        made.fault("no_components", "WD 15.B", text, "assemble another division", "into")
        return ""
    tried = [(found, list(_set_faults(state, found, division, ids))) for found in sets]
    best, faults = min(tried, key=lambda pair: (len(pair[1]), sets.index(pair[0])))
    made.problems += faults
    return "" if faults else best.form


def _set_faults(state: State, found: PartSet, division: Unit, ids: Sequence[str]) -> Iterator[Problem]:
    """What keeps units from being this set of the division."""
    units = [state.unit(uid) for uid in ids]
    heads = [unit for unit in units if unit.size == HEADQUARTERS]
    body = [unit for unit in units if unit.size != HEADQUARTERS]
    name = division.short or division.id
    yield from _head_faults(state, found, division, heads)
    for unit in body:
        yield from _own_faults(found, division, unit)
    if found.dotted and not all(unit.supported for unit in body):
        text = f"without its headquarters {name} needs supported components"
        yield Problem("headquarters", "WD 15.B", text, "name its headquarters too", field="units")
    if not matched(found.parts, body):
        yield _mismatch(found, name, body)


def _head_faults(state: State, found: PartSet, division: Unit, heads: Sequence[Unit]) -> Iterator[Problem]:
    """The headquarters or the support group that a set goes by: there, and the right one (WD 15.B, 15.B.sg)."""
    name = division.short or division.id
    strange = [unit for unit in heads if not is_headquarters(unit, division)]
    if strange:
        text = f"{strange[0].short or strange[0].id} is not the headquarters of {name}"
        yield Problem("headquarters", "WD 15.C.1", text, "name its own", field="units")
    elif found.hq and not heads:
        text = f"the headquarters of {name} is missing"
        yield Problem("headquarters", "WD 15.B", text, "name it with the components", field="units")
    elif heads and not found.hq:
        text = f"this set of {name} is made without a headquarters"
        yield Problem("headquarters", "WD 15.B", text, "leave it out", field="units")
    elif len(heads) > 1:
        yield Problem("headquarters", "WD 15.B", f"{name} has one headquarters", "name one", field="units")
    if found.dotted and not _head_is_boxed(state, division):
        text = f"the headquarters of {name} is not in its box, so it is made with it and unsupported components"
        yield Problem("headquarters", "WD 15.B", text, "name its headquarters with the components", field="units")


def _head_is_boxed(state: State, division: Unit) -> bool:
    """Whether the headquarters of a division lies in its box, as after a breakdown into supported components."""
    return any(is_headquarters(state.world.units[uid], division) for uid in state.parts_of(division.id))


def _own_faults(found: PartSet, division: Unit, unit: Unit) -> Iterator[Problem]:
    """Components with a divisional identification go with that division alone, and some divisions take no others."""
    name, who = division.short or division.id, unit.short or unit.id
    if unit.belongs and unit.belongs != division.designation:
        text = f"{who} belongs to the {unit.belongs} Division and goes into no other"
        yield Problem("not_its_own", "WD 15.C.1", text, "name another unit", field="units")
    elif must_be_own(found, unit) and not is_own(unit, division):
        what = "support group" if found.own == SUPPORT_GROUP else "regiments with its identification"
        text = f"{name} takes its own {what} only, and {who} is not"
        yield Problem("not_its_own", "WD 15.C.1", text, "name its own", field="units")


def _mismatch(found: PartSet, name: str, body: Sequence[Unit]) -> Problem:
    """Why units are not the components of a set: number, type and size, or strength."""
    wanted = ", ".join(part.text for part in found.parts)
    if len(body) != len(found.parts):
        text = f"{name} is made of {len(found.parts)} components ({wanted}), the order names {len(body)}"
        return Problem("components", "WD 15.B", text, "name them all and no others", field="units")
    left, idle = _pair(found.parts, body)
    unit, part = idle[0], left[0]
    who = f"{unit.short or unit.id} {unit.figures} {unit.type.replace('_', ' ')}"
    if part.shape_fits(unit):
        text = f"{name} needs {wanted}; {who} is weaker or slower than {part.text}"
        return Problem("weaker_component", "WD 15.C.2.subst", text, "name one as strong and as fast", field="units")
    text = f"{name} needs {wanted}; {who} is no {part.text} {part.size}"
    return Problem("wrong_component", "WD 15.C.2", text, "name a unit of the same type and size", field="units")


def _pair(parts: Sequence[Part], body: Sequence[Unit]) -> tuple[list[Part], list[Unit]]:
    """Parts and units that are left over when as many as possible are paired, those of one shape together."""
    left, idle = list(parts), list(body)
    for part in sorted(parts, key=lambda p: p.figures or (0.0, 0.0, 0), reverse=True):
        fitting = [unit for unit in idle if part.fits(unit)]
        if fitting:
            idle.remove(min(fitting, key=lambda unit: (unit.attack + unit.defense, unit.id)))
            left.remove(part)
    alike = [(part, unit) for part in left for unit in idle if part.shape_fits(unit)]
    return ([alike[0][0]], [alike[0][1]]) if alike and len(alike) >= len(idle) else (left, idle)


# --- who and when -----------------------------------------------------------------------------------------------


def _owned(state: State, side: str, made: Division, uid: str, name: str) -> bool:
    """Notes a unit that is not on the map, or not the side's own."""
    if uid not in state.pieces:
        made.fault("unknown_unit", "WD 15.A", state.off_map(uid), "name units on the map", name)
        return False
    if state.world.units[uid].side != side or state.player != side:
        text = f"{_short(state.world, uid)}: units break down and assemble in a friendly phase"
        made.fault("not_phasing", "WD 15.A", text, "name units of your own in your own player turn", name)
        return False
    return True


def _moment(state: State, made: Division, division: Unit, *units: str) -> None:
    """Only combat/motorized divisions in exploitation (WD 15.A.exploit), only the attack force in the surprise turn."""
    name = division.short or division.id
    if state.phase == EXPLOITATION and not division.motorized:
        text = f"{name} is not combat/motorized; only such divisions break down or assemble in the exploitation phase"
        made.fault("exploitation", "WD 15.A.exploit", text, "do it in the movement phase")
    strange = [uid for uid in units if state.surprise and not state.in_force(uid)]
    if strange:
        text = f"{_short(state.world, strange[0])} is not of the attack force, which alone acts in the surprise turn"
        made.fault("attack_force", "WD 28.B.3", text, "do it in the regular turn")
    made.problems += [problem for uid in units for problem in held_problems(state, uid, "break down or assemble")]


def _short(world: World, uid: str) -> str:
    unit = world.units.get(uid)
    return (unit.short or uid) if unit else uid or "nothing"


# --- what could be done -----------------------------------------------------------------------------------------


def _chosen(state: State, side: str, order: Order, division: Unit) -> list[str]:
    """The components where the order names none: in the hex it names, else where the headquarters, the support group or
    supported components stand; the weakest that do."""
    where = order.text("at")
    hexes = [state.board.find(where)] if where else sorted({state.hex_of(uid) for uid in state.side_units(side)})
    for h in hexes:
        for found in sets_of(state.world, division):
            units = choice_of(state, side, division, found, h)
            if units:
                return units
    return []


def choice_of(state: State, side: str, division: Unit, found: PartSet, h: int) -> list[str]:
    """The weakest units of a stack that make up a set of a division; none where they do not."""
    here = state.friends_at(h, side)
    heads = [uid for uid in here if is_headquarters(state.world.units[uid], division)] if found.hq else []
    if found.hq and not heads:
        return []
    able = [uid for uid in here if any(part.fits(state.unit(uid)) for part in found.parts)]
    able.sort(key=lambda uid: (state.unit(uid).nat != division.nat, state.unit(uid).attack, uid))
    for body in combinations(able, len(found.parts)):
        ids = [*heads, *body]
        tried = Division(Order(0, ASSEMBLE, {}), division.id)
        tried.units = ids
        _nations(state, tried, division)
        if not tried.problems and not any(_set_faults(state, found, division, ids)):
            return ids
    return []


def divisions_of(world: World, side: str) -> tuple[str, ...]:
    """The counters of a side that have component sets, in order of id."""
    key = ("divisions", side)
    found = world.cache.get(key)
    if not isinstance(found, tuple):
        found = tuple(uid for uid, unit in sorted(world.units.items()) if unit.side == side and sets_of(world, unit))
        world.cache[key] = found
    return found


def breakdowns(state: State, side: str) -> list[tuple[str, str]]:
    """What may be broken down at the start of the phase: unit and form."""
    found = []
    for uid in divisions_of(state.world, side):
        for form in sets_of(state.world, state.world.units[uid]) if uid in state.pieces else ():
            order = Order(0, BREAK, {"unit": uid, "into": form.form})
            if not plan_break_down(state, side, order, begun=False).problems:
                found.append((uid, form.form))
    return found


def assemblies(state: State, side: str) -> list[tuple[str, int, tuple[str, ...]]]:
    """What stacks could be assembled into as they stand: division, hex, components."""
    found = []
    stacks = [h for h in sorted({state.hex_of(uid) for uid in state.side_units(side)}) if len(state.at[h]) > 1]
    there = {h: {state.world.units[uid].type for uid in state.at[h]} for h in stacks}
    for uid in divisions_of(state.world, side):
        unit = state.world.units[uid]
        for h in stacks if uid not in state.pieces else ():
            for form in sets_of(state.world, unit):
                if any(part.type not in there[h] for part in form.parts):
                    continue
                units = choice_of(state, side, unit, form, h)
                order = Order(0, ASSEMBLE, {"into": uid, "units": list(units)})
                if units and not plan_assemble(state, side, order, last=True).problems:
                    found.append((uid, h, tuple(units)))
                    break
    return found


def _key_part(world: World, division: Unit) -> str:
    sets = sets_of(world, division)
    return "headquarters" if any(found.hq for found in sets) else "components"
