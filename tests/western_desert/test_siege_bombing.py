"""Bombing of Valletta: hits that raise the status of Malta, or damage its port (WD 28.D.bomb)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.engine.queries import Scene
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.plans import checked
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.queries.missions import mission_reply
from adjudicator.western_desert.readback_air import flight
from adjudicator.western_desert.state import Air, State
from tests.western_desert.skirmish import told
from tests.western_desert.sorties import Script, air_phase, at, carry_out, kinds, over

JU_88, JU_88_2, STUKA, WELL = "air-ju-88a-1", "air-ju-88a-2", "air-ju-87b-1", "air-well-1c-1"


@pytest.fixture
def state() -> State:
    """The Axis air phase of Compass, the status of Malta at 5."""
    state = air_phase("axis")
    state.malta = 5
    return state


def effects(ctx: Ctx[State]) -> list[str]:
    return [str(event.data["effect"]) for event in told(ctx, "bombing")]


@pytest.mark.parametrize(("who", "mission"), [(JU_88, air.PORT), (STUKA, air.TACTICAL_PORT)])
def test_a_hit_raises_the_status_and_leaves_the_port(state: State, who: str, mission: str) -> None:
    over(state, who, mission, "Valletta", base="Catania")
    ctx = carry_out(state, Script(bomb=6))
    assert effects(ctx) == ["malta-status"]
    (raised,) = told(ctx, "malta-status")
    assert raised.rule == "WD 28.D.bomb"
    assert [raised.data[key] for key in ("was", "status", "side", "air")] == ["5", "6", "axis", [who]]
    assert state.malta == 6 and at(state, "Valletta") not in state.port_hits


def test_the_port_may_be_hit_instead(state: State) -> None:
    over(state, JU_88, air.PORT, "Valletta", base="Catania", hits="port")
    over(state, JU_88_2, air.PORT, "Valletta", base="Catania", hits="status")
    ctx = carry_out(state, Script(bomb=6))
    assert effects(ctx) == ["port-hit", "malta-status"]
    assert (state.malta, state.port_hits[at(state, "Valletta")]) == (6, 1)


def test_the_status_ends_at_15(state: State) -> None:
    state.malta = 14
    for aid in (JU_88, JU_88_2):
        over(state, aid, air.PORT, "Valletta", base="Catania")
    ctx = carry_out(state, Script(bomb=6))
    assert effects(ctx) == ["malta-status", "ignored"]
    assert state.malta == 15


def test_other_ports_and_the_allies_raise_nothing(state: State) -> None:
    over(state, JU_88, air.PORT, "Alexandria", base="Catania")
    carry_out(state, Script(bomb=6))
    assert state.malta == 5
    own = air_phase("allied")
    own.malta = 5
    own.control[at(own, "Valletta")] = "axis"
    over(own, WELL, air.PORT, "Valletta")
    ctx = carry_out(own, Script(bomb=6))
    assert effects(ctx) == ["port-hit"] and own.malta == 5


def test_a_miss_raises_nothing(state: State) -> None:
    over(state, JU_88, air.PORT, "Valletta", base="Catania")
    ctx = carry_out(state, Script(bomb=1))
    assert "malta-status" not in kinds(ctx) and state.malta == 5


def test_what_hits_count_against_is_part_of_the_position(state: State) -> None:
    over(state, JU_88, air.PORT, "Valletta", base="Catania", hits="port")
    assert position(restore(state.world, position(state))) == position(state)
    assert restore(state.world, position(state)).air[JU_88].sortie == state.air[JU_88].sortie


@pytest.mark.parametrize(("hits", "said"), [("", True), ("status", True), ("port", False)])
def test_the_purpose_is_read_back(state: State, hits: str, said: bool) -> None:
    where = state.board.name(at(state, "Valletta"))
    order = Order(0, "bomb_port", {"air": [JU_88], "hex": where, **({"hits": hits} if hits else {})})
    sentence = flight(state, order, [])
    assert sentence.startswith("Ju 88A No. 1 flies to bomb the port of Valletta")
    assert sentence.endswith("for the status of Malta") == said


def test_chances_tell_what_hits_count_against(state: State) -> None:
    state.malta = 15
    state.air[JU_88] = Air(at(state, "Catania"))
    where = state.board.name(at(state, "Valletta"))
    asked: dict[str, Tree] = {"subject": where, "mission": "bomb_port", "with": [JU_88]}
    reply = mission_reply(Scene(state, "axis"), Order(0, "mission", asked))
    assert any("for the status of Malta" in line for line in reply.lines)
    assert reply.tree["hits"] == {"0": "1"}
    reply = mission_reply(Scene(state, "axis"), Order(0, "mission", asked | {"hits": "port"}))
    assert reply.tree["expected"] != "0" and not any("status of Malta" in line for line in reply.lines)


@pytest.mark.parametrize(("place", "hits", "codes"), [("Valletta", "status", []), ("Tobruk", "status", ["hits"])])
def test_only_valletta_has_a_status(state: State, place: str, hits: str, codes: list[str]) -> None:
    state.step = ""
    state.air[JU_88] = Air(at(state, "Catania"))
    state.control[at(state, "Tobruk")] = "allied"
    where = state.board.name(at(state, place))
    order = Order(0, "bomb_port", {"air": [JU_88], "hex": where, "hits": hits, "extended": "yes"})
    ((_order, problems, _plans),) = checked(state, "axis", [order])
    found = [problem.code for problem in problems if problem.code == "hits"]
    assert found == codes
