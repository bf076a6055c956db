"""Turn files to fill in: at every stop they pass the check as they stand, and what they offer is lawful."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from adjudicator.engine.driver import Message, Waits
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.facedown import Faces, as_seen
from adjudicator.match.play import Pairing, Settings, play_game, seats
from adjudicator.match.preview import CheckResult, PreviewDice, check_draft
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.secretplans import Kept
from adjudicator.shifting_sands.activation import MOVE
from adjudicator.shifting_sands.capture import TOWNS
from adjudicator.shifting_sands.fight import Fight
from adjudicator.shifting_sands.movement import reach
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.stops import STOPS, WIDTH
from adjudicator.shifting_sands.template import template
from adjudicator.shifting_sands.words import short_name
from tests.shifting_sands.rounds import AXIS, FIRST_ROUNDS, SYSTEM, Rounds, fresh, table

ASKING = "orders:\n  - {type: section, name: reaction, ask: 'losses, hold, retreat, relocate'}\n"
APART = ("auto_op", "rd", "event")
"""Orders that stand for another one of the file."""
STAGES = {
    "orders/summer-1940/1/axis": ("sands", 0, False),
    "orders/summer-1940/1/allied": ("sands", 3, False),
    "react/1": ("sands", 1, False),
    "react/2": ("s1", 5, True),
    "followup/1": ("sands", 2, False),
    "losses/1/attacker": ("s0", 8, True),
    "losses/1/defender": ("s0", 8, True),
    "retreat/1/it-1lib": ("s2", 8, True),
    "retreat/1/order": ("s7", 8, True),
    "relocate/1/it-1lib": ("s6", 8, True),
}
"""Stops of the example: the salt of its dice, its files, and whether its next reaction asks for every choice."""


@cache
def stage(key: str) -> Rounds:
    """The example at a stop; never changed."""
    salt, upto, asking = STAGES[key]
    rounds = fresh(salt, upto)
    if asking:
        rounds.write(ASKING)
    while not due(rounds, key):
        assert len(rounds.messages) < 20, key
        rounds.bare()
    return rounds


def due(rounds: Rounds, key: str) -> bool:
    """Whether a stop is the next author's to answer."""
    waits = rounds.run().waits
    return (waits.key, waits.side) == (key, rounds.side)


def blank(rounds: Rounds) -> str:
    """The turn file's orders out of the position, as the folder keeps it."""
    found = rounds.run()
    state = table().restore(table().position(found.state))
    return table().template(state, rounds.side, found.waits)


