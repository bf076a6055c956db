"""Whole games in which both sides send nasty messages. ``python -m tests.adversary.fuzz`` runs many of them."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.engine.game import Table
from adjudicator.match.games import pack_of, table
from adjudicator.match.play.seats import chance_of
from adjudicator.match.resolver import SETUP_MESSAGES
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.orders import MISSION_OF, TARGETS
from tests.adversary.duel import Duel, Harm
from tests.adversary.nasty import Maker

SYSTEMS = {"western-desert": "compass", "shifting-sands": "campaign"}
MESSAGES = 14
RELOAD_SHARE = 0.3


@dataclass
class Ended:
    """How a game ended: what harm was done, "" for none, at which message, and the slowest single step."""

    system: str
    seed: str
    harm: str
    seq: int
    slowest: float
    trace: str = ""


def pools_of(system: str) -> Mapping[str, Sequence[str]]:
    """Ids of the game by kind, with those that almost are ids."""
    tree = pack_of(system).tree
    ids = {
        name: [str(row[key]) for row in _rows(tree, listed)]
        for name, listed, key in (
            ("unit", "counters", "id"), ("card", "cards", "id"), ("space", "spaces", "name"), ("hex", "hexes", "hex"),
            ("air", "air", "id"), ("model", "air", "model"),
        )
    }
    pools = {name: found for name, found in ids.items() if found}
    if "hex" in pools:
        front = [name for name in pools["hex"] if name.startswith("19/0") and name[-2:] in ("25", "26", "27", "28")]
        also = [also for name in front for also in hexes.names(hexes.parse(name))[1:]]
        pools["hex"] = [*front * 3, *also, "18/5126", "19/0126", "19/9999", "18/0000", *pools["hex"]]
        pools["wish"] = [*hexes.DIRECTIONS, "toward_supply", "rough", "clear", *front]
        pools["target"] = [*TARGETS, *pools["air"], *pools["model"]]
        pools["mission"] = [*MISSION_OF, "any"]
        pools["counter"] = ["supply-allied-1", "supply-axis-1", "supply-allied-captured-1", "any", "supply-axis-9"]
    if "space" in pools:
        pools["place"] = [*pools["space"], "@replacement", "@eliminated", "@reserve"]
    return pools


def _rows(tree: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    value = tree.get(key)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def favoured(rules: Table, pools: Mapping[str, Sequence[str]], duel: Duel) -> dict[str, Sequence[str]]:
    """The pools with what stands on the map named more often: units, air units and the bases that they stand at."""
    position = rules.position(duel.told)
    units = [str(row["id"]) for row in _rows(position, "units")]
    found = {**pools, "unit": [*units * 4, *pools["unit"]]}
    if "air" in pools:
        air = _rows(position, "air")
        found["air"] = [*[str(row["id"]) for row in air] * 9, *pools["air"]]
        found["hex"] = [*pools["hex"], *[str(row["hex"]) for row in air] * 2]
    return found


def fight(system: str, scenario: str, seed: str, messages: int = MESSAGES) -> Ended:
    """One game. Never raises: what goes wrong is the harm."""
    duel = Duel(system, scenario, seed)
    chance = chance_of("fuzz", system, scenario, seed)
    maker = Maker(table(system, scenario), pools_of(system), chance)
    try:
        while duel.seq <= messages:
            run = duel.look()
            if duel.seq == SETUP_MESSAGES + 1:
                maker.pools = favoured(duel.table, maker.pools, duel)
            duel.send(maker.message(run, duel.seat.side))
            if chance.likely(RELOAD_SHARE):
                duel.reload(chance.below(2))
        duel.verify()
    except Harm as harm:
        return Ended(system, seed, str(harm), duel.seq, duel.slowest, traceback.format_exc())
    except Exception as error:  # what a report or template raises is harm as well
        return Ended(system, seed, f"{type(error).__name__}: {error}", duel.seq, duel.slowest, traceback.format_exc())
    return Ended(system, seed, "", duel.seq, duel.slowest)


def main(words: Sequence[str] | None = None) -> int:
    """Fight many games and tell the harm done."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--system", choices=sorted(SYSTEMS), action="append")
    reader.add_argument("--scenario", default="")
    reader.add_argument("--games", type=int, default=100)
    reader.add_argument("--seed", default="long")
    reader.add_argument("--messages", type=int, default=MESSAGES)
    reader.add_argument("--seconds", type=float, default=0.0, help="stop after so long")
    given = reader.parse_args(words)
    started, harmed, slowest, count = time.monotonic(), 0, 0.0, 0
    seen: dict[str, int] = {}
    for number in range(given.games):
        for system in given.system or sorted(SYSTEMS):
            ended = fight(system, given.scenario or SYSTEMS[system], f"{given.seed}-{number}", given.messages)
            count, slowest = count + 1, max(slowest, ended.slowest)
            if ended.harm:
                harmed += 1
                mark = ended.trace.strip().splitlines()[-1][:160]
                seen[mark] = seen.get(mark, 0) + 1
                if seen[mark] == 1:
                    print(f"{system} {ended.seed} message {ended.seq}: {ended.harm[:400]}\n{ended.trace[-1800:]}")
        if given.seconds and time.monotonic() - started > given.seconds:
            break
    print(f"{count} games, {harmed} harmed, slowest step {slowest:.2f} s, {time.monotonic() - started:.0f} s")
    for mark, times in sorted(seen.items(), key=lambda item: -item[1]):
        print(f"  {times:5} x {mark}")
    return 1 if harmed else 0


if __name__ == "__main__":
    sys.exit(main())
