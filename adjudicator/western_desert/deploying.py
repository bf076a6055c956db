"""Free set-up (WD 30), where the players have agreed on it: one deploys after the other, the Axis player first.

The order of battle says for each unit in which area it begins; its owner chooses the hex. A unit may begin where one
like it is listed, which then begins where it would have. What nobody places stands where the order of battle has it, or
as near to it as may be. The Axis player sets up the Vichy forces. All of it is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.board import PROHIBITED_TERRAIN
from adjudicator.western_desert.homebound import malta_brigade
from adjudicator.western_desert.orderbook import alike, short
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.setup import (
    DEPLOYERS,
    is_free,
    place_boxes,
    place_units,
    place_works,
    start_control,
)
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import VICHY, WRECK, State, World
from adjudicator.western_desert.world import first_state, rows, text, texts

ORDER, RULE = "deploy", "WD 30.deploy"
UNIT, AIR, COUNTER = "unit", "air", "counter"
EVENTS = {UNIT: "deploy", AIR: "deploy-air", COUNTER: "deploy-supply"}
AXIS = DEPLOYERS[0]
By = Sequence[int]


class Listed(NamedTuple):
    """One thing of the order of battle that is set up: where it is listed, as what (``cadre``, or steps of supply)."""

    name: str
    kind: str
    side: str
    home: int
    step: str = ""


def sides_of(player: str) -> tuple[str, ...]:
    """Whose forces a player sets up: the Axis player those of Vichy France too (WD 30.deploy)."""
    return (AXIS, VICHY) if player == AXIS else (player,)


def listed(world: World) -> State:
    """The position as the order of battle has it."""
    found = world.cache.get("listed set-up")
    if not isinstance(found, State):
        found = first_state(world)
        ctx: Ctx[State] = Ctx(found, apply)
        place_works(ctx, world.scenario)
        place_units(ctx, world.scenario)
        start_control(ctx, world.scenario)
        world.cache["listed set-up"] = found
    return found


def things(world: World, player: str) -> list[Listed]:
    """What a player sets up, in the order of the order of battle. The San Giorgio lies in Tobruk (WD 22.A.4)."""
    find, own = world.board.find, sides_of(player)
    found = [
        Listed(text(row, "unit"), UNIT, world.units[text(row, "unit")].side, find(text(row, "hex")), text(row, "step"))
        for row in rows(world.scenario, "deploy")
    ]
    found += [
        Listed(aid, AIR, text(world.air[aid], "side"), find(text(row, "hex")))
        for row in rows(world.scenario, "air_deploy")
        for aid in [text(row, "unit") or text(row, "air")]
    ]
    found += [
        Listed(text(row, "id"), COUNTER, text(row, "side"), find(text(row, "hex")), text(row, "steps"))
        for row in rows(world.scenario, "supply")
    ]
    return [thing for thing in found if thing.side in own and thing.name != WRECK]


def area_at(world: World, h: int) -> str:
    """The area of the set-up that a hex lies in, "" for none."""
    return next((area for area in texts(world.scenario, "setup_areas") if world.board.in_region(h, area)), "")


def may_hold(state: State, side: str, h: int) -> bool:
    """Whether a hex is ground of a side when it sets up: the Axis begins beyond the frontier where its order of battle
    has it, the Allied player in what the Axis has not taken (WD 30)."""
    owner = listed(state.world).owner(h) if side == AXIS else state.owner(h)
    return owner == side and state.board.terrain(h) not in PROHIBITED_TERRAIN


class Deployment:
    """The set-up of one player while it goes on: what is still to be placed, and where each is listed."""

    def __init__(self, state: State, player: str) -> None:
        self.state, self.player = state, player
        self.open = {thing.name: thing for thing in things(state.world, player)}
        self.homes = {name: thing.home for name, thing in self.open.items()}

    def area(self, name: str) -> str:
        """The area where a thing begins now."""
        return area_at(self.state.world, self.homes[name])

    def ground(self, thing: Listed) -> list[int]:
        """The hexes where a thing may begin, in order of number."""
        area, state = self.area(thing.name), self.state
        land = (h for h in sorted(state.board.land) if area_at(state.world, h) == area)
        return [h for h in land if may_hold(state, thing.side, h) and (thing.kind != AIR or is_airbase(state, h))]

    # --- what is wrong ------------------------------------------------------------------------------------------

    def problems(self, order: Order, named: Sequence[str], h: int | None) -> list[Problem]:
        """What is wrong with an order to place things in a hex. Whoever goes to another area has changed places with
        one like it when there is nothing."""
        if not named:
            text_ = "the order names nothing to set up"
            return [Problem("units", RULE, text_, "add a line units:, air: or counters:")]
        if h is None:
            return [Problem("hex", "WD 2.B", f"{order.text('at')!r} is no hex", "name one: at:", field="at")]
        found = [problem for name in named for problem in self._open_problems(name)]
        for name in () if found else named:
            found += self._place_problems(self.open[name], h, named)
        units = [name for name in named if not found and self.open[name].kind == UNIT]
        for side in dict.fromkeys(self.open[name].side for name in units):
            if not fits(self.state, h, side, units):
                where = self.state.board.feature_names(h)
                text_ = f"{where} has no room: the stacking limit would be exceeded"
                found.append(Problem("stacking", "WD 8.A", text_, "name a hex with room", field="at"))
        return found

    def _open_problems(self, name: str) -> list[Problem]:
        if name in self.open:
            return []
        placed = name in {thing.name for thing in things(self.state.world, self.player)}
        why = "is set up already" if placed else f"is nothing that the {self.player} player sets up on the map"
        text_ = f"{name_of(self.state, name)} {why}"
        return [Problem("not_yours", RULE, text_, "leave it out")]

    def _place_problems(self, thing: Listed, h: int, named: Sequence[str]) -> list[Problem]:
        state, where = self.state, self.state.board.feature_names(h)
        name, area = name_of(state, thing.name), area_at(state.world, h)
        if area != self.area(thing.name) and not self._change_places(thing, area, named):
            text_ = f"{name} begins in {self.area(thing.name)}, as the order of battle has it; {where} is not there"
            hint = "name a hex there, or one where a unit like it is listed that has no place yet"
            return [Problem("area", RULE, text_, hint, field="at")]
        if not may_hold(state, thing.side, h):
            text_ = f"{where} is no ground that the {thing.side} side holds at the start"
            return [Problem("control", "WD 30", text_, "name another hex", field="at")]
        if thing.kind == AIR and not is_airbase(state, h):
            text_ = f"{where} is no airbase; {name} begins at one"
            return [Problem("no_base", "WD 17", text_, "name an airbase", field="at")]
        return []

    def _change_places(self, thing: Listed, area: str, named: Sequence[str]) -> bool:
        """Let a thing begin in another area, and one like it that is listed there where this one is (WD 30: apart from
        nationality, designations don't count)."""
        others = (one for one in self.open.values() if one.name not in named and self.area(one.name) == area)
        other = next((one for one in others if self._alike(thing, one)), None)
        if other is None:
            return False
        self.homes[thing.name], self.homes[other.name] = self.homes[other.name], self.homes[thing.name]
        return True

    def _alike(self, one: Listed, two: Listed) -> bool:
        if (one.kind, one.side, one.step) != (two.kind, two.side, two.step):
            return False
        world = self.state.world
        if one.kind == COUNTER:
            return True
        if one.kind == AIR:
            first, second = world.air[one.name], world.air[two.name]
            return (text(first, "model"), text(first, "nat")) == (text(second, "model"), text(second, "nat"))
        bound = any(malta_brigade(self.state, thing.name) for thing in (one, two))
        return not bound and alike(world.units[one.name], world.units[two.name])

    # --- carried out --------------------------------------------------------------------------------------------

    def place(self, ctx: Ctx[State], name: str, h: int, by: By, **told: Tree) -> None:
        """Put a thing on the map."""
        thing = self.open.pop(name)
        data: dict[str, Tree] = {thing.kind: name, "hex": self.state.board.name(h), **told}
        if thing.kind == UNIT:
            data["step"] = thing.step
        if thing.kind == COUNTER:
            data |= {"side": thing.side, "steps": thing.step}
        ctx.emit(EVENTS[thing.kind], RULE, by, PUBLIC, **data)

    def place_rest(self, ctx: Ctx[State], by: By) -> None:
        """What no order has placed: where it is listed, else as near to it as may be."""
        for name, thing in list(self.open.items()):
            home = self.homes[name]
            near = sorted(self.ground(thing), key=lambda h: (hexes.distance(home, h), h))
            room = (h for h in near if thing.kind != UNIT or fits(self.state, h, thing.side, [name]))
            self.place(ctx, name, next(room, home), by, choice="default")


def name_of(state: State, name: str) -> str:
    """A thing as players write it."""
    return short(state.world, name) or name


def named_by(order: Order) -> list[str]:
    """What an order sets up, each once."""
    named = [*order.texts("units"), *order.texts("air"), *order.texts("counters")]
    return list(dict.fromkeys(named))


def deploy(ctx: Ctx[State], player: str, orders: Iterable[Order], by: By) -> None:
    """The set-up of a player: his orders, then what they leave, then what he has off the map."""
    state, world = ctx.state, ctx.state.world
    made = Deployment(state, player)
    _place_wreck(ctx, player, by)
    for order in orders:
        if order.type != ORDER:
            text_ = f"{order.type}: this is the set-up; play begins when both players have deployed"
            ctx.void(order, [Problem("setup", "WD 30", text_, "give it in a later message")], by)
            continue
        homes, named, h = dict(made.homes), named_by(order), hex_in(state, order.text("at"))
        problems = made.problems(order, named, h)
        if problems or h is None:
            made.homes = homes
            ctx.void(order, problems, by)
            continue
        for name in named:
            made.place(ctx, name, h, by, order=str(order.index))
    made.place_rest(ctx, by)
    place_boxes(ctx, world.scenario, sides_of(player))


def _place_wreck(ctx: Ctx[State], player: str, by: By) -> None:
    """The San Giorgio lies where it was wrecked (WD 22.A.4)."""
    for row in rows(ctx.state.world.scenario, "deploy"):
        if text(row, "unit") == WRECK and player == AXIS:
            ctx.emit("deploy", "WD 22.A.4", by, PUBLIC, unit=WRECK, hex=text(row, "hex"), step="", choice="default")


def deploy_problems(state: State, side: str) -> list[Problem]:
    """Why a player can't set up now: set-up is over or as the scenario lists it, or the Axis player comes first (WD
    30.deploy)."""
    if state.phase != "setup":
        agreed = is_free(state.world)
        text_ = "the set-up is over" if agreed else "the players have agreed on the set-up of the scenario"
        return [Problem("setup", RULE, text_, "leave the order out")]
    if side != (state.player or AXIS):
        text_ = f"the {state.player or AXIS} player sets up now; the Axis player deploys first, then the Allied player"
        return [Problem("axis_first", RULE, text_, "wait until he has")]
    return []
