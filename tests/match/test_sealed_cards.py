"""Sealed orders for combat cards that lie face down: no more is opened than is read (PROTOCOL 5, 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.match import facedown
from adjudicator.match.draft import read_draft
from adjudicator.match.games import pack_of
from adjudicator.match.play.loop import Settings, play_game
from adjudicator.match.play.seats import Pairing
from adjudicator.match.recovery import missing_books, recover
from adjudicator.protocol.log import read_line
from adjudicator.shifting_sands.orders import CARD_TOPICS
from tests.match.test_sealed_shifting_sands import BEATEN, HALFAYA, PASS, SCENARIO, SYSTEM, setup
from tests.match.test_setup_rights import hand
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms, opened

RULES = (
    "[{at: Cairo, play: minefields-8}, {at: Halfaya, play: disengage-12}, {flank: none, play: desert-rats-11}, "
    "{play: minefields-8}]"
)
READ = ["cards", "cards-1", "cards-2", "cards-2-play", "cards-3", "cards-3-play"]
"""The first clause is for another space: its card stays closed. The second one's is in the pile: it is skipped."""
CARDS: dict[str, Any] = {str(row["id"]): row for row in pack_of(SYSTEM).rows("cards")}
IDLE = "orders:\n  - {type: section, name: round}\n  - {type: end_round}\n"


def started(root: Path) -> TwoPrograms:
    """The game up to the first message of the Allies with orders, in the first game whose deal is what the tests need:
    the deal hangs on all the rules, so no title is good for long."""
    for number in range(60):
        game = TwoPrograms(root / str(number), SYSTEM, SCENARIO, title=f"Sealed cards {number}")
        for text in ("", "", IDLE):
            game.send(text)
        held = hand(game.load(ALLIED), ALLIED)
        if "desert-rats-11" in held and "disengage-12" not in held:
            return game
    raise AssertionError("no deal gives such a hand")


def begun(root: Path, rules: str = RULES) -> TwoPrograms:
    """The Allies seal rules for cards with their first message that may hold orders; losses by default."""
    game = started(root)
    told = {"cards": rules, "losses": "auto", "hold": "never", "retreat": "auto"}
    rows = [f"  - {{type: standing, topic: {topic}, sealed: yes, rules: {said}}}\n" for topic, said in told.items()]
    game.send("orders:\n" + "".join(rows) + IDLE.removeprefix("orders:\n"))
    return game


LABELS = [f"combat/halfaya/fire-{role}" for role in ("attacker", "defender")]


def beaten(die: Any) -> bool:
    """The dice by which the pass is lost."""
    return tuple(map(die, LABELS)) == BEATEN


def attacking(game: TwoPrograms) -> str:
    """Orders of the Axis to attack the pass, with the best card of its hand."""
    match = game.load(AXIS)
    card = max(hand(match, AXIS), key=lambda name: (int(CARDS[name]["ops"]), name))
    space, units, target = HALFAYA
    return (
        f"orders:\n  - {{type: section, name: round}}\n  - {{type: play_card, card: {card}, use: ops}}\n"
        f"  - {{type: attack_marker, space: {space}}}\n"
        f"  - {{type: attack, units: '{units}', target: {target}}}\n  - {{type: end_round}}\n"
    )


def attack(game: TwoPrograms) -> int:
    """The pass is attacked and lost; the message it stands in."""
    seq = game.load(game.side).verifier.next_seq
    game.send(attacking(game), beaten)
    return seq


def test_a_sealed_card_is_played_and_opened_and_what_lies_behind_stays_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is applied is opened, clause by clause (ruling A86)."""
    setup(monkeypatch, PASS)
    game = begun(tmp_path)
    game.hidden(ALLIED, ["desert-rats-11", "minefields-8", "disengage-12"])
    seq = attack(game)
    found: Any = opened(game.send())
    assert [topic for topic in found if topic.startswith("cards")] == READ
    (played,) = game.events("combat-card", seq)
    assert (played["name"], played["clause"], played["source"]) == ("desert-rats-11", "cards 3", "hand")
    assert "minefields-8" not in str(found), "neither a clause for elsewhere nor one behind shows its card"
    assert [row["value"] for row in found["cards-3-play"]] == ["desert-rats-11"]
    assert all("Desert Rats" in game.report(side, seq) for side in (AXIS, ALLIED))
    game.proved()


def test_no_clause_that_fits_opens_all_and_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every clause is opened to show that none plays a card (ruling A86)."""
    setup(monkeypatch, PASS)
    game = begun(tmp_path, "[{at: Cairo, play: desert-rats-11}, {play: disengage-12}]")
    seq = attack(game)
    found: Any = opened(game.send())
    assert [topic for topic in found if topic.startswith("cards")] == [
        "cards", "cards-1", "cards-2", "cards-2-play", "cards-3"
    ]
    assert not game.events("combat-card", seq) and game.events("fire", seq)
    game.proved()


