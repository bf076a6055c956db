"""Combat cards through the driver: who plays when, what they do, which are kept (SS 7.6, 11.25)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.card_rules import card_problems
from adjudicator.shifting_sands.prospects import would_be
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import ALLIED, AXIS, Row, attack, by_mail, kinds, message, mini, script, section, unit

LAND: Row = {"region": "Libya", "terrain": "clear"}
SPACES: dict[str, Row] = {
    "A": {**LAND, "control": "axis", "source": ["axis"]},
    "T": {**LAND, "control": "allied"},
    "P": {**LAND, "control": "allied"},
    "Q": {**LAND, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "T"), ("T", "P"), ("P", "Q"))
WIN = {"combat/t/fire-attacker": 2, "combat/t/fire-defender": 1, "combat/t/flank": 6}
"""Dice by which the attack of g1 and g2 inflicts one loss and takes none."""
HIGH = {**WIN, "combat/t/fire-attacker": 6}
AIR, RATS, MINES, AWAY = "air-support-9", "desert-rats-11", "minefields-8", "disengage-12"
ROUND, REACTION, FOLLOWUP = section("round"), section("reaction"), section("followup")
ON_T, END = attack("g1, g2", "T"), {"type": "end_round"}


def field(axis: str = AIR, allied: str = RATS) -> State:
    """Two German battlegroups under an Attack marker in A, two British in T."""
    units = [
        unit("g1", "GE", "A", type="armor", cf=[2, 1], mf=6), unit("g2", "GE", "A"), unit("d1", "BR", "T", lf=1),
        unit("d2", "BR", "T", lf=1),
    ]
    state = mini(
        SPACES, LINKS, units=units, markers={"A": "attack"}, active="axis", round=1, history={"axis": {1: "ops"}},
        ops={"available": 3, "source": "card"},
    )
    state.hands = {AXIS: axis.split(), ALLIED: allied.split()}
    return state


def card(name: str, **more: object) -> Row:
    """A combat card as an order."""
    return {"type": "combat_card", "card": name, **more}


def fought(state: State, round_: list[Row], react: list[Row], dice: dict[str, int] | None = None) -> Run[State]:
    """The round with the defender's answer."""
    _, found = by_mail(state, script({"orders": [ROUND, *round_], "react": [REACTION, *react]}), dice or WIN)
    return found


def fire(found: Run[State], role: str) -> Event:
    return next(event for event in kinds(found.events, "fire") if event.data["role"] == role)


def drm(found: Run[State], role: str) -> list[str]:
    rows = fire(found, role).data["drms"]
    assert isinstance(rows, list)
    return [str(row["name"]) for row in rows if isinstance(row, dict)]


def voids(found: Run[State]) -> list[str]:
    return [event.rule for event in kinds(found.events, "void")]


def test_both_sides_play_and_the_winner_keeps_his_card() -> None:
    """The attacker's +1 makes his loss number, the defender's card cancels the retreat (SS 7.611, 7.613, 11.25,
    faq.cards.3)."""
    found = fought(field(), [ON_T, card(AIR), END], [card(RATS)], dice=HIGH)
    assert drm(found, "attacker") == ["Air Support"] and drm(found, "defender") == ["Desert Rats"]
    assert [event.data["role"] for event in kinds(found.events, "combat-card")] == ["attacker", "defender"]
    winner = kinds(found.events, "winner")[0].data
    assert (winner["winner"], winner["retreat"], winner["why"]) == ("attacker", "0", "Desert Rats")
    assert not kinds(found.events, "retreat")
    state = found.state
    assert state.face_up[AXIS] == [AIR] and state.discards[ALLIED] == [RATS] and state.hands == {AXIS: [], ALLIED: []}


