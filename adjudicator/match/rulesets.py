"""The rules sets of one game, found by their hash: that of genesis, those its players may agree to (PROTOCOL 3.4, 7).

A message names new rules by a hash alone. What is behind it - version, house rules, overlay - stands in a file that
both players keep under ``rules/`` in the game folder, and that is mailed beside the message that offers them. Nothing
in such a file is believed: the hash is worked out anew from what it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from adjudicator.engine.game import Rules, Table
from adjudicator.match.files import write_whole
from adjudicator.match.folder import Folder, FolderError
from adjudicator.match.games import UnknownSystem, UnknownVersion, game, made, pack_of, table_over, versions
from adjudicator.match.games import edition as edition_of
from adjudicator.match.overlays import OverlayError, lay_over
from adjudicator.packs.load import Pack
from adjudicator.protocol.rules import canonical_digest, pack_digest, rules_hash

FORMAT = "pbem1-rules/1"
MAX_FILE = 5_000_000
SHORT = 12
Switches = tuple[tuple[str, str], ...]


class RulesError(Exception):
    """Rules that can't be read, made, offered or accepted; the text says why and how to mend."""


class MissingRules(FolderError):
    """Rules that a game goes by are not in its folder."""


@dataclass(frozen=True)
class RuleSet:
    """Rules of a game in full: version of the rules module, house rules, data. ``overlay`` is the text laid over the
    program's own pack, "" for none."""

    system: str
    scenario: str
    version: int
    switches: Switches
    pack: Pack
    overlay: str = ""

    @cached_property
    def digest(self) -> str:
        """The digest of the data."""
        return canonical_digest(self.pack.data) if self.pack.data else pack_digest(self.pack.tree)

    @cached_property
    def hash(self) -> str:
        """The rules hash (PROTOCOL 3.4)."""
        return rules_hash(self.system, self.version, self.digest, dict(self.switches))

    @property
    def rules(self) -> Rules:
        """The rules module."""
        return game(self.system, self.version)

    @cached_property
    def table(self) -> Table:
        """The scenario ready to play. Raises ValueError for switches or a scenario that these rules can't play."""
        own = edition_of(self.system, self.version)
        if self.pack is own.pack():
            return made(own, self.scenario, self.switches)
        return table_over(self.pack, self.scenario, self.switches, self.version)

    @property
    def words(self) -> str:
        """What they are, on one line."""
        house = ", ".join(f"{name}={value}" for name, value in self.switches) or "none"
        data = f"pack {self.digest[:SHORT]}{' with an overlay' if self.overlay else ''}"
        return f"rules {self.hash[:SHORT]}: {self.system} version {self.version}, house rules {house}, {data}"

    def write(self) -> bytes:
        """The file to keep and to mail."""
        tree = {
            "format": FORMAT,
            "rules": self.hash,
            "system": self.system,
            "version": str(self.version),
            "switches": dict(self.switches),
            "overlay": self.overlay.splitlines(),
        }
        return json.dumps(tree, ensure_ascii=False, indent=1).encode() + b"\n"


@dataclass(frozen=True)
class Written:
    """What a rules file says, not worked out yet."""

    system: str
    version: int
    switches: Switches
    overlay: str

    @classmethod
    def read(cls, data: bytes, shown: str) -> Written:
        """What stands in a file called ``shown``. Raises RulesError for one that is none."""
        wrong = RulesError(f"{shown}: this is no rules file as `upgrade` writes it, or it is damaged; ask for it again")
        try:
            tree = json.loads(data) if len(data) <= MAX_FILE else None
        except (ValueError, RecursionError):
            raise wrong from None
        if not isinstance(tree, dict) or tree.get("format") != FORMAT:
            raise wrong
        system, version, switches, lines = (tree.get(name) for name in ("system", "version", "switches", "overlay"))
        if not isinstance(system, str) or not isinstance(version, str) or not isinstance(switches, dict):
            raise wrong
        if not (version.isascii() and version.isdigit() and len(version) < 10) or not isinstance(lines, list):
            raise wrong
        if not all(isinstance(text, str) for text in (*switches.values(), *lines)):
            raise wrong
        text = "".join(f"{line}\n" for line in lines)
        return cls(system, int(version), tuple(sorted(switches.items())), text)


def made_of(
    body: Mapping[str, Any], version: int, switches: Switches, overlay: str, shown: str, kept: Pack | None = None
) -> RuleSet:
    """Rules for the game of a genesis. ``kept`` is the pack that the overlay made before.

    Raises OverlayError with all faults of the overlay (``shown`` is its file), UnknownVersion.
    """
    system = str(body["system"])
    scenario = str(body["scenario"])
    if not overlay:
        return RuleSet(system, scenario, version, switches, pack_of(system, version))
    if kept is not None:
        return RuleSet(system, scenario, version, switches, kept, overlay)
    edition_of(system, version)
    laid = lay_over(system, overlay.encode(), shown, version)
    return RuleSet(system, scenario, version, switches, laid.pack, laid.text)


