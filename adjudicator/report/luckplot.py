"""A picture of both players' luck over the game, as SVG (`audit --svg`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

from lxml import etree

from adjudicator.engine.counting import counted
from adjudicator.match.audit import Audit, Share

_SVG = "http://www.w3.org/2000/svg"
_SPACE: dict[str, str] = {None: _SVG}  # type: ignore[dict-item]  # the stubs know no nameless prefix; lxml does
_WIDTH, _HEIGHT = 800, 510
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 84, 66, 114
_LINE = 20
_TITLE, _NAME = 70, 60
_LIMIT = 2.0
"""The band: sums of luck of fair games stay within so many standard deviations nineteen times in twenty."""
_WHAT = "every roll adds (value - expectation) / standard deviation"
_BAND = "thin: about nineteen fair games in twenty end between the two thin lines of a side"
Points = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class _Style:
    """How a side is drawn, to be told from the other without colors, too: color, dashes, and shape of the marks."""

    color: str
    dashes: str
    mark: str


_STYLES = (_Style("#b3541e", "", "dot"), _Style("#1f5f8b", "9 4", "box"))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where message and luck stand in the picture: the newest message, and how far luck reaches up and down."""

    head: int
    reach: float

    def x(self, seq: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * seq / max(1, self.head)

    def y(self, value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (self.reach - value) / (2 * self.reach)


def luck_plot(audit: Audit) -> bytes:
    """Both sides' summed luck, message by message, with the band in which nineteen fair games of twenty end."""
    shares = [audit.share(side) for side in audit.sides]
    frame = _Frame(audit.head, _reach(shares))
    root = etree.Element(f"{{{_SVG}}}svg", nsmap=_SPACE)
    root.set("viewBox", f"0 0 {_WIDTH} {_HEIGHT}")
    root.set("font-family", "sans-serif")
    root.set("font-size", "13")
    title = f"Luck with the dice: {audit.title}"
    _add(root, "title").text = title
    _add(root, "rect", width=_WIDTH, height=_HEIGHT, fill="#ffffff")
    _write(root, _LEFT, 24, title[:_TITLE], size=17)
    _write(root, _LEFT, 46, _WHAT)
    _axes(root, frame)
    for style, share in zip(_STYLES, shares, strict=True):
        _band(root, share, frame, style)
    for style, share in zip(_STYLES, shares, strict=True):
        _line(root, share, frame, style)
    _ends(root, shares, frame)
    for number, (style, share) in enumerate(zip(_STYLES, shares, strict=True)):
        _legend(root, number, style, share, audit.names.get(share.side, ""))
    _write(root, _LEFT, _HEIGHT - 10, _BAND)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _reach(shares: Sequence[Share]) -> float:
    """How far up and down the picture must go."""
    tops = [_LIMIT * sqrt(len(share.stakes)) for share in shares]
    sums = [abs(total) for share in shares for _, total in _sums(share)]
    return max(2.0, ceil(max([*tops, *sums, 0.0]) + 0.5))


def _sums(share: Share) -> Points:
    """Message and summed luck after all its rolls."""
    found: dict[int, float] = {}
    total = 0.0
    for throw, stake in share.stakes:
        total += stake.luck
        found[throw.seq] = total
    return list(found.items())


def _edges(share: Share) -> Points:
    """Message and the upper edge of the band after all its rolls; the band widens with every roll."""
    return list({throw.seq: _LIMIT * sqrt(n) for n, (throw, _) in enumerate(share.stakes, 1)}.items())


def _axes(root: etree._Element, frame: _Frame) -> None:
    left, right, bottom = float(_LEFT), float(_WIDTH - _RIGHT), float(_HEIGHT - _BOTTOM)
    step = max(1, ceil(frame.reach / 5))
    for value in range(-int(frame.reach) // step * step, int(frame.reach) + 1, step):
        if abs(value) <= frame.reach:
            y = frame.y(value)
            _add(root, "line", x1=left, x2=right, y1=y, y2=y, stroke="#777777" if value == 0 else "#dddddd")
            _write(root, left - 8, y + 4, f"{value:+d}" if value else "0", anchor="end")
    for seq in range(0, frame.head + 1, max(1, ceil(frame.head / 10))):
        _add(root, "line", x1=frame.x(seq), x2=frame.x(seq), y1=bottom, y2=bottom + 5, stroke="#777777")
        _write(root, frame.x(seq), bottom + 18, str(seq), anchor="middle")
    _add(root, "line", x1=left, x2=left, y1=float(_TOP), y2=bottom, stroke="#777777")
    _write(root, (left + right) / 2, bottom + 36, "number of the message that the dice were rolled for", "middle")
    middle = (_TOP + bottom) / 2
    name = _write(root, 22, middle, "luck, in standard deviations of one roll", "middle")
    name.set("transform", f"rotate(-90 22 {middle:.1f})")


def _band(root: etree._Element, share: Share, frame: _Frame, style: _Style) -> None:
    for sign in (1, -1):
        path = _steps([(seq, sign * width) for seq, width in _edges(share)], frame)
        _add(root, "path", d=path, fill="none", **_stroke(style, 0.8))


def _line(root: etree._Element, share: Share, frame: _Frame, style: _Style) -> None:
    sums = _sums(share)
    _add(root, "path", d=_steps(sums, frame), fill="none", **_stroke(style, 2.5))
    for seq, value in sums:
        _mark(root, frame.x(seq), frame.y(value), style)


def _stroke(style: _Style, width: float) -> dict[str, object]:
    dashes: dict[str, object] = {"stroke-dasharray": style.dashes} if style.dashes else {}
    return {"stroke": style.color, "stroke-width": width, **dashes}


def _mark(root: etree._Element, x: float, y: float, style: _Style) -> None:
    """A full dot, or an empty box."""
    if style.mark == "dot":
        _add(root, "circle", cx=x, cy=y, r=4.0, fill=style.color)
    else:
        more: dict[str, object] = {"stroke": style.color, "stroke-width": 2.0}
        _add(root, "rect", x=x - 5, y=y - 5, width=10.0, height=10.0, fill="none", **more)


def _steps(points: Points, frame: _Frame) -> str:
    """A line of steps from 0 at the beginning to the end of the game."""
    parts = [f"M{frame.x(0):.1f},{frame.y(0):.1f}"]
    for seq, value in points:
        parts.append(f"H{frame.x(seq):.1f}V{frame.y(value):.1f}")
    return " ".join([*parts, f"H{frame.x(frame.head):.1f}"])


def _ends(root: etree._Element, shares: Sequence[Share], frame: _Frame) -> None:
    """The name of each side at the end of its line, one not over the other."""
    wanted = [(frame.y(sums[-1][1] if (sums := _sums(share)) else 0.0), share.side) for share in shares]
    for y, side in _apart(sorted(wanted)):
        _write(root, _WIDTH - _RIGHT + 8, y + 4, side.capitalize()[:11])


def _apart(rows: list[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    """The rows, pushed from each other until a line of text lies between them."""
    least = min([below - above for (above, _), (below, _) in pairwise(rows)], default=float(_LINE))
    push = max(0.0, (16 - least) / 2)
    for number, (y, side) in enumerate(rows):
        yield y + (push if number else -push), side


def _legend(root: etree._Element, number: int, style: _Style, share: Share, name: str) -> None:
    y = _HEIGHT - 10 - _LINE * (2 - number)
    _add(root, "line", x1=_LEFT, x2=_LEFT + 44, y1=y - 4, y2=y - 4, **_stroke(style, 2.5))
    _mark(root, _LEFT + 22, y - 4, style)
    side = share.side.capitalize()
    who = f"{side} ({name})" if name else side
    rolls = counted(len(share.stakes), "roll")
    _write(root, _LEFT + 54, y, f"{who[:_NAME]}: {share.luck:+.1f} in {rolls}, z {share.luck_z:+.2f}")


def _write(
    root: etree._Element, x: float, y: float, text: str, anchor: str = "start", size: int = 13
) -> etree._Element:
    more = {"text-anchor": anchor, "font-size": size}
    found = _add(root, "text", x=x, y=y, fill="#222222", **more)
    found.text = text
    return found


def _add(root: etree._Element, tag: str, **attributes: object) -> etree._Element:
    """A shape with its attributes; numbers with one digit behind the point."""
    found = etree.SubElement(root, f"{{{_SVG}}}{tag}")
    for name, value in attributes.items():
        found.set(name, f"{value:.1f}" if isinstance(value, float) else str(value))
    return found
