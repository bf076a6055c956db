"""`audit`: dice per player, luck, what is odd in the log, and the sentences that belong to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lxml import etree

from adjudicator.match.match import Match
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_turn
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def test_it_counts_and_says_what_it_can_say(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    told = good("audit", pair.folder(AXIS), "--svg", tmp_path / "luck.svg").out
    for said in (
        "the log holds", "Axis (Alice):", "Allied (Bob):", "Both together:", "dice of six faces:", "faces 1 to 6:",
        "chi-square", "mean ", "luck ", "Difference of luck", "ground combat: the share",
        "Numbers with two different signed turns: 0", "What these numbers can't tell", "`verify`",
    ):
        assert said in told, said
    picture = etree.parse(tmp_path / "luck.svg").getroot()
    assert picture.tag.endswith("svg")
    drawn = "".join(str(text) for text in picture.itertext())
    assert "about nineteen fair games in twenty end between the two thin lines of a side" in drawn
    bare = tmp_path / "some.jsonl"
    bare.write_bytes((pair.folder(AXIS) / "log.jsonl").read_bytes())
    assert good("audit", bare).out == told.replace(f"\nPicture: {tmp_path / 'luck.svg'}\n", "")
    tree = good("audit", bare, "--json").json
    assert tree["both"]["rolls"] == sum(side["rolls"] for side in tree["sides"])
    assert (tree["forked"], tree["local"], len(tree["honest"])) == ([], False, 4)


def test_forks_are_counted(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    allied = Match.load(pair.folder(ALLIED))
    second = tmp_path / "second.turn"
    second.write_bytes(write_turn(sign_body({**allied.verifier.body(6), "note": "again"}, allied.key())))
    assert cli("receive", pair.folder(AXIS), second).code == 1
    assert "Numbers with two different signed turns: 1 (message 6)" in good("audit", pair.folder(AXIS)).out


def test_only_a_log_that_holds_is_counted(stage: Stage, tmp_path: Path) -> None:
    log = stage("done").folder(AXIS) / "log.jsonl"
    data = log.read_bytes()
    lines = data.splitlines(keepends=True)
    for broken, said in (
        (data.replace(b"19/0626", b"19/0625", 1), "E_SIG"),
        (b"".join(lines[1:]), "begin with a genesis"),
        (b"", "begin with a genesis"),
        (data[:-5], "E_CANON"),
        (lines[0].replace(b'"system":"western-desert",', b""), "has no `system`"),
        (lines[0].replace(b"western-desert", b"tic-tac-toe"), "there is no game"),
    ):
        path = tmp_path / "log.jsonl"
        path.write_bytes(broken)
        assert_clear(cli("audit", path), said)
    assert_clear(cli("audit", tmp_path / "gone"), "no log.jsonl", 2)
    assert_clear(cli("audit", log, "--svg", tmp_path), "folder", 2)
