"""The planning commands at the command line: answers, exit codes, JSON, and a folder that stays as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.games import systems, table
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of

Stage = Callable[[str], Pair]
NIBEIWA = "5 Ind X, 11 Ind X, 4 Ind HQ, 16 Inf X, W Art X, 7 RTR, 7 Arm X, 4 Arm X, 7 SG"
MOVE_UP = """\
orders:
  - type: section
    name: movement
  - type: move
    units: 5 Ind X, 11 Ind X, 16 Inf X, 7 RTR II
    to: 19/0826
  - {type: section, name: air}
  - type: section
    name: combat
  - type: attack
    hex: 19/0726
    with: 5 Ind X, 11 Ind X, 16 Inf X, 7 RTR II
    supply: Allied Supply 1:1
    advance: all
"""


def stamps(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file with the time it was written last."""
    return {name: (Path(root / name).stat().st_mtime_ns, data) for name, data in tree_of(root).items()}


def questions(folder: Path, draft: Path) -> list[list[object]]:
    """One of each kind of question about a game of Western Desert."""
    here: list[object] = ["--game", folder]
    return [
        ["moves", "7 Arm X", *here],
        ["moves", "7 Arm X", "--to", "Tobruk", *here],
        ["moves", "16 Inf X", "--mode", "admin", *here],
        ["moves", "64 Catanzaro XX", *here],
        ["supply", "7 Arm X", *here],
        ["supply", "Tobruk", *here],
        ["supply", "--all", "--for", "axis", *here],
        ["odds", "19/0726", "--with", NIBEIWA, *here],
        ["odds", "19/0726", "--with", "5 Ind X, 11 Ind X, 16 Inf X, 7 RTR II", "--after", draft, *here],
        ["try", draft, "--times", "5", "--seed", "a", *here],
        ["explain", "3", *here],
        ["explain", "WD 9.F.1", *here],
        ["explain", "ODDS-LOW", *here],
    ]


def test_nothing_is_changed_and_no_secret_is_read(movement: Pair) -> None:
    """The folder stays as it was to the byte and the second, also where its secret and caches are gone."""
    folder = movement.folder(ALLIED)
    draft = movement.write(MOVE_UP)
    for gone in ("", "private/secret.yaml", "private/verified.json", "state/newest.json", "state/events/0003.json"):
        if gone:
            (folder / gone).unlink(missing_ok=True)
        before = stamps(movement.root)
        for words in questions(folder, draft):
            result = cli(*words)
            assert result.code in (0, 1) and "Traceback" not in result.all, (words, result.all)
            assert stamps(movement.root) == before, (words, gone)


def test_every_answer_has_json(movement: Pair) -> None:
    folder, draft = movement.folder(ALLIED), movement.write(MOVE_UP)
    for words in questions(folder, draft):
        result = cli(*words, "--json")
        tree: dict[str, Any] = json.loads(result.out)
        assert tree["ok"] is (result.code == 0), words


