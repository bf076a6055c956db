"""Combat cards of chance, picked from those that may be used (SS 11.25): for players that are programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.card_rules import playable, title_of, with_card
from adjudicator.shifting_sands.choices import react_key
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat
from adjudicator.shifting_sands.played import PlayedCard, combat_effects
from adjudicator.shifting_sands.prospects import under_way, would_be
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import rows, text, texts

Row = dict[str, Tree]
CARD_SHARE, IF_SHARE, ANSWER_SHARE, CLAUSE_SHARE = 0.6, 0.3, 0.2, 0.5
FATES = ("success", "failed", "none")


def picked(state: State, combat: Combat, role: str, chance: Chance, but: Sequence[str] = ()) -> list[str]:
    """Cards that a side may use one after the other, but none of those named; often none at all."""
    side, cards = combat.side_of(role), list[str]()
    while chance.likely(CARD_SHARE):
        found = playable(state, combat, role).items()
        able = [card for card, problems in found if not problems and card not in but]
        if not able:
            break
        cards.append(chance.pick(able))
        combat = with_card(state, combat, PlayedCard(role, cards[-1], title_of(state, side, cards[-1])))
    return cards


def without(state: State, side: str, written: Sequence[Mapping[str, Tree]]) -> State:
    """A position in which the cards that a message names already are neither in hand nor face up: each is named once
    (PROTOCOL 6)."""
    told = [*written, *(one for row in written for one in rows(row, "rules"))]
    keys = ("card", "cards", "with_cards", "play")
    named = {card for row in told for key in keys for card in (*texts(row, key), text(row, key))}
    if not named & {*state.hands.get(side, []), *state.face_up.get(side, [])}:
        return state
    left = state.copy()
    for zone in (left.hands, left.face_up):
        zone[side] = [card for card in zone.get(side, []) if card not in named]
    return left


def attack_rows(
    state: State, side: str, attack: Row, units: Sequence[str], but: Sequence[str], chance: Chance
) -> list[Row]:
    """Cards bound to an attack; where a flank attack is tried some wait for its die."""
    combat = would_be(state, side, units, str(attack["target"]), attack.get("rommel") == "yes")
    told: list[Row] = [{"type": "combat_card", "card": card} for card in picked(state, combat, ATTACKER, chance, but)]
    if attack.get("flank") == "yes":
        for row in told:
            if chance.likely(IF_SHARE):
                row["if"] = chance.pick(("flank", "no_flank"))
    return told


def asked_rows(state: State, _side: str, chance: Chance) -> list[Row]:
    """The attacker's cards once the flank die is known."""
    combat = under_way(state)
    cards = picked(state, combat, ATTACKER, chance) if combat is not None else []
    told: list[Row] = [{"type": "section", "name": "followup"}]
    for card in cards:
        told.append({"type": "combat_card", "card": card})
    return told


def reaction_rows(state: State, combat: Combat, chance: Chance) -> list[Row]:
    """The defender's cards, as orders or as an answer."""
    cards = picked(state, combat, DEFENDER, chance)
    if cards and chance.likely(ANSWER_SHARE):
        return [{"type": "answer", "to": react_key(combat.number), "cards": [*cards]}]
    return [{"type": "combat_card", "card": card} for card in cards]


def standing_rules(state: State, side: str, chance: Chance) -> Tree:
    """A word, or a clause that plays cards of the hand."""
    held = [card for card in (*state.hands.get(side, []), *state.face_up.get(side, [])) if _fights(state, side, card)]
    if not held or not chance.likely(CLAUSE_SHARE):
        return chance.pick(("none", "ask", "default", "auto"))
    clause: Row = {"play": [*chance.some(held, least=1, most=2)]}
    if chance.likely(CLAUSE_SHARE):
        clause["flank"] = chance.pick(FATES)
    if chance.likely(CLAUSE_SHARE):
        clause["strength"] = str(1 + chance.below(6))
    return [clause]


def _fights(state: State, side: str, card: str) -> bool:
    return bool(combat_effects(state.world.cards.get(title_of(state, side, card), {})))
