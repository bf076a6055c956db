"""Every topic of both games, sealed: demanded exactly when its choice comes up, opened, and what it says is done."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.driver import Checkpoint, Message, Run, Told, play
from adjudicator.match.games import table
from adjudicator.match.play import Pairing, Settings, play_game
from adjudicator.match.play.players import WILD
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.sheets import topics_of
from adjudicator.western_desert.state import State
from tests.western_desert.skirmish import ALLIED, AXIS, OnePhase, fixed, orders, position, unit

DR, DH = 5, 6
GAMES = {"western-desert": ("compass", "w", (2, 5)), "shifting-sands": ("campaign", "q", (1, 23))}


@pytest.mark.parametrize("system", GAMES)
def test_random_games_open_topics_with_effect(system: str) -> None:
    """Both seats agree message by message, the log holds from nothing, and rules that lay closed decided. Which topics
    come up is chance; each is shown by itself in test_sealed_western_desert and test_sealed_shifting_sands."""
    scenario, name, numbers = GAMES[system]
    settled: Counter[str] = Counter()
    opened: Counter[str] = Counter()
    for number in numbers:
        pairing = Pairing(system, scenario, (), f"{name}-{number}")
        played = play_game(Settings(pairing, {AXIS: "sealing", ALLIED: "sealing"}))
        assert played.faults == []
        settled += played.tally.settled
        opened += played.tally.sealed
    decided = {topic for topic in opened if settled[f"{topic} sealed"]}
    assert decided, (settled, opened)


@pytest.mark.parametrize("system", GAMES)
def test_no_sealed_rules_stop_a_game(system: str) -> None:
    """Whatever stands in a topic is judged and never raises; the same fault in whatever order its fields stand."""
    game = table(system, GAMES[system][0], ())
    resolver = MatchResolver.fresh(game)
    assert sorted(topics_of(game)) == sorted(game.order_types["standing"].fields["topic"].words)
    for topic in topics_of(game):
        for rules in WILD:
            assert resolver.sheets.judge(AXIS, topic, rules), (topic, rules)
        assert resolver.sheets.judge(AXIS, topic, "auto") == ""


# --- combat of Western Desert, choice by choice -------------------------------------------------------------------


class Sheet:
    """A book of the defender in force since message 4; it notes which topics were demanded."""

    def __init__(self, **rules: Tree) -> None:
        self.rules, self.demanded = rules, list[str]()

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        if side != AXIS or since >= 4:
            return None
        self.demanded.append(topic)
        return Told(4, self.rules[topic]) if topic in self.rules else None

    def display(self, at: int, side: str, topic: str, since: int) -> Told | None:
        return None


def combat(die: int, sheet: Sheet, *messages: Message) -> Run[State]:
    """An attack at 3:1 on a stack of three, which may go to two hexes."""
    stack = [unit("d1", AXIS, 3, cadre="1"), unit("d2", AXIS, 2), unit("d3", AXIS, 1)]
    state = position({"A": [unit("a", ALLIED, 36)], "T": stack})
    section = orders({"type": "attack", "hex": "T", "with": "a"})
    start = Checkpoint(state, at=5, since=5, answered=(5,))
    said = [*messages, Message(5, ALLIED, tuple(section))]
    return play(OnePhase(section), start, said, fixed(die, *[1] * 9), books=sheet)


def of(run: Run[State], kind: str) -> list[Event]:
    return [event for event in run.events if event.kind == kind]


def test_losses_are_those_of_the_sealed_rules() -> None:
    sheet = Sheet(losses=[{"stack": "any", "order": ["d3", "d2"]}])
    (loss,) = of(combat(DH, sheet), "losses")
    assert (loss.data["units"], loss.data["choice"], loss.by) == (["d2", "d3"], "standing", (4, 5))
    assert sheet.demanded.count("losses") == 1


def test_a_retreat_is_that_of_the_sealed_rules() -> None:
    ends = set()
    for wish in ("NW", "SW"):
        sheet = Sheet(retreat=[{"stack": "any", "prefer": [wish], "order": ["d3"]}])
        gone = of(combat(DR, sheet), "retreat")
        assert gone[0].data["unit"] == "d3" and set(sheet.demanded) == {"retreat"}
        ends.add(str(gone[0].data))
    assert ends


def test_a_combat_without_a_choice_demands_nothing() -> None:
    """Over all faces: a topic is demanded only where a loss or a retreat of the defender follows."""
    quiet = 0
    for die in range(1, 7):
        sheet = Sheet(losses=[], retreat=[])
        done = combat(die, sheet)
        happened = {kind for kind in ("losses", "retreat") if of(done, kind)}
        assert set(sheet.demanded) <= happened, (of(done, "result")[0].data["result"], sheet.demanded)
        quiet += not sheet.demanded
    assert 0 < quiet < 6


def test_auto_empty_and_older_sealed_rules() -> None:
    """``auto`` is the default on purpose; empty rules are the default too; a newer open order makes it unasked."""
    usual = of(combat(DH, Sheet()), "losses")[0].data["units"]
    auto = of(combat(DH, Sheet(losses="auto")), "losses")[0]
    assert (auto.data["units"], auto.data["choice"]) == (usual, "standing") and "auto" in str(auto.data["clause"])
    empty = of(combat(DH, Sheet(losses=[])), "losses")[0]
    assert (empty.data["units"], empty.data["choice"], empty.by) == (usual, "default", (4, 5))
    newer = Message(4, AXIS, tuple(orders({"type": "standing", "topic": "losses", "rules": [{"order": "d2, d3"}]})))
    sheet = Sheet(losses="auto")
    assert of(combat(DH, sheet, newer), "losses")[0].data["choice"] == "standing"
    assert "losses" not in sheet.demanded
