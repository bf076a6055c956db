"""A game that failed, kept as a game folder that `verify` opens, with a text of what failed."""

from __future__ import annotations

from pathlib import Path

from adjudicator.match.files import write_whole
from adjudicator.match.folder import Folder
from adjudicator.match.play.loop import Played
from adjudicator.turnfile.nodes import Tree

WHAT = "failure.txt"
DRAFT = "draft.yaml"


def save_failure(played: Played, out: Path) -> Path:
    """Write the folder of a failed game under ``out``; returns it."""
    pairing = played.pairing
    folder = Folder(out / f"{pairing.system}-{pairing.scenario}-{pairing.seed}")
    switches: dict[str, Tree] = dict(pairing.switches)
    about: dict[str, Tree] = {
        "title": f"{pairing.scenario} {pairing.seed}", "system": pairing.system, "scenario": pairing.scenario,
        "switches": switches,
    }
    folder.write_about(about)
    folder.write_log(played.lines)
    write_whole(folder.root / WHAT, what_failed(played).encode())
    if played.draft:
        write_whole(folder.root / DRAFT, played.draft.encode())
    return folder.root


def what_failed(played: Played) -> str:
    """What failed, where, and how to see it again."""
    pairing = played.pairing
    head = f"{pairing.system} {pairing.scenario}, seed {pairing.seed}, at message {played.seq}"
    return "\n".join([head, *played.faults]) + "\n"
