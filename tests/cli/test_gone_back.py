"""PROTOCOL 15, rows 92 to 94: snapshots, two computers, folders gone backwards, and what `serve` may not do."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.match.serving import ServeError, Server, hindrance
from adjudicator.protocol.log import read_turn
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear
from tests.cli.test_serve import inbox_of

Stage = Callable[[str], Pair]
OTHER = {AXIS: ALLIED, ALLIED: AXIS}


def saved(pair: Pair, side: str) -> Path:
    """A copy of a side's folder as it is now, as a backup or a snapshot makes it."""
    return Path(shutil.copytree(pair.folder(side), pair.root / f"{side}-of-before"))


def put_back(pair: Pair, side: str, copy: Path, keep: tuple[str, ...] = ()) -> None:
    """A backup over the folder; ``keep`` are files and folders that stay as they are."""
    folder = pair.folder(side)
    aside = folder.with_name("aside")
    folder.rename(aside)
    shutil.copytree(copy, folder)
    for name in keep:
        place = folder / name
        shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)
        (shutil.copytree if (aside / name).is_dir() else shutil.copy)(aside / name, place)
    shutil.rmtree(aside)


def signed_on(pair: Pair) -> Path:
    """Allied signs message 4, the Axis answers with 5, Allied takes it in; the folder of before as a copy."""
    old = saved(pair, ALLIED)
    pair.turn("1-movement.yaml")
    return old


def nothing_signed(pair: Pair, side: str, pattern: str, code: int = 2) -> None:
    """Each command that signs refuses in a clear line, and no message is made."""
    folder = pair.folder(side)
    orders = folder / "again.yaml"
    orders.write_text("orders: []\n", encoding="utf-8")
    before = {name: data for name, data in tree_of(folder).items() if name.startswith(("log", "outbox", "private/j"))}
    for words in (("open", folder, "--yes"), ("sign", orders, "--yes")):
        assert_clear(cli(*words), pattern, code)
    after = {name: data for name, data in tree_of(folder).items() if name.startswith(("log", "outbox", "private/j"))}
    assert after == before


# --- 94: a checkout gone backwards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keep", "pattern"),
    [
        (("outbox",), "you have signed message 4 already .*`receive` this file"),
        (("state",), "message 4 was here already .*`import` them"),
        (("outbox", "state", "reports"), "you have signed message 4 already"),
    ],
)
def test_row_94_a_backup_over_a_folder(keep: tuple[str, ...], pattern: str, stage: Stage) -> None:
    pair = stage("movement")
    old = signed_on(pair)
    put_back(pair, ALLIED, old, keep)
    nothing_signed(pair, ALLIED, pattern)
    assert_clear(cli("serve", pair.folder(ALLIED), "--inbox", pair.root, "--once"), "nobody has confirmed", 2)
    assert "bad  journal:" in cli("doctor", pair.folder(ALLIED)).out


def test_row_94_the_way_out_by_own_mail(stage: Stage, tmp_path: Path) -> None:
    """One's own message out of the outbox or the sent mails, then what came after it."""
    pair = stage("movement")
    old = signed_on(pair)
    mailed = Path(shutil.copy(pair.newest(ALLIED), tmp_path / "sent.turn"))
    log = (pair.folder(ALLIED) / "log.jsonl").read_bytes()
    put_back(pair, ALLIED, old, ("outbox",))
    nothing_signed(pair, ALLIED, "you have signed message 4 already")
    good("receive", pair.folder(ALLIED), mailed)
    pair.deliver(AXIS)
    assert (pair.folder(ALLIED) / "log.jsonl").read_bytes() == log
    pair.turn("2-combat.yaml")


def test_row_94_the_way_out_by_import(stage: Stage) -> None:
    pair = stage("movement")
    old = signed_on(pair)
    put_back(pair, ALLIED, old, ("state", "outbox"))
    good("head", pair.folder(AXIS))
    statement = next((pair.folder(AXIS) / "outbox").glob("*-head-*"))
    good("import", pair.folder(ALLIED), pair.folder(AXIS) / "log.jsonl", "--head", statement)
    pair.turn("2-combat.yaml")
    assert "restored" in Match.load(pair.folder(AXIS)).verifier.body(6)


def test_row_94_the_whole_folder_is_old_and_mail_comes(stage: Stage) -> None:
    """Nothing here says that the folder is old; the next mail does, and from then on nothing is signed."""
    pair = stage("movement")
    old = signed_on(pair)
    put_back(pair, ALLIED, old)
    assert "E_GAP" in cli("receive", pair.folder(ALLIED), pair.newest(AXIS)).all
    nothing_signed(pair, ALLIED, "message 5 was received: your own message 4 was signed elsewhere")
    (pair.folder(ALLIED) / "private" / "verified.json").unlink()
    nothing_signed(pair, ALLIED, "message 5 was received")


