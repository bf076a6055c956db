"""Movement in words: who marched where, with how many movement factors, and whom they face now (SS 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Item, bullets, item, para
from adjudicator.report.fields import get, items, rule
from adjudicator.report.shifting_sands.ground import KINDS, Ground
from adjudicator.report.shifting_sands.names import bare_list, list_units, side_word
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, choose, counted, joined, third
from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.nations import ENEMY

DRIVE = ("drive", "roll", "motor")
MARCH = ("march", "move", "trek")


@dataclass
class March:
    """Units that went one way together, with the factors each has left."""

    path: tuple[str, ...]
    rule: str
    joined: bool
    units: list[str] = field(default_factory=list)
    left: dict[str, list[str]] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Another unit on the same way."""
        uid = get(event, "unit")
        self.units.append(uid)
        self.left.setdefault(get(event, "left", "0"), []).append(uid)


def movement_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Tell the movement; the scene stands after it when this returns."""
    ground, marches, others = Ground(), list[March](), list[Item]()
    for event in events:
        if event.kind == "move":
            _add(marches, event)
            scene.touch(*items(event, "path"))
        elif event.kind in KINDS:
            ground.note(scene, event)
        else:
            others.append(scene.tell(event))
        scene.apply(event)
    told = [_march_item(scene, march) for march in marches]
    return [para(_lead(marches)), *bullets([*told, *others, *ground.items(scene)])]


def _add(marches: list[March], event: Event) -> None:
    """To the march of those that went the same way, which need not be the last one."""
    way = (tuple(items(event, "path")), event.rule, get(event, "joined") == "yes")
    march = next((m for m in marches if (m.path, m.rule, m.joined) == way), None)
    if march is None:
        march = March(*way)
        marches.append(march)
    march.add(event)


def _lead(marches: Sequence[March]) -> str:
    units = sum(len(march.units) for march in marches)
    starts = len({march.path[0] for march in marches})
    longest = max(marches, key=lambda march: len(march.path), default=None)
    if longest is None:
        return "Nobody moves."
    steps = len(longest.path) - 1
    far = f"; the longest way, {counted(steps, 'space')}, ends in {longest.path[-1]}" if steps > 1 else ""
    verb = "moves" if units == 1 else "move"
    return f"{capital(counted(units, 'unit'))} {verb} from {counted(starts, 'space')}{far}."


def _march_item(scene: Scene, march: March) -> Item:
    state, path = scene.state, march.path
    by = f" by {joined(list(path[1:-1]))}" if len(path) > 2 else ""
    words = f"{capital(list_units(state, march.units))} {_verb(scene, march)} from {path[0]}{by} to {path[-1]}"
    told = [words, f": {_cost_words(scene, march)}", rule(march.rule), "."]
    if march.joined:
        told.append(
            " They join the attack that is marked there (SS 9.16)."
            if len(march.units) > 1
            else " It joins the attack that is marked there (SS 9.16)."
        )
    return item(*told, _facing_words(scene, march))


def _verb(scene: Scene, march: March) -> str:
    armor = all(scene.state.counter(uid).armor for uid in march.units)
    chosen = choose(DRIVE if armor else MARCH, *march.units, march.path[-1])
    return chosen if len(march.units) > 1 else third(chosen)


def _cost_words(scene: Scene, march: March) -> str:
    """``2 of 3 movement factors``; units with other factors by themselves."""
    used = len(march.path) - 1
    if len(march.left) == 1:
        left = int(next(iter(march.left)))
        return f"{used} of {used + left} movement factors"
    parts = [f"{used} of {used + int(left)} for {bare_list(scene.state, ids)}" for left, ids in march.left.items()]
    return f"{joined(parts)} movement factors"


def _facing_words(scene: Scene, march: March) -> str:
    """Which enemy spaces lie beside the end of the march."""
    state, side = scene.state, scene.state.counter(march.units[0]).side
    near = [name for name in state.world.neighbours(march.path[-1]) if hostile(state, name, side)]
    if not near:
        return ""
    start = choose(("Now face to face with", "In contact with", "Up against"), *march.units, "face")
    return f" {start} the {side_word(ENEMY[side])} units in {joined(near)}."


def _move_item(scene: Scene, event: Event) -> Item:
    """One move by itself."""
    marches: list[March] = []
    _add(marches, event)
    return _march_item(scene, marches[0])


def _thrown_back_item(scene: Scene, event: Event) -> Item:
    """The LRDG has to leave Libya."""
    uid, to = get(event, "unit"), get(event, "to")
    scene.touch(get(event, "from"), to)
    return item(f"{capital(list_units(scene.state, [uid]))} is thrown back to {to}", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {"move": _move_item, "thrown-back": _thrown_back_item}
