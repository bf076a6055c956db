"""The movement phase in words: who went where, by which road, for how many MPs, and what it changed on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Item, Words, bullets, item, para
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
    facing: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.path[-1] if self.path else self.origin


@dataclass
class Column:
    """The marches that set out from one hex, one after the other."""

    origin: int
    marches: list[March] = field(default_factory=list)


def movement_blocks(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    """Tell the movement phase; the scene stands after it when this returns."""
    entries: list[Column | Item] = []
    marches: list[March] = []
    for event in events:
        if event.kind == "move":
            _add_move(scene, event, entries, marches)
        elif event.kind == "control":
            ground.note(scene, event)
        else:
            entries.append(scene.tell(event))
        scene.apply(event)
        if event.kind == "move":
            marches[-1].facing = _facing(scene.state, marches[-1])
    told = [_column_item(scene, entry) if isinstance(entry, Column) else entry for entry in entries]
    return [para(_lead(scene, marches)), *bullets(told)]


# --- collecting -------------------------------------------------------------------------------------------------


def _add_move(scene: Scene, event: Event, entries: list[Column | Item], marches: list[March]) -> None:
    uid, path = get(event, "unit"), tuple(scene.find(text) for text in items(event, "path"))
    origin = scene.find(get(event, "from")) if get(event, "from") else scene.state.hex_of(uid)
    rail = tuple(step == "rail" for step in items(event, "steps"))
    march = March(origin, path, get(event, "means"), get(event, "transport"), event.rule, rail)
    column = entries[-1] if entries else None
    if not isinstance(column, Column) or column.origin != origin:
        column = Column(origin)
        entries.append(column)
    last = column.marches[-1] if column.marches else None
    if last is None or _way(last) != _way(march):
        last = march
        column.marches.append(march)
        marches.append(march)
    last.units.append(uid)
    cost = (get(event, "mp") or get(event, "spent"), get(event, "cost"), get(event, "left"))
    last.costs.setdefault(cost, []).append(uid)


def _way(march: March) -> tuple[object, ...]:
    return march.origin, march.path, march.means, march.transport, march.rule, march.rail


def _facing(state: State, march: March) -> tuple[int, ...]:
    """The hexes with enemies next to where a march ends."""
    side = state.world.units[march.units[0]].side
    return tuple(n for n in hexes.neighbours(march.end) if state.enemy_in(n, side))


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


def _column_item(scene: Scene, column: Column) -> Item:
    start = scene.place(column.origin)
    if len(column.marches) == 1:
        return item(f"From {start}: ", *_march_words(scene, column.marches[0], capital_letter=False))
    return item(f"From {start}:", below=[item(*_march_words(scene, march)) for march in column.marches])


def _march_words(scene: Scene, march: March, capital_letter: bool = True) -> list[Words]:
    state, board = scene.state, scene.board
    subject = _subject(state, march)
    way = way_words(board, march.origin, march.path, march.rail)
    words = f"{capital(subject) if capital_letter else subject} {_verb(state, march)} "
    words += f"{bearing(march.origin, march.end)} {way} to {scene.place(march.end)}"
    face = _facing_words(scene, march)
    return [f"{words}: {_cost_words(state, march)}{_kind(march)}", rule(march.rule), f".{face}"]


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
    parts = []
    for (points, what, left), units in march.costs.items():
        who = f"{bare_list(state, units)} " if len(march.costs) > 1 else ""
        for_what = f" ({what})" if what else ""
        rest = f", {left} left" if left else ""
        each = " each" if len(units) > 1 else ""
        parts.append(f"{who}{points} MP{each}{for_what}{rest}")
    return "; ".join(parts)


def _kind(march: March) -> str:
    kinds = {
        "admin": "administrative movement",
        "minimum": "the one guaranteed hex",
        "carried": "carried",
        "rail": "",
        "normal": "",
    }
    words = kinds.get(march.means, "")
    return f"; {words}" if words else ""


def _facing_words(scene: Scene, march: March) -> str:
    """Whom the units stand against now; said once for each hex they came to."""
    if not march.facing or (march.end, *march.facing) in scene.faced:
        return ""
    scene.faced.add((march.end, *march.facing))
    shown = joined([hex_words(scene.board, h) for h in march.facing])
    enemy = side_word(ENEMY[scene.state.world.units[march.units[0]].side])
    start = choose(("Now face to face with", "In contact with", "Up against"), *march.units, "face")
    return f" {start} the {enemy} units in {shown}."


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
    entries: list[Column | Item] = []
    _add_move(scene, event, entries, [])
    marches = [march for entry in entries if isinstance(entry, Column) for march in entry.marches]
    return item(*(words for march in marches for words in _march_words(scene, march)))


ITEMS: dict[str, Telling] = {"move": _move_item, "halt": _halt_item}