def test_a_card_is_used_once_in_an_action_round_by_either_side() -> None:
    """SS 7.614: also in the Allied part of the round."""
    state = fought(field(), [ON_T, card(AIR), END], []).state
    assert state.round == 1 and state.active == ALLIED and state.used[AXIS] == [AIR]
    state.face_up[AXIS] = [AIR]
    combat = would_be(state, ALLIED, ["d2"], "A")
    assert [p.rule for p in card_problems(state, combat, "defender", AIR, AIR)] == ["SS 7.614"]


def test_what_is_not_in_hand_or_no_combat_card_is_void() -> None:
    assert voids(fought(field(), [ON_T, card("luftwaffe-54"), END], [])) == ["SS 11.25"]
    assert voids(fought(field("balbo-4"), [ON_T, card("balbo-4"), END], [])) == ["SS 7.61"]
    assert voids(fought(field(AWAY.replace("12", "8")), [ON_T, card("disengage-8"), END], [])) == ["SS 11.25"]


def test_disengage_forces_two_spaces_and_bars_minefields() -> None:
    """SS 11.551, faq.cards.28, faq.rules.3."""
    found = fought(field(allied=f"{AWAY} {MINES}"), [ON_T, END], [card(AWAY), card(MINES)])
    assert voids(found) == ["SS faq.rules.3"]
    assert {tuple(event.data["path"]) for event in kinds(found.events, "retreat")} == {("T", "P", "Q")}


def test_disengage_undoes_a_flank_attack() -> None:
    found = fought(field(allied=AWAY), [{**ON_T, "flank": "yes"}, END], [card(AWAY)])
    assert kinds(found.events, "combat-card")[0].data["flank"] == "cancelled"
    assert [event.kind for event in found.events if event.kind in ("fire", "losses")][:2] == ["fire", "fire"]


def test_minefields_make_a_marsh() -> None:
    found = fought(field(allied=MINES), [ON_T, END], [card(MINES), {"type": "hold", "unit": "d2"}])
    shifts = fire(found, "attacker").data["shifts"]
    assert {"name": "terrain", "value": "-1", "rule": "SS 11.27"} in shifts


@pytest.mark.parametrize(("when", "played"), [("flank", 1), ("no_flank", 0)])
def test_a_card_may_wait_for_the_flank_die(when: str, played: int) -> None:
    found = fought(field(), [{**ON_T, "flank": "yes"}, card(AIR, **{"if": when}), END], [])
    assert len(kinds(found.events, "combat-card")) == played and not voids(found)
    assert (AIR in found.state.hands[AXIS]) is (not played)


def test_the_attacker_may_ask_for_his_cards_after_the_flank_die() -> None:
    orders = [ROUND, {**ON_T, "flank": "yes", "ask": "cards"}]
    write = script({"orders": orders, "cards": [FOLLOWUP, card(AIR)], "react": [REACTION], "followup": [FOLLOWUP]})
    sent, found = by_mail(field(), write, WIN)
    assert drm(found, "attacker") == ["Air Support"] and not voids(found)
    assert len(sent) == 5, "two messages more"


def test_an_answer_and_a_standing_order_play_cards_too() -> None:
    answer: Row = {"type": "answer", "to": "react/1", "cards": [RATS]}
    assert drm(fought(field(), [ON_T, END], [answer]), "defender") == ["Desert Rats"]
    rules = [{"play": "minefields-8", "flank": "success"}, {"play": RATS, "unless": "Luftwaffe"}]
    told = [message(4, ALLIED, {"type": "standing", "topic": "cards", "rules": rules})]
    _, found = by_mail(field(), script({"orders": [ROUND, ON_T, END]}), WIN, before=told, first=5)
    assert drm(found, "defender") == ["Desert Rats"]
    assert kinds(found.events, "combat-card")[0].data["clause"] == "cards 2"


def test_cards_come_before_the_dice_of_the_fire() -> None:
    waits: Row = {"type": "wait", "topic": "losses"}
    write = script({"orders": [ROUND, ON_T, END], "react": [REACTION, waits], "losses": [REACTION, card(RATS)]})
    _, found = by_mail(field(), write, WIN)
    assert voids(found) == ["SS 11.25"]
