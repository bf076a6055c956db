"""Reinforcements, supplies and replacement points on their way from Europe and to Malta (WD 26.C, 28.D, 29.A, 29.B)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx, Event
from adjudicator.western_desert.cases.build import find_hex
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.sea.stakes import sea_stake
from adjudicator.western_desert.state import State
from tests.western_desert.ground import cites, kinds
from tests.western_desert.skirmish import fixed
from tests.western_desert.test_arrivals import Entry, began, comes, order, phase, where

TRIPOLI, DERNA, BARDIA, VALLETTA = "18/0222", "18/4117", "19/0325", "18/0408"
THROUGH, AFFECTED = (2, 3), (5, 5)  # 5 and 10 at a status of 4


def besieged(*entries: Entry, side: str = "axis", status: int = 4, turn: str = "Mar I 41") -> State:
    state = began(*entries, side=side, turn=turn)
    state.malta = status
    return state


def supply(steps: int, area: str = "europe") -> Entry:
    return {"kind": "supply", "steps": str(steps), "area": area}


def points(nat: str, count: str = "1") -> Entry:
    return {"id": "p", "kind": "replacement", "nat": nat, "rp": "armor", "points": count, "area": "europe"}


def told(ctx: Ctx[State], kind: str) -> list[Event]:
    return [event for event in ctx.events if event.kind == kind]


def used(state: State, place: str) -> int:
    return state.used2.get(state.board.find(place), 0)


def test_the_example_of_the_rulebook() -> None:
    """WD 26.C: a counter of two steps lost, a regiment through, a replacement point turned back."""
    state = besieged(comes("ge-5pz", "europe"), supply(2), points("german"))
    state.turn = 7
    ctx = phase(state, dice=fixed(4, 4, 3, 2, 3, 5, 5, 2))
    assert [(event.data["item"], event.data["result"]) for event in told(ctx, "voyage")] == [
        ("supply-axis-arrived-1", "lost"),
        ("ge-5pz", "arrives"),
        ("german_armor", "turned_back"),
    ]
    assert not ctx.state.depots and not ctx.state.supply and where(ctx, "ge-5pz") == TRIPOLI
    assert (ctx.state.points, ctx.state.afar) == ({}, {"german_armor": 8})
    assert used(ctx.state, TRIPOLI) == 2 * (4 + 1 + 1)  # whatever came of them (ruling CAPACITY-USED)
    assert ctx.state.turned == {"german_armor"}
    assert position(restore(ctx.state.world, position(ctx.state))) == position(ctx.state)


@pytest.mark.parametrize(("die", "box", "gone"), [(1, "", "eliminated"), (2, "europe", ""), (4, "", "")])
def test_a_unit_is_sunk_turned_back_or_unharmed(die: int, box: str, gone: str) -> None:
    """WD 26.C.result."""
    ctx = phase(besieged(comes("ge-5pz", "europe")), dice=fixed(*AFFECTED, die))
    kept = ctx.state.boxes.get("ge-5pz")
    assert (kept.box if kept else "", ctx.state.gone.get("ge-5pz", "")) == (box, gone)
    assert (where(ctx, "ge-5pz") == TRIPOLI) == (die == 4)
    assert [f for f in faults(ctx.state) if "ge-5pz" in f] == []


def test_units_that_are_not_replaced_are_lost_for_good() -> None:
    """WD 29.B.pool."""
    state = besieged(comes("it-5l", "europe"))
    unit = state.world.units["it-5l"]
    state.world = replace(state.world, units={**state.world.units, "it-5l": replace(unit, replaceable=False)})
    ctx = phase(state, dice=fixed(*AFFECTED, 1))
    assert ctx.state.gone["it-5l"] == "permanent"


def test_a_counter_loses_steps() -> None:
    ctx = phase(besieged(supply(2)), dice=fixed(*AFFECTED, 5))
    counter = ctx.state.supply["supply-axis-arrived-1"]
    assert (counter.steps, used(ctx.state, TRIPOLI)) == (1, 8)


def test_each_point_is_rolled_for() -> None:
    """Two and a half points are three items (WD 26.C, 29.B.ship): through, sunk, turned back."""
    ctx = phase(besieged(points("german", "5/2")), dice=fixed(*THROUGH, *AFFECTED, 1, *AFFECTED, 2))
    assert (ctx.state.points, ctx.state.afar) == ({"german_armor": 8}, {"german_armor": 4})
    assert used(ctx.state, TRIPOLI) == 5


def test_what_is_turned_back_waits_for_the_next_turn() -> None:
    """Ruling REINF-RETURN."""
    orders = (order("reinforce", unit="ge-5pz"), order("reinforce", 1, unit="ge-5pz"))
    ctx = phase(besieged(comes("ge-5pz", "europe")), *orders, dice=fixed(*AFFECTED, 2))
    assert [problem.code for problem in ctx.problems] == ["turned_back"]
    ctx.emit("phase", "WD 4.A", turn="Mar II 41", player="axis", phase="initial")
    later = phase(ctx.state, dice=fixed(*THROUGH))
    assert where(later, "ge-5pz") == TRIPOLI


def test_map_19_is_closed_to_the_axis_before_june_1941() -> None:
    """WD 26.D; from then on its own status numbers hold there."""
    there = order("reinforce", unit="ge-5pz", at=BARDIA)
    ctx = phase(besieged(comes("ge-5pz", "europe")), there)
    assert [problem.rule for problem in ctx.problems] == ["WD 26.D"]
    ctx = phase(besieged(comes("ge-5pz", "europe", turn="Jul I 41"), turn="Jul I 41"), there, dice=fixed(4, 4, 4))
    (roll,) = told(ctx, "malta-roll")
    assert (roll.rule, roll.data["status"], roll.data["result"]) == ("WD 26.D.status", "3", "X")


@pytest.mark.parametrize(
    ("place", "passed"),
    [
        ("Haifa", "eastern"),
        ("Larnaca", "eastern"),
        ("Rhodes", "eastern"),
        ("Candia", ""),
        ("Catania", ""),
        ("Valletta", ""),
    ],
)
def test_any_port_that_the_axis_player_holds_may_be_landed_at(place: str, passed: str) -> None:
    """WD 26.B.1, 29.A.2.ground: on islands and in Palestine too, past what is to be passed there (WD 26.C, 26.D)."""
    state = besieged(comes("ge-5pz", "europe", turn="Jul I 41"), turn="Jul I 41")
    h = find_hex(state.board, place)
    ordered = order("reinforce", unit="ge-5pz", at=state.board.name(h))
    state.control[h] = "allied"
    assert cites(phase(state, ordered).problems)[:1] == ["WD 29.A.2.ground"]
    state.control[h] = "axis"
    ctx = phase(state, ordered, dice=fixed(*THROUGH) if passed else fixed())
    assert not ctx.problems and where(ctx, "ge-5pz") == state.board.name(h)
    assert [event.data["danger"] for event in told(ctx, "voyage")] == ([passed] if passed else [])


def test_unasked_they_are_shipped_to_africa_and_points_nowhere_else() -> None:
    """WD 29.B.ship: replacement points are shipped to Africa."""
    state = besieged(comes("ge-5pz", "europe"), points("german"))
    for h, info in state.board.land.items():
        if info.country in ("Libya", "Egypt"):
            state.control[h] = "allied"
    ctx = phase(state, dice=fixed())
    assert ctx.state.boxes["ge-5pz"].box == "europe" and ctx.state.afar == {"german_armor": 8}
    catania = state.board.name(find_hex(state.board, "Catania"))
    assert cites(phase(state, order("reinforce", rp="german_armor", at=catania)).problems) == ["WD 29.B.ship"]


def test_small_ports_take_what_they_can() -> None:
    """WD 26.A.1: the rest goes to the next port."""
    state = besieged(supply(2), comes("ge-5pz", "europe"))
    state.port_hits[state.board.find(TRIPOLI)] = 5
    ctx = phase(state, dice=fixed(*THROUGH, *THROUGH))
    assert where(ctx, "ge-5pz") == TRIPOLI
    assert state.board.name(ctx.state.supply["supply-axis-arrived-1"].hex) != TRIPOLI


@pytest.mark.parametrize(("status", "die", "through"), [(11, 2, True), (11, 1, False), (12, 2, False), (12, 3, True)])
def test_runs_to_malta(status: int, die: int, through: bool) -> None:
    """WD 28.D.ship, 29.A.1.malta."""
    ctx = phase(besieged(comes("br-2ch", "malta"), side="allied", status=status), dice=fixed(die))
    assert (where(ctx, "br-2ch") == VALLETTA) == through
    assert (ctx.state.turned == {"br-2ch"}) != through
    (run,) = told(ctx, "voyage")
    assert (run.data["modifier"], run.rule) == ("-1" if status > 11 else "", "WD 28.D.ship")


def test_who_is_formed_on_malta_runs_no_risk() -> None:
    """``shipped: no`` of the order of battle: no die, no port."""
    phase(besieged(comes("br-3m", "malta"), side="allied"), dice=fixed(6))  # it tells the next nothing
    ctx = phase(besieged(comes("br-3m", "malta", shipped="no"), side="allied"), dice=fixed())
    assert where(ctx, "br-3m") == VALLETTA and not ctx.state.used2


def test_labels_and_stakes_know_the_rolls() -> None:
    """The side that rolls gains by what it stops (PROTOCOL 12); a counter of one step is lost whatever the die."""
    state = besieged(comes("ge-5pz", "europe"), supply(1), points("german"))
    ctx = phase(state, dice=fixed(*AFFECTED, 5, 2, 3, *AFFECTED, 1))
    events = [event for event in ctx.events if event.data.get("label")]
    assert [event.kind for event in events] == ["malta-roll", "voyage", "malta-roll", "malta-roll", "voyage"]
    for event in events:
        label = str(event.data["label"])
        assert sum(re.fullmatch(form, label) is not None for form in LABEL_FORMS) == 1, label
    worth = [sea_stake(ctx.state.world, event, "allied") for event in events]
    assert [(one.what, int(one.value)) for one in worth if one] == [
        ("Malta table", 1),
        ("Malta table", 0),
        ("Malta table", 1),
        ("shipping results", 1),
    ]
    assert kinds(ctx, "supply-landed") == []
