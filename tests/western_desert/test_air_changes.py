"""Withdrawals and conversions of air units (WD 29.C, 29.C.missing, 29.D; ruling SURVIVE-AIR-WITHDRAW)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.air.changing import convert_problems, due, may_go, open_rows
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.state import AIR_POOL, Air, Boxed, Sortie, State
from tests.western_desert.skirmish import told
from tests.western_desert.test_air_arrivals import at_turn, run
from tests.western_desert.test_air_movement import at

HEINKEL, HEINKEL2 = "air-he-111h-1", "air-he-111h-2"
BLEN1, BLEN2, BOSTON = "air-blen-1-1", "air-blen-1-2", "air-a-22-2"


def leaving(**states: bool) -> State:
    """The Axis turn on which a He 111H must go, with air units at Tobruk, operative or not."""
    state = at_turn("axis", "Apr I 41")
    state.air.clear()
    for aid, operative in states.items():
        state.air[aid.replace("_", "-")] = Air(at(state, "Tobruk"), operative)
    return state

SHIPS = 60
"""More dice than the shipping of a turn takes."""


def gone(ctx: Ctx[State]) -> list[tuple[object, object, object, str]]:
    """Who was withdrawn: the air unit, from where, by whose choice, by which rule."""
    return [(e.data["unit"], e.data["place"], e.data["choice"], e.rule) for e in told(ctx, "withdrawn")]


def go(state: State, *rows: Mapping[str, object]) -> Ctx[State]:
    """The phase; nobody is repaired, and the ships of the turn have dice enough."""
    return run(state, *rows, {"type": "air_repair", "air": "none"}, dice=(3,) * SHIPS)


def test_an_operative_one_of_the_model_goes() -> None:
    state = leaving(air_he_111h_1=False, air_he_111h_2=True)
    assert [row["unit"] for row in due(state)] == [HEINKEL] and may_go(state, due(state)[0]) == [HEINKEL2]
    wrong = go(state.copy(), {"type": "withdraw", "air": [HEINKEL]})
    assert [p.code for p in wrong.problems] == ["operative_first"]
    ctx = go(state.copy())
    assert gone(ctx) == [(HEINKEL2, "map", "default", "WD 29.C")]
    assert ctx.state.boxes[HEINKEL2] == Boxed("withdrawn", HEINKEL) and HEINKEL2 not in ctx.state.air
    assert not faults(ctx.state) or all(HEINKEL2 not in line for line in faults(ctx.state))


def test_the_owner_says_who_goes() -> None:
    state = leaving(air_he_111h_1=True, air_he_111h_2=True)
    ctx = go(state.copy(), {"type": "withdraw", "air": [HEINKEL2]})
    assert gone(ctx) == [(HEINKEL2, "map", "order", "WD 29.C")]
    other = go(state.copy(), {"type": "withdraw", "air": ["air-ju-87b-1"]})
    assert [p.code for p in other.problems] == ["not_due"]


def test_one_on_defensive_support_may_go_from_its_hex() -> None:
    state = leaving(air_he_111h_1=True)
    state.air[HEINKEL].sortie = Sortie(DEFENSIVE_SUPPORT, at(state, "Bardia"), 1)
    assert gone(go(state)) == [(HEINKEL, "map", "default", "WD 29.C")]


def test_one_of_the_pool_costs_points() -> None:
    """The rulebook's example: two victory points and the next German air point."""
    state = leaving()
    state.boxes[HEINKEL] = Boxed(AIR_POOL)
    ctx = go(state)
    assert gone(ctx) == [(HEINKEL, "pool", "default", "WD 29.C.missing")]
    assert (ctx.state.vp2["axis"], ctx.state.owed) == (-4, {"german_air": 8})
    assert told(go(leaving()), "told")[0].data["what"] == "withdrawal"


def converting(**states: bool) -> State:
    """The Allied turn from which a Blen 1 becomes an A-22."""
    state = at_turn("allied", "Sep I 41")
    state.converted = tuple(str(row["id"]) for row in open_rows(state, "allied") if BOSTON not in str(row["to"]))
    state.air = {aid.replace("_", "-"): Air(at(state, "Alexandria"), op) for aid, op in states.items()}
    return state


def test_a_conversion_happens_where_the_air_unit_is() -> None:
    """WD 29.D, 29.D.pool."""
    ctx = go(converting(air_blen_1_1=False))
    (event,) = (e for e in told(ctx, "converted") if e.data["into"] == [BOSTON])
    assert (event.data["units"], event.data["choice"], event.rule) == ([BLEN1], "default", "WD 29.D")
    assert (ctx.state.air[BOSTON].hex, ctx.state.air[BOSTON].operative) == (at(ctx.state, "Alexandria"), False)
    assert BLEN1 not in ctx.state.air and ctx.state.gone[BLEN1] == "converted"
    pool = converting()
    pool.boxes[BLEN1] = Boxed(AIR_POOL)
    after = go(pool)
    assert after.state.boxes[BOSTON].box == AIR_POOL
    assert [e.rule for e in told(after, "converted") if e.data["into"] == [BOSTON]] == ["WD 29.D.pool"]


def test_the_owner_chooses_among_the_model_and_the_enemy_bars_it() -> None:
    state = converting(air_blen_1_1=True, air_blen_1_2=True)
    ctx = go(state.copy(), {"type": "convert", "air": BLEN2})
    assert [e.data["units"] for e in told(ctx, "converted") if e.data["into"] == [BOSTON]] == [[BLEN2]]
    near = state.board.open_neighbours(at(state, "Alexandria"))
    state.place("it-26ass", next(iter(near)))
    assert [p.code for p in convert_problems(state, BLEN1)] == ["adjacent_enemy"]
    state.air[BLEN2].sortie = Sortie(DEFENSIVE_SUPPORT, at(state, "Alexandria"), 1)
    assert [p.code for p in convert_problems(state, BLEN2)] == ["flying"]
    barred = go(state, {"type": "convert", "air": BLEN1})
    assert [p.rule for p in barred.problems] == ["WD 29.D"]
    assert not [e for e in told(barred, "converted") if e.data["into"] == [BOSTON]]
