"""Shifting Sands: strategy cards as pieces, their pictures, the piles beside the map and the hands."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.counters import fit
from adjudicator.vassal.model import Board, Deck, Map, Piece
from adjudicator.vassal.registry import Registry
from adjudicator.vassal.ss_board import Pile, SandsLayout
from adjudicator.vassal.ss_charts import card_effects, card_flags, card_points
from adjudicator.vassal.ss_counters import SandsStyle
from adjudicator.vassal.traits import Mark, Mask, Trait, ctrl

Row = Mapping[str, Any]
CARD = "card-"
WIDTH, HEIGHT = 190, 264
SIDES = {"axis": "Axis", "allied": "Allied"}
# Hands lie open as long as the rules deal them openly (docs/state-format.md): anybody may look into the windows.
HANDS_OPEN = True
HAND_BOARD = (2420, 300)
# Who plays alone handles both hands.
ALONE = "Solitaire"
KNOWN = {
    "exact": "", "part": "effect partly reconstructed", "fits": "effect reconstructed", "none": "effect reconstructed",
}  # fmt: skip


def card_key(card_id: str) -> str:
    """The key of a card among the pieces."""
    return CARD + card_id


def card_pieces(pack: Row, registry: Registry) -> tuple[Piece, ...]:
    """A piece for each card."""
    return tuple(_card(row, registry) for row in pack["cards"])


def _card(row: Row, registry: Registry) -> Piece:
    key, side = card_key(str(row["id"])), SIDES[str(row["side"])]
    marks = (
        ("PieceLayer", "Card"), ("Kind", "Card"), ("Side", side), ("CounterId", key), ("Number", str(row["number"])),
        ("Year", str(row["year"])), ("Ops", str(row["ops"])), ("Strength", f"{row['ops']} OPS"),
    )  # fmt: skip
    back = f"card-back-{row['side']}.svg"
    own: tuple[Trait, ...] = (Mask(ctrl("H"), back, "Turn over", f"{side} card"), Mark(marks))
    return Piece(key, registry.numbers[key], str(row["name"]), own, f"{key}.svg", WIDTH, HEIGHT, "Card")


# --- piles and hands -----------------------------------------------------------------------


def decks(pack: Row, layout: SandsLayout) -> tuple[Deck, ...]:
    """The piles of both sides; in a new game all cards of a side lie in its draw pile."""
    return tuple(
        Deck(
            pile.deck, pile.name, layout.board, *pile.middle, WIDTH, HEIGHT, pile.zone == "piles",
            tuple(card_key(str(row["id"])) for row in pack["cards"] if row["side"] == pile.side)
            if pile.zone == "piles" else (),
        )
        for pile in layout.piles
    )  # fmt: skip


def hand_map(side: str) -> str:
    """The name of the window with a side's hand."""
    return f"{SIDES[side]} hand"


def hands(style: SandsStyle) -> tuple[Map, ...]:
    """The windows of both hands."""
    made = []
    for side, title in SIDES.items():
        paper = style.side(side)["paper"]
        colour = ",".join(str(int(paper[i : i + 2], 16)) for i in (1, 3, 5))
        board = Board(f"{title} hand", "", *HAND_BOARD, colour=colour)
        name, owner = hand_map(side), f"{title},{ALONE}"
        made.append(Map(name, (board,), name, background=colour, owner=owner, open=HANDS_OPEN))
    return tuple(made)


def in_hand() -> tuple[int, int]:
    """Where the cards of a hand lie: the engine spreads them from there to the right."""
    return WIDTH // 2 + 20, HAND_BOARD[1] // 2


def pile_of(layout: SandsLayout, zone: str, side: str) -> Pile | None:
    """The pile of a zone of the rules; None for the hands."""
    return next((pile for pile in layout.piles if (pile.zone, pile.side) == (zone, side)), None)


# --- pictures ------------------------------------------------------------------------------


