"""`explain`: every line of every message of the example games, rules, rulings, codes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from adjudicator.cli.demo import SEED
from adjudicator.match.rulebook import cited, facts_of, prefixes
from adjudicator.protocol.dice import roll
from tests.cli.conftest import cli, good, tree_of

GAMES = {"western-desert": "compass", "shifting-sands": "sands"}


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The bundled example of each game, played: the folder of its second player."""
    root = tmp_path_factory.mktemp("demos")
    for system in GAMES:
        good("demo", root / system, "--system", system)
    return {system: root / system / "bob" / name for system, name in GAMES.items()}


@pytest.fixture(autouse=True)
def _fixed_chance() -> Iterator[None]:
    with chance.fixed(SEED):
        yield


@pytest.mark.parametrize("system", sorted(GAMES))
def test_every_line_of_every_message_is_explained(system: str, demos: dict[str, Path]) -> None:
    folder = demos[system]
    before = tree_of(folder)
    dice = 0
    for seq in range(12):
        told = good("explain", seq, "--game", folder, "--json").json
        text = good("explain", seq, "--game", folder).out
        assert f"Message {seq}. " in text
        rolled = [line for line in told["lines"] if line["kind"] in ("result", "fire", "flank")]
        for line in (*rolled, *told["lines"][:: max(1, len(told["lines"]) // 8)]):
            assert line["text"] in text
            one = good("explain", f"{seq}:{line['line']}", "--game", folder, "--json").json
            assert one["event"]["kind"] == line["kind"]
            for die in one["dice"]:
                dice += 1
                assert die["label"] in good("explain", f"{seq}:{line['line']}", "--game", folder).out
    assert tree_of(folder) == before
    assert dice > 1


def lines_of(folder: Path, seq: int, kind: str) -> list[dict[str, Any]]:
    """The lines of a message of one kind, each with all that lies behind it."""
    rows = good("explain", seq, "--game", folder, "--json").json["lines"]
    return [
        good("explain", f"{seq}:{row['line']}", "--game", folder, "--json").json for row in rows if row["kind"] == kind
    ]


def test_an_attack_is_reckoned_and_its_die_can_be_rolled_again(demos: dict[str, Path]) -> None:
    folder = demos["western-desert"]
    (attack,) = lines_of(folder, 10, "attack")
    behind = "\n".join(attack["behind"])
    for words in ("Attack strength", "unsupported (WD 11)", "Odds: ", "column 3:1 (WD 9.A.3)", "AECA"):
        assert words in behind
    assert attack["order"].startswith("entry 2 of the orders of message 10: ")
    (result,) = lines_of(folder, 10, "result")
    assert result["line"] in attack["followed"]
    text = good("explain", f"10:{result['line']}", "--game", folder).out
    seed = re.search(r"seed ([0-9a-f]{64})", text)
    assert seed is not None and "opened by the Axis with link 6" in text
    (die,) = result["dice"]
    assert [*roll(bytes.fromhex(seed[1]), die["label"], die["faces"], len(die["values"]))] == die["values"]


def test_a_choice_says_who_made_it(demos: dict[str, Path]) -> None:
    spent = lines_of(demos["western-desert"], 8, "supply-used")
    assert spent[0]["choice"].startswith("by the default, for nothing was said")


def test_rules_of_all_events_and_problems_are_known(demos: dict[str, Path]) -> None:
    """Whatever rule a line names, `explain` has something to say of it."""
    for system, folder in demos.items():
        rules = {
            line["rule"]
            for seq in range(11)
            for line in good("explain", seq, "--game", folder, "--json").json["lines"]
            if line["rule"]
        }
        assert len(rules) > 8
        for rule in sorted(rules):
            prefix = rule.partition(" ")[0]
            assert facts_of(rule, prefixes().get(prefix, "")).known, (system, rule)


def test_a_rule_tells_what_the_program_does(demos: dict[str, Path], tmp_path: Path) -> None:
    told = good("explain", "WD", "9.F.1").out
    for words in ("Order `retreat`", "retreat.ways]", "refuses: retreat_hex", "Ruling RETREAT-ORDER", "WD 9.F.1.zoc"):
        assert words in told
    assert good("explain", "wd 9.F.1").out == told
    assert good("explain", "9.F.1", "--game", demos["western-desert"]).out == told
    assert "SS 11.3:" in good("explain", "11.3", "--game", demos["shifting-sands"]).out
    assert "PROTOCOL 5:" in good("explain", "PROTOCOL 5").out
    tree = good("explain", "WD 12.A", "--json").json
    assert tree["rule"] == "WD 12.A" and tree["places"]
    above = good("explain", "WD 9.F.1.zoc.never").out
    assert "See also: WD 9.F.1.zoc" in above


def test_a_rule_written_carelessly() -> None:
    told = good("explain", "WD 15.A").out
    assert told.startswith("WD 15.A:")
    assert [good("explain", text).out for text in ("WD15.A", "wd15.a", "wd 15.a", "Wd15.A.")] == [told] * 4


def test_a_bare_number_of_a_rule_needs_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("explain", "9.F.1")
    assert result.code == 1 and "of which game?" in result.err


def test_rulings_switches_and_codes(demos: dict[str, Path]) -> None:
    folder = demos["western-desert"]
    told = good("explain", "ODDS-LOW", "--game", folder).out
    assert "In this game: odds_below_1_3 = ae." in told
    assert good("explain", "odds_below_1_3", "--game", folder).out == told
    assert "the opened link is not the next one" in good("explain", "E_REVEAL").out
    fault = good("explain", "unit_attacks_twice", "--json").json
    assert {row["rule"] for row in fault["rules"]} == {"WD 9.B.1"}


def test_lists_of_addresses_are_read() -> None:
    text = "Nobody twice (WD 9.B.1, 9.B.4; pbem C2), WD chart.ground-crt. See PROTOCOL 4.7 and SS 11.43, ruling A02."
    assert cited(text) == {"WD 9.B.1", "WD 9.B.4", "WD chart.ground-crt", "PROTOCOL 4.7", "SS 11.43"}


def test_what_the_other_side_may_not_see_is_left_out(demos: dict[str, Path]) -> None:
    """Both games show all events to both; a folder without a player may look, too."""
    folder = demos["western-desert"]
    assert good("explain", "10", "--for", "public", "--game", folder).out
    stranger = folder.parent / "stranger"
    shutil.copytree(folder, stranger)
    shutil.rmtree(stranger / "private")
    about = (stranger / "game.yaml").read_text(encoding="utf-8")
    (stranger / "game.yaml").write_text(re.sub(r"^(side|key): .*\n", "", about, flags=re.MULTILINE), encoding="utf-8")
    assert "label combat/19.0725/crt" in good("explain", "10", "--game", stranger).out
