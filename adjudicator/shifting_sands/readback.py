"""An order read back as a player would say it (DESIGN, Turn file). Made from the events that the preview led to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.shifting_sands.card_words import does
from adjudicator.shifting_sands.fight import Fight, fight_after
from adjudicator.shifting_sands.prospects import both_fires, faces_line, fire_words, fires_of, would_be
from adjudicator.shifting_sands.provisos import conditional, proviso_words, provisos_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import (
    capital,
    card_name,
    in_supply,
    joined,
    names,
    place_name,
    points,
    short_name,
    shorts,
    side_name,
    unit_name,
)

SECTIONS = {
    "round": "Your action round:",
    "reaction": "Your answer to the attack:",
    "followup": "After the combat:",
    "replacement": "Your replacements:",
    "discard": "Before you draw:",
}
TOPICS = {
    "cards": "combat cards",
    "losses": "your losses",
    "hold": "holding instead of retreating",
    "retreat": "your retreats",
    "relocate": "where overrun units go",
    "flip": "captured supply",
    "withdraw": "units that events take",
}


def sentence(state: State, order: Order, events: Sequence[Event]) -> str:
    """One order in words. ``state`` is the position after the preview, ``events`` those of this order."""
    make = _SENTENCES.get(order.type)
    return capital(make(state, order, events) if make else f"{order.type}: {_fields(order)}")


def _fields(order: Order) -> str:
    return ", ".join(f"{name} {_plain(value)}" for name, value in order.data.items())


def _plain(value: Tree) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return "; ".join(f"{name} {_plain(item)}" for name, item in value.items())


def _of(events: Sequence[Event], kind: str) -> Event | None:
    return next((event for event in events if event.kind == kind), None)


def _text(event: Event | None, key: str) -> str:
    value = event.data.get(key, "") if event is not None else ""
    return value if isinstance(value, str) else ""


def _verb(units: Sequence[str], one: str, many: str) -> str:
    return one if len(units) == 1 else many


# --- the action -------------------------------------------------------------------------------------------------


def _play_card(state: State, order: Order, events: Sequence[Event]) -> str:
    action = _of(events, "action")
    side = side_name(_text(action, "side") or state.active)
    ops = _text(action, "ops")
    gives = f" for operations: {points(int(ops))}" if ops else f" for {order.text('use')}"
    return f"the {side} player plays {card_name(state, _text(action, 'name') or order.text('card'))}{gives}"


def _event(state: State, order: Order, events: Sequence[Event]) -> str:
    action = _of(events, "action")
    side = side_name(_text(action, "side") or state.active)
    ops = _text(action, "ops")
    name = _text(action, "name") or card_name(state, order.text("card"))
    more = [card_name(state, card) for card in order.texts("with_cards")]
    together = f", together with {joined(more)}" if more else ""
    gives = f": {points(int(ops))}" if ops else ""
    return f"the {side} player plays {name} as an event{together}{gives}"


def _withdraw(state: State, order: Order, _events: Sequence[Event]) -> str:
    return f"the {unit_name(state, order.text('unit'))} is given up"


def _auto_op(state: State, _order: Order, events: Sequence[Event]) -> str:
    action = _of(events, "action")
    side, ops = side_name(_text(action, "side") or state.active), int(_text(action, "ops") or "1")
    return f"the {side} player plays no card: automatic operation, {points(ops)}"


def _marker(state: State, order: Order, events: Sequence[Event]) -> str:
    purpose = "movement" if order.type == "move_marker" else "combat"
    placed = _of(events, "marker")
    said = f"activates {order.text('space')} for {purpose}"
    if placed is None:
        return said
    cost, left = int(_text(placed, "cost")), _text(placed, "left")
    return f"{said} ({points(cost)}, {left} left){_hampered(state, placed)}"


def _hampered(state: State, placed: Event) -> str:
    """Units that are not in full supply, as it was fixed by the marker."""
    rows = placed.data.get("supply", [])
    by_status: dict[str, list[str]] = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("status") != "full":
            by_status.setdefault(str(row.get("status")), []).append(str(row.get("unit")))
    parts = [f"{shorts(state, units)} {in_supply(status)}" for status, units in by_status.items()]
    return f"; {'; '.join(parts)}" if parts else ""


# --- movement ---------------------------------------------------------------------------------------------------


def _move(state: State, order: Order, events: Sequence[Event]) -> str:
    uid, path = order.text("unit"), order.texts("path")
    said = f"the {unit_name(state, uid)} moves {_way(path)}"
    moved = _of(events, "move")
    if moved is None:
        return said
    used = len(path) - 1
    joins = ", and joins the attack from there" if _text(moved, "joined") else ""
    return f"{said}, {used} of {used + int(_text(moved, 'left') or '0')} MF{joins}"


def _way(path: Sequence[str]) -> str:
    """``from Tobruk by Gambut to Bardia``."""
    if len(path) < 2:
        return f"in {joined(list(path))}"
    by = f" by {joined(list(path[1:-1]))}" if len(path) > 2 else ""
    return f"from {path[0]}{by} to {path[-1]}"


# --- combat -----------------------------------------------------------------------------------------------------


def _attack(state: State, order: Order, events: Sequence[Event]) -> str:
    units, target = order.texts("units"), order.text("target")
    flank = " with a flank attack" if order.text("flank") == "yes" else ""
    rommel = ", Rommel participating" if order.text("rommel") == "yes" else ""
    rommel += ", combat cards to be played once the flank die is known" if order.text("ask") else ""
    only = f", {proviso_words(provisos_of(order))}" if conditional(order) else ""
    said = f"{names(state, units)} {_verb(units, 'attacks', 'attack')} {target}{flank}{rommel}{only}"
    designated = _of(events, "designate")
    found = _opening(state, order) if designated is None else fight_after(None, designated)
    if found is None or not found.combat.defenders:
        return said
    combat = found.combat
    fires = both_fires(state, combat) if designated is None else fires_of(designated.data.get("fires", []))
    fire, answer = fires["attacker"], fires["defender"]
    return (
        f"{said}, held by {names(state, combat.defenders)}: {fire_words(state, combat, fire)}; losses "
        f"{faces_line(state, fire)}. The defenders fire with {fire_words(state, combat, answer)}; losses "
        f"{faces_line(state, answer)}"
    )


def _opening(state: State, order: Order) -> Fight | None:
    """The combat as it would be now, where the preview came to a stop before it."""
    units = order.texts("units")
    if any(uid not in state.pieces or not state.on_map(uid) for uid in units):
        return None
    return Fight(would_be(state, state.active, units, order.text("target"), order.text("rommel") == "yes"))


def _combat_card(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Minefields is played: the space counts as marsh``; with the fate of the flank attack that it waits for."""
    played = _of(events, "combat-card")
    card = _text(played, "name") or order.text("card")
    only = {"flank": ", if the flank attack succeeds", "no_flank": ", if no flank attack succeeds"}
    undone = "; the flank attack is cancelled" if _text(played, "flank") else ""
    when = only.get(order.text("if"), "")
    verb = "is used again" if _text(played, "source") == "table" else "is played"
    effect = does(state.world.cards.get(card, {}))
    return f"{card_name(state, card)} {verb}{_in_combat(order)}{when}: {effect}{undone}"


