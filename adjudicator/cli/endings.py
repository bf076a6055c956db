"""Ending a game from `sign` and `open`: what the player asks for, what it means, and his consent (PROTOCOL 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import WRONG, Fail, ask, player_side, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.match.asked import Asked
    from adjudicator.match.match import Match

Resign = Annotated[bool, typer.Option("--resign", help="Give the game up: the other side wins.")]
OfferDraw = Annotated[bool, typer.Option("--offer-draw", help="Offer a draw, which the very next message can accept.")]
AcceptDraw = Annotated[bool, typer.Option("--accept-draw", help="Accept the draw that the other side just offered.")]

AllowLost = Annotated[
    bool, typer.Option("--allow-lost", help="Go on, though the other side's chain is lost: your orders anew.")
]
Claim = Annotated[bool, typer.Option("--claim", help="Close the game, since the other side's chain is lost.")]

CLOSING = (
    "Then two messages close the log, first one of {other}, then one of yours: each opens everything its side kept "
    "hidden. Who refuses them loses by what was agreed at the beginning."
)
MEANS = {
    "resign": "You resign. {other} wins, the game is over at once and orders of this message are void. " + CLOSING,
    "accept-draw": "You accept the draw. The game is over at once and orders of this message are void. " + CLOSING,
    "offer-draw": (
        "You offer a draw. {other} may accept it in the very next message, having seen the dice of this one; any other "
        "message declines it. If it is accepted the game is over, and both sides open everything they kept hidden."
    ),
    "claim": (
        "You close the game, because {other} can't open the dice of your last message. That is the end of the log: "
        "nothing more is opened, and what it means for the score is a matter between you."
    ),
}
LOST = (
    "You agree to go on with the new chain of {other}. Your message {before} counts as never resolved: its dice were "
    "never rolled, and this message gives your orders or answers anew, the same or others. {other} may have seen the "
    "old dice before his chain was lost; nobody can prove it either way. Once per side, and `audit` counts it."
)


def asked_for(
    match: Match, resign: bool, offer_draw: bool, accept_draw: bool, allow_lost: bool = False, claim: bool = False
) -> Asked:
    """What the options ask for. Raises Fail for two of them, and for what may not stand in the next message."""
    from adjudicator.match.asked import Asked
    from adjudicator.match.endings import refusal_of_loss

    loss = refusal_of_loss(match.verifier, allow_lost, claim)
    if loss:
        raise Fail(f"error[lost]: {loss}", code=WRONG)
    asked = _ending(match, {"resign": resign, "offer-draw": offer_draw, "accept-draw": accept_draw, "claim": claim})
    return Asked(asked.end, allow_lost)


def _ending(match: Match, given: Mapping[str, bool]) -> Asked:
    from adjudicator.match.asked import Asked
    from adjudicator.match.endings import refusal_of

    wanted = [name for name, value in given.items() if value]
    if len(wanted) > 1:
        raise Fail(f"error[usage]: {' and '.join(f'--{name}' for name in wanted)} exclude each other; choose one")
    if not wanted:
        return Asked()
    match.look_or_halt()
    refusal = refusal_of(match.verifier, wanted[0])
    if refusal:
        raise Fail(f"error[E_END]: {refusal}", code=WRONG)
    return Asked(end=wanted[0])


def must_have_no_orders(match: Match, orders: int) -> None:
    """Raise Fail for orders in a message that closes a game which is over."""
    from adjudicator.match.endings import end_of

    match.look_or_halt()
    over = end_of(match.verifier)
    if over is not None and orders:
        text = f"the game is over: {over.text}; a closing message has no orders, `open` makes it"
        raise Fail(f"error[E_END]: {text}", code=WRONG)


def _other(match: Match) -> str:
    return next(player.side for player in match.verifier.players if player.side != match.me)


EVERY = -1
NEWS = {
    "key": "This message brings your new key; it is the last one signed with the old key.",
    "chain": "This message names your new chain; it is the last one that opens a link of the old chain.",
}


def tell(match: Match, asked: Asked) -> None:
    """Say in plain words what follows from what is asked, and what else the message brings."""
    from adjudicator.match.renewal import waiting

    for name in waiting(match.folder):
        say(NEWS[name])
    other = player_side(_other(match))
    if asked.allow_lost:
        say(LOST.format(other=other, before=match.verifier.head - 1))
    if asked.end:
        say(MEANS[asked.end].format(other=other))


def consent(match: Match, asked: Asked, yes: bool) -> None:
    """Ask for consent to an end, or to other rules, unless it is given. Raises Fail where the player says no."""
    if yes or not (asked.end or asked.allow_lost or asked.upgrade):
        return
    if not ask(f"Sign this as message {match.verifier.next_seq}? It can't be taken back."):
        raise Fail("error[stopped]: not signed; nothing was changed", code=WRONG)


def told_of_renewal(match: Match, seq: int = EVERY) -> list[str]:
    """What a message, or every one, says of another key or chain of its author."""
    from adjudicator.match.renewal import renewed

    return [f"{one.text}." for one in renewed(match.verifier.history) if seq in (one.seq, EVERY)]


def told_of_ends(match: Match) -> list[str]:
    """What both should know of the end of the game: a draw on offer, final openings owed."""
    from adjudicator.match.endings import draw_offered, lost_chain, owing

    offered, root, lost = draw_offered(match.verifier), match.folder.root, lost_chain(match.verifier)
    if lost is not None and lost[1] == match.me:
        return [f"You said in message {lost[0]} that your chain is lost; the next one goes on or closes the game."]
    if lost is not None:
        return [
            f"{player_side(lost[1])} says in message {lost[0]} that his chain is lost: the dice of message "
            f"{lost[0] - 1} can't be opened. To go on sign your orders of message {lost[0] - 1} anew with "
            f"--allow-lost; or close the game with `adjudicator open {root} --claim`."
        ]
    if offered is not None and offered[1] == match.me:
        return [f"You offered a draw in message {offered[0]}; the next message accepts it or declines it."]
    if offered is not None:
        how = f"; accept it with `adjudicator open {root} --accept-draw`, any other message declines it"
        return [f"{player_side(offered[1])} offers a draw in message {offered[0]}{how if match.me else ''}."]
    due = [f"{player_side(side)} in message {seq}" for seq, side in owing(match.verifier)]
    return [f"Everything hidden is still to be opened by {' and by '.join(due)}."] if due else []
