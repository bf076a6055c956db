"""The topics of the air war between two programs: the side that reacts has them in the book ``sheet``, the side that
flies in ``air``; each is demanded when its choice comes up, on dice that its owner opens, and obeyed.

Most games are one raid: the bomber and the fighter of Malta against the airbase of Gela, with fighters there and at
Catania. It is flown in the Allied player turn of Dec I 40, message 6.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.games import pack_of
from adjudicator.western_desert.air.orders import AIR_CLAUSES, BOOK_TOPICS
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms, prepared

SYSTEM, SCENARIO = "western-desert", "compass"
GELA, VALLETTA, BASE = "18/0304", "18/0408", "18/5019"
PASS = "orders:\n" + "".join(f"  - {{type: section, name: {name}}}\n" for name in ("movement", "air", "combat"))
RAID = f"""orders:
  - {{type: section, name: movement}}
  - {{type: section, name: air}}
  - {{type: bomb_airbase, air: air-well-1c-2, hex: {GELA}}}
  - {{type: escort, air: air-hurri-1-2, hex: {GELA}}}
"""
REACTION = f"""orders:
  - {{type: section, name: reaction}}
  - {{type: intercept, air: "air-cr-42-3, air-mc-200-1", hex: {GELA}}}
  - {{type: split, hex: {GELA}, screen: none}}
"""


def sealing(topic: str, clause: str) -> str:
    """The line that seals one clause on a topic."""
    return f"  - {{type: standing, topic: {topic}, sealed: yes, rules: [{{{clause}}}]}}\n"


ESCORTS = sealing("escorts", "targets: MC.200")
JETTISON = sealing("jettison", "when: never")
PATROL = sealing("patrol", "attack: bombers, min_chance: 4-6")
SPARING = sealing("patrol", "spare: any")
INTERCEPT = sealing("intercept", f"hex: {GELA}, per_escort: 0")
ON_GROUND = sealing("intercept", "most: 0")
SCRAMBLE = sealing("scramble", "do: fly_off, to: 18/0602")
STAY = sealing("escape", "do: stay")
SHOWN = {"sheet": {"patrol", "intercept", "scramble", "escape"}, "air": {"escorts", "jettison"}}


def test_every_topic_of_the_air_war_is_shown_here() -> None:
    assert SHOWN["sheet"] | SHOWN["air"] == set(AIR_CLAUSES) and SHOWN["air"] == set(BOOK_TOPICS)


def flown(root: Path, axis: str = "", allied: str = "") -> TwoPrograms:
    """The game with the raid ordered in message 6; the sides seal these in messages 1 and 2."""
    game = TwoPrograms(root, SYSTEM, SCENARIO)
    for text in (axis and f"orders:\n{axis}", allied and f"orders:\n{allied}", ""):
        game.send(text)
    for text in (PASS, "", RAID):
        game.send(text)
    return game


def sealed(game: TwoPrograms, seq: int) -> list[str]:
    """The books that a message seals."""
    books: Any = game.load(AXIS).message(seq).body.get("sealed", {})
    return sorted(books)


def opens(game: TwoPrograms, text: str = "") -> list[tuple[str, str, str]]:
    """Book, message and topic of what the next message opens; it is sent."""
    rows: Any = game.send(text).body.get("open", [])
    return sorted((row["book"], row["seq"], row["topic"]) for row in rows)


def asked(game: TwoPrograms) -> str:
    """The choice that is waited for."""
    match = game.load(game.side)
    match.look()
    assert match.verifier.last is not None
    waits: Any = match.verifier.last.resolution.position["waits"]
    return f"{waits['side']} {waits['key']}"


def test_who_flies_opens_his_book_after_the_reaction(tmp_path: Path) -> None:
    """The interceptors pass by the escort; whom it chases stands in ``air``, sealed before the raid was ordered. It is
    read on the dice of the reaction, which its owner opens (PROTOCOL 9.1), and nothing else of either book."""
    usual = flown(tmp_path / "usual")
    usual.send(REACTION)
    assert opens(usual) == []
    chased = [row for row in usual.events("engaged", 7) if row["topic"] == "chase"]
    assert [(row["choice"], row["pairs"]) for row in chased] != []
    game = flown(tmp_path / "sealed", allied=ESCORTS + JETTISON + sealing("losses", "never: br-7rt"))
    assert sealed(game, 2) == ["air", "sheet"] and asked(game) == "axis orders/reaction"
    assert opens(game, REACTION) == []
    (row,) = game.openings()
    game.refuses({"open": None})
    game.refuses({"open": [{**row, "book": "sheet"}]})
    game.refuses({"open": [{**row, "rules": [{"targets": ["CR.42"]}]}]})
    air = next(book for book in game.load(ALLIED).own_books() if book.book == "air")
    game.refuses({"open": [row, air.opening("jettison")]})
    assert opens(game) == [("air", "2", "escorts")]
    (chase,) = [row for row in game.events("engaged", 7) if row["topic"] == "chase"]
    assert chase["choice"] == "standing" and "2" in chase["by"]
    assert chase["pairs"] == [{"air": "air-hurri-1-2", "at": "air-mc-200-1"}]
    assert chase["pairs"] != chased[0]["pairs"], "by default it chases another one"
    assert b"br-7rt" not in (game.root / AXIS / "log.jsonl").read_bytes()
    game.proved()


def test_who_reacts_opens_his_sheet_at_once(tmp_path: Path) -> None:
    """Interceptors that stand in ``sheet`` fly on the dice of the raid, without a stop. Whom the escort chases is
    decided on the same dice, on which the book of its side can't be read: ``air`` stays closed, by default it is."""
    game = flown(tmp_path, axis=INTERCEPT + SPARING + sealing("losses", "never: it-12art"), allied=ESCORTS)
    assert (sealed(game, 1), sealed(game, 2)) == (["sheet"], ["air"])
    assert asked(game) == "allied orders/combat"
    rows = game.openings()
    for row in rows:
        game.refuses({"open": [one for one in rows if one != row]})
        game.refuses({"open": [{**one, "book": "air"} if one == row else one for one in rows]})
    assert opens(game) == [("sheet", "1", "intercept"), ("sheet", "1", "patrol")]
    assert [(row["choice"], row["by"]) for row in game.events("reacts", 6)] == [("standing", ["1"])]
    chosen = {row["topic"]: row["choice"] for row in game.events("engaged", 6)}
    assert chosen["chase"] == "default"
    assert opens(game) == []
    logs = [(game.root / side / "log.jsonl").read_bytes() for side in (AXIS, ALLIED)]
    assert not any(word in log for word in (b"air-mc-200-1", b"MC.200", b"it-12art") for log in logs)
    game.proved()


