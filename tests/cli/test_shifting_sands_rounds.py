"""The first rounds of Shifting Sands between two folders, typed by hand: what each command answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.cli import chance
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good
from tests.shifting_sands.rounds import FIRST_ROUNDS, HIGHEST, SYSTEM, example

OFFERED = "  #   card: "
STOPS = {"action": 0, "reaction": 1, "followup": 2, "allied": 3, "done": len(FIRST_ROUNDS)}
"""The stages of the game: how many bundled files were played."""
Stage = Callable[[str], Pair]


def turn(pair: Pair, number: int) -> None:
    """Sign a bundled file and take it in; the card is the one that the template offers."""
    side = ALLIED if number % 2 else AXIS
    path = write(pair, side, example(FIRST_ROUNDS[number]))
    good("sign", path, "--game", pair.folder(side), "--yes")
    pair.deliver(side)
    path.unlink()


def write(pair: Pair, side: str, text: str, name: str = "orders.yaml") -> Path:
    """A turn file in a side's folder."""
    offered = [line for line in good("template", pair.folder(side)).out.splitlines() if line.startswith(OFFERED)]
    path = pair.folder(side) / name
    path.write_text(text.replace(HIGHEST, offered[0].removeprefix(OFFERED) if offered else HIGHEST), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The game at its points, made once."""
    root = tmp_path_factory.mktemp("sands")
    kept: dict[str, Path] = {}
    with chance.fixed("first rounds"):
        pair = Pair(root / "game")
        good("new", SYSTEM, "campaign", pair.folder(AXIS), "--name", "Alice", "--title", "Sands")
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        pair.bare(AXIS)
        pair.bare(ALLIED)
        for number in range(len(FIRST_ROUNDS) + 1):
            for name in (name for name, at in STOPS.items() if at == number):
                kept[name] = Path(shutil.copytree(pair.root, root / name))
            if number < len(FIRST_ROUNDS):
                turn(pair, number)
    return kept


@pytest.fixture
def stage(stages: dict[str, Path], tmp_path: Path) -> Stage:
    """A copy of the game at a point."""
    return lambda name: Pair(Path(shutil.copytree(stages[name], tmp_path / name)))


def check(pair: Pair, side: str, text: str) -> Result:
    """What `check` says of a turn file."""
    return cli("check", write(pair, side, text), "--game", pair.folder(side))


# --- status and template ----------------------------------------------------------------------------------------


def test_status_names_what_a_player_must_know(stage: Stage) -> None:
    told = good("status", stage("action").folder(AXIS)).out
    for line in (
        "It is Summer 1940, action round 1 of 6: the Axis action.",
        "Victory points: 10.",
        "Cards in hand: Axis 7, Allied 7; in the draw piles: Axis 7, Allied 7.",
        "In contact: BR inf BG 5 in Halfaya, next to your units in Bardia.",
        "Next: you owe message 3 since message 2: your action of round 1: card, markers, moves, attacks",
    ):
        assert line in told, line
    assert "Your hand: " in told and " OPS)" in told
    assert "IT 62, IT 63, IT arm BG 2 in Bardia" in told, "limited supply"


def test_status_within_a_combat(stage: Stage) -> None:
    pair = stage("reaction")
    told = good("status", pair.folder(ALLIED)).out
    assert "Combat 1: the Italian 62nd and 63rd Divisions and the Italian armor battlegroup 2 attack Halfaya." in told
    assert "; markers: Attack on Bardia." in told
    assert "you owe message 4 since message 3: your answer to the attack on Halfaya: combat cards, losses, " in told
    assert "Allied owes message 4" in good("status", pair.folder(AXIS)).out


@pytest.mark.parametrize("name", STOPS)
@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_the_template_passes_check_as_it_stands(name: str, side: str, stage: Stage) -> None:
    folder = stage(name).folder(side)
    good("template", folder, "-o", folder / "orders.yaml")
    assert "0 illegal; 0 problems" in good("check", folder / "orders.yaml", "--game", folder).out


# --- check ------------------------------------------------------------------------------------------------------

ROUND = "orders:\n  - {type: section, name: round}\n"
OPS = "  - {type: play_card, card: HIGHEST, use: ops}\n"
BARDIA = "  - {type: attack_marker, space: Bardia}\n"


@pytest.mark.parametrize(
    ("text", "line", "rule", "mend"),
    [
        (ROUND + "  - {type: play_card, card: Minefields, use: ops}\n", 3, "SS 6.12A", "Minefields is not in hand"),
        (ROUND + "  - {type: auto_op}\n" + BARDIA, 4, "SS 13.611", "3"),
        (
            ROUND + OPS + BARDIA + "  - {type: attack, units: 61st Division, target: Halfaya}\n",
            5,
            "SS 11.1",
            "Tobruk is not activated",
        ),
        (ROUND + OPS + "  - {type: move_marker, space: Halfway}\n", 4, "names", "did you mean Halfaya"),
        (ROUND + OPS + "  - {type: move, unit: 62nd Division, to: Tobruk}\n", 4, "SS 9.1", "Bardia is not activated"),
        (ROUND + "  - {type: event, card: Torch}\n", 3, "SS 6.12A", "Torch is not in hand"),
        (
            ROUND + OPS + BARDIA + "  - {type: hold, unit: 62nd Division}\n",
            5,
            "SS 7.2",
            "stands where it can do nothing",
        ),
    ],
)
def test_what_is_wrong_is_told_with_line_and_rule(text: str, line: int, rule: str, mend: str, stage: Stage) -> None:
    found = check(stage("action"), AXIS, text)
    assert found.code == 1
    (told, *_more) = [one for one in found.all.splitlines() if "error[" in one]
    assert told.startswith(("orders.yaml", "/")) and f":{line}:" in told, told
    assert f"error[{rule}" in told and mend in told, told


def test_orders_of_who_is_not_asked_are_refused(stage: Stage) -> None:
    found = check(stage("reaction"), ALLIED, ROUND + "  - {type: auto_op}\n")
    assert found.code == 1 and "the section round is not asked for now" in found.all


# --- sign, receive, report --------------------------------------------------------------------------------------


def test_the_sentences_are_read_back_before_the_seal(stage: Stage) -> None:
    pair = stage("action")
    path = write(pair, AXIS, example(FIRST_ROUNDS[0]))
    told = good("sign", path, "--game", pair.folder(AXIS), answer="y\n").out
    assert "You order:\n  Your action round:\n    1. The Axis player plays " in told
    assert " for operations: 3 points\n" in told
    assert (
        "    2. Activates Bardia for combat (3 points, 0 left); IT 62, IT 63, IT arm BG 2 in limited supply\n" in told
    )
    assert "held by the British infantry battlegroup 5: strength 5 on the division table" in told


def test_the_fire_is_opened_by_the_attacker_with_the_defenders_message(stage: Stage) -> None:
    pair = stage("reaction")
    path = write(pair, ALLIED, example(FIRST_ROUNDS[1]))
    good("sign", path, "--game", pair.folder(ALLIED), "--yes")
    told = pair.deliver(ALLIED).out
    assert "Opened by Axis: the dice of message 4; 2 rolls: combat/halfaya/fire-attacker " in told
    report = " ".join(good("report", pair.folder(AXIS), "4").out.split())
    assert "label combat/halfaya/fire-attacker, opened by the Axis, link 3" in report
    assert "Next: the Axis decides on advances and the next attack." in report


def test_a_turn_sent_bare_takes_the_defaults(stage: Stage) -> None:
    """`open` at every stop: the reaction, the follow-up and the next action fall to their defaults."""
    pair = stage("reaction")
    for side in (ALLIED, AXIS, ALLIED):
        pair.bare(side)
    report = " ".join(good("report", pair.folder(AXIS), "6").out.split())
    assert "automatic operation" in report
    assert "action of round 2" in good("status", pair.folder(AXIS)).out


def test_standing_orders_are_noted_and_in_force_from_the_next_message(stage: Stage) -> None:
    pair = stage("reaction")
    text = "orders:\n  - {type: standing, topic: cards, rules: none}\n  - {type: section, name: reaction}\n"
    path = write(pair, ALLIED, text)
    told = good("sign", path, "--game", pair.folder(ALLIED), "--yes").out
    assert "From your next message on, open standing order for combat cards: none" in told
    pair.deliver(ALLIED)
    assert "standing orders on " in " ".join(good("report", pair.folder(AXIS), "4").out.split())


def test_both_logs_are_the_same_and_prove_the_game(stage: Stage) -> None:
    pair = stage("done")
    logs = [(pair.folder(side) / "log.jsonl").read_bytes() for side in (AXIS, ALLIED)]
    assert logs[0] == logs[1]
    for side in (AXIS, ALLIED):
        told = good("verify", pair.folder(side)).out
        assert "rules and data are those of this program: shifting-sands version 1" in told
        assert "Everything holds." in told


def test_every_message_has_a_report_in_every_form(stage: Stage) -> None:
    folder = stage("done").folder(AXIS)
    for seq in range(len(FIRST_ROUNDS) + 2):
        told = good("report", folder, seq).out
        assert told.startswith("Campaign: ") or "set-up" in told.splitlines()[0]
        assert "@" not in told.split("The dice of this message")[0], "no box by its id"
