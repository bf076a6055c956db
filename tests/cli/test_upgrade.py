"""Games whose players agree to other rules in their course, from end to end by the command line (PROTOCOL 7)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import chance
from adjudicator.match.match import Match
from adjudicator.match.rulesets import RulesError
from adjudicator.match.serving import hindrance
from adjudicator.match.upgrading import must_fit
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_turn
from tests.cli.conftest import ALLIED, AXIS, cli, good
from tests.cli.test_bad_turns import assert_clear
from tests.cli.upgrades import OTHER, OVERLAY, SS, STANDING, SWITCH, WD, Players, begin, two_versions

KINDS = ("overlay", "switch", "version")
TOLD = {
    (WD, "overlay"): "counters br-7rt: attack 2 -> 4",
    (SS, "overlay"): "counters br-7-arm: cf_full 3 -> 4",
    (WD, "switch"): "house rule exchange_basis: as printed -> modified",
    (SS, "switch"): "house rule tables_fire: as printed -> btb",
    (WD, "version"): "version of the rules: 1 -> 2",
    (SS, "version"): "version of the rules: 1 -> 2",
}
Start = Callable[[], Players]


@pytest.fixture(scope="module", params=(WD, SS))
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def begun(system: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each system in which something has happened: message 5 is due."""
    players = begin(tmp_path_factory.mktemp("upgrade") / "game", system, f"upgrade {system}")
    with chance.fixed(f"played {system}"):
        players.on(2)
    return players.pair.root


@pytest.fixture
def start(begun: Path, tmp_path: Path) -> Iterator[Start]:
    """A copy of it, with the same dice in every run."""
    from tests.cli.conftest import Pair

    with chance.fixed("upgrade"):
        yield lambda: Players(Pair(Path(shutil.copytree(begun, tmp_path / "game"))), "upgrade")


def options(kind: str, system: str, root: Path) -> tuple[object, ...]:
    """What a player types to make rules of a kind ready."""
    if kind == "switch":
        return "--switch", SWITCH[system]
    if kind == "version":
        return "--rules-version", 2
    path = root / "mine.yaml"
    path.write_text(OVERLAY[system], encoding="utf-8")
    return "--overlay", path


def flat(text: str) -> str:
    """A text without line ends."""
    return " ".join(text.split())


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_over_each_kind_of_upgrade(kind: str, system: str, start: Start, tmp_path: Path) -> None:
    players = start()
    with two_versions(system):
        before = players.rules(1)
        side = players.next_side
        made = players.make(side, *options(kind, system, tmp_path)).out
        assert TOLD[system, kind] in made and "Made ready: rules" in made
        offered = flat(players.sign("--offer-upgrade").out)
        assert "You offer other rules, from message 7 on" in offered and TOLD[system, kind] in offered
        assert "Mail this file:" in offered and "and with it" in offered and "-rules.json" in offered
        other = OTHER[side]
        if kind != "version":  # what a program of the same versions can't know by itself
            said = flat(good("status", players.folder(other)).out)
            assert "offers other rules from message 7 on in message 5" in said and "--take FILE" in said
            refused = cli("open", players.folder(other), "--accept-upgrade", "--yes")
            assert_clear(refused, "are not in this folder.*upgrade .* --take FILE", 2)
            assert TOLD[system, kind] in players.hand_over(side).out
        assert TOLD[system, kind] in good("status", players.folder(other)).out
        accepted = flat(players.sign("--accept-upgrade").out)
        assert "You accept other rules, from message 7 on" in accepted and TOLD[system, kind] in accepted
        players.on(8)
        players.same()
        after = players.rules(7)
        assert [players.rules(seq) for seq in (5, 6, 7, 8, players.head)] == [before, before, after, after, after]
        assert after != before
        dice = _played_until_a_roll_after(players, 7)
        assert min(dice) < 7 <= max(dice), "dice were rolled by both rules"
        _told_everywhere(players, side, TOLD[system, kind])


def _played_until_a_roll_after(players: Players, seq: int) -> list[int]:
    """The messages that dice were rolled for, once one of them is ``seq`` or later; a few rounds may go by without."""
    for _ in range(12):
        dice = players.dice()
        if max(dice) >= seq:
            break
        players.on(2)
    return dice


