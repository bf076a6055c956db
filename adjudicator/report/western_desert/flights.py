"""Flights, the patrols that meet them, the reaction of the other side, and the landings, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, item, strong
from adjudicator.report.western_desert.control import Ground
from adjudicator.report.western_desert.names import hex_words, list_units, people, side_word
from adjudicator.report.western_desert.scene import Scene, Telling, by_choice, get, items, rule
from adjudicator.report.words import capital, chance, counted, faces_words, joined
from adjudicator.western_desert.air.craft import TURNED_BACK
from adjudicator.western_desert.air.patrol import turns_back_on
from adjudicator.western_desert.air.raiding import raises_status
from adjudicator.western_desert.air.words import FATE_WORDS, MALTA_WORDS, air_names, mission_words

PATROL_DEFAULT = "the fighter with the best chance, where that is good enough"
INTERCEPT_DEFAULT = "the nearest fighters to where the most bombs are to fall"
SCRAMBLE_DEFAULT = "fighters that don't intercept, to the nearest base that nobody attacks"
LAND_DEFAULT = "the base it came from, else the nearest"
ESCAPE_DEFAULT = "try, to the nearest base that is safe"
INOPERATIVE = "inoperative"


def air_words(scene: Scene, ids: Sequence[str]) -> str:
    """Air units as a report names them: ``Blen 4 Nos. 1 and 2``."""
    return air_names(scene.state.world, ids)


def chosen(event: Event, default: str = "") -> str:
    """Who chose, in brackets; "" for an order."""
    said = by_choice(event, default)
    return f" ({said})" if said else ""


# --- take-offs --------------------------------------------------------------------------------------------------


@dataclass
class Wave:
    """Flights of one order on one way to one hex: ``start``, ``purpose`` and ``landing`` say where from, what for and
    where to. ``met`` is what befell them on the way."""

    first: Event
    start: str
    purpose: str
    landing: str
    air: list[str] = field(default_factory=list)
    tows: list[str] = field(default_factory=list)
    met: list[Item] = field(default_factory=list)

    def takes(self, event: Event) -> bool:
        """Whether a flight belongs to it."""
        return _way(self.first) == _way(event)


_SAME = ("order", "side", "base", "over", "mission", "night", "extended", "hits", "party")


def _way(event: Event) -> tuple[object, ...]:
    return (*(get(event, key) for key in _SAME), *items(event, "path"), "|", *items(event, "land"))


def wave_item(scene: Scene, wave: Wave) -> Item:
    """``From Matruh: Blen 4 Nos. 1 and 2 fly 9 hexes to bomb the port of Tobruk``, with what they met below."""
    event, many = wave.first, len(wave.air) > 1
    how = [word for key, word in (("night", "by night"), ("extended", "at extended range")) if get(event, key)]
    how += [f"with {air_words(scene, wave.tows)} on tow"] if wave.tows else []
    distance = int(get(event, "distance", "0"))
    verb = ("fly" if many else "flies") if distance else ("rise" if many else "rises")
    far = f" {counted(distance, 'hex', 'hexes')}" if distance else ""
    together = " together" if get(event, "party") and many else ""
    ways = "".join(f" {word}" for word in how)
    start = f"From {wave.start}: {air_words(scene, wave.air)} {verb}{far}{together}{ways} "
    return item(start, strong(wave.purpose), wave.landing, rule(event.rule), ".", below=wave.met)


def _purpose(scene: Scene, event: Event) -> str:
    cargo = list_units(scene.state, items(event, "cargo")) if items(event, "cargo") else ""
    over = scene.find(get(event, "over"))
    raises = raises_status(scene.state, over, get(event, "mission"), get(event, "hits"))
    return mission_words(get(event, "mission"), scene.place(over), cargo) + (MALTA_WORDS if raises else "")


def _landing(scene: Scene, event: Event) -> str:
    bases = [hex_words(scene.board, scene.find(text)) for text in items(event, "land")]
    return f", to land at {joined(bases, 'or')}" if bases else ""


def _flight_item(scene: Scene, event: Event) -> Item:
    """A flight by itself."""
    return wave_item(scene, wave_of(scene, event))


def _staged_item(scene: Scene, event: Event) -> Item:
    """An air unit that leaves the map for Europe, or comes from there."""
    units = [get(event, "air"), *([get(event, "tow")] if get(event, "tow") else [])]
    at = scene.place(scene.find(get(event, "hex")))
    way = f"from {at} to Europe" if get(event, "way") == "out" else f"from Europe to {at}"
    night = " by night" if get(event, "night") else ""
    verb = "fly" if len(units) > 1 else "flies"
    return item(f"{air_names(scene.state.world, units)} {verb} {way}{night}", rule(event.rule), ".")


def wave_of(scene: Scene, event: Event) -> Wave:
    """The wave that a flight begins."""
    start = scene.place(scene.find(get(event, "base")))
    wave = Wave(event, start, _purpose(scene, event), _landing(scene, event))
    join_wave(wave, event)
    return wave


def join_wave(wave: Wave, event: Event) -> None:
    """A further flight of a wave."""
    wave.air.append(get(event, "air"))
    wave.tows += [get(event, "tow")] if get(event, "tow") else []


def flights_lead(scene: Scene, events: Sequence[Event]) -> str:
    """``The Allies send up five air units to two hexes.``"""
    flown = [event for event in events if event.kind == "flight"]
    side = get(flown[0], "side")
    units, places = {get(event, "air") for event in flown}, {get(event, "over") for event in flown}
    sends = "send" if side == "allied" else "sends"
    where = f"to {counted(len(places), 'hex', 'hexes')}"
    return f"{capital(people(side))} {sends} up {counted(len(units), 'air unit')}, {where}."


# --- what meets them --------------------------------------------------------------------------------------------


def patrol_item(scene: Scene, event: Event) -> Item:
    """A patrol attack with its die."""
    fighter, target = (air_words(scene, [get(event, key)]) for key in ("fighter", "air"))
    base, at = (scene.place(scene.find(get(event, key))) for key in ("base", "hex"))
    attack, defense = get(event, "attack"), get(event, "defense")
    hits = turns_back_on(scene.state.world, int(attack), int(defense))
    start = f"Over {at} {fighter}, on patrol from {base}, attacks {target}, {attack} against {defense}: "
    needed = f"; {faces_words(hits)} was needed, {chance(hits)}: "
    outcome = strong("turned back" if get(event, "result") == TURNED_BACK else "it flies on")
    return item(start, *scene.die(event), needed, outcome, chosen(event, PATROL_DEFAULT), rule(event.rule), ".")


def _air_step_item(scene: Scene, event: Event) -> Item:
    other = "allied" if scene.state.player == "axis" else "axis"
    return item(f"All flights are in the air; the reaction of {people(other)} follows", rule(event.rule), ".")


def _reacts_item(scene: Scene, event: Event) -> Item:
    """What standing orders or the default made of the reaction."""
    side, topic, units = get(event, "side"), get(event, "topic"), items(event, "with")
    at = f" {scene.place(scene.find(get(event, 'hex')))}" if get(event, "hex") else ""
    default = INTERCEPT_DEFAULT if topic == "intercept" else SCRAMBLE_DEFAULT
    who = capital(people(side))
    if topic == "intercept":
        sends = "send" if side == "allied" else "sends"
        over = f" over{at}" if at else ""
        what = f"{who} {sends} up {air_words(scene, units) if units else 'nobody'} to intercept{over}"
    else:
        lets = "let" if side == "allied" else "lets"
        to = f" to{at}" if at else ""
        what = f"{who} {lets} {air_words(scene, units) if units else 'nobody'} scramble{to}"
    return item(what, chosen(event, default), rule(event.rule), ".")


# --- landings ---------------------------------------------------------------------------------------------------


def landing_items(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Item]:
    """Landings one after the other: what is worth telling by itself, all others in one entry. Applies the events."""
    told: list[Item] = []
    quiet: dict[str, list[str]] = {}
    address = ""
    for alike, run in groupby(events, key=lambda event: _alike(scene, event)):
        group = list(run)
        if group[0].kind == "air-landed" and not _notable(scene, group[0]):
            quiet.setdefault(get(group[0], "base"), []).extend(get(event, "air") for event in group)
            address = address or group[0].rule
        elif group[0].kind == "control":
            ground.note(scene, group[0])
        else:
            told.append(_landings_item(scene, group) if alike[0] == "air-landed" else scene.tell(group[0]))
        for event in group:
            scene.apply(event)
    homes = [f"{air_words(scene, ids)} at {scene.place(scene.find(base))}" for base, ids in quiet.items()]
    rest = [item(f"{'The others land' if told else 'All land'} safely: {'; '.join(homes)}", rule(address), ".")]
    return [*told, *(rest if homes else [])]


def _alike(scene: Scene, event: Event) -> tuple[object, ...]:
    """What landings have in common that are told in one sentence; every other event stands by itself."""
    if event.kind != "air-landed" or get(event, "die"):
        return event.kind, id(event)
    fields = (get(event, key) for key in ("base", "state", "side", "choice", "clause"))
    return event.kind, _fate(scene, event), _glider(scene, event), _notable(scene, event), event.rule, *fields


def _fate(scene: Scene, event: Event) -> str:
    """What befell an air unit in the air; "" for nothing."""
    unit = scene.state.air.get(get(event, "air"))
    return unit.sortie.fate if unit and unit.sortie else ""


def _glider(scene: Scene, event: Event) -> str:
    unit = scene.state.air.get(get(event, "air"))
    return unit.sortie.tow if unit and unit.sortie else ""


def _away(scene: Scene, event: Event) -> bool:
    """Whether an air unit lands at another base than it took off from, and flew to another place than that."""
    unit = scene.state.air.get(get(event, "air"))
    home = scene.board.name(unit.hex) if unit else ""
    return get(event, "base") not in (home, get(event, "from"))


def _notable(scene: Scene, event: Event) -> bool:
    """Whether a landing is worth a sentence: with a die, newly inoperative, or away from home."""
    unit = scene.state.air.get(get(event, "air"))
    hurt = get(event, "state") == INOPERATIVE and (unit is None or unit.operative)
    return hurt or _away(scene, event) or bool(get(event, "die"))


def _landed_item(scene: Scene, event: Event) -> Item:
    """A landing by itself."""
    return _landings_item(scene, [event])


def _landings_item(scene: Scene, events: Sequence[Event]) -> Item:
    """Landings that are alike."""
    event, ids = events[0], [get(event, "air") for event in events]
    many = len(ids) > 1
    fate, tow = _fate(scene, event), _glider(scene, event)
    was = f", {FATE_WORDS[fate]}," if fate else ""
    glider = f" with {air_words(scene, [tow])}" if tow else ""
    dice = (": ", *scene.die(event)) if get(event, "die") else ()
    crash = ", a crash" if get(event, "crash") else ", no crash" if dice else ""
    after = (f"; {'they are' if many else 'it is'} ", strong(INOPERATIVE)) if get(event, "state") == INOPERATIVE else ()
    base = scene.place(scene.find(get(event, "base")))
    start = f"{air_words(scene, ids)}{was} {'land' if many else 'lands'} at {base}{glider}"
    how = chosen(event, LAND_DEFAULT) if _away(scene, event) or get(event, "choice") == "standing" else ""
    return item(start, *dice, crash, *after, how, rule(event.rule), ".")


WHY_LOST = {
    "no_base": "no base of its side is in range",
    "base_lost": "the enemy has taken its base",
    "escape": "it could not escape",
}


def _lost_item(scene: Scene, event: Event) -> Item:
    """An air unit that is gone without having been shot down."""
    aid, why = get(event, "air"), get(event, "why")
    at = scene.place(scene.find(get(event, "hex")))
    adjective = side_word(get(event, "side")) if get(event, "side") else ""
    who = f"The {adjective} {air_words(scene, [aid])}" if adjective else air_words(scene, [aid])
    return item(strong(f"{who} is lost"), f" at {at}: {WHY_LOST.get(why, why)}", rule(event.rule), ".")


ESCAPES = {
    "escaped": "it gets away",
    "remains": "it remains on the ground",
    "eliminated": "it is eliminated",
}


def _escape_item(scene: Scene, event: Event) -> Item:
    """An air unit that tries to get away from the enemy who comes upon its base."""
    aid, result = get(event, "air"), get(event, "result")
    at = scene.place(scene.find(get(event, "hex")))
    start = f"The enemy comes upon {at}: {air_words(scene, [aid])} "
    to = f" to {scene.place(scene.find(get(event, 'to')))}, inoperative" if get(event, "to") else ""
    dice = ("tries to escape: ", *scene.die(event), ": ") if get(event, "die") else ("makes no try: ",)
    outcome = strong(f"{ESCAPES.get(result, result)}{to}")
    return item(start, *dice, outcome, chosen(event, ESCAPE_DEFAULT), rule(event.rule), ".")


def _repaired_item(scene: Scene, event: Event) -> Item:
    """An attempt at repair, with the rolls that would do."""
    at = scene.place(scene.find(get(event, "base")))
    start = f"{capital(air_words(scene, [get(event, 'air')]))} at {at} is to be repaired: "
    outcome = strong("operative" if get(event, "repaired") else "still inoperative")
    return item(start, *scene.die(event), f", {get(event, 'needs')} or less repairs: ", outcome, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "flight": _flight_item,
    "staged": _staged_item,
    "patrol-attack": patrol_item,
    "air-step": _air_step_item,
    "reacts": _reacts_item,
    "air-landed": _landed_item,
    "air-lost": _lost_item,
    "air-escape": _escape_item,
    "air-repaired": _repaired_item,
}
