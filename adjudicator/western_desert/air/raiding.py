"""Bombing attacks in play: each with its die, and what a hit does to port, canal, airbase, air units and railroad (WD
20.F)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.core import Ctx, Proc, Roll, Tree
from adjudicator.western_desert.air.aboard import sortie_of
from adjudicator.western_desert.air.bombing import (
    MISS,
    ROLLED,
    Bombed,
    Strike,
    aims,
    bomb,
    bomb_table,
    breaks_line,
    canal_points,
    delivers,
    hit_on_ground,
    hits_that_count,
    strikes,
)
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    CANAL,
    DEFENSIVE_SUPPORT,
    PORT,
    RAIL,
    SUPPRESS,
    TACTICAL_PORT,
    Craft,
    Flight,
    craft_of,
)
from adjudicator.western_desert.air.facts import on_the_ground
from adjudicator.western_desert.air.missions import RULES
from adjudicator.western_desert.bases import AIRBASE as BASE
from adjudicator.western_desert.bases import PORT as HARBOUR
from adjudicator.western_desert.bases import damage
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.sea.malta import BOMB_RULE, besieged, bombed
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.victory.tally import change_vp

KIND, PICK_KIND = "bombing", "air_target"
OWN_RULE = "WD 20.F.own-hex"
IGNORED, SUPPRESSED, RAISED = "ignored", "aa-suppressed", "malta-status"
EFFECTS = {
    PORT: "port-hit",
    TACTICAL_PORT: "port-hit",
    CANAL: "canal-hit",
    AIRBASE: "airbase-hit",
    AIR_UNITS: "air-bombed",
    RAIL: "rail-broken",
    SUPPRESS: SUPPRESSED,
}
"""The event that tells what a hit of each mission does; a suppression is told by its attack alone, a hit on Valletta
may raise the status of Malta instead."""


def still_enemy(ctx: Ctx[State], flights: Sequence[Flight], h: int) -> bool:
    """Whether a hex may still be bombed: none that has become one's own, by a drop, since the flights took off (WD
    20.F.own-hex). Who would have bombed it there and then is told that he doesn't."""
    state = ctx.state
    if state.owner(h) != state.player:
        return True
    idle = [one.id for one in flights if delivers(one) and one.flies_as != DEFENSIVE_SUPPORT]
    if idle:
        data: dict[str, Tree] = {"order": "", "hex": state.board.name(h), "with": [*idle]}
        ctx.emit("skipped", OWN_RULE, (), PUBLIC, **data, clause="the hex is no longer the enemy's")
    return False


def strike_all(ctx: Ctx[State], flights: Sequence[Flight], h: int) -> Proc[None]:
    """All attacks upon a hex, those together whose order says so (WD 20.F)."""
    state = ctx.state
    table, label = bomb_table(state.world), state.board.label(h)
    for strike in strikes(table, label, flights, groups(state, flights)):
        yield from strike_one(ctx, strike, h)


def groups(state: State, flights: Sequence[Flight]) -> list[list[str]]:
    """Those who make one attack together, by the order that they flew on."""
    parties: dict[str, list[str]] = {}
    for flight in flights:
        party = sortie_of(state, flight.id).party
        if party and flight.flies_as in ROLLED:
            parties.setdefault(party, []).append(flight.id)
    return list(parties.values())


