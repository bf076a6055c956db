"""A lost chain: the message that tells of it and names another one, out of a new secret (PROTOCOL 7, lost)."""

from __future__ import annotations

import os
from pathlib import Path

from adjudicator.match.match import Entropy, Match
from adjudicator.match.renewal import RenewalError, may_renew, prepare_secret
from adjudicator.match.resolver import SETUP_MESSAGES
from adjudicator.protocol.compose import compose_lost, sign_body
from adjudicator.protocol.housekeeping import has_decks
from adjudicator.protocol.message import Message
from adjudicator.protocol.secret import Secret


class LossError(Exception):
    """Why no lost chain can be told of; the text says what to do."""


def open_for_loss(root: Path) -> Match:
    """A game folder whose head is not resolved: what was seen of its dice is forgotten. Raises LossError, FolderError.

    Somebody who lost his secret may have looked at the dice before; they can't be used, since nobody can show them.
    """
    match = Match.load(root)
    refusal = why_not(match)
    if refusal:
        raise LossError(refusal)
    if match.verifier.resolved == match.verifier.head:
        match.folder.cache.unlink(missing_ok=True)
        match = Match.load(root)
    return match


def why_not(match: Match) -> str:
    """Why this folder's player must not say that his chain is lost; "" where he may."""
    verifier, me = match.verifier, match.me
    try:
        may_renew(match.folder, verifier, me)
    except RenewalError as error:
        return str(error)
    if not match.trouble():
        return f"your secret is here and opens the dice of message {verifier.head}; sign as usual"
    if not match.my_turn:
        return (
            f"it is not your turn: message {verifier.next_seq} is {verifier.next_side}'s; wait for it and look for "
            "your secret meanwhile"
        )
    if me in verifier.history.lost:
        return f"you lost a chain in message {verifier.history.lost[me]} already, and it is once per side; resign"
    if has_decks(verifier.history):
        return "this game has decks, and the hand is lost with the secret; resign, or agree on something by mail"
    if verifier.next_seq <= SETUP_MESSAGES:
        return "nothing has been played yet; begin a new game with `new`"
    return match.refusal()


def declare(match: Match, note: str | None = None, entropy: Entropy = os.urandom) -> Message:
    """Sign the message: new secret on disk first, then journal, log, and the file to mail. Raises as `Match.sign`."""
    links = match.verifier.chain(match.me).links
    key = match.key()
    fresh = Secret.fresh(key.public, links, entropy)
    prepare_secret(match.folder, fresh)
    unsigned = compose_lost(match.verifier, match.me, fresh, entropy(32), note)
    return match.seal(sign_body(unsigned.body, key))
