"""Every sealed topic of the ground war of Western Desert between two programs: demanded, opened and obeyed, and no
opening is tampered with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adjudicator.engine.driver import Waits
from adjudicator.match.draft import read_draft
from adjudicator.western_desert.air.orders import AIR_CLAUSES
from adjudicator.western_desert.orders import TOPICS
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms, Wish, opened

SEALED = """orders:
  - type: standing
    topic: {topic}
    sealed: yes
    rules:
"""
ATTACK = """orders:
  - type: section
    name: movement
  - type: move
    units: {units}
    to: {start}
  - type: section
    name: air
  - type: section
    name: combat
  - type: attack
    hex: {hex}
    with: {units}
    supply: supply-allied-1:1
"""
SIDI_BARRANI = ATTACK.format(units="7 Arm X, 4 Arm X, 7 SG, 7 RTR", start="19/0825", hex="19/0725")
TUMMARS = ATTACK.format(units="7 Arm X, 4 Arm X, 7 SG", start="19/0727", hex="19/0726")
PASS = "orders:\n" + "".join(f"  - type: section\n    name: {name}\n" for name in ("movement", "air", "combat"))
QUIET = PASS + "  - type: section\n    name: exploitation\n"
RULES = {
    "losses": "      - stack: 19/0725\n        order: it-12art\n        never: it-4cn\n",
    "retreat": "      - stack: 19/0726\n        order: it-63l\n        prefer: N\n",
    "supply": "      - counter: supply-allied-3\n        use: always\n",
}
WORDS = {"losses": ["it-12art", "it-4cn"], "retreat": ["it-63l"], "supply": ["supply-allied-3"]}


def test_every_topic_of_the_ground_war_is_shown_here() -> None:
    """Those of the air war are in test_sealed_air."""
    assert set(RULES) == set(TOPICS) - set(AIR_CLAUSES)


def falls(hex_: str, face: int) -> Wish:
    """The die of the attack on a hex shows a face."""
    return lambda die: die(f"combat/{hex_}/crt") == face


def begun(root: Path, seals: str = "", topic: str = "") -> TwoPrograms:
    """The game up to the Allied surprise turn, message 4; a side seals a topic in its first message."""
    game = TwoPrograms(root, "western-desert", "compass")
    for side in (AXIS, ALLIED, AXIS):
        text = sealing(topic) if side == seals and game.load(AXIS).verifier.head < 2 else ""
        message = game.send(text)
        assert message.body["orders"] == [] and list(message.body.get("sealed", {})) == (["sheet"] if text else [])
    if topic in WORDS:
        game.hidden(seals, WORDS[topic])
    return game


def sealing(topic: str) -> str:
    """The turn file that seals a topic; `ask` on losses and retreats for ``ask``."""
    if topic == "ask":
        rows = (f"  - {{type: standing, topic: {one}, sealed: yes, rules: ask}}\n" for one in ("losses", "retreat"))
        return "orders:\n" + "".join(rows)
    return SEALED.format(topic=topic) + RULES[topic]


def tamper(game: TwoPrograms, topic: str, other: Any) -> None:
    """The opener's message with the topic opened as something else, not at all, twice, or as an empty one."""
    rows = game.openings()
    at = next(number for number, row in enumerate(rows) if row["topic"] == topic)
    bare = {name: value for name, value in rows[at].items() if name != "rules"}
    for changed in ([{**bare, "rules": other}], [], [rows[at], rows[at]], [bare], [{**bare, "rules": []}]):
        game.refuses({"open": [*rows[:at], *changed, *rows[at + 1 :]]})
    game.refuses({"open": None})


def by_sealed(event: dict[str, Any], seq: int) -> bool:
    """True where a clause of the rules sealed in a message chose."""
    return event["choice"] == "standing" and str(seq) in event["by"]


def test_losses(tmp_path: Path) -> None:
    """At DH half of Sidi Barrani's garrison goes: by default two divisions, by the sealed rules the guns and one; two
    are left then, and which of them goes first is asked under ``retreat``, which was sealed empty."""
    usual = begun(tmp_path / "usual")
    usual.send(SIDI_BARRANI, falls("19.0725", 5))
    assert opened(usual.send()) == {}
    assert [event["units"] for event in usual.events("losses", 4)] == [["it-1lib", "it-4cn"]]
    game = begun(tmp_path / "sealed", AXIS, "losses")
    game.send(SIDI_BARRANI, falls("19.0725", 5))
    tamper(game, "losses", [{"never": ["it-12art"]}])
    rules: Any = [{"never": ["it-4cn"], "order": ["it-12art"], "stack": ["19/0725"]}]
    assert opened(game.send()) == {"losses": rules, "retreat": None}
    (loss,) = game.events("losses", 4)
    assert by_sealed(loss, 1) and loss["units"] == ["it-12art", "it-1lib"]
    assert all("losses clause 1" in game.report(side, 4) for side in (AXIS, ALLIED))
    game.proved()


