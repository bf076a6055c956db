"""Other rules in the course of a game: ``upgrade``, and the options of `sign` and `open` for it (PROTOCOL 7)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, GameFolder, Json, player_side, playing, print_json, read_bytes, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.match.match import Match
    from adjudicator.match.rulesets import RuleSet

MOST_SHOWN = 40
OfferUpgrade = Annotated[
    bool, typer.Option("--offer-upgrade", help="Offer the rules that `upgrade` made ready to the other side.")
]
UpgradeFrom = Annotated[
    int | None,
    typer.Option("--upgrade-from", metavar="SEQ", help="First message of the rules offered; else the earliest."),
]
AcceptUpgrade = Annotated[bool, typer.Option("--accept-upgrade", help="Accept the rules that the other side offers.")]


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(upgrade)


def upgrade(
    folder: GameFolder,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="FILE", help="Corrections laid over the pack, all of them in this file."),
    ] = None,
    no_overlay: Annotated[bool, typer.Option("--no-overlay", help="Play by the pack as it is.")] = False,
    switch: Annotated[
        list[str] | None,
        typer.Option("--switch", metavar="NAME=VALUE", help="A house rule; NAME= alone goes back to the printed rule."),
    ] = None,
    version: Annotated[
        int | None, typer.Option("--rules-version", metavar="N", help="Another version of the rules of the program.")
    ] = None,
    take: Annotated[
        Path | None, typer.Option("--take", metavar="FILE", help="Take in the rules file of the other player.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Drop what was made ready.")] = False,
    as_json: Json = False,
) -> None:
    """Change the rules of a game that is being played.

    Makes other rules ready: corrected data, other house rules, a newer version.
    `sign --offer-upgrade` offers them. Without options it tells the rules.
    """
    wanted = [overlay is not None or no_overlay or bool(switch) or version is not None, take is not None, undo]
    if sum(wanted) > 1 or (overlay is not None and no_overlay):
        raise Fail("error[usage]: these options exclude each other; make ready, --take or --undo, one at a time")
    if take is not None:
        _take(folder, take, as_json)
        return
    with playing(folder) as match:
        if undo:
            _undo(match, as_json)
        elif wanted[0]:
            _prepare(match, version, _switches(switch), _overlay(overlay, no_overlay), as_json)
        else:
            _tell(match, as_json)


def _overlay(overlay: Path | None, no_overlay: bool) -> tuple[str, str] | None:
    from adjudicator.packs.overlay import MAX_BYTES

    if no_overlay:
        return "", ""
    if overlay is None:
        return None
    try:
        return read_bytes(overlay, MAX_BYTES).decode("utf-8"), str(overlay)
    except UnicodeDecodeError:
        raise Fail(f"{overlay}:1:1: error[pack.file]: the file is not UTF-8 text; save it as UTF-8") from None


def _switches(texts: list[str] | None) -> dict[str, str]:
    found = {}
    for text in texts or []:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise Fail(f"error[usage]: --switch {text} is no NAME=VALUE; write it as --switch name=value")
        found[name] = value
    return found


def _prepare(
    match: Match, version: int | None, switches: dict[str, str], overlay: tuple[str, str] | None, as_json: bool
) -> None:
    from adjudicator.match.games import UnknownVersion
    from adjudicator.match.overlays import OverlayError
    from adjudicator.match.rulesets import RulesError
    from adjudicator.match.upgrading import differences, latest, prepare

    _must_play(match)
    before = latest(match)
    try:
        made = prepare(match, version, switches, overlay)
    except OverlayError as error:
        raise Fail(*error.lines, code=WRONG) from None
    except (RulesError, UnknownVersion) as error:
        raise Fail(f"error[upgrade]: {error}", code=WRONG) from None
    found = differences(before, made)
    if as_json:
        print_json({"ok": True, "rules": made.hash, "file": str(match.folder.rules(made.hash)), "changes": found})
        return
    say(f"Made ready: {made.words}.")
    for line in listed(found):
        say(line)
    say("Next: offer them with your next message: `sign` or `open` with --offer-upgrade. They hold from message "
        f"{match.my_next_seq + 2} on at the earliest, if the other side accepts.")


def _must_play(match: Match) -> None:
    from adjudicator.match.endings import end_of

    match.look_or_halt()
    if not match.me:
        raise Fail(f"error[upgrade]: {match.folder.root} belongs to no player; nobody signs for it", code=WRONG)
    over = end_of(match.verifier)
    if over is not None:
        raise Fail(f"error[upgrade]: the game is over: {over.text}; nothing new may follow", code=WRONG)


def _take(root: Path, path: Path, as_json: bool) -> None:
    from adjudicator.match.files import lock
    from adjudicator.match.folder import Folder
    from adjudicator.match.overlays import OverlayError
    from adjudicator.match.rulesets import MAX_FILE, RulesError
    from adjudicator.match.upgrading import take

    Folder(root).require()
    with lock(Folder(root).private):
        try:
            found, kept = take(Folder(root), read_bytes(path, MAX_FILE), str(path))
        except OverlayError as error:
            raise Fail(*error.lines, code=WRONG) from None
        except RulesError as error:
            raise Fail(f"error[upgrade]: {error}", code=WRONG) from None
        changed, told = _seen_with(root, found)
    if as_json:
        print_json({"ok": True, "rules": found.hash, "file": str(kept), "changes": changed})
        return
    say(f"Taken in as {kept}: {found.words}.")
    for line in [*listed(changed), *told]:
        say(line)


def _seen_with(root: Path, found: RuleSet) -> tuple[list[str], list[str]]:
    """What rules just taken in change, and what is to be known of rules in this game; nothing where others are still
    missing, so that it can't be opened."""
    from adjudicator.match.folder import FolderError
    from adjudicator.match.match import Match
    from adjudicator.match.upgrading import differences, latest

    try:
        match = Match.load(root)
        return differences(latest(match), found), told_of_rules(match)
    except FolderError:
        return [], []


