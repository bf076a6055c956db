"""Elements of a module's `buildFile.xml`: the engine's names, and what all of them share.

An element's name is the engine's Java class, its attributes are that class's settings. Attribute
names are the engine's, its two misspelt ones included.
"""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from adjudicator.vassal import model
from adjudicator.vassal.sequence import chars_unsafe_in_xml, encode, nest
from adjudicator.vassal.traits import Basic, Trait

MODULE = "VASSAL.build.module."
MAP = MODULE + "map."
BOARD = MAP + "boardPicker.board."
WIDGET = "VASSAL.build.widget."


def add(parent: etree._Element, tag: str, text: str = "", /, **attributes: object) -> etree._Element:
    """An element with its settings. Booleans become the engine's words."""
    element = etree.SubElement(parent, tag)
    for key, value in attributes.items():
        element.set(key.rstrip("_"), _word(value))
    if text:
        if chars_unsafe_in_xml(text):
            raise ValueError(f"{tag}: control characters cannot stand in a module: {text!r}")
        element.text = text
    return element


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def piece_text(traits: Iterable[Trait], basic: Basic) -> str:
    """A piece off the map, as slots and prototypes hold it."""
    chain = [*traits, basic]
    type_text = nest([trait.type() for trait in chain])
    state = nest([trait.state({}) for trait in chain])
    return "+/" + encode(("null", type_text, state), "/")


def slot(parent: etree._Element, piece: model.Piece, kind: str = "PieceSlot") -> None:
    """A counter as the palette and at-start stacks hold it, or with `CardSlot` a card as a pile does."""
    add(
        parent,
        WIDGET + kind,
        piece_text(piece.traits, piece.basic()),
        entryName=piece.name,
        gpid=piece.gpid,
        width=piece.width,
        height=piece.height,
    )
