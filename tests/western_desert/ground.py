"""Positions and runs for the tests of movement and supply: random ones on the real map, small ones by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

from adjudicator.engine.core import Ctx, Order, Proc, Tree
from adjudicator.engine.dice import Assume, DiceSource, Local
from adjudicator.packs import load_pack
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import WRECK, State, World
from adjudicator.western_desert.world import first_state, world_from_pack

FRONTIER = ("18/4818", "19/0325", "19/0526", "19/0726", "19/1126", "19/1225", "19/1526", "19/0530")
UNSEATED = ("position_aa", "transport_counter")


@cache
def compass() -> World:
    """The world of the scenario Compass; never changed."""
    return world_from_pack(load_pack("western-desert").tree, "compass")


def start() -> State:
    """The set-up of Compass, in the movement phase of a regular Allied turn."""
    state = first_state(compass())
    for row in compass().scenario["deploy"]:  # type: ignore[attr-defined]
        state.place(row["unit"], state.board.find(row["hex"]))
    state.player, state.phase, state.step = "allied", "movement", "movement"
    settled(state)
    return state


def settled(state: State) -> None:
    """Control as units and zones have it, and that as the start of the player turn."""
    settle(Ctx(state, apply), sorted(state.board.land))
    state.taken.clear()


def scattered(seed: int, units: int = 24, around: Sequence[str] = FRONTIER) -> State:
    """Units of both sides at random in land hexes around the frontier, one side to move; stacks within the limit."""
    chance = random.Random(seed)
    state = first_state(compass())
    state.player, state.phase, state.step = chance.choice(("allied", "axis")), "movement", "movement"
    near = {h for text in around for h in hexes.within(hexes.parse(text), 3)}
    places = sorted(h for h in near if state.board.terrain(h) not in ("sea", "salt_marsh", "lake"))
    ids = [uid for uid, unit in sorted(compass().units.items()) if unit.side in ("allied", "axis") and uid != WRECK]
    for uid in chance.sample(ids, units):
        unit = compass().units[uid]
        h = chance.choice(places)
        if not state.enemy_in(h, unit.side) and fits(state, h, unit.side):
            state.place(uid, h, cadre=unit.back is not None and chance.random() < 0.2)
            if fits(state, h, unit.side):
                state.pieces[uid].gs = chance.random() < 0.75
            else:
                state.take_off(uid, "no room")
    settled(state)
    for h in chance.sample(places, 5):
        state.harassed[h] = chance.randint(1, 5)
    state.broken.update(chance.sample([h for h in places if state.board.has_road(h)], 2))
    return state


def movers(state: State) -> list[str]:
    """Ids of the units of the side to move that have a rating."""
    return [uid for uid in state.side_units(state.player) if state.unit(uid).movement]


def move(index: int, uid: str, to: int, state: State, **more: Tree) -> Order:
    """An order of one unit to a hex."""
    return Order(index, "move", {"unit": uid, "to": state.board.name(to), **more})


def run(state: State, orders: Sequence[Order], dice: DiceSource | None = None) -> Ctx[State]:
    """Run a movement phase on a copy of the position; the context has the events and problems."""
    ctx = Ctx(state.copy(), apply)
    proc: Proc[None] = movement_phase(ctx, state.player, orders, (1,))
    drive(proc, dice or Assume())
    return ctx


def chance_dice(seed: int) -> DiceSource:
    """Dice of one seed."""
    return Local(random.Random(seed).randrange)


def kinds(ctx: Ctx[State], kind: str) -> list[dict[str, Tree]]:
    """The data of all events of a kind."""
    return [dict(event.data) for event in ctx.events if event.kind == kind]


def cites(problems: Iterable[object]) -> list[str]:
    """The rules that problems cite."""
    return [getattr(problem, "rule", "") for problem in problems]
