"""What a player is told while he plans a round, against the driver: chances, moves, supply, tries."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from adjudicator.engine.core import Event, Order, Roll, Tree
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.queries import MOVES, ODDS, SUPPLY, Scene, put
from adjudicator.shifting_sands.activation import MOVE
from adjudicator.shifting_sands.movement import move_problems, reach
from adjudicator.shifting_sands.queries.moves import moves_reply
from adjudicator.shifting_sands.queries.odds import odds_reply
from adjudicator.shifting_sands.queries.stage import staged
from adjudicator.shifting_sands.queries.supply import supply_reply
from adjudicator.shifting_sands.queries.tried import tried
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, supply
from tests.shifting_sands.rounds import ALLIED, AXIS, author, first_rounds, highest, table

SEQ = 13
MESSAGES = tuple(Message(n, author(n)) for n in range(1, SEQ))


def infantry() -> tuple[State, list[str], str]:
    """The first action: infantry of Bardia before the mountain of Halfaya."""
    state = first_rounds(upto=0).state
    return state, [uid for uid in state.friends("Bardia", AXIS) if not state.counter(uid).armor], "Halfaya"


def flank() -> tuple[State, list[str], str]:
    """Two rounds later: a division with armor beside it before clear ground, so that a flank attack may be tried."""
    state = first_rounds().state.copy()
    state.active, state.fight, state.markers = AXIS, None, {}
    tanks = next(uid for uid in state.side_units(AXIS) if state.counter(uid).armor and state.on_map(uid))
    state.shift(tanks, "Halfaya")
    for uid in state.side_units(AXIS):
        state.pieces[uid].moved = state.pieces[uid].fought = state.pieces[uid].joined = False
    return state, [tanks, next(uid for uid in state.friends("Halfaya", AXIS) if uid != tanks)], "Sidi Suleiman"


def cf(state: State, side: str) -> int:
    """The combat factors of a side on the map; the test's own reckoning."""
    return sum(
        state.world.counters[uid].cf[1 if piece.reduced else 0]
        for uid, piece in state.pieces.items()
        if state.world.counters[uid].side == side and not piece.at.startswith("@")
    )


def by_force(state: State, units: list[str], target: str, tries: bool) -> dict[str, Any]:
    """The round ordered and played through the driver for all dice: mean losses, how often the space is cleared, who
    wins."""
    attack: dict[str, Tree] = {"units": [*units], "target": target}
    attack |= {"flank": "yes"} if tries else {}
    rows = (
        Order(0, "section", {"name": "round"}),
        Order(1, "play_card", {"card": highest(state, AXIS), "use": "ops"}),
        Order(2, "attack_marker", {"space": state.pieces[units[0]].at}),
        Order(3, "attack", attack),
        Order(4, "end_round", {}),
    )
    silent = [Message(n, author(n)) for n in range(SEQ + 1, SEQ + 9)]
    found: dict[str, Any] = {"cleared": Fraction(0), AXIS: Fraction(0), ALLIED: Fraction(0), "winner": {}}
    everything = [*product(range(1, 7), repeat=3 if tries else 2)]
    share = Fraction(1, len(everything))
    for faces in everything:
        dice = _dice(dict(zip(("attacker", "defender", "flank"), faces, strict=False)))
        run = play(table(), Checkpoint(state, SEQ - 1), [*MESSAGES, Message(SEQ, AXIS, rows), *silent], dice)
        after, events = _combat(state, run.events)
        winner = next(str(e.data.get("winner", "")) for e in events if e.kind == "winner")
        found["winner"][winner] = found["winner"].get(winner, 0) + share
        found["cleared"] += share * (not after.enemies(target, AXIS))
        for side in (AXIS, ALLIED):
            found[side] += share * (cf(state, side) - cf(after, side))
    return found


def _dice(faces: dict[str, int]) -> Any:
    def roll(_seq: int, request: Roll) -> tuple[int, ...]:
        return (faces.get(request.kind, 1),) * request.count

    return roll


def _combat(before: State, events: list[Event]) -> tuple[State, list[Event]]:
    """The state at the end of the first combat, and the events up to there."""
    state, seen = before.copy(), list[Event]()
    for event in events:
        table().apply(state, event)
        seen.append(event)
        if event.kind == "combat-over":
            break
    return state, seen


