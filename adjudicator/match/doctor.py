"""Is a game folder sound: whole, in step, backed up, private (`doctor`, PROTOCOL 8)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from adjudicator.engine.counting import counted
from adjudicator.match.folder import Folder, FolderError, reason
from adjudicator.match.keepsake import backed_up, changed_since_backup
from adjudicator.match.keyring import readable_by_others
from adjudicator.match.match import Match
from adjudicator.match.proof import Failed, Proof
from adjudicator.match.recovery import missing_books, missing_text
from adjudicator.match.refused import refused
from adjudicator.match.sheets import WAY_OUT
from adjudicator.protocol.keys import KeyFileError
from adjudicator.protocol.openings import own_books

FEW_LINKS = 64
"""With fewer links left than this a new chain should be begun soon."""


class State(StrEnum):
    """How a check came out."""

    GOOD = "good"
    NOTE = "note"  # nothing is wrong, but the player should do something
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found, and what to do about it."""

    name: str
    state: State
    text: str
    mend: str = ""


def examine(root: Path) -> list[Finding]:
    """Everything `doctor` looks at, in order. Raises FolderError for what is no game folder."""
    folder = Folder(root)
    folder.require()
    if not folder.begun():
        text = "the game has not begun: your offer waits for the other player's genesis"
        return [Finding("log", State.NOTE, text, "`receive` it"), *_modes(folder), _backup(folder)]
    whole = _whole(folder)
    found = [whole]
    try:
        match = Match.load(root)
    except FolderError as error:
        return [*found, Finding("folder", State.BAD, str(error)), *_modes(folder), _backup(folder)]
    found += [*_in_step(match), *_rules(match), *_pending(match), *_refused(match), *_own(match), *_sealed(match)]
    return [*found, *_modes(folder), _backup(folder), *_leftovers(folder)]


def _whole(folder: Folder) -> Finding:
    """The log proved from nothing."""
    try:
        data = folder.log.read_bytes()
    except OSError as error:
        return Finding("log", State.BAD, f"{folder.log}: {reason(error)}", folder.mend())
    proof = Proof(data, folder.root)
    steps = list(proof.steps())
    last = steps[-1]
    if isinstance(last, Failed):
        return Finding("log", State.BAD, last.show(), "see `verify`; if the file was damaged, " + folder.mend())
    return Finding("log", State.GOOD, f"whole and proved: {last.title}; {counted(proof.dice, 'roll')}")


def _in_step(match: Match) -> Iterator[Finding]:
    """What the other side has signed of what we know: rules, history, state."""
    verifier = match.verifier
    if not match.me:
        yield Finding("player", State.NOTE, "this folder is nobody's: it can look, not sign")
        return
    theirs = [seq for seq in range(1, verifier.head + 1) if verifier.body(seq)["side"] != match.me]
    if not theirs:
        yield Finding("opponent", State.NOTE, "nothing has come from the other side since genesis")
        return
    seq = theirs[-1]
    yield Finding(
        "opponent", State.GOOD,
        f"in step: with message {seq} the other side signed the same rules ({str(verifier.body(seq)['rules'])[:12]}), "
        f"the same history, and the same state after message {seq - 1} ({verifier.digest(seq - 1)[:12]})",
    )
    if verifier.head - seq > 1:
        yield Finding("opponent", State.BAD, f"the newest message of the other side is {seq}, the log ends at "
                      f"{verifier.head}", "see `verify`")


def _rules(match: Match) -> Iterator[Finding]:
    """Other rules that the players agreed to, or that are offered: whether they are here."""
    history = match.verifier.history
    offer = history.offered_upgrade
    for rules, start in [(rules, start) for start, rules in history.upgrades] + ([offer] if offer else []):
        lack = match.shelf.lacks(rules)
        agreed = "agreed" if (rules, start) != offer else "offered"
        if lack:
            state = State.BAD if agreed == "agreed" else State.NOTE
            yield Finding("rules", state, f"from message {start} on other rules are {agreed}: {lack}")
        else:
            text = f"other rules are {agreed} from message {start} on, and they are here ({rules[:12]})"
            yield Finding("rules", State.GOOD, text)


def _pending(match: Match) -> Iterator[Finding]:
    """Forks, gaps, halts."""
    verifier = match.verifier
    for message in verifier.forks:
        seq = message.text("seq")
        mend = f"keep both; `export-proof {match.folder.root} {seq}` makes evidence of them"
        yield Finding("fork", State.BAD, f"there are two different signed messages {seq}", mend)
    for message in verifier.waiting:
        text = f"message {message.text('seq')} is here, but one before it is missing"
        yield Finding("gap", State.BAD, text, "ask for the missing one (`resend`)")
    if verifier.failed is not None:
        yield Finding("rules", State.BAD, verifier.failed.show(), "`dispute` makes a file for the other side")
    if not (verifier.forks or verifier.waiting or verifier.failed):
        yield Finding("pending", State.GOOD, "no fork, no gap, nothing that could not be resolved")