def _losses(state: State, order: Order, _events: Sequence[Event]) -> str:
    steps = order.texts("steps")
    if steps:
        taken = [f"{short_name(state, uid)}{_times(steps.count(uid))}" for uid in dict.fromkeys(steps)]
        return f"losses{_in_combat(order)} fall on {joined(taken)}, if that is what must be lost"
    first, keep = names(state, order.texts("first")), names(state, order.texts("keep"))
    told = {"prefer": "look to", "nations": "fall on", "replace": "are replaced by"}
    rest = [f"{words} {shorts(state, order.texts(name))}" for name, words in told.items() if order.texts(name)]
    parts = [f"fall on {first} first" if first else "", f"spare {keep}" if keep else "", *rest]
    return f"losses{_in_combat(order)} {joined([part for part in parts if part])}, as far as the rules allow it"


def _times(count: int) -> str:
    return f" ({count} steps)" if count > 1 else ""


def _in_combat(order: Order) -> str:
    return f" in combat {order.text('combat')}" if order.text("combat") else ""


def _hold(state: State, order: Order, _events: Sequence[Event]) -> str:
    return f"beaten, the {unit_name(state, order.text('unit'))} pays a step so that nobody retreats{_in_combat(order)}"


def _retreat(state: State, order: Order, _events: Sequence[Event]) -> str:
    path, ends = order.texts("path"), order.texts("to")
    beaten = {2: "by one", 3: "by two or more"}.get(len(path), "")
    way = _way(path) if path else f"to {joined(ends, 'or')}, {'if it' if len(ends) == 1 else 'the first that'} is open"
    when = " ".join(part for part in ("beaten", beaten, _in_combat(order).strip()) if part)
    return f"{when}, the {unit_name(state, order.text('unit'))} retreats {way}"


