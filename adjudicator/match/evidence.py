"""Evidence for a third person, to be checked with stock tools (PROTOCOL 8, `export-proof`).

A message as the bytes that were signed, its signature, and the key as `ssh-keygen -Y verify` wants it; genesis the
same way, since the key stands in it; and where two messages of one number are known, both with the log up to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.match.files import write_whole
from adjudicator.match.folder import FolderError
from adjudicator.match.match import Match
from adjudicator.protocol.log import read_turn, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon_body
from adjudicator.turnfile.reader import ReadError

NAMESPACE = "pbem1"
SIGNERS = "allowed_signers"
HOW_TO = "HOW-TO-CHECK.txt"
PAIR = ("second-body-1.turn", "second-body-2.turn")
"""The two messages of a fork, beside the log up to them."""


class EvidenceError(Exception):
    """Evidence that can't be given; the text says why and how to mend."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was written: the folder, its files, and the commands that check them."""

    folder: Path
    files: tuple[Path, ...]
    commands: tuple[str, ...]
    fork: bool


@dataclass(frozen=True, slots=True)
class _Signed:
    """One message as a third person gets it."""

    stem: str
    side: str
    message: Message

    @property
    def command(self) -> str:
        return f"ssh-keygen -Y verify -f {SIGNERS} -I {self.side} -n {NAMESPACE} -s {self.stem}.sig < {self.stem}.json"


def second_bodies(match: Match, seq: int, given: Message | None = None) -> list[Message]:
    """Other signed messages of a number that are kept, or the one given. EvidenceError where that is none."""
    if given is None:
        return [message for message in match.verifier.forks if message.text("seq") == str(seq)]
    verdict = match.verifier.check(given)
    if verdict.kind is not Kind.PROOF or verdict.seq != seq:
        said = f"{verdict.code}: {verdict.meaning}"
        raise EvidenceError(f"the second file is no other message {seq} of this game ({said}); name the right file")
    return [given]


def export(match: Match, seq: int, folder: Path, others: Sequence[Message] = ()) -> Evidence:
    """Write the evidence of a message, and of a fork where ``others`` of its number are given. Raises EvidenceError."""
    if not 0 <= seq <= match.verifier.head:
        raise EvidenceError(f"there is no message {seq}; the messages of this game are 0 to {match.verifier.head}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise EvidenceError(f"{folder}: there is something of that name already; name a new folder with -o")
    message, side = match.message(seq), _author(match, seq)
    signed = [_Signed(f"message-{seq:04d}", side, message)]
    signed += [_Signed(f"message-{seq:04d}-other-{n}", side, other) for n, other in enumerate(others, 1)]
    if seq:
        signed.append(_Signed("genesis", _author(match, 0), match.message(0)))
    files = {SIGNERS: _signers(match, seq).encode()}
    for one in signed:
        files[f"{one.stem}.json"] = canon_body(one.message.body)
        files[f"{one.stem}.sig"] = one.message.sig.encode()
    if others:
        files["log.jsonl"] = b"".join(line + b"\n" for line in match.lines[:seq])
        files |= {name: write_turn(body) for name, body in zip(PAIR, (message, others[0]), strict=True)}
    files[HOW_TO] = _how_to(match, seq, signed, bool(others)).encode()
    for name, data in files.items():
        write_whole(folder / name, data)
    commands = tuple(one.command for one in signed)
    return Evidence(folder, tuple(folder / name for name in files), commands, bool(others))


def _author(match: Match, seq: int) -> str:
    """The side that signed a message; genesis is signed by the second player."""
    return str(match.verifier.body(seq)["side"]) if seq else match.verifier.players[1].side


def _signers(match: Match, seq: int) -> str:
    """The keys in force for a message and for genesis, one a line, in OpenSSH's form."""
    verifier = match.verifier
    lines = {f'{player.side} namespaces="{NAMESPACE}" {player.key}' for player in verifier.players}
    if seq:
        side = _author(match, seq)
        lines.add(f'{side} namespaces="{NAMESPACE}" {verifier.history.key(side, seq)[0]}')
    return "".join(f"{line}\n" for line in sorted(lines))


def _how_to(match: Match, seq: int, signed: Sequence[_Signed], fork: bool) -> str:
    body = match.verifier.genesis.body
    players = " and ".join(f"{player.name} ({player.side})" for player in match.verifier.players)
    what = f"message {seq}" if seq else "genesis"
    parts = [
        f"Evidence for {what} of the game {body['title']} between {players}.",
        f"Game {match.verifier.game_id}.",
        "",
        "Each .json file holds the very bytes that were signed, each .sig file the signature over them. Any OpenSSH",
        "from 8.2 on checks them, with nothing of ours; each command must answer `Good \"pbem1\" signature`:",
        "",
        *(f"  {one.command}" for one in signed),
        "",
        f"{SIGNERS} holds the keys of both players. Compare them with `players` in genesis: it names both keys, and",
        "every message names genesis by its hash (`game`). Whose key it is can't be computed:",
        "ask both players for the key they published, or the mails in which the game began.",
    ]
    if fork:
        parts += [
            "",
            f"There are two different messages {seq} here, both signed by {signed[0].side}. A player may sign one body",
            "for each number and no other. The excuse the rules know is a body that the rules themselves reject, which",
            "the second names in `replaces`; whether that is so, log.jsonl shows, the game up to them:",
            "",
            "  adjudicator verify .",
            "",
            "It proves the log from nothing, then holds both messages against it.",
        ]
    return "\n".join(parts) + "\n"


def pair_beside(folder: Path) -> tuple[Message, Message] | None:
    """The two messages of a fork beside a log, None where there are none. Raises FolderError for unreadable ones."""
    paths = [folder / name for name in PAIR]
    if not all(path.is_file() for path in paths):
        return None
    try:
        one, two = (read_turn(path.read_bytes()) for path in paths)
    except ReadError as error:
        raise FolderError(f"{folder}: the two messages of a fork can't be read: {error}") from None
    return one, two


def judge_pair(verifier: Verifier, one: Message, two: Message) -> str:
    """Say what two messages prove with the log up to them; raise ProtocolError where they prove nothing."""
    seq = one.text("seq")
    if not verifier.proves_fork(one, two):
        text = "the two messages beside the log are no fork: not two signed bodies of one number without excuse"
        raise ProtocolError("E_FORK", text, int(seq) if seq.isdigit() and len(seq) < 10 else None)
    return f"Two different messages {seq}, both signed by {one.text('side')}: {one.id[:12]} and {two.id[:12]}"
