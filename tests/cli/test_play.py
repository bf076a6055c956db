"""What a player does: keys, offer, set-up, template, check, sign, receive, open, resend, status, report, export."""

from __future__ import annotations

import json
import stat
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.draft import Draft
from adjudicator.match.preview import CheckResult
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_turn
from adjudicator.turnfile.armor import unarmor
from tests.cli.conftest import ALLIED, AXIS, Pair, begin, cli, good, set_up, tree_of

Stage = Callable[[str], Pair]
MODES = 0o777


# --- beginning --------------------------------------------------------------------------------------------------


def test_keygen_makes_a_key_that_openssh_reads(tmp_path: Path) -> None:
    result = good("keygen", tmp_path / "alice.key", "--name", "Alice")
    assert "never mail it" in result.out
    key = SigningKey.load(tmp_path / "alice.key")
    assert (tmp_path / "alice.key.pub").read_text(encoding="utf-8") == f"{key.public} Alice\n"
    assert stat.S_IMODE((tmp_path / "alice.key").stat().st_mode) == 0o600
    tree = good("keygen", tmp_path / "bob.key", "--json").json
    assert tree["line"] == SigningKey.load(tmp_path / "bob.key").public != key.public


def test_an_own_openssh_key(tmp_path: Path) -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "own")]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        pytest.skip("there is no ssh-keygen here")
    good("new", "western-desert", "compass", tmp_path / "game", "--name", "Alice", "--key", tmp_path / "own")
    offer = read_body(tmp_path / "game" / "outbox" / "offer.turn")
    assert (tmp_path / "own.pub").read_text(encoding="utf-8").startswith(offer["players"]["a"]["key"])
    assert not (tmp_path / "game" / "private" / "key").exists()


def read_body(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    """The body of a file, as plain YAML."""
    import yaml

    found: dict[str, dict[str, dict[str, str]]] = yaml.load(path.read_bytes(), Loader=yaml.BaseLoader)["body"]
    return found


def test_offer_and_genesis(tmp_path: Path) -> None:
    made = good(
        "new",
        "western-desert",
        "compass",
        tmp_path / "a",
        "--name",
        "Alice",
        "--title",
        "Desert 41",
        "--switch",
        "odds_below_1_3=forbid",
        "--json",
    ).json
    assert made["offer"] == str(tmp_path / "a" / "outbox" / "offer.turn")
    assert stat.S_IMODE((tmp_path / "a" / "private").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "private" / "secret.yaml").stat().st_mode) == 0o600
    waiting = good("status", tmp_path / "a")
    assert "waits for the other player's genesis" in waiting.out
    assert good("status", tmp_path / "a", "--json").json["side"] == AXIS
    again = (tmp_path / "a" / "outbox" / "offer.turn").read_bytes()
    (tmp_path / "a" / "outbox" / "offer.turn").unlink()
    files = good("resend", tmp_path / "a", "--armor", "--json").json["files"]
    assert [Path(file).name for file in files] == ["offer.turn", "offer.txt"]
    assert (tmp_path / "a" / "outbox" / "offer.turn").read_bytes() == again

    accepted = good("accept", made["offer"], tmp_path / "b", "--name", "Bob")
    assert "You play Desert 41 (western-desert, scenario compass) against Alice (axis)." in accepted.out
    assert "odds_below_1_3=forbid" in accepted.out
    taken = good("receive", tmp_path / "a", tmp_path / "b" / "outbox" / "genesis.turn")
    assert "Genesis accepted: Alice (axis) against Bob (allied)" in taken.out
    assert "you owe message 1" in taken.out
    assert "Axis owes message 1" in good("status", tmp_path / "b").out
    assert "odds_below_1_3" in (tmp_path / "b" / "game.yaml").read_text(encoding="utf-8")


