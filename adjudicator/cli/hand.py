"""The own cards: ``hand``. It looks at a game folder and changes nothing in it."""

from __future__ import annotations

import typer

from adjudicator.cli.common import WRONG, Fail, GameFolder, Json, print_json, say


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(hand)


def hand(folder: GameFolder, as_json: Json = False) -> None:
    """Your own cards, and what each may be played for.

    Of each card whether it may be an event now, and if not, why; its other uses; what lies face up, your discards, the
    numbers of the other side. For your eyes only: nothing here is sent, and nothing is known of the other hand.
    """
    from adjudicator.match.plan import folder_of, own_hand, quietly

    match = quietly(folder_of(folder))
    if match.table.facedown is None:
        raise Fail("error[hand]: this game has no cards in hand; `status` shows where it stands", code=WRONG)
    if not match.me:
        raise Fail(f"error[folder]: {match.folder.root} belongs to no player: only a player has a hand to see")
    notes, reply = own_hand(match)
    if reply.problems:
        raise Fail(*(f"error[{p.rule or p.code}]: {p.text}; {p.hint}" for p in reply.problems), code=WRONG)
    if as_json:
        print_json({"ok": True, "side": match.me, "notes": notes, **reply.tree})
        return
    for line in (*(f"{note}." for note in notes), *reply.lines):
        say(line)
