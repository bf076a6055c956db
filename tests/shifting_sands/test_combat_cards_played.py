"""Every combat card, used by attacker and defender wherever it may be, and refused wherever it may not (SS 7.6, 11.25).

What must come of it stands in tests/cases/shifting-sands/combat-cards-played.yaml, as rules and deck have it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from adjudicator.engine.core import texts_of
from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.played import combat_effects
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import rows, texts
from tests.shifting_sands.cards_played import FACES, OTHER, game, names, table
from tests.shifting_sands.support import AXIS, Row, attack, by_mail, kinds, mini, script, section, unit

PLAYS: dict[str, list[Row]] = table("combat-cards-played")["plays"]
REFUSED: dict[str, list[Row]] = table("combat-cards-played")["refused"]
ONCE: list[str] = table("combat-cards-played")["once"]
USED = [(card, n) for card, found in PLAYS.items() for n in range(len(found))]
BARS = [(card, n) for card, found in REFUSED.items() for n in range(len(found))]
LINKS = (("A", "T"), ("T", "P"), ("P", "Q"))
DICE = {
    "win": {"combat/t/fire-attacker": 3, "combat/t/fire-defender": 1},
    "hard": {"combat/t/fire-attacker": 6, "combat/t/fire-defender": 1},
    "lose": {"combat/t/fire-attacker": 1, "combat/t/fire-defender": 6},
}
FLANK = {"success": 6, "failure": 1}
ARMY = {AXIS: ("GE armor", "GE"), "allied": ("BR armor", "BR")}
ROLES = ("attacker", "defender")
OUTCOME = ("winner", "retreat", "ends", "why")
"""What follows from the numbers of the fire; of a card only where its row says it."""


def sides(card: str, row: Row) -> tuple[str, str]:
    """Who attacks and who defends where a card is used as a row has it."""
    side = FACES[card]["side"]
    return (side, OTHER[side]) if row["by"] == "attacker" else (OTHER[side], side)


def field(card: str, row: Row, zone: str = "hands") -> State:
    """Two battlegroups under an Attack marker in A, two in T; cards lie where they are used from."""
    ours, theirs = sides(card, row)
    land: Row = {"region": "Libya", "terrain": "clear"}
    spaces: dict[str, Row] = {
        "A": {**land, "control": ours, "source": [ours], **row.get("here", {})},
        "T": {**land, "control": theirs, **row.get("there", {})},
        "P": {**land, "control": theirs},
        "Q": {**land, "control": theirs, "source": [theirs]},
    }
    units = [_unit(f"a{n}", kind, "A") for n, kind in enumerate(row.get("attackers", ARMY[ours]), 1)]
    units += [_unit(f"d{n}", kind, "T") for n, kind in enumerate(row.get("defenders", (ARMY[theirs][1],) * 2), 1)]
    state = mini(
        spaces, LINKS, units=units, markers={"A": "attack"}, active=ours, round=1, history={ours: {1: "ops"}},
        ops={"available": 3, "source": "card"}, turn=row.get("turn", "Fall 1941"), events=names(row.get("events")),
        supply=row.get("supply", {"A": "full", "T": "full"}),
    )  # fmt: skip
    state.released = {"VF", "IR"}
    for side in (ours, theirs):
        held = [one for one in (card, row.get("against"), row.get("before")) if one and FACES[one]["side"] == side]
        state.hands[side] = [one for one in held if one != card or zone == "hands"] or [_idle(side, card)]
    state.face_up = {FACES[card]["side"]: [card] if zone == "face_up" else []}
    return state


def _idle(side: str, card: str) -> str:
    """A card that nobody uses, so that the side has its stop."""
    return next(one for one in FACES if FACES[one]["side"] == side and not FACES[one].get("combat") and one != card)


def _unit(uid: str, kind: str, at: str) -> Row:
    nation, _, arm = kind.partition(" ")
    figures = [2, 1] if arm or at == "T" else [1, 1]
    return unit(uid, nation, at, type=arm or "infantry", cf=figures, lf=2 if at == "A" else 1)


def fought(
    card: str, row: Row, use: bool = True, zone: str = "hands", more: str = "", state: State | None = None,
    handle: str = "",
) -> Run[State]:
    """The combat with the card or without it. ``before`` lies there before it, ``against`` is the other side's; a card
    that lies under a ``handle`` is ordered by it."""
    start = state if state is not None else field(card, row, zone)
    by, cards = row["by"], {role: list[str]() for role in ROLES}
    if "against" in row:
        cards["defender" if by == "attacker" else "attacker"].append(row["against"])
    cards[by] += [one for one in (row.get("before", ""), (handle or card) if use else "", more) if one]
    told = {role: [{"type": "combat_card", "card": one} for one in cards[role]] for role in ROLES}
    flank: Row = {"flank": "yes"} if "flank" in row else {}
    orders = [section("round"), attack("a1, a2", "T", **flank), *told["attacker"], {"type": "end_round"}]
    dice = {**DICE[row.get("dice", "win")], "combat/t/flank": FLANK.get(row.get("flank", ""), 1)}
    first = 3 if start.active == AXIS else 4
    write = script({"orders": orders, "react": [section("reaction"), *told["defender"]]})
    return by_mail(start.copy(), write, dice, first=first)[1]


def seen(run: Run[State]) -> dict[str, str]:
    """What a combat came to, as far as a card may change it."""
    found: dict[str, str] = {}
    fires = kinds(run.events, "fire")
    for event in fires:
        role, data = str(event.data["role"]), event.data
        found[f"{role} strength"] = str(data["strength"])
        for kind in ("shift", "drm"):
            found[f"{role} {kind}"] = str(sum(int(str(one["value"])) for one in rows(data, f"{kind}s")))
    found["first"] = str(fires[0].data["role"]) if _apart(run) else "together"
    (winner,) = kinds(run.events, "winner")
    found |= {"winner": str(winner.data["winner"]), "retreat": str(winner.data["retreat"])}
    found["why"] = str(winner.data.get("why", ""))
    ends = {texts_of(event.data["path"])[-1] for event in kinds(run.events, "retreat")}
    found["ends"] = " ".join(sorted(ends))
    undone = [event for event in kinds(run.events, "combat-card") if event.data["flank"]]
    found["flank"] = "cancelled" if undone else ""
    return found


def _apart(run: Run[State]) -> bool:
    """Whether losses fell between the two fires."""
    order = [event.kind for event in kinds(run.events, "fire", "losses")]
    return order[:2] != ["fire", "fire"]


@cache
def without(card: str, number: int) -> tuple[tuple[str, str], ...]:
    """What the combat of a row comes to if the card is not used."""
    return tuple(seen(fought(card, PLAYS[card][number], use=False)).items())


def _where(run: Run[State], card: str) -> str:
    state, side = run.state, FACES[card]["side"]
    zones = {"hand": state.hands, "face up": state.face_up, "discards": state.discards, "removed": state.removed}
    (found,) = (name for name, zone in zones.items() if card in zone.get(side, []))
    return found


@pytest.mark.parametrize("zone", ["hands", "face_up"])
@pytest.mark.parametrize(("card", "number"), USED)
def test_a_combat_card_does_what_its_text_says_and_nothing_else(card: str, number: int, zone: str) -> None:
    """SS 7.61, 7.611, 7.612, 7.613: from the hand and again from the table, kept by the winner alone."""
    row = PLAYS[card][number]
    run = fought(card, row, zone=zone)
    assert kinds(run.events, "void") == []
    plain, found = dict(without(card, number)), seen(run)
    wanted = _texts(row["then"])
    told = [key for key in found if key in wanted or key not in OUTCOME]
    assert {key: found[key] for key in told if found[key] != plain[key]} == wanted
    mine = next(event for event in kinds(run.events, "combat-card") if event.data["card"] == card)
    assert mine.data["source"] == ("hand" if zone == "hands" else "table") and mine.data["role"] == row["by"]
    runs = [fought(card, {**row, "dice": dice}, zone=zone) for dice in ("hard", "lose")]
    won = [seen(one)["winner"] == row["by"] for one in runs]
    assert won == [row["by"] == "attacker", row["by"] == "defender"]
    assert [_where(one, card) for one in runs] == ["face up" if one and card not in ONCE else "discards" for one in won]


def _texts(row: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in row.items()}


def refused(card: str, row: Row, run: Run[State]) -> None:
    """The card's order fails with code, rule and a way out; the combat is fought as if it had not been written."""
    (void,) = kinds(run.events, "void")
    assert (void.data["code"], void.rule, void.data["type"]) == (row["code"], row["rule"], "combat_card")
    problem = next(one for one in run.problems if one.code == row["code"])
    assert problem.hint and problem.rule == row["rule"] and row.get("said", "") in problem.text
    assert all(event.data["card"] != card for event in kinds(run.events, "combat-card"))


