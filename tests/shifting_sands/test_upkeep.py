"""Outside movement and combat: redeployment, missions of the LRDG, the end of a turn, replacements, cards (SS 5, 7.3,
7.4, 11.7, 12, 15), through the driver."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Run
from adjudicator.shifting_sands import stakes
from adjudicator.shifting_sands.attrition import turning
from adjudicator.shifting_sands.redeploy import land_ways, rd_problems
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Row,
    Seeds,
    division,
    kinds,
    message,
    mini,
    order,
    run,
    section,
    unit,
    voids,
)

LIBYA: Row = {"region": "Libya", "terrain": "clear"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    "B": {**LIBYA, "control": "axis"},
    "C": {**LIBYA, "control": "axis"},
    "D": {**LIBYA, "control": "axis"},
    "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "B"), ("B", "C"), ("C", "Q"), ("C", "D"))
CARD: Row = {"type": "play_card", "card": "afrika-korps-42", "use": "rd"}


def board(*units: Row, **given: Any) -> State:
    """A strip of Libya with a source at either end."""
    return mini(SPACES, LINKS, units=list(units), **given)


def rd(uid: str, **more: Any) -> Row:
    return {"type": "rd", "unit": uid, **more}


def played(state: State, *rows: Row, side: str = AXIS, **found: Any) -> Run[State]:
    """One part of a round, with all dice open."""
    state.active = side
    card = next(iter(state.hands[side]))
    told = [{**row, "card": card} if row.get("type") == "play_card" else row for row in rows]
    return run(state, [message(3 if side == AXIS else 4, side, section("round"), *told)], Seeds(9), **found)


# --- redeployment -------------------------------------------------------------------------------------------------


def test_who_redeploys_over_own_ground_pays_by_size() -> None:
    state = board(unit("b", "GE", "A"), division("d", "GE", "A"))
    found = played(state, CARD, rd("b", path=["A", "B", "C"]), rd("d", path=["A", "B"]))
    costs = [(event.data["unit"], event.data["to"], event.data["cost"]) for event in kinds(found.events, "rd")]
    card = state.world.cards[state.hands[AXIS][0]]
    assert costs[0] == ("b", "C", "1") and voids(found.events) == (
        [] if int(str(card["ops"])) >= 4 else voids(found.events)[:1]
    )
    assert found.state.history[AXIS] == {1: "rd"}


def test_redeployment_needs_its_card_and_a_unit_goes_once() -> None:
    state = board(unit("b", "GE", "A"))
    assert voids(played(state, rd("b", path=["A", "B"])).events)[0].startswith("SS 6.12B")
    found = played(board(unit("b", "GE", "A")), CARD, rd("b", path=["A", "B"]), rd("b", path=["B", "C"]))
    assert voids(found.events)[0].startswith("SS 12.3")


def test_a_card_for_it_serves_not_two_rounds_in_a_row() -> None:
    state = board(unit("b", "GE", "A"), round=2, history={AXIS: {1: "rd"}, ALLIED: {1: "ops"}})
    assert voids(played(state, CARD).events)[0].startswith("SS 7.33")


def test_the_last_into_a_space_that_would_be_too_full_stays() -> None:
    """SS 8.2, ruling A22: the limit counts when all are done, so another may go out."""
    units = [unit(f"u{n}", "GE", "B") for n in range(3)]
    state = board(*units, unit("b", "GE", "A"))
    found = played(state, CARD, rd("b", path=["A", "B"]))
    assert voids(found.events)[0].startswith("SS 8.2") and found.state.pieces["b"].at == "A"
    state = board(*units, unit("b", "GE", "A"))
    found = played(state, CARD, rd("b", path=["A", "B"]), rd("u0", path=["B", "C"]))
    assert not voids(found.events) and found.state.pieces["b"].at == "B"


def test_ways_by_land_are_listed_as_they_are_judged() -> None:
    state = board(unit("b", "GE", "A"), unit("e", "BR", "Q"))
    ways = land_ways(state, "b")
    assert sorted(ways) == ["B", "C", "D"]
    for path in ways.values():
        assert not rd_problems(state, AXIS, order(0, "rd", {"unit": "b", "path": [*path]}))
    state.control["C"] = ALLIED
    assert sorted(land_ways(state, "b")) == ["B"]


# --- the end of a turn --------------------------------------------------------------------------------------------


def end_of_turn(state: State, *messages: Any) -> Run[State]:
    """From the end of the last round on."""
    state.round, state.active = 6, ALLIED
    last = message(4, ALLIED, section("round"))
    return run(state, [last, *messages], Seeds(9))


def test_attrition_takes_units_and_spaces_at_once() -> None:
    """SS 13.81, 13.82: nothing that one loss opens saves another."""
    state = board(unit("b", "GE", "C"), division("d", "GE", "D"), unit("e", "BR", "B"))
    state.control["B"] = ALLIED
    assert turning(state) == {AXIS: ["B"], ALLIED: ["C", "D"]}
    found = end_of_turn(state)
    assert {uid: found.state.pieces[uid].at for uid in ("b", "d", "e")} == {
        "b": "@replacement", "d": "@eliminated", "e": "@replacement"
    }  # fmt: skip
    assert [found.state.owner(name) for name in "BCD"] == [AXIS, ALLIED, ALLIED]


def test_both_sides_replace_and_draw_in_turn_then_the_next_turn_begins() -> None:
    state = board(unit("b", "GE", "A", step="reduced"), unit("e", "BR", "Q"), rp={"GE": 1}, vp=9)
    state.piles = {side: ["balbo-4", "graziani-10"] if side == AXIS else ["matildas-1"] for side in (AXIS, ALLIED)}
    found = end_of_turn(state)
    assert (found.waits.why, found.waits.side, found.waits.key) == ("decision", AXIS, "replacement/summer-1940/axis")
    own = message(5, AXIS, section("replacement"), {"type": "replace", "unit": "b"})
    found = end_of_turn(state, own)
    assert found.waits.key == "replacement/summer-1940/allied" and not voids(found.events)
    assert not found.state.pieces["b"].reduced and "GE" not in found.state.rp
    assert [event.data["pools"] for event in kinds(found.events, "rp-lost")] == [[{"pool": "GE", "points": "0.5"}]]
    assert len(found.state.hands[AXIS]) == 3 and not found.state.piles[AXIS]
    found = end_of_turn(state, own, message(6, ALLIED))
    assert (found.waits.key, found.state.turn, found.state.round) == ("orders/fall-1940/1/axis", 2, 1)
    assert found.state.history == {} and found.state.last_history[ALLIED] == {6: "auto"}


def test_discards_come_back_when_the_pile_is_empty() -> None:
    """SS 5.11, 5.13: what is thrown away before the draw is in the new pile."""
    state = board(unit("b", "GE", "A"), unit("e", "BR", "Q"), vp=9)
    card, state.piles = state.hands[AXIS][0], {AXIS: ["balbo-4"], ALLIED: []}
    found = end_of_turn(state, message(5, AXIS, section("discard"), {"type": "discard", "cards": card}))
    (merged,) = [event for event in kinds(found.events, "merge") if event.data["side"] == AXIS]
    assert merged.data["cards"] == [card] and merged.rule == "SS 5.13"
    assert sorted(found.state.hands[AXIS]) == sorted([card, "balbo-4"])
    again = end_of_turn(state, message(5, AXIS, section("discard"), {"type": "discard", "cards": "balbo-4"}))
    assert voids(again.events)[0].startswith("SS 5.11")


def test_what_is_unlawful_in_a_replacement_phase_is_void() -> None:
    state = board(unit("b", "GE", "A", step="reduced"), unit("e", "BR", "Q"), rp={"IT": 1}, vp=9)
    rows = [section("replacement"), {"type": "replace", "unit": "b"}, {"type": "rp_choice", "nation": "BR"}]
    found = end_of_turn(state, message(5, AXIS, *rows, {"type": "move", "unit": "b", "path": ["A", "B"]}))
    assert [line.partition(":")[0] for line in voids(found.events)] == ["SS 7.2", "SS 15.1", "SS 7.414"]


@pytest.mark.parametrize(("vp", "winner"), [(14, AXIS), (3, ALLIED), (9, "")])
def test_victory_ends_the_game(vp: int, winner: str) -> None:
    found = end_of_turn(board(unit("b", "GE", "A"), unit("e", "BR", "Q"), vp=vp))
    assert (found.waits.why, found.state.winner) == ("over" if winner else "decision", winner)


# --- the LRDG -----------------------------------------------------------------------------------------------------


def test_a_raid_rolls_and_may_cost_a_card_or_steps() -> None:
    """SS 11.74, 11.75; the die is worth what it brings (PROTOCOL 12)."""
    seen = set()
    for salt in range(30):
        state = board(unit("L", "BR", "Q", counter="BR LRDG"), unit("b", "GE", "A"))
        state.active, state.hands[AXIS] = ALLIED, ["balbo-4", "graziani-10"]
        card = {"type": "play_card", "card": state.hands[ALLIED][0], "use": "ops"}
        told = message(4, ALLIED, section("round"), card, {"type": "lrdg", "mission": "raid"})
        found = run(state, [told], Seeds(9, str(salt)))
        (mission,) = kinds(found.events, "mission")
        seen.add(str(mission.data["result"]))
        assert found.state.missions == 1 and not voids(found.events)
        assert (len(found.state.hands[AXIS]) == 1) == (mission.data["result"] == "card")
        assert found.state.pieces["L"].reduced == (mission.data["result"] == "lose_step")
        stake = stakes.stake_of(found.state, mission, ALLIED)
        assert stake is not None and _worth(mission) in (-1, 0, 1)
    assert seen == {"none", "card", "lose_step"}


def _worth(event: Event) -> int:
    return stakes.RAIDED[str(event.data["result"])]


def test_who_says_nothing_rebuilds_divisions_on_the_map_first() -> None:
    """The default of pbem, Decisions outside the actions; an empty section rebuilds nobody."""
    units = [
        unit("b", "GE", "A", step="reduced"),
        division("d", "GE", "A", step="reduced"),
        unit("c", "GE", "@replacement"),
    ]
    state = board(*units, unit("e", "BR", "Q"), rp={"GE": 2}, vp=9)
    found = end_of_turn(state, message(5, AXIS))
    rebuilt = kinds(found.events, "restored", "recreated")
    done = [(event.kind, event.data["unit"], event.data.get("step", "")) for event in rebuilt]
    assert done == [("restored", "d", ""), ("restored", "b", ""), ("recreated", "c", "reduced")]
    silent = end_of_turn(state, message(5, AXIS, section("replacement")))
    assert not kinds(silent.events, "restored", "recreated")
    assert [event.data["pools"] for event in kinds(silent.events, "rp-lost")] == [[{"pool": "GE", "points": "2"}]]
