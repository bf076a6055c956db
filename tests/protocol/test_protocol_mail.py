"""Two honest players and a dishonest mail: it always ends with equal logs; a cheat ends with a proof that names him."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from adjudicator.protocol.chain import link_at
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_turn, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnBooks, seal
from adjudicator.protocol.piles import DRAW, HAND, handle_text
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import Kind
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.reader import ReadError
from tests.protocol.card_game import CardGame, other
from tests.protocol.card_table import NAMES, card_genesis
from tests.protocol.toy_game import A, B, key_of, known, secret_of

SIDES = (A, B)


class Seat:
    """One player's program: verifier, secrets, what he signed."""

    def __init__(self, side: str) -> None:
        self.side, self.verifier = side, Verifier(card_genesis(), CardGame())
        self.secret: Secret = secret_of(NAMES[side], 256)
        self.key: SigningKey = key_of(NAMES[side])
        self.own, self.log, self.signed = OwnBooks(), list[Message](), dict[int, Message]()

    def receive(self, message: Message) -> str:
        """Take a message in, and what waited for it."""
        verdict = self.verifier.receive(message)
        if verdict.ok:
            self.log.append(message)
            while due := [m for m in self.verifier.waiting if int(m.text("seq")) == self.verifier.next_seq]:
                if not self.verifier.receive(due[0]).ok:
                    break
                self.log.append(due[0])
        return verdict.code

    def look(self) -> dict[str, Any]:
        """The position before the own message, with its dice open."""
        chain = self.verifier.next_link(self.side)
        self.verifier.open_head(self._link(chain), self.own.source(self.verifier, self.side))
        assert self.verifier.last is not None
        return dict(self.verifier.last.resolution.position)

    def _link(self, number: int) -> bytes:
        chain = self.verifier.chain(self.side)
        return link_at(self.secret.k_game, chain.cid, chain.links, number)

    def write(self, chance: Random, cheat: bool = False) -> Message:
        """An honest message with lawful, random contents; as a cheat a second body for the message just signed."""
        seq = self.verifier.next_seq
        position = self.look()
        orders, more = self.orders(position, chance), Extras(own=self.own)
        books: dict[str, dict[str, Tree]] = {}
        if not self.verifier.over:
            books, more = self.housekeeping(chance, seq)
        new = seal(self.verifier, self.side, self.secret, books)
        self.own.add(new)
        more = Extras(new, (), more.rekey, more.reanchor, more.upgrade, more.end, own=self.own)
        entropy = known(f"{self.side} {seq} {chance.random()}")
        orders = [] if self.verifier.over else orders
        body = compose_body(self.verifier, self.side, self.secret, orders, entropy, f"message {seq}", None, more)
        message = sign_body(body, self.key)
        if not cheat:
            assert self.receive(message) == "OK", self.verifier.check(message).show()
            self.signed[seq] = message
            self.key = more.rekey or self.key
        return message

    def housekeeping(self, chance: Random, seq: int) -> tuple[dict[str, dict[str, Tree]], Extras]:
        books: dict[str, dict[str, Tree]] = {}
        if chance.random() < 0.3:
            choices: list[Tree] = ["yes", "no", "ask", {"odd": "rule"}]
            react = chance.choice(choices)
            books["sheet"] = {"react": react} if chance.random() < 0.7 else {}
        rekey = key_of(f"{self.side} key {seq}") if chance.random() < 0.05 else None
        reanchor = (known(f"{self.side} chain {seq}")[:16], 64) if chance.random() < 0.05 else None
        upgrade = (known("rules").hex(), seq + 3) if chance.random() < 0.05 else None
        end = chance.choice(["resign", "offer-draw", "accept-draw"]) if chance.random() < 0.06 else ""
        return books, Extras(rekey=rekey, reanchor=reanchor, upgrade=upgrade, end=end)

    def orders(self, position: dict[str, Any], chance: Random) -> list[Tree]:
        waits = position.get("waits", {})
        if waits.get("side") != self.side or self.verifier.next_seq <= 2:
            return [{"type": "attack", "hex": "1"}] if chance.random() < 0.1 else []
        if not waits["key"].startswith("turn/"):
            return [{"type": "answer", "to": waits["key"], "value": "yes"}] if chance.random() < 0.7 else []
        pile = self.verifier.piles[f"{self.side}-ops"]
        hand = [handle_text(card) for card in pile.zone(HAND)]
        draw = [handle_text(card) for card in pile.zone(DRAW)]
        may: list[Tree] = [{"type": "attack", "hex": str(chance.randrange(9)), "loss": "x"} for _ in range(3)]
        may += [{"type": "raid"}, {"type": "lucky"}, {"type": "recon", "unit": "u1"}, {"type": "dance"}]
        if hand:
            may.append({"type": "ops", "card": chance.choice(hand)})
        if draw and chance.random() < 0.3:
            may.append({"type": "take", "card": draw[0]})
        return chance.sample(may, chance.randint(0, 3))


