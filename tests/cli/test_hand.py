"""The command ``hand``: the own cards and their uses, nothing of the other hand, and a folder that stays as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from adjudicator.match.games import pack_of
from adjudicator.protocol.log import read_turn
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_shifting_sands_rounds import turn
from tests.shifting_sands.rounds import FIRST_ROUNDS, SYSTEM

SIDES = (AXIS, ALLIED)
CARDS: dict[str, dict[str, Any]] = {str(row["id"]): row for row in pack_of(SYSTEM).rows("cards")}
Sands = Callable[[int], Pair]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A game after each number of bundled turns, made once."""
    root = tmp_path_factory.mktemp("hands")
    pair, kept = Pair(root / "game"), list[Path]()
    with chance.fixed("first rounds"):
        good("new", SYSTEM, "campaign", pair.folder(AXIS), "--name", "Alice", "--title", "Sands")
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        kept.append(Path(shutil.copytree(pair.root, root / "unset")))
        pair.bare(AXIS)
        pair.bare(ALLIED)
        for number in range(len(FIRST_ROUNDS) + 1):
            kept.append(Path(shutil.copytree(pair.root, root / f"after{number}")))
            if number < len(FIRST_ROUNDS):
                turn(pair, number)
    return kept


@pytest.fixture
def sands(games: list[Path], tmp_path: Path) -> Sands:
    """A copy of the game after so many bundled turns; -1 before the set-up."""

    def copy(number: int) -> Pair:
        return Pair(Path(shutil.copytree(games[number + 1], tmp_path / f"g{number}")))

    return copy


def hand_of(pair: Pair, side: str) -> dict[str, Any]:
    tree: dict[str, Any] = good("hand", pair.folder(side), "--json").json
    return tree


def test_the_own_cards_with_values_handles_and_uses(sands: Sands) -> None:
    pair = sands(0)
    told, tree = good("hand", pair.folder(AXIS)).out, hand_of(pair, AXIS)
    assert tree["side"] == AXIS and tree["now"] is True and len(tree["hand"]) == 7
    for card in tree["hand"]:
        row = CARDS[card["card"]]
        assert (row["side"], row["name"], row["ops"]) == (AXIS, card["name"], card["ops"])
        assert f"{card['name']} ({card['card']}, card {card['handle']}): {card['ops']} OPS" in told
        assert set(card["uses"]) >= {"ops", "rd", "rp"} and card["uses"]["ops"]["may"]
        assert ("combat" in card["uses"]) == (row["kind"] == "combat") != ("event" in card["uses"])
    status = good("status", pair.folder(AXIS)).out
    assert all(f"{card['name']} ({card['ops']} OPS)" in status for card in tree["hand"])


@pytest.mark.parametrize("number", range(len(FIRST_ROUNDS) + 1))
def test_nothing_is_told_of_the_other_hand_and_nothing_changed(sands: Sands, number: int) -> None:
    """At every stop of the first rounds, for both sides."""
    pair = sands(number)
    trees = {side: hand_of(pair, side) for side in SIDES if _set_up(pair, side)}
    for side, other in (SIDES, SIDES[::-1]):
        if side not in trees:
            continue
        before = tree_of(pair.root)
        told = good("hand", pair.folder(side)).out + json.dumps(trees[side])
        assert tree_of(pair.root) == before
        hidden = [card["card"] for card in trees[other]["hand"]] if other in trees else []
        assert not [card for card in hidden if f"({card}" in told or f'"{card}"' in told]


def _set_up(pair: Pair, side: str) -> bool:
    return cli("hand", pair.folder(side)).code == 0


def test_what_hand_says_of_an_event_is_what_check_and_template_say(sands: Sands) -> None:
    pair = sands(0)
    folder = pair.folder(AXIS)
    template = good("template", folder).out
    verdicts = set()
    for card in (card for card in hand_of(pair, AXIS)["hand"] if "event" in card["uses"]):
        event = card["uses"]["event"]
        path = folder / "event.yaml"
        order = f"  - type: event\n    card: {card['card']}\n"
        path.write_text(f"orders:\n  - type: section\n    name: round\n{order}", encoding="utf-8")
        assert (cli("check", path, "--game", folder).code == 0) is event["may"], card
        mark = "as an event: " if event["may"] else "not as an event now: "
        _, _, below = template.partition(f"#   {card['name']}")
        assert mark in below.splitlines()[1], card
        verdicts.add(event["may"])
    assert True in verdicts


def test_each_use_is_what_check_says(sands: Sands) -> None:
    """Allied cards in a round after one for the same: `hand` and `check` bar the same uses."""
    pair = sands(3)
    folder = pair.folder(ALLIED)
    tree = hand_of(pair, ALLIED)
    assert tree["now"] is True
    for card in tree["hand"]:
        for use in ("ops", "rd", "rp"):
            path = folder / "use.yaml"
            order = f"  - type: play_card\n    card: {card['card']}\n    use: {use}\n"
            path.write_text(f"orders:\n  - type: section\n    name: round\n{order}", encoding="utf-8")
            assert (cli("check", path, "--game", folder).code == 0) is card["uses"][use]["may"], (card["card"], use)


