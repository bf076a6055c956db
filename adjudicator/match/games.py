"""Which games there are, and in which versions of their rules. The only list; everything else sees a game through
engine.game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from adjudicator.engine.game import Rules, Table
from adjudicator.packs.load import Pack, load_pack, pack_folder

_MODULES = {
    "shifting-sands": "adjudicator.shifting_sands.game",
    "western-desert": "adjudicator.western_desert.game",
}


class UnknownSystem(ValueError):
    """No game of that name."""


class UnknownVersion(ValueError):
    """A version of the rules of a game that this program does not have."""


@dataclass(frozen=True)
class Edition:
    """One version of the rules of a game (PROTOCOL 3.4): the rules, the data they play with, and their folder.

    A program keeps the editions of before as long as games may be played by them: a game that was begun under one goes
    on under it, until its players agree to another (PROTOCOL 7, upgrade), and its log is proved by both.
    """

    rules: Callable[[], Rules]
    pack: Callable[[], Pack]
    folder: Callable[[], Path]


def _module(system: str) -> Rules:
    return cast(Rules, import_module(_MODULES[system]).GAME)


@cache
def _pack(system: str) -> Pack:
    return load_pack(system)


EDITIONS: dict[str, dict[int, Edition]] = {
    system: {1: Edition(partial(_module, system), partial(_pack, system), partial(pack_folder, system))}
    for system in _MODULES
}
"""The editions that this program plays, by game and version."""


def systems() -> list[str]:
    """Slugs of the games."""
    return sorted(_MODULES)


def versions(system: str) -> list[int]:
    """The versions of the rules of a game that this program plays, the newest last. Raises UnknownSystem."""
    if system not in EDITIONS:
        raise UnknownSystem(f"there is no game {system!r}; choose one of: {', '.join(systems())}")
    return sorted(EDITIONS[system])


def edition(system: str, version: int | None = None) -> Edition:
    """An edition of a game, the newest without a version. Raises UnknownSystem and UnknownVersion."""
    known = versions(system)
    if version is not None and version not in known:
        plays = f"version{'s' if len(known) > 1 else ''} {' and '.join(map(str, known))}"
        newer = "a newer" if version > known[-1] else "an older"
        raise UnknownVersion(
            f"this needs version {version} of the rules of {system}, and this program plays {plays}; use {newer} "
            f"program, one whose `adjudicator upgrade` tells of version {version}"
        )
    return EDITIONS[system][known[-1] if version is None else version]


def game(system: str, version: int | None = None) -> Rules:
    """The game of a slug, in its newest version unless one is named.

    Raises :class:`UnknownSystem` with the names there are, and :class:`UnknownVersion`.
    """
    return edition(system, version).rules()


def package_of(system: str) -> str:
    """The package with the rules of a game. Raises :class:`UnknownSystem`."""
    game(system)
    return _MODULES[system].rpartition(".")[0]


def pack_of(system: str, version: int | None = None) -> Pack:
    """The compiled pack of a game, read once in a process. Raises PackError."""
    return edition(system, version).pack()


def table(
    system: str, scenario: str, switches: tuple[tuple[str, str], ...] = (), version: int | None = None
) -> Table:
    """A scenario ready to play, made once in a process.

    Raises ValueError for an unknown scenario or switch, and for a scenario that the rules can't set up yet.
    """
    return made(edition(system, version), scenario, switches)


@cache
def made(chosen: Edition, scenario: str, switches: tuple[tuple[str, str], ...]) -> Table:
    """The tables over the program's own data, kept for the process."""
    return _made(chosen.rules(), chosen.pack(), scenario, dict(switches))


def table_over(
    pack: Pack, scenario: str, switches: tuple[tuple[str, str], ...] = (), version: int | None = None
) -> Table:
    """A scenario ready to play over a pack that need not be the program's own. Raises ValueError as :func:`table`."""
    return _made(game(pack.system, version), pack, scenario, dict(switches))


def _made(rules: Rules, pack: Pack, scenario: str, switches: Mapping[str, Any]) -> Table:
    found = rules.table(pack.tree, scenario, switches)
    check_playable(rules, pack, scenario)
    return found


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
