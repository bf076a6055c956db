"""What docs/turn-files.md says of the form, held against the reader and the JSON Schema."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
import yaml

from adjudicator.engine.game import ORDERS_AT_MOST, TEXT_AT_MOST
from adjudicator.engine.schema import Types, shape_problems
from adjudicator.match.draft import read_draft
from adjudicator.shifting_sands import orders as shifting_sands
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.western_desert import orders as western_desert
from adjudicator.western_desert.haul import ORDERS_OF_A_COUNTER
from adjudicator.western_desert.moves import ORDERS_OF_A_UNIT
from tests.docs.pages import ROOT, page, pages

PAGE = page("docs/turn-files.md")
WD, SS = "western-desert", "shifting-sands"
TYPES: dict[str, Types] = {WD: western_desert.TYPES, SS: shifting_sands.TYPES}
SCHEMAS = {
    slug: json.loads((ROOT / f"turnfiles/{slug}/schema.json").read_text(encoding="utf-8")) for slug in (WD, SS)
}


def schema_accepts(game: str, tree: Any) -> bool:
    """Whether the JSON Schema of a game finds nothing wrong."""
    return bool(jsonschema.Draft202012Validator(SCHEMAS[game]).is_valid(tree))


def examples() -> list[tuple[str, str, str]]:
    """Every turn file shown on a page: where it stands, its game (``<!-- game: .. -->`` above it), and its text."""
    blocks = [(found, block) for found in pages() for block in found.blocks("yaml")]
    shown = [(f, b) for f, b in blocks if re.search("^orders:", b.text, re.MULTILINE)]
    return [(f"{f.path}:{b.line}", b.value if b.mark == "game" else WD, b.text) for f, b in shown]


@pytest.mark.parametrize(("where", "game", "text"), examples())
def test_examples_are_well_formed(where: str, game: str, text: str) -> None:
    draft = read_draft(text.encode())
    assert (draft.problems, draft.warnings) == ([], []), where
    assert [problem for order in draft.orders for problem in shape_problems(TYPES[game], order)] == []
    assert schema_accepts(game, yaml.safe_load(text))


def test_the_limits_are_those_of_the_program() -> None:
    text = " ".join(PAGE.text.split())
    for said in (
        f"{ORDERS_AT_MOST:,} orders are read, those after them are void",
        f"of a text in an order {TEXT_AT_MOST:,} characters are read",
        f"a unit may be named in {ORDERS_OF_A_UNIT} orders of a movement phase, a supply counter in "
        f"{ORDERS_OF_A_COUNTER}:",
    ):
        assert said in text


def test_both_games_have_examples() -> None:
    assert {game for _where, game, _text in examples()} == {WD, SS}


def slips() -> list[tuple[str, str]]:
    """The slips of the table that can be typed as they stand, with the mend where it can be typed, too."""
    rows = re.findall(r"^\| (.+?) \| .+? \| (.+?) \|$", PAGE.text.split("What YAML makes of slips")[1], re.MULTILINE)
    return [
        (typed.split("`")[1], mend.strip("`")) for typed, mend in rows if typed.startswith("`") and "," not in typed
    ]


def complaints(line: str) -> int:
    """How much the reader has to say of one line of an order."""
    data = f"orders:\n  - type: attack\n    {line}\n".encode()
    try:
        return len(read(data).warnings)
    except ReadError as error:
        return len(error.problems)


@pytest.mark.parametrize(("typed", "mend"), slips())
def test_slips_are_told_and_their_mends_are_not(typed: str, mend: str) -> None:
    assert complaints(typed) > 0
    assert ":" not in mend or complaints(mend) == 0


@pytest.mark.parametrize("sign", ["@hq", "!important", "&a", "*all", "%a", "{7 Arm X, 4 Arm X}", "\tx"])
def test_signs_of_yaml_are_told(sign: str) -> None:
    assert complaints(f"with: {sign}") > 0


def test_the_table_of_slips_was_read() -> None:
    assert len(slips()) >= 4


GOOD = (
    "{type: section, name: movement}",
    "{type: move, unit: 7 Arm X, to: 19/0825, by: road}",
    "{type: move, units: [a, b], path: [19/0825, 19/0826]}",
    "{type: attack, hex: 19/0726, with: 'a, b', advance: all}",
    "{type: attack, hex: 19/0726, with: a, supply: 'S1:1, S2', losses: a, never: b, retreat: 'N, rough'}",
    "{type: attack, hex: 19/0726, with: a, neutral: none}",
    "{type: attack, hex: 19/0726, with: a, supply: [S1:2, {counter: S2, steps: 1, units: a}]}",
    "{type: losses, hex: 19/0726, never: a}",
    "{type: retreat, unit: a, to: '19/0726, 19/0727'}",
    "{type: standing, topic: losses, rules: [{stack: any, order: 'a, b', never: c}]}",
    "{type: standing, topic: retreat, rules: {prefer: [N, rough], split: 'no'}}",
    "{type: standing, topic: supply, rules: [{counter: any, use: always, keep_steps: 1}]}",
    "{type: standing, topic: supply, rules: []}",
    "{type: standing, topic: supply}",
    "{type: pass}",
)
BAD = (
    "{type: move, unit: a}",
    "{type: move, unit: a, to: 19/0825, speed: fast}",
    "{type: move, unit: a, to: 19/0825, by: camel}",
    "{type: move, unit: [a], to: 19/0825}",
    "{type: attack, with: a}",
    "{type: section, name: combat, ask: air}",
    "{type: attack, hex: 19/0726, with: a, declare: {a: half}}",
    "{type: attack, hex: 19/0726, with: a, supply: [{steps: 1}]}",
    "{type: attack, hex: 19/0726, with: a, supply: [{counter: S1, step: 1}]}",
    "{type: losses, hex: 19/0726}",
    "{type: standing, topic: losses, rules: [{any: thing}]}",
    "{type: standing, topic: losses, rules: [hold]}",
    "{type: standing, topic: retreat, rules: [{split: perhaps}]}",
    "{type: answer, to: losses/19.0726/axis}",
    "{type: charge, unit: a}",
    "{type: air_drop, unit: a}",
    "{unit: a, to: 19/0825}",
)


GOOD_SS = (
    "{type: section, name: reaction, ask: 'losses, retreat'}",
    "{type: section, name: round}",
    "{type: play_card, card: Graziani, use: ops}",
    "{type: auto_op}",
    "{type: move, unit: IT 61, to: Bardia}",
    "{type: move, unit: IT 61, path: 'Tobruk, Gambut, Bardia'}",
    "{type: attack, units: [IT 62, IT 63], target: Halfaya, flank: 'no'}",
    "{type: losses, first: IT 62}",
    "{type: losses, steps: [IT 62, IT 62], combat: 2}",
    "{type: retreat, unit: IT 62, to: 'Bardia, Tobruk'}",
    "{type: standing, topic: cards, rules: none}",
    "{type: standing, topic: losses, rules: [{first: a, keep: b}]}",
    "{type: standing, topic: hold, rules: {at: Halfaya, steps: 2}}",
    "{type: standing, topic: relocate, rules: [{to: ['@replacement', Cairo]}]}",
    "{type: wait, topic: losses}",
    "{type: end_round}",
)
BAD_SS = (
    "{type: section, name: movement}",
    "{type: section, name: round, asks: losses}",
    "{type: play_card, card: Graziani}",
    "{type: play_card, card: Graziani, use: fun}",
    "{type: move, unit: IT 61}",
    "{type: attack, units: IT 62}",
    "{type: attack, units: IT 62, target: [Halfaya, Kassala]}",
    "{type: losses, combat: 1}",
    "{type: standing, topic: tea, rules: none}",
    "{type: standing, topic: losses, rules: perhaps}",
    "{type: standing, topic: losses, rules: [{to: Cairo}]}",
    "{type: standing, topic: hold, rules: [{unit: {a: b}}]}",
    "{type: rd, unit: IT 61}",
    "{type: wait}",
)
CASES = [
    (game, row, good)
    for game, good, rows in ((WD, True, GOOD), (WD, False, BAD), (SS, True, GOOD_SS), (SS, False, BAD_SS))
    for row in rows
]


@pytest.mark.parametrize(("game", "order", "good"), CASES)
def test_schema_and_check_agree(game: str, order: str, good: bool) -> None:
    """The schema accepts the form of an order exactly where `check` does."""
    draft = read_draft(f"orders:\n  - {order}\n".encode())
    assert (not draft.problems and not shape_problems(TYPES[game], draft.orders[0])) is good
    assert schema_accepts(game, yaml.safe_load(f"orders:\n  - {order}\n")) is good
