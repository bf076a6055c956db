"""Game turns by name and number: Dec I 40 is turn 1, Jan II 43 turn 52 (turn record chart)."""

from __future__ import annotations

from typing import Final

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LAST: Final = 52
_FIRST_MONTH: Final = 11
_FIRST_YEAR: Final = 40


def turn_name(number: int) -> str:
    """``Mar I 41`` for turn 7. Any whole number from 1 has a name; those after 52 are beyond the game."""
    month = _FIRST_MONTH + (number - 1) // 2
    return f"{MONTHS[month % 12]} {'I' if number % 2 else 'II'} {_FIRST_YEAR + month // 12}"


_NUMBERS: Final = {turn_name(number): number for number in range(1, LAST + 1)}


def turn_number(name: object) -> int | None:
    """The number of a turn, ``None`` for a text that is no turn of the game."""
    return _NUMBERS.get(str(name))


def turns_between(first: object, last: object) -> list[str]:
    """The names of all turns from one to another, both included; empty when one of them is no turn."""
    start, end = turn_number(first), turn_number(last)
    return [] if start is None or end is None else [turn_name(number) for number in range(start, end + 1)]
