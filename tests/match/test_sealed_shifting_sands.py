"""Every sealed topic of Shifting Sands between two programs: demanded, opened and obeyed, no opening tampered with.

The set-ups are those of the campaign with some units elsewhere: a stack in the pass of Halfaya, one in the open before
German armor, and one whose only way back leads into Tobruk, which is the enemy's and empty.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.queries import ODDS
from adjudicator.match.games import pack_of
from adjudicator.match.plan import answer, quietly
from adjudicator.shifting_sands.orders import TOPICS
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms, opened, prepared
from tests.shifting_sands.rounds import own_highest

SYSTEM, SCENARIO = "shifting-sands", "campaign"
Places = dict[str, str]
PASS: Places = {"br-inf-bg-3": "Halfaya", "br-inf-bg-4": "Halfaya"}
OPEN: Places = {
    **dict.fromkeys(("ge-21-pz", "ge-15-pz", "it-132-arm"), "Bardia"),
    **dict.fromkeys(("br-inf-bg-5", "ind-4"), "Sidi Azeiz"),
    **dict.fromkeys(("it-62", "it-63", "it-arm-bg-2"), "Tobruk"),
    **dict.fromkeys(("it-61", "it-1lib", "it-2lib", "it-4bs"), "Gazala"),
}
CORNER: Places = {
    "ge-21-pz": "El Adem", "ge-arm-bg-2": "El Adem", "br-7-arm": "Bir el Gubi", "ind-4": "Bir el Gubi",
    "br-inf-bg-1": "Gambut", "br-inf-bg-2": "Gambut",
    **dict.fromkeys(("it-17", "it-27", "it-64"), "Tripoli reduced"),
    **dict.fromkeys(("it-61", "it-62", "it-63", "it-arm-bg-2"), "Tripoli"),
    **dict.fromkeys(("it-1lib", "it-2lib", "it-4bs"), "Derna"),
}
ALLIED_HOLD = ("Tobruk", "Gambut", "Bir el Gubi", "Gazala", "Bardia", "Sidi Azeiz", "Sidi Omar")
HALFAYA = ("Bardia", "IT 62, IT 63, IT arm BG 2", "Halfaya")
AZEIZ = ("Bardia", "GE 21 Pz, GE 15 Pz, IT 132 Arm", "Sidi Azeiz")
ADEM = ("Bir el Gubi", "BR 7 Arm, IND 4", "El Adem")
IDLE = "orders:\n  - {type: section, name: round}\n  - {type: end_round}\n"
BEATEN = (4, 1)
"""Fire of the attackers and of the defenders by which the pass is lost by two."""


def setup(monkeypatch: pytest.MonkeyPatch, places: Places, allied: tuple[str, ...] = ()) -> None:
    """The campaign with these units elsewhere, reduced where it says so, and these spaces Allied."""
    kept = next(row for row in pack_of(SYSTEM).rows("scenarios") if row["id"] == SCENARIO)["units"]
    units = [row for row in kept if row["unit"] not in places]
    for uid, place in places.items():
        step = {"step": "reduced"} if place.endswith(" reduced") else {}
        units.append({"unit": uid, "at": place.removesuffix(" reduced"), "source": "test", **step})
    control = [{"side": ALLIED, "source": "test", "space": space} for space in allied]
    prepared(monkeypatch, SYSTEM, SCENARIO, units=units, control=control)


def begun(root: Path, side: str, **rules: str) -> TwoPrograms:
    """The game up to the first message with orders; a side seals these topics in its first message."""
    lines = [f"  - {{type: standing, topic: {topic}, sealed: yes, rules: {said}}}\n" for topic, said in rules.items()]
    game = TwoPrograms(root, SYSTEM, SCENARIO)
    for author in (AXIS, ALLIED):
        message = game.send("orders:\n" + "".join(lines) if author == side else "")
        assert message.body["orders"] == [] and list(message.body.get("sealed", {})) == (["sheet"] * (author == side))
    return game


def attack(game: TwoPrograms, order: tuple[str, str, str], dice: tuple[int, int]) -> int:
    """An attack with both fires as given; the message it stands in."""
    space, units, target = order
    match = game.load(game.side)
    match.look()
    assert match.verifier.last is not None
    state = match.table.restore(match.verifier.last.resolution.position)
    slug = state.world.spaces[target].slug
    seq = match.verifier.next_seq
    labels = [f"combat/{slug}/fire-{role}" for role in ("attacker", "defender")]
    game.send(
        "orders:\n  - {type: section, name: round}\n"
        f"  - {{type: play_card, card: {own_highest(match, state)}, use: ops}}\n"
        f"  - {{type: attack_marker, space: {space}}}\n"
        f"  - {{type: attack, units: '{units}', target: {target}}}\n  - {{type: end_round}}\n",
        lambda die: tuple(map(die, labels)) == dice,
    )
    return seq


def tamper(game: TwoPrograms, topic: str, other: Any) -> None:
    """The opener's message with the topic opened as something else, not at all, twice, or as an empty one."""
    rows = game.openings()
    at = next(number for number, row in enumerate(rows) if row["topic"] == topic)
    bare = {name: value for name, value in rows[at].items() if name != "rules"}
    for changed in ([{**bare, "rules": other}], [], [rows[at], rows[at]], [bare]):
        game.refuses({"open": [*rows[:at], *changed, *rows[at + 1 :]]})


