"""Proving a game: ``verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, Json, print_json, say

if TYPE_CHECKING:
    from adjudicator.match.proof import Failed, Proof, Proved


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(verify)


def verify(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A game folder, or a bare log.jsonl.")],
    brief: Annotated[bool, typer.Option("--brief", help="One line a step.")] = False,
    as_json: Json = False,
) -> None:
    """Prove the whole game from nothing.

    Offline: signatures, chains, dice, all rules run again, states.
    """
    from adjudicator.match.proof import Proof, find_log

    log = find_log(path)
    proof = Proof(log.read_bytes(), log.parent)
    if as_json:
        _as_json(log, proof)
        return
    say(f"{log}: proving everything from nothing, with no network and no trust in the other side's program.")
    for number, step in enumerate(proof.steps(), 1):
        failed = _show(number, step, brief)
        if failed is not None:
            raise Fail(failed.show(), f"verify: proved up to step {number - 1}, then it breaks", code=WRONG)
    say("Everything holds.")


def _show(number: int, step: Proved | Failed, brief: bool) -> Failed | None:
    from adjudicator.match.proof import Failed

    if isinstance(step, Failed):
        return step
    say(f"{number:4}. {step.title}")
    for part in () if brief else step.parts:
        say(f"        {part}")
    return None


def _as_json(log: Path, proof: Proof) -> None:
    from adjudicator.match.proof import Failed

    steps: list[dict[str, Any]] = []
    broken: dict[str, Any] | None = None
    for step in proof.steps():
        if isinstance(step, Failed):
            broken = {"seq": step.seq, "code": step.code, "text": step.text, "mend": step.mend}
        else:
            steps.append({"title": step.title, "parts": list(step.parts)})
    print_json({"ok": broken is None, "log": str(log), "steps": steps, "rolls": proof.dice, "failed": broken})
    if broken is not None:
        raise typer.Exit(WRONG)