def test_a_title_names_the_files(tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "a", "--name", "A", "--title", "Wüste — 1940 / 41!")
    good("accept", tmp_path / "a" / "outbox" / "offer.turn", tmp_path / "b", "--name", "B")
    good("receive", tmp_path / "a", tmp_path / "b" / "outbox" / "genesis.turn")
    good("open", tmp_path / "a")
    assert [path.name for path in (tmp_path / "a" / "outbox").glob("*0001*")] == ["w-ste-1940-41-0001-axis.turn"]


def test_free_set_up(tmp_path: Path) -> None:
    """Messages 3 and 4 are the set-ups; what is wrong in them is told like in any turn file."""
    a, b = tmp_path / "a", tmp_path / "b"
    good("new", "western-desert", "compass", a, "--name", "Alice", "--title", "Free", "--switch", "setup=free")
    good("accept", a / "outbox" / "offer.turn", b, "--name", "Bob")
    good("receive", a, b / "outbox" / "genesis.turn")
    good("open", a)
    good("receive", b, a / "outbox" / "free-0001-axis.turn")
    good("open", b)
    taken = good("receive", a, b / "outbox" / "free-0002-allied.turn")
    assert "you owe message 3 since message 2: the set-up" in taken.out
    good("template", a, "-o", a / "orders.yaml")
    assert "63 Cirene XX: 19/0527" in (a / "orders.yaml").read_text(encoding="utf-8")
    head, _, _ = (a / "orders.yaml").read_text(encoding="utf-8").partition("orders:")
    deploy = "  - {type: deploy, at: Cairo, units: 63 Cirene XX}"
    (a / "orders.yaml").write_text(f"{head}orders:\n{deploy}\n", encoding="utf-8")
    assert "is no ground that the axis side holds at the start" in cli("check", a / "orders.yaml").all
    deploy = "  - {type: deploy, at: Tobruk, units: 63 Cirene XX}"
    (a / "orders.yaml").write_text(f"{head}orders:\n{deploy}\n", encoding="utf-8")
    assert "63rd Infantry Division Cirene begins in Tobruk (18/4818)" in good("sign", a / "orders.yaml", "--yes").out
    taken = good("receive", b, a / "outbox" / "free-0003-axis.turn")
    assert "you owe message 4 since message 3: the set-up" in taken.out
    report = (b / "reports" / "0003-allied.md").read_text(encoding="utf-8")
    assert "# Compass: the set-up of the Axis" in report and "63rd Cirene Division" in report
    good("open", b, "--yes")
    good("receive", a, b / "outbox" / "free-0004-allied.turn")
    good("open", a)
    taken = good("receive", b, a / "outbox" / "free-0005-axis.turn")
    assert "you owe message 6 since message 5: orders from the initial phase on" in taken.out
    assert "Everything holds" in good("verify", b).out


# --- a turn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["movement", "combat", "done"])
@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_the_template_passes_check_as_it_stands(name: str, side: str, stage: Stage) -> None:
    folder = stage(name).folder(side)
    made = good("template", folder, "-o", folder / "orders.yaml")
    assert "Turn file:" in made.out
    text = (folder / "orders.yaml").read_text(encoding="utf-8")
    assert good("template", folder).out == text
    result = good("check", folder / "orders.yaml")
    assert "0 illegal; 0 problems" in result.out
    assert f"side: {side}" in text
    assert max(len(line) for line in text.splitlines()) <= 140


def test_the_template_of_the_setup(stage: Stage) -> None:
    folder = stage("genesis").folder(AXIS)
    text = good("template", folder).out
    assert "carry no orders" in text
    path = folder / "orders.yaml"
    path.write_text(text, encoding="utf-8")
    good("sign", path, "--yes")


def test_the_template_tells_what_a_player_needs(stage: Stage) -> None:
    text = good("template", stage("movement").folder(ALLIED)).out
    for said in ("seq: 4", "7 Arm X", "3-2-10", "10 MP", "name: movement", "Default:", "supply-allied-1", "surprise"):
        assert said in text, said
    assert "6 Aus HQ" not in text
    text = good("template", stage("combat").folder(ALLIED)).out
    for said in ("name: combat", "hex: 19/0726", "2 Lib XX", "column 7:1", "supply: supply-allied-1:1"):
        assert said in text, said
    assert "name: movement" not in text


