"""Another key and another chain: ``new-key``, ``new-chain``, and ``lost`` for a chain that is gone (PROTOCOL 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import (
    WRONG,
    Armor,
    Fail,
    GameFolder,
    Json,
    Note,
    Yes,
    ask,
    ask_for_pass_phrases,
    player_side,
    playing,
    print_json,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.match.match import Match

Undo = Annotated[bool, typer.Option("--undo", help="Drop it again, while no message has carried it.")]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command("new-key")(new_key)
    app.command("new-chain")(new_chain)
    app.command()(lost)


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


LOSS = (
    "You say that your secret is lost: you can't open the dice of message {head}. A new secret is made, and message "
    "{seq} names its chain. {other} decides: either he agrees, and gives his orders of message {head} anew, or he "
    "closes the game. It can't be told from a cheat, so it is allowed once per side and counted. What you sealed is no "
    "longer in force. If there is any copy of your secret, on paper or on a disk, use it instead (`import`)."
)


def lost(
    folder: GameFolder,
    yes: Yes = False,
    note: Note = "",
    armor: Armor = False,
    as_json: Json = False,
) -> None:
    """Say that your secret is lost.

    For one who owes the opening of dice and has no copy of it any more. Whether
    the game goes on is for the other side to say.
    """
    from adjudicator.cli import chance
    from adjudicator.cli.common import in_lines
    from adjudicator.match.files import lock
    from adjudicator.match.folder import Folder
    from adjudicator.match.losing import LossError, declare, open_for_loss

    ask_for_pass_phrases()
    Folder(folder).require()
    with lock(Folder(folder).private):
        try:
            match = open_for_loss(folder)
        except LossError as error:
            raise Fail(f"error[lost]: {error}", code=WRONG) from None
        head, seq = match.verifier.head, match.verifier.next_seq
        other = player_side(str(match.verifier.body(head)["side"]))
        if not as_json:
            say(LOSS.format(head=head, seq=seq, other=other))
        if not yes and not ask(f"Sign this as message {seq}? It can't be taken back."):
            raise Fail("error[stopped]: not signed; nothing was changed", code=WRONG)
        message = declare(match, note or None, chance.random)
        path = match.outfile(seq)
        files = [path, in_lines(path)] if armor else [path]
    if as_json:
        print_json({"ok": True, "seq": seq, "id": message.id, "files": [str(file) for file in files]})
        return
    say(f"Signed: message {seq} ({message.id[:12]}). Your new secret is in {folder / 'private'}: back it up now "
        f"(`adjudicator doctor {folder} --words`).")
    say(f"Mail this file: {' or '.join(str(file) for file in files)}")
    say(f"Next: {other} agrees or closes the game; take the answer in with `adjudicator receive {folder} FILE`.")


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