def _relocate(state: State, order: Order, _events: Sequence[Event]) -> str:
    return f"overrun, the {unit_name(state, order.text('unit'))} goes to {place_name(order.text('to'))}"


FATES = {
    "retreat1": "the defenders retreat one space",
    "retreat2": "they retreat two",
    "cleared": "the space is overrun or its defence wiped out",
    "overrun": "the space is overrun",
    "wiped_out": "its defence is wiped out",
}


def _advance(state: State, order: Order, events: Sequence[Event]) -> str:
    fates = [FATES.get(fate, fate) for fate in order.texts("if")]
    only = f", only if {joined(fates, 'or')}" if fates else ""
    said = f"the {unit_name(state, order.text('unit'))} advances {_way(order.texts('path'))}{only}"
    if _of(events, "advance") is not None:
        return said
    stays = _of(events, "stays")
    why = f"; as far as the dice are known it stays: {_text(stays, 'why')}" if stays is not None else ""
    return f"{said}{'' if only else ', if the space is cleared'}{why}"


def _wait(_state: State, order: Order, _events: Sequence[Event]) -> str:
    topic = TOPICS.get(order.text("topic"), order.text("topic"))
    said = f"{_in_combat(order)} you will decide about {topic} when it comes to it (two more messages)"
    return said.lstrip()


def _end_movement(state: State, order: Order, _events: Sequence[Event]) -> str:
    gone = order.texts("eliminate")
    lost = f"; {names(state, gone)} beyond the limit {_verb(gone, 'is', 'are')} eliminated" if gone else ""
    return f"movement ends{lost}"


def _captured_supply(state: State, order: Order, _events: Sequence[Event]) -> str:
    units = order.texts("units")
    if not units:
        return "captured supply restores nobody"
    return f"captured supply restores {names(state, units)}"


def _end_round(_state: State, _order: Order, _events: Sequence[Event]) -> str:
    return "nothing more: losses and advances of your own are bound to these orders"


# --- outside movement and combat ------------------------------------------------------------------------------


