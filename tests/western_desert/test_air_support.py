"""Air units in ground combat and overruns: support of both sides, antiaircraft (WD 20.F.2.c, 20.F.2.d, 22.B.def)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT, GROUND_SUPPORT, Craft
from adjudicator.western_desert.air.support import against_overrun, points_over, supported
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.attack_check import plan_of
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.combat_orders import read_attack
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.overrun import overrun_options, plan_overrun
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.skirmish import ALLIED, AXIS, fight, fixed, orders, position, told, unit

ATTACK = {"type": "attack", "hex": "T", "with": "a, b"}


def over(state: State, aid: str, side: str, mission: str, points: int, h: str = "T", **more: object) -> None:
    """An air unit of that tactical strength over a hex, its base in the north of the board."""
    state.world.cache[("craft", aid)] = Craft(aid, "A", side, name=aid, tactical=points, movement=12)
    base = min(state.board.land) if side == AXIS else max(state.board.land)
    state.airfields[base] = state.control[base] = side
    number = 1 + len(state.air)
    state.air[aid] = Air(base, sortie=Sortie(mission, state.board.find(h), number, **more))  # type: ignore[arg-type]


@pytest.fixture
def state() -> State:
    """Two Allied units, one with antiaircraft, attack T out of two hexes: 8 against 4."""
    gun = unit("b", ALLIED, 4, aa=Fraction(5), aa_type="light")
    return position({"A": [unit("a", ALLIED, 4)], "B": [gun], "T": [unit("d", AXIS, 4)]})


def test_support_of_both_sides_counts_up_to_the_printed_strength(state: State) -> None:
    over(state, "gs", ALLIED, GROUND_SUPPORT, 9)
    over(state, "away", ALLIED, GROUND_SUPPORT, 9, "C")
    over(state, "ds", AXIS, DEFENSIVE_SUPPORT, 3)
    over(state, "back", AXIS, DEFENSIVE_SUPPORT, 3, fate="aborted")
    over(state, "light", ALLIED, GROUND_SUPPORT, 3, jettisoned=True)
    attack = supported(state, Attack(ALLIED, state.board.find("T"), ("a", "b"), frozenset(("a", "b"))))
    assert [attack.ground_support, attack.defensive_support] == [9, 3]
    found = odds(state, attack)
    assert [found.ground_counted, found.defensive_counted] == [8, 3]
    assert [found.attack_total, found.defense_total, found.column] == [16, 7, "2:1"]
    assert against_overrun(state, ALLIED, state.board.find("T")) == 3
    assert points_over(state, AXIS, state.board.find("C"), DEFENSIVE_SUPPORT) == 0


def test_antiaircraft_fires_first_and_what_it_hits_adds_nothing(state: State) -> None:
    """5 points out of two hexes are 2 (WD 22.B.def); a kill leaves the defender alone (WD 20.F.2.d.aa)."""
    over(state, "gs", ALLIED, GROUND_SUPPORT, 4)
    over(state, "ds", AXIS, DEFENSIVE_SUPPORT, 4)
    ctx = fight(state, orders(ATTACK), fixed(1, 1, 4))
    kinds = [e.kind for e in ctx.events]
    assert kinds[:4] == ["aa-fire", "air-hit", "attack", "result"]
    (fire,) = told(ctx, "aa-fire")
    assert (fire.data["label"], fire.data["when"], fire.data["side"]) == ("aa-support/t/ds", "aa-support", ALLIED)
    assert (fire.data["strength"], fire.data["column"], fire.data["dice"]) == ("5/2", "2", ["1", "1"])
    (fought,) = told(ctx, "attack")
    assert fought.data["ground_support"] == "4" and "defensive_support" not in fought.tree()
    assert told(ctx, "air-landed")[0].data["air"] == "gs" and kinds[-1] == "air-landed"


def test_what_is_missed_defends(state: State) -> None:
    over(state, "ds", AXIS, DEFENSIVE_SUPPORT, 4)
    ctx = fight(state, orders(ATTACK), fixed(6, 6, 4))
    (fought,) = told(ctx, "attack")
    assert (fought.data["against"], fought.data["defensive_support"]) == ("8", "4")
    assert state.air["ds"].sortie is not None
    assert [e.data["result"] for e in told(ctx, "aa-fire")] == ["none"]


def test_the_condition_of_the_order_looks_at_the_air(state: State) -> None:
    """It is judged before the antiaircraft, which fires in attacks that are made only."""
    over(state, "ds", AXIS, DEFENSIVE_SUPPORT, 4)
    ctx = fight(state, orders({**ATTACK, "min_odds": "1:1"}), fixed())
    assert [e.kind for e in ctx.events] == ["skipped"]
    assert told(ctx, "skipped")[0].data["clause"] == "min_odds 1:1: the odds are 4 to 8, column 1:2"


def test_check_and_preview_see_the_same_points(state: State) -> None:
    over(state, "gs", ALLIED, GROUND_SUPPORT, 4)
    plan, _problems = read_attack(state, orders(ATTACK)[0])
    assert plan is not None
    assert plan_of(state, plan, ALLIED).ground_support == 4


def test_the_supporters_go_home_without_an_attack(state: State) -> None:
    over(state, "gs", ALLIED, GROUND_SUPPORT, 4)
    over(state, "ds", ALLIED, DEFENSIVE_SUPPORT, 4, "A")
    ctx = fight(state, [], fixed())
    assert [e.data["air"] for e in told(ctx, "air-landed")] == ["gs"]


# --- overruns ---------------------------------------------------------------------------------------------------


def storm(state: State, dice: Sequence[int], *, units: str = "a, b", times: int = 1) -> Ctx[State]:
    """The Allied units overrun T."""
    row = {"type": "overrun", "units": units, "hex": "T", "advance": "all"}
    ctx: Ctx[State] = Ctx(state, apply)
    drive(movement_phase(ctx, ALLIED, orders(*[row] * times), (1,)), fixed(*dice))
    return ctx


@pytest.fixture
def weak() -> State:
    """Two units next to a weak one: 32 against 2 is more than an overrun needs, against 4 it is too few."""
    gun = unit("b", ALLIED, 16, aa=Fraction(3), aa_type="light", movement=30)
    found = position({"A": [unit("a", ALLIED, 16, movement=30), gun], "T": [unit("d", AXIS, 2)]})
    found.phase = found.step = "movement"
    return found


def test_an_overrun_reckons_with_the_air(weak: State) -> None:
    """Ruling OVERRUN-AIR: support counts, the antiaircraft of the overrunners fires first, undivided."""
    order = Order(0, "overrun", {"units": ["a", "b"], "hex": "T"})
    assert plan_overrun(Field(weak, ALLIED), ALLIED, order).problems == []
    over(weak, "ds", AXIS, DEFENSIVE_SUPPORT, 9)
    made = plan_overrun(Field(weak, ALLIED), ALLIED, order)
    assert made.reckoning and [made.reckoning.support, made.reckoning.odds] == [2, 8]
    assert [p.rule for p in made.problems] == ["WD 13.odds"]
    assert overrun_options(Field(weak, ALLIED), ALLIED) == {}
    ctx = storm(weak.copy(), (6, 6))
    assert [e.kind for e in ctx.events] == ["aa-fire", "void"]
    assert ctx.problems[0].depends == told(ctx, "aa-fire")[0].data["label"] == "aa-support/t/ds/movement"
    assert told(ctx, "aa-fire")[0].data["strength"] == "3"
    assert any(re.fullmatch(form, "aa-support/18.4818/ds/movement") for form in LABEL_FORMS)
    shot = storm(weak.copy(), (1, 1))
    assert [e.kind for e in shot.events][:3] == ["aa-fire", "air-hit", "overrun"]


def test_antiaircraft_of_overruns_fires_once_a_phase(weak: State) -> None:
    over(weak, "ds", AXIS, DEFENSIVE_SUPPORT, 9)
    ctx = storm(weak, (6, 6), times=2)
    assert [e.kind for e in ctx.events] == ["aa-fire", "void", "void"]


def test_no_fire_for_an_overrun_that_can_not_be(weak: State) -> None:
    over(weak, "ds", AXIS, DEFENSIVE_SUPPORT, 9)
    assert [e.kind for e in storm(weak, (), units="b").events] == ["void"]


def test_ground_support_that_no_attack_uses_is_told_beforehand(state: State) -> None:
    """WD 20.F.2.c: where nobody attacks the hex it comes to nothing; what was turned back is no matter any more."""
    over(state, "gs", ALLIED, GROUND_SUPPORT, 4)
    over(state, "away", ALLIED, GROUND_SUPPORT, 4, "C")
    over(state, "back", ALLIED, GROUND_SUPPORT, 4, "D", fate="turned_back")
    ctx: Ctx[State] = Ctx(state, apply, on=4, remarks=[])
    drive(combat_phase(ctx, ALLIED, orders(ATTACK), (3,)), fixed(4))
    found = [remark for remark in ctx.remarks or () if remark.rule == "WD 20.F.2.c"]
    assert [(remark.code, remark.seq, remark.text.split(" ")[0]) for remark in found] == [("idle", 3, "away")]
