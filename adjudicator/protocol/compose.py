"""Writing the next message of a game (PROTOCOL 4.2), with all that it owes (PROTOCOL 5 to 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.protocol import sshsig
from adjudicator.protocol.books import Book
from adjudicator.protocol.chain import MAX_LINKS, MIN_LINKS, Links, link_at
from adjudicator.protocol.desk import Wanted
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnBooks, OwnDecks, final_of, missing, open_history
from adjudicator.protocol.piles import handle_text
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.tokens import head_digest, rekey_digest
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

NONE_SEALED = OwnBooks()
"""For who sealed nothing; never added to."""
_OWNER = "its owner signs this message, with the whole secret"


class Extras(NamedTuple):
    """What a message may carry beside orders.

    `books`: new books to be sealed (`own.seal`), already kept. `history`: topics of own books to be proved. `rekey`:
    the new key. `reanchor`: id (16 bytes) and length of the new chain, which comes from the same K_game. `upgrade`:
    rules hash and first message. `end`: resign, offer-draw, accept-draw, claim. `allow_lost`: consent to the lost
    chain of the message before. `restored`: head and the other side's signature of it (`head_statement`).
    """

    books: Sequence[Book] = ()
    history: Sequence[Wanted] = ()
    rekey: SigningKey | None = None
    reanchor: tuple[bytes, int] | None = None
    upgrade: tuple[str, int] | None = None
    end: str = ""
    allow_lost: bool = False
    restored: tuple[int, str] | None = None
    own: OwnBooks = NONE_SEALED


NO_EXTRAS = Extras()


def compose_body(
    verifier: Verifier,
    side: str,
    secret: Secret,
    orders: Sequence[Tree],
    entropy: bytes,
    note: str | None = None,
    replaces: tuple[str, str] | None = None,
    extras: Extras = NO_EXTRAS,
) -> dict[str, Tree]:
    """The body of the next message: opens the next link, resolves the head with it, signs the state after it.

    `entropy`: 32 fresh random bytes, drawn after the last look at the orders. `replaces`: (id, code) of the own
    message that the own verifier rejected. `extras.own` are the own books kept so far: what the head demands of them
    is opened, as are cards, shows, transfers and, when the game is over, everything. Raises ProtocolError: E_AUTHOR
    when it is the other side's turn, E_END when the log is closed, E_REVEAL when the secret is not this game's, E_DECK
    when cards are to be opened or dealt and the secret is a kit, E_SEAL when contents of an own book are missing, a
    halt code when the engine fails. The result is *not* yet checked: `verifier.check(sign_body(..))` says what the
    other side will say.
    """
    number = _check_turn(verifier, side, entropy)
    link = _link(verifier, side, secret, number)
    source = extras.own.source(verifier, side)
    state = verifier.open_head(link, source).digest
    body = {
        **_head(verifier, side, entropy),
        "link": str(number),
        "reveal": link.hex(),
        "state": state,
        "orders": list(orders),
    }
    if note is not None:
        body["note"] = note
    if replaces is not None:
        body["replaces"] = {"id": replaces[0], "code": replaces[1]}
    _add_books(verifier, side, body, extras)
    _add_housekeeping(verifier, side, secret, body, extras)
    decks = OwnDecks.of(verifier, side, secret) if verifier.piles else None
    if decks is not None:
        if not secret.k_game:
            _refuse_cards(verifier, side, body)
        _add_cards(verifier, side, body, decks)
    if verifier.over:
        body["final"] = final_of(verifier, side, extras.own, decks)
    return body


def compose_bare(
    verifier: Verifier, side: str, links: Links, entropy: bytes, own: OwnBooks = NONE_SEALED
) -> dict[str, Tree]:
    """A bare opening without the secret: links up to a chosen one and the openings of own books suffice (PROTOCOL 8).

    For a program that answers unattended. It must not answer a stop of its owner: whether the position waits for him
    is the game's to say, ask before. Raises ProtocolError, E_DECK where a show or transfer is owed, E_END when the
    game is over, E_REVEAL for a link above those given or the last of a chain: all these are for the owner.
    """
    number = _check_turn(verifier, side, entropy)
    seq, chain = verifier.next_seq, verifier.chain(side)
    if links.cid != chain.cid or number > links.number or number == chain.links:
        text = f"link {number} is not for a program without the secret to open"
        raise ProtocolError("E_REVEAL", text, seq, mend=_OWNER)
    link = links.link(number)
    state = verifier.open_head(link, own.source(verifier, side)).digest
    head = _head(verifier, side, entropy)
    body: dict[str, Tree] = {**head, "link": str(number), "reveal": link.hex(), "state": state, "orders": []}
    if verifier.over:
        raise ProtocolError("E_END", "the game is over: its owner makes the final openings", seq, mend=_OWNER)
    _refuse_cards(verifier, side, body)
    _add_books(verifier, side, body, Extras(own=own))
    return body


def _refuse_cards(verifier: Verifier, side: str, body: dict[str, Tree]) -> None:
    """Raise E_DECK where a message owes something of the decks, or closes the game: only K_game opens cards."""
    owed, shows = verifier.owed(body), any(pile.shows and pile.side == side for pile in verifier.piles.values())
    if verifier.over or shows or owed.transfers or any(use.attr for use in owed.uses):
        text = "cards are to be opened or dealt: that is for the owner"
        raise ProtocolError("E_DECK", text, verifier.next_seq, mend=_OWNER)


def compose_lost(verifier: Verifier, side: str, secret: Secret, entropy: bytes, note: str | None = None) -> Message:
    """The unsigned message of a player who lost his chain: names the chain of a fresh `secret` (PROTOCOL 7).

    From his next message on he composes with that secret. Raises ProtocolError.
    """
    _check_turn(verifier, side, entropy)
    body: dict[str, Tree] = {**_head(verifier, side, entropy), "state": verifier.open_lost().digest, "lost": "1"}
    body["reanchor"] = {"cid": secret.cid.hex(), "anchor": secret.anchor, "links": str(secret.links)}
    if note is not None:
        body["note"] = note
    return Message.of(body, "")


def _check_turn(verifier: Verifier, side: str, entropy: bytes) -> int:
    """The number of the link that is due."""
    seq = verifier.next_seq
    if len(entropy) != 32:
        raise ValueError(f"entropy has {len(entropy)} bytes, it needs 32")
    if side != verifier.next_side:
        raise ProtocolError("E_AUTHOR", f"{verifier.next_side} writes message {seq}, not {side}", seq)
    if verifier.closed:
        raise ProtocolError("E_END", f"the game ended in message {verifier.over_at or verifier.head}", seq)
    return verifier.next_link(side)


def _head(verifier: Verifier, side: str, entropy: bytes) -> dict[str, Tree]:
    return {
        "pbem": "1",
        "game": verifier.game_id,
        "seq": str(verifier.next_seq),
        "prev": verifier.head_id,
        "side": side,
        "rules": verifier.rules,
        "entropy": entropy.hex(),
    }


def _link(verifier: Verifier, side: str, secret: Secret, number: int) -> bytes:
    chain = verifier.chain(side)
    if secret.cid not in (verifier.player(side).cid, chain.cid):
        text, mend = "this secret belongs to another game", "take the secret of this game"
        raise ProtocolError("E_REVEAL", text, verifier.next_seq, mend=mend)
    if number > chain.links:
        raise _used_up(chain.links, verifier.next_seq)
    return secret.chain_link(chain.cid, chain.links, number)


def _used_up(links: int, seq: int) -> ProtocolError:
    text, mend = f"the chain of {links} links is used up", "name a new one with the message that opens its last link"
    return ProtocolError("E_REVEAL", text, seq, mend=mend)


def _add_books(verifier: Verifier, side: str, body: dict[str, Tree], extras: Extras) -> None:
    """Demanded topics, proofs of age, new books."""
    source, opened = extras.own.source(verifier, side), list[Tree]()
    for wanted in verifier.demanded:
        row = source(wanted)
        if row is None:
            raise missing(verifier, wanted)
        opened.append(row)
    if opened:
        body["open"] = opened
    if extras.history:
        body["history"] = open_history(verifier, side, extras.own, extras.history)
    if extras.books:
        body["sealed"] = {book.book: book.root() for book in extras.books}


def _add_housekeeping(
    verifier: Verifier, side: str, secret: Secret, body: dict[str, Tree], extras: Extras
) -> None:
    """Keys, chains, rules, end, consent, restoring."""
    if extras.rekey is not None:
        line, game = extras.rekey.public, bytes.fromhex(verifier.game_id)
        proof = sshsig.sign(rekey_digest(game, verifier.next_seq, side, line), extras.rekey)
        body["rekey"] = {"key": line, "proof": proof}
    if extras.reanchor is not None:
        cid, links = extras.reanchor
        if not MIN_LINKS <= links <= MAX_LINKS:
            raise ValueError(f"{links} links, allowed are {MIN_LINKS} to {MAX_LINKS}")
        anchor = link_at(secret.k_game, cid, links, 0).hex()
        body["reanchor"] = {"cid": cid.hex(), "anchor": anchor, "links": str(links)}
    elif body["link"] == str(verifier.chain(side).links):
        raise _used_up(verifier.chain(side).links, verifier.next_seq)
    if extras.upgrade is not None:
        body["upgrade"] = {"rules": extras.upgrade[0], "from": str(extras.upgrade[1])}
    if extras.end:
        body["end"] = extras.end
    if extras.allow_lost:
        body["allow_lost"] = verifier.head_id
    if extras.restored is not None:
        body["restored"] = {"seq": str(extras.restored[0]), "sig": extras.restored[1]}


def _add_cards(verifier: Verifier, side: str, body: dict[str, Tree], decks: OwnDecks) -> None:
    """Openings that orders and picks of the other side ask for, and the transfers owed."""
    owed = verifier.owed(body)
    try:
        cards: list[Tree] = [decks.opening(use.deck, use.card, use.attr) for use in owed.uses if use.attr]
    except KeyError as error:
        text, mend = f"you have no card {error.args[0]}", "name a card that you have"
        raise ProtocolError("E_DECK", text, verifier.next_seq, mend=mend) from None
    show: list[Tree] = [
        decks.opening(pile.deck, handle_text(card), pile.form.attributes[0])
        for _, pile in sorted(verifier.piles.items())
        if pile.side == side
        for card in pile.shows
    ]
    for name, rows in (("cards", cards), ("show", show), ("decks", decks.transfers(owed))):
        if rows:
            body[name] = rows


def head_statement(verifier: Verifier, key: SigningKey) -> tuple[int, str]:
    """Head and its signature, for a player who restores his log from this one (PROTOCOL 8)."""
    head = verifier.head
    digest = head_digest(bytes.fromhex(verifier.game_id), head, bytes.fromhex(verifier.head_id))
    return head, sshsig.sign(digest, key)


def sign_body(body: dict[str, Tree], key: SigningKey) -> Message:
    """Sign a body or genesis. Raises ProtocolError (E_CANON) when it has no canonical bytes."""
    unsigned = Message.of(body, "")
    return Message(unsigned.body, sshsig.sign(unsigned.canonical, key), unsigned.canonical, unsigned.id)
