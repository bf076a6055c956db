"""Traits of VASSAL pieces: what each writes into a piece's type and state.

The engine keeps a piece as a chain of traits round a basic piece. Each trait has a *type*
(what it can do, fixed) and a *state* (how it stands now). Field orders follow VASSAL 3.7.26.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from adjudicator.vassal.sequence import decode, encode

CTRL = "130"
# The command by which a button of the map clears every trail.
CLEAR_TRAIL = "57348,0,clearTrail"


def ctrl(letter: str) -> str:
    """The engine's text for Ctrl with a letter (Java AWT key code, modifiers)."""
    return f"{ord(letter.upper())},{CTRL}"


class Trait(Protocol):
    """One trait. `state` takes the values of the piece it belongs to, by state key."""

    def type(self) -> str:
        """What the trait can do, as the engine writes it."""

    def state(self, values: Mapping[str, str]) -> str:
        """How it stands, from the values of the piece; what they do not say is as new."""


def _fields(head: str, *fields: object) -> str:
    """A trait type: its name and fields, joined by semicolons."""
    return head + ";" + encode([_text(f) for f in fields], ";")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@dataclass(frozen=True, slots=True)
class Prototype:
    """Stands for all traits of a prototype; legal in the module only, never in a save."""

    name: str

    def type(self) -> str:
        return _fields("prototype", self.name)

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Delete:
    """Lets a player remove the piece from the game."""

    menu: str
    key: str

    def type(self) -> str:
        return _fields("delete", self.menu, self.key, "")

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Clone:
    """Lets a player copy the piece."""

    menu: str
    key: str

    def type(self) -> str:
        return _fields("clone", self.menu, self.key, "")

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class MarkMoved:
    """Shows an icon on a piece that moved since the last "clear". State key `moved`."""

    image: str
    x: int = 0
    y: int = 0
    menu: str = "Mark moved"
    key: str = ""

    def type(self) -> str:
        return _fields("markmoved", self.image, self.x, self.y, self.menu, self.key, "", False, "", "", "", "")

    def state(self, values: Mapping[str, str]) -> str:
        return values.get("moved", "false")


@dataclass(frozen=True, slots=True)
class Trail:
    """Draws where a piece came from. State key `trail`: map and points, see `trail_state`."""

    key: str
    menu: str = "Movement trail"
    line: str = "160,0,0"

    def type(self) -> str:
        return _fields(
            "footprint", self.key, self.menu, False, True, 5, "255,255,255", self.line,
            100, 60, 20, 30, "2.0", "", "", CLEAR_TRAIL, "",
        )  # fmt: skip

    def state(self, values: Mapping[str, str]) -> str:
        return values.get("trail", "false;;0;false")


def trail_state(map_id: str, points: list[tuple[int, int]]) -> str:
    """The state of a trail that is shown and runs through these map pixels.

    The map goes by its number (`Map0`), unlike everywhere else: at another word the engine wipes the trail.
    """
    spots = [f"{x},{y}" for x, y in points]
    return encode(["true", map_id, str(len(spots)), *spots, "true"], ";")


@dataclass(frozen=True, slots=True)
class Layer:
    """Pictures of which one is shown. State key: the layer's name, a level from 1 on."""

    name: str
    images: tuple[str, ...]
    level_names: tuple[str, ...]
    menu: str = ""
    key: str = ""
    x: int = 0
    y: int = 0
    loop: bool = True

    def type(self) -> str:
        images, names = encode(self.images, ","), encode(self.level_names, ",")
        return _fields(
            "emb2", "", 0, "", self.menu, 0, "", "", 0, "", "", "", 1, False, self.x, self.y, images, names,
            self.loop, self.name, "", "", False, "", 1, 1, True, "", self.key, "", "", "1.0", "", True,
        )  # fmt: skip

    def state(self, values: Mapping[str, str]) -> str:
        return values.get(self.name, "1")

    def level_of(self, state: str) -> int:
        """The level a state names; the engine reads a broken number as -1."""
        first = decode(state, ";")[0]
        return int(first) if first.lstrip("-").isdigit() else -1


