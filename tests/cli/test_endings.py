"""Giving up, agreeing to a draw and closing the log, through two folders of either game."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

GAMES = {"western-desert": "compass", "shifting-sands": "campaign"}
OTHER = {AXIS: ALLIED, ALLIED: AXIS}
BARE = "orders: []\n"
Start = Callable[[], Pair]
NO_DECKS = pytest.mark.parametrize("begun", ["western-desert"], indirect=True)
"""With the secret the hand is lost: a chain can be lost in games without decks alone."""


@pytest.fixture(scope="module", params=GAMES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each system after messages 1 and 2; message 3 is due."""
    pair = Pair(tmp_path_factory.mktemp("endings") / "game")
    with chance.fixed("endings"):
        good("new", request.param, GAMES[request.param], pair.folder(AXIS), "--name", "Alice", "--title", "Ends")
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        pair.bare(AXIS)
        pair.bare(ALLIED)
    return pair.root


@pytest.fixture
def start(begun: Path, tmp_path: Path) -> Start:
    """A copy of it."""
    return lambda: Pair(Path(shutil.copytree(begun, tmp_path / "game")))


def flat(result: Result) -> str:
    """What a command said, without line ends."""
    return " ".join(result.all.split())


def plain(pair: Pair, side: str) -> None:
    """A message that neither ends nor decides anything."""
    good("open", pair.folder(side), "--yes")
    pair.deliver(side)


def closed(pair: Pair, how: str) -> None:
    """Every command works on both closed folders and tells how it ended."""
    for side in (AXIS, ALLIED):
        folder = pair.folder(side)
        assert f"the game is over and closed: {how}" in flat(good("status", folder))
        assert f"the game is over and closed: {how}" in flat(good("verify", folder))
        assert good("status", folder, "--json").json["closed"] is True
        for command in ("audit", "doctor", "report", "template"):
            good(command, folder)
        assert "Nothing, the game is over and closed" in flat(good("template", folder))
        before = tree_of(folder)
        for words in (("open", folder, "--yes"), ("open", folder, "--resign", "--yes")):
            assert_clear(cli(*words), "the game is over; nothing more is signed", 1)
        assert tree_of(folder) == before
    logs = {(pair.folder(side) / "log.jsonl").read_bytes() for side in OTHER}
    assert len(logs) == 1


def test_resigning_and_the_two_closing_messages(start: Start) -> None:
    pair = start()
    said = flat(good("open", pair.folder(AXIS), "--resign", "--yes"))
    assert "You resign. Allied wins" in said and "opens everything its side kept hidden" in said
    assert "Everything hidden is still to be opened by Allied in message 4 and by Axis in message 5." in said
    assert "Next: Allied owes message 4 since message 3: the final openings" in said
    told = flat(pair.deliver(AXIS))
    assert "you owe message 4 since message 3: the final openings" in told
    assert "Axis resigned in message 3, so Allied wins" in told
    assert "the game is unfinished: Axis resigned in message 3" in flat(good("verify", pair.folder(ALLIED)))
    tree = good("status", pair.folder(ALLIED), "--json").json
    assert (tree["over"]["how"], tree["over"]["side"], tree["closed"]) == ("resign", AXIS, False)
    template = good("template", pair.folder(ALLIED)).out
    assert "`open` makes the closing messages" in template and template.endswith("orders: []\n")
    for name in ("--resign", "--offer-draw", "--accept-draw"):
        assert_clear(cli("open", pair.folder(ALLIED), name, "--yes"), "the game is over: Axis resigned", 1)
    assert "Everything hidden is still to be opened by Axis in message 5." in flat(good("open", pair.folder(ALLIED)))
    pair.deliver(ALLIED)
    assert "The Axis player resigns: the Allied player wins." in flat(good("report", pair.folder(ALLIED), "3"))
    good("open", pair.folder(AXIS))
    assert "the game is over and closed" in flat(pair.deliver(AXIS))
    assert "this message the Allied player opens everything" in flat(good("report", pair.folder(AXIS), "4"))
    closed(pair, "Axis resigned in message 3, so Allied wins")


