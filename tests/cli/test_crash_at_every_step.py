"""PROTOCOL 15, row 91: each command is killed at every step that the system sees, and the next command goes on.

The process is a real one and ends as by a power cut: nothing of it runs any more. It dies before its first, second, ..
sync, rename, link, removal or printed line, until it is not hit any more, so every point between two steps is met.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.match.recovery import missing_books
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_line, read_turn, split_log
from adjudicator.protocol.secret import Secret
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good
from tests.cli.strike import DEAD, die, struck
from tests.cli.test_bad_turns import assert_clear

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked to be killed")

STEPS_AT_MOST = 400
SWITCH = "exchange_basis=modified"
Stage = Callable[[str], Pair]
Words = tuple[object, ...]


def killed(words: Words, at: int) -> bool:
    """Run a command in a process of its own that dies before its step number ``at``; whether it died."""
    code = struck(words, at, die)
    assert code in (0, DEAD), f"{words}: exit code {code}"
    return code == DEAD


def at_each_step(start: Path, tmp_path: Path, words: Callable[[Path], Words], every: int = 1) -> Iterator[Path]:
    """Copies of a folder in which the command was killed before its first, second, .. step, all it has."""
    for at in range(1, STEPS_AT_MOST):
        root = tmp_path / f"killed-{at}"
        shutil.copytree(start, root)
        if not killed(words(root), at):
            assert at > 3, "the command does nothing"
            return
        yield root
        shutil.rmtree(root)
    raise AssertionError(f"more than {STEPS_AT_MOST} steps")


def bodies(root: Path) -> dict[str, set[str]]:
    """The ids of all signed messages anywhere in a game folder, by number; what can't be read fails."""
    folder, found = Folder(root), list[Any]()
    for path in (folder.log, folder.journal):
        if path.is_file():
            found += [read_line(line) for line in split_log(path.read_bytes())]
    for path in sorted(folder.outbox.glob("*.turn")):
        if path.name != "offer.turn":
            found.append(read_turn(path.read_bytes()))
    ids: dict[str, set[str]] = {}
    for message in found:
        ids.setdefault(message.text("seq") or "0", set()).add(message.id)
    return ids


def all_whole(root: Path) -> None:
    """No file of a game folder is half: what is there can be read."""
    private = root / "private"
    for path in private.glob("*secret*.yaml"):
        Secret.load(path)
    for path in private.glob("*key*"):
        if not path.name.startswith(".") and path.suffix != ".pub":
            SigningKey.load(path)
    for path in [*root.glob("state/**/[!.]*.json"), *private.glob("[!.]*.json")]:
        assert Folder(root).read_json(path) is not None, path
    assert all(len(ids) == 1 for ids in bodies(root).values())


def gone_on(root: Path) -> None:
    """The next command works, and has cleaned up."""
    good("status", root)
    assert list(root.rglob(".*.tmp")) == []
    all_whole(root)


def again(words: Words, done: str) -> Result:
    """The command once more, with other chance: it works, or says in a line that all is done."""
    with chance.fixed("the one who comes after"):
        result = cli(*words)
    if result.code:
        assert_clear(result, done, None)
    return result


@dataclass(frozen=True)
class Work:
    """A command: stage and folder, its words, what it says when all is done already, and the head after it."""

    stage: str
    side: str
    words: Callable[[Pair, Path], Words]
    done: str
    head: int


def newest(pair: Pair, side: str) -> Path:
    """The newest mailed file of the other side, for the folder of a side."""
    return pair.newest(ALLIED if side == AXIS else AXIS)


def rules_file(pair: Pair) -> Path:
    """The file of the rules that the Axis player offers, as he mails it."""
    (file,) = (pair.folder(AXIS) / "outbox").glob("*-rules.json")
    return file


def offering(pair: Pair, far: str) -> None:
    """The Axis player makes other rules ready, offers them, and the Allied player takes them in: as ``far`` as said."""
    pair.bare(AXIS)
    pair.bare(ALLIED)
    good("upgrade", pair.folder(AXIS), "--switch", SWITCH)
    if far != "upgrade":
        good("open", pair.folder(AXIS), "--offer-upgrade", "--yes")
        pair.deliver(AXIS)
    if far == "taken":
        good("upgrade", pair.folder(ALLIED), "--take", rules_file(pair))


