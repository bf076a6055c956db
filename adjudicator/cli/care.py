"""Care of a game folder: ``doctor``, ``dispute``, ``head``, ``import`` (PROTOCOL 8)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import (
    WRONG,
    Fail,
    GameFolder,
    Json,
    ask_for_pass_phrases,
    leave,
    player_side,
    playing,
    print_json,
    read_bytes,
    say,
    write_result,
)
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.match.doctor import Finding

MAX_LOG = 256 * 1024 * 1024


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(doctor)
    app.command()(dispute)
    app.command()(head)
    app.command("import")(bring_in)
    app.command()(recover)


def doctor(
    folder: GameFolder,
    words: Annotated[
        bool, typer.Option("--words", help="Print your secrets as words to write down. Let nobody see them.")
    ] = False,
    backed_up: Annotated[bool, typer.Option("--backed-up", help="Note that you have a copy of the secrets.")] = False,
    as_json: Json = False,
) -> None:
    """Look a game folder over.

    Whole, in step with the other side, backed up, private; and what to do.
    """
    from adjudicator.match.doctor import State, examine
    from adjudicator.match.files import lock
    from adjudicator.match.folder import Folder
    from adjudicator.match.keepsake import mark_backed_up

    Folder(folder).require()
    if words:
        _print_words(folder, as_json)
        return
    with lock(Folder(folder).private):
        if backed_up:
            mark_backed_up(Folder(folder))
        findings = examine(folder)
    bad = any(finding.state is State.BAD for finding in findings)
    if as_json:
        rows = [
            {"name": one.name, "state": one.state.value, "text": one.text, "mend": one.mend} for one in findings
        ]
        print_json({"ok": not bad, "findings": rows})
    else:
        for finding in findings:
            say(_line(finding))
        say("Something is wrong; see above." if bad else "Nothing is wrong.")
    leave(WRONG if bad else 0)


def _line(finding: Finding) -> str:
    mend = f"; {finding.mend}" if finding.mend else ""
    return f"{finding.state.value:4} {finding.name}: {finding.text}{mend}"


def _print_words(folder: Path, as_json: bool) -> None:
    from adjudicator.match.keepsake import keepsake

    with playing(folder) as match:
        found = keepsake(match)
        title, side = match.verifier.genesis.body["title"], match.me
        sealed = match.folder.books.is_file()
    if as_json:
        print_json({"ok": True, "words": {kind: " ".join(lines) for kind, lines in found.items()}})
        return
    say(f"Write this down and keep it where nobody looks. With it and the other side's log, {title} can be brought "
        f"back for {player_side(side)} (`import`). Who has it can foresee dice and sign for you.")
    for kind, lines in found.items():
        say()
        say(f"{kind}:")
        for line in lines:
            say(f"  {line}")
    if sealed:
        say()
        say("These words don't give back what you sealed. Keep the files *.sealed of the outbox in your mail, or a "
            "copy of private/books.json: without one of them the game can't go on.")
    if len(found) == 1:
        say()
        say("Your signing key lies outside the game folder: keep a copy of its file, too.")


def dispute(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The game folder.", show_default=False)
    ] = None,
    seq: Annotated[
        int | None, typer.Argument(metavar="SEQ", help="Message whose result is disputed; else the newest resolved.")
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--compare", metavar="FILE FILE", help="Name the first difference of two such files."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where it goes; else into the outbox.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what this program makes of a message.

    For two programs that came to different results (E_STATE): both players make
    this file and exchange it; --compare names the first difference.
    """
    from adjudicator.match.dispute import DisputeError, bundle, write_bundle

    if compare is not None:
        _compare(*compare, as_json)
        return
    if folder is None:
        raise Fail("error[usage]: there is nothing to look at; name a game folder, or two files with --compare")
    with playing(folder) as match:
        match.look_or_halt()
        try:
            tree = bundle(match, seq)
        except DisputeError as error:
            raise Fail(f"error[dispute]: {error}", code=WRONG) from None
        side = match.me or "nobody"
        path = output or match.folder.outbox / f"{match.slug}-dispute-{int(tree['seq']):04d}-{side}.json"
    write_result(path, write_bundle(tree))
    if as_json:
        print_json({"ok": True, "file": str(path), "seq": int(tree["seq"]), "digest": tree["digest"]})
        return
    say(f"Message {tree['seq']} as this program resolves it: {counted(len(tree['rolls']), 'roll')}, "
        f"{counted(len(tree['events']), 'event')}, state {tree['digest'][:12]}. It holds nothing secret.")
    say(f"Mail this file: {path}")
    say(f"With the other side's file: `adjudicator dispute --compare {path} FILE`.")


