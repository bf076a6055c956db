"""The checks of one message before and after the resolution it opens, each with its code (PROTOCOL 4.8)."""

from __future__ import annotations

from adjudicator.protocol import sshsig
from adjudicator.protocol.fields import check_body, check_orders, check_version, is_hash, only, refuse
from adjudicator.protocol.forms import check_forms
from adjudicator.protocol.history import Body, History
from adjudicator.protocol.housekeeping import check_lost, check_restored
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import REJECT_CODES, ProtocolError


def check_sender(history: History, message: Message) -> int:
    """pbem, fields, game, author, signature; gives the seq."""
    body = message.body
    check_version(body)
    check_body(body)
    check_forms(body)
    seq = int(message.text("seq"))
    if body["game"] != history.game_id:
        theirs, ours = _told_apart(message.text("game"), history.game_id)
        raise ProtocolError("E_GAME", f"it belongs to game {theirs}, this is {ours}", seq)
    author = history.author(seq)
    if body["side"] != author.side:
        raise ProtocolError("E_AUTHOR", f"{author.side} writes message {seq}, this says {body['side']}", seq)
    sshsig.verify(message.canonical, message.sig, history.key(author.side, seq)[1])
    return seq


def _told_apart(one: str, other: str) -> tuple[str, str]:
    """Two ids, short where that shows that they differ."""
    return (one[:64], other) if one[:12] == other[:12] else (one[:12], other[:12])


def check_replaces(history: History, body: Body) -> None:
    """`replaces {id, code}`: the code one that rejects, the id none of the log."""
    if "replaces" not in body:
        return
    replaces = body["replaces"]
    if not isinstance(replaces, dict):
        raise refuse("`replaces` must be a mapping of id and code")
    only(replaces, ("id", "code"), (), "replaces")
    if not is_hash(replaces["id"]):
        raise refuse("`replaces.id` must be 64 small hex digits")
    if replaces["code"] not in REJECT_CODES:
        raise refuse(f"`replaces.code` is {replaces['code']!r}: only a rejected message may be replaced")
    if replaces["id"] in history.ids:
        raise refuse("`replaces` names a message that is part of the game")


def check_before_resolution(history: History, message: Message, seq: int, over_at: int | None) -> bytes:
    """prev, rules, log closed, restored, lost, entropy, link, form of orders; gives the opened link, b"" if lost.

    Looks at the log up to seq - 1 only, so that a second body of a played seq can be judged too. `over_at` is the
    message in whose resolution the game ended, as far as known before seq - 1 is resolved.
    """
    body = message.body
    if body["prev"] != history.ids[seq - 1]:
        text = f"it answers {message.text('prev')[:12]}, our message {seq - 1} is {history.ids[seq - 1][:12]}"
        raise ProtocolError("E_PREV", text, seq)
    if body["rules"] != history.rules(seq):
        text = f"its rules are {message.text('rules')[:12]}, this game has {history.rules(seq)[:12]}"
        raise ProtocolError("E_RULES", text, seq)
    _check_log_open(history, seq, over_at)
    check_restored(history, body, seq)
    check_lost(history, body, seq)
    if not is_hash(body["entropy"]):
        raise refuse("`entropy` must be 64 small hex digits")
    if "lost" in body:
        return b""
    number = history.link_number(seq)
    if body["link"] != str(number):
        raise ProtocolError("E_REVEAL", f"it opens link {body['link']}, it must open link {number}", seq)
    link = bytes.fromhex(message.text("reveal"))
    history.check_link(seq, link)
    check_orders(body["orders"])
    return link


def _check_log_open(history: History, seq: int, over_at: int | None) -> None:
    if over_at is not None and seq > over_at + 2:
        raise ProtocolError("E_END", f"the game ended in message {over_at} and is closed by {over_at + 2}", seq)
    if history.bodies[seq - 1].get("end") == "claim":
        raise ProtocolError("E_END", f"message {seq - 1} claimed the game after a lost chain, the log is closed", seq)


def check_state(history: History, message: Message, seq: int) -> None:
    """`state` is digest(seq - 1): its writer saw the same dice and the same result."""
    if message.body["state"] != history.digest(seq - 1):
        text = f"its digest of message {seq - 1} is {message.text('state')[:12]}, ours {history.digest(seq - 1)[:12]}"
        mend = f"both run `dispute DIR {seq - 1}` and exchange the files; what it was written on decides who is right"
        raise ProtocolError("E_STATE", text, seq, mend=mend)