def _undo(match: Match, as_json: bool) -> None:
    if not match.folder.next_rules.is_file():
        raise Fail("error[upgrade]: no other rules are made ready; there is nothing to drop", code=WRONG)
    match.folder.next_rules.unlink()
    if as_json:
        print_json({"ok": True})
        return
    say("Dropped: the rules that were made ready are not offered. What stands in a signed message can't be taken back.")


def _tell(match: Match, as_json: bool) -> None:
    from adjudicator.match.games import versions
    from adjudicator.match.upgrading import offer_of, ready

    match.look_or_halt()
    history, waits = match.verifier.history, ready(match)
    sets = [(0, str(match.verifier.genesis.body["rules"])), *history.upgrades]
    system = match.shelf.first.system
    plays = versions(system)
    if as_json:
        offer = offer_of(match)
        print_json({
            "ok": True,
            "rules": [_set_tree(match, start, rules) for start, rules in sets],
            "ready": waits.hash if waits is not None else None,
            "offered": {"rules": offer.rules, "from": offer.start, "side": offer.side} if offer is not None else None,
            "versions": plays,
        })
        return
    for start, rules in sets:
        lack = match.shelf.lacks(rules)
        since = f"From message {start} on" if start else "From the beginning"
        say(f"{since}: {lack or match.shelf.find(rules).words}.")
        for line in listed(_step(match, start)) if start else ():
            say(line)
    say(f"This program plays {system} version {', '.join(map(str, plays))}.")
    for line in told_of_rules(match):
        say(line)
    if waits is not None:
        say(f"Made ready, not offered or not accepted yet: {waits.words}.")


def _step(match: Match, start: int) -> Sequence[str]:
    from adjudicator.match.upgrading import changes_at

    return changes_at(match, start)


def _set_tree(match: Match, start: int, rules: str) -> dict[str, Any]:
    lack = match.shelf.lacks(rules)
    tree: dict[str, Any] = {"from": start, "rules": rules, "missing": lack or None}
    if not lack:
        found: RuleSet = match.shelf.find(rules)
        tree |= {"version": found.version, "switches": dict(found.switches), "pack": found.digest}
    return tree


