"""Mail: ``receive``, ``open``, ``resend``, and what `sign` and `open` say once a message is sealed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    in_lines,
    must_be_mine,
    player_side,
    playing,
    print_json,
    quoted,
    read_bytes,
    say,
    write_reports,
)
from adjudicator.cli.endings import (
    AcceptDraw,
    AllowLost,
    Claim,
    OfferDraw,
    Resign,
    asked_for,
    consent,
    tell,
    told_of_ends,
    told_of_renewal,
)
from adjudicator.cli.upgrade import (
    AcceptUpgrade,
    OfferUpgrade,
    UpgradeFrom,
    read_back_upgrade,
    told_of_rules,
    wanted_upgrade,
)
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.asked import Asked
    from adjudicator.match.folder import Folder
    from adjudicator.match.match import Match, Received
    from adjudicator.match.preview import CheckResult
    from adjudicator.protocol.message import Message
    from adjudicator.protocol.verdicts import Verdict

ENDS_NOW = ("resign", "accept-draw", "claim")
"""After these nothing is decided any more, so nothing falls to a default."""


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(receive)
    app.command("open")(open_bare)
    app.command()(resend)


def receive(
    folder: GameFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file or mail; - reads it from the input.")],
    as_json: Json = False,
) -> None:
    """Take in the other player's file.

    A saved mail or text copied out of one does as well. Verifies it, opens dice,
    adjudicates and writes the reports.
    """
    from adjudicator.match.folder import Folder

    data = read_bytes(file)
    message = _message(file, data)
    Folder(folder).require()
    if message.body.get("type") == "genesis":
        _receive_genesis(folder, file, data, message, as_json)
        return
    with playing(folder) as match:
        received = match.receive(message)
        if received.verdict.ok:
            reports = write_reports(match, [resolved.n for resolved in received.opened])
            _show_received(match, received, reports, as_json)
            return
        _refused(_kept(match.folder, file, data, received.verdict), received.verdict, as_json)


def _message(file: Path, data: bytes) -> Message:
    from adjudicator.match.incoming import IncomingError, message_in

    try:
        return message_in(data, str(file))
    except IncomingError as error:
        raise Fail(*error.lines, code=WRONG) from None


def _receive_genesis(folder: Path, file: Path, data: bytes, message: Message, as_json: bool) -> None:
    from adjudicator.cli.look import next_step
    from adjudicator.match.files import lock
    from adjudicator.match.folder import Folder
    from adjudicator.match.offers import receive_genesis
    from adjudicator.protocol.verdicts import ProtocolError

    with lock(Folder(folder).private):
        try:
            match = receive_genesis(folder, message)
        except ProtocolError as error:
            _refused(_kept(Folder(folder), file, data, error.verdict), error.verdict, as_json)
            return
        names = " against ".join(f"{player.name} ({player.side})" for player in match.verifier.players)
        if as_json:
            print_json({"ok": True, "verdict": "OK", "seq": 0, "game": match.verifier.game_id})
            return
        say(f"Genesis accepted: {names}; game {match.verifier.game_id[:12]}. It is your offer, completed and signed.")
        say(next_step(match))


def _kept(folder: Folder, file: Path, data: bytes, verdict: Verdict) -> Path | None:
    """What may prove something, or may be needed later, is kept; the same message again is not."""
    from adjudicator.protocol.verdicts import Kind

    return None if verdict.kind is Kind.IGNORE else folder.keep(file.name, data)


def _refused(kept: Path | None, verdict: Verdict, as_json: bool) -> None:
    """Say what became of a message that is not part of the game: 0 for one that is there already or waits."""
    from adjudicator.protocol.verdicts import Kind

    harmless = verdict.kind in (Kind.IGNORE, Kind.WAIT)
    if as_json:
        print_json(
            {
                "ok": harmless,
                "verdict": verdict.code,
                "seq": verdict.seq,
                "text": verdict.text,
                "mend": verdict.way_out,
                "kept": str(kept) if kept else None,
            }
        )
        raise typer.Exit(0 if harmless else WRONG)
    line = verdict.show() + (f"; the file is kept as {kept}" if kept else "")
    if harmless:
        say(line)
        return
    raise Fail(line, code=WRONG)


def _show_received(match: Match, received: Received, reports: list[Path], as_json: bool) -> None:
    from adjudicator.cli.look import next_step

    seq, side = received.verdict.seq, str(match.verifier.body(int(received.verdict.seq or 0))["side"])
    if as_json:
        print_json(
            {
                "ok": True,
                "verdict": "OK",
                "seq": seq,
                "side": side,
                "opened": [_opened_tree(r) for r in received.opened],
                "reports": [str(path) for path in reports],
                "next": next_step(match),
            }
        )
        return
    say(f"Message {seq} of {player_side(side)} accepted: signature, link, chain and state hold.")
    for line in told_of_renewal(match, int(seq or 0)):
        say(line)
    note = match.verifier.body(int(seq or 0)).get("note")
    if note:
        say(f"Note of {player_side(side)}: {quoted(str(note))}")
    for resolved in received.opened:
        if resolved.resolution.events:
            say(_opened_line(match, resolved))
    if reports:
        say(f"Reports: {', '.join(str(path) for path in reports)}")
    for line in [*told_of_rules(match), *told_of_ends(match)]:
        say(line)
    say(next_step(match))


def _opened_tree(resolved: Any) -> dict[str, Any]:
    events = resolved.resolution.events
    dice = {str(event["label"]): _thrown(event) for event in events if event.get("label")}
    return {"seq": resolved.n, "events": len(events), "dice": dice, "digest": resolved.digest}


def _thrown(event: Mapping[str, Any]) -> str:
    """The dice of a roll, as ``6`` or ``6 and 2``."""
    several = event.get("dice")
    return " and ".join(map(str, several)) if isinstance(several, list) else str(event.get("die", ""))


def _opened_line(match: Match, resolved: Any) -> str:
    tree = _opened_tree(resolved)
    opener = str(match.verifier.body(resolved.n + 1)["side"]) if resolved.n < match.verifier.head else match.me
    dice, rolls = tree["dice"], len(tree["dice"])
    text = f"Opened by {player_side(opener)}: the dice of message {resolved.n}"
    if not rolls:
        return f"{text}; nothing was rolled."
    shown = ", ".join(f"{label} {die}" for label, die in list(dice.items())[:6])
    more = f" and {rolls - 6} more" if rolls > 6 else ""
    return f"{text}; {counted(rolls, 'roll')}: {shown}{more}."


def open_bare(
    folder: GameFolder,
    yes: Yes = False,
    note: Note = "",
    armor: Armor = False,
    resign: Resign = False,
    offer_draw: OfferDraw = False,
    accept_draw: AcceptDraw = False,
    allow_lost: AllowLost = False,
    claim: Claim = False,
    offer_upgrade: OfferUpgrade = False,
    upgrade_from: UpgradeFrom = None,
    accept_upgrade: AcceptUpgrade = False,
    as_json: Json = False,
) -> None:
    """Sign a message without orders.

    A bare message opens the other player's dice and orders nothing. When the game
    is over it makes the final openings.
    """
    from adjudicator.match.blank import by_default
    from adjudicator.match.draft import Draft
    from adjudicator.match.due import due

    with playing(folder) as match:
        must_be_mine(match)
        asked, owed = asked_for(match, resign, offer_draw, accept_draw, allow_lost, claim), due(match)
        asked = asked._replace(upgrade=wanted_upgrade(match, offer_upgrade, upgrade_from, accept_upgrade))
        if not as_json:
            tell(match, asked)
            if asked.upgrade is not None:
                read_back_upgrade(match, asked.upgrade, accept_upgrade)
        consent(match, asked, yes)
        if owed.kind in ("orders", "answer") and not yes and asked.end not in ENDS_NOW:
            say(f"You are asked for {owed.text}. A bare message decides nothing: what is open falls to its default.")
            if not ask("Sign it all the same?"):
                raise Fail("error[stopped]: not signed; `template` makes a turn file", code=WRONG)
        draft = Draft() if asked.end else by_default(match)
        for order in () if as_json else draft.orders:
            say(f"With {order.type} {order.text('card')}: to decline it, strike it out of the file of `template`.")
        sealed(match, match.check(draft), note, armor, as_json, asked)


def sealed(match: Match, result: CheckResult, note: str, armor: bool, as_json: bool, asked: Asked) -> None:
    """Sign what was checked, and say which file to mail and what happens next."""
    from adjudicator.cli import chance

    message = match.sign(result, note or None, chance.random, asked)
    seq = match.verifier.head
    reports = write_reports(match, [seq - 1])
    files = _mailable(match, seq, armor)
    if as_json:
        print_json(
            {
                "ok": True,
                "seq": seq,
                "id": message.id,
                "files": [str(path) for path in files],
                "reports": [str(path) for path in reports],
            }
        )
        return
    say(f"Signed: message {seq} ({message.id[:12]}). It opens the dice of message {seq - 1} for both.")
    say(f"Mail this file: {_to_mail(match, seq, files)}")
    for line in [*told_of_rules(match), *told_of_ends(match)]:
        say(line)
    say(_after_signing(match, seq))


def _after_signing(match: Match, seq: int) -> str:
    from adjudicator.cli.look import next_step
    from adjudicator.match.endings import end_of

    if end_of(match.verifier) is not None:
        return next_step(match)
    other = _beside(match)
    if other is not None:
        return f"Next: take it in on the other side with `adjudicator receive {other} {match.outfile(seq)}`."
    return (
        f"Next: {player_side(match.verifier.next_side)} opens the dice of message {seq}; take the answer in with "
        f"`adjudicator receive {match.folder.root} FILE`."
    )


def _beside(match: Match) -> Path | None:
    """The other side's folder in a hot-seat game, where nothing is mailed; None in every other game."""
    root, side = match.folder.root, match.verifier.next_side
    if match.verifier.genesis.body["dice"] != "local" or root.name != match.me:
        return None
    other = root.with_name(side)
    return other if (other / "game.yaml").is_file() else None