def test_the_examples_of_the_combat_template_are_legal_when_taken_up(stage: Stage) -> None:
    """Every attack that the template lists may be made: the # taken away, one at a time."""
    folder = stage("combat").folder(ALLIED)
    text = good("template", folder).out
    blocks = [block for block in text.split("\n\n") if "# - type: attack" in block]
    head = text.split("\n\n")[0]
    assert len(blocks) >= 3
    for block in blocks:
        orders = [line.replace("# ", "", 1) for line in block.splitlines() if line.startswith(("  # - ", "  #   "))]
        (folder / "one.yaml").write_text("\n".join([head, *orders]) + "\n", encoding="utf-8")
        result = cli("check", folder / "one.yaml")
        assert result.code == 0, result.out


def test_check_in_words_and_as_json(movement: Pair) -> None:
    file = movement.orders("1-movement.yaml")
    before = tree_of(movement.root)
    told = good("check", file, "--verbose")
    assert "Movement phase:" in told.out
    assert (
        "7th Armoured Brigade, 4th Armoured Brigade and 7th Support Group move 19/1127 to 19/0626 by 19/1027, 19/0927, "
        "19/0827 and 19/0727, 9 of 10 MP, end in an enemy ZOC"
    ) in told.out
    assert "moves Matruh (19/1225) to 19/0825 by the coast road Halfaya - Matruh, 4 of 8 MP" in told.out
    assert told.out.endswith("5 orders: 5 legal, 0 illegal; 0 problems\n")
    tree = good("check", file, "--json").json
    assert tree["ok"] is True
    assert [order["verdict"] for order in tree["orders"]] == ["legal"] * 7
    assert tree_of(movement.root) == before


def test_check_as_json_with_problems(movement: Pair) -> None:
    file = movement.orders("1-draft.yaml")
    result = cli("check", file, "--json")
    assert result.code == 1
    tree = json.loads(result.out)
    errors = [problem for problem in tree["problems"] if problem["severity"] == "error"]
    assert [(problem["line"], problem["rule"], problem["order"]) for problem in errors] == [(15, "WD 6.mp", 3)]
    assert "10 of 6 MP" in errors[0]["text"]
    assert errors[0]["mend"].startswith("the nearest it can reach is")
    assert cli("sign", file, "--yes", "--json").json["ok"] is False


def test_sign_reads_back_and_asks(movement: Pair) -> None:
    file = movement.orders("1-movement.yaml")
    result = good("sign", file, "--note", "Here we come", "--armor", answer="y\n")
    assert "Message 4 of Compass, Allied. You order:" in result.out
    assert "Sign and seal this as message 4? It can't be taken back. [y/N]" in result.out
    signed = movement.newest(ALLIED)
    assert signed.name == "compass-0004-allied.turn"
    assert f"Mail this file: {signed} or {signed.with_suffix('.txt')}" in result.out
    assert unarmor(signed.with_suffix(".txt").read_bytes()) == signed.read_bytes()
    body = read_turn(signed.read_bytes()).body
    assert body["note"] == "Here we come"
    moves = [order for order in body["orders"] if isinstance(order, dict) and order["type"] == "move"]
    assert moves[0]["units"] == ["br-7-arm-a", "br-4-arm-a", "br-7-sg"], "the signed body carries ids only"
    mail = movement.root / "mail.eml"
    quoted = "\n".join(f"> {line}" for line in signed.with_suffix(".txt").read_text(encoding="utf-8").splitlines())
    mail.write_text(f"From: bob\n\nHi Alice,\n{quoted}\n\nBob\n", encoding="utf-8")
    taken = good("receive", movement.folder(AXIS), mail)
    assert "Message 4 of Allied accepted" in taken.out
    assert "Note of Allied: Here we come" in taken.out


