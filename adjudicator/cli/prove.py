"""Proving a game: ``verify``, and ``export-proof`` for a third person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, GameFolder, Json, playing, print_json, read_bytes, say, write_result

if TYPE_CHECKING:
    from adjudicator.match.proof import Failed, Proof, Proved
    from adjudicator.protocol.message import Message


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(verify)
    app.command("export-proof")(export_proof)


def verify(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A game folder, or a bare log.jsonl.")],
    brief: Annotated[bool, typer.Option("--brief", help="One line a step.")] = False,
    dice: Annotated[
        Path | None,
        typer.Option("--dice", metavar="FILE", help="Write every roll: message, label, faces, values."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove the whole game from nothing.

    Offline: signatures, chains, dice, all rules run again, states.
    """
    from adjudicator.match.proof import Proof, find_log

    log = find_log(path)
    proof = Proof(log.read_bytes(), log.parent)
    if as_json:
        _as_json(log, proof, dice)
        return
    say(f"{log}: proving everything from nothing, with no network and no trust in the other side's program.")
    for number, step in enumerate(proof.steps(), 1):
        failed = _show(number, step, brief)
        if failed is not None:
            raise Fail(failed.show(), f"verify: proved up to step {number - 1}, then it breaks", code=WRONG)
    _write_dice(proof, dice)
    say("Everything holds.")


def _show(number: int, step: Proved | Failed, brief: bool) -> Failed | None:
    from adjudicator.match.proof import Failed

    say(f"{number:4}. {step.title}")
    if isinstance(step, Failed):
        if step.expected:
            say(f"        expected: {step.expected}")
            say(f"        found:    {step.found}")
        return step
    for part in () if brief else step.parts:
        say(f"        {part}")
    return None


def _write_dice(proof: Proof, path: Path | None) -> None:
    if path is not None:
        write_result(path, "".join(f"{die.line()}\n" for die in proof.rolled).encode())


def _as_json(log: Path, proof: Proof, dice: Path | None) -> None:
    from adjudicator.match.proof import Failed

    steps: list[dict[str, Any]] = []
    broken: dict[str, Any] | None = None
    for step in proof.steps():
        if isinstance(step, Failed):
            names = ("seq", "code", "text", "mend", "expected", "found")
            broken = {name: getattr(step, name) for name in names}
        else:
            steps.append({"title": step.title, "parts": list(step.parts)})
    print_json({"ok": broken is None, "log": str(log), "steps": steps, "rolls": proof.dice, "failed": broken})
    if broken is not None:
        raise typer.Exit(WRONG)
    _write_dice(proof, dice)


def export_proof(
    folder: GameFolder,
    seq: Annotated[int, typer.Argument(metavar="MESSAGE", help="Number of the message; 0 is genesis.")],
    second: Annotated[
        Path | None,
        typer.Option("--second", metavar="FILE", help="A second, different message of that number, as it was mailed."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where it goes; else DIR/proofs/MESSAGE.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write evidence of a message for a third person.

    The signed bytes, the signature and the keys, to be checked by ssh-keygen
    alone. If two different messages of the number are known (a fork), both,
    with the log up to them.
    """
    from adjudicator.match.evidence import HOW_TO, EvidenceError, export, second_bodies

    with playing(folder) as match:
        try:
            others = second_bodies(match, seq, _second(second))
            done = export(match, seq, output or folder / "proofs" / f"{seq:04d}", others)
        except EvidenceError as error:
            raise Fail(f"error[proof]: {error}", code=WRONG) from None
    if as_json:
        files = [str(file) for file in done.files]
        print_json({"ok": True, "fork": done.fork, "files": files, "commands": list(done.commands)})
        return
    say(f"Evidence of message {seq}: {done.folder}, {len(done.files)} files; {HOW_TO} says what they prove.")
    if done.fork:
        say(f"There are two different messages {seq}: both are in it, with the log up to them.")
    say("In that folder:")
    for command in done.commands:
        say(f"  {command}")


def _second(path: Path | None) -> Message | None:
    from adjudicator.match.incoming import IncomingError, message_in

    if path is None:
        return None
    try:
        return message_in(read_bytes(path), str(path))
    except IncomingError as error:
        raise Fail(*error.lines, code=WRONG) from None
