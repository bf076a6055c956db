"""Two folders with a game that begins in the late summer of 1941, so that special operations can be planned and come
due within a few messages: Crusader, set up earlier, with plans two turns ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.games import made
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.protocol.log import read_turn
from adjudicator.protocol.message import Message
from adjudicator.western_desert import game
from adjudicator.western_desert.theatre import special
from adjudicator.western_desert.world import world_from_pack
from tests.match.conftest import entropy

AXIS, ALLIED = "axis", "allied"
SIDES = (AXIS, ALLIED)
SCENARIO, FIRST, LAST, AHEAD = "crusader", "Aug I 41", "Jun I 42", 2
PHASES = ("movement", "air", "combat")
NOTHING = "".join(f"  - {{type: section, name: {name}}}\n" for name in PHASES)
NOTHING += "  - {type: section, name: exploitation, say: none}\n"
PLAN = "  - {type: plan_special, units: [1 Para III, 2 Para III], air: [Ju 52 Sp 1, Ju 52 Sp 2], at: Nicosia, "
PLAN += "turn: Sep I 41}\n"
CANCEL = "  - {type: cancel_special, units: [1 Para III, 2 Para III], air: [Ju 52 Sp 1, Ju 52 Sp 2]}\n"


@contextmanager
def set_earlier() -> Iterator[None]:
    """The scenario from the late summer on, in every program of this process, until it is over."""
    with pytest.MonkeyPatch.context() as patch:
        _patch(patch)
        made.cache_clear()
        yield
    made.cache_clear()


def _patch(patch: pytest.MonkeyPatch) -> None:
    plain = world_from_pack

    def world(pack: Any, scenario: str, switches: Mapping[str, str] | None = None) -> Any:
        found = plain(pack, scenario, switches)
        dates = {"start": FIRST, "end": LAST, "events_done": {AXIS: "Aug II 41", ALLIED: "Aug II 41"}}
        found.scenario = {**found.scenario, **dates} if scenario == SCENARIO else found.scenario
        return found

    patch.setattr(game, "world_from_pack", world)
    patch.setattr(special, "LEAD", AHEAD)


class Autumn:
    """The two folders, each with its own program."""

    def __init__(self, root: Path) -> None:
        self.root = root
        alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
        bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
        offer = make_game(root / AXIS, "western-desert", SCENARIO, alice, "Autumn")
        genesis = accept_offer(root / ALLIED, offer.read_bytes(), bob)
        receive_genesis(root / AXIS, read_turn(genesis.read_bytes()))

    def load(self, side: str) -> Match:
        """The folder of a side, opened by a new program."""
        return Match.load(self.root / side)

    @property
    def turn(self) -> str:
        """Whose message comes next."""
        return SIDES[self.load(AXIS).verifier.head % 2]

    def send(self, text: str = "") -> Message:
        """The next message, of the orders given; both folders have it then."""
        side = self.turn
        match = self.load(side)
        result = match.check(read_draft(text.encode()) if text else Draft())
        assert result.legal, result.problems
        message = match.sign(result, entropy=entropy(f"{side} {match.verifier.next_seq}"))
        received = self.load(SIDES[1 - SIDES.index(side)]).receive(message)
        assert received.verdict.ok, received.verdict.show()
        return message

    def position(self) -> Mapping[str, Any]:
        """The newest position that either side has seen."""
        found = max((self.load(side) for side in SIDES), key=lambda match: match.resolver.done)
        assert found.verifier.last is not None
        return found.verifier.last.resolution.position

    def player_turn(self, orders: str = "", sections: str = NOTHING) -> Message:
        """Whatever comes before the next player turn of this side to move, and that turn in one message."""
        for _ in range(6):
            waits = self.position()["waits"]
            if waits["why"] == "decision" and waits["side"] == self.turn and waits["key"] == "orders/initial":
                break
            self.send()
        return self.send(f"orders:\n{orders}{sections}")

    def axis_turn(self, orders: str = "", sections: str = NOTHING) -> Message:
        """The next Axis player turn in one message; the Allied player does nothing before it."""
        while self.position().get("player") != AXIS:
            self.player_turn()
        return self.player_turn(orders, sections)

    def events(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind, by the Allied folder."""
        match = self.load(ALLIED)
        match.look_or_halt()
        found = [event for seq in range(match.verifier.head + 1) for event in match.events(seq) or ()]
        return [event for event in found if event["kind"] == kind]


def begun(root: Path) -> Autumn:
    """The game at the beginning of the first Allied player turn."""
    game_ = Autumn(root)
    for _ in range(2):
        game_.send()
    return game_