def test_a_draw_is_offered_accepted_and_closed(start: Start) -> None:
    pair = start()
    assert "You offer a draw." in flat(good("open", pair.folder(AXIS), "--offer-draw", "--yes"))
    assert "You offered a draw in message 3" in flat(good("status", pair.folder(AXIS)))
    assert "Axis offers a draw in message 3; accept it with" in flat(pair.deliver(AXIS))
    assert good("status", pair.folder(ALLIED), "--json").json["draw_offered"] == {"seq": 3, "side": AXIS}
    assert_clear(cli("open", pair.folder(ALLIED), "--offer-draw", "--yes"), "accept it with --accept-draw", 1)
    draft = pair.write(BARE)
    assert "You accept the draw" in flat(good("sign", draft, "--accept-draw", "--yes"))
    pair.deliver(ALLIED)
    good("open", pair.folder(AXIS))
    pair.deliver(AXIS)
    assert "The Axis player offers a draw; only message 4" in flat(good("report", pair.folder(ALLIED), "3"))
    assert "The Allied player accepts the draw offered in message 3" in flat(good("report", pair.folder(ALLIED), "4"))
    good("open", pair.folder(ALLIED))
    pair.deliver(ALLIED)
    closed(pair, "a draw, which Axis offered in message 3 and Allied accepted")


def test_a_draw_that_is_not_accepted_is_gone(start: Start) -> None:
    pair = start()
    good("open", pair.folder(AXIS), "--offer-draw", "--yes")
    pair.deliver(AXIS)
    plain(pair, ALLIED)
    assert good("status", pair.folder(AXIS), "--json").json["draw_offered"] is None
    plain(pair, AXIS)
    refused = cli("open", pair.folder(ALLIED), "--accept-draw", "--yes")
    assert_clear(refused, "message 5 offers no draw, so there is none to accept", 1)


def test_an_end_needs_consent(start: Start) -> None:
    """Nobody to answer: nothing is signed. A no neither; a yes does."""
    pair = start()
    before = (pair.folder(AXIS) / "log.jsonl").read_bytes()
    assert_clear(cli("open", pair.folder(AXIS), "--resign"), "nobody to answer; add --yes", 2)
    no = cli("open", pair.folder(AXIS), "--resign", answer="n\n")
    assert no.code == 1 and "You resign. Allied wins" in no.out and "not signed" in no.err
    assert_clear(cli("open", pair.folder(AXIS), "--resign", "--offer-draw", "--yes"), "exclude each other", 2)
    assert (pair.folder(AXIS) / "log.jsonl").read_bytes() == before
    good("open", pair.folder(AXIS), "--resign", answer="y\n")
    assert_clear(cli("open", pair.folder(AXIS), "--offer-draw", "--yes"), "not your turn", 1)


def test_resigning_in_the_very_first_messages(start: Start, tmp_path: Path) -> None:
    for number, side in enumerate((AXIS, ALLIED)):
        pair = Pair(tmp_path / f"early-{number}")
        good("new", "western-desert", "compass", pair.folder(AXIS), "--name", "Alice", "--title", "Ends")
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        if side == ALLIED:
            plain(pair, AXIS)
        good("open", pair.folder(side), "--resign", "--yes")
        pair.deliver(side)
        for closing in (OTHER[side], side):
            good("open", pair.folder(closing))
            pair.deliver(closing)
        closed(pair, f"{side.capitalize()} resigned in message {number + 1}, so {OTHER[side].capitalize()} wins")


def test_a_closing_message_has_no_orders_and_serve_leaves_it_to_its_owner(start: Start, tmp_path: Path) -> None:
    pair = start()
    good("open", pair.folder(AXIS), "--resign", "--yes")
    pair.deliver(AXIS)
    draft = pair.write("orders:\n  - {type: standing, topic: losses, rules: auto}\n")
    assert_clear(cli("sign", draft, "--yes"), "a closing message has no orders, `open` makes it", 1)
    (tmp_path / "inbox").mkdir()
    served = good("serve", pair.folder(ALLIED), "--inbox", tmp_path / "inbox", "--head", "3", "--once").out
    assert "end: resign" in served
    assert len((pair.folder(ALLIED) / "log.jsonl").read_bytes().splitlines()) == 4