class RuleShelf:
    """The rules sets of a game folder, each read once. ``first`` is that of genesis.

    With ``fresh`` every pack is compiled anew from its overlay, whatever is kept beside the state.
    """

    def __init__(self, folder: Folder | None, body: Mapping[str, Any], first: RuleSet, fresh: bool = False) -> None:
        self._folder, self._body, self.first, self._fresh = folder, body, first, fresh
        self._found: dict[str, RuleSet] = {str(body.get("rules", "")): first}

    def table(self, rules: str) -> Table:
        """The scenario by the rules of a hash. Raises MissingRules."""
        found = self.find(rules)
        try:
            return found.table
        except ValueError as error:
            raise MissingRules(f"the rules {rules[:SHORT]} can't be played with this program: {error}") from None

    def find(self, rules: str) -> RuleSet:
        """The rules of a hash: those of genesis, out of the folder, or what this program has. Raises MissingRules."""
        if rules not in self._found:
            found = self._filed(rules) or next((one for one in self._own() if one.hash == rules), None)
            if found is None:
                raise MissingRules(self._missing(rules))
            self._found[rules] = found
        return self._found[rules]

    def lacks(self, rules: str) -> str:
        """Why the rules of a hash are not here; "" where they are."""
        try:
            self.find(rules)
        except MissingRules as error:
            return str(error)
        return ""

    def _missing(self, rules: str) -> str:
        where = self._folder.root if self._folder is not None else "DIR"
        return (
            f"the rules {rules[:SHORT]} are not in this folder; the other player has them as "
            f"rules/{rules[:SHORT]}.json and mails them beside the message that offers them (`resend` writes the file "
            f"again): take it in with `adjudicator upgrade {where} --take FILE`"
        )

    def _filed(self, rules: str) -> RuleSet | None:
        """The rules out of their file. Raises MissingRules for a file that makes others."""
        path = None if self._folder is None else self._folder.rules(rules)
        if path is None or not path.is_file():
            return None
        try:
            found = self.read(path.read_bytes(), str(path), self._kept(rules))
            if found.hash != rules:  # a kept pack of another overlay
                found = self.read(path.read_bytes(), str(path))
        except (RulesError, OverlayError) as error:
            text = f"{str(error).splitlines()[0]}; bring the file back as both players agreed on it"
            raise MissingRules(text) from None
        if found.hash != rules:
            text = f"{path}: this file makes the rules {found.hash[:SHORT]}, the game names {rules[:SHORT]}"
            raise MissingRules(f"{text}; bring the right file back, or use the version of the program it was made with")
        return found

    def read(self, data: bytes, shown: str, kept: Pack | None = None) -> RuleSet:
        """The rules that a file makes for this game. Raises RulesError, and OverlayError with all faults."""
        told = Written.read(data, shown)
        if told.system != self._body["system"]:
            raise RulesError(f"{shown}: these are rules of {told.system:.60}, the game is {self._body['system']}")
        try:
            return made_of(self._body, told.version, told.switches, told.overlay, shown, kept)
        except (UnknownSystem, UnknownVersion) as error:
            raise RulesError(f"{shown}: {error}") from None

    def _kept(self, rules: str) -> Pack | None:
        """The pack that an overlay made before; its digest is checked with the rules hash."""
        if self._folder is None or self._fresh:
            return None
        try:
            data = self._folder.rules_pack(rules).read_bytes()
            tree = json.loads(data)
            return Pack(tree["system"], tree["version"], tree["title"], tree, data)
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def keep(self, found: RuleSet) -> Path:
        """Put rules into the folder: their file, and the pack made of their overlay. Returns the file."""
        assert self._folder is not None
        path = self._folder.rules(found.hash)
        write_whole(path, found.write())
        if found.overlay:
            write_whole(self._folder.rules_pack(found.hash), found.pack.data)
        self._found[found.hash] = found
        return path

    def _own(self) -> Iterator[RuleSet]:
        """What this program can make without a file: its versions, with the house rules and overlay of genesis."""
        for version in versions(self.first.system):
            for overlay in dict.fromkeys(("", self.first.overlay)):
                try:
                    yield made_of(self._body, version, self.first.switches, overlay, "overlay.yaml")
                except OverlayError:  # the overlay of genesis does not fit the data of another version
                    continue