def _told_everywhere(players: Players, side: str, change: str) -> None:
    """Report, explain, audit, upgrade, status and dispute know of the change."""
    folder = players.folder(side)
    assert change in good("report", folder, "7").out and change not in good("report", folder, "8").out
    assert "agreed in messages" not in good("report", folder, "6").out
    assert "offered in message 5 and accepted in message 6" in flat(good("report", folder, "7").out)
    good("explain", "7", "--game", folder)
    good("explain", str(players.head - 1), "--game", folder)
    listed = good("upgrade", folder).out
    assert "From the beginning: rules" in listed and "From message 7 on: rules" in listed and change in listed
    tree = good("upgrade", folder, "--json").json
    assert [row["from"] for row in tree["rules"]] == [0, 7] and tree["ready"] is None
    assert good("status", folder, "--json").json["rules"] == tree["rules"][1]["rules"]
    assert "Messages that agree to other rules: 1 (message 6)" in good("audit", folder).out
    for seq, rules in ((6, tree["rules"][0]), (7, tree["rules"][1])):
        file = Path(good("dispute", folder, seq, "--json").json["file"])
        bundle = json.loads(file.read_text(encoding="utf-8"))
        assert bundle["rules"] == rules["rules"] and bundle["versions"]["rules"] == str(rules["version"])


def test_version_2_holds_from_its_message_on_and_never_before(start: Start, system: str) -> None:
    """One order, sent under both versions: taken in by the first, void by the second."""
    players = start()
    with two_versions(system):
        text = json.dumps({"orders": [STANDING[system]]})
        players.sign(text=text)
        first = players.agree("--rules-version", 2)
        assert _kinds(players, 5) == ["standing"]
        while players.head < first - 1:
            players.sign(text="orders: []\n")
        folder = players.folder(players.next_side)
        path = folder / "orders.yaml"
        path.write_text(text, encoding="utf-8")
        assert_clear(cli("check", path), "version 2 has no standing orders on losses", 1)
        _force(players, [STANDING[system]])
        players.sign(text="orders: []\n")
        assert "version_2" in json.dumps(Match.load(folder, still=True).events(first))
        players.same()
    found = cli("verify", players.folder(AXIS))
    assert_clear(found, "version 2|are not in this folder", 1)


def _kinds(players: Players, seq: int) -> list[str]:
    events = Match.load(players.folder(AXIS), still=True).events(seq)
    assert events is not None
    return [event["kind"] for event in events if event["kind"] in ("standing", "void", "rules", "rules-later")]


def _force(players: Players, orders: list[Any], rules: str = "") -> Path:
    """A message that no honest program would sign: with these orders, or under other rules. Sent and taken in where
    it keeps the rules."""
    side = players.next_side
    match = Match.load(players.folder(side))
    match.look()
    from adjudicator.match.draft import Draft
    from adjudicator.match.preview import CheckResult
    from adjudicator.protocol.compose import compose_body

    assert isinstance(match.check(Draft()), CheckResult)
    body = compose_body(match.verifier, side, match.secret(), orders, chance.random(32))
    message = sign_body({**body, **({"rules": rules} if rules else {})}, match.key())
    path = players.pair.root / "forced.turn"
    path.write_bytes(write_turn(message))
    if not rules:
        match.seal(message)
        players.pair.deliver(side)
    return path


def test_the_wrong_hash_is_e_rules_on_both_sides_of_the_upgrade(start: Start, system: str) -> None:
    players = start()
    before = players.rules(1)
    first = players.agree("--switch", SWITCH[system], first=players.head + 5)
    after = Match.load(players.folder(AXIS), still=True).verifier.history.upgrades[0][1]
    while players.head < first + 1:
        seq, side = players.head + 1, players.next_side
        wrong = after if seq < first else before
        path = _force(players, [], wrong)
        assert_clear(cli("receive", players.folder(OTHER[side]), path), "E_RULES", 1)
        players.sign(text="orders: []\n")
    assert [players.rules(seq) for seq in (first - 1, first)] == [before, after]
    players.same()


def test_an_offer_lapses_and_can_be_made_again(start: Start, system: str) -> None:
    players = start()
    side, head = players.next_side, players.head
    players.make(side, "--switch", SWITCH[system])
    players.sign("--offer-upgrade", text="orders: []\n")
    players.hand_over(side)
    lapsed = flat(players.sign(text="orders: []\n").out)
    assert f"The rules offered in message {head + 1} were not accepted in message {head + 2}: the offer has" in lapsed
    assert "has lapsed" in flat(good("status", players.folder(side)).out)
    players.sign(text="orders: []\n")
    late = cli("open", players.folder(OTHER[side]), "--accept-upgrade", "--yes")
    assert_clear(late, f"message {players.head} offers no other rules, so there are none to accept", 1)
    players.sign(text="orders: []\n")
    again = players.head + 1
    players.sign("--offer-upgrade", text="orders: []\n")
    players.sign("--accept-upgrade", text="orders: []\n")
    players.sign(text="orders: []\n")
    assert players.rules(again + 1) != players.rules(again + 2)
    players.same()


