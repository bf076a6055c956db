"""Orders of the initial phase about what comes, goes and changes, read back as a player would say them."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event, Order
from adjudicator.engine.counting import counted
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.pool import rp_words
from adjudicator.western_desert.state import State
from adjudicator.western_desert.words import hex_text, joined, names, supply_name


def _text(event: Event, key: str) -> str:
    value = event.data.get(key, "")
    return value if isinstance(value, str) else ""


def _units(order: Order) -> list[str]:
    return order.texts("units") or order.texts("unit")


def _airs(state: State, order: Order) -> list[str]:
    return [short(state.world, aid) for aid in order.texts("air")]


def _who(state: State, order: Order) -> list[str]:
    """The ground units of an order, named together, and each of its air units."""
    ground = _units(order)
    return [*([names(state, ground)] if ground else []), *_airs(state, order)]


def deploy(state: State, order: Order, events: Sequence[Event]) -> str:
    """``4 Arm X and 7 Arm X begin in Matruh``."""
    counters = [supply_name(state, sid) for sid in order.texts("counters")]
    who = [*_who(state, order), *counters]
    many = len([*order.texts("units"), *order.texts("air"), *counters]) > 1
    return f"{joined(who)} {'begin' if many else 'begins'} in {hex_text(state, order.text('at'))}"


def reinforce(state: State, order: Order, events: Sequence[Event]) -> str:
    """``18th Australian Brigade comes in at Haifa``, or waits."""
    counters = [supply_name(state, sid) for sid in order.texts("counters") or order.texts("counter")]
    points = [f"{rp_words(order.text('rp'))} points"] if order.text("rp") else []
    who = joined([*_who(state, order), *counters, *points])
    if order.text("delay"):
        return f"{who}: kept waiting off the map"
    if order.text("via"):
        sunk = [event for event in events if event.kind == "voyage" and _text(event, "result") != "arrives"]
        return f"{who}: sent to Tunisia{', of which not all arrive' if sunk else ''}"
    landed = [event for event in events if event.kind in ("landed", "supply-landed", "points-landed")]
    places = list(dict.fromkeys(hex_text(state, _text(event, "hex")) for event in landed))
    return f"{who}: in at {joined(places) or hex_text(state, order.text('at')) or 'the first place there is'}"


def malta_repair(state: State, order: Order, events: Sequence[Event]) -> str:
    """``2 repair points go to the status of Malta: 8 to 6``."""
    done = [event for event in events if event.kind in ("malta-status", "port-repaired", "airbase-repaired")]
    status = [f": {_text(event, 'was')} to {_text(event, 'status') or '0'}" for event in done if _text(event, "was")]
    hits = [f": {counted(_text(event, 'hits'), 'hit')} repaired" for event in done if _text(event, "hits")]
    points = f"{counted(order.text('points'), 'repair point')} spent" if order.text("points") else "repair points spent"
    return f"Malta: {points} on the {order.text('what')}{''.join([*status, *hits])}"


def fifth_army(state: State, order: Order, events: Sequence[Event]) -> str:
    """``a unit of the Fifth Army is drawn``; who it is the die tells."""
    return f"{'no' if order.text('draw') == 'no' else 'a'} unit of the Fifth Army is drawn"


def raid(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the airbase in Derna is raided``."""
    return f"the airbase in {hex_text(state, order.text('at'))} is raided"


def _forces(state: State, order: Order) -> str:
    return joined(_who(state, order))


def plan_special(state: State, order: Order, events: Sequence[Event]) -> str:
    """``planned in secret for Sep I 41: 1st Parachute Regiment to Nicosia``."""
    where = hex_text(state, order.text("at"))
    return f"planned in secret for {order.text('turn')}: {_forces(state, order)} to {where}; only your book has it"


def cancel_special(state: State, order: Order, events: Sequence[Event]) -> str:
    """``cancelled in secret: the special operation of 1st Parachute Regiment``."""
    return f"cancelled in secret: the special operation of {_forces(state, order)}"


