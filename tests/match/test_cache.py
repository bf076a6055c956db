"""A game continued from what a folder keeps is the game rebuilt from its log, byte for byte."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from adjudicator.match.draft import read_draft
from adjudicator.match.match import Match
from tests.match.conftest import ALLIED, AXIS, Game, entropy

PLAY = (
    (ALLIED, "1-movement.yaml"),
    (AXIS, ""),
    (ALLIED, "2-combat.yaml"),
    (AXIS, ""),
    (ALLIED, "3-movement.yaml"),
    (AXIS, ""),
    (ALLIED, "4-combat.yaml"),
    (AXIS, ""),
)


def rebuilt(match: Match, to: Path) -> Match:
    """The same folder with nothing kept but log, journal and secrets."""
    root = Path(shutil.copytree(match.folder.root, to))
    (root / match.folder.cache.relative_to(match.folder.root)).unlink()
    shutil.rmtree(root / "state")
    return Match.load(root)


def exported(match: Match) -> str:
    return json.dumps([match.verifier.export(), match.resolver.export()], sort_keys=True)


def files(match: Match) -> dict[str, bytes]:
    """Everything under state/, by path."""
    root = match.folder.root / "state"
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_folder_without_its_cache_is_rebuilt_to_the_byte(game: Game, tmp_path: Path) -> None:
    for number, (side, name) in enumerate(PLAY):
        kept = game.load(side)
        again = rebuilt(kept, tmp_path / str(number))
        for match in (kept, again):
            match.look()
        assert exported(kept) == exported(again)
        assert files(kept) == files(again)
        if name:
            same_message(kept, again, game.example(name))
        game.send(side, name)


def same_message(kept: Match, again: Match, text: bytes) -> None:
    """Checked and signed on copies, both folders give the same words and the same bytes."""
    one, two = (match.check(read_draft(text)) for match in (kept, again))
    assert [(v.verdict, v.sentence) for v in one.verdicts] == [(v.verdict, v.sentence) for v in two.verdicts]
    assert (one.problems, one.warnings, one.orders) == (two.problems, two.warnings, two.orders)
    copy = Match.load(Path(shutil.copytree(kept.folder.root, f"{again.folder.root}-copy")))
    signed = [match.sign(match.check(read_draft(text)), entropy=entropy("same")) for match in (copy, again)]
    assert signed[0].id == signed[1].id
    assert files(copy) == files(again)
