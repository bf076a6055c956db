"""I1 and I2 hold on every resolution of both real games; an engine that reads a later choice halts (PROTOCOL 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.match.play import Pairing, Settings, play_game
from adjudicator.match.play.seats import seats_of
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol import court, resolve
from adjudicator.protocol.log import read_line
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import TreeView

GAMES = (("western-desert", "compass"), ("shifting-sands", "campaign"))
SIDES = ("axis", "allied")


def lines(system: str, scenario: str) -> list[bytes]:
    """A short game, sound as long as the engine is."""
    played = play_game(Settings(Pairing(system, scenario, (), "late"), dict.fromkeys(SIDES, "sealing"), messages=8))
    assert played.faults == []
    return played.lines


def verdicts(system: str, scenario: str, log: Sequence[bytes]) -> list[str]:
    """The verdicts of a program that has nothing but the log."""
    _, seats = seats_of(Pairing(system, scenario, (), "late"), lambda table: table)
    verifier = Verifier(read_line(log[0]), MatchResolver.fresh(seats[0].table))
    return [verifier.receive(read_line(line)).code for line in log[1:]]


@pytest.mark.parametrize(("system", "scenario"), GAMES)
@pytest.mark.parametrize("fault", ["by", "on", "none"])
def test_an_engine_that_reads_a_later_choice_halts(
    system: str, scenario: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = lines(system, scenario)
    plain = MatchResolver.resolve

    def late(self: MatchResolver, n: int, bodies: Sequence[Mapping[str, Any]], seed: bytes) -> Resolution:
        found = plain(self, n, bodies, seed)
        faults: dict[str, dict[str, TreeView]] = {
            "by": {"by": [str(n + 1)]}, "on": {"on": str(n + 1)}, "none": {"by": "0"}
        }
        wrong = faults[fault]
        return found._replace(events=[{**event, **wrong} if n >= 3 else event for event in found.events])

    assert set(verdicts(system, scenario, log)) == {"OK"}
    monkeypatch.setattr(MatchResolver, "resolve", late)
    codes = verdicts(system, scenario, log)
    assert codes[:3] == ["OK", "OK", "OK"] and codes[codes.index("HALT") - 1] == "OK" and "OK" not in codes[-1:]
    played = play_game(Settings(Pairing(system, scenario, (), "late"), dict.fromkeys(SIDES, "sealing"), messages=8))
    assert any("HALT" in line or "I1" in line or "EngineFault" in line for line in played.faults), played.faults


@pytest.mark.parametrize(("system", "scenario"), GAMES)
def test_every_resolution_passes_the_check(system: str, scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No message of a log is resolved past it, and none twice (I2)."""
    seen: list[int] = []
    plain = resolve.check_resolution

    def noted(n: int, resolution: Resolution, resolved: int | None = None) -> tuple[bytes, bytes]:
        assert resolved == n - 1
        seen.append(n)
        return plain(n, resolution, resolved)

    log = lines(system, scenario)
    monkeypatch.setattr(court, "check_resolution", noted)
    assert set(verdicts(system, scenario, log)) == {"OK"}
    assert seen == list(range(len(log) - 1))


@pytest.mark.parametrize(("system", "scenario"), GAMES)
def test_it_cannot_be_resolved_twice(system: str, scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A court that loses count of what it resolved halts (I2)."""
    log = lines(system, scenario)
    plain = resolve.check_resolution
    monkeypatch.setattr(
        court, "check_resolution", lambda n, found, resolved=None: plain(n, found, n if n == 4 else resolved)
    )
    assert verdicts(system, scenario, log)[4] == "HALT"
