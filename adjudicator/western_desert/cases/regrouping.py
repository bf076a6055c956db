"""Runner of the form division (CASE-FORMS 6): a division or its components in one hex, orders of WD 15 given there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_points
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import full_record, new_state, put
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.lookups import table
from adjudicator.western_desert.cases.walks import Strip, draw_step, expand, problems_of, set_moment
from adjudicator.western_desert.component_sets import HEADQUARTERS, SUPPORT_GROUP, PartSet, sets_of
from adjudicator.western_desert.divisions import ASSEMBLE, BREAK
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import ASSEMBLED, BREAKDOWN, State
from adjudicator.western_desert.units import EVERY, Unit, default_re2, with_back

HQ = "HQ"
SPECIFIC = (("german", "164"), ("italian", "80"), ("italian", "185"))
"""The divisions that WD 15.C.1 names; on counters the identification of their regiments says the same."""
TYPES = {"heavy_aa": ("antiaircraft", "heavy"), "light_aa": ("antiaircraft", "light")}
SIZES = {"british": "brigade", "german": "regiment", "italian": "regiment", "libyan": "regiment"}
AA, MOTORIZED = "antiaircraft", ("armor", "panzer", "motorized")


@dataclass
class Field15:
    """The position of a case: the division, its components, where they stand."""

    state: State
    side: str
    path: list[int]
    whole: str = ""
    parts: list[str] = field(default_factory=list)


@form("division")
def run_division(case: Case) -> Found:
    """Divisions are broken down and assembled."""
    given = case.given
    whole = _whole(case, as_record(given.get("division") or given.get("into")))
    steps = expand(given.get("component_path"))
    board, path = build.strip_board(max(len(steps), 1))
    state = new_state(board, whole.side, "movement", whole.side)
    place = Field15(state, whole.side, path, whole.id)
    strip = Strip(state, path, steps, whole.side)
    for index, step in enumerate(steps):
        draw_step(case, strip, index, step)
    set_moment(state, given)
    state.player = str(given.get("player", whole.side))
    state.world.units[whole.id] = whole
    if "division" in given:
        _stand_whole(case, place, whole)
    if "components" in given:
        _stand_parts(case, place, whole)
    return _run(case, place, steps)


# --- the position -----------------------------------------------------------------------------------------------


def _whole(case: Case, record: Record) -> Unit:
    """The division counter of a record; a unit of antiaircraft keeps the size it says."""
    full = full_record(case, record)
    kind = str(full.get("type", "infantry"))
    size = str(full.get("size", "brigade" if kind == AA else "division"))
    made = build.unit_from_record(case, {"id": "D", "type": kind, **full, "size": size})[0]
    motorized = made.motorized or kind in MOTORIZED
    number = str(full.get("name", "")).split(" ")[0]
    forms = (str(full["kind"]),) if "kind" in full else ()
    own = ((HEADQUARTERS, EVERY),) if (made.nat, number) in SPECIFIC else ()
    return replace(made, designation=number, motorized=motorized, forms=forms, own=own)


def _stand_whole(case: Case, place: Field15, whole: Unit) -> None:
    """The division on the map, with the components of its first set in its box."""
    record = full_record(case, as_record(case.given["division"]))
    put(place.state, whole, place.path[0], record)
    sets = sets_of(place.state.world, whole)
    for part in box_parts(sets[0], whole) if sets else []:
        place.state.world.units[part.id] = part
        place.state.put_by(part.id, ASSEMBLED, whole.id)
        place.parts.append(part.id)


def box_parts(found: PartSet, whole: Unit) -> list[Unit]:
    """Components as the chart prints them, and the headquarters."""
    made = [_headquarters(whole)] if found.hq else []
    for n, part in enumerate(found.parts, 1):
        attack, defense, movement = part.figures or (2.0, 2.0, whole.movement)
        own = whole.designation if part.type == SUPPORT_GROUP or found.own == EVERY else ""
        made.append(
            Unit(
                id=f"{whole.id}-{n}",
                side=whole.side,
                nat=whole.nat,
                type=part.type,
                size=part.size,
                attack=Fraction(attack),
                defense=Fraction(defense),
                movement=movement,
                short=part.text,
                re2=default_re2(part.size, whole.nat),
                motorized=whole.motorized,
                designation=own,
                belongs=own,
                aa_type=part.aa_type,
            )
        )
    return [with_back(part, "") for part in made]


def _headquarters(whole: Unit) -> Unit:
    return Unit(
        id=f"{whole.id}-HQ",
        side=whole.side,
        nat=whole.nat,
        type=HEADQUARTERS,
        size=HEADQUARTERS,
        attack=Fraction(0),
        defense=Fraction(0),
        movement=whole.movement,
        short=HQ,
        motorized=whole.motorized,
        supported=True,
        giver=True,
        designation=whole.designation,
        hq_of=whole.type,
    )


def _stand_parts(case: Case, place: Field15, whole: Unit) -> None:
    """The components on the map, each in its hex. Where none of them is the headquarters they are supported ones, and
    the headquarters lies in the box of the division (WD 15.B)."""
    texts, state = as_texts(case.given["components"]), place.state
    named = as_texts(case.given.get("at")) or ["A"] * len(texts)
    spots = {name: place.path[0] if not n else build.lone(place.path[0]) for n, name in enumerate(sorted({*named}))}
    state.put_by(whole.id, BREAKDOWN)
    sets = [found for found in sets_of(state.world, whole) if found.hq]
    bare = bool(sets) and not any(text.split(" ")[-1] == HQ for text in texts)
    if bare:
        head = _headquarters(whole)
        state.world.units[head.id] = head
        state.put_by(head.id, ASSEMBLED, whole.id)
    for n, text in enumerate(texts, 1):
        unit = _headquarters(whole) if text.split(" ")[-1] == HQ else component(text, f"P{n}", whole)
        put(state, unit, spots[named[n - 1]])
        state.pieces[unit.id].dot = bare and unit.dotted is not None
        place.parts.append(unit.id)


def component(text: str, uid: str, whole: Unit) -> Unit:
    """A component written NATION FIGURES TYPE [NUMBER], or FIGURES alone: of the type the division's set asks for."""
    words = text.split(" ")
    at = next(n for n, word in enumerate(words) if word[0].isdigit())
    nat = " ".join(words[:at]) or whole.nat
    kind, number = [*words[at + 1 :], "", ""][:2]
    kind, aa_type = TYPES.get(kind, (kind or _usual(words[at], whole), ""))
    size = SIZES.get(nat, "brigade") if nat in SIZES or whole.side == "allied" else "regiment"
    record: dict[str, object] = {"id": uid, "nat": nat, "figures": words[at], "type": kind, "supported": False}
    record |= {"size": "battalion" if kind == AA else size, "mot": kind in (*MOTORIZED, SUPPORT_GROUP) or None}
    record |= {"supported": True} if kind == SUPPORT_GROUP else {}
    unit = build.make_unit(uid, {key: value for key, value in record.items() if value is not None}, whole.side)
    belongs = number if kind != SUPPORT_GROUP else ""
    return replace(unit, short=text, designation=number, belongs=belongs, aa_type=aa_type)


