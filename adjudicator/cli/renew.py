"""Another key and another chain: ``new-key``, ``new-chain`` (PROTOCOL 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import WRONG, Fail, GameFolder, Json, playing, print_json, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.match.match import Match

Undo = Annotated[bool, typer.Option("--undo", help="Drop it again, while no message has carried it.")]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command("new-key")(new_key)
    app.command("new-chain")(new_chain)


def new_key(folder: GameFolder, undo: Undo = False, as_json: Json = False) -> None:
    """Change your signing key.

    Your next message brings the new key, signed with the old one; what you sign
    after it is signed with the new one.
    """
    from adjudicator.cli import chance
    from adjudicator.match.renewal import prepare_key

    with playing(folder) as match:
        _renew(match, "key", undo, lambda: prepare_key(match.folder, chance.random(32), match.me))
        seq, root = match.my_next_seq, match.folder.root
    if as_json:
        print_json({"ok": True, "seq": seq, "waits": not undo})
        return
    if undo:
        say("The new key is dropped; you go on with the one you have.")
        return
    say(f"A new key waits in {root / 'private' / 'next-key'}. Your next message, message {seq}, brings it and is the "
        f"last one signed with the old key; from message {seq + 2} on you sign with the new one.")
    say("The old key is kept beside it until you remove it. Whoever has a copy of it can sign for you up to message "
        f"{seq}, so don't wait.")
    say(f"Next: sign message {seq} as usual; then make a new backup (`adjudicator doctor {root}`).")


def new_chain(folder: GameFolder, undo: Undo = False, as_json: Json = False) -> None:
    """Change the chain of numbers that opens dice.

    For one who fears that links of the old chain are known, as after the loss of a
    kit. It comes from the same secret, so it helps nothing against one who has that.
    """
    from adjudicator.match.renewal import prepare_chain

    with playing(folder) as match:
        _renew(match, "chain", undo, lambda: prepare_chain(match.folder, match.verifier, match.me))
        seq = match.my_next_seq
    if as_json:
        print_json({"ok": True, "seq": seq, "waits": not undo})
        return
    if undo:
        say("No new chain; you go on with the one you have.")
        return
    say(f"Your next message, message {seq}, opens a link of the old chain and names a new one, made of the same "
        f"secret; from message {seq + 2} on you open links of the new one.")
    say(f"Next: sign message {seq} as usual. Your backup stays good.")


def _renew(match: Match, name: str, drop: bool, prepare: Callable[[], object]) -> None:
    from adjudicator.match.renewal import RenewalError, may_renew, undo

    match.look_or_halt()
    try:
        may_renew(match.folder, match.verifier, match.me)
        if drop:
            undo(match.folder, name)
        else:
            prepare()
    except RenewalError as error:
        raise Fail(f"error[renew]: {error}", code=WRONG) from None
