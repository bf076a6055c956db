"""Overruns in play (WD 13): what they do to the position, what follows them, what bars them."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.overrun import overrun_options, plan_overrun
from adjudicator.western_desert.state import State, Supply
from tests.western_desert.ground import chance_dice, cites, kinds, run, scattered, start

HERE, THERE, BEYOND = "19/0830", "19/0829", "19/0828"
ARMOR = ("br-4-arm-a", "br-7-arm-a")


def meeting(*enemies: str, friends: tuple[str, ...] = ARMOR, phase: str = "movement") -> State:
    """Allied units in the open desert next to enemy ones, everybody else far away."""
    state = start()
    state.phase = state.step = phase
    for uid in (*enemies, *friends):
        if uid in state.pieces:
            state.take_off(uid, "test")
            del state.gone[uid]
    for uid in enemies:
        state.place(uid, state.board.find(THERE))
    for uid in friends:
        state.place(uid, state.board.find(HERE))
    return state


def overrun(index: int = 0, units: tuple[str, ...] = ARMOR, **more: Tree) -> Order:
    return Order(index, "overrun", {"units": list(units), "hex": THERE, **more})


def weakling(state: State) -> str:
    """An Italian unit of strength 0, by which an overrun is certain."""
    return next(uid for uid, unit in sorted(state.world.units.items()) if unit.side == "axis" and not unit.defense)


def test_who_is_overrun_is_gone_and_the_overrunners_enter_and_go_on() -> None:
    state = meeting(weakling(start()))
    ctx = run(state, [overrun(advance="all"), Order(1, "move", {"unit": ARMOR[0], "to": BEYOND, "by": "foot"})])
    assert ctx.problems == []
    found = ctx.state
    assert weakling(found) in found.gone and weakling(found) not in found.pieces
    assert found.board.name(found.hex_of(ARMOR[1])) == THERE
    assert found.board.name(found.hex_of(ARMOR[0])) == BEYOND
    (told,) = kinds(ctx, "overrun")
    assert told["odds"] == "12" and told["defenders"] == [weakling(found)]
    assert found.owner(found.board.find(THERE)) == "allied"
    assert found.pieces[ARMOR[0]].spent2 > found.pieces[ARMOR[1]].spent2 > 0


def test_who_stays_has_paid_as_well() -> None:
    ctx = run(meeting(weakling(start())), [overrun(advance=[ARMOR[0]])])
    one, two = (ctx.state.pieces[uid] for uid in ARMOR)
    assert (one.spent2, one.hex != two.hex) == (two.spent2, True)
    assert two.spent2 > 2 * 2


def test_nobody_enters_unless_it_is_said() -> None:
    ctx = run(meeting(weakling(start())), [overrun()])
    assert kinds(ctx, "advance") == []
    assert all(ctx.state.board.name(ctx.state.hex_of(uid)) == HERE for uid in ARMOR)


def test_supply_in_the_hex_is_rolled_for_by_who_enters_only() -> None:
    state = meeting(weakling(start()))
    state.supply["supply-axis-9"] = Supply(state.board.find(THERE), "axis", 2)
    assert kinds(run(state, [overrun()], chance_dice(1)), "captured") == []
    (told,) = kinds(run(state, [overrun(advance="all")], chance_dice(1)), "captured")
    assert len(told["dice"]) == 2


def test_units_out_of_the_force_may_not_overrun_on_foot_in_exploitation() -> None:
    state = meeting(weakling(start()), friends=(*ARMOR, "br-16"), phase="exploitation")
    assert run(state, [overrun()]).problems == []
    assert "WD 4.A.5" in cites(run(state, [overrun(units=(*ARMOR, "br-16"))]).problems)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"units": ["br-4-arm-a", "br-7-sg"]}, "WD 13"),
        ({"hex": BEYOND}, "WD 13"),
        ({"by": "road"}, "WD 13.road"),
        ({"advance": ["br-7-sg"]}, "WD 13.advance"),
        ({"carried": ["br-16"]}, "WD 6.C"),
        ({"units": ["it-62"]}, "WD 4.B"),
    ],
)
def test_what_bars_an_overrun(change: dict[str, Tree], rule: str) -> None:
    ctx = run(meeting(weakling(start())), [Order(0, "overrun", {**overrun().data, **change})])
    assert rule in cites(ctx.problems), ctx.problems
    assert kinds(ctx, "overrun") == []
    assert all(problem.text for problem in ctx.problems)


def test_too_little_strength_is_told_in_figures() -> None:
    state = meeting("it-62")
    (problem,) = run(state, [overrun()]).problems
    assert problem.rule == "WD 13.odds" and "an overrun needs 10:1" in problem.text


def test_a_unit_without_the_points_is_named() -> None:
    state = meeting(weakling(start()))
    state.pieces[ARMOR[0]].spent2 = state.unit(ARMOR[0]).movement * 2 - 1
    assert cites(run(state, [overrun()]).problems) == ["WD 13.cost", "WD 13.no-min"]


def test_carried_units_overrun_with_their_transport() -> None:
    state = meeting(weakling(start()), friends=("br-16", "transport-1"), phase="exploitation")
    order = overrun(units=("br-16", "transport-1"), transport="transport-1", carried=["br-16"], advance="all")
    ctx = run(state, [order])
    assert ctx.problems == []
    pieces = [ctx.state.pieces[uid] for uid in ("br-16", "transport-1")]
    assert len({(p.hex, p.spent2, p.carrier, p.means) for p in pieces}) == 1
    alone = run(state, [overrun(units=("br-16",), transport="transport-1", carried=["br-16"], advance=["br-16"])])
    assert "WD 6.C.start" in cites(alone.problems)


def test_an_overrun_opens_the_way_for_others() -> None:
    state = meeting(weakling(start()), friends=(*ARMOR, "br-7-sg"))
    through = Order(1, "move", {"unit": "br-7-sg", "path": [THERE, BEYOND], "by": "foot"})
    assert run(state, [overrun(), through]).problems == []
    assert "WD 8.B.coexist" in cites(run(state, [through]).problems)


def test_who_entered_last_is_halted_where_the_hex_is_too_full() -> None:
    state = meeting(weakling(start()))
    brigades = [uid for uid in state.side_units("allied") if state.unit(uid).size == "brigade" and uid not in ARMOR]
    others = [uid for uid in brigades if not state.unit(uid).artillery and state.unit(uid).movement > 4][:5]
    for uid in others:
        state.shift(uid, state.board.find(BEYOND))
    moves = [Order(n, "move", {"unit": uid, "path": [THERE], "by": "foot"}) for n, uid in enumerate(others, 1)]
    spent2 = run(state, [overrun(advance="all")]).state.pieces[ARMOR[1]].spent2
    ctx = run(state, [overrun(advance="all"), *moves])
    assert cites(ctx.problems) == ["WD 8"]
    assert [row["unit"] for row in kinds(ctx, "halt")] == [others[-1]]
    entering = Order(9, "move", {"unit": ARMOR[0], "path": [THERE], "by": "foot"})
    late = run(state, [overrun(), *moves, entering])
    assert late.problems == [] and late.state.pieces[ARMOR[1]].spent2 == spent2


@pytest.mark.parametrize("seed", range(25))
def test_listed_overruns_are_lawful_and_leave_a_sound_position(seed: int) -> None:
    state = scattered(seed, units=60)
    field = Field(state, state.player)
    for (_origin, h), units in overrun_options(field, state.player).items():
        order = Order(0, "overrun", {"units": list(units), "hex": state.board.name(h), "advance": "all"})
        made = plan_overrun(field, state.player, order)
        assert made.problems == [], made.problems
        ctx = run(state, [order], chance_dice(seed))
        assert not [problem for problem in ctx.problems if problem.code not in ("stacking", "divisions", "light_tank")]
        wrong = [line for line in faults(ctx.state) if "game" not in line and "is no " not in line]
        assert not [line for line in wrong if "index" in line or "both sides" in line or "controlled" in line], wrong
        assert all(uid in ctx.state.gone for uid in made.targets)