def _usual(figures: str, whole: Unit) -> str:
    """The type of a component that is given by its figures alone."""
    return {"3-2-10": "armor", "5-3-10": "panzer" if whole.nat == "german" else "armor", "2-10": "motorized"}.get(
        figures, AA if whole.type == AA else "motorized" if whole.motorized else "infantry"
    )


# --- the orders -------------------------------------------------------------------------------------------------


def _run(case: Case, place: Field15, steps: Sequence[Record]) -> Found:
    state = place.state
    records = case.orders or [{"order": BREAK if "division" in case.given else ASSEMBLE}]
    orders = [_order(place, n, record, steps) for n, record in enumerate(records)]
    moment = _moment(case, place, orders)
    ctx = context(state)
    drive(movement_phase(ctx, place.side, moment, ()), dice_of(case))
    verdicts = problems_of(ctx, sorted(moment, key=lambda order: order.index))
    return Found(_values(ctx, place), verdicts[: len(orders)])


def _order(place: Field15, index: int, record: Record, steps: Sequence[Record]) -> Order:
    kind = str(record.get("order"))
    data: dict[str, Tree] = {}
    if kind == BREAK:
        data = {"unit": place.whole}
        data |= {"into": str(record["into"])} if "into" in record else {}
    elif kind == ASSEMBLE:
        data = {"into": place.whole, "units": [*(as_texts(record.get("units")) or place.parts)]}
    else:
        mover = str(record.get("unit") or _walker(place))
        data = {"unit": mover, "path": [place.state.board.name(h) for h in place.path[1:]]}
        data |= {"by": ["rail" if step.get("by") == "rail" else "foot" for step in steps[1:]]}
    return Order(index, kind, data)


