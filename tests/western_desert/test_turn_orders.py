"""Turn files against the real game: names deep in an order, standing orders, sections, warnings (DESIGN, Turn file)."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.match.draft import read_draft
from tests.western_desert.surprise import ALLIED, AXIS, Played, signed, table, told, voids

MOVE = """
orders:
  - {type: section, name: movement}
  - {type: move, units: "16 Inf X, 11 Ind X, 5 Ind X, 7 RTR, W Art X", to: 19/0826}
  - {type: section, name: air}
  - type: section
    name: combat
"""


@pytest.fixture(scope="module")
def game() -> Played:
    return Played.begun()


def attack(*fields: str) -> str:
    """A turn file with an attack on the camps, with more fields."""
    lines = ["  - type: attack", "    hex: 19/0726", "    with: 16 Inf X, 11 Ind X, 5 Ind X, 7 RTR, W Art X", *fields]
    return MOVE + "\n".join(lines) + "\n"


def standing(topic: str, *rules: str) -> str:
    return "\n".join(["orders:", "  - type: standing", f"    topic: {topic}", "    rules:", *rules]) + "\n"


# --- names deep in an order -------------------------------------------------------------------------------------


def test_names_in_attack_supply_are_signed_as_ids(game: Played) -> None:
    for written, expected in (
        ("    supply: Allied supply 1:1", ["supply-allied-1:1"]),
        ("    supply: Allied supply 1", ["supply-allied-1"]),
        ("    supply:\n      - Allied Supply 1:2\n      - Allied supply 2", ["supply-allied-1:2", "supply-allied-2"]),
        (
            '    supply:\n      - counter: Allied supply 1\n        steps: 1\n        units: "16 Inf X, W Art X"',
            [{"counter": "supply-allied-1", "steps": "1", "units": ["br-16", "br-w-art"]}],
        ),
    ):
        result = game.check_text(attack(written))
        assert result.legal, told(result.problems)
        assert signed(result)[-1]["supply"] == expected


def test_unknown_names_deep_in_an_order_are_told_with_their_own_place(game: Played) -> None:
    said = told(game.check_text(attack("    supply: Allied supply 1:1, Allied suply 9:1")).problems)
    assert len(said) == 1
    assert said[0].startswith("11:32 unknown there is no supply counter 'Allied suply 9'; did you mean")
    deep = "    supply:\n      - counter: Allied supply 1\n        units: 16 Inf X, 99 Inf X"
    assert told(game.check_text(attack(deep)).problems)[0].startswith("13:26 unknown there is no unit '99 Inf X'")


def test_ambiguous_names_deep_in_an_order_list_the_candidates(game: Played) -> None:
    text = standing("losses", "      - stack: 19/0826", "        never: 7 RTR, 3 AA")
    (said,) = told(game.check_text(text).problems)
    assert said.startswith("6:23 ")


def test_forms_of_attack_supply_that_cannot_be_read(game: Played) -> None:
    for written, place, code in (
        ("    supply: Allied supply 1:two", "11:13", "form"),
        ("    supply:\n      - steps: 1", "12:9", "missing"),
        ("    supply:\n      - counter: Allied supply 1\n        stepps: 1", "13:17", "field"),
        ("    supply:\n      - - a", "12:9", "form"),
    ):
        (said,) = told(game.check_text(attack(written)).problems)
        assert said.startswith(f"{place} {code} "), said
        assert said.split("; ")[-1]


def test_clauses_are_signed_as_ids(game: Played) -> None:
    losses = game.check_text(
        standing("losses", "      - stack: Bardia, Sidi Barrani", "        order: 62 Marmarica XX, 1 Lib XX"), AXIS
    )
    assert losses.legal, told(losses.problems)
    assert signed(losses)[0]["rules"] == [{"stack": ["19/0325", "19/0725"], "order": ["it-62", "it-1lib"]}]
    retreat = game.check_text(standing("retreat", "      - prefer: Bardia, north-east, se, Rough, toward supply"), AXIS)
    assert retreat.legal, told(retreat.problems)
    assert signed(retreat)[0]["rules"][0]["prefer"] == ["19/0325", "NE", "SE", "rough", "toward_supply"]
    supply = game.check_text(
        standing("supply", "      - counter: Axis supply 2", "        use: never", "      - counter: any"), AXIS
    )
    assert supply.legal, told(supply.problems)
    assert signed(supply)[0]["rules"] == [{"counter": "supply-axis-2", "use": "never"}, {"counter": "any"}]


@pytest.mark.parametrize(
    ("topic", "lines", "expected"),
    [
        ("losses", ["      - stack: Atlantis"], "5:16 unknown there is no hex 'Atlantis'"),
        ("losses", ["      - order: 62 Marmarica XX, 7 Arm X"], "5:33 standing standing order: rules[0].order[1]"),
        ("losses", ["      - ordr: 62 Marmarica XX"], "5:15 field standing: rules, entry 1 has no field 'ordr'"),
        ("losses", ["      - hold"], "5:9 form standing: rules, entry 1 has no fields"),
        ("retreat", ["      - prefer: NE, uphill"], "5:21 unknown there is no hex, bearing or terrain 'uphill'"),
        ("retreat", ["      - split: maybe"], "5:16 word standing: rules, entry 1: split: 'maybe' is not one of"),
        ("supply", ["      - counter: Allied supply 1"], "5:18 standing standing order: rules[0].counter names"),
        ("supply", ["      - min_re: few"], "5:17 form standing: rules, entry 1: min_re must be a whole number"),
    ],
)
def test_clauses_that_cannot_be_read_are_errors_with_their_place(
    game: Played, topic: str, lines: list[str], expected: str
) -> None:
    result = game.check_text(standing(topic, *lines), AXIS)
    said = told(result.problems)
    assert [line for line in said if line.startswith(expected)], said
    assert all(problem.hint for problem in result.problems)


def test_the_gate_voids_names_and_foreign_units_in_a_signed_body() -> None:
    bad: list[Any] = [
        {"type": "standing", "topic": "losses", "rules": [{"order": ["62 Marmarica XX"]}]},
        {"type": "standing", "topic": "losses", "rules": [{"order": ["br-16"]}]},
        {"type": "standing", "topic": "retreat", "rules": [{"prefer": ["ne"]}]},
        {"type": "standing", "topic": "supply", "rules": "always"},
        {"type": "answer", "to": "losses/19.0726/allied", "units": ["br-16"]},
        {"type": "answer", "to": "losses/19.0726/nobody", "units": ["it-62"]},
    ]
    good = {"type": "standing", "topic": "losses", "rules": [{"order": ["it-1lib"]}]}
    played = Played.begun([good])
    played.send()
    resolved = played.send([*bad, {"type": "standing", "topic": "retreat", "rules": [{"prefer": ["NE"]}]}])
    assert [event["order"] for event in voids(resolved)] == ["0", "1", "2", "3", "4", "5"]
    rows: Any = resolved.position["standing"]
    kept = {row["topic"]: row["rules"] for row in rows}
    assert kept == {"losses": [{"order": ["it-1lib"]}], "retreat": [{"prefer": ["NE"]}]}


def test_the_gate_voids_names_deep_in_signed_orders() -> None:
    played = Played.begun()
    head = {"type": "section", "name": "combat"}
    air = {"type": "section", "name": "air"}
    fight: dict[str, Any] = {"type": "attack", "hex": "19/0726", "with": ["br-16"]}
    names: list[dict[str, Any]] = [
        {"supply": "Allied supply 1:1"},
        {"supply": [{"counter": "supply-allied-1", "units": ["16 Inf X"]}]},
        {"retreat": ["north"]},
        {"losses": ["16 Inf X"]},
    ]
    for more in names:
        again = played.copy()
        again.send([{"type": "section", "name": "movement"}, air, head, {**fight, **more}])
        resolved = again.resolver.last
        assert resolved is not None
        (void,) = [event for event in resolved.events if event.kind == "void" and event.data["type"] == "attack"]
        assert void.data["code"] == "id", more


def test_captured_counters_go_by_number() -> None:
    (found,) = [
        table().resolve(Played.begun().state, ALLIED, order)
        for order in read_draft(attack("    supply: captured supply 1:1").encode()).orders[-1:]
    ]
    order, problems = found
    assert (problems, order.data["supply"]) == ([], ["supply-allied-captured-1:1"])


# --- sections ---------------------------------------------------------------------------------------------------


def problems_of(game: Played, text: str) -> list[str]:
    return told(game.check_text(text).problems)


def test_a_second_section_of_a_phase_is_refused(game: Played) -> None:
    text = MOVE + "  - {type: section, name: movement}\n  - {type: move, unit: 4 Arm X, to: 19/0827}\n"
    assert problems_of(game, text)[0].startswith("9:6 section move stands in a second section movement")
    assert problems_of(game, MOVE + "  - {type: section, name: combat}\n")[0].startswith("8:6 section")


def test_a_section_that_there_is_not_is_told_once(game: Played) -> None:
    said = problems_of(game, MOVE.replace("combat", "combatt") + "  - {type: attack, hex: 19/0726, with: 16 Inf X}\n")
    assert len(said) == 1 and said[0].startswith("7:11 word section: name: 'combatt' is not one of")


def test_pass_ends_a_phase(game: Played) -> None:
    assert problems_of(game, MOVE + "  - {type: pass}\n") == []
    head = "orders:\n  - {type: pass}\n  - {type: section, name: movement}\n"
    assert problems_of(game, head + "  - {type: pass}\n  - {type: section, name: combat}\n  - type: pass\n") == []
    late = head + "  - {type: pass}\n  - {type: move, unit: 4 Arm X, to: 19/0827}\n"
    assert problems_of(game, late)[0].startswith("5:6 after_pass move stands after pass")


def test_standing_orders_may_stand_in_any_section(game: Played) -> None:
    clause = "  - {type: standing, topic: losses, rules: [{order: 16 Inf X}]}\n"
    for text in (MOVE.replace("  - {type: move", clause + "  - {type: move"), MOVE + clause):
        result = game.check_text(text)
        assert result.legal, told(result.problems)


def test_stops_that_are_wished_for_are_not_built(game: Played) -> None:
    said = problems_of(game, MOVE.replace("name: combat", "name: combat\n    ask: air"))
    assert said == ["8:10 unbuilt section: ask is not built in this version (a stop wished for); leave ask: out"]


def test_the_section_that_was_sent_first_binds() -> None:
    played = Played.begun()
    air, combat = ({"type": "section", "name": name} for name in ("air", "combat"))
    fight: dict[str, Any] = {"type": "attack", "hex": "19/0726", "with": ["br-16"]}
    played.send([combat])
    assert played.waits == (ALLIED, "orders/movement")
    played.send()
    draft: list[dict[str, Any]] = [{"type": "section", "name": "movement"}, air, combat, fight]
    (said,) = played.check_orders(draft).problems
    assert (said.code, said.order) == ("bound", 3)
    assert "the section combat of message 4 binds" in said.text
    assert [event["code"] for event in voids(played.send(draft))] == ["bound"]


# --- warnings ---------------------------------------------------------------------------------------------------


def warnings_of(game: Played, text: str, side: str = ALLIED) -> list[str]:
    result = game.check_text(text, side)
    assert result.legal, told(result.problems)
    return told(result.warnings)


def test_an_attack_below_the_table_is_warned_of(game: Played) -> None:
    text = attack().replace("    with: 16 Inf X, 11 Ind X, 5 Ind X, 7 RTR, W Art X", "    with: 16 Inf X")
    (low, dry) = sorted(warnings_of(game, text), key=lambda line: "odds_low" not in line)
    assert low.startswith("10:11 odds_low ") and "below 1:3: all attackers are eliminated without a die" in low
    assert "no_attack_supply" in dry
    called_off = warnings_of(game, text + "    min_odds: 1:3\n")
    assert len(called_off) == 1 and "as things stand the attack is called off: min_odds 1:3" in called_off[0]


def test_an_attack_without_the_supply_in_reach_is_warned_of(game: Played) -> None:
    (said,) = warnings_of(game, attack())
    assert said.startswith("8:5 no_attack_supply ")
    assert "though Allied supply 1 in Matruh (19/1225) is in reach; write supply: supply-allied-1:1" in said
    assert warnings_of(game, attack("    supply: Allied supply 1:1")) == []
    (far,) = warnings_of(game, attack("    supply: Allied supply 2:1"))
    assert "though Allied supply 1" in far


def test_orders_that_no_result_asks_for_are_warned_of(game: Played) -> None:
    low = attack("    advance: all", "    losses: 16 Inf X", "    supply: Allied supply 1:1")
    assert warnings_of(game, low) == []
    text = MOVE + "\n".join(
        [
            "  - {type: attack, hex: 19/0726, with: 16 Inf X, advance: all}",
            "  - {type: losses, hex: 19/0726, units: 16 Inf X}",
            "  - {type: retreat, unit: 16 Inf X, to: 19/0927}",
        ]
    )
    said = [line for line in warnings_of(game, text) if " idle " in line]
    assert len(said) == 3, said
    assert "clears the hex, so nobody can advance" in said[0]
    assert "leaves the attacker a choice of losses" in said[1]
    assert "drives an attacker back" in said[2]


def test_second_words_and_answers_to_nothing_are_warned_of(game: Played) -> None:
    more = "\n".join(
        [
            "    supply: Allied supply 1:1",
            "    losses: 16 Inf X",
            "  - {type: losses, hex: 19/0726, units: 11 Ind X}",
            "  - {type: answer, to: losses/19.0725/allied, units: 16 Inf X}",
        ]
    )
    said = warnings_of(game, attack(more))
    assert [line.split()[0] for line in said] == ["13:6", "14:24"], said


def test_clauses_that_can_do_nothing_are_warned_of(game: Played) -> None:
    lines = ["      - order: 62 Marmarica XX", "      - stack: Bardia", "        never: 62 Marmarica XX"]
    (said,) = warnings_of(game, standing("losses", *lines), AXIS)
    assert said.startswith("6:9 idle standing order: clause 2 is never reached")
    (said,) = warnings_of(game, standing("retreat", "      - stack: Bardia"), AXIS)
    assert "clause 1 names nothing to be done" in said


def test_retreats_told_ahead_go_one_hex_and_losses_fall_on_attackers(game: Played) -> None:
    fight = attack("    supply: Allied supply 1:1")
    for line, expected in (
        ("  - {type: retreat, unit: 16 Inf X, to: 19/1126}", "12:41 retreat_hex a retreat from 19/0826 goes one hex"),
        ("  - {type: retreat, unit: 16 Inf X, path: '19/0926, 19/1126'}", "12:53 retreat_hex 19/1126 is not next to"),
        ("  - {type: retreat, unit: 4 Arm X, to: 19/1026}", "12:6 idle_unit 4 Arm X is in no attack"),
        ("  - {type: losses, hex: 19/0726, units: '16 Inf X, 4 Arm X'}", "12:52 no_attacker losses: units names"),
        ("  - {type: losses, hex: 19/0726, never: 1 Lib XX}", "12:41 no_attacker losses: never names 1 Lib XX"),
    ):
        (said,) = problems_of(game, fight + line + "\n")
        assert said.startswith(expected), said
    for line in (
        "  - {type: retreat, unit: 16 Inf X, to: '19/1126, 19/0926'}",
        "  - {type: retreat, unit: 16 Inf X, path: '19/0926, 19/1025'}",
    ):
        assert problems_of(game, fight + line + "\n") == []
