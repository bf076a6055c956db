"""`doctor`, `dispute`, `head`, `import`: a folder looked over, two programs compared, a lost game brought back."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.match import Match
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_turn
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def findings(folder: Path, code: int = 0) -> dict[str, list[str]]:
    """What `doctor` finds: name -> states."""
    result = cli("doctor", folder, "--json")
    assert result.code == code, result.all
    found: dict[str, list[str]] = {}
    for row in result.json["findings"]:
        found.setdefault(row["name"], []).append(row["state"])
    return found


# --- doctor -----------------------------------------------------------------------------------------------------


def test_a_sound_folder(stage: Stage) -> None:
    folder = stage("done").folder(ALLIED)
    told = good("doctor", folder).out
    for said in (
        "good log: whole and proved: Head: message 7", "good opponent: in step: with message 7", "good pending:",
        "good secrets:", "good chain: ", "note backup: nobody has said yet", "Nothing is wrong.",
    ):
        assert said in told, said
    assert "good backup: backed up, as you said" in good("doctor", folder, "--backed-up").out
    assert findings(folder)["backup"] == ["good"]
    (folder / "private" / "secret.yaml").write_bytes((folder / "private" / "secret.yaml").read_bytes() + b"\n")
    assert findings(folder)["backup"] == ["note"]


@pytest.mark.skipif(os.name != "posix", reason="this system has no file modes")
def test_modes(stage: Stage) -> None:
    folder = stage("done").folder(ALLIED)
    secret = folder / "private" / "secret.yaml"
    assert findings(folder)["modes"] == ["good"]
    secret.chmod(0o644)
    result = cli("doctor", folder)
    assert result.code == 1
    assert f"bad  modes: {secret}: others on this computer may read it (mode 0644); chmod 600 {secret}" in result.out


def test_what_is_wrong_is_found(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    axis, allied = pair.folder(AXIS), pair.folder(ALLIED)
    author = Match.load(allied)
    second = tmp_path / "second.turn"
    second.write_bytes(write_turn(sign_body({**author.verifier.body(6), "note": "again"}, author.key())))
    assert cli("receive", axis, second).code == 1
    assert findings(axis, 1)["fork"] == ["bad"]
    (allied / "private" / "secret.yaml").unlink()
    assert findings(allied, 1)["secrets"] == ["bad"]
    log = allied / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"19/0626", b"19/0625", 1))
    assert findings(allied, 1)["log"] == ["bad"]
    log.unlink()
    assert findings(allied, 1)["log"] == ["bad"]
    assert_clear(cli("doctor", tmp_path), "no game folder", 2)


def test_before_the_game(tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "a", "--name", "Alice")
    assert findings(tmp_path / "a")["log"] == ["note"]


# --- a lost game ------------------------------------------------------------------------------------------------


def lost(pair: Pair, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The Allied player has written his words down and lost his folder; the other sends log and statement."""
    words = tmp_path / "words.txt"
    words.write_text(good("doctor", pair.folder(ALLIED), "--words").out, encoding="utf-8")
    told = good("head", pair.folder(AXIS)).out
    statement = next((pair.folder(AXIS) / "outbox").glob("*head*"))
    assert str(statement) in told
    return words, pair.folder(AXIS) / "log.jsonl", statement


def test_a_game_comes_back_from_words(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    words, log, statement = lost(pair, tmp_path)
    secret = (pair.folder(ALLIED) / "private" / "secret.yaml").read_bytes()
    shutil.rmtree(pair.folder(ALLIED))
    told = good("import", pair.folder(ALLIED), log, "--head", statement, "--words", words).out
    assert "Brought back: Allied, messages 0 to 7" in told
    assert (pair.folder(ALLIED) / "private" / "secret.yaml").read_bytes() == secret
    assert findings(pair.folder(ALLIED))["secrets"] == ["good"]
    good("open", pair.folder(ALLIED), "--yes")
    body = Match.load(pair.folder(ALLIED)).verifier.body(8)
    assert isinstance(body["restored"], dict) and body["restored"]["seq"] == "7"
    pair.deliver(ALLIED)
    assert "1 message follows a log brought back" in good("verify", pair.folder(AXIS)).out
    assert good("audit", pair.folder(AXIS), "--json").json["restored"] == [8]
    pair.bare(AXIS)
    good("open", pair.folder(ALLIED), "--yes")
    assert "restored" not in Match.load(pair.folder(ALLIED)).verifier.body(10)


def test_an_own_message_found_in_sent_mail_is_taken_in_first(stage: Stage, tmp_path: Path) -> None:
    pair = stage("combat")
    words, log, statement = lost(pair, tmp_path)
    good("sign", pair.orders("2-combat.yaml"), "--yes")
    sent = tmp_path / "sent.turn"
    shutil.copy(pair.newest(ALLIED), sent)
    shutil.rmtree(pair.folder(ALLIED))
    good("import", pair.folder(ALLIED), log, "--head", statement, "--words", words)
    assert "Message 6 of Allied accepted" in good("receive", pair.folder(ALLIED), sent).out
    assert "DUPLICATE" in good("receive", pair.folder(ALLIED), sent).out


def test_only_the_log_is_lost(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    _, log, statement = lost(pair, tmp_path)
    allied = pair.folder(ALLIED)
    (allied / "log.jsonl").unlink()
    (allied / "private" / "journal.jsonl").unlink()
    good("import", allied, log, "--head", statement)
    assert findings(allied)["log"] == ["good"]


def test_what_can_not_be_brought_back(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    words, log, statement = lost(pair, tmp_path)
    allied = pair.folder(ALLIED)
    for path, change, said in (
        (statement, (b"seq: 7", b"seq: 6"), "speaks of message 6"),
        (statement, (b"BEGIN SSH", b"BEGIN SSX"), "E_SIG"),
        (statement, (b"pbem1-head/1", b"x"), "no head statement"),
        (log, (b"19/0626", b"19/0625"), "E_SIG"),
        (words, (b"signing key:", b"signing key: balbal"), r"error\[words\]"),
    ):
        bad = tmp_path / f"bad-{path.name}"
        assert change[0] in path.read_bytes()
        bad.write_bytes(path.read_bytes().replace(*change, 1))
        given = {one: (bad if one == path else one) for one in (log, statement, words)}
        fresh = tmp_path / "fresh"
        result = cli("import", fresh, given[log], "--head", given[statement], "--words", given[words])
        assert_clear(result, said, 1)
        assert not fresh.exists()
    assert_clear(cli("import", tmp_path / "fresh", log, "--head", statement), "your secret is not in the folder", 1)
    other = tmp_path / "other.txt"
    other.write_text(good("doctor", pair.folder(AXIS), "--words").out, encoding="utf-8")
    assert_clear(cli("import", tmp_path / "fresh", log, "--head", statement, "--words", other), "E_SIG", 1)
    before = tree_of(allied)
    old = tmp_path / "old.jsonl"
    old.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:6]))
    assert_clear(cli("import", allied, old, "--head", statement), "holds a message 6 that the log you were given", 1)
    assert tree_of(allied) == before