def _walker(place: Field15) -> str:
    """The component that goes the path: one that fights where there is one."""
    body = [uid for uid in place.parts if place.state.world.units[uid].size != HEADQUARTERS]
    return (body or place.parts or [place.whole])[0]


def _moment(case: Case, place: Field15, orders: Sequence[Order]) -> list[Order]:
    """The orders as given; ``when`` tells whether something else has been done before them, or is still to come."""
    when, first = str(case.given.get("when", "")), len(orders)
    usual = {BREAK: "phase_start", ASSEMBLE: "phase_end"}.get(orders[0].type, "")
    if not when or when == usual or orders[0].type not in (BREAK, ASSEMBLE):
        return list(orders)
    scout = replace(build.make_unit("scout", {"type": "infantry"}, place.side), side=place.side, nat="")
    far = build.beyond(place.path[0])
    put(place.state, scout, far)
    free = next(n for n in hexes.neighbours(far) if n in place.state.board.land and n not in place.path)
    march = Order(first, "move", {"unit": scout.id, "to": place.state.board.name(free)})
    return [march, *orders] if when in ("after_moving", "phase_end") else [*orders, march]


def _values(ctx: Ctx[State], place: Field15) -> dict[str, object]:
    state, whole = ctx.state, ctx.state.world.units[place.whole]
    on_map = [uid for uid in place.parts if uid in state.pieces]
    moved = [event.data for event in ctx.events if event.kind == "move" and event.data["unit"] != "scout"]
    here = place.whole in state.pieces
    return {
        "components": [component_text(state.unit(uid)) for uid in on_map],
        "division": whole.figures if here else "",
        "division_counter": "on_map" if here else "in_box",
        "components_at": "on_map" if on_map else "in_box",
        "mp": Fraction(sum(mp_points(str(data["mp"])) for data in moved), 2),
    }


@table("division_sets")
def _division_sets(asked: tuple[object, ...]) -> tuple[object, ...]:
    """The size in REs of a division of these components; ``none`` where they are no set of it."""
    division, texts = str(asked[0]), as_texts(asked[1])
    body = sorted(text.split(" ")[0] for text in texts if text != HQ)
    for side in ("allied", "axis"):
        figures, _, kind = division.partition(" ")
        nat = "italian" if side == "axis" and kind in ("parachute", "air_landing") else ""
        record = {"figures": figures, "type": kind, "size": "division", "owner": side}
        whole = build.make_unit("D", record, side)
        for found in sets_of(build.real_world(), replace(whole, nat=nat)):
            printed = sorted(part.text.split(" ")[0] for part in found.parts)
            if printed == body and found.hq == (HQ in texts):
                return (Fraction(sum(default_re2(part.size, nat) for part in found.parts), 2),)
    return ("none",)


def component_text(unit: Unit) -> str:
    """A component as cases write it: FIGURES TYPE, ``headquarters`` for a headquarters."""
    if unit.size == HEADQUARTERS:
        return HEADQUARTERS
    kind = f"{unit.aa_type}_aa" if unit.type == AA and unit.aa_type else unit.type
    return f"{unit.figures} {kind}"
