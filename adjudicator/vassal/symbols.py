"""Unit symbols in a box, and aircraft seen from above.

A symbol is drawn into a box with its upper left corner at (x, y); `ink` paints it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from adjudicator.vassal import svg


@dataclass(frozen=True, slots=True)
class Frame:
    """The box of a symbol."""

    x: float
    y: float
    w: float
    h: float
    ink: str
    paper: str

    @property
    def cx(self) -> float:
        """The middle across."""
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        """The middle down."""
        return self.y + self.h / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h


Draw = Callable[[etree._Element, Frame], None]


def draw_symbol(parent: etree._Element, kind: str, frame: Frame) -> None:
    """The box and the symbol of a unit type; a type without one gets its first letters."""
    box = {"x": frame.x, "y": frame.y, "width": frame.w, "height": frame.h}
    svg.add(parent, "rect", fill=frame.paper, stroke=frame.ink, stroke_width=1.5, **box)
    draw = SYMBOLS.get(kind)
    if draw is None:
        svg.text(parent, frame.cx, frame.cy + 4, kind[:3].upper(), 9, fill=frame.ink, font_weight="bold")
    else:
        draw(parent, frame)


def wheels(parent: etree._Element, frame: Frame) -> None:
    """Two wheels on the lower edge: a motorized unit of a type that need not be."""
    for part in (0.25, 0.75):
        svg.add(
            parent, "circle", cx=frame.x + frame.w * part, cy=frame.bottom, r=1.9, fill=frame.paper,
            stroke=frame.ink, stroke_width=1.2,
        )  # fmt: skip


def _line(parent: etree._Element, d: str, frame: Frame, width: float = 1.4) -> None:
    svg.add(parent, "path", d=d, fill="none", stroke=frame.ink, stroke_width=width)


def _at(*coordinates: float) -> str:
    return " ".join(svg.num(float(c)) for c in coordinates)


def _head(x: float, y: float, depth: float) -> str:
    """The head of an arrow that points up."""
    return f"M{_at(x - 4, y + depth)}L{_at(x, y)}L{_at(x + 4, y + depth)}"


def _cross(parent: etree._Element, f: Frame) -> None:
    _line(parent, f"M{_at(f.x, f.y)}L{_at(f.right, f.bottom)}M{_at(f.x, f.bottom)}L{_at(f.right, f.y)}", f)


def _upright(parent: etree._Element, f: Frame) -> None:
    _line(parent, f"M{_at(f.cx, f.y)}V{_at(f.bottom)}", f)


def _slash(parent: etree._Element, f: Frame) -> None:
    _line(parent, f"M{_at(f.x, f.bottom)}L{_at(f.right, f.y)}", f)


def _oval(parent: etree._Element, f: Frame, *, filled: bool = False) -> None:
    svg.add(
        parent, "rect", x=f.x + 4, y=f.y + 4, width=f.w - 8, height=f.h - 8, rx=(f.h - 8) / 2,
        fill=f.ink if filled else "none", stroke=f.ink, stroke_width=1.5,
    )  # fmt: skip


def _dot(parent: etree._Element, f: Frame, radius: float = 3.0) -> None:
    svg.add(parent, "circle", cx=f.cx, cy=f.cy, r=radius, fill=f.ink)


def _letter(parent: etree._Element, f: Frame, letter: str, dx: float = 0.0) -> None:
    svg.text(parent, f.cx + dx, f.cy + 3.4, letter, 9, fill=f.ink, font_weight="bold")


def _infantry(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)


def _motorized(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    _upright(parent, f)


def _armor(parent: etree._Element, f: Frame) -> None:
    _oval(parent, f)


def _tank(parent: etree._Element, f: Frame) -> None:
    _oval(parent, f, filled=True)


def _light_tank(parent: etree._Element, f: Frame) -> None:
    _oval(parent, f)
    _letter(parent, f, "L")


def _light_armor(parent: etree._Element, f: Frame) -> None:
    _slash(parent, f)
    _oval(parent, f)


def _artillery(parent: etree._Element, f: Frame) -> None:
    _dot(parent, f, 3.6)


def _support_group(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    _dot(parent, f, 3.2)


def _headquarters(parent: etree._Element, f: Frame) -> None:
    _letter(parent, f, "HQ")


def _antitank(parent: etree._Element, f: Frame) -> None:
    _line(parent, f"M{_at(f.x, f.bottom)}L{_at(f.cx, f.y)}L{_at(f.right, f.bottom)}", f)


def _antiaircraft(parent: etree._Element, f: Frame) -> None:
    _line(parent, f"M{_at(f.x + 2, f.bottom)}Q{_at(f.cx, f.y - 6, f.right - 2, f.bottom)}", f)


def _position_aa(parent: etree._Element, f: Frame) -> None:
    _antiaircraft(parent, f)
    _line(parent, f"M{_at(f.cx, f.bottom)}V{_at(f.y + 6)}" + _head(f.cx, f.y + 6, 5), f)


def _fork(parent: etree._Element, f: Frame, letter: str) -> None:
    x, y, w, h = f.x + 4, f.y + 5.5, 11.0, f.h - 9
    _line(parent, f"M{_at(x, y + h)}V{_at(y)}H{_at(x + w)}V{_at(y + h)}M{_at(x + w / 2, y)}V{_at(y + h)}", f)
    _letter(parent, f, letter, 7.0)


def _assault_engineer(parent: etree._Element, f: Frame) -> None:
    _fork(parent, f, "A")


def _construction_engineer(parent: etree._Element, f: Frame) -> None:
    _fork(parent, f, "C")


def _parachute(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    y = f.bottom - 2.5
    _line(parent, f"M{_at(f.cx - 6, y)}Q{_at(f.cx - 3, y - 5, f.cx, y)}Q{_at(f.cx + 3, y - 5, f.cx + 6, y)}", f, 1.8)


def _air_landing(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    y = f.bottom - 3
    _line(parent, f"M{_at(f.cx - 8, y)}L{_at(f.cx, y - 3)}L{_at(f.cx + 8, y)}", f, 1.8)


def _machine_gun(parent: etree._Element, f: Frame) -> None:
    top, low = f.y + 3, f.bottom - 3.5
    _line(parent, f"M{_at(f.cx, low)}V{_at(top)}" + _head(f.cx, top, 4) + f"M{_at(f.cx - 5, low)}H{_at(f.cx + 5)}", f)


def _marine(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    hook = f"M{_at(f.cx - 5, f.bottom - 6)}Q{_at(f.cx, f.bottom + 1, f.cx + 5, f.bottom - 6)}"
    _line(parent, f"M{_at(f.cx, f.y + 3)}V{_at(f.bottom - 2)}" + hook, f, 1.8)


def _commando(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    svg.add(parent, "rect", x=f.cx - 5, y=f.cy - 5.5, width=10, height=11, fill=f.paper)
    _letter(parent, f, "C")


def _static(parent: etree._Element, f: Frame) -> None:
    _cross(parent, f)
    svg.add(parent, "rect", x=f.x, y=f.bottom - 4, width=f.w, height=4, fill=f.ink)


def _transport(parent: etree._Element, f: Frame) -> None:
    x, y = f.x + 3, f.y + 4
    body = f"M{_at(x, y)}H{_at(x + 12)}V{_at(y + 7)}H{_at(x)}Z"
    cab = f"M{_at(x + 12, y + 2.5)}H{_at(x + 16.5)}L{_at(x + 20, y + 5)}V{_at(y + 7)}H{_at(x + 12)}"
    _line(parent, body + cab, f)
    for cx in (x + 4, x + 16):
        svg.add(parent, "circle", cx=cx, cy=y + 8.5, r=2.2, fill=f.ink)


SYMBOLS: dict[str, Draw] = {
    "infantry": _infantry,
    "motorized": _motorized,
    "machine_gun": _machine_gun,
    "cavalry": _slash,
    "armor": _armor,
    "panzer": _armor,
    "tank": _tank,
    "light_tank": _light_tank,
    "light_armor": _light_armor,
    "artillery": _artillery,
    "support_group": _support_group,
    "headquarters": _headquarters,
    "antitank": _antitank,
    "antiaircraft": _antiaircraft,
    "position_aa": _position_aa,
    "assault_engineer": _assault_engineer,
    "construction_engineer": _construction_engineer,
    "parachute": _parachute,
    "parachute_infantry": _parachute,
    "air_landing": _air_landing,
    "transport_counter": _transport,
    "marine": _marine,
    "commando": _commando,
    "static": _static,
}


# --- aircraft ------------------------------------------------------------------------------

# Wing span, body length and where the engines sit, as parts of half a span.
_FRAMES: dict[str, tuple[float, float, tuple[float, ...]]] = {
    "single": (30.0, 20.0, (0.0,)),
    "twin": (36.0, 21.0, (-0.36, 0.36)),
    "three": (38.0, 22.0, (-0.36, 0.0, 0.36)),
    "four": (42.0, 22.0, (-0.52, -0.26, 0.26, 0.52)),
    "glider": (40.0, 19.0, ()),
}


def draw_aircraft(parent: etree._Element, kind: str, cx: float, cy: float, ink: str, *, biplane: bool = False) -> None:
    """An aeroplane seen from above, nose up. Kinds: single, twin, three, four, glider."""
    span, length, engines = _FRAMES.get(kind, _FRAMES["twin"])
    half, top, low = span / 2, cy - length / 2, cy + length / 2
    wing = top + length * 0.32
    chord = 5.2 if kind != "glider" else 3.6
    svg.add(parent, "ellipse", cx=cx, cy=cy, rx=2.3 if kind == "single" else 2.8, ry=length / 2, fill=ink)
    shape = [(cx - half, wing + chord * 0.55), (cx - 2, wing), (cx + 2, wing), (cx + half, wing + chord * 0.55)]
    back = wing + chord
    shape += [(cx + half, back - chord * 0.05), (cx + 2, back), (cx - 2, back), (cx - half, back - chord * 0.05)]
    svg.add(parent, "polygon", points=svg.points(shape), fill=ink)
    if biplane:
        svg.add(parent, "rect", x=cx - half * 0.8, y=wing + chord + 0.9, width=half * 1.6, height=1.5, fill=ink)
    tail = [(cx - 6.5, low - 0.6), (cx - 1, low - 3.6), (cx + 1, low - 3.6), (cx + 6.5, low - 0.6)]
    tail += [(cx + 6.5, low + 0.8), (cx - 6.5, low + 0.8)]
    svg.add(parent, "polygon", points=svg.points(tail), fill=ink)
    for part in engines:
        x = cx + half * part
        if part:
            svg.add(parent, "ellipse", cx=x, cy=wing + 1.5, rx=1.8, ry=4.4, fill=ink)
        nose = top + 0.8 if not part else wing - 2.6
        svg.add(parent, "rect", x=x - 4, y=nose - 0.6, width=8, height=1, fill=ink)
