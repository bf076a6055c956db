"""Which games there are. The only list; everything else sees a game through engine.game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from adjudicator.engine.game import Rules, Table
from adjudicator.packs.load import Pack, load_pack

_MODULES = {
    "shifting-sands": "adjudicator.shifting_sands.game",
    "western-desert": "adjudicator.western_desert.game",
}


class UnknownSystem(ValueError):
    """No game of that name."""


def systems() -> list[str]:
    """Slugs of the games."""
    return sorted(_MODULES)


def game(system: str) -> Rules:
    """The game of a slug. Raises :class:`UnknownSystem` with the names there are."""
    module = _MODULES.get(system)
    if module is None:
        raise UnknownSystem(f"there is no game {system!r}; choose one of: {', '.join(systems())}")
    return cast(Rules, import_module(module).GAME)


@cache
def pack_of(system: str) -> Pack:
    """The compiled pack of a game, read once in a process. Raises PackError."""
    return load_pack(system)


@cache
def table(system: str, scenario: str, switches: tuple[tuple[str, str], ...] = ()) -> Table:
    """A scenario ready to play, made once in a process. Raises ValueError for an unknown scenario or switch."""
    return game(system).table(pack_of(system).tree, scenario, dict(switches))
