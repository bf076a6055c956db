"""Small helpers for SVG that VASSAL's renderer draws right.

That renderer wants plain colours, opacity in its own attribute, ids of three or more characters, size
in plain pixels and text placed by its base line.
"""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

NS = "http://www.w3.org/2000/svg"
# The stubs know no nameless prefix; lxml does.
NSMAP: dict[str, str] = {None: NS}  # type: ignore[dict-item]


def root(width: int, height: int, view: tuple[float, float, float, float] | None = None) -> etree._Element:
    """An SVG document of this size in pixels."""
    x, y, w, h = view or (0, 0, width, height)
    return etree.Element(
        f"{{{NS}}}svg",
        {"width": str(width), "height": str(height), "viewBox": f"{num(x)} {num(y)} {num(w)} {num(h)}"},
        nsmap=NSMAP,
    )


def add(parent: etree._Element, tag: str, **attributes: object) -> etree._Element:
    """An element; an underscore in a name stands for a hyphen, a final one is dropped."""
    element = etree.SubElement(parent, f"{{{NS}}}{tag}")
    for key, value in attributes.items():
        element.set(key.rstrip("_").replace("_", "-"), num(value) if isinstance(value, float) else str(value))
    return element


def text(parent: etree._Element, x: float, y: float, content: str, size: float, **attributes: object) -> etree._Element:
    """A line of text by its base line, centred unless `text_anchor` says else."""
    attributes.setdefault("text_anchor", "middle")
    attributes.setdefault("font_family", "SansSerif")
    element = add(parent, "text", x=num(x), y=num(y), font_size=num(size), **attributes)
    element.text = content
    return element


def num(value: float | int) -> str:
    """A number as short as it goes, always with a point and never with an exponent."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def points(corners: Iterable[tuple[float, float]]) -> str:
    """Corner points for a polygon or polyline."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in corners)


def to_bytes(element: etree._Element) -> bytes:
    """The document as it is written to a file."""
    return bytes(etree.tostring(element))


# Widths of the common sans serif letters, in parts of the font size; the widest font in use rules.
_NARROW = "iljtfrI.,:;'|!()[] -/"
_WIDE = "mwMW@%"


def text_width(content: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is, rather too much than too little."""
    total = 0.0
    for c in content:
        if c in _NARROW:
            total += 0.38
        elif c in _WIDE:
            total += 0.95
        else:
            total += 0.72 if c.isupper() else 0.63
    return total * size * (1.1 if bold else 1.0)