def blocks(text: str) -> Iterator[list[str]]:
    """The orders in comments, with the # taken away."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith("  # - type:"):
            if found:
                yield found
            found = ["  - " + line[6:]]
        elif found and line.startswith("  #   "):
            found.append("    " + line[6:])
        elif found:
            yield found
            found = []
    if found:
        yield found


def complete(block: list[str]) -> bool:
    """An order without a word that stands for a name."""
    return not any(word in line for line in block for word in ("UNIT", "SPACE", "CARD"))


@pytest.mark.parametrize("key", STAGES)
def test_the_file_passes_as_it_stands(key: str) -> None:
    rounds = stage(key)
    text = blank(rounds)
    found = rounds.check(text)
    assert found.problems == [] and found.warnings == []
    assert all(len(line) <= WIDTH for line in text.splitlines())
    rounds_after = Rounds(rounds.salt, messages=[*rounds.messages]).write(text)
    assert [event for event in rounds_after.run().events if event.kind == "void" and event.on >= rounds.seq] == []


@pytest.mark.parametrize("key", STAGES)
def test_the_orders_it_offers_are_lawful(key: str) -> None:
    """All that name real things together; the automatic operation stands for the card that it is in place of,
    redeployment for another use of that, and an event too: each of those passes by itself."""
    text = blank(stage(key))
    head, orders, tail = text.partition("orders:\n")
    offered = [block for block in blocks(tail) if complete(block) and block[0].split()[-1] not in APART]
    plain = [line for line in tail.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    written = "\n".join([head + orders.rstrip("\n"), *plain, *(line for block in offered for line in block)])
    assert stage(key).check(written).problems == []
    for event in (block for block in blocks(tail) if complete(block) and block[0].endswith(" event")):
        assert stage(key).check("\n".join([head + orders.rstrip("\n"), *plain, *event])).problems == [], event


def test_offers_have_many_orders() -> None:
    kinds = {block[0].split()[2] for key in STAGES for block in blocks(blank(stage(key))) if complete(block)}
    assert {"play_card", "auto_op", "move_marker", "move", "attack_marker", "attack", "end_round"} <= kinds
    assert {"losses", "retreat", "wait", "advance"} <= kinds


# --- what the comments tell -------------------------------------------------------------------------------------


def lines_of(key: str) -> str:
    """A turn file with its wrapped comments on one line each."""
    return re.sub(r"\n# {7,}(?=\S)", " ", blank(stage(key)))


def test_an_action_lists_hand_spaces_reach_and_attacks() -> None:
    text = lines_of("orders/summer-1940/1/axis")
    assert "# Summer 1940, action round 1 of 6: the Axis action." in text
    assert "#   Code Book Stolen                           3 OPS" in text
    assert "#   Bardia (clear, fort 1, port, VP): 1 / 3\n" in text
    assert "#   Halfaya (mountain), held by BR inf BG 5 1-1-3\n" in text
    assert "#     from Bardia (3 to activate): IT 62, IT 63, IT arm BG 2" in text
    assert "#     yours: strength 5 on the division table, column 5, shifted -1 mountain terrain (SS 11.27)" in text
    assert "#     theirs: strength 1 on the battlegroup table, column 1; die as rolled; losses 0 0 0 1 1 1" in text
    assert "a flank attack may be tried" not in text
    assert "#     a flank attack may be tried (SS 11.31)" in blank(fresh("sands", 7))
    assert "# Not released yet (SS 10.41): units in Aleppo, Baghdad, " in text


def test_every_end_in_reach_is_listed() -> None:
    rounds = stage("orders/summer-1940/1/axis")
    state, text = rounds.state.copy(), lines_of("orders/summer-1940/1/axis")
    state.markers["Sidi Azeiz"] = MOVE
    paths = reach(state, AXIS, "it-1lib")
    row = next(line for line in text.splitlines() if "IT 1LIB" in line)
    for end, path in paths.items():
        assert end in row and f"{len(path) - 1} to " in row


def test_a_reaction_lists_what_every_die_may_ask() -> None:
    text = lines_of("react/1")
    assert "# Their fire: strength 5 on the division table" in text
    assert "# Your fire: strength 1 on the battlegroup table" in text
    assert "# Defenders, combat-loss-movement factors: BR inf BG 5 " in text
    assert "  # 2: forced: BR inf BG 5, BR inf BG 5 [BR inf BG 5 lost]" in text
    assert "  # BR inf BG 5, 1: Sidi Barrani (default)" in text
    assert "  # BR inf BG 5, 2: Sidi Barrani - Mersa Matruh (default); Sidi Barrani - Sofafi; " in text
    assert "Halfaya may be held by one more step (SS 11.53)" in text
    assert "# Combat cards (SS 11.25): any number, in the order written." in text


def test_attacks_ordered_together_are_named_with_their_numbers() -> None:
    rounds = fresh("s1", 5)
    text = blank(rounds)
    assert "# Ordered to follow: combat 2, IT inf BG 8 on Gallabat." in text
    assert "  # of them has a line `combat:` with its number: 2." in text
    assert "Ordered to follow" not in blank(stage("react/2"))


def test_the_numbers_of_the_dice_stay_together() -> None:
    for key in STAGES:
        for line in blank(stage(key)).splitlines():
            assert not re.search(r"(losses|#)( \d\*?){1,5}$", line), line


def test_an_end_is_offered_once() -> None:
    assert "  #   to: Khartoum   # the first end that is open" in blank(fresh("s1", 5))


def test_a_followup_lists_advances_and_further_attacks() -> None:
    text = lines_of("followup/1")
    assert "# Halfaya is cleared. Ends of an advance (SS 11.6) by the number of spaces entered:" in text
    assert "#   IT 62 in Bardia: 1 to Halfaya\n" in text
    assert "# No other attack is possible in this round." in text


def test_choices_list_every_lawful_way_the_default_first() -> None:
    assert (
        "# You must satisfy a loss number of 3 (SS 11.43). Lawful, the default first:\n"
        "#   IT 1LIB [IT 1LIB reduced]\n#   IT 2LIB [IT 2LIB reduced]\n"
    ) in blank(stage("losses/1/defender"))
    assert "#   BR 7 Arm [BR 7 Arm lost, BR arm BG 1 in place of BR 7 Arm]" in blank(stage("losses/1/attacker"))
    assert "# IT 1LIB retreats 2 (SS 11.55). Lawful, the default first:\n#   Sidi Suleiman, " in blank(
        stage("retreat/1/it-1lib")
    )
    assert "Open to it, the default first: El Agheila, Tarhuna, Tripoli, '@replacement'" in blank(
        stage("relocate/1/it-1lib")
    )


# --- stops that the example does not come to --------------------------------------------------------------------


def at(state: State, key: str) -> str:
    """The template of a stop, in a combat that the attacker has won by one."""
    fight = state.fight
    assert fight is not None
    state.fight = replace(fight, decided=True, winner="attacker", retreat=1, inflicted=(("attacker", 2),))
    return template(state, "allied", Waits("decision", "allied", key))


@pytest.fixture
def halfaya() -> State:
    """The Axis player attacks Halfaya; a state to change at will."""
    return stage("react/1").state.copy()


def test_a_hold_names_who_may_pay(halfaya: State) -> None:
    text = at(halfaya, "hold/1")
    assert "# A retreat of 1 is due. One more step cancels it (SS 11.53), of BR inf BG 5 1-1-3." in text
    assert "# Default: nobody pays, the units retreat." in text
    assert "  # - type: hold\n  #   unit: BR inf BG 5" in text


def test_a_battlegroup_takes_the_place_of_a_division(halfaya: State) -> None:
    text = at(halfaya, "replace/1/br-7-arm")
    assert "# A battlegroup takes the place of BR 7 Arm (SS 11.44): BR arm BG 1; the first is the default." in text
    assert "  - type: answer\n    to: replace/1/br-7-arm\n    unit: BR arm BG 1" in text


@pytest.mark.parametrize("town", TOWNS)
def test_captured_supply_names_who_may_recover(halfaya: State, town: str) -> None:
    halfaya.pieces["it-62"] = replace(halfaya.pieces["it-62"], reduced=True)
    text = at(halfaya, f"captured/1/{halfaya.world.spaces[town].slug}")
    assert f"# {town} is taken (SS 13.9): {TOWNS[town][0]} of these may recover, or fewer: IT 62" in text
    assert "For nobody write `say: no` in place of the units." in text


def test_a_space_too_full_asks_who_is_lost(halfaya: State) -> None:
    for uid in list(halfaya.side_units("allied"))[:12]:
        halfaya.shift(uid, "Sofafi")
    text = at(halfaya, "overstack/1/sofafi")
    assert "# Sofafi holds " in text and "too many (SS 8.2): name " in text
    assert "    to: overstack/1/sofafi\n    units: " in text


def test_every_kind_of_stop_has_a_template(halfaya: State) -> None:
    tried = {key.split("/")[0] for key in STAGES} | {"hold", "replace", "captured", "overstack", "cards"}
    assert tried - {"orders"} == set(STOPS)


# --- when nothing is asked --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "waits"),
    [
        ("allied", Waits("decision", "axis", "orders/summer-1940/1/axis")),
        ("axis", Waits("opening", "axis", "")),
        ("axis", Waits("unbuilt", "", "attrition")),
    ],
)
def test_who_is_not_asked_may_give_standing_orders(side: str, waits: Waits) -> None:
    text = template(stage("orders/summer-1940/1/axis").state, side, waits)
    assert "# Nothing is asked of you now. Standing orders may be given at any time:" in text
    assert text.endswith("\norders: []")


def test_without_a_combat_under_way_a_stop_has_no_orders() -> None:
    state = stage("orders/summer-1940/1/axis").state
    assert template(state, "axis", Waits("decision", "axis", "hold/1")).endswith("\norders: []")


def test_a_side_without_cards_is_told_so() -> None:
    state = stage("orders/summer-1940/1/axis").state.copy()
    state.hands["axis"] = []
    text = template(state, "axis", Waits("decision", "axis", "orders/summer-1940/1/axis"))
    assert "#   no card\n" in text and "  #   card: CARD\n" in text


def test_a_side_that_can_do_nothing_is_shown_the_form() -> None:
    state = stage("orders/summer-1940/1/axis").state.copy()
    for uid in list(state.side_units("axis")):
        state.shift(uid, "@replacement")
    text = template(state, "axis", Waits("decision", "axis", "orders/summer-1940/1/axis"))
    assert "# No space of the enemy's stands next to yours." in text
    assert "  #   unit: UNIT\n" in text and "  #   units: UNIT, UNIT\n" in text


def test_names_in_templates_are_those_that_the_reader_knows() -> None:
    state = stage("react/1").state
    fight = state.fight
    assert isinstance(fight, Fight)
    for uid in fight.combat.defenders:
        assert short_name(state, uid) in blank(stage("react/1"))
    assert len(FIRST_ROUNDS) == 10


@pytest.mark.parametrize("seed", ["templates 1", "templates 2"])
def test_files_of_random_games_pass(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two games of chance, at every message, for whoever writes it."""
    checked: list[str] = []

    def check(
        resolver: MatchResolver, before: Sequence[Message], seq: int, side: str, draft: Draft, kept: Kept, faces: Faces
    ) -> CheckResult:
        if seq > 2:
            run = resolver.run(before, PreviewDice(resolver.seeds, "assume"))
            state = as_seen(table(), table().restore(table().position(run.state)), side, faces)
            text = table().template(state, side, run.waits)
            assert check_draft(resolver, before, seq, side, read_draft(text.encode()), kept, faces).problems == [], text
            assert all(table().situation(state, side)) and all(len(line) <= WIDTH for line in text.splitlines())
            checked.append(run.waits.key)
        return check_draft(resolver, before, seq, side, draft, kept, faces)

    monkeypatch.setattr(seats, "check_draft", check)
    play_game(Settings(Pairing(SYSTEM, "campaign", (), seed), {"axis": "random", "allied": "random"}, 16))
    assert len(checked) >= 12
