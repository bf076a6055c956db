"""Listed equals checked for moves, markers, attacks, advances, retreats on random small positions; units are kept."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Order
from adjudicator.engine.driver import Waits
from adjudicator.shifting_sands.activation import MARKERS, markable, marker_problems
from adjudicator.shifting_sands.advance import CLEARED, ONE, TWO, Opening, advance_problems, advances
from adjudicator.shifting_sands.choices import loss_problems
from adjudicator.shifting_sands.designate import attack_problems, attackable, designated
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER
from adjudicator.shifting_sands.losses import Outcome, fulfilments, matching
from adjudicator.shifting_sands.movement import move_problems, reach
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.retreat import path_problems, retreat_paths
from adjudicator.shifting_sands.stacking import overstacked
from adjudicator.shifting_sands.state import Ops, State
from tests.shifting_sands.chance import random_position, random_siege, random_world
from tests.shifting_sands.support import AXIS, Row, attack, by_mail, section, with_cards

seeds = st.integers(0, 2**32)
Path = tuple[str, ...]


def battlefield(seed: int) -> tuple[Random, State, str]:
    """A random position in a side's part of a round, with markers on some of its spaces."""
    rnd = Random(seed)
    state, side, _ = random_position(rnd, random_world(rnd))
    state.active, state.step, state.phase = side, "round", "action"
    state.ops = Ops(rnd.randint(1, 5), "card")
    state.history = {side: {1: "ops"}}
    for place in sorted(state.at):
        if state.friends(place, side) and place in state.world.spaces and rnd.random() < 0.6:
            state.markers[place] = rnd.choice(MARKERS)
    return rnd, state, side


def walks(state: State, start: str, longest: int, through_start: bool = False) -> Iterator[Path]:
    """Every walk over lines that comes back to no space, but through its start where that is wanted."""
    edge: list[Path] = [(start,)]
    own = 1 if through_start else 0
    for _ in range(longest):
        edge = [(*w, there) for w in edge for there in state.world.neighbours(w[-1]) if there not in w[own:]]
        yield from edge


def on_board(state: State, side: str) -> list[str]:
    """A side's units in spaces."""
    return [uid for uid in state.side_units(side) if state.on_map(uid)]


@given(seeds)
@settings(max_examples=150)
def test_moves_listed_are_those_that_a_check_passes(seed: int) -> None:
    _, state, side = battlefield(seed)
    for uid in on_board(state, side):
        found = reach(state, side, uid)
        lawful = [w for w in walks(state, state.pieces[uid].at, 7) if not move_problems(state, side, uid, w)]
        assert {walk[-1] for walk in lawful} == set(found)
        assert all(not move_problems(state, side, uid, path) for path in found.values())
        assert all(len(path) <= min(len(w) for w in lawful if w[-1] == end) for end, path in found.items())


@given(seeds)
def test_markers_listed_are_those_that_a_check_passes(seed: int) -> None:
    _, state, side = battlefield(seed)
    found = markable(state, side)
    for place in state.world.spaces:
        for marker in MARKERS:
            assert (marker in found.get(place, [])) == (not marker_problems(state, side, place, marker))


@given(seeds)
def test_attacks_listed_are_those_that_a_check_passes(seed: int) -> None:
    _, state, side = battlefield(seed)
    found = attackable(state, side)
    for target in state.world.spaces:
        for uid in state.side_units(side):
            order = Order(0, "attack", {"units": [uid], "target": target})
            assert (uid in found.get(target, [])) == (not attack_problems(state, side, order))


@given(seeds, st.sampled_from((ONE, TWO, CLEARED)))
@settings(max_examples=150)
def test_advances_listed_are_those_that_a_check_passes(seed: int, category: str) -> None:
    rnd, state, side = battlefield(seed)
    target = rnd.choice(list(state.world.spaces))
    paths = tuple(rnd.sample([w for w in walks(state, target, 2) if len(w) == 3] or [(target,)], 1))
    opening = Opening(category, target, paths)
    for uid in on_board(state, side):
        listed = advances(state, opening, uid)
        start, longest = state.pieces[uid].at, state.counter(uid).mf + 1
        ways = (walk for walk in walks(state, start, longest, through_start=True) if walk[-1] != start)
        lawful = [walk for walk in ways if not advance_problems(state, opening, uid, walk)]
        assert {path[-1] for path in listed} == {walk[-1] for walk in lawful}
        assert all(not advance_problems(state, opening, uid, path) for path in listed)


@given(seeds, st.sampled_from((1, 2)))
def test_retreats_listed_are_those_that_a_check_passes(seed: int, spaces: int) -> None:
    rnd = Random(seed)
    state, side, target = random_position(rnd, random_world(rnd))
    for uid in state.friends(target, side):
        paths = retreat_paths(state, uid, target, spaces)
        for walk in walks(state, target, 3):
            problems = path_problems(state, uid, paths, walk)
            assert (walk in paths) == (not problems)
            assert all(problem.rule.startswith("SS 11.5") and problem.text for problem in problems)


