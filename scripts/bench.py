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
from functools import partial
from pathlib import Path
from statistics import median

import bench_games as games
import bench_protocol as protocol
from bench_air import afresh, air_phase, flights, put_in
from bench_decks import deck_figures
from bench_sands import busy_round

from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.match.play.direct import Pace, play_directly
from adjudicator.match.play.seats import Pairing
from adjudicator.packs import load_pack, pack_folder

ORDERS, UNITS, ATTACKS = 150, 120, 12
MISSIONS, ZONES, FLIGHTS, FIGHTERS = 40, 30, 20, 15
COMBATS = 3
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
    """One line of the table: what, the figure to reach, the median, the best, what to know of it."""

    what: str
    reach: str
    found: str
    best: str = ""
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

    @property
    def best(self) -> float:
        """The shortest, in seconds: what a machine with nothing else to do would take."""
        return min(self.seconds)


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


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median and best seconds of a piece of work in this process, after one run to warm up."""
    work()
    found = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return median(found), min(found)


def ledger(home: Path) -> Path | None:
    """A beancount ledger of about 7,000 lines by beancount's own generator; None where beancount is not installed."""
    program = Path(sys.executable).with_name("bean-example")
    if not program.exists():
        return None
    path = home / "ledger.beancount"
    subprocess.run([program, "--seed", LEDGER_SEED, "-o", path], check=True, capture_output=True)
    return path


def program() -> list[str]:
    """The console command as a player runs it; the module where only that is there."""
    script = Path(sys.executable).with_name("adjudicator")
    return [str(script)] if script.exists() else [sys.executable, "-m", "adjudicator"]


