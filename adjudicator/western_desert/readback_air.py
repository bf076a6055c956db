"""Orders of the air war read back as a player would say them, with what came of them (see readback.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.core import Event, Order
from adjudicator.engine.event_fields import text_in, texts_in
from adjudicator.western_desert.air.craft import SCRAMBLE, TRANSFER, TURNED_BACK
from adjudicator.western_desert.air.orders import ALL, MISSION_OF, NONE, OTHERWISE
from adjudicator.western_desert.air.raiding import raises_status
from adjudicator.western_desert.air.words import FATE_WORDS, MALTA_WORDS, air_names, mission_words
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State
from adjudicator.western_desert.words import hex_text, joined, short_name

Sentence = Callable[[State, Order, Sequence[Event]], str]
STAYS_THERE = (SCRAMBLE, TRANSFER)


def flight(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Blen 4 Nos. 1 and 2 fly 14 hexes from Matruh to bomb the port of Tobruk; Blen 4 No. 1 meets P-40B No. 1 over
    19/0222``."""
    flown = [event for event in events if event.kind == "flight"]
    mission = _mission(order)
    units = order.texts("air")
    at, cargo = hex_text(state, order.text("hex")), order.texts("cargo")
    purpose = mission_words(mission, at, joined([short_name(state, uid) for uid in cargo]))
    over = hex_in(state, order.text("hex"))
    if over is not None and raises_status(state, over, mission, order.text("hits")):
        purpose += MALTA_WORDS
    start = f"{air_names(state.world, units)} {'fly' if len(units) > 1 else 'flies'}{_way(state, flown)} {purpose}"
    return "; ".join([f"{start}{_how(state, order)}", *_met(state, events), *_wishes(state, order)])


def _mission(order: Order) -> str:
    said = [what for (name, key, word), what in OTHERWISE.items() if (name, order.text(key)) == (order.type, word)]
    return said[0] if said else MISSION_OF[order.type]


def _way(state: State, flown: Sequence[Event]) -> str:
    """`` 14 hexes from Matruh``, or from several bases."""
    ways = dict.fromkeys((text_in(event, "distance"), text_in(event, "base")) for event in flown)
    said = [f"{far} hex{'' if far == '1' else 'es'} from {hex_text(state, base)}" for far, base in ways]
    return f" {joined(said)}" if said else ""


def _how(state: State, order: Order) -> str:
    words = {"night": "by night", "extended": "at extended range", "together": "together"}
    said = [text for key, text in words.items() if order.text(key) == "yes"]
    said += [f"with {air_names(state.world, [order.text('tow')])} on tow"] if order.text("tow") else []
    return f", {joined(said)}" if said else ""


def _met(state: State, events: Sequence[Event]) -> list[str]:
    """The patrols on the way and what became of the flights; those that stay on the ground."""
    said = []
    for event in events:
        if event.kind == "patrol-attack":
            fighter, target = (air_names(state.world, [text_in(event, key)]) for key in ("fighter", "air"))
            fate = FATE_WORDS[TURNED_BACK] if text_in(event, "result") else "which flies on"
            said.append(f"{fighter} attacks {target} over {hex_text(state, text_in(event, 'hex'))}, {fate}")
        if event.kind == "skipped":
            said.append(f"{air_names(state.world, texts_in(event, 'with'))} stays: {text_in(event, 'clause')}")
    return said


def _wishes(state: State, order: Order) -> list[str]:
    """What the order says of the time after: where it lands, whom it bombs, on what it hangs."""
    said = []
    if order.texts("targets"):
        said.append(f"its bombs are for {air_names(state.world, order.texts('targets'))} first")
    if order.texts("land") and _mission(order) not in STAYS_THERE:
        said.append(f"lands at {joined([hex_text(state, text) for text in order.texts('land')], 'or')}")
    if order.texts("if_back"):
        said.append(f"only if {air_names(state.world, order.texts('if_back'))} is turned back")
    if order.texts("unless_back"):
        said.append(f"unless {air_names(state.world, order.texts('unless_back'))} is turned back")
    return said


def split(state: State, order: Order, _events: Sequence[Event]) -> str:
    """Who attacks the escorts over a hex."""
    at, screen = hex_text(state, order.text("hex")), order.texts("screen")
    if order.text("per_escort"):
        return f"over {at} {order.text('per_escort')} for each escort attack the escorts, the others try to pass"
    if screen == [ALL] or screen == [NONE]:
        return f"over {at} {'all attack the escorts' if screen == [ALL] else 'all try to pass the escorts'}"
    verb = "attack" if len(screen) > 1 else "attacks"
    return f"over {at} {air_names(state.world, screen)} {verb} the escorts, the others try to pass"


def targets(state: State, order: Order, _events: Sequence[Event]) -> str:
    """Whom interceptors over a hex attack first."""
    who = air_names(state.world, order.texts("air")) if order.texts("air") else "the interceptors"
    liked = [air_names(state.world, [word]) for word in order.texts("order")]
    return f"over {hex_text(state, order.text('hex'))} {who} attack, first of all first: {', '.join(liked)}"


def repair(state: State, order: Order, _events: Sequence[Event]) -> str:
    """Which inoperative air units are tried; the dice say what comes of it (WD 23)."""
    named = order.texts("air")
    if named == [NONE]:
        return "no air unit is repaired"
    return f"repair is tried for {air_names(state.world, named)}, for no others"


def stage(state: State, order: Order, events: Sequence[Event]) -> str:
    """Air units that go to Europe, or come from there to a base (WD 33.F)."""
    units = order.texts("air")
    verb = "fly" if len(units) > 1 else "flies"
    way = f"from Europe to {hex_text(state, order.text('hex'))}" if order.text("hex") else "to Europe"
    return f"{air_names(state.world, units)} {verb} {way}{_how(state, order)}"


def answered(state: State, order: Order) -> list[str]:
    """The air units that an answer names, and its pairs."""
    said = [", ".join(order.texts("airs")) if order.texts("airs") in ([ALL], [NONE]) else ""]
    if order.texts("airs") and not said[0]:
        said = [air_names(state.world, order.texts("airs"))]
    rows = order.data.get("pairs")
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict):
            one, other = (air_names(state.world, [str(row.get(key, ""))]) for key in ("air", "at"))
            said.append(f"{one} at {other}")
    return [part for part in said if part]


AIR_SENTENCES: dict[str, Sentence] = {**dict.fromkeys(MISSION_OF, flight), "split": split, "targets": targets}
AIR_SENTENCES |= {"air_repair": repair, "stage": stage}
