"""Orders read back in words: one sentence each, as a player would say it, with the figures that decide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ALLIED, Pair, cli

Stage = Callable[[str], Pair]


@pytest.fixture(scope="session")
def told(stages: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], list[str]]:
    """The sentences of a turn file at a stage of the game."""
    root = tmp_path_factory.mktemp("told")

    def sentences(stage: str, text: str) -> list[str]:
        file = root / "orders.yaml"
        file.write_text(text, encoding="utf-8")
        result = cli("check", file, "--game", stages[stage] / ALLIED, "--json")
        return [order.get("sentence", order["verdict"]) for order in result.json["orders"]]

    return sentences


def orders(section: str, *entries: str) -> str:
    """A turn file with one section; an entry gives the lines of an order, divided by semicolons."""
    lines = ["orders:", "  - type: section", f"    name: {section}"]
    for entry in entries:
        first, *rest = entry.split("; ")
        lines += [f"  - type: {first}", *(f"    {field}" for field in rest)]
    return "\n".join(lines) + "\n"


MOVES = {
    "move; unit: 7 SG; to: 19/0627": (
        "7th Support Group moves 19/1127 to Sofafi (19/0627) by 19/1027, 19/0927, 19/0827 and 19/0728, 5 of 10 MP, "
        "ends in an enemy ZOC"
    ),
    "move; units: 5 Ind X, 7 RTR; to: 19/0925": (
        "5th Indian Brigade and 7th Royal Tank Regiment move 19/1126 to 19/0925 by 19/1025 and the coast road Halfaya "
        "- Matruh, 5 Ind X 2 of 8 MP, 7 RTR II 2 of 6 MP"
    ),
    "move; unit: Selbyforce; to: 19/1126; by: foot": (
        "22nd Infantry Brigade (Selbyforce) moves Matruh (19/1225) to 19/1126, 1 of 8 MP"
    ),
    "move; unit: 16 Inf X; transport: Transport 1; mode: carried; to: 19/0925": (
        "16th Infantry Brigade moves 19/1126 to 19/0925 by 19/1025 and the coast road Halfaya - Matruh, "
        "carried by Transport counter 1, 2 of 10 MP"
    ),
}


@pytest.mark.parametrize("entry", MOVES)
def test_moves(entry: str, told: Callable[[str, str], list[str]]) -> None:
    assert told("movement", orders("movement", entry)) == ["Movement phase:", MOVES[entry]]


def test_a_second_move_of_a_unit_counts_on(told: Callable[[str, str], list[str]]) -> None:
    found = told("movement", orders("movement", "move; unit: 7 SG; to: 19/1027", "move; unit: 7 SG; to: 19/0927"))
    assert found[1].endswith("7th Support Group moves 19/1127 to 19/1027, 1 of 10 MP")
    assert found[2].endswith("7th Support Group moves 19/1027 to 19/0927, 1 MP more, 2 of 10 in all")


def test_railway_and_road_by_their_names(told: Callable[[str, str], list[str]]) -> None:
    found = told(
        "done",
        orders(
            "movement",
            "move; unit: 16 Aus X; to: Fuka; by: rail",
            "move; unit: 4 NZ X; to: 19/0925; by: road",
            "move; unit: 6 NZ X; to: 19/2927; mode: admin",
        ),
    )
    assert "to Fuka (19/1626) by the coast railway, " in found[1]
    assert " by the coast road " in found[2]
    assert "in administrative movement" in found[3]


ATTACK = "attack; hex: 19/0726; with: 5 Ind X, 11 Ind X, 4 Ind HQ, 16 Inf X, W Art X, 7 RTR"


def test_an_attack_with_all_that_decides(told: Callable[[str, str], list[str]]) -> None:
    (_, said) = told("combat", orders("combat", f"{ATTACK}; supply: supply-allied-1:1; advance: 7 RTR"))
    assert said == (
        "5th Indian Brigade, 11th Indian Brigade, 4th Indian Division HQ, 16th Infantry Brigade, Western Desert "
        "composite artillery and 7th Royal Tank Regiment attack 19/0726 held by 2 Lib XX, 63L Lt Tk II and Maletti "
        "III: 14 against 3, column 4:1; die as rolled; in attack supply (1 step of Allied supply 1); "
        "7 RTR II advances if it is cleared"
    )


def test_attacks_that_go_wrong_in_words(told: Callable[[str, str], list[str]]) -> None:
    found = told("combat", orders("combat", f"{ATTACK}; min_odds: 5:1", "attack; hex: 19/0725; with: Selbyforce"))
    assert "called off: min_odds 5:1: the odds are " in found[1]
    assert "below the table, the attackers are eliminated; without attack supply; nobody advances" in found[2]
    found = told("combat", orders("combat", f"{ATTACK}; losses: 7 RTR; advance: all"))
    assert "losses fall first on 7 RTR II" in found[1]
    assert found[1].endswith("all that may advance if it is cleared")


def test_choices_and_standing_orders(told: Callable[[str, str], list[str]]) -> None:
    found = told(
        "combat",
        "orders:\n  - type: standing\n    topic: losses\n    rules:\n      - order: 16 Inf X, 7 RTR\n"
        + orders(
            "combat",
            ATTACK,
            "losses; hex: 19/0726; units: 7 RTR, 5 Ind X",
            "retreat; unit: 5 Ind X; to: 19/0827",
            "advance; units: 11 Ind X; to: 19/0726",
            "pass",
        ).removeprefix("orders:\n"),
    )
    assert found[0] == "from the next message on, standing order for losses: order 16 Inf X, 7 RTR II"
    assert found[3:] == [
        "losses in the attack on 19/0726 fall on 7th Royal Tank Regiment and 5th Indian Brigade, in this order",
        "5th Indian Brigade retreats to 19/0827 if driven back",
        "11th Indian Brigade advances into 19/0726 if it is cleared (without dice: the hex is not cleared)",
        "nothing more in this phase",
    ]


def test_every_order_that_is_built_has_words() -> None:
    from adjudicator.western_desert.orders import TYPES
    from adjudicator.western_desert.readback import _SENTENCES

    assert {name for name, kind in TYPES.items() if kind.built} == set(_SENTENCES)