@pytest.mark.parametrize(("card", "number"), BARS)
def test_a_combat_card_that_something_bars_is_refused(card: str, number: int) -> None:
    row = REFUSED[card][number]
    run, plain = fought(card, row), fought(card, row, use=False)
    refused(card, row, run)
    assert seen(run) == seen(plain) and _where(run, card) == "hand"


@pytest.mark.parametrize("card", PLAYS)
def test_what_bars_any_combat_card(card: str) -> None:
    """SS 7.614, 11.25, 13.73: twice in a combat, twice in a round, not in hand, of no use to anybody."""
    row = {**PLAYS[card][0], "code": "used", "rule": "SS 7.614"}
    run = fought(card, row, more=card)
    (void,) = kinds(run.events, "void")
    assert (void.data["code"], void.rule) == ("used", "SS 7.614") and seen(run) == seen(fought(card, row))
    state = field(card, row, "face_up")
    state.used = {FACES[card]["side"]: [card]}
    run = fought(card, row, state=state)
    refused(card, row, run)
    assert _where(run, card) == "face up"
    gone = field(card, row)
    gone.hands[FACES[card]["side"]] = [one for one in gone.hands[FACES[card]["side"]] if one != card] or [
        _idle(FACES[card]["side"], card)
    ]
    refused(card, {**row, "code": "hand", "rule": "SS 11.25"}, fought(card, row, state=gone))
    cut = {**row, "supply": {"A": "full", "T": "full"} | {"A" if row["by"] == "attacker" else "T": "oos"}}
    refused(card, {**row, "code": "useless", "rule": "SS 13.73"}, fought(card, cut))


