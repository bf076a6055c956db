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


def package_of(system: str) -> str:
    """The package with the rules of a game. Raises :class:`UnknownSystem`."""
    game(system)
    return _MODULES[system].rpartition(".")[0]


@cache
def pack_of(system: str) -> Pack:
    """The compiled pack of a game, read once in a process. Raises PackError."""
    return load_pack(system)


@cache
def table(system: str, scenario: str, switches: tuple[tuple[str, str], ...] = ()) -> Table:
    """A scenario ready to play, made once in a process.

    Raises ValueError for an unknown scenario or switch, and for a scenario that the rules can't set up yet.
    """
    return table_over(pack_of(system), scenario, switches)


def table_over(pack: Pack, scenario: str, switches: tuple[tuple[str, str], ...] = ()) -> Table:
    """A scenario ready to play over a pack that need not be the program's own. Raises ValueError as :func:`table`."""
    rules = game(pack.system)
    made = rules.table(pack.tree, scenario, dict(switches))
    check_playable(rules, pack, scenario)
    return made


def check_playable(rules: Rules, pack: Pack, scenario: str) -> None:
    """Raise ValueError for a scenario whose start ``needs`` what the rules of this version can't place.

    A game says in ``places`` which words of ``needs`` its rules know.
    """
    known: frozenset[str] = getattr(rules, "places", frozenset())
    rows = pack.rows("scenarios")
    missing = {str(row["id"]): [word for word in row.get("needs", ()) if word not in known] for row in rows}
    if missing.get(scenario):
        ready = ", ".join(name for name, words in sorted(missing.items()) if not words)
        raise ValueError(
            f"the scenario {scenario} can't be played with this version yet, its start needs rules for: "
            f"{', '.join(missing[scenario])}; choose one of: {ready}"
        )
