"""The head statement that the next own message carries after a log was brought back (PROTOCOL 8)."""

from __future__ import annotations

from adjudicator.match.files import PRIVATE, write_whole
from adjudicator.match.folder import Folder, FolderError
from adjudicator.protocol.fields import uint
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write

RESTORED = "restored.yaml"


def keep_statement(folder: Folder, seq: int, sig: str) -> None:
    """Keep the statement of the other side until a message carries it."""
    tree: dict[str, Tree] = {"seq": str(seq), "sig": sig}
    write_whole(folder.private / RESTORED, write(tree).encode(), PRIVATE)


def due_statement(folder: Folder, next_seq: int) -> tuple[int, str] | None:
    """The statement that the next own message must carry; None where none is due any more. Raises FolderError."""
    path = folder.private / RESTORED
    if not path.is_file():
        return None
    try:
        tree = tree_map(read(path.read_bytes()).root)
    except ReadError as error:
        raise FolderError(f"{path}: {error}; `import` the log once more") from None
    seq = uint(tree.get("seq"))
    if seq is None:
        raise FolderError(f"{path}: it has no number; `import` the log once more")
    return (seq, str(tree.get("sig", ""))) if seq in (next_seq - 1, next_seq - 2) else None


def statement_used(folder: Folder) -> None:
    """The statement was carried by a message, or is overtaken."""
    (folder.private / RESTORED).unlink(missing_ok=True)