def test_too_late_by_one_message(start: Start, system: str) -> None:
    """The offerer himself can't accept, and the pair again is an offer of its own, not an acceptance."""
    players = start()
    side = players.next_side
    players.make(side, "--switch", SWITCH[system])
    players.sign("--offer-upgrade", text="orders: []\n")
    players.sign(text="orders: []\n")
    refused = cli("open", players.folder(side), "--accept-upgrade", "--yes")
    assert_clear(refused, f"that of message {players.head - 1} has lapsed, it held for message {players.head} only", 1)


def test_what_is_refused_before_anything_is_signed(start: Start, system: str, tmp_path: Path) -> None:
    players = start()
    side = players.next_side
    folder, root = players.folder(side), tmp_path
    none = cli("open", folder, "--offer-upgrade", "--yes")
    assert_clear(none, "no other rules are made ready; say which with `adjudicator upgrade", 1)
    assert_clear(cli("upgrade", folder, "--switch", "nonsense=1"), "there is no switch nonsense", 1)
    assert_clear(cli("upgrade", folder, "--switch", "nonsense="), "nonsense is not in use; there is nothing to drop", 1)
    assert_clear(cli("upgrade", folder, "--no-overlay"), "nothing would change", 1)
    assert_clear(cli("upgrade", folder, "--rules-version", 2), f"version 2 of the rules of {system}.*version 1", 1)
    assert_clear(cli("upgrade", folder, "--undo"), "nothing to drop", 1)
    assert_clear(cli("upgrade", folder, "--undo", "--no-overlay"), "one at a time", 2)
    (root / "bad.json").write_text("{}", encoding="utf-8")
    assert_clear(cli("upgrade", folder, "--take", root / "bad.json"), "no rules file", 1)
    part = "counters" if system == WD else "units"
    unit = "br-7rt" if system == WD else "br-7-arm"
    (root / "less.yaml").write_text(f"overlay: {system}\n{part}:\n- {{id: {unit}, remove: yes}}\n", encoding="utf-8")
    less = cli("upgrade", folder, "--overlay", root / "less.yaml")
    assert less.code == 1 and "error[" in less.err, less.all
    _without(players.folder(side), unit)
    players.make(side, "--switch", SWITCH[system])
    early = cli("open", folder, "--offer-upgrade", "--upgrade-from", players.head + 2, "--yes")
    assert_clear(early, f"new rules can begin with message {players.head + 3} at the earliest", 1)
    assert_clear(cli("open", folder, "--upgrade-from", 30, "--yes"), "--upgrade-from goes with --offer-upgrade", 2)
    both = cli("open", folder, "--offer-upgrade", "--accept-upgrade", "--yes")
    assert_clear(both, "exclude each other", 2)
    good("upgrade", folder, "--undo")
    assert cli("open", folder, "--offer-upgrade", "--yes").code == 1
    assert players.head == 4


def _without(folder: Path, unit: str) -> None:
    """Data of another version that lack a unit of this game are refused, whatever else they are."""
    match = Match.load(folder, still=True)
    now = match.rules_at(5)
    tree = {**now.pack.tree, "counters": [row for row in now.pack.tree["counters"] if row["id"] != unit]}
    with pytest.raises(RulesError, match=f"the new data lack what this game has.*counters {unit}"):
        must_fit(match, replace(now, pack=replace(now.pack, tree=tree, data=b""), overlay="other"), 7)


def test_twice_and_back_again(start: Start, system: str, tmp_path: Path) -> None:
    """Corrected data, then a house rule as well, then the rules of genesis again."""
    players = start()
    genesis = players.rules(1)
    one = players.agree(*options("overlay", system, tmp_path))
    players.on(2)
    two = players.agree("--switch", SWITCH[system])
    name = SWITCH[system].partition("=")[0]
    players.on(1)
    three = players.agree("--no-overlay", "--switch", f"{name}=")
    players.on(2)
    hashes = [players.rules(seq) for seq in (one - 1, one, two, three)]
    assert len(set(hashes)) == 3 and hashes[0] == hashes[3] == genesis
    rows = good("upgrade", players.folder(AXIS), "--json").json["rules"]
    assert [row["from"] for row in rows] == [0, one, two, three]
    players.same()


