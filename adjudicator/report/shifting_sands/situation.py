"""Where both sides stand after the message, area by area, and what the boxes hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.report.document import Block, Heading, Item, Table, bullets, item, para, strong
from adjudicator.report.shifting_sands.names import SIDES, people, side_word, space_words, verb
from adjudicator.report.shifting_sands.scene import Scene
from adjudicator.report.words import capital, joined
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, RESERVE
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import LIMITED, OUT, status
from adjudicator.shifting_sands.words import figures, grouped_names, ranked, unit_name


def situation_blocks(scene: Scene, everything: bool = False) -> list[Block]:
    """Who stands where: in full where something happened, by numbers in the areas that were quiet."""
    by_area = _by_area(scene)
    touched = {scene.state.world.spaces[name].area for name in scene.touched}
    loud = [area for area in by_area if everything or area in touched]
    quiet = {area: held for area, held in by_area.items() if area not in loud}
    title = "Order of battle" if everything else "Where things stand"
    blocks: list[Block] = [Heading(2, title), *bullets([_area_item(scene, area, by_area[area]) for area in loud])]
    if quiet:
        blocks.append(para(_quiet_words(scene.state, quiet)))
    return [*blocks, para(_points_words(scene.state))]


def _by_area(scene: Scene) -> dict[str, list[str]]:
    """Spaces with units, or that were fought for or changed hands, by area of the map, both in the order of the map."""
    found: dict[str, list[str]] = {}
    for name, space in scene.state.world.spaces.items():
        if scene.state.units_in(name) or name in scene.notable:
            found.setdefault(space.area, []).append(name)
    return found


def _area_item(scene: Scene, area: str, held: Sequence[str]) -> Item:
    return item(strong(area), below=[_space_item(scene.state, name) for name in held])


def _space_item(state: State, name: str) -> Item:
    parts = [_stack_words(state, name, side) for side in SIDES if state.friends(name, side)]
    owner = state.owner(name)
    foreign = f", {side_word(owner)}-controlled" if owner and not state.friends(name, owner) else ""
    return item(f"{space_words(state, name)}{foreign}: {'; '.join(parts) or 'nobody'}")


def _stack_words(state: State, name: str, side: str) -> str:
    """``Axis: Italian 62nd and 63rd Divisions 2-2-3, limited supply``."""
    units = ranked(state, state.friends(name, side))
    shown: dict[tuple[str, bool], list[str]] = {}
    for uid in units:
        shown.setdefault((figures(state, uid), state.pieces[uid].reduced), []).append(uid)
    parts = [
        f"{', '.join(grouped_names(state, ids))} {factors}{' (reduced)' if reduced else ''}"
        for (factors, reduced), ids in shown.items()
    ]
    return f"{side_word(side)}: {', '.join(parts)}{_marks(state, units)}"


def _marks(state: State, units: Sequence[str]) -> str:
    """Supply that is not full, and neutrals that wait; of all units or of some by name."""
    idle = [uid for uid in units if not state.active_unit(uid)]
    if idle:
        return ", not released"
    found = []
    for kind, words in ((LIMITED, "limited supply"), (OUT, "out of supply")):
        some = [uid for uid in units if status(state, uid) == kind]
        if some:
            whose = "" if len(some) == len(units) else f" {joined([unit_name(state, uid) for uid in some])}"
            found.append(f"{words}{whose}")
    return f", {'; '.join(found)}" if found else ""


def _quiet_words(state: State, quiet: dict[str, list[str]]) -> str:
    parts = []
    for area, held in quiet.items():
        units = [uid for name in held for uid in state.units_in(name)]
        counts = [(side, sum(state.counter(uid).side == side for uid in units)) for side in SIDES]
        shown = [f"{number} {side_word(side)}" for side, number in counts if number]
        parts.append(f"{area} ({joined(shown)})")
    return f"All quiet, with units by number: {joined(parts)}."


def _points_words(state: State) -> str:
    """The points, and who has how many of the spaces that bring them."""
    spaces = [name for name, space in state.world.spaces.items() if space.vp]
    held = [f"{people(side)} {sum(state.owner(name) == side for name in spaces)}" for side in SIDES]
    return f"Victory points: {state.vp}; of the {len(spaces)} spaces that bring one, {joined(held)}."


# --- boxes ------------------------------------------------------------------------------------------------------


def boxes_blocks(scene: Scene, lost_now: Iterable[str], reduced_now: Iterable[str]) -> list[Block]:
    """What this message cost, and what the boxes hold."""
    lost, cut = set(lost_now), set(reduced_now)
    rows = [_row(scene.state, side, lost, cut) for side in SIDES]
    head = ("Side", "Lost now", "Reduced now", "Reserve box", "Replacement box", "Lost for good", "Cards in hand")
    blocks: list[Block] = [Heading(2, "Losses and boxes"), Table(head, tuple(rows), (1, 2, 3, 4, 5, 6))]
    return blocks + bullets([told for side in SIDES for told in _lost_items(scene.state, side)])


def _row(state: State, side: str, lost: set[str], cut: set[str]) -> tuple[str, ...]:
    boxes = [str(len(state.in_box(box, side))) for box in (RESERVE, REPLACEMENT, ELIMINATED)]
    return (
        capital(people(side)),
        str(sum(state.counter(uid).side == side for uid in lost)),
        str(sum(state.counter(uid).side == side for uid in cut - lost)),
        *boxes,
        str(len(state.hands.get(side, []))),
    )


def _lost_items(state: State, side: str) -> list[Item]:
    found = []
    for box, words in ((REPLACEMENT, "may rebuild"), (ELIMINATED, f"{verb(side, 'has', 'have')} lost for good")):
        units = state.in_box(box, side)
        if units:
            found.append(item(f"{capital(people(side))} {words}: {', '.join(grouped_names(state, units))}."))
    return found
