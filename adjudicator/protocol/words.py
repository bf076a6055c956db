"""Secrets as words that a person can write down and type again.

A byte is a syllable: one of sixteen consonants, one of four vowels, one of four ends. Two syllables make a word, and a
last word holds two bytes of a hash over the kind of the secret and its bytes, so that a slip of the pen is seen.
"""

from __future__ import annotations

import hashlib
import re

_STARTS, _VOWELS, _ENDS = "bdfghjklmnprstvz", "aiou", "lnrs"
_SYLLABLES = tuple(start + vowel + end for start in _STARTS for vowel in _VOWELS for end in _ENDS)
_BYTES = {syllable: number for number, syllable in enumerate(_SYLLABLES)}
_CHECK = 2
_PER_LINE = 6
SECRET_BYTES = 32


class WordsError(ValueError):
    """Words that are none of these, or not all of them; the text says which."""


def to_words(kind: str, data: bytes) -> list[str]:
    """The bytes (an even number) as words, the last of them the check."""
    syllables = [_SYLLABLES[byte] for byte in data + _check(kind, data)]
    return ["".join(pair) for pair in zip(syllables[::2], syllables[1::2], strict=True)]


def lines_of(words: list[str]) -> list[str]:
    """The words in short lines."""
    return [" ".join(words[at : at + _PER_LINE]) for at in range(0, len(words), _PER_LINE)]


def from_words(kind: str, text: str, size: int = SECRET_BYTES) -> bytes:
    """The bytes of words; case, line ends, numbers and punctuation don't matter. Raises WordsError."""
    words = re.findall(r"[a-z]+", text.lower())
    wanted = (size + _CHECK) // 2
    for number, word in enumerate(words, 1):
        if len(word) != 6 or word[:3] not in _BYTES or word[3:] not in _BYTES:
            raise WordsError(f"word {number} of the {kind}, `{word[:20]}`, is none of these words; look at it again")
    if len(words) != wanted:
        raise WordsError(f"the {kind} has {wanted} words, {len(words)} are here")
    found = bytes(_BYTES[word[at : at + 3]] for word in words for at in (0, 3))
    data, check = found[:size], found[size:]
    if check != _check(kind, data):
        raise WordsError(f"the last word doesn't fit the others: a word of the {kind} is wrong, or two are swapped")
    return data


def _check(kind: str, data: bytes) -> bytes:
    return hashlib.sha256(b"words/" + kind.encode() + b"/" + data).digest()[:_CHECK]