def _rd(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the Italian 17th Division redeploys by land from Tripoli by Tarhuna to Buerat (3 points, 1 left)``."""
    done = _of(events, "rd")
    who = f"the {unit_name(state, order.text('unit'))} redeploys"
    path = order.texts("path")
    way = _way(path) if path else f"to {place_name(order.text('to'))}"
    if done is None:
        return f"{who} {way}"
    mode = {"sea": " by sea", "from_reserve": " out of the reserve box"}.get(_text(done, "mode"), "")
    left = f", {_text(done, 'left')} left" if _text(done, "left") else ""
    return f"{who}{mode} {way} ({points(int(_text(done, 'cost')))}{left})"


def _lrdg(state: State, order: Order, _events: Sequence[Event]) -> str:
    what = "gathers intelligence" if order.text("mission") == "intelligence" else "goes on a raid"
    return f"the LRDG {what}{', free of cost' if order.text('free') == 'yes' else ''}"


def _place(state: State, order: Order, _events: Sequence[Event]) -> str:
    """``the German 999th Division comes into play in Tunis``."""
    uid, leaves = order.text("unit"), order.text("replaces")
    said = f"the {unit_name(state, uid)} comes into play in {place_name(order.text('to'))}"
    if not leaves:
        return said
    return f"{said} in place of the {unit_name(state, leaves)}, which goes to {order.text('replaced_to') or 'no place'}"


def _rebuilt(state: State, order: Order, events: Sequence[Event]) -> str:
    """``the German 15th Panzer Division takes a step (1 GE point, 0.5 left)``."""
    done = _of(events, "restored") or _of(events, "recreated")
    back = f"comes back in {place_name(order.text('to'))}" if order.type == "recreate" else "takes a step"
    step = " at reduced strength" if order.text("steps") == "1" and order.type == "recreate" else ""
    said = f"the {unit_name(state, order.text('unit'))} {back}{step}"
    if done is None:
        return said
    return f"{said} ({_text(done, 'cost')} {_text(done, 'pool')}, {_text(done, 'left')} left)"


def _rp_choice(_state: State, order: Order, _events: Sequence[Event]) -> str:
    nation = {"BR": "British", "CW": "Commonwealth"}.get(order.text("nation"), order.text("nation"))
    return f"the point of the Atlantic Charter is {nation} in this phase"


def _discard(state: State, order: Order, _events: Sequence[Event]) -> str:
    return f"discarded before drawing: {joined([card_name(state, card) for card in order.texts('cards')])}"


def _take(state: State, order: Order, events: Sequence[Event]) -> str:
    taken = _of(events, "taken")
    name = card_name(state, _text(taken, "name") or order.text("card"))
    return f"taken into the hand by name: {name}"


# --- the rest ---------------------------------------------------------------------------------------------------


def _section(_state: State, order: Order, _events: Sequence[Event]) -> str:
    said = SECTIONS.get(order.text("name"), f"{capital(order.text('name'))}:")
    asked = [TOPICS.get(topic, topic) for topic in order.texts("ask")]
    return f"{said.rstrip(':')}, to be asked about {joined(asked)}:" if asked else said


def _named(state: State, value: Tree) -> Tree:
    """A clause with the names of its units and cards for their ids."""
    if isinstance(value, str):
        parts = value.split(", ")
        return ", ".join(short_name(state, part) if part in state.pieces else card_name(state, part) for part in parts)
    if isinstance(value, list):
        return [_named(state, item) for item in value]
    return {name: _named(state, item) for name, item in value.items()}


def _standing(state: State, order: Order, _events: Sequence[Event]) -> str:
    rules = order.data.get("rules", [])
    clauses = rules if isinstance(rules, list) else [rules]
    said = " / ".join(_plain(_named(state, clause)) for clause in clauses) or "no rules"
    topic = TOPICS.get(order.text("topic"), order.text("topic"))
    kind = "sealed" if order.text("sealed") == "yes" else "open"
    return f"from your next message on, {kind} standing order for {topic}: {said}"


def _answer(state: State, order: Order, _events: Sequence[Event]) -> str:
    units = order.texts("units") or order.texts("unit")
    cards = ", ".join(card_name(state, card) for card in order.texts("cards"))
    parts = [shorts(state, units), " then ".join(order.texts("path")), order.text("place"), cards, order.text("say")]
    return f"to {order.text('to')}: {', '.join(part for part in parts if part) or 'nothing'}"


_SENTENCES: dict[str, Callable[[State, Order, Sequence[Event]], str]] = {
    "section": _section,
    "play_card": _play_card,
    "auto_op": _auto_op,
    "event": _event,
    "withdraw": _withdraw,
    "move_marker": _marker,
    "attack_marker": _marker,
    "move": _move,
    "attack": _attack,
    "combat_card": _combat_card,
    "losses": _losses,
    "hold": _hold,
    "retreat": _retreat,
    "relocate": _relocate,
    "advance": _advance,
    "wait": _wait,
    "end_round": _end_round,
    "end_movement": _end_movement,
    "captured_supply": _captured_supply,
    "rd": _rd,
    "place": _place,
    "lrdg": _lrdg,
    "replace": _rebuilt,
    "recreate": _rebuilt,
    "rp_choice": _rp_choice,
    "discard": _discard,
    "take": _take,
    "standing": _standing,
    "answer": _answer,
}
