"""What a player must not lose of a game, as words on paper: the 32 bytes of the secret, and his key (PROTOCOL 4.3)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from adjudicator.match.folder import Folder
from adjudicator.match.match import Match
from adjudicator.protocol.words import from_words, lines_of, to_words
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write

GAME_SECRET, SIGNING_KEY = "game secret", "signing key"
OWN_KEY = "private/key"
_MARK = "backed-up.yaml"
_LABEL = re.compile(rf"(?im)^[ \t]*({GAME_SECRET}|{SIGNING_KEY})[ \t]*:")


def keepsake(match: Match) -> dict[str, list[str]]:
    """The lines to write down: of the secret always, of the key where it lies in the folder. Raises FolderError."""
    found = {GAME_SECRET: lines_of(to_words(GAME_SECRET, match.secret().k_game))}
    if str(match.folder.read_about().get("key", "")) == OWN_KEY:
        found[SIGNING_KEY] = lines_of(to_words(SIGNING_KEY, match.key().seed()))
    return found


def read_keepsake(text: str) -> dict[str, bytes]:
    """The secrets in what `doctor --words` prints; words without a label are the game's. Raises WordsError."""
    labels = list(_LABEL.finditer(text))
    if not labels:
        return {GAME_SECRET: from_words(GAME_SECRET, text)}
    found = {}
    for number, label in enumerate(labels):
        end = labels[number + 1].start() if number + 1 < len(labels) else len(text)
        kind = label[1].lower()
        found[kind] = from_words(kind, text[label.end() : end].partition("\n\n")[0])
    return found


def fingerprint(folder: Folder) -> dict[str, Tree]:
    """What a backup must hold, as hashes: the secret, the key of the folder, contents of own books."""
    files = {"secret": folder.secret, "key": folder.root / OWN_KEY, "books": folder.books}
    return {name: _hash(path) for name, path in files.items() if path.is_file()}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def mark_backed_up(folder: Folder) -> None:
    """Note that the player says he has a copy of what is there now."""
    from adjudicator.match.files import PRIVATE, write_whole

    write_whole(folder.private / _MARK, write(fingerprint(folder)).encode(), PRIVATE)


def _marked(folder: Folder) -> dict[str, Tree] | None:
    """What was there when the player said last that he has a copy."""
    try:
        return tree_map(read((folder.private / _MARK).read_bytes()).root)
    except (OSError, ReadError):
        return None


def backed_up(folder: Folder) -> bool:
    """Whether the player has said so since the last change."""
    return _marked(folder) == fingerprint(folder)


def changed_since_backup(folder: Folder) -> list[str]:
    """What is there that the backup has not, or otherwise, in words; [] where there never was one."""
    marked, now = _marked(folder), fingerprint(folder)
    words = {"secret": "the secret", "key": "the key", "books": "what you sealed"}
    return [] if marked is None else [words[name] for name in now if marked.get(name) != now[name]]
