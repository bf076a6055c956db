"""What befalls a hidden hand without its owner's will tells the other side no more than its handles (PROTOCOL 6).

Cards taken by name, a raid of the LRDG, a hand limit with what is discarded for it, and the shuffle of a winter.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.games import EDITIONS, Edition, pack_of
from adjudicator.match.match import Match
from adjudicator.match.play.seats import Pairing, Seat, seats_of
from adjudicator.packs.load import Pack
from adjudicator.protocol import history
from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.shifting_sands.phases import REPLACEMENT
from tests.match.hidden_worlds import ALLIED, AXIS, SIDES, SYSTEM, Course
from tests.match.test_hidden_worlds import same

LRDG = {"unit": "br-lrdg", "at": "Siwa", "source": "test"}
CARDS = {str(row["id"]): str(row["side"]) for row in pack_of(SYSTEM).rows("cards")}
Wishes = dict[str, Sequence[str]]
"""The cards that each side takes whenever it may."""


def _begun(patch: pytest.MonkeyPatch, scenario: str, turn: str, events: Sequence[str]) -> None:
    """Let a scenario begin in the last turn before a winter, with the LRDG in an oasis and events of that turn."""
    edition = EDITIONS[SYSTEM][1]
    pack = edition.pack()
    tree = copy.deepcopy(pack.tree)
    row = next(row for row in tree["scenarios"] if row["id"] == scenario)
    row["turn"] = row["start"] = turn
    row["units"] = [*(unit for unit in row["units"] if unit.get("unit") != LRDG["unit"]), LRDG]
    row["events"] = [*row["events"], *({"event": name, "turn": turn, "source": "test"} for name in events)]
    other = Pack(pack.system, pack.version, pack.title, tree)
    patch.setitem(EDITIONS[SYSTEM], 1, Edition(edition.rules, lambda: other, edition.folder))


def _dice(patch: pytest.MonkeyPatch, word: str) -> None:
    patch.setattr(history, "seed_of", lambda seq, *_: hashlib.sha256(f"{word} {seq}".encode()).digest())


def _course(pairing: Pairing, wishes: Wishes, thrown: int, count: int) -> Course:
    """So many messages in which nothing is done but what hidden cards suffer."""
    genesis, seats = seats_of(pairing, lambda table: table)
    course = Course(pairing, genesis, seats, [])
    for seq in range(1, count + 1):
        seat = course.seat(SIDES[(seq + 1) % 2])
        seat.look()
        rows = _rows(seat, wishes, thrown)
        course.take(sign_body(compose_body(seat.verifier, seat.side, seat.secret, rows, bytes(32)), seat.key))
    return course


def _rows(seat: Seat, wishes: Wishes, thrown: int) -> list[Any]:
    assert seat.resolver.stands is not None
    state = seat.resolver.stands[0]
    handles = {face["name"]: card for card, face in seat.faces().items()}
    lying = {*state.piles.get(seat.side, ()), *state.discards.get(seat.side, ())}
    taken = [
        {"type": "take", "card": handles[card] if handles.get(card) in lying else card}
        for card in wishes.get(seat.side, ())
        if card not in {seat.faces()[held]["name"] for held in state.hands.get(seat.side, ()) if held in seat.faces()}
    ]
    if state.phase == "setup":
        return taken if state.world.scenario["may_take"] else []
    if state.step == REPLACEMENT and state.active == seat.side:
        cut = [{"type": "discard", "cards": state.hands[seat.side][:thrown]}] if thrown else []
        return [{"type": "section", "name": "discard"}, *cut, *taken]
    if seat.side == ALLIED and not state.missions:
        return [{"type": "section", "name": "round"}, {"type": "auto_op"}, {"type": "lrdg", "mission": "raid"}]
    return []


def limited(patch: pytest.MonkeyPatch, count: int) -> Course:
    """Both take a card for the first hand, a raid costs the Axis one, Malta Convoys another, then comes the winter."""
    _dice(patch, "x")
    _begun(patch, "sonnenblume", "Fall 1941", ["Malta Convoys", "Long Range Desert Group"])
    switches = (("hand_force_discard", "on"), ("options", "19.11 19.42"))
    wishes: Wishes = {AXIS: ["balkan-campaign-15"], ALLIED: ["barbarossa-15"]}
    return _course(Pairing(SYSTEM, "sonnenblume", switches, seed="w"), wishes, 0, count)


def wintry(patch: pytest.MonkeyPatch, count: int) -> Course:
    """A raid costs the Axis a card, both throw cards away and take one that the winter brings."""
    _dice(patch, "x")
    _begun(patch, "campaign", "Fall 1940", ["Long Range Desert Group"])
    wishes: Wishes = {AXIS: ["rommel-18"], ALLIED: ["barbarossa-15"]}
    return _course(Pairing(SYSTEM, "campaign", (("options", "19.11 19.42"),), seed="w"), wishes, 3, count)


def _bodies(course: Course) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(message.body)) for message in course.messages]


def _events(root: Path, course: Course) -> list[dict[str, Any]]:
    """All events that the viewer's folder tells."""
    match = Match.load(root / "worlds" / "A" / "game")
    return [event for message in course.messages for event in match.events(int(str(message.body["seq"]))) or ()]


