"""What a computer does to a program: full disks, closed folders, signals, programs at once, folders that move away.

Nothing is lost, no message gets a second body, and every refusal is one clear line with exit code 1 or 2.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.cli import chance
from adjudicator.match.files import FolderBusy, lock, write_whole
from adjudicator.match.match import Match
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, good, tree_of
from tests.cli.strike import end, start, struck
from tests.cli.test_bad_turns import assert_clear
from tests.cli.test_crash_at_every_step import STEPS_AT_MOST, bodies, gone_on
from tests.cli.test_serve import inbox_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")

Stage = Callable[[str], Pair]
ROOT = Path(__file__).resolve().parents[2]


def told(path: Path, code: int) -> Result:
    """What a process came to that wrote into a file."""
    return Result(code, path.read_text(encoding="utf-8"), "")


# --- signals ----------------------------------------------------------------------------------------------------


def stop(number: int) -> Callable[[], None]:
    """A blow: this process gets a signal."""
    return lambda: os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def _signals_as_at_a_terminal() -> Iterator[None]:
    """Whoever runs the tests in the background has some of them ignored, and every process started here inherits it."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, how in before.items():
        signal.signal(number, how)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("command", ["open", "receive"])
def test_a_signal_at_every_step(name: str, command: str, stage: Stage, tmp_path: Path) -> None:
    """It ends with one line and 2, at whatever step it comes, and the same command goes on afterwards."""
    pair = stage("genesis")
    side, file = AXIS, tmp_path / "told"
    if command == "receive":
        good("open", pair.folder(AXIS), "--yes")
        side, file = ALLIED, tmp_path / "told"
    for at in range(1, STEPS_AT_MOST, 2):
        root = Path(shutil.copytree(pair.folder(side), tmp_path / f"struck-{at}"))
        words = ("open", root, "--yes") if command == "open" else ("receive", root, pair.newest(AXIS))
        code = struck(words, at, stop(getattr(signal, name)), file)
        if code == 0:
            assert at > 9
            return
        assert_clear(told(file, code), r"error\[stopped\]: the command was stopped; nothing is half done", 2)
        before = bodies(root)
        gone_on(root)
        cli(*words)
        assert Match.load(root).verifier.head == 1
        assert bodies(root)["1"] == before.get("1", bodies(root)["1"])
    raise AssertionError("it never ends")


