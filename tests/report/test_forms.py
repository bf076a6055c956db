"""Text and Markdown carry the same facts; what players write can't break either."""

from __future__ import annotations

import re

import pytest

from adjudicator.report.document import Bullets, Document, Heading, Item, Para, Table, bullets, code, item, para, strong
from adjudicator.report.render import WIDTH, markdown, text
from tests.report.support import document, fixture, names

_RULERS = re.compile(r"^[=~-]+(  -+)*$")


def words_of_text(told: str) -> list[str]:
    """The words of a plain text, without rulers and bullets."""
    lines = [line for line in told.splitlines() if not _RULERS.match(line)]
    return [word for line in lines for word in re.sub(r"^ *- ", "", line).split()]


def words_of_markdown(told: str) -> list[str]:
    """The words of a Markdown text as it is read: without marks, with escapes taken back."""
    found: list[str] = []
    for line in told.splitlines():
        if re.match(r"^\|( -+:? \|)+$", line):
            continue
        line = re.sub(r"^(#+| *-) ", "", line)
        line = re.sub(r"(?<!\\)[*`]|(?<!\\)(?<=[ |])\||^\|", "", line)
        found += re.sub(r"\\(.)", r"\1", line).split()
    return found


@pytest.mark.parametrize("name", names())
def test_both_forms_carry_the_same_words(name: str) -> None:
    found = document(fixture(name))
    assert words_of_text(text(found)) == words_of_markdown(markdown(found))


@pytest.mark.parametrize("name", names())
def test_text_fits_a_mail(name: str) -> None:
    long = [
        line
        for line in text(document(fixture(name))).splitlines()
        if len(line) > WIDTH and not re.search(r"[0-9a-f]{32}", line)
    ]
    assert long == []


NASTY = "# heading * bold * `code` | cell [link](x) <b> 1. list\n- item"


def test_players_words_can_not_make_markdown() -> None:
    told = markdown([para(NASTY)])
    assert told == "\\# heading \\* bold \\* \\`code\\` \\| cell \\[link\\](x) \\<b\\> 1. list - item\n"
    assert markdown([para("1. first")]) == "1\\. first\n"
    assert markdown([para(code("a`b"))]) == "`a'b`\n"


def test_every_block_in_both_forms() -> None:
    found: Document = [
        Heading(1, "Title"),
        Heading(3, "Part"),
        para("Plain and ", strong(" strong "), "."),
        *bullets([item("one", below=[item("two")])]),
        Table(("Side", "Lost"), (("Axis", "3"), ("Allies", "12")), (1,)),
    ]
    assert text(found) == (
        "Title\n=====\n\nPart\n~~~~\n\nPlain and  strong .\n\n- one\n  - two\n\n"
        "Side    Lost\n------  ----\nAxis       3\nAllies    12\n"
    )
    assert markdown(found) == (
        "# Title\n\n### Part\n\nPlain and  **strong** .\n\n- one\n  - two\n\n"
        "| Side | Lost |\n| --- | ---: |\n| Axis | 3 |\n| Allies | 12 |\n"
    )


def test_an_empty_list_is_no_block() -> None:
    assert bullets([]) == []
    assert isinstance(bullets([item("x")])[0], Bullets)
    assert Para(()).line == ()
    assert Item(()).below == ()
