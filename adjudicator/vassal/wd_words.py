"""Western Desert: events in one line of chat each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.engine.counting import counted
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.vassal.steps import Staging
from adjudicator.vassal.wd_air_words import AIR_TELLERS, FOLLOW, flown
from adjudicator.vassal.wd_sea_words import SEA_TELLERS

Teller = Callable[["ChatWords", Event], str]
NATIONS = {"allied": "Allied", "axis": "Axis", "vichy": "Vichy"}
SET_UP = ("deploy", "deploy-air", "deploy-supply", "deploy-works", "deploy-box", "levant", "disarray")
# A player turn begins with the first of these phases; flights and exploitation are new movement.
CLEARING = ("initial", "air", "exploitation")
STAGING = Staging(
    follow=FOLLOW | {"control", "supply-used", "supply-spent", "captured", "losses", "stays", "work-lost"},
    gather=frozenset({*SET_UP, "void", "skipped", "plans", "lists", "due", "due-supply", "points"}),
    clears=lambda event: event.kind == "phase" and event.data.get("phase") in CLEARING,
    way=flown,
)


class ChatWords:
    """Says events with the short names of units and the names of towns."""

    staging = STAGING

    def __init__(self, pack: Mapping[str, Any]) -> None:
        rows = [*pack["counters"], *pack["air"]]
        rows += [row for scenario in pack.get("scenarios", ()) for row in scenario.get("supply", ())]
        self._units = {str(row["id"]): str(row.get("short") or row.get("name") or row["id"]) for row in rows}
        self._places: dict[str, str] = {}
        for row in pack["places"]:
            if row["class"] != "place" or str(row["hex"]) not in self._places:
                self._places[str(row["hex"])] = str(row["name"])

    def __call__(self, event: Event) -> str:
        teller = TELLERS.get(event.kind)
        return teller(self, event) if teller else ""

    def unit(self, unit_id: str) -> str:
        """A unit as players speak of it; one that is not in the pack by its id."""
        return self._units.get(unit_id, unit_id)

    def units(self, ids: Iterable[str]) -> str:
        """Several units."""
        return ", ".join(self.unit(unit_id) for unit_id in ids)

    def place(self, hex_name: str) -> str:
        """A hex with the town in it."""
        town = self._places.get(hex_name)
        return f"{hex_name} {town}" if town else hex_name


def _side(event: Event) -> str:
    return NATIONS.get(_get(event, "side"), _get(event, "side"))


def _setup(words: ChatWords, event: Event) -> str:
    return f"Set-up of {_get(event, 'title')}"


def _deploy(words: ChatWords, event: Event) -> str:
    who = _get(event, "unit") or _get(event, "air") or _get(event, "counter")
    return f"{words.unit(who)} stands in {words.place(_get(event, 'hex'))}"


def _disarray(words: ChatWords, event: Event) -> str:
    return f"Disarray: {words.unit(_get(event, 'air'))} {_get(event, 'state')} (die {_get(event, 'die')})"


def _control(words: ChatWords, event: Event) -> str:
    hexes = _list(event, "hexes")
    named = ", ".join(words.place(h) for h in hexes[:6])
    more = f" and {len(hexes) - 6} more" if len(hexes) > 6 else ""
    return f"{_side(event)} control: {named}{more}" if hexes else ""


def _phase(words: ChatWords, event: Event) -> str:
    kind = "surprise" if _get(event, "surprise") == "yes" else "player"
    player = NATIONS.get(_get(event, "player"), "")
    return f"=== {_get(event, 'turn')}, {player} {kind} turn: {_get(event, 'phase')} phase ==="


def _supply_check(words: ChatWords, event: Event) -> str:
    out = _list(event, "out")
    return f"Out of general supply: {words.units(out)}" if out else "All units are in general supply"


def _supply_used(words: ChatWords, event: Event) -> str:
    left = _get(event, "left") or "0"
    return f"{words.unit(_get(event, 'counter'))} gives supply for {_get(event, 'use')}, steps left: {left}"


def _captured(words: ChatWords, event: Event) -> str:
    finder = words.unit(_get(event, "unit"))
    steps = counted(_get(event, "captured") or "0", "step")
    return f"{finder} finds {words.unit(_get(event, 'counter'))}: {steps} captured"


def _move(words: ChatWords, event: Event) -> str:
    path = _list(event, "path")
    if not path:
        return ""
    by = f" by {', '.join(path[:-1])}" if path[:-1] else ""
    means = "" if _get(event, "means") in ("", "normal") else f", {_get(event, 'means')} movement"
    cost = f" ({_get(event, 'mp')} MP{means})" if _get(event, "mp") else ""
    start, end = words.place(_get(event, "from")), words.place(path[-1])
    return f"{words.unit(_get(event, 'unit'))} moves {start} to {end}{by}{cost}"


def _halt(words: ChatWords, event: Event) -> str:
    back = f", goes back to {words.place(_get(event, 'to'))}" if _get(event, "to") else ""
    return f"{words.unit(_get(event, 'unit'))} may not stay in {words.place(_get(event, 'hex'))}{back}"


def _attack(words: ChatWords, event: Event) -> str:
    odds = {"none": "below the table", "auto": "no die needed"}.get(_get(event, "column"), _get(event, "column"))
    drm = f", die {_signed(_get(event, 'drm'))}" if _get(event, "drm") not in ("", "0") else ""
    attackers, defenders = words.units(_list(event, "with")), words.units(_list(event, "defenders"))
    strength, against = _get(event, "strength"), _get(event, "against")
    return (
        f"Attack on {words.place(_get(event, 'hex'))}: {attackers} ({strength}) against {defenders or 'nobody'}"
        f" ({against}): {odds}{drm}"
    )


def _signed(number: str) -> str:
    return number if number.startswith("-") else f"+{number}"


def _result(words: ChatWords, event: Event) -> str:
    die, used = _get(event, "die"), _get(event, "used")
    rolled = f"die {die}{f' read as {used}' if used and used != die else ''}: " if die else ""
    means = f", {_get(event, 'means')}" if _get(event, "means") else ""
    return f"Combat at {words.place(_get(event, 'hex'))}: {rolled}{_get(event, 'result')}{means}"


def _losses(words: ChatWords, event: Event) -> str:
    units = words.units(_list(event, "units"))
    return f"{_side(event)} loses {_get(event, 'strength')} of {_get(event, 'required')} demanded: {units}"


def _why(event: Event) -> str:
    return f" ({_get(event, 'why')})" if _get(event, "why") else ""


def _reduced(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit'))} is reduced to its cadre{_why(event)}"


def _eliminated(words: ChatWords, event: Event) -> str:
    fate = f", {_get(event, 'fate')}" if _get(event, "fate") else ""
    return f"{words.unit(_get(event, 'unit'))} is eliminated in {words.place(_get(event, 'hex'))}{fate}{_why(event)}"


def _retreat(words: ChatWords, event: Event) -> str:
    path = _list(event, "path")
    return f"{words.unit(_get(event, 'unit'))} retreats to {words.place(path[-1])}" if path else ""


def _advance(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit'))} advances to {words.place(_get(event, 'to'))}"


def _stays(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit'))} does not advance{_why(event)}"


def _void(words: ChatWords, event: Event) -> str:
    return f"An order of type {_get(event, 'type')} is void{_why(event)}"


def _skipped(words: ChatWords, event: Event) -> str:
    return f"Called off: {_get(event, 'clause')}"


def _overrun(words: ChatWords, event: Event) -> str:
    units, against = words.units(_list(event, "units")), words.units(_list(event, "defenders"))
    return f"Overrun of {words.place(_get(event, 'hex'))}: {units} against {against}: {_get(event, 'odds')}:1"


def _supply_moved(words: ChatWords, event: Event) -> str:
    path = _list(event, "path")
    start, end = words.place(_get(event, "from")), words.place(path[-1]) if path else "nowhere"
    return f"{words.unit(_get(event, 'counter'))} moves {start} to {end} ({_get(event, 'smp')} SMP)"


def _supply_merged(words: ChatWords, event: Event) -> str:
    return f"{words.units(_list(event, 'counters'))} merge in {words.place(_get(event, 'hex'))}"


def _supply_split(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'counter'))} splits in {words.place(_get(event, 'hex'))}"


def _supply_destroyed(words: ChatWords, event: Event) -> str:
    return f"{_side(event)} destroys {words.units(_list(event, 'counters'))}"


def _rail(words: ChatWords, event: Event) -> str:
    what = {"rail-broken": "is broken", "rail-repaired": "is repaired", "rail-extended": "now reaches it"}[event.kind]
    by = f" by {words.unit(_get(event, 'unit'))}" if _get(event, "unit") else ""
    by = by or (" by bombs" if event.kind == "rail-broken" else "")
    return f"{words.place(_get(event, 'hex'))}: the railroad {what}{by}"


def _deploy_box(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit'))} lies off the map: {_get(event, 'box').replace('_', ' ')}"


def _levant(words: ChatWords, event: Event) -> str:
    if event.rule != "WD 3.G.region":
        return "Lebanon and Syria are conquered"
    return f"The Allies {'lose' if _get(event, 'gained') == 'no' else 'gain'} control of the Levant"


def _pressure(words: ChatWords, event: Event) -> str:
    grant = {"air": "air units admitted", "full": "all admitted"}.get(_get(event, "grant"), "nothing granted")
    return f"Vichy France is pressed, dice {', '.join(_list(event, 'dice'))}: {grant}"


def _invasion(words: ChatWords, event: Event) -> str:
    return f"{_side(event)}: the Levant is invaded; the Vichy forces go to the other side"


def _raid(words: ChatWords, event: Event) -> str:
    result = {"inoperative": "hit", "nobody": "nobody is there to be hit"}.get(_get(event, "result"), "no effect")
    return f"{words.place(_get(event, 'hex'))}: the airbase is raided, die {_get(event, 'die')}: {result}"


def _raided(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'air'))} becomes inoperative in {words.place(_get(event, 'hex'))}"


def _broken_down(words: ChatWords, event: Event) -> str:
    units, where = words.units(_list(event, "units")), words.place(_get(event, "hex"))
    return f"{words.unit(_get(event, 'unit'))} breaks down in {where}: {units}"


def _assembled(words: ChatWords, event: Event) -> str:
    units, where = words.units(_list(event, "units")), words.place(_get(event, "hex"))
    return f"{words.unit(_get(event, 'unit'))} is assembled in {where} of {units}"


_WORKS = {"fort": "a fort", "fortress": "improving the fortress", "airfield": "an airfield"}
_STAGES = {"work-begun": "is begun", "work-done": "is finished", "work-delayed": "waits", "work-lost": "is given up"}


def _work(words: ChatWords, event: Event) -> str:
    units = words.units(_list(event, "units") or [_get(event, "unit")]) if event.kind != "work-lost" else ""
    by = f" by {units}" if units else ""
    return f"{words.place(_get(event, 'hex'))}: {_WORKS[_get(event, 'what')]} {_STAGES[event.kind]}{by}{_why(event)}"


def _hits(words: ChatWords, event: Event) -> str:
    verb = "hit" if event.kind.endswith("-hit") else "repaired"
    what, hits, total = (_get(event, key) for key in ("what", "hits", "after"))
    return f"{words.place(_get(event, 'hex'))}: the {what} is {verb} ({hits}), {total} now"


def _divisional(words: ChatWords, event: Event) -> str:
    return f"Divisional engineers of {words.unit(_get(event, 'unit'))} work in {words.place(_get(event, 'hex'))}"


def _box(event: Event) -> str:
    return _get(event, "box").replace("_", " ")


def _due(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit') or _get(event, 'counter'))} comes: {_box(event)}"


def _landed(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit') or _get(event, 'counter'))} comes in at {words.place(_get(event, 'hex'))}"


def _points(words: ChatWords, event: Event) -> str:
    why = _get(event, "why") or "landed"
    return f"{_side(event)}: {_get(event, 'points')} {_get(event, 'rp').replace('_', ' ')} replacement points, {why}"


def _replaced(words: ChatWords, event: Event) -> str:
    verb = "is replaced" if event.kind == "replaced" else "is rebuilt"
    return f"{words.unit(_get(event, 'unit'))} {verb} in {words.place(_get(event, 'hex'))}"


def _pool_lost(words: ChatWords, event: Event) -> str:
    return f"{words.units(_list(event, 'units')) or 'replacement points'}: lost with Malta"


def _scrapped(words: ChatWords, event: Event) -> str:
    return f"{words.units(_list(event, 'units'))}: scrapped"


def _withdrawn(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit') or _get(event, 'counter'))} is withdrawn: {_box(event)}"


def _converted(words: ChatWords, event: Event) -> str:
    where = f" in {words.place(_get(event, 'hex'))}" if _get(event, "hex") else ""
    return f"{words.units(_list(event, 'units'))} becomes {words.units(_list(event, 'into'))}{where}"


def _greece(words: ChatWords, event: Event) -> str:
    die = f" (die {_get(event, 'die')})" if _get(event, "die") else ""
    return f"Back from Greece: {words.unit(_get(event, 'unit'))}: {_get(event, 'result')}{die}"


def _told(words: ChatWords, event: Event) -> str:
    return _get(event, "why") or f"Left out in this version: {', '.join(_list(event, 'what'))}"


def _vp(words: ChatWords, event: Event) -> str:
    return f"{_side(event)}: {_get(event, 'vp')} victory points, {_get(event, 'why')}"


def _period(words: ChatWords, event: Event) -> str:
    return f"Territory is checked after {_get(event, 'last')}"


def _held(words: ChatWords, event: Event) -> str:
    points, after = _get(event, "points"), _get(event, "until")
    return f"{_side(event)}: {points} victory points earned for {_get(event, 'what')}, due after {after}"


def _conquest(words: ChatWords, event: Event) -> str:
    verb = "captured" if _get(event, "held") == "yes" else "no longer held"
    return f"{_get(event, 'region').capitalize()} is {verb}"


def _decided(words: ChatWords, event: Event) -> str:
    totals = f"Allies {_get(event, 'allied')}, Axis {_get(event, 'axis')}"
    side, _, level = _get(event, "level").partition(" ")
    result = f"{NATIONS.get(side, side)} {level} victory" if level else side
    return f"The game is over: {result} ({totals})"


def _rules(words: ChatWords, event: Event) -> str:
    return f"Other rules hold from here on, agreed in messages {event.data['offered']} and {event.data['accepted']}"


def _rules_later(words: ChatWords, event: Event) -> str:
    return "What had begun before is finished by the rules of before"


def _plans(words: ChatWords, event: Event) -> str:
    return f"{_side(event)}: the plans of special operations are sealed, whether there are any or not"


def _announced(words: ChatWords, event: Event) -> str:
    return f"{_side(event)}: a special operation is announced: {', '.join(_list(event, 'places'))}"


def _used(words: ChatWords, event: Event) -> str:
    return f"Used in a special operation: {words.units(_list(event, 'units'))}"


def _ashore(words: ChatWords, event: Event) -> str:
    return f"{words.unit(_get(event, 'unit'))} lands at {words.place(_get(event, 'hex'))}: {_get(event, 'wave')} wave"


def _over(words: ChatWords, event: Event) -> str:
    why = {"unused": "unused, back to the pool", "over": "special operation over", "lost": "lost"}
    return f"{words.units(_list(event, 'units'))}: {why[_get(event, 'why')]}"


def _lists(words: ChatWords, event: Event) -> str:
    return f"{_side(event)}: the list of garrisons off the map is sealed, whether any has moved or not"


def _listed(words: ChatWords, event: Event) -> str:
    return f"Off the map, garrisons of {_get(event, 'area').capitalize()}: {words.units(_list(event, 'units'))}"


def _garrison_due(words: ChatWords, event: Event) -> str:
    return f"An enemy is near: the garrisons of {_get(event, 'area').capitalize()} are to be shown"


def _garrison_shown(words: ChatWords, event: Event) -> str:
    rows = event.data.get("units")
    units = [str(row["unit"]) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return f"On the map, garrisons of {_get(event, 'area').capitalize()}: {words.units(units)}"


TELLERS: dict[str, Teller] = {
    **AIR_TELLERS,
    **SEA_TELLERS,
    "rules": _rules,
    "rules-later": _rules_later,
    "setup": _setup,
    "deploy": _deploy,
    "deploy-air": _deploy,
    "deploy-supply": _deploy,
    "deploy-box": _deploy_box,
    "levant": _levant,
    "disarray": _disarray,
    "control": _control,
    "phase": _phase,
    "supply-check": _supply_check,
    "supply-used": _supply_used,
    "captured": _captured,
    "move": _move,
    "halt": _halt,
    "overrun": _overrun,
    "supply-moved": _supply_moved,
    "supply-merged": _supply_merged,
    "supply-split": _supply_split,
    "supply-destroyed": _supply_destroyed,
    "rail-broken": _rail,
    "rail-repaired": _rail,
    "rail-extended": _rail,
    "broken-down": _broken_down,
    "assembled": _assembled,
    "work-begun": _work,
    "work-done": _work,
    "work-delayed": _work,
    "work-lost": _work,
    "port-hit": _hits,
    "port-repaired": _hits,
    "airbase-hit": _hits,
    "airbase-repaired": _hits,
    "div-engineers": _divisional,
    "due": _due,
    "due-supply": _due,
    "landed": _landed,
    "supply-landed": _landed,
    "points": _points,
    "points-landed": _points,
    "replaced": _replaced,
    "rebuilt": _replaced,
    "scrapped": _scrapped,
    "pool-lost": _pool_lost,
    "withdrawn": _withdrawn,
    "supply-withdrawn": _withdrawn,
    "converted": _converted,
    "greece": _greece,
    "pressure": _pressure,
    "invasion": _invasion,
    "plans": _plans,
    "special-announced": _announced,
    "special-used": _used,
    "special-landed": _ashore,
    "special-over": _over,
    "lists": _lists,
    "garrison-listed": _listed,
    "garrison-due": _garrison_due,
    "garrison-shown": _garrison_shown,
    "raid": _raid,
    "raided": _raided,
    "told": _told,
    "vp": _vp,
    "period": _period,
    "held": _held,
    "conquest": _conquest,
    "decided": _decided,
    "attack": _attack,
    "result": _result,
    "losses": _losses,
    "reduced": _reduced,
    "eliminated": _eliminated,
    "retreat": _retreat,
    "advance": _advance,
    "stays": _stays,
    "void": _void,
    "skipped": _skipped,
}
