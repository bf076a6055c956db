"""A table on which two honest programs play the toy game with books and decks, one verifier each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.desk import Wanted
from adjudicator.protocol.genesis import Terms, complete_offer, make_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnBooks, OwnDecks, seal
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import Verdict
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree
from tests.protocol.card_game import CardGame, layout_of, toy_pack
from tests.protocol.toy_game import A, B, key_of, known, secret_of

NAMES = {A: "alice", B: "bob"}
Contents = Mapping[str, Mapping[str, Tree]]


@cache
def card_genesis(links: int = 256, decks: bool = True) -> Message:
    """The genesis of the vectors' game (with 256 links); or of the same game without decks."""
    pack = toy_pack()
    pack["decks"] = pack["decks"] if decks else []
    terms = Terms("twelve messages, game 0", "toy", "s1", 2, pack_digest(pack), A)
    players = {}
    for side, name in NAMES.items():
        secret = secret_of(name, links)
        found = OwnDecks(layout_of(pack), side, secret, secret.cid).genesis()
        players[side] = {**secret.player(name, side), **({"decks": found} if found else {})}
    return sign_body(complete_offer(make_offer(terms, players[A]), players[B]), key_of("bob"))


@dataclass
class CardTable:
    """Both players at one verifier; `own` holds what each sealed, `sent` every accepted message."""

    links: int = 256
    faults: frozenset[str] = frozenset()
    decks: bool = True
    gift: str = ""
    genesis: Message | None = None
    game: CardGame = field(init=False)
    verifier: Verifier = field(init=False)
    sent: list[Message] = field(default_factory=list)
    own: dict[str, OwnBooks] = field(default_factory=lambda: {A: OwnBooks(), B: OwnBooks()})
    keys: dict[str, SigningKey] = field(default_factory=lambda: {side: key_of(name) for side, name in NAMES.items()})
    secrets: dict[str, Secret] = field(init=False)

    def __post_init__(self) -> None:
        self.game = CardGame(self.faults, self.decks, self.gift)
        self.secrets = {side: secret_of(name, self.links) for side, name in NAMES.items()}
        self.verifier = Verifier(self.genesis or card_genesis(self.links, self.decks), self.game)

    @property
    def side(self) -> str:
        """Who writes next."""
        return self.verifier.next_side

    def body(
        self,
        orders: Sequence[Tree] = (),
        books: Contents | None = None,
        history: Sequence[Wanted] = (),
        note: str | None = None,
        replaces: tuple[str, str] | None = None,
        **extras: Any,
    ) -> dict[str, Tree]:
        """The next body as an honest program composes it; what it seals is kept first."""
        side, seq = self.side, self.verifier.next_seq
        new = seal(self.verifier, side, self.secrets[side], books or {})
        self.own[side].add(new)
        entropy = known(f"{NAMES[side]} entropy {seq}")
        more = Extras(books=new, history=history, own=self.own[side], **extras)
        return compose_body(self.verifier, side, self.secrets[side], orders, entropy, note, replaces, more)

    def sign(self, body: Mapping[str, Tree], key: SigningKey | None = None) -> Message:
        return sign_body(dict(body), key or self.keys[str(body["side"])])

    def next(self, *args: Any, **kw: Any) -> Message:
        """The next message, not yet sent."""
        return self.sign(self.body(*args, **kw))

    def changed(self, *args: Any, change: Mapping[str, Any], **kw: Any) -> Message:
        """The next message with some fields set, None to leave one out; signed by its author."""
        body = {**self.body(*args, **kw), **change}
        return self.sign({key: value for key, value in body.items() if value is not None})

    def receive(self, message: Message) -> Verdict:
        verdict = self.verifier.receive(message)
        if verdict.ok:
            self.sent.append(message)
        return verdict

    def play(self, *args: Any, **kw: Any) -> Message:
        """Send the next message; gives it."""
        message = self.next(*args, **kw)
        verdict = self.receive(message)
        assert verdict.ok, verdict.show()
        return message

    def code(self, message: Message) -> str:
        """The verdict's code; nothing may change unless it is accepted."""
        before = self.verifier.head_id
        verdict = self.receive(message)
        assert verdict.ok == (self.verifier.head_id != before) and (verdict.ok or verdict.way_out)
        return verdict.code

    def events(self) -> list[dict[str, Any]]:
        """The events of the newest resolution."""
        assert self.verifier.last is not None
        return [dict(one) for one in self.verifier.last.resolution.events]

    def position(self) -> dict[str, Any]:
        """The public position after it."""
        assert self.verifier.last is not None
        return dict(self.verifier.last.resolution.position)
