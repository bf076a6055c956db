"""The checks of keys, chains, rules, loss and restoring (PROTOCOL 7, 8), each raising ProtocolError with its code."""

from __future__ import annotations

from adjudicator.protocol import keys, sshsig
from adjudicator.protocol.chain import MAX_LINKS, MIN_LINKS
from adjudicator.protocol.fields import refuse, uint
from adjudicator.protocol.history import Body, History
from adjudicator.protocol.tokens import head_digest, rekey_digest
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree


def check_restored(history: History, body: Body, seq: int) -> None:
    """`restored {seq, sig}`: the other side signed that message seq - 1 or seq - 2 is the head (E_HEAD)."""
    restored = body.get("restored")
    if not isinstance(restored, dict):
        return
    head = uint(restored["seq"])
    if head is None or head not in (seq - 1, seq - 2):
        raise ProtocolError("E_HEAD", f"it names head {restored['seq']}, message {seq} can follow {seq - 1} only", seq)
    giver = history.author(seq - 1).side
    digest = head_digest(bytes.fromhex(history.game_id), head, bytes.fromhex(history.ids[head]))
    keys_of_giver = {history.key(giver, at)[1] for at in (seq - 1, seq + 1)}  # his newest message may bring a new one
    if not any(_signed(digest, str(restored["sig"]), raw) for raw in sorted(keys_of_giver)):
        raise ProtocolError("E_HEAD", f"{giver} did not sign that message {head} is the head of this game", seq)


def _signed(digest: bytes, signature: str, raw: bytes) -> bool:
    try:
        sshsig.verify(digest, signature, raw)
    except ProtocolError:
        return False
    return True


def check_lost(history: History, body: Body, seq: int) -> None:
    """`lost` once per side and never with decks; after it `allow_lost` or `end: claim`, nowhere else."""
    side = history.author(seq).side
    if "lost" in body:
        if history.lost.get(side, seq) < seq:
            raise refuse(f"{side} lost its chain in message {history.lost[side]} already: once per side")
        if has_decks(history):
            raise refuse("a chain can't be lost in a game with decks: the hand is lost with it")
    before = history.lost.get(history.author(seq - 1).side) == seq - 1
    allow, claim = body.get("allow_lost"), body.get("end") == "claim"
    if not before:
        if allow is not None or claim:
            name = "allow_lost" if allow is not None else "end: claim"
            raise refuse(f"`{name}`: message {seq - 1} does not say that a chain is lost")
        return
    if allow is not None and allow != history.ids[seq - 1]:
        raise refuse(f"`allow_lost` must be the id of message {seq - 1}, {history.ids[seq - 1][:12]}")
    if (allow is None) != claim:
        text = f"message {seq - 1} says that its chain is lost; the answer is `allow_lost` or `end: claim`"
        raise ProtocolError("E_END", text, seq)


def has_decks(history: History) -> bool:
    """Whether a player of genesis has a deck."""
    players = history.genesis.body["players"]
    assert isinstance(players, dict)
    return any(isinstance(one, dict) and bool(one.get("decks")) for one in players.values())


def check_reanchor(history: History, body: Body, seq: int) -> None:
    """`reanchor {cid, anchor, links}`: a chain never used before; due with the last link (E_REVEAL)."""
    chain = body.get("reanchor")
    if not isinstance(chain, dict):
        if "link" in body and history.link_number(seq) >= history.chain(seq).links:
            last = history.chain(seq).links
            raise ProtocolError("E_REVEAL", f"it opens link {last}, the last one, without `reanchor`", seq)
        return
    links = uint(chain["links"])
    if links is None or not MIN_LINKS <= links <= MAX_LINKS:
        raise ProtocolError("E_KEY", f"{chain['links']} links, allowed are {MIN_LINKS} to {MAX_LINKS}", seq)
    for old in history.chains_before(seq):
        if chain["cid"] == old.cid.hex() or chain["anchor"] == old.anchor.hex():
            raise ProtocolError("E_KEY", "the new chain was used in this game before", seq)


def check_rekey(history: History, body: Body, seq: int) -> None:
    """`rekey {key, proof}`: a sound key that never stood in the game, which signed its own coming (E_KEY)."""
    rekey = body.get("rekey")
    if not isinstance(rekey, dict):
        return
    line, side = str(rekey["key"]), history.author(seq).side
    raw = keys.check_public_key(line)
    if line in history.keys_before(seq):
        raise ProtocolError("E_KEY", "the new key stood in this game before", seq)
    try:
        sshsig.verify(rekey_digest(bytes.fromhex(history.game_id), seq, side, line), str(rekey["proof"]), raw)
    except ProtocolError as error:
        raise ProtocolError("E_KEY", f"the proof is not by the new key: {error.verdict.text}", seq) from None


def check_upgrade(history: History, body: Body, seq: int) -> None:
    """`upgrade {rules, from}`: offered at least two messages ahead (E_RULES), or accepted by the same pair."""
    upgrade: Tree | None = body.get("upgrade")
    if not isinstance(upgrade, dict) or history.accepts_upgrade(seq, upgrade):
        return
    if int(str(upgrade["from"])) < seq + 2:
        raise ProtocolError("E_RULES", f"new rules can begin with message {seq + 2}, not {upgrade['from']}", seq)