def _compare(one: Path, two: Path, as_json: bool) -> None:
    from adjudicator.match.dispute import MAX_BYTES, DisputeError, first_difference, read_bundle

    try:
        trees = [read_bundle(read_bytes(path, MAX_BYTES), str(path)) for path in (one, two)]
    except DisputeError as error:
        raise Fail(f"error[dispute]: {error}", code=WRONG) from None
    found = first_difference(*trees)
    if as_json:
        names = ("where", "first", "second", "meaning")
        print_json({"ok": found is None, "difference": dict(zip(names, found, strict=True)) if found else None})
    elif found is None:
        say(f"Both make the same of message {trees[0]['seq']}: {trees[0]['digest'][:12]}.")
    else:
        where, first, second, meaning = found
        say(f"First difference: {where}")
        say(f"  {one}: {first}")
        say(f"  {two}: {second}")
        say(f"That means: {meaning}.")
    leave(0 if found is None else WRONG)


def head(folder: GameFolder, as_json: Json = False) -> None:
    """Sign which message is your newest one.

    For a player who lost his log: he needs this statement and your log.jsonl.
    """
    from adjudicator.match.importing import statement_file

    with playing(folder) as match:
        if not match.me:
            raise Fail(f"error[folder]: {folder} belongs to no player; nobody can sign for it")
        path, newest = statement_file(match), match.verifier.head
    files = [path, folder / "log.jsonl"]
    if as_json:
        print_json({"ok": True, "seq": newest, "files": [str(file) for file in files]})
        return
    say(f"You state that message {newest} is the newest you have.")
    say(f"Mail both files: {files[0]} and {files[1]}")


def bring_in(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The game folder to make or to mend.")],
    log: Annotated[Path, typer.Argument(metavar="LOG", help="The other side's log.jsonl.")],
    statement: Annotated[
        Path, typer.Option("--head", metavar="FILE", help="The other side's head statement, as `head` writes it.")
    ],
    words: Annotated[
        Path | None,
        typer.Option("--words", metavar="FILE", help="Your secrets as words; - reads them from the input."),
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Your signing key.")] = None,
    sealed: Annotated[
        list[Path] | None,
        typer.Option("--sealed", metavar="FILE", help="What holds contents of your sealed books, as for `recover`."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring a lost game back.

    With the other side's log and head statement, and your own secrets from the
    folder, or from the words that `doctor --words` printed. Your next message
    says that the log was restored.
    """
    from adjudicator.match.importing import Head, ImportFault, bring_back

    ask_for_pass_phrases()
    try:
        given = Head.read(read_bytes(statement), str(statement))
        match = bring_back(folder, read_bytes(log, MAX_LOG), given, _words(words), key)
    except ImportFault as error:
        raise Fail(f"error[import]: {error}", code=WRONG) from None
    from adjudicator.match.recovery import missing_books, missing_text
    from adjudicator.match.recovery import recover as bring_contents

    if sealed:
        bring_contents(match, [(str(path), read_bytes(path, MAX_LOG)) for path in sealed])
    missing = missing_books(match)
    if as_json:
        lost = list(dict.fromkeys(one.seq for one in missing))
        print_json({"ok": True, "side": match.me, "head": match.verifier.head, "sealed_missing": lost})
        return
    from adjudicator.cli.look import next_step

    say(f"Brought back: {player_side(match.me)}, messages 0 to {match.verifier.head}, all proved anew.")
    say(f"Look through your sent mail before you sign: if you find a message of yours after {match.verifier.head}, "
        "take it in with `receive`. A second one for the same number would be a fork.")
    if missing:
        say(f"Before you go on: {missing_text(missing)} (`recover {folder} FILE`).")
    say(next_step(match))


def recover(
    folder: GameFolder,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="A copy of private/books.json, a file *.sealed, a turn file you wrote."),
    ],
    as_json: Json = False,
) -> None:
    """Bring back what you sealed.

    The secret does not hold what you wrote into sealed standing orders. It is
    taken from a copy of private/books.json, from the sealed copies in your sent
    mail, or from the turn files themselves; each is held against what the log
    says you sealed. Exit code 1 if something is still missing.
    """
    from adjudicator.match.recovery import missing_books, missing_text
    from adjudicator.match.recovery import recover as bring_contents

    with playing(folder) as match:
        result = bring_contents(match, [(str(path), read_bytes(path, MAX_LOG)) for path in files])
        missing = missing_books(match)
    if as_json:
        rows = {"found": result.found, "missing": result.missing, "idle": result.idle}
        print_json({"ok": not missing, **rows})
        leave(WRONG if missing else 0)
    for name in result.idle:
        say(f"{name}: nothing in it was sealed by you in this game")
    if result.found:
        say(f"Brought back: what you sealed in message {', '.join(map(str, result.found))}.")
    if missing:
        raise Fail(f"error[sealed]: {missing_text(missing)}", code=WRONG)
    say("Nothing that you sealed is missing.")


def _words(path: Path | None) -> Mapping[str, bytes]:
    from adjudicator.match.keepsake import read_keepsake
    from adjudicator.protocol.words import WordsError

    if path is None:
        return {}
    try:
        return read_keepsake(read_bytes(path).decode("utf-8", "replace"))
    except WordsError as error:
        raise Fail(f"{path}: error[words]: {error}; compare them with the paper", code=WRONG) from None
