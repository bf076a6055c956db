"""Measures what the program does beside its peers, and prints a table. Not a test: it never fails a build.

Whole processes run in turns, so that a busy machine slows all of them alike; medians are compared. Run it as
``python3 scripts/run.py bench``, or ``bench.py --rounds 5`` for a quicker look.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import bench_games as games

from adjudicator.match.folder import Folder
from adjudicator.match.match import Match

ORDERS, UNITS, ATTACKS = 150, 120, 12
LEDGER_SEED = "1"
EMPTY = """
import os
os.environ.setdefault("TYPER_USE_RICH", "0")
import typer
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
@app.command()
def main() -> None:
    pass
app()
"""


@dataclass(frozen=True)
class Row:
    """One line of the table: what, the figure to reach, what was measured, what to know of it."""

    what: str
    reach: str
    found: str
    note: str = ""


@dataclass(frozen=True)
class Process:
    """What runs of a whole process took: seconds of each, and the most memory any of them used, in bytes."""

    seconds: list[float]
    memory: int

    @property
    def middle(self) -> float:
        """The median, in seconds."""
        return median(self.seconds)


def run_once(command: Sequence[str]) -> tuple[float, int]:
    """Seconds and peak memory of one run. Raises BenchError where it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    assert child.stdout is not None
    printed = child.stdout.read()
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(child.pid, 0)
        code, memory = os.waitstatus_to_exitcode(status), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        child.returncode = code
    else:
        code, memory = child.wait(), 0
    if code != 0:
        raise games.BenchError(f"{' '.join(command)}: exit code {code}\n{printed.decode(errors='replace')}")
    return time.perf_counter() - started, memory


def in_turns(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Process]:
    """Run all commands in turns, once to warm up and then so many rounds."""
    for command in commands.values():
        run_once(command)
    runs: dict[str, list[tuple[float, int]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run_once(command))
    return {
        name: Process([seconds for seconds, _ in found], max(memory for _, memory in found))
        for name, found in runs.items()
    }


def timed(work: Callable[[], object], rounds: int) -> float:
    """The median seconds of a piece of work in this process, after one run to warm up."""
    work()
    found = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return median(found)


def ledger(home: Path) -> Path | None:
    """A beancount ledger of about 7,000 lines by beancount's own generator; None where beancount is not installed."""
    program = Path(sys.executable).with_name("bean-example")
    if not program.exists():
        return None
    path = home / "ledger.beancount"
    subprocess.run([program, "--seed", LEDGER_SEED, "-o", path], check=True, capture_output=True)
    return path


def process_rows(home: Path, folder: Path, rounds: int) -> list[Row]:
    """Figures of whole processes: check beside its peers, exports, memory."""
    python = [sys.executable, "-m", "adjudicator"]
    empty, turn = home / "empty.py", home / "long.yaml"
    empty.write_text(EMPTY, encoding="utf-8")
    turn.write_text(games.long_file(folder, ORDERS), encoding="utf-8")
    commands: dict[str, Sequence[str]] = {
        "empty": [sys.executable, str(empty)],
        "check": [*python, "check", str(turn), "--game", str(folder)],
    }
    book = ledger(home)
    if book is not None:
        commands["bean"] = [str(Path(sys.executable).with_name("bean-check")), "-C", str(book)]
    found = in_turns(commands, rounds)
    slow = {
        "verify": [*python, "verify", str(folder)],
        "vmod": [*python, "export", "vmod", str(folder), "-o", str(home / "out.vmod"), "--force"],
        "save": [*python, "export", "save", str(folder), "-o", str(home / "out.vsav"), "--force"],
    }
    if "--force" not in subprocess.run([*python, "export", "vmod", "--help"], capture_output=True, text=True).stdout:
        slow = {name: [word for word in words if word != "--force"] for name, words in slow.items()}
    found |= in_turns(slow, max(3, rounds // 3))
    return [*check_rows(found, book), *export_rows(found)]


def check_rows(found: dict[str, Process], book: Path | None) -> list[Row]:
    """`check` of a long file beside an empty command and beside bean-check."""
    empty, check = found["empty"].middle, found["check"].middle
    rows = [
        Row("an empty typer command, whole process", "", f"{empty:.3f} s"),
        Row(f"check of {ORDERS} orders, whole process", "", f"{check:.3f} s"),
        Row("check less an empty command", "at most 0.15 s", f"{check - empty:.3f} s"),
    ]
    if book is None:
        return [*rows, Row("check beside bean-check", "under half", "not run", "install the extra `bench` for it")]
    lines = len(book.read_text(encoding="utf-8").splitlines())
    bean = found["bean"].middle
    return [
        *rows,
        Row(f"bean-check -C of {lines:,} lines, whole process", "", f"{bean:.3f} s"),
        Row("check beside bean-check", "under half", f"{check / bean:.2f}"),
    ]


def export_rows(found: dict[str, Process]) -> list[Row]:
    """Exports, and the memory of every command that was run."""
    names = ("check", "verify", "vmod", "save")
    most = max(names, key=lambda name: found[name].memory)
    memory = f"{found[most].memory / 1e6:.0f} MB" if found[most].memory else "not known here"
    return [
        Row("export vmod, whole process", "2 s", f"{found['vmod'].middle:.2f} s"),
        Row("export save, whole process", "0.3 s", f"{found['save'].middle:.2f} s"),
        Row("most memory of these commands", "200 MB", memory, f"by {most}"),
    ]


def rules_rows(folder: Path, rounds: int) -> list[Row]:
    """Figures of the rules in this process: listing, adjudicating, verifying."""
    _, state = games.regular_turn()
    units = games.crowd(state, UNITS)
    atoms = games.list_moves(state, units)
    listing = timed(lambda: games.list_moves(state, units), rounds)
    turn = games.full_turn(UNITS, ATTACKS)
    played = timed(turn.run, rounds)
    lines = len(Folder(folder).lines())
    proving = timed(lambda: Match._from_log(Folder(folder), Match.load(folder).message(0), Folder(folder).lines()), 3)
    return [
        Row(f"list all moves of {len(units)} units", "50 ms", f"{listing * 1e3:.0f} ms", f"full map, {atoms} ends"),
        Row(
            "adjudicate a player turn",
            "60 ms",
            f"{played * 1e3:.0f} ms",
            f"{turn.moves} moves, {turn.attacks} attacks; no air missions, their rules are missing",
        ),
        Row(
            "verify, all rules run again",
            "15 s for 400 messages",
            f"{proving * 1e3:.0f} ms for {lines}",
            f"{proving / lines * 400:.1f} s for 400 such messages; a whole campaign can't be played yet",
        ),
        Row("random play", "3,000 orders a second", "not built", "there are no bots yet"),
    ]


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | reach | found | note |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {row.what} | {row.reach} | {row.found} | {row.note} |" for row in rows)])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures the program; prints a table.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each thing is measured (15)")
    rounds = max(1, parser.parse_args().rounds)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, medians of {rounds} rounds", flush=True)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        try:
            folder = games.make_folders(home)
            rows = [*process_rows(home, folder, rounds), *rules_rows(folder, rounds)]
        except games.BenchError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
