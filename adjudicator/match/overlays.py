"""Corrections of an owner of the printed game in a match: laid over the pack, kept in the folder, found again.

Both players must hold the same overlay: the digest of the corrected pack stands in genesis. Its text lies in the game
folder as ``overlay.yaml``; the pack compiled from it is kept beside the state, so that no command compiles it again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from adjudicator.engine.game import Rules
from adjudicator.match.files import write_whole
from adjudicator.match.folder import Folder, FolderError
from adjudicator.match.games import edition
from adjudicator.packs.errors import PackError
from adjudicator.packs.load import Pack, canonical_json
from adjudicator.protocol.rules import canonical_digest
from adjudicator.turnfile.whitelist import first_foreign

OVERLAY_FILE = "overlay.yaml"
LAID_AT_MOST: Final = 8
_LAID: dict[tuple[Path, bytes, bytes], Laid] = {}
"""What this process has laid over what: by the folder of the pack, the contents of its files, and the overlay."""


class OverlayError(ValueError):
    """An overlay that can't be laid over the pack; ``lines`` say every fault with file and line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Laid:
    """An overlay laid over a pack: its canonical text, the corrected pack, what is corrected."""

    text: str
    pack: Pack
    corrections: list[dict[str, Any]]

    @property
    def digest(self) -> str:
        """The digest of the corrected pack, as genesis names it."""
        return canonical_digest(self.pack.data)


def lay_over(system: str, data: bytes, shown: str, version: int | None = None) -> Laid:
    """Lay the bytes of an overlay file over this program's pack, that of the newest version unless one is named.

    The same bytes over the same files are laid once in a process. Raises OverlayError with all faults; ``shown`` is the
    name of the file in them.
    """
    folder = edition(system, version).folder()
    key = (folder, _contents(folder), data)
    if key not in _LAID:
        laid = _lay(folder, data, shown)
        while len(_LAID) >= LAID_AT_MOST:
            del _LAID[next(iter(_LAID))]
        _LAID[key] = laid
    return _LAID[key]


def _contents(folder: Path) -> bytes:
    """A digest of the files of a pack."""
    whole = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        whole.update(f"{path.relative_to(folder).as_posix()}\n{len(data)}\n".encode() + data)
    return whole.digest()


def _lay(folder: Path, data: bytes, shown: str) -> Laid:
    from adjudicator.packs.files import read_pack
    from adjudicator.packs.overlay import lay, read_overlay

    _only_known_characters(data, shown)
    try:
        files = read_pack(folder)
        found = lay(files, read_overlay(data, shown))
    except PackError as error:
        raise OverlayError([str(error).replace(" error: ", " error[pack.file]: ", 1)]) from None
    if found.tree is None:
        raise OverlayError([str(fault) for fault in found.faults])
    tree = found.tree
    pack = Pack(tree["system"], tree["version"], tree["title"], tree, canonical_json(tree))
    return Laid(found.text, pack, found.corrections)


def _only_known_characters(data: bytes, shown: str) -> None:
    """What is hashed holds only the characters that a turn file may hold (PROTOCOL 3.2)."""
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        at = first_foreign(line.rstrip("\r"))
        if at >= 0:
            text = f"the character {line[at]!r} is not allowed; leave it out"
            raise OverlayError([f"{shown}:{number}:{at + 1}: error[pack.file]: {text}"])


def keep(folder: Folder, laid: Laid) -> None:
    """Put an overlay and the pack made of it into a game folder."""
    write_whole(folder.overlay, laid.text.encode())
    write_whole(folder.pack, laid.pack.data)


def pack_beside(folder: Folder, rules: Rules, wanted: str, fresh: bool = False) -> Pack:
    """The corrected pack of a folder with an overlay; its digest is the one wanted.

    With ``fresh`` it is compiled from the overlay, whatever lies beside the state. Raises FolderError where the overlay
    gives another pack than the game was begun with.
    """
    if not fresh and folder.pack.is_file():
        data = folder.pack.read_bytes()
        if canonical_digest(data) == wanted:
            tree = json.loads(data)
            return Pack(tree["system"], tree["version"], tree["title"], tree, data)
    try:
        laid = lay_over(rules.system, folder.overlay.read_bytes(), str(folder.overlay), rules.version)
    except OverlayError as error:
        raise FolderError(f"{error.lines[0]}; bring back the overlay that both players agreed on") from None
    if laid.digest != wanted:
        raise FolderError(
            f"{folder.overlay}: this overlay gives the pack {laid.digest[:12]}, the game was begun with {wanted[:12]}; "
            "bring back the overlay that both players agreed on, or use the version of the program it was made with"
        )
    if not fresh and not folder.still and folder.about.is_file():
        write_whole(folder.pack, laid.pack.data)
    return laid.pack
