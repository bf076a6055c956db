"""`serve`: bare openings without a person, and every reason for which it must not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.match.match import Match
from adjudicator.match.serving import ServeError, Server
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.log import write_turn
from adjudicator.protocol.verdicts import ProtocolError
from tests.cli.conftest import ALLIED, AXIS, Pair, begin, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def inbox_of(tmp_path: Path, *files: Path) -> Path:
    """A folder into which mail has come."""
    inbox = tmp_path / "inbox"
    inbox.mkdir(exist_ok=True)
    for file in files:
        shutil.copy(file, inbox / file.name)
    return inbox


def test_it_opens_what_decides_nothing(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    inbox = inbox_of(tmp_path, pair.newest(ALLIED))
    (inbox / "spam.eml").write_text("From: a\nSubject: b\n\nbuy\n", encoding="utf-8")
    told = good(
        "serve", pair.folder(AXIS), "--inbox", inbox, "--head", 3, "--once", "--outbox", tmp_path / "out"
    ).out
    assert "message 4: accepted" in told
    assert "spam.eml: passed over" in told
    (sent,) = (tmp_path / "out").iterdir()
    assert f"signed message 5, bare: {sent}" in told
    good("receive", pair.folder(ALLIED), sent)
    assert Match.load(pair.folder(AXIS)).verifier.body(5)["orders"] == []


def test_set_up_goes_by_itself(tmp_path: Path) -> None:
    pair = begin(tmp_path / "game")
    inbox = inbox_of(tmp_path)
    assert "signed message 1" in good("serve", pair.folder(AXIS), "--inbox", inbox, "--head", 0, "--once").out
    inbox = inbox_of(tmp_path, pair.newest(AXIS))
    told = good("serve", pair.folder(ALLIED), "--inbox", inbox, "--head", 0, "--once").out
    assert "signed message 2" in told


def test_what_needs_a_person_waits(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    inbox = inbox_of(tmp_path)
    before = (pair.folder(ALLIED) / "log.jsonl").read_bytes()
    told = good("serve", pair.folder(ALLIED), "--inbox", inbox, "--head", 3, "--once").out
    assert told.startswith("waits for you: message 4: ")
    assert (pair.folder(ALLIED) / "log.jsonl").read_bytes() == before


def test_only_with_a_confirmed_head(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    inbox, before = inbox_of(tmp_path), tree_of(pair.root)
    axis = pair.folder(AXIS)
    assert_clear(cli("serve", axis, "--inbox", inbox, "--once"), "nobody has confirmed", 2)
    assert_clear(cli("serve", axis, "--inbox", inbox, "--once", "--head", 6), "ends at message 7, you say 6", 1)
    assert_clear(cli("serve", axis, "--once", "--head", 7), "no folder to look into", 2)
    assert_clear(cli("serve", tmp_path, "--inbox", inbox, "--once", "--head", 7), "no game folder", 2)
    assert tree_of(pair.root) == before


def test_a_folder_put_back_while_it_runs(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    axis = pair.folder(AXIS)
    old = Path(shutil.copytree(axis, tmp_path / "snapshot"))
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    server = Server(axis, inbox_of(tmp_path, pair.newest(ALLIED)), 3)
    assert any("signed message 5" in line for line in server.round())
    assert server.round() == []
    shutil.rmtree(axis)
    shutil.copytree(old, axis)
    with pytest.raises(ServeError, match="gone back: it ended at message 5, now at 3"):
        server.round()


def test_after_a_loss_a_person_signs_first(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    good("head", pair.folder(AXIS))
    statement = next((pair.folder(AXIS) / "outbox").glob("*head*"))
    allied = pair.folder(ALLIED)
    (allied / "log.jsonl").unlink()
    (allied / "private" / "journal.jsonl").unlink()
    good("import", allied, pair.folder(AXIS) / "log.jsonl", "--head", statement)
    result = cli("serve", allied, "--inbox", inbox_of(tmp_path), "--head", 7, "--once")
    assert_clear(result, "brought back after a loss", 1)


def test_a_fork_stops_it(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    allied = Match.load(pair.folder(ALLIED))
    second = tmp_path / "second.turn"
    second.write_bytes(write_turn(sign_body({**allied.verifier.body(4), "note": "again"}, allied.key())))
    inbox = inbox_of(tmp_path, pair.newest(ALLIED), second)
    told = good("serve", pair.folder(AXIS), "--inbox", inbox, "--head", 3, "--once").out
    assert "E_FORK" in told
    assert "two different messages of one number" in told
    assert Match.load(pair.folder(AXIS)).verifier.head == 4


# --- kits -------------------------------------------------------------------------------------------------------


def test_a_kit_opens_and_comes_home(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    axis, kit = pair.folder(AXIS), tmp_path / "kit"
    told = good("serve", axis, "--make-kit", 3, "-o", kit).out
    assert "links up to 3" in told
    k_game = Match.load(axis).secret().k_game.hex().encode()
    assert not any(k_game in data for data in tree_of(kit).values())
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    good("receive", axis, pair.newest(ALLIED))
    assert_clear(cli("open", axis, "--yes"), "a kit is away and signs for this folder", 2)
    inbox = inbox_of(tmp_path, pair.newest(ALLIED))
    told = good("serve", kit, "--inbox", inbox, "--head", 3, "--once").out
    assert "signed message 5, bare" in told
    assert "Taken home: messages up to 5" in good("serve", axis, "--end", kit).out
    good("receive", pair.folder(ALLIED), next((kit / "outbox").glob("*-0005-*")))
    good("sign", pair.orders("2-combat.yaml"), "--yes")
    pair.deliver(ALLIED)
    good("open", axis, "--yes")


def test_a_kit_that_is_used_up(stage: Stage, tmp_path: Path) -> None:
    pair = stage("combat")
    axis, kit = pair.folder(AXIS), tmp_path / "kit"
    good("serve", axis, "--make-kit", 4, "-o", kit)
    secret = Kit.load(kit / "private" / "kit.yaml")
    assert (secret.top, secret.x) == (4, Match.load(axis).secret().link(4))
    for number in range(5):
        assert secret.link(number) == Match.load(axis).secret().link(number)
    kit2 = tmp_path / "kit2"
    shutil.copytree(kit, kit2)
    text = (kit2 / "private" / "kit.yaml").read_text(encoding="utf-8")
    (kit2 / "private" / "kit.yaml").write_text(
        text.replace("top: 4", "top: 3").replace(secret.x.hex(), secret.link(3).hex()), encoding="utf-8"
    )
    good("sign", pair.orders("2-combat.yaml"), "--yes")
    inbox = inbox_of(tmp_path, pair.newest(ALLIED))
    told = good("serve", kit2, "--inbox", inbox, "--head", 5, "--once").out
    assert "waits for you: the kit in this folder opens links up to 3 only" in told


def test_a_kit_gives_no_orders(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    kit = tmp_path / "kit"
    good("serve", pair.folder(ALLIED), "--make-kit", 9, "-o", kit)
    orders = Path(shutil.copy(pair.orders("1-movement.yaml"), kit / "orders.yaml"))
    assert_clear(cli("sign", orders, "--yes"), "a kit signs bare messages only", 2)


def test_a_kit_writes_no_copy_of_what_was_sealed(stage: Stage, tmp_path: Path) -> None:
    """The key of such a copy comes from the secret; out of a kit it would be one that everybody can compute."""
    pair, kit = stage("genesis"), tmp_path / "kit"
    file = pair.folder(AXIS) / "sealed.yaml"
    file.write_text(
        "orders:\n  - {type: standing, topic: losses, sealed: yes, rules: [{stack: any, never: it-12art}]}\n",
        encoding="utf-8",
    )
    good("sign", file, "--yes")
    (copy,) = (pair.folder(AXIS) / "outbox").glob("*.sealed")
    good("serve", pair.folder(AXIS), "--make-kit", 9, "-o", kit)
    good("resend", kit)
    assert [path.suffix for path in (kit / "outbox").iterdir()] == [".turn"]
    assert_clear(cli("recover", kit, copy), "a kit holds no secret; bring contents back in your own folder", 2)


def test_kits_that_can_not_be_made(stage: Stage, tmp_path: Path) -> None:
    pair = stage("done")
    axis, before = pair.folder(AXIS), tree_of(pair.root)
    for link in (0, 3, 4096, 99999):
        assert_clear(cli("serve", axis, "--make-kit", link, "-o", tmp_path / "kit"), "is no good end", 1)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x", encoding="utf-8")
    assert_clear(cli("serve", axis, "--make-kit", 9, "-o", tmp_path / "full"), "of that name already", 1)
    other = begin(tmp_path / "other")
    assert_clear(cli("serve", axis, "--end", other.folder(AXIS)), "ends before message 7", 1)
    assert tree_of(pair.root) == before


def changed(pair: Pair, side: str) -> None:
    """A side has named a new chain, and the other has taken it in."""
    good("new-chain", pair.folder(side))
    pair.bare(side)


def test_a_kit_of_a_new_chain(stage: Stage, tmp_path: Path) -> None:
    """`new-chain` is what a kit in other hands asks for; the next kit opens the new chain, not the first."""
    pair, kit = stage("genesis"), tmp_path / "kit"
    axis = pair.folder(AXIS)
    changed(pair, AXIS)
    chain = Match.load(axis).verifier.chain(AXIS)
    told = good("serve", axis, "--make-kit", 2, "-o", kit).out
    assert "links up to 2" in told
    made = Kit.load(kit / "private" / "kit.yaml")
    assert (made.cid, made.x) == (chain.cid, Match.load(axis).secret().chain_link(chain.cid, chain.links, 2))
    head = 1
    for seq in (3, 5):
        pair.bare(ALLIED)
        told = good("serve", kit, "--inbox", inbox_of(tmp_path, pair.newest(ALLIED)), "--head", head, "--once").out
        assert f"signed message {seq}, bare" in told
        good("receive", pair.folder(ALLIED), next((kit / "outbox").glob(f"*-{seq:04d}-*")))
        head = seq
    assert "Taken home: messages up to 5" in good("serve", axis, "--end", kit).out
    pair.bare(ALLIED)
    pair.bare(AXIS)
    assert [Match.load(axis).verifier.body(seq)["link"] for seq in (1, 3, 5, 7)] == ["1", "1", "2", "3"]


def test_a_kit_of_a_chain_that_was_changed(stage: Stage, tmp_path: Path) -> None:
    """What a copy of it can't do is told as it is, without a word on turns that replace others."""
    pair, kit = stage("genesis"), tmp_path / "kit"
    axis = pair.folder(AXIS)
    good("serve", axis, "--make-kit", 9, "-o", kit)
    copy = Path(shutil.copytree(kit, tmp_path / "copy"))
    good("serve", axis, "--end", kit)
    changed(pair, AXIS)
    good("receive", copy, pair.newest(AXIS))
    pair.bare(ALLIED)
    good("receive", copy, pair.newest(ALLIED))
    result = cli("open", copy, "--yes")
    assert_clear(result, "the kit is of a chain that axis has changed since; make a new one in your own folder", 2)
    assert "replaces" not in result.all
    assert "You can look, but not sign" in good("status", copy).out
    inbox = inbox_of(tmp_path)
    assert "of a chain that axis has changed" in good("serve", copy, "--inbox", inbox, "--head", 2, "--once").out
    assert_clear(cli("serve", kit, "--make-kit", 9, "-o", tmp_path / "third"), "kit.yaml|secret.yaml", None)


