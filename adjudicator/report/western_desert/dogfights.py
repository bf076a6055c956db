"""Air combat, antiaircraft, bombs and drops in words: each exchange with its differential, dice and result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, Words, code, item, strong
from adjudicator.report.western_desert.flights import air_words, chosen
from adjudicator.report.western_desert.names import list_units, people
from adjudicator.report.western_desert.scene import Scene, Telling, get, items, records, rule, word
from adjudicator.report.words import capital, counted, figure, joined, signed
from adjudicator.western_desert.air.book import flight_of
from adjudicator.western_desert.air.craft import AIR_UNITS, CANAL
from adjudicator.western_desert.air.words import FATE_WORDS

SPLIT_DEFAULT = "one interceptor for each escort, the others pass"
JETTISON_DEFAULT = "where interceptors outnumber the escorts, but never for planned ground support"
PAIRS_DEFAULT = "the best chance first"
STAGES = {
    "engage": "At the screen of escorts",
    "join": "Further escorts join the fight at the screen",
    "chase": "Escorts that nobody holds go for those who pass",
    "strike": "Those who got through attack the mission force",
}
STEPS = {"screen": "at the screen", "bypass": "on the way past the screen", "mission": "in the mission force"}
IGNORED = "ignored"
TARGETS = {
    "bomb_port": "the port",
    "bomb_port_tactical": "the port",
    "bomb_canal": "the Suez Canal",
    "bomb_airbase": "the airbase",
    "bomb_air": "the air units",
    "bomb_rail": "the railroad",
    "aa_suppress": "the antiaircraft",
}


def battle_words(scene: Scene, event: Event) -> str:
    """Who meets whom over a hex."""
    groups = {key: items(event, key) for key in ("interceptors", "screen", "force")}
    attackers = air_words(scene, groups["interceptors"])
    meet = "meet" if len(groups["interceptors"]) > 1 else "meets"
    force, screen = (air_words(scene, groups[key]) for key in ("force", "screen"))
    if not force:
        return f"{attackers} {meet} {screen}, escorts with nobody to protect"
    guard = f", escorted by {screen}" if screen else ", which nobody escorts"
    return f"{attackers} {meet} {force}{guard}"


def _combat_item(scene: Scene, event: Event) -> Item:
    at = scene.place(scene.find(get(event, "hex")))
    night = " by night" if get(event, "night") else ""
    return item(f"Air battle{night} over {at}: {battle_words(scene, event)}", rule(event.rule), ".")


def _jettisoned_item(scene: Scene, event: Event) -> Item:
    units = items(event, "air")
    many = len(units) > 1
    what = "drop their bombs and join" if many else "drops its bombs and joins"
    return item(f"{air_words(scene, units)} {what} the escorts", chosen(event, JETTISON_DEFAULT), rule(event.rule), ".")


def _split_item(scene: Scene, event: Event) -> Item:
    screen, bypass = (items(event, key) for key in ("screen", "bypass"))
    parts = [f"{air_words(scene, screen)} {'attack' if len(screen) > 1 else 'attacks'} the escorts"] if screen else []
    parts += [f"{air_words(scene, bypass)} {'try' if len(bypass) > 1 else 'tries'} to pass them"] if bypass else []
    return item(capital(joined(parts)), chosen(event, SPLIT_DEFAULT), rule(event.rule), ".")


def _engaged_item(scene: Scene, event: Event) -> Item:
    by_target: dict[str, list[str]] = {}
    for row in records(event, "pairs"):
        by_target.setdefault(word(row, "at"), []).append(word(row, "air"))
    pairs = [f"{air_words(scene, ids)} against {air_words(scene, [target])}" for target, ids in by_target.items()]
    stage = STAGES.get(get(event, "topic"), get(event, "topic"))
    return item(f"{stage}: {'; '.join(pairs)}", chosen(event, PAIRS_DEFAULT), rule(event.rule), ".")


# --- fire -------------------------------------------------------------------------------------------------------


def exchange_items(scene: Scene, shots: Sequence[Event]) -> list[Item]:
    """Shots one after the other, those of two at each other together. Applies the events."""
    groups: list[list[Event]] = []
    for event in shots:
        scene.apply(event)
        same = groups and {get(groups[-1][0], "air"), get(groups[-1][0], "target")} == {
            get(event, "air"),
            get(event, "target"),
        }
        if same and len(groups[-1]) < 2:
            groups[-1].append(event)
        else:
            groups.append([event])
    return [_exchange_item(scene, group) for group in groups]


def _exchange_item(scene: Scene, shots: Sequence[Event]) -> Item:
    first = shots[0]
    if len(shots) == 1:
        return _shot_item(scene, first)
    one, other = (air_words(scene, [get(first, key)]) for key in ("air", "target"))
    step = STEPS.get(get(first, "step"), "")
    below = [item(*_shot_words(scene, shot)) for shot in shots]
    return item(f"{one} and {other} exchange fire {step}:", below=below)


def _shot_item(scene: Scene, event: Event) -> Item:
    """A shot that nobody answers."""
    return item(*_shot_words(scene, event, f" {STEPS.get(get(event, 'step'), '')}"))


def _shot_words(scene: Scene, event: Event, step: str = "") -> list[Words]:
    firer, target = (air_words(scene, [get(event, key)]) for key in ("air", "target"))
    differential = int(get(event, "differential", "0"))
    start = f"{firer} at {target}{step}: {_strengths(scene, event, differential)}differential {signed(differential)}, "
    return [start, *_rolled(event), ": ", strong(_fate(event)), rule(event.rule), "."]


def _strengths(scene: Scene, event: Event, differential: int) -> str:
    """``5 against 6, ``: the air attack of the one as it flies, the air defense of the other."""
    unit = scene.state.air.get(get(event, "air"))
    if unit is None or unit.sortie is None:
        return ""
    attack = flight_of(scene.state, get(event, "air")).attack
    return f"{attack} against {attack - differential}, "


def _fate(event: Event) -> str:
    return FATE_WORDS.get(get(event, "fate"), get(event, "fate"))


def _rolled(event: Event) -> list[Words]:
    """The dice with their sum and what it is read as. Who opened them stands once above the report: there are many."""
    roll, change, used = get(event, "roll"), int(get(event, "modifier", "0")), get(event, "used")
    shift = f" {'+' if change > 0 else '-'} {abs(change)} = {used}" if change else ""
    return [f"dice {joined(items(event, 'dice'))} make {roll}{shift}, label ", code(get(event, "label"))]


def aa_item(scene: Scene, event: Event) -> Item:
    """Antiaircraft fire at one air unit."""
    side, at = get(event, "side"), scene.place(scene.find(get(event, "hex")))
    strength, column = figure(Fraction(get(event, "strength", "0"))), get(event, "column")
    support = " that attacks" if get(event, "when") == "aa-support" else ""
    start = f"Antiaircraft of {people(side)}{support} fires over {at} at {air_words(scene, [get(event, 'air')])}: "
    reckoned = f"strength {strength}, column {column}, "
    return item(start, reckoned, *_rolled(event), ": ", strong(_fate(event)), rule(event.rule), ".")


def hit_items(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """What befell air units one after the other, those with the same fate in one sentence. Applies the events."""
    told = []
    for _key, run in groupby(events, key=lambda event: (get(event, "fate"), get(event, "hex"), event.rule)):
        group = list(run)
        told.append(_hits_item(scene, group))
        for event in group:
            scene.apply(event)
    return told


def _hit_item(scene: Scene, event: Event) -> Item:
    """What befell an air unit by itself."""
    return _hits_item(scene, [event])


def _hits_item(scene: Scene, events: Sequence[Event]) -> Item:
    """Air units with the same fate, each with the glider on its tow."""
    event = events[0]
    units = [aid for one in events for aid in (get(one, "air"), get(one, "tow")) if aid]
    verb, flies = ("are", "fly") if len(units) > 1 else ("is", "flies")
    at = scene.place(scene.find(get(event, "hex")))
    means = {"turned_back": f" and {flies} home", "aborted": f" and {flies} home, to land inoperative"}
    start = f"{air_words(scene, units)} {verb} "
    return item(start, strong(_fate(event)), f" over {at}{means.get(get(event, 'fate'), '')}", rule(event.rule), ".")


# --- bombs ------------------------------------------------------------------------------------------------------


def _bombing_item(scene: Scene, event: Event) -> Item:
    units, mission = items(event, "with"), get(event, "mission")
    at = scene.place(scene.find(get(event, "hex")))
    verb = "bomb" if len(units) > 1 else "bombs"
    strength, column = figure(Fraction(get(event, "strength", "0"))), get(event, "column")
    of = "at" if mission in (AIR_UNITS, CANAL) else "of"
    start = f"{air_words(scene, units)} {verb} {TARGETS.get(mission, mission)} {of} {at}: strength {strength}, "
    if not get(event, "die"):
        return item(start, "too little to hit anything", rule(event.rule), ".")
    hit = get(event, "result") == "H"
    dice: list[Words] = [f"column {column}, ", *scene.die(event), *_changes(event), ": "]
    idle = ", which changes nothing" if get(event, "effect") == IGNORED else ""
    return item(start, *dice, strong("a hit" if hit else "a miss"), idle, rule(event.rule), ".")


def _changes(event: Event) -> list[Words]:
    """The modifiers of a die, and what it is read as with them."""
    found: list[Words] = []
    for row in records(event, "modifiers"):
        found += [f", {signed(int(word(row, 'die', '0')))} {word(row, 'what')}", rule(word(row, "rule"))]
    return [*found, f" = {get(event, 'used')}"] if found else []


def _air_bombed_item(scene: Scene, event: Event) -> Item:
    aid, fate = get(event, "air"), get(event, "fate")
    at = scene.place(scene.find(get(event, "hex")))
    picked: tuple[Words, ...] = (", picked by ", *scene.die(event)) if get(event, "die") else ()
    start = f"The bombs at {at} fall on {air_words(scene, [aid])}"
    return item(start, *picked, ": it is ", strong(FATE_WORDS.get(fate, fate)), rule(event.rule), ".")


def _canal_item(scene: Scene, event: Event) -> Item:
    hits = int(get(event, "hits", "1"))
    at = scene.place(scene.find(get(event, "hex")))
    return item(strong(f"The Suez Canal is hit at {at}"), f": {counted(hits, 'hit')}", rule(event.rule), ".")


def _harassment_item(scene: Scene, event: Event) -> Item:
    units, points = items(event, "with"), figure(Fraction(get(event, "points", "0")))
    at = scene.place(scene.find(get(event, "hex")))
    verb = "harass" if len(units) > 1 else "harasses"
    who = f"{air_words(scene, units)} {verb} {at}" if units else f"{at} is harassed"
    weigh = f": {points} point{'' if points == '1' else 's'} weigh on whoever leaves it in the player turn that follows"
    return item(strong(who), weigh, rule(event.rule), ".")


# --- cargo ------------------------------------------------------------------------------------------------------


def _unloaded_item(scene: Scene, event: Event) -> Item:
    units = items(event, "units")
    at = scene.place(scene.find(get(event, "hex")))
    verb = "come" if len(units) > 1 else "comes"
    by = f" by {air_words(scene, items(event, 'air'))}" if items(event, "air") else ""
    start = f"{capital(list_units(scene.state, units))} {verb} down at {at}{by}"
    return item(strong(start), rule(event.rule), ".")


def _dropped_item(scene: Scene, event: Event) -> Item:
    at = scene.place(scene.find(get(event, "hex")))
    by = f" from {air_words(scene, items(event, 'air'))}" if items(event, "air") else ""
    start = f"{capital(list_units(scene.state, [get(event, 'unit')]))} drops on {at}{by}"
    if not get(event, "die"):
        return item(strong(start), rule(event.rule), ".")
    outcome = "disrupted" if get(event, "disrupted") else "not disrupted"
    return item(start, ": ", *scene.die(event), *_changes(event), ": ", strong(outcome), rule(event.rule), ".")


def _cargo_back_item(scene: Scene, event: Event) -> Item:
    units = items(event, "units")
    at = scene.place(scene.find(get(event, "hex")))
    verb = "stay" if len(units) > 1 else "stays"
    crew = items(event, "air")
    came = f"{air_words(scene, crew)} did not get through" if crew else ""
    said = get(event, "why") or came
    why = f": {said}" if said else ""
    return item(f"{capital(list_units(scene.state, units))} {verb} at {at}{why}", rule(event.rule), ".")


def _glider_item(scene: Scene, event: Event) -> Item:
    at = f" at {scene.place(scene.find(get(event, 'hex')))}" if get(event, "hex") else ""
    return item(f"{air_words(scene, [get(event, 'air')])} has done its work{at} and is removed", rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "air-combat": _combat_item,
    "jettisoned": _jettisoned_item,
    "split": _split_item,
    "engaged": _engaged_item,
    "air-shot": _shot_item,
    "aa-fire": aa_item,
    "air-hit": _hit_item,
    "bombing": _bombing_item,
    "air-bombed": _air_bombed_item,
    "canal-hit": _canal_item,
    "harassment": _harassment_item,
    "unloaded": _unloaded_item,
    "dropped": _dropped_item,
    "cargo-back": _cargo_back_item,
    "glider-expended": _glider_item,
}