def process_rows(home: Path, folder: Path, rounds: int) -> list[Row]:
    """Figures of whole processes: check beside its peers, exports, memory."""
    ours = program()
    empty, turn = home / "empty.py", home / "long.yaml"
    empty.write_text(EMPTY, encoding="utf-8", newline="\n")
    turn.write_text(games.long_file(folder, ORDERS), encoding="utf-8", newline="\n")
    commands: dict[str, Sequence[str]] = {
        "empty": [sys.executable, str(empty)],
        "check": [*ours, "check", str(turn), "--game", str(folder)],
    }
    book = ledger(home)
    if book is not None:
        commands["bean"] = [str(Path(sys.executable).with_name("bean-check")), "-C", str(book)]
    found = in_turns(commands, rounds)
    slow = {
        "verify": [*ours, "verify", str(folder)],
        "vmod": [*ours, "export", "vmod", str(folder), "-o", str(home / "out.vmod"), "--force"],
        "save": [*ours, "export", "save", str(folder), "-o", str(home / "out.vsav"), "--force"],
        "log": [*ours, "export", "log", str(folder), "-o", str(home / "out.vlog"), "--force"],
    }
    if "--force" not in subprocess.run([*ours, "export", "vmod", "--help"], capture_output=True, text=True).stdout:
        slow = {name: [word for word in words if word != "--force"] for name, words in slow.items()}
    found |= in_turns(slow, max(3, rounds // 3))
    return [*check_rows(found, book), *export_rows(found)]


def process_row(what: str, reach: str, found: Process) -> Row:
    """The figures of one whole process."""
    return Row(f"{what}, whole process", reach, f"{found.middle:.3f} s", f"{found.best:.3f} s")


def check_rows(found: dict[str, Process], book: Path | None) -> list[Row]:
    """`check` of a long file beside an empty command and beside bean-check."""
    empty, check = found["empty"], found["check"]
    more, least = check.middle - empty.middle, check.best - empty.best
    rows = [
        process_row("an empty typer command", "", empty),
        process_row(f"check of {ORDERS} orders", "", check),
        Row("check less an empty command", "at most 0.15 s", f"{more:.3f} s", f"{least:.3f} s"),
    ]
    if book is None:
        return [*rows, Row("check beside bean-check", "under half", "not run", note="install the extra `bench`")]
    lines = len(book.read_text(encoding="utf-8").splitlines())
    bean = found["bean"]
    ratios = f"{check.middle / bean.middle:.2f}", f"{check.best / bean.best:.2f}"
    return [
        *rows,
        process_row(f"bean-check -C of {lines:,} lines", "", bean),
        Row("check beside bean-check", "under 0.5", *ratios),
    ]


def export_rows(found: dict[str, Process]) -> list[Row]:
    """Exports, and the memory of every command that was run."""
    names = ("check", "verify", "vmod", "save", "log")
    most = max(names, key=lambda name: found[name].memory)
    memory = f"{found[most].memory / 1e6:.0f} MB" if found[most].memory else "not known here"
    return [
        process_row("export vmod", "2 s", found["vmod"]),
        process_row("export save", "0.3 s", found["save"]),
        process_row("export log", "0.5 s", found["log"]),
        Row("most memory of these commands", "200 MB", memory, note=f"by {most}"),
    ]


def work_row(what: str, reach: str, work: Callable[[], object], rounds: int, note: str = "") -> Row:
    """The figures of a piece of work in this process."""
    middle, best = timed(work, rounds)
    return Row(what, reach, f"{middle * 1e3:.0f} ms", f"{best * 1e3:.0f} ms", note)


def rules_rows(folder: Path, rounds: int) -> list[Row]:
    """Figures of the rules in this process: listing, adjudicating, verifying, random play."""
    _, state = games.regular_turn()
    units = games.crowd(state, UNITS)
    ends = f"full map, {games.list_moves(state, units)} ends"
    ready, fly = partial(put_in, missions=FLIGHTS, zones=FIGHTERS), partial(flights, missions=FLIGHTS)
    turn, air = games.full_turn(UNITS, ATTACKS, ready, fly), air_phase(MISSIONS, ZONES)
    orders = f"{turn.moves} moves, {FLIGHTS} air missions, {turn.attacks} attacks"
    lines = Folder(folder).lines()
    genesis = Match.load(folder).message(0)
    proving, best = timed(lambda: Match._from_log(Folder(folder), genesis, lines), 3)
    whole = f"{best / len(lines) * 400:.1f} s for 400 such messages"
    listing = partial(games.list_moves, state, units)
    size = len((pack_folder("western-desert") / "pack.json").read_bytes())
    return [
        work_row("load the data pack", "100 ms", partial(load_pack, "western-desert"), rounds, f"{size / 1e6:.1f} MB"),
        work_row(f"list all moves of {len(units)} units", "50 ms", listing, rounds, ends),
        work_row("adjudicate a player turn", "60 ms", partial(afresh, turn), rounds, orders),
        work_row(f"an air phase of {MISSIONS} missions", "100 ms", partial(afresh, air), rounds, f"{ZONES} patrols"),
        sands_row(rounds),
        Row(
            f"verify {len(lines)} messages, all rules run again",
            "15 s for 400",
            f"{proving * 1e3:.0f} ms",
            f"{best * 1e3:.0f} ms",
            whole,
        ),
        play_row("western-desert", "compass", rounds),
        play_row("shifting-sands", "campaign", rounds),
        protocol_row(rounds),
        *(Row(*figures, "the processor's time") for figures in deck_figures(rounds)),
    ]


def sands_row(rounds: int) -> Row:
    """An action round of Shifting Sands, from its card to its last combat."""
    busy = busy_round(COMBATS)
    note = f"a card, {busy.markers} markers, {COMBATS} combats with losses and retreats"
    return work_row("an action round of Shifting Sands", "20 ms", busy.run, rounds, note)


def play_row(system: str, scenario: str, rounds: int) -> Row:
    """Random play over the rules alone: how many orders are listed, chosen and applied in a second of the processor."""
    paces = []
    for number in range(rounds):
        pace = Pace()
        play_directly(Pairing(system, scenario, seed=f"bench-{number}"), pace)
        paces.append(pace.a_second)
    name = f"random play of {system}, orders a second"
    return Row(name, "3,000", f"{median(paces):,.0f}", f"{max(paces):,.0f}", "listed and run")


def protocol_row(rounds: int) -> Row:
    """The protocol by itself: a long log with many dice, proved from nothing without the rules of a game."""
    log = protocol.make_log()
    middle, best = timed(lambda: protocol.verify(log), rounds)
    what = f"verify {protocol.MESSAGES} messages, {protocol.MESSAGES * protocol.ROLLS:,} rolls, no rules"
    paces = (f"{protocol.MESSAGES / seconds:,.0f} a second" for seconds in (middle, best))
    return Row(what, "500 messages a second", *paces)


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | reach | median | best | note |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {r.what} | {r.reach} | {r.found} | {r.best} | {r.note} |" for r in rows)])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures the program; prints a table.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each thing is measured (15)")
    rounds = max(1, parser.parse_args().rounds)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {rounds} rounds", flush=True)
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