@pytest.mark.parametrize("card", [card for card in PLAYS if card not in ONCE])
def test_a_card_that_was_kept_is_used_again_under_its_handle(card: str) -> None:
    """SS 7.612, PROTOCOL 6: its name is known since it was played; it goes or stays as an open one does."""
    row, handle, side = PLAYS[card][0], "1.5", FACES[card]["side"]
    state = field(card, row, "face_up")
    state.hidden, state.face_up, state.opened = True, {side: [handle]}, {side: {handle: card}}
    run, plain = fought(card, row, state=state, handle=handle), fought(card, row, zone="face_up")
    assert kinds(run.events, "void") == [] and seen(run) == seen(plain)
    (mine,) = (event for event in kinds(run.events, "combat-card") if event.data["card"] == handle)
    assert (mine.data["name"], mine.data["source"]) == (card, "table")
    kept = seen(run)["winner"] == row["by"]
    assert (handle in run.state.face_up[side]) is kept and (handle in run.state.discards.get(side, [])) is not kept
    assert (run.state.opened.get(side, {}).get(handle) == card) is kept
    state.opened = {}
    closed = fought(card, row, state=state, handle=handle)
    assert [event.data["code"] for event in kinds(closed.events, "void")] == ["kind"]


def test_every_combat_card_has_its_rows() -> None:
    """Each role that a card may be used in is played, the other one refused, and so is each thing it asks for."""
    deck = game().world.cards
    cards = {card for card in FACES if FACES[card].get("combat")}
    assert set(PLAYS) == set(REFUSED) == cards
    for card in cards:
        (effect,) = combat_effects(deck[card])
        role = str(effect["role"])
        wanted = set(ROLES) if role == "either" else {role}
        assert {row["by"] for row in PLAYS[card]} == wanted
        codes = [row["code"] for row in REFUSED[card]]
        assert ("role" in codes) == (len(wanted) == 1)
        assert codes.count("requires") >= len(rows(effect, "requires"))
        assert codes.count("early") == len(rows(deck[card], "conditions"))
        assert ("with" in codes) == bool(texts(effect, "not_with") or "cancel_flank" in effect)
        assert (card in ONCE) == (deck[card]["after_combat"] == "discard")
