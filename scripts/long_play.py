"""The long run of games between programs: many games of every system, in parts that can be broken off and resumed.

``python3 scripts/long_play.py --out DIR`` plays 200 games of each list below, fewer of the long ones, and prints the
figures. A part that is in DIR already is not played again; games that fail are kept there as game folders. Exit code 1
if one failed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PART = 10
LISTS = (("western-desert", "compass", 1), ("western-desert", "campaign", 20), ("shifting-sands", "campaign", 1))
"""What is played: Compass to its end, for every 20 of it one whole war of 52 turns, six action rounds."""
SUMS = ("games", "failed", "messages", "bare", "rolls", "choices", "seconds")
COUNTS = ("ends", "orders", "events", "verdicts", "voids")
UNSEEN = ("orders", "fields", "events")


@dataclass(frozen=True)
class Part:
    """Some games of one list, and where their figures stand."""

    system: str
    scenario: str
    seed: str
    games: int
    out: Path

    @property
    def result(self) -> Path:
        """The figures of a part that was played."""
        return self.out / f"{self.system}-{self.scenario}-{self.seed}.json"


def parts(systems: list[str], games: int, seed: str, out: Path) -> Iterator[Part]:
    """All parts of the lists of some systems."""
    for system, scenario, rarity in LISTS:
        if not systems or system in systems:
            count, part = -(-games // rarity), max(1, PART // rarity)
            for number, first in enumerate(range(0, count, part)):
                yield Part(system, scenario, f"{seed}-{number}", min(part, count - first), out)


def play(part: Part, player: str) -> dict[str, Any]:
    """The figures of a part, played now or before. Raises RuntimeError where the program failed."""
    if not part.result.is_file():
        players = ["--allied", player, "--axis", player]
        words = [part.system, part.scenario, *players, "--games", str(part.games), "--seed", part.seed]
        command = [sys.executable, "-m", "adjudicator", "play", *words, "--out", str(part.out), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        start = next((at for at, line in enumerate(lines) if line == "{"), None)
        if start is None:
            raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        for line in lines[:start]:
            print(line, flush=True)
        part.out.mkdir(parents=True, exist_ok=True)
        part.result.write_text("\n".join(lines[start:]) + "\n", encoding="utf-8", newline="\n")
    found: dict[str, Any] = json.loads(part.result.read_text(encoding="utf-8"))
    print(f"{part.result.stem}: {found['games']} games, {found['failed']} failed", flush=True)
    return found


def figures(name: str, found: list[dict[str, Any]]) -> list[str]:
    """The figures of a list for people."""
    total = {key: sum(one[key] for one in found) for key in SUMS}
    counts: dict[str, Counter[str]] = {key: Counter() for key in COUNTS}
    for one in found:
        for key in COUNTS:
            counts[key].update(one[key])
    orders = sum(counts["orders"].values())
    pace = orders / total["seconds"] if total["seconds"] else 0.0
    lines = [
        f"{name}: {total['games']} games, {total['failed']} failed",
        f"  {total['messages']} messages, {total['bare']} of them bare",
        f"  {orders} orders, {total['rolls']} dice, {total['choices']} choices, {total['seconds']:.0f} s of processes",
        f"  {pace:.0f} orders a second, watched and over the whole protocol",
    ]
    for key, counted in counts.items():
        listed = ", ".join(f"{what} {number}" for what, number in counted.most_common())
        lines.append(f"  {key}: {listed or 'none'}")
    for what in UNSEEN:
        never = set.intersection(*(set(one["unseen"][what]) for one in found))
        lines.append(f"  {what} that no game has shown: {', '.join(sorted(never)) or 'none'}")
    return lines


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description="Plays many games between programs; resumable.")
    parser.add_argument("systems", nargs="*", help="games to play; all of them if none is named")
    parser.add_argument("--games", type=int, default=200, help="games of each list, fewer of long ones (200)")
    parser.add_argument("--player", default="random", help="the program that plays both sides (random)")
    parser.add_argument("--seed", default="long", help="another seed gives other games (long)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--out", type=Path, required=True, help="where parts and failed games are kept")
    given = parser.parse_args()
    todo = list(parts(given.systems, given.games, given.seed, given.out))
    with ThreadPoolExecutor(max_workers=max(1, given.jobs)) as pool:
        found = list(pool.map(lambda part: play(part, given.player), todo))
    failed = 0
    for system, scenario, _rarity in LISTS:
        of_list = [one for one in found if (one["system"], one["scenario"]) == (system, scenario)]
        if of_list:
            print("\n".join(figures(f"{system} {scenario}", of_list)))
            failed += sum(one["failed"] for one in of_list)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