def _refused(match: Match) -> Iterator[Finding]:
    """Messages that came for the number that is due and are no part of the game."""
    for one in refused(match):
        yield Finding("refused", State.BAD, one.text, one.mend)


def _own(match: Match) -> Iterator[Finding]:
    """Own secret, key and chain."""
    if not match.me:
        return
    try:
        match.secret()
        if match.key().public != match.verifier.key(match.me):
            raise KeyFileError("the key named in game.yaml is another one than in this game; bring the right one back")
    except (FolderError, KeyFileError) as error:
        yield Finding("secrets", State.BAD, str(error), "`import` brings a lost secret back from its words")
        return
    yield Finding("secrets", State.GOOD, "secret and key are there, and they are those of this game")
    left = match.verifier.chain(match.me).links - match.verifier.next_link(match.me)
    state = State.GOOD if left >= FEW_LINKS else State.NOTE
    yield Finding("chain", state, f"{counted(left, 'link')} left, each for a message")
    if match.refusal():
        yield Finding("journal", State.BAD, match.refusal())


def _sealed(match: Match) -> Iterator[Finding]:
    """Contents of own books: the only thing that the words of the secret don't give back."""
    books = own_books(match.verifier.history, match.me, match.verifier.next_seq) if match.me else []
    if not books:
        return
    try:
        missing = missing_books(match)
    except FolderError as error:
        yield Finding("sealed", State.BAD, str(error), WAY_OUT)
        return
    if missing:
        yield Finding("sealed", State.BAD, missing_text(missing))
        return
    sealed = f"what you sealed in {counted(len({one.seq for one in books}), 'message')}"
    text = f"{sealed} is kept; the words of the secret alone don't give it back"
    how = f"keep a copy of {match.folder.books}, or the files `*.sealed` of the outbox in your mail"
    yield Finding("sealed", State.GOOD, f"{text}: {how}")


def _modes(folder: Folder) -> Iterator[Finding]:
    """Own secrets must be readable by nobody else, where the system knows such rights."""
    if os.name != "posix" or not folder.private.is_dir():
        return
    paths = [folder.private, *sorted(path for path in folder.private.rglob("*") if not path.is_symlink())]
    public = {folder.offer, *(path for path in paths if path.suffix == ".pub")}
    open_ = [path for path in paths if path not in public and readable_by_others(path)]
    key = _key_outside(folder)
    if key is not None and readable_by_others(key):
        open_.append(key)
    for path in open_:
        mode, right = stat.S_IMODE(path.stat().st_mode), "700" if path.is_dir() else "600"
        text = f"{path}: others on this computer may read it (mode {mode:04o})"
        yield Finding("modes", State.BAD, text, f"chmod {right} {path}")
    if not open_:
        yield Finding("modes", State.GOOD, f"what is in {folder.private} can be read by you alone")


def _key_outside(folder: Folder) -> Path | None:
    """The signing key's file where it lies outside the game folder and is there."""
    path = Path(str(folder.read_about().get("key", "")))
    path = path if path.is_absolute() else folder.root / path
    return path if path.is_file() and folder.private.resolve() not in path.resolve().parents else None


def _backup(folder: Folder) -> Finding:
    """A program can't see a backup; it can say what belongs into one, and remember what the player says."""
    if not folder.secret.is_file():
        return Finding("backup", State.NOTE, "there is no secret here to back up")
    if backed_up(folder):
        return Finding("backup", State.GOOD, "backed up, as you said, and the secrets have not changed since")
    words = f"write down what `doctor {folder.root} --words` prints"
    if folder.books.is_file():
        words += " and keep the files `*.sealed` of the outbox in your mail: the words don't give back what you sealed"
    how = f"copy {folder.private} to another disk, or {words}; then say so with --backed-up"
    said = changed_since_backup(folder)
    text = "nobody has said yet that the secrets are backed up"
    if said:
        text = f"not backed up since {' and '.join(said)} changed"
    return Finding("backup", State.NOTE, text, how)


def _leftovers(folder: Folder) -> Iterator[Finding]:
    """Temporary files of a program that was stopped half way: harmless."""
    found = [path for path in sorted(folder.root.rglob(".*.tmp")) if path.is_file()]
    if found:
        names = ", ".join(str(path) for path in found[:3])
        text = f"{counted(len(found), 'file')} of an interrupted program: {names}"
        yield Finding("leftovers", State.NOTE, text, "remove them")
