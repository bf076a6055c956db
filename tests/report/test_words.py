"""Small words: lists, numbers, chances, names, ways."""

from __future__ import annotations

from fractions import Fraction

import pytest

from adjudicator.report import words
from adjudicator.report.western_desert import names
from adjudicator.report.western_desert.roads import way_words
from adjudicator.western_desert import hexes
from tests.western_desert.ground import compass, start


def test_lists() -> None:
    assert words.joined([]) == ""
    assert words.joined(["a"]) == "a"
    assert words.joined(["a", "b"]) == "a and b"
    assert words.joined(["a", "b", "c"], "or") == "a, b or c"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("7/2", "3 1/2"), ("-7/2", "-3 1/2"), ("2.5", "2 1/2"), ("1/4", "1/4"), ("-1/4", "-1/4"), ("0", "0")],
)
def test_figures(value: str, shown: str) -> None:
    assert words.figure(value) == shown


@pytest.mark.parametrize(
    ("upper", "lower", "shown"),
    [
        ("10", "3", "3.33 to 1"),
        ("21/2", "7", "1.5 to 1"),
        ("3", "3", "1 to 1"),
        ("1", "3", "0.33 to 1"),
        ("5", "0", "5 to 0"),
        ("1999", "1000", "1.99 to 1"),
    ],
)
def test_ratios_are_never_rounded_up(upper: str, lower: str, shown: str) -> None:
    assert words.ratio(Fraction(upper), Fraction(lower)) == shown


def test_chances() -> None:
    assert words.chance([6]) == "1 chance in 6"
    assert words.chance([5, 6]) == "2 chances in 6"
    assert words.faces_words([4]) == "a 4"
    assert words.faces_words([5, 6]) == "a 5 or 6"
    assert words.faces_words([2, 3, 4]) == "a 2 to 4"
    assert words.faces_words([1, 2, 5]) == "a 1, 2 or 5"


def test_verbs() -> None:
    assert [words.third(v) for v in ("go by rail", "march", "fall back", "push on")] == [
        "goes by rail",
        "marches",
        "falls back",
        "pushes on",
    ]


def test_a_choice_of_words_is_always_the_same() -> None:
    phrases = ("a", "b", "c", "d")
    assert [words.choose(phrases, "it-62", str(n)) for n in range(8)] == list("bbbcabcb")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("62nd Infantry Division Marmarica", "62nd Marmarica Division"),
        ("7th Armoured Brigade", "7th Armoured Brigade"),
        ("Raggruppamento Maletti (motorized Libyans)", "Raggruppamento Maletti"),
        ("21st Panzer Division (5th Light)", "21st Panzer Division"),
        ("22nd Infantry Brigade (Selbyforce)", "22nd Infantry Brigade (Selbyforce)"),
    ],
)
def test_spoken_names(name: str, shown: str) -> None:
    assert names.spoken_name(name) == shown


def test_like_units_are_named_together() -> None:
    units = ["in-5", "in-11", "in-4-hq", "it-9l", "it-63l", "br-rnf", "it-maletti", "it-21art", "it-23art"]
    assert names.list_units(start(), units) == (
        "the 4th Indian Division HQ, the 5th and 11th Indian Brigades, the 21st and 23rd Corps artillery, "
        "Raggruppamento Maletti, the 1st Royal Northumberland Fusiliers and the 9th and 63rd light tank battalions"
    )


def test_hexes_are_placed() -> None:
    board = compass().board
    assert names.hex_words(board, hexes.parse("18/4818")) == "Tobruk (18/4818)"
    assert names.where(board, hexes.parse("19/0726")) == "19/0726 (south of Sidi Barrani)"
    assert names.hex_words(board, hexes.parse("19/4404")) == "Tripoli in Lebanon (19/4404)"
    assert names.bearing(hexes.parse("19/1127"), hexes.parse("19/0826")) == "west"


def way(*numbers: str) -> str:
    """The way over some hexes in words."""
    first, *rest = (hexes.parse(number) for number in numbers)
    return way_words(compass().board, first, rest)


def test_ways_name_their_roads() -> None:
    assert way("19/1126", "19/1125", "19/1025", "19/0925") == (
        "across country by 19/1125, then along the coast road through 19/1025"
    )
    assert way("19/0325", "19/0326", "19/0426", "19/0526") == (
        "along the Via Balbia through Capuzzo (19/0326) and Sollum (19/0426), then along the coast road"
    )
    assert way("19/1126", "19/1026") == "across country"


def test_railways_are_ridden() -> None:
    board = compass().board
    path = [hexes.parse(number) for number in ("19/1326", "19/1225")]
    assert way_words(board, hexes.parse("19/1426"), path, [True, True]) == "on the coast railway through 19/1326"
