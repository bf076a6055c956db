"""`export-proof`: a message, and a fork, checked by somebody who has OpenSSH and nothing of ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.match import Match
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_line, write_turn
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def ssh_keygen(folder: Path, stem: str, side: str) -> subprocess.CompletedProcess[bytes]:
    """The command that the page and the files tell."""
    tool = shutil.which("ssh-keygen")
    if tool is None:
        pytest.skip("there is no ssh-keygen on this machine to check the signatures with")
    command = [tool, "-Y", "verify", "-f", "allowed_signers", "-I", side, "-n", "pbem1", "-s", f"{stem}.sig"]
    return subprocess.run(command, cwd=folder, input=(folder / f"{stem}.json").read_bytes(), capture_output=True)


def second_body(pair: Pair, seq: int, side: str) -> Path:
    """A second, different message of a number, signed by its author's own key."""
    match = Match.load(pair.folder(side))
    message = sign_body({**match.verifier.body(seq), "note": "second thoughts"}, match.key())
    path = pair.root / "second.turn"
    path.write_bytes(write_turn(message))
    return path


@pytest.mark.parametrize(("seq", "side"), [(0, ALLIED), (4, ALLIED), (7, AXIS)])
def test_ssh_keygen_checks_a_message(seq: int, side: str, stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    proof = tmp_path / "proof"
    told = good("export-proof", pair.folder(AXIS), seq, "-o", proof).out
    stem = f"message-{seq:04d}"
    assert f"ssh-keygen -Y verify -f allowed_signers -I {side} -n pbem1 -s {stem}.sig < {stem}.json" in told
    assert (proof / "HOW-TO-CHECK.txt").is_file()
    for one, by in ((stem, side), *([("genesis", ALLIED)] if seq else [])):
        done = ssh_keygen(proof, one, by)
        assert done.returncode == 0, done.stderr
        assert b'Good "pbem1" signature' in done.stdout
    path = proof / f"{stem}.json"
    body = path.read_bytes()
    path.write_bytes(body.replace(b'"pbem":"1"', b'"pbem":"2"'))
    assert ssh_keygen(proof, stem, side).returncode != 0
    path.write_bytes(body)
    assert ssh_keygen(proof, stem, AXIS if side == ALLIED else ALLIED).returncode != 0


def test_the_default_place_and_json(stage: Stage) -> None:
    pair = stage("done")
    tree = good("export-proof", pair.folder(ALLIED), 5, "--json").json
    assert (tree["ok"], tree["fork"]) == (True, False)
    assert {Path(file).name for file in tree["files"]} == {
        "HOW-TO-CHECK.txt", "allowed_signers", "genesis.json", "genesis.sig", "message-0005.json", "message-0005.sig"
    }
    assert (pair.folder(ALLIED) / "proofs" / "0005").is_dir()
    assert_clear(cli("export-proof", pair.folder(ALLIED), 5), "something of that name already", 1)


def test_a_fork_received_is_exported_and_proved(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    second = second_body(pair, 6, ALLIED)
    assert_clear(cli("receive", pair.folder(AXIS), second), "E_FORK", 1)
    proof = tmp_path / "proof"
    told = good("export-proof", pair.folder(AXIS), 6, "-o", proof).out
    assert "There are two different messages 6" in told
    for stem in ("message-0006", "message-0006-other-1", "genesis"):
        assert ssh_keygen(proof, stem, ALLIED).returncode == 0
    told = good("verify", proof).out
    assert "Two different messages 6, both signed by allied" in told
    assert "Head: message 5" in told
    assert len((proof / "log.jsonl").read_bytes().splitlines()) == 6


def test_a_fork_out_of_a_kept_file(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    second = second_body(pair, 6, ALLIED)
    good("export-proof", pair.folder(AXIS), 6, "--second", second, "-o", tmp_path / "proof")
    assert "Two different messages 6" in good("verify", tmp_path / "proof").out


def test_what_proves_no_fork(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    axis, before = pair.folder(AXIS), tree_of(pair.root)
    same = sorted((pair.folder(ALLIED) / "outbox").glob("*-0006-*.turn"))[0]
    assert_clear(cli("export-proof", axis, 6, "--second", same), "DUPLICATE", 1)
    assert_clear(cli("export-proof", axis, 99), "messages of this game are 0 to 7", 1)
    assert_clear(cli("export-proof", axis, -1), "no such option|messages of this game", 2)
    assert_clear(cli("export-proof", axis, 4, "--second", axis / "game.yaml"), "E_CANON", 1)
    assert tree_of(pair.root) == before
    second = second_body(pair, 6, ALLIED)
    good("export-proof", axis, 6, "--second", second, "-o", tmp_path / "proof")
    one, two = (tmp_path / "proof" / f"second-body-{n}.turn" for n in (1, 2))
    two.write_bytes(one.read_bytes())
    assert_clear(cli("verify", tmp_path / "proof"), "no fork", 1)
    two.write_bytes(b"body: {}\n")
    assert_clear(cli("verify", tmp_path / "proof"), "can't be read", 1)


def test_expected_and_found_are_told_in_full(stage: Stage) -> None:
    pair = stage("done")
    log = pair.folder(AXIS) / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join([*lines[:5], lines[6], lines[5], lines[7]]), encoding="utf-8")
    told, seq = cli("verify", log), 5
    broken = f"   7. Message {seq} does not hold: E_GAP\n        expected: message 5\n        found:    message 6 ("
    assert broken in told.out
    tree = json.loads(cli("verify", log, "--json").out)
    assert (tree["failed"]["expected"], tree["failed"]["seq"]) == ("message 5", 5)


@pytest.mark.parametrize(
    ("field", "expected", "found"),
    [
        ("state", "digest of message 6: {digest}", "digest of message 6: {zero}"),
        ("prev", "id of message 6: {prev}", "prev: {zero}"),
        ("reveal", "a secret whose hash is link 3 of axis: {link}", "a secret whose hash is: "),
        ("rules", "rules: {rules}", "rules: {zero}"),
        ("game", "game: {game}", "game: {zero}"),
    ],
)
def test_both_halves_of_what_does_not_fit(field: str, expected: str, found: str, stage: Stage) -> None:
    pair = stage("done")
    match = Match.load(pair.folder(AXIS))
    verifier, log = match.verifier, match.folder.log
    figures = {
        "digest": verifier.digest(6), "prev": verifier.id(6), "link": verifier.body(5)["reveal"],
        "rules": verifier.rules, "game": verifier.game_id, "zero": "0" * 64,
    }
    message = sign_body({**verifier.body(7), field: "0" * 64}, match.key())
    log.write_bytes(b"".join([*log.read_bytes().splitlines(keepends=True)[:7], write_line(message)]))
    failed = json.loads(cli("verify", log, "--json").out)["failed"]
    assert failed["expected"] == expected.format(**figures)
    assert failed["found"].startswith(found.format(**figures))


def test_every_roll_is_listed(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    good("verify", pair.folder(AXIS), "--dice", tmp_path / "dice.txt")
    lines = (tmp_path / "dice.txt").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("6 combat/19.0726/crt 6 ") for line in lines)
    assert len(lines) == good("verify", pair.folder(AXIS), "--json").json["rolls"]
    assert_clear(cli("verify", pair.folder(AXIS), "--dice", tmp_path), "folder", 2)
