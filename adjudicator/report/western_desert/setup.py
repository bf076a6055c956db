"""The report of the set-up: order of battle by sector, control, air units with their disarray dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, Table, bullets, item, para, strong
from adjudicator.report.western_desert.names import air_name, counter_name, has, hex_list, people, the
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, of_kind, rule
from adjudicator.report.western_desert.situation import air_rows, situation_blocks
from adjudicator.report.words import capital, chance, counted, faces_words, figure, joined, number_word
from adjudicator.western_desert.setup import DISARRAY_FROM, LISTED, is_free
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.events import NOT_HELD
from adjudicator.western_desert.theatre.holding import RULE as GAINED
from adjudicator.western_desert.world import text

INOPERATIVE = range(DISARRAY_FROM, 7)


def setup_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Tell the set-up. The scene stands after these events when it returns."""
    notes = [scene.tell(event) for event in events if event.kind == "void"]
    for event in events:
        scene.apply(event)
    state = scene.state
    blocks: list[Block] = [para(_opening_words(state, events)), *bullets(notes), *bullets(_side_items(state))]
    blocks += situation_blocks(scene, everything=True)
    blocks += _control_blocks(scene, of_kind(events, "control"))
    blocks += _box_blocks(scene)
    return blocks + _air_blocks(scene, of_kind(events, "disarray"))


def _opening_words(state: State, events: Sequence[Event]) -> str:
    """What the scenario is about, and that nobody has moved; with free set-up, who has set up and who is next."""
    titles = [get(event, "title") for event in of_kind(events, "setup")]
    if is_free(state.world):
        return _deployed_words(state, titles)
    about = text(state.world.scenario, "about")
    name = f"{titles[0] if titles else 'The scenario'} is on the map (WD 30)."
    return " ".join(part for part in (about, name, "Nobody has moved yet.") if part)


def _deployed_words(state: State, titles: Sequence[str]) -> str:
    if titles:
        about = text(state.world.scenario, "about")
        return f"{about} The players set up {titles[0]} by themselves, the Axis player first (WD 30)."
    who = people(state.player)
    return f"{capital(who)} {has(state.player)} set up (WD 30): what no order placed stands where it is listed."


def _side_items(state: State) -> list[Item]:
    found = []
    for side in ("allied", "axis", "vichy"):
        units = [state.unit(uid) for uid in state.side_units(side)]
        if not units:
            continue
        divisions = sum(unit.division for unit in units)
        size = sum(unit.re2 for unit in units)
        counters = [c for c in state.supply.values() if c.side == side]
        air = sum(str(state.world.air.get(aid, {}).get("side", "")) == side for aid in state.air)
        parts = [
            f"{counted(len(units), 'ground unit')} of {figure(Fraction(size, 2))} REs",
            f"{counted(divisions, 'division')} among them" if divisions else "",
            counted(air, "air unit") if air else "",
            f"{counted(len(counters), 'supply counter')} with {counted(sum(c.steps for c in counters), 'step')}"
            if counters
            else "",
        ]
        found.append(item(f"{capital(people(side))}: {joined([part for part in parts if part])}."))
    return found


def _box_blocks(scene: Scene) -> list[Block]:
    """Who is off the map, box by box; the parts of assembled divisions by their division."""
    state = scene.state
    boxes: dict[str, list[str]] = {}
    for uid, boxed in sorted(state.boxes.items()):
        box = f"assembled in {the(state, boxed.of)}" if boxed.of in state.world.units else boxed.box.replace("_", " ")
        boxes.setdefault(box, []).append(_boxed_name(state, uid))
    if not boxes:
        return []
    entries = [item(f"{capital(box)}: {joined(names)}.") for box, names in sorted(boxes.items())]
    return [Heading(2, "Off the map"), *bullets(entries)]


def _boxed_name(state: State, uid: str) -> str:
    """The name of a ground or air unit."""
    return air_name(state, uid) if uid in state.world.air else the(state, uid)


def _control_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Hexes that are another's than the map prints: listed by the scenario, or beyond the frontiers (WD 30)."""
    if not events:
        return []
    listed = text(scene.state.world.scenario, "control_rule") == LISTED
    entries = []
    for event in events:
        side, found = get(event, "side"), items(event, "hexes")
        hexes = hex_list(scene.board, [scene.board.find(text) for text in found])
        hold = "hold" if side == "allied" else "holds"
        words = f"{capital(people(side))} {hold if listed else f'{has(side)} crossed the frontier and {hold}'} "
        entries.append(item(words, counted(len(found), "hex", "hexes"), f": {hexes}", rule(event.rule), "."))
    title = "Control that differs from the map" if listed else "Control beyond the frontiers"
    return [Heading(2, title), *bullets(entries)]