@given(seeds, st.integers(0, 8))
def test_steps_are_lawful_losses_where_they_are_listed(seed: int, number: int) -> None:
    rnd = Random(seed)
    state, side, target = random_position(rnd, random_world(rnd))
    combat = designated(state, ENEMY[side], Order(0, "attack", {"units": [], "target": target}), 1)
    units = state.friends(target, side)
    outcomes = fulfilments(state, units, number)
    named = [*units, *state.in_box("@reserve", side)]
    for _ in range(10):
        steps = [rnd.choice(named) for _ in range(rnd.randint(0, 4))]
        chosen = matching(state, outcomes, steps) or Outcome(tuple(steps), (), -1)
        problems = loss_problems(state, combat, DEFENDER, outcomes, chosen)
        assert (chosen in outcomes) == (not problems)
    for outcome in outcomes:
        assert not loss_problems(state, combat, DEFENDER, outcomes, outcome)
        assert sum(state.counter(uid).lf for uid in outcome.steps) == outcome.absorbed <= number
    strange = Outcome((*outcomes[0].steps, "x0"), (), -1)
    assert loss_problems(state, combat, ATTACKER, outcomes, strange)


@given(seeds)
def test_listing_and_checking_change_nothing(seed: int) -> None:
    _, state, side = battlefield(seed)
    before = position(state)
    markable(state, side)
    attackable(state, side)
    for uid in on_board(state, side):
        reach(state, side, uid)
        for spaces in (1, 2):
            retreat_paths(state, uid, state.pieces[uid].at, spaces)
        advances(state, Opening(CLEARED, state.pieces[uid].at), uid)
    assert position(state) == before


# --- whole parts of a round, played at random ----------------------------------------------------------------------


def siege(seed: int) -> tuple[Random, State]:
    """A random position in which the Axis has combats to fight, in its part of the round."""
    rnd = Random(seed)
    state = random_siege(rnd, random_world(rnd))
    state.step, state.phase, state.ops, state.history = "round", "action", Ops(5, "card"), {AXIS: {1: "ops"}}
    if rnd.random() < 0.3:
        state.events["Poor Morale"] = 1
    return rnd, with_cards(state)


def random_round(rnd: Random, state: State) -> list[Row]:
    """Moves and attacks out of the listings, some of them in each other's way."""
    side = state.active
    rows = [section("round")]
    for uid in on_board(state, side):
        ends = list(reach(state, side, uid).values())
        if ends and rnd.random() < 0.7:
            rows.append({"type": "move", "unit": uid, "path": rnd.choice(ends)})
    for target, units in attackable(state, side).items():
        chosen = rnd.sample(units, rnd.randint(1, len(units)))
        flank = rnd.choice(("yes", "no", "no"))
        rows.append(attack(", ".join(chosen), target, flank=flank))
        rows += [{"type": "advance", "unit": uid, "path": [state.pieces[uid].at, target]} for uid in chosen]
    if rnd.random() < 0.3:
        rows.append({"type": "end_round"})
    return rows


def random_reaction(rnd: Random, state: State, side: str) -> list[Row]:
    """Wishes and waits of a defender, sensible or not."""
    units = list(state.side_units(side))
    rows: list[Row] = [section("reaction")]
    rows += [{"type": "wait", "topic": t} for t in ("losses", "retreat", "hold", "relocate") if rnd.random() < 0.3]
    for _ in range(rnd.randint(0, 3)):
        uid = rnd.choice(units)
        rows.append(
            rnd.choice((
                {"type": "hold", "unit": uid},
                {"type": "losses", "first": uid},
                {"type": "losses", "steps": [uid, rnd.choice(units)]},
                {"type": "retreat", "unit": uid, "to": rnd.sample(list(state.world.spaces), 2)},
                {"type": "relocate", "unit": uid, "to": "@replacement"},
            ))
        )
    return rows


def random_followup(rnd: Random, state: State, side: str) -> list[Row]:
    """Advances of some units to wherever they may or may not go."""
    rows: list[Row] = [section("followup")]
    for uid in on_board(state, side):
        if rnd.random() < 0.5:
            steps = list(walks(state, state.pieces[uid].at, 2))
            rows += [{"type": "advance", "unit": uid, "path": list(rnd.choice(steps))}] if steps else []
    return rows


@given(seeds)
@settings(max_examples=200)
def test_whatever_is_ordered_units_are_kept_and_no_space_is_too_full(seed: int) -> None:
    rnd, state = siege(seed)
    names = sorted(state.pieces)

    def write(waits: Waits) -> list[Row]:
        part = waits.key.split("/")[0]
        if part == "orders":
            return random_round(rnd, state)
        if part == "followup" or waits.side == AXIS:
            return random_followup(rnd, state, AXIS)
        return random_reaction(rnd, state, waits.side)

    sent, found = by_mail(state.copy(), write)
    after = found.state
    assert sorted(after.pieces) == names, "no unit comes from nowhere or is lost"
    assert sorted(uid for ids in after.at.values() for uid in ids) == names, "each stands in one place"
    assert all(after.pieces[uid].at == place for place, ids in after.at.items() for uid in ids)
    for place in after.world.spaces:
        sides = {after.counter(uid).side for uid in after.units_in(place)}
        assert len(sides) < 2, "the two sides never share a space (SS 8.12)"
        assert not sides or after.owner(place) in sides, "who stands in a space controls it"
    assert not overstacked(after, AXIS) and not overstacked(after, ENEMY[AXIS])
    assert all(seq <= event.on for event in found.events for seq in event.by), "I1"
    assert len(sent) < 40
    tree = position(after)
    assert position(restore(after.world, tree)) == tree
