"""Wrong files, folders, turns and games for every command: one clear line with a mend, and nothing changed."""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.files import lock
from tests.cli.conftest import ALLIED, AXIS, Pair, begin, cli, good, set_up, tree_of
from tests.cli.test_bad_turns import assert_clear

Stage = Callable[[str], Pair]


def unchanged(pair: Pair, before: dict[str, bytes]) -> None:
    """Nothing changed but that a refused file was kept."""
    after = {name: data for name, data in tree_of(pair.root).items() if "/kept/" not in name}
    assert after == before


# --- mail -------------------------------------------------------------------------------------------------------


@pytest.fixture
def fresh(stage: Stage) -> tuple[Pair, Path, dict[str, bytes]]:
    """A game with a signed message 4 that the Axis player has not taken in yet."""
    pair = stage("movement")
    good("sign", pair.orders("1-movement.yaml"), "--yes")
    return pair, pair.newest(ALLIED), tree_of(pair.root)


def edited(file: Path, old: str, new: str) -> Path:
    """A copy of a mailed file with one text changed."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    path = file.with_name("edited.turn")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


CHANGES = {
    "an order": ("19/0626", "19/0625", "E_SIG"),
    "the note's place": ("br-7-sg", "br-7-arm-b", "E_SIG"),
    "the signature": ("AAAAB", "AAAAC", "E_SIG"),
    "a stray field": ("\n  seq:", "\n  bonus: yes\n  seq:", "E_FIELD"),
    "the game": ("\n  game: ", "\n  game: 00000000", "E_FIELD|E_GAME"),
    "the sequence": ("\n  seq: 4", "\n  seq: four", "E_FIELD"),
    "the protocol": ('pbem: "1"', 'pbem: "2"', "E_VERSION"),
    "the side": ("\n  side: allied", "\n  side: axis", "E_AUTHOR"),
    "the frame": ("\nsig: |", "\nseal: |", "E_CANON"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_mailed_file_that_was_changed(name: str, fresh: tuple[Pair, Path, dict[str, bytes]]) -> None:
    pair, file, before = fresh
    old, new, code = CHANGES[name]
    text = file.read_text(encoding="utf-8")
    if old not in text and name == "the protocol":
        old, new = "pbem: 1", "pbem: 2"
    bad = edited(file, old, new)
    before[bad.relative_to(pair.root).as_posix()] = bad.read_bytes()
    result = cli("receive", pair.folder(AXIS), bad)
    assert_clear(result, code, 1)
    unchanged(pair, before)
    assert good("receive", pair.folder(AXIS), file).out.startswith("Message 4 of Allied accepted")


def test_receive_refuses_what_is_no_mail(movement: Pair, tmp_path: Path) -> None:
    before = tree_of(movement.root)
    axis = movement.folder(AXIS)
    offer = axis / "outbox" / "offer.turn"
    files = {
        "unsigned.yaml": (b"orders: []\n", "orders that nobody has signed; `sign`"),
        "binary.turn": (b"\x00" * 50, "binary"),
        "empty.turn": (b"", "empty"),
        "big.turn": (b"body:\n" + b"  a: b\n" * 60_000, "262,144"),
        "huge.turn": (b"x" * (5 * 1024 * 1024), "more than"),
        "offer.turn": (offer.read_bytes(), "this is an offer; take it up with `accept"),
        "half.txt": (b"-----BEGIN PBEM TURN-----\nAAAA\n", "cut off"),
        "hurt.txt": (b"-----BEGIN PBEM TURN-----\nA*A\n-----END PBEM TURN-----\n", "damaged"),
        "page.html": (b"<html><body>hello</body></html>", "no turn in this text"),
    }
    for name, (data, pattern) in files.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert_clear(cli("receive", axis, path), pattern)
    assert_clear(cli("receive", axis, tmp_path), "folder")
    assert_clear(cli("receive", axis, tmp_path / "gone.turn"), "no such file", 2)
    assert tree_of(movement.root) == before


def test_accept_tells_orders_from_an_offer_in_one_line(movement: Pair, tmp_path: Path) -> None:
    result = cli("accept", movement.orders("1-movement.yaml"), tmp_path / "game", "--name", "Bob")
    assert_clear(result, "orders that nobody has signed; `accept` takes up an offer, the file that `new` makes", 1)
    assert len(result.err.splitlines()) == 1
    assert not (tmp_path / "game").exists()


def test_a_message_of_another_game(stage: Stage, tmp_path: Path) -> None:
    pair = stage("movement")
    other = begin(tmp_path / "other")
    set_up(other)
    before = tree_of(pair.root)
    assert_clear(cli("receive", pair.folder(AXIS), other.newest(ALLIED)), "E_GAME", 1)
    unchanged(pair, before)
    assert list((pair.folder(AXIS) / "kept").iterdir())


def test_the_same_again_changes_nothing(movement: Pair) -> None:
    allied = movement.folder(ALLIED)
    before = tree_of(movement.root)
    for seq in (1, 3):
        (file,) = (movement.folder(AXIS) / "outbox").glob(f"*-{seq:04d}-*.turn")
        result = good("receive", allied, file)
        assert "note[DUPLICATE]" in result.out
        assert good("receive", allied, file, "--json").json["verdict"] == "DUPLICATE"
    own = movement.newest(ALLIED)
    assert "DUPLICATE" in good("receive", allied, own).out
    assert tree_of(movement.root) == before


def test_a_gap_is_kept_and_nothing_is_signed_into_it(stage: Stage) -> None:
    """Message 3 answers a message 2 that this folder does not know: it was signed elsewhere."""
    pair = stage("genesis")
    ahead = Pair(Path(shutil.copytree(pair.root, pair.root.with_name("ahead"))))
    set_up(ahead)
    allied = pair.folder(ALLIED)
    first, third = ((next((ahead.folder(AXIS) / "outbox").glob(f"*-{n:04d}-*"))) for n in (1, 3))
    assert "note[E_GAP]" in good("receive", allied, third).out
    assert "Message 3 is here already, but one before it is missing" in good("status", allied).out
    good("receive", allied, first)
    before = (allied / "log.jsonl").read_bytes()
    assert_clear(cli("open", allied, "--yes"), "message 2 was signed elsewhere", 2)
    assert (allied / "log.jsonl").read_bytes() == before
    own = next((ahead.folder(ALLIED) / "outbox").glob("*-0002-*"))
    taken = good("receive", allied, own)
    assert "Message 2 of Allied accepted" in taken.out
    assert "you owe message 4" in taken.out, "what waited is taken in"
    assert (allied / "log.jsonl").read_bytes() == (ahead.folder(ALLIED) / "log.jsonl").read_bytes()


def test_a_second_signed_version_is_kept_as_proof(fresh: tuple[Pair, Path, dict[str, bytes]]) -> None:
    pair, file, _ = fresh
    good("receive", pair.folder(AXIS), file)
    twin = Pair(Path(shutil.copytree(pair.root, pair.root.with_name("twin"))))
    for name in ("log.jsonl",):
        lines = (twin.folder(ALLIED) / name).read_bytes().splitlines(keepends=True)[:4]
        (twin.folder(ALLIED) / name).write_bytes(b"".join(lines))
    shutil.rmtree(twin.folder(ALLIED) / "outbox")
    (twin.folder(ALLIED) / "private" / "verified.json").unlink()
    journal = twin.folder(ALLIED) / "private" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:4]))
    good("open", twin.folder(ALLIED), "--yes")
    before = tree_of(pair.root)
    result = cli("receive", pair.folder(AXIS), twin.newest(ALLIED))
    assert_clear(result, "E_FORK", 1)
    after = tree_of(pair.root)
    assert {name for name in after if after[name] != before.get(name)} <= {
        "axis/private/verified.json",
        *(name for name in after if name.startswith("axis/kept/")),
    }
    assert "two different signed messages 4" in good("status", pair.folder(AXIS)).out


def test_a_genesis_that_is_not_signed_by_its_player(stage: Stage, tmp_path: Path) -> None:
    good("new", "western-desert", "compass", tmp_path / "erin", "--name", "Erin")
    good("accept", tmp_path / "erin" / "outbox" / "offer.turn", tmp_path / "frank", "--name", "Frank")
    genesis = tmp_path / "frank" / "outbox" / "genesis.turn"
    bad = edited(genesis, "name: Frank", "name: Mallory")
    before = tree_of(tmp_path / "erin")
    assert_clear(cli("receive", tmp_path / "erin", bad), "E_SIG", 1)
    after = tree_of(tmp_path / "erin")
    assert {name: data for name, data in after.items() if not name.startswith("kept/")} == before
    good("receive", tmp_path / "erin", genesis)
    assert "DUPLICATE" in good("receive", tmp_path / "erin", genesis).out


def test_a_second_genesis_and_one_of_another_offer(stage: Stage, tmp_path: Path) -> None:
    pair = stage("genesis")
    offer = pair.folder(AXIS) / "outbox" / "offer.turn"
    good("accept", offer, tmp_path / "carol", "--name", "Carol")
    second = tmp_path / "carol" / "outbox" / "genesis.turn"
    before = tree_of(pair.root)
    assert_clear(cli("receive", pair.folder(AXIS), second), "E_FORK", 1)
    unchanged(pair, before)
    good("new", "western-desert", "compass", tmp_path / "dave", "--name", "Dave")
    assert_clear(cli("receive", tmp_path / "dave", second), "E_GAME", 1)
    assert_clear(cli("receive", pair.folder(ALLIED), second), "E_GAME|E_FORK|no offer", None)


# --- whose turn -------------------------------------------------------------------------------------------------


def test_it_is_not_your_turn(movement: Pair) -> None:
    good("sign", movement.orders("1-movement.yaml"), "--yes")
    again = movement.orders("1-movement.yaml")
    before = tree_of(movement.root)
    for words in (("sign", again, "--yes"), ("open", movement.folder(ALLIED), "--yes")):
        assert_clear(cli(*words), "not your turn: message 5 is Axis's", 1)
    late = cli("check", again)
    assert "warning[turn]: message 5 of axis comes first" in late.out
    assert tree_of(movement.root) == before


def test_nobody_answers(movement: Pair) -> None:
    before = tree_of(movement.root)
    file = movement.orders("1-movement.yaml")
    before[file.relative_to(movement.root).as_posix()] = file.read_bytes()
    assert_clear(cli("sign", file), "nobody to answer", 2)
    assert_clear(cli("sign", file, answer="n\n"), "not signed", 1)
    assert_clear(cli("open", movement.folder(ALLIED), answer="no\n"), "not signed", 1)
    assert tree_of(movement.root) == before
    good("sign", file, answer="yes\n")


# --- folders ----------------------------------------------------------------------------------------------------

COMMANDS = ("status", "report", "template", "open", "resend")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_game_folder(command: str, tmp_path: Path) -> None:
    assert_clear(cli(command, tmp_path / "nowhere"), "no such folder", 2)
    assert_clear(cli(command, tmp_path), "no game folder", 2)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_lies_in_no_game(tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text("orders: []\n", encoding="utf-8")
    assert_clear(cli("check", file), "--game DIR", 2)
    assert_clear(cli("sign", file, "--game", tmp_path / "nowhere"), "no such folder", 2)


def test_a_folder_in_place_of_a_file(movement: Pair) -> None:
    allied = movement.folder(ALLIED)
    for command in ("check", "sign"):
        assert_clear(cli(command, allied / "outbox", "--game", allied), "this is a folder", 2)
        assert_clear(cli(command, allied / "gone.yaml", "--game", allied), "no such file", 2)


def damage(path: Path, data: bytes) -> None:
    """Write something else over a file of the folder."""
    path.chmod(0o600)
    path.write_bytes(data)


DAMAGE = {
    "game.yaml": (b"title: [\n", "game.yaml"),
    "log.jsonl": (b'{"body":', "torn"),
    "log.jsonl of nothing": (b"{}\n", "E_CANON"),
    "log.jsonl of another": (b'{"body":{"type":"tea"},"sig":""}\n', "no genesis"),
    "private/secret.yaml": (b"format: tea\n", "no secret file"),
    "private/key": (b"not a key\n", "no OpenSSH private key"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_files_of_the_folder(name: str, movement: Pair) -> None:
    data, pattern = DAMAGE[name]
    file = movement.orders("1-movement.yaml")
    path = movement.folder(ALLIED) / name.split(" ")[0]
    damage(path, data)
    before = tree_of(movement.root)
    assert_clear(cli("sign", file, "--yes"), pattern)
    assert tree_of(movement.root) == before


ANEW = "bring the file back from a copy, or write it anew: `side: SIDE`.*`key: private/key`"
ABOUT: dict[str, tuple[Callable[[str], str], str]] = {
    "cut in a line": (lambda text: text[: text.index("side") + 3], ANEW),
    "cut in a word": (lambda text: text[:3], ANEW),
    "empty": (lambda text: "", ANEW),
    "side half": (lambda text: text[: text.index("allied") + 3], "side is 'all'; write `side: allied`, whose secret"),
    "side cut off": (lambda text: text[: text.index("side")], "no `side` in it.*write `side: allied`, whose secret"),
    "side misspelt": (lambda text: text.replace("allied", "alied"), "side is 'alied'; write `side: allied`"),
}


@pytest.mark.parametrize("name", ABOUT)
def test_a_damaged_game_yaml_is_told_with_a_way_out(name: str, movement: Pair) -> None:
    change, pattern = ABOUT[name]
    path = movement.folder(ALLIED) / "game.yaml"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    for command in ("status", "open", "dispute"):
        assert_clear(cli(command, movement.folder(ALLIED)), pattern, 2)
    path.write_text("side: allied\nkey: private/key\n", encoding="utf-8")
    good("sign", movement.orders("1-movement.yaml"), "--yes")


def test_a_game_yaml_that_is_gone_and_a_side_that_was_changed(movement: Pair) -> None:
    path = movement.folder(ALLIED) / "game.yaml"
    text = path.read_text(encoding="utf-8")
    path.unlink()
    assert_clear(cli("status", movement.folder(ALLIED)), f"no such file, but the secrets.*{ANEW}", 2)
    path.write_text(text.replace("side: allied", "side: axis"), encoding="utf-8")
    assert "not that of axis in this game but of allied" in good("status", movement.folder(ALLIED)).out


@pytest.mark.parametrize("command", ["status", "dispute", "report", "doctor"])
def test_a_log_without_a_folder(command: str, movement: Pair, tmp_path: Path) -> None:
    """What reads it as it is, and what makes a folder of it that can look, is told; and that is so."""
    bare = tmp_path / "bare"
    bare.mkdir()
    log = Path(shutil.copy(movement.folder(ALLIED) / "log.jsonl", bare / "log.jsonl"))
    for place, pattern in ((log, "this is a file; name the folder"), (bare, "there is a log, but no game.yaml")):
        assert_clear(cli(command, place), f"{pattern}.*`verify` and `audit`.*a line `title: TITLE` is enough", 2)
    assert [path.name for path in bare.iterdir()] == ["log.jsonl"]
    good("verify", log, "--brief")
    good("audit", log)
    (bare / "game.yaml").write_text("title: Compass\n", encoding="utf-8")
    good(command, bare)


@pytest.mark.parametrize("name", ["private/secret.yaml", "private/key"])
def test_missing_secrets(name: str, movement: Pair) -> None:
    file = movement.orders("1-movement.yaml")
    (movement.folder(ALLIED) / name).unlink()
    before = tree_of(movement.root)
    assert_clear(cli("sign", file, "--yes"), re.escape(name.split("/")[1]))
    assert tree_of(movement.root) == before


@pytest.mark.parametrize("name", ["private/verified.json", "state/newest.json"])
def test_files_that_can_be_made_again_are(name: str, movement: Pair) -> None:
    path = movement.folder(ALLIED) / name
    damage(path, b"nonsense")
    assert "Dec I 40" in good("status", movement.folder(ALLIED)).out
    good("sign", movement.orders("1-movement.yaml"), "--yes")


def test_a_log_that_lost_its_end_is_mended_from_the_journal(stage: Stage) -> None:
    pair = stage("combat")
    log = pair.folder(ALLIED) / "log.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    (pair.folder(ALLIED) / "private" / "verified.json").unlink()
    good("status", pair.folder(ALLIED))
    assert log.read_bytes() == whole


def test_a_log_of_another_history_is_not_gone_on_with(stage: Stage) -> None:
    pair, other = stage("combat"), stage("movement")
    good("open", other.folder(ALLIED), "--yes")
    log = pair.folder(ALLIED) / "log.jsonl"
    log.write_bytes((other.folder(ALLIED) / "log.jsonl").read_bytes())
    (pair.folder(ALLIED) / "private" / "verified.json").unlink()
    before = tree_of(pair.root)
    for words in (("status", pair.folder(ALLIED)), ("open", pair.folder(ALLIED), "--yes")):
        assert_clear(cli(*words), "bring the newest log.jsonl back", 2)
    after = tree_of(pair.root)
    assert [name for name in before if after[name] != before[name] and "/state/" not in name] == []


def test_busy(movement: Pair) -> None:
    with lock(movement.folder(ALLIED) / "private"):
        assert_clear(cli("status", movement.folder(ALLIED)), "another adjudicator is working", 2)


def test_no_right_to_read(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    file = movement.orders("1-movement.yaml")
    real = Path.open

    def closed(self: Path, *words: Any, **more: Any) -> Any:
        if self == file:
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return real(self, *words, **more)

    monkeypatch.setattr(Path, "open", closed)
    assert_clear(cli("check", file), "permission denied; give yourself the right", 2)


def test_the_disk_is_full(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    file = movement.orders("1-movement.yaml")
    before = tree_of(movement.root)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert_clear(cli("sign", file, "--yes"), "no space left", 2)
    assert tree_of(movement.root) == before


# --- beginning --------------------------------------------------------------------------------------------------


def test_new_refuses(tmp_path: Path, movement: Pair) -> None:
    key = tmp_path / "key"
    good("keygen", key)
    folder = tmp_path / "game"
    base = ("new", "western-desert", "compass", folder, "--name", "Alice")
    cases: list[tuple[tuple[object, ...], str]] = [
        (("new", "eastern-desert", "compass", folder, "--name", "A"), "no game 'eastern-desert'"),
        (("new", "western-desert", "tobruk", folder, "--name", "A"), "no scenario tobruk"),
        (("new", "western-desert", "compass", folder, "--name", "  "), "--name is empty"),
        (("new", "western-desert", "compass", folder), "missing option '--name'"),
        (("new", "western-desert", "compass", movement.folder(AXIS), "--name", "A"), "a game in this folder already"),
        (("new", "western-desert", "compass", key, "--name", "A"), "this is a file"),
        ((*base, "--key", f"{key}.pub"), "public key"),
        ((*base, "--key", tmp_path / "no-key"), "no such file"),
        ((*base, "--switch", "tea"), "NAME=VALUE"),
        ((*base, "--switch", "tea=yes"), "no switch tea|unknown"),
        ((*base, "--title", "a\u200bb"), "U\\+200B|not allowed"),
    ]
    for words, pattern in cases:
        assert_clear(cli(*words), pattern)
        assert not folder.exists() or not any(path.is_file() for path in folder.rglob("*")), words


def test_keygen_never_overwrites(tmp_path: Path) -> None:
    good("keygen", tmp_path / "key")
    before = tree_of(tmp_path)
    assert_clear(cli("keygen", tmp_path / "key"), "never overwritten", 2)
    assert_clear(cli("keygen", tmp_path / "no" / "key"), "no such file", 2)
    assert tree_of(tmp_path) == before


def test_accept_refuses(stage: Stage, tmp_path: Path) -> None:
    pair = stage("genesis")
    offer = pair.folder(AXIS) / "outbox" / "offer.turn"
    genesis = pair.folder(ALLIED) / "outbox" / "genesis.turn"
    text = offer.read_text(encoding="utf-8")
    files = {
        "genesis": (genesis.read_text(encoding="utf-8"), "this is a genesis, not an offer; take it in with `receive"),
        "unsigned": ("orders: []\n", "orders that nobody has signed"),
        "half": (text[:200], "E_CANON|E_FIELD"),
        "version": (text.replace("version: 1", "version: 99"), "E_RULES|version 99"),
        "game": (text.replace("western-desert", "eastern-desert"), "E_RULES|no game"),
        "dice": (text.replace("dice: p2p", "dice: loaded"), "p2p or local"),
        "side": (text.replace("side: axis", "side: Axis"), "slug"),
    }
    for name, (data, pattern) in files.items():
        path = tmp_path / f"{name}.turn"
        path.write_text(data, encoding="utf-8")
        assert_clear(cli("accept", path, tmp_path / "bob", "--name", "Bob"), pattern)
        assert not (tmp_path / "bob").exists()
    assert_clear(cli("accept", tmp_path / "gone", tmp_path / "bob", "--name", "Bob"), "no such file", 2)
    assert_clear(cli("accept", offer, pair.folder(ALLIED), "--name", "Bob"), "a game in this folder already", 2)


def test_one_key_for_both_sides(tmp_path: Path) -> None:
    good("keygen", tmp_path / "key")
    good("new", "western-desert", "compass", tmp_path / "a", "--name", "A", "--key", tmp_path / "key")
    offer = tmp_path / "a" / "outbox" / "offer.turn"
    result = cli("accept", offer, tmp_path / "b", "--name", "B", "--key", tmp_path / "key")
    assert_clear(result, "E_KEY.*same key", 1)
    assert not (tmp_path / "b" / "log.jsonl").exists()


# --- the rest ---------------------------------------------------------------------------------------------------


def test_reports_that_are_not_there(stage: Stage) -> None:
    pair = stage("genesis")
    assert_clear(cli("report", pair.folder(ALLIED)), "no dice are open yet", 1)
    assert_clear(cli("export", "save", pair.folder(ALLIED), "-o", pair.root / "a.vsav"), "set up", 1)
    assert_clear(cli("resend", pair.folder(AXIS)), "signed no message", 1)
    pair = stage("movement")
    assert_clear(cli("report", pair.folder(AXIS), "3"), "dice of message 3 are not open yet", 1)
    assert_clear(cli("report", pair.folder(AXIS), "77"), "no message 77", 1)
    assert_clear(cli("report", pair.folder(AXIS), "--for", "tea"), "no such side", 2)
    assert_clear(cli("report", pair.folder(AXIS), "x"), "not a valid|integer", 2)
    assert_clear(cli("resend", pair.folder(AXIS), "2"), "message 2 is not yours", 1)


def test_results_that_cannot_be_written(movement: Pair) -> None:
    allied = movement.folder(ALLIED)
    taken = movement.write("note: mine\norders: []\n")
    assert_clear(cli("template", allied, "-o", taken), "--force", 2)
    assert taken.read_text(encoding="utf-8").startswith("note: mine")
    assert_clear(cli("template", allied, "-o", allied), "this is a folder", 2)
    assert_clear(cli("report", allied, "-o", allied), "this is a folder", 2)
    assert_clear(cli("export", "vmod", allied, "-o", allied), "this is a folder", 2)
    assert_clear(cli("export", "save", allied, "-o", allied / "no" / "a.vsav"), "no folder", 2)


def test_arguments() -> None:
    for words in (["teh"], ["check"], ["check", "a", "b"], ["check", "--fast", "a"], ["export"], ["pack", "show"]):
        assert_clear(cli(*words), "see `adjudicator", 2)
    assert_clear(cli("pack", "show", "eastern-desert"), "no data pack", 2)
    assert_clear(cli("pack", "check", "eastern-desert"), "no data pack", 2)
