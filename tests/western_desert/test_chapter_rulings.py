"""Rulings about rules 3 to 15 that no case can assume, or that deserve more than one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from adjudicator.engine.core import Ctx, Roll
from adjudicator.engine.dice import Local
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.control import region_holder
from adjudicator.western_desert.state import Site, turn_number
from tests.western_desert.ground import cites, compass, run
from tests.western_desert.skirmish import random_orders, random_position
from tests.western_desert.test_movement_orders import moved, order, strip_state, transport, unit
from tests.western_desert.test_works import begin, engineer, place, work


def test_the_label_of_a_roll_keeps_the_player_who_would_roll() -> None:
    """Ruling RANDOMNESS: no choice hangs on rolling; attacks are rolled by the attacker, captures by the captor."""
    rolls: list[Roll] = []
    state = random_position(0)
    for seed in range(40):
        state = random_position(seed)
        local = Local(Random(seed).randrange)

        def noted(seq: int, roll: Roll, local: Local = local) -> tuple[int, ...]:
            rolls.append(roll)
            return local(seq, roll)

        attacker = state.player
        begun = len(rolls)
        drive(combat_phase(Ctx(state, apply), attacker, random_orders(seed, state), (1,)), noted)
        assert all(roll.who == attacker for roll in rolls[begun:] if roll.kind == "combat")
    assert {roll.who for roll in rolls} <= {"allied", "axis"}
    assert rolls


def test_an_engineer_may_work_while_its_fort_is_under_way_as_long_as_it_stays() -> None:
    """Ruling FORT-WORK (WD 14.A.fort, 14.A.fort.leave)."""
    state = place(engineer("cons"))
    build.set_line(state.board, "rail", build.CENTRE, hexes.neighbours(build.CENTRE)[0])
    state.broken.add(build.CENTRE)
    state = begin(state, work("build_fort")).state
    state.phase = "movement"
    assert state.sites == {(build.CENTRE, "fort"): Site("allied", turn_number("Mar I 41"), "cons")}
    ctx = run(state, [work("repair", what="rail")])
    assert not ctx.problems
    assert ctx.state.sites == state.sites
    gone = state.board.name(hexes.neighbours(build.CENTRE)[3])
    assert not run(state, [order(0, unit="cons", to=gone)]).state.sites


def test_who_is_carried_after_an_administrative_move_does_no_work() -> None:
    """Ruling ADMIN-WORK (WD 6.B.1): not in the exploitation phase of the same player turn either."""
    state, path = strip_state(6, line="rail")
    build.put(state, unit("walker"), path[0])
    build.put(state, transport(), path[1])
    state = run(state, [order(0, unit="walker", to="P1", mode="admin")]).state
    state.phase = state.step = "exploitation"
    for piece in state.pieces.values():
        piece.spent2, piece.entered, piece.means, piece.start = 0, 0, "", piece.hex
    ctx = run(state, [work("break_rail", "walker", transport="truck")])
    assert cites(ctx.problems) == ["WD 6.B.1"]


def test_one_unit_is_not_shared_between_transport_counters() -> None:
    """Ruling TRANSPORT-PAIR (WD 6.C): one counter carries 1 RE, and a division needs more than one may give."""
    state, path = strip_state(6)
    build.put(state, unit("division", size="division", re2=4), path[0])
    build.put(state, transport("truck"), path[0])
    build.put(state, transport("lorry"), path[0])
    ctx = run(state, [order(0, units="division, lorry", to="P2", mode="carried", transport="truck")])
    assert "WD 6.C" in cites(ctx.problems)
    assert moved(ctx)["division"] == "P0"


@pytest.mark.parametrize(("overstack", "left"), [("", 7), ("eliminate", 6)])
def test_who_comes_last_into_a_full_hex_is_halted_or_lost(overstack: str, left: int) -> None:
    """Ruling OVERSTACK-END (WD 8.B), with its switch."""
    state, path = strip_state(4)
    state.world.switches = {"overstack": overstack} if overstack else {}
    for number in range(6):
        build.put(state, unit(f"there-{number}"), path[1])
    build.put(state, unit("late"), path[0])
    ctx = run(state, [order(0, unit="late", path="P1")])
    assert len(ctx.state.pieces) == left
    assert cites(ctx.problems) == ["WD 8"]


@pytest.mark.parametrize("kind", ["full", "dot", "ref"])
def test_every_city_of_a_region_counts_for_its_control(kind: str) -> None:
    """Ruling DOT-NAMES (WD 3.G.region): full hex, dot and reference cities alike."""
    state = build.new_state(replace(compass().board, land=dict(compass().board.land)), owner="allied")
    assert region_holder(state, "Cyrenaica") == "allied"
    cities = [h for h, info in state.board.land.items() if any(c.size == kind for c in info.cities)]
    inside = [h for h in cities if state.board.in_region(h, "Cyrenaica")]
    h = inside[0] if inside else next(h for h in state.board.land if state.board.in_region(h, "Cyrenaica"))
    if not inside:
        build.set_hex(state.board, h, features=[f"{kind}_city" if kind != "ref" else "reference_city"])
        state.board.land[h] = state.board.land[h]._replace(regions=("Cyrenaica",))
    state.control[h] = "axis"
    assert region_holder(state, "Cyrenaica") == ""
