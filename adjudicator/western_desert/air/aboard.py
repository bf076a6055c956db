"""Ground units aboard transports in play: who carries whom, and what becomes of them with their transports (WD 20.E).

A unit that rides in several transports is aboard each of them, and lies at their base until it is set down. Whatever
removes an air unit from the air goes through :func:`befall`, so that its cargo shares its fate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Tree
from adjudicator.western_desert.air.book import flight_of, in_the_air
from adjudicator.western_desert.air.craft import ABORTED, ELIMINATED, FERRY, TURNED_BACK, UNHURT, Flight
from adjudicator.western_desert.air.drops import LANDED, Stowage, cargo_of, delivery, stow
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.retreating import PUBLIC, remove
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import Sortie, State

FATE_RULE, UNLOAD_RULE, STACK_RULE = "WD 20.E.fate", "WD 20.E.1", "WD 8.B"
ANTIAIRCRAFT, COMBAT = "aa", "air-combat"
HIT_RULES = {ANTIAIRCRAFT: "WD 22.B", COMBAT: "WD 21.B.1"}
"""What hits air units in the air, with the rule of its results."""
Seqs = Iterable[int]


def sortie_of(state: State, aid: str) -> Sortie:
    """What an air unit flies. Raises KeyError for one that is not in the air."""
    found = state.air[aid].sortie
    if found is None:
        raise KeyError(f"{aid} is at its base")
    return found


def loaded(state: State) -> dict[str, list[str]]:
    """The ground units in the air, each with the air units that carry it, in the order of take-off."""
    found: dict[str, list[str]] = {}
    for aid in in_the_air(state):
        for uid in sortie_of(state, aid).cargo:
            found.setdefault(uid, []).append(aid)
    return found


def carriers(state: State, uid: str) -> list[Flight]:
    """The flights that carry a unit now, each once."""
    return [flight_of(state, aid) for aid in loaded(state).get(uid, ())]


def party_of(state: State, aid: str) -> list[str]:
    """Those who carry together with an air unit and are still in the air, itself among them (WD 20.E)."""
    party = sortie_of(state, aid).party
    return [one for one in in_the_air(state) if one == aid or (party and sortie_of(state, one).party == party)]


def stowage_of(state: State, aid: str) -> Stowage:
    """Where each unit of a party rides. Who was lost took his cargo with him, so the others ride as they did."""
    party = party_of(state, aid)
    units = dict.fromkeys(uid for one in party for uid in sortie_of(state, one).cargo)
    cargo = [cargo_of(state, uid, state.air[aid].hex) for uid in units]
    return stow([flight_of(state, one) for one in party], cargo)


# --- what befalls it --------------------------------------------------------------------------------------------


def befall(ctx: Ctx[State], aid: str, fate: str, h: int, cause: str, by: Seqs = ()) -> None:
    """What antiaircraft or air combat does to an air unit in the air, to a glider on its tow, and, where it is lost, to
    its cargo (WD 21.B.1, 22.B, 24.C.defense, 20.E.fate)."""
    sortie = sortie_of(ctx.state, aid)
    where = ctx.state.board.name(h)
    lost = sortie.cargo if fate == ELIMINATED else ()
    data: dict[str, Tree] = {"air": aid, "fate": fate, "hex": where, "tow": sortie.tow, "cause": cause}
    ctx.emit("air-hit", HIT_RULES[cause], by, PUBLIC, **data)
    lose_cargo(ctx, lost, by)


def lose_cargo(ctx: Ctx[State], units: Iterable[str], by: Seqs = ()) -> None:
    """Ground units are lost with their transport (WD 20.E.fate)."""
    for uid in units:
        base = ctx.state.hex_of(uid)
        remove(ctx, uid, FATE_RULE, by, "lost with its transport")
        settle(ctx, (base,), by=by)


def stays_home(state: State, uid: str) -> bool:
    """Whether one of a unit's transports was turned back or aborted, which fits all of it (WD 20.E.fate)."""
    return delivery(carriers(state, uid)).outcome != LANDED


def bring_back(ctx: Ctx[State]) -> None:
    """Cargo of transports that were turned back or aborted is back at the base that it started from (WD 20.E.fate)."""
    state = ctx.state
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for uid, aids in loaded(state).items():
        if any(sortie_of(state, aid).fate in (TURNED_BACK, ABORTED) for aid in aids):
            groups.setdefault((state.hex_of(uid), tuple(aids)), []).append(uid)
    for (base, crew), units in groups.items():
        _back(ctx, units, base, crew, FATE_RULE)


def _back(ctx: Ctx[State], units: Sequence[str], base: int, aids: Sequence[str], rule: str, why: str = "") -> None:
    data: dict[str, Tree] = {"units": [*units], "hex": ctx.state.board.name(base), "air": [*aids], "why": why}
    ctx.emit("cargo-back", rule, (), PUBLIC, **data)


# --- setting down -----------------------------------------------------------------------------------------------


def has_room(ctx: Ctx[State], uid: str, h: int, also: Sequence[str] = ()) -> bool:
    """Whether the stack of its side, and those who come down with it, let a unit come down in a hex; where not, it goes
    back to its base (WD 8.B)."""
    state = ctx.state
    if fits(state, h, state.world.units[uid].side, (*also, uid)):
        return True
    aids = [flight.id for flight in carriers(state, uid)]
    _back(ctx, [uid], state.hex_of(uid), aids, STACK_RULE, f"no room in {state.board.name(h)}")
    return False


def unload(ctx: Ctx[State], aid: str, h: int) -> None:
    """A transport lands its cargo at a base, each unit once all that carries it is there unhurt (WD 20.E.1).

    For those who return at once in the mission step, for those who stay as they land.
    """
    state = ctx.state
    units: list[str] = []
    for uid in sortie_of(state, aid).cargo:
        if not stays_home(state, uid) and has_room(ctx, uid, h, units):
            units.append(uid)
    if not units:
        return
    base, name = state.air[aid].hex, state.board.name
    aids = dict.fromkeys(one for uid in units for one in loaded(state)[uid])
    data: dict[str, Tree] = {"units": [*units], "hex": name(h), "from": name(base), "air": [*aids]}
    ctx.emit("unloaded", UNLOAD_RULE, (), PUBLIC, **data)
    settle(ctx, (base, h))


def land_cargo(ctx: Ctx[State], aid: str, h: int) -> None:
    """The cargo of a transport that lands to stay, in the air return step (WD 20.E.1). Does nothing for others."""
    sortie = sortie_of(ctx.state, aid)
    if sortie.mission == FERRY and sortie.fate == UNHURT:
        unload(ctx, aid, h)