def test_what_was_sealed_is_opened_at_the_end(start: Start) -> None:
    """Nothing of it is in the log before; without `private/books.json` the closing message can't be made."""
    pair = start()
    plain(pair, AXIS)
    wd = "western-desert" in good("status", pair.folder(ALLIED)).out
    topic = "losses" if wd else "cards"
    rules = "[{stack: any, never: 7 Arm X}]" if wd else "none"
    order = f"  - {{type: standing, topic: {topic}, sealed: yes, rules: {rules}}}"
    good("sign", pair.write(f"orders:\n{order}\n"), "--yes")
    pair.deliver(ALLIED)
    good("open", pair.folder(AXIS), "--resign", "--yes")
    pair.deliver(AXIS)
    books = pair.folder(ALLIED) / "private" / "books.json"
    away = books.rename(books.with_name("away.json"))
    assert_clear(cli("open", pair.folder(ALLIED)), "not kept here")
    away.rename(books)
    for side in (ALLIED, AXIS):
        good("open", pair.folder(side))
        pair.deliver(side)
    final = bodies(pair)[6]["final"]
    assert [one["topic"] for row in final["books"] for one in row["topics"]] == [topic]
    assert "everything allied sealed is opened" in flat(good("verify", pair.folder(AXIS)))
    closed(pair, "Axis resigned in message 5, so Allied wins")


# --- another key, another chain ---------------------------------------------------------------------------------


def bodies(pair: Pair) -> list[dict[str, Any]]:
    """The bodies of the log, the same in both folders."""
    logs = {(pair.folder(side) / "log.jsonl").read_bytes() for side in OTHER}
    assert len(logs) == 1
    return [json.loads(line)["body"] for line in logs.pop().splitlines()]


def test_a_new_key(start: Start) -> None:
    pair = start()
    folder = pair.folder(AXIS)
    old = (folder / "private" / "key").read_bytes()
    said = flat(good("new-key", folder))
    assert "message 3, brings it" in said and "from message 5 on" in said
    assert (folder / "private" / "next-key").stat().st_mode & 0o077 == 0 or os.name != "posix"
    assert (folder / "private" / "key").read_bytes() == old, "the old key signs until the message is out"
    assert "Your next message brings your new key." in good("status", folder).out
    assert_clear(cli("new-key", folder), "a new key waits there already", 1)
    assert "This message brings your new key" in flat(good("open", folder, "--yes"))
    told = "Message 3 names another signing key of Axis, who signs with it from message 5 on."
    assert told in flat(pair.deliver(AXIS))
    assert (folder / "private" / "key-until-0003").read_bytes() == old
    assert (folder / "private" / "key").read_bytes() != old
    assert not (folder / "private" / "next-key").exists()
    for side in (ALLIED, AXIS, ALLIED, AXIS):
        plain(pair, side)
    assert [seq for seq, body in enumerate(bodies(pair)) if "rekey" in body] == [3]
    assert "signs with another key, which signed its own coming" in flat(good("verify", folder))
    for side in OTHER:
        assert told in flat(good("status", pair.folder(side)))
        assert told in flat(good("report", pair.folder(side), 3)), "and not in another message's"
        assert told not in flat(good("report", pair.folder(side), 5))
        (row,) = good("status", pair.folder(side), "--json").json["renewed"]
        assert row == {"seq": 3, "side": AXIS, "what": "key"}
        audited = flat(good("audit", pair.folder(side)))
        assert "Messages that bring another key: 1 (message 3)" in audited
        assert "Messages that name a new chain: 0" in audited
    for side in OTHER:
        good("doctor", pair.folder(side))
    assert_clear(cli("new-key", folder, "--undo"), "can't be taken back", 1)


def test_a_crash_between_journal_and_new_key(start: Start) -> None:
    """The message is in the journal, the files are not in their places yet: the next command puts them there."""
    pair = start()
    folder = pair.folder(AXIS)
    private = folder / "private"
    good("new-key", folder)
    kept = {path.name: path.read_bytes() for path in private.glob("*key*")}
    good("open", folder, "--yes")
    new = (private / "key").read_bytes()
    for cut in ({"key", "next-key"}, {"next-key"}):
        for path in private.glob("*key*"):
            path.unlink()
        for name in cut:
            (private / name).write_bytes(kept[name])
        good("status", folder)
        assert (private / "key").read_bytes() == new and not (private / "next-key").exists()
    pair.deliver(AXIS)
    for side in (ALLIED, AXIS):
        plain(pair, side)


