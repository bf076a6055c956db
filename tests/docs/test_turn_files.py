"""What docs/turn-files.md says of the form, held against the reader and the JSON Schema."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
import yaml

from adjudicator.engine.schema import shape_problems
from adjudicator.match.draft import read_draft
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.western_desert.orders import TYPES
from tests.docs.pages import ROOT, page, pages

PAGE = page("docs/turn-files.md")
SCHEMA = json.loads((ROOT / "turnfiles/western-desert/schema.json").read_text(encoding="utf-8"))


def schema_accepts(tree: Any) -> bool:
    """Whether the JSON Schema finds nothing wrong."""
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(tree))


def examples() -> list[tuple[str, str]]:
    """Every turn file shown on a page: where it stands, and its text."""
    blocks = [(found, block) for found in pages() for block in found.blocks("yaml")]
    return [(f"{f.path}:{b.line}", b.text) for f, b in blocks if re.search("^orders:", b.text, re.MULTILINE)]


@pytest.mark.parametrize(("where", "text"), examples())
def test_examples_are_well_formed(where: str, text: str) -> None:
    draft = read_draft(text.encode())
    assert (draft.problems, draft.warnings) == ([], []), where
    assert [problem for order in draft.orders for problem in shape_problems(TYPES, order)] == []
    assert schema_accepts(yaml.safe_load(text))


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
    "{type: attack, hex: 19/0726, with: a, supply: 'S1:1, S2', losses: a, never: b, retreat: 'N, rough', neutral: none}",
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


@pytest.mark.parametrize(("order", "good"), [*((row, True) for row in GOOD), *((row, False) for row in BAD)])
def test_schema_and_check_agree(order: str, good: bool) -> None:
    """The schema accepts the form of an order exactly where `check` does."""
    draft = read_draft(f"orders:\n  - {order}\n".encode())
    assert (not draft.problems and not shape_problems(TYPES, draft.orders[0])) is good
    assert schema_accepts(yaml.safe_load(f"orders:\n  - {order}\n")) is good
