"""Writing the next message of a game (PROTOCOL 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.protocol import sshsig
from adjudicator.protocol.checks import NOTHING_SEALED
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.message import Message
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree


def compose_body(
    verifier: Verifier,
    side: str,
    secret: Secret,
    orders: Sequence[Tree],
    entropy: bytes,
    note: str | None = None,
    replaces: tuple[str, str] | None = None,
) -> dict[str, Tree]:
    """The body of the next message: opens the next link, resolves the head with it, signs the state after it.

    `entropy`: 32 fresh random bytes, drawn after the last look at the orders. `replaces`: (id, code) of the own
    message that the own verifier rejected. When the game is over the body carries the final openings and must
    have no orders. Raises ProtocolError: E_AUTHOR when it is the other side's turn, E_END when the log is closed,
    E_REVEAL when the secret is not this game's, a halt code when the engine fails. The result is *not* yet checked:
    `verifier.check(sign_body(..))` says what the other side will say.
    """
    seq = verifier.next_seq
    if len(entropy) != 32:
        raise ValueError(f"entropy has {len(entropy)} bytes, it needs 32")
    if side != verifier.next_side:
        raise ProtocolError("E_AUTHOR", f"{verifier.next_side} writes message {seq}, not {side}", seq)
    if verifier.closed:
        raise ProtocolError("E_END", f"the game ended in message {verifier.over_at}", seq)
    number = verifier.next_link(side)
    link = _link(verifier, side, secret, number)
    state = verifier.open_head(link).digest
    body: dict[str, Tree] = {
        "pbem": "1",
        "game": verifier.game_id,
        "seq": str(seq),
        "prev": verifier.head_id,
        "side": side,
        "rules": verifier.rules,
        "link": str(number),
        "reveal": link.hex(),
        "state": state,
        "entropy": entropy.hex(),
        "orders": list(orders),
    }
    if note is not None:
        body["note"] = note
    if replaces is not None:
        body["replaces"] = {"id": replaces[0], "code": replaces[1]}
    if verifier.over:
        body["final"] = dict(NOTHING_SEALED)
    return body


def _link(verifier: Verifier, side: str, secret: Secret, number: int) -> bytes:
    player = verifier.player(side)
    if secret.cid != player.cid:
        raise ProtocolError("E_REVEAL", "this secret belongs to another game", verifier.next_seq)
    if number > secret.links:
        raise ProtocolError("E_REVEAL", f"the chain of {secret.links} links is used up", verifier.next_seq)
    return secret.link(number)


def sign_body(body: dict[str, Tree], key: SigningKey) -> Message:
    """Sign a body or genesis. Raises ProtocolError (E_CANON) when it has no canonical bytes."""
    unsigned = Message.of(body, "")
    return Message(unsigned.body, sshsig.sign(unsigned.canonical, key), unsigned.canonical, unsigned.id)
