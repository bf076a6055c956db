"""Shifting Sands: events in one line of chat each, and which of them make one step of a log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.counting import counted
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.vassal import ss_event_words as lines
from adjudicator.vassal.steps import Staging

Teller = Callable[["SandsWords", Event], str]
SIDES = {"axis": "Axis", "allied": "Allied"}
SUPPLY = {"full": "full supply", "limited": "limited supply", "oos": "out of supply"}
BOXES = {
    "@reserve": "the reserve box", "@replacement": "the replacement box",
    "@eliminated": "the permanently eliminated", "@unplaced": "the units not in play",
}  # fmt: skip
ROLES = {"attacker": "The attack", "defender": "The defense"}
HANDLE = re.compile(r"[1-9]\d*\.\d+")
"""A card that lies face down."""
USES = {"ops": "operations", "rd": "redeployment", "rp": "replacement points", "event": "its event"}
WAYS = {"land": " by land", "sea": " by sea", "lrdg": " over the desert"}
POOLS = {"GE": "German", "IT": "Italian", "BR": "British", "CW": "Commonwealth", "A": "Allied", "US": "American"}
RAIDS = {
    "none": "nothing comes of it", "lose_step": "it loses a step", "lose_two_steps": "it is lost",
    "card": "an Axis card is lost",
}  # fmt: skip
ALSO = {"flank": "; a flank attack is tried", "rommel": "; Rommel takes part"}
TOPICS = {"cards": "combat cards", "flip": "captured supply", "withdraw": "units that events take"}


def _way(event: Event) -> dict[str, tuple[str, ...]]:
    """The way of a unit on the map: along its path, which begins where it stood, or from one space to another."""
    unit, path = event.data.get("unit"), _list(event, "path")
    if not path:
        path = [_get(event, "from"), _get(event, "to")] if event.kind == "thrown-back" else []
    on_map = len(path) > 1 and not any(space.startswith("@") or not space for space in path)
    return {unit: tuple(path)} if isinstance(unit, str) and on_map else {}


def _rows(event: Event, key: str) -> list[Mapping[str, Any]]:
    value: Tree = event.data.get(key, [])
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


STAGING = Staging(
    follow=frozenset({"control", "vp", "losses", "stays", "hold", "winner", "standing", "released"}),
    gather=frozenset({"deploy", "pile", "draw", "void", "marker-gone", "discard", "merge", "rp", "rp-lost"}),
    clears=lambda event: event.kind == "round",
    way=_way,
)


class SandsWords:
    """Says events with the short names of units and the names of cards."""

    staging = STAGING

    def __init__(self, pack: Mapping[str, Any]) -> None:
        self._names = {str(row["id"]): str(row["short"]) for row in pack["counters"]}
        self._names |= {str(row["id"]): f"“{row['name']}”" for row in pack["cards"]}

    def __call__(self, event: Event) -> str:
        teller = TELLERS.get(event.kind)
        return teller(self, event) if teller else ""

    def name(self, ident: str) -> str:
        """A unit or card as players speak of it; one that is not in the pack by its id."""
        return self._names.get(ident, f"card {ident}" if HANDLE.fullmatch(ident) else ident)

    def names(self, ids: Iterable[str]) -> str:
        """Several units or cards."""
        return ", ".join(map(self.name, ids))

    def place(self, name: str) -> str:
        """A space or box."""
        return BOXES.get(name, name)


def _side(event: Event, key: str = "side") -> str:
    return SIDES.get(_get(event, key), _get(event, key))


def _unit(words: SandsWords, event: Event) -> str:
    return words.name(_get(event, "unit"))


def _why(event: Event) -> str:
    return f" ({_get(event, 'why')})" if _get(event, "why") else ""


def _signed(number: str) -> str:
    return number if number.startswith(("-", "+")) else f"+{number}"


# --- the sequence of play ------------------------------------------------------------------


def _setup(words: SandsWords, event: Event) -> str:
    return f"Set-up of {_get(event, 'title')}"


def _deploy(words: SandsWords, event: Event) -> str:
    step = ", reduced" if _get(event, "step") == "reduced" else ""
    return f"{_unit(words, event)} stands in {words.place(_get(event, 'at'))}{step}"


def _control(words: SandsWords, event: Event) -> str:
    return f"{_side(event)} control: {', '.join(_list(event, 'spaces'))}"


def _vp(words: SandsWords, event: Event) -> str:
    change = _get(event, "change")
    spaces = ", ".join(_list(event, "spaces")) or _get(event, "why")
    by = f" ({_signed(change)}, {spaces})" if change else ""
    return f"Victory points: {_get(event, 'to')}{by}"


def _pile(words: SandsWords, event: Event) -> str:
    return f"{_side(event)} draw pile: {len(_list(event, 'cards'))} cards"


def _draw(words: SandsWords, event: Event) -> str:
    die = f" (die {_get(event, 'die')} of {_get(event, 'faces')})" if _get(event, "die") else ""
    return f"{_side(event)} draws {words.name(_get(event, 'card'))}{die}"


def _turn(words: SandsWords, event: Event) -> str:
    return f"=== {_get(event, 'turn')}: {_get(event, 'phase')} phase ==="


def _round(words: SandsWords, event: Event) -> str:
    return f"=== Action round {_get(event, 'round')}: {_side(event, 'active')} ==="


def _end_round(words: SandsWords, event: Event) -> str:
    return f"The {_side(event)} part of round {_get(event, 'round')} is over"


def _action(words: SandsWords, event: Event) -> str:
    card, use = _get(event, "card"), _get(event, "use")
    ops = f": {_get(event, 'ops')} points" if _get(event, "ops") else ""
    if not card:
        return f"{_side(event)}: automatic operation{ops}"
    return f"{_side(event)} plays {words.name(card)} for {USES.get(use, use)}{ops}"


def _event(words: SandsWords, event: Event) -> str:
    when = f" ({_get(event, 'turn')})" if _get(event, "turn") else ""
    return f"Event: {_get(event, 'event')}{when}"


def _released(words: SandsWords, event: Event) -> str:
    return f"Neutral no more: {', '.join(_list(event, 'nations'))}"


# --- moves ---------------------------------------------------------------------------------


def _marker(words: SandsWords, event: Event) -> str:
    kind = "movement" if _get(event, "marker") == "move" else "combat"
    short = [f"{words.name(str(row.get('unit')))} {SUPPLY.get(str(row.get('status')), '')}"
             for row in _rows(event, "supply") if row.get("status") != "full"]  # fmt: skip
    supply = f"; {', '.join(short)}" if short else ""
    cost = f"{_get(event, 'cost')} OPS, {_get(event, 'left')} left"
    return f"{_side(event)} activates {_get(event, 'space')} for {kind} ({cost}){supply}"


def _marker_gone(words: SandsWords, event: Event) -> str:
    return f"The marker on {_get(event, 'space')} is taken off"


def _move(words: SandsWords, event: Event) -> str:
    path = _list(event, "path")
    by = f" by {', '.join(path[1:-1])}" if path[1:-1] else ""
    left = f" ({_get(event, 'left')} MF left)" if _get(event, "left") else ""
    joins = ", and joins the attack from there" if _get(event, "joined") else ""
    return f"{_unit(words, event)} moves {path[0]} to {path[-1]}{by}{left}{joins}"


def _thrown_back(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} may not stay in {_get(event, 'from')} and goes back to {_get(event, 'to')}"


# --- combat --------------------------------------------------------------------------------


def _ordered(words: SandsWords, event: Event) -> str:
    attacks = [f"{row.get('number')}: {row.get('target')}" for row in _rows(event, "combats")]
    return f"{_side(event)} orders attacks: {', '.join(attacks)}"


def _designate(words: SandsWords, event: Event) -> str:
    units, against = words.names(_list(event, "units")), words.names(_list(event, "defenders"))
    also = "".join(said for key, said in ALSO.items() if _get(event, key))
    head = f"Combat {_get(event, 'number')}, {_side(event)} attack on {_get(event, 'target')}"
    return f"{head}: {units} against {against}{also}"


def _flank(words: SandsWords, event: Event) -> str:
    if not _get(event, "die"):
        return f"Flank attack on {_get(event, 'target')}: {_get(event, 'result')}{_why(event)}"
    modifier = _get(event, "modifier")
    added = f" {_signed(modifier)} = {_get(event, 'total')}" if modifier not in ("", "0") else ""
    return (
        f"Flank attack on {_get(event, 'target')}: die {_get(event, 'die')}{added}, {_get(event, 'need')} needed: "
        f"{_get(event, 'result')}"
    )


def _card(words: SandsWords, event: Event) -> str:
    undone = "; the flank attack is cancelled" if _get(event, "flank") else ""
    up = " again" if _get(event, "source") == "table" else ""
    card = words.name(_get(event, "name"))
    return f"{_side(event)} plays {card}{up} in the combat at {_get(event, 'target')}{undone}"


def _card_kept(words: SandsWords, event: Event) -> str:
    return f"{words.name(_get(event, 'name'))} stays face up ({_side(event)})"


def _card_gone(words: SandsWords, event: Event) -> str:
    end = "is out of the game" if _get(event, "to") == "removed" else "goes to the discards"
    return f"{words.name(_get(event, 'name'))} {end} ({_side(event)})"


def _put_down(words: SandsWords, event: Event) -> str:
    return f"{_side(event)} discards the combat cards that lie face up: {len(_list(event, 'cards'))}"


def _shown(words: SandsWords, event: Event) -> str:
    names = _list(event, "names")
    return f"{_side(event)} shows {words.names(names)}: a standing order names {'it' if len(names) == 1 else 'them'}"


def _fire(words: SandsWords, event: Event) -> str:
    parts = [f"{row.get('name')} {_signed(str(row.get('value')))}".replace("_", " ")
             for key in ("shifts", "drms") for row in _rows(event, key)]  # fmt: skip
    why = f", {', '.join(parts)}" if parts else ""
    role = ROLES.get(_get(event, "role"), _get(event, "role"))
    table = f"{_get(event, 'strength')} CF, {_get(event, 'table')} table, column {_get(event, 'column')}"
    result = f"die {_get(event, 'die')}: {_get(event, 'number')}"
    return f"{role} ({_side(event)}) fires, {_get(event, 'target')}: {table}{why}: {result}"


def _losses(words: SandsWords, event: Event) -> str:
    steps = words.names(_list(event, "steps"))
    taken = f"{_get(event, 'absorbed') or '0'} of {_get(event, 'number') or '0'}"
    return f"{_side(event)} losses: {taken}{': ' + steps if steps else ''}"


def _reduced(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} is reduced in {words.place(_get(event, 'at'))}"


def _flipped(words: SandsWords, event: Event) -> str:
    town = f": supply captured in {_get(event, 'town')}" if _get(event, "town") else ""
    return f"{_unit(words, event)} is back at full strength{town}"


def _eliminated(words: SandsWords, event: Event) -> str:
    end = words.place(_get(event, "to"))
    return f"{_unit(words, event)} is eliminated in {words.place(_get(event, 'from'))} and goes to {end}{_why(event)}"


def _replaced(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} takes the place of {words.name(_get(event, 'division'))} in {_get(event, 'at')}"


def _winner(words: SandsWords, event: Event) -> str:
    role, target = _get(event, "winner"), _get(event, "target")
    if not role:
        return f"Nobody wins at {target}"
    retreat = _get(event, "retreat")
    then = f", retreat of {retreat}" if retreat not in ("", "0") else ""
    then = ", overrun" if _get(event, "overrun") == "yes" else then
    return f"The {role} wins at {target} by {_get(event, 'difference')}{then}"


def _hold(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} pays a step to hold {_get(event, 'at')}"


def _overrun(words: SandsWords, event: Event) -> str:
    return f"Overrun in {_get(event, 'target')}: {words.names(_list(event, 'units'))}"


def _retreat(words: SandsWords, event: Event) -> str:
    path = _list(event, "path")
    return f"{_unit(words, event)} retreats {' to '.join(path)}"


def _relocate(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} is placed in {words.place(_get(event, 'to'))}"


def _advance(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} advances {' to '.join(_list(event, 'path'))}"


def _stays(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} does not advance{_why(event)}"


def _called_off(words: SandsWords, event: Event) -> str:
    return f"The attack on {_get(event, 'target')} is not made{_why(event)}"


def _over(words: SandsWords, event: Event) -> str:
    return f"The combat at {_get(event, 'target')} is over"


# --- outside movement and combat -----------------------------------------------------------


def _rd(words: SandsWords, event: Event) -> str:
    start, end = words.place(_get(event, "from")), words.place(_get(event, "to"))
    left = f", {_get(event, 'left')} left" if _get(event, "left") else ""
    company = "; the battlegroup of the turn by SS 12.83" if _get(event, "company") == "yes" else ""
    way = WAYS.get(_get(event, "mode"), "")
    return f"{_unit(words, event)} redeploys{way} from {start} to {end} ({_get(event, 'cost')} RD{left}{company})"


def _mission(words: SandsWords, event: Event) -> str:
    spies, result = _get(event, "mission") == "intelligence", _get(event, "result")
    did = "gathers intelligence" if spies else "raids"
    came = f"it sees {counted(int(result), 'card')}" if spies else RAIDS.get(result, result)
    cost = f" ({_get(event, 'cost')} OPS)" if _get(event, "cost") not in ("", "0") else ""
    return f"{_unit(words, event)} in {_get(event, 'at')} {did}{cost}, die {_get(event, 'die')}: {came}"


def _seen(words: SandsWords, event: Event) -> str:
    return f"Cards seen in the hand of the {_side(event)} player: {words.names(_list(event, 'cards')) or 'none'}"


def _pools(event: Event) -> str:
    pairs = ((str(row.get("points")), str(row.get("pool"))) for row in _rows(event, "pools"))
    return ", ".join(f"{points} {POOLS.get(pool, pool)}" for points, pool in pairs)


def _paid(event: Event) -> str:
    pool = POOLS.get(_get(event, "pool"), _get(event, "pool"))
    return f"{_get(event, 'cost')} {pool} RP, {_get(event, 'left')} left"


def _rp(words: SandsWords, event: Event) -> str:
    charter = f"; the Atlantic Charter's point is {_get(event, 'charter')}" if _get(event, "charter") else ""
    return f"{_side(event)} replacement points: {_pools(event)}{charter}"


def _rp_lost(words: SandsWords, event: Event) -> str:
    return f"{_side(event)} replacement points lost: {_pools(event)}"


def _restored(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} in {words.place(_get(event, 'at'))} is at full strength again ({_paid(event)})"


def _recreated(words: SandsWords, event: Event) -> str:
    step = ", reduced" if _get(event, "step") == "reduced" else ""
    where = words.place(_get(event, "to"))
    return f"{_unit(words, event)} comes back in {where}{step} ({_paid(event)})"


def _arrived(words: SandsWords, event: Event) -> str:
    step = ", reduced" if _get(event, "step") == "reduced" else ""
    return f"{_unit(words, event)} comes into play in {words.place(_get(event, 'to'))}{step}"


def _swapped(words: SandsWords, event: Event) -> str:
    return f"{_unit(words, event)} makes room and goes to {words.place(_get(event, 'to'))}"


def _discard(words: SandsWords, event: Event) -> str:
    return f"{_side(event)} discards: {words.names(_list(event, 'cards'))}"


def _taken(words: SandsWords, event: Event) -> str:
    name = _get(event, "name")
    return f"{_side(event)} takes {words.name(name) if name else 'a card, face down,'} into the hand"


def _resorted(words: SandsWords, event: Event) -> str:
    return f"{_side(event)}: the hand is dealt anew"


def _merge(words: SandsWords, event: Event) -> str:
    back, new = len(_list(event, "cards")), len(_list(event, "new"))
    more = f", with {counted(new, 'new card')}" if new else ""
    return f"{_side(event)} shuffles {counted(back, 'discarded card')} into the draw pile{more}"


def _upgraded(words: SandsWords, event: Event) -> str:
    return f"{words.name(_get(event, 'to'))} takes the place of {_unit(words, event)}"


def _withdrawn(words: SandsWords, event: Event) -> str:
    start, end = words.place(_get(event, "from")), words.place(_get(event, "to"))
    return lines.withdrawn(_unit(words, event), start, end, event)


def _card_removed(words: SandsWords, event: Event) -> str:
    return f"{_side(event)}: out of the game: {words.names(_list(event, 'cards'))}"


def _phase(words: SandsWords, event: Event) -> str:
    if _get(event, "phase") == "over":
        return "The game is over"
    whose = f" of the {_side(event, 'active')} player" if _get(event, "active") else ""
    return f"=== {_get(event, 'phase').capitalize()} phase{whose} ==="


def _victory(words: SandsWords, event: Event) -> str:
    if _get(event, "winner") == "draw":
        return f"A draw: both sides have won, with {_get(event, 'vp')} victory points"
    how = "automatic victory" if _get(event, "how") == "automatic" else "victory on points"
    return f"{_side(event, 'winner')} {how}, with {_get(event, 'vp')} victory points"


# --- orders --------------------------------------------------------------------------------


def _void(words: SandsWords, event: Event) -> str:
    return f"An order of type {_get(event, 'type')} is void{_why(event)}"


def _standing(words: SandsWords, event: Event) -> str:
    topic = TOPICS.get(_get(event, "topic"), _get(event, "topic"))
    return f"{_side(event)} standing order: {topic}"


def _rules(words: SandsWords, event: Event) -> str:
    return f"Other rules hold from here on, agreed in messages {event.data['offered']} and {event.data['accepted']}"


def _rules_later(words: SandsWords, event: Event) -> str:
    return "What had begun before is finished by the rules of before"


TELLERS: dict[str, Teller] = {
    "setup": _setup,
    "deploy": _deploy,
    "control": _control,
    "vp": _vp,
    "pile": _pile,
    "draw": _draw,
    "turn": _turn,
    "round": _round,
    "end-round": _end_round,
    "action": _action,
    "event": _event,
    "released": _released,
    "marker": _marker,
    "marker-gone": _marker_gone,
    "move": _move,
    "thrown-back": _thrown_back,
    "ordered": _ordered,
    "designate": _designate,
    "flank": _flank,
    "fire": _fire,
    "losses": _losses,
    "reduced": _reduced,
    "flipped": _flipped,
    "eliminated": _eliminated,
    "replaced": _replaced,
    "winner": _winner,
    "hold": _hold,
    "overrun": _overrun,
    "retreat": _retreat,
    "relocate": _relocate,
    "advance": _advance,
    "stays": _stays,
    "called-off": _called_off,
    "combat-over": _over,
    "rd": _rd,
    "mission": _mission,
    "cards-seen": _seen,
    "combat-card": _card,
    "card-kept": _card_kept,
    "card-gone": _card_gone,
    "put-down": _put_down,
    "cards-shown": _shown,
    "rp": _rp,
    "rp-lost": _rp_lost,
    "restored": _restored,
    "recreated": _recreated,
    "arrived": _arrived,
    "swapped": _swapped,
    "discard": _discard,
    "taken": _taken,
    "resorted": _resorted,
    "merge": _merge,
    "counts": lambda _words, event: lines.counts(event),
    "scored": lambda _words, event: lines.scored(event),
    "mandate": lambda _words, event: lines.mandate(event),
    "upgraded": _upgraded,
    "waits": lambda words, event: lines.waits(_unit(words, event), event),
    "withdrawn": _withdrawn,
    "substituted": _replaced,
    "card-removed": _card_removed,
    "phase": _phase,
    "victory": _victory,
    "void": _void,
    "standing": _standing,
    "rules": _rules,
    "rules-later": _rules_later,
}
