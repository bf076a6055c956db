"""The switch ``cadre_pool``: an eliminated cadre goes into the pool as its division, or by itself (WD 29.B.pool)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.engine.dice import Scripted
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.leaving import candidates
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.sea.sailing import sail
from adjudicator.western_desert.sea.tables import SUNK, sea_tables
from adjudicator.western_desert.sea.voyages import UNIT, Item
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import BREAKDOWN, Boxed, State
from adjudicator.western_desert.victory.points import count_of
from tests.western_desert.ground import cites, kinds
from tests.western_desert.optional import Game, changes, differing, flat, told
from tests.western_desert.test_arrivals import began, goes, order, phase, where
from tests.western_desert.turns import AIR, COMBAT, MOVEMENT, NO_EXPLOITATION

DIVISION, PARTS = "au-6-xx", ("au-16", "au-17", "au-19", "au-6-hq")
ARIETE = "it-132"
CAIRO, TRIPOLI = "19/3127", "18/0222"
KINDS = ["", "cadre"]


def set_up(state: State, uid: str, switch: str, at: str = CAIRO, cadre: bool = True) -> State:
    """A division on the map, as a cadre; where it has components they lie in its box."""
    state.world = replace(state.world, switches={"cadre_pool": switch} if switch else {}, cache={})
    state.place(uid, state.board.find(at), cadre=cadre)
    for part in PARTS if uid == DIVISION else ():
        state.put_by(part, "assembled", DIVISION)
    return state


def lost(switch: str, uid: str = DIVISION, cadre: bool = True) -> State:
    """The division is eliminated."""
    side = "axis" if uid == ARIETE else "allied"
    state = set_up(began(side=side), uid, switch, cadre=cadre)
    remove(Ctx(state, apply), uid, "WD 9.C", ())
    return state


def attacked(switch: str) -> Game:
    """The cadre of the 6th Australian Division is attacked until it is eliminated."""
    for chance in range(30):
        game = Game("Mar I 41", "axis", chance=chance)
        set_up(game.state, DIVISION, switch, "19/1230")
        attackers = ["it-62", "it-63", "it-64"]
        for uid in attackers:
            game.at(uid, "19/1330")
        attack = {"type": "attack", "hex": "19/1230", "with": attackers}
        game.go({"type": "pass"}, MOVEMENT, AIR, COMBAT, attack, NO_EXPLOITATION)
        if any(event.kind == "eliminated" and event.data["unit"] == DIVISION for event in game.story):
            return game
    raise AssertionError("no die eliminates the cadre")


def test_the_switch_changes_what_it_should_and_nothing_else() -> None:
    """Ruling CADRE-POOL, with its switch: the same attack on the same dice."""
    without, with_it = attacked(""), attacked("cadre")
    told(
        differing(without.story, with_it.story),
        ["eliminated pool:  -> cadre", *(f"eliminated units/{part}: there -> " for part in PARTS)],
    )
    after = [f"boxes/{DIVISION}/box: breakdown -> "]
    after += [f"gone/{DIVISION}/step:  -> cadre", f"gone/{DIVISION}/why:  -> eliminated"]
    for part in PARTS:
        after += [f"boxes/{part}/box:  -> assembled", f"boxes/{part}/of:  -> {DIVISION}"]
        after.append(f"gone/{part}/why: eliminated -> ")
    told(changes(flat(position(without.state)), flat(position(with_it.state))), after)
    assert without.rolled == with_it.rolled


@pytest.mark.parametrize("switch", KINDS)
def test_what_goes_into_the_pool(switch: str) -> None:
    """Ruling CADRE-POOL: all components and the headquarters, or the cadre alone; points count what lies there."""
    state = lost(switch)
    if switch:
        assert state.gone == {DIVISION: "eliminated"} and state.reduced == {DIVISION}
        assert state.parts_of(DIVISION) == [*PARTS]
    else:
        assert state.gone == dict.fromkeys(PARTS, "eliminated") and not state.reduced
        assert state.boxes == {DIVISION: Boxed(BREAKDOWN)}
    assert count_of(state, "allied").pool2 == (2 if switch else 8)
    again = restore(state.world, position(state))
    assert position(again) == position(state) and again.reduced == state.reduced == state.copy().reduced


@pytest.mark.parametrize("switch", KINDS)
def test_a_whole_division_goes_there_in_its_components_either_way(switch: str) -> None:
    """Ruling CADRE-POOL: overrun, or without a way out (WD 13.elim, 9.F.1.none)."""
    state = lost(switch, cadre=False)
    assert state.gone == dict.fromkeys(PARTS, "eliminated") and not state.reduced


@pytest.mark.parametrize(("switch", "points", "vp"), [("", 24, 4), ("cadre", 8, 2)])
def test_a_division_without_components_lies_there_whole_or_as_a_cadre(switch: str, points: int, vp: int) -> None:
    """Ruling CADRE-POOL: two points and one more for a division, one point for a cadre (WD 29.B)."""
    state = lost(switch, ARIETE)
    assert state.gone == {ARIETE: "eliminated"} and count_of(state, "axis").pool2 == vp
    state.points = {"italian_armor": points - 1}
    assert cites(phase(state, order("replace", unit=ARIETE, at=TRIPOLI)).problems) == ["WD 29.B.cost"]
    state.points = {"italian_armor": points}
    ctx = phase(state, order("replace", unit=ARIETE, at=TRIPOLI))
    assert where(ctx, ARIETE) == TRIPOLI and ctx.state.points == {}
    assert ctx.state.pieces[ARIETE].cadre is bool(switch) and not ctx.state.reduced
    assert [event.get("step", "") for event in kinds(ctx, "replaced")] == [switch]


def test_a_cadre_comes_back_as_one_and_is_a_division_again_for_the_rest() -> None:
    """WD 29.B, 29.B.cadre: its components are in its box again."""
    state = lost("cadre")
    state.points = {"australian_non_armor": 8 + 16}
    ctx = phase(state, order("replace", unit=DIVISION, at=CAIRO), order("rebuild", 1, unit=DIVISION))
    assert not ctx.problems and ctx.state.points == {}
    assert not ctx.state.pieces[DIVISION].cadre and ctx.state.parts_of(DIVISION) == [*PARTS]


def test_a_cadre_needs_no_room_for_a_division() -> None:
    """WD 8.A, 3.A.2: three divisions stand in Tripoli."""
    state = lost("cadre", ARIETE)
    for uid in ("it-62", "it-63", "it-64"):
        state.place(uid, state.board.find(TRIPOLI))
    state.points = {"italian_armor": 24}
    assert where(phase(state, order("replace", unit=ARIETE, at=TRIPOLI)), ARIETE) == TRIPOLI


def test_a_cadre_is_scrapped_as_one() -> None:
    """WD 29.B.scrap: half a point for its RE, and one RE counts as scrapped."""
    ctx = phase(lost("cadre"), order("scrap", units=[DIVISION]))
    assert ctx.state.points == {"australian_non_armor": 4}
    assert count_of(ctx.state, "allied").scrapped2 == 2
    assert phase(lost(""), order("scrap", units=[*PARTS])).state.points == {"australian_non_armor": 16}


def test_a_cadre_in_the_pool_serves_for_no_withdrawal() -> None:
    """Ruling WITHDRAW-CADRE: neither it nor its components."""
    for name in (DIVISION, "au-16"):
        state = lost("cadre")
        row = {**goes(name), "side": "allied", "turn": "Mar I 41"}
        assert candidates(state, row) == []
    assert candidates(lost(""), {**goes("au-16"), "side": "allied"})[0] == "au-16"


@pytest.mark.parametrize("switch", KINDS)
def test_a_cadre_that_is_sunk(switch: str) -> None:
    """Ruling CADRE-POOL: at sea as on land (WD 26.C.result)."""
    state = set_up(began(side="axis", turn="Jul I 41"), ARIETE, switch, TRIPOLI)
    tables = sea_tables(state.world)
    dice = next([n] for n in range(2, 13) if tables.affected(state.malta, n))
    sinks = [next(die for die in range(1, 7) if tables.result(die) == SUNK)]
    ends = state.board.find(TRIPOLI), state.board.find("18/0602")
    ctx: Ctx[State] = Ctx(state, apply)
    drive(sail(ctx, "axis", Item(UNIT, ARIETE, 2), *ends, ()), Scripted({"malta": dice, "shipping": sinks}))
    assert state.gone == {ARIETE: "eliminated"} and state.reduced == ({ARIETE} if switch else set())


def test_the_situation_tells_a_cadre_from_a_division() -> None:
    text = "\n".join(situation(lost("cadre", ARIETE), "axis"))
    assert "(cadre)" in text and "(cadre)" not in "\n".join(situation(lost("", ARIETE), "axis"))