def test_the_folder_is_found_from_within(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(movement.folder(ALLIED) / "outbox")
    assert "7 Arm X" in good("moves", "7 Arm X").out
    monkeypatch.chdir(movement.root)
    assert cli("moves", "7 Arm X").code == 2


# --- moves ------------------------------------------------------------------------------------------------------


def test_a_way_is_the_one_that_sign_reads_back(movement: Pair) -> None:
    folder = movement.folder(ALLIED)
    told = good("moves", "7 Arm X", "--to", "19/0827", "--game", folder)
    tree = good("moves", "7 Arm X", "--to", "19/0827", "--game", folder, "--json").json
    assert [row["hex"] for row in tree["way"]] == ["19/1027", "19/0927", "19/0827"]
    assert tree["total"] == "3" and tree["legal"] is True
    assert "Cheapest way to 19/0827, 3 MP:" in told.out
    text = "orders:\n  - type: section\n    name: movement\n  - type: move\n    unit: 7 Arm X\n    to: 19/0827\n"
    read = good("check", movement.write(text), "--game", folder, "--verbose").out
    assert "3 of 10 MP" in read


def test_a_negative_answer_names_rules_and_is_an_answer(movement: Pair) -> None:
    result = good("moves", "7 Arm X", "--to", "Tobruk", "--game", movement.folder(ALLIED))
    assert "No (WD 8.B.coexist): Tobruk (18/4818) is held by" in result.out
    tree = good("moves", "7 Arm X", "--to", "19/0127", "--game", movement.folder(ALLIED), "--json").json
    assert tree["legal"] is False
    assert tree["reasons"][0]["rule"].startswith("WD 6")
    assert [row["paid"] for row in tree["way"]] == sorted((row["paid"] for row in tree["way"]), reverse=True)
    idle = good("moves", "4 NZ X", "--game", movement.folder(ALLIED))
    assert "No (WD 28.B.3)" in idle.out


def test_the_next_turn_can_be_looked_at(stage: Stage) -> None:
    """In the surprise turn only the attack force moves; in the next one everybody does."""
    folder = stage("movement").folder(ALLIED)
    assert good("moves", "4 NZ X", "--game", folder, "--json").json["may_move"] is False
    tree = good("moves", "4 NZ X", "--next", "--game", folder, "--json").json
    assert tree["may_move"] is True and tree["hexes"] and "next Allied movement phase" in tree["note"]


def test_every_option_means_something_to_a_game() -> None:
    """Each game answers all questions, and each option of the commands is known to one of them."""
    known: dict[str, set[str]] = {"moves": set(), "supply": set(), "odds": set(), "overrun": set(), "mission": set()}
    for system in systems():
        scenario = "compass" if system == "western-desert" else "campaign"
        for question, kind in table(system, scenario).queries().types.items():
            known[question] |= set(kind.fields)
    known["odds"] |= {"overrun", "mission"}  # questions of their own
    assert known.pop("overrun") <= known["odds"]
    known["odds"] |= known.pop("mission")
    for question, fields in known.items():
        shown = good(question, "--help").out
        offered = set(re.findall(r"--([a-z]+)", shown)) - {"after", "game", "for", "json", "help"}
        assert offered <= fields, (question, offered - fields)


def test_what_is_left_after_a_draft(movement: Pair) -> None:
    folder, draft = movement.folder(ALLIED), movement.write(MOVE_UP)
    tree = good("moves", "5 Ind X", "--after", draft, "--game", folder, "--json").json
    assert tree["hex"] == "19/0826"
    assert Fraction(tree["spent"]) > 0
    assert Fraction(tree["left"]) == Fraction(tree["mp"]) - Fraction(tree["spent"])


# --- supply -----------------------------------------------------------------------------------------------------


def test_supply_says_why(movement: Pair) -> None:
    folder = movement.folder(ALLIED)
    told = good("supply", "7 Arm X", "--game", folder).out
    assert "In general supply as lines are now:" in told
    assert "transport line, " in told
    cut = good("supply", "Tobruk", "--game", folder).out
    assert "cut off: Tobruk (18/4818) is held by" in cut
    everyone = good("supply", "--all", "--game", folder, "--json").json
    assert any(not row["supplied"] for row in everyone["hexes"])  # Malta has no line
    assert cli("supply", "--game", folder).code == 2
    assert cli("supply", "7 Arm X", "--all", "--game", folder).code == 2


# --- odds and try -----------------------------------------------------------------------------------------------


def test_odds_agree_with_what_sign_says(stage: Stage) -> None:
    pair = stage("combat")
    folder = pair.folder(ALLIED)
    asked = ["odds", "19/0726", "--with", NIBEIWA, "--supply", "supply-allied-1:1", "--game", folder]
    tree = good(*asked, "--json").json
    read = good("check", pair.orders("2-combat.yaml"), "--game", folder, "--verbose").out
    assert f"column {tree['column']}" in read
    assert sum(Fraction(row["chance"]) for row in tree["results"]) == 1
    told = good(*asked).out
    assert "Attack supply (WD 12.C): Allied supply 1, 1 step" in told
    assert "To be expected: attackers" in told


def test_a_tried_turn_has_the_chances_of_odds(stage: Stage) -> None:
    """Over 600 tries each result comes about as often as its exact chance says, and costs what `odds` says."""
    pair = stage("combat")
    folder, times = pair.folder(ALLIED), 600
    exact = good("odds", "19/0726", "--with", NIBEIWA, "--supply", "supply-allied-1:1", "--game", folder, "--json").json
    chances = {row["result"]: Fraction(row["chance"]) for row in exact["results"]}
    path = pair.orders("2-combat.yaml")
    tried = good("try", path, "--game", folder, "--times", times, "--seed", "odds", "--json").json
    (combat,) = tried["combats"]
    found = {row["result"].partition(",")[0]: row["times"] for row in combat["results"]}
    assert set(found) == set(chances) and combat["fought"] == times
    for result, chance in chances.items():
        spread = 4 * (float(chance * (1 - chance)) * times) ** 0.5
        assert abs(found[result] - float(chance) * times) <= spread
    for row in combat["results"]:
        loses = next(r for r in exact["results"] if r["result"] == row["result"].partition(",")[0])["loses"]
        assert row["loses"]["axis"] == {"RE": loses["defenders"]["re"], "strength": loses["defenders"]["strength"]}


def test_a_seed_gives_the_same_tries_and_the_game_s_dice_are_others(stage: Stage) -> None:
    pair = stage("combat")
    folder, path = pair.folder(ALLIED), pair.orders("2-combat.yaml")
    runs = [good("try", path, "--game", folder, "--seed", "x").out for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0] != good("try", path, "--game", folder, "--seed", "y").out
    assert "Local dice, of this command only" in runs[0]
    fresh = [good("try", path, "--game", folder, "--times", 3, "--json").json["seed"] for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_a_tried_draft_says_on_what_things_hang(movement: Pair) -> None:
    folder, draft = movement.folder(ALLIED), movement.write(MOVE_UP)
    tree = good("try", draft, "--game", folder, "--seed", "1", "--times", 60, "--json").json
    assert tree["dice"] == "local" and tree["seq"] == 4
    (combat,) = tree["combats"]
    assert len(combat["results"]) > 1
    hanging = [row for row in tree["marks"] if row["times"] < 60]
    assert hanging and all(row["depends"]["combat"] == combat["key"] for row in hanging)
    for row in hanging:
        counts = row["depends"]["results"].values()
        assert sum(one["times"] for one in counts) == row["times"]
        assert sum(one["of"] for one in counts) == 60


def test_a_draft_that_is_wrong_is_told_like_by_check(movement: Pair) -> None:
    folder = movement.folder(ALLIED)
    wrong = movement.write(MOVE_UP.replace("to: 19/0826", "to: Tripoli"))
    for words in (["try", wrong], ["odds", "19/0726", "--with", "5 Ind X", "--after", wrong]):
        result = cli(*words, "--game", folder)
        assert result.code == 1
        assert f"{wrong}:" in result.err and "error[WD" in result.err
    assert cli("try", wrong, "--game", folder, "--json").json["ok"] is False


# --- bad questions ----------------------------------------------------------------------------------------------

BAD: tuple[tuple[int, tuple[str, ...]], ...] = (
    (1, ("moves", "Sixth Fleet")),
    (1, ("moves", "")),
    (1, ("moves", "7 Arm X", "--to", "Atlantis")),
    (1, ("moves", "7 Arm X", "--by", "camel")),
    (1, ("moves", "7 Arm X", "--mode", "sideways")),
    (1, ("moves", "7 Arm X", "--transport", "9999 Trucks")),
    (1, ("supply", "Atlantis")),
    (1, ("odds", "Atlantis", "--with", "7 Arm X")),
    (1, ("odds", "19/0726")),
    (1, ("odds", "19/0726", "--with", ",")),
    (1, ("odds", "19/0726", "--with", "7 Arm X", "--supply", "x:y:z")),
    (1, ("odds", "19/0726", "--with", "7 Arm X", "--supply", "Allied supply 1:many")),
    (1, ("odds", "19/0726", "--with", "7 Arm X", "--flank")),
    (2, ("moves", "7 Arm X", "--for", "vichy")),
    (2, ("moves", "7 Arm X", "--after", "nowhere.yaml")),
    (2, ("try", "nowhere.yaml")),
    (2, ("try", "orders.yaml", "--times", "0")),
    (2, ("try", "orders.yaml", "--times", "99999999")),
    (1, ("explain", "99")),
    (1, ("explain", "3:99")),
    (1, ("explain", "WD 99.Z.9")),
    (1, ("explain", "XX 9.F.1")),
    (1, ("explain", "gibberish")),
    (1, ("explain", "")),
    (2, ("explain", "3", "--for", "vichy")),
    (2, ("moves",)),
)


@pytest.mark.parametrize(("code", "words"), BAD)
def test_a_bad_question_is_told_in_a_line(movement: Pair, code: int, words: tuple[str, ...]) -> None:
    movement.write(MOVE_UP)
    folder = movement.folder(ALLIED)
    given = [folder / word if word.endswith("orders.yaml") else word for word in words]
    result = cli(*given, "--game", folder)
    assert result.code == code, result.all
    assert result.out == "" or "Usage" in result.out
    lines = result.err.splitlines()
    assert lines and all("error[" in line for line in lines), result.err
    assert "internal" not in result.err and "Traceback" not in result.err


def test_unknown_and_ambiguous_units_list_candidates(movement: Pair) -> None:
    folder = movement.folder(ALLIED)
    unknown = cli("moves", "7 Armd X", "--game", folder)
    assert unknown.code == 1 and "did you mean" in unknown.err and "7 Arm X" in unknown.err
    ambiguous = cli("moves", "7th", "--game", folder)
    assert ambiguous.code == 1 and "error[names]" in ambiguous.err


def test_before_the_set_up_there_is_nothing_to_plan(stage: Stage) -> None:
    pair = stage("genesis")
    folder = pair.folder(ALLIED)
    draft = pair.write(MOVE_UP)
    for words in (["moves", "7 Arm X"], ["supply", "--all"], ["odds", "19/0726", "--with", "x"], ["try", draft]):
        result = cli(*words, "--game", folder)
        assert result.code == 1 and "nothing is set up yet" in result.err


def test_in_the_other_s_turn_the_draft_is_for_the_next(movement: Pair) -> None:
    """Off turn the next message of the other side is taken as empty, and that is said."""
    pair = movement
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    folder = pair.folder(ALLIED)
    told = good("moves", "7 Arm X", "--game", folder).out
    assert "19/0727" in told or "19/0827" in told or "in 19/" in told
    result = cli("try", pair.orders("2-combat.yaml"), "--game", folder, "--seed", "1")
    assert result.code == 0, result.all
    assert "comes first: taken as if it ordered nothing" in result.out
    assert good("supply", "--all", "--game", pair.folder(AXIS)).out


def documented() -> dict[str, list[str]]:
    """The keys that the page of planning lists for each command."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "planning.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", page.split("## For other programs")[1], re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", keys) for name, keys in rows}


def keys_of(value: Any) -> set[str]:
    """All keys in a JSON tree, however deep."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_the_keys_of_the_page_are_there(stage: Stage) -> None:
    pair = stage("combat")
    folder = pair.folder(ALLIED)
    path = pair.orders("2-combat.yaml")
    asked: dict[str, list[list[object]]] = {
        "moves": [["7 Arm X"], ["7 Arm X", "--to", "19/0928"], ["4 NZ X"]],
        "supply": [["7 Arm X"], ["Tobruk"], ["--all"]],
        "odds": [["19/0726", "--with", NIBEIWA]],
        "try": [[path, "--times", "40", "--seed", "keys"]],
        "explain": [["4"], ["4:1"], ["WD 9.F.1"]],
    }
    listed = documented()
    assert sorted(listed) == sorted(asked)
    for command, questions_ in asked.items():
        found: set[str] = set()
        for words in questions_:
            found |= keys_of(good(command, *words, "--game", folder, "--json").json)
        assert set(listed[command]) - found <= {"depends"}, command  # nothing hangs on this sure attack
