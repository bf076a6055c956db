"""Air phases of tests: air units put over their target hexes, and the mission step run with dice that are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.core import Ctx, Roll
from adjudicator.western_desert.air.carrying_out import carry_out_missions
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start

BLEN, BLEN_2, WELL, HURRI = "air-blen-4-1", "air-blen-4-2", "air-well-1c-1", "air-hurri-1-1"
JU_52, JU_52_2, ME, JU_87 = "air-ju-52-1", "air-ju-52-2", "air-me-109f-4", "air-ju-87b-1"
GLIDER, GLIDER_2 = "air-dfs-230-special-1", "air-dfs-230-special-2"
PARA, PARA_2, LANDER = "lw-1para", "lw-2para", "it-126al"


def at(state: State, name: str) -> int:
    """The hex of a place, or of a hex by its number."""
    places = {place.name: place.hex for place in state.board.places.values()}
    return places[name] if name in places else state.board.find(name)


def air_phase(player: str = "allied") -> State:
    """The set-up of Compass in the air phase of a player, at its reaction step."""
    state = start()
    state.player, state.phase, state.step = player, "air", "reaction"
    return state


def over(state: State, aid: str, mission: str, place: str, base: str = "Alexandria", **more: Any) -> None:
    """An air unit on a mission over a place, taken off after all others."""
    number = 1 + sum(unit.sortie is not None for unit in state.air.values())
    state.air[aid] = Air(at(state, base), sortie=Sortie(mission, at(state, place), number, **more))
    if more.get("tow"):
        state.air[more["tow"]] = Air(at(state, base))


def lay(state: State, uid: str, place: str) -> None:
    """A unit on the map, with what it controls."""
    state.place(uid, at(state, place))
    settle(Ctx(state, apply), (at(state, place),))


def empty(state: State, place: str) -> None:
    """A place without ground units; who controlled it goes on to."""
    for uid in list(state.units_at(at(state, place))):
        state.take_off(uid, "spare")
        del state.gone[uid]


class Script:
    """Dice by label, or by the kind that it begins with; others harm no air unit, miss, and disrupt nobody."""

    def __init__(self, labels: Mapping[str, int] | None = None, **kinds: int) -> None:
        self.dice = {**(labels or {}), **kinds}
        self.labels: list[str] = []
        self.rolls: list[Roll] = []

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        self.labels.append(roll.label)
        self.rolls.append(roll)
        value = self.dice.get(roll.label, self.dice.get(roll.label.split("/")[0]))
        if value is None:
            return (1,) if roll.kind == "bombing" else (roll.faces,) * roll.count
        return (value,) if roll.count == 1 else (value // 2, value - value // 2)


def carry_out(state: State, script: Script | None = None) -> Ctx[State]:
    """Run the mission step on the position itself."""
    ctx: Ctx[State] = Ctx(state, apply)
    drive(carry_out_missions(ctx), script or Script())
    return ctx


def kinds(ctx: Ctx[State], *left_out: str) -> list[str]:
    """The kinds of all events in order."""
    return [event.kind for event in ctx.events if event.kind not in left_out]
