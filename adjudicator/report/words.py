"""Small words that every report needs: lists, numbers, chances, and a choice among phrasings that never varies."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def choose(phrases: Sequence[str], *key: str) -> str:
    """One of several phrasings, by a stable hash of ids: the same event is told the same way on every machine."""
    digest = hashlib.sha256("\x1f".join(key).encode()).digest()
    return phrases[int.from_bytes(digest[:4], "big") % len(phrases)]


def joined(parts: Sequence[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def number_word(count: int) -> str:
    """``no``, ``one`` .. ``twelve``, then figures."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str, plural: str = "") -> str:
    """``one unit``, ``three units``."""
    return f"{number_word(count)} {noun if count == 1 else plural or noun + 's'}"


def figure(value: Fraction | int | str) -> str:
    """A number as players write it: ``7``, ``3 1/2``, ``1/4``."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    part = f"{rest}/{value.denominator}"
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def signed(value: int) -> str:
    """``+2``, ``-1``, ``0``."""
    return f"+{value}" if value > 0 else str(value)


def capital(text: str) -> str:
    """The first letter made large."""
    return text[:1].upper() + text[1:]


def one(noun: str) -> str:
    """A noun with its indefinite article: ``an Italian point``."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def third(verb: str) -> str:
    """A verb in the third person: ``falls back``, ``goes by rail``."""
    first, _space, rest = verb.partition(" ")
    first = f"{first}es" if first.endswith(("o", "ch", "sh")) else f"{first}s"
    return f"{first} {rest}" if rest else first


def ratio(upper: Fraction, lower: Fraction) -> str:
    """Odds as a ratio to two places, cut off and never rounded up: ``3.66 to 1``."""
    if not lower:
        return f"{figure(upper)} to 0"
    hundredths = upper * 100 // lower
    whole, rest = divmod(int(hundredths), 100)
    exact = Fraction(hundredths, 100) == upper / lower
    shown = f"{whole}.{rest:02d}".rstrip("0").rstrip(".") if exact else f"{whole}.{rest:02d}"
    return f"{shown} to 1"


def chance(faces: Sequence[int], of: int = 6) -> str:
    """The chance of a set of faces in words: ``2 chances in 6``."""
    return f"{len(faces)} chance{'s' if len(faces) != 1 else ''} in {of}"


def faces_words(faces: Sequence[int]) -> str:
    """Faces of a die in words: ``a 5 or 6``, ``a 3 to 6``, ``a 1, 2 or 5``."""
    ordered = sorted(set(faces))
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"a {ordered[0]} to {ordered[-1]}"
    return "a " + joined([str(face) for face in ordered], "or")