def card_pictures(pack: Row, style: SandsStyle) -> dict[str, bytes]:
    """Faces and backs by file name."""
    files = {f"{card_key(str(row['id']))}.svg": _face(row, style) for row in pack["cards"]}
    for side in SIDES:
        files[f"card-back-{side}.svg"] = _back(side, style)
    return files


def _sheet(colour: str) -> etree._Element:
    document = svg.root(WIDTH, HEIGHT)
    size = {"x": 1, "y": 1, "width": WIDTH - 2, "height": HEIGHT - 2, "rx": 9}
    svg.add(document, "rect", **size, fill=colour, stroke="#222222", stroke_width=1.6)
    return document


def _face(row: Row, style: SandsStyle) -> bytes:
    """Number and year, operations, name, replacement points, what is printed besides, the effect."""
    document = _sheet("#fffdf5")
    colours = style.side(str(row["side"]))
    svg.add(document, "rect", x=5, y=5, width=WIDTH - 10, height=40, rx=6, fill=colours["mark"])
    _line(document, 13, 21, f"{SIDES[str(row['side'])]} {row['number']}", 12, "#ffffff", bold=True)
    _line(document, 13, 38, f"{row['year']}, {row['kind']}", 11, "#ffffff")
    svg.add(document, "circle", cx=WIDTH - 27, cy=27, r=20, fill="#ffffff", stroke="#222222", stroke_width=2)
    svg.text(document, WIDTH - 27, 36, str(row["ops"]), 25, fill="#000000", font_weight="bold")
    _body(document, row)
    return svg.to_bytes(document)


def _body(document: etree._Element, row: Row) -> None:
    y = 64.0
    ink = "#b01818" if row.get("red_name") == "yes" else "#000000"
    for words in textwrap.wrap(str(row["name"]), 22)[:3]:
        size = fit(words, 14, WIDTH - 22, bold=True)
        svg.text(document, WIDTH / 2, y, words, size, fill=ink, font_weight="bold")
        y += 17
    if row["rp"]:
        svg.text(document, WIDTH / 2, y + 2, f"RP: {card_points(row)}", 12, fill="#1d4f8a", font_weight="bold")
        y += 18
    for words in card_flags(row):
        svg.text(document, WIDTH / 2, y + 1, words, 11, fill="#444444", font_style="italic")
        y += 14
    lines = [words for effect in card_effects(row) for words in textwrap.wrap(effect, 34)]
    room = int((HEIGHT - 22 - y) // 12.5)
    shown = lines if len(lines) <= room else [*lines[: room - 1], "... (chart of cards)"]
    for words in shown:
        y += 12.5
        _line(document, 11, y, words, fit(words, 10, WIDTH - 20, bold=False), "#222222")
    _line(document, 11, HEIGHT - 9, KNOWN.get(str(row["known"]), ""), 9, "#8a5a2b")


def _line(
    document: etree._Element, x: float, y: float, words: str, size: float, fill: str, *, bold: bool = False
) -> None:
    if words:
        weight = "bold" if bold else "normal"
        svg.text(document, x, y, words, size, text_anchor="start", fill=fill, font_weight=weight)


def _back(side: str, style: SandsStyle) -> bytes:
    """A card's back in the colour of its side."""
    colours = style.side(side)
    document = _sheet(colours["paper"])
    size = {"x": 12, "y": 12, "width": WIDTH - 24, "height": HEIGHT - 24, "rx": 6}
    svg.add(document, "rect", **size, fill="none", stroke=colours["mark"], stroke_width=5)
    for number, words in enumerate(("SHIFTING", "SANDS")):
        svg.text(document, WIDTH / 2, 112 + 28 * number, words, 24, fill=colours["mark"], font_weight="bold")
    svg.text(document, WIDTH / 2, 190, SIDES[side].upper(), 19, fill=colours["ink"], font_weight="bold")
    return svg.to_bytes(document)