def special_operation(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the special operation that is due is carried out and announced against Cyprus``, and whose plans open."""
    announced = next((event for event in events if event.kind == "special-announced"), None)
    places = announced.data.get("places", []) if announced is not None else []
    against = f" against {joined([p for p in places if isinstance(p, str)])}" if isinstance(places, list) else ""
    start = f"the special operation that is due is carried out and announced{against}"
    return f"{start}; with this message the plans of {_forces(state, order)} lie open"


def list_garrison(state: State, order: Order, events: Sequence[Event]) -> str:
    """``taken off the map onto the list of garrisons: 6th Infantry Division in Haifa``."""
    return f"taken off the map onto the list of garrisons: {_forces(state, order)}"


def move_garrison(state: State, order: Order, events: Sequence[Event]) -> str:
    """``moved in secret on the list of garrisons: 7th Infantry Brigade to Cairo``."""
    where = hex_text(state, order.text("to"))
    return f"moved in secret on the list of garrisons: {_forces(state, order)} to {where}; only your book has it"


def show_garrison(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the garrisons of the area delta are shown``; the list of the area lies open then."""
    return f"the garrisons of the area {order.text('area')} are put back onto the map, where the list has them"


def display_garrison(state: State, order: Order, events: Sequence[Event]) -> str:
    """``with this message the list of the area delta lies open``."""
    return f"with this message the list of garrisons lies open: {joined(order.texts('areas'))}"


def wave(state: State, order: Order, events: Sequence[Event]) -> str:
    """``first wave of the landing on Malta: 4th Livorno Division``; what the dice make of it is not known yet."""
    which = "second" if order.type == "land_second_wave" else "first"
    steps = [counted(order.text("steps"), "step") + " of supply"] if order.text("steps") else []
    who = joined([*_who(state, order), *steps])
    return f"{which} wave of the landing on Malta: {who}"


def vichy_roll(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Vichy France is pressed``."""
    return "Vichy France is pressed to admit the Axis to the Levant"


def invade_levant(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the Levant is invaded``."""
    return "the Levant is invaded; the Vichy forces go to the other player"


def tripolitania(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the garrison of Tripolitania appears``, and which units of it where."""
    units = f": {names(state, _units(order))}" if _units(order) else ""
    place = f" in {hex_text(state, order.text('at'))}" if order.text("at") else ""
    return f"the garrison of Tripolitania appears{units}{place}"


def withdraw(state: State, order: Order, _events: Sequence[Event]) -> str:
    """``16th Brigade goes, in place of 14th Brigade``."""
    if order.texts("counters"):
        return f"supply that goes is taken from {joined([supply_name(state, s) for s in order.texts('counters')])}"
    if order.texts("air") and not order.text("what"):
        return f"{joined(_airs(state, order))} {'go' if len(order.texts('air')) > 1 else 'goes'}: withdrawn"
    what, offer = order.text("what"), order.text("offer")
    place = f", in place of {names(state, [what])}" if offer and offer != what else ""
    return f"{names(state, [offer or what])} is withdrawn{place}"


def replace(state: State, order: Order, events: Sequence[Event]) -> str:
    """``5th Indian Brigade is replaced in Cairo for 1 point``."""
    done = [event for event in events if event.kind in ("replaced", "rebuilt")]
    verb = "is replaced" if order.type == "replace" else "is rebuilt"
    parts = [f"{hex_text(state, _text(event, 'hex'))} for {counted(_text(event, 'cost'), 'point')}" for event in done]
    return f"{_forces(state, order)} {verb}{f' in {joined(parts)}' if parts else ''}"


def scrap(state: State, order: Order, events: Sequence[Event]) -> str:
    """``17th Pavia Division is scrapped for 1/2 Italian non-armor point``."""
    gained = [event for event in events if event.kind == "points"]
    parts = [counted(_text(event, "points"), f"{rp_words(_text(event, 'rp'))} point") for event in gained]
    return f"{names(state, _units(order))} is scrapped{f' for {joined(parts)}' if parts else ''}"


def convert(state: State, order: Order, events: Sequence[Event]) -> str:
    """``6th Cavalry Brigade becomes 8th Armoured Brigade``."""
    done = next((event for event in events if event.kind == "converted"), None)
    into = done.data.get("into", []) if done is not None else order.texts("into")
    named = [uid for uid in into if isinstance(uid, str)] if isinstance(into, list) else []
    if order.text("air"):
        made = joined([short(state.world, aid) for aid in named])
        return f"{short(state.world, order.text('air'))} becomes {made or 'what the order of battle says'}"
    return f"{names(state, [order.text('unit')])} becomes {names(state, named) or 'what the order of battle says'}"