def test_receive_tells_what_was_opened(stage: Stage) -> None:
    pair = stage("combat")
    good("sign", pair.orders("2-combat.yaml"), "--yes")
    told = pair.deliver(ALLIED)
    assert "Opened by Axis: the dice of message 6; 1 roll: combat/19.0726/crt " in told.out
    assert "Reports: " in told.out
    report = pair.folder(AXIS) / "reports" / "0006-axis.md"
    assert "19/0726" in report.read_text(encoding="utf-8")
    good("open", pair.folder(AXIS))
    tree = good("receive", pair.folder(ALLIED), pair.newest(AXIS), "--json").json
    assert tree["opened"][0]["seq"] == 6
    assert list(tree["opened"][0]["dice"]) == ["combat/19.0726/crt"]
    one, two = (json.loads((pair.folder(s) / "state" / "newest.json").read_bytes()) for s in (AXIS, ALLIED))
    assert one["seq"] == "6" and two["seq"] == "7"
    logs = [(pair.folder(side) / "log.jsonl").read_bytes() for side in (AXIS, ALLIED)]
    assert logs[0] == logs[1]


def test_open_warns_who_has_something_to_decide(movement: Pair) -> None:
    result = good("open", movement.folder(ALLIED), answer="y\n")
    assert "You are asked for orders from the initial phase on." in result.out
    assert "Signed: message 4" in result.out


def test_resend_gives_the_same_bytes(stage: Stage) -> None:
    pair = stage("combat")
    file = pair.newest(ALLIED)
    before = file.read_bytes()
    file.unlink()
    assert str(file) in good("resend", pair.folder(ALLIED)).out
    assert file.read_bytes() == before
    good("resend", pair.folder(ALLIED), "2")
    tree = good("resend", pair.folder(ALLIED), "0", "--armor", "--json").json
    genesis = (pair.folder(ALLIED) / "outbox" / "genesis.turn").read_bytes()
    assert Path(tree["files"][0]).read_bytes() == genesis
    assert [Path(file).name for file in tree["files"]] == ["genesis.turn", "genesis.txt"]
    assert not list((pair.folder(ALLIED) / "outbox").glob("*-0000-*"))
    told = good("resend", pair.folder(AXIS), "0", "--armor").out
    assert "offer.turn or " in told and "offer.txt (your offer, the same bytes as before)" in told


def test_status(stage: Stage) -> None:
    told = good("status", stage("combat").folder(ALLIED)).out
    for said in (
        "Axis (Alice) against Allied (Bob); you are Allied.",
        "It is Dec I 40, surprise turn (WD 28.B.3), Allied player turn: combat phase.",
        "In contact: ",
        "Supply for attacks (WD 12.C): Allied supply 1 in Matruh (19/1225), 2 steps",
        "Next: you owe message 6 since message 5: orders from the combat phase on",
    ):
        assert said in told, said
    tree = good("status", stage("done").folder(AXIS), "--json").json
    assert (tree["side"], tree["head"], tree["due"]["seq"], tree["due"]["side"]) == (AXIS, 7, 8, ALLIED)
    assert tree["players"] == {AXIS: "Alice", ALLIED: "Bob"}


def test_exploitation_is_asked_for_after_the_combats(stage: Stage) -> None:
    pair = stage("done")
    pair.turn("3-movement.yaml")
    good("sign", pair.orders("4-combat.yaml"), "--yes")
    told = pair.deliver(ALLIED)
    assert "you owe message 11" in told.out
    pair.bare(AXIS)
    owes = "you owe message 12 since message 11: orders from the exploitation phase on"
    assert owes in good("status", pair.folder(ALLIED)).out
    assert "The exploitation phase of the Allies is next" in good("report", pair.folder(ALLIED), "10").out


# --- looking ----------------------------------------------------------------------------------------------------


