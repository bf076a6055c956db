"""Sequences: what is written is read back, and the text is the engine's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.vassal.sequence import ESC, TAB, decode, decode_padded, encode, nest, unnest, unnest_states

DELIMITERS = (ESC, TAB, "/", ";", ",", "|", ":")
awkward = st.text(alphabet=st.one_of(st.sampled_from("\\'/;,|:\t\x1b$<>&aé"), st.characters(codec="utf-8")))


@given(st.lists(awkward, min_size=1), st.sampled_from(DELIMITERS))
def test_any_list_of_texts_comes_back(tokens: list[str], delimiter: str) -> None:
    assert decode(encode(tokens, delimiter), delimiter) == tokens


@given(st.lists(st.lists(awkward, min_size=1), min_size=1), st.sampled_from(DELIMITERS), st.sampled_from(DELIMITERS))
def test_lists_in_lists_come_back(lists: list[list[str]], outer: str, inner: str) -> None:
    text = encode([encode(tokens, inner) for tokens in lists], outer)
    assert [decode(token, inner) for token in decode(text, outer)] == lists


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["a", "b"], "a;b"),
        (["a;b", "c"], "a\\;b;c"),
        (["", ""], ";"),
        (["\\x"], "'\\x'"),
        (["'q'"], "''q''"),
        (["it's"], "it's"),
        (["a\\b", "c"], "a\\b;c"),
    ],
)
def test_the_text_is_what_the_engine_writes(tokens: list[str], text: str) -> None:
    assert encode(tokens, ";") == text


def test_a_backslash_at_the_end_does_not_swallow_the_next_token() -> None:
    assert decode(encode(["C:\\", "next"], ";"), ";") == ["C:\\", "next"]


inner_text = st.text(alphabet="abc;\\'/,é", max_size=8)


@given(st.lists(inner_text, min_size=1, max_size=9))
def test_nested_traits_come_back(parts: list[str]) -> None:
    chain = [*parts, "piece;;;picture.svg;Name"]
    assert unnest(nest(chain)) == chain
    assert unnest_states(nest(chain), len(chain)) == chain


def test_each_level_of_traits_adds_a_backslash() -> None:
    assert nest(["a", "b", "c", "d"]) == "a\tb\\\tc\\\\\td"


def test_a_missing_state_shows_as_a_shorter_list() -> None:
    assert len(unnest_states(nest(["a", "b"]), 3)) == 2


def test_padding_fills_up() -> None:
    assert decode_padded("a;b", ";", 4) == ["a", "b", "", ""]
