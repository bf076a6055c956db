"""Secrets as words: there and back, whatever a hand does to them; slips are seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.protocol.words import WordsError, from_words, lines_of, to_words

KIND = "game secret"


@given(st.binary(min_size=32, max_size=32))
def test_there_and_back(data: bytes) -> None:
    words = to_words(KIND, data)
    assert len(words) == 17
    assert all(len(word) == 6 for word in words)
    assert from_words(KIND, "\n".join(lines_of(words))) == data
    assert from_words(KIND, " ".join(f"{n}. {word.upper()}," for n, word in enumerate(words, 1))) == data


def test_all_syllables_differ() -> None:
    words = {word for start in range(0, 256, 32) for word in to_words(KIND, bytes(range(start, start + 32)))[:16]}
    assert len({word[at : at + 3] for word in words for at in (0, 3)}) == 256


@given(st.binary(min_size=32, max_size=32), st.data())
def test_a_slip_is_seen(data: bytes, slip: st.DataObject) -> None:
    words = to_words(KIND, data)
    at = slip.draw(st.integers(0, 16))
    other = slip.draw(st.sampled_from([word for word in to_words(KIND, bytes(range(32))) if word != words[at]]))
    try:
        found = from_words(KIND, " ".join([*words[:at], other, *words[at + 1 :]]))
    except WordsError:
        return
    assert found != data  # one slip in 65,536 has the same check; it never gives the secret back


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" ".join(to_words(KIND, bytes(32))[:-1]), "17 words, 16 are here"),
        (" ".join([*to_words(KIND, bytes(32))[1:], "balbax"]), "word 17 of the game secret, `balbax`"),
        (" ".join(reversed(to_words(KIND, bytes(range(32))))), "wrong, or two are swapped"),
        (" ".join(to_words("signing key", bytes(32))), "doesn't fit"),
        ("", "0 are here"),
        ("\u00e9" * 9, "0 are here"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(WordsError, match=said):
        from_words(KIND, text)