def _befell(root: Path, course: Course) -> list[tuple[str, str, str, int]]:
    """What a folder has of the hands and piles: kind, side, rule, number of cards that left the hand or came to it."""
    kinds = ("taken", "discard", "merge")
    return [
        (event["kind"], event["side"], event["rule"], 0 if "pile" in event else len(event.get("cards") or "1"))
        for event in _events(root, course) if event["kind"] in kinds
    ]


def _unnamed(course: Course, events: Sequence[dict[str, Any]], side: str) -> set[str]:
    """The cards of a side that no message and no rule names; those that a new year brings are in everybody's book."""
    scenario = course.seats[0].table.start().world.scenario
    shown = json.dumps([_bodies(course), scenario["discarded"], scenario["removed"]])
    shown += json.dumps([event["new"] for event in events if event["kind"] == "merge"])
    return {card for card, owner in CARDS.items() if owner == side and not _names(card, shown)}


def _names(card: str, told: str) -> bool:
    return re.search(rf"(?<![a-z0-9-]){card}(?![a-z0-9-])", told) is not None


def _quiet(course: Course, viewer: str, root: Path) -> None:
    """Both worlds tell the same, and no file of the viewer's folder names a card that no message names."""
    same(course, viewer, root)
    hidden = _unnamed(course, _events(root, course), AXIS if viewer == ALLIED else ALLIED)
    files = [path for path in (root / "worlds" / "A" / "game").rglob("*") if path.is_file()]
    told = {path.name: path.read_bytes().decode("latin-1") for path in files}
    assert len(hidden) > 20 and "log.jsonl" in told
    assert not [(card, name) for card in hidden for name, text in told.items() if _names(card, text)]


def test_a_card_taken_first_a_raid_a_hand_limit_and_a_winter_tell_no_other_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = limited(monkeypatch, 17)
    _quiet(course, ALLIED, tmp_path)
    assert _befell(tmp_path, course) == [
        ("taken", AXIS, "SS 18.3", 1), ("taken", ALLIED, "SS 19.42", 1), ("discard", AXIS, "SS 11.74", 1),
        ("discard", AXIS, "SS 5.12", 1), ("merge", AXIS, "SS 7.72", 0), ("merge", ALLIED, "SS 7.72", 0),
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", [ALLIED, AXIS])
def test_cards_taken_and_thrown_away_before_a_winter_tell_no_other_card(
    viewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = wintry(monkeypatch, 17 if viewer == ALLIED else 18)
    _quiet(course, viewer, tmp_path)
    winter = [
        ("discard", AXIS, "SS 11.74", 1), ("discard", AXIS, "SS 5.11", 3), ("taken", AXIS, "SS 7.74", 1),
        ("merge", AXIS, "SS 7.71", 0), ("discard", ALLIED, "SS 5.11", 3), ("taken", ALLIED, "SS 19.42", 1),
        ("merge", ALLIED, "SS 7.71", 0),
    ]  # fmt: skip
    assert _befell(tmp_path, course)[: len(winter)] == winter