def settled(events: list[dict[str, Any]], seq: int) -> list[str]:
    """Who was chosen, each by a clause of the rules sealed in message `seq`."""
    assert events and all(event["choice"] == "standing" and str(seq) in event["by"] for event in events), events
    return [str(event.get("to") or event.get("path") or event.get("unit") or event.get("steps")) for event in events]


def test_every_topic_is_shown_here() -> None:
    shown = {"cards", "losses", "hold", "retreat", "relocate", "flip"}
    assert shown == {*TOPICS} - {"withdraw"}
    assert all(f"def test_{topic}" in Path(__file__).read_text("utf-8") for topic in shown)


def test_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the defender is asked before the fire; rules against cards waive that, and the fight is fought."""
    setup(monkeypatch, PASS)
    usual = begun(tmp_path / "usual", "")
    seq = attack(usual, HALFAYA, BEATEN)
    assert opened(usual.send()) == {} and not usual.events("fire", seq)
    game = begun(tmp_path / "sealed", ALLIED, cards="none", losses="default", hold="never", retreat="default")
    game.hidden(ALLIED, ["never"])
    seq = attack(game, HALFAYA, BEATEN)
    tamper(game, "cards", "ask")
    assert list(opened(game.send())) == ["cards", "losses", "hold", "retreat"]
    assert [event["die"] for event in game.events("fire", seq)] == ["4", "1"]
    game.proved()


def test_losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three steps of three battlegroups: who is named goes first, who is kept loses nothing."""
    setup(monkeypatch, PASS)
    steps = {}
    for rules in ("auto", "[{first: BR inf BG 4, keep: BR inf BG 5}]"):
        game = begun(tmp_path / rules[:4], ALLIED, cards="none", losses=rules, hold="auto", retreat="auto")
        seq = attack(game, HALFAYA, BEATEN)
        if rules != "auto":
            tamper(game, "losses", [{"first": ["br-inf-bg-5"]}])
        assert list(opened(game.send())) == ["cards", "losses", "hold", "retreat"]
        (steps[rules],) = settled([event for event in game.events("losses", seq) if event["role"] == "defender"], 2)
        game.proved()
    assert list(steps.values()) == [
        "['br-inf-bg-4', 'br-inf-bg-3', 'br-inf-bg-3']", "['br-inf-bg-4', 'br-inf-bg-4', 'br-inf-bg-3']"
    ]
    assert all("losses 1" in game.report(side, seq) for side in (AXIS, ALLIED))


def test_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass is held with one more step, so no retreat is demanded; by default it is given up."""
    setup(monkeypatch, PASS)
    usual = begun(tmp_path / "usual", ALLIED, cards="none", losses="auto", hold="auto", retreat="auto")
    seq = attack(usual, HALFAYA, BEATEN)
    assert list(opened(usual.send())) == ["cards", "losses", "hold", "retreat"]
    assert not usual.events("hold", seq) and usual.events("retreat", seq)
    rules = "[{at: Halfaya, difference: 2, unit: BR inf BG 4}]"
    game = begun(tmp_path / "sealed", ALLIED, cards="none", losses="auto", hold=rules, retreat="auto")
    game.hidden(ALLIED, ["difference"])
    seq = attack(game, HALFAYA, BEATEN)
    tamper(game, "hold", "never")
    assert list(opened(game.send())) == ["cards", "losses", "hold"]
    assert settled(game.events("hold", seq), 2) == ["br-inf-bg-4"] and not game.events("retreat", seq)
    game.proved()


def test_retreat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two spaces back, to the end that the rules name; by default to the coast."""
    setup(monkeypatch, PASS)
    ends = {}
    for rules in ("auto", "[{space: Halfaya, to: Sofafi}]"):
        game = begun(tmp_path / rules[:4], ALLIED, cards="none", losses="auto", hold="auto", retreat=rules)
        seq = attack(game, HALFAYA, BEATEN)
        if rules != "auto":
            tamper(game, "retreat", [{"to": ["Mersa Matruh"]}])
        assert list(opened(game.send())) == ["cards", "losses", "hold", "retreat"]
        settled(game.events("retreat", seq), 2)
        ends[rules] = {event["path"][-1] for event in game.events("retreat", seq)}
        game.proved()
    assert list(ends.values()) == [{"Mersa Matruh"}, {"Sofafi"}]