def test_retreat(tmp_path: Path) -> None:
    """At DR the stack at the Tummars goes west by default, the strongest first; by the sealed rules to the coast."""
    usual = begun(tmp_path / "usual")
    usual.send(TUMMARS, falls("19.0726", 3))
    assert opened(usual.send()) == {}
    gone = [(event["unit"], event["path"]) for event in usual.events("retreat", 4)]
    assert gone == [("it-2lib", ["19/0625"]), ("it-maletti", ["19/0625"]), ("it-63l", ["19/0625"])]
    game = begun(tmp_path / "sealed", AXIS, "retreat")
    game.send(TUMMARS, falls("19.0726", 3))
    tamper(game, "retreat", [{"prefer": ["NW"]}])
    assert set(opened(game.send())) == {"retreat"}
    went = game.events("retreat", 4)
    assert [(event["unit"], event["path"]) for event in went] == [
        ("it-63l", ["19/0725"]), ("it-2lib", ["19/0725"]), ("it-maletti", ["19/0725"])
    ]
    assert all(by_sealed(event, 1) for event in went)
    game.proved()


def test_supply(tmp_path: Path) -> None:
    """In the Axis initial phase Malta's counter is spent by the sealed rules of its owner; by default it is kept."""
    for seals in ("", ALLIED):
        game = begun(tmp_path / (seals or "usual"), seals, "supply" if seals else "")
        for text in (PASS, "", QUIET):
            message = game.send(text)
            assert opened(message) == {}, "in its own initial phase a side's sealed rules are not read"
        game.send(QUIET)
        if not seals:
            game.send()
            assert [event for event in game.events("supply-used", 7) if event["counter"] == "supply-allied-3"] == []
            continue
        game.hidden(seals, WORDS["supply"])
        tamper(game, "supply", [{"counter": "any", "use": "never"}])
        assert set(opened(game.send())) == {"supply"}
        (used,) = game.events("supply-used", 7)
        assert by_sealed(used, 2) and used["counter"] == "supply-allied-3"
        game.proved()


ANSWERS = """orders:
  - type: answer
    to: losses/19.0725/axis
    units: it-12art, it-1lib
  - type: answer
    to: retreat/19.0725/order-axis
    units: it-9l, it-4cn
  - type: section
    name: movement
  - type: move
    unit: it-9l
    to: 19/0625
"""


def test_ask(tmp_path: Path) -> None:
    """Live mode (PROTOCOL 9.1): play stops where the choice comes up. The message that opens the topics answers, and
    what else it orders is void; without an answer the default is taken, on the dice of that message all the same."""
    for said in ("answered", "silent"):
        game = begun(tmp_path / said, AXIS, "ask")
        game.send(SIDI_BARRANI, falls("19.0725", 5))
        match = game.load(AXIS)
        found = match.look()
        assert found is not None
        waits: Any = found.resolution.position["waits"]
        assert waits == {"key": "losses/19.0725/axis", "side": AXIS, "why": "decision"}
        state = match.table.restore(found.resolution.position)
        blank = match.table.template(state, AXIS, Waits("decision", AXIS, waits["key"]))
        assert match.check(read_draft(blank.encode())).legal and "#   units: UNIT, UNIT" in blank
        checked = match.check(read_draft(ANSWERS.encode()))
        assert [problem.order for problem in checked.problems] == [3], "the move is refused by its own program"
        answers = ANSWERS.partition("  - type: section")[0] if said == "answered" else ""
        assert opened(game.send(answers)) == {"losses": "ask"}
        game.send()
        assert game.events("losses", 4) == [] and game.events("result", 4)
        (loss,) = game.events("losses", 5)
        assert (loss["choice"], loss["units"]) == (
            ("order", ["it-12art", "it-1lib"]) if answers else ("default", ["it-1lib", "it-4cn"])
        )
        game.proved()


def test_what_is_not_demanded_stays_closed(tmp_path: Path) -> None:
    """The attack comes to nothing, so the next message opens nothing, and may not."""
    game = begun(tmp_path, AXIS, "losses")
    game.send(SIDI_BARRANI, falls("19.0725", 2))
    match = game.load(AXIS)
    (book,) = match.own_books()
    game.refuses({"open": [book.opening("losses")]})
    assert opened(game.send()) == {}
    game.hidden(AXIS, WORDS["losses"])
    game.proved()