class Mail(RuleBasedStateMachine):
    """The mail loses, doubles, delays, truncates and alters; the players only write, and send the same bytes again."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = {side: Seat(side) for side in SIDES}
        self.bag: list[tuple[str, bytes]] = []
        self.cheated = ""
        self.chance = Random(0)

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        """The players' whims."""
        self.chance = Random(seed)

    def due(self) -> Seat | None:
        """The player who may write."""
        for seat in self.seats.values():
            if seat.verifier.next_side == seat.side and not seat.verifier.closed:
                return seat
        return None

    @precondition(lambda self: self.due() is not None)
    @rule()
    def write(self) -> None:
        """Whoever is due writes and mails."""
        seat = self.due()
        assert seat is not None
        self.bag.append((other(seat.side), write_turn(seat.write(self.chance))))

    @precondition(lambda self: self.bag)
    @rule(which=st.integers(0, 99), keep=st.booleans())
    def deliver(self, which: int, keep: bool) -> None:
        """Any mail of the bag, which may come again later."""
        at = which % len(self.bag)
        side, data = self.bag[at] if keep else self.bag.pop(at)
        self.seats[side].receive(read_turn(data))

    @precondition(lambda self: self.bag)
    @rule(which=st.integers(0, 99))
    def lose(self, which: int) -> None:
        """A mail is lost."""
        del self.bag[which % len(self.bag)]

    @precondition(lambda self: self.bag)
    @rule(which=st.integers(0, 99), at=st.integers(0, 10**6), value=st.integers(0, 255), cut=st.booleans())
    def alter(self, which: int, at: int, value: int, cut: bool) -> None:
        """A mail comes truncated, or with another byte."""
        side, data = self.bag[which % len(self.bag)]
        at %= len(data)
        changed = data[:at] if cut else data[:at] + bytes([value]) + data[at + 1 :]
        try:
            message = read_turn(changed)
        except ReadError:
            return
        seat = self.seats[side]
        verdict = seat.verifier.check(message)
        assert not verdict.ok or message.id == read_turn(data).id
        assert verdict.kind not in (Kind.HALT, Kind.PROOF) or self.cheated

    @rule(side=st.sampled_from(SIDES), which=st.integers(0, 99))
    def send_again(self, side: str, which: int) -> None:
        """The same bytes of an own message again."""
        seat = self.seats[side]
        if seat.signed:
            seq = sorted(seat.signed)[which % len(seat.signed)]
            self.bag.append((other(side), write_turn(seat.signed[seq])))

    @invariant()
    def no_honest_fork(self) -> None:
        """Nothing the mail does makes a fork or a halt."""
        for seat in self.seats.values():
            assert seat.verifier.failed is None
            assert seat.verifier.forks == [] or self.cheated

    def settle(self) -> None:
        """Everybody sends everything again, in order, until nothing changes."""
        for _ in range(3):
            for seat in self.seats.values():
                for message in [seat.signed[seq] for seq in sorted(seat.signed)]:
                    self.seats[other(seat.side)].receive(message)

    def teardown(self) -> None:
        """Equal logs to the byte, and equal states; or, after a cheat, a proof."""
        self.settle()
        one, two = self.seats.values()
        logs = [b"".join(map(write_line, seat.log)) for seat in (one, two)]
        if not self.cheated:
            assert logs[0] == logs[1]
            common = min(one.verifier.resolved, two.verifier.resolved)
            assert one.verifier.digest(common) == two.verifier.digest(common)
            again = Verifier(card_genesis(), CardGame())
            assert all(again.receive(message).ok for message in one.log)
        else:
            self.check_proof(logs)

    def check_proof(self, logs: list[bytes]) -> None:
        """A second body that arrived is kept as proof, by whichever side got it."""
        for seat in self.seats.values():
            for fork in seat.verifier.forks:
                mine = next(m for m in seat.log if m.text("seq") == fork.text("seq"))
                assert fork.body["side"] == self.cheated and seat.verifier.proves_fork(mine, fork)
        assert logs[0] == logs[1] or any(seat.verifier.forks for seat in self.seats.values())


class CheatingMail(Mail):
    """As before, but one player signs a second body once; it reaches the other player before or after the first."""

    @precondition(lambda self: not self.cheated and self.due() is not None and self.due().verifier.head > 3)
    @rule(first=st.booleans())
    def cheat(self, first: bool) -> None:
        """Two bodies for one seq."""
        seat = self.due()
        assert seat is not None
        second = seat.write(self.chance, cheat=True)
        real = seat.write(self.chance)
        self.cheated = seat.side
        victim = self.seats[other(seat.side)]
        for message in (second, real) if first else (real, second):
            victim.receive(message)
        self.bag.append((victim.side, write_turn(real)))


TestMail = Mail.TestCase
TestMail.settings = settings(max_examples=12, stateful_step_count=40, deadline=None)
TestCheatingMail = CheatingMail.TestCase
TestCheatingMail.settings = settings(max_examples=8, stateful_step_count=40, deadline=None)