# --- dispute ----------------------------------------------------------------------------------------------------


def test_two_programs_that_agree(stage: Stage) -> None:
    pair = stage("done")
    files = [good("dispute", pair.folder(side), "6", "--json").json["file"] for side in (AXIS, ALLIED)]
    assert "Both make the same of message 6" in good("dispute", "--compare", *files).out
    tree = json.loads(Path(files[0]).read_text(encoding="utf-8"))
    assert tree["rolls"][0]["label"] == "combat/19.0726/crt"
    assert len(tree["log"]) == 7
    text = Path(files[1]).read_text(encoding="utf-8")
    assert Match.load(pair.folder(ALLIED)).secret().k_game.hex() not in text


def test_edited_rules_are_found_out(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The Axis player's program reads the combat table otherwise: the first difference is the combat's result."""
    from adjudicator.western_desert.odds import Odds

    pair = stage("combat")
    good("sign", pair.orders("2-combat.yaml"), "--yes")
    with monkeypatch.context() as patch:
        patch.setattr(Odds, "result", lambda _self, _die: "AE")
        pair.deliver(ALLIED)
        good("open", pair.folder(AXIS), "--yes")
        ours = good("dispute", pair.folder(AXIS), "6", "--json").json["file"]
    assert_clear(cli("receive", pair.folder(ALLIED), pair.newest(AXIS)), "E_STATE", 1)
    theirs = good("dispute", pair.folder(ALLIED), "--json").json["file"]
    result = cli("dispute", "--compare", ours, theirs)
    assert result.code == 1
    assert "First difference: event 3 (result): means, result" in result.out
    assert "attacker eliminated" in result.out
    assert "the rules made something else of them" in result.out
    found = cli("dispute", "--compare", ours, theirs, "--json").json["difference"]
    assert found["where"] == "event 3 (result): means, result"


def test_files_that_can_not_be_compared(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    file = Path(good("dispute", pair.folder(AXIS), "5", "--json").json["file"])
    tree = json.loads(file.read_text(encoding="utf-8"))
    for change, said in (
        ({"seed": "00"}, "seeds differ"),
        ({"versions": {**tree["versions"], "program": "9"}}, "different versions"),
        ({"log": tree["log"][:-1]}, "logs differ"),
        ({"position": {**tree["position"], "at": "9"}}, "position after them"),
        ({"rolls": [{"label": "x", "faces": "6", "values": ["1"]}]}, "rolled different dice"),
    ):
        other = tmp_path / "other.json"
        other.write_text(json.dumps({**tree, **change}), encoding="utf-8")
        result = cli("dispute", "--compare", file, other)
        assert (result.code, said in result.out) == (1, True), result.all
    for data, said in ((b"{", "damaged"), (b"[]", "no file"), (b'{"format":"adjudicator-dispute/1"}', "is missing")):
        (tmp_path / "other.json").write_bytes(data)
        assert_clear(cli("dispute", "--compare", file, tmp_path / "other.json"), said, 1)
    assert_clear(cli("dispute", pair.folder(AXIS), "99"), "not open for both", 1)
    assert_clear(cli("dispute"), "nothing to look at", 2)


def test_dice_that_only_one_side_knows_are_not_told(stage: Stage) -> None:
    """After `status` the Axis player's program knows the dice of message 4; he has not opened them for the other."""
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    pair.deliver(ALLIED)
    assert good("dispute", pair.folder(AXIS), "--json").json["seq"] == 3
    assert_clear(cli("dispute", pair.folder(AXIS), "4"), "not open for both", 1)
