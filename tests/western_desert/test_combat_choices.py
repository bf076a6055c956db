"""Who chooses losses and retreats, and how: orders, answers by key, standing orders, defaults (pbem C2 to C4)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from adjudicator.engine.core import Event, Order
from adjudicator.engine.driver import Message, Run, Waits
from adjudicator.engine.queries import Scene
from adjudicator.western_desert import hexes
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.queries.odds import odds_reply
from adjudicator.western_desert.standing import standing_problems
from adjudicator.western_desert.state import State
from tests.western_desert.skirmish import ALLIED, AXIS, OnePhase, fixed, orders, play_phase, position, unit

DH, DR, AH, NE = 6, 5, 1, 2
ATTACK = {"type": "attack", "hex": "T", "with": "a"}


def field(strength: int = 36) -> State:
    """An attack at 3:1 on a stack of three; D and E are open for retreat."""
    stack = [unit("d1", AXIS, 3, cadre="1"), unit("d2", AXIS, 2), unit("d3", AXIS, 1)]
    return position({"A": [unit("a", ALLIED, strength)], "T": stack})


def events(run: Run[State], kind: str) -> list[Event]:
    return [event for event in run.events if event.kind == kind]


def standing(seq: int, side: str, topic: str, *rules: dict[str, Any]) -> Message:
    return Message(seq, side, tuple(orders({"type": "standing", "topic": topic, "rules": list(rules)})))


def run(state: State, die: int, *messages: Message, **more: Any) -> Run[State]:
    return play_phase(state, orders({**ATTACK, **more}), messages, fixed(die, *[1] * 9))


def test_the_default_is_named() -> None:
    (loss,) = events(run(field(), DH), "losses")
    assert (loss.data["units"], loss.data["choice"]) == (["d1"], "default")
    assert loss.data["clause"] == "no order and no standing rule"
    assert loss.by == (5,)


def test_a_standing_rule_decides_and_is_named_with_its_message() -> None:
    rules = standing(4, AXIS, "losses", {"stack": "D", "order": "d1"}, {"stack": "any", "order": "d3, d2"})
    (loss,) = events(run(field(), DH, rules), "losses")
    assert (loss.data["units"], loss.data["choice"]) == (["d2", "d3"], "standing")
    assert (loss.data["clause"], loss.by) == ("losses clause 2", (4, 5))


def test_standing_rules_of_the_running_message_or_later_are_not_in_force() -> None:
    for seq in (6, 7):
        rules = standing(seq, AXIS, "losses", {"order": "d3, d2"})
        assert events(run(field(), DH, rules), "losses")[0].data["choice"] == "default"


ASKS = Message(4, AXIS, tuple(orders({"type": "standing", "topic": "losses", "rules": "ask"})))


def test_who_wants_to_be_asked_is_and_his_answer_carries_the_dice_on() -> None:
    """PROTOCOL 5, 9.1: play waits in the midst of the combat; the next message of the side answers, by silence too."""
    stopped = run(field(), DH, ASKS)
    assert stopped.waits == Waits("decision", AXIS, "losses/t/axis") and not events(stopped, "losses")
    key = "losses/t/axis"
    said = orders({"type": "answer", "to": key, "units": "d3, d2"}, {"type": "move", "unit": "d1", "to": "D"})
    answered = run(field(), DH, ASKS, Message(6, AXIS, tuple(said)))
    (loss,) = events(answered, "losses")
    assert (loss.data["units"], loss.data["choice"], loss.on, loss.by) == (["d2", "d3"], "order", 6, (5, 6))
    assert [(event.data["type"], event.rule) for event in events(answered, "void")] == [("move", "PROTOCOL 5")]
    (loss,) = events(run(field(), DH, ASKS, Message(6, AXIS)), "losses")
    assert (loss.data["units"], loss.data["choice"], loss.on) == (["d1"], "default", 6)


def test_odds_go_on_where_a_side_wants_to_be_asked() -> None:
    """It is taken to say nothing: the same losses as by the defaults."""
    question = Order(0, "odds", {"subject": "T", "with": "a"})
    plain, asking = (
        odds_reply(OnePhase([]), Scene(field(), ALLIED, messages, at=4), question) for messages in ((), (ASKS,))
    )
    assert plain.tree["results"] == asking.tree["results"] and plain.tree["results"]


def test_never_spares_a_unit_while_others_suffice() -> None:
    rules = standing(4, AXIS, "losses", {"never": "d1"})
    assert events(run(field(), DH, rules), "losses")[0].data["units"] == ["d2", "d3"]


def test_the_attacker_orders_losses_with_the_attack() -> None:
    pieces = {"A": [unit("a", ALLIED, 4), unit("b", ALLIED, 4)], "T": [unit("d", AXIS, 8)]}
    section = orders({**ATTACK, "with": "a, b", "losses": "b"})
    done = play_phase(position(pieces), section, [], fixed(2))
    assert events(done, "result")[0].data["result"] == "AH"
    assert events(done, "losses")[0].data["units"] == ["b"]
    assert events(done, "losses")[0].data["choice"] == "order"
    section = orders({**ATTACK, "with": "a, b"}, {"type": "losses", "hex": "T", "units": "b"})
    assert events(play_phase(position(pieces), section, [], fixed(2)), "losses")[0].data["units"] == ["b"]


def test_an_answer_by_key_is_taken_as_it_stands_and_a_short_one_gives_the_default() -> None:
    pieces = {"A": [unit("a", ALLIED, 4), unit("b", ALLIED, 2)], "T": [unit("d", AXIS, 6)]}
    for named, expected, source in (("a, b", ["a", "b"], "order"), ("b", ["a"], "default")):
        answer = {"type": "answer", "to": "losses/t/allied", "units": named}
        section = orders({**ATTACK, "with": "a, b"}, answer)
        (loss,) = events(play_phase(position(pieces), section, [], fixed(2)), "losses")
        assert (loss.data["units"], loss.data["choice"]) == (expected, source)
    assert "the default was taken" in str(loss.data["clause"])


def ends(done: Run[State]) -> dict[str, str]:
    return {uid: done.state.board.name(piece.hex) for uid, piece in done.state.pieces.items() if uid != "a"}


def test_retreats_follow_preferences_with_fallback() -> None:
    rules = standing(4, AXIS, "retreat", {"unit": "d2", "prefer": "B, SE"}, {"prefer": "SW"})
    done = run(field(), DR, rules)
    assert ends(done) == {"d1": "E", "d2": "C", "d3": "E"}
    assert {e.data["clause"] for e in events(done, "retreat")} == {"retreat clause 1", "retreat clause 2"}


def test_split_no_keeps_a_stack_together() -> None:
    rules = standing(4, AXIS, "retreat", {"unit": "d1", "prefer": "SW"}, {"stack": "T", "split": "no"})
    done = run(field(), DR, rules)
    assert set(ends(done).values()) == {"E"}
    assert events(done, "retreat")[1].data["clause"] == "retreat clause 2, kept together"


def test_the_owner_says_who_goes_first() -> None:
    rules = standing(4, AXIS, "retreat", {"order": "d3, d2"})
    done = run(field(), DR, rules)
    assert [e.data["unit"] for e in events(done, "retreat")] == ["d3", "d2", "d1"]
    assert [e.data["unit"] for e in events(run(field(), DR), "retreat")] == ["d1", "d2", "d3"]


def test_the_attacker_orders_his_own_retreats() -> None:
    pieces = {"A": [unit("a", ALLIED, 6)], "T": [unit("d", AXIS, 6)]}
    board = position(pieces).board
    far = hexes.neighbours(board.find("A"))[0]
    for section in (
        [ATTACK, {"type": "retreat", "unit": "a", "to": board.name(far)}],
        [ATTACK, {"type": "retreat", "unit": "a", "path": [board.name(far)]}],
        [{**ATTACK, "retreat": "N"}],
        [ATTACK, {"type": "answer", "to": "retreat/t/a", "path": [board.name(far)]}],
    ):
        done = play_phase(position(pieces), orders(*section), [], fixed(3))
        assert events(done, "result")[0].data["result"] == "AR"
        assert done.state.hex_of("a") == far


def test_an_unlawful_retreat_hex_gives_the_default_and_says_why() -> None:
    pieces = {"A": [unit("a", ALLIED, 6)], "T": [unit("d", AXIS, 6)]}
    section = orders(ATTACK, {"type": "retreat", "unit": "a", "to": "B"})
    (step,) = events(play_phase(position(pieces), section, [], fixed(3)), "retreat")
    assert step.data["choice"] == "default"
    assert "may not retreat from A to B: it is in an enemy zone of control" in str(step.data["clause"])


def test_a_single_way_is_forced() -> None:
    state = field()
    for name in "BCDF":
        state.board.land.pop(state.board.find(name))
    state.board.forget()
    assert {e.data["choice"] for e in events(run(state, DR), "retreat")} == {"forced"}


def armored() -> State:
    """Two half capable tank brigades and a foot one against infantry."""
    tanks = [unit(uid, ALLIED, 6, type="tank", motorized=True, aeca="half") for uid in ("a", "b")]
    return position({"A": [*tanks, unit("c", ALLIED, 6)], "T": [unit("d", AXIS, 6)]})


def shares(**more: Any) -> tuple[str, list[str]]:
    """The AECA proportion of the attack and the units taken as neutral in it."""
    section = orders({**ATTACK, "with": "a, b, c", **more})
    (fought,) = events(play_phase(armored(), section, [], fixed(NE)), "attack")
    armor: Any = fought.data["armor"]
    return armor["aeca"]["share"], armor["aeca"].get("neutral", [])


def test_half_capable_attackers_are_neutral_as_it_serves_best_or_as_ordered() -> None:
    """WD 10.E."""
    assert shares() == ("1/3", [])
    assert shares(neutral="none") == ("1/3", [])
    assert shares(neutral="a") == ("1/4", ["a"])
    assert shares(neutral="a, b") == ("0", ["a", "b"])


def test_only_half_capable_attackers_may_be_neutral() -> None:
    for named, words in (("c", "c is not half capable in AECA"), ("d", "neutral names d, which is not in the attack")):
        done = play_phase(armored(), orders({**ATTACK, "with": "a, b, c", "neutral": named}), [], fixed(NE))
        assert words in done.problems[0].text


PAGE = Path(__file__).parents[2] / "docs" / "standing-orders.md"


def documented() -> list[Order]:
    """The example of the page."""
    block = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return orders(*yaml.safe_load(block[1].replace(" no\n", " 'no'\n"))["orders"])


def test_the_page_on_standing_orders_is_understood() -> None:
    state = State(build.real_world())
    for order in documented():
        assert standing_problems(state, AXIS, order) == []
        assert len(standing_problems(state, ALLIED, order)) >= 1


def wrong(topic: str, *rules: object) -> str:
    """All that is said of a standing order, with the place of each."""
    (order,) = orders({"type": "standing", "topic": topic, "rules": list(rules)})
    problems = standing_problems(field(), AXIS, order)
    assert all(problem.hint and problem.rule.startswith("WD ") for problem in problems)
    return " | ".join(f"{problem.field}: {problem.text}" for problem in problems)


def test_what_is_wrong_with_a_standing_order_is_told_with_its_place() -> None:
    said = wrong("losses", {"neverr": "d1"}, "hold", {"order": ["d1"]})
    assert "rules[0].neverr: standing: rules, entry 1 has no field 'neverr'" in said
    assert "rules[1]: standing: rules, entry 2 has no fields" in said
    said = wrong("losses", {"stack": "T, Q7", "order": "d9, d1"})
    assert "rules[0].stack[1]: rules[0].stack[1]: 'Q7' is no hex" in said
    assert "rules[0].order[0]: rules[0].order[0]: 'd9' is no unit" in said
    assert "rules[0].order[1] names a, which belongs to the allied side" in wrong("losses", {"order": "d1, a"})
    assert "'maybe' is not one of no, allowed" in wrong("retreat", {"prefer": "N", "split": "maybe"})
    assert "'uphill' is no hex, bearing or terrain" in wrong("retreat", {"prefer": ["rough", "uphill"]})
    assert "'often' is not one of" in wrong("supply", {"use": "often"})
