"""`audit` against a second computation of the same luck that shares nothing with it (`luck_again`)."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import isclose
from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.match.audit import Share, Throw, audit, face_test
from adjudicator.match.games import table
from adjudicator.match.match import table_of
from adjudicator.match.play import Pairing, Settings, play_game
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.dice import roll
from adjudicator.protocol.log import read_log
from adjudicator.protocol.verifier import Verifier
from tests.docs.pages import ROOT
from tests.match import luck_again, luck_tables

BUNDLED = {path.parent.name: path for path in sorted(ROOT.glob("turnfiles/*/*/log.jsonl"))}
RANDOM = (("western-desert", "compass", "luck-9", 16), ("shifting-sands", "sonnenblume", "luck-2", 40))
"""Random games with many rolls: combats on the ground and in the air, draws of units and cards."""


@cache
def log_of(game: str) -> bytes:
    """A bundled log, or that of a random game."""
    if game in BUNDLED:
        return BUNDLED[game].read_bytes()
    system, scenario, seed, messages = next(one for one in RANDOM if one[0] == game)
    players = dict.fromkeys(("axis", "allied"), "random")
    played = play_game(Settings(Pairing(system, scenario, (), seed), players, messages))
    assert played.faults == []
    return b"".join(line + b"\n" for line in played.lines)


@cache
def told(data: bytes) -> list[tuple[Any, Any]]:
    """Events and position after every message, as the rules have it."""
    genesis, *messages = read_log(data)
    verifier, found = Verifier(genesis, MatchResolver.fresh(table_of(genesis))), []
    for message in messages:
        assert verifier.receive(message).ok
        assert verifier.last is not None
        found.append((verifier.last.resolution.events, verifier.last.resolution.position))
    return found


def same(share: Share, again: luck_again.Side) -> None:
    """The figures of one side, told and computed again."""
    assert (share.values, share.counts, share.others) == (again.dice, again.faces, again.draws)
    rows = [(throw.seq, one.value, one.mean, one.variance, one.chance) for throw, one in share.stakes]
    assert rows == again.worth
    assert isclose(share.luck, again.luck, abs_tol=1e-9)
    assert isclose(share.luck_z, again.luck / max(1, len(again.worth)) ** 0.5, abs_tol=1e-9)
    drought, wanted, tested = share.drought(), again.drought(), face_test(share)
    assert (drought is None) == (wanted is None)
    if drought is not None and wanted is not None:
        assert (drought.rolls, drought.first, drought.last) == wanted[:3]
        assert (drought.chance, drought.somewhere) == pytest.approx(wanted[3:])
    assert (tested is None) == (len(again.dice) < 30)
    if tested is not None:
        assert (tested[0], tested[2]) == pytest.approx(again.chi_square, rel=1e-9)


@pytest.mark.parametrize("game", [*BUNDLED, *(one[0] for one in RANDOM)])
def test_a_second_program_comes_to_the_same_luck(game: str) -> None:
    data = log_of(game)
    events = told(data)
    again = luck_again.count(data, events)
    messages = read_log(data)
    found = audit(table_of(messages[0]), messages)
    assert tuple(again) == found.sides
    for side in found.sides:
        same(found.share(side), again[side])
    assert sum(len(side.dice) for side in again.values()) > 5


def test_the_games_roll_for_much() -> None:
    """What the comparison rests on: rolls of all the common kinds."""
    seen = {kind for game in (*BUNDLED, *(one[0] for one in RANDOM)) for kind in luck_again.kinds(told(log_of(game)))}
    # which of the rarer ones a game rolls hangs on its seed, and that on the hash of the rules; those
    # of the air war are weighed in test_luck_in_the_air.py
    assert {"disarray", "result", "fire", "draw"} - seen == set()


def weigh(game: str, data: dict[str, Any], who: str = "axis") -> None:
    """One roll: the stake of the game's table, and the second computation from the sources of the pack."""
    system, scenario = {"wd": ("western-desert", "compass"), "ss": ("shifting-sands", "campaign")}[game]
    dice = [int(die) for die in data.get("dice", [data.get("die")])]
    stake = table(system, scenario).stake(Event(data["kind"], "", data), who)
    came, ways = luck_tables.outcomes({}, data, dice)
    assert (stake is None) == (len(set(ways)) == 1), data
    if stake is not None:
        assert (stake.value, stake.mean, stake.variance, stake.chance) == luck_again.weighed(came, ways), data


def test_every_roll_of_the_ground_table() -> None:
    (chart,) = (c for c in luck_tables.sources("western-desert", "charts.yaml")["charts"] if c["name"] == "ground_crt")
    for column, drm, die, shared in product(chart["columns"], range(-5, 6), range(1, 7), ("", "yes")):
        rolled = {"label": "combat/19.0726/crt", "column": column, "drm": str(drm), "die": str(die)}
        weigh("wd", {"kind": "result", **rolled, "shared": shared})


def test_every_other_roll_of_western_desert() -> None:
    for die in range(1, 7):
        weigh("wd", {"kind": "disarray", "label": "setup/axis/air-cr-42-1/disarray", "die": str(die)})
        for unit in ("br-7-arm-a", "air-glad-1"):
            weigh("wd", {"kind": "greece", "label": f"greece/allied/{unit}", "unit": unit, "die": str(die)})
        weigh("wd", {"kind": "raid", "label": "raid/allied/18.4117", "die": str(die)}, "allied")
        for other, drm in product(range(1, 7), ("", "-1")):
            pressed = {"kind": "pressure", "label": "vichy/axis/pressure", "dice": [str(die), str(other)]}
            weigh("wd", pressed | ({"drm": drm} if drm else {}))
    for count in (1, 2, 3):
        for dice in product("1456", repeat=count):
            weigh("wd", {"kind": "captured", "label": "capture/19.0328/supply-axis-1", "dice": list(dice)})


def test_every_roll_of_the_fire_tables() -> None:
    tables = luck_tables.sources("shifting-sands", "tables.yaml")
    (chosen,) = (one for one in tables["fire"] if one["id"] == tables["fire_default"])
    for one in chosen["tables"]:
        for column, drm, die in product(one["columns"], range(-6, 7), range(1, 7)):
            fire = {"kind": "fire", "label": "combat/mega/fire-attacker", "role": "attacker", "table": one["table"]}
            fire |= {"strength": "1", "base": column, "column": column, "die": str(die)}
            weigh("ss", fire | ({"drms": [{"name": "x", "value": f"{drm:+d}", "rule": ""}]} if drm else {}))
    for modifier, need, die in product(range(4), (4, 5), range(1, 7)):
        rolled = {"die": str(die), "modifier": str(modifier), "need": str(need)}
        weigh("ss", {"kind": "flank", "label": "combat/mega/flank", **rolled})


def test_a_draw_of_one_in_six_is_no_die() -> None:
    """Six units in the box, six cards in the pile: what is drawn counts apart, however many there are."""
    for label in ("fifth-army/axis/draw", "deck/axis-strategy/1/draw/3"):
        drawn = Throw(3, label, "axis", 6, (4,), None, drawn=True)
        thrown = Throw(3, "setup/axis/x/disarray", "axis", 6, (2,), None)
        share = Share("axis", (drawn, thrown))
        assert (share.values, share.counts, share.others) == ([2], [0, 1, 0, 0, 0, 0], 1)


def test_a_seed_gives_the_same_dice_to_both() -> None:
    for faces, count in ((6, 1), (6, 40), (14, 3), (255, 9)):
        assert luck_again.throw(b"s" * 32, "x/y", faces, count) == list(roll(b"s" * 32, "x/y", faces, count))