def test_rules_are_obeyed_as_open_ones_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealed, or said at the stop: the same card, the same losses and retreats on the same dice."""
    setup(monkeypatch, PASS)
    sealed = begun(tmp_path / "sealed")
    seq = attack(sealed)
    sealed.send()
    stop = started(tmp_path / "stop")
    stop.send(IDLE)
    attack_at = stop.load(AXIS).verifier.next_seq
    stop.send(attacking(stop))
    stop.send("orders:\n  - {type: section, name: reaction}\n  - {type: combat_card, card: desert-rats-11}\n", beaten)
    stop.send()
    for kind in ("combat-card", "losses", "retreat"):
        left = [_plain(event) for event in sealed.events(kind, seq)]
        right = [_plain(e) for n in (attack_at, attack_at + 1) for e in stop.events(kind, n)]
        assert left == right, kind


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("on", "by", "order", "clause", "choice")}


def test_a_false_opening_in_a_sealed_rule_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may seal anything; a card whose name does not fit its deck is none, and nobody halts."""
    real = facedown._Shown._opened

    def forged(self: Any, row: Any) -> list[Any]:
        return [one | {"value": "minefields-8"} for one in real(self, row) if isinstance(one, dict)]

    setup(monkeypatch, PASS)
    monkeypatch.setattr(facedown._Shown, "_opened", forged)
    game = begun(tmp_path)
    seq = attack(game)
    game.send()
    assert not game.events("combat-card", seq) and game.events("fire", seq)


def later() -> str:
    """A combat card of the Allies that comes with a later year."""
    cards = pack_of(SYSTEM).rows("cards")
    return next(str(row["id"]) for row in cards if row["side"] == ALLIED and row["year"] == "1942")


def test_a_card_that_is_not_in_the_deck_yet_and_too_many_clauses_are_refused(tmp_path: Path) -> None:
    game = TwoPrograms(tmp_path, SYSTEM, SCENARIO)
    game.send()
    line = "orders:\n  - {type: standing, topic: cards, sealed: yes, rules: [%s]}\n"
    for rules in (f"{{play: {later()}}}", ", ".join(["{play: minefields-8}"] * 9)):
        assert not game.load(ALLIED).check(read_draft((line % rules).encode())).legal


def test_all_parts_are_topics_of_the_book() -> None:
    assert len(CARD_TOPICS) == 16


def test_a_sealed_copy_and_the_turn_file_each_bring_the_parts_back(tmp_path: Path) -> None:
    """What stands nowhere but in `private/books.json`, openings of cards among it, is held against its root."""
    game = TwoPrograms(tmp_path, SYSTEM, SCENARIO)
    for _ in range(2):
        game.send()
    game.send(IDLE)
    text = "orders:\n  - {type: standing, topic: cards, sealed: yes, rules: [{at: Halfaya, play: minefields-8}]}\n"
    game.send(text)
    books = tmp_path / ALLIED / "private" / "books.json"
    kept = books.read_bytes()
    (copy,) = (tmp_path / ALLIED / "outbox").glob("*.sealed")
    assert b"minefields-8" in kept and b"leaf_salt" in kept and b"minefields" not in copy.read_bytes()
    for name, data in ((copy.name, copy.read_bytes()), ("turn.yaml", text.encode())):
        books.unlink()
        assert [one.seq for one in missing_books(game.load(ALLIED))] == [4]
        assert recover(game.load(ALLIED), [(name, data)]).found == [4]
        assert books.read_bytes() == kept


def test_programs_of_chance_seal_cards() -> None:
    """Both seal almost all that they say; whatever comes of it both programs resolve it alike."""
    found = play_game(Settings(Pairing(SYSTEM, SCENARIO, seed="a"), dict.fromkeys((AXIS, ALLIED), "sealing"), 110))
    assert found.sound, found.faults
    read: list[Any] = [row for line in found.lines for row in read_line(line).body.get("open", [])]
    shown = [row for row in read if row["topic"] in CARD_TOPICS and isinstance(row.get("rules"), list)]
    assert shown and all(one["attr"] == "name" for row in shown for one in row["rules"])