def strike_one(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
    """One attack: its die where its strength has a column, and its hit."""
    table = bomb_table(ctx.state.world)
    die = 0
    if strike.column:
        request = Roll(strike.label, KIND, assume=(_mildest(ctx.state, strike),), who=ctx.state.player)
        (die,) = yield from ctx.roll(request)
    found = bomb(table, strike, die)
    effect = _effect(ctx.state, strike, h) if found.hit else ""
    _tell(ctx, found, h, effect)
    if effect in HITS:
        yield from HITS[effect](ctx, strike, h)


def _mildest(state: State, strike: Strike) -> int:
    """A die that misses where there is one; `check` goes on with it."""
    table = bomb_table(state.world)
    return next((die for die in range(1, 7) if not bomb(table, strike, die).hit), 1)


def _effect(state: State, strike: Strike, h: int) -> str:
    """The event that tells what a hit does; ``ignored`` where it changes nothing (WD 20.F.2.b, 26.A.2, 7.C, 28.D)."""
    if raises_status(state, h, strike.mission, sortie_of(state, strike.bombers[0]).hits):
        return RAISED if bombed(state.world, state.malta, 1) > state.malta else IGNORED
    changes = CHANGES.get(strike.mission)
    return EFFECTS[strike.mission] if changes is None or changes(state, h) else IGNORED


def _tell(ctx: Ctx[State], found: Bombed, h: int, effect: str) -> None:
    strike = found.strike
    modifiers: list[Tree] = [{"what": m.what, "die": f"{m.value:+d}", "rule": m.rule} for m in strike.modifiers]
    rolled = {"die": str(found.die), "used": str(found.used), "label": strike.label} if strike.column else {}
    data: dict[str, Tree] = {
        "hex": ctx.state.board.name(h),
        "mission": strike.mission,
        "side": ctx.state.player,
        "with": [*strike.bombers],
        "strength": str(strike.strength),
        "column": strike.column,
        "modifiers": modifiers,
        **rolled,
        "result": found.result if strike.column else MISS,
        "effect": effect,
    }
    ctx.emit("bombing", RULES[strike.mission], (), PUBLIC, **data)


# --- hits -------------------------------------------------------------------------------------------------------


def _hit_on(what: str, kind: str) -> Callable[[Ctx[State], Strike, int], Proc[None]]:
    """A hit on the port or airbase of the hex (WD 20.F.1.a, 20.F.2.b, 20.F.2.g)."""

    def hit(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
        after = damage(ctx.state, h, what).hits + 1
        data = _bombs(ctx, strike, h) | {"what": what, "units": [], "costs": [], "hits": "1", "after": str(after)}
        ctx.emit(kind, RULES[strike.mission], (), PUBLIC, **data)
        yield from ()

    return hit


def _bombs(ctx: Ctx[State], strike: Strike, h: int) -> dict[str, Tree]:
    return {"hex": ctx.state.board.name(h), "side": ctx.state.player, "air": [*strike.bombers]}


def _hit_rail(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
    """The railroad of the hex is broken (WD 20.F.2.f, 7.C)."""
    ctx.emit("rail-broken", RULES[RAIL], (), PUBLIC, **_bombs(ctx, strike, h), units=[])
    yield from ()


def _hit_canal(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
    """A victory point for each hit; the port keeps its capacity (WD 20.F.1.b, 31.C)."""
    state, rule = ctx.state, RULES[CANAL]
    points = canal_points(state.world, 1)
    data: dict[str, Tree] = {"hex": state.board.name(h), "side": state.player, "hits": "1", "points": str(points)}
    ctx.emit("canal-hit", rule, (), PUBLIC, **data)
    change_vp(ctx, state.player, 2 * points, rule, (), f"hit on the Suez Canal in {state.board.feature_names(h)}")
    yield from ()


def raises_status(state: State, h: int, mission: str, hits: str) -> bool:
    """Whether a hit of the phasing player counts against the status of Malta: one on Valletta does, by either way of
    bombing a port, unless its order has the port hit (WD 28.D.bomb, 20.F.2.g)."""
    return mission in (PORT, TACTICAL_PORT) and besieged(state, state.player, h) and hits != HARBOUR


def _hit_malta(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
    """The status of Malta goes up by one (WD 28.D.bomb)."""
    state = ctx.state
    said: dict[str, Tree] = {"hex": state.board.name(h), "side": state.player, "why": "a hit on Valletta"}
    now = str(bombed(state.world, state.malta, 1))
    ctx.emit("malta-status", BOMB_RULE, (), PUBLIC, was=str(state.malta), status=now, **said, air=[*strike.bombers])
    yield from ()


def _hit_air(ctx: Ctx[State], strike: Strike, h: int) -> Proc[None]:
    """An air unit at the base: inoperative, or eliminated where it was so (WD 20.F.2.a, ruling AIR-TARGET)."""
    state = ctx.state
    aimed = aims(state.world, sortie_of(state, strike.bombers[0]).targets, _at_base(state, h))
    data: dict[str, Tree] = {"hex": state.board.name(h), "side": ENEMY[state.player]}
    chosen = aimed[0]
    if len(aimed) > 1:
        label = f"bombed/{state.board.label(h)}/{min(strike.bombers)}"
        (die,) = yield from ctx.roll(Roll(label, PICK_KIND, faces=len(aimed), who=state.player))
        chosen = aimed[die - 1]
        data |= {"label": label, "die": str(die), "faces": str(len(aimed))}
    fate = hit_on_ground(state.air[chosen].operative)
    ctx.emit("air-bombed", RULES[AIR_UNITS], (), PUBLIC, air=chosen, fate=fate, **data)


def _at_base(state: State, h: int) -> dict[str, tuple[Craft, bool]]:
    """The enemy air units at the base, not flying, each with whether it is operative (WD 20.F.2.a)."""
    here = [aid for aid in on_the_ground(state, ENEMY[state.player], book_of(state)) if state.air[aid].hex == h]
    return {aid: (craft_of(state.world, aid), state.air[aid].operative) for aid in here}


def _port_counts(state: State, h: int) -> bool:
    return hits_that_count(state, h, HARBOUR, 1) > 0


CHANGES: dict[str, Callable[[State, int], bool]] = {
    PORT: _port_counts,
    TACTICAL_PORT: _port_counts,
    AIRBASE: lambda state, h: hits_that_count(state, h, BASE, 1) > 0,
    RAIL: breaks_line,
    AIR_UNITS: lambda state, h: bool(_at_base(state, h)),
}
"""Whether a hit of a mission changes anything; of the others each does."""
HITS: dict[str, Callable[[Ctx[State], Strike, int], Proc[None]]] = {
    "port-hit": _hit_on(HARBOUR, "port-hit"),
    "airbase-hit": _hit_on(BASE, "airbase-hit"),
    "rail-broken": _hit_rail,
    "canal-hit": _hit_canal,
    RAISED: _hit_malta,
    "air-bombed": _hit_air,
}
"""What is done for each effect."""
