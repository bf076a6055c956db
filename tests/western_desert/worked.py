"""A small vocabulary for positions told in words: who stands where, what is ordered, what came of it.

``on_the_map`` is the real map with the real counters, empty; ``on_plain_ground`` the clear hex T with its neighbours
A to F. A scene runs the phase it is in by the rules of the game and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from adjudicator.engine.core import Answer, Ask, Ctx, Event, Order, Proc, Tree
from adjudicator.engine.dice import Assume, DiceSource
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import Reply, drive, settled
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import State, Supply, World, turn_number
from adjudicator.western_desert.units import Unit
from adjudicator.western_desert.world import first_state
from tests.western_desert.skirmish import fixed, tree

BY = (4,)


class Scene:
    """A position in the making; every method but ``when`` gives the scene back."""

    def __init__(self, state: State) -> None:
        self.state = state

    def at(self, place: str) -> int:
        """The hex of a place."""
        return self.state.board.find(place)

    def units(self, place: str, *units: str | Unit) -> Scene:
        """Counters of the game by id, or counters made up, whole."""
        for one in units:
            build.put(self.state, _counter(one), self.at(place))
        return self

    def cadres(self, place: str, *units: str) -> Scene:
        """Divisions that lie on their cadre side."""
        for one in units:
            build.put(self.state, _counter(one), self.at(place), {"state": "cadre"})
        return self

    def supply(self, counter: str, place: str, steps: int = 1) -> Scene:
        """A supply counter; its id begins with its side."""
        self.state.supply[counter] = Supply(self.at(place), counter.split("-")[0], steps)
        return self

    def ground(self, place: str, terrain: str = "clear", *features: str) -> Scene:
        """What is printed in a hex of the plain."""
        build.set_hex(self.state.board, self.at(place), terrain, features)
        return self

    def side(self, a: str, b: str, kind: str) -> Scene:
        """What is printed between two hexes of the plain, as seen from the first."""
        build.set_side(self.state.board, self.at(a), self.at(b), kind)
        return self

    def road(self, *places: str) -> Scene:
        """A road of the plain."""
        for a, b in pairwise(places):
            build.set_line(self.state.board, "road", self.at(a), self.at(b))
        return self

    def held_by(self, side: str, *places: str) -> Scene:
        """Control without units."""
        self.state.control.update({self.at(place): side for place in places})
        return self

    def out_of_supply(self, *units: str) -> Scene:
        """Units without general supply in this player turn."""
        for uid in units:
            self.state.pieces[uid].gs = False
        return self

    def on(self, turn: str) -> Scene:
        """The game turn."""
        self.state.turn = turn_number(turn)
        return self

    def when(self, *orders: Mapping[str, object], dice: tuple[int, ...] = ()) -> Told:
        """Run the phase on these orders; the dice fall as given, else as `check` assumes them."""
        state = self.state
        settle(Ctx(state, apply), sorted(state.board.land))
        state.taken.clear()
        ctx: Ctx[State] = Ctx(state, apply, on=BY[0])
        source: DiceSource = fixed(*dice) if dice else Assume()
        given = [_order(index, row) for index, row in enumerate(orders)]
        drive(_phase(ctx, given), source, _reader(given))
        return Told(ctx)


class Told:
    """What came of a phase."""

    def __init__(self, ctx: Ctx[State]) -> None:
        self.ctx, self.state = ctx, ctx.state

    def all(self, kind: str) -> list[Mapping[str, Any]]:
        """The data of every event of a kind."""
        return [event.data for event in self.ctx.events if event.kind == kind]

    def the(self, kind: str) -> Mapping[str, Any]:
        """The data of the one event of a kind."""
        (found,) = self.all(kind)
        return found

    def events(self) -> list[Event]:
        """Everything that happened."""
        return self.ctx.events

    @property
    def refused(self) -> list[str]:
        """The rules by which orders were void."""
        return [problem.rule for problem in self.ctx.problems]

    def place_of(self, uid: str) -> str:
        """Where a unit or a supply counter is."""
        found = self.state.supply[uid].hex if uid in self.state.supply else self.state.hex_of(uid)
        return self.state.board.name(found)

    def spent(self, uid: str) -> float:
        """Movement points that a unit has spent in the phase."""
        return self.state.pieces[uid].spent2 / 2

    def die_effects(self) -> dict[str, str]:
        """The armor and antitank modifiers of the one attack, those that count."""
        armor = self.the("attack")["armor"]
        return {name: armor[name]["die"] for name in ("aeca", "aecd", "atec") if armor[name]["die"] != "0"}

    def share(self, category: str) -> str:
        """The proportion of a category in the one attack."""
        return str(self.the("attack")["armor"][category]["share"])

    def strength_of(self, uid: str) -> str:
        """What one unit brought to the one attack, on either side."""
        attack = self.the("attack")
        (row,) = [row for row in (*attack["attackers"], *attack["defending"]) if row["unit"] == uid]
        return str(row["value"])


def on_plain_ground(side: str = "allied", phase: str = "combat") -> Scene:
    """Clear land, nobody on it."""
    return Scene(build.new_state(build.mini_board(), side, phase, "axis"))


def on_the_map(side: str = "allied", phase: str = "movement") -> Scene:
    """The real map under its printed control, nobody on it; scenario and order of battle are those of Compass."""
    real = build.real_world()
    world = World(real.board, dict(real.units), real.charts, real.air, real.scenario, {}, real.events)
    state = first_state(world)
    state.player, state.phase, state.step = side, phase, phase
    return Scene(state)


def named(like: str, *names: str) -> list[Unit]:
    """Counters like one of the game's under names of their own."""
    return [replace(build.real_world().units[like], id=name, short=name) for name in names]


def order(kind: str, **data: object) -> dict[str, object]:
    """One order."""
    return {"type": kind, **data}


def _counter(one: str | Unit) -> Unit:
    return build.real_world().units[one] if isinstance(one, str) else one


def _order(index: int, row: Mapping[str, object]) -> Order:
    data: dict[str, Tree] = {name: tree(value) for name, value in row.items() if name != "type"}
    return Order(index, str(row["type"]), data)


def _reader(orders: list[Order]) -> Reply:
    """Choices are read out of the orders, else nobody says anything."""

    def reply(ask: Ask[Any]) -> Answer[Any]:
        value = ask.find(orders)
        return settled(ask) if value is None or ask.problems(value) else Answer(value, "order")

    return reply


def _phase(ctx: Ctx[State], orders: list[Order]) -> Proc[None]:
    phases = {
        "initial": initial_phase,
        "movement": movement_phase,
        "exploitation": movement_phase,
        "combat": combat_phase,
    }
    return phases[ctx.state.phase](ctx, ctx.state.player, orders, BY)
