"""The dice section: a person can work every die out again from what it says."""

from __future__ import annotations

import hashlib
import hmac
import re
import struct

import pytest

from adjudicator.protocol.dice import roll
from adjudicator.report.dice import dice_of, die_of, rolls_of
from tests.report.support import chapter, events, fixture, names, report, rows

SEED = bytes(range(32))


def by_hand(seed: bytes, label: str, faces: int, block: int) -> str:
    """PROTOCOL 4.5 as a person would type it."""
    parts = (b"pbem1/roll", label.encode(), struct.pack(">I", faces))
    message = b"".join(struct.pack(">I", len(part)) + part for part in parts) + struct.pack(">I", block)
    return hmac.new(seed, message, hashlib.sha256).hexdigest()


@pytest.mark.parametrize(("faces", "count"), [(6, 1), (6, 2), (6, 40), (1000, 3), (256, 33), (2, 1)])
def test_a_die_is_the_protocols(faces: int, count: int) -> None:
    values = roll(SEED, "combat/1203/crt", faces, count)
    die = die_of(SEED, "combat/1203/crt", faces, values)
    assert die.agrees
    assert [pick.value for pick in die.picks] == list(values)
    assert list(die.blocks) == [by_hand(SEED, "combat/1203/crt", faces, c) for c in range(len(die.blocks))]
    width = 1 if faces <= 256 else 4
    for pick in die.picks:
        data = bytes.fromhex(die.blocks[pick.block])[pick.at * width : (pick.at + 1) * width]
        assert int.from_bytes(data, "big") == pick.raw
        assert pick.raw % faces + 1 == pick.value


def test_the_dice_of_the_fixtures_are_those_of_their_seeds() -> None:
    assert all(die.agrees for name in names() for die in dice_of(chapter(fixture(name))))


def test_every_roll_that_events_tell_is_listed() -> None:
    tree = fixture("siege")
    labels = {row["label"] for row in rows(tree, "events") if row.get("label")}
    assert {label for label, _faces, _values, _kind in rolls_of(events(tree, "events"))} == labels
    told = report(tree)
    for die in dice_of(chapter(tree)):
        assert die.label in told
        assert all(block in told for block in die.blocks)
    assert tree["seed"] in told
    assert f"link {tree['link']}" in told


def test_a_die_that_is_not_the_seeds_is_called_so() -> None:
    tree = fixture("siege")
    for row in rows(tree, "events"):
        if row.get("die"):
            row["die"] = str(int(row["die"]) % 6 + 1)
    assert report(tree).count("This is not what the event tells: verify the game.") == 2


def test_needed_is_told_for_every_die() -> None:
    """Each roll has label, who opened it, what was needed or the chance of what came (PROTOCOL 8)."""
    told = " ".join(report(fixture("siege")).split())
    for label in ("combat/18.4819/crt", "capture/18.4819/supply-allied-1", "combat/19.0426/crt"):
        sentence = re.search(rf"label {re.escape(label)}, opened by the Allies, link 4.*?needed", told)
        assert sentence is not None, label
