"""Which combat cards may be used in a combat (SS 7.6, 11.25, 13.73, ruling A66).

The attacker plays his before the defender. :func:`card_problems` is the one legality of a card in a combat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.cards import NAME, known
from adjudicator.shifting_sands.conditions import holds
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.events.playable import conditions_of, in_words
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat, fighters, status_in
from adjudicator.shifting_sands.played import PlayedCard, cancels_flank, card_title, combat_effects
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT
from adjudicator.shifting_sands.world import Record, rows, text, texts

ORDER = "combat_card"
HAND, TABLE = "hand", "table"
EITHER = "either"
CONDITIONS_IF = {"flank": ("success",), "no_flank": ("none", "failure", "cancelled")}
"""What a card may wait for, by the state of the flank attack."""
BARRED_NATIONS = {"IR": "SS 10.421", "VF": "SS 10.431"}
"""Nations that no Axis combat card helps before their event (SS 10.421, 10.431)."""


def name_of(state: State, side: str, order: Order, card: str) -> str:
    """The id in the pack of a card that an order names; "" where nobody has opened it."""
    return known(state, order, card, NAME) or state.opened.get(side, {}).get(card, "")


def lies_in(state: State, side: str, card: str) -> str:
    """Whether a card is in a side's hand or on the table before it; "" for neither (SS 7.612)."""
    if card in state.hands.get(side, []):
        return HAND
    return TABLE if card in state.face_up.get(side, []) else ""


def card_problems(state: State, combat: Combat, role: str, card: str, name: str) -> list[Problem]:
    """Why a side may not use a card in a combat, as far as it has come.

    Rules: SS 7.61, 7.614, 11.25, faq.cards.9.
    """
    side, row = combat.side_of(role), state.world.cards.get(name, {})
    title = card_title(state.world, name) if row else "the card"
    if not lies_in(state, side, card):
        return [_problem("hand", "SS 11.25", f"{title} is neither in hand nor face up before you", "leave it out")]
    effects = combat_effects(row)
    if not effects:
        hint = "only combat cards are played in combat"
        return [_problem("kind", "SS 7.61", f"{title} is no combat card", hint)]
    if not any(text(effect, "role") in (EITHER, role) for effect in effects):
        return [_problem("role", "SS 11.25", f"{title} is not played by the {role}", "leave it out")]
    if card in state.used.get(side, []) or any(card == one.card and role == one.role for one in combat.cards):
        return [_problem("used", "SS 7.614", f"{title} was used in this action round already", "another round")]
    if role == ATTACKER and any(one.role == DEFENDER for one in combat.cards):
        return [_problem("late", "SS 11.25", "the defender has played: the attacker plays first", "leave it out")]
    return _unfit(state, combat, role, row, title) or _useless(state, combat, role, title)


def _problem(code: str, rule: str, said: str, hint: str) -> Problem:
    return Problem(code, rule, said, hint, field="card")


def _unfit(state: State, combat: Combat, role: str, row: Record, title: str) -> list[Problem]:
    """What the card itself asks for: conditions, requirements, cards that it does not go with."""
    unmet = next((one for one in conditions_of(state, row) if not holds(state, one)), None)
    if unmet is not None:
        rule = f"SS {text(unmet, 'rule', '7.51')}"
        return [_problem("early", rule, f"{title} may not be played yet: {in_words(unmet)}", "leave it out")]
    for effect in combat_effects(row):
        for need in rows(effect, "requires"):
            if not _met(state, combat, role, need):
                return [_problem("requires", "SS 11.25", f"{title}: {_need_words(need)}", "leave it out")]
        other = _clash(state, combat, role, row, effect)
        if other:
            said = f"{title} is not played in one combat with {other}"
            return [_problem("with", "SS faq.rules.3", said, "play one of the two")]
    return []


def _clash(state: State, combat: Combat, role: str, row: Record, effect: Record) -> str:
    """A card of the same player in the combat that this one does not go with, whichever of the two says so.

    Rule: SS faq.rules.3.
    """
    own, barred = text(row, "name"), texts(effect, "not_with")
    for card in combat.cards:
        lying = state.world.cards.get(card.name, {})
        theirs = [name for one in combat_effects(lying) for name in texts(one, "not_with")]
        if card.role == role and (text(lying, "name") in barred or own in theirs):
            return text(lying, "name")
    return ""


def _useless(state: State, combat: Combat, role: str, title: str) -> list[Problem]:
    """A card must be able to help a unit that takes part (ruling A66): in supply, and no neutral that it bars."""
    units = fighters(state, combat, role)
    faults = {uid: _unhelped(state, combat, uid) for uid in units}
    cut_off = [uid for uid in units if faults[uid] == "SS 13.73"]
    if cut_off and state.world.switch("cards_mixed_oos", "allowed") == "barred":
        said = f"{', '.join(cut_off)} is out of supply, and this game has no cards then"
        return [_problem("supply", "SS 13.73", said, "leave it out")]
    if not units or not all(faults.values()):
        return []
    rule = next(iter(faults.values()))
    why = "out of supply" if rule == "SS 13.73" else "not helped by Axis combat cards before their event"
    return [_problem("useless", rule, f"{title} helps nobody: {', '.join(units)} are {why}", "leave it out")]


