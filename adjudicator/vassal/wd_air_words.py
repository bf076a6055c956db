"""Western Desert: events of the air war in one line of chat each, and the ways that air units fly in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from adjudicator.engine.core import Event
from adjudicator.engine.counting import counted
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.vassal.steps import way_of

SIDES = {"allied": "Allied", "axis": "Axis"}
MISSIONS = {
    "intercept": "intercepts over",
    "scramble": "scrambles to",
    "escort": "escorts to",
    "transfer": "transfers to",
    "transport": "carries troops to",
    "transport_and_stay": "carries troops to",
    "air_drop": "drops troops on",
    "bomb_port": "is to bomb the port of",
    "bomb_port_tactical": "is to bomb the port of",
    "bomb_canal": "is to bomb the canal at",
    "bomb_airbase": "is to bomb the airbase of",
    "bomb_air": "is to bomb air units at",
    "bomb_rail": "is to bomb the railroad in",
    "aa_suppress": "is to suppress the antiaircraft of",
    "harass": "is to harass",
    "ground_support": "is to support the attack on",
    "defensive_support": "is to support the defence of",
}
FATES = {
    "": "no effect",
    "turned_back": "turned back",
    "aborted": "aborted",
    "eliminated": "eliminated",
    "inoperative": "inoperative",
}
FOLLOW = frozenset({"split", "engaged", "jettisoned", "air-hit", "air-bombed", "cargo-back", "glider-expended"})
"""Kinds that belong to the step of what came before them."""


class Names(Protocol):
    """How a log names units and hexes."""

    def unit(self, unit_id: str) -> str:
        """A unit as players speak of it."""

    def units(self, ids: list[str]) -> str:
        """Several units."""

    def place(self, hex_name: str) -> str:
        """A hex with the town in it."""


def _at(words: Names, event: Event, key: str = "hex") -> str:
    return words.place(_get(event, key))


def _how(event: Event) -> str:
    """By which standing order, or that it was the default."""
    said = {"standing": _get(event, "clause"), "default": "by default"}.get(_get(event, "choice"), "")
    return f" ({said})" if said else ""


def _dice(event: Event) -> str:
    """``dice 4 + 3, -1, read as 6``."""
    modifier, used = _get(event, "modifier"), _get(event, "used")
    shift = f", {modifier if modifier.startswith('-') else f'+{modifier}'}" if modifier not in ("", "0") else ""
    return f"dice {' + '.join(_list(event, 'dice'))}{shift}{f', read as {used}' if shift else ''}"


def _fate(event: Event) -> str:
    return FATES.get(_get(event, "fate"), _get(event, "fate"))


# --- flights ----------------------------------------------------------------------------------------------------


def _staged(words: Names, event: Event) -> str:
    way = ("flies from", "to Europe") if _get(event, "way") == "out" else ("comes from Europe to", "")
    return f"{words.unit(_get(event, 'air'))} {way[0]} {_at(words, event)} {way[1]}".rstrip()


def _flight(words: Names, event: Event) -> str:
    night = " by night" if _get(event, "night") else ""
    tow = f" with {words.unit(_get(event, 'tow'))} on tow" if _get(event, "tow") else ""
    cargo = f", aboard: {words.units(_list(event, 'cargo'))}" if _list(event, "cargo") else ""
    what = f"{MISSIONS.get(_get(event, 'mission'), _get(event, 'mission'))} {_at(words, event, 'over')}"
    start = f"{words.unit(_get(event, 'air'))}{tow} from {_at(words, event, 'base')}"
    return f"{start} {what}{night} ({counted(_get(event, 'distance') or '0', 'hex', 'hexes')}){cargo}"


def _step(words: Names, event: Event) -> str:
    return f"--- Air phase: {_get(event, 'step')} step ---"


def _reacts(words: Names, event: Event) -> str:
    over = f" over {_at(words, event)}" if _get(event, "hex") else ""
    who = words.units(_list(event, "with")) or "nobody"
    return f"{SIDES.get(_get(event, 'side'), '')} reaction, {_get(event, 'topic')}{over}: {who}{_how(event)}"


def _patrol(words: Names, event: Event) -> str:
    fighter, target = words.unit(_get(event, "fighter")), words.unit(_get(event, "air"))
    result = FATES["turned_back"] if _get(event, "result") else "it flies on"
    strengths = f"{_get(event, 'attack')} against {_get(event, 'defense')}"
    start = f"Patrol over {_at(words, event)}: {fighter} attacks {target}, {strengths}"
    return f"{start}, die {_get(event, 'die')}: {result}{_how(event)}"


def _home(words: Names, event: Event) -> str:
    crash = " with a crash" if _get(event, "crash") else ""
    state = f", {_get(event, 'state')}" if _get(event, "state") == "inoperative" else ""
    die = f" (die {_get(event, 'die')})" if _get(event, "die") else ""
    return f"{words.unit(_get(event, 'air'))} lands{crash} at {_at(words, event, 'base')}{state}{die}"


LOST = {"no_base": "no base in range", "base_lost": "its base is taken", "escape": "it could not escape"}


def _lost(words: Names, event: Event) -> str:
    return f"{words.unit(_get(event, 'air'))} is lost: {LOST.get(_get(event, 'why'), _get(event, 'why'))}"


def _escape(words: Names, event: Event) -> str:
    die = f", die {_get(event, 'die')}" if _get(event, "die") else ""
    to = f" to {_at(words, event, 'to')}" if _get(event, "to") else ""
    start = f"Escape from {_at(words, event)}: {words.unit(_get(event, 'air'))}{die}"
    return f"{start}: {_get(event, 'result')}{to}{_how(event)}"


def _repaired(words: Names, event: Event) -> str:
    result = "operative" if _get(event, "repaired") else "still inoperative"
    needs = f"die {_get(event, 'die')}, {_get(event, 'needs')} or less repairs"
    return f"Repair at {_at(words, event, 'base')}: {words.unit(_get(event, 'air'))}, {needs}: {result}"


# --- air combat -------------------------------------------------------------------------------------------------


def _combat(words: Names, event: Event) -> str:
    attackers, screen, force = (words.units(_list(event, key)) for key in ("interceptors", "screen", "force"))
    night = " by night" if _get(event, "night") else ""
    guard = f", escorted by {screen}" if screen else ""
    return f"Air battle{night} over {_at(words, event)}: {attackers} against {force or 'nobody'}{guard}"


def _jettisoned(words: Names, event: Event) -> str:
    return f"Bombs away to join the escorts: {words.units(_list(event, 'air'))}{_how(event)}"


def _split(words: Names, event: Event) -> str:
    screen, past = (words.units(_list(event, key)) or "nobody" for key in ("screen", "bypass"))
    return f"At the escorts: {screen}; past them: {past}{_how(event)}"


def _engaged(words: Names, event: Event) -> str:
    found = event.data.get("pairs")
    rows = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    pairs = [f"{words.unit(str(row.get('air', '')))} at {words.unit(str(row.get('at', '')))}" for row in rows]
    return f"{_get(event, 'topic').capitalize()}: {', '.join(pairs)}{_how(event)}"


def _shot(words: Names, event: Event) -> str:
    firer, target = words.unit(_get(event, "air")), words.unit(_get(event, "target"))
    start = f"{firer} fires at {target}, differential {_get(event, 'differential')}"
    return f"{start}, {_dice(event)}: {_fate(event)}"


def _flak(words: Names, event: Event) -> str:
    side, target = SIDES.get(_get(event, "side"), ""), words.unit(_get(event, "air"))
    start = f"{side} antiaircraft over {_at(words, event)} at {target}, strength {_get(event, 'strength')}"
    return f"{start}, {_dice(event)}: {_fate(event)}"


def _hit(words: Names, event: Event) -> str:
    tow = f" with {words.unit(_get(event, 'tow'))}" if _get(event, "tow") else ""
    return f"{words.unit(_get(event, 'air'))}{tow}: {_fate(event)}"


# --- missions ---------------------------------------------------------------------------------------------------


def _bombing(words: Names, event: Event) -> str:
    die, used = _get(event, "die"), _get(event, "used")
    rolled = f"die {die}{f' read as {used}' if used and used != die else ''}" if die else "no die"
    result = "hit" if _get(event, "result") == "H" else "miss"
    start = f"Bombs on {_at(words, event)}: {words.units(_list(event, 'with'))}, strength {_get(event, 'strength')}"
    return f"{start}, {rolled}: {result}"


def _bombed(words: Names, event: Event) -> str:
    return f"Bombed at {_at(words, event)}: {words.unit(_get(event, 'air'))}, {_fate(event)}"


def _canal(words: Names, event: Event) -> str:
    return f"The Suez Canal is hit at {_at(words, event)}: {counted(_get(event, 'hits') or '1', 'hit')}"


def _harassment(words: Names, event: Event) -> str:
    who = words.units(_list(event, "with")) or "air units"
    return f"{_at(words, event)} is harassed by {who}: {counted(_get(event, 'points') or '0', 'point')}"


def _unloaded(words: Names, event: Event) -> str:
    return f"{words.units(_list(event, 'units'))} set down by air at {_at(words, event)}"


def _dropped(words: Names, event: Event) -> str:
    die = f", die {_get(event, 'die')}" if _get(event, "die") else ""
    result = ("disrupted" if _get(event, "disrupted") else "not disrupted") if die else "landed"
    return f"{words.unit(_get(event, 'unit'))} drops on {_at(words, event)}{die}: {result}"


def _cargo_back(words: Names, event: Event) -> str:
    return f"{words.units(_list(event, 'units'))} stay at {_at(words, event)}"


def _glider(words: Names, event: Event) -> str:
    return f"{words.unit(_get(event, 'air'))} has been used and is removed"


AIR_TELLERS: dict[str, Callable[[Names, Event], str]] = {
    "flight": _flight,
    "staged": _staged,
    "air-step": _step,
    "reacts": _reacts,
    "patrol-attack": _patrol,
    "air-landed": _home,
    "air-lost": _lost,
    "air-escape": _escape,
    "air-repaired": _repaired,
    "air-combat": _combat,
    "jettisoned": _jettisoned,
    "split": _split,
    "engaged": _engaged,
    "air-shot": _shot,
    "aa-fire": _flak,
    "air-hit": _hit,
    "bombing": _bombing,
    "air-bombed": _bombed,
    "canal-hit": _canal,
    "harassment": _harassment,
    "unloaded": _unloaded,
    "dropped": _dropped,
    "cargo-back": _cargo_back,
    "glider-expended": _glider,
}


# --- ways -------------------------------------------------------------------------------------------------------


def flown(event: Event) -> dict[str, tuple[str, ...]]:
    """The ways of the units that an event moves: flights from base to target, home, escapes, troops set down, and all
    that move on the ground."""
    if event.kind == "flight":
        way = (_get(event, "base"), *_list(event, "path"))
        return {aid: way for aid in (_get(event, "air"), _get(event, "tow")) if aid}
    if event.kind == "air-landed" and _get(event, "from") != _get(event, "base"):
        return {_get(event, "air"): (_get(event, "from"), _get(event, "base"))}
    if event.kind == "air-escape" and _get(event, "to"):
        return {_get(event, "air"): (_get(event, "hex"), _get(event, "to"))}
    if event.kind in ("unloaded", "dropped") and _get(event, "from"):
        way = (_get(event, "from"), _get(event, "hex"))
        return {uid: way for uid in (*_list(event, "units"), _get(event, "unit")) if uid}
    return way_of(event)
