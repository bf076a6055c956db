"""Signs that a game folder is older than what was signed in it: a backup brought back, a checkout gone backwards.

No program can see this of a folder that was put back as a whole. What is left of later messages, here or in the mails
of the other side, says it all the same, and then nothing is signed: a second message of one number would be a fork.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.match.folder import Folder, FolderError
from adjudicator.match.restored import due_statement
from adjudicator.protocol import sshsig
from adjudicator.protocol.log import read_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import ProtocolError, Verdict
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.reader import ReadError

WAY_OUT = "bring the newest copy of this folder back, or ask the other side for his log and `head` and `import` them"


def refuse_second_body(folder: Folder, lines: list[bytes]) -> None:
    """Raise FolderError where journal and log hold different messages of one number."""
    found = folder.second_body(lines)
    if found is None:
        return
    seq, ours, other = found
    raise FolderError(
        f"{folder.log}: its message {seq} is {other.id[:12]}, but {ours.id[:12]} was received or signed here "
        f"({folder.journal}): two copies of this game were both gone on with; bring the newest log.jsonl back that "
        "belongs to this folder, or go on in the other copy, with all its files, and put this one away"
    )


def gone_back(folder: Folder, verifier: Verifier, me: str, outfile: Path) -> str:
    """Why the log of a folder must be older than what was signed or received here; "" where nothing says so.

    ``outfile`` is where the file of this player's next message will lie.
    """
    head, seq = verifier.head, verifier.next_seq
    signed = _signed_before(verifier, me, outfile)
    if signed is not None and (due_statement(folder, seq) is None or verifier.check(signed).ok):
        return (
            f"the log ends at message {head}, but you have signed message {seq} already ({outfile}): the folder is "
            f"older than that; `receive` this file, then what came after it, or {WAY_OUT}"
        )
    later = [int(message.text("seq")) for message in verifier.waiting]
    if later and max(later) > seq:
        return (
            f"the log ends at message {head}, but message {max(later)} was received: your own message {seq} was signed "
            f"elsewhere; `receive` it as you mailed it, or {WAY_OUT}"
        )
    if folder.events(head + 1).is_file():
        return (
            f"the log ends at message {head}, but message {head + 1} was here already ({folder.events(head + 1)} tells "
            f"what it led to): the log is older than that; {WAY_OUT}"
        )
    return ""


def _signed_before(verifier: Verifier, me: str, path: Path) -> Message | None:
    """This player's own message of the number that is due, if a file of it is there and its signature holds."""
    try:
        message = read_turn(path.read_bytes())
        body = message.body
        if (body.get("game"), body.get("seq")) != (verifier.game_id, str(verifier.next_seq)):
            return None
        sshsig.verify(message.canonical, message.sig, verifier.history.key(me, verifier.next_seq)[1])
    except (OSError, ReadError, ProtocolError):
        return None
    return message


def explained(verdict: Verdict, verifier: Verifier, message: Message, me: str) -> Verdict:
    """The verdict on a message, in the words of a player whose own other message shows in it."""
    seq = verdict.seq
    if not me or seq is None:
        return verdict
    if verdict.code == "E_FORK" and message.text("side") == me:
        text = f"{verdict.text}, by you: two copies of this game were both gone on with"
        return verdict._replace(text=text)
    if verdict.code == "E_PREV" and seq == verifier.next_seq and message.text("side") != me:
        text = (
            f"it answers a message {seq - 1} ({message.text('prev')[:12]}) that is not yours in this log "
            f"({verifier.head_id[:12]}); if you signed it in another copy of this folder, go on there"
        )
        return verdict._replace(text=text)
    return verdict