def test_a_signal_that_is_ignored_stays_ignored(stage: Stage) -> None:
    """As under `nohup`: a program that goes on when its terminal is closed."""
    root = stage("genesis").folder(AXIS)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert struck(("open", root, "--yes"), 5, stop(signal.SIGHUP)) == 0
    assert Match.load(root).verifier.head == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_asks(number: int, movement: Pair) -> None:
    """A whole process from outside, which waits for an answer."""
    file, before = movement.orders("1-movement.yaml"), tree_of(movement.folder(ALLIED))
    command = [sys.executable, "-m", "adjudicator", "sign", str(file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        seen, until = b"", time.monotonic() + 60
        while b"[y/N]" not in seen and time.monotonic() < until:
            seen += process.stdout.read() or b""
            time.sleep(0.02)
        process.send_signal(number)
        code = process.wait(60)
        os.set_blocking(process.stdout.fileno(), True)
        seen += process.stdout.read()
    assert_clear(Result(code, seen.decode(), ""), r"error\[stopped\]", 2)
    after = tree_of(movement.folder(ALLIED))
    assert {name for name in after if after[name] != before.get(name)} <= {"private/verified.json", "private/lock"}
    good("sign", file, "--yes")


# --- full and closed disks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_is_full_from_some_step_on(code: int, stage: Stage, tmp_path: Path) -> None:
    """Whatever could still be written: one clear line, and when there is room again the same command goes on."""
    pair = stage("genesis")
    for at in range(1, STEPS_AT_MOST, 3):
        root = Path(shutil.copytree(pair.folder(AXIS), tmp_path / f"full-{at}"))
        with pytest.MonkeyPatch.context() as patch:
            full = _full_from(patch, at, code)
            result = cli("open", root, "--yes")
        if not full:
            assert result.code == 0 and at > 9
            return
        assert_clear(result, os.strerror(code).lower(), 2)
        before = bodies(root)
        gone_on(root)
        with chance.fixed("later"):
            cli("open", root, "--yes")
        assert Match.load(root).verifier.head == 1
        assert bodies(root)["1"] == before.get("1", bodies(root)["1"])
    raise AssertionError("it never ends")


def _full_from(patch: pytest.MonkeyPatch, at: int, code: int) -> list[int]:
    """From its sync number ``at`` on the disk takes nothing more; the list is filled when that was met."""
    calls, met, real = [0], list[int](), os.fsync

    def fsync(handle: int) -> None:
        calls[0] += 1
        if calls[0] >= at and not stat.S_ISDIR(os.fstat(handle).st_mode):
            met.append(calls[0])
            raise OSError(code, os.strerror(code))
        real(handle)

    patch.setattr(os, "fsync", fsync)
    return met


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_nothing_can_be_printed(stage: Stage) -> None:
    """The message is signed and can be sent again; the exit code says that something went wrong."""
    pair = stage("genesis")
    code = end(start(("open", pair.folder(AXIS), "--yes"), lambda: None, Path("/dev/full")))
    assert code == 2
    assert Match.load(pair.folder(AXIS)).verifier.head == 1
    assert "not your turn" in cli("open", pair.folder(AXIS), "--yes").all
    good("resend", pair.folder(AXIS))


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A place that another user can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def as_nobody() -> None:
    """From now on without the rights of the administrator, who may write everywhere."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def rights(root: Path, folders: int, files: int) -> None:
    """Set the rights of everything below a folder."""
    for path in [root, *root.rglob("*")]:
        path.chmod(folders if path.is_dir() else files)


@pytest.mark.parametrize(("folders", "files"), [(0o555, 0o444), (0o555, 0o000), (0o000, 0o000)])
def test_a_folder_without_the_right(folders: int, files: int, stage: Stage, open_to_all: Path, tmp_path: Path) -> None:
    pair = stage("genesis")
    root = Path(shutil.copytree(pair.folder(AXIS), open_to_all / "game"))
    before = tree_of(root)
    mode = [(path, path.stat().st_mode) for path in [root, *sorted(root.rglob("*"))]]
    (file := tmp_path / "told").touch()
    for words in (("status", root), ("open", root, "--yes"), ("resend", root), ("doctor", root)):
        rights(root, folders, files)
        try:
            code = end(start(words, as_nobody, file))
        finally:
            root.chmod(0o755)
            for path, old in mode:
                path.chmod(old)
        assert_clear(told(file, code), "permission denied|not readable", 2)
    assert tree_of(root) == before


# --- programs at once -------------------------------------------------------------------------------------------


def at_once(works: list[tuple[object, ...]], tmp_path: Path) -> list[Result]:
    """Run commands at the same time, each in its own process; what each came to."""
    gate, opened = os.pipe()

    def wait_at_the_gate() -> None:
        chance._source = os.urandom
        os.close(opened)
        os.read(gate, 1)

    files = [tmp_path / f"told-{number}" for number in range(len(works))]
    children = [start(words, wait_at_the_gate, file) for words, file in zip(works, files, strict=True)]
    os.close(gate)
    os.close(opened)
    return [told(file, end(child)) for child, file in zip(children, files, strict=True)]


def one_of(results: list[Result], clear: str) -> None:
    """One did it; the others were told why not."""
    assert [result.code for result in results].count(0) == 1, [result.all for result in results]
    for result in results:
        if result.code:
            assert_clear(result, clear)


@pytest.mark.parametrize("turn", range(3))
def test_several_sign_at_once(turn: int, stage: Stage, tmp_path: Path) -> None:
    pair = stage("genesis")
    works: list[tuple[object, ...]] = [("open", pair.folder(AXIS), "--yes")] * 4
    one_of(at_once(works, tmp_path), "another adjudicator is working|not your turn")
    assert len(bodies(pair.folder(AXIS))["1"]) == 1
    pair.deliver(AXIS)


def test_sign_and_receive_at_once(stage: Stage, tmp_path: Path) -> None:
    """What was refused because the folder was busy is done by doing it again."""
    pair = stage("genesis")
    good("open", pair.folder(AXIS), "--yes")
    file, root = pair.newest(AXIS), pair.folder(ALLIED)
    works: list[tuple[object, ...]] = [("receive", root, file), ("open", root, "--yes"), ("receive", root, file)]
    for result in at_once(works, tmp_path):
        if result.code:
            assert_clear(result, "another adjudicator is working|not your turn")
    good("receive", root, file)
    if Match.load(root).verifier.head == 1:
        good("open", root, "--yes")
    gone_on(root)
    pair.deliver(ALLIED)


def test_serve_and_sign_at_once(stage: Stage, tmp_path: Path) -> None:
    pair = stage("genesis")
    root = pair.folder(AXIS)
    serve = ("serve", root, "--inbox", inbox_of(tmp_path), "--head", 0, "--once")
    results = at_once([serve, ("open", root, "--yes"), serve], tmp_path)
    for result in results:
        if result.code:
            assert_clear(result, "another adjudicator is working|not your turn|ends at message 1, you say 0")
    assert len(bodies(root)["1"]) == 1
    pair.deliver(AXIS)


def test_serve_waits_while_another_program_works(stage: Stage, tmp_path: Path) -> None:
    from adjudicator.match.serving import Server

    pair = stage("genesis")
    server = Server(pair.folder(AXIS), inbox_of(tmp_path), 0)
    with lock(pair.folder(AXIS) / "private"):
        assert server.round() == []
    assert any("signed message 1" in line for line in server.round())


def test_begun_twice_at_once(tmp_path: Path) -> None:
    words = ("new", "western-desert", "compass", tmp_path / "game", "--name", "A")
    one_of(at_once([words, words, words], tmp_path), "another adjudicator is working|is a game in this folder already")
    good("resend", tmp_path / "game")


def test_a_lock_left_by_a_dead_process(movement: Pair) -> None:
    child = os.fork()
    if child == 0:
        with lock(movement.folder(ALLIED) / "private"):
            os.kill(os.getpid(), signal.SIGKILL)
    assert end(child) == -signal.SIGKILL
    assert (movement.folder(ALLIED) / "private" / "lock").exists()
    good("status", movement.folder(ALLIED))


def test_a_file_system_without_locks(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def no_locks(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    assert_clear(cli("status", movement.folder(ALLIED)), "no locks available", 2)


# --- folders that move ------------------------------------------------------------------------------------------


def moved_while_asked(monkeypatch: pytest.MonkeyPatch, move: Callable[[], object]) -> None:
    """While the player thinks about the answer, the folder is moved away."""

    def ask(_question: str) -> bool:
        move()
        return True

    monkeypatch.setattr("adjudicator.cli.turns.ask", ask)


def test_a_folder_renamed_while_it_runs(movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    allied = movement.folder(ALLIED)
    file, elsewhere = movement.orders("1-movement.yaml"), movement.root / "elsewhere"
    moved_while_asked(monkeypatch, lambda: allied.rename(elsewhere))
    assert_clear(cli("sign", file), "no such folder|moved, removed or put back", 2)
    assert not allied.exists(), "nothing is written to where the folder was"
    good("sign", elsewhere / file.name, "--yes")


@pytest.mark.parametrize("again", [False, True])
def test_a_folder_put_back_while_it_runs(again: bool, movement: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup, or the same once more, comes over the folder between reading and writing."""
    allied, file = movement.folder(ALLIED), movement.orders("1-movement.yaml")
    copy = Path(shutil.copytree(allied, movement.root / "copy"))

    def put_back() -> None:
        if again:
            (allied / "private" / "lock").unlink()
        else:
            shutil.rmtree(allied)
            shutil.copytree(copy, allied)

    before = tree_of(copy)
    moved_while_asked(monkeypatch, put_back)
    assert_clear(cli("sign", file), "moved, removed or put back from a copy", 2)
    after = tree_of(allied)
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} <= {
        "private/lock", "private/verified.json", "state/newest.json",
        *(name for name in after if name.startswith("state/")),
    }
    monkeypatch.undo()
    with chance.fixed("then"):
        good("sign", file, "--yes")


def test_the_lock_is_looked_at_before_each_file(tmp_path: Path) -> None:
    game = tmp_path / "game"
    with lock(game / "private"):
        write_whole(game / "log.jsonl", b"one\n")
        game.rename(tmp_path / "away")
        with pytest.raises(FolderBusy, match="moved, removed"):
            write_whole(game / "log.jsonl", b"two\n")
        write_whole(tmp_path / "result", b"elsewhere\n")
    assert not game.exists()
    assert (tmp_path / "away" / "log.jsonl").read_bytes() == b"one\n"
    write_whole(game / "log.jsonl", b"not locked\n")


def test_temporary_files_of_the_dead_go_and_no_others(movement: Pair) -> None:
    allied = movement.folder(ALLIED)
    names = (".log.jsonl.1.tmp", "private/.journal.jsonl.2.tmp", "outbox/.x.3.tmp")
    left = [allied / name for name in names]
    mine = [allied / "notes.tmp", allied / ".hidden"]
    for path in [*left, *mine]:
        path.write_text("x", encoding="utf-8")
    good("status", allied)
    assert [path.exists() for path in [*left, *mine]] == [False] * 3 + [True] * 2