def listed(lines: Sequence[str]) -> list[str]:
    """What changes, a line each, cut where it is long."""
    more = [f"  and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else []
    return [*(f"  {line}" for line in lines[:MOST_SHOWN]), *more]


# --- with a message ---------------------------------------------------------------------------------------------


def wanted_upgrade(match: Match, offer: bool, start: int | None, accept: bool) -> tuple[str, int] | None:
    """The pair of rules and message that the options ask for. Raises Fail where the next message may not carry it."""
    from adjudicator.match.endings import end_of
    from adjudicator.match.rulesets import RulesError
    from adjudicator.match.upgrading import accepting, offering

    if offer and accept:
        raise Fail("error[usage]: --offer-upgrade and --accept-upgrade exclude each other; choose one")
    if start is not None and not offer:
        raise Fail("error[usage]: --upgrade-from goes with --offer-upgrade; add it, or leave --upgrade-from out")
    if not offer and not accept:
        return None
    match.look_or_halt()
    over = end_of(match.verifier)
    if over is not None:
        raise Fail(f"error[E_END]: the game is over: {over.text}; nothing new may follow", code=WRONG)
    try:
        return offering(match, start) if offer else accepting(match)
    except RulesError as error:
        raise Fail(f"error[E_RULES]: {error}", code=WRONG) from None


def read_back_upgrade(match: Match, pair: tuple[str, int], accept: bool) -> None:
    """Say in words what an offer or acceptance comes to."""
    from adjudicator.match.upgrading import changes

    rules, start = pair
    other = player_side(next(player.side for player in match.verifier.players if player.side != match.me))
    verb = "You accept other rules" if accept else "You offer other rules"
    say(f"{verb}, from message {start} on ({match.shelf.find(rules).words}):")
    for line in listed(changes(match, match.verifier.history.rules(start - 1), rules)):
        say(line)
    if accept:
        say(f"That is agreed with this message and can't be taken back: messages {start} and later are resolved by "
            "these rules, those before as ever. What is underway then goes on by them where they would have told its "
            "beginning the same, and is finished by the old ones where not.")
    else:
        say(f"{other} may accept them in the very next message; any other message declines them, and nothing changes.")


def told_of_rules(match: Match) -> list[str]:
    """What both should know of other rules: offered, accepted, coming, lapsed."""
    from adjudicator.match.upgrading import agreed_in, changes, coming, lapsed, offer_of

    history, found = match.verifier.history, []
    for start, rules in coming(match):
        agreed = agreed_in(match, start, rules)
        found.append(f"From message {start} on other rules hold, agreed in message {agreed} ({rules[:12]}):")
        found += listed(changes(match, history.rules(start - 1), rules))
    offer, gone = offer_of(match), lapsed(match)
    if offer is not None and offer.side == match.me:
        found.append(f"You offered other rules from message {offer.start} on in message {offer.seq}; the next message "
                     "accepts them or declines them.")
    elif offer is not None:
        found += _offered(match, offer.side, offer.start, offer.seq, offer.rules)
    elif gone is not None:
        found.append(f"The rules offered in message {gone.seq} were not accepted in message {gone.seq + 1}: the offer "
                     "has lapsed.")
    return found


def _offered(match: Match, side: str, start: int, seq: int, rules: str) -> list[str]:
    from adjudicator.match.upgrading import changes

    lack = match.shelf.lacks(rules)
    head = f"{player_side(side)} offers other rules from message {start} on in message {seq} ({rules[:12]})"
    how = f"To accept them say --accept-upgrade with message {seq + 1}; any other message declines them."
    if lack:
        return [f"{head}. What they are can't be told yet: {lack}. {how}"]
    return [f"{head}:", *listed(changes(match, match.verifier.history.rules(start - 1), rules)), how]


def status_tree(match: Match) -> dict[str, Any]:
    """The rules of the next message, and what is offered or agreed, for `status --json`."""
    from adjudicator.match.upgrading import coming, offer_of

    offer = offer_of(match)
    return {
        "rules": match.verifier.history.rules(match.verifier.next_seq),
        "rules_offered": {"rules": offer.rules, "from": offer.start, "side": offer.side} if offer else None,
        "rules_coming": [{"rules": rules, "from": start} for start, rules in coming(match)],
    }