def test_off_turn_the_next_action_is_looked_at(sands: Sands) -> None:
    pair = sands(3)
    tree, told = hand_of(pair, AXIS), good("hand", pair.folder(AXIS)).out
    assert tree["now"] is False and tree["round"] == 2 and len(tree["hand"]) == 6
    assert "It is not your action now." in told and "(round 2 of Summer 1940)" in told
    played = tree["discards"]
    assert len(played) == 1 and CARDS[played[0]]["name"] in told
    other = good("hand", pair.folder(ALLIED)).out
    assert CARDS[played[0]]["name"] not in other and "Axis: 6 in hand, 7 in the draw pile, 1 discarded." in other


def test_in_a_combat_its_cards_are_judged_for_it(sands: Sands) -> None:
    """The defender is asked: `hand` says of each combat card what the turn file to fill in says."""
    pair = sands(1)
    template = good("template", pair.folder(ALLIED)).out
    combat = [card for card in hand_of(pair, ALLIED)["hand"] if "combat" in card["uses"]]
    assert combat
    for card in combat:
        use = card["uses"]["combat"]
        assert use["in"]
        assert (f"not now: {card['name']}" in template) is not use["may"]


def test_who_has_no_hand_is_told(sands: Sands, movement: Pair) -> None:
    desert = cli("hand", movement.folder(ALLIED))
    assert desert.code == 1 and "this game has no cards in hand" in desert.err and not desert.out
    unset = cli("hand", sands(-1).folder(AXIS))
    assert unset.code == 1 and "nothing is set up yet" in unset.err
    pair = sands(0)
    (pair.folder(AXIS) / "private" / "secret.yaml").unlink()
    lost = cli("hand", pair.folder(AXIS))
    assert lost.code == 2 and "error[folder]" in lost.err and not lost.out
    assert cli("hand", pair.root / "nowhere").code == 2


def test_a_report_names_the_cards_of_its_reader_only(sands: Sands) -> None:
    """The card that the Axis played face down is named in the Axis report, and in no report for anybody else."""
    pair = sands(3)
    (played,) = hand_of(pair, AXIS)["discards"]
    name = CARDS[played]["name"]
    assert f"{name} (card " in good("report", pair.folder(AXIS), "3").out
    for side, viewer in ((ALLIED, ALLIED), (ALLIED, "public"), (ALLIED, AXIS), (AXIS, "public"), (AXIS, ALLIED)):
        told = "".join(good("report", pair.folder(side), str(seq), "--for", viewer).out for seq in (3, 4))
        assert name not in told, (side, viewer)


# --- a hand that an event shows -------------------------------------------------------------------------------------

SHOWS = "code-book-stolen-1"
EVENT = f"""\
orders:
  - type: section
    name: round
  - type: event
    card: {SHOWS}
  - type: section
    name: followup
"""
AUTO = "orders:\n  - type: section\n    name: round\n  - type: auto_op\n"


@pytest.fixture
def looking(tmp_path: Path) -> Pair:
    """A game at its first round in which the Axis holds the event that shows the Allied hand."""
    for number in range(20):
        pair = Pair(tmp_path / str(number))
        with chance.fixed(f"seen {number}"):
            good("new", SYSTEM, "campaign", pair.folder(AXIS), "--name", "Alice", "--title", "Sands")
            good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
            good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
            pair.bare(AXIS)
            pair.bare(ALLIED)
        if SHOWS in [card["card"] for card in hand_of(pair, AXIS)["hand"]]:
            return pair
    raise AssertionError("the Axis never held it")


def _turn(pair: Pair, side: str, text: str) -> dict[str, Any]:
    path = pair.folder(side) / "orders.yaml"
    path.write_text(text, encoding="utf-8")
    good("sign", path, "--game", pair.folder(side), "--yes")
    body: dict[str, Any] = read_turn(pair.newest(side).read_bytes()).body
    pair.deliver(side)
    return body


def test_a_hand_that_an_event_shows_is_shown_by_mail_and_dealt_anew(looking: Pair) -> None:
    """Order, openings in the owner's next message, names for who asked, and handles that tell nothing any more."""
    pair = looking
    _turn(pair, AXIS, EVENT)
    before = {card["card"]: card["handle"] for card in hand_of(pair, ALLIED)["hand"]}
    body = _turn(pair, ALLIED, AUTO)
    assert {row["card"]: row["value"] for row in body["show"]} == {handle: card for card, handle in before.items()}
    assert [(row["zone"], row["epoch"], row["n"]) for row in body["decks"]] == [("hand", "2", str(len(before)))]
    after = {card["card"]: card["handle"] for card in hand_of(pair, ALLIED)["hand"]}
    assert set(after) == set(before) and sorted(after.values()) == [f"2.{at}" for at in range(len(before))]
    told = good("report", pair.folder(AXIS), "4").out.replace("\n", " ")
    assert "It shows the cards that were seen in the hand: " in told
    assert all(CARDS[card]["name"] in told for card in before)
    said = "".join(good(command, pair.folder(AXIS)).out for command in ("hand", "status"))
    later = json.dumps(hand_of(pair, AXIS)) + said
    assert not [handle for handle in after.values() if f"card {handle}" in later]
    assert not [card for card in before if f'"{card}"' in later or f"({card}" in later]