def _air_blocks(scene: Scene, disarray: Sequence[Event]) -> list[Block]:
    state = scene.state
    if not state.air:
        return []
    dice = {get(event, "air"): get(event, "die") for event in disarray}
    head = ("Side", "Air unit", "Type", "Base", "Die", "State")
    blocks: list[Block] = [Heading(2, "Air units" + (" and Italian disarray" if dice else ""))]
    if dice:
        out = sum(get(event, "state") == "inoperative" for event in disarray)
        opening = scene.chapter.opening
        blocks.append(
            para(
                f"A die for each Italian air unit in Libya (WD 28.A.3): {faces_words(INOPERATIVE)} puts it out of "
                f"action, {chance(INOPERATIVE)}. Of {number_word(len(dice))} units {number_word(out)} "
                f"{'is' if out == 1 else 'are'} inoperative, where {_expected(len(dice))} could be expected. "
                f"Opened by {people(opening.side)}, link {opening.link}; the labels stand at the end."
            )
        )
    return [*blocks, Table(head, tuple(air_rows(state, dice)))]


def _expected(count: int) -> str:
    mean = Fraction(count * len(INOPERATIVE), 6)
    return number_word(int(mean)) if mean.denominator == 1 else figure(mean)


def setup_headline(scenario: str, player: str = "") -> str:
    """The headline of genesis, or of the set-up of a player."""
    return f"{scenario}: the set-up{f' of {people(player)}' if player else ''}"


# --- one event by itself ----------------------------------------------------------------------------------------


def _setup_item(scene: Scene, event: Event) -> Item:
    return item(f"{get(event, 'title')} is set up", rule(event.rule), ".")


def _deploy_item(scene: Scene, event: Event) -> Item:
    """A unit, air unit or supply counter that is put on the map."""
    state, at = scene.state, scene.place(scene.find(get(event, "hex")))
    if get(event, "unit"):
        cadre = " as a cadre" if get(event, "step") == "cadre" else ""
        return item(f"{capital(the(state, get(event, 'unit')))} is placed in {at}{cadre}", rule(event.rule), ".")
    if get(event, "air"):
        inoperative = ", inoperative" if get(event, "state") == "inoperative" else ""
        return item(f"{air_name(state, get(event, 'air'))} is based in {at}{inoperative}", rule(event.rule), ".")
    steps = counted(int(get(event, "steps", "0")), "step")
    return item(f"{counter_name(state, get(event, 'counter'))} with {steps} is placed in {at}", rule(event.rule), ".")


def _works_item(scene: Scene, event: Event) -> Item:
    """A fortress or fort."""
    at, kind = scene.place(scene.find(get(event, "hex"))), get(event, "state")
    owner = f" of {people(get(event, 'side'))}" if get(event, "side") else ""
    what = " ".join(part for part in (kind, get(event, "what")) if part)
    return item(f"{capital(what)}{owner} in {at}", rule(event.rule), ".")


def _box_item(scene: Scene, event: Event) -> Item:
    """A unit in a box off the map."""
    state, uid = scene.state, get(event, "unit")
    name = _boxed_name(state, uid)
    of = f" of {the(state, get(event, 'of'))}" if get(event, "of") in state.world.units else ""
    return item(f"{capital(name)} lies off the map: {get(event, 'box').replace('_', ' ')}{of}", rule(event.rule), ".")


def _levant_item(scene: Scene, event: Event) -> Item:
    """The Levant has been conquered before the scenario begins; or the Allies gain or lose control of it."""
    if event.rule == GAINED:
        verb = "lose" if get(event, "gained") == NOT_HELD else "gain"
        return item(strong(f"The Allies {verb} control of the Levant"), rule(event.rule), ".")
    return item("Lebanon and Syria are conquered: both sides may enter them", rule(event.rule), ".")


def _disarray_item(scene: Scene, event: Event) -> Item:
    """The die of one air unit."""
    name, state = air_name(scene.state, get(event, "air")), get(event, "state")
    needed = f"; {faces_words(INOPERATIVE)} puts it out of action, {chance(INOPERATIVE)}: "
    return item(f"{name}: ", *scene.die(event), needed, strong(state), rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "setup": _setup_item,
    "deploy": _deploy_item,
    "deploy-air": _deploy_item,
    "deploy-supply": _deploy_item,
    "deploy-works": _works_item,
    "deploy-box": _box_item,
    "levant": _levant_item,
    "disarray": _disarray_item,
}
