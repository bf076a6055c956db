"""What an offer or genesis may say beyond its form: the seats, the first side and the dice of a game (PROTOCOL 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.game import Rules
from adjudicator.packs.load import Pack
from adjudicator.protocol.verdicts import ProtocolError

LOCAL = (
    "Played with local dice (solo or hot-seat): one person may hold the secrets of both sides, so nothing protects "
    "these dice, and nothing can be proved of them."
)
"""What is said of such a game wherever it is told."""
SEATS = ("a", "b")
NAME_AT_MOST = 100


def check_terms(rules: Rules, pack: Pack, body: Mapping[str, Any]) -> None:
    """Raise ProtocolError (E_FIELD) for terms that this program would play otherwise than they are written.

    Player a has the first side of the game, since messages are told to sides by their number; the side that moves
    first is the scenario's. What has not the form of an offer or genesis is left to those who judge the form.
    """
    players = body.get("players")
    for seat, side in zip(SEATS, rules.sides, strict=True):
        player = players.get(seat) if isinstance(players, dict) else None
        given = player.get("side") if isinstance(player, dict) else side
        if isinstance(player, dict):
            _check_line(f"players.{seat}.name", player.get("name"))
        if given != side:
            raise _refused(f"players.{seat} plays {given!r:.40}; in {rules.system} player {seat} is {side}")
    _check_line("title", body.get("title"))
    first = rules.first(pack.tree, str(body.get("scenario")))
    if body.get("first") != first:
        raise _refused(f"`first` is {body.get('first')!r:.40}; in this scenario {first} moves first")


def _check_line(what: str, text: object) -> None:
    """A title or name is printed by many commands: of one line, so that it can't look like what the program says."""
    if isinstance(text, str) and ("\n" in text or len(text) > NAME_AT_MOST):
        raise _refused(f"`{what}` must be of one line, of at most {NAME_AT_MOST} characters")


def _refused(text: str) -> ProtocolError:
    return ProtocolError("E_FIELD", text, 0)