def test_what_can_be_made_again_is_made_again(start: Start, system: str, tmp_path: Path) -> None:
    """Cache and state gone before, at and after the change: the same digests, and the same bytes of every message."""
    players = start()
    players.agree(*options("overlay", system, tmp_path))
    for side in (AXIS, ALLIED):
        players.sign()
        cached = players.digests(side)
        players.forget(side)
        assert players.digests(side) == cached
    folder = players.folder(AXIS)
    own = list(range(1, players.head + 1, 2))
    files = {seq: next((folder / "outbox").glob(f"*-{seq:04d}-*.turn")) for seq in own}
    bytes_of = {seq: path.read_bytes() for seq, path in files.items()}
    for path in (folder / "outbox").glob("*"):
        path.unlink()
    for seq in own:
        good("resend", folder, seq)
        assert files[seq].read_bytes() == bytes_of[seq]
    (folder / "log.jsonl").unlink()  # a crash between journal and log
    shutil.rmtree(folder / "state")
    (folder / "private" / "verified.json").unlink()
    good("status", folder)
    players.same()


def test_the_rules_file_is_written_again_with_its_offer(start: Start, system: str) -> None:
    players = start()
    side = players.next_side
    players.make(side, "--switch", SWITCH[system])
    players.sign("--offer-upgrade", text="orders: []\n")
    waits = hindrance(Match.load(players.folder(OTHER[side]), still=True))
    assert waits.startswith("message 5 offers other rules from message 7 on"), "`serve` decides nothing"
    (path,) = (players.folder(side) / "outbox").glob("*-rules.json")
    data = path.read_bytes()
    path.unlink()
    assert str(path) in flat(good("resend", players.folder(side)).out)
    assert path.read_bytes() == data


def test_rules_that_are_gone_or_others(start: Start, system: str, tmp_path: Path) -> None:
    """Without its file no command plays on by other rules; a file with other contents is told from the right one."""
    players = start()
    first = players.agree(*options("overlay", system, tmp_path))
    while players.head < first:
        players.sign(text="orders: []\n")
    players.sign(text="orders: []\n")
    folder = players.folder(ALLIED)
    (path,) = (folder / "rules").glob("*.json")
    kept = path.read_bytes()
    path.unlink()
    for command in ("status", "verify", "audit", "doctor"):
        assert "are not in this folder" in cli(command, folder).all, command
    path.write_bytes(kept.replace(b": 4}", b": 5}"))
    assert "bring the right file back" in cli("verify", folder).all
    players.forget(ALLIED)
    assert "bring the right file back" in cli("status", folder).all
    (tmp_path / "kept.json").write_bytes(kept)
    assert "Taken in as" in good("upgrade", folder, "--take", tmp_path / "kept.json").out
    assert path.read_bytes() == kept
    good("status", folder)
    players.same()


def test_a_game_brought_back_from_the_other_side(start: Start, system: str, tmp_path: Path) -> None:
    players = start()
    first = players.agree(*options("overlay", system, tmp_path))
    while players.head < first + 1:
        players.sign()
    folder, giver = players.folder(AXIS), players.folder(ALLIED)
    good("head", giver)
    statement = next((giver / "outbox").glob("*head*"))
    for name in ("log.jsonl", "private/journal.jsonl", "private/verified.json"):
        (folder / name).unlink()
    shutil.rmtree(folder / "state")
    good("import", folder, giver / "log.jsonl", "--head", statement)
    if players.next_side == ALLIED:
        players.sign()
    players.sign()
    players.same()


def test_a_version_that_the_program_has_not(system: str, tmp_path: Path) -> None:
    with two_versions(system), chance.fixed("newer"):
        words = ("--name", "Alice", "--title", "Newer")
        good("new", system, {WD: "compass", SS: "campaign"}[system], tmp_path / "axis", *words)
    offer = tmp_path / "axis" / "outbox" / "offer.turn"
    refused = cli("accept", offer, tmp_path / "allied", "--name", "Bob")
    assert_clear(refused, f"begun under version 2 of the rules of {system}, this program has version 1; use", 2)
    with two_versions(system), chance.fixed("newer still"):
        good("accept", offer, tmp_path / "allied", "--name", "Bob")