def test_relocate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Overrun, the survivor is placed where the rules say; by default in the first place of SS 11.47."""
    setup(monkeypatch, OPEN)
    places = {}
    for rules in ("auto", "[{to: 'Sidi Azeiz, Cairo'}]"):
        game = begun(tmp_path / rules[:4], ALLIED, cards="none", losses="auto", relocate=rules, hold="always")
        seq = attack(game, AZEIZ, (5, 1))
        if rules != "auto":
            tamper(game, "relocate", [{"to": ["@replacement"]}])
        assert list(opened(game.send())) == ["cards", "relocate"], "the losses were forced, and nobody may hold"
        assert game.events("overrun", seq)
        (places[rules],) = settled(game.events("relocate", seq), 2)
        game.proved()
    default, chosen = places.values()
    assert chosen == "Cairo" != default


def test_flip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the Allied round an Axis retreat takes Tobruk: the rules say who recovers by the supply captured there."""
    setup(monkeypatch, CORNER, ALLIED_HOLD)
    restored = {}
    for rules in ("auto", "[{units: 'IT 64, IT 27'}]"):
        game = begun(tmp_path / rules[:4], AXIS, cards="none", losses="auto", retreat="auto", flip=rules)
        game.send(IDLE)
        game.hidden(AXIS, ["IT 64", "it-64"])
        seq = attack(game, ADEM, (3, 2))
        if rules != "auto":
            tamper(game, "flip", "none")
        assert list(opened(game.send())) == ["cards", "flip"], "losses and retreat were forced"
        restored[rules] = settled(game.events("flipped", seq), 1)
        game.proved()
    assert list(restored.values()) == [["it-17", "it-27"], ["it-64", "it-27"]]


def test_rules_that_cant_be_obeyed_give_the_default_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No stop: the attack is fought on its own message, and the next one opens what was demanded (PROTOCOL 5)."""
    setup(monkeypatch, PASS)
    game = begun(tmp_path, ALLIED, cards="none", losses="auto", hold="never", retreat="[{space: Cairo, to: Sofafi}]")
    seq = attack(game, HALFAYA, BEATEN)
    assert list(opened(game.send())) == ["cards", "losses", "hold", "retreat"]
    went = game.events("retreat", seq)
    assert went and {(event["choice"], event["path"][-1]) for event in went} == {("default", "Mersa Matruh")}
    assert all(str(2) in event["by"] for event in went)
    assert all("no standing rule fits" in game.report(side, seq) for side in (AXIS, ALLIED))
    game.proved()


def test_a_topic_sealed_without_rules_is_an_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its leaf is that of a topic nobody spoke of, it is opened without the key, and play stops (PROTOCOL 5)."""
    setup(monkeypatch, PASS)
    game = begun(tmp_path, ALLIED, cards="none", losses="auto", hold="[]")
    (book,) = game.load(ALLIED).own_books()
    assert dict(book.rules) == {"cards": "none", "losses": "auto"}
    attack(game, HALFAYA, BEATEN)
    rows = game.openings()
    assert [row["topic"] for row in rows] == ["cards", "losses", "hold"] and "rules" not in rows[-1]
    match = game.load(ALLIED)
    found = match.look()
    assert found is not None
    waits: Any = found.resolution.position["waits"]
    assert (waits["side"], waits["key"]) == (ALLIED, "hold/1")
    assert opened(game.send("orders:\n  - {type: answer, to: hold/1, say: no}\n"))["hold"] is None
    game.proved()


def test_odds_know_what_their_author_has_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the other side attacks he holds the pass, and his own program counts with that; nobody else's does."""
    setup(monkeypatch, PASS)
    game = begun(tmp_path, ALLIED, cards="none", hold="always")
    for _ in range(2):
        game.send(IDLE)

    def cleared(side: str) -> Fraction:
        asked = {"subject": HALFAYA[2], "with": HALFAYA[1]}
        _, reply = answer(quietly(tmp_path / side), ODDS, side, asked)
        assert not reply.problems, reply.problems
        return Fraction(reply.tree["cleared"])

    assert cleared(ALLIED) < cleared(AXIS)
    kept = tmp_path / ALLIED / "private" / "books.json"
    kept.rename(kept.with_suffix(".away"))
    assert cleared(ALLIED) == cleared(AXIS), "what is not kept here is not counted with"
