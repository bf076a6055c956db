"""Looking at a game: ``status`` and ``report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from adjudicator.cli.common import (
    GameFolder,
    Json,
    player_side,
    playing,
    print_json,
    say,
    viewer_of,
    write_result,
)
from adjudicator.cli.endings import told_of_ends, told_of_renewal
from adjudicator.cli.upgrade import status_tree, told_of_rules
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.due import Due
    from adjudicator.match.folder import Folder
    from adjudicator.match.match import Match


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(status)
    app.command()(report)


def status(folder: GameFolder, as_json: Json = False) -> None:
    """Where the game stands.

    Phase, who owes what since which message, and what to keep in mind.
    """
    from adjudicator.match.folder import Folder

    if Folder(folder).read_about() and not Folder(folder).begun():
        _offered(Folder(folder), as_json)
        return
    with playing(folder) as match:
        tree = _status_tree(match)
        if as_json:
            print_json(tree)
        else:
            _show_status(match, tree)


def _offered(folder: Folder, as_json: bool) -> None:
    about = folder.read_about()
    text = f"your offer waits for the other player's genesis; take it in with `adjudicator receive {folder.root} FILE`"
    if as_json:
        print_json({"ok": True, "title": about.get("title"), "side": about.get("side"), "due": {"text": text}})
        return
    say(f"{about.get('title')} ({about.get('system')}, scenario {about.get('scenario')}): {text}.")


def _status_tree(match: Match) -> dict[str, Any]:
    from adjudicator.match.due import due
    from adjudicator.match.endings import draw_offered, end_of
    from adjudicator.match.refused import refused
    from adjudicator.match.renewal import renewed, waiting

    body, owed = match.verifier.genesis.body, due(match)
    over, offered = end_of(match.verifier), draw_offered(match.verifier)
    names = {player.side: player.name for player in match.verifier.players}
    return {
        "ok": True,
        **{name: body[name] for name in ("title", "system", "scenario")},
        "game": match.verifier.game_id,
        "side": match.me,
        "players": names,
        "head": match.verifier.head,
        "due": _due_tree(owed),
        "over": {"how": over.how, "seq": over.seq, "side": over.side, "text": over.text} if over else None,
        "closed": match.verifier.closed,
        "renewal": waiting(match.folder),
        "renewed": [one._asdict() for one in renewed(match.verifier.history)],
        "draw_offered": {"seq": offered[0], "side": offered[1]} if offered else None,
        **status_tree(match),
        "situation": _situation(match),
        "waiting": [message.text("seq") for message in match.verifier.waiting],
        "forks": [message.text("seq") for message in match.verifier.forks],
        "refused": [
            {"seq": one.verdict.seq, "verdict": one.verdict.code, "text": one.text, "mend": one.mend}
            for one in refused(match)
        ],
    }


def _due_tree(owed: Due) -> dict[str, Any]:
    tree = {"kind": owed.kind, "seq": owed.seq, "side": owed.side, "since": owed.since, "text": owed.text}
    return {**tree, "key": owed.key} if owed.key else tree


def _situation(match: Match) -> list[str]:
    from adjudicator.match.due import position_of
    from adjudicator.match.facedown import as_seen, faces_of
    from adjudicator.match.secretplans import own_plans

    position = position_of(match)
    if position is None:
        return []
    state = as_seen(match.table, match.table.restore(position), match.me, faces_of(match))
    return [*match.table.situation(state, match.me), *own_plans(match, state)]


def _show_status(match: Match, tree: dict[str, Any]) -> None:
    names, me = tree["players"], tree["side"]
    say(f"{tree['title']} ({tree['system']}, scenario {tree['scenario']}), game {tree['game'][:12]}")
    who = " against ".join(f"{player_side(side)} ({name})" for side, name in names.items())
    say(f"{who}; you are {player_side(me)}." if me else f"{who}; this folder is nobody's: it can look, not sign.")
    if match.verifier.genesis.body["dice"] == "local":
        from adjudicator.match.terms import LOCAL

        say(LOCAL)
    say(f"The log has {counted(match.verifier.head + 1, 'message')}, the newest is message {match.verifier.head}.")
    for line in tree["situation"]:
        say(line)
    for seq in tree["waiting"]:
        say(f"Message {seq} is here already, but one before it is missing: ask for it.")
    for seq in tree["forks"]:
        say(f"There are two different signed messages {seq}: both are kept as proof.")
    for row in tree["refused"]:
        say(f"{row['text'][:1].upper()}{row['text'][1:]}.")
    if match.trouble():
        say(f"You can look, but not sign: {match.trouble()}.")
    for name in tree["renewal"]:
        say(f"Your next message brings your new {name}.")
    for line in [*told_of_renewal(match), *told_of_rules(match), *told_of_ends(match)]:
        say(line)
    say(next_step(match))


def next_step(match: Match) -> str:
    """What is owed, by whom, since when, and the command for it."""
    from adjudicator.match.due import due
    from adjudicator.match.refused import refused

    owed, root = due(match), match.folder.root
    if owed.kind in ("closed", "halt", "unbuilt"):
        return f"Next: {owed.text}."
    since = f"since message {owed.since}" if owed.since else "since genesis"
    for one in refused(match):
        return f"Next: message {owed.seq} of {player_side(one.side)} is here, but refused: {one.mend}."
    if owed.side != match.me:
        return (
            f"Next: {player_side(owed.side)} owes message {owed.seq} {since}: {owed.text}. Take it in with `receive`."
        )
    commands = {
        "orders": f"`adjudicator template {root} -o orders.yaml`, fill it in, `check` and `sign` it",
        "answer": f"`adjudicator template {root} -o answer.yaml`, fill it in, `check` and `sign` it",
    }
    command = commands.get(owed.kind, f"`adjudicator open {root}`")
    return f"Next: you owe message {owed.seq} {since}: {owed.text} ({command})."


def report(
    folder: GameFolder,
    seq: Annotated[int | None, typer.Argument(metavar="SEQ", help="Message; else the newest resolved.")] = None,
    viewer: Annotated[str, typer.Option("--for", metavar="SIDE", help="As this side, or the public, may see it.")] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it there; .md gives Markdown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The story of a message.

    What its orders led to, with every die, its label, modifiers and rules.
    """
    with playing(folder) as match:
        match.look_or_halt()
        number = match.verifier.resolved if seq is None else seq
        side = viewer_of(match, viewer)
        text = told(match, number, side, "markdown" if _is_markdown(output) else "text")
    if output is not None:
        write_result(output, text.encode())
    if as_json:
        print_json({"ok": True, "seq": number, "for": side, "text": text, "file": str(output) if output else None})
    elif output is not None:
        say(f"Report of message {number} for {player_side(side)}: {output}")
    else:
        say(text.rstrip("\n"))


def _is_markdown(output: Path | None) -> bool:
    return output is not None and output.suffix.lower() in (".md", ".markdown")


def told(match: Match, seq: int, viewer: str, form: Literal["text", "markdown"]) -> str:
    """The narrative of a message."""
    from adjudicator.report import narrative

    return narrative(match, seq, viewer, form)
