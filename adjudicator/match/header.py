"""The lines above the orders of a turn file: game, seq, side. They keep a file from the wrong game or turn."""

from __future__ import annotations

from adjudicator.engine.core import Place, Problem, whole_number
from adjudicator.match.draft import Draft

SHORT = 12
"""Hex digits of the game id that people see."""


def header_lines(game: str, seq: int, side: str) -> list[str]:
    """The head of a new turn file."""
    return [f"game: {game[:SHORT]}", f"seq: {seq}", f"side: {side}"]


def header_problems(draft: Draft, game: str, seq: int, side: str) -> list[Problem]:
    """What does not fit this folder's game, its next own message, its side. Absent lines are no fault."""
    found: list[Problem | None] = []
    if "game" in draft.header:
        found.append(_game(*draft.header["game"], game))
    if "side" in draft.header:
        found.append(_side(*draft.header["side"], side))
    if "seq" in draft.header:
        found.append(_seq(*draft.header["seq"], seq))
    return [problem for problem in found if problem is not None]


def _game(text: str, place: Place, game: str) -> Problem | None:
    if len(text) >= 8 and game.startswith(text.lower()):
        return None
    said = f"this file is for game {text[:SHORT]}, the folder holds game {game[:SHORT]}"
    return _problem("game", said, "name the right folder with --game DIR", place)


def _side(text: str, place: Place, side: str) -> Problem | None:
    if text.lower() == side:
        return None
    return _problem("side", f"this file gives orders for {text}, you are {side}", "check whose file this is", place)


def _seq(text: str, place: Place, seq: int) -> Problem | None:
    if text == str(seq):
        return None
    number = whole_number(text)
    if number is not None and number < seq:
        said = f"this file was made for message {text}, your next message is {seq}"
        return _problem("seq", said, "an old turn can't be played again; make a new file with `template`", place)
    return _problem(
        "seq", f"this file is for message {text[:20]}, your next message is {seq}", f"write seq: {seq}", place
    )


def _problem(code: str, text: str, hint: str, place: Place) -> Problem:
    return Problem(code, "header", text, hint, place, field=code)
