"""Whose a game folder is, by game.yaml and by the secret in it, and that secret, or the kit that stands for it."""

from __future__ import annotations

from adjudicator.match.folder import Folder, FolderError, reason
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.secret import Secret, SecretError
from adjudicator.protocol.verifier import Verifier


def side_of(folder: Folder, verifier: Verifier) -> str:
    """The side of a folder's player, "" where it belongs to nobody.

    Raises FolderError for a side that does not play, and where there is none though a player's secret is there.
    """
    side, sides = folder.read_about().get("side", ""), [player.side for player in verifier.players]
    if isinstance(side, str) and side in sides:
        return side
    whose = _whose(folder, verifier)
    if side == "" and not whose:
        return ""
    said = f"side is {side!r:.60}" if side else "there is no `side` in it, but a player's secret is here"
    right = f"write `side: {whose}`, whose secret this is" if whose else f"it must be {' or '.join(sides)}"
    raise FolderError(f"{folder.about}: {said}; {right}, as at the beginning")


def _whose(folder: Folder, verifier: Verifier) -> str:
    """The side whose secret or kit lies in a folder; "" where there is none, or none of this game."""
    try:
        found = Secret.load(folder.secret) if folder.secret.is_file() else Kit.load(folder.kit)
    except (SecretError, OSError):
        return ""
    sides = [player.side for player in verifier.players]
    cids = {side: (verifier.player(side).cid, verifier.chain(side).cid) for side in sides}
    return next((side for side in sides if found.cid in cids[side]), "")


def own_secret(folder: Folder, verifier: Verifier, side: str) -> Secret:
    """The secret of a side. Raises FolderError where it is absent, damaged, another game's, or a kit that is stale."""
    kit = folder.kit.is_file() and not folder.secret.is_file()
    path = folder.kit if kit else folder.secret
    try:
        found = Kit.load(path) if kit else Secret.load(path)
    except SecretError as error:
        raise FolderError(f"{path}: {error}") from None
    except OSError as error:
        raise FolderError(f"{path}: {reason(error)}; take the backup of `private/`") from None
    chain = verifier.chain(side)
    if kit and found.cid != chain.cid and found.cid in _once_in_force(verifier):
        text = f"the kit is of a chain that {side} has changed since; make a new one in your own folder, remove this"
        raise FolderError(f"{path}: {text}")
    if found.cid not in (verifier.player(side).cid, chain.cid):
        whose = _whose(folder, verifier)
        text = f"the secret is not that of {side} in this game{f' but of {whose}' if whose else ''}"
        edited = f"; if `side` in game.yaml was changed, write `side: {whose}` there" if whose else ""
        raise FolderError(f"{path}: {text}; bring the right `private/` back{edited}")
    return found


def _once_in_force(verifier: Verifier) -> set[bytes]:
    return {chain.cid for chain in verifier.history.chains_before(verifier.next_seq)}


def used_up(secret: Secret | None, verifier: Verifier, side: str) -> str:
    """Why a kit can open no more, where it is one and so; else ""."""
    if isinstance(secret, Kit) and verifier.next_link(side) > secret.top:
        return f"the kit in this folder opens links up to {secret.top} only; take its log home with `serve --end`"
    return ""