def resend(
    folder: GameFolder,
    seq: Annotated[int | None, typer.Argument(metavar="SEQ", help="Own message; else the newest.")] = None,
    armor: Armor = False,
    as_json: Json = False,
) -> None:
    """Write an own message's file again.

    Always the same bytes, whatever happened since.
    """
    from adjudicator.match.folder import Folder

    offered = Folder(folder).offer.is_file()
    if Folder(folder).read_about() and not seq and offered and not Folder(folder).begun():
        _resend_offer(folder, armor, as_json)
        return
    with playing(folder) as match:
        if offered and seq == 0:
            _resend_offer(folder, armor, as_json)
            return
        number = _own_seq(match, seq)
        match.resend(number)
        files = _mailable(match, number, armor)
    if as_json:
        print_json({"ok": True, "seq": number, "files": [str(path) for path in files]})
        return
    what = f"message {number}" if number else "genesis"
    say(f"Mail this file: {_to_mail(match, number, files)} ({what}, the same bytes as before)")


def _resend_offer(folder: Path, armor: bool, as_json: bool) -> None:
    """The offer once more, with the file of the overlay that goes with it."""
    from adjudicator.match.folder import Folder
    from adjudicator.match.offers import resend_offer

    offer = resend_offer(folder)
    files = [offer, in_lines(offer)] if armor else [offer]
    overlay = [offer.with_name("overlay.yaml")] if Folder(folder).overlay.is_file() else []
    if as_json:
        print_json({"ok": True, "seq": None, "files": [str(path) for path in files + overlay]})
        return
    also = "".join(f" and {path}" for path in overlay)
    say(f"Mail this file: {' or '.join(map(str, files))}{also} (your offer, the same bytes as before)")


def _mailable(match: Match, seq: int, armor: bool) -> list[Path]:
    path = match.outfile(seq)
    return [path, in_lines(path)] if armor else [path]


def _to_mail(match: Match, seq: int, files: list[Path]) -> str:
    """The files to mail: the message in one form or another, and beside it what rules it offers."""
    beside = match.beside(seq)
    also = f" and with it {beside}" if beside is not None else ""
    return " or ".join(str(path) for path in files) + also


def _own_seq(match: Match, seq: int | None) -> int:
    own = match.own_messages()
    if not own:
        again = "your offer is written again by SEQ 0" if match.folder.offer.is_file() else "nothing can be sent again"
        raise Fail(f"error[resend]: you have signed no message of this game yet; {again}", code=WRONG)
    if seq is None:
        return own[-1]
    if seq not in own:
        raise Fail(f"error[resend]: message {seq} is not yours; yours are {', '.join(map(str, own[-8:]))}", code=WRONG)
    return seq