def _unhelped(state: State, combat: Combat, uid: str) -> str:
    """The rule by which no combat card helps a unit; "" where one may (SS 10.421, 10.431, 13.73)."""
    nation = state.counter(uid).nation
    if nation in BARRED_NATIONS and not _helped_nation(state, nation):
        return BARRED_NATIONS[nation]
    return "SS 13.73" if status_in(state, combat, uid) == OUT else ""


def _helped_nation(state: State, nation: str) -> bool:
    effects = (effect for _, effect in in_force(state, "range") if text(effect, "combat_cards") == "yes")
    return any(nation in texts(effect, "nations") for effect in effects)


# --- what cards ask of a combat --------------------------------------------------------------------------------------


def _met(state: State, combat: Combat, role: str, need: Record) -> bool:
    """True where every part of a requirement holds. What is no matter of the combat is one condition of the position,
    whose parts belong together (``if_played`` and ``then_played``)."""
    of_state = {name: need[name] for name in need if name not in (*_NEEDS, *_PARTED)}
    parts = (_part_met(state, combat, role, need, name) for name in need if name not in of_state)
    return holds(state, of_state) and all(parts)


def _part_met(state: State, combat: Combat, role: str, need: Record, name: str) -> bool:
    if name in _PARTED:
        parts = [_met(state, combat, role, part) for part in rows(need, name)]
        return any(parts) if name == "any_of" else not all(parts)
    return _NEEDS[name](state, combat, role, need)


def _unit_fits(state: State, combat: Combat, role: str, wanted: object) -> bool:
    """One unit of a role has the nation and the type that are asked for."""
    if not isinstance(wanted, dict):
        return False
    units = [state.counter(uid) for uid in fighters(state, combat, role)]
    return any(all(getattr(unit, key) == value for key, value in wanted.items()) for unit in units)


def _opposite(role: str) -> str:
    return DEFENDER if role == ATTACKER else ATTACKER


def _own_spaces(state: State, combat: Combat, role: str, need: Record) -> bool:
    """All spaces that a side fights from have such terrain, as the map has it (SS faq.cards.32)."""
    spaces = combat.origins if role == ATTACKER else (combat.target,)
    return all(state.world.spaces[name].terrain in texts(need, "own_spaces") for name in spaces)


_PARTED = ("any_of", "not")
_NEEDS: dict[str, Callable[[State, Combat, str, Record], bool]] = {
    "own": lambda s, c, role, need: _unit_fits(s, c, role, need.get("own")),
    "enemy": lambda s, c, role, need: _unit_fits(s, c, _opposite(role), need.get("enemy")),
    "terrain": lambda s, c, _role, need: s.world.spaces[c.target].terrain in texts(need, "terrain"),
    "fort": lambda s, c, _role, need: bool(s.world.spaces[c.target].fort) == (text(need, "fort") == "yes"),
    "region": lambda s, c, _role, need: any(s.world.in_region(c.target, name) for name in texts(need, "region")),
    "own_spaces": _own_spaces,
    "flank": lambda _s, c, _role, need: c.flank in texts(need, "flank"),
}


def _need_words(need: Record) -> str:
    """What a requirement asks for, for a player."""
    words: dict[str, Callable[[], str]] = {
        "own": lambda: f"it needs an own {_kind(need.get('own'))} unit in the combat",
        "enemy": lambda: f"it needs an enemy {_kind(need.get('enemy'))} unit in the combat",
        "terrain": lambda: f"the defending space must be {' or '.join(texts(need, 'terrain'))}",
        "fort": lambda: "the defending space must be a fort",
        "region": lambda: f"the defending space must lie in {' or '.join(texts(need, 'region'))}",
        "own_spaces": lambda: f"all your units must fight from {' or '.join(texts(need, 'own_spaces'))} spaces",
        "flank": lambda: "a flank attack has succeeded" if "success" not in texts(need, "flank") else "no flank attack",
        "season": lambda: f"the turn must be in {' or '.join(texts(need, 'season'))}",
        "any_of": lambda: " or ".join(_need_words(part) for part in rows(need, "any_of")),
    }
    return next((words[name]() for name in need if name in words), "its requirement does not hold")


def _kind(wanted: object) -> str:
    return " ".join(str(value) for value in wanted.values()) if isinstance(wanted, dict) else ""


# --- what there is, and what a card makes of the combat -------------------------------------------------------------


def title_of(state: State, side: str, card: str) -> str:
    """The id in the pack of a card that is known; the handle of one that is not."""
    return state.opened.get(side, {}).get(card, card)


def playable(state: State, combat: Combat, role: str) -> dict[str, list[Problem]]:
    """The combat cards that a side holds or has before it, each with what keeps it from being used now. Where cards lie
    face down only those that are known are there."""
    side = combat.side_of(role)
    found: dict[str, list[Problem]] = {}
    for card in (*state.hands.get(side, []), *state.face_up.get(side, [])):
        name = title_of(state, side, card)
        if combat_effects(state.world.cards.get(name, {})):
            found[card] = card_problems(state, combat, role, card, name)
    return found


def with_card(state: State, combat: Combat, card: PlayedCard) -> Combat:
    """The combat with one more card; it may undo a flank attack that has succeeded (SS faq.rules.3, faq.rules.4)."""
    undone = combat.flank == "success" and cancels_flank(state.world.cards[card.name])
    return replace(combat, cards=(*combat.cards, card), flank="cancelled" if undone else combat.flank)