WORKS = {
    "open": Work("genesis", AXIS, lambda pair, root: ("open", root, "--yes"), "not your turn", 1),
    "receive": Work("sent", ALLIED, lambda pair, root: ("receive", root, newest(pair, ALLIED)), "never", 1),
    "sign": Work(
        "movement", ALLIED, lambda pair, root: ("sign", root / "1-movement.yaml", "--yes"), "not your turn", 4
    ),
    "new-chain": Work("sent", ALLIED, lambda pair, root: ("new-chain", root), "names a new chain already", 0),
    "new-key": Work("sent", ALLIED, lambda pair, root: ("new-key", root), "a new key waits there already", 0),
    "open with a new key": Work("rekey", AXIS, lambda pair, root: ("open", root, "--yes"), "not your turn", 1),
    "upgrade": Work("sent", ALLIED, lambda pair, root: ("upgrade", root, "--switch", SWITCH), "never", 0),
    "open with other rules": Work(
        "upgrade", AXIS, lambda pair, root: ("open", root, "--offer-upgrade", "--yes"), "not your turn", 3
    ),
    "upgrade --take": Work(
        "offered", ALLIED, lambda pair, root: ("upgrade", root, "--take", rules_file(pair)), "never", 3
    ),
    "open accepting rules": Work(
        "taken", ALLIED, lambda pair, root: ("open", root, "--accept-upgrade", "--yes"), "not your turn", 4
    ),
    "resend": Work("sent", AXIS, lambda pair, root: ("resend", root), "never", 1),
    "head": Work("sent", AXIS, lambda pair, root: ("head", root), "never", 1),
    "doctor": Work("sent", AXIS, lambda pair, root: ("doctor", root, "--backed-up"), "never", 1),
}


@pytest.fixture
def prepared(stage: Stage) -> Stage:
    """More points of a game: ``sent`` (message 1 is signed, not received), ``rekey`` (a new key waits), ``upgrade``,
    ``offered``, ``taken`` (other rules are ready in message 3, offered, known to the other side)."""

    def at(name: str) -> Pair:
        if name == "movement":
            pair = stage(name)
            pair.orders("1-movement.yaml")
            return pair
        pair = stage("genesis")
        if name in ("upgrade", "offered", "taken"):
            offering(pair, name)
        if name == "rekey":
            good("new-key", pair.folder(AXIS))
        if name == "sent":
            good("open", pair.folder(AXIS), "--yes")
        return pair

    return at


@pytest.mark.parametrize("name", WORKS)
def test_row_91_a_command_is_killed(name: str, prepared: Stage, tmp_path: Path) -> None:
    work = WORKS[name]
    pair = prepared(work.stage)
    start = pair.folder(work.side)
    secret = (start / "private" / "secret.yaml").read_bytes()
    for root in at_each_step(start, tmp_path / "killed", lambda root: work.words(pair, root)):
        all_whole(root)
        before = bodies(root)
        gone_on(root)
        again(work.words(pair, root), work.done)
        gone_on(root)
        after = bodies(root)
        assert all(after[seq] == ids for seq, ids in before.items()), "a message that was signed stays as it is"
        assert (root / "private" / "secret.yaml").read_bytes() == secret
        assert Match.load(root).verifier.head == work.head
        if work.head and name != "receive":
            file = Match.load(root).resend(work.head).read_bytes()
            assert {read_turn(file).id} == after[str(work.head)]
            good("resend", root)
            assert Match.load(root).outfile(work.head).read_bytes() == file


