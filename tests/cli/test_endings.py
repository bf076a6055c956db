"""Giving up, agreeing to a draw and closing the log, through two folders of either game."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.cli import chance
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good, tree_of
from tests.cli.test_bad_turns import assert_clear

GAMES = {"western-desert": "compass", "shifting-sands": "campaign"}
OTHER = {AXIS: ALLIED, ALLIED: AXIS}
BARE = "orders: []\n"
Start = Callable[[], Pair]


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