def test_report(stage: Stage) -> None:
    pair = stage("done")
    text = good("report", pair.folder(AXIS), "6").out
    assert "combat/19.0726/crt" in text
    assert good("report", pair.folder(ALLIED), "6", "--for", "public").out.count("combat/19.0726/crt") > 0
    tree = good("report", pair.folder(AXIS), "6", "--json").json
    assert tree["text"].rstrip("\n") == text.rstrip("\n")
    written = good("report", pair.folder(AXIS), "6", "-o", pair.root / "six.md")
    assert "six.md" in written.out
    assert (pair.root / "six.md").read_text(encoding="utf-8").startswith("# ")
    assert "0" in good("report", pair.folder(AXIS), "0").out


def test_state_that_was_deleted_is_made_again(stage: Stage) -> None:
    import shutil

    pair = stage("done")
    before = good("report", pair.folder(AXIS), "6").out
    shutil.rmtree(pair.folder(AXIS) / "state")
    assert good("report", pair.folder(AXIS), "6").out == before
    (pair.folder(AXIS) / "private" / "verified.json").unlink()
    assert "Dec I 40" in good("status", pair.folder(AXIS)).out
    assert (pair.folder(AXIS) / "state" / "newest.json").is_file()


def test_a_folder_without_secrets_can_look(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    public = tmp_path / "public"
    public.mkdir()
    (public / "log.jsonl").write_bytes((pair.folder(AXIS) / "log.jsonl").read_bytes())
    (public / "game.yaml").write_text("title: Compass\n", encoding="utf-8")
    assert "this folder is nobody's" in good("status", public).out
    assert "combat/19.0726/crt" in good("report", public, "6").out
    for words in (("template", public), ("open", public, "--yes")):
        result = cli(*words)
        assert result.code == 2
        assert "belongs to no player" in result.err


def test_export(stage: Stage) -> None:
    pair = stage("done")
    for kind, suffix in (("vmod", "vmod"), ("save", "vsav")):
        out = pair.root / f"game.{suffix}"
        assert str(out) in good("export", kind, pair.folder(ALLIED), "-o", out).out
        assert zipfile.ZipFile(out).testzip() is None
    first = (pair.root / "game.vsav").read_bytes()
    again = pair.root / "again.vsav"
    good("export", "save", pair.folder(AXIS), "-o", again, "--for", "public")
    assert good("export", "save", pair.folder(ALLIED), "-o", again, "--json").json["file"] == str(again)
    assert again.read_bytes() == first


def test_a_game_is_the_same_wherever_its_folders_lie(tmp_path: Path) -> None:
    from adjudicator.cli import chance

    logs = []
    for name in ("one", "two"):
        with chance.fixed("same"):
            pair = begin(tmp_path / name)
            set_up(pair)
        logs.append((pair.folder(AXIS) / "log.jsonl").read_bytes())
    assert logs[0] == logs[1]


def test_depends_names_the_roll(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """An order whose lawfulness hangs on a roll may be signed; check and sign name the roll."""
    from dataclasses import replace

    from adjudicator.engine.core import Problem
    from adjudicator.match.match import Match

    real = Match.check

    def unsure(self: Match, draft: Draft) -> CheckResult:
        result = real(self, draft)
        order = result.verdicts[1].order
        result.verdicts[1] = replace(result.verdicts[1], verdict="depends", depends="combat/19.0726/crt")
        warning = Problem("x", "WD 9", "it may be gone", "", order.place(), order.index, "combat/19.0726/crt")
        result.warnings.append(warning)
        return result

    monkeypatch.setattr(Match, "check", unsure)
    file = movement.orders("1-movement.yaml")
    told = good("check", file, "-v").out
    assert f"{file}:5:5: warning[WD 9]: it may be gone (hangs on the roll combat/19.0726/crt)\n" in told
    assert "5 orders: 4 legal, 1 depends on dice, 0 illegal; 0 problems" in told
    assert "[unless the roll combat/19.0726/crt goes the other way]" in told
    assert "warning[WD 9]" in good("sign", file, "--yes").out