def test_row_91_the_other_side_takes_what_was_sent_again(prepared: Stage, tmp_path: Path) -> None:
    """Wherever it died, a message that was signed is a good one for the opponent, and what follows it."""
    pair = prepared("genesis")
    for root in at_each_step(pair.folder(AXIS), tmp_path / "killed", lambda root: ("open", root, "--yes"), 4):
        if "1" in bodies(root):
            good("resend", root)
            (file,) = (root / "outbox").glob("*-0001-*.turn")
            other = Path(shutil.copytree(pair.folder(ALLIED), tmp_path / f"other-{root.name}"))
            good("receive", other, file)
            good("open", other, "--yes")
            good("receive", root, next((other / "outbox").glob("*-0002-*.turn")))


# --- beginning --------------------------------------------------------------------------------------------------


def new(root: Path) -> Words:
    return ("new", "western-desert", "compass", root / "game", "--name", "Alice", "--title", "Compass")


def test_row_91_new_is_killed(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for root in at_each_step(tmp_path / "empty", tmp_path / "killed", new):
        offered = (root / "game" / "outbox" / "offer.turn").is_file()
        again(new(root), "there is a game in this folder already; .*`resend`")
        kept = (root / "game" / "private" / "offer.turn").read_bytes()
        good("resend", root / "game")
        assert (root / "game" / "outbox" / "offer.turn").read_bytes() == kept
        good("status", root / "game")
        assert not offered or Secret.load(root / "game" / "private" / "secret.yaml").cid.hex().encode() in kept


def test_row_91_accept_is_killed(stage: Stage, tmp_path: Path) -> None:
    offer = stage("genesis").folder(AXIS) / "outbox" / "offer.turn"
    (tmp_path / "empty").mkdir()

    def words(root: Path) -> Words:
        return ("accept", offer, root / "game", "--name", "Bob")

    for root in at_each_step(tmp_path / "empty", tmp_path / "killed", words):
        mailed = [path.read_bytes() for path in (root / "game" / "outbox").glob("genesis.turn")]
        again(words(root), "there is a game in this folder already; .*`resend`")
        gone_on(root / "game")
        good("resend", root / "game")
        assert all(len(ids) == 1 for ids in bodies(root / "game").values())
        assert all(path.read_bytes() in (mailed or [path.read_bytes()])
                   for path in (root / "game" / "outbox").glob("genesis.turn"))


def test_row_91_genesis_is_killed(tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "axis", "--name", "Alice")
    good("accept", tmp_path / "axis" / "outbox" / "offer.turn", tmp_path / "allied", "--name", "Bob")
    genesis = tmp_path / "allied" / "outbox" / "genesis.turn"
    for root in at_each_step(tmp_path / "axis", tmp_path / "killed", lambda root: ("receive", root, genesis)):
        good("status", root)
        good("receive", root, genesis)
        gone_on(root)
        assert bodies(root)["0"] == {read_turn(genesis.read_bytes()).id}


# --- losses and absences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["log.jsonl", "private/secret.yaml", "private"])
def test_row_91_import_is_killed(missing: str, stage: Stage, tmp_path: Path) -> None:
    """Nothing that was there is lost by an import cut short, and the next message carries the statement."""
    pair = stage("genesis")
    pair.bare(AXIS)
    good("head", pair.folder(AXIS))
    statement = next((pair.folder(AXIS) / "outbox").glob("*-head-*"))
    paper = tmp_path / "words.txt"
    paper.write_text(good("doctor", pair.folder(ALLIED), "--words").out, encoding="utf-8")
    start, log = pair.folder(ALLIED), pair.folder(AXIS) / "log.jsonl"
    shutil.rmtree(start / missing) if missing == "private" else (start / missing).unlink()
    for kept in () if missing == "private" else ("journal.jsonl", "verified.json"):
        (start / "private" / kept).unlink()
    by_words = () if missing == "log.jsonl" else ("--words", paper)

    def words(root: Path) -> Words:
        return ("import", root, log, "--head", statement, *by_words)

    for root in at_each_step(start, tmp_path / "killed", words):
        good(*words(root))
        gone_on(root)
        good("open", root, "--yes")
        assert "restored" in Match.load(root).verifier.body(2)


def test_row_91_lost_is_killed(stage: Stage, tmp_path: Path) -> None:
    pair = stage("genesis")
    for side in (AXIS, ALLIED, AXIS):
        pair.bare(side)
    (pair.folder(ALLIED) / "private" / "secret.yaml").unlink()

    def words(root: Path) -> Words:
        return ("lost", root, "--yes")

    for root in at_each_step(pair.folder(ALLIED), tmp_path / "killed", words):
        before = bodies(root)
        again(words(root), "not your turn|your secret is here")
        gone_on(root)
        match = Match.load(root)
        assert match.verifier.head == 4 and not match.trouble()
        assert bodies(root)["4"] == before.get("4", bodies(root)["4"])


SEALED = "orders:\n  - {type: standing, topic: losses, sealed: yes, rules: [{stack: any, never: it-12art}]}\n"


def sealed_by_axis(pair: Pair) -> Path:
    """The Axis player seals a standing order in message 1; his folder, in which what he sealed is lost."""
    folder = pair.folder(AXIS)
    (folder / "sealed.yaml").write_text(SEALED, encoding="utf-8")
    good("sign", folder / "sealed.yaml", "--yes")
    (folder / "private" / "books.json").unlink()
    return folder


def test_row_91_recover_is_killed(stage: Stage, tmp_path: Path) -> None:
    """What was sealed is back or not, never half, and the copy it is taken from stays."""
    start = sealed_by_axis(stage("genesis"))

    def words(root: Path) -> Words:
        return ("recover", root, next((root / "outbox").glob("*.sealed")))

    for root in at_each_step(start, tmp_path / "killed", words):
        gone_on(root)
        again(words(root), "never")
        gone_on(root)
        assert missing_books(Match.load(root)) == []


def test_row_91_serve_is_killed(stage: Stage, tmp_path: Path) -> None:
    """What it has signed reaches the folder for mails after all."""
    pair = stage("genesis")
    (tmp_path / "in").mkdir()

    def out_of(root: Path) -> Path:
        return tmp_path / f"mails-of-{root.name}"

    def words(root: Path, head: int = 0) -> Words:
        return ("serve", root, "--inbox", tmp_path / "in", "--head", head, "--once", "--outbox", out_of(root))

    for root in at_each_step(pair.folder(AXIS), tmp_path / "killed", words):
        before = bodies(root)
        gone_on(root)
        good(*words(root, Match.load(root).verifier.head))
        gone_on(root)
        (sent,) = out_of(root).glob("*.turn")
        assert {read_turn(sent.read_bytes()).id} == bodies(root)["1"] == before.get("1", bodies(root)["1"])


def may_sign(root: Path) -> bool:
    """Whether the next bare message can be signed from a folder."""
    match = Match.load(root)
    return not (match.trouble() or match.refusal()) and (root / "private" / "key").is_file()


def test_row_91_a_kit_is_made_and_taken_home(stage: Stage, tmp_path: Path) -> None:
    """At no point of it two folders can sign for one side, and it can always be ended."""
    pair = stage("genesis")
    (tmp_path / "both").mkdir()
    shutil.copytree(pair.folder(AXIS), tmp_path / "both" / "home")

    def make(root: Path) -> Words:
        return ("serve", root / "home", "--make-kit", 5, "-o", root / "kit")

    def end(root: Path) -> Words:
        return ("serve", root / "home", "--end", root / "kit")

    def signers(root: Path) -> list[str]:
        return [name for name in ("home", "kit") if Folder(root / name).begun() and may_sign(root / name)]

    for root in at_each_step(tmp_path / "both", tmp_path / "made", make):
        assert len(signers(root)) < 2
        if not may_sign(root / "home"):
            good(*end(root))
        assert signers(root) == ["home"]
    good(*make(tmp_path / "both"))
    assert signers(tmp_path / "both") == ["kit"]
    for root in at_each_step(tmp_path / "both", tmp_path / "ended", end):
        assert len(signers(root)) < 2
        good(*end(root))
        assert signers(root) == ["home"]


def test_a_step_is_a_step() -> None:
    """The harness itself: a process that is killed leaves the mark of it, one that is not ends with 0."""
    assert killed(("--version",), 1)
    assert not killed(("--version",), 2)
    assert re.match(r"adjudicator \d", good("--version").out)
