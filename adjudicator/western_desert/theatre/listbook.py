"""The book ``garrisons``: where the garrisons on the list are, as their player keeps it (WD 33.C; PROTOCOL 5).

A topic is an area, with a row for each unit that has moved in secret since it was listed. The book is sealed in each
Allied message that begins a player turn while a unit is on the list, moved or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Problem, Proof, Tree
from adjudicator.engine.driver import Waits
from adjudicator.engine.planning import NOTHING_PLANNED, Planning
from adjudicator.western_desert.hexes import HexError
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.theatre.displaying import KEY, SHOWN, show_problems
from adjudicator.western_desert.theatre.listed import (
    AREAS,
    BOOK,
    RULE,
    SIDE,
    area_hexes,
    area_name,
    areas_kept,
    books_of,
    cheapest,
    in_area,
    read_topic,
    step_problems,
    topic_rows,
)
from adjudicator.western_desert.theatre.record import Listed

MOVE, SHOW = "move_garrison", "show_garrison"
INITIAL_KEY = "orders/initial"
NO_MESSAGE = 0
ROW, UNITS = 48, 64
"""A sealed copy keeps room for as many moved units of so many bytes: more than the areas ever hold."""
SHOW_SHARE, MOVE_SHARE = 0.2, 0.5
Places = dict[str, dict[str, str]]


def places_of(state: State, kept: Mapping[str, Tree]) -> Places:
    """What the book says, by area: the hexes of the units that are still on its list since before it was sealed."""
    listed = {one.unit: one for one in state.theatre.listed if one.seq < sealed_in(state)}
    found: Places = {}
    for area in AREAS:
        told = read_topic(kept.get(area, ""))
        found[area] = {unit: h for unit, h in told.items() if unit in listed and listed[unit].area == area}
    return found


def sealed_in(state: State) -> int:
    """The message that sealed the list as it stands; 0 for none."""
    return max((seq for _turn, seq in state.theatre.lists), default=NO_MESSAGE)


class ListDesk:
    """The list while the orders of a turn file are read, one after the other. ``shown`` are areas that it opens."""

    def __init__(self, state: State, kept: Mapping[str, Tree]) -> None:
        self.state, self.kept = state, kept
        self.places = places_of(state, kept)
        self.moved: set[str] = set()
        self.shown: list[str] = []

    def at(self, one: Listed) -> int:
        """Where a unit of the list is."""
        name = self.places[one.area].get(one.unit)
        return one.hex if name is None else self.state.board.find(name)

    def show(self, order: Order) -> list[Problem]:
        """Open an area, or say what is wrong with it."""
        area = order.text("area")
        found = show_problems(self.state, SIDE, area)
        if not found and area not in self.shown:
            self.shown.append(area)
        return found

    def move(self, order: Order) -> list[Problem]:
        """Move units of the list, or say what is wrong with it."""
        state, names = self.state, list(dict.fromkeys(order.texts("units") or order.texts("unit")))
        try:
            to = state.board.find(order.text("to"))
        except HexError as fault:
            return [Problem("hex", RULE, str(fault), "name a hex of the area", field="to")]
        found = [problem for uid in names for problem in self.step(uid, to)]
        if not found and not self._room(names, to):
            text = f"{state.board.feature_names(to)} has no room: the stacking limit would be exceeded"
            found.append(Problem("stacking", "WD 8.A", text, "name a hex with room", field="to"))
        for one in () if found else [one for one in state.theatre.listed if one.unit in names]:
            self.places[one.area][one.unit] = state.board.name(to)
            self.moved.add(one.unit)
        return found

    def step(self, uid: str, to: int) -> list[Problem]:
        """What keeps a unit from going to a hex this turn."""
        state = self.state
        one = next((one for one in state.theatre.listed if one.unit == uid), None)
        if one is None:
            text = f"{short(state.world, uid) or uid} is not on the list"
            return [Problem("unlisted", RULE, text, "move it on the map", field="units")]
        if one.area in self.shown:
            text = f"{short(state.world, uid)} is shown by this message, with all of the area {one.area}"
            return [Problem("shown", RULE, text, "move it on the map, in the section movement", field="units")]
        if uid in self.moved:
            return [Problem("twice", RULE, f"{short(state.world, uid)} has moved", "leave one out", field="units")]
        return step_problems(state, one, self.at(one), to)

    def _room(self, names: Sequence[str], to: int) -> bool:
        """Whether the hex has room for these units, with those on the map and on the list."""
        trial = self.state.copy()
        for one in self.state.theatre.listed:
            if one.unit in names or self.at(one) == to:
                trial.bring_back(one.unit, to, one.cadre, one.dot)
        return fits(trial, to, SIDE)

    def contents(self) -> dict[str, Tree]:
        """The new book."""
        return {area: topic_rows(told) for area, told in self.places.items() if told and area not in self.shown}

    def proofs(self, areas: Iterable[str]) -> tuple[Proof, ...]:
        """The topics that open areas: out of each book since their units were listed."""
        return tuple(_proofs(self.state, areas))


def _proofs(state: State, areas: Iterable[str]) -> Iterator[Proof]:
    for area in areas:
        yield from (Proof(BOOK, seq, area) for seq in books_of(state, area))


class GarrisonList:
    """The list of the Allied player (theatre.secrets.SecretBook)."""

    book = BOOK
    types: tuple[str, ...] = (MOVE, SHOW)
    topics: tuple[str, ...] = AREAS

    def __init__(self, world: World) -> None:
        self.world = world
        self.room = ROW * min(UNITS, sum(unit.side == SIDE for unit in world.units.values()))

    def since(self, state: State, side: str) -> int:
        """The message whose book holds the list as it stands; 0 for none."""
        return sealed_in(state) if side == SIDE else NO_MESSAGE

    def planning(
        self, state: State, side: str, waits: Waits, orders: Sequence[Order], kept: Callable[[], Mapping[str, Tree]]
    ) -> Planning:
        """What the orders of a turn file make of the list: a new book where the message begins an Allied player turn
        while units are on it; the order that opens an area, with its proofs, where that is ordered or asked."""
        if waits.why == "decision" and waits.side == SIDE and waits.key.startswith(f"{KEY}/"):
            due = sorted({waits.key.removeprefix(f"{KEY}/"), *state.theatre.due})
            return Planning(
                orders=(_showing(due, orders),),
                proofs=ListDesk(state, {}).proofs(due),
                problems={order.index: [_asked_now()] for order in orders},
            )
        if not begins(state, side, waits):
            problems = {order.index: [_moment()] for order in orders}
            return Planning(problems=problems) if problems else NOTHING_PLANNED
        desk = ListDesk(state, kept())
        judged = {order.index: desk.show(order) for order in orders if order.type == SHOW}
        judged |= {order.index: desk.move(order) for order in orders if order.type == MOVE}
        return Planning(
            desk.contents() if state.theatre.listed else None,
            (_showing(desk.shown, orders),) if desk.shown else (),
            desk.proofs(desk.shown),
            {index: problems for index, problems in judged.items() if problems},
        )

    def told(self, state: State, side: str, kept: Mapping[str, Tree]) -> list[str]:
        """Where the units of the list are, by area."""
        desk, name = ListDesk(state, kept), state.board.feature_names
        lines = []
        for area in AREAS:
            units = [f"{short(state.world, one.unit)} in {name(desk.at(one))}" for one in in_area(state, area)]
            if units:
                lines.append(f"Off the map in {area_name(area)} (WD 33.C; only you see the hexes): {', '.join(units)}.")
        return lines

    def chance_orders(
        self, state: State, side: str, waits: Waits, chance: Chance, kept: Callable[[], Mapping[str, Tree]]
    ) -> list[dict[str, Tree]]:
        """An area shown, or a unit of the list moved, by chance."""
        if not begins(state, side, waits) or not state.theatre.listed:
            return []
        desk = ListDesk(state, kept())
        if chance.likely(SHOW_SHARE):
            return [{"type": SHOW, "area": chance.pick(areas_kept(state))}]
        one = chance.pick(state.theatre.listed)
        reach = sorted(cheapest(state, one, desk.at(one)))
        row: dict[str, Tree] = {"type": MOVE, "unit": one.unit, "to": state.board.name(chance.pick(reach))}
        lawful = chance.likely(MOVE_SHARE) and not desk.move(Order(0, MOVE, row))
        return [row] if lawful else []

    def drafted(self, orders: Sequence[Order], kept: Mapping[str, Tree]) -> Iterable[Mapping[str, Tree]]:
        """The books that a turn file may have made: by which areas were shown since, who left the list, and
        what it moves."""
        moves = _moves(self.world, orders)
        for gone in chain.from_iterable(combinations(AREAS, n) for n in range(len(AREAS) + 1)):
            places = {area: read_topic(rules) for area, rules in kept.items() if area not in gone}
            for left in ("", *sorted({unit for told in places.values() for unit in told})):
                yield _drafted({area: _without(told, left) for area, told in places.items()}, moves)


def _moves(world: World, orders: Sequence[Order]) -> Places:
    """Where a turn file sends units, by area: none leaves its own."""
    found: Places = {}
    for order in orders:
        if order.type == MOVE:
            h = _known(world, order.text("to"))
            area = next((area for area in AREAS if h in area_hexes(world, area)), "")
            units = dict.fromkeys(order.texts("units") or order.texts("unit"), world.board.name(h) if area else "")
            found[area] = {**found.get(area, {}), **units}
    return found


def _known(world: World, name: str) -> int:
    try:
        return world.board.find(name)
    except HexError:
        return -1


def _drafted(kept: Places, moves: Places) -> dict[str, Tree]:
    """A book with some moves added."""
    told = {area: {**kept.get(area, {}), **moves.get(area, {})} for area in AREAS}
    return {area: topic_rows(places) for area, places in told.items() if places}


def _without(told: Mapping[str, str], unit: str) -> dict[str, str]:
    return {one: h for one, h in told.items() if one != unit}


def begins(state: State, side: str, waits: Waits) -> bool:
    """Whether the next message of a side begins an Allied player turn, not the surprise turn."""
    asked = (waits.why, waits.side, waits.key) == ("decision", side, INITIAL_KEY)
    return asked and side == SIDE and not state.surprise


def _showing(areas: Sequence[str], orders: Sequence[Order]) -> Order:
    """The order that opens areas, behind the others of its message."""
    return Order(1_000_000 + len(orders), SHOWN, {"areas": ", ".join(areas)})


def _moment() -> Problem:
    text = "garrisons on the list are moved and shown with the message that begins the Allied player turn"
    return Problem("moment", RULE, text, "put the order into that one")


def _asked_now() -> Problem:
    text = "this message shows what an Axis unit has come near to; the program adds the order"
    return Problem("moment", RULE, text, "leave the order out")