@pytest.mark.parametrize(("where", "tries"), [(infantry, False), (flank, True), (flank, False)])
def test_odds_are_what_the_driver_makes_of_every_die(
    where: Callable[[], tuple[State, list[str], str]], tries: bool
) -> None:
    state, units, target = where()
    asked: dict[str, Tree] = {"subject": target, "with": [*units]}
    asked |= {"flank": "yes"} if tries else {}
    reply = put(table().queries(), ODDS, Scene(state, AXIS, MESSAGES, SEQ - 1), asked)
    assert not reply.problems, reply.problems
    wanted = by_force(state, units, target, tries)
    assert Fraction(reply.tree["cleared"]) == wanted["cleared"]
    assert Fraction(reply.tree["expected"]["attacker"]["CF"]) == wanted[AXIS]
    assert Fraction(reply.tree["expected"]["defender"]["CF"]) == wanted[ALLIED]
    winners: dict[str, Fraction] = {}
    for row in reply.tree["results"]:
        who = next((name for name in ("attacker", "defender") if f"{name} wins" in row["result"]), "")
        winners[who] = winners.get(who, Fraction(0)) + Fraction(row["chance"])
    assert winners == wanted["winner"]
    assert sum(winners.values()) == 1


def test_odds_change_nothing_and_refuse_what_check_refuses() -> None:
    state, units, target = infantry()
    before = table().position(state)
    here = Scene(state, AXIS, MESSAGES, SEQ - 1)
    assert odds_reply(table(), here, Order(0, ODDS, {"subject": target, "with": [*units]})).tree["results"]
    for place, rule in (("Alexandria", "SS 11.12"), ("Tobruk", "SS 11.22")):
        far = odds_reply(table(), here, Order(0, ODDS, {"subject": place, "with": [*units]}))
        assert rule in {problem.rule for problem in far.problems}
    assert table().position(state) == before


def test_moves_lists_what_the_rules_list_and_says_what_it_costs() -> None:
    state = first_rounds(upto=0).state
    for uid in [uid for uid in state.side_units(AXIS) if state.on_map(uid)][::4]:
        reply = moves_reply(state, Order(0, MOVES, {"subject": uid}))
        stage = staged(state, AXIS, [state.pieces[uid].at], MOVE).state
        if not reply.tree["may_move"]:
            assert reply.reasons
            continue
        listed = {row["space"]: row["path"] for row in reply.tree["spaces"]}
        assert listed == {end: list(path) for end, path in reach(stage, AXIS, uid).items()}
        for end in sorted(state.world.spaces)[::9]:
            found = moves_reply(state, Order(0, MOVES, {"subject": uid, "to": end}))
            if end == state.pieces[uid].at:
                continue
            assert found.tree["legal"] == (end in listed) == (not found.reasons)
            if found.tree["legal"]:
                assert move_problems(stage, AXIS, uid, found.tree["path"]) == []
    assert state.markers == {}


def test_supply_is_that_of_the_rules() -> None:
    state = first_rounds(upto=0).state
    for side in (AXIS, ALLIED):
        rows = {row["unit"]: row for row in supply_reply(state, side, Order(0, SUPPLY, {"all": "yes"})).tree["units"]}
        for uid in (uid for uid in state.side_units(side) if state.on_map(uid)):
            found = supply(state, uid)
            tree = supply_reply(state, side, Order(0, SUPPLY, {"unit": uid})).tree
            assert (tree["status"], tree["distance"]) == (found.status, found.distance)
            assert rows[uid]["status"] == found.status
            if tree["line"]:
                assert len(tree["line"]) - 1 == found.distance
                assert tree["line"][-1] in [row["space"] for row in tree["sources"]]


def test_who_is_cut_off_hears_what_bars_him() -> None:
    state = first_rounds(upto=0).state.copy()
    uid = next(uid for uid in state.friends("Bardia", AXIS))
    for space in state.world.spaces:
        if space != "Bardia" and state.owner(space) == AXIS:
            state.control[space] = ALLIED
    reply = supply_reply(state, AXIS, Order(0, SUPPLY, {"unit": uid}))
    assert reply.tree["status"] == OUT
    assert reply.tree["lost"] and all(state.owner(space) != AXIS for space in reply.tree["lost"])
    for space in reply.tree["lost"]:
        state.control[space] = AXIS
    assert supply_reply(state, AXIS, Order(0, SUPPLY, {"unit": uid})).tree["status"] != OUT


def test_a_round_is_counted_by_its_combats() -> None:
    rounds = first_rounds()
    run = rounds.run()
    found = tried(table(), table().start(), run.state, run.events)
    winners = [event for event in run.events if event.kind == "winner"]
    fought = [clash for clash in found.clashes if clash.result != "not fought out"]
    assert len(fought) == len(winners) > 0
    assert all(losses for clash in found.clashes for losses in clash.losses.values())
