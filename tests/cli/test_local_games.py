"""Solo and hot-seat games: marked in genesis, and said wherever the game is told."""

from __future__ import annotations

from pathlib import Path

from adjudicator.match.match import Match
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, set_up
from tests.cli.test_bad_turns import assert_clear

SAID = "Played with local dice"


def hot_seat(root: Path) -> Pair:
    """A game of both sides in one folder."""
    told = good("new", "western-desert", "compass", root, "--name", "Alice", "--hot-seat", "Bob").out
    assert SAID in told
    return Pair(root)


def test_a_hot_seat_game_is_played_and_marked_everywhere(tmp_path: Path) -> None:
    pair = hot_seat(tmp_path / "game")
    set_up(pair)
    assert Match.load(pair.folder(AXIS)).verifier.genesis.body["dice"] == "local"
    for words in (("status",), ("report",), ("verify",), ("audit",)):
        told = " ".join(good(*words, pair.folder(ALLIED)).out.split())
        assert SAID in told, words
    assert "two commitments" not in good("verify", pair.folder(ALLIED)).out
    assert good("audit", pair.folder(ALLIED), "--json").json["local"] is True
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    pair.deliver(ALLIED)


def test_a_hot_seat_game_names_the_next_command_whole(tmp_path: Path) -> None:
    """Nothing is mailed between folders side by side: what is said is what has to be typed."""
    pair = hot_seat(tmp_path / "game")
    file = pair.folder(AXIS) / "outbox" / "western-desert-compass-0001-axis.turn"
    said = good("open", pair.folder(AXIS), "--yes").out
    assert f"Next: take it in on the other side with `adjudicator receive {pair.folder(ALLIED)} {file}`." in said
    good("receive", pair.folder(ALLIED), file)
    good("new", "western-desert", "compass", tmp_path / AXIS, "--name", "Alice", "--local")
    good("accept", tmp_path / AXIS / "outbox" / "offer.turn", tmp_path / "bob", "--name", "Bob")
    good("receive", tmp_path / AXIS, tmp_path / "bob" / "outbox" / "genesis.turn")
    assert "Next: Allied opens the dice of message 1" in good("open", tmp_path / AXIS, "--yes").out


def test_an_offer_that_is_marked_says_so_when_it_is_accepted(tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "a", "--name", "Alice", "--local")
    offer = tmp_path / "a" / "outbox" / "offer.turn"
    assert SAID in good("accept", offer, tmp_path / "b", "--name", "Bob").out
    assert good("accept", offer, tmp_path / "c", "--name", "Bob", "--json").json["terms"]["dice"] == "local"


def test_a_folder_in_use(tmp_path: Path) -> None:
    hot_seat(tmp_path / "game")
    again = cli("new", "western-desert", "compass", tmp_path / "game", "--name", "Alice", "--hot-seat", "Bob")
    assert_clear(again, "there is a game in this folder already", 2)
    assert_clear(cli("new", "chess", "x", tmp_path / "y", "--name", "A", "--hot-seat", "B"), "no game", 2)