@dataclass(frozen=True, slots=True)
class Mark:
    """Fixed properties of a piece, read by inventory, filters and visual layers."""

    values: tuple[tuple[str, str], ...]

    def type(self) -> str:
        return "mark;" + encode([name for name, _ in self.values], ",")

    def state(self, values: Mapping[str, str]) -> str:
        return encode([value for _, value in self.values], ",")


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text a player may write under the piece. State key: the label's property."""

    property: str
    menu: str
    key: str
    size: int = 9
    background: str = "255,255,220"

    def type(self) -> str:
        return _fields(
            "label", self.key, self.menu, self.size, self.background, "0,0,0", "b", 0, "c", 0, "t", "c",
            "$pieceName$ ($label$)", "Dialog", 0, 0, self.property, "", False,
        )  # fmt: skip

    def state(self, values: Mapping[str, str]) -> str:
        return values.get(self.property, "")


@dataclass(frozen=True, slots=True)
class NoStack:
    """Keeps the piece out of stacks. `select`: when a click picks it, `move`: when it moves."""

    select: str = ""
    move: str = "N"

    def type(self) -> str:
        return _fields("immob", self.select, self.move, "R", "")

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Calculated:
    """A property computed from others by an expression in braces."""

    name: str
    expression: str

    def type(self) -> str:
        return _fields("calcProp", self.name, self.expression, "")

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class SendTo:
    """Sends the piece to a named zone of a map by a menu command."""

    menu: str
    key: str
    map: str
    zone: str

    def type(self) -> str:
        return _fields(
            "sendto", self.menu, self.key, self.map, "", 0, 0, "", "", 0, 0, 1, 1, "", "Z",
            self.zone, "", "", "",
        )  # fmt: skip

    def state(self, values: Mapping[str, str]) -> str:
        return ";;"


@dataclass(frozen=True, slots=True)
class SubMenu:
    """Gathers menu commands of the piece under one entry."""

    menu: str
    commands: tuple[str, ...]

    def type(self) -> str:
        return _fields("submenu", self.menu, encode(self.commands, ","), "")

    def state(self, values: Mapping[str, str]) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Mask:
    """A card's back or an unknown unit. State key `mask`: the engine's `owner;options`."""

    key: str
    image: str
    menu: str
    name: str
    style: str = "B"

    def type(self) -> str:
        return _fields(
            "obs", self.key, self.image, self.menu, self.style, self.name, "side:", "Peek", "", False, "", ""
        )

    def state(self, values: Mapping[str, str]) -> str:
        return values.get("mask", "null;")


@dataclass(frozen=True, slots=True)
class Basic:
    """The innermost part: picture, name and place. Its state needs map, x, y and gpid.

    State keys `map`, `x`, `y` place the piece; `id` becomes its lasting UniqueID.
    """

    name: str
    image: str = ""
    gpid: str = ""
    head: ClassVar[str] = "piece"

    def type(self) -> str:
        if "\t" in self.name or self.name.endswith("\\"):
            raise ValueError(f"a piece cannot be named {self.name!r}")
        return _fields(self.head, "", "", self.image, self.name)

    def state(self, values: Mapping[str, str]) -> str:
        place = [values.get("map", "null"), values.get("x", "0"), values.get("y", "0"), self.gpid]
        identity = values.get("id")
        kept = ["1", "UniqueID", identity] if identity else ["0"]
        return encode(place + kept, ";")


@dataclass(frozen=True, slots=True)
class BasicState:
    """What a basic piece's state says."""

    map: str
    x: int
    y: int
    gpid: str
    properties: dict[str, str] = field(default_factory=dict)


def read_basic_state(text: str) -> BasicState:
    """Takes a basic piece's state apart. Raises ValueError for one that is cut short."""
    tokens = decode(text, ";")
    if len(tokens) < 4:
        raise ValueError(f"state of a basic piece is cut short: {text!r}")
    count = int(tokens[4]) if len(tokens) > 4 and tokens[4] else 0
    pairs = tokens[5 : 5 + 2 * count]
    properties = dict(zip(pairs[::2], pairs[1::2], strict=False))
    return BasicState(tokens[0], int(tokens[1]), int(tokens[2]), tokens[3], properties)