def test_what_a_kit_can_not_open_is_no_fault_of_a_message(stage: Stage, tmp_path: Path) -> None:
    pair, kit = stage("movement"), tmp_path / "kit"
    good("serve", pair.folder(AXIS), "--make-kit", 3, "-o", kit)
    for name in ("1-movement.yaml", "2-combat.yaml"):
        good("sign", pair.orders(name), "--yes")
        good("receive", kit, pair.newest(ALLIED))
        if name == "1-movement.yaml":
            good("open", kit, "--yes")
            good("receive", pair.folder(ALLIED), next((kit / "outbox").glob("*-0005-*")))
    result = cli("open", kit, "--yes")
    assert_clear(result, "opens links up to 3", None)
    assert "replaces" not in result.all
    secret = Kit.load(kit / "private" / "kit.yaml")
    for cid, number in ((secret.cid, 4), (bytes(16), 1)):
        with pytest.raises(ProtocolError) as refused:
            secret.chain_link(cid, secret.links, number)
        assert refused.value.verdict.way_out == "make a new kit where the whole secret is"


@pytest.mark.parametrize(
    ("old", "new"), [("pbem1-kit/1", "x"), ("top: ", "top: 0"), ("x: ", "x: zz"), ("links: 4096", "links: 3")]
)
def test_a_damaged_kit(old: str, new: str, stage: Stage, tmp_path: Path) -> None:
    pair, kit = stage("movement"), tmp_path / "kit"
    good("serve", pair.folder(AXIS), "--make-kit", 9, "-o", kit)
    path = kit / "private" / "kit.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert "kit" in good("status", kit).out
