"""Narratives of a game, made from its events (DESIGN, How a turn flows, 4).

``narrative`` tells one message to one viewer, ``write_reports`` keeps it in the game folder, ``dice_text`` lists the
dice of a message with all that is needed to work them out again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from adjudicator.engine.game import Table
from adjudicator.match.files import write_whole
from adjudicator.match.match import Match
from adjudicator.match.terms import LOCAL
from adjudicator.report.chapter import PUBLIC, Chapter, Opening, ReportError, chapter_of
from adjudicator.report.dice import Die, dice_blocks, dice_of
from adjudicator.report.document import Block, Document, Heading, bullets, item, para
from adjudicator.report.ending import told
from adjudicator.report.games import Teller, teller
from adjudicator.report.render import markdown, text
from adjudicator.report.words import counted

__all__ = [
    "PUBLIC",
    "Chapter",
    "Die",
    "Opening",
    "ReportError",
    "dice_list",
    "dice_text",
    "document_of",
    "narrative",
    "write_reports",
]

Form = Literal["text", "markdown"]
RULES_TOLD = 40


def narrative(match: Match, seq: int | None = None, viewer: str | None = None, form: Form = "text") -> str:
    """The story of a message, the newest resolved one where ``seq`` is None, as ``text`` or ``markdown``.

    ``viewer`` is a side, or None (``public``) for what anybody may know. Raises ReportError for a message without a
    report and for an unknown viewer.
    """
    chapter, before = chapter_of(match, seq, viewer)
    return _render(document_of(match.table_at(chapter.seq), chapter, before, _teller(match)), form)


def document_of(table: Table, chapter: Chapter, before: Any, words: Teller) -> Document:
    """The story of a chapter before it is given a form. ``before`` is the state before it; it is used up."""
    headline = Heading(1, words.headline(chapter, before))
    preface = _preface(chapter, words)
    story = words.story(table, chapter, before)
    return [headline, *preface, *story, *dice_blocks(chapter, words.side(chapter.opening.side))]


def write_reports(match: Match, seq: int | None = None) -> list[Path]:
    """Write ``reports/NNNN-VIEWER.md`` for the player of the folder (``public`` where it has none), whole or not.

    Returns the paths written. Raises ReportError like :func:`narrative`.
    """
    viewer = match.me or PUBLIC
    chapter, before = chapter_of(match, seq, viewer)
    path = match.folder.report(chapter.seq, viewer)
    document = document_of(match.table_at(chapter.seq), chapter, before, _teller(match))
    write_whole(path, markdown(document).encode())
    return [path]


def dice_list(match: Match, seq: int | None = None, viewer: str | None = None) -> list[Die]:
    """The dice of a message that the viewer may know, each worked out again from its seed."""
    chapter, _before = chapter_of(match, seq, viewer)
    return dice_of(chapter)


def dice_text(match: Match, seq: int | None = None, viewer: str | None = None, form: Form = "text") -> str:
    """Each die of a message with label, seed, link number and HMAC block, so that a person can recompute it."""
    chapter, _before = chapter_of(match, seq, viewer)
    return _render(dice_blocks(chapter, _teller(match).side(chapter.opening.side)), form)


def _teller(match: Match) -> Teller:
    return teller(str(match.verifier.genesis.body["system"]))


def _render(document: Document, form: Form) -> str:
    return markdown(document) if form == "markdown" else text(document)


def _preface(chapter: Chapter, words: Teller) -> list[Block]:
    """Which message this is, who signed it, who opened its dice, and what its author wrote."""
    opening = chapter.opening
    carried = f" in message {opening.carried}" if opening.carried is not None else ", not sent yet"
    own = "Its own" if chapter.seq else "Its"
    opened = f"{own} dice were opened by {words.people(opening.side)} with link {opening.link}{carried}."
    if not opening.seed:
        opened = f"It has no dice: {words.people(opening.side)} lost the chain that would open them."
    title = f"{chapter.title}. " if chapter.title != chapter.scenario else ""
    blocks: list[Block] = [para(f"{title}{_which(chapter, words)} {opened}")]
    blocks += _rules(chapter)
    if chapter.local:
        blocks.append(para(LOCAL))
    other = chapter.sides[1 - chapter.sides.index(chapter.author)]
    if ending := told(chapter.ending, chapter.seq, chapter.author, other, words.side):
        blocks.append(para(ending))
    blocks += [para(f"{sentence}.") for sentence in chapter.renewed]
    if chapter.shown:
        one = "the card that was" if len(chapter.shown) == 1 else "the cards that were"
        blocks.append(para(f"It shows {one} seen in the hand: {', '.join(chapter.shown)}."))
    if chapter.note:
        blocks.append(para(f"The {words.side(chapter.author)} player writes: “{chapter.note}”"))
    return blocks


def _rules(chapter: Chapter) -> list[Block]:
    """What is new in the rules, where this message is the first that goes by others."""
    if not chapter.rules:
        return []
    items = [item(one) for one in chapter.rules[:RULES_TOLD]]
    if len(chapter.rules) > RULES_TOLD:
        items.append(item(f"and {len(chapter.rules) - RULES_TOLD} more, see `upgrade`"))
    return [para("From this message on the game goes by other rules, as its players agreed:"), *bullets(items)]


def _which(chapter: Chapter, words: Teller) -> str:
    author = words.side(chapter.author)
    if chapter.seq == 0:
        return f"The game begins: genesis, signed by the {author} player."
    orders = f"with {counted(chapter.orders, 'order')}" if chapter.orders else "without orders"
    opens = f" It opens the dice of message {chapter.seq - 1} with link {chapter.link}." if chapter.link else ""
    return f"Message {chapter.seq}, signed by the {author} player {orders}.{opens}"