def test_a_new_key_of_one_who_keeps_his_elsewhere(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "game")
    good("keygen", tmp_path / "mine")
    good("new", "western-desert", "compass", pair.folder(AXIS), "--name", "A", "--key", tmp_path / "mine")
    good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
    good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
    before = (tmp_path / "mine").read_bytes()
    good("new-key", pair.folder(AXIS))
    for side in (AXIS, ALLIED, AXIS):
        plain(pair, side)
    assert (tmp_path / "mine").read_bytes() == before
    good("doctor", pair.folder(AXIS))


def test_a_new_chain(start: Start, tmp_path: Path) -> None:
    pair = start()
    folder = pair.folder(ALLIED)
    good("new-chain", folder)
    assert_clear(cli("new-chain", folder), "names a new chain already", 1)
    plain(pair, AXIS)
    (tmp_path / "inbox").mkdir()
    kit = cli("serve", folder, "--make-kit", "9", "-o", tmp_path / "kit")
    assert_clear(kit, "brings a new key or chain, which a kit", 1)
    assert "This message names your new chain" in flat(good("open", folder, "--yes"))
    told = "Message 4 names another chain of Allied, who opens dice from it from message 6 on."
    assert told in flat(pair.deliver(ALLIED))
    for side in (AXIS, ALLIED, AXIS, ALLIED, AXIS):
        plain(pair, side)
    log = bodies(pair)
    assert [seq for seq, body in enumerate(log) if "reanchor" in body] == [4]
    assert [log[seq]["link"] for seq in (2, 4, 6, 8)] == ["1", "2", "1", "2"]
    good("verify", folder)
    good("doctor", folder)
    (folder / "private" / "verified.json").unlink()
    for side in OTHER:
        assert told in flat(good("status", pair.folder(side))) and told in flat(good("report", pair.folder(side), 4))
        assert "Messages that name a new chain: 1 (message 4)" in flat(good("audit", pair.folder(side)))


def test_what_waits_can_be_dropped(start: Start) -> None:
    pair = start()
    before = tree_of(pair.folder(AXIS) / "private")
    for command in ("new-key", "new-chain"):
        good(command, pair.folder(AXIS))
        good(command, pair.folder(AXIS), "--undo")
        assert_clear(cli(command, pair.folder(AXIS), "--undo"), "waits here", 1)
    after = tree_of(pair.folder(AXIS) / "private")
    assert {name: data for name, data in after.items() if "verified" not in name} == {
        name: data for name, data in before.items() if "verified" not in name
    }
    good("open", pair.folder(AXIS), "--resign", "--yes")
    assert_clear(cli("new-key", pair.folder(AXIS)), "the game is over: Axis resigned", 1)


# --- a lost chain -----------------------------------------------------------------------------------------------


def lose(pair: Pair) -> Result:
    """Message 3 stands, Allied has seen its dice, and then his secret is gone."""
    plain(pair, AXIS)
    good("status", pair.folder(ALLIED))
    assert_clear(cli("lost", pair.folder(ALLIED), "--yes"), "your secret is here and opens the dice of message 3", 1)
    (pair.folder(ALLIED) / "private" / "secret.yaml").unlink()
    assert_clear(cli("open", pair.folder(ALLIED), "--yes"), "secret", 2)
    no = cli("lost", pair.folder(ALLIED), answer="n\n")
    assert no.code == 1 and "can't be told from a cheat" in flat(no)
    return good("lost", pair.folder(ALLIED), "--yes")


@pytest.mark.parametrize("begun", ["shifting-sands"], indirect=True)
def test_a_hand_is_lost_with_its_secret(start: Start) -> None:
    """Nobody can open the cards any more; what is left is to resign (PROTOCOL 6)."""
    pair = start()
    plain(pair, AXIS)
    (pair.folder(ALLIED) / "private" / "secret.yaml").unlink()
    before = tree_of(pair.folder(ALLIED))
    assert_clear(cli("lost", pair.folder(ALLIED), "--yes"), "this game has decks, and the hand is lost", 1)
    assert tree_of(pair.folder(ALLIED)) == before


