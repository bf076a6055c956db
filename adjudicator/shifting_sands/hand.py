"""The own hand for its owner's eyes: what each card may be played for, and if not, why (SS 6.12, 7, 11.25).

Everything is read out of the state as its owner sees it and out of his own faces: nothing here knows the other hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.engine.counting import counted
from adjudicator.engine.driver import Waits
from adjudicator.engine.queries import Reply
from adjudicator.shifting_sands.activation import action_problems
from adjudicator.shifting_sands.card_rules import card_problems, title_of
from adjudicator.shifting_sands.card_words import does, role_words
from adjudicator.shifting_sands.cards import points_text
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.drawing import hand_size, offered, take_problems
from adjudicator.shifting_sands.events.placing import apart_of, brought, open_places
from adjudicator.shifting_sands.events.playable import barred, event_problems, partners, points_now
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.phases import OVER, REPLACEMENT
from adjudicator.shifting_sands.played import combat_effects
from adjudicator.shifting_sands.prospects import under_way
from adjudicator.shifting_sands.replacement import of_card, said
from adjudicator.shifting_sands.state import ROUNDS, Ops, State, turn_name
from adjudicator.shifting_sands.words import card_name, moment, place_name, short_name, side_name
from adjudicator.shifting_sands.world import Record, rows, text

COMBAT_KEYS = ("react", "cards", "followup")
"""The choices within a combat at which its side may use combat cards or order an attack with some."""
USES = {"ops": "operations", "rd": "redeployment", "rp": "replacement points"}
Spoken = Callable[[str], str]


# --- what a card may be now: shared with the turn file to fill in -----------------------------------------------------


def event_faults(state: State, side: str, card: str) -> list[Problem]:
    """Why a card of the own hand may not be played as an event now, with what must be played with it at hand."""
    row = state.world.cards.get(card, {})
    if text(row, "kind") == "combat":
        return barred(state, side, row)
    wanted = partners(state, row)
    held = [c for c in state.hands.get(side, []) if text(state.world.cards.get(c, {}), "name") in wanted]
    data: dict[str, Tree] = {"card": card, **({"with_cards": [*held]} if held else {})}
    return event_problems(state, side, Order(0, "event", data))


def gives(state: State, side: str, row: Record) -> list[str]:
    """What an event brings besides its lasting effects."""
    found = []
    for effect in rows(row, "effects"):
        if text(effect, "do") == "place" and hold(state, rows(effect, "if")):
            found += [_unit(state, effect, uid) for uid in brought(state, effect)]
    if text(row, "square") == "yes":
        found.append(f"its {text(row, 'ops')} operations points too")
    for do, what in (("rp_now", "replacement points"), ("rd_points", "redeployment")):
        if any(text(effect, "do") == do for effect in rows(row, "effects")):
            found.append(what if points_now(state, side, row, do) else f"no {what}, after a round of them")
    with_ = list(partners(state, row))
    return [*found, *([f"together with {', '.join(with_)} (with_cards)"] if with_ else [])]


def _unit(state: State, effect: Record, uid: str) -> str:
    able = open_places(state, uid, text(effect, "where"), (), apart_of(effect))
    return f"{short_name(state, uid)} to {', '.join(map(place_name, able)) or 'no place yet'}"


# --- the answer -------------------------------------------------------------------------------------------------------


def hand_reply(state: State, seen: State, side: str, waits: Waits, spoken: Spoken) -> Reply:
    """The hand of a side; ``seen`` is the state with its own cards by id, ``state`` the one with their handles."""
    due = waits.why == "decision" and waits.side == side and waits.key.startswith("orders/")
    then = seen if due else coming_round(seen, side)
    combat = under_way(seen) if waits.side == side and waits.key.split("/")[0] in COMBAT_KEYS else None
    over = seen.step == OVER
    handles = dict(zip(seen.hands.get(side, []), state.hands.get(side, []), strict=True))
    held = [
        {"card": card, "handle": handle if handle != card else "", **_face(seen, card),
         "uses": {} if over else _uses(then, combat, side, card, spoken)}
        for card, handle in handles.items()
    ]
    tree = {"now": due, "turn": turn_name(then.turn), "round": then.round, "hand": held, **_table(seen, state, side)}
    return Reply([*_head(seen, then, due, over, len(held)), *_card_lines(held), *_rest(seen, side, tree)], tree)


def coming_round(state: State, side: str) -> State:
    """The position as in the next action round of a side, if nothing changed until then."""
    then = state.copy()
    then.active, then.ops, then.phase, then.step, then.fight = side, Ops(), "action", "round", None
    if state.phase == "setup":
        return then
    if state.phase == "action" and state.history.get(side, {}).get(state.round):
        then.round += 1
    if state.phase != "action" or then.round > ROUNDS:
        then.turn, then.round, then.history, then.reinforced = state.turn + 1, 1, {}, {}
    return then


def _face(state: State, card: str) -> dict[str, Any]:
    """What stands on a card."""
    row = state.world.cards[card]
    flags = {flag: text(row, flag) == "yes" for flag in ("square", "asterisk", "t_card")}
    face = {"name": text(row, "name"), "number": text(row, "number"), "kind": text(row, "kind")}
    return {**face, "ops": text(row, "ops"), "rp": points_text(row.get("rp")), **flags}


def _uses(then: State, combat: Combat | None, side: str, card: str, spoken: Spoken) -> dict[str, Any]:
    """Each use of a card: whether it may be played so, what that brings, else why not."""
    row = then.world.cards[card]
    found = {}
    if text(row, "kind") != "combat":
        brings = "; ".join(gives(then, side, row))
        found["event"] = _use(event_faults(then, side, card), brings, spoken)
    points = {"ops": text(row, "ops"), "rd": text(row, "ops"), "rp": _points(then, side, row)}
    for use, worth in points.items():
        order = Order(0, "play_card", {"card": card, "use": use})
        found[use] = _use(action_problems(then, side, order), worth, spoken)
    if combat_effects(row):
        found["combat"] = {"role": role_words(row), **_in_combat(then, combat, side, card, row, spoken)}
    return found


def _use(problems: Sequence[Problem], brings: str, spoken: Spoken) -> dict[str, Any]:
    reasons = [{"rule": problem.rule, "text": spoken(problem.text)} for problem in problems]
    return {"may": not problems, "brings": brings, "reasons": reasons}


def _points(state: State, side: str, row: Record) -> str:
    """The replacement points that a card brings now: ``1 BR, 1 CW``."""
    found = of_card(state, side, points_text(row.get("rp")))
    return ", ".join(f"{said(halves)} {pool}" for pool, halves in sorted(found.items()))


def _in_combat(
    state: State, combat: Combat | None, side: str, card: str, row: Record, spoken: Spoken
) -> dict[str, Any]:
    """A combat card: in the combat under way, or, as long as none is, whether its conditions hold."""
    if combat is not None:
        role = "attacker" if side == combat.attacker else "defender"
        found = _use(card_problems(state, combat, role, card, card), does(row), spoken)
        return {"in": combat.target, **found}
    yet = Problem("early", "SS 7.51", "it may not be played yet", "play it for something else")
    early = [] if hold(state, rows(row, "conditions")) else [yet]
    return {"in": "", **_use(early, does(row), spoken)}


def _table(seen: State, state: State, side: str) -> dict[str, Any]:
    """The cards besides the hand: numbers of both sides; names of the own and of what lies open."""
    return {
        "size": hand_size(seen, side) if seen.phase not in ("setup", "over") else len(seen.hands.get(side, [])),
        "in_hand": {one: len(seen.hands.get(one, [])) for one in SIDES},
        "pile": {one: len(seen.piles.get(one, [])) for one in SIDES},
        "discarded": {one: len(seen.discards.get(one, [])) for one in SIDES},
        "discards": list(seen.discards.get(side, [])),
        "face_up": [_face_up(seen, one, card) for one in SIDES for card in seen.face_up.get(one, [])],
        "take": _takes(seen, state, side),
    }


def _face_up(seen: State, side: str, card: str) -> dict[str, Any]:
    name = title_of(seen, side, card)
    return {"side": side, "card": name, "used": card in seen.used.get(side, [])}


def _takes(seen: State, state: State, side: str) -> list[dict[str, str]]:
    """The cards that may be taken by name in the draw that comes, as far as they are in pile or discards (SS 7.74)."""
    names = seen.faces.get(side, {})
    trial = seen.copy()
    trial.piles[side] = [names.get(card, card) for card in state.piles.get(side, [])]
    due = state.step in (REPLACEMENT, "setup") and (state.step == "setup" or state.active == side)
    able = offered(trial, side) if due else {}
    orders = {card: Order(0, "take", {"card": card}) for card in able}
    return [
        {"card": card, "rule": able[card]}
        for card, order in orders.items()
        if all(problem.code == "full" for problem in take_problems(trial, side, order, ()))
    ]


# --- in lines ---------------------------------------------------------------------------------------------------------


def _head(seen: State, then: State, due: bool, over: bool, count: int) -> list[str]:
    lines = [f"{moment(seen)}. You hold {counted(count, 'card')}."]
    if over:
        return [*lines, "The game is over: no card is played any more."]
    if not due:
        when = f"round {then.round} of {turn_name(then.turn)}"
        return [*lines, f"It is not your action now. What each card may be in your next one ({when}), as things stand:"]
    return lines


def _card_lines(held: Sequence[Mapping[str, Any]]) -> list[str]:
    return [line for card in held for line in (_title(card), *_use_lines(card["uses"]))]


def _title(card: Mapping[str, Any]) -> str:
    flags = {"square": "square", "asterisk": "asterisk", "t_card": "T"}
    marks = "".join(f", {word}" for flag, word in flags.items() if card[flag])
    where = f", card {card['handle']}" if card["handle"] else ""
    rp = "" if card["rp"] == "none" else f", RP {card['rp']}"
    return f"{card['name']} ({card['card']}{where}): {card['ops']} OPS{rp}; {card['kind']}{marks}"


def _use_lines(uses: Mapping[str, Any]) -> list[str]:
    """The event first, then what the card is played for face down, then the combat."""
    lines = []
    if "event" in uses:
        event = uses["event"]
        lines.append(f"  as an event: {event['brings'] or 'yes'}" if event["may"] else f"  no event: {_why(event)}")
    able = [f"{what}{_worth(use, uses[use])}" for use, what in USES.items() if use in uses and uses[use]["may"]]
    lines += [f"  for {', '.join(able)}"] if able else []
    barred_ = [use for use in USES if use in uses and not uses[use]["may"]]
    lines += [f"  not for {USES[use]}: {_why(uses[use])}" for use in barred_]
    if "combat" in uses:
        combat = uses["combat"]
        where = f" now, in the combat for {combat['in']}" if combat["in"] else f" in {combat['role']}"
        told = combat["brings"] if combat["may"] else f"no, {_why(combat)}"
        lines.append(f"  as a combat card{where}: {told}")
    return lines


def _worth(use: str, told: Mapping[str, Any]) -> str:
    if use == "rp":
        return f" ({told['brings'] or 'it has none'})"
    return f" ({told['brings']})"


def _why(use: Mapping[str, Any]) -> str:
    return "; ".join(f"{reason['text']} ({reason['rule']})" for reason in use["reasons"])


def _rest(seen: State, side: str, tree: Mapping[str, Any]) -> list[str]:
    other = next(one for one in SIDES if one != side)
    lines = []
    for one in (side, other):
        cards = [row for row in tree["face_up"] if row["side"] == one]
        named = ", ".join(card_name(seen, row["card"]) + (" (used)" if row["used"] else "") for row in cards)
        whose = "you" if one == side else f"the {side_name(one)} player"
        lines += [f"Face up before {whose}: {named}."] if cards else []
    own = ", ".join(card_name(seen, card) for card in tree["discards"])
    pile, gone, held = tree["pile"], tree["discarded"], tree["in_hand"]
    lines.append(f"Your draw pile: {counted(pile[side], 'card')}; your discards: {own or 'none'}.")
    lines.append(
        f"{side_name(other)}: {held[other]} in hand, {pile[other]} in the draw pile, {gone[other]} discarded."
    )
    take = ", ".join(f"{card_name(seen, row['card'])} ({row['rule']})" for row in tree["take"])
    return [*lines, *([f"May be taken by name now (order take): {take}."] if take else [])]
