"""The curve of Ed25519 (RFC 8032), as far as testing a public key needs it. Not for secrets: not constant in time."""

from __future__ import annotations

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT = pow(2, (PRIME - 1) // 4, PRIME)

Point = tuple[int, int]
IDENTITY: Point = (0, 1)
_Extended = tuple[int, int, int, int]


def decode(raw: bytes) -> Point | None:
    """The point of 32 bytes; None when they are no canonical encoding of a point of the curve."""
    if len(raw) != 32:
        return None
    number = int.from_bytes(raw, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    if y >= PRIME:
        return None
    x = _root_of((y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME)
    if x is None or (x == 0 and sign):
        return None
    return (PRIME - x if x & 1 != sign else x), y


def _root_of(square: int) -> int | None:
    root = pow(square, (PRIME + 3) // 8, PRIME)
    if root * root % PRIME != square:
        root = root * _ROOT % PRIME
    return root if root * root % PRIME == square else None


def _add(one: _Extended, two: _Extended) -> _Extended:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = two
    a, b = (y1 - x1) * (y2 - x2) % PRIME, (y1 + x1) * (y2 + x2) % PRIME
    c, d = 2 * t1 * t2 * _D % PRIME, 2 * z1 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def multiply(factor: int, point: Point) -> Point:
    """[factor]point, factor >= 0."""
    x, y = point
    step: _Extended = (x, y, 1, x * y % PRIME)
    total: _Extended = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = _add(total, step)
        step, factor = _add(step, step), factor >> 1
    inverse = pow(total[2], -1, PRIME)
    return total[0] * inverse % PRIME, total[1] * inverse % PRIME
