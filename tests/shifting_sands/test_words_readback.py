"""Every order type as the sentence that its player confirms before he signs."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.orders import BUILT
from adjudicator.shifting_sands.readback import sentence
from tests.shifting_sands.rounds import FIRST_ROUNDS, example, first_rounds, fresh, of

ROUND = "orders:\n  - {type: section, name: round}\n"
REACTION = "orders:\n  - {type: section, name: reaction}\n"
FOLLOWUP = "orders:\n  - {type: section, name: followup}\n"


def plain(kind: str, **data: Tree) -> str:
    """An order by itself in words, in the position before the first answer to an attack, no event known."""
    return sentence(first_rounds(upto=1).state, of(0, kind, **data), [])


def test_the_first_action_read_back_whole() -> None:
    assert fresh(upto=0).said(example("01-axis-round")) == [
        "Your action round:",
        "The Axis player plays Balbo for operations: 3 points",
        "Activates Bardia for combat (3 points, 0 left); IT 62, IT 63, IT arm BG 2 in limited supply",
        "The Italian 62nd and 63rd Divisions and the Italian armor battlegroup 2 attack Halfaya, held by the British "
        "infantry battlegroup 5: strength 5 on the division table, column 5, shifted -1 mountain terrain (SS 11.27), "
        "+1 armor against no armor (SS 11.272) to column 5; die -1 Italian units (SS 11.261); losses 2 2 3 3 4 4 for "
        "a die of 1 to 6. The defenders fire with strength 1 on the battlegroup table, column 1; die as rolled; "
        "losses 0 0 0 1 1 1 for a die of 1 to 6",
    ]


def test_an_answer_and_what_follows_read_back_whole() -> None:
    assert fresh(upto=1).said(example("02-allied-reaction")) == [
        "Your answer to the attack:",
        "Beaten, the British infantry battlegroup 5 retreats to Sidi Barrani or Mersa Matruh, the first that is open",
    ]
    assert fresh(upto=2).said(example("03-axis-followup")) == [
        "After the combat:",
        "The Italian 62nd Division advances from Bardia to Halfaya",
        "The Italian 63rd Division advances from Bardia to Halfaya",
    ]


def test_moves_say_their_way_and_their_movement_factor() -> None:
    told = fresh(upto=3).said(example("04-allied-round"))
    assert "The British 7th Armoured Division moves from Bir el Kenaysis to Sofafi, 1 of 5 MF" in told
    assert "The Indian 4th Division moves from Mersa Matruh by Bir el Kenaysis to Sofafi, 2 of 3 MF" in told
    assert "Activates Alexandria for movement (1 point, 1 left)" in told


def test_a_flank_attack_says_so_and_an_overrun_is_marked() -> None:
    attack = fresh(upto=7).said(example("08-allied-round"))[-1]
    assert "attack Sidi Suleiman with a flank attack, held by" in attack
    assert "5* for a die of 1 to 6 (* may overrun, SS 11.47)" in attack


@pytest.mark.parametrize("number", range(len(FIRST_ROUNDS)))
def test_sentences_begin_with_a_capital_and_show_no_ids(number: int) -> None:
    text = example(FIRST_ROUNDS[number])
    units = first_rounds().state.pieces
    for said in fresh(upto=number).said(text):
        assert said[0].isupper()
        words = {word.strip(",.;:") for word in said.split()}
        assert not words & set(units), said


def test_the_automatic_operation_gives_a_point() -> None:
    told = fresh(upto=0).said(ROUND + "  - {type: auto_op}\n")
    assert told[1] == "The Axis player plays no card: automatic operation, 1 point"


def test_an_advance_written_before_the_dice_hangs_on_them() -> None:
    advance = "  - {type: advance, unit: IT inf BG 3, path: 'Keren, Kassala', if: 'retreat1, retreat2'}\n"
    text = example("05-axis-round")
    head, _, tail = text.partition("  - type: advance\n")
    rest = tail.partition("  - type: attack\n")[2]
    told = fresh(upto=4).said(f"{head}{advance}  - type: attack\n{rest}")
    assert (
        "The Italian infantry battlegroup 3 advances from Keren to Kassala, only if the defenders retreat one space "
        "or they retreat two"
    ) in [line.partition(";")[0] for line in told]


def test_an_advance_that_finds_the_space_held_says_why() -> None:
    told = fresh(upto=6).said(example("07-axis-followup"))
    assert told[-1] == (
        "The Italian infantry battlegroup 8 advances from Gondar to Gallabat, if the space is cleared; as far as the "
        "dice are known it stays: the space was not cleared"
    )


@pytest.mark.parametrize(
    ("kind", "data", "told"),
    [
        ("section", {"name": "reaction"}, "Your answer to the attack:"),
        (
            "section",
            {"name": "reaction", "ask": "losses, retreat"},
            "Your answer to the attack, to be asked about your losses and your retreats:",
        ),
        (
            "standing",
            {"topic": "hold", "rules": [{"at": "Tobruk", "difference": "2"}]},
            "From your next message on, open standing order for holding instead of retreating: at Tobruk; difference 2",
        ),
        (
            "standing",
            {"topic": "cards", "rules": "none"},
            "From your next message on, open standing order for combat cards: none",
        ),
        (
            "standing",
            {"topic": "losses", "rules": []},
            "From your next message on, open standing order for your losses: no rules",
        ),
        ("answer", {"to": "react/2", "say": "no"}, "To react/2: no"),
        ("answer", {"to": "captured/1/tobruk", "units": "it-62, it-63"}, "To captured/1/tobruk: IT 62, IT 63"),
        ("answer", {"to": "hold/1"}, "To hold/1: nothing"),
        ("answer", {"to": "retreat/1/it-62", "path": "Halfaya, Bardia"}, "To retreat/1/it-62: Halfaya then Bardia"),
        (
            "losses",
            {"first": "br-inf-bg-5", "keep": "br-7-arm"},
            "Losses fall on the British infantry battlegroup 5 first and spare the British 7th Armoured Division, "
            "as far as the rules allow it",
        ),
        ("losses", {"steps": "it-62, it-62, it-63", "combat": "2"}, None),
        (
            "hold",
            {"unit": "br-inf-bg-5"},
            "Beaten, the British infantry battlegroup 5 pays a step so that nobody retreats",
        ),
        (
            "retreat",
            {"unit": "br-inf-bg-5", "path": "Halfaya, Sofafi, Sidi Barrani", "combat": "1"},
            "Beaten by two or more in combat 1, the British infantry battlegroup 5 retreats from Halfaya by Sofafi to "
            "Sidi Barrani",
        ),
        (
            "retreat",
            {"unit": "br-inf-bg-5", "path": "Halfaya, Sofafi"},
            "Beaten by one, the British infantry battlegroup 5 retreats from Halfaya to Sofafi",
        ),
        (
            "relocate",
            {"unit": "br-inf-bg-5", "to": "@replacement"},
            "Overrun, the British infantry battlegroup 5 goes to the replacement box",
        ),
        (
            "relocate",
            {"unit": "br-inf-bg-5", "to": "Tobruk"},
            "Overrun, the British infantry battlegroup 5 goes to Tobruk",
        ),
        (
            "wait",
            {"topic": "losses"},
            "You will decide about your losses when it comes to it (two more messages)",
        ),
        (
            "wait",
            {"topic": "hold", "combat": "2"},
            "In combat 2 you will decide about holding instead of retreating when it comes to it (two more messages)",
        ),
        ("end_movement", {}, "Movement ends"),
        (
            "end_movement",
            {"allow_overstack": "yes", "eliminate": "it-62"},
            "Movement ends; the Italian 62nd Division beyond the limit is eliminated",
        ),
        ("captured_supply", {"units": "it-62, it-63"}, "Captured supply restores the Italian 62nd and 63rd Divisions"),
        ("captured_supply", {"say": "none"}, "Captured supply restores nobody"),
        ("end_round", {}, "Nothing more: losses and advances of your own are bound to these orders"),
        ("attack", {"units": "it-62", "target": "Halfaya", "rommel": "yes"}, None),
        ("play_card", {"card": "compass", "use": "rd"}, None),
        ("auto_op", {}, "The Axis player plays no card: automatic operation, 1 point"),
        ("move_marker", {"space": "Tobruk"}, "Activates Tobruk for movement"),
        ("attack_marker", {"space": "Tobruk"}, "Activates Tobruk for combat"),
        ("move", {"unit": "it-62", "path": "Bardia, Gambut"}, "The Italian 62nd Division moves from Bardia to Gambut"),
        (
            "advance",
            {"unit": "it-62", "path": "Bardia, Halfaya", "if": "cleared"},
            "The Italian 62nd Division advances from Bardia to Halfaya, only if the space is overrun or its defence "
            "wiped out",
        ),
    ],
)
def test_an_order_by_itself(kind: str, data: dict[str, Tree], told: str | None) -> None:
    said = plain(kind, **data)
    assert said[0].isupper() and not said.endswith(".")
    if told is not None:
        assert said == told


def test_numbers_are_those_of_the_designation_though_the_preview_fought_the_combat() -> None:
    """Both attacks are fought at once where the defender wants no stop; their sentences say what stood there before."""
    none = {"type": "standing", "topic": "cards", "rules": "none"}
    rounds = fresh(upto=3).orders("", none).bare().bare()
    plain_told, fought = fresh(upto=4).said(example("05-axis-round")), rounds.said(example("05-axis-round"))
    run = rounds.check(example("05-axis-round") + "  - {type: end_round}\n").run
    assert run is not None and run.state.active == "allied"
    assert [line for line in fought if "held by" in line] == [line for line in plain_told if "held by" in line]


def test_steps_of_one_unit_are_counted() -> None:
    said = plain("losses", steps="it-62, it-62, it-63", combat="2")
    assert said == "Losses in combat 2 fall on IT 62 (2 steps) and IT 63, if that is what must be lost"


def test_every_built_order_type_has_a_sentence_of_its_own() -> None:
    for kind in BUILT:
        said = plain(kind.name)
        assert not said.lower().startswith(f"{kind.name}:"), said


def test_a_card_taken_by_name_and_a_unit_given_up() -> None:
    assert plain("take", card="rommel-18") == "Taken into the hand by name: Rommel"
    assert plain("withdraw", unit="it-62") == "The Italian 62nd Division is given up"


def test_standing_orders_name_their_cards_and_units() -> None:
    cards = plain("standing", topic="cards", rules=[{"play": ["minefields-8", "flak-88mm-22"], "at": "Bardia"}])
    assert cards.endswith("for combat cards: play Minefields, 88mm FLAK Guns; at Bardia")
    losses = plain("standing", topic="losses", rules=[{"first": ["it-62", "it-63"]}])
    assert losses.endswith("for your losses: first IT 62, IT 63")
