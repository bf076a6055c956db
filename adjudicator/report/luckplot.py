"""A picture of both players' luck over the game, as SVG (`audit --svg`)."""

from __future__ import annotations

from math import ceil, sqrt

from lxml import etree

from adjudicator.engine.counting import counted
from adjudicator.match.audit import Audit, Share

_SVG = "http://www.w3.org/2000/svg"
_SPACE: dict[str, str] = {None: _SVG}  # type: ignore[dict-item]  # the stubs know no nameless prefix; lxml does
_WIDTH, _HEIGHT = 800, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 60, 60
_COLORS = ("#b3541e", "#1f5f8b")
_LIMIT = 2.0
"""The band: sums of luck of fair games stay within so many standard deviations nineteen times in twenty."""
_BAND = "nineteen games in twenty end within"


def luck_plot(audit: Audit) -> bytes:
    """Both sides' summed luck, message by message, with the band in which nineteen fair games of twenty end."""
    shares = [audit.share(side) for side in audit.sides]
    reach = _reach(shares)
    root = etree.Element(f"{{{_SVG}}}svg", nsmap=_SPACE)
    root.set("viewBox", f"0 0 {_WIDTH} {_HEIGHT}")
    root.set("font-family", "sans-serif")
    root.set("font-size", "13")
    _add(root, "rect", width=_WIDTH, height=_HEIGHT, fill="#ffffff")
    _write(root, _LEFT, 24, f"Luck with the dice: {audit.title}", size=17)
    _write(root, _LEFT, 44, f"sum over all rolls of (value - expectation) / standard deviation; dashed: {_BAND}")
    _axes(root, audit.head, reach)
    for color, share in zip(_COLORS, shares, strict=True):
        _band(root, share, audit.head, reach, color)
    for number, (color, share) in enumerate(zip(_COLORS, shares, strict=True)):
        _line(root, share, audit.head, reach, color)
        _legend(root, number, color, share, audit.names.get(share.side, ""))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _reach(shares: list[Share]) -> float:
    """How far up and down the picture must go."""
    tops = [_LIMIT * sqrt(len(share.stakes)) for share in shares]
    sums = [abs(total) for share in shares for _, total in _sums(share)]
    return max(2.0, ceil(max([*tops, *sums, 0.0]) + 0.5))


def _sums(share: Share) -> list[tuple[int, float]]:
    """Message and summed luck after each roll."""
    found, total = [], 0.0
    for throw, stake in share.stakes:
        total += stake.luck
        found.append((throw.seq, total))
    return found


def _x(seq: float, head: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * seq / max(1, head)


def _y(value: float, reach: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (reach - value) / (2 * reach)


def _axes(root: etree._Element, head: int, reach: float) -> None:
    step = max(1, ceil(reach / 5))
    for value in range(-int(reach) // step * step, int(reach) + 1, step):
        if abs(value) <= reach:
            y = _y(value, reach)
            color = "#888888" if value == 0 else "#dddddd"
            _add(root, "line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, stroke=color)
            _write(root, _LEFT - 8, y + 4, f"{value:+d}" if value else "0", anchor="end")
    each = max(1, ceil(head / 10))
    for seq in range(0, head + 1, each):
        _write(root, _x(seq, head), _HEIGHT - _BOTTOM + 18, str(seq), anchor="middle")
    _write(root, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM + 36, "message", anchor="end")


def _band(root: etree._Element, share: Share, head: int, reach: float, color: str) -> None:
    """The edge of the band, which widens with every roll."""
    for sign in (1, -1):
        points = [(0, 0.0), *((throw.seq, sqrt(n)) for n, (throw, _) in enumerate(share.stakes, 1))]
        path = _steps([(seq, sign * _LIMIT * width) for seq, width in points], head, reach)
        _add(root, "path", d=path, fill="none", stroke=color, **{"stroke-width": 1, "stroke-dasharray": "3 4"})


def _line(root: etree._Element, share: Share, head: int, reach: float, color: str) -> None:
    path = _steps([(0, 0.0), *_sums(share)], head, reach)
    _add(root, "path", d=path, fill="none", stroke=color, **{"stroke-width": 2.5})


def _steps(points: list[tuple[int, float]], head: int, reach: float) -> str:
    """A line of steps, on to the end of the game."""
    parts = [f"M{_x(points[0][0], head):.1f},{_y(points[0][1], reach):.1f}"]
    for seq, value in points[1:]:
        parts.append(f"H{_x(seq, head):.1f}V{_y(value, reach):.1f}")
    return " ".join([*parts, f"H{_x(head, head):.1f}"])


def _legend(root: etree._Element, number: int, color: str, share: Share, name: str) -> None:
    x, y = _LEFT + 350 * number, _HEIGHT - 14
    _add(root, "rect", x=x, y=y - 10, width=18, height=10, fill=color)
    who = f"{share.side} ({name})" if name else share.side
    rolls = counted(len(share.stakes), "roll")
    _write(root, x + 24, y, f"{who[:40]}: {share.luck:+.1f} in {rolls}, z {share.luck_z:+.2f}")


def _write(root: etree._Element, x: float, y: float, text: str, anchor: str = "start", size: int = 13) -> None:
    more = {"text-anchor": anchor, "font-size": size}
    _add(root, "text", x=x, y=y, fill="#222222", **more).text = text


def _add(root: etree._Element, tag: str, **attributes: object) -> etree._Element:
    """A shape with its attributes; numbers with one digit behind the point."""
    found = etree.SubElement(root, f"{{{_SVG}}}{tag}")
    for name, value in attributes.items():
        found.set(name, f"{value:.1f}" if isinstance(value, float) else str(value))
    return found
