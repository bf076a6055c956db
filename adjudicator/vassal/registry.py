"""The numbers of counters in a module, kept for ever in the pack's `vassal-registry.yaml`.

VASSAL matches the pieces of an old save to the counters of a new module by number (`gpid`). So a
counter keeps the number it once had, a new one takes the next, and none is given twice.

    python -m adjudicator.vassal.registry SYSTEM [--write]

lists the counters of a system's pack that have no number yet, and with --write gives them theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.vassal.archive import atomic_file
from adjudicator.vassal.board import read_yaml

FILE_NAME = "vassal-registry.yaml"


class RegistryError(ValueError):
    """A registry that cannot be used; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Numbers by key. `next` is above every number ever given."""

    numbers: Mapping[str, int]
    next: int

    def missing(self, keys: Iterable[str]) -> list[str]:
        """The keys without a number, in the order they would get theirs."""
        return sorted({key for key in keys if key not in self.numbers})

    def extended(self, keys: Iterable[str]) -> Registry:
        """With a number for every key. New ones follow in the order of their names."""
        numbers, following = dict(self.numbers), self.next
        for key in self.missing(keys):
            numbers[key] = following
            following += 1
        return replace(self, numbers=numbers, next=following)

    def problems(self) -> list[str]:
        """What makes the registry unsound: a number twice, or one not below `next`."""
        found: list[str] = []
        owners: dict[int, str] = {}
        for key, number in self.numbers.items():
            if number in owners:
                found.append(f"{key} and {owners[number]} have the same number {number}")
            if not 0 < number < self.next:
                found.append(f"{key} has number {number}; it must be from 1 to {self.next - 1}")
            owners[number] = key
        return found


def load_registry(path: Path) -> Registry:
    """The registry of a file, empty if there is none.

    Raises RegistryError for a file of another form or an unsound one.
    """
    if not path.exists():
        return Registry({}, 1)
    try:
        tree = read_yaml(path)
        registry = Registry({str(k): int(v) for k, v in tree["pieces"].items()}, int(tree["next"]))
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise RegistryError(f"{path.name}: not a registry ({error})") from error
    found = registry.problems()
    if found:
        raise RegistryError(f"{path.name}: " + "; ".join(found))
    return registry


def write_registry(path: Path, registry: Registry) -> None:
    """Writes the registry, in the order of numbers, whole or not at all."""
    lines = [
        "# Numbers of the counters in the VASSAL module, written by python -m adjudicator.vassal.registry.",
        "# A number is never changed and never given again, so that old saves find their counters.",
        f"next: {registry.next}",
        "pieces:",
    ]
    lines += [f"  {key}: {number}" for key, number in sorted(registry.numbers.items(), key=lambda item: item[1])]
    with atomic_file(path) as handle:
        handle.write(("\n".join(lines) + "\n").encode("utf-8"))


def main(arguments: list[str]) -> int:
    """Reports counters without a number; gives them one with --write. 1 if any were missing."""
    from adjudicator.packs import PackError, load_pack, pack_folder
    from adjudicator.vassal import GAMES

    names = [a for a in arguments if not a.startswith("-")]
    if len(names) != 1 or set(arguments) - {*names, "--write"}:
        print("usage: python -m adjudicator.vassal.registry SYSTEM [--write]", file=sys.stderr)
        return 2
    try:
        path = pack_folder(names[0]) / FILE_NAME
        keys = GAMES[names[0]](load_pack(names[0]).tree).piece_keys()
        registry = load_registry(path)
    except (PackError, RegistryError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    missing = registry.missing(keys)
    for key in missing:
        print(f"{key}: has no number in {path.name}")
    if "--write" in arguments and missing:
        write_registry(path, registry.extended(keys))
        print(f"{len(missing)} numbers given")
        return 0
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
