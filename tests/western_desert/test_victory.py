"""Victory in play (WD 31): latches, captures, checks, the end; the tally is reckoned anew from the events."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from adjudicator.engine.core import Ctx, Event
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.control import emit_flips
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import State, turn_number
from adjudicator.western_desert.theatre.invading import invade
from adjudicator.western_desert.victory.levels import automatic_level, level
from adjudicator.western_desert.victory.territory import cities, periods
from tests.western_desert.accounts import Accounts
from tests.western_desert.endings import before_the_end, campaign, ended
from tests.western_desert.test_properties_games import SEEDS, game

ENDINGS = range(8)


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def quiet(turn: int = 20) -> State:
    """A phase in which nobody holds anything that counts."""
    state = before_the_end(0, turn)
    state.control, state.met, state.vp2, state.tally = {}, frozenset(), {}, {}
    state.phase = state.step = "movement"
    state.air.clear()
    return state


def take(state: State, side: str, places: Iterable[int]) -> list[Event]:
    """Ground changes hands."""
    ctx: Ctx[State] = Ctx(state, apply)
    emit_flips(ctx, dict.fromkeys(places, side))
    return ctx.events


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tally_of_games_of_chance_adds_up(seed: int) -> None:
    for stretch in game(seed):
        accounts = Accounts(stretch.before, "compass").follow(stretch.events)
        assert accounts.faults == []
        assert {s: n for s, n in accounts.books.items() if n} == {
            s: Fraction(half, 2) for s, half in stretch.after.vp2.items() if half
        }


@pytest.mark.parametrize("seed", ENDINGS)
def test_the_last_turn_ends_the_game_with_what_the_books_say(seed: int) -> None:
    before = before_the_end(seed)
    run = ended(before)
    assert run.waits.why == "over"
    assert run.state.phase == "victory"
    assert faults(run.state) == []
    accounts = Accounts(before, "campaign").follow(run.events)
    assert accounts.faults == []
    assert accounts.over == run.state.level != ""
    if any(event.data.get("how") == "tally" for event in run.events if event.kind == "decided"):
        for side in ("allied", "axis"):
            counted = [
                Fraction(str(e.data["vp"]))
                for e in run.events
                if e.rule == "WD chart.vp.end" and e.kind == "vp" and e.data["side"] == side
            ]
            assert sum(counted) == accounts.final(side)
    assert any(line.startswith("Decided") for line in situation(run.state, "axis"))


def test_a_city_in_egypt_counts_once_in_a_period_and_is_paid_after_it() -> None:
    """WD 31.D, 31.D.egypt."""
    state = quiet()
    place = next(h for h in cities(state.world, "egypt") if h not in cities(state.world, "delta"))
    events = take(state, "axis", [place])
    assert kinds(events) == ["control", "held"]
    take(state, "allied", [place])
    assert "held" not in kinds(take(state, "axis", [place]))
    assert state.vp2 == {}
    assert any("Axis +10 a city in Egypt" in line for line in situation(state, "axis"))


def test_captures_pay_once_and_with_the_switch_each_time() -> None:
    """WD chart.vp.capture."""
    for switch, paid in (({}, 40), ({"capture_vp": "each"}, 80)):
        state = quiet()
        state.world = campaign().start().world
        state.world = type(state.world)(**{**vars(state.world), "switches": switch})
        malta = cities(state.world, "malta")
        for side in ("axis", "allied", "axis"):
            take(state, side, malta)
        assert state.vp2["axis"] == paid


def test_conditions_wait_for_the_end_of_the_player_turn_with_the_switch() -> None:
    state = quiet()
    state.world = type(state.world)(**{**vars(state.world), "switches": {"vp_latch": "player_turn_end"}})
    place = cities(state.world, "egypt")[0]
    assert kinds(take(state, "axis", [place])) == ["control"]
    state.phase = state.step = "exploitation"
    assert "axis/egypt" in ended(state).state.met


@pytest.mark.parametrize(
    ("side", "region", "turn", "level"),
    [
        ("allied", "libya", 26, "allied decisive"),
        ("allied", "libya", 27, "allied major"),
        ("axis", "delta", 26, "axis decisive"),
        ("axis", "delta", 52, "axis major"),
    ],
)
def test_all_cities_win_at_once_and_nothing_after_it_counts(side: str, region: str, turn: int, level: str) -> None:
    """WD 31.B."""
    state = quiet(turn)
    *rest, last = cities(state.world, region)
    take(state, side, rest)
    assert state.level == ""
    assert kinds(take(state, side, [last])) == ["control", "decided"]
    take(state, {"axis": "allied", "allied": "axis"}[side], [last])
    state.phase = state.step = "exploitation"
    run = ended(state)
    assert (run.state.level, run.state.phase, run.waits.why) == (level, "victory", "over")
    assert "vp" not in kinds(run.events)


def test_victories_have_their_rank() -> None:
    """Ruling VICTORY-NAMES: decisive and major ones come automatically, substantial and marginal ones by the ratio."""
    world = campaign().world
    by_ratio = [level(world, Fraction(allied), Fraction(12)) for allied in (24, 23, 17, 11, 7)]
    assert by_ratio == ["allied substantial", "allied marginal", "draw", "axis marginal", "axis substantial"]
    assert [automatic_level(turn) for turn in (26, 27)] == ["decisive", "major"]


def test_periods_follow_one_another() -> None:
    found = periods(campaign().world)
    assert [one.last + 1 for one in found[:-1]] == [two.first for two in found[1:]]
    assert (found[0].first, found[-1].last) == (1, 52)


@pytest.mark.parametrize(("turn", "phase"), [("Jan I 43", "initial"), ("Jan II 43", "victory")])
def test_the_campaign_ends_after_jan_ii_43(turn: str, phase: str) -> None:
    """WD 31, 31.A, 31.E: play goes on until then, and the totals are compared."""
    state = quiet(turn_number(turn))
    state.phase = state.step = "exploitation"
    run = ended(state)
    assert run.state.phase == phase
    assert [event.rule for event in run.events if event.kind == "decided"] == ["WD 31.E"] * (phase == "victory")


def test_vichy_forces_capture_nothing_for_the_axis() -> None:
    """Ruling CAPTURE-REPEAT: the Levant is captured once Axis units themselves have taken what Vichy held."""
    state = quiet()
    state.phase = state.step = "movement"
    state.player, levant = "allied", cities(state.world, "levant")
    state.control |= dict.fromkeys(levant, "vichy")
    ctx: Ctx[State] = Ctx(state, apply)
    invade(ctx, "allied", ())
    assert {state.owner(h) for h in levant} == {"axis"} and state.theatre.vichy_cities == set(levant)
    assert "conquest" not in kinds(ctx.events) and "conquest" not in kinds(take(state, "axis", levant[:1]))
    assert restore(state.world, position(state)).theatre == state.theatre
    german = next(uid for uid in state.side_units("axis") if state.world.units[uid].nat != "vichy")
    for h in levant:
        state.shift(german, h)
    assert state.theatre.vichy_cities == frozenset()
    assert "conquest" in kinds(take(state, "axis", levant[:1]))
    assert state.vp2["axis"] == 20
