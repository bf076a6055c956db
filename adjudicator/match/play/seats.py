"""Two players in memory: secrets, keys, a verifier and a resolver each, as two game folders would have them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.engine.driver import Run
from adjudicator.engine.game import Table
from adjudicator.match.draft import body_orders, read_draft
from adjudicator.match.facedown import Faces, as_seen, deck_rows, in_parts, own_faces
from adjudicator.match.games import game, pack_of, table
from adjudicator.match.preview import CheckResult, PreviewDice, check_draft
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.secretplans import kept_plans, planned_contents, wanted_proofs
from adjudicator.match.sheets import SEALED, contents, layout_of, open_orders, openly_told
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.genesis import Terms, complete_offer, make_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import LazyBodies
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnBooks, seal
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.rules import canonical_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verifier import Verifier

LINKS = 1024
KEY_BYTES = 32


def bytes_of(*words: str) -> Callable[[int], bytes]:
    """A source of bytes that is the same for the same words, another at every call."""
    calls = [0]

    def more(count: int) -> bytes:
        calls[0] += 1
        return hashlib.shake_256("/".join((*words, str(calls[0]))).encode()).digest(count)

    return more


def chance_of(*words: str) -> Chance:
    """Chance that is the same for the same words, in every version of Python."""
    return Chance(random.Random("/".join(words)).random)


@dataclass
class Seat:
    """One player of a game: what his folder holds."""

    side: str
    secret: Secret
    key: SigningKey
    verifier: Verifier
    resolver: MatchResolver
    entropy: Callable[[int], bytes]
    own: OwnBooks = field(default_factory=OwnBooks)

    @property
    def table(self) -> Table:
        """The rules."""
        return self.resolver.table

    def look(self) -> Resolved:
        """Resolve the head with the own next link, before the next message is written."""
        link = self.secret.link(self.verifier.next_link(self.side))
        return self.verifier.open_head(link, self.own.source(self.verifier, self.side))

    def now(self) -> Run[Any]:
        """Where play stands before the next message of this seat; assumed dice beyond the opened ones."""
        return self.resolver.run(self._before(), PreviewDice(self.resolver.seeds, "assume"))

    def check(self, data: bytes) -> CheckResult:
        """Check a turn file as the next message of this seat, names and form included."""
        draft = read_draft(data)
        seq, faces = self.verifier.next_seq, self.faces()
        return check_draft(self.resolver, self._before(), seq, self.side, draft, self.kept, faces)

    def faces(self) -> Faces:
        """The own face-down cards."""
        return own_faces(self.verifier, self.side, self.secret)

    def seen(self, state: Any) -> Any:
        """A state as this seat sees it, with its own cards by id."""
        return as_seen(self.table, state, self.side, self.faces())

    def kept(self, state: Any) -> Mapping[str, Tree]:
        """The secret plans of this seat that stand in a position."""
        return kept_plans(self.table, self.verifier, self.side, lambda: self.own, state)

    def _before(self) -> list[Any]:
        return self.resolver.messages_up_to(self.verifier.head, self.verifier.bodies)

    def sign(self, result: CheckResult, wild: Mapping[str, Tree] | None = None) -> Message:
        """The checked draft as signed message; ``wild`` are rules by topic that are sealed as they are."""
        seq = self.verifier.next_seq
        before, openly = self.verifier.history.in_force(self.side, seq), openly_told(self._before(), self.side, seq)
        orders = [*result.orders, *(_sealed_order(topic, rules) for topic, rules in (wild or {}).items())]
        orders = in_parts(self.table, self.verifier, self.side, lambda: self.secret, orders)
        told = contents(orders, self.own, before, self.verifier.layout, openly)
        told |= planned_contents(self.table, self.side, result.planning)
        books = seal(self.verifier, self.side, self.secret, told)
        self.own.add(books)
        said: list[Any] = body_orders([*open_orders(result.orders, self.table.order_types), *result.planning.orders])
        extras = Extras(books=books, own=self.own, history=wanted_proofs(result.planning))
        entropy = self.entropy(KEY_BYTES)
        body = compose_body(self.verifier, self.side, self.secret, said, entropy, extras=extras)
        return sign_body(body, self.key)

    def reload(self, genesis: Message, lines: Sequence[bytes]) -> None:
        """Go through what a folder keeps between two commands, and be the same seat after it."""
        kept = json.loads(json.dumps({"verifier": self.verifier.export(), "resolver": self.resolver.export()}))
        resolver = MatchResolver.restored(self.table, kept["resolver"])
        self.verifier = Verifier.restore(kept["verifier"], genesis, LazyBodies(lines), resolver)
        self.resolver = resolver


def _sealed_order(topic: str, rules: Tree) -> Order:
    return Order(0, "standing", {"topic": topic, "rules": rules, SEALED: "yes"})


@dataclass(frozen=True)
class Pairing:
    """What is played: system, scenario, switches, and the words that all secrets come from."""

    system: str
    scenario: str
    switches: tuple[tuple[str, str], ...] = ()
    seed: str = "0"


def genesis_of(terms: Pairing) -> tuple[Message, list[tuple[str, Secret, SigningKey]]]:
    """A signed genesis, and side, secret and key of both players, the proposer first."""
    rules, pack = game(terms.system), pack_of(terms.system)
    words = (terms.system, terms.scenario, terms.seed)
    holders = []
    for side in rules.sides:
        more = bytes_of(*words, side, "secret")
        key = SigningKey.from_seed(more(KEY_BYTES), side)
        holders.append((side, Secret.fresh(key.public, LINKS, more), key))
    (a, secret_a, _), (b, secret_b, key_b) = holders
    agreed = Terms(
        title=f"{terms.scenario} {terms.seed}",
        system=terms.system,
        scenario=terms.scenario,
        version=rules.version,
        pack=canonical_digest(pack.data),
        first=rules.first(pack.tree, terms.scenario),
        switches=dict(terms.switches),
    )
    layout = layout_of(table(terms.system, terms.scenario, terms.switches))
    seated = [
        {**secret.player(f"program {side}", side), **deck_rows(layout, side, secret)}
        for side, secret in ((a, secret_a), (b, secret_b))
    ]
    return sign_body(complete_offer(make_offer(agreed, seated[0]), seated[1]), key_b), holders


def seats_of(terms: Pairing, watched: Callable[[Table], Table]) -> tuple[Message, tuple[Seat, Seat]]:
    """Both seats over one genesis. The first one's table is watched, the other one's plain."""
    genesis, holders = genesis_of(terms)
    plain = table(terms.system, terms.scenario, terms.switches)
    seats = []
    for (side, secret, key), rules in zip(holders, (watched(plain), plain), strict=True):
        resolver = MatchResolver.fresh(rules)
        entropy = bytes_of(terms.system, terms.scenario, terms.seed, side, "entropy")
        seats.append(Seat(side, secret, key, Verifier(genesis, resolver), resolver, entropy))
    return genesis, (seats[0], seats[1])