@pytest.mark.parametrize("name", ["log.jsonl", "private/journal.jsonl", "private"])
def test_row_94_one_of_log_and_journal_is_older(name: str, stage: Stage) -> None:
    """What one of them knows is not lost: the game goes on with the newest message, and both are whole again."""
    pair = stage("movement")
    old = signed_on(pair)
    folder = pair.folder(ALLIED)
    log = (folder / "log.jsonl").read_bytes()
    place = folder / name
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    (shutil.copytree if (old / name).is_dir() else shutil.copy)(old / name, place)
    good("status", folder)
    assert (folder / "log.jsonl").read_bytes() == log
    pair.turn("2-combat.yaml")
    for path in (folder / "log.jsonl", folder / "private" / "journal.jsonl"):
        assert path.read_bytes() == (pair.folder(AXIS) / "log.jsonl").read_bytes(), path


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_row_94_a_log_cut_short(cut: int, stage: Stage) -> None:
    pair = stage("combat")
    log = pair.folder(ALLIED) / "log.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:cut]))
    good("status", pair.folder(ALLIED))
    assert log.read_bytes() == whole
    pair.turn("2-combat.yaml")


# --- 93: two computers ------------------------------------------------------------------------------------------


def twins(pair: Pair) -> tuple[Pair, Path, Path]:
    """Allied signs message 4 in two copies of his folder, with other orders; the second copy, and both files."""
    other = Pair(Path(shutil.copytree(pair.root, pair.root.with_name("second-computer"))))
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    good("open", other.folder(ALLIED), "--yes")
    return other, pair.newest(ALLIED), other.newest(ALLIED)


def test_row_93_the_opponent_has_a_proof(stage: Stage, tmp_path: Path) -> None:
    """The whole way: a fork arises, evidence is written, and a third person checks it; a forged one fails."""
    pair = stage("movement")
    _, first, second = twins(pair)
    axis = pair.folder(AXIS)
    good("receive", axis, first)
    assert_clear(cli("receive", axis, second), "E_FORK", 1)
    assert list((axis / "kept").iterdir())
    proof = tmp_path / "proof"
    good("export-proof", axis, 4, "-o", proof)
    third = Path(shutil.copytree(proof, tmp_path / "third-person"))
    assert "Two different messages 4, both signed by allied" in good("verify", third).out
    pieces = [third / f"second-body-{n}.turn" for n in (1, 2)]
    for old, new in (("19/0626", "19/0625"), ("AAAAB", "AAAAC"), ("\n  seq: 4", "\n  seq: 6")):
        kept = pieces[0].read_text(encoding="utf-8")
        assert old in kept
        pieces[0].write_text(kept.replace(old, new, 1), encoding="utf-8")
        assert_clear(cli("verify", third), "E_FORK.*no fork", 1)
        pieces[0].write_text(kept, encoding="utf-8")
    shutil.copy(axis / "outbox" / pair.newest(AXIS).name, pieces[1])
    assert_clear(cli("verify", third), "no fork", 1)
    log = third / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    assert_clear(cli("verify", third), "no fork", 1)


def test_row_93_the_proof_outlives_the_checkpoint(stage: Stage) -> None:
    pair = stage("movement")
    _, first, second = twins(pair)
    axis = pair.folder(AXIS)
    good("receive", axis, first)
    cli("receive", axis, second)
    (axis / "private" / "verified.json").unlink()
    assert "two different signed messages 4" in good("status", axis).out
    good("export-proof", axis, 4)


def test_row_93_the_two_copies_find_out(stage: Stage) -> None:
    """Own mail of the other computer, its log, or the answer to it: each is told, and nothing more is signed."""
    pair = stage("movement")
    other, first, second = twins(pair)
    assert_clear(cli("receive", other.folder(ALLIED), first), "E_FORK.*by you: two copies of this game", 1)
    good("receive", pair.folder(AXIS), first)
    good("open", pair.folder(AXIS), "--yes")
    answer = cli("receive", other.folder(ALLIED), pair.newest(AXIS))
    assert_clear(answer, r"E_PREV.*not yours in this log.*another copy of this folder", 1)
    nothing_signed(other, ALLIED, "not your turn", 1)
    shutil.copy(pair.folder(ALLIED) / "log.jsonl", other.folder(ALLIED) / "log.jsonl")
    for words in (("status", other.folder(ALLIED)), ("open", other.folder(ALLIED), "--yes")):
        assert_clear(cli(*words), "two copies of this game were both gone on with; bring the newest log.jsonl", 2)
    assert {read_turn(path.read_bytes()).text("seq") for path in (first, second)} == {"4"}


def test_row_93_log_and_journal_of_two_computers_of_one_length(stage: Stage) -> None:
    pair = stage("movement")
    other, _, _ = twins(pair)
    shutil.copy(other.folder(ALLIED) / "log.jsonl", pair.folder(ALLIED) / "log.jsonl")
    for _ in ("with the checkpoint", "without it"):
        assert_clear(cli("status", pair.folder(ALLIED)), "its message 4 is .* was received or signed here", 2)
        (pair.folder(ALLIED) / "private" / "verified.json").unlink(missing_ok=True)


