"""The movement phase in words: who went where, by which road, for how many MPs, and what it changed on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Item, Words, bullets, capital_first, item, para
from adjudicator.report.western_desert.battle import advance_items
from adjudicator.report.western_desert.common import loss_items
from adjudicator.report.western_desert.control import Ground
from adjudicator.report.western_desert.names import (
    bare_list,
    bearing,
    hex_words,
    is_plural,
    list_units,
    people,
    side_word,
    the,
)
from adjudicator.report.western_desert.roads import way_words
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, rule
from adjudicator.report.words import capital, choose, counted, joined, third
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_points, mp_text
from adjudicator.western_desert.state import ENEMY, State

DRIVE = ("drive", "roll", "motor")
MARCH = ("march", "advance on foot")
RIDE = ("ride",)
MIXED = ("move", "go")


@dataclass
class March:
    """Units that went one way together. ``costs`` are the units by what they paid: MPs, for what, MPs left."""

    origin: int
    path: tuple[int, ...]
    means: str
    transport: str
    rule: str
    rail: tuple[bool, ...]
    units: list[str] = field(default_factory=list)
    costs: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.path[-1] if self.path else self.origin


@dataclass
class Column:
    """What set out from one hex, march after march; ``start`` says from where."""

    origin: int
    start: str
    told: list[list[Words]] = field(default_factory=list)

    def item(self) -> Item:
        """The column as an entry: in one sentence where it is a single march."""
        if len(self.told) == 1:
            return item(f"From {self.start}: ", *self.told[0])
        return item(f"From {self.start}:", below=[item(*capital_first(words)) for words in self.told])


@dataclass
class Movement:
    """A movement phase while it is told: what is told already, and the march that is still under way."""

    scene: Scene
    entries: list[Column | Item] = field(default_factory=list)
    marches: list[March] = field(default_factory=list)
    open: March | None = None

    def move(self, event: Event) -> None:
        """A unit moves: with the march under way, or on a way of its own."""
        march = march_of(self.scene, event)
        if self.open is None or _way(self.open) != _way(march):
            self.close()
            self._start(march)
            self.open = march
            self.marches.append(march)
        uid = get(event, "unit")
        cost = (get(event, "mp") or get(event, "spent"), get(event, "cost"), get(event, "left"))
        self.open.units.append(uid)
        self.open.costs.setdefault(cost, []).append(uid)

    def _start(self, march: March) -> None:
        column = self.entries[-1] if self.entries else None
        if not isinstance(column, Column) or column.origin != march.origin:
            self.entries.append(Column(march.origin, self.scene.place(march.origin)))

    def close(self) -> None:
        """The march under way is over: tell it, on the state after it."""
        column = self.entries[-1] if self.entries else None
        if self.open is not None and isinstance(column, Column):
            column.told.append(_march_words(self.scene, self.open))
        self.open = None

    def other(self, event: Event) -> None:
        """Something else happens on the way."""
        self.close()
        self.entries.append(self.scene.tell(event))


def movement_blocks(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    """Tell the movement phase; the scene stands after it when this returns."""
    phase = Movement(scene)
    for kind, run in _runs(events):
        if kind in TOGETHER:
            phase.close()
            phase.entries += TOGETHER[kind](scene, run)
            continue
        for event in run:
            if kind == "move":
                phase.move(event)
            elif kind == "control":
                ground.note(scene, event)
            else:
                phase.other(event)
            scene.apply(event)
    phase.close()
    told = [entry.item() if isinstance(entry, Column) else entry for entry in phase.entries]
    lead = [para(_lead(scene, phase.marches))] if phase.marches or not told else []
    return [*lead, *bullets(told)]


def _runs(events: Sequence[Event]) -> Iterator[tuple[str, list[Event]]]:
    """Events that follow each other and are of one kind."""
    for kind, run in groupby(events, key=lambda event: event.kind):
        yield kind, list(run)


def march_of(scene: Scene, event: Event) -> March:
    """The march that a move event tells, without its unit."""
    path = tuple(scene.find(text) for text in items(event, "path"))
    origin = scene.find(get(event, "from")) if get(event, "from") else scene.state.hex_of(get(event, "unit"))
    rail = tuple(step == "rail" for step in items(event, "steps"))
    return March(origin, path, get(event, "means"), get(event, "transport"), event.rule, rail)


def _way(march: March) -> tuple[object, ...]:
    return march.origin, march.path, march.means, march.transport, march.rule, march.rail


# --- words ------------------------------------------------------------------------------------------------------


def _lead(scene: Scene, marches: Sequence[March]) -> str:
    """How much movement there was, and who went farthest."""
    side = scene.state.player
    if not marches:
        return f"{capital(people(side))} {'stay' if side == 'allied' else 'stays'} put."
    units = sorted({uid for march in marches for uid in march.units})
    starts = len({march.origin for march in marches})
    spent2 = sum(mp_points(cost[0]) * len(ids) for march in marches for cost, ids in march.costs.items())
    longest = max(marches, key=lambda march: len(march.path))
    return (
        f"{capital(counted(len(units), f'{side_word(side)} unit'))} {'moves' if len(units) == 1 else 'move'} "
        f"from {counted(starts, 'hex', 'hexes')} and {'spends' if len(units) == 1 else 'spend'} "
        f"{mp_text(spent2)} MP in all; the longest way, {counted(len(longest.path), 'hex', 'hexes')}, "
        f"ends in {hex_words(scene.board, longest.end)}."
    )


def _march_words(scene: Scene, march: March) -> list[Words]:
    """A march as a sentence that begins with a small letter."""
    state, board = scene.state, scene.board
    way = way_words(board, march.origin, march.path, march.rail)
    words = f"{_subject(state, march)} {_verb(state, march)} {bearing(march.origin, march.end)} {way} "
    words += f"to {scene.place(march.end)}: {_cost_words(state, march)}{_kind(march)}"
    return [words, rule(march.rule), f".{_facing_words(scene, march)}"]


def _subject(state: State, march: March) -> str:
    carried = [uid for uid in march.units if uid != march.transport]
    if march.transport and carried:
        return f"{list_units(state, carried)}, carried by {the(state, march.transport)},"
    return list_units(state, march.units)


def _verb(state: State, march: March) -> str:
    units = [state.world.units[uid] for uid in march.units]
    if march.means == "rail" or any(march.rail):
        verbs: tuple[str, ...] = ("go by rail",)
    elif march.transport or all(unit.motorized for unit in units):
        verbs = DRIVE
    elif all(unit.cavalry for unit in units):
        verbs = RIDE
    else:
        verbs = MIXED if any(unit.motorized for unit in units) else MARCH
    chosen = choose(verbs, *march.units, str(march.end))
    named = [uid for uid in march.units if uid != march.transport]
    return chosen if is_plural(state, named or march.units) else third(chosen)


def _cost_words(state: State, march: March) -> str:
    """What the units paid and for what, and what they have left; units that paid alike together."""
    prices: dict[tuple[str, str], dict[str, list[str]]] = {}
    for (points, what, left), units in march.costs.items():
        prices.setdefault((points, what), {}).setdefault(left, []).extend(units)
    parts = []
    for (points, what), lefts in prices.items():
        payers = [uid for units in lefts.values() for uid in units]
        who = f"{bare_list(state, payers)} " if len(prices) > 1 else ""
        each = " each" if len(payers) > 1 else ""
        parts.append(f"{who}{points} MP{each}{f' ({what})' if what else ''}{_left_words(state, lefts)}")
    return "; ".join(parts)


def _left_words(state: State, lefts: Mapping[str, Sequence[str]]) -> str:
    """``, 2 left``; ``, 0 left for the 7th Royal Tank Regiment and 2 for the others``."""
    *few, most = sorted(lefts, key=lambda left: (len(lefts[left]), left))
    if not few:
        return f", {most} left" if most else ""
    first, *more = [f"for {list_units(state, lefts[left])}" for left in few]
    told = [f"{few[0]} left {first}", *(f"{left} {whom}" for left, whom in zip(few[1:], more, strict=True))]
    return f", {joined([*told, f'{most} for the others'])}"


def _kind(march: March) -> str:
    kinds = {"admin": "administrative movement", "minimum": "the one guaranteed hex"}
    words = kinds.get(march.means, "")
    return f"; {words}" if words else ""


def _facing_words(scene: Scene, march: March) -> str:
    """Whom the units stand against now; said once for each hex they came to."""
    side = scene.state.world.units[march.units[0]].side
    facing = tuple(n for n in hexes.neighbours(march.end) if scene.state.enemy_in(n, side))
    if not facing or (march.end, *facing) in scene.faced:
        return ""
    scene.faced.add((march.end, *facing))
    shown = joined([hex_words(scene.board, h) for h in facing])
    start = choose(("Now face to face with", "In contact with", "Up against"), *march.units, "face")
    return f" {start} the {side_word(ENEMY[side])} units in {shown}."


def _halt_item(scene: Scene, event: Event) -> Item:
    """A unit sent back along its way because it may not stay where it came to."""
    state = scene.state
    who, why = capital(the(state, get(event, "unit"))), get(event, "why")
    here, to = get(event, "hex"), get(event, "to")
    start = f"{who} may not stay in {scene.place(scene.find(here))}" if here else f"{who} halts"
    back = f" and stands in {scene.place(scene.find(to))} with {get(event, 'spent')} MP spent" if to else ""
    return item(f"{start}{back}", f": {why}" if why else "", rule(event.rule), ".")


def _move_item(scene: Scene, event: Event) -> Item:
    """One move by itself, outside a movement phase; it is not applied."""
    phase = Movement(scene)
    phase.move(event)
    march = phase.marches[0]
    return item(*capital_first(_march_words(scene, march)))


TOGETHER: dict[str, Callable[[Scene, Sequence[Event]], list[Item]]] = {
    "eliminated": loss_items,
    "advance": advance_items,
}
"""Kinds that are told several at a time; these functions apply the events themselves."""
ITEMS: dict[str, Telling] = {"move": _move_item, "halt": _halt_item}
