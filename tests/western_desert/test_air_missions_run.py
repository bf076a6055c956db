"""The mission step: antiaircraft before bombs, each kind of bombing with its caps, harassment (WD 16.C.4, 20.F, 22)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import flight_of
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import Air, State
from tests.western_desert.skirmish import told
from tests.western_desert.sorties import (
    BLEN,
    BLEN_2,
    HURRI,
    JU_52,
    JU_87,
    ME,
    PARA,
    WELL,
    Script,
    air_phase,
    at,
    carry_out,
    empty,
    kinds,
    lay,
    over,
)


@pytest.fixture
def state() -> State:
    """The Allied air phase of Compass, with nobody in the air."""
    return air_phase()


def test_antiaircraft_fires_before_bombs_and_stops_who_is_hit(state: State) -> None:
    over(state, BLEN, air.PORT, "Tobruk")
    over(state, BLEN_2, air.PORT, "Tobruk")
    script = Script({f"aa/18.4818/{BLEN}": 2}, bomb=6)
    ctx = carry_out(state, script)
    assert kinds(ctx) == ["aa-fire", "air-hit", "aa-fire", "bombing", "port-hit"]
    first = told(ctx, "aa-fire")[0]
    assert [first.data[key] for key in ("side", "air", "strength", "column")] == ["axis", BLEN, "4", "4"]
    assert (first.data["modifier"], first.data["roll"], first.data["used"]) == ("1", "2", "3")
    assert first.data["fate"] and told(ctx, "air-hit")[0].data["cause"] == "aa"
    assert told(ctx, "bombing")[0].data["with"] == [BLEN_2]
    assert [(roll.kind, roll.count, roll.who) for roll in script.rolls] == [
        ("antiaircraft", 2, "axis"),
        ("antiaircraft", 2, "axis"),
        ("bombing", 1, "allied"),
    ]
    assert state.port_hits == {at(state, "Tobruk"): 1}


def test_a_strength_that_always_misses_has_no_die(state: State) -> None:
    over(state, BLEN, air.PORT, "Tobruk", extended=True)
    ctx = carry_out(state)
    (bombing,) = told(ctx, "bombing")
    assert (bombing.data["strength"], bombing.data["column"], bombing.data["result"]) == ("1", "", "M")
    assert "die" not in bombing.data


def test_those_of_a_party_make_one_attack(state: State) -> None:
    for aid in (BLEN, BLEN_2):
        over(state, aid, air.PORT, "Tobruk", party=BLEN)
    ctx = carry_out(state)
    (bombing,) = told(ctx, "bombing")
    assert (bombing.data["with"], bombing.data["strength"], bombing.data["label"]) == (
        [BLEN, BLEN_2],
        "6",
        f"bomb/18.4818/{BLEN}",
    )


@pytest.mark.parametrize(("before", "effect", "after"), [(0, "port-hit", 1), (6, "ignored", 6)])
def test_hits_on_a_port_up_to_its_maximum(state: State, before: int, effect: str, after: int) -> None:
    tobruk = at(state, "Tobruk")
    state.port_hits[tobruk] = before
    over(state, WELL, air.TACTICAL_PORT, "Tobruk")
    ctx = carry_out(state, Script(bomb=6))
    assert told(ctx, "bombing")[0].data["effect"] == effect
    assert told(ctx, "bombing")[0].rule == "WD 20.F.2.g"
    assert state.port_hits[tobruk] == after


def test_hits_on_an_airbase_until_it_has_no_capacity(state: State) -> None:
    for aid in (BLEN, BLEN_2):
        over(state, aid, air.AIRBASE, "Derna")
    ctx = carry_out(state, Script(bomb=6))
    assert [event.data["effect"] for event in told(ctx, "bombing")] == ["airbase-hit", "ignored"]
    (hit,) = told(ctx, "airbase-hit")
    assert (hit.data["what"], hit.data["after"], hit.data["air"]) == ("airbase", "1", [BLEN])
    assert state.base_hits == {at(state, "Derna"): 1}


def test_air_units_at_their_base_first_inoperative_then_lost(state: State) -> None:
    state.air[ME], state.air[JU_87] = Air(at(state, "Derna")), Air(at(state, "Derna"))
    for aid in (BLEN, BLEN_2):
        over(state, aid, air.AIR_UNITS, "Derna", targets=(JU_87,))
    over(state, WELL, air.AIR_UNITS, "Derna")
    ctx = carry_out(state, Script(bomb=6))
    bombed = [(event.data["air"], event.data["fate"]) for event in told(ctx, "air-bombed")]
    assert bombed == [(JU_87, "inoperative"), (JU_87, "eliminated"), (ME, "inoperative")]
    assert JU_87 not in state.air and not state.air[ME].operative
    assert state.boxes[JU_87].box == "air_pool"


def test_who_scrambled_is_bombed_no_more(state: State) -> None:
    over(state, ME, air.SCRAMBLE, "Benghazi", base="Derna")
    over(state, BLEN, air.AIR_UNITS, "Derna", targets=(ME,))
    ctx = carry_out(state, Script(bomb=6))
    assert told(ctx, "bombing")[0].data["effect"] == "ignored"
    assert kinds(ctx) == ["aa-fire", "bombing"]


def test_where_chance_picks_the_air_unit_it_has_a_die(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state.world, "switches", {**state.world.switches, "air_target_pick": "random"})
    state.air[ME], state.air[JU_87] = Air(at(state, "Derna")), Air(at(state, "Derna"))
    over(state, BLEN, air.AIR_UNITS, "Derna", targets=(ME,))
    script = Script(bomb=6, bombed=1)
    ctx = carry_out(state, script)
    (bombed,) = told(ctx, "air-bombed")
    assert (bombed.data["air"], bombed.data["die"], bombed.data["label"]) == (JU_87, "1", f"bombed/18.4117/{BLEN}")
    assert script.rolls[-1].faces == 2


def test_a_railroad_breaks_once(state: State) -> None:
    state.player = "axis"
    for aid in (JU_87, "air-ju-87b-2"):
        over(state, aid, air.RAIL, "Matruh", base="Tobruk")
    ctx = carry_out(state, Script(bomb=6))
    assert [event.data["effect"] for event in told(ctx, "bombing")] == ["rail-broken", "ignored"]
    assert told(ctx, "rail-broken")[0].rule == "WD 20.F.2.f"
    assert state.broken == {at(state, "Matruh")}


def test_the_canal_earns_points_and_keeps_its_capacity(state: State) -> None:
    state.player = "axis"
    over(state, "air-he-111h-1", air.CANAL, "Suez", base="Tobruk", night=True)
    ctx = carry_out(state, Script(bomb=6))
    assert kinds(ctx) == ["aa-fire", "bombing", "canal-hit", "vp"]
    assert told(ctx, "vp")[0].data["total"] == "1"
    assert (state.vp2["axis"], state.port_hits) == (2, {})


def test_harassment_of_a_hex_counts_together_into_the_next_turn(state: State) -> None:
    for aid in (BLEN, WELL):
        over(state, aid, air.HARASS, "Sidi Barrani")
    ctx = carry_out(state)
    (event,) = told(ctx, "harassment")
    points = int(str(event.data["points"]))
    assert points == sum(air.craft_of(state.world, aid).tactical for aid in (BLEN, WELL))
    assert state.harassing == {at(state, "Sidi Barrani"): points}
    assert event.data["with"] == [BLEN, WELL]


def test_harassment_that_comes_to_nothing_is_told_and_weighs_nothing(state: State) -> None:
    over(state, BLEN, air.HARASS, "Sidi Barrani", extended=True)
    ctx = carry_out(state)
    assert told(ctx, "harassment")[0].data["points"] == "0"
    assert state.harassing == {}


def test_support_is_fired_at_and_waits_for_combat(state: State) -> None:
    over(state, BLEN, air.GROUND_SUPPORT, "Sidi Barrani")
    ctx = carry_out(state)
    assert kinds(ctx) == ["aa-fire"]
    assert not flight_of(state, BLEN).fate


def test_only_the_phasing_player_is_fired_at_and_no_escort(state: State) -> None:
    over(state, HURRI, air.ESCORT, "Tobruk")
    over(state, ME, air.INTERCEPT, "Tobruk", base="Derna")
    over(state, JU_87, air.DEFENSIVE_SUPPORT, "Matruh", base="Tobruk")
    assert carry_out(state).events == []


def test_day_before_night_and_hex_after_hex(state: State) -> None:
    over(state, WELL, air.PORT, "Derna", night=True)
    over(state, BLEN, air.PORT, "Bardia")
    over(state, BLEN_2, air.PORT, "Benghazi")
    script = Script()
    carry_out(state, script)
    aa = [label for label in script.labels if label.startswith("aa/")]
    assert aa == [f"aa/18.3122/{BLEN_2}", f"aa/19.0325/{BLEN}", f"aa/18.4117/{WELL}"]


def test_nobody_bombs_a_hex_that_has_become_his_own(state: State) -> None:
    empty(state, "Derna")
    state.control[at(state, "Derna")] = "allied"
    over(state, WELL, air.PORT, "Derna", night=True)
    ctx = carry_out(state)
    assert kinds(ctx) == ["skipped"] and ctx.events[0].rule == "WD 20.F.own-hex"


def test_a_position_in_the_midst_is_kept(state: State) -> None:
    over(state, BLEN, air.HARASS, "Sidi Barrani")
    over(state, BLEN_2, air.PORT, "Tobruk")
    carry_out(state, Script(bomb=6))
    assert position(restore(state.world, position(state))) == position(state)


# --- suppression of antiaircraft (WD 33.I) ----------------------------------------------------------------------


def suppressing(state: State) -> State:
    """The same position where the players agreed on it."""
    state.world = replace(state.world, switches={"options": "33.I"}, cache={})
    return state


def test_who_comes_after_a_suppression_is_fired_at_with_more_on_the_dice(state: State) -> None:
    """Each is fired at just before it bombs, in the order flown, support after them; hits add up, and end with the air
    phase (ruling SUPPRESS-ORDER)."""
    over(suppressing(state), BLEN, air.SUPPRESS, "Tobruk")
    over(state, WELL, air.SUPPRESS, "Tobruk")
    over(state, BLEN_2, air.PORT, "Tobruk")
    over(state, HURRI, air.GROUND_SUPPORT, "Tobruk")
    ctx = carry_out(state, Script(bomb=6))
    told_of = [(event.kind, event.data.get("modifier", event.data.get("effect"))) for event in ctx.events]
    assert told_of == [
        ("aa-fire", "1"),
        ("bombing", "aa-suppressed"),
        ("aa-fire", "2"),
        ("bombing", "aa-suppressed"),
        ("aa-fire", "3"),
        ("bombing", "port-hit"),
        ("port-hit", None),
        ("aa-fire", "2"),
    ]
    over(state, BLEN, air.PORT, "Tobruk")
    assert told(carry_out(state), "aa-fire")[0].data["modifier"] == "1"


def test_who_is_shot_down_suppresses_nothing(state: State) -> None:
    over(suppressing(state), BLEN, air.SUPPRESS, "Tobruk")
    over(state, BLEN_2, air.PORT, "Tobruk")
    ctx = carry_out(state, Script({f"aa/18.4818/{BLEN}": 2}, bomb=6))
    assert kinds(ctx) == ["aa-fire", "air-hit", "aa-fire", "bombing", "port-hit"]
    assert told(ctx, "aa-fire")[1].data["modifier"] == "1"


def test_a_suppression_of_one_hex_leaves_the_next_alone(state: State) -> None:
    over(suppressing(state), BLEN, air.SUPPRESS, "Tobruk")
    over(state, BLEN_2, air.PORT, "Bardia")
    modifiers = [event.data["modifier"] for event in told(carry_out(state, Script(bomb=6)), "aa-fire")]
    assert modifiers == ["1", "1"]


def test_transports_are_fired_at_after_the_bombs_where_guns_may_be_suppressed() -> None:
    """Ruling SUPPRESS-ORDER."""
    state = suppressing(air_phase("axis"))
    over(state, ME, air.SUPPRESS, "Alexandria", base="Tobruk")
    over(state, JU_52, air.DROP, "Alexandria", base="Tobruk")
    lay(state, PARA, "Tobruk")
    state.air[JU_52].sortie = replace(state.air[JU_52].sortie, cargo=(PARA,))  # type: ignore[type-var]
    found = [event for event in carry_out(state, Script(bomb=6)).events if event.kind in ("aa-fire", "bombing")]
    assert [(event.kind, event.data.get("air", "")) for event in found] == [
        ("aa-fire", ME),
        ("bombing", ""),
        ("aa-fire", JU_52),
    ]
    assert int(str(found[2].data["modifier"])) == int(str(found[0].data["modifier"])) + 1