def test_sealed_patrols(tmp_path: Path) -> None:
    """What patrols attack is said in ``sheet``, and opened where a flight meets one."""
    attacks = {}
    for name, rules in (("attack", PATROL), ("spare", SPARING)):
        game = flown(tmp_path / name, axis=rules)
        assert ("sheet", "1", "patrol") in opens(game, REACTION)
        attacks[name] = game.events("patrol-attack", 6)
        game.send()
        game.proved()
    assert attacks["spare"] == [] and all("1" in row["by"] for row in attacks["attack"])
    assert [row["choice"] for row in attacks["attack"]] == ["standing"]


def test_a_sealed_scramble(tmp_path: Path) -> None:
    """Told to stay on the ground over the raid, the fighter of Gela leaves it for Catania; by default it intercepts."""
    game = flown(tmp_path, axis=ON_GROUND + SCRAMBLE + SPARING)
    assert opens(game) == [("sheet", "1", topic) for topic in ("intercept", "patrol", "scramble")]
    reacts = {row["topic"]: (row["choice"], row["by"], row.get("with")) for row in game.events("reacts", 6)}
    assert reacts == {
        "intercept": ("standing", ["1"], None), "scramble": ("standing", ["1"], ["air-cr-42-3"])
    }
    assert [row["over"] for row in game.events("flight", 6) if row["mission"] == "scramble"] == ["18/0602"]
    game.send()
    game.proved()


def test_a_sealed_jettison(tmp_path: Path) -> None:
    """A fighter that bombs Malta keeps its bombs by the rules in ``air``; by default it drops them. Its own side opens
    the topic, after the reaction of the other."""
    dropped = []
    raid = PASS.partition("  - {type: section, name: combat}")[0]
    raid += f"  - {{type: bomb_airbase, air: air-cr-42-3, hex: {VALLETTA}}}\n"
    reaction = "orders:\n  - {type: section, name: reaction}\n"
    reaction += f"  - {{type: intercept, air: air-hurri-1-2, hex: {VALLETTA}}}\n"
    quiet = PASS + "  - {type: section, name: exploitation}\n"
    for rules in ("", JETTISON):
        game = TwoPrograms(tmp_path / ("sealed" if rules else "usual"), SYSTEM, SCENARIO)
        for text in (rules and f"orders:\n{rules}", "", ""):
            game.send(text)
        for text in (PASS, "", quiet):
            game.send(text)
        game.send(raid, lambda die: die("patrol/18.0305/air-hurri-1-2/air-cr-42-3") <= 3)  # the patrol misses
        assert opens(game, reaction) == []
        assert opens(game) == ([("air", "1", "jettison")] if rules else [])
        dropped += [(row["choice"], row["air"]) for row in game.events("jettisoned", 8)]
        game.proved()
    assert dropped == [("default", ["air-cr-42-3"])]


def one_ready(root: Path, first: str) -> TwoPrograms:
    """A game, begun with a message, in which the dice of genesis leave one of the two air units of the base ready."""
    for number in range(20):
        game = TwoPrograms(root / str(number), SYSTEM, SCENARIO, title=f"Two programs {number}")
        for text in (first, "", ""):
            game.send(text)
        found = {row["air"]: row["state"] for row in game.events("disarray", 0)}
        if {found["air-cr-42-1"], found["air-ba-65-1"]} == {"operative", "inoperative"}:
            return game
    raise AssertionError("twenty games, and none with such dice")


def test_a_sealed_escape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An enemy who walks into a base demands what its air units were told; told to stay they are lost with it."""
    rows = next(row for row in pack_of(SYSTEM).rows("scenarios") if row["id"] == SCENARIO)["deploy"]
    near = [{**row, "hex": "18/5119"} if row["unit"] == "br-7-sg" else row for row in rows]
    prepared(monkeypatch, SYSTEM, SCENARIO, deploy=near)
    move = f"  - {{type: move, unit: br-7-sg, to: {BASE}}}\n"
    game = one_ready(tmp_path, f"orders:\n{STAY}{SPARING}")
    for text in (PASS, ""):
        game.send(text)
    game.send(PASS.replace("  - {type: section, name: air}\n", f"{move}  - {{type: section, name: air}}\n"))
    assert opens(game) == [("sheet", "1", "escape")]
    tried = [(row["choice"], row["result"], "1" in row["by"]) for row in game.events("air-escape", 6)]
    assert tried == [("standing", "remains", True)]
    assert {row["air"] for row in game.events("air-lost", 6)} == {"air-cr-42-1", "air-ba-65-1"}
    game.proved()