def shifted(clock: Callable[[], float], seconds: float) -> float:
    """The time of a clock that goes wrong by some seconds."""
    return clock() + seconds


# --- 92: serve after a snapshot ---------------------------------------------------------------------------------


def test_row_92_a_snapshot_with_the_clock_left_behind(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer put back to a snapshot while `serve` runs: its memory goes back, too, only the time of day is new."""
    pair = stage("movement")
    server = Server(pair.folder(AXIS), inbox_of(pair.root), 3)
    assert server.round() == []
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 30)
    assert server.round() == [], "a clock that is set right is no snapshot"
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    inbox_of(pair.root, pair.newest(ALLIED))
    for hours in (5, -5):
        monkeypatch.setattr(time, "time", partial(shifted, now, 3600 * hours))
        with pytest.raises(ServeError, match="clock has jumped, as after a snapshot"):
            server.round()
    assert Match.load(pair.folder(AXIS)).verifier.head == 3


def test_row_92_started_anew_on_an_old_copy(stage: Stage) -> None:
    """The number said at its start is not the one of the log; where it is, the traces of later messages stop it."""
    pair = stage("movement")
    old = saved(pair, AXIS)
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    inbox = inbox_of(pair.root, pair.newest(ALLIED))
    good("serve", pair.folder(AXIS), "--inbox", inbox, "--head", 3, "--once")
    put_back(pair, AXIS, old, ("outbox",))
    assert_clear(cli("serve", pair.folder(AXIS), "--inbox", inbox, "--head", 5, "--once"), "ends at message 3", 1)
    told = good("serve", pair.folder(AXIS), "--inbox", inbox, "--head", 3, "--once").out
    assert "waits for you: the log ends at message 4, but you have signed message 5 already" in told
    assert Match.load(pair.folder(AXIS)).verifier.head == 4


# --- 92: what serve leaves to its owner -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (("new-key",), "a new key waits for your next message"),
        (("new-chain",), "a new chain waits for your next message"),
    ],
)
def test_row_92_no_housekeeping(what: tuple[str, ...], why: str, stage: Stage) -> None:
    pair = stage("genesis")
    good(*what, pair.folder(AXIS))
    told = good("serve", pair.folder(AXIS), "--inbox", inbox_of(pair.root), "--head", 0, "--once").out
    assert f"waits for you: {why}" in told
    assert Match.load(pair.folder(AXIS)).verifier.head == 0


def test_row_92_no_stop_and_no_end_of_its_owner(stage: Stage) -> None:
    pair = stage("movement")
    assert hindrance(Match.load(pair.folder(ALLIED))).startswith("message 4: ")
    good("open", pair.folder(ALLIED), "--yes", "--offer-draw")
    pair.deliver(ALLIED)
    assert "carries `end: offer-draw`" in hindrance(Match.load(pair.folder(AXIS)))
    good("open", pair.folder(AXIS), "--yes", "--resign")
    pair.deliver(AXIS)
    assert "`end: resign`" in hindrance(Match.load(pair.folder(ALLIED)))


def test_row_92_no_shows_and_transfers(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with decks: no message of it is bare for certain, so all are left to a person."""
    match = Match.load(stage("genesis").folder(AXIS))
    assert hindrance(match) == ""
    monkeypatch.setattr(type(match.verifier), "piles", {"axis-strategy": object()})
    assert hindrance(match) == "cards and decks are opened by their owner only"


def test_row_92_no_link_above_the_chosen_one(stage: Stage, tmp_path: Path) -> None:
    """The kit holds link 2 and what follows from it; message 5 opens link 3, which it can't compute."""
    pair = stage("genesis")
    kit = tmp_path / "kit"
    good("serve", pair.folder(AXIS), "--make-kit", 1, "-o", kit)
    inbox = inbox_of(pair.root)
    assert "signed message 1" in good("serve", kit, "--inbox", inbox, "--head", 0, "--once").out
    shutil.copy(next((kit / "outbox").glob("*-0001-*")), pair.root)
    good("receive", pair.folder(ALLIED), next(pair.root.glob("*-0001-*")))
    good("open", pair.folder(ALLIED), "--yes")
    inbox_of(pair.root, pair.newest(ALLIED))
    told = good("serve", kit, "--inbox", inbox, "--head", 1, "--once").out
    assert "opens links up to 1 only" in told
    assert Match.load(kit).verifier.head == 2
    secret = Match.load(pair.folder(AXIS)).secret()
    held = b"".join(tree_of(kit).values())
    assert secret.link(1).hex().encode() in held
    assert secret.link(2).hex().encode() not in held
    assert not Folder(kit).secret.exists()
