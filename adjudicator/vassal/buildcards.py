"""Piles of cards and the hands of the sides in a module's `buildFile.xml`."""

from __future__ import annotations

from lxml import etree

from adjudicator.vassal.elements import MAP, MODULE, add, slot
from adjudicator.vassal.model import Map, Module

# What a hand needs to take mouse and keys; it has no stack expander, since all its cards lie side by side.
PARTS = (
    "ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer", "MapCenterer", "PieceMover", "KeyBufferer",
    "SelectionHighlighters",
)  # fmt: skip


def add_decks(element: etree._Element, module: Module, window: Map) -> None:
    """The piles of a map, each with the cards of a new game. None is shuffled: the adjudicator knows what is drawn."""
    for deck in window.decks:
        pile = add(
            element, MAP + "DrawPile", name=deck.name, owningBoard=deck.board, x=deck.x, y=deck.y, width=deck.width,
            height=deck.height, faceDown="Always" if deck.face_down else "Never", shuffle="Never", allowMultiple=False,
            allowSelect=True, reversible=False, draw=True, color="0,0,0", drawFaceUp=False, reshufflable=False,
            maxStack=15, hotkeyOnEmpty=False, canSave=False, expressionCounting=False, restrictOption=False,
            deckRestrictAccess=False, selectDisplayProperty="$BasicName$", description="",
        )  # fmt: skip
        for key in deck.cards:
            slot(pile, module.piece(key), "CardSlot")


def add_hand(root: etree._Element, window: Map) -> None:
    """The window of a side's cards."""
    moved = "$pieceName$ moves $previousLocation$ &rarr; $location$ *"
    element = add(
        root, MODULE + "PlayerHand", mapName=window.name, allowMultiple=False, backgroundcolor=window.background,
        color="0,0,0", thickness=3, edgeWidth=0, edgeHeight=0, buttonName=window.button, launch=True,
        markMoved="Never", hotkey="", icon="", tooltip=f"Show or hide {window.name}", moveWithinFormat=moved,
        moveToFormat=moved, createFormat="$pieceName$ placed in $location$ *", changeFormat="$message$",
        side=window.owner, visible=window.open, useBoards="",
    )  # fmt: skip
    picker = add(
        element, MAP + "BoardPicker", addColumnText="Add column", addRowText="Add row", boardPrompt="Select board",
        slotHeight=125, slotScale="0.2", slotWidth=350, title="Choose boards",
    )  # fmt: skip
    for board in window.boards:
        size = {"width": board.width, "height": board.height, "color": board.colour}
        add(picker, MAP + "boardPicker.Board", name=board.name, image="", reversible=False, **size)
    add(element, MAP + "HandMetrics", disabled=False, exSepX=12, exSepY=0, unexSepX=12, unexSepY=0)
    for name in PARTS:
        add(element, MAP + name)
