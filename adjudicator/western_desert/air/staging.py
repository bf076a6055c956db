"""Axis air units stage through Europe, an optional rule: it is an airbase off the map that is never full (WD 33.F).

Who goes there lies in a box; who comes back is on a transfer to an island base. Either way is a transfer of three times
the rating, so that no other mission is flown in the air phase. The way is off the map but for the base itself: there
patrols and interceptors may meet who comes in, and who is turned back there lands like all who are (WD 18.return).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from adjudicator.engine.core import Event, Problem, Tree
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.western_desert.air.book import flight_of
from adjudicator.western_desert.air.craft import LONG, TRANSFER, Craft, craft_of
from adjudicator.western_desert.air.facts import AirBook, flier_of, leg_to, own_base, stands_at
from adjudicator.western_desert.air.missions import AIR_STEP, Flier, Leg, Moment, Target, Wish, mission_problems
from adjudicator.western_desert.state import Air, Boxed, Sortie, State, turn_name, turn_number
from adjudicator.western_desert.theatre.forces import entering

ORDER, KIND, OPTION, RULE = "stage", "staged", "33.F", "WD 33.F"
SIDE, BOX = "axis", "europe_base"
OUT, IN = "out", "in"
ISLANDS = {"Sicily": 1, "Crete": turn_number("Jun I 41"), "Rhodes": turn_number("Jun I 41")}
"""The islands with bases that air units stage from, each with the first turn (WD 33.F)."""


def in_europe(state: State) -> list[str]:
    """The air units that are there, in order of id."""
    return sorted(aid for aid, kept in state.boxes.items() if kept.box == BOX)


def island_bases(state: State, bases: Iterable[int]) -> list[int]:
    """Those of some bases that may be staged from or to now."""
    return [h for h in bases if not island_problems(state, h)]


def island_problems(state: State, h: int) -> list[Problem]:
    """What keeps a hex from being one that air units stage from or to."""
    info = state.board.info(h)
    return date_problems(info.country if info is not None else "", state.turn, state.board.feature_names(h))


def date_problems(country: str, turn: int, where: str) -> list[Problem]:
    """The islands, and from when (WD 33.F)."""
    first = ISLANDS.get(country)
    if first is None:
        text = f"{where} lies on none of the islands from which air units fly to Europe"
        return [Problem("island", RULE, text, f"they are {', '.join(ISLANDS)}", field="hex")]
    if turn >= first:
        return []
    text = f"no air unit flies between {where} and Europe before {turn_name(first)}"
    return [Problem("date", RULE, text, "use a base on Sicily", field="hex")]


class Stage(NamedTuple):
    """An air unit that goes to Europe (``to`` is None), or from there to a base, with the glider on its tow."""

    air: str
    to: int | None = None
    night: bool = False
    tow: str = ""


def stage_problems(state: State, side: str, stage: Stage, book: AirBook) -> list[Problem]:
    """What keeps an air unit from staging (WD 33.F, 20.D.long)."""
    aid, to, tow = stage.air, stage.to, stage.tow
    craft = craft_of(state.world, aid)
    found = _game_problems(state, side, craft)
    if found:
        return found
    if to is None:
        return _out_problems(state, side, stage, book)
    name = craft.name or aid
    if aid not in in_europe(state):
        text = f"{name} is not in Europe"
        return [Problem("not_there", RULE, text, "leave out hex: to send it there", field="air")]
    if tow and tow not in in_europe(state):
        text = f"{craft_of(state.world, tow).name or tow} is not in Europe with the transport that is to tow it"
        return [Problem("tow", "WD 24.C", text, "tow a glider that is there", field="tow")]
    where = state.board.feature_names(to)
    flier = Flier(craft, tow=craft_of(state.world, tow) if tow else None)
    found = _flown(state, side, flier, stage.night, Target(where, own_base=own_base(state, to, side)))
    return found or island_problems(state, to)


def _game_problems(state: State, side: str, craft: Craft) -> list[Problem]:
    if not state.world.plays(OPTION):
        text = "air units stage through Europe by option 33.F, which this game does not play"
        return [Problem("option", RULE, text, "leave the order out")]
    if side != SIDE or craft.side != SIDE:
        return [Problem("side", RULE, "only Axis air units stage through Europe", "leave the order out")]
    return []


def _out_problems(state: State, side: str, stage: Stage, book: AirBook) -> list[Problem]:
    aid, tow = stage.air, stage.tow
    if aid not in state.air:
        name = craft_of(state.world, aid).name or aid
        there = "is in Europe already" if aid in in_europe(state) else "is not in play"
        return [Problem("not_there", RULE, f"{name} {there}", "name one that is at a base", field="air")]
    base = stands_at(state, aid, book)
    if tow and (tow not in state.air or stands_at(state, tow, book) != base or not state.air[tow].operative):
        text = f"{craft_of(state.world, tow).name or tow} is not fit at the base of the transport that is to tow it"
        return [Problem("tow", "WD 24.C", text, "tow a glider of the same base", field="tow")]
    bound = [one for one in (aid, tow) if entering(state, one) is not None]
    if bound:
        text = f"{craft_of(state.world, bound[0]).name or bound[0]} enters play for its special operation in this turn"
        return [Problem("planned_hex", "WD 27.A", text, "let it fly to the hex that was planned", field="air")]
    flier = flier_of(state, aid, book, tow)
    return _flown(state, side, flier, stage.night, Target("Europe", own_base=True)) or island_problems(state, base)


def _flown(state: State, side: str, flier: Flier, night: bool, target: Target) -> list[Problem]:
    moment = Moment(AIR_STEP, phasing=state.player == side, surprise=state.surprise)
    return mission_problems(flier, Wish(TRANSFER, 0, night), target, moment)


# --- in play ----------------------------------------------------------------------------------------------------


def staged(state: State, side: str, stage: Stage, book: AirBook, order: str) -> Event:
    """What is told of an air unit that goes, or comes in."""
    h = stands_at(state, stage.air, book) if stage.to is None else stage.to
    barred = stage.to is not None and leg_to(state, side, h, 0, book).barred
    data: dict[str, Tree] = {
        "air": stage.air,
        "side": side,
        "way": OUT if stage.to is None else IN,
        "hex": state.board.name(h),
        "tow": stage.tow,
        "order": order,
        **({"night": "yes"} if stage.night else {}),
        **({"barred": "yes"} if barred else {}),
    }
    return Event(KIND, RULE, data=data)


def trial(state: State, side: str, stage: Stage, book: AirBook) -> tuple[State, AirBook]:
    """Position and book as they would be after it; the position given is left as it is."""
    after = state.copy()
    apply_staged(after, staged(state, side, stage, book, ""))
    crew = {stage.air, stage.tow}
    flights = tuple(one for one in book.flights if one.id not in crew)
    legs = {aid: found for aid, found in book.legs.items() if aid not in crew}
    if stage.to is None:
        base = stands_at(state, stage.air, book)
        used = {**book.used, base: book.used.get(base, 0) + 1}
        return after, replace(book, flights=flights, legs=legs, used=used)
    legs |= {aid: tuple(Leg(*leg) for leg in after.air[aid].legs) for aid in crew if aid}
    return after, replace(book, flights=(*flights, flight_of(after, stage.air)), legs=legs)


def apply_staged(state: State, event: Event) -> None:
    """Out: a take-off of the base, and the air unit and the glider behind it are in Europe. In: they are on a transfer
    to the base, after a leg of three times the rating (WD 33.F, 17.A, 20.D.long)."""
    aid, tow, h = _get(event, "air"), _get(event, "tow"), state.board.find(_get(event, "hex"))
    crew = [one for one in (aid, tow) if one]
    if _get(event, "way") == OUT:
        state.take_offs[h] = state.take_offs.get(h, 0) + 1
        _leave_glider(state, aid, tow, h)
        for one in crew:
            del state.air[one]
            state.boxes[one] = Boxed(BOX)
        return
    number = 1 + max((one.sortie.number for one in state.air.values() if one.sortie), default=0)
    leg = (LONG * craft_of(state.world, aid).movement, _get(event, "barred") == "yes")
    for one in crew:
        del state.boxes[one]
        state.air[one] = Air(h, legs=(leg,))
    state.air[aid].sortie = Sortie(TRANSFER, h, number, night=_get(event, "night") == "yes", tow=tow)


def _leave_glider(state: State, aid: str, tow: str, h: int) -> None:
    """A glider that was towed to the base stays there, or goes on behind another (WD 24.C)."""
    for unit in state.air.values():
        behind = unit.sortie.tow if unit.sortie else ""
        if unit.sortie and behind and (behind == tow or unit is state.air[aid]):
            unit.sortie = replace(unit.sortie, tow="")
            state.air[behind].hex = h