@NO_DECKS
def test_a_lost_chain_allowed(start: Start) -> None:
    pair = start()
    assert "Signed: message 4" in lose(pair).out
    told = flat(pair.deliver(ALLIED))
    assert "Allied says in message 4 that his chain is lost: the dice of message 3 can't be opened." in told
    assert_clear(cli("open", pair.folder(AXIS), "--yes"), "say --allow-lost with your orders of message 3 anew", 1)
    assert_clear(cli("open", pair.folder(AXIS), "--allow-lost", "--claim", "--yes"), "choose --allow-lost or", 1)
    good("report", pair.folder(AXIS), "3")
    draft = pair.folder(AXIS) / "anew.yaml"
    draft.write_text(BARE, encoding="utf-8")
    assert "Your message 3 counts as never resolved" in flat(good("sign", draft, "--allow-lost", "--yes"))
    pair.deliver(AXIS)
    for side in (ALLIED, AXIS, ALLIED, AXIS):
        plain(pair, side)
    log = bodies(pair)
    assert [seq for seq, body in enumerate(log) if "lost" in body or "allow_lost" in body] == [4, 5]
    assert [log[seq]["link"] for seq in (6, 8)] == ["1", "2"]
    for side in OTHER:
        for command in ("status", "verify", "audit", "doctor", "report"):
            good(command, pair.folder(side))
    assert "It has no dice: " in flat(good("report", pair.folder(AXIS), "3"))
    assert "says that the chain of his numbers is lost" in flat(good("report", pair.folder(AXIS), "4"))
    plain(pair, ALLIED)
    (pair.folder(AXIS) / "private" / "secret.yaml").unlink()
    assert_clear(cli("open", pair.folder(AXIS), "--allow-lost", "--yes"), "tells of no lost chain", 1)


@NO_DECKS
def test_a_lost_chain_claimed(start: Start) -> None:
    pair = start()
    lose(pair)
    pair.deliver(ALLIED)
    assert "You close the game, because Allied can't open" in flat(good("open", pair.folder(AXIS), "--claim", "--yes"))
    pair.deliver(AXIS)
    closed(pair, "Axis closed it with message 5, because Allied had lost its chain")


@NO_DECKS
def test_a_crash_between_journal_and_new_secret(start: Start) -> None:
    pair = start()
    lose(pair)
    private = pair.folder(ALLIED) / "private"
    fresh = (private / "secret.yaml").read_bytes()
    (private / "secret.yaml").rename(private / "next-secret.yaml")
    good("status", pair.folder(ALLIED))
    assert (private / "secret.yaml").read_bytes() == fresh
    assert_clear(cli("lost", pair.folder(ALLIED), "--yes"), "your secret is here", 1)


@NO_DECKS
def test_a_game_comes_back_after_another_key_and_a_lost_chain(start: Start, tmp_path: Path) -> None:
    """The words are those of the secret and the key in force."""
    pair = start()
    lose(pair)
    pair.deliver(ALLIED)
    good("open", pair.folder(AXIS), "--allow-lost", "--yes")
    pair.deliver(AXIS)
    good("new-key", pair.folder(ALLIED))
    for side in (ALLIED, AXIS):
        plain(pair, side)
    (tmp_path / "words.txt").write_text(good("doctor", pair.folder(ALLIED), "--words").out, encoding="utf-8")
    good("head", pair.folder(AXIS))
    statement = next((pair.folder(AXIS) / "outbox").glob("*-head-*"))
    old = next((pair.folder(ALLIED) / "private").glob("key-until-*[0-9]")).read_bytes()
    shutil.rmtree(pair.folder(ALLIED))
    (pair.folder(ALLIED) / "private").mkdir(parents=True)
    (pair.folder(ALLIED) / "private" / "key").write_bytes(old)  # an old backup
    words = ("--head", statement, "--words", tmp_path / "words.txt")
    good("import", pair.folder(ALLIED), pair.folder(AXIS) / "log.jsonl", *words)
    for side in (ALLIED, AXIS):
        plain(pair, side)
    good("verify", pair.folder(AXIS))
