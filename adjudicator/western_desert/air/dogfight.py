"""The air combat step of the air phase: battle after battle, each choice asked, each shot rolled, all of it told (WD
16.C.3, 21).

What air combat does to an air unit is implemented in ``engagement`` as it goes; the state learns it when the battle is
over, since nothing else looks at it before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from adjudicator.engine.core import Ctx, Proc, Roll, Tree
from adjudicator.western_desert.air.aboard import COMBAT, befall
from adjudicator.western_desert.air.book import flight_of, in_the_air, of_this_phase
from adjudicator.western_desert.air.choosing import choice_ask
from adjudicator.western_desert.air.craft import UNHURT, Flight
from adjudicator.western_desert.air.drops import cargo_of
from adjudicator.western_desert.air.engagement import (
    AT_FORCE,
    AT_SCREEN,
    CHASE,
    ENGAGE,
    JETTISON,
    JOIN,
    SEQUENCE,
    SPLIT,
    STRIKE,
    Choice,
    Outcome,
    engagement,
)
from adjudicator.western_desert.air.engagement import PAST_SCREEN as PASSING
from adjudicator.western_desert.air.shots import Shot, fire
from adjudicator.western_desert.air.sky import Battle, Sky, battles, sky_over
from adjudicator.western_desert.air.tables import AirTables, air_tables, mildest
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.choices import told
from adjudicator.western_desert.rolling import dice_per_roll
from adjudicator.western_desert.state import State

KIND = "air_combat"
STEP_OF = {ENGAGE: AT_SCREEN, JOIN: AT_SCREEN, CHASE: PASSING, STRIKE: AT_FORCE}
Seqs = tuple[int, ...]
Data = dict[str, Tree]


@dataclass
class _Fight:
    """A battle while it runs: where, when, and the messages that its choices were read from so far."""

    battle: Battle
    where: str
    by: Seqs = ()

    def heard(self, by: Iterable[int]) -> None:
        """A choice of these messages weighs on all that follows in the battle."""
        self.by = tuple(sorted({*self.by, *by}))


Teller = Callable[[Ctx[State], _Fight, Choice[Any], Any, Data], None]


def air_combats(ctx: Ctx[State]) -> Proc[None]:
    """All air combat of the phase, hex by hex, that of the night after that of the day (WD 21, ruling NIGHT-ORDER)."""
    state = ctx.state
    flights = [flight_of(state, aid) for aid in in_the_air(state)]
    for battle in battles(flight for flight in flights if of_this_phase(state, flight)):
        yield from _battle(ctx, battle)


def _battle(ctx: Ctx[State], battle: Battle) -> Proc[None]:
    state = ctx.state
    fight = _Fight(battle, state.board.name(battle.hex))
    sky = sky_over(air_tables(state.world), state.board.label(battle.hex), battle.flights, loads(state, battle.flights))
    ctx.emit(
        "air-combat",
        "WD 21",
        hex=fight.where,
        night="yes" if battle.night else "",
        interceptors=[*sky.interceptors],
        screen=[*sky.escorts],
        force=[*sky.force],
    )
    outcome = yield from _resolve(ctx, fight, sky)
    for aid, flight in sorted(outcome.sky.flights.items()):
        if flight.fate != UNHURT:
            befall(ctx, aid, flight.fate, battle.hex, COMBAT, fight.by)


def loads(state: State, flights: Iterable[Flight]) -> dict[str, Fraction]:
    """The REs aboard each transport, those of a party shared evenly: what an attacker reckons with (pbem A7)."""
    found: dict[str, Fraction] = {}
    listed = [flight.id for flight in flights]
    for aid in listed:
        sortie = state.air[aid].sortie
        if sortie is not None and sortie.cargo:
            crew = [one for one in listed if (other := state.air[one].sortie) and other.cargo == sortie.cargo]
            total = sum((cargo_of(state, uid, state.air[aid].hex).re for uid in sortie.cargo), Fraction(0))
            found[aid] = total / len(crew)
    return found


def _resolve(ctx: Ctx[State], fight: _Fight, sky: Sky) -> Proc[Outcome]:
    """Drive the engagement: choices are asked, shots are rolled."""
    steps = engagement(sky)
    request: Choice[Any] | Shot = next(steps)
    while True:
        reply: Any
        if isinstance(request, Shot):
            reply = yield from _shoot(ctx, fight, sky.tables, request)
        else:
            reply = yield from _choose(ctx, fight, request)
        try:
            request = steps.send(reply)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


# --- choices ----------------------------------------------------------------------------------------------------


def _choose(ctx: Ctx[State], fight: _Fight, choice: Choice[Any]) -> Proc[Any]:
    answer = yield from asked(ctx, choice_ask(ctx.state, fight.battle.hex, fight.battle.night, choice))
    fight.heard(answer.by)
    if choice.topic != SEQUENCE:  # the order of a series is seen in its shots
        teller: Teller = TELLERS.get(choice.topic) or _tell_pairs
        teller(ctx, fight, choice, answer.value, told(answer))
    return answer.value


def _tell_jettison(ctx: Ctx[State], fight: _Fight, choice: Choice[Any], chosen: Collection[str], how: Data) -> None:
    """Bombs dropped; keeping them is not told."""
    if chosen:
        data: Data = {"hex": fight.where, "air": [*sorted(chosen)]}
        ctx.emit("jettisoned", choice.rule, fight.by, "public", **data, **how)


def _tell_split(ctx: Ctx[State], fight: _Fight, choice: Choice[Any], chosen: Collection[str], how: Data) -> None:
    past: list[Tree] = [aid for aid in choice.sky.interceptors if aid not in chosen]
    data: Data = {"hex": fight.where, "screen": [*sorted(chosen)], "bypass": past}
    ctx.emit("split", choice.rule, fight.by, "public", **data, **how)


def _tell_pairs(ctx: Ctx[State], fight: _Fight, choice: Choice[Any], pairs: Mapping[str, str], how: Data) -> None:
    """Who attacks whom; that nobody does is not told."""
    rows: list[Tree] = [{"air": one, "at": other} for one, other in sorted(pairs.items())]
    if rows:
        data: Data = {"hex": fight.where, "step": STEP_OF[choice.topic], "topic": choice.topic, "pairs": rows}
        ctx.emit("engaged", choice.rule, fight.by, "public", **data, **how)


TELLERS: dict[str, Teller] = {
    JETTISON: _tell_jettison,
    SPLIT: _tell_split,
}


# --- shots ------------------------------------------------------------------------------------------------------


def _shoot(ctx: Ctx[State], fight: _Fight, tables: AirTables, shot: Shot) -> Proc[int]:
    """One attack of an exchange and its dice (WD 21.B.3)."""
    who = flight_of(ctx.state, shot.firer).craft.side
    assume = mildest(lambda total: fire(tables, shot, total).fate == UNHURT)
    dice = yield from ctx.roll(Roll(shot.label, KIND, count=dice_per_roll(KIND), assume=assume, who=who))
    fired = fire(tables, shot, sum(dice))
    data: Data = {
        "hex": fight.where,
        "step": shot.step,
        "air": shot.firer,
        "target": shot.target,
        "differential": str(shot.differential),
        "modifier": str(shot.modifier),
        "dice": [str(die) for die in dice],
        "roll": str(fired.roll),
        "used": str(fired.used),
        "label": shot.label,
        "result": fired.result,
        "fate": fired.fate,
    }
    ctx.emit("air-shot", "WD 21.B.3", fight.by, "public", **data)
    return fired.roll
