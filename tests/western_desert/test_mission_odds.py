"""``odds --mission``: exact chances of missions against every way the dice can fall (WD 19 to 25)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.driver import Message
from adjudicator.engine.queries import MISSION, Reply, Scene, put
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.tables import ROLLS, WAYS
from adjudicator.western_desert.queries import WesternDesertQueries
from adjudicator.western_desert.queries.missions import mission_reply
from adjudicator.western_desert.state import Air, State
from tests.western_desert.sorties import (
    BLEN,
    BLEN_2,
    GLIDER,
    GLIDER_2,
    HURRI,
    JU_52,
    JU_52_2,
    LANDER,
    ME,
    PARA,
    Script,
    air_phase,
    at,
    carry_out,
    lay,
    over,
)
from tests.western_desert.surprise import table

SIX = range(1, 7)


@pytest.fixture
def state() -> State:
    """The Allied air phase of Compass; bombers at Matruh, a fighter of the enemy at Tobruk."""
    found = air_phase()
    found.airfields[at(found, "Matruh")] = "allied"
    for aid in (BLEN, BLEN_2, HURRI):
        found.air[aid] = Air(at(found, "Matruh"))
    return found


def ask(state: State, mission: str, place: str, who: list[Tree], side: str = "allied", **more: Tree) -> Reply:
    """The question with ids."""
    data: dict[str, Tree] = {"subject": state.board.name(at(state, place)), "mission": mission, "with": who, **more}
    return mission_reply(Scene(state, side), Order(0, MISSION, data))


def by_force(state: State, party: str, sums: tuple[int, ...], die: int) -> int:
    """The hits on the port of Tobruk with such dice, by carrying the missions out."""
    trial = state.copy()
    for aid in (BLEN, BLEN_2):
        over(trial, aid, air.PORT, "Tobruk", base="Matruh", party=party)
    aa = {f"aa/18.4818/{aid}": total for aid, total in zip((BLEN, BLEN_2), sums, strict=True)}
    script = Script({**aa, f"bomb/18.4818/{BLEN}": die, f"bomb/18.4818/{BLEN_2}": die})
    carry_out(trial, script)
    return trial.port_hits.get(at(state, "Tobruk"), 0) - state.port_hits.get(at(state, "Tobruk"), 0)


@pytest.mark.parametrize("hits_before", [0, 5])
def test_bombs_together_as_every_way_the_dice_can_fall(state: State, hits_before: int) -> None:
    if hits_before:
        state.port_hits[at(state, "Tobruk")] = hits_before
    found: dict[str, Fraction] = {}
    weights = {total: Fraction(ways, WAYS) for total, ways in ROLLS.items()}
    for sums in product(weights, repeat=2):
        for die in SIX:
            hits = str(by_force(state, BLEN, sums, die))
            found[hits] = found.get(hits, Fraction(0)) + weights[sums[0]] * weights[sums[1]] / 6
    reply = ask(state, "bomb_port", "Tobruk", [BLEN, BLEN_2], together="yes")
    assert {hits: Fraction(str(chance)) for hits, chance in reply.tree["hits"].items()} == found


def test_hits_beyond_the_maximum_do_not_count(state: State) -> None:
    state.port_hits[at(state, "Tobruk")] = 5
    two = ask(state, "bomb_port", "Tobruk", [BLEN, BLEN_2]).tree
    assert set(two["hits"]) == {"0", "1"}
    assert sum(Fraction(chance) for chance in two["hits"].values()) == 1
    assert Fraction(two["expected"]) == Fraction(two["hits"]["1"])


def test_attacks_of_their_own_add_up(state: State) -> None:
    one, other = (ask(state, "bomb_port", "Tobruk", [aid]).tree["hits"] for aid in (BLEN, BLEN_2))
    both = ask(state, "bomb_port", "Tobruk", [BLEN, BLEN_2]).tree["hits"]
    assert Fraction(both["2"]) == Fraction(one["1"]) * Fraction(other["1"])
    assert Fraction(both["0"]) == Fraction(one["0"]) * Fraction(other["0"])


# --- suppression by other orders (WD 33.I) ----------------------------------------------------------------------


def drafted(state: State, *orders: Order) -> Scene:
    """The position with an air section that is still to be carried out."""
    state.world = replace(state.world, switches={"options": "33.I"}, cache={})
    state.step = "air"
    head = Order(0, "section", {"name": "air"})
    told = tuple(replace(order, index=number) for number, order in enumerate(orders, 1))
    return Scene(state, "allied", [Message(5, "allied", (head, *told))], at=4)


def flies(state: State, kind: str, aid: str, place: str = "Tobruk", **more: Tree) -> Order:
    return Order(1, kind, {"air": [aid], "hex": state.board.name(at(state, place)), **more})


def put_mission(scene: Scene, mission: str, who: list[Tree], **more: Tree) -> Reply:
    place = scene.state.board.name(at(scene.state, "Tobruk"))
    return mission_reply(scene, Order(0, MISSION, {"subject": place, "mission": mission, "with": who, **more}))


def test_suppression_by_another_order_counts_as_every_way_the_dice_can_fall(state: State) -> None:
    """WD 33.I: the guns of Tobruk are bombed first, and what that comes to is in the chances of who bombs its port."""
    scene = drafted(state, flies(state, "aa_suppress", BLEN), flies(state, "bomb_port", BLEN_2))
    weights = {total: Fraction(ways, WAYS) for total, ways in ROLLS.items()}
    found: dict[str, Fraction] = {}
    for (first, second), die, other in product(product(weights, repeat=2), SIX, SIX):
        trial = state.copy()
        over(trial, BLEN, air.SUPPRESS, "Tobruk", base="Matruh")
        over(trial, BLEN_2, air.PORT, "Tobruk", base="Matruh")
        dice = {f"aa/18.4818/{BLEN}": first, f"aa/18.4818/{BLEN_2}": second}
        carry_out(trial, Script({**dice, f"bomb/18.4818/{BLEN}": die, f"bomb/18.4818/{BLEN_2}": other}))
        hits = str(trial.port_hits.get(at(state, "Tobruk"), 0) - state.port_hits.get(at(state, "Tobruk"), 0))
        found[hits] = found.get(hits, Fraction(0)) + weights[first] * weights[second] / 36
    reply = put_mission(scene, "bomb_port", [BLEN_2])
    assert {hits: Fraction(chance) for hits, chance in reply.tree["hits"].items()} == found
    alone = put_mission(replace(scene, messages=()), "bomb_port", [BLEN_2])
    through = [Fraction(one.tree["antiaircraft"][BLEN_2]["through"]) for one in (reply, alone)]
    assert through[0] > through[1] and alone.tree["suppressed"] == {"0": "1"}
    assert any("Suppression by other orders before it (WD 33.I)" in line for line in reply.lines)
    assert not any("Suppression" in line for line in alone.lines)


@pytest.mark.parametrize(
    ("listed", "mission", "more", "counts"),
    [
        ([("aa_suppress", BLEN, "Tobruk", {}), ("bomb_port", BLEN_2, "Tobruk", {})], "bomb_port", {}, True),
        ([("bomb_port", BLEN_2, "Tobruk", {}), ("aa_suppress", BLEN, "Tobruk", {})], "bomb_port", {}, False),
        ([("aa_suppress", BLEN, "Tobruk", {})], "bomb_port", {}, True),
        ([("aa_suppress", BLEN, "Bardia", {})], "bomb_port", {}, False),
        ([("aa_suppress", BLEN, "Tobruk", {"night": "yes"})], "bomb_port", {}, False),
        ([("aa_suppress", BLEN, "Tobruk", {})], "bomb_port", {"night": "yes"}, True),
        ([("harass", BLEN_2, "Tobruk", {}), ("aa_suppress", BLEN, "Tobruk", {})], "harass", {}, True),
        ([("aa_suppress", BLEN, "Tobruk", {"if_back": [HURRI]})], "bomb_port", {}, False),
        ([("aa_suppress", ME, "Tobruk", {})], "bomb_port", {}, False),
    ],
)
def test_which_suppressions_come_before_a_mission(
    state: State,
    listed: list[tuple[str, str, str, dict[str, Tree]]],
    mission: str,
    more: dict[str, Tree],
    counts: bool,
) -> None:
    """WD 33.I: listed before it, upon the same hex; by day before by night; before all that rolls for no bombs."""
    orders = [flies(state, kind, aid, place, **said) for kind, aid, place, said in listed]
    reply = put_mission(drafted(state, *orders), mission, [BLEN_2], **more)
    assert (set(reply.tree["suppressed"]) == {"0", "1"}) is counts


def test_suppressions_of_one_order_count_for_one_another(state: State) -> None:
    """WD 33.I: the second meets guns that the first may have hit."""
    reply = put_mission(drafted(state), "aa_suppress", [BLEN, BLEN_2])
    first, second = (Fraction(reply.tree["antiaircraft"][aid]["through"]) for aid in (BLEN, BLEN_2))
    assert second > first and sum(Fraction(chance) for chance in reply.tree["hits"].values()) == 1


def test_a_section_that_is_over_or_another_turns_counts_nothing(state: State) -> None:
    scene = drafted(state, flies(state, "aa_suppress", BLEN))
    for message in (Message(4, "allied", scene.messages[0].orders), Message(5, "axis", scene.messages[0].orders)):
        reply = put_mission(replace(scene, messages=[message]), "bomb_port", [BLEN_2])
        assert reply.tree["suppressed"] == {"0": "1"}
    on_file = replace(scene, messages=[replace(scene.messages[0], seq=4)], answered=(4,))
    assert set(put_mission(on_file, "bomb_port", [BLEN_2]).tree["suppressed"]) == {"0", "1"}
    state.step = "reaction"
    assert put_mission(scene, "bomb_port", [BLEN_2]).tree["suppressed"] == {"0": "1"}


def test_antiaircraft_and_patrols_are_told(state: State) -> None:
    state.air[ME] = Air(at(state, "Tobruk"))
    reply = ask(state, "bomb_port", "Tobruk", [BLEN])
    found = reply.tree["antiaircraft"][BLEN]
    assert (found["strength"], found["modifier"]) == ("4", "1")
    assert sum(Fraction(found[key]) for key in ("through", "back", "abort", "lost")) == 1
    assert [(row["fighter"], row["rolls"]) for row in reply.tree["patrols"]] == [(ME, [4, 5, 6])]
    text = "\n".join(reply.lines)
    assert "turns Blen 4 No. 1 back on 4-6." in text and "to be expected" in text


def test_points_of_harassment_and_support(state: State) -> None:
    reply = ask(state, "harass", "Sidi Barrani", [BLEN, BLEN_2])
    through = Fraction(reply.tree["antiaircraft"][BLEN]["through"])
    assert (reply.tree["most"], Fraction(reply.tree["points"])) == ("4", 4 * through)


def test_what_keeps_it_from_flying_is_told_with_its_chances(state: State) -> None:
    reply = ask(state, "bomb_port", "Benghazi", [BLEN], night="yes")
    assert reply.lines and [problem.code for problem in reply.reasons] == ["range"]
    assert not ask(state, "bomb_port", "Tobruk", [BLEN], night="yes").reasons
    far = ask(state, "bomb_canal", "Suez", [BLEN])
    assert [problem.code for problem in far.reasons] == ["side"]
    assert [problem.code for problem in ask(state, "bomb_port", "Tobruk", [ME]).problems] == ["side"]


def test_a_drop_with_its_disruption_and_the_worst_of_its_transports() -> None:
    state = air_phase("axis")
    for aid in (JU_52, JU_52_2, GLIDER, GLIDER_2):
        state.air[aid] = Air(at(state, "Bardia"))
    for uid in (PARA, LANDER):
        lay(state, uid, "Bardia")
    reply = ask(state, "air_drop", "Matruh", [JU_52, JU_52_2], "axis", cargo=[LANDER], tow=[GLIDER, GLIDER_2])
    (row,) = reply.tree["cargo"]
    fates = list(reply.tree["antiaircraft"].values())
    through = Fraction(fates[0]["through"]) * Fraction(fates[1]["through"])
    kept = (1 - Fraction(fates[0]["lost"])) * (1 - Fraction(fates[1]["lost"]))
    assert (Fraction(row["down"]), Fraction(row["lost"]), Fraction(row["back"])) == (through, 1 - kept, kept - through)
    assert row["disrupted"] == "1/6"
    without = ask(state, "air_drop", "Matruh", [JU_52, JU_52_2], "axis", cargo=[PARA]).tree["cargo"][0]
    assert without["disrupted"] == "1/3"
    assert not ask(state, "air_transport", "Derna", [JU_52], "axis", cargo=[PARA]).reasons


def test_an_interception_exchange_by_exchange(state: State) -> None:
    over(state, BLEN, air.PORT, "Tobruk", base="Matruh")
    state.air[ME] = Air(at(state, "Tobruk"))
    reply = ask(state, "intercept", "Tobruk", [ME], "axis")
    first, second = reply.tree["shots"]
    craft, bomber = craft_of(state.world, ME), craft_of(state.world, BLEN)
    assert (first["differential"], first["modifier"]) == (craft.attack - bomber.defense, -1)
    assert (second["differential"], second["modifier"]) == (bomber.attack - craft.defense, 1)
    assert sum(Fraction(first[key]) for key in ("none", "back", "abort", "kill")) == 1
    assert [problem.code for problem in ask(state, "intercept", "Derna", [ME], "axis").problems] == ["no_enemies"]


def test_the_question_in_words(state: State) -> None:
    game = table()
    queries = game.queries()
    assert isinstance(queries, WesternDesertQueries)
    given: dict[str, Tree] = {"subject": "Tobruk", "mission": "bomb_port", "with": "Blen 4 1"}
    assert put(queries, MISSION, Scene(state, "allied"), given).tree["with"] == [BLEN]
    assert put(queries, MISSION, Scene(state, "allied"), {**given, "mission": "escort"}).problems
