"""Ground units set down in the mission step: cargo unloaded at bases, airborne units dropped, gliders used up (WD
20.E, 24.C.expend, 25)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Proc, Roll, Tree
from adjudicator.western_desert.air.aboard import has_room, loaded, sortie_of, stays_home, stowage_of, unload
from adjudicator.western_desert.air.craft import AIRLIFT, DROP, Flight
from adjudicator.western_desert.air.drops import (
    FACES,
    Stowage,
    by_glider,
    disruption,
    disruption_label,
    disrupts,
    expended,
    site_of,
)
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.entering import entered
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.displaying import came_near

KIND = "disruption"
DROP_RULE, EXPEND_RULE = "WD 25.A", "WD 24.C.expend"


def drop_and_unload(ctx: Ctx[State], flights: Sequence[Flight], h: int) -> Proc[None]:
    """Transports that return land their cargo, those on drops drop theirs, in the order in which they took off.

    Who stays at the base lands with his cargo in the return step (WD 20.E.1).
    """
    for flight in flights:
        if flight.mission == AIRLIFT:
            unload(ctx, flight.id, h)
    used: set[str] = set()
    stowages = {flight.id: stowage_of(ctx.state, flight.id) for flight in flights if flight.mission == DROP}
    for aid, stowage in stowages.items():
        for uid in sortie_of(ctx.state, aid).cargo:
            used |= yield from _drop(ctx, uid, stowage, h)
    for flight in flights:
        if flight.id in used and expended(flight) and flight.tow:
            ctx.emit("glider-expended", EXPEND_RULE, (), PUBLIC, air=flight.tow.id, hex=ctx.state.board.name(h))


def _drop(ctx: Ctx[State], uid: str, stowage: Stowage, h: int) -> Proc[set[str]]:
    """One unit drops, and its disruption die is rolled (WD 25.A). Returns the air units that it dropped from."""
    state = ctx.state
    yield from came_near(ctx, [h])
    if stays_home(state, uid) or not has_room(ctx, uid, h):
        return set()
    side, aids, base = state.world.units[uid].side, loaded(state)[uid], state.hex_of(uid)
    changes = disruption(site_of(state, h, side), sortie_of(state, aids[0]).night, by_glider(stowage, uid))
    label = disruption_label(state.board.label(h), uid)
    (die,) = yield from ctx.roll(Roll(label, KIND, assume=(FACES,), who=side))
    modifiers: list[Tree] = [{"what": one.what, "die": f"{one.value:+d}", "rule": one.rule} for one in changes]
    data: dict[str, Tree] = {
        "unit": uid,
        "hex": state.board.name(h),
        "from": state.board.name(base),
        "air": [*aids],
        "modifiers": modifiers,
        "die": str(die),
        "used": str(die + sum(one.value for one in changes)),
        "label": label,
        "disrupted": "yes" if disrupts(die, changes) else "",
    }
    ctx.emit("dropped", DROP_RULE, (), PUBLIC, **data)
    settle(ctx, (base, h))
    yield from entered(ctx, uid, h)
    return set(aids)
